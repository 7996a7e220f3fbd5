//! `inspect`, `contacts` and `demo` from outside: JSON that fits its schema, receipts, rates, and whatever people hand
//! in.

mod common;

use aplomb_analysis::contacts::{ContactEntry, ContactFile, ContactKind, ContactSource};
use aplomb_motion::{FrameTime, Timeline, edit};
use common::{aplomb, built, captures, code, files_below, json, refused, saved, stderr, stdout, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn inspect(args: &[&str]) -> Value {
    let all: Vec<&str> = ["inspect", "--json"].iter().chain(args).copied().collect();
    let output = aplomb(&all);
    assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
    json(&output, "inspect")["clips"][0].clone()
}

#[test]
fn a_walk_and_a_jump_are_described() {
    let folder = tempfile::tempdir().unwrap();
    let walk = inspect(&[text(&built(&folder, "walk"))]);
    assert_eq!((walk["fps"].as_f64(), walk["fps_header"].as_f64()), (Some(120.0), Some(120.0)));
    assert_eq!((walk["joints"].as_u64(), walk["frames"].as_u64()), (Some(22), Some(385)));
    assert!(walk["flights"].as_array().unwrap().is_empty(), "walks do not fly");
    // The walk was balanced over its feet with 1 mm to spare, and smoothing for forces rounds its path by about as
    // much.
    assert!(walk["zmp"]["mean_m"].as_f64().unwrap() < 0.01, "{}", walk["zmp"]);
    let kinds: Vec<&str> = walk["phases"].as_array().unwrap().iter().filter_map(|it| it["kind"].as_str()).collect();
    assert!(kinds.contains(&"left") && kinds.contains(&"right") && kinds.contains(&"double"), "{kinds:?}");

    let jump = inspect(&[text(&built(&folder, "long-jump"))]);
    let flight = &jump["flights"][0];
    assert_eq!(flight["verdict"], "verified");
    // It was made to fall at 9.81 with the masses of its own plan; de Leva's move the centre of mass within the body,
    // by 0.11 here.
    assert!((flight["g"].as_f64().unwrap() - 9.81).abs() < 0.2, "{flight}");
}

#[test]
fn text_fits_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["run", "sit-low", "quadruped-walk"].map(|name| built(&folder, name));
    for path in &paths {
        let output = aplomb(&["inspect", text(path)]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        for line in stdout(&output).lines().skip(1) {
            assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
        }
        assert!(stdout(&output).contains("contacts") && !stdout(&output).contains("NaN"));
    }
    let many = aplomb(&["inspect", text(&paths[0]), text(&paths[1]), text(&paths[2])]);
    let rows: Vec<String> = stdout(&many).lines().map(str::to_owned).collect();
    // The end of a long name shows, and the fault of a clip has the rest of the room.
    for (row, name) in rows[1..4].iter().zip(["run", "sit-low", "ruped-walk"]) {
        assert!(row.contains(name), "the order given: {rows:#?}");
        assert!(row.chars().count() <= 100, "{row}");
    }
}

#[test]
fn columns_say_how_wide_text_may_be() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["run", "walk"].map(|name| built(&folder, name));
    let (run, walk) = (text(&paths[0]), text(&paths[1]));
    let widest = |columns: &str, args: &[&str]| {
        let output = common::aplomb_with(&[("COLUMNS", columns)], args);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output).lines().skip(1).map(|line| line.chars().count()).max().unwrap()
    };
    for args in [
        &["inspect", run][..],
        &["inspect", run, walk],
        &["inspect", "--compare", run, run],
        &["plant", run, "--dry-run"],
    ] {
        for columns in [80, 100] {
            let found = widest(&columns.to_string(), args);
            assert!(found <= columns, "{args:?}: {found} of {columns}");
        }
    }
    assert!(widest("140", &["inspect", run, walk]) > 100, "room for long names");
    assert!(widest("nonsense", &["inspect", run]) <= 100);
}

