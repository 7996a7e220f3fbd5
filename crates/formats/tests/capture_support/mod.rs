//! Captures of the data folder as clips, for tests of edits on real motion.

use aplomb_formats::ReadOptions;
use aplomb_formats::bvh::BvhDocument;
use aplomb_motion::{Clip, FrameOfReference, SignedPermutation};
use std::path::{Path, PathBuf};

/// CMU: 1/0.45 inch.
pub const CMU_METRES_PER_UNIT: f64 = 0.0254 / 0.45;

/// Bandai: centimetres.
pub const BANDAI_METRES_PER_UNIT: f64 = 0.01;

/// The clip at `path` in the data folder (`APLOMB_DATA`); `None`, with a line saying so, if there is no such folder.
pub fn capture(path: &str, metres_per_unit: f64) -> Option<Clip> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("SKIPPED: no captures at {}; set APLOMB_DATA", folder.display());
        return None;
    }
    let bytes = std::fs::read(folder.join(path)).unwrap();
    let document = BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new()).unwrap();
    let frame = FrameOfReference { internal_from_file: SignedPermutation::IDENTITY, metres_per_unit };
    Some(document.to_clip(frame).unwrap())
}
