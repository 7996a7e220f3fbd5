use super::npy::Values;
use super::*;
use aplomb_motion::{FrameIndex, WorldPose};
use std::io::{Cursor, Write};

fn zipped(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn array(shape: &[usize], numbers: Vec<f64>) -> Vec<u8> {
    npy::write(&Array { shape: shape.to_vec(), values: Values::Numbers(numbers) })
}

fn text(text: &str) -> Vec<u8> {
    npy::write(&Array { shape: vec![], values: Values::Texts(vec![text.to_owned()]) })
}

/// Somebody upright in Z, left arm turned down by half a right angle, one metre along Y in the second frame.
fn amass(width: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut poses = vec![0.0; 2 * width];
    for frame in 0..2 {
        poses[frame * width] = std::f64::consts::FRAC_PI_2;
        poses[frame * width + 3 * 16 + 2] = -std::f64::consts::FRAC_PI_4;
    }
    vec![
        ("poses.npy", array(&[2, width], poses)),
        ("trans.npy", array(&[2, 3], vec![0.0, 0.0, 0.9, 0.0, 1.0, 0.9])),
        ("mocap_framerate.npy", array(&[], vec![120.0])),
        ("gender.npy", text("female")),
    ]
}

fn read_all(bytes: &[u8]) -> Result<NpzFile, Box<Diagnostic>> {
    read(bytes, None, &ReadOptions::default(), &mut Vec::new())
}

fn code(members: &[(&str, Vec<u8>)]) -> &'static str {
    read_all(&zipped(members)).err().map_or("read", |fault| fault.code)
}

fn with(name: &'static str, bytes: Vec<u8>) -> Vec<(&'static str, Vec<u8>)> {
    let mut members = amass(156);
    members.retain(|(other, _)| *other != name);
    members.push((name, bytes));
    members
}

#[test]
fn poses_of_every_model_stand_upright() {
    for width in [66, 72, 156, 165] {
        let file = read_all(&zipped(&amass(width))).unwrap();
        let clip = &file.clip;
        assert_eq!((clip.frame_count(), file.frame_time.unwrap().hz()), (2, 120.0));
        let mut pose = WorldPose::default();
        pose.pose(clip, FrameIndex(1));
        let at = |name: &str| pose.joint_in_world_m[clip.skeleton().find(name).unwrap().index()];
        // One metre along the file's Y is one along −Z of a world that is Y up; he faces there too.
        assert!(at("pelvis").distance(DVec3::new(0.0, 0.9, -1.0)) < 1e-12, "{}", at("pelvis"));
        assert!(at("head").y > 1.3 && at("left_ankle").y < 0.1, "{}", at("head"));
        let arm = at("left_elbow") - at("left_shoulder");
        assert!((arm.y / arm.length() + 0.5f64.sqrt()).abs() < 1e-9, "{arm}");
    }
}

#[test]
fn what_is_written_is_the_same_motion() {
    let file = read_all(&zipped(&amass(156))).unwrap();
    let bytes = write(&file.clip, &mut Vec::new()).unwrap();
    let again = read_all(&bytes).unwrap();
    assert_eq!(again.clip.timeline(), file.clip.timeline());
    for (a, b) in file.clip.rotations().iter().zip(again.clip.rotations()) {
        assert!(a.angle_between(*b) < 1e-7);
    }
    assert_eq!(bytes, write(&file.clip, &mut Vec::new()).unwrap());
}

#[test]
fn n01_bombs_are_not_unpacked() {
    // 64 MiB of zeros in some 64 KiB.
    let mut bomb = array(&[1, 156], vec![0.0; 156]);
    bomb.resize(64 << 20, 0);
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let deflated = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    archive.start_file("poses.npy", deflated).unwrap();
    archive.write_all(&bomb).unwrap();
    let bytes = archive.finish().unwrap().into_inner();
    assert!(bytes.len() < 1 << 20);
    assert_eq!(read_all(&bytes).unwrap_err().code, "NPZ-E002");
    let names: Vec<String> = (0..5000).map(|number| format!("{number}.npy")).collect();
    let many: Vec<(&str, Vec<u8>)> = names.iter().map(|name| (name.as_str(), vec![])).collect();
    assert_eq!(code(&many), "NPZ-E002");
}

