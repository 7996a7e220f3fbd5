use super::goals::Goals;
use super::problem::{
    Actuated, BlockLayout, Cone, Constraints, Demand, DemandAtTime, Demands, Evaluator, Grid, Metric, Problem,
    Trajectory, Watched, matrix, norm, pull,
};
use super::solve::{Objective, linear_forms, slopes, solve, timed};
use super::start::{PlanBuilder, StageMove, StagedTrajectory, captured, on_footprints};
use super::subject::{Coordinates, Foothold, Subject, Touch, unwrapped};
use super::{Initialised, Progress};
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::Take;
use aplomb_analysis::contacts::Part;
use aplomb_motion::{Clip, JointId, Roles};
use aplomb_physics::dynamics::{BodyModel, JointKind, Model, Workspace};
use aplomb_physics::spatial::{SpatialInertia, Symmetric3};
use aplomb_physics::{Body, BodyOptions};
use glam::{DQuat, DVec3};
use std::collections::HashSet;

/// m/s².
const G: f64 = 9.81;

fn built_in(name: &str) -> (Clip, Roles, Body, ContactAnalysis) {
    let clip = aplomb_builtins::clip(name).unwrap();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    let contacts = Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap().contacts;
    (clip, roles, body, contacts)
}

fn subject(name: &str) -> Subject {
    let (clip, roles, body, contacts) = built_in(name);
    Subject::new(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None))
        .unwrap()
}

/// Constraints with a row of every kind.
fn constraints_of(subject: &Subject) -> Constraints {
    let links: Vec<_> = subject.tree().model.links().collect();
    let mut constraints = Constraints::of_subject(subject);
    let demands = &mut constraints.demands;
    demands.pinned.push((8, 0.3));
    let Touch { link, point_in_link_m, .. } = subject.touches[1];
    demands.watched.push(Watched {
        demand: Demand::Point { link, point_in_link_m, direction: DVec3::Y, value_m: 0.5 },
        span_secs: (0.0, 9.0),
        unless_down: None,
    });
    let cone = |middle_link| Cone {
        from: (links[0], DVec3::ZERO),
        to: (links[4], DVec3::new(0.02, -0.1, 0.05)),
        middle: DVec3::new(0.6, 0.0, 0.8),
        middle_link,
        most_rad: 0.4,
    };
    demands.cones.extend([(cone(None), 0.0, 9.0), (cone(Some(links[9])), 0.0, 9.0)]);
    constraints.torque_bounds = vec![Some(1.0); links.len()];
    constraints.actuated = vec![Actuated { link: links[6], axis: DVec3::Y, unit_nm: 60.0 }];
    constraints
}

#[test]
fn rows_change_as_their_derivatives_say() {
    let subject = subject("short-jump");
    let staged = captured(&subject).unwrap();
    let constraints = constraints_of(&subject);
    let problem = staged.problem(&subject, subject.tree(), &constraints, 1e-4);
    let mut trajectory = staged.trajectory.clone();
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0
    };
    // Somewhere in general position: joints bent, forces on.
    trajectory.controls.iter_mut().for_each(|control| *control += 0.05 * next());
    trajectory.torques = vec![vec![0.0; trajectory.grid.len()]];
    let plans = Evaluator::new(&problem).plans;
    for (knot, plan) in plans.iter().enumerate() {
        for (touch, _) in &plan.forces {
            trajectory.forces[*touch][knot] = DVec3::new(0.2 * next(), 0.4 + 0.2 * next(), 0.2 * next());
        }
    }
    for _ in 0..3 {
        let mut direction = trajectory.clone();
        direction.controls.iter_mut().for_each(|control| *control = 0.01 * next());
        for (knot, plan) in plans.iter().enumerate() {
            direction.forces.iter_mut().for_each(|forces| forces[knot] = DVec3::ZERO);
            for (touch, _) in &plan.forces {
                direction.forces[*touch][knot] = DVec3::new(next(), next(), next());
            }
        }
        let moved = |step: f64| {
            let mut moved = trajectory.clone();
            moved.controls.iter_mut().zip(&direction.controls).for_each(|(own, change)| *own += step * change);
            for (own, change) in moved.forces.iter_mut().zip(&direction.forces) {
                own.iter_mut().zip(change).for_each(|(own, change)| *own += *change * step);
            }
            moved
        };
        const STEP: f64 = 1e-5;
        let rows = linear_forms(&problem, &trajectory, &direction);
        let (less, more) =
            (linear_forms(&problem, &moved(-STEP), &direction), linear_forms(&problem, &moved(STEP), &direction));
        assert!(rows.len() > 500 && rows.len() == less.len() && rows.len() == more.len(), "{} rows", rows.len());
        let size = rows.iter().map(|row| row.2.abs()).fold(0.0, f64::max);
        for ((row, less), more) in rows.iter().zip(&less).zip(&more) {
            let found = (more.1 - less.1) / (2.0 * STEP);
            // Step² times third derivatives (1e4 of accelerations) and round-off over the step leave 1e-6 of the
            // largest.
            assert!((found - row.2).abs() < 1e-6 * size, "{:?}: {} instead of {found}", row.0, row.2);
        }
    }
}

