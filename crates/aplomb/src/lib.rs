//! Edit captured human motion and keep it physically right.
//!
//! Load a motion, edit it, look at the receipt, save it:
//!
//! ```
//! use aplomb::edits::{ArcEdit, TouchupEdit};
//! use aplomb::{Edit, Motion, Side};
//!
//! # fn main() -> Result<(), aplomb::Error> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let out = folder.path().join("bent.bvh");
//! let walk = Motion::load("builtin:walk")?;
//! let bent = walk.edit(Edit::Arc(ArcEdit::new(2.0, Side::Left)))?.edit(Edit::Touchup(TouchupEdit::default()))?;
//! println!("{:?}", bent.receipt().changes);
//! bent.save(out)?;
//! # Ok(())
//! # }
//! ```
//!
//! - [`Motion`] is all that most programs need. `builtin:walk` and its like are motions that need no file.
//! - [`Edit`] is a verb with its parameters as data; [`edits`] has the parameters. `examples/` has one program a verb.
//! - [`EditReceipt`] says what was done to which bytes, and what it changed; it serialises to JSON.
//! - [`Project`] is a clip and its edits as text; [`run`] replays one, with progress and a way to stop.
//! - [`Take`] is a motion and what is known of it: body, ground, contacts, the physics report.
//! - [`Publication`] is how motions are saved: whole or not at all, with what their format cannot hold beside them.
//! - [`Error`] says what went wrong in which file, and what to do.
//!
//! Inside, everything is in metres, seconds and radians, with Y up. Readers and writers convert.
//!
//! # Features
//!
//! - `fbx` (default): FBX is read. It compiles a C file along.
//! - `pages`: `Motion::receipt_page`, the receipt as a page for people. It brings a renderer of pictures.

pub mod edits;
mod motion;

/// The program of the README, so that it compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

pub use motion::Motion;

// A motion: joints, their rotations and places, and times.
pub use aplomb_motion::{
    Clip, ClipError, FrameIndex, FrameTime, Joint, JointId, Role, Roles, Side, Skeleton, SkeletonBuilder,
    SkeletonError, Timeline, TranslationTrack, WorldPose,
};
/// Vectors and quaternions of clips.
pub use glam;

// What is known of a motion.
pub use aplomb_analysis::{ContactAnalysis, Ground, Inspection, Take};
pub use aplomb_physics::{Body, BodyOptions};

// Files.
pub use aplomb_formats::{Diagnostic, Import, ReadOptions, WriteOptions};
pub use aplomb_project::publish::Publication;
pub use aplomb_project::{RateChoice, load, load_for_edit};

// Edits and what came of them.
pub use aplomb_editing::solver_status::SolverStatus;
pub use aplomb_project::edit::{Advance, MemoryClip, StepRecord, VerbRecord};
pub use aplomb_project::receipt::{Change, Measure};
pub use aplomb_project::{ClipReport, Edit, EditReceipt, Outcome, Project, RunRequest, run};

/// Why a motion could not be read, edited, judged or saved.
pub use aplomb_project::ProjectError as Error;
