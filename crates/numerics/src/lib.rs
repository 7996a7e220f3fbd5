//! Numerical methods that know no skeleton: direct solvers for band matrices, and quadratic programmes on bands.
//!
//! Problems in time couple a frame to its neighbours only, so their matrices are bands. No maintained, freely licensed
//! crate solves bands in pure Rust; the factorisations take a page each and are written here.

pub mod band;
mod profile;
pub mod qp;
pub mod simd4;

pub use band::{BandCholesky, BandLu, BandMatrix, HermitianBand, HermitianCholesky, SymmetricBand};
pub use profile::{ProfileLdl, SymmetricProfile};
pub use qp::{BandQp, QpSolution, QpStatus, Rows};

/// Why a system cannot be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NumericsError {
    /// No pivot: the row is a combination of those before it.
    #[error("the matrix is singular: no usable pivot in row {row} (largest candidate {pivot:e})")]
    Singular {
        /// First row without a pivot.
        row: usize,
        /// The largest candidate.
        pivot: f64,
    },
    /// Cholesky needs a positive definite matrix.
    #[error("the matrix is not positive definite: pivot {row} is {pivot:e}")]
    NotPositiveDefinite {
        /// First pivot that is not positive.
        row: usize,
        /// Its value.
        pivot: f64,
    },
    /// One number a row.
    #[error("the right side has {found} numbers for {expected} rows")]
    Length {
        /// Rows.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
}
