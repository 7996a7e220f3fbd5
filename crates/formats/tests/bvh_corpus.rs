//! The corpus of odd, broken and hostile BVH files: each is read with the right warning or refused for the right
//! reason.
//!
//! Case numbers are those of the design's list. For every case: no panic, no long run; what is read comes back to the
//! byte, and written anew it reads as the same values.

use aplomb_formats::bvh::BvhDocument;
use aplomb_formats::{Diagnostic, Limits, Mode, NanRepair, PositionSemantics, ReadOptions, Severity, WriteOptions};
use aplomb_motion::{Clip, FrameIndex, FrameOfReference, FrameTime, JointId, WorldPose};
use glam::DVec3;

const HIERARCHY: &str = "HIERARCHY
ROOT Hips
{
\tOFFSET 0 0 0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Leg
\t{
\t\tOFFSET 0 -10 0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -10 0
\t\t}
\t}
}
";

/// The usual hierarchy (15 lines, 9 channels) with this after it; `MOTION` is in line 16.
fn with_motion(motion: &str) -> Vec<u8> {
    format!("{HIERARCHY}{motion}").into_bytes()
}

/// Rows from line 19 on.
fn with_rows(rows: &str) -> Vec<u8> {
    with_motion(&format!("MOTION\nFrames: 2\nFrame Time: 0.0333333\n{rows}"))
}

/// A root with these lines in its braces, in line 4 and after, and a frame of zeros.
fn with_body(body: &str, values: usize) -> Vec<u8> {
    let row = vec!["0"; values].join(" ");
    format!("HIERARCHY\nROOT Hips\n{{\n{body}\n}}\nMOTION\nFrames: 1\nFrame Time: 0.01\n{row}\n").into_bytes()
}

const ROW: &str = "1 2 3 4 5 6 7 8 9\n";

enum Want {
    /// Read with exactly these codes.
    Read(&'static [&'static str]),
    /// Refused with this code, in this line if it is not 0.
    Refused(&'static str, usize),
}
use Want::{Read, Refused};

fn parse(bytes: &[u8], options: &ReadOptions) -> (Result<BvhDocument, Box<Diagnostic>>, Vec<Diagnostic>) {
    let mut notes = Vec::new();
    let result = BvhDocument::parse(bytes.to_vec(), options, &mut notes);
    (result, notes)
}

fn check(id: &str, bytes: &[u8], want: Want) -> Option<BvhDocument> {
    check_with(id, bytes, &ReadOptions::default(), want)
}

fn check_with(id: &str, bytes: &[u8], options: &ReadOptions, want: Want) -> Option<BvhDocument> {
    let start = cpu_secs();
    let (result, notes) = parse(bytes, options);
    assert!(cpu_secs() - start < 2.0, "{id} took too long");
    let codes: Vec<&str> = notes.iter().map(|note| note.code).collect();
    match (result, want) {
        (Ok(document), Read(expected)) => {
            assert_eq!(codes, expected, "{id}: {notes:?}");
            check_round_trip(id, &document, options);
            Some(document)
        }
        (Err(error), Refused(code, line)) => {
            assert_eq!((error.code, error.severity), (code, Severity::Error), "{id}: {error}");
            if line > 0 {
                assert_eq!(error.place.map(|place| place.line), Some(line), "{id}: {error}");
            }
            None
        }
        (Ok(_), Refused(code, _)) => panic!("{id}: read with {codes:?}, but {code} was expected"),
        (Err(error), Read(_)) => panic!("{id}: refused: {error}"),
    }
}

/// Time this thread ran, so that a busy machine does not fail the test; the wall clock where the system does not tell.
fn cpu_secs() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = told.ok().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds
        .map(|nanoseconds| nanoseconds / 1e9)
        .unwrap_or_else(|| std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64())
}

fn clip_of(document: &BvhDocument) -> Clip {
    document.to_clip(FrameOfReference::INTERNAL).unwrap()
}

