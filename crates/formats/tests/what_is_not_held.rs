//! What a format cannot hold is told, and names that nothing is written under are refused with the way to take.

use aplomb_formats::export::{Encoded, encode};
use aplomb_formats::{FileKind, Import, ReadOptions, WriteOptions, read_bytes};
use aplomb_motion::FrameTime;
use std::path::Path;

const WALK: &str = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n \
    JOINT Leg\n {\n  OFFSET 0 -0.9 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -0.1 0\n  }\n }\n}\n\
    MOTION\nFrames: 3\nFrame Time: 0.0333333\n0 1 0 0 0 0 10 0 0\n0 1 0.1 0 0 0 20 0 0\n0 1 0.2 0 0 0 30 0 0\n";

fn walk() -> Import {
    let options = ReadOptions { metres_per_unit: Some(1.0), ..ReadOptions::default() };
    read_bytes(Path::new("walk.bvh"), WALK.into(), &options).unwrap()
}

fn written(source: &Import, name: &str) -> Encoded {
    encode(Path::new(name), &source.clip, Some(source), source.frame(), &WriteOptions::default()).unwrap()
}

#[test]
fn names_that_are_not_written_say_which_to_take() {
    let walk = walk();
    for (name, words) in [
        ("a.fbx", &["FBX", ".glb", ".usda", "Blender"][..]),
        ("a.FBX", &[".glb"]),
        ("a.gltf", &[".glb"]),
        ("a.vrm", &[".glb"]),
        ("a.usd", &[".usda"]),
        ("a.usdz", &[".usda"]),
        ("a.asf", &[".amc"]),
        ("a.c3d", &["read and not written", ".bvh"]),
        ("a.trc", &["read and not written"]),
        ("a.mot", &["read and not written"]),
        ("a.docx", &["cannot tell", ".bvh"]),
        ("a", &["cannot tell"]),
    ] {
        let error = encode(Path::new(name), &walk.clip, Some(&walk), walk.frame(), &WriteOptions::default());
        let message = error.err().unwrap().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{name}: {message}");
    }
    for name in ["a.bvh", "a.amc", "a.GLB", "a.npz", "a.usda"] {
        assert_eq!(FileKind::refusal_to_write(Path::new(name)), None);
    }
}

#[test]
fn an_amc_of_another_rate_than_120_says_so_and_comes_back() {
    let encoded = written(&walk(), "walk.amc");
    assert!(
        encoded.notes.iter().any(|note| note.code == "EXP-W002" && note.found.contains("30")),
        "{:?}",
        encoded.notes
    );
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in &encoded.files {
        std::fs::write(folder.path().join(path), bytes).unwrap();
    }
    let again = aplomb_formats::read_file(&folder.path().join("walk.amc"), &ReadOptions::default()).unwrap();
    let hz = |import: &Import| import.clip.timeline().uniform().map(FrameTime::hz);
    assert_eq!((hz(&again), hz(&walk())), (Some(30.0), Some(30.0)));
    let codes: Vec<&str> = again.diagnostics.iter().map(|note| note.code).collect();
    assert!(!codes.contains(&"IMP-W001"), "no rate is assumed: {codes:?}");
    // At 120 Hz there is nothing to tell, and no keyword that old programs do not know.
    let options = ReadOptions {
        frame_time: FrameTime::from_hz(120.0).ok(),
        metres_per_unit: Some(1.0),
        ..ReadOptions::default()
    };
    let usual = read_bytes(Path::new("walk.bvh"), WALK.into(), &options).unwrap();
    let encoded = written(&usual, "walk.amc");
    assert!(encoded.notes.iter().all(|note| note.code != "EXP-W002"));
    assert!(!String::from_utf8_lossy(&encoded.files[1].1).contains("SAMPLES"));
}

#[test]
fn a_glb_is_only_itself_if_it_says_what_was_understood() {
    let bytes = written(&walk(), "walk.glb").files.remove(0).1;
    let path = Path::new("walk.glb");
    let read = |options: &ReadOptions| read_bytes(path, bytes.clone(), options).unwrap();
    let plain = read(&ReadOptions::default());
    assert!(written(&plain, "again.glb").identical);
    // Read at half the rate, or at twice the size: the bytes do not say so, and are written anew.
    let slow = ReadOptions { frame_time: FrameTime::from_hz(15.0).ok(), ..ReadOptions::default() };
    let large = ReadOptions { metres_per_unit: Some(2.0), ..ReadOptions::default() };
    for options in [slow, large] {
        let import = read(&options);
        let encoded = written(&import, "other.glb");
        assert!(!encoded.identical);
        let again = read_bytes(path, encoded.files[0].1.clone(), &ReadOptions::default()).unwrap();
        assert_eq!(again.clip.timeline(), import.clip.timeline());
        let offset = |import: &Import| import.clip.skeleton().joints()[1].offset_m;
        assert!(offset(&again).distance(offset(&import)) < 1e-6);
    }
}
