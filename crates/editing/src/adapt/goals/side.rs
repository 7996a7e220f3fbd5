//! Which side of the body is meant, and how arms reach.

use serde::{Deserialize, Serialize};

/// Left, right or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhichSide {
    /// Of the body.
    Left,
    /// Of the body.
    Right,
    /// Both.
    #[default]
    Both,
}

impl WhichSide {
    /// Whether it means the left (0) or the right (1) side.
    pub(in crate::adapt) fn has(self, side: usize) -> bool {
        match self {
            Self::Both => true,
            Self::Left => side == 0,
            Self::Right => side == 1,
        }
    }
}

/// How arms go from where they are in the clip to where they hold on. Which of them passes no trunk and no head depends
/// on where hands come from: the one from which less is left to mend is taken, and followed by the other if it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaching {
    /// Every joint by the shortest turn.
    Shortest,
    /// Every angle of every joint on its own.
    ByAngles,
}

impl Reaching {
    pub const ALL: [Self; 2] = [Self::Shortest, Self::ByAngles];
}
