//! Minimum-norm steps (equations 4 and 5) until every row is met: quadratic programmes on the band, then a line search.

use super::motion::Trajectory;
use super::norm::{matrix, pull};
use super::problem::{KnotPlan, Problem};
use super::rows::{Evaluator, Group, Row};
use crate::EditingError;
use aplomb_numerics::{BandQp, QpSolution, QpStatus, Rows, SymmetricProfile};
use glam::DVec3;
use std::collections::{BTreeMap, HashSet};

/// How far each group is from being met, in its own unit: the worst row.
pub(super) type Residuals = BTreeMap<Group, f64>;

/// One iteration, for the report and for those who wait.
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    pub residuals: Residuals,
    /// Of the step taken; 1 is a whole one.
    pub step: f64,
    pub factorisations: usize,
    pub by_interior_point: bool,
}

impl Iteration {
    /// A step of so much of a programme's solution.
    pub fn of(residuals: Residuals, step: f64, solution: &QpSolution) -> Self {
        let QpSolution { factorisations, by_interior_point, .. } = *solution;
        Self { residuals, step, factorisations, by_interior_point }
    }
}

/// Names of a solution's active rows.
pub(super) fn active_of(ids: &[u64], solution: &QpSolution) -> HashSet<u64> {
    ids.iter().zip(&solution.active).filter(|(_, active)| **active).map(|(id, _)| *id).collect()
}

/// How a solve ended.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    pub trajectory: Trajectory,
    pub iterations: Vec<Iteration>,
    pub residuals: Residuals,
    pub is_converged: bool,
    /// Unknowns, equalities and inequalities of the last programme.
    pub sizes: [usize; 3],
    /// Rows that were active.
    pub active: HashSet<u64>,
}

/// Told of each iteration; stops the solve by saying `false`.
pub(super) type Watch<'w> = dyn FnMut(&Iteration) -> bool + 'w;

/// Goals that can be met take whole steps; after so many short or impossible ones they cannot be.
const VAIN_STEPS: usize = 4;

/// Where unknowns stand: block b holds control point b, then the forces of knot b − 2, the last one whose rows it belongs to.
pub(super) struct Layout {
    pub dofs: usize,
    pub block_start: Vec<usize>,
}

impl Layout {
    pub fn new(evaluator: &Evaluator<'_, '_>, dofs: usize) -> Self {
        let mut block_start = vec![0];
        let mut end = 0;
        for block in 0..evaluator.plans.len() + 2 {
            let of_knot = block.checked_sub(2).map_or(0, |knot| 3 * evaluator.plans[knot].forces.len());
            end += dofs + of_knot;
            block_start.push(end);
        }
        Self { dofs, block_start }
    }

    pub fn size(&self) -> usize {
        self.block_start.last().copied().unwrap_or(0)
    }

    pub fn control(&self, control: usize) -> usize {
        self.block_start[control]
    }

    pub fn force(&self, knot: usize, slot: usize) -> usize {
        self.block_start[knot + 2] + self.dofs + 3 * slot
    }
}

impl Layout {
    /// A row over neighbouring unknowns: the first of them, and the numbers.
    pub fn numbers(&self, row: &Row<'_>) -> (usize, Vec<f64>) {
        let (first, count) = (row.point.first, row.point.count);
        let start = self.block_start[first];
        let mut numbers = vec![0.0; self.block_start[first + count] - start];
        for slot in 0..count {
            let at = self.control(first + slot) - start;
            for (order, by) in row.by.iter().enumerate() {
                let weight = row.point.weights[order][slot];
                if weight != 0.0 && !by.is_empty() {
                    numbers[at..at + self.dofs].iter_mut().zip(*by).for_each(|(sum, by)| *sum += weight * by);
                }
            }
        }
        if !row.by_force.is_empty() {
            let at = self.force(first, 0) - start;
            numbers[at..at + row.by_force.len()].copy_from_slice(row.by_force);
        }
        (start, numbers)
    }
}

