//! BVH, the Biovision hierarchy: read in all its dialects, written back to the byte.
//!
//! [`BvhDocument::parse`] keeps the file's bytes with the place of every number; [`BvhDocument::to_clip`] makes the
//! motion of it; [`BvhDocument::write`] puts an edited motion back, changing only the tokens of the channels that
//! changed. [`write_canonical`] writes motion that did not come from BVH.
//!
//! BVH has no specification that its writers follow. The grammar accepted here, with the known dialects, is the one
//! that Blender, assimp and three.js accept together, and more; every deviation is told with a stable code of
//! [`codes::TABLE`]. Hand-written because no library keeps the bytes: all of them read into numbers and lose how the
//! file was written.

mod canonical;
pub mod codes;
mod document;
mod encode;
mod header;
mod hierarchy;
mod patch;
mod plan;
mod rows;
mod scan;
mod survey;
mod text;
mod to_clip;
mod translations;

pub use canonical::{BvhStyle, write_canonical};
pub use document::{BvhDocument, Dialect, Eol};
pub use hierarchy::{ChannelList, Column, EndSource, JointSource};
pub use scan::{Number, Span};
pub use text::Commas;
