//! Writes the clips under `fixtures/`: a figure that walks and one that waves, made by closed formulas, no capture.
//!
//! `cargo run -p aplomb-formats --example make_fixtures -- fixtures` writes them; a test checks that the committed files are just these.

use aplomb_formats::bvh::{self, BvhStyle};
use aplomb_formats::{WriteOptions, atomic};
use aplomb_motion::{
    Axis, Channels, Clip, FrameIndex, FrameOfReference, FrameTime, JointId, Skeleton, SkeletonBuilder, Timeline,
};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: make_fixtures FOLDER")?;
    for (name, clip) in [("walk.bvh", walk()?), ("wave.bvh", wave()?)] {
        let path = Path::new(&folder).join(name);
        atomic::write(&path, &as_bvh(&clip)?, true)?;
    }
    Ok(())
}

/// Centimetres, as most BVH files are.
fn as_bvh(clip: &Clip) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let centimetres = FrameOfReference { metres_per_unit: 0.01, ..FrameOfReference::INTERNAL };
    let mut notes = Vec::new();
    Ok(bvh::write_canonical(clip, centimetres, &BvhStyle::default(), &WriteOptions::default(), &mut notes)?)
}

const THIGH_M: f64 = 0.43;
const SHANK_M: f64 = 0.425;
const ANKLE_HEIGHT_M: f64 = 0.075;
const HIP_BELOW_ROOT_M: f64 = 0.03;
const RATE_HZ: f64 = 60.0;

/// A person 1.75 m tall in a T-pose, facing +Z, left at +X.
fn person() -> SkeletonBuilder {
    let mut builder = Skeleton::builder();
    let inner = || Channels::rotating([Axis::Z, Axis::X, Axis::Y], false);
    let root = Channels::rotating([Axis::Z, Axis::X, Axis::Y], true);
    let hips = builder.add(None, "Hips", DVec3::new(0.0, 0.96, 0.0), root);
    let spine1 = builder.add(Some(hips), "Spine", DVec3::new(0.0, 0.07, -0.01), inner());
    let spine2 = builder.add(Some(spine1), "Spine1", DVec3::new(0.0, 0.13, -0.005), inner());
    let spine3 = builder.add(Some(spine2), "Spine2", DVec3::new(0.0, 0.13, 0.0), inner());
    let neck = builder.add(Some(spine3), "Neck", DVec3::new(0.0, 0.21, -0.01), inner());
    let head = builder.add(Some(neck), "Head", DVec3::new(0.0, 0.10, 0.02), inner());
    builder.end_site(head, DVec3::new(0.0, 0.15, 0.01));
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let at = |x: f64, y: f64, z: f64| DVec3::new(sign * x, y, z);
        let clavicle = builder.add(Some(spine3), format!("{side}Shoulder"), at(0.02, 0.15, 0.015), inner());
        let arm = builder.add(Some(clavicle), format!("{side}Arm"), at(0.16, -0.01, -0.025), inner());
        let forearm = builder.add(Some(arm), format!("{side}ForeArm"), at(0.305, 0.0, 0.0), inner());
        let hand = builder.add(Some(forearm), format!("{side}Hand"), at(0.255, 0.0, 0.0), inner());
        builder.end_site(hand, at(0.18, 0.0, 0.0));
    }
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let hip = DVec3::new(sign * 0.09, -HIP_BELOW_ROOT_M, 0.0);
        let thigh = builder.add(Some(hips), format!("{side}UpLeg"), hip, inner());
        let shank = builder.add(Some(thigh), format!("{side}Leg"), DVec3::new(0.0, -THIGH_M, 0.0), inner());
        let foot = builder.add(Some(shank), format!("{side}Foot"), DVec3::new(0.0, -SHANK_M, 0.0), inner());
        let toe = builder.add(Some(foot), format!("{side}ToeBase"), DVec3::new(0.0, -0.055, 0.14), inner());
        builder.end_site(toe, DVec3::new(0.0, -0.02, 0.07));
    }
    builder
}

type Made = Result<Clip, Box<dyn std::error::Error>>;

fn still(frames: usize) -> Made {
    let timeline = Timeline::Uniform(FrameTime::from_hz(RATE_HZ)?);
    Ok(Clip::at_rest(Arc::new(person().build()?), timeline, frames)?)
}

/// Poses one frame by joint name.
struct Poser<'a> {
    clip: &'a mut Clip,
    frame: FrameIndex,
}

