//! Sample times: the exact frame time a file states, the nominal rate it stands for, and nonuniform keys.

use crate::ids::FrameIndex;
use serde::{Deserialize, Serialize};

/// What makes a time line unusable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TimeError {
    /// Zero, negative, not finite, or absurd.
    #[error("frame time must be between 1e-6 s and 1e4 s, found {found_secs} s")]
    FrameTime {
        /// The value.
        found_secs: f64,
    },
    /// Key times must rise.
    #[error("key times must be finite and rise: key {index} is at {found_secs} s after {previous_secs} s")]
    NotRising {
        /// First key that breaks the rule.
        index: usize,
        /// Its time.
        found_secs: f64,
        /// The time before it.
        previous_secs: f64,
    },
    /// Rates are positive fractions.
    #[error("frame rate must be a positive fraction, found {numerator}/{denominator}")]
    Rate {
        /// Frames …
        numerator: u32,
        /// … per so many seconds.
        denominator: u32,
    },
}

/// A frame rate as a fraction in hertz: 30000/1001 is exact here, 29.97 is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FrameRate {
    numerator: u32,
    denominator: u32,
}

/// Rates in use by cameras, capture systems and engines (Hz as fractions).
const NOMINAL_RATES: [(u32, u32); 30] = [
    (12, 1),
    (15, 1),
    (24000, 1001),
    (24, 1),
    (25, 1),
    (30000, 1001),
    (30, 1),
    (48, 1),
    (50, 1),
    (60000, 1001),
    (60, 1),
    (72, 1),
    (75, 1),
    (90, 1),
    (96, 1),
    (100, 1),
    (120000, 1001),
    (120, 1),
    (125, 1),
    (144, 1),
    (150, 1),
    (180, 1),
    (200, 1),
    (240, 1),
    (250, 1),
    (300, 1),
    (360, 1),
    (480, 1),
    (500, 1),
    (1000, 1),
];

/// 0.008333 is 4e-5 off 120 Hz; 23.976 and 24 Hz are 1e-3 apart.
const NOMINAL_TOLERANCE: f64 = 1e-4;

impl FrameRate {
    /// `numerator / denominator` frames a second.
    pub fn new(numerator: u32, denominator: u32) -> Result<Self, TimeError> {
        if numerator == 0 || denominator == 0 {
            return Err(TimeError::Rate { numerator, denominator });
        }
        Ok(Self { numerator, denominator })
    }

    /// The rate in common use within one part in ten thousand of `hz`.
    pub fn nominal(hz: f64) -> Option<Self> {
        NOMINAL_RATES
            .iter()
            .map(|&(numerator, denominator)| Self { numerator, denominator })
            .find(|rate| (hz / rate.hz() - 1.0).abs() < NOMINAL_TOLERANCE)
    }

    /// Frames a second.
    pub fn hz(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    /// Seconds a frame.
    pub fn secs(self) -> f64 {
        f64::from(self.denominator) / f64::from(self.numerator)
    }

    /// Numerator and denominator.
    pub fn fraction(self) -> (u32, u32) {
        (self.numerator, self.denominator)
    }
}

impl std::fmt::Display for FrameRate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.denominator == 1 { write!(f, "{} Hz", self.numerator) } else { write!(f, "{:.3} Hz", self.hz()) }
    }
}

/// The time between two frames: the exact number a file states, and the nominal rate it rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameTime {
    exact_secs: f64,
    nominal: Option<FrameRate>,
}

impl FrameTime {
    /// From a stated frame time, recognising the nominal rate behind it.
    pub fn from_secs(exact_secs: f64) -> Result<Self, TimeError> {
        // The bounds are far outside any capture; beyond them a header is broken, and 1/dt² would overflow physics.
        if !(1e-6..=1e4).contains(&exact_secs) {
            return Err(TimeError::FrameTime { found_secs: exact_secs });
        }
        Ok(Self { exact_secs, nominal: FrameRate::nominal(1.0 / exact_secs) })
    }

