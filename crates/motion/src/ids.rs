//! Indices that cannot be mixed up: a joint is not a frame, and a frame is not a time.

use serde::{Deserialize, Serialize};

/// A joint of one skeleton; parents have smaller ids than their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JointId(u32);

impl JointId {
    /// The joint at `index` in its skeleton's order. Skeletons hold at most `u32::MAX` joints (the builder checks).
    pub const fn new(index: usize) -> Self {
        debug_assert!(index <= u32::MAX as usize);
        Self(index as u32)
    }

    /// Position in the skeleton's order.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for JointId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "joint {}", self.0)
    }
}

/// A sample of one clip, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FrameIndex(pub usize);

impl std::fmt::Display for FrameIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "frame {}", self.0)
    }
}