impl Poser<'_> {
    fn turn(&mut self, joint: &str, rotation: DQuat) {
        if let Some(joint) = self.clip.skeleton().find(joint) {
            self.clip.set_rotation(self.frame, joint, rotation);
        }
    }

    fn root(&mut self, position_m: DVec3) {
        if let Some(track) = self.clip.track_mut(JointId::new(0)) {
            track[self.frame.0] = position_m;
        }
    }

    /// Hangs an arm at its side: `forward_rad` swings it, `elbow_rad` bends it.
    fn arm(&mut self, side: &str, forward_rad: f64, out_rad: f64, elbow_rad: f64) {
        let sign = if side == "Left" { 1.0 } else { -1.0 };
        let hang = DQuat::from_rotation_z(-sign * (TAU / 4.0 - out_rad));
        self.turn(&format!("{side}Arm"), DQuat::from_rotation_x(-forward_rad) * hang);
        self.turn(&format!("{side}ForeArm"), DQuat::from_rotation_y(-sign * elbow_rad));
    }

    /// Puts an ankle at height and distance from the hip joint in the sagittal plane, by the law of cosines.
    fn leg(&mut self, side: &str, ankle_below_hip_m: f64, ankle_ahead_m: f64, foot_pitch_rad: f64) {
        let reach_m = ankle_below_hip_m.hypot(ankle_ahead_m).min(0.999 * (THIGH_M + SHANK_M));
        let towards_rad = ankle_ahead_m.atan2(ankle_below_hip_m);
        let angle = |near: f64, far: f64| {
            ((near * near + reach_m * reach_m - far * far) / (2.0 * near * reach_m)).clamp(-1.0, 1.0).acos()
        };
        let thigh_rad = towards_rad + angle(THIGH_M, SHANK_M);
        let shank_rad = towards_rad - angle(SHANK_M, THIGH_M);
        self.turn(&format!("{side}UpLeg"), DQuat::from_rotation_x(-thigh_rad));
        self.turn(&format!("{side}Leg"), DQuat::from_rotation_x(thigh_rad - shank_rad));
        self.turn(&format!("{side}Foot"), DQuat::from_rotation_x(shank_rad + foot_pitch_rad));
    }
}

/// Two strides of a careful walk: flat feet that do not slide, hips level.
fn walk() -> Made {
    const STRIDE_M: f64 = 1.0;
    const STRIDE_SECS: f64 = 1.1;
    const STANCE: f64 = 0.62;
    const ROOT_HEIGHT_M: f64 = 0.895;
    let mut clip = still(133)?;
    for frame in clip.frames() {
        let time_secs = clip.time_secs(frame);
        let cycle = time_secs / STRIDE_SECS;
        let travelled_m = STRIDE_M * cycle;
        let swing = |phase: f64| (TAU * (cycle + phase)).cos();
        let mut pose = Poser { clip: &mut clip, frame };
        pose.root(DVec3::new(0.012 * (TAU * cycle).sin(), ROOT_HEIGHT_M, travelled_m));
        for (side, phase, sign) in [("Left", 0.0, 1.0), ("Right", 0.5, -1.0)] {
            let (ankle_m, height_m, pitch_rad) = foot_path(cycle + phase, phase, STRIDE_M, STANCE);
            let below_m = ROOT_HEIGHT_M - HIP_BELOW_ROOT_M - ANKLE_HEIGHT_M - height_m;
            pose.leg(side, below_m, ankle_m - travelled_m, pitch_rad);
            pose.arm(side, -0.35 * sign * swing(0.0), 0.12, 0.35 - 0.12 * sign * swing(0.0));
        }
        pose.turn("Spine1", DQuat::from_rotation_y(0.10 * swing(0.0)));
        pose.turn("Neck", DQuat::from_rotation_y(-0.10 * swing(0.0)));
    }
    Ok(clip)
}

/// Ankle position along the walk, its height above standing, and the foot's pitch (toe down is positive).
fn foot_path(cycle: f64, phase: f64, stride_m: f64, stance: f64) -> (f64, f64, f64) {
    let step = cycle.floor();
    let within = cycle - step;
    // Planted half a stance ahead of the hips: it passes under them in mid-stance.
    let planted_m = stride_m * (step - phase + 0.5 * stance);
    if within < stance {
        return (planted_m, 0.0, 0.0);
    }
    let u = (within - stance) / (1.0 - stance);
    let ease = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
    let lift = (16.0 * u * u * (1.0 - u) * (1.0 - u)).min(1.0);
    (planted_m + stride_m * ease, 0.10 * lift, 0.5 * lift * (1.0 - 1.6 * u))
}

/// Two seconds of standing and waving with the right hand.
fn wave() -> Made {
    let mut clip = still(121)?;
    for frame in clip.frames() {
        let time_secs = clip.time_secs(frame);
        let raise = ease_between(time_secs, 0.2, 0.7) * (1.0 - ease_between(time_secs, 1.4, 1.9));
        let to_and_fro = raise * (TAU * 2.1 * time_secs).sin();
        let mut pose = Poser { clip: &mut clip, frame };
        pose.root(DVec3::new(0.0, 0.955, 0.0));
        for side in ["Left", "Right"] {
            pose.leg(side, 0.955 - HIP_BELOW_ROOT_M - ANKLE_HEIGHT_M, 0.0, 0.0);
        }
        pose.arm("Left", 0.03, 0.14, 0.2);
        pose.arm("Right", 0.03 + 0.5 * raise, 0.14 + 1.0 * raise, 0.2);
        let bend = DQuat::from_rotation_z(-raise * (1.5 + 0.4 * to_and_fro));
        pose.turn("RightForeArm", bend * DQuat::from_rotation_y(0.2 * (1.0 - raise)));
        pose.turn("Head", DQuat::from_rotation_y(-0.15 * raise));
    }
    Ok(clip)
}

/// 0 before, 1 after, minimum-jerk between.
fn ease_between(time_secs: f64, start_secs: f64, end_secs: f64) -> f64 {
    let u = ((time_secs - start_secs) / (end_secs - start_secs)).clamp(0.0, 1.0);
    u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
}
