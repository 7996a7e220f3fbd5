//! Joints that stay above a height.

use super::goal::{ContinuationStep, Goal, MOST_M, check_secs, within};
use crate::EditingError;
use crate::adapt::problem::{Constraints, Demand, WATCH_SECS};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A joint that stays above a height for a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Above {
    /// A role or a joint's name.
    pub part: String,
    /// Over the ground.
    pub height_m: f64,
    /// From when, s of the clip.
    pub from_secs: f64,
    /// Until when.
    pub to_secs: f64,
}

impl Goal for Above {
    fn check(&self) -> Result<(), EditingError> {
        check_secs(self.from_secs)?;
        check_secs(self.to_secs)?;
        within("above.height_m", "between 0 and 5", self.height_m, [0.0, MOST_M])
    }

    fn demand(&self, step: &ContinuationStep<'_>, constraints: &mut Constraints) -> Result<(), EditingError> {
        let from = step.new_secs(step.clip_secs(self.from_secs)?);
        let to = step.new_secs(step.clip_secs(self.to_secs)?);
        let link = step.subject.part(&self.part)?;
        let value_m = step.subject.ground_m + self.height_m;
        let looks = ((to - from) / WATCH_SECS).ceil().max(1.0) as usize;
        for look in 0..=looks {
            let secs = from + (to - from) * look as f64 / looks as f64;
            let demand = Demand::Point { link, point_in_link_m: DVec3::ZERO, direction: DVec3::Y, value_m };
            constraints.demands.timed.push((secs, demand, false));
        }
        Ok(())
    }
}
