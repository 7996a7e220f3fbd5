use super::*;
use aplomb_motion::{Channels, FrameTime, Timeline, WorldPose};
use proptest::prelude::*;
use std::sync::Arc;

const UPPER_M: f64 = 0.43;
const LOWER_M: f64 = 0.41;

/// Hips, a leg with spare joints inside both bones, and a foot.
fn leg_with_twist_bones() -> (Skeleton, [JointId; 3]) {
    let mut builder = Skeleton::builder();
    let mut add = |parent, name: &str, x, y, z| builder.add(parent, name, DVec3::new(x, y, z), Channels::default());
    let hips = add(None, "Hips", 0.0, 1.0, 0.0);
    let thigh = add(Some(hips), "Thigh", 0.1, 0.0, 0.0);
    let thigh_twist = add(Some(thigh), "ThighTwist", 0.0, -0.2, 0.01);
    let shank = add(Some(thigh_twist), "Shank", 0.0, -(UPPER_M - 0.2), 0.0);
    let shank_twist = add(Some(shank), "ShankTwist", 0.0, -0.1, 0.0);
    let foot = add(Some(shank_twist), "Foot", 0.0, -(LOWER_M - 0.1), 0.0);
    (builder.build().unwrap(), [thigh, shank, foot])
}

fn unit_quat() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0..1.0f64)
        .prop_filter("not zero", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|q| DQuat::from_array(q).normalize())
}

fn direction() -> impl Strategy<Value = DVec3> {
    unit_quat().prop_map(|q| q * DVec3::Z)
}

fn knee() -> Hinge {
    Hinge::about(DVec3::X)
}

/// World positions of the three joints for given locals.
fn positions(skeleton: &Skeleton, rotations: &[DQuat], limb: [JointId; 3]) -> ([DVec3; 3], DQuat) {
    let timeline = Timeline::Uniform(FrameTime::from_hz(120.0).unwrap());
    let clip = Clip::new(Arc::new(skeleton.clone()), timeline, 1, rotations.to_vec(), vec![]).unwrap();
    let mut pose = WorldPose::default();
    pose.pose(&clip, FrameIndex(0));
    (limb.map(|joint| pose.joint_in_world_m[joint.index()]), pose.world_from_joint[limb[2].index()])
}

/// Solves for a goal from a pose and gives the joints' new positions.
fn solved(reach: Reach, hinge: Hinge, rotations: &mut [DQuat], goal: &LimbGoal) -> ([DVec3; 3], DQuat, LimbSolution) {
    let (skeleton, limb) = leg_with_twist_bones();
    let ik = LimbIk::new(&skeleton, limb, hinge, reach).unwrap();
    let hip_m = rotations[0] * DVec3::new(0.1, 0.0, 0.0) + DVec3::Y;
    let place = (rotations[0], hip_m);
    let solution = ik.solve(&skeleton, place, rotations, goal);
    let (at, world_from_foot) = positions(&skeleton, rotations, limb);
    (at, world_from_foot, solution)
}

fn bent(flexion_rad: f64) -> Vec<DQuat> {
    let mut rotations = vec![DQuat::IDENTITY; 6];
    rotations[3] = DQuat::from_rotation_x(flexion_rad);
    rotations
}

