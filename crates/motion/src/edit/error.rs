//! Why an edit was refused.

use crate::clip::ClipError;
use crate::skeleton::SkeletonError;
use crate::time::TimeError;

/// What makes an edit impossible, and what to do about it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// Scale and speed factors are positive.
    #[error("the {what} factor must be positive and finite, found {found}")]
    Factor {
        /// Length, time or speed.
        what: &'static str,
        /// The value.
        found: f64,
    },
    /// A move must be finite.
    #[error("the {what} must be finite, found {found}")]
    Move {
        /// Angle or shift.
        what: &'static str,
        /// The value.
        found: String,
    },
    /// The range holds no frame of the clip.
    #[error(
        "no frame lies in {start_secs} s to {}: the clip has {frames} frames from {first_secs} s to \
         {last_secs} s; give a range inside that, at least one frame long",
        end_text(*.end_secs)
    )]
    EmptyTimeRange {
        /// First time asked for.
        start_secs: f64,
        /// End of the range, not included.
        end_secs: f64,
        /// Frames of the clip.
        frames: usize,
        /// Time of its first frame.
        first_secs: f64,
        /// Time of its last frame.
        last_secs: f64,
    },
    /// The range goes beyond the clip.
    #[error(
        "the range {start_secs} s to {} goes beyond the clip, which lasts from {first_secs} s to {last_secs} s \
         (frames: {frames}); shorten it, or leave the end open",
        end_text(*.end_secs)
    )]
    OutsideTimeRange {
        /// First time asked for.
        start_secs: f64,
        /// End of the range, not included.
        end_secs: f64,
        /// Frames of the clip.
        frames: usize,
        /// Time of its first frame.
        first_secs: f64,
        /// Time of its last frame.
        last_secs: f64,
    },
    /// Frame ranges are not empty and inside the clip.
    #[error("frames {start}..{end} are empty or not inside the clip, which has frames 0..{frames}")]
    FrameRange {
        /// First frame.
        start: usize,
        /// Frame after the last.
        end: usize,
        /// Frames of the clip.
        frames: usize,
    },
    /// Nothing was given.
    #[error("there is no clip to concatenate; give at least one")]
    NoClips,
    /// Clips that are joined have the same joints.
    #[error(
        "clip {clip} has {found} joints, the first clip has {expected}; only clips of one skeleton can be joined \
         (retarget it first)"
    )]
    JointCount {
        /// Which clip, from 0.
        clip: usize,
        /// Joints of the first clip.
        expected: usize,
        /// Joints of this clip.
        found: usize,
    },
    /// Clips that are joined have the same joints in the same tree.
    #[error(
        "clip {clip}: joint {index} is {found:?} below {found_parent:?}, the first clip has {expected:?} below \
         {expected_parent:?}; only clips of one skeleton can be joined (rename or retarget it first)"
    )]
    JointDiffers {
        /// Which clip, from 0.
        clip: usize,
        /// Which joint, from 0.
        index: usize,
        /// Name in the first clip.
        expected: String,
        /// Name of its parent there.
        expected_parent: Option<String>,
        /// Name in this clip.
        found: String,
        /// Name of its parent here.
        found_parent: Option<String>,
    },
    /// Clips that are joined have the same bones.
    #[error(
        "clip {clip}: the bone to joint {joint:?} is {found_m:.5} m long, in the first clip {expected_m:.5} m \
         (the offsets differ by {difference_m:.5} m); scale or retarget it first"
    )]
    BoneDiffers {
        /// Which clip, from 0.
        clip: usize,
        /// Joint at the bone's end.
        joint: String,
        /// Length in the first clip.
        expected_m: f64,
        /// Length in this clip.
        found_m: f64,
        /// Length of the difference of the two offsets.
        difference_m: f64,
    },
    /// Clips that are joined have the same rate.
    #[error("clip {clip} has a frame time of {found_secs} s, the first clip {expected_secs} s; resample one of them")]
    RateDiffers {
        /// Which clip, from 0.
        clip: usize,
        /// Frame time of the first clip.
        expected_secs: f64,
        /// Frame time of this clip.
        found_secs: f64,
    },
    /// The edit needs a constant frame time.
    #[error("clip {clip} has nonuniform key times; resample it to a constant rate first")]
    NotUniform {
        /// Which clip, from 0.
        clip: usize,
    },
    /// The edit needs more frames.
    #[error("{what} needs at least {expected} frames, the clip has {found}")]
    TooFewFrames {
        /// The edit.
        what: &'static str,
        /// Least number of frames.
        expected: usize,
        /// Frames of the clip.
        found: usize,
    },
    /// The edit would make more frames than anyone can hold.
    #[error("{frames:.3e} frames are too many (at most {limit:.0e}); check the frame time and the key times")]
    TooManyFrames {
        /// Frames the edit would make.
        frames: f64,
        /// Most frames.
        limit: f64,
    },
    /// The mapping of mirror partners has one entry a joint.
    #[error("{found} mirror partners for {expected} joints")]
    PartnerCount {
        /// Joints.
        expected: usize,
        /// Partners given.
        found: usize,
    },
    /// A mirror partner exists, and the partner's partner is the joint itself.
    #[error(
        "the mirror partner of {joint:?} is {partner:?}, but that one's partner is {back:?}; partners must be mutual"
    )]
    PartnerNotMutual {
        /// The joint.
        joint: String,
        /// Its partner.
        partner: String,
        /// The partner's partner.
        back: String,
    },
    /// Both sides hang at the same place of the tree.
    #[error(
        "cannot mirror: {joint:?} hangs below {parent:?}, so its partner {partner:?} should hang below \
         {expected_parent:?}, but hangs below {found_parent:?}; give the partners explicitly"
    )]
    SidesDiffer {
        /// The joint.
        joint: String,
        /// Its parent.
        parent: Option<String>,
        /// Its partner.
        partner: String,
        /// Partner of its parent.
        expected_parent: Option<String>,
        /// Parent of its partner.
        found_parent: Option<String>,
    },
    /// One side has a joint that the other has not.
    #[error("cannot mirror: {joint:?} has no partner below {partner_parent:?}; give the partners explicitly")]
    NoPartner {
        /// The joint.
        joint: String,
        /// Where the partner should be.
        partner_parent: String,
    },
    /// Both sides have the same shape.
    #[error(
        "cannot mirror: the bone to {joint:?} is {offset_m} (in its parent's frame, metres), the one to its partner \
         {partner:?} is {partner_offset_m}; no reflection brings them closer than {difference_m:.3} m"
    )]
    BonesNotMirrored {
        /// The joint.
        joint: String,
        /// Its partner.
        partner: String,
        /// Its offset.
        offset_m: String,
        /// The partner's offset.
        partner_offset_m: String,
        /// What remains between them.
        difference_m: f64,
    },
    /// A joint that this skeleton does not have.
    #[error("joint {joint} does not exist: the skeleton has {joints} joints")]
    UnknownJoint {
        /// The index.
        joint: usize,
        /// Number of joints.
        joints: usize,
    },
    /// From [`crate::Clip`].
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// From [`crate::Skeleton`].
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// From [`crate::Timeline`].
    #[error(transparent)]
    Time(#[from] TimeError),
}

/// An open end is infinite inside, and "the end" to people.
fn end_text(end_secs: f64) -> String {
    if end_secs.is_finite() { format!("{end_secs:?} s") } else { "the end".to_owned() }
}
