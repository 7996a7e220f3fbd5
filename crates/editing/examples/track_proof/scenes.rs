//! Proofs 3 to 7 on captures: drum, staff, bow, patty cake, slap.

use crate::Bars;
use crate::gestures::{CLIPS, read};
use crate::measures::{Capture, median};
use aplomb_analysis::Take;
use aplomb_editing::reach::palm_in_hand_m;
use aplomb_editing::track::character::{BuiltInCharacter, Character};
use aplomb_editing::track::measure::joint_path_m;
use aplomb_editing::track::scene_file::{Clap, PairChoice, Prop, PropShape, Scene, TaskChoice};
use aplomb_editing::track::{Figure, Guest, LegGains, ScenePlay, TrackOptions};
use aplomb_editing::transition::Transition;
use aplomb_motion::{Clip, FrameIndex, FrameTime, JointId, LimbKind, Role, Roles, Side, WorldPose, edit, so3};
use cpu_time::ThreadTime;
use glam::{DVec2, DVec3};
use std::path::Path;

fn guest(name: &str, capture: &Capture, clip: Clip) -> Guest {
    let take = Take::new(clip, capture.roles.clone(), capture.body.clone());
    Guest { name: name.to_owned(), take, place: None }
}

fn play(scene: &Scene, guests: Vec<Guest>, options: &TrackOptions) -> ScenePlay {
    scene.play(guests, options, &|_, _| {}).unwrap()
}

/// Bottoms of strokes: lowest points that a hand came down to by 2 cm and rose from by as much. The longest run without
/// a pause of 0.6 s.
fn bottoms(heights_m: &[f64], hz: f64) -> Vec<usize> {
    const STROKE_M: f64 = 0.02;
    let (mut found, mut low, mut high) = (Vec::new(), 0, 0);
    let mut is_falling = false;
    for frame in 0..heights_m.len() {
        if is_falling {
            low = if heights_m[frame] < heights_m[low] { frame } else { low };
            if heights_m[frame] > heights_m[low] + STROKE_M {
                found.push(low);
                (is_falling, high) = (false, frame);
            }
        } else {
            high = if heights_m[frame] > heights_m[high] { frame } else { high };
            if heights_m[frame] < heights_m[high] - STROKE_M {
                (is_falling, low) = (true, frame);
            }
        }
    }
    let pause = (0.6 * hz) as usize;
    found.chunk_by(|a, b| b - a < pause).max_by_key(|run| run.len()).unwrap_or_default().to_vec()
}

/// Where the palm is in the simulation's own world, a frame.
fn palm_path(clip: &Clip, roles: &Roles, side: Side) -> Vec<DVec3> {
    let hand = roles.joint(Role::Hand(side)).unwrap();
    let palm_m = palm_in_hand_m(clip.skeleton(), hand);
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    clip.frames()
        .map(|frame| {
            pose.pose(clip, frame);
            pose.point_in_world_m(hand, palm_m)
        })
        .collect()
}