proptest! {
    /// Any pose, spare joints turned too, any reachable goal: reached, bones unchanged, foot's rotation as asked,
    /// swivel as asked.
    #[test]
    fn reachable_goals_are_reached(
        hips in unit_quat(), thigh in unit_quat(), shank in 0.05..2.4f64, twists in prop::array::uniform2(-0.5..0.5f64),
        towards in direction(), distance_m in 0.2..0.82f64, foot in unit_quat(), pole in direction(), angle_rad in -3.0..3.0f64,
    ) {
        let mut rotations = bent(shank);
        rotations[0] = hips;
        rotations[1] = thigh;
        rotations[2] = DQuat::from_rotation_y(twists[0]);
        rotations[4] = DQuat::from_rotation_y(twists[1]);
        let (skeleton, limb) = leg_with_twist_bones();
        let (before, _) = positions(&skeleton, &rotations, limb);
        prop_assume!(pole.cross(towards).length() > 0.01);
        let goal = LimbGoal {
            end_in_world_m: before[0] + towards * distance_m,
            end_rotation: EndRotation::World(foot),
            swivel: Swivel::About { reference_in_world: pole, angle_rad },
        };
        let (after, world_from_foot, solution) = solved(Reach::HARD, knee(), &mut rotations, &goal);
        prop_assert!((after[2] - goal.end_in_world_m).length() < 1e-12, "{}", (after[2] - goal.end_in_world_m).length());
        prop_assert!(solution.miss_m < 1e-12);
        prop_assert!((after[0] - before[0]).length() < 1e-15);
        for bone in 0..2 {
            let length = |at: &[DVec3; 3]| (at[bone + 1] - at[bone]).length();
            prop_assert!((length(&after) - length(&before)).abs() < 1e-14);
        }
        prop_assert!(world_from_foot.dot(foot).abs() > 1.0 - 1e-14);
        prop_assert!(rotations[2] == DQuat::from_rotation_y(twists[0]) && rotations[4] == DQuat::from_rotation_y(twists[1]));
    }

    /// Solving for where the foot already is changes nothing.
    #[test]
    fn a_pose_is_its_own_solution(hips in unit_quat(), thigh in unit_quat(), shank in 0.05..2.8f64, foot in unit_quat()) {
        let mut rotations = bent(shank);
        (rotations[0], rotations[1], rotations[5]) = (hips, thigh, foot);
        let original = rotations.clone();
        let (skeleton, limb) = leg_with_twist_bones();
        let (before, _) = positions(&skeleton, &rotations, limb);
        for end_rotation in [EndRotation::KeptInWorld, EndRotation::KeptLocal] {
            let goal = LimbGoal { end_in_world_m: before[2], end_rotation, swivel: Swivel::Kept { turn_rad: 0.0 } };
            solved(Reach::HARD, knee(), &mut rotations, &goal);
            for (new, old) in rotations.iter().zip(&original) {
                // √ε: near straight the flexion is the arc cosine of a number next to 1.
                prop_assert!(new.dot(*old).abs() > 1.0 - 1e-14);
            }
        }
    }

    /// The knee's distance from the line hip → foot points where the swivel says (the hinge stands square to the bones
    /// here).
    #[test]
    fn the_knee_points_where_the_swivel_says(thigh in unit_quat(), towards in direction(), pole in direction(), turn in -3.0..3.0f64) {
        prop_assume!(pole.cross(towards).length() > 0.05);
        let mut builder = Skeleton::builder();
        let hip = builder.add(None, "Thigh", DVec3::ZERO, Channels::default());
        let knee_joint = builder.add(Some(hip), "Shank", -DVec3::Y * UPPER_M, Channels::default());
        let ankle = builder.add(Some(knee_joint), "Foot", -DVec3::Y * LOWER_M, Channels::default());
        let skeleton = builder.build().unwrap();
        let ik = LimbIk::new(&skeleton, [hip, knee_joint, ankle], knee(), Reach::HARD).unwrap();
        let mut rotations = vec![thigh, DQuat::from_rotation_x(0.7), DQuat::IDENTITY];
        let goal = LimbGoal {
            end_in_world_m: towards * 0.6,
            end_rotation: EndRotation::KeptLocal,
            swivel: Swivel::About { reference_in_world: pole, angle_rad: turn },
        };
        ik.solve(&skeleton, (DQuat::IDENTITY, DVec3::ZERO), &mut rotations, &goal);
        let knee_m = rotations[0] * (-DVec3::Y * UPPER_M);
        let side = (knee_m - towards * knee_m.dot(towards)).normalize();
        let wanted = DQuat::from_axis_angle(towards, turn) * (pole - towards * pole.dot(towards)).normalize();
        prop_assert!((side - wanted).length() < 1e-10, "{side} {wanted}");
    }
}

