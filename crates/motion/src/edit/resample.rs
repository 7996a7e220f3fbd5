//! The same motion at another frame rate.

use super::error::EditError;
use super::sample::{TimelinePlace, locate, sample};
use super::scale::{check_factor, scale_time};
use crate::clip::{Clip, TranslationTrack};
use crate::ids::FrameIndex;
use crate::kinematics::LocalPose;
use crate::so3;
use crate::time::{FrameTime, Timeline};

/// The motion at a constant rate, from the first frame on, over the same duration; for uniform and keyed clips.
///
/// Poses between frames come from the cubic interpolation of [`super::sample_at`]; a new frame at an old frame's time
/// is that frame to the bit. So the same rate gives the same frames, 120 → 60 Hz takes every second frame, and 120 → 30
/// → 120 Hz keeps every fourth.
///
/// Nothing is filtered: going down, whatever moves faster than half the new rate folds into slower motion (aliases).
/// Human motion has little above 10–15 Hz apart from impacts and noise, so 30 Hz and more lose little; smooth the clip
/// first (`signal`) where that matters. Filtering here would move the frames that both rates share.
///
/// The last frame: with n the duration in new frames rounded to the nearest whole number (halves up), n + 1 frames are
/// made. If the end of the clip lies half a new frame or more behind the last whole one, one more frame goes straight
/// on from the end with the velocities of the last two frames (holding the end pose would stop a runner within half a
/// frame: centimetres, and more than the weight in force); otherwise the remaining part of a frame is dropped. The
/// duration changes by at most half a new frame. Clips of no or one frame keep their frames.
pub fn resample(clip: &Clip, frame_time: FrameTime) -> Result<Clip, EditError> {
    if let Timeline::Uniform(own) = clip.timeline()
        && own.secs() == frame_time.secs()
    {
        return Ok(clip.clone().with_timeline(Timeline::Uniform(frame_time))?);
    }
    let frames = resampled_frame_count(clip, frame_time)?;
    let mut pose = LocalPose::for_skeleton(clip.skeleton());
    let mut rotations = Vec::with_capacity(frames * clip.skeleton().len());
    let mut tracks: Vec<TranslationTrack> = clip
        .tracks()
        .iter()
        .map(|track| TranslationTrack { joint: track.joint, positions_m: Vec::with_capacity(frames) })
        .collect();
    for frame in 0..frames {
        sample(clip, place_of(clip, frame_time, frame), &mut pose);
        go_straight_on(clip, frame as f64 * frame_time.secs(), &mut pose);
        rotations.extend_from_slice(&pose.rotations);
        for track in &mut tracks {
            track.positions_m.push(pose.translations_m[track.joint.index()]);
        }
    }
    Ok(Clip::new(clip.skeleton().clone(), Timeline::Uniform(frame_time), frames, rotations, tracks)?)
}

/// Carries the end pose on to `secs` after the first frame, if that is beyond the end, with the velocities between the
/// last two frames.
fn go_straight_on(clip: &Clip, secs: f64, pose: &mut LocalPose) {
    let frames = clip.frame_count();
    let beyond_secs = secs - clip.duration_secs();
    if frames < 2 {
        return;
    }
    let (before, last) = (FrameIndex(frames - 2), FrameIndex(frames - 1));
    let steps = beyond_secs / (clip.time_secs(last) - clip.time_secs(before));
    // Nearer than this it is the last frame (`sample`).
    if steps < 1e-6 {
        return;
    }
    let turned = clip.rotations_at(before).iter().zip(clip.rotations_at(last));
    for (rotation, (&from, &to)) in pose.rotations.iter_mut().zip(turned) {
        *rotation = (to * so3::exp(so3::log(from.inverse() * to) * steps)).normalize();
    }
    for track in clip.tracks() {
        let (from_m, to_m) = (track.positions_m[before.0], track.positions_m[last.0]);
        pose.translations_m[track.joint.index()] = to_m + (to_m - from_m) * steps;
    }
}

/// Plays the motion `speed` times as fast at the same frame rate (a keyed clip keeps its keys, at other times).
pub fn with_speed(clip: &Clip, speed: f64) -> Result<Clip, EditError> {
    check_factor("speed", speed)?;
    let timed = scale_time(clip, 1.0 / speed)?;
    match clip.timeline() {
        Timeline::Uniform(frame_time) => resample(&timed, *frame_time),
        Timeline::Keyed(_) => Ok(timed),
    }
}

