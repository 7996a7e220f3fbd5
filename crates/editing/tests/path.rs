//! Path editing on built-in clips: every figure of docs/algorithms/path.md that does not need captures.

mod measures;
#[path = "path/scenes.rs"]
mod scenes;

use aplomb_analysis::Take;
use aplomb_editing::EditingError;
use aplomb_editing::arc::Arc;
use aplomb_editing::footplant::contact_drift;
use aplomb_editing::path::{GroundCurve, HandleKind, JumpHeight, PathOptions, ScaleFactors, Timing, align};
use aplomb_motion::edit::GroundMove;
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Side, Timeline, WorldPose};
use glam::DVec3;
use scenes::{Scene, extra_drift_mm, farthest_m, fitted_g, line_clip, scene};
use std::f64::consts::PI;

const TRAVELLING: [&str; 7] = ["walk", "turning-walk", "run", "short-jump", "long-jump", "quadruped-walk", "ball"];

#[test]
fn handles_sit_at_steps_and_landings() {
    let walk = scene("walk").editor();
    let kinds: Vec<HandleKind> = walk.handles().iter().map(|handle| handle.kind).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), (HandleKind::End, HandleKind::End));
    let inner = &walk.handles()[1..walk.handles().len() - 1];
    assert!(inner.iter().all(|handle| handle.kind == HandleKind::Step));
    // A step takes 0.53 s, and feet lead in turn.
    for pair in inner.windows(2) {
        assert!((pair[1].time_secs - pair[0].time_secs - 0.53).abs() < 0.1, "{:?}", pair);
        assert_ne!(pair[0].lead, pair[1].lead);
    }
    assert!(walk.flights().is_empty());
    let jump = scene("long-jump").editor();
    assert_eq!(jump.flights().len(), 1);
    // A parabola over its chord: gT²/8, landing lower or not. The first airborne keys still push a little.
    let flight = &jump.flights()[0];
    let fallen_m = 9.81 * (flight.end_secs - flight.start_secs).powi(2) / 8.0;
    assert!((flight.height_m / fallen_m - 1.0).abs() < 0.03, "{} {fallen_m}", flight.height_m);
    assert!(jump.handles().iter().any(|handle| handle.kind == HandleKind::Landing));
    let run = scene("run").editor();
    assert!(run.flights().len() + 1 >= run.handles().len() - 2);
    let leads: Vec<_> = run.handles()[1..run.handles().len() - 1].iter().map(|handle| handle.lead).collect();
    assert!(leads.windows(2).all(|pair| pair[0] != pair[1] && pair[0].is_some()), "{leads:?}");
    let ball = scene("ball").editor();
    assert!(ball.flights().len() >= 6 && ball.handles().len() >= 8);
}

#[test]
fn unmoved_handles_give_the_motion_back() {
    for name in TRAVELLING {
        let scene = scene(name);
        let mut editor = scene.editor();
        let done = editor.solve().unwrap();
        let worst_m = farthest_m(&scene.clip, |p| p, &done.clip);
        // Rounding of metres; nothing is solved.
        assert!(worst_m < 1e-9, "{name}: {worst_m:e}");
        assert!((done.report.secs[1] - done.report.secs[0]).abs() < 1e-9, "{name}");
        assert!(
            done.report.findings.is_empty() && done.report.unreached_keys == 0,
            "{name} {:?}",
            done.report.findings
        );
    }
}

