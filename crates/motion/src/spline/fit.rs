//! Least-squares fit of cubic B-splines to samples.
//!
//! The normal equations of a cubic B-spline have three diagonals on each side. A dense or sparse linear algebra library
//! would be a dependency of everything for the twenty lines a Cholesky factorisation of such a band takes, so it is
//! written here.

use super::bspline::{CubicBSpline, CubicBasis};
use super::{BasisWeights, SplineError};
use crate::signal::Linear;

/// What a fit minimises beside plain squared distance: Σ wₖ |x(tₖ) − xₖ|² + ridge Σ |cⱼ|² + roughness ∫ |x″|² dt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitOptions<'a> {
    /// One weight per sample, not negative; all one if absent.
    pub weights: Option<&'a [f64]>,
    /// Pulls control points towards zero: right for displacements, which should vanish where nothing asks for them.
    pub ridge: f64,
    /// Takes bends out and leaves straight lines alone: right for positions, also across gaps without samples. In
    /// seconds cubed.
    pub roughness: f64,
}

/// The factorised fit for fixed knots, times and weights: factor once, then fit any number of channels.
#[derive(Clone, Debug)]
pub struct SplineFitter<B> {
    basis: B,
    rows: Vec<(BasisWeights, f64)>,
    factor: BandCholesky,
}

impl<B: CubicBasis + Clone> SplineFitter<B> {
    /// For samples at `times_secs`, in any order and also several at one time, all within the basis' span.
    ///
    /// Without penalties every control point must be held by samples, else the fit is refused as underdetermined; so no
    /// samples at all are refused too, but with a ridge they give the zero curve.
    pub fn new(basis: B, times_secs: &[f64], options: FitOptions<'_>) -> Result<Self, SplineError> {
        let rows = weighted_rows(&basis, times_secs, options.weights)?;
        for penalty in [options.ridge, options.roughness] {
            check_weight(penalty)?;
        }
        let mut normal = Band::zero(basis.control_count());
        for (row, weight) in &rows {
            normal.add_outer(row.first_control, &row.value, *weight);
        }
        normal.add_diagonal(options.ridge);
        if options.roughness > 0.0 {
            add_roughness(&mut normal, &basis, options.roughness);
        }
        let factor = BandCholesky::factor(normal)?;
        Ok(Self { basis, rows, factor })
    }

    /// The curve nearest to `values`, one per sample time.
    pub fn fit<T: Linear>(&self, values: &[T]) -> Result<CubicBSpline<B, T>, SplineError> {
        if values.len() != self.rows.len() {
            return Err(SplineError::Count { what: "values", expected: self.rows.len(), found: values.len() });
        }
        let mut controls = vec![T::ZERO; self.basis.control_count()];
        for ((row, weight), &value) in self.rows.iter().zip(values) {
            for (k, &share) in row.value.iter().enumerate() {
                let control = &mut controls[row.first_control + k];
                *control = *control + value * (share * weight);
            }
        }
        self.factor.solve(&mut controls);
        CubicBSpline::new(self.basis.clone(), controls)
    }
}

fn weighted_rows<B: CubicBasis>(
    basis: &B,
    times_secs: &[f64],
    weights: Option<&[f64]>,
) -> Result<Vec<(BasisWeights, f64)>, SplineError> {
    if let Some(weights) = weights {
        if weights.len() != times_secs.len() {
            return Err(SplineError::Count { what: "weights", expected: times_secs.len(), found: weights.len() });
        }
        weights.iter().try_for_each(|&weight| check_weight(weight))?;
    }
    let (start_secs, end_secs) = (basis.start_secs(), basis.end_secs());
    // Times that are sums of steps differ from the span's own by rounding.
    let slack_secs = 1e-9 * (end_secs - start_secs);
    let inside = start_secs - slack_secs..=end_secs + slack_secs;
    let row = |(index, &found_secs): (usize, &f64)| {
        if !inside.contains(&found_secs) {
            return Err(SplineError::SampleOutside { index, found_secs, start_secs, end_secs });
        }
        Ok((basis.weights_at(found_secs), weights.map_or(1.0, |weights| weights[index])))
    };
    times_secs.iter().enumerate().map(row).collect()
}

fn check_weight(weight: f64) -> Result<(), SplineError> {
    if !weight.is_finite() || weight < 0.0 {
        return Err(SplineError::Weight { found: weight });
    }
    Ok(())
}

/// ∫ |x″|² dt: x″ is linear in each span, so its square is integrated exactly by two Gauss points.
fn add_roughness<B: CubicBasis>(normal: &mut Band, basis: &B, roughness: f64) {
    for span in 0..basis.control_count() - 3 {
        let (start_secs, end_secs) = basis.span_secs(span);
        let (middle_secs, half_secs) = (0.5 * (start_secs + end_secs), 0.5 * (end_secs - start_secs));
        if half_secs > 0.0 {
            for side in [-1.0, 1.0] {
                let row = basis.weights_at(middle_secs + side * half_secs / 3.0_f64.sqrt());
                normal.add_outer(row.first_control, &row.second_derivative, roughness * half_secs);
            }
        }
    }
}

/// A symmetric matrix with three diagonals below the main one: `rows[i][d]` is the element (i, i − d).
#[derive(Clone, Debug)]
struct Band {
    rows: Vec<[f64; 4]>,
}

impl Band {
    fn zero(size: usize) -> Self {
        Self { rows: vec![[0.0; 4]; size] }
    }

    fn add_outer(&mut self, first: usize, vector: &[f64; 4], weight: f64) {
        for i in 0..4 {
            for j in 0..=i {
                self.rows[first + i][i - j] += weight * vector[i] * vector[j];
            }
        }
    }

    fn add_diagonal(&mut self, value: f64) {
        for row in &mut self.rows {
            row[0] += value;
        }
    }
}

/// L with L Lᵀ = A, stored like the band.
#[derive(Clone, Debug)]
struct BandCholesky {
    lower: Band,
}

/// A pivot this far below its diagonal element is rounding: the control point is a combination of those before it.
const SINGULAR: f64 = 1e-12;

impl BandCholesky {
    fn factor(matrix: Band) -> Result<Self, SplineError> {
        let mut lower = matrix;
        for i in 0..lower.rows.len() {
            let diagonal = lower.rows[i][0];
            for d in (0..=i.min(3)).rev() {
                let j = i - d;
                // Columns k < j that both rows i and j hold: k ≥ i − 3.
                let known: f64 = (i.saturating_sub(3)..j).map(|k| lower.rows[i][i - k] * lower.rows[j][j - k]).sum();
                let rest = lower.rows[i][d] - known;
                lower.rows[i][d] = if d > 0 {
                    rest / lower.rows[j][0]
                } else if rest > SINGULAR * diagonal {
                    rest.sqrt()
                } else {
                    return Err(SplineError::Underdetermined { control: i });
                };
            }
        }
        Ok(Self { lower })
    }

    /// A x = b, with b given in place of x.
    fn solve<T: Linear>(&self, x: &mut [T]) {
        let rows = &self.lower.rows;
        for i in 0..x.len() {
            let rest = (1..=i.min(3)).fold(x[i], |rest, d| rest - x[i - d] * rows[i][d]);
            x[i] = rest * rows[i][0].recip();
        }
        for i in (0..x.len()).rev() {
            let below = (x.len() - 1 - i).min(3);
            let rest = (1..=below).fold(x[i], |rest, d| rest - x[i + d] * rows[i + d][d]);
            x[i] = rest * rows[i][0].recip();
        }
    }
}

#[cfg(test)]
mod tests;
