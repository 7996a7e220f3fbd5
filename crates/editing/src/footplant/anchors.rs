//! Where the points of one foot stand, and how much each frame is held there.

use super::extremes::running_extreme;
use super::swing_offsets::{Gap, gaps};
use crate::span::{Frames, smoothstep};
use aplomb_analysis::Ground;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::orientation::OrientationFilter;
use aplomb_motion::so3;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// The heel lets go this long after the ball stands (contacts.md 8), s.
const HEEL_AFTER_BALL_SECS: f64 = 0.05;
/// The foot's pitch rests while it is handed over, and catches up within this time to either side, s.
const CATCH_UP_SECS: f64 = 0.1;
/// A foot that turns farther than this while its point stands is a pivot and begins to be left free, rad.
const PIVOT_FROM_RAD: f64 = 0.44;
/// Beyond this it is entirely free. A tight bend of the path turns stance feet by up to 23°, dancers by 90° and more.
const PIVOT_TO_RAD: f64 = 0.79;

/// A foot trembles again as it did this long after its pin, s.
const CALM_FADE_SECS: f64 = 0.06;

/// A foot that is pinned pitches no farther than this to stay above the floor, rad.
const MOST_PITCH_RAD: f64 = 0.35;
/// The pitch is the largest within this time to either side, s.
const PITCH_WIDE_SECS: f64 = 0.12;

/// Pins of this length are moments (contacts.md 8 takes the slowest 0.05 s of a foot that is never still), s.
const MOMENT_SECS: f64 = 0.06;
/// Pins of this length are stances, s.
const STANCE_SECS: f64 = 0.16;

/// A point that is down for longer than a step of a walk takes (0.6 to 0.8 s) is of a foot that stands, however short
/// its pins are, s.
const LONG_LOAD_SECS: f64 = 0.8;
/// Beyond this it stands entirely. A foot whose tremor breaks its one stance into pins of a tenth of a second (05_02)
/// is no runner's.
const STAYING_LOAD_SECS: f64 = 1.2;

/// A planted stretch of one point of a foot, in frames.
#[derive(Clone, Debug)]
pub(super) struct Pinned {
    /// Index of the point among the foot's.
    pub point: usize,
    /// Heels hand over to what is in front of them.
    pub is_heel: bool,
    pub core: Range<usize>,
    /// Where easing in begins, in frames.
    pub ease_from: f64,
    /// Where easing out ends, in frames.
    pub ease_to: f64,
    /// How long the load is that it is part of.
    pub load_secs: f64,
    /// Whether a person stated it; else it was found, and may be wrong.
    pub is_stated: bool,
    /// Whether the foot stays as the motion has it (`still`).
    pub is_kept: bool,
}

/// One foot of the motion as it came in.
pub(super) struct FootMotion {
    /// The end joint of the limb.
    pub ankle_m: Vec<DVec3>,
    pub world_from_foot: Vec<DQuat>,
    /// Points of the foot in the foot's frame, point-major: `points[point][frame]`.
    pub points_in_foot_m: Vec<Vec<DVec3>>,
    /// How low each point may go, point-major, m over the ground.
    pub lowest_m: Vec<Vec<f64>>,
}

/// What is planned for one foot, a value a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeldFoot {
    /// How much the foot is held: 1 where a point is pinned, falling to 0 over the rest of its load.
    pub weight: Vec<f64>,
    /// Where the foot of the planned motion goes, pinned or not.
    pub ankle_m: Vec<DVec3>,
    pub world_from_foot: Vec<DQuat>,
    /// How much of a place each frame has, by being held or by riding from one to the next; 0: the foot moves as the
    /// motion has it.
    pub reach: Vec<f64>,
    /// Frames without pins.
    pub gaps: Vec<Gap>,
}

