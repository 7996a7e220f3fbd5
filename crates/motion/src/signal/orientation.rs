//! Linear filters carried over to orientations (Lee & Shin 2002, "General construction of time-domain filters for
//! orientation data", IEEE TVCG 8(2)).
//!
//! A mask a₋ₖ … aₖ with Σ aₘ = 1 filters a vector signal by x̃ᵢ = Σ aₘ xᵢ₊ₘ. Orientations cannot be summed, but the
//! same filter can be written with differences alone. With Δⱼ = xⱼ₊₁ − xⱼ,
//!
//! ```text
//!   xᵢ₊ₘ = xᵢ + Σ_{j=0}^{m−1} Δᵢ₊ⱼ   for m > 0,        xᵢ₊ₘ = xᵢ − Σ_{j=m}^{−1} Δᵢ₊ⱼ   for m < 0,
//! ```
//!
//! and putting this into the mask, Δᵢ₊ⱼ is met by every aₘ beyond it:
//!
//! ```text
//!   x̃ᵢ = xᵢ + Σ_{j=−k}^{k−1} bⱼ Δᵢ₊ⱼ,   bⱼ = Σ_{m=j+1}^{k} aₘ  (j ≥ 0),   bⱼ = −Σ_{m=−k}^{j} aₘ  (j < 0).
//! ```
//!
//! For orientations Δ becomes ωⱼ = log(qⱼ⁻¹ qⱼ₊₁), the turn to the next sample in the body's own axes, and the sum a
//! rotation:
//!
//! ```text
//!   q̃ᵢ = qᵢ · exp(Σ_{j=−k}^{k−1} bⱼ ωᵢ₊ⱼ).
//! ```
//!
//! Turning all inputs from the left leaves every ω alone; from the right, q → q·c, it turns them all by c⁻¹: the result
//! turns along in both cases, so neither the world's nor the body's choice of axes matters. A constant rate ω gives Σ
//! bⱼ ω = (Σ m aₘ) ω, which is zero for a symmetric mask: steady turning comes back exactly. A clip run backwards has
//! ω′ⱼ = −ω_{N−1−j} (an inverse turn has the same axis), so a symmetric mask gives the same result run backwards. Turns
//! must be less than half a turn per sample.
//!
//! **Ends.** Point reflection of vectors, x₋ᵢ = 2x₀ − xᵢ, says Δ₋₁₋ⱼ = Δⱼ, so here ω₋₁₋ⱼ = ωⱼ, and likewise at the
//! other end, again and again for short clips. For a symmetric mask b₋₁₋ⱼ = −bⱼ, so both ends keep their orientation
//! exactly, as they do in the vector filter. The geodesic reflection q₋ᵢ = q₀ (q₀⁻¹ qᵢ)⁻¹ agrees where rotations
//! commute and differs from it in second order otherwise (its increments are the ωⱼ turned by the path in between); it
//! was not taken because the ends would then move.

use super::gaussian::{Gaussian, LocalRegression};
use super::{SampleTimes, SignalError};
use crate::so3;
use glam::{DQuat, DVec3};

/// A filter for evenly spaced orientations, made from a mask for vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct OrientationFilter {
    /// bⱼ for j = −k … k−1; empty for the identity.
    increment_weights: Vec<f64>,
}

/// Scratch for filtering without allocation: keep one and use it again.
#[derive(Clone, Debug, Default)]
pub struct OrientationWorkspace {
    increments: Vec<DVec3>,
}

impl OrientationFilter {
    /// From a mask a₋ₖ … aₖ: an odd number of coefficients that sum to one.
    pub fn from_mask(mask: &[f64]) -> Result<Self, SignalError> {
        if mask.len().is_multiple_of(2) {
            return Err(SignalError::MaskLength { found: mask.len() });
        }
        let sum: f64 = mask.iter().sum();
        // Wide enough for coefficients typed with ten digits. A sum that is off scales nothing here, it is silently
        // taken up by the centre, so it must not be far off.
        if sum.is_nan() || (sum - 1.0).abs() > 1e-9 {
            return Err(SignalError::MaskSum { found: sum });
        }
        let radius = mask.len() / 2;
        let mut increment_weights = vec![0.0; 2 * radius];
        let mut before = 0.0;
        for j in 0..radius {
            before -= mask[j];
            increment_weights[j] = before;
        }
        let mut after = 0.0;
        for j in (radius..2 * radius).rev() {
            after += mask[j + 1];
            increment_weights[j] = after;
        }
        Ok(Self { increment_weights })
    }

