//! Files made here, whole and damaged; real ones are compared with ezc3d by `cargo xtask oracles`.

use super::*;
use crate::{Limits, Mode};
use glam::DVec3;

/// A parameter section, record by record.
struct Section {
    bytes: Vec<u8>,
}

impl Section {
    fn record(&mut self, id: i8, name: &str, contents: &[u8]) {
        self.bytes.push(name.len() as u8);
        self.bytes.push(id.cast_unsigned());
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(&(contents.len() as u16 + 2).to_le_bytes());
        self.bytes.extend_from_slice(contents);
    }

    fn group(&mut self, id: i8, name: &str) {
        self.record(-id, name, &[0]);
    }

    fn value(&mut self, id: i8, name: &str, kind: i8, dimensions: &[u8], data: &[u8]) {
        let mut contents = vec![kind.cast_unsigned(), dimensions.len() as u8];
        contents.extend_from_slice(dimensions);
        contents.extend_from_slice(data);
        contents.push(0);
        self.record(id, name, &contents);
    }

    fn words(&mut self, id: i8, name: &str, words: &[i16]) {
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let dimensions: &[u8] = if words.len() == 1 { &[] } else { &[words.len() as u8] };
        self.value(id, name, 2, dimensions, &data);
    }

    fn reals(&mut self, id: i8, name: &str, dimensions: &[u8], numbers: &[f32]) {
        let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.value(id, name, 4, dimensions, &data);
    }

    fn texts(&mut self, id: i8, name: &str, texts: &[&str]) {
        let data: Vec<u8> = texts.iter().flat_map(|text| format!("{text:<4}").into_bytes()).collect();
        self.value(id, name, -1, &[4, texts.len() as u8], &data);
    }
}

/// What a test bends.
struct Made {
    trial: Option<([i16; 2], [i16; 2])>,
    channels: Vec<i16>,
    kind: i16,
    matrix: usize,
    frames: u16,
}

impl Default for Made {
    fn default() -> Self {
        Self { trial: None, channels: vec![1, 2, 3, 4, 5, 6], kind: 2, matrix: 0, frames: 3 }
    }
}

/// Two points and a plate of six channels, two samples a frame, in floating numbers: 800 N in the middle of the second
/// frame, 0.1 m from the middle of the plate along the world's X.
fn made(with: &Made) -> Vec<u8> {
    let mut section = Section { bytes: vec![0, 0x50, 2, 84] };
    section.group(1, "POINT");
    section.words(1, "USED", &[2]);
    section.reals(1, "SCALE", &[], &[-0.1]);
    section.reals(1, "RATE", &[], &[100.0]);
    section.texts(1, "UNITS", &["mm"]);
    section.texts(1, "LABELS", &["LASI", "RASI"]);
    section.words(1, "DATA_START", &[5]);
    section.group(2, "ANALOG");
    section.reals(2, "GEN_SCALE", &[], &[1.0]);
    section.reals(2, "SCALE", &[6], &[1.0, 1.0, 2.0, 1.0, 1.0, 1.0]);
    section.words(2, "OFFSET", &[0, 0, 100, 0, 0, 0]);
    section.reals(2, "RATE", &[], &[200.0]);
    section.group(3, "FORCE_PLATFORM");
    section.words(3, "USED", &[1]);
    section.words(3, "TYPE", &[with.kind]);
    section.words(3, "CHANNEL", &with.channels);
    // Seen from above: +x +y, −x +y, −x −y, +x −y of a plate whose Z points down.
    let corners = [300.0, -200.0, 0.0, -300.0, -200.0, 0.0, -300.0, 200.0, 0.0, 300.0, 200.0, 0.0];
    section.reals(3, "CORNERS", &[3, 4, 1], &corners);
    section.reals(3, "ORIGIN", &[3, 1], &[0.0, 0.0, -40.0]);
    section.reals(3, "CAL_MATRIX", &[with.matrix as u8], &vec![0.0; with.matrix]);
    if let Some((start, end)) = with.trial {
        section.group(4, "TRIAL");
        section.words(4, "ACTUAL_START_FIELD", &start);
        section.words(4, "ACTUAL_END_FIELD", &end);
    }
    section.bytes.extend_from_slice(&[0, 0]);

    let mut bytes = vec![0; 512];
    bytes[..2].copy_from_slice(&[2, 0x50]);
    for (at, word) in [(2, 2u16), (4, 12), (6, 1), (8, with.frames), (16, 5), (18, 2)] {
        bytes[at..at + 2].copy_from_slice(&word.to_le_bytes());
    }
    bytes[12..16].copy_from_slice(&(-0.1f32).to_le_bytes());
    bytes[20..24].copy_from_slice(&100f32.to_le_bytes());
    bytes.extend_from_slice(&section.bytes);
    assert!(bytes.len() <= 2048, "{}", bytes.len());
    bytes.resize(2048, 0);
    for frame in 0..3 {
        let seen = if frame == 1 { -1.0 } else { 0.0 };
        let points = [1000.0, 20.0, 900.0 + frame as f32, 0.0, 1.0, 2.0, 3.0, seen];
        bytes.extend(points.iter().flat_map(|number| number.to_le_bytes()));
        for _ in 0..2 {
            // Raw F_z is 100 + 800/2; M_y = −x F_z at the surface.
            let load =
                if frame == 1 { [0.0, 0.0, 500.0, 0.0, -80_000.0, 0.0] } else { [0.0, 0.0, 100.0, 0.0, 0.0, 0.0f32] };
            bytes.extend(load.iter().flat_map(|number: &f32| number.to_le_bytes()));
        }
    }
    bytes
}

