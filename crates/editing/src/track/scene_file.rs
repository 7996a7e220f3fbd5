//! Scenes as data: people and things, what may touch, which controllers help, where hands should be and
//! when.

use super::character::Character;
use crate::hand_goal::{HandGoal, HandPoint};
use aplomb_motion::Side;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A scene. Lengths in metres, Y up; names of parts are `who.part` with a role for the part, as `actor.right_hand`, or
/// a prop's name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scene {
    /// What the one whose clip is edited is called.
    pub name: String,
    /// All motions so many times as fast, after reaches and claps were put in.
    pub speed: f64,
    /// Spans of the input, one after the other: segments that share a home pose may come in any order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<[f64; 2]>,
    /// The other characters.
    #[serde(rename = "character", skip_serializing_if = "Vec::is_empty")]
    pub characters: Vec<SceneCharacter>,
    /// Things.
    #[serde(rename = "prop", skip_serializing_if = "Vec::is_empty")]
    pub props: Vec<Prop>,
    /// What may touch; nothing else does.
    #[serde(rename = "pair", skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairChoice>,
    /// Controllers.
    #[serde(rename = "task", skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<TaskChoice>,
    /// Hands that must be somewhere, by the clock of the input before `speed`.
    #[serde(rename = "reach", skip_serializing_if = "Vec::is_empty")]
    pub reaches: Vec<SceneReach>,
    /// Hands of two that must meet.
    #[serde(rename = "clap", skip_serializing_if = "Vec::is_empty")]
    pub claps: Vec<Clap>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            name: "actor".to_owned(),
            speed: 1.0,
            sequence: Vec::new(),
            characters: Vec::new(),
            props: Vec::new(),
            pairs: Vec::new(),
            tasks: Vec::new(),
            reaches: Vec::new(),
            claps: Vec::new(),
        }
    }
}

/// Another character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneCharacter {
    /// For names of parts, and of the file.
    pub name: String,
    /// Their motion; without it that of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<PathBuf>,
    /// Their body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<CharacterChoice>,
    /// Where the hips are over the ground at the start, (x, z), m; without it where their clip has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_m: Option<[f64; 2]>,
    /// Turned to the left about the hips by so much.
    #[serde(default)]
    pub turn_deg: f64,
}

/// A built-in table by its name, or a table of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected adult, child, alien, or a table with base and segments")]
pub enum CharacterChoice {
    /// `adult`, `child`, `alien`.
    Named(super::character::BuiltInCharacter),
    /// As a file has it.
    Table(Character),
}

impl CharacterChoice {
    /// The table.
    pub fn character(&self) -> Character {
        match self {
            Self::Named(base) => Character { base: *base, ..Character::default() },
            Self::Table(character) => character.clone(),
        }
    }
}

/// Something that is no person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prop {
    /// For pairs.
    pub name: String,
    /// About its middle.
    pub shape: PropShape,
    /// Its middle at the start, m. What is held is where the hand is.
    #[serde(default)]
    pub at_m: DVec3,
    /// A thing without stands still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_kg: Option<f64>,
    /// The hand that holds it, as `actor.right_hand`; upright on average over the motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
}

/// Shapes of things, upright.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PropShape {
    /// A ball.
    Ball {
        /// m.
        radius_m: f64,
    },
    /// A table, a wall.
    Box {
        /// Half of width, height and depth, m.
        half_m: DVec3,
    },
    /// A drum.
    Cylinder {
        /// m.
        radius_m: f64,
        /// m.
        height_m: f64,
    },
    /// A staff with round ends.
    Staff {
        /// m.
        length_m: f64,
        /// m.
        radius_m: f64,
    },
}

/// Two things that push each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairChoice {
    /// One.
    pub a: String,
    /// The other.
    pub b: String,
    /// N/m.
    #[serde(default = "usual_stiffness")]
    pub stiffness: f64,
    /// N·s/m, whatever strikes; without it what `restitution` asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// The share of their speed that two free bodies of these materials part with.
    #[serde(default = "usual_restitution")]
    pub restitution: f64,
    /// μ.
    #[serde(default = "usual_friction")]
    pub friction: f64,
    /// Nothing happens between them before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
}

fn usual_stiffness() -> f64 {
    1e5
}

fn usual_restitution() -> f64 {
    0.67
}

fn usual_friction() -> f64 {
    0.6
}

impl PairChoice {
    /// With the usual springs.
    pub fn new(a: &str, b: &str) -> Self {
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            stiffness: usual_stiffness(),
            damping: None,
            restitution: usual_restitution(),
            friction: usual_friction(),
            from_secs: None,
        }
    }
}

/// A controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TaskChoice {
    /// A wrist that keeps what its hand holds upright (the hand itself, if it holds nothing).
    Upright {
        /// As `actor.right_hand`.
        part: String,
    },
    /// Legs that keep the centre of mass over the feet.
    Balance {
        /// As `actor`.
        who: String,
        /// N/m, for an adult.
        #[serde(default = "usual_balance")]
        stiffness: f64,
        /// N·s/m, for an adult.
        #[serde(default = "usual_balance_damping")]
        damping: f64,
    },
    /// A hand that stays at a place of the world.
    Hold {
        /// As `actor.right_hand`.
        part: String,
        /// Where its palm stays, m.
        at_m: DVec3,
        /// From this second.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from_secs: Option<f64>,
        /// Up to this second.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_secs: Option<f64>,
    },
}

fn usual_balance() -> f64 {
    8000.0
}

fn usual_balance_damping() -> f64 {
    1500.0
}

impl TaskChoice {
    /// With the usual gains.
    pub fn balance(who: &str) -> Self {
        Self::Balance { who: who.to_owned(), stiffness: usual_balance(), damping: usual_balance_damping() }
    }
}

/// A hand that must be somewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneReach {
    /// Whose.
    pub who: String,
    /// Which.
    pub hand: Side,
    /// When, by the input's own clock.
    pub at_secs: f64,
    /// Where, m.
    pub to_m: DVec3,
    /// So long before and after.
    #[serde(default = "usual_window")]
    pub window_secs: f64,
}

fn usual_window() -> f64 {
    HandGoal::USUAL_WINDOW_SECS
}

impl SceneReach {
    /// As an edit.
    pub fn goal(&self) -> HandGoal {
        let Self { hand, at_secs, to_m, window_secs, .. } = *self;
        HandGoal { hand, at_secs, to_m, window_secs, point: HandPoint::Palm }
    }
}

/// Hands of two that must meet, half way between where they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clap {
    /// One hand, as `actor.right_hand`.
    pub a: String,
    /// The other.
    pub b: String,
    /// When, by the input's own clock.
    pub at_secs: Vec<f64>,
    /// So long before and after.
    #[serde(default = "usual_window")]
    pub window_secs: f64,
    /// How deep in each other the hands are wanted, m: servos give way, and late ones miss what they only touch.
    #[serde(default = "usual_depth")]
    pub depth_m: f64,
}

fn usual_depth() -> f64 {
    0.015
}
