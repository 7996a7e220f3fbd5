//! How tall the person is, from the lengths of the bones: one rule for units, masses, drawing and reports. Lengths may be
//! in any unit; the stature is in the same.
//!
//! Two estimates, by the ratios of Drillis and Contini (1966) as printed in Winter, "Biomechanics and Motor Control of
//! Human Movement":
//!
//! - *legs*: hip to ankle is (0.530 − 0.039) of the stature. Captures measure legs best of all;
//! - *path*: legs, plus hips to the top of the head along the bones, plus the ankle's height of 0.039.
//!
//! Where both are known and agree, their mean is taken; where they do not, the legs decide: a trunk that is too short
//! lacks a bone (the usual BVH conversions of the CMU captures drop the thorax, 12 cm), and a top of the head that is
//! too high is a marker or a hat. A body that misses parts is measured by those that it has: one leg, a leg without a
//! foot (its thigh), and without legs the arms.

use crate::clip::Clip;
use crate::ids::JointId;
use crate::roles::{BodyPlan, LimbKind, Role, Roles, Side};
use crate::skeleton::Skeleton;
use glam::DVec3;

/// Lengths of the human body over the stature (Drillis and Contini 1966, as printed in Winter).
pub mod ratio {
    /// Height of the hip joint above the floor.
    pub const HIP_HEIGHT: f64 = 0.530;
    /// Height of the knee.
    pub const KNEE_HEIGHT: f64 = 0.285;
    /// Height of the ankle.
    pub const ANKLE_HEIGHT: f64 = 0.039;
    /// Height of the shoulder joint.
    pub const SHOULDER_HEIGHT: f64 = 0.818;
    /// Shoulder to elbow.
    pub const UPPER_ARM: f64 = 0.186;
    /// Elbow to wrist.
    pub const FOREARM: f64 = 0.146;
    /// Wrist to fingertip.
    pub const HAND: f64 = 0.108;
    /// Midline to shoulder joint.
    pub const SHOULDER_HALF_WIDTH: f64 = 0.129;
    /// Midline to hip joint.
    pub const HIP_HALF_WIDTH: f64 = 0.0955;
    /// Heel to toe tip.
    pub const FOOT: f64 = 0.152;
}

/// What an estimate rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatureRule {
    /// Mean of the legs' estimate and the path's.
    LegsAndPath,
    /// Legs alone: the path is not known.
    Legs,
    /// Legs alone: hips to head does not fit them.
    LegsAgainstPath,
    /// Arms: no legs.
    Arms,
}

/// An estimated stature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stature {
    /// Barefoot height, metres.
    pub metres: f64,
    /// What it rests on.
    pub rule: StatureRule,
}

/// Path over legs between which both are believed. Adults' sitting height varies by about ±5 %, hip centres and head
/// tops of skeletons by as much again; CMU's missing bone makes it 0.88.
const AGREEMENT: std::ops::Range<f64> = 0.92..1.12;

/// From a clip: bones whose length is animated count with their mean length. `None` for bodies that are not bipeds, and
/// where neither legs nor arms are known.
pub fn of_clip(clip: &Clip, roles: &Roles) -> Option<Stature> {
    let skeleton = clip.skeleton();
    let mut bones = Bones::at_rest(skeleton);
    for track in clip.tracks().iter().filter(|track| !track.positions_m.is_empty()) {
        let (index, count) = (track.joint.index(), track.positions_m.len() as f64);
        bones.offset_m[index] = track.positions_m.iter().sum::<DVec3>() / count;
        bones.length_m[index] = track.positions_m.iter().map(|offset_m| offset_m.length()).sum::<f64>() / count;
    }
    estimate(skeleton, roles, &bones)
}

/// From the offsets of the skeleton alone.
pub fn of_skeleton(skeleton: &Skeleton, roles: &Roles) -> Option<Stature> {
    estimate(skeleton, roles, &Bones::at_rest(skeleton))
}

/// From the parent of each joint to the joint, on average.
struct Bones {
    offset_m: Vec<DVec3>,
    /// A bone that turns in its parent's frame is longer than its mean offset.
    length_m: Vec<f64>,
}

impl Bones {
    fn at_rest(skeleton: &Skeleton) -> Self {
        let offset_m: Vec<DVec3> = skeleton.joints().iter().map(|joint| joint.offset_m).collect();
        let length_m = offset_m.iter().map(|offset_m| offset_m.length()).collect();
        Self { offset_m, length_m }
    }

    /// Along joints that follow each other down the tree.
    fn along_m(&self, chain: &[JointId]) -> f64 {
        chain.iter().skip(1).map(|&joint| self.length_m[joint.index()]).sum()
    }
}