#[test]
fn markers_are_inspected_as_the_person_they_make() {
    let Some(data) = captures("markers_are_inspected_as_the_person_they_make") else { return };
    let file = data.join("gait-grf/opencap-subject4/walking1.trc");
    let report = inspect(&[text(&file)]);
    assert!(report["stature_m"].as_f64().unwrap() > 1.4, "{}", report["stature_m"]);
    assert!(report["contacts"].as_array().unwrap().len() >= 4);
    let folder = tempfile::tempdir().unwrap();
    let bvh = folder.path().join("walk.bvh");
    assert_eq!(code(&aplomb(&["convert", text(&file), text(&bvh)])), 0);
    let again = inspect(&[text(&bvh), "--unit", "mm"]);
    assert_eq!(again["frames"], report["frames"]);
    let moved = aplomb(&["convert", text(&file), text(&folder.path().join("walk.trc"))]);
    assert!(code(&moved) == 2 && stderr(&moved).contains(".bvh"), "{}", stderr(&moved));
    let broken = folder.path().join("broken.trc");
    std::fs::write(&broken, "PathFileType\t4\t(X/Y/Z)\tx.trc\n").unwrap();
    refused(&["inspect", text(&broken)], &["broken.trc", "TRC-E005"]);
}

#[test]
fn some_of_many_failing_is_4_and_the_others_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, table) = (built(&folder, "walk"), folder.path().join("all.csv"));
    let output = aplomb(&["inspect", "--json", "--jobs", "1", text(&walk), "missing.bvh", "--csv", text(&table)]);
    assert_eq!(code(&output), 4);
    let value = json(&output, "inspect");
    assert_eq!(value["clips"][0]["frames"], 385);
    assert!(value["clips"][1]["error"]["message"].as_str().unwrap().contains("missing.bvh"));
    let rows = std::fs::read_to_string(&table).unwrap();
    assert_eq!(rows.lines().count(), 3, "{rows}");
    assert!(rows.lines().nth(2).unwrap().contains("cannot read"), "{rows}");
}

#[test]
fn pages_and_tables_are_whole_and_never_replaced_silently() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, jump) = (built(&folder, "walk"), built(&folder, "short-jump"));
    let (page, table) = (folder.path().join("walk.html"), folder.path().join("walk.csv"));
    let all = ["inspect", text(&walk), "--html", text(&page), "--csv", text(&table)];
    assert_eq!(code(&aplomb(&all)), 0);
    assert!(std::fs::read_to_string(&page).unwrap().starts_with("<!doctype html>"));
    let rows = std::fs::read_to_string(&table).unwrap();
    assert_eq!(rows.lines().count(), 386, "a header and one row a frame");
    assert!(rows.starts_with("frame,time_secs,kind,com_x_m,") && rows.contains("down_left_heel"));
    refused(&all, &["exists", "--force"]);

    let pages = folder.path().join("pages");
    let output = aplomb(&["inspect", text(&walk), text(&jump), "--html", text(&pages)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let index = std::fs::read_to_string(pages.join("index.html")).unwrap();
    assert!(index.contains("<h1>Physics report of 2 clips</h1>") && index.contains(">walk.bvh</a>"), "{index}");
    assert!(!index.contains("aplomb demo") && !index.contains("no recorded motion"), "the demo's words are the demo's");
    for name in ["walk.html", "short-jump.html"] {
        assert!(index.contains(&format!("href=\"{name}\"")) && pages.join(name).is_file(), "{name}");
    }
}

#[test]
fn what_failed_is_on_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, pages) = (built(&folder, "walk"), folder.path().join("pages"));
    assert_eq!(code(&aplomb(&["inspect", text(&walk), "missing.bvh", "--html", text(&pages)])), 4);
    let index = std::fs::read_to_string(pages.join("index.html")).unwrap();
    assert!(index.contains("<strong>missing.bvh</strong> cannot read"), "{index}");
    assert!(index.contains("Physics report of 1 clip<") && index.contains("1 of 2 gave no report"), "{index}");
}