/// Solves one frame of a clip in place; `pose` is the world pose of that frame.
fn solve_frame(limb: &LimbIk, clip: &mut Clip, frame: FrameIndex, pose: &WorldPose, goal: &LimbGoal) -> LimbSolution {
    let root = limb.root();
    let parent = clip.skeleton().parent(root);
    let world_from_parent = parent.map_or(DQuat::IDENTITY, |p| pose.world_from_joint[p.index()]);
    limb.solve_placed(clip, frame, (world_from_parent, pose.joint_in_world_m[root.index()]), goal)
}

#[test]
fn the_limb_passes_through_full_extension_without_a_pop() {
    let (mut fastest, mut fastest_hard) = (0.0_f64, 0.0_f64);
    for (reach, fastest) in [(Reach::default(), &mut fastest), (Reach::HARD, &mut fastest_hard)] {
        let mut rotations = bent(0.8);
        let mut last: Option<f64> = None;
        // A goal that runs 1 m/s straight down through full reach (0.84 m and a little) and beyond, in steps of 0.1 ms.
        for step in 0..4000 {
            let distance_m = 0.7 + step as f64 * 1e-4;
            let hip_m = DVec3::new(0.1, 1.0, 0.0);
            let goal = LimbGoal {
                end_in_world_m: hip_m - DVec3::Y * distance_m,
                end_rotation: EndRotation::KeptInWorld,
                swivel: Swivel::About { reference_in_world: DVec3::Z, angle_rad: 0.0 },
            };
            let (at, _, solution) = solved(reach, knee(), &mut rotations, &goal);
            assert!(solution.flexion_rad >= 0.0 && at[1].z > -0.02, "knee bent forwards at {distance_m}");
            if let Some(last) = last {
                *fastest = fastest.max((solution.flexion_rad - last).abs() / 1e-4);
            }
            last = Some(solution.flexion_rad);
        }
    }
    // Straightening at 1 m/s: 2·√(2/(0.01·L))/L ≈ 17 rad/s at the start of the eased zone, and hundreds without it.
    assert!(fastest < 25.0, "{fastest}");
    assert!(fastest_hard > 4.0 * fastest, "{fastest_hard} {fastest}");
}

#[test]
fn the_swivel_is_continuous_through_full_extension_and_back() {
    let mut rotations = bent(0.8);
    let mut last: Option<DQuat> = None;
    for step in 0..2000 {
        let phase = step as f64 * 1e-3 * std::f64::consts::TAU;
        let hip_m = DVec3::new(0.1, 1.0, 0.0);
        let direction = DVec3::new(0.2 * phase.sin(), -1.0, 0.3 * phase.cos()).normalize();
        let goal = LimbGoal {
            // From 0.74 to 0.94: in and out of reach.
            end_in_world_m: hip_m + direction * (0.84 + 0.1 * (3.0 * phase).sin()),
            end_rotation: EndRotation::KeptInWorld,
            swivel: Swivel::Kept { turn_rad: 0.0 },
        };
        solved(Reach::default(), knee(), &mut rotations, &goal);
        if let Some(last) = last {
            // 0.1 m amplitude at 3 cycles a second of phase: up to 25 rad/s of hip, 1 ms a step.
            assert!(aplomb_motion::so3::angle_between(last, rotations[1]) < 0.03, "step {step}");
        }
        last = Some(rotations[1]);
    }
}

#[test]
fn easing_is_exact_inside_and_stays_below_the_limit() {
    let reach = Reach { exact_share: 0.99 };
    let range = (0.2, 0.8);
    assert_eq!(reach.ease(0.79, range), 0.79);
    assert_eq!(reach.ease(0.5, range), 0.5);
    let mut last = 0.0;
    for step in 0..2000 {
        let eased = reach.ease(step as f64 * 1e-3, range);
        assert!(eased >= last && (0.2..=0.8).contains(&eased));
        last = eased;
    }
    // Value and slope join at both ends of the exact zone.
    for (edge, side) in [(0.792, 1.0), (0.208, -1.0)] {
        let beyond = reach.ease(edge + side * 1e-6, range) - reach.ease(edge, range);
        assert!((beyond - side * 1e-6).abs() < 1e-9, "{beyond}");
    }
}

