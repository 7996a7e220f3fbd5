//! Joint centres over time as a clip of a person's skeleton.

use super::centres::{Centres, SideCentres, centres, facing, turned};
use super::{MarkerSet, MarkersError};
use crate::axes::Axis;
use crate::channels::Channels;
use crate::clip::{Clip, TranslationTrack};
use crate::ids::JointId;
use crate::roles::{Role, Roles, Side};
use crate::skeleton::Skeleton;
use crate::time::{FrameTime, Timeline};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Where the upper trunk begins, from the lumbar joint to the neck: the xiphoid's height, which parts upper from middle
/// trunk (de Leva 1996: 242 of 603 mm below C7, over the 0.8 of that line which lies above the lumbar joint).
const CHEST_UP_THE_TRUNK: f64 = 0.5;

/// A person found in markers.
#[derive(Clone, Debug)]
pub struct MarkerPerson {
    /// Joints stand at the joint centres, frame by frame: bones may stretch as skin slides. Time starts at the first
    /// frame.
    pub clip: Clip,
    /// What its joints are: known, not guessed.
    pub roles: Roles,
    /// Markers that could not be used.
    pub warnings: Vec<String>,
}

/// Joint centres, bones and roles from markers.
pub fn person_clip(markers: &MarkerSet) -> Result<MarkerPerson, MarkersError> {
    let centres = centres(markers)?;
    let mut draft = Draft::new(centres.frames);
    let mid_hip_m = (0..centres.frames).map(|frame| {
        let [left, right] = &centres.sides;
        left.hip_m[frame].midpoint(right.hip_m[frame])
    });
    let hips = draft.joint(None, "Hips", Role::Hips, mid_hip_m.collect(), centres.pelvis.clone());
    for side in &centres.sides {
        leg(&mut draft, hips, side, &centres);
    }
    let spine = draft.joint(Some(hips), "Spine", Role::Spine(0), centres.lumbar_m.clone(), centres.thorax.clone());
    // The upper trunk hangs from the neck, the lower stands on the pelvis: skin slides on both ends, and each end knows
    // its own half.
    let length_m =
        (0..centres.frames).map(|frame| centres.neck_m[frame].distance(centres.lumbar_m[frame])).sum::<f64>()
            / centres.frames.max(1) as f64;
    let below_neck_m = DVec3::Y * ((1.0 - CHEST_UP_THE_TRUNK) * length_m);
    let chest_m = (0..centres.frames).map(|frame| centres.neck_m[frame] - centres.thorax[frame] * below_neck_m);
    let chest = draft.joint(Some(spine), "Spine1", Role::Spine(1), chest_m.collect(), centres.thorax.clone());
    draft.joint(Some(chest), "Head", Role::Head, centres.neck_m.clone(), centres.head.clone());
    for side in &centres.sides {
        arm(&mut draft, chest, side, &centres);
    }
    let frame_time = FrameTime::from_hz(markers.rate_hz)?;
    let (clip, given) = draft.finish(Timeline::Uniform(frame_time))?;
    let roles = Roles::detect(&clip).with_overrides(&given);
    Ok(MarkerPerson { clip, roles, warnings: centres.warnings })
}

fn leg(draft: &mut Draft, hips: JointId, of: &SideCentres, centres: &Centres) {
    let name = |part: &str| format!("{}{part}", prefix(of.side));
    let left = |frame: usize| centres.pelvis[frame] * DVec3::X;
    let along = |from_m: &[DVec3], to_m: &[DVec3]| -> Vec<DQuat> {
        (0..centres.frames).map(|frame| turned(from_m[frame] - to_m[frame], left(frame))).collect()
    };
    let thigh = along(&of.hip_m, &of.knee_m);
    let shank = along(&of.knee_m, &of.ankle_m);
    let ahead = |from_m: &[DVec3], to_m: &[DVec3]| -> Vec<DQuat> {
        (0..centres.frames).map(|frame| facing(to_m[frame] - from_m[frame], of.foot_left[frame])).collect()
    };
    let foot = ahead(&of.heel_m, &of.ball_m);
    let toes = ahead(&of.ball_m, &of.toe_m);
    let thigh = draft.joint(Some(hips), &name("UpLeg"), Role::Thigh(of.side), of.hip_m.clone(), thigh);
    let shank = draft.joint(Some(thigh), &name("Leg"), Role::Shank(of.side), of.knee_m.clone(), shank);
    let foot = draft.joint(Some(shank), &name("Foot"), Role::Foot(of.side), of.ankle_m.clone(), foot);
    draft.end_site(foot, &of.heel_m);
    let toe = draft.joint(Some(foot), &name("ToeBase"), Role::Toe(of.side), of.ball_m.clone(), toes);
    draft.end_site(toe, &of.toe_m);
}

