//! Smooth curves through and near samples: the natural cubic spline interpolates, the cubic B-spline is fitted and
//! optimised over.

pub mod bspline;
pub mod fit;
pub mod natural;

pub use bspline::{BasisWeights, CubicBSpline, CubicBasis, KnotBasis, UniformBasis};
pub use fit::{FitOptions, SplineFitter};
pub use natural::NaturalSpline;

/// What makes a spline impossible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SplineError {
    /// Not enough to define a curve.
    #[error("a spline needs at least {needed} {what}, found {found}")]
    TooFew {
        /// Points, control points, knots.
        what: &'static str,
        /// The least number.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// Two lists that belong together.
    #[error("expected {expected} {what}, found {found}")]
    Count {
        /// Values, weights, control points.
        what: &'static str,
        /// One per time, or as many as the basis has.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Knots must be finite and rise (a B-spline's inner ones at least every fourth).
    #[error("knots must be finite and rise: knot {index} is at {found_secs} s")]
    KnotsNotRising {
        /// First knot that breaks the rule.
        index: usize,
        /// Its time.
        found_secs: f64,
    },
    /// Uniform knots need a start and a positive distance.
    #[error("uniform knots need a finite span and a positive, not vanishing spacing, found {found_secs} s")]
    KnotSpacing {
        /// The spacing asked for.
        found_secs: f64,
    },
    /// A fit takes samples only where the curve is defined.
    #[error("sample {index} at {found_secs} s lies outside the spline, which runs from {start_secs} s to {end_secs} s")]
    SampleOutside {
        /// First such sample.
        index: usize,
        /// Its time.
        found_secs: f64,
        /// First time of the spline.
        start_secs: f64,
        /// Last time of the spline.
        end_secs: f64,
    },
    /// Weights and penalties are not negative.
    #[error("fit weights and penalties must be finite and not negative, found {found}")]
    Weight {
        /// The value.
        found: f64,
    },
    /// Some control point is not held by any sample.
    #[error("the samples do not determine control point {control}; use wider knots, or a roughness or ridge penalty")]
    Underdetermined {
        /// First control point that is free.
        control: usize,
    },
}

/// A curve at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplineSample<T> {
    /// The value.
    pub value: T,
    /// Its derivative by seconds.
    pub first_derivative: T,
    /// Its second derivative.
    pub second_derivative: T,
}
