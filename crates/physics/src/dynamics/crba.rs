//! The mass matrix by composite rigid bodies (Featherstone 2008, table 6.2).

use super::kinematics;
use super::lanes::{Lanes3, Lanes6};
use super::matrix::Matrix;
use super::model::{JointKind, Model, Node};
use super::vectors::with_wide_vectors;
use super::workspace::{LinkMotion, Workspace, WorldInertia};
use glam::DVec3;

/// The lower triangle of M(q), nv × nv, and all of each joint's own block; [`Matrix::mirror_lower`] makes the rest. Entries of joints on
/// different branches are zero and are not written: `mass` must come zeroed (or from an earlier call with the same model).
pub fn crba(model: &Model, q: &[f64], mass: &mut Matrix, work: &mut Workspace) {
    kinematics::positions(model, q, work);
    crba_in_place(model, mass, work);
}

/// [`crba`] for links whose places the workspace already holds; their motion stays there.
pub(crate) fn crba_in_place(model: &Model, mass: &mut Matrix, work: &mut Workspace) {
    with_wide_vectors(
        #[inline(always)]
        || {
            composites(model, work);
            fill(model, mass, work);
        },
    );
}

/// Masses of all links with everything below them, from places that are known.
#[inline(always)]
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
#[inline(always)]
pub(super) fn world_inertia(node: &Node, motion: &LinkMotion) -> WorldInertia {
    let com_m = motion.world_from_link * node.inertia.com_m;
    let about_com = node.inertia.about_com.rotated(motion.world_from_link);
    WorldInertia { mass_kg: node.inertia.mass_kg, moment: DVec3::ZERO, inertia: about_com }.seen_from(com_m)
}

/// M from composites: forces of up to three degrees of freedom walk to the root side by side.
#[inline(always)]
pub(super) fn fill(model: &Model, mass: &mut Matrix, work: &Workspace) {
    for (index, node) in model.nodes.iter().enumerate() {
        let motion = &work.motion[index];
        let dofs = node.dofs();
        for first in dofs.clone().step_by(3) {
            let group = first..dofs.end.min(first + 3);
            let axis = |lane: usize| axis_motion(node, motion, first - dofs.start + lane);
            let axes = Lanes6 {
                angular: Lanes3::of(group.len(), |lane| axis(lane).angular),
                linear: Lanes3::of(group.len(), |lane| axis(lane).linear),
            };
            let mut forces = work.composite[index].times_lanes(&axes);
            write(node, motion, group.clone(), &forces, mass);
            let mut below = index;
            while let Some(parent) = model.nodes[below].parent {
                forces.angular += forces.linear.crossed_by(work.motion[below].from_parent_m);
                write(&model.nodes[parent], &work.motion[parent], group.clone(), &forces, mass);
                below = parent;
            }
        }
    }
}

/// The motion that one degree of freedom of a joint makes, at the joint.
#[inline(always)]
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

/// M[rows of `group`, columns of the joint above], where `forces` are told about that joint.
#[inline(always)]
fn write(node: &Node, motion: &LinkMotion, group: std::ops::Range<usize>, forces: &Lanes6, mass: &mut Matrix) {
    let at = node.v_start;
    let turn = &motion.world_from_link;
    match node.kind {
        JointKind::Ball | JointKind::Free => {
            write_block(at, &group, &forces.angular.turned_back_by(turn), mass);
            if node.kind == JointKind::Free {
                write_block(at + 3, &group, &forces.linear.turned_back_by(turn), mass);
            }
        }
        JointKind::Revolute { axis } => {
            let along = forces.angular.dot(*turn * axis);
            for (lane, own) in group.enumerate() {
                mass[(own, at)] = along[lane];
            }
        }
        JointKind::Fixed => {}
    }
}

#[inline(always)]
fn write_block(at: usize, group: &std::ops::Range<usize>, lanes: &Lanes3, mass: &mut Matrix) {
    for (lane, own) in group.clone().enumerate() {
        if let [x, y, z] = &mut mass.row_mut(own)[at..at + 3] {
            (*x, *y, *z) = (lanes.x[lane], lanes.y[lane], lanes.z[lane]);
        }
    }
}
