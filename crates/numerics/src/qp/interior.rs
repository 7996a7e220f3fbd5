//! The interior point method with Mehrotra's corrector (Nocedal & Wright 2006, algorithm 16.4), infeasible start.

use super::saddle::{Condensed, Saddle, SaddleRow};
use super::{QpSolution, QpStatus, Scaled};
use crate::NumericsError;

/// Rows this short are eliminated into H, where they add nothing to the profile.
const SHORT: usize = 6;
/// Steps at most.
const MOST_INTERIOR_STEPS: usize = 60;
/// Of residuals and of the mean product of slack and multiplier, in unknowns that are scaled to one.
const INTERIOR_TOLERANCE: f64 = 1e-10;
/// Good enough to be called feasible where rounding ends the way to [`INTERIOR_TOLERANCE`].
const NEARLY: f64 = 1e-6;
/// No multiplier of a programme that has a solution gets here.
const RUN_AWAY: f64 = 1e9;
/// Slacks and multipliers stay above this.
const LEAST: f64 = 1e-14;
/// Of the way to the boundary.
const STEP_SHARE: f64 = 0.995;

struct State {
    x: Vec<f64>,
    /// Of rows that hold exactly.
    y: Vec<f64>,
    /// C x − c.
    s: Vec<f64>,
    /// Multipliers of C.
    z: Vec<f64>,
}

struct Residuals {
    dual: Vec<f64>,
    equal: Vec<f64>,
    least: Vec<f64>,
}

/// `softness` lets rows of C give way: C x + softness · z ≥ c.
pub(super) fn solve(programme: &Scaled, softness: f64) -> Result<QpSolution, NumericsError> {
    let count = programme.least.len();
    let mut state = start(programme, softness)?;
    let mut factorisations = 1;
    let mut best = f64::INFINITY;
    let mut stalled = 0;
    for _ in 0..MOST_INTERIOR_STEPS {
        let left = residuals(programme, &state, softness);
        let mu =
            if count == 0 { 0.0 } else { state.s.iter().zip(&state.z).map(|(s, z)| s * z).sum::<f64>() / count as f64 };
        let off = largest(&left.dual).max(largest(&left.equal)).max(largest(&left.least)).max(mu);
        if off < INTERIOR_TOLERANCE {
            break;
        }
        stalled = if off < 0.9 * best { 0 } else { stalled + 1 };
        best = best.min(off);
        // Multipliers that run away prove that rows contradict each other.
        if stalled > 6 || largest(&state.z) > RUN_AWAY {
            break;
        }
        let (rows, condensed) = split(programme, &state, softness);
        let saddle = Saddle::factor(programme, &rows, &condensed, None)?;
        factorisations += 1;
        let products: Vec<f64> = state.s.iter().zip(&state.z).map(|(s, z)| s * z).collect();
        let (_, _, ds, dz) = step(programme, &state, &saddle, &rows, &condensed, &left, &products)?;
        let affine = longest(&state.s, &ds).min(longest(&state.z, &dz));
        let mu_affine = state.s.iter().zip(&ds).zip(state.z.iter().zip(&dz));
        let mu_affine = mu_affine.map(|((s, ds), (z, dz))| (s + affine * ds) * (z + affine * dz)).sum::<f64>();
        let centring = if mu > 0.0 { (mu_affine / count as f64 / mu).powi(3) } else { 0.0 };
        let corrected: Vec<f64> = (0..count).map(|i| products[i] + ds[i] * dz[i] - centring * mu).collect();
        let (dx, dy, ds, dz) = step(programme, &state, &saddle, &rows, &condensed, &left, &corrected)?;
        let length = (STEP_SHARE * longest(&state.s, &ds).min(longest(&state.z, &dz))).min(1.0);
        for (value, change) in [(&mut state.x, &dx), (&mut state.y, &dy), (&mut state.s, &ds), (&mut state.z, &dz)] {
            value.iter_mut().zip(change).for_each(|(value, change)| *value += length * change);
        }
        // Rounding must not take them to zero, by which is divided.
        state.s.iter_mut().chain(&mut state.z).for_each(|value| *value = value.max(LEAST));
    }
    let left = residuals(programme, &state, softness);
    let is_feasible = largest(&left.equal).max(largest(&left.least)) < NEARLY;
    Ok(QpSolution {
        active: state.s.iter().zip(&state.z).map(|(s, z)| z > s).collect(),
        x: state.x,
        equal_multipliers: state.y,
        least_multipliers: state.z,
        factorisations,
        by_interior_point: true,
        status: if is_feasible { QpStatus::Solved } else { QpStatus::Infeasible },
    })
}

