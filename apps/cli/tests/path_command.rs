//! `aplomb path` from outside: what it lists, writes and says, and whatever people hand in.

mod common;

use common::{aplomb, built, code, folder, json, receipt, receipt_with, refused, stderr, stdout, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn record(receipt: &Value) -> &Value {
    receipt["steps"].as_array().unwrap().iter().map(|step| &step["path"]).find(|it| it.is_object()).expect("a path")
}

/// The receipt of a path whose geometry is looked at: bending alone may cost balance, which a touch-up would mend, and
/// then exit code 3 says so.
fn bent(args: &[&str]) -> Value {
    let output = aplomb(&[args, &["--accept-harm", "--json"]].concat());
    let done = json(&output, "receipt");
    let expected = if done["status"] == "harmed" { 3 } else { 0 };
    assert_eq!(code(&output), expected, "{args:?}: {}", stderr(&output));
    assert_ne!(done["status"], "goal_unmet", "{args:?}: {}", done["steps"]);
    done
}

fn pair(value: &Value) -> [f64; 2] {
    [0, 1].map(|i| value[i].as_f64().unwrap())
}

fn write(folder: &TempDir, name: &str, contents: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    path
}

#[test]
fn handles_and_flights_are_listed_for_people_and_programs() {
    let output = aplomb(&["path", "builtin:long-jump", "--list-handles", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let list = json(&output, "handles");
    let kinds: Vec<&str> = list["handles"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["end", "step", "landing", "end"]);
    let flight = &list["flights"][0];
    let (height_m, g) = (flight["height_m"].as_f64().unwrap(), flight["g"].as_f64().unwrap());
    let secs = flight["end_secs"].as_f64().unwrap() - flight["start_secs"].as_f64().unwrap();
    // A parabola over its chord is g T²/8 high.
    assert!((height_m / (g * secs * secs / 8.0) - 1.0).abs() < 0.01, "{flight}");
    let walk = aplomb(&["path", "builtin:walk", "--list-handles"]);
    let shown = stdout(&walk);
    assert!(shown.contains("step") && shown.contains("left") && shown.contains("none"), "{shown}");
    assert_eq!(code(&aplomb(&["path", "builtin:walk"])), 2, "a name is needed to write");
}

#[test]
fn a_dragged_handle_comes_where_it_was_put_and_its_receipt_replays_to_the_byte() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (out, file, page) = (at("out.bvh"), at("out.json"), at("out.html"));
    let args = ["path", "builtin:walk", "--move", "3:0.2,0,0", "--move", "3:0.05,0,0.1"];
    let done = bent(&[&args[..], &["-o", text(&out), "--receipt", text(&file), "--html", text(&page)]].concat());
    assert_eq!(done["status"], "harmed", "0.25 m aside without a lean is no motion that a body could perform");
    let path = record(&done);
    let handle = &path["handles"][3];
    let moved = |axis: usize| handle["after_m"][axis].as_f64().unwrap() - handle["before_m"][axis].as_f64().unwrap();
    assert!((moved(0) - 0.25).abs() < 1e-9 && (moved(2) - 0.1).abs() < 1e-9, "moves of one handle add up: {handle}");
    assert!(pair(&path["secs"])[1] > pair(&path["secs"])[0], "a bend slows down");
    let speeds = path["speeds"].as_array().unwrap();
    assert!(speeds.len() > 100 && speeds.len() <= 401, "{}", speeds.len());
    let slide = done["changes"].as_array().unwrap().iter().find(|it| it["measure"] == "skate.max_m").unwrap();
    assert!(slide["after"].as_f64().unwrap() < 0.002, "feet stand: {slide}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("Speed along the way") && html.contains("<polyline class=\"is\""));
    let again = at("again.bvh");
    bent(&["run", text(&file), "-o", text(&again)]);
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&out).unwrap());
}