fn check_round_trip(id: &str, document: &BvhDocument, options: &ReadOptions) {
    let Ok(clip) = document.to_clip(FrameOfReference::INTERNAL) else { return };
    if options.frame_time.is_some() || options.repair_nan.is_some() || document.is_salvaged() {
        return;
    }
    let write = |options: &WriteOptions| document.write(&clip, FrameOfReference::INTERNAL, options, &mut Vec::new());
    assert_eq!(write(&WriteOptions::default()).unwrap(), document.bytes(), "{id}: unedited");
    let full = WriteOptions { canonical: true, full_precision: true, ..WriteOptions::default() };
    let anew = write(&full).unwrap();
    let lenient = ReadOptions { limits: options.limits, ..ReadOptions::default() };
    let again = parse(&anew, &lenient).0.unwrap_or_else(|error| panic!("{id}: written anew: {error}"));
    // A file without rows is written with its one rest pose.
    if !document.dialect().positions_add {
        for frame in 0..document.frame_count() {
            let bits =
                |document: &BvhDocument| document.row(frame).unwrap().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(document), bits(&again), "{id}: frame {frame}");
        }
    }
    let names = |document: &BvhDocument| document.joint_names_raw().map(<[u8]>::to_vec).collect::<Vec<_>>();
    assert_eq!(names(document), names(&again), "{id}");
    let reread = clip_of(&again);
    assert_eq!(clip.rotations(), reread.rotations(), "{id}");
    assert_eq!(clip.tracks(), reread.tracks(), "{id}");
}

#[test]
fn b01_to_b03_frame_counts() {
    let document =
        check("B01", &with_motion(&format!("MOTION\nFrames: 999999999\nFrame Time: 0.01\n{ROW}")), Read(&["BVH-W010"]));
    assert_eq!(document.unwrap().frame_count(), 1);
    let count = |count: &str| with_motion(&format!("MOTION\nFrames: {count}\nFrame Time: 0.01\n{ROW}"));
    check("B01 u64", &count("18446744073709551615"), Read(&["BVH-W010"]));
    for broken in ["18446744073709551616", "-5", "2.5", "ten", ""] {
        check(
            &format!("B02/B03 {broken}"),
            &count(broken),
            Refused("BVH-E022", if broken.is_empty() { 0 } else { 17 }),
        );
    }
    check("fewer declared", &count("0"), Read(&["BVH-W010"]));
    check("none declared", &with_motion(&format!("MOTION\nFrame Time: 0.01\n{ROW}")), Read(&["BVH-W011"]));
}

/// A chain or a fan of joints.
fn many(joints: usize, nested: bool) -> Vec<u8> {
    let mut text = String::from("HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n");
    for _ in 0..joints {
        text.push_str("JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 0\n");
        if !nested {
            text.push_str("}\n");
        }
    }
    if nested {
        text.push_str(&"}\n".repeat(joints));
    }
    text.push_str("}\nMOTION\nFrames: 0\nFrame Time: 0.01\n");
    text.into_bytes()
}

#[test]
fn b04_b05_many_joints() {
    check("B04", &many(100_000, true), Refused("BVH-E019", 3 + 4 * 4_095 + 3));
    check("B05", &many(100_000, false), Refused("BVH-E020", 0));
    let limits = Limits { joints: 200_000, depth: 200_000, ..Limits::default() };
    let raised = ReadOptions { limits, ..ReadOptions::default() };
    for (id, nested) in [("B04 raised", true), ("B05 raised", false)] {
        let (document, notes) = parse(&many(100_000, nested), &raised);
        let document = document.unwrap_or_else(|error| panic!("{id}: {error}"));
        assert!(notes.iter().all(|note| note.severity < Severity::Error));
        let clip = clip_of(&document);
        let mut pose = WorldPose::default();
        pose.pose(&clip, FrameIndex(0));
        let height = pose.joint_in_world_m[100_000].y;
        assert_eq!(height, if nested { 100_001.0 } else { 2.0 }, "{id}");
        let unedited = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut Vec::new());
        assert_eq!(unedited.unwrap(), document.bytes());
    }
    // Indented anew, 100 000 levels deep would take 20 GB; a thousand levels show that no call stack is used.
    let document = parse(&many(1_000, true), &raised).0.unwrap();
    check_round_trip("B04 anew", &document, &raised);
}

#[test]
fn b06_to_b08_braces() {
    check("B06", "{".repeat(1_000_000).as_bytes(), Refused("BVH-E002", 1));
    check("B06 behind HIERARCHY", format!("HIERARCHY\n{}", "{".repeat(1_000_000)).as_bytes(), Refused("BVH-E005", 2));
    let unclosed = with_rows(ROW);
    let unclosed = String::from_utf8(unclosed).unwrap().replacen("}\nMOTION", "MOTION", 1);
    let error = parse(unclosed.as_bytes(), &ReadOptions::default()).0.unwrap_err();
    assert_eq!(error.code, "BVH-E006");
    assert!(error.to_string().contains("`Hips`, opened in line 2"), "{error}");
    check(
        "B08",
        String::from_utf8(with_rows(ROW)).unwrap().replacen("}\nMOTION", "}\n}\nMOTION", 1).as_bytes(),
        Refused("BVH-E007", 16),
    );
}

