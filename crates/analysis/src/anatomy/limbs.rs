//! Angles of legs and arms.

use super::hinge::{Bend, Hinge, bends};
use super::{AngleTrack, PelvisAxes};
use crate::posed::{Pose, Posed};
use aplomb_motion::{JointId, Role, Roles, Side};
use aplomb_physics::{Body, JointMotion, Shape};
use glam::DVec3;

/// Knees whose bends hardly ever go beyond this do not tell their axis: the 90 % point, degrees.
const LEAST_TELLING_BEND_DEG: f64 = 15.0;

/// A shared axis farther than this from the pelvis's left is no knee's, cosine of 60°.
const LEAST_AXIS_ALONG_LEFT: f64 = 0.5;

/// A foot within 45° of the shank's line does not say how it is turned about it; toes pointed a little past straight
/// point backward by the letter, but look right. Sine of the angle.
const LEAST_FOOT_ACROSS: f64 = 0.7;

/// A leg spread to the side has no flexion: the part of its direction to the left or right.
const MOST_SPREAD: f64 = 0.8;

/// Hip, knee and ankle of one side.
pub(super) fn leg(
    roles: &Roles,
    body: &Body,
    side: Side,
    posed: &Posed,
    pelvis: Option<&PelvisAxes>,
    tracks: &mut Vec<AngleTrack>,
) {
    let joint = |role: fn(Side) -> Role| roles.joint(role(side));
    let (Some(thigh), Some(shank)) = (joint(Role::Thigh), joint(Role::Shank)) else { return };
    if let Some(pelvis) = pelvis {
        hip(pelvis, side, thigh, shank, posed, tracks);
    }
    let Some(foot) = joint(Role::Foot) else { return };
    let bends = bends(posed, thigh, shank, foot);
    let mut add = |motion, joint, angles_deg| tracks.push(AngleTrack { motion, joint, angles_deg });
    add(JointMotion::KneeFold, shank, each(&bends, Bend::angle_deg));
    let ahead = FootAhead { foot, toe: joint(Role::Toe), in_foot: sole_ahead(body, foot) };
    add(JointMotion::FootFold, foot, ahead.folds_deg(shank, posed));
    let Some(axis) = knee_axis(pelvis, thigh, &bends, posed) else { return };
    add(JointMotion::KneeBackward, shank, each(&bends, |bend| -bend.about_deg(axis)));
    add(JointMotion::KneeSideways, shank, each(&bends, |bend| bend.off_deg(axis)));
    add(JointMotion::FootTurn, foot, ahead.turns_deg(thigh, shank, axis, posed));
}

/// The knee's hinge in the thigh, from right to left: the axis that bends share. Its sign is the pelvis's: a clip that
/// is bent backward most of the time must not turn it. Where bends do not tell, the pelvis's left itself.
fn knee_axis(pelvis: Option<&PelvisAxes>, thigh: JointId, bends: &[Option<Bend>], posed: &Posed) -> Option<DVec3> {
    let left = pelvis?.left_in(thigh, posed)?;
    let mut angles_deg: Vec<f64> = bends.iter().flatten().map(|bend| bend.angle_deg()).collect();
    let rank = angles_deg.len() * 9 / 10;
    let telling = rank < angles_deg.len() && {
        let (_, bend_deg, _) = angles_deg.select_nth_unstable_by(rank, f64::total_cmp);
        *bend_deg > LEAST_TELLING_BEND_DEG
    };
    let hinge = Hinge::of(bends).filter(|_| telling).map(|hinge| hinge.axis * hinge.axis.dot(left).signum());
    Some(hinge.filter(|axis| axis.dot(left) > LEAST_AXIS_ALONG_LEFT).unwrap_or(left))
}

/// Where the thigh points in the pelvis.
fn hip(pelvis: &PelvisAxes, side: Side, thigh: JointId, shank: JointId, posed: &Posed, tracks: &mut Vec<AngleTrack>) {
    let outward = match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    };
    let angles = |row: usize| {
        let pose = posed.row(row);
        let Some(bone) = pose.bone(thigh, shank) else { return [f64::NAN; 4] };
        let in_hips = pose.in_joint(pelvis.hips, bone);
        let [left, up, ahead] = pelvis.axes_in_hips.map(|axis| in_hips.dot(axis));
        let flexion_deg = if left.abs() < MOST_SPREAD { ahead.atan2(-up).to_degrees() } else { f64::NAN };
        let out_deg = (outward * left).clamp(-1.0, 1.0).asin().to_degrees();
        [-flexion_deg, flexion_deg, out_deg, -out_deg]
    };
    let rows: Vec<[f64; 4]> = (0..posed.rows()).map(angles).collect();
    let motions = [JointMotion::HipBackward, JointMotion::HipForward, JointMotion::HipOutward, JointMotion::HipInward];
    for (index, motion) in motions.into_iter().enumerate() {
        tracks.push(AngleTrack { motion, joint: thigh, angles_deg: rows.iter().map(|row| row[index]).collect() });
    }
}

