//! Adaptation of ballistic motion with full dynamics (Sulejmanpašić & Popović 2005, "Adaptation of Performed Ballistic Motion").
//!
//! A clip is fitted once to the equations of motion ([`Initialised`], equation 8): cubic splines for all coordinates, forces of heels, balls and
//! toes at the knots, and the six rows of the root at every knot. Then [`Goals`] change its footprints, flights, masses, lengths or torques, and
//! a few minimum-norm steps (equations 4 and 5) make a motion that meets them, obeys dynamics and stays near the performance: a longer jump
//! crouches deeper because nothing else could make it.
//!
//! docs/algorithms/adapt.md has the equations, what was changed from the paper, and what was measured.

mod adaptation;
mod body;
mod check;
mod cleared;
mod coordinates;
mod demands;
mod events;
mod export;
mod figure;
mod goal_parts;
mod goals;
mod grab;
mod grid;
mod hurdle;
mod initialise;
mod legs;
mod limbs;
mod motion;
mod norm;
mod optimal;
mod output;
mod pins;
mod plan;
mod posed;
mod problem;
mod report;
mod rows;
mod settings;
mod solve;
mod stages;
mod stands;
mod stored;

#[cfg(test)]
mod tests;

pub use adaptation::{Adapted, Initialised, Watcher};
pub use check::{Apart, Between};
pub use cleared::Cleared;
pub use export::{DynamicState, DynamicStates, LinkData, PointLoad};
pub use figure::FORCE_WEIGHT;
pub use goal_parts::{Above, ConeGoal, ConeOf, Dynamics, Facing, Grab, Objective, Place, PosePin};
pub use goals::{Carry, Fixed, Footprints, Goals, Hop, Hurdle, Scale, Stage, Torque, Twist, TwistAt, WhichSide};
pub use output::ForceTable;
pub use report::{AdaptReport, AtPoints, Ballistics, FitReport, Optimum, Progress, TorqueOver};
