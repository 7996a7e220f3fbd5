//! A motion posed once, for everything that looks at joints frame by frame.

use aplomb_motion::{Clip, FrameIndex, JointId, WorldPose};
use glam::{DQuat, DVec3};

/// Where all joints are and how they are turned; rows are frames without a stray first one.
#[derive(Debug)]
pub(crate) struct Posed {
    joint_count: usize,
    joints_m: Vec<DVec3>,
    world_from_joint: Vec<DQuat>,
}

impl Posed {
    /// From frame `first_frame` on.
    pub fn of_clip(clip: &Clip, first_frame: usize) -> Self {
        let joint_count = clip.skeleton().len();
        let rows = clip.frame_count().saturating_sub(first_frame);
        let mut joints_m = Vec::with_capacity(rows * joint_count);
        let mut world_from_joint = Vec::with_capacity(rows * joint_count);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        for frame in first_frame..clip.frame_count() {
            pose.pose(clip, FrameIndex(frame));
            joints_m.extend_from_slice(&pose.joint_in_world_m);
            world_from_joint.extend_from_slice(&pose.world_from_joint);
        }
        Self { joint_count, joints_m, world_from_joint }
    }

    /// Where the joints go.
    pub fn paths(&self) -> JointPaths<'_> {
        JointPaths { joints_m: &self.joints_m, joint_count: self.joint_count }
    }

    /// How many frames.
    pub fn rows(&self) -> usize {
        self.joints_m.len().checked_div(self.joint_count).unwrap_or(0)
    }

    /// One frame.
    pub fn row(&self, row: usize) -> Pose<'_> {
        let joints = row * self.joint_count..(row + 1) * self.joint_count;
        Pose { joints_m: &self.joints_m[joints.clone()], world_from_joint: &self.world_from_joint[joints] }
    }
}

/// One row.
#[derive(Clone, Copy)]
pub(crate) struct Pose<'a> {
    pub joints_m: &'a [DVec3],
    pub world_from_joint: &'a [DQuat],
}

impl Pose<'_> {
    /// Unit vector from one joint to the other; `None` where they are one point.
    pub fn bone(self, from: JointId, to: JointId) -> Option<DVec3> {
        (self.joints_m[to.index()] - self.joints_m[from.index()]).try_normalize()
    }

    /// A direction of the world in a joint's frame.
    pub fn in_joint(self, joint: JointId, direction: DVec3) -> DVec3 {
        self.world_from_joint[joint.index()].conjugate() * direction
    }

    /// How `upper` is turned in the frame of `lower`.
    pub fn relative(self, lower: JointId, upper: JointId) -> DQuat {
        self.world_from_joint[lower.index()].conjugate() * self.world_from_joint[upper.index()]
    }
}

/// Paths of all joints, `frames × joints`, m.
#[derive(Clone, Copy)]
pub(crate) struct JointPaths<'a> {
    pub joints_m: &'a [DVec3],
    pub joint_count: usize,
}

impl JointPaths<'_> {
    /// How many frames.
    pub fn frames(&self) -> usize {
        self.joints_m.len().checked_div(self.joint_count).unwrap_or(0)
    }

    /// A joint at a frame.
    pub fn at(&self, frame: usize, joint: JointId) -> DVec3 {
        self.joints_m[frame * self.joint_count + joint.index()]
    }
}
