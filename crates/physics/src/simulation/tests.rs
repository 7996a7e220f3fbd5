use super::*;
use crate::dynamics::{JointKind, LinkId, Loads, Model};
use crate::spatial::{SpatialInertia, Symmetric3};
use aplomb_motion::so3;
use glam::{DQuat, DVec3};

/// An arm of three links at a wall.
pub(super) fn arm() -> Model {
    let mut builder = Model::builder();
    let rod = |mass_kg: f64, length_m: f64| {
        let across = mass_kg * length_m * length_m / 12.0;
        let about_com = Symmetric3::diagonal(DVec3::new(across / 30.0, across, across));
        SpatialInertia { mass_kg, com_m: DVec3::X * (0.5 * length_m), about_com }
    };
    let mut above = None;
    for (name, mass_kg, length_m) in [("upper arm", 2.0, 0.3), ("forearm", 1.3, 0.25), ("hand", 0.4, 0.18)] {
        let offset_m = if above.is_some() { DVec3::X * 0.28 } else { DVec3::Y };
        above = Some(builder.add(above, name, JointKind::Ball, offset_m, DQuat::IDENTITY, rod(mass_kg, length_m)));
    }
    builder.build().unwrap()
}

/// A wave of all joints.
pub(super) fn wanted(model: &Model, time_secs: f64) -> Vec<f64> {
    let mut q = model.neutral();
    let step: Vec<f64> = (0..model.nv()).map(|dof| 0.6 * (5.0 * time_secs + dof as f64).sin() - 0.2).collect();
    model.integrate(&model.neutral(), &step, &mut q);
    q
}

fn played(scheme: Scheme, hz: f64, stiffness_per_s2: f64) -> Result<Vec<f64>, Diverged> {
    let model = arm();
    let gains = ServoGains { stiffness_per_s2, ..ServoGains::default() };
    let start = wanted(&model, 0.0);
    let servos = Servos::from_inertia(&model, &start, gains);
    let mut simulation = Simulation::new(&model, start, vec![0.0; model.nv()]);
    simulation.scheme = scheme;
    let h = 1.0 / hz;
    for frame in 0..hz as usize {
        let target = wanted(&model, (frame + 1) as f64 * h);
        let drive = Drive { servos: &servos, target: &target, rate: None, push: None, loads: &Loads::NONE };
        simulation.step(&model, drive, None, h)?;
    }
    Ok(simulation.q)
}

pub(super) fn apart_rad(model: &Model, a: &[f64], b: &[f64]) -> f64 {
    let mut step = vec![0.0; model.nv()];
    model.difference(a, b, &mut step);
    step.chunks(3).map(|part| DVec3::from_slice(part).length()).fold(0.0, f64::max)
}

#[test]
fn implicit_steps_converge_to_the_tiny_explicit_ones() {
    let model = arm();
    let truth = played(Scheme::Explicit, 30_720.0, 4000.0).unwrap();
    let errors =
        [480.0, 960.0, 1920.0].map(|hz| apart_rad(&model, &played(Scheme::Implicit, hz, 4000.0).unwrap(), &truth));
    assert!(errors[0] < 0.02, "{errors:?}");
    // First order: half the step, half the error.
    for pair in errors.windows(2) {
        assert!((0.4..0.6).contains(&(pair[1] / pair[0])), "{errors:?}");
    }
}

#[test]
fn implicit_steps_are_stable_where_explicit_ones_diverge() {
    let model = arm();
    let end = played(Scheme::Implicit, 30.0, 10_000.0).unwrap();
    assert!(apart_rad(&model, &end, &wanted(&model, 1.0)) < 0.3);
    let error = played(Scheme::Explicit, 480.0, 10_000.0).unwrap_err();
    assert!(error.to_string().contains("diverged at") && !error.link.is_empty(), "{error}");
}

/// A box of 8 kg with corners that touch.
fn brick(tilt_rad: f64) -> (Model, Ground) {
    // Ground stays level, gravity leans: the same as a slope.
    let gravity = DQuat::from_rotation_z(tilt_rad) * DVec3::new(0.0, -9.81, 0.0);
    let mut builder = Model::builder().gravity(gravity);
    let about_com = Symmetric3::diagonal(DVec3::new(0.05, 0.09, 0.06));
    let solid = SpatialInertia { mass_kg: 8.0, com_m: DVec3::ZERO, about_com };
    let link: LinkId = builder.add(None, "brick", JointKind::Free, DVec3::ZERO, DQuat::IDENTITY, solid);
    let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let points = corners.map(|(x, z)| ContactPoint { link, in_link_m: DVec3::new(0.15 * x, -0.05, 0.1 * z) }).to_vec();
    (builder.build().unwrap(), Ground::level(0.0, points))
}

fn settled(tilt_rad: f64, secs: f64) -> (Simulation, Ground) {
    let (model, mut ground) = brick(tilt_rad);
    let mut q = model.neutral();
    q[5] = 0.05;
    let servos = Servos::from_inertia(&model, &q, ServoGains::default());
    let mut simulation = Simulation::new(&model, q.clone(), vec![0.0; 6]);
    for _ in 0..(480.0 * secs) as usize {
        let drive = Drive { servos: &servos, target: &q, rate: None, push: None, loads: &Loads::NONE };
        simulation.step(&model, drive, Some(&mut ground), 1.0 / 480.0).unwrap();
    }
    (simulation, ground)
}

