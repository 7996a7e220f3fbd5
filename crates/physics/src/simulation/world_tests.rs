use super::tests::{apart_rad, arm, wanted};
use super::*;
use crate::collision::Convex;
use crate::dynamics::{JointKind, LinkId, Model};
use crate::spatial::{SpatialInertia, Symmetric3};
use glam::{DQuat, DVec3};

const RADIUS_M: f64 = 0.1;
const BALL_KG: f64 = 2.0;

/// A solid ball in free space.
fn ball(name: &str, at_m: DVec3, velocity: DVec3, gravity: DVec3) -> Actor {
    ball_of(BALL_KG, name, at_m, velocity, gravity)
}

fn ball_of(mass_kg: f64, name: &str, at_m: DVec3, velocity: DVec3, gravity: DVec3) -> Actor {
    let mut builder = Model::builder().gravity(gravity);
    let about_com = Symmetric3::diagonal(DVec3::splat(0.4 * mass_kg * RADIUS_M * RADIUS_M));
    let inertia = SpatialInertia { mass_kg, com_m: DVec3::ZERO, about_com };
    let link = builder.add(None, name, JointKind::Free, DVec3::ZERO, DQuat::IDENTITY, inertia);
    let model = builder.build().unwrap();
    let mut q = model.neutral();
    q[4..7].copy_from_slice(&at_m.to_array());
    let mut v = vec![0.0; 6];
    v[3..].copy_from_slice(&velocity.to_array());
    let servos = Servos::none(&model);
    let mut actor = Actor::new(name, model, servos, q, v);
    actor.solids.push(Solid { name: "skin".into(), link, shape: Convex::ball(DVec3::ZERO, RADIUS_M) });
    actor
}

/// A table whose top is at height zero.
fn table() -> Actor {
    let mut builder = Model::builder();
    let link = builder.add(None, "table", JointKind::Fixed, DVec3::Y * -0.5, DQuat::IDENTITY, SpatialInertia::ZERO);
    let mut actor = Actor::fixed("table", builder.build().unwrap());
    let shape = Convex::cuboid(DVec3::ZERO, DQuat::IDENTITY, DVec3::new(5.0, 0.5, 5.0));
    actor.solids.push(Solid { name: "top".into(), link, shape });
    actor
}

const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);
const FIRST: SolidId = SolidId { actor: 0, solid: 0 };
const SECOND: SolidId = SolidId { actor: 1, solid: 0 };

fn run(world: &mut World, hz: f64, secs: f64) {
    for _ in 0..(hz * secs).round() as usize {
        world.step(1.0 / hz, &mut |_, _, _| {}).unwrap();
    }
}

fn velocity(actor: &Actor) -> DVec3 {
    // Free joints tell velocities in their own axes.
    DQuat::from_slice(&actor.simulation.q[..4]) * DVec3::from_slice(&actor.simulation.v[3..6])
}

#[test]
fn a_ball_comes_to_rest_with_its_own_weight() {
    let mut world = World::new(vec![ball("ball", DVec3::Y * 0.101, DVec3::ZERO, GRAVITY), table()], Vec::new());
    world = World::new(world.actors, vec![Pair { loss: Loss::Damping(600.0), ..Pair::new(FIRST, SECOND) }]);
    world.check_start().unwrap();
    run(&mut world, 480.0, 1.0);
    let touch = world.touches().last().unwrap();
    assert!((touch.force.y - BALL_KG * 9.81).abs() < 1e-6, "{touch:?}");
    assert!((touch.depth_m - BALL_KG * 9.81 / 1e5).abs() < 1e-8 && touch.normal.distance(DVec3::Y) < 1e-9, "{touch:?}");
    assert!(world.actors[0].simulation.v.iter().all(|v| v.abs() < 1e-6));
}

#[test]
fn a_ball_that_slides_ends_rolling_at_five_sevenths() {
    let pair = Pair { loss: Loss::Damping(600.0), friction: 0.4, ..Pair::new(FIRST, SECOND) };
    let start = ball("ball", DVec3::Y * 0.0999, DVec3::X * 2.0, GRAVITY);
    let mut world = World::new(vec![start, table()], vec![pair]);
    run(&mut world, 480.0, 1.0);
    // Friction's moment about the point of touch is none: m v r is kept while spin builds up, whatever μ is.
    let speed = velocity(&world.actors[0]);
    assert!((speed.x / (2.0 * 5.0 / 7.0) - 1.0).abs() < 0.005 && speed.z.abs() < 1e-6, "{speed}");
}

