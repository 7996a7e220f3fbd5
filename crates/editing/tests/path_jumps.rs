//! Limbs of edited motions do not jump: jumps where they leave the ground, and a horse.

mod measures;
#[path = "path/scenes.rs"]
mod scenes;

use aplomb_analysis::Take;
use aplomb_editing::arc::Arc;
use aplomb_editing::path::{GroundCurve, JumpHeight, PathEdited, PathEditor, PathOptions, Timing};
use aplomb_editing::travel::Travel;
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::{Clip, LimbKind, Roles, Side};
use aplomb_physics::{Body, BodyOptions};
use glam::DVec3;
use measures::Capture;

/// Largest second difference of a knee or an ankle from one frame to the next, m.
fn largest_pop_m(clip: &Clip, roles: &Roles) -> f64 {
    let joints = clip.skeleton().len();
    let positions_m = joint_positions_m(clip);
    let mut largest_m = 0.0_f64;
    for side in [Side::Left, Side::Right] {
        let limb = roles.limb(side, LimbKind::Leg).unwrap();
        for joint in [limb.middle, limb.end] {
            let at = |frame: usize| positions_m[frame * joints + joint.index()];
            for frame in 1..clip.frame_count() - 1 {
                largest_m = largest_m.max((at(frame + 1) + at(frame - 1) - 2.0 * at(frame)).length());
            }
        }
    }
    largest_m
}

type Edit = (&'static str, fn(&mut PathEditor));

const EDITS: [Edit; 4] = [
    ("one to the side", |editor| editor.move_handle(2, DVec3::X * 0.3).unwrap()),
    ("two to the side", |editor| (2..4).for_each(|handle| editor.move_handle(handle, DVec3::X * 0.3).unwrap())),
    ("two ahead", |editor| (2..4).for_each(|handle| editor.move_handle(handle, DVec3::Z * 0.3).unwrap())),
    ("arc", |editor| editor.follow(&GroundCurve::Arc(Arc::new(2.0, Side::Right))).unwrap()),
];

/// How much beyond 2.5 times the input's a frame may bend the way of a knee, m.
const BEYOND_M: f64 = 0.01;

fn check(name: &str, clip: &Clip, roles: &Roles, editor: &PathEditor) {
    let own_m = largest_pop_m(clip, roles);
    for (edit, apply) in EDITS {
        let mut editor = editor.clone();
        apply(&mut editor);
        let done = editor.solve().unwrap();
        let found_m = largest_pop_m(&done.clip, roles);
        assert!(found_m <= 2.5 * own_m + BEYOND_M, "{name} {edit}: {own_m} {found_m}");
        assert!(editor.pops(&done).unwrap().iter().all(|limb| !limb.is_torn()), "{name} {edit}");
    }
}

#[test]
fn legs_of_edited_jumps_do_not_jump() {
    for name in ["short-jump", "long-jump"] {
        let scene = scenes::scene(name);
        check(name, &scene.clip, &scene.roles, &scene.editor());
    }
}

#[test]
fn legs_of_captured_jumps_do_not_jump() {
    let Some(folder) = measures::captures() else { return };
    for name in ["118_20", "16_06", "13_11", "16_07", "83_46", "16_09", "118_10"] {
        let it = Capture::read(&folder, &format!("cmu-bvh/jump-forward/{name}.bvh"));
        let editor = PathEditor::new(
            &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone())
                .with_known_contacts(it.contacts.clone(), None),
            PathOptions::default(),
        )
        .unwrap();
        check(name, &it.clip, &it.roles, &editor);
    }
}

/// Feet leave the ground and come down with the body, however high it goes: they stayed behind for 0.2 s, which
/// straightened knees with a kink of up to 34 mm.
#[test]
fn legs_of_higher_and_lower_jumps_do_not_kink() {
    let Some(folder) = measures::captures() else { return };
    for name in ["jump-forward/83_46", "jump-turn/83_53", "jump-forward/16_09", "jump-vertical/13_39"] {
        let it = Capture::read(&folder, &format!("cmu-bvh/{name}.bvh"));
        let mut editor = PathEditor::new(
            &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone())
                .with_known_contacts(it.contacts.clone(), None),
            PathOptions::default(),
        )
        .unwrap();
        let own_m = largest_pop_m(editor.original(), &it.roles);
        for times in [0.5, 1.5, 2.0] {
            editor.set_jump_height(0, JumpHeight::Times(times)).unwrap();
            let found_m = largest_pop_m(&editor.solve().unwrap().clip, &it.roles);
            assert!(found_m <= 2.5 * own_m + BEYOND_M, "{name} x{times}: {own_m} {found_m}");
        }
    }
}

