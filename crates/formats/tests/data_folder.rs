//! Every file of the data folder is read, or refused for the right reason: no other answer, and no panic.
//!
//! Positions are compared with other programs by `cargo xtask oracles` (three.js, ezc3d, usd-core; Blender with
//! `--all`).

use aplomb_formats::opensim::mot;
use aplomb_formats::{FormatError, ReadOptions, read_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let top = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from);
    if !top.is_dir() {
        eprintln!("SKIPPED: no captures at {}; set APLOMB_DATA", top.display());
        return Vec::new();
    }
    let mut files = Vec::new();
    let mut folders = vec![top];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

#[test]
fn every_file_is_read_or_refused_for_the_right_reason() {
    let files = files();
    let mut read: BTreeMap<String, usize> = BTreeMap::new();
    for path in &files {
        let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase());
        let result = read_file(path, &ReadOptions::default());
        let name = path.display();
        match (ending.as_str(), result) {
            ("bvh" | "amc" | "asf" | "trc" | "c3d", Ok(import)) => {
                assert!(import.clip.frame_count() > 0 && !import.clip.skeleton().is_empty(), "{name}");
                *read.entry(ending).or_default() += 1;
            }
            // Laboratories put on the markers that they need: of these no whole person can be made, and it is said
            // which is missing.
            ("c3d", Err(FormatError::Invalid { diagnostic, .. })) => {
                assert!(
                    diagnostic.code == "IMP-E004" && diagnostic.found.contains("no marker for"),
                    "{name}: {diagnostic}"
                );
            }
            ("mot", Err(FormatError::Unsupported { reason, .. })) => {
                assert!(reason.contains("no skeleton"), "{name}: {reason}");
                let table = mot::parse(&std::fs::read(path).unwrap(), &ReadOptions::default(), &mut Vec::new());
                assert!(table.is_ok_and(|table| table.rows() > 10), "{name}: as a table it is read");
            }
            ("osim", Err(FormatError::Unsupported { reason, .. })) => {
                assert!(reason.contains("model"), "{name}: {reason}")
            }
            ("txt" | "xml" | "md", Err(FormatError::Unsupported { reason, .. })) => {
                assert!(reason.contains("not a motion file"), "{name}: {reason}");
            }
            (_, Ok(_)) => panic!("{name}: read, although it is no motion"),
            (_, Err(error)) => panic!("{error}"),
        }
    }
    eprintln!("{read:?} of {}", files.len());
    let least = [("bvh", 150), ("amc", 10), ("asf", 5), ("trc", 10), ("c3d", 1)];
    let is_there = |&(ending, least): &(&str, usize)| read.get(ending).is_some_and(|&count| count >= least);
    assert!(files.is_empty() || least.iter().all(is_there), "{read:?}");
}