#[test]
fn b09_to_b12_not_bvh_at_all() {
    for (id, bytes) in
        [("empty", &b""[..]), ("BOM", b"\xef\xbb\xbf"), ("white", b" \r\n\t  \n   \n    "), ("one byte", b"H")]
    {
        check(&format!("B09 {id}"), bytes, Refused("BVH-E001", 1));
    }
    let text = String::from_utf8(with_rows(ROW)).unwrap();
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    check("B10 LE", &little, Refused("BVH-E003", 1));
    check("B10 BE", &big, Refused("BVH-E003", 1));
    check("B10 LE BOM", &[b"\xff\xfe".as_slice(), &little].concat(), Refused("BVH-E003", 1));
    check("B10 BE BOM", &[b"\xfe\xff".as_slice(), &big].concat(), Refused("BVH-E003", 1));
    check("B11 name", text.replacen("Leg", "Le\0g", 1).as_bytes(), Refused("BVH-E017", 6));
    check("B11 row", with_rows("1 2 3 4\0 5 6 7 8 9\n1 2 3 4 5 6 7 8 9\n").as_slice(), Refused("BVH-E017", 19));
    let error = parse(&with_rows("1 2 3 \0 5 6 7 8 9\n"), &ReadOptions::default()).0.unwrap_err();
    assert_eq!(error.place.unwrap().column, 7);
    for (magic, kind) in [
        (&b"\x89PNG\r\n\x1a\n0000"[..], "PNG"),
        (b"Kaydara FBX Binary  \0", "FBX"),
        (b"PK\x03\x04        ", "ZIP"),
        (b"glTF\x02\0\0\0....", "GLB"),
        (b":version 1.10\n:name a", "ASF"),
    ] {
        let error = parse(magic, &ReadOptions::default()).0.unwrap_err();
        assert_eq!(error.code, "BVH-E002");
        assert!(error.found.contains(kind), "B12: {error}");
    }
}

#[test]
fn b13_line_ends() {
    let text = String::from_utf8(with_rows(&ROW.repeat(2))).unwrap();
    check("B13 LF", text.as_bytes(), Read(&[]));
    check("B13 CRLF", text.replace('\n', "\r\n").as_bytes(), Read(&[]));
    check("B13 CR", text.replace('\n', "\r").as_bytes(), Read(&[]));
    let mixed = text.replace('\n', "\r\n").replacen("Hips\r\n", "Hips\n", 1);
    let document = check("B13 mixed", mixed.as_bytes(), Read(&[])).unwrap();
    assert!(document.dialect().mixed_eol);
    check("no final line end", text.trim_end().as_bytes(), Read(&[]));
}

#[test]
fn b14_b15_cut_files() {
    let cut = with_rows("1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 -");
    check("B14", &cut, Refused("BVH-E014", 20));
    check("B14 at a blank", &with_rows("1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 "), Refused("BVH-E024", 20));
    let salvage = ReadOptions { mode: Mode::Salvage, ..ReadOptions::default() };
    for bytes in [
        cut,
        with_rows("1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 "),
        with_rows("1 2 3 4 5 6 7 8 9\n1 2 3 4 nan 6 7 8 9\n1 2 3 4 5 6 7 8 9\n"),
    ] {
        let document = check_with("B14 salvage", &bytes, &salvage, Read(&["BVH-W018"])).unwrap();
        assert_eq!((document.frame_count(), document.is_salvaged()), (1, true));
        // What is written is a whole file of the frames that were kept.
        let clip = clip_of(&document);
        let written =
            document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut Vec::new()).unwrap();
        let again = check("B14 rewritten", &written, Read(&[])).unwrap();
        assert_eq!(again.row(0), document.row(0));
    }
    let whole = with_rows(ROW);
    let hierarchy_end = whole.windows(6).position(|window| window == b"MOTION").unwrap();
    for length in 12..hierarchy_end {
        let (result, _) = parse(&whole[..length], &ReadOptions::default());
        let error = result.map(|_| ()).expect_err(&format!("B15: cut at {length}"));
        assert!(error.place.is_some(), "{error}");
    }
    check("B15 without MOTION", HIERARCHY.as_bytes(), Refused("BVH-E010", 16));
}

