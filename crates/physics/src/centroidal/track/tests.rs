use super::super::tests::{small_body, swinging_clip};
use super::*;
use crate::body::{BodySource, Link};
use crate::spatial::{SpatialInertia, Symmetric3};
use aplomb_motion::{Channels, FrameTime, JointId, Skeleton, TranslationTrack, so3};
use std::sync::Arc;

const HZ: f64 = 120.0;

fn at_120_hz() -> Timeline {
    Timeline::Uniform(FrameTime::from_hz(HZ).unwrap())
}

/// A single body with the given inertia about its centre, which lies at `com_m` of its only joint.
fn single(moments: DVec3, com_m: DVec3) -> Body {
    let mut builder = Skeleton::builder();
    let joint = builder.add(None, "thing", DVec3::ZERO, Channels::default());
    let inertia = SpatialInertia { mass_kg: 2.0, com_m, about_com: Symmetric3::diagonal(moments) };
    let links = vec![Link { joint, inertia, shapes: Vec::new() }];
    let skeleton = Arc::new(builder.build().unwrap());
    Body::from_links(skeleton, links, None, BodySource::Given("test".to_owned()), Vec::new()).unwrap()
}

fn clip_of(body: &Body, frames: usize, motion: impl Fn(f64) -> (DQuat, DVec3)) -> Clip {
    let (rotations, positions_m) = (0..frames).map(|frame| motion(frame as f64 / HZ)).unzip();
    let track = TranslationTrack { joint: JointId::new(0), positions_m };
    Clip::new(Arc::clone(body.skeleton()), at_120_hz(), frames, rotations, vec![track]).unwrap()
}

fn rigid() -> CentroidalOptions {
    CentroidalOptions::default()
}

/// A free symmetric top: R(t) = exp(L t/I₁) R₀ exp(e₃ ω₃ (1 − I₃/I₁) t), with L constant (Landau & Lifshitz, Mechanics,
/// § 33).
#[test]
fn a_tumbling_top_keeps_its_angular_momentum() {
    let (across, along) = (0.3, 0.1);
    let body = single(DVec3::new(across, across, along), DVec3::ZERO);
    let start = so3::exp(DVec3::new(0.4, -0.8, 0.2));
    let spin_in_body = DVec3::new(2.0, 0.5, 4.0);
    let momentum = start * DVec3::new(across * spin_in_body.x, across * spin_in_body.y, along * spin_in_body.z);
    let clip = clip_of(&body, 240, |t| {
        let own = DVec3::Z * (spin_in_body.z * (1.0 - along / across) * t);
        let position_m = DVec3::new(1.0 + 2.0 * t, 3.0 + 4.0 * t - 4.905 * t * t, 5.0);
        (so3::exp(momentum / across * t) * start * so3::exp(own), position_m)
    });
    let track = centroidal_track(&clip, &body, &rigid()).unwrap();
    for frame in clip.frames() {
        let found = track.at(frame);
        // (ω h)²/6 of |L| = 1 with ω = 5 rad/s at 120 Hz: 3e-4. At the two ends the parabola is one-sided: twice that.
        assert!((found.momentum.angular - momentum).length() < 1e-3, "{frame}: {}", found.momentum.angular);
        // |L̇| of turning parts is ω × I ω ≈ 3 N m here. At the ends the acceleration is the neighbour's, one step old.
        let tolerance = if (1..239).contains(&frame.0) { 5e-3 } else { 5e-2 };
        assert!(found.momentum_rate.angular.length() < tolerance, "{frame}: {}", found.momentum_rate.angular);
        // The second difference of a parabola is exact up to rounding: 1e-15 m · 120² · 2 kg.
        assert!((found.momentum_rate.linear - DVec3::new(0.0, -9.81 * 2.0, 0.0)).length() < 1e-9, "{frame}");
    }
}

