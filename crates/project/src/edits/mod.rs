//! Verbs as data, one file a verb, and the project files that hold them.

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
mod input_file;
mod joints;
mod kinematic;
mod orientations;
pub(crate) mod path;
mod path_people;
pub(crate) mod path_record;
mod path_span;
mod plant;
mod pops;
mod provenance;
mod reach;
mod slope;
mod space_file;
pub(crate) mod step;
mod touchup;
mod track;
mod track_figures;
pub(crate) mod verb;

pub use adapt::{AdaptEdit, AdaptRecord, forces_csv, read_goals};
pub use advance::Advance;
pub use blend::{BlendEdit, BlendFamily, BlendRecord, ParameterRecord, PressureRecord};
pub use choices::{BodyChoice, BvhPosition, Fps, FpsWord, InputChoice, ReadMode, RepairNan, UpAxis};
pub use edit::Edit;
pub use file::{OutputChoice, Project, SCHEMA, is_below};
pub use input_file::InputFile;
pub use kinematic::{ArcEdit, CutEdit, JoinEdit, SpeedEdit, TransitionEdit};
pub use path::{Follow, FollowCurve, PathChange, PathEdit, read_path_edit};
pub use path_record::{HandleRecord, PathRecord, SegmentRecord};
pub use plant::{PlantEdit, PlantRecord};
pub use provenance::Provenance;
pub use reach::ReachEdit;
pub use slope::Slope;
pub use space_file::SpaceFile;
pub use step::{MotionFigures, StepRecord, VerbRecord};
pub use touchup::{LayerRecord, TOUCHUP_EASE_SECS, TouchupEdit, TouchupRecord, read_steps};
pub use track::{
    AutoWord, DampingChoice, OtherRecord, PaperWord, Partner, StiffnessChoice, TrackEdit, TrackRecord, read_character,
    read_scene,
};

pub use curve_figure::CurveFigure;
