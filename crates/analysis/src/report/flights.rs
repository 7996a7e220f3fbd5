//! What each flight does: gravity, straightness, and whether angular momentum keeps still.

use super::FlightReport;
use super::evidence::Evidence;
use super::forces::timeline_used;
use crate::contacts::flights::fit_window;
use crate::contacts::{Flight, Verdict};
use crate::error::AnalysisError;
use crate::parabola::Parabola;
use aplomb_motion::Timeline;
use aplomb_physics::centroidal::{CentroidalOptions, LinkPaths, centroidal_track_of_paths};
use glam::{DVec2, DVec3};
use std::ops::Range;

/// Gravity that people do not notice to be wrong, m/s² (Reitsma & Pollard 2003, quoted in the fifth paper).
pub const UNNOTICED_G: std::ops::RangeInclusive<f64> = 9.0..=12.7;

/// The parabola of a flight's centre of mass.
pub(crate) struct FlightFit {
    /// Samples of [`Evidence::even`] that it was fitted to: the middle of the flight.
    pub window: Range<usize>,
    /// Samples of the whole flight.
    pub flight: Range<usize>,
    /// Index 0 is the start of the window.
    pub parabola: Parabola<DVec3>,
}

impl Evidence<'_> {
    /// Fits the raw centre of mass over the middle of a flight (contacts.md 7), in all three axes; `None` below four
    /// samples.
    pub fn flight_fit(&self, flight: &Flight) -> Option<FlightFit> {
        let even = self.even.as_ref()?;
        let range = even.range_of_secs(flight.start_secs, flight.end_secs);
        let window = fit_window(&range, &self.options.contacts);
        let parabola = Parabola::fit(&even.com_m[window.clone()])?;
        Some(FlightFit { window, flight: range, parabola })
    }
}

/// One report a flight.
pub(super) fn reports(evidence: &Evidence<'_>, paths: &LinkPaths) -> Result<Vec<FlightReport>, AnalysisError> {
    evidence.contacts.flights.iter().map(|flight| report(evidence, paths, flight)).collect()
}

fn report(evidence: &Evidence<'_>, paths: &LinkPaths, flight: &Flight) -> Result<FlightReport, AnalysisError> {
    let g = flight.fall.map(|fall| fall.g);
    let momentum = momentum(evidence, paths, flight)?;
    let mut report = FlightReport {
        g,
        residual_m: None,
        bend_m: None,
        speed_drift: None,
        momentum_mean: momentum.map(|(mean, _)| mean),
        momentum_deviation: momentum.map(|(_, deviation)| deviation),
        momentum_spread: None,
        rise_m: None,
        looks_right: g.and_then(|g| match UNNOTICED_G.contains(&g) {
            // As near to g as masses and capture allow to say, and not within what goes unnoticed: not known.
            false if flight.verdict == Verdict::Verified => None,
            looks_right => Some(looks_right),
        }),
        verdict: flight.verdict,
    };
    if let Some((stature_m, (_, deviation))) = evidence.body.stature_m().zip(momentum) {
        report.momentum_spread = Some(deviation.length() / (evidence.body.total_mass_kg() * stature_m * stature_m));
    }
    let (Some(fit), Some(even)) = (evidence.flight_fit(flight), &evidence.even) else { return Ok(report) };
    let samples_m = &even.com_m[fit.window.clone()];
    let square_m2 =
        samples_m.iter().enumerate().map(|(index, com_m)| com_m.distance_squared(fit.parabola.value(index as f64)));
    report.residual_m = Some((square_m2.sum::<f64>() / samples_m.len() as f64).sqrt());
    report.bend_m = Some(bend_m(samples_m));
    // Of the fitted parabola: between the middles of its first and last quarter lie three quarters of the time.
    let acceleration = fit.parabola.acceleration(even.step_secs);
    let window_secs = fit.window.len() as f64 * even.step_secs;
    report.speed_drift = Some(0.75 * window_secs * acceleration.with_y(0.0).length());
    report.rise_m = rise_m(&fit, even.step_secs);
    Ok(report)
}

