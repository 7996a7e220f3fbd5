//! Forward jumps, with or without a half turn.

use crate::balance::{Balance, correct};
use crate::body::Body;
use crate::curves::{MonotoneKeys, Quintic, linear, min_jerk, smoothed};
use crate::draft::{Draft, RATE_HZ, STEP_SECS};
use crate::feet::{FootPlan, Stance, Swing};
use crate::human::{SHANK_M, SIDE_SIGN, THIGH_M, human};
use crate::posture::{Arm, Posture};
use crate::spin::level_flight;
use crate::stand::{SOLE_MIDDLE_M, STANDING_REACH, standing_com_height_m};
use crate::{BuiltError, BuiltMotion};
use aplomb_physics::GRAVITY;
use glam::DVec3;
use std::f64::consts::PI;

const STAND_SECS: f64 = 0.5;
const CROUCH_SECS: f64 = 0.5;
const CROUCH_M: f64 = 0.25;
const ABSORB_SECS: f64 = 0.24;
const RECOVER_SECS: f64 = 0.75;
const HEEL_OFF_BEFORE_SECS: f64 = 0.22;

/// A jump; metres and degrees.
#[derive(Clone, Copy)]
pub struct Jump {
    pub length_m: f64,
    pub rise_m: f64,
    pub tuck_m: f64,
    /// Below 0 the heels land first.
    pub land_pitch_deg: f64,
    pub turn_rad: f64,
    pub half_width_m: f64,
}

pub const SHORT: Jump =
    Jump { length_m: 0.5, rise_m: 0.22, tuck_m: 0.10, land_pitch_deg: 12.0, turn_rad: 0.0, half_width_m: 0.09 };
pub const LONG: Jump =
    Jump { length_m: 1.3, rise_m: 0.32, tuck_m: 0.16, land_pitch_deg: -8.0, turn_rad: 0.0, half_width_m: 0.10 };
pub const HALF_TURN: Jump =
    Jump { length_m: 0.15, rise_m: 0.30, tuck_m: 0.10, land_pitch_deg: 14.0, turn_rad: PI, half_width_m: 0.10 };

/// Heights at the events, and the times that follow from them.
#[derive(Clone, Copy)]
struct Events {
    stand_m: f64,
    bottom_m: f64,
    off_m: f64,
    land_m: f64,
    off_speed: f64,
    bottom_secs: f64,
    off_secs: f64,
    land_secs: f64,
    deepest_secs: f64,
    end_secs: f64,
}

impl Events {
    fn new(jump: &Jump, stand_m: f64, off_m: f64, land_m: f64) -> Self {
        let off_speed = (2.0 * GRAVITY * jump.rise_m).sqrt();
        let bottom_m = stand_m - CROUCH_M;
        let bottom_secs = STAND_SECS + CROUCH_SECS;
        let off_secs = bottom_secs + 1.85 * (off_m - bottom_m) / off_speed;
        let flight = (off_speed + (off_speed.powi(2) + 2.0 * GRAVITY * (off_m - land_m)).max(0.0).sqrt()) / GRAVITY;
        let land_secs = off_secs + flight;
        let deepest_secs = land_secs + ABSORB_SECS;
        let end_secs = deepest_secs + RECOVER_SECS;
        Self { stand_m, bottom_m, off_m, land_m, off_speed, bottom_secs, off_secs, land_secs, deepest_secs, end_secs }
    }

    /// With heights at take-off and landing that bring the legs of a draft nearer to the stretch they should have.
    fn reached(&self, jump: &Jump, draft: &Draft<'_>) -> Self {
        let reach = draft.reach();
        let longest = |at: f64, before: f64, after: f64| {
            let range = ((at - before) * RATE_HZ) as usize..((at + after) * RATE_HZ) as usize;
            reach[range].iter().copied().fold(0.0, f64::max)
        };
        let leg_m = THIGH_M + SHANK_M;
        let off_m = self.off_m + 0.9 * (0.985 - longest(self.off_secs, 0.15, 0.08)) * leg_m;
        let land_m = self.land_m + 0.9 * (0.975 - longest(self.land_secs, 0.08, 0.10)) * leg_m;
        Self::new(jump, self.stand_m, off_m, land_m)
    }

