//! Support and friction at 100 Hz or more, for means and percentiles over time.
//!
//! Contacts begin and end between frames. At 30 Hz a runner's stance is six frames, and whether the one at its edge counts decides the
//! mean of a short clip; forces are smooth, so they are interpolated to the samples that contacts were found on instead.

use super::InspectOptions;
use super::evidence::rows_in_spans;
use super::forces::Forces;
use super::support::{Support, supports};
use crate::contacts::{ContactAnalysis, Traces};
use crate::error::AnalysisError;
use aplomb_motion::spline::NaturalSpline;
use aplomb_physics::centroidal::CentroidalTrack;
use aplomb_physics::spatial::SpatialForce;
use glam::DVec3;

/// One entry a sample.
pub(crate) struct DenseSupport {
    /// F_v / (Mg).
    pub load: Vec<Option<f64>>,
    /// |F along the ground| / F into it.
    pub friction_ratio: Vec<Option<f64>>,
    /// Missing support, m.
    pub error_m: Vec<Option<f64>>,
    /// No point is down.
    pub is_airborne: Vec<bool>,
    /// Carried by something unmodelled.
    pub is_other: Vec<bool>,
}

impl DenseSupport {
    /// At the samples of the even paths, where those are denser than the frames; else at the frames.
    pub(super) fn of(
        contacts: &ContactAnalysis,
        traces: &Traces,
        forces: &Forces,
        support: &Support,
        options: &InspectOptions,
    ) -> Result<Self, AnalysisError> {
        let is_other = |times_secs: &[f64]| {
            rows_in_spans(times_secs, contacts.other.iter().map(|span| (span.start_secs, span.end_secs)))
        };
        let Some(even) = traces.even.as_ref().filter(|even| even.com_m.len() > traces.times_secs.len()) else {
            return Ok(Self {
                load: forces.load.clone(),
                friction_ratio: forces.friction_ratio.clone(),
                error_m: support.error_m.clone(),
                is_airborne: support.is_airborne.clone(),
                is_other: is_other(&traces.times_secs),
            });
        };
        let sample_secs = |sample: usize| even.start_secs + sample as f64 * even.step_secs;
        let times_secs: Vec<f64> = (0..even.com_m.len()).map(sample_secs).collect();
        let dense_forces = dense_forces(&traces.times_secs, forces, &times_secs, options)?;
        let dense_traces = Traces {
            points_m: even.points_m.clone(),
            com_m: even.com_m.clone(),
            standing_m: traces.standing_m.clone(),
            even: None,
            times_secs,
        };
        let dense = supports(contacts, &dense_traces, &dense_forces, options);
        Ok(Self {
            is_other: is_other(&dense_traces.times_secs),
            load: dense_forces.load,
            friction_ratio: dense_forces.friction_ratio,
            error_m: dense.error_m,
            is_airborne: dense.is_airborne,
        })
    }
}

fn dense_forces(
    frame_secs: &[f64],
    forces: &Forces,
    times_secs: &[f64],
    options: &InspectOptions,
) -> Result<Forces, AnalysisError> {
    let dense = |values: Vec<DVec3>| -> Result<Vec<DVec3>, AnalysisError> {
        let spline = NaturalSpline::new(frame_secs, &values)?;
        Ok(times_secs.iter().map(|&secs| spline.value(secs)).collect())
    };
    let track = &forces.track;
    let linear = dense(track.momentum_rate.iter().map(|rate| rate.linear).collect())?;
    let angular = dense(track.momentum_rate.iter().map(|rate| rate.angular).collect())?;
    let momentum_rate = linear.into_iter().zip(angular).map(|(linear, angular)| SpatialForce { angular, linear });
    let dense_track = CentroidalTrack {
        total_mass_kg: track.total_mass_kg,
        com_in_world_m: dense(track.com_in_world_m.clone())?,
        // Nobody asks for momenta between frames.
        momentum: Vec::new(),
        momentum_rate: momentum_rate.collect(),
    };
    let known = |row: &usize| forces.force_newtons[*row].is_some();
    let first = (0..frame_secs.len()).find(known).map(|row| frame_secs[row]);
    let last = (0..frame_secs.len()).rev().find(known).map(|row| frame_secs[row]);
    let is_settled = |sample: usize| {
        first.zip(last).is_some_and(|(first_secs, last_secs)| (first_secs..=last_secs).contains(&times_secs[sample]))
    };
    Ok(Forces::of_track(dense_track, is_settled, options))
}
