//! Spatial (six-dimensional) vectors and inertias after Featherstone (2008, "Rigid Body Dynamics Algorithms", chapter
//! 2).
//!
//! Motions and forces are different types because they change frames differently: moving the reference point changes
//! the linear part of a motion and the angular part of a force. Axes are stated by the name of the variable, the point
//! by its text.

use glam::{DMat3, DVec3};
use std::ops::{Add, AddAssign, Mul, Sub};

/// A velocity or an acceleration of a rigid body: how it turns, and how the point of it at the reference point moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialMotion {
    /// rad/s or rad/s².
    pub angular: DVec3,
    /// m/s or m/s², of the body's point at the reference point.
    pub linear: DVec3,
}

/// A force or a momentum: its moment about the reference point, and its resultant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialForce {
    /// N·m or kg·m²/s, about the reference point.
    pub angular: DVec3,
    /// N or kg·m/s.
    pub linear: DVec3,
}

impl SpatialMotion {
    /// No motion.
    pub const ZERO: Self = Self { angular: DVec3::ZERO, linear: DVec3::ZERO };

    /// The same motion told at another point, `point` away from the present one: v′ = v + ω × r. For a velocity; the
    /// acceleration of a material point has a further term ω × (ω × r), see [`SpatialMotion::point_acceleration`].
    #[inline(always)]
    pub fn at(self, point: DVec3) -> Self {
        Self { angular: self.angular, linear: self.linear + self.angular.cross(point) }
    }

    /// Classical acceleration of the body's point `point` away from the reference point, where `self` holds the angular
    /// acceleration and the classical acceleration of the reference point: a + α × r + ω × (ω × r).
    #[inline(always)]
    pub fn point_acceleration(self, angular_velocity: DVec3, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point) + angular_velocity.cross(angular_velocity.cross(point))
    }

    /// v ×  (Featherstone eq. 2.31): the rate of a motion vector carried along by this velocity.
    #[inline(always)]
    pub fn cross_motion(self, other: Self) -> Self {
        Self {
            angular: self.angular.cross(other.angular),
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
        }
    }

    /// v ×* (Featherstone eq. 2.32): the rate of a force vector carried along by this velocity.
    #[inline(always)]
    pub fn cross_force(self, force: SpatialForce) -> SpatialForce {
        SpatialForce {
            angular: self.angular.cross(force.angular) + self.linear.cross(force.linear),
            linear: self.angular.cross(force.linear),
        }
    }

    /// Power of a force on this velocity; twice the kinetic energy for a momentum.
    pub fn dot(self, force: SpatialForce) -> f64 {
        self.angular.dot(force.angular) + self.linear.dot(force.linear)
    }
}

impl SpatialForce {
    /// No force.
    pub const ZERO: Self = Self { angular: DVec3::ZERO, linear: DVec3::ZERO };

    /// The same force told about another point, `point` away from the present one: n′ = n − r × f.
    #[inline(always)]
    pub fn about(self, point: DVec3) -> Self {
        Self { angular: self.angular - point.cross(self.linear), linear: self.linear }
    }
}

macro_rules! linear_space {
    ($name:ident) => {
        impl Add for $name {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
            }
        }
        impl Sub for $name {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self { angular: self.angular - other.angular, linear: self.linear - other.linear }
            }
        }
        impl AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl Mul<f64> for $name {
            type Output = Self;
            #[inline(always)]
            fn mul(self, factor: f64) -> Self {
                Self { angular: self.angular * factor, linear: self.linear * factor }
            }
        }
    };
}

linear_space!(SpatialMotion);
linear_space!(SpatialForce);

/// A symmetric 3×3 matrix by its six numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Symmetric3 {
    /// First diagonal entry.
    pub xx: f64,
    /// Second diagonal entry.
    pub yy: f64,
    /// Third diagonal entry.
    pub zz: f64,
    /// Row x, column y. For an inertia this is −Σ m x y, the entry of the matrix itself and not the "product of
    /// inertia".
    pub xy: f64,
    /// Row x, column z.
    pub xz: f64,
    /// Row y, column z.
    pub yz: f64,
}

impl Symmetric3 {
    /// All zero.
    pub const ZERO: Self = Self { xx: 0.0, yy: 0.0, zz: 0.0, xy: 0.0, xz: 0.0, yz: 0.0 };