/// Proof 3: 79_18 drums; trimmed, since its ends rest far below the drum.
pub fn drum(folder: &Path, bars: &mut Bars) {
    let capture = read(folder, "cmu-bvh/gesture-upper/79_18.bvh");
    let hz = 120.0;
    let whole = play(&Scene::default(), vec![guest("actor", &capture, capture.clip.clone())], &TrackOptions::default());
    let path = &palm_path(&whole.played.tracked[0].wanted, &capture.roles, Side::Right);
    let heights = undersides(&whole.played.tracked[0].wanted, &capture, Side::Right);
    let strokes = bottoms(&heights, hz);
    let floor_m = median(strokes.iter().map(|&frame| heights[frame]).collect());
    let middle = strokes.iter().map(|&frame| path[frame]).sum::<DVec3>() / strokes.len() as f64;
    let times: Vec<f64> = strokes.iter().map(|&frame| frame as f64 / hz).collect();
    println!("drum: {} strokes of the right hand at {times:.2?} s, bottoms at {floor_m:.3} m", strokes.len());
    // From the top between the first two strokes.
    let top = (strokes[0]..strokes[1]).max_by(|&a, &b| heights[a].total_cmp(&heights[b])).unwrap();
    let (from, to) = (top as f64 / hz, strokes[strokes.len() - 1] as f64 / hz + 0.1);
    // Impacts last milliseconds: frames as dense as the steps, so that they can be seen.
    let clip =
        edit::resample(&edit::cut(&capture.clip, from..to).unwrap(), FrameTime::from_hz(480.0).unwrap()).unwrap();
    let make = |top_m: f64, pairs: Vec<PairChoice>| Scene {
        props: vec![Prop {
            name: "drum".to_owned(),
            shape: PropShape::Cylinder { radius_m: 0.2, height_m: 0.3 },
            at_m: DVec3::new(middle.x, top_m - 0.15, middle.z),
            mass_kg: None,
            held_by: None,
        }],
        pairs,
        ..Scene::default()
    };
    let pair = || vec![PairChoice::new("actor.right_hand", "drum")];
    let capture_guest = || vec![guest("actor", &capture, clip.clone())];
    let options = TrackOptions::default();
    let top_m = floor_m + 0.02;
    let played = play(&make(top_m, pair()), capture_guest(), &options);
    let untouched = played.untouched.as_ref().unwrap();
    let contacts = &played.played.contacts;
    let depth = contacts.iter().map(|it| it.peak_depth_m).fold(0.0, f64::max);
    let through = {
        let with = palm_path(&played.played.tracked[0].clip, &capture.roles, Side::Right);
        let without = palm_path(&untouched.tracked[0].clip, &capture.roles, Side::Right);
        with.iter().zip(&without).map(|(a, b)| a.y - b.y).fold(0.0, f64::max)
    };
    bars.ask(
        "drum: ≤ 5 mm deep",
        depth <= 5e-3 && !contacts.is_empty(),
        format!("{:.1} mm in {} contacts", 1e3 * depth, contacts.len()),
    );
    bars.ask("drum: ≥ 40 mm through without contact", through >= 0.04, format!("{:.0} mm", 1e3 * through));
    // With the springs that pairs have unless others are given, and with the damper that the design's table has.
    let damper = || vec![PairChoice { damping: Some(60.0), ..PairChoice::new("actor.right_hand", "drum") }];
    let tiny_options = TrackOptions { hz: 30_720.0, ..options };
    let [usual, tiny] = [options, tiny_options].map(|options| play(&make(top_m, pair()), capture_guest(), &options));
    let damped = play(&make(top_m, damper()), capture_guest(), &options);
    let hand = capture.roles.joint(Role::Hand(Side::Right)).unwrap();
    let centre_m = capture.body.link(hand).unwrap().inertia.com_m;
    let mut found = Vec::new();
    for (name, played) in [("usual", &usual), ("tiny steps", &tiny), ("60 N·s/m", &damped)] {
        for (point, in_hand_m) in [("wrist", DVec3::ZERO), ("centre of the hand", centre_m)] {
            let strokes = restitutions(played, hand, in_hand_m);
            // Of all strokes together: speeds up over speeds down.
            let sum = |part: usize| strokes.iter().map(|it| it[part]).sum::<f64>();
            let each: Vec<f64> = strokes.iter().map(|[down, up]| up / down).collect();
            let (together, strongest) = (sum(1) / sum(0), strokes.iter().copied().max_by(|a, b| a[0].total_cmp(&b[0])));
            println!(
                "  rebound, {name}, {point}: {together:.3} together, {:.3} median, {:.3} of the hardest, each {each:.2?}",
                median(each.clone()),
                strongest.map_or(f64::NAN, |it| it[1] / it[0]),
            );
            found.push(together);
        }
    }
    let (a, b) = (found[0], found[2]);
    bars.ask("drum: restitution ≥ 0.3", a >= 0.3, format!("{a:.3}"));
    bars.ask("drum: restitution within 25 % of tiny steps'", (a / b - 1.0).abs() <= 0.25, format!("{a:.2} and {b:.2}"));
}

/// The lowest point of a hand's shape, m, a frame.
fn undersides(clip: &Clip, capture: &Capture, side: Side) -> Vec<f64> {
    let hand = capture.roles.joint(Role::Hand(side)).unwrap();
    let shapes = &capture.body.link(hand).unwrap().shapes;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut lowest = |frame| {
        pose.pose(clip, frame);
        let down = pose.world_from_joint[hand.index()].conjugate() * DVec3::NEG_Y;
        let depth_m = shapes.iter().map(|shape| shape.support_m(down)).fold(f64::NEG_INFINITY, f64::max);
        pose.joint_in_world_m[hand.index()].y - depth_m
    };
    clip.frames().map(&mut lowest).collect()
}

