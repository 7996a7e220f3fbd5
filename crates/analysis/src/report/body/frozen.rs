//! Frames that stand still in the middle of a movement: a recording that hung, or a frame that was repeated.

use crate::median::median;
use crate::posed::JointPaths;
use crate::report::body_limits::cost;
use crate::report::evidence::Evidence;
use crate::report::moments::{Fault, Moment};
use aplomb_motion::JointId;
use std::ops::Range;

/// Slower than this no living body is: the fastest joint, m/s.
const STILL_M_PER_SEC: f64 = 0.002;
/// The movement around it: the fastest joint, median of the moving frames, m/s.
const MOVING_M_PER_SEC: f64 = 0.3;
/// Closer than this to no motion at all a capture never comes, however quiet the person: numbers of files end at a
/// micrometre, and people sway by millimetres, m/s.
const REPEATED_M_PER_SEC: f64 = 1e-4;
/// The sway around frames that are repeated, m/s.
const SWAYING_M_PER_SEC: f64 = 0.01;
/// Around means so near, s.
const STILL_AROUND_SECS: f64 = 0.3;
/// Fewer frames are a repeated one, which `pops` sees.
const LEAST_STILL_FRAMES: usize = 3;
/// No loss up to this, s.
const FROZEN_ALLOWANCE_SECS: f64 = 0.02;
/// Half of the score is lost here, s.
const FROZEN_HALF_SECS: f64 = 0.06;

/// Stretches in which nothing moves, with movement around them. They cost together as one.
pub(super) fn find(evidence: &Evidence<'_>, paths: &JointPaths<'_>, hz: f64, moments: &mut Vec<Moment>) {
    let fastest: Vec<f64> = (1..paths.frames()).map(|frame| fastest_m(paths, frame) * hz).collect();
    let radius = (STILL_AROUND_SECS * hz).ceil() as usize;
    let secs = |row: usize| evidence.times_secs.get(row).copied().unwrap_or(0.0);
    let mut found: Vec<Moment> = Vec::new();
    let mut row = 0;
    while row < fastest.len() {
        let slower = |limit: f64| fastest[row..].iter().take_while(|speed| **speed < limit).count();
        let repeated = slower(REPEATED_M_PER_SEC);
        let still = if repeated > 0 { repeated } else { slower(STILL_M_PER_SEC) };
        if still >= LEAST_STILL_FRAMES && is_amid_movement(&fastest, row..row + still, radius, repeated > 0) {
            found.push(Moment {
                fault: Fault::Frozen,
                joint: None,
                other: None,
                start_secs: secs(row),
                end_secs: secs(row + still),
                secs: secs(row),
                size: still as f64 / hz,
                allowance: FROZEN_ALLOWANCE_SECS,
                cost: 0.0,
            });
        }
        row += still.max(1);
    }
    let total_secs: f64 = found.iter().map(|moment| moment.size).sum();
    let total = cost(total_secs, FROZEN_ALLOWANCE_SECS, FROZEN_HALF_SECS);
    for mut moment in found {
        moment.cost = total * moment.size / total_secs;
        moments.push(moment);
    }
}

/// The farthest way of any joint from the frame before, m.
fn fastest_m(paths: &JointPaths<'_>, frame: usize) -> f64 {
    let way = |joint: usize| {
        let joint = JointId::new(joint);
        (paths.at(frame, joint) - paths.at(frame - 1, joint)).length_squared()
    };
    (0..paths.joint_count).map(way).fold(0.0, f64::max).sqrt()
}

/// Whether people move before and after. Poses held at the ends of a clip, and the rests of computed motions, which
/// ease into them, are no faults.
fn is_amid_movement(fastest: &[f64], still: Range<usize>, radius: usize, is_repeated: bool) -> bool {
    let before = &fastest[still.start.saturating_sub(radius)..still.start];
    let after = &fastest[still.end..(still.end + radius).min(fastest.len())];
    let usual =
        |around: &[f64]| median(&mut around.iter().copied().filter(|it| *it >= STILL_M_PER_SEC).collect::<Vec<_>>());
    let both =
        median(&mut [before, after].concat().into_iter().filter(|it| *it >= STILL_M_PER_SEC).collect::<Vec<_>>());
    let sways = |around: &[f64]| usual(around).is_some_and(|speed| speed > SWAYING_M_PER_SEC);
    // A rest that is eased into ends slowly; a recording that hangs stops and goes on at once.
    let is_cut = |edge: Option<&f64>| edge.is_some_and(|speed| *speed > SWAYING_M_PER_SEC);
    both.is_some_and(|speed| speed > MOVING_M_PER_SEC)
        || is_repeated && sways(before) && sways(after) && is_cut(before.last()) && is_cut(after.first())
}
