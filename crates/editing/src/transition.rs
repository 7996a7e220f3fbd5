//! From one motion into another by plain blending: no physics, as editing programs do it.
//!
//! Speeds go over smoothly, but the body does not lean into the change: the input of the first experiment of Shin,
//! Kovar & Gleicher 2003 (section 4.2, walking to jogging).

mod fit;

use crate::EditingError;
use crate::rigid_moves::move_roots;
use aplomb_motion::edit::{EditError, GroundMove, Join, body_joint, concatenate, cut_frames};
use aplomb_motion::{Clip, FrameIndex, WorldPose, so3};
use fit::Fit;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// When the change happens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// The first motion begins to give way, in its own seconds.
    pub from_secs: f64,
    /// The second has taken over, in seconds of the first.
    pub to_secs: f64,
    /// Second of the second motion that meets `from_secs`. Without it, the one whose poses fit best over the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into_secs: Option<f64>,
}

/// A transition and how it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionMade {
    /// First motion, window, second motion.
    pub clip: Clip,
    /// Second of the second motion that met the start of the window.
    pub into_secs: f64,
    /// How far the poses of both lie apart over the window, root mean square over joints, m.
    pub apart_m: f64,
}

impl Transition {
    /// From `a` into `b`.
    ///
    /// `b` is turned about the vertical and shifted on the ground so that its poses over the window lie over those of
    /// `a` (Kovar, Gleicher & Pighin 2002). Rotations go over by slerp with the weight ½(1 − cos πu). The body's way
    /// over the ground is the integral of the blended *velocities*: blending places makes the body slow down before it
    /// speeds up, by 13 % of the change (with the ends ±½ΔvT apart, w'·(p_b − p_a) is negative in the first half). Both
    /// need one skeleton and one rate.
    pub fn apply(&self, a: &Clip, b: &Clip) -> Result<TransitionMade, EditingError> {
        // One check for all that must agree.
        concatenate(&[a, b], Join::AsIs)?;
        let (start, window) = self.window(a)?;
        if b.frame_count() < window + 1 {
            return Err(EditError::TooFewFrames {
                what: "the second motion of the transition",
                expected: window + 1,
                found: b.frame_count(),
            }
            .into());
        }
        let fit = match self.into_secs {
            Some(into_secs) => Fit::at(a, b, start, self.frame_of_b(b, into_secs, window)?, window),
            None => Fit::best(a, b, start, window),
        };
        let Fit { into, by, apart_m } = fit;
        let b = move_roots(b, |_| by)?;
        let clip = splice(a, &b, start, into, window)?;
        Ok(TransitionMade { clip, into_secs: b.time_secs(FrameIndex(into)), apart_m })
    }

    /// First frame of the window, and its length in frames.
    fn window(&self, a: &Clip) -> Result<(usize, usize), EditingError> {
        let step_secs = a.timeline().uniform().ok_or(EditError::NotUniform { clip: 0 })?.secs();
        let (from_secs, to_secs, duration_secs) = (self.from_secs, self.to_secs, a.duration_secs());
        let half_secs = 0.5 * step_secs;
        let is_inside = from_secs >= -half_secs && to_secs <= duration_secs + half_secs && from_secs < to_secs;
        if !is_inside {
            return Err(EditingError::EmptySpan { from_secs, to_secs, duration_secs });
        }
        let start = (from_secs / step_secs).round().max(0.0) as usize;
        let end = ((to_secs / step_secs).round() as usize).min(a.frame_count() - 1);
        match end > start {
            true => Ok((start, end - start)),
            false => Err(EditingError::EmptySpan { from_secs, to_secs, duration_secs }),
        }
    }

    fn frame_of_b(&self, b: &Clip, into_secs: f64, window: usize) -> Result<usize, EditingError> {
        let step_secs = b.timeline().uniform().ok_or(EditError::NotUniform { clip: 1 })?.secs();
        let into = (into_secs / step_secs).round();
        let last = b.frame_count() - 1 - window;
        match (0.0..=last as f64).contains(&into) {
            true => Ok(into as usize),
            false => Err(EditingError::NoRoomInto { into_secs, latest_secs: last as f64 * step_secs }),
        }
    }
}

/// `a` up to the window, the blend, then `b`, which already stands over `a`.
fn splice(a: &Clip, b: &Clip, start: usize, into: usize, window: usize) -> Result<Clip, EditingError> {
    let skeleton = a.skeleton();
    let window_of_a = cut_frames(a, FrameIndex(start)..FrameIndex(start + window + 1))?;
    let window_of_b = cut_frames(b, FrameIndex(into)..FrameIndex(into + window + 1))?;
    // Joining first gives both the same tracks.
    let both = concatenate(&[&window_of_a, &window_of_b], Join::AsIs)?;
    let mut blend = cut_frames(&both, FrameIndex(0)..FrameIndex(window + 1))?;
    let weight = |frame: usize| 0.5 * (1.0 - (PI * frame as f64 / window as f64).cos());
    for frame in 0..=window {
        let of_b = both.rotations_at(FrameIndex(window + 1 + frame));
        for (local, &other) in blend.rotations_at_mut(FrameIndex(frame)).iter_mut().zip(of_b) {
            *local = so3::slerp(*local, other, weight(frame)).normalize();
        }
    }
    for track in blend.tracks_mut() {
        let Some(all_m) = both.track(track.joint) else { continue };
        for (frame, position_m) in track.positions_m.iter_mut().enumerate() {
            *position_m = position_m.lerp(all_m[window + 1 + frame], weight(frame));
        }
    }
    // Where the body shall be: the integral of blended steps, each with the weight at its middle.
    let (path_of_a, path_of_b, path) = (body_path(&window_of_a), body_path(&window_of_b), body_path(&blend));
    let mut wanted_m = vec![path_of_a[0]];
    for frame in 0..window {
        let halfway = 0.5 * (weight(frame) + weight(frame + 1));
        let step_m = (path_of_a[frame + 1] - path_of_a[frame]).lerp(path_of_b[frame + 1] - path_of_b[frame], halfway);
        wanted_m.push(wanted_m[frame] + step_m);
    }
    let shift = |frame: FrameIndex| GroundMove { yaw_rad: 0.0, shift_m: wanted_m[frame.0] - path[frame.0] };
    let blend = move_roots(&blend, shift)?;
    let after = GroundMove { yaw_rad: 0.0, shift_m: wanted_m[window] - path_of_b[window] };
    let mut parts = Vec::new();
    if start > 0 {
        parts.push(cut_frames(a, FrameIndex(0)..FrameIndex(start))?);
    }
    parts.push(blend);
    if into + window + 1 < b.frame_count() {
        let tail = cut_frames(b, FrameIndex(into + window + 1)..FrameIndex(b.frame_count()))?;
        parts.push(move_roots(&tail, |_| after)?);
    }
    debug_assert!(parts.iter().all(|part| part.skeleton().len() == skeleton.len()));
    Ok(concatenate(&parts.iter().collect::<Vec<_>>(), Join::AsIs)?)
}

/// Of the joint that carries the body, on the ground, frame by frame.
fn body_path(clip: &Clip) -> Vec<DVec3> {
    let joint = body_joint(clip.skeleton()).index();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let point_m = |frame| {
        pose.pose(clip, frame);
        pose.joint_in_world_m[joint].with_y(0.0)
    };
    clip.frames().map(point_m).collect()
}

#[cfg(test)]
mod tests;
