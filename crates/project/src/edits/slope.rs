//! A ground that is not level.

use aplomb_editing::EditingError;
use aplomb_editing::arc::TravelLine;
use aplomb_motion::Clip;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A ground that is not level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected degrees uphill along the way, or the ground's normal as [x, y, z]")]
pub enum Slope {
    /// Uphill along the way that the motion travels; downhill if negative.
    Degrees(f64),
    /// Out of the ground, Y up.
    Normal([f64; 3]),
}

impl Slope {
    /// Its normal, of any length, under a clip that goes that way.
    pub fn normal(self, clip: &Clip) -> Result<DVec3, EditingError> {
        match self {
            // Beyond 45° people do not walk, and the ground is a wall: as for tilts.
            Slope::Degrees(found) if !(-45.0..=45.0).contains(&found) => {
                Err(EditingError::Setting { what: "the slope", expected: "between -45 and 45 degrees", found })
            }
            Slope::Degrees(0.0) => Ok(DVec3::Y),
            Slope::Degrees(degrees) => {
                // The clip is tilted already: the way on the ground leads where it led.
                let across = TravelLine::of(clip)?.ahead().cross(DVec3::Y);
                Ok(DQuat::from_axis_angle(across, degrees.to_radians()) * DVec3::Y)
            }
            Slope::Normal(normal) => Ok(DVec3::from_array(normal)),
        }
    }
}