    fn height_m(&self, t: f64) -> f64 {
        let push = self.off_secs - self.bottom_secs;
        let bottom = [self.bottom_m, 0.0, self.off_speed / push];
        let land_speed = self.off_speed - GRAVITY * (self.land_secs - self.off_secs);
        let deepest = [self.land_m + 0.37 * land_speed * ABSORB_SECS, 0.0, 8.0];
        let rest = [self.stand_m, 0.0, 0.0];
        if t < STAND_SECS || t > self.end_secs {
            self.stand_m
        } else if t < self.bottom_secs {
            Quintic::new(STAND_SECS, rest, self.bottom_secs, bottom).at(t)
        } else if t < self.off_secs {
            Quintic::new(self.bottom_secs, bottom, self.off_secs, [self.off_m, self.off_speed, -GRAVITY]).at(t)
        } else if t < self.land_secs {
            let s = t - self.off_secs;
            self.off_m + self.off_speed * s - 0.5 * GRAVITY * s * s
        } else if t < self.deepest_secs {
            Quintic::new(self.land_secs, [self.land_m, land_speed, -GRAVITY], self.deepest_secs, deepest).at(t)
        } else {
            Quintic::new(self.deepest_secs, deepest, self.end_secs, rest).at(t)
        }
    }
}

/// Makes a jump. The heights at take-off and landing are found by trying: legs shall be stretched by 0.985 and 0.975
/// there.
pub fn make(jump: &Jump) -> Result<BuiltMotion, BuiltError> {
    let body = human()?;
    let stand_m = standing_com_height_m(&body, jump.half_width_m, crate::stand::RELAXED);
    let mut events = Events::new(jump, stand_m, stand_m + 0.06, stand_m + 0.02);
    for _ in 0..6 {
        events = events.reached(jump, &rough(jump, &body, &events).draft);
    }
    // Balancing moves the hips, by centimetres in a long jump: tried again with what comes of it.
    for _ in 0..3 {
        events = events.reached(jump, &balanced(jump, &body, &events).draft);
    }
    let Rough { draft, plans, .. } = balanced(jump, &body, &events);
    let frames = draft.frames();
    BuiltMotion::from_draft(&draft, 0..frames, &plans, (0.0, (frames - 1) as f64 * STEP_SECS))
}

/// A clip of given events before its corrections, or after them.
struct Rough<'a> {
    draft: Draft<'a>,
    goal_m: Vec<DVec3>,
    pressure_m: Vec<DVec3>,
    postures: Vec<Posture>,
    plans: Vec<FootPlan>,
}

/// A clip of given events that balances and keeps its angular momentum.
fn balanced<'a>(jump: &Jump, body: &'a Body, events: &Events) -> Rough<'a> {
    let mut made = rough(jump, body, events);
    let Rough { draft, goal_m, pressure_m, postures, .. } = &mut made;
    // A long jump leans before it crouches: the standing legs must not be overstretched by that.
    for _ in 0..2 {
        let excess = draft.excess_height_m(STANDING_REACH);
        let last = (events.bottom_secs * RATE_HZ) as usize;
        let held: Vec<f64> =
            (0..excess.len())
                .map(|i| {
                    if i < last { excess[i.saturating_sub(6)..=i + 6].iter().copied().fold(0.0, f64::max) } else { 0.0 }
                })
                .collect();
        let drop = smoothed(&held, 0.06, STEP_SECS);
        goal_m.iter_mut().zip(drop).take(last).for_each(|(goal, drop)| goal.y -= drop);
        let height_m: Vec<f64> = goal_m.iter().map(|p| p.y).collect();
        let over = Balance::new(&height_m).over(pressure_m);
        goal_m.iter_mut().zip(over).for_each(|(goal, over)| (goal.x, goal.z) = (over.x, over.z));
        draft.put_com_at(goal_m);
    }
    correct(draft, goal_m, pressure_m, (6, 0), 0.010);
    for _ in 0..2 {
        level_flight(draft, postures, goal_m, events.off_secs, events.land_secs);
        draft.put_com_at(goal_m);
        correct(draft, goal_m, pressure_m, (3, 0), 0.010);
    }
    made
}

