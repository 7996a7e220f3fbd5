//! Stances that stay as the motion has them: what drifts no farther than captures do is no slide.

use super::anchors::{FootMotion, Pinned, stances};
use super::drift::middle;
use aplomb_motion::Side;
use glam::DVec3;
use std::ops::Range;

/// One stance of a foot or hand, and how it stood in the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// Of which side.
    pub side: Side,
    /// First and one past the last pinned frame, from the motion's first frame on.
    pub frames: Range<usize>,
    /// Farthest that a pinned point goes from its mean place, m.
    pub drift_m: f64,
    /// Mean velocity of the point that is pinned longest, m/s, …
    pub velocity: DVec3,
    /// … over so long, s.
    pub secs: f64,
    /// Whether some point of it stands at one place exactly: it was planted before.
    pub was_planted: bool,
    /// Whether it stays as it is.
    pub is_kept: bool,
}

/// A point that stays within this of one place stands exactly, m: planting puts it there and files keep it so. Captured
/// points tremble more.
const EXACT_M: f64 = 5e-5;
/// It does so for this long, s, and for half of the pin; pins that are shorter are exact altogether.
const EXACT_SECS: f64 = 0.1;

/// Shorter pins are moments of feet that roll, and have no velocity of their own, s.
const STANDING_SECS: f64 = 0.2;

/// Marks the pins of stances in which no pinned point goes farther than `still_m`, or whose foot was planted before: pins
/// that are found again are a little longer than those that were held, and would be held elsewhere. Heel and ball of one
/// stance stay together or are held together: they are linked where one hands over to the other.
pub(super) fn keep_still(
    foot: &FootMotion,
    pins: &mut [Pinned],
    (side, step_secs, still_m): (Side, f64, f64),
) -> Vec<Stance> {
    let groups = stances(pins, step_secs);
    let of_group = |group: Range<usize>| {
        let drift_m = pins[group.clone()].iter().map(|pin| drift_m(foot, pin)).fold(0.0, f64::max);
        let was_planted = stands_exactly(foot, &pins[group.clone()], step_secs);
        let is_kept = drift_m < still_m || was_planted;
        pins[group.clone()].iter_mut().for_each(|pin| pin.is_kept = is_kept);
        let longest = pins[group.clone()].iter().max_by_key(|pin| pin.core.len());
        let longest = longest.filter(|pin| pin.core.len() as f64 * step_secs >= STANDING_SECS);
        let (velocity, secs) = longest.map_or((DVec3::ZERO, 0.0), |pin| velocity(foot, pin, step_secs));
        let end = pins[group.clone()].iter().map(|pin| pin.core.end).max().unwrap_or(0);
        Stance { side, frames: pins[group.start].core.start..end, drift_m, velocity, secs, was_planted, is_kept }
    };
    groups.into_iter().map(of_group).collect()
}

/// As [`super::contact_drift`] measures it.
fn drift_m(foot: &FootMotion, pin: &Pinned) -> f64 {
    let path_m: Vec<DVec3> = path_m(foot, pin.point, middle(&pin.core)).collect();
    let mean_m = path_m.iter().sum::<DVec3>() / path_m.len().max(1) as f64;
    path_m.iter().map(|at_m| at_m.distance(mean_m)).fold(0.0, f64::max)
}

/// Over the middle half of a pin, since feet roll in and out of it the way that the body goes, and how long that is, s.
fn velocity(foot: &FootMotion, pin: &Pinned, step_secs: f64) -> (DVec3, f64) {
    let quarter = pin.core.len() / 4;
    let path_m: Vec<DVec3> = path_m(foot, pin.point, pin.core.start + quarter..pin.core.end - quarter).collect();
    let half = path_m.len() / 2;
    if half == 0 {
        return (DVec3::ZERO, 0.0);
    }
    let mean_m = |part: &[DVec3]| part.iter().sum::<DVec3>() / half as f64;
    let way_m = mean_m(&path_m[path_m.len() - half..]) - mean_m(&path_m[..half]);
    (way_m / (half as f64 * step_secs), path_m.len() as f64 * step_secs)
}

fn path_m(foot: &FootMotion, point: usize, frames: Range<usize>) -> impl Iterator<Item = DVec3> + '_ {
    frames.map(move |frame| foot.ankle_m[frame] + foot.world_from_foot[frame] * foot.points_in_foot_m[point][frame])
}

/// Whether some point of the foot stands at one place meanwhile, from touchdown to lift-off.
fn stands_exactly(foot: &FootMotion, pins: &[Pinned], step_secs: f64) -> bool {
    let longest = pins.iter().map(|pin| pin.core.len()).max().unwrap_or(0);
    let wanted = ((EXACT_SECS / step_secs).round() as usize).min(longest).max(longest.div_ceil(2)).max(2);
    let from = pins.iter().map(|pin| pin.ease_from).fold(f64::INFINITY, f64::min).max(0.0) as usize;
    let to = pins.iter().map(|pin| pin.ease_to).fold(0.0, f64::max).max(0.0) as usize + 1;
    let frames = from..to.min(foot.ankle_m.len());
    let is_exact = |point: usize| {
        let path_m: Vec<DVec3> = path_m(foot, point, frames.clone()).collect();
        path_m.windows(wanted).any(|run| run.iter().all(|at_m| at_m.distance(run[0]) < EXACT_M))
    };
    (0..foot.points_in_foot_m.len()).any(is_exact)
}
