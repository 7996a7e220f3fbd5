//! Gestures for tracking: a staff that is pumped, patty cake, a slap.

use crate::curves::rise;
use crate::draft::STEP_SECS;
use crate::posture::{Arm, Posture};
use crate::stand::{RELAXED, RELAXED_ARM, breathing, frames_in, make};
use crate::{BuiltError, BuiltMotion};
use glam::DVec3;
use std::f64::consts::TAU;

/// The right hand before the chest, up and down, as if it pumped a staff.
pub fn pump() -> Result<BuiltMotion, BuiltError> {
    let posture = |frame: usize| {
        let t = frame as f64 * STEP_SECS;
        let a = rise(t, 0.2, 1.1) * (1.0 - rise(t, 5.2, 6.0));
        // From half way: 0 at the bottom, 1 at the top.
        let pumping = rise(t, 1.0, 1.6) * (1.0 - rise(t, 4.7, 5.2));
        let up = 0.5 - 0.5 * pumping * (TAU * 0.9 * (t - 1.0)).cos();
        let right = Arm {
            clavicle: -2.0 + 5.0 * a * up,
            flex: 2.0 + a * (18.0 + 50.0 * up),
            abduct: 8.0 + 10.0 * a,
            twist: 20.0 - 10.0 * a,
            elbow: 14.0 + a * (80.0 - 2.0 * up),
            wrist: 4.0,
            pronate: 0.0,
        };
        Posture {
            spine_pitch: 3.0 * a * (0.5 - up) + breathing(t),
            spine_yaw: -3.0 * a,
            head_pitch: 2.0 - 4.0 * a * up,
            arms: [RELAXED_ARM, right],
            ..RELAXED
        }
    };
    let postures: Vec<Posture> = (0..frames_in(6.4)).map(posture).collect();
    make(0.11, &postures, |_| DVec3::ZERO)
}

/// When hands of patty cake are out: right, left, both, right.
const BEATS: [(f64, [f64; 2]); 4] = [(1.8, [0.0, 1.0]), (3.0, [1.0, 0.0]), (4.2, [1.0, 1.0]), (5.4, [0.0, 1.0])];

/// Both hands together before the chest, and out to a partner between: right, left, both, right, one beat 0.6 s.
pub fn patty_cake() -> Result<BuiltMotion, BuiltError> {
    let posture = |frame: usize| {
        let t = frame as f64 * STEP_SECS;
        let a = rise(t, 0.3, 1.1) * (1.0 - rise(t, 6.2, 7.0));
        let arm = |side: usize| {
            let out: f64 = BEATS
                .iter()
                .map(|(at, hands)| hands[side] * rise(t, at - 0.42, at - 0.02) * (1.0 - rise(t, at + 0.04, at + 0.46)))
                .sum();
            // Fingers up and palms inwards together; palms ahead where the hand goes out.
            Arm {
                clavicle: -2.0 + 4.0 * a * out,
                flex: 2.0 + a * (26.0 + 34.0 * out),
                abduct: 8.0 + a * (-2.0 + 2.0 * out),
                twist: 20.0 + a * (12.0 - 28.0 * out),
                elbow: 14.0 + a * (84.0 - 46.0 * out),
                wrist: 4.0 - a * 60.0 * out,
                pronate: a * 70.0 * out,
            }
        };
        let beat = (TAU * (t - 1.2) / 0.6).cos();
        Posture {
            spine_pitch: a * (4.0 + 0.8 * beat) + breathing(t),
            head_pitch: 2.0 + a * (4.0 + 1.5 * beat),
            arms: [arm(0), arm(1)],
            ..RELAXED
        }
    };
    let postures: Vec<Posture> = (0..frames_in(7.2)).map(posture).collect();
    make(0.10, &postures, |_| DVec3::ZERO)
}

/// The right hand drawn out to the side and swung across, at the height of a head.
pub fn slap() -> Result<BuiltMotion, BuiltError> {
    let posture = |frame: usize| {
        let t = frame as f64 * STEP_SECS;
        let up = rise(t, 0.2, 1.0) * (1.0 - rise(t, 2.2, 3.0));
        let across = rise(t, 1.1, 1.5) * (1.0 - rise(t, 1.9, 2.6));
        // The arm is given against the chest, which leans.
        let lean = rise(t, 0.8, 1.4) * (1.0 - rise(t, 1.9, 2.7));
        let right = Arm {
            clavicle: -2.0 + 6.0 * up,
            flex: 2.0 + 30.0 * up + 104.0 * across,
            abduct: 8.0 + 62.0 * up - 58.0 * across,
            twist: 20.0 - 30.0 * up + 10.0 * across,
            elbow: 14.0 + 40.0 * up - 24.0 * across,
            wrist: 4.0 - 12.0 * up + 14.0 * across,
            pronate: 10.0 * up,
        };
        Posture {
            pelvis_yaw: -4.0 * up + 7.0 * across,
            spine_yaw: -14.0 * up + 36.0 * across,
            spine_pitch: 25.0 * lean + breathing(t),
            head_pitch: 2.0 + 8.0 * lean,
            head_yaw: 2.0 * across,
            arms: [RELAXED_ARM, right],
            ..RELAXED
        }
    };
    let postures: Vec<Posture> = (0..frames_in(3.4)).map(posture).collect();
    make(0.11, &postures, |_| DVec3::ZERO)
}
