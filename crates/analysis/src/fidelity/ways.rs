//! Ways of pelvis, head, hands and feet, frame by frame.

use super::{BodyPart, Fidelity, PartMoved, sustained, sustained_rows};
use crate::posed::{Pose, Posed};
use crate::take::Take;
use aplomb_motion::{FrameIndex, JointId};
use glam::DVec3;

pub(super) fn compare(before: &Take, posed: &[Posed; 2], hz: f64, skipped: usize, fidelity: &mut Fidelity) {
    let roles = before.roles();
    let hips = BodyPart::Pelvis.joint(roles);
    for part in BodyPart::ALL {
        let Some(joint) = part.joint(roles) else { continue };
        let place_m = |pose: Pose<'_>| match (part, hips) {
            (BodyPart::Head | BodyPart::LeftHand | BodyPart::RightHand, Some(hips)) => in_pelvis_m(pose, hips, joint),
            _ => pose.joints_m[joint.index()],
        };
        let ways_m: Vec<f64> =
            (0..posed[0].rows()).map(|row| place_m(posed[0].row(row)).distance(place_m(posed[1].row(row)))).collect();
        let (held_m, row) = sustained(&ways_m, sustained_rows(hz), 0.0).unwrap_or((0.0, 0));
        let at_secs = before.clip().time_secs(FrameIndex(row + skipped));
        fidelity.moved.push(PartMoved { part, held_m, at_secs });
    }
    if let Some(hips) = hips {
        let up = before.ground().normal();
        let height_m =
            |row: usize| (posed[0].row(row).joints_m[hips.index()] - posed[1].row(row).joints_m[hips.index()]).dot(up);
        fidelity.lowered_m = Some((0..posed[0].rows()).map(height_m).sum::<f64>() / posed[0].rows() as f64);
    }
}

/// Where a joint is against the pelvis: a body that leans as a whole moves its hands by nothing.
fn in_pelvis_m(pose: Pose<'_>, hips: JointId, joint: JointId) -> DVec3 {
    pose.in_joint(hips, pose.joints_m[joint.index()] - pose.joints_m[hips.index()])
}
