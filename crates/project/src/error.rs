//! Everything that can go wrong on the walk, each with the file it went wrong in.

use crate::edit_result::Harm;
use aplomb_analysis::AnalysisError;
use aplomb_builtins::BuiltError;
use aplomb_editing::EditingError;
use aplomb_formats::FormatError;
use aplomb_motion::TimeError;
use aplomb_physics::PhysicsError;
use std::path::PathBuf;

/// Why a clip could not be loaded, judged or compared.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// Cancelled in favour of something newer.
    #[error("cancelled")]
    Cancelled,
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
    /// A body file that gives masses to a few links only.
    #[error(
        "{path}: it gives mass to {links} of about {expected} parts of this skeleton, and most of the body would weigh \
         nothing (no mass for {missing} …); is it of another skeleton?",
        path = .path.display()
    )]
    PartOfABody {
        /// The body file.
        path: PathBuf,
        /// Links it has.
        links: usize,
        /// Links that a body made of this clip has.
        expected: usize,
        /// Some of those that lack.
        missing: String,
    },
    /// A batch of clips.
    #[error("{detail}")]
    Batch {
        /// What is in the way.
        detail: String,
    },
    /// A batch that was begun before.
    #[error("{path}: this folder holds a batch already", path = .path.display())]
    BatchThere {
        /// Its journal.
        path: PathBuf,
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
    /// Gravity proves the header wrong, and no rate was chosen.
    #[error(
        "{path}: this falls at {gravities:.1} g: captured at {true_hz} fps, {stated} {header_hz}",
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
        "{before} and {after}: the two clips have different skeletons ({detail})",
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
    /// Masses are those of one body.
    #[error(
        "{first} and {other}: the clips have different skeletons ({detail}); masses are fitted to motions of one body",
        first = .first.display(),
        other = .other.display()
    )]
    OtherSkeleton {
        /// The first clip.
        first: PathBuf,
        /// The other.
        other: PathBuf,
        /// The first difference.
        detail: String,
    },
    /// Masses could not be fitted; its message names the clip.
    #[error(transparent)]
    Masses {
        /// Why.
        source: AnalysisError,
    },
    /// A project file that makes no sense.
    #[error("{path}: {detail}", path = .path.display())]
    ProjectFile {
        /// The project file.
        path: PathBuf,
        /// What is wrong, with line and column where the parser knows them.
        detail: String,
    },
    /// The rate that a project file gives.
    #[error("{path}: fps: {source}", path = .path.display())]
    FileRate {
        /// The clip.
        path: PathBuf,
        /// What is wrong with it.
        source: TimeError,
    },
    /// Where a project wants its result.
    #[error(
        "{path}: output.file = {file:?} leads out of the project's folder; give a name below it",
        path = .path.display(),
        file = .file.display().to_string()
    )]
    OutputOutside {
        /// The clip.
        path: PathBuf,
        /// As the project says.
        file: PathBuf,
    },
    /// JSON that is no receipt of an edit.
    #[error("{path}: expected a receipt of an edit with its project, found other JSON", path = .path.display())]
    NoReceipt {
        /// The file.
        path: PathBuf,
    },
    /// A receipt says of what its result was made.
    #[error(
        "{path}: it has changed since the receipt was made (sha256 {then} then, {now} now), so the same motion cannot \
         come of it",
        path = .path.display()
    )]
    ChangedInput {
        /// The file.
        path: PathBuf,
        /// By the receipt.
        then: String,
        /// As it is.
        now: String,
    },
    /// There are only so many built-in clips.
    #[error("{path}: {source}", path = .path.display())]
    BuiltIn {
        /// As it was given.
        path: PathBuf,
        /// Why.
        source: Box<BuiltError>,
    },
    /// A step list of touch-up.
    #[error("{path}: {source}", path = .path.display())]
    StepFile {
        /// The step list.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<EditingError>,
    },
    /// An edit could not be made; nothing was written.
    #[error("{path}: {which}: {source}", path = .path.display(), which = which_edit(*.edit, .verb))]
    Edit {
        /// The clip.
        path: PathBuf,
        /// From 1; absent where there is only one.
        edit: Option<usize>,
        /// Which verb.
        verb: &'static str,
        /// Why.
        source: Box<EditingError>,
    },
    /// Nothing of it is judged, so nothing of it can be mended.
    #[error(
        "{path}: touch-up needs ground under the feet, and physics judges {frames} of {all} frames of this motion: it \
         is all flight, or something carries the body that is not modelled (a seat, a bar, a partner); give more of \
         the clip",
        path = .path.display()
    )]
    NotJudged {
        /// The clip.
        path: PathBuf,
        /// Frames that are judged.
        frames: usize,
        /// Frames there are.
        all: usize,
    },
    /// A result that is worse than what came in, and that no person accepted.
    #[error("{}: the edits made the motion worse, so it is not written", path.display())]
    Harmed {
        /// What would have been written.
        path: PathBuf,
        /// What is worse.
        harm: Box<Harm>,
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

/// What can be done about a failure, for programs that offer it. The words of a message are for people alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remedy {
    /// Choose the rate: the header's, or the one that gravity shows.
    ChooseRate,
    /// Put all clips on the bones of the first.
    FirstSkeleton,
    /// Ask for less, or go on where no person could.
    Superhuman,
}

impl ProjectError {
    /// Stable, for programs; `None` for errors that have none.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Format(FormatError::Invalid { diagnostic, .. }) => Some(diagnostic.code),
            Self::Edit { source, .. } if matches!(**source, EditingError::BeyondPeople(_)) => Some("HUM-E001"),
            _ => None,
        }
    }

    /// What can be done about it, where a program can offer it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::RateInDoubt { .. } => Some(Remedy::ChooseRate),
            Self::Edit { source, .. } => match &**source {
                EditingError::WrongRate { .. } => Some(Remedy::ChooseRate),
                EditingError::OtherBones { .. } => Some(Remedy::FirstSkeleton),
                EditingError::BeyondPeople(_) => Some(Remedy::Superhuman),
                EditingError::InClip { source, .. } if matches!(**source, EditingError::OtherBones { .. }) => {
                    Some(Remedy::FirstSkeleton)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn which_edit(edit: Option<usize>, verb: &str) -> String {
    edit.map_or_else(|| verb.to_owned(), |edit| format!("edit {edit} ({verb})"))
}