/// Feet, postures and the centre of mass for given events, before corrections.
fn rough<'a>(jump: &Jump, body: &'a Body, events: &Events) -> Rough<'a> {
    let frames = ((events.end_secs + 0.4) * RATE_HZ).ceil() as usize + 1;
    let time = |frame: usize| frame as f64 * STEP_SECS;
    let plans: Vec<FootPlan> = [0, 1].map(|side| foot_plan(jump, events, SIDE_SIGN[side])).into();
    let feet = plans.iter().map(|plan| (0..frames).map(|frame| plan.at(time(frame))).collect()).collect();
    let postures = postures(jump, events, frames);
    let mut draft = Draft::human(body, &postures, feet);
    let pressure_m = pressure_plan(jump, events, frames);
    let height_m: Vec<f64> = (0..frames).map(|frame| events.height_m(time(frame))).collect();
    let over = Balance::new(&height_m).over(&pressure_m);
    let goal_m: Vec<DVec3> = over.iter().zip(&height_m).map(|(p, &y)| DVec3::new(p.x, y, p.z)).collect();
    draft.put_com_at(&goal_m);
    Rough { draft, goal_m, pressure_m, postures, plans }
}

fn foot_plan(jump: &Jump, events: &Events, side: f64) -> FootPlan {
    let toe_out = side * 7f64.to_radians();
    let first = Stance {
        heel_off_secs: events.off_secs - HEEL_OFF_BEFORE_SECS,
        off_secs: events.off_secs,
        pitch_off_deg: 62.0,
        rate_off_deg: 480.0,
        ..Stance::standing(DVec3::new(side * jump.half_width_m, 0.0, -SOLE_MIDDLE_M), toe_out)
    };
    let turned = glam::DQuat::from_rotation_y(jump.turn_rad);
    let arm = turned * DVec3::new(side * jump.half_width_m, 0.0, -SOLE_MIDDLE_M);
    let ball_first = jump.land_pitch_deg > 0.0;
    let second = Stance {
        on_secs: events.land_secs,
        flat_secs: events.land_secs + 0.09,
        pitch_on_deg: jump.land_pitch_deg,
        rate_on_deg: if ball_first { -120.0 } else { 60.0 },
        ..Stance::standing(DVec3::Z * jump.length_m + arm, toe_out + jump.turn_rad)
    };
    let swing = Swing {
        pitch_keys: vec![(0.12, 66.0), (0.4, 44.0), (0.7, 14.0)],
        lift_m: jump.tuck_m,
        lift_shape: (2.0, 2.0),
        first_acceleration: (24.0 * jump.length_m, 38.0),
        last_acceleration: (-20.0 * jump.length_m, 30.0),
        toes_straight: 0.6,
    };
    FootPlan { stances: vec![first, second], swing, side }
}

/// Both soles' middle, and from it along the feet.
fn pressure_plan(jump: &Jump, events: &Events, frames: usize) -> Vec<DVec3> {
    let land = if jump.land_pitch_deg < 0.0 { -0.08 } else { 0.10 };
    let facing = if jump.turn_rad == 0.0 { 1.0 } else { -1.0 };
    let keys = [
        (STAND_SECS, 0.0),
        (STAND_SECS + 0.25, -0.02),
        (events.bottom_secs, 0.03),
        (events.off_secs - HEEL_OFF_BEFORE_SECS, 0.095),
        (events.off_secs, 0.12),
        (events.land_secs, jump.length_m + facing * land),
        (events.land_secs + 0.09, jump.length_m + facing * 0.02),
        (events.deepest_secs, jump.length_m),
    ];
    // Smoothed on each side of the flight alone: across it the plan jumps, and only the loaded ends count.
    let split = (0.5 * (events.off_secs + events.land_secs) * RATE_HZ) as usize;
    let held = |held: &[(f64, f64)], range: std::ops::Range<usize>| -> Vec<f64> {
        let raw: Vec<f64> = range.map(|frame| linear(held, frame as f64 * STEP_SECS)).collect();
        smoothed(&raw, 0.015, STEP_SECS)
    };
    let mut z = held(&keys[..5], 0..split);
    z.extend(held(&keys[5..], split..frames));
    z.into_iter().map(|z| DVec3::new(0.0, 0.0, z)).collect()
}