#[test]
fn objectives_change_as_their_terms_say() {
    let subject = subject("short-jump");
    let staged = captured(&subject).unwrap();
    let mut constraints = constraints_of(&subject);
    let links: Vec<_> = subject.tree().model.links().collect();
    constraints.actuated.push(Actuated { link: links[2], axis: DVec3::X, unit_nm: 300.0 });
    let problem = staged.problem(&subject, subject.tree(), &constraints, 1e-4);
    let mut trajectory = staged.trajectory.clone();
    trajectory.torques = vec![vec![0.0; trajectory.grid.len()]; 2];
    let mut state = 11_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0
    };
    trajectory.controls.iter_mut().for_each(|control| *control += 0.02 * next());
    for objective in [
        Objective::TorqueSmoothness,
        Objective::Torque,
        Objective::KinematicSmoothness,
        Objective::Power,
        Objective::MassDisplacement,
    ] {
        let [slope, found] = slopes(&problem, &trajectory, objective, &mut next);
        // Steps of 1e-6 of a radian: third derivatives leave less than this.
        assert!((slope - found).abs() < 1e-4 * slope.abs().max(1e-6), "{objective:?}: {slope} instead of {found}");
    }
}

#[test]
fn the_norm_is_one_as_a_matrix_as_a_pull_and_as_a_number() {
    let subject = subject("short-jump");
    let staged = captured(&subject).unwrap();
    let constraints = constraints_of(&subject);
    let mut problem = staged.problem(&subject, subject.tree(), &constraints, 1e-4);
    let origin = staged.trajectory.clone();
    problem.metric.ends_secs = [1.0, 0.5];
    let mut state = 5_u64;
    let mut moved = origin.clone();
    for control in &mut moved.controls {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *control += (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5;
    }
    let evaluator = Evaluator::new(&problem);
    let layout = BlockLayout::new(&evaluator, problem.coordinates.count);
    let mut change = vec![0.0; layout.size()];
    for control in 0..origin.grid.control_count() {
        for dof in 0..origin.dofs {
            let at = control * origin.dofs + dof;
            change[layout.control(control) + dof] = moved.controls[at] - origin.controls[at];
        }
    }
    let mut by_matrix = vec![0.0; layout.size()];
    matrix(&problem, &evaluator, &layout, None, 1.0).add_times(&change, &mut by_matrix);
    let mut by_pull = vec![0.0; layout.size()];
    pull(&problem, &layout, &moved, &origin, &mut by_pull);
    let size = by_matrix.iter().map(|number| number.abs()).fold(0.0, f64::max);
    for (at, (matrix, pull)) in by_matrix.iter().zip(&by_pull).enumerate() {
        // Sums of some ten terms.
        assert!((matrix - pull).abs() < 1e-12 * size, "unknown {at}: {matrix} and {pull}");
    }
    let square: f64 = by_matrix.iter().zip(&change).map(|(a, b)| a * b).sum();
    let number = norm(&problem.metric, &moved, &origin);
    assert!((square - number).abs() < 1e-12 * number, "{square} and {number}");
    // A change that goes on evenly costs what it is beyond the ends besides.
    let mut even = origin.clone();
    let knots_secs = origin.grid.basis.knots_secs();
    for (control, numbers) in even.controls.chunks_exact_mut(origin.dofs).enumerate() {
        // Control points of a straight line lie over the means of their three inner knots.
        numbers[6] += 0.1 * knots_secs[control + 1..control + 4].iter().sum::<f64>() / 3.0;
    }
    let beyond = norm(&problem.metric, &even, &origin);
    problem.metric.ends_secs = [0.0; 2];
    let within = norm(&problem.metric, &even, &origin);
    let expected = problem.metric.weights[6] * 0.01 * (1.0 + 0.125) / 3.0;
    assert!((beyond - within - expected).abs() < 1e-9, "{} instead of {expected}", beyond - within);
}

/// Angle from hanging (the rod's top is up its own Y) and its rate, at 6000 steps from the horizontal.
fn pendulum(length_m: f64, secs: f64) -> Vec<(f64, f64)> {
    let rate = |angle: f64| -1.5 * G / length_m * angle.sin();
    let (mut angle, mut speed) = (std::f64::consts::FRAC_PI_2, 0.0);
    let (steps, mut all) = (6000, vec![(angle, speed)]);
    let h = secs / f64::from(steps);
    for _ in 0..steps {
        let middle = (angle + 0.5 * h * speed, speed + 0.5 * h * rate(angle));
        (angle, speed) = (angle + h * middle.1, speed + h * rate(middle.0));
        all.push((angle, speed));
    }
    all
}

/// The paper's example of scaling: 70 kg, 1.70 m, 0.6 s from the horizontal, in coordinates of the free rod, held at
/// its top.
#[test]
fn a_rod_held_at_its_end_swings_as_a_pendulum() {
    let (mass_kg, length_m, secs) = (70.0, 1.7, 0.6);
    let across = mass_kg * length_m * length_m / 12.0;
    let rod = SpatialInertia {
        mass_kg,
        com_m: DVec3::ZERO,
        about_com: Symmetric3::diagonal(DVec3::new(across, 0.1, across)),
    };
    let mut builder = Model::builder();
    let link = builder.add(None, "rod", JointKind::Free, DVec3::ZERO, DQuat::IDENTITY, rod);
    let tree = BodyModel { model: builder.build().unwrap(), joints: vec![JointId::new(0)] };
    let path = pendulum(length_m, secs);
    let pose = |angle: f64| {
        let turn = DQuat::from_rotation_z(angle);
        let at_m = turn * DVec3::new(0.0, -0.5 * length_m, 0.0);
        let mut q = turn.to_array().to_vec();
        q.extend(at_m.to_array());
        q
    };
    let still = vec![pose(path[0].0); 30];
    let coordinates = Coordinates::choose(&tree, &still, |_| None).unwrap();
    let samples = unwrapped(&coordinates, &tree, &still);
    let times_secs: Vec<f64> = (0..30).map(|index| secs * f64::from(index) / 29.0).collect();
    let grid = Grid::new((0..25).map(|knot| secs * f64::from(knot) / 24.0).collect()).unwrap();
    let top = Touch {
        name: "top".to_owned(),
        link,
        point_in_link_m: DVec3::Y * (0.5 * length_m),
        group: 2,
        part: Part::Hand,
    };
    let held = Foothold {
        touch: 0,
        start_secs: 0.0,
        end_secs: secs,
        place_m: DVec3::ZERO,
        lateral: DVec3::X,
        is_loaded_at_start: true,
        is_loaded_at_end: true,
        is_bilateral: true,
    };
    let ends = [(0.0, path[0].0), (secs, path[path.len() - 1].0)];
    let mut near = samples[..6].to_vec();
    let mut asked = Vec::new();
    for (time_secs, angle) in ends {
        let mut x = vec![0.0; 6];
        coordinates.of_configuration(&tree, &pose(angle), &near, &mut x);
        near.copy_from_slice(&x);
        let rows = (0..3).map(|index| Demand::Coordinate { index, sign: 1.0, value: x[index] });
        asked.extend(rows.enumerate().map(|(id, demand)| DemandAtTime {
            time_secs,
            demand,
            is_equal: true,
            id: id as u64,
            series: None,
        }));
    }
    let constraints = Constraints {
        touches: vec![top],
        demands: Demands::default(),
        friction: 0.8,
        torque_bounds: vec![None],
        actuated: Vec::new(),
        load_bound: None,
        ends_secs: [0.0; 2],
    };
    let metric = Metric {
        weights: vec![1.0; 6],
        smoothness: 1e-6,
        ends_secs: [0.0; 2],
        force: 1e-3,
        force_change: 1e-3,
        torque: 0.1,
    };
    let problem = Problem {
        tree: &tree,
        coordinates: &coordinates,
        constraints: &constraints,
        footholds: &[held],
        grid: grid.clone(),
        asked,
        ground_m: None,
        metric,
        origin: None,
        body_weight_n: mass_kg * G,
    };
    let start = Trajectory::fit(grid, 6, &times_secs, &samples, 1).unwrap();
    let solved = solve(&problem, start, 20, &HashSet::new(), &mut |_| true).unwrap();
    assert!(solved.status.is_met(), "{:?}", solved.residuals);
    // A sound solver needs a handful whatever multipliers weigh (the paper: 24, and 129 unscaled).
    assert!(solved.iterations.len() <= 8, "{} iterations", solved.iterations.len());
    let mut q = tree.model.neutral();
    // Not at the very end, where nothing holds the acceleration of the last control points.
    for (index, (angle, speed)) in path.iter().enumerate().step_by(600).take(10) {
        let time_secs = secs * index as f64 / 6000.0;
        coordinates.configuration(&solved.trajectory.coordinates_at(time_secs), &mut q);
        let up = DQuat::from_xyzw(q[0], q[1], q[2], q[3]) * DVec3::Y;
        // Cubic splines with 25 ms knots follow accelerations of 10 rad/s² to about h² of them.
        assert!((up.y - angle.cos()).abs() < 3e-3, "at {time_secs} s: {} instead of {}", up.y, angle.cos());
        let tension = mass_kg * (G * angle.cos() + speed * speed * 0.5 * length_m);
        let found = solved.trajectory.force_at(0, time_secs).dot(up) * mass_kg * G;
        assert!((found - tension).abs() < 0.03 * mass_kg * G, "at {time_secs} s: {found} N instead of {tension} N");
    }
}

#[test]
fn a_longer_jump_crouches_deeper_and_lands_where_it_should() {
    let (clip, roles, body, contacts) = built_in("long-jump");
    let mut iterations = 0;
    let mut watch = |_: &Progress| {
        iterations += 1;
        true
    };
    let fit = Initialised::new(
        Subject::new(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None))
            .unwrap(),
        &mut watch,
    )
    .unwrap();
    assert!(fit.report.status.is_met(), "{:?}", fit.report.at_points);
    assert!(fit.report.between.force_p95 < 0.025, "{:?}", fit.report.between);
    let goals = Goals::from_toml("jump_length_m = 0.3\nflight_time = 1.1").unwrap();
    let done = fit.adapt(&goals, &mut watch).unwrap();
    let report = &done.report;
    assert!(report.status.is_met(), "{:?}", report.at_points);
    assert!(report.iterations[0] <= 5, "{:?}", report.iterations);
    assert!(report.between.force_p95 < 0.025 && report.between.friction_max <= 0.801, "{:?}", report.between);
    let deeper_m = report.before.lowest_before_takeoff_m - report.after.lowest_before_takeoff_m;
    assert!(deeper_m > 0.005, "crouches {deeper_m} m deeper");
    assert!((report.after.g - G).abs() < 0.05, "falls at {}", report.after.g);
    let longer = fit.adapted_clip(&clip, &done).unwrap();
    let toe = roles.joint(aplomb_motion::Role::Toe(aplomb_motion::Side::Left)).unwrap();
    let last_m = |clip: &Clip| {
        let mut pose = aplomb_motion::WorldPose::for_skeleton(clip.skeleton());
        pose.pose(clip, aplomb_motion::FrameIndex(clip.frame_count() - 1));
        pose.joint_in_world_m[toe.index()]
    };
    let fitted = fit.clip(&clip).unwrap();
    let way_m = last_m(&longer) - last_m(&fitted);
    // Both stand on the same stands, one of them moved by 0.3 m forward (+Z).
    assert!((way_m - DVec3::Z * 0.3).length() < 0.005, "{way_m}");
    let table = fit.forces(&clip, &done).unwrap();
    assert!(table.rows.iter().all(|row| row.len() == table.columns.len() && row.iter().all(|value| value.is_finite())));
    assert_eq!(table.rows.len(), longer.frame_count());
    assert!(iterations > 4);
    // From bytes: bit by bit the same, and not for another clip.
    let bytes = fit.stored();
    let again = Initialised::restored(
        &Subject::new(
            &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        )
        .unwrap(),
        &bytes,
    )
    .unwrap()
    .unwrap();
    assert_eq!(again.report.between, fit.report.between);
    let done = again.adapt(&goals, &mut |_: &Progress| true).unwrap();
    assert!(again.adapted_clip(&clip, &done).unwrap() == longer, "a stored fit adapts otherwise");
    let (clip, roles, body, contacts) = built_in("short-jump");
    assert!(
        Initialised::restored(
            &Subject::new(
                &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None)
            )
            .unwrap(),
            &bytes
        )
        .unwrap()
        .is_none()
    );
}

