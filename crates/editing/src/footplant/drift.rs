//! How far planted points slide.

use crate::span::Frames;
use aplomb_analysis::contacts::{Effector, Part};
use aplomb_analysis::{ContactAnalysis, Ground};
use aplomb_motion::{Clip, Side, WorldPose};
use glam::DVec3;
use serde::Serialize;
use std::ops::Range;

/// Pins shorter than this say nothing: a foot that rolls over is never still for longer.
const LEAST_PIN_SECS: f64 = 0.12;
/// Share of a pin that is judged: its edges are where it is eased.
const MIDDLE_SHARE: f64 = 0.8;

/// Sliding of points that should stand: distance from their own mean place over the middle 80 % of each stretch of at
/// least 0.12 s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Drift {
    /// Pins that were long enough.
    pub pins: usize,
    /// Farthest of any frame, m.
    pub worst_m: f64,
    /// Mean over pins of each pin's farthest, m.
    pub mean_m: f64,
    /// Mean over frames, m.
    pub mean_of_frames_m: f64,
}

/// The frames of a pin that are judged.
pub(super) fn middle(core: &Range<usize>) -> Range<usize> {
    let cut = (0.5 * (1.0 - MIDDLE_SHARE) * core.len() as f64).floor() as usize;
    core.start + cut..core.end - cut
}

/// The drift of a clip under given contacts. Of a clip without pins, zeros and no pins.
pub fn contact_drift(clip: &Clip, contacts: &ContactAnalysis) -> Drift {
    let pins = contacts.pins.iter().map(|pin| (pin.effector.as_str(), pin.start_secs, pin.end_secs));
    drift_over(clip, contacts, pins)
}

/// How far each foot slides over whole load intervals, from touchdown to lift-off: what people see as skating. A
/// rolling foot has another point down from moment to moment, so in every frame the slowest point of the foot that is
/// down counts; its way along the ground is summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Skate {
    /// Stances: stretches in which some point of a foot is down.
    pub stances: usize,
    /// Longest way of any stance, m.
    pub worst_m: f64,
    /// Mean over stances, m.
    pub mean_m: f64,
    /// Mean speed over all frames with a foot down, m/s.
    pub mean_speed: f64,
}

/// The skating of a clip under given contacts: see [`Skate`].
pub fn load_skate(clip: &Clip, contacts: &ContactAnalysis, ground: &Ground) -> Skate {
    let Ok(frames) = Frames::of(clip, contacts, &crate::span::Span::default(), 2, "skating") else {
        return Skate::default();
    };
    let mut groups: Vec<(Option<Side>, bool)> =
        contacts.effectors.iter().filter(|it| it.part.stands()).map(limb_of).collect();
    groups.sort();
    groups.dedup();
    let (mut skate, mut way_m, mut secs) = (Skate::default(), 0.0, 0.0);
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut points_m: Vec<DVec3> = Vec::with_capacity(contacts.effectors.len());
    // Way of each foot's stance so far, and for every point where it was in the frame before.
    let mut open_m: Vec<Option<f64>> = vec![None; groups.len()];
    let mut before_m: Vec<DVec3> = Vec::new();
    for index in 0..frames.len() {
        pose.pose(clip, frames.frame(index));
        points_m.clear();
        points_m.extend(contacts.effectors.iter().map(|it| pose.point_in_world_m(it.joint, it.point_in_joint_m)));
        for (group, open_m) in groups.iter().zip(&mut open_m) {
            let slowest_m = (0..points_m.len())
                .filter(|&point| limb_of(&contacts.effectors[point]) == *group && index > 0)
                .filter(|&point| [index - 1, index].iter().all(|&at| is_down(contacts, point, at, &frames)))
                .map(|point| {
                    let step_m = points_m[point] - before_m[point];
                    (step_m - ground.normal() * step_m.dot(ground.normal())).length()
                })
                .reduce(f64::min);
            match slowest_m {
                Some(step_m) => {
                    *open_m = Some(open_m.unwrap_or(0.0) + step_m);
                    (way_m, secs) = (way_m + step_m, secs + frames.step_secs);
                }
                None => skate.close(open_m.take()),
            }
        }
        before_m.clone_from(&points_m);
    }
    open_m.into_iter().for_each(|open_m| skate.close(open_m));
    skate.mean_m /= skate.stances.max(1) as f64;
    skate.mean_speed = if secs > 0.0 { way_m / secs } else { 0.0 };
    skate
}

impl Skate {
    fn close(&mut self, way_m: Option<f64>) {
        if let Some(way_m) = way_m {
            self.stances += 1;
            self.worst_m = self.worst_m.max(way_m);
            self.mean_m += way_m;
        }
    }
}

/// Which foot, paw or hand a point belongs to: its side, and whether it is in front on four legs.
fn limb_of(effector: &Effector) -> (Option<Side>, bool) {
    (effector.side, matches!(effector.part, Part::Hand | Part::FrontPaw))
}

fn is_down(contacts: &ContactAnalysis, point: usize, index: usize, frames: &Frames) -> bool {
    let name = &contacts.effectors[point].name;
    let of_point = contacts.contacts.iter().filter(|contact| contact.effector == *name);
    of_point.into_iter().any(|contact| frames.range(contact.start_secs, contact.end_secs).contains(&index))
}

fn drift_over<'a>(
    clip: &Clip,
    contacts: &ContactAnalysis,
    stretches: impl Iterator<Item = (&'a str, f64, f64)>,
) -> Drift {
    let Ok(frames) = Frames::of(clip, contacts, &crate::span::Span::default(), 1, "drift") else {
        return Drift::default();
    };
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut drift = Drift::default();
    let (mut frame_sum_m, mut frame_count) = (0.0, 0usize);
    let mut path_m: Vec<DVec3> = Vec::new();
    for (name, start_secs, end_secs) in stretches {
        let secs = end_secs - start_secs;
        let Some(effector) = contacts.effectors.iter().find(|effector| effector.name == name) else { continue };
        if secs < LEAST_PIN_SECS - 1e-9 {
            continue;
        }
        let cut_secs = 0.5 * (1.0 - MIDDLE_SHARE) * secs;
        path_m.clear();
        for index in frames.range(start_secs + cut_secs, end_secs - cut_secs) {
            pose.pose(clip, frames.frame(index));
            path_m.push(pose.point_in_world_m(effector.joint, effector.point_in_joint_m));
        }
        if path_m.is_empty() {
            continue;
        }
        let mean_m = path_m.iter().copied().sum::<DVec3>() / path_m.len() as f64;
        let farthest_m = path_m.iter().map(|point_m| point_m.distance(mean_m)).fold(0.0, f64::max);
        frame_sum_m += path_m.iter().map(|point_m| point_m.distance(mean_m)).sum::<f64>();
        frame_count += path_m.len();
        drift.pins += 1;
        drift.worst_m = drift.worst_m.max(farthest_m);
        drift.mean_m += farthest_m;
    }
    drift.mean_m /= drift.pins.max(1) as f64;
    drift.mean_of_frames_m = frame_sum_m / frame_count.max(1) as f64;
    drift
}
