use super::*;
use crate::spatial::Symmetric3;
use aplomb_motion::{Channels, FrameIndex, FrameTime, Role, Side, Timeline, TranslationTrack, so3};

/// Name, parent, offset; an end site if the name starts with `end of`.
type Plan = Vec<(String, String, DVec3)>;

/// The built-in clips' skeleton (builtins.md): 1.75 m, T-pose, Z forward, X left.
fn person() -> Plan {
    let mut plan = Plan::new();
    let mut add = |name: &str, parent: &str, x: f64, y: f64, z: f64| {
        plan.push((name.to_owned(), parent.to_owned(), DVec3::new(x, y, z)));
    };
    add("Hips", "", 0.0, 0.96, 0.0);
    add("Spine1", "Hips", 0.0, 0.07, -0.01);
    add("Spine2", "Spine1", 0.0, 0.13, -0.005);
    add("Spine3", "Spine2", 0.0, 0.13, 0.0);
    add("Neck", "Spine3", 0.0, 0.21, -0.01);
    add("Head", "Neck", 0.0, 0.10, 0.02);
    add("end of head", "Head", 0.0, 0.15, 0.01);
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let name = |part: &str| format!("{side}{part}");
        add(&name("Shoulder"), "Spine3", 0.02 * x, 0.15, 0.015);
        add(&name("Arm"), &name("Shoulder"), 0.16 * x, -0.01, -0.025);
        add(&name("ForeArm"), &name("Arm"), 0.305 * x, 0.0, 0.0);
        add(&name("Hand"), &name("ForeArm"), 0.255 * x, 0.0, 0.0);
        add("end of hand", &name("Hand"), 0.18 * x, 0.0, 0.0);
        add(&name("UpLeg"), "Hips", 0.09 * x, -0.03, 0.0);
        add(&name("Leg"), &name("UpLeg"), 0.0, -0.43, 0.0);
        add(&name("Foot"), &name("Leg"), 0.0, -0.425, 0.0);
        add(&name("ToeBase"), &name("Foot"), 0.0, -0.055, 0.14);
        add("end of toe", &name("ToeBase"), 0.0, -0.02, 0.07);
    }
    plan
}

fn skeleton(plan: &Plan) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    let mut ids = std::collections::HashMap::new();
    for (name, parent, offset_m) in plan {
        let parent_id = ids.get(parent.as_str()).copied();
        match name.starts_with("end of") {
            true => {
                builder.end_site(parent_id.unwrap(), *offset_m);
            }
            false => {
                ids.insert(name.as_str(), builder.add(parent_id, name.clone(), *offset_m, Channels::default()));
            }
        }
    }
    Arc::new(builder.build().unwrap())
}

/// The plan without a joint: its children and end sites hang on its parent.
fn without(plan: &Plan, names: &[&str]) -> Plan {
    let mut plan = plan.clone();
    for &gone in names {
        let slot = plan.iter().position(|(name, ..)| name == gone).unwrap();
        let (_, parent, offset_m) = plan.remove(slot);
        for row in plan.iter_mut().filter(|(_, above, _)| above == gone) {
            *row = (row.0.clone(), parent.clone(), row.2 + offset_m);
        }
    }
    plan
}

fn body_of(skeleton: &Arc<Skeleton>, options: &BodyOptions) -> Body {
    Body::of_skeleton(skeleton, &Roles::detect_skeleton(skeleton), options).unwrap()
}

fn rest_pose(skeleton: &Skeleton) -> WorldPose {
    let mut pose = WorldPose::for_skeleton(skeleton);
    pose.joint_in_world_m = skeleton.rest_positions_m();
    pose
}

/// All links as one, in the world.
fn glued(body: &Body, pose: &WorldPose) -> SpatialInertia {
    let in_world = |link: &Link| {
        let turn = DMat3::from_quat(pose.world_from_joint[link.joint.index()]);
        link.inertia.transformed(turn, pose.joint_in_world_m[link.joint.index()])
    };
    body.links().iter().map(in_world).fold(SpatialInertia::ZERO, |sum, link| sum + link)
}

fn close(a: Symmetric3, b: Symmetric3, tolerance: f64) -> bool {
    (a - b).to_mat3().to_cols_array().iter().all(|entry| entry.abs() < tolerance)
}