/// The programme with slacks in a spring's place, then pushed inside (the start of CVXOPT's solvers).
fn start(programme: &Scaled, softness: f64) -> Result<State, NumericsError> {
    let count = programme.least.len();
    let ones = State { x: Vec::new(), y: Vec::new(), s: vec![1.0; count], z: vec![1.0; count] };
    let (rows, condensed) = split(programme, &ones, softness);
    let saddle = Saddle::factor(programme, &rows, &condensed, None)?;
    let mut a: Vec<f64> = programme.gradient.iter().map(|g| -g).collect();
    for condensed in &condensed {
        let right = programme.least.right[condensed.index];
        programme.least.add_transposed(condensed.index, condensed.weight * right, &mut a);
    }
    let right = |row: &SaddleRow| match row.is_equal {
        true => programme.equal.right[row.index],
        false => programme.least.right[row.index],
    };
    let b: Vec<f64> = rows.iter().map(right).collect();
    let (x, y) = saddle.solve(&a, &b)?;
    let slack: Vec<f64> = (0..count).map(|row| programme.least.dot(row, &x) - programme.least.right[row]).collect();
    let inside = |values: &[f64]| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        // Unknowns of a step are some hundredths in the scaled metric: that far inside is inside.
        let lift = if least < 1e-2 { 1e-2 - least } else { 0.0 };
        values.iter().map(|value| value + lift).collect::<Vec<f64>>()
    };
    let pulled: Vec<f64> = slack.iter().map(|slack| -slack).collect();
    let y = rows.iter().zip(&y).filter(|(row, _)| row.is_equal).map(|(_, y)| *y).collect();
    Ok(State { s: inside(&slack), z: inside(&pulled), x, y })
}

fn split(programme: &Scaled, state: &State, softness: f64) -> (Vec<SaddleRow>, Vec<Condensed>) {
    let mut rows: Vec<SaddleRow> =
        (0..programme.equal.len()).map(|index| SaddleRow { is_equal: true, index, slack: 0.0 }).collect();
    let mut condensed = Vec::new();
    for index in 0..programme.least.len() {
        let slack = state.s[index] / state.z[index] + softness;
        match programme.least.row(index).1.len() <= SHORT {
            true => condensed.push(Condensed { index, weight: 1.0 / slack }),
            false => rows.push(SaddleRow { is_equal: false, index, slack }),
        }
    }
    (rows, condensed)
}

fn residuals(programme: &Scaled, state: &State, softness: f64) -> Residuals {
    let mut dual = programme.gradient.clone();
    programme.hessian.add_times(&state.x, &mut dual);
    let mut equal = Vec::with_capacity(state.y.len());
    for (row, y) in state.y.iter().enumerate() {
        programme.equal.add_transposed(row, -y, &mut dual);
        equal.push(programme.equal.dot(row, &state.x) - programme.equal.right[row]);
    }
    let mut least = Vec::with_capacity(state.s.len());
    for (row, (s, z)) in state.s.iter().zip(&state.z).enumerate() {
        programme.least.add_transposed(row, -z, &mut dual);
        least.push(programme.least.dot(row, &state.x) + softness * z - s - programme.least.right[row]);
    }
    Residuals { dual, equal, least }
}

type Step = (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>);

/// One Newton step towards s z = s z − `products`: rows C dx + (s/z) dz = −r_c − products/z, short ones put into the
/// others.
fn step(
    programme: &Scaled,
    state: &State,
    saddle: &Saddle<'_>,
    rows: &[SaddleRow],
    condensed: &[Condensed],
    left: &Residuals,
    products: &[f64],
) -> Result<Step, NumericsError> {
    let mut a: Vec<f64> = left.dual.iter().map(|value| -value).collect();
    let goal = |index: usize| -left.least[index] - products[index] / state.z[index];
    for condensed in condensed {
        programme.least.add_transposed(condensed.index, condensed.weight * goal(condensed.index), &mut a);
    }
    let b: Vec<f64> =
        rows.iter().map(|row| if row.is_equal { -left.equal[row.index] } else { goal(row.index) }).collect();
    let (dx, found) = saddle.solve(&a, &b)?;
    let mut dy = vec![0.0; state.y.len()];
    let mut dz = vec![0.0; state.z.len()];
    for (row, y) in rows.iter().zip(&found) {
        if row.is_equal {
            dy[row.index] = *y;
        } else {
            dz[row.index] = *y;
        }
    }
    for condensed in condensed {
        let reached = programme.least.dot(condensed.index, &dx);
        dz[condensed.index] = condensed.weight * (goal(condensed.index) - reached);
    }
    let ds = (0..dz.len()).map(|i| -(products[i] + state.s[i] * dz[i]) / state.z[i]).collect();
    Ok((dx, dy, ds, dz))
}

/// How far the values may go before one is zero; at most one.
fn longest(values: &[f64], changes: &[f64]) -> f64 {
    values
        .iter()
        .zip(changes)
        .filter(|(_, change)| **change < 0.0)
        .map(|(value, change)| -value / change)
        .fold(1.0, f64::min)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}
