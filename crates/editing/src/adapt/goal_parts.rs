//! Goals that say when: cones, poses, places, directions, things to hold on to; and how the problem is posed.

use super::goals::WhichSide;
use serde::{Deserialize, Serialize};

/// A part that stays within a cone (paper, section 5.2: joint limits, and limbs that would meet).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConeGoal {
    /// A role (`left_thigh`) or a joint's name.
    pub part: String,
    /// Half the cone's opening, degrees.
    pub within_deg: f64,
    /// Its middle.
    #[serde(default)]
    pub of: ConeOf,
    /// From when, s of the clip; without it from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// Until when; without it to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
}

/// The middle of a cone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConeOf {
    /// Where the part points on average in the clip, seen from the part above it: a limit of the joint.
    #[default]
    Joint,
    /// Straight up.
    Up,
}

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

/// Where the pelvis faces at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facing {
    /// When, s of the clip.
    pub at_secs: f64,
    /// To the left of where it faces then in the clip, degrees.
    pub left_deg: f64,
}

/// A joint that is somewhere at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Place {
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

/// Hands that catch a bar or a rim at the top of the flight, and a body that swings from it (paper, figures 3(g) and 3(l)).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Grab {
    /// Which hands hold it.
    pub hands: WhichSide,
    /// Height over the ground; without it, what straight arms reach at the top of the flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_m: Option<f64>,
    /// Before the shoulders at the top of the flight, along the way.
    pub ahead_m: f64,
    /// How long the body swings.
    pub swing_secs: f64,
}

impl Default for Grab {
    fn default() -> Self {
        Self { hands: WhichSide::Both, height_m: None, ahead_m: 0.15, swing_secs: 0.8 }
    }
}

/// Which rows of the equations of motion are asked for, with torques as unknowns of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dynamics {
    /// The six of the root: torques follow, and change for nothing.
    #[default]
    Reduced,
    /// All: torques have splines, and their change counts as well.
    Full,
}

/// What is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The change from the performance, by minimum-norm steps (paper, section 4).
    #[default]
    Adaptation,
    /// ∫ ‖f̈‖² by sequential quadratic programming: what the paper compares with (section 5.5).
    TorqueSmoothness,
    /// ∫ ‖f‖².
    Torque,
    /// ∫ ‖θ̈‖².
    KinematicSmoothness,
    /// ∫ (f · θ̇)²: what the joints spend.
    Power,
    /// ∫ Σ m ‖c − c̄‖² over links' centres of mass, c̄ being the displaced start.
    MassDisplacement,
}
