//! What verbs that edit promise: outputs whole or not at all, the truth about what was written, and a word where it is
//! worse.

mod common;

use aplomb_formats::{ReadOptions, read_file};
use common::{aplomb, built, code, json, refused, stderr, stdout, text};
use serde_json::Value;
use std::process::Command;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

fn receipt(args: &[&str], expected: i32) -> Value {
    let all: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
    let output = aplomb(&all);
    assert_eq!(code(&output), expected, "{args:?}: {}{}", stdout(&output), stderr(&output));
    json(&output, "receipt")
}

/// Systems allow names that are no text.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_shown_as_near_as_text_comes() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = |bytes: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(bytes));
    let (walk, out, file) = (name(b"w\xff\xfe.bvh"), name(b"o\xff.bvh"), name(b"r\xff.json"));
    std::fs::copy(built(&folder, "walk"), &walk).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
        command.args(args).arg(&walk).arg("-o").arg(&out).arg("--receipt").arg(&file);
        command.args(["--force", "--json"]).output().expect("aplomb runs")
    };
    for verb in [&["plant"][..], &["cut", "--from", "1"], &["tilt", "--angle", "4"], &["join", "builtin:walk"]] {
        let output = run(verb);
        assert_eq!(code(&output), 0, "{verb:?}: {}", stderr(&output));
        let told = json(&output, "receipt");
        assert!(told["inputs"].to_string().contains("w\u{fffd}\u{fffd}.bvh"), "{}", told["inputs"]);
        assert!(told["outputs"][0].as_str().unwrap().contains("o\u{fffd}.bvh"));
        assert!(out.is_file() && file.is_file());
    }
}

#[test]
fn outputs_appear_together_or_not_at_all() {
    let folder = folder();
    let out = folder.path().join("out.bvh");
    let file = folder.path().join("out.json");
    // A folder that is there and takes no files.
    let nowhere = "/proc/aplomb-page.html";
    if !std::path::Path::new("/proc/self").exists() {
        eprintln!("SKIPPED: no folder that nobody can write into");
        return;
    }
    let args = ["cut", "builtin:walk", "--from", "1", "-o", text(&out), "--receipt", text(&file), "--html", nowhere];
    refused(&args, &["aplomb-page.html"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing, not even a temporary file");
}

#[test]
fn a_receipt_is_not_replayed_on_another_input() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let walk = built(&folder, "walk");
    let (out, file, again) = (at("out.bvh"), at("out.json"), at("again.bvh"));
    receipt(&["cut", text(&walk), "--from", "1", "-o", text(&out), "--receipt", text(&file)], 0);
    receipt(&["run", text(&file), "--dry-run"], 0);
    let then = receipt(&["run", text(&file), "--dry-run"], 0)["inputs"][0]["sha256"].as_str().unwrap().to_owned();
    let mut bytes = std::fs::read(&walk).unwrap();
    let last = bytes.iter().rposition(u8::is_ascii_digit).unwrap();
    bytes[last] = if bytes[last] == b'1' { b'2' } else { b'1' };
    std::fs::write(&walk, bytes).unwrap();
    refused(&["run", text(&file), "-o", text(&again)], &["walk.bvh", &then, "--changed-input"]);
    assert!(!again.exists());
    let now = receipt(&["run", text(&file), "-o", text(&again), "--changed-input"], 0);
    assert_ne!(now["inputs"][0]["sha256"], then.as_str());
}

/// What is reported of a part of the body is what was written of it.
#[test]
fn a_mask_that_leaves_nothing_is_said_and_is_no_success() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let bent = at("bent.bvh");
    receipt(&["arc", "builtin:walk", "--radius", "1.5", "--side", "left", "-o", text(&bent)], 0);
    let out = at("hand.bvh");
    let told = receipt(&["touchup", text(&bent), "--joints", "left_hand", "-o", text(&out)], 3);
    assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&bent).unwrap());
    let step = &told["steps"][0];
    assert!(step["notes"].to_string().contains("changes nothing"), "{}", step["notes"]);
    assert_eq!(step["touchup"]["before"]["weighted_m"], step["touchup"]["after"]["weighted_m"]);
    assert_eq!((step["touchup"]["layers"].as_array().unwrap().len(), told["status"].as_str()), (0, Some("goal_unmet")));
    let told = receipt(&["plant", text(&bent), "--joints", "upper_body", "--dry-run"], 3);
    let (plant, notes) = (&told["steps"][0]["plant"], &told["steps"][0]["notes"]);
    assert_eq!(plant["before"]["worst_m"], plant["after"]["worst_m"]);
    assert!(notes.to_string().contains("changes nothing"), "{notes}");
}

