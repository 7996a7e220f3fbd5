//! What the command does where an edit makes the motion worse: it says so first, ends with 3, and writes no motion
//! unless a person accepts it.

mod common;

use common::{aplomb, built, code, json, stderr, stdout, text};
use serde_json::Value;
use tempfile::TempDir;

/// A walk whose middle goes 30 cm aside, and nobody leans: found as exit 0 with a score of 26.
const WORSE: [&str; 4] = ["path", "builtin:walk", "--move", "3:0.3,0,0"];

fn folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

fn receipt(args: &[&str], expected: i32) -> Value {
    let all: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
    let output = aplomb(&all);
    assert_eq!(code(&output), expected, "{args:?}: {}{}", stdout(&output), stderr(&output));
    json(&output, "receipt")
}

#[test]
fn what_is_harmed_is_not_written_unless_a_person_accepts_it() {
    let folder = folder();
    let (out, file) = (folder.path().join("out.bvh"), folder.path().join("out.json"));
    let refused = aplomb(&[&WORSE[..], &["-o", text(&out)]].concat());
    assert_eq!(code(&refused), 3, "{}", stderr(&refused));
    assert!(
        stderr(&refused).contains("--accept-harm") && stderr(&refused).contains("physics falls"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no motion, nothing beside it");
    let told = receipt(&[&WORSE[..], &["-o", text(&out), "--receipt", text(&file)]].concat(), 3);
    assert_eq!((told["status"].as_str(), told["verdict"]["result"].as_str()), (Some("harmed"), Some("harmed")));
    assert_eq!(told["outputs"], serde_json::json!([]));
    assert!(file.is_file() && !out.exists(), "the receipt shows why");
    receipt(&[&WORSE[..], &["-o", text(&out), "--accept-harm"]].concat(), 3);
    assert!(out.is_file());
}

#[test]
fn a_touch_up_goes_on_where_it_is_asked_for() {
    let alone = receipt(&[&WORSE[..], &["--dry-run"]].concat(), 3);
    let told =
        receipt(&["path", "builtin:walk", "--follow", "arc:radius=2,side=left", "--then", "touchup", "--dry-run"], 0);
    let verbs: Vec<&str> =
        told["steps"].as_array().unwrap().iter().map(|step| step["verb"].as_str().unwrap()).collect();
    assert_eq!(verbs, ["path", "touchup"]);
    assert_ne!(told["verdict"]["result"], "harmed");
    let physics = |told: &Value| told["after"]["aspects"]["physics_all"].as_f64().unwrap();
    assert!(physics(&alone) < 50.0 && physics(&told) > 90.0);
}

#[test]
fn projects_that_accept_harm_write_it() {
    let folder = folder();
    let (project, out) = (folder.path().join("p.toml"), folder.path().join("out.bvh"));
    let edits = "[[edit]]\nverb = \"path\"\n[[edit.change]]\nhandle = 3\nmove = [0.3, 0.0, 0.0]\n";
    let write = |output: &str| {
        std::fs::write(&project, format!("schema = 1\nclip = \"builtin:walk\"\n{output}{edits}")).unwrap()
    };
    write("");
    receipt(&["run", text(&project), "-o", text(&out)], 3);
    assert!(!out.exists());
    write("[output]\naccept_harm = true\n");
    receipt(&["run", text(&project), "-o", text(&out)], 3);
    assert!(out.is_file());
}

#[test]
fn a_receipt_begins_with_the_answer() {
    let output = aplomb(&["plant", "builtin:walk", "--dry-run"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let shown = stdout(&output);
    let second = shown.lines().nth(1).unwrap_or_default();
    assert!(second.contains("done") || second.contains("cost"), "{shown}");
}

#[test]
fn a_batch_counts_what_is_harmed_and_writes_none_of_it() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let walk = built(&folder, "walk");
    let edits = "[[edit]]\nverb = \"path\"\n[[edit.change]]\nhandle = 3\nmove = [0.3, 0.0, 0.0]\n";
    std::fs::write(at("p.toml"), format!("schema = 1\nclip = \"walk.bvh\"\n{edits}")).unwrap();
    let (out, index, project) = (at("out"), at("index.jsonl"), at("p.toml"));
    let args = ["batch", text(&walk), "--do", text(&project), "-o", text(&out), "--index", text(&index), "--json"];
    let output = aplomb(&args);
    assert_eq!(code(&output), 3, "{}{}", stdout(&output), stderr(&output));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["harmed"], 1);
    let row: Value = serde_json::from_str(std::fs::read_to_string(&index).unwrap().lines().next().unwrap()).unwrap();
    assert_eq!((row["status"].as_str(), row["verdict"].as_str()), (Some("harmed"), Some("harmed")));
    assert_eq!(row["outputs"], serde_json::json!([]));
}
