use super::*;
use aplomb_builtins::clip as built_in;
use aplomb_motion::edit::{body_joint, turn_about_up};
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::{FrameIndex, JointId, Side, WorldPose};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::sync::LazyLock;

fn walk() -> Clip {
    static WALK: LazyLock<Clip> = LazyLock::new(|| built_in("walk").unwrap());
    WALK.clone()
}

fn body_path_m(clip: &Clip) -> Vec<DVec3> {
    let joints = clip.skeleton().len();
    let body = body_joint(clip.skeleton()).index();
    joint_positions_m(clip).chunks_exact(joints).map(|frame| frame[body]).collect()
}

#[test]
fn an_infinite_radius_is_the_same_clip() {
    let clip = walk();
    assert_eq!(Arc::new(f64::INFINITY, Side::Left).apply(&clip).unwrap(), clip);
    // A circle as large as the earth leaves the line by s²/2r: 1 µm on a walk of 4 m.
    let almost = Arc::new(6.4e6, Side::Right).apply(&clip).unwrap();
    for (bent, straight) in joint_positions_m(&almost).iter().zip(joint_positions_m(&clip)) {
        assert!((*bent - straight).length() < 5e-6);
    }
}

proptest! {
    #[test]
    fn the_body_stands_on_the_circle_where_it_stood_on_the_line(
        radius_m in 1.0..20.0f64, to_left in any::<bool>(), yaw_rad in -3.0..3.0f64,
    ) {
        let clip = turn_about_up(&walk(), yaw_rad).unwrap();
        let side = if to_left { Side::Left } else { Side::Right };
        let line = TravelLine::of(&clip).unwrap();
        let inward = if to_left { line.left() } else { -line.left() };
        let centre_m = line.start_m() + inward * radius_m;
        let bent = Arc::new(radius_m, side).apply(&clip).unwrap();
        for (frame, body_m) in clip.frames().zip(body_path_m(&bent)) {
            let place = line.place(frame);
            let beside_m = if to_left { place.beside_m } else { -place.beside_m };
            let from_centre_m = DVec3::new(body_m.x, 0.0, body_m.z) - centre_m;
            prop_assert!((from_centre_m.length() - (radius_m - beside_m)).abs() < 1e-12);
            // As far along the circle as along the line.
            let turned_rad = if to_left { place.along_m / radius_m } else { -place.along_m / radius_m };
            let expected = DQuat::from_rotation_y(turned_rad) * -inward;
            prop_assert!((from_centre_m.normalize() - expected).length() < 1e-12);
        }
    }

    #[test]
    fn poses_and_heights_stay(radius_m in 1.0..20.0f64, lead_in_m in 0.0..2.0f64, ease_m in 0.0..1.0f64) {
        let clip = walk();
        let arc = Arc { lead_in_m: Some(lead_in_m), length_m: Some(1.5), ease_m, ..Arc::new(radius_m, Side::Left) };
        let bent = arc.apply(&clip).unwrap();
        let root = JointId::new(0);
        let (mut before, mut after) = (WorldPose::default(), WorldPose::default());
        for frame in clip.frames() {
            prop_assert_eq!(&clip.rotations_at(frame)[1..], &bent.rotations_at(frame)[1..]);
            before.pose(&clip, frame);
            after.pose(&bent, frame);
            for (a, b) in before.joint_in_world_m.iter().zip(&after.joint_in_world_m) {
                prop_assert!((a.y - b.y).abs() < 1e-12);
                let (from_a, from_b) = (*a - before.joint_in_world_m[0], *b - after.joint_in_world_m[0]);
                prop_assert!((from_a.length() - from_b.length()).abs() < 1e-12);
            }
            // The root turns about the vertical only.
            let turn = bent.rotation(frame, root) * clip.rotation(frame, root).conjugate();
            prop_assert!(turn.x.abs() < 1e-12 && turn.z.abs() < 1e-12);
        }
    }
}

