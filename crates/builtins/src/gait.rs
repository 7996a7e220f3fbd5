//! Walk, turning walk and run.

use crate::balance::{Balance, correct};
use crate::curves::{linear, smoothed};
use crate::draft::{Draft, RATE_HZ, STEP_SECS};
use crate::feet::{FootPlan, Stance, Swing};
use crate::human::{LEFT, RIGHT, SIDE_SIGN, human};
use crate::posture::{Arm, Posture};
use crate::stand::{RELAXED, standing_com_height_m};
use crate::{BuiltError, BuiltMotion};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Cycles computed before and after those kept: what the ends do dies out by a factor of 25 a cycle.
const SPARE_CYCLES: i32 = 4;

/// What tells one gait from another; angles in degrees, θ = 2π t/cycle with the left heel strike at 0.
struct Gait {
    cycle_frames: usize,
    cycles: usize,
    speed: f64,
    turn_rate: f64,
    half_width_m: f64,
    toe_out_deg: f64,
    /// Ends of the stance's parts, as shares of the cycle: flat, heel off, off.
    stance: [f64; 3],
    pitch_on: (f64, f64),
    pitch_off: (f64, f64),
    swing: Swing,
    /// Pressure along the foot from the ankle: share of the cycle, metres.
    pressure: Vec<(f64, f64)>,
    pressure_inward_m: f64,
    /// Ankle ahead of the body's straight path at the stance's `middle` share of the cycle.
    middle: f64,
    ankle_ahead_m: f64,
    /// Height of the centre of mass over the share of the cycle, against that of a body at ease.
    height_m: fn(f64) -> f64,
    posture: fn(f64) -> Posture,
    lean_deg: f64,
    pressure_sigma_secs: f64,
    correction_sigma_secs: f64,
    /// Lower the body where a leg would be stretched by more than this share. Not for gaits with flights, whose heights
    /// are fixed.
    reach: Option<f64>,
}

impl Gait {
    fn cycle_secs(&self) -> f64 {
        self.cycle_frames as f64 * STEP_SECS
    }

    /// The body's straight or round path, and its heading.
    fn path(&self, t: f64) -> (DVec3, f64) {
        let heading = self.turn_rate * t;
        if self.turn_rate == 0.0 {
            return (DVec3::Z * (self.speed * t), 0.0);
        }
        let radius = self.speed / self.turn_rate;
        (DVec3::new(radius * (1.0 - heading.cos()), 0.0, radius * heading.sin()), heading)
    }

    fn stance_at(&self, step: i32) -> Stance {
        let cycle = self.cycle_secs();
        let on_secs = 0.5 * f64::from(step) * cycle;
        let side = SIDE_SIGN[if step.rem_euclid(2) == 0 { LEFT } else { RIGHT }];
        let (middle, heading) = self.path(on_secs + self.middle * cycle);
        let out = glam::DQuat::from_rotation_y(heading);
        Stance {
            on_secs,
            flat_secs: on_secs + self.stance[0] * cycle,
            heel_off_secs: on_secs + self.stance[1] * cycle,
            off_secs: on_secs + self.stance[2] * cycle,
            ankle_m: middle + out * DVec3::new(side * self.half_width_m, 0.0, self.ankle_ahead_m),
            yaw_rad: heading + side * self.toe_out_deg.to_radians(),
            pitch_on_deg: self.pitch_on.0,
            rate_on_deg: self.pitch_on.1,
            pitch_off_deg: self.pitch_off.0,
            rate_off_deg: self.pitch_off.1,
        }
    }
}

