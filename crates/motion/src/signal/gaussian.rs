//! The smoothing of the whole project: a Gaussian, with point-reflected ends.
//!
//! A smoothing time w means σ = w/4, so that w covers ±2σ, 95 % of the weight. Beyond the ends the signal is continued
//! by point reflection (2x₀ − x), repeated for clips shorter than the kernel. What follows from it:
//!
//! - straight lines, and so standing still and steady walking, come out as they went in, ends included;
//! - the first and last samples keep their values: everything left of them cancels everything right of them;
//! - the second derivative of a smoothed signal goes to zero at the very ends, whatever it truly is there. Features
//!   that need accelerations leave out the outer w/2.

use super::{Linear, SampleTimes, SignalError, TimeBase, point_reflected};

/// Smoothing time over σ.
pub const WINDOW_PER_SIGMA: f64 = 4.0;

/// Where the kernel is cut: 6e-5 of the weight lies beyond, and the cut makes the effective σ 0.05 % shorter. The same
/// as scipy's `gaussian_filter1d` default, so results can be compared with it digit by digit.
const TRUNCATE_SIGMAS: f64 = 4.0;

/// The longest kernel: at 120 Hz a smoothing time of 14 minutes.
pub const MAX_RADIUS_SAMPLES: usize = 100_000;

/// A sampled, truncated, normalised Gaussian for evenly spaced samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Gaussian {
    /// Weights at distances 1, 2, …; the weight at 0 is one minus twice their sum.
    side_weights: Vec<f64>,
}

impl Gaussian {
    /// A smoothing time of `window_secs` for samples `step_secs` apart: σ = w/4. Zero is the identity.
    pub fn from_window_secs(window_secs: f64, step_secs: f64) -> Result<Self, SignalError> {
        Self::from_sigma_secs(window_secs / WINDOW_PER_SIGMA, step_secs)
    }

    /// A standard deviation of `sigma_secs` for samples `step_secs` apart. Zero is the identity, and what is much
    /// shorter than a step comes to the same.
    pub fn from_sigma_secs(sigma_secs: f64, step_secs: f64) -> Result<Self, SignalError> {
        check_sigma(sigma_secs)?;
        SampleTimes::uniform(step_secs)?;
        let sigma_samples = sigma_secs / step_secs;
        let radius = (TRUNCATE_SIGMAS * sigma_samples).ceil();
        check_radius(radius)?;
        let mut side_weights: Vec<f64> =
            (1..=radius as usize).map(|distance| bell(distance as f64 / sigma_samples)).collect();
        let total = 1.0 + 2.0 * side_weights.iter().sum::<f64>();
        side_weights.iter_mut().for_each(|weight| *weight /= total);
        // A σ below 1/38 of a step has weights that underflow to zero.
        side_weights.retain(|weight| *weight > 0.0);
        Ok(Self { side_weights })
    }

    /// How many samples the kernel reaches to each side.
    pub fn radius_samples(&self) -> usize {
        self.side_weights.len()
    }

    /// The weight at `distance` samples from the centre.
    pub fn weight(&self, distance: usize) -> f64 {
        match distance {
            0 => 1.0 - 2.0 * self.side_weights.iter().sum::<f64>(),
            _ => self.side_weights.get(distance - 1).copied().unwrap_or(0.0),
        }
    }

    /// The smoothed signal. Ends are point-reflected; no samples give none, one and two samples come back as they are.
    pub fn smooth<T: Linear>(&self, input: &[T]) -> Vec<T> {
        let mut output = vec![T::ZERO; input.len()];
        self.smooth_into(input, &mut output);
        output
    }

    /// [`Gaussian::smooth`] without allocation.
    ///
    /// # Panics
    /// If `input` and `output` differ in length.
    pub fn smooth_into<T: Linear>(&self, input: &[T], output: &mut [T]) {
        assert_eq!(input.len(), output.len(), "one output per input sample");
        self.smooth_samples(input.len(), |index| input[index], |index, value| output[index] = value);
    }

    /// Smooths column `column` of row-major data `frames × columns` into the same column of `output`, without copies.
    /// Rows that are not complete are left alone.
    ///
    /// # Panics
    /// If `input` and `output` differ in length or `column >= columns`.
    pub fn smooth_column_into<T: Linear>(&self, input: &[T], output: &mut [T], columns: usize, column: usize) {
        assert_eq!(input.len(), output.len(), "one output per input sample");
        assert!(column < columns, "column {column} of {columns}");
        self.smooth_samples(
            input.len() / columns,
            |frame| input[frame * columns + column],
            |frame, value| output[frame * columns + column] = value,
        );
    }

    fn smooth_samples<T: Linear>(
        &self,
        sample_count: usize,
        sample: impl Fn(usize) -> T,
        mut put: impl FnMut(usize, T),
    ) {
        let radius = self.radius_samples();
        for centre in 0..sample_count {
            let inside = centre >= radius && centre + radius < sample_count;
            let here = sample(centre);
            let mut correction = T::ZERO;
            for (distance, &weight) in (1..).zip(&self.side_weights) {
                let (before, after) = if inside {
                    (sample(centre - distance), sample(centre + distance))
                } else {
                    let (centre, distance) = (centre as isize, distance as isize);
                    (
                        point_reflected(&sample, sample_count, centre - distance),
                        point_reflected(&sample, sample_count, centre + distance),
                    )
                };
                // Σ wₘ xₘ = x + Σ wₘ (xₘ − x) for weights that sum to one. Written so, what stands still stays still to
                // the last bit.
                correction = correction + ((before - here) + (after - here)) * weight;
            }
            put(centre, here + correction);
        }
    }
}

