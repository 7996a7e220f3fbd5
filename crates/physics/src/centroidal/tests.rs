use super::*;
use crate::body::{Body, BodySource, Link};
use crate::spatial::Symmetric3;
use aplomb_motion::{Channels, Clip, FrameTime, JointId, Skeleton, Timeline, TranslationTrack, so3};
use glam::DMat3;
use std::sync::Arc;

const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// A trunk with an arm of two bones, a leg and a finger without mass.
pub(super) fn small_body() -> Body {
    let mut builder = Skeleton::builder();
    let mut add = |parent, name, x, y, z| builder.add(parent, name, DVec3::new(x, y, z), Channels::default());
    let trunk = add(None, "trunk", 0.0, 1.0, 0.0);
    let upper = add(Some(trunk), "upper", 0.2, 0.4, 0.05);
    let fore = add(Some(upper), "fore", 0.3, 0.02, -0.01);
    add(Some(fore), "finger", 0.25, 0.0, 0.0);
    let carrier = add(Some(trunk), "carrier", 0.1, -0.1, 0.0);
    let leg = add(Some(carrier), "leg", 0.0, -0.05, 0.02);
    let skeleton = Arc::new(builder.build().unwrap());
    let link = |joint: JointId, mass_kg: f64, com_m: DVec3, moments: DVec3, tilt: f64| {
        let axes = DMat3::from_quat(DQuat::from_rotation_x(tilt) * DQuat::from_rotation_z(0.3));
        let about_com = Symmetric3::diagonal(moments * mass_kg).rotated(axes).inertia_of_second_moments();
        Link { joint, inertia: SpatialInertia { mass_kg, com_m, about_com }, shapes: Vec::new() }
    };
    let links = vec![
        link(trunk, 30.0, DVec3::new(0.0, 0.2, 0.01), DVec3::new(0.02, 0.04, 0.01), 0.4),
        link(upper, 3.0, DVec3::new(0.14, 0.0, 0.01), DVec3::new(0.006, 0.001, 0.002), -0.2),
        link(fore, 1.5, DVec3::new(0.11, 0.01, 0.0), DVec3::new(0.005, 0.001, 0.001), 0.9),
        link(leg, 9.0, DVec3::new(0.01, -0.25, 0.0), DVec3::new(0.003, 0.02, 0.004), 0.1),
    ];
    Body::from_links(skeleton, links, None, BodySource::Given("test".to_owned()), Vec::new()).unwrap()
}

/// Joint j turns as exp(a sin(ωt) + b t), the root flies along a curve: smooth, and different in every joint.
fn rotation_vector(joint: usize, time: f64) -> DVec3 {
    let phase = joint as f64;
    DVec3::new(
        0.6 * (2.0 * time + phase).sin(),
        0.4 * (1.3 * time - phase).cos(),
        0.3 * (2.7 * time + 0.5 * phase).sin(),
    ) + DVec3::new(0.1, 0.3, -0.2) * time
}

fn root_position_m(time: f64) -> DVec3 {
    DVec3::new(1.3 * time, 1.0 + 0.2 * (3.0 * time).sin(), 0.4 * (2.0 * time).cos()) + DVec3::new(40.0, 0.0, -25.0)
}

pub(super) fn swinging_clip(body: &Body, hz: f64, frames: usize) -> Clip {
    let skeleton = Arc::clone(body.skeleton());
    let times: Vec<f64> = (0..frames).map(|frame| frame as f64 / hz).collect();
    let joints = skeleton.len();
    let rotations = times.iter().flat_map(|&t| (0..joints).map(move |joint| so3::exp(rotation_vector(joint, t))));
    let track =
        TranslationTrack { joint: JointId::new(0), positions_m: times.iter().map(|&t| root_position_m(t)).collect() };
    let timeline = Timeline::Uniform(FrameTime::from_hz(hz).unwrap());
    Clip::new(skeleton, timeline, frames, rotations.collect(), vec![track]).unwrap()
}

/// Derivatives of the closed form by differences of 1e-4 s: their error is of the order 1e-8.
struct Instant {
    rotations: Vec<DQuat>,
    velocities: Vec<DVec3>,
    accelerations: Vec<DVec3>,
    root: RootMotion,
}

fn instant(joints: usize, time: f64) -> Instant {
    const STEP: f64 = 1e-4;
    let rotation = |joint: usize, t: f64| so3::exp(rotation_vector(joint, t));
    let turn = |joint: usize, t: f64| so3::log(rotation(joint, t).conjugate() * rotation(joint, t + STEP)) / STEP;
    let velocity = |joint: usize| 0.5 * (turn(joint, time) + turn_back(joint, time, &rotation, STEP));
    let acceleration = |joint: usize| (turn(joint, time) - turn_back(joint, time, &rotation, STEP)) / STEP;
    let p = root_position_m;
    Instant {
        rotations: (0..joints).map(|joint| rotation(joint, time)).collect(),
        velocities: (0..joints).map(velocity).collect(),
        accelerations: (0..joints).map(acceleration).collect(),
        root: RootMotion {
            position_m: p(time),
            velocity: (p(time + STEP) - p(time - STEP)) / (2.0 * STEP),
            acceleration: (p(time + STEP) - p(time) * 2.0 + p(time - STEP)) / (STEP * STEP),
        },
    }
}

