//! What stays of a file's own numbers when its clip is cut, mirrored, or written in another unit or other axes.

mod capture_support;

use aplomb_formats::bvh::BvhDocument;
use aplomb_formats::export::encode;
use aplomb_formats::{Document, Import, PositionSemantics, ReadOptions, WriteOptions, read_file};
use aplomb_motion::edit::{MirrorPlane, cut, mirror, mirror_partners, resample};
use aplomb_motion::{Axis, Channel, Clip, FrameOfReference, FrameTime, SignedPermutation};
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// An unknown channel, a name in Latin-1, angles past half a turn, uneven decimals, text behind the last row; the first
/// row is a stray rest pose far from the rest.
fn awkward() -> Vec<u8> {
    let mut text = b"HIERARCHY\nROOT H\xfcfte\n{\n  OFFSET 0 0 0\n".to_vec();
    text.extend_from_slice(
        b"  CHANNELS 7 Xposition Yposition Zposition Zrotation Xrotation Yrotation Weight\n\
          JOINT Leg\n  {\n    OFFSET 0 -40.50 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n    End Site\n    {\n\
          OFFSET 0 -40 0\n    }\n  }\n}\nMOTION\nFrames: 6\nFrame Time: 0.01\n\
          0 90 0  0 0 0  0.5  0 0 0\n\
          0 95.00 1.5  178.294 -134.6888 -163.555  0.25  400.5 10 -3.12\n\
          0 96.00 1.5  179.1 -134.1 -163.2  0.125  401.5 10.250 -3.12\n\
          0 97.00 1.5  -179.9 -133.9 -163.1  1e-3  402.5 11 -3.1\n\
          0 98.00 1.5  -179.1 -133.5 -163.0  7  403.5 11 -3\n\
          0 99.00 1.5  -178 -133 -162.9  8  404.5 11 -2.9\n\
          a remark\n",
    );
    text
}

