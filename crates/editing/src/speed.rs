//! Plays a motion faster or slower, all of it or a stretch of it. Falling bodies will no longer fall as they should:
//! that is for physical touch-up, or for a verb that knows the dynamics, to mend.

use crate::EditingError;
use crate::span::MOST_FRAMES;
use crate::span::Span;
use aplomb_motion::edit::{EditError, LocalPose, sample_at, with_speed};
use aplomb_motion::{Clip, FrameIndex, Timeline, TranslationTrack, first_frame};
use serde::{Deserialize, Serialize};

/// How fast, and from when to when.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// 2 is twice as fast.
    pub factor: f64,
    /// Of the original's time; the change of speed is eased inside it.
    #[serde(default)]
    pub span: Span,
}

impl Speed {
    /// The whole motion.
    pub fn new(factor: f64) -> Self {
        Self { factor, span: Span::default() }
    }

    /// The motion at its new pace and its own frame rate.
    ///
    /// What the new time shows is τ(t) = ∫ p(t) dt, where the pace p is 1 outside the span, 1/factor inside and goes
    /// from one to the other along ½(1 − cos πu) over the ease, so that speeds do not jump. Frames between frames come
    /// from the cubic interpolation of [`aplomb_motion::edit::sample_at`].
    ///
    /// A first frame that is no part of the motion (a pose of calibration) stays what it is, and is not mixed into what
    /// follows.
    pub fn apply(&self, clip: &Clip) -> Result<Clip, EditingError> {
        let (Some(frame_time), Some(rest)) = (clip.timeline().uniform(), first_frame::without_stray(clip)?) else {
            return self.apply_to_all(clip);
        };
        let earlier = |secs: Option<f64>| secs.map(|secs| (secs - frame_time.secs()).max(0.0));
        let span = Span { from_secs: earlier(self.span.from_secs), to_secs: earlier(self.span.to_secs), ..self.span };
        let paced = Self { span, ..*self }.apply_to_all(&rest)?;
        Ok(first_frame::put_back(clip, paced)?)
    }

    fn apply_to_all(&self, clip: &Clip) -> Result<Clip, EditingError> {
        if self.span.from_secs.is_none() && self.span.to_secs.is_none() {
            return Ok(with_speed(clip, self.factor)?);
        }
        let warp = self.warp(clip)?;
        let Timeline::Uniform(frame_time) = clip.timeline() else {
            let times_secs = clip.frames().map(|frame| warp.new_secs(clip.time_secs(frame)));
            return Ok(clip.clone().with_timeline(Timeline::Keyed(times_secs.collect()))?);
        };
        let step_secs = frame_time.secs();
        // As in resampling: the nearest whole number of frames.
        let frames = (warp.new_secs(clip.duration_secs()) / step_secs + 0.5 + 1e-7).floor() + 1.0;
        if frames > MOST_FRAMES {
            return Err(EditError::TooManyFrames { frames, limit: MOST_FRAMES }.into());
        }
        let frames = frames as usize;
        let mut pose = LocalPose::for_skeleton(clip.skeleton());
        let mut rotations = Vec::with_capacity(frames * clip.skeleton().len());
        let moving = clip.tracks().iter().map(|track| track.joint);
        let mut tracks: Vec<TranslationTrack> =
            moving.map(|joint| TranslationTrack { joint, positions_m: Vec::with_capacity(frames) }).collect();
        for frame in 0..frames {
            sample_at(clip, warp.old_secs(frame as f64 * step_secs), &mut pose);
            rotations.extend_from_slice(&pose.rotations);
            for track in &mut tracks {
                track.positions_m.push(pose.translations_m[track.joint.index()]);
            }
        }
        Ok(Clip::new(clip.skeleton().clone(), clip.timeline().clone(), frames, rotations, tracks)?)
    }

