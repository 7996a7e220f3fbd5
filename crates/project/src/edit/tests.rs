use super::*;
use crate::error::ProjectError;
use aplomb_formats::{ReadOptions, WriteOptions, export};
use aplomb_motion::edit::Join;
use aplomb_motion::{Axis, Clip, FrameOfReference, Side, SignedPermutation};
use std::path::Path;

fn folder_with(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let frame = FrameOfReference { internal_from_file: SignedPermutation::lifting(Axis::Y), metres_per_unit: 0.01 };
    for name in names {
        let clip: Clip = aplomb_builtins::clip(name).unwrap();
        let path = folder.path().join(format!("{name}.bvh"));
        let encoded = export::encode(&path, &clip, None, frame, &WriteOptions::default()).unwrap();
        export::save(&encoded, true).unwrap();
    }
    folder
}

fn run_text(text: &str, folder: &Path) -> Result<Outcome, ProjectError> {
    run(&Project::from_toml(text, Path::new("p.toml"))?, folder, &ReadOptions::default(), &[])
}

const ALL: &str = r#"
schema = 1
clip = "walk.bvh"

[[edit]]
verb = "cut"
from_secs = 0.5

[[edit]]
verb = "transition"
into = "run.bvh"
from_secs = 1.0
to_secs = 1.5

[[edit]]
verb = "speed"
factor = 0.5
from_secs = 0.2
to_secs = 0.8
ease_secs = 0.1

[[edit]]
verb = "arc"
radius_m = 3.0
side = "left"
from_secs = 0.5
ease_m = 0.2

[[edit]]
verb = "tilt"
angle_deg = 5.0

[[edit]]
verb = "join"
clips = ["walk.bvh"]
"#;

#[test]
fn a_project_is_replayed_step_by_step() {
    let folder = folder_with(&["walk", "run"]);
    let outcome = run_text(ALL, folder.path()).unwrap();
    let verbs: Vec<&str> = outcome.steps.iter().map(|step| step.verb).collect();
    assert_eq!(verbs, ["cut", "transition", "speed", "arc", "tilt", "join"]);
    let walk_secs = outcome.original.clip.duration_secs();
    assert!((outcome.steps[0].duration_secs - (walk_secs - 0.5)).abs() < 1e-6);
    assert!(outcome.steps[1].notes[0].contains("entered at"), "{:?}", outcome.steps[1].notes);
    assert_eq!(outcome.steps[5].frames, outcome.steps[4].frames + outcome.original.clip.frame_count());
    assert_eq!(outcome.clip.frame_count(), outcome.steps[5].frames);
    assert_eq!(outcome.provenance.inputs.len(), 3);
    // What was recorded makes the same motion again.
    let again = run_text(&outcome.provenance.project, folder.path()).unwrap();
    assert!(again.clip == outcome.clip);
}

#[test]
fn records_read_back_as_they_were_written() {
    let edits = vec![
        Edit::Cut(CutEdit { from_secs: None, to_secs: Some(2.0) }),
        Edit::Join(JoinEdit { clips: vec!["b.bvh".into()], place: Join::AsIs }),
        Edit::Speed(SpeedEdit { factor: 1.5, from_secs: None, to_secs: None, ease_secs: 0.25 }),
        Edit::Arc(ArcEdit {
            radius_m: 3.0,
            side: Side::Right,
            lead_in_m: Some(1.0),
            length_m: None,
            ease_m: 0.0,
            from_secs: None,
            to_secs: None,
        }),
        Edit::Tilt(aplomb_editing::tilt::Tilt::uphill(8.0)),
        Edit::Transition(TransitionEdit { into: "c.bvh".into(), from_secs: 0.5, to_secs: 1.0, into_secs: None }),
    ];
    let project = Project::new("a.bvh", edits);
    let text = project.to_toml().unwrap();
    assert_eq!(Project::from_toml(&text, Path::new("p.toml")).unwrap(), project, "{text}");
}

#[test]
fn files_that_make_no_sense_are_answered_with_what_would() {
    for (text, words) in [
        ("clip = \"a.bvh\"", "schema = 1"),
        ("schema = 2\nclip = \"a.bvh\"", "newer"),
        ("schema = 1", "clip"),
        ("schema = 1\nclip = \"a.bvh\"\n[[edit]]\nverb = \"fly\"", "fly"),
        ("schema = 1\nclip = \"a.bvh\"\n[[edit]]\nverb = \"arc\"\nradius_m = 2.0", "side"),
        ("schema = 1\nclip = \"a.bvh\"\n[[edit]]\nverb = \"tilt\"\nangle_deg = 3.0\nangle = 4", "angle"),
        ("schema = 1\nclip = \"a.bvh\"\n[[edits]]\nverb = \"cut\"", "edits"),
        ("schema = ", "TOML"),
    ] {
        let error = Project::from_toml(text, Path::new("p.toml")).unwrap_err().to_string();
        assert!(error.contains("p.toml") && error.contains(words), "{text}\n{error}");
    }
}

#[test]
fn an_edit_that_fails_is_named() {
    let folder = folder_with(&["walk"]);
    let text = "schema = 1\nclip = \"walk.bvh\"\n[[edit]]\nverb = \"cut\"\nto_secs = 1.0\n[[edit]]\nverb = \"cut\"\nfrom_secs = 7.0";
    let error = run_text(text, folder.path()).unwrap_err().to_string();
    assert!(error.contains("edit 2 (cut)"), "{error}");
    let text = "schema = 1\nclip = \"walk.bvh\"\n[[edit]]\nverb = \"join\"\nclips = [\"gone.bvh\"]";
    let error = run_text(text, folder.path()).unwrap_err().to_string();
    assert!(error.contains("gone.bvh"), "{error}");
    let arc = "verb = \"arc\"\nradius_m = 2.0\nside = \"left\"\nfrom_secs = 0.5\nlead_in_m = 1.0";
    let error = run_text(&format!("schema = 1\nclip = \"walk.bvh\"\n[[edit]]\n{arc}"), folder.path()).unwrap_err();
    assert!(error.to_string().contains("lead_in_m"), "{error}");
}

#[test]
fn a_stray_first_frame_is_not_joined_into_the_middle() {
    let walk = aplomb_builtins::clip("walk").unwrap();
    let mut with_stray = walk.clone();
    with_stray.rotations_at_mut(aplomb_motion::FrameIndex(0)).fill(glam::DQuat::IDENTITY);
    let join = Edit::Join(JoinEdit { clips: vec!["b.bvh".into()], place: Join::Continue });
    let joined = join.apply(&walk, &[with_stray]).unwrap();
    assert_eq!(joined.clip.frame_count(), 2 * walk.frame_count() - 1);
    assert!(joined.notes[0].contains("joined clip 1"), "{:?}", joined.notes);
    assert_eq!(join.apply(&walk, std::slice::from_ref(&walk)).unwrap().notes, Vec::<String>::new());
}
