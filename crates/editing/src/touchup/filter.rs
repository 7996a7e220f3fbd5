//! Corrections of single frames made coherent in time, with ends that do not kick.

use crate::EditingError;
use aplomb_motion::signal::gaussian::Gaussian;
use glam::DVec3;
use std::ops::Range;

/// A width is ±3σ.
const WIDTHS_PER_SIGMA: f64 = 6.0;

/// Smooths what was found frame by frame.
///
/// Frames without a step are zeros and count as such: leaving them out of the mean doubles accelerations beside flights
/// (docs/algorithms/touchup.md). Beyond the ends corrections are mirrored. The project's own continuation, point
/// reflection, is right for paths, which go on as they went; of a correction it would keep the first and last frame as
/// they are, noise and all: 11° of lean in the last frame of a walk whose other frames needed one or two.
pub(super) struct CorrectionFilter {
    kernel: Gaussian,
    padded: Vec<DVec3>,
    smooth: Vec<DVec3>,
}

impl CorrectionFilter {
    /// For corrections of a time scale; `frames` is how many there will be.
    pub fn new(width_secs: f64, step_secs: f64, frames: usize) -> Result<Self, EditingError> {
        let kernel = Gaussian::from_sigma_secs(width_secs / WIDTHS_PER_SIGMA, step_secs)?;
        let padded = vec![DVec3::ZERO; frames + 2 * kernel.radius_samples()];
        Ok(Self { kernel, smooth: padded.clone(), padded })
    }

    /// In place. Corrections outside `known` were not found but are what their mirror images are.
    pub fn smooth(&mut self, values: &mut [DVec3], known: &Range<usize>) {
        if values.is_empty() || known.is_empty() {
            return;
        }
        let radius = self.kernel.radius_samples();
        for (index, padded) in self.padded.iter_mut().enumerate() {
            *padded = values[mirrored(index as isize - radius as isize, known)];
        }
        self.kernel.smooth_into(&self.padded, &mut self.smooth);
        values.copy_from_slice(&self.smooth[radius..radius + values.len()]);
    }
}

/// The index inside a range that stands for one outside: the range's first and last frames are mirrors.
fn mirrored(index: isize, known: &Range<usize>) -> usize {
    let last = known.len() as isize - 1;
    if last <= 0 {
        return known.start;
    }
    let around = (index - known.start as isize).rem_euclid(2 * last);
    known.start + around.min(2 * last - around) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_corrections_stay_and_a_kick_at_the_end_does_not() {
        let mut filter = CorrectionFilter::new(1.0, 1.0 / 120.0, 200).unwrap();
        let mut steady = vec![DVec3::X; 200];
        filter.smooth(&mut steady, &(7..193));
        assert!(steady.iter().all(|value| value.distance(DVec3::X) < 1e-12));
        let mut kicked = vec![DVec3::ZERO; 200];
        kicked[199] = DVec3::Y;
        kicked[3] = DVec3::Y;
        filter.smooth(&mut kicked, &(7..193));
        assert_eq!(kicked, vec![DVec3::ZERO; 200]);
        // Zeros count: half of a second of correction beside half a second of flight is half a correction at the
        // border.
        let mut half: Vec<DVec3> = (0..200).map(|frame| if frame < 100 { DVec3::X } else { DVec3::ZERO }).collect();
        filter.smooth(&mut half, &(0..200));
        assert!((half[99].x - 0.5).abs() < 0.02 && half[0].x > 0.99 && half[199].x < 0.01, "{}", half[99]);
    }

    #[test]
    fn mirrors_stand_at_the_first_and_last_known_frame() {
        let known = 2..6;
        let found: Vec<usize> = (-2..9).map(|index| mirrored(index, &known)).collect();
        assert_eq!(found, [4, 5, 4, 3, 2, 3, 4, 5, 4, 3, 2]);
        assert_eq!(mirrored(-40, &(3..4)), 3);
    }
}
