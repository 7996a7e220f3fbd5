//! Knots that are refined until a motion obeys dynamics between them, too.

use super::step::{Iteration, Solved, Watch, solve};
use crate::EditingError;
use crate::adapt::problem::{Grid, Problem, Trajectory, between};
use std::collections::HashSet;

/// No span gets shorter than this: jerk and torques grow as touchdowns are chased, s.
const SHORTEST_SPAN_SECS: f64 = 0.005;
/// Where so many times too much is left unexplained (a tenth of body weight), a span may be halved once more.
const MUCH_TOO_LONG: f64 = 4.0;

/// A trajectory that was refined, with every iteration it took.
pub struct Refined {
    pub solved: Solved,
    /// Iterations of the first grid, then of each refinement.
    pub rounds: Vec<Vec<Iteration>>,
}

/// Solves, looks between the points, bisects spans that leave too much unexplained, and solves again.
pub fn solve_refined(
    problem: &mut Problem<'_>,
    start: Trajectory,
    most: usize,
    rounds: usize,
    warm: &HashSet<u64>,
    watch: &mut Watch<'_>,
) -> Result<Refined, EditingError> {
    let mut solved = solve(problem, start, most, warm, watch)?;
    let mut all_rounds = vec![solved.iterations.clone()];
    let (_, mut of_span) = between(problem, &solved.trajectory);
    for _ in 0..rounds {
        if !solved.status.is_met() {
            break;
        }
        let Some(grid) = bisected(&problem.grid, &of_span)? else { break };
        let start = solved.trajectory.on_grid(grid.clone())?;
        problem.refresh(grid);
        solved = solve(problem, start, most, &solved.active, watch)?;
        all_rounds.push(solved.iterations.clone());
        (_, of_span) = between(problem, &solved.trajectory);
    }
    Ok(Refined { solved, rounds: all_rounds })
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
