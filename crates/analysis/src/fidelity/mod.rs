//! How far an edit took a motion from what it was: what a person would notice with both side by side.
//!
//! Ways and turns are compared frame by frame, where both motions have the same frames. What lasts counts, not what one
//! frame does: *held* is the largest value that is reached for 0.05 s in total. Peaks of speed and
//! acceleration are of the whole motion, so they can be compared after an edit that retimes, too.

mod peaks;
mod ways;
mod wrists;

use crate::anatomy::{joint_angles, sustained, sustained_rows};
use crate::contacts::{Contact, ContactAnalysis};
use crate::posed::Posed;
use crate::take::Take;
use aplomb_motion::{Clip, JointId, Role, Roles, Side, first_frame, so3};
use aplomb_physics::JointMotion;
use serde::Serialize;

/// A part of the body that people look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyPart {
    /// The hips.
    Pelvis,
    /// The head.
    Head,
    /// The left hand.
    LeftHand,
    /// The right hand.
    RightHand,
    /// The left foot.
    LeftFoot,
    /// The right foot.
    RightFoot,
}

impl BodyPart {
    /// All of them.
    pub const ALL: [BodyPart; 6] = [
        BodyPart::Pelvis,
        BodyPart::Head,
        BodyPart::LeftHand,
        BodyPart::RightHand,
        BodyPart::LeftFoot,
        BodyPart::RightFoot,
    ];

    /// Of one side.
    pub const fn hand(side: Side) -> Self {
        match side {
            Side::Left => BodyPart::LeftHand,
            Side::Right => BodyPart::RightHand,
        }
    }

    /// As programs and people call it.
    pub const fn name(self) -> &'static str {
        match self {
            BodyPart::Pelvis => "pelvis",
            BodyPart::Head => "head",
            BodyPart::LeftHand => "left hand",
            BodyPart::RightHand => "right hand",
            BodyPart::LeftFoot => "left foot",
            BodyPart::RightFoot => "right foot",
        }
    }

    /// The joint that stands for it.
    fn joint(self, roles: &Roles) -> Option<JointId> {
        roles.joint(match self {
            BodyPart::Pelvis => Role::Hips,
            BodyPart::Head => Role::Head,
            BodyPart::LeftHand => Role::Hand(Side::Left),
            BodyPart::RightHand => Role::Hand(Side::Right),
            BodyPart::LeftFoot => Role::Foot(Side::Left),
            BodyPart::RightFoot => Role::Foot(Side::Right),
        })
    }
}

/// How far a part of the body went: pelvis and feet in the world, head and hands against the pelvis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PartMoved {
    /// Which.
    pub part: BodyPart,
    /// Held for 0.05 s, m.
    pub held_m: f64,
    /// When it is farthest, s.
    pub at_secs: f64,
}

/// The joint that was turned farthest against its parent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointTurned {
    /// Its name in the file.
    pub joint: String,
    /// Held for 0.05 s, degrees.
    pub held_deg: f64,
    /// When it is farthest, s.
    pub at_secs: f64,
}

/// A knee that goes farther back than before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KneeBack {
    /// Its name in the file.
    pub joint: String,
    /// Beyond straight before, degrees; negative is bent.
    pub before_deg: f64,
    /// Beyond straight after, degrees.
    pub after_deg: f64,
    /// When it is farthest, s.
    pub at_secs: f64,
}

/// A peak of a part of the body, before and after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PartPeak {
    /// Which.
    pub part: BodyPart,
    /// In the unit of the list it stands in.
    pub before: f64,
    /// The same of the result.
    pub after: f64,
}

