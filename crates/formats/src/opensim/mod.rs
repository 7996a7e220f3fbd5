//! What OpenSim and motion laboratories exchange as text: markers (`.trc`) and tables over time (`.mot`, `.sto`), among
//! them the forces of force plates. Read only; both are Y up by OpenSim's convention.

pub mod codes;
mod lines;
pub mod mot;
mod names;
pub mod plates;
pub mod trc;

pub use mot::Table;
pub use plates::{ForcePlate, force_plates};
pub use trc::TrcFile;

#[cfg(test)]
mod tests;
