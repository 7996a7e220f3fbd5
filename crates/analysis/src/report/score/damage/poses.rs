//! Poses and recordings that are spoiled for a moment: what trackers, careless keys and hung recordings do.

use super::{Chance, moved};
use aplomb_motion::edit::EditError;
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Roles, Side, WorldPose, so3};
use glam::{DQuat, DVec3};
use std::ops::Range;

/// Frames at the rate of optical captures.
const OPTICAL_HZ: f64 = 120.0;
/// Eased in and out over this, s.
const POSE_EASE_SECS: f64 = 0.15;

/// A way to spoil a motion for a moment. The moment and the side are drawn by chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseDamage {
    /// A knee bends by 40° more, for four frames.
    KneePop,
    /// A foot is turned by 150° about the shank, for 30 frames.
    FootFlip,
    /// A forearm is turned by 120° about itself, for 30 frames.
    ForearmFlip,
    /// A knee is turned back by 60°, for 0.33 s.
    KneeBackward,
    /// The foot flip, eased in and out over 0.15 s.
    FootFlipEased,
    /// The forearm flip, eased.
    ForearmFlipEased,
    /// The knee, eased.
    KneeBackwardEased,
    /// The head turned by 120°, eased.
    HeadTurnEased,
    /// One joint of the spine bent by 66°, eased.
    SpineEased,
    /// Twelve frames repeat the one before.
    Frozen,
    /// The middle third floats so high, m (below zero: sinks).
    Float(f64),
    /// The middle third drifts sideways at so many m/s, and stays off its way afterwards.
    DriftMiddle(f64),
    /// The whole clip does.
    Drift(f64),
}

/// What is turned, about what, how far, how long.
struct Turn {
    joint: JointId,
    axis_in_parent: Vec<DVec3>,
    angle_rad: f64,
    frames: Range<usize>,
    ease_frames: f64,
}

impl PoseDamage {
    /// All of them, in the order of the documentation.
    pub const ALL: [PoseDamage; 16] = [
        PoseDamage::KneePop,
        PoseDamage::FootFlip,
        PoseDamage::ForearmFlip,
        PoseDamage::KneeBackward,
        PoseDamage::FootFlipEased,
        PoseDamage::ForearmFlipEased,
        PoseDamage::KneeBackwardEased,
        PoseDamage::HeadTurnEased,
        PoseDamage::SpineEased,
        PoseDamage::Frozen,
        PoseDamage::Float(0.06),
        PoseDamage::Float(0.03),
        PoseDamage::Float(-0.08),
        PoseDamage::Float(-0.05),
        PoseDamage::DriftMiddle(0.1),
        PoseDamage::Drift(0.1),
    ];

    /// For tables.
    pub fn title(self) -> String {
        match self {
            PoseDamage::KneePop => "knee pop".to_owned(),
            PoseDamage::FootFlip => "foot flip".to_owned(),
            PoseDamage::ForearmFlip => "forearm flip".to_owned(),
            PoseDamage::KneeBackward => "knee backward".to_owned(),
            PoseDamage::FootFlipEased => "foot flip, eased".to_owned(),
            PoseDamage::ForearmFlipEased => "forearm flip, eased".to_owned(),
            PoseDamage::KneeBackwardEased => "knee backward, eased".to_owned(),
            PoseDamage::HeadTurnEased => "head turned, eased".to_owned(),
            PoseDamage::SpineEased => "one spine joint, eased".to_owned(),
            PoseDamage::Frozen => "frozen 12".to_owned(),
            PoseDamage::Float(height_m) if height_m > 0.0 => format!("float {:.0} cm, middle", 100.0 * height_m),
            PoseDamage::Float(height_m) => format!("sink {:.0} cm, middle", -100.0 * height_m),
            PoseDamage::DriftMiddle(speed) => format!("drift {:.0} cm/s, middle", 100.0 * speed),
            PoseDamage::Drift(speed) => format!("drift {:.0} cm/s", 100.0 * speed),
        }
    }

    /// The spoiled clip; `None` where the skeleton lacks the part or the clip is too short.
    pub fn apply(self, clip: &Clip, roles: &Roles, seed: u64) -> Result<Option<Clip>, EditError> {
        let mut chance = Chance::new(seed);
        let side = if chance.uniform() < 0.5 { Side::Left } else { Side::Right };
        let moment = chance.uniform();
        let hz = (clip.frame_count().max(2) - 1) as f64 / clip.duration_secs().max(1e-9);
        let flip = 30.0 / OPTICAL_HZ;
        let turned = |role: Role, axis: Axis, degrees: f64, secs: f64, is_eased: bool| {
            let turn = turn(clip, roles, role, axis, degrees, (secs, moment, is_eased), hz)?;
            Some(turn.applied(clip))
        };
        let spine = (0..u16::MAX).map_while(|number| roles.joint(Role::Spine(number)).map(|_| Role::Spine(number)));
        let spine: Vec<Role> = spine.collect();
        Ok(match self {
            PoseDamage::KneePop => turned(Role::Shank(side), Axis::Left, 40.0, 4.0 / OPTICAL_HZ, false),
            PoseDamage::FootFlip => turned(Role::Foot(side), Axis::Bone(Role::Shank(side)), 150.0, flip, false),
            PoseDamage::FootFlipEased => turned(Role::Foot(side), Axis::Bone(Role::Shank(side)), 150.0, flip, true),
            PoseDamage::ForearmFlip => turned(Role::Forearm(side), Axis::Own, 120.0, flip, false),
            PoseDamage::ForearmFlipEased => turned(Role::Forearm(side), Axis::Own, 120.0, flip, true),
            PoseDamage::KneeBackward => turned(Role::Shank(side), Axis::Left, -60.0, 0.33, false),
            PoseDamage::KneeBackwardEased => turned(Role::Shank(side), Axis::Left, -60.0, 0.33, true),
            PoseDamage::HeadTurnEased => turned(Role::Head, Axis::Up, 120.0, 0.33, true),
            PoseDamage::SpineEased => {
                let role = spine.get(spine.len() / 2).copied().unwrap_or(Role::Spine(0));
                turned(role, Axis::Left, 66.0, 0.33, true)
            }
            PoseDamage::Frozen => frozen(clip, moment)?,
            PoseDamage::Float(height_m) => Some(moved(clip, |frame| {
                let secs = clip.time_secs(FrameIndex(frame)) - clip.time_secs(FrameIndex(0));
                (DQuat::IDENTITY, DVec3::Y * height_m * super::middle_third(secs, clip.duration_secs()))
            })?),
            PoseDamage::DriftMiddle(speed) => Some(drifted(clip, roles, speed, true)?),
            PoseDamage::Drift(speed) => Some(drifted(clip, roles, speed, false)?),
        })
    }
}

