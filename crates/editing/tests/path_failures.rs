//! What can go wrong with path editing, and how it is reported: the failure modes of docs/algorithms/path.md.

#[path = "path/scenes.rs"]
mod scenes;

use aplomb_editing::EditingError;
use aplomb_editing::arc::Arc;
use aplomb_editing::path::{GroundCurve, JumpHeight, PathEditor, PathOptions, Timing};
use aplomb_motion::edit::GroundMove;
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::{Clip, FrameIndex, Side};
use glam::DVec3;
use scenes::{Scene, extra_drift_mm, farthest_m, scene, with_stop};
use std::f64::consts::PI;

#[test]
fn wrong_requests_are_named() {
    let scene = scene("walk");
    let mut editor = scene.editor();
    let handles = editor.handles().len();
    assert_eq!(editor.move_handle(handles, DVec3::ZERO), Err(EditingError::UnknownHandle { handle: handles, handles }));
    for by_m in [DVec3::NAN, DVec3::INFINITY, DVec3::splat(1e9)] {
        assert!(matches!(editor.move_handle(1, by_m), Err(EditingError::HandleGoal { handle: 1, .. })));
    }
    assert_eq!(
        editor.set_jump_height(0, JumpHeight::Times(2.0)),
        Err(EditingError::UnknownFlight { flight: 0, flights: 0 })
    );
    assert!(editor.set_timing(Timing::Scale(f64::NAN)).is_err());
    let mut jump = scenes::scene("long-jump").editor();
    for height in [JumpHeight::Times(0.0), JumpHeight::Metres(f64::NAN), JumpHeight::Times(-1.0)] {
        assert!(matches!(jump.set_jump_height(0, height), Err(EditingError::Setting { .. })));
    }
    for name in ["wave", "bow", "drum"] {
        let found = scenes::scene(name).try_editor(PathOptions::default());
        assert!(matches!(found, Err(EditingError::TooFewHandles { .. })), "{name}");
    }
    let two = aplomb_motion::edit::cut_frames(&scene.clip, FrameIndex(0)..FrameIndex(2)).unwrap();
    assert!(matches!(Scene::of(two).try_editor(PathOptions::default()), Err(EditingError::TooFewFrames { .. })));
}

fn all_finite(clip: &Clip) -> bool {
    joint_positions_m(clip).iter().all(|point_m| point_m.is_finite() && point_m.length() < 1e3)
}

#[test]
fn coincident_crossing_and_reversed_handles_stay_finite_and_are_told() {
    let scene = scene("walk");
    let mut editor = scene.editor();
    let at = |editor: &PathEditor, index: usize| editor.handles()[index].position_m;
    let (two, three) = (at(&editor, 2), at(&editor, 3));
    editor.set_handle(3, two).unwrap();
    let done = editor.solve().unwrap();
    assert!(all_finite(&done.clip) && !done.report.findings.is_empty());
    // Swapped: the path runs back and on again.
    editor.set_handle(2, three).unwrap();
    let done = editor.solve().unwrap();
    assert!(all_finite(&done.clip));
    let slowest = done.report.secs[1] / done.report.secs[0];
    assert!((0.4..=2.5).contains(&slowest), "{slowest}");
    // Everything in one place.
    for index in 0..editor.handles().len() {
        editor.set_handle(index, DVec3::Y).unwrap();
    }
    let done = editor.solve().unwrap();
    assert!(all_finite(&done.clip) && !done.report.findings.is_empty());
}