#[test]
fn limits_of_the_hinge_hold() {
    let hinge = Hinge { min_rad: 0.2, max_rad: 2.0, ..knee() };
    for (distance_m, expected) in [(2.0, 0.2), (0.01, 2.0)] {
        let goal = LimbGoal {
            end_in_world_m: DVec3::new(0.1, 1.0 - distance_m, 0.0),
            end_rotation: EndRotation::KeptInWorld,
            swivel: Swivel::Kept { turn_rad: 0.0 },
        };
        let (_, _, solution) = solved(Reach::HARD, hinge, &mut bent(0.8), &goal);
        assert!((solution.flexion_rad - expected).abs() < 1e-9, "{}", solution.flexion_rad);
        assert!(solution.miss_m > 0.05);
    }
}

#[test]
fn a_knee_bent_backwards_by_noise_comes_back_to_its_own_side() {
    let mut rotations = bent(-0.03);
    let goal = LimbGoal {
        end_in_world_m: DVec3::new(0.1, 0.3, 0.0),
        end_rotation: EndRotation::KeptInWorld,
        swivel: Swivel::Kept { turn_rad: 0.0 },
    };
    let (at, _, solution) = solved(Reach::default(), knee(), &mut rotations, &goal);
    assert!(solution.flexion_rad > 0.5 && at[1].z > 0.1, "{:?}", at[1]);
    assert!((at[2] - goal.end_in_world_m).length() < 1e-12);
}

/// CMU 141 stands with knees bent 14° past straight: where nothing is edited they flipped by 19 cm in a frame.
#[test]
fn a_knee_that_stands_past_straight_stays_there_and_comes_round_evenly() {
    let start = solved_at(bent(-0.25), None);
    let hip_m = DVec3::new(0.1, 1.0, 0.0);
    let from_m = start[2].distance(hip_m);
    let mut last = start;
    // From a hair nearer to 20 cm nearer: 0.1 mm a step.
    for step in 1..2000 {
        let distance_m = from_m - f64::from(step) * 1e-4;
        let at = solved_at(bent(-0.25), Some(distance_m));
        assert!((at[2].distance(hip_m) - distance_m).abs() < 1e-9);
        // Half way round, a knee 12 cm off the line makes half a turn while the foot comes 4.4 cm nearer: 0.12 π/0.044
        // = 8 times as far, 1.5 of it at its fastest, and 3.5 outwards besides.
        assert!(at[1].distance(last[1]) < 14e-4, "{distance_m}: {}", at[1].distance(last[1]));
        if step == 1 {
            assert!(at[1].distance(start[1]) < 1e-3);
        }
        last = at;
    }
    // In front of the line from hip to foot, or behind it.
    let side_m = |[hip_m, knee_m, foot_m]: [DVec3; 3]| {
        let line = (foot_m - hip_m).normalize();
        ((knee_m - hip_m) - line * (knee_m - hip_m).dot(line)).z
    };
    assert!(side_m(start) < -0.03 && side_m(last) > 0.1, "{} {}", side_m(start), side_m(last));
}

fn solved_at(mut rotations: Vec<DQuat>, distance_m: Option<f64>) -> [DVec3; 3] {
    let (skeleton, limb) = leg_with_twist_bones();
    let (at, _) = positions(&skeleton, &rotations, limb);
    let Some(distance_m) = distance_m else { return at };
    let goal = LimbGoal {
        end_in_world_m: at[0] + (at[2] - at[0]).normalize() * distance_m,
        end_rotation: EndRotation::KeptInWorld,
        swivel: Swivel::Kept { turn_rad: 0.0 },
    };
    solved(Reach::HARD, knee(), &mut rotations, &goal).0
}

