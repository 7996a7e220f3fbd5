//! Clips of one skeleton one after the other.

use super::align::{GroundMove, on_ground, yaw_rad};
use super::error::EditError;
use super::place::body_joint;
use crate::clip::{Clip, TranslationTrack};
use crate::ids::{FrameIndex, JointId};
use crate::kinematics::WorldPose;
use crate::skeleton::Skeleton;
use crate::time::{FrameTime, Timeline};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// Where the next clip goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Join {
    /// Every clip stays where it is in the world.
    #[default]
    AsIs,
    /// Each next clip is turned about the vertical and shifted in the ground plane so that the body goes on from where
    /// it was.
    ///
    /// The first frame of the next clip comes one frame *after* the last of the previous one: it is put ahead of it by
    /// the mean of the last step before and the first step after the join. A motion of constant speed and turn rate,
    /// cut anywhere, is put together again exactly. Heights stay.
    Continue,
}

/// Puts clips one after the other, frame by frame; nothing is blended at the joins.
///
/// All clips need the same joints (names and parents), the same bones to a hundredth of a millimetre (bones that move
/// by a translation track are compared by nothing: the track is the truth), and the same nominal rate. Names of end
/// sites, channel layout and the stated frame time are the first clip's. Clips without frames add nothing. Where only
/// some clips move a joint by a track, the others get its offset.
pub fn concatenate(clips: &[&Clip], join: Join) -> Result<Clip, EditError> {
    let first = *clips.first().ok_or(EditError::NoClips)?;
    let frame_time = uniform(0, first)?;
    for (index, clip) in clips.iter().enumerate().skip(1) {
        check_same_tree(index, first.skeleton(), clip.skeleton())?;
        check_same_bones(index, first, clip)?;
        check_same_rate(index, frame_time, uniform(index, clip)?)?;
    }
    let moves = match join {
        Join::AsIs => vec![GroundMove::IDENTITY; clips.len()],
        Join::Continue => continuing_moves(clips),
    };
    let skeleton = first.skeleton();
    let frames = clips.iter().map(|clip| clip.frame_count()).sum();
    let mut rotations = Vec::with_capacity(frames * skeleton.len());
    for (clip, by) in clips.iter().zip(&moves) {
        let start = rotations.len();
        rotations.extend_from_slice(clip.rotations());
        if *by != GroundMove::IDENTITY {
            turn_roots(&mut rotations[start..], skeleton, by.rotation());
        }
    }
    let tracks = skeleton.ids().filter_map(|joint| joined_track(clips, &moves, joint)).collect();
    Ok(Clip::new(skeleton.clone(), Timeline::Uniform(frame_time), frames, rotations, tracks)?)
}

fn uniform(index: usize, clip: &Clip) -> Result<FrameTime, EditError> {
    clip.timeline().uniform().ok_or(EditError::NotUniform { clip: index })
}

fn check_same_tree(clip: usize, expected: &Skeleton, found: &Skeleton) -> Result<(), EditError> {
    if expected.len() != found.len() {
        return Err(EditError::JointCount { clip, expected: expected.len(), found: found.len() });
    }
    for (index, (ours, theirs)) in expected.joints().iter().zip(found.joints()).enumerate() {
        if ours.name != theirs.name || ours.parent != theirs.parent {
            return Err(EditError::JointDiffers {
                clip,
                index,
                expected: ours.name.clone(),
                expected_parent: ours.parent.map(|parent| expected.joint(parent).name.clone()),
                found: theirs.name.clone(),
                found_parent: theirs.parent.map(|parent| found.joint(parent).name.clone()),
            });
        }
    }
    Ok(())
}

/// Files round offsets to 1e-4 or 1e-5 of a unit of centimetres or inches; bones that truly differ do so by
/// millimetres.
const SAME_OFFSET_M: f64 = 1e-5;

fn check_same_bones(clip: usize, first: &Clip, other: &Clip) -> Result<(), EditError> {
    for joint in first.skeleton().ids() {
        let (ours, theirs) = (first.skeleton().joint(joint), other.skeleton().joint(joint));
        let difference_m = (ours.offset_m - theirs.offset_m).length();
        let is_moved = first.track(joint).is_some() || other.track(joint).is_some();
        if difference_m > SAME_OFFSET_M && !is_moved {
            let (expected_m, found_m) = (ours.offset_m.length(), theirs.offset_m.length());
            let joint = ours.name.clone();
            return Err(EditError::BoneDiffers { clip, joint, expected_m, found_m, difference_m });
        }
    }
    Ok(())
}

fn check_same_rate(clip: usize, expected: FrameTime, found: FrameTime) -> Result<(), EditError> {
    let (expected_secs, found_secs) = (expected.secs(), found.secs());
    // Stated to six digits, two files of one rate agree to a few 1e-6; 29.97 and 30 Hz differ by 1e-3.
    if (found_secs / expected_secs - 1.0).abs() > 1e-5 {
        return Err(EditError::RateDiffers { clip, expected_secs, found_secs });
    }
    Ok(())
}

