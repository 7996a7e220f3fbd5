//! Forward simulation of driven trees: servos that pull joints towards a motion, and ground that pushes back.
//!
//! A step is implicit in both (stable PD, Tan, Liu & Turk 2011; the same idea as Baraff & Witkin 1998 for springs):
//! with K and K_d the servos' stiffness and damping, C and D those of the ground at points with Jacobian J,
//!
//! ```text
//!   (M + h K_d + h² K + Jᵀ (h D + h² C) J) a = K (θ_d(t+h) ⊖ θ − h v) − K_d v + Jᵀ f − bias
//!   v ← v + h a,   q ← q ⊕ h v
//! ```
//!
//! so that 1/480 s is stable at any useful stiffness. The matrix has the sparsity of M: a servo acts within one joint,
//! and a point of a link only on the joints between it and the root.
//!
//! A [`World`] holds several such trees: shapes of declared [`Pair`]s push each other, and [`Task`]s change what is
//! asked of the servos.

mod actor;
mod ground;
mod servo;
mod stepping;
mod task;
mod touch;
mod world;

pub use actor::{Actor, Solid, SolidId};
pub use ground::{ContactPoint, Ground};
pub use servo::{Damping, ServoGains, Servos};
pub use stepping::{Diverged, Drive, Scheme, Simulation};
pub use task::{Balance, Command, Hold, StanceLeg, Task, Upright, View};
pub use touch::{Loss, Pair, Touch};
pub use world::{Director, Overlap, World};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod world_tests;