#[test]
fn what_is_read_is_never_written() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, jump) = (built(&folder, "walk"), built(&folder, "short-jump"));
    let (before, page) = (std::fs::read(&walk).unwrap(), folder.path().join("page"));
    let by_another_way = folder.path().join(".").join("walk.bvh");
    let usage = |args: &[&str], word: &str| {
        let output = aplomb(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(word) && stdout(&output).is_empty(), "{args:?}: {}", stderr(&output));
    };
    for option in ["--html", "--csv"] {
        usage(&["inspect", text(&walk), option, text(&walk), "--force"], "is read here");
        usage(&["inspect", text(&walk), option, text(&by_another_way), "--force"], "is read here");
        usage(&["inspect", text(&walk), option, "-"], "standard input and output");
    }
    usage(&["inspect", text(&walk), text(&jump), "--csv", text(&jump), "--force"], "is read here");
    usage(&["inspect", text(&walk), "--html", text(&page), "--csv", text(&page)], "two outputs");
    usage(&["inspect", "-"], "standard input and output");
    assert_eq!(std::fs::read(&walk).unwrap(), before);
    assert!(!page.exists());

    let nowhere = folder.path().join("nodir/walk.csv");
    let output = aplomb(&["inspect", text(&walk), "--csv", text(&nowhere)]);
    assert!(code(&output) == 1 && stdout(&output).is_empty(), "{}", stdout(&output));
    assert!(stderr(&output).contains("nodir does not exist"), "{}", stderr(&output));
}

#[test]
fn what_gravity_cannot_say_about_a_rate_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, copy) = (built(&folder, "walk"), folder.path().join("copy.bvh"));
    let shown = stdout(&aplomb(&["inspect", text(&walk)]));
    assert!(shown.contains("(rate not checked: no clear flight)"), "{shown}");
    assert!(!stdout(&aplomb(&["inspect", text(&built(&folder, "long-jump"))])).contains("not checked"));
    let output = aplomb(&["convert", text(&walk), text(&copy), "--fps", "auto"]);
    assert!(stderr(&output).contains("gravity gives no proof of another rate: 120 fps kept"), "{}", stderr(&output));
    assert!(stderr(&aplomb(&["info", text(&walk), "--fps", "auto"])).contains("120 fps kept"));
    let quiet = aplomb(&["convert", "-q", "--force", text(&walk), text(&copy), "--fps", "auto"]);
    assert!(!stderr(&quiet).contains("no proof"), "{}", stderr(&quiet));
}

#[test]
fn quiet_keeps_warnings_and_columns_stay_apart() {
    let folder = tempfile::tempdir().unwrap();
    let lying = lying(&folder);
    let shown = stdout(&aplomb(&["inspect", "-q", text(&lying)]));
    assert!(shown.contains("captured at 60 fps"), "{shown}");
    // A walk that hops by half a metre: large numbers in every column.
    let mut clip = aplomb_builtins::clip("walk").expect("built-in");
    for (frame, position) in clip.track_mut(aplomb_motion::JointId::new(0)).unwrap().iter_mut().enumerate() {
        position.x += if frame / 40 % 2 == 0 { 0.0 } else { 5.0 };
    }
    let odd = clip.with_timeline(Timeline::Uniform(FrameTime::from_hz(24000.0 / 1001.0).unwrap())).unwrap();
    let odd = saved(&folder, "odd", &odd);
    let full = stdout(&aplomb(&["inspect", text(&odd)]));
    let row = full.lines().find(|line| line.trim_start().starts_with("measure")).expect("a row of measures");
    let cells = row.trim().split("  ").filter(|cell| !cell.trim().is_empty()).count();
    assert_eq!(cells, 9, "the label and eight measures: {row}");
    let many = stdout(&aplomb(&["inspect", text(&odd), text(&lying)]));
    for row in many.lines().skip(1).take(2) {
        let numbers = row.split("  ").filter(|cell| !cell.trim().is_empty()).count();
        // Name, score, worst aspect, headline, length, balance.
        assert!(numbers >= 6 && row.chars().count() <= 100, "{row}");
    }
    assert!(stdout(&aplomb(&["inspect", "-q", text(&odd), text(&lying)])).contains("gravity proves"), "{many}");
}