    fn warp(&self, clip: &Clip) -> Result<Warp, EditingError> {
        if !(self.factor > 0.0 && self.factor.is_finite()) {
            return Err(EditError::Factor { what: "speed", found: self.factor }.into());
        }
        // Checks the span too.
        crate::mask::shares(clip, &self.span)?;
        let start_secs = clip.time_secs(FrameIndex(0));
        let duration_secs = clip.duration_secs();
        let from_secs = self.span.from_secs.unwrap_or(0.0).max(0.0);
        let to_secs = self.span.to_secs.unwrap_or(duration_secs).min(duration_secs);
        let given = [self.span.from_secs, self.span.to_secs].iter().flatten().count() as f64;
        let ease_secs = self.span.ease_secs.min((to_secs - from_secs) / given.max(1.0));
        let ease = |given: Option<f64>| if given.is_some() { ease_secs } else { 0.0 };
        Ok(Warp {
            from_secs: start_secs + from_secs,
            to_secs: start_secs + to_secs,
            ease_in_secs: ease(self.span.from_secs),
            ease_out_secs: ease(self.span.to_secs),
            more_pace: 1.0 / self.factor - 1.0,
        })
    }
}

/// New time for old.
struct Warp {
    from_secs: f64,
    to_secs: f64,
    ease_in_secs: f64,
    ease_out_secs: f64,
    /// Seconds added for each second inside.
    more_pace: f64,
}

impl Warp {
    fn new_secs(&self, old_secs: f64) -> f64 {
        // ∫ of the share of the change up to now: rises along the first ease, falls along the second.
        let inside = eased_integral(old_secs - self.from_secs, self.ease_in_secs)
            - eased_integral(old_secs - (self.to_secs - self.ease_out_secs), self.ease_out_secs);
        old_secs + self.more_pace * inside
    }

    /// The inverse: new time rises with old time by at least min(1, 1/factor), so halving the bracket finds it.
    fn old_secs(&self, new_secs: f64) -> f64 {
        let slowest = (1.0 + self.more_pace).max(1.0);
        let fastest = (1.0 + self.more_pace).min(1.0);
        // new_secs(0) = 0 for a clip that starts at 0 s.
        let (mut low_secs, mut high_secs) = (new_secs / slowest - 1e-9, new_secs / fastest + 1e-9);
        for _ in 0..200 {
            let middle_secs = 0.5 * (low_secs + high_secs);
            if middle_secs <= low_secs || middle_secs >= high_secs {
                break;
            }
            if self.new_secs(middle_secs) < new_secs { low_secs = middle_secs } else { high_secs = middle_secs }
        }
        0.5 * (low_secs + high_secs)
    }
}