#[test]
fn rigid_moves_of_all_handles_move_the_motion_rigidly() {
    for name in TRAVELLING {
        let scene = scene(name);
        let mut editor = scene.editor();
        for (yaw_rad, shift_m) in
            [(0.7, DVec3::new(3.0, 0.0, -2.0)), (-2.9, DVec3::new(-40.0, 0.0, 11.0)), (PI, DVec3::ZERO)]
        {
            let by = GroundMove { yaw_rad, shift_m };
            for index in 0..editor.handles().len() {
                let to_m = by.point_m(editor.handles()[index].position_m);
                editor.set_handle(index, to_m).unwrap();
            }
            let done = editor.solve().unwrap();
            let worst_m = farthest_m(&scene.clip, |p| by.point_m(p), &done.clip);
            // The path to 1e-8 m; legs that are solved anew to 0.01 mm.
            assert!(worst_m < 1e-5, "{name}: {worst_m:e}");
            let path = done.report.path_m.iter().zip(editor.original_path_m());
            let worst_m = path.map(|(new, old)| by.point_m(*old).distance(*new)).fold(0.0, f64::max);
            assert!(worst_m < 1e-8, "{name}: {worst_m:e}");
            // Rates are 1 up to the rounding of curvatures.
            assert!((done.report.secs[1] / done.report.secs[0] - 1.0).abs() < 1e-6, "{name}");
        }
    }
}

#[test]
fn two_handles_have_closed_forms() {
    let scene = scene("walk");
    let with = |scale_factors| PathOptions { handles: Some(vec![]), scale_factors, ..PathOptions::default() };
    for scale_factors in [ScaleFactors::PerSegment, ScaleFactors::One] {
        let mut editor = scene.editor_with(with(scale_factors));
        assert_eq!(editor.handles().len(), 2);
        let (start_m, end_m) = (editor.handles()[0].position_m, editor.handles()[1].position_m);
        let goals_m = [start_m + DVec3::new(0.3, 0.0, -0.2), end_m + DVec3::new(-1.0, 0.0, 0.8)];
        editor.set_handle(0, goals_m[0]).unwrap();
        editor.set_handle(1, goals_m[1]).unwrap();
        let done = editor.solve().unwrap();
        let flat = |v: DVec3| v.with_y(0.0);
        let (old, new) = (flat(end_m - start_m), flat(goals_m[1] - goals_m[0]));
        let yaw_rad = old.cross(new).y.atan2(old.dot(new));
        let turn = glam::DQuat::from_rotation_y(yaw_rad);
        let scale = new.length() / old.length();
        let path_m = editor.original_path_m();
        let mut along_m = vec![0.0];
        for pair in path_m.windows(2) {
            along_m.push(along_m[along_m.len() - 1] + flat(pair[1] - pair[0]).length());
        }
        let total_m = along_m[along_m.len() - 1];
        for ((old_m, new_m), along_m) in path_m.iter().zip(&done.report.path_m).zip(&along_m) {
            let turned = turn * flat(*old_m - start_m);
            let expected = match scale_factors {
                // Exactly similar.
                ScaleFactors::PerSegment => flat(goals_m[0]) + turned * scale,
                // p̂ = h₀ + R(p − p₀) + (a/L)(Δh − RΔp).
                _ => flat(goals_m[0]) + turned + (new - turn * old) * (along_m / total_m),
            };
            assert!(flat(*new_m).distance(expected) < 1e-7, "{scale_factors:?} {:e}", flat(*new_m).distance(expected));
        }
    }
}

#[test]
fn longer_strides_are_faster_by_the_power_of_five_thirds() {
    let scene = Scene::of(line_clip(1.2));
    let handles: Vec<FrameIndex> = (1..6).map(|i| FrameIndex(i * 60)).collect();
    for scale in [0.8_f64, 0.9, 1.1, 1.2, 1.3] {
        let mut editor = scene.editor_with(PathOptions { handles: Some(handles.clone()), ..PathOptions::default() });
        for index in 0..editor.handles().len() {
            let from_m = editor.handles()[index].position_m;
            editor.set_handle(index, DVec3::new(from_m.x * scale, from_m.y, from_m.z * scale)).unwrap();
        }
        let report = editor.solve().unwrap().report;
        let speed = scale / (report.secs[1] / report.secs[0]);
        let exponent = speed.ln() / scale.ln();
        assert!((exponent - 5.0 / 3.0).abs() < 1e-6, "{scale}: {exponent}");
        editor.set_timing(Timing::Paper).unwrap();
        let report = editor.solve().unwrap().report;
        let exponent = (scale / (report.secs[1] / report.secs[0])).ln() / scale.ln();
        assert!((exponent - 5.0 / 6.0).abs() < 1e-6, "{scale}: {exponent}");
        for (timing, expected) in [(Timing::Keep, 1.0), (Timing::Scale(1.5), 1.5)] {
            editor.set_timing(timing).unwrap();
            let report = editor.solve().unwrap().report;
            assert!((report.secs[1] / report.secs[0] - expected).abs() < 1e-12);
        }
    }
}