/// Mean body rate over the step before `time`, in the axes at `time`.
fn turn_back(joint: usize, time: f64, rotation: &impl Fn(usize, f64) -> DQuat, step: f64) -> DVec3 {
    -so3::log(rotation(joint, time).conjugate() * rotation(joint, time - step)) / step
}

fn evaluate(body: &Body, time: f64, model: MassModel) -> Centroidal {
    let instant = instant(body.skeleton().len(), time);
    let motion = JointMotion {
        roots: &[instant.root],
        local_rotations: &instant.rotations,
        angular_velocities_in_joint: &instant.velocities,
        angular_accelerations_in_joint: &instant.accelerations,
    };
    CentroidalKernel::new(body).evaluate(&motion, model).unwrap()
}

fn assert_close(found: DVec3, expected: DVec3, tolerance: f64, what: &str) {
    assert!((found - expected).length() < tolerance, "{what}: {found} instead of {expected}");
}

#[test]
fn rates_of_the_kernel_are_derivatives_of_its_momentum() {
    let body = small_body();
    for model in [MassModel::Rigid, MassModel::Points] {
        for time in [0.2, 0.9, 1.7] {
            let step = 1e-3;
            let (before, here, after) = (
                evaluate(&body, time - step, model),
                evaluate(&body, time, model),
                evaluate(&body, time + step, model),
            );
            let rate = (after.momentum - before.momentum) * (0.5 / step);
            // Central differences of 1 ms: error step²/6 × third derivative (about 1e3 N/s² here); momenta about 100 kg
            // m/s.
            assert_close(here.momentum_rate.linear, rate.linear, 2e-3, "force");
            assert_close(here.momentum_rate.angular, rate.angular, 2e-3, "moment");
            let velocity = (after.com_in_world_m - before.com_in_world_m) * (0.5 / step);
            assert_close(here.momentum.linear, velocity * body.total_mass_kg(), 2e-3, "momentum");
        }
    }
}

/// Every link as a thousand points in a box with its second moments; positions at three times, plain sums.
#[test]
fn brute_force_over_many_points_gives_the_same() {
    let body = small_body();
    let (time, step) = (0.7, 1e-3);
    let cloud = |t: f64| -> Vec<(f64, DVec3)> {
        let instant = instant(body.skeleton().len(), t);
        let mut world: Vec<(DQuat, DVec3)> = Vec::new();
        for (joint, local) in body.skeleton().joints().iter().zip(&instant.rotations) {
            world.push(match joint.parent {
                None => (*local, instant.root.position_m),
                Some(parent) => {
                    let (turn, at_m) = world[parent.index()];
                    (turn * *local, at_m + turn * joint.offset_m)
                }
            });
        }
        body.links().iter().flat_map(|link| points_of(link, world[link.joint.index()])).collect()
    };
    let (before, here, after) = (cloud(time - step), cloud(time), cloud(time + step));
    let mass: f64 = here.iter().map(|(mass, _)| mass).sum();
    let com_m = here.iter().map(|&(mass, at_m)| at_m * mass).sum::<DVec3>() / mass;
    let (mut momentum, mut rate) = (SpatialForce::ZERO, SpatialForce::ZERO);
    for ((&(mass, a), &(_, b)), &(_, c)) in before.iter().zip(&here).zip(&after) {
        let (velocity, acceleration) = ((c - a) * (0.5 / step), (c - b * 2.0 + a) / (step * step));
        momentum += SpatialForce { angular: (b - com_m).cross(velocity * mass), linear: velocity * mass };
        rate += SpatialForce { angular: (b - com_m).cross(acceleration * mass), linear: acceleration * mass };
    }
    let found = evaluate(&body, time, MassModel::Rigid);
    // A grid of ten cells a side has the box's variance exactly (points at √((n²−1)/n²) of it); the rest is the 1 ms
    // difference. Four thousand points 50 m away: 4e3 · 7e-15 m at worst.
    assert_close(found.com_in_world_m, com_m, 3e-11, "centre");
    assert_close(found.momentum.linear, momentum.linear, 2e-3, "momentum");
    assert_close(found.momentum.angular, momentum.angular, 2e-3, "angular momentum");
    assert_close(found.momentum_rate.linear, rate.linear, 2e-3, "force");
    assert_close(found.momentum_rate.angular, rate.angular, 2e-3, "moment");
    let points = evaluate(&body, time, MassModel::Points);
    let share = (found.momentum.angular - points.momentum.angular).length() / found.momentum.angular.length();
    assert!(share > 0.01, "spin must matter in this test: {share}");
}