fn make(gait: &Gait) -> Result<BuiltMotion, BuiltError> {
    let body = human()?;
    let spare = SPARE_CYCLES as usize * gait.cycle_frames;
    let frames = 2 * spare + gait.cycles * gait.cycle_frames + 1;
    let time = |frame: usize| (frame as f64 - spare as f64) * STEP_SECS;
    let steps = -2 * SPARE_CYCLES - 4..2 * (SPARE_CYCLES + gait.cycles as i32) + 6;
    let stances: Vec<Stance> = steps.clone().map(|step| gait.stance_at(step)).collect();
    let plan = |side: usize| FootPlan {
        stances: steps
            .clone()
            .zip(&stances)
            .filter(|(step, _)| step.rem_euclid(2) as usize == side)
            .map(|(_, stance)| *stance)
            .collect(),
        swing: gait.swing.clone(),
        side: SIDE_SIGN[side],
    };
    let plans = vec![plan(LEFT), plan(RIGHT)];
    let feet = plans.iter().map(|plan| (0..frames).map(|frame| plan.at(time(frame))).collect()).collect();

    let postures = (0..frames).map(|frame| {
        let t = time(frame);
        let mut posture = (gait.posture)(TAU * t / gait.cycle_secs());
        posture.heading_rad = gait.path(t).1;
        posture.spine_roll += gait.lean_deg;
        posture
    });
    let pressure_m =
        pressure_plan(gait, &steps.clone().zip(stances.iter().copied()).collect::<Vec<_>>(), frames, &time);
    let mut draft = Draft::human(&body, &postures.collect::<Vec<_>>(), feet);
    let stand_m = standing_com_height_m(&body, gait.half_width_m, RELAXED);
    let height_m = |frame: usize| stand_m + (gait.height_m)(time(frame) / gait.cycle_secs());
    let height_m: Vec<f64> = (0..frames).map(height_m).collect();
    let over = Balance::new(&height_m).over(&pressure_m);
    let mut goal_m: Vec<DVec3> = over.iter().zip(&height_m).map(|(p, &y)| DVec3::new(p.x, y, p.z)).collect();
    draft.put_com_at(&goal_m);
    correct(&mut draft, &mut goal_m, &pressure_m, (6, gait.cycle_frames), gait.correction_sigma_secs);
    for reach in gait.reach.into_iter().cycle().take(2) {
        let drop = held_and_smoothed(&draft.excess_height_m(reach), 0.03, 0.03);
        goal_m.iter_mut().zip(&drop).for_each(|(goal, drop)| goal.y -= drop);
        draft.put_com_at(&goal_m);
        correct(&mut draft, &mut goal_m, &pressure_m, (4, gait.cycle_frames), gait.correction_sigma_secs);
    }
    let kept = spare..frames - spare;
    let (from, to) = (time(kept.start), time(kept.end - 1));
    BuiltMotion::from_draft(&draft, kept, &plans, (from, to))
}

/// The greatest excess nearby, never less than none, smoothed.
fn held_and_smoothed(excess: &[f64], hold_secs: f64, sigma_secs: f64) -> Vec<f64> {
    let hold = (hold_secs * RATE_HZ).round() as usize;
    let window = |i: usize| i.saturating_sub(hold)..(i + hold + 1).min(excess.len());
    let held: Vec<f64> = (0..excess.len()).map(|i| excess[window(i)].iter().copied().fold(0.0, f64::max)).collect();
    smoothed(&held, sigma_secs, STEP_SECS)
}

fn pressure_plan(gait: &Gait, stances: &[(i32, Stance)], frames: usize, time: &impl Fn(usize) -> f64) -> Vec<DVec3> {
    let mut keys: Vec<(f64, DVec3)> = Vec::new();
    for (step, stance) in stances {
        let side = SIDE_SIGN[step.rem_euclid(2) as usize];
        keys.extend(gait.pressure.iter().map(|&(share, forward_m)| {
            let t = stance.on_secs + share * gait.cycle_secs();
            (t, stance.ground_point_m(-side * gait.pressure_inward_m, forward_m))
        }));
    }
    let component = |pick: fn(DVec3) -> f64| {
        let keys: Vec<(f64, f64)> = keys.iter().map(|&(t, p)| (t, pick(p))).collect();
        let raw: Vec<f64> = (0..frames).map(|frame| linear(&keys, time(frame))).collect();
        smoothed(&raw, gait.pressure_sigma_secs, STEP_SECS)
    };
    let (x, z) = (component(|p| p.x), component(|p| p.z));
    x.into_iter().zip(z).map(|(x, z)| DVec3::new(x, 0.0, z)).collect()
}

