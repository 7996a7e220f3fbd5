//! `blend` from outside: what it writes, what it says, and whatever people hand in.

mod common;

use aplomb_motion::{FrameIndex, edit};
use common::{aplomb, code, folder, json, receipt, receipt_with, refused, saved, stderr, stdout, text};

const SHORT: &str = "builtin:short-jump";
const LONG: &str = "builtin:long-jump";

#[test]
fn a_blend_falls_at_g_and_is_made_again_to_the_byte() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (out, file, page) = (at("out.bvh"), at("out.json"), at("out.html"));
    let args =
        ["blend", SHORT, LONG, "--weight", "0.4", "-o", text(&out), "--receipt", text(&file), "--html", text(&page)];
    let made = receipt(&args);
    let blend = &made["steps"][0]["blend"]["guarantees"];
    assert_eq!(blend["weights"], serde_json::json!([0.6, 0.4]));
    let flight = &blend["flights"][0];
    let (g, predicted) = (flight["g"].as_f64().unwrap(), flight["predicted_g"].as_f64().unwrap());
    assert!((g / predicted - 1.0).abs() < 5e-4 && (g - 9.81).abs() < 0.15, "{g} {predicted}");
    assert!(blend["feet"]["off_track_m"].as_f64().unwrap() < 1e-5);
    assert_eq!(blend["balance"]["lost_frames"], 0);
    assert_eq!(made["project"]["edit"][0]["clips"][0], LONG);
    let again = at("again.bvh");
    receipt(&["run", text(&file), "-o", text(&again)]);
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&out).unwrap());
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.starts_with("<!doctype html>"));
    for words in
        ["What the blend keeps", "builtin:long-jump", "0.4", "Flight 1 falls at", "Largest peak of acceleration"]
    {
        assert!(page.contains(words), "{words}");
    }
    let shown = aplomb(&["blend", SHORT, LONG, "--weights", "2,3", "--normalize", "--dry-run"]);
    let text_shown = stdout(&shown);
    assert!(text_shown.contains("0.400 : 0.600") && text_shown.contains("falls at"), "{text_shown}");
    assert!(text_shown.lines().all(|line| line.chars().count() <= 100), "{text_shown}");
}

