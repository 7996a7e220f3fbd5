//! Things that are carried.

use super::goal::{Goal, within};
use crate::EditingError;
use crate::adapt::subject::{BodyChanges, CarriedLoad, Subject};
use serde::{Deserialize, Serialize};

/// A weight on a part of the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carry {
    /// A role (`right_hand`) or a joint's name.
    pub part: String,
    /// kg.
    pub mass_kg: f64,
}

impl Goal for Carry {
    fn check(&self) -> Result<(), EditingError> {
        within("carry.mass_kg", "between 0 and 100", self.mass_kg, [0.0, 100.0])
    }

    /// A loaded arm swings lower because it is pulled as hard as before.
    fn strained_part(&self) -> Option<&str> {
        Some(&self.part)
    }

    fn change_body(&self, subject: &Subject, changes: &mut BodyChanges) -> Result<(), EditingError> {
        let link = subject.part(&self.part)?;
        let at_m = subject.tree().model.inertia(link).com_m;
        changes.carried.push(CarriedLoad { link, at_m, mass_kg: self.mass_kg });
        Ok(())
    }
}