/// A file of that name in a folder of its own.
fn stored(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("aplomb-euler-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn import(name: &str, bytes: &[u8], options: &ReadOptions) -> Import {
    read_file(&stored(name, bytes), options).unwrap()
}

fn in_centimetres() -> ReadOptions {
    ReadOptions { metres_per_unit: Some(0.01), up: Some(Axis::Y), ..ReadOptions::default() }
}

fn written(
    import: &Import,
    clip: &Clip,
    frame: FrameOfReference,
    options: &WriteOptions,
) -> (Vec<u8>, Vec<&'static str>) {
    let encoded = encode(Path::new("out.bvh"), clip, Some(import), frame, options).unwrap();
    (encoded.files[0].1.clone(), encoded.notes.iter().map(|note| note.code).collect())
}

fn rows(bytes: &[u8]) -> Vec<&[u8]> {
    let lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines
        .skip_while(|line| !line.starts_with(b"Frame Time"))
        .skip(1)
        .filter(|line| !line.trim_ascii().is_empty())
        .collect()
}

fn words(row: &[u8]) -> Vec<&[u8]> {
    row.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty()).collect()
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

#[test]
fn another_unit_keeps_everything_but_lengths() {
    let source = awkward();
    let import = import("unit.bvh", &source, &in_centimetres());
    let metres = FrameOfReference { metres_per_unit: 1.0, ..import.frame() };
    let (bytes, notes) = written(&import, &import.clip, metres, &WriteOptions::default());
    assert!(notes.is_empty(), "{notes:?}");
    assert!(
        contains(&bytes, b"ROOT H\xfcfte\n")
            && contains(&bytes, b"OFFSET 0 -0.405 0\n")
            && bytes.ends_with(b"a remark\n")
    );
    for (row, before) in rows(&bytes).iter().zip(rows(&source)).take(6) {
        assert_eq!(words(row)[3..], words(before)[3..]);
    }
    assert_eq!(words(rows(&bytes)[1])[..3], [&b"0"[..], b"0.95", b"0.015"]);
}

#[test]
fn canonical_and_other_axes_keep_names_unknown_channels_and_tell_what_is_lost() {
    let import = import("canonical.bvh", &awkward(), &in_centimetres());
    let canonical = WriteOptions { canonical: true, ..WriteOptions::default() };
    let (bytes, notes) = written(&import, &import.clip, import.frame(), &canonical);
    assert_eq!(notes, ["BVH-N004", "BVH-W028"]);
    assert!(contains(&bytes, b"ROOT H\xfcfte\n") && contains(&bytes, b"Yrotation Weight\n"));
    assert!(contains(&bytes, b"178.294000 -134.688800 -163.555000 0.250000 400.500000"), "{}", bytes.escape_ascii());
    let z_up = FrameOfReference { internal_from_file: SignedPermutation::lifting(Axis::Z), ..import.frame() };
    let (bytes, _) = written(&import, &import.clip, z_up, &WriteOptions::default());
    assert!(contains(&bytes, b"ROOT H\xfcfte\n") && bytes.ends_with(b"a remark\n"));
    assert_eq!(words(rows(&bytes)[1])[6], b"0.25");
}

#[test]
fn a_cut_copies_its_rows_to_the_byte() {
    let source = awkward();
    let import = import("cut.bvh", &source, &in_centimetres());
    // Not from frame 0: its angles are another branch than those of the frames that follow.
    let clip = cut(&import.clip, (Bound::Included(0.02), Bound::Unbounded)).unwrap();
    let (bytes, notes) = written(&import, &clip, import.frame(), &WriteOptions::default());
    assert_eq!(notes, ["BVH-N004", "BVH-W028"]);
    assert_eq!(rows(&bytes), rows(&source)[2..6]);
    // Every second row. Of an odd number of them: a frame beyond the last row would be none of the file's.
    let odd = cut(&import.clip, (Bound::Unbounded, Bound::Excluded(0.045))).unwrap();
    let clip = resample(&odd, FrameTime::from_hz(50.0).unwrap()).unwrap();
    let (bytes, _) = written(&import, &clip, import.frame(), &WriteOptions::default());
    assert_eq!(rows(&bytes), [rows(&source)[0], rows(&source)[2], rows(&source)[4]]);
}

#[test]
fn a_cut_in_another_branch_begins_there_without_the_row() {
    let import = import("branch.bvh", &awkward(), &in_centimetres());
    let mut clip = cut(&import.clip, (Bound::Included(0.01), Bound::Unbounded)).unwrap();
    // A nudge of the first frame: no row of the file is the same any more, but the branch is.
    let root = clip.skeleton().roots().next().unwrap();
    for frame in clip.frames() {
        clip.set_rotation(frame, root, glam::DQuat::from_rotation_y(0.01) * clip.rotation(frame, root));
    }
    let (bytes, _) = written(&import, &clip, import.frame(), &WriteOptions::default());
    let document = BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new()).unwrap();
    let first = document.row(0).unwrap();
    for (angle, source) in first[3..6].iter().zip([178.294, -134.6888, -163.555]) {
        assert!((angle - source).abs() < 5.0, "{first:?}");
    }
}

