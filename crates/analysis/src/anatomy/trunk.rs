//! Angles of spine, neck and head, from the pose of the clip that is nearest to all others: a head that is turned for a
//! third of the time does not move that, as it would move a mean.

use super::{AngleTrack, chest};
use crate::posed::{Pose, Posed};
use aplomb_motion::{JointId, Role, Roles, so3};
use aplomb_physics::JointMotion;
use glam::{DQuat, DVec3};

/// So many poses are compared with each other.
const COMPARED_POSES: usize = 60;

/// The trunk as a whole, the head, and every joint of spine and neck by itself.
pub(super) fn trunk(roles: &Roles, posed: &Posed, tracks: &mut Vec<AngleTrack>) {
    let (hips, chest) = (roles.joint(Role::Hips), chest(roles));
    if let Some((hips, chest)) = hips.zip(chest) {
        turn_and_bend(hips, chest, [JointMotion::TrunkTurn, JointMotion::TrunkBend], posed, tracks);
    }
    if let Some((lower, head)) = chest.or(hips).zip(roles.joint(Role::Head)) {
        turn_and_bend(lower, head, [JointMotion::HeadTurn, JointMotion::HeadBend], posed, tracks);
    }
    let chain = roles.spine_chain();
    for pair in chain.windows(2) {
        let (below, joint) = (pair[0], pair[1]);
        let motion = match roles.role(joint) {
            Some(Role::Spine(_)) => JointMotion::SpineJoint,
            Some(Role::Neck(_)) => JointMotion::NeckJoint,
            _ => continue,
        };
        let relative = |pose: Pose<'_>| pose.relative(below, joint);
        let Some(usual) = usual_turn(posed, relative) else { continue };
        let angle = |row: usize| so3::angle_between(relative(posed.row(row)), usual).to_degrees();
        tracks.push(AngleTrack { motion, joint, angles_deg: (0..posed.rows()).map(angle).collect() });
    }
}

/// Turn about the segment's axis and bend away from it, of `upper` in `lower`.
fn turn_and_bend(
    lower: JointId,
    upper: JointId,
    motions: [JointMotion; 2],
    posed: &Posed,
    tracks: &mut Vec<AngleTrack>,
) {
    let up = |row: usize| {
        let pose = posed.row(row);
        pose.bone(lower, upper).map_or(DVec3::ZERO, |bone| pose.in_joint(lower, bone))
    };
    let Some(axis) = (0..posed.rows()).map(up).sum::<DVec3>().try_normalize() else { return };
    let relative = |pose: Pose<'_>| pose.relative(lower, upper);
    let Some(usual) = usual_turn(posed, relative) else { return };
    let angles = |row: usize| {
        let split = so3::swing_twist(relative(posed.row(row)) * usual.conjugate(), axis);
        [split.twist, split.swing].map(|turn| so3::log(turn).length().to_degrees())
    };
    let rows: Vec<[f64; 2]> = (0..posed.rows()).map(angles).collect();
    for (index, motion) in motions.into_iter().enumerate() {
        tracks.push(AngleTrack { motion, joint: upper, angles_deg: rows.iter().map(|row| row[index]).collect() });
    }
}

/// Of some poses of the clip, the turn that is nearest to all others.
fn usual_turn(posed: &Posed, turn: impl Fn(Pose<'_>) -> DQuat) -> Option<DQuat> {
    let step = posed.rows().div_ceil(COMPARED_POSES).max(1);
    let turns: Vec<DQuat> = (0..posed.rows()).step_by(step).map(|row| turn(posed.row(row))).collect();
    let from_all = |turn: &DQuat| turns.iter().map(|other| so3::angle_between(*turn, *other)).sum::<f64>();
    let sums = turns.iter().map(|turn| (turn, from_all(turn)));
    sums.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(turn, _)| *turn)
}