/// ∫₀ˣ ½(1 − cos(πu/ease)) du, then straight on with slope 1; 0 before 0.
fn eased_integral(x: f64, ease: f64) -> f64 {
    use std::f64::consts::PI;
    if x <= 0.0 {
        0.0
    } else if x >= ease {
        x - 0.5 * ease
    } else {
        0.5 * (x - ease / PI * (PI * x / ease).sin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_builtins::clip as built_in;
    use aplomb_motion::edit::cut_frames;
    use aplomb_motion::kinematics::joint_positions_m;

    fn slow(from_secs: Option<f64>, to_secs: Option<f64>, ease_secs: f64, factor: f64) -> Speed {
        Speed { factor, span: Span { from_secs, to_secs, ease_secs } }
    }

    #[test]
    fn without_ease_a_stretch_takes_its_share_of_time() {
        let clip = built_in("wave").unwrap();
        let changed = slow(Some(1.0), Some(2.0), 0.0, 0.5).apply(&clip).unwrap();
        assert!((changed.duration_secs() - clip.duration_secs() - 1.0).abs() < 1e-9);
        let at = |clip: &Clip, secs: f64| clip.rotations_at(FrameIndex((secs * 120.0).round() as usize)).to_vec();
        for (new_secs, old_secs) in [(0.5, 0.5), (1.0, 1.0), (2.0, 1.5), (3.0, 2.0), (3.5, 2.5)] {
            for (a, b) in at(&changed, new_secs).iter().zip(at(&clip, old_secs)) {
                assert!(a.angle_between(b) < 1e-6, "{new_secs} s");
            }
        }
    }

    #[test]
    fn eased_speeds_do_not_jump() {
        let clip = built_in("walk").unwrap();
        let changed = slow(Some(1.0), Some(2.0), 0.4, 2.0).apply(&clip).unwrap();
        // Each ease is half inside: 1 s − 0.4 s of full change, and two halves.
        let saved_secs = 0.5 * (0.2 + 0.4);
        assert!((clip.duration_secs() - saved_secs - changed.duration_secs()).abs() <= 0.5 / 120.0 + 1e-9);
        let joints = clip.skeleton().len();
        let speeds = |clip: &Clip| -> Vec<f64> {
            let positions_m = joint_positions_m(clip);
            let root: Vec<_> = positions_m.iter().step_by(joints).collect();
            root.windows(2).map(|pair| pair[0].distance(*pair[1]) * 120.0).collect()
        };
        let jump = |speeds: &[f64]| speeds.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        let (own, new) = (speeds(&clip), speeds(&changed));
        // From 1 to 2 times the speed over 0.4 s, at most π/2 times the mean rate; twice the jumps of the walk itself.
        let most = own.iter().copied().fold(0.0, f64::max) / 0.3 / 120.0 * 1.6 + 4.0 * jump(&own);
        assert!(jump(&new) < most, "{} {most}", jump(&new));
        assert!(new.iter().copied().fold(0.0, f64::max) > 1.9 * own.iter().sum::<f64>() / own.len() as f64);
    }

    #[test]
    fn nothing_changes_at_factor_one_and_the_whole_clip_is_resampled() {
        let clip = built_in("wave").unwrap();
        let same = slow(Some(0.5), Some(1.5), 0.2, 1.0).apply(&clip).unwrap();
        assert_eq!(same, clip);
        assert_eq!(Speed::new(2.0).apply(&clip).unwrap(), with_speed(&clip, 2.0).unwrap());
    }

    #[test]
    fn open_ends_change_at_once() {
        let clip = built_in("wave").unwrap();
        let tail = slow(Some(1.0), None, 0.2, 0.5).apply(&clip).unwrap();
        let expected_secs = clip.duration_secs() + (clip.duration_secs() - 1.0 - 0.1);
        assert!((tail.duration_secs() - expected_secs).abs() <= 0.5 / 120.0 + 1e-9);
    }

    #[test]
    fn keyed_clips_keep_their_keys() {
        let clip = built_in("wave").unwrap();
        let times_secs = clip.frames().map(|frame| 5.0 + clip.time_secs(frame)).collect();
        let keyed = clip.with_timeline(Timeline::keyed(times_secs).unwrap()).unwrap();
        let changed = slow(Some(1.0), Some(2.0), 0.0, 0.5).apply(&keyed).unwrap();
        assert_eq!(changed.rotations(), keyed.rotations());
        assert!((changed.duration_secs() - keyed.duration_secs() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn standing_still_and_going_back_are_refused() {
        let clip = built_in("wave").unwrap();
        for factor in [0.0, -1.0, f64::NAN] {
            assert!(slow(Some(0.5), None, 0.1, factor).apply(&clip).is_err());
        }
        assert!(matches!(slow(Some(3.0), Some(1.0), 0.1, 2.0).apply(&clip), Err(EditingError::EmptySpan { .. })));
    }

    #[test]
    fn a_pose_of_calibration_is_not_mixed_into_the_motion() {
        let mut clip = built_in("walk").unwrap();
        clip.rotations_at_mut(FrameIndex(0)).fill(glam::DQuat::IDENTITY);
        assert!(first_frame::is_stray(&clip));
        let changed = Speed::new(0.7).apply(&clip).unwrap();
        assert_eq!(changed.rotations_at(FrameIndex(0)), clip.rotations_at(FrameIndex(0)));
        // The second frame is the second frame, not a mean of both.
        for (a, b) in changed.rotations_at(FrameIndex(1)).iter().zip(clip.rotations_at(FrameIndex(1))) {
            // An arc cosine near one knows eight digits.
            assert!(a.angle_between(*b) < 1e-6);
        }
        assert!(!first_frame::is_stray(&cut_frames(&changed, FrameIndex(1)..FrameIndex(200)).unwrap()));
    }
}
