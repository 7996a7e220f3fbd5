//! What a report holds.

use super::moments::{Aspect, Moment};
use crate::contacts::{ContactAnalysis, Verdict};
use crate::support::SOLE_HALF_WIDTH_M;
use glam::{DVec2, DVec3};
use serde::Serialize;

/// What carries the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseKind {
    /// Nothing: a flight.
    Flight,
    /// Points of the left side only.
    Left,
    /// Points of the right side only.
    Right,
    /// Points of both sides.
    Double,
    /// Neither of these: something that is not modelled, or points without a side only (a seat that was named, a ball).
    /// [`Inspection::other_share`] counts the former only.
    Other,
}

/// A span in which the same side carries the body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// What carries it.
    pub kind: PhaseKind,
    /// Start, s.
    pub start_secs: f64,
    /// End, s.
    pub end_secs: f64,
}

/// What one contact does; same order as [`ContactAnalysis::contacts`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactReport {
    /// How far the point slides along the ground while it is pinned, rolling left out (score.md, drift), m.
    pub drift_m: Option<f64>,
    /// How deep the point is under its usual standing height, or its step's, m; 0 if it stays above. Of balls of feet
    /// and paws only: heels and toe tips are corners of a rigid sole, and dip in good captures, too.
    pub penetration_m: Option<f64>,
}

/// What one flight does; same order as [`ContactAnalysis::flights`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlightReport {
    /// Fitted downward acceleration, m/s².
    pub g: Option<f64>,
    /// Root mean squared distance of the centre of mass from its parabola (all three axes), m.
    pub residual_m: Option<f64>,
    /// Largest horizontal distance of the centre of mass from its best straight line, m.
    pub bend_m: Option<f64>,
    /// Change of the horizontal velocity of the centre of mass from the first to the last quarter of its parabola, m/s.
    pub speed_drift: Option<f64>,
    /// Angular momentum about the centre of mass, mean, kg·m²/s.
    pub momentum_mean: Option<DVec3>,
    /// Its standard deviation, by axis, kg·m²/s.
    pub momentum_deviation: Option<DVec3>,
    /// Length of the deviation over mass × stature² × 1/s, so that people of all sizes compare.
    pub momentum_spread: Option<f64>,
    /// Height of the apex of the parabola over the centre of mass at take-off, m.
    pub rise_m: Option<f64>,
    /// Whether g is one people do not notice: 9.0–12.7 m/s² (Reitsma and Pollard 2003).
    pub looks_right: Option<bool>,
    /// Verified, short or doubtful.
    pub verdict: Verdict,
}

/// What happens from one phase to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transition {
    /// When.
    pub secs: f64,
    /// Left behind.
    pub from: PhaseKind,
    /// Entered.
    pub to: PhaseKind,
    /// Jump of the centre of mass: curves fitted on both sides, compared at the change, m.
    pub position_jump_m: Option<f64>,
    /// Jump of its velocity, m/s. Landing is an impact, so a real one is not zero.
    pub velocity_jump: Option<f64>,
}

/// One value or `None` a frame of the file; a stray first frame has `None` everywhere but for its time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Series {
    /// By the clock that was used.
    pub times_secs: Vec<f64>,
    /// What carries the body.
    pub kind: Vec<Option<PhaseKind>>,
    /// Which effectors are down: bit i is effector i of [`ContactAnalysis::effectors`].
    pub down: Vec<u64>,
    /// Centre of mass, m.
    pub com_in_world_m: Vec<Option<DVec3>>,
    /// Its velocity, m/s.
    pub com_velocity: Vec<Option<DVec3>>,
    /// Angular momentum about the centre of mass, kg·m²/s.
    pub angular_momentum: Vec<Option<DVec3>>,
    /// Force that the surroundings must apply, F = M(a − g), N.
    pub force_newtons: Vec<Option<DVec3>>,
    /// Height of the support that the zero-moment point is computed on, m.
    pub support_height_m: Vec<Option<f64>>,
    /// Zero-moment point on that support, m.
    pub zmp_in_world_m: Vec<Option<DVec3>>,
    /// Its distance from the support polygon, m; 0 inside.
    pub zmp_distance_m: Vec<Option<f64>>,
    /// Centre of pressure: the zero-moment point where it lies inside, else the nearest point of the polygon, m.
    pub cop_in_world_m: Vec<Option<DVec3>>,
    /// Distance of the centre of mass's shadow from the support polygon, m; 0 inside.
    pub balance_distance_m: Vec<Option<f64>>,
    /// Friction that is needed: |F along the ground| / F into it.
    pub friction_ratio: Vec<Option<f64>>,
    /// Deepest ball of a foot, or paw, under the floor, m; 0 if none is.
    pub penetration_m: Vec<Option<f64>>,
    /// Support polygons in the ground's plane, corners as world (x, z), m, counter-clockwise seen from above; empty
    /// without contact.
    pub support_polygon_m: Vec<Vec<DVec2>>,
}