/// θ = A sin ωt about a fixed pivot: c̈ and L about the centre in closed form.
#[test]
fn a_pendulum_is_told_as_in_the_textbook() {
    let (length_m, amplitude, rate) = (0.8, 0.5, 3.0);
    let body = single(DVec3::new(0.05, 0.01, 0.05), DVec3::new(0.0, -length_m, 0.0));
    let clip =
        clip_of(&body, 360, |t| (DQuat::from_rotation_z(amplitude * (rate * t).sin()), DVec3::new(0.0, 2.0, 0.0)));
    let track = centroidal_track(&clip, &body, &rigid()).unwrap();
    for frame in clip.frames().skip(1).take(358) {
        let (sine, cosine) = (rate * frame.0 as f64 / HZ).sin_cos();
        let (angle, speed, pull) = (amplitude * sine, amplitude * rate * cosine, -amplitude * rate * rate * sine);
        let outward = DVec3::new(angle.sin(), -angle.cos(), 0.0);
        let along = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let found = track.at(frame);
        let acceleration = along * (length_m * pull) - outward * (length_m * speed * speed);
        // (rate·h)²/12 ≈ 5e-5 of the sizes: 7 N, 0.08 kg m²/s, 0.2 N m.
        assert!((found.momentum_rate.linear - acceleration * 2.0).length() < 4e-3, "{frame}");
        assert!((found.momentum.linear - along * (2.0 * length_m * speed)).length() < 1e-3, "{frame}");
        assert!((found.momentum.angular - DVec3::Z * (0.05 * speed)).length() < 2e-5, "{frame}");
        assert!((found.momentum_rate.angular - DVec3::Z * (0.05 * pull)).length() < 1e-4, "{frame}");
    }
}

/// Arms and legs swing, the root gives way so that the centre of mass flies a parabola: force is the weight in every
/// frame.
#[test]
fn a_falling_chain_feels_its_weight_only() {
    let body = small_body();
    let mut clip = swinging_clip(&body, HZ, 120);
    let mut pose = WorldPose::default();
    for frame in clip.frames() {
        pose.pose(&clip, frame);
        let t = clip.time_secs(frame);
        let wanted_m = DVec3::new(0.3 + 1.5 * t, 2.0 + 3.0 * t - 4.905 * t * t, 0.7 * t);
        let missing_m = wanted_m - body.com_in_world_m(&pose);
        clip.tracks_mut()[0].positions_m[frame.0] += missing_m;
    }
    for model in [MassModel::Rigid, MassModel::Points] {
        let track = centroidal_track(&clip, &body, &CentroidalOptions { model, smoothing_secs: 0.0 }).unwrap();
        for frame in clip.frames() {
            let weight = DVec3::new(0.0, -9.81, 0.0);
            // Rounding of positions, 1e-15 m, times 2·120².
            assert!((track.com_acceleration(frame) - weight).length() < 1e-9, "{frame}");
        }
    }
}

#[test]
fn turning_and_moving_the_world_turns_the_result_only() {
    let body = small_body();
    let clip = swinging_clip(&body, HZ, 90);
    let (turn, shift_m) = (so3::exp(DVec3::new(0.3, 2.0, -0.7)), DVec3::new(-100.0, 5.0, 60.0));
    let mut moved = clip.clone();
    for frame in clip.frames() {
        moved.set_rotation(frame, JointId::new(0), turn * clip.rotation(frame, JointId::new(0)));
        moved.tracks_mut()[0].positions_m[frame.0] = turn * clip.tracks()[0].positions_m[frame.0] + shift_m;
    }
    for smoothing_secs in [0.0, 0.167] {
        let options = CentroidalOptions { smoothing_secs, ..rigid() };
        let (here, there) =
            (centroidal_track(&clip, &body, &options).unwrap(), centroidal_track(&moved, &body, &options).unwrap());
        for frame in clip.frames() {
            let (a, b) = (here.at(frame), there.at(frame));
            assert!((turn * a.com_in_world_m + shift_m - b.com_in_world_m).length() < 1e-12);
            // 1e-14 m of rounding a hundred metres away, times 40 kg and 2·120².
            let pairs = [
                (a.momentum.linear, b.momentum.linear, 1e-9),
                (a.momentum.angular, b.momentum.angular, 1e-9),
                (a.momentum_rate.linear, b.momentum_rate.linear, 1e-7),
                (a.momentum_rate.angular, b.momentum_rate.angular, 1e-7),
            ];
            for (a, b, tolerance) in pairs {
                assert!((turn * a - b).length() < tolerance, "{frame}: {} {b}", turn * a);
            }
        }
    }
}