#[test]
fn flights_that_are_too_short_are_lengthened_until_dynamics_agrees() {
    let mut subject = subject("long-jump");
    let found_secs = subject.flights.clone();
    let longest = captured(&subject).unwrap().longest_flight().unwrap();
    // Forces that were smoothed over 80 ms would say this.
    let mut short = found_secs.clone();
    short[longest].1 -= 0.04;
    subject.edges[longest].landing_secs = [short[longest].1, found_secs[longest].1 + 0.1];
    let early = subject.with_flights(short.clone()).unwrap();
    let later = timed(early, &mut |_| true).unwrap();
    let landing_secs = later.flights[longest].1;
    // To a step and a half of the search: what heights say is no truer than a frame itself.
    assert!((landing_secs - found_secs[longest].1).abs() < 0.0151, "landing at {landing_secs} s, found {found_secs:?}");
    assert!(matches!(timed(subject, &mut |_| false), Err(crate::EditingError::Cancelled)));
}

/// Legs that stand are put where their feet go; those that swing past each other are left alone.
#[test]
fn legs_start_on_footprints_that_were_moved_against_each_other() {
    let moved = |name: &str| {
        let (clip, roles, body, contacts) = built_in(name);
        let fit = Initialised::new(
            Subject::new(
                &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            )
            .unwrap(),
            &mut |_| true,
        )
        .unwrap();
        let ahead_m = fit.staged.way_over(0).unwrap() * 0.15;
        let own = StageMove { of_side_m: [ahead_m, -ahead_m], ..StageMove::default() };
        let moves = vec![own; fit.staged.flights.len() + 1];
        let before = fit.staged.moved(&moves, &fit.subject.touches).unwrap();
        let after = on_footprints(&fit.subject, fit.subject.tree(), &before, &moves).unwrap();
        (fit, before, after)
    };
    let (fit, before, after) = moved("long-jump");
    let tree = fit.subject.tree();
    let mut work = Workspace::new(&tree.model);
    let mut q = tree.model.neutral();
    let mut off_m = |staged: &StagedTrajectory, secs: f64| {
        fit.subject.coordinates.configuration(&staged.trajectory.coordinates_at(secs), &mut q);
        work.place(&tree.model, &q);
        let down = staged.footholds.iter().filter(|own| (own.start_secs..=own.end_secs).contains(&secs));
        let off = down.map(|own| {
            let touch = &fit.subject.touches[own.touch];
            work.link(touch.link).point_in_world_m(touch.point_in_link_m).distance(own.place_m)
        });
        off.fold(0.0, f64::max)
    };
    for secs in [0.0, fit.staged.end_secs] {
        let [was_m, is_m] = [&before, &after].map(|staged| off_m(staged, secs));
        // What the fit itself leaves, and splines through the legs' angles.
        assert!(was_m > 0.14 && is_m < 0.002, "at {secs} s feet are {was_m} and {is_m} m off their places");
    }
    let (_, before, after) = moved("run");
    assert_eq!(before.trajectory.controls, after.trajectory.controls);
}

