//! The A cases of the corpus, and what the formats leave open.

use super::{AmcDocument, AngleUnit, AsfAmcDocument, AsfDocument, Dof, asf_path_hint};
use crate::options::{Limits, Mode, NanRepair, ReadOptions};
use crate::{Diagnostic, Severity};
use aplomb_motion::{Axis, FrameIndex, FrameOfReference, FrameTime, JointId, WorldPose};
use glam::DVec3;

/// Line 1 is `:version`; bone `a` hangs at the root, `b` at `a`.
pub(super) const ASF: &str = "\
:version 1.10
:name test
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  free text: begin end
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name a
    direction 0 1 0
    length 2
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 2
    name b
    direction 1 0 0
    length 3
    axis 10 20 30 XYZ
    dof rx
    limits (-10.0 170.0)
  end
:hierarchy
  begin
    root a
    a b
  end
";

pub(super) const AMC: &str = "\
#!OML:ASF H:\\take\\it.ASF
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
a 4 5 6
b 7
2
root 1.5 2 3 10 20 30
a 4 5 6
b 8
";

fn asf(text: &str, mode: Mode) -> (Result<AsfDocument, Box<Diagnostic>>, Vec<Diagnostic>) {
    let mut notes = Vec::new();
    let options = ReadOptions { mode, ..ReadOptions::default() };
    (AsfDocument::parse(text.as_bytes().to_vec(), &options, &mut notes), notes)
}

fn amc(text: &str, options: &ReadOptions) -> (Result<AmcDocument, Box<Diagnostic>>, Vec<Diagnostic>) {
    let skeleton = asf(ASF, Mode::Strict).0.unwrap();
    let mut notes = Vec::new();
    (AmcDocument::parse(text.as_bytes().to_vec(), &skeleton, options, &mut notes), notes)
}

/// Case, file, and the codes and lines it must be given.
type Deviation = (&'static str, String, Vec<(&'static str, usize)>);

fn line(diagnostic: &Diagnostic) -> usize {
    diagnostic.place.map_or(0, |place| place.line)
}

fn seen(notes: &[Diagnostic]) -> Vec<(&'static str, usize)> {
    notes.iter().map(|note| (note.code, line(note))).collect()
}

#[test]
fn the_plain_pair_reads_clean_even_strictly() {
    let (skeleton, notes) = asf(ASF, Mode::Strict);
    let skeleton = skeleton.unwrap();
    assert_eq!(seen(&notes), []);
    assert_eq!(skeleton.bones()[1].dof.as_slice(), Axis::ALL.map(Dof::Rotation));
    assert!((skeleton.metres_per_unit() - 0.056_444_444_444).abs() < 1e-12);
    let strict = ReadOptions { mode: Mode::Strict, ..ReadOptions::default() };
    let (motion, notes) = amc(AMC, &strict);
    let motion = motion.unwrap();
    assert_eq!(seen(&notes), []);
    assert_eq!(motion.frame(1), [1.5, 2.0, 3.0, 10.0, 20.0, 30.0, 4.0, 5.0, 6.0, 8.0]);
    assert_eq!(motion.asf_path_hint(), Some("H:\\take\\it.ASF"));
    assert_eq!(asf_path_hint(AMC.as_bytes()).as_deref(), Some("H:\\take\\it.ASF"));
}