#[test]
fn an_edit_file_is_the_same_as_what_is_typed() {
    let folder = folder();
    let out = |name: &str| folder.path().join(name);
    let file = write(
        &folder,
        "moves.toml",
        "timing = \"paper\"\nstairs = true\n[[change]]\nhandle = 2\nmove = [0.0, 0.1, 0.0]\n",
    );
    bent(&["path", "builtin:walk", "--edit", text(&file), "-o", text(&out("a.bvh"))]);
    let typed = ["path", "builtin:walk", "--timing", "paper", "--stairs", "--move", "2:0,0.1,0"];
    bent(&[&typed[..], &["-o", text(&out("b.bvh"))]].concat());
    assert_eq!(std::fs::read(out("a.bvh")).unwrap(), std::fs::read(out("b.bvh")).unwrap());
}

#[test]
fn jumps_fly_by_the_root_of_their_height_and_fall_as_they_did() {
    let done = receipt(&["path", "builtin:long-jump", "--jump", "0:height=1.5", "--dry-run"]);
    let flight = &record(&done)["flights"][0];
    let (secs, height_m, g) = (pair(&flight["secs"]), pair(&flight["height_m"]), pair(&flight["g"]));
    assert!((secs[1] / secs[0] - 1.5_f64.sqrt()).abs() < 1e-3, "{flight}");
    assert!((height_m[1] / height_m[0] - 1.5).abs() < 2e-3 && (g[1] / g[0] - 1.0).abs() < 1e-3, "{flight}");
    let metres = receipt(&["path", "builtin:long-jump", "--jump", "0:height=0.5m", "--dry-run"]);
    assert!((pair(&record(&metres)["flights"][0]["height_m"])[1] - 0.5).abs() < 2e-3);
}

#[test]
fn times_are_kept_or_scaled_when_asked() {
    let secs = |timing: &str| {
        let args = ["path", "builtin:walk", "--follow", "arc:radius=2,side=right", "--timing", timing, "--dry-run"];
        pair(&record(&bent(&args))["secs"])
    };
    let (auto, keep, scaled) = (secs("auto"), secs("keep"), secs("scale=1.5"));
    assert!(auto[1] > 1.05 * auto[0] && keep[1] == keep[0], "{auto:?} {keep:?}");
    assert!((scaled[1] / scaled[0] - 1.5).abs() < 1e-9);
    assert!(secs("paper")[1] > 1.0);
}

#[test]
fn curves_come_from_tables_drawings_and_words() {
    let folder = folder();
    let points = "x,z\n0,0\n0,1\n0.5,2\n1.5,3\n2,5\n";
    let csv = write(&folder, "way.csv", points);
    let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M 0 0 L 0 100 C 0 300 200 300 200 500\"/></svg>";
    let svg = write(&folder, "way.svg", drawing);
    let last = |args: &[&str]| {
        let done = bent(&[&["path", "builtin:walk", "--dry-run"], args].concat());
        let handles = record(&done)["handles"].as_array().unwrap().clone();
        let end = &handles[handles.len() - 1]["after_m"];
        [end[0].as_f64().unwrap(), end[2].as_f64().unwrap()]
    };
    // Stretched to the end of the curve, up to the sway.
    let [x, z] = last(&["--follow", text(&csv), "--stretch"]);
    assert!((x - 2.0).abs() < 0.03 && (z - 5.0).abs() < 0.03, "{x} {z}");
    let [x, z] = last(&["--follow", text(&svg), "--scale", "0.01", "--stretch"]);
    assert!((x - 2.0).abs() < 0.03 && (z - 5.0).abs() < 0.03, "{x} {z}");
    let words = "M 3 3 L 4 3 L 8 3";
    let [x, _] = last(&["--follow", words, "--from-start"]);
    assert!(x.abs() < 0.05, "moved and turned to the motion's own way: {x}");
    let [_, z] = last(&["--follow", words]);
    assert!((z - 3.0).abs() < 0.05, "where its numbers say: {z}");
}