/// The long jump says 120 Hz and was made at 120 Hz; with every header doubled it falls at 4 g.
fn lying(folder: &TempDir) -> PathBuf {
    let clip = aplomb_builtins::clip("long-jump").expect("built-in");
    let half = edit::resample(&clip, FrameTime::from_hz(60.0).unwrap()).unwrap();
    let fast = half.with_timeline(Timeline::Uniform(FrameTime::from_hz(120.0).unwrap())).unwrap();
    saved(folder, "lying", &fast)
}

#[test]
fn a_header_that_lies_is_told_and_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let lying = lying(&folder);
    let report = inspect(&[text(&lying)]);
    assert_eq!((report["fps"].as_f64(), report["fps_header"].as_f64()), (Some(60.0), Some(120.0)));
    assert_eq!(
        (report["clock"]["finding"].as_str(), report["clock"]["corrected"].as_bool()),
        (Some("wrong_rate"), Some(true))
    );
    assert!((report["flights"][0]["g"].as_f64().unwrap() - 9.81).abs() < 0.3, "{}", report["flights"]);
    let said = stdout(&aplomb(&["inspect", text(&lying)])).replace("\n            ", " ");
    assert!(said.contains("4.0 g: captured at 60 fps, the header says 120"), "{said}");
    // Forced, nothing is corrected, and it is still reported.
    let forced = inspect(&[text(&lying), "--fps", "120"]);
    assert_eq!((forced["fps"].as_f64(), forced["clock"]["corrected"].as_bool()), (Some(120.0), Some(false)));
    assert_eq!(inspect(&[text(&lying), "--fps", "60"])["clock"]["finding"], "agrees");

    let (copy, fixed) = (folder.path().join("copy.bvh"), folder.path().join("fixed.bvh"));
    assert_eq!(code(&aplomb(&["convert", text(&lying), text(&copy)])), 0);
    assert_eq!(std::fs::read(&lying).unwrap(), std::fs::read(&copy).unwrap(), "without --fps a copy is a copy");
    let output = aplomb(&["convert", text(&lying), text(&fixed), "--fps", "auto"]);
    assert!(code(&output) == 0 && stderr(&output).contains("IMP-W002"), "{}", stderr(&output));
    let fixed = inspect(&[text(&fixed)]);
    assert_eq!((fixed["fps"].as_f64(), fixed["fps_header"].as_f64()), (Some(60.0), Some(60.0)));
    assert_eq!(fixed["clock"]["corrected"], false);
}

#[test]
fn a_stray_first_frame_is_left_out_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut clip = aplomb_builtins::clip("long-jump").expect("built-in");
    clip.rotations_at_mut(aplomb_motion::FrameIndex(0)).fill(glam::DQuat::IDENTITY);
    let path = saved(&folder, "t-pose", &clip);
    let report = inspect(&[text(&path)]);
    assert_eq!(report["stray_first_frame"], true);
    assert_eq!(report["frames"], clip.frame_count(), "it stays in the file");
    assert!(report["warnings"].to_string().contains("first frame"), "{}", report["warnings"]);
}

