//! M = Lᵀ L without filling in: the factor has the tree's own sparsity (Featherstone 2008, table 6.3; Lᵀ D L there).

use super::matrix::Matrix;
use super::model::Model;

/// A factor of the mass matrix, and solves with it. Keep and refill it.
#[derive(Clone, Debug)]
pub struct MassFactor {
    /// Rows of L: unit on the diagonal (not stored), entries at the ancestors of each degree of freedom.
    lower: Matrix,
    /// D.
    pivots: Vec<f64>,
    dof_parent: Vec<Option<usize>>,
}

impl MassFactor {
    /// Room for a model's factor.
    pub fn new(model: &Model) -> Self {
        let nv = model.nv();
        Self { lower: Matrix::zeros(nv, nv), pivots: vec![0.0; nv], dof_parent: model.dof_parent.clone() }
    }

    /// Factors M, of which the lower triangle is read. False if it is not positive definite: then the factor must not be used.
    pub fn factor(&mut self, mass: &Matrix) -> bool {
        let Self { lower, pivots, dof_parent } = self;
        for row in 0..pivots.len() {
            lower.row_mut(row)[..=row].copy_from_slice(&mass.row(row)[..=row]);
        }
        for k in (0..pivots.len()).rev() {
            let pivot = lower[(k, k)];
            // Not `<=`, so that NaN fails too.
            if !(pivot > 0.0) {
                return false;
            }
            pivots[k] = pivot;
            let mut ancestor = dof_parent[k];
            while let Some(i) = ancestor {
                let share = lower[(k, i)] / pivot;
                let (row_k, row_i) = lower.row_pair(k, i);
                // Entries off the branch are zero in row k; the dense loop over the few columns before i vectorises.
                for (to, from) in row_i[..=i].iter_mut().zip(&row_k[..=i]) {
                    *to -= share * from;
                }
                lower[(k, i)] = share;
                ancestor = dof_parent[i];
            }
        }
        true
    }

    /// x = M⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        for k in (0..self.pivots.len()).rev() {
            let mut ancestor = self.dof_parent[k];
            while let Some(i) = ancestor {
                x[i] -= self.lower[(k, i)] * x[k];
                ancestor = self.dof_parent[i];
            }
        }
        for (value, pivot) in x.iter_mut().zip(&self.pivots) {
            *value /= pivot;
        }
        for k in 0..self.pivots.len() {
            let mut ancestor = self.dof_parent[k];
            while let Some(i) = ancestor {
                x[k] -= self.lower[(k, i)] * x[i];
                ancestor = self.dof_parent[i];
            }
        }
    }

    /// X = M⁻¹ X for a matrix of nv rows: whole rows at once.
    pub fn solve_matrix(&self, x: &mut Matrix) {
        for k in (0..self.pivots.len()).rev() {
            let mut ancestor = self.dof_parent[k];
            while let Some(i) = ancestor {
                let share = self.lower[(k, i)];
                let (from, to) = x.row_pair(k, i);
                subtract(to, from, share);
                ancestor = self.dof_parent[i];
            }
        }
        for (k, pivot) in self.pivots.iter().enumerate() {
            let inverse = 1.0 / pivot;
            x.row_mut(k).iter_mut().for_each(|value| *value *= inverse);
        }
        for k in 0..self.pivots.len() {
            let mut ancestor = self.dof_parent[k];
            while let Some(i) = ancestor {
                let share = self.lower[(k, i)];
                let (from, to) = x.row_pair(i, k);
                subtract(to, from, share);
                ancestor = self.dof_parent[i];
            }
        }
    }
}

#[inline]
fn subtract(to: &mut [f64], from: &[f64], share: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to -= share * from;
    }
}