/// How a foot is held.
pub(super) struct HoldRules<'a> {
    pub frames: &'a Frames,
    pub ground: &'a Ground,
    /// Whether it points one way while it stands.
    pub yaw: bool,
    /// The point that may go anywhere, since it bends away from the floor by itself.
    pub tip: Option<usize>,
    /// Feet that stand do not tremble.
    pub calm: &'a Gaussian,
    /// Time constant of the way between pins, s.
    pub ride_secs: f64,
    /// How far from a pin its offset is felt, s.
    pub most_ride_secs: f64,
}

/// Plans a foot. `pins` are sorted by start.
pub(super) fn hold(foot: &FootMotion, pins: &[Pinned], how: &HoldRules<'_>) -> HeldFoot {
    let count = how.frames.len();
    let [heels, fronts] = [true, false].map(|is_heel| strongest(pins, is_heel, count));
    let standing = |frame: usize| {
        let pinned = [&heels, &fronts].into_iter().filter_map(|best| best[frame]).filter(|(_, u)| *u >= 1.0);
        pinned.map(|(pin, _)| stands(&pins[pin], how.frames.step_secs)).reduce(f64::max)
    };
    let [tau, most] = [how.ride_secs, how.most_ride_secs].map(|secs| secs / how.frames.step_secs);
    let gaps = gaps(standing, count, tau, most);
    if pins.is_empty() {
        let (ankle_m, world_from_foot) = (foot.ankle_m.clone(), foot.world_from_foot.clone());
        return HeldFoot { weight: vec![0.0; count], ankle_m, world_from_foot, reach: vec![0.0; count], gaps };
    }
    let mut calm = calmed(foot, pins, how);
    let mut groups = stances(pins, how.frames.step_secs);
    groups.retain(|stance| !pins[stance.start].is_kept);
    // Rotations: planned where pinned, from one to the next elsewhere.
    let mut planned = calm.clone();
    rest_at_hand_overs(&calm, pins, how.frames, &mut planned);
    if how.yaw {
        hold_yaw(pins, &groups, how.ground.normal(), &mut planned);
    }
    pitch_clear(foot, pins, &groups, how, &mut planned);
    for frame in pins.iter().filter(|pin| pin.is_kept).flat_map(|pin| pin.core.clone()) {
        (calm[frame], planned[frame]) = (foot.world_from_foot[frame], foot.world_from_foot[frame]);
    }
    // Exactly nothing where nothing is to be done: what stays shall stay to the bit.
    let turn_to = |frame: usize| match planned[frame] == calm[frame] {
        true => DVec3::ZERO,
        false => so3::log(planned[frame] * calm[frame].conjugate()),
    };
    let mut turns_rad: Vec<DVec3> = (0..count).map(turn_to).collect();
    gaps.iter().for_each(|gap| gap.fill(&mut turns_rad));
    let turned = |(turn_rad, from): (&DVec3, &DQuat)| match *turn_rad == DVec3::ZERO {
        true => *from,
        false => (so3::exp(*turn_rad) * *from).normalize(),
    };
    let world_from_foot: Vec<DQuat> = turns_rad.iter().zip(&calm).map(turned).collect();
    // Positions in the same way; beside a pin the foot is drawn to its place as far as it is held there.
    let anchors_m = anchors(foot, pins, &groups, &world_from_foot, how);
    let mut weight = vec![0.0; count];
    let mut offsets_m = vec![DVec3::ZERO; count];
    for frame in 0..count {
        let (heel, front) = (heels[frame], fronts[frame]);
        let (heel_u, front_u) = (heel.map_or(0.0, |(_, u)| u), front.map_or(0.0, |(_, u)| u));
        let crossed = match (heel, front) {
            (Some((heel, _)), Some((front, _))) => handed_over(&pins[heel].core, &pins[front].core, frame),
            _ => 0.0,
        };
        // Both pinned: the front takes over. One pinned: that one. The sum is u + v − uv, never more than 1.
        let front_weight = front_u * (1.0 - heel_u) + crossed * heel_u;
        let heel_weight = heel_u * (1.0 - crossed);
        let total = front_weight + heel_weight;
        if total <= 0.0 {
            continue;
        }
        let ankle_for = |pin: usize| match pins[pin].is_kept {
            true => foot.ankle_m[frame],
            false => anchors_m[pin] - world_from_foot[frame] * foot.points_in_foot_m[pins[pin].point][frame],
        };
        let share =
            |pin: Option<(usize, f64)>, weight: f64| pin.map_or(DVec3::ZERO, |(pin, _)| ankle_for(pin) * weight);
        if [heel, front].into_iter().flatten().any(|(pin, _)| !pins[pin].is_kept) {
            let ankle_m = (share(heel, heel_weight) + share(front, front_weight)) / total;
            offsets_m[frame] = ankle_m - foot.ankle_m[frame];
        }
        weight[frame] = total.min(1.0);
    }
    let drawn_m = offsets_m.clone();
    gaps.iter().for_each(|gap| gap.fill(&mut offsets_m));
    let place_m = |frame: usize| foot.ankle_m[frame] + offsets_m[frame].lerp(drawn_m[frame], weight[frame]);
    let ankle_m = (0..count).map(place_m).collect();
    let mut reach = vec![1.0; count];
    for gap in &gaps {
        for (index, share) in gap.free.clone().zip(gap.reach()) {
            reach[index] = share.max(weight[index]);
        }
    }
    HeldFoot { weight, ankle_m, world_from_foot, reach, gaps }
}

