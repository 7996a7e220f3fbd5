//! Parabolas through evenly spaced samples.

use aplomb_motion::signal::Linear;

/// The least-squares parabola x(u) = mean + slope·u + bend·(u² − ⟨u²⟩), where u counts samples from the middle of the
/// window.
///
/// 1, u and u² − ⟨u²⟩ are orthogonal on even samples, so each coefficient is a projection of its own and nothing is
/// inverted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola<T> {
    mean: T,
    slope: T,
    bend: T,
    samples: usize,
}

impl<T: Linear> Parabola<T> {
    /// `None` for fewer than four samples: a parabola goes through any three.
    pub fn fit(samples: &[T]) -> Option<Self> {
        let count = samples.len();
        if count < 4 {
            return None;
        }
        let project = |basis: &dyn Fn(f64) -> f64| {
            let (mut along, mut square) = (T::ZERO, 0.0);
            for (index, &value) in samples.iter().enumerate() {
                let weight = basis(from_middle(index as f64, count));
                along = along + value * weight;
                square += weight * weight;
            }
            along * (1.0 / square)
        };
        let mean_square = mean_square(count);
        Some(Self {
            mean: project(&|_| 1.0),
            slope: project(&|u| u),
            bend: project(&|u| u * u - mean_square),
            samples: count,
        })
    }

    /// At sample `index`, which need not be whole nor inside.
    pub fn value(&self, index: f64) -> T {
        let u = from_middle(index, self.samples);
        self.mean + self.slope * u + self.bend * (u * u - mean_square(self.samples))
    }

    /// Per second, at sample `index`.
    pub fn velocity(&self, index: f64, step_secs: f64) -> T {
        (self.slope + self.bend * (2.0 * from_middle(index, self.samples))) * step_secs.recip()
    }

    /// Per second².
    pub fn acceleration(&self, step_secs: f64) -> T {
        self.bend * (2.0 / (step_secs * step_secs))
    }
}

fn from_middle(index: f64, samples: usize) -> f64 {
    index - 0.5 * (samples as f64 - 1.0)
}

/// ⟨u²⟩ = (n² − 1)/12.
fn mean_square(samples: usize) -> f64 {
    let count = samples as f64;
    (count * count - 1.0) / 12.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn a_parabola_comes_back() {
        let (start, velocity, acceleration) =
            (DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.4, 2.0, -1.0), DVec3::new(0.0, -9.81, 0.3));
        let step_secs = 0.01;
        let at = |t: f64| start + velocity * t + acceleration * (0.5 * t * t);
        let samples: Vec<DVec3> = (0..7).map(|i| at(f64::from(i) * step_secs)).collect();
        let fit = Parabola::fit(&samples).unwrap();
        // Rounding of sums of seven terms of about 3 m, over (10 ms)² for the acceleration.
        assert!((fit.acceleration(step_secs) - acceleration).length() < 1e-9);
        assert!((fit.value(10.5) - at(0.105)).length() < 1e-13);
        assert!((fit.velocity(-2.0, step_secs) - (velocity - acceleration * 0.02)).length() < 1e-11);
        assert_eq!(Parabola::fit(&samples[..3]), None);
    }
}
