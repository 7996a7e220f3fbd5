//! The size of a change, ‖δ‖² (see [`Metric`]): as a matrix over the unknowns, as a pull towards a motion, and as a
//! number.
//!
//! Integrals are by the trapezium rule over the knots, which couples three control points instead of four. The matrix
//! is definite, because a cubic spline whose values and second derivatives vanish at all knots is zero.

use super::grid::Grid;
use super::layout::BlockLayout;
use super::metric::Metric;
use super::problem::Problem;
use super::rows::Evaluator;
use super::trajectory::Trajectory;
use aplomb_numerics::SymmetricProfile;

/// What squares of value, rate and second derivative at a knot weigh.
type Share = [f64; 3];

/// ∫ (δ² + β δ̈²) around a knot. Beyond an end, a change goes on as fast as it is there for as long as the metric says:
/// ∫ (δ̇ t)² dt = δ̇² T³ / 3.
fn share(metric: &Metric, grid: &Grid, knot: usize) -> Share {
    let secs = grid.share_secs(knot);
    let is_end = [knot == 0, knot + 1 == grid.len()];
    let ends = metric.ends_secs.iter().zip(is_end).filter(|(_, is_end)| *is_end);
    let by_rate = ends.map(|(beyond_secs, _)| beyond_secs.powi(3) / 3.0).sum();
    [secs, by_rate, secs * metric.smoothness]
}

/// W. Rows of torques put everything about a knot together: with `reach`, unknowns are coupled with all of so many
/// control points before them.
pub fn matrix(
    problem: &Problem<'_>,
    evaluator: &Evaluator<'_, '_>,
    layout: &BlockLayout,
    reach: Option<usize>,
    scale: f64,
) -> SymmetricProfile {
    let dofs = layout.dofs;
    let mut first: Vec<usize> = (0..layout.size()).collect();
    for control in 2..problem.grid.control_count() {
        for dof in 0..dofs {
            first[layout.control(control) + dof] = layout.control(control - 2) + dof;
        }
    }
    if problem.grid.control_count() > 1 {
        (0..dofs).for_each(|dof| first[layout.control(1) + dof] = layout.control(0) + dof);
    }
    let slot_before = |knot: usize, touch: usize| {
        let before = knot.checked_sub(1)?;
        let slot = evaluator.plans[before].forces.iter().position(|(other, _)| *other == touch)?;
        Some(layout.force(before, slot))
    };
    for (knot, plan) in evaluator.plans.iter().enumerate() {
        for (slot, (touch, _)) in plan.forces.iter().enumerate() {
            if let Some(before) = slot_before(knot, *touch) {
                (0..3).for_each(|axis| first[layout.force(knot, slot) + axis] = before + axis);
            }
        }
    }
    if let Some(reach) = reach {
        for block in 0..problem.grid.control_count() {
            let start = layout.block_start[block.saturating_sub(reach)];
            first[layout.block_start[block]..layout.block_start[block + 1]].fill(start);
        }
    }
    let mut matrix = SymmetricProfile::zero(first);
    let metric = &problem.metric;
    for (knot, point) in problem.grid.at_knots.iter().enumerate() {
        let share = share(metric, &problem.grid, knot);
        for i in 0..3 {
            for j in 0..=i {
                let both: f64 = share.iter().zip(&point.weights).map(|(share, own)| share * own[i] * own[j]).sum();
                if both == 0.0 {
                    continue;
                }
                for (dof, weight) in metric.weights.iter().enumerate() {
                    let (row, column) = (layout.control(knot + i) + dof, layout.control(knot + j) + dof);
                    matrix.add(row, column, scale * weight * both);
                }
            }
        }
    }
    for (knot, plan) in evaluator.plans.iter().enumerate() {
        for (slot, (touch, _)) in plan.forces.iter().enumerate() {
            let own = layout.force(knot, slot);
            let before = slot_before(knot, *touch);
            let has_after = evaluator.plans.get(knot + 1).is_some();
            for axis in 0..3 {
                // Differences to both neighbours; where the force is zero there it is not an unknown.
                let neighbours = f64::from(u8::from(knot > 0)) + f64::from(u8::from(has_after));
                let secs = problem.grid.share_secs(knot);
                let diagonal = metric.force * secs + metric.force_change * neighbours;
                matrix.add(own + axis, own + axis, scale * diagonal);
                if let Some(before) = before {
                    matrix.add(own + axis, before + axis, -scale * metric.force_change);
                }
            }
        }
    }
    matrix
}

/// Adds the gradient of ½‖q − q̄‖², without forces: a step then ends where it is least, not where the step is.
pub fn pull(
    problem: &Problem<'_>,
    layout: &BlockLayout,
    trajectory: &Trajectory,
    origin: &Trajectory,
    gradient: &mut [f64],
) {
    let metric = &problem.metric;
    each_knot(metric, trajectory, origin, |knot, share, apart| {
        let point = &trajectory.grid.at_knots[knot];
        for slot in 0..3 {
            let at = layout.control(knot + slot);
            for (dof, weight) in metric.weights.iter().enumerate() {
                let along = (0..3).map(|order| share[order] * point.weights[order][slot] * apart[order][dof]);
                gradient[at + dof] += weight * along.sum::<f64>();
            }
        }
    });
}

/// ‖a − b‖² without forces.
pub fn norm(metric: &Metric, a: &Trajectory, b: &Trajectory) -> f64 {
    let mut sum = 0.0;
    each_knot(metric, a, b, |_, share, apart| {
        for (dof, weight) in metric.weights.iter().enumerate() {
            sum += weight * (0..3).map(|order| share[order] * apart[order][dof].powi(2)).sum::<f64>();
        }
    });
    sum
}

/// Value, rate and second derivative of a − b at every knot of a.
fn each_knot(metric: &Metric, a: &Trajectory, b: &Trajectory, mut look: impl FnMut(usize, &Share, &[Vec<f64>; 3])) {
    let (mut apart, mut of_b): ([Vec<f64>; 3], [Vec<f64>; 3]) = Default::default();
    for (knot, point) in a.grid.at_knots.iter().enumerate() {
        a.sample(point, &mut apart);
        b.sample(&b.grid.at(point.time_secs), &mut of_b);
        for (apart, of_b) in apart.iter_mut().zip(&of_b) {
            apart.iter_mut().zip(of_b).for_each(|(apart, of_b)| *apart -= of_b);
        }
        look(knot, &share(metric, &a.grid, knot), &apart);
    }
}