#[test]
fn a_receipt_sees_damage_and_no_change() {
    let folder = tempfile::tempdir().unwrap();
    let clip = aplomb_builtins::clip("walk").expect("built-in");
    let (walk, sunk) = (saved(&folder, "walk", &clip), {
        // Every foot slides half a metre over the clip.
        let mut slid = clip.clone();
        let count = slid.frame_count() as f64;
        let root = aplomb_motion::JointId::new(0);
        for (frame, position) in slid.track_mut(root).unwrap().iter_mut().enumerate() {
            position.x += 0.5 * frame as f64 / count;
        }
        saved(&folder, "slid", &slid)
    });
    let compare = |a: &Path, b: &Path| {
        let output = aplomb(&["inspect", "--compare", "--json", text(a), text(b)]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        json(&output, "inspect")
    };
    let change = |receipt: &Value, name: &str| {
        let changes = receipt["changes"].as_array().unwrap();
        changes.iter().find(|it| it["measure"] == name).unwrap()["change"].clone()
    };
    let same = compare(&walk, &walk);
    assert!(same["changes"].as_array().unwrap().iter().all(|it| it["change"] == "same" || it["change"] == "unknown"));
    let damaged = compare(&walk, &sunk);
    assert_eq!(change(&damaged, "skate.mean_m"), "worse");
    assert_eq!(change(&compare(&sunk, &walk), "skate.mean_m"), "better");
    let shown = stdout(&aplomb(&["inspect", "--compare", text(&walk), text(&sunk)]));
    assert!(shown.contains("slide of a contact, mean") && shown.contains("worse"), "{shown}");
    assert!(shown.lines().skip(1).all(|line| line.chars().count() <= 100), "{shown}");
    assert_eq!(code(&aplomb(&["inspect", "--compare", text(&walk)])), 2);
    refused(
        &["inspect", "--compare", text(&walk), text(&built(&folder, "ball"))],
        &["ball.bvh", "different skeletons", "\"Ball\" in the second"],
    );
}

#[test]
fn double_speed_is_damage_and_no_lie_of_the_header() {
    let folder = tempfile::tempdir().unwrap();
    let clip = aplomb_builtins::clip("long-jump").expect("built-in");
    let (jump, fast) = (saved(&folder, "jump", &clip), saved(&folder, "fast", &edit::with_speed(&clip, 2.0).unwrap()));
    let output = aplomb(&["inspect", "--compare", "--json", text(&jump), text(&fast)]);
    let receipt = json(&output, "inspect");
    assert_eq!(receipt["after"]["fps"], 120.0, "the second clip gets no correction of its own");
    assert!(receipt["after"]["flights"][0]["g"].as_f64().unwrap() > 30.0, "{}", receipt["after"]["flights"]);
}

#[test]
fn contacts_can_be_written_corrected_and_given() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, file) = (built(&folder, "walk"), folder.path().join("walk.toml"));
    let write = ["contacts", "--json", text(&walk), "-o", text(&file)];
    let found = json(&aplomb(&write), "contacts");
    assert!(found["effectors"].as_array().unwrap().iter().any(|name| name == "left_heel"));
    refused(&["contacts", text(&walk), "-o", text(&file)], &["exists", "--force"]);

    // One entry by hand survives the next detection, and `inspect` obeys it.
    let by_hand = "\n[[contact]]\neffector = \"left_hand\"\nstart_secs = 0.5\nend_secs = 0.75\nkind = \"load\"\nsource = \"hand\"\n";
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, before + by_hand).unwrap();
    let again: Vec<&str> = write.iter().chain(&["--force"]).copied().collect();
    assert_eq!(json(&aplomb(&again), "contacts")["kept_by_hand"], 1);
    let report = inspect(&[text(&walk), "--contacts", text(&file)]);
    let hand: Vec<&Value> =
        report["contacts"].as_array().unwrap().iter().filter(|it| it["effector"] == "left_hand").collect();
    assert_eq!((hand.len(), hand[0]["source"].as_str()), (1, Some("hand")));
    assert!((hand[0]["start_secs"].as_f64().unwrap() - 0.5).abs() < 0.02);

    // A file with a typing error is not overwritten: there may be work in it.
    std::fs::write(&file, "schema = 1\n[[contact]\n").unwrap();
    refused(&["contacts", text(&walk), "-o", text(&file), "--force"], &["walk.toml"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "schema = 1\n[[contact]\n");
    assert_eq!(code(&aplomb(&["contacts", text(&walk), "-o", "contacts.txt"])), 2);
    assert!(stdout(&aplomb(&["contacts", text(&walk)])).contains("effector = \"left_heel\""), "TOML without a file");
}

