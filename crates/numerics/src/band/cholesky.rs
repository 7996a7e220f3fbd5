//! Symmetric positive definite bands: A = L Lᵀ without pivots (Golub & Van Loan 2013, 4.3.5).

use super::{SINGULAR_SHARE, check_length};
use crate::NumericsError;

/// A symmetric matrix with `half_width` diagonals on each side of the main one; only the lower half is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricBand {
    size: usize,
    half_width: usize,
    /// Element (i, i − d) is at i · (half_width + 1) + d.
    elements: Vec<f64>,
}

impl SymmetricBand {
    /// All zero.
    pub fn zero(size: usize, half_width: usize) -> Self {
        Self { size, half_width, elements: vec![0.0; size * (half_width + 1)] }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// An element; zero outside the band.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.slot(row, column).map_or(0.0, |slot| self.elements[slot])
    }

    /// Adds to an element and to its mirror image (once on the diagonal).
    ///
    /// # Panics
    /// Outside the band or the matrix: the caller built the band too narrow.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let slot = self.slot(row, column).expect("element inside the band");
        self.elements[slot] += value;
    }

    fn slot(&self, row: usize, column: usize) -> Option<usize> {
        let (low, high) = (row.max(column), row.min(column));
        let distance = low - high;
        (low < self.size && distance <= self.half_width).then(|| low * (self.half_width + 1) + distance)
    }
}

/// L with L Lᵀ = A, stored like the band.
#[derive(Clone, Debug)]
pub struct BandCholesky {
    lower: SymmetricBand,
}

impl BandCholesky {
    /// Factors in O(size · half_width²).
    pub fn factor(matrix: SymmetricBand) -> Result<Self, NumericsError> {
        let mut lower = matrix;
        let (size, half, width) = (lower.size, lower.half_width, lower.half_width + 1);
        for i in 0..size {
            let diagonal = lower.elements[i * width];
            for d in (0..=i.min(half)).rev() {
                let j = i - d;
                let row_i = |k: usize| lower.elements[i * width + i - k];
                let row_j = |k: usize| lower.elements[j * width + j - k];
                // Columns k < j that both rows hold: k ≥ i − half_width.
                let known: f64 = (i.saturating_sub(half)..j).map(|k| row_i(k) * row_j(k)).sum();
                let rest = lower.elements[i * width + d] - known;
                lower.elements[i * width + d] = if d > 0 {
                    rest / lower.elements[j * width]
                } else if rest > SINGULAR_SHARE * diagonal {
                    rest.sqrt()
                } else {
                    return Err(NumericsError::NotPositiveDefinite { row: i, pivot: rest });
                };
            }
        }
        Ok(Self { lower })
    }

    /// A x = b, with b given in place of x.
    pub fn solve(&self, x: &mut [f64]) -> Result<(), NumericsError> {
        let (size, half, width) = (self.lower.size, self.lower.half_width, self.lower.half_width + 1);
        check_length(size, x.len())?;
        let lower = &self.lower.elements;
        for i in 0..size {
            let known: f64 = (1..=i.min(half)).map(|d| lower[i * width + d] * x[i - d]).sum();
            x[i] = (x[i] - known) / lower[i * width];
        }
        for i in (0..size).rev() {
            let below = (size - 1 - i).min(half);
            let known: f64 = (1..=below).map(|d| lower[(i + d) * width + d] * x[i + d]).sum();
            x[i] = (x[i] - known) / lower[i * width];
        }
        Ok(())
    }
}
