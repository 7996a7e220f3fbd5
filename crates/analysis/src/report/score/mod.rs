//! One number per clip to sort and filter by: does it obey contact, balance and gravity, and is the recording sound?
//!
//! Eight measures, fixed curves, no training; `docs/analysis/score.md` has the formula, the constants and what they
//! were measured on. The modules follow the measures: `support` (support, friction), `feet` (floor, hover), `fall`,
//! `noise` (tremor, pops); drift is the report's own. [`damage`] holds the ways a motion is spoiled that the score is
//! proved against.

pub mod damage;
mod fall;
mod feet;
pub(crate) mod noise;
mod support;

use crate::posed::JointPaths;
use crate::report::body::{BodyFaults, LEAST_SHOWN_COST};
use crate::report::dense::DenseSupport;
use crate::report::evidence::Evidence;
use crate::report::physics_moments::physics_moments;
use crate::report::recording::recording_moments;
use crate::report::{
    Aspect, ContactReport, Fault, FlightReport, Moment, SCORE_VERSION, Score, ScorePart, SkateSummary,
};
use aplomb_motion::{JointId, Role, Roles, Side};
use feet::Feet;
use std::collections::BTreeMap;

/// Above this share of time carried by something unmodelled, physics does not judge the clip.
pub const JUDGED_OTHER_SHARE: f64 = 0.3;

/// A score that stands for less than this share of a clip's frames is none of the clip's.
pub const LEAST_JUDGED_SHARE: f64 = 0.5;

/// A median over fewer joints is one joint's: jumps of such a body while it touches something are bounces.
const LEAST_JOINTS: usize = 3;

/// Fewer frames than the fourth difference needs say nothing.
const LEAST_FRAMES: usize = 5;

/// What the score is made of.
pub(crate) struct Judged<'a> {
    pub dense: &'a DenseSupport,
    pub skate: &'a SkateSummary,
    pub contacts: &'a [ContactReport],
    pub flights: &'a [FlightReport],
    pub body: BodyFaults,
}

/// The score. `joints` are the paths of the evidence's rows.
pub(crate) fn score(
    evidence: &Evidence<'_>,
    judged: Judged<'_>,
    joints: &JointPaths<'_>,
    judged_share: f64,
    other_share: Option<f64>,
) -> Score {
    let Judged { dense, skate, contacts, flights, body: faults } = judged;
    let measures = Measures::of(evidence, dense, skate, joints);
    let hz = evidence.contacts.clock.used_hz;
    let [known, all] = measures.by_frames.map(|by_frames| measures.parts(&by_frames, hz));
    let total = |parts: &[ScorePart], by_frames: &ByFrames| {
        // Without contact and without flight only the recording could be judged: that is no plausibility.
        let is_judged = by_frames.support_m.is_some() || by_frames.fall_g.is_some();
        is_judged.then(|| 100.0 * parts.iter().map(|part| part.quality).product::<f64>())
    };
    let physics = total(&known, &measures.by_frames[0]).filter(|_| judged_share >= LEAST_JUDGED_SHARE);
    let physics_all = total(&all, &measures.by_frames[1]);
    let is_moving = evidence.rows() > 1;
    let body = is_moving.then(|| points(&faults.moments, faults.whispers));
    let of_recording = recording_moments(evidence, joints);
    let recording = is_moving.then(|| points(&of_recording, 0.0));
    let together = |physics: Option<f64>| {
        let parts = [physics?, body.unwrap_or(100.0), recording.unwrap_or(100.0)];
        // As costs add: 100/s − 1 is the sum of the parts'.
        let cost: f64 = parts.iter().map(|part| 100.0 / part.max(1e-6) - 1.0).sum();
        Some(100.0 / (1.0 + cost))
    };
    let score = together(physics);
    let mut moments = match physics {
        Some(_) => physics_moments(&known, evidence, dense, contacts, flights),
        None => Vec::new(),
    };
    moments.extend(faults.moments.into_iter().chain(of_recording).filter(|it| it.cost > LEAST_SHOWN_COST));
    moments.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    let worst_aspect = worst_aspect([physics, body, recording], &moments);
    let costly = known.iter().filter(|part| part.quality < 1.0 && score.is_some());
    Score {
        version: SCORE_VERSION,
        score,
        score_all: together(physics_all),
        physics,
        physics_all,
        body,
        recording,
        worst_aspect,
        moments,
        worst: costly.min_by(|a, b| a.quality.total_cmp(&b.quality)).map(|part| part.name),
        judged_share,
        judged: score.is_some() && other_share.is_some_and(|share| share <= JUDGED_OTHER_SHARE),
        parts: known,
        parts_all: all,
    }
}

/// 100/(1 + Σ g(E)), over the kinds of faults, with E the costs of one kind: g is E up to 1 and its root beyond, so that
/// neither one gross fault nor many of a kind hide the next.
fn points(moments: &[Moment], whispers: f64) -> f64 {
    let mut kinds: BTreeMap<Fault, f64> = BTreeMap::new();
    for moment in moments {
        *kinds.entry(moment.fault).or_default() += moment.cost;
    }
    let eased = |cost: &f64| if *cost < 1.0 { *cost } else { cost.sqrt() };
    100.0 / (1.0 + kinds.values().map(eased).sum::<f64>() + whispers)
}

