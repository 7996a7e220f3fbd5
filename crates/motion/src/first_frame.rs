//! The artificial pose that some converters put before the first captured frame.

use crate::clip::{Clip, ClipError, TranslationTrack};
use crate::edit::{EditError, cut_frames};
use crate::ids::FrameIndex;
use glam::DQuat;

/// No limb turns as far in one frame at 120 Hz: 2400°/s.
const LEAST_STRAY_TURN_DEG: f64 = 20.0;
/// Jump from the first frame over the motion of the next.
const LEAST_RATIO: f64 = 5.0;
/// A rotation that was never captured is zero to the last digit.
const NOT_CAPTURED_RAD: f64 = 1e-9;

/// Whether the first frame is a pose that does not belong to the motion, a T-pose as a rule.
///
/// It is told by its jump: some joint turns by more than 20° to the next frame, and either five times as far as one
/// frame later, or from a pose in which at least half of the joints are not turned at all, and of which at most half
/// are left after it. The second sign does not depend on the frame rate: at 30 Hz a runner's legs turn by 20° from
/// frame to frame, too.
pub fn is_stray(clip: &Clip) -> bool {
    if clip.frame_count() < 3 {
        return false;
    }
    let first_rad = largest_turn_rad(clip, FrameIndex(0));
    if first_rad <= LEAST_STRAY_TURN_DEG.to_radians() {
        return false;
    }
    let is_jump = first_rad > LEAST_RATIO * largest_turn_rad(clip, FrameIndex(1));
    let (first, second) = (unturned_joints(clip, FrameIndex(0)), unturned_joints(clip, FrameIndex(1)));
    is_jump || (2 * first >= clip.skeleton().len() && 2 * second <= first)
}

/// The motion without a stray first frame; `None` if it has none.
pub fn without_stray(clip: &Clip) -> Result<Option<Clip>, EditError> {
    is_stray(clip).then(|| cut_frames(clip, FrameIndex(1)..FrameIndex(clip.frame_count()))).transpose()
}

/// What was made of a motion without its first frame, with that frame before it again: where the first frame is a stray
/// pose, every other frame keeps its time.
pub fn put_back(original: &Clip, rest: Clip) -> Result<Clip, ClipError> {
    let (skeleton, timeline, frames, rotations, tracks) = rest.into_parts();
    let mut all = original.rotations_at(FrameIndex(0)).to_vec();
    all.extend(rotations);
    let with_first = |TranslationTrack { joint, positions_m }: TranslationTrack| {
        let first_m = original.translation_m(FrameIndex(0), joint);
        TranslationTrack { joint, positions_m: std::iter::once(first_m).chain(positions_m).collect() }
    };
    Clip::new(skeleton, timeline, frames + 1, all, tracks.into_iter().map(with_first).collect())
}

fn largest_turn_rad(clip: &Clip, frame: FrameIndex) -> f64 {
    let (here, next) = (clip.rotations_at(frame), clip.rotations_at(FrameIndex(frame.0 + 1)));
    here.iter().zip(next).map(|(a, b)| a.angle_between(*b)).fold(0.0, f64::max)
}

fn unturned_joints(clip: &Clip, frame: FrameIndex) -> usize {
    // Half the angle is the length of the vector part, also where acos has lost all digits.
    let is_unturned = |q: &&DQuat| 2.0 * q.xyz().length() < NOT_CAPTURED_RAD;
    clip.rotations_at(frame).iter().filter(is_unturned).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::Channels;
    use crate::skeleton::Skeleton;
    use crate::time::{FrameTime, Timeline};
    use glam::DVec3;
    use std::sync::Arc;

    /// A chain of four joints, turned by these angles (degrees) in every joint, frame by frame.
    fn clip(angles_deg: &[f64]) -> Clip {
        let mut builder = Skeleton::builder();
        let mut parent = None;
        for name in ["a", "b", "c", "d"] {
            parent = Some(builder.add(parent, name, DVec3::Y, Channels::default()));
        }
        let rotations = angles_deg.iter().flat_map(|deg| [DQuat::from_rotation_x(deg.to_radians()); 4]).collect();
        let timeline = Timeline::Uniform(FrameTime::from_hz(120.0).unwrap());
        Clip::new(Arc::new(builder.build().unwrap()), timeline, angles_deg.len(), rotations, vec![]).unwrap()
    }

    #[test]
    fn a_pose_before_the_motion_is_found() {
        assert!(is_stray(&clip(&[0.0, 40.0, 41.0, 42.0])));
        assert!(is_stray(&clip(&[80.0, 40.0, 41.0, 42.0])));
        // Fast motion at a low rate: only the zeros tell.
        assert!(is_stray(&clip(&[0.0, 40.0, 60.0, 80.0])));
        assert!(!is_stray(&clip(&[20.0, 40.0, 60.0, 80.0])));
    }

    #[test]
    fn a_stray_pose_is_cut_and_put_back() {
        let stray = clip(&[0.0, 40.0, 41.0, 42.0]);
        let rest = without_stray(&stray).unwrap().unwrap();
        assert_eq!((rest.frame_count(), rest.rotations_at(FrameIndex(0))), (3, stray.rotations_at(FrameIndex(1))));
        assert_eq!(put_back(&stray, rest.clone()).unwrap(), stray);
        assert_eq!(without_stray(&rest).unwrap(), None);
    }

    #[test]
    fn motion_that_starts_smoothly_keeps_its_first_frame() {
        assert!(!is_stray(&clip(&[0.0, 1.0, 2.0, 3.0])));
        assert!(!is_stray(&clip(&[0.0, 0.0, 40.0, 41.0])));
        assert!(!is_stray(&clip(&[0.0, 40.0])));
    }
}