/// Whether a pin is a stance (1) or the slowest moment of a foot that never comes to rest (0), as runners' feet.
fn stands(pin: &Pinned, step_secs: f64) -> f64 {
    let secs = pin.core.len() as f64 * step_secs;
    let by_pin = smoothstep((secs - MOMENT_SECS) / (STANCE_SECS - MOMENT_SECS));
    by_pin.max(smoothstep((pin.load_secs - LONG_LOAD_SECS) / (STAYING_LOAD_SECS - LONG_LOAD_SECS)))
}

/// Captured feet tremble against the shank (optical markers of the toes, more than elsewhere). A foot that turns about
/// a pinned point hands its tremor on to ankle and knee, so its rotation is smoothed while it stands; in the air it
/// moves as it did.
fn calmed(foot: &FootMotion, pins: &[Pinned], how: &HoldRules<'_>) -> Vec<DQuat> {
    let count = how.frames.len();
    let smooth = twice_smoothed(&foot.world_from_foot, how.calm);
    let fade = CALM_FADE_SECS / how.frames.step_secs;
    let mut share = vec![0.0_f64; count];
    for pin in pins.iter().filter(|pin| !pin.is_kept) {
        let (first, last) = (pin.core.start as f64, pin.core.end as f64 - 1.0);
        // Drawn to its place by what is left of the load, a foot hands its tremor on there, too.
        let (from, to) = (pin.ease_from.min(first - fade), pin.ease_to.max(last + fade));
        let eased = Pinned { ease_from: from, ease_to: to, ..pin.clone() };
        let range = from.max(0.0) as usize..(to.max(0.0) as usize + 1).min(count);
        let stands = stands(pin, how.frames.step_secs);
        for frame in range {
            share[frame] = share[frame].max(stands * weight(&eased, frame));
        }
    }
    let calmed = |frame: usize| match share[frame] > 0.0 {
        true => so3::slerp(foot.world_from_foot[frame], smooth[frame], share[frame]),
        false => foot.world_from_foot[frame],
    };
    (0..count).map(calmed).collect()
}

/// Smoothed, and what that took away smoothed and put back (Tukey's twicing): the kernel 2G − G∗G, which leaves
/// accelerations alone. A single Gaussian bends every landing by σ²/2 of its acceleration.
fn twice_smoothed(rotations: &[DQuat], kernel: &Gaussian) -> Vec<DQuat> {
    let once = OrientationFilter::from_gaussian(kernel).apply(rotations);
    let rest = |(once, rotation): (&DQuat, &DQuat)| so3::log(once.conjugate() * *rotation);
    let rest_rad: Vec<DVec3> = once.iter().zip(rotations).map(rest).collect();
    let back_rad = kernel.smooth(&rest_rad);
    once.iter().zip(back_rad).map(|(once, back_rad)| (*once * so3::exp(back_rad)).normalize()).collect()
}

