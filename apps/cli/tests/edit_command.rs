//! Verbs that edit, from outside: what they write, what they say, and whatever people hand in.

mod common;

use aplomb_motion::{FrameIndex, FrameTime, Timeline, edit};
use common::{aplomb, built, captures, code, folder, json, receipt, refused, saved, stderr, stdout, text};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

fn change<'a>(receipt: &'a Value, measure: &str) -> &'a Value {
    let changes = receipt["changes"].as_array().expect("changes");
    changes.iter().find(|it| it["measure"] == measure).expect("measure")
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("readable folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_bent_walk_leans_again_and_its_receipt_says_so() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (bent, out, file) = (at("bent.bvh"), at("out.bvh"), at("out.json"));
    let arc = receipt(&["arc", "builtin:walk", "--radius", "2", "--side", "left", "-o", text(&bent)]);
    assert_eq!(arc["inputs"][0]["sha256"], Value::Null, "a built-in clip has no file");
    let touched = receipt(&["touchup", text(&bent), "-o", text(&out), "--receipt", text(&file)]);
    let zmp = change(&touched, "zmp.mean_m");
    assert_eq!(zmp["change"], "better");
    assert!(zmp["after"].as_f64().unwrap() < 0.5 * zmp["before"].as_f64().unwrap(), "{zmp}");
    assert_eq!(touched["status"], "done");
    assert_eq!(touched["command"][1], "touchup");
    assert_eq!(touched["inputs"][0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(touched["outputs"][0], text(&out));
    let step = &touched["steps"][0]["touchup"];
    let errors: Vec<f64> =
        step["iterations"].as_array().unwrap().iter().filter_map(|it| it["balance"]["mean_m"].as_f64()).collect();
    assert!(errors.len() >= 6 && errors.last() < errors.first(), "figure 9: {errors:?}");
    assert_eq!(touched["joints"].as_array().unwrap().len(), 22);
    // The file says the same, and the same motion comes of it.
    let written: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(written["changes"], touched["changes"]);
    assert_eq!(written["project"]["clip"], text(&bent), "whole paths stay whole");
    let again = at("again.bvh");
    receipt(&["run", text(&file), "-o", text(&again)]);
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&out).unwrap());
}

#[test]
fn a_dry_run_does_everything_and_writes_nothing() {
    let folder = folder();
    let walk = built(&folder, "walk");
    let before = names(&folder);
    let file = folder.path().join("r.json");
    let out = folder.path().join("out.bvh");
    let args = ["plant", text(&walk), "--dry-run", "--receipt", text(&file), "-o", text(&out)];
    let dry = receipt(&args);
    assert_eq!((dry["dry_run"].as_bool(), dry["outputs"].as_array().unwrap().len()), (Some(true), 0));
    assert!(dry["steps"][0]["plant"]["after"]["pins"].as_u64().unwrap() > 0);
    assert_eq!(names(&folder), before);
    let plain = aplomb(&["plant", text(&walk), "--dry-run"]);
    assert_eq!(code(&plain), 0, "needs no -o: {}", stderr(&plain));
    assert!(stdout(&plain).contains("nothing was written"), "{}", stdout(&plain));
    assert_eq!(code(&aplomb(&["plant", text(&walk)])), 2, "but a name is needed to write");
}

#[test]
fn every_kinematic_verb_makes_what_it_says() {
    let folder = folder();
    let out = |name: &str| folder.path().join(name);
    let frames = |receipt: &Value| receipt["after"]["frames"].as_u64().unwrap();
    let cut = receipt(&["cut", "builtin:walk", "--from", "1", "--to", "2", "-o", text(&out("cut.bvh"))]);
    assert_eq!(frames(&cut), 120);
    let joined =
        receipt(&["join", "builtin:walk", text(&out("cut.bvh")), "builtin:walk", "-o", text(&out("join.bvh"))]);
    assert_eq!(frames(&joined), 385 + 120 + 385);
    let twice = receipt(&["speed", "builtin:walk", "--factor", "2", "-o", text(&out("speed.bvh"))]);
    assert!((twice["after"]["duration_secs"].as_f64().unwrap() - 1.6).abs() < 0.01);
    assert!(twice["joints"].as_array().unwrap().is_empty(), "frames of another time cannot be compared");
    let tilted = receipt(&["tilt", "builtin:walk", "--angle", "8", "-o", text(&out("tilt.bvh"))]);
    assert!(tilted["steps"][0]["notes"][0].as_str().unwrap().contains("normal"));
    let over = receipt(&[
        "transition",
        "builtin:walk",
        "builtin:run",
        "--from",
        "1",
        "--to",
        "1.5",
        "-o",
        text(&out("t.bvh")),
    ]);
    assert!(over["steps"][0]["notes"][0].as_str().unwrap().contains("entered at"));
    let bent = ["arc", "builtin:walk", "--radius", "3", "--side", "right", "--from", "1", "--to", "2"];
    receipt(&[&bent[..], &["--ease", "0.1", "-o", text(&out("arc.glb"))]].concat());
    receipt(&[&bent[..], &["-o", text(&out("arc.amc"))]].concat());
    assert!(out("arc.asf").is_file() && std::fs::read(out("arc.glb")).unwrap().starts_with(b"glTF"));
}