#[test]
fn malformed_curves_and_edits_are_named_with_file_and_line() {
    let folder = folder();
    let follow = |file: &Path, words: &[&str]| {
        refused(&["path", "builtin:walk", "--follow", text(file), "--dry-run"], words);
    };
    follow(&write(&folder, "a.csv", "x,z\n0,0\n1,oops\n"), &["a.csv", "line 3", "oops"]);
    follow(&write(&folder, "b.csv", "east,north\n0,0\n"), &["b.csv", "line 1", "x and z"]);
    follow(&write(&folder, "c.csv", "0,0\n"), &["two points"]);
    follow(&write(&folder, "d.csv", ""), &["two points"]);
    follow(&write(&folder, "e.svg", "<svg>\n<path d=\"M 0 0 L 1\"/></svg>"), &["e.svg", "line 2"]);
    follow(&write(&folder, "f.svg", "<svg>\n</sgv>"), &["f.svg", "2:"]);
    follow(&write(&folder, "g.svg", "<svg><rect/></svg>"), &["g.svg", "found none"]);
    follow(&folder.path().join("missing.csv"), &["missing.csv"]);
    for name in ["noise.csv", "noise.svg"] {
        let file = folder.path().join(name);
        std::fs::write(&file, [0x9f, 0x00, 0xff, 0xfe, 0x80]).unwrap();
        let said = stderr(&aplomb(&["path", "builtin:walk", "--follow", text(&file), "--dry-run"]));
        assert!(said.contains(name) && said.contains("byte 0") && !said.contains("TOML"), "{said}");
    }
    refused(&["path", "builtin:walk", "--follow", "M 0 0 L x", "--dry-run"], &["SVG path"]);
    let edit = |file: &Path, words: &[&str]| {
        refused(&["path", "builtin:walk", "--edit", text(file), "--dry-run"], words);
    };
    edit(&write(&folder, "a.toml", "stairs = true\n[[change]]\nhandle = 1\n"), &["a.toml", "line 2", "move"]);
    edit(&write(&folder, "b.toml", "stairs = maybe\n"), &["b.toml", "line 1"]);
    edit(&write(&folder, "c.toml", "[[change]]\nhandle = 1\nmove = [nan, 0.0, 0.0]\n"), &["handle 1", "finite"]);
    edit(&write(&folder, "d.toml", "[[change]]\nflight = 0\nheight = nan\n"), &["flight"]);
    let name = folder.path().join("out.bvh");
    refused(&["path", "builtin:walk", "--move", "99:0,0,0", "-o", text(&name)], &["handle 99", "7"]);
    assert!(!name.exists());
}

#[test]
fn wrong_requests_are_refused_by_name() {
    refused(&["path", "builtin:walk", "--jump", "0:height=2", "--dry-run"], &["flight 0"]);
    refused(&["path", "builtin:long-jump", "--jump", "0:height=900", "--dry-run"], &["height of a flight"]);
    refused(&["path", "builtin:walk", "--move", "1:1e9,0,0", "--dry-run"], &["handle 1"]);
    let far = stderr(&aplomb(&["path", "builtin:walk", "--move", "1:1e300,0,0", "--dry-run"]));
    assert!(far.contains("1e300") && far.len() < 200, "{far}");
    for name in ["wave", "bow", "drum", "sit-low"] {
        refused(&["path", &format!("builtin:{name}"), "--list-handles"], &["path"]);
    }
    for usage in [
        &["--move", "1:nan,0,0"][..],
        &["--move", "1"],
        &["--timing", "slow"],
        &["--timing", "scale=1000"],
        &["--list-handles", "--move", "1:0.1,0,0"],
        &["--follow", "arc:radius=0,side=left"],
        &["--scale", "2"],
        &["--align", "builtin:turning-walk", "--follow", "arc:radius=2,side=left"],
    ] {
        let output = aplomb(&[&["path", "builtin:walk", "--dry-run"], usage].concat());
        assert_eq!(code(&output), 2, "{usage:?}: {}", stderr(&output));
    }
    let nothing = aplomb(&["path", "builtin:walk", "-o", "never.bvh"]);
    assert!(code(&nothing) == 2 && stderr(&nothing).contains("nothing to edit"), "{}", stderr(&nothing));
    refused(&["path", "builtin:walk", "--follow", "M 0 0 L 0 0", "--dry-run"], &["goes nowhere"]);
    refused(&["travel", "builtin:walk", "--dry-run"], &["feet that are down", "already"]);
    refused(&["travel", "builtin:walk", "--cycles", "0", "--dry-run"], &["cycles"]);
    let keys = aplomb(&["path", "builtin:walk", "--keep-keys", "-o", "never.bvh"]);
    assert!(code(&keys) == 2 && stderr(&keys).contains(".glb"), "{}", stderr(&keys));
    let folder = folder();
    let short = folder.path().join("short.bvh");
    receipt(&["cut", "builtin:walk", "--to", "0.3", "-o", text(&short)]);
    refused(&["path", text(&short), "--list-handles"], &["step"]);
}

