//! `adapt`: jumps and runs adapted to goals, with full dynamics.

use super::CommonArgs;
use crate::args::number;
use crate::outcome::{Outcome, Printing, say_error};
use aplomb_editing::adapt::{
    Carry, Dynamics, Footprints, Goals, Grab, Hop, Hurdle, Objective, Scale, Stage, Torque, Twist, TwistAt, WhichSide,
};
use aplomb_project::Edit;
use aplomb_project::edit::{AdaptEdit, read_goals};
use clap::ValueEnum;
use std::path::PathBuf;

/// Options of `adapt`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb adapt jump.bvh --jump-length +0.5 -o longer.bvh           half a metre farther, prepared by a deeper crouch\n  \
    aplomb adapt jump.bvh --jump-height 1.3x -o higher.bvh\n  \
    aplomb adapt jump.bvh --twist 180 -o twist.bvh                   half a turn to the left in the air\n  \
    aplomb adapt jump.bvh --carry right_hand=8kg -o briefcase.bvh\n  \
    aplomb adapt jump.bvh --torque right_foot=25% -o limping.bvh     a quarter of what the right ankle gives\n  \
    aplomb adapt jump.bvh --scale left_thigh=0.85,right_thigh=0.85 -o short.bvh\n  \
    aplomb adapt jump.bvh --hop right -o hop.bvh\n  \
    aplomb adapt run.bvh --hurdle 0.5 --forces forces.csv -o hurdle.bvh\n  \
    aplomb adapt jump.bvh --grab both -o bar.bvh                     catches a bar at the top and swings\n  \
    aplomb adapt jump.bvh --goals goals.toml -o out.bvh\n  \
    aplomb adapt builtin:long-jump --jump-length +0.3 --dry-run\n\n\
    The clip is fitted to the equations of motion first, with the forces of heels, balls and toes. Exit code 3: the goals cannot be met, and nothing \
    is written unless --best is given.")]
