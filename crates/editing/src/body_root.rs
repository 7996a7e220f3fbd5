//! The joint that carries the whole body through the world.

use aplomb_motion::{Clip, ClipError, JointId, Role, Roles, Skeleton, TranslationTrack};
use glam::{DQuat, DVec3};

/// The joint whose translation moves the body, and the way down to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BodyRoot {
    pub joint: JointId,
    /// Joints above it, the topmost first.
    above: Vec<JointId>,
}

impl BodyRoot {
    /// The lowest joint at or above the hips that has a translation track, else the root above them.
    pub fn of(clip: &Clip, roles: &Roles) -> Option<Self> {
        let skeleton = clip.skeleton();
        let hips = roles.joint(Role::Hips).or_else(|| skeleton.roots().next())?;
        let chain: Vec<JointId> =
            std::iter::once(hips).chain(skeleton.ancestors(hips).filter(|&id| id != hips)).collect();
        let joint = chain.iter().copied().find(|&id| clip.track(id).is_some()).or(chain.last().copied())?;
        Some(Self::at(skeleton, joint))
    }

    /// The highest joint at or above the hips whose place changes, so that all that follows the body follows it; else
    /// as [`Self::of`]. A joint that stands on the floor all the time (Bandai's `joint_Root`) marks the world's origin
    /// and is left where it is.
    fn carrier(clip: &Clip, hips: JointId) -> Option<Self> {
        let skeleton = clip.skeleton();
        let mut chain: Vec<JointId> =
            std::iter::once(hips).chain(skeleton.ancestors(hips).filter(|&id| id != hips)).collect();
        chain.reverse();
        let moves = |id: JointId| clip.track(id).is_some_and(|track_m| track_m.windows(2).any(|two| two[0] != two[1]));
        let joint = chain.iter().copied().find(|&id| moves(id));
        let joint = joint.or_else(|| chain.iter().rev().copied().find(|&id| clip.track(id).is_some()));
        Some(Self::at(skeleton, joint.or(chain.first().copied())?))
    }

    fn at(skeleton: &Skeleton, joint: JointId) -> Self {
        let mut above: Vec<JointId> = skeleton.ancestors(joint).filter(|&id| id != joint).collect();
        above.sort();
        Self { joint, above }
    }

    /// Joints above it, the topmost first.
    pub fn above(&self) -> &[JointId] {
        &self.above
    }

    /// The clip with a translation track for this joint, so that it can be moved.
    pub fn with_track(&self, clip: Clip) -> Result<Clip, ClipError> {
        if clip.track(self.joint).is_some() {
            return Ok(clip);
        }
        let (skeleton, timeline, frames, rotations, mut tracks) = clip.into_parts();
        let positions_m = vec![skeleton.joint(self.joint).offset_m; frames];
        tracks.push(TranslationTrack { joint: self.joint, positions_m });
        Clip::new(skeleton, timeline, frames, rotations, tracks)
    }

    /// Rotation of the joint's parent in the world.
    pub fn world_from_parent(&self, rotations: &[DQuat]) -> DQuat {
        self.above.iter().fold(DQuat::IDENTITY, |world, joint| world * rotations[joint.index()])
    }

    /// A displacement in the world as the joint's track counts it.
    pub fn in_parent(&self, rotations: &[DQuat], shift_m: DVec3) -> DVec3 {
        if self.above.is_empty() { shift_m } else { self.world_from_parent(rotations).conjugate() * shift_m }
    }
}

/// The joint that carries the body with these hips, then the roots of whatever else is in the clip.
pub(crate) fn carriers(clip: &Clip, hips: JointId) -> Vec<BodyRoot> {
    let skeleton = clip.skeleton();
    let body = BodyRoot::carrier(clip, hips);
    let others = skeleton.roots().filter(|&root| !skeleton.is_in_subtree(hips, root));
    body.into_iter().chain(others.map(|root| BodyRoot::at(skeleton, root))).collect()
}

/// Rotation of a joint's parent in the world, for joints near the root.
pub(crate) fn world_from_parent(skeleton: &Skeleton, rotations: &[DQuat], joint: JointId) -> DQuat {
    let mut world_from_parent = DQuat::IDENTITY;
    let mut above = skeleton.parent(joint);
    while let Some(id) = above {
        world_from_parent = rotations[id.index()] * world_from_parent;
        above = skeleton.parent(id);
    }
    world_from_parent
}
