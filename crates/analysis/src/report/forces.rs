//! What the surroundings must do to the body: F = M(a − g), and the moment about its centre of mass.

use super::{InspectOptions, resampled};
use crate::contacts::{ContactAnalysis, Traces, cubic_weights};
use crate::error::AnalysisError;
use aplomb_motion::{Clip, FrameTime, Timeline};
use aplomb_physics::Body;
use aplomb_physics::centroidal::{CentroidalOptions, CentroidalTrack, LinkPaths, centroidal_track_of_paths};
use glam::{DQuat, DVec3};
use std::collections::BTreeSet;
use std::ops::Range;

/// Forces onto the ground below this share of what would press a body at rest: their direction is noise.
const LEAST_PRESS: f64 = 1e-3;

/// Pops are one or two frames long; those of several points may touch.
const LONGEST_BRIDGE_FRAMES: usize = 4;

/// Momenta and forces, one row a frame of the motion.
#[derive(Clone, Debug)]
pub(crate) struct Forces {
    /// Of smoothed segments.
    pub track: CentroidalTrack,
    /// Force of the surroundings, N; `None` where smoothing reaches over an end.
    pub force_newtons: Vec<Option<DVec3>>,
    /// F_v / (Mg).
    pub load: Vec<Option<f64>>,
    /// |F along the ground| / F into it, where something presses.
    pub friction_ratio: Vec<Option<f64>>,
    /// Frames for which the physics is not known.
    pub is_too_short: bool,
}

/// Segments at the frames of the motion, without a stray first frame; frames that pop are bridged.
pub(crate) fn link_paths(clip: &Clip, body: &Body, contacts: &ContactAnalysis) -> Result<LinkPaths, AnalysisError> {
    let mut paths = LinkPaths::of_clip(clip, body)?;
    let skipped = usize::from(contacts.stray_first_frame);
    if skipped > 0 {
        paths = paths.part(skipped..paths.frames());
    }
    let popped: BTreeSet<usize> = contacts
        .spikes
        .iter()
        .flat_map(|spike| spike.frame.0..spike.frame.0 + spike.frames)
        .filter_map(|frame| frame.checked_sub(skipped))
        .collect();
    for run in runs(&popped) {
        bridge(&mut paths, run);
    }
    Ok(paths)
}