/// Days at 1 kHz; beyond it a key time or a rate is broken.
const MAX_FRAMES: f64 = 1e8;

fn resampled_frame_count(clip: &Clip, frame_time: FrameTime) -> Result<usize, EditError> {
    if clip.frame_count() < 2 {
        return Ok(clip.frame_count());
    }
    // A duration of whole and a half frames must not fall to either side by rounding.
    let new_frames = clip.duration_secs() / frame_time.secs() + 0.5 + 1e-7;
    if new_frames > MAX_FRAMES {
        return Err(EditError::TooManyFrames { frames: new_frames, limit: MAX_FRAMES });
    }
    Ok(new_frames.floor() as usize + 1)
}

fn place_of(clip: &Clip, frame_time: FrameTime, frame: usize) -> TimelinePlace {
    match clip.timeline() {
        // The quotient of the rates first: 120/30 is 4 exactly, whatever the frame.
        Timeline::Uniform(own) => {
            TimelinePlace::at_frame(frame as f64 * (frame_time.secs() / own.secs()), clip.frame_count())
        }
        Timeline::Keyed(_) => locate(clip, clip.time_secs(FrameIndex(0)) + frame as f64 * frame_time.secs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::{self, frame_time};
    use crate::kinematics::joint_positions_m;
    use proptest::prelude::*;

    #[test]
    fn the_same_rate_is_the_same_clip() {
        let clip = testing::walk(31, 120.0);
        assert_eq!(resample(&clip, frame_time(120.0)).unwrap(), clip);
        // A stated 0.008333 s is 120 Hz.
        let rounded = FrameTime::from_secs(0.008333).unwrap();
        let restated = resample(&clip, rounded).unwrap();
        assert_eq!(restated.rotations(), clip.rotations());
        assert_eq!(restated.timeline().uniform().unwrap().exact_secs(), 0.008333);
    }

    #[test]
    fn whole_ratios_take_whole_frames() {
        let clip = testing::walk(121, 120.0);
        for (hz, stride) in [(60.0, 2), (40.0, 3), (30.0, 4), (24.0, 5)] {
            let down = resample(&clip, frame_time(hz)).unwrap();
            assert_eq!(down.frame_count(), 120 / stride + 1);
            for frame in down.frames() {
                let source = FrameIndex(frame.0 * stride);
                assert_eq!(down.rotations_at(frame), clip.rotations_at(source), "{hz} Hz, {frame}");
                assert_eq!(down.tracks()[0].positions_m[frame.0], clip.tracks()[0].positions_m[source.0]);
            }
            let up = resample(&down, frame_time(120.0)).unwrap();
            assert_eq!(up.frame_count(), 121);
            for frame in (0..121).step_by(stride).map(FrameIndex) {
                assert_eq!(up.rotations_at(frame), clip.rotations_at(frame));
            }
        }
    }

    #[test]
    fn down_and_up_again_stays_near_a_walk() {
        let clip = testing::walk(241, 120.0);
        let there = resample(&clip, frame_time(30.0)).unwrap();
        let back = resample(&there, frame_time(120.0)).unwrap();
        let worst_m = joint_positions_m(&back)
            .iter()
            .zip(joint_positions_m(&clip))
            .map(|(a, b)| (*a - b).length())
            .fold(0.0, f64::max);
        // √3/108·(2π/N)³ of the amplitude (see the tests of `sample`) with N = 33 frames a stride: 1.1e-4 of about half
        // a metre at the foot inside, and several times that in the one-sided first and last interval.
        assert!(worst_m < 3e-4, "{worst_m}");
        assert!(worst_m > 1e-7, "nothing was interpolated");
    }

    #[test]
    fn the_motion_goes_on_when_half_a_frame_or_more_remains() {
        // At 120 Hz, frames per frame of 30 Hz: 4. The end lies 0, ¼, ½, ¾ of a frame behind the last whole one.
        for (frames, expected) in [(121, 31), (122, 31), (123, 32), (124, 32), (125, 32)] {
            let clip = testing::walk(frames, 120.0);
            let down = resample(&clip, frame_time(30.0)).unwrap();
            assert_eq!(down.frame_count(), expected, "{frames}");
            let end = FrameIndex(expected - 1);
            if 4 * end.0 < frames {
                assert_eq!(down.rotations_at(end), clip.rotations_at(FrameIndex(4 * end.0)));
            } else {
                // As far on as if the clip went on; the walk itself bends away from the straight line by its
                // acceleration.
                let longer = testing::walk(125, 120.0);
                let walked_m = |clip: &Clip, frame: usize| clip.tracks()[0].positions_m[frame];
                let miss_m = walked_m(&down, end.0).distance(walked_m(&longer, 124));
                let held_m = walked_m(&clip, frames - 1).distance(walked_m(&longer, 124));
                assert!(miss_m < 0.2 * held_m, "{frames}: {miss_m} {held_m}");
            }
            assert!((down.duration_secs() - clip.duration_secs()).abs() <= 0.5 / 30.0 + 1e-12);
        }
    }

    #[test]
    fn short_clips_keep_their_frames() {
        for frames in [0, 1] {
            let clip = testing::walk(frames, 120.0);
            let down = resample(&clip, frame_time(30.0)).unwrap();
            assert_eq!((down.frame_count(), down.rotations()), (frames, clip.rotations()));
        }
        assert_eq!(resample(&testing::walk(2, 30.0), frame_time(120.0)).unwrap().frame_count(), 5);
        assert_eq!(resample(&testing::walk(2, 120.0), frame_time(30.0)).unwrap().frame_count(), 1);
    }

    #[test]
    fn keyed_clips_become_uniform() {
        let clip = testing::walk(61, 60.0);
        let times = (0..61).map(|frame| 5.0 + f64::from(frame) / 60.0).collect();
        let keyed = clip.clone().with_timeline(Timeline::keyed(times).unwrap()).unwrap();
        let uniform = resample(&keyed, frame_time(30.0)).unwrap();
        let expected = resample(&clip, frame_time(30.0)).unwrap();
        assert_eq!(uniform, expected);
        let broken =
            clip.with_timeline(Timeline::keyed((0..61).map(|k| f64::from(k) * 1e9).collect()).unwrap()).unwrap();
        assert!(matches!(resample(&broken, frame_time(30.0)), Err(EditError::TooManyFrames { .. })));
    }

    #[test]
    fn double_speed_takes_half_the_time_at_the_same_rate() {
        let clip = testing::walk(121, 120.0);
        let fast = with_speed(&clip, 2.0).unwrap();
        assert_eq!((fast.frame_count(), fast.timeline()), (61, clip.timeline()));
        assert_eq!(fast.rotations_at(FrameIndex(30)), clip.rotations_at(FrameIndex(60)));
        assert_eq!(with_speed(&clip, 1.0).unwrap(), clip);
        assert!(matches!(with_speed(&clip, 0.0), Err(EditError::Factor { what: "speed", .. })));
    }

    proptest! {
        #[test]
        fn any_rate_keeps_duration_and_ends(frames in 2usize..80, from_hz in 20.0..250.0, to_hz in 20.0..250.0) {
            let clip = testing::walk(frames, from_hz);
            let other = resample(&clip, frame_time(to_hz)).unwrap();
            let dt_secs = other.timeline().uniform().unwrap().secs();
            prop_assert!((other.duration_secs() - clip.duration_secs()).abs() <= 0.500001 * dt_secs);
            prop_assert_eq!(other.rotations_at(FrameIndex(0)), clip.rotations_at(FrameIndex(0)));
            // No joint turns faster than it did before, up to the overshoot of a cubic (a quarter) and a frame of
            // rounding.
            let fastest = |clip: &Clip| {
                let joints = clip.skeleton().len();
                let steps = clip.rotations().iter().zip(clip.rotations().iter().skip(joints));
                let dt_secs = clip.timeline().uniform().unwrap().secs();
                steps.map(|(&a, &b)| so3::angle_between(a, b) / dt_secs).fold(0.0, f64::max)
            };
            prop_assert!(fastest(&other) <= 1.25 * fastest(&clip) + 1e-9);
        }
    }
}
