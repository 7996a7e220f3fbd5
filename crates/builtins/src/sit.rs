//! Sitting down on a seat: the pressure point passes from the feet to the seat without a jump of the body.
//!
//! From contact on the root rests on the seat, so the centre of mass is known. Before, it obeys the balance equation
//! over the feet; it has to arrive at the seat with the right place *and* speed. Place is a boundary value of the
//! system; for the speed the pressure plan gets one smooth bump whose size follows from a second solution of the same
//! system.

use crate::balance::Balance;
use crate::curves::{MonotoneKeys, Quintic, rise, smoothed};
use crate::draft::{Draft, RATE_HZ, STEP_SECS};
use crate::human::{HIPS, human};
use crate::posture::{Arm, Posture};
use crate::stand::{RELAXED, RELAXED_ARM, SOLE_MIDDLE_M, standing_com_height_m, standing_plans};
use crate::{BuiltError, BuiltMotion, PlannedContact};
use aplomb_motion::JointId;
use glam::DVec3;

/// From the middle to each ankle, m.
const STANCE_HALF_WIDTH_M: f64 = 0.10;
const DOWN_SECS: f64 = 0.5;
/// First frame on the seat.
const CONTACT_FRAME: usize = 234;
const END_SECS: f64 = 3.8;
/// Hip joints' middle above the seat.
const ROOT_OVER_SEAT_M: f64 = 0.095;

/// Sits down on a seat of this height.
pub fn make(seat_m: f64) -> Result<BuiltMotion, BuiltError> {
    let body = human()?;
    let frames = (END_SECS * RATE_HZ) as usize + 1;
    let time = |frame: usize| frame as f64 * STEP_SECS;
    let contact_secs = time(CONTACT_FRAME);
    let plans = standing_plans(STANCE_HALF_WIDTH_M);
    let feet = plans.iter().map(|plan| (0..frames).map(|frame| plan.at(time(frame))).collect()).collect();
    let postures = postures(frames, contact_secs, seat_m);
    let mut draft = Draft::human(&body, &postures, feet);

    // Height of the root is given all the way; on the seat also its place.
    let stand_com_m = standing_com_height_m(&body, STANCE_HALF_WIDTH_M, postures[0]);
    let mut first = Draft::human(
        &body,
        &postures[..1],
        standing_plans(STANCE_HALF_WIDTH_M).iter().map(|p| vec![p.at(0.0)]).collect(),
    );
    first.put_com_at(&[DVec3::Y * stand_com_m]);
    let seat_root_m = DVec3::new(0.0, seat_m + ROOT_OVER_SEAT_M, -SOLE_MIDDLE_M - 0.31 + 0.10 * (seat_m - 0.45));
    let descent = Quintic::new(DOWN_SECS, [first.root_m[0].y, 0.0, 0.0], contact_secs, [seat_root_m.y, 0.0, 0.0]);
    for (frame, root) in draft.root_m.iter_mut().enumerate() {
        root.y = if time(frame) < DOWN_SECS { first.root_m[0].y } else { descent.at(time(frame)) };
        if frame >= CONTACT_FRAME {
            *root = seat_root_m;
        } else {
            (root.x, root.z) = (first.root_m[0].x, first.root_m[0].z);
        }
    }
    draft.solve_all_legs();

    let mut plan_m = vec![DVec3::ZERO; CONTACT_FRAME + 1];
    let shape: Vec<DVec3> = (0..=CONTACT_FRAME).map(|frame| DVec3::Z * rise(time(frame), 0.45, 1.25)).collect();
    let mut goal_m = draft.com_m();
    let mut carried = vec![0.0; CONTACT_FRAME + 1];
    for pass in 0..10 {
        let com_m = draft.com_m();
        let height_m: Vec<f64> = com_m[..=CONTACT_FRAME + 1].iter().map(|p| p.y).collect();
        let balance = Balance::with_known_end(&height_m);
        // What limbs and trunk add to the moment of a single point, smoothed; it moves the plan the point has to
        // follow.
        if pass > 0 {
            let moments = draft.ground_moment();
            let raw: Vec<f64> = (0..=CONTACT_FRAME)
                .map(|i| if i == 0 || i == CONTACT_FRAME { 0.0 } else { plan_m[i].z - moments[i].0.z / moments[i].1 })
                .collect();
            let step = smoothed(&raw, 0.02, STEP_SECS);
            carried.iter_mut().zip(step).for_each(|(sum, step)| *sum += 0.75 * step);
        }
        let arrive = com_m[CONTACT_FRAME].z;
        let speed_step = com_m[CONTACT_FRAME + 1].z - arrive;
        let solve = |plan: &dyn Fn(usize) -> f64, end: f64| {
            let mut side: Vec<DVec3> = (0..=CONTACT_FRAME).map(|i| DVec3::Z * plan(i)).collect();
            side[CONTACT_FRAME].z = end;
            balance.over(&side)
        };
        let given = solve(&|i| plan_m[i].z + carried[i], arrive);
        let bumped = solve(&|i| shape[i].z, 0.0);
        let slope = |x: &[DVec3]| x[CONTACT_FRAME].z - x[CONTACT_FRAME - 1].z;
        let size = (speed_step - slope(&given)) / slope(&bumped);
        for i in 0..CONTACT_FRAME {
            plan_m[i].z += size * shape[i].z;
            goal_m[i] = DVec3::new(0.0, com_m[i].y, given[i].z + size * bumped[i].z);
        }
        draft.put_com_over(&goal_m[..CONTACT_FRAME]);
    }
    let mut made = BuiltMotion::from_draft(&draft, 0..frames, &plans, (0.0, time(frames - 1)))?;
    made.contacts.push(PlannedContact {
        effector: "hips".into(),
        joint: JointId::new(HIPS),
        point_in_joint_m: DVec3::ZERO,
        start_secs: contact_secs,
        end_secs: time(frames - 1),
    });
    Ok(made)
}