/// Pins that follow each other while the foot stays down: indices of pins by stance.
pub(super) fn stances(pins: &[Pinned], step_secs: f64) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut end = 0usize;
    for (index, pin) in pins.iter().enumerate() {
        let joins = index > 0 && pin.core.start as f64 <= end as f64 + HEEL_AFTER_BALL_SECS / step_secs;
        match found.last_mut().filter(|_| joins) {
            Some(stance) => stance.end = index + 1,
            None => found.push(index..index + 1),
        }
        end = if joins { end.max(pin.core.end) } else { pin.core.end };
    }
    found
}

/// The pin of one kind with the largest weight in each frame, and that weight.
fn strongest(pins: &[Pinned], is_heel: bool, count: usize) -> Vec<Option<(usize, f64)>> {
    let mut found: Vec<Option<(usize, f64)>> = vec![None; count];
    for (index, pin) in pins.iter().enumerate().filter(|(_, pin)| pin.is_heel == is_heel) {
        let to = (pin.ease_to.ceil().max(0.0) as usize + 1).min(count);
        for (frame, best) in found.iter_mut().enumerate().take(to).skip(pin.ease_from.max(0.0) as usize) {
            let weight = weight(pin, frame);
            if weight > best.map_or(0.0, |(_, weight)| weight) {
                *best = Some((index, weight));
            }
        }
    }
    found
}

fn weight(pin: &Pinned, frame: usize) -> f64 {
    let at = frame as f64;
    let (first, last) = (pin.core.start as f64, pin.core.end as f64 - 1.0);
    if at < first {
        smoothstep((at - pin.ease_from) / (first - pin.ease_from).max(1e-9))
    } else if at > last {
        smoothstep((pin.ease_to - at) / (pin.ease_to - last).max(1e-9))
    } else {
        1.0
    }
}

/// How far a front pin has taken over from a heel that is pinned, too.
fn handed_over(heel: &Range<usize>, front: &Range<usize>, frame: usize) -> f64 {
    if !front.contains(&frame) {
        return 0.0;
    }
    let over = heel.end as f64 - 1.0 - front.start as f64;
    if over <= 0.0 { 1.0 } else { smoothstep((frame as f64 - front.start as f64) / over) }
}

/// Heels give way to the ball: pinned before it, a heel lets go within the hand-over and is not felt any more; a heel
/// that comes down while the ball stands is left to the ball.
pub(super) fn give_way(pins: &mut Vec<Pinned>, step_secs: f64) {
    let over = (HEEL_AFTER_BALL_SECS / step_secs).round() as usize;
    let fronts: Vec<Range<usize>> = pins.iter().filter(|pin| !pin.is_heel).map(|pin| pin.core.clone()).collect();
    for heel in pins.iter_mut().filter(|pin| pin.is_heel) {
        for front in &fronts {
            if heel.core.start < front.start {
                heel.core.end = heel.core.end.min(front.start + over);
                heel.ease_to = heel.ease_to.min(front.start.max(heel.core.end - 1) as f64);
            } else {
                heel.core.start = heel.core.start.max(front.end.min(heel.core.end));
                heel.ease_from = heel.ease_from.max(front.end as f64 - 1.0);
            }
        }
    }
    pins.retain(|pin| !pin.core.is_empty());
}