/// A contact that is shortened by hand stays short, comments stay, and what was changed without saying so is kept
/// beside.
#[test]
fn what_people_wrote_into_a_contact_file_survives() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, file) = (built(&folder, "walk"), folder.path().join("walk.toml"));
    let copy = folder.path().join("walk.before.toml");
    assert_eq!(code(&aplomb(&["contacts", text(&walk), "-o", text(&file)])), 0);
    let again = ["contacts", text(&walk), "-o", text(&file), "--force"];
    let read = || ContactFile::from_toml(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let loads = |of: &ContactFile| {
        let is_load = |it: &&ContactEntry| it.effector == "left_heel" && it.kind == ContactKind::Load;
        of.contacts.iter().filter(is_load).cloned().collect::<Vec<_>>()
    };

    let mut edited = read();
    let found = loads(&edited);
    let is_long = |it: &&mut ContactEntry| {
        it.kind == ContactKind::Load && it.effector == "left_heel" && it.end_secs - it.start_secs > 0.3
    };
    let entry = edited.contacts.iter_mut().find(is_long).unwrap();
    (entry.end_secs, entry.source) = (entry.start_secs + 0.1, ContactSource::Hand);
    let shortened = entry.clone();
    std::fs::write(&file, format!("# seen in the video\n{}", edited.to_toml().unwrap())).unwrap();
    for _ in 0..2 {
        assert_eq!(code(&aplomb(&again)), 0);
        assert_eq!(loads(&read()).len(), found.len(), "nothing is put back");
        assert!(loads(&read()).contains(&shortened) && !copy.exists());
        assert!(std::fs::read_to_string(&file).unwrap().starts_with("# seen in the video\n"));
    }

    let mut edited = read();
    edited.contacts.retain(|it| it.effector != "right_toe");
    let unmarked = edited.to_toml().unwrap();
    std::fs::write(&file, &unmarked).unwrap();
    let output = aplomb(&again);
    assert!(code(&output) == 0 && stderr(&output).contains("walk.before.toml"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), unmarked);
    assert!(loads(&read()).contains(&shortened));
}

#[test]
fn contacts_as_arrays_hold_one_row_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, file) = (built(&folder, "walk"), folder.path().join("walk.npz"));
    assert_eq!(code(&aplomb(&["contacts", text(&walk), "-o", text(&file)])), 0);
    let bytes = std::fs::read(&file).unwrap();
    let has = |words: &str| bytes.windows(words.len()).any(|window| window == words.as_bytes());
    for words in ["contacts.npy", "effectors.npy", "times_secs.npy", "(385, ", "<U64", "|b1"] {
        assert!(has(words), "{words}");
    }
}

#[test]
fn bodies_can_be_given_and_wrong_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, file) = (built(&folder, "walk"), folder.path().join("body.toml"));
    let heavy = inspect(&[text(&walk), "--mass", "90", "--stature", "1.9", "--table", "winter"]);
    assert!((heavy["body"]["total_mass_kg"].as_f64().unwrap() - 90.0).abs() < 1e-6);
    assert_eq!(heavy["stature_m"], 1.9);
    let clip = aplomb_builtins::clip("walk").unwrap();
    let roles = aplomb_motion::Roles::detect(&clip);
    let body = aplomb_physics::Body::of_clip(&clip, &roles, &Default::default()).unwrap();
    let good = body.to_toml().unwrap();
    std::fs::write(&file, &good).unwrap();
    assert_eq!(inspect(&[text(&walk), "--body", text(&file)])["body"]["links"], body.links().len());
    let negative = good.lines().map(|line| if line.starts_with("mass_kg") { "mass_kg = -1.0" } else { line });
    let negative = negative.collect::<Vec<_>>().join("\n");
    let ball = built(&folder, "ball");
    for (clip, contents, words) in [
        (&walk, negative.as_bytes(), &["body.toml", "mass must be positive"][..]),
        (&walk, b"masses = nonsense [", &["body.toml", "TOML"]),
        (&walk, b"\xff\xfe\x00", &["body.toml", "UTF-8"]),
        (&ball, good.as_bytes(), &["body.toml", "which this skeleton does not have", "Ball"]),
    ] {
        std::fs::write(&file, contents).unwrap();
        refused(&["inspect", text(clip), "--body", text(&file)], words);
    }
    refused(&["inspect", text(&walk), "--body", "missing.toml"], &["missing.toml: cannot read"]);
    refused(&["inspect", text(&walk), "--stature", "100"], &["stature (m) must be between"]);
    assert_eq!(code(&aplomb(&["inspect", text(&walk), "--mass", "-3"])), 2);
}