#[test]
fn legs_that_are_too_short_are_lowered_for_and_told() {
    let scene = scene("walk");
    let mut last_drop_m = 0.0;
    for scale in [1.2, 1.4, 1.6, 2.5] {
        let mut editor = scene.editor();
        let start_m = editor.handles()[0].position_m;
        for index in 0..editor.handles().len() {
            let from_m = editor.handles()[index].position_m;
            let to_m = start_m + (from_m - start_m) * scale;
            editor.set_handle(index, to_m.with_y(from_m.y)).unwrap();
        }
        let done = editor.solve().unwrap();
        assert!(all_finite(&done.clip));
        assert!(done.report.deepest_drop_m > last_drop_m, "{scale}: {}", done.report.deepest_drop_m);
        last_drop_m = done.report.deepest_drop_m;
        if scale >= 1.4 {
            assert!(!done.report.findings.is_empty(), "{scale}");
        }
        if scale == 1.2 {
            assert_eq!(done.report.unreached_keys, 0);
        }
    }
}

#[test]
fn standing_in_the_middle_neither_spins_nor_breaks_rigid_moves() {
    let scene = Scene::of(with_stop(&scene("walk").clip, 150, 120));
    let mut editor = scene.editor();
    let by = GroundMove { yaw_rad: 1.1, shift_m: DVec3::new(2.0, 0.0, 1.0) };
    for index in 0..editor.handles().len() {
        let to_m = by.point_m(editor.handles()[index].position_m);
        editor.set_handle(index, to_m).unwrap();
    }
    let done = editor.solve().unwrap();
    let worst_m = farthest_m(&scene.clip, |p| by.point_m(p), &done.clip);
    assert!(worst_m < 1e-5, "{worst_m:e}");
    // A bend: the heading turns by no more than some degrees a key.
    editor.reset();
    editor.follow(&GroundCurve::Arc(Arc::new(1.5, Side::Left))).unwrap();
    editor.set_timing(Timing::Keep).unwrap();
    let done = editor.solve().unwrap();
    let root = done.clip.skeleton().roots().next().unwrap();
    let turns = done.clip.frames().skip(1).map(|frame| {
        let before = FrameIndex(frame.0 - 1);
        let new = done.clip.rotation(before, root).angle_between(done.clip.rotation(frame, root));
        let old = scene.clip.rotation(before, root).angle_between(scene.clip.rotation(frame, root));
        (new - old).to_degrees()
    });
    let worst_deg = turns.fold(0.0, f64::max);
    assert!(worst_deg < 3.0, "{worst_deg}");
    // Standing takes as long as it did.
    editor.set_timing(Timing::Auto).unwrap();
    let report = editor.solve().unwrap().report;
    let stood_secs = report.key_secs[150 + 110] - report.key_secs[160];
    assert!((stood_secs / (100.0 / 120.0) - 1.0).abs() < 0.1, "{stood_secs}");
}

#[test]
fn half_plants_at_the_ends_stay_where_they_stand() {
    // Cut in the middle of a stance at both ends.
    let walk = scene("walk").clip;
    let cut = aplomb_motion::edit::cut_frames(&walk, FrameIndex(35)..FrameIndex(walk.frame_count() - 30)).unwrap();
    let scene = Scene::of(cut);
    let mut editor = scene.editor();
    editor.follow(&GroundCurve::Arc(Arc::new(1.5, Side::Right))).unwrap();
    let (on_keys_mm, resampled_mm) = extra_drift_mm(&scene, &mut editor, Timing::Auto);
    assert!(on_keys_mm < 0.1 && resampled_mm < 0.5, "{on_keys_mm} {resampled_mm}");
}

#[test]
fn doubtful_flights_are_plain_path() {
    let mut scene = scene("long-jump");
    for flight in &mut scene.contacts.flights {
        flight.verdict = aplomb_analysis::contacts::Verdict::Doubtful;
    }
    let mut editor = scene.editor();
    assert!(editor.flights().is_empty());
    editor.move_handle(2, DVec3::new(0.0, 0.0, 0.3)).unwrap();
    assert!(all_finite(&editor.solve().unwrap().clip));
}