#[test]
fn arcs_slow_a_walk_down_and_its_feet_stand() {
    let scene = scene("walk");
    let mut editor = scene.editor();
    for (radius_m, slower) in [(1.5, 0.10), (2.0, 0.075), (3.0, 0.045)] {
        for side in Side::BOTH {
            editor.follow(&GroundCurve::Arc(Arc::new(radius_m, side))).unwrap();
            let done = editor.solve().unwrap();
            let speed = |i: usize| {
                let way_m: f64 = done.report.segments.iter().map(|segment| segment.length_m[i]).sum();
                way_m / done.report.secs[i]
            };
            let change = 1.0 - speed(1) / speed(0);
            assert!((change - slower).abs() < 0.02, "{radius_m} {side}: {change}");
            assert_eq!(done.report.unreached_keys, 0);
            let (on_keys_mm, resampled_mm) = extra_drift_mm(&scene, &mut editor, Timing::Auto);
            assert!(on_keys_mm < 0.1 && resampled_mm < 0.5, "{radius_m} {side}: {on_keys_mm} {resampled_mm}");
        }
    }
}

#[test]
fn feet_point_where_the_path_goes() {
    let scene = scene("walk");
    let mut editor = scene.editor_with(PathOptions { timing: Timing::Keep, ..PathOptions::default() });
    editor.follow(&GroundCurve::Arc(Arc::new(2.0, Side::Left))).unwrap();
    let done = editor.solve().unwrap();
    let toe_out_deg = |clip: &Clip, path_m: &[DVec3], side: Side| {
        let mut pose = aplomb_motion::WorldPose::for_skeleton(clip.skeleton());
        let at = |role| scene.roles.joint(role).unwrap().index();
        let (foot, toe) = (at(aplomb_motion::Role::Foot(side)), at(aplomb_motion::Role::Toe(side)));
        let mut found = Vec::new();
        for contact in scene.contacts.pins.iter().filter(|it| it.effector == format!("{side}_ball")) {
            let frame = (0.5 * (contact.start_secs + contact.end_secs) * 120.0) as usize;
            if !(30..path_m.len() - 30).contains(&frame) {
                continue;
            }
            pose.pose(clip, FrameIndex(frame));
            let ahead = (pose.joint_in_world_m[toe] - pose.joint_in_world_m[foot]).with_y(0.0);
            let way = (path_m[frame + 20] - path_m[frame - 20]).with_y(0.0);
            found.push(way.cross(ahead).y.atan2(way.dot(ahead)).to_degrees());
        }
        found
    };
    for side in Side::BOTH {
        let old = toe_out_deg(&scene.clip, editor.original_path_m(), side);
        let new = toe_out_deg(&done.clip, &done.report.path_m, side);
        assert!(old.len() >= 2);
        for (old, new) in old.iter().zip(&new) {
            // A third of a second of walking on this circle is 12°: a foot that kept its world direction would be off
            // by tens.
            assert!((old - new).abs() < 12.0, "{side}: {old} {new}");
        }
    }
}

