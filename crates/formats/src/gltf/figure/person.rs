//! A person: radii over the stature, a trunk that is wider than deep, and heads, hands, heels and toes where files have
//! none.
//!
//! Limbs follow r = √(f·M / (1000·π·L)), which gives a cylinder of water the mass of the segment (f: de Leva 1996, mean
//! of both columns; L: Drillis and Contini; M = 22 kg/m² · stature²): at 1.75 m thigh 0.049 of the stature, shank
//! 0.028, upper arm 0.026, forearm 0.021. They are tapered about that, by eye.

use super::anatomy::{Anatomy, Bone, Part};
use super::{Capsule, LEAST_MESHED_BONE, PLAIN};
use aplomb_motion::stature::ratio;
use aplomb_motion::{JointId, Role, Side};
use glam::DVec3;

pub(super) fn capsules(anatomy: &Anatomy) -> Vec<Capsule> {
    let mut capsules = trunk(anatomy);
    capsules.extend(pelvis(anatomy));
    capsules.extend(anatomy.bones.iter().filter_map(|bone| limb(anatomy, bone)));
    capsules.extend(head(anatomy));
    for side in Side::BOTH {
        capsules.extend(hand(anatomy, side));
        capsules.extend(foot(anatomy, side));
    }
    capsules
}

/// Half width and half depth over the stature along the way from the hips (0) to the neck (1): breadth and depth of
/// hips, waist, chest and the base of the neck of adults.
const TRUNK: [(f64, [f64; 2]); 4] =
    [(0.0, [0.082, 0.062]), (0.4, [0.074, 0.056]), (0.75, [0.088, 0.064]), (1.0, [0.06, 0.046])];

fn trunk_half(way: f64) -> [f64; 2] {
    let way = way.clamp(0.0, 1.0);
    let next = TRUNK.iter().position(|&(at, _)| at >= way).unwrap_or(TRUNK.len() - 1).max(1);
    let ((from, a), (to, b)) = (TRUNK[next - 1], TRUNK[next]);
    let share = (way - from) / (to - from);
    [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis]))
}

/// One capsule a bone of the back.
fn trunk(anatomy: &Anatomy) -> Vec<Capsule> {
    let stature_m = anatomy.size_m;
    let chain = anatomy.trunk_chain();
    let total_m = anatomy.trunk_m();
    let mut capsules = Vec::new();
    let mut done_m = 0.0;
    for pair in chain.windows(2) {
        let (joint, end_m) = (pair[0], anatomy.rest_m[pair[1].index()]);
        let length_m = end_m.length();
        if length_m < LEAST_MESHED_BONE * stature_m {
            continue;
        }
        let half_m = |at_m: f64| trunk_half(at_m / total_m).map(|half| half * stature_m);
        // The hips turn with the legs, the chest with the shoulders.
        let pair_of = if done_m < 0.5 * total_m { Role::Thigh } else { Role::UpperArm };
        let wide_along = anatomy.left_in(joint, pair_of).unwrap_or(DVec3::X);
        // The lowest part reaches below the hips' joint on its own cap; the caps of the others lie within their
        // neighbours.
        capsules.push(Capsule {
            joint,
            start_m: DVec3::ZERO,
            end_m,
            start_half_m: half_m(done_m),
            end_half_m: half_m(done_m + length_m),
            wide_along,
        });
        done_m += length_m;
    }
    capsules
}

/// From hip joint to hip joint, so that the legs hang on something.
fn pelvis(anatomy: &Anatomy) -> Option<Capsule> {
    let hips = anatomy.roles.joint(Role::Hips)?;
    // Joints between hips and thigh are not turned at rest, and hardly ever are.
    let hip_m = |side: Side| {
        let chain = anatomy.roles.chain(hips, anatomy.roles.joint(Role::Thigh(side))?)?;
        Some(chain.iter().skip(1).map(|joint| anatomy.rest_m[joint.index()]).sum::<DVec3>())
    };
    let (left_m, right_m) = (hip_m(Side::Left)?, hip_m(Side::Right)?);
    let radius_m = 0.054 * anatomy.size_m;
    Some(Capsule::round(hips, left_m, right_m, (radius_m, radius_m)))
}

