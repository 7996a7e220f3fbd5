//! Weak joints.

use super::goal::{Goal, Preparation, within};
use crate::EditingError;
use serde::{Deserialize, Serialize};

/// A bound of a joint's torque.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Torque {
    /// The joint above this part: `right_foot` is the ankle.
    pub part: String,
    /// About each of its axes, N·m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_nm: Option<f64>,
    /// Or so much of what it gives in the clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_of_peak: Option<f64>,
}

impl Goal for Torque {
    fn check(&self) -> Result<(), EditingError> {
        if self.most_nm.is_some() == self.share_of_peak.is_some() {
            let problem = format!("torque of {:?}: give either most_nm or share_of_peak", self.part);
            return Err(EditingError::Goals { problem });
        }
        within("torque.most_nm", "between 0 and 2000", self.most_nm, [0.0, 2000.0])?;
        within("torque.share_of_peak", "between 0 and 1", self.share_of_peak, [0.0, 1.0])
    }

    /// A leg that spares its ankle does not push harder with the knee, though forces that cost nothing would have its
    /// heel do so.
    fn strained_part(&self) -> Option<&str> {
        Some(&self.part)
    }

    fn prepare(&self, start: &mut Preparation<'_>) -> Result<(), EditingError> {
        let link = start.subject.part(&self.part)?.index();
        let of_peak = self.share_of_peak.map(|share| share * start.peak_torques_nm[link]);
        start.constraints.torque_bounds[link] = self.most_nm.or(of_peak);
        Ok(())
    }
}
