//! Forward dynamics by articulated bodies (Featherstone 2008, table 7.1).
//!
//! A link with everything that hangs below it answers a motion of its joint by `n = J ω̇ + H a + p_n`,
//! `f = Hᵀ ω̇ + M a + p_f` (world axes, about the joint). A ball joint exerts its own moment whatever the parent does,
//! so ω̇ = J⁻¹ (τ − p_n − H a) and the parent sees only
//!
//! ```text
//!   f = (M − Hᵀ J⁻¹ H) a + p_f + Hᵀ J⁻¹ (τ − p_n),      n = τ
//! ```
//!
//! three rows instead of six; for the general step see [`Articulated::eliminate`].

use super::kinematics;
use super::loads::Loads;
use super::model::{JointKind, Model};
use super::state::{put_vector, vector_at};
use super::workspace::{Articulated, LinkMotion, Workspace};
use crate::spatial::{SpatialForce, SpatialMotion, Symmetric3};
use aplomb_motion::so3::cross_matrix;
use glam::{DMat3, DVec3};

/// a = M(q)⁻¹ (τ − bias(q, v) + Σ Jᵀ f).
pub fn aba(model: &Model, q: &[f64], v: &[f64], tau: &[f64], loads: &Loads, a: &mut [f64], work: &mut Workspace) {
    for index in 0..model.nodes.len() {
        let motion = kinematics::moved(model, index, q, v, None, &work.motion);
        work.aba[index] = Articulated::of_link(model, index, &motion);
        work.motion[index] = motion;
    }
    let Workspace { motion, aba, .. } = work;
    loads.each(motion, |link, load| aba[link].bias = aba[link].bias - load.force);
    inward(model, tau, None, work);
    outward(model, v, tau, None, a, work);
}

/// a = (M(q) + A)⁻¹ (τ − bias(q, v) + Σ Jᵀ f), where each joint itself resists: A has a block for each, told in its own
/// axes (`xx` of a hinge; free joints have none). The step of implicit servos, A = h K_d + h² K, without the matrix.
/// The workspace must hold the links' motion without q̈ ([`Workspace::move_links`]).
pub(crate) fn aba_resisting(
    model: &Model,
    v: &[f64],
    tau: &[f64],
    resists: &[Symmetric3],
    loads: &Loads,
    a: &mut [f64],
    work: &mut Workspace,
) {
    for index in 0..model.nodes.len() {
        work.aba[index] = Articulated::of_link(model, index, &work.motion[index]);
    }
    let Workspace { motion, aba, .. } = work;
    loads.each(motion, |link, load| aba[link].bias = aba[link].bias - load.force);
    inward(model, tau, Some(resists), work);
    outward(model, v, tau, Some(resists), a, work);
}

impl Articulated {
    /// A link alone.
    #[inline]
    fn of_link(model: &Model, index: usize, motion: &LinkMotion) -> Self {
        let own = super::crba::world_inertia(&model.nodes[index], motion);
        let spin = motion.velocity.angular;
        Self {
            j: own.inertia,
            h: cross_matrix(own.moment),
            m: Symmetric3::diagonal(DVec3::splat(own.mass_kg)),
            bias: SpatialForce { angular: spin.cross(own.inertia * spin), linear: spin.cross(spin.cross(own.moment)) },
            ..Self::default()
        }
    }

    /// Takes out a ball joint: what is left of M, and the force that does not depend on the parent.
    #[inline]
    fn eliminate_ball(&mut self, torque: DVec3) -> (Symmetric3, DVec3) {
        self.j_inverse = self.j.inverse();
        // J⁻¹ H once: Hᵀ of it makes the part of M that goes, its transpose carries the moment.
        let gain = DMat3::from_cols(
            self.j_inverse * self.h.x_axis,
            self.j_inverse * self.h.y_axis,
            self.j_inverse * self.h.z_axis,
        );
        let (h, g) = (&self.h, &gain);
        let gone = Symmetric3 {
            xx: h.x_axis.dot(g.x_axis),
            yy: h.y_axis.dot(g.y_axis),
            zz: h.z_axis.dot(g.z_axis),
            xy: h.x_axis.dot(g.y_axis),
            xz: h.x_axis.dot(g.z_axis),
            yz: h.y_axis.dot(g.z_axis),
        };
        (self.m - gone, self.bias.linear + gain.transpose() * (torque - self.bias.angular))
    }

