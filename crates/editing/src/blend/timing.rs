//! How long each phase takes, and which moment of each clip meets a moment of the blend.

use super::phases::PhaseKind;

/// Duration of a phase from those of the clips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseTiming {
    /// T = √(Σ wT²): gravity stays what it is (Safonova & Hodgins 2005, equation 7).
    #[default]
    Sqrt,
    /// T = Σ wT, the usual way: gravity is off by equation 8.
    Linear,
}

impl PhaseTiming {
    /// The blended duration, s.
    pub fn secs(self, durations_secs: impl Iterator<Item = f64>, weights: &[f64]) -> f64 {
        let pairs = durations_secs.zip(weights);
        match self {
            PhaseTiming::Sqrt => pairs.map(|(secs, weight)| weight * secs * secs).sum::<f64>().sqrt(),
            PhaseTiming::Linear => pairs.map(|(secs, weight)| weight * secs).sum(),
        }
    }
}

/// Where a moment of the blend lies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Instant {
    pub phase: usize,
    /// Since the phase began, s.
    pub into_secs: f64,
    /// Moment of each clip, by its own clock.
    pub times_secs: Vec<f64>,
}

/// Times of a blend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Timing {
    pub starts_secs: Vec<f64>,
    pub durations_secs: Vec<f64>,
    /// By phase, then clip.
    paces: Vec<Vec<Pace>>,
}

/// How time of a clip runs over a phase: at rate `from` first, over to `inner` within `rise_secs`, at last over to `to`
/// within `fall_secs`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    start_secs: f64,
    duration_secs: f64,
    from: f64,
    inner: f64,
    to: f64,
    rise_secs: f64,
    fall_secs: f64,
}

impl Timing {
    /// `keys_secs` are the ends of the phases, clip by clip. With `ease_secs`, rates change smoothly inside contact
    /// phases.
    pub fn new(
        kinds: &[PhaseKind],
        keys_secs: &[Vec<f64>],
        weights: &[f64],
        timing: PhaseTiming,
        ease_secs: Option<f64>,
    ) -> Self {
        let clips = keys_secs.len();
        let own = |phase: usize, clip: usize| keys_secs[clip][phase + 1] - keys_secs[clip][phase];
        let durations_secs: Vec<f64> =
            (0..kinds.len()).map(|phase| timing.secs((0..clips).map(|clip| own(phase, clip)), weights)).collect();
        let mut starts_secs = vec![0.0];
        for (phase, duration_secs) in durations_secs.iter().enumerate() {
            starts_secs.push(starts_secs[phase] + duration_secs);
        }
        let rate = |phase: usize, clip: usize| own(phase, clip) / durations_secs[phase];
        let pace = |phase: usize, clip: usize| {
            let even = rate(phase, clip);
            let ease_secs = ease_secs.filter(|_| kinds[phase] == PhaseKind::Contact);
            // At a change into or out of a flight the flight's rate holds, which gravity fixes; between contacts, the
            // mean of both.
            let meets = |other: Option<usize>| {
                let other = other.filter(|_| ease_secs.is_some())?;
                let theirs = rate(other, clip);
                Some(if kinds[other] == PhaseKind::Flight { theirs } else { 0.5 * (theirs + even) })
            };
            let (before, after) = (meets(phase.checked_sub(1)), meets(Some(phase + 1).filter(|it| *it < kinds.len())));
            let (start_secs, own_secs) = (keys_secs[clip][phase], own(phase, clip));
            Pace::new(start_secs, own_secs, durations_secs[phase], before, after, ease_secs.unwrap_or(0.0))
        };
        let paces = (0..kinds.len()).map(|phase| (0..clips).map(|clip| pace(phase, clip)).collect()).collect();
        Self { starts_secs, durations_secs, paces }
    }

    pub fn total_secs(&self) -> f64 {
        self.starts_secs.last().copied().unwrap_or(0.0)
    }

    /// The instant `secs` after the start.
    pub fn at(&self, secs: f64) -> Instant {
        let phases = self.durations_secs.len();
        let after = self.starts_secs[..phases].partition_point(|&start_secs| start_secs <= secs);
        let phase = after.saturating_sub(1);
        self.within(phase, secs - self.starts_secs[phase])
    }

    /// The instant so long after a phase began.
    pub fn within(&self, phase: usize, into_secs: f64) -> Instant {
        let into_secs = into_secs.clamp(0.0, self.durations_secs[phase]);
        let times_secs = self.paces[phase].iter().map(|pace| pace.time_secs(into_secs)).collect();
        Instant { phase, into_secs, times_secs }
    }

    /// Time of a clip per time of the blend.
    pub fn rate(&self, phase: usize, clip: usize, into_secs: f64) -> f64 {
        self.paces[phase][clip].rate(into_secs)
    }
}

