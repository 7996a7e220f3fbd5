//! The stiffness of a character, as high as its input's quality allows.
//!
//! Zordan & Hodgins descend on ε, the sum of errors, and were stopped by the step of an explicit integrator. With
//! implicit servos ε falls for ever (a stiff servo plays everything, noise too), so the bound is the smoothness that
//! tracking is for.

use super::{Advance, ServoTargets, TrackOptions, Tracked};
use crate::EditingError;
use aplomb_physics::simulation::ServoGains;
use serde::Serialize;

/// The stiffest that is tried, s⁻²: hands lag by some 20 ms there, and noise of 1° begins to come through.
pub(crate) const MOST_STIFFNESS: f64 = 10_000.0;

/// The softest: hands lag by some 80 ms.
const LEAST_STIFFNESS: f64 = 1000.0;

/// Of what playback has above 10 Hz.
const MOST_SHAKING: f64 = 0.25;

/// Halvings of the range on a scale of ratios: the last is within 4 %.
const HALVINGS: usize = 6;

/// What was tried on the way, softest first.
#[derive(Clone, Debug, Serialize)]
pub struct StiffnessSearch {
    /// Stiffness (s⁻²), mean error ε (deg), shaking over playback's.
    pub tried: Vec<(f64, f64, f64)>,
    /// Whether shaking stayed below a quarter of playback's; if not, the softest was taken.
    pub is_smooth: bool,
}

/// The stiffest servos, up to 10 000 s⁻², whose hands shake (above 10 Hz) at most a quarter as much as playback's; and
/// what they play.
pub fn find_stiffness(
    targets: &ServoTargets<'_>,
    options: &TrackOptions,
    advance: Advance<'_>,
) -> Result<(Tracked, StiffnessSearch), EditingError> {
    let mut tried: Vec<(f64, f64, f64)> = Vec::new();
    let mut play = |stiffness_per_s2: f64| -> Result<(Tracked, bool), EditingError> {
        let gains = ServoGains { stiffness_per_s2, ..options.gains };
        let tracked = targets.play(&TrackOptions { gains, ..*options }, advance)?;
        // Hands that never move have nothing to shake.
        let shaking = tracked.report.shaking_ratio.unwrap_or(0.0);
        tried.push((stiffness_per_s2, tracked.report.mean_error_deg, shaking));
        Ok((tracked, shaking <= MOST_SHAKING))
    };
    let (mut best, mut is_smooth) = play(MOST_STIFFNESS)?;
    if !is_smooth {
        (best, is_smooth) = play(LEAST_STIFFNESS)?;
        let (mut low, mut high) = (LEAST_STIFFNESS, MOST_STIFFNESS);
        for _ in 0..if is_smooth { HALVINGS } else { 0 } {
            let middle = (low * high).sqrt();
            let (tracked, is_good) = play(middle)?;
            if is_good {
                (best, low) = (tracked, middle);
            } else {
                high = middle;
            }
        }
    }
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok((best, StiffnessSearch { tried, is_smooth }))
}