#[test]
fn heels_that_rise_for_reach_pop_no_knee() {
    let scene = scene("walk");
    let own = [measures::peak_knee(&scene.clip, &scene.roles), measures::peak_acceleration(&scene.clip)];
    for (handle, by_m) in [(3, DVec3::X * 0.2), (3, DVec3::X * 0.4), (2, DVec3::X * -0.4), (4, DVec3::Z * 0.15)] {
        let mut editor = scene.editor();
        editor.move_handle(handle, by_m).unwrap();
        let done = editor.solve().unwrap().clip;
        let found = [measures::peak_knee(&done, &scene.roles), measures::peak_acceleration(&done)];
        // A foot that turned its axis round at toe-off popped the knee by 35° from one frame to the next: 20 times the
        // walk's own.
        assert!(found[0] < 3.0 * own[0] && found[1] < 3.0 * own[1], "{handle} {by_m}: {found:?} {own:?}");
    }
}

#[test]
fn straightened_turns_are_walked_faster() {
    let scene = scene("turning-walk");
    let mut editor = scene.editor();
    let handles = editor.handles().to_vec();
    let mut along_m = 0.0;
    let ahead = (handles[1].position_m - handles[0].position_m).with_y(0.0).normalize();
    for index in 0..handles.len() {
        if index > 0 {
            along_m += (handles[index].position_m - handles[index - 1].position_m).with_y(0.0).length();
        }
        editor.set_handle(index, handles[0].position_m + ahead * along_m).unwrap();
    }
    let report = editor.solve().unwrap().report;
    let speed = |i: usize| report.segments.iter().map(|it| it.length_m[i]).sum::<f64>() / report.secs[i];
    assert!(speed(1) > 1.05 * speed(0), "{} {}", speed(0), speed(1));
}

#[test]
fn higher_jumps_last_longer_by_the_root_and_fall_at_the_same_g() {
    for name in ["short-jump", "long-jump"] {
        let scene = scene(name);
        for times in [0.6, 1.5, 2.0] {
            let mut editor = scene.editor_with(PathOptions { keep_keys: true, ..PathOptions::default() });
            let flight = editor.flights()[0].clone();
            editor.set_jump_height(0, JumpHeight::Times(times)).unwrap();
            let done = editor.solve().unwrap();
            let secs = |key: FrameIndex| done.report.key_secs[key.0];
            let ratio = (secs(flight.end) - secs(flight.start)) / (flight.end_secs - flight.start_secs);
            assert!((ratio / times.sqrt() - 1.0).abs() < 1e-9, "{name} {times}: {ratio}");
            let span = (flight.start_secs, flight.end_secs);
            let g = fitted_g(&scene.clip, &scene.body, span);
            let span = (secs(flight.start), secs(flight.end));
            let on_keys = fitted_g(&done.clip, &scene.body, span);
            let mut resampling = scene.editor();
            resampling.set_jump_height(0, JumpHeight::Times(times)).unwrap();
            let resampled = fitted_g(&resampling.solve().unwrap().clip, &scene.body, span);
            assert!((on_keys / g - 1.0).abs() < 1e-3, "{name} {times}: {g} {on_keys}");
            assert!((resampled / g - 1.0).abs() < 5e-3, "{name} {times}: {g} {resampled}");
            assert!(if times > 1.0 {
                done.report.secs[1] > done.report.secs[0]
            } else {
                done.report.secs[1] < done.report.secs[0]
            });
        }
    }
}

#[test]
fn longer_jumps_take_no_longer() {
    let scene = scene("long-jump");
    let mut editor = scene.editor();
    let flight = editor.flights()[0].clone();
    let ahead = (editor.original_path_m()[flight.end.0] - editor.original_path_m()[flight.start.0]).with_y(0.0);
    for index in 0..editor.handles().len() {
        if editor.handles()[index].key > flight.end {
            editor.move_handle(index, ahead * 0.5).unwrap();
        }
    }
    let report = editor.solve().unwrap().report;
    let secs = |key: FrameIndex| report.key_secs[key.0];
    assert!((secs(flight.end) - secs(flight.start) - (flight.end_secs - flight.start_secs)).abs() < 1e-9);
    assert!(report.secs[1] <= report.secs[0] * 1.001, "{:?}", report.secs);
    // Legs that reach farther move the centre of mass against the root; the root makes up for it.
    let flight = editor.flight_changes().unwrap()[0];
    let [Some(was), Some(is)] = flight.g else { panic!("a flight of many keys") };
    assert!((is / was - 1.0).abs() < 1e-3, "{was} {is}");
    assert!((flight.length_m[1] / flight.length_m[0] - 1.3).abs() < 0.2, "{:?}", flight.length_m);
}

