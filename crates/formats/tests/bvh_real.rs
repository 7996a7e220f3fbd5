//! Every BVH capture of the data folder is read, and comes back to the byte.

use aplomb_formats::ReadOptions;
use aplomb_formats::bvh::BvhDocument;
use aplomb_motion::FrameOfReference;
use std::path::{Path, PathBuf};

fn captures() -> Option<Vec<PathBuf>> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("SKIPPED: no captures at {}; set APLOMB_DATA", folder.display());
        return None;
    }
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bvh")) {
                found.push(path);
            }
        }
    }
    found.sort();
    Some(found)
}

#[test]
fn every_capture_is_read() {
    let Some(paths) = captures() else { return };
    for path in &paths {
        let mut notes = Vec::new();
        let bytes = std::fs::read(path).unwrap();
        let document = BvhDocument::parse(bytes, &ReadOptions::default(), &mut notes);
        let document = document.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let clip = document.to_clip(FrameOfReference::INTERNAL).unwrap();
        println!(
            "{}: {} joints, {} frames, {} tracks",
            path.display(),
            clip.skeleton().len(),
            clip.frame_count(),
            clip.tracks().len()
        );
        for note in notes {
            println!("    {note}");
        }
    }
}