#[test]
fn goals_at_the_hip_itself_and_behind_it_stay_finite() {
    for end_in_world_m in [DVec3::new(0.1, 1.0, 0.0), DVec3::new(0.1, 1.6, 0.0)] {
        let goal = LimbGoal {
            end_in_world_m,
            end_rotation: EndRotation::KeptInWorld,
            swivel: Swivel::About { reference_in_world: DVec3::Y, angle_rad: 0.0 },
        };
        let mut rotations = bent(0.8);
        let (at, _, _) = solved(Reach::HARD, knee(), &mut rotations, &goal);
        assert!(at.iter().all(|p| p.is_finite()) && rotations.iter().all(|q| q.is_normalized()));
    }
}

#[test]
fn the_axis_is_found_from_the_motion_and_not_from_straight_frames() {
    let (skeleton, limb) = leg_with_twist_bones();
    let timeline = Timeline::Uniform(FrameTime::from_hz(120.0).unwrap());
    let axis = DVec3::new(0.9, 0.1, -0.3).normalize();
    let frames = 20;
    let mut rotations = vec![DQuat::IDENTITY; frames * skeleton.len()];
    for frame in 0..frames {
        rotations[frame * skeleton.len() + 3] = DQuat::from_axis_angle(axis, 0.06 * frame as f64);
    }
    let clip = Clip::new(Arc::new(skeleton), timeline.clone(), frames, rotations, vec![]).unwrap();
    let found = hinge_axis_from_motion(&clip, limb).unwrap();
    // The shank is not square to this axis, so the plane's normal is only near it.
    assert!(found.dot(DVec3::X) > 0.9, "{found}");
    let still = Clip::at_rest(clip.skeleton().clone(), timeline, 3).unwrap();
    // The spare joint's centimetre bends the rest pose by 1.3°, less than what counts.
    assert_eq!(hinge_axis_from_motion(&still, limb), None);
}

#[test]
fn wrong_limbs_and_settings_are_refused() {
    let (skeleton, [thigh, shank, foot]) = leg_with_twist_bones();
    let new = |limb, hinge, reach| LimbIk::new(&skeleton, limb, hinge, reach);
    assert!(matches!(new([shank, thigh, foot], knee(), Reach::HARD), Err(EditingError::NotAChain { .. })));
    assert!(matches!(new([thigh, thigh, foot], knee(), Reach::HARD), Err(EditingError::NotAChain { .. })));
    let stray = JointId::new(99);
    assert!(matches!(new([thigh, shank, stray], knee(), Reach::HARD), Err(EditingError::UnknownJoint { .. })));
    let limb = [thigh, shank, foot];
    assert!(new(limb, Hinge::about(DVec3::ZERO), Reach::HARD).is_err());
    assert!(new(limb, Hinge { min_rad: 1.0, max_rad: 0.5, ..knee() }, Reach::HARD).is_err());
    assert!(new(limb, knee(), Reach { exact_share: 1.5 }).is_err());
}

/// A person in a straight T-pose, with a spare joint inside every forearm and thigh if asked for.
fn person(has_twist_bones: bool) -> Clip {
    let mut builder = Skeleton::builder();
    let mut add = |parent, name: String, x, y| builder.add(parent, name, DVec3::new(x, y, 0.0), Channels::default());
    let hips = add(None, "Hips".into(), 0.0, 0.9);
    let spine = add(Some(hips), "Spine".into(), 0.0, 0.3);
    let neck = add(Some(spine), "Neck".into(), 0.0, 0.3);
    add(Some(neck), "Head".into(), 0.0, 0.1);
    for (side, s) in [("Left", 1.0), ("Right", -1.0)] {
        let arm = add(Some(spine), format!("{side}Arm"), s * 0.2, 0.2);
        let forearm = add(Some(arm), format!("{side}ForeArm"), s * 0.3, 0.0);
        let thigh = add(Some(hips), format!("{side}UpLeg"), s * 0.1, 0.0);
        if has_twist_bones {
            let forearm_twist = add(Some(forearm), format!("{side}ForeArmTwist"), s * 0.1, 0.0);
            add(Some(forearm_twist), format!("{side}Hand"), s * 0.15, 0.0);
            let thigh_twist = add(Some(thigh), format!("{side}UpLegTwist"), 0.0, -0.2);
            let shank = add(Some(thigh_twist), format!("{side}Leg"), 0.0, -0.22);
            add(Some(shank), format!("{side}Foot"), 0.0, -0.42);
        } else {
            add(Some(forearm), format!("{side}Hand"), s * 0.25, 0.0);
            let shank = add(Some(thigh), format!("{side}Leg"), 0.0, -0.42);
            add(Some(shank), format!("{side}Foot"), 0.0, -0.42);
        }
    }
    let timeline = Timeline::Uniform(FrameTime::from_hz(120.0).unwrap());
    Clip::at_rest(Arc::new(builder.build().unwrap()), timeline, 2).unwrap()
}