    /// The project's smoothing, for orientations.
    pub fn from_gaussian(gaussian: &Gaussian) -> Self {
        let radius = gaussian.radius_samples();
        let mut increment_weights = vec![0.0; 2 * radius];
        let mut beyond = 0.0;
        for distance in (1..=radius).rev() {
            beyond += gaussian.weight(distance);
            increment_weights[radius + distance - 1] = beyond;
            increment_weights[radius - distance] = -beyond;
        }
        Self { increment_weights }
    }

    /// The filtered orientations. Ends are point-reflected; no or one orientation comes back as it is, and two do for a
    /// symmetric mask. Signs of the inputs do not matter; each output is in the hemisphere of its input within half a
    /// turn.
    pub fn apply(&self, input: &[DQuat]) -> Vec<DQuat> {
        let mut output = vec![DQuat::IDENTITY; input.len()];
        self.apply_into(input, &mut OrientationWorkspace::default(), &mut output);
        output
    }

    /// [`OrientationFilter::apply`]; allocates only when the workspace has never seen so long a clip.
    ///
    /// # Panics
    /// If `input` and `output` differ in length.
    pub fn apply_into(&self, input: &[DQuat], workspace: &mut OrientationWorkspace, output: &mut [DQuat]) {
        assert_eq!(input.len(), output.len(), "one output per input orientation");
        if input.len() < 2 {
            return output.copy_from_slice(input);
        }
        workspace.fill(input);
        let increments = &workspace.increments;
        let radius = self.increment_weights.len() / 2;
        for (centre, (filtered, &here)) in output.iter_mut().zip(input).enumerate() {
            let inside = centre >= radius && centre + radius <= increments.len();
            let correction_rad = if inside {
                let window = &increments[centre - radius..centre + radius];
                window
                    .iter()
                    .zip(&self.increment_weights)
                    .fold(DVec3::ZERO, |sum, (&turn, &weight)| sum + turn * weight)
            } else {
                (centre as isize - radius as isize..)
                    .zip(&self.increment_weights)
                    .fold(DVec3::ZERO, |sum, (interval, &weight)| {
                        sum + reflected_increment(increments, interval) * weight
                    })
            };
            *filtered = here * so3::exp(correction_rad);
        }
    }
}

/// Smooths orientations at any rising times with a standard deviation of `sigma_secs`: the local linear regression of
/// [`super::gaussian::smooth_at_times_into`], whose weights at each sample are a mask there. For even times it is
/// [`OrientationFilter::from_gaussian`].
///
/// # Panics
/// If there is not one time and one output per orientation.
pub fn smooth_at_times_into(
    sigma_secs: f64,
    times: SampleTimes<'_>,
    input: &[DQuat],
    workspace: &mut OrientationWorkspace,
    output: &mut [DQuat],
) -> Result<(), SignalError> {
    assert_eq!(input.len(), output.len(), "one output per input orientation");
    times.assert_fits(input.len());
    let regression = LocalRegression::new(sigma_secs, times, input.len())?;
    workspace.fill(input);
    let increments = &workspace.increments;
    for (centre, (filtered, &here)) in output.iter_mut().zip(input).enumerate() {
        let centre_index = centre as isize;
        let mut correction_rad = DVec3::ZERO;
        // Weights come nearest first on each side, so the way from the centre (the partial sum of ω) grows along.
        let mut way_rad = DVec3::ZERO;
        regression.for_each_weight(centre, |index, weight| {
            if index == centre_index - 1 || index == centre_index + 1 {
                way_rad = DVec3::ZERO;
            }
            if index < centre_index {
                way_rad -= reflected_increment(increments, index);
            } else {
                way_rad += reflected_increment(increments, index - 1);
            }
            correction_rad += way_rad * weight;
        });
        *filtered = here * so3::exp(correction_rad);
    }
    Ok(())
}

impl OrientationWorkspace {
    /// ωⱼ = log(qⱼ⁻¹ qⱼ₊₁).
    fn fill(&mut self, input: &[DQuat]) {
        self.increments.clear();
        self.increments.extend(input.windows(2).map(|pair| match pair {
            // q⁻¹q is the identity only up to rounding; what stands still shall stay still to the last bit.
            [here, next] if here != next => so3::log(here.conjugate() * *next),
            _ => DVec3::ZERO,
        }));
    }
}

/// ω of an interval that may lie outside the clip: ω₋₁₋ⱼ = ωⱼ at the first sample, mirrored likewise at the last,
/// repeatedly.
fn reflected_increment(increments: &[DVec3], interval: isize) -> DVec3 {
    let count = increments.len() as isize;
    let within = interval.rem_euclid(2 * count);
    let mirrored = if within < count { within } else { 2 * count - 1 - within };
    increments[mirrored as usize]
}

#[cfg(test)]
mod tests;
