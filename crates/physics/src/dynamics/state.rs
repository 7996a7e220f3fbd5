//! Configurations as points of a manifold: moving along a velocity, and the way from one to another.

use super::model::{JointKind, Model};
use aplomb_motion::so3;
use glam::{DQuat, DVec3};

/// A ball's or free joint's rotation in a configuration slice.
#[inline(always)]
pub(super) fn rotation_at(q: &[f64], start: usize) -> DQuat {
    DQuat::from_xyzw(q[start], q[start + 1], q[start + 2], q[start + 3])
}

#[inline(always)]
pub(super) fn vector_at(numbers: &[f64], start: usize) -> DVec3 {
    DVec3::new(numbers[start], numbers[start + 1], numbers[start + 2])
}

#[inline(always)]
pub(super) fn put_vector(numbers: &mut [f64], start: usize, vector: DVec3) {
    numbers[start] = vector.x;
    numbers[start + 1] = vector.y;
    numbers[start + 2] = vector.z;
}

fn put_rotation(q: &mut [f64], start: usize, rotation: DQuat) {
    q[start..start + 4].copy_from_slice(&rotation.to_array());
}

impl Model {
    /// The configuration in which nothing is turned or moved.
    pub fn neutral(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.nq()];
        for node in &self.nodes {
            if matches!(node.kind, JointKind::Free | JointKind::Ball) {
                q[node.q_start + 3] = 1.0;
            }
        }
        q
    }

    /// q moved by `step` (a velocity times a time) while the velocity's numbers stay: rotations are multiplied by exp
    /// of their part on the right, and a free joint moves along a screw, because its linear part is told in axes that
    /// turn meanwhile.
    pub fn integrate(&self, q: &[f64], step: &[f64], moved: &mut [f64]) {
        for node in &self.nodes {
            let (at, v) = (node.q_start, node.v_start);
            match node.kind {
                JointKind::Free => {
                    let rotation = rotation_at(q, at);
                    let turn = vector_at(step, v);
                    let way = so3::left_jacobian(turn) * vector_at(step, v + 3);
                    let position = vector_at(q, at + 4) + rotation * way;
                    put_rotation(moved, at, (rotation * so3::exp(turn)).normalize());
                    put_vector(moved, at + 4, position);
                }
                JointKind::Ball => {
                    let turned = rotation_at(q, at) * so3::exp(vector_at(step, v));
                    put_rotation(moved, at, turned.normalize());
                }
                JointKind::Revolute { .. } => moved[at] = q[at] + step[v],
                JointKind::Fixed => {}
            }
        }
    }

    /// The step from one configuration to another: `integrate(from, difference) = to`.
    pub fn difference(&self, from: &[f64], to: &[f64], step: &mut [f64]) {
        for node in &self.nodes {
            let (at, v) = (node.q_start, node.v_start);
            match node.kind {
                JointKind::Free => {
                    let rotation = rotation_at(from, at);
                    let turn = so3::log(rotation.conjugate() * rotation_at(to, at));
                    let way = rotation.conjugate() * (vector_at(to, at + 4) - vector_at(from, at + 4));
                    put_vector(step, v, turn);
                    put_vector(step, v + 3, so3::left_jacobian_inverse(turn) * way);
                }
                JointKind::Ball => {
                    put_vector(step, v, so3::log(rotation_at(from, at).conjugate() * rotation_at(to, at)));
                }
                JointKind::Revolute { .. } => step[v] = to[at] - from[at],
                JointKind::Fixed => {}
            }
        }
    }
}
