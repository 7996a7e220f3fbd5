//! What every goal can do: check its numbers, change the body, move stages, prepare the start, ask for rows, measure.

use super::side::Reaching;
use crate::EditingError;
use crate::adapt::problem::Constraints;
use crate::adapt::result::Cleared;
use crate::adapt::start::{PlanBuilder, StagedTrajectory, TimeMap};
use crate::adapt::subject::{BodyChanges, ChangedBody, Subject};
use glam::DVec3;

/// One thing that is asked of an adaptation. Methods stand in the order in which they are called; a goal has those that
/// concern it.
pub trait Goal {
    /// Whether its numbers make sense.
    fn check(&self) -> Result<(), EditingError> {
        Ok(())
    }

    /// Whether it is about a flight.
    fn needs_flight(&self) -> bool {
        false
    }

    /// Its name, if it is about a landing.
    fn landing_goal(&self) -> Option<&'static str> {
        None
    }

    /// The part whose limb carries something else than in the clip, or less than it could: torques of its joints become
    /// unknowns, so that their change counts as well.
    fn strained_part(&self) -> Option<&str> {
        None
    }

    /// Changes masses and lengths.
    fn change_body(&self, _subject: &Subject, _changes: &mut BodyChanges) -> Result<(), EditingError> {
        Ok(())
    }

    /// Changes the start and what holds in all steps.
    fn prepare(&self, _start: &mut Preparation<'_>) -> Result<(), EditingError> {
        Ok(())
    }

    /// Moves stages and stretches flights.
    fn plan(&self, _plan: &mut PlanBuilder<'_>) {}

    /// Makes another start for the last step.
    fn restart(&self, _before: &LastStep<'_>) -> Result<Option<Restart>, EditingError> {
        Ok(None)
    }

    /// Asks for rows in one step.
    fn demand(&self, _step: &ContinuationStep<'_>, _constraints: &mut Constraints) -> Result<(), EditingError> {
        Ok(())
    }

    /// Measures what was promised.
    fn measure(&self, _done: &Done<'_>, _cleared: &mut Cleared) {}
}

/// The start before the first step.
pub struct Preparation<'a> {
    pub subject: &'a Subject,
    pub body: &'a ChangedBody,
    /// Largest torques of the links in the clip, N·m.
    pub peak_torques_nm: &'a [f64],
    pub staged: &'a mut StagedTrajectory,
    pub constraints: &'a mut Constraints,
}

/// Before the last step is solved.
pub struct LastStep<'a> {
    pub subject: &'a Subject,
    pub body: &'a ChangedBody,
    pub staged: &'a StagedTrajectory,
    pub flight: Option<usize>,
    pub constraints: &'a Constraints,
    /// Ways that may be tried.
    pub ways: &'a [Reaching],
}

/// Another start.
pub struct Restart {
    pub staged: StagedTrajectory,
    /// Where its times come from in the motion that it was made of.
    pub map: TimeMap,
    /// The person with angles about other axes: a start may go where the clip never was, and gimbal lock may wait
    /// there.
    pub subject: Subject,
    /// Which way was taken.
    pub way: Reaching,
}

/// One step of continuation.
pub struct ContinuationStep<'a> {
    pub subject: &'a Subject,
    pub body: &'a ChangedBody,
    /// The fitted motion.
    pub clip: &'a StagedTrajectory,
    /// The start of this step.
    pub staged: &'a StagedTrajectory,
    /// From times of the clip to times of this step, one after the other.
    pub maps: &'a [TimeMap],
    /// The flight that is meant.
    pub flight: Option<usize>,
    /// The way, level.
    pub forward: DVec3,
    /// Share of all steps that is done with this one.
    pub share: f64,
    /// How far trunk or head lean behind that flight in the clip, degrees.
    pub lean_deg: f64,
}

impl ContinuationStep<'_> {
    /// A time of the clip, which must not lie beyond its end.
    pub fn clip_secs(&self, secs: f64) -> Result<f64, EditingError> {
        if secs <= self.clip.end_secs + 1e-6 {
            return Ok(secs.min(self.clip.end_secs));
        }
        let (at, end) = (crate::short_number(secs), crate::short_number(self.clip.end_secs));
        Err(EditingError::Goals { problem: format!("a goal is asked at {at} s, and the clip ends at {end} s") })
    }

    /// The time in this step that a time of the clip has become.
    pub fn new_secs(&self, clip_secs: f64) -> f64 {
        self.maps.iter().fold(clip_secs, |secs, map| map.new_secs(secs))
    }
}

/// The adapted motion.
pub struct Done<'a> {
    pub subject: &'a Subject,
    pub body: &'a ChangedBody,
    pub staged: &'a StagedTrajectory,
    pub constraints: &'a Constraints,
    pub flight: Option<usize>,
}

/// Farther than any person jumps, m: larger numbers are mistakes of units.
pub const MOST_M: f64 = 5.0;

/// Whether a number, if there is one, lies between two others.
pub fn within(
    what: &'static str,
    expected: &'static str,
    found: impl Into<Option<f64>>,
    [low, high]: [f64; 2],
) -> Result<(), EditingError> {
    match found.into() {
        Some(found) if !(low..=high).contains(&found) => Err(EditingError::Setting { what, expected, found }),
        _ => Ok(()),
    }
}

/// Whether a time makes sense.
pub fn check_secs(found: impl Into<Option<f64>>) -> Result<(), EditingError> {
    within("a goal's time in seconds", "between 0 and 3600", found, [0.0, 3600.0])
}