fn mass_of(body: &Body, name: &str) -> f64 {
    body.skeleton().find(name).and_then(|joint| body.link(joint)).map_or(0.0, |link| link.inertia.mass_kg)
}

#[test]
fn a_person_gets_the_tables_masses_on_the_right_joints() {
    let skeleton = skeleton(&person());
    for table in [MassTable::DeLeva, MassTable::DeLevaMale, MassTable::DeLevaFemale, MassTable::Winter] {
        let options = BodyOptions { table, total_mass_kg: Some(70.0), ..BodyOptions::default() };
        let body = body_of(&skeleton, &options);
        assert_eq!(body.warnings(), &[] as &[String], "{table:?}");
        assert!((body.total_mass_kg() - 70.0).abs() < 1e-12);
        let segments = tables::Segments::of(table);
        let share =
            |names: &[&str]| names.iter().map(|name| mass_of(&body, name)).sum::<f64>() / 70.0 * segments.total();
        // Winter's thorax reaches lower: T12/L1 instead of the xiphion.
        let (lumbar, thoracic): (&[&str], &[&str]) = match table {
            MassTable::Winter => (&["Spine1"], &["Spine2", "Spine3", "LeftShoulder", "RightShoulder"]),
            _ => (&["Spine1", "Spine2"], &["Spine3", "LeftShoulder", "RightShoulder"]),
        };
        for (names, expected) in [
            (&["LeftUpLeg"][..], segments.thigh.mass),
            (&["RightLeg"], segments.shank.mass),
            (&["LeftFoot", "LeftToeBase"], segments.foot.mass),
            (&["RightArm"], segments.upper_arm.mass),
            (&["LeftForeArm"], segments.forearm.mass),
            (&["LeftHand"], segments.hand.mass),
            (&["Neck", "Head"], segments.head.mass),
            (&["Hips"], segments.lower_trunk.mass),
            (lumbar, segments.middle_trunk.mass),
            (thoracic, segments.upper_trunk.mass),
        ] {
            assert!((share(names) - expected).abs() < 1e-12, "{table:?} {names:?}");
        }
        if lumbar.len() == 2 {
            // Lumbar joints of equal length share their part equally.
            assert!((mass_of(&body, "Spine1") / mass_of(&body, "Spine2") - 1.0).abs() < 1e-2);
        }
        assert!(mass_of(&body, "LeftToeBase") > 0.0 && mass_of(&body, "Neck") < mass_of(&body, "Head"));
        for part in ["UpLeg", "Leg", "Foot", "ToeBase", "Shoulder", "Arm", "ForeArm", "Hand"] {
            let [left, right] = ["Left", "Right"].map(|side| {
                let joint = skeleton.find(&format!("{side}{part}")).unwrap();
                body.link(joint).map(|link| link.inertia)
            });
            // Winter's trunk is a cylinder, too narrow to reach the shoulders.
            assert_eq!(left.is_none(), part == "Shoulder" && table == MassTable::Winter);
            let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
            assert!((left.com_m * DVec3::new(-1.0, 1.0, 1.0) - right.com_m).length() < 1e-12, "{part}");
            let mirrored = Symmetric3 { xy: -left.about_com.xy, xz: -left.about_com.xz, ..left.about_com };
            assert!(close(mirrored, right.about_com, 1e-12), "{part}");
        }
    }
}

#[test]
fn centres_of_mass_stand_at_the_height_people_have() {
    let skeleton = skeleton(&person());
    for table in [MassTable::DeLeva, MassTable::DeLevaMale, MassTable::DeLevaFemale, MassTable::Winter] {
        let body = body_of(&skeleton, &BodyOptions { table, ..BodyOptions::default() });
        let stature_m = body.stature_m().unwrap();
        assert!((stature_m - 1.75).abs() < 0.03, "{stature_m}");
        assert!((body.total_mass_kg() - 22.0 * stature_m * stature_m).abs() < 1e-9);
        let mut pose = rest_pose(&skeleton);
        // Arms from the T-pose down.
        for (side, turn) in [("Left", -1.5), ("Right", 1.5)] {
            let arm = skeleton.find(&format!("{side}Arm")).unwrap();
            for joint in skeleton.ids().filter(|&joint| skeleton.is_in_subtree(joint, arm)) {
                let turn = DQuat::from_rotation_z(turn);
                pose.world_from_joint[joint.index()] = turn;
                let shoulder_m = pose.joint_in_world_m[arm.index()];
                let from_m = pose.joint_in_world_m[joint.index()] - shoulder_m;
                pose.joint_in_world_m[joint.index()] = shoulder_m + turn * from_m;
            }
        }
        // The sole is 7.5 cm under the ankle, the floor at 0.
        let ratio = body.com_in_world_m(&pose).y / 1.75;
        // Dempster's legs are lighter, his centre of mass higher.
        let most = if table == MassTable::Winter { 0.585 } else { 0.58 };
        assert!((0.53..most).contains(&ratio), "{table:?}: {ratio}");
        // Over the feet, between heel and ball.
        let forward_m = body.com_in_world_m(&pose).z;
        assert!((-0.03..0.05).contains(&forward_m), "{table:?}: {forward_m}");
    }
}

