//! Where the joints are: a handful of poses spread over the clip, or the rest pose, and the bone lengths they show.

use crate::clip::Clip;
use crate::ids::{FrameIndex, JointId};
use crate::kinematics::WorldPose;
use crate::skeleton::Skeleton;
use glam::DVec3;

/// Enough to see a body stand, bend and turn; more only cost time.
const MOST_ROLE_POSES: usize = 48;

/// World poses to judge by.
pub(super) struct Poses {
    /// Joint centres, pose by pose.
    pub positions_m: Vec<Vec<DVec3>>,
    /// First end site of each joint that has one, pose by pose.
    ends_m: Vec<Vec<Option<DVec3>>>,
    /// Mean distance of each joint from its parent.
    bones_m: Vec<f64>,
    /// Largest turn of each joint away from its parent, radians.
    turns_rad: Vec<f64>,
    /// Whether these poses are a motion, not the bare offsets.
    pub from_motion: bool,
}

impl Poses {
    /// Poses spread evenly over the clip, without its first frame (often an added T-pose) when there are others.
    pub fn sample(clip: &Clip) -> Self {
        let (skeleton, frames) = (clip.skeleton(), clip.frame_count());
        if frames == 0 {
            return Self::rest(skeleton);
        }
        let first = usize::from(frames > 1);
        let count = (frames - first).min(MOST_ROLE_POSES);
        let mut pose = WorldPose::for_skeleton(skeleton);
        let mut poses = Self {
            positions_m: Vec::with_capacity(count),
            ends_m: Vec::with_capacity(count),
            bones_m: vec![0.0; skeleton.len()],
            turns_rad: vec![0.0; skeleton.len()],
            from_motion: true,
        };
        for step in 0..count {
            let frame = FrameIndex(first + step * (frames - first) / count);
            pose.pose(clip, frame);
            for (joint, local) in skeleton.ids().zip(clip.rotations_at(frame)) {
                let parent_m = skeleton.parent(joint).map(|parent| pose.joint_in_world_m[parent.index()]);
                let length_m = parent_m.map_or(0.0, |parent_m| parent_m.distance(pose.joint_in_world_m[joint.index()]));
                poses.bones_m[joint.index()] += length_m / count as f64;
                let turn_rad = 2.0 * local.w.abs().min(1.0).acos();
                poses.turns_rad[joint.index()] = poses.turns_rad[joint.index()].max(turn_rad);
            }
            let end = |joint: JointId| {
                skeleton.joint(joint).end_sites.first().map(|end| pose.point_in_world_m(joint, end.offset_m))
            };
            poses.ends_m.push(skeleton.ids().map(end).collect());
            poses.positions_m.push(pose.joint_in_world_m.clone());
        }
        poses
    }

    /// The rest pose.
    pub fn rest(skeleton: &Skeleton) -> Self {
        let positions_m = skeleton.rest_positions_m();
        let bone = |joint: &crate::skeleton::Joint| joint.parent.map_or(0.0, |_| joint.offset_m.length());
        let ends = skeleton.joints().iter().zip(&positions_m);
        let ends = ends.map(|(joint, &at_m)| joint.end_sites.first().map(|end| at_m + end.offset_m)).collect();
        Self {
            ends_m: vec![ends],
            positions_m: vec![positions_m],
            bones_m: skeleton.joints().iter().map(bone).collect(),
            turns_rad: vec![0.0; skeleton.len()],
            from_motion: false,
        }
    }

    /// Number of poses; at least one.
    pub fn len(&self) -> usize {
        self.positions_m.len()
    }

    /// Mean distance of a joint from its parent; zero for roots.
    pub fn bone_m(&self, joint: JointId) -> f64 {
        self.bones_m[joint.index()]
    }

    /// Length of the path from `top` down to `bottom`.
    pub fn path_m(&self, skeleton: &Skeleton, top: JointId, bottom: JointId) -> f64 {
        skeleton.ancestors(bottom).take_while(|&joint| joint != top).map(|joint| self.bone_m(joint)).sum()
    }

    /// Distance from a joint to its first end site; zero without one.
    pub fn end_m(&self, joint: JointId) -> f64 {
        let at = |pose: usize| {
            self.ends_m[pose][joint.index()].map(|end| end.distance(self.positions_m[pose][joint.index()]))
        };
        self.ends_m.first().and(at(0)).unwrap_or(0.0)
    }

    /// First end site of a joint in one pose.
    pub fn end_in_pose_m(&self, pose: usize, joint: JointId) -> Option<DVec3> {
        self.ends_m[pose][joint.index()]
    }

    /// Whether the joint never turns against its parent in these poses.
    pub fn is_still(&self, joint: JointId) -> bool {
        // 1e-3 rad: above the rounding of files with four decimals, below any captured motion.
        self.turns_rad[joint.index()] < 1e-3
    }

    /// Mean angle between the bones into and out of `at`, radians; zero where a bone has no length.
    pub fn bend_rad(&self, from: JointId, at: JointId, to: JointId) -> f64 {
        let angle = |pose: &Vec<DVec3>| {
            let (a, b) = (pose[at.index()] - pose[from.index()], pose[to.index()] - pose[at.index()]);
            if a.length() > 0.0 && b.length() > 0.0 { a.angle_between(b) } else { 0.0 }
        };
        self.positions_m.iter().map(angle).sum::<f64>() / self.len().max(1) as f64
    }

    /// Share of poses in which arms and legs hang from the trunk to the same side, the legs well away from its axis: on
    /// four legs both point down from a level trunk. Needs no up axis.
    pub fn level_share(&self, hips: JointId, neck: JointId, hands: [JointId; 2], feet: [JointId; 2]) -> f64 {
        let is_level = |pose: &Vec<DVec3>| {
            let at = |joint: JointId| pose[joint.index()];
            let middle = |pair: [JointId; 2]| (at(pair[0]) + at(pair[1])) * 0.5;
            let trunk = (at(neck) - at(hips)).normalize_or_zero();
            let away = |point: DVec3, origin: DVec3| point - origin - trunk * (point - origin).dot(trunk);
            let (leg, arm) = (away(middle(feet), at(hips)), away(middle(hands), at(neck)));
            let spread = leg.length() / middle(feet).distance(at(hips)).max(f64::MIN_POSITIVE);
            // 0.7: within 45° of square to the trunk, and within 45° of each other.
            spread > 0.7 && leg.normalize_or_zero().dot(arm.normalize_or_zero()) > 0.7
        };
        self.positions_m.iter().filter(|pose| is_level(pose)).count() as f64 / self.len().max(1) as f64
    }
}
