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
    /// Whether it stays as it is.
    pub is_kept: bool,
}

/// A point that stays within this of one place stands exactly, m: planting puts it there and files keep it so. Captured
/// points tremble more.
const EXACT_M: f64 = 5e-5;
/// Of a pin: what is beside it is rolled in and out.
const EXACT_SHARE: f64 = 0.5;

/// Marks the pins of stances in which no pinned point goes farther than `still_m`, or that were planted before: pins
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
        let is_kept = drift_m < still_m || pins[group.clone()].iter().all(|pin| stands_exactly(foot, pin));
        pins[group.clone()].iter_mut().for_each(|pin| pin.is_kept = is_kept);
        let end = pins[group.clone()].iter().map(|pin| pin.core.end).max().unwrap_or(0);
        Stance { side, frames: pins[group.start].core.start..end, drift_m, is_kept }
    };
    groups.into_iter().map(of_group).collect()
}

/// As [`super::contact_drift`] measures it.
fn drift_m(foot: &FootMotion, pin: &Pinned) -> f64 {
    let path_m: Vec<DVec3> = path_m(foot, pin, middle(&pin.core)).collect();
    let mean_m = path_m.iter().sum::<DVec3>() / path_m.len().max(1) as f64;
    path_m.iter().map(|at_m| at_m.distance(mean_m)).fold(0.0, f64::max)
}

fn path_m<'a>(foot: &'a FootMotion, pin: &'a Pinned, frames: Range<usize>) -> impl Iterator<Item = DVec3> + 'a {
    frames.map(|frame| foot.ankle_m[frame] + foot.world_from_foot[frame] * foot.points_in_foot_m[pin.point][frame])
}

/// Whether the point stands at one place for half of the pin without a break.
fn stands_exactly(foot: &FootMotion, pin: &Pinned) -> bool {
    let path_m: Vec<DVec3> = path_m(foot, pin, pin.core.clone()).collect();
    let wanted = ((EXACT_SHARE * path_m.len() as f64).ceil() as usize).max(2);
    let stands = |from: &DVec3, run: &[DVec3]| run.iter().all(|at_m| at_m.distance(*from) < EXACT_M);
    path_m.windows(wanted).any(|run| stands(&run[0], run))
}
