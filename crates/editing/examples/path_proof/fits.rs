//! How a centre of mass falls, by the parabola that fits it best; how far a point is from a path.

use crate::measures::Capture;
use aplomb_motion::spline::NaturalSpline;
use aplomb_motion::{Clip, FrameIndex, WorldPose};
use aplomb_physics::Body;
use glam::{DMat3, DVec3};

/// g of the original's heights at the instants that the frames of a result within a span show.
pub fn fitted_g_at(
    capture: &Capture,
    step: f64,
    (start_secs, end_secs): (f64, f64),
    instants: impl Fn(f64) -> f64,
) -> f64 {
    let mut pose = WorldPose::for_skeleton(capture.clip.skeleton());
    let heights: Vec<f64> = capture
        .clip
        .frames()
        .map(|frame| {
            pose.pose(&capture.clip, frame);
            capture.body.com_in_world_m(&pose).y
        })
        .collect();
    let times: Vec<f64> = capture.clip.frames().map(|frame| capture.clip.time_secs(frame)).collect();
    let curve = NaturalSpline::new(&times, &heights).unwrap();
    let frames = ((start_secs - 1e-9) / step).ceil() as usize..=((end_secs + 1e-9) / step) as usize;
    let scale = (instants(end_secs) - instants(start_secs)) / (end_secs - start_secs);
    let samples = frames.map(|frame| (frame as f64 * step, curve.value(instants(frame as f64 * step))));
    // By the new clock y″ is scale² of what it was, and heights are 1/scale² of theirs.
    parabola_g(samples, 0.5 * (start_secs + end_secs)) / (scale * scale)
}

/// Downward acceleration of the parabola that fits the centre of mass best within a span, m/s².
pub fn fitted_g(clip: &Clip, body: &Body, (start_secs, end_secs): (f64, f64)) -> f64 {
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let times = clip.frames().map(|frame| (frame, clip.time_secs(frame) - clip.time_secs(FrameIndex(0))));
    let inside = times.filter(|(_, secs)| (start_secs - 1e-9..=end_secs + 1e-9).contains(secs));
    let samples = inside.map(|(frame, secs)| {
        pose.pose(clip, frame);
        (secs, body.com_in_world_m(&pose).y)
    });
    parabola_g(samples, 0.5 * (start_secs + end_secs))
}

/// The best parabola through times and heights.
fn parabola_g(samples: impl Iterator<Item = (f64, f64)>, middle_secs: f64) -> f64 {
    let (mut moments, mut right) = ([0.0; 5], [0.0; 3]);
    for (secs, y) in samples {
        let t: f64 = secs - middle_secs;
        for (power, moment) in moments.iter_mut().enumerate() {
            *moment += t.powi(power as i32);
        }
        for (power, value) in right.iter_mut().enumerate() {
            *value += y * t.powi(power as i32);
        }
    }
    let [m0, m1, m2, m3, m4] = moments;
    let matrix = DMat3::from_cols(DVec3::new(m0, m1, m2), DVec3::new(m1, m2, m3), DVec3::new(m2, m3, m4));
    -2.0 * (matrix.inverse() * DVec3::from_array(right)).z
}

/// From a point to a path, over the ground.
pub fn distance_m(point_m: DVec3, path_m: &[DVec3]) -> f64 {
    let flat = |p: DVec3| p.with_y(0.0);
    let to_edge = |pair: &[DVec3]| {
        let (a, b) = (flat(pair[0]), flat(pair[1]));
        let way = b - a;
        let share = ((flat(point_m) - a).dot(way) / way.length_squared().max(1e-18)).clamp(0.0, 1.0);
        flat(point_m).distance(a + way * share)
    };
    path_m.windows(2).map(to_edge).fold(f64::INFINITY, f64::min)
}

/// A drift, or a dash where there was no pin.
pub fn shown(drift_mm: f64) -> String {
    if drift_mm.is_finite() { format!("{drift_mm:.3}") } else { "no pins".to_owned() }
}

/// The largest, at least zero.
pub fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}