#[test]
fn b16_to_b18_rows_and_lines() {
    let short = with_rows("1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8 9\n");
    check("B16 short", &short, Refused("BVH-E024", 20));
    let message = parse(&short, &ReadOptions::default()).0.unwrap_err().to_string();
    assert!(message.contains("expected 9 values, found 8 (frame 1)"), "{message}");
    check("B16 long", &with_rows("1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9 10\n"), Refused("BVH-E024", 20));
    // One short and one long row make a whole number of rows; they are no wrapping.
    let balanced = "1 2 3 4 5 6 7 8 9\n".repeat(3) + "1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8 9 10\n" + "1 2 3 4 5 6 7 8 9\n";
    check("B16 balanced", &with_rows(&balanced), Refused("BVH-E024", 22));
    check("uniform extras", &with_rows("1 2 3 4 5 6 7 8 9 10\n1 2 3 4 5 6 7 8 9 10\n"), Read(&["BVH-W013"]));
    let document = check("B17", &with_rows("1 2 3 4 5\n6 7 8 9\n1 2 3 4 5\n6 7 8 10\n"), Read(&["BVH-W012"])).unwrap();
    assert_eq!(document.row(1).unwrap()[8], 10.0);
    check("B17 filled", &with_rows("1 2 3 4\n5 6 7 8\n9 1 2 3\n4 5 6 7\n8 9\n"), Read(&["BVH-W012"]));
    let document = check("B18", &with_rows("1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9"), Read(&["BVH-W012"])).unwrap();
    assert_eq!(document.frame_count(), 2);
}

#[test]
fn b19_values_that_are_not_numbers() {
    for token in ["nan", "NaN", "-nan(ind)", "1.#QNAN", "-1.#IND", "1.#INF", "inf", "-Infinity", "1e999"] {
        let bytes = with_rows(&format!("1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 {token} 9\n"));
        check(&format!("B19 {token}"), &bytes, Refused("BVH-E015", 20));
        let message = parse(&bytes, &ReadOptions::default()).0.unwrap_err().to_string();
        assert!(message.contains("frame 1, Xrotation of joint `Leg`"), "{message}");
    }
    check("B19 first", &with_rows("nan 2 3 4 5 6 7 8 9\n"), Refused("BVH-E015", 19));
    let rows = "1 2 3 4 5 6 7 8 9\nnan 2 3 4 5 6 7 8 9\n5 2 3 4 5 6 7 8 9\n";
    for (how, filled) in [(NanRepair::Interpolate, "3"), (NanRepair::Hold, "1")] {
        let options = ReadOptions { repair_nan: Some(how), ..ReadOptions::default() };
        let bytes = with_motion(&format!("MOTION\nFrames: 3\nFrame Time: 0.0333333\n{rows}"));
        let document = check_with("B19 repair", &bytes, &options, Read(&["BVH-W019"])).unwrap();
        let written =
            document.write(&clip_of(&document), FrameOfReference::INTERNAL, &WriteOptions::default(), &mut Vec::new());
        let expected = String::from_utf8(bytes).unwrap().replace("nan", filled);
        assert_eq!(String::from_utf8(written.unwrap()).unwrap(), expected, "only the repaired token changes");
    }
}

#[test]
fn b20_b21_extreme_numbers() {
    let bytes = with_rows("1e-320 -0 4.9e-324 -0.0 1E+001 7.62852e-016 .5 5. +1.5\n1 2 3 4 5 6 7 8 9\n");
    let document = check("B20", &bytes, Read(&[])).unwrap();
    let row = document.row(0).unwrap();
    assert_eq!(row[0].to_bits(), 1e-320f64.to_bits());
    assert_eq!(row[1].to_bits(), (-0.0f64).to_bits());
    assert_eq!(row[4..], [10.0, 7.62852e-16, 0.5, 5.0, 1.5]);
    let huge = String::from_utf8(with_rows(ROW))
        .unwrap()
        .replacen("OFFSET 0 -10 0", "OFFSET 1e308 -10 0", 1)
        .replace("Frames: 2", "Frames: 1");
    let document = check("B20 offset", huge.as_bytes(), Read(&["BVH-W022"])).unwrap();
    assert_eq!(clip_of(&document).skeleton().joints()[1].offset_m.x, 1e308);
    let hundred = FrameOfReference { metres_per_unit: 100.0, ..FrameOfReference::INTERNAL };
    assert_eq!(document.to_clip(hundred).unwrap_err().code, "BVH-E026");
    check("B20 position", &with_rows("1 2 3 4 5 6 7 8 9\n1e300 2 3 4 5 6 7 8 9\n"), Read(&["BVH-W022"]));
    check("B21", &with_rows(&format!("1 2 {} 4 5 6 7 8 9\n", "1".repeat(10_000_000))), Refused("BVH-E016", 19));
    check("Fortran", &with_rows("1.0D-3 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9\n"), Read(&["BVH-W016"]));
    for token in ["0x10", "1_000", "1'000", "4.5.6", "--1", "1e", "abc"] {
        check(token, &with_rows(&format!("1 2 {token} 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9\n")), Refused("BVH-E014", 19));
    }
}

