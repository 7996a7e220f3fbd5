//! Bodies that miss a part, through every verb: it works on what is there, or says exactly which part it needs.

use crate::commands::{CLIPS, COMMANDS, Ran, clip};
use crate::common::folder;
use crate::parts::{cut_off, taken_out};
use aplomb_formats::{ReadOptions, WriteOptions, export, read_file};
use aplomb_motion::{Clip, FrameOfReference, Role};
use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;

/// A body that lacks something.
struct Part {
    name: &'static str,
    make: fn(&Clip) -> Clip,
}

fn without(clip: &Clip, cut: &[&str]) -> Clip {
    cut_off(clip, |name| cut.contains(&name))
}

/// Joints by the names of the built-in clips.
const PARTS: &[Part] = &[
    Part { name: "nothing", make: Clip::clone },
    Part { name: "left leg", make: |clip| without(clip, &["LeftUpLeg"]) },
    Part { name: "right leg", make: |clip| without(clip, &["RightUpLeg"]) },
    Part { name: "left lower leg", make: |clip| without(clip, &["LeftLeg"]) },
    Part { name: "left foot", make: |clip| without(clip, &["LeftFoot"]) },
    Part { name: "feet", make: |clip| without(clip, &["LeftFoot", "RightFoot"]) },
    Part { name: "legs", make: |clip| without(clip, &["LeftUpLeg", "RightUpLeg"]) },
    Part { name: "toes", make: |clip| without(clip, &["LeftToeBase", "RightToeBase"]) },
    Part { name: "right toes", make: |clip| without(clip, &["RightToeBase"]) },
    Part { name: "left arm", make: |clip| without(clip, &["LeftShoulder"]) },
    Part { name: "right arm", make: |clip| without(clip, &["RightArm"]) },
    Part { name: "right forearm", make: |clip| without(clip, &["RightForeArm"]) },
    Part { name: "arms", make: |clip| without(clip, &["LeftShoulder", "RightShoulder"]) },
    Part { name: "hands", make: |clip| without(clip, &["LeftHand", "RightHand"]) },
    Part { name: "right hand", make: |clip| without(clip, &["RightHand"]) },
    Part { name: "head", make: |clip| without(clip, &["Head"]) },
    Part { name: "neck and head", make: |clip| without(clip, &["Neck"]) },
    Part { name: "clavicles", make: |clip| taken_out(clip, |name| name.ends_with("Shoulder")) },
    Part {
        name: "all of the trunk but one joint",
        make: |clip| taken_out(clip, |name| ["Spine1", "Spine2"].contains(&name)),
    },
    Part { name: "the spine", make: |clip| taken_out(clip, |name| name.starts_with("Spine")) },
];

/// One command on one body.
struct Run {
    part: &'static str,
    command: &'static str,
    exit: i32,
    said: String,
    wrong: Vec<String>,
}

#[test]
fn every_verb_works_on_what_is_there_or_names_what_it_needs() {
    let folder = folder();
    let place = folder.path();
    let clips = CLIPS.map(clip);
    let jobs: Vec<(usize, &Part)> = PARTS.iter().enumerate().collect();
    for (index, part) in &jobs {
        for (name, clip) in CLIPS.iter().zip(&clips) {
            let path = place.join(format!("{name}{index}.bvh"));
            // Lengths in centimetres, and nothing that says so.
            let frame = FrameOfReference { metres_per_unit: 0.01, ..FrameOfReference::INTERNAL };
            let encoded = export::encode(&path, &(part.make)(clip), None, frame, &WriteOptions::default()).unwrap();
            export::save(&encoded, true).unwrap();
        }
    }
    let runs: Vec<Run> = jobs
        .par_iter()
        .flat_map(|&(index, part)| {
            COMMANDS.par_iter().enumerate().map(move |(number, command)| run(place, index, part, number, command))
        })
        .collect();
    let mut wrong = Vec::new();
    for run in &runs {
        println!("without {:<32} {:<60} {} {}", run.part, run.command, run.exit, run.said);
        wrong.extend(run.wrong.iter().map(|what| format!("without {}: {}: {what}", run.part, run.command)));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn run(folder: &Path, index: usize, part: &Part, number: usize, command: &'static str) -> Run {
    let file = |name: &str| folder.join(format!("{name}{index}.bvh"));
    let ran = Ran::of(folder, &format!("out{index}-{number}"), command, file);
    let mut wrong = ran.wrong.clone();
    if ran.exit == 1 {
        wrong.extend(complaint(&ran.error, &file("walk"), part));
    }
    if command.starts_with("info") || (command.starts_with("inspect") && command.ends_with("json")) {
        wrong.extend(nonsense(&ran.printed, command));
    }
    Run { part: part.name, command, exit: ran.exit, said: ran.error, wrong }
}

/// A refusal names a part that is not there, none that is, and the way out.
fn complaint(error: &str, file: &Path, part: &Part) -> Vec<String> {
    let mut wrong = Vec::new();
    let roles = read_file(file, &ReadOptions::default()).map(|import| import.roles).unwrap();
    let named = error.split("recognised as ").skip(1).flat_map(|rest| {
        let words = rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        words.filter(|word| *word != "and").map_while(|word| word.parse::<Role>().ok())
    });
    let named: Vec<Role> = named.collect();
    if named.is_empty() {
        wrong.push(format!("no part that lacks is named: {error}"));
    }
    wrong.extend(
        named.iter().filter(|role| roles.joint(**role).is_some()).map(|role| format!("{role} is there: {error}")),
    );
    if !error.contains("roles file") {
        wrong.push(format!("no way out is named: {error}"));
    }
    if part.name == "nothing" {
        wrong.push(format!("refused: {error}"));
    }
    wrong
}

/// Statures of a person of 1.74 m that are farther off than 15 %, and units that are no centimetres.
fn nonsense(printed: &str, command: &str) -> Vec<String> {
    let Ok(value) = serde_json::from_str::<Value>(printed) else { return vec![format!("no JSON: {printed}")] };
    let told = value["clips"].get(0).unwrap_or(&value);
    let stature_m = told["stature_m"].as_f64();
    let mut wrong = Vec::new();
    match stature_m {
        Some(stature_m) if (stature_m / 1.744 - 1.0).abs() <= 0.15 => {}
        other => wrong.push(format!("stature {other:?}")),
    }
    if command.starts_with("info") && told["unit_m"].as_f64() != Some(0.01) {
        wrong.push(format!("unit {}", told["unit_m"]));
    }
    wrong
}
