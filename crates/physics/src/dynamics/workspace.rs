//! Scratch of one evaluation, owned by the caller.

use super::lanes::{Lanes3, Lanes6};
use super::model::{LinkId, Model};
use crate::spatial::{SpatialForce, SpatialMotion, Symmetric3};
use aplomb_numerics::simd4::Four;
use glam::{DMat3, DVec3};

/// A link's motion in world axes, told at its own joint.
#[derive(Clone, Copy, Debug)]
pub struct LinkMotion {
    /// Turns vectors of the link into world axes.
    pub world_from_link: DMat3,
    /// Where its joint is, m.
    pub joint_in_world_m: DVec3,
    /// From the parent's joint to this one, m.
    pub from_parent_m: DVec3,
    /// Of the link, at its joint.
    pub velocity: SpatialMotion,
    /// Angular, and linear of the joint's point **less gravity**: at rest a link accelerates up at g. This is what
    /// forces answer to, and lets gravity enter once, at the roots.
    pub acceleration: SpatialMotion,
    /// What its joint adds to the parent's angular velocity.
    pub own_spin: DVec3,
}

impl LinkMotion {
    /// Where the world itself is: nothing turned, nothing moves.
    pub const REST: Self = Self {
        world_from_link: DMat3::IDENTITY,
        joint_in_world_m: DVec3::ZERO,
        from_parent_m: DVec3::ZERO,
        velocity: SpatialMotion::ZERO,
        acceleration: SpatialMotion::ZERO,
        own_spin: DVec3::ZERO,
    };

    /// Where a point of the link is in the world, m.
    pub fn point_in_world_m(&self, in_link_m: DVec3) -> DVec3 {
        self.joint_in_world_m + self.world_from_link * in_link_m
    }

    /// How fast a point of the link moves, m/s.
    pub fn point_velocity(&self, in_link_m: DVec3) -> DVec3 {
        self.velocity.at(self.world_from_link * in_link_m).linear
    }
}

/// A link's mass about its joint, in world axes; of the link alone, or with all that hangs below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorldInertia {
    pub mass_kg: f64,
    /// Σ m r.
    pub moment: DVec3,
    /// Σ m (|r|²·1 − r rᵀ).
    pub inertia: Symmetric3,
}

impl WorldInertia {
    pub const ZERO: Self = Self { mass_kg: 0.0, moment: DVec3::ZERO, inertia: Symmetric3::ZERO };

    /// The same mass about a point from which the present one lies `d` away.
    #[inline(always)]
    pub fn seen_from(&self, d: DVec3) -> Self {
        // Σ m (r+d)(r+d)ᵀ = Σ m r rᵀ + h dᵀ + d hᵀ + m d dᵀ; the symmetric part is written once.
        let h = self.moment + d * (0.5 * self.mass_kg);
        let cross = Symmetric3 {
            xx: 2.0 * h.x * d.x,
            yy: 2.0 * h.y * d.y,
            zz: 2.0 * h.z * d.z,
            xy: h.x * d.y + h.y * d.x,
            xz: h.x * d.z + h.z * d.x,
            yz: h.y * d.z + h.z * d.y,
        };
        Self {
            mass_kg: self.mass_kg,
            moment: self.moment + d * self.mass_kg,
            inertia: self.inertia + cross.inertia_of_second_moments(),
        }
    }

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.mass_kg += other.mass_kg;
        self.moment += other.moment;
        self.inertia = self.inertia + other.inertia;
    }

    /// I m for a motion vector m told at the same point.
    #[inline(always)]
    pub fn times(&self, motion: SpatialMotion) -> SpatialForce {
        SpatialForce {
            angular: self.inertia * motion.angular + self.moment.cross(motion.linear),
            linear: motion.linear * self.mass_kg + motion.angular.cross(self.moment),
        }
    }
}

impl WorldInertia {
    /// [`WorldInertia::times`] of several motions.
    #[inline(always)]
    pub fn times_lanes<F: Four>(&self, four: F, motion: &Lanes6<F>) -> Lanes6<F> {
        // The inertia is symmetric: turned back is turned.
        let whole = self.inertia.to_mat3();
        Lanes6 {
            angular: motion.angular.turned_back_by(four, &whole).plus_cross(four, self.moment, &motion.linear),
            linear: motion.linear.times(four, self.mass_kg).plus_cross(four, -self.moment, &motion.angular),
        }
    }

