//! `track` and `reach` from outside: what they write, what they say, and whatever people hand in.

mod common;

use common::{aplomb, code, folder, receipt, receipt_with, refused, stderr, text};

const WAVE: &str = "builtin:wave";

#[test]
fn a_wave_is_tracked_told_and_made_again_to_the_byte() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (out, file, page) = (at("out.bvh"), at("out.json"), at("out.html"));
    let made = receipt(&["track", WAVE, "-o", text(&out), "--receipt", text(&file), "--html", text(&page)]);
    let report = &made["steps"][0]["track"]["report"];
    assert_eq!(report["degrees_of_freedom"], 27);
    assert!(report["rms_error_deg"].as_f64().unwrap() < 5.5, "{report}");
    let lag_secs = report["hands"][1]["lag_secs"].as_f64().unwrap();
    assert!((0.02..0.055).contains(&lag_secs), "{lag_secs}");
    let again = at("again.bvh");
    receipt(&["run", text(&file), "-o", text(&again)]);
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&out).unwrap());
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("Hand speed") && page.contains("degrees of freedom"));
}

#[test]
fn other_bodies_play_the_same_motion() {
    let child = receipt(&["track", WAVE, "--character", "child", "--dry-run"]);
    let notes = child["steps"][0]["notes"].to_string();
    assert!(notes.contains("kg") && notes.contains("1.1"), "{notes}");
    let folder = folder();
    let table = folder.path().join("long.toml");
    std::fs::write(&table, "base = \"adult\"\n[segments.forearm]\nscale = 1.5\ndensity_kg_m3 = 900.0\n").unwrap();
    receipt(&["track", WAVE, "--character", text(&table), "--dry-run"]);
    std::fs::write(&table, "[segments.forearm]\nscale = 0.0\n").unwrap();
    refused(&["track", WAVE, "--character", text(&table), "--dry-run"], &["scale", "0.05"]);
    refused(&["track", WAVE, "--character", "dwarf", "--dry-run"], &["dwarf", "child"]);
}

#[test]
fn scenes_strike_stand_and_fall() {
    let drum = receipt(&["run", "sample:drumming", "--dry-run"]);
    let contacts = drum["steps"][1]["track"]["contacts"].as_array().unwrap();
    assert!(contacts.len() >= 4, "{contacts:?}");
    for contact in contacts {
        // The bar of docs/algorithms/track.md.
        assert!(contact["peak_depth_m"].as_f64().unwrap() <= 5e-3, "{contact}");
    }
    let staff = receipt(&["run", "sample:staff", "--dry-run"]);
    assert!(staff["steps"][1]["track"]["tilt_deg"].as_f64().unwrap() <= 3.0);
    let alone = receipt(&["run", "sample:staff-alone", "--dry-run"]);
    assert!(alone["steps"][1]["track"]["tilt_deg"].as_f64().unwrap() >= 20.0);
    let held = receipt(&["run", "sample:held-hand", "--dry-run"]);
    // The trunk leans by half a radian meanwhile, which carries a free hand 30 cm away.
    let worst_m = held["steps"][0]["track"]["held"][0]["worst_m"].as_f64().unwrap();
    assert!(worst_m <= 0.03, "{worst_m}");
    let bow = receipt(&["run", "sample:balanced-bow", "--dry-run"]);
    assert!(bow["steps"][0]["track"]["report"]["standing"]["margin_m"].as_f64().unwrap() >= 0.07);
    let fall = receipt_with(&["run", "sample:bow-alone", "--dry-run"], 3);
    assert!(fall["steps"][0]["track"]["report"]["standing"]["fell_at_secs"].is_number());
}

#[test]
fn walks_on_driven_legs_are_told_as_falls() {
    for (clip, stance) in [("builtin:walk", "captured"), ("builtin:run", "captured"), ("builtin:run", "hold")] {
        let made = receipt_with(&["track", clip, "--figure", "full", "--stance", stance, "--dry-run"], 3);
        let step = &made["steps"][0];
        let standing = &step["track"]["report"]["standing"];
        assert!(standing["fell_at_secs"].is_number() && !standing["fell_by"].is_null(), "{clip}: {standing}");
        let warnings = step["warnings"].to_string();
        assert!(warnings.contains("the body falls at"), "{clip}: {warnings}");
    }
    // It begins with both feet down and stands there while the arms walk.
    let stays = receipt(&["track", "builtin:walk", "--figure", "full", "--dry-run"]);
    let warnings = stays["steps"][0]["warnings"].to_string();
    assert!(warnings.contains("the way is not played"), "{warnings}");
    let waves = receipt(&["track", WAVE, "--figure", "full", "--dry-run"]);
    assert!(waves["steps"][0]["track"]["report"]["standing"]["fell_by"].is_null());
}

