//! Limbs of another length.

use super::goal::{Goal, within};
use crate::EditingError;
use crate::adapt::subject::{BodyChanges, Scaled, Subject};
use aplomb_motion::Role;
use serde::{Deserialize, Serialize};

/// A limb of another length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// A role (`left_thigh`) or a joint's name.
    pub part: String,
    /// Times as long.
    pub factor: f64,
}

impl Goal for Scale {
    fn check(&self) -> Result<(), EditingError> {
        within("scale.factor", "between 0.5 and 2", self.factor, [0.5, 2.0])
    }

    fn change_body(&self, subject: &Subject, changes: &mut BodyChanges) -> Result<(), EditingError> {
        changes.scaled.push(Scaled { link: subject.part(&self.part)?, factor: self.factor });
        Ok(())
    }
}

/// How much higher the root stands on changed legs, m: shorter legs stand lower.
pub fn root_lift_m(subject: &Subject, changes: &BodyChanges) -> f64 {
    let model = &subject.tree().model;
    let mut lift_m = 0.0;
    for own in &changes.scaled {
        if matches!(subject.roles.role(own.link), Some(Role::Thigh(_) | Role::Shank(_))) {
            let below = model.links().find(|&link| model.parent(link) == Some(own.link));
            let length_m = below.map_or(0.0, |below| model.offset_m(below).length());
            // Two legs: each counts half.
            lift_m += 0.5 * (own.factor - 1.0) * length_m;
        }
    }
    lift_m
}
