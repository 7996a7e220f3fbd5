//! Motion files to motion and back without loss.
//!
//! Every reader has two layers: a *document* that keeps the file's bytes and where everything stands in them, and a
//! *clip* in metres, Y up. Writing an edited clip back through its document changes only the tokens of the channels
//! that were touched; an unedited clip gives back the very bytes. What was guessed, tolerated or dropped is listed as
//! [`Diagnostic`]s with stable codes.

mod absurd;
mod angle_path;
pub mod asf_amc;
pub mod atomic;
pub mod bvh;
pub mod c3d;
pub mod codes;
pub mod diagnostic;
pub mod error;
pub mod export;
pub mod fbx;
mod file_kind;
pub mod frame_guess;
pub mod gltf;
pub mod hint;
pub mod import;
mod limited;
pub mod mjcf;
pub mod npz;
pub mod number;
pub mod opensim;
pub mod options;
pub mod reframe;
pub mod roles_file;
mod row_match;
mod tree_order;
pub mod usda;

pub use diagnostic::{Diagnostic, Place, Severity};
pub use error::FormatError;
pub use import::{Document, FileKind, GltfDocument, Import, read_bytes, read_file};
pub use options::{Limits, Mode, NanRepair, PositionSemantics, ReadOptions, WriteOptions};