#[test]
fn flights_only_means_flights_only() {
    let folder = folder();
    let (walk, out) = (built(&folder, "walk"), folder.path().join("out.bvh"));
    let told = receipt(&["touchup", text(&walk), "--only", "flight", "-o", text(&out)], 0);
    assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&walk).unwrap());
    assert!(told["steps"][0]["notes"].to_string().contains("no flight"), "{}", told["steps"][0]["notes"]);
}

#[test]
fn a_span_tells_its_own_error() {
    let folder = folder();
    let bent = folder.path().join("bent.bvh");
    receipt(&["arc", "builtin:walk", "--radius", "1.5", "--side", "left", "-o", text(&bent)], 0);
    let told = receipt(&["touchup", text(&bent), "--from", "0.6", "--to", "2.6", "--dry-run"], 0);
    let touchup = &told["steps"][0]["touchup"];
    let inside = |key: &str| touchup[key]["weighted_m"].as_f64().unwrap();
    assert!(inside("span_after") < inside("span_before"), "{touchup}");
    assert_eq!(told["project"]["edit"][0]["ease_secs"], 0.6);
    let frames = |key: &str| touchup[key]["frames"].as_u64().unwrap();
    assert!(frames("span_after") < frames("after"));
}

#[test]
fn what_physics_does_not_judge_is_not_touched_up() {
    let Some(data) = common::captures("what_physics_does_not_judge_is_not_touched_up") else { return };
    let folder = folder();
    let (air, out) = (folder.path().join("air.bvh"), folder.path().join("out.bvh"));
    let jump = data.join("cmu-bvh/jump-forward/16_09.bvh");
    receipt(&["cut", text(&jump), "--from", "2.55", "--to", "2.85", "-o", text(&air)], 0);
    refused(&["touchup", text(&air), "-o", text(&out)], &["air.bvh", "all flight", "--contacts"]);
    assert!(!out.exists());
}

#[test]
fn messages_name_what_to_correct() {
    let folder = folder();
    let walk = built(&folder, "walk");
    refused(&["tilt", "builtin:bow", "--angle", "5", "--dry-run"], &["--heading"]);
    let over = |from: &str, to: &str, words: &[&str]| {
        refused(&["transition", "builtin:walk", "builtin:run", "--from", from, "--to", to, "--dry-run"], words);
    };
    over("2", "1", &["ends at 1 s", "not after its start at 2 s"]);
    over("2.6333333333333333", "9", &["2.633 s", "ends after the clip"]);
    // One number of a file far beyond any capture.
    let written = std::fs::read_to_string(&walk).unwrap();
    let (head, motion) = written.split_once("Frame Time:").unwrap();
    let mut lines: Vec<String> = motion.lines().map(str::to_owned).collect();
    let (_, rest) = lines[4].split_once(' ').unwrap();
    lines[4] = format!("1e30 {rest}");
    std::fs::write(&walk, format!("{head}Frame Time:{}\n", lines.join("\n"))).unwrap();
    refused(&["plant", text(&walk), "--dry-run"], &["frame 3", "Hips", "1.000e30"]);
    let project = folder.path().join("join.toml");
    std::fs::write(&project, "schema = 1\nclip = \"builtin:walk\"\n[[edit]]\nverb = \"join\"\nclips = []\n").unwrap();
    refused(&["run", text(&project), "--dry-run"], &["join.toml", "edit 1 (join)", "empty"]);
    let units = "schema = 1\nclip = \"builtin:walk\"\n[input]\nmetres_per_unit = 0.01\n[[edit]]\nverb = \"cut\"\nfrom_secs = 1.0\n";
    std::fs::write(&project, units).unwrap();
    let told = receipt(&["run", text(&project), "--dry-run"], 0);
    assert!(told["steps"][0]["notes"].to_string().contains("in metres"), "{}", told["steps"][0]["notes"]);
}

#[test]
fn masses_do_not_depend_on_who_is_named_first() {
    let table = |clips: [&str; 2]| {
        let out = aplomb(&["masses", clips[0], clips[1], "--dry-run", "--json"]);
        let found = json(&out, "masses");
        let of = |name: &str| {
            let lines = found["clips"].as_array().unwrap();
            lines.iter().find(|line| line["file"] == name).expect("clip")["table_m"].as_f64().unwrap()
        };
        (of("builtin:walk"), of("builtin:run"))
    };
    assert_eq!(table(["builtin:walk", "builtin:run"]), table(["builtin:run", "builtin:walk"]));
}