#[test]
fn edits_that_ask_too_much_are_made_as_well_as_possible_and_told() {
    let folder = folder();
    let out = folder.path().join("out.bvh");
    let stretch: Vec<String> =
        (1..7).flat_map(|handle| ["--move".to_owned(), format!("{handle}:0,0,{}", handle)]).collect();
    let mut args = vec!["path", "builtin:walk", "--superhuman", "--accept-harm", "-o", text(&out)];
    args.extend(stretch.iter().map(String::as_str));
    let done = receipt_with(&args, 3);
    assert!(record(&done)["unreached_keys"].as_u64().unwrap() > 0 && out.exists());
    assert!(
        done["steps"][0]["warnings"].to_string().contains("legs are too short"),
        "{}",
        done["steps"][0]["warnings"]
    );
    // On each other: the scale is at its bound. Swapped: the body goes back and on.
    let together = ["path", "builtin:walk", "--superhuman", "--move", "3:0,0,-0.703", "--dry-run", "--json"];
    let together = stdout(&aplomb(&together));
    assert!(together.contains("handles 2 and 3 cannot be joined"), "{together}");
    // Circles of a hand's width: no legs do that.
    refused(
        &["path", "builtin:walk", "--superhuman", "--follow", "arc:radius=0.05,side=left", "--dry-run"],
        &["radius", "half way round"],
    );
    let torn = receipt_with(&["path", "builtin:walk", "--superhuman", "--move", "3:3,0,0", "--dry-run"], 3);
    assert!(torn["steps"][0]["warnings"].to_string().contains("the motion tears"), "{}", torn["steps"][0]["warnings"]);
    let limbs = record(&torn)["limbs"].as_array().unwrap();
    let is_torn = |it: &Value| it["second_difference_m"][1].as_f64() > it["limit_m"].as_f64();
    assert!(limbs.len() == 8 && limbs.iter().any(is_torn), "{limbs:?}");
    let swapped = aplomb(&[
        "path",
        "builtin:walk",
        "--superhuman",
        "--move",
        "3:0,0,-0.7",
        "--move",
        "2:0,0,0.7",
        "--dry-run",
        "--json",
    ]);
    assert!(stdout(&swapped).contains("the body is spun"), "{}", stdout(&swapped));
    assert!(code(&swapped) == 3 && stdout(&swapped).contains("have changed places"), "{}", stdout(&swapped));
    assert!(!stdout(&swapped).contains("NaN"));
}