#[test]
fn rates_are_derivatives_of_momenta() {
    let body = small_body();
    let clip = swinging_clip(&body, 480.0, 480);
    let track = centroidal_track(&clip, &body, &rigid()).unwrap();
    for frame in 2..478 {
        let difference = (track.momentum[frame + 1] - track.momentum[frame - 1]) * (0.5 * 480.0);
        let found = track.momentum_rate[frame];
        // A wide second difference against a narrow one: h²/4 × fourth derivatives of up to 2e4 (40 kg, 3 rad/s).
        assert!((difference.linear - found.linear).length() < 0.03, "{frame}");
        assert!((difference.angular - found.angular).length() < 0.03, "{frame}");
    }
}

#[test]
fn blocks_and_threads_do_not_show() {
    let body = small_body();
    let clip = swinging_clip(&body, HZ, 700);
    let paths = LinkPaths::of_clip(&clip, &body).unwrap();
    let keyed = Timeline::keyed((0..700).map(|k| f64::from(k) * 0.01 + 0.002 * f64::from(k % 3)).collect()).unwrap();
    for (timeline, smoothing_secs) in [(at_120_hz(), 0.0), (at_120_hz(), 0.167), (keyed.clone(), 0.0), (keyed, 0.1)] {
        let options = CentroidalOptions { smoothing_secs, ..rigid() };
        let whole = track_of_paths(&paths, &body, &timeline, &options, 700).unwrap();
        for block_frames in [1, 2, 7, 256, 699] {
            let track = track_of_paths(&paths, &body, &timeline, &options, block_frames).unwrap();
            for frame in clip.frames() {
                let (a, b) = (whole.at(frame), track.at(frame));
                // Reflection at the first frame rounds by way of the block's last one: 1e-14 m at 40 m, times 40 kg and
                // 2·120².
                let apart = (a.momentum - b.momentum).linear.length() + (a.momentum - b.momentum).angular.length();
                let rates = a.momentum_rate - b.momentum_rate;
                assert!(
                    apart < 1e-10 && rates.linear.length() + rates.angular.length() < 1e-7,
                    "{block_frames} {frame}"
                );
            }
        }
        let in_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| track_of_paths(&paths, &body, &timeline, &options, 64)).unwrap()
        };
        assert!(in_threads(1) == in_threads(3), "to the last bit");
    }
}

#[test]
fn short_clips_have_no_motion_and_no_nan() {
    let body = small_body();
    for frames in 0..4 {
        for smoothing_secs in [0.0, 0.5] {
            let clip = swinging_clip(&body, HZ, frames);
            let options = CentroidalOptions { smoothing_secs, ..rigid() };
            let track = centroidal_track(&clip, &body, &options).unwrap();
            assert_eq!(track.len(), frames);
            let finite = |force: &SpatialForce| force.angular.is_finite() && force.linear.is_finite();
            assert!(track.momentum.iter().chain(&track.momentum_rate).all(finite));
            if frames == 1 {
                assert_eq!(track.momentum[0], SpatialForce::ZERO);
            }
        }
    }
    let options = CentroidalOptions { smoothing_secs: -1.0, ..rigid() };
    assert!(centroidal_track(&swinging_clip(&body, HZ, 5), &body, &options).is_err());
}
