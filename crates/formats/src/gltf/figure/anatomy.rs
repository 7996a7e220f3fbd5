//! What the skeleton says about the body: its bones, what they are, how large it is, and which way is up, left and
//! forward.

use crate::gltf::rest;
use aplomb_motion::roles::Digit;
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Roles, Side, Skeleton, WorldPose, stature};
use glam::DVec3;

/// What the bone that starts at a joint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Above the body: its bones are not drawn.
    SceneRoot,
    Trunk,
    Neck,
    Head,
    Clavicle,
    UpperArm,
    Forearm,
    Hand,
    Finger,
    Thigh,
    Shank,
    Foot,
    Toe,
    /// Tails, ears, markers, things held.
    Small,
    Plain,
}

/// From a joint to a child or an end site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bone {
    pub joint: JointId,
    /// The far end in the joint's frame.
    pub end_m: DVec3,
    pub part: Part,
    /// The part that follows; the bone's own where it ends.
    pub to_part: Part,
}

impl Bone {
    pub fn length_m(&self) -> f64 {
        self.end_m.length()
    }
}

/// Everything that the thickness of bones depends on.
pub(super) struct Anatomy<'a> {
    pub skeleton: &'a Skeleton,
    pub roles: &'a Roles,
    /// Local translations at rest.
    pub rest_m: Vec<DVec3>,
    pub parts: Vec<Part>,
    pub bones: Vec<Bone>,
    /// Stature of a person; of anything else the length of the longest way through its bones, about.
    pub size_m: f64,
    /// Where something is drawn if nothing else is.
    pub centre: JointId,
    poses: Vec<WorldPose>,
}

/// Poses looked at: enough for means of directions, and few enough to cost nothing.
const ANATOMY_POSES: usize = 32;

impl<'a> Anatomy<'a> {
    pub fn new(clip: &'a Clip, roles: &'a Roles) -> Self {
        let skeleton = clip.skeleton();
        let rest_m = rest::translations_m(clip);
        let parts = parts(skeleton, roles);
        let bones = bones(skeleton, &rest_m, &parts);
        let size_m = match stature::of_clip(clip, roles) {
            Some(stature) => stature.metres,
            None => extent_m(&bones),
        };
        let centre = roles.joint(Role::Hips).unwrap_or(JointId::new(0));
        Self { skeleton, roles, rest_m, parts, bones, size_m, centre, poses: sampled_poses(clip) }
    }

    pub fn part(&self, joint: JointId) -> Part {
        self.parts[joint.index()]
    }

    /// Hips to neck along the bones; 0 if there is no such thing.
    pub fn trunk_m(&self) -> f64 {
        self.trunk_chain().iter().skip(1).map(|joint| self.rest_m[joint.index()].length()).sum()
    }

    /// From the hips to where the neck begins, both included.
    pub fn trunk_chain(&self) -> Vec<JointId> {
        let chain = self.roles.spine_chain();
        let above = chain.iter().position(|&joint| matches!(self.part(joint), Part::Neck | Part::Head));
        chain[..above.map_or(chain.len(), |neck| neck + 1)].to_vec()
    }

    /// From the right to the left joint of a pair, in the frame of `joint`, on average.
    pub fn left_in(&self, joint: JointId, pair: fn(Side) -> Role) -> Option<DVec3> {
        let (left, right) = (self.roles.joint(pair(Side::Left))?, self.roles.joint(pair(Side::Right))?);
        self.mean_direction_in(joint, |pose| pose.joint_in_world_m[left.index()] - pose.joint_in_world_m[right.index()])
    }

    fn mean_direction_in(&self, joint: JointId, direction: impl Fn(&WorldPose) -> DVec3) -> Option<DVec3> {
        let in_joint =
            |pose: &WorldPose| pose.world_from_joint[joint.index()].inverse() * direction(pose).normalize_or_zero();
        self.poses.iter().map(in_joint).sum::<DVec3>().try_normalize()
    }

    /// Up and forward in the frame of a foot, in the pose where it is lowest: then it stands.
    pub fn standing(&self, foot: JointId) -> Option<(DVec3, DVec3)> {
        let height_m = |pose: &&WorldPose| pose.joint_in_world_m[foot.index()].y;
        let pose = self.poses.iter().min_by(|a, b| height_m(a).total_cmp(&height_m(b)))?;
        let (left, right) = (self.roles.joint(Role::Thigh(Side::Left))?, self.roles.joint(Role::Thigh(Side::Right))?);
        let left = pose.joint_in_world_m[left.index()] - pose.joint_in_world_m[right.index()];
        // X left, Y up, Z forward: z = x × y.
        let forward = left.cross(DVec3::Y).try_normalize()?;
        let foot_from_world = pose.world_from_joint[foot.index()].inverse();
        Some((foot_from_world * DVec3::Y, foot_from_world * forward))
    }
}