#[test]
fn a_level_walk_climbs_stairs() {
    let scene = scene("walk");
    let mut editor = scene.editor_with(PathOptions { stairs: true, timing: Timing::Keep, ..PathOptions::default() });
    let rise_m = 0.15;
    for index in 0..editor.handles().len() {
        editor.move_handle(index, DVec3::Y * (rise_m * index as f64)).unwrap();
    }
    let done = editor.solve().unwrap();
    let before = contact_drift(&scene.clip, &scene.contacts).worst_m;
    let after = contact_drift(&done.clip, &scene.contacts).worst_m;
    assert!(after - before < 1e-4, "plants are level: {before} {after}");
    // Balls of successive plants lie one step higher each; the first and last may be halves.
    let mut pose = aplomb_motion::WorldPose::for_skeleton(done.clip.skeleton());
    let mut heights: Vec<(f64, f64)> = Vec::new();
    for pin in scene.contacts.pins.iter().filter(|pin| pin.effector.ends_with("ball")) {
        let effector = scene.contacts.effectors.iter().find(|it| it.name == pin.effector).unwrap();
        let secs = 0.5 * (pin.start_secs + pin.end_secs);
        pose.pose(&done.clip, FrameIndex((secs * 120.0).round() as usize));
        heights.push((secs, pose.point_in_world_m(effector.joint, effector.point_in_joint_m).y));
    }
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rises: Vec<f64> = heights.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
    let inner = &rises[1..rises.len() - 1];
    assert!(!inner.is_empty() && inner.iter().all(|rise| (rise - rise_m).abs() < 0.01), "{rises:?}");
}

#[test]
fn a_quadruped_walks_in_a_circle() {
    let scene = scene("quadruped-walk");
    let mut editor = scene.editor();
    editor.follow(&GroundCurve::Arc(Arc::new(1.5, Side::Right))).unwrap();
    let done = editor.solve().unwrap();
    let (on_keys_mm, resampled_mm) = extra_drift_mm(&scene, &mut editor, Timing::Auto);
    assert!(on_keys_mm < 0.1 && resampled_mm < 0.5, "{on_keys_mm} {resampled_mm}");
    assert_eq!(done.report.unreached_keys, 0, "{:?}", done.report);
    assert!(done.report.deepest_drop_m < 0.01, "{}", done.report.deepest_drop_m);
}

#[test]
fn the_spine_of_a_quadruped_bends_along_a_tight_circle() {
    let scene = scene("quadruped-walk");
    let asked = |bend_spine: bool| {
        let mut editor = scene.editor_with(PathOptions { bend_spine, ..PathOptions::default() });
        editor.follow(&GroundCurve::Arc(Arc::new(0.8, Side::Left))).unwrap();
        let done = editor.solve().unwrap();
        (done.report.deepest_drop_m + done.report.worst_miss_m, done.clip)
    };
    let ((bent_m, bent), (stiff_m, _)) = (asked(true), asked(false));
    assert!(bent_m < 0.6 * stiff_m.max(1e-3) || bent_m < 1e-3, "{bent_m} {stiff_m}");
    // Head and hips face different ways: the path turns by about the body's length over the radius between them.
    let heading = |joint: JointId, frame: FrameIndex| {
        let turn = |clip: &Clip| {
            let mut pose = WorldPose::for_skeleton(clip.skeleton());
            pose.pose(clip, frame);
            let ahead = pose.world_from_joint[joint.index()] * DVec3::Z;
            ahead.x.atan2(ahead.z)
        };
        (turn(&bent) - turn(&scene.clip) + PI).rem_euclid(2.0 * PI) - PI
    };
    let neck = scene.roles.joint(Role::Neck(0)).or(scene.roles.joint(Role::Head)).unwrap();
    let hips = scene.roles.joint(Role::Hips).unwrap();
    let early = FrameIndex(20);
    let turned = heading(neck, early) - heading(hips, early);
    assert!((0.2..1.0).contains(&turned), "{turned}");
}

