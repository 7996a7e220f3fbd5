//! The edit stack: verbs as data, project files, and their replay.

mod adapt;
mod adapt_figures;
mod advance;
mod blend;
mod choices;
mod curve;
mod curve_figure;
mod describe;
mod edit;
mod file;
mod fit_cache;
mod joints;
mod kinematic;
mod orientations;
mod path;
mod path_drag;
mod path_record;
mod path_span;
mod plant;
mod pops;
mod provenance;
mod slope;
mod space_file;
pub(crate) mod step;
mod touchup;
mod track;
mod track_figures;
pub(crate) mod verb;

pub use crate::files::{MemoryClip, Outcome, RunRequest, blend_family, run, run_cached};
pub use crate::prefix::PrefixCache;
pub use adapt::{AdaptEdit, AdaptRecord, forces_csv, read_goals};
pub use advance::Advance;
pub use blend::{BlendEdit, BlendFamily, BlendRecord, ParameterRecord, PressureRecord};
pub use choices::{BodyChoice, BvhPosition, Fps, FpsWord, InputChoice, ReadMode, RepairNan, UpAxis};
pub use edit::Edit;
pub use file::{OutputChoice, Project, SCHEMA, is_below};
pub use kinematic::{ArcEdit, CutEdit, JoinEdit, SpeedEdit, TransitionEdit};
pub use path::{Follow, FollowCurve, PathChange, PathEdit, read_path_edit};
pub use path_drag::{LivePath, live_path};
pub use path_record::{HandleList, HandleRecord, ListedFlight, ListedHandle, PathRecord, SegmentRecord, list_handles};
pub use plant::{PlantEdit, PlantRecord};
pub use provenance::{InputFile, Provenance};
pub use slope::Slope;
pub use space_file::SpaceFile;
pub use step::{Stage, StepRecord, VerbRecord};
pub use touchup::{LayerRecord, TOUCHUP_EASE_SECS, TouchupEdit, TouchupRecord, read_steps};
pub use track::{
    AutoWord, DampingChoice, OtherRecord, PaperWord, Partner, ReachEdit, StiffnessChoice, TrackEdit, TrackRecord,
    read_character, read_scene,
};

#[cfg(test)]
mod tests;

pub use curve_figure::CurveFigure;
