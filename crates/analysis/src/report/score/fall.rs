//! Whether flights fall as things fall (score.md: fall).

use crate::contacts::Verdict;
use crate::contacts::flights::fit_window;
use crate::parabola::Parabola;
use crate::report::evidence::Evidence;
use glam::DVec3;

/// Error of honest captures in a flight of a tenth of a second, in g; it goes with 1/T²: 3.7 mm of the path of the
/// centre of mass, which three of four unedited flights below 0.15 s keep to at 120, 60 and 30 Hz alike (masses of
/// tables, skin that moves on bones).
const NOISE_AT_TENTH_G: f64 = 0.3;

/// A flight that falls slower than this is carried by something: a bar, a seat, hands. Stretching a flight by 1.4
/// leaves half of g.
const LEAST_FALL_G: f64 = 0.3;

/// Mean error of the fitted acceleration over all flights, weighted by T², in g; `known_only` leaves out those that
/// something carries.
pub(super) fn fall_g(evidence: &Evidence<'_>, known_only: bool) -> Option<f64> {
    let even = evidence.even.as_ref()?;
    let options = &evidence.options.contacts;
    let (mut sum, mut weights) = (0.0, 0.0);
    for flight in &evidence.contacts.flights {
        let window = fit_window(&even.range_of_secs(flight.start_secs, flight.end_secs), options);
        let Some(fit) = Parabola::fit(&even.com_m[window]) else { continue };
        let acceleration = fit.acceleration(even.step_secs);
        if known_only && flight.verdict == Verdict::Doubtful && -acceleration.y < LEAST_FALL_G * options.gravity {
            continue;
        }
        let weight = flight.secs() * flight.secs();
        sum += weight * error_g(acceleration, flight.secs(), options.gravity);
        weights += weight;
    }
    (weights > 0.0).then(|| sum / weights)
}

/// |a − (0, −g, 0)| / g, less what capture noise makes in so short a time. All axes: catches a wrong g and a curved flight alike.
fn error_g(acceleration: DVec3, flight_secs: f64, gravity: f64) -> f64 {
    let off_g = (acceleration + DVec3::Y * gravity).length() / gravity;
    (off_g - NOISE_AT_TENTH_G * (0.1 / flight_secs).powi(2)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_gravity_and_sideways_force_are_errors_and_short_flights_are_forgiven() {
        assert!(error_g(DVec3::new(0.0, -9.81, 0.0), 0.4, 9.81) < 1e-12);
        let half = error_g(DVec3::new(0.0, -4.905, 0.0), 0.4, 9.81);
        let noise = 0.3 / 16.0;
        assert!((half - (0.5 - noise)).abs() < 1e-12);
        let curved = error_g(DVec3::new(4.905, -9.81, 0.0), 0.4, 9.81);
        assert!((curved - half).abs() < 1e-12);
        // 0.08 s: 0.3 · (10/8)² g are forgiven.
        assert_eq!(error_g(DVec3::new(0.0, -9.81 * 1.4, 0.0), 0.08, 9.81), 0.0);
    }
}
