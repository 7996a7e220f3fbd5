//! Inverse dynamics: the joint forces that a motion needs (recursive Newton–Euler, Featherstone 2008, table 5.1).

use super::kinematics;
use super::loads::Loads;
use super::model::{JointKind, Model, Node};
use super::state::put_vector;
use super::workspace::{LinkMotion, Workspace};
use crate::spatial::SpatialForce;
use glam::DVec3;

/// τ = M(q) a + bias(q, v) − Σ Jᵀ f: joint forces (N·m; N for a free joint's linear rows) for accelerations a under
/// gravity and loads.
pub fn rnea(model: &Model, q: &[f64], v: &[f64], a: &[f64], loads: &Loads, tau: &mut [f64], work: &mut Workspace) {
    for index in 0..model.nodes.len() {
        let motion = kinematics::moved(model, index, q, v, Some(a), &work.motion);
        work.force[index] = needed_force(&model.nodes[index], &motion);
        work.motion[index] = motion;
    }
    let Workspace { motion, force, .. } = work;
    loads.each(motion, |link, load| force[link] = force[link] - load.force);
    gather(model, tau, work);
}

/// bias(q, v) − Σ Jᵀ f of links whose motion without q̈ the workspace already holds ([`Workspace::move_links`]).
pub(crate) fn bias_in_place(model: &Model, loads: &Loads, bias: &mut [f64], work: &mut Workspace) {
    let Workspace { motion, force, .. } = work;
    for ((node, motion), force) in model.nodes.iter().zip(motion.iter()).zip(force.iter_mut()) {
        *force = needed_force(node, motion);
    }
    loads.each(motion, |link, load| force[link] = force[link] - load.force);
    gather(model, bias, work);
}

/// What moves one link as it moves (Newton and Euler at its centre, then about its joint).
#[inline(always)]
pub(super) fn needed_force(node: &Node, motion: &LinkMotion) -> SpatialForce {
    let turn = &motion.world_from_link;
    let com_m = *turn * node.inertia.com_m;
    let spin = motion.velocity.angular;
    let force = motion.acceleration.point_acceleration(spin, com_m) * node.inertia.mass_kg;
    // Euler's equation in the link's own axes, where the inertia is constant.
    let (own_spin, own_rate) = (turn.transpose() * spin, turn.transpose() * motion.acceleration.angular);
    let moment = node.inertia.about_com * own_rate + own_spin.cross(node.inertia.about_com * own_spin);
    SpatialForce { angular: *turn * moment + com_m.cross(force), linear: force }
}

/// Sums forces towards the roots and takes out what each joint can do.
#[inline(always)]
pub(super) fn gather(model: &Model, tau: &mut [f64], work: &mut Workspace) {
    for (index, node) in model.nodes.iter().enumerate().rev() {
        let (force, motion) = (work.force[index], &work.motion[index]);
        project(node, motion, force, tau);
        if let Some(parent) = node.parent {
            work.force[parent] += SpatialForce {
                angular: force.angular + motion.from_parent_m.cross(force.linear),
                linear: force.linear,
            };
        }
    }
}

/// Sᵀ f.
#[inline(always)]
pub(super) fn project(node: &Node, motion: &LinkMotion, force: SpatialForce, tau: &mut [f64]) {
    let link_from_world = motion.world_from_link.transpose();
    match node.kind {
        JointKind::Ball => put_vector(tau, node.v_start, link_from_world * force.angular),
        JointKind::Revolute { axis } => tau[node.v_start] = axis.dot(link_from_world * force.angular),
        JointKind::Free => {
            put_vector(tau, node.v_start, link_from_world * force.angular);
            put_vector(tau, node.v_start + 3, link_from_world * force.linear);
        }
        JointKind::Fixed => {}
    }
}

impl Loads {
    /// Adds Σ Jᵀ f to joint forces; the workspace must hold the links' places ([`Workspace::place`] or any evaluation).
    pub fn add_joint_forces(&self, model: &Model, tau: &mut [f64], work: &mut Workspace) {
        let Workspace { motion, force, .. } = work;
        force.fill(SpatialForce::ZERO);
        self.each(motion, |link, load| force[link] += load.force);
        for (index, node) in model.nodes.iter().enumerate().rev() {
            let (own, motion) = (work.force[index], &work.motion[index]);
            if own == SpatialForce::ZERO {
                continue;
            }
            let turn = motion.world_from_link;
            match node.kind {
                JointKind::Ball => add(tau, node.v_start, turn.transpose() * own.angular),
                JointKind::Revolute { axis } => tau[node.v_start] += (turn * axis).dot(own.angular),
                JointKind::Free => {
                    add(tau, node.v_start, turn.transpose() * own.angular);
                    add(tau, node.v_start + 3, turn.transpose() * own.linear);
                }
                JointKind::Fixed => {}
            }
            if let Some(parent) = node.parent {
                let carried = own.angular + motion.from_parent_m.cross(own.linear);
                work.force[parent] += SpatialForce { angular: carried, linear: own.linear };
            }
        }
    }
}

fn add(tau: &mut [f64], start: usize, vector: DVec3) {
    tau[start] += vector.x;
    tau[start + 1] += vector.y;
    tau[start + 2] += vector.z;
}