/// Distance of the zero-moment point over frames that are carried by known contacts. Each frame counts by its load:
/// near a flight the zero-moment point is a quotient of two small numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ZmpSummary {
    /// Mean distance, m.
    pub mean_m: Option<f64>,
    /// 95th percentile, m.
    pub p95_m: Option<f64>,
    /// Share of the load farther than a centimetre outside.
    pub outside_share: Option<f64>,
}

/// Sliding of feet over all contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SkateSummary {
    /// Mean drift of a contact, weighted by time, m.
    pub mean_m: Option<f64>,
    /// Worst contact, m.
    pub max_m: Option<f64>,
}

/// Depth under the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PenetrationSummary {
    /// Deepest, m.
    pub max_m: Option<f64>,
}

/// Friction that the ground must give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FrictionSummary {
    /// 95th percentile of |F_h| / F_v.
    pub p95: Option<f64>,
    /// Share of frames outside the cone of [`InspectOptions::friction`].
    pub outside_share: Option<f64>,
}

/// Static balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BalanceSummary {
    /// Share of carried frames in which the centre of mass's shadow is outside the support polygon. Walking people are
    /// there most of the time.
    pub outside_share: Option<f64>,
}

/// One measure of the score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScorePart {
    /// Name: support, drift, fall, tremor, pops, friction, floor, hover.
    pub name: &'static str,
    /// The measure, in `unit`; `None` where it does not apply.
    pub value: Option<f64>,
    /// m, g, mm, mm/s or 1.
    pub unit: &'static str,
    /// No loss up to this value.
    pub allowance: f64,
    /// Half the score is lost here.
    pub half: f64,
    /// 1 is faultless, ½ at `half`.
    pub quality: f64,
}

/// One number to sort by, and the three that it is made of (docs/analysis/score.md).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// [`SCORE_VERSION`]: scores of different versions do not compare.
    pub version: u32,
    /// 0–100: physics (without frames carried by something unmodelled), body and recording together; `None` where
    /// physics judges less than half of the clip.
    pub score: Option<f64>,
    /// 0–100 with those frames: what two versions of a clip are compared by.
    pub score_all: Option<f64>,
    /// Balance, weight, flight and feet, 0–100; `None` where physics judges less than half of the clip.
    pub physics: Option<f64>,
    /// The same with frames carried by something unmodelled.
    pub physics_all: Option<f64>,
    /// Poses and how they follow each other, 0–100; `None` for bodies without joints that are known.
    pub body: Option<f64>,
    /// Rate, unit, gaps and labels, 0–100; `None` for fewer than two frames.
    pub recording: Option<f64>,
    /// Which of the three is worst, where anything is wrong.
    pub worst_aspect: Option<Aspect>,
    /// What is wrong, of all three, the costliest first.
    pub moments: Vec<Moment>,
    /// The eight measures of `physics`.
    pub parts: Vec<ScorePart>,
    /// The eight measures of `physics_all`.
    pub parts_all: Vec<ScorePart>,
    /// Name of the measure of `physics` that costs most, if there is a score and any costs something.
    pub worst: Option<&'static str>,
    /// Share of frames that physics judges: their force is known, and known points or nothing carry them.
    pub judged_share: f64,
    /// False where there is no score, or more than 0.3 of the time is carried by something unmodelled: print "not
    /// judged by physics".
    pub judged: bool,
}

/// Version of the score: 1 was physics alone.
pub const SCORE_VERSION: u32 = 2;

/// A joint outside its range for a while.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointLimitFinding {
    /// Name in the file.
    pub joint: String,
    /// Which motion: "knee bends backward", "elbow overextended" …
    pub motion: String,
    /// Worst angle beyond the limit, degrees.
    pub beyond_deg: f64,
    /// Worst frame's time.
    pub secs: f64,
    /// Share of frames beyond the limit.
    pub share: f64,
}