/// A straight T-pose: only anatomy can tell how its limbs bend.
#[test]
fn limbs_that_never_bend_get_their_hinge_from_anatomy() {
    let clip = person(false);
    let roles = Roles::detect(&clip);
    let axis = |side, kind| LimbIk::for_role(&clip, &roles, side, kind, Reach::HARD).unwrap().hinge().axis_in_parent;
    assert!((axis(Side::Left, LimbKind::Leg) - DVec3::X).length() < 1e-12);
    assert!((axis(Side::Right, LimbKind::Leg) - DVec3::X).length() < 1e-12);
    // Forearms come forward: the left one about −Y, the right one about +Y.
    assert!((axis(Side::Left, LimbKind::Arm) - DVec3::NEG_Y).length() < 1e-12);
    assert!((axis(Side::Right, LimbKind::Arm) - DVec3::Y).length() < 1e-12);
    let shank = clip.skeleton().find("LeftLeg").unwrap();
    let roles = roles.with_overrides(&[(shank, None)]);
    let none = LimbIk::for_role(&clip, &roles, Side::Left, LimbKind::Leg, Reach::HARD);
    let told = none.unwrap_err().to_string();
    assert!(told.contains("left leg") && told.contains("recognised as left_shank"), "{told}");
    assert!(told.contains("found left_thigh and left_foot") && told.contains("roles file"), "{told}");
}

/// All four limbs as roles name them, with and without spare joints: hands and feet reach their goals, elbows and
/// knees bend their own way, and spare joints keep what they had.
#[test]
fn arms_and_legs_of_roles_are_solved_with_and_without_spare_joints() {
    for has_twist_bones in [false, true] {
        let mut clip = person(has_twist_bones);
        let twist_rad = 0.4;
        let skeleton = Arc::clone(clip.skeleton());
        for joint in skeleton.ids().filter(|&id| skeleton.joint(id).name.ends_with("Twist")) {
            clip.set_rotation(FrameIndex(0), joint, DQuat::from_rotation_x(twist_rad));
        }
        let roles = Roles::detect(&clip);
        let mut pose = WorldPose::default();
        for (side, s) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            for kind in [LimbKind::Arm, LimbKind::Leg] {
                let limb = LimbIk::for_role(&clip, &roles, side, kind, Reach::default()).unwrap();
                assert_eq!(limb.chain().len(), if has_twist_bones { 4 } else { 3 }, "{side:?} {kind:?}");
                pose.pose(&clip, FrameIndex(0));
                let root_m = pose.joint_in_world_m[limb.root().index()];
                let goal = LimbGoal {
                    // In front: hands at chest height, feet a step ahead.
                    end_in_world_m: root_m
                        + if kind == LimbKind::Arm {
                            DVec3::new(s * 0.2, -0.1, 0.3)
                        } else {
                            DVec3::new(0.0, -0.7, 0.3)
                        },
                    end_rotation: EndRotation::KeptInWorld,
                    swivel: Swivel::Kept { turn_rad: 0.0 },
                };
                let solution = solve_frame(&limb, &mut clip, FrameIndex(0), &pose, &goal);
                assert!(solution.miss_m < 1e-12 && solution.flexion_rad > 0.3, "{side:?} {kind:?}: {solution:?}");
                pose.pose(&clip, FrameIndex(0));
                let [_, middle_m, end_m] =
                    [limb.root(), limb.middle(), limb.end()].map(|joint| pose.joint_in_world_m[joint.index()]);
                assert!((end_m - goal.end_in_world_m).length() < 1e-12);
                // Knees in front of the line from hip to foot, elbows behind the line from shoulder to hand.
                let line = (end_m - root_m).normalize();
                let out = (middle_m - root_m) - line * (middle_m - root_m).dot(line);
                assert!(if kind == LimbKind::Leg { out.z > 0.05 } else { out.z < -0.02 }, "{side:?} {kind:?}: {out}");
                for &joint in limb.chain().iter().filter(|&&id| clip.skeleton().joint(id).name.ends_with("Twist")) {
                    assert_eq!(clip.rotation(FrameIndex(0), joint), DQuat::from_rotation_x(twist_rad));
                }
            }
        }
    }
}

