//! A dog-sized four-legged walk in lateral sequence.

use crate::balance::{Balance, correct};
use crate::body::{Body, Leg};
use crate::curves::{ClampedSpline, bump, min_jerk, smoothed};
use crate::draft::{Draft, STEP_SECS};
use crate::feet::FootPose;
use crate::masses::Masses;
use crate::posture::ypr;
use crate::{BuiltError, BuiltMotion, MassPoint, PlannedContact};
use aplomb_motion::{Axis, Channels, JointId, Skeleton};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

const CYCLE_FRAMES: usize = 110;
const CYCLE_SECS: f64 = CYCLE_FRAMES as f64 * STEP_SECS;
const CYCLES: usize = 4;
/// Cycles computed before and after those kept.
const SPARE_WALK_CYCLES: usize = 3;
const SPEED: f64 = 0.66;
const DUTY: f64 = 0.64;
const HALF_TRACK_M: f64 = 0.065;
const HIP_HEIGHT_M: f64 = 0.56;
const CHEST_AHEAD_M: f64 = 0.50;

/// One leg's part in the gait. Angles in degrees.
struct LegPlan {
    name: &'static str,
    side: f64,
    /// Share of the cycle at which it lands.
    lands: f64,
    ahead_m: f64,
    /// Hock to paw, or wrist to paw.
    distal_m: f64,
    pitch_on: f64,
    pitch_off: f64,
    pitch_swing: f64,
    lift_m: f64,
    weight: f64,
}

const fn hind(name: &'static str, side: f64, lands: f64) -> LegPlan {
    LegPlan {
        name,
        side,
        lands,
        ahead_m: 0.0,
        distal_m: 0.15,
        pitch_on: -12.0,
        pitch_off: 36.0,
        pitch_swing: 62.0,
        lift_m: 0.075,
        weight: 0.38,
    }
}

const fn fore(name: &'static str, side: f64, lands: f64) -> LegPlan {
    LegPlan {
        name,
        side,
        lands,
        ahead_m: CHEST_AHEAD_M,
        distal_m: 0.11,
        pitch_on: -18.0,
        pitch_off: 34.0,
        pitch_swing: 88.0,
        lift_m: 0.09,
        weight: 0.62,
    }
}

const LEGS: [LegPlan; 4] = [
    hind("left_hind_paw", 1.0, 0.0),
    hind("right_hind_paw", -1.0, 0.5),
    fore("left_front_paw", 1.0, 0.22),
    fore("right_front_paw", -1.0, 0.72),
];

impl LegPlan {
    /// Share of this leg's own cycle, and when that cycle began.
    fn phase(&self, t: f64) -> (f64, f64) {
        let cycles = t / CYCLE_SECS - self.lands;
        (cycles - cycles.floor(), (cycles.floor() + self.lands) * CYCLE_SECS)
    }

    /// Where the paw stands in the cycle that began at `start_secs`: under its shoulder or hip at mid-stance.
    fn stand_m(&self, start_secs: f64) -> DVec3 {
        let middle_secs = start_secs + 0.5 * DUTY * CYCLE_SECS;
        DVec3::new(self.side * HALF_TRACK_M, 0.0, SPEED * middle_secs + self.ahead_m)
    }

    fn at(&self, t: f64) -> (FootPose, f64) {
        let (u, start_secs) = self.phase(t);
        let rate = (self.pitch_off - self.pitch_on) / DUTY;
        let keys = vec![
            (0.0, self.pitch_on),
            (0.5 * DUTY, 0.45 * self.pitch_off + 0.55 * self.pitch_on),
            (DUTY, self.pitch_off),
            (DUTY + 0.12, self.pitch_swing),
            (0.90, 0.35 * self.pitch_swing),
            (1.0, self.pitch_on),
        ];
        let pitch_deg = ClampedSpline::new(keys, 0.5 * rate, 0.5 * rate).at(u);
        let mut paw_m = self.stand_m(start_secs);
        let swing = (u - DUTY) / (1.0 - DUTY);
        if swing > 0.0 {
            let next_m = self.stand_m(start_secs + CYCLE_SECS);
            paw_m = paw_m + (next_m - paw_m) * min_jerk(swing);
            paw_m.y = self.lift_m * bump(swing, (2.2, 2.6));
        }
        let world_from_foot = DQuat::from_rotation_x(pitch_deg.to_radians());
        // Paws lie flat on the ground; in the air they hang.
        let hang = if swing > 0.0 { bump(swing, (2.5, 2.5)) } else { 0.0 };
        let foot = FootPose {
            ankle_m: paw_m + DVec3::Y * PAW_HEIGHT_M - world_from_foot * (DVec3::NEG_Y * self.distal_m),
            world_from_foot,
            toes: DQuat::from_rotation_x(((0.6 * hang - 1.0) * pitch_deg).to_radians()),
        };
        let load = if swing > 0.0 { 0.0 } else { self.weight * (PI * u / DUTY).sin().max(0.0).powf(0.8) };
        (foot, load)
    }
}

