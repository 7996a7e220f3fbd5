//! How points of links move with the degrees of freedom.

use super::crba::axis_motion;
use super::matrix::Matrix;
use super::model::{LinkId, Model};
use super::workspace::Workspace;
use crate::spatial::SpatialMotion;
use glam::DVec3;

/// Rows ω x y z (rad/s) of the link and v x y z (m/s) of one of its points, world axes, for a unit velocity of each
/// degree of freedom: 6 × nv, overwritten whole. The workspace must hold the links' places.
pub fn point_jacobian(model: &Model, link: LinkId, point_in_link_m: DVec3, jacobian: &mut Matrix, work: &Workspace) {
    jacobian.fill(0.0);
    let point_m = work.motion[link.index()].point_in_world_m(point_in_link_m);
    let mut above = Some(link.index());
    while let Some(index) = above {
        let (node, motion) = (&model.nodes[index], &work.motion[index]);
        for (slot, dof) in node.dofs().enumerate() {
            let moved = axis_motion(node, motion, slot).at(point_m - motion.joint_in_world_m);
            for axis in 0..3 {
                jacobian[(axis, dof)] = moved.angular[axis];
                jacobian[(axis + 3, dof)] = moved.linear[axis];
            }
        }
        above = node.parent;
    }
}

impl Model {
    /// The motion that one degree of freedom of a link's joint makes, world axes, at the joint. The workspace must hold
    /// the links' places.
    pub fn axis_motion(&self, link: LinkId, slot: usize, work: &Workspace) -> SpatialMotion {
        axis_motion(&self.nodes[link.index()], &work.motion[link.index()], slot)
    }
}