#[test]
fn contradictory_contact_files_are_refused_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, file, page) = (built(&folder, "walk"), folder.path().join("c.toml"), folder.path().join("page.html"));
    let entry = |effector: &str, start: f64, end: f64| {
        format!("[[contact]]\neffector = {effector:?}\nstart_secs = {start:?}\nend_secs = {end:?}\nkind = \"load\"\n")
    };
    for (entries, words) in [
        (entry("left_heel", 0.0, 2.0) + &entry("left_heel", 1.0, 3.0), &["entry 2", "overlaps"][..]),
        (entry("left_heel", -1.0, 1.0), &["entry 1", "within the clip", "-1"]),
        (entry("left_heel", 1.0, 99.0), &["within the clip, 0 to 3.200 s", "99"]),
        (entry("left_heel", 2.0, 1.0), &["start before its end"]),
        (entry("third_foot", 0.0, 1.0), &["no such effector", "left_heel"]),
        ("oops".to_owned(), &["c.toml"]),
    ] {
        std::fs::write(&file, format!("schema = 1\n{entries}")).unwrap();
        refused(&["inspect", text(&walk), "--contacts", text(&file), "--html", text(&page)], words);
        assert!(!page.exists());
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no stray file");
    refused(&["inspect", text(&walk), "--point", "seat=Pelvis"], &["\"Pelvis\"", "Hips"]);
}

#[test]
fn clips_of_which_little_can_be_said_get_a_report_of_that() {
    let folder = tempfile::tempdir().unwrap();
    let walk = aplomb_builtins::clip("walk").expect("built-in");
    let one = edit::cut(&walk, 1.0..1.005).unwrap();
    assert_eq!(one.frame_count(), 1);
    let report = inspect(&[text(&saved(&folder, "one", &one))]);
    assert_eq!((report["frames"].as_u64(), report["zmp"]["mean_m"].is_null()), (Some(1), true));
    assert!(report["warnings"].to_string().contains("fewer than two frames"), "{}", report["warnings"]);

    // A snake has no legs; a ball has no feet, and never stands still.
    let legless = inspect(&[text(&snake(&folder))]);
    assert!(legless["contacts"].as_array().unwrap().is_empty());
    assert!(legless["warnings"].to_string().contains("no feet"), "{}", legless["warnings"]);
    assert!(legless["score"].is_null() || legless["judged"] == false, "{}", legless["score"]);

    // All flight: the middle of a jump, and nothing else.
    let jump = aplomb_builtins::clip("long-jump").expect("built-in");
    let whole = inspect(&[text(&saved(&folder, "jump", &jump))]);
    let flight = &whole["flights"][0];
    let (start, end) = (flight["start_secs"].as_f64().unwrap(), flight["end_secs"].as_f64().unwrap());
    let airborne = edit::cut(&jump, start + 0.03..end - 0.03).unwrap();
    let report = inspect(&[text(&saved(&folder, "airborne", &airborne))]);
    assert!(report["contacts"].as_array().unwrap().is_empty(), "{}", report["contacts"]);
    assert!(report["warnings"].to_string().contains("no contact"), "{}", report["warnings"]);
    for name in ["one", "snake", "airborne"] {
        let output = aplomb(&["inspect", text(&folder.path().join(name).with_extension("bvh"))]);
        assert!(code(&output) == 0 && !stdout(&output).contains("NaN"), "{name}: {}", stdout(&output));
    }
}