/// Seats are not captured. A sitting body is not lifted off its seat, and the receipt says how long the motion was left
/// alone.
#[test]
fn who_sits_stays_seated() {
    let Some(data) = common::captures("who_sits_stays_seated") else { return };
    let folder = folder();
    for (clip, least_secs) in [("113_15", 2.0), ("75_17", 1.0), ("75_18", 0.9), ("75_19", 2.0), ("75_20", 1.5)] {
        let (path, out) = (data.join(format!("cmu-bvh/sit/{clip}.bvh")), folder.path().join(format!("{clip}.bvh")));
        let told = receipt(&["touchup", text(&path), "-o", text(&out)], 0);
        let step = &told["steps"][0];
        assert!(step["notes"].to_string().contains("left alone for"), "{clip}: {}", step["notes"]);
        let [before, after] = [&path, &out].map(|path| read_file(path, &ReadOptions::default()).unwrap().clip);
        let root = aplomb_motion::JointId::new(0);
        let mut alone_secs = 0.0;
        for span in step["touchup"]["left_alone"].as_array().unwrap() {
            let [start_secs, end_secs] = ["start_secs", "end_secs"].map(|key| span[key].as_f64().unwrap());
            alone_secs += end_secs - start_secs;
            for frame in before.frames().filter(|frame| (start_secs..=end_secs).contains(&before.time_secs(*frame))) {
                assert_eq!(before.translation_m(frame, root), after.translation_m(frame, root), "{clip} {frame}");
                assert_eq!(before.rotations_at(frame), after.rotations_at(frame), "{clip} {frame}");
            }
        }
        assert!(alone_secs >= least_secs, "{clip}: {alone_secs}");
        // The seat still carries what it carried.
        let unknown = |report: &str| told[report]["other_share"].as_f64().unwrap();
        assert!(unknown("after") > 0.9 * unknown("before"), "{clip}: {} {}", unknown("before"), unknown("after"));
    }
    // A run that was bent elsewhere needs forces far from its feet, too: that is what touch-up is for.
    let (run, bent) = (data.join("cmu-bvh/run/35_17.bvh"), folder.path().join("bent.bvh"));
    receipt(&["arc", text(&run), "--radius", "3", "--side", "left", "-o", text(&bent)], 0);
    let told = receipt(&["touchup", text(&bent), "--dry-run"], 0);
    assert_eq!(told["steps"][0]["touchup"]["left_alone"], serde_json::json!([]));
}

/// Every capture whose lie about its rate shows is refused by name; those that never leave the ground show nothing.
#[test]
fn captures_at_wrong_rates_are_refused_by_name() {
    let Some(data) = common::captures("captures_at_wrong_rates_are_refused_by_name") else { return };
    for clip in [
        "acrobatics/87_03",
        "acrobatics/88_01",
        "acrobatics/90_08",
        "hop/141_05",
        "hop/75_13",
        "jump-forward/141_04",
        "jump-forward/75_03",
        "jump-forward/75_10",
        "jump-turn/141_06",
        "jump-turn/75_06",
        "jump-turn/75_09",
        "obstacle/75_12",
        "run/139_12",
    ] {
        let path = data.join(format!("cmu-bvh/{clip}.bvh"));
        refused(&["touchup", text(&path), "--dry-run"], &[clip, "captured at 60 fps, header says 120", "--fps auto"]);
    }
}

/// A cartwheel at a rate that is wrong and cannot be proved so is made worse: written where that is accepted, reported,
/// and no success.
#[test]
fn a_result_that_is_worse_is_written_told_and_no_success() {
    let Some(data) = common::captures("a_result_that_is_worse_is_written_told_and_no_success") else { return };
    let folder = folder();
    let (path, out) = (data.join("cmu-bvh/acrobatics/88_07.bvh"), folder.path().join("out.bvh"));
    let told = receipt(&["touchup", text(&path), "-o", text(&out), "--accept-harm"], 3);
    assert!(out.is_file());
    assert_eq!(told["status"], "harmed");
    let warnings = told["steps"][0]["warnings"].to_string();
    assert!(warnings.contains("frame rate"), "{warnings}");
    let sentence = told["verdict"]["sentence"].as_str().unwrap();
    assert!(sentence.contains("Worse than before") || sentence.contains("worse than before"), "{sentence}");
    // The same by `run`, and nothing is written by a dry run.
    let again = receipt(&["touchup", text(&path), "--dry-run"], 3);
    assert_eq!(again["status"], told["status"]);
}

