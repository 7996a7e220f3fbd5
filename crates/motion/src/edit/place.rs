//! Where a motion stands in the world: turn it, shift it, put its start over the origin.

use super::align::{GroundMove, on_ground};
use super::error::EditError;
use crate::clip::Clip;
use crate::ids::{FrameIndex, JointId};
use crate::kinematics::WorldPose;
use crate::skeleton::Skeleton;
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Turns the whole motion about the world's vertical axis through the origin; positive takes +Z towards +X.
pub fn turn_about_up(clip: &Clip, yaw_rad: f64) -> Result<Clip, EditError> {
    move_on_ground(clip, &GroundMove { yaw_rad, shift_m: DVec3::ZERO })
}

/// Shifts the whole motion, up and down too.
pub fn translate(clip: &Clip, shift_m: DVec3) -> Result<Clip, EditError> {
    move_roots(clip, DQuat::IDENTITY, shift_m)
}

/// Turns about the vertical, then shifts in the ground plane.
pub fn move_on_ground(clip: &Clip, by: &GroundMove) -> Result<Clip, EditError> {
    if !by.yaw_rad.is_finite() {
        return Err(EditError::Move { what: "angle", found: by.yaw_rad.to_string() });
    }
    let rotation = if by.yaw_rad == 0.0 { DQuat::IDENTITY } else { by.rotation() };
    move_roots(clip, rotation, by.shift_m)
}

/// What becomes of the direction the figure faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Facing {
    /// It stays.
    Keep,
    /// The first frame faces +Z. The facing is the horizontal direction at right angles to the line from the `right` to
    /// the `left` joint (hips, or shoulders), ahead of the body.
    PlusZ {
        /// A joint of the left side.
        left: JointId,
        /// Its partner on the right.
        right: JointId,
    },
}

/// Moves the motion so that in its first frame the [`body_joint`] is over the origin (heights stay), turned as `facing`
/// says.
///
/// A clip without frames is given back as it is. If the line between the two facing joints is vertical, nothing is
/// turned.
pub fn place_at_origin(clip: &Clip, facing: Facing) -> Result<Clip, EditError> {
    if clip.frame_count() == 0 {
        return Ok(clip.clone());
    }
    let yaw_rad = match facing {
        Facing::Keep => 0.0,
        Facing::PlusZ { left, right } => -facing_yaw_rad(clip, FrameIndex(0), left, right)?.unwrap_or(0.0),
    };
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    pose.pose(clip, FrameIndex(0));
    let body_m = pose.joint_in_world_m[body_joint(clip.skeleton()).index()];
    move_on_ground(clip, &GroundMove::turning_onto(yaw_rad, body_m, DVec3::ZERO))
}

/// The yaw of the direction the figure faces, 0 for +Z; see [`Facing::PlusZ`]. `None` if the two joints are above each
/// other.
pub fn facing_yaw_rad(clip: &Clip, frame: FrameIndex, left: JointId, right: JointId) -> Result<Option<f64>, EditError> {
    let joints = clip.skeleton().len();
    if let Some(stray) = [left, right].into_iter().find(|joint| joint.index() >= joints) {
        return Err(EditError::UnknownJoint { joint: stray.index(), joints });
    }
    if frame.0 >= clip.frame_count() {
        return Err(EditError::FrameRange { start: frame.0, end: frame.0 + 1, frames: clip.frame_count() });
    }
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    pose.pose(clip, frame);
    let leftward = on_ground(pose.joint_in_world_m[left.index()] - pose.joint_in_world_m[right.index()]);
    // With Y up and +Z ahead, left is +X, and ahead = left × up.
    let ahead = leftward.cross(DVec3::Y);
    // Below a tenth of a millimetre the direction is rounding of the file's digits.
    Ok((ahead.length() > 1e-4).then(|| ahead.x.atan2(ahead.z)))
}

/// The joint that carries the body: from the first root down through scene roots (joints with a single child) to the
/// first joint that branches, the pelvis of a figure. In a skeleton without branches, the root itself.
pub fn body_joint(skeleton: &Skeleton) -> JointId {
    let root = JointId::new(0);
    let mut joint = root;
    loop {
        match skeleton.children(joint) {
            [] => return root,
            [only] => joint = *only,
            _ => return joint,
        }
    }
}

/// World' = rotation · world + shift: only roots touch the world, so only they change.
///
/// A root without a track stands at its offset in every frame; then the skeleton's offset moves, and no track is
/// invented.
fn move_roots(clip: &Clip, rotation: DQuat, shift_m: DVec3) -> Result<Clip, EditError> {
    if !shift_m.is_finite() {
        return Err(EditError::Move { what: "shift", found: shift_m.to_string() });
    }
    let mut moved = with_root_offsets(clip, |_, offset_m| rotation * offset_m + shift_m)?;
    let roots: Vec<JointId> = clip.skeleton().roots().collect();
    for &root in &roots {
        if let Some(track) = moved.track_mut(root) {
            track.iter_mut().for_each(|position_m| *position_m = rotation * *position_m + shift_m);
        }
    }
    if rotation != DQuat::IDENTITY {
        for frame in clip.frames() {
            let rotations = moved.rotations_at_mut(frame);
            for root in &roots {
                rotations[root.index()] = (rotation * rotations[root.index()]).normalize();
            }
        }
    }
    Ok(moved)
}

