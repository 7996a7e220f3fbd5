//! Carrying the body as it is: rigid moves of whole frames.

use crate::EditingError;
use aplomb_motion::edit::GroundMove;
use aplomb_motion::{Clip, FrameIndex, JointId, TranslationTrack};
use glam::{DQuat, DVec3};

/// The clip with each frame moved on the ground by its own move.
pub(crate) fn carry_roots(clip: &Clip, by: impl Fn(FrameIndex) -> GroundMove) -> Result<Clip, EditingError> {
    carry_rigidly(clip, |frame| {
        let by = by(frame);
        (by.rotation(), by.shift_m)
    })
}

/// The clip with each frame moved rigidly: world' = rotation · world + shift. Only roots touch the world, so only they change; a root
/// that stood still gets a translation track.
pub(crate) fn carry_rigidly(clip: &Clip, by: impl Fn(FrameIndex) -> (DQuat, DVec3)) -> Result<Clip, EditingError> {
    let roots: Vec<JointId> = clip.skeleton().roots().collect();
    let (skeleton, timeline, frames, mut rotations, mut tracks) = clip.clone().into_parts();
    for &joint in &roots {
        if clip.track(joint).is_none() {
            tracks.push(TranslationTrack { joint, positions_m: vec![skeleton.joint(joint).offset_m; frames] });
        }
    }
    let joints = skeleton.len();
    for frame in clip.frames() {
        let (rotation, shift_m) = by(frame);
        for root in &roots {
            let local = &mut rotations[frame.0 * joints + root.index()];
            *local = (rotation * *local).normalize();
        }
        for track in tracks.iter_mut().filter(|track| skeleton.parent(track.joint).is_none()) {
            let position_m = &mut track.positions_m[frame.0];
            *position_m = rotation * *position_m + shift_m;
        }
    }
    Ok(Clip::new(skeleton, timeline, frames, rotations, tracks)?)
}
