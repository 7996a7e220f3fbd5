//! Rates on the way in, and receipts, without the command around them.

use crate::receipt::Change;
use crate::{InspectRequest, ProjectError, RateChoice, compare, inspect_file, load, load_for_edit};
use aplomb_formats::{ReadOptions, WriteOptions, export};
use aplomb_motion::{Clip, FrameOfReference, FrameTime, Timeline, edit};
use std::path::{Path, PathBuf};

fn saved(folder: &Path, name: &str, clip: &Clip) -> PathBuf {
    let path = folder.join(name);
    let encoded = export::encode(&path, clip, None, FrameOfReference::INTERNAL, &WriteOptions::default()).unwrap();
    export::save(&encoded, true).unwrap();
    path
}

/// A jump at 60 Hz whose header says 120: it falls at 4 g.
fn lying_jump() -> Clip {
    let at_60 = FrameTime::from_hz(60.0).unwrap();
    let jump = edit::resample(&aplomb_builtins::clip("long-jump").unwrap(), at_60).unwrap();
    jump.with_timeline(Timeline::Uniform(FrameTime::from_hz(120.0).unwrap())).unwrap()
}

#[test]
fn an_edit_is_refused_until_somebody_chose_the_rate() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "lying.bvh", &lying_jump());
    let options = ReadOptions::default();
    let error = load_for_edit(&path, &options, None).unwrap_err();
    assert!(matches!(error, ProjectError::RateInDoubt { header_hz: 120.0, true_hz: 60.0, .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("captured at 60 fps, header says 120"), "{message}");
    let hz = |rate| load_for_edit(&path, &options, Some(rate)).unwrap().clip.timeline().uniform().unwrap().hz();
    assert_eq!((hz(RateChoice::Auto), hz(RateChoice::Header)), (60.0, 120.0));
    assert_eq!(hz(RateChoice::Given(FrameTime::from_hz(100.0).unwrap())), 100.0);
    let honest = saved(folder.path(), "honest.bvh", &aplomb_builtins::clip("long-jump").unwrap());
    assert!(load_for_edit(&honest, &options, None).is_ok(), "a true header needs no word");
}

#[test]
fn a_corrected_rate_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "lying.bvh", &lying_jump());
    let codes = |rate| -> Vec<String> {
        let import = load(&path, &ReadOptions::default(), rate).unwrap();
        import.diagnostics.iter().map(|it| it.code.to_string()).collect()
    };
    assert!(codes(RateChoice::Auto).contains(&"IMP-W002".to_owned()));
    assert!(!codes(RateChoice::Header).contains(&"IMP-W002".to_owned()));
}

#[test]
fn the_retimed_clip_and_the_report_share_a_clock() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "lying.bvh", &lying_jump());
    let inspected = inspect_file(&path, &InspectRequest::default()).unwrap();
    let last_secs = *inspected.inspection.series.times_secs.last().unwrap();
    assert!((inspected.clip().duration_secs() - last_secs).abs() < 1e-9, "{last_secs}");
    assert_eq!(inspected.header_hz(), Some(120.0));
}

#[test]
fn a_measure_moves_by_more_than_it_can_be_told_to_or_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "walk.bvh", &aplomb_builtins::clip("walk").unwrap());
    let before = inspect_file(&path, &InspectRequest::default()).unwrap().report(aplomb_editing::finding::by_meaning);
    let mut after = before.clone();
    after.zmp.mean_m = before.zmp.mean_m.map(|metres| metres + 0.02);
    after.skate.mean_m = before.skate.mean_m.map(|metres| metres + 1e-5);
    after.balance.outside_share = Some(0.9);
    after.friction.p95 = None;
    let receipt = compare(before, after);
    let change = |name: &str| receipt.changes.iter().find(|it| it.measure == name).unwrap().change;
    assert_eq!(change("zmp.mean_m"), Change::Worse);
    assert_eq!(change("skate.mean_m"), Change::Same);
    assert_eq!(change("balance.outside_share"), Change::Different, "walkers are out of balance by right");
    assert_eq!(change("friction.p95"), Change::Unknown);
    assert_eq!(receipt.counts(), (0, 1));
}

#[test]
fn a_rate_is_named_by_where_it_came_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "lying.bvh", &lying_jump());
    let rate = RateChoice::Given(FrameTime::from_hz(120.0).unwrap());
    let report = inspect_file(&path, &InspectRequest { rate, ..InspectRequest::default() })
        .unwrap()
        .report(aplomb_editing::finding::by_meaning);
    assert!(report.warnings.iter().any(|it| it.ends_with("given 120")), "{:?}", report.warnings);
    assert!(!report.warnings.iter().any(|it| it.contains("header")), "{:?}", report.warnings);
}

#[test]
fn what_does_not_apply_has_no_quality() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "walk.bvh", &aplomb_builtins::clip("walk").unwrap());
    let report = inspect_file(&path, &InspectRequest::default()).unwrap().report(aplomb_editing::finding::by_meaning);
    let fall = report.score_parts["fall"];
    assert_eq!((fall.value, fall.quality), (None, None), "a walk does not fall");
    assert!(report.score_parts["drift"].quality.is_some());
}
