//! A built-in walk, as it is and with one leg longer than the other.

use super::*;
use aplomb_motion::Skeleton;
use std::sync::Arc;

fn walk() -> (Clip, Roles) {
    let clip = aplomb_builtins::clip("walk").unwrap();
    let roles = Roles::detect(&clip);
    (clip, roles)
}

/// Another skeleton under the same rotations.
fn on(clip: &Clip, skeleton: Skeleton) -> Clip {
    let (_, timeline, frames, rotations, tracks) = clip.clone().into_parts();
    Clip::new(Arc::new(skeleton), timeline, frames, rotations, tracks).unwrap()
}

/// The left leg is longer by 8 mm, the right arm by 1 cm.
fn uneven() -> (Clip, Roles) {
    let (clip, roles) = walk();
    let longer = |name: &str| match name {
        "LeftLeg" => 0.008,
        "RightForeArm" => 0.01,
        _ => 0.0,
    };
    let skeleton = clip.skeleton().map_joints(|_, joint| {
        joint.offset_m += joint.offset_m.normalize_or_zero() * longer(&joint.name);
    });
    (on(&clip, skeleton.unwrap()), roles)
}

fn farthest_m(a: &Clip, b: &Clip) -> f64 {
    let places = |clip: &Clip| aplomb_motion::kinematics::joint_positions_m(clip);
    places(a).into_iter().zip(places(b)).map(|(a_m, b_m)| a_m.distance(b_m)).fold(0.0, f64::max)
}

#[test]
fn a_body_whose_sides_are_alike_has_mirrored_rotations_and_comes_back() {
    let (clip, roles) = walk();
    let mirrored = mirror(&clip, &roles, MirrorPlane::AcrossX).unwrap();
    assert_eq!(mirrored.standing, None);
    let back = mirror(&mirrored.clip, &roles, MirrorPlane::AcrossX).unwrap().clip;
    assert!(farthest_m(&clip, &back) < 1e-12);
}

#[test]
fn feet_of_an_uneven_body_stand_at_their_mirror_images() {
    let (clip, roles) = uneven();
    let mirrored = mirror(&clip, &roles, MirrorPlane::AcrossX).unwrap();
    let standing = mirrored.standing.unwrap();
    assert!(standing.farthest_m < 1e-3, "{standing:?}");
    let (mut own, mut other) = (WorldPose::for_skeleton(clip.skeleton()), WorldPose::for_skeleton(clip.skeleton()));
    let [left, right] = Side::BOTH.map(|side| roles.joint(Role::Toe(side)).unwrap().index());
    let mut turned_m: f64 = 0.0;
    let by_angles = edit::mirror(&clip, &partners(clip.skeleton(), &roles).unwrap(), MirrorPlane::AcrossX).unwrap();
    for frame in clip.frames() {
        own.pose(&clip, frame);
        other.pose(&mirrored.clip, frame);
        let image_m = MirrorPlane::AcrossX.image(own.joint_in_world_m[left]);
        assert!(other.joint_in_world_m[right].distance(image_m) < 1e-3, "{frame:?}");
        other.pose(&by_angles, frame);
        turned_m = turned_m.max(other.joint_in_world_m[right].distance(image_m));
    }
    assert!(turned_m > 0.005, "angles alone miss by {turned_m} m");
}

#[test]
fn what_one_side_lacks_is_named() {
    let (clip, roles) = walk();
    let arm = roles.joint(Role::Forearm(Side::Right)).unwrap();
    let error = mirror(&clip, &roles.with_overrides(&[(arm, None)]), MirrorPlane::AcrossX);
    // Its name still tells the partner, and nothing is refused.
    assert!(error.is_ok(), "{error:?}");
    let kept: Vec<JointId> = clip.skeleton().ids().filter(|&id| !clip.skeleton().is_in_subtree(id, arm)).collect();
    let joints = kept.iter().map(|&id| {
        let mut joint = clip.skeleton().joint(id).clone();
        joint.parent = joint.parent.and_then(|above| kept.iter().position(|&other| other == above)).map(JointId::new);
        joint
    });
    let skeleton = Arc::new(Skeleton::new(joints.collect()).unwrap());
    let rotations = vec![glam::DQuat::IDENTITY; skeleton.len()];
    let clip = Clip::new(skeleton, clip.timeline().clone(), 1, rotations, Vec::new()).unwrap();
    let error = mirror(&clip, &Roles::detect(&clip), MirrorPlane::AcrossX).unwrap_err().to_string();
    assert!(error.contains("right_forearm") && error.contains("roles file"), "{error}");
}