/// A 10 × 10 × 10 grid with the link's mass, centre and second moments, put into the world.
fn points_of(link: &Link, (turn, at_m): (DQuat, DVec3)) -> Vec<(f64, DVec3)> {
    const SIDE: usize = 10;
    let inertia = link.inertia;
    // Cholesky factor of the second moments over mass: maps a cube of variance one to the link's spread.
    let moments = inertia.about_com.second_moments() * (1.0 / inertia.mass_kg);
    let l11 = moments.xx.sqrt();
    let (l21, l31) = (moments.xy / l11, moments.xz / l11);
    let l22 = (moments.yy - l21 * l21).sqrt();
    let l32 = (moments.yz - l21 * l31) / l22;
    let l33 = (moments.zz - l31 * l31 - l32 * l32).sqrt();
    // Grid points k − 4.5 have the variance (n² − 1)/12.
    let unit = (12.0 / (SIDE * SIDE - 1) as f64).sqrt();
    let coordinate = |k: usize| (k as f64 - 0.5 * (SIDE - 1) as f64) * unit;
    let mut points = Vec::with_capacity(SIDE.pow(3));
    for index in 0..SIDE.pow(3) {
        let (x, y, z) = (coordinate(index % SIDE), coordinate(index / SIDE % SIDE), coordinate(index / SIDE / SIDE));
        let spread_m = DVec3::new(l11 * x, l21 * x + l22 * y, l31 * x + l32 * y + l33 * z);
        points.push((inertia.mass_kg / SIDE.pow(3) as f64, at_m + turn * (inertia.com_m + spread_m)));
    }
    points
}

#[test]
fn a_free_asymmetric_body_keeps_its_angular_momentum() {
    let body = small_body();
    let lone = Body::from_links(
        Arc::clone(body.skeleton()),
        vec![body.links()[0].clone()],
        None,
        BodySource::Given("test".to_owned()),
        Vec::new(),
    )
    .unwrap();
    let inertia = lone.links()[0].inertia;
    let joints = lone.skeleton().len();
    let spin = DVec3::new(2.0, -1.0, 3.0);
    // Euler: I ω̇ = −ω × I ω. The joint is not the centre of mass: let it move so that the centre falls freely.
    let spin_rate = inertia.about_com.to_mat3().inverse() * -spin.cross(inertia.about_com * spin);
    let com_m = inertia.com_m;
    let root = RootMotion {
        position_m: DVec3::new(3.0, 1.0, -2.0),
        velocity: DVec3::X,
        acceleration: GRAVITY - spin_rate.cross(com_m) - spin.cross(spin.cross(com_m)),
    };
    let motion = JointMotion {
        roots: &[root],
        local_rotations: &vec![DQuat::IDENTITY; joints],
        angular_velocities_in_joint: &std::iter::once(spin).chain(vec![DVec3::ZERO; joints - 1]).collect::<Vec<_>>(),
        angular_accelerations_in_joint: &std::iter::once(spin_rate)
            .chain(vec![DVec3::ZERO; joints - 1])
            .collect::<Vec<_>>(),
    };
    let found = CentroidalKernel::new(&lone).evaluate(&motion, MassModel::Rigid).unwrap();
    assert_close(found.momentum.angular, inertia.about_com * spin, 1e-13, "L = I ω");
    assert_close(found.momentum_rate.angular, DVec3::ZERO, 1e-12, "no moment");
    assert_close(found.momentum_rate.linear, GRAVITY * 30.0, 1e-11, "weight");
}

#[test]
fn counts_are_checked() {
    let body = small_body();
    let motion = JointMotion {
        roots: &[],
        local_rotations: &[DQuat::IDENTITY; 6],
        angular_velocities_in_joint: &[DVec3::ZERO; 6],
        angular_accelerations_in_joint: &[DVec3::ZERO; 6],
    };
    let error = CentroidalKernel::new(&body).evaluate(&motion, MassModel::Rigid).unwrap_err();
    assert_eq!(error.to_string(), "expected 1 root motions (one a joint), found 0");
}

#[test]
fn kernel_and_clip_agree() {
    let body = small_body();
    let clip = swinging_clip(&body, 1000.0, 1200);
    for model in [MassModel::Rigid, MassModel::Points] {
        let track = centroidal_track(&clip, &body, &CentroidalOptions { model, smoothing_secs: 0.0 }).unwrap();
        for frame in [100, 555, 1100] {
            let kernel = evaluate(&body, frame as f64 / 1000.0, model);
            let found = track.at(aplomb_motion::FrameIndex(frame));
            assert_close(found.com_in_world_m, kernel.com_in_world_m, 1e-12, "centre");
            // Central differences at 1 kHz: step² times a third derivative of a few hundred.
            assert_close(found.momentum.linear, kernel.momentum.linear, 1e-3, "momentum");
            assert_close(found.momentum.angular, kernel.momentum.angular, 1e-3, "angular momentum");
            assert_close(found.momentum_rate.linear, kernel.momentum_rate.linear, 5e-3, "force");
            assert_close(found.momentum_rate.angular, kernel.momentum_rate.angular, 5e-3, "moment");
        }
    }
}