/// Shares of a foot's way that were not turned with it added up to two thirds of what was asked, a third of the turn
/// off.
#[test]
fn feet_that_are_moved_while_they_turn_end_where_they_should() {
    let subject = subject("long-jump");
    let mut staged = captured(&subject).unwrap();
    // From the right ball to the left one, behind the flight.
    let across_m = |staged: &StagedTrajectory| {
        let of_side = |group: usize| {
            let is_ball = |own: &&Foothold| {
                let touch = &subject.touches[own.touch];
                touch.group == group && touch.part == Part::Ball
            };
            staged.of_stage(1).find(is_ball).unwrap().place_m
        };
        of_side(0) - of_side(1)
    };
    let own_m = across_m(&staged);
    let text = "twist = { deg = 180 }\n[[footprints]]\nside = \"left\"\nforward_m = 0.2\nstage = \"landing\"";
    let mut builder = PlanBuilder::new(&staged, Some(0));
    Goals::from_toml(text).unwrap().asked().iter().for_each(|goal| goal.plan(&mut builder));
    let plan = builder.plan();
    assert_eq!(plan.steps, 3);
    for step in 1..=plan.steps {
        staged = staged.moved(&plan.moves(step).unwrap(), &subject.touches).unwrap();
    }
    let expected_m = -(own_m + plan.forward * 0.2);
    let found_m = across_m(&staged);
    assert!((found_m - expected_m).length() < 1e-9, "{found_m}, expected {expected_m}");
}

