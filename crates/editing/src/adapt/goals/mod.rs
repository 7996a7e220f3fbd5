//! What can be asked: one file a goal, with what people write, its check, its start, its rows and its measure.
//!
//! A new goal is a file with a type that is a [`Goal`], a field in [`Goals`], and a line in [`Goals::asked`].

mod above;
mod carry;
mod cone;
mod dynamics;
mod facing;
mod fixed;
mod footprints;
mod goal;
#[expect(clippy::module_inception, reason = "the room is about it")]
mod goals;
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
pub use footprints::{Footprints, Stage};
pub use goal::{Done, Goal, LastStep, Preparation, Step};
pub use goals::Goals;
pub use grab::Grab;
pub use hop::Hop;
pub use hurdle::Hurdle;
pub use place::Place;
pub use pose::PosePin;
pub use scale::{Scale, root_lift_m};
pub use side::{Reaching, WhichSide};
pub use torque::Torque;
pub use twist::{Twist, TwistAt};
