//! A skeleton with mass: segment masses and inertias, centre of mass, momenta and what changes them.
//!
//! This crate knows no files (`body.toml` is text in, text out) and no contacts. Everything is metres, seconds,
//! kilograms and radians, Y up, right-handed, `f64`. `docs/physics/body.md` holds the tables, the rules and the
//! equations.

pub mod anatomy;
pub mod body;
pub mod centroidal;
pub mod collision;
pub mod dynamics;
pub mod error;
mod gravity;
pub mod human_limits;
pub mod simulation;
pub mod spatial;

pub use anatomy::{JointMotion, JointRange, JointRanges};
pub use body::{Body, BodyOptions, Link, MassTable, Shape};
pub use centroidal::{Centroidal, CentroidalTrack, MassModel};
pub use error::PhysicsError;
pub use gravity::{GRAVITY, GRAVITY_IN_WORLD};
pub use human_limits::HumanLimit;
pub use spatial::{SpatialForce, SpatialInertia, SpatialMotion, Symmetric3};