/// Whole-body moments of inertia of men in anatomical position, about 75 kg and 1.75 m: 11–13 kg m² about the axes
/// across, 1.1–1.7 about the long axis (Chandler et al. 1975; Santschi et al. 1963: standing, arms down 12.9, 11.5,
/// 1.26 for 75.5 kg). A T-pose adds to two of them.
#[test]
fn the_whole_body_turns_like_people() {
    let skeleton = skeleton(&person());
    let options = BodyOptions { table: MassTable::DeLevaMale, total_mass_kg: Some(75.5), ..BodyOptions::default() };
    let about = glued(&body_of(&skeleton, &options), &rest_pose(&skeleton)).about_com;
    assert!((9.5..13.5).contains(&about.xx), "somersault {}", about.xx);
    assert!((11.0..16.0).contains(&about.zz), "cartwheel {}", about.zz);
    assert!((2.0..5.0).contains(&about.yy), "twist, arms out {}", about.yy);
}

/// The same person with a random frame in every joint, bones along any axis, rest pose meaningless: the clip's poses
/// tell all.
#[test]
fn local_axes_do_not_matter() {
    let plain = skeleton(&person());
    let turn = |joint: JointId| so3::exp(DVec3::new(1.3, -0.7, 2.1) * (joint.index() as f64 * 0.61).sin());
    let parent_turn = |joint: JointId| plain.parent(joint).map_or(DQuat::IDENTITY, turn);
    let twisted = plain
        .map_joints(|id, joint| {
            joint.offset_m = parent_turn(id).conjugate() * joint.offset_m;
            joint.end_sites.iter_mut().for_each(|site| site.offset_m = turn(id).conjugate() * site.offset_m);
        })
        .unwrap();
    let timeline = Timeline::Uniform(FrameTime::from_hz(30.0).unwrap());
    let locals: Vec<DQuat> = plain.ids().map(|id| parent_turn(id).conjugate() * turn(id)).collect();
    let clip = Clip::new(Arc::new(twisted), timeline, 1, locals, Vec::new()).unwrap();
    let mut pose = WorldPose::default();
    pose.pose(&clip, FrameIndex(0));
    let roles = Roles::detect_skeleton(&plain);
    let straight = body_of(&plain, &BodyOptions::default());
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    assert_eq!(body.links().len(), straight.links().len());
    for (a, b) in straight.links().iter().zip(body.links()) {
        let name = &plain.joint(a.joint).name;
        assert!((a.inertia.mass_kg - b.inertia.mass_kg).abs() < 1e-10, "{name}");
        assert!((a.inertia.com_m - turn(b.joint) * b.inertia.com_m).length() < 1e-9, "{name}");
        let turned = b.inertia.about_com.rotated(DMat3::from_quat(turn(b.joint)));
        assert!(close(a.inertia.about_com, turned, 1e-9), "{name}");
    }
}

/// Placeholder offsets that tracks replace (Bandai): the clip's own bones count.
#[test]
fn animated_bone_lengths_are_used() {
    let plain = skeleton(&person());
    let broken = Arc::new(plain.map_joints(|_, joint| joint.offset_m *= 7.0).unwrap());
    let tracks = plain
        .ids()
        .map(|joint| TranslationTrack { joint, positions_m: vec![plain.joint(joint).offset_m; 3] })
        .collect();
    let timeline = Timeline::Uniform(FrameTime::from_hz(30.0).unwrap());
    let clip = Clip::new(broken, timeline, 3, vec![DQuat::IDENTITY; 3 * plain.len()], tracks).unwrap();
    let body = Body::of_clip(&clip, &Roles::detect_skeleton(&plain), &BodyOptions::default()).unwrap();
    let straight = body_of(&plain, &BodyOptions::default());
    assert!((body.stature_m().unwrap() - straight.stature_m().unwrap()).abs() < 1e-9);
    assert!(close(glued(&body, &rest_pose(&plain)).about_com, glued(&straight, &rest_pose(&plain)).about_com, 1e-9));
}

