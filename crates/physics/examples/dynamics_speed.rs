//! Time of one call of each algorithm of the dynamics core on a humanoid, as lines `what,µs`.
//!
//! `cargo run --release -p aplomb-physics --example dynamics_speed [MODEL]` where MODEL is a text of lines `name parent
//! jx jy jz mass cx cy cz Ixx Iyy Izz`; without it a humanoid of 15 bodies, nv 48, is used. `--model 48` and `--model
//! 54` print two of them.

mod humanoid;

use aplomb_motion::WorldPose;
use aplomb_physics::dynamics::*;
use aplomb_physics::simulation::*;
use glam::DVec3;
use humanoid::{best_us, built_in, model};
use std::hint::black_box;

const STATES: usize = 128;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(flag) if flag == "--model" => {
            println!("{}", built_in(std::env::args().nth(2)));
            return Ok(());
        }
        Some(path) => std::fs::read_to_string(path)?,
        None => built_in(None).to_owned(),
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
    for (what, has_ground) in [("step in the air", false), ("step with feet down", true)] {
        let stood = standing(&model, has_ground)?;
        print(what, stood.step_us);
        eprintln!(
            "{what}: {:.1} corners touch, at most {:.2} mm deep, the pelvis ends {:.2} mm from its start, joints within {:.3} rad",
            stood.touching,
            1e3 * stood.deepest_m,
            1e3 * stood.moved_m,
            stood.apart_rad
        );
    }
    Ok(())
}

struct Standing {
    step_us: f64,
    touching: f64,
    deepest_m: f64,
    moved_m: f64,
    apart_rad: f64,
}

/// Half seconds of a figure that stands, at 1/480 s: the best of thirty. The humanoid of this bench has Z up.
fn standing(model: &Model, has_ground: bool) -> Result<Standing, Diverged> {
    const STEPS: usize = 240;
    let mut model = model.clone();
    model.gravity = if has_ground { DVec3::Z * -9.81 } else { DVec3::ZERO };
    let mut q = model.neutral();
    q[6] = 0.928;
    let mut servos = Servos::none(&model);
    let mut below_kg = vec![0.0; model.link_count()];
    for link in model.links().rev() {
        below_kg[link.index()] += model.inertia(link).mass_kg;
        if let Some(parent) = model.parent(link) {
            below_kg[parent.index()] += below_kg[link.index()];
            // The gains that MuJoCo's figure has in this comparison.
            let stiffness = f64::min(500.0, 12.0 * below_kg[link.index()] + 10.0);
            servos.set(link, stiffness, 0.06 * stiffness);
        }
    }
    let corners = [(0.2, 0.045), (0.2, -0.045), (-0.06, 0.045), (-0.06, -0.045)];
    let feet = model.links().filter(|&link| model.name(link).starts_with("foot"));
    let points: Vec<ContactPoint> = feet
        .flat_map(|link| corners.map(|(x, y)| ContactPoint { link, in_link_m: DVec3::new(x, y, -0.068) }))
        .collect();
    let mut best = Standing { step_us: f64::INFINITY, touching: 0.0, deepest_m: 0.0, moved_m: 0.0, apart_rad: 0.0 };
    for run in 0..30 {
        let mut ground = Ground::level(0.0, points.clone());
        (ground.point_m, ground.normal) = (DVec3::ZERO, DVec3::Z);
        let v = (0..model.nv()).map(|dof| if dof < 6 { 0.0 } else { 0.3 * (dof as f64 + run as f64).sin() }).collect();
        let mut simulation = Simulation::new(&model, q.clone(), v);
        let start = std::time::Instant::now();
        for _ in 0..STEPS {
            let drive = Drive { servos: &servos, target: &q, rate: None, push: None, loads: &Loads::NONE };
            simulation.step(&model, drive, has_ground.then_some(&mut ground), 1.0 / 480.0)?;
        }
        let step_us = start.elapsed().as_secs_f64() * 1e6 / STEPS as f64;
        if step_us >= best.step_us {
            continue;
        }
        let depths = ground
            .points()
            .iter()
            .map(|point| ground.depth_m(simulation.workspace().link(point.link).point_in_world_m(point.in_link_m)));
        let mut apart = vec![0.0; model.nv()];
        model.difference(&q, &simulation.q, &mut apart);
        best = Standing {
            step_us,
            touching: ground.forces().iter().filter(|force| force.z > 0.0).count() as f64,
            deepest_m: depths.fold(0.0, f64::max),
            moved_m: (DVec3::from_slice(&simulation.q[4..7]) - DVec3::from_slice(&q[4..7])).length(),
            apart_rad: apart[6..].iter().fold(0.0, |most: f64, angle| most.max(angle.abs())),
        };
    }
    Ok(best)
}
