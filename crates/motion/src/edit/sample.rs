//! The pose between frames: cubic interpolation that passes through every frame.
//!
//! Between two frames the pose follows a cubic Hermite curve whose end velocities come from the parabola through each
//! frame and its two neighbours (on uniform times: Catmull-Rom). Rotations do the same on SO(3), as the cumulative
//! Bézier curve of Kim, Kim and Shin 1995 ("A General Construction Scheme for Unit Quaternion Curves with Simple High
//! Order Derivatives").
//!
//! Why this one: linear interpolation and slerp make the velocity jump at every frame, which the second difference
//! turns into forces. A natural or B-spline through all frames is smoother still, but one bad frame rings through the
//! whole clip and each sample needs them all. Here a frame acts on the two intervals on either side only; a lone
//! outlier of height 1 shows outside its own two intervals as at most 0.074 of it, and white noise between frames has
//! at most the variance it has at the frames. Constant velocity, constant angular velocity and constant linear
//! acceleration come out exactly.

use crate::clip::Clip;
use crate::ids::FrameIndex;
use crate::kinematics::LocalPose;
use crate::so3;
use crate::time::Timeline;
use glam::{DQuat, DVec3};

/// Writes the pose at `time_secs` into `pose`; before the first and after the last frame the end pose is held.
///
/// At a frame's time (to 1e-7 of the frame spacing) it is that frame to the bit. Allocates only when `pose` was made
/// for another skeleton. A clip of one frame is still; between the frames of a clip of two, the pose moves at constant
/// velocity. A clip without frames gives the rest pose.
pub fn sample_at(clip: &Clip, time_secs: f64, pose: &mut LocalPose) {
    sample(clip, locate(clip, time_secs), pose);
}

/// A place on a clip's time line: in the interval that starts at frame `before`, at `fraction` of it, in [0, 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimelinePlace {
    before: usize,
    fraction: f64,
}

/// A sample nearer to a frame than this part of the frame spacing is that frame. At 10 m/s and 30 Hz that is 0.03 µm;
/// the rounding of frame number times frame time is below 1e-9 for any clip that fits in memory.
pub const ON_A_FRAME: f64 = 1e-7;

impl TimelinePlace {
    /// From a real-valued frame number, held at the ends.
    pub(super) fn at_frame(number: f64, frames: usize) -> Self {
        let last = frames.saturating_sub(1);
        let number = number.clamp(0.0, last as f64);
        let nearest = number.round();
        let number = if (number - nearest).abs() < ON_A_FRAME { nearest } else { number };
        // NaN casts to 0: the first frame.
        let before = (number.floor() as usize).min(last);
        let fraction = if before == last { 0.0 } else { number - before as f64 };
        Self { before, fraction }
    }
}

pub(super) fn locate(clip: &Clip, time_secs: f64) -> TimelinePlace {
    let frames = clip.frame_count();
    match clip.timeline() {
        Timeline::Uniform(frame_time) => TimelinePlace::at_frame(time_secs / frame_time.secs(), frames),
        Timeline::Keyed(times) => {
            let after = times.partition_point(|&key_secs| key_secs <= time_secs);
            let number = match (after.checked_sub(1).and_then(|before| times.get(before)), times.get(after)) {
                (Some(&start), Some(&end)) => (after - 1) as f64 + (time_secs - start) / (end - start),
                (None, _) => 0.0,
                (Some(_), None) => (frames.saturating_sub(1)) as f64,
            };
            TimelinePlace::at_frame(number, frames)
        }
    }
}

pub(super) fn sample(clip: &Clip, place: TimelinePlace, pose: &mut LocalPose) {
    let skeleton = clip.skeleton();
    pose.rotations.resize(skeleton.len(), DQuat::IDENTITY);
    pose.translations_m.clear();
    pose.translations_m.extend(skeleton.joints().iter().map(|joint| joint.offset_m));
    if clip.frame_count() == 0 {
        pose.rotations.fill(DQuat::IDENTITY);
        return;
    }
    let TimelinePlace { before, fraction } = place;
    if fraction == 0.0 {
        pose.rotations.copy_from_slice(clip.rotations_at(FrameIndex(before)));
        for track in clip.tracks() {
            pose.translations_m[track.joint.index()] = track.positions_m[before];
        }
        return;
    }
    let knots = Knots::around(clip, before);
    let joints = skeleton.len();
    for (joint, rotation) in pose.rotations.iter_mut().enumerate() {
        let at = |frame: usize| clip.rotations()[frame * joints + joint];
        *rotation = knots.rotation(at, fraction);
    }
    for track in clip.tracks() {
        pose.translations_m[track.joint.index()] = knots.position(|frame| track.positions_m[frame], fraction);
    }
}