#[test]
fn a_standing_turn_does_not_spin_when_the_path_is_bent() {
    // Someone stops, shifts their hips round a circle of 2 cm within a second, and goes on.
    let mut clip = with_stop(&scene("walk").clip, 150, 121);
    let root = clip.skeleton().roots().next().unwrap();
    for (index, position_m) in clip.track_mut(root).unwrap()[150..271].iter_mut().enumerate() {
        let (sin, cos) = (index as f64 / 120.0 * 2.0 * PI).sin_cos();
        *position_m += DVec3::new(0.02 * (1.0 - cos), 0.0, 0.02 * sin);
    }
    let scene = Scene::of(clip);
    let mut editor = scene.editor_with(PathOptions { timing: Timing::Keep, ..PathOptions::default() });
    for radius_m in [1.5, 3.0] {
        editor.follow(&GroundCurve::Arc(Arc::new(radius_m, Side::Right))).unwrap();
        let done = editor.solve().unwrap();
        assert!(all_finite(&done.clip));
        let turn_deg = |clip: &Clip, frame: FrameIndex| {
            let before = clip.rotation(FrameIndex(frame.0 - 1), root);
            before.angle_between(clip.rotation(frame, root)).to_degrees()
        };
        let extra = scene.clip.frames().skip(1).map(|frame| turn_deg(&done.clip, frame) - turn_deg(&scene.clip, frame));
        let worst_deg = extra.fold(0.0, f64::max);
        // Unlimited, standing turns were seen to spin by 25° a key.
        assert!(worst_deg < 5.0, "{radius_m}: {worst_deg}");
    }
}

/// Steps on the spot before a walk are one handle, not three.
#[test]
fn steps_on_the_spot_are_one_handle() {
    let walk = scene("walk").clip;
    let plain = Scene::of(walk.clone()).editor().handles().len();
    // The first 1.6 s, with what the root travels in them shrunk to 4 cm.
    let mut clip = walk;
    let root = clip.skeleton().roots().next().unwrap();
    let track_m = clip.track_mut(root).unwrap();
    let (start_m, until) = (track_m[0], 192);
    let shift_m = ((track_m[until] - start_m) * (1.0 - 0.04 / track_m[until].distance(start_m))).with_y(0.0);
    for (index, place_m) in track_m.iter_mut().enumerate() {
        *place_m -= shift_m * (index as f64 / until as f64).min(1.0);
    }
    let mut same = scene("walk");
    same.clip = clip;
    let editor = same.editor();
    assert!(editor.handles().len() < plain, "{} {plain}", editor.handles().len());
    for pair in editor.handles().windows(2) {
        assert!((pair[1].position_m - pair[0].position_m).with_y(0.0).length() >= 0.1);
    }
}

/// A joint on the floor above the hips that never moves (Bandai) is left where it is: the hips carry the motion.
#[test]
fn a_root_that_stands_still_stays() {
    let walk = scene("walk").clip;
    let lifted = scenes::with_floor_root(&walk);
    let scene = Scene::of(lifted);
    let mut plain = self::scene("walk").editor();
    let mut editor = scene.editor();
    for editor in [&mut plain, &mut editor] {
        editor.follow(&GroundCurve::Arc(Arc::new(2.0, Side::Left))).unwrap();
    }
    let (expected, done) = (plain.solve().unwrap().clip, editor.solve().unwrap().clip);
    let floor = done.skeleton().roots().next().unwrap();
    assert!(done.track(floor).is_none());
    let turned = scene.clip.rotation(FrameIndex(0), floor);
    // Interpolation normalises.
    assert!(done.frames().all(|frame| done.rotation(frame, floor).dot(turned).abs() > 1.0 - 1e-12));
    let joints = expected.skeleton().len();
    let (old_m, new_m) = (joint_positions_m(&expected), joint_positions_m(&done));
    for (frame, places_m) in old_m.chunks(joints).enumerate() {
        for (joint, place_m) in places_m.iter().enumerate() {
            let apart_m = place_m.distance(new_m[frame * (joints + 1) + joint + 1]);
            assert!(apart_m < 1e-9, "{frame} {joint}: {apart_m}");
        }
    }
    let bent = Arc::new(2.0, Side::Left).apply(&scene.clip).unwrap();
    assert!(bent.track(floor).is_none());
}