/// One move for each clip; each continues from the one before it that has frames.
fn continuing_moves(clips: &[&Clip]) -> Vec<GroundMove> {
    let mut moves: Vec<GroundMove> = Vec::with_capacity(clips.len());
    let mut previous: Option<(&Clip, GroundMove)> = None;
    for clip in clips {
        let by = match previous {
            Some((before, moved)) if clip.frame_count() > 0 => continuing_move(before, clip).then(&moved),
            _ => GroundMove::IDENTITY,
        };
        if clip.frame_count() > 0 {
            previous = Some((clip, by));
        }
        moves.push(by);
    }
    moves
}

/// The move that takes `next` to where `before`, as it stands, would go on. Both have frames.
fn continuing_move(before: &Clip, next: &Clip) -> GroundMove {
    let joint = body_joint(next.skeleton());
    let mut pose = WorldPose::for_skeleton(next.skeleton());
    pose.pose(next, FrameIndex(0));
    // Headings are measured against the next clip's first pose: whatever the joint's axes are, the turn between two
    // upright poses is then nearly vertical, and its yaw well defined.
    let reference = pose.world_from_joint[joint.index()];
    let mut stance = |clip: &Clip, frame: usize| {
        pose.pose(clip, FrameIndex(frame));
        let yaw_rad = yaw_rad(pose.world_from_joint[joint.index()] * reference.conjugate());
        GroundMove { yaw_rad, shift_m: on_ground(pose.joint_in_world_m[joint.index()]) }
    };
    let last = before.frame_count() - 1;
    let (end, start) = (stance(before, last), stance(next, 0));
    // Steps in the body's own ground frame: p_world = stance(p_body), stance(f + 1) = step.then(stance(f)).
    let step_before = (last > 0).then(|| end.then(&stance(before, last - 1).inverse()));
    let step_after = (next.frame_count() > 1).then(|| stance(next, 1).then(&start.inverse()));
    let step = match (step_before, step_after) {
        (Some(a), Some(b)) => mean_step(&a, &b),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => GroundMove::IDENTITY,
    };
    start.inverse().then(&step.then(&end))
}

fn mean_step(a: &GroundMove, b: &GroundMove) -> GroundMove {
    // Steps turn by little; the sums of angles that make them may have gone once round.
    let wrapped = |angle_rad: f64| (angle_rad + PI).rem_euclid(TAU) - PI;
    let yaw_rad = 0.5 * (wrapped(a.yaw_rad) + wrapped(b.yaw_rad));
    GroundMove { yaw_rad, shift_m: (a.shift_m + b.shift_m) * 0.5 }
}

fn turn_roots(rotations: &mut [DQuat], skeleton: &Skeleton, rotation: DQuat) {
    let roots: Vec<JointId> = skeleton.roots().collect();
    for frame in rotations.chunks_exact_mut(skeleton.len()) {
        for root in &roots {
            frame[root.index()] = (rotation * frame[root.index()]).normalize();
        }
    }
}