#[test]
fn damaged_skeletons_are_refused_with_code_and_line() {
    let replace = |from: &str, to: &str| ASF.replacen(from, to, 1);
    let cases: Vec<(&str, String, &str, usize)> = vec![
        ("A01 cycle", replace("    root a\n    a b", "    a b\n    b a"), "ASF-E017", 37),
        ("A01 own parent", replace("    a b", "    a a b"), "ASF-E015", 38),
        ("A01 two parents", replace("    a b", "    a b\n    root b"), "ASF-E016", 39),
        ("A01 root below", replace("    a b", "    a b root"), "ASF-E017", 38),
        ("A02 unknown bone", replace("    a b", "    a b c"), "ASF-E014", 38),
        ("A03 no direction", replace("direction 0 1 0", "direction 0 0 0"), "ASF-E011", 18),
        ("A03 negative length", replace("length 2", "length -2"), "ASF-E011", 19),
        ("A08 unknown order", replace("0 0 20 XYZ", "0 0 20 XXY"), "ASF-E012", 20),
        ("empty", " \r\n\t".to_owned(), "ASF-E001", 1),
        ("byte order mark only", "\u{feff}".to_owned(), "ASF-E001", 1),
        ("nul", replace("name a", "name a\0"), "ASF-E003", 17),
        ("another format", "HIERARCHY\nROOT Hips\n".to_owned(), "ASF-E004", 1),
        ("nan", replace("length 2", "length nan"), "ASF-E005", 19),
        ("two directions only", replace("direction 0 1 0", "direction 0 1"), "ASF-E005", 19),
        ("long number", replace("length 2", &format!("length 1{}", "0".repeat(999))), "ASF-E005", 19),
        ("no root", replace(":root", ":rooted"), "ASF-E006", 40),
        ("no hierarchy", ASF[..ASF.find(":hierarchy").unwrap()].to_owned(), "ASF-E006", 35),
        ("twice", replace(":documentation", ":name twice\n:documentation"), "ASF-E007", 7),
        ("length 0", replace("length 0.45", "length 0"), "ASF-E008", 5),
        ("angle", replace("angle deg", "angle grad"), "ASF-E008", 6),
        ("cut in a bone", ASF[..ASF.find("id 2").unwrap()].to_owned(), "ASF-E009", 26),
        ("no name", replace("    name a\n", ""), "ASF-E009", 15),
        ("no length", replace("    length 2\n", ""), "ASF-E009", 15),
        ("same name", replace("name b", "name a"), "ASF-E010", 28),
        ("named root", replace("name b", "name Root"), "ASF-E010", 28),
        ("dof twice", replace("rx ry rz", "rx ry rx"), "ASF-E013", 21),
        ("unknown dof", replace("rx ry rz", "rx sy"), "ASF-E013", 21),
        ("length of the root", replace("RX RY RZ", "RX RY RZ L"), "ASF-E013", 10),
        ("odd limits", replace("(-10.0 170.0)", "(-10.0)"), "ASF-E004", 34),
        ("cut in the hierarchy", ASF[..ASF.find("    a b").unwrap()].to_owned(), "ASF-E004", 38),
        ("long name", replace("name b", &format!("name {}", "b".repeat(2000))), "ASF-E018", 28),
    ];
    for (case, text, code, expected_line) in cases {
        for mode in [Mode::Tolerant, Mode::Salvage] {
            let error = asf(&text, mode).0.expect_err(case);
            assert_eq!(
                (error.code, line(&error), error.severity),
                (code, expected_line, Severity::Error),
                "{case}: {error}"
            );
        }
    }
}

#[test]
fn deviations_in_skeletons_are_warnings_and_strict_errors() {
    let replace = |from: &str, to: &str| ASF.replacen(from, to, 1);
    let cases: Vec<Deviation> = vec![
        ("A02 outside the hierarchy", replace("    a b\n", ""), vec![("ASF-W009", 28)]),
        ("A04 counts differ", replace("           (-60.0 70.0)\n", ""), vec![("ASF-W007", 22)]),
        ("A04 reversed", replace("(-10.0 170.0)", "(170.0 -10.0)"), vec![("ASF-W008", 33)]),
        ("A04 infinite", replace("(-10.0 170.0)", "(-inf inf)"), vec![]),
        ("A04 zero", replace("(-10.0 170.0)", "(0 0)"), vec![]),
        ("A08 other order, lower case", replace("10 20 30 XYZ", "10 20 30 zyx"), vec![]),
        (
            "fields in another order",
            replace("    id 1\n    name a\n", "").replacen("dof rx ry rz\n", "dof rx ry rz\n name a\n", 1),
            vec![],
        ),
        ("no version", replace(":version 1.10\n", ""), vec![("ASF-W001", 1)]),
        ("no length", replace("  length 0.45\n", ""), vec![("ASF-W002", 39)]),
        ("unknown field", replace("id 1", "colour 1"), vec![("ASF-W004", 16)]),
        ("long direction", replace("direction 0 1 0", "direction 0 2 0"), vec![("ASF-W005", 18)]),
        ("no axis", replace("    axis 0 0 20 XYZ\n", ""), vec![("ASF-W006", 15)]),
        ("no axis order", replace("0 0 20 XYZ", "0 0 20"), vec![("ASF-W006", 20)]),
    ];
    for (case, text, expected) in cases {
        let (result, notes) = asf(&text, Mode::Tolerant);
        let skeleton = result.unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(seen(&notes), expected, "{case}");
        assert!(notes.iter().all(|note| note.severity == Severity::Warning), "{case}");
        // A dof with limits (0 0) is a dof.
        assert_eq!(skeleton.bones()[2].dof.as_slice(), [Dof::Rotation(Axis::X)], "{case}");
        let strict = asf(&text, Mode::Strict).0;
        assert_eq!(strict.err().map(|error| error.code), expected.first().map(|first| first.0), "{case}");
    }
    let (_, notes) = asf(&format!("{ASF}:skin x.obj\n  begin\n"), Mode::Strict);
    assert_eq!(seen(&notes), [("ASF-N003", 40)]);
}

