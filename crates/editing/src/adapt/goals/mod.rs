//! What can be asked: one file a goal, with what people write, its check, its start, its rows and its measure.
//!
//! [`Goals`] is what people write: a goals file in TOML, or a few flags. A new goal is a file with a type that is a
//! [`Goal`], a field in [`Goals`], and a line in [`Goals::asked`].

mod above;
mod carry;
mod cone;
mod dynamics;
mod facing;
mod fixed;
mod footprints;
mod goal;
mod grab;
mod hop;
mod hurdle;
mod jump;
mod landing_load;
mod place;
mod pose;
mod scale;
mod side;
mod torque;
mod twist;

pub use above::Above;
pub use carry::Carry;
pub use cone::{ConeGoal, ConeOf};
pub use dynamics::Dynamics;
pub use facing::Facing;
pub use fixed::Fixed;
pub use footprints::{Footprints, WhichStage};
pub use goal::{ContinuationStep, Done, Goal, LastStep, Preparation};
pub use grab::Grab;
pub use hop::Hop;
pub use hurdle::Hurdle;
pub use place::PlaceGoal;
pub use pose::PosePin;
pub use scale::{Scale, root_lift_m};
pub use side::{Reaching, WhichSide};
pub use torque::Torque;
pub use twist::{Twist, TwistAt};

use self::goal::within;
use self::jump::Jump;
use self::landing_load::LandingLoad;
use crate::EditingError;
use crate::adapt::solve::Objective;
use crate::adapt::start::StagedTrajectory;
use crate::adapt::subject::Subject;
use aplomb_physics::dynamics::LinkId;
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
    pub place: Vec<PlaceGoal>,
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

/// Goals of one kind.
fn each<'g, G: Goal + Clone + 'static>(goals: impl IntoIterator<Item = &'g G>) -> impl Iterator<Item = Box<dyn Goal>> {
    goals.into_iter().map(|goal| Box::new(goal.clone()) as Box<dyn Goal>)
}

impl Goals {
    /// Every goal that is asked for, in the order in which they work. Those that stretch a flight come before the grab
    /// in it; footprints are moved before landings as a whole; otherwise the order is that of the rows they ask for.
    pub(in crate::adapt) fn asked(&self) -> Vec<Box<dyn Goal>> {
        let jump = Jump { length_m: self.jump_length_m, height: self.jump_height, flight_time: self.flight_time };
        let landing_load = self.landing_load_bw.map(|most_bw| LandingLoad { most_bw });
        let mut asked: Vec<Box<dyn Goal>> = Vec::new();
        asked.extend(each(&self.scale));
        asked.extend(each(&self.carry));
        asked.extend(each(&self.torque));
        asked.extend(each(&self.fixed));
        asked.extend(each(&self.hop));
        asked.extend(each(&self.footprints));
        asked.extend(each([&jump]));
        asked.extend(each(&self.grab));
        asked.extend(each(&self.cone));
        asked.extend(each(&self.twist));
        asked.extend(each(&self.pose));
        asked.extend(each(&self.facing));
        asked.extend(each(&self.place));
        asked.extend(each(&self.above));
        asked.extend(each(&self.hurdle));
        asked.extend(each(&landing_load));
        asked
    }

    /// Reads a goals file.
    pub fn from_toml(text: &str) -> Result<Self, EditingError> {
        let goals: Self = toml::from_str(text)
            .map_err(|error| EditingError::Goals { problem: format!("the goals cannot be read: {error}") })?;
        goals.check()?;
        Ok(goals)
    }

    /// Whether numbers make sense.
    pub fn check(&self) -> Result<(), EditingError> {
        within("friction", "between 0.1 and 3", self.friction, [0.1, 3.0])?;
        let asked = self.asked();
        asked.iter().try_for_each(|goal| goal.check())?;
        // A body that hangs on a bar does not land.
        let landing = asked.iter().find_map(|goal| goal.landing_goal());
        match landing.filter(|_| self.grab.is_some()) {
            Some(b) => Err(EditingError::Conflict { a: "grab", b }),
            None => Ok(()),
        }
    }

    /// Whether anything is asked at all.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The flight that is meant.
    pub(in crate::adapt) fn flight_of(&self, motion: &StagedTrajectory) -> Result<Option<usize>, EditingError> {
        let flights = motion.flights.len();
        if let Some(flight) = self.flight {
            return if flight < flights {
                Ok(Some(flight))
            } else {
                Err(EditingError::UnknownFlight { flight, flights })
            };
        }
        if flights == 0 && self.asked().iter().any(|goal| goal.needs_flight()) {
            let problem = "the goals are about a flight, and this clip has none".to_owned();
            return Err(EditingError::Goals { problem });
        }
        Ok(motion.longest_flight())
    }

    /// Links whose torques are unknowns: all in full dynamics, those that are named, or those of strained limbs.
    pub(in crate::adapt) fn unknown_torques(&self, subject: &Subject) -> Result<Vec<LinkId>, EditingError> {
        let by_torque =
            matches!(self.objective, Some(Objective::TorqueSmoothness | Objective::Torque | Objective::Power));
        let mut links = Vec::new();
        match &self.torques {
            _ if by_torque || self.dynamics == Some(Dynamics::Full) => {
                links.extend(subject.tree().model.links().skip(1));
            }
            Some(parts) => {
                for part in parts {
                    links.push(subject.part(part)?);
                }
            }
            None => {
                for part in self.asked().iter().filter_map(|goal| goal.strained_part()) {
                    links.extend(subject.limb_above(subject.part(part)?));
                }
            }
        }
        links.sort_by_key(|link| link.index());
        links.dedup();
        Ok(links)
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
        for (text, named) in [
            ("jump_lenght_m = 1", "jump_lenght_m"),
            ("jump_length_m = 500", "jump_length_m"),
            ("jump_height = 1.3\nflight_time = 1.1", "flight_time"),
            ("[[torque]]\npart = \"x\"", "share_of_peak"),
            ("hop = { on = \"both\" }", "left or right"),
            ("friction = nan", "friction"),
        ] {
            let message = Goals::from_toml(text).unwrap_err().to_string();
            assert!(message.contains(named), "{message}");
        }
    }
}