/// The lowest of the three, where it has something to show.
fn worst_aspect(points: [Option<f64>; 3], moments: &[Moment]) -> Option<Aspect> {
    let aspects = [Aspect::Physics, Aspect::Body, Aspect::Recording].into_iter().zip(points);
    let shown = aspects.filter(|(aspect, _)| moments.iter().any(|moment| moment.fault.aspect() == *aspect));
    let known = shown.filter_map(|(aspect, points)| points.map(|points| (aspect, points)));
    known.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(aspect, _)| aspect)
}

/// Measures that frames carried by something unmodelled take part in, or not.
#[derive(Clone, Copy, Default)]
struct ByFrames {
    support_m: Option<f64>,
    friction: Option<f64>,
    fall_g: Option<f64>,
}

#[derive(Default)]
struct Measures {
    /// Without those frames, and with them.
    by_frames: [ByFrames; 2],
    drift_m: Option<f64>,
    tremor_mm: Option<f64>,
    pops_mm_per_sec: Option<f64>,
    floor_m: Option<f64>,
    hover_m: Option<f64>,
}

impl Measures {
    fn of(evidence: &Evidence<'_>, dense: &DenseSupport, skate: &SkateSummary, joints: &JointPaths<'_>) -> Self {
        if evidence.rows() < LEAST_FRAMES {
            return Self::default();
        }
        let by_frames = [true, false].map(|known_only| ByFrames {
            // A clip that never touches anything has no support to miss.
            support_m: support::support_m(dense, known_only).filter(|_| !evidence.contacts.contacts.is_empty()),
            friction: support::friction(dense, known_only),
            fall_g: fall::fall_g(evidence, known_only),
        });
        let feet = Feet::of(evidence);
        let main = main_joints(evidence.roles, joints.joint_count);
        Self {
            by_frames,
            drift_m: skate.mean_m,
            floor_m: feet.as_ref().and_then(Feet::floor_m),
            hover_m: feet.as_ref().and_then(Feet::hover_m),
            tremor_mm: noise::tremor_mm(joints, &main),
            pops_mm_per_sec: {
                let hz = evidence.contacts.clock.used_hz;
                let is_bounce = |frame: usize| main.len() < LEAST_JOINTS && touches(evidence, frame, 1.5 / hz);
                noise::pops_mm_per_sec(joints, &main, hz, is_bounce)
            },
        }
    }

    fn parts(&self, by_frames: &ByFrames, hz: f64) -> Vec<ScorePart> {
        // Frames far apart make fourth differences of honest motion: the runs among the captures show 0.2 mm at 120 Hz,
        // 0.6 at 60 and 1.2 to 1.9 at 30, so the constants, which are those of 120 Hz, grow from there on (score.md
        // lets them grow below 60 Hz only).
        let slow = if hz > 0.0 { (120.0 / hz).max(1.0) } else { 1.0 };
        vec![
            part("support", "m", by_frames.support_m, 0.01, 0.04),
            part("drift", "m", self.drift_m, 0.02, 0.06),
            part("fall", "g", by_frames.fall_g, 0.05, 0.40),
            part("tremor", "mm", self.tremor_mm, 0.3 * slow, 1.5 * slow),
            part("pops", "mm/s", self.pops_mm_per_sec, 10.0, 60.0),
            part("friction", "1", by_frames.friction, 0.45, 0.90),
            part("floor", "m", self.floor_m, 0.03, 0.12),
            part("hover", "m", self.hover_m, 0.012, 0.03),
        ]
    }
}

/// Whether anything is down within so many seconds of a frame.
fn touches(evidence: &Evidence<'_>, row: usize, within_secs: f64) -> bool {
    let secs = evidence.times_secs[row];
    let mut contacts = evidence.contacts.contacts.iter();
    contacts.any(|it| (it.start_secs - within_secs..=it.end_secs + within_secs).contains(&secs))
}

fn part(name: &'static str, unit: &'static str, value: Option<f64>, allowance: f64, half: f64) -> ScorePart {
    let value = value.filter(|value| value.is_finite());
    ScorePart { name, value, unit, allowance, half, quality: value.map_or(1.0, |x| quality(x, allowance, half)) }
}

/// q = 1 / (1 + (max(0, x − a) / (h − a))²).
fn quality(x: f64, allowance: f64, half: f64) -> f64 {
    let excess = (x - allowance).max(0.0) / (half - allowance);
    1.0 / (1.0 + excess * excess)
}

/// Hips, chest, head, and shoulder, elbow, wrist, hip, knee, ankle and ball of both sides; every joint, where hardly
/// any is known.
fn main_joints(roles: &Roles, joint_count: usize) -> Vec<JointId> {
    let chest = (0..u16::MAX).map_while(|number| roles.joint(Role::Spine(number))).last();
    let limbs = Side::BOTH.into_iter().flat_map(|side| {
        let arm = [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)];
        let leg = [Role::Thigh(side), Role::Shank(side), Role::Foot(side), Role::Toe(side)];
        arm.into_iter().chain(leg)
    });
    let trunk = [roles.joint(Role::Hips), chest, roles.joint(Role::Head)].into_iter().flatten();
    let known: Vec<JointId> = trunk.chain(limbs.filter_map(|role| roles.joint(role))).collect();
    if known.len() >= LEAST_JOINTS { known } else { (0..joint_count).map(JointId::new).collect() }
}

#[cfg(test)]
mod tests;
