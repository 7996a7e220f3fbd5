//! Captures of the data folder as clips, for tests of edits on real motion.

use aplomb_formats::ReadOptions;
use aplomb_formats::bvh::BvhDocument;
use aplomb_motion::{Clip, FrameOfReference, SignedPermutation};
use std::path::{Path, PathBuf};

/// CMU: 1/0.45 inch.
#[allow(dead_code, reason = "each test file that shares this module uses a part of it")]
pub const CMU_METRES_PER_UNIT: f64 = 0.0254 / 0.45;

/// Bandai: centimetres.
#[allow(dead_code, reason = "each test file that shares this module uses a part of it")]
pub const BANDAI_METRES_PER_UNIT: f64 = 0.01;

/// The clip at `path` in the data folder (`APLOMB_DATA`); `None`, with a line saying so, if there is no such folder.
#[allow(dead_code, reason = "each test file that shares this module uses a part of it")]
pub fn capture(path: &str, metres_per_unit: f64) -> Option<Clip> {
    let bytes = std::fs::read(folder()?.join(path)).unwrap();
    let document = BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new()).unwrap();
    let frame = FrameOfReference { internal_from_file: SignedPermutation::IDENTITY, metres_per_unit };
    Some(document.to_clip(frame).unwrap())
}

/// Paths of all BVH files below the data folder, sorted; none if there is no such folder.
#[allow(dead_code, reason = "each test file that shares this module uses a part of it")]
pub fn bvh_files() -> Vec<String> {
    let Some(top) = folder() else { return Vec::new() };
    let mut found = Vec::new();
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bvh")) {
                found.push(path.strip_prefix(&top).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// Where one of [`bvh_files`] is.
#[allow(dead_code, reason = "each test file that shares this module uses a part of it")]
pub fn path(name: &str) -> PathBuf {
    folder().unwrap_or_default().join(name)
}

fn folder() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("SKIPPED: no captures at {}; set APLOMB_DATA", folder.display());
        return None;
    }
    Some(folder)
}
