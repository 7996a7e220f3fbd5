//! Edits of motion, one module a verb, and what the verbs share.
//!
//! Shared so far: [`limb_ik`], the project's only inverse kinematics.

pub mod limb_ik;

use aplomb_motion::{LimbKind, Side};

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditingError {
    /// A limb is three joints, each below the one before.
    #[error("{end:?} is not below {middle:?}, or {middle:?} not below {root:?}: a limb is one chain of joints")]
    NotAChain {
        /// Upper arm or thigh.
        root: String,
        /// Forearm or shank.
        middle: String,
        /// Hand or foot.
        end: String,
    },
    /// Roles do not name it, or do not tell how it bends.
    #[error("the skeleton has no {side:?} {kind:?} that could be solved; name its joints in a roles file")]
    NoLimb {
        /// Left or right.
        side: Side,
        /// Arm or leg.
        kind: LimbKind,
    },
    /// A joint id of another skeleton.
    #[error("joint {joint} does not exist: the skeleton has {joints} joints")]
    UnknownJoint {
        /// Index asked for.
        joint: usize,
        /// Joints there are.
        joints: usize,
    },
    /// Two-bone solutions need two bones.
    #[error("the bone from {from:?} to {to:?} has no length")]
    NoBone {
        /// Upper joint.
        from: String,
        /// Lower joint.
        to: String,
    },
    /// A setting that makes no sense.
    #[error("{what} must be {expected}, found {found}")]
    Setting {
        /// Which one.
        what: &'static str,
        /// What is allowed.
        expected: &'static str,
        /// The value.
        found: f64,
    },
}