#[test]
fn a_ball_bounces_higher_for_longer() {
    let scene = scene("ball");
    let mut editor = scene.editor_with(PathOptions { keep_keys: true, ..PathOptions::default() });
    let flights = editor.flights().to_vec();
    editor.set_jump_height(1, JumpHeight::Times(2.0)).unwrap();
    editor.set_jump_height(2, JumpHeight::Metres(0.25 * flights[2].height_m)).unwrap();
    let done = editor.solve().unwrap();
    for (flight, times) in flights.iter().zip([1.0, 2.0, 0.25, 1.0]) {
        let secs = done.report.key_secs[flight.end.0] - done.report.key_secs[flight.start.0];
        let old_secs = flight.end_secs - flight.start_secs;
        // Duration 2√(2h/g) at any height: √k of what it was.
        assert!((secs / old_secs / f64::sqrt(times) - 1.0).abs() < 1e-12);
        // The parabola between contacts, which last 0.035 s.
        let span = (flight.start_secs + 0.03, flight.end_secs - 0.03);
        let g = fitted_g(&scene.clip, &scene.body, span);
        let start_secs = done.report.key_secs[flight.start.0];
        let span = (start_secs + 0.03 * f64::sqrt(times), start_secs + secs - 0.03 * f64::sqrt(times));
        let new = fitted_g(&done.clip, &scene.body, span);
        assert!((new / g - 1.0).abs() < 1e-3, "{times}: {g} {new}");
    }
}

#[test]
fn a_walk_takes_the_path_of_a_turn() {
    let (walk, turn) = (scene("walk"), scene("turning-walk"));
    let target = turn.editor();
    let run = |scale_factors| {
        let options = PathOptions { scale_factors, ..PathOptions::default() };
        let (mut editor, found) = align(
            &Take::new(walk.clip.clone(), walk.roles.clone(), walk.body.clone())
                .with_known_contacts(walk.contacts.clone(), None),
            &target,
            options,
        )
        .unwrap();
        assert!(found.source.len() >= 4 && found.source.len() == found.target.len());
        let done = editor.solve().unwrap();
        let path_m = &target.original_path_m()[found.target_keys.clone()];
        let apart_m = |point_m: &DVec3| {
            path_m.iter().map(|other| (*other - *point_m).with_y(0.0).length()).fold(f64::INFINITY, f64::min)
        };
        done.report.path_m.iter().map(apart_m).sum::<f64>() / done.report.path_m.len() as f64
    };
    let mean_m = run(ScaleFactors::PerSegment);
    // Figure 16: half a centimetre; keys of the target are up to 1 cm apart, half of it is added here.
    assert!(mean_m < 0.008, "{mean_m}");
}

#[test]
fn a_motion_follows_a_drawn_curve() {
    let scene = scene("walk");
    let mut editor = scene.editor();
    let points_m = vec![[5.0, 5.0], [5.5, 6.5], [7.0, 7.0], [8.5, 7.2]];
    for stretch in [false, true] {
        editor.follow(&GroundCurve::Points { points_m: points_m.clone(), stretch, from_start: false }).unwrap();
        let done = editor.solve().unwrap();
        let start_m = done.report.path_m[0].with_y(0.0);
        assert!(start_m.distance(DVec3::new(5.0, 0.0, 5.0)) < 0.1);
        let end_m = done.report.path_m[done.report.path_m.len() - 1].with_y(0.0);
        if stretch {
            assert!(end_m.distance(DVec3::new(8.5, 0.0, 7.2)) < 0.1, "{end_m}");
        }
    }
    for points_m in [vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0], [1.0, 1.0]], vec![[0.0, f64::NAN], [1.0, 1.0]]] {
        let found = editor.follow(&GroundCurve::Points { points_m, stretch: true, from_start: false });
        assert!(matches!(found, Err(EditingError::Curve { .. })));
    }
}

