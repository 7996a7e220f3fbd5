use super::ascii::{Bone, Settings, fbx};
use super::*;
use crate::{FileKind, FormatError, read_bytes};
use aplomb_motion::{FrameIndex, WorldPose};
use glam::{DQuat, DVec3};
use std::path::Path;

const FRAMES: usize = 31;

/// A hip that turns about all axes, a leg with a pre-rotation, a foot below it; centimetres.
fn figure() -> Vec<Bone> {
    let wave = |rate: f64, size: f64| -> Vec<[f64; 3]> {
        let angle = |frame: usize| size * (rate * frame as f64).sin();
        (0..FRAMES).map(|frame| [angle(frame), 0.5 * angle(frame + 3), -0.7 * angle(frame + 9)]).collect()
    };
    vec![
        Bone {
            name: "Hips",
            parent: None,
            translation: [0.0, 95.0, 0.0],
            pre_rotation_deg: [0.0; 3],
            rotations_deg: wave(0.2, 40.0),
        },
        Bone {
            name: "LeftUpLeg",
            parent: Some(0),
            translation: [9.0, -5.0, 0.0],
            pre_rotation_deg: [10.0, -20.0, 30.0],
            rotations_deg: wave(0.3, 60.0),
        },
        Bone {
            name: "LeftLeg",
            parent: Some(1),
            translation: [0.0, -42.0, 1.0],
            pre_rotation_deg: [0.0; 3],
            rotations_deg: wave(0.1, 20.0),
        },
        Bone {
            name: "LeftFoot",
            parent: Some(2),
            translation: [0.0, -41.0, 0.0],
            pre_rotation_deg: [0.0; 3],
            rotations_deg: wave(0.1, 5.0),
        },
    ]
}

/// FBX: turned about fixed x, then y, then z, and the pre-rotation, of the same order, after that.
fn euler_xyz(degrees: [f64; 3]) -> DQuat {
    let [x, y, z] = degrees.map(f64::to_radians);
    DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
}

/// Where the joints are by the definition of the format, in file units and axes.
fn expected(bones: &[Bone], frame: usize) -> Vec<DVec3> {
    let mut world: Vec<(DVec3, DQuat)> = Vec::new();
    for (index, bone) in bones.iter().enumerate() {
        let turn = euler_xyz(bone.pre_rotation_deg) * euler_xyz(bone.rotations_deg[frame]);
        let mut offset = DVec3::from(bone.translation);
        if index == 0 {
            offset.x += frame as f64;
        }
        let (place, above) = bone.parent.map_or((DVec3::ZERO, DQuat::IDENTITY), |parent| world[parent]);
        world.push((place + above * offset, above * turn));
    }
    world.into_iter().map(|(place, _)| place).collect()
}

fn read_text(text: &str) -> Result<(FbxFile, Vec<Diagnostic>), Box<Diagnostic>> {
    let mut notes = Vec::new();
    read(text.as_bytes(), &ReadOptions::default(), &mut notes).map(|file| (file, notes))
}

#[test]
fn joints_are_where_the_format_says() {
    for (up, unit_cm) in [(1, 1.0), (1, 100.0), (2, 1.0)] {
        let bones = figure();
        let settings = Settings { up, unit_cm, ..Settings::default() };
        let (file, _) = read_text(&fbx(&bones, &settings)).unwrap();
        let clip = &file.clip;
        assert_eq!((clip.frame_count(), clip.skeleton().len()), (FRAMES, 4));
        assert!((clip.timeline().uniform().unwrap().hz() - 60.0).abs() < 1e-6);
        assert!((file.source_frame.unwrap().metres_per_unit - 0.01 * unit_cm).abs() < 1e-12);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        for frame in 0..FRAMES {
            pose.pose(clip, FrameIndex(frame));
            for (found_m, place) in pose.joint_in_world_m.iter().zip(expected(&bones, frame)) {
                let lifted = if up == 2 { DVec3::new(place.x, place.z, -place.y) } else { place };
                let wanted_m = 0.01 * unit_cm * lifted;
                // Values of keys are single precision: 6e-8 of 60° and a metre.
                assert!(found_m.distance(wanted_m) < 1e-6 * unit_cm, "up {up}, frame {frame}: {found_m} {wanted_m}");
            }
        }
    }
}

#[test]
fn one_of_several_takes_is_chosen() {
    let settings = Settings { takes: vec!["Walk", "Empty"], ..Settings::default() };
    let text = fbx(&figure(), &settings);
    let (_, notes) = read_text(&text).unwrap();
    assert!(notes.iter().any(|note| note.code == "FBX-W001" && note.found.contains("Walk")), "{notes:?}");
    for (wanted, code) in [("Walk", None), ("0", None), ("Empty", Some("FBX-E003")), ("Run", Some("FBX-E004"))] {
        let options = ReadOptions { animation: Some(wanted.to_owned()), ..ReadOptions::default() };
        let result = read(text.as_bytes(), &options, &mut Vec::new());
        assert_eq!(result.err().map(|fault| fault.code), code, "{wanted}");
    }
}

#[test]
fn what_holds_no_motion_or_is_damaged_is_refused() {
    let text = fbx(&figure(), &Settings::default());
    let still = fbx(&figure(), &Settings { takes: vec![], ..Settings::default() });
    assert_eq!(read_text(&still).err().unwrap().code, "FBX-E003");
    // Text may be cut in the middle of the objects: what is there is no motion, or no FBX; never a panic.
    for share in 1..40 {
        let cut = &text[..text.len() * share / 40];
        if let Err(fault) = read_text(cut) {
            assert!(fault.code.starts_with("FBX-E"), "{}", fault.code);
        }
    }
    for junk in ["", "; FBX", "Kaydara FBX Binary  \0\u{1a}\0", "HIERARCHY\nROOT Hips\n"] {
        let fault = read_text(junk).err().unwrap();
        assert!(["FBX-E001", "FBX-E003"].contains(&fault.code), "{junk:?}: {}", fault.code);
    }
}

/// F01 of the corpus: a child that is its own ancestor, and keys at the end of time.
#[test]
fn cycles_and_absurd_times_are_refused() {
    let text = fbx(&figure(), &Settings::default());
    let cyclic = text.replace("C: \"OO\",1000,0", "C: \"OO\",1000,1002");
    let result = read_text(&cyclic);
    assert!(result.is_err_and(|fault| fault.code.starts_with("FBX-E")), "a cycle");
    let far = text.replace("KeyTime: *31 { a: 0,", "KeyTime: *31 { a: -9000000000000000000,");
    let fault = read_text(&far).err().unwrap();
    assert!(["FBX-E009", "FBX-E002", "FBX-E001"].contains(&fault.code), "{}", fault.code);
}

#[test]
fn files_are_known_by_name_and_by_contents() {
    let bytes = fbx(&figure(), &Settings::default()).into_bytes();
    for name in ["walk.fbx", "walk.FBX", "walk"] {
        let import = read_bytes(Path::new(name), bytes.clone(), &ReadOptions::default()).unwrap();
        assert_eq!(import.kind, FileKind::Fbx, "{name}");
        assert!((import.frame().metres_per_unit - 0.01).abs() < 1e-12);
    }
    let result = read_bytes(Path::new("walk.fbx"), b"; FBX 7.4.0 project file\n".to_vec(), &ReadOptions::default());
    assert!(matches!(result, Err(FormatError::Invalid { .. })));
}
