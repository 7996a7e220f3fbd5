//! Every BVH capture of the data folder is read, comes back to the byte, and survives being written anew.

use aplomb_formats::bvh::{BvhDocument, BvhStyle, write_canonical};
use aplomb_formats::reframe::reframe;
use aplomb_formats::{Diagnostic, ReadOptions, WriteOptions};
use aplomb_motion::{Axis, Clip, FrameIndex, FrameOfReference, JointId, SignedPermutation, WorldPose};
use glam::{DQuat, DVec3};
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

const Z_UP_CENTIMETRES: FrameOfReference =
    FrameOfReference { internal_from_file: SignedPermutation::Y_UP_FROM_Z_UP, metres_per_unit: 0.01 };

fn read(bytes: Vec<u8>, notes: &mut Vec<Diagnostic>) -> BvhDocument {
    BvhDocument::parse(bytes, &ReadOptions::default(), notes).unwrap_or_else(|error| panic!("{error}"))
}

/// Largest distance of joints between two clips, relative to the size of the figure and its path.
fn kinematic_difference(a: &Clip, b: &Clip) -> f64 {
    let (mut pose_a, mut pose_b) = (WorldPose::default(), WorldPose::default());
    let (mut worst, mut size) = (0.0f64, 0.0f64);
    for index in a.frames() {
        pose_a.pose(a, index);
        pose_b.pose(b, index);
        for (p, q) in pose_a.joint_in_world_m.iter().zip(&pose_b.joint_in_world_m) {
            worst = worst.max((*p - *q).length());
            size = size.max(p.length());
        }
    }
    worst / size.max(1e-9)
}

/// The only deviations in the data folder; a new one in a known file would be a mistake of the reader.
const KNOWN_NOTES: [(&str, &str); 2] = [("assimp_boxing_toes.bvh", "BVH-W010"), ("makehuman_tpose.bvh", "BVH-W020")];

#[test]
fn every_capture_is_read_and_comes_back_to_the_byte() {
    let Some(paths) = captures() else { return };
    assert!(!paths.is_empty());
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(path).unwrap();
        let mut notes = Vec::new();
        let document = read(bytes.clone(), &mut notes);
        let codes: Vec<&str> = notes.iter().map(|note| note.code).collect();
        let known: Vec<&str> = KNOWN_NOTES.iter().filter(|(file, _)| *file == name).map(|(_, code)| *code).collect();
        assert_eq!(codes, known, "{name}");
        for frame in [FrameOfReference::INTERNAL, Z_UP_CENTIMETRES] {
            let clip = document.to_clip(frame).unwrap();
            assert_eq!(clip, reframe(document.to_clip(FrameOfReference::INTERNAL).unwrap(), frame).unwrap(), "{name}");
            let written = document.write(&clip, frame, &WriteOptions::default(), &mut Vec::new()).unwrap();
            assert!(written == bytes, "{name}: an unedited clip must come back to the byte");
        }
    }
}

#[test]
fn every_capture_written_anew_reads_as_the_same_motion() {
    let Some(paths) = captures() else { return };
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let document = read(std::fs::read(path).unwrap(), &mut Vec::new());
        let clip = document.to_clip(Z_UP_CENTIMETRES).unwrap();
        let full = WriteOptions { canonical: true, full_precision: true, ..WriteOptions::default() };
        let written = document.write(&clip, Z_UP_CENTIMETRES, &full, &mut Vec::new()).unwrap();
        let again = read(written, &mut Vec::new());
        if !document.dialect().positions_add {
            for frame in 0..document.frame_count() {
                assert_eq!(document.row(frame), again.row(frame), "{name}, frame {frame}");
            }
        }
        let reread = again.to_clip(Z_UP_CENTIMETRES).unwrap();
        assert!(kinematic_difference(&clip, &reread) < 1e-9, "{name}");
        assert_eq!(clip.timeline().uniform().unwrap().hz(), reread.timeline().uniform().unwrap().hz(), "{name}");

        // Without its document every angle is solved for again: the same motion, with six decimals of a degree.
        let style = BvhStyle::default();
        let written =
            write_canonical(&clip, Z_UP_CENTIMETRES, &style, &WriteOptions::default(), &mut Vec::new()).unwrap();
        let reread = read(written, &mut Vec::new()).to_clip(Z_UP_CENTIMETRES).unwrap();
        // 1e-6 degrees over some twenty joints in a chain, and 1e-6 units in offsets of figures of a few units.
        let difference = kinematic_difference(&clip, &reread);
        assert!(difference < 2e-6, "{name}: {difference}");
    }
}

/// Turning the whole figure changes the root's tokens and no others, and no angle jumps where the source's did not.
#[test]
fn turning_a_capture_changes_its_root_and_makes_no_flips() {
    let Some(paths) = captures() else { return };
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let document = read(std::fs::read(path).unwrap(), &mut Vec::new());
        let mut clip = document.to_clip(FrameOfReference::INTERNAL).unwrap();
        let root = JointId::new(0);
        let frames = clip.frame_count();
        for index in 0..frames {
            // A turn that grows from nothing to one and a half turns about a slanted axis.
            let angle = index as f64 / frames as f64 * 1.5 * std::f64::consts::TAU;
            let turn = DQuat::from_axis_angle(DVec3::new(0.1, 1.0, -0.05).normalize(), angle);
            let index = FrameIndex(index);
            let turned = turn * clip.rotation(index, root);
            clip.set_rotation(index, root, turned);
        }
        let mut notes = Vec::new();
        let written = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut notes).unwrap();
        // One capture states a wrong number of frames, which an edit corrects.
        assert!(notes.iter().all(|note| note.code == "BVH-N005"), "{name}: {notes:?}");
        let again = read(written, &mut Vec::new());
        let columns = document.joints()[0].channels.as_ref().unwrap().columns.len();
        for frame in 0..frames {
            assert_eq!(
                document.row(frame).unwrap()[columns..],
                again.row(frame).unwrap()[columns..],
                "{name}, frame {frame}"
            );
        }
        let reread = again.to_clip(FrameOfReference::INTERNAL).unwrap();
        for index in clip.frames() {
            let error = (clip.rotation(index, root).conjugate() * reread.rotation(index, root)).xyz().length();
            assert!(error < 1e-7, "{name}, {index}: {error}");
        }
        for frame in 1..frames {
            let jump = |document: &BvhDocument, column: usize| {
                (document.row(frame).unwrap()[column] - document.row(frame - 1).unwrap()[column]).abs()
            };
            for axis in Axis::ALL {
                let column = document.joints()[0].column_of(aplomb_motion::Channel::Rotation(axis)).unwrap();
                // A whole turn more than the source's own step means a flip; short clips turn fast on their own.
                let own = jump(&document, column) + 540.0 / frames as f64;
                assert!(jump(&again, column) < own + 300.0, "{name}, frame {frame}, {axis:?}");
            }
        }
    }
}
