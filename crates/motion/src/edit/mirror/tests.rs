use super::*;
use crate::edit::testing::{self, assert_points_near};
use crate::edit::{body_joint, translate, turn_about_up};
use crate::ids::FrameIndex;
use crate::kinematics::{WorldPose, joint_positions_m};
use crate::so3;
use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;
use std::sync::Arc;

fn reflected(p: DVec3) -> DVec3 {
    DVec3::new(-p.x, p.y, p.z)
}

/// World positions of each joint's partner, reflected: what the mirrored clip should show.
fn expected_positions(clip: &Clip, partners: &[JointId]) -> Vec<DVec3> {
    let joints = partners.len();
    let positions = joint_positions_m(clip);
    (0..positions.len())
        .map(|index| reflected(positions[index / joints * joints + partners[index % joints].index()]))
        .collect()
}

#[track_caller]
fn assert_mirrors(clip: &Clip, tolerance_m: f64) -> Clip {
    let partners = partners_from_names(clip.skeleton()).unwrap();
    let mirrored = mirror(clip, &partners, MirrorPlane::AcrossX).unwrap();
    assert_points_near(&joint_positions_m(&mirrored), &expected_positions(clip, &partners), tolerance_m);
    let twice = mirror(&mirrored, &partners, MirrorPlane::AcrossX).unwrap();
    for (found, original) in twice.rotations().iter().zip(clip.rotations()) {
        assert!(so3::angle_between(*found, *original) < 1e-12, "{found} is not {original}");
    }
    assert_eq!(twice.tracks(), clip.tracks());
    assert_eq!(twice.skeleton(), clip.skeleton());
    mirrored
}

/// The largest turn of a joint below the pelvis between the two clips in any pair of frames: a 180° flip shows here,
/// while a walk and its mirror image cover the same range.
fn largest_departure_rad(clip: &Clip, mirrored: &Clip) -> (f64, String) {
    let pelvis = body_joint(clip.skeleton());
    let mut worst = (0.0, String::new());
    for joint in clip.skeleton().ids().filter(|&joint| joint > pelvis) {
        for frame in mirrored.frames() {
            let nearest = clip
                .frames()
                .map(|other| so3::angle_between(clip.rotation(other, joint), mirrored.rotation(frame, joint)))
                .fold(f64::INFINITY, f64::min);
            if nearest > worst.0 {
                worst = (nearest, clip.skeleton().joint(joint).name.clone());
            }
        }
    }
    worst
}

/// The same motion with the axes of each joint turned by B_j: R' = B_pᵀ·R·B_j, offsets in the new axes of the parent.
fn with_axes(clip: &Clip, axes: &[DQuat]) -> Clip {
    let skeleton = clip.skeleton().map_joints(|id, joint| {
        if let Some(parent) = joint.parent {
            joint.offset_m = axes[parent.index()].conjugate() * joint.offset_m;
        }
        joint.end_sites.iter_mut().for_each(|end| end.offset_m = axes[id.index()].conjugate() * end.offset_m);
    });
    let skeleton = Arc::new(skeleton.unwrap());
    let above = |joint: JointId| skeleton.parent(joint).map_or(DQuat::IDENTITY, |parent| axes[parent.index()]);
    let rotations = clip
        .frames()
        .flat_map(|frame| skeleton.ids().map(move |joint| (frame, joint)))
        .map(|(frame, joint)| above(joint).conjugate() * clip.rotation(frame, joint) * axes[joint.index()])
        .collect();
    Clip::new(skeleton.clone(), clip.timeline().clone(), clip.frame_count(), rotations, clip.tracks().to_vec()).unwrap()
}

/// M·B·S as a rotation: the axes of the partner of a joint with axes B, if their reflection is S.
fn partner_axes(axes: DQuat, own: Reflection) -> DQuat {
    let image = |v: DVec3| reflected(axes * own.vector(v));
    DQuat::from_mat3(&DMat3::from_cols(image(DVec3::X), image(DVec3::Y), image(DVec3::Z)))
}

/// Axes in which the world's X is one of the joint's own, so that a joint on the midline is its own mirror image.
fn midline_axes(quarter_turns: usize, tilt_rad: f64) -> DQuat {
    let tilt = DQuat::from_rotation_x(tilt_rad);
    match quarter_turns {
        0 => tilt,
        1 => tilt * DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
        _ => tilt * DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2),
    }
}