#[test]
fn damaged_motions_are_refused_with_code_and_line() {
    let replace = |from: &str, to: &str| AMC.replacen(from, to, 1);
    let cases: Vec<(&str, String, &str, usize)> = vec![
        ("A05 too few", replace("a 4 5 6", "a 4 5"), "AMC-E006", 6),
        ("A05 too many", replace("a 4 5 6", "a 4 5 6 7"), "AMC-E006", 6),
        ("A05 unknown bone", replace("b 8", "c 8"), "AMC-E005", 11),
        ("A05 twice", replace("b 8", "a 4 5 6"), "AMC-E008", 11),
        ("empty", String::new(), "AMC-E001", 1),
        ("utf-16 or junk", replace("b 8", "b\0 8"), "AMC-E003", 11),
        ("no frame number", replace("\n1\n", "\n"), "AMC-E004", 4),
        ("nan", replace("b 8", "b nan"), "AMC-E007", 11),
        ("1e999", replace("b 8", "b 1e999"), "AMC-E007", 11),
        ("junk", replace("b 8", "b 8,5x"), "AMC-E006", 11),
        ("junk number", replace("b 8", "b x"), "AMC-E007", 11),
        ("frame number", replace("\n2\n", "\n99999999999999999999\n"), "AMC-E009", 8),
        ("no frame", AMC[..AMC.find("\n1\n").unwrap()].to_owned(), "AMC-E011", 3),
    ];
    for (case, text, code, expected_line) in cases {
        let error = amc(&text, &ReadOptions::default()).0.expect_err(case);
        assert_eq!((error.code, line(&error)), (code, expected_line), "{case}: {error}");
        // The first frame is whole in most: salvage keeps it and the bytes up to the damage.
        let salvage = ReadOptions { mode: Mode::Salvage, ..ReadOptions::default() };
        if expected_line >= 8 && code != "AMC-E003" {
            let (result, notes) = amc(&text, &salvage);
            let kept = result.unwrap();
            assert_eq!(kept.frame_count(), 1, "{case}");
            assert!(text.starts_with(std::str::from_utf8(kept.bytes()).unwrap()) && kept.bytes().ends_with(b"b 7\n"));
            assert_eq!(seen(&notes), [("AMC-W010", 8)], "{case}");
        }
    }
    let error = amc(&replace("b 8", "c 8"), &ReadOptions::default()).0.unwrap_err();
    assert!(error.to_string().contains("H:\\take\\it.ASF"), "{error}");
}

