//! What the paper compares with (section 5.5): a trajectory that is optimal by torques, power, smoothness or displaced
//! mass, by sequential quadratic programming on the same rows. Objectives are sums of squares, so that their curvature
//! is that of their linear rows (Gauss–Newton).

use super::status::SolveStatus;
use super::step::{Iteration, Solved, Watch, active_of, is_met, linearise, merit, moved, soften};
use crate::EditingError;
use crate::adapt::problem::{BlockLayout, Evaluator, Problem, Trajectory, matrix};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Iterations at most.
const MOST_PROGRAMMES: usize = 60;
/// Done when the objective falls by less than this share in a step, twice.
const DONE: f64 = 2e-3;
/// Part of the change's norm that is minimised besides: it fills directions in which the objective is flat.
const PROXIMAL: f64 = 0.05;
/// Weight of what is off, in tolerances, against the objective over that of the start.
const PENALTY: f64 = 1e-3;

/// The unit of displaced mass, since the start has none: as much as everything a centimetre away, all the time, m².
const DISPLACED_M2: f64 = 1e-4;

/// What is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The change from the performance, by minimum-norm steps (paper, section 4).
    #[default]
    Adaptation,
    /// ∫ ‖f̈‖² by sequential quadratic programming: what the paper compares with (section 5.5).
    TorqueSmoothness,
    /// ∫ ‖f‖².
    Torque,
    /// ∫ ‖θ̈‖².
    KinematicSmoothness,
    /// ∫ (f · θ̇)²: what the joints spend.
    Power,
    /// ∫ Σ m ‖c − c̄‖² over links' centres of mass, c̄ being the displaced start.
    MassDisplacement,
}

/// An optimum by an objective.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Optimum {
    /// The objective over that of the displaced start; displaced mass over that of everything a centimetre away.
    pub share_of_start: f64,
    /// Quadratic programmes it took.
    pub iterations: usize,
}