#[test]
fn balls_that_meet_keep_their_momentum_and_lose_what_damping_takes() {
    let met = |hz: f64, scheme: Scheme| {
        let left = ball("left", DVec3::X * -0.15, DVec3::X * 3.0, DVec3::ZERO);
        let right = ball("right", DVec3::X * 0.15, DVec3::X * -1.0, DVec3::ZERO);
        let pair = Pair { loss: Loss::Damping(60.0), ..Pair::new(FIRST, SECOND) };
        let mut world = World::new(vec![left, right], vec![pair]);
        world.actors.iter_mut().for_each(|actor| actor.simulation.scheme = scheme);
        world.impact_hz = hz;
        run(&mut world, 480.0, 0.2);
        let (a, b) = (velocity(&world.actors[0]).x, velocity(&world.actors[1]).x);
        assert!((a + b - 2.0).abs() < 1e-9, "momentum {a} {b}");
        (b - a) / 4.0
    };
    // A spring and a damper between two masses: e = exp(−ζπ/√(1−ζ²)) to when the spring is slack again, less where the
    // damper would pull.
    let truth = met(400_000.0, Scheme::Explicit);
    let mass = 0.5 * BALL_KG;
    let zeta = 60.0 / (2.0 * (1e5 * mass).sqrt());
    let ideal = (-zeta * std::f64::consts::PI / (1.0 - zeta * zeta).sqrt()).exp();
    assert!((truth - ideal).abs() < 0.05, "{truth} {ideal}");
    // Implicit steps eat some of the bounce, less the shorter they are.
    let (coarse, fine) = (met(3840.0, Scheme::Implicit), met(30_720.0, Scheme::Implicit));
    assert!(coarse < fine && fine < truth && truth - fine < 0.03 && truth - coarse < 0.2, "{coarse} {fine} {truth}");
}

#[test]
fn a_ball_bounces_by_the_restitution_of_its_pair_whatever_it_weighs() {
    for mass_kg in [0.05, 0.5, 5.0] {
        for asked in [0.3, 0.67, 0.95] {
            let pair = Pair { loss: Loss::Restitution(asked), ..Pair::new(FIRST, SECOND) };
            let falling = ball_of(mass_kg, "ball", DVec3::Y * 0.105, DVec3::Y * -2.0, DVec3::ZERO);
            let mut world = World::new(vec![falling, table()], vec![pair]);
            world.impact_hz = 400_000.0;
            run(&mut world, 480.0, 0.03);
            let left = velocity(&world.actors[0]).y / 2.0;
            // Blows of 50 g last 2 ms, 900 steps of first order: 100 kHz left 0.02, these a quarter of it.
            assert!((left - asked).abs() < 0.008, "{mass_kg} kg: {left} of {asked}");
        }
    }
}

#[test]
fn a_hierarchy_of_boxes_changes_nothing() {
    // Sixteen balls in a row on a table, all pairs declared: 136 of them, against the few that matter.
    let actors = || {
        let mut actors: Vec<Actor> = (0..16)
            .map(|index| {
                let at_m = DVec3::new(0.199 * f64::from(index), 0.0999 + 0.01 * f64::from(index % 3), 0.0);
                ball("ball", at_m, DVec3::ZERO, GRAVITY)
            })
            .collect();
        actors.push(table());
        actors
    };
    let solid = |actor| SolidId { actor, solid: 0 };
    let all: Vec<Pair> =
        (0..17).flat_map(|a| (a + 1..17).map(move |b| (a, b))).map(|(a, b)| Pair::new(solid(a), solid(b))).collect();
    let few: Vec<Pair> =
        all.iter().copied().filter(|pair| pair.b.actor == 16 || pair.b.actor == pair.a.actor + 1).collect();
    let (mut all, mut few) = (World::new(actors(), all), World::new(actors(), few));
    run(&mut all, 480.0, 0.25);
    run(&mut few, 480.0, 0.25);
    for (a, b) in all.actors.iter().zip(&few.actors) {
        assert_eq!(a.simulation.q, b.simulation.q);
    }
}

#[test]
fn shapes_that_overlap_at_the_start_are_named() {
    let mut world =
        World::new(vec![ball("egg", DVec3::Y * 0.05, DVec3::ZERO, GRAVITY), table()], vec![Pair::new(FIRST, SECOND)]);
    let error = world.check_start().unwrap_err();
    assert_eq!(
        error.to_string(),
        "skin of egg and top of table overlap by 50.0 mm at the start; move one of them, or arm the pair later"
    );
}