/// Smooths samples at any rising times with a standard deviation of `sigma_secs`.
///
/// A weighted mean over uneven samples would bend straight lines, so this is local linear regression (Cleveland 1979;
/// Fan & Gijbels 1996, §2.3): at each sample the value of the line that fits its neighbours best, weighted by the
/// Gaussian and by the stretch of time each stands for (half the distance between its neighbours). Ends are
/// point-reflected in time and value, so the first and last values stay. For even times it is [`Gaussian::smooth`]
/// exactly. No samples give none, one and two come back as they are.
///
/// # Panics
/// If there is not one time and one output per sample.
pub fn smooth_at_times_into<T: Linear>(
    sigma_secs: f64,
    times: SampleTimes<'_>,
    input: &[T],
    output: &mut [T],
) -> Result<(), SignalError> {
    assert_eq!(input.len(), output.len(), "one output per input sample");
    times.assert_fits(input.len());
    if let TimeBase::Uniform { step_secs } = times.0 {
        Gaussian::from_sigma_secs(sigma_secs, step_secs)?.smooth_into(input, output);
        return Ok(());
    }
    let regression = LocalRegression::new(sigma_secs, times, input.len())?;
    for (centre, smoothed) in output.iter_mut().enumerate() {
        let here = input[centre];
        let mut correction = T::ZERO;
        regression.for_each_weight(centre, |index, weight| {
            let neighbour = point_reflected(&|i: usize| input[i], input.len(), index);
            correction = correction + (neighbour - here) * weight;
        });
        *smoothed = here + correction;
    }
    Ok(())
}

/// The mask that local linear regression comes to at each of unevenly spaced samples.
pub(super) struct LocalRegression<'a> {
    sigma_secs: f64,
    times: SampleTimes<'a>,
    sample_count: usize,
}

impl<'a> LocalRegression<'a> {
    pub(super) fn new(sigma_secs: f64, times: SampleTimes<'a>, sample_count: usize) -> Result<Self, SignalError> {
        check_sigma(sigma_secs)?;
        if sample_count > 1 {
            let duration_secs = times.time_secs(sample_count - 1) - times.time_secs(0);
            let reflections = TRUNCATE_SIGMAS * sigma_secs / duration_secs;
            // Within the clip the kernel meets each sample at most once, however many there are.
            if reflections > 1.0 {
                check_radius(reflections * sample_count as f64)?;
            }
        }
        Ok(Self { sigma_secs, times, sample_count })
    }

    /// Calls `with(index, weight)` for the neighbours of `centre` (indices may lie outside the clip: reflected
    /// samples), nearest first, left ones then right ones. The weight of the centre is what they lack to one.
    pub(super) fn for_each_weight(&self, centre: usize, mut with: impl FnMut(isize, f64)) {
        if self.sample_count < 2 || self.sigma_secs == 0.0 {
            return;
        }
        // Moments of the weights about the centre: the fitted line's value there is Σ wⱼ (S₂ − S₁ dⱼ) xⱼ / (S₀ S₂ −
        // S₁²).
        let centre_weight = self.spacing_secs(centre as isize);
        let (mut s0, mut s1, mut s2) = (centre_weight, 0.0, 0.0);
        self.for_each_neighbour(centre, |_, offset_secs, weight| {
            s0 += weight;
            s1 += weight * offset_secs;
            s2 += weight * offset_secs * offset_secs;
        });
        let determinant = s0 * s2 - s1 * s1;
        // Zero without neighbours in reach; by Cauchy–Schwarz never negative but for rounding.
        if determinant <= f64::EPSILON * s0 * s2 {
            return;
        }
        self.for_each_neighbour(centre, |index, offset_secs, weight| {
            with(index, weight * (s2 - s1 * offset_secs) / determinant);
        });
    }

    fn for_each_neighbour(&self, centre: usize, mut with: impl FnMut(isize, f64, f64)) {
        let centre = centre as isize;
        let centre_secs = self.time_secs(centre);
        for direction in [-1, 1] {
            let mut index = centre + direction;
            loop {
                let offset_secs = self.time_secs(index) - centre_secs;
                let offset_sigmas = offset_secs / self.sigma_secs;
                if offset_sigmas.abs() > TRUNCATE_SIGMAS {
                    break;
                }
                with(index, offset_secs, bell(offset_sigmas) * self.spacing_secs(index));
                index += direction;
            }
        }
    }

    /// The stretch of time a sample stands for: the trapezoid rule's weight.
    fn spacing_secs(&self, index: isize) -> f64 {
        0.5 * (self.time_secs(index + 1) - self.time_secs(index - 1))
    }

    fn time_secs(&self, index: isize) -> f64 {
        point_reflected(&|i| self.times.time_secs(i), self.sample_count, index)
    }
}

fn bell(sigmas: f64) -> f64 {
    (-0.5 * sigmas * sigmas).exp()
}

fn check_sigma(sigma_secs: f64) -> Result<(), SignalError> {
    if !sigma_secs.is_finite() || sigma_secs < 0.0 {
        return Err(SignalError::SmoothingTime { found_secs: sigma_secs * WINDOW_PER_SIGMA });
    }
    Ok(())
}

fn check_radius(radius_samples: f64) -> Result<(), SignalError> {
    if radius_samples > MAX_RADIUS_SAMPLES as f64 {
        return Err(SignalError::KernelTooLong { samples: radius_samples, limit: MAX_RADIUS_SAMPLES });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
