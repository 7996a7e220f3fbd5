//! Where the points of one foot stand, and how much each frame is held there.

use crate::span::{Frames, smoothstep};
use aplomb_analysis::Ground;
use aplomb_motion::so3;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// The heel lets go this long after the ball stands (contacts.md 8), s.
const HAND_OVER_SECS: f64 = 0.05;
/// The foot's pitch rests while it is handed over, and catches up within this time to either side, s.
const CATCH_UP_SECS: f64 = 0.1;
/// A foot that turns farther than this while its point stands is a pivot and begins to be left free, rad …
const PIVOT_FROM_RAD: f64 = 0.44;
/// … entirely here. A tight bend of the path turns stance feet by up to 23°, dancers by 90° and more.
const PIVOT_TO_RAD: f64 = 0.79;

/// A planted stretch of one point of a foot, in frames.
#[derive(Clone, Debug)]
pub(super) struct Pinned {
    /// Index of the point among the foot's.
    pub point: usize,
    /// Heels hand over to what is in front of them.
    pub is_heel: bool,
    pub core: Range<usize>,
    /// Where easing in begins …
    pub ease_from: f64,
    /// … and where easing out ends, in frames.
    pub ease_to: f64,
}

/// One foot of the motion as it came in.
pub(super) struct FootMotion {
    /// The end joint of the limb.
    pub ankle_m: Vec<DVec3>,
    pub world_from_foot: Vec<DQuat>,
    /// Points of the foot in the foot's frame, point-major: `points[point][frame]`.
    pub points_in_foot_m: Vec<Vec<DVec3>>,
    /// How low each point may go, likewise, m over the ground.
    pub lowest_m: Vec<Vec<f64>>,
}

/// What is planned for one foot, a value a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Held {
    pub weight: Vec<f64>,
    pub ankle_m: Vec<DVec3>,
    pub world_from_foot: Vec<DQuat>,
}

/// Plans a foot. `pins` are sorted by start; the point `tip` may go anywhere, since it bends away from the floor by itself.
pub(super) fn hold(
    foot: &FootMotion,
    pins: &[Pinned],
    frames: &Frames,
    ground: &Ground,
    yaw: bool,
    tip: Option<usize>,
) -> Held {
    let count = frames.len();
    let mut held =
        Held { weight: vec![0.0; count], ankle_m: foot.ankle_m.clone(), world_from_foot: foot.world_from_foot.clone() };
    if pins.is_empty() {
        return held;
    }
    let groups = stances(pins, frames.step_secs);
    rest_at_hand_overs(foot, pins, frames, &mut held.world_from_foot);
    if yaw {
        hold_yaw(pins, &groups, ground.normal(), &mut held.world_from_foot);
    }
    let anchors_m = anchors(foot, pins, &groups, &held.world_from_foot, ground, tip);
    let [heels, fronts] = [true, false].map(|is_heel| strongest(pins, is_heel, count));
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
        let world_from_foot = held.world_from_foot[frame];
        let ankle_for = |pin: usize| anchors_m[pin] - world_from_foot * foot.points_in_foot_m[pins[pin].point][frame];
        let share =
            |pin: Option<(usize, f64)>, weight: f64| pin.map_or(DVec3::ZERO, |(pin, _)| ankle_for(pin) * weight);
        held.ankle_m[frame] = (share(heel, heel_weight) + share(front, front_weight)) / total;
        held.weight[frame] = total.min(1.0);
    }
    held
}

