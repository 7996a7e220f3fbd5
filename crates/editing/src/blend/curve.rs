//! What lies between frames: cubics through them, and their first two derivatives.
//!
//! The same curve as `motion::edit::sample_at` takes for positions (Catmull-Rom, at the ends the parabola through three
//! frames): it reproduces parabolas, so resampling changes no gravity. Rotations are interpolated as quaternions whose
//! signs run on, and normalised.

use aplomb_motion::edit::ON_A_FRAME;
use aplomb_motion::signal::Linear;
use glam::DQuat;

/// Frames around a place in time and what each of them counts for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cubic {
    first: usize,
    weights: [f64; 4],
}

impl Cubic {
    /// The value at a place, counted in frames; held at the ends. There are at least four frames.
    pub fn value(position: f64, frames: usize) -> Self {
        Self::new(position, frames, |t| {
            let (t2, t3) = (t * t, t * t * t);
            [-t3 + 2.0 * t2 - t, 3.0 * t3 - 5.0 * t2 + 2.0, -3.0 * t3 + 4.0 * t2 + t, t3 - t2].map(|it| 0.5 * it)
        })
    }

    /// The first derivative, a frame.
    pub fn slope(position: f64, frames: usize) -> Self {
        Self::new(position, frames, |t| {
            let t2 = t * t;
            [-3.0 * t2 + 4.0 * t - 1.0, 9.0 * t2 - 10.0 * t, -9.0 * t2 + 8.0 * t + 1.0, 3.0 * t2 - 2.0 * t]
                .map(|it| 0.5 * it)
        })
    }

    fn new(position: f64, frames: usize, basis: impl Fn(f64) -> [f64; 4]) -> Self {
        let last = frames - 1;
        let position = position.clamp(0.0, last as f64);
        let nearest = position.round();
        let position = if (position - nearest).abs() < ON_A_FRAME { nearest } else { position };
        let start = (position.floor() as usize).min(last - 1);
        let [w0, w1, w2, w3] = basis(position - start as f64);
        // Beyond the ends the parabola through the outer three frames goes on: p₋₁ = 3p₀ − 3p₁ + p₂.
        match start {
            0 => Self { first: 0, weights: [w1 + 3.0 * w0, w2 - 3.0 * w0, w3 + w0, 0.0] },
            _ if start + 2 > last => Self { first: start - 2, weights: [0.0, w0 + w3, w1 - 3.0 * w3, w2 + 3.0 * w3] },
            _ => Self { first: start - 1, weights: [w0, w1, w2, w3] },
        }
    }

    pub fn sum<T: Linear>(&self, at: impl Fn(usize) -> T) -> T {
        let mut sum = T::ZERO;
        for (index, &weight) in self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            sum = sum + at(self.first + index) * weight;
        }
        sum
    }

    pub fn rotation(&self, at: impl Fn(usize) -> DQuat) -> DQuat {
        let mut sum = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        for (index, &weight) in self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            sum += at(self.first + index) * weight;
        }
        sum.normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parabolas_come_back_everywhere_with_their_slope() {
        let at = |x: f64| 0.3 + 1.7 * x - 0.4 * x * x;
        for frames in [4, 5, 9] {
            for step in 0..=(frames - 1) * 16 {
                let x = step as f64 / 16.0;
                assert!((Cubic::value(x, frames).sum(|i| at(i as f64)) - at(x)).abs() < 1e-13, "{frames} {x}");
                let slope = Cubic::slope(x, frames).sum(|i| at(i as f64));
                assert!((slope - (1.7 - 0.8 * x)).abs() < 1e-12, "{frames} {x} {slope}");
            }
        }
    }

    #[test]
    fn frames_come_back_to_the_bit() {
        let values = [0.1, 0.7, -3.3, 0.9, 2.2];
        for (frame, value) in values.iter().enumerate() {
            assert_eq!(Cubic::value(frame as f64 + 1e-9, 5).sum(|i| values[i]), *value);
        }
    }
}