#[test]
fn deviations_in_motions_are_warnings_and_strict_errors() {
    let replace = |from: &str, to: &str| AMC.replacen(from, to, 1);
    let with_ids = |ids: &[i64]| {
        let frame = |id: &i64| format!("{id}\nroot 1 2 3 4 5 6\na 1 2 3\nb 4\n");
        format!(":DEGREES\n{}", ids.iter().map(frame).collect::<String>())
    };
    let cases: Vec<Deviation> = vec![
        ("A06 repeated and skipped", with_ids(&[1, 2, 2, 5]), vec![("AMC-W002", 10)]),
        ("A06 from 0", with_ids(&[0, 1]), vec![("AMC-W001", 2)]),
        ("A06 falling", with_ids(&[9, 8]), vec![("AMC-W001", 2), ("AMC-W002", 6)]),
        ("A07 no angle keyword", replace(":DEGREES\n", ""), vec![("AMC-W003", 3)]),
        (
            "A07 late keyword",
            replace(":DEGREES\n1\n", "1\n").replacen("2\nroot", ":RADIANS\n2\nroot", 1),
            vec![("AMC-W003", 3), ("AMC-W004", 7)],
        ),
        ("other case", replace("b 8", "B 8"), vec![("AMC-W008", 11)]),
        ("unknown keyword", replace(":DEGREES", ":DEGREES\n:VENDOR thing 12"), vec![("AMC-W009", 4)]),
        ("cut after a row", replace("b 8\n", ""), vec![("AMC-W005", 8), ("AMC-W006", 8)]),
        ("held", replace("b 7\n", ""), vec![("AMC-W005", 4)]),
        ("both keywords on one line", replace(":FULLY-SPECIFIED\n:DEGREES", ":fully-specified :degrees"), vec![]),
        ("comments, commas, blank lines", replace("b 8", "\n\t b , (8) # knee"), vec![]),
    ];
    for (case, text, expected) in cases {
        let (result, notes) = amc(&text, &ReadOptions::default());
        let motion = result.unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(seen(&notes), expected, "{case}");
        assert_eq!(motion.angle_unit(), AngleUnit::Degrees, "{case}");
        let strict = ReadOptions { mode: Mode::Strict, ..ReadOptions::default() };
        let strict = amc(&text, &strict).0.err().map(|error| error.code);
        assert_eq!(strict, expected.first().map(|first| first.0), "{case}");
    }
    assert_eq!(amc(&with_ids(&[1, 2, 2, 5]), &ReadOptions::default()).0.unwrap().frame_ids(), [1, 2, 2, 5]);
}