fn any_axes() -> impl Strategy<Value = DQuat> {
    prop::array::uniform3(-2.0..2.0).prop_map(|v| so3::exp(DVec3::from_array(v)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn joints_with_axes_of_their_own_are_mirrored(
        own in prop::collection::vec((any_axes(), 0usize..4, 0usize..3, -1.0..1.0), 20),
        yaw_rad in -3.0..3.0,
    ) {
        let clip = translate(&turn_about_up(&testing::walk(34, 30.0), yaw_rad).unwrap(), DVec3::new(2.0, 0.0, 1.0)).unwrap();
        let partners = partners_from_names(clip.skeleton()).unwrap();
        let mut axes = vec![DQuat::IDENTITY; clip.skeleton().len()];
        for joint in clip.skeleton().ids() {
            let partner = partners[joint.index()];
            let (limb, reflection, quarter_turns, tilt_rad) = own[joint.index()];
            if partner == joint {
                axes[joint.index()] = midline_axes(quarter_turns, tilt_rad);
            } else if joint < partner {
                axes[joint.index()] = limb;
                axes[partner.index()] = partner_axes(limb, Reflection::ALL[reflection]);
            }
        }
        let clip = with_axes(&clip, &axes);
        let mirrored = assert_mirrors(&clip, 1e-12);
        // A stride and its mirror image, half a stride later, are the same poses.
        let (departure_rad, joint) = largest_departure_rad(&clip, &mirrored);
        prop_assert!(departure_rad < 0.15, "{} is {} rad from where it was", joint, departure_rad);
    }
}

#[test]
fn world_axes_are_mirrored_everywhere_alike() {
    let clip = testing::walk(34, 30.0);
    let partners = partners_from_names(clip.skeleton()).unwrap();
    let reflections = find_reflections(&clip, &partners, Reflection::AcrossX);
    assert!(reflections.iter().all(|reflection| *reflection == Reflection::AcrossX), "{reflections:?}");
    assert_mirrors(&clip, 1e-14 * 100.0);
}

#[test]
fn the_mirror_image_turns_the_other_way() {
    let mut clip = testing::walk(3, 30.0);
    let arm = clip.skeleton().find("LeftArm").unwrap();
    clip.set_rotation(FrameIndex(1), arm, DQuat::from_rotation_x(-1.0) * DQuat::from_rotation_z(0.5));
    let mirrored = assert_mirrors(&clip, 1e-12);
    let right = clip.skeleton().find("RightArm").unwrap();
    let expected = DQuat::from_rotation_x(-1.0) * DQuat::from_rotation_z(-0.5);
    assert!(so3::angle_between(mirrored.rotation(FrameIndex(1), right), expected) < 1e-14);
}

#[test]
fn inner_tracks_and_nailed_roots_are_mirrored() {
    let clip = testing::walk(4, 30.0);
    let find = |name: &str| clip.skeleton().find(name).unwrap();
    let wobble = |x: f64| (0..4).map(|frame| DVec3::new(x, -0.05, 0.01 * f64::from(frame))).collect();
    let mut tracks = clip.tracks().to_vec();
    tracks.push(TranslationTrack { joint: find("LeftUpLeg"), positions_m: wobble(0.12) });
    tracks.push(TranslationTrack { joint: find("RightUpLeg"), positions_m: wobble(-0.08) });
    let with = |tracks| {
        let rotations = clip.rotations().to_vec();
        Clip::new(clip.skeleton().clone(), clip.timeline().clone(), 4, rotations, tracks).unwrap()
    };
    assert_mirrors(&with(tracks), 1e-12);
    let nailed = translate(&with(vec![]), DVec3::new(0.7, 0.0, 0.2)).unwrap();
    let mirrored = assert_mirrors(&nailed, 1e-12);
    assert!(!mirrored.root_travels());
    assert_mirrors(&testing::walk(0, 30.0), 0.0);
    assert_mirrors(&testing::walk(1, 30.0), 1e-12);
}

#[test]
fn sides_of_different_length_stay_within_their_difference() {
    let clip = testing::walk(34, 30.0);
    let longer = clip.skeleton().map_joints(|_, joint| {
        if joint.name.starts_with("Left") {
            joint.offset_m *= 1.03;
        }
        if joint.name == "Spine" {
            joint.offset_m += DVec3::new(0.01, 0.0, -0.005);
        }
    });
    let rotations = clip.rotations().to_vec();
    let longer = Arc::new(longer.unwrap());
    let clip = Clip::new(longer, clip.timeline().clone(), 34, rotations, clip.tracks().to_vec()).unwrap();
    let partners = partners_from_names(clip.skeleton()).unwrap();
    let mirrored = mirror(&clip, &partners, MirrorPlane::AcrossX).unwrap();
    let expected = expected_positions(&clip, &partners);
    let joints = clip.skeleton().len();
    for (index, (found, expected)) in joint_positions_m(&mirrored).iter().zip(&expected).enumerate() {
        // Each bone on the way adds at most the difference of its offset to its partner's reflected one.
        let way = clip.skeleton().ancestors(JointId::new(index % joints));
        let bound_m: f64 = way
            .map(|joint| {
                let offset_m = |joint: JointId| clip.skeleton().joint(joint).offset_m;
                (reflected(offset_m(joint)) - offset_m(partners[joint.index()])).length()
            })
            .sum();
        assert!((*found - *expected).length() <= bound_m + 1e-12);
    }
}

#[test]
fn across_z_reflects_depth() {
    let clip = testing::walk(5, 30.0);
    let partners = partners_from_names(clip.skeleton()).unwrap();
    let mirrored = mirror(&clip, &partners, MirrorPlane::AcrossZ).unwrap();
    let joints = partners.len();
    let positions = joint_positions_m(&clip);
    for (index, found) in joint_positions_m(&mirrored).iter().enumerate() {
        let partner = positions[index / joints * joints + partners[index % joints].index()];
        assert!((*found - DVec3::new(partner.x, partner.y, -partner.z)).length() < 1e-13);
    }
    let mut pose = WorldPose::default();
    pose.pose(&mirrored, FrameIndex(0));
    // Walking backwards, head up.
    let head = clip.skeleton().find("Head").unwrap();
    assert!(pose.world_from_joint[head.index()].mul_vec3(DVec3::Y).y > 0.9);
}

#[test]
fn wrong_partners_are_refused() {
    let clip = testing::walk(2, 30.0);
    let skeleton = clip.skeleton();
    let partners = partners_from_names(skeleton).unwrap();
    let find = |name: &str| skeleton.find(name).unwrap();
    let with = |changes: &[(&str, &str)]| {
        let mut partners = partners.clone();
        for (joint, partner) in changes {
            partners[find(joint).index()] = find(partner);
        }
        mirror(&clip, &partners, MirrorPlane::AcrossX)
    };
    assert!(matches!(with(&[("LeftArm", "RightHand")]), Err(EditError::PartnerNotMutual { .. })));
    let crossed =
        [("LeftFoot", "RightHand"), ("RightHand", "LeftFoot"), ("RightFoot", "LeftHand"), ("LeftHand", "RightFoot")];
    assert!(matches!(with(&crossed), Err(EditError::SidesDiffer { .. })));
    let crooked = skeleton.map_joints(|_, joint| {
        if joint.name == "RightLeg" {
            joint.offset_m = DVec3::new(0.3, -0.1, 0.0);
        }
    });
    let crooked = Clip::at_rest(Arc::new(crooked.unwrap()), testing::rate(30.0), 2).unwrap();
    let error = mirror(&crooked, &partners, MirrorPlane::AcrossX).unwrap_err();
    assert!(matches!(&error, EditError::BonesNotMirrored { joint, .. } if joint == "LeftLeg"), "{error}");
    let own: Vec<JointId> = skeleton.ids().collect();
    assert!(matches!(mirror(&clip, &own[1..], MirrorPlane::AcrossX), Err(EditError::PartnerCount { .. })));
    let mut stray = own;
    stray[3] = JointId::new(77);
    assert!(matches!(mirror(&clip, &stray, MirrorPlane::AcrossX), Err(EditError::UnknownJoint { joint: 77, .. })));
}
