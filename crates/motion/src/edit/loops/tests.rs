use super::*;
use crate::edit::testing::{self, STRIDE_SECS};
use crate::edit::{Join, concatenate, cut_frames, move_on_ground, translate, turn_about_up};
use crate::time::Timeline;
use glam::{DQuat, DVec3};
use proptest::prelude::*;

#[test]
fn a_walk_repeats_after_a_stride() {
    for hz in [30.0, 60.0, 120.0] {
        let clip = testing::walk((4.0 * hz) as usize, hz);
        let loops = find_loops(&clip, &LoopOptions::default()).unwrap();
        assert!(!loops.is_empty(), "{hz} Hz");
        for found in &loops {
            assert!((found.period_secs - STRIDE_SECS).abs() <= 1.0 / hz + 1e-9, "{found:?}");
            let start = clip.tracks()[0].positions_m[found.start.0];
            let end = clip.tracks()[0].positions_m[found.end.0];
            assert!((found.advance.point_m(start) - end).length() < 0.01);
        }
        // 1.1 s is a whole number of frames at these rates: the match is exact but for one-sided derivatives at the
        // ends.
        assert!(loops[0].pose_error_m < 1e-9 && loops[0].velocity_error_m_per_s < 1e-9, "{:?}", loops[0]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn loops_do_not_depend_on_place_and_heading(yaw_rad in -3.0..3.0, x in -9.0..9.0) {
        let clip = testing::walk(100, 30.0);
        let moved = move_on_ground(&clip, &GroundMove { yaw_rad, shift_m: DVec3::new(x, 0.0, 3.0) }).unwrap();
        let (loops, moved) = (
            find_loops(&clip, &LoopOptions::default()).unwrap(),
            find_loops(&moved, &LoopOptions::default()).unwrap(),
        );
        prop_assert!(!loops.is_empty());
        // Exactly periodic: which of the equal cycles is named is a matter of rounding; the period is not.
        prop_assert!((loops[0].period_secs - moved[0].period_secs).abs() < 1e-9);
        prop_assert!((loops[0].pose_error_m - moved[0].pose_error_m).abs() < 1e-6);
    }

    #[test]
    fn a_period_between_frames_is_found_within_a_frame(period_secs in 0.6_f64..1.9) {
        let skeleton = testing::figure();
        let clip = testing::animate(&skeleton, 240, 60.0, |joint, secs| {
            let phase: f64 = std::f64::consts::TAU * secs / period_secs;
            match joint {
                "LeftUpLeg" | "RightArm" => DQuat::from_rotation_x(0.6 * phase.sin()),
                "RightUpLeg" | "LeftArm" => DQuat::from_rotation_x(-0.6 * phase.sin()),
                _ => DQuat::IDENTITY,
            }
        });
        // The root of `animate` bobs by 2 cm with a period of its own.
        let clip = still_root(clip);
        let loops = find_loops(&clip, &LoopOptions::default()).unwrap();
        prop_assert!(!loops.is_empty());
        // A period half-way between two frames (40.5 of them) has no seamless cut, its double (81) has: that one is
        // then the better loop.
        let off_secs = |rounds: f64| (loops[0].period_secs - rounds * period_secs).abs();
        let between_frames = (60.0 * period_secs).fract();
        prop_assert!(
            off_secs(1.0) <= 1.0 / 60.0 || ((0.25..0.75).contains(&between_frames) && off_secs(2.0) <= 1.0 / 60.0),
            "{:?}",
            loops[0]
        );
    }
}

fn still_root(mut clip: Clip) -> Clip {
    for track in clip.tracks_mut() {
        track.positions_m.fill(DVec3::new(0.0, 0.9, 0.0));
    }
    clip
}

#[test]
fn what_never_comes_back_gives_none() {
    let skeleton = testing::figure();
    let falling = testing::animate(&skeleton, 150, 30.0, |joint, secs| match joint {
        "Hips" => DQuat::from_rotation_x(0.3 * secs),
        "LeftArm" | "RightUpLeg" => DQuat::from_rotation_x(-0.4 * secs),
        _ => DQuat::IDENTITY,
    });
    assert_eq!(find_loops(&falling, &LoopOptions::default()).unwrap(), []);
    assert_eq!(whole_clip_loop(&falling, &LoopOptions::default()).unwrap(), None);
    let still = still_root(testing::animate(&skeleton, 150, 30.0, |_, _| DQuat::IDENTITY));
    assert_eq!(find_loops(&still, &LoopOptions::default()).unwrap(), []);
    assert_eq!(whole_clip_loop(&still, &LoopOptions::default()).unwrap(), None);
    for frames in 0..3 {
        assert_eq!(find_loops(&testing::walk(frames, 30.0), &LoopOptions::default()).unwrap(), []);
        assert_eq!(whole_clip_loop(&testing::walk(frames, 30.0), &LoopOptions::default()).unwrap(), None);
    }
}

#[test]
fn a_pendulum_is_not_halved() {
    // It passes each pose twice a period, in opposite directions.
    let skeleton = testing::figure();
    let swing = |joint: &str, secs: f64| match joint {
        "Spine" => DQuat::from_rotation_x(0.5 * (std::f64::consts::TAU * secs / 1.5).sin()),
        _ => DQuat::IDENTITY,
    };
    let clip = still_root(testing::animate(&skeleton, 180, 30.0, swing));
    let loops = find_loops(&clip, &LoopOptions::default()).unwrap();
    assert!(!loops.is_empty());
    assert!(loops.iter().all(|found| (found.period_secs - 1.5).abs() < 0.05), "{loops:?}");
}

#[test]
fn a_clip_of_one_stride_loops_as_a_whole() {
    let clip = testing::walk(34, 30.0);
    let options = LoopOptions::default();
    let repeating = whole_clip_loop(&clip, &options).unwrap().unwrap();
    assert_eq!((repeating.start, repeating.end), (FrameIndex(0), FrameIndex(33)));
    let open = cut_frames(&clip, FrameIndex(0)..FrameIndex(33)).unwrap();
    let open = whole_clip_loop(&open, &options).unwrap().unwrap();
    assert_eq!(open.end, FrameIndex(33));
    assert!((open.advance.shift_m - DVec3::Z * 1.3 * STRIDE_SECS).length() < 0.02, "{:?}", open.advance);
    let half = cut_frames(&clip, FrameIndex(0)..FrameIndex(17)).unwrap();
    assert_eq!(whole_clip_loop(&half, &options).unwrap(), None);
}

#[test]
fn a_turning_walk_loops_with_its_turn() {
    let stride = testing::walk(33, 30.0);
    let turned: Vec<Clip> = (0..4).map(|round| turn_about_up(&stride, 0.2 * f64::from(round)).unwrap()).collect();
    // Each stride is turned as a whole, so that matching frames are 0.2 rad apart.
    let mut place = DVec3::ZERO;
    let mut strides = Vec::new();
    for (round, clip) in turned.iter().enumerate() {
        strides.push(translate(clip, place).unwrap());
        place += DQuat::from_rotation_y(0.2 * round as f64) * DVec3::Z * 1.3 * STRIDE_SECS;
    }
    let clip = concatenate(&strides.iter().collect::<Vec<_>>(), Join::AsIs).unwrap();
    let loops = find_loops(&clip, &LoopOptions::default()).unwrap();
    let best = loops[0];
    assert!((best.period_secs - STRIDE_SECS).abs() < 1e-9 && (best.advance.yaw_rad - 0.2).abs() < 1e-6, "{best:?}");
}

#[test]
fn keyed_clips_are_refused() {
    let timeline = Timeline::keyed(vec![0.0, 0.1, 0.3]).unwrap();
    let clip = testing::walk(3, 30.0).with_timeline(timeline).unwrap();
    assert_eq!(find_loops(&clip, &LoopOptions::default()), Err(EditError::NotUniform { clip: 0 }));
    assert_eq!(whole_clip_loop(&clip, &LoopOptions::default()), Err(EditError::NotUniform { clip: 0 }));
}

#[test]
fn strange_options_find_nothing_and_do_not_hang() {
    let clip = testing::walk(60, 30.0);
    for (min_period_secs, max_period_secs) in [(f64::NAN, f64::NAN), (5.0, 1.0), (-1.0, 0.0), (1e300, f64::INFINITY)] {
        let options = LoopOptions { min_period_secs, max_period_secs, ..LoopOptions::default() };
        assert_eq!(find_loops(&clip, &options).unwrap(), [], "{options:?}");
    }
    let none = LoopOptions { max_candidates: 0, ..LoopOptions::default() };
    assert_eq!(find_loops(&clip, &none).unwrap(), []);
}

#[test]
fn ten_thousand_frames_take_less_than_a_second() {
    let clip = testing::walk(10_000, 120.0);
    let begin = std::time::Instant::now();
    let loops = find_loops(&clip, &LoopOptions::default()).unwrap();
    let taken = begin.elapsed();
    eprintln!("10,000 frames at 120 Hz: {} loops in {taken:?}", loops.len());
    let begin = std::time::Instant::now();
    let unlimited = LoopOptions { max_period_secs: f64::INFINITY, ..LoopOptions::default() };
    find_loops(&clip, &unlimited).unwrap();
    eprintln!("without a longest period: {:?}", begin.elapsed());
    // Room for a busy machine: it takes a tenth of that alone.
    assert!(taken.as_secs_f64() < 5.0, "{taken:?}");
}