/// Heel and ball of a foot that pitches cannot both stand still. While one hands over to the other the foot's rotation
/// rests, and catches up before and after: q(t) is read at s(t), which is constant over the hand-over.
fn rest_at_hand_overs(rotations: &[DQuat], pins: &[Pinned], frames: &Frames, world_from_foot: &mut [DQuat]) {
    let catch_up = CATCH_UP_SECS / frames.step_secs;
    for front in pins.iter().filter(|pin| !pin.is_heel && !pin.is_kept) {
        for heel in pins.iter().filter(|pin| pin.is_heel && !pin.is_kept) {
            let both = heel.core.start.max(front.core.start)..heel.core.end.min(front.core.end);
            if both.len() < 2 {
                continue;
            }
            let (start, end) = (both.start as f64, both.end as f64 - 1.0);
            let middle = 0.5 * (start + end);
            let from = (start - catch_up).ceil().max(0.0) as usize;
            let to = ((end + catch_up).floor() as usize).min(frames.len() - 1);
            for (frame, rotation) in world_from_foot.iter_mut().enumerate().take(to + 1).skip(from) {
                let at = frame as f64;
                let read_at = if at < start {
                    caught_up(at - (start - catch_up), catch_up, middle - start) + start - catch_up
                } else if at > end {
                    end + catch_up - caught_up(end + catch_up - at, catch_up, end - middle)
                } else {
                    middle
                };
                *rotation = rotation_at(rotations, read_at);
            }
        }
    }
}

/// A clock that starts at rate 1 and, `extra` ahead of time, stands still at `over`: 0 → 0, `over` → `over + extra`,
/// slopes 1 and 0.
fn caught_up(at: f64, over: f64, extra: f64) -> f64 {
    let u = (at / over).clamp(0.0, 1.0);
    // Hermite cubic with values 0 and over + extra and slopes 1 and 0.
    let (h10, h01) = (u * (1.0 - u) * (1.0 - u), u * u * (3.0 - 2.0 * u));
    h10 * over + h01 * (over + extra)
}

fn rotation_at(rotations: &[DQuat], at: f64) -> DQuat {
    let last = rotations.len() - 1;
    let low = (at.floor().max(0.0) as usize).min(last);
    so3::slerp(rotations[low], rotations[(low + 1).min(last)], (at - low as f64).clamp(0.0, 1.0))
}