#[test]
fn alignment_takes_the_steps_that_match_and_says_which() {
    let done = bent(&["path", "builtin:walk", "--align", "builtin:turning-walk", "--dry-run"]);
    let alignment = &record(&done)["alignment"];
    assert_eq!(alignment["source"], serde_json::json!({ "start": 1, "end": 6 }));
    assert!(alignment["target_turn_rad"].as_f64().unwrap() > 0.5);
    assert!(done["steps"][0]["notes"].to_string().contains("5 handles"), "{}", done["steps"][0]["notes"]);
    // An animal's path can be walked by a person; its hips' height cannot.
    let other = bent(&["path", "builtin:walk", "--align", "builtin:quadruped-walk", "--dry-run"]);
    assert!(other["steps"][0]["notes"].to_string().contains("another skeleton"), "{}", other["steps"][0]["notes"]);
    // A ball has no feet, a standing body no steps.
    refused(&["path", "builtin:walk", "--align", "builtin:ball", "--dry-run"], &["same foot in front"]);
    refused(&["path", "builtin:walk", "--align", "builtin:wave", "--dry-run"], &["wave"]);
    refused(&["path", "builtin:walk", "--align", "nowhere.bvh", "--dry-run"], &["nowhere.bvh"]);
}

#[test]
fn keys_are_kept_where_a_format_can_hold_them_and_contacts_can_be_given() {
    let folder = folder();
    let glb = folder.path().join("keys.glb");
    let args = ["path", "builtin:walk", "--follow", "arc:radius=2,side=left", "--keep-keys", "-o", text(&glb)];
    assert_eq!(bent(&args)["steps"][0]["frames"], 385, "as many keys as there were");
    let walk = built(&folder, "walk");
    let contacts = folder.path().join("walk.toml");
    let found = aplomb(&["contacts", text(&walk), "-o", text(&contacts)]);
    assert_eq!(code(&found), 0, "{}", stderr(&found));
    let done = bent(&["path", text(&walk), "--contacts", text(&contacts), "--move", "2:0.1,0,0", "--dry-run"]);
    assert_eq!(done["inputs"].as_array().unwrap().len(), 2);
}

#[test]
fn a_followed_arc_leans_after_touch_up_at_three_radii_and_both_sides() {
    let folder = folder();
    let project = |radius: f64, side: &str| {
        format!(
            "schema = 1\nclip = \"builtin:walk\"\n[[edit]]\nverb = \"path\"\nfollow = {{ radius_m = {radius:?}, side = \"{side}\" }}\n\
             [[edit]]\nverb = \"touchup\"\n"
        )
    };
    for radius in [1.5, 2.0, 3.0] {
        for side in ["left", "right"] {
            let file = write(&folder, "bend.toml", &project(radius, side));
            let done = receipt(&["run", text(&file), "--dry-run"]);
            let repairs = done["repairs"].as_array().unwrap();
            let zmp = repairs.iter().find(|it| it["measure"] == "zmp.mean_m").unwrap();
            assert_eq!(zmp["change"], "better", "{radius} {side}: {zmp}");
            assert!(zmp["after"].as_f64().unwrap() < 0.3 * zmp["before"].as_f64().unwrap(), "{radius} {side}: {zmp}");
            let slide = repairs.iter().find(|it| it["measure"] == "skate.max_m").unwrap();
            assert!(slide["after"].as_f64().unwrap() < 0.005, "{radius} {side}: {slide}");
        }
    }
}

#[test]
fn samples_of_the_figures_run() {
    for name in
        ["zigzag-run", "stairs", "longer-jump", "higher-jump", "quadruped-circle", "bouncing-ball", "aligned-walk"]
    {
        let done = receipt(&["run", &format!("sample:{name}"), "--dry-run"]);
        let path = record(&done);
        assert_eq!(path["unreached_keys"], 0, "{name}");
        for flight in path["flights"].as_array().unwrap() {
            let (g, secs) = (&flight["g"], pair(&flight["secs"]));
            // Those of runs are too short for a g worth the name.
            if let (Some(was), Some(is), true) = (g[0].as_f64(), g[1].as_f64(), secs[0] > 0.3) {
                assert!((is / was - 1.0).abs() < 2e-3, "{name}: {flight}");
            }
        }
    }
}
