//! From a state to the motion of every link, outward from the roots.
//!
//! With d the offset from the parent's joint in world axes, ω_r the spin that the joint adds (classical accelerations):
//!
//! ```text
//!   ω = ω_p + ω_r                     v = v_p + ω_p × d
//!   ω̇ = ω̇_p + R q̈ + ω_p × ω_r          a = a_p + ω̇_p × d + ω_p × (ω_p × d)
//! ```
//!
//! (Featherstone 2008, table 5.1.) A root's parent is the world, which does not turn and accelerates by −g: see
//! [`LinkMotion`].

use super::model::{JointKind, Model, Node};
use super::state::{rotation_at, vector_at};
use super::workspace::{LinkMotion, Workspace};
use crate::spatial::SpatialMotion;
use glam::{DMat3, DVec3};

/// Positions only.
#[inline(always)]
pub(super) fn positions(model: &Model, q: &[f64], work: &mut Workspace) {
    for (index, node) in model.nodes.iter().enumerate() {
        let place = place(node, q, &work.motion);
        // Velocities are left alone: half of a link's numbers need not be written.
        let motion = &mut work.motion[index];
        motion.world_from_link = place.world_from_link;
        motion.joint_in_world_m = place.joint_in_world_m;
        motion.from_parent_m = place.from_parent_m;
    }
}

/// Positions, velocities, and the accelerations that remain when q̈ = 0.
pub(super) fn velocities(model: &Model, q: &[f64], v: &[f64], work: &mut Workspace) {
    for index in 0..model.nodes.len() {
        work.motion[index] = moved(model, index, q, v, None, &work.motion);
    }
}

/// All three.
pub(super) fn accelerations(model: &Model, q: &[f64], v: &[f64], a: &[f64], work: &mut Workspace) {
    for index in 0..model.nodes.len() {
        work.motion[index] = moved(model, index, q, v, Some(a), &work.motion);
    }
}

#[inline]
pub(super) fn moved(
    model: &Model,
    index: usize,
    q: &[f64],
    v: &[f64],
    a: Option<&[f64]>,
    motions: &[LinkMotion],
) -> LinkMotion {
    let node = &model.nodes[index];
    let LinkPlace { world_from_link, joint_in_world_m, from_parent_m } = place(node, q, motions);
    let (velocity, acceleration) = match node.parent {
        Some(parent) => {
            let above = &motions[parent];
            let spin = above.velocity.angular;
            let d = from_parent_m;
            let joint_velocity = above.velocity.linear + spin.cross(d);
            (
                SpatialMotion { angular: spin, linear: joint_velocity },
                SpatialMotion {
                    angular: above.acceleration.angular,
                    linear: above.acceleration.point_acceleration(spin, d),
                },
            )
        }
        None => (SpatialMotion::ZERO, SpatialMotion { angular: DVec3::ZERO, linear: -model.gravity }),
    };
    let (own, own_rate) = own_motion(node, &world_from_link, v, a);
    let mut acceleration = acceleration + own_rate;
    acceleration.angular += velocity.angular.cross(own.angular);
    LinkMotion {
        world_from_link,
        joint_in_world_m,
        from_parent_m,
        velocity: velocity + own,
        acceleration,
        own_spin: own.angular,
    }
}

/// Where a link is; see [`LinkMotion`].
struct LinkPlace {
    world_from_link: DMat3,
    joint_in_world_m: DVec3,
    from_parent_m: DVec3,
}

/// What the joint itself adds: its velocity, and the part of its acceleration that q̈ (and a free joint's turning)
/// makes.
#[inline]
fn own_motion(node: &Node, turn: &DMat3, v: &[f64], a: Option<&[f64]>) -> (SpatialMotion, SpatialMotion) {
    let at = node.v_start;
    let angular_only = |angular: DVec3| SpatialMotion { angular, linear: DVec3::ZERO };
    match node.kind {
        JointKind::Ball => {
            let rate = a.map_or(DVec3::ZERO, |a| *turn * vector_at(a, at));
            (angular_only(*turn * vector_at(v, at)), angular_only(rate))
        }
        JointKind::Revolute { axis } => {
            let axis = *turn * axis;
            (angular_only(axis * v[at]), angular_only(a.map_or(DVec3::ZERO, |a| axis * a[at])))
        }
        JointKind::Free => {
            let (spin, linear) = (vector_at(v, at), vector_at(v, at + 3));
            let (spin_rate, linear_rate) =
                a.map_or((DVec3::ZERO, DVec3::ZERO), |a| (vector_at(a, at), vector_at(a, at + 3)));
            let own = SpatialMotion { angular: *turn * spin, linear: *turn * linear };
            // The point's velocity is told in axes that turn: d(R v)/dt = R (v̇ + ω × v).
            let rate = SpatialMotion { angular: *turn * spin_rate, linear: *turn * (linear_rate + spin.cross(linear)) };
            (own, rate)
        }
        JointKind::Fixed => (SpatialMotion::ZERO, SpatialMotion::ZERO),
    }
}

#[inline(always)]
fn place(node: &Node, q: &[f64], motions: &[LinkMotion]) -> LinkPlace {
    let (mut turn, mut at_m, mut from_parent_m) = match node.parent {
        Some(parent) => {
            let above = &motions[parent];
            let d = above.world_from_link * node.offset_m;
            (above.world_from_link, above.joint_in_world_m + d, d)
        }
        None => (DMat3::IDENTITY, node.offset_m, node.offset_m),
    };
    if let Some(rest) = node.rest {
        turn *= DMat3::from_quat(rest);
    }
    match node.kind {
        JointKind::Ball => turn *= DMat3::from_quat(rotation_at(q, node.q_start)),
        JointKind::Revolute { axis } => turn *= DMat3::from_axis_angle(axis, q[node.q_start]),
        JointKind::Free => {
            let moved = turn * vector_at(q, node.q_start + 4);
            at_m += moved;
            from_parent_m += moved;
            turn *= DMat3::from_quat(rotation_at(q, node.q_start));
        }
        JointKind::Fixed => {}
    }
    LinkPlace { world_from_link: turn, joint_in_world_m: at_m, from_parent_m }
}

impl Workspace {
    /// Where every link is. What was known of its motion stays, and is of no use.
    pub fn place(&mut self, model: &Model, q: &[f64]) {
        positions(model, q, self);
    }

    /// Where every link is and how it moves; accelerations are those without q̈.
    pub fn move_links(&mut self, model: &Model, q: &[f64], v: &[f64]) {
        velocities(model, q, v, self);
    }
}
