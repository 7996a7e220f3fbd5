//! The saddle-point system of both methods: [H Eᵀ; E −D], every row of E behind the last unknown it touches.

use super::{Rows, Scaled};
use crate::NumericsError;
use crate::profile::{ProfileLdl, SymmetricProfile};

/// What keeps the system quasi-definite where rows depend on each other (two feet on one link say the same thing
/// twice). Refinement takes its effect out again where they do not.
const REGULARISATION: f64 = 1e-9;
/// Pivots smaller than this are rounding: unknowns are scaled to one.
const LEAST_PIVOT: f64 = 1e-13;
/// Rounds of refinement at most; each gains six or more digits.
const REFINEMENTS: usize = 4;
/// Refined far enough, in unknowns that are scaled to one.
const REFINED: f64 = 1e-12;

/// A row of the lower part.
#[derive(Clone, Copy, Debug)]
pub(super) struct SaddleRow {
    /// From `equal` or from `least`.
    pub is_equal: bool,
    pub index: usize,
    /// D; zero for rows that hold exactly.
    pub slack: f64,
}

/// A positive multiple of c cᵀ that is added to H.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condensed {
    /// Row of `least`.
    pub index: usize,
    pub weight: f64,
}

/// A matrix with its factor: the next one may begin with the same rows.
pub(super) struct Factored {
    matrix: SymmetricProfile,
    factor: ProfileLdl,
}

pub(super) struct Saddle<'a> {
    programme: &'a Scaled,
    rows: &'a [SaddleRow],
    condensed: &'a [Condensed],
    factored: Factored,
    /// Where unknowns and rows stand in time.
    unknown_at: Vec<usize>,
    row_at: Vec<usize>,
}

impl<'a> Saddle<'a> {
    pub fn factor(
        programme: &'a Scaled,
        rows: &'a [SaddleRow],
        condensed: &'a [Condensed],
        before: Option<Factored>,
    ) -> Result<Self, NumericsError> {
        let unknowns = programme.hessian.size();
        let mut rows_after = vec![Vec::new(); unknowns];
        for (index, row) in rows.iter().enumerate() {
            let (start, numbers) = rows_of(programme, row).row(row.index);
            let last = (start + numbers.len().max(1) - 1).min(unknowns.saturating_sub(1));
            rows_after[last].push(index);
        }
        let (mut unknown_at, mut row_at) = (Vec::with_capacity(unknowns), vec![0; rows.len()]);
        let mut count = 0;
        for after in &rows_after {
            unknown_at.push(count);
            count += 1;
            for &row in after {
                row_at[row] = count;
                count += 1;
            }
        }
        let mut first = vec![0; count];
        let mut is_positive = vec![true; count];
        for unknown in 0..unknowns {
            first[unknown_at[unknown]] = unknown_at[programme.hessian.first(unknown)];
        }
        for condensed in condensed {
            let (start, numbers) = programme.least.row(condensed.index);
            for unknown in start..start + numbers.len() {
                let first = &mut first[unknown_at[unknown]];
                *first = (*first).min(unknown_at[start]);
            }
        }
        for (index, row) in rows.iter().enumerate() {
            let start = rows_of(programme, row).row(row.index).0.min(unknowns.saturating_sub(1));
            first[row_at[index]] = unknown_at[start];
            is_positive[row_at[index]] = false;
        }
        let mut matrix = SymmetricProfile::zero(first);
        for unknown in 0..unknowns {
            let from = programme.hessian.first(unknown);
            for (column, &value) in (from..).zip(programme.hessian.row(unknown)) {
                if value != 0.0 {
                    matrix.add(unknown_at[unknown], unknown_at[column], value);
                }
            }
        }
        for condensed in condensed {
            let (start, numbers) = programme.least.row(condensed.index);
            for (i, a) in (start..).zip(numbers) {
                for (j, b) in (start..=i).zip(numbers) {
                    matrix.add(unknown_at[i], unknown_at[j], condensed.weight * a * b);
                }
            }
        }
        for (index, row) in rows.iter().enumerate() {
            let (start, numbers) = rows_of(programme, row).row(row.index);
            for (unknown, &number) in (start..).zip(numbers) {
                matrix.add(row_at[index], unknown_at[unknown], number);
            }
            matrix.add(row_at[index], row_at[index], -(row.slack + REGULARISATION));
        }
        let before = before.as_ref().map(|before| (&before.matrix, &before.factor));
        let factor = ProfileLdl::factor_again(matrix.clone(), &is_positive, LEAST_PIVOT, before)?;
        Ok(Self { programme, rows, condensed, factored: Factored { matrix, factor }, unknown_at, row_at })
    }

    /// For the next one.
    pub fn into_factored(self) -> Factored {
        self.factored
    }

    /// Solves [H Eᵀ; E −D] (x, −y) = (a, b); gives x and y.
    pub fn solve(&self, a: &[f64], b: &[f64]) -> Result<(Vec<f64>, Vec<f64>), NumericsError> {
        let (mut x, mut y) = (vec![0.0; a.len()], vec![0.0; b.len()]);
        let (mut left_a, mut left_b) = (a.to_vec(), b.to_vec());
        let mut together = vec![0.0; a.len() + b.len()];
        let size = a.iter().chain(b).fold(0.0, |most: f64, value| most.max(value.abs()));
        let mut last = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            for (at, value) in self.unknown_at.iter().zip(&left_a).chain(self.row_at.iter().zip(&left_b)) {
                together[*at] = *value;
            }
            self.factored.factor.solve(&mut together)?;
            x.iter_mut().zip(&self.unknown_at).for_each(|(x, at)| *x += together[*at]);
            y.iter_mut().zip(&self.row_at).for_each(|(y, at)| *y -= together[*at]);
            self.residual(a, b, &x, &y, &mut left_a, &mut left_b);
            let left = left_a.iter().chain(&left_b).fold(0.0, |most: f64, value| most.max(value.abs()));
            // Rows that contradict each other leave something that no refinement takes away.
            if left <= REFINED * size || left > 0.5 * last {
                break;
            }
            last = left;
        }
        Ok((x, y))
    }

    fn residual(&self, a: &[f64], b: &[f64], x: &[f64], y: &[f64], left_a: &mut [f64], left_b: &mut [f64]) {
        left_a.fill(0.0);
        self.programme.hessian.add_times(x, left_a);
        for condensed in self.condensed {
            let dot = self.programme.least.dot(condensed.index, x);
            self.programme.least.add_transposed(condensed.index, condensed.weight * dot, left_a);
        }
        for ((row, y), (left, b)) in self.rows.iter().zip(y).zip(left_b.iter_mut().zip(b)) {
            let rows = rows_of(self.programme, row);
            rows.add_transposed(row.index, -y, left_a);
            *left = b - rows.dot(row.index, x) - row.slack * y;
        }
        left_a.iter_mut().zip(a).for_each(|(left, a)| *left = a - *left);
    }
}

fn rows_of<'a>(programme: &'a Scaled, row: &SaddleRow) -> &'a Rows {
    if row.is_equal { &programme.equal } else { &programme.least }
}