    /// Diagonal entries only.
    #[inline(always)]
    pub const fn diagonal(diagonal: DVec3) -> Self {
        Self { xx: diagonal.x, yy: diagonal.y, zz: diagonal.z, ..Self::ZERO }
    }

    /// v vᵀ.
    #[inline(always)]
    pub fn outer(v: DVec3) -> Self {
        Self { xx: v.x * v.x, yy: v.y * v.y, zz: v.z * v.z, xy: v.x * v.y, xz: v.x * v.z, yz: v.y * v.z }
    }

    /// Sum of the diagonal.
    #[inline(always)]
    pub fn trace(self) -> f64 {
        self.xx + self.yy + self.zz
    }

    /// As a full matrix.
    pub fn to_mat3(self) -> DMat3 {
        DMat3::from_cols(
            DVec3::new(self.xx, self.xy, self.xz),
            DVec3::new(self.xy, self.yy, self.yz),
            DVec3::new(self.xz, self.yz, self.zz),
        )
    }

    /// The symmetric part of a full matrix.
    pub fn from_mat3(m: DMat3) -> Self {
        Self {
            xx: m.x_axis.x,
            yy: m.y_axis.y,
            zz: m.z_axis.z,
            xy: 0.5 * (m.x_axis.y + m.y_axis.x),
            xz: 0.5 * (m.x_axis.z + m.z_axis.x),
            yz: 0.5 * (m.y_axis.z + m.z_axis.y),
        }
    }

    /// `b_from_a` · S · `b_from_a`ᵀ: the same tensor in the axes of b.
    #[inline(always)]
    pub fn rotated(self, b_from_a: DMat3) -> Self {
        let (half, turn) = (self.left_times(b_from_a), b_from_a);
        // Row i of the first times row j of the second; only the upper triangle is needed.
        let entry = |i: usize, j: usize| {
            half.x_axis[i] * turn.x_axis[j] + half.y_axis[i] * turn.y_axis[j] + half.z_axis[i] * turn.z_axis[j]
        };
        Self { xx: entry(0, 0), yy: entry(1, 1), zz: entry(2, 2), xy: entry(0, 1), xz: entry(0, 2), yz: entry(1, 2) }
    }

    /// tr(S)·1 − S: from second moments Σ m r rᵀ to the inertia they make. Its own inverse is
    /// [`Symmetric3::second_moments`].
    #[inline(always)]
    pub fn inertia_of_second_moments(self) -> Self {
        Self::diagonal(DVec3::splat(self.trace())) - self
    }

    /// ½ tr(I)·1 − I: the second moments Σ m r rᵀ that make the inertia I.
    #[inline(always)]
    pub fn second_moments(self) -> Self {
        Self::diagonal(DVec3::splat(0.5 * self.trace())) - self
    }

    /// Whether x·S x > 0 for every x: all pivots of its Cholesky factorisation are positive.
    pub fn is_positive_definite(self) -> bool {
        let l21 = self.xy / self.xx;
        let l31 = self.xz / self.xx;
        let second = self.yy - l21 * self.xy;
        let l32 = (self.yz - l21 * self.xz) / second;
        let third = self.zz - l31 * self.xz - l32 * l32 * second;
        self.xx > 0.0 && second > 0.0 && third > 0.0
    }

    /// S⁻¹ by cofactors; not finite if S has none.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let (xx, xy) = (self.yy * self.zz - self.yz * self.yz, self.xz * self.yz - self.xy * self.zz);
        let xz = self.xy * self.yz - self.xz * self.yy;
        let scale = 1.0 / (self.xx * xx + self.xy * xy + self.xz * xz);
        Self {
            xx: xx * scale,
            xy: xy * scale,
            xz: xz * scale,
            yy: (self.xx * self.zz - self.xz * self.xz) * scale,
            yz: (self.xy * self.xz - self.xx * self.yz) * scale,
            zz: (self.xx * self.yy - self.xy * self.xy) * scale,
        }
    }

    /// A · S for any matrix A.
    #[inline(always)]
    pub fn left_times(self, a: DMat3) -> DMat3 {
        DMat3::from_cols(
            a * DVec3::new(self.xx, self.xy, self.xz),
            a * DVec3::new(self.xy, self.yy, self.yz),
            a * DVec3::new(self.xz, self.yz, self.zz),
        )
    }

    /// S · T of two symmetric matrices, which is not symmetric.
    #[inline(always)]
    pub fn times_symmetric(self, other: Self) -> DMat3 {
        DMat3::from_cols(
            self * DVec3::new(other.xx, other.xy, other.xz),
            self * DVec3::new(other.xy, other.yy, other.yz),
            self * DVec3::new(other.xz, other.yz, other.zz),
        )
    }

    /// Whether every entry is finite.
    pub fn is_finite(self) -> bool {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz].iter().all(|entry| entry.is_finite())
    }
}

