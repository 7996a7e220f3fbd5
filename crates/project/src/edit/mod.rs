//! The edit stack: verbs as data, project files, and their replay.

mod file;
mod record;
mod run;

pub use file::{Project, SCHEMA};
pub use record::{ArcEdit, CutEdit, Edit, Edited, JoinEdit, SpeedEdit, TransitionEdit};
pub use run::{Outcome, Provenance, Step, run};

#[cfg(test)]
mod tests;