/// Paw joint above the ground.
const PAW_HEIGHT_M: f64 = 0.015;

/// Joints of this skeleton; those of `human` have other numbers.
const JOINT_COUNT: usize = 23;
const SPINE_JOINT: usize = 1;
const CHEST_JOINT: usize = 2;
const NECK_JOINT: usize = 3;
const HEAD_JOINT: usize = 4;
const TAIL_JOINTS: [usize; 2] = [5, 6];

/// Four cycles that join end to start.
pub fn walk() -> Result<BuiltMotion, BuiltError> {
    let body = body()?;
    let spare = SPARE_WALK_CYCLES * CYCLE_FRAMES;
    let frames = 2 * spare + CYCLES * CYCLE_FRAMES + 1;
    let time = |frame: usize| (frame as f64 - spare as f64) * STEP_SECS;
    let mut rotations = vec![DQuat::IDENTITY; frames * JOINT_COUNT];
    for (frame, rotations) in rotations.chunks_exact_mut(JOINT_COUNT).enumerate() {
        trunk(TAU * time(frame) / CYCLE_SECS, rotations);
    }
    let steps: Vec<Vec<(FootPose, f64)>> =
        LEGS.iter().map(|leg| (0..frames).map(|frame| leg.at(time(frame))).collect()).collect();
    let feet: Vec<Vec<FootPose>> = steps.iter().map(|steps| steps.iter().map(|step| step.0).collect()).collect();
    let pressure_m = pressure_plan(&steps, frames, &time);
    let root_m = (0..frames).map(|frame| DVec3::new(0.0, HIP_HEIGHT_M, SPEED * time(frame))).collect();
    let mut draft = Draft::new(&body, rotations, feet, root_m);
    let height_m: Vec<f64> = (0..frames)
        .map(|frame| 0.472 - 0.010 * (2.0 * TAU * time(frame) / CYCLE_SECS - 34f64.to_radians()).cos())
        .collect();
    let over = Balance::new(&height_m).over(&pressure_m);
    let mut goal_m: Vec<DVec3> = over.iter().zip(&height_m).map(|(p, &y)| DVec3::new(p.x, y, p.z)).collect();
    draft.put_com_at(&goal_m);
    correct(&mut draft, &mut goal_m, &pressure_m, (6, CYCLE_FRAMES), 0.012);
    let kept = spare..frames - spare;
    let (from, to) = (time(kept.start), time(kept.end - 1));
    let mut made = BuiltMotion::from_draft(&draft, kept, &[], (from, to))?;
    for (leg, paw) in LEGS.iter().zip(&body.legs) {
        for cycle in -2..CYCLES as i32 + 2 {
            let on_secs = (f64::from(cycle) + leg.lands) * CYCLE_SECS;
            let (start_secs, end_secs) = (on_secs.max(from), (on_secs + DUTY * CYCLE_SECS).min(to));
            if end_secs > start_secs {
                let (joint, point_in_joint_m) = (JointId::new(paw.toes), DVec3::NEG_Y * PAW_HEIGHT_M);
                let (start_secs, end_secs) = (start_secs - from, end_secs - from);
                made.contacts.push(PlannedContact {
                    effector: leg.name.into(),
                    joint,
                    point_in_joint_m,
                    start_secs,
                    end_secs,
                });
            }
        }
    }
    Ok(made)
}

/// The paws on the ground, each weighted by the load it carries.
fn pressure_plan(steps: &[Vec<(FootPose, f64)>], frames: usize, time: &impl Fn(usize) -> f64) -> Vec<DVec3> {
    let raw: Vec<DVec3> = (0..frames)
        .map(|frame| {
            let (mut sum, mut total) = (DVec3::ZERO, 0.0);
            for (leg, steps) in LEGS.iter().zip(steps) {
                let load = steps[frame].1;
                sum += leg.stand_m(leg.phase(time(frame)).1) * load;
                total += load;
            }
            sum / total
        })
        .collect();
    let component = |pick: fn(&DVec3) -> f64| smoothed(&raw.iter().map(pick).collect::<Vec<f64>>(), 0.015, STEP_SECS);
    component(|p| p.x).into_iter().zip(component(|p| p.z)).map(|(x, z)| DVec3::new(x, 0.0, z)).collect()
}

fn trunk(theta: f64, rotations: &mut [DQuat]) {
    let cos = |lag_deg: f64| (theta - lag_deg.to_radians()).cos();
    let nod = 4.0 * (2.0 * theta - 0.6).cos();
    let list = 2.0 * cos(80.0);
    rotations[0] = ypr(-3.0 * cos(23.0), 0.0, list);
    rotations[SPINE_JOINT] = ypr(3.5 * cos(23.0), 0.0, -0.6 * list);
    rotations[CHEST_JOINT] = ypr(2.5 * cos(40.0), 0.0, -0.8 * list);
    rotations[NECK_JOINT] = ypr(-1.5 * cos(40.0), 0.5 * nod, 0.0);
    rotations[HEAD_JOINT] = ypr(-1.5 * cos(40.0), -0.6 * nod, 0.0);
    rotations[TAIL_JOINTS[0]] = ypr(9.0 * cos(60.0), 0.0, 0.0);
    rotations[TAIL_JOINTS[1]] = ypr(12.0 * cos(110.0), 0.0, 0.0);
}

