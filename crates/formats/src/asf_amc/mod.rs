//! Acclaim skeleton and motion: ASF and AMC, read and written without loss.
//!
//! A bone's *joint* sits where its parent bone ends; the bone's own vector is the offset of its children (attaching it
//! to the bone itself is the classic error). Column vectors, angles in degrees, C the bone's axis frame:
//!
//! ```text
//! C_b   = Rz(c)·Ry(b)·Rx(a)              for `axis a b c XYZ`: first letter first, about fixed axes
//! M_b   = R(dof_n)···R(dof_1)            first listed dof first, about fixed axes; missing dofs are zero
//! W_b   = W_parent · C_b·M_b·C_b⁻¹       W_root = (orientation) · M_root
//! end_b = end_parent + W_b·(direction_b·length_b)        end_root = translation + position
//! ```
//!
//! Checked against the BVH conversions of the same captures on every frame (`tests/cmu_agreement.rs`).

mod amc;
mod amc_reader;
mod angle_unit;
mod asf;
mod blocks;
mod bone;
mod clip;
pub mod codes;
mod decimal;
mod export;
mod export_tree;
mod hierarchy;
pub(crate) mod lex;
mod solve;
mod write;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod write_tests;

pub(crate) use amc::{AMC_DEFAULT_HZ, is_amc_default};
pub use amc::{AmcDocument, amc_rate_hz, asf_path_hint};
pub use angle_unit::AngleUnit;
pub use asf::AsfDocument;
pub use bone::{Bone, Dof};
pub(crate) use decimal::{ANGLE_ROUNDING_RAD, LENGTH_ROUNDING};
pub use export::{AsfAmcBytes, write_asf};
pub(crate) use solve::{REPORTED_LOSS_RAD, REPORTED_LOSS_UNITS};

/// A motion and its skeleton as they were read.
#[derive(Clone, Debug)]
pub struct AsfAmcDocument {
    /// The skeleton.
    pub asf: AsfDocument,
    /// The motion.
    pub amc: AmcDocument,
}

impl AsfAmcDocument {
    /// Length of a file unit, from the skeleton's own `length` value.
    pub fn metres_per_unit(&self) -> f64 {
        self.asf.metres_per_unit()
    }

    /// The skeleton that the motion itself names, in a `#!OML:ASF` comment.
    pub fn asf_path_hint(&self) -> Option<&str> {
        self.amc.asf_path_hint()
    }
}