/// Steps that cannot help: nothing gets better, and that is no success either.
#[test]
fn steps_that_cannot_help_are_no_success() {
    let folder = folder();
    let (bent, steps) = (folder.path().join("bent.bvh"), folder.path().join("steps.toml"));
    // So tight that the planting which goes with it does not help either: at 1.5 m it does, by 8 mm of 72.
    receipt(&["arc", "builtin:walk", "--radius", "1", "--side", "left", "-o", text(&bent)], 0);
    std::fs::write(&steps, "[[step]]\nstage = \"ground\"\ns2 = [\"arms\"]\nwidth_secs = 0.1\nrho = 0.5\n").unwrap();
    let told = receipt(&["touchup", text(&bent), "--steps", text(&steps), "--joints", "legs", "--dry-run"], 3);
    assert_eq!(told["steps"][0]["touchup"]["status"], "not_improved", "{}", told["steps"][0]["touchup"]["after"]);
    assert!(told["steps"][0]["warnings"].to_string().contains("comes no nearer"), "{}", told["steps"][0]["warnings"]);
}

/// A body file of another person is used if the user insists, with the figures.
#[test]
fn a_body_with_other_bones_is_told() {
    let folder = folder();
    let (body, out) = (folder.path().join("body.toml"), folder.path().join("out.bvh"));
    assert_eq!(code(&aplomb(&["body", "builtin:walk", "-o", text(&body)])), 0);
    let own = receipt(&["plant", "builtin:walk", "--body", text(&body), "-o", text(&out)], 0);
    assert!(!own["steps"][0]["warnings"].to_string().contains("bones"), "{}", own["steps"][0]["warnings"]);
    let longer: String = std::fs::read_to_string(&body)
        .unwrap()
        .lines()
        .map(|line| match line.strip_prefix("bone_m = ") {
            Some(length) => format!("bone_m = {}\n", 1.1 * length.parse::<f64>().unwrap()),
            None => format!("{line}\n"),
        })
        .collect();
    std::fs::write(&body, longer).unwrap();
    let told = receipt(&["plant", "builtin:walk", "--body", text(&body), "-o", text(&out), "--force"], 0);
    let warnings = told["steps"][0]["warnings"].to_string();
    assert!(warnings.contains("1.10 times") && warnings.contains("10 %"), "{warnings}");
}

/// A stretch of a path stays a stretch: the rest to the bit, and no where that cannot be.
#[test]
fn a_path_is_edited_for_a_stretch_if_it_comes_back() {
    let folder = folder();
    let out = folder.path().join("out.bvh");
    let walk = built(&folder, "walk");
    let (walk, aside) = (text(&walk), ["--move", "2:0,0,0.06"]);
    let stretch = ["--from", "0.3", "--to", "2.9"];
    let args = [&["path", walk, "-o", text(&out), "--timing", "keep"][..], &aside, &stretch].concat();
    let made = aplomb(&args);
    assert_eq!(code(&made), 0, "{}", stderr(&made));
    let [before, after] =
        [walk, text(&out)].map(|file| read_file(file.as_ref(), &ReadOptions::default()).unwrap().clip);
    assert_eq!(before.frame_count(), after.frame_count());
    let differs = |frame: &aplomb_motion::FrameIndex| {
        before.rotations_at(*frame) != after.rotations_at(*frame)
            || before.translation_m(*frame, aplomb_motion::JointId::new(0))
                != after.translation_m(*frame, aplomb_motion::JointId::new(0))
    };
    let changed: Vec<f64> = before.frames().filter(differs).map(|frame| before.time_secs(frame)).collect();
    assert!(changed.len() > 60 && changed.iter().all(|secs| (0.3..=2.9).contains(secs)), "{changed:?}");
    std::fs::remove_file(&out).unwrap();
    // Times that change, and a way that does not come back.
    refused(&[&["path", walk, "-o", text(&out)][..], &aside, &stretch].concat(), &["--timing keep"]);
    let away = ["path", walk, "-o", text(&out), "--timing", "keep", "--move", "0:0,0,0.3", "--from", "1"];
    refused(&away, &["does not come back", "0.3"]);
    for verb in [&["path", walk][..], &["blend", walk, "builtin:run", "--weight", "0.5"]] {
        let wrong = aplomb(&[verb, &["-o", text(&out), "--joints", "legs"]].concat());
        assert_eq!(code(&wrong), 2, "{}", stderr(&wrong));
        assert!(stderr(&wrong).contains("--joints"), "{}", stderr(&wrong));
    }
    let wrong = aplomb(&["blend", walk, "builtin:run", "--weight", "0.5", "--from", "1", "-o", text(&out)]);
    assert!(code(&wrong) == 2 && stderr(&wrong).contains("aplomb cut"), "{}", stderr(&wrong));
    assert!(!out.exists());
}