#[test]
fn uphill_means_the_same_by_degrees_and_by_normal() {
    let folder = folder();
    let hill = folder.path().join("hill.bvh");
    let tilt = receipt(&["tilt", "builtin:walk", "--angle", "8", "-o", text(&hill)]);
    let note = tilt["steps"][0]["notes"][0].as_str().unwrap();
    let normal = note.rsplit(' ').next().unwrap();
    let after = |slope: &str| {
        let touched = receipt(&["touchup", text(&hill), "--slope", slope, "--dry-run"]);
        change(&touched, "zmp.mean_m")["after"].as_f64().unwrap()
    };
    let (degrees, by_normal) = (after("8"), after(normal));
    // The note has four decimals.
    assert!((degrees - by_normal).abs() < 1e-3, "{degrees} {by_normal}");
    let level = receipt(&["touchup", text(&hill), "--slope", "8", "--dry-run"]);
    assert!(degrees < 0.6 * change(&level, "zmp.mean_m")["before"].as_f64().unwrap());
}

#[test]
fn a_jump_keeps_falling_as_bodies_do() {
    let folder = folder();
    let bent = folder.path().join("bent.bvh");
    receipt(&["arc", "builtin:long-jump", "--radius", "1.5", "--side", "left", "-o", text(&bent)]);
    let touched = receipt(&["touchup", text(&bent), "--dry-run"]);
    let flight = &touched["steps"][0]["touchup"]["flights"][0];
    assert_eq!(flight["touched"], true);
    assert!((flight["after"]["g"].as_f64().unwrap() / 9.81 - 1.0).abs() < 0.005, "{flight}");
    let only = receipt(&["touchup", text(&bent), "--dry-run", "--only", "ground"]);
    let stages = only["steps"][0]["touchup"]["iterations"].as_array().unwrap();
    assert!(stages.iter().all(|it| it["name"].as_str().unwrap().starts_with("ground")));
}

#[test]
fn outputs_are_never_inputs_and_need_force() {
    let folder = folder();
    let (walk, out) = (built(&folder, "walk"), folder.path().join("out.bvh"));
    let bytes = std::fs::read(&walk).unwrap();
    let same = aplomb(&["touchup", text(&walk), "-o", text(&walk), "--force"]);
    assert_eq!(code(&same), 2);
    assert!(stderr(&same).contains("is read here"), "{}", stderr(&same));
    let around = folder.path().join(".").join("walk.bvh");
    assert_eq!(code(&aplomb(&["cut", text(&walk), "--from", "1", "-o", text(&around), "--force"])), 2);
    let twice = ["plant", text(&walk), "-o", text(&out), "--receipt", text(&out)];
    assert!(stderr(&aplomb(&twice)).contains("two outputs"));
    assert_eq!(code(&aplomb(&["cut", text(&walk), "--from", "1", "-o", text(&out)])), 0);
    refused(&["cut", text(&walk), "--from", "1", "-o", text(&out)], &["out.bvh", "--force"]);
    assert_eq!(code(&aplomb(&["cut", text(&walk), "--from", "1", "-o", text(&out), "--force"])), 0);
    let missing = folder.path().join("nowhere/out.bvh");
    refused(&["cut", text(&walk), "--from", "1", "-o", text(&missing)], &["nowhere", "does not exist"]);
    let unknown = aplomb(&["cut", text(&walk), "--from", "1", "-o", "out.motion"]);
    assert_eq!(code(&unknown), 2);
    assert!(stderr(&unknown).contains(".bvh, .amc, .glb, .npz or .usda"), "{}", stderr(&unknown));
    let unwritten = aplomb(&["cut", text(&walk), "--from", "1", "-o", "out.fbx"]);
    assert_eq!(code(&unwritten), 2);
    assert!(stderr(&unwritten).contains("FBX is read and not written: name the output .glb"), "{}", stderr(&unwritten));
    assert_eq!(std::fs::read(&walk).unwrap(), bytes);
}