fn read(bytes: &[u8]) -> Result<C3dFile<'_>, Box<Diagnostic>> {
    parse(bytes, &ReadOptions::default(), &mut Vec::new())
}

fn code(bytes: &[u8]) -> &'static str {
    read(bytes).err().map_or("read", |error| error.code)
}

#[test]
fn markers_and_plates_are_read_in_metres_and_y_up() {
    let bytes = made(&Made::default());
    let file = read(&bytes).unwrap();
    assert_eq!(file.markers.names, ["LASI", "RASI"]);
    assert_eq!((file.markers.frames(), file.markers.rate_hz, file.up), (3, 100.0, Axis::Z));
    let first = file.markers.positions_m[0].unwrap();
    assert!(first.distance(DVec3::new(1.0, 0.9, -0.02)) < 1e-6, "{first}");
    // Negative in the fourth number: not seen, whatever the other three say.
    assert_eq!(file.markers.positions_m[3], None);
    let forces = file.forces(Baseline::Removed, &mut Vec::new()).unwrap();
    assert_eq!(forces.rate_hz, 200.0);
    let plate = &forces.plates[0];
    assert!(plate.force_n[2].distance(DVec3::new(0.0, 800.0, 0.0)) < 1e-3, "{}", plate.force_n[2]);
    assert!(plate.point_m[2].unwrap().distance(DVec3::new(0.1, 0.0, 0.0)) < 1e-6, "{:?}", plate.point_m[2]);
    assert_eq!((plate.force_n[0], plate.point_m[0]), (DVec3::ZERO, None));
}

#[test]
fn c01_pointers_past_the_end() {
    let mut bytes = made(&Made::default());
    for block in [200u8, 255] {
        bytes[0] = block;
        assert_eq!(code(&bytes), "C3D-E003");
    }
    bytes[0] = 0;
    assert_eq!(code(&bytes), "C3D-E003");
    // An offset of one points into the record itself: the walk goes on by a byte and ends somewhere.
    let mut bytes = made(&Made::default());
    let word = 512 + 4 + 2 + 5;
    bytes[word..word + 2].copy_from_slice(&1u16.to_le_bytes());
    let _ = code(&bytes);
    let mut bytes = made(&Made::default());
    bytes[515] = 99;
    assert_eq!(code(&bytes), "C3D-E003");
}

#[test]
fn c02_frame_numbers_beyond_16_bits_come_from_trial() {
    let trial = |start, end| made(&Made { trial: Some((start, end)), frames: 65_535, ..Made::default() });
    let bytes = trial([1, 0], [3, 0]);
    assert_eq!(read(&bytes).unwrap().markers.frames(), 3);
    assert_eq!(code(&trial([5, 0], [3, 0])), "C3D-E006");
    // 65,537 frames stated, three there.
    let cut = trial([1, 0], [1, 1]);
    assert_eq!(code(&cut), "C3D-E005");
    let salvage = ReadOptions { mode: Mode::Salvage, ..ReadOptions::default() };
    assert_eq!(parse(&cut, &salvage, &mut Vec::new()).unwrap().markers.frames(), 3);
    // A counter that is full says that there are at least so many; three are a file that was cut.
    assert_eq!(code(&made(&Made { frames: 65_535, ..Made::default() })), "C3D-E005");
}