/// Speed at impact, and fastest upward hand speed within 30 ms of it; strokes of at least 0.5 m/s.
fn restitutions(played: &ScenePlay, hand: JointId, in_hand_m: DVec3) -> Vec<[f64; 2]> {
    let tracked = &played.played.tracked[0];
    let mut pose = WorldPose::for_skeleton(tracked.clip.skeleton());
    let mut height = |frame| {
        pose.pose(&tracked.clip, frame);
        pose.point_in_world_m(hand, in_hand_m).y
    };
    let heights: Vec<f64> = tracked.clip.frames().map(&mut height).collect();
    let step = tracked.clip.timeline().uniform().unwrap().secs();
    let rise = |frame: usize| (heights[frame + 1] - heights[frame]) / step;
    let mut found = Vec::new();
    for contact in &played.played.contacts {
        let frame = (contact.start_secs / step) as usize;
        if frame < 12 || frame + 20 >= heights.len() {
            continue;
        }
        // The last whole frame in the air.
        let down = -rise(frame - 1);
        let up = (frame..=frame + (0.03 / step).ceil() as usize).map(rise).fold(0.0, f64::max);
        if down > 0.5 {
            found.push([down, up]);
        }
    }
    found
}

/// Proof 4: a staff of 1.6 m and 1 kg in the right hand of every capture of the gestures.
pub fn staff(folder: &Path, bars: &mut Bars) {
    let mut tilts = Vec::new();
    for file in CLIPS {
        let capture = read(folder, file);
        let staff = Prop {
            name: "staff".to_owned(),
            shape: PropShape::Staff { length_m: 1.6, radius_m: 0.015 },
            at_m: DVec3::ZERO,
            mass_kg: Some(1.0),
            held_by: Some("actor.right_hand".to_owned()),
        };
        let tilt = |tasks: Vec<TaskChoice>| {
            let scene = Scene { props: vec![staff.clone()], tasks, ..Scene::default() };
            let played = play(&scene, vec![guest("actor", &capture, capture.clip.clone())], &TrackOptions::default());
            let skip = played.played.tilts_deg[0].len().min(60);
            played.played.tilts_deg[0][skip..].iter().copied().fold(0.0, f64::max)
        };
        let without = tilt(Vec::new());
        let with = tilt(vec![TaskChoice::Upright { part: "actor.right_hand".to_owned() }]);
        println!("staff {:8} tilts by {without:5.1}° alone, {with:4.1}° with the wrist's task", capture.name);
        tilts.push((without, with));
    }
    let most = tilts.iter().map(|it| it.1).fold(0.0, f64::max);
    let shown = tilts.iter().filter(|it| it.0 >= 20.0).count();
    bars.ask("staff: ≤ 3° with the task", most <= 3.0, format!("{most:.1}°"));
    bars.ask("staff: ≥ 20° without it on ten captures", shown >= 10, format!("on {shown} of {}", tilts.len()));
}

/// Proof 5: the only two-footed bow among the captures.
pub fn bow(folder: &Path, bars: &mut Bars) {
    let capture = read(folder, "bandai-bvh/dataset-1_bow_normal_001.bvh");
    let options = TrackOptions { figure: Figure::Full, legs: Some(LegGains::ADULT), ..TrackOptions::default() };
    let stand = |tasks: Vec<TaskChoice>, speed: f64| {
        let scene = Scene { tasks, speed, ..Scene::default() };
        let start = ThreadTime::now();
        let played = play(&scene, vec![guest("actor", &capture, capture.clip.clone())], &options);
        let factor = capture.clip.duration_secs() / speed / start.elapsed().as_secs_f64();
        (played.played.tracked[0].report.standing.unwrap(), factor)
    };
    let (alone, _) = stand(Vec::new(), 1.0);
    println!("bow alone {alone:.4?}");
    bars.ask("bow: falls without balance", alone.fell_at_secs.is_some(), format!("{:?}", alone.fell_at_secs));
    for speed in [1.0, 1.5] {
        let (standing, factor) = stand(vec![TaskChoice::balance("actor")], speed);
        println!("bow at {speed} {standing:.4?}");
        let is_up = standing.fell_at_secs.is_none();
        let told = format!("{:.1} cm", 1e2 * standing.margin_m);
        bars.ask(&format!("bow at {speed}: margin ≥ 7 cm"), is_up && standing.margin_m >= 0.07, told);
        bars.ask(
            &format!("bow at {speed}: slide ≤ 5 mm"),
            standing.slide_m <= 5e-3,
            format!("{:.1} mm", 1e3 * standing.slide_m),
        );
        bars.ask(
            &format!("bow at {speed}: lift ≤ 6 mm"),
            standing.lift_m <= 6e-3,
            format!("{:.1} mm", 1e3 * standing.lift_m),
        );
        bars.ask(&format!("bow at {speed}: ≥ 50 × real time"), factor >= 50.0, format!("{factor:.0} ×"));
    }
}

