//! A tree of links from a skeleton with masses.

use super::model::{JointKind, LinkId, Model};
use crate::body::Body;
use crate::error::PhysicsError;
use crate::spatial::SpatialInertia;
use aplomb_motion::{JointId, WorldPose};
use glam::DQuat;

/// A model and how it belongs to its skeleton.
#[derive(Clone, Debug)]
pub struct BodyModel {
    /// The tree.
    pub model: Model,
    /// For each link the joint it moves with.
    pub joints: Vec<JointId>,
}

impl BodyModel {
    /// Every joint with a link of its own turns as a ball, each root moves freely; joints that only carry others (helpers, folded
    /// spines) stay as they are in `pose`, and joints that carry nothing are left out.
    ///
    /// Bones are as long as in `pose`, so that files whose offsets are placeholders come out right. Roots of a file that carry no mass
    /// and only one thing (a reference above the hips) are left out, too: what they carry is free, and turning both would be one too many.
    pub fn new(body: &Body, pose: &WorldPose) -> Result<Self, PhysicsError> {
        let skeleton = body.skeleton();
        let mut is_needed = vec![false; skeleton.len()];
        for link in body.links() {
            skeleton.ancestors(link.joint).for_each(|joint| is_needed[joint.index()] = true);
        }
        let carried = |id: JointId| skeleton.children(id).iter().filter(|child| is_needed[child.index()]).count();
        let mut is_above = vec![false; skeleton.len()];
        for id in skeleton.ids() {
            let is_top = skeleton.parent(id).is_none_or(|parent| is_above[parent.index()]);
            is_above[id.index()] = is_top && body.link(id).is_none() && carried(id) < 2;
        }
        let mut builder = Model::builder();
        let mut joints: Vec<JointId> = Vec::new();
        let mut link_of: Vec<Option<LinkId>> = vec![None; skeleton.len()];
        for id in skeleton.ids().filter(|id| is_needed[id.index()] && !is_above[id.index()]) {
            let own = body.link(id);
            let world_from_joint = pose.world_from_joint[id.index()];
            let at_m = pose.joint_in_world_m[id.index()];
            let (parent, kind, offset_m, rest) = match skeleton.parent(id).filter(|parent| !is_above[parent.index()]) {
                // A root's place is part of a configuration.
                None => (None, JointKind::Free, glam::DVec3::ZERO, DQuat::IDENTITY),
                Some(parent) => {
                    let parent_from_world = pose.world_from_joint[parent.index()].conjugate();
                    let offset_m = parent_from_world * (at_m - pose.joint_in_world_m[parent.index()]);
                    match own {
                        Some(_) => (link_of[parent.index()], JointKind::Ball, offset_m, DQuat::IDENTITY),
                        None => {
                            let rest = parent_from_world * world_from_joint;
                            (link_of[parent.index()], JointKind::Fixed, offset_m, rest)
                        }
                    }
                }
            };
            let inertia = own.map_or(SpatialInertia::ZERO, |link| link.inertia);
            let name = skeleton.joint(id).name.clone();
            link_of[id.index()] = Some(builder.add(parent, name, kind, offset_m, rest, inertia));
            joints.push(id);
        }
        Ok(Self { model: builder.build()?, joints })
    }

    /// The configuration of a pose of the skeleton. Fixed joints are taken as they were when the model was made.
    pub fn configuration(&self, pose: &WorldPose, q: &mut [f64]) {
        for link in self.model.links() {
            let joint = self.joints[link.index()];
            let world_from_link = pose.world_from_joint[joint.index()];
            let at = self.model.q_range(link).start;
            match self.model.kind(link) {
                JointKind::Free => {
                    q[at..at + 4].copy_from_slice(&world_from_link.to_array());
                    q[at + 4..at + 7].copy_from_slice(&pose.joint_in_world_m[joint.index()].to_array());
                }
                JointKind::Ball => {
                    // The nearest link above that turns; fixed ones between are turned with it.
                    let parent_from_world = self.parent_from_world(link, pose);
                    q[at..at + 4].copy_from_slice(&(parent_from_world * world_from_link).to_array());
                }
                JointKind::Revolute { .. } | JointKind::Fixed => {}
            }
        }
    }

    fn parent_from_world(&self, link: LinkId, pose: &WorldPose) -> DQuat {
        let mut between = DQuat::IDENTITY;
        let mut above = self.model.parent(link);
        while let Some(parent) = above {
            if self.model.kind(parent) != JointKind::Fixed {
                return (pose.world_from_joint[self.joints[parent.index()].index()] * between).conjugate();
            }
            between = self.model.rest(parent) * between;
            above = self.model.parent(parent);
        }
        between.conjugate()
    }
}
