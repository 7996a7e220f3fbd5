//! A part of a clip, by times or by frames.

use super::error::EditError;
use crate::clip::{Clip, TranslationTrack};
use crate::ids::FrameIndex;
use crate::time::Timeline;
use std::ops::{Bound, Range, RangeBounds};

/// The frames of a time range, its end not included; `1.5..` runs to the end and `..=2.0` includes a frame at 2 s.
///
/// On a uniform time line both bounds snap to the nearest frame (a bound half-way between two goes to the later), so
/// that cuts at the same time always meet without gap or overlap; each frame lasts one frame time, so that the last of
/// n frames ends at n·dt. On keyed times a frame is inside if its time is, to a microsecond. The part's time starts at
/// 0 s.
///
/// Refused if the range holds no frame, or reaches more than half a frame beyond the clip.
pub fn cut(clip: &Clip, range_secs: impl RangeBounds<f64>) -> Result<Clip, EditError> {
    let frames = frames_in(clip, range_secs)?;
    cut_frames(clip, frames)
}

/// The frames `range.start` to `range.end`, the last not included. The part's time starts at 0 s.
pub fn cut_frames(clip: &Clip, range: Range<FrameIndex>) -> Result<Clip, EditError> {
    let (start, end, frames) = (range.start.0, range.end.0, clip.frame_count());
    if start >= end || end > frames {
        return Err(EditError::FrameRange { start, end, frames });
    }
    let timeline = match clip.timeline() {
        Timeline::Uniform(frame_time) => Timeline::Uniform(*frame_time),
        Timeline::Keyed(times) => {
            let kept = &times[start..end];
            Timeline::keyed(kept.iter().map(|secs| secs - kept[0]).collect())?
        }
    };
    let joints = clip.skeleton().len();
    let rotations = clip.rotations()[start * joints..end * joints].to_vec();
    let part = |track: &TranslationTrack| TranslationTrack {
        joint: track.joint,
        positions_m: track.positions_m[start..end].to_vec(),
    };
    let tracks = clip.tracks().iter().map(part).collect();
    Ok(Clip::new(clip.skeleton().clone(), timeline, end - start, rotations, tracks)?)
}

/// Key times nearer than this are the same instant: far below any frame time, far above the rounding of a typed
/// decimal.
const SAME_INSTANT_SECS: f64 = 1e-6;

fn frames_in(clip: &Clip, range_secs: impl RangeBounds<f64>) -> Result<Range<FrameIndex>, EditError> {
    let frames = clip.frame_count();
    let (first_secs, last_secs) = (clip.time_secs(FrameIndex(0)), clip.time_secs(FrameIndex(frames.saturating_sub(1))));
    let (start_secs, includes_start) = match range_secs.start_bound() {
        Bound::Unbounded => (first_secs, true),
        Bound::Included(&secs) => (secs, true),
        Bound::Excluded(&secs) => (secs, false),
    };
    let (end_secs, includes_end) = match range_secs.end_bound() {
        Bound::Unbounded => (f64::INFINITY, true),
        Bound::Included(&secs) => (secs, true),
        Bound::Excluded(&secs) => (secs, false),
    };
    let empty = EditError::EmptyTimeRange { start_secs, end_secs, frames, first_secs, last_secs };
    if start_secs.is_nan() || end_secs.is_nan() || start_secs > end_secs {
        return Err(empty);
    }
    let (start, end, is_outside) = match clip.timeline() {
        Timeline::Uniform(frame_time) => {
            let nearest = |secs: f64| (secs / frame_time.secs() + 0.5).floor();
            let start = nearest(start_secs) + if includes_start { 0.0 } else { 1.0 };
            let end = match end_secs {
                f64::INFINITY => frames as f64,
                _ => nearest(end_secs) + if includes_end { 1.0 } else { 0.0 },
            };
            (start, end, start < 0.0 || end > frames as f64)
        }
        Timeline::Keyed(times) => {
            let before = |secs: f64| times.partition_point(|&time| time < secs - SAME_INSTANT_SECS);
            let up_to = |secs: f64| times.partition_point(|&time| time <= secs + SAME_INSTANT_SECS);
            let start = if includes_start { before(start_secs) } else { up_to(start_secs) };
            let end = if includes_end { up_to(end_secs) } else { before(end_secs) };
            // A keyed clip has no frame time to lend its last key: the range may end just behind it.
            let is_outside = start_secs < first_secs - SAME_INSTANT_SECS
                || (end_secs.is_finite() && end_secs > last_secs + SAME_INSTANT_SECS.max(mean_spacing_secs(times)));
            (start as f64, end as f64, is_outside)
        }
    };
    if frames == 0 || start >= end || start >= frames as f64 || end <= 0.0 {
        return Err(empty);
    }
    if is_outside {
        return Err(EditError::OutsideTimeRange { start_secs, end_secs, frames, first_secs, last_secs });
    }
    Ok(FrameIndex(start as usize)..FrameIndex(end as usize))
}