/// How far an edit took a motion.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Fidelity {
    /// Whether both have the same frames; without, ways and turns are not compared.
    pub same_frames: bool,
    /// How far parts of the body went.
    pub moved: Vec<PartMoved>,
    /// The joint that was turned farthest.
    pub worst_joint: Option<JointTurned>,
    /// All main joints and frames, root of the mean square, degrees.
    pub joints_rms_deg: Option<f64>,
    /// How much lower the pelvis is on average, m; negative where it is higher.
    pub lowered_m: Option<f64>,
    /// The hand that is turned farthest against its forearm beyond every pose that it has before.
    pub wrist_turned: Option<JointTurned>,
    /// The knee that goes farther back than before by most.
    pub knee_back: Option<KneeBack>,
    /// Speed that hands, feet, head and pelvis reach in 2 % of the time, m/s.
    pub speed_peaks: Vec<PartPeak>,
    /// Acceleration that they reach in 0.5 % of the time, m/s².
    pub acceleration_peaks: Vec<PartPeak>,
    /// Accelerations are second differences over so long a step, s.
    #[serde(skip)]
    pub acceleration_step_secs: f64,
    /// How far touchdowns and lift-offs moved in time, s: the mean of all that both motions have.
    pub events_moved_secs: Option<f64>,
    /// The farthest of them, s.
    pub events_moved_most_secs: Option<f64>,
}

impl Fidelity {
    /// What an edit changed. `None` where the motions have different skeletons or too few frames to say anything.
    pub fn of(before: &Take, after: &Take) -> Option<Self> {
        let (first, second) = (before.clip(), after.clip());
        let alike = |a: &Clip, b: &Clip| a.skeleton().len() == b.skeleton().len();
        if !alike(first, second) || first.frame_count() < 2 || second.frame_count() < 2 {
            return None;
        }
        let (hz, after_hz) = (rate_hz(first)?, rate_hz(second)?);
        let skipped = usize::from(first_frame::is_stray(first));
        let same_frames = first.frame_count() == second.frame_count() && (hz / after_hz - 1.0).abs() < 1e-6;
        let posed = [
            Posed::of_clip(first, skipped),
            Posed::of_clip(second, if same_frames { skipped } else { usize::from(first_frame::is_stray(second)) }),
        ];
        if posed.iter().any(|posed| posed.rows() < 2) {
            return None;
        }
        let roles = before.roles();
        let mut fidelity = Self { same_frames, ..Self::default() };
        if same_frames {
            ways::compare(before, &posed, hz, skipped, &mut fidelity);
            fidelity.compare_joints([first, second], &main_joints(roles, first.skeleton().len()), skipped, hz);
        }
        fidelity.wrist_turned = wrists::farthest(roles, [first, second], skipped, after_hz);
        fidelity.knee_back = knee_back(before, after, &posed, [hz, after_hz], skipped);
        peaks::compare(roles, &posed, [hz, after_hz], &mut fidelity);
        Some(fidelity)
    }

    /// The same with what became of touchdowns and lift-offs.
    #[must_use]
    pub fn with_events(mut self, before: &ContactAnalysis, after: &ContactAnalysis) -> Self {
        let moved_secs = events_moved_secs(&before.contacts, &after.contacts);
        if self.same_frames && !moved_secs.is_empty() {
            self.events_moved_secs = Some(moved_secs.iter().sum::<f64>() / moved_secs.len() as f64);
            self.events_moved_most_secs = moved_secs.into_iter().reduce(f64::max);
        }
        self
    }

    /// How far a part went, m.
    pub fn moved_m(&self, part: BodyPart) -> Option<f64> {
        self.moved.iter().find(|moved| moved.part == part).map(|moved| moved.held_m)
    }

    fn compare_joints(&mut self, clips: [&Clip; 2], joints: &[JointId], skipped: usize, hz: f64) {
        let rows = clips[0].frame_count() - skipped;
        let (mut squares, mut count) = (0.0, 0usize);
        let mut angles_deg = vec![0.0; rows];
        for &joint in joints {
            for (row, angle_deg) in angles_deg.iter_mut().enumerate() {
                let frame = aplomb_motion::FrameIndex(row + skipped);
                let [a, b] = clips.map(|clip| clip.rotation(frame, joint));
                let turned_deg = so3::angle_between(a, b).to_degrees();
                *angle_deg = if turned_deg > ROUNDING_DEG { turned_deg } else { 0.0 };
                squares += *angle_deg * *angle_deg;
            }
            count += rows;
            let least_deg = self.worst_joint.as_ref().map_or(0.0, |worst| worst.held_deg);
            let Some((held_deg, row)) = sustained(&angles_deg, sustained_rows(hz), least_deg) else { continue };
            let joint = clips[0].skeleton().joint(joint).name.clone();
            let at_secs = clips[0].time_secs(aplomb_motion::FrameIndex(row + skipped));
            self.worst_joint = Some(JointTurned { joint, held_deg, at_secs });
        }
        self.joints_rms_deg = (count > 0).then(|| (squares / count as f64).sqrt());
    }
}

