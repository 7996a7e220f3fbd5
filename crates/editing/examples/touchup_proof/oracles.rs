//! Proof 7: what the model leaves out, and what people do who really turn and really speed up.

use crate::measures::{Capture, Towards, lean_rad, mean, square_speed, step_secs};
use crate::{Args, Bars};
use aplomb_analysis::support::{SupportPlane, zero_moment_point_m};
use aplomb_analysis::{Ground, InspectOptions, inspect};
use aplomb_editing::arc::Arc;
use aplomb_editing::touchup::touch_up;
use aplomb_editing::transition::Transition;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{Clip, JointId, Role, Roles, Side, WorldPose};
use aplomb_physics::Body;
use aplomb_physics::centroidal::{CentroidalOptions, MassModel, centroidal_track};
use glam::{DMat3, DVec3};
use std::path::Path;

/// Of paths before they are differentiated, s.
const SMOOTHING_SECS: f64 = 0.167;

/// The model against links filled with 100 points each (section 5 of the paper), blocks with the link's own inertia: the zero-moment point of point
/// masses, by which ground steps go, and the angular momentum of rigid links, by which flight steps go. That of point masses, the paper's, is told.
pub fn model(folder: &Path, _: &Args, bars: &mut Bars) {
    println!("\nmodel against links of 100 points: angular momentum over its own size, ZMP of points over height");
    for name in ["walk-straight/16_15", "walk-straight/35_01", "run/16_35", "transition/127_04", "jump-forward/16_06"] {
        let Capture { clip, body, contacts, .. } = Capture::read(folder, &format!("{name}.bvh"));
        let (few, many) = (whole(&clip, &points_of(&body)), whole(&clip, &blocks_of(&body)));
        let step = step_secs(&clip);
        let is_carried = |frame: usize| {
            let at_secs = frame as f64 * step;
            contacts.contacts.iter().any(|it| (it.start_secs..=it.end_secs).contains(&at_secs))
        };
        let edge = (0.1 / step) as usize;
        let options = CentroidalOptions { model: MassModel::Rigid, smoothing_secs: SMOOTHING_SECS };
        let rigid = centroidal_track(&clip, &body, &options).unwrap();
        let (mut off, mut rigid_off, mut size, mut worst_m) = (0.0, 0.0, 0.0, 0.0_f64);
        let mut distances_m = Vec::new();
        for frame in edge..clip.frame_count() - edge {
            off += few.spin[frame].distance_squared(many.spin[frame]);
            rigid_off += rigid.momentum[frame].angular.distance_squared(many.spin[frame]);
            size += few.turning[frame].powi(2);
            // Next to flight the point runs away; half the weight is enough to tell.
            if is_carried(frame) && few.load[frame] > 0.5 {
                let distance_m = few.zmp_m[frame].distance(many.zmp_m[frame]);
                distances_m.push(distance_m);
                worst_m = worst_m.max(distance_m);
            }
        }
        let [share, rigid_share] = [off, rigid_off].map(|off| (off / size).sqrt() * 100.0);
        let height_m = body.stature_m().unwrap();
        let zmp = mean(&distances_m) / height_m * 100.0;
        let whole_share = (off / few.spin.iter().map(|spin| spin.length_squared()).sum::<f64>()).sqrt() * 100.0;
        println!(
            "{name:22} momentum of rigid links {rigid_share:4.2} %, of points {share:4.2} % of its parts' ({whole_share:4.1} % of what is left of them), ZMP mean {zmp:4.2} %, worst {:4.2} %",
            worst_m / height_m * 100.0
        );
        bars.check(rigid_share < 2.0, || {
            format!("model {name}: momentum of rigid links differs by {rigid_share:.2} %")
        });
        bars.check_if(false, share < 2.0, || format!("model {name}: momentum of point masses differs by {share:.2} %"));
        bars.check(zmp < 1.0, || format!("model {name}: ZMP differs by {zmp:.2} % of the height"));
    }
}

struct Whole {
    /// Angular momentum about the centre of mass.
    spin: Vec<DVec3>,
    /// The sum of what its parts have, whichever way they turn: in a walk they cancel.
    turning: Vec<f64>,
    zmp_m: Vec<DVec3>,
    load: Vec<f64>,
}

type MassPoint = (JointId, DVec3, f64);

fn points_of(body: &Body) -> Vec<MassPoint> {
    body.links().iter().map(|link| (link.joint, link.inertia.com_m, link.inertia.mass_kg)).collect()
}

