//! Whether gravity agrees with the header's rate and unit (contacts.md 7).

use super::options::ContactOptions;
use super::rate_source::RateSource;
use aplomb_physics::GRAVITY;
use serde::Serialize;

/// Rates over the header's that occur: files that state 120 and hold 60, dropped and doubled frames.
const FACTORS: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

/// Rates of a second look. At too high a rate feet seem too fast to stand, so take-off and landing are missed and the
/// median says nothing; at the true rate one long clear flight is enough. No person is pulled down at 4 g for a tenth
/// of a second, so true headers are safe. Faster clocks get no second look: a low g means bad labels.
pub(super) const SLOWER: [f64; 2] = [0.5, 0.25];

/// What gravity says about the header.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "finding")]
pub enum ClockFinding {
    /// Too few flights, or they are too short, to say anything.
    NoEvidence,
    /// Nothing speaks against it.
    Agrees,
    /// The stature is a person's, so the rate is wrong.
    WrongRate {
        /// True rate over the header's.
        factor: f64,
    },
    /// The header's rate cannot be true, and at the likeliest other one flights still fall faster than g: no rate is
    /// proved.
    DisputedRate {
        /// The likeliest rate over the header's.
        factor: f64,
        /// Least and largest g of the flights at that rate, m/s².
        g: [f64; 2],
    },
    /// No person has this stature, so the unit is wrong.
    WrongUnit {
        /// What lengths must be multiplied with to fall at g.
        scale: f64,
    },
}

/// Gravity against the header.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Clock {
    /// Where `header_hz` comes from, where it is not the header.
    #[serde(skip)]
    pub source: RateSource,
    /// Fall that was found and does not count, because an edit has changed the pace, m/s².
    #[serde(skip)]
    pub excused_g: Option<f64>,
    /// Frames a second by the header.
    pub header_hz: f64,
    /// Frames a second that the analysis used: all its times are in this clock's seconds.
    pub used_hz: f64,
    /// Median of the kinematic flights' g by the header, m/s².
    pub median_g: Option<f64>,
    /// How many flights that is.
    pub flights: usize,
    /// What follows.
    #[serde(flatten)]
    pub finding: ClockFinding,
}

impl Clock {
    /// Takes a wrong rate or unit back: an edit has changed the pace.
    pub fn excuse(&mut self) {
        if matches!(self.finding, ClockFinding::WrongRate { .. } | ClockFinding::WrongUnit { .. }) {
            self.excused_g = Some(self.median_g.unwrap_or_default());
            self.finding = ClockFinding::NoEvidence;
        }
    }

    /// For people, if something is wrong.
    pub fn warning(&self) -> Option<String> {
        let median_g = self.median_g?;
        let (by, stated) = match self.source {
            RateSource::Header => ("by its header".to_owned(), "the header says"),
            other => (format!("at the rate {}", other.verb()), other.verb()),
        };
        let falls = format!("this falls at {median_g:.1} m/s² {by}");
        match self.finding {
            ClockFinding::WrongRate { factor } => Some(format!(
                "{falls}, {:.1} g: captured at {} fps, {stated} {}",
                median_g / GRAVITY,
                shown_hz(self.header_hz * factor),
                shown_hz(self.header_hz)
            )),
            ClockFinding::DisputedRate { factor, g: [least_g, most_g] } => {
                let found = match most_g - least_g > 0.1 {
                    true => format!("flights fall at {least_g:.1} to {most_g:.1} m/s²"),
                    false => format!("its flight falls at {most_g:.1} m/s²"),
                };
                Some(format!(
                    "{falls}, {:.1} g, which no person does; but at {} fps, the likeliest other rate, {found}, so no rate is proved: the {} fps of the header stay",
                    median_g / GRAVITY,
                    shown_hz(self.header_hz * factor),
                    shown_hz(self.header_hz)
                ))
            }
            ClockFinding::WrongUnit { scale } => {
                Some(format!("{falls}, {:.1} g: lengths must be {scale:.3} times as large", median_g / GRAVITY))
            }
            ClockFinding::Agrees | ClockFinding::NoEvidence => None,
        }
    }
}

fn shown_hz(hz: f64) -> String {
    let rounded = (hz * 1000.0).round() / 1000.0;
    format!("{rounded}")
}

/// One kinematic flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evidence {
    pub secs: f64,
    pub g: f64,
}

/// Judges by flights that were found with the header's rate.
pub(super) fn judge(header_hz: f64, evidence: &[Evidence], stature_m: Option<f64>, options: &ContactOptions) -> Clock {
    let enough = evidence.len() >= options.clock_flights
        || evidence.iter().any(|flight| flight.secs >= options.clock_flight_secs);
    let median_g = median(evidence.iter().map(|flight| flight.g).collect());
    let [least_m, most_m] = options.plausible_stature_m;
    let finding = match median_g {
        // A low g means bad labels, never a rate: a contact that was missed makes a flight look slow.
        Some(g) if enough && g > options.wrong_clock_g => {
            let off = |factor: f64| (g * factor * factor / options.gravity).ln().abs();
            let factor = FACTORS.into_iter().min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(1.0);
            if stature_m.is_some_and(|stature_m| !(least_m..=most_m).contains(&stature_m)) {
                ClockFinding::WrongUnit { scale: options.gravity / g }
            } else if factor != 1.0 {
                ClockFinding::WrongRate { factor }
            } else {
                ClockFinding::Agrees
            }
        }
        Some(_) if enough => ClockFinding::Agrees,
        _ => ClockFinding::NoEvidence,
    };
    let source = options.rate_source;
    Clock { source, excused_g: None, header_hz, used_hz: header_hz, median_g, flights: evidence.len(), finding }
}

pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(0.5 * (lower + upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(flights: &[(f64, f64)], stature_m: Option<f64>) -> ClockFinding {
        let evidence: Vec<Evidence> = flights.iter().map(|&(secs, g)| Evidence { secs, g }).collect();
        judge(120.0, &evidence, stature_m, &ContactOptions::default()).finding
    }

    #[test]
    fn four_g_is_half_the_rate() {
        let person = Some(1.75);
        assert_eq!(finding(&[(0.1, 38.0), (0.1, 41.0), (0.1, 9.0)], person), ClockFinding::WrongRate { factor: 0.5 });
        assert_eq!(finding(&[(0.3, 150.0)], person), ClockFinding::WrongRate { factor: 0.25 });
        assert_eq!(finding(&[(0.3, 9.0)], person), ClockFinding::Agrees);
        assert_eq!(finding(&[(0.3, 2.4)], person), ClockFinding::Agrees, "a low g is no rate");
        assert_eq!(finding(&[(0.1, 38.0), (0.1, 41.0)], person), ClockFinding::NoEvidence);
        assert_eq!(finding(&[], None), ClockFinding::NoEvidence);
    }

    #[test]
    fn a_giant_has_the_wrong_unit() {
        let ClockFinding::WrongUnit { scale } = finding(&[(0.4, 98.1)], Some(17.5)) else { panic!() };
        assert!((scale - 0.1).abs() < 1e-12);
    }

    #[test]
    fn the_warning_names_both_rates() {
        let evidence = [Evidence { secs: 0.3, g: 39.24 }];
        let clock = judge(120.0, &evidence, Some(1.75), &ContactOptions::default());
        let warning = clock.warning().unwrap();
        assert!(warning.contains("4.0 g: captured at 60 fps, the header says 120"), "{warning}");
    }
}
