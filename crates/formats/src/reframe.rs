//! Changing the unit and the axes of a clip that was read as it stands.

use aplomb_motion::{Clip, ClipError, FrameOfReference, Skeleton, SkeletonError};
use std::sync::Arc;

/// Why a change of frame failed: only by overflow, lengths of 1e308 in a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReframeError {
    /// An offset overflows.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// A position overflows.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Maps a clip in a file's own unit and axes to metres, Y up. Works in place; no frame is copied.
///
/// A signed permutation and one multiplication, the same as the readers do: the result is to the bit the clip that the
/// reader gives when asked for `frame` at once.
pub fn reframe(clip: Clip, frame: FrameOfReference) -> Result<Clip, ReframeError> {
    if frame == FrameOfReference::INTERNAL {
        return Ok(clip);
    }
    let (skeleton, timeline, frames, mut rotations, mut tracks) = clip.into_parts();
    for rotation in &mut rotations {
        *rotation = frame.internal_from_file.rotation(*rotation);
    }
    for position in tracks.iter_mut().flat_map(|track| &mut track.positions_m) {
        *position = frame.position_from_file(*position);
    }
    let skeleton: Skeleton = skeleton.map_joints(|_, joint| {
        joint.offset_m = frame.position_from_file(joint.offset_m);
        for end in &mut joint.end_sites {
            end.offset_m = frame.position_from_file(end.offset_m);
        }
    })?;
    Ok(Clip::new(Arc::new(skeleton), timeline, frames, rotations, tracks)?)
}
