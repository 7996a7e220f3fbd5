//! Cubic B-splines: four basis functions at a time, their derivatives, and curves over control points.
//!
//! [`CubicBasis::weights_at`] allocates nothing and is what optimisation builds its Jacobians from: the derivative of
//! value, velocity or acceleration at a time by control point `first_control + k` is the k-th weight.

use super::{SplineError, SplineSample};
use crate::signal::Linear;

/// The basis functions that are not zero at one time, and their derivatives by seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BasisWeights {
    /// The first of the four control points that matter.
    pub first_control: usize,
    /// Their weights in the value; they sum to one.
    pub value: [f64; 4],
    /// Their weights in the first derivative; they sum to zero.
    pub first_derivative: [f64; 4],
    /// Their weights in the second derivative; they sum to zero.
    pub second_derivative: [f64; 4],
}

impl BasisWeights {
    /// The curve of `controls` at this time.
    ///
    /// # Panics
    /// If `controls` has fewer points than the basis the weights are from.
    pub fn combine<T: Linear>(&self, controls: &[T]) -> SplineSample<T> {
        let near = &controls[self.first_control..self.first_control + 4];
        let sum = |weights: &[f64; 4]| near.iter().zip(weights).fold(T::ZERO, |sum, (&c, &weight)| sum + c * weight);
        SplineSample {
            value: sum(&self.value),
            first_derivative: sum(&self.first_derivative),
            second_derivative: sum(&self.second_derivative),
        }
    }
}

/// Where the knots of a cubic B-spline are.
///
/// The curve is defined from [`CubicBasis::start_secs`] to [`CubicBasis::end_secs`]. Outside, the cubic of the
/// outermost span goes on: smooth, and right for a time that is off by rounding, but it soon runs away, so callers that
/// mean more than that must decide for themselves.
pub trait CubicBasis {
    /// How many control points there are: three more than spans.
    fn control_count(&self) -> usize;
    /// First and last time of span `span`, for `span` in `0..control_count() - 3`. Knots that coincide give spans of no
    /// length.
    fn span_secs(&self, span: usize) -> (f64, f64);
    /// The four basis functions at a time.
    fn weights_at(&self, time_secs: f64) -> BasisWeights;

    /// First time of the curve.
    fn start_secs(&self) -> f64 {
        self.span_secs(0).0
    }

    /// Last time of the curve.
    fn end_secs(&self) -> f64 {
        self.span_secs(self.control_count() - 4).1
    }
}

/// Evenly spaced knots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniformBasis {
    start_secs: f64,
    knot_spacing_secs: f64,
    control_count: usize,
}

impl UniformBasis {
    /// Knots every `knot_spacing_secs` from `start_secs`, for `control_count` control points (at least four: one span).
    pub fn new(start_secs: f64, knot_spacing_secs: f64, control_count: usize) -> Result<Self, SplineError> {
        if control_count < 4 {
            return Err(SplineError::TooFew { what: "control points", needed: 4, found: control_count });
        }
        let end_secs = start_secs + knot_spacing_secs * (control_count - 3) as f64;
        if !start_secs.is_finite() || !end_secs.is_finite() || knot_spacing_secs <= 0.0 {
            return Err(SplineError::KnotSpacing { found_secs: knot_spacing_secs });
        }
        Ok(Self { start_secs, knot_spacing_secs, control_count })
    }

    /// As few knots every `knot_spacing_secs` as cover `start_secs` to `end_secs`; at least one span.
    pub fn covering(start_secs: f64, end_secs: f64, knot_spacing_secs: f64) -> Result<Self, SplineError> {
        // A duration that is a whole number of spacings up to rounding gets no extra span, which would hold no samples.
        let spans = ((end_secs - start_secs) / knot_spacing_secs - 1e-9).ceil().max(1.0);
        if !end_secs.is_finite() || spans > f64::from(u32::MAX) {
            return Err(SplineError::KnotSpacing { found_secs: knot_spacing_secs });
        }
        Self::new(start_secs, knot_spacing_secs, spans as usize + 3)
    }

    /// The distance between knots.
    pub fn knot_spacing_secs(&self) -> f64 {
        self.knot_spacing_secs
    }
}

impl CubicBasis for UniformBasis {
    fn control_count(&self) -> usize {
        self.control_count
    }

    fn span_secs(&self, span: usize) -> (f64, f64) {
        let knot_secs = |knot: usize| self.start_secs + knot as f64 * self.knot_spacing_secs;
        (knot_secs(span), knot_secs(span + 1))
    }

    fn weights_at(&self, time_secs: f64) -> BasisWeights {
        let h = self.knot_spacing_secs;
        let position = (time_secs - self.start_secs) / h;
        // The cast takes what is negative or not a number to 0.
        let span = (position.floor() as usize).min(self.control_count - 4);
        let u = position - span as f64;
        let v = 1.0 - u;
        BasisWeights {
            first_control: span,
            value: [
                v * v * v / 6.0,
                (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
                (3.0 * v * v * v - 6.0 * v * v + 4.0) / 6.0,
                u * u * u / 6.0,
            ],
            first_derivative: [-v * v / 2.0, (3.0 * u - 4.0) * u / 2.0, (4.0 - 3.0 * v) * v / 2.0, u * u / 2.0]
                .map(|weight| weight / h),
            second_derivative: [v, 3.0 * u - 2.0, 3.0 * v - 2.0, u].map(|weight| weight / (h * h)),
        }
    }
}

/// Any knots. Each repetition of a knot takes one order of smoothness away there; four times at an end make the curve
/// start or end in its outermost control point.
#[derive(Clone, Debug, PartialEq)]
pub struct KnotBasis {
    knots_secs: Vec<f64>,
}

impl KnotBasis {
    /// All knots, four more than control points. They must be finite and not fall, and none may be there more than four
    /// times.
    pub fn new(knots_secs: Vec<f64>) -> Result<Self, SplineError> {
        if knots_secs.len() < 8 {
            return Err(SplineError::TooFew { what: "knots", needed: 8, found: knots_secs.len() });
        }
        let rising = |index: usize| {
            let knot_secs = knots_secs[index];
            knot_secs.is_finite()
                && (index < 1 || knot_secs >= knots_secs[index - 1])
                && (index < 4 || knot_secs > knots_secs[index - 4])
        };
        if let Some(index) = (0..knots_secs.len()).find(|&index| !rising(index)) {
            return Err(SplineError::KnotsNotRising { index, found_secs: knots_secs[index] });
        }
        let control_count = knots_secs.len() - 4;
        if knots_secs[3] == knots_secs[control_count] {
            return Err(SplineError::KnotsNotRising { index: control_count, found_secs: knots_secs[control_count] });
        }
        Ok(Self { knots_secs })
    }