/// Clapping arms are bent to this share of their length: well within the 85 % where hands keep their
/// orientation.
const BENT: f64 = 0.75;

/// Proof 6: nine reaches of 02_05 by two children.
pub fn patty_cake(folder: &Path, bars: &mut Bars) {
    let capture = read(folder, "cmu-bvh/gesture-upper/02_05.bvh");
    let child = |scale: f64| {
        let base = Character { base: BuiltInCharacter::Child, ..Character::default() };
        let mut segments = base.segments.clone();
        use aplomb_editing::track::character::{Segment::*, SegmentChange};
        for segment in [Pelvis, Trunk, Head, UpperArm, Forearm, Hand, Thigh, Shank, Foot] {
            segments.insert(segment, SegmentChange { scale: Some(scale), ..SegmentChange::default() });
        }
        Character { segments, ..base }
            .cast(&Take::new(capture.clip.clone(), capture.roles.clone(), capture.body.clone()))
            .unwrap()
    };
    let (one, other) = (child(0.62), child(0.66));
    // The farthest that the right palm goes from its shoulder, apart by 0.7 s: punches and reaches. Seen with the
    // pelvis held.
    let still = Guest { name: "actor".to_owned(), take: one.clone(), place: None };
    let still = play(&Scene::default(), vec![still], &TrackOptions::default()).played.tracked.remove(0).wanted;
    let palm = palm_path(&still, &capture.roles, Side::Right);
    let hips_m = joint_path_m(&still, capture.roles.joint(Role::Hips).unwrap())[0];
    let flat = |at: DVec3| DVec2::new(at.x, at.z);
    let from_hips: Vec<DVec2> = palm.iter().map(|at| flat(*at - hips_m)).collect();
    let farthest =
        (120..palm.len() - 120).max_by(|&a, &b| from_hips[a].length().total_cmp(&from_hips[b].length())).unwrap();
    let facing = from_hips[farthest].normalize();
    let away: Vec<f64> = from_hips.iter().map(|at| at.dot(facing)).collect();
    let mut claps: Vec<usize> = Vec::new();
    let mut order: Vec<usize> = (120..away.len() - 120).collect();
    order.sort_by(|&a, &b| away[b].total_cmp(&away[a]));
    for frame in order {
        let is_peak = away[frame] >= away[frame - 1] && away[frame] >= away[frame + 1];
        if is_peak && claps.iter().all(|other| other.abs_diff(frame) > 84) && claps.len() < 9 {
            claps.push(frame);
        }
    }
    claps.sort_unstable();
    let times: Vec<f64> = claps.iter().map(|&frame| frame as f64 / 120.0).collect();
    // They face each other, right hand to right hand: half a turn puts the partner's hand on the other side of their
    // hips. Hands meet aside where both reach, and ahead where both arms are bent to a share of their length: a punch
    // ends with a straight arm that cannot be put anywhere else.
    let middle = |part: &dyn Fn(DVec2) -> f64| median(claps.iter().map(|&frame| part(from_hips[frame])).collect());
    let aside = facing.perp();
    let both = 1.0 + 0.66 / 0.62;
    let arm = aplomb_editing::reach::Arm::of(
        still.skeleton(),
        &capture.roles,
        Side::Right,
        aplomb_editing::reach::HandPoint::Palm,
    )
    .unwrap();
    let shoulders = joint_path_m(&still, arm.joints[0]);
    let length_m = {
        let elbows = joint_path_m(&still, arm.joints[1]);
        let wrists = joint_path_m(&still, arm.joints[2]);
        let at = claps[0];
        shoulders[at].distance(elbows[at]) + elbows[at].distance(wrists[at]) + wrists[at].distance(palm[at])
    };
    let ahead_m = median(
        claps
            .iter()
            .map(|&at| {
                let to_palm = palm[at] - shoulders[at];
                let across_m = (to_palm.length_squared() - flat(to_palm).dot(facing).powi(2)).sqrt();
                let own_m = ((BENT * length_m).powi(2) - across_m * across_m).max(0.0).sqrt();
                flat(shoulders[at] - hips_m).dot(facing) + own_m
            })
            .collect(),
    );
    let there = flat(hips_m) + facing * (both * ahead_m) + aside * (both * middle(&|at| at.dot(aside)));
    println!("patty cake: claps at {times:.2?} s, {:.2} m apart", (there - flat(hips_m)).length());
    for speed in [1.0, 1.33] {
        let place = Some((there.to_array(), 180.0));
        let second = Guest { name: "partner".to_owned(), take: other.clone(), place };
        let first = Guest { name: "actor".to_owned(), take: one.clone(), place: None };
        let hands = ("actor.right_hand", "partner.right_hand");
        let scene = Scene {
            speed,
            pairs: vec![PairChoice {
                stiffness: 3e4,
                damping: Some(40.0),
                from_secs: Some(0.5),
                ..PairChoice::new(hands.0, hands.1)
            }],
            claps: vec![Clap {
                a: hands.0.to_owned(),
                b: hands.1.to_owned(),
                at_secs: times.clone(),
                window_secs: 0.35,
                depth_m: 0.015,
            }],
            ..Scene::default()
        };
        let played = play(&scene, vec![first, second], &TrackOptions { hz: 960.0, ..TrackOptions::default() });
        let contacts = &played.played.contacts;
        let met = times.iter().filter(|&&at| {
            let at = at / speed;
            contacts.iter().any(|it| it.start_secs < at + 0.1 && it.end_secs > at - 0.1)
        });
        let met = met.count();
        let depth = contacts.iter().map(|it| it.peak_depth_m).fold(0.0, f64::max);
        let force = contacts.iter().map(|it| it.peak_force_n).fold(0.0, f64::max);
        let far = played.reached.iter().map(|it| it.reach_share).fold(0.0, f64::max);
        let turned = played.reached.iter().map(|it| it.turned_deg).fold(0.0, f64::max);
        println!(
            "patty cake at {speed}: {met} of {} met, ≤ {force:.0} N, {:.1} mm, reach ≤ {:.0} %",
            times.len(),
            1e3 * depth,
            1e2 * far
        );
        bars.ask(
            &format!("patty cake at {speed}: every clap"),
            met == times.len(),
            format!("{met} of {}", times.len()),
        );
        bars.ask(&format!("patty cake at {speed}: ≤ 4 mm deep"), depth <= 4e-3, format!("{:.1} mm", 1e3 * depth));
        bars.ask(
            &format!("patty cake at {speed}: hands keep their orientation to 2°"),
            turned <= 2.0,
            format!("{turned:.2}° at ≤ {:.0} % of reach", 1e2 * far),
        );
    }
}

