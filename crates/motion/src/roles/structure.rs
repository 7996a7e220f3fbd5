//! Roles from structure alone.

use super::Draft;
use super::geometry::Poses;
use super::names::Word;
use crate::skeleton::Skeleton;

/// Fills what names left open.
pub(super) fn fill(_skeleton: &Skeleton, _words: &[Word], _poses: &Poses, _draft: &mut Draft) {}
