//! The edit stack: verbs as data, project files, and their replay.

mod adapt;
mod adapt_figures;
mod advance;
mod blend;
mod choices;
mod curve;
mod curve_figure;
mod file;
mod fit_cache;
mod judge;
mod live;
mod make;
mod orientations;
mod path;
mod path_record;
mod path_span;
mod physical;
mod pops;
mod prefix;
mod reader;
mod record;
mod run;
mod space_file;
mod track;
mod track_figures;
mod words;
mod work;

pub use adapt::{AdaptEdit, AdaptRecord, forces_csv, read_goals};
pub use advance::Advance;
pub use blend::{BlendEdit, BlendFamily, BlendRecord, ParameterRecord, PressureRecord};
pub use choices::{BodyChoice, BvhPosition, Fps, FpsWord, InputChoice, ReadMode, RepairNan, UpAxis};
pub use file::{OutputChoice, Project, SCHEMA, is_below};
pub use live::{LivePath, live_path};
pub use path::{Follow, FollowCurve, PathChange, PathEdit, read_path_edit};
pub use path_record::{HandleList, HandleRecord, ListedFlight, ListedHandle, PathRecord, SegmentRecord, list_handles};
pub use physical::{
    LayerRecord, PlantEdit, PlantRecord, Slope, TOUCHUP_EASE_SECS, TouchupEdit, TouchupRecord, read_steps,
};
pub use prefix::PrefixCache;
pub use record::{ArcEdit, CutEdit, Edit, Edited, JoinEdit, SpeedEdit, TransitionEdit};
pub use run::{InputFile, Outcome, Provenance, RunRequest, Stage, StepRecord, blend_family, run, run_cached};
pub use space_file::SpaceFile;
pub use track::{
    AutoWord, DampingChoice, OtherRecord, PaperWord, Partner, ReachEdit, StiffnessChoice, TrackEdit, TrackRecord,
    read_character, read_scene,
};

#[cfg(test)]
mod tests;

pub use curve_figure::CurveFigure;