/// Proof 7: over into a slap of oneself's own cheek height: 02_05 → 141_28.
pub fn slap(folder: &Path, bars: &mut Bars) {
    let (first, second) =
        (read(folder, "cmu-bvh/gesture-upper/02_05.bvh"), read(folder, "cmu-bvh/gesture-upper/141_28.bvh"));
    let hz = 120.0;
    let second_clip = edit::resample(&second.clip, *first.clip.timeline().uniform().as_ref().unwrap()).unwrap();
    // The same joints on the first one's bones.
    let second_clip = Clip::new(
        first.clip.skeleton().clone(),
        first.clip.timeline().clone(),
        second_clip.frame_count(),
        second_clip.rotations().to_vec(),
        second_clip.tracks().to_vec(),
    )
    .unwrap();
    let jump = |clip: &Clip| {
        let joints: Vec<_> = [Side::Left, Side::Right]
            .iter()
            .flat_map(|&side| first.roles.limb(side, LimbKind::Arm).unwrap().chain)
            .collect();
        let mut jumps = Vec::new();
        for joint in joints {
            let rates: Vec<DVec3> = clip
                .frames()
                .skip(1)
                .map(|frame| {
                    so3::log(clip.rotation(FrameIndex(frame.0 - 1), joint).conjugate() * clip.rotation(frame, joint))
                        * hz
                })
                .collect();
            jumps.push(rates.windows(2).map(|pair| pair[0].distance(pair[1])).collect::<Vec<_>>());
        }
        let frames = jumps[0].len();
        (0..frames).map(|frame| jumps.iter().map(|joint| joint[frame]).fold(0.0, f64::max)).collect::<Vec<f64>>()
    };
    let mut inputs: Vec<f64> = jump(&first.clip).into_iter().chain(jump(&second_clip)).collect();
    inputs.sort_by(f64::total_cmp);
    let most = inputs[inputs.len() * 99 / 100];
    let transition = Transition { from_secs: 4.0, to_secs: 4.4, into_secs: Some(0.8) };
    let made = transition.apply(&first.clip, &second_clip).unwrap();
    let window = |clip: &Clip| jump(clip)[(3.9 * hz) as usize..(4.5 * hz) as usize].iter().copied().fold(0.0, f64::max);
    let tracked = play(&Scene::default(), vec![guest("actor", &first, made.clip.clone())], &TrackOptions::default());
    impact(&first, &made.clip, &tracked, bars);
    let (wanted, played) = (window(&made.clip), window(&tracked.played.tracked[0].clip));
    println!("slap: rate jumps {wanted:.2} wanted, {played:.2} played; 99 % of the inputs' are below {most:.2} rad/s");
    bars.ask(
        "transition: rate jumps within the inputs' 99 %",
        wanted <= most && played <= most,
        format!("{wanted:.2}, {played:.2} of {most:.2}"),
    );
}

