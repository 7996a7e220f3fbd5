//! What is wrong with poses and how they follow each other, apart from physics (score.md, body).
//!
//! A fault costs t = (max(0, x − a) / (h − a))²; `ranges` has angles beyond anatomy, `pops` jumps from frame to frame,
//! `frozen` frames that stand still in a movement, `feet` what planted feet say of the floor and of drift.

mod drifting;
mod fast_turns;
mod feet;
mod floating;
mod frozen;
mod pops;
mod ranges;

use super::evidence::Evidence;
use super::moments::{Fault, Moment};
use crate::posed::Posed;
use crate::report::IntersectionFinding;
use crate::report::body_limits::cost;
use aplomb_motion::BodyPlan;

/// A fault that costs less is not worth a word: five points.
pub(crate) const LEAST_SHOWN_COST: f64 = 0.05;

/// Heights and drifts that are too small for a fault still tell two versions of a clip apart.
const WHISPER: f64 = 0.01;

/// Feet that float, sink or drift cost no more than this, whatever their size: it depends on where else the clip
/// stands.
const MOST_FEET_COST: f64 = 2.0;

/// Limbs inside limbs: flesh gives way and shapes are rough, m.
const OVERLAP_ALLOWANCE_M: f64 = 0.10;
/// Half of the score is lost here, m.
const OVERLAP_HALF_M: f64 = 0.15;

/// What the body is judged by.
#[derive(Debug, Default)]
pub(crate) struct BodyFaults {
    /// Everything that costs something, the costliest first.
    pub moments: Vec<Moment>,
    /// Share of frames in which a joint is beyond its range.
    pub shares: Vec<(Fault, String, f64)>,
    /// What only tells two versions of a clip apart: too small to be a fault.
    pub whispers: f64,
}

/// Looks for all of them. `speeds` are [`Evidence::level_speeds`].
pub(crate) fn body_faults(
    evidence: &Evidence<'_>,
    posed: &Posed,
    intersections: &[IntersectionFinding],
    speeds: &[Vec<f64>],
) -> BodyFaults {
    let hz = evidence.contacts.clock.used_hz;
    let mut faults = BodyFaults::default();
    if posed.rows() < 2 || hz <= 0.0 {
        return faults;
    }
    let stands = feet::PlantedBalls::of(evidence, speeds);
    ranges::find(evidence, posed, &stands, hz, &mut faults);
    pops::find(evidence, posed, hz, &mut faults.moments);
    fast_turns::find(evidence, posed, hz, &mut faults.moments);
    frozen::find(evidence, &posed.paths(), hz, &mut faults.moments);
    stands.find(evidence, &mut faults);
    floating::find(&stands, evidence, &mut faults);
    drifting::find(&stands, evidence, &mut faults);
    // Shapes of four-legged bodies are too rough to tell.
    if evidence.roles.plan() == BodyPlan::Biped {
        faults.moments.extend(intersections.iter().filter_map(overlap));
    }
    faults.moments.retain(|moment| moment.cost > 0.0);
    faults.moments.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    faults
}

fn overlap(finding: &IntersectionFinding) -> Option<Moment> {
    let cost = cost(finding.depth_m, OVERLAP_ALLOWANCE_M, OVERLAP_HALF_M);
    (cost > 0.0).then(|| Moment {
        fault: Fault::LimbInLimb,
        joint: Some(finding.joint_a.clone()),
        other: Some(finding.joint_b.clone()),
        start_secs: finding.secs,
        end_secs: finding.secs,
        secs: finding.secs,
        size: finding.depth_m,
        allowance: OVERLAP_ALLOWANCE_M,
        cost,
    })
}