fn waving(link_count: usize, tasks: Vec<Box<dyn Task>>, secs: f64) -> World {
    let model = arm();
    assert_eq!(model.link_count(), link_count);
    let start = wanted(&model, 0.0);
    let servos = Servos::from_inertia(&model, &start, ServoGains::default());
    let nv = model.nv();
    let mut actor = Actor::new("arm", model, servos, start, vec![0.0; nv]);
    actor.tasks = tasks;
    let mut world = World::new(vec![actor], Vec::new());
    for _ in 0..(480.0 * secs) as usize {
        world.step(1.0 / 480.0, &mut |_, time_secs, command| command.target = wanted(&arm(), time_secs)).unwrap();
    }
    world
}

#[test]
fn upright_keeps_the_hand_upright_while_the_arm_waves() {
    let hand = arm().link("hand").unwrap();
    let worst = |tasks: Vec<Box<dyn Task>>| {
        let mut world = waving(3, tasks, 1.0);
        let mut worst: f64 = 0.0;
        for _ in 0..960 {
            world.step(1.0 / 480.0, &mut |_, time_secs, command| command.target = wanted(&arm(), time_secs)).unwrap();
            let links = world.actors[0].simulation.workspace();
            worst = worst.max((links.link(hand).world_from_link * DVec3::X).angle_between(DVec3::Y).to_degrees());
        }
        worst
    };
    let task = Upright { link: hand, axis_in_link: DVec3::X, up: DVec3::Y };
    let (with, without) = (worst(vec![Box::new(task)]), worst(Vec::new()));
    assert!(with < 3.0 && without > 20.0, "{with}° with, {without}° without");
}

#[test]
fn hold_takes_the_hand_to_its_place_and_lets_it_go() {
    let model = arm();
    let hand = model.link("hand").unwrap();
    let (tip_m, at_m) = (DVec3::X * 0.18, DVec3::new(0.25, 1.35, 0.2));
    let mut hold = Hold::new(&model, hand, tip_m, at_m, 3);
    hold.to_secs = 2.0;
    // An arm that is quite straight cannot be told which way to bend; people's never are.
    let start = wanted(&model, 0.0);
    let servos = Servos::from_inertia(&model, &start, ServoGains::default());
    let mut actor = Actor::new("arm", arm(), servos, start.clone(), vec![0.0; model.nv()]);
    actor.tasks.push(Box::new(hold));
    let mut world = World::new(vec![actor], Vec::new());
    let away_m = |world: &mut World, secs: f64| {
        for _ in 0..(480.0 * secs) as usize {
            world.step(1.0 / 480.0, &mut |_, _, command| command.target.copy_from_slice(&start)).unwrap();
        }
        world.actors[0].simulation.workspace().link(hand).point_in_world_m(tip_m).distance(at_m)
    };
    let held = away_m(&mut world, 1.95);
    assert!(held < 1e-4, "{held} m");
    let gone = away_m(&mut world, 1.5);
    assert!(gone > 0.3, "{gone} m");
    let left = apart_rad(&model, &world.actors[0].simulation.q, &start);
    // Gravity lets a servo hang by g/(s r) with r the arm that bends, some centimetres about the axis of a bent arm's
    // twist.
    assert!(left < 0.05, "{left} rad");
}