/// Arms, legs, neck, and what ties them to the trunk.
fn limb(anatomy: &Anatomy, bone: &Bone) -> Option<Capsule> {
    let stature_m = anatomy.size_m;
    let length_m = bone.length_m();
    if length_m < LEAST_MESHED_BONE * stature_m {
        return None;
    }
    let is_back = |part: Part| matches!(part, Part::Trunk | Part::Neck | Part::Head);
    let (start, end) = match (bone.part, bone.to_part) {
        // Eyes, jaws, hair and markers lie in the head, the back and the palm or are none of the body.
        (_, Part::Small) if bone.part != Part::Small => return None,
        (Part::Trunk, Part::Thigh) => (0.06, 0.052),
        (Part::Trunk, Part::Clavicle) => (0.046, 0.04),
        (Part::Trunk, Part::UpperArm) => (0.046, 0.034),
        (Part::Trunk | Part::Head, _) => return None,
        (Part::Neck, to) if is_back(to) => (0.031, 0.03),
        (Part::Clavicle, _) => (0.04, 0.032),
        (Part::UpperArm, _) => (0.031, 0.023),
        (Part::Forearm, _) => (0.024, 0.016),
        (Part::Hand, Part::Finger) => (0.014, 0.011),
        // Hand and foot are made of more than their bones.
        (Part::Hand | Part::Foot | Part::Toe | Part::SceneRoot, _) => return None,
        (Part::Finger, _) => (0.0055, 0.0045),
        (Part::Thigh, _) => (0.052, 0.034),
        (Part::Shank, _) => (0.034, 0.021),
        _ => {
            let radius = (PLAIN * length_m / stature_m).clamp(0.004, 0.02);
            (radius, 0.75 * radius)
        }
    };
    Some(Capsule::round(bone.joint, DVec3::ZERO, bone.end_m, (start * stature_m, end * stature_m)))
}

/// The skull: about 0.13 of the stature high and 0.1 wide. Files end the head anywhere, or nowhere; it goes on as the
/// bone that reaches farthest the way of the neck does, or as the neck does.
fn head(anatomy: &Anatomy) -> Option<Capsule> {
    let stature_m = anatomy.size_m;
    let joint = anatomy.roles.joint(Role::Head)?;
    let neck = way_into(anatomy, joint)?;
    let bones = anatomy.bones.iter().filter(|bone| bone.joint == joint && bone.end_m.dot(neck) > 0.02 * stature_m);
    let top = bones.max_by(|a, b| a.end_m.dot(neck).total_cmp(&b.end_m.dot(neck)));
    let (way, length_m) = match top {
        Some(bone) => (bone.end_m.normalize_or_zero(), bone.length_m().clamp(0.12 * stature_m, 0.17 * stature_m)),
        None => (neck, 0.13 * stature_m),
    };
    let radius_m = 0.05 * stature_m;
    let (start_m, end_m) = (way * 0.72 * radius_m, way * (length_m - radius_m));
    Some(Capsule::round(joint, start_m, end_m, (0.84 * radius_m, radius_m)))
}

/// The direction that leads from the last joint above to this one, as it stands at rest in this joint's frame.
fn way_into(anatomy: &Anatomy, joint: JointId) -> Option<DVec3> {
    let mut joints = anatomy.skeleton.ancestors(joint);
    joints.find_map(|joint| {
        let offset_m = anatomy.rest_m[joint.index()];
        (offset_m.length() > LEAST_MESHED_BONE * anatomy.size_m).then(|| offset_m.normalize())
    })
}

/// A flat palm, and a mitten where there are no fingers.
fn hand(anatomy: &Anatomy, side: Side) -> Vec<Capsule> {
    let stature_m = anatomy.size_m;
    let Some(joint) = anatomy.roles.joint(Role::Hand(side)) else { return Vec::new() };
    let has_fingers =
        anatomy.bones.iter().any(|bone| bone.part == Part::Finger && is_below(anatomy, bone.joint, joint));
    if has_fingers {
        return Vec::new();
    }
    let Some(way) = hand_way(anatomy, joint) else { return Vec::new() };
    let length_m = 0.09 * stature_m;
    vec![Capsule::round(joint, DVec3::ZERO, way * length_m, (0.017 * stature_m, 0.019 * stature_m))]
}

