//! What moves: a skeleton, its legs and its masses.

use crate::BuiltError;
use crate::masses::Masses;
use aplomb_editing::limb_ik::{Hinge, LimbIk, Reach};
use aplomb_motion::{JointId, Skeleton};
use glam::DVec3;
use std::sync::Arc;

/// A leg: its inverse kinematics, and the joint that follows the foot.
pub struct Leg {
    pub ik: LimbIk,
    pub parent: usize,
    pub toes: usize,
    /// Axis of flexion, in the frame of the parent and of the foot alike.
    pub axis: DVec3,
    pub length_m: f64,
}

impl Leg {
    /// From thigh, shank, foot and toes, all without rotation at rest.
    pub fn new(skeleton: &Skeleton, [thigh, shank, foot, toes]: [usize; 4], axis: DVec3) -> Result<Self, BuiltError> {
        let joints = [thigh, shank, foot].map(JointId::new);
        let ik = LimbIk::new(skeleton, joints, Hinge::about(axis).held(), Reach::HARD)?;
        let length = |joint: usize| skeleton.joint(JointId::new(joint)).offset_m.length();
        let parent = skeleton.parent(joints[0]).map_or(0, JointId::index);
        Ok(Self { ik, parent, toes, axis, length_m: length(shank) + length(foot) })
    }
}

/// What moves.
pub struct Body {
    pub skeleton: Arc<Skeleton>,
    pub legs: Vec<Leg>,
    pub masses: Masses,
}