/// A trunk on two legs whose feet stand on the ground.
fn standing() -> Actor {
    let mut builder = Model::builder();
    let block = |mass_kg: f64, half_m: DVec3, com_m: DVec3| {
        let squares = half_m * half_m * (mass_kg / 3.0);
        let about_com =
            Symmetric3::diagonal(DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y));
        SpatialInertia { mass_kg, com_m, about_com }
    };
    let trunk = block(45.0, DVec3::new(0.15, 0.35, 0.1), DVec3::Y * 0.35);
    let pelvis = builder.add(None, "trunk", JointKind::Free, DVec3::ZERO, DQuat::IDENTITY, trunk);
    let mut points = Vec::new();
    for (side, x) in [("left", 0.1), ("right", -0.1)] {
        let mut above = pelvis;
        let parts = [
            ("thigh", DVec3::X * x, block(8.0, DVec3::new(0.07, 0.2, 0.07), DVec3::Y * -0.2)),
            ("shank", DVec3::Y * -0.4, block(3.5, DVec3::new(0.05, 0.2, 0.05), DVec3::Y * -0.2)),
            ("foot", DVec3::Y * -0.4, block(1.0, DVec3::new(0.05, 0.03, 0.12), DVec3::new(0.0, -0.05, 0.05))),
        ];
        for (name, offset_m, inertia) in parts {
            above =
                builder.add(Some(above), format!("{side} {name}"), JointKind::Ball, offset_m, DQuat::IDENTITY, inertia);
        }
        for (x, z) in [(0.05, 0.18), (-0.05, 0.18), (0.05, -0.06), (-0.05, -0.06)] {
            points.push(ContactPoint { link: above, in_link_m: DVec3::new(x, -0.08, z) });
        }
    }
    let model = builder.build().unwrap();
    let mut q = model.neutral();
    q[5] = 0.88;
    let mut servos = Servos::from_inertia(&model, &q, ServoGains::default());
    for link in model.links().skip(1) {
        // Two ankles of 500 N·m/rad in all are softer than m g h = 660: the figure cannot stand by itself.
        let stiffness: f64 = if model.name(link).ends_with("foot") { 250.0 } else { 1500.0 };
        servos.set(link, stiffness, 2.0 * (stiffness * 35.0).sqrt());
    }
    let nv = model.nv();
    let mut actor = Actor::new("figure", model, servos, q, vec![0.0; nv]);
    actor.ground = Some(Ground::level(0.0, points));
    actor
}

/// Pushed at the trunk for a quarter of a second; where the trunk's middle ends, m.
fn pushed(has_balance: bool) -> f64 {
    let mut actor = standing();
    let link = |name: &str| -> LinkId { actor.model.link(name).unwrap() };
    if has_balance {
        let leg =
            |side: &str| StanceLeg { joints: ["thigh", "shank", "foot"].map(|part| link(&format!("{side} {part}"))) };
        let legs = vec![leg("left"), leg("right")];
        actor.tasks.push(Box::new(Balance::over(DVec3::new(0.0, 0.0, 0.03), legs)));
    }
    let trunk = link("trunk");
    let mut world = World::new(vec![actor], Vec::new());
    let target = world.actors[0].simulation.q.clone();
    for step in 0..3360 {
        let force = if (480..600).contains(&step) { DVec3::Z * 60.0 } else { DVec3::ZERO };
        let load = crate::dynamics::PointForce { link: trunk, point_in_link_m: DVec3::Y * 0.5, force };
        world.actors[0].loads.forces = vec![load];
        let done = world.step(1.0 / 480.0, &mut |_, _, command| command.target.copy_from_slice(&target));
        if done.is_err() {
            break;
        }
    }
    world.actors[0].simulation.workspace().link(trunk).point_in_world_m(DVec3::Y * 0.35).y
}

#[test]
fn balance_catches_a_push_that_throws_the_figure_down_without_it() {
    let (with, without) = (pushed(true), pushed(false));
    assert!(with > 1.15 && without < 0.8, "{with} m with, {without} m without");
}

#[test]
fn light_feet_that_slip_as_they_land_come_to_rest() {
    let mut actor = standing();
    let trembling = (0..actor.model.nv()).map(|dof| if dof < 6 { 0.0 } else { 0.3 * (dof as f64).sin() });
    actor.simulation.v = trembling.collect();
    // Ankles that let a sole slap.
    for link in actor.model.links().filter(|&link| actor.model.name(link).ends_with("foot")) {
        actor.servos.set(link, 22.0, 1.3);
    }
    let target = actor.simulation.q.clone();
    let feet: Vec<LinkId> = actor.model.links().filter(|&link| actor.model.name(link).ends_with("foot")).collect();
    let mut world = World::new(vec![actor], Vec::new());
    let mut fastest: f64 = 0.0;
    for step in 0..144 {
        world.step(1.0 / 480.0, &mut |_, _, command| command.target.copy_from_slice(&target)).unwrap();
        let links = world.actors[0].simulation.workspace();
        let spin = feet.iter().map(|&link| links.link(link).velocity.angular.length()).fold(0.0, f64::max);
        if step > 48 {
            fastest = fastest.max(spin);
        }
    }
    // Friction that turned the slip round in every step drove the feet to 167 rad/s here.
    assert!(fastest < 0.5, "{fastest} rad/s");
}
