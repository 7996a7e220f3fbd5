//! Band matrices and their factorisations.

mod cholesky;
mod hermitian;
mod lu;

pub use cholesky::{BandCholesky, SymmetricBand};
pub use hermitian::{HermitianBand, HermitianCholesky};
pub use lu::{BandLu, BandMatrix};

use crate::NumericsError;

/// A pivot below this share of the largest element of its row (LU) or of its own diagonal element (Cholesky) is
/// rounding.
const SINGULAR_SHARE: f64 = 1e-13;

fn check_length(expected: usize, found: usize) -> Result<(), NumericsError> {
    if expected == found { Ok(()) } else { Err(NumericsError::Length { expected, found }) }
}

#[cfg(test)]
mod tests;