/// The elbow of one side: a hinge of the upper arm that bends the way it does in most frames. Where bends have no
/// common axis (rolls kept in other bones), nothing is said of its way.
pub(super) fn arm(roles: &Roles, side: Side, posed: &Posed, tracks: &mut Vec<AngleTrack>) {
    let joint = |role: fn(Side) -> Role| roles.joint(role(side));
    let (Some(upper), Some(fore), Some(hand)) = (joint(Role::UpperArm), joint(Role::Forearm), joint(Role::Hand)) else {
        return;
    };
    let bends = bends(posed, upper, fore, hand);
    let mut add = |motion, angles_deg| tracks.push(AngleTrack { motion, joint: fore, angles_deg });
    add(JointMotion::ElbowFold, each(&bends, Bend::angle_deg));
    if let Some(hinge) = Hinge::of(&bends).filter(|hinge| hinge.votes != 0) {
        let axis = hinge.axis * f64::from(hinge.votes.signum());
        add(JointMotion::ElbowBackward, each(&bends, |bend| -bend.about_deg(axis)));
    }
}

fn each(bends: &[Option<Bend>], angle_deg: impl Fn(Bend) -> f64) -> Vec<f64> {
    bends.iter().map(|bend| bend.map_or(f64::NAN, &angle_deg)).collect()
}

/// Forward of a foot's box: the body lays it with z ahead.
fn sole_ahead(body: &Body, foot: JointId) -> Option<DVec3> {
    body.link(foot)?.shapes.iter().find_map(|shape| match shape {
        Shape::Box { rotation, .. } => Some(*rotation * DVec3::Z),
        _ => None,
    })
}

/// Where a foot points.
pub(crate) struct FootAhead {
    foot: JointId,
    toe: Option<JointId>,
    in_foot: Option<DVec3>,
}

impl FootAhead {
    /// Of one side's foot.
    pub fn of(roles: &Roles, body: &Body, side: Side) -> Option<Self> {
        let foot = roles.joint(Role::Foot(side))?;
        Some(Self { foot, toe: roles.joint(Role::Toe(side)), in_foot: sole_ahead(body, foot) })
    }

    /// The ankle.
    pub fn joint(&self) -> JointId {
        self.foot
    }

    /// Unit vector from the ankle to the toes.
    pub fn in_world(&self, pose: Pose<'_>) -> Option<DVec3> {
        let by_box = || self.in_foot.map(|ahead| pose.world_from_joint[self.foot.index()] * ahead);
        self.toe.and_then(|toe| pose.bone(self.foot, toe)).or_else(|| by_box().and_then(DVec3::try_normalize))
    }

    fn folds_deg(&self, shank: JointId, posed: &Posed) -> Vec<f64> {
        let fold = |row: usize| {
            let pose = posed.row(row);
            let (down, foot) = (pose.bone(shank, self.foot)?, self.in_world(pose)?);
            Some(foot.angle_between(down).to_degrees())
        };
        (0..posed.rows()).map(|row| fold(row).unwrap_or(f64::NAN)).collect()
    }

    /// About the shank, from where the knee's hinge says that ahead is.
    fn turns_deg(&self, thigh: JointId, shank: JointId, axis_in_thigh: DVec3, posed: &Posed) -> Vec<f64> {
        let turn = |row: usize| {
            let pose = posed.row(row);
            let (down, foot) = (pose.bone(shank, self.foot)?, self.in_world(pose)?);
            let left = (pose.world_from_joint[thigh.index()] * axis_in_thigh).reject_from_normalized(down);
            let left = left.try_normalize()?;
            let ahead = left.cross(-down);
            let across = foot.reject_from_normalized(down).length();
            (across > LEAST_FOOT_ACROSS).then(|| foot.dot(left).atan2(foot.dot(ahead)).abs().to_degrees())
        };
        (0..posed.rows()).map(|row| turn(row).unwrap_or(f64::NAN)).collect()
    }
}
