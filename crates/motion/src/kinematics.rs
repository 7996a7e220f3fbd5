//! Forward kinematics: where every joint is in the world.

use crate::clip::Clip;
use crate::ids::{FrameIndex, JointId};
use crate::skeleton::Skeleton;
use glam::{DQuat, DVec3};

/// Local rotation and translation of every joint; reused from sample to sample by its owner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalPose {
    /// Parent-from-joint rotations.
    pub rotations: Vec<DQuat>,
    /// In the parent's frame (the world for a root), metres: the track's value, or the offset.
    pub translations_m: Vec<DVec3>,
}

impl LocalPose {
    /// Room for one pose of this skeleton, at rest.
    pub fn for_skeleton(skeleton: &Skeleton) -> Self {
        let translations_m = skeleton.joints().iter().map(|joint| joint.offset_m).collect();
        Self { rotations: vec![DQuat::IDENTITY; skeleton.len()], translations_m }
    }
}

/// World rotation and position of every joint in one frame; reused from frame to frame by its owner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldPose {
    /// World-from-joint rotations.
    pub world_from_joint: Vec<DQuat>,
    /// Joint centres in the world, metres.
    pub joint_in_world_m: Vec<DVec3>,
}

impl WorldPose {
    /// Room for one pose of this skeleton.
    pub fn for_skeleton(skeleton: &Skeleton) -> Self {
        let joints = skeleton.len();
        Self { world_from_joint: vec![DQuat::IDENTITY; joints], joint_in_world_m: vec![DVec3::ZERO; joints] }
    }

    /// Poses the clip's frame. Allocates only when the pose was made for another skeleton.
    ///
    /// R_world(j) = R_world(parent) · R_local(j); p_world(j) = p_world(parent) + R_world(parent) · t_local(j).
    pub fn pose(&mut self, clip: &Clip, frame: FrameIndex) {
        let skeleton = clip.skeleton();
        self.world_from_joint.resize(skeleton.len(), DQuat::IDENTITY);
        self.joint_in_world_m.resize(skeleton.len(), DVec3::ZERO);
        let rotations = clip.rotations_at(frame);
        // Tracks are sorted by joint, so one cursor walks them along with the joints.
        let mut tracks = clip.tracks().iter().peekable();
        for (index, (joint, &local)) in skeleton.joints().iter().zip(rotations).enumerate() {
            let translation_m = match tracks.next_if(|track| track.joint.index() == index) {
                Some(track) => track.positions_m[frame.0],
                None => joint.offset_m,
            };
            let (rotation, position_m) = match joint.parent {
                None => (local, translation_m),
                Some(parent) => {
                    let world_from_parent = self.world_from_joint[parent.index()];
                    let parent_m = self.joint_in_world_m[parent.index()];
                    (world_from_parent * local, parent_m + world_from_parent * translation_m)
                }
            };
            self.world_from_joint[index] = rotation;
            self.joint_in_world_m[index] = position_m;
        }
    }

