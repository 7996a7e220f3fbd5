//! Shared by tests over real captures: every BVH and AMC as a clip in its own unit and axes.

use aplomb_formats::ReadOptions;
use aplomb_formats::asf_amc::{AmcDocument, AsfAmcDocument, AsfDocument};
use aplomb_formats::bvh::BvhDocument;
use aplomb_motion::{Clip, FrameOfReference, FrameTime};
use std::path::{Path, PathBuf};

/// One capture.
pub struct Capture {
    /// Path below the folder of captures, with `/`.
    pub name: String,
    pub clip: Clip,
}

/// The folder of captures, there or not.
pub fn folder() -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from)
}

/// Every BVH and AMC, sorted by name; `None` (and a line on stderr) when there are none.
pub fn all() -> Option<Vec<Capture>> {
    let folder = folder();
    let mut captures = Vec::new();
    for path in files(&folder) {
        let clip = match path.extension().and_then(|end| end.to_str()) {
            Some("bvh") => bvh(&path),
            Some("amc") => amc(&path),
            _ => continue,
        };
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
        captures.push(Capture { name, clip });
    }
    if captures.is_empty() {
        eprintln!("SKIPPED: no captures in {} (set APLOMB_DATA)", folder.display());
        return None;
    }
    captures.sort_by(|a, b| a.name.cmp(&b.name));
    Some(captures)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found
}

fn bvh(path: &Path) -> Clip {
    let bytes = std::fs::read(path).unwrap();
    let document = BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new());
    let document = document.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    document.to_clip(FrameOfReference::INTERNAL).unwrap()
}

fn amc(path: &Path) -> Clip {
    let subject = path.parent().unwrap().file_name().unwrap();
    let asf_path = path.with_file_name(subject).with_extension("asf");
    let options = ReadOptions::default();
    let asf = AsfDocument::parse(std::fs::read(asf_path).unwrap(), &options, &mut Vec::new()).unwrap();
    let amc = AmcDocument::parse(std::fs::read(path).unwrap(), &asf, &options, &mut Vec::new()).unwrap();
    let frame_time = FrameTime::from_hz(120.0).unwrap();
    AsfAmcDocument { asf, amc }.to_clip(FrameOfReference::INTERNAL, frame_time).unwrap()
}
