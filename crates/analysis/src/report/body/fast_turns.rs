//! Forearms that turn about themselves faster than people can.
//!
//! A forearm that is turned by 120° lies within what clean captures reach, so its range says nothing; a tracker that
//! takes a palm for the back of the hand, and back again, turns it there faster than muscles do. Fast swings turn the
//! forearm along, so the hand's own speed is granted. What skeletons keep in the elbow and what in the shoulder does
//! not matter: the hand is looked at against the chest, beyond what carries the forearm from one direction to the next.

use crate::anatomy::{chest, sustained, sustained_rows};
use crate::posed::{Pose, Posed};
use crate::report::evidence::Evidence;
use crate::report::moments::{Fault, Moment};
use aplomb_motion::{BodyPlan, JointId, Role, Side, so3};
use glam::DQuat;

/// Granted for each m/s of the hand against the shoulder, °/s.
const GRANTED_DEG_PER_M: f64 = 200.0;

/// One moment a forearm.
pub(super) fn find(evidence: &Evidence<'_>, posed: &Posed, hz: f64, moments: &mut Vec<Moment>) {
    let roles = evidence.roles;
    let Some(chest) = chest(roles).or_else(|| roles.joint(Role::Hips)).filter(|_| roles.plan() == BodyPlan::Biped)
    else {
        return;
    };
    let limit = evidence.options.body_limits.forearm_deg_per_sec;
    for side in Side::BOTH {
        let arm = [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)].map(|role| roles.joint(role));
        let [Some(upper), Some(fore), Some(hand)] = arm else { continue };
        let arm = Arm { chest, upper, fore, hand };
        let speed = |row: usize| arm.turn_deg_per_sec(posed.row(row - 1), posed.row(row), hz).unwrap_or(f64::NAN);
        let speeds: Vec<f64> = std::iter::once(f64::NAN).chain((1..posed.rows()).map(speed)).collect();
        let Some((size, row)) = sustained(&speeds, sustained_rows(hz), limit.allowance) else { continue };
        let secs = evidence.times_secs.get(row).copied().unwrap_or(0.0);
        moments.push(Moment {
            fault: Fault::TurnsTooFast,
            joint: Some(evidence.clip.skeleton().joint(fore).name.clone()),
            other: None,
            start_secs: secs,
            end_secs: secs,
            secs,
            size,
            allowance: limit.allowance,
            cost: limit.cost(size),
        });
    }
}

struct Arm {
    chest: JointId,
    upper: JointId,
    fore: JointId,
    hand: JointId,
}

impl Arm {
    /// How fast the hand turns about the forearm from one frame to the next, less what its own speed grants.
    fn turn_deg_per_sec(&self, before: Pose<'_>, now: Pose<'_>, hz: f64) -> Option<f64> {
        let bone = |pose: Pose<'_>| Some(pose.in_joint(self.chest, pose.bone(self.fore, self.hand)?));
        let (from, to) = (bone(before)?, bone(now)?);
        let carried = DQuat::from_rotation_arc(from, to);
        let turned = |pose: Pose<'_>| pose.relative(self.chest, self.hand);
        let step = turned(now) * turned(before).conjugate() * carried.conjugate();
        let step = if step.w < 0.0 { -step } else { step };
        let place_m = |pose: Pose<'_>| {
            let arm_m = pose.joints_m[self.hand.index()] - pose.joints_m[self.upper.index()];
            pose.in_joint(self.chest, arm_m)
        };
        let hand_m_per_sec = (place_m(now) - place_m(before)).length() * hz;
        Some((so3::log(step).dot(to) * hz).abs().to_degrees() - GRANTED_DEG_PER_M * hand_m_per_sec)
    }
}