/// A chain without branches that wriggles.
fn snake(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("snake.bvh");
    let mut file =
        "HIERARCHY\nROOT a0\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
            .to_owned();
    for index in 1..6 {
        file += &format!("JOINT a{index}\n{{\nOFFSET 0 0 0.2\nCHANNELS 3 Zrotation Xrotation Yrotation\n");
    }
    file += "End Site\n{\nOFFSET 0 0 0.2\n}\n";
    file += &"}\n".repeat(6);
    file += "MOTION\nFrames: 60\nFrame Time: 0.0333333\n";
    for frame in 0..60 {
        let wave = |index: usize| 20.0 * (0.3 * frame as f64 + index as f64).sin();
        let angles: Vec<String> = (0..6).map(|index| format!("0 0 {:.3}", wave(index))).collect();
        file += &format!("0 0.05 {:.3} {}\n", 0.01 * frame as f64, angles.join(" "));
    }
    std::fs::write(&path, file).expect("writes");
    path
}

#[test]
fn names_that_mislead_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let walk = built(&folder, "walk");
    let misnamed = folder.path().join("walk.amc");
    std::fs::copy(&walk, &misnamed).unwrap();
    refused(&["inspect", text(&misnamed)], &["the name says AMC, but the contents are BVH"]);
    let output = aplomb(&["info", text(&walk), "--skeleton", "any.asf"]);
    assert!(stdout(&output).contains("IMP-W003"), "{}", stdout(&output));
}

#[test]
fn the_demo_is_a_folder_with_a_page_and_a_clip_each() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("demo");
    let demo = ["demo", "--json", "--no-open", "--out", text(&out)];
    let output = aplomb(&demo);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let made = json(&output, "demo");
    let clips = made["clips"].as_array().unwrap();
    assert_eq!(clips.len(), aplomb_builtins::NAMES.len());
    let index = std::fs::read_to_string(out.join("index.html")).unwrap();
    for (name, _) in aplomb_builtins::NAMES {
        assert!(index.contains(&format!("href=\"{name}.html\"")), "{name}");
        assert!(out.join(name).with_extension("bvh").is_file() && out.join(name).with_extension("html").is_file());
    }
    assert!(index.contains("no recorded motion") && index.contains("<code>aplomb demo</code>"));
    // What the pages show can be repeated with the files beside them.
    for (name, point) in [
        ("sit-low", "--raised-point=hips=Hips"),
        ("sit-high", "--raised-point=hips=Hips"),
        ("ball", "--point=ball=Ball"),
    ] {
        let file = |extension: &str| out.join(name).with_extension(extension);
        let again = inspect(&[text(&file("bvh")), point, "--contacts", text(&file("toml"))]);
        let shown = clips.iter().find(|clip| clip["name"] == name).unwrap();
        assert_eq!(again["score"], shown["score"], "{name}");
        assert!(shown["files"].to_string().contains(&format!("{name}.toml")), "{shown}");
    }
    assert_eq!(code(&aplomb(&demo)), 0, "its own folder is made anew");
    std::fs::remove_file(out.join(".aplomb-demo")).unwrap();
    refused(&["demo", "--no-open", "--out", text(&out)], &["index.html exists"]);
}

#[test]
fn captures_of_every_kind_are_inspected() {
    let Some(data) = captures("captures_of_every_kind_are_inspected") else { return };
    let files = [
        ("cmu-bvh/run/139_12.bvh", Some(60.0)),
        ("cmu-bvh/walk-straight/02_01.bvh", Some(120.0)),
        ("bandai-bvh/dataset-1_walk_normal_001.bvh", Some(30.0)),
        ("cmu-asf-amc/02/02_01.amc", None),
    ];
    let mut paths: Vec<PathBuf> = files.iter().map(|(file, _)| data.join(file)).collect();
    paths.extend(files_below(&data.join("cmu-bvh/sit"), "bvh"));
    let mut args = vec!["inspect", "--json"];
    args.extend(paths.iter().map(|path| text(path)));
    let output = aplomb(&args);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let value = json(&output, "inspect");
    for clip in value["clips"].as_array().unwrap() {
        let known = files.iter().find(|(file, _)| clip["file"].as_str().unwrap().ends_with(file));
        if let Some((file, Some(fps))) = known {
            assert_eq!(clip["fps"].as_f64(), Some(*fps), "{file}");
        }
        assert!(!clip["contacts"].as_array().unwrap().is_empty(), "{}", clip["file"]);
    }
}
