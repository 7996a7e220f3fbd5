use crate::codes;
use crate::edit::*;
use crate::error::ProjectError;
use aplomb_editing::touchup::{Stage, Status, StepList};
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
    run_project(&Project::from_toml(text, Path::new("p.toml"))?, folder)
}

fn run_project(project: &Project, folder: &Path) -> Result<Outcome, ProjectError> {
    let (read, out) = (ReadOptions::default(), Path::new("out.bvh"));
    run(project, &RunRequest::quiet(folder, read, out))
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
radius_m = 4.0
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
    assert_eq!(outcome.steps[1].findings[0].code, codes::ENTERED);
    assert_eq!(outcome.steps[5].frames, outcome.steps[4].frames + outcome.original.clip.frame_count());
    assert_eq!(outcome.clip.frame_count(), outcome.steps[5].frames);
    let inputs: Vec<&str> = outcome.provenance.inputs.iter().filter_map(|input| input.sha256.as_deref()).collect();
    assert_eq!(inputs.len(), 2, "each file once");
    assert!(inputs.iter().all(|digits| digits.len() == 64));
    // What was recorded makes the same motion again.
    let again = run_text(&outcome.provenance.project.to_toml().unwrap(), folder.path()).unwrap();
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
            superhuman: false,
        }),
        Edit::Tilt(aplomb_editing::tilt::Tilt::uphill(8.0)),
        Edit::Transition(TransitionEdit { into: "c.bvh".into(), from_secs: 0.5, to_secs: 1.0, into_secs: None }),
        Edit::Touchup(TouchupEdit::default()),
        Edit::Touchup(TouchupEdit {
            only: Some(Stage::Ground),
            margin: 0.25,
            slope: Some(Slope::Degrees(8.0)),
            from_secs: Some(0.5),
            joints: vec!["upper_body".into()],
            contacts: Some("c.toml".into()),
            steps: StepList::usual(true).steps,
            ..TouchupEdit::default()
        }),
        Edit::Plant(PlantEdit { slope: Some(Slope::Normal([0.0, 1.0, 0.1])), ..PlantEdit::default() }),
    ];
    let mut project = Project::new("a.bvh", edits);
    project.fps = Some(Fps::Word(FpsWord::Auto));
    project.input.up = Some(UpAxis::Z);
    project.body.mass_kg = Some(72.5);
    let seat = crate::PointRequest {
        name: "seat".into(),
        joint: "Hips".into(),
        point_in_joint_m: glam::DVec3::new(0.0, -0.1, 0.0),
        may_be_raised: true,
    };
    project.points = vec![seat];
    let text = project.to_toml().unwrap();
    assert_eq!(Project::from_toml(&text, Path::new("p.toml")).unwrap(), project, "{text}");
    let receipt = serde_json::json!({ "schema": 1, "project": project, "other": [1, 2] }).to_string();
    assert_eq!(Project::from_text(&receipt, Path::new("r.json")).unwrap(), project, "{receipt}");
    let error = Project::from_text("{\"schema\": 1}", Path::new("r.json")).unwrap_err().to_string();
    assert!(error.contains("r.json") && error.contains("receipt of an edit"), "{error}");
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
        ("schema = 1\nclip = \"a.bvh\"\nfps = \"fast\"", "\"auto\""),
        ("schema = 1\nclip = \"a.bvh\"\n[[edit]]\nverb = \"touchup\"\nslope = \"steep\"", "degrees"),
        ("schema = 1\nclip = \"a.bvh\"\n[[edit]]\nverb = \"plant\"\nmargin = 0.5", "margin"),
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
    let import = |clip: &Clip| aplomb_formats::Import::of_clip(Path::new("b.bvh"), clip.clone());
    let project = Project::new(
        "builtin:walk",
        vec![Edit::Join(JoinEdit { clips: vec!["in memory".into()], place: Join::Continue })],
    );
    let joined = |other: &Clip| {
        let memory = [MemoryClip { name: "in memory".into(), import: import(other), known: None }];
        let quiet = RunRequest::quiet(Path::new(""), ReadOptions::default(), Path::new("out.bvh"));
        run(&project, &RunRequest { memory: &memory, ..quiet }).unwrap()
    };
    let stray = joined(&with_stray);
    assert_eq!(stray.clip.frame_count(), 2 * walk.frame_count() - 1);
    assert_eq!(stray.steps[0].findings[0].code, codes::JOINED_FIRST_FRAME);
    assert!(joined(&walk).steps[0].findings.is_empty());
}