/// Rotations that are equal but for rounding are this far apart at most, degrees.
const ROUNDING_DEG: f64 = 1e-4;

/// Frames a second of an even clip.
fn rate_hz(clip: &Clip) -> Option<f64> {
    let even = clip.timeline().uniform().map(|time| time.hz());
    let mean = || (clip.frame_count() - 1) as f64 / clip.duration_secs();
    Some(even.unwrap_or_else(mean)).filter(|hz| hz.is_finite() && *hz > 0.0)
}

/// Joints that have a role in trunk, head and limbs; all of them, where hardly any is known. Toes, fingers and helpers
/// are left out: captures hold hardly any data of them.
fn main_joints(roles: &Roles, joint_count: usize) -> Vec<JointId> {
    const LEAST_KNOWN: usize = 3;
    let is_main = |joint: &JointId| {
        let of_limb = |role| {
            matches!(
                role,
                Role::Hips
                    | Role::Spine(_)
                    | Role::Neck(_)
                    | Role::Head
                    | Role::Clavicle(_)
                    | Role::UpperArm(_)
                    | Role::Forearm(_)
                    | Role::Hand(_)
                    | Role::Thigh(_)
                    | Role::Shank(_)
                    | Role::Foot(_)
            )
        };
        roles.role(*joint).is_some_and(of_limb)
    };
    let known: Vec<JointId> = (0..joint_count).map(JointId::new).filter(is_main).collect();
    if known.len() >= LEAST_KNOWN { known } else { (0..joint_count).map(JointId::new).collect() }
}

/// The knee that lost most of its bend beyond straight. Each motion tells its own hinges; the farthest back that lasts
/// is compared, not frame with frame, so that retimed motions are judged, too.
fn knee_back(before: &Take, after: &Take, posed: &[Posed; 2], hz: [f64; 2], skipped: usize) -> Option<KneeBack> {
    let body = before.body().ok()?;
    let of = |index: usize| {
        let tracks = joint_angles(before.roles(), body, &posed[index]);
        let is_knee = |motion| motion == JointMotion::KneeBackward;
        let knees = tracks.into_iter().filter(move |track| is_knee(track.motion));
        let farthest = |angles: &[f64]| sustained(angles, sustained_rows(hz[index]), f64::NEG_INFINITY);
        knees.filter_map(|track| Some((track.joint, farthest(&track.angles_deg)?))).collect::<Vec<_>>()
    };
    let (first, second) = (of(0), of(1));
    let pairs = second.into_iter().filter_map(|(joint, (after_deg, row))| {
        let (_, (before_deg, _)) = first.iter().find(|(own, _)| *own == joint)?;
        let at_secs = after.clip().time_secs(aplomb_motion::FrameIndex(row + skipped));
        let name = after.clip().skeleton().joint(joint).name.clone();
        Some(KneeBack { joint: name, before_deg: *before_deg, after_deg, at_secs })
    });
    pairs.max_by(|a, b| (a.after_deg - a.before_deg).total_cmp(&(b.after_deg - b.before_deg)))
}

/// By how much the ends of contacts moved that both motions have: those of one point that overlap for half of the
/// longer one.
fn events_moved_secs(before: &[Contact], after: &[Contact]) -> Vec<f64> {
    const LEAST_OVERLAP: f64 = 0.5;
    let mut moved = Vec::new();
    for first in before {
        let overlap = |second: &Contact| {
            let shared = first.end_secs.min(second.end_secs) - first.start_secs.max(second.start_secs);
            shared / (first.end_secs - first.start_secs).max(second.end_secs - second.start_secs).max(1e-9)
        };
        let same = after.iter().find(|second| second.effector == first.effector && overlap(second) > LEAST_OVERLAP);
        if let Some(second) = same {
            moved.push((second.start_secs - first.start_secs).abs());
            moved.push((second.end_secs - first.end_secs).abs());
        }
    }
    moved
}

#[cfg(test)]
mod tests;
