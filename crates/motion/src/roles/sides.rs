//! Left and right from geometry, by the hinges of the legs alone.
//!
//! A knee only folds backwards and a foot only points forwards of its shank, whatever the rest of the body does. Both
//! give the body's left as a cross product: thigh × shank when the knee is bent, shank (upwards) × foot always. This
//! needs no up axis and no trunk, and holds bent double, upside down, walking backwards, and on the hind legs of
//! animals.

use super::geometry::Poses;
use crate::ids::JointId;
use glam::DVec3;

/// One leg.
#[derive(Clone, Copy)]
pub(super) struct LegJoints {
    pub thigh: JointId,
    pub shank: JointId,
    pub foot: JointId,
    pub toe: Option<JointId>,
}

/// How surely the first leg is the left one: +1 in every pose, 0 cannot tell, −1 the right one in every pose.
pub(super) fn first_is_left(legs: [LegJoints; 2], poses: &Poses) -> f64 {
    let (mut signed, mut total) = (0.0, 0.0);
    for pose in 0..poses.len() {
        let thighs = legs.map(|leg| poses.positions_m[pose][leg.thigh.index()]);
        let across = (thighs[0] - thighs[1]).normalize_or_zero();
        let evidence = legs.map(|leg| across.dot(left_of(leg, poses, pose))).iter().sum::<f64>();
        signed += evidence;
        total += evidence.abs();
    }
    if total > 0.0 { signed / total } else { 0.0 }
}

/// Points to the body's left; its length says how much the leg shows of it, relative to the square of its length.
fn left_of(leg: LegJoints, poses: &Poses, pose: usize) -> DVec3 {
    let at = |joint: JointId| poses.positions_m[pose][joint.index()];
    let (thigh, shank) = (at(leg.shank) - at(leg.thigh), at(leg.foot) - at(leg.shank));
    let leg_m = thigh.length() + shank.length();
    if leg_m <= 0.0 {
        return DVec3::ZERO;
    }
    let tip = leg.toe.map(at).or_else(|| poses.end_in_pose_m(pose, leg.foot)).unwrap_or(at(leg.foot));
    // An end site can be junk metres away; a foot is never longer than half the leg.
    let foot = (tip - at(leg.foot)).clamp_length_max(0.5 * leg_m);
    // Twice the foot: a few degrees of a straight knee bending the wrong way (rig, noise) must not outweigh it.
    (thigh.cross(shank) + 2.0 * (-shank).cross(foot)) / (leg_m * leg_m)
}