/// The translations of one joint through all clips; `None` if it never leaves the first clip's offset.
fn joined_track(clips: &[&Clip], moves: &[GroundMove], joint: JointId) -> Option<TranslationTrack> {
    let skeleton = clips.first()?.skeleton();
    let is_root = skeleton.parent(joint).is_none();
    let mut positions_m = Vec::with_capacity(clips.iter().map(|clip| clip.frame_count()).sum());
    for (clip, by) in clips.iter().zip(moves) {
        let place = |position_m: DVec3| {
            if is_root && *by != GroundMove::IDENTITY { by.point_m(position_m) } else { position_m }
        };
        positions_m.extend(clip.frames().map(|frame| place(clip.translation_m(frame, joint))));
    }
    let offset_m = skeleton.joint(joint).offset_m;
    let is_tracked = clips.iter().any(|clip| clip.track(joint).is_some());
    let leaves = positions_m.iter().any(|position_m| (*position_m - offset_m).length() > SAME_OFFSET_M);
    (is_tracked || leaves).then_some(TranslationTrack { joint, positions_m })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::{self, assert_points_near};
    use crate::edit::{cut_frames, move_on_ground, scale};
    use crate::kinematics::joint_positions_m;
    use proptest::prelude::*;
    use std::sync::Arc;

    /// Walks a circle at constant speed, a stiff figure: every step is the same ground move.
    fn circling(frames: usize) -> Clip {
        let mut clip = Clip::at_rest(testing::figure(), testing::rate(30.0), frames).unwrap();
        let step = GroundMove { yaw_rad: 0.05, shift_m: DVec3::new(0.0, 0.0, 0.04) };
        let mut stance = GroundMove { yaw_rad: 3.0, shift_m: DVec3::new(2.0, 0.0, 1.0) };
        for frame in clip.clone().frames() {
            clip.set_rotation(frame, JointId::new(0), stance.rotation() * DQuat::from_rotation_x(0.2));
            clip.track_mut(JointId::new(0)).unwrap()[frame.0] = stance.shift_m + DVec3::Y * 0.9;
            stance = step.then(&stance);
        }
        clip
    }

    proptest! {
        #[test]
        fn cut_and_joined_is_the_same_clip(at in 1usize..39) {
            let clip = testing::walk(40, 30.0);
            let head = cut_frames(&clip, FrameIndex(0)..FrameIndex(at)).unwrap();
            let tail = cut_frames(&clip, FrameIndex(at)..FrameIndex(40)).unwrap();
            prop_assert_eq!(concatenate(&[&head, &tail], Join::AsIs).unwrap(), clip);
        }

        #[test]
        fn a_steady_motion_goes_on_wherever_its_rest_was_moved(
            at in 2usize..38, yaw_rad in -3.0..3.0, x in -5.0..5.0, z in -5.0..5.0,
        ) {
            let clip = circling(40);
            let head = cut_frames(&clip, FrameIndex(0)..FrameIndex(at)).unwrap();
            let tail = cut_frames(&clip, FrameIndex(at)..FrameIndex(40)).unwrap();
            let by = GroundMove { yaw_rad, shift_m: DVec3::new(x, 0.0, z) };
            let tail = move_on_ground(&tail, &by).unwrap();
            let joined = concatenate(&[&head, &tail], Join::Continue).unwrap();
            assert_points_near(&joint_positions_m(&joined), &joint_positions_m(&clip), 1e-12);
        }
    }

    #[test]
    fn a_cycle_repeated_walks_on() {
        let frames = (testing::STRIDE_SECS * 30.0).round() as usize;
        let cycle = testing::walk(frames, 30.0);
        let joined = concatenate(&[&cycle, &cycle, &cycle], Join::Continue).unwrap();
        let long = testing::walk(3 * frames, 30.0);
        // The stride is exactly 33 frames; the sideways sway makes the step at the join not quite the mean of its
        // neighbours, and the walk turns by the heading of the figure, which is constant.
        assert_points_near(&joint_positions_m(&joined), &joint_positions_m(&long), 1e-3);
    }

    #[test]
    fn empty_and_single_frame_clips_join() {
        let (none, one, some) = (testing::walk(0, 30.0), testing::walk(1, 30.0), testing::walk(5, 30.0));
        for join in [Join::AsIs, Join::Continue] {
            assert_eq!(concatenate(&[&none, &some, &none], join).unwrap(), some);
            assert_eq!(concatenate(&[&one, &one], join).unwrap().frame_count(), 2);
            assert_eq!(concatenate(&[&one, &some], join).unwrap().frame_count(), 6);
        }
        assert_eq!(concatenate(&[], Join::AsIs), Err(EditError::NoClips));
    }

    #[test]
    fn differences_are_named() {
        let clip = testing::walk(3, 30.0);
        let big = scale(&clip, 1.1).unwrap();
        let error = concatenate(&[&clip, &big], Join::AsIs).unwrap_err();
        assert!(matches!(&error, EditError::BoneDiffers { clip: 1, joint, .. } if joint == "LeftUpLeg"), "{error}");
        let fast = testing::walk(3, 60.0);
        let error = concatenate(&[&clip, &clip, &fast], Join::AsIs).unwrap_err();
        assert!(matches!(error, EditError::RateDiffers { clip: 2, .. }) && error.to_string().contains("resample"));
        let renamed = clip.skeleton().map_joints(|id, joint| {
            if id.index() == 2 {
                joint.name = "Knee".into();
            }
        });
        let renamed = Clip::at_rest(Arc::new(renamed.unwrap()), testing::rate(30.0), 1).unwrap();
        let error = concatenate(&[&clip, &renamed], Join::AsIs).unwrap_err();
        assert!(matches!(&error, EditError::JointDiffers { index: 2, found, .. } if found == "Knee"), "{error}");
        let keyed = clip.clone().with_timeline(Timeline::keyed(vec![0.0, 0.5, 2.0]).unwrap()).unwrap();
        assert_eq!(concatenate(&[&clip, &keyed], Join::AsIs), Err(EditError::NotUniform { clip: 1 }));
        // Stated frame times of one nominal rate differ in their last digits.
        let rounded = Timeline::Uniform(FrameTime::from_secs(0.033333).unwrap());
        let rounded = clip.clone().with_timeline(rounded).unwrap();
        assert!(concatenate(&[&clip, &rounded], Join::AsIs).is_ok());
    }

    #[test]
    fn a_joint_tracked_in_one_clip_only_keeps_its_offset_in_the_other() {
        let clip = testing::walk(2, 30.0);
        let spine = clip.skeleton().find("Spine").unwrap();
        let mut tracks = clip.tracks().to_vec();
        tracks.push(TranslationTrack { joint: spine, positions_m: vec![DVec3::Y; 2] });
        let stretched =
            Clip::new(clip.skeleton().clone(), clip.timeline().clone(), 2, clip.rotations().to_vec(), tracks).unwrap();
        let joined = concatenate(&[&clip, &stretched], Join::AsIs).unwrap();
        let offset_m = clip.skeleton().joint(spine).offset_m;
        assert_eq!(joined.track(spine).unwrap(), [offset_m, offset_m, DVec3::Y, DVec3::Y]);
    }
}
