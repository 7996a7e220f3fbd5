//! A dense square-or-not matrix by rows, as small as this crate needs: solvers that know sparsity are in `numerics`.

use std::ops::{Index, IndexMut};

/// Numbers by rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    numbers: Vec<f64>,
}

impl Matrix {
    /// All zero.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, numbers: vec![0.0; rows * columns] }
    }

    /// Count of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Count of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All numbers, row by row.
    pub fn as_slice(&self) -> &[f64] {
        &self.numbers
    }

    /// One row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.numbers[row * self.columns..(row + 1) * self.columns]
    }

    /// One row, to be changed.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.numbers[row * self.columns..(row + 1) * self.columns]
    }

    /// Up to three rows from one on.
    #[inline(always)]
    pub(super) fn rows_from_mut(&mut self, row: usize) -> Rows<'_> {
        self.rows_and_above_mut(row).1
    }

    /// All numbers of the rows before one, and up to three rows from it on.
    #[inline(always)]
    pub(super) fn rows_and_above_mut(&mut self, row: usize) -> (&mut [f64], Rows<'_>) {
        let columns = self.columns;
        let (above, own) = self.numbers.split_at_mut(row * columns);
        let (first, rest) = own.split_at_mut(columns.min(own.len()));
        let (second, rest) = rest.split_at_mut(columns.min(rest.len()));
        let third = rest.get_mut(..columns).unwrap_or_default();
        (above, Rows([first, second, third]))
    }

    /// Copies what is below the diagonal of a square matrix to above it.
    pub fn mirror_lower(&mut self) {
        for row in 0..self.rows {
            for column in 0..row {
                self[(column, row)] = self[(row, column)];
            }
        }
    }

    /// Every number set.
    pub fn fill(&mut self, value: f64) {
        self.numbers.fill(value);
    }

    /// A · x.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|row| self.row(row).iter().zip(x).map(|(a, b)| a * b).sum()).collect()
    }
}

/// Up to three rows side by side; missing ones are empty.
pub(super) struct Rows<'a>([&'a mut [f64]; 3]);

impl Rows<'_> {
    /// One of them.
    #[inline(always)]
    pub fn row(&mut self, row: usize) -> &mut [f64] {
        self.0[row]
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    #[inline(always)]
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.numbers[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    #[inline(always)]
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.numbers[row * self.columns + column]
    }
}