/// Lower jumps straightened knees before take-off and raised heels that stood, each with a kink of 18–36 mm in a frame;
/// stairs downwards did so by 30.
#[test]
fn lower_jumps_and_stairs_downwards_do_not_jerk() {
    let Some(folder) = measures::captures() else { return };
    for name in
        ["jump-vertical/16_03", "jump-turn/83_57", "jump-vertical/02_04", "jump-vertical/118_02", "jump-forward/83_46"]
    {
        let it = Capture::read(&folder, &format!("cmu-bvh/{name}.bvh"));
        let mut editor = PathEditor::new(
            &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone())
                .with_known_contacts(it.contacts.clone(), None),
            PathOptions::default(),
        )
        .unwrap();
        editor.set_jump_height(0, JumpHeight::Times(0.5)).unwrap();
        assert_no_more_jerk(name, &editor.solve().unwrap(), &editor);
    }
    let it = Capture::read(&folder, "cmu-bvh/walk-straight/16_15.bvh");
    let options = PathOptions { stairs: true, ..PathOptions::default() };
    let mut editor = PathEditor::new(
        &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone()).with_known_contacts(it.contacts.clone(), None),
        options,
    )
    .unwrap();
    for handle in 0..editor.handles().len() {
        editor.move_handle(handle, DVec3::Y * (-0.15 * handle as f64)).unwrap();
    }
    assert_no_more_jerk("16_15 down", &editor.solve().unwrap(), &editor);
}

/// Nothing bends beyond 1.5 times what it did by more than this, m; it was 14–27 mm.
const JERK_M: f64 = 0.01;

fn assert_no_more_jerk(name: &str, done: &PathEdited, editor: &PathEditor) {
    for pop in editor.pops(done).unwrap() {
        assert!(pop.jerk_m() <= JERK_M, "{name}: {pop:?}");
    }
}

/// What is played faster bends its way more in a frame, by the square: that is no jerk, and none is reported.
#[test]
fn a_faster_motion_does_not_jerk() {
    let scene = scenes::scene("walk");
    let mut editor = scene.editor();
    editor.set_timing(Timing::Scale(0.5)).unwrap();
    let done = editor.solve().unwrap();
    for pop in editor.pops(&done).unwrap() {
        assert!(pop.second_difference_m[1] > 1e-3 && pop.jerk_m() < 0.0, "{pop:?}");
    }
}

/// Hooves of a gallop made by hand slide whatever way it is given: no foot is found standing. What can be done is in
/// `crates/words` (`feet_that_never_stand_have_a_way_on`).
#[test]
fn a_gallop_without_contacts_is_refused() {
    let Some(folder) = measures::captures() else { return };
    let Some(it) = Capture::try_read(&folder, "quadruped/horse/horse_run.bvh") else { return };
    let refused = PathEditor::new(
        &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone()).with_known_contacts(it.contacts.clone(), None),
        PathOptions::default(),
    )
    .unwrap_err();
    assert_eq!(refused, aplomb_editing::EditingError::NoStance);
}

/// Knees that stand past straight (CMU 141, 90) flipped by up to 19 cm in a frame where only the clock was changed.
#[test]
fn knees_past_straight_do_not_flip() {
    let Some(folder) = measures::captures() else { return };
    for name in ["141_04", "141_14", "141_22", "141_28"] {
        let kind =
            ["jump-forward", "hop", "acrobatics", "jump-turn", "obstacle", "walk-turn", "dance", "jump-vertical"];
        let file = kind.iter().map(|kind| format!("cmu-bvh/{kind}/{name}.bvh")).find(|it| folder.join(it).is_file());
        let Some(it) = file.and_then(|file| Capture::try_read(&folder, &file)) else { continue };
        let options = PathOptions { timing: Timing::Scale(1.013), ..PathOptions::default() };
        let Ok(mut editor) = PathEditor::new(
            &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone())
                .with_known_contacts(it.contacts.clone(), None),
            options,
        ) else {
            continue;
        };
        let own_m = largest_pop_m(editor.original(), &it.roles);
        let found_m = largest_pop_m(&editor.solve().unwrap().clip, &it.roles);
        assert!(found_m <= 1.2 * own_m + 2e-3, "{name}: {own_m} {found_m}");
    }
}

