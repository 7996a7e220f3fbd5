//! Contacts travel with a clip from one command to the next: bending and mending as two commands is the same as one
//! project with both.

mod common;

use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::kinematics::joint_positions_m;
use common::{aplomb, built, captures, code, files_below, folder, receipt_with, stderr, text};
use serde_json::Value;
use std::path::Path;

/// All joints of two files, how far apart at most.
fn apart_m(a: &Path, b: &Path) -> f64 {
    let places = |path: &Path| joint_positions_m(&read_file(path, &ReadOptions::default()).expect("reads").clip);
    let (a, b) = (places(a), places(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

fn words(receipt: &Value, of: &str) -> String {
    receipt["steps"].as_array().expect("steps").iter().map(|step| step[of].to_string()).collect()
}

/// How far joints that jerk bend their way, as warnings tell it.
fn bends_mm(warnings: &str) -> Vec<f64> {
    let number = |rest: &str| rest.split(" mm").next().and_then(|word| word.parse().ok());
    let bends: Vec<f64> = warnings.split("its way bends by ").skip(1).filter_map(number).collect();
    assert_eq!(bends.len(), warnings.matches(" jerks at ").count(), "{warnings}");
    bends
}

fn any_of(args: &[&str]) -> Value {
    let all: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
    let output = aplomb(&all);
    assert!([0, 3].contains(&code(&output)), "{args:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("a receipt")
}

/// Bent and touched up by two commands, and by a project: the same motion and the same score.
fn assert_same_as_project(clip: &Path, radius: &str, side: &str, folder: &Path) -> (f64, f64) {
    let at = |name: &str| folder.join(name);
    let (bent, two, one, project) = (at("bent.bvh"), at("two.bvh"), at("one.bvh"), at("both.toml"));
    any_of(&["arc", text(clip), "--radius", radius, "--side", side, "-o", text(&bent), "--force"]);
    assert!(at("bent.bvh.contacts.toml").is_file());
    let mended = any_of(&["touchup", text(&bent), "-o", text(&two), "--force"]);
    // Joints are reported from 15 mm on; when this was written it was from 20, and there was nothing to tell (16_45: a
    // knee, 16 mm).
    let told = words(&mended, "warnings");
    assert!(bends_mm(&told).iter().all(|bend_mm| *bend_mm < 20.0), "{}: {told}", clip.display());
    assert!(words(&mended, "notes").contains("contacts: from bent.bvh.contacts.toml, carried through arc"));
    let words = format!(
        "schema = 1\nclip = {:?}\n[[edit]]\nverb = \"arc\"\nradius_m = {radius}\nside = {side:?}\n[[edit]]\nverb = \"touchup\"\n",
        text(clip)
    );
    std::fs::write(&project, words).unwrap();
    let both = any_of(&["run", text(&project), "-o", text(&one), "--force"]);
    // The bent clip went through a file with six decimals of a unit; what iterates over it moves by no more than a few
    // hundredths of a millimetre.
    let apart_m = apart_m(&two, &one);
    assert!(apart_m < 1e-3, "{}: {apart_m} m apart", clip.display());
    let score = |receipt: &Value| receipt["after"]["score_all"].as_f64().expect("a score");
    let scores = (score(&mended), score(&both));
    assert!((scores.0 - scores.1).abs() < 0.5, "{}: {scores:?}", clip.display());
    assert_eq!(mended["status"], both["status"]);
    let stands =
        |receipt: &Value| receipt["steps"].as_array().unwrap().last().unwrap()["touchup"]["feet_after"]["pins"].clone();
    assert_eq!(stands(&mended), stands(&both));
    scores
}

#[test]
fn two_commands_are_a_project_with_both() {
    let folder = folder();
    let walk = built(&folder, "run");
    let scores = assert_same_as_project(&walk, "6", "left", folder.path());
    assert!(scores.0 > 0.0);
}

#[test]
fn two_commands_are_a_project_with_both_on_captures() {
    let Some(data) = captures("bent runs by two commands") else { return };
    let folder = folder();
    let all = files_below(&data, "bvh");
    let bends = [
        ("09_01", "5", "left"),
        ("16_55", "5", "left"),
        ("127_06", "6", "right"),
        ("35_17", "4", "left"),
        // Its ankle jumped by 3 cm beside a pin, lifted at once for what comes later.
        ("16_45", "4.4", "right"),
        ("35_01", "3", "right"),
    ];
    for (name, radius, side) in bends {
        let Some(clip) = all.iter().find(|path| path.file_stem().is_some_and(|stem| stem == name)) else {
            eprintln!("SKIPPED: {name} is not there");
            continue;
        };
        let scores = assert_same_as_project(clip, radius, side, folder.path());
        eprintln!("{name}: {:.1} by two commands, {:.1} by a project", scores.0, scores.1);
        // Without the contacts from before the bend the runs among them had 1 to 4 points.
        assert!(scores.0 > 20.0, "{name}: {scores:?}");
    }
}

#[test]
fn contacts_beside_another_motion_are_told_of_and_not_used() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (bent, other) = (at("bent.bvh"), at("other.bvh"));
    receipt_with(&["arc", "builtin:walk", "--radius", "3", "--side", "left", "-o", text(&bent)], 0);
    let place = at("bent.bvh.contacts.toml");
    let mended = any_of(&["touchup", text(&bent), "--detect-contacts", "--dry-run"]);
    assert!(!words(&mended, "notes").contains("carried through"));
    // Another motion under the same name.
    std::fs::copy(built(&folder, "long-jump"), &bent).unwrap();
    let mended = any_of(&["touchup", text(&bent), "-o", text(&other)]);
    assert!(words(&mended, "warnings").contains("belongs to another motion"), "{mended}");
    assert!(!words(&mended, "notes").contains("carried through"));
    assert!(!at("other.bvh.contacts.toml").exists(), "nothing was carried, so nothing goes with it");
    for hostile in ["", "schema = 1\n[carried]", "\u{0}\u{1}", "schema = 1\n[carried]\nclip_sha256 = \"x\"\n"] {
        std::fs::write(&place, hostile).unwrap();
        let told = any_of(&["touchup", text(&bent), "--dry-run"]);
        assert!(words(&told, "warnings").contains("contacts.toml"), "{hostile:?}: {told}");
    }
}

#[test]
fn what_goes_with_a_clip_obeys_force_and_goes_when_it_means_nothing() {
    let folder = folder();
    let (bent, place) = (folder.path().join("bent.bvh"), folder.path().join("bent.bvh.contacts.toml"));
    let bend = ["arc", "builtin:walk", "--radius", "3", "--side", "left", "-o", text(&bent)];
    std::fs::write(&place, "mine").unwrap();
    common::refused(&bend, &["bent.bvh.contacts.toml"]);
    assert!(!bent.exists());
    std::fs::remove_file(&place).unwrap();
    let told = receipt_with(&bend, 0);
    assert_eq!(told["outputs"].as_array().unwrap().len(), 2, "{}", told["outputs"]);
    let forced: Vec<&str> = bend.iter().chain(&["--force"]).copied().collect();
    receipt_with(&forced, 0);
    // In another format it goes along.
    let glb = folder.path().join("bent.glb");
    let converted = aplomb(&["convert", text(&bent), text(&glb)]);
    assert_eq!(code(&converted), 0, "{}", stderr(&converted));
    let mended = any_of(&["touchup", text(&glb), "--dry-run"]);
    assert!(words(&mended, "notes").contains("contacts: from bent.glb.contacts.toml"), "{}", words(&mended, "notes"));
    receipt_with(&["cut", "builtin:walk", "--from", "1", "-o", text(&bent), "--force"], 0);
    assert!(!place.exists(), "the clip is another one now");
}

#[test]
fn ground_and_pace_travel_too() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (up, quick) = (at("up.bvh"), at("quick.bvh"));
    receipt_with(&["tilt", "builtin:walk", "--angle", "8", "-o", text(&up)], 0);
    let climbing = any_of(&["touchup", text(&up), "--dry-run"]);
    assert!(words(&climbing, "notes").contains("ground: inclined by 8.0"), "{}", words(&climbing, "notes"));
    // Said once more, it is the same ground, and the contacts stay.
    let said = any_of(&["touchup", text(&up), "--slope", "8", "--dry-run"]);
    assert_eq!(said["after"]["score_all"], climbing["after"]["score_all"]);
    // A jump at twice the pace falls at 4 g, which is no mistake.
    receipt_with(&["speed", "builtin:long-jump", "--factor", "2", "-o", text(&quick)], 0);
    let planted = aplomb(&["plant", text(&quick), "--dry-run"]);
    assert!([0, 3].contains(&code(&planted)), "{}", stderr(&planted));
    std::fs::remove_file(at("quick.bvh.contacts.toml")).unwrap();
    let refused = aplomb(&["plant", text(&quick), "--dry-run"]);
    assert_eq!(code(&refused), 1, "without it nobody knows that the header does not lie: {}", stderr(&refused));
}
