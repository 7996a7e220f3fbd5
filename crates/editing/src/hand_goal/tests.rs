use super::*;
use aplomb_motion::FrameIndex;

fn drummer() -> (Clip, Roles) {
    let clip = aplomb_builtins::clip("drum").unwrap();
    let roles = Roles::detect(&clip);
    (clip, roles)
}

fn palm_m(clip: &Clip, roles: &Roles, hand: Side, frame: usize) -> (DVec3, DQuat) {
    let arm = Arm::of(clip.skeleton(), roles, hand, HandPoint::Palm).unwrap();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    pose.pose(clip, FrameIndex(frame));
    (arm.point_m(&pose), pose.world_from_joint[arm.joints[2].index()])
}

fn goal(to_m: DVec3) -> HandGoal {
    HandGoal { hand: Side::Right, at_secs: 2.0, to_m, window_secs: 0.35, point: HandPoint::Palm }
}

#[test]
fn a_hand_is_there_on_time_and_turned_as_it_was() {
    let (clip, roles) = drummer();
    let (start_m, turned) = palm_m(&clip, &roles, Side::Right, 240);
    for by in [DVec3::new(0.0, 0.1, 0.0), DVec3::new(-0.05, 0.0, -0.03), DVec3::new(0.03, -0.06, -0.05)] {
        let (out, reached) = goal(start_m + by).apply(&clip, &roles).unwrap();
        assert!(reached.reach_share < EASY_REACH, "{reached:?}");
        // Within reach the search is exact but for what its turns cost.
        assert!(reached.error_m < 1e-4 && reached.turned_deg < 0.3, "{reached:?}");
        let (there_m, orientation) = palm_m(&out, &roles, Side::Right, 240);
        assert!(there_m.distance(start_m + by) < 1e-4, "{}", there_m.distance(start_m + by));
        assert!(so3::angle_between(orientation, turned).to_degrees() < 0.3);
        // Beyond the window nothing changes.
        for frame in [0, 190, 290, 700] {
            assert_eq!(out.rotations_at(FrameIndex(frame)), clip.rotations_at(FrameIndex(frame)), "frame {frame}");
        }
        // Some 90 steps, and eight in each stage before the last: four stages to 10 cm.
        assert!(reached.iterations > 0 && reached.iterations < 150, "{}", reached.iterations);
    }
}

#[test]
fn beyond_its_reach_an_arm_points_there_and_says_how_far_it_is_off() {
    let (clip, roles) = drummer();
    let (_, reached) = goal(DVec3::new(-0.2, 1.2, 3.0)).apply(&clip, &roles).unwrap();
    assert!(reached.reach_share > 2.0 && reached.error_m > 1.0, "{reached:?}");
}

#[test]
fn goals_that_make_no_sense_are_named() {
    let (clip, roles) = drummer();
    let at = |at_secs| HandGoal { at_secs, ..goal(DVec3::ONE) };
    for bad in [at(-1.0), at(100.0), at(f64::NAN), goal(DVec3::NAN), HandGoal { window_secs: 0.0, ..goal(DVec3::ONE) }]
    {
        assert!(matches!(bad.apply(&clip, &roles), Err(EditingError::Setting { .. })), "{bad:?}");
    }
    let ball = aplomb_builtins::clip("ball").unwrap();
    let roles = Roles::detect(&ball);
    let early = HandGoal { at_secs: 0.1, ..goal(DVec3::ONE) };
    assert!(matches!(early.apply(&ball, &roles), Err(EditingError::NoLimb { .. })));
}