#[test]
fn b22_commas() {
    let decimals = "1,5 2 3 4 5 6 7 8 9,25\n1 2 3 4 5 6 7 8 9\n";
    let comma_time = |rows: &str| with_motion(&format!("MOTION\nFrames: 2\nFrame Time: 0,04\n{rows}"));
    let document = check("B22 decimals", &comma_time(decimals), Read(&["BVH-W014"])).unwrap();
    assert_eq!((document.row(0).unwrap()[8], document.frame_time_secs()), (9.25, Some(0.04)));
    let offsets = String::from_utf8(comma_time(decimals)).unwrap().replace("-10", "-10,5");
    let document = check("B22 offsets", offsets.as_bytes(), Read(&["BVH-W014"])).unwrap();
    assert_eq!(clip_of(&document).skeleton().joints()[1].offset_m.y, -10.5);
    // An edit keeps the decimal mark.
    let mut clip = clip_of(&document);
    clip.track_mut(JointId::new(0)).unwrap()[1].x = 0.125;
    let written = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut Vec::new()).unwrap();
    assert!(String::from_utf8(written).unwrap().contains("\n0,125 2 3"));
    let document = check(
        "B22 separators",
        &with_rows("1.5, 2, 3, 4, 5, 6, 7, 8, 9\n1, 2, 3, 4, 5, 6, 7, 8, 9\n"),
        Read(&["BVH-W015"]),
    )
    .unwrap();
    assert_eq!(document.row(0).unwrap()[..2], [1.5, 2.0]);
    check("B22 both", &with_rows("1,5, 2, 3, 4, 5, 6, 7, 8, 9\n1 2 3 4 5 6 7 8 9\n"), Refused("BVH-E025", 0));
    check("B22 with points", &with_rows("1,5 2.5 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9\n"), Refused("BVH-E025", 0));
}

#[test]
fn b23_frame_times() {
    let options = ReadOptions { frame_time: Some(FrameTime::from_hz(60.0).unwrap()), ..ReadOptions::default() };
    for time in ["0", "-0.01", "nan", "1e-300", "1e9", "x", ""] {
        let bytes = with_motion(&format!("MOTION\nFrames: 1\nFrame Time: {time}\n{ROW}"));
        check(&format!("B23 {time}"), &bytes, Refused("BVH-E023", 18));
        let message = parse(&bytes, &ReadOptions::default()).0.unwrap_err().to_string();
        assert!(message.contains("--fps"), "{message}");
        let document = check_with(&format!("B23 {time} with --fps"), &bytes, &options, Read(&["BVH-W024"])).unwrap();
        let clip = clip_of(&document);
        assert_eq!(clip.timeline().uniform().unwrap().hz(), 60.0);
        let written =
            document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut Vec::new()).unwrap();
        let again = parse(&written, &ReadOptions::default()).0.unwrap();
        assert_eq!(again.frame_time().hz(), 60.0, "the true rate is written");
    }
    let missing = with_motion(&format!("MOTION\nFrames: 1\n{ROW}"));
    check("B23 missing", &missing, Refused("BVH-E023", 18));
    check_with("B23 missing with --fps", &missing, &options, Read(&["BVH-W024"]));
    check("Frames:2 without blank", &with_motion(&format!("MOTION\nFrames:1\nFrame Time:.0083333\n{ROW}")), Read(&[]));
    check("tabs", &with_motion(&format!("MOTION\nFrames:\t1\nFrame Time:\t.0083333\n{ROW}")), Read(&[]));
    check("blanks", &with_motion(&format!("MOTION\nFrames : 1\nFrame  Time : .0083333\n{ROW}")), Read(&["BVH-W023"]));
}