#[test]
fn who_says_stop_is_heard_and_wrong_goals_are_named() {
    let (clip, roles, body, contacts) = built_in("short-jump");
    let stopped = Initialised::new(
        Subject::new(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None))
            .unwrap(),
        &mut |_| false,
    );
    assert!(matches!(stopped, Err(crate::EditingError::Cancelled)));
    let fit = Initialised::new(
        Subject::new(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None))
            .unwrap(),
        &mut |_| true,
    )
    .unwrap();
    let goals = Goals::from_toml("[[carry]]\npart = \"left_wing\"\nmass_kg = 3").unwrap();
    let message = fit.adapt(&goals, &mut |_| true).unwrap_err().to_string();
    assert!(message.contains("left_wing"), "{message}");
    let goals = Goals { flight: Some(7), ..Goals::from_toml("jump_length_m = 0.1").unwrap() };
    assert!(fit.adapt(&goals, &mut |_| true).unwrap_err().to_string().contains('7'));
    // No legs are that long: the report says so, and nothing crashes.
    let goals = Goals::from_toml("[[footprints]]\nside = \"left\"\nforward_m = 3").unwrap();
    let done = fit.adapt(&goals, &mut |_| true).unwrap();
    assert!(!done.report.status.is_met() && done.report.at_points.unmet().is_some());
    let (clip, roles, body, contacts) = built_in("walk");
    if let Ok(fit) = Initialised::new(
        Subject::new(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None))
            .unwrap(),
        &mut |_| true,
    ) {
        let goals = Goals::from_toml("jump_length_m = 0.2").unwrap();
        let message = fit.adapt(&goals, &mut |_| true).unwrap_err().to_string();
        assert!(message.contains("flight"), "{message}");
    }
}

