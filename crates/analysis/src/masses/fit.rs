//! The search: positive masses of a fixed sum as a softmax, by L-BFGS with the exact gradient.

use super::rows::Rows;
use crate::error::AnalysisError;
use argmin::core::{CostFunction, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use std::cell::RefCell;

/// The distance has a kink at the polygon's edge, where line searches stall; it is rounded off within a millimetre, a
/// tenth of what captures are good for.
const SOFTNESS_M: f64 = 1e-3;

/// Pairs that L-BFGS remembers; with about ten unknowns more say nothing new.
const MEMORY: usize = 7;

/// A gradient this small moves no mass by a gram.
const GRADIENT_TOLERANCE: f64 = 1e-7;

/// Equation 5 with its regularisation, over x: s_k = e^{x_k} / Σ w_j e^{x_j}, with w the groups' shares of the body, so
/// that all masses are positive and their sum stays: Σ w_k s_k = 1.
pub(super) struct Problem<'a> {
    rows: &'a [&'a Rows],
    shares: &'a [f64],
    lambda_m: f64,
    frames: f64,
    /// Best parameters so far: a line search that fails at the last digit throws the solver's state away.
    best: RefCell<(f64, Vec<f64>)>,
}

/// What was found.
pub(super) struct Fit {
    /// New mass over old, a group.
    pub factors: Vec<f64>,
    pub iterations: u64,
    pub converged: bool,
}

impl<'a> Problem<'a> {
    pub fn new(rows: &'a [&'a Rows], shares: &'a [f64], lambda_m: f64) -> Self {
        let frames: usize = rows.iter().map(|rows| rows.len()).sum();
        let best = RefCell::new((f64::INFINITY, vec![0.0; shares.len()]));
        Self { rows, shares, lambda_m, frames: frames.max(1) as f64, best }
    }

    pub fn solve(self, iterations: u64) -> Result<Fit, AnalysisError> {
        let fail = |error: argmin::core::Error| AnalysisError::MassSearch { detail: error.to_string() };
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
            .with_tolerance_grad(GRADIENT_TOLERANCE)
            .and_then(|solver| solver.with_tolerance_cost(1e-10))
            .map_err(fail)?;
        let start = vec![0.0; self.shares.len()];
        // The problem moves into the solver; what it saw is handed out through `best`.
        let shared = std::rc::Rc::new(self);
        let run = Executor::new(Shared(std::rc::Rc::clone(&shared)), solver)
            .configure(|state| state.param(start).max_iters(iterations))
            .run();
        let (taken, converged) = match &run {
            Ok(result) => (result.state().get_iter(), result.state().get_iter() < iterations),
            // No descent left along the search direction: the last digits.
            Err(_) => (iterations, true),
        };
        let best = shared.best.borrow();
        Ok(Fit { factors: shared.factors(&best.1), iterations: taken, converged })
    }

    fn factors(&self, x: &[f64]) -> Vec<f64> {
        // Only differences of x count; the largest exponent is made 0 so that none overflows.
        let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let raw: Vec<f64> = x.iter().map(|x| (x - most).exp()).collect();
        let sum: f64 = raw.iter().zip(self.shares).map(|(e, w)| e * w).sum();
        raw.iter().map(|e| e / sum).collect()
    }

    pub fn cost_m(&self, x: &[f64]) -> f64 {
        let factors = self.factors(x);
        let sum_m: f64 = self.rows.iter().map(|rows| rows.softened_sum_m(&factors, SOFTNESS_M, None)).sum();
        let away: f64 = factors.iter().map(|s| s.ln().powi(2)).sum::<f64>() / factors.len() as f64;
        let cost_m = sum_m / self.frames + self.lambda_m * away;
        let mut best = self.best.borrow_mut();
        if cost_m < best.0 {
            *best = (cost_m, x.to_vec());
        }
        cost_m
    }

    pub fn gradient(&self, x: &[f64]) -> Vec<f64> {
        let factors = self.factors(x);
        let mut by_factor = vec![0.0; factors.len()];
        for rows in self.rows {
            rows.softened_sum_m(&factors, SOFTNESS_M, Some(&mut by_factor));
        }
        // By ln s_k: of the distances s_k ∂/∂s_k, of the regularisation 2λ/K ln s_k.
        let weight = 2.0 * self.lambda_m / factors.len() as f64;
        let by_log: Vec<f64> =
            by_factor.iter().zip(&factors).map(|(g, s)| g * s / self.frames + weight * s.ln()).collect();
        // ∂ ln s_k / ∂x_j = δ_kj − w_j s_j.
        let total: f64 = by_log.iter().sum();
        by_log.iter().zip(self.shares).zip(&factors).map(|((g, w), s)| g - w * s * total).collect()
    }
}

struct Shared<'a>(std::rc::Rc<Problem<'a>>);

impl CostFunction for Shared<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Self::Param) -> Result<f64, argmin::core::Error> {
        Ok(self.0.cost_m(x))
    }
}

impl Gradient for Shared<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Self::Param) -> Result<Vec<f64>, argmin::core::Error> {
        Ok(self.0.gradient(x))
    }
}