/// A face in the way of the hand where it is fastest after the transition.
fn impact(first: &Capture, clip: &Clip, free: &ScenePlay, bars: &mut Bars) {
    let dense = FrameTime::from_hz(480.0).unwrap();
    let path = palm_path(&free.played.tracked[0].clip, &first.roles, Side::Right);
    let speed = |path: &[DVec3], frame: usize, hz: f64| path[frame].distance(path[frame - 1]) * hz;
    let at = (540..path.len() - 60).max_by(|&a, &b| speed(&path, a, 120.0).total_cmp(&speed(&path, b, 120.0))).unwrap();
    let ahead = (path[at] - path[at - 1]).normalize();
    let radius_m = 0.09;
    let scene = Scene {
        props: vec![Prop {
            name: "face".to_owned(),
            shape: PropShape::Ball { radius_m },
            at_m: path[at] + ahead * (radius_m + 0.03),
            mass_kg: None,
            held_by: None,
        }],
        pairs: vec![PairChoice { from_secs: Some(4.0), ..PairChoice::new("actor.right_hand", "face") }],
        ..Scene::default()
    };
    let clip = edit::resample(clip, dense).unwrap();
    let played = play(&scene, vec![guest("actor", first, clip)], &TrackOptions::default());
    let struck = palm_path(&played.played.tracked[0].clip, &first.roles, Side::Right);
    let Some(contact) = played.played.contacts.iter().max_by(|a, b| a.peak_force_n.total_cmp(&b.peak_force_n)) else {
        return bars.ask("slap: the hand hits", false, "it misses".to_owned());
    };
    let frame = (contact.start_secs * 480.0) as usize;
    let before = (frame - 8..=frame).map(|at| speed(&struck, at, 480.0)).fold(0.0, f64::max);
    let after = (frame..=frame + 15).map(|at| speed(&struck, at, 480.0)).fold(f64::MAX, f64::min);
    println!(
        "slap: hits at {:.3} s with {before:.2} m/s, {:.0} N, {:.1} mm deep",
        contact.start_secs,
        contact.peak_force_n,
        1e3 * contact.peak_depth_m
    );
    bars.ask(
        "slap: hand speed drops by ≥ 60 % within 30 ms",
        after <= 0.4 * before,
        format!("{before:.2} → {after:.2} m/s"),
    );
    bars.ask("slap: ≤ 5 mm deep", contact.peak_depth_m <= 5e-3, format!("{:.1} mm", 1e3 * contact.peak_depth_m));
}