#[test]
fn fewer_joints_move_the_mass_up_the_tree_and_lose_none() {
    let full = person();
    let whole = glued(&body_of(&skeleton(&full), &BodyOptions::default()), &rest_pose(&skeleton(&full)));
    for gone in [
        &["LeftToeBase", "RightToeBase"][..],
        &["Neck"],
        &["LeftShoulder", "RightShoulder"],
        &["LeftHand", "RightHand"],
        &["Spine1"],
        &["Spine1", "Spine2"],
        &["Spine1", "Spine2", "Spine3"],
        &["Head"],
        &["Head", "Neck"],
        &["LeftForeArm", "RightForeArm", "LeftHand", "RightHand"],
    ] {
        let skeleton = skeleton(&without(&full, gone));
        let body = body_of(&skeleton, &BodyOptions { stature_m: Some(1.755), ..BodyOptions::default() });
        let found = glued(&body, &rest_pose(&skeleton));
        assert!((found.mass_kg - 22.0 * 1.755 * 1.755).abs() < 1e-9, "{gone:?}");
        // Where a segment goes without a joint differs by centimetres at most, and it is a small part of the body.
        assert!((found.com_m - whole.com_m).length() < 0.03, "{gone:?}: {} {}", found.com_m, whole.com_m);
        for name in gone {
            assert!(skeleton.find(name).is_none());
        }
    }
}

#[test]
fn helpers_fingers_and_zero_bones_carry_no_mass_of_their_own() {
    let mut plan = person();
    let row = |name: &str, parent: &str, x: f64| (name.to_owned(), parent.to_owned(), DVec3::new(x, 0.0, 0.0));
    // A zero-length connector above the thigh, a twist bone beside the forearm, fingers on the hand.
    plan.iter_mut().find(|(name, ..)| name == "LeftUpLeg").unwrap().1 = "LHipJoint".to_owned();
    plan.insert(1, row("LHipJoint", "Hips", 0.0));
    plan.push(row("LeftForeArmTwist", "LeftForeArm", 0.12));
    plan.push(row("LeftHandIndex1", "LeftHand", 0.09));
    plan.push(row("LeftHandIndex2", "LeftHandIndex1", 0.04));
    let skeleton = skeleton(&plan);
    let body = body_of(&skeleton, &BodyOptions::default());
    for name in ["LHipJoint", "LeftForeArmTwist", "LeftHandIndex1", "LeftHandIndex2"] {
        assert!(skeleton.find(name).is_some() && mass_of(&body, name) == 0.0, "{name}");
    }
    let plain = body_of(&self::skeleton(&person()), &BodyOptions::default());
    assert!(
        (mass_of(&body, "LeftUpLeg") / body.total_mass_kg() - mass_of(&plain, "LeftUpLeg") / plain.total_mass_kg())
            .abs()
            < 1e-12
    );
}

#[test]
fn a_trunk_without_its_thorax_is_short_but_not_thin() {
    let mut plan = person();
    // As the usual conversions of the CMU captures have it: neck and shoulders at the last spine joint.
    for (name, _, offset_m) in &mut plan {
        match name.as_str() {
            "Neck" => *offset_m = DVec3::ZERO,
            "LeftShoulder" | "RightShoulder" => *offset_m = DVec3::ZERO,
            _ => {}
        }
    }
    let skeleton = skeleton(&plan);
    let body = body_of(&skeleton, &BodyOptions::default());
    assert!(body.warnings().iter().any(|warning| warning.contains("a bone may be missing")), "{:?}", body.warnings());
    let chest = body.link(skeleton.find("Spine3").unwrap()).unwrap();
    assert!(chest.inertia.about_com.is_positive_definite());
    let full = body_of(&self::skeleton(&person()), &BodyOptions::default());
    let twist = |body: &Body, skeleton: &Skeleton| {
        let link = body.link(skeleton.find("Spine3").unwrap()).unwrap();
        link.inertia.about_com.yy / link.inertia.mass_kg
    };
    assert!(twist(&body, &skeleton) > 0.6 * twist(&full, full.skeleton()));
}