impl Mul<DVec3> for Symmetric3 {
    type Output = DVec3;
    #[inline(always)]
    fn mul(self, v: DVec3) -> DVec3 {
        DVec3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}

impl Mul<f64> for Symmetric3 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Self {
            xx: self.xx * factor,
            yy: self.yy * factor,
            zz: self.zz * factor,
            xy: self.xy * factor,
            xz: self.xz * factor,
            yz: self.yz * factor,
        }
    }
}

impl Add for Symmetric3 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            zz: self.zz + other.zz,
            xy: self.xy + other.xy,
            xz: self.xz + other.xz,
            yz: self.yz + other.yz,
        }
    }
}

impl Sub for Symmetric3 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}

/// Mass, where its centre is, and how it resists turning about that centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialInertia {
    /// kg.
    pub mass_kg: f64,
    /// From the reference point, metres.
    pub com_m: DVec3,
    /// About the centre of mass, kg·m², in the axes of `com_m`.
    pub about_com: Symmetric3,
}

impl SpatialInertia {
    /// Nothing.
    pub const ZERO: Self = Self { mass_kg: 0.0, com_m: DVec3::ZERO, about_com: Symmetric3::ZERO };

    /// Momentum of a body with this velocity (both about the reference point): Featherstone eq. 2.63 times v.
    pub fn momentum(&self, velocity: SpatialMotion) -> SpatialForce {
        let linear = (velocity.linear + velocity.angular.cross(self.com_m)) * self.mass_kg;
        SpatialForce { angular: self.about_com * velocity.angular + self.com_m.cross(linear), linear }
    }

    /// ½ v·I v.
    pub fn kinetic_energy(&self, velocity: SpatialMotion) -> f64 {
        0.5 * velocity.dot(self.momentum(velocity))
    }

    /// Inertia about the reference point instead of the centre of mass (parallel axes): I + m(|c|²·1 − c cᵀ).
    pub fn about_reference_point(&self) -> Symmetric3 {
        self.about_com + (Symmetric3::outer(self.com_m) * self.mass_kg).inertia_of_second_moments()
    }

    /// The same body told from frame b, where `b_from_a` turns vectors and `a_in_b_m` is where the old reference point
    /// lies.
    pub fn transformed(&self, b_from_a: DMat3, a_in_b_m: DVec3) -> Self {
        Self {
            mass_kg: self.mass_kg,
            com_m: a_in_b_m + b_from_a * self.com_m,
            about_com: self.about_com.rotated(b_from_a),
        }
    }
}

impl Add for SpatialInertia {
    type Output = Self;