#[test]
fn b24_to_b26_channels() {
    let six = "Xposition Yposition Zposition Zrotation Xrotation Yrotation";
    check(
        "B24 five",
        &with_body("OFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation", 5),
        Read(&["BVH-W004"]),
    );
    check("B24 more than counted", &with_body(&format!("OFFSET 0 1 0\nCHANNELS 3 {six}"), 6), Read(&["BVH-W004"]));
    check("B24 seven", &with_body(&format!("OFFSET 0 1 0\nCHANNELS 6 {six} Xscale"), 7), Refused("BVH-E013", 5));
    check("B24 -1", &with_body("OFFSET 0 1 0\nCHANNELS -1", 0), Refused("BVH-E012", 5));
    check("B24 huge", &with_body(&format!("OFFSET 0 1 0\nCHANNELS 4294967295 {six}"), 6), Read(&["BVH-W004"]));
    check("B25", &with_body("OFFSET 0 1 0\nCHANNELS 3 Xrotation Xrotation Yrotation", 3), Refused("BVH-E012", 5));
    let scaled = with_body("OFFSET 0 1 0\nCHANNELS 4 Xposition Xscale Zrotation Wrotation", 4);
    let document = check("B26", &scaled, Read(&["BVH-W005"])).unwrap();
    let strict = ReadOptions { mode: Mode::Strict, ..ReadOptions::default() };
    check_with("B26 strict", &scaled, &strict, Refused("BVH-W005", 5));
    // Unknown columns stay where they are when something beside them is edited.
    let mut clip = clip_of(&document);
    clip.track_mut(JointId::new(0)).unwrap()[0].x = 2.0;
    let written = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut Vec::new()).unwrap();
    assert!(written.ends_with(b"\n2 0 0 0\n"), "{}", String::from_utf8_lossy(&written));
    let many: Vec<String> = (0..40).map(|index| format!("Extra{index}")).collect();
    check(
        "too many channels",
        &with_body(&format!("OFFSET 0 1 0\nCHANNELS 40 {}", many.join(" ")), 40),
        Refused("BVH-E021", 5),
    );
    check(
        "channels on two lines",
        &with_body("OFFSET 0 1 0\nCHANNELS 3 Zrotation\nXrotation Yrotation", 3),
        Read(&["BVH-N003"]),
    );
}

#[test]
fn b27_to_b29_offsets_and_end_sites() {
    check("B27 none", &with_body("CHANNELS 3 Zrotation Xrotation Yrotation", 3), Refused("BVH-E011", 2));
    check("B27 two", &with_body("OFFSET 0 1 0\nOFFSET 0 1 0\nCHANNELS 0", 0), Refused("BVH-E011", 5));
    check("B27 of two", &with_body("OFFSET 0 1\nCHANNELS 0", 0), Refused("BVH-E011", 4));
    check("B27 of four", &with_body("OFFSET 0 1 2 3\nCHANNELS 0", 0), Refused("BVH-E011", 4));
    check("B28 order", &with_body("CHANNELS 3 Zrotation Xrotation Yrotation\nOFFSET 0 1 0", 3), Read(&["BVH-N003"]));
    let end = "End Site\n{\nOFFSET 0 1 0\n}";
    check("B28 end first", &with_body(&format!("OFFSET 0 1 0\n{end}\nCHANNELS 1 Zrotation"), 1), Read(&["BVH-N003"]));
    let late = "OFFSET 0 1 0\nJOINT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\nCHANNELS 1 Zrotation";
    let document = check("B28 late channels", &with_body(late, 2), Read(&["BVH-W006", "BVH-N003"])).unwrap();
    assert_eq!(document.joints()[0].channels.as_ref().unwrap().first_column, 1);
    check(
        "B29",
        &with_body("OFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\nJOINT a\n{\nOFFSET 0 1 0\n}\n}", 0),
        Refused("BVH-E009", 9),
    );
    check(
        "End Site with CHANNELS 0",
        &with_body("OFFSET 0 1 0\nCHANNELS 1 Zrotation\nEnd Site\n{\nOFFSET 0 1 0\nCHANNELS 0\n}", 1),
        Read(&["BVH-N003"]),
    );
    let named = with_body("OFFSET 0 1 0\nCHANNELS 1 Zrotation\nEnd Site Toe tip\n{\nOFFSET 0 1 0\n}", 1);
    let document = check("named End Site", &named, Read(&["BVH-N003"])).unwrap();
    assert_eq!(clip_of(&document).skeleton().joints()[0].end_sites[0].name.as_deref(), Some("Toe tip"));
}

