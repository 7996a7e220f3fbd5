//! Starting files for the readers of binary formats, made byte by byte.

use crate::fuzz_seeds::Seed;

/// Two joints, three keys: whole numbers and real ones, curves of every kind, VRM bones, a scaled parent.
pub fn glb_seeds() -> Vec<Seed> {
    let key = |interpolation: &str, each: usize| {
        let mut bin: Vec<f32> = vec![0.0, 0.1, 0.2];
        for _ in 0..3 * each {
            bin.extend([0.0, 0.0, 0.0, 1.0]);
        }
        for _ in 0..3 * each {
            bin.extend([0.0, 1.0, 0.0]);
        }
        let (turns, moves) = (12, 12 + 48 * each);
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"A","children":[1],"scale":[0.01,0.01,0.01]}},{{"name":"Hips","children":[2,3]}},{{"name":"Leg","translation":[0,-1,0]}},{{"name":"e"}}],"skins":[{{"joints":[1,2]}}],"animations":[{{"name":"w","channels":[{{"sampler":0,"target":{{"node":1,"path":"rotation"}}}},{{"sampler":1,"target":{{"node":2,"path":"translation"}}}}],"samplers":[{{"input":0,"output":1,"interpolation":"{interpolation}"}},{{"input":0,"output":2,"interpolation":"{interpolation}"}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR"}},{{"bufferView":0,"byteOffset":{turns},"componentType":5126,"count":{count},"type":"VEC4"}},{{"bufferView":0,"byteOffset":{moves},"componentType":5126,"count":{count},"type":"VEC3"}}],"bufferViews":[{{"buffer":0,"byteLength":{length}}}],"buffers":[{{"byteLength":{length}}}],"extensions":{{"VRMC_vrm":{{"humanoid":{{"humanBones":{{"hips":{{"node":1}}}}}}}}}}}}"#,
            count = 3 * each,
            length = 4 * bin.len(),
        );
        (format!("{}.glb", interpolation.to_lowercase()), glb(&json, &bin))
    };
    vec![key("LINEAR", 1), key("STEP", 1), key("CUBICSPLINE", 3)]
}

fn glb(json: &str, bin: &[f32]) -> Vec<u8> {
    let json = format!("{json:<width$}", width = json.len().next_multiple_of(4));
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2u32.to_le_bytes());
    bytes.extend(((28 + json.len() + 4 * bin.len()) as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json.as_bytes());
    bytes.extend(((4 * bin.len()) as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(bin.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// One point and one plate for each processor and each way to store numbers.
pub fn c3d_seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (name, processor, scale) in
        [("intel_real", 84, -0.1f32), ("intel_whole", 84, 0.1), ("dec", 85, 0.1), ("mips", 86, -0.1)]
    {
        let word = |value: u16| if processor == 86 { value.to_be_bytes() } else { value.to_le_bytes() };
        let real = |value: f32| match processor {
            86 => value.to_be_bytes(),
            85 => {
                let [b0, b1, b2, b3] = (4.0 * value).to_be_bytes();
                [b1, b0, b3, b2]
            }
            _ => value.to_le_bytes(),
        };
        let mut section: Vec<u8> = vec![0, 0x50, 2, processor];
        let mut record = |id: i8, name: &str, contents: &[u8]| {
            section.extend([name.len() as u8, id.cast_unsigned()]);
            section.extend(name.as_bytes());
            section.extend(word(contents.len() as u16 + 2));
            section.extend(contents);
        };
        let reals = |dimensions: &[u8], numbers: &[f32]| {
            let mut contents = vec![4, dimensions.len() as u8];
            contents.extend(dimensions);
            contents.extend(numbers.iter().flat_map(|&number| real(number)));
            contents.push(0);
            contents
        };
        let words = |numbers: &[u16]| {
            let mut contents = vec![2, 1, numbers.len() as u8];
            contents.extend(numbers.iter().flat_map(|&number| word(number)));
            contents.push(0);
            contents
        };
        record(-1, "POINT", &[0]);
        record(1, "USED", &words(&[1]));
        record(1, "SCALE", &reals(&[], &[scale]));
        record(1, "RATE", &reals(&[], &[100.0]));
        record(1, "UNITS", b"\xff\x01\x02mm\0");
        record(1, "LABELS", b"\xff\x02\x04\x01LASI\0");
        record(-3, "FORCE_PLATFORM", &[0]);
        record(3, "USED", &words(&[1]));
        record(3, "TYPE", &words(&[2]));
        record(3, "CHANNEL", &words(&[1, 2, 3, 4, 5, 6]));
        record(3, "CORNERS", &reals(&[3, 4, 1], &[1.0, 1.0, 0.0, -1.0, 1.0, 0.0, -1.0, -1.0, 0.0, 1.0, -1.0, 0.0]));
        let mut bytes = vec![0; 512];
        bytes[..2].copy_from_slice(&[2, 0x50]);
        for (at, value) in [(2, 1u16), (4, 6), (6, 1), (8, 2), (16, 4), (18, 1)] {
            bytes[at..at + 2].copy_from_slice(&word(value));
        }
        bytes.extend(&section);
        bytes.resize(1536, 0);
        for _ in 0..2 * (4 + 6) {
            match scale < 0.0 {
                true => bytes.extend(real(50.0)),
                false => bytes.extend(word(50)),
            }
        }
        seeds.push((format!("{name}.c3d"), bytes));
    }
    seeds
}

/// One frame of 22 joints, members stored as they are.
pub fn npz_seeds() -> Vec<Seed> {
    let npy = |shape: &str, numbers: usize| {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend((0..numbers).flat_map(|_| 30f64.to_le_bytes()));
        bytes
    };
    let whole =
        [("poses.npy", npy("(1, 66)", 66)), ("trans.npy", npy("(1, 3)", 3)), ("mocap_framerate.npy", npy("()", 1))];
    let parts = [
        ("root_orient.npy", npy("(1, 3)", 3)),
        ("pose_body.npy", npy("(1, 63)", 63)),
        ("trans.npy", npy("(1, 3)", 3)),
        ("fps.npy", npy("(1,)", 1)),
    ];
    vec![("whole.npz".to_owned(), stored_zip(&whole)), ("parts.npz".to_owned(), stored_zip(&parts))]
}

/// An archive without compression.
fn stored_zip(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, contents) in members {
        let start = bytes.len() as u32;
        let mut common = Vec::new();
        // Version, flags, method, time, date; checksum, lengths; length of the name, of nothing more.
        common.extend([20, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        common.extend(crc32(contents).to_le_bytes());
        common.extend((contents.len() as u32).to_le_bytes());
        common.extend((contents.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(contents);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend((members.len() as u16).to_le_bytes());
    bytes.extend((members.len() as u16).to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

/// The checksum of zip, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0u32, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}