fn body() -> Result<Body, BuiltError> {
    let turning = Channels::rotating([Axis::Z, Axis::X, Axis::Y], false);
    let moving = Channels::rotating([Axis::Z, Axis::X, Axis::Y], true);
    let mut builder = Skeleton::builder();
    let mut add = |parent: Option<usize>, name: &str, [x, y, z]: [f64; 3]| {
        let channels = if parent.is_none() { moving.clone() } else { turning.clone() };
        builder.add(parent.map(JointId::new), name, DVec3::new(x, y, z), channels).index()
    };
    let hips = add(None, "Hips", [0.0, HIP_HEIGHT_M, 0.0]);
    let spine = add(Some(hips), "Spine", [0.0, 0.03, 0.24]);
    let chest = add(Some(spine), "Spine1", [0.0, -0.01, CHEST_AHEAD_M - 0.24]);
    let neck = add(Some(chest), "Neck", [0.0, 0.08, 0.08]);
    let head = add(Some(neck), "Head", [0.0, 0.13, 0.13]);
    let tail = add(Some(hips), "Tail", [0.0, 0.02, -0.10]);
    let tail1 = add(Some(tail), "Tail1", [0.0, -0.08, -0.12]);
    let mut limbs = Vec::new();
    for (name, s) in [("Left", 1.0), ("Right", -1.0)] {
        let thigh = add(Some(hips), &format!("{name}UpLeg"), [s * 0.06, 0.0, 0.0]);
        let shank = add(Some(thigh), &format!("{name}Leg"), [0.0, -0.21, 0.0]);
        let foot = add(Some(shank), &format!("{name}Foot"), [0.0, -0.215, 0.0]);
        let toes = add(Some(foot), &format!("{name}ToeBase"), [0.0, -0.15, 0.0]);
        limbs.push(([thigh, shank, foot, toes], DVec3::X));
    }
    for (name, s) in [("Left", 1.0), ("Right", -1.0)] {
        let arm = add(Some(chest), &format!("{name}Arm"), [s * 0.06, -0.075, 0.0]);
        let forearm = add(Some(arm), &format!("{name}ForeArm"), [0.0, -0.20, 0.0]);
        let hand = add(Some(forearm), &format!("{name}Hand"), [0.0, -0.22, 0.0]);
        let paw = add(Some(hand), &format!("{name}HandPaw"), [0.0, -0.11, 0.0]);
        limbs.push(([arm, forearm, hand, paw], DVec3::NEG_X));
    }
    for (joint, [x, y, z]) in [(head, [0.0, -0.03, 0.16]), (tail1, [0.0, -0.10, -0.10])] {
        builder.end_site(JointId::new(joint), DVec3::new(x, y, z));
    }
    for (limb, _) in &limbs {
        builder.end_site(JointId::new(limb[3]), DVec3::new(0.0, -PAW_HEIGHT_M, 0.05));
    }
    let skeleton = Arc::new(builder.build()?);
    let legs: Result<Vec<Leg>, BuiltError> =
        limbs.iter().map(|&(limb, axis)| Leg::new(&skeleton, limb, axis)).collect();
    let masses = masses(&limbs, [hips, spine, chest, head]);
    Ok(Body { skeleton, legs: legs?, masses: Masses::of_points(masses) })
}

/// Shares of a dog, three fifths of it on the front paws. Not the physics crate's body, which is water along the bones
/// for want of a published table and would put the centre 6 cm higher and 7 cm farther ahead.
fn masses(limbs: &[([usize; 4], DVec3)], [hips, spine, chest, head]: [usize; 4]) -> Vec<MassPoint> {
    let mut masses = Vec::new();
    let mut add = |joint, share, x, y, z| masses.push(MassPoint { joint, share, at_m: DVec3::new(x, y, z) });
    add(hips, 0.22, 0.0, 0.0, 0.03);
    add(spine, 0.24, 0.0, -0.04, 0.0);
    add(chest, 0.18, 0.0, -0.04, 0.0);
    add(head, 0.08, 0.0, 0.0, 0.05);
    for (k, (limb, _)) in limbs.iter().enumerate() {
        let (shares, lengths) =
            if k < 2 { ([0.065, 0.025, 0.01], [0.21, 0.215, 0.15]) } else { ([0.05, 0.02, 0.01], [0.20, 0.22, 0.11]) };
        for part in 0..3 {
            add(limb[part], shares[part], 0.0, -0.45 * lengths[part], 0.0);
        }
    }
    let total: f64 = masses.iter().map(|mass| mass.share).sum();
    masses.iter_mut().for_each(|mass| mass.share /= total);
    masses
}