#[test]
fn c03_plates_that_point_nowhere_leave_the_markers() {
    let bad = [
        Made { channels: vec![1, 2, 3, 4, 5, 99], ..Made::default() },
        Made { channels: vec![0, 2, 3, 4, 5, 6], ..Made::default() },
        Made { channels: vec![1, 2], ..Made::default() },
        Made { kind: 4, matrix: 35, ..Made::default() },
        Made { kind: -1, ..Made::default() },
    ];
    for made_of in bad {
        let bytes = made(&made_of);
        let mut notes = Vec::new();
        let file = parse(&bytes, &ReadOptions::default(), &mut notes).unwrap();
        assert!(notes.iter().any(|note| note.code == "C3D-W004"));
        assert_eq!(file.forces(Baseline::Kept, &mut Vec::new()).unwrap_err().code, "C3D-E012");
    }
    let bytes = made(&Made { kind: 7, ..Made::default() });
    let mut notes = Vec::new();
    assert!(read(&bytes).unwrap().forces(Baseline::Kept, &mut notes).unwrap().plates.is_empty());
    assert_eq!(notes[0].code, "C3D-W005");
}

#[test]
fn c03_an_analog_rate_that_does_not_fit_is_told_and_the_samples_count() {
    let mut bytes = made(&Made::default());
    // Two samples a frame of 100 Hz are 200 Hz, whatever stands there.
    // The first 200 after the second RATE, which is that of ANALOG; coordinates of corners come later.
    let find = |from: usize, four: &[u8; 4]| from + bytes[from..].windows(4).position(|here| here == four).unwrap();
    let at = find(find(find(0, b"RATE") + 4, b"RATE"), &200f32.to_le_bytes());
    bytes[at..at + 4].copy_from_slice(&150f32.to_le_bytes());
    let mut notes = Vec::new();
    let file = parse(&bytes, &ReadOptions::default(), &mut notes).unwrap();
    assert!(notes.iter().any(|note| note.code == "C3D-W006" && note.found.contains("150")), "{notes:?}");
    assert_eq!(file.forces(Baseline::Kept, &mut Vec::new()).unwrap().rate_hz, 200.0);
}

#[test]
fn other_files_and_limits_are_refused() {
    assert_eq!(code(b""), "C3D-E001");
    assert_eq!(code(&[0; 600]), "C3D-E002");
    let few = ReadOptions { limits: Limits { joints: 1, ..Limits::default() }, ..ReadOptions::default() };
    assert_eq!(parse(&made(&Made::default()), &few, &mut Vec::new()).err().unwrap().code, "C3D-E007");
    let mut bytes = made(&Made::default());
    bytes.truncate(2048 + 50);
    assert_eq!(code(&bytes), "C3D-E008");
}

#[test]
fn every_byte_may_be_damaged() {
    let good = made(&Made { kind: 4, matrix: 36, ..Made::default() });
    for at in 0..good.len() {
        for value in [0x00, 0x7f, 0xff] {
            let mut bytes = good.clone();
            bytes[at] = value;
            if let Ok(file) = read(&bytes) {
                let _ = file.forces(Baseline::Removed, &mut Vec::new());
            }
        }
    }
}

#[test]
fn a_marker_beyond_every_room_is_refused_with_its_frame_and_name() {
    let mut bytes = made(&Made::default());
    let point = 4 * 512;
    bytes[point..point + 4].copy_from_slice(&1e30f32.to_le_bytes());
    let fault = parse(&bytes, &ReadOptions::default(), &mut Vec::new()).err().unwrap();
    assert_eq!(fault.code, "IMP-E005");
    assert!(
        fault.found.contains("1.000e27 m") && fault.found.contains("LASI") && fault.found.contains("frame 0"),
        "{fault}"
    );
}