fn estimate(skeleton: &Skeleton, roles: &Roles, bones: &Bones) -> Option<Stature> {
    if roles.plan() != BodyPlan::Biped {
        return None;
    }
    let Some(legs_m) = limbs_m(roles, LimbKind::Leg, bones) else {
        let arms_m = limbs_m(roles, LimbKind::Arm, bones)?;
        return Some(Stature { metres: arms_m / (ratio::UPPER_ARM + ratio::FOREARM), rule: StatureRule::Arms });
    };
    let by_legs_m = legs_m / (ratio::HIP_HEIGHT - ratio::ANKLE_HEIGHT);
    let metres_and_rule = |metres, rule| Some(Stature { metres, rule });
    match hip_to_head_top_m(skeleton, roles, by_legs_m, bones) {
        None => metres_and_rule(by_legs_m, StatureRule::Legs),
        Some(upper_m) => {
            let by_path_m = (legs_m + upper_m) / (1.0 - ratio::ANKLE_HEIGHT);
            match AGREEMENT.contains(&(by_path_m / by_legs_m)) {
                true => metres_and_rule(0.5 * (by_legs_m + by_path_m), StatureRule::LegsAndPath),
                false => metres_and_rule(by_legs_m, StatureRule::LegsAgainstPath),
            }
        }
    }
}

/// Mean over the sides that are known of the length from the root of the limb to its end; `None` where neither is known
/// or has a length.
fn limbs_m(roles: &Roles, kind: LimbKind, bones: &Bones) -> Option<f64> {
    let limbs = Side::BOTH.into_iter().filter_map(|side| limb_m(roles, side, kind, bones));
    let limbs: Vec<f64> = limbs.filter(|&length_m| length_m > 0.0).collect();
    (!limbs.is_empty()).then(|| limbs.iter().sum::<f64>() / limbs.len() as f64)
}

/// Of a limb without its end, the upper bone tells how long the whole is.
fn limb_m(roles: &Roles, side: Side, kind: LimbKind, bones: &Bones) -> Option<f64> {
    if let Some(limb) = roles.limb(side, kind) {
        return Some(bones.along_m(&limb.chain));
    }
    let (upper, lower, whole_over_upper) = match kind {
        LimbKind::Leg => {
            let thigh = ratio::HIP_HEIGHT - ratio::KNEE_HEIGHT;
            (Role::Thigh(side), Role::Shank(side), (ratio::HIP_HEIGHT - ratio::ANKLE_HEIGHT) / thigh)
        }
        LimbKind::Arm => {
            let whole = ratio::UPPER_ARM + ratio::FOREARM;
            (Role::UpperArm(side), Role::Forearm(side), whole / ratio::UPPER_ARM)
        }
    };
    let chain = roles.chain(roles.joint(upper)?, roles.joint(lower)?)?;
    Some(bones.along_m(&chain) * whole_over_upper)
}

/// From the middle of the hip joints along the spine to the top of the head.
fn hip_to_head_top_m(skeleton: &Skeleton, roles: &Roles, by_legs_m: f64, bones: &Bones) -> Option<f64> {
    let (hips, head) = (roles.joint(Role::Hips)?, roles.joint(Role::Head)?);
    let hips_to_head_m = bones.along_m(&roles.chain(hips, head)?);
    // Below the head: end sites, or leaf joints that some files have instead. The farthest is the top.
    let mut reach_m = vec![None; skeleton.len()];
    let mut top_m: f64 = 0.0;
    for joint in skeleton.ids() {
        let above = skeleton.parent(joint).and_then(|parent| reach_m[parent.index()]);
        let own = if joint == head { Some(0.0) } else { above.map(|above: f64| above + bones.length_m[joint.index()]) };
        reach_m[joint.index()] = own;
        let ends = skeleton.joint(joint).end_sites.iter().map(|end| end.offset_m.length()).fold(0.0, f64::max);
        top_m = top_m.max(own.map_or(0.0, |own| own + ends));
    }
    // A top so near the head's joint is an end that means nothing (mesh carriers, zero end sites): skulls are 0.09 and
    // more.
    (top_m > 0.03 * by_legs_m).then_some(hips_to_legs_m(roles, hips, by_legs_m, bones)? + hips_to_head_m + top_m)
}