#[test]
fn folding_keeps_the_body_in_its_pose() {
    let skeleton = skeleton(&person());
    let body = body_of(&skeleton, &BodyOptions::default());
    let mut pose = rest_pose(&skeleton);
    let forearm = skeleton.find("LeftForeArm").unwrap();
    pose.world_from_joint[forearm.index()] = so3::exp(DVec3::new(0.3, 0.5, -0.2));
    let (spine2, spine1) = (skeleton.find("Spine2").unwrap(), skeleton.find("Spine1").unwrap());
    let toe = |joint: JointId| skeleton.joint(joint).name.contains("ToeBase");
    let shoulder = |joint: JointId| skeleton.joint(joint).name.contains("Shoulder");
    let neck = |joint: JointId| skeleton.joint(joint).name == "Neck";
    let carrier = |joint: JointId| match joint {
        joint if joint == spine2 => spine1,
        joint if toe(joint) || shoulder(joint) || neck(joint) => skeleton.parent(joint).unwrap(),
        joint => joint,
    };
    let folded = body.folded(&pose, carrier).unwrap();
    assert_eq!((body.links().len(), folded.links().len()), (22, 16));
    let (before, after) = (glued(&body, &pose), glued(&folded, &pose));
    assert!((before.com_m - after.com_m).length() < 1e-14 && close(before.about_com, after.about_com, 1e-12));
    assert!(body.folded(&pose, |_| forearm).is_err());
}

#[test]
fn creatures_and_balls_are_guesses_of_water() {
    let mut dog = Plan::new();
    let mut add = |name: &str, parent: &str, x: f64, y: f64, z: f64| {
        dog.push((name.to_owned(), parent.to_owned(), DVec3::new(x, y, z)));
    };
    add("Hips", "", 0.0, 0.55, 0.0);
    add("Spine", "Hips", 0.0, 0.0, 0.0);
    add("Spine1", "Spine", 0.0, 0.0, 0.19);
    add("Neck", "Spine1", 0.0, 0.0, 0.225);
    add("Head", "Neck", 0.0, 0.1, 0.1);
    add("end of head", "Head", 0.0, 0.0, 0.17);
    add("Tail", "Hips", 0.0, 0.0, -0.07);
    add("end of tail", "Tail", 0.0, 0.0, -0.24);
    for (side, x) in [("Left", 0.05), ("Right", -0.05)] {
        let name = |part: &str| format!("{side}{part}");
        add(&name("Shoulder"), "Spine1", x, 0.0, 0.2);
        add(&name("Arm"), &name("Shoulder"), 0.0, -0.08, 0.0);
        add(&name("ForeArm"), &name("Arm"), 0.0, -0.152, 0.0);
        add(&name("Hand"), &name("ForeArm"), 0.0, -0.178, 0.0);
        add("end of paw", &name("Hand"), 0.0, -0.07, 0.02);
        add(&name("UpLeg"), "Hips", x, -0.08, -0.06);
        add(&name("Leg"), &name("UpLeg"), 0.0, -0.16, 0.0);
        add(&name("Foot"), &name("Leg"), 0.0, -0.18, -0.02);
        add("end of paw", &name("Foot"), 0.0, -0.1, 0.04);
    }
    let dog = skeleton(&dog);
    let roles = Roles::detect_skeleton(&dog);
    assert_eq!(roles.plan(), BodyPlan::Quadruped);
    let body = Body::of_skeleton(&dog, &roles, &BodyOptions::default()).unwrap();
    assert!(body.source().is_guess() && body.stature_m().is_none());
    assert!((12.0..30.0).contains(&body.total_mass_kg()), "{}", body.total_mass_kg());
    // The spine starts on top of the hips, which carry the rump all the same.
    assert!(mass_of(&body, "Hips") > 0.5);
    let heavy = BodyOptions { total_mass_kg: Some(31.0), ..BodyOptions::default() };
    let heavy = Body::of_skeleton(&dog, &roles, &heavy).unwrap();
    assert!((heavy.total_mass_kg() - 31.0).abs() < 1e-12);
    assert_eq!(heavy.links().len(), body.links().len());

    let ball = skeleton(&vec![("Ball".to_owned(), String::new(), DVec3::Y)]);
    let options = BodyOptions { total_mass_kg: Some(0.6), ball_radius_m: Some(0.12), ..BodyOptions::default() };
    let body = body_of(&ball, &options);
    let about = body.links()[0].inertia.about_com;
    assert!(close(about, Symmetric3::diagonal(DVec3::splat(0.4 * 0.6 * 0.12 * 0.12)), 1e-15));

    let dust = skeleton(&vec![("a".into(), String::new(), DVec3::ZERO), ("b".into(), "a".into(), DVec3::ZERO)]);
    let none = Body::of_skeleton(&dust, &Roles::detect_skeleton(&dust), &BodyOptions::default());
    assert_eq!(none, Err(PhysicsError::NoMass));
}