/// Steps until all rows are met, at most `most` of them.
pub(super) fn solve(
    problem: &Problem<'_>,
    start: Trajectory,
    most: usize,
    warm: &HashSet<u64>,
    watch: &mut Watch<'_>,
) -> Result<Solved, EditingError> {
    let mut evaluator = Evaluator::new(problem);
    let layout = Layout::new(&evaluator, problem.coordinates.count);
    let reach = (!problem.actuated.is_empty()).then_some(2);
    let hessian = matrix(problem, &evaluator, &layout, reach, 1.0);
    let mut trajectory = start;
    clear_forces(&evaluator, &mut trajectory);
    let mut iterations = Vec::new();
    let mut active = warm.clone();
    let mut sizes = [layout.size(), 0, 0];
    let mut vain = 0;
    loop {
        let (mut qp, ids, residuals) = linearise(&mut evaluator, &layout, &hessian, &trajectory, false);
        if let Some(origin) = &problem.origin {
            pull(problem, &layout, &trajectory, origin, &mut qp.gradient);
        }
        sizes = [sizes[0], qp.equal.len(), qp.least.len()];
        let is_converged = is_met(&residuals);
        if is_converged
            || iterations.len() >= most
            || vain >= VAIN_STEPS
            || residuals.values().any(|value| !value.is_finite())
        {
            return Ok(Solved { trajectory, iterations, residuals, is_converged, sizes, active });
        }
        let guess: Vec<bool> = ids.iter().map(|id| active.contains(id)).collect();
        let Ok(solution) = qp.solve(&guess) else {
            // Rows that are no numbers any more, or so large that they might as well not be: the goals are out of reach.
            return Ok(Solved { trajectory, iterations, residuals, is_converged, sizes, active });
        };
        active = active_of(&ids, &solution);
        let before = merit(&mut evaluator, &trajectory);
        let mut step = 1.0;
        let moved = loop {
            let moved = moved(&evaluator.plans, &layout, &trajectory, &solution.x, step);
            let after = merit(&mut evaluator, &moved);
            // Any decrease will do: whole steps are what brings the quadratic end.
            if after < before || (step < 0.05 && after.is_finite()) {
                break Some(moved);
            }
            if step < 1e-3 {
                break None;
            }
            step *= 0.5;
        };
        let Some(moved) = moved else {
            return Ok(Solved { trajectory, iterations, residuals, is_converged, sizes, active });
        };
        trajectory = moved;
        trajectory.torques = evaluator.torques(&trajectory);
        vain += usize::from(step < 0.3 || solution.status == QpStatus::Infeasible);
        let iteration = Iteration::of(residuals, step, &solution);
        let goes_on = watch(&iteration);
        iterations.push(iteration);
        if !goes_on {
            return Err(EditingError::Cancelled);
        }
    }
}

/// Forces where the plan knows none are zero: a start may come from another plan.
fn clear_forces(evaluator: &Evaluator<'_, '_>, trajectory: &mut Trajectory) {
    for (knot, plan) in evaluator.plans.iter().enumerate() {
        for (touch, forces) in trajectory.forces.iter_mut().enumerate() {
            if plan.forces.iter().all(|(known, _)| *known != touch) {
                forces[knot] = DVec3::ZERO;
            }
        }
    }
}

pub(super) fn is_met(residuals: &Residuals) -> bool {
    residuals.iter().all(|(group, value)| *value <= group.tolerance())
}