pub struct AdaptArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Goals as a file; the other options add to it
    #[arg(long, value_name = "FILE.toml")]
    goals: Option<PathBuf>,
    /// Jump so much farther, in metres
    #[arg(long, value_name = "±M", value_parser = number, allow_hyphen_values = true)]
    jump_length: Option<f64>,
    /// Jump so many times as high; the flight lasts longer by the root of it
    #[arg(long, value_name = "TIMESx", value_parser = times, conflicts_with = "flight_time")]
    jump_height: Option<f64>,
    /// Fly so many times as long
    #[arg(long, value_name = "TIMESx", value_parser = times)]
    flight_time: Option<f64>,
    /// Turn in the air, degrees to the left
    #[arg(long, value_name = "DEG", value_parser = number, allow_hyphen_values = true)]
    twist: Option<f64>,
    /// Which end of the flight is turned
    #[arg(long, value_name = "END", default_value = "landing", requires = "twist")]
    twist_at: TwistEnd,
    /// Put the left foot so much before the right one, at takeoff and landing, in metres
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true)]
    stagger: Option<f64>,
    /// Carry something: a role or joint and its weight
    #[arg(long, value_name = "PART=KG,…", value_delimiter = ',', value_parser = weight)]
    carry: Vec<Carry>,
    /// Limbs of another length
    #[arg(long, value_name = "PART=TIMES,…", value_delimiter = ',', value_parser = scale)]
    scale: Vec<Scale>,
    /// Weak joints: N·m, or a share of what they give in the clip
    #[arg(long, value_name = "PART=NM|PART=N%,…", value_delimiter = ',', value_parser = torque)]
    torque: Vec<Torque>,
    /// Jump on one leg
    #[arg(long, value_name = "LEG")]
    hop: Option<Leg>,
    /// Clear a hurdle of this height, in metres
    #[arg(long, value_name = "M", value_parser = number)]
    hurdle: Option<f64>,
    /// Catch a bar at the top of the flight and swing from it, with these hands
    #[arg(long, value_name = "HANDS")]
    grab: Option<Hands>,
    /// Land softly: most that the ground pushes, in body weights
    #[arg(long, value_name = "BW", value_parser = number)]
    landing_load: Option<f64>,
    /// Friction of the ground [default: 0.8]
    #[arg(long, value_name = "MU", value_parser = number)]
    friction: Option<f64>,
    /// Rows of the equations of motion: those of the root, or all, with a change of torques counting as well
    #[arg(long, value_name = "WHICH")]
    dynamics: Option<DynamicsWord>,
    /// What is minimised: the change from the performance, or what the paper compares with (slower)
    #[arg(long, value_name = "WHAT")]
    objective: Option<ObjectiveWord>,
    /// Which flight is meant, from 0; without it the longest
    #[arg(long, value_name = "N")]
    flight: Option<usize>,
    /// Contact file; it wins over what is found
    #[arg(long, value_name = "FILE.toml")]
    contacts: Option<PathBuf>,
    /// Write what comes nearest where goals cannot be met
    #[arg(long)]
    best: bool,
    /// Write forces and torques over time
    #[arg(long, value_name = "FILE.csv")]
    forces: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TwistEnd {
    /// Feet land turned
    Landing,
    /// Feet take off turned the other way
    Takeoff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Leg {
    /// The left one
    Left,
    /// The right one
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Hands {
    /// The left one
    Left,
    /// The right one
    Right,
    /// Both
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DynamicsWord {
    /// The six of the root
    Reduced,
    /// All of them
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ObjectiveWord {
    /// The change from the performance
    Adaptation,
    /// How much torques bend over time
    TorqueSmoothness,
    /// Torques
    Torque,
    /// How much joints accelerate
    KinematicSmoothness,
    /// What joints spend
    Power,
    /// How far masses are from where they were
    MassDisplacement,
}

impl AdaptArgs {
    /// Adapts the motion.
    pub fn run(&self, print: Printing) -> Outcome {
        // The goals themselves go into the record, so that a receipt needs no other file.
        let mut goals = match self.goals.as_deref().map(read_goals).transpose() {
            Ok(goals) => goals.unwrap_or_default(),
            Err(error) => {
                say_error(&error.to_string());
                return Outcome::BadInput;
            }
        };
        self.add_to(&mut goals);
        if goals.is_empty() {
            say_error(
                "say what should change: --jump-length, --twist, --carry …, or --goals FILE.toml; aplomb adapt --help has examples",
            );
            return Outcome::WrongUsage;
        }
        if let Err(error) = goals.check() {
            say_error(&error.to_string());
            return Outcome::BadInput;
        }
        let edit = AdaptEdit { goals, goals_file: None, contacts: self.contacts.clone(), best: self.best };
        self.common.make_with_forces(&self.clip, vec![Edit::Adapt(Box::new(edit))], self.forces.as_deref(), print)
    }

    fn add_to(&self, goals: &mut Goals) {
        let set = |own: &mut Option<f64>, given: Option<f64>| *own = given.or(*own);
        set(&mut goals.jump_length_m, self.jump_length);
        set(&mut goals.jump_height, self.jump_height);
        set(&mut goals.flight_time, self.flight_time);
        set(&mut goals.landing_load_bw, self.landing_load);
        set(&mut goals.friction, self.friction);
        goals.flight = self.flight.or(goals.flight);
        let at = match self.twist_at {
            TwistEnd::Landing => TwistAt::Landing,
            TwistEnd::Takeoff => TwistAt::Takeoff,
        };
        goals.twist = self.twist.map(|deg| Twist { deg, at }).or(goals.twist);
        if let Some(apart_m) = self.stagger {
            let side = |side: WhichSide, forward_m: f64| Footprints {
                stage: Stage::All,
                side,
                forward_m,
                ..Footprints::default()
            };
            goals.footprints.push(side(WhichSide::Left, 0.5 * apart_m));
            goals.footprints.push(side(WhichSide::Right, -0.5 * apart_m));
        }
        goals.carry.extend(self.carry.iter().cloned());
        goals.scale.extend(self.scale.iter().cloned());
        goals.torque.extend(self.torque.iter().cloned());
        goals.hurdle = self.hurdle.map(|height_m| Hurdle { height_m, flight_time: None }).or(goals.hurdle);
        goals.grab = match self.grab {
            None => goals.grab,
            Some(hands) => {
                let hands = match hands {
                    Hands::Left => WhichSide::Left,
                    Hands::Right => WhichSide::Right,
                    Hands::Both => WhichSide::Both,
                };
                Some(Grab { hands, ..goals.grab.unwrap_or_default() })
            }
        };
        goals.dynamics = match self.dynamics {
            None => goals.dynamics,
            Some(DynamicsWord::Reduced) => Some(Dynamics::Reduced),
            Some(DynamicsWord::Full) => Some(Dynamics::Full),
        };
        goals.objective = match self.objective {
            None => goals.objective,
            Some(ObjectiveWord::Adaptation) => Some(Objective::Adaptation),
            Some(ObjectiveWord::TorqueSmoothness) => Some(Objective::TorqueSmoothness),
            Some(ObjectiveWord::Torque) => Some(Objective::Torque),
            Some(ObjectiveWord::KinematicSmoothness) => Some(Objective::KinematicSmoothness),
            Some(ObjectiveWord::Power) => Some(Objective::Power),
            Some(ObjectiveWord::MassDisplacement) => Some(Objective::MassDisplacement),
        };
        goals.hop = self
            .hop
            .map(|leg| Hop {
                on: if leg == Leg::Left { WhichSide::Left } else { WhichSide::Right },
                other_knee_deg: Hop::KNEE_DEG,
            })
            .or(goals.hop);
    }
}

/// `1.3x` or `1.3`.
fn times(text: &str) -> Result<f64, String> {
    number(text.strip_suffix('x').unwrap_or(text))
}

/// A part of the body and what is said of it.
fn named<'a>(text: &'a str, what: &str) -> Result<(String, &'a str), String> {
    let (part, value) = text.split_once('=').ok_or_else(|| format!("expected PART={what}, found {text:?}"))?;
    Ok((part.trim().to_owned(), value.trim()))
}

fn weight(text: &str) -> Result<Carry, String> {
    let (part, value) = named(text, "KG")?;
    Ok(Carry { part, mass_kg: number(value.strip_suffix("kg").unwrap_or(value).trim())? })
}

fn scale(text: &str) -> Result<Scale, String> {
    let (part, value) = named(text, "TIMES")?;
    Ok(Scale { part, factor: times(value)? })
}

fn torque(text: &str) -> Result<Torque, String> {
    let (part, value) = named(text, "NM")?;
    match value.strip_suffix('%') {
        Some(percent) => Ok(Torque { part, most_nm: None, share_of_peak: Some(number(percent)? / 100.0) }),
        None => Ok(Torque { part, most_nm: Some(number(value)?), share_of_peak: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_units_are_read() {
        assert_eq!(times("1.3x"), Ok(1.3));
        assert_eq!(weight("right_hand=8kg"), Ok(Carry { part: "right_hand".to_owned(), mass_kg: 8.0 }));
        assert_eq!(torque("right_foot=25%").unwrap().share_of_peak, Some(0.25));
        assert_eq!(torque("right_foot=40").unwrap().most_nm, Some(40.0));
        assert!(scale("left_thigh").unwrap_err().contains("PART=TIMES"));
        assert!(weight("hand=heavy").is_err());
    }
}