fn cos_deg(theta: f64, lag_deg: f64) -> f64 {
    (theta - lag_deg.to_radians()).cos()
}

fn walking_posture(theta: f64) -> Posture {
    let arm = |theta: f64| Arm {
        clavicle: -3.0 + (2.0 * theta).cos(),
        flex: 1.0 - 21.0 * cos_deg(theta, 12.0) + 2.0 * (2.0 * theta).cos(),
        abduct: 8.0 + 1.5 * theta.cos(),
        twist: 22.0,
        elbow: 24.0 - 13.0 * cos_deg(theta, 30.0) + 2.0 * (2.0 * theta).cos(),
        wrist: 4.0 - 3.0 * cos_deg(theta, 60.0),
        pronate: 0.0,
    };
    let list = 5.5 * cos_deg(theta, 69.0);
    Posture {
        pelvis_yaw: -6.0 * cos_deg(theta, 10.0),
        pelvis_pitch: 2.0 + 1.2 * cos_deg(2.0 * theta, 40.0),
        pelvis_list: list,
        spine_yaw: 10.5 * cos_deg(theta, 10.0),
        spine_pitch: -3.0 + cos_deg(2.0 * theta, 20.0),
        spine_roll: -1.35 * list,
        gaze: 0.85,
        head_pitch: 3.0,
        arms: [arm(theta), arm(theta + PI)],
        ..Posture::default()
    }
}

/// Lowest in double support, highest over the standing leg.
fn walking_height_m(share: f64) -> f64 {
    let theta = TAU * share;
    -0.0122 - 0.0178 * cos_deg(2.0 * theta, 18.4) - 0.0009 * cos_deg(4.0 * theta, 2.4)
}

/// Numbers without a round value were fitted to the textbook course of the knee over the cycle (6° at heel strike, 19°
/// at 14 %, 7.5° at 38 %, 61° at 72 %), with the legs never stretched by more than 0.9992 and the ankle kept between
/// −24° and 22°.
fn walk_gait() -> Gait {
    let cycle_frames = 128;
    let cycle = cycle_frames as f64 / RATE_HZ;
    Gait {
        cycle_frames,
        cycles: 3,
        speed: 2.0 * 0.7033 / cycle,
        turn_rate: 0.0,
        half_width_m: 0.05,
        toe_out_deg: 6.0,
        stance: [0.0603, 0.38, 0.595],
        pitch_on: (-15.0, 169.2),
        pitch_off: (53.4, 541.9),
        swing: Swing {
            pitch_keys: vec![(0.25, 63.3), (0.49, 11.0), (0.67, -21.2), (0.85, -19.0)],
            lift_m: 0.0168,
            lift_shape: (1.7, 3.0),
            first_acceleration: (80.0, -5.0),
            last_acceleration: (-16.8, 0.0),
            toes_straight: 0.75,
        },
        pressure: vec![(0.115, 0.024), (0.23, 0.074), (0.345, 0.165), (0.495, 0.19)],
        pressure_inward_m: 0.008,
        middle: 0.31,
        ankle_ahead_m: 0.0,
        height_m: walking_height_m,
        posture: walking_posture,
        lean_deg: 0.0,
        pressure_sigma_secs: 0.015,
        correction_sigma_secs: 0.012,
        reach: Some(0.999),
    }
}

/// A straight walk at 1.32 m/s: three cycles that join end to start.
pub fn walk() -> Result<BuiltMotion, BuiltError> {
    make(&walk_gait())
}

/// The same walk on a circle of 2.2 m, to the left.
pub fn turning_walk() -> Result<BuiltMotion, BuiltError> {
    let straight = walk_gait();
    let turn_rate = 0.6;
    let lean_deg = -0.6 * (straight.speed * turn_rate / aplomb_physics::GRAVITY).atan().to_degrees();
    // The inner leg has less room than on the straight.
    make(&Gait {
        turn_rate,
        lean_deg,
        reach: Some(0.998),
        height_m: |share| walking_height_m(share) - 0.005,
        ..straight
    })
}