#[test]
fn b30_names() {
    let named = |name: &[u8]| {
        let text = with_rows(&ROW.repeat(2));
        let at = text.windows(3).position(|window| window == b"Leg").unwrap();
        [&text[..at], name, &text[at + 3..]].concat()
    };
    check("B30 duplicate", &named(b"Hips"), Read(&["BVH-W008"]));
    check("B30 empty", &named(b""), Read(&["BVH-W007"]));
    check("B30 brace", &named(b"{"), Refused("BVH-E005", 7));
    check("B30 1 MB", &named(&vec![b'x'; 1 << 20]), Refused("BVH-E018", 6));
    check("B30 RTL and emoji", &named("\u{202e}Bein \u{1f9b5}".as_bytes()), Read(&[]));
    check("B30 not UTF-8", &named(b"Le\xffg"), Read(&["BVH-W009"]));
    for name in ["Left Leg", "mixamorig:Leg", "a|b.c-d", "Bip01 L Thigh"] {
        let document = check(name, &named(name.as_bytes()), Read(&[])).unwrap();
        assert_eq!(clip_of(&document).skeleton().joints()[1].name, name);
    }
    let glued =
        String::from_utf8(with_rows(&ROW.repeat(2))).unwrap().replace("Hips\n{", "Hips{").replace("Leg\n\t{", "Leg {");
    check("brace on the keyword line", glued.as_bytes(), Read(&[]));
}

#[test]
fn b31_roots() {
    let one = "OFFSET 0 1 0\nCHANNELS 1 Zrotation\n";
    let two =
        format!("HIERARCHY\nROOT a\n{{\n{one}}}\nROOT b\n{{\n{one}}}\nMOTION\nFrames: 1\nFrame Time: 0.01\n1 2\n");
    let document = check("B31 two", two.as_bytes(), Read(&["BVH-N003"])).unwrap();
    assert_eq!(clip_of(&document).skeleton().roots().count(), 2);
    check("B31 none", b"HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 0.01\n", Refused("BVH-E008", 2));
    check("B31 ROOT inside", &with_body(&format!("{one}ROOT b\n{{\n{one}}}"), 2), Refused("BVH-E009", 6));
    check("B31 JOINT outside", format!("HIERARCHY\nJOINT a\n{{\n{one}}}\n").as_bytes(), Refused("BVH-E009", 2));
}

#[test]
fn b32_b33_no_size_and_trailing_text() {
    let flat = String::from_utf8(with_rows(&ROW.repeat(2))).unwrap().replace("-10", "0");
    check("B32", flat.as_bytes(), Read(&["BVH-W021"]));
    for trailing in ["# made by hand\n", "MOTION\nFrames: 1\nFrame Time: 0.01\n1 2 3 4 5 6 7 8 9\n", "the end"] {
        let bytes = with_rows(&format!("{}{trailing}", ROW.repeat(2)));
        let document = check("B33", &bytes, Read(&["BVH-W017"])).unwrap();
        assert_eq!(document.frame_count(), 2);
        assert!(document.trailing_bytes().ends_with(trailing.as_bytes()));
    }
    check("junk between rows", &with_rows("1 2 3 4 5 6 7 8 9\njunk\n1 2 3 4 5 6 7 8 9\n"), Refused("BVH-E014", 20));
}

#[test]
fn b34_five_million_frames() {
    const FRAMES: usize = 5_000_000;
    let body = "OFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation";
    let mut bytes =
        format!("HIERARCHY\nROOT a\n{{\n{body}\n}}\nMOTION\nFrames: {FRAMES}\nFrame Time: 0.01\n").into_bytes();
    bytes.extend_from_slice(&b"1 2 3\n".repeat(FRAMES));
    let start = cpu_secs();
    let document = BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new()).unwrap();
    assert!(cpu_secs() - start < 2.0, "B34 took {} s", cpu_secs() - start);
    assert_eq!(document.frame_count(), FRAMES);
    assert_eq!(document.row(FRAMES - 1), Some(&[1.0, 2.0, 3.0][..]));
}

#[test]
fn b35_large_angles_and_jumps() {
    let rows: String =
        (0..20).map(|frame| format!("0 0 0 {} {} -1000000 7 8 9\n", 1e6 + f64::from(frame), 360 * frame)).collect();
    let bytes = with_motion(&format!("MOTION\nFrames: 20\nFrame Time: 0.01\n{rows}"));
    let document = check("B35", &bytes, Read(&[])).unwrap();
    let mut clip = clip_of(&document);
    for index in clip.frames() {
        let tilted = clip.rotation(index, JointId::new(0)) * glam::DQuat::from_rotation_y(0.01);
        clip.set_rotation(index, JointId::new(0), tilted);
    }
    let written = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut Vec::new()).unwrap();
    let again = parse(&written, &ReadOptions::default()).0.unwrap();
    for frame in 0..20 {
        let steps = again.row(frame).unwrap().iter().zip(document.row(frame).unwrap()).map(|(a, b)| (a - b).abs());
        assert!(steps.fold(0.0, f64::max) < 1.0, "frame {frame}: angles stay beside the source's");
    }
}

