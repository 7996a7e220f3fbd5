//! The built-in figure: 22 joints, 1.75 m, and its soles.

use crate::BuiltError;
use crate::body::{Body, Leg};
use crate::masses::Masses;
use aplomb_motion::{Axis, Channels, JointId, Skeleton, SkeletonError};
use glam::DVec3;
use std::sync::Arc;

pub const HIPS: usize = 0;
pub const SPINE: [usize; 3] = [1, 2, 3];
pub const NECK: usize = 4;
pub const HEAD: usize = 5;
pub const CLAVICLE: [usize; 2] = [6, 10];
pub const UPPER_ARM: [usize; 2] = [7, 11];
pub const FOREARM: [usize; 2] = [8, 12];
pub const HAND: [usize; 2] = [9, 13];
pub const THIGH: [usize; 2] = [14, 18];
pub const SHANK: [usize; 2] = [15, 19];
pub const FOOT: [usize; 2] = [16, 20];
pub const TOES: [usize; 2] = [17, 21];
#[cfg(test)]
pub const JOINTS: usize = 22;

/// Left is +X.
pub const SIDE_SIGN: [f64; 2] = [1.0, -1.0];
pub const LEFT: usize = 0;
pub const RIGHT: usize = 1;

pub const THIGH_M: f64 = 0.43;
pub const SHANK_M: f64 = 0.425;
/// Standing flat: ankle above the ground.
pub const ANKLE_HEIGHT_M: f64 = 0.075;
/// Standing flat: ball joint above the ground.
pub const BALL_HEIGHT_M: f64 = 0.02;
/// Where the heel meets the ground, in the foot's frame.
pub const HEEL: DVec3 = DVec3::new(0.0, -ANKLE_HEIGHT_M, -0.055);
/// The toe joint, in the foot's frame.
pub const BALL: DVec3 = DVec3::new(0.0, -(ANKLE_HEIGHT_M - BALL_HEIGHT_M), 0.14);
/// Tip of the toes, in the toe joint's frame: on the ground when they lie flat.
pub const TOE_TIP: DVec3 = DVec3::new(0.0, -BALL_HEIGHT_M, 0.07);

/// The figure.
pub fn human() -> Result<Body, BuiltError> {
    let skeleton = Arc::new(skeleton()?);
    // Rotating the shank about +X (left) moves the foot back: flexion.
    let leg = |side: usize| Leg::new(&skeleton, [THIGH[side], SHANK[side], FOOT[side], TOES[side]], DVec3::X);
    let legs = vec![leg(LEFT)?, leg(RIGHT)?];
    Ok(Body { skeleton: skeleton.clone(), legs, masses: Masses::of(&skeleton)? })
}

fn skeleton() -> Result<Skeleton, SkeletonError> {
    let turning = Channels::rotating([Axis::Z, Axis::X, Axis::Y], false);
    let moving = Channels::rotating([Axis::Z, Axis::X, Axis::Y], true);
    let mut builder = Skeleton::builder();
    let mut add = |parent: Option<JointId>, name: &str, [x, y, z]: [f64; 3]| {
        let channels = if parent.is_none() { moving.clone() } else { turning.clone() };
        builder.add(parent, name, DVec3::new(x, y, z), channels)
    };
    let hips = add(None, "Hips", [0.0, 0.96, 0.0]);
    let spine = add(Some(hips), "Spine", [0.0, 0.07, -0.01]);
    let spine1 = add(Some(spine), "Spine1", [0.0, 0.13, -0.005]);
    let chest = add(Some(spine1), "Spine2", [0.0, 0.13, 0.0]);
    let neck = add(Some(chest), "Neck", [0.0, 0.21, -0.01]);
    let head = add(Some(neck), "Head", [0.0, 0.10, 0.02]);
    let mut hands = Vec::new();
    for (name, s) in [("Left", 1.0), ("Right", -1.0)] {
        let clavicle = add(Some(chest), &format!("{name}Shoulder"), [s * 0.02, 0.15, 0.015]);
        let arm = add(Some(clavicle), &format!("{name}Arm"), [s * 0.16, -0.01, -0.025]);
        let forearm = add(Some(arm), &format!("{name}ForeArm"), [s * 0.305, 0.0, 0.0]);
        hands.push((add(Some(forearm), &format!("{name}Hand"), [s * 0.255, 0.0, 0.0]), DVec3::X * (s * 0.18)));
    }
    let mut toes = Vec::new();
    for (name, s) in [("Left", 1.0), ("Right", -1.0)] {
        let thigh = add(Some(hips), &format!("{name}UpLeg"), [s * 0.09, -0.03, 0.0]);
        let shank = add(Some(thigh), &format!("{name}Leg"), [0.0, -THIGH_M, 0.0]);
        let foot = add(Some(shank), &format!("{name}Foot"), [0.0, -SHANK_M, 0.0]);
        toes.push((add(Some(foot), &format!("{name}ToeBase"), BALL.to_array()), TOE_TIP));
    }
    builder.end_site(head, DVec3::new(0.0, 0.15, 0.01));
    for (joint, tip) in hands.into_iter().chain(toes) {
        builder.end_site(joint, tip);
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_masses_are_a_whole_body_and_the_soles_are_level() {
        let human = human().unwrap();
        assert_eq!(human.skeleton.len(), JOINTS);
        for masses in [&human.masses.centres, &human.masses.points] {
            assert!((masses.iter().map(|m| m.share).sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let rest = human.skeleton.rest_positions_m();
        // Standing at rest the ankles are where the sole wants them.
        assert!((rest[FOOT[LEFT]].y - ANKLE_HEIGHT_M).abs() < 1e-12);
        assert!((rest[TOES[RIGHT]] + TOE_TIP).y.abs() < 1e-12);
        assert!((HEEL.y + ANKLE_HEIGHT_M).abs() < 1e-12);
    }
}