/// A grid of 4 × 5 × 5 in a block whose second moments are those of the link: with M = L Lᵀ the image of a cube under L.
fn blocks_of(body: &Body) -> Vec<MassPoint> {
    let mut found = Vec::new();
    for link in body.links() {
        let mass_kg = link.inertia.mass_kg;
        let m = link.inertia.about_com.second_moments().to_mat3() * (1.0 / mass_kg);
        let l00 = m.x_axis.x.max(1e-12).sqrt();
        let (l10, l20) = (m.x_axis.y / l00, m.x_axis.z / l00);
        let l11 = (m.y_axis.y - l10 * l10).max(1e-12).sqrt();
        let l21 = (m.y_axis.z - l20 * l10) / l11;
        let l22 = (m.z_axis.z - l20 * l20 - l21 * l21).max(0.0).sqrt();
        let root = DMat3::from_cols(DVec3::new(l00, l10, l20), DVec3::new(0.0, l11, l21), DVec3::new(0.0, 0.0, l22));
        // n samples at the middles of n cells of [−a, a] have variance a²(1 − 1/n²)/3.
        let at = |index: usize, count: usize| {
            let n = count as f64;
            (2.0 * index as f64 + 1.0 - n) / n * (3.0 / (1.0 - 1.0 / (n * n))).sqrt()
        };
        for index in 0..100 {
            let cube = DVec3::new(at(index % 4, 4), at(index / 4 % 5, 5), at(index / 20, 5));
            found.push((link.joint, link.inertia.com_m + root * cube, mass_kg / 100.0));
        }
    }
    found
}

fn whole(clip: &Clip, points: &[MassPoint]) -> Whole {
    let (frames, step) = (clip.frame_count(), step_secs(clip));
    let filter = Gaussian::from_window_secs(SMOOTHING_SECS, step).unwrap();
    let times = SampleTimes::uniform(step).unwrap();
    let total_kg: f64 = points.iter().map(|(_, _, mass_kg)| mass_kg).sum();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut paths_m = vec![vec![DVec3::ZERO; frames]; points.len()];
    for frame in clip.frames() {
        pose.pose(clip, frame);
        for (path_m, (joint, in_joint_m, _)) in paths_m.iter_mut().zip(points) {
            path_m[frame.0] = pose.point_in_world_m(*joint, *in_joint_m);
        }
    }
    let mut com_m = vec![DVec3::ZERO; frames];
    for (path_m, (_, _, mass_kg)) in paths_m.iter_mut().zip(points) {
        *path_m = filter.smooth(path_m);
        path_m.iter().zip(&mut com_m).for_each(|(point_m, com_m)| *com_m += *point_m * (mass_kg / total_kg));
    }
    let (mut spin, mut turning) = (vec![DVec3::ZERO; frames], vec![0.0; frames]);
    let (mut force, mut moment) = (vec![DVec3::Y * (9.81 * total_kg); frames], vec![DVec3::ZERO; frames]);
    for (path_m, (_, _, mass_kg)) in paths_m.iter().zip(points) {
        let (velocity, acceleration) = (derivative::first(path_m, times), derivative::second(path_m, times));
        for frame in 0..frames {
            let arm_m = path_m[frame] - com_m[frame];
            let own = arm_m.cross(velocity[frame]) * *mass_kg;
            spin[frame] += own;
            turning[frame] += own.length();
            force[frame] += acceleration[frame] * *mass_kg;
            moment[frame] += arm_m.cross((acceleration[frame] + DVec3::Y * 9.81) * *mass_kg);
        }
    }
    let plane = SupportPlane::new(Ground::default(), 0.0);
    let zmp_m = (0..frames).map(|i| zero_moment_point_m(com_m[i], force[i], moment[i], &plane)).collect();
    let load = force.iter().map(|force| force.y / (9.81 * total_kg)).collect();
    Whole { spin, turning, zmp_m, load }
}