#[test]
fn pops_of_the_recording_are_told_by_joint_and_time() {
    let folder = folder();
    let mut clip = aplomb_builtins::clip("wave").unwrap();
    let arm = aplomb_motion::Role::UpperArm(aplomb_motion::Side::Right);
    let joint = aplomb_motion::Roles::detect(&clip).joint(arm).unwrap();
    // An arm that swings by 40° for one frame.
    let frame = aplomb_motion::FrameIndex(120);
    clip.rotations_at_mut(frame)[joint.index()] *= glam::DQuat::from_rotation_z(0.7);
    let path = common::saved(&folder, "popped.bvh", &clip);
    let made = receipt(&["track", text(&path), "--dry-run"]);
    let warnings = made["steps"][0]["warnings"].to_string();
    assert!(warnings.contains("pops") && warnings.contains("at 1.00 s"), "{warnings}");
    let clean = receipt(&["track", WAVE, "--dry-run"]);
    assert!(!clean["steps"][0]["warnings"].to_string().contains("pops"));
}

#[test]
fn claps_without_a_pair_are_told() {
    let folder = folder();
    let scene = folder.path().join("scene.toml");
    let partner = "[[character]]\nname = \"partner\"\nat_m = [0.0, 0.9]\nturn_deg = 180.0\n";
    let clap = "[[clap]]\na = \"actor.right_hand\"\nb = \"partner.right_hand\"\nat_secs = [1.8]\n";
    let pair = "[[pair]]\na = \"partner.right_hand\"\nb = \"actor.right_hand\"\nstiffness = 3e4\n";
    for (content, is_told) in [(format!("{partner}{clap}"), true), (format!("{partner}{clap}{pair}"), false)] {
        std::fs::write(&scene, content).unwrap();
        let output = aplomb(&["track", "builtin:patty-cake", "--scene", text(&scene), "--dry-run"]);
        let told = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        assert_eq!(told.contains("are not a pair"), is_told, "{told}");
    }
}

#[test]
fn markers_of_the_same_take_are_laid_beside_the_hands() {
    let folder = folder();
    let clip = aplomb_builtins::clip("wave").unwrap();
    let taken = common::saved(&folder, "taken.bvh", &clip);
    let page = folder.path().join("out.html");
    let out = folder.path().join("out.bvh");
    let made = receipt(&["track", WAVE, "--markers", text(&taken), "-o", text(&out), "--html", text(&page)]);
    let hand = &made["steps"][0]["track"]["markers"][1];
    // Playback is the take itself, but for the pelvis's own sway.
    assert!((hand["peak_ratio"][0].as_f64().unwrap() - 1.0).abs() < 0.05, "{hand}");
    assert!(hand["correlation"][1].as_f64().unwrap() > 0.95, "{hand}");
    assert!(std::fs::read_to_string(&page).unwrap().contains("markers"));
    let short = aplomb_motion::edit::cut(&clip, 0.0..1.0).unwrap();
    let short = common::saved(&folder, "short.bvh", &short);
    refused(&["track", WAVE, "--markers", text(&short), "--dry-run"], &["same take", "short.bvh"]);
}

#[test]
fn strips_show_the_scene() {
    let folder = folder();
    let strip = folder.path().join("drumming.svg");
    let path = text(&strip);
    receipt(&["run", "sample:drumming", "-o", text(&folder.path().join("drumming.bvh")), "--strip", path]);
    let drawn = std::fs::read_to_string(&strip).unwrap();
    assert!(drawn.contains("<svg") && drawn.contains("#c4b292"), "no drum in its colour");
    refused(&["run", "sample:drumming", "--dry-run", "--strip", "drum.jpg"], &[".png or .svg"]);
}