/// Turns the foot about the ground's normal so that it points one way through a stance, unless it pivots.
fn hold_yaw(pins: &[Pinned], groups: &[Range<usize>], normal: DVec3, world_from_foot: &mut [DQuat]) {
    for stance in groups {
        let pins = &pins[stance.clone()];
        let longest = pins.iter().max_by_key(|pin| pin.core.len()).map_or(0..0, |pin| pin.core.clone());
        let reference = world_from_foot[(longest.start + longest.end) / 2];
        // The twist of the way from a reference, not the direction of the foot, which has none on tiptoe.
        let yaw_of = |rotation: DQuat| {
            let twist = so3::swing_twist(rotation * reference.conjugate(), normal).twist;
            so3::log(twist).dot(normal)
        };
        let (mut sum_rad, mut count, mut least_rad, mut most_rad) = (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        for yaw_rad in pins.iter().flat_map(|pin| pin.core.clone()).map(|frame| yaw_of(world_from_foot[frame])) {
            (sum_rad, count) = (sum_rad + yaw_rad, count + 1.0);
            (least_rad, most_rad) = (yaw_rad.min(least_rad), yaw_rad.max(most_rad));
        }
        let pivots = smoothstep((most_rad - least_rad - PIVOT_FROM_RAD) / (PIVOT_TO_RAD - PIVOT_FROM_RAD));
        let mean_rad = sum_rad / f64::max(count, 1.0);
        let (from, to) =
            pins.iter().fold((usize::MAX, 0), |(from, to), pin| (pin.core.start.min(from), pin.core.end.max(to)));
        // Frames of a stance that no pin holds are turned, too, and overruled by the way between pins.
        for rotation in world_from_foot.iter_mut().take(to).skip(from) {
            let turn_rad = (mean_rad - yaw_of(*rotation)) * (1.0 - pivots);
            *rotation = (DQuat::from_axis_angle(normal, turn_rad) * *rotation).normalize();
        }
    }
}

/// The mean place of a pin's point in the motion.
fn mean_place_m(foot: &FootMotion, pin: &Pinned) -> DVec3 {
    let captured_m =
        |frame: usize| foot.ankle_m[frame] + foot.world_from_foot[frame] * foot.points_in_foot_m[pin.point][frame];
    pin.core.clone().map(captured_m).sum::<DVec3>() / pin.core.len().max(1) as f64
}

/// Pitches a foot about the point that is pinned where another of its points would go below the lowest that the motion
/// had it in that stance: a heel that comes down a centimetre deeper under a ball that stands for seconds is a matter
/// of the ankle and no reason to lift the whole stance. At hand-overs, where two points stand, and in the moments of a
/// runner, the foot does not turn.
fn pitch_clear(
    foot: &FootMotion,
    pins: &[Pinned],
    groups: &[Range<usize>],
    how: &HoldRules<'_>,
    planned: &mut [DQuat],
) {
    let [wide, fade] = [PITCH_WIDE_SECS, CATCH_UP_SECS].map(|secs| secs / how.frames.step_secs);
    let mut places_m: Vec<DVec3> = pins.iter().map(|pin| mean_place_m(foot, pin)).collect();
    let normal = how.ground.normal();
    for stance in groups {
        link_places(foot, pins, stance, planned, &mut places_m);
        for index in stance.clone() {
            let pin = &pins[index];
            // Beside the pin the foot is drawn to its place, and goes as deep.
            let beside = wide.ceil() as usize;
            let around = pin.core.start.saturating_sub(beside)..(pin.core.end + beside).min(planned.len());
            let away_m = |point: usize, frame: usize, planned: &[DQuat]| {
                planned[frame] * (foot.points_in_foot_m[point][frame] - foot.points_in_foot_m[pin.point][frame])
            };
            let needs_rad = |point: usize| -> Vec<f64> {
                let need_rad = |frame: usize| {
                    let away_m = away_m(point, frame, planned);
                    let (height_m, length_m) = (away_m.dot(normal), away_m.length().max(1e-9));
                    let lowest_m = foot.lowest_m[point][frame] - how.ground.height_m(places_m[index]);
                    let slope = |height_m: f64| (height_m / length_m).clamp(-1.0, 1.0).asin();
                    (slope(lowest_m.max(height_m)) - slope(height_m)).min(MOST_PITCH_RAD)
                };
                around.clone().map(need_rad).collect()
            };
            let others = (0..foot.points_in_foot_m.len()).filter(|&point| point != pin.point && Some(point) != how.tip);
            let needs = others.map(|point| (point, needs_rad(point)));
            let sum = |needs: &(usize, Vec<f64>)| needs.1.iter().sum::<f64>();
            let Some((point, needs_rad)) = needs.max_by(|a, b| sum(a).total_cmp(&sum(b))) else { continue };
            if needs_rad.iter().all(|need_rad| *need_rad == 0.0) {
                continue;
            }
            let widened = running_extreme(&needs_rad, beside, |a, b| a >= b);
            let gentle = how.calm.smooth(&widened);
            // From the nearest frame that another pin of the stance holds, too.
            let apart = |frame: usize| {
                let others = stance.clone().filter(|&other| other != index).map(|other| &pins[other].core);
                let away = |core: &Range<usize>| {
                    core.start.saturating_sub(frame).max((frame + 1).saturating_sub(core.end)) as f64
                };
                others.map(away).fold(f64::INFINITY, f64::min)
            };
            for (frame, pitch_rad) in around.zip(gentle).filter(|(frame, _)| pin.core.contains(frame)) {
                let axis = away_m(point, frame, planned).cross(normal).normalize_or_zero();
                let pitch_rad = pitch_rad * smoothstep(apart(frame) / fade) * stands(pin, how.frames.step_secs);
                planned[frame] = (so3::exp(axis * pitch_rad) * planned[frame]).normalize();
            }
        }
    }
}

/// Where each pin stands. The longest pin of a stance stands at its mean place; the others where the foot then puts
/// them at the hand-over, so that nothing moves there. A stance is lifted as a whole if that puts a point below where
/// the motion had it.
fn anchors(
    foot: &FootMotion,
    pins: &[Pinned],
    groups: &[Range<usize>],
    world_from_foot: &[DQuat],
    how: &HoldRules<'_>,
) -> Vec<DVec3> {
    let (ground, tip) = (how.ground, how.tip);
    let mut anchors_m: Vec<DVec3> = pins.iter().map(|pin| mean_place_m(foot, pin)).collect();
    for stance in groups {
        link_places(foot, pins, stance, world_from_foot, &mut anchors_m);
        let lift_m = stance
            .clone()
            .map(|pin| sunk_m(foot, &pins[pin], anchors_m[pin], world_from_foot, ground, tip))
            .fold(0.0, f64::max);
        for pin in stance.clone() {
            anchors_m[pin] += ground.normal() * lift_m;
        }
    }
    anchors_m
}

/// The places of a stance's other pins from that of its longest: outward in both directions, each where the foot puts
/// it at the hand-over.
fn link_places(
    foot: &FootMotion,
    pins: &[Pinned],
    stance: &Range<usize>,
    world_from_foot: &[DQuat],
    anchors_m: &mut [DVec3],
) {
    let Some(main) = stance.clone().max_by_key(|&pin| pins[pin].core.len()) else { return };
    let onward = (main + 1..stance.end).map(|pin| (pin, pin - 1));
    let backward = (stance.start..main).rev().map(|pin| (pin, pin + 1));
    for (pin, known) in onward.chain(backward) {
        let (earlier, later) = (pin.min(known), pin.max(known));
        let (from, to) = (pins[later].core.start, pins[earlier].core.end.max(1) - 1);
        let at = (from + to) / 2;
        let turned = |pin: usize| world_from_foot[at] * foot.points_in_foot_m[pins[pin].point][at];
        anchors_m[pin] = anchors_m[known] - turned(known) + turned(pin);
    }
}

/// How far the points of a foot that is held by one pin go below where the motion had them.
fn sunk_m(
    foot: &FootMotion,
    pin: &Pinned,
    anchor_m: DVec3,
    world_from_foot: &[DQuat],
    ground: &Ground,
    tip: Option<usize>,
) -> f64 {
    let mut sunk_m = 0.0_f64;
    for frame in pin.core.clone() {
        let ankle_m = anchor_m - world_from_foot[frame] * foot.points_in_foot_m[pin.point][frame];
        for point in (0..foot.points_in_foot_m.len()).filter(|&point| Some(point) != tip) {
            let in_foot_m = foot.points_in_foot_m[point][frame];
            let height_m = ground.height_m(ankle_m + world_from_foot[frame] * in_foot_m);
            sunk_m = sunk_m.max(foot.lowest_m[point][frame] - height_m);
        }
    }
    sunk_m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_pin_of_a_foot_that_stays_down_is_a_stance() {
        let pin = |frames: usize, load_secs: f64| {
            let (ease_from, ease_to) = (0.0, 100.0);
            let core = 10..10 + frames;
            let (is_stated, is_kept) = (false, false);
            Pinned { point: 0, is_heel: false, core, ease_from, ease_to, load_secs, is_stated, is_kept }
        };
        let stands = |frames: usize, load_secs: f64| stands(&pin(frames, load_secs), 0.01);
        assert_eq!(stands(5, 0.2), 0.0, "a runner's foot never rests");
        assert_eq!(stands(20, 0.3), 1.0, "a walker's does");
        assert_eq!(stands(5, 4.7), 1.0, "and so does one that is down for seconds, however it trembles");
        assert_eq!(stands(5, 0.7), 0.0, "a step of a walk is judged by its pins");
    }
}
