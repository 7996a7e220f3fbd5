//! What the analysis looks at.

use super::{ContactFile, ContactOptions};
use aplomb_motion::{Clip, Roles};
use aplomb_physics::Body;

/// A motion, whose it is, and what is said about its contacts: a [`crate::Take`] whose body is known.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub clip: &'a Clip,
    pub roles: &'a Roles,
    pub body: &'a Body,
    /// Contacts that are stated win over what would be found.
    pub stated: Option<&'a ContactFile>,
    pub options: &'a ContactOptions,
}

/// Contacts, and the paths they were found on.
#[derive(Debug)]
pub(crate) struct Seen {
    pub contacts: super::ContactAnalysis,
    pub traces: super::Traces,
}