/// What the page says of all twelve goals, on built-in clips.
#[test]
fn bars_are_caught_and_arms_that_carry_swing_lower() {
    let (clip, roles, body, contacts) = built_in("long-jump");
    let fit = Initialised::new(
        Subject::new(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None))
            .unwrap(),
        &mut |_| true,
    )
    .unwrap();
    let adapt = |text: &str| {
        let done = fit.adapt(&Goals::from_toml(text).unwrap(), &mut |_| true).unwrap();
        let report = &done.report;
        assert!(report.status.is_met(), "{text}: {:?}", report.at_points);
        assert!(report.between.force_p95 < 0.025, "{text}: {:?}", report.between);
        assert!(report.limbs_deeper_m <= 0.0, "{text}: {}", report.limbs_deepest);
        done
    };
    let bar = adapt("grab = { swing_secs = 0.5 }");
    let swung = fit.adapted_clip(&clip, &bar).unwrap();
    let mut pose = aplomb_motion::WorldPose::for_skeleton(swung.skeleton());
    let hand = roles.joint(aplomb_motion::Role::Hand(aplomb_motion::Side::Left)).unwrap();
    let palm = contacts.effectors.iter().find(|effector| effector.joint == hand).unwrap();
    let mut palm_m = |frame: usize| {
        pose.pose(&swung, aplomb_motion::FrameIndex(frame));
        pose.point_in_world_m(hand, palm.point_in_joint_m)
    };
    // Both in the swing.
    let (last, before) = (swung.frame_count() - 1, swung.frame_count() - 10);
    // The bar does not move: hands stay where they are to what feet are allowed.
    assert!(palm_m(last).distance(palm_m(before)) < 0.004, "{} {}", palm_m(last), palm_m(before));
    assert!(palm_m(last).y > 1.8, "{}", palm_m(last));
    let carried = adapt("[[carry]]\npart = \"right_hand\"\nmass_kg = 8").report.clone();
    let [left, right] = [0, 1].map(|i| carried.after.hands_in_flight_m[i] - carried.before.hands_in_flight_m[i]);
    assert!(right < left, "right hand {right} m, left {left} m");
    // A pose of the crouch that is kept, and a trunk that stays upright.
    adapt(
        "jump_length_m = 0.2\n[[pose]]\nat_secs = 0.3\nparts = [\"left_upper_arm\"]\n\
         [[cone]]\npart = \"head\"\nwithin_deg = 60\nof = \"up\"",
    );
}