#[test]
fn a_wrong_rate_is_refused_by_name_in_every_verb() {
    let folder = folder();
    let at_60 = FrameTime::from_hz(60.0).unwrap();
    let jump = edit::resample(&aplomb_builtins::clip("long-jump").unwrap(), at_60).unwrap();
    let lying = jump.with_timeline(Timeline::Uniform(FrameTime::from_hz(120.0).unwrap())).unwrap();
    let (path, out) = (saved(&folder, "lying", &lying), folder.path().join("out.bvh"));
    let lying = text(&path);
    let verbs: [&[&str]; 8] = [
        &["touchup", lying],
        &["plant", lying],
        &["cut", lying, "--from", "0.1"],
        &["join", "builtin:walk", lying],
        &["transition", lying, "builtin:walk", "--from", "0.1", "--to", "0.3"],
        &["arc", lying, "--radius", "3", "--side", "left"],
        &["tilt", lying, "--angle", "3"],
        &["speed", lying, "--factor", "2"],
    ];
    let words = ["lying.bvh", "captured at 60 fps, header says 120", "--fps auto"];
    for verb in verbs {
        refused(&[verb, &["-o", text(&out)]].concat(), &words);
    }
    for edit in [["--cut", "0.1:"], ["--resample", "30"], ["--speed", "2"]] {
        refused(&["convert", lying, text(&out), edit[0], edit[1]], &words);
    }
    assert_eq!(names(&folder), ["lying.bvh"]);
    // A change of format changes no time: it passes, and says so.
    let plain = aplomb(&["convert", lying, text(&folder.path().join("out.glb"))]);
    assert_eq!(code(&plain), 0);
    assert!(stderr(&plain).contains("captured at 60 fps"), "{}", stderr(&plain));
    let corrected = receipt(&["touchup", lying, "--fps", "auto", "-o", text(&out)]);
    assert_eq!(corrected["after"]["fps"], 60.0);
    assert_eq!(corrected["project"]["fps"], "auto");
    // Kept by hand it is still no rate that physics could work with.
    refused(&["touchup", lying, "--fps", "120", "--dry-run"], &["4.0 g", "60"]);
}

