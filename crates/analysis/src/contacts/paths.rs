//! Where the watched points, the centre of mass and the root go, at a rate fit for detection (contacts.md 0).

use super::Traces;
use super::effectors::Effector;
use super::options::ContactOptions;
use super::subject::Subject;
use crate::error::AnalysisError;
use aplomb_motion::spline::NaturalSpline;
use aplomb_motion::{Clip, FrameIndex, Role, Timeline, WorldPose, first_frame};
use glam::DVec3;
use serde::Serialize;
use std::ops::Range;

/// A jump of one or two frames that was bridged for the analysis. The clip itself is not touched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spike {
    /// Effector, `centre of mass` or `root`.
    pub what: String,
    /// First frame of the jump.
    pub frame: FrameIndex,
    /// One or two.
    pub frames: usize,
    /// How far it lay off the way, m.
    pub distance_m: f64,
}

/// Paths at the clip's own frames, without an artificial first frame and without spikes.
pub(super) struct Recorded {
    /// From the file's first frame, by the header's clock.
    times_secs: Vec<f64>,
    /// Frames a second by the header's clock; the mean, where frames are uneven.
    pub hz: f64,
    /// Per effector.
    points_m: Vec<Vec<DVec3>>,
    com_m: Vec<DVec3>,
    root_m: Vec<DVec3>,
    pub stray_first_frame: bool,
    pub spikes: Vec<Spike>,
}

impl Recorded {
    pub fn of(subject: &Subject<'_>, effectors: &[Effector]) -> Self {
        let Subject { clip, roles, body, options, .. } = *subject;
        let stray_first_frame = first_frame::is_stray(clip);
        let skipped = usize::from(stray_first_frame);
        // Scene roots may stay behind or travel apart from the body; the hips are where it is.
        let root = roles.joint(Role::Hips).or_else(|| clip.skeleton().roots().next());
        let mut recorded = Self {
            times_secs: Vec::new(),
            hz: header_hz(clip),
            points_m: vec![Vec::new(); effectors.len()],
            com_m: Vec::new(),
            root_m: Vec::new(),
            stray_first_frame,
            spikes: Vec::new(),
        };
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        for frame in clip.frames().skip(skipped) {
            pose.pose(clip, frame);
            recorded.times_secs.push(clip.time_secs(frame) - clip.time_secs(FrameIndex(0)));
            recorded.com_m.push(body.com_in_world_m(&pose));
            recorded.root_m.push(root.map_or(DVec3::ZERO, |root| pose.point_in_world_m(root, DVec3::ZERO)));
            for (path, effector) in recorded.points_m.iter_mut().zip(effectors) {
                path.push(pose.point_in_world_m(effector.joint, effector.point_in_joint_m));
            }
        }
        let names = effectors.iter().map(|effector| effector.name.as_str()).chain(["centre of mass", "root"]);
        let paths = recorded.points_m.iter_mut().chain([&mut recorded.com_m, &mut recorded.root_m]);
        for (what, path) in names.zip(paths) {
            let bridged = bridge_spikes(path, options.spike_m);
            recorded.spikes.extend(bridged.into_iter().map(|(start, frames, distance_m)| Spike {
                what: what.to_owned(),
                frame: FrameIndex(start + skipped),
                frames,
                distance_m,
            }));
        }
        recorded
    }

    pub fn frames(&self) -> usize {
        self.times_secs.len()
    }

    /// What later stages need, by a clock `factor` times as fast as the header's.
    pub fn into_traces(self, factor: f64, standing_m: Vec<Option<f64>>, even: Option<Paths>) -> Traces {
        Traces {
            times_secs: self.times_secs.iter().map(|secs| secs / factor).collect(),
            points_m: self.points_m,
            com_m: self.com_m,
            standing_m,
            even,
        }
    }

    /// The paths if the clip really has `factor` times the header's rate, at a whole multiple of that rate of at least
    /// the detection rate. Positions, not rotations, are interpolated; the natural spline leaves frames as they are.
    ///
    /// Needs two frames.
    pub fn at_rate(&self, factor: f64, options: &ContactOptions) -> Result<Paths, AnalysisError> {
        let times_secs: Vec<f64> = self.times_secs.iter().map(|secs| secs / factor).collect();
        let hz = self.hz * factor;
        // Rates such as 99.99999 Hz are 100 Hz.
        let multiple = (options.detection_hz / hz - 1e-6).ceil().max(1.0);
        let step_secs = 1.0 / (hz * multiple);
        let start_secs = times_secs.first().copied().unwrap_or(0.0);
        let samples = (self.frames() - 1) * multiple as usize + 1;
        let is_even = times_secs
            .iter()
            .enumerate()
            .all(|(frame, &secs)| (secs - start_secs - frame as f64 * multiple * step_secs).abs() < 1e-3 * step_secs);
        let interpolated = |path: &Vec<DVec3>| {
            if multiple == 1.0 && is_even {
                return Ok(path.clone());
            }
            let spline = NaturalSpline::new(&times_secs, path)?;
            Ok((0..samples).map(|sample| spline.value(start_secs + sample as f64 * step_secs)).collect())
        };
        Ok(Paths {
            start_secs,
            step_secs,
            points_m: self.points_m.iter().map(interpolated).collect::<Result<_, AnalysisError>>()?,
            com_m: interpolated(&self.com_m)?,
            root_m: interpolated(&self.root_m)?,
        })
    }
}

