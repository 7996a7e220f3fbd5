//! Spans without contact, their edges by force, and whether they fall as things fall (contacts.md 5–7).

use super::options::ContactOptions;
use super::touch::{ROUNDING_SECS, runs_of};
use crate::parabola::Parabola;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What is to be made of a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It falls at g, as far as masses and capture allow.
    Verified,
    /// Too short to tell.
    Short,
    /// Long enough to tell, and it does not fall at g; or a foot is under the floor meanwhile.
    Doubtful,
}

/// A parabola through the heights of the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fall {
    /// Downward acceleration, m/s².
    pub g: f64,
    /// Root of the mean squared distance, m.
    pub residual_m: f64,
}

/// A flight in samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlightSamples {
    /// No point down.
    pub kinematic: Range<usize>,
    /// No point down and no force.
    pub trimmed: Range<usize>,
}

/// Spans in which none of the points is down.
pub(super) fn airborne(contacts: &[Vec<Range<usize>>], samples: usize) -> Vec<Range<usize>> {
    let mut is_free = vec![true; samples];
    for contact in contacts.iter().flatten() {
        is_free[contact.clone()].fill(false);
    }
    runs_of(&is_free)
}

/// Whether an airborne span may be a flight: inside the clip, and no longer than people fly.
pub(super) fn is_candidate(span: &Range<usize>, samples: usize, step_secs: f64, options: &ContactOptions) -> bool {
    let inside = span.start > 0 && span.end < samples;
    inside && span.len() as f64 * step_secs <= options.longest_flight_secs + ROUNDING_SECS
}

/// Moves both edges inward while the ground still carries something, which it does only as far as a point is near it.
/// `force` is in body weights; `may_leave` and `may_land` say of a sample whether a point that leaves, or lands, is
/// still, or already, near its floor.
pub(super) fn trimmed(
    span: &Range<usize>,
    force: &[f64],
    may_leave: impl Fn(usize) -> bool,
    may_land: impl Fn(usize) -> bool,
    step_secs: f64,
    options: &ContactOptions,
) -> Range<usize> {
    let middle = span.start + span.len() / 2;
    let reach = (options.edge_reach_secs / step_secs + ROUNDING_SECS).floor() as usize;
    let (mut start, mut end) = (span.start, span.end);
    while start < middle && start - span.start < reach && force[start] > options.edge_force && may_leave(start) {
        start += 1;
    }
    while end > middle && span.end - end < reach && force[end - 1] > options.edge_force && may_land(end - 1) {
        end -= 1;
    }
    start..end
}

/// The middle of a span, which gravity is fitted to; all of it where the middle has too few samples.
pub(crate) fn fit_window(span: &Range<usize>, options: &ContactOptions) -> Range<usize> {
    let cut = (0.5 * (1.0 - options.fit_share) * span.len() as f64).round() as usize;
    let middle = span.start + cut..span.end - cut;
    if middle.len() < options.fit_least_samples { span.clone() } else { middle }
}

/// Fits the middle of a span; `None` if it has fewer than four samples, which any parabola with noise fits.
pub(super) fn fall(heights_m: &[f64], span: &Range<usize>, step_secs: f64, options: &ContactOptions) -> Option<Fall> {
    let window = fit_window(span, options);
    let samples = &heights_m[window];
    let parabola = Parabola::fit(samples)?;
    let off_m = samples.iter().enumerate().map(|(index, height_m)| height_m - parabola.value(index as f64));
    let residual_m = (off_m.map(|off_m| off_m * off_m).sum::<f64>() / samples.len() as f64).sqrt();
    Some(Fall { g: -parabola.acceleration(step_secs), residual_m })
}

