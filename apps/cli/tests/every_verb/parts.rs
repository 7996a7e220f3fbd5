//! Bodies that miss a part, made of whole ones.

use aplomb_motion::{Clip, EndSite, Joint, JointId, Skeleton, TranslationTrack};
use glam::DQuat;
use std::sync::Arc;

/// The clip without these joints and all below them. What carried them ends where they began.
pub fn cut_off(clip: &Clip, is_cut: impl Fn(&str) -> bool) -> Clip {
    let skeleton = clip.skeleton();
    let is_gone = |id: JointId| skeleton.ancestors(id).any(|above| is_cut(&skeleton.joint(above).name));
    let kept: Vec<JointId> = skeleton.ids().filter(|&id| !is_gone(id)).collect();
    rebuilt(clip, &kept, |id, joint| {
        let children = skeleton.children(id);
        if joint.end_sites.is_empty() && children.iter().all(|&child| is_gone(child)) {
            let begins = children.iter().map(|&child| skeleton.joint(child).offset_m);
            joint.end_sites = begins.map(|offset_m| EndSite { name: None, offset_m }).collect();
        }
    })
}

/// The clip without these joints; what they carried hangs on what carried them, and keeps its direction in the world.
pub fn taken_out(clip: &Clip, is_out: impl Fn(&str) -> bool) -> Clip {
    let skeleton = clip.skeleton();
    let kept: Vec<JointId> = skeleton.ids().filter(|&id| !is_out(&skeleton.joint(id).name)).collect();
    rebuilt(clip, &kept, |_, _| {})
}

/// Some joints of a clip, each below the nearest of them that was above it.
fn rebuilt(clip: &Clip, kept: &[JointId], change: impl Fn(JointId, &mut Joint)) -> Clip {
    let skeleton = clip.skeleton();
    let new_id = |id: JointId| kept.iter().position(|&other| other == id).map(JointId::new);
    // From the nearest kept joint above down to this one, this one included.
    let way = |id: JointId| {
        let skipped = skeleton.ancestors(id).skip(1).take_while(|&above| new_id(above).is_none());
        let mut way: Vec<JointId> = skipped.collect();
        way.reverse();
        way.push(id);
        way
    };
    let joints = kept.iter().map(|&id| {
        let mut joint = skeleton.joint(id).clone();
        change(id, &mut joint);
        joint.offset_m = way(id).iter().map(|&part| skeleton.joint(part).offset_m).sum();
        joint.parent = skeleton.ancestors(id).skip(1).find_map(new_id);
        joint
    });
    let skeleton = Arc::new(Skeleton::new(joints.collect()).unwrap());
    let mut rotations: Vec<DQuat> = Vec::with_capacity(clip.frame_count() * kept.len());
    for frame in clip.frames() {
        let along = |&id: &JointId| -> DQuat { way(id).iter().map(|&part| clip.rotation(frame, part)).product() };
        rotations.extend(kept.iter().map(along));
    }
    let track = |(index, &id): (usize, &JointId)| {
        Some(TranslationTrack { joint: JointId::new(index), positions_m: clip.track(id)?.to_vec() })
    };
    let tracks = kept.iter().enumerate().filter_map(track).collect();
    Clip::new(skeleton, clip.timeline().clone(), clip.frame_count(), rotations, tracks).expect("a clip")
}

/// The first frames of a clip.
pub fn first_frames(clip: &Clip, count: usize) -> Clip {
    let (joints, rotations) = (clip.skeleton().len(), clip.rotations());
    let tracks = clip
        .tracks()
        .iter()
        .map(|track| TranslationTrack { joint: track.joint, positions_m: track.positions_m[..count].to_vec() });
    let rotations = rotations[..count * joints].to_vec();
    Clip::new(clip.skeleton().clone(), clip.timeline().clone(), count, rotations, tracks.collect()).unwrap()
}