    /// Poses local rotations and translations that belong to no clip yet.
    ///
    /// # Panics
    /// If the pose was made for a skeleton of fewer joints.
    pub fn pose_local(&mut self, skeleton: &Skeleton, local: &LocalPose) {
        self.world_from_joint.resize(skeleton.len(), DQuat::IDENTITY);
        self.joint_in_world_m.resize(skeleton.len(), DVec3::ZERO);
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let (rotation, translation_m) = (local.rotations[index], local.translations_m[index]);
            let (rotation, position_m) = match joint.parent {
                None => (rotation, translation_m),
                Some(parent) => {
                    let world_from_parent = self.world_from_joint[parent.index()];
                    let parent_m = self.joint_in_world_m[parent.index()];
                    (world_from_parent * rotation, parent_m + world_from_parent * translation_m)
                }
            };
            self.world_from_joint[index] = rotation;
            self.joint_in_world_m[index] = position_m;
        }
    }

    /// Poses only these joints of the frame, which must be sorted and closed upward (with each joint its parent); the
    /// others keep what they had. For inner loops that look at a few limbs.
    pub fn pose_joints(&mut self, clip: &Clip, frame: FrameIndex, joints: &[JointId]) {
        let skeleton = clip.skeleton();
        self.world_from_joint.resize(skeleton.len(), DQuat::IDENTITY);
        self.joint_in_world_m.resize(skeleton.len(), DVec3::ZERO);
        let rotations = clip.rotations_at(frame);
        for &id in joints {
            let (local, translation_m) = (rotations[id.index()], clip.translation_m(frame, id));
            let (rotation, position_m) = match skeleton.parent(id) {
                None => (local, translation_m),
                Some(parent) => {
                    let world_from_parent = self.world_from_joint[parent.index()];
                    (
                        world_from_parent * local,
                        self.joint_in_world_m[parent.index()] + world_from_parent * translation_m,
                    )
                }
            };
            self.world_from_joint[id.index()] = rotation;
            self.joint_in_world_m[id.index()] = position_m;
        }
    }

    /// A point fixed in a joint's frame, in the world.
    pub fn point_in_world_m(&self, joint: JointId, point_in_joint_m: DVec3) -> DVec3 {
        self.joint_in_world_m[joint.index()] + self.world_from_joint[joint.index()] * point_in_joint_m
    }
}

/// Joint centres of the whole clip, `frames × joints`, frame-major.
pub fn joint_positions_m(clip: &Clip) -> Vec<DVec3> {
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut positions = Vec::with_capacity(clip.rotations().len());
    for frame in clip.frames() {
        pose.pose(clip, frame);
        positions.extend_from_slice(&pose.joint_in_world_m);
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::Channels;
    use crate::clip::TranslationTrack;
    use crate::time::{FrameTime, Timeline};
    use std::f64::consts::FRAC_PI_2;
    use std::sync::Arc;

    #[test]
    fn a_bent_arm_reaches_where_geometry_says() {
        let mut builder = Skeleton::builder();
        let root = builder.add(None, "root", DVec3::ZERO, Channels::default());
        let upper = builder.add(Some(root), "upper", DVec3::Y, Channels::default());
        let fore = builder.add(Some(upper), "fore", DVec3::X, Channels::default());
        let hand = builder.add(Some(fore), "hand", DVec3::X, Channels::default());
        let skeleton = Arc::new(builder.build().unwrap());
        let quarter = DQuat::from_rotation_z(FRAC_PI_2);
        let rotations = vec![DQuat::IDENTITY, quarter, quarter, DQuat::IDENTITY];
        let track = TranslationTrack { joint: root, positions_m: vec![DVec3::new(5.0, 0.0, 1.0)] };
        let timeline = Timeline::Uniform(FrameTime::from_hz(30.0).unwrap());
        let clip = Clip::new(skeleton, timeline, 1, rotations, vec![track]).unwrap();
        let mut pose = WorldPose::default();
        pose.pose(&clip, FrameIndex(0));
        // Upper arm turned a quarter: forearm joint straight up from (5, 1, 1); forearm turned half: hand points back.
        assert!((pose.joint_in_world_m[fore.index()] - DVec3::new(5.0, 2.0, 1.0)).length() < 1e-15);
        assert!((pose.joint_in_world_m[hand.index()] - DVec3::new(4.0, 2.0, 1.0)).length() < 1e-15);
        let tip = pose.point_in_world_m(hand, DVec3::X);
        assert!((tip - DVec3::new(3.0, 2.0, 1.0)).length() < 1e-15);
        assert_eq!(joint_positions_m(&clip), pose.joint_in_world_m);
        let mut some = WorldPose::default();
        some.pose_joints(&clip, FrameIndex(0), &[root, upper, fore]);
        assert_eq!(some.joint_in_world_m[fore.index()], pose.joint_in_world_m[fore.index()]);
        assert_eq!(some.world_from_joint[fore.index()], pose.world_from_joint[fore.index()]);
    }
}