#[test]
fn impossible_wishes_are_refused_or_told() {
    let skeleton = skeleton(&person());
    let roles = Roles::detect_skeleton(&skeleton);
    for options in [
        BodyOptions { total_mass_kg: Some(-70.0), ..BodyOptions::default() },
        BodyOptions { total_mass_kg: Some(f64::NAN), ..BodyOptions::default() },
        BodyOptions { stature_m: Some(175.0), ..BodyOptions::default() },
    ] {
        assert!(matches!(Body::of_skeleton(&skeleton, &roles, &options), Err(PhysicsError::Option { .. })));
    }
    let child = BodyOptions { stature_m: Some(1.2), ..BodyOptions::default() };
    let child = Body::of_skeleton(&skeleton, &roles, &child).unwrap();
    assert!(child.warnings().iter().any(|warning| warning.contains("far from")), "{:?}", child.warnings());
}

#[test]
fn body_files_come_back_to_the_last_bit() {
    let skeleton = skeleton(&person());
    let body = body_of(&skeleton, &BodyOptions::default());
    let text = body.to_toml().unwrap();
    let back = Body::from_toml(&text, &skeleton).unwrap();
    assert_eq!((back.links(), back.stature_m()), (body.links(), body.stature_m()));
    assert!(back.source().title().contains("de Leva"), "{:?}", back.source());
    // Reading and writing again does not pile up words.
    assert_eq!(Body::from_toml(&back.to_toml().unwrap(), &skeleton).unwrap(), back);
    for key in ["mass_kg", "com_in_joint_m", "inertia_kg_m2", "total_mass_kg", "stature_m"] {
        assert!(text.contains(key), "{key}");
    }
}

#[test]
fn wrong_ranges_in_a_body_file_are_refused_by_name() {
    let skeleton = skeleton(&person());
    let text = body_of(&skeleton, &BodyOptions::default()).to_toml().unwrap();
    let with = |line: &str| Body::from_toml(&format!("{text}\n[range_deg]\n{line}\n"), &skeleton);
    assert_eq!(with("").unwrap().ranges(), Body::from_toml(&text, &skeleton).unwrap().ranges());
    assert_ne!(with("hip_forward = 175.0").unwrap().ranges(), with("").unwrap().ranges());
    for (line, named) in [
        ("knee_fold = nan", "range_deg.knee_fold"),
        ("knee_fold = inf", "range_deg.knee_fold"),
        ("knee_fold = -5.0", "range_deg.knee_fold"),
        ("knee_fold = 181.0", "range_deg.knee_fold"),
        ("knee_sidewise = 30.0", "knee_sidewise"),
        ("knee_fold = \"far\"", "knee_fold"),
        ("knee_fold =", "body file"),
    ] {
        let message = with(line).unwrap_err().to_string();
        assert!(message.contains(named), "{line}: {message}");
    }
}

