//! Centre of mass, linear and angular momentum, and their rates.
//!
//! For links with masses mᵢ, centres cᵢ, spins ωᵢ and inertias Iᵢ about their own centres (world axes),
//!
//! ```text
//!   M c = Σ mᵢ cᵢ                     P = Σ mᵢ ċᵢ                 Ṗ = Σ mᵢ c̈ᵢ
//!   L = Σ (cᵢ − c) × mᵢ ċᵢ + Iᵢ ωᵢ     L̇ = Σ (cᵢ − c) × mᵢ c̈ᵢ + Iᵢ ω̇ᵢ + ωᵢ × Iᵢ ωᵢ
//! ```
//!
//! (Orin, Goswami & Lee 2013, "Centroidal dynamics of a humanoid robot"). L̇ needs no term with ċ: Σ (ċᵢ − ċ) × mᵢ ċᵢ =
//! −ċ × P = 0. Point masses (Shin, Kovar & Gleicher 2003) leave out what has Iᵢ.
//!
//! Two ways in: [`tree::CentroidalKernel`] takes joint rotations with their velocities and accelerations (simulation,
//! optimisation); [`track::centroidal_track`] takes a clip.

pub mod track;
pub mod tree;

pub use track::{CentroidalOptions, CentroidalTrack, LinkPaths, centroidal_track, centroidal_track_of_paths};
pub use tree::{CentroidalKernel, JointMotion, RootMotion};

use crate::spatial::{SpatialForce, SpatialInertia};
use glam::{DQuat, DVec3};

/// What a link is for momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassModel {
    /// A rigid body with inertia of its own.
    #[default]
    Rigid,
    /// All its mass at its centre.
    Points,
}

/// One frame of a body's motion as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Centroidal {
    /// Centre of mass, m.
    pub com_in_world_m: DVec3,
    /// Linear momentum, kg·m/s, and angular momentum about the centre of mass, kg·m²/s.
    pub momentum: SpatialForce,
    /// Their rates: all external forces (gravity with them), N, and their moment about the centre of mass, N·m.
    pub momentum_rate: SpatialForce,
}

/// Motion of one link, in world axes.
#[derive(Clone, Copy, Debug)]
struct LinkState {
    com_in_world_m: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
    /// Of the frame in which the link's inertia is told.
    world_from_link: DQuat,
    angular_velocity: DVec3,
    angular_acceleration: DVec3,
}

/// Sums over links, about an origin near the body: about the world's own, a body far away would lose digits in c × P.
#[derive(Clone, Copy, Debug)]
struct Sums {
    origin_m: DVec3,
    mass_kg: f64,
    mass_moment: DVec3,
    momentum: SpatialForce,
    rate: SpatialForce,
}

impl Sums {
    fn about(origin_m: DVec3) -> Self {
        Self {
            origin_m,
            mass_kg: 0.0,
            mass_moment: DVec3::ZERO,
            momentum: SpatialForce::ZERO,
            rate: SpatialForce::ZERO,
        }
    }

    #[inline]
    fn add(&mut self, inertia: &SpatialInertia, link: &LinkState, model: MassModel) {
        let from_origin_m = link.com_in_world_m - self.origin_m;
        let (momentum, force) = (link.velocity * inertia.mass_kg, link.acceleration * inertia.mass_kg);
        self.mass_kg += inertia.mass_kg;
        self.mass_moment += from_origin_m * inertia.mass_kg;
        self.momentum.linear += momentum;
        self.rate.linear += force;
        self.momentum.angular += from_origin_m.cross(momentum);
        self.rate.angular += from_origin_m.cross(force);
        if model == MassModel::Rigid {
            // In the link's own axes, where the inertia is constant: Euler's equation.
            let link_from_world = link.world_from_link.conjugate();
            let spin = link_from_world * link.angular_velocity;
            let spin_rate = link_from_world * link.angular_acceleration;
            let spin_momentum = inertia.about_com * spin;
            let spin_force = inertia.about_com * spin_rate + spin.cross(spin_momentum);
            self.momentum.angular += link.world_from_link * spin_momentum;
            self.rate.angular += link.world_from_link * spin_force;
        }
    }

    /// From about the origin to about the centre of mass.
    fn finish(self) -> Centroidal {
        // A body has mass; the guard keeps an empty sum from becoming NaN.
        let com_from_origin_m = if self.mass_kg > 0.0 { self.mass_moment / self.mass_kg } else { DVec3::ZERO };
        Centroidal {
            com_in_world_m: self.origin_m + com_from_origin_m,
            momentum: self.momentum.about(com_from_origin_m),
            momentum_rate: self.rate.about(com_from_origin_m),
        }
    }
}

#[cfg(test)]
mod tests;
