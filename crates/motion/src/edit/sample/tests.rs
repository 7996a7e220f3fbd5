use super::*;
use crate::channels::Channels;
use crate::clip::TranslationTrack;
use crate::edit::testing;
use crate::ids::JointId;
use crate::skeleton::Skeleton;
use proptest::prelude::*;
use std::sync::Arc;

/// One joint that turns and moves as told, at the given times.
fn body(times_secs: &[f64], rotation: impl Fn(f64) -> DQuat, position_m: impl Fn(f64) -> DVec3) -> Clip {
    let mut builder = Skeleton::builder();
    let joint = builder.add(None, "body", DVec3::ZERO, Channels::default());
    let track = TranslationTrack { joint, positions_m: times_secs.iter().map(|&t| position_m(t)).collect() };
    let rotations = times_secs.iter().map(|&t| rotation(t)).collect();
    let timeline = Timeline::keyed(times_secs.to_vec()).unwrap();
    Clip::new(Arc::new(builder.build().unwrap()), timeline, times_secs.len(), rotations, vec![track]).unwrap()
}

fn pose_at(clip: &Clip, time_secs: f64) -> (DQuat, DVec3) {
    let mut pose = LocalPose::default();
    sample_at(clip, time_secs, &mut pose);
    (pose.rotations[0], pose.translations_m[0])
}

fn uneven_times() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.01..0.1, 1..8).prop_map(|steps| {
        std::iter::once(0.0)
            .chain(steps.iter().scan(0.0, |time, step| {
                *time += step;
                Some(*time)
            }))
            .collect()
    })
}

proptest! {
    #[test]
    fn constant_velocities_are_exact(times in uneven_times(), at in 0.0..1.0, turn in -12.0..12.0, sign in any::<bool>()) {
        let omega = DVec3::new(0.3, 0.9, -0.5).normalize() * turn;
        let tilt = DQuat::from_rotation_z(0.4) * if sign { 1.0 } else { -1.0 };
        let rotation = |t: f64| tilt * so3::exp(omega * t);
        let position_m = |t: f64| DVec3::new(1.0, 0.9, -2.0) + DVec3::new(1.5, 0.0, 0.4) * t;
        let clip = body(&times, rotation, position_m);
        let time_secs = at * times[times.len() - 1];
        let (found, found_m) = pose_at(&clip, time_secs);
        prop_assert!(so3::angle_between(found, rotation(time_secs)) < 1e-13);
        prop_assert!((found_m - position_m(time_secs)).length() < 1e-14 * 10.0);
    }

    #[test]
    fn constant_acceleration_is_exact(times in uneven_times(), at in 0.0..1.0) {
        prop_assume!(times.len() > 2);
        let position_m = |t: f64| DVec3::new(0.5 * t, 1.0 + 3.0 * t - 4.905 * t * t, 2.0 * t * t);
        let clip = body(&times, |_| DQuat::IDENTITY, position_m);
        let time_secs = at * times[times.len() - 1];
        prop_assert!((pose_at(&clip, time_secs).1 - position_m(time_secs)).length() < 1e-13);
    }

    #[test]
    fn every_frame_is_met_to_the_bit(times in uneven_times()) {
        let clip = body(&times, |t| so3::exp(DVec3::new(9.0 * t, (20.0 * t).sin(), 0.0)), |t| DVec3::splat(t.cos()));
        for (frame, &time_secs) in times.iter().enumerate() {
            prop_assert_eq!(pose_at(&clip, time_secs).0, clip.rotation(FrameIndex(frame), JointId::new(0)));
            prop_assert_eq!(pose_at(&clip, time_secs).1, clip.tracks()[0].positions_m[frame]);
        }
    }

    #[test]
    fn flips_are_crossed_the_short_way(jump in 1.6..3.1, at in 0.0..1.0) {
        // Still, one flip, still again: the flip must neither leak into its neighbours nor overshoot.
        let times: Vec<f64> = (0..6).map(|frame| f64::from(frame) / 30.0).collect();
        let clip = body(&times, |t| DQuat::from_rotation_x(if t < 0.09 { 0.0 } else { jump }), |_| DVec3::ZERO);
        let rotation = pose_at(&clip, at * times[5]).0;
        let (from_start, to_end) = (
            so3::angle_between(DQuat::IDENTITY, rotation),
            so3::angle_between(rotation, DQuat::from_rotation_x(jump)),
        );
        prop_assert!((from_start + to_end - jump).abs() < 1e-12);
    }

    #[test]
    fn noise_is_not_amplified_between_frames(t in 0.0..1.0) {
        // The weights of the four frames around an interval, from four impulses.
        let weights: Vec<f64> = (1..5)
            .map(|frame| {
                let times: Vec<f64> = (0..6).map(f64::from).collect();
                let impulse = |t: f64| DVec3::X * f64::from(t == f64::from(frame));
                pose_at(&body(&times, |_| DQuat::IDENTITY, impulse), 2.0 + t).1.x
            })
            .collect();
        prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        prop_assert!(weights.iter().map(|w| w * w).sum::<f64>() <= 1.0 + 1e-14);
        prop_assert!(weights[0] >= -0.0741 && weights[0] <= 1e-15);
    }
}

#[test]
fn a_swinging_joint_is_followed_to_third_order() {
    // 1 rad at 1 Hz, sampled at 30 Hz: N = 30 a period.
    let swing = |t: f64| DQuat::from_rotation_x((std::f64::consts::TAU * t).sin());
    let error_rad = |hz: f64| {
        let times: Vec<f64> = (0..=hz as usize * 2).map(|frame| frame as f64 / hz).collect();
        let clip = body(&times, swing, |_| DVec3::ZERO);
        (300..1700)
            .map(|step| f64::from(step) / 1000.0)
            .map(|t| so3::angle_between(pose_at(&clip, t).0, swing(t)))
            .fold(0.0, f64::max)
    };
    // The end velocities are off by h²f‴/6 alike at both ends, which moves the curve by at most √3/18·h times that:
    // √3/108·h³f‴. With ωh = 2π/30 that is 1.5e-4 rad. Slerp would give (ωh)²/8 = 5e-3.
    assert!(error_rad(30.0) < 2e-4, "{}", error_rad(30.0));
    let order = (error_rad(30.0) / error_rad(60.0)).log2();
    assert!(order > 2.8, "order {order}");
}

#[test]
fn outside_the_clip_the_ends_are_held() {
    let clip = testing::walk(4, 30.0);
    let mut pose = LocalPose::for_skeleton(clip.skeleton());
    for (time_secs, frame) in [(-1.0, 0), (f64::NEG_INFINITY, 0), (0.11, 3), (1e9, 3), (f64::INFINITY, 3)] {
        sample_at(&clip, time_secs, &mut pose);
        assert_eq!(pose.rotations, clip.rotations_at(FrameIndex(frame)), "{time_secs}");
    }
    sample_at(&testing::walk(0, 30.0), 0.3, &mut pose);
    assert_eq!(pose, LocalPose::for_skeleton(clip.skeleton()));
    let still = testing::walk(1, 30.0);
    sample_at(&still, 0.3, &mut pose);
    assert_eq!(pose.rotations, still.rotations_at(FrameIndex(0)));
}

#[test]
fn two_frames_move_at_constant_velocity() {
    let clip = body(&[0.0, 1.0], DQuat::from_rotation_y, |t| DVec3::X * t * t);
    let (rotation, position_m) = pose_at(&clip, 0.25);
    assert!(so3::angle_between(rotation, DQuat::from_rotation_y(0.25)) < 1e-15);
    assert!((position_m - DVec3::X * 0.25).length() < 1e-15);
}
