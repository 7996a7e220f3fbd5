//! Feet that all drift one way while they stand (score.md, drift).
//!
//! A vector, because feet of captures slide each its own way, and those of a body that drifts all alike.

use super::feet::{LONGEST_RUN, PlantedBalls};
use super::{BodyFaults, MOST_FEET_COST, WHISPER, cost};
use crate::report::evidence::Evidence;
use crate::report::moments::{Fault, Moment};
use glam::DVec3;

/// So much standing is taken for granted to be still, s.
const GRANTED_STILL_SECS: f64 = 0.2;
/// How much of the scatter among the stands may be chance: of their mean, in its standard errors.
const CHANCE: f64 = 0.5;
/// Fewer stands, or less time, say nothing.
const LEAST_STANDS: usize = 2;
const LEAST_SECS: f64 = 0.2;
/// No loss up to this, m/s: 92 % of clean captures stay below.
const DRIFT_ALLOWANCE: f64 = 0.033;
/// Half of the score is lost here, m/s.
const DRIFT_HALF: f64 = 0.048;

/// The run of stands that drift most alike.
pub(super) fn find(balls: &PlantedBalls, evidence: &Evidence<'_>, faults: &mut BodyFaults) {
    let normal = evidence.options.contacts.ground.normal();
    let ways: Vec<(DVec3, f64)> = balls.stands.iter().map(|stand| balls.slower_half(stand, normal)).collect();
    let Some((first, last, size)) = fastest(&ways) else { return };
    faults.whispers += WHISPER * (size / DRIFT_ALLOWANCE).min(1.0).powi(2);
    faults.moments.push(Moment {
        fault: Fault::CommonDrift,
        joint: None,
        other: None,
        start_secs: balls.secs(balls.stands[first].samples.start),
        end_secs: balls.secs(balls.stands[last].samples.end),
        secs: balls.secs(balls.stands[first].samples.start),
        size,
        allowance: DRIFT_ALLOWANCE,
        cost: cost(size, DRIFT_ALLOWANCE, DRIFT_HALF).min(MOST_FEET_COST),
    });
}

/// First, last, and the speed that all share, m/s: of ways (m) and their times (s).
fn fastest(ways: &[(DVec3, f64)]) -> Option<(usize, usize, f64)> {
    let mut best: Option<(usize, usize, f64)> = None;
    for first in 0..ways.len() {
        let (mut way_m, mut secs, mut squares) = (DVec3::ZERO, 0.0, 0.0);
        for (count, &(way, time)) in ways[first..].iter().take(LONGEST_RUN).enumerate() {
            way_m += way;
            secs += time;
            squares += way.length_squared() / time.max(f64::MIN_POSITIVE);
            if count + 1 < LEAST_STANDS || secs < LEAST_SECS {
                continue;
            }
            let scatter = (squares / secs - (way_m / secs).length_squared()).max(0.0).sqrt();
            let size = way_m.length() / (secs + GRANTED_STILL_SECS) - CHANCE * scatter / ((count + 1) as f64).sqrt();
            if size > best.map_or(0.0, |(_, _, most)| most) {
                best = Some((first, first + count, size));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_share_is_drift_and_what_differs_is_not() {
        let alike = vec![(DVec3::X * 0.02, 0.2); 6];
        let (_, _, size) = fastest(&alike).unwrap();
        // 0.1 m/s, less what is granted: 1.2 of 1.4 s.
        assert!((size - 0.1 * 1.2 / 1.4).abs() < 1e-9, "{size}");
        let each_its_own: Vec<(DVec3, f64)> =
            (0..6).map(|i| (DVec3::new(0.0, 0.0, 0.02) * if i % 2 == 0 { 1.0 } else { -1.0 }, 0.2)).collect();
        assert!(fastest(&each_its_own).is_none_or(|(_, _, size)| size < 0.01));
        assert_eq!(fastest(&alike[..1]), None);
    }
}
