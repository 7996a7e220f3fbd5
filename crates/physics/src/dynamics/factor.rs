//! M = Lᵀ D L without filling in: the factor has the tree's own sparsity (Featherstone 2008, table 6.3).
//!
//! Row k of L has entries at the ancestors of degree of freedom k only. Kept packed, root first, the row of an ancestor at depth t is as
//! long as the first t + 1 entries of row k and stands for the same columns: elimination runs over contiguous numbers.

use super::matrix::Matrix;
use super::model::Model;
use super::vectors::with_wide_vectors;

/// A factor of the mass matrix, and solves with it. Keep and refill it.
#[derive(Clone, Debug)]
pub struct MassFactor {
    /// Where each packed row starts; its last entry is the diagonal.
    starts: Vec<usize>,
    /// The columns of packed entries.
    columns: Vec<usize>,
    /// L, with D on the diagonal.
    entries: Vec<f64>,
    /// For each degree of freedom those below it: their number, and where their packed entry for this one stands.
    below: Vec<Vec<(usize, usize)>>,
}

impl MassFactor {
    /// Room for a model's factor.
    pub fn new(model: &Model) -> Self {
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for dof in 0..model.nv() {
            let mut above = model.dof_parent[dof];
            let start = columns.len();
            columns.push(dof);
            while let Some(ancestor) = above {
                columns.push(ancestor);
                above = model.dof_parent[ancestor];
            }
            columns[start..].reverse();
            starts.push(columns.len());
        }
        let mut below = vec![Vec::new(); model.nv()];
        for dof in 0..model.nv() {
            for position in starts[dof]..starts[dof + 1] - 1 {
                below[columns[position]].push((dof, position));
            }
        }
        let entries = vec![0.0; columns.len()];
        Self { starts, columns, entries, below }
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Factors M, of which the lower triangle is read. False if it is not positive definite: then the factor must not be used.
    pub fn factor(&mut self, mass: &Matrix) -> bool {
        with_wide_vectors(
            #[inline(always)]
            || self.eliminate(mass),
        )
    }

    #[inline(always)]
    fn eliminate(&mut self, mass: &Matrix) -> bool {
        for k in 0..self.len() {
            let (start, end) = (self.starts[k], self.starts[k + 1]);
            let row = mass.row(k);
            for (entry, &column) in self.entries[start..end].iter_mut().zip(&self.columns[start..end]) {
                *entry = row[column];
            }
        }
        for k in (0..self.len()).rev() {
            let (start, end) = (self.starts[k], self.starts[k + 1]);
            let (above, own) = self.entries.split_at_mut(start);
            let own = &mut own[..end - start];
            let depth = own.len() - 1;
            let pivot = own[depth];
            // NaN must fail too.
            if pivot.is_nan() || pivot <= 0.0 {
                return false;
            }
            let inverse = 1.0 / pivot;
            for t in (0..depth).rev() {
                let share = own[t] * inverse;
                let ancestor = self.starts[self.columns[start + t]];
                subtract(&mut above[ancestor..=ancestor + t], &own[..=t], share);
                own[t] = share;
            }
        }
        true
    }

    /// x = M⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        for k in (0..self.len()).rev() {
            let (own, columns) = self.row(k);
            for (entry, &column) in own.iter().zip(columns) {
                x[column] -= entry * x[k];
            }
        }
        for (k, value) in x.iter_mut().enumerate() {
            *value /= self.entries[self.starts[k + 1] - 1];
        }
        for k in 0..self.len() {
            let (own, columns) = self.row(k);
            let carried: f64 = own.iter().zip(columns).map(|(entry, &column)| entry * x[column]).sum();
            x[k] -= carried;
        }
    }

    /// X = M⁻¹ X for a matrix of nv rows: whole rows at once.
    pub fn solve_matrix(&self, x: &mut Matrix) {
        with_wide_vectors(
            #[inline(always)]
            || self.substitute(x),
        );
    }

    #[inline(always)]
    fn substitute(&self, x: &mut Matrix) {
        let mut column = 0;
        while column + 16 <= x.columns() {
            self.substitute_chunk::<16>(x, column);
            column += 16;
        }
        while column < x.columns() {
            self.substitute_chunk::<1>(x, column);
            column += 1;
        }
    }

    /// A few columns through both substitutions: they stay in the nearest cache, and each row is gathered in registers and written once.
    #[inline(always)]
    fn substitute_chunk<const WIDTH: usize>(&self, x: &mut Matrix, column: usize) {
        let chunk = |x: &Matrix, row: usize| -> [f64; WIDTH] {
            let mut values = [0.0; WIDTH];
            values.copy_from_slice(&x.row(row)[column..column + WIDTH]);
            values
        };
        for k in (0..self.len()).rev() {
            let mut own = chunk(x, k);
            for &(below, position) in &self.below[k] {
                subtract(&mut own, &chunk(x, below), self.entries[position]);
            }
            x.row_mut(k)[column..column + WIDTH].copy_from_slice(&own);
        }
        for k in 0..self.len() {
            let inverse = 1.0 / self.entries[self.starts[k + 1] - 1];
            let mut own = chunk(x, k).map(|value| value * inverse);
            let (entries, columns) = self.row(k);
            for (&entry, &above) in entries.iter().zip(columns) {
                subtract(&mut own, &chunk(x, above), entry);
            }
            x.row_mut(k)[column..column + WIDTH].copy_from_slice(&own);
        }
    }

    /// Row k of L without its diagonal, and the columns.
    #[inline(always)]
    fn row(&self, k: usize) -> (&[f64], &[usize]) {
        let (start, last) = (self.starts[k], self.starts[k + 1] - 1);
        (&self.entries[start..last], &self.columns[start..last])
    }
}

#[inline(always)]
fn subtract(to: &mut [f64], from: &[f64], share: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to -= share * from;
    }
}