#[test]
fn bones_that_a_frame_leaves_out_hold_their_values() {
    let text = ":DEGREES\n1\nroot 1 2 3 4 5 6\nb 4\n2\na 1 2 3\n3\nb 5\n";
    let (motion, notes) = amc(text, &ReadOptions::default());
    let motion = motion.unwrap();
    assert_eq!(motion.frame(0)[6..], [0.0, 0.0, 0.0, 4.0]);
    assert_eq!(motion.frame(1), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(motion.frame(2)[6..], [1.0, 2.0, 3.0, 5.0]);
    // Once a bone: root first missing in frame 2, a in frame 1, b in frame 2.
    assert_eq!(seen(&notes), [("AMC-W005", 5), ("AMC-W005", 2), ("AMC-W005", 5)]);
    assert!(motion.is_sparse());
}

#[test]
fn values_that_are_not_numbers_are_filled_only_on_request() {
    let text = AMC.replacen("root 1 2", "root nan 2", 1).replacen("b 8", "b -inf", 1);
    let options = ReadOptions { repair_nan: Some(NanRepair::Interpolate), ..ReadOptions::default() };
    let (motion, notes) = amc(&text, &options);
    let motion = motion.unwrap();
    assert_eq!((motion.frame(0)[0], motion.frame(1)[9]), (1.5, 7.0));
    assert_eq!(seen(&notes), [("AMC-W014", 0)]);
}

#[test]
fn every_line_end_reads_the_same() {
    let plain = amc(AMC, &ReadOptions::default()).0.unwrap();
    for end in ["\r\n", "\r"] {
        assert!(asf(&ASF.replace('\n', end), Mode::Strict).0.is_ok());
        let motion = amc(&AMC.replace('\n', end), &ReadOptions::default()).0.unwrap();
        assert_eq!((motion.frame(0), motion.frame(1)), (plain.frame(0), plain.frame(1)));
        assert_eq!(motion.asf_path_hint(), plain.asf_path_hint());
    }
}

#[test]
fn radians_are_read_in_either_file() {
    let in_rad = |deg: f64| deg.to_radians().to_string();
    let skeleton =
        ASF.replacen("angle deg", "angle rad", 1).replacen("0 0 20 XYZ", &format!("0 0 {} XYZ", in_rad(20.0)), 1);
    let skeleton = asf(&skeleton, Mode::Strict).0.unwrap();
    let expected = asf(ASF, Mode::Strict).0.unwrap();
    assert!(skeleton.bones()[1].axis_frame.abs_diff_eq(expected.bones()[1].axis_frame, 1e-15));
    assert!((skeleton.bones()[1].limits[0].0 - (-160f64).to_degrees()).abs() < 1e-9);
    let motion = AMC.replacen(":DEGREES", ":RADIANS", 1).replacen("b 7", &format!("b {}", in_rad(7.0)), 1);
    let pair = |text: &str| {
        let amc = amc(text, &ReadOptions::default()).0.unwrap();
        let document = AsfAmcDocument { asf: expected.clone(), amc };
        document.to_clip(FrameOfReference::INTERNAL, FrameTime::from_hz(60.0).unwrap()).unwrap()
    };
    let knee = JointId::new(2);
    let (radians, degrees) = (pair(&motion), pair(AMC));
    let off = radians.rotation(FrameIndex(0), knee).angle_between(degrees.rotation(FrameIndex(0), knee));
    assert!(off < 1e-7, "{off}");
}

#[test]
fn length_and_inner_translations_move_the_joints() {
    // `l` of a moves where b starts; `tx` of b moves it along its own axis frame (z turned by 90° puts x on y).
    let text = ASF.replacen("dof rx ry rz", "dof l", 1).replacen("axis 10 20 30", "axis 0 0 90", 1).replacen(
        "dof rx\n",
        "dof tx rx\n",
        1,
    );
    let skeleton = asf(&text, Mode::Tolerant).0.unwrap();
    let motion = ":DEGREES\n1\nroot 0 0 0 0 0 0\na 0.5\nb 0.25 0\n";
    let amc = AmcDocument::parse(motion.into(), &skeleton, &ReadOptions::default(), &mut Vec::new()).unwrap();
    let document = AsfAmcDocument { asf: skeleton, amc };
    let clip = document.to_clip(FrameOfReference::INTERNAL, FrameTime::from_hz(60.0).unwrap()).unwrap();
    let mut pose = WorldPose::default();
    pose.pose(&clip, FrameIndex(0));
    assert!((pose.joint_in_world_m[2] - DVec3::new(0.0, 2.75, 0.0)).length() < 1e-14);
    assert_eq!(clip.skeleton().joint(JointId::new(2)).end_sites[0].offset_m, DVec3::new(3.0, 0.0, 0.0));
}

#[test]
fn hostile_sizes_stop_early() {
    // A chain of 5000 bones: deeper than the limit, and no stack to overflow when the limit is raised.
    let bones: String = (0..5000)
        .map(|i| format!("begin name b{i} direction 0 1 0 length 1 axis 0 0 0 XYZ dof rx ry rz tx ty tz end\n"))
        .collect();
    let links: String = (1..5000).map(|i| format!("b{} b{i}\n", i - 1)).collect();
    let text = format!(":version 1.1\n:root order rx\n:bonedata\n{bones}:hierarchy\nbegin\nroot b0\n{links}end\n");
    assert_eq!(asf(&text, Mode::Tolerant).0.unwrap_err().code, "ASF-E018");
    let limits = Limits { depth: 10_000, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let deep = AsfDocument::parse(text.clone().into_bytes(), &options, &mut Vec::new()).unwrap();
    assert_eq!(deep.order().len(), 5001);
    let options = ReadOptions { limits: Limits { joints: 1000, ..limits }, ..ReadOptions::default() };
    let error = AsfDocument::parse(text.into_bytes(), &options, &mut Vec::new()).unwrap_err();
    assert_eq!(error.code, "ASF-E018");
    // Frame numbers and nothing else: each would stand for 30 000 values.
    let numbers: String = (1..100_000).map(|frame| format!("{frame}\n")).collect();
    let error = AmcDocument::parse(numbers.into_bytes(), &deep, &ReadOptions::default(), &mut Vec::new()).unwrap_err();
    assert_eq!(error.code, "AMC-E010");
}