/// The interval of a sample and its neighbours: frame `start` and the next one are its ends.
struct Knots {
    start: usize,
    /// Length of the interval before in units of this one; `None` at the start of the clip.
    previous: Option<f64>,
    /// Length of the interval after in units of this one; `None` at the end of the clip.
    next: Option<f64>,
}

impl Knots {
    fn around(clip: &Clip, start: usize) -> Self {
        let has = (start > 0, start + 2 < clip.frame_count());
        let relative = |from: usize| match clip.timeline() {
            Timeline::Uniform(_) => 1.0,
            Timeline::Keyed(times) => (times[from + 1] - times[from]) / (times[start + 1] - times[start]),
        };
        Self { start, previous: has.0.then(|| relative(start - 1)), next: has.1.then(|| relative(start + 1)) }
    }

    /// Velocities at both ends in units of the interval, from the chord `d` of this interval and those of its
    /// neighbours (each chord per own interval). The parabola through three points at spacings h₀, h₁ with slopes s₀,
    /// s₁ has the slope (s₀h₁ + s₁h₀)/(h₀ + h₁) at the middle one and s₀ + (s₀ − s₁)h₀/(h₀ + h₁) at the first.
    fn end_velocities(&self, before: Option<DVec3>, d: DVec3, after: Option<DVec3>) -> (DVec3, DVec3) {
        let before = before.zip(self.previous).map(|(chord, h)| (chord / h, h));
        let after = after.zip(self.next).map(|(chord, h)| (chord / h, h));
        let start = match (before, after) {
            (Some((slope, h)), _) => (slope + d * h) / (1.0 + h),
            (None, Some((slope, h))) => d + (d - slope) / (1.0 + h),
            (None, None) => d,
        };
        let end = match (after, before) {
            (Some((slope, h)), _) => (d * h + slope) / (1.0 + h),
            (None, Some((slope, h))) => d + (d - slope) / (1.0 + h),
            (None, None) => d,
        };
        (start, end)
    }

    fn position(&self, at: impl Fn(usize) -> DVec3, t: f64) -> DVec3 {
        let (a, b) = (at(self.start), at(self.start + 1));
        let before = self.previous.map(|_| a - at(self.start - 1));
        let after = self.next.map(|_| at(self.start + 2) - b);
        let (va, vb) = self.end_velocities(before, b - a, after);
        let [b1, b2, b3] = cumulative_bernstein(t);
        // The same curve as below: a + Σ βᵢ·(control point i − control point i−1).
        a + va / 3.0 * b1 + (b - a - (va + vb) / 3.0) * b2 + vb / 3.0 * b3
    }

    fn rotation(&self, at: impl Fn(usize) -> DQuat, t: f64) -> DQuat {
        let (a, b) = (at(self.start), at(self.start + 1));
        let chord = |from: DQuat, to: DQuat| so3::log(from.conjugate() * to);
        let d = chord(a, b);
        let before = self.previous.map(|_| chord(at(self.start - 1), a));
        let after = self.next.map(|_| chord(b, at(self.start + 2)));
        let is_jump = |chord: Option<DVec3>| chord.is_some_and(|chord| chord.length() > JUMP_RAD);
        if d.length() > JUMP_RAD {
            return so3::slerp(a, b, t).normalize();
        }
        // A chord is the same vector in the frames at both of its ends, so all three can be averaged in the frames of a
        // and b. The velocity beyond a jump says nothing about this interval: it is treated as an end of the clip.
        let (before, after) = (before.filter(|&c| !is_jump(Some(c))), after.filter(|&c| !is_jump(Some(c))));
        let (va, vb) = self.end_velocities(before, d, after);
        let (first, last) = (va / 3.0, vb / 3.0);
        let middle = chord(a * so3::exp(first), b * so3::exp(-last));
        let [b1, b2, b3] = cumulative_bernstein(t);
        (a * so3::exp(first * b1) * so3::exp(middle * b2) * so3::exp(last * b3)).normalize()
    }
}

/// A turn of more than 90° from one frame to the next is no motion that neighbours could tell more about (at 30 Hz it
/// is 47 rad/s, twice the fastest wrist): it is a flip in the data, and is crossed the shortest way.
const JUMP_RAD: f64 = std::f64::consts::FRAC_PI_2;

/// β₁, β₂, β₃ with Bézier(t) = p₀ + Σ βᵢ(t)·(pᵢ − pᵢ₋₁).
fn cumulative_bernstein(t: f64) -> [f64; 3] {
    let s = 1.0 - t;
    [1.0 - s * s * s, t * t * (3.0 - 2.0 * t), t * t * t]
}

#[cfg(test)]
mod tests;
