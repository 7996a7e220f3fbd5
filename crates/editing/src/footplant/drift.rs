//! How far planted points slide.

use crate::span::Frames;
use aplomb_analysis::ContactAnalysis;
use aplomb_motion::{Clip, WorldPose};
use glam::DVec3;
use serde::Serialize;

/// Pins shorter than this say nothing: a foot that rolls over is never still for longer.
const LEAST_PIN_SECS: f64 = 0.12;
/// Share of a pin that is judged: its edges are where it is eased.
const MIDDLE_SHARE: f64 = 0.8;

/// Sliding of pinned points: distance from their own mean place over the middle 80 % of each pin of at least 0.12 s.
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

/// The drift of a clip under given contacts. Of a clip without pins, zeros and no pins.
pub fn contact_drift(clip: &Clip, contacts: &ContactAnalysis) -> Drift {
    let Ok(frames) = Frames::of(clip, contacts, &crate::span::Span::default(), 1, "drift") else {
        return Drift::default();
    };
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut drift = Drift::default();
    let (mut frame_sum_m, mut frame_count) = (0.0, 0usize);
    let mut path_m: Vec<DVec3> = Vec::new();
    for pin in &contacts.pins {
        let secs = pin.end_secs - pin.start_secs;
        let Some(effector) = contacts.effectors.iter().find(|effector| effector.name == pin.effector) else { continue };
        if secs < LEAST_PIN_SECS - 1e-9 {
            continue;
        }
        let cut_secs = 0.5 * (1.0 - MIDDLE_SHARE) * secs;
        path_m.clear();
        for index in frames.range(pin.start_secs + cut_secs, pin.end_secs - cut_secs) {
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
