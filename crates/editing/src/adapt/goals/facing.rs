//! Where the pelvis faces.

use super::goal::{ContinuationStep, Goal, check_secs, within};
use crate::EditingError;
use crate::adapt::problem::{Constraints, Demand};
use serde::{Deserialize, Serialize};

/// Where the pelvis faces at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facing {
    /// When, s of the clip.
    pub at_secs: f64,
    /// To the left of where it faces then in the clip, degrees.
    pub left_deg: f64,
}

impl Goal for Facing {
    fn check(&self) -> Result<(), EditingError> {
        check_secs(self.at_secs)?;
        within("facing.left_deg", "within 720", self.left_deg, [-720.0, 720.0])
    }

    fn demand(&self, step: &ContinuationStep<'_>, constraints: &mut Constraints) -> Result<(), EditingError> {
        let at = step.clip_secs(self.at_secs)?;
        // The root's first coordinate is its yaw.
        let value = step.clip.trajectory.coordinates_at(at)[0] + self.left_deg.to_radians();
        let demand = Demand::Coordinate { index: 0, sign: 1.0, value };
        constraints.demands.timed.push((step.new_secs(at), demand, true));
        Ok(())
    }
}