fn postures(jump: &Jump, events: &Events, frames: usize) -> Vec<Posture> {
    let times = [
        STAND_SECS,
        events.bottom_secs,
        events.off_secs,
        events.off_secs + 0.45 * (events.land_secs - events.off_secs),
        events.land_secs,
        events.deepest_secs,
        events.end_secs,
    ];
    let sampled = |keys: Vec<(f64, f64)>| {
        let curve = MonotoneKeys::new(&keys);
        let raw: Vec<f64> = (0..frames).map(|frame| curve.at(frame as f64 * STEP_SECS)).collect();
        smoothed(&raw, 0.035, STEP_SECS)
    };
    let track = |values: [f64; 7]| sampled(times.into_iter().zip(values).collect());
    let pelvis = track([0.0, 40.0, 2.0 + 8.0 * jump.length_m, 4.0, 14.0, 44.0, 0.0]);
    let spine = track([0.0, 22.0, -6.0, 10.0, 16.0, 25.0, 0.0]);
    let mut flex_keys: Vec<(f64, f64)> = times.into_iter().zip([2.0, -52.0, 125.0, 105.0, 62.0, 38.0, 2.0]).collect();
    flex_keys[1].0 -= 0.12;
    flex_keys.insert(2, (events.off_secs - 0.17, -5.0));
    let flex = sampled(flex_keys);
    let elbow = track([14.0, 14.0, 32.0, 24.0, 24.0, 26.0, 14.0]);
    let clavicle = track([-3.0, -3.0, 14.0, 8.0, 0.0, -3.0, -3.0]);
    let lead = track([0.0, -0.10, 0.10, 0.02, -0.05, 0.0, 0.0]);
    let heading = headings(jump, events, frames);
    (0..frames)
        .map(|i| {
            let arm = Arm {
                clavicle: clavicle[i],
                flex: flex[i],
                abduct: 9.0,
                twist: 15.0,
                elbow: elbow[i],
                ..Arm::default()
            };
            Posture {
                heading_rad: heading[i],
                pelvis_pitch: pelvis[i],
                spine_pitch: spine[i],
                spine_yaw: (jump.turn_rad * lead[i]).to_degrees(),
                gaze: 0.75,
                head_pitch: 6.0,
                arms: [arm; 2],
                ..Posture::default()
            }
        })
        .collect()
}

/// The turn: its rate grows during the push, is constant in flight, and dies out after the landing.
fn headings(jump: &Jump, events: &Events, frames: usize) -> Vec<f64> {
    const SETTLE_SECS: f64 = 0.28;
    let (push, flight) = (events.off_secs - events.bottom_secs, events.land_secs - events.off_secs);
    let rate = jump.turn_rad / (0.5 * push + flight + 0.5 * SETTLE_SECS);
    let rate_at = |t: f64| {
        let up = min_jerk((t - events.bottom_secs) / push);
        let down = 1.0 - min_jerk((t - events.land_secs) / SETTLE_SECS);
        rate * up.min(down)
    };
    // Summed finely, so that the end is the whole turn to far below what can be seen; then scaled to be it exactly.
    let fine = 16;
    let mut heading = vec![0.0];
    let mut sum = 0.0;
    for step in 0..(frames - 1) * fine {
        sum += rate_at((step as f64 + 0.5) * STEP_SECS / fine as f64) * STEP_SECS / fine as f64;
        if (step + 1) % fine == 0 {
            heading.push(sum);
        }
    }
    let scale = if sum == 0.0 { 0.0 } else { jump.turn_rad / sum };
    heading.iter().map(|h| h * scale).collect()
}