fn parts(skeleton: &Skeleton, roles: &Roles) -> Vec<Part> {
    // A joint without a segment of its own continues the one above it if a named joint follows, else it is an ornament.
    let mut leads_on = vec![false; skeleton.len()];
    for joint in skeleton.ids().rev() {
        let is_named = !matches!(roles.role(joint), None | Some(Role::Helper | Role::Prop));
        if let Some(parent) = skeleton.parent(joint)
            && (is_named || leads_on[joint.index()])
        {
            leads_on[parent.index()] = true;
        }
    }
    let anything_known = leads_on.iter().any(|&leads| leads);
    let mut parts: Vec<Part> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.ids() {
        let above = skeleton.parent(joint).map(|parent| parts[parent.index()]);
        let part = match roles.role(joint) {
            Some(role) if role != Role::Helper && role != Role::Prop => of_role(role),
            _ if !anything_known => Part::Plain,
            _ => match above {
                None => Part::SceneRoot,
                Some(above) if leads_on[joint.index()] => above,
                Some(_) => Part::Small,
            },
        };
        parts.push(part);
    }
    parts
}

fn of_role(role: Role) -> Part {
    match role {
        Role::SceneRoot => Part::SceneRoot,
        Role::Hips | Role::Spine(_) => Part::Trunk,
        Role::Neck(_) => Part::Neck,
        Role::Head => Part::Head,
        Role::Clavicle(_) => Part::Clavicle,
        Role::UpperArm(_) => Part::UpperArm,
        Role::Forearm(_) => Part::Forearm,
        Role::Hand(_) => Part::Hand,
        Role::Finger(_, Digit::Fingers, _) => Part::Hand,
        Role::Finger(..) => Part::Finger,
        Role::Thigh(_) => Part::Thigh,
        Role::Shank(_) => Part::Shank,
        Role::Foot(_) => Part::Foot,
        Role::Toe(_) => Part::Toe,
        Role::Jaw | Role::Tail(_) | Role::Eye(_) | Role::Ear(_) => Part::Small,
        Role::Ball | Role::Prop | Role::Helper => Part::Plain,
    }
}

/// Bones above the body lead from the origin of the file to the figure: they are no part of it.
fn bones(skeleton: &Skeleton, rest_m: &[DVec3], parts: &[Part]) -> Vec<Bone> {
    let mut bones = Vec::new();
    for joint in skeleton.ids().filter(|joint| parts[joint.index()] != Part::SceneRoot) {
        let part = parts[joint.index()];
        bones.extend(skeleton.children(joint).iter().map(|&child| {
            let to_part = parts[child.index()];
            Bone { joint, end_m: rest_m[child.index()], part, to_part }
        }));
        let ends = skeleton.joint(joint).end_sites.iter();
        bones.extend(ends.map(|site| Bone { joint, end_m: site.offset_m, part, to_part: part }));
    }
    bones
}

/// How large a body is of which nothing is known.
fn extent_m(bones: &[Bone]) -> f64 {
    let lengths = || bones.iter().map(Bone::length_m).filter(|length| length.is_finite());
    let total: f64 = lengths().sum();
    let longest = lengths().fold(0.0, f64::max);
    // A body with four limbs has about four heights of bones; a chain has one; nothing is shorter than its longest
    // bone.
    longest.max(total / 4.0)
}

fn sampled_poses(clip: &Clip) -> Vec<WorldPose> {
    let count = clip.frame_count().min(ANATOMY_POSES);
    let frame = |sample: usize| FrameIndex(sample * (clip.frame_count() - 1) / (count - 1).max(1));
    let mut poses: Vec<WorldPose> = Vec::with_capacity(count.max(1));
    for sample in 0..count {
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        pose.pose(clip, frame(sample));
        poses.push(pose);
    }
    if poses.is_empty() {
        let joint_in_world_m = clip.skeleton().rest_positions_m();
        poses.push(WorldPose { joint_in_world_m, ..WorldPose::for_skeleton(clip.skeleton()) });
    }
    poses
}
