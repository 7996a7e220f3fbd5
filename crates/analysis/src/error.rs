//! Everything that can go wrong in this crate, with the way out.

use aplomb_motion::signal::SignalError;
use aplomb_motion::spline::SplineError;
use aplomb_motion::{Role, TimeError};
use aplomb_physics::PhysicsError;

/// What makes an analysis impossible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnalysisError {
    /// An option outside its range.
    #[error("option {name} must be {expected}, found {found}")]
    Option {
        /// Field of [`crate::ContactOptions`] or [`crate::InspectOptions`].
        name: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        found: f64,
    },
    /// A plane has a direction, and gravity must press onto it.
    #[error("the ground's normal must point up and have a length, found {found}")]
    GroundNormal {
        /// The vector given.
        found: glam::DVec3,
    },
    /// Two points answer to one name, or a name is empty.
    #[error("contact point {name:?} is named twice, or has no name; names of points must differ")]
    PointName {
        /// The name.
        name: String,
    },
    /// A named point moves with a joint of the skeleton.
    #[error("contact point {name:?} belongs to joint {joint}, but the skeleton has {joints} joints")]
    PointJoint {
        /// Name of the point.
        name: String,
        /// Index of the joint.
        joint: usize,
        /// How many there are.
        joints: usize,
    },
    /// The text of a side file does not parse.
    #[error("the contact file cannot be read: {detail}")]
    SideFile {
        /// The parser's words, with line and column.
        detail: String,
    },
    /// A side file of another clip.
    #[error("the contact file does not belong to this clip: {detail}")]
    OtherClip {
        /// How one can tell.
        detail: String,
    },
    /// An entry of a side file makes no sense.
    #[error("contact file, entry {entry} ({effector:?}): {problem}")]
    SideEntry {
        /// From 1.
        entry: usize,
        /// The effector it names.
        effector: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// Masses are fitted to motions that are right.
    #[error("{clip}: {warning}; correct it first, masses cannot be fitted to a wrong clock or unit")]
    WrongClock {
        /// Which reference.
        clip: String,
        /// What gravity says.
        warning: String,
    },
    /// Nothing to learn from.
    #[error("{found} reference clips were given, at least {least} are needed")]
    TooFewReferences {
        /// How many.
        found: usize,
        /// How many it takes.
        least: usize,
    },
    /// A reference without frames that stand on known contacts.
    #[error(
        "{clip}: no frame stands on known contacts with the body's weight, so it says nothing about masses; leave it out"
    )]
    NoReferenceFrames {
        /// Which reference.
        clip: String,
    },
    /// A reference whose feet no joint is.
    #[error("{clip}: no joint is recognised as {role}, so nothing of it stands; say in a roles file which it is")]
    NoFoot {
        /// Which reference.
        clip: String,
        /// The part.
        role: Role,
    },
    /// The search for masses could not be set up.
    #[error("the search for masses cannot run: {detail}")]
    MassSearch {
        /// The solver's words.
        detail: String,
    },
    /// From filters and derivatives.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// From interpolation.
    #[error(transparent)]
    Spline(#[from] SplineError),
    /// From time lines.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// From the body.
    #[error(transparent)]
    Physics(#[from] PhysicsError),
}
