//! Joints in the order of nested files. BVH and ASF write a tree depth first, and rows follow the order of the joints;
//! a clip made by code may list a tail before the forelegs that hang higher up.

use aplomb_motion::{Clip, JointId, Skeleton, TranslationTrack};
use std::sync::Arc;

/// The same clip with its joints depth first; `None` if they are so already.
pub(crate) fn depth_first(clip: &Clip) -> Option<Clip> {
    let skeleton = clip.skeleton();
    let order = order_of(skeleton);
    if order.iter().copied().eq(skeleton.ids()) {
        return None;
    }
    let mut place = vec![JointId::new(0); order.len()];
    for (new, old) in order.iter().enumerate() {
        place[old.index()] = JointId::new(new);
    }
    let joint = |old: &JointId| {
        let mut joint = skeleton.joint(*old).clone();
        joint.parent = joint.parent.map(|parent| place[parent.index()]);
        joint
    };
    let rotations =
        clip.frames().flat_map(|frame| order.iter().map(move |&old| clip.rotation(frame, old))).collect::<Vec<_>>();
    let track = |track: &TranslationTrack| TranslationTrack {
        joint: place[track.joint.index()],
        positions_m: track.positions_m.clone(),
    };
    let tracks = clip.tracks().iter().map(track).collect();
    // The same joints and numbers in another order are as valid as they were; if they were not, the clip is written as
    // it is.
    let reordered = Skeleton::new(order.iter().map(joint).collect()).ok()?;
    Clip::new(Arc::new(reordered), clip.timeline().clone(), clip.frame_count(), rotations, tracks).ok()
}

fn order_of(skeleton: &Skeleton) -> Vec<JointId> {
    let mut order = Vec::with_capacity(skeleton.len());
    let roots: Vec<JointId> = skeleton.roots().collect();
    let mut open: Vec<JointId> = roots.into_iter().rev().collect();
    while let Some(joint) = open.pop() {
        order.push(joint);
        open.extend(skeleton.children(joint).iter().rev());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WriteOptions, export};
    use aplomb_motion::{Axis, Channels, FrameIndex, FrameOfReference, FrameTime, Timeline, WorldPose};
    use glam::{DQuat, DVec3};

    /// The fault: rows followed the list of joints while the hierarchy was nested, so the file could not be verified.
    #[test]
    fn a_tail_listed_before_a_grandchild_is_written_where_it_belongs() {
        let mut builder = Skeleton::builder();
        let channels = |moves| Channels::rotating([Axis::Z, Axis::X, Axis::Y], moves);
        let root = builder.add(None, "root", DVec3::ZERO, channels(true));
        let chest = builder.add(Some(root), "chest", DVec3::Z, channels(false));
        let tail = builder.add(Some(root), "tail", -DVec3::Z, channels(false));
        let head = builder.add(Some(chest), "head", DVec3::Z, channels(false));
        let frame_time = FrameTime::from_hz(60.0).unwrap();
        let skeleton = Arc::new(builder.build().unwrap());
        let mut clip = Clip::at_rest(skeleton, Timeline::Uniform(frame_time), 2).unwrap();
        clip.set_rotation(FrameIndex(1), chest, DQuat::from_rotation_x(0.5));
        clip.set_rotation(FrameIndex(1), tail, DQuat::from_rotation_y(0.7));
        clip.set_rotation(FrameIndex(1), head, DQuat::from_rotation_z(0.9));

        let nested = depth_first(&clip).unwrap();
        assert!(depth_first(&nested).is_none(), "once is enough");
        let (mut meant, mut found) = (WorldPose::default(), WorldPose::default());
        meant.pose(&clip, FrameIndex(1));
        found.pose(&nested, FrameIndex(1));
        for (old, joint) in clip.skeleton().joints().iter().enumerate() {
            let new = nested.skeleton().find(&joint.name).unwrap().index();
            assert_eq!(meant.joint_in_world_m[old], found.joint_in_world_m[new], "{}", joint.name);
            assert_eq!(meant.world_from_joint[old], found.world_from_joint[new], "{}", joint.name);
        }
        let options = WriteOptions::default();
        export::encode("beast.bvh".as_ref(), &clip, None, FrameOfReference::INTERNAL, &options).unwrap();
    }
}
