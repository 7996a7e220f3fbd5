//! The natural cubic spline: the interpolating curve of least ∫|x″|², with x″ = 0 at both ends.

use super::{SplineError, SplineSample};
use crate::signal::Linear;

/// A natural cubic spline through points at rising times, for `f64` or `DVec3`.
///
/// Before the first and after the last point it goes straight on with the end's slope; since x″ is zero there, the
/// curve stays twice continuously differentiable. Two points give the straight line through them. A value that is not a
/// number spreads to all.
#[derive(Clone, Debug, PartialEq)]
pub struct NaturalSpline<T> {
    knots_secs: Vec<f64>,
    values: Vec<T>,
    second_derivatives: Vec<T>,
}

impl<T: Linear> NaturalSpline<T> {
    /// The spline through `values[i]` at `times_secs[i]`: at least two points at finite, rising times.
    pub fn new(times_secs: &[f64], values: &[T]) -> Result<Self, SplineError> {
        if times_secs.len() < 2 {
            return Err(SplineError::TooFew { what: "points", needed: 2, found: times_secs.len() });
        }
        if values.len() != times_secs.len() {
            return Err(SplineError::Count { what: "values", expected: times_secs.len(), found: values.len() });
        }
        let mut previous_secs = f64::NEG_INFINITY;
        for (index, &found_secs) in times_secs.iter().enumerate() {
            if !found_secs.is_finite() || found_secs <= previous_secs {
                return Err(SplineError::KnotsNotRising { index, found_secs });
            }
            previous_secs = found_secs;
        }
        Ok(Self {
            knots_secs: times_secs.to_vec(),
            values: values.to_vec(),
            second_derivatives: natural_second_derivatives(times_secs, values),
        })
    }

    /// Value and both derivatives at any time.
    pub fn sample(&self, time_secs: f64) -> SplineSample<T> {
        let last = self.knots_secs.len() - 1;
        let (first_knot_secs, last_knot_secs) = (self.knots_secs[0], self.knots_secs[last]);
        if time_secs < first_knot_secs {
            straight_on(self.on_segment(0, first_knot_secs), time_secs - first_knot_secs)
        } else if time_secs > last_knot_secs {
            straight_on(self.on_segment(last - 1, last_knot_secs), time_secs - last_knot_secs)
        } else {
            let not_after = self.knots_secs.partition_point(|&knot_secs| knot_secs <= time_secs);
            self.on_segment(not_after.saturating_sub(1).min(last - 1), time_secs)
        }
    }

    /// The value at any time.
    pub fn value(&self, time_secs: f64) -> T {
        self.sample(time_secs).value
    }

    /// The times of the points.
    pub fn knots_secs(&self) -> &[f64] {
        &self.knots_secs
    }

    fn on_segment(&self, segment: usize, time_secs: f64) -> SplineSample<T> {
        let (start_secs, end_secs) = (self.knots_secs[segment], self.knots_secs[segment + 1]);
        let (x0, x1) = (self.values[segment], self.values[segment + 1]);
        let (m0, m1) = (self.second_derivatives[segment], self.second_derivatives[segment + 1]);
        let h = end_secs - start_secs;
        let (a, b) = ((end_secs - time_secs) / h, (time_secs - start_secs) / h);
        // The line between the points plus the cubic that vanishes at both and has second derivatives m0, m1.
        SplineSample {
            value: x0 * a + x1 * b + (m0 * (a * a * a - a) + m1 * (b * b * b - b)) * (h * h / 6.0),
            first_derivative: (x1 - x0) * h.recip() + (m0 * (1.0 - 3.0 * a * a) + m1 * (3.0 * b * b - 1.0)) * (h / 6.0),
            second_derivative: m0 * a + m1 * b,
        }
    }
}

fn straight_on<T: Linear>(end: SplineSample<T>, beyond_secs: f64) -> SplineSample<T> {
    SplineSample {
        value: end.value + end.first_derivative * beyond_secs,
        first_derivative: end.first_derivative,
        second_derivative: T::ZERO,
    }
}

/// Second derivatives Mᵢ at the knots: hᵢ₋₁ Mᵢ₋₁ + 2(hᵢ₋₁ + hᵢ) Mᵢ + hᵢ Mᵢ₊₁ = 6(sᵢ − sᵢ₋₁) with slopes s between
/// points and M = 0 at the ends. The matrix is diagonally dominant, so elimination needs no pivots.
fn natural_second_derivatives<T: Linear>(times_secs: &[f64], values: &[T]) -> Vec<T> {
    let count = times_secs.len();
    let step = |i: usize| times_secs[i + 1] - times_secs[i];
    let slope = |i: usize| (values[i + 1] - values[i]) * step(i).recip();
    let mut second = vec![T::ZERO; count];
    // Row i after elimination reads Mᵢ + upper[i] Mᵢ₊₁ = second[i]; row 0 is M₀ = 0.
    let mut upper = vec![0.0; count];
    for i in 1..count - 1 {
        let (before, after) = (step(i - 1), step(i));
        let pivot = 2.0 * (before + after) - before * upper[i - 1];
        upper[i] = after / pivot;
        second[i] = ((slope(i) - slope(i - 1)) * 6.0 - second[i - 1] * before) * pivot.recip();
    }
    for i in (1..count - 1).rev() {
        second[i] = second[i] - second[i + 1] * upper[i];
    }
    second
}

#[cfg(test)]
mod tests;
