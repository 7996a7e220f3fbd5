//! Skeletal animation out of FBX, binary or text, read by `ufbx`: bytes → scene in metres and Y up → baked keys → a
//! clip.
//!
//! FBX has pivots, pre- and post-rotations, six Euler orders, layers and curves of its own; ufbx, which is fuzzed and
//! made for it, bakes all of that into keys with straight lines between them. What is a joint and at which instants it
//! is sampled is decided as for glTF (`gltf::read`), whose codes are given names of FBX here. FBX is not written: GLB
//! and USD carry the same to every program.

pub mod codes;
#[cfg(feature = "fbx")]
mod read;

#[cfg(all(test, feature = "fbx"))]
mod ascii;
#[cfg(all(test, feature = "fbx"))]
mod hostile;
#[cfg(all(test, feature = "fbx"))]
mod tests;

use crate::diagnostic::Diagnostic;
use crate::options::ReadOptions;
use aplomb_motion::{Clip, FrameOfReference, FrameTime};

/// What an FBX says about motion.
#[derive(Clone, Debug)]
pub struct FbxFile {
    /// Metres, Y up.
    pub clip: Clip,
    /// Unit and axes of the file, where Aplomb has a name for them.
    pub source_frame: Option<FrameOfReference>,
    /// The rate, where it is even.
    pub frame_time: Option<FrameTime>,
}

/// Reads the bytes of an FBX.
#[cfg(feature = "fbx")]
pub fn read(bytes: &[u8], options: &ReadOptions, notes: &mut Vec<Diagnostic>) -> Result<FbxFile, Box<Diagnostic>> {
    let before = notes.len();
    let result = read::read(bytes, options, notes);
    notes.iter_mut().skip(before).for_each(|note| note.code = codes::of_fbx(note.code));
    result.map_err(|mut fault| {
        fault.code = codes::of_fbx(fault.code);
        fault
    })
}

/// This build leaves the reader out.
#[cfg(not(feature = "fbx"))]
pub fn read(_bytes: &[u8], _options: &ReadOptions, _notes: &mut Vec<Diagnostic>) -> Result<FbxFile, Box<Diagnostic>> {
    let fault = Diagnostic::error("FBX-E011", "a build with the feature fbx", "one without");
    Err(Box::new(fault.hint("export it as GLB, USD or BVH, or build with --features fbx")))
}
