//! Dynamics of a tree of rigid links: inverse (`rnea`), forward (`aba`), the mass matrix (`crba`), their derivatives,
//! Jacobians.
//!
//! [`Model`] is immutable, a [`Workspace`] belongs to the caller, and no call allocates. A state is three plain slices:
//!
//! | joint | configuration q | velocity v, acceleration a, force τ |
//! |---|---|---|
//! | free | quaternion x y z w, position x y z (m) | angular x y z, linear x y z, in the link's own axes |
//! | ball | quaternion x y z w | angular x y z (rad/s) of the link relative to its parent, in the link's own axes |
//! | revolute | angle (rad) | angle's rate |
//! | fixed | – | – |
//!
//! Derivatives with respect to q are taken along the same directions as velocities: q moved by δ is
//! [`Model::integrate`] of q by δ.
//!
//! Vectors are told in world axes about each link's own joint, so that only offsets lie between neighbours and nothing
//! is turned on the way; a ball joint then leaves three rows of a link's articulated inertia to its parent, which is
//! what makes `aba` quick here. The formulas are in `docs/algorithms/dynamics.md`.

mod aba;
mod aba_derivatives;
mod centroid;
mod crba;
mod factor;
mod jacobian;
mod kinematics;
mod lanes;
mod loads;
mod matrix;
mod model;
mod of_body;
mod rnea;
mod rnea_derivatives;
mod skeleton;
mod state;
mod substitute;
mod workspace;

pub use aba::aba;
pub(crate) use aba::aba_resisting;
pub use aba_derivatives::{ForwardDerivatives, aba_derivatives};
pub use centroid::{CentroidDerivatives, CentroidJacobian};
pub use crba::crba;
pub(crate) use crba::crba_in_place;
pub use factor::MassFactor;
pub use jacobian::point_jacobian;
pub use loads::{Loads, PointForce};
pub use matrix::Matrix;
pub use model::{JointKind, LinkId, Model, ModelBuilder};
pub use of_body::BodyModel;
pub(crate) use rnea::bias_in_place;
pub use rnea::rnea;
pub use rnea_derivatives::{InverseDerivatives, rnea_derivatives};
pub use skeleton::{DynamicSkeleton, FoldOptions};
pub use workspace::{LinkMotion, Workspace};

#[cfg(test)]
mod tests;
