//! Joints that are somewhere at a time.

use super::goal::{ContinuationStep, Goal, MOST_M, check_secs, within};
use crate::EditingError;
use crate::adapt::problem::{Constraints, Demand};
use crate::adapt::subject::PosedBody;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A joint that is somewhere at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlaceGoal {
    /// A role or a joint's name.
    pub part: String,
    /// When, s of the clip.
    pub at_secs: f64,
    /// From where it is then in the clip, along the way, m.
    pub forward_m: f64,
    /// Across it.
    pub left_m: f64,
    /// Up.
    pub up_m: f64,
}

impl Goal for PlaceGoal {
    fn check(&self) -> Result<(), EditingError> {
        check_secs(self.at_secs)?;
        for found in [self.forward_m, self.left_m, self.up_m] {
            within("place", "within 5 m", found, [-MOST_M, MOST_M])?;
        }
        Ok(())
    }

    fn demand(&self, step: &ContinuationStep<'_>, constraints: &mut Constraints) -> Result<(), EditingError> {
        let at = step.clip_secs(self.at_secs)?;
        let (subject, forward) = (step.subject, step.forward);
        let link = subject.part(&self.part)?;
        let shift_m = forward * self.forward_m + DVec3::Y.cross(forward) * self.left_m + DVec3::Y * self.up_m;
        let mut posed = PosedBody::new(subject, subject.tree());
        posed.go(&step.clip.trajectory.coordinates_at(at));
        let to_m = posed.work.link(link).joint_in_world_m + shift_m;
        for direction in DVec3::AXES {
            let demand = Demand::Point { link, point_in_link_m: DVec3::ZERO, direction, value_m: direction.dot(to_m) };
            constraints.demands.timed.push((step.new_secs(at), demand, true));
        }
        Ok(())
    }
}
