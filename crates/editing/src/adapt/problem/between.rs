//! What a trajectory is worth between its points, where nothing was asked of it.

use super::problem::Problem;
use super::rows::Evaluator;
use super::trajectory::Trajectory;
use glam::DVec3;
use serde::Serialize;

/// Looked at so many times between two knots.
const SAMPLES: usize = 8;
/// Just after a touchdown force rises faster than splines follow, s.
const TOUCHDOWN_SECS: f64 = 0.04;

/// Residuals between points, and what is asked of joints and ground.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Between {
    /// Unexplained force, share of body weight: below this for 95 % of the time.
    pub force_p95: f64,
    /// Below this for 99 % of the time.
    pub force_p99: f64,
    /// The largest, more than 40 ms away from touchdowns.
    pub force_max: f64,
    /// The largest within 40 ms of a touchdown.
    pub force_max_at_touchdown: f64,
    /// Unexplained moment about the root, N·m, 95 %.
    pub moment_p95: f64,
    /// At most.
    pub moment_max: f64,
    /// Farthest that a standing point strays, m.
    pub foot_drift_m: f64,
    /// Largest joint torque, N·m, and of which link.
    pub torque_max: f64,
    /// Whose it is.
    pub torque_max_link: String,
    /// Root mean square of the coordinates' jerk, rad/s³.
    pub jerk_rms: f64,
    /// Largest tangential over normal force, where it carries at least a twentieth of the weight.
    pub friction_max: f64,
    /// Least normal force of a point, body weights.
    pub normal_least: f64,
    /// Lowest that a free point comes, over the ground, m.
    pub clearance_m: f64,
}

/// A torque beyond its bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TorqueOver {
    /// The joint of this link.
    pub link: String,
    /// N·m.
    pub bound_nm: f64,
    /// Its largest, N·m.
    pub peak_nm: f64,
}

impl TorqueOver {
    /// What is allowed between points: 2 % or 2 N·m, whichever is more.
    pub(crate) fn allowed_nm(&self) -> f64 {
        2.0_f64.max(0.02 * self.bound_nm)
    }

    /// How much it exceeds even that; negative if it does not.
    pub fn beyond_nm(&self) -> f64 {
        self.peak_nm - self.bound_nm - self.allowed_nm()
    }
}

/// Spans are too long that leave more than this unexplained, body weights (times metres).
const MOST_FORCE: f64 = 0.025;
/// Spans are also too long where a standing point strays farther, m.
const MOST_DRIFT_M: f64 = 0.003;

/// [`Between`], and for every span how much too long it is: above one it should be bisected.
pub fn between(problem: &Problem<'_>, trajectory: &Trajectory) -> (Between, Vec<f64>) {
    let mut evaluator = Evaluator::new(problem);
    let (model, ground_m) = (&problem.tree.model, problem.ground_m.unwrap_or(0.0));
    let mut found = Between { normal_least: f64::INFINITY, clearance_m: f64::INFINITY, ..Between::default() };
    let (mut forces, mut moments) = (Vec::new(), Vec::new());
    let mut of_span = vec![0.0_f64; problem.grid.len() - 1];
    for (span, pair) in problem.grid.knots_secs.windows(2).enumerate() {
        for sample in 0..SAMPLES {
            let secs = pair[0] + (pair[1] - pair[0]) * (sample as f64 + 0.5) / SAMPLES as f64;
            let tau = evaluator.inverse_dynamics(trajectory, secs).to_vec();
            let moment = DVec3::from_slice(&tau[..3]).length();
            let force = DVec3::from_slice(&tau[3..6]).length() / problem.body_weight_n;
            forces.push((force, pair[1] - pair[0]));
            moments.push((moment, pair[1] - pair[0]));
            of_span[span] = of_span[span].max(force / MOST_FORCE).max(moment / problem.body_weight_n / MOST_FORCE);
            let is_touchdown = problem
                .footholds
                .iter()
                .any(|foothold| !foothold.is_loaded_at_start && (secs - foothold.start_secs).abs() <= TOUCHDOWN_SECS);
            let worst = if is_touchdown { &mut found.force_max_at_touchdown } else { &mut found.force_max };
            *worst = worst.max(force);
            found.moment_max = found.moment_max.max(moment);
            for link in model.links().skip(1) {
                let range = model.v_range(link);
                let torque = problem.coordinates.largest_torque(link, &tau[range]);
                if let Some(bound_nm) = problem.constraints.torque_bounds[link.index()] {
                    let over = TorqueOver { link: String::new(), bound_nm, peak_nm: torque };
                    // Half of what is allowed: rounds of refinement are few.
                    of_span[span] = of_span[span].max(1.0 + over.beyond_nm() + 0.5 * over.allowed_nm());
                }
                if torque > found.torque_max {
                    found.torque_max = torque;
                    found.torque_max_link = model.name(link).to_owned();
                }
            }
            let plan = problem.plan_at(secs);
            for hold in &plan.holds {
                let foothold = &problem.footholds[hold.foothold];
                let touch = &problem.constraints.touches[foothold.touch];
                let at_m = evaluator.work().link(touch.link).point_in_world_m(touch.point_in_link_m);
                let drift_m = hold.direction.dot(at_m - foothold.place_m).abs();
                found.foot_drift_m = found.foot_drift_m.max(drift_m);
                of_span[span] = of_span[span].max(drift_m / MOST_DRIFT_M);
            }
            for &touch in &plan.free {
                let touch = &problem.constraints.touches[touch];
                let at_m = evaluator.work().link(touch.link).point_in_world_m(touch.point_in_link_m);
                found.clearance_m = found.clearance_m.min(at_m.y - ground_m);
            }
            for (touch, foothold) in &plan.forces {
                let force = trajectory.force_at(*touch, secs);
                if !problem.footholds[*foothold].is_bilateral {
                    found.normal_least = found.normal_least.min(force.y);
                    if force.y > 0.05 {
                        found.friction_max = found.friction_max.max(force.x.hypot(force.z) / force.y);
                    }
                }
            }
        }
    }
    (found.force_p95, found.force_p99) = (quantile(&mut forces, 0.95), quantile(&mut forces, 0.99));
    found.moment_p95 = quantile(&mut moments, 0.95);
    found.jerk_rms = jerk_rms(trajectory);
    (found, of_span)
}

/// Samples stand for the length of their spans.
fn quantile(samples: &mut [(f64, f64)], share: f64) -> f64 {
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    let whole: f64 = samples.iter().map(|sample| sample.1).sum();
    let mut sum = 0.0;
    for (value, weight) in samples.iter() {
        sum += weight;
        if sum >= share * whole {
            return *value;
        }
    }
    samples.last().map_or(0.0, |sample| sample.0)
}

/// Accelerations are linear between knots, so that jerk is a constant in each span.
fn jerk_rms(trajectory: &Trajectory) -> f64 {
    let grid = &trajectory.grid;
    let (mut before, mut after): ([Vec<f64>; 3], [Vec<f64>; 3]) = Default::default();
    let (mut sum, mut secs) = (0.0, 0.0);
    for span in 0..grid.len() - 1 {
        trajectory.sample(&grid.at_knots[span], &mut before);
        trajectory.sample(&grid.at_knots[span + 1], &mut after);
        let length = grid.knots_secs[span + 1] - grid.knots_secs[span];
        let joints = 6..trajectory.dofs;
        let square: f64 = joints.map(|dof| ((after[2][dof] - before[2][dof]) / length).powi(2)).sum();
        sum += length * square / (trajectory.dofs - 6) as f64;
        secs += length;
    }
    (sum / secs).sqrt()
}