fn mean_spacing_secs(times: &[f64]) -> f64 {
    match times {
        [first, .., last] => (last - first) / (times.len() - 1) as f64,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn adjacent_cuts_tile_the_clip(frames in 2usize..60, at in 0.0..1.0, hz in 20.0..130.0) {
            let clip = testing::walk(frames, hz);
            let dt_secs = clip.timeline().uniform().unwrap().secs();
            // Anywhere that leaves a frame on both sides.
            let middle_secs = (0.5 + at * (frames - 2) as f64) * dt_secs;
            let (head, tail) = (cut(&clip, ..middle_secs).unwrap(), cut(&clip, middle_secs..).unwrap());
            prop_assert_eq!(head.frame_count() + tail.frame_count(), frames);
            let rotations = [head.rotations(), tail.rotations()].concat();
            prop_assert_eq!(&rotations, clip.rotations());
        }
    }

    #[test]
    fn bounds_snap_to_the_nearest_frame() {
        let clip = testing::walk(61, 30.0);
        let part = cut(&clip, 0.51..1.0).unwrap();
        assert_eq!(part.frame_count(), 15);
        assert_eq!(part.rotations_at(FrameIndex(0)), clip.rotations_at(FrameIndex(15)));
        assert_eq!(part.time_secs(FrameIndex(0)), 0.0);
        assert_eq!(cut(&clip, 0.5..=1.0).unwrap().frame_count(), 16);
        assert_eq!(cut(&clip, ..).unwrap(), clip);
        // Frame 60 lasts from 2.0 s to 2.0333 s.
        assert_eq!(cut(&clip, 0.0..2.0).unwrap().frame_count(), 60);
        assert_eq!(cut(&clip, 0.0..61.0 / 30.0).unwrap(), clip);
        assert_eq!(cut_frames(&clip, FrameIndex(3)..FrameIndex(4)).unwrap().frame_count(), 1);
    }

    #[test]
    fn keyed_times_are_shifted() {
        let timeline = Timeline::keyed(vec![1.0, 1.5, 3.0, 3.25]).unwrap();
        let clip = testing::walk(4, 30.0).with_timeline(timeline).unwrap();
        let part = cut(&clip, 1.5..3.25).unwrap();
        assert_eq!(part.timeline(), &Timeline::Keyed(vec![0.0, 1.5]));
        assert_eq!(cut(&clip, 1.2..=3.25).unwrap().frame_count(), 3);
        assert_eq!(cut(&clip, 1.0..3.5).unwrap().frame_count(), 4);
        assert!(matches!(cut(&clip, 0.5..2.0), Err(EditError::OutsideTimeRange { .. })));
        assert!(matches!(cut(&clip, 1.6..2.9), Err(EditError::EmptyTimeRange { .. })));
    }

    #[test]
    fn ranges_without_frames_say_how_long_the_clip_is() {
        let clip = testing::walk(61, 30.0);
        for range in [3.0..4.0, 1.0..1.0, f64::NAN..1.0, -5.0..-4.0] {
            let error = cut(&clip, range.clone()).unwrap_err();
            assert!(error.to_string().contains("61 frames from 0 s to 2 s"), "{range:?}: {error}");
        }
        #[allow(clippy::reversed_empty_ranges, reason = "the wrong order is what is tested")]
        let reversed = cut(&clip, 1.0..0.5);
        assert!(matches!(reversed, Err(EditError::EmptyTimeRange { .. })));
        assert!(matches!(cut(&clip, 1.0..2.5), Err(EditError::OutsideTimeRange { .. })));
        assert!(matches!(cut(&clip, -0.5..1.0), Err(EditError::OutsideTimeRange { .. })));
        assert!(matches!(cut(&testing::walk(0, 30.0), ..), Err(EditError::EmptyTimeRange { .. })));
        let outside = cut_frames(&clip, FrameIndex(60)..FrameIndex(62));
        assert_eq!(outside, Err(EditError::FrameRange { start: 60, end: 62, frames: 61 }));
        assert!(cut_frames(&clip, FrameIndex(5)..FrameIndex(5)).is_err());
    }
}
