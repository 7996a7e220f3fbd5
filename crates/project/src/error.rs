//! Everything that can go wrong on the walk, each with the file it went wrong in.

use aplomb_analysis::AnalysisError;
use aplomb_editing::EditingError;
use aplomb_formats::FormatError;
use aplomb_physics::PhysicsError;
use std::path::PathBuf;

/// Why a clip could not be loaded, judged or compared.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// A motion file could not be read or written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A body file, or the body of a clip.
    #[error("{path}: {source}", path = .path.display())]
    Body {
        /// The body file, or the clip the body was to be made from.
        path: PathBuf,
        /// What is wrong with it.
        source: PhysicsError,
    },
    /// A contact file.
    #[error("{path}: {source}", path = .path.display())]
    Contacts {
        /// The contact file.
        path: PathBuf,
        /// What is wrong with it.
        source: AnalysisError,
    },
    /// The analysis of a clip.
    #[error("{path}: {source}", path = .path.display())]
    Analysis {
        /// The clip.
        path: PathBuf,
        /// What is wrong with it.
        source: AnalysisError,
    },
    /// A side file is text.
    #[error("{path}: expected TOML text in UTF-8, found other bytes at byte {valid_bytes}", path = .path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// Good bytes before the first bad one.
        valid_bytes: usize,
    },
    /// A named point moves with a joint.
    #[error("{path}: point {point:?} names joint {joint:?}, which this skeleton does not have; its joints are {known}", path = .path.display())]
    PointJoint {
        /// The clip.
        path: PathBuf,
        /// Name of the point.
        point: String,
        /// Name of the joint.
        joint: String,
        /// Joints there are.
        known: String,
    },
    /// Gravity proves the header wrong, and nobody said what to do about it.
    #[error(
        "{path}: this falls at {gravities:.1} g: captured at {true_hz} fps, {stated} {header_hz}; \
         give --fps auto to correct the rate, or --fps {header_hz} to keep it",
        path = .path.display()
    )]
    RateInDoubt {
        /// The clip.
        path: PathBuf,
        /// How fast it falls by its header.
        gravities: f64,
        /// `header says`, or `assumed` where the file states none.
        stated: &'static str,
        /// By the header.
        header_hz: f64,
        /// By gravity.
        true_hz: f64,
    },
    /// A receipt is of two versions of one clip.
    #[error(
        "{before} and {after}: the two clips have different skeletons ({detail}); --compare takes two versions of one clip",
        before = .before.display(),
        after = .after.display()
    )]
    DifferentSkeletons {
        /// The first clip.
        before: PathBuf,
        /// The second.
        after: PathBuf,
        /// The first difference.
        detail: String,
    },
    /// A project file that makes no sense.
    #[error("{path}: {detail}", path = .path.display())]
    ProjectFile {
        /// The project file.
        path: PathBuf,
        /// What is wrong, with line and column where the parser knows them.
        detail: String,
    },
    /// An edit of a project could not be made; nothing was written.
    #[error("edit {edit} ({verb}): {source}")]
    Edit {
        /// From 1.
        edit: usize,
        /// Which verb.
        verb: &'static str,
        /// Why.
        source: Box<EditingError>,
    },
    /// Arrays and tables are written in memory first.
    #[error("cannot make the {what}: {detail}")]
    Table {
        /// Which table.
        what: &'static str,
        /// The library's words.
        detail: String,
    },
}