#[test]
fn speeds_along_the_line_are_kept() {
    let clip = walk();
    let line = TravelLine::of(&clip).unwrap();
    let bent = Arc::new(2.0, Side::Left).apply(&clip).unwrap();
    let path_m = body_path_m(&bent);
    let centre_m = line.start_m() + line.left() * 2.0;
    let level = |p: DVec3| DVec3::new(p.x, 0.0, p.z) - centre_m;
    for (frame, pair) in path_m.windows(2).enumerate() {
        let along_m = line.place(FrameIndex(frame + 1)).along_m - line.place(FrameIndex(frame)).along_m;
        let turned_rad = level(pair[0]).angle_between(level(pair[1]));
        // acos of nearly 1 keeps half the digits.
        assert!((2.0 * turned_rad - along_m.abs()).abs() < 1e-6, "frame {frame}");
    }
}

#[test]
fn the_lead_in_stays_and_the_way_out_is_straight() {
    let clip = walk();
    let line = TravelLine::of(&clip).unwrap();
    let arc = Arc { lead_in_m: Some(1.0), length_m: Some(1.0), ..Arc::new(1.0, Side::Right) };
    let moves = arc.moves(&clip).unwrap();
    for (place, by) in line.places().zip(&moves) {
        if place.along_m < 1.0 {
            assert!(by.yaw_rad == 0.0 && by.shift_m.length() < 1e-12);
        }
        if place.along_m > 2.0 {
            assert!((by.yaw_rad + 1.0).abs() < 1e-12);
        }
    }
    assert!(line.places().last().unwrap().along_m > 2.5, "the walk is long enough for this test");
}

#[test]
fn what_cannot_be_bent_is_refused() {
    let clip = walk();
    for radius_m in [0.0, -1.0, f64::NAN] {
        let error = Arc::new(radius_m, Side::Left).apply(&clip).unwrap_err();
        assert!(matches!(error, EditingError::Setting { .. }), "{error}");
    }
    let standing = built_in("wave").unwrap();
    let error = Arc::new(2.0, Side::Left).apply(&standing).unwrap_err();
    assert!(matches!(error, EditingError::DoesNotTravel { .. }), "{error}");
    let error = Arc::new(1e-3, Side::Left).apply(&clip).unwrap_err();
    assert!(matches!(error, EditingError::ArcTooTight { .. }), "{error}");
    let short = Arc { length_m: Some(0.2), ease_m: 0.5, ..Arc::new(2.0, Side::Left) };
    assert!(matches!(short.apply(&clip), Err(EditingError::Setting { .. })));
}

#[test]
fn the_radius_for_a_lean() {
    // tan 45° = 1: v²/r = g.
    let radius_m = Arc::radius_for_lean_m(9.81f64.sqrt(), std::f64::consts::FRAC_PI_4);
    assert!((radius_m - 1.0).abs() < 1e-12);
}

#[test]
fn a_stray_first_frame_does_not_tell_the_way() {
    let clip = walk();
    let mut with_stray = clip.clone();
    with_stray.rotations_at_mut(FrameIndex(0)).fill(DQuat::IDENTITY);
    with_stray.track_mut(JointId::new(0)).unwrap()[0] = DVec3::new(-3.0, 0.0, 8.0);
    let rest = aplomb_motion::edit::cut_frames(&clip, FrameIndex(1)..FrameIndex(clip.frame_count())).unwrap();
    let (line, expected) = (TravelLine::of(&with_stray).unwrap(), TravelLine::of(&rest).unwrap());
    assert!((line.ahead() - expected.ahead()).length() < 1e-12);
    assert!((line.start_m() - expected.start_m()).length() < 1e-12);
}

#[test]
fn seconds_say_which_part_of_the_way() {
    let clip = walk();
    let line = TravelLine::of(&clip).unwrap();
    let arc = Arc::new(2.0, Side::Left).between(&clip, Some(0.5), Some(1.5)).unwrap();
    let moves = arc.moves(&clip).unwrap();
    let turned_rad = (line.place(FrameIndex(180)).along_m - line.place(FrameIndex(60)).along_m) / 2.0;
    for (frame, by) in clip.frames().zip(&moves) {
        match clip.time_secs(frame) {
            secs if secs < 0.5 => assert!(by.yaw_rad.abs() < 1e-12),
            secs if secs > 1.5 => assert!((by.yaw_rad - turned_rad).abs() < 1e-12),
            _ => {}
        }
    }
    assert!(Arc::new(2.0, Side::Left).between(&clip, Some(2.0), Some(1.0)).is_err());
    assert!(Arc::new(2.0, Side::Left).between(&clip, None, Some(99.0)).is_err());
}
