//! What a motion does to the world: where and when it touches the ground, when it flies, and whether gravity agrees
//! with its clock.
//!
//! The rules are those of `docs/analysis/contacts.md`. Everything is metres, seconds, kilograms and radians, Y up,
//! `f64`. No files are known here; side files are text in, text out.

mod anatomy;
pub mod contacts;
pub mod error;
pub mod fidelity;
pub mod ground;
pub mod masses;
mod median;
pub mod parabola;
mod posed;
pub mod report;
pub mod support;
pub mod take;

pub use contacts::{ContactAnalysis, ContactOptions, RateSource};
pub use error::AnalysisError;
pub use ground::Ground;
pub use report::{InspectOptions, Inspection, joint_jumps, score};
pub use take::{Keeps, Take};
