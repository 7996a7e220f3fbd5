//! Carrying the body as it is: rigid moves of whole frames.

use crate::EditingError;
use crate::body_root::carriers;
use aplomb_motion::edit::{GroundMove, body_joint};
use aplomb_motion::{Clip, FrameIndex};
use glam::{DQuat, DVec3};

/// The clip with each frame moved on the ground by its own move.
pub(crate) fn move_roots(clip: &Clip, by: impl Fn(FrameIndex) -> GroundMove) -> Result<Clip, EditingError> {
    move_rigidly(clip, |frame| {
        let by = by(frame);
        (by.rotation(), by.shift_m)
    })
}

/// The clip with each frame moved rigidly: world' = rotation · world + shift. Only what carries the body changes: the
/// root, or the joint below one that stands still; one without a translation track gets it.
pub(crate) fn move_rigidly(clip: &Clip, by: impl Fn(FrameIndex) -> (DQuat, DVec3)) -> Result<Clip, EditingError> {
    let carriers = carriers(clip, body_joint(clip.skeleton()));
    let mut clip = carriers.iter().try_fold(clip.clone(), |clip, carrier| carrier.with_track(clip))?;
    let frames: Vec<FrameIndex> = clip.frames().collect();
    for frame in frames {
        let (rotation, shift_m) = by(frame);
        for carrier in &carriers {
            // Rotation and place of the parent, in the world.
            let (mut world_from_parent, mut parent_m) = (DQuat::IDENTITY, DVec3::ZERO);
            for &joint in carrier.above() {
                parent_m += world_from_parent * clip.translation_m(frame, joint);
                world_from_parent *= clip.rotation(frame, joint);
            }
            let parent_from_world = world_from_parent.conjugate();
            let in_world_m = parent_m + world_from_parent * clip.translation_m(frame, carrier.joint);
            let local = parent_from_world * rotation * world_from_parent * clip.rotation(frame, carrier.joint);
            clip.set_rotation(frame, carrier.joint, local.normalize());
            if let Some(track_m) = clip.track_mut(carrier.joint) {
                track_m[frame.0] = parent_from_world * (rotation * in_world_m + shift_m - parent_m);
            }
        }
    }
    Ok(clip)
}
