//! A motion: local rotations frame by frame, the translations that move, and when each frame was taken.

use crate::ids::{FrameIndex, JointId};
use crate::skeleton::Skeleton;
use crate::time::{TimeError, Timeline};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// What makes a clip unusable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClipError {
    /// `frames × joints` rotations are needed.
    #[error("expected {expected} rotations ({frames} frames × {joints} joints), found {found}")]
    RotationCount {
        /// Frames.
        frames: usize,
        /// Joints.
        joints: usize,
        /// frames × joints.
        expected: usize,
        /// Given.
        found: usize,
    },
    /// One position a frame.
    #[error("the translation track of joint {joint:?} has {found} positions for {expected} frames")]
    TrackLength {
        /// Joint name.
        joint: String,
        /// Frames of the clip.
        expected: usize,
        /// Positions given.
        found: usize,
    },
    /// A track names no joint, or the same joint twice.
    #[error("translation track {track} names joint {joint}, which is unknown or already has one")]
    TrackJoint {
        /// Index of the track.
        track: usize,
        /// Index of the joint.
        joint: usize,
    },
    /// One time a frame.
    #[error("{found} key times for {expected} frames")]
    TimeCount {
        /// Frames of the clip.
        expected: usize,
        /// Key times given.
        found: usize,
    },
    /// NaN, infinity or a zero quaternion.
    #[error("frame {frame}, joint {joint:?}: {what} is not usable: {found}")]
    NotFinite {
        /// Frame, from 0.
        frame: usize,
        /// Joint name.
        joint: String,
        /// Rotation or translation.
        what: &'static str,
        /// The value.
        found: String,
    },
    /// From [`Timeline`].
    #[error(transparent)]
    Time(#[from] TimeError),
}

/// Local translation of one joint over time; it replaces the joint's offset.
#[derive(Clone, Debug, PartialEq)]
pub struct TranslationTrack {
    /// Whose translation.
    pub joint: JointId,
    /// One a frame, in the parent's frame (the world for a root), metres.
    pub positions_m: Vec<DVec3>,
}

/// A skeleton in motion. Local rotations are frame-major: all joints of frame 0, then of frame 1, …
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    skeleton: Arc<Skeleton>,
    timeline: Timeline,
    frames: usize,
    rotations: Vec<DQuat>,
    /// Sorted by joint.
    tracks: Vec<TranslationTrack>,
}

impl Clip {
    /// Validates counts and that every number is finite; quaternions must be of unit length to 1e-6.
    pub fn new(
        skeleton: Arc<Skeleton>,
        timeline: Timeline,
        frames: usize,
        rotations: Vec<DQuat>,
        mut tracks: Vec<TranslationTrack>,
    ) -> Result<Self, ClipError> {
        let joints = skeleton.len();
        let expected = frames.saturating_mul(joints);
        if rotations.len() != expected {
            return Err(ClipError::RotationCount { frames, joints, expected, found: rotations.len() });
        }
        if let Timeline::Keyed(times) = &timeline
            && times.len() != frames
        {
            return Err(ClipError::TimeCount { expected: frames, found: times.len() });
        }
        tracks.sort_by_key(|track| track.joint);
        for (index, track) in tracks.iter().enumerate() {
            let repeated = index > 0 && tracks[index - 1].joint == track.joint;
            if track.joint.index() >= joints || repeated {
                return Err(ClipError::TrackJoint { track: index, joint: track.joint.index() });
            }
            if track.positions_m.len() != frames {
                let joint = skeleton.joint(track.joint).name.clone();
                return Err(ClipError::TrackLength { joint, expected: frames, found: track.positions_m.len() });
            }
        }
        let clip = Self { skeleton, timeline, frames, rotations, tracks };
        clip.check_numbers()?;
        Ok(clip)
    }

    /// A clip of `frames` rest poses: every rotation identity, every joint at its offset, roots with a track.
    pub fn at_rest(skeleton: Arc<Skeleton>, timeline: Timeline, frames: usize) -> Result<Self, ClipError> {
        let rotations = vec![DQuat::IDENTITY; frames.saturating_mul(skeleton.len())];
        let track = |joint| TranslationTrack { joint, positions_m: vec![skeleton.joint(joint).offset_m; frames] };
        let tracks = skeleton.roots().map(track).collect();
        Self::new(skeleton, timeline, frames, rotations, tracks)
    }

    fn check_numbers(&self) -> Result<(), ClipError> {
        // One pass over plain numbers first: the search for the culprit runs only if there is one.
        let is_unit = |q: &DQuat| (q.length_squared() - 1.0).abs() < 2e-6;
        if let Some(index) = self.rotations.iter().position(|q| !is_unit(q)) {
            let (frame, joint) = (index / self.skeleton.len(), index % self.skeleton.len());
            let joint = self.skeleton.joint(JointId::new(joint)).name.clone();
            let found = format!("{:?}", self.rotations[index]);
            return Err(ClipError::NotFinite { frame, joint, what: "rotation", found });
        }
        for track in &self.tracks {
            if let Some(frame) = track.positions_m.iter().position(|position| !position.is_finite()) {
                let joint = self.skeleton.joint(track.joint).name.clone();
                let found = track.positions_m[frame].to_string();
                return Err(ClipError::NotFinite { frame, joint, what: "translation", found });
            }
        }
        Ok(())
    }