#[test]
fn n02_pickles_are_refused_where_they_matter_and_passed_over_elsewhere() {
    let mut pickle = b"\x93NUMPY\x01\x00".to_vec();
    let header = "{'descr': '|O', 'fortran_order': False, 'shape': (), }";
    pickle.extend((header.len() as u16).to_le_bytes());
    pickle.extend(header.as_bytes());
    pickle.extend(b"\x80\x04cos\nsystem\n.");
    assert_eq!(code(&with("labels.npy", pickle.clone())), "read");
    assert_eq!(code(&with("poses.npy", pickle)), "NPZ-E005");
}

#[test]
fn n05_n06_n07_shapes_and_rates() {
    for (shape, expected) in [
        (vec![2, 155], "NPZ-E007"),
        (vec![0, 156], "NPZ-E008"),
        (vec![2, 52, 3], "NPZ-E007"),
        (vec![3, 156], "NPZ-E008"),
    ] {
        let count = shape.iter().product();
        assert_eq!(code(&with("poses.npy", array(&shape, vec![0.0; count]))), expected, "{shape:?}");
    }
    assert_eq!(code(&with("trans.npy", array(&[2, 4], vec![0.0; 8]))), "NPZ-E007");
    assert_eq!(code(&with("trans.npy", array(&[2, 3], vec![f64::NAN; 6]))), "NPZ-E010");
    let rate = |bytes: Vec<u8>| code(&with("mocap_framerate.npy", bytes));
    assert_eq!(rate(array(&[], vec![0.0])), "NPZ-E009");
    assert_eq!(rate(array(&[], vec![f64::NAN])), "NPZ-E009");
    assert_eq!(rate(array(&[1], vec![60.0])), "read");
    assert_eq!(rate(text("59.94")), "read");
    let mut none = amass(156);
    none.retain(|(name, _)| *name != "mocap_framerate.npy");
    assert_eq!(code(&none), "NPZ-E009");
    none.push(("mocap_frame_rate.npy", array(&[], vec![100.0])));
    assert_eq!(code(&none), "read");
}

#[test]
fn n08_names_lead_nowhere() {
    assert_eq!(code(&with("../poses.npy", vec![1, 2, 3])), "read");
    let mut members = amass(156);
    members.retain(|(name, _)| *name != "poses.npy");
    members.push(("/tmp/poses.npy", array(&[2, 156], vec![0.0; 312])));
    assert_eq!(code(&members), "NPZ-E006");
    assert_eq!(read_all(b"PK\x03\x04 and nothing more").unwrap_err().code, "NPZ-E001");
    assert_eq!(read_all(b"\x93NUMPY").unwrap_err().code, "NPZ-E001");
}

#[test]
fn offsets_of_the_user_make_the_skeleton() {
    let slots = Model::of_width(66).unwrap().slots();
    let table: std::collections::BTreeMap<String, [f64; 3]> =
        slots.iter().map(|slot| (slot.name.clone(), [0.1, 0.2, 0.3])).collect();
    let json = serde_json::to_vec(&table).unwrap();
    let file = read(&zipped(&amass(66)), Some(&json), &ReadOptions::default(), &mut Vec::new()).unwrap();
    assert_eq!(file.clip.skeleton().joints()[5].offset_m, DVec3::new(0.1, 0.2, 0.3));
    let fault = read(&zipped(&amass(66)), Some(b"{\"pelvis\": [0, 0, 0]}"), &ReadOptions::default(), &mut Vec::new());
    assert_eq!(fault.unwrap_err().code, "NPZ-E011");
    // Such a skeleton is in no T-pose, and its rotations are no SMPL poses.
    assert_eq!(write(&file.clip, &mut Vec::new()).unwrap_err().code, "NPZ-E012");
}

#[test]
fn every_byte_may_be_damaged() {
    let good = zipped(&amass(66));
    for at in (0..good.len()).step_by(3) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x41;
        let _ = read_all(&bytes);
    }
}