    /// Two bodies glued together; both in the same frame.
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mass_kg = self.mass_kg + other.mass_kg;
        if mass_kg == 0.0 {
            return Self { com_m: self.com_m, ..Self::ZERO };
        }
        let com_m = (self.com_m * self.mass_kg + other.com_m * other.mass_kg) / mass_kg;
        // Both about the common centre: m₁|d₁|² + m₂|d₂|² = m₁m₂/(m₁+m₂) |d₁−d₂|².
        let apart = Symmetric3::outer(self.com_m - other.com_m) * (self.mass_kg * other.mass_kg / mass_kg);
        Self { mass_kg, com_m, about_com: self.about_com + other.about_com + apart.inertia_of_second_moments() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn brick() -> SpatialInertia {
        SpatialInertia {
            mass_kg: 3.0,
            com_m: DVec3::new(0.1, -0.4, 0.2),
            about_com: Symmetric3 { xx: 0.30, yy: 0.22, zz: 0.41, xy: 0.02, xz: -0.03, yz: 0.05 },
        }
    }

    fn velocity() -> SpatialMotion {
        SpatialMotion { angular: DVec3::new(0.7, -1.1, 0.4), linear: DVec3::new(0.2, 0.5, -0.9) }
    }

    fn close(a: DVec3, b: DVec3) -> bool {
        (a - b).length() < 1e-14
    }

    #[test]
    fn momentum_about_a_point_is_that_of_the_parallel_axis_theorem() {
        let (inertia, spin) = (brick(), DVec3::new(0.3, 0.2, -0.5));
        let momentum = inertia.momentum(SpatialMotion { angular: spin, linear: DVec3::ZERO });
        assert!(close(momentum.angular, inertia.about_reference_point() * spin));
        // A bar of length L and mass m about its end: m L²/3.
        let bar = SpatialInertia {
            mass_kg: 2.0,
            com_m: DVec3::X * 0.75,
            about_com: Symmetric3::diagonal(DVec3::new(0.0, 1.0, 1.0) * (2.0 * 1.5 * 1.5 / 12.0)),
        };
        assert!((bar.about_reference_point().zz - 2.0 * 1.5 * 1.5 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn power_and_energy_do_not_depend_on_the_frame() {
        let (inertia, velocity) = (brick(), velocity());
        let force = SpatialForce { angular: DVec3::new(3.0, 1.0, -2.0), linear: DVec3::new(-5.0, 4.0, 2.0) };
        let point = DVec3::new(0.3, 0.6, -0.2);
        assert!((velocity.dot(force) - velocity.at(point).dot(force.about(point))).abs() < 1e-14);
        let b_from_a = DMat3::from_quat(DQuat::from_rotation_y(0.8) * DQuat::from_rotation_x(-1.3));
        let moved = inertia.transformed(b_from_a, DVec3::new(1.0, 2.0, 3.0));
        let turned = SpatialMotion { angular: b_from_a * velocity.angular, linear: b_from_a * velocity.linear };
        let told_in_b = turned.at(-DVec3::new(1.0, 2.0, 3.0));
        assert!((moved.kinetic_energy(told_in_b) - inertia.kinetic_energy(velocity)).abs() < 1e-13);
    }

    #[test]
    fn crossing_with_a_force_is_dual_to_crossing_with_a_motion() {
        let (velocity, motion) = (velocity(), SpatialMotion { angular: DVec3::Y, linear: DVec3::new(1.0, -2.0, 0.5) });
        let force = SpatialForce { angular: DVec3::new(3.0, 1.0, -2.0), linear: DVec3::new(-5.0, 4.0, 2.0) };
        // (v × m)·f = −m·(v ×* f).
        let difference = velocity.cross_motion(motion).dot(force) + motion.dot(velocity.cross_force(force));
        assert!(difference.abs() < 1e-13);
    }

    #[test]
    fn gluing_adds_momenta() {
        let other = SpatialInertia { mass_kg: 1.2, com_m: DVec3::new(-0.5, 0.3, 0.9), ..brick() };
        let both = brick() + other;
        let (glued, one, two) = (both.momentum(velocity()), brick().momentum(velocity()), other.momentum(velocity()));
        assert!(close(glued.angular, (one + two).angular) && close(glued.linear, (one + two).linear));
    }

    #[test]
    fn definiteness_is_told_right() {
        assert!(brick().about_com.is_positive_definite());
        assert!(!Symmetric3::diagonal(DVec3::new(1.0, 1.0, -1e-9)).is_positive_definite());
        assert!(!Symmetric3 { xx: 1.0, yy: 1.0, zz: 1.0, xy: 1.1, xz: 0.0, yz: 0.0 }.is_positive_definite());
        assert!(!Symmetric3::diagonal(DVec3::new(f64::NAN, 1.0, 1.0)).is_positive_definite());
        let identity = brick().about_com.inverse().left_times(brick().about_com.to_mat3());
        assert!((identity - DMat3::IDENTITY).to_cols_array().iter().all(|entry| entry.abs() < 1e-14));
        let moments = Symmetric3 { xx: 0.3, yy: 0.1, zz: 0.2, xy: 0.01, xz: 0.02, yz: -0.03 };
        let back = moments.inertia_of_second_moments().second_moments();
        assert!((back - moments).to_mat3().to_cols_array().iter().all(|entry| entry.abs() < 1e-15));
    }
}
