//! Inverse kinematic offsets: at a moment the hand is at a point, and the arm's joints are eased there and back.
//!
//! Zordan & Hodgins 1999, section 5.1: shoulder, elbow and wrist are turned so that the hand is where it should be and
//! keeps its orientation, by a quasi-Newton search over a weighted sum; before and after, the turns grow and fade by
//! slerp. [`crate::limb_ik`], which plants feet, has no say in this: it bends one hinge and turns the limb about its
//! root, so that it cannot share a turn between three joints by weights.

mod search;

use crate::EditingError;
use crate::span::smoothstep;
use aplomb_motion::edit::{LocalPose, sample_at};
use aplomb_motion::{Clip, JointId, LimbKind, Roles, Side, Skeleton, WorldPose, so3};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Which point of a hand goes there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HandPoint {
    /// Half way from the wrist to the end of the hand.
    #[default]
    Palm,
    /// The joint itself.
    Wrist,
}

/// A hand, a moment and a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandGoal {
    /// Which hand.
    pub hand: Side,
    /// When.
    pub at_secs: f64,
    /// Where, m.
    pub to_m: DVec3,
    /// The arm leaves its motion so long before, and is back in it so long after.
    #[serde(default = "usual_window")]
    pub window_secs: f64,
    /// What of the hand.
    #[serde(default)]
    pub point: HandPoint,
}

/// What held patty cake together in tracked captures at full speed.
fn usual_window() -> f64 {
    HandGoal::USUAL_WINDOW_SECS
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reached {
    /// Which hand.
    pub hand: Side,
    /// When.
    pub at_secs: f64,
    /// How far the hand was from there, m.
    pub before_m: f64,
    /// How far it is, m.
    pub error_m: f64,
    /// How much its orientation changed, degrees.
    pub turned_deg: f64,
    /// Distance of the goal from the shoulder over the length of the arm.
    pub reach_share: f64,
    /// Steps of the search.
    pub iterations: u64,
}

/// Beyond this share of the arm a hand cannot keep its orientation: the elbow has too little left to bend.
pub const EASY_REACH: f64 = 0.85;

impl HandGoal {
    /// Seconds before and after.
    pub const USUAL_WINDOW_SECS: f64 = 0.35;

    fn check(&self, clip: &Clip) -> Result<(), EditingError> {
        let setting = |what, expected, found| Err(EditingError::Setting { what, expected, found });
        if !(0.0..=clip.duration_secs()).contains(&self.at_secs) {
            return setting("the time of a reach", "within the clip", self.at_secs);
        }
        if !(1e-3..=1e3).contains(&self.window_secs) {
            return setting("the window of a reach", "from 0.001 to 1000 s", self.window_secs);
        }
        if !(self.to_m.is_finite() && self.to_m.length() < 1e4) {
            return setting("the place of a reach", "finite metres", self.to_m.length());
        }
        Ok(())
    }

    /// The clip with the hand there; the original is not changed.
    pub fn apply(&self, clip: &Clip, roles: &Roles) -> Result<(Clip, Reached), EditingError> {
        self.check(clip)?;
        let arm = Arm::of(clip.skeleton(), roles, self.hand, self.point)?;
        let mut local = LocalPose::for_skeleton(clip.skeleton());
        let start_secs = clip.time_secs(aplomb_motion::FrameIndex(0));
        sample_at(clip, start_secs + self.at_secs, &mut local);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        pose.pose_local(clip.skeleton(), &local);
        let found = search::solve(&arm, &local, &pose, self.to_m)?;
        let mut out = clip.clone();
        for frame in clip.frames() {
            let away = (clip.time_secs(frame) - start_secs - self.at_secs).abs() / self.window_secs;
            let share = smoothstep(1.0 - away);
            if share > 0.0 {
                for (joint, turn) in arm.joints.into_iter().zip(found.turns) {
                    let eased = clip.rotation(frame, joint) * so3::exp(turn * share);
                    out.set_rotation(frame, joint, eased.normalize());
                }
            }
        }
        let shoulder_m = pose.joint_in_world_m[arm.joints[0].index()];
        let reached = Reached {
            hand: self.hand,
            at_secs: self.at_secs,
            before_m: arm.point_m(&pose).distance(self.to_m),
            error_m: found.error_m,
            turned_deg: found.turned_rad.to_degrees(),
            reach_share: shoulder_m.distance(self.to_m) / arm.length_m(&local),
            iterations: found.iterations,
        };
        Ok((out, reached))
    }
}

/// Shoulder, elbow, wrist, and the point of the hand.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Shoulder, elbow, wrist.
    pub joints: [JointId; 3],
    /// All joints from the shoulder to the wrist.
    chain: Vec<JointId>,
    /// In the hand's frame, m.
    pub point_in_hand_m: DVec3,
}

impl Arm {
    /// Of a skeleton whose roles are known.
    pub fn of(skeleton: &Skeleton, roles: &Roles, hand: Side, point: HandPoint) -> Result<Self, EditingError> {
        let limb = roles.limb(hand, LimbKind::Arm);
        let limb = limb.ok_or_else(|| EditingError::no_limb(roles, hand, LimbKind::Arm))?;
        let point_in_hand_m = match point {
            HandPoint::Wrist => DVec3::ZERO,
            HandPoint::Palm => palm_in_hand_m(skeleton, limb.end),
        };
        Ok(Self { joints: [limb.root, limb.middle, limb.end], chain: limb.chain, point_in_hand_m })
    }

    /// Where the point is.
    pub fn point_m(&self, pose: &WorldPose) -> DVec3 {
        pose.point_in_world_m(self.joints[2], self.point_in_hand_m)
    }

    pub(crate) fn length_m(&self, local: &LocalPose) -> f64 {
        let bones: f64 = self.chain.iter().skip(1).map(|joint| local.translations_m[joint.index()].length()).sum();
        (bones + self.point_in_hand_m.length()).max(1e-9)
    }

    /// World rotations and places of the chain's joints with local rotations of the three as given.
    fn place(
        &self,
        local: &LocalPose,
        pose: &WorldPose,
        turned: &[DQuat; 3],
        mut tell: impl FnMut(usize, DQuat, DVec3),
    ) {
        let first = self.chain[0].index();
        // What carries the shoulder: where it is, less its own rotation.
        let mut world = pose.world_from_joint[first] * local.rotations[first].conjugate();
        let mut at_m = pose.joint_in_world_m[first];
        for (index, joint) in self.chain.iter().enumerate() {
            if index > 0 {
                at_m += world * local.translations_m[joint.index()];
            }
            match self.joints.iter().position(|own| own == joint) {
                Some(which) => {
                    world *= turned[which];
                    tell(which, world, at_m);
                }
                None => world *= local.rotations[joint.index()],
            }
        }
    }
}

/// Half way from the wrist to the mean of what the hand carries; the wrist if it carries nothing.
pub fn palm_in_hand_m(skeleton: &Skeleton, hand: JointId) -> DVec3 {
    let ends = skeleton.joint(hand).end_sites.iter().map(|end| end.offset_m);
    let carried: Vec<DVec3> =
        skeleton.children(hand).iter().map(|&child| skeleton.joint(child).offset_m).chain(ends).collect();
    0.5 * carried.iter().sum::<DVec3>() / carried.len().max(1) as f64
}

#[cfg(test)]
mod tests;
