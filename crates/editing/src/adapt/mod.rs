//! Adaptation of ballistic motion with full dynamics (Sulejmanpašić & Popović 2005, "Adaptation of Performed Ballistic
//! Motion").
//!
//! A clip is fitted once to the equations of motion ([`Initialised`], equation 8): cubic splines for all coordinates,
//! forces of heels, balls and toes at the knots, and the six rows of the root at every knot. Then [`Goals`] change its
//! footprints, flights, masses, lengths or torques, and a few minimum-norm steps (equations 4 and 5) make a motion that
//! meets them, obeys dynamics and stays near the performance: a longer jump crouches deeper because nothing else could
//! make it.
//!
//! Rooms, each of which knows only those before it: `subject` (the person), `problem` (what a motion is held to),
//! `start` (where a solve begins), `solve`, `result` (what came out), `goals` (what can be asked), `people` (whether
//! a person could). `fit` and `adaptation` walk through them.
//!
//! docs/algorithms/adapt.md has the equations, what was changed from the paper, and what was measured.

mod adaptation;
mod fit;
mod goals;
mod people;
mod problem;
mod result;
mod solve;
mod start;
mod subject;

#[cfg(test)]
mod tests;

pub use adaptation::Adapted;
pub use fit::Initialised;
pub use goals::{
    Above, Carry, ConeGoal, ConeOf, Dynamics, Facing, Fixed, Footprints, Goals, Grab, Hop, Hurdle, PlaceGoal, PosePin,
    Scale, Torque, Twist, TwistAt, WhichSide, WhichStage,
};
pub use people::beyond_people;
pub use problem::{Between, TorqueOver};
pub use result::{
    AdaptReport, Apart, AtPoints, Ballistics, Cleared, DynamicState, DynamicStates, FitReport, ForceTable, LinkData,
    PointLoad, Progress,
};
pub use solve::{Objective, Optimum, SolveStatus};
pub use subject::{FORCE_WEIGHT, Subject, contacts_of};
