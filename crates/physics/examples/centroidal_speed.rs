//! Time of one frame's centre of mass, momenta and rates on a 15-body, nv 48 humanoid, from joint motion and from a
//! clip.
//!
//! `cargo run --release -p aplomb-physics --example centroidal_speed [MODEL]` where MODEL is a text of lines `name
//! parent jx jy jz mass cx cy cz Ixx Iyy Izz`; without it a humanoid of the same tree is used.

mod humanoid;

use aplomb_motion::{Clip, FrameTime, JointId, Timeline, TranslationTrack, so3};
use aplomb_physics::MassModel;
use aplomb_physics::centroidal::{CentroidalKernel, CentroidalOptions, JointMotion, RootMotion, centroidal_track};
use glam::{DQuat, DVec3};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use humanoid::{best_us, built_in, model};

/// Rotations, velocities and accelerations of all joints, and the root.
type State = (Vec<DQuat>, Vec<DVec3>, Vec<DVec3>, RootMotion);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => built_in(None).to_owned(),
    };
    let body = model(&text)?;
    let joints = body.skeleton().len();
    let vector = |k: usize, size: f64| {
        let k = k as f64;
        DVec3::new((1.3 * k).sin(), (2.1 * k + 1.0).sin(), (0.7 * k + 2.0).sin()) * size
    };
    // 128 random states, so that the branch predictor and the cache see what a clip shows them.
    let states: Vec<State> = (0..128)
        .map(|state| {
            let k = |joint: usize| state * joints + joint;
            let rotations = (0..joints).map(|joint| so3::exp(vector(k(joint), 0.7))).collect();
            let velocities = (0..joints).map(|joint| vector(k(joint) + 7, 2.0)).collect();
            let accelerations = (0..joints).map(|joint| vector(k(joint) + 11, 10.0)).collect();
            let root = RootMotion {
                position_m: vector(state, 0.7),
                velocity: vector(state + 1, 2.0),
                acceleration: vector(state + 2, 10.0),
            };
            (rotations, velocities, accelerations, root)
        })
        .collect();
    let mut kernel = CentroidalKernel::new(&body);
    for (name, model) in [("rigid links", MassModel::Rigid), ("point masses", MassModel::Points)] {
        let us = best_us(1280, |call| {
            let (rotations, velocities, accelerations, root) = &states[call % states.len()];
            let motion = JointMotion {
                roots: std::slice::from_ref(root),
                local_rotations: rotations,
                angular_velocities_in_joint: velocities,
                angular_accelerations_in_joint: accelerations,
            };
            let _ = black_box(kernel.evaluate(black_box(&motion), model));
        });
        println!("joint motion, {joints} bodies, {name}: {us:.3} us a frame");
    }
    let frames = 10_000;
    let rotations = (0..frames * joints).map(|k| so3::exp(vector(k % joints, 0.7) * (k as f64 * 1e-3).sin())).collect();
    let positions_m = (0..frames).map(|frame| vector(0, 1.0) * (frame as f64 * 0.01).sin()).collect();
    let track = TranslationTrack { joint: JointId::new(0), positions_m };
    let timeline = Timeline::Uniform(FrameTime::from_hz(120.0)?);
    let clip = Clip::new(Arc::clone(body.skeleton()), timeline, frames, rotations, vec![track])?;
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        for (model, smoothing_secs) in [(MassModel::Rigid, 0.0), (MassModel::Points, 0.0), (MassModel::Rigid, 0.167)] {
            let options = CentroidalOptions { model, smoothing_secs };
            let mut best = f64::INFINITY;
            for _ in 0..8 {
                let start = Instant::now();
                pool.install(|| black_box(centroidal_track(&clip, &body, &options)))?;
                best = best.min(start.elapsed().as_secs_f64());
            }
            let us = best * 1e6 / frames as f64;
            println!(
                "clip of {frames} frames, {threads} threads, {model:?}, smoothing {smoothing_secs} s: {us:.3} us a frame"
            );
        }
    }
    Ok(())
}
