//! What is asked of an adaptation, as people write it: a goals file in TOML, or a few flags.

use super::goal_parts::{Above, ConeGoal, Dynamics, Facing, Grab, Objective, Place, PosePin};
use crate::EditingError;
use serde::{Deserialize, Serialize};

/// Everything an adaptation can be asked for. Absent parts stay as in the clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Goals {
    /// How much farther the jump goes, m (negative: shorter).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jump_length_m: Option<f64>,
    /// How many times as high the centre of mass rises in flight; flights last √ of it longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jump_height: Option<f64>,
    /// How many times as long flights last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight_time: Option<f64>,
    /// Turn about the vertical, to the left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twist: Option<Twist>,
    /// Footprints that go elsewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub footprints: Vec<Footprints>,
    /// Things that are carried.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub carry: Vec<Carry>,
    /// Limbs of another length.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scale: Vec<Scale>,
    /// Weak joints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub torque: Vec<Torque>,
    /// Joints that keep an angle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<Fixed>,
    /// Jump on one leg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hop: Option<Hop>,
    /// Something to jump over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hurdle: Option<Hurdle>,
    /// A bar or a rim to swing from; the clip behind the top of the flight is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grab: Option<Grab>,
    /// Parts that stay within cones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cone: Vec<ConeGoal>,
    /// Poses that are kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pose: Vec<PosePin>,
    /// Where the pelvis faces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facing: Vec<Facing>,
    /// Joints that are somewhere at a time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub place: Vec<Place>,
    /// Joints that stay above a height.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<Above>,
    /// Most that the ground pushes in a landing, body weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub landing_load_bw: Option<f64>,
    /// Which flight is meant, from 0; without it the longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight: Option<usize>,
    /// Coulomb's coefficient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Torques are bounded as people's are; `false` leaves them free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torque_bounds: Option<bool>,
    /// Which rows of the equations of motion have torques as unknowns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamics: Option<Dynamics>,
    /// Joints whose torques are unknowns in reduced dynamics, above these parts; without it those that carry something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torques: Option<Vec<String>>,
    /// What is minimised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<Objective>,
    /// Limbs keep apart; `false` lets them pass through each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limb_distance: Option<bool>,
}

/// A turn in the air.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twist {
    /// To the left, degrees.
    pub deg: f64,
    /// Which stage is turned.
    #[serde(default)]
    pub at: TwistAt,
}

/// Which end of a flight turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TwistAt {
    /// The landing: takeoff stays.
    #[default]
    Landing,
    /// The takeoff: the landing stays.
    Takeoff,
}

/// Stages by where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Before the flight that is meant.
    Takeoff,
    /// Behind it, and everything after.
    Landing,
    /// All.
    #[default]
    All,
}

/// Left, right or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhichSide {
    /// Of the body.
    Left,
    /// Of the body.
    Right,
    /// Both.
    #[default]
    Both,
}

/// Moved footprints, m, along the jump's way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Footprints {
    /// Which.
    pub stage: Stage,
    /// Whose.
    pub side: WhichSide,
    /// Along the way.
    pub forward_m: f64,
    /// Across it.
    pub left_m: f64,
    /// Up, onto a box.
    pub up_m: f64,
}

/// A weight on a part of the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carry {
    /// A role (`right_hand`) or a joint's name.
    pub part: String,
    /// kg.
    pub mass_kg: f64,
}

/// A limb of another length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// A role (`left_thigh`) or a joint's name.
    pub part: String,
    /// Times as long.
    pub factor: f64,
}

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

/// A joint that does not move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixed {
    /// A shank or a forearm.
    pub part: String,
    /// Bent by this, degrees; 0 is straight.
    pub bent_deg: f64,
}

/// A jump on one leg.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hop {
    /// The leg that jumps.
    pub on: WhichSide,
    /// How far the other knee is bent, degrees.
    #[serde(default = "hop_bent_deg")]
    pub other_knee_deg: f64,
}

impl Hop {
    /// How far the other knee is bent, unless something else is said.
    pub const KNEE_DEG: f64 = 95.0;
}

fn hop_bent_deg() -> f64 {
    Hop::KNEE_DEG
}

/// Something that both feet clear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hurdle {
    /// Over the ground.
    pub height_m: f64,
    /// Times as long a flight; without it chosen from the height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flight_time: Option<f64>,
}

/// Farther than anybody jumps, m: larger numbers are mistakes of units.
const MOST_M: f64 = 5.0;

impl Goals {
    /// Reads a goals file.
    pub fn from_toml(text: &str) -> Result<Self, EditingError> {
        let goals: Self = toml::from_str(text)
            .map_err(|error| EditingError::Goals { problem: format!("the goals cannot be read: {error}") })?;
        goals.check()?;
        Ok(goals)
    }