    /// From a rate.
    pub fn from_rate(rate: FrameRate) -> Self {
        Self { exact_secs: rate.secs(), nominal: Some(rate) }
    }

    /// From frames a second as people type them: `29.97` means 30000/1001.
    pub fn from_hz(hz: f64) -> Result<Self, TimeError> {
        match FrameRate::nominal(hz) {
            Some(rate) => Ok(Self::from_rate(rate)),
            None => Self::from_secs(1.0 / hz),
        }
    }

    /// What the file states.
    pub fn exact_secs(self) -> f64 {
        self.exact_secs
    }

    /// The rate the file means, if it is one in common use.
    pub fn nominal(self) -> Option<FrameRate> {
        self.nominal
    }

    /// Seconds a frame for physics: the nominal rate's if known (0.008333 s is a rounded 1/120 s), else the exact one.
    pub fn secs(self) -> f64 {
        self.nominal.map_or(self.exact_secs, FrameRate::secs)
    }

    /// Frames a second, by the same rule.
    pub fn hz(self) -> f64 {
        self.nominal.map_or(1.0 / self.exact_secs, FrameRate::hz)
    }
}

/// When the frames of a clip were taken. The first frame of a uniform time line is at 0 s.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Timeline {
    /// Frame i is at i·dt.
    Uniform(FrameTime),
    /// One time per frame, rising.
    Keyed(Vec<f64>),
}

impl Timeline {
    /// Nonuniform key times in seconds; they must be finite and rise.
    pub fn keyed(times_secs: Vec<f64>) -> Result<Self, TimeError> {
        let mut previous_secs = f64::NEG_INFINITY;
        for (index, &found_secs) in times_secs.iter().enumerate() {
            if !found_secs.is_finite() || found_secs <= previous_secs {
                return Err(TimeError::NotRising { index, found_secs, previous_secs });
            }
            previous_secs = found_secs;
        }
        Ok(Self::Keyed(times_secs))
    }

    /// Time of a frame. For keyed times beyond the last key the last time is given.
    pub fn time_secs(&self, frame: FrameIndex) -> f64 {
        match self {
            Timeline::Uniform(frame_time) => frame.0 as f64 * frame_time.secs(),
            Timeline::Keyed(times) => times.get(frame.0).or(times.last()).copied().unwrap_or(0.0),
        }
    }

    /// The constant frame time, if there is one.
    pub fn uniform(&self) -> Option<FrameTime> {
        match self {
            Timeline::Uniform(frame_time) => Some(*frame_time),
            Timeline::Keyed(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_headers_find_their_rate() {
        for (stated_secs, hz) in [
            (0.0083333, 120.0),
            (0.008333, 120.0),
            (0.033333, 30.0),
            (0.0417083750417, 24000.0 / 1001.0),
            (0.041667, 24.0),
            (0.016667, 60.0),
            (0.01, 100.0),
        ] {
            let frame_time = FrameTime::from_secs(stated_secs).unwrap();
            assert_eq!(frame_time.hz(), hz, "{stated_secs}");
            assert_eq!(frame_time.exact_secs(), stated_secs);
        }
    }

    #[test]
    fn odd_rates_stay_exact() {
        let frame_time = FrameTime::from_secs(0.0137).unwrap();
        assert_eq!(frame_time.nominal(), None);
        assert_eq!(frame_time.secs(), 0.0137);
    }

    #[test]
    fn broken_headers_are_refused() {
        for secs in [0.0, -0.1, f64::NAN, f64::INFINITY, 1e-300, 1e9] {
            assert!(FrameTime::from_secs(secs).is_err(), "{secs}");
        }
        assert!(Timeline::keyed(vec![0.0, 0.5, 0.5]).is_err());
        assert!(Timeline::keyed(vec![0.0, f64::NAN]).is_err());
    }
}
