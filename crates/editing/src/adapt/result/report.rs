//! What an initialisation or an adaptation did, in numbers people can judge.

use super::ballistics::Ballistics;
use super::check::Apart;
use super::clearance::Cleared;
use crate::adapt::problem::{Between, RowKind, TorqueOver};
use crate::adapt::solve::{Iteration, Optimum, Residuals, SolveStatus};
use serde::Serialize;

/// How far the worst row of each kind is from being met at the points.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AtPoints {
    /// Unexplained force, share of body weight.
    pub force: f64,
    /// Unexplained moment, share of body weight times metres.
    pub moment: f64,
    /// Standing points and goals of place, m.
    pub place_m: f64,
    /// Angles that were asked for, degrees.
    pub angle_deg: f64,
    /// Outside the friction pyramid, body weights.
    pub friction: f64,
    /// Below the ground or an obstacle, m.
    pub ground_m: f64,
    /// Over a torque's bound, N·m.
    pub torque_nm: f64,
    /// Limbs too near, m.
    pub limbs_m: f64,
    /// Over the bound of the load, body weights.
    pub load: f64,
}

impl AtPoints {
    pub(in crate::adapt) fn of(residuals: &Residuals) -> Self {
        let get = |group: RowKind| residuals.get(&group).copied().unwrap_or(0.0);
        Self {
            force: get(RowKind::Force),
            moment: get(RowKind::Moment),
            place_m: get(RowKind::Place),
            angle_deg: get(RowKind::Angle).to_degrees(),
            friction: get(RowKind::Friction),
            ground_m: get(RowKind::Ground),
            torque_nm: get(RowKind::Torque),
            limbs_m: get(RowKind::Distance),
            load: get(RowKind::Load),
        }
    }

    /// What is not met, in words; `None` if everything is.
    pub fn unmet(&self) -> Option<String> {
        let mut words = Vec::new();
        let mut check = |value: f64, group: RowKind, what: String| {
            if value.is_nan() || value > group.tolerance() {
                words.push(what);
            }
        };
        check(self.force, RowKind::Force, format!("force off by {:.1} % of body weight", self.force * 100.0));
        check(self.moment, RowKind::Moment, format!("moment off by {:.3} body weights times metres", self.moment));
        check(self.place_m, RowKind::Place, format!("places off by {:.1} mm", self.place_m * 1e3));
        check(self.angle_deg.to_radians(), RowKind::Angle, format!("angles off by {:.1}°", self.angle_deg));
        check(self.friction, RowKind::Friction, format!("friction exceeded by {:.3} body weights", self.friction));
        check(self.ground_m, RowKind::Ground, format!("{:.1} mm below the ground or an obstacle", self.ground_m * 1e3));
        check(self.torque_nm, RowKind::Torque, format!("torques {:.1} N·m over their bounds", self.torque_nm));
        check(self.limbs_m, RowKind::Distance, format!("limbs {:.1} mm too near", self.limbs_m * 1e3));
        check(self.load, RowKind::Load, format!("load {:.2} body weights over its bound", self.load));
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// One step of the solver, to be shown while the work goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Progress {
    /// What is being done.
    pub phase: String,
    /// From 1.
    pub iteration: usize,
    /// Before the step.
    pub at_points: AtPoints,
    /// Of a whole step.
    pub step: f64,
    /// Of the saddle-point system.
    pub factorisations: usize,
    /// Whether the interior point method had to help.
    pub by_interior_point: bool,
}

impl Progress {
    pub(in crate::adapt) fn of(phase: &str, iteration: usize, it: &Iteration) -> Self {
        Self {
            phase: phase.to_owned(),
            iteration,
            at_points: AtPoints::of(&it.residuals),
            step: it.step,
            factorisations: it.factorisations,
            by_interior_point: it.by_interior_point,
        }
    }
}

/// The initialisation of a clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitReport {
    /// How the solve ended; receipts say whether every row is met.
    #[serde(rename = "is_converged", serialize_with = "SolveStatus::serialize_is_met")]
    pub status: SolveStatus,
    /// Links and degrees of freedom of the solve.
    pub links: usize,
    /// Degrees of freedom.
    pub dofs: usize,
    /// Joints with one axis.
    pub hinges: usize,
    /// Joints that were folded onto others, by name.
    pub folded: Vec<String>,
    /// The farthest folding moves a joint, m.
    pub fold_shift_m: f64,
    /// How far all joints stay from gimbal lock, degrees.
    pub gimbal_margin_deg: f64,
    /// Knots.
    pub knots: usize,
    /// Unknowns, equalities, inequalities.
    pub sizes: [usize; 3],
    /// Iterations of the first grid, then of each refinement.
    pub iterations: Vec<usize>,
    /// Rows at the points.
    pub at_points: AtPoints,
    /// Between them.
    pub between: Between,
    /// From the capture.
    pub change: Apart,
    /// Flights, s.
    pub flights: Vec<(f64, f64)>,
    /// Of the longest flight.
    pub ballistics: Ballistics,
    /// Computing time, s; no part of a record, which is the same every time.
    #[serde(skip)]
    pub secs: f64,
}

/// An adaptation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AdaptReport {
    /// How the solve ended; receipts say whether every goal is met.
    #[serde(rename = "is_converged", serialize_with = "SolveStatus::serialize_is_met")]
    pub status: SolveStatus,
    /// Iterations of each continuation step.
    pub iterations: Vec<usize>,
    /// And of each refinement.
    pub refinements: Vec<usize>,
    /// Knots.
    pub knots: usize,
    /// Unknowns, equalities, inequalities.
    pub sizes: [usize; 3],
    /// Rows at the points.
    pub at_points: AtPoints,
    /// Between them.
    pub between: Between,
    /// From the displaced start of the last step.
    pub change_from_start: Apart,
    /// The flight that is meant, before the edit.
    pub before: Ballistics,
    /// The same flight after the edit.
    pub after: Ballistics,
    /// Jerk over that of the initialised motion.
    pub jerk_ratio: f64,
    /// Bounded torques that exceed their bounds between points.
    pub torques_over: Vec<TorqueOver>,
    /// How much deeper than in the clip limbs get into each other, by their collision shapes, m: zero if none does.
    pub limbs_deeper_m: f64,
    /// Which; empty if none.
    pub limbs_deepest: String,
    /// How far above it is what had to stay above something.
    pub cleared: Cleared,
    /// Where another objective was minimised than the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// Computing time, s; no part of a record, which is the same every time.
    #[serde(skip)]
    pub secs: f64,
}