/// From the hips to the middle of the hip joints.
fn hips_to_legs_m(roles: &Roles, hips: JointId, by_legs_m: f64, bones: &Bones) -> Option<f64> {
    let thigh_in_hips_m = |side| {
        let chain = roles.chain(hips, roles.joint(Role::Thigh(side))?)?;
        Some(chain.iter().skip(1).map(|joint| bones.offset_m[joint.index()]).sum::<DVec3>())
    };
    match Side::BOTH.map(thigh_in_hips_m) {
        [Some(left_m), Some(right_m)] => Some((0.5 * (left_m + right_m)).length()),
        // How much of the way to one is aside is unknown without the other: as much as people have.
        [one_m, other_m] => {
            let hip_m = one_m.or(other_m)?.length();
            let aside_m = (ratio::HIP_HALF_WIDTH * by_legs_m).min(hip_m);
            Some((hip_m * hip_m - aside_m * aside_m).sqrt())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::Channels;

    /// Legs of 0.86 m; `chest_m` and `head_m` as given.
    fn person(chest_m: f64, head_m: f64) -> Skeleton {
        let mut builder = Skeleton::builder();
        let mut add = |parent, name: &str, x, y, z| builder.add(parent, name, DVec3::new(x, y, z), Channels::default());
        let hips = add(None, "Hips", 0.0, 0.95, 0.0);
        for (side, x) in [("Left", 0.09), ("Right", -0.09)] {
            let thigh = add(Some(hips), &format!("{side}UpLeg"), x, -0.05, 0.0);
            let shank = add(Some(thigh), &format!("{side}Leg"), 0.0, -0.43, 0.0);
            add(Some(shank), &format!("{side}Foot"), 0.0, -0.43, 0.0);
        }
        let spine = add(Some(hips), "Spine", 0.0, 0.2, 0.0);
        for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
            let upper = add(Some(spine), &format!("{side}Arm"), 0.2 * x, 0.2, 0.0);
            let fore = add(Some(upper), &format!("{side}ForeArm"), 0.325 * x, 0.0, 0.0);
            add(Some(fore), &format!("{side}Hand"), 0.256 * x, 0.0, 0.0);
        }
        let neck = add(Some(spine), "Neck", 0.0, chest_m, 0.0);
        let head = add(Some(neck), "Head", 0.0, 0.1, 0.0);
        if head_m > 0.0 {
            builder.end_site(head, DVec3::Y * head_m);
        }
        builder.build().unwrap()
    }

    fn of(skeleton: &Skeleton) -> Stature {
        of_skeleton(skeleton, &Roles::detect_skeleton(skeleton)).unwrap()
    }

    #[test]
    fn legs_and_path_agree_on_a_usual_body() {
        let stature = of(&person(0.3, 0.18));
        // (0.86/0.491 + (0.86 + 0.83)/0.961)/2.
        assert!((stature.metres - 1.755).abs() < 5e-4, "{stature:?}");
        assert_eq!(stature.rule, StatureRule::LegsAndPath);
    }

    #[test]
    fn a_missing_bone_or_a_hat_leaves_the_legs() {
        for (chest_m, head_m, rule) in [
            (0.1, 0.18, StatureRule::LegsAgainstPath),
            (0.3, 0.9, StatureRule::LegsAgainstPath),
            (0.3, 0.0, StatureRule::Legs),
            (0.3, 0.01, StatureRule::Legs),
        ] {
            let stature = of(&person(chest_m, head_m));
            assert_eq!(stature.rule, rule);
            assert!((stature.metres - 0.86 / 0.491).abs() < 1e-12);
        }
    }

    /// The person without the joints that `is_cut` names and what hangs on them.
    fn without(cut: &[&str]) -> Skeleton {
        let whole = person(0.3, 0.18);
        let is_gone = |id| whole.ancestors(id).any(|above| cut.contains(&whole.joint(above).name.as_str()));
        let kept: Vec<JointId> = whole.ids().filter(|&id| !is_gone(id)).collect();
        let new_id = |id| kept.iter().position(|&other| other == id).map(JointId::new);
        let joints = kept.iter().map(|&id| {
            let mut joint = whole.joint(id).clone();
            joint.parent = joint.parent.and_then(new_id);
            joint
        });
        Skeleton::new(joints.collect()).unwrap()
    }

    #[test]
    fn who_misses_a_part_is_as_tall_as_before() {
        for cut in [&["LeftUpLeg"][..], &["RightUpLeg"], &["RightLeg"], &["LeftFoot"], &["LeftFoot", "RightFoot"]] {
            let stature = of(&without(cut));
            assert!((stature.metres / 1.755 - 1.0).abs() < 0.03, "{cut:?}: {stature:?}");
        }
        for cut in [&["Head"][..], &["Neck"], &["LeftArm"], &["LeftHand", "RightHand"]] {
            assert!((of(&without(cut)).metres / 1.755 - 1.0).abs() < 0.03, "{cut:?}");
        }
        // Arms alone.
        for cut in [&["LeftUpLeg", "RightUpLeg"][..], &["LeftUpLeg", "RightUpLeg", "LeftHand", "RightHand"]] {
            let stature = of(&without(cut));
            assert_eq!(stature.rule, StatureRule::Arms);
            assert!((stature.metres / 1.755 - 1.0).abs() < 0.03, "{cut:?}: {stature:?}");
        }
    }

    #[test]
    fn a_ball_has_no_stature() {
        let mut builder = Skeleton::builder();
        builder.add(None, "Ball", DVec3::Y, Channels::default());
        let ball = builder.build().unwrap();
        assert_eq!(of_skeleton(&ball, &Roles::detect_skeleton(&ball)), None);
    }
}
