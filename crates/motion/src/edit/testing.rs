//! A small figure and a made-up gait for the tests of this module.

use crate::channels::Channels;
use crate::clip::{Clip, TranslationTrack};
use crate::ids::JointId;
use crate::skeleton::Skeleton;
use crate::time::{FrameTime, Timeline};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use std::sync::Arc;

pub fn rate(hz: f64) -> Timeline {
    Timeline::Uniform(frame_time(hz))
}

pub fn frame_time(hz: f64) -> FrameTime {
    FrameTime::from_hz(hz).unwrap()
}

/// A symmetric figure whose local axes are the world's at rest (as in CMU files).
pub fn figure() -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    let mut add = |parent: Option<JointId>, name: &str, x: f64, y: f64, z: f64| {
        builder.add(parent, name, DVec3::new(x, y, z), Channels::default())
    };
    let hips = add(None, "Hips", 0.0, 0.9, 0.0);
    let mut ends = Vec::new();
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let thigh = add(Some(hips), &format!("{side}UpLeg"), 0.1 * sign, -0.05, 0.02);
        let shin = add(Some(thigh), &format!("{side}Leg"), 0.02 * sign, -0.42, 0.0);
        let foot = add(Some(shin), &format!("{side}Foot"), 0.0, -0.4, -0.01);
        ends.push((foot, DVec3::new(0.03 * sign, -0.05, 0.15)));
    }
    let spine = add(Some(hips), "Spine", 0.0, 0.2, 0.0);
    let chest = add(Some(spine), "Chest", 0.0, 0.2, -0.03);
    let head = add(Some(chest), "Head", 0.0, 0.25, 0.03);
    ends.push((head, DVec3::new(0.0, 0.2, 0.0)));
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let arm = add(Some(chest), &format!("{side}Arm"), 0.18 * sign, 0.12, 0.0);
        let forearm = add(Some(arm), &format!("{side}ForeArm"), 0.28 * sign, 0.0, 0.0);
        let hand = add(Some(forearm), &format!("{side}Hand"), 0.25 * sign, 0.0, 0.0);
        ends.push((hand, DVec3::new(0.1 * sign, 0.0, 0.0)));
    }
    for (joint, offset_m) in ends {
        builder.end_site(joint, offset_m);
    }
    Arc::new(builder.build().unwrap())
}

/// Stride time of [`walk`].
pub const STRIDE_SECS: f64 = 1.1;

/// The figure walks straight ahead at 1.3 m/s, legs and arms swinging as sines: exactly periodic.
pub fn walk(frames: usize, hz: f64) -> Clip {
    animate(&figure(), frames, hz, |joint, secs| {
        let phase = TAU * secs / STRIDE_SECS;
        let phase = if joint.starts_with("Right") { phase + TAU / 2.0 } else { phase };
        let side = if joint.starts_with("Right") { -1.0 } else { 1.0 };
        match joint.trim_start_matches("Left").trim_start_matches("Right") {
            "UpLeg" => DQuat::from_rotation_x(-0.5 * phase.sin()),
            "Leg" => DQuat::from_rotation_x(0.5 - 0.5 * (phase + 0.6).cos()),
            "Foot" => DQuat::from_rotation_x(0.2 * (phase + 1.0).sin()) * DQuat::from_rotation_y(0.1 * side),
            "Arm" => DQuat::from_rotation_z(-1.2 * side) * DQuat::from_rotation_y(0.5 * side * phase.sin()),
            "Spine" => DQuat::from_rotation_y(0.1 * phase.sin()) * DQuat::from_rotation_z(0.03 * phase.cos()),
            "Head" => DQuat::from_rotation_x(0.1 + 0.02 * (2.0 * phase).sin()),
            _ => DQuat::IDENTITY,
        }
    })
}

/// The figure with local rotations by joint name and time, walking straight ahead.
pub fn animate(skeleton: &Arc<Skeleton>, frames: usize, hz: f64, local: impl Fn(&str, f64) -> DQuat) -> Clip {
    let timeline = rate(hz);
    let secs = |frame: usize| frame as f64 / hz;
    let rotations = (0..frames)
        .flat_map(|frame| skeleton.joints().iter().map(move |joint| (frame, joint)))
        .map(|(frame, joint)| local(&joint.name, secs(frame)))
        .collect();
    let root_m = |frame: usize| {
        let phase = 2.0 * TAU * secs(frame) / STRIDE_SECS;
        DVec3::new(0.02 * (0.5 * phase).sin(), 0.9 + 0.02 * phase.cos(), 1.3 * secs(frame))
    };
    let track = TranslationTrack { joint: JointId::new(0), positions_m: (0..frames).map(root_m).collect() };
    Clip::new(skeleton.clone(), timeline, frames, rotations, vec![track]).unwrap()
}

#[track_caller]
pub fn assert_points_near(found_m: &[DVec3], expected_m: &[DVec3], tolerance_m: f64) {
    assert_eq!(found_m.len(), expected_m.len());
    for (index, (found, expected)) in found_m.iter().zip(expected_m).enumerate() {
        let error_m = (*found - *expected).length();
        assert!(error_m <= tolerance_m, "point {index}: {found} is {error_m:e} m from {expected}");
    }
}
