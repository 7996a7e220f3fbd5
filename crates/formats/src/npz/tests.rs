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

/// A body upright in Z, left arm turned down by half a right angle, one metre along Y in the second frame.
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
fn an_unedited_archive_comes_back_and_an_edited_one_stays_the_same_persons() {
    let betas: Vec<f64> = (0..16).map(f64::from).collect();
    let mut members = amass(165);
    members.extend([("betas.npy", array(&[16], betas.clone())), ("dmpls.npy", array(&[2, 8], vec![0.0; 16]))]);
    let bytes = zipped(&members);
    let path = std::path::Path::new("take.npz");
    let plain = ReadOptions::default();
    let import = crate::read_bytes(path, bytes.clone(), &plain).unwrap();
    let saved = |import: &crate::Import, clip: &Clip| {
        crate::export::encode(path, clip, Some(import), import.frame(), &crate::WriteOptions::default()).unwrap()
    };
    let same = saved(&import, &import.clip);
    assert!(same.identical && same.files[0].1 == bytes && same.notes.is_empty());
    // Another rate that was given stands in no file: it is written.
    let half = ReadOptions { frame_time: FrameTime::from_hz(60.0).ok(), ..ReadOptions::default() };
    let slower = crate::read_bytes(path, bytes, &half).unwrap();
    let rewritten = saved(&slower, &slower.clip);
    assert!(!rewritten.identical);
    let again = read_all(&rewritten.files[0].1).unwrap();
    assert_eq!(again.frame_time.map(FrameTime::hz), Some(60.0));
    // Shape and gender go along; what does not is told.
    let mut archive = Archive::open(&rewritten.files[0].1).unwrap();
    assert_eq!(archive.array(&["betas"]).unwrap().unwrap().numbers(), betas);
    assert_eq!(archive.array(&["gender"]).unwrap().unwrap().text(), Some("female"));
    let told: Vec<String> = rewritten.notes.iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|note| note.contains("NPZ-W003") && note.contains("dmpls") && note.contains("jaw")),
        "{told:?}"
    );
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
    // A zip in a zip is no array.
    assert_eq!(code(&with("poses.npy", zipped(&amass(156)))), "NPZ-E003");
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

/// An array of version 1 with a header of one's own.
fn headed(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u16).to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), data].concat()
}

#[test]
fn n03_shapes_that_lie() {
    let shaped = |shape: &str| {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
        code(&with("poses.npy", headed(&header, &[0; 2 * 156 * 8])))
    };
    assert_eq!(shaped("(2, 156)"), "read");
    // One number too many or too few, products beyond 64 bits, and a huge one that costs nothing.
    for shape in ["(3, 156)", "(2, 155)", "(18446744073709551615, 156)", "(4294967296, 4294967297)", "(1000000000000,)"]
    {
        assert_eq!(shaped(shape), "NPZ-E004", "{shape}");
    }
    for shape in ["(-2, 156)", "(99999999999999999999, 1)", "(2.0, 156)", "(2, 156", "2, 156", "('a',)"] {
        assert_eq!(shaped(shape), "NPZ-E003", "{shape}");
    }
}

#[test]
fn n04_headers_that_are_none() {
    for header in [
        "",
        "{",
        "[]",
        "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8, 'fortran_order': False, 'shape': (2, 156)}",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 156)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 156)} and more",
        "{'descr': __import__('os').system('true'), 'fortran_order': False, 'shape': (2, 156)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 156), 'more': 1}",
    ] {
        assert_eq!(code(&with("poses.npy", headed(header, &[0; 2 * 156 * 8]))), "NPZ-E003", "{header}");
    }
    // A header of a gigabyte, by its own word; and other versions.
    let mut long = b"\x93NUMPY\x02\x00".to_vec();
    long.extend((1u32 << 30).to_le_bytes());
    assert_eq!(code(&with("poses.npy", long)), "NPZ-E003");
    assert_eq!(code(&with("poses.npy", b"\x93NUMPY\x09\x00\x10\x00".to_vec())), "NPZ-E003");
    assert_eq!(code(&with("poses.npy", b"\x93NUM".to_vec())), "NPZ-E003");
}

#[test]
fn n05_types_and_orders_of_numbers() {
    let plain = read_all(&zipped(&amass(156))).unwrap();
    let numbers: Vec<f64> = npy::parse(&amass(156)[0].1, "poses").unwrap().numbers().to_vec();
    let typed = |descr: &str, fortran: &str, data: Vec<u8>| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': (2, 156), }}");
        read_all(&zipped(&with("poses.npy", headed(&header, &data))))
    };
    let big = typed(">f8", "False", numbers.iter().flat_map(|number| number.to_be_bytes()).collect()).unwrap();
    assert_eq!(big.clip, plain.clip);
    // Columns first: both frames of the first number, then of the second.
    let columns = (0..156).flat_map(|column| [numbers[column], numbers[156 + column]]);
    let fortran = typed("<f8", "True", columns.flat_map(f64::to_le_bytes).collect()).unwrap();
    assert_eq!(fortran.clip, plain.clip);
    for (descr, bytes) in [("<c16", 16), ("<f16", 16), ("<M8", 8), ("<V8", 8), ("f8", 8), ("<f", 4), ("<f3", 3)] {
        let fault = typed(descr, "False", vec![0; 2 * 156 * bytes]).err().unwrap();
        assert_eq!(fault.code, "NPZ-E005", "{descr}");
    }
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
    // One name twice: it is not known which of them is meant.
    let mut twice = zipped(&with("qoses.npy", array(&[2, 156], vec![0.5; 312])));
    let places: Vec<usize> =
        twice.windows(9).enumerate().filter(|(_, nine)| nine == b"qoses.npy").map(|(at, _)| at).collect();
    assert_eq!(places.len(), 2, "before the member and in the directory");
    places.into_iter().for_each(|at| twice[at] = b'p');
    assert_eq!(read_all(&twice).unwrap_err().code, "NPZ-E001");
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