/// The bend of the built-in walk at 3 m, and what the verbs make of it.
fn bent(edits: &str) -> Outcome {
    let text = format!(
        "schema = 1\nclip = \"builtin:walk\"\n[[edit]]\nverb = \"arc\"\nradius_m = 3.0\nside = \"left\"\n{edits}"
    );
    run_text(&text, Path::new("")).unwrap()
}

fn zmp_m(inspected: &Option<crate::Inspected>) -> f64 {
    inspected.as_ref().unwrap().inspection.zmp.mean_m.unwrap()
}

#[test]
fn a_bent_walk_is_balanced_again() {
    let plain = bent("");
    let touched = bent("[[edit]]\nverb = \"touchup\"\n");
    assert!(zmp_m(&touched.after) < 0.5 * zmp_m(&plain.after), "{} {}", zmp_m(&touched.after), zmp_m(&plain.after));
    let record = touched.steps[1].touchup().unwrap();
    assert_eq!(record.status, Status::Improved);
    assert!(record.after.mean_m < record.before.mean_m && !record.iterations.is_empty());
    assert_eq!(record.layers.len(), touched.steps[1].layers().len());
    assert!(touched.status.is_met() && touched.joints.len() == touched.clip.skeleton().len());
    // The stage after the bend is what the plain bend ends with.
    let stage = touched.steps[0].stage.unwrap();
    assert_eq!(stage.zmp_mean_m.unwrap(), zmp_m(&plain.after));
}

#[test]
fn an_uphill_walk_stands_on_its_slope() {
    let hill = "schema = 1\nclip = \"builtin:walk\"\n[[edit]]\nverb = \"tilt\"\nangle_deg = 8.0\n";
    let tilted = run_text(hill, Path::new("")).unwrap();
    let touched = run_text(&format!("{hill}[[edit]]\nverb = \"touchup\"\n"), Path::new("")).unwrap();
    assert!(zmp_m(&touched.after) < 0.6 * zmp_m(&tilted.after), "{} {}", zmp_m(&touched.after), zmp_m(&tilted.after));
    // Said of the tilted file, the same ground is found: its heights are where the feet stand.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("uphill.bvh");
    let encoded =
        export::encode(&path, &tilted.clip, None, FrameOfReference::INTERNAL, &WriteOptions::default()).unwrap();
    export::save(&encoded, true).unwrap();
    let stated = "schema = 1\nclip = \"uphill.bvh\"\n[[edit]]\nverb = \"touchup\"\nslope = 8.0\n";
    let stated = run_text(stated, folder.path()).unwrap();
    // Contacts are found on the tilted file here and on the level walk there, and the file has six decimals.
    assert!((zmp_m(&stated.after) - zmp_m(&touched.after)).abs() < 2e-3);
    let floor = |inspected: &Option<crate::Inspected>| inspected.as_ref().unwrap().inspection.contacts.floor_height_m;
    assert!(floor(&stated.before).unwrap().abs() < 0.02, "{:?}", floor(&stated.before));
}

#[test]
fn masks_and_spans_leave_the_rest_as_it_was() {
    let plain = bent("");
    let arms = bent("[[edit]]\nverb = \"touchup\"\njoints = [\"arms\"]\n");
    let roles = aplomb_motion::Roles::detect(&plain.clip);
    let chosen = aplomb_editing::mask::select(plain.clip.skeleton(), &roles, &["arms"]).unwrap();
    let changed: Vec<bool> = plain
        .clip
        .skeleton()
        .ids()
        .map(|joint| plain.clip.frames().any(|it| plain.clip.rotation(it, joint) != arms.clip.rotation(it, joint)))
        .collect();
    for (joint, changed) in plain.clip.skeleton().ids().zip(&changed) {
        assert!(!changed || chosen.contains(&joint), "{joint:?}");
    }
    assert!(changed.contains(&true) && arms.clip.tracks() == plain.clip.tracks());
    let late = bent("[[edit]]\nverb = \"plant\"\nfrom_secs = 1.5\n");
    let early = aplomb_motion::FrameIndex(100);
    assert_eq!(late.clip.rotations_at(early), plain.clip.rotations_at(early));
    assert!(late.clip != plain.clip);
}

