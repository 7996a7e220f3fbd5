//! Time of one frame's centre of mass, momenta and rates on a 15-body, nv 48 humanoid, from joint motion and from a clip.
//!
//! `cargo run --release -p aplomb-physics --example centroidal_speed [MODEL]` where MODEL is a text of lines `name parent jx jy jz mass
//! cx cy cz Ixx Iyy Izz`; without it a humanoid of the same tree is used.

use aplomb_motion::{Channels, Clip, FrameTime, JointId, Skeleton, Timeline, TranslationTrack, so3};
use aplomb_physics::body::BodySource;
use aplomb_physics::centroidal::{CentroidalKernel, CentroidalOptions, JointMotion, RootMotion, centroidal_track};
use aplomb_physics::{Body, Link, MassModel, SpatialInertia, Symmetric3};
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const BUILT_IN: &str = "\
pelvis - 0 0 0 10.7 0 0 .048 .051 .051 .077\nthorax pelvis 0 0 .1 21 0 0 .19 .356 .356 .206\nhead thorax 0 0 .42 5 0 0 .12 .034 .034 .02
uparm_l thorax 0 .19 .34 2.3 0 0 -.142 .022 .022 .0023\nforearm_l uparm_l 0 0 -.33 1.3 0 0 -.11 .0076 .0076 .0008
hand_l forearm_l 0 0 -.26 .42 0 0 -.096 .0013 .0013 .0002\nuparm_r thorax 0 -.19 .34 2.3 0 0 -.142 .022 .022 .0023
forearm_r uparm_r 0 0 -.33 1.3 0 0 -.11 .0076 .0076 .0008\nhand_r forearm_r 0 0 -.26 .42 0 0 -.096 .0013 .0013 .0002
thigh_l pelvis 0 .09 0 7.4 0 0 -.19 .12 .12 .018\nshank_l thigh_l 0 0 -.43 4.2 0 0 -.19 .067 .067 .0053
foot_l shank_l 0 0 -.43 1 .08 0 -.02 .00064 .0027 .0027\nthigh_r pelvis 0 -.09 0 7.4 0 0 -.19 .12 .12 .018
shank_r thigh_r 0 0 -.43 4.2 0 0 -.19 .067 .067 .0053\nfoot_r shank_r 0 0 -.43 1 .08 0 -.02 .00064 .0027 .0027";

fn model(text: &str) -> Result<Body, Box<dyn std::error::Error>> {
    let mut builder = Skeleton::builder();
    let mut ids: HashMap<String, JointId> = HashMap::new();
    let mut links = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = words.iter().skip(2).map(|word| word.parse()).collect::<Result<Vec<f64>, _>>()?;
        let [jx, jy, jz, mass_kg, cx, cy, cz, ixx, iyy, izz] = numbers[..] else {
            return Err("ten numbers a line".into());
        };
        let joint = builder.add(ids.get(words[1]).copied(), words[0], DVec3::new(jx, jy, jz), Channels::default());
        ids.insert(words[0].to_owned(), joint);
        let about_com = Symmetric3::diagonal(DVec3::new(ixx, iyy, izz));
        let inertia = SpatialInertia { mass_kg, com_m: DVec3::new(cx, cy, cz), about_com };
        links.push(Link { joint, inertia, shapes: Vec::new() });
    }
    let source = BodySource::Given("bench".to_owned());
    Ok(Body::from_links(Arc::new(builder.build()?), links, None, source, Vec::new())?)
}

/// Rotations, velocities and accelerations of all joints, and the root.
type State = (Vec<DQuat>, Vec<DVec3>, Vec<DVec3>, RootMotion);

/// Best of many runs, µs a call.
fn best_us(calls: usize, mut call: impl FnMut(usize)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..60 {
        let start = Instant::now();
        (0..calls).for_each(&mut call);
        best = best.min(start.elapsed().as_secs_f64() * 1e6 / calls as f64);
    }
    best
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => BUILT_IN.to_owned(),
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