    /// Takes out a ball joint that resists by A: with D = J + A and U = [J Hᵀ]ᵀ, I − U D⁻¹ Uᵀ and p + U D⁻¹ (τ − p_n).
    /// Its moment depends on how the parent turns, so all six rows are handed on.
    #[inline]
    fn eliminate_resisting(&mut self, resists: Symmetric3, torque: DVec3) -> Self {
        let d_inverse = (self.j + resists).inverse();
        self.j_inverse = d_inverse;
        let (j, h) = (self.j, self.h);
        // J D⁻¹ = 1 − A D⁻¹: small where servos are stiff, which the difference of two large numbers would lose.
        let kept = resists.times_symmetric(d_inverse);
        let gain = DMat3::from_cols(d_inverse * h.x_axis, d_inverse * h.y_axis, d_inverse * h.z_axis);
        let gone = Symmetric3 {
            xx: h.x_axis.dot(gain.x_axis),
            yy: h.y_axis.dot(gain.y_axis),
            zz: h.z_axis.dot(gain.z_axis),
            xy: h.x_axis.dot(gain.y_axis),
            xz: h.x_axis.dot(gain.z_axis),
            yz: h.y_axis.dot(gain.z_axis),
        };
        let rate = d_inverse * (torque - self.bias.angular);
        Self {
            // A D⁻¹ J is symmetric: J − J D⁻¹ J.
            j: Symmetric3::from_mat3(j.left_times(kept)),
            h: kept * h,
            m: self.m - gone,
            bias: SpatialForce {
                angular: self.bias.angular + j * rate,
                linear: self.bias.linear + h.transpose() * rate,
            },
            ..Self::default()
        }
    }

    /// Takes out one axis (angular `u` at the joint) that resists by A: with D = S·U + A, I − U Uᵀ/D, and p + U (τ −
    /// S·p)/D.
    #[inline]
    fn eliminate(&mut self, axis: DVec3, resists: f64, torque: f64) -> Self {
        let u = SpatialForce { angular: self.j * axis, linear: self.h.transpose() * axis };
        let d_inverse = 1.0 / (axis.dot(u.angular) + resists);
        let rest = torque - axis.dot(self.bias.angular);
        (self.u, self.d_inverse, self.rest) = (u, d_inverse, rest);
        let shares = u * d_inverse;
        Self {
            j: self.j - symmetric_outer(u.angular, shares.angular),
            h: self.h - super::loads::outer(u.angular, shares.linear),
            m: self.m - symmetric_outer(u.linear, shares.linear),
            bias: self.bias + shares * rest,
            ..Self::default()
        }
    }

    /// I [ω̇; a].
    #[inline]
    fn times(&self, motion: SpatialMotion) -> SpatialForce {
        SpatialForce {
            angular: self.j * motion.angular + self.h * motion.linear,
            linear: self.h.transpose() * motion.angular + self.m * motion.linear,
        }
    }

    /// Adds what hangs at a joint `d` away, told about that joint.
    #[inline]
    fn carry(&mut self, below: &Self, d: DVec3) {
        let crossed = cross_matrix(d);
        // H_p = H + [d] M,  J_p = J − H[d] + [d]Hᵀ − [d] M [d] = J + (H [d]ᵀ + its transpose) + [d] M [d]ᵀ.
        let half = below.h * crossed.transpose();
        let twice = half + half.transpose();
        self.j = self.j + below.j + Symmetric3::from_mat3(twice) + below.m.rotated(crossed);
        self.h += below.h + below.m.left_times(crossed);
        self.m = self.m + below.m;
        self.bias +=
            SpatialForce { angular: below.bias.angular + d.cross(below.bias.linear), linear: below.bias.linear };
    }

    /// [`Articulated::carry`] of a ball, which hands on M and forces only.
    #[inline]
    fn carry_ball(&mut self, m: Symmetric3, force: SpatialForce, d: DVec3) {
        let crossed = cross_matrix(d);
        let h = m.left_times(crossed);
        // [d] M [d]ᵀ: row i of [d] M is a column of its transpose.
        let rows = h.transpose();
        let (x, y, z) = (d.cross(rows.x_axis), d.cross(rows.y_axis), d.cross(rows.z_axis));
        self.j = self.j + Symmetric3 { xx: x.x, yy: y.y, zz: z.z, xy: x.y, xz: x.z, yz: y.z };
        self.h += h;
        self.m = self.m + m;
        self.bias += SpatialForce { angular: force.angular + d.cross(force.linear), linear: force.linear };
    }
}