#[test]
fn what_speed_does_to_falling_is_no_lie_of_a_header() {
    let text = "schema = 1\nclip = \"builtin:long-jump\"\n[[edit]]\nverb = \"speed\"\nfactor = 2.0\n\
                [[edit]]\nverb = \"touchup\"\n";
    let outcome = run_text(text, Path::new("")).unwrap();
    let excused = outcome.steps[1].findings.iter().find(|it| it.code == codes::FALL_EXCUSED);
    assert_eq!(excused.and_then(|it| it.get("verb")), Some("speed".into()));
}

#[test]
fn built_in_clips_need_no_file_and_unknown_ones_are_answered_with_the_known() {
    let error = run_text("schema = 1\nclip = \"builtin:waltz\"", Path::new("")).unwrap_err().to_string();
    assert!(error.contains("waltz") && error.contains("turning-walk"), "{error}");
    let outcome =
        run_text("schema = 1\nclip = \"builtin:ball\"\n[[edit]]\nverb = \"cut\"\nto_secs = 0.5", Path::new(""));
    assert_eq!(outcome.unwrap().provenance.inputs[0].sha256, None);
}

const CHAIN: &str = "schema = 1\nclip = \"walk.bvh\"\n[[edit]]\nverb = \"path\"\nfollow = { radius_m = 3.0, side = \"left\" }\n\
                     [[edit]]\nverb = \"touchup\"\n[[edit]]\nverb = \"cut\"\nto_secs = 2.0\n";

fn run_kept(text: &str, folder: &Path, cache: &mut PrefixCache, made: &std::cell::RefCell<Vec<usize>>) -> Outcome {
    let project = Project::from_toml(text, Path::new("p.toml")).unwrap();
    let on_edit = |index: usize, _: &Edit| made.borrow_mut().push(index);
    let (read, out) = (ReadOptions::default(), Path::new("out.bvh"));
    let request = RunRequest { on_edit: &on_edit, ..RunRequest::quiet(folder, read, out) };
    run_cached(&project, &request, cache).unwrap()
}

#[test]
fn a_kept_prefix_is_not_made_again_and_gives_the_same_result() {
    let folder = folder_with(&["walk"]);
    let (mut cache, made) = (PrefixCache::keeping(8), std::cell::RefCell::new(Vec::new()));
    let plain = run_text(CHAIN, folder.path()).unwrap();
    let first = run_kept(CHAIN, folder.path(), &mut cache, &made);
    assert_eq!(made.take(), [0, 1, 2]);
    let tuned = CHAIN.replace("to_secs = 2.0", "to_secs = 1.5");
    let second = run_kept(&tuned, folder.path(), &mut cache, &made);
    assert_eq!(made.take(), [2], "only the cut changed");
    let back = run_kept(CHAIN, folder.path(), &mut cache, &made);
    assert_eq!(made.take(), [] as [usize; 0], "undo needs no work");
    for other in [&first, &back] {
        assert!(plain.clip == other.clip);
        assert_eq!(plain.after.as_ref().unwrap().inspection, other.after.as_ref().unwrap().inspection);
        assert_eq!(plain.before.as_ref().unwrap().inspection, other.before.as_ref().unwrap().inspection);
        let stages = |outcome: &Outcome| outcome.steps.iter().map(|step| step.stage).collect::<Vec<_>>();
        assert_eq!(stages(&plain), stages(other));
    }
    assert!(run_text(&tuned, folder.path()).unwrap().clip == second.clip);
    // Other bytes in the same file are another motion.
    let clip = aplomb_builtins::clip("run").unwrap();
    let path = folder.path().join("walk.bvh");
    let encoded = export::encode(&path, &clip, None, FrameOfReference::INTERNAL, &WriteOptions::default()).unwrap();
    export::save(&encoded, true).unwrap();
    assert!(run_kept(CHAIN, folder.path(), &mut cache, &made).clip != back.clip);
    assert_eq!(made.take(), [0, 1, 2]);
}