#[test]
fn a_brick_rests_on_its_corners_with_its_own_weight() {
    let (simulation, ground) = settled(0.0, 1.0);
    let weight: f64 = ground.forces().iter().map(|force| force.y).sum();
    assert!((weight - 8.0 * 9.81).abs() < 1e-6, "{weight} N");
    let sunk_m = 0.05 - simulation.q[5];
    assert!((sunk_m - 8.0 * 9.81 / (4.0 * 2e5)).abs() < 1e-9, "{sunk_m} m");
    assert!(simulation.v.iter().all(|v| v.abs() < 1e-9), "{:?}", simulation.v);
}

#[test]
fn friction_holds_a_brick_below_its_angle_and_lets_it_slide_beyond() {
    // Held: it creeps only by the springs' own give, and comes to rest.
    let (held, _) = settled(0.5, 1.0);
    assert!(held.v.iter().all(|v| v.abs() < 1e-6), "{:?}", held.v);
    // tan 45° = 1 > 0.8: it slides with g (sin − μ cos).
    let angle = std::f64::consts::FRAC_PI_4;
    let (sliding, _) = settled(angle, 0.5);
    let expected = 9.81 * (angle.sin() - 0.8 * angle.cos()) * 0.5;
    let speed = DVec3::new(sliding.v[3], sliding.v[4], sliding.v[5]).length();
    // The first tenths of a second load the springs and tip the brick a little.
    assert!((speed / expected - 1.0).abs() < 0.03, "{speed} instead of {expected} m/s");
    let turned = so3::log(DQuat::from_slice(&sliding.q[..4])).length();
    assert!(turned < 0.01, "{turned} rad");
}

/// A body of sixteen links in free flight, thrown and limp.
fn ragdoll() -> (Model, Vec<f64>, Vec<f64>) {
    let mut builder = Model::builder();
    let part = |mass_kg: f64, length_m: f64| {
        let across = mass_kg * length_m * length_m / 12.0;
        let about_com = Symmetric3::diagonal(DVec3::new(across, across / 8.0, across));
        SpatialInertia { mass_kg, com_m: DVec3::Y * (-0.5 * length_m), about_com }
    };
    let pelvis = builder.add(None, "pelvis", JointKind::Free, DVec3::ZERO, DQuat::IDENTITY, part(10.0, 0.3));
    for (name, count, offset_m) in [
        ("trunk", 3, DVec3::Y * 0.1),
        ("left arm", 3, DVec3::new(0.2, 0.4, 0.0)),
        ("right arm", 3, DVec3::new(-0.2, 0.4, 0.0)),
        ("left leg", 3, DVec3::new(0.1, -0.1, 0.0)),
        ("right leg", 3, DVec3::new(-0.1, -0.1, 0.0)),
    ] {
        let mut above = pelvis;
        for index in 0..count {
            let offset_m = if index == 0 { offset_m } else { DVec3::Y * -0.35 };
            above = builder.add(Some(above), name, JointKind::Ball, offset_m, DQuat::IDENTITY, part(4.0, 0.35));
        }
    }
    let model = builder.build().unwrap();
    let wave = |size: f64| -> Vec<f64> { (0..model.nv()).map(|dof| size * (1.7 * dof as f64).sin()).collect() };
    let mut q = model.neutral();
    model.integrate(&model.neutral(), &wave(0.5), &mut q);
    (model.clone(), q, wave(3.0))
}

/// Largest change of momentum (a part of its start) and of energy (J) in half a second of flight without gravity.
fn drifts(hz: f64) -> (f64, f64) {
    let (mut model, q, v) = ragdoll();
    assert_eq!(model.nv(), 51);
    model.gravity = DVec3::ZERO;
    let servos = Servos::none(&model);
    let mut simulation = Simulation::new(&model, q, v);
    let mut whole = crate::dynamics::CentroidDerivatives::new(&model);
    let mut work = crate::dynamics::Workspace::new(&model);
    let mut mass = crate::dynamics::Matrix::zeros(model.nv(), model.nv());
    let mut start = None;
    let (mut momentum, mut energy): (f64, f64) = (0.0, 0.0);
    for _ in 0..=(0.5 * hz) as usize {
        let (q, v) = (simulation.q.clone(), simulation.v.clone());
        whole.evaluate(&model, &q, &v, &mut work);
        crate::dynamics::crba(&model, &q, &mut mass, &mut work);
        let row = |i: usize| -> f64 { (0..model.nv()).map(|j| mass[(i.max(j), i.min(j))] * v[j]).sum() };
        let kinetic: f64 = 0.5 * (0..model.nv()).map(|i| v[i] * row(i)).sum::<f64>();
        let h = whole.momentum;
        let &mut (h0, kinetic0) = start.get_or_insert((h, kinetic));
        let change = (h.linear - h0.linear).length() / h0.linear.length();
        momentum = momentum.max(change.max((h.angular - h0.angular).length() / h0.angular.length()));
        energy = energy.max((kinetic / kinetic0 - 1.0).abs());
        let drive = Drive { servos: &servos, target: &q, rate: None, push: None, loads: &Loads::NONE };
        simulation.step(&model, drive, None, 1.0 / hz).unwrap();
    }
    (momentum, energy)
}

#[test]
fn a_ragdoll_in_flight_keeps_momentum_and_its_energy_drifts_with_the_step() {
    let (coarse, fine) = (drifts(480.0), drifts(1920.0));
    // A step of first order: a quarter of the step, about a quarter of the drift.
    assert!(coarse.0 < 0.05 && coarse.1 < 0.1, "momentum {:.4}, energy {:.4} of the start", coarse.0, coarse.1);
    assert!(fine.0 < 0.35 * coarse.0 && fine.1 < 0.35 * coarse.1, "{coarse:?} {fine:?}");
}
