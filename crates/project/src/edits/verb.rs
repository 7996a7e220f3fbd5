//! The one shape of a verb: a take and a context go in, a new motion with its record comes out.

use super::advance::Advance;
use crate::error::ProjectError;
use crate::inspect::checked_contacts;
use aplomb_analysis::contacts::ContactFile;
use aplomb_analysis::{AnalysisError, Ground, Take};
use aplomb_editing::EditingError;
use aplomb_editing::finding::Finding;
use aplomb_editing::solver_status::SolverStatus;
use aplomb_motion::edit::EditError;
use aplomb_motion::{Clip, ClipError};
use aplomb_physics::{Body, PhysicsError};
use std::path::{Path, PathBuf};

/// A verb with its parameters.
pub(crate) trait Verb {
    /// What receipts keep of it; `()` for verbs that only move frames.
    type Record;

    /// The new motion; the take stays as it is.
    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<Self::Record>, VerbError>;
}

/// What a verb made.
pub(crate) struct Made<R> {
    pub clip: Clip,
    /// How it went, for receipts.
    pub record: R,
    /// What people should know, in order.
    pub findings: Vec<Finding>,
    /// Whether what was asked for was reached.
    pub status: SolverStatus,
    /// The body, where the verb gave the motion to another one.
    pub body: Option<Body>,
    /// The ground, where the verb tilted it.
    pub ground: Option<Ground>,
    /// Other motions that went into it, which the result is judged beside.
    pub others: Vec<Take>,
}

impl<R> Made<R> {
    /// A motion with its record, and nothing else to say about it.
    pub fn new(clip: Clip, record: R) -> Self {
        let (findings, others) = (Vec::new(), Vec::new());
        Self { clip, record, findings, status: SolverStatus::Met, body: None, ground: None, others }
    }

    /// The same with something that the verb decided by itself.
    pub fn noting(mut self, finding: Finding) -> Self {
        self.findings.push(finding);
        self
    }

    /// The same with another record.
    pub fn map<S>(self, into: impl FnOnce(R) -> S) -> Made<S> {
        let Self { clip, record, findings, status, body, ground, others } = self;
        Made { clip, record: into(record), findings, status, body, ground, others }
    }
}

/// Where verbs find the other motions and side files that they name.
pub(crate) trait Sources {
    /// Another motion, with what is known of it. Named like the edited one's skeleton it gets the same body.
    fn take(&mut self, name: &Path, beside: &Take) -> Result<Take, ProjectError>;
    /// The text of a side file.
    fn text(&mut self, name: &Path) -> Result<String, ProjectError>;
    /// Where it is, for messages.
    fn place(&self, name: &Path) -> PathBuf;
}

/// What a verb has besides its motion: other motions and files, progress, and a place to keep what takes long to find.
pub(crate) struct Context<'a> {
    pub sources: &'a mut dyn Sources,
    /// Called while something long is under way; by answering `false` it is stopped, where it can be.
    pub advance: &'a dyn Fn(&Advance<'_>) -> bool,
    /// The user's cache folder.
    pub cache: Option<&'a Path>,
    /// Moments worth a line in figures.
    pub marks: Vec<(f64, String)>,
    /// An edit before this one made other poses: the motion is no capture any more.
    pub was_edited: bool,
}

impl Context<'_> {
    /// The motions of a list.
    pub fn takes(&mut self, names: &[&Path], beside: &Take) -> Result<Vec<Take>, ProjectError> {
        names.iter().map(|name| self.sources.take(name, beside)).collect()
    }

    /// A contact file of the motion in hand.
    pub fn contacts(&mut self, name: &Path, clip: &Clip) -> Result<ContactFile, ProjectError> {
        let path = self.sources.place(name);
        let fail = |source| ProjectError::Contacts { path: path.clone(), source };
        // A file that is named is meant for this clip; what binds it to another one does not count.
        let file = ContactFile::from_toml(&self.sources.text(name)?).map_err(fail)?;
        checked_contacts(ContactFile { carried: None, ..file }, &path, clip)
    }

    /// The error of a file that was read and makes no sense.
    pub fn bad_file(&self, name: &Path, detail: impl ToString) -> ProjectError {
        ProjectError::ProjectFile { path: self.sources.place(name), detail: detail.to_string() }
    }
}

/// Why a verb failed; the composer adds the clip, the edit and the verb.
#[derive(Debug)]
pub(crate) enum VerbError {
    /// The edit itself.
    Editing(Box<EditingError>),
    /// Contacts, flights or forces of the motion.
    Analysis(AnalysisError),
    /// The motion has no body.
    Body(PhysicsError),
    /// Another motion than the edited one is to blame.
    Elsewhere { place: PathBuf, source: Box<EditingError> },
    /// A file that the edit names, or something that has its place in the message already.
    Project(ProjectError),
}

impl From<EditingError> for VerbError {
    fn from(error: EditingError) -> Self {
        match error {
            EditingError::Cancelled => Self::Project(ProjectError::Cancelled),
            error => Self::Editing(Box::new(error)),
        }
    }
}

impl From<AnalysisError> for VerbError {
    fn from(error: AnalysisError) -> Self {
        Self::Analysis(error)
    }
}

impl From<PhysicsError> for VerbError {
    fn from(error: PhysicsError) -> Self {
        Self::Body(error)
    }
}

impl From<ProjectError> for VerbError {
    fn from(error: ProjectError) -> Self {
        Self::Project(error)
    }
}

impl From<EditError> for VerbError {
    fn from(error: EditError) -> Self {
        EditingError::from(error).into()
    }
}

impl From<ClipError> for VerbError {
    fn from(error: ClipError) -> Self {
        EditingError::from(error).into()
    }
}

/// An error of another motion than the edited one, with its place.
pub(crate) fn blamed_on(place: PathBuf, source: EditingError) -> VerbError {
    VerbError::Elsewhere { place, source: Box::new(source) }
}
