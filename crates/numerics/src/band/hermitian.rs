//! Hermitian positive definite bands: A = L D Lᴴ without pivots, for problems of the plane written in complex numbers.

use super::{SINGULAR_SHARE, check_length};
use crate::NumericsError;
use num_complex::Complex64;

/// A Hermitian matrix with `half_width` diagonals on each side of the main one; only the lower half is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct HermitianBand {
    size: usize,
    half_width: usize,
    /// Element (i, i − d) is at i · (half_width + 1) + d.
    elements: Vec<Complex64>,
}

impl HermitianBand {
    /// All zero.
    pub fn zero(size: usize, half_width: usize) -> Self {
        Self { size, half_width, elements: vec![Complex64::ZERO; size * (half_width + 1)] }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds to an element of the lower half (`row ≥ column`), and by that to its conjugate mirror image.
    ///
    /// # Panics
    /// Outside the band, the matrix or the lower half: the caller built the band too narrow.
    pub fn add(&mut self, row: usize, column: usize, value: Complex64) {
        assert!(row >= column && row - column <= self.half_width && row < self.size, "element inside the band");
        self.elements[row * (self.half_width + 1) + row - column] += value;
    }
}

/// L (unit lower triangle) and D with L D Lᴴ = A, stored like the band.
#[derive(Clone, Debug)]
pub struct HermitianCholesky {
    half_width: usize,
    lower: Vec<Complex64>,
    inverse_diagonal: Vec<f64>,
}

impl HermitianCholesky {
    /// Factors in O(size · half_width²).
    pub fn factor(matrix: HermitianBand) -> Result<Self, NumericsError> {
        let HermitianBand { size, half_width: half, elements: mut lower } = matrix;
        let width = half + 1;
        let (mut diagonal, mut inverse_diagonal) = (vec![0.0; size], vec![0.0; size]);
        for i in 0..size {
            let before = lower[i * width].re;
            for d in (1..=i.min(half)).rev() {
                let j = i - d;
                // Columns k < j that both rows hold: k ≥ i − half_width.
                let known: Complex64 = (i.saturating_sub(half)..j)
                    .map(|k| lower[i * width + i - k] * lower[j * width + j - k].conj() * diagonal[k])
                    .sum();
                lower[i * width + d] = (lower[i * width + d] - known) * inverse_diagonal[j];
            }
            let known: f64 = (1..=i.min(half)).map(|d| lower[i * width + d].norm_sqr() * diagonal[i - d]).sum();
            let rest = before - known;
            if rest.is_nan() || rest <= SINGULAR_SHARE * before {
                return Err(NumericsError::NotPositiveDefinite { row: i, pivot: rest });
            }
            diagonal[i] = rest;
            inverse_diagonal[i] = rest.recip();
        }
        Ok(Self { half_width: half, lower, inverse_diagonal })
    }

    /// A x = b, with b given in place of x. Allocates nothing.
    pub fn solve(&self, x: &mut [Complex64]) -> Result<(), NumericsError> {
        let (size, half, width) = (self.inverse_diagonal.len(), self.half_width, self.half_width + 1);
        check_length(size, x.len())?;
        for i in 0..size {
            let known: Complex64 = (1..=i.min(half)).map(|d| self.lower[i * width + d] * x[i - d]).sum();
            x[i] -= known;
        }
        for i in (0..size).rev() {
            let below = (size - 1 - i).min(half);
            let known: Complex64 = (1..=below).map(|d| self.lower[(i + d) * width + d].conj() * x[i + d]).sum();
            x[i] = x[i] * self.inverse_diagonal[i] - known;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::needless_range_loop, reason = "rows and columns are indices in the formulas")]

    use super::*;
    use proptest::prelude::*;

    fn complex(seed: &mut u64) -> Complex64 {
        let mut next = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        Complex64::new(next(), next())
    }

    proptest! {
        /// A random band is made positive definite by its diagonal; the product with the solution gives the right side
        /// back.
        #[test]
        fn the_solution_solves(size in 1usize..40, half in 0usize..4, mut seed in any::<u64>()) {
            let mut band = HermitianBand::zero(size, half);
            let mut dense = vec![vec![Complex64::ZERO; size]; size];
            for i in 0..size {
                for j in i.saturating_sub(half)..=i {
                    let value = if i == j { Complex64::from(3.0 * half as f64 + 1.0) } else { complex(&mut seed) };
                    band.add(i, j, value);
                    dense[i][j] = value;
                    dense[j][i] = value.conj();
                }
            }
            let right: Vec<Complex64> = (0..size).map(|_| complex(&mut seed)).collect();
            let mut x = right.clone();
            HermitianCholesky::factor(band).unwrap().solve(&mut x).unwrap();
            for (row, wanted) in dense.iter().zip(&right) {
                let found: Complex64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
                // Diagonally dominant: the condition number is a small number.
                prop_assert!((found - wanted).norm() < 1e-12);
            }
        }
    }

    #[test]
    fn indefinite_matrices_and_wrong_lengths_are_named() {
        let mut indefinite = HermitianBand::zero(2, 1);
        indefinite.add(0, 0, Complex64::from(1.0));
        indefinite.add(1, 0, Complex64::new(0.0, 2.0));
        indefinite.add(1, 1, Complex64::from(1.0));
        assert!(matches!(
            HermitianCholesky::factor(indefinite),
            Err(NumericsError::NotPositiveDefinite { row: 1, .. })
        ));
        let mut one = HermitianBand::zero(1, 0);
        one.add(0, 0, Complex64::from(2.0));
        let factor = HermitianCholesky::factor(one).unwrap();
        assert!(matches!(factor.solve(&mut []), Err(NumericsError::Length { expected: 1, found: 0 })));
    }
}
