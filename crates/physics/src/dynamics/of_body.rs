//! A tree of links from a skeleton with masses, and its states from poses.

use super::model::{JointKind, LinkId, Model};
use super::workspace::Workspace;
use crate::body::Body;
use crate::error::PhysicsError;
use crate::spatial::SpatialInertia;
use aplomb_motion::{JointId, Skeleton, WorldPose};
use glam::{DQuat, DVec3};

/// A model and how it belongs to its skeleton.
#[derive(Clone, Debug)]
pub struct BodyModel {
    /// The tree: a link for each joint that carries mass of its own.
    pub model: Model,
    /// For each link the joint it moves with.
    pub joints: Vec<JointId>,
}

impl BodyModel {
    /// Every joint with a link of its own turns as a ball about where it is in `pose`; the topmost ones move freely.
    /// Joints without mass are left out: those between two links keep the bend they have in `pose` (a spine that was
    /// folded, a helper above the thigh).
    ///
    /// Bones are as long as in `pose`, so that files whose offsets are placeholders come out right.
    pub fn new(body: &Body, pose: &WorldPose) -> Result<Self, PhysicsError> {
        Self::with_roots(body, pose, false)
    }

    /// [`BodyModel::new`] with the topmost links fixed where they are in `pose`.
    pub fn held(body: &Body, pose: &WorldPose) -> Result<Self, PhysicsError> {
        Self::with_roots(body, pose, true)
    }

    fn with_roots(body: &Body, pose: &WorldPose, is_held: bool) -> Result<Self, PhysicsError> {
        let skeleton = body.skeleton();
        let is_hub = massless_hubs(body);
        let mut builder = Model::builder();
        let mut joints: Vec<JointId> = Vec::new();
        // The link that moves each joint.
        let mut carrier: Vec<Option<LinkId>> = vec![None; skeleton.len()];
        for id in skeleton.ids() {
            let above = skeleton.parent(id).and_then(|parent| carrier[parent.index()]);
            let own = body.link(id);
            if own.is_none() && !is_hub[id.index()] {
                carrier[id.index()] = above;
                continue;
            }
            let (kind, offset_m) = match above {
                None if is_held => (JointKind::Fixed, pose.joint_in_world_m[id.index()]),
                // A root's place is part of a configuration.
                None => (JointKind::Free, DVec3::ZERO),
                Some(above) => {
                    let above = joints[above.index()];
                    let apart_m = pose.joint_in_world_m[id.index()] - pose.joint_in_world_m[above.index()];
                    (JointKind::Ball, pose.world_from_joint[above.index()].conjugate() * apart_m)
                }
            };
            let inertia = own.map_or(SpatialInertia::ZERO, |link| link.inertia);
            let name = skeleton.joint(id).name.clone();
            let rest = if kind == JointKind::Fixed { pose.world_from_joint[id.index()] } else { DQuat::IDENTITY };
            carrier[id.index()] = Some(builder.add(above, name, kind, offset_m, rest, inertia));
            joints.push(id);
        }
        Ok(Self { model: builder.build()?, joints })
    }

    /// The link that moves with a joint, if it has one of its own.
    pub fn link_of(&self, joint: JointId) -> Option<LinkId> {
        self.joints.iter().position(|&own| own == joint).and_then(|index| self.model.links().nth(index))
    }

    /// The configuration of a pose of the skeleton.
    pub fn configuration(&self, pose: &WorldPose, q: &mut [f64]) {
        for link in self.model.links() {
            let joint = self.joints[link.index()].index();
            let at = self.model.q_range(link).start;
            let world_from_link = pose.world_from_joint[joint];
            if self.model.kind(link) == JointKind::Fixed {
                continue;
            }
            let local = match self.model.parent(link) {
                None => {
                    q[at + 4..at + 7].copy_from_slice(&pose.joint_in_world_m[joint].to_array());
                    world_from_link
                }
                Some(parent) => {
                    let above = self.joints[parent.index()].index();
                    pose.world_from_joint[above].conjugate() * world_from_link
                }
            };
            q[at..at + 4].copy_from_slice(&local.to_array());
        }
    }

    /// Rotation of a link relative to the link above it in a configuration; of a free link, in the world.
    pub fn rotation(&self, link: LinkId, q: &[f64]) -> DQuat {
        match self.model.kind(link) {
            JointKind::Free | JointKind::Ball => super::state::rotation_at(q, self.model.q_range(link).start),
            JointKind::Fixed | JointKind::Revolute { .. } => DQuat::IDENTITY,
        }
    }

    /// How far joints that links move with lie from where the model puts them in this pose: what leaving out the joints
    /// between costs, m.
    pub fn shift_m(&self, pose: &WorldPose, work: &mut Workspace) -> f64 {
        let mut q = self.model.neutral();
        self.configuration(pose, &mut q);
        work.place(&self.model, &q);
        let shift_m = |link: LinkId| {
            let found_m = work.link(link).joint_in_world_m;
            found_m.distance(pose.joint_in_world_m[self.joints[link.index()].index()])
        };
        self.model.links().map(shift_m).fold(0.0, f64::max)
    }
}

/// Joints above all mass from which several branches with mass start: something must carry those branches together.
fn massless_hubs(body: &Body) -> Vec<bool> {
    let skeleton: &Skeleton = body.skeleton();
    let mut is_needed = vec![false; skeleton.len()];
    for link in body.links() {
        skeleton.ancestors(link.joint).for_each(|joint| is_needed[joint.index()] = true);
    }
    let mut is_above = vec![false; skeleton.len()];
    let mut is_hub = vec![false; skeleton.len()];
    for id in skeleton.ids() {
        let is_top = skeleton.parent(id).is_none_or(|parent| is_above[parent.index()]);
        let branches = skeleton.children(id).iter().filter(|child| is_needed[child.index()]).count();
        let is_massless_top = is_top && body.link(id).is_none();
        is_hub[id.index()] = is_massless_top && branches > 1;
        is_above[id.index()] = is_massless_top && branches <= 1;
    }
    is_hub
}
