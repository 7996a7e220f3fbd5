//! The mass matrix by composite rigid bodies (Featherstone 2008, table 6.2).

use super::kinematics;
use super::matrix::Matrix;
use super::model::{JointKind, Model, Node};
use super::workspace::{LinkMotion, Workspace, WorldInertia};
use crate::spatial::SpatialForce;
use glam::DVec3;

/// M(q): symmetric, nv × nv. Entries of joints on different branches are zero and are not written: `mass` must come zeroed (or from an
/// earlier call with the same model).
pub fn crba(model: &Model, q: &[f64], mass: &mut Matrix, work: &mut Workspace) {
    kinematics::positions(model, q, work);
    composites(model, work);
    fill(model, mass, work);
}

/// Masses of all links with everything below them, from places that are known.
pub(super) fn composites(model: &Model, work: &mut Workspace) {
    for (index, node) in model.nodes.iter().enumerate() {
        work.composite[index] = world_inertia(node, &work.motion[index]);
    }
    for (index, node) in model.nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            let carried = work.composite[index].seen_from(work.motion[index].from_parent_m);
            work.composite[parent].add(&carried);
        }
    }
}

/// One link's mass about its joint, world axes.
#[inline]
pub(super) fn world_inertia(node: &Node, motion: &LinkMotion) -> WorldInertia {
    let com_m = motion.world_from_link * node.inertia.com_m;
    let about_com = node.inertia.about_com.rotated(motion.world_from_link);
    WorldInertia { mass_kg: node.inertia.mass_kg, moment: DVec3::ZERO, inertia: about_com }.seen_from(com_m)
}

/// M from composites.
pub(super) fn fill(model: &Model, mass: &mut Matrix, work: &Workspace) {
    let mut forces = [SpatialForce::ZERO; 6];
    for (index, node) in model.nodes.iter().enumerate() {
        let (motion, composite) = (&work.motion[index], &work.composite[index]);
        let count = node.kind.velocity_count();
        for (slot, force) in forces[..count].iter_mut().enumerate() {
            *force = composite.times(axis_motion(node, motion, slot));
        }
        let columns = &mut forces[..count];
        write_rows(model, index, node.v_start, columns, mass, work);
        let mut below = index;
        while let Some(parent) = model.nodes[below].parent {
            let d = work.motion[below].from_parent_m;
            for force in columns.iter_mut() {
                force.angular += d.cross(force.linear);
            }
            write_rows(model, parent, node.v_start, columns, mass, work);
            below = parent;
        }
    }
}

/// The motion that one degree of freedom of a joint makes, at the joint.
#[inline]
pub(super) fn axis_motion(node: &Node, motion: &LinkMotion, slot: usize) -> crate::spatial::SpatialMotion {
    let turn = &motion.world_from_link;
    let (mut angular, mut linear) = (DVec3::ZERO, DVec3::ZERO);
    match (node.kind, slot) {
        (JointKind::Revolute { axis }, _) => angular = *turn * axis,
        (_, 0..3) => angular = turn.col(slot),
        _ => linear = turn.col(slot - 3),
    }
    crate::spatial::SpatialMotion { angular, linear }
}

/// M[rows of `above`, columns from `column`] and its mirror image, where `forces` are told about the joint of `above`.
#[inline]
fn write_rows(
    model: &Model,
    above: usize,
    column: usize,
    forces: &[SpatialForce],
    mass: &mut Matrix,
    work: &Workspace,
) {
    let node = &model.nodes[above];
    let mut rows = [0.0; 6];
    let count = node.kind.velocity_count();
    for (offset, &force) in forces.iter().enumerate() {
        let column = column + offset;
        let link_from_world = work.motion[above].world_from_link.transpose();
        let angular = link_from_world * force.angular;
        match node.kind {
            JointKind::Ball => rows[..3].copy_from_slice(&angular.to_array()),
            JointKind::Revolute { axis } => rows[0] = axis.dot(angular),
            JointKind::Free => {
                rows[..3].copy_from_slice(&angular.to_array());
                rows[3..6].copy_from_slice(&(link_from_world * force.linear).to_array());
            }
            JointKind::Fixed => {}
        }
        for (slot, &entry) in rows[..count].iter().enumerate() {
            mass[(node.v_start + slot, column)] = entry;
            mass[(column, node.v_start + slot)] = entry;
        }
    }
}
