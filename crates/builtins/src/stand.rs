//! Clips on two standing feet: wave, bow, drum.

use crate::balance::{Balance, correct};
use crate::body::Body;
use crate::curves::{rise, smoothed};
use crate::draft::{Draft, RATE_HZ, STEP_SECS};
use crate::feet::{FootPlan, Stance, Swing};
use crate::human::{LEFT, RIGHT, SIDE_SIGN, human};
use crate::posture::{Arm, Posture};
use crate::{BuiltError, BuiltMotion};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// Arms of a body that stands at ease.
pub const RELAXED_ARM: Arm =
    Arm { clavicle: -2.0, flex: 2.0, abduct: 8.0, twist: 20.0, elbow: 14.0, wrist: 4.0, pronate: 0.0 };

/// A body that stands at ease.
pub const RELAXED: Posture = Posture {
    spin: DQuat::IDENTITY,
    heading_rad: 0.0,
    pelvis_yaw: 0.0,
    pelvis_pitch: 0.0,
    pelvis_list: 0.0,
    spine_yaw: 0.0,
    spine_pitch: 0.0,
    spine_roll: 0.0,
    gaze: 0.85,
    head_pitch: 2.0,
    head_yaw: 0.0,
    arms: [RELAXED_ARM; 2],
};

/// People do not stand with locked knees: legs are stretched to this share, knees bent by 11°.
pub const STANDING_REACH: f64 = 0.9955;

/// Middle of the sole, ahead of the ankle; standing clips have it at z = 0.
pub const SOLE_MIDDLE_M: f64 = 0.05;

/// Two feet side by side, for the whole clip.
pub fn standing_plans(half_width_m: f64) -> Vec<FootPlan> {
    let plan = |side: usize| {
        let ankle_m = DVec3::new(SIDE_SIGN[side] * half_width_m, 0.0, -SOLE_MIDDLE_M);
        FootPlan {
            stances: vec![Stance::standing(ankle_m, SIDE_SIGN[side] * 7f64.to_radians())],
            swing: Swing {
                pitch_keys: Vec::new(),
                lift_m: 0.0,
                lift_shape: (2.0, 2.0),
                first_acceleration: (0.0, 0.0),
                last_acceleration: (0.0, 0.0),
                toes_straight: 1.0,
            },
            side: SIDE_SIGN[side],
        }
    };
    vec![plan(LEFT), plan(RIGHT)]
}

/// Height of the centre of mass of a figure that stands in this posture.
pub fn standing_com_height_m(body: &Body, half_width_m: f64, posture: Posture) -> f64 {
    let feet = standing_plans(half_width_m).iter().map(|plan| vec![plan.at(0.0)]).collect();
    let mut draft = Draft::human(body, &[posture], feet);
    let mut height_m = 1.0;
    for _ in 0..4 {
        draft.put_com_at(&[DVec3::new(0.0, height_m, 0.0)]);
        height_m -= draft.excess_height_m(STANDING_REACH)[0];
    }
    height_m
}

/// A clip of given postures over a given wander of the pressure point.
pub fn make(half_width_m: f64, postures: &[Posture], lean_m: impl Fn(f64) -> DVec3) -> Result<BuiltMotion, BuiltError> {
    let body = human()?;
    let frames = postures.len();
    let plans = standing_plans(half_width_m);
    let time = |frame: usize| frame as f64 * STEP_SECS;
    let feet = plans.iter().map(|plan| (0..frames).map(|frame| plan.at(time(frame))).collect()).collect();
    let mut draft = Draft::human(&body, postures, feet);
    // Quiet standing is never still: a few millimetres at two frequencies that do not fall together.
    let sway = |t: f64| DVec3::new(0.004 * (TAU * 0.47 * t).sin(), 0.0, 0.006 * (TAU * 0.31 * t + 0.6).sin());
    let pressure_m: Vec<DVec3> = (0..frames).map(|frame| sway(time(frame)) + lean_m(time(frame))).collect();
    let mut height_m = vec![standing_com_height_m(&body, half_width_m, postures[0]); frames];
    let mut goal_m = Vec::new();
    for _ in 0..4 {
        let over = Balance::new(&height_m).over(&pressure_m);
        goal_m = over.iter().zip(&height_m).map(|(p, &y)| DVec3::new(p.x, y, p.z)).collect();
        draft.put_com_at(&goal_m);
        let excess = smoothed(&draft.excess_height_m(STANDING_REACH), 0.06, STEP_SECS);
        height_m.iter_mut().zip(excess).for_each(|(height, excess)| *height -= excess);
    }
    correct(&mut draft, &mut goal_m, &pressure_m, (5, 0), 0.02);
    BuiltMotion::from_draft(&draft, 0..frames, &plans, (0.0, time(frames - 1)))
}

pub fn breathing(t: f64) -> f64 {
    0.6 * (TAU * 0.27 * t).sin()
}

