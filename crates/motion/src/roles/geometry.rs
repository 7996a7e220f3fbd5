//! Where the joints are: a handful of poses spread over the clip, or the rest pose, and the bone lengths they show.

use crate::clip::Clip;
use crate::ids::{FrameIndex, JointId};
use crate::kinematics::WorldPose;
use crate::skeleton::Skeleton;
use glam::DVec3;

/// Enough to see a body stand, bend and turn; more only cost time.
const MOST_POSES: usize = 48;

/// World poses to judge by.
pub(super) struct Poses {
    /// Joint centres, pose by pose.
    pub positions_m: Vec<Vec<DVec3>>,
    /// Mean distance of each joint from its parent.
    bones_m: Vec<f64>,
    /// Whether these poses are a motion, not the bare offsets.
    pub from_motion: bool,
}

impl Poses {
    /// Poses spread evenly over the clip, without its first frame (often an added T-pose) when there are others.
    pub fn sample(clip: &Clip) -> Self {
        let frames = clip.frame_count();
        if frames == 0 {
            return Self::rest(clip.skeleton());
        }
        let first = usize::from(frames > 1);
        let count = (frames - first).min(MOST_POSES);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut positions_m = Vec::with_capacity(count);
        let mut bones_m = vec![0.0; clip.skeleton().len()];
        for step in 0..count {
            let frame = FrameIndex(first + step * (frames - first) / count);
            pose.pose(clip, frame);
            for (index, joint) in clip.skeleton().joints().iter().enumerate() {
                let parent_m = joint.parent.map(|parent| pose.joint_in_world_m[parent.index()]);
                let length_m = parent_m.map_or(0.0, |parent_m| parent_m.distance(pose.joint_in_world_m[index]));
                bones_m[index] += length_m / count as f64;
            }
            positions_m.push(pose.joint_in_world_m.clone());
        }
        Self { positions_m, bones_m, from_motion: true }
    }

    /// The rest pose.
    pub fn rest(skeleton: &Skeleton) -> Self {
        let bone = |joint: &crate::skeleton::Joint| joint.parent.map_or(0.0, |_| joint.offset_m.length());
        Self {
            positions_m: vec![skeleton.rest_positions_m()],
            bones_m: skeleton.joints().iter().map(bone).collect(),
            from_motion: false,
        }
    }

    /// Mean distance of a joint from its parent; zero for roots.
    pub fn bone_m(&self, joint: JointId) -> f64 {
        self.bones_m[joint.index()]
    }

    /// Length of the path from `top` down to `bottom`, if there is one.
    pub fn path_m(&self, skeleton: &Skeleton, top: JointId, bottom: JointId) -> f64 {
        skeleton.ancestors(bottom).take_while(|&joint| joint != top).map(|joint| self.bone_m(joint)).sum()
    }
}