/// Where a walk begins by standing, handles lay 2–4 cm from each other, and one of them moved by 5 cm spun the body at
/// 680° a second.
#[test]
fn small_moves_of_the_first_steps_spin_nobody() {
    let Some(folder) = measures::captures() else { return };
    for name in ["walk-straight/104_02", "walk-straight/10_04", "walk-turn/113_06", "walk-turn/83_36"] {
        let it = Capture::read(&folder, &format!("cmu-bvh/{name}.bvh"));
        let mut editor = PathEditor::new(
            &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone())
                .with_known_contacts(it.contacts.clone(), None),
            PathOptions::default(),
        )
        .unwrap();
        for by_m in [DVec3::new(0.05, 0.0, 0.0), DVec3::new(0.1, 0.0, 0.05), DVec3::new(-0.05, 0.0, -0.1)] {
            editor.reset();
            editor.move_handle(1, by_m).unwrap();
            let turn = editor.solve().unwrap().report.fastest_turn;
            // Less than one turn a second: people turn so fast in a step.
            assert!(turn < std::f64::consts::TAU, "{name} {by_m}: {turn}");
        }
    }
}

/// A scaled path turns no body: the take-off and landing of a jump on the spot have no direction between them, and were
/// once turned by half a turn.
#[test]
fn a_scaled_path_turns_nobody() {
    let Some(folder) = measures::captures() else { return };
    let it = Capture::read(&folder, "cmu-bvh/jump-turn/83_60.bvh");
    let mut editor = PathEditor::new(
        &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone()).with_known_contacts(it.contacts.clone(), None),
        PathOptions::default(),
    )
    .unwrap();
    let start_m = editor.handles()[0].position_m;
    for handle in 0..editor.handles().len() {
        let away_m = (editor.handles()[handle].position_m - start_m).with_y(0.0);
        editor.move_handle(handle, away_m * 0.2).unwrap();
    }
    let done = editor.solve().unwrap();
    let (bend_m, own_m) = (largest_pop_m(&done.clip, &it.roles), largest_pop_m(&it.clip, &it.roles));
    assert!(bend_m <= 1.5 * own_m, "{own_m} {bend_m}");
}

#[test]
fn torn_motions_are_told() {
    let scene = scenes::scene("walk");
    let mut editor = scene.editor();
    assert!(editor.follow(&GroundCurve::Arc(Arc::new(0.05, Side::Left))).is_err());
    let step_m = editor.handles()[3].position_m - editor.handles()[2].position_m;
    editor.move_handle(2, step_m.with_y(0.0)).unwrap();
    editor.move_handle(3, -step_m.with_y(0.0)).unwrap();
    let done = editor.solve().unwrap();
    assert!(done.report.is_spun(), "{}", done.report.fastest_turn);
    editor.reset();
    editor.move_handle(3, DVec3::X * 3.0).unwrap();
    let done = editor.solve().unwrap();
    assert!(editor.pops(&done).unwrap().iter().any(|limb| limb.is_torn()));
    editor.reset();
    let same = editor.solve().unwrap();
    for limb in editor.pops(&same).unwrap() {
        assert!(limb.second_difference_m[1] <= limb.second_difference_m[0] * (1.0 + 1e-6) + 1e-9, "{limb:?}");
    }
}

/// A horse walks on the spot for one cycle: five of them, carried on as fast as its hooves go back.
fn travelling_horse(folder: &std::path::Path) -> scenes::Scene {
    let file = folder.join("quadruped/horse/horse_walk.bvh");
    let walk = read_file(&file, &ReadOptions::default()).unwrap().clip;
    let roles = Roles::detect(&walk);
    let body = Body::of_clip(&walk, &roles, &BodyOptions::default()).unwrap();
    let made =
        Travel { cycles: 5, ..Travel::default() }.apply(&Take::new(walk.clone(), roles.clone(), body.clone())).unwrap();
    // A horse walks at 1.3 to 1.9 m/s.
    assert!((1.3..1.9).contains(&made.velocity.z), "{}", made.velocity);
    scenes::Scene::of(made.clip)
}

#[test]
fn a_horse_that_was_given_travel_walks_a_circle() {
    let Some(folder) = measures::captures() else { return };
    let scene = travelling_horse(&folder);
    let mut editor = scene.editor();
    assert!(editor.handles().len() >= 10, "{}", editor.handles().len());
    editor.follow(&GroundCurve::Arc(Arc::new(3.0, Side::Left))).unwrap();
    let done = editor.solve().unwrap();
    assert_eq!(done.report.unreached_keys, 0);
    assert!(!done.report.is_spun() && editor.pops(&done).unwrap().iter().all(|limb| !limb.is_torn()));
    let (on_keys_mm, _) = scenes::extra_drift_mm(&scene, &mut editor, Timing::Keep);
    assert!(on_keys_mm < 0.1, "{on_keys_mm}");
}