/// What a joint is turned about.
#[derive(Clone, Copy)]
enum Axis {
    /// From the right hip to the left.
    Left,
    /// Upright.
    Up,
    /// The bone from this joint to the one that is turned.
    Bone(Role),
    /// The bone below the joint that is turned.
    Own,
}

fn turn(
    clip: &Clip,
    roles: &Roles,
    role: Role,
    axis: Axis,
    degrees: f64,
    (secs, moment, is_eased): (f64, f64, bool),
    hz: f64,
) -> Option<Turn> {
    let joint = roles.joint(role)?;
    let parent = clip.skeleton().joint(joint).parent?;
    let ease_secs = if is_eased { POSE_EASE_SECS } else { 0.0 };
    let length = (((secs + 2.0 * ease_secs) * hz).round() as usize).max(1);
    // Not at the ends: those are often held or cut.
    let room = clip.frame_count().checked_sub(length + 20)?;
    let start = 10 + (moment * room as f64) as usize;
    let hips = [Role::Thigh(Side::Left), Role::Thigh(Side::Right)].map(|role| roles.joint(role));
    let below = match role {
        Role::Forearm(side) => roles.joint(Role::Hand(side)),
        _ => None,
    };
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let axis_in_parent = (start..start + length).map(|frame| {
        pose.pose(clip, FrameIndex(frame));
        let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
        let in_world = match axis {
            Axis::Left => at(hips[0]?) - at(hips[1]?),
            Axis::Up => DVec3::Y,
            Axis::Bone(from) => at(joint) - at(roles.joint(from)?),
            Axis::Own => at(below?) - at(joint),
        };
        Some((pose.world_from_joint[parent.index()].conjugate() * in_world).normalize_or_zero())
    });
    let axis_in_parent = axis_in_parent.collect::<Option<Vec<DVec3>>>()?;
    let ease_frames = ease_secs * hz;
    Some(Turn { joint, axis_in_parent, angle_rad: degrees.to_radians(), frames: start..start + length, ease_frames })
}

impl Turn {
    fn applied(&self, clip: &Clip) -> Clip {
        let mut spoiled = clip.clone();
        let joints = clip.skeleton().len();
        for (index, frame) in self.frames.clone().enumerate() {
            let from_end = (index as f64 + 1.0).min((self.frames.len() - index) as f64);
            let share = if self.ease_frames > 0.0 { (from_end / self.ease_frames).min(1.0) } else { 1.0 };
            let eased = share * share * (3.0 - 2.0 * share);
            let turn = so3::exp(self.axis_in_parent[index] * (self.angle_rad * eased));
            let rotation = &mut spoiled.rotations_mut()[frame * joints + self.joint.index()];
            *rotation = (turn * *rotation).normalize();
        }
        spoiled
    }
}

/// Twelve frames, wherever, are the one before.
fn frozen(clip: &Clip, moment: f64) -> Result<Option<Clip>, EditError> {
    const FRAMES: usize = 12;
    let Some(room) = clip.frame_count().checked_sub(FRAMES + 20) else { return Ok(None) };
    let start = 10 + (moment * room as f64) as usize;
    let (skeleton, timeline, frames, mut rotations, mut tracks) = clip.clone().into_parts();
    let joints = skeleton.len();
    for frame in start..start + FRAMES {
        rotations.copy_within((start - 1) * joints..start * joints, frame * joints);
        for track in &mut tracks {
            track.positions_m[frame] = track.positions_m[start - 1];
        }
    }
    Ok(Some(Clip::new(skeleton, timeline, frames, rotations, tracks)?))
}

fn drifted(clip: &Clip, roles: &Roles, speed: f64, is_middle: bool) -> Result<Clip, EditError> {
    let sideways = super::Way::of(clip, roles).ahead.cross(DVec3::Y);
    let whole_secs = clip.duration_secs();
    let start_secs = clip.time_secs(FrameIndex(0));
    let drifting_secs = |secs: f64| match is_middle {
        true => (secs - whole_secs / 3.0).clamp(0.0, whole_secs / 3.0),
        false => secs,
    };
    moved(clip, |frame| {
        let secs = clip.time_secs(FrameIndex(frame)) - start_secs;
        (DQuat::IDENTITY, sideways * (speed * drifting_secs(secs)))
    })
}
