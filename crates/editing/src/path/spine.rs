//! The spine of four-legged bodies bends along the path: shoulders are a body's length ahead of the hips, where the
//! path has turned farther.
//!
//! With a straight spine the front legs of a dog on a circle of 1 m lack 5–23 mm, and its paws cross under it. Each
//! joint between hips and shoulders takes an equal share of the turn that the path makes between them, about the
//! vertical.

use super::limbs::PathLimb;
use super::source::PathSource;
use aplomb_motion::{JointId, WorldPose};
use glam::{DQuat, DVec3};

/// No back turns farther, rad.
const MOST_BEND_RAD: f64 = 1.0;

/// The joints that bend, and where they are.
#[derive(Clone, Debug)]
pub(super) struct Spine {
    /// From the hips towards the shoulders.
    pub joints: Vec<JointId>,
    /// Joints from the skeleton's root to the first one's parent.
    pub above: Vec<JointId>,
    /// In the world, a value a joint of each key.
    places_m: Vec<DVec3>,
    /// How many keys the shoulders are ahead of the hips.
    ahead: f64,
}

impl Spine {
    /// Of bodies that stand on front paws; `None` for people, and where hips and shoulders are one piece.
    pub fn of(source: &PathSource, limbs: &[PathLimb]) -> Option<Self> {
        let front: Vec<&PathLimb> = limbs.iter().filter(|limb| limb.is_paw && !limb.plants.is_empty()).collect();
        let first = front.first()?;
        // What both front legs hang on.
        let shared = |joint: &JointId| front.iter().all(|limb| limb.above.contains(joint));
        let joints: Vec<JointId> = first.above.iter().copied().filter(shared).collect();
        let hips = joints.iter().position(|&joint| joint == source.hips)?;
        let (above, joints) = (joints[..=hips].to_vec(), joints[hips + 1..].to_vec());
        let ahead = front.iter().map(|limb| limb.ahead).sum::<f64>() / front.len() as f64;
        if joints.is_empty() || ahead <= 0.0 {
            return None;
        }
        let posed = crate::footplant::closed_upward(source.clip.skeleton(), joints.iter().copied());
        let mut pose = WorldPose::for_skeleton(source.clip.skeleton());
        let mut places_m = Vec::with_capacity(source.keys() * joints.len());
        for frame in source.clip.frames() {
            pose.pose_joints(&source.clip, frame, &posed);
            places_m.extend(joints.iter().map(|joint| pose.joint_in_world_m[joint.index()]));
        }
        Some(Self { joints, above, places_m, ahead })
    }

    /// How far each key's spine bends in all, rad, by the turns of the path.
    pub fn bend(&self, turn_rad: &[f64], bend_rad: &mut Vec<f64>) {
        let last = turn_rad.len() - 1;
        let at = |key: f64| {
            let (low, share) = (key as usize, key.fract());
            turn_rad[low] + share * (turn_rad[(low + 1).min(last)] - turn_rad[low])
        };
        bend_rad.clear();
        // Where the path ends ahead of the hips it goes straight on, for front paws (which stand with its last key) as
        // for shoulders.
        bend_rad.extend((0..=last).map(|key| {
            (at((key as f64 + self.ahead).min(last as f64)) - at(key as f64)).clamp(-MOST_BEND_RAD, MOST_BEND_RAD)
        }));
    }

    /// Where a point of the shoulders goes, in the frame of the original: turned about each joint, the farthest first.
    pub fn carried_m(&self, key: usize, bend_rad: f64, point_m: DVec3) -> DVec3 {
        let turn = self.share(bend_rad);
        let places_m = &self.places_m[key * self.joints.len()..(key + 1) * self.joints.len()];
        places_m.iter().rev().fold(point_m, |point_m, &place_m| place_m + turn * (point_m - place_m))
    }

    /// The turn of each joint, about the vertical.
    pub fn share(&self, bend_rad: f64) -> DQuat {
        DQuat::from_rotation_y(bend_rad / self.joints.len() as f64)
    }
}