#[test]
fn an_additive_file_is_rewritten_with_one_meaning() {
    let text = b"HIERARCHY\nROOT A\n{\n OFFSET 0 9 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
        JOINT B\n {\n OFFSET 0 4 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n End Site\n {\n\
        OFFSET 0 4 0\n }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n0 0.5 0 0 0 0 0 0 0 0 0 0\n0 0.6 0 0 0 0 0 0 0 0 0 0\n";
    let options = ReadOptions { position_semantics: PositionSemantics::Add, ..in_centimetres() };
    let import = import("additive.bvh", text, &options);
    let metres = FrameOfReference { metres_per_unit: 1.0, ..import.frame() };
    let canonical = WriteOptions { canonical: true, ..WriteOptions::default() };
    let root6 = WriteOptions { root_positions_only: true, ..canonical.clone() };
    // `encode` reads back what it wrote and refuses if it differs.
    let (patched, _) = written(&import, &import.clip, metres, &WriteOptions::default());
    assert_eq!(words(rows(&patched)[0])[..3], [&b"0"[..], b"0.005", b"0"]);
    for options in [canonical, root6] {
        for frame in [metres, import.frame()] {
            let (bytes, notes) = written(&import, &import.clip, frame, &options);
            assert!(notes.contains(&"BVH-N004"), "{notes:?}");
            assert!(words(rows(&bytes)[0])[1].starts_with(if frame == metres { b"0.095" } else { b"9.500" }));
        }
    }
}

#[test]
fn patched_numbers_keep_their_padding() {
    let import = import("padding.bvh", &awkward(), &in_centimetres());
    let mut clip = import.clip.clone();
    let root = clip.skeleton().roots().next().unwrap();
    clip.track_mut(root).unwrap()[2].y = 1.5;
    let (bytes, _) = written(&import, &clip, import.frame(), &WriteOptions::default());
    assert_eq!(words(rows(&bytes)[2])[1], b"150.00");
}

#[test]
fn a_wrong_frame_count_is_corrected_with_a_note() {
    let text = String::from_utf8_lossy(&awkward()).replace("Frames: 6", "Frames: 5");
    let import = import("count.bvh", text.as_bytes(), &in_centimetres());
    let mut clip = import.clip.clone();
    let root = clip.skeleton().roots().next().unwrap();
    clip.track_mut(root).unwrap()[2].y = 1.5;
    let (bytes, notes) = written(&import, &clip, import.frame(), &WriteOptions::default());
    assert!(contains(&bytes, b"Frames: 6\n") && notes == ["BVH-N005"], "{notes:?}");
}

/// The largest step of a joint's angles, in degrees, between each frame and the one before it, away from its
/// singularity.
fn steps_deg(document: &BvhDocument, joint: usize) -> Vec<Option<f64>> {
    let source = &document.joints()[joint];
    let is_rotation =
        |column: &usize| Axis::ALL.into_iter().any(|axis| source.column_of(Channel::Rotation(axis)) == Some(*column));
    let columns: Vec<usize> = (0..document.columns()).filter(is_rotation).collect();
    let frames = 1..document.frame_count();
    let step = |frame: usize| {
        let (before, now) = (document.row(frame - 1)?, document.row(frame)?);
        let &[_, middle, _] = columns.as_slice() else { return None };
        // Within 30° of it outer angles turn twice as fast as the joint, and faster.
        let is_regular = |row: &[f64]| row[middle].to_radians().cos().abs() > 0.5;
        (is_regular(before) && is_regular(now))
            .then(|| columns.iter().map(|&column| (now[column] - before[column]).abs()).fold(0.0, f64::max))
    };
    frames.map(step).collect()
}

/// The angle a joint turns by, in degrees, from each frame to the next.
fn turns_deg(clip: &Clip, joint: aplomb_motion::JointId) -> Vec<f64> {
    let frames: Vec<_> = clip.frames().collect();
    let turn = |pair: &[aplomb_motion::FrameIndex]| {
        clip.rotation(pair[0], joint).angle_between(clip.rotation(pair[1], joint)).to_degrees()
    };
    frames.windows(2).map(turn).collect()
}

#[test]
fn mirrored_captures_have_no_flips_that_the_motion_has_not() {
    let folders = ["bandai-bvh/", "cmu-bvh/"];
    let files = capture_support::bvh_files();
    let mut flips = Vec::new();
    for name in files.iter().filter(|name| folders.iter().any(|folder| name.starts_with(folder))) {
        let import = read_file(&capture_support::path(name), &ReadOptions::default()).unwrap();
        let partners = mirror_partners(import.clip.skeleton(), |joint| import.roles.mirror_partner(joint)).unwrap();
        let mirrored = mirror(&import.clip, &partners, MirrorPlane::AcrossX).unwrap();
        let (bytes, _) = written(&import, &mirrored, import.frame(), &WriteOptions::default());
        let options = ReadOptions::default();
        let document = BvhDocument::parse(bytes, &options, &mut Vec::new()).unwrap();
        assert!(matches!(import.document, Document::Bvh(_)));
        for joint in mirrored.skeleton().ids() {
            let turns = turns_deg(&mirrored, joint);
            for (frame, (step, turn)) in steps_deg(&document, joint.index()).into_iter().zip(turns).enumerate() {
                // Away from the singularity no angle turns more than 1/cos 60° times as fast as the joint.
                let Some(step) = step else { continue };
                let joint = &mirrored.skeleton().joint(joint).name;
                if step > 2.0 * turn + 20.0 {
                    flips.push(format!("{name}, {joint}, frame {}: {step}° for {turn}°", frame + 1));
                }
            }
        }
    }
    assert!(flips.is_empty(), "{flips:#?}");
}
