//! At which instants a motion is sampled: the file's own keys where they are even, else an even grid as fine as its
//! densest curve.

use super::curve::Curve;
use crate::diagnostic::Diagnostic;
use crate::gltf::AnimationExtras;
use crate::options::ReadOptions;
use aplomb_motion::{FrameTime, Timeline};

/// When to sample, and what the clip says about it.
pub(super) struct Instants {
    /// In the file's own time.
    pub times_secs: Vec<f64>,
    pub timeline: Timeline,
    /// A key this near is met exactly.
    pub snap_secs: f64,
    /// Whether curves are evaluated between their keys, so that something may be lost.
    pub between_keys: bool,
}

/// Keys farther apart than this are key frames of an animator: sampling a motion four times a second would lose what
/// lies between.
const SLOWEST_HZ: f64 = 12.0;
/// The rate for those, and for poses that have no rate at all.
const USUAL_HZ: f64 = 30.0;
/// Rotations and places of this many joints and frames take about as much memory as readers may use beside the file.
const JOINT_FRAMES: usize = 1_000_000;

pub(super) fn instants(
    curves: &[&Curve<'_>],
    joints: usize,
    file_bytes: usize,
    extras: Option<&AnimationExtras>,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Instants, Box<Diagnostic>> {
    let instants = match extras.and_then(|extras| as_we_wrote(curves, extras)) {
        Some(instants) => instants,
        None => even_grid(curves, joints, file_bytes, notes)?,
    };
    // What the user says about the rate replaces what the file says; the frames stay.
    match options.frame_time {
        Some(frame_time) => Ok(Instants { timeline: Timeline::Uniform(frame_time), ..instants }),
        None => Ok(instants),
    }
}

/// A file of ours has one list of key times, one a frame, and says the exact frame time.
fn as_we_wrote(curves: &[&Curve<'_>], extras: &AnimationExtras) -> Option<Instants> {
    let first = curves.first()?;
    if curves.iter().any(|curve| !std::rc::Rc::ptr_eq(&curve.times_secs, &first.times_secs)) {
        return None;
    }
    let times_secs = first.times_secs.to_vec();
    let timeline = match extras.frame_time_secs {
        Some(secs) => {
            let frame_time = FrameTime::from_secs(secs).ok()?;
            let off = |(frame, &time): (usize, &f64)| {
                (time - frame as f64 * frame_time.secs()).abs() > rounding_secs(time) + 1e-4 * frame_time.secs()
            };
            if times_secs.iter().enumerate().any(off) {
                return None;
            }
            Timeline::Uniform(frame_time)
        }
        None => Timeline::keyed(times_secs.iter().map(|time| time + extras.start_secs).collect()).ok()?,
    };
    Some(Instants { times_secs, timeline, snap_secs: 0.0, between_keys: false })
}

/// What single precision leaves of a time.
fn rounding_secs(time_secs: f64) -> f64 {
    4.0 * f64::from(f32::EPSILON) * time_secs.abs()
}

fn even_grid(
    curves: &[&Curve<'_>],
    joints: usize,
    file_bytes: usize,
    notes: &mut Vec<Diagnostic>,
) -> Result<Instants, Box<Diagnostic>> {
    let start_secs = curves.iter().map(|curve| curve.first_secs()).fold(f64::INFINITY, f64::min);
    let end_secs = curves.iter().map(|curve| curve.last_secs()).fold(f64::NEG_INFINITY, f64::max);
    let densest_hz = curves.iter().filter_map(|curve| rate_hz(&curve.times_secs)).reduce(f64::max);
    let frame_time = match densest_hz {
        Some(hz) if hz >= SLOWEST_HZ => FrameTime::from_hz(hz),
        Some(hz) => {
            let found = format!("keys {:.2} s apart: sampled at {USUAL_HZ} frames a second", 1.0 / hz);
            notes.push(Diagnostic::note("GLB-N014", "", found));
            FrameTime::from_hz(USUAL_HZ)
        }
        None => {
            let found = format!("one key alone says no rate: {USUAL_HZ} Hz taken");
            notes.push(Diagnostic::note("GLB-N014", "", found).hint("give the rate with {fps}"));
            FrameTime::from_hz(USUAL_HZ)
        }
    };
    let frame_time = frame_time.map_err(|error| {
        let fault = Diagnostic::error("GLB-E017", "key times that make a frame rate", error.to_string());
        Box::new(fault.hint("give the true rate with {fps}"))
    })?;
    let dt_secs = frame_time.secs();
    // The last key may be a rounding before its frame.
    let frames = ((end_secs - start_secs) / dt_secs + 0.02).floor() + 1.0;
    let most = JOINT_FRAMES + file_bytes / 4;
    let fits = frames * joints as f64 <= most as f64;
    if !fits {
        let found = format!("{frames:.0} frames of {joints} joints from {start_secs} s to {end_secs} s");
        let expected = format!("at most {most} frames × joints in a file of {file_bytes} bytes");
        return Err(Box::new(
            Diagnostic::error("GLB-E024", expected, found).hint("check its key times, or cut it into parts"),
        ));
    }
    let frames = frames.max(1.0) as usize;
    let snap_secs = 0.02 * dt_secs;
    let times_secs: Vec<f64> = (0..frames).map(|frame| start_secs + frame as f64 * dt_secs).collect();
    let is_on_grid = |&time: &f64| {
        let frame = ((time - start_secs) / dt_secs).round();
        (time - start_secs - frame * dt_secs).abs() <= snap_secs
    };
    let mut lists: Vec<&[f64]> = curves.iter().map(|curve| &*curve.times_secs).collect();
    lists.dedup_by_key(|list| list.as_ptr());
    let between_keys = lists.iter().any(|list| !list.iter().all(is_on_grid));
    Ok(Instants { times_secs, timeline: Timeline::Uniform(frame_time), snap_secs, between_keys })
}

/// Frames a second of a list of keys: over the whole of it if they are even (single times are rounded), else by the
/// median step.
fn rate_hz(times_secs: &[f64]) -> Option<f64> {
    let mut steps: Vec<f64> = times_secs.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let middle = steps.len() / 2;
    if steps.is_empty() {
        return None;
    }
    let (_, &mut median_secs, _) = steps.select_nth_unstable_by(middle, f64::total_cmp);
    let is_even = steps.iter().all(|step| (step / median_secs - 1.0).abs() < 0.05);
    let span_secs = times_secs.last()? - times_secs.first()?;
    let hz = if is_even { (times_secs.len() - 1) as f64 / span_secs } else { 1.0 / median_secs };
    // Beyond this, times are noise: two keys a microsecond apart.
    Some(hz.min(1000.0)).filter(|hz| hz.is_finite() && *hz > 0.0)
}
