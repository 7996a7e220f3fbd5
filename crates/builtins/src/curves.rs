//! The curves everything is drawn with: minimum jerk, quintics with given ends, cubic splines, smoothed keys.

use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_numerics::{BandLu, BandMatrix};

/// 10u³ − 15u⁴ + 6u⁵: from 0 to 1 at rest and without acceleration at both ends (Flash & Hogan 1985); held outside.
pub fn min_jerk(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// [`min_jerk`] between two times.
pub fn rise(t: f64, from: f64, to: f64) -> f64 {
    min_jerk((t - from) / (to - from))
}

/// Value, first and second derivative.
pub type Jet = [f64; 3];

/// The fifth-degree polynomial with given value, rate and acceleration at both ends.
#[derive(Clone, Copy, Debug)]
pub struct Quintic {
    start: f64,
    coefficients: [f64; 6],
}

impl Quintic {
    pub fn new(start: f64, [x0, v0, a0]: Jet, end: f64, [x1, v1, a1]: Jet) -> Self {
        let h = end - start;
        // In u = (t − start)/h; what the first three terms leave of value, slope and curvature at u = 1 fixes the other
        // three.
        let (c0, c1, c2) = (x0, v0 * h, 0.5 * a0 * h * h);
        let x = x1 - c0 - c1 - c2;
        let v = v1 * h - c1 - 2.0 * c2;
        let a = a1 * h * h - 2.0 * c2;
        let (c3, c4, c5) = (10.0 * x - 4.0 * v + 0.5 * a, -15.0 * x + 7.0 * v - a, 6.0 * x - 3.0 * v + 0.5 * a);
        let powers = [1.0, h, h * h, h.powi(3), h.powi(4), h.powi(5)];
        let mut coefficients = [c0, c1, c2, c3, c4, c5];
        coefficients.iter_mut().zip(powers).for_each(|(c, power)| *c /= power);
        Self { start, coefficients }
    }

    pub fn at(&self, t: f64) -> f64 {
        let s = t - self.start;
        self.coefficients.iter().rev().fold(0.0, |sum, c| sum * s + c)
    }
}

/// The cubic spline through keys, with given slopes at both ends.
#[derive(Clone, Debug)]
pub struct ClampedSpline {
    keys: Vec<(f64, f64)>,
    slopes: Vec<f64>,
}

impl ClampedSpline {
    /// `keys` rise in time; at least two.
    pub fn new(keys: Vec<(f64, f64)>, first_slope: f64, last_slope: f64) -> Self {
        let last = keys.len() - 1;
        let mut slopes: Vec<f64> = Vec::with_capacity(keys.len());
        let mut matrix = BandMatrix::zero(keys.len(), 1, 1);
        for i in 0..=last {
            if i == 0 || i == last {
                matrix.add(i, i, 1.0);
                slopes.push(if i == 0 { first_slope } else { last_slope });
                continue;
            }
            // Continuity of x″: s₍ᵢ₋₁₎/h₀ + 2sᵢ(1/h₀ + 1/h₁) + s₍ᵢ₊₁₎/h₁ = 3(Δ₀/h₀² + Δ₁/h₁²).
            let (h0, h1) = (keys[i].0 - keys[i - 1].0, keys[i + 1].0 - keys[i].0);
            matrix.add(i, i - 1, 1.0 / h0);
            matrix.add(i, i, 2.0 / h0 + 2.0 / h1);
            matrix.add(i, i + 1, 1.0 / h1);
            slopes.push(3.0 * ((keys[i].1 - keys[i - 1].1) / (h0 * h0) + (keys[i + 1].1 - keys[i].1) / (h1 * h1)));
        }
        // Diagonally dominant by construction: there is always a pivot.
        if let Ok(lu) = BandLu::factor(&matrix) {
            let _ = lu.solve(&mut slopes);
        }
        Self { keys, slopes }
    }

    /// Value; before the first and after the last key their values.
    pub fn at(&self, t: f64) -> f64 {
        hermite(&self.keys, &self.slopes, t)
    }
}

/// A curve through keys that never overshoots them (Fritsch & Carlson 1980): for joint angles.
#[derive(Clone, Debug)]
pub struct MonotoneKeys {
    keys: Vec<(f64, f64)>,
    slopes: Vec<f64>,
}

impl MonotoneKeys {
    /// `keys` rise in time; the curve rests at both ends.
    pub fn new(keys: &[(f64, f64)]) -> Self {
        let slope = |i: usize| (keys[i + 1].1 - keys[i].1) / (keys[i + 1].0 - keys[i].0);
        let slopes = (0..keys.len()).map(|i| {
            if i == 0 || i + 1 == keys.len() {
                return 0.0;
            }
            let (before, after) = (slope(i - 1), slope(i));
            // The harmonic mean, zero at extrema.
            if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
        });
        Self { keys: keys.to_vec(), slopes: slopes.collect() }
    }

    pub fn at(&self, t: f64) -> f64 {
        hermite(&self.keys, &self.slopes, t)
    }
}

fn hermite(keys: &[(f64, f64)], slopes: &[f64], t: f64) -> f64 {
    let last = keys.len() - 1;
    if t <= keys[0].0 {
        return keys[0].1;
    }
    if t >= keys[last].0 {
        return keys[last].1;
    }
    let i = keys.partition_point(|key| key.0 <= t) - 1;
    let h = keys[i + 1].0 - keys[i].0;
    let u = (t - keys[i].0) / h;
    let v = 1.0 - u;
    keys[i].1 * v * v * (1.0 + 2.0 * u)
        + keys[i + 1].1 * u * u * (1.0 + 2.0 * v)
        + h * u * v * (slopes[i] * v - slopes[i + 1] * u)
}

/// Straight lines between keys, held outside.
pub fn linear(keys: &[(f64, f64)], t: f64) -> f64 {
    let after = keys.partition_point(|key| key.0 <= t);
    if after == 0 {
        return keys[0].1;
    }
    let Some(&(t1, x1)) = keys.get(after) else { return keys[after - 1].1 };
    let (t0, x0) = keys[after - 1];
    x0 + (x1 - x0) * (t - t0) / (t1 - t0)
}

/// Gaussian smoothing; σ and step are constants of this crate, so they cannot be wrong.
pub fn smoothed(values: &[f64], sigma_secs: f64, step_secs: f64) -> Vec<f64> {
    match Gaussian::from_sigma_secs(sigma_secs, step_secs) {
        Ok(gaussian) => gaussian.smooth(values),
        Err(_) => values.to_vec(),
    }
}

/// u^a (1−u)^b with its greatest value scaled to 1; zero outside 0…1.
pub fn bump(u: f64, (a, b): (f64, f64)) -> f64 {
    if !(0.0..=1.0).contains(&u) {
        return 0.0;
    }
    let peak = a / (a + b);
    (u / peak).powf(a) * ((1.0 - u) / (1.0 - peak)).powf(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quintic_meets_both_ends() {
        let (start, end) = ([0.3, -2.0, 5.0], [1.1, 0.7, -9.81]);
        let curve = Quintic::new(0.2, start, 0.9, end);
        let e = 1e-4;
        for (t, jet) in [(0.2, start), (0.9, end)] {
            let (before, at, after) = (curve.at(t - e), curve.at(t), curve.at(t + e));
            // Differences of step e are good to e² times a fourth derivative of about 1e4.
            assert!((at - jet[0]).abs() < 1e-12);
            assert!(((after - before) / (2.0 * e) - jet[1]).abs() < 1e-4);
            assert!(((after - 2.0 * at + before) / (e * e) - jet[2]).abs() < 1e-3);
        }
    }

    #[test]
    fn a_clamped_spline_reproduces_a_cubic() {
        let cubic = |t: f64| 2.0 - t + 3.0 * t * t - t * t * t;
        let slope = |t: f64| -1.0 + 6.0 * t - 3.0 * t * t;
        let keys = [0.0, 0.3, 0.4, 1.0, 1.7].map(|t| (t, cubic(t))).to_vec();
        let spline = ClampedSpline::new(keys, slope(0.0), slope(1.7));
        for step in 0..=170 {
            let t = step as f64 * 0.01;
            assert!((spline.at(t) - cubic(t)).abs() < 1e-13, "{t}");
        }
    }

    #[test]
    fn monotone_keys_do_not_overshoot() {
        let curve = MonotoneKeys::new(&[(0.0, 0.0), (0.1, 10.0), (1.0, 10.5), (1.1, -4.0)]);
        for step in 0..=1100 {
            let value = curve.at(step as f64 * 1e-3);
            assert!((-4.0..=10.5).contains(&value));
        }
    }

    #[test]
    fn a_bump_peaks_at_one() {
        let highest = (0..=1000).map(|i| bump(i as f64 * 1e-3, (1.7, 3.0))).fold(0.0, f64::max);
        assert!((highest - 1.0).abs() < 1e-5);
        assert_eq!(linear(&[(0.0, 1.0), (2.0, 5.0)], 0.5), 2.0);
    }
}