#[test]
fn marks_case_comments_and_strictness() {
    let text = String::from_utf8(with_rows(&ROW.repeat(2))).unwrap();
    let strict = ReadOptions { mode: Mode::Strict, ..ReadOptions::default() };
    check_with("clean in strict mode", text.as_bytes(), &strict, Read(&[]));
    check("BOM", format!("\u{feff}{text}").as_bytes(), Read(&["BVH-N001"]));
    let comments = format!("# a comment\n// another\n{text}");
    check("comments", comments.as_bytes(), Read(&["BVH-W001"]));
    check_with("comments in strict mode", comments.as_bytes(), &strict, Refused("BVH-W001", 1));
    check(
        "lower case keywords",
        text.to_lowercase().replace("hips", "Hips").as_bytes(),
        Read(&["BVH-W002", "BVH-W023"]),
    );
    check("no-break spaces", text.replace("1 2 3", "1\u{a0}2 3").as_bytes(), Read(&["BVH-W003"]));
    check(
        "double blanks and tabs",
        text.replace("1 2 3", " 1  2\t \t3").replace("9\n", "9 \t\n\n").as_bytes(),
        Read(&[]),
    );
    let small = ReadOptions { limits: Limits { file_bytes: 100, ..Limits::default() }, ..ReadOptions::default() };
    check_with("file limit", text.as_bytes(), &small, Refused("BVH-E004", 0));
}

#[test]
fn files_without_motion_are_one_rest_pose() {
    let document =
        check("no frames", &with_motion("MOTION\nFrames: 0\nFrame Time: 0.01\n"), Read(&["BVH-N002"])).unwrap();
    assert_eq!(clip_of(&document).frame_count(), 1);
    let bytes = with_body("OFFSET 0 1 0\nCHANNELS 0", 0);
    let document = check("no channels", &bytes, Read(&["BVH-N002", "BVH-N003"])).unwrap();
    assert_eq!(clip_of(&document).frame_count(), 1);
    let many = String::from_utf8(bytes).unwrap().replace("Frames: 1", "Frames: 999999999");
    check("no channels, many frames", many.as_bytes(), Read(&["BVH-N002", "BVH-W025", "BVH-N003"]));
}

#[test]
fn position_channels_replace_or_add() {
    let six = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";
    let file = |rows: &str| {
        format!("HIERARCHY\nROOT a\n{{\nOFFSET 1 2 3\n{six}\nJOINT b\n{{\nOFFSET 0 -10 0\n{six}\n}}\n}}\nMOTION\nFrames: 2\nFrame Time: 0.01\n{rows}").into_bytes()
    };
    // Repeated offsets: the bone is the offset, the root is where its channels say.
    let replacing = file("11 21 31 0 0 0 0 -10 0 0 0 0\n11 21 31 0 0 0 0 -10 0 0 0 0\n");
    let clip = clip_of(&check("replacing", &replacing, Read(&[])).unwrap());
    assert_eq!(clip.translation_m(FrameIndex(0), JointId::new(0)), DVec3::new(11.0, 21.0, 31.0));
    assert_eq!((clip.tracks().len(), clip.skeleton().joints()[1].offset_m.y), (1, -10.0));
    let options = ReadOptions { position_semantics: PositionSemantics::Add, ..ReadOptions::default() };
    let clip = clip_of(&parse(&replacing, &options).0.unwrap());
    assert_eq!(clip.translation_m(FrameIndex(0), JointId::new(0)), DVec3::new(12.0, 23.0, 34.0));
    // Zeros beside real offsets: the file adds.
    let adding = file("11 21 31 0 0 0 0 0 0 0 0 0\n11 21 31 0 0 0 0 0 0 0 0 0\n");
    let document = check("adding", &adding, Read(&["BVH-W020"])).unwrap();
    assert!(document.dialect().positions_add);
    assert_eq!(clip_of(&document).skeleton().joints()[1].offset_m.y, -10.0);
    // Offsets of zero with the bones in the channels.
    let converter = String::from_utf8(replacing.clone()).unwrap().replace("OFFSET 0 -10 0", "OFFSET 0 0 0");
    let clip = clip_of(&parse(converter.as_bytes(), &ReadOptions::default()).0.unwrap());
    assert_eq!(clip.skeleton().joints()[1].offset_m.y, -10.0);
    // A bone that really slides keeps its track.
    let sliding = file("11 21 31 0 0 0 0 -10 0 0 0 0\n11 21 31 0 0 0 0 -10.5 0 0 0 0\n");
    assert_eq!(clip_of(&check("sliding", &sliding, Read(&[])).unwrap()).tracks().len(), 2);
}
