//! What the paper compares with (section 5.5): a trajectory that is optimal by torques or smoothness, by sequential quadratic programming on the
//! same rows. Objectives are sums of squares, so that their curvature is that of their linear rows (Gauss–Newton).

use super::goal_parts::Objective;
use super::motion::Trajectory;
use super::problem::Problem;
use super::rows::Evaluator;
use super::solve::{Iteration, Layout, Solved, Watch, is_met, linearise, merit, metric, moved, soften};
use crate::EditingError;
use std::collections::HashSet;

/// Iterations at most.
const MOST_ITERATIONS: usize = 60;
/// Done when the objective falls by less than this share in a step, twice.
const DONE: f64 = 2e-3;
/// Part of the change's norm that is minimised besides: it fills directions in which the objective is flat.
const PROXIMAL: f64 = 0.05;
/// Weight of what is off, in tolerances, against the objective over that of the start.
const PENALTY: f64 = 1e-3;

/// What an optimisation did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Optimised {
    /// The objective over that of the start.
    pub share: f64,
    pub iterations: usize,
}

/// Minimises an objective under a problem's rows.
pub(super) fn optimise(
    problem: &Problem<'_>,
    start: Trajectory,
    objective: Objective,
    warm: &HashSet<u64>,
    watch: &mut Watch<'_>,
) -> Result<(Solved, Optimised), EditingError> {
    let mut evaluator = Evaluator::new(problem);
    let plans = evaluator.plans.clone();
    let layout = Layout::new(&evaluator, problem.coordinates.count);
    let reach = if objective == Objective::TorqueSmoothness { 4 } else { 2 };
    let norm = metric(problem, &evaluator, &layout, Some(reach), PROXIMAL);
    // Torque rows tell torques themselves, not their change.
    let zero = vec![vec![0.0; problem.grid.len()]; problem.actuated.len()];
    let mut trajectory = Trajectory { torques: zero, ..start };
    let mut active = warm.clone();
    let mut iterations: Vec<Iteration> = Vec::new();
    let of_start = value_of(&mut evaluator, &trajectory, objective).max(1e-12);
    let mut before = of_start;
    let mut calm = 0;
    loop {
        let (mut qp, ids, residuals) = linearise(&mut evaluator, &layout, &norm, &trajectory, true);
        let terms = terms(&mut evaluator, &layout, &trajectory, objective);
        for term in &terms {
            let weight = term.weight / of_start;
            soften(&mut qp.hessian, &mut qp.gradient, term.start, &term.numbers, term.value, weight);
        }
        let is_converged = is_met(&residuals) && calm >= 2;
        let sizes = [layout.size(), qp.equal.len(), qp.least.len()];
        let done = Optimised { share: before / of_start, iterations: iterations.len() };
        if is_converged || iterations.len() >= MOST_ITERATIONS {
            let is_converged = is_met(&residuals);
            return Ok((Solved { trajectory, iterations, residuals, is_converged, sizes, active }, done));
        }
        let guess: Vec<bool> = ids.iter().map(|id| active.contains(id)).collect();
        let Ok(solution) = qp.solve(&guess) else {
            return Ok((Solved { trajectory, iterations, residuals, is_converged: false, sizes, active }, done));
        };
        active = ids.iter().zip(&solution.active).filter(|(_, active)| **active).map(|(id, _)| *id).collect();
        let mut judge = |trajectory: &Trajectory| {
            let value = value_of(&mut evaluator, trajectory, objective);
            (value / of_start + PENALTY * merit(&mut evaluator, trajectory).sqrt(), value)
        };
        let (now, _) = judge(&trajectory);
        let mut step = 1.0;
        let (next, value) = loop {
            let next = moved(&plans, &layout, &trajectory, &solution.x, step);
            let (then, value) = judge(&next);
            if then < now || step < 0.1 {
                break (next, value);
            }
            step *= 0.5;
        };
        calm = if (before - value).abs() < DONE * before { calm + 1 } else { 0 };
        (trajectory, before) = (next, value);
        let iteration = Iteration {
            residuals,
            step,
            factorisations: solution.factorisations,
            by_interior_point: solution.by_interior_point,
        };
        let goes_on = watch(&iteration);
        iterations.push(iteration);
        if !goes_on {
            return Err(EditingError::Cancelled);
        }
    }
}

/// ½ weight (value + numbers · δ)².
struct Term {
    start: usize,
    numbers: Vec<f64>,
    value: f64,
    weight: f64,
}