#[test]
fn wrong_body_files_say_what_is_wrong() {
    let skeleton = skeleton(&person());
    let text = body_of(&skeleton, &BodyOptions::default()).to_toml().unwrap();
    let message = |text: &str| Body::from_toml(text, &skeleton).unwrap_err().to_string();
    let edited = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        message(&text.replacen(from, to, 1))
    };
    let unknown = edited("joint = \"LeftUpLeg\"", "joint = \"LeftThigh\"");
    assert!(unknown.contains("\"LeftThigh\"") && unknown.contains("\"Hips\""), "{unknown}");
    let twice = edited("joint = \"LeftUpLeg\"", "joint = \"RightUpLeg\"");
    assert!(twice.contains("\"RightUpLeg\" has two links"), "{twice}");
    let negative = edited("mass_kg = ", "mass_kg = -");
    assert!(negative.contains("must be positive") || negative.contains("add up"), "{negative}");
    let typo = edited("com_in_joint_m", "com_in_joint_cm");
    assert!(typo.contains("com_in_joint_cm"), "{typo}");
    assert!(edited("schema = 1", "schema = 9").contains("schema 9"));
    assert!(message("not toml at all [").starts_with("body file:"));
    assert!(message("schema = 1\nlink = []").contains("nothing to give mass to"));
    let link = "schema = 1\n[[link]]\njoint = \"Hips\"\nmass_kg = 3.0\ncom_in_joint_m = [0.0, 0.1, 0.0]\n";
    let needle = message(&format!("{link}inertia_kg_m2 = {{ xx = 1.0, yy = 0.1, zz = 0.1 }}\n"));
    assert!(needle.contains("\"Hips\"") && needle.contains("sum of the other two"), "{needle}");
    let negative = message(&format!("{link}inertia_kg_m2 = {{ xx = 1.0, yy = -0.1, zz = 1.0 }}\n"));
    assert!(negative.contains("positive definite"), "{negative}");
    let massless =
        message(&format!("{link}inertia_kg_m2 = {{ xx = 1.0, yy = 1.0, zz = 1.0 }}\n").replace("3.0", "-3.0"));
    assert!(massless.contains("\"Hips\": mass must be positive") && massless.contains("-3"), "{massless}");
}

#[test]
fn joints_of_one_name_need_their_index() {
    let twins = vec![
        ("root".into(), String::new(), DVec3::ZERO),
        ("arm".into(), "root".into(), DVec3::X),
        ("hand".into(), "root".into(), DVec3::Y),
    ];
    let twins = skeleton(&twins).map_joints(|id, joint| {
        if id.index() == 2 {
            joint.name = "arm".to_owned();
        }
    });
    let twins = Arc::new(twins.unwrap());
    let body = body_of(&twins, &BodyOptions::default());
    let text = body.to_toml().unwrap();
    assert_eq!(Body::from_toml(&text, &twins).unwrap().links(), body.links());
    let link = "schema = 1\n[[link]]\njoint = \"arm\"\nmass_kg = 3.0\ncom_in_joint_m = [0.0, 0.1, 0.0]\n\
                inertia_kg_m2 = { xx = 1.0, yy = 1.0, zz = 1.0 }\n";
    let error = Body::from_toml(link, &twins).unwrap_err().to_string();
    assert!(error.contains("occurs 2 times") && error.contains("1, 2"), "{error}");
    assert!(Body::from_toml(&format!("{link}joint_index = 0\n"), &twins).is_err());
    assert_eq!(Body::from_toml(&format!("{link}joint_index = 2\n"), &twins).unwrap().links()[0].joint.index(), 2);
}

#[test]
fn another_skeleton_is_refused_and_a_twin_is_not() {
    let skeleton = skeleton(&person());
    let body = body_of(&skeleton, &BodyOptions::default());
    assert!(body.check_skeleton(&Arc::new((*skeleton).clone())).is_ok());
    let other = self::skeleton(&without(&person(), &["Neck"]));
    let error = body.check_skeleton(&other).unwrap_err().to_string();
    assert!(error.contains("\"Neck\""), "{error}");
}

#[test]
fn shapes_hold_about_the_mass_they_stand_for() {
    let skeleton = skeleton(&person());
    let body = body_of(&skeleton, &BodyOptions::default());
    let volume_m3: f64 = body.links().iter().flat_map(|link| &link.shapes).map(Shape::volume_m3).sum();
    // Caps of limbs reach into their neighbours, trunk capsules lack the corners of their boxes.
    let ratio = volume_m3 * 1000.0 / body.total_mass_kg();
    assert!((0.8..1.3).contains(&ratio), "{ratio}");
    let roles = Roles::detect_skeleton(&skeleton);
    let foot = roles.joint(Role::Foot(Side::Left)).unwrap();
    let Shape::Box { centre_m, half_m, .. } = body.link(foot).unwrap().shapes[0] else { panic!("feet are boxes") };
    // Heel 0.25 of a 28 cm foot behind the ankle, ball 14 cm in front of it.
    assert!((centre_m.z - half_m.z + 0.07).abs() < 1e-3 && (centre_m.z + half_m.z - 0.14).abs() < 1e-3);
}
