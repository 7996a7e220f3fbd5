//! Flights: angular momentum that stays and a centre of mass that falls (Shin 2003, section 3.4), spread over the whole
//! clip.

use super::flight_displacement::FlightDisplacement;
use super::observed_motion::{Label, ObservedMotion};
use super::steps::{Compiled, Set};
use super::{IterationRecord, Run, layer_of};
use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::contacts::Verdict;
use aplomb_motion::so3;
use aplomb_physics::GRAVITY_IN_WORLD;
use glam::{DMat3, DVec3};
use serde::Serialize;
use std::ops::Range;

/// Displacements and turns fade over this time on the ground, s. At 0.4 s displacements straighten the path of short
/// runs, which then lean less.
const TAU_SECS: f64 = 0.2;
/// Share of the trace added to the inertia: that of a straight arm about its own line is singular.
const INERTIA_DAMPING: f64 = 0.01;

/// What became of one flight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlightRecord {
    /// Start, s.
    pub start_secs: f64,
    /// End, s.
    pub end_secs: f64,
    /// What the analysis made of it.
    pub verdict: Verdict,
    /// Whether touch-up worked on it.
    pub touched: bool,
    /// Whether it fell as it should, within the accuracy of captures, and so stays as it is.
    #[serde(skip)]
    pub is_right: bool,
    /// Before.
    pub before: Fall,
    /// After.
    pub after: Fall,
}

/// How a flight falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Fall {
    /// Fitted downward acceleration, m/s².
    pub g: f64,
    /// Root mean square distance of the centre of mass from the fitted parabola, all axes, m.
    pub residual_m: f64,
    /// Standard deviation of the angular momentum about the centre of mass, length over axes, kg·m²/s.
    pub momentum_spread: f64,
}

impl FlightRecord {
    pub(super) fn verdict_name(&self) -> &'static str {
        match self.verdict {
            Verdict::Verified => "verified",
            Verdict::Short => "short",
            Verdict::Doubtful => "doubtful",
        }
    }
}

/// The records before the first step; the motion has been observed.
pub(super) fn records(
    contacts: &ContactAnalysis,
    motion: &ObservedMotion,
    right: &[Range<usize>],
) -> Result<Vec<FlightRecord>, EditingError> {
    let record = |flight: &aplomb_analysis::contacts::Flight| {
        let range = motion.range_of(flight);
        let fall = fall(motion, &range)?;
        // Labels may have been taken back to what falls.
        let is_within = |part: &Range<usize>| range.start <= part.start && part.end <= range.end;
        Ok(FlightRecord {
            start_secs: flight.start_secs,
            end_secs: flight.end_secs,
            verdict: flight.verdict,
            touched: motion.flights.iter().any(is_within),
            is_right: right.iter().any(is_within),
            before: fall,
            after: fall,
        })
    };
    contacts.flights.iter().map(record).collect()
}

/// Completes the records after the last step.
pub(super) fn finish_records(records: &mut [FlightRecord], motion: &ObservedMotion) -> Result<(), EditingError> {
    for record in records {
        record.after = fall(motion, &motion.frames.range(record.start_secs, record.end_secs))?;
    }
    Ok(())
}

/// The least-squares parabola through the centre of mass, and the spread of angular momentum.
fn fall(motion: &ObservedMotion, range: &Range<usize>) -> Result<Fall, EditingError> {
    let count = range.len() as f64;
    if range.len() < 3 {
        return Ok(Fall::default());
    }
    let u = |frame: usize| (frame - range.start) as f64 - 0.5 * (count - 1.0);
    let mean_square = (count * count - 1.0) / 12.0;
    let bend_at = |frame: usize| u(frame) * u(frame) - mean_square;
    let project = |basis: &dyn Fn(usize) -> f64| {
        let along: DVec3 = range.clone().map(|frame| motion.com_m(frame) * basis(frame)).sum();
        along / range.clone().map(|frame| basis(frame) * basis(frame)).sum::<f64>()
    };
    let (level, slope, bend) = (project(&|_| 1.0), project(&u), project(&bend_at));
    let off_m = |frame: usize| motion.com_m(frame) - level - slope * u(frame) - bend * bend_at(frame);
    let residual_m = (range.clone().map(|frame| off_m(frame).length_squared()).sum::<f64>() / count).sqrt();
    let momenta = motion.angular_momenta(range)?;
    let mean = momenta.iter().sum::<DVec3>() / count;
    let spread: f64 = momenta.iter().map(|momentum| momentum.distance_squared(mean)).sum();
    let g = -2.0 * bend.y / (motion.frames.step_secs * motion.frames.step_secs);
    Ok(Fall { g, residual_m, momentum_spread: (spread / count).sqrt() })
}