    /// The tree that moves.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// When the frames were taken.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    /// All frame indices.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = FrameIndex> + ExactSizeIterator + use<> {
        (0..self.frames).map(FrameIndex)
    }

    /// Time of a frame.
    pub fn time_secs(&self, frame: FrameIndex) -> f64 {
        self.timeline.time_secs(frame)
    }

    /// Time from the first to the last frame.
    pub fn duration_secs(&self) -> f64 {
        match self.frames {
            0 => 0.0,
            frames => self.time_secs(FrameIndex(frames - 1)) - self.time_secs(FrameIndex(0)),
        }
    }

    /// Local rotations of one frame, in joint order.
    #[inline]
    pub fn rotations_at(&self, frame: FrameIndex) -> &[DQuat] {
        let joints = self.skeleton.len();
        &self.rotations[frame.0 * joints..(frame.0 + 1) * joints]
    }

    /// The same, to be changed. Callers keep them unit quaternions.
    #[inline]
    pub fn rotations_at_mut(&mut self, frame: FrameIndex) -> &mut [DQuat] {
        let joints = self.skeleton.len();
        &mut self.rotations[frame.0 * joints..(frame.0 + 1) * joints]
    }

    /// All local rotations, frame-major.
    pub fn rotations(&self) -> &[DQuat] {
        &self.rotations
    }

    /// All local rotations, to be changed.
    pub fn rotations_mut(&mut self) -> &mut [DQuat] {
        &mut self.rotations
    }

    /// One local rotation.
    #[inline]
    pub fn rotation(&self, frame: FrameIndex, joint: JointId) -> DQuat {
        self.rotations[frame.0 * self.skeleton.len() + joint.index()]
    }

    /// Changes one local rotation.
    pub fn set_rotation(&mut self, frame: FrameIndex, joint: JointId, local: DQuat) {
        let joints = self.skeleton.len();
        self.rotations[frame.0 * joints + joint.index()] = local;
    }

    /// Translations that move, sorted by joint.
    pub fn tracks(&self) -> &[TranslationTrack] {
        &self.tracks
    }

    /// The same, to be changed; lengths must stay.
    pub fn tracks_mut(&mut self) -> &mut [TranslationTrack] {
        &mut self.tracks
    }

    /// Translation of one joint over time, if it moves.
    pub fn track(&self, joint: JointId) -> Option<&[DVec3]> {
        let slot = self.tracks.binary_search_by_key(&joint, |track| track.joint).ok()?;
        Some(&self.tracks[slot].positions_m)
    }

    /// The same, to be changed.
    pub fn track_mut(&mut self, joint: JointId) -> Option<&mut [DVec3]> {
        let slot = self.tracks.binary_search_by_key(&joint, |track| track.joint).ok()?;
        Some(&mut self.tracks[slot].positions_m)
    }

    /// Local translation of a joint: its track, or its offset.
    #[inline]
    pub fn translation_m(&self, frame: FrameIndex, joint: JointId) -> DVec3 {
        self.track(joint).map_or(self.skeleton.joint(joint).offset_m, |track| track[frame.0])
    }

    /// False if no root has a track: the figure is nailed in place, and that says nothing about the world.
    pub fn root_travels(&self) -> bool {
        self.skeleton.roots().any(|root| self.track(root).is_some())
    }

    /// Skeleton, time line, frame count, rotations and tracks, to be changed in bulk and put together by [`Clip::new`].
    pub fn into_parts(self) -> (Arc<Skeleton>, Timeline, usize, Vec<DQuat>, Vec<TranslationTrack>) {
        (self.skeleton, self.timeline, self.frames, self.rotations, self.tracks)
    }

    /// The same motion at other times (as many as there are frames).
    pub fn with_timeline(self, timeline: Timeline) -> Result<Self, ClipError> {
        if let Timeline::Keyed(times) = &timeline
            && times.len() != self.frames
        {
            return Err(ClipError::TimeCount { expected: self.frames, found: times.len() });
        }
        Ok(Self { timeline, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::Channels;
    use crate::time::FrameTime;

    fn ball() -> Arc<Skeleton> {
        let mut builder = Skeleton::builder();
        builder.add(None, "Ball", DVec3::Y, Channels::default());
        Arc::new(builder.build().unwrap())
    }

    fn at_120_hz() -> Timeline {
        Timeline::Uniform(FrameTime::from_hz(120.0).unwrap())
    }

    #[test]
    fn counts_and_numbers_are_checked() {
        let short = Clip::new(ball(), at_120_hz(), 2, vec![DQuat::IDENTITY], vec![]);
        assert!(matches!(short, Err(ClipError::RotationCount { expected: 2, found: 1, .. })));
        let nan = vec![DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)];
        let nan = Clip::new(ball(), at_120_hz(), 1, nan, vec![]);
        assert!(matches!(nan, Err(ClipError::NotFinite { frame: 0, what: "rotation", .. })));
        let track = TranslationTrack { joint: JointId::new(7), positions_m: vec![DVec3::ZERO] };
        let stray = Clip::new(ball(), at_120_hz(), 1, vec![DQuat::IDENTITY], vec![track]);
        assert!(matches!(stray, Err(ClipError::TrackJoint { joint: 7, .. })));
    }

    #[test]
    fn time_runs_from_zero_at_the_nominal_rate() {
        let timeline = Timeline::Uniform(FrameTime::from_secs(0.0083333).unwrap());
        let clip = Clip::at_rest(ball(), timeline, 121).unwrap();
        assert!((clip.duration_secs() - 1.0).abs() < 1e-12);
        assert!(clip.root_travels());
        assert_eq!(Clip::at_rest(ball(), at_120_hz(), 0).unwrap().duration_secs(), 0.0);
    }
}