fn inward(model: &Model, tau: &[f64], resists: Option<&[Symmetric3]>, work: &mut Workspace) {
    for (index, node) in model.nodes.iter().enumerate().rev() {
        let motion = &work.motion[index];
        let d = motion.from_parent_m;
        let resists = resists.map(|all| all[index]);
        let of_hinge = resists.map_or(0.0, |it| it.xx);
        let own = &mut work.aba[index];
        let Some(parent) = node.parent else {
            // No link above to hand the rest to; only what the way back needs is kept.
            match node.kind {
                JointKind::Revolute { axis } => {
                    own.eliminate(motion.world_from_link * axis, of_hinge, tau[node.v_start]);
                }
                JointKind::Ball => {
                    let resists = resists.map_or(Symmetric3::ZERO, |it| it.rotated(motion.world_from_link));
                    own.j_inverse = (own.j + resists).inverse();
                }
                JointKind::Free | JointKind::Fixed => {}
            }
            continue;
        };
        let spin = work.motion[parent].velocity.angular;
        // What the joint's motion adds beside the parent's acceleration: classical, so centripetal too.
        let added = SpatialMotion { angular: spin.cross(motion.own_spin), linear: spin.cross(spin.cross(d)) };
        match node.kind {
            JointKind::Ball => {
                let torque = motion.world_from_link * vector_at(tau, node.v_start);
                if let Some(resists) = resists {
                    let mut rest = own.eliminate_resisting(resists.rotated(motion.world_from_link), torque);
                    rest.bias += rest.times(added);
                    work.aba[parent].carry(&rest, d);
                    continue;
                }
                let (m, force) = own.eliminate_ball(torque);
                let force = SpatialForce { angular: torque, linear: force + m * added.linear };
                work.aba[parent].carry_ball(m, force, d);
            }
            JointKind::Revolute { axis } => {
                let mut rest = own.eliminate(motion.world_from_link * axis, of_hinge, tau[node.v_start]);
                rest.bias += rest.times(added);
                work.aba[parent].carry(&rest, d);
            }
            JointKind::Fixed | JointKind::Free => {
                let mut rest = *own;
                rest.bias += rest.times(added);
                work.aba[parent].carry(&rest, d);
            }
        }
    }
}

fn outward(model: &Model, v: &[f64], tau: &[f64], resists: Option<&[Symmetric3]>, a: &mut [f64], work: &mut Workspace) {
    for (index, node) in model.nodes.iter().enumerate() {
        let above = match node.parent {
            Some(parent) => {
                let (above, d) = (&work.motion[parent], work.motion[index].from_parent_m);
                let spin = above.velocity.angular;
                SpatialMotion {
                    angular: above.acceleration.angular + spin.cross(work.motion[index].own_spin),
                    linear: above.acceleration.point_acceleration(spin, d),
                }
            }
            None => SpatialMotion { angular: DVec3::ZERO, linear: -model.gravity },
        };
        let (own, motion) = (&work.aba[index], &mut work.motion[index]);
        let turn = motion.world_from_link;
        motion.acceleration = match node.kind {
            JointKind::Ball => {
                let torque = turn * vector_at(tau, node.v_start);
                let left = torque - own.bias.angular - own.h * above.linear;
                let (angular, own_rate) = match resists {
                    // A joint that does not resist turns as its own side wants, whatever the parent does.
                    None => {
                        let angular = own.j_inverse * left;
                        (angular, angular - above.angular)
                    }
                    Some(_) => {
                        let rate = own.j_inverse * (left - own.j * above.angular);
                        (above.angular + rate, rate)
                    }
                };
                put_vector(a, node.v_start, turn.transpose() * own_rate);
                SpatialMotion { angular, linear: above.linear }
            }
            JointKind::Revolute { axis } => {
                let axis = turn * axis;
                let push = own.u.angular.dot(above.angular) + own.u.linear.dot(above.linear);
                let rate = (own.rest - push) * own.d_inverse;
                a[node.v_start] = rate;
                SpatialMotion { angular: above.angular + axis * rate, linear: above.linear }
            }
            JointKind::Fixed => above,
            JointKind::Free => {
                let at = node.v_start;
                let push = SpatialForce { angular: turn * vector_at(tau, at), linear: turn * vector_at(tau, at + 3) };
                let found = own.answer(push - own.bias);
                put_vector(a, at, turn.transpose() * found.angular);
                let carried = vector_at(v, at).cross(vector_at(v, at + 3));
                put_vector(a, at + 3, turn.transpose() * (found.linear + model.gravity) - carried);
                found
            }
        };
    }
}

impl Articulated {
    /// I⁻¹ f, by the Schur complement of M: a free body's own equation.
    fn answer(&self, force: SpatialForce) -> SpatialMotion {
        let m_inverse = self.m.inverse();
        let gain = m_inverse.left_times(self.h);
        let without = self.j - Symmetric3::from_mat3(gain * self.h.transpose());
        let angular = without.inverse() * (force.angular - gain * force.linear);
        SpatialMotion { angular, linear: m_inverse * (force.linear - self.h.transpose() * angular) }
    }
}

/// a bᵀ where the two are parallel.
#[inline]
fn symmetric_outer(a: DVec3, b: DVec3) -> Symmetric3 {
    Symmetric3 { xx: a.x * b.x, yy: a.y * b.y, zz: a.z * b.z, xy: a.x * b.y, xz: a.x * b.z, yz: a.y * b.z }
}
