//! The edit stack: verbs as data, project files, and their replay.

mod choices;
mod curve;
mod file;
mod path;
mod path_record;
mod physical;
mod record;
mod run;
mod words;
mod work;

pub use choices::{BodyChoice, BvhPosition, Fps, FpsWord, InputChoice, ReadMode, RepairNan, UpAxis};
pub use file::{Project, SCHEMA};
pub use path::{Follow, FollowCurve, PathChange, PathEdit, read_path_edit};
pub use path_record::{HandleList, HandleRecord, ListedFlight, ListedHandle, PathRecord, SegmentRecord, list_handles};
pub use physical::{
    LayerRecord, PlantEdit, PlantRecord, Slope, TOUCHUP_EASE_SECS, TouchupEdit, TouchupRecord, read_steps,
};
pub use record::{ArcEdit, CutEdit, Edit, Edited, JoinEdit, SpeedEdit, TransitionEdit};
pub use run::{InputFile, Outcome, Provenance, RunRequest, Stage, StepRecord, run};

#[cfg(test)]
mod tests;
