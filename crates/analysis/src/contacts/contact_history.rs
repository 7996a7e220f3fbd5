//! What a contact file says of an edit that its contacts went through (contacts.md 9): bending a way slides feet and
//! tilting lifts them, so that what a motion touches is known from before the edit, and is worse found after it.

use super::{ClockFinding, ContactAnalysis, Flight, OtherSpan};
use crate::error::AnalysisError;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Verbs are short words, and people do not make more edits one by one.
const MOST_VERBS: usize = 64;
const LONGEST_VERB: usize = 24;

/// Of which clip the contacts are, and what else is known of it from before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactHistory {
    /// Of the bytes of the clip that they belong to.
    pub clip_sha256: String,
    /// The edits since contacts were found, in order; empty where no contacts were carried.
    pub through: Vec<String>,
    /// The edit that changed the pace since gravity was held against the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retimed_by: Option<String>,
    /// The ground, where an edit tilted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<StatedGround>,
    /// Unit and axes, where readers would guess others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<FileAxes>,
    /// Frames a second, where readers would take another rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_hz: Option<f64>,
    /// Flights, with edges by force and verdicts as they were found.
    #[serde(rename = "flight")]
    pub flights: Vec<Flight>,
    /// Airborne without falling.
    pub other: Vec<OtherSpan>,
    /// Carried by something unknown, the above among it.
    pub left_alone: Vec<OtherSpan>,
}

/// Unit and up axis of a file that states neither.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileAxes {
    /// Metres in one unit of the file.
    pub unit_m: f64,
    /// `x`, `y` or `z`.
    pub up: String,
}

/// A plane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedGround {
    /// A point of it, m.
    pub point_m: DVec3,
    /// Out of it.
    pub normal: DVec3,
}

impl ContactHistory {
    /// Refuses what no program of ours wrote.
    pub(super) fn check(&self) -> Result<(), AnalysisError> {
        let fault = |detail: &str| Err(AnalysisError::SideFile { detail: format!("carried: {detail}") });
        if self.clip_sha256.len() != 64 || !self.clip_sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return fault("clip_sha256 must be 64 hexadecimal digits");
        }
        let is_word = |word: &String| {
            (1..=LONGEST_VERB).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        if self.through.len() > MOST_VERBS || !self.through.iter().chain(&self.retimed_by).all(is_word) {
            return fault("through and retimed_by must be names of edits");
        }
        let is_frame = |it: &FileAxes| (1e-6..=1e6).contains(&it.unit_m) && ["x", "y", "z"].contains(&it.up.as_str());
        if !self.frame.as_ref().is_none_or(is_frame) {
            return fault("frame must have unit_m from 1e-6 to 1e6 and up as x, y or z");
        }
        if !self.rate_hz.is_none_or(|hz| (1e-3..=1e6).contains(&hz)) {
            return fault("rate_hz must be from 0.001 to 1e6");
        }
        let is_span = |start_secs: f64, end_secs: f64| {
            start_secs.is_finite() && end_secs.is_finite() && start_secs >= 0.0 && start_secs <= end_secs
        };
        let is_flight = |it: &Flight| {
            let falls = it.fall.iter().chain(&it.kinematic_fall);
            is_span(it.start_secs, it.end_secs)
                && is_span(it.kinematic_start_secs, it.kinematic_end_secs)
                && falls.into_iter().all(|fall| fall.g.is_finite() && fall.residual_m.is_finite())
        };
        let spans = self.other.iter().chain(&self.left_alone);
        if !self.flights.iter().all(is_flight) || !spans.into_iter().all(|it| is_span(it.start_secs, it.end_secs)) {
            return fault("flights and spans must have a start before their end");
        }
        Ok(())
    }

    /// Whether there is nothing in it that a reader of the clip could not find.
    pub fn is_empty(&self) -> bool {
        self.frame.is_none() && self.rate_hz.is_none() && !self.knows_edits()
    }

    /// Whether it holds unit, axes or rate, and nothing of contacts, ground or pace.
    pub fn is_for_reading_alone(&self) -> bool {
        !self.is_empty() && !self.knows_edits()
    }

    /// Whether it holds something of contacts, ground or pace.
    pub fn knows_edits(&self) -> bool {
        !self.through.is_empty() || self.ground.is_some() || self.retimed_by.is_some()
    }

    /// The same by another clock, see [`super::ContactFile::in_clock_of`].
    pub(super) fn stretched(&self, stretch: f64) -> Self {
        let mut carried = self.clone();
        for flight in &mut carried.flights {
            let Flight { start_secs, end_secs, kinematic_start_secs, kinematic_end_secs, .. } = flight;
            [start_secs, end_secs, kinematic_start_secs, kinematic_end_secs]
                .into_iter()
                .for_each(|secs| *secs *= stretch);
        }
        for span in carried.other.iter_mut().chain(&mut carried.left_alone) {
            span.start_secs *= stretch;
            span.end_secs *= stretch;
        }
        carried
    }

    /// Whether these are the flights between the contacts as they are now: the file may have been corrected since.
    pub fn fits(&self, found: &ContactAnalysis, within_secs: f64) -> bool {
        let is_near = |a: f64, b: f64| (a - b).abs() <= within_secs;
        let is_same = |(a, b): (&Flight, &Flight)| {
            is_near(a.kinematic_start_secs, b.kinematic_start_secs)
                && is_near(a.kinematic_end_secs, b.kinematic_end_secs)
        };
        self.flights.len() == found.flights.len() && self.flights.iter().zip(&found.flights).all(is_same)
    }
}

impl ContactAnalysis {
    /// Flights as they were before an edit that knows nothing of them; gravity was held against the clock then.
    pub(super) fn carry(&mut self, carried: &ContactHistory, step_secs: f64) {
        if carried.fits(self, step_secs) {
            (self.flights, self.other) = (carried.flights.clone(), carried.other.clone());
        }
        if matches!(self.clock.finding, ClockFinding::WrongRate { .. } | ClockFinding::WrongUnit { .. }) {
            self.clock.finding = ClockFinding::NoEvidence;
        }
    }
}
