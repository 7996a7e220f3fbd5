//! What a motion does to the world: where and when it touches the ground, when it flies, and whether gravity agrees with its clock.
//!
//! The rules are those of `docs/analysis/contacts.md`. Everything is metres, seconds, kilograms and radians, Y up, `f64`. No files are
//! known here; side files are text in, text out.

mod checks;
pub mod contacts;
pub mod error;
pub mod ground;
pub mod masses;
pub mod parabola;
pub mod report;
pub mod score;
pub mod support;
pub mod take;

pub use checks::joint_jumps;
pub use contacts::{ContactAnalysis, ContactOptions, RateSource};
pub use error::AnalysisError;
pub use ground::Ground;
pub use report::{InspectOptions, Inspection};
pub use take::{Keeps, Take};