/// Figure 7: straight walks bent as tightly as the same subject was captured turning.
pub fn turns(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\ncaptured turns against bent walks: lean into the bend over v²κ/g, swing of the trunk in degrees");
    let straight = Capture::read(folder, "walk-straight/16_15.bvh");
    let (mut shares, mut own_shares, mut swings, mut own_swings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (turn, side) in [("16_11", Side::Left), ("16_13", Side::Right), ("16_17", Side::Left), ("16_19", Side::Right)] {
        let captured = Capture::read(folder, &format!("walk-turn/{turn}.bvh"));
        let bend = Turning::of(&captured.clip, &captured.roles, &captured.body, side);
        let within = bend.tightest();
        let at = |values: &[f64]| mean(&within.iter().map(|&frame| values[frame]).collect::<Vec<_>>());
        let own_needed = (at(&bend.needed)).atan().to_degrees();
        // Against the same person walking straight, who is not quite upright either.
        let upright_rad = lean_rad(&straight.clip, &straight.roles, &straight.body, Towards::Side(side));
        let own_share = (at(&bend.lean_rad) - upright_rad).to_degrees() / own_needed * 100.0;
        let Capture { clip, roles, body, contacts, .. } = &straight;
        let radius_m = Arc::radius_for_lean_m(square_speed(clip, body).sqrt(), own_needed.to_radians());
        let bent = Arc::new(radius_m, side).apply(clip).unwrap();
        let done = touch_up(&bent, roles, body, contacts, &args.options).unwrap();
        let lean = |clip: &Clip| lean_rad(clip, roles, body, Towards::Side(side)).to_degrees();
        let share = (lean(&done.clip) - lean(&done.planted)) / own_needed * 100.0;
        let swing = |clip: &Clip| Turning::of(clip, roles, body, side).swing_deg();
        let (own_swing, upright_swing, after_swing) = (bend.swing_deg(), swing(&bent), swing(&done.clip));
        println!(
            "{turn} {side:5} needs {own_needed:4.1}°: captured {own_share:4.0} %, bent and touched up {share:4.0} % (r {radius_m:.1} m) | trunk swings {own_swing:.1}° captured, {upright_swing:.1}° bent, {after_swing:.1}° touched up"
        );
        bars.check(share > 0.0 && own_share > 0.0, || format!("turn {turn}: leans {own_share:.0} %, {share:.0} %"));
        shares.push(share);
        own_shares.push(own_share);
        swings.push(after_swing);
        own_swings.push(own_swing);
    }
    // A single turn is a step or two and carries their asymmetry; two to either side are compared.
    let (lean, swing) = (mean(&shares) / mean(&own_shares), mean(&swings) / mean(&own_swings));
    println!("mean of the four, touched up over captured: lean {lean:.2}, swing {swing:.2}");
    bars.check((0.5..=1.5).contains(&lean), || format!("turns: lean {lean:.2} of the captured one"));
    bars.check((0.5..=1.5).contains(&swing), || format!("turns: trunk swings {swing:.2} of the captured one"));
}

/// How a walk turns, frame by frame.
struct Turning {
    /// v²κ/g, positive towards the side.
    needed: Vec<f64>,
    lean_rad: Vec<f64>,
    /// Of the trunk, from hips to neck, towards the side.
    trunk_rad: Vec<f64>,
    ahead_speed: Vec<f64>,
    ahead_lean_rad: Vec<f64>,
    step_secs: f64,
}

impl Turning {
    fn of(clip: &Clip, roles: &Roles, body: &Body, side: Side) -> Self {
        let ankles = Side::BOTH.map(|side| roles.joint(Role::Foot(side)).unwrap());
        let (hips, neck) = (roles.joint(Role::Hips).unwrap(), roles.joint(Role::Neck(0)).unwrap());
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let (mut coms_m, mut overs_m, mut trunks_m) = (Vec::new(), Vec::new(), Vec::new());
        for frame in clip.frames() {
            pose.pose(clip, frame);
            let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
            coms_m.push(body.com_in_world_m(&pose));
            overs_m.push(body.com_in_world_m(&pose) - at(ankles[0]).midpoint(at(ankles[1])));
            trunks_m.push(at(neck) - at(hips));
        }
        let step_secs = step_secs(clip);
        let times = SampleTimes::uniform(step_secs).unwrap();
        let way = Gaussian::from_window_secs(1.0, step_secs).unwrap().smooth(&coms_m);
        let (velocity, acceleration) = (derivative::first(&way, times), derivative::second(&way, times));
        let mut found = Self {
            needed: Vec::new(),
            lean_rad: Vec::new(),
            trunk_rad: Vec::new(),
            ahead_speed: Vec::new(),
            ahead_lean_rad: Vec::new(),
            step_secs,
        };
        for frame in 0..coms_m.len() {
            let ahead = velocity[frame].with_y(0.0).normalize_or_zero();
            let inward = if side == Side::Left { DVec3::Y.cross(ahead) } else { ahead.cross(DVec3::Y) };
            found.needed.push(acceleration[frame].dot(inward) / 9.81);
            found.lean_rad.push(overs_m[frame].dot(inward).atan2(overs_m[frame].y));
            found.trunk_rad.push(trunks_m[frame].dot(inward).atan2(trunks_m[frame].y));
            found.ahead_speed.push(velocity[frame].with_y(0.0).length());
            found.ahead_lean_rad.push(overs_m[frame].dot(ahead).atan2(overs_m[frame].y));
        }
        found
    }

    /// The frames that turn at least half as much as the tightest, the outer 0.5 s left out.
    fn tightest(&self) -> Vec<usize> {
        let edge = ((0.5 / self.step_secs) as usize).min(self.needed.len() / 4);
        let inside = edge..self.needed.len() - edge;
        let most = inside.clone().map(|frame| self.needed[frame]).fold(f64::NEG_INFINITY, f64::max);
        inside.filter(|&frame| self.needed[frame] >= 0.5 * most).collect()
    }

    /// How far the trunk swings from side to side about its own slow lean, root mean square over the middle.
    fn swing_deg(&self) -> f64 {
        let slow = Gaussian::from_window_secs(2.0, self.step_secs).unwrap().smooth(&self.trunk_rad);
        let frames = self.trunk_rad.len();
        let squares = (frames / 5..frames - frames / 5).map(|i| (self.trunk_rad[i] - slow[i]).powi(2));
        mean(&squares.collect::<Vec<_>>()).sqrt().to_degrees()
    }
}

/// Figure 6: from walking to jogging by plain blending; people lean ahead while they speed up, and so does the result.
pub fn speeding_up(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\nwalk to jog: lean ahead while speeding up, of atan(a/g)");
    for name in ["104_06", "104_53", "127_04"] {
        let Capture { clip, roles, body, .. } = Capture::read(folder, &format!("transition/{name}.bvh"));
        let (lean_deg, needed_deg, correlation) = ahead(&Turning::of(&clip, &roles, &body, Side::Left));
        println!(
            "captured {name:7} {lean_deg:5.1}° of {needed_deg:4.1}° more than at even speed (correlation {correlation:.2})"
        );
        bars.check(lean_deg > 0.0, || format!("captured {name}: leans {lean_deg:.1}°"));
    }
    for (walk, jog) in [("16_15", "16_35"), ("35_01", "35_17"), ("02_01", "02_03")] {
        let a = Capture::read(folder, &format!("walk-straight/{walk}.bvh"));
        let b = Capture::read(folder, &format!("run/{jog}.bvh"));
        let (until, window) = (0.5 * a.clip.duration_secs(), 0.6_f64.min(0.45 * b.clip.duration_secs()));
        let change = Transition { from_secs: until, to_secs: until + window, into_secs: None };
        let made = change.apply(&a.clip, &b.clip).unwrap().clip;
        let contacts = inspect(&made, &a.roles, &a.body, None, &InspectOptions::default()).unwrap().contacts;
        let done = touch_up(&made, &a.roles, &a.body, &contacts, &args.options).unwrap();
        let [before, after] = [&made, &done.clip].map(|clip| ahead(&Turning::of(clip, &a.roles, &a.body, Side::Left)));
        let (lean_deg, needed_deg, correlation) = after;
        let share = lean_deg / needed_deg * 100.0;
        println!(
            "{walk} -> {jog}: {lean_deg:4.1}° of {needed_deg:4.1}° = {share:3.0} % (correlation {correlation:.2}; blended only {:.1}° of {:.1}°), ZMP {:.1} -> {:.1} cm",
            before.0,
            before.1,
            done.before.mean_m * 100.0,
            done.after.mean_m * 100.0
        );
        bars.check((50.0..=150.0).contains(&share), || format!("{walk} -> {jog}: leans {share:.0} % of atan(a/g)"));
    }
}

/// Mean lean while speeding up less that at even speed, what the acceleration asks for, and how both go together.
fn ahead(motion: &Turning) -> (f64, f64, f64) {
    let times = SampleTimes::uniform(motion.step_secs).unwrap();
    let rate = derivative::first(&motion.ahead_speed, times);
    let lean = Gaussian::from_window_secs(1.0, motion.step_secs).unwrap().smooth(&motion.ahead_lean_rad);
    let edge = ((0.4 / motion.step_secs) as usize).min(rate.len() / 4);
    let inside: Vec<usize> = (edge..rate.len() - edge).collect();
    let most = inside.iter().map(|&frame| rate[frame]).fold(0.0, f64::max);
    let of = |wanted: &dyn Fn(usize) -> bool, values: &[f64]| {
        mean(&inside.iter().filter(|&&frame| wanted(frame)).map(|&frame| values[frame]).collect::<Vec<_>>())
    };
    let (quick, even) = (|frame: usize| rate[frame] > 0.5 * most, |frame: usize| rate[frame].abs() < 0.25 * most);
    let (a, b) = (of(&|_| true, &rate), of(&|_| true, &lean));
    let product =
        |x: &[f64], x0: f64, y: &[f64], y0: f64| inside.iter().map(|&i| (x[i] - x0) * (y[i] - y0)).sum::<f64>();
    let correlation = product(&rate, a, &lean, b) / (product(&rate, a, &rate, a) * product(&lean, b, &lean, b)).sqrt();
    let lean_deg = (of(&quick, &lean) - of(&even, &lean)).to_degrees();
    let needed_deg = ((of(&quick, &rate) - of(&even, &rate)) / 9.81).atan().to_degrees();
    (lean_deg, needed_deg, correlation)
}