fn running_posture(theta: f64) -> Posture {
    let arm = |theta: f64| {
        let swing = (theta + 20f64.to_radians()).cos();
        Arm {
            clavicle: -2.0,
            flex: -12.0 - 33.0 * swing,
            abduct: 12.0 + 3.0 * swing,
            twist: 28.0,
            elbow: 88.0 - 16.0 * swing,
            wrist: 4.0,
            pronate: 0.0,
        }
    };
    let list = 3.0 * cos_deg(theta, 60.0);
    Posture {
        pelvis_yaw: -5.0 * cos_deg(theta, -25.0),
        pelvis_pitch: 7.0 + 2.0 * cos_deg(2.0 * theta, 120.0),
        pelvis_list: list,
        spine_yaw: 15.0 * cos_deg(theta, -15.0),
        spine_pitch: 2.0 + 1.5 * cos_deg(2.0 * theta, 120.0 - 57.0),
        spine_roll: -1.2 * list,
        gaze: 0.85,
        head_pitch: 4.0,
        arms: [arm(theta), arm(theta + PI)],
        ..Posture::default()
    }
}

const RUN_CYCLE_FRAMES: f64 = 84.0;
const RUN_STANCE_FRAMES: f64 = 29.0;

/// A spring-like stance, vertical force a half sine, and a parabola.
fn running_height_m(share: f64) -> f64 {
    use aplomb_physics::GRAVITY;
    const TOUCH_DOWN_M: f64 = -0.0078;
    let (stance, step) = (RUN_STANCE_FRAMES * STEP_SECS, 0.5 * RUN_CYCLE_FRAMES * STEP_SECS);
    let s = (share * 2.0 * step).rem_euclid(step);
    let flight = step - stance;
    let speed = 0.5 * GRAVITY * flight;
    if s >= stance {
        let s = s - stance;
        return TOUCH_DOWN_M + speed * s - 0.5 * GRAVITY * s * s;
    }
    // ∬ F sin(πs/Ts) with F = (π/2) g · step/stance, so that the step's impulse carries the body.
    let peak = 0.5 * PI * GRAVITY * step / stance;
    let w = PI / stance;
    TOUCH_DOWN_M - speed * s - 0.5 * GRAVITY * s * s + peak * (s / w - (w * s).sin() / (w * w))
}

/// A run at 2.9 m/s: four cycles that join end to start.
pub fn run() -> Result<BuiltMotion, BuiltError> {
    let stance = RUN_STANCE_FRAMES / RUN_CYCLE_FRAMES;
    let cycle = RUN_CYCLE_FRAMES * STEP_SECS;
    make(&Gait {
        cycle_frames: RUN_CYCLE_FRAMES as usize,
        cycles: 4,
        speed: 2.9,
        turn_rate: 0.0,
        half_width_m: 0.025,
        toe_out_deg: 5.0,
        stance: [0.04 / cycle, 0.105 / cycle, stance],
        pitch_on: (-8.0, 200.0),
        pitch_off: (60.0, 480.0),
        swing: Swing {
            pitch_keys: vec![(0.14, 86.0), (0.36, 84.0), (0.62, 22.0), (0.86, -8.0)],
            lift_m: 0.10,
            lift_shape: (1.6, 2.8),
            first_acceleration: (30.0, 20.0),
            last_acceleration: (-30.0, 0.0),
            toes_straight: 0.6,
        },
        pressure: vec![(0.0, -0.02), (0.04 / cycle, 0.03), (0.105 / cycle, 0.145), (stance, 0.18)],
        pressure_inward_m: 0.0,
        middle: 0.46 * stance,
        ankle_ahead_m: -0.10,
        height_m: running_height_m,
        posture: running_posture,
        lean_deg: 0.0,
        pressure_sigma_secs: 0.012,
        correction_sigma_secs: 0.010,
        reach: None,
    })
}
