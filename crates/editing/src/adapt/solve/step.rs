//! Minimum-norm steps (equations 4 and 5) until every row is met: quadratic programmes on the band, then a line search.

use super::status::SolveStatus;
use crate::EditingError;
use crate::adapt::problem::{BlockLayout, Evaluator, KnotPlan, Problem, RowKind, Trajectory, matrix, pull};
use aplomb_numerics::{BandQp, QpSolution, QpStatus, Rows, SymmetricProfile};
use glam::DVec3;
use std::collections::{BTreeMap, HashSet};

/// How far each group is from being met, in its own unit: the worst row.
pub type Residuals = BTreeMap<RowKind, f64>;

/// One iteration, for the report and for progress.
#[derive(Clone, Debug)]
pub struct Iteration {
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
pub fn active_of(ids: &[u64], solution: &QpSolution) -> HashSet<u64> {
    ids.iter().zip(&solution.active).filter(|(_, active)| **active).map(|(id, _)| *id).collect()
}

/// How a solve ended.
#[derive(Clone, Debug)]
pub struct Solved {
    pub trajectory: Trajectory,
    pub iterations: Vec<Iteration>,
    pub residuals: Residuals,
    pub status: SolveStatus,
    /// Unknowns, equalities and inequalities of the last programme.
    pub sizes: [usize; 3],
    /// Rows that were active.
    pub active: HashSet<u64>,
}

/// Called with each iteration; `false` stops the solve.
pub type Watch<'w> = dyn FnMut(&Iteration) -> bool + 'w;

/// Goals that can be met take whole steps; after so many short or impossible ones they cannot be.
const VAIN_STEPS: usize = 4;

/// Steps until all rows are met, at most `most` of them.
pub fn solve(
    problem: &Problem<'_>,
    start: Trajectory,
    most: usize,
    warm: &HashSet<u64>,
    watch: &mut Watch<'_>,
) -> Result<Solved, EditingError> {
    let mut evaluator = Evaluator::new(problem);
    let layout = BlockLayout::new(&evaluator, problem.coordinates.count);
    let reach = (!problem.constraints.actuated.is_empty()).then_some(2);
    let hessian = matrix(problem, &evaluator, &layout, reach, 1.0);
    let mut trajectory = start;
    clear_forces(&evaluator, &mut trajectory);
    let mut iterations = Vec::new();
    let mut active = warm.clone();
    let (mut vain, mut was_infeasible) = (0, false);
    loop {
        let (mut qp, ids, residuals) = linearise(&mut evaluator, &layout, &hessian, &trajectory, false);
        if let Some(origin) = &problem.origin {
            pull(problem, &layout, &trajectory, origin, &mut qp.gradient);
        }
        let sizes = [layout.size(), qp.equal.len(), qp.least.len()];
        if let Some(status) = ended(&residuals, iterations.len() >= most, vain >= VAIN_STEPS, was_infeasible) {
            return Ok(Solved { trajectory, iterations, residuals, status, sizes, active });
        }
        let guess: Vec<bool> = ids.iter().map(|id| active.contains(id)).collect();
        let Ok(solution) = qp.solve(&guess) else {
            let status = SolveStatus::NotFinite;
            return Ok(Solved { trajectory, iterations, residuals, status, sizes, active });
        };
        active = active_of(&ids, &solution);
        let Some((moved, step)) = line_search(&mut evaluator, &layout, &trajectory, &solution.x) else {
            let status = SolveStatus::Stalled;
            return Ok(Solved { trajectory, iterations, residuals, status, sizes, active });
        };
        trajectory = moved;
        trajectory.torques = evaluator.torques(&trajectory);
        let is_infeasible = solution.status == QpStatus::Infeasible;
        was_infeasible |= is_infeasible;
        vain += usize::from(step < 0.3 || is_infeasible);
        let iteration = Iteration::of(residuals, step, &solution);
        let goes_on = watch(&iteration);
        iterations.push(iteration);
        if !goes_on {
            return Err(EditingError::Cancelled);
        }
    }
}

/// Whether and how a solve ends before its next step.
fn ended(residuals: &Residuals, is_at_limit: bool, is_vain: bool, was_infeasible: bool) -> Option<SolveStatus> {
    if is_met(residuals) {
        Some(SolveStatus::Met)
    } else if residuals.values().any(|value| !value.is_finite()) {
        Some(SolveStatus::NotFinite)
    } else if is_vain && was_infeasible {
        Some(SolveStatus::Infeasible(unmet(residuals).collect()))
    } else if is_vain {
        Some(SolveStatus::Stalled)
    } else {
        is_at_limit.then_some(SolveStatus::LimitReached)
    }
}

/// The longest of a step, its half, its quarter … that makes anything better, and how long it is. Any decrease will do:
/// whole steps are what brings the quadratic end.
fn line_search(
    evaluator: &mut Evaluator<'_, '_>,
    layout: &BlockLayout,
    from: &Trajectory,
    direction: &[f64],
) -> Option<(Trajectory, f64)> {
    let before = merit(evaluator, from);
    let mut step = 1.0;
    loop {
        let moved = moved(&evaluator.plans, layout, from, direction, step);
        let after = merit(evaluator, &moved);
        if after < before || (step < 0.05 && after.is_finite()) {
            return Some((moved, step));
        }
        if step < 1e-3 {
            return None;
        }
        step *= 0.5;
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

pub fn is_met(residuals: &Residuals) -> bool {
    unmet(residuals).next().is_none()
}

/// Kinds of rows that are not met, or no numbers.
pub fn unmet(residuals: &Residuals) -> impl Iterator<Item = RowKind> {
    let is_met = |group: &RowKind, value: f64| value <= group.tolerance();
    residuals.iter().filter(move |(group, value)| !is_met(group, **value)).map(|(group, _)| *group)
}

/// The programme at a trajectory, the names of its inequalities, and how far rows are from being met; `hard_only`
/// leaves out what is not held to.
pub fn linearise(
    evaluator: &mut Evaluator<'_, '_>,
    layout: &BlockLayout,
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
pub fn soften(
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

/// RowKind, value and derivative along a direction, of every row: what a test of derivatives needs.
#[cfg(test)]
pub fn linear_forms(
    problem: &Problem<'_>,
    trajectory: &Trajectory,
    direction: &Trajectory,
) -> Vec<(RowKind, f64, f64)> {
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

fn note(residuals: &mut Residuals, group: RowKind, is_equal: bool, value: f64) {
    let off = if is_equal { value.abs() } else { (-value).max(0.0) };
    let worst = residuals.entry(group).or_insert(0.0);
    *worst = if off.is_nan() { f64::NAN } else { worst.max(off) };
}

/// Squares of what is off, each over its tolerance.
pub fn merit(evaluator: &mut Evaluator<'_, '_>, trajectory: &Trajectory) -> f64 {
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

pub fn moved(plans: &[KnotPlan], layout: &BlockLayout, from: &Trajectory, direction: &[f64], step: f64) -> Trajectory {
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