#[test]
fn a_replay_that_is_cancelled_ends_before_its_next_edit() {
    let mut cache = PrefixCache::keeping(2);
    let flag = cache.cancel_flag();
    let project = Project::from_toml(&CHAIN.replace("walk.bvh", "builtin:walk"), Path::new("p.toml")).unwrap();
    let on_edit = |index: usize, _: &Edit| flag.store(index == 1, std::sync::atomic::Ordering::Relaxed);
    let (read, out, folder) = (ReadOptions::default(), Path::new("out.bvh"), Path::new(""));
    let request = RunRequest { on_edit: &on_edit, ..RunRequest::quiet(folder, read, out) };
    assert!(matches!(run_cached(&project, &request, &mut cache), Err(ProjectError::Cancelled)));
}

#[test]
fn a_path_in_hand_ends_where_its_replay_does() {
    let text = "schema = 1\nclip = \"builtin:walk\"\n[[edit]]\nverb = \"cut\"\nto_secs = 2.5\n[[edit]]\nverb = \"path\"\n\
                change = [{ handle = 1, move = [0.2, 0.0, 0.1] }]\n";
    let mut project = Project::from_toml(text, Path::new("p.toml")).unwrap();
    let (read, out, folder) = (ReadOptions::default(), Path::new("out.bvh"), Path::new(""));
    let request = RunRequest::quiet(folder, read, out);
    let mut cache = PrefixCache::keeping(4);
    let mut live = live_path(&project, &request, 1, &mut cache).unwrap();
    let moved = glam::DVec3::new(0.3, 0.0, -0.2);
    live.editor.set_handle(2, live.base_m[2] + moved).unwrap();
    let dragged = live.editor.solve().unwrap().clip;
    let Edit::Path(path) = &mut project.edits[1] else { panic!() };
    path.changes.push(PathChange::Move { handle: 2, by_m: moved });
    assert!(run_cached(&project, &request, &mut cache).unwrap().clip == dragged);
    assert!(live_path(&project, &request, 0, &mut cache).is_err(), "a cut has no handles");
}

#[test]
fn corrected_contacts_win_until_times_change() {
    let contact = |effector: &str, from: f64, to: f64| {
        format!(
            "[[contact]]\neffector = \"{effector}\"\nstart_secs = {from}\nend_secs = {to}\nkind = \"load\"\nsource = \"hand\"\n"
        )
    };
    let contacts = contact("left_ball", 0.2, 0.5) + &contact("right_ball", 0.6, 0.9);
    let start = format!("schema = 1\nclip = \"builtin:walk\"\n{contacts}");
    let loads = |inspected: &Option<crate::Inspected>| inspected.as_ref().unwrap().inspection.contacts.contacts.len();
    let outcome = run_text(&start, Path::new("")).unwrap();
    assert_eq!((loads(&outcome.before), loads(&outcome.after)), (2, 2));
    let bent = format!("{start}[[edit]]\nverb = \"arc\"\nradius_m = 3.0\nside = \"left\"\n");
    assert_eq!(loads(&run_text(&bent, Path::new("")).unwrap().after), 2);
    let faster = format!("{start}[[edit]]\nverb = \"speed\"\nfactor = 1.2\n");
    assert!(loads(&run_text(&faster, Path::new("")).unwrap().after) > 2, "found anew");
    let text = Project::from_toml(&bent, Path::new("p.toml")).unwrap().to_toml().unwrap();
    assert_eq!(Project::from_toml(&text, Path::new("p.toml")).unwrap().contacts.len(), 2, "{text}");
}

#[test]
fn a_project_writes_below_its_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let output = |file: &str| {
        let mut project = Project::new("builtin:walk", Vec::new());
        project.output.file = Some(file.into());
        project.own_output(folder.path())
    };
    assert_eq!(output("out.bvh").unwrap().unwrap(), folder.path().join("out.bvh"));
    for hostile in ["../out.bvh", "/tmp/out.bvh", "a/../../out.bvh", ""] {
        assert!(output(hostile).is_err(), "{hostile}");
    }
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("not-there.bvh"), folder.path().join("dangling.bvh")).unwrap();
        assert!(output("link/out.bvh").is_err());
        assert!(output("dangling.bvh").is_err());
    }
    let mut project = Project::new("../other/walk.bvh", Vec::new());
    project.body.file = Some("body.toml".into());
    assert_eq!(project.sources_outside(folder.path()), [Path::new("../other/walk.bvh")]);
}