/// A hinge with limits of its own comes to rest at both of them as gently as a straight limb does at full reach.
#[test]
fn limits_are_reached_without_a_pop() {
    let hinge = Hinge { min_rad: 0.3, max_rad: 2.0, ..knee() };
    let mut rotations = bent(0.8);
    let (mut last, mut fastest) = (None::<f64>, 0.0_f64);
    let (mut least_rad, mut most_rad) = (f64::INFINITY, 0.0_f64);
    // The foot runs 1 m/s from 1.2 m away to the hip, in steps of 0.1 ms.
    for step in 0..12_000 {
        let goal = LimbGoal {
            end_in_world_m: DVec3::new(0.1, 1.0, 0.0) - DVec3::Y * (1.2 - step as f64 * 1e-4),
            end_rotation: EndRotation::KeptInWorld,
            swivel: Swivel::About { reference_in_world: DVec3::Z, angle_rad: 0.0 },
        };
        let (_, _, solution) = solved(Reach::default(), hinge, &mut rotations, &goal);
        (least_rad, most_rad) = (least_rad.min(solution.flexion_rad), most_rad.max(solution.flexion_rad));
        fastest = last.map_or(fastest, |last| fastest.max((solution.flexion_rad - last).abs() / 1e-4));
        last = Some(solution.flexion_rad);
    }
    assert!((0.3..0.301).contains(&least_rad) && (1.999..=2.0).contains(&most_rad), "{least_rad} {most_rad}");
    // 1 m/s at a flexion of 0.3: dφ/dD = D/(ab sin φ) = 0.83/(0.43·0.41·0.3) ≈ 16 rad/m.
    assert!(fastest < 18.0, "{fastest}");
}

/// Bones that change their length from frame to frame are taken as they are in that frame.
#[test]
fn bones_that_stretch_are_as_long_as_in_their_frame() {
    let (skeleton, limb) = leg_with_twist_bones();
    let timeline = Timeline::Uniform(FrameTime::from_hz(120.0).unwrap());
    let offset_m = skeleton.joint(limb[1]).offset_m;
    let track = aplomb_motion::TranslationTrack { joint: limb[1], positions_m: vec![offset_m, offset_m * 1.2] };
    let rotations = [bent(0.8), bent(0.8)].concat();
    let mut clip = Clip::new(Arc::new(skeleton), timeline, 2, rotations, vec![track]).unwrap();
    let ik = LimbIk::new(clip.skeleton(), limb, knee(), Reach::HARD).unwrap();
    let mut pose = WorldPose::default();
    for frame in clip.frames() {
        pose.pose(&clip, frame);
        let goal = LimbGoal {
            end_in_world_m: DVec3::new(0.15, 0.35, 0.2),
            end_rotation: EndRotation::KeptInWorld,
            swivel: Swivel::Kept { turn_rad: 0.0 },
        };
        assert!(solve_frame(&ik, &mut clip, frame, &pose, &goal).miss_m < 1e-12);
        pose.pose(&clip, frame);
        assert!((pose.joint_in_world_m[limb[2].index()] - goal.end_in_world_m).length() < 1e-12, "{frame}");
    }
}