impl Run<'_> {
    pub(super) fn flight_step(
        &mut self,
        index: usize,
        step: &Compiled,
        motion: &mut ObservedMotion,
    ) -> Result<(), EditingError> {
        if motion.flights.is_empty() {
            return Ok(());
        }
        let count = motion.count();
        let skeleton = std::sync::Arc::clone(self.clip.skeleton());
        let sets: Vec<Set> = motion.links.iter().map(|link| step.set_of(&skeleton, link.joint)).collect();
        // Second differences that lie inside a flight altogether; momenta of its outer frames look at their neighbours,
        // too.
        let (mut is_flight, mut is_turning) = (vec![false; count], vec![false; count]);
        for flight in &motion.flights {
            is_flight[flight.start + 1..flight.end - 1].fill(true);
            is_turning[flight.clone()].fill(true);
        }
        let balance = self.balance(motion)?;
        let load: Vec<f64> = (0..count)
            .map(|frame| if motion.labels[frame] == Label::Flight { 0.0 } else { motion.load(frame, DVec3::Y) })
            .collect();
        let (share, step_secs) = (&motion.frames.share, motion.frames.step_secs);
        let turning = FlightDisplacement::new(&is_turning, &load, share, TAU_SECS, step_secs)?;
        let shifting = FlightDisplacement::new(&is_flight, &load, share, TAU_SECS, step_secs)?;
        let is_everything = step.regions.iter().any(|region| region.is_whole) && step.fixed.is_empty();
        for iteration in 0..step.repeat {
            if iteration > 0 {
                motion.look(&self.clip, self.options.margin, false);
            }
            let name = step.name.clone();
            self.iterations.push(IterationRecord { step: index, name, iteration, balance });
            let mut turns_rad = turning.solve(&spin_accelerations(step, &sets, motion)?)?;
            turns_rad.iter_mut().for_each(|turn_rad| *turn_rad *= step.rho);
            let mut shifts_m = vec![DVec3::ZERO; count];
            if is_everything {
                // The last word on the centre of mass: turning about it leaves it alone.
                shifts_m = shifting.solve(&fall_accelerations(motion, &is_flight))?;
                shifts_m.iter_mut().for_each(|shift_m| *shift_m *= step.rho);
            }
            if let Some(region) = step.regions.iter().find(|region| region.is_whole) {
                for frame in 0..count {
                    let centre_m = match step.fixed.first() {
                        Some(&joint) => motion.centre_m(joint, frame),
                        None => motion.com_m(frame),
                    };
                    let arm_m = motion.centre_m(region.joint, frame) - centre_m;
                    shifts_m[frame] += so3::exp(turns_rad[frame]) * arm_m - arm_m;
                }
            } else {
                shifts_m.clear();
            }
            self.put_on(layer_of(index, iteration, step, None, turns_rad, shifts_m));
        }
        Ok(())
    }
}

/// g − c̈ inside flights.
fn fall_accelerations(motion: &ObservedMotion, is_flight: &[bool]) -> Vec<DVec3> {
    let per_step2 = motion.frames.step_secs.powi(-2);
    let mut wanted = vec![DVec3::ZERO; motion.count()];
    for frame in (0..motion.count()).filter(|&frame| is_flight[frame]) {
        let bend_m = motion.com_m(frame - 1) - motion.com_m(frame) * 2.0 + motion.com_m(frame + 1);
        wanted[frame] = GRAVITY_IN_WORLD - bend_m * per_step2;
    }
    wanted
}

/// d/dt of δω = I⁻¹(h̄ − h) inside flights (equation 8, which collapses to this). Which h̄ does not matter to its rate
/// but through the change of I; the mean of the flight is the smallest change.
fn spin_accelerations(step: &Compiled, sets: &[Set], motion: &ObservedMotion) -> Result<Vec<DVec3>, EditingError> {
    let mut wanted = vec![DVec3::ZERO; motion.count()];
    let mut spins: Vec<DVec3> = Vec::new();
    for flight in &motion.flights {
        let momenta = motion.angular_momenta(flight)?;
        let mean = momenta.iter().sum::<DVec3>() / flight.len() as f64;
        spins.clear();
        spins.extend(flight.clone().zip(&momenta).map(|(frame, momentum)| {
            let inertia = inertia(step, sets, motion, frame);
            inertia.inverse() * (mean - *momentum)
        }));
        let last = spins.len() - 1;
        for inside in 0..=last {
            let (before, after) = (inside.saturating_sub(1), (inside + 1).min(last));
            let secs = (after - before) as f64 * motion.frames.step_secs;
            wanted[flight.start + inside] = (spins[after] - spins[before]) / secs;
        }
    }
    Ok(wanted)
}

/// Σ m(|r|² − r rᵀ) + I_own of S2 about the centres it turns about, damped.
fn inertia(step: &Compiled, sets: &[Set], motion: &ObservedMotion, frame: usize) -> DMat3 {
    let count = motion.count();
    let mut sum = DMat3::ZERO;
    let com_m = motion.com_m(frame);
    for (index, link) in motion.links.iter().enumerate() {
        let Set::Turned(region) = sets[index] else { continue };
        let centre_m = match (&step.regions[region], step.fixed.first()) {
            (region, None) if region.is_whole => com_m,
            (region, Some(&joint)) if region.is_whole => motion.centre_m(joint, frame),
            (region, _) => motion.centre_m(region.joint, frame),
        };
        let r = motion.com_m[index * count + frame] - centre_m;
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        let of_point = (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * link.mass_kg;
        sum += of_point + motion.own_inertia(index, frame);
    }
    let trace = sum.x_axis.x + sum.y_axis.y + sum.z_axis.z;
    sum + DMat3::from_diagonal(DVec3::splat(INERTIA_DAMPING * trace + 1e-9))
}