fn arm(draft: &mut Draft, spine: JointId, of: &SideCentres, centres: &Centres) {
    let name = |part: &str| format!("{}{part}", prefix(of.side));
    let along = |from_m: &[DVec3], to_m: &[DVec3]| -> Vec<DQuat> {
        let left = |frame: usize| centres.thorax[frame] * DVec3::X;
        (0..centres.frames).map(|frame| turned(from_m[frame] - to_m[frame], left(frame))).collect()
    };
    let (upper, fore) = (along(&of.shoulder_m, &of.elbow_m), along(&of.elbow_m, &of.wrist_m));
    let upper = draft.joint(Some(spine), &name("Arm"), Role::UpperArm(of.side), of.shoulder_m.clone(), upper);
    let forearm = draft.joint(Some(upper), &name("ForeArm"), Role::Forearm(of.side), of.elbow_m.clone(), fore.clone());
    // No markers beyond the wrist: the hand goes on as the forearm does.
    draft.joint(Some(forearm), &name("Hand"), Role::Hand(of.side), of.wrist_m.clone(), fore);
}

fn prefix(side: Side) -> &'static str {
    match side {
        Side::Left => "Left",
        Side::Right => "Right",
    }
}

/// As [`Roles::with_overrides`] takes them.
type GivenRoles = Vec<(JointId, Option<Role>)>;

/// Joints with their places and rotations in the world.
struct Draft {
    frames: usize,
    joints: Vec<DraftJoint>,
}

struct DraftJoint {
    parent: Option<JointId>,
    name: String,
    role: Role,
    world_m: Vec<DVec3>,
    world_from_joint: Vec<DQuat>,
    end_site_m: Option<DVec3>,
}

impl Draft {
    fn new(frames: usize) -> Self {
        Self { frames, joints: Vec::new() }
    }

    fn joint(
        &mut self,
        parent: Option<JointId>,
        name: &str,
        role: Role,
        world_m: Vec<DVec3>,
        world_from_joint: Vec<DQuat>,
    ) -> JointId {
        self.joints.push(DraftJoint {
            parent,
            name: name.to_owned(),
            role,
            world_m,
            world_from_joint,
            end_site_m: None,
        });
        JointId::new(self.joints.len() - 1)
    }

    /// Ends a chain at the mean place of a path in the joint's frame.
    fn end_site(&mut self, joint: JointId, end_m: &[DVec3]) {
        let joint = &mut self.joints[joint.index()];
        let places = joint.world_from_joint.iter().zip(&joint.world_m).zip(end_m);
        let sum: DVec3 = places.map(|((rotation, at_m), end_m)| rotation.conjugate() * (*end_m - *at_m)).sum();
        joint.end_site_m = Some(sum / self.frames.max(1) as f64);
    }

    fn finish(self, timeline: Timeline) -> Result<(Clip, GivenRoles), MarkersError> {
        let mut builder = Skeleton::builder();
        let mut tracks = Vec::new();
        let mut rotations = vec![DQuat::IDENTITY; self.frames * self.joints.len()];
        for (index, joint) in self.joints.iter().enumerate() {
            let above = joint.parent.map(|parent| &self.joints[parent.index()]);
            let local = |frame: usize| match above {
                None => (joint.world_m[frame], joint.world_from_joint[frame]),
                Some(above) => {
                    let parent_from_world = above.world_from_joint[frame].conjugate();
                    let apart_m = joint.world_m[frame] - above.world_m[frame];
                    (parent_from_world * apart_m, (parent_from_world * joint.world_from_joint[frame]).normalize())
                }
            };
            let mut positions_m = Vec::with_capacity(self.frames);
            for frame in 0..self.frames {
                let (position_m, rotation) = local(frame);
                positions_m.push(position_m);
                rotations[frame * self.joints.len() + index] = rotation;
            }
            let offset_m = positions_m.iter().sum::<DVec3>() / self.frames.max(1) as f64;
            let channels = Channels::rotating([Axis::Z, Axis::X, Axis::Y], true);
            let id = builder.add(joint.parent, joint.name.clone(), offset_m, channels);
            if let Some(end_m) = joint.end_site_m {
                builder.end_site(id, end_m);
            }
            tracks.push(TranslationTrack { joint: id, positions_m });
        }
        let clip = Clip::new(Arc::new(builder.build()?), timeline, self.frames, rotations, tracks)?;
        let given = self.joints.iter().enumerate().map(|(index, joint)| (JointId::new(index), Some(joint.role)));
        Ok((clip, given.collect()))
    }
}
