//! Filters and derivatives of sampled motion. Everything in the project that smooths or differentiates over time uses
//! these.

use crate::time::Timeline;
use glam::DVec3;
use std::ops::{Add, Mul, Sub};

pub mod derivative;
pub mod gaussian;
pub mod orientation;

/// What makes a filter or a time base unusable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SignalError {
    /// A smoothing time must be zero or more.
    #[error("smoothing time must be finite and not negative, found {found_secs} s")]
    SmoothingTime {
        /// The value.
        found_secs: f64,
    },
    /// A kernel that long is a mistake in units, and its cost would not end.
    #[error(
        "the smoothing kernel reaches {samples} samples to each side; the limit is {limit}; use a shorter smoothing time"
    )]
    KernelTooLong {
        /// How far it would reach.
        samples: f64,
        /// [`gaussian::MAX_RADIUS_SAMPLES`].
        limit: usize,
    },
    /// Time steps must be positive.
    #[error("the time between samples must be positive and finite, found {found_secs} s")]
    TimeStep {
        /// The value.
        found_secs: f64,
    },
    /// Sample times must rise.
    #[error("sample times must be finite and rise: sample {index} is at {found_secs} s")]
    TimesNotRising {
        /// First sample that breaks the rule.
        index: usize,
        /// Its time.
        found_secs: f64,
    },
    /// A mask has a centre.
    #[error("a filter mask needs an odd number of coefficients, found {found}")]
    MaskLength {
        /// How many there are.
        found: usize,
    },
    /// Only masks that leave constants alone act on orientations.
    #[error("the coefficients of an orientation filter mask must sum to 1, found {found}")]
    MaskSum {
        /// Their sum.
        found: f64,
    },
}

/// Quantities that can be added and scaled: `f64` and [`DVec3`].
pub trait Linear:
    Copy + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> + sealed::Sealed
{
    /// The neutral element of addition.
    const ZERO: Self;
}

impl Linear for f64 {
    const ZERO: Self = 0.0;
}

impl Linear for DVec3 {
    const ZERO: Self = DVec3::ZERO;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for glam::DVec3 {}
}

/// When samples were taken: a constant step, or one rising time per sample. Checked on construction, so that no routine
/// that takes it can divide by zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleTimes<'a>(TimeBase<'a>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum TimeBase<'a> {
    Uniform { step_secs: f64 },
    Keyed { times_secs: &'a [f64] },
}

impl<'a> SampleTimes<'a> {
    /// Sample i is at i · `step_secs`; any number of samples.
    pub fn uniform(step_secs: f64) -> Result<Self, SignalError> {
        if !step_secs.is_finite() || step_secs <= 0.0 {
            return Err(SignalError::TimeStep { found_secs: step_secs });
        }
        Ok(Self(TimeBase::Uniform { step_secs }))
    }

    /// Sample i is at `times_secs[i]`.
    pub fn keyed(times_secs: &'a [f64]) -> Result<Self, SignalError> {
        let mut previous_secs = f64::NEG_INFINITY;
        for (index, &found_secs) in times_secs.iter().enumerate() {
            if !found_secs.is_finite() || found_secs <= previous_secs {
                return Err(SignalError::TimesNotRising { index, found_secs });
            }
            previous_secs = found_secs;
        }
        Ok(Self(TimeBase::Keyed { times_secs }))
    }

    /// The times of a clip's frames.
    pub fn of(timeline: &'a Timeline) -> Result<Self, SignalError> {
        match timeline {
            Timeline::Uniform(frame_time) => Self::uniform(frame_time.secs()),
            Timeline::Keyed(times_secs) => Self::keyed(times_secs),
        }
    }

    /// The time of sample `index`.
    ///
    /// # Panics
    /// If there are key times and `index` is beyond them.
    pub fn time_secs(&self, index: usize) -> f64 {
        match self.0 {
            TimeBase::Uniform { step_secs } => index as f64 * step_secs,
            TimeBase::Keyed { times_secs } => times_secs[index],
        }
    }

    /// The time from sample `index` to the next.
    ///
    /// # Panics
    /// If there are key times and `index + 1` is beyond them.
    pub fn step_secs(&self, index: usize) -> f64 {
        match self.0 {
            TimeBase::Uniform { step_secs } => step_secs,
            TimeBase::Keyed { times_secs } => times_secs[index + 1] - times_secs[index],
        }
    }

    fn assert_fits(&self, sample_count: usize) {
        if let TimeBase::Keyed { times_secs } = self.0 {
            assert_eq!(times_secs.len(), sample_count, "one key time per sample");
        }
    }
}

/// Sample `index` of a signal continued over both ends by point reflection, again and again.
///
/// Reflection in the first sample is x₋ᵢ = 2x₀ − xᵢ, in the last x_{N+i} = 2x_N − x_{N−i} with N = n − 1. One after the
/// other is a shift by 2N samples and 2(x_N − x₀) in value, so the continuation is a straight drift plus a part of
/// period 2N. It continues straight lines as straight lines however far it goes, which is why it is used even for clips
/// shorter than a kernel. One sample is continued as a constant.
fn point_reflected<T: Linear>(sample: &impl Fn(usize) -> T, sample_count: usize, index: isize) -> T {
    let last = sample_count as isize - 1;
    if (0..=last).contains(&index) {
        return sample(index as usize);
    }
    if last == 0 {
        return sample(0);
    }
    let period = 2 * last;
    let within = index.rem_euclid(period);
    let periods = index.div_euclid(period) as f64;
    let (first_value, last_value) = (sample(0), sample(last as usize));
    let inside =
        if within <= last { sample(within as usize) } else { last_value * 2.0 - sample((period - within) as usize) };
    inside + (last_value - first_value) * (2.0 * periods)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflection_is_odd_about_each_end_and_repeats() {
        let signal = [1.0, 4.0, 2.0, 7.0];
        let at = |index: isize| point_reflected(&|i: usize| signal[i], 4, index);
        for distance in 0..40 {
            assert_eq!(at(-distance) + at(distance), 2.0 * 1.0, "about the first, {distance}");
            assert_eq!(at(3 - distance) + at(3 + distance), 2.0 * 7.0, "about the last, {distance}");
        }
        assert_eq!(at(-1), -2.0);
        assert_eq!(at(4), 12.0);
    }

    #[test]
    fn one_sample_is_continued_as_a_constant() {
        assert_eq!(point_reflected(&|_| 5.0, 1, -7), 5.0);
        assert_eq!(point_reflected(&|_| 5.0, 1, 3), 5.0);
    }

    #[test]
    fn a_clip_gives_its_times() {
        let even = Timeline::Uniform(crate::time::FrameTime::from_secs(0.008333).unwrap());
        assert_eq!(SampleTimes::of(&even).unwrap().time_secs(240), 2.0);
        let keyed = Timeline::keyed(vec![0.5, 0.75, 2.0]).unwrap();
        assert_eq!(SampleTimes::of(&keyed).unwrap().step_secs(1), 1.25);
    }

    #[test]
    fn unusable_times_are_refused() {
        for step_secs in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(SampleTimes::uniform(step_secs).is_err(), "{step_secs}");
        }
        assert!(SampleTimes::keyed(&[0.0, 0.0]).is_err());
        assert!(SampleTimes::keyed(&[0.0, f64::NAN]).is_err());
        assert!(matches!(
            SampleTimes::keyed(&[0.0, 2.0, 1.0]),
            Err(SignalError::TimesNotRising { index: 2, found_secs }) if found_secs == 1.0
        ));
        assert!(SampleTimes::keyed(&[]).is_ok());
    }
}
