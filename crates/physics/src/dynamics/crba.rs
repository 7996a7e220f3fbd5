//! The mass matrix by composite rigid bodies (Featherstone 2008, table 6.2).

use super::kinematics;
use super::lanes::{Lanes3, Lanes6};
use super::matrix::{Matrix, Rows};
use super::model::{JointKind, Model, Node};
use super::workspace::{LinkMotion, Workspace, WorldInertia};
use crate::spatial::SpatialMotion;
use aplomb_numerics::simd4::{Four, FourWork, with_fours};
use glam::DVec3;

/// The lower triangle of M(q), nv × nv, and all of each joint's own block; [`Matrix::mirror_lower`] makes the rest.
/// Entries of joints on different branches are zero and are not written: `mass` must come zeroed (or from an earlier
/// call with the same model).
pub fn crba(model: &Model, q: &[f64], mass: &mut Matrix, work: &mut Workspace) {
    with_fours(Crba { model, q: Some(q), mass, work });
}

/// [`crba`] for links whose places the workspace already holds; their motion stays there.
pub(crate) fn crba_in_place(model: &Model, mass: &mut Matrix, work: &mut Workspace) {
    with_fours(Crba { model, q: None, mass, work });
}

struct Crba<'a> {
    model: &'a Model,
    q: Option<&'a [f64]>,
    mass: &'a mut Matrix,
    work: &'a mut Workspace,
}

impl FourWork for Crba<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Four>(self, four: F) {
        let Self { model, q, mass, work } = self;
        if let Some(q) = q {
            kinematics::positions(model, q, work);
        }
        composites(model, work);
        fill(four, model, mass, work);
    }
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
fn fill<F: Four>(four: F, model: &Model, mass: &mut Matrix, work: &Workspace) {
    for (index, node) in model.nodes.iter().enumerate() {
        let motion = &work.motion[index];
        let composite = &work.composite[index];
        if node.kind == JointKind::Ball {
            // The usual joint: its axes are the link's, and they only turn.
            let turn = &motion.world_from_link;
            let axes = Lanes3::of(four, [turn.x_axis, turn.y_axis, turn.z_axis]);
            walk(four, model, index, node.dofs(), composite.times_turning_lanes(four, &axes), mass, work);
            continue;
        }
        let dofs = node.dofs();
        for first in dofs.clone().step_by(3) {
            let group = first..dofs.end.min(first + 3);
            let mut axes = [SpatialMotion::ZERO; 3];
            for (lane, axis) in axes.iter_mut().enumerate().take(group.len()) {
                *axis = axis_motion(node, motion, first - dofs.start + lane);
            }
            let axes = Lanes6 {
                angular: Lanes3::of(four, [axes[0].angular, axes[1].angular, axes[2].angular]),
                linear: Lanes3::of(four, [axes[0].linear, axes[1].linear, axes[2].linear]),
            };
            walk(four, model, index, group, composite.times_lanes(four, &axes), mass, work);
        }
    }
}

/// Forces that a group of degrees of freedom needs, told at one joint after the other up to the root.
#[inline(always)]
fn walk<F: Four>(
    four: F,
    model: &Model,
    index: usize,
    group: std::ops::Range<usize>,
    mut forces: Lanes6<F>,
    mass: &mut Matrix,
    work: &Workspace,
) {
    let mut rows = mass.rows_from_mut(group.start);
    let (mut at, mut motion) = (&model.nodes[index], &work.motion[index]);
    loop {
        write(four, at, motion, group.len(), &forces, &mut rows);
        let Some(parent) = at.parent else { return };
        forces.angular = forces.angular.plus_cross(four, motion.from_parent_m, &forces.linear);
        (at, motion) = (&model.nodes[parent], &work.motion[parent]);
    }
}

/// The motion that one degree of freedom of a joint makes, at the joint.
#[inline(always)]
pub(super) fn axis_motion(node: &Node, motion: &LinkMotion, slot: usize) -> SpatialMotion {
    let turn = &motion.world_from_link;
    let (mut angular, mut linear) = (DVec3::ZERO, DVec3::ZERO);
    match (node.kind, slot) {
        (JointKind::Revolute { axis }, _) => angular = *turn * axis,
        (_, 0..3) => angular = turn.col(slot),
        _ => linear = turn.col(slot - 3),
    }
    SpatialMotion { angular, linear }
}

/// M[rows of a group of `count`, columns of the joint above], where `forces` are told about that joint.
#[inline(always)]
fn write<F: Four>(four: F, node: &Node, motion: &LinkMotion, count: usize, forces: &Lanes6<F>, rows: &mut Rows<'_>) {
    let at = node.v_start;
    let turn = &motion.world_from_link;
    match node.kind {
        JointKind::Ball | JointKind::Free => {
            write_block(four, at, count, &forces.angular.turned_back_by(four, turn), rows);
            if node.kind == JointKind::Free {
                write_block(four, at + 3, count, &forces.linear.turned_back_by(four, turn), rows);
            }
        }
        JointKind::Revolute { axis } => {
            let along = four.store(forces.angular.dot(four, *turn * axis));
            for (lane, value) in along.into_iter().enumerate().take(count) {
                rows.row(lane)[at] = value;
            }
        }
        JointKind::Fixed => {}
    }
}

#[inline(always)]
fn write_block<F: Four>(four: F, at: usize, count: usize, lanes: &Lanes3<F>, rows: &mut Rows<'_>) {
    let (along_x, along_y, along_z) = (four.store(lanes.x), four.store(lanes.y), four.store(lanes.z));
    for lane in 0..count {
        if let Some([x, y, z]) = rows.row(lane).get_mut(at..at + 3) {
            (*x, *y, *z) = (along_x[lane], along_y[lane], along_z[lane]);
        }
    }
}