impl Pace {
    fn new(
        start_secs: f64,
        own_secs: f64,
        duration_secs: f64,
        before: Option<f64>,
        after: Option<f64>,
        ease_secs: f64,
    ) -> Self {
        let even = own_secs / duration_secs;
        let (from, to) = (before.unwrap_or(even), after.unwrap_or(even));
        let mut ease_secs = ease_secs.min(0.5 * duration_secs);
        loop {
            let rise_secs = if before.is_some() { ease_secs } else { 0.0 };
            let fall_secs = if after.is_some() { ease_secs } else { 0.0 };
            // ½(from + c)·rise + c·(T − rise − fall) + ½(c + to)·fall = own.
            let rest_secs = duration_secs - 0.5 * (rise_secs + fall_secs);
            let inner = (own_secs - 0.5 * (from * rise_secs + to * fall_secs)) / rest_secs;
            // Time must not stand still, let alone run backwards, to make up for its ends.
            if inner > 0.25 * even || ease_secs < 1e-3 {
                return Self { start_secs, duration_secs, from, inner, to, rise_secs, fall_secs };
            }
            ease_secs *= 0.5;
        }
    }

    fn time_secs(&self, into_secs: f64) -> f64 {
        let Self { start_secs, duration_secs, from, inner, to, rise_secs, fall_secs } = *self;
        if rise_secs == 0.0 && fall_secs == 0.0 {
            return start_secs + inner * into_secs;
        }
        let rising_secs = into_secs.min(rise_secs);
        let mut time_secs = start_secs + inner * into_secs;
        // What the ends differ from the inner rate by, integrated.
        if rise_secs > 0.0 {
            time_secs += (from - inner) * (rising_secs - 0.5 * rising_secs * rising_secs / rise_secs);
        }
        let falling_secs = (into_secs - (duration_secs - fall_secs)).max(0.0);
        if fall_secs > 0.0 {
            time_secs += 0.5 * (to - inner) * falling_secs * falling_secs / fall_secs;
        }
        time_secs
    }

    fn rate(&self, into_secs: f64) -> f64 {
        let Self { duration_secs, from, inner, to, rise_secs, fall_secs, .. } = *self;
        let left_secs = duration_secs - into_secs;
        if into_secs < rise_secs {
            from + (inner - from) * into_secs / rise_secs
        } else if left_secs < fall_secs {
            to + (inner - to) * left_secs / fall_secs
        } else {
            inner
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PhaseKind::{Contact, Flight};

    const KINDS: [PhaseKind; 3] = [Contact, Flight, Contact];

    fn keys() -> Vec<Vec<f64>> {
        vec![vec![0.0, 1.0, 1.3, 2.5], vec![0.5, 1.1, 1.6, 2.1]]
    }

    #[test]
    fn every_phase_lasts_the_root_of_the_mean_square() {
        let timing = Timing::new(&KINDS, &keys(), &[0.25, 0.75], PhaseTiming::Sqrt, None);
        let of = |a: f64, b: f64| (0.25 * a * a + 0.75 * b * b).sqrt();
        for (found, expected) in timing.durations_secs.iter().zip([of(1.0, 0.6), of(0.3, 0.5), of(1.2, 0.5)]) {
            assert!((found - expected).abs() < 1e-14);
        }
        let linear = Timing::new(&KINDS, &keys(), &[0.25, 0.75], PhaseTiming::Linear, None);
        assert!((linear.durations_secs[1] - 0.45).abs() < 1e-14);
    }

    #[test]
    fn phases_meet_whatever_the_easing() {
        for ease_secs in [None, Some(0.3), Some(5.0)] {
            let timing = Timing::new(&KINDS, &keys(), &[0.5, 0.5], PhaseTiming::Sqrt, ease_secs);
            for phase in 0..3 {
                for clip in 0..2 {
                    let ends =
                        [0.0, timing.durations_secs[phase]].map(|into| timing.within(phase, into).times_secs[clip]);
                    assert!((ends[0] - keys()[clip][phase]).abs() < 1e-12);
                    assert!((ends[1] - keys()[clip][phase + 1]).abs() < 1e-12, "{ease_secs:?} {phase} {clip}");
                }
            }
        }
    }

    #[test]
    fn eased_rates_are_continuous_and_even_in_flight() {
        let timing = Timing::new(&KINDS, &keys(), &[0.5, 0.5], PhaseTiming::Sqrt, Some(0.3));
        for clip in 0..2 {
            let flight = timing.durations_secs[1];
            assert!((timing.rate(0, clip, timing.durations_secs[0]) - timing.rate(1, clip, 0.0)).abs() < 1e-12);
            assert!((timing.rate(2, clip, 0.0) - timing.rate(1, clip, flight)).abs() < 1e-12);
            assert_eq!(timing.rate(1, clip, 0.0), timing.rate(1, clip, 0.5 * flight));
            // The rate is the derivative of time.
            for into in [0.05, 0.2, 0.5] {
                let step = 1e-6;
                let slope = (timing.within(2, into + step).times_secs[clip]
                    - timing.within(2, into - step).times_secs[clip])
                    / (2.0 * step);
                assert!((slope - timing.rate(2, clip, into)).abs() < 1e-6);
            }
        }
    }
}