    /// `sum` + I m of several motions.
    #[inline(always)]
    pub fn times_lanes_onto<F: Four>(&self, four: F, motion: &Lanes6<F>, sum: &Lanes6<F>) -> Lanes6<F> {
        let whole = self.inertia.to_mat3();
        let mass = self.times_linear(four, &motion.linear, &sum.linear);
        Lanes6 {
            angular: sum.angular.plus_turned_back(four, &whole, &motion.angular).plus_cross(
                four,
                self.moment,
                &motion.linear,
            ),
            linear: mass.plus_cross(four, -self.moment, &motion.angular),
        }
    }

    #[inline(always)]
    fn times_linear<F: Four>(&self, four: F, linear: &Lanes3<F>, sum: &Lanes3<F>) -> Lanes3<F> {
        let mass = four.splat(self.mass_kg);
        Lanes3 {
            x: four.mul_add(mass, linear.x, sum.x),
            y: four.mul_add(mass, linear.y, sum.y),
            z: four.mul_add(mass, linear.z, sum.z),
        }
    }

    /// I m of several motions that only turn.
    #[inline(always)]
    pub fn times_turning_lanes<F: Four>(&self, four: F, angular: &Lanes3<F>) -> Lanes6<F> {
        Lanes6 {
            angular: angular.turned_back_by(four, &self.inertia.to_mat3()),
            linear: angular.crossed_by(four, -self.moment),
        }
    }
}

/// How a link and what it carries answer a motion of its joint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Articulated {
    pub j: Symmetric3,
    pub h: DMat3,
    pub m: Symmetric3,
    pub bias: SpatialForce,
    /// J⁻¹ of a ball, kept for the way back.
    pub j_inverse: Symmetric3,
    /// Of a revolute joint: U = I S, 1/D and τ − S·p.
    pub u: SpatialForce,
    pub d_inverse: f64,
    pub rest: f64,
}

/// Sums over a link and all below it, world axes, about O.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sweep {
    pub velocity: SpatialMotion,
    /// Spatial: of the components of `velocity`, not of a point.
    pub acceleration: SpatialMotion,
    pub inertia: WorldInertia,
    /// K = Σ m u rᵀ.
    pub spread: DMat3,
    pub momentum: DVec3,
    pub force: SpatialForce,
    pub load: DVec3,
    pub load_outer: DMat3,
}

/// One degree of freedom: S, Ψ̇, Ψ̈ and Ψ̇ + Ṡ, angular before linear.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Column {
    pub s: [f64; 6],
    pub psi: [f64; 6],
    pub psi_rate: [f64; 6],
    pub psi_and_s_rate: [f64; 6],
}

/// Everything that is written while a model is evaluated. One for each thread.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub(super) motion: Vec<LinkMotion>,
    /// Force through each joint, about it.
    pub(super) force: Vec<SpatialForce>,
    /// Of links with all below them.
    pub(super) composite: Vec<WorldInertia>,
    pub(super) aba: Vec<Articulated>,
    pub(super) sweep: Vec<Sweep>,
    pub(super) columns: Vec<Column>,
}

impl Workspace {
    /// Scratch for a model.
    pub fn new(model: &Model) -> Self {
        let links = model.link_count();
        Self {
            motion: vec![LinkMotion::REST; links],
            force: vec![SpatialForce::ZERO; links],
            composite: vec![WorldInertia::ZERO; links],
            aba: vec![Default::default(); links],
            sweep: vec![Default::default(); links],
            columns: vec![Default::default(); model.nv()],
        }
    }

    /// A link's motion as of the last call; positions are always there, velocities and accelerations if the call knew
    /// them.
    pub fn link(&self, link: LinkId) -> &LinkMotion {
        &self.motion[link.index()]
    }

    /// Force and moment that the parent (or the world) exerts on a link through its joint, world axes, about the joint:
    /// after [`super::rnea`].
    pub fn joint_force(&self, link: LinkId) -> SpatialForce {
        self.force[link.index()]
    }
}
