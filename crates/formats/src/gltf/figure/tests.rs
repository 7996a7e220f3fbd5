use super::*;
use aplomb_motion::{Channels, FrameTime, Role, Side, Skeleton, Timeline};
use std::sync::Arc;

fn clip(bones: &[(&str, Option<usize>, [f64; 3])]) -> Clip {
    let mut builder = Skeleton::builder();
    for &(name, parent, offset_m) in bones {
        builder.add(parent.map(JointId::new), name, DVec3::from(offset_m), Channels::default());
    }
    let timeline = Timeline::Uniform(FrameTime::from_hz(60.0).unwrap());
    Clip::at_rest(Arc::new(builder.build().unwrap()), timeline, 2).unwrap()
}

/// Without end sites: head, hands and feet must be made up.
fn person() -> Clip {
    clip(&[
        ("Hips", None, [0.0, 0.95, 0.0]),
        ("Spine", Some(0), [0.0, 0.2, 0.0]),
        ("Spine1", Some(1), [0.0, 0.15, 0.0]),
        ("Neck", Some(2), [0.0, 0.18, 0.0]),
        ("Head", Some(3), [0.0, 0.1, 0.0]),
        ("LeftArm", Some(2), [0.18, 0.12, 0.0]),
        ("LeftForeArm", Some(5), [0.28, 0.0, 0.0]),
        ("LeftHand", Some(6), [0.25, 0.0, 0.0]),
        ("RightArm", Some(2), [-0.18, 0.12, 0.0]),
        ("RightForeArm", Some(8), [-0.28, 0.0, 0.0]),
        ("RightHand", Some(9), [-0.25, 0.0, 0.0]),
        ("LeftUpLeg", Some(0), [0.09, -0.02, 0.0]),
        ("LeftLeg", Some(11), [0.0, -0.43, 0.0]),
        ("LeftFoot", Some(12), [0.0, -0.43, 0.0]),
        ("RightUpLeg", Some(0), [-0.09, -0.02, 0.0]),
        ("RightLeg", Some(14), [0.0, -0.43, 0.0]),
        ("RightFoot", Some(15), [0.0, -0.43, 0.0]),
    ])
}

#[test]
fn a_person_has_head_hands_and_feet_even_if_the_file_has_not() {
    let clip = person();
    let roles = Roles::detect(&clip);
    let capsules = capsules(&clip, &roles);
    let of = |role: Role| -> Vec<&Capsule> {
        let joint = roles.joint(role).unwrap();
        capsules.iter().filter(|capsule| capsule.joint == joint).collect()
    };
    assert!(of(Role::Head)[0].end_m.y > 0.08, "the head goes up");
    assert!(of(Role::Hand(Side::Left))[0].end_m.x > 0.1, "the hand goes on as the arm does");
    let foot = of(Role::Foot(Side::Right));
    assert!(foot.iter().any(|capsule| capsule.end_m.z > 0.1), "toes in front: {foot:?}");
    assert!(foot.iter().any(|capsule| capsule.end_m.z < -0.03), "a heel behind");
    // The sole is where the ankle's height over the stature says it is.
    let sole_m = foot.iter().map(|capsule| capsule.end_m.y - capsule.end_half_m[0]).fold(0.0, f64::min);
    assert!((-0.09..-0.05).contains(&sole_m), "{sole_m}");
}

#[test]
fn a_trunk_is_wider_than_deep_and_a_thigh_thicker_than_an_arm() {
    let clip = person();
    let roles = Roles::detect(&clip);
    let capsules = capsules(&clip, &roles);
    let thickest = |role: Role| {
        let joint = roles.joint(role).unwrap();
        let of_joint = capsules.iter().filter(|capsule| capsule.joint == joint);
        of_joint.map(|capsule| capsule.start_half_m).reduce(|a, b| if a[0] > b[0] { a } else { b }).unwrap()
    };
    let chest = thickest(Role::Spine(1));
    assert!(chest[0] > 1.2 * chest[1], "{chest:?}");
    assert!(thickest(Role::Thigh(Side::Left))[0] > 1.5 * thickest(Role::UpperArm(Side::Left))[0]);
}

#[test]
fn a_chain_gets_a_capsule_for_every_bone() {
    let bones: Vec<(&str, Option<usize>, [f64; 3])> =
        (0..8usize).map(|index| ("link", index.checked_sub(1), [0.0, 0.2, 0.0])).collect();
    let clip = clip(&bones);
    let capsules = capsules(&clip, &Roles::detect(&clip));
    assert_eq!(capsules.len(), 7);
    assert!(capsules.iter().all(|capsule| (0.01..0.05).contains(&capsule.start_half_m[0])), "{capsules:?}");
}