#[test]
fn a_family_is_swept_into_a_folder_and_a_length_is_found_between() {
    let folder = folder();
    let family = folder.path().join("family");
    let output = aplomb(&["blend", SHORT, LONG, "--sweep", "0:1:0.5", "-o", text(&family), "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let blends = json(&output, "blends");
    let lengths: Vec<f64> = blends["blends"]
        .as_array()
        .unwrap()
        .iter()
        .map(|blend| blend["measures"]["length"].as_f64().unwrap())
        .collect();
    assert!(lengths.len() == 3 && lengths[0] < lengths[1] && lengths[1] < lengths[2], "{lengths:?}");
    for name in ["blend-0.00.bvh", "blend-0.50.bvh", "blend-1.00.bvh"] {
        assert!(family.join(name).is_file(), "{name}");
    }
    refused(&["blend", SHORT, LONG, "--sweep", "0:1:0.5", "-o", text(&family)], &["blend-0.00.bvh", "--force"]);
    let space = folder.path().join("space.toml");
    std::fs::write(&space, format!("schema = 1\nclips = [\"{SHORT}\", \"{LONG}\"]\n")).unwrap();
    let wanted = 0.5 * (lengths[0] + lengths[2]);
    let asked = format!("length={wanted}");
    let made = receipt(&["blend", "--space", text(&space), "--at", &asked, "--dry-run"]);
    let parameters = made["steps"][0]["blend"]["parameters"].as_array().unwrap();
    let length = parameters.iter().find(|it| it["name"] == "length").unwrap();
    assert!((length["achieved"].as_f64().unwrap() - wanted).abs() < 0.005, "{length}");
    refused(&["blend", SHORT, LONG, "--at", "length=9", "--dry-run"], &["9 m", "clips have"]);
}

#[test]
fn what_cannot_be_blended_is_refused_in_words() {
    let folder = folder();
    let out = folder.path().join("out.bvh");
    let with = |args: &[&str], words: &[&str]| {
        let all: Vec<&str> = ["blend"].iter().chain(args).chain(&["-o", text(&out)]).copied().collect();
        refused(&all, words);
        assert!(!out.exists(), "{args:?}: nothing must be written");
    };
    with(&[SHORT, LONG, "--weights", "0.6,0.6"], &["1.2", "--normalize"]);
    with(&[SHORT, LONG, "--weights", "-0.5,1.5"], &["-0.5", "negative"]);
    with(&[SHORT, LONG, "--weights", "0.5,0.25,0.25"], &["3 weights for 2 clips"]);
    with(&[SHORT, "builtin:walk", "--weight", "0.5"], &["take-off", "clip 2", "step left", "--phases"]);
    with(&[SHORT, "builtin:quadruped-walk", "--weight", "0.5"], &["builtin:quadruped-walk", "joints", "blended"]);
    let walk = aplomb_builtins::clip("walk").unwrap();
    let one = saved(&folder, "one", &edit::cut_frames(&walk, FrameIndex(0)..FrameIndex(1)).unwrap());
    with(&["builtin:walk", text(&one), "--weight", "0.5"], &["one.bvh", "1 usable frame;", "5"]);
    let small = saved(&folder, "small", &edit::scale(&aplomb_builtins::clip("long-jump").unwrap(), 0.9).unwrap());
    with(&[SHORT, text(&small), "--weight", "0.5"], &["small.bvh", "--skeleton-from"]);
    let phases = folder.path().join("phases.toml");
    std::fs::write(&phases, "phases = [\"contact\", \"flight\"]\n[[clip]]\nkeys_secs = [1.0]\n").unwrap();
    with(&[SHORT, LONG, "--weight", "0.5", "--phases", text(&phases)], &["phases.toml", "1 clips"]);
    // Wrong usage.
    for args in [
        &["blend", SHORT, "--weight", "0.5", "--dry-run"][..],
        &["blend", SHORT, LONG, "--dry-run"],
        &["blend", SHORT, LONG, "--weight", "nan", "--dry-run"],
        &["blend", SHORT, LONG, "--sweep", "0:2:0.1", "--dry-run"],
        &["blend", SHORT, LONG, "--at", "length=0.6,length=0.7", "--dry-run"],
        &["blend", SHORT, LONG, "--at", "length=0.6", "--normalize", "--dry-run"],
        &["blend", SHORT, LONG, LONG, "--weight", "0.5", "--dry-run"],
        &["blend", SHORT, LONG, "--weight", "0.5", "--skeleton-from", LONG, "--dry-run"],
    ] {
        let output = aplomb(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn another_persons_bones_are_left_behind_when_asked() {
    let folder = folder();
    let small = saved(&folder, "small", &edit::scale(&aplomb_builtins::clip("long-jump").unwrap(), 0.9).unwrap());
    let made = receipt(&["blend", SHORT, text(&small), "--weight", "0.5", "--skeleton-from", SHORT, "--dry-run"]);
    let blend = &made["steps"][0]["blend"]["guarantees"];
    assert!(blend["feet"]["off_track_m"].as_f64().unwrap() < 1e-5, "{blend}");
    let g = blend["flights"][0]["g"].as_f64().unwrap();
    // A person of nine tenths jumps as slowly as one of full size.
    assert!((8.5..11.5).contains(&g), "{g}");
}

#[test]
fn measures_that_no_blend_has_together_are_told_with_exit_code_3() {
    let ends = receipt(&["blend", SHORT, LONG, "--weight", "0.5", "--dry-run"]);
    let parameters = ends["steps"][0]["blend"]["parameters"].as_array().unwrap();
    let of = |name: &str, clip: usize| {
        let found = parameters.iter().find(|it| it["name"] == name).unwrap();
        found["clips"][clip].as_f64().unwrap()
    };
    // As long as the one and as fast as the other: each is within what clips have, both at once are not.
    let asked = format!("length={},speed={}", of("length", 0), of("speed", 1));
    let made = receipt_with(&["blend", SHORT, LONG, "--at", &asked, "--dry-run"], 3);
    let warnings = made["steps"][0]["warnings"].to_string();
    assert!(warnings.contains("is asked for, the nearest blend has"), "{warnings}");
    let weights = made["steps"][0]["blend"]["guarantees"]["weights"].as_array().unwrap();
    assert!((weights.iter().map(|it| it.as_f64().unwrap()).sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn one_file_is_one_file_however_it_is_written() {
    let folder = folder();
    let (a, b) = (folder.path().join("a.bvh"), folder.path().join("b.bvh"));
    receipt(&["cut", SHORT, "--from", "0", "-o", text(&a)]);
    receipt(&["cut", LONG, "--from", "0", "-o", text(&b)]);
    let roundabout = folder.path().join(".").join("a.bvh");
    let args = ["blend", text(&a), text(&b), "--weight", "0.5", "--skeleton-from", text(&roundabout), "--dry-run"];
    receipt(&args);
    let other = aplomb(&["blend", text(&a), text(&b), "--weight", "0.5", "--skeleton-from", text(&b), "--dry-run"]);
    assert!(code(&other) == 2 && stderr(&other).contains("must name the first clip"), "{}", stderr(&other));
}

#[test]
fn every_scheme_falls_as_its_written_frames_say() {
    for scheme in ["com", "foot"] {
        let made = receipt(&["blend", SHORT, LONG, "--weight", "0.5", "--scheme", scheme, "--dry-run"]);
        let flight = &made["steps"][0]["blend"]["guarantees"]["flights"][0];
        let (written, predicted) = (&flight["written_g"], &flight["written_predicted_g"]);
        let off = written.as_f64().unwrap() / predicted.as_f64().unwrap() - 1.0;
        // Five in ten thousand, as the design asks; both fly by the centre of mass.
        assert!(off.abs() < 5e-4, "{scheme}: {written} {predicted}");
    }
}

#[test]
fn samples_of_blends_are_made_and_have_pages() {
    let folder = folder();
    for name in ["between-jumps", "quarter-turn", "between-seats"] {
        let (out, page) =
            (folder.path().join(name).with_extension("bvh"), folder.path().join(name).with_extension("html"));
        let made = receipt(&["run", &format!("sample:{name}"), "-o", text(&out), "--html", text(&page)]);
        let blend = &made["steps"][0]["blend"]["guarantees"];
        assert!(blend["feet"]["off_track_m"].as_f64().unwrap() < 1e-5, "{name}");
        assert!(out.is_file() && page.is_file());
    }
}

#[test]
fn a_goal_that_blends_of_captures_reach_is_reached() {
    let Some(data) = common::captures("goals of blends") else { return };
    let file = |name: &str| data.join("cmu-bvh").join(name);
    let (short, turned) = (file("jump-forward/83_49.bvh"), file("jump-turn/83_61.bvh"));
    // Lengths of these blends are far from a straight line: 0.6 m is near a weight of 0.26.
    let made = receipt(&["blend", text(&short), text(&turned), "--at", "length=0.6", "--dry-run"]);
    let parameters = made["steps"][0]["blend"]["parameters"].as_array().unwrap();
    let length = parameters.iter().find(|it| it["name"] == "length").unwrap();
    assert!((length["achieved"].as_f64().unwrap() - 0.6).abs() < 0.01, "{length}");
}