    /// Whether numbers make sense.
    pub fn check(&self) -> Result<(), EditingError> {
        let within = |what: &'static str, expected: &'static str, found: Option<f64>, low: f64, high: f64| match found {
            Some(found) if !(low..=high).contains(&found) => Err(EditingError::Setting { what, expected, found }),
            _ => Ok(()),
        };
        within("jump_length_m", "within 5 m", self.jump_length_m, -MOST_M, MOST_M)?;
        within("jump_height", "between 0.2 and 4 times", self.jump_height, 0.2, 4.0)?;
        within("flight_time", "between 0.4 and 3 times", self.flight_time, 0.4, 3.0)?;
        within("twist.deg", "within 720", self.twist.map(|twist| twist.deg), -720.0, 720.0)?;
        within("friction", "between 0.1 and 3", self.friction, 0.1, 3.0)?;
        within("landing_load_bw", "between 1 and 20", self.landing_load_bw, 1.0, 20.0)?;
        for move_ in &self.footprints {
            for (what, found) in [
                ("footprints.forward_m", move_.forward_m),
                ("footprints.left_m", move_.left_m),
                ("footprints.up_m", move_.up_m),
            ] {
                within(what, "within 5 m", Some(found), -MOST_M, MOST_M)?;
            }
        }
        for carry in &self.carry {
            within("carry.mass_kg", "between 0 and 100", Some(carry.mass_kg), 0.0, 100.0)?;
        }
        for scale in &self.scale {
            within("scale.factor", "between 0.5 and 2", Some(scale.factor), 0.5, 2.0)?;
        }
        for torque in &self.torque {
            if torque.most_nm.is_some() == torque.share_of_peak.is_some() {
                let problem = format!("torque of {:?}: give either most_nm or share_of_peak", torque.part);
                return Err(EditingError::Goals { problem });
            }
            within("torque.most_nm", "between 0 and 2000", torque.most_nm, 0.0, 2000.0)?;
            within("torque.share_of_peak", "between 0 and 1", torque.share_of_peak, 0.0, 1.0)?;
        }
        for fixed in &self.fixed {
            within("fixed.bent_deg", "between 0 and 150", Some(fixed.bent_deg), 0.0, 150.0)?;
        }
        if let Some(hop) = &self.hop {
            if hop.on == WhichSide::Both {
                return Err(EditingError::Goals { problem: "hop.on must be left or right".to_owned() });
            }
            within("hop.other_knee_deg", "between 30 and 150", Some(hop.other_knee_deg), 30.0, 150.0)?;
        }
        if let Some(hurdle) = &self.hurdle {
            within("hurdle.height_m", "between 0.05 and 1.2", Some(hurdle.height_m), 0.05, 1.2)?;
            within("hurdle.flight_time", "between 1 and 4 times", hurdle.flight_time, 1.0, 4.0)?;
        }
        for cone in &self.cone {
            within("cone.within_deg", "between 1 and 179", Some(cone.within_deg), 1.0, 179.0)?;
        }
        let times = self.pose.iter().flat_map(|pin| [Some(pin.at_secs), pin.like_secs]);
        let times = times.chain(self.facing.iter().map(|facing| Some(facing.at_secs)));
        let times = times.chain(self.place.iter().map(|place| Some(place.at_secs)));
        let times = times.chain(self.above.iter().flat_map(|above| [Some(above.from_secs), Some(above.to_secs)]));
        for secs in times.chain(self.cone.iter().flat_map(|cone| [cone.from_secs, cone.to_secs])) {
            within("a goal's time in seconds", "between 0 and 3600", secs, 0.0, 3600.0)?;
        }
        for facing in &self.facing {
            within("facing.left_deg", "within 720", Some(facing.left_deg), -720.0, 720.0)?;
        }
        for place in &self.place {
            for found in [place.forward_m, place.left_m, place.up_m] {
                within("place", "within 5 m", Some(found), -MOST_M, MOST_M)?;
            }
        }
        for above in &self.above {
            within("above.height_m", "between 0 and 5", Some(above.height_m), 0.0, MOST_M)?;
        }
        if let Some(grab) = &self.grab {
            within("grab.height_m", "between 0.5 and 6", grab.height_m, 0.5, 6.0)?;
            within("grab.ahead_m", "within 1 m", Some(grab.ahead_m), -1.0, 1.0)?;
            within("grab.swing_secs", "between 0.2 and 3", Some(grab.swing_secs), 0.2, 3.0)?;
            let lands = [
                ("jump_length_m", self.jump_length_m.is_some()),
                ("twist", self.twist.is_some()),
                ("hurdle", self.hurdle.is_some()),
                ("landing_load_bw", self.landing_load_bw.is_some()),
            ];
            if let Some((b, _)) = lands.into_iter().find(|(_, is_asked)| *is_asked) {
                return Err(EditingError::Conflict { a: "grab", b });
            }
        }
        if self.jump_height.is_some() && self.flight_time.is_some() {
            return Err(EditingError::Conflict { a: "jump_height", b: "flight_time" });
        }
        Ok(())
    }

    /// Whether anything is asked at all.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_and_mistakes_are_named() {
        let goals = Goals::from_toml(
            "jump_length_m = 0.5\nfriction = 0.6\ntwist = { deg = 90 }\n[[carry]]\npart = \"right_hand\"\nmass_kg = 8\n\
             [[torque]]\npart = \"right_foot\"\nshare_of_peak = 0.25\n",
        )
        .unwrap();
        assert_eq!(goals.twist.unwrap().at, TwistAt::Landing);
        assert_eq!(goals.carry[0].mass_kg, 8.0);
        for (text, told) in [
            ("jump_lenght_m = 1", "jump_lenght_m"),
            ("jump_length_m = 500", "jump_length_m"),
            ("jump_height = 1.3\nflight_time = 1.1", "flight_time"),
            ("[[torque]]\npart = \"x\"", "share_of_peak"),
            ("hop = { on = \"both\" }", "left or right"),
            ("friction = nan", "friction"),
        ] {
            let message = Goals::from_toml(text).unwrap_err().to_string();
            assert!(message.contains(told), "{message}");
        }
    }
}
