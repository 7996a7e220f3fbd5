//! A path edit for a stretch of the time.
//!
//! A path is one curve, and what follows a stretch follows it: nothing can be eased between two ways that lie apart, or
//! two clocks. A stretch is therefore a promise about the rest, to the bit, for edits that keep their times and come
//! back to the way.

use super::path::PathEdit;
use aplomb_analysis::Take;
use aplomb_editing::EditingError;
use aplomb_editing::mask::{Mask, apply_within, shares};
use aplomb_editing::path::Timing;
use aplomb_editing::span::Span;
use aplomb_motion::{Clip, Role, WorldPose, first_frame};

/// Ways that are no farther apart are eased into each other, m: feet slide by as much.
const MOST_APART_M: f64 = 0.02;

impl PathEdit {
    /// The edited motion inside the stretch, the original outside.
    pub(super) fn within(&self, take: &Take, edited: Clip) -> Result<Clip, EditingError> {
        let span = Span { from_secs: self.from_secs, to_secs: self.to_secs, ease_secs: self.ease_secs };
        if span.from_secs.or(span.to_secs).is_none() {
            return Ok(edited);
        }
        if self.timing != Timing::Keep || self.keep_keys {
            return Err(EditingError::StretchRetimed);
        }
        let original = take.clip();
        let edited = match first_frame::is_stray(original) && edited.frame_count() + 1 == original.frame_count() {
            true => first_frame::put_back(original, edited)?,
            false => edited,
        };
        let mask = Mask::all(original.skeleton());
        let eased = apply_within(original, &edited, &span, &mask)?;
        let hips = take.roles().joint(Role::Hips).or_else(|| original.skeleton().roots().next());
        let Some(hips) = hips else { return Ok(eased) };
        let shares = shares(original, &span)?;
        let mut poses = [WorldPose::for_skeleton(original.skeleton()), WorldPose::for_skeleton(edited.skeleton())];
        let (mut farthest_m, mut at_secs) = (0.0, 0.0);
        for (frame, share) in original.frames().zip(shares).filter(|(_, share)| *share < 1.0) {
            for (pose, clip) in poses.iter_mut().zip([original, &edited]) {
                pose.pose(clip, frame);
            }
            // Inside the ease the body goes most of the way already; the rest is what feet slide by.
            let apart_m = (1.0 - share)
                * poses[0].joint_in_world_m[hips.index()].distance(poses[1].joint_in_world_m[hips.index()]);
            if apart_m > farthest_m {
                (farthest_m, at_secs) = (apart_m, original.time_secs(frame));
            }
        }
        if farthest_m > MOST_APART_M {
            return Err(EditingError::StretchLeadsAway { at_secs, away_m: farthest_m, most_m: MOST_APART_M });
        }
        Ok(eased)
    }
}