#[test]
fn bad_requests_are_answered_and_write_nothing() {
    let folder = folder();
    let walk = built(&folder, "walk");
    let walk = text(&walk);
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let steps = |name: &str, body: &str| file(name, &format!("[[step]]\nstage = \"ground\"\n{body}\n"));
    let unknown = steps("unknown.toml", "s2 = [\"left_wing\"]\nrho = 0.5");
    let overlap = steps("overlap.toml", "s2 = [\"upper_body\", \"left_arm\"]\nrho = 0.5");
    let rho = steps("rho.toml", "s2 = [\"upper_body\"]\nrho = 1.5");
    let typing = steps("typing.toml", "s2 = [\"upper_body\"]\nrhoo = 0.5");
    let flying = "schema = 1\n[[contact]]\neffector = \"left_heel\"\nstart_secs = 0.0\nend_secs = 3.0\nkind = \"load\"\nsource = \"hand\"\n";
    let contradicting = file("standing.toml", flying);
    let late = file("late.toml", &flying.replace("3.0", "300.0"));
    let stranger = file("stranger.toml", &flying.replace("left_heel", "tail"));
    let none = file("none.toml", "schema = 1\ncontact = []\n");
    let of_run = folder.path().join("run.toml");
    assert_eq!(code(&aplomb(&["contacts", "builtin:run", "-o", text(&of_run)])), 0);
    // Without the frames there still are contacts that the walk contradicts.
    let bare: Vec<String> = std::fs::read_to_string(&of_run).unwrap().lines().map(str::to_owned).collect();
    let bare =
        file("bare.toml", &bare.into_iter().filter(|line| !line.starts_with("frames")).collect::<Vec<_>>().join("\n"));
    let giant = folder.path().join("giant.toml");
    assert_eq!(code(&aplomb(&["body", walk, "-o", text(&giant)])), 0);
    let scaled = std::fs::read_to_string(&giant).unwrap().replace("bone_m = 0.", "bone_m = 4.");
    std::fs::write(&giant, scaled).unwrap();
    let body = folder.path().join("dog.toml");
    assert_eq!(code(&aplomb(&["body", "builtin:quadruped-walk", "-o", text(&body)])), 0);
    let before = names(&folder);
    let out = folder.path().join("out.bvh");
    let asked: [(&[&str], &[&str]); 14] = [
        (&["--steps", &unknown], &["step 1", "left_wing", "upper_body"]),
        (&["--steps", &overlap], &["step 1", "overlap"]),
        (&["--steps", &rho], &["rho", "1.5"]),
        (&["--steps", &typing], &["typing.toml", "rhoo"]),
        (&["--steps", "gone.toml"], &["gone.toml"]),
        (&["--contacts", &contradicting], &["standing.toml", "left_heel", "contradicts"]),
        (&["--contacts", &late], &["late.toml", "within the clip"]),
        (&["--contacts", &stranger], &["stranger.toml", "tail"]),
        (&["--body", text(&body)], &["dog.toml"]),
        (&["--contacts", text(&of_run)], &["run.toml", "frames", "this one has"]),
        (&["--contacts", &bare], &["bare.toml", "contradicts", "m/s"]),
        (&["--body", text(&giant)], &["giant.toml", "times as long"]),
        (&["--joints", "left_wing"], &["left_wing"]),
        (&["--from", "7"], &["7", "3.2"]),
    ];
    for (options, words) in asked {
        refused(&[&["touchup", walk, "-o", text(&out)], options].concat(), words);
    }
    refused(&["touchup", walk, "-o", text(&out), "--contacts", &none], &["contact"]);
    for (option, value) in [("--slope", "80"), ("--margin", "1.5")] {
        let wrong = aplomb(&["touchup", walk, "-o", text(&out), option, value]);
        assert_eq!(code(&wrong), 2, "{option}: {}", stderr(&wrong));
        assert!(stderr(&wrong).contains(value), "{}", stderr(&wrong));
    }
    refused(&["touchup", walk, "-o", text(&out), "--slope", "0,-1,0"], &["normal"]);
    assert_eq!(names(&folder), before);
}

#[test]
fn clips_that_cannot_be_balanced_are_answered() {
    let folder = folder();
    let walk = aplomb_builtins::clip("walk").unwrap();
    let one = saved(&folder, "one", &edit::cut_frames(&walk, FrameIndex(0)..FrameIndex(1)).unwrap());
    refused(&["touchup", text(&one), "--dry-run"], &["one.bvh", "1 usable frame"]);
    refused(&["plant", text(&one), "--dry-run"], &["one.bvh", "1 usable frame"]);
    // Only the air of a jump: nothing stands.
    let jump = aplomb_builtins::clip("long-jump").unwrap();
    let air = saved(&folder, "air", &edit::cut(&jump, 1.3..1.7).unwrap());
    refused(&["touchup", text(&air), "--dry-run"], &["air.bvh", "touches the ground"]);
    refused(&["plant", text(&air), "--dry-run"], &["air.bvh", "touches the ground"]);
    refused(&["arc", "builtin:wave", "--radius", "3", "--side", "left", "--dry-run"], &["builtin:wave", "travels"]);
    refused(&["touchup", "builtin:waltz", "--dry-run"], &["waltz", "turning-walk"]);
    refused(&["join", "builtin:walk", "builtin:quadruped-walk", "--dry-run"], &["builtin:walk", "join"]);
}