fn postures(frames: usize, contact_secs: f64, seat_m: f64) -> Vec<Posture> {
    let track = |keys: &[(f64, f64)], sigma_secs: f64| {
        let curve = MonotoneKeys::new(keys);
        let raw: Vec<f64> = (0..frames).map(|frame| curve.at(frame as f64 * STEP_SECS)).collect();
        smoothed(&raw, sigma_secs, STEP_SECS)
    };
    let c = contact_secs;
    // A body that sits low leans further to keep the weight over the feet.
    let lean = 46.0 + 30.0 * (0.58 - seat_m);
    let pelvis = track(&[(0.35, 0.0), (1.35, lean), (c - 0.25, lean - 1.0), (c + 0.75, -4.0), (c + 1.1, -6.0)], 0.08);
    let spine = track(&[(0.35, 0.0), (1.3, 26.0), (c - 0.1, 25.0), (c + 0.8, 7.0), (c + 1.1, 6.0)], 0.08);
    // Hands end on the thighs, which slope on a high seat.
    let flex = track(&[(0.5, 2.0), (1.4, 56.0), (c, 60.0), (c + 0.9, 16.0 - 60.0 * (seat_m - 0.45))], 0.08);
    let elbow = track(&[(0.5, 14.0), (1.4, 28.0), (c, 34.0), (c + 0.9, 57.0 - 120.0 * (seat_m - 0.45))], 0.08);
    let head = track(&[(0.3, 2.0), (0.9, 14.0), (c, 10.0), (c + 0.9, 2.0)], 0.08);
    (0..frames)
        .map(|i| {
            let arm = Arm {
                flex: flex[i],
                elbow: elbow[i],
                twist: 12.0,
                pronate: 30.0 * rise(i as f64 * STEP_SECS, c, c + 0.8),
                ..RELAXED_ARM
            };
            Posture {
                pelvis_pitch: pelvis[i],
                spine_pitch: spine[i],
                head_pitch: head[i],
                gaze: 0.8,
                arms: [arm; 2],
                ..RELAXED
            }
        })
        .collect()
}
