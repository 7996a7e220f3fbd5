//! Links, support and friction at 100 Hz or more.
//!
//! Contacts begin and end between frames. At 30 Hz a runner's stance is six frames, and whether the one at its edge counts decides the
//! mean of a short clip. So what is smoothed, differentiated and averaged over time is looked at where contacts were found: at even samples
//! of a spline through the frames, where those are fewer.

use super::InspectOptions;
use super::evidence::rows_in_spans;
use super::forces::Forces;
use super::support::{Support, supports};
use crate::contacts::{ContactAnalysis, Paths, Traces};
use crate::error::AnalysisError;
use aplomb_motion::spline::NaturalSpline;
use aplomb_physics::centroidal::{CentroidalTrack, LinkPaths};
use aplomb_physics::spatial::SpatialForce;
use glam::{DQuat, DVec3};

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
    /// At the samples of the even paths, where forces were told there; else at the frames.
    pub(super) fn of(
        contacts: &ContactAnalysis,
        traces: &Traces,
        (forces, dense_forces): &(Forces, Option<Forces>),
        support: &Support,
        options: &InspectOptions,
    ) -> Self {
        let is_other = |times_secs: &[f64]| {
            rows_in_spans(times_secs, contacts.other.iter().map(|span| (span.start_secs, span.end_secs)))
        };
        let (Some(even), Some(dense_forces)) = (&traces.even, dense_forces) else {
            return Self {
                load: forces.load.clone(),
                friction_ratio: forces.friction_ratio.clone(),
                error_m: support.error_m.clone(),
                is_airborne: support.is_airborne.clone(),
                is_other: is_other(&traces.times_secs),
            };
        };
        let times_secs = even.times_secs();
        let dense = supports(contacts, &times_secs, &even.points_m, true, dense_forces, options);
        Self {
            is_other: is_other(&times_secs),
            load: dense_forces.load.clone(),
            friction_ratio: dense_forces.friction_ratio.clone(),
            error_m: dense.error_m,
            is_airborne: dense.is_airborne,
        }
    }
}

/// The links at the samples of `even`: natural splines through the frames. Orientations are interpolated as the four numbers they are,
/// with the sign of their neighbours, and normalised.
pub(super) fn link_paths(paths: &LinkPaths, frame_secs: &[f64], even: &Paths) -> Result<LinkPaths, AnalysisError> {
    let (links, samples) = (paths.links, even.com_m.len());
    let times_secs = even.times_secs();
    let mut dense = LinkPaths {
        links,
        com_in_world_m: vec![DVec3::ZERO; links * samples],
        world_from_joint: vec![DQuat::IDENTITY; links * samples],
    };
    for link in 0..links {
        let column = |frame: usize| frame * links + link;
        let coms_m: Vec<DVec3> = (0..paths.frames()).map(|frame| paths.com_in_world_m[column(frame)]).collect();
        let mut turns: Vec<DQuat> = (0..paths.frames()).map(|frame| paths.world_from_joint[column(frame)]).collect();
        for frame in 1..turns.len() {
            if turns[frame].dot(turns[frame - 1]) < 0.0 {
                turns[frame] = -turns[frame];
            }
        }
        let com_m = NaturalSpline::new(frame_secs, &coms_m)?;
        let vector = NaturalSpline::new(frame_secs, &turns.iter().map(|q| q.xyz()).collect::<Vec<_>>())?;
        let scalar = NaturalSpline::new(frame_secs, &turns.iter().map(|q| q.w).collect::<Vec<_>>())?;
        for (sample, &secs) in times_secs.iter().enumerate() {
            dense.com_in_world_m[column(sample)] = com_m.value(secs);
            let turn = DQuat::from_vec4(vector.value(secs).extend(scalar.value(secs)));
            // Half a turn and more between two frames may pass through nothing.
            dense.world_from_joint[column(sample)] =
                if turn.length() > 0.1 { turn.normalize() } else { dense.world_from_joint[column(sample.max(1) - 1)] };
        }
    }
    Ok(dense)
}

/// What was told at even samples, at the frames: of clips with an even rate every so-many-th sample, else between the two nearest.
pub(super) fn track_at(dense: &CentroidalTrack, even: &Paths, frame_secs: &[f64]) -> CentroidalTrack {
    let last = dense.com_in_world_m.len().saturating_sub(1);
    let places = || {
        frame_secs.iter().map(|secs| {
            let at = ((secs - even.start_secs) / even.step_secs).clamp(0.0, last as f64);
            // Times of frames are rounded: what is a sample is that sample.
            let at = if (at - at.round()).abs() < 1e-3 { at.round() } else { at };
            let before = at.floor() as usize;
            (before, (before + 1).min(last), at.fract())
        })
    };
    let momenta = |rows: &[SpatialForce]| {
        let between = |(before, after, share): (usize, usize, f64)| SpatialForce {
            angular: rows[before].angular.lerp(rows[after].angular, share),
            linear: rows[before].linear.lerp(rows[after].linear, share),
        };
        places().map(between).collect()
    };
    let coms_m = &dense.com_in_world_m;
    CentroidalTrack {
        total_mass_kg: dense.total_mass_kg,
        com_in_world_m: places().map(|(before, after, share)| coms_m[before].lerp(coms_m[after], share)).collect(),
        momentum: momenta(&dense.momentum),
        momentum_rate: momenta(&dense.momentum_rate),
    }
}

impl Paths {
    /// One a sample.
    pub fn times_secs(&self) -> Vec<f64> {
        (0..self.com_m.len()).map(|sample| self.start_secs + sample as f64 * self.step_secs).collect()
    }
}