#[test]
fn projects_run_from_anywhere() {
    let folder = folder();
    let below = folder.path().join("below");
    std::fs::create_dir(&below).unwrap();
    built(&folder, "walk");
    let project = below.join("bend.toml");
    let text_of = "schema = 1\nclip = \"../walk.bvh\"\n\n[[edit]]\nverb = \"arc\"\nradius_m = 3.0\nside = \"left\"\n\n[[edit]]\nverb = \"touchup\"\n";
    std::fs::write(&project, text_of).unwrap();
    let out = folder.path().join("out.bvh");
    let made = receipt(&["run", text(&project), "-o", text(&out)]);
    let stage = |index: usize| made["steps"][index]["stage"]["zmp_mean_m"].as_f64().unwrap();
    assert!(stage(1) < 0.5 * stage(0), "{} {}", stage(0), stage(1));
    assert!(Path::new(&out).is_file());
    let walk = folder.path().join("walk.bvh");
    assert_eq!(code(&aplomb(&["run", text(&project), "-o", text(&walk), "--force"])), 2, "read by the project");
    assert_eq!(code(&aplomb(&["run", text(&project), "-o", text(&out), "--receipt", text(&project), "--force"])), 2);
    std::fs::write(&project, text_of.replace("touchup", "touch-up")).unwrap();
    refused(&["run", text(&project), "--dry-run"], &["bend.toml", "touch-up", "touchup"]);
    let shown = aplomb(&["run", text(&folder.path().join("gone.toml")), "--dry-run"]);
    assert_eq!(code(&shown), 1);
}

#[test]
fn receipts_fit_a_terminal() {
    let shown = aplomb(&["touchup", "builtin:turning-walk", "--dry-run"]);
    assert_eq!(code(&shown), 0, "{}", stderr(&shown));
    for line in stdout(&shown).lines() {
        assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
    }
    assert!(!stdout(&shown).contains("NaN") && stdout(&shown).contains("balance"));
}

#[test]
fn samples_are_repaired_and_have_pages() {
    let folder = folder();
    for name in ["walk-to-run", "bent-walk", "uphill-walk", "bent-jump", "planted-walk"] {
        let (out, page) =
            (folder.path().join(name).with_extension("bvh"), folder.path().join(name).with_extension("html"));
        let made = receipt(&["run", &format!("sample:{name}"), "-o", text(&out), "--html", text(&page)]);
        let score = |report: &str| made[report]["score_all"].as_f64().unwrap();
        assert!(score("after") >= score("edited"), "{name}: {} {}", score("edited"), score("after"));
        assert!(!made["repairs"].as_array().unwrap().is_empty());
        let html = std::fs::read_to_string(&page).unwrap();
        assert!(html.starts_with("<!doctype html>") && html.contains("sample:") && html.contains("schema = 1"));
    }
    refused(&["run", "sample:bent-swim", "--dry-run"], &["bent-swim", "bent-walk"]);
}

#[test]
fn masses_are_fitted_judged_on_what_they_did_not_see_and_taken_by_every_verb() {
    let folder = folder();
    let body = folder.path().join("body.toml");
    let out = aplomb(&["masses", "builtin:walk", "builtin:turning-walk", "builtin:run", "-o", text(&body), "--json"]);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let fitted = json(&out, "masses");
    assert_eq!(fitted["unseen_by"], "leave_one_out");
    assert_eq!(fitted["unseen"].as_array().unwrap().len(), 3);
    let mean =
        |key: &str| -> f64 { fitted["clips"].as_array().unwrap().iter().map(|clip| clip[key].as_f64().unwrap()).sum() };
    assert!(mean("fitted_m") <= mean("table_m"));
    let used = receipt(&["touchup", "builtin:walk", "--body", text(&body), "--dry-run"]);
    assert!(used["after"]["body"]["source"].as_str().unwrap().contains("fitted"), "{}", used["after"]["body"]);
    let held = aplomb(&["masses", "builtin:walk", "--hold-out", "builtin:run", "--dry-run", "--json"]);
    assert_eq!(json(&held, "masses")["unseen_by"], "hold_out");
    let shown = aplomb(&["masses", "builtin:walk", "--dry-run"]);
    assert!(stdout(&shown).contains("--hold-out"), "{}", stdout(&shown));
    // Without a hold on the table the search runs into bodies that are none, and does not end by itself.
    let loose = aplomb(&["masses", "builtin:walk", "builtin:run", "--regularise", "0", "-o", text(&body), "--force"]);
    assert_eq!(code(&loose), 3, "{}", stderr(&loose));
    assert!(stderr(&loose).contains("hardly a person") && body.is_file(), "{}", stderr(&loose));
    refused(&["masses", "builtin:walk", "builtin:quadruped-walk", "--dry-run"], &["skeleton", "quadruped"]);
    refused(&["masses", "builtin:walk", "-o", text(&body)], &["--force"]);
    refused(&["masses", "builtin:walk", "--dry-run", "--regularise", "-1"], &["lambda"]);
}

