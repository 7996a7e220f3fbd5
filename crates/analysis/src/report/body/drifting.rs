//! Feet that all drift one way while they stand (score.md, drift).
//!
//! A vector, because feet of captures slide each its own way, and those of a body that drifts all alike. Most of all
//! two feet that stand at the same time.

use super::feet::{LONGEST_RUN, PlantedBalls, Stand};
use super::{BodyFaults, MOST_FEET_COST, WHISPER};
use crate::contacts::Part;
use crate::report::body_limits::Limit;
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
/// Feet that turn while they stand turn about points this far from ball and toes, m.
const PIVOT_M: f64 = 0.12;
/// Two feet that stand at once are looked at where they do so for this long, s.
const LEAST_BOTH_SECS: f64 = 0.12;
/// The stands that drift most alike: a run of them, or two feet that stand at once.
pub(super) fn find(balls: &PlantedBalls, evidence: &Evidence<'_>, faults: &mut BodyFaults) {
    let normal = evidence.options.contacts.ground.normal();
    let ways: Vec<(DVec3, f64)> = balls.stands.iter().map(|stand| balls.slower_half(stand, normal)).collect();
    let both = both_feet(&balls.stands, balls.step_secs, &shared_velocities(balls, &ways, evidence));
    let limits = &evidence.options.body_limits;
    let run = fastest(&ways).map(|found| (found, limits.drift_m_per_sec));
    let both = both.map(|found| (found, limits.both_drift_m_per_sec));
    let share = |((_, _, size), limit): &((usize, usize, f64), Limit)| size / limit.allowance;
    let Some(worst) = run.into_iter().chain(both).max_by(|a, b| share(a).total_cmp(&share(b))) else { return };
    let ((first, last, size), limit) = worst;
    faults.whispers += WHISPER * share(&worst).min(1.0).powi(2);
    let start_secs = balls.secs(balls.stands[first].samples.start);
    faults.moments.push(Moment {
        fault: Fault::CommonDrift,
        joint: None,
        other: None,
        start_secs,
        end_secs: balls.secs(balls.stands[last].samples.end),
        secs: start_secs,
        size,
        allowance: limit.allowance,
        cost: limit.cost(size).min(MOST_FEET_COST),
    });
}

/// Per stand the velocity that all of the sole shares, m/s. A foot that rolls moves its ball along its own direction,
/// and one that pivots moves ball and toes to different sides; what drifts takes the whole sole along.
fn shared_velocities(balls: &PlantedBalls, ways: &[(DVec3, f64)], evidence: &Evidence<'_>) -> Vec<DVec3> {
    let normal = evidence.options.contacts.ground.normal();
    let shared = |(stand, &(way_m, secs)): (&Stand, &(DVec3, f64))| {
        let path = |part: Part| {
            let mut effectors = evidence.contacts.effectors.iter();
            let index = effectors.position(|it| it.part == part && it.side == Some(stand.side))?;
            evidence.even.as_ref().map(|even| &even.points_m[index])
        };
        let (heel_m, ball_m, toe_m) = (path(Part::Heel)?, path(Part::Ball)?, path(Part::Toe)?);
        let (first, last) = (stand.samples.start, stand.samples.end - 1);
        let middle = first.midpoint(last);
        let ahead = (toe_m[middle] - heel_m[middle]).reject_from_normalized(normal).try_normalize()?;
        let across = normal.cross(ahead);
        let stand_secs = (last - first).max(1) as f64 * balls.step_secs;
        let velocity = |path_m: &[DVec3]| (path_m[last] - path_m[first]) / stand_secs;
        let (ball, toe, slow) = (velocity(ball_m), velocity(toe_m), way_m / secs.max(f64::MIN_POSITIVE));
        let shared = ahead * least_alike(ball.dot(ahead), slow.dot(ahead))
            + across * least_alike(ball.dot(across), toe.dot(across));
        let sole_m = |sample: usize| (toe_m[sample] - heel_m[sample]).reject_from_normalized(normal);
        let pivots_m_per_sec = sole_m(first).angle_between(sole_m(last)) / stand_secs * PIVOT_M;
        Some(shared * (1.0 - pivots_m_per_sec / shared.length().max(f64::MIN_POSITIVE)).max(0.0))
    };
    balls.stands.iter().zip(ways).map(|both| shared(both).unwrap_or(DVec3::ZERO)).collect()
}

/// The smaller of two numbers of one sign; 0 where the signs differ.
fn least_alike(a: f64, b: f64) -> f64 {
    if a * b > 0.0 { a.signum() * a.abs().min(b.abs()) } else { 0.0 }
}

/// Two feet that stand at the same time and slide one way: first, last, and the speed that both share, m/s.
fn both_feet(stands: &[Stand], step_secs: f64, velocities: &[DVec3]) -> Option<(usize, usize, f64)> {
    let least = (LEAST_BOTH_SECS / step_secs).round() as usize;
    let mut best: Option<(usize, usize, f64)> = None;
    for (first, one) in stands.iter().enumerate() {
        let later = stands[first + 1..].iter().zip(&velocities[first + 1..]).enumerate();
        for (ahead, (other, &velocity)) in later.take_while(|(_, (other, _))| other.samples.start < one.samples.end) {
            let shared = one.samples.end.min(other.samples.end) - other.samples.start;
            if one.side == other.side || shared < least {
                continue;
            }
            let way = (velocities[first] + velocity).normalize_or_zero();
            let size = velocities[first].dot(way).min(velocity.dot(way));
            if size > best.map_or(0.0, |(_, _, most)| most) {
                best = Some((first, first + 1 + ahead, size));
            }
        }
    }
    best
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
    use aplomb_motion::Side;

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

    #[test]
    fn two_feet_that_slide_one_way_at_once_drift() {
        let stand = |side, samples| Stand { side, samples };
        let stands = [stand(Side::Left, 0..30), stand(Side::Right, 5..30), stand(Side::Right, 40..70)];
        let both = |velocities: [DVec3; 3]| both_feet(&stands, 0.01, &velocities);
        let (first, last, size) = both([DVec3::X * 0.06, DVec3::X * 0.05, DVec3::X]).unwrap();
        assert!((first, last) == (0, 1) && (size - 0.05).abs() < 1e-12, "{first} {last} {size}");
        // Each its own way, one alone, or not at once: nothing.
        assert_eq!(both([DVec3::X * 0.06, DVec3::X * -0.06, DVec3::X]), None);
        assert_eq!(both([DVec3::X * 0.06, DVec3::ZERO, DVec3::X]), None);
        assert_eq!(both_feet(&stands[1..], 0.01, &[DVec3::X, DVec3::X]), None);
        // Too short to tell.
        assert_eq!(both_feet(&stands, 0.004, &[DVec3::X; 3]), None);
        assert_eq!((least_alike(0.2, -0.1), least_alike(-0.2, -0.1)), (0.0, -0.1));
    }
}
