//! Jumps of the centre of mass from one phase to the next.

use super::evidence::Evidence;
use super::{Phase, Transition};
use crate::contacts::Paths;
use crate::parabola::Parabola;
use glam::DVec3;

/// What is looked at on each side of a change: long enough to tell a velocity to some cm/s under 1 mm of noise, short
/// enough that a parabola fits, s.
const WINDOW_SECS: f64 = 0.1;

/// One for each change of phase.
pub(super) fn transitions(evidence: &Evidence<'_>, phases: &[Phase]) -> Vec<Transition> {
    phases
        .windows(2)
        .map(|pair| {
            let (before, after) = (&pair[0], &pair[1]);
            let secs = after.start_secs;
            let sides = evidence.even.as_ref().and_then(|even| {
                let from_secs = before.start_secs.max(secs - WINDOW_SECS);
                let to_secs = after.end_secs.min(secs + WINDOW_SECS);
                Some((state_at(even, from_secs, secs, secs)?, state_at(even, secs, to_secs, secs)?))
            });
            Transition {
                secs,
                from: before.kind,
                to: after.kind,
                position_jump_m: sides.map(|(left, right)| left.0.distance(right.0)),
                velocity_jump: sides.map(|(left, right)| left.1.distance(right.1)),
            }
        })
        .collect()
}

/// Position and velocity at `at_secs` of the parabola through a span; `None` if it has too few samples.
fn state_at(even: &Paths, from_secs: f64, to_secs: f64, at_secs: f64) -> Option<(DVec3, DVec3)> {
    let samples = even.range_of_secs(from_secs, to_secs);
    let parabola = Parabola::fit(&even.com_m[samples.clone()])?;
    let index = (at_secs - even.start_secs) / even.step_secs - samples.start as f64;
    Some((parabola.value(index), parabola.velocity(index, even.step_secs)))
}
