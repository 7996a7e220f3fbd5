//! What is wrong with a recording or a pose, apart from physics: joints out of range, noise, limbs inside limbs.
//!
//! Everything is measured on the body, not on the file's axes: bone directions, the pelvis's own left and up, the
//! foot's own ahead. What a body does not tell is not judged (`docs/analysis/checks.md`).

mod intersections;
mod jitter;
mod limits;

use crate::contacts::Subject;
use crate::report::score::noise::JointPaths;
use crate::report::{Checks, JitterFinding};
use aplomb_motion::{Clip, FrameIndex, WorldPose, first_frame};
use glam::{DQuat, DVec3};

/// A motion posed once for all checks of joints; rows are frames without a stray first one.
pub(crate) struct Posed {
    joint_count: usize,
    joints_m: Vec<DVec3>,
    world_from_joint: Vec<DQuat>,
}

impl Posed {
    /// From frame `first_frame` on.
    pub fn of_clip(clip: &Clip, first_frame: usize) -> Self {
        let joint_count = clip.skeleton().len();
        let rows = clip.frame_count().saturating_sub(first_frame);
        let mut joints_m = Vec::with_capacity(rows * joint_count);
        let mut world_from_joint = Vec::with_capacity(rows * joint_count);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        for frame in first_frame..clip.frame_count() {
            pose.pose(clip, FrameIndex(frame));
            joints_m.extend_from_slice(&pose.joint_in_world_m);
            world_from_joint.extend_from_slice(&pose.world_from_joint);
        }
        Self { joint_count, joints_m, world_from_joint }
    }

    /// Where the joints go.
    pub fn paths(&self) -> JointPaths<'_> {
        JointPaths { joints_m: &self.joints_m, joint_count: self.joint_count }
    }

    fn rows(&self) -> usize {
        self.joints_m.len().checked_div(self.joint_count).unwrap_or(0)
    }

    fn row(&self, row: usize) -> Pose<'_> {
        let joints = row * self.joint_count..(row + 1) * self.joint_count;
        Pose { joints_m: &self.joints_m[joints.clone()], world_from_joint: &self.world_from_joint[joints] }
    }
}

/// One row.
#[derive(Clone, Copy)]
struct Pose<'a> {
    joints_m: &'a [DVec3],
    world_from_joint: &'a [DQuat],
}

/// Looks for joints out of range, trembling and jumping joints, and limbs inside limbs. `times_secs` and `hz` are by
/// the clock that the analysis used, one time a row.
pub(crate) fn checks(subject: &Subject<'_>, posed: &Posed, times_secs: &[f64], hz: f64) -> Checks {
    let Subject { clip, roles, body, .. } = *subject;
    Checks {
        joint_limits: limits::findings(clip.skeleton(), roles, body, posed, times_secs),
        jitter: jitter::findings(clip.skeleton(), &posed.paths(), times_secs, hz),
        intersections: intersections::findings(body, posed, times_secs),
    }
}

/// Joints that jump from one frame to the next, worst first, by the rule that [`Checks::jitter`] has, without the rest
/// of a report. A stray first frame is left out; times are the clip's own.
pub fn joint_jumps(clip: &Clip) -> Vec<JitterFinding> {
    let first = usize::from(first_frame::is_stray(clip));
    let times_secs: Vec<f64> = clip.frames().skip(first).map(|frame| clip.time_secs(frame)).collect();
    let (Some(start_secs), Some(end_secs)) = (times_secs.first(), times_secs.last()) else { return Vec::new() };
    let steps = times_secs.len().saturating_sub(1) as f64;
    let hz = if end_secs > start_secs { steps / (end_secs - start_secs) } else { 0.0 };
    let mut found = jitter::findings(clip.skeleton(), &Posed::of_clip(clip, first).paths(), &times_secs, hz);
    found.retain(|finding| finding.jump_mm.is_some());
    found
}
