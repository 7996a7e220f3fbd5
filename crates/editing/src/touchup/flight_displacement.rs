//! One displacement for the whole clip that has given accelerations in flights and is gentle elsewhere.
//!
//! d̈ = r in every flight, exactly; elsewhere the least Σ (d̈/f)² + Σ d²/τ⁴, with f the force in body weights: where
//! the ground presses hard, an acceleration more costs little balance. The stationary point of it with multipliers λ
//! for the flights is a band system when d and λ of each frame stand side by side.

use crate::EditingError;
use aplomb_numerics::{BandLu, BandMatrix};
use glam::DVec3;

/// Frames that may not move at all are held by a pull so many times stronger that a metre becomes less than a
/// micrometre.
const LEAST_SHARE_SQUARED: f64 = 1e-12;

/// The spread for one time constant; made once for any number of right sides.
pub(super) struct FlightDisplacement {
    lu: BandLu,
    is_free: Vec<bool>,
    /// Frames that stay as they are.
    is_still: Vec<bool>,
    step_secs: f64,
}

impl FlightDisplacement {
    /// `is_flight[i]`: the second difference about frame i is prescribed. `load` in body weights; `share` of a
    /// correction that each frame may take: where it is eased the displacement is held to zero, the more the less it
    /// may.
    pub fn new(
        is_flight: &[bool],
        load: &[f64],
        share: &[f64],
        tau_secs: f64,
        step_secs: f64,
    ) -> Result<Self, EditingError> {
        let count = is_flight.len();
        let mut matrix = BandMatrix::zero(2 * count, 4, 4);
        let pull = (step_secs / tau_secs).powi(4);
        let mut is_free = vec![false; count];
        for frame in 0..count {
            let (own, multiplier) = (2 * frame, 2 * frame + 1);
            let hold = (share[frame] * share[frame]).max(LEAST_SHARE_SQUARED).recip();
            matrix.add(own, own, pull * hold);
            let is_inner = frame > 0 && frame + 1 < count;
            is_free[frame] = is_flight[frame] && is_inner;
            if !is_free[frame] {
                matrix.add(multiplier, multiplier, 1.0);
            }
            if !is_inner {
                continue;
            }
            let terms = [(2 * frame - 2, 1.0), (own, -2.0), (2 * frame + 2, 1.0)];
            if is_free[frame] {
                for (place, factor) in terms {
                    matrix.add(multiplier, place, factor);
                    matrix.add(place, multiplier, factor);
                }
            } else {
                let weight = load[frame].clamp(0.3, 2.0).powi(-2);
                for (row, a) in terms {
                    for (column, b) in terms {
                        matrix.add(row, column, weight * a * b);
                    }
                }
            }
        }
        let is_still = share.iter().map(|share| *share == 0.0).collect();
        Ok(Self { lu: BandLu::factor(&matrix)?, is_free, is_still, step_secs })
    }

    /// The displacement with these accelerations in flights.
    pub fn solve(&self, acceleration: &[DVec3]) -> Result<Vec<DVec3>, EditingError> {
        let mut found = vec![DVec3::ZERO; acceleration.len()];
        let mut side = vec![0.0; 2 * acceleration.len()];
        for axis in 0..3 {
            side.fill(0.0);
            for (frame, wanted) in acceleration.iter().enumerate().filter(|(frame, _)| self.is_free[*frame]) {
                side[2 * frame + 1] = wanted[axis] * self.step_secs * self.step_secs;
            }
            self.lu.solve(&mut side)?;
            for (frame, value) in found.iter_mut().enumerate() {
                value[axis] = if self.is_still[frame] { 0.0 } else { side[2 * frame] };
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_get_their_acceleration_and_the_rest_fades() {
        let step_secs = 1.0 / 120.0;
        let is_flight: Vec<bool> = (0..1200).map(|frame| (600..650).contains(&frame)).collect();
        let load = vec![1.0; 1200];
        let wanted: Vec<DVec3> = (0..1200).map(|frame| DVec3::new(0.0, (f64::from(frame) * 0.1).sin(), -1.0)).collect();
        let spread = FlightDisplacement::new(&is_flight, &load, &[1.0; 1200], 0.4, step_secs).unwrap();
        let d = spread.solve(&wanted).unwrap();
        let second = |i: usize| (d[i - 1] - d[i] * 2.0 + d[i + 1]) / (step_secs * step_secs);
        for (frame, wanted) in wanted.iter().enumerate().take(650).skip(600) {
            // Exact up to rounding over h².
            assert!(second(frame).distance(*wanted) < 1e-7, "{frame}");
        }
        // Elsewhere no acceleration is anywhere near the flight's own, and far away nothing is left.
        assert!((1..599).chain(651..1199).all(|frame| second(frame).length() < 1.5));
        assert!(d[5].length() < 1e-3 && d[1195].length() < 1e-3, "{} {}", d[5], d[1195]);
        assert_eq!(d[620].x, 0.0);
    }

    #[test]
    fn without_flights_nothing_moves() {
        let spread = FlightDisplacement::new(&[false; 20], &[1.0; 20], &[1.0; 20], 0.4, 0.01).unwrap();
        assert!(spread.solve(&[DVec3::ONE; 20]).unwrap().iter().all(|d| *d == DVec3::ZERO));
    }
}