/// The programme at a trajectory, the names of its inequalities, and how far rows are from being met; `hard_only` leaves out what is not held to.
pub(super) fn linearise(
    evaluator: &mut Evaluator<'_, '_>,
    layout: &Layout,
    hessian: &SymmetricProfile,
    trajectory: &Trajectory,
    hard_only: bool,
) -> (BandQp, Vec<u64>, Residuals) {
    let (mut equal, mut least) = (Rows::default(), Rows::default());
    let mut ids = Vec::new();
    let mut residuals = Residuals::new();
    let mut sum = hessian.clone();
    let mut gradient = vec![0.0; layout.size()];
    evaluator.rows(trajectory, true, &mut |row| {
        if row.weight.is_none() {
            note(&mut residuals, row.group, row.is_equal, row.value);
        }
        if hard_only && row.weight.is_some() {
            return;
        }
        let (start, numbers) = layout.numbers(&row);
        if let Some(weight) = row.weight {
            soften(&mut sum, &mut gradient, start, &numbers, row.value, weight);
            return;
        }
        let rows = if row.is_equal { &mut equal } else { &mut least };
        rows.push(start, &numbers, -row.value);
        if !row.is_equal {
            ids.push(row.id);
        }
    });
    (BandQp { hessian: sum, gradient, equal, least }, ids, residuals)
}

/// Adds ½ w (value + row · δ)² to what is minimised.
pub(super) fn soften(
    hessian: &mut SymmetricProfile,
    gradient: &mut [f64],
    start: usize,
    numbers: &[f64],
    value: f64,
    weight: f64,
) {
    for (i, a) in numbers.iter().enumerate().filter(|(_, a)| **a != 0.0) {
        gradient[start + i] += weight * value * a;
        let scaled = weight * a;
        for (j, b) in numbers[..=i].iter().enumerate() {
            hessian.add(start + i, start + j, scaled * b);
        }
    }
}

/// Group, value and derivative along a direction, of every row: what a test of derivatives needs.
#[cfg(test)]
pub(super) fn linear_forms(
    problem: &Problem<'_>,
    trajectory: &Trajectory,
    direction: &Trajectory,
) -> Vec<(Group, f64, f64)> {
    let mut evaluator = Evaluator::new(problem);
    let plans = evaluator.plans.clone();
    let mut forms = Vec::new();
    let mut sample: [Vec<f64>; 3] = Default::default();
    evaluator.rows(trajectory, true, &mut |row| {
        direction.sample(row.point, &mut sample);
        let along =
            row.by.iter().zip(&sample).map(|(by, change)| by.iter().zip(change).map(|(a, b)| a * b).sum::<f64>());
        let mut sum: f64 = along.sum();
        for (slot, &(touch, _)) in plans[row.point.first].forces.iter().enumerate() {
            if let Some(by) = row.by_force.get(3 * slot..3 * slot + 3) {
                sum += DVec3::from_slice(by).dot(direction.forces[touch][row.point.first]);
            }
        }
        forms.push((row.group, row.value, sum));
    });
    forms
}

fn note(residuals: &mut Residuals, group: Group, is_equal: bool, value: f64) {
    let off = if is_equal { value.abs() } else { (-value).max(0.0) };
    let worst = residuals.entry(group).or_insert(0.0);
    *worst = if off.is_nan() { f64::NAN } else { worst.max(off) };
}

/// Squares of what is off, each over its tolerance.
pub(super) fn merit(evaluator: &mut Evaluator<'_, '_>, trajectory: &Trajectory) -> f64 {
    let mut sum = 0.0;
    evaluator.rows(trajectory, false, &mut |row| {
        if row.weight.is_some() {
            return;
        }
        let off = if row.is_equal { row.value } else { row.value.min(0.0) };
        sum += (off / row.group.tolerance()).powi(2);
    });
    sum
}

pub(super) fn moved(
    plans: &[KnotPlan],
    layout: &Layout,
    from: &Trajectory,
    direction: &[f64],
    step: f64,
) -> Trajectory {
    let mut moved = from.clone();
    for control in 0..from.grid.control_count() {
        let at = layout.control(control);
        let own = &mut moved.controls[control * layout.dofs..(control + 1) * layout.dofs];
        own.iter_mut().zip(&direction[at..]).for_each(|(own, change)| *own += step * change);
    }
    for (knot, plan) in plans.iter().enumerate() {
        for (slot, (touch, _)) in plan.forces.iter().enumerate() {
            let at = layout.force(knot, slot);
            moved.forces[*touch][knot] += DVec3::from_slice(&direction[at..at + 3]) * step;
        }
    }
    moved
}
