//! Joints in the order of nested files. BVH and ASF write a tree depth first, and rows follow the order of the joints; a clip made by code
//! may list a tail before the forelegs that hang higher up.

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
    // The same joints and numbers in another order are as valid as they were; if they were not, the clip is written as it is.
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
