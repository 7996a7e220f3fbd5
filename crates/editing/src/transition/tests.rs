use super::*;
use crate::arc::TravelLine;
use aplomb_builtins::clip as built_in;
use aplomb_motion::edit::{move_on_ground, resample};
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::{FrameTime, Timeline};
use proptest::prelude::*;
use std::sync::LazyLock;

static WALK: LazyLock<Clip> = LazyLock::new(|| built_in("walk").unwrap());
static RUN: LazyLock<Clip> = LazyLock::new(|| built_in("run").unwrap());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A motion goes over into itself, wherever the copy stands.
    #[test]
    fn into_itself_changes_nothing(yaw_rad in -3.0..3.0f64, x in -5.0..5.0f64, z in -5.0..5.0f64, from_secs in 0.3..1.0f64) {
        let by = GroundMove { yaw_rad, shift_m: DVec3::new(x, 0.0, z) };
        let moved = move_on_ground(&WALK, &by).unwrap();
        let into_secs = Some((from_secs * 120.0).round() / 120.0);
        let made = Transition { from_secs, to_secs: from_secs + 0.4, into_secs }.apply(&WALK, &moved).unwrap();
        prop_assert!(made.apart_m < 1e-9);
        prop_assert_eq!(made.clip.frame_count(), WALK.frame_count());
        for (found_m, own_m) in joint_positions_m(&made.clip).iter().zip(joint_positions_m(&WALK)) {
            prop_assert!((*found_m - own_m).length() < 1e-9);
        }
    }
}

#[test]
fn walk_to_run_speeds_up_without_slowing_down_first() {
    let made = Transition { from_secs: 1.0, to_secs: 1.6, into_secs: None }.apply(&WALK, &RUN).unwrap();
    let clip = &made.clip;
    let (walk_speed, run_speed) = (TravelLine::of(&WALK).unwrap().speed(), TravelLine::of(&RUN).unwrap().speed());
    let path_m = body_path(clip);
    let mean_speed = |from_secs: f64, to_secs: f64| {
        let at = |secs: f64| path_m[(secs * 120.0) as usize];
        at(to_secs).distance(at(from_secs)) / (to_secs - from_secs)
    };
    // Over tenths of a second the walk itself keeps within a tenth of its mean speed.
    let through: Vec<f64> =
        (0..9).map(|step| mean_speed(0.9 + 0.1 * f64::from(step), 1.0 + 0.1 * f64::from(step))).collect();
    assert!(through.iter().all(|&speed| speed > 0.85 * walk_speed), "{through:?} {walk_speed}");
    // Over a step of the run, which is about as long as three of them.
    let last_speed = through[6..].iter().sum::<f64>() / 3.0;
    assert!((last_speed / run_speed - 1.0).abs() < 0.1, "{through:?} {run_speed}");
    // The window is the only place where anything is new.
    assert_eq!(clip.rotations_at(FrameIndex(119)), WALK.rotations_at(FrameIndex(119)));
    let into = (made.into_secs * 120.0).round() as usize;
    assert_eq!(clip.frame_count(), 120 + RUN.frame_count() - into);
}

#[test]
fn nothing_jumps() {
    let made = Transition { from_secs: 1.0, to_secs: 1.5, into_secs: None }.apply(&WALK, &RUN).unwrap();
    let joints = WALK.skeleton().len();
    let fastest = |clip: &Clip| {
        let positions_m = joint_positions_m(clip);
        positions_m.iter().zip(&positions_m[joints..]).map(|(a, b)| a.distance(*b) * 120.0).fold(0.0, f64::max)
    };
    assert!(fastest(&made.clip) < 1.2 * fastest(&RUN), "{} {}", fastest(&made.clip), fastest(&RUN));
}

#[test]
fn the_way_goes_straight_on() {
    let made = Transition { from_secs: 0.8, to_secs: 1.3, into_secs: None }.apply(&WALK, &RUN).unwrap();
    let line = TravelLine::of(&made.clip).unwrap();
    let widest_m = line.places().map(|place| place.beside_m.abs()).fold(0.0, f64::max);
    assert!(widest_m < 0.1, "{widest_m}");
}

#[test]
fn the_best_meeting_is_found() {
    // A copy that starts 0.25 s later in the stride must be entered 0.25 s earlier.
    let later = cut_frames(&WALK, FrameIndex(30)..FrameIndex(WALK.frame_count())).unwrap();
    let made = Transition { from_secs: 1.0, to_secs: 1.4, into_secs: None }.apply(&WALK, &later).unwrap();
    assert!(made.apart_m < 1e-6);
    let stride_secs = WALK.duration_secs() / 3.0;
    let off_secs = (made.into_secs - 0.75).rem_euclid(stride_secs);
    assert!(off_secs < 0.01 || off_secs > stride_secs - 0.01, "{} {stride_secs}", made.into_secs);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |transition: Transition, b: &Clip| transition.apply(&WALK, b).unwrap_err();
    let over = |from_secs, to_secs, into_secs| Transition { from_secs, to_secs, into_secs };
    for (from_secs, to_secs) in [(1.0, 0.5), (-2.0, 0.5), (1.0, 99.0), (f64::NAN, 1.0)] {
        let error = refused(over(from_secs, to_secs, None), &RUN);
        assert!(matches!(error, EditingError::EmptySpan { .. }), "{error}");
    }
    let error = refused(over(0.5, 1.0, Some(50.0)), &RUN);
    assert!(matches!(error, EditingError::NoRoomInto { .. }), "{error}");
    let slow = resample(&RUN, FrameTime::from_hz(30.0).unwrap()).unwrap();
    let error = refused(over(0.5, 1.0, None), &slow);
    assert!(error.to_string().contains("resample"), "{error}");
    let short = cut_frames(&RUN, FrameIndex(0)..FrameIndex(5)).unwrap();
    let error = refused(over(0.5, 1.0, None), &short);
    assert!(matches!(error, EditingError::Edit(EditError::TooFewFrames { .. })), "{error}");
    let other = built_in("quadruped-walk").unwrap();
    assert!(matches!(refused(over(0.5, 1.0, None), &other), EditingError::Edit(_)));
    let keyed = Timeline::keyed(WALK.frames().map(|frame| WALK.time_secs(frame)).collect()).unwrap();
    let keyed = WALK.clone().with_timeline(keyed).unwrap();
    assert!(over(0.5, 1.0, None).apply(&keyed, &RUN).is_err());
}
