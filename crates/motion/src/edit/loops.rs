//! Cycles: stretches of a motion that can be played again and again.
//!
//! Two frames match if their joints and their joints' velocities do, after the turn about the vertical and the shift on
//! the ground that bring them closest ([`align_yaw`](super::align_yaw), Kovar et al. 2002). All pairs of frames up to
//! the longest period are compared at about 30 Hz; valleys of that map are refined frame by frame at the full rate.

mod clouds;
mod search;

use super::align::GroundMove;
use super::error::EditError;
use crate::clip::Clip;
use crate::ids::FrameIndex;
use clouds::{Clouds, Match};
use serde::{Deserialize, Serialize};

/// What counts as a loop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoopOptions {
    /// Shortest loop, seconds.
    pub min_period_secs: f64,
    /// Longest loop, seconds.
    pub max_period_secs: f64,
    /// Largest difference between the poses at start and end, metres (see [`LoopCandidate::pose_error_m`]).
    pub max_pose_error_m: f64,
    /// Largest difference between the velocities at start and end, metres a second …
    pub max_velocity_error_m_per_s: f64,
    /// … or, if that is more, this part of the clip's typical speed (the median over the frames of the joints' RMS
    /// speed): at 30 Hz the velocity of a runner's foot is not known better, and a seam is the less seen the faster the
    /// motion.
    pub max_velocity_error_of_speed: f64,
    /// How far the pose must move away from its start in between, metres: standing still is no loop.
    pub min_motion_m: f64,
    /// At most so many are given, the best first.
    pub max_candidates: usize,
}

impl Default for LoopOptions {
    /// For people: from a fast run (0.6 s a stride) to a slow dance figure; strides of one walk agree to 1–4 cm.
    fn default() -> Self {
        Self {
            min_period_secs: 0.4,
            max_period_secs: 4.0,
            max_pose_error_m: 0.06,
            max_velocity_error_m_per_s: 0.5,
            // A Bandai run cycle whose last pose repeats the first to 0.02 mm has seam velocities 0.78 m/s apart, at
            // 2.6 m/s.
            max_velocity_error_of_speed: 0.3,
            min_motion_m: 0.08,
            max_candidates: 20,
        }
    }
}

/// A stretch of frames whose end meets its start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopCandidate {
    /// First frame.
    pub start: FrameIndex,
    /// The frame that shows the first again: the loop is `start..end`, the end not included. It is the clip's frame
    /// count if the next frame after the clip's last would be the one.
    pub end: FrameIndex,
    /// From start to end.
    pub period_secs: f64,
    /// RMS distance of the joints at end and start after the ground move, each joint weighted by the length of its
    /// bones.
    pub pose_error_m: f64,
    /// RMS difference of their velocities, after the same turn.
    pub velocity_error_m_per_s: f64,
    /// What one round adds: takes the start pose to the end pose. A walk is repeated by applying it once more each
    /// round.
    pub advance: GroundMove,
}

impl LoopCandidate {
    /// Both errors in one figure: metres after [`VELOCITY_TIME_SECS`].
    fn score_m(&self) -> f64 {
        self.pose_error_m.hypot(VELOCITY_TIME_SECS * self.velocity_error_m_per_s)
    }
}

/// A velocity difference is worth the distance it makes in this time: the length of the blend that would hide it.
const VELOCITY_TIME_SECS: f64 = 0.1;

/// The loops of a clip, the best first. Loops that only repeat a shorter one, or that are the same cycle begun a little
/// earlier or later, are left out. None for a clip that does not move, or shorter than three frames.
///
/// Cost: frames at 30 Hz × longest period at 30 Hz × joints; 10,000 frames take well under a second.
pub fn find_loops(clip: &Clip, options: &LoopOptions) -> Result<Vec<LoopCandidate>, EditError> {
    let frame_time = clip.timeline().uniform().ok_or(EditError::NotUniform { clip: 0 })?;
    match Clouds::of(clip, frame_time) {
        Some(clouds) => Ok(search::find(&clouds, options)),
        None => Ok(Vec::new()),
    }
}

/// The clip as one loop, if its end meets its start within the options' errors (any period will do).
///
/// Both habits of files are tried: a last frame that repeats the first, and one that comes just before it.
pub fn whole_clip_loop(clip: &Clip, options: &LoopOptions) -> Result<Option<LoopCandidate>, EditError> {
    let frame_time = clip.timeline().uniform().ok_or(EditError::NotUniform { clip: 0 })?;
    let Some(clouds) = Clouds::of(clip, frame_time) else { return Ok(None) };
    let last = clip.frame_count() - 1;
    let repeating = clouds.compare(last, 0).candidate(0, last, frame_time.secs());
    let open = clouds.compare_next_with_first().candidate(0, last + 1, frame_time.secs());
    let best = if repeating.score_m() <= open.score_m() + REPEATING_BIAS_M { repeating } else { open };
    let allowed = Allowed::for_clip(&clouds, options);
    Ok((allowed.accepts(&best) && moves_enough(&clouds, options, &best)).then_some(best))
}

/// At rest both habits look alike; then the frame that is there counts, not the one that would come.
const REPEATING_BIAS_M: f64 = 0.005;

/// The options' errors for one clip.
#[derive(Clone, Copy)]
struct Allowed {
    pose_error_m: f64,
    velocity_error_m_per_s: f64,
}

impl Allowed {
    fn for_clip(clouds: &Clouds, options: &LoopOptions) -> Self {
        let of_speed = options.max_velocity_error_of_speed * clouds.typical_speed_m_per_s();
        let velocity_error_m_per_s = options.max_velocity_error_m_per_s.max(of_speed);
        Self { pose_error_m: options.max_pose_error_m, velocity_error_m_per_s }
    }

    fn accepts(&self, candidate: &LoopCandidate) -> bool {
        candidate.pose_error_m <= self.pose_error_m && candidate.velocity_error_m_per_s <= self.velocity_error_m_per_s
    }

    fn score_m(&self) -> f64 {
        self.pose_error_m.hypot(VELOCITY_TIME_SECS * self.velocity_error_m_per_s)
    }
}

/// A cycle goes somewhere else before it comes back: clearly further than it misses its start by.
fn moves_enough(clouds: &Clouds, options: &LoopOptions, candidate: &LoopCandidate) -> bool {
    let distance_m = options.min_motion_m.max(3.0 * candidate.pose_error_m);
    clouds.moves_between(candidate.start.0, candidate.end.0.min(clouds.frame_count()), distance_m)
}

impl Match {
    fn candidate(&self, start: usize, end: usize, frame_secs: f64) -> LoopCandidate {
        LoopCandidate {
            start: FrameIndex(start),
            end: FrameIndex(end),
            period_secs: (end - start) as f64 * frame_secs,
            pose_error_m: self.pose_error_m,
            velocity_error_m_per_s: self.velocity_error_m_per_s,
            advance: self.onto,
        }
    }
}

#[cfg(test)]
mod tests;
