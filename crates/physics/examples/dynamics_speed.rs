//! Time of one call of each algorithm of the dynamics core on a humanoid, as lines `what,µs`.
//!
//! `cargo run --release -p aplomb-physics --example dynamics_speed [MODEL]` where MODEL is a text of lines `name parent jx jy jz mass
//! cx cy cz Ixx Iyy Izz`; without it a humanoid of 15 bodies, nv 48, is used.

mod humanoid;

use aplomb_motion::WorldPose;
use aplomb_physics::dynamics::*;
use humanoid::{BUILT_IN, best_us, model};
use std::hint::black_box;

const STATES: usize = 128;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => BUILT_IN.to_owned(),
    };
    let body = model(&text)?;
    let mut pose = WorldPose::for_skeleton(body.skeleton());
    pose.joint_in_world_m.copy_from_slice(&body.skeleton().rest_positions_m());
    let model = BodyModel::new(&body, &pose)?.model;
    let nv = model.nv();
    let mut seed = 1u64;
    let mut roll = |size: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * size
    };
    let mut many = |size: f64| -> Vec<f64> { (0..nv).map(|_| roll(size)).collect() };
    let states: Vec<[Vec<f64>; 4]> = (0..STATES)
        .map(|_| {
            let mut q = model.neutral();
            model.integrate(&model.neutral(), &many(0.7), &mut q);
            [q, many(2.0), many(10.0), many(50.0)]
        })
        .collect();
    let mut work = Workspace::new(&model);
    let mut out = vec![0.0; nv];
    let mut mass = Matrix::zeros(nv, nv);
    let mut factor = MassFactor::new(&model);
    let mut inverse = InverseDerivatives::new(&model);
    let mut forward = ForwardDerivatives::new(&model);
    let mut whole = CentroidDerivatives::new(&model);
    let none = Loads::NONE;
    eprintln!("nv {nv}");
    let print = |what: &str, us: f64| println!("{what},{us:.3}");
    print("forward kinematics", best_us(1280, |i| work.place(&model, black_box(&states[i % STATES][0]))));
    print(
        "rnea",
        best_us(1280, |i| {
            let [q, v, a, _] = &states[i % STATES];
            rnea(&model, q, v, a, &none, black_box(&mut out), &mut work);
        }),
    );
    print(
        "aba",
        best_us(1280, |i| {
            let [q, v, _, tau] = &states[i % STATES];
            aba(&model, q, v, tau, &none, black_box(&mut out), &mut work);
        }),
    );
    print("crba", best_us(1280, |i| crba(&model, &states[i % STATES][0], black_box(&mut mass), &mut work)));
    print(
        "crba + factor",
        best_us(1280, |i| {
            crba(&model, &states[i % STATES][0], &mut mass, &mut work);
            black_box(factor.factor(&mass));
        }),
    );
    print(
        "rnea derivatives",
        best_us(640, |i| {
            let [q, v, a, _] = &states[i % STATES];
            rnea_derivatives(&model, q, v, a, &none, &mut out, black_box(&mut inverse), &mut work);
        }),
    );
    print(
        "aba derivatives",
        best_us(640, |i| {
            let [q, v, _, tau] = &states[i % STATES];
            black_box(aba_derivatives(&model, q, v, tau, &none, &mut out, &mut forward, &mut work));
        }),
    );
    print(
        "centroid derivatives",
        best_us(640, |i| {
            let [q, v, ..] = &states[i % STATES];
            whole.evaluate(&model, q, v, &mut work);
            black_box(&whole);
        }),
    );
    Ok(())
}