/// Height of the apex over the take-off, which lies half a sample before the flight's first: v²/2g, and nothing for a
/// drop.
fn rise_m(fit: &FlightFit, step_secs: f64) -> Option<f64> {
    let take_off = fit.flight.start as f64 - 0.5 - fit.window.start as f64;
    let upward = fit.parabola.velocity(take_off, step_secs).y.max(0.0);
    let g = -fit.parabola.acceleration(step_secs).y;
    (g > 0.0).then(|| upward * upward / (2.0 * g))
}

/// Largest horizontal distance from the straight line that fits best: through the mean, along the largest spread, m.
pub fn bend_m(samples_m: &[DVec3]) -> f64 {
    let flat = |point_m: &DVec3| DVec2::new(point_m.x, point_m.z);
    let mean_m = samples_m.iter().map(flat).sum::<DVec2>() / samples_m.len() as f64;
    let (mut xx, mut xz, mut zz) = (0.0, 0.0, 0.0);
    for off_m in samples_m.iter().map(|point_m| flat(point_m) - mean_m) {
        xx += off_m.x * off_m.x;
        xz += off_m.x * off_m.y;
        zz += off_m.y * off_m.y;
    }
    // Principal axis of a symmetric 2 × 2 matrix; of a round one any axis is as good.
    let along = DVec2::from_angle(0.5 * (2.0 * xz).atan2(xx - zz));
    samples_m.iter().map(|point_m| along.perp_dot(flat(point_m) - mean_m).abs()).fold(0.0, f64::max)
}

/// Mean and standard deviation of the angular momentum over the middle of a flight.
///
/// From the flight's own frames only, smoothed as contacts are: the report's longer smoothing would mix in what happens
/// on the ground before and after.
fn momentum(
    evidence: &Evidence<'_>,
    paths: &LinkPaths,
    flight: &Flight,
) -> Result<Option<(DVec3, DVec3)>, AnalysisError> {
    let options = evidence.options;
    let rows = evidence.rows_within(flight.start_secs, flight.end_secs);
    if rows.len() < 4 {
        return Ok(None);
    }
    let timeline = match timeline_used(evidence.clip, evidence.contacts, evidence.rows())? {
        Timeline::Keyed(times_secs) => Timeline::keyed(times_secs[rows.clone()].to_vec())?,
        even => even,
    };
    let smoothing_secs = options.contacts.smoothing_secs;
    let centroidal = CentroidalOptions { model: options.model, smoothing_secs };
    let track = centroidal_track_of_paths(&paths.part(rows.clone()), evidence.body, &timeline, &centroidal)?;
    let middle = fit_window(&(0..rows.len()), &options.contacts);
    let momenta = || track.momentum[middle.clone()].iter().map(|momentum| momentum.angular);
    let count = middle.len() as f64;
    let mean = momenta().sum::<DVec3>() / count;
    let variance = momenta().map(|momentum| (momentum - mean) * (momentum - mean)).sum::<DVec3>() / count;
    Ok(Some((mean, DVec3::new(variance.x.sqrt(), variance.y.sqrt(), variance.z.sqrt()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bend_is_the_distance_from_the_best_line() {
        let straight: Vec<DVec3> = (0..20).map(|i| DVec3::new(3.0, f64::from(i).sin(), -1.0) * f64::from(i)).collect();
        assert!(bend_m(&straight) < 1e-12, "{}", bend_m(&straight));
        // One point 21 mm off twenty: the line moves towards it by a part, so less than 21 mm and more than half.
        let mut bent: Vec<DVec3> = (0..21).map(|i| DVec3::new(0.0, 0.0, 0.1 * f64::from(i))).collect();
        bent[10].x = 0.021;
        assert!((bend_m(&bent) - 0.020).abs() < 1e-4, "{}", bend_m(&bent));
        assert!(bend_m(&[DVec3::ONE; 5]) < 1e-15);
    }
}