    /// Simple knots at rising times, the first and last made fourfold, so that the curve starts and ends in its
    /// outermost control points.
    pub fn clamped(breakpoints_secs: &[f64]) -> Result<Self, SplineError> {
        let (Some(&first), Some(&last)) = (breakpoints_secs.first(), breakpoints_secs.last()) else {
            return Err(SplineError::TooFew { what: "breakpoints", needed: 2, found: 0 });
        };
        let mut knots_secs = vec![first; 3];
        knots_secs.extend_from_slice(breakpoints_secs);
        knots_secs.extend([last; 3]);
        Self::new(knots_secs)
    }

    /// All knots.
    pub fn knots_secs(&self) -> &[f64] {
        &self.knots_secs
    }

    /// The index k of the knot with t in [knot k, knot k+1), of a span that has length; the outermost such span for
    /// times outside.
    fn span_knot(&self, time_secs: f64) -> usize {
        let knots = &self.knots_secs;
        let last = self.control_count() - 1;
        let mut k = 3 + knots[4..=last].partition_point(|&knot_secs| knot_secs <= time_secs);
        while k > 3 && knots[k] == knots[k + 1] {
            k -= 1;
        }
        while knots[k] == knots[k + 1] {
            k += 1;
        }
        k
    }

    /// From the degree − 1 functions that are not zero in span k to those of `degree` (Cox–de Boor).
    fn raise(&self, k: usize, degree: usize, lower: [f64; 4], time_secs: f64) -> [f64; 4] {
        let mut raised = [0.0; 4];
        for r in 0..degree {
            let (left, right) = (self.knots_secs[k + 1 + r - degree], self.knots_secs[k + 1 + r]);
            let share = lower[r] / (right - left);
            raised[r] += (right - time_secs) * share;
            raised[r + 1] += (time_secs - left) * share;
        }
        raised
    }

    /// The derivative of the functions of `degree` from those of degree − 1 (or from a derivative of these: one order
    /// more).
    fn differentiate(&self, k: usize, degree: usize, lower: [f64; 4]) -> [f64; 4] {
        let mut derivative = [0.0; 4];
        for r in 0..degree {
            let (left, right) = (self.knots_secs[k + 1 + r - degree], self.knots_secs[k + 1 + r]);
            let share = degree as f64 * lower[r] / (right - left);
            derivative[r] -= share;
            derivative[r + 1] += share;
        }
        derivative
    }
}

impl CubicBasis for KnotBasis {
    fn control_count(&self) -> usize {
        self.knots_secs.len() - 4
    }

    fn span_secs(&self, span: usize) -> (f64, f64) {
        (self.knots_secs[span + 3], self.knots_secs[span + 4])
    }

    fn weights_at(&self, time_secs: f64) -> BasisWeights {
        let k = self.span_knot(time_secs);
        let constant = [1.0, 0.0, 0.0, 0.0];
        let linear = self.raise(k, 1, constant, time_secs);
        let quadratic = self.raise(k, 2, linear, time_secs);
        BasisWeights {
            first_control: k - 3,
            value: self.raise(k, 3, quadratic, time_secs),
            first_derivative: self.differentiate(k, 3, quadratic),
            second_derivative: self.differentiate(k, 3, self.differentiate(k, 2, linear)),
        }
    }
}

/// A curve: a basis and its control points, `f64` or `DVec3`.
#[derive(Clone, Debug, PartialEq)]
pub struct CubicBSpline<B, T> {
    basis: B,
    controls: Vec<T>,
}

impl<B: CubicBasis, T: Linear> CubicBSpline<B, T> {
    /// The curve of `controls`, one per basis function.
    pub fn new(basis: B, controls: Vec<T>) -> Result<Self, SplineError> {
        if controls.len() != basis.control_count() {
            return Err(SplineError::Count {
                what: "control points",
                expected: basis.control_count(),
                found: controls.len(),
            });
        }
        Ok(Self { basis, controls })
    }

    /// Value and both derivatives; outside the span as [`CubicBasis`] says.
    pub fn sample(&self, time_secs: f64) -> SplineSample<T> {
        self.basis.weights_at(time_secs).combine(&self.controls)
    }

    /// The value; outside the span as [`CubicBasis`] says.
    pub fn value(&self, time_secs: f64) -> T {
        self.sample(time_secs).value
    }

    /// Where the knots are.
    pub fn basis(&self) -> &B {
        &self.basis
    }

    /// The control points.
    pub fn controls(&self) -> &[T] {
        &self.controls
    }

    /// The control points, to be changed.
    pub fn controls_mut(&mut self) -> &mut [T] {
        &mut self.controls
    }
}

#[cfg(test)]
mod tests;