#[test]
fn two_play_patty_cake_and_both_are_written() {
    let folder = folder();
    let out = folder.path().join("cake.bvh");
    let made = receipt(&["run", "sample:patty-cake-pair", "-o", text(&out)]);
    assert!(out.is_file() && folder.path().join("cake.partner.bvh").is_file(), "{}", made["outputs"]);
    for (sample, speed) in [("sample:patty-cake-pair", 1.0), ("sample:patty-cake-fast", 1.33)] {
        let made = receipt(&["run", sample, "--dry-run"]);
        let track = &made["steps"][0]["track"];
        let contacts = track["contacts"].as_array().unwrap();
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        for at in [1.8, 3.0, 4.2, 5.4] {
            let at = at / speed;
            let is_near =
                |it: &&serde_json::Value| number(&it["start_secs"]) < at + 0.1 && number(&it["end_secs"]) > at - 0.1;
            assert!(contacts.iter().any(|it| is_near(&it)), "{sample}: nothing at {at} s in {contacts:?}");
        }
        assert!(contacts.iter().all(|it| number(&it["peak_depth_m"]) <= 4e-3), "{contacts:?}");
        let reached = track["reached"].as_array().unwrap();
        assert!(reached.iter().all(|it| number(&it["turned_deg"]) <= 2.0), "{reached:?}");
    }
    let slap = receipt(&["run", "sample:patty-cake-slap", "--dry-run"]);
    let contacts = slap["steps"][1]["track"]["contacts"].to_string();
    assert!(contacts.contains("partner.head"), "{contacts}");
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let folder = folder();
    let file = folder.path().join("scene.toml");
    let scene = |content: &str, words: &[&str]| {
        std::fs::write(&file, content).unwrap();
        refused(&["track", WAVE, "--scene", text(&file), "--dry-run"], words);
    };
    scene("[[pair]]\na = \"actor.right_hand\"\nb = \"gong\"\n", &["gong"]);
    scene("[[pair]]\na = \"actor.right_wing\"\nb = \"actor.head\"\n", &["right_wing"]);
    scene("[[task]]\nkind = \"balance\"\nwho = \"actor\"\n", &["full figure"]);
    scene("[[task]]\nkind = \"upright\"\npart = \"actor.right_hand\"\n", &["holds nothing"]);
    scene("speed = -1.0\n", &["speed"]);
    scene("gravity = 3\n", &["gravity"]);
    let ball = "[[prop]]\nname = \"ball\"\nshape = { ball = { radius_m = 0.1 } }\n";
    scene(&format!("{ball}mass_kg = 0.0\n"), &["mass"]);
    // Hands hang here at the start.
    let inside = "[[prop]]\nname = \"wall\"\nshape = { box = { half_m = [2.0, 2.0, 2.0] } }\n\
                  [[pair]]\na = \"actor.right_hand\"\nb = \"wall\"\n";
    scene(inside, &["overlap"]);
    let output = aplomb(&["track", WAVE, "--stiffness", "-4", "--dry-run"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    refused(&["track", "builtin:ball", "--dry-run"], &["right arm"]);
}

#[test]
fn a_hand_is_put_somewhere_and_a_far_one_is_told() {
    let folder = folder();
    let out = folder.path().join("out.bvh");
    let near = ["reach", WAVE, "--hand", "right", "--at", "0.4", "--to", "-0.25,1.0,0.3", "-o", text(&out)];
    let made = receipt(&near);
    let reach = &made["steps"][0]["reach"];
    assert!(reach["error_m"].as_f64().unwrap() < 1e-4 && reach["turned_deg"].as_f64().unwrap() < 0.3, "{reach}");
    let far = ["reach", WAVE, "--hand", "left", "--at", "1", "--to", "0,1,4", "--dry-run"];
    let made = receipt_with(&far, 3);
    assert!(made["steps"][0]["warnings"].to_string().contains("reach"), "{made}");
    let output = aplomb(&["reach", WAVE, "--hand", "left", "--at", "1", "--to", "0,1", "--dry-run"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
}

#[test]
fn captures_with_a_pose_of_calibration_before_them_are_played() {
    let folder = folder();
    let mut clip = aplomb_builtins::clip("wave").unwrap();
    clip.rotations_at_mut(aplomb_motion::FrameIndex(0)).fill(glam::DQuat::IDENTITY);
    assert!(aplomb_motion::first_frame::is_stray(&clip));
    let path = common::saved(&folder, "calibrated.bvh", &clip);
    for more in [&[][..], &["--figure", "full"], &["--character", "child"]] {
        let args: Vec<&str> = ["track", text(&path), "--dry-run"].iter().chain(more).copied().collect();
        let made = receipt(&args);
        assert!(
            made["steps"][0]["notes"].to_string().contains("first frame"),
            "{more:?}: {}",
            made["steps"][0]["notes"]
        );
        assert!(made["steps"][0]["track"]["report"]["rms_error_deg"].as_f64().unwrap() < 5.5, "{more:?}");
    }
}
