use super::{force_plates, mot, trc};
use crate::diagnostic::Diagnostic;
use crate::options::{Limits, Mode, ReadOptions};
use glam::DVec3;

const TRC: &str = "PathFileType\t4\t(X/Y/Z)\twalk.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n100\t100\t3\t2\tmm\n\
    Frame#\tTime\tR.ASIS\t\t\tL.ASIS\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n\
    1\t0.00\t1000\t2\t3\t4\t5\t6\n2\t0.01\t\t\t\t4\t5\t6\n3\t0.02\tnan\tNaN\tnan\t0\t0\t0\n";

const MOT: &str = "walk\nversion=1\nnRows=2\nnColumns=10\ninDegrees=yes\nendheader\n\
    time\t1_ground_force_vx\t1_ground_force_vy\t1_ground_force_vz\t1_ground_force_px\t1_ground_force_py\t1_ground_force_pz\t\
    1_ground_torque_x\t1_ground_torque_y\t1_ground_torque_z\n0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n0.5\t1\t2\t3\tnan\t5\t6\t7\t8\t9\n";

fn read_trc(text: &str, mode: Mode) -> (Result<trc::TrcFile, Box<Diagnostic>>, Vec<&'static str>) {
    let mut notes = Vec::new();
    let read = trc::parse(text.as_bytes(), &ReadOptions { mode, ..ReadOptions::default() }, &mut notes);
    (read, notes.iter().map(|note| note.code).collect())
}

fn read_mot(text: &str, mode: Mode) -> (Result<mot::Table, Box<Diagnostic>>, Vec<&'static str>) {
    let mut notes = Vec::new();
    let read = mot::parse(text.as_bytes(), &ReadOptions { mode, ..ReadOptions::default() }, &mut notes);
    (read, notes.iter().map(|note| note.code).collect())
}

#[test]
fn markers_come_in_metres_with_their_gaps() {
    let (file, notes) = read_trc(TRC, Mode::Tolerant);
    let markers = file.unwrap().markers;
    assert_eq!(markers.names, ["R.ASIS", "L.ASIS"]);
    assert_eq!((markers.rate_hz, markers.start_secs, markers.frames()), (100.0, 0.0, 3));
    let right: Vec<_> = markers.path(0).collect();
    assert_eq!(right, [Some(DVec3::new(1.0, 0.002, 0.003)), None, None]);
    assert_eq!(markers.path(1).flatten().count(), 2);
    assert_eq!(notes, ["TRC-W006"]);
}

#[test]
fn line_ends_blanks_and_doubled_tabs_do_not_matter() {
    let plain = read_trc(TRC, Mode::Tolerant).0.unwrap();
    for (what, text) in [
        ("CRLF", TRC.replace('\n', "\r\n")),
        ("CR", TRC.replace('\n', "\r")),
        ("doubled tabs", TRC.replace("100\t100\t3\t2\tmm", "  100.0\t\t  100.0\t\t   3\t\t  2\t\t mm")),
        ("padding", TRC.replace('\n', "\t\t\t\n")),
        ("no labels of coordinates", TRC.replace("\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n", "")),
        ("no blank line", TRC.replace("\n\n", "\n")),
    ] {
        assert_eq!(read_trc(&text, Mode::Tolerant).0.as_ref(), Ok(&plain), "{what}");
    }
}

#[test]
fn what_a_header_claims_wrongly_is_told_and_refused_when_strict() {
    for (code, text) in [
        ("TRC-W001", TRC.replace("\t3\t2\tmm", "\t3\t999999999999\tmm")),
        ("TRC-W002", TRC.replace("\t3\t2\tmm", "\t99999999999999999999\t2\tmm")),
        ("TRC-W003", TRC.replace("100\t100", "60\t60")),
        ("TRC-W004", TRC.replace("2\t0.01\t\t\t\t4\t5\t6", "2\t0.01\t1\t2\t3")),
        ("TRC-W007", TRC.replace("2\t0.01\t\t\t\t4\t5\t6", "2\t0.01\t1\t\t3\t4\t5\t6")),
    ] {
        let (read, notes) = read_trc(&text, Mode::Tolerant);
        assert!(read.is_ok() && notes.contains(&code), "{code}: {notes:?}");
        assert_eq!(read_trc(&text, Mode::Strict).0.unwrap_err().code, code);
    }
}