fn header_hz(clip: &Clip) -> f64 {
    match (clip.timeline(), clip.frame_count()) {
        (Timeline::Uniform(frame_time), _) => frame_time.hz(),
        (Timeline::Keyed(_), 0 | 1) => 0.0,
        (Timeline::Keyed(_), frames) => (frames - 1) as f64 / clip.duration_secs(),
    }
}

/// Evenly sampled paths.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    pub start_secs: f64,
    pub step_secs: f64,
    /// Per effector.
    pub points_m: Vec<Vec<DVec3>>,
    pub com_m: Vec<DVec3>,
    pub root_m: Vec<DVec3>,
}

impl Paths {
    /// One a sample.
    pub fn times_secs(&self) -> Vec<f64> {
        (0..self.com_m.len()).map(|sample| self.start_secs + sample as f64 * self.step_secs).collect()
    }
}

impl Paths {
    /// Sample ranges of times; the inverse of `Detection::secs_of`.
    pub fn range_of_secs(&self, start_secs: f64, end_secs: f64) -> Range<usize> {
        let samples = self.com_m.len();
        let edge =
            |secs: f64| ((secs - self.start_secs) / self.step_secs + 0.5).round().clamp(0.0, samples as f64) as usize;
        // A contact that begins with the first frame, or ends with the last, has its edge on a sample and not between
        // two.
        let start = if start_secs <= self.start_secs + 0.25 * self.step_secs { 0 } else { edge(start_secs) };
        let last_secs = self.start_secs + (samples - 1) as f64 * self.step_secs;
        let end = if end_secs >= last_secs - 0.25 * self.step_secs { samples } else { edge(end_secs) };
        start.min(end)..end
    }
}

/// Replaces jumps of one or two frames by the cubic through two frames on each side; gives start, length and distance
/// of each.
///
/// A jump lies farther than `least_m` off that cubic, and farther than what it lies between moves: fast feet at 30 Hz
/// are curved, too, but there the way across is longer than the bend, and the frames around a pop are quiet.
fn bridge_spikes(path: &mut [DVec3], least_m: f64) -> Vec<(usize, usize, f64)> {
    let mut bridged = Vec::new();
    let mut start = 2;
    while start + 2 < path.len() {
        let found = [1, 2].into_iter().filter(|width| start + width + 1 < path.len()).find_map(|width| {
            let around = [path[start - 2], path[start - 1], path[start + width], path[start + width + 1]];
            let quiet_m =
                around[0].distance(around[1]).max(around[1].distance(around[2])).max(around[2].distance(around[3]));
            let bridge: Vec<DVec3> = (0..width).map(|inside| cubic(around, width, inside)).collect();
            let off_m = bridge.iter().zip(&path[start..]).map(|(way, found)| way.distance(*found));
            let distance_m = off_m.fold(f64::INFINITY, f64::min);
            (distance_m > least_m.max(2.0 * quiet_m)).then_some((width, distance_m, bridge))
        });
        if let Some((width, distance_m, bridge)) = found {
            path[start..start + width].copy_from_slice(&bridge);
            bridged.push((start, width, distance_m));
            start += width;
        }
        start += 1;
    }
    bridged
}

/// Lagrange's cubic through frames −2, −1, `width` and `width` + 1, at frame `inside`.
fn cubic(around: [DVec3; 4], width: usize, inside: usize) -> DVec3 {
    around.into_iter().zip(cubic_weights(width, inside)).map(|(value, weight)| value * weight).sum()
}

/// Its weights of those four frames.
pub(crate) fn cubic_weights(width: usize, inside: usize) -> [f64; 4] {
    let knots = [-2.0, -1.0, width as f64, width as f64 + 1.0];
    let at = inside as f64;
    std::array::from_fn(|i| (0..4).filter(|&j| j != i).map(|j| (at - knots[j]) / (knots[i] - knots[j])).product())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swing(frames: usize, hz: f64) -> Vec<DVec3> {
        // A foot of a runner: 4 m/s forward, lifted 0.4 m three times in two seconds.
        let at = |t: f64| DVec3::new(0.0, 0.2 - 0.2 * (t * 9.4).cos(), 4.0 * t + 0.3 * (t * 9.4).sin());
        (0..frames).map(|frame| at(frame as f64 / hz)).collect()
    }

    #[test]
    fn pops_are_bridged_and_fast_motion_is_not() {
        for hz in [24.0, 30.0, 60.0, 120.0, 240.0] {
            assert_eq!(bridge_spikes(&mut swing(200, hz), 0.05), vec![], "{hz} Hz");
        }
        let clean = swing(200, 240.0);
        for width in [1, 2] {
            let mut popped = clean.clone();
            popped[40..40 + width].iter_mut().for_each(|p| p.y += 0.2);
            let found = bridge_spikes(&mut popped, 0.05);
            assert_eq!(found.iter().map(|spike| (spike.0, spike.1)).collect::<Vec<_>>(), vec![(40, width)]);
            assert!((found[0].2 - 0.2).abs() < 1e-3, "{found:?}");
            // 0.1 mm: the cubic over four frames of this swing.
            assert!(popped.iter().zip(&clean).all(|(a, b)| a.distance(*b) < 1e-4));
        }
    }

    #[test]
    fn short_paths_are_left_alone() {
        for frames in 0..6 {
            assert_eq!(bridge_spikes(&mut swing(frames, 120.0), 0.0), vec![]);
        }
    }
}