#[test]
fn edits_can_be_taken_back_and_results_reused() {
    let scene = scene("walk");
    let mut editor = scene.editor();
    let untouched = editor.solve().unwrap().clip;
    editor.move_handle(2, DVec3::new(0.4, 0.0, 0.1)).unwrap();
    let moved = editor.solve().unwrap();
    editor.move_handle(2, DVec3::new(-0.3, 0.0, 0.0)).unwrap();
    let mut again = editor.solve().unwrap();
    editor.move_handle(2, DVec3::new(0.4, 0.0, 0.1)).unwrap();
    editor.solve_into(&mut again).unwrap();
    assert_eq!((&again.clip, &again.report), (&moved.clip, &moved.report));
    assert_ne!(moved.clip, untouched);
    editor.reset();
    assert_eq!(editor.solve().unwrap().clip, untouched);
}

#[test]
fn uneven_keys_are_edited_as_well() {
    let walk = scene("walk").clip;
    let times_secs: Vec<f64> = walk.frames().map(|frame| walk.time_secs(frame)).collect();
    let keyed = walk.clone().with_timeline(Timeline::keyed(times_secs).unwrap()).unwrap();
    let scene = Scene::of(keyed);
    let mut editor = scene.editor();
    editor.move_handle(3, DVec3::new(0.3, 0.0, 0.0)).unwrap();
    let done = editor.solve().unwrap();
    let Timeline::Keyed(times) = done.clip.timeline() else { panic!("keys stay keys") };
    assert_eq!(times, &done.report.key_secs);
    assert!(times.windows(2).all(|pair| pair[1] > pair[0]));
}

#[test]
fn a_bent_walk_can_be_touched_up_and_leans_into_the_bend() {
    use aplomb_editing::touchup::{TouchupOptions, touch_up};
    let walk = scene("walk");
    for (radius_m, side) in [(1.5, Side::Left), (2.0, Side::Right), (3.0, Side::Left)] {
        let mut editor = walk.editor();
        editor.follow(&GroundCurve::Arc(Arc::new(radius_m, side))).unwrap();
        let bent = Scene::of(editor.solve().unwrap().clip);
        let done = touch_up(
            &Take::new(bent.clip.clone(), bent.roles.clone(), bent.body.clone())
                .with_known_contacts(bent.contacts.clone(), None),
            &TouchupOptions::default(),
        )
        .unwrap();
        assert!(
            done.after.mean_m < done.before.mean_m,
            "{radius_m} {side}: {} {}",
            done.before.mean_m,
            done.after.mean_m
        );
        let lean_deg =
            |clip: &Clip| measures::lean_rad(clip, &walk.roles, &walk.body, measures::Towards::Side(side)).to_degrees();
        let (before, after) = (lean_deg(&bent.clip), lean_deg(&done.clip));
        assert!(after > before + 0.5, "{radius_m} {side}: {before} {after}");
    }
}

#[test]
fn the_last_step_is_as_long_as_the_one_before() {
    for factor in [0.9931, 1.0037, 1.013, 1.37] {
        let scene = scene("run");
        let mut editor = scene.editor_with(PathOptions { timing: Timing::Scale(factor), ..PathOptions::default() });
        let done = editor.solve().unwrap().clip;
        let hips = scene.roles.joint(Role::Hips).unwrap();
        let mut pose = WorldPose::for_skeleton(done.skeleton());
        let mut at_m = |frame: usize| {
            pose.pose(&done, FrameIndex(frame));
            pose.joint_in_world_m[hips.index()]
        };
        let last = done.frame_count() - 1;
        let (before_m, after_m) = (at_m(last - 1).distance(at_m(last - 2)), at_m(last).distance(at_m(last - 1)));
        assert!((after_m / before_m - 1.0).abs() < 0.05, "{factor}: {before_m} then {after_m} m");
    }
}