/// The verdict on a flight that lasts `secs`.
///
/// The error that noise of the centre of mass makes in its fitted acceleration goes with 1/T²: what is outside by no
/// more than that is too short to tell.
pub(super) fn verdict(fall: Option<Fall>, secs: f64, is_sunk: bool, options: &ContactOptions) -> Verdict {
    // How far outside; without a fit it is not known.
    let off = fall.map(|fall| (options.least_g - fall.g).max(fall.g - options.most_g).max(0.0));
    let noise = options.g_noise_at_tenth * (0.1 / secs).powi(2);
    match off {
        _ if is_sunk => Verdict::Doubtful,
        Some(0.0) => Verdict::Verified,
        _ if secs <= options.short_flight_secs + ROUNDING_SECS => Verdict::Short,
        Some(off) if off <= noise => Verdict::Short,
        _ => Verdict::Doubtful,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> ContactOptions {
        ContactOptions::default()
    }

    #[test]
    fn a_parabola_gives_its_g_and_noise_its_residual() {
        let step_secs = 1.0 / 120.0;
        let at = |i: usize| i as f64 * step_secs;
        let heights_m: Vec<f64> = (0..60).map(|i| 1.0 + 2.1 * at(i) - 0.5 * 9.81 * at(i) * at(i)).collect();
        let exact = fall(&heights_m, &(5..50), step_secs, &options()).unwrap();
        assert!((exact.g - 9.81).abs() < 1e-9 && exact.residual_m < 1e-12, "{exact:?}");
        let noisy: Vec<f64> = heights_m.iter().enumerate().map(|(i, y)| y + 0.001 * (-1f64).powi(i as i32)).collect();
        let noisy = fall(&noisy, &(5..50), step_secs, &options()).unwrap();
        assert!((noisy.residual_m - 0.001).abs() < 1e-5 && (noisy.g - 9.81).abs() < 0.05, "{noisy:?}");
    }

    #[test]
    fn too_few_samples_say_nothing() {
        assert_eq!(fall(&[1.0, 1.1, 1.0], &(0..3), 0.01, &options()), None);
        assert_eq!(verdict(None, 0.06, false, &options()), Verdict::Short);
        assert_eq!(verdict(None, 0.3, false, &options()), Verdict::Doubtful);
    }

    #[test]
    fn a_flight_far_from_g_is_never_verified() {
        let of = |g: f64, secs: f64| verdict(Some(Fall { g, residual_m: 0.001 }), secs, false, &options());
        assert_eq!([of(8.5, 0.4), of(12.7, 0.07)], [Verdict::Verified; 2]);
        // Hops of runs, and one of a tenth longer whose g noise explains: 1.5 · (0.1/0.142)² = 0.74 m/s².
        assert_eq!([of(6.26, 0.067), of(13.59, 0.075), of(8.01, 0.142)], [Verdict::Short; 3]);
        assert_eq!([of(6.3, 0.217), of(7.0, 0.142), of(15.0, 0.55), of(-2.0, 0.4)], [Verdict::Doubtful; 4]);
        assert_eq!(verdict(Some(Fall { g: 9.81, residual_m: 0.0 }), 0.4, true, &options()), Verdict::Doubtful);
    }

    #[test]
    fn only_the_middle_of_a_flight_is_fitted() {
        // Ends are spoilt by a tenth of the flight each: 5 of 50 samples.
        let mut heights_m: Vec<f64> = (0..50).map(|i| -0.5 * 9.81 * (f64::from(i) * 0.01).powi(2)).collect();
        heights_m[..5].fill(7.0);
        heights_m[45..].fill(7.0);
        assert!((fall(&heights_m, &(0..50), 0.01, &options()).unwrap().g - 9.81).abs() < 1e-9);
    }

    #[test]
    fn edges_move_in_while_the_ground_pushes_but_not_far() {
        let mut force = vec![0.0; 100];
        force[10..14].fill(1.0);
        force[50..60].fill(0.5);
        let trimmed_near_the_floor =
            |span: Range<usize>, force: &[f64]| trimmed(&span, force, |_| true, |_| true, 0.01, &options());
        assert_eq!(trimmed_near_the_floor(10..60, &force), 14..50);
        assert_eq!(trimmed_near_the_floor(10..60, &[1.0; 100]), 20..50);
        assert_eq!(trimmed_near_the_floor(10..20, &[1.0; 100]), 15..15);
    }

    #[test]
    fn edges_stay_where_feet_are_high_whatever_the_force_says() {
        let force = [1.0; 100];
        assert_eq!(trimmed(&(10..60), &force, |sample| sample < 13, |sample| sample >= 58, 0.01, &options()), 13..58);
        assert_eq!(trimmed(&(10..60), &force, |_| false, |_| false, 0.01, &options()), 10..60);
    }

    #[test]
    fn spans_at_the_ends_are_airborne_but_no_flights() {
        let contacts = vec![vec![10..20, 40..50], vec![15..30]];
        let spans = airborne(&contacts, 60);
        assert_eq!(spans, vec![0..10, 30..40, 50..60]);
        let candidates: Vec<bool> = spans.iter().map(|span| is_candidate(span, 60, 0.01, &options())).collect();
        assert_eq!(candidates, vec![false, true, false]);
        assert!(!is_candidate(&(1..200), 300, 0.01, &options()));
    }
}
