//! Derivatives of forward dynamics: ∂a/∂x = −M⁻¹ ∂τ/∂x at the acceleration that the forces make (Carpentier & Mansard
//! 2018, eq. 19).

use super::aba::aba;
use super::factor::MassFactor;
use super::loads::Loads;
use super::matrix::Matrix;
use super::model::Model;
use super::rnea_derivatives::{InverseDerivatives, rnea_derivatives_in_place};
use super::workspace::Workspace;

/// ∂a/∂q, ∂a/∂v and ∂a/∂τ = M⁻¹ side by side, and what they are made of; keep and refill it.
#[derive(Clone, Debug)]
pub struct ForwardDerivatives {
    /// nv rows; columns of q, then of v, then of τ.
    pub by_q_v_tau: Matrix,
    /// At the same state.
    pub inverse: InverseDerivatives,
    factor: MassFactor,
    tau: Vec<f64>,
}

impl ForwardDerivatives {
    /// Room for a model's derivatives.
    pub fn new(model: &Model) -> Self {
        Self {
            by_q_v_tau: Matrix::zeros(model.nv(), 3 * model.nv()),
            inverse: InverseDerivatives::new(model),
            factor: MassFactor::new(model),
            tau: vec![0.0; model.nv()],
        }
    }

    /// ∂a_row/∂q along a degree of freedom.
    pub fn by_q(&self, row: usize, dof: usize) -> f64 {
        self.by_q_v_tau[(row, dof)]
    }

    /// ∂a_row/∂v.
    pub fn by_v(&self, row: usize, dof: usize) -> f64 {
        self.by_q_v_tau[(row, self.tau.len() + dof)]
    }

    /// ∂a_row/∂τ.
    pub fn by_tau(&self, row: usize, dof: usize) -> f64 {
        self.by_q_v_tau[(row, 2 * self.tau.len() + dof)]
    }
}

/// Forward dynamics at (q, v, τ) under loads, and its derivatives. False if the mass matrix has no factor (a state that
/// is not finite).
#[allow(clippy::too_many_arguments, reason = "a state is three slices; a struct for one call would only rename them")]
pub fn aba_derivatives(
    model: &Model,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
    loads: &Loads,
    a: &mut [f64],
    derivatives: &mut ForwardDerivatives,
    work: &mut Workspace,
) -> bool {
    aba(model, q, v, tau, loads, a, work);
    let ForwardDerivatives { by_q_v_tau, inverse, factor, tau: again } = derivatives;
    // Articulated bodies end with how every link accelerates.
    rnea_derivatives_in_place(model, loads, again, inverse, work);
    if !factor.factor(&inverse.mass) {
        return false;
    }
    let nv = model.nv();
    factor.solve_into(-1.0, &inverse.by_q, by_q_v_tau, 0);
    factor.solve_into(-1.0, &inverse.by_v, by_q_v_tau, nv);
    factor.inverse_into(by_q_v_tau, 2 * nv);
    true
}
