//! Angles of joints as anatomy has them, on any skeleton the roles know: whatever its rest pose and its axes.
//!
//! Nothing is read from a file's zero pose. Knees and elbows are hinges whose axis the clip's own bends share; the
//! pelvis knows left (from hip to hip), up (to the neck) and ahead; trunk, neck and head are measured from the pose of
//! the clip that is nearest to all others. `docs/analysis/anatomy.md` has the equations.

mod hinge;
mod limbs;
mod trunk;

pub(crate) use limbs::FootAhead;

use crate::posed::Posed;
use aplomb_motion::{BodyPlan, JointId, Role, Roles, Side};
use aplomb_physics::{Body, JointMotion};
use glam::DVec3;

/// Shorter than this is a jump and no pose, s.
pub(crate) const SUSTAINED_SECS: f64 = 0.05;

/// How far one joint goes one way, frame by frame.
#[derive(Debug)]
pub(crate) struct AngleTrack {
    pub motion: JointMotion,
    /// The joint that is to blame.
    pub joint: JointId,
    /// One a row; NaN where the pose does not say.
    pub angles_deg: Vec<f64>,
}

/// All angles that the skeleton shows; none of bodies that do not stand on two legs.
pub(crate) fn joint_angles(roles: &Roles, body: &Body, posed: &Posed) -> Vec<AngleTrack> {
    let mut tracks = Vec::new();
    if roles.plan() != BodyPlan::Biped || posed.rows() == 0 {
        return tracks;
    }
    let pelvis = PelvisAxes::of(roles, posed);
    for side in Side::BOTH {
        limbs::leg(roles, body, side, posed, pelvis.as_ref(), &mut tracks);
        limbs::arm(roles, side, posed, &mut tracks);
    }
    trunk::trunk(roles, posed, &mut tracks);
    tracks
}

/// The value that an angle reaches for so many rows in total, and the row where it is largest; rows that do not say
/// count for nothing. Only values above `least` are of interest.
pub(crate) fn sustained(angles: &[f64], rows: usize, least: f64) -> Option<(f64, usize)> {
    let mut above: Vec<f64> = angles.iter().copied().filter(|angle| *angle > least).collect();
    let rank = rows.max(1) - 1;
    if above.len() <= rank {
        return None;
    }
    let (_, value, _) = above.select_nth_unstable_by(rank, |a, b| b.total_cmp(a));
    let value = *value;
    let known = angles.iter().enumerate().filter(|(_, angle)| !angle.is_nan());
    let (row, _) = known.max_by(|a, b| a.1.total_cmp(b.1))?;
    Some((value, row))
}

/// How many rows make [`SUSTAINED_SECS`].
pub(crate) fn sustained_rows(hz: f64) -> usize {
    ((SUSTAINED_SECS * hz).round() as usize).max(1)
}

/// The pelvis's own axes in the hips' frame: left from hip to hip, up from the mean direction of the trunk.
pub(crate) struct PelvisAxes {
    pub hips: JointId,
    /// Left, up, ahead.
    pub axes_in_hips: [DVec3; 3],
}

impl PelvisAxes {
    pub fn of(roles: &Roles, posed: &Posed) -> Option<Self> {
        let hips = roles.joint(Role::Hips)?;
        let top = roles.joint(Role::Neck(0)).or_else(|| roles.joint(Role::Head)).or_else(|| chest(roles))?;
        let (left, right) = (roles.joint(Role::Thigh(Side::Left))?, roles.joint(Role::Thigh(Side::Right))?);
        let (mut leftward, mut upward) = (DVec3::ZERO, DVec3::ZERO);
        for row in 0..posed.rows() {
            let pose = posed.row(row);
            let middle_m = pose.joints_m[left.index()].midpoint(pose.joints_m[right.index()]);
            leftward += pose.in_joint(hips, pose.joints_m[left.index()] - pose.joints_m[right.index()]);
            upward += pose.in_joint(hips, (pose.joints_m[top.index()] - middle_m).normalize_or_zero());
        }
        let left = leftward.try_normalize()?;
        let up = upward.reject_from_normalized(left).try_normalize()?;
        Some(Self { hips, axes_in_hips: [left, up, left.cross(up)] })
    }

    /// Mean of the pelvis's left in a joint's frame.
    pub fn left_in(&self, joint: JointId, posed: &Posed) -> Option<DVec3> {
        let left = |row: usize| {
            let pose = posed.row(row);
            pose.in_joint(joint, pose.world_from_joint[self.hips.index()] * self.axes_in_hips[0])
        };
        (0..posed.rows()).map(left).sum::<DVec3>().try_normalize()
    }
}

/// The highest joint of the spine.
pub(crate) fn chest(roles: &Roles) -> Option<JointId> {
    (0..u16::MAX).map_while(|number| roles.joint(Role::Spine(number))).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_is_an_order_statistic_and_gaps_say_nothing() {
        let angles = [1.0, f64::NAN, 9.0, 3.0, 7.0, f64::NAN, 5.0];
        assert_eq!(sustained(&angles, 1, 0.0), Some((9.0, 2)));
        assert_eq!(sustained(&angles, 3, 0.0), Some((5.0, 2)));
        assert_eq!(sustained(&angles, 3, 6.0), None, "only two are above 6");
        assert_eq!(sustained(&[f64::NAN], 1, 0.0), None);
        assert_eq!((sustained_rows(120.0), sustained_rows(30.0), sustained_rows(10.0)), (6, 2, 1));
    }
}