fn runs(frames: &BTreeSet<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &frame in frames {
        match runs.last_mut() {
            Some(last) if last.end == frame => last.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// Puts the cubic through two frames on each side in the place of a run. Orientations are interpolated as the four
/// numbers they are and normalised: over so few frames they turn little.
fn bridge(paths: &mut LinkPaths, run: Range<usize>) {
    let links = paths.links;
    if run.len() > LONGEST_BRIDGE_FRAMES || run.start < 2 || run.end + 2 > paths.frames() {
        return;
    }
    let around = [run.start - 2, run.start - 1, run.end, run.end + 1];
    for row in run.clone() {
        let weights = cubic_weights(run.len(), row - run.start);
        for link in 0..links {
            let index = |row: usize| row * links + link;
            let near = paths.world_from_joint[index(around[1])];
            let (mut com_m, mut turn) = (DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
            for (&from, weight) in around.iter().zip(weights) {
                let q = paths.world_from_joint[index(from)];
                com_m += paths.com_in_world_m[index(from)] * weight;
                turn += q * (weight * q.dot(near).signum());
            }
            paths.com_in_world_m[index(row)] = com_m;
            paths.world_from_joint[index(row)] = if turn.length() > 0.5 { turn.normalize() } else { near };
        }
    }
}

/// Momenta, forces and friction by the clock that was used: at the frames, and, where those are fewer, at the samples
/// that contacts were found on.
///
/// Frames far apart are interpolated before anything is smoothed or differentiated. A parabola through three frames of
/// 30 Hz takes a seventh of what is left of an acceleration of 6 Hz, one through three samples of 120 Hz takes a
/// hundredth; so a force would depend on the frame rate.
pub(super) fn forces(
    clip: &Clip,
    body: &Body,
    contacts: &ContactAnalysis,
    traces: &Traces,
    paths: &LinkPaths,
    options: &InspectOptions,
) -> Result<(Forces, Option<Forces>), AnalysisError> {
    let rows = paths.frames();
    let centroidal = CentroidalOptions { model: options.model, smoothing_secs: options.smoothing_secs };
    let margin_secs = 0.5 * options.smoothing_secs;
    let Some(even) = traces.even.as_ref().filter(|even| even.com_m.len() > rows) else {
        let timeline = timeline_used(clip, contacts, rows)?;
        let track = centroidal_track_of_paths(paths, body, &timeline, &centroidal)?;
        let settled = settled_rows(&traces.times_secs, margin_secs);
        return Ok((Forces::of_track(track, &settled, options), None));
    };
    let dense_paths = resampled::link_paths(paths, &traces.times_secs, even)?;
    let timeline = Timeline::Uniform(FrameTime::from_secs(even.step_secs)?);
    let dense_track = centroidal_track_of_paths(&dense_paths, body, &timeline, &centroidal)?;
    let track = resampled::track_at(&dense_track, even, &traces.times_secs);
    let settled = settled_rows(&traces.times_secs, margin_secs);
    let dense_settled = settled_rows(&even.times_secs(), margin_secs);
    let at_frames = Forces::of_track(track, &settled, options);
    Ok((at_frames, Some(Forces::of_track(dense_track, &dense_settled, options))))
}

impl Forces {
    /// F = M(a − g) and what follows from it, in the rows where the track is settled.
    fn of_track(track: CentroidalTrack, settled: &Range<usize>, options: &InspectOptions) -> Self {
        let gravity = DVec3::NEG_Y * options.contacts.gravity;
        let weight_newtons = track.total_mass_kg * options.contacts.gravity;
        let force_newtons: Vec<Option<DVec3>> = track
            .momentum_rate
            .iter()
            .enumerate()
            .map(|(row, rate)| settled.contains(&row).then(|| rate.linear - gravity * track.total_mass_kg))
            .collect();
        let normal = options.contacts.ground.normal();
        let friction_ratio = |force: &Option<DVec3>| {
            let force = (*force)?;
            let press = force.dot(normal);
            (press > LEAST_PRESS * weight_newtons).then(|| (force - normal * press).length() / press)
        };
        Self {
            load: force_newtons.iter().map(|force| force.map(|force| force.y / weight_newtons)).collect(),
            friction_ratio: force_newtons.iter().map(friction_ratio).collect(),
            is_too_short: settled.is_empty(),
            track,
            force_newtons,
        }
    }
}

/// The times of the motion's frames by the clock that was used.
pub(crate) fn timeline_used(clip: &Clip, contacts: &ContactAnalysis, rows: usize) -> Result<Timeline, AnalysisError> {
    let clock = contacts.clock;
    let factor = if clock.header_hz > 0.0 { clock.used_hz / clock.header_hz } else { 1.0 };
    Ok(match clip.timeline() {
        Timeline::Uniform(_) if factor == 1.0 => clip.timeline().clone(),
        Timeline::Uniform(_) => Timeline::Uniform(FrameTime::from_hz(clock.used_hz)?),
        Timeline::Keyed(times_secs) => {
            let skipped = times_secs.len().saturating_sub(rows);
            Timeline::keyed(times_secs[skipped..].iter().map(|secs| secs / factor).collect())?
        }
    })
}

/// Rows at least `margin_secs` from both ends, with a neighbour on each side: nearer, the smoothed acceleration goes to
/// zero whatever it truly is (`motion::signal::gaussian`).
fn settled_rows(times_secs: &[f64], margin_secs: f64) -> Range<usize> {
    let [first_secs, .., last_secs] = times_secs else { return 0..0 };
    let inner = 1..times_secs.len() - 1;
    let start = inner.clone().find(|&row| times_secs[row] - first_secs >= margin_secs);
    let end = inner.rev().find(|&row| last_secs - times_secs[row] >= margin_secs);
    match (start, end) {
        (Some(start), Some(end)) if start <= end => start..end + 1,
        _ => 0..0,
    }
}
