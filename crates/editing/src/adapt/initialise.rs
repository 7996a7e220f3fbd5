//! Initialisation (equation 8): the motion nearest to the capture that obeys dynamics, with its forces, on knots that are refined until it
//! does so between them, too.

use super::check::between;
use super::figure::Figure;
use super::grid::Grid;
use super::motion::Trajectory;
use super::problem::{Problem, Stand};
use super::solve::{Iteration, Solved, Watch, solve};
use super::stands::events_secs;
use crate::EditingError;
use aplomb_motion::spline::NaturalSpline;
use std::collections::HashSet;

/// β of the fit, s⁴: changes over 30 ms.
pub(super) const FIT_SMOOTHNESS: f64 = 1e-6;
/// Spans between knots at the start, s.
pub(super) const LONGEST_SPAN_SECS: f64 = 0.05;
/// In flight, where angular momentum has to be kept to a few parts in a hundred, s.
pub(super) const LONGEST_FLIGHT_SPAN_SECS: f64 = 0.025;
/// No span gets shorter than this: jerk and torques grow as touchdowns are chased, s …
const SHORTEST_SPAN_SECS: f64 = 0.005;
/// … but where so many times more is left unexplained than should be (a tenth of body weight), which gets another half.
const MUCH_TOO_LONG: f64 = 4.0;
/// Samples a span at least, when a capture is fitted.
const SAMPLES_A_SPAN: f64 = 4.0;

/// A trajectory that was refined, with every iteration it took.
pub(super) struct Refined {
    pub solved: Solved,
    /// Iterations of the first grid, then of each refinement.
    pub rounds: Vec<Vec<Iteration>>,
}

/// The capture as splines on a grid.
pub(super) fn captured(figure: &Figure, grid: Grid) -> Result<Trajectory, EditingError> {
    let dofs = figure.coordinates.count;
    let shortest = grid.knots_secs.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let duration_secs = figure.times_secs.last().copied().unwrap_or(0.0);
    let count = (duration_secs / shortest * SAMPLES_A_SPAN).ceil().max(8.0) as usize;
    let times_secs: Vec<f64> = (0..=count).map(|index| duration_secs * index as f64 / count as f64).collect();
    let mut samples = vec![0.0; times_secs.len() * dofs];
    for dof in 0..dofs {
        let column: Vec<f64> = figure.samples.iter().skip(dof).step_by(dofs).copied().collect();
        let curve = NaturalSpline::new(&figure.times_secs, &column)
            .map_err(|error| EditingError::Goals { problem: error.to_string() })?;
        for (index, secs) in times_secs.iter().enumerate() {
            samples[index * dofs + dof] = curve.value(*secs);
        }
    }
    Trajectory::fit(grid, dofs, &times_secs, &samples, figure.touches.len())
}

/// The grid of a plan.
pub(super) fn grid_of(stands: &[Stand], duration_secs: f64) -> Result<Grid, EditingError> {
    Grid::on_events(&events_secs(stands, duration_secs), |from, to| {
        let middle = 0.5 * (from + to);
        let is_flight = stands.iter().all(|stand| middle < stand.start_secs || middle > stand.end_secs);
        if is_flight { LONGEST_FLIGHT_SPAN_SECS } else { LONGEST_SPAN_SECS }
    })
}

/// Solves, looks between the points, bisects spans that leave too much unexplained, and solves again.
pub(super) fn solve_refined(
    problem: &mut Problem<'_>,
    figure: &Figure,
    start: Trajectory,
    most: usize,
    rounds: usize,
    warm: &HashSet<u64>,
    watch: &mut Watch<'_>,
) -> Result<Refined, EditingError> {
    let mut solved = solve(problem, start, most, warm, watch)?;
    let mut told = vec![solved.iterations.clone()];
    let (_, mut of_span) = between(problem, figure, &solved.trajectory);
    for _ in 0..rounds {
        if !solved.is_converged {
            break;
        }
        let Some(grid) = bisected(&problem.grid, &of_span)? else { break };
        let start = solved.trajectory.on_grid(grid.clone())?;
        problem.refresh(grid);
        solved = solve(problem, start, most, &solved.active, watch)?;
        told.push(solved.iterations.clone());
        (_, of_span) = between(problem, figure, &solved.trajectory);
    }
    Ok(Refined { solved, rounds: told })
}

fn bisected(grid: &Grid, of_span: &[f64]) -> Result<Option<Grid>, EditingError> {
    let mut knots = Vec::new();
    for (span, pair) in grid.knots_secs.windows(2).enumerate() {
        knots.push(pair[0]);
        let shortest_secs = if of_span[span] > MUCH_TOO_LONG { 0.5 * SHORTEST_SPAN_SECS } else { SHORTEST_SPAN_SECS };
        if of_span[span] > 1.0 && 0.5 * (pair[1] - pair[0]) >= shortest_secs {
            knots.push(0.5 * (pair[0] + pair[1]));
        }
    }
    knots.extend(grid.knots_secs.last());
    if knots.len() == grid.len() { Ok(None) } else { Grid::new(knots).map(Some) }
}