/// Pins that follow each other while the foot stays down: indices of pins by stance.
fn stances(pins: &[Pinned], step_secs: f64) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut end = 0usize;
    for (index, pin) in pins.iter().enumerate() {
        let joins = index > 0 && pin.core.start as f64 <= end as f64 + HAND_OVER_SECS / step_secs;
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

/// Heels give way to the ball: pinned before it, a heel lets go within the hand-over and is not felt any more; a heel that comes
/// down while the ball stands is left to the ball.
pub(super) fn give_way(pins: &mut Vec<Pinned>, step_secs: f64) {
    let over = (HAND_OVER_SECS / step_secs).round() as usize;
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

/// Heel and ball of a foot that pitches cannot both stand still. While one hands over to the other the foot's rotation rests, and
/// catches up before and after: q(t) is read at s(t), which is constant over the hand-over.
fn rest_at_hand_overs(foot: &FootMotion, pins: &[Pinned], frames: &Frames, world_from_foot: &mut [DQuat]) {
    let catch_up = CATCH_UP_SECS / frames.step_secs;
    for front in pins.iter().filter(|pin| !pin.is_heel) {
        for heel in pins.iter().filter(|pin| pin.is_heel) {
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
                *rotation = rotation_at(&foot.world_from_foot, read_at);
            }
        }
    }
}

/// A clock that starts at rate 1 and, `extra` ahead of time, stands still at `over`: 0 → 0, `over` → `over + extra`, slopes 1 and 0.
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

/// Turns the foot about the ground's normal so that it points one way through a stance, unless it pivots. Between two stances whose
/// eased ends meet, one turn passes into the other.
fn hold_yaw(pins: &[Pinned], groups: &[Range<usize>], normal: DVec3, world_from_foot: &mut [DQuat]) {
    let mut turns_rad = vec![(0.0, 0.0); world_from_foot.len()];
    let core_of = |stance: &Range<usize>| {
        let cores = pins[stance.clone()].iter().map(|pin| pin.core.clone());
        cores.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
    };
    for (index, stance) in groups.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| core_of(&groups[before]).end as f64 - 1.0);
        let after = groups.get(index + 1).map(|after| core_of(after).start as f64);
        let core = core_of(stance);
        let pins = &pins[stance.clone()];
        let longest = pins.iter().max_by_key(|pin| pin.core.len()).map_or(0..0, |pin| pin.core.clone());
        let reference = world_from_foot[(longest.start + longest.end) / 2];
        // The twist of the way from a reference, not the direction of the foot, which has none on tiptoe.
        let yaw_rad = |frame: usize| {
            let twist = so3::swing_twist(world_from_foot[frame] * reference.conjugate(), normal).twist;
            so3::log(twist).dot(normal)
        };
        let (mut sum_rad, mut count, mut least_rad, mut most_rad) = (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        for yaw_rad in pins.iter().flat_map(|pin| pin.core.clone()).map(yaw_rad) {
            (sum_rad, count) = (sum_rad + yaw_rad, count + 1.0);
            (least_rad, most_rad) = (yaw_rad.min(least_rad), yaw_rad.max(most_rad));
        }
        let pivots = smoothstep((most_rad - least_rad - PIVOT_FROM_RAD) / (PIVOT_TO_RAD - PIVOT_FROM_RAD));
        let from = pins.iter().map(|pin| pin.ease_from.ceil().max(0.0) as usize).min().unwrap_or(0);
        let to = pins.iter().map(|pin| pin.ease_to.floor().max(0.0) as usize + 1).max().unwrap_or(0);
        for (frame, (turn_rad, weight)) in turns_rad.iter_mut().enumerate().take(to).skip(from) {
            let at = frame as f64;
            let (first, last) = (core.start as f64, core.end as f64 - 1.0);
            let share = match (before, after) {
                (Some(before), _) if at < first => smoothstep((at - before) / (first - before)),
                (_, Some(after)) if at > last => smoothstep((after - at) / (after - last)),
                _ => 1.0,
            };
            *turn_rad += share * (sum_rad / f64::max(count, 1.0) - yaw_rad(frame)) * (1.0 - pivots);
            *weight += share;
        }
    }
    for (rotation, (turn_rad, weight)) in world_from_foot.iter_mut().zip(turns_rad) {
        if weight > 0.0 {
            *rotation = (DQuat::from_axis_angle(normal, turn_rad / weight) * *rotation).normalize();
        }
    }
}

/// Where each pin stands. The longest pin of a stance stands at its mean place; the others where the foot then puts them at the hand-over,
/// so that nothing moves there. A stance is lifted as a whole if that puts a point below where the motion had it.
fn anchors(
    foot: &FootMotion,
    pins: &[Pinned],
    groups: &[Range<usize>],
    world_from_foot: &[DQuat],
    ground: &Ground,
    tip: Option<usize>,
) -> Vec<DVec3> {
    let captured_m = |pin: &Pinned, frame: usize| {
        foot.ankle_m[frame] + foot.world_from_foot[frame] * foot.points_in_foot_m[pin.point][frame]
    };
    let mean_m = |pin: &Pinned| {
        pin.core.clone().map(|frame| captured_m(pin, frame)).sum::<DVec3>() / pin.core.len().max(1) as f64
    };
    let mut anchors_m: Vec<DVec3> = pins.iter().map(mean_m).collect();
    for stance in groups {
        let Some(main) = stance.clone().max_by_key(|&pin| pins[pin].core.len()) else { continue };
        // Outward from the main pin in both directions.
        let onward = (main + 1..stance.end).map(|pin| (pin, pin - 1));
        let backward = (stance.start..main).rev().map(|pin| (pin, pin + 1));
        for (pin, known) in onward.chain(backward) {
            let (earlier, later) = (pin.min(known), pin.max(known));
            let (from, to) = (pins[later].core.start, pins[earlier].core.end.max(1) - 1);
            let at = (from + to) / 2;
            let turned = |pin: usize| world_from_foot[at] * foot.points_in_foot_m[pins[pin].point][at];
            anchors_m[pin] = anchors_m[known] - turned(known) + turned(pin);
        }
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
