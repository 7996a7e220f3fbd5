//! Limbs of edited motions do not jump: jumps where they leave the ground, and a horse.

mod measures;
#[path = "path/scenes.rs"]
mod scenes;

use aplomb_editing::arc::Arc;
use aplomb_editing::path::{GroundCurve, PathEditor, PathOptions, Timing};
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::edit::{Join, concatenate};
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::{Clip, LimbKind, Roles, Side};
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
        let editor = PathEditor::new(&it.clip, &it.roles, &it.body, &it.contacts, PathOptions::default()).unwrap();
        check(name, &it.clip, &it.roles, &editor);
    }
}

/// A scaled path turns nobody: the take-off and landing of a jump on the spot have no direction between them, and were once turned by half a turn.
#[test]
fn a_scaled_path_turns_nobody() {
    let Some(folder) = measures::captures() else { return };
    let it = Capture::read(&folder, "cmu-bvh/jump-turn/83_60.bvh");
    let mut editor = PathEditor::new(&it.clip, &it.roles, &it.body, &it.contacts, PathOptions::default()).unwrap();
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

/// A captured horse walks on the spot for one cycle: five of them, carried on as fast as its hooves go back.
fn travelling_horse(folder: &std::path::Path) -> scenes::Scene {
    let file = folder.join("quadruped/horse/horse_walk.bvh");
    let walk = read_file(&file, &ReadOptions::default()).unwrap().clip;
    let skeleton = walk.skeleton().clone();
    let places_m = joint_positions_m(&walk);
    let hooves = skeleton.ids().filter(|id| {
        let name = &skeleton.joint(*id).name;
        name.starts_with("front_leg_foot") || name.starts_with("back_leg_toe")
    });
    let mut steps_m = Vec::new();
    for hoof in hooves {
        let way_m: Vec<DVec3> = places_m.iter().skip(hoof.index()).step_by(skeleton.len()).copied().collect();
        let lowest_m = way_m.iter().map(|place_m| place_m.y).fold(f64::INFINITY, f64::min);
        let is_down = |pair: &&[DVec3]| pair.iter().all(|place_m| place_m.y < lowest_m + 0.02);
        steps_m.extend(way_m.windows(2).filter(is_down).map(|pair| (pair[1] - pair[0]).z));
    }
    steps_m.sort_by(f64::total_cmp);
    let step_m = DVec3::Z * -steps_m[steps_m.len() / 2];
    let cycles = vec![&walk; 5];
    let mut horse = concatenate(&cycles, Join::AsIs).unwrap();
    let root = skeleton.roots().next().unwrap();
    for (frame, place_m) in horse.track_mut(root).unwrap().iter_mut().enumerate() {
        *place_m += step_m * frame as f64;
    }
    scenes::Scene::of(horse)
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
