//! Where links are, frame by frame, as numbers for the page.

use crate::packet::Packet;
use aplomb_motion::{Clip, FrameIndex, JointId, Roles, WorldPose};
use aplomb_pages::Figure;
use aplomb_physics::Body;

/// Numbers a link and frame: position and quaternion.
const NUMBERS: usize = 7;

/// Which links are drawn, and how: that of a result is that of its original unless an edit gave it another body.
pub fn figure(clip: &Clip, roles: &Roles, body: Option<&Body>) -> Figure {
    let skeleton = clip.skeleton();
    match body {
        Some(body) => Figure::of(skeleton, roles, body),
        None => Figure::sticks(skeleton),
    }
}

/// Where links are: `t`, and `poses` with seven numbers a link and frame.
pub fn poses(packet: &mut Packet, clip: &Clip, joints: &[JointId], times_secs: Vec<f64>) {
    packet.reserve(clip.frame_count() * (1 + NUMBERS * joints.len()));
    packet.array("t", times_secs);
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut numbers = Vec::with_capacity(clip.frame_count() * NUMBERS * joints.len());
    for frame in clip.frames() {
        pose_numbers(&mut pose, clip, frame, joints, &mut numbers);
    }
    packet.array("poses", numbers);
}

pub(crate) fn pose_numbers(
    pose: &mut WorldPose,
    clip: &Clip,
    frame: FrameIndex,
    joints: &[JointId],
    numbers: &mut Vec<f64>,
) {
    pose.pose(clip, frame);
    for joint in joints {
        let (place, turn) = (pose.joint_in_world_m[joint.index()], pose.world_from_joint[joint.index()]);
        numbers.extend_from_slice(&[place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w]);
    }
}
