//! Poses that are kept.

use super::goal::{ContinuationStep, Goal, check_secs};
use crate::EditingError;
use crate::adapt::problem::{Constraints, Demand};
use aplomb_physics::dynamics::LinkId;
use serde::{Deserialize, Serialize};

/// A pose of the clip that is kept, or taken at another time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PosePin {
    /// When, s of the clip.
    pub at_secs: f64,
    /// As in the clip at this time; without it at the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like_secs: Option<f64>,
    /// Which joints; without them all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
}

impl Goal for PosePin {
    fn check(&self) -> Result<(), EditingError> {
        check_secs(self.at_secs)?;
        check_secs(self.like_secs)
    }

    fn demand(&self, step: &ContinuationStep<'_>, constraints: &mut Constraints) -> Result<(), EditingError> {
        let (at, like) = (step.clip_secs(self.at_secs)?, step.clip_secs(self.like_secs.unwrap_or(self.at_secs))?);
        let x = step.clip.trajectory.coordinates_at(like);
        let links = match self.parts.is_empty() {
            true => step.subject.tree().model.links().skip(1).collect(),
            false => self.parts.iter().map(|part| step.subject.part(part)).collect::<Result<Vec<LinkId>, _>>()?,
        };
        for link in links {
            let own = step.subject.coordinates.of_link(link);
            for (index, &value) in x.iter().enumerate().skip(own.start).take(own.chart.count()) {
                let demand = Demand::Coordinate { index, sign: 1.0, value };
                constraints.demands.timed.push((step.new_secs(at), demand, true));
            }
        }
        Ok(())
    }
}
