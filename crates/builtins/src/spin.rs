//! In flight nothing can turn the body: its angular momentum about the centre of mass has to stay what it was at
//! take-off.

use crate::curves::min_jerk;
use crate::draft::{Draft, RATE_HZ, STEP_SECS};
use crate::posture::Posture;
use glam::{DMat3, DQuat, DVec3};

/// Turns the whole flying body, feet included, about its centre of mass so that its pitch and roll momentum becomes
/// constant: δ′ = I⁻¹(L̄ − L), with L̄ chosen so that δ vanishes at both ends. Near the ends δ′ is faded in over 40 ms,
/// so that take-off and landing velocities stay as they are.
pub fn level_flight(draft: &mut Draft<'_>, postures: &mut [Posture], goal_m: &[DVec3], off_secs: f64, land_secs: f64) {
    const FADE_SECS: f64 = 0.04;
    let (first, last) = ((off_secs * RATE_HZ).ceil() as usize, (land_secs * RATE_HZ).floor() as usize);
    let fade = |frame: usize| {
        let t = frame as f64 * STEP_SECS;
        min_jerk((t - off_secs) / FADE_SECS) * min_jerk((land_secs - t) / FADE_SECS)
    };
    let states: Vec<(DVec3, DMat3)> = momenta(draft, goal_m, first, last);
    // L̄: Σ w I⁻¹ (L̄ − L) = 0.
    let (mut weights, mut weighted) = (DMat3::ZERO, DVec3::ZERO);
    for (k, (momentum, inertia)) in states.iter().enumerate() {
        let inverse = inertia.inverse() * fade(first + k);
        weights += inverse;
        weighted += inverse * *momentum;
    }
    let mean = weights.inverse() * weighted;
    let mut turn = DVec3::ZERO;
    for (k, (momentum, inertia)) in states.iter().enumerate() {
        let frame = first + k;
        let mut rate = inertia.inverse() * (mean - *momentum) * fade(frame);
        // The turn about the vertical is part of the plan.
        rate.y = 0.0;
        turn += rate * STEP_SECS;
        let spin = DQuat::from_scaled_axis(turn - 0.5 * rate * STEP_SECS);
        postures[frame].spin = spin * postures[frame].spin;
        for feet in &mut draft.feet {
            let foot = &mut feet[frame];
            foot.ankle_m = goal_m[frame] + spin * (foot.ankle_m - goal_m[frame]);
            foot.world_from_foot = spin * foot.world_from_foot;
        }
    }
    draft.write_postures(postures);
}

/// Angular momentum about the centre of mass and inertia of each flying frame, for a body of 1 kg.
fn momenta(draft: &Draft<'_>, goal_m: &[DVec3], first: usize, last: usize) -> Vec<(DVec3, DMat3)> {
    let points = draft.mass_points_m();
    let masses = &draft.body.masses.points;
    (first..=last)
        .map(|frame| {
            let com_velocity = (goal_m[frame + 1] - goal_m[frame - 1]) * (0.5 * RATE_HZ);
            let (mut momentum, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
            for (k, mass) in masses.iter().enumerate() {
                let at = |f: usize| points[f * masses.len() + k];
                let r = at(frame) - goal_m[frame];
                let v = (at(frame + 1) - at(frame - 1)) * (0.5 * RATE_HZ) - com_velocity;
                momentum += r.cross(v) * mass.share;
                let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
                inertia += (DMat3::IDENTITY * r.length_squared() - outer) * mass.share;
            }
            (momentum, inertia)
        })
        .collect()
}