/// Minimises an objective under a problem's rows.
pub fn optimise(
    problem: &Problem<'_>,
    start: Trajectory,
    objective: Objective,
    warm: &HashSet<u64>,
    watch: &mut Watch<'_>,
) -> Result<(Solved, Optimum), EditingError> {
    let mut evaluator = Evaluator::new(problem);
    let plans = evaluator.plans.clone();
    let layout = BlockLayout::new(&evaluator, problem.coordinates.count);
    let reach = if objective == Objective::TorqueSmoothness { 4 } else { 2 };
    let norm = matrix(problem, &evaluator, &layout, Some(reach), PROXIMAL);
    // Torque rows give torques themselves, not their change.
    let zero = vec![vec![0.0; problem.grid.len()]; problem.constraints.actuated.len()];
    let mut trajectory = Trajectory { torques: zero, ..start };
    let mut active = warm.clone();
    let mut iterations: Vec<Iteration> = Vec::new();
    let origins = origins(&mut evaluator, &trajectory, objective);
    let mut before = value_of(&mut evaluator, &trajectory, objective, &origins);
    let end_secs = problem.grid.knots_secs.last().copied().unwrap_or(0.0);
    let of_start = if objective == Objective::MassDisplacement { DISPLACED_M2 * end_secs } else { before }.max(1e-12);
    let mut calm = 0;
    loop {
        let (mut qp, ids, residuals) = linearise(&mut evaluator, &layout, &norm, &trajectory, true);
        let terms = terms(&mut evaluator, &layout, &trajectory, objective, &origins);
        for term in &terms {
            let weight = term.weight / of_start;
            soften(&mut qp.hessian, &mut qp.gradient, term.start, &term.numbers, term.value, weight);
        }
        let is_met = is_met(&residuals);
        let sizes = [layout.size(), qp.equal.len(), qp.least.len()];
        let done = Optimum { share_of_start: before / of_start, iterations: iterations.len() };
        if is_met && calm >= 2 || iterations.len() >= MOST_PROGRAMMES {
            let status = if is_met { SolveStatus::Met } else { SolveStatus::LimitReached };
            return Ok((Solved { trajectory, iterations, residuals, status, sizes, active }, done));
        }
        let guess: Vec<bool> = ids.iter().map(|id| active.contains(id)).collect();
        let Ok(solution) = qp.solve(&guess) else {
            let status = SolveStatus::NotFinite;
            return Ok((Solved { trajectory, iterations, residuals, status, sizes, active }, done));
        };
        active = active_of(&ids, &solution);
        let mut judge = |trajectory: &Trajectory| {
            let value = value_of(&mut evaluator, trajectory, objective, &origins);
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
        let iteration = Iteration::of(residuals, step, &solution);
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

/// Where links' masses are at the knots, where an objective is about that; else nothing.
fn origins(evaluator: &mut Evaluator<'_, '_>, trajectory: &Trajectory, objective: Objective) -> Vec<Vec<DVec3>> {
    let knots = 0..evaluator.problem.grid.len();
    match objective {
        Objective::MassDisplacement => knots.map(|knot| evaluator.masses_at_m(trajectory, knot)).collect(),
        _ => Vec::new(),
    }
}

fn value_of(
    evaluator: &mut Evaluator<'_, '_>,
    trajectory: &Trajectory,
    objective: Objective,
    origins: &[Vec<DVec3>],
) -> f64 {
    let problem = evaluator.problem;
    let knots = 0..problem.grid.len();
    let share = |knot: usize| problem.grid.share_secs(knot);
    match objective {
        Objective::KinematicSmoothness => {
            let mut sample: [Vec<f64>; 3] = Default::default();
            let of_knot = knots.map(|knot| {
                trajectory.sample(&problem.grid.at_knots[knot], &mut sample);
                share(knot) * sample[2][6..].iter().map(|second| second * second).sum::<f64>()
            });
            of_knot.sum()
        }
        Objective::MassDisplacement => {
            let shares = evaluator.mass_shares();
            let of_knot = knots.map(|knot| {
                let at_m = evaluator.masses_at_m(trajectory, knot);
                let moved_m = at_m.iter().zip(&origins[knot]).map(|(at, origin)| at.distance_squared(*origin));
                share(knot) * moved_m.zip(&shares).map(|(square, mass)| square * mass).sum::<f64>()
            });
            of_knot.sum()
        }
        Objective::Power => {
            let (torques, rates) = (evaluator.torques(trajectory), evaluator.rates(trajectory));
            let of_axis = || torques.iter().zip(&rates).zip(&problem.constraints.actuated);
            let power = |knot: usize| -> f64 {
                of_axis().map(|((torque, rate), axis)| torque[knot] * axis.unit_nm * rate[knot]).sum()
            };
            knots.map(|knot| share(knot) * power(knot).powi(2)).sum()
        }
        _ => {
            let torques = evaluator.torques(trajectory);
            let of_axis = torques.iter().map(|own| {
                let of_knot = knots.clone().map(|knot| match objective {
                    Objective::Torque => share(knot) * own[knot] * own[knot],
                    _ => second_difference(problem, knot).map_or(0.0, |[(a, da), (b, db), (c, dc)]| {
                        share(knot) * (da * own[a] + db * own[b] + dc * own[c]).powi(2)
                    }),
                });
                of_knot.sum::<f64>()
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
    layout: &BlockLayout,
    trajectory: &Trajectory,
    objective: Objective,
    origins: &[Vec<DVec3>],
) -> Vec<Term> {
    let problem = evaluator.problem;
    match objective {
        Objective::KinematicSmoothness => return bends(problem, layout, trajectory),
        Objective::MassDisplacement => return displacements(evaluator, layout, trajectory, origins),
        _ => {}
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
    match objective {
        Objective::Torque => return by_knot.into_iter().flatten().collect(),
        Objective::Power => return powers(evaluator, layout, trajectory, &by_knot),
        _ => {}
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

/// P = Σ f_i ω_i at every knot, with dP = Σ (ω_i df_i + f_i dω_i).
fn powers(
    evaluator: &mut Evaluator<'_, '_>,
    layout: &BlockLayout,
    trajectory: &Trajectory,
    torques: &[Vec<Term>],
) -> Vec<Term> {
    let problem = evaluator.problem;
    let mut terms = Vec::new();
    for (knot, torques) in torques.iter().enumerate() {
        let Some(first) = torques.first() else { continue };
        let mut power =
            Term { start: first.start, numbers: vec![0.0; first.numbers.len()], value: 0.0, weight: first.weight };
        let mut index = 0;
        evaluator.rate_rows(trajectory, knot, &mut |row| {
            // Both rows are of one knot: they stand over the same unknowns.
            let (torque, unit_nm) = (&torques[index], problem.constraints.actuated[index].unit_nm);
            let (_, by_rate) = layout.numbers(&row);
            power.value += unit_nm * torque.value * row.value;
            for ((sum, by_torque), by_rate) in power.numbers.iter_mut().zip(&torque.numbers).zip(&by_rate) {
                *sum += unit_nm * (row.value * by_torque + torque.value * by_rate);
            }
            index += 1;
        });
        terms.push(power);
    }
    terms
}

/// √m_k (c_k − c̄_k) of every link's centre of mass, axis by axis, masses as shares of the whole.
fn displacements(
    evaluator: &mut Evaluator<'_, '_>,
    layout: &BlockLayout,
    trajectory: &Trajectory,
    origins: &[Vec<DVec3>],
) -> Vec<Term> {
    let problem = evaluator.problem;
    let shares = evaluator.mass_shares();
    let mut terms = Vec::new();
    for (knot, origins) in origins.iter().enumerate() {
        let mut index = 0;
        evaluator.mass_rows(trajectory, knot, &mut |row| {
            let (link, axis) = (index / 3, index % 3);
            let (start, numbers) = layout.numbers(&row);
            let weight = problem.grid.share_secs(knot) * shares[link];
            terms.push(Term { start, numbers, value: row.value - origins[link][axis], weight });
            index += 1;
        });
    }
    terms
}

fn bends(problem: &Problem<'_>, layout: &BlockLayout, trajectory: &Trajectory) -> Vec<Term> {
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

/// How fast an objective changes along a direction of the unknowns, by its terms and by differences: what a test needs.
#[cfg(test)]
pub fn slopes(
    problem: &Problem<'_>,
    trajectory: &Trajectory,
    objective: Objective,
    mut next: impl FnMut() -> f64,
) -> [f64; 2] {
    let mut evaluator = Evaluator::new(problem);
    let plans = evaluator.plans.clone();
    let layout = BlockLayout::new(&evaluator, problem.coordinates.count);
    let direction: Vec<f64> = (0..layout.size()).map(|_| 0.01 * next()).collect();
    let mut origins = origins(&mut evaluator, trajectory, objective);
    // Somewhere else than the start, where displacement has no slope.
    origins.iter_mut().flatten().for_each(|origin| origin.x += 0.1);
    let terms = terms(&mut evaluator, &layout, trajectory, objective, &origins);
    let along = |term: &Term| term.numbers.iter().zip(&direction[term.start..]).map(|(a, b)| a * b).sum::<f64>();
    let slope = terms.iter().map(|term| 2.0 * term.weight * term.value * along(term)).sum();
    const STEP: f64 = 1e-4;
    let [less, more] = [-STEP, STEP].map(|step| {
        value_of(&mut evaluator, &moved(&plans, &layout, trajectory, &direction, step), objective, &origins)
    });
    [slope, (more - less) / (2.0 * STEP)]
}
