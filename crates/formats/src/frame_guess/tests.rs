//! Units and axes of a made-up body of 1.66 m.

use super::*;
use aplomb_motion::{Channels, FrameTime, JointId, Skeleton, SkeletonBuilder, Timeline, TranslationTrack};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A standing figure with its limbs named, `units` file units to the metre.
fn figure(units: f64) -> Skeleton {
    let mut builder = Skeleton::builder();
    let add = |builder: &mut SkeletonBuilder, parent, name: &str, x: f64, y: f64, z: f64| {
        builder.add(parent, name, DVec3::new(x, y, z) * units, Channels::default())
    };
    let hips = add(&mut builder, None, "Hips", 0.0, 0.93, 0.0);
    let chest = add(&mut builder, Some(hips), "Chest", 0.0, 0.3, 0.0);
    let neck = add(&mut builder, Some(chest), "Neck", 0.0, 0.2, 0.0);
    let head = add(&mut builder, Some(neck), "Head", 0.0, 0.1, 0.0);
    builder.end_site(head, DVec3::new(0.0, 0.18 * units, 0.0));
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let hip = add(&mut builder, Some(hips), &format!("{side}Hip"), 0.1 * x, -0.05, 0.0);
        let knee = add(&mut builder, Some(hip), &format!("{side}Knee"), 0.0, -0.4, 0.0);
        let ankle = add(&mut builder, Some(knee), &format!("{side}Ankle"), 0.0, -0.4, 0.0);
        builder.end_site(ankle, DVec3::new(0.0, -0.07, 0.15) * units);
    }
    builder.build().unwrap()
}

/// Ten frames in which the root turns by `world_from_root` and travels along x.
fn clip(skeleton: Skeleton, world_from_root: DQuat, units: f64) -> Clip {
    let skeleton = Arc::new(skeleton);
    let frames = 10;
    let mut rotations = vec![DQuat::IDENTITY; frames * skeleton.len()];
    for frame in rotations.chunks_mut(skeleton.len()) {
        frame[0] = world_from_root;
    }
    let root = JointId::new(0);
    let up = world_from_root * DVec3::Y * 0.93;
    let positions_m = (0..frames).map(|frame| (up + DVec3::X * frame as f64 * 0.2) * units).collect();
    let timeline = Timeline::Uniform(FrameTime::from_hz(30.0).unwrap());
    Clip::new(skeleton, timeline, frames, rotations, vec![TranslationTrack { joint: root, positions_m }]).unwrap()
}

fn guess(clip: &Clip, known: Known) -> FrameGuess {
    guess_frame(clip, &Roles::detect(clip), known)
}

#[test]
fn every_unit_is_recognised_by_stature() {
    for (units, name) in [(1.0, "m"), (100.0, "cm"), (1000.0, "mm"), (1.0 / 0.0254, "in"), (10.0, "dm")] {
        let guess = guess(&clip(figure(units), DQuat::IDENTITY, units), Known::default());
        assert_eq!(guess.unit_name, name);
        // Legs of 0.8, and 0.83 from hip joints to crown: (0.8/0.491 + 1.63/0.961)/2.
        let stature_m = guess.stature_m().unwrap();
        assert!((stature_m - 1.663).abs() < 0.002, "{name}: {stature_m}");
        assert!(guess.diagnostics.iter().any(|note| note.code == "FRM-N001"), "{:?}", guess.diagnostics);
        assert_eq!(guess.up, Axis::Y);
    }
    let cmu = guess(&clip(figure(1.0 / CMU_UNIT_M), DQuat::IDENTITY, 1.0), Known::default());
    assert_eq!((cmu.unit_name.as_str(), cmu.frame.metres_per_unit), ("CMU units", CMU_UNIT_M));
}

#[test]
fn what_is_known_wins_and_is_checked() {
    let clip = clip(figure(100.0), DQuat::IDENTITY, 100.0);
    let known = Known { given_unit_m: Some(0.01), stated_unit_m: Some(1.0), given_up: Some(Axis::Z) };
    let given = guess(&clip, known);
    assert_eq!((given.frame.metres_per_unit, given.up, given.confidence), (0.01, Axis::Z, 1.0));
    assert!(given.diagnostics.is_empty(), "{:?}", given.diagnostics);
    let stated = guess(&clip, Known { stated_unit_m: Some(1.0), ..Known::default() });
    assert!(stated.diagnostics.iter().any(|note| note.code == "FRM-W003"), "a body of 170 m");
    assert_eq!(stated.frame.metres_per_unit, 1.0);
}

#[test]
fn impossible_statures_and_other_bodies_decline() {
    let between = guess(&clip(figure(4.0), DQuat::IDENTITY, 4.0), Known::default());
    assert_eq!((between.frame.metres_per_unit, between.diagnostics[0].code), (1.0, "FRM-W001"));
    let mut builder = Skeleton::builder();
    builder.add(None, "Ball", DVec3::Y, Channels::default());
    let ball = guess(&clip(builder.build().unwrap(), DQuat::IDENTITY, 1.0), Known::default());
    let codes: Vec<&str> = ball.diagnostics.iter().map(|note| note.code).collect();
    assert_eq!((ball.frame, codes), (FrameOfReference::INTERNAL, vec!["FRM-N003", "FRM-N004"]));
}

#[test]
fn the_world_decides_the_up_axis_not_the_root_pose() {
    let quarter = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    // Rest pose Y up, but the root stands the figure on Z, and it walks about there.
    let mut walking = clip(figure(100.0), quarter, 100.0);
    for (frame, position) in walking.track_mut(JointId::new(0)).unwrap().iter_mut().enumerate() {
        position.y += 15.0 * frame as f64;
    }
    let standing = guess(&walking, Known::default());
    assert_eq!(standing.up, Axis::Z, "{:?}", standing.diagnostics);
    assert_eq!(standing.frame.internal_from_file, SignedPermutation::Y_UP_FROM_Z_UP);
}

#[test]
fn lying_on_the_ground_is_not_another_up_axis() {
    let figure = figure(100.0);
    let mut lying = clip(figure, DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2), 100.0);
    // On its back at 10 cm, rolling slowly along x and z.
    for (frame, position) in lying.track_mut(JointId::new(0)).unwrap().iter_mut().enumerate() {
        *position = DVec3::new(20.0 * frame as f64, 10.0, 15.0 * frame as f64);
    }
    let guess = guess(&lying, Known::default());
    assert_eq!(guess.up, Axis::Y, "{:?}", guess.diagnostics);
}
