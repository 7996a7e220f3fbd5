//! What a program that builds on the library relies on.

use aplomb::edits::{ArcEdit, CutEdit, JoinEdit, SpeedEdit, TouchupEdit};
use aplomb::{Edit, Error, Motion, Project, RunRequest, Side};
use std::path::Path;

fn bent() -> Vec<Edit> {
    vec![Edit::Arc(ArcEdit::new(2.0, Side::Left)), Edit::Touchup(TouchupEdit::default())]
}

#[test]
fn edits_one_by_one_make_what_a_project_of_all_makes() {
    let walk = Motion::load("builtin:walk").unwrap();
    let motion = bent().into_iter().fold(walk, |motion, edit| motion.edit(edit).unwrap());
    let project = Project::new("builtin:walk", bent());
    let request = RunRequest::quiet(Path::new(""), Default::default(), Path::new("result"));
    let outcome = aplomb::run(&project, &request).unwrap();
    assert_eq!(*motion.clip(), outcome.clip);
    assert_eq!(*motion.take().clip(), outcome.clip);
    assert_eq!(*motion.project(), project);
    assert_eq!(motion.receipt().steps.len(), 2);
}

#[test]
fn a_saved_motion_takes_its_contacts_along_and_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (clip, receipt) = (folder.path().join("bent.bvh"), folder.path().join("bent.json"));
    let motion = Motion::load("builtin:walk").unwrap().edit(bent().remove(0)).unwrap();
    motion.save_with_receipt(&clip, &receipt).unwrap();
    assert!(folder.path().join("bent.bvh.contacts.toml").is_file());
    let text = std::fs::read_to_string(&receipt).unwrap();
    assert!(text.contains("\"dry_run\": false") && text.contains("bent.bvh.contacts.toml"), "{text}");
    assert_eq!(Project::from_text(&text, &receipt).unwrap(), *motion.project());
    let bytes = std::fs::read(&clip).unwrap();
    assert!(matches!(motion.save(&clip), Err(Error::Format(_))));
    assert_eq!(std::fs::read(&clip).unwrap(), bytes);
    // The next program goes on where this one stopped.
    let again = Motion::load(&clip).unwrap().edit(bent().remove(1)).unwrap();
    assert!(again.receipt().steps[0].notes.iter().any(|note| note.contains("bent.bvh.contacts.toml")));
}

#[test]
fn another_motion_of_the_same_name_is_not_taken_for_the_first() {
    let join = || Edit::Join(JoinEdit { clips: vec!["next".into()], place: aplomb::edits::Join::Continue });
    let walk = Motion::load("builtin:walk").unwrap();
    let half = Motion::load("builtin:walk").unwrap().edit(Edit::Speed(SpeedEdit::new(2.0))).unwrap();
    let joined = Motion::load("builtin:walk").unwrap().with_other("next", &walk).edit(join()).unwrap();
    let frames = joined.clip().frame_count();
    let joined = joined.with_other("next", &half).edit(join()).unwrap();
    // Both joins name it, so both are made with what the name means now.
    assert_eq!(joined.clip().frame_count() - frames, half.clip().frame_count() * 2 - walk.clip().frame_count());
}

#[test]
fn a_motion_of_code_is_as_good_as_one_that_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let clip = Motion::load("builtin:walk").unwrap().clip().clone();
    let cut = Edit::Cut(CutEdit { from_secs: None, to_secs: Some(1.0) });
    let motion = Motion::of_clip("mine", clip).unwrap().edit(cut).unwrap();
    motion.save(folder.path().join("mine.glb")).unwrap();
    let read = Motion::load(folder.path().join("mine.glb")).unwrap();
    assert_eq!(read.clip().frame_count(), motion.clip().frame_count());
}

#[test]
fn the_receipt_is_a_page_too() {
    let motion = Motion::load("builtin:walk").unwrap().edit(bent().remove(0)).unwrap();
    assert!(motion.receipt_page().unwrap().contains("</html>"));
}