#[test]
fn a_body_file_is_written_and_one_of_a_single_link_is_refused() {
    let folder = folder();
    let path = folder.path().join("body.toml");
    let out = aplomb(&["body", "builtin:walk", "--mass", "80", "-o", text(&path), "--json"]);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let body = json(&out, "body");
    assert!((body["total_mass_kg"].as_f64().unwrap() - 80.0).abs() < 1e-9);
    let taken = receipt(&["plant", "builtin:walk", "--body", text(&path), "--dry-run"]);
    assert_eq!(taken["after"]["body"]["total_mass_kg"], body["total_mass_kg"]);
    let all = std::fs::read_to_string(&path).unwrap();
    let second = all.match_indices("[[link]]").nth(1).expect("more than one link").0;
    let head = &all[..second];
    let one: String = head.lines().filter(|line| !line.starts_with("total_mass_kg")).collect::<Vec<_>>().join("\n");
    std::fs::write(&path, one).unwrap();
    let walk = built(&folder, "walk");
    refused(&["inspect", text(&walk), "--body", text(&path)], &["body.toml", "1 of about", "aplomb body"]);
}

/// What markers make is a motion like any other; written it is one of the formats that hold one.
#[test]
fn markers_are_planted_and_touched_up() {
    let Some(data) = captures("markers_are_planted_and_touched_up") else { return };
    let file = data.join("gait-grf/opencap-subject4/walking1.trc");
    let folder = folder();
    for verb in ["plant", "touchup"] {
        let out = folder.path().join(format!("{verb}.bvh"));
        let done = receipt(&[verb, text(&file), "-o", text(&out)]);
        assert_eq!(done["after"]["frames"], done["before"]["frames"], "{verb}");
        let slid_m = |which: &str| done[which]["skate"]["mean_m"].as_f64().unwrap();
        // Planting was asked for by name; touch-up leaves alone what is right within the accuracy of markers.
        let is_right = verb == "touchup" && slid_m("after") == slid_m("before") && slid_m("before") < 0.01;
        assert!(is_right || slid_m("after") < slid_m("before"), "{verb}: {} {}", slid_m("before"), slid_m("after"));
        let trc = folder.path().join("walk.trc");
        let refused = aplomb(&[verb, text(&file), "-o", text(&trc)]);
        assert!(code(&refused) != 0 && stderr(&refused).contains(".bvh") && !trc.exists(), "{}", stderr(&refused));
    }
}

#[test]
fn a_body_is_shown_at_the_rate_that_was_told() {
    let folder = folder();
    let walk = built(&folder, "walk");
    let told = aplomb(&["body", text(&walk), "--fps", "60"]);
    // The reader says that a header was overruled.
    assert!(code(&told) == 0 && stderr(&told).contains("as asked"), "{}", stderr(&told));
    let kept = aplomb(&["body", text(&walk)]);
    assert!(code(&kept) == 0 && !stderr(&kept).contains("as asked"), "{}", stderr(&kept));
}

#[test]
fn a_project_writes_where_it_says_and_leaves_out_what_is_off() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("walk.aplomb.toml");
    let write = |output: &str| {
        let text = format!(
            "schema = 1\nclip = \"builtin:walk\"\nx-mine = 1\n{output}[[edit]]\nverb = \"cut\"\nto_secs = 1.0\n\
             [[edit]]\nverb = \"speed\"\nfactor = 3.0\non = false\n[camera]\nfov = 40\n"
        );
        std::fs::write(&project, text).unwrap();
    };
    write("[output]\nfile = \"part.bvh\"\n");
    let made = aplomb(&["run", text(&project)]);
    assert_eq!(code(&made), 0, "{}", stderr(&made));
    assert!(stderr(&made).contains("camera"), "what is left alone is told: {}", stderr(&made));
    assert!(folder.path().join("part.bvh").is_file());
    write("[output]\nfile = \"../part.bvh\"\n");
    let refused = aplomb(&["run", text(&project)]);
    assert!(code(&refused) == 1 && stderr(&refused).contains("-o"), "{}", stderr(&refused));
    assert_eq!(code(&aplomb(&["run", text(&project), "--dry-run"])), 0);
    write("");
    assert_eq!(code(&aplomb(&["run", text(&project)])), 2, "nobody says where the result goes");
}