fn value_of(evaluator: &mut Evaluator<'_, '_>, trajectory: &Trajectory, objective: Objective) -> f64 {
    let problem = evaluator.problem;
    match objective {
        Objective::KinematicSmoothness => {
            let mut sample: [Vec<f64>; 3] = Default::default();
            let of_knot = (0..problem.grid.len()).map(|knot| {
                trajectory.sample(&problem.grid.at_knots[knot], &mut sample);
                problem.grid.share_secs(knot) * sample[2][6..].iter().map(|second| second * second).sum::<f64>()
            });
            of_knot.sum()
        }
        _ => {
            let torques = evaluator.torques(trajectory);
            let of_axis = torques.iter().map(|own| {
                let all = 0..problem.grid.len();
                all.map(|knot| match objective {
                    Objective::Torque => problem.grid.share_secs(knot) * own[knot] * own[knot],
                    _ => second_difference(problem, knot).map_or(0.0, |[(a, da), (b, db), (c, dc)]| {
                        problem.grid.share_secs(knot) * (da * own[a] + db * own[b] + dc * own[c]).powi(2)
                    }),
                })
                .sum::<f64>()
            });
            of_axis.sum()
        }
    }
}

/// Knots and weights of a second derivative by divided differences; none at the ends.
fn second_difference(problem: &Problem<'_>, knot: usize) -> Option<[(usize, f64); 3]> {
    let knots = &problem.grid.knots_secs;
    let before = knot.checked_sub(1)?;
    let (h, k) = (knots[knot] - knots[before], knots.get(knot + 1)? - knots[knot]);
    Some([(before, 2.0 / (h * (h + k))), (knot, -2.0 / (h * k)), (knot + 1, 2.0 / (k * (h + k)))])
}

fn terms(
    evaluator: &mut Evaluator<'_, '_>,
    layout: &Layout,
    trajectory: &Trajectory,
    objective: Objective,
) -> Vec<Term> {
    let problem = evaluator.problem;
    if objective == Objective::KinematicSmoothness {
        return bends(problem, layout, trajectory);
    }
    // Torque rows by knot, in the order of the axes.
    let mut by_knot: Vec<Vec<Term>> = (0..problem.grid.len()).map(|_| Vec::new()).collect();
    evaluator.rows(trajectory, true, &mut |row| {
        if row.weight.is_some() {
            let (start, numbers) = layout.numbers(&row);
            let weight = problem.grid.share_secs(row.point.first);
            by_knot[row.point.first].push(Term { start, numbers, value: row.value, weight });
        }
    });
    if objective == Objective::Torque {
        return by_knot.into_iter().flatten().collect();
    }
    let mut terms = Vec::new();
    for knot in 0..problem.grid.len() {
        let Some(three) = second_difference(problem, knot) else { continue };
        let [a, b, c] = three.map(|(at, _)| &by_knot[at]);
        for ((a, b), c) in a.iter().zip(b).zip(c) {
            let parts = [(a, three[0].1), (b, three[1].1), (c, three[2].1)];
            let start = parts[0].0.start;
            let end = parts.iter().map(|(part, _)| part.start + part.numbers.len()).max().unwrap_or(start);
            let mut numbers = vec![0.0; end - start];
            let mut value = 0.0;
            for (part, factor) in parts {
                value += factor * part.value;
                let into = &mut numbers[part.start - start..];
                into.iter_mut().zip(&part.numbers).for_each(|(sum, number)| *sum += factor * number);
            }
            terms.push(Term { start, numbers, value, weight: problem.grid.share_secs(knot) });
        }
    }
    terms
}

fn bends(problem: &Problem<'_>, layout: &Layout, trajectory: &Trajectory) -> Vec<Term> {
    let mut sample: [Vec<f64>; 3] = Default::default();
    let mut terms = Vec::new();
    for (knot, point) in problem.grid.at_knots.iter().enumerate() {
        trajectory.sample(point, &mut sample);
        for dof in 6..trajectory.dofs {
            let start = layout.control(knot) + dof;
            let mut numbers = vec![0.0; layout.control(knot + 2) + dof + 1 - start];
            for slot in 0..3 {
                numbers[layout.control(knot + slot) + dof - start] = point.weights[2][slot];
            }
            terms.push(Term { start, numbers, value: sample[2][dof], weight: problem.grid.share_secs(knot) });
        }
    }
    terms
}