/// A joint that trembles or jumps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JitterFinding {
    /// Name in the file.
    pub joint: String,
    /// Frame noise of its position (fourth difference / √70 a axis, median over time), mm.
    pub noise_mm: f64,
    /// Largest single jump (second difference against its surroundings), mm.
    pub jump_mm: Option<f64>,
    /// When that is.
    pub jump_secs: Option<f64>,
}

/// Two parts of the body inside each other for a while.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IntersectionFinding {
    /// One link's joint.
    pub joint_a: String,
    /// The other's.
    pub joint_b: String,
    /// Deepest overlap beyond what the rest of the clip shows as normal for this pair, m.
    pub depth_m: f64,
    /// When.
    pub secs: f64,
    /// Share of frames.
    pub share: f64,
}

/// What is wrong with the recording or the pose, apart from physics. Worst first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Checks {
    /// Joints out of range.
    pub joint_limits: Vec<JointLimitFinding>,
    /// Trembling joints.
    pub jitter: Vec<JitterFinding>,
    /// Limbs inside limbs.
    pub intersections: Vec<IntersectionFinding>,
}

/// The physics report of one clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inspection {
    /// Contacts, flights, clock, `other` spans (all eleven points of docs/analysis/contacts.md).
    pub contacts: ContactAnalysis,
    /// By time, without gaps.
    pub phases: Vec<Phase>,
    /// Same order as `contacts.contacts`.
    pub contact_reports: Vec<ContactReport>,
    /// Same order as `contacts.flights`.
    pub flight_reports: Vec<FlightReport>,
    /// At each change of phase.
    pub transitions: Vec<Transition>,
    /// Frame by frame.
    pub series: Series,
    /// Zero-moment point.
    pub zmp: ZmpSummary,
    /// Sliding.
    pub skate: SkateSummary,
    /// Under the floor.
    pub penetration: PenetrationSummary,
    /// Friction.
    pub friction: FrictionSummary,
    /// Static balance.
    pub balance: BalanceSummary,
    /// Joint limits, jitter, self-intersection.
    pub checks: Checks,
    /// The plausibility score.
    pub score: Score,
    /// Share of time carried by something unmodelled; `None` where that is not known: fewer than two frames, or no
    /// points to watch.
    pub other_share: Option<f64>,
    /// Total mass the forces are for, kg.
    pub total_mass_kg: f64,
    /// What people should know: contacts' warnings, the body's, and the report's own.
    pub warnings: Vec<String>,
}

/// How a clip is inspected.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectOptions {
    /// Of contacts and flights.
    pub contacts: crate::contacts::ContactOptions,
    /// Rigid links (default) or point masses.
    pub model: aplomb_physics::MassModel,
    /// Smoothing time of the segments before forces are computed, s.
    pub smoothing_secs: f64,
    /// Friction coefficient whose cone `friction.outside_share` counts by.
    pub friction: f64,
    /// Half width of the sole, m.
    pub sole_half_width_m: f64,
    /// Required support farther than this from every contact makes a frame `other`, m.
    pub other_support_m: f64,
    /// What the body's faults are judged by.
    pub body_limits: crate::report::body_limits::BodyLimits,
}

impl InspectOptions {
    /// Refuses what would make nonsense of every number.
    pub(crate) fn check(&self) -> Result<(), crate::AnalysisError> {
        let refused = |name: &'static str, expected: &'static str, found: f64| {
            Err(crate::AnalysisError::Option { name, expected, found })
        };
        let not_negative = "finite and not negative";
        for (name, found) in [
            ("smoothing_secs", self.smoothing_secs),
            ("sole_half_width_m", self.sole_half_width_m),
            ("friction", self.friction),
        ] {
            if !(found.is_finite() && found >= 0.0) {
                return refused(name, not_negative, found);
            }
        }
        if !(self.other_support_m.is_finite() && self.other_support_m > 0.0) {
            return refused("other_support_m", "finite and more than zero", self.other_support_m);
        }
        Ok(())
    }
}

impl Default for InspectOptions {
    fn default() -> Self {
        Self {
            contacts: crate::contacts::ContactOptions::default(),
            model: aplomb_physics::MassModel::Rigid,
            smoothing_secs: 0.167,
            friction: 0.8,
            sole_half_width_m: SOLE_HALF_WIDTH_M,
            other_support_m: 0.15,
            body_limits: crate::report::body_limits::BodyLimits::default(),
        }
    }
}