#[test]
fn broken_marker_files_are_refused_where_they_break() {
    for (code, text) in [
        ("TRC-E001", " \n\t\n".to_owned()),
        ("TRC-E003", format!("{TRC}\0")),
        ("TRC-E004", "HIERARCHY\n".to_owned()),
        ("TRC-E005", TRC[..60].to_owned()),
        ("TRC-E005", TRC.replace("Frame#", "Marker")),
        ("TRC-E006", TRC.replace("mm", "furlongs")),
        ("TRC-E007", TRC.replace("1000", "ten")),
        ("TRC-E007", TRC.replace("1000", "1e999")),
        ("TRC-E008", TRC.replace("1000\t", "1000\t1\t")),
        ("TRC-E008", TRC.replace("1\t0.00\t1000", "1\t\t1000")),
        ("TRC-E009", TRC.replace("1000", &"1".repeat(10_000))),
        ("TRC-E009", TRC.replace("R.ASIS", &"R".repeat(10_000))),
        ("TRC-E010", TRC[..TRC.find("1\t0.00").unwrap()].to_owned()),
        ("TRC-E011", TRC.replace("100\t100", "0\t0").replace("0.01", "0").replace("0.02", "0")),
    ] {
        let fault = read_trc(&text, Mode::Tolerant).0.unwrap_err();
        assert_eq!(fault.code, code, "{fault}");
        assert!(fault.to_string().len() < 400, "{fault}");
    }
    let fault = read_trc(&TRC.replace("1000", "ten"), Mode::Tolerant).0.unwrap_err();
    let place = fault.place.unwrap();
    assert_eq!((place.line, place.column), (7, 8), "{fault}");
    // A damaged last row: what is whole is kept on request.
    let (kept, notes) = read_trc(&TRC.replace("3\t0.02\tnan", "3\t0.02\tx"), Mode::Salvage);
    assert_eq!((kept.unwrap().markers.frames(), notes.contains(&"TRC-W008")), (2, true));
    let few = ReadOptions { limits: Limits { joints: 1, ..Limits::default() }, ..ReadOptions::default() };
    assert_eq!(trc::parse(TRC.as_bytes(), &few, &mut Vec::new()).unwrap_err().code, "TRC-E009");
}

#[test]
fn tables_keep_what_has_no_value() {
    let (table, notes) = read_mot(MOT, Mode::Strict);
    let table = table.unwrap();
    assert_eq!((table.rows(), table.columns.len(), table.in_degrees), (2, 9, true));
    assert_eq!(table.value(1, table.find("1_GROUND_force_px").unwrap()), None);
    assert_eq!((table.value(0, 99), table.value(99, 0)), (None, None));
    assert!(notes.is_empty());
    let old = MOT.replace("nRows=2", "datarows 2").replace("nColumns=10", "datacolumns 10").replace('\n', "\t\t\r\n");
    assert_eq!(read_mot(&old, Mode::Strict).0.unwrap(), table);
}

#[test]
fn plates_are_found_by_every_naming() {
    let expected = force_plates(&read_mot(MOT, Mode::Strict).0.unwrap());
    assert_eq!(expected.len(), 1);
    assert_eq!(expected[0].force_n[0], DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(expected[0].point_m, [Some(DVec3::new(4.0, 5.0, 6.0)), None]);
    assert_eq!(expected[0].torque_n_m[1], DVec3::new(7.0, 8.0, 9.0));
    for (stem, force, torque) in [
        ("ground_force_r", "ground_force_r_", "ground_torque_r_"),
        ("R_ground_force", "R_ground_force_", "R_ground_torque_"),
        ("ground_force_1", "ground_force_1_", "ground_force_1_m"),
        ("ground_force", "ground_force_", "ground_moment_"),
    ] {
        let text = MOT.replace("1_ground_force_", force).replace("1_ground_torque_", torque);
        let plates = force_plates(&read_mot(&text, Mode::Strict).0.unwrap());
        assert_eq!((plates[0].name.as_str(), &plates[0].torque_n_m), (stem, &expected[0].torque_n_m));
    }
    // Two plates of one name, as older files have it.
    let twice = "endheader\ntime a_vx a_vy a_vz a_vx a_vy a_vz\n0 1 2 3 4 5 6\n";
    let (table, notes) = read_mot(twice, Mode::Tolerant);
    let plates = force_plates(&table.unwrap());
    assert_eq!(plates.iter().map(|plate| plate.force_n[0].y).collect::<Vec<_>>(), [2.0, 5.0]);
    assert!(notes.iter().all(|code| *code == "MOT-W003"));
}

#[test]
fn broken_tables_are_refused_where_they_break() {
    for (code, text) in [
        ("MOT-E001", String::new()),
        ("MOT-E003", format!("{MOT}\0")),
        ("MOT-E004", MOT.replace("endheader", "end")),
        ("MOT-E005", MOT.replace("time\t", "frame\t")),
        ("MOT-E007", MOT.replace("0.5\t1", "0.5\tx")),
        ("MOT-E008", MOT.replace("0.5\t1", "0.5\t1\t1")),
        ("MOT-E008", MOT.replace("0.5\t1", "0.5")),
        ("MOT-E009", MOT.replace("0.5\t1", &format!("0.5\t{}", "1".repeat(10_000)))),
        ("MOT-E010", MOT[..MOT.find("0\t1\t2").unwrap()].to_owned()),
        ("MOT-E011", MOT.replace("0.5\t1", "0\t1")),
    ] {
        let fault = read_mot(&text, Mode::Tolerant).0.unwrap_err();
        assert_eq!(fault.code, code, "{fault}");
        assert!(fault.to_string().len() < 400, "{fault}");
    }
    for (code, text) in
        [("MOT-W001", MOT.replace("nRows=2", "nRows=9e99")), ("MOT-W002", MOT.replace("nColumns=10", "nColumns=3"))]
    {
        let (read, notes) = read_mot(&text, Mode::Tolerant);
        assert!(read.is_ok() && notes.contains(&code), "{code}: {notes:?}");
        assert_eq!(read_mot(&text, Mode::Strict).0.unwrap_err().code, code);
    }
    let (kept, notes) = read_mot(&MOT.replace("0.5\t1", "0.5\tx"), Mode::Salvage);
    assert_eq!((kept.unwrap().rows(), notes.contains(&"MOT-W004")), (1, true));
}
