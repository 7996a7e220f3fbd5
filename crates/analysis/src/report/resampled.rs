//! From frames to the even samples on which contacts were found, and back.

use crate::contacts::Paths;
use crate::error::AnalysisError;
use aplomb_motion::spline::NaturalSpline;
use aplomb_physics::centroidal::{CentroidalTrack, LinkPaths};
use aplomb_physics::spatial::SpatialForce;
use glam::{DQuat, DVec3};

/// The links at the samples of `even`: natural splines through the frames. Orientations are interpolated as the four
/// numbers they are, with the sign of their neighbours, and normalised.
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

/// What was found at even samples, at the frames: of clips with an even rate every so-many-th sample, else between the
/// two nearest.
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