fn is_below(anatomy: &Anatomy, joint: JointId, ancestor: JointId) -> bool {
    anatomy.skeleton.is_in_subtree(joint, ancestor)
}

/// Along the longest bone of the hand, else on as the forearm went.
fn hand_way(anatomy: &Anatomy, joint: JointId) -> Option<DVec3> {
    let bones = anatomy.bones.iter().filter(|bone| bone.joint == joint && bone.to_part != Part::Small);
    let longest = bones.max_by(|a, b| a.length_m().total_cmp(&b.length_m()));
    let longest = longest.filter(|bone| bone.length_m() > LEAST_MESHED_BONE * anatomy.size_m);
    longest.map(|bone| bone.end_m.normalize()).or_else(|| way_into(anatomy, joint))
}

/// Heel, ball and toes. The ankle stands 0.039 of the stature above the ground, the heel a quarter of the foot behind
/// it.
fn foot(anatomy: &Anatomy, side: Side) -> Vec<Capsule> {
    let stature_m = anatomy.size_m;
    let Some(ankle) = anatomy.roles.joint(Role::Foot(side)) else { return Vec::new() };
    let Some((up, forward)) = anatomy.standing(ankle) else { return Vec::new() };
    let (heel_r, ball_r, tip_r) = (0.019 * stature_m, 0.019 * stature_m, 0.012 * stature_m);
    let sole = |point_m: DVec3, radius_m: f64| {
        // The ankle may stand higher or lower in the file; what is drawn stays on the sole that the table gives.
        point_m - up * (point_m.dot(up) + ratio::ANKLE_HEIGHT * stature_m - radius_m)
    };
    let heel_m = sole(-forward * 0.25 * ratio::FOOT * stature_m, heel_r);
    let toe = anatomy.roles.joint(Role::Toe(side)).filter(|&toe| anatomy.skeleton.parent(toe) == Some(ankle));
    let toe = toe.filter(|toe| anatomy.rest_m[toe.index()].length() > LEAST_MESHED_BONE * stature_m);
    let mut capsules = Vec::new();
    let ball_m = match toe {
        Some(toe) => anatomy.rest_m[toe.index()],
        None => {
            let bones = anatomy.bones.iter().filter(|bone| bone.joint == ankle && bone.part == Part::Foot);
            let longest = bones.max_by(|a, b| a.length_m().total_cmp(&b.length_m()));
            match longest.filter(|bone| bone.length_m() > 0.05 * stature_m) {
                Some(bone) => bone.end_m,
                None => sole(forward * 0.7 * ratio::FOOT * stature_m, tip_r),
            }
        }
    };
    capsules.push(Capsule::round(ankle, DVec3::ZERO, heel_m, (0.021 * stature_m, heel_r)));
    capsules.push(Capsule::round(ankle, heel_m, ball_m, (heel_r, if toe.is_some() { ball_r } else { tip_r })));
    capsules.push(Capsule::round(
        ankle,
        DVec3::ZERO,
        ball_m,
        (0.021 * stature_m, if toe.is_some() { ball_r } else { tip_r }),
    ));
    if let Some(toe) = toe {
        let bones = anatomy.bones.iter().filter(|bone| bone.joint == toe);
        let longest = bones.map(|bone| bone.end_m).max_by(|a, b| a.length().total_cmp(&b.length()));
        let tip_m = longest.filter(|end_m| end_m.length() > 0.02 * stature_m);
        let tip_m = tip_m.unwrap_or_else(|| {
            let forward = anatomy.standing(toe).map_or(DVec3::ZERO, |(_, forward)| forward);
            forward * 0.04 * stature_m
        });
        capsules.push(Capsule::round(toe, DVec3::ZERO, tip_m, (0.9 * ball_r, tip_r)));
    }
    capsules
}