pub fn frames_in(secs: f64) -> usize {
    (secs * RATE_HZ).round() as usize + 1
}

/// A greeting with the right hand.
pub fn wave() -> Result<BuiltMotion, BuiltError> {
    let posture = |frame: usize| {
        let t = frame as f64 * STEP_SECS;
        // Up with a small overshoot, down in time.
        let overshoot = 0.04 * (PI * ((t - 1.15) / 0.4).clamp(0.0, 1.0)).sin().powi(2);
        let a = rise(t, 0.6, 1.25) * (1.0 - rise(t, 3.7, 4.45)) + overshoot;
        let swing = |t: f64| rise(t, 1.0, 1.5) * (1.0 - rise(t, 3.4, 3.85)) * (TAU * 2.1 * t).sin();
        let (w, late) = (swing(t), swing(t - 0.05));
        let right = Arm {
            clavicle: -2.0 + 10.0 * a,
            flex: 2.0 + 30.0 * a,
            abduct: 8.0 + 54.0 * a + 4.0 * w,
            twist: 20.0 - 80.0 * a - 5.0 * w,
            elbow: 14.0 + 92.0 * a - 24.0 * w,
            wrist: 4.0 + 2.0 * a - 14.0 * late,
            pronate: 0.0,
        };
        Posture {
            pelvis_yaw: -3.0 * a,
            pelvis_list: -1.5 * a,
            spine_yaw: -4.0 * a,
            spine_roll: 3.5 * a,
            spine_pitch: breathing(t),
            head_yaw: -4.0 * a,
            arms: [RELAXED_ARM, right],
            ..RELAXED
        }
    };
    let postures: Vec<Posture> = (0..frames_in(5.2)).map(posture).collect();
    make(0.10, &postures, |t| DVec3::X * (0.018 * rise(t, 0.6, 1.25) * (1.0 - rise(t, 3.7, 4.45))))
}

/// A bow from the hips.
pub fn bow() -> Result<BuiltMotion, BuiltError> {
    let frames = frames_in(4.3);
    let raw: Vec<f64> = (0..frames + 20)
        .map(|frame| {
            let t = frame as f64 * STEP_SECS;
            rise(t, 0.5, 1.45) * (1.0 - rise(t, 2.25, 3.5))
        })
        .collect();
    let k = smoothed(&raw, 0.08, STEP_SECS);
    let postures: Vec<Posture> = (0..frames)
        .map(|frame| {
            let (k, late) = (k[frame], k[frame.saturating_sub(8)]);
            let arm = Arm { flex: 2.0 + 40.0 * k, elbow: 14.0 - 4.0 * k, ..RELAXED_ARM };
            Posture {
                pelvis_pitch: 38.0 * k,
                spine_pitch: 24.0 * k + breathing(frame as f64 * STEP_SECS),
                gaze: 0.95,
                head_pitch: 2.0 + 57.0 * k + 8.0 * late,
                arms: [arm; 2],
                ..RELAXED
            }
        })
        .collect();
    make(0.07, &postures, |_| DVec3::ZERO)
}

/// Drumming with alternate hands on something at waist height.
pub fn drum() -> Result<BuiltMotion, BuiltError> {
    let beat_secs = 60.0 / 104.0;
    let posture = |frame: usize| {
        let t = frame as f64 * STEP_SECS;
        let play = |t: f64| rise(t, 0.3, 1.1) * (1.0 - rise(t, 5.0, 5.8));
        let a = play(t);
        // Slow lift, fast fall.
        let stroke = |t: f64, side: usize| {
            let u = (t / (2.0 * beat_secs) + 0.5 * side as f64).rem_euclid(1.0);
            play(t) * (PI * u.powf(1.5)).sin().powi(2)
        };
        let arm = |side: usize| {
            let (s, ahead) = (stroke(t, side), stroke(t + 0.04, side));
            Arm {
                clavicle: -2.0 + 2.0 * s,
                flex: 2.0 + 20.0 * a + 26.0 * s,
                abduct: 8.0 + 10.0 * a,
                twist: 20.0 - 14.0 * a,
                elbow: 14.0 + 66.0 * a + 22.0 * s,
                wrist: 4.0 + 8.0 * a - 26.0 * ahead,
                pronate: 40.0 * a,
            }
        };
        let nod = (TAU * t / beat_secs).cos();
        let turn = 3.0 * (PI * t / beat_secs).sin() * a;
        Posture {
            spine_pitch: (8.0 + 2.0 * nod) * a + breathing(t),
            spine_yaw: turn,
            head_pitch: 2.0 + (8.0 + 3.0 * nod) * a,
            arms: [arm(LEFT), arm(RIGHT)],
            ..RELAXED
        }
    };
    let postures: Vec<Posture> = (0..frames_in(6.2)).map(posture).collect();
    make(0.12, &postures, |_| DVec3::ZERO)
}