/// A copy whose roots without a track stand at `place(root, offset)`; the skeleton is shared if none moves.
pub(super) fn with_root_offsets(clip: &Clip, place: impl Fn(JointId, DVec3) -> DVec3) -> Result<Clip, EditError> {
    let skeleton = clip.skeleton();
    let moves = |joint: JointId| {
        let nailed = skeleton.parent(joint).is_none() && clip.track(joint).is_none();
        let offset_m = skeleton.joint(joint).offset_m;
        let placed_m = place(joint, offset_m);
        (nailed && placed_m != offset_m).then_some(placed_m)
    };
    if skeleton.ids().all(|joint| moves(joint).is_none()) {
        return Ok(clip.clone());
    }
    let skeleton = skeleton.map_joints(|id, joint| joint.offset_m = moves(id).unwrap_or(joint.offset_m))?;
    with_skeleton(clip, skeleton)
}

/// The same rotations, tracks and times on another skeleton of as many joints.
pub(super) fn with_skeleton(clip: &Clip, skeleton: Skeleton) -> Result<Clip, EditError> {
    let (rotations, tracks) = (clip.rotations().to_vec(), clip.tracks().to_vec());
    Ok(Clip::new(Arc::new(skeleton), clip.timeline().clone(), clip.frame_count(), rotations, tracks)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::{self, assert_points_near};
    use crate::kinematics::joint_positions_m;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn turning_and_shifting_move_every_joint_rigidly() {
        let clip = testing::walk(30, 30.0);
        let turned = turn_about_up(&clip, 0.7).unwrap();
        let turn = DQuat::from_rotation_y(0.7);
        let expected: Vec<DVec3> = joint_positions_m(&clip).iter().map(|&p| turn * p).collect();
        assert_points_near(&joint_positions_m(&turned), &expected, 1e-13);
        let shift_m = DVec3::new(1.0, -0.5, 2.0);
        let shifted = translate(&clip, shift_m).unwrap();
        let expected: Vec<DVec3> = joint_positions_m(&clip).iter().map(|&p| p + shift_m).collect();
        assert_points_near(&joint_positions_m(&shifted), &expected, 1e-14);
        assert_eq!(translate(&clip, DVec3::ZERO).unwrap(), clip);
        assert_eq!(turn_about_up(&clip, 0.0).unwrap(), clip);
    }

    #[test]
    fn a_nailed_root_moves_by_its_offset() {
        let travelling = testing::walk(3, 30.0);
        let nailed = Clip::new(
            travelling.skeleton().clone(),
            travelling.timeline().clone(),
            3,
            travelling.rotations().to_vec(),
            vec![],
        )
        .unwrap();
        let shift_m = DVec3::new(1.0, 0.0, 2.0);
        let moved = translate(&nailed, shift_m).unwrap();
        assert!(!moved.root_travels());
        let expected: Vec<DVec3> = joint_positions_m(&nailed).iter().map(|&p| p + shift_m).collect();
        assert_points_near(&joint_positions_m(&moved), &expected, 1e-14);
    }

    #[test]
    fn the_start_is_placed_over_the_origin_facing_ahead() {
        let clip =
            translate(&turn_about_up(&testing::walk(20, 30.0), 2.1).unwrap(), DVec3::new(3.0, 0.0, -4.0)).unwrap();
        let (left, right) = (clip.skeleton().find("LeftUpLeg").unwrap(), clip.skeleton().find("RightUpLeg").unwrap());
        let placed = place_at_origin(&clip, Facing::PlusZ { left, right }).unwrap();
        let mut pose = WorldPose::default();
        pose.pose(&placed, FrameIndex(0));
        let body_m = pose.joint_in_world_m[body_joint(placed.skeleton()).index()];
        assert!(on_ground(body_m).length() < 1e-14);
        assert!(facing_yaw_rad(&placed, FrameIndex(0), left, right).unwrap().unwrap().abs() < 1e-14);
        let kept = place_at_origin(&clip, Facing::Keep).unwrap();
        assert_eq!(kept.rotations(), clip.rotations());
        let empty = testing::walk(0, 30.0);
        assert_eq!(place_at_origin(&empty, Facing::Keep).unwrap(), empty);
    }

    #[test]
    fn facing_is_measured_from_plus_z_towards_plus_x() {
        let clip =
            turn_about_up(&Clip::at_rest(testing::figure(), testing::rate(30.0), 1).unwrap(), FRAC_PI_2).unwrap();
        let (left, right) = (clip.skeleton().find("LeftUpLeg").unwrap(), clip.skeleton().find("RightUpLeg").unwrap());
        let yaw_rad = facing_yaw_rad(&clip, FrameIndex(0), left, right).unwrap().unwrap();
        assert!((yaw_rad - FRAC_PI_2).abs() < 1e-14);
        assert_eq!(facing_yaw_rad(&clip, FrameIndex(0), left, left).unwrap(), None);
        let stray = JointId::new(99);
        assert!(matches!(facing_yaw_rad(&clip, FrameIndex(0), left, stray), Err(EditError::UnknownJoint { .. })));
        assert!(matches!(facing_yaw_rad(&clip, FrameIndex(1), left, right), Err(EditError::FrameRange { .. })));
    }

    #[test]
    fn moves_that_are_not_finite_are_refused() {
        let clip = testing::walk(2, 30.0);
        assert!(matches!(turn_about_up(&clip, f64::NAN), Err(EditError::Move { .. })));
        assert!(matches!(translate(&clip, DVec3::INFINITY), Err(EditError::Move { .. })));
    }
}
