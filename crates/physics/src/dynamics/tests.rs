use super::*;
use crate::spatial::{SpatialForce, SpatialInertia, SpatialMotion, Symmetric3};
use glam::{DMat3, DQuat, DVec3};

/// A repeatable stream of numbers in −1 … 1.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.roll(), self.roll(), self.roll())
    }

    fn rotation(&mut self) -> DQuat {
        DQuat::from_scaled_axis(self.vector() * 2.0)
    }

    fn many(&mut self, count: usize, size: f64) -> Vec<f64> {
        (0..count).map(|_| self.roll() * size).collect()
    }

    fn inertia(&mut self) -> SpatialInertia {
        let moments = DVec3::new(0.3, 0.2, 0.25) + self.vector() * 0.1;
        let axes = DMat3::from_quat(self.rotation());
        let mass_kg = 2.5 + 2.0 * self.roll();
        let about_com = (Symmetric3::diagonal(moments * mass_kg * 0.05)).rotated(axes);
        SpatialInertia { mass_kg, com_m: self.vector() * 0.2, about_com }
    }
}

/// Trees of every kind of joint, under a free, a ball, a hinged and a fixed root, with a second tree beside the first.
fn trees() -> Vec<Model> {
    let axis = DVec3::new(0.3, -0.8, 0.5);
    let roots = [JointKind::Free, JointKind::Ball, JointKind::Revolute { axis }, JointKind::Fixed];
    let kinds =
        [JointKind::Ball, JointKind::Revolute { axis: DVec3::new(1.0, 0.4, 0.0) }, JointKind::Fixed, JointKind::Ball];
    let mut dice = Dice(7);
    let mut models = Vec::new();
    for root in roots {
        let mut builder = Model::builder();
        let mut links = Vec::new();
        for index in 0..11 {
            let parent = match index {
                0 | 8 => None,
                1..8 => Some(links[(index - 1) / 2]),
                _ => Some(links[index - 1]),
            };
            let kind = if parent.is_none() { root } else { kinds[index % 4] };
            let rest = if index % 3 == 0 { dice.rotation() } else { DQuat::IDENTITY };
            let (offset_m, inertia) = (dice.vector() * 0.4, dice.inertia());
            links.push(builder.add(parent, format!("l{index}"), kind, offset_m, rest, inertia));
        }
        models.push(builder.build().unwrap());
    }
    models
}

struct State {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    loads: Loads,
}

fn state(model: &Model, dice: &mut Dice) -> State {
    let mut q = model.neutral();
    let step = dice.many(model.nv(), 1.5);
    model.integrate(&q.clone(), &step, &mut q);
    let forces = model
        .links()
        .step_by(3)
        .map(|link| PointForce { link, point_in_link_m: dice.vector() * 0.3, force: dice.vector() * 40.0 })
        .collect();
    State { q, v: dice.many(model.nv(), 2.0), a: dice.many(model.nv(), 8.0), loads: Loads { forces } }
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    let size = expected.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * size, "{what}, number {index}: {a} instead of {b}");
    }
}

fn inverse(model: &Model, q: &[f64], v: &[f64], a: &[f64], loads: &Loads) -> Vec<f64> {
    let mut tau = vec![0.0; model.nv()];
    rnea(model, q, v, a, loads, &mut tau, &mut Workspace::new(model));
    tau
}

fn forward(model: &Model, q: &[f64], v: &[f64], tau: &[f64], loads: &Loads) -> Vec<f64> {
    let mut a = vec![0.0; model.nv()];
    aba(model, q, v, tau, loads, &mut a, &mut Workspace::new(model));
    a
}

#[test]
fn forward_dynamics_undoes_inverse_dynamics() {
    let mut dice = Dice(1);
    for model in trees() {
        for _ in 0..5 {
            let State { q, v, a, loads } = state(&model, &mut dice);
            let tau = inverse(&model, &q, &v, &a, &loads);
            // Round-off times the condition of M, which is about 1e3 here.
            assert_near(&forward(&model, &q, &v, &tau, &loads), &a, 1e-11, "acceleration");
        }
    }
}

#[test]
fn the_mass_matrix_is_what_accelerations_cost_and_its_factor_solves() {
    let mut dice = Dice(2);
    for model in trees() {
        let State { q, v, a, loads } = state(&model, &mut dice);
        let mut mass = Matrix::zeros(model.nv(), model.nv());
        crba(&model, &q, &mut mass, &mut Workspace::new(&model));
        mass.mirror_lower();
        let with = inverse(&model, &q, &v, &a, &loads);
        let without = inverse(&model, &q, &v, &vec![0.0; model.nv()], &loads);
        let cost: Vec<f64> = with.iter().zip(&without).map(|(a, b)| a - b).collect();
        assert_near(&mass.times(&a), &cost, 1e-12, "M a");
        let mut factor = MassFactor::new(&model);
        assert!(factor.factor(&mass));
        let mut solved = cost.clone();
        factor.solve(&mut solved);
        assert_near(&solved, &a, 1e-11, "solved");
        // To a place in a wider matrix. M has the sparsity of derivatives, and so has its half with other numbers above
        // the diagonal.
        let (nv, at) = (model.nv(), 3);
        let mut uneven = mass.clone();
        for row in 0..nv {
            (row..nv).for_each(|column| uneven[(row, column)] *= 0.5);
        }
        let mut wide = Matrix::zeros(nv, at + nv);
        factor.solve_into(-1.0, &uneven, &mut wide, at);
        for column in 0..nv {
            let found: Vec<f64> = (0..nv).map(|row| -wide[(row, at + column)]).collect();
            let asked: Vec<f64> = (0..nv).map(|row| uneven[(row, column)]).collect();
            assert_near(&mass.times(&found), &asked, 1e-10, "solved as a column");
        }
        assert!((0..nv).all(|row| wide.row(row)[..at] == [0.0; 3]));
        let mut inverse = Matrix::zeros(model.nv(), model.nv() + at);
        factor.inverse_into(&mut inverse, at);
        for dof in 0..model.nv() {
            let mut unit = vec![0.0; model.nv()];
            unit[dof] = 1.0;
            factor.solve(&mut unit);
            let column: Vec<f64> = (0..model.nv()).map(|row| inverse[(row, at + dof)]).collect();
            assert_near(&column, &unit, 1e-11, "a column of the inverse");
        }
    }
}

/// Central differences along every degree of freedom.
fn differences(model: &Model, q: &[f64], function: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    const STEP: f64 = 1e-5;
    let mut columns = Vec::new();
    for dof in 0..model.nv() {
        let mut step = vec![0.0; model.nv()];
        let mut moved = q.to_vec();
        step[dof] = STEP;
        model.integrate(q, &step, &mut moved);
        let after = function(&moved);
        step[dof] = -STEP;
        model.integrate(q, &step, &mut moved);
        let before = function(&moved);
        columns.push(after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * STEP)).collect());
    }
    columns
}

fn nudged(values: &[f64], dof: usize, by: f64) -> Vec<f64> {
    let mut values = values.to_vec();
    values[dof] += by;
    values
}

fn column(matrix: &Matrix, column: usize) -> Vec<f64> {
    (0..matrix.rows()).map(|row| matrix[(row, column)]).collect()
}

/// Step² × third derivative (some 1e3 here) and round-off over the step (1e-13 · 1e3 / 1e-5): 1e-6 of the largest entry
/// is what both leave room for.
const BY_DIFFERENCES: f64 = 1e-6;

#[test]
fn joints_that_resist_need_no_matrix() {
    let mut dice = Dice(12);
    for model in trees() {
        let State { q, v, a: tau, loads } = state(&model, &mut dice);
        let mut work = Workspace::new(&model);
        let mut mass = Matrix::zeros(model.nv(), model.nv());
        crba(&model, &q, &mut mass, &mut work);
        // From none to a hundred times what an arm weighs.
        let resists: Vec<Symmetric3> = model
            .links()
            .map(|link| Symmetric3::diagonal(DVec3::new(0.1, 0.3, 0.2) * 10f64.powi(link.index() as i32 % 4 - 1)))
            .collect();
        for (link, own) in model.links().zip(&resists) {
            let at = model.v_range(link).start;
            match model.kind(link) {
                JointKind::Ball => {
                    for (axis, value) in [own.xx, own.yy, own.zz].into_iter().enumerate() {
                        mass[(at + axis, at + axis)] += value;
                    }
                }
                JointKind::Revolute { .. } => mass[(at, at)] += own.xx,
                JointKind::Free | JointKind::Fixed => {}
            }
        }
        let bias = inverse(&model, &q, &v, &vec![0.0; model.nv()], &loads);
        let mut expected: Vec<f64> = tau.iter().zip(&bias).map(|(tau, bias)| tau - bias).collect();
        let mut factor = MassFactor::new(&model);
        assert!(factor.factor(&mass));
        factor.solve(&mut expected);
        let mut found = vec![0.0; model.nv()];
        work.move_links(&model, &q, &v);
        aba_resisting(&model, &v, &tau, &resists, &loads, &mut found, &mut work);
        assert_near(&found, &expected, 1e-11, "acceleration");
    }
}

#[test]
fn derivatives_of_inverse_dynamics_are_differences() {
    let mut dice = Dice(3);
    for model in trees() {
        let State { q, v, a, loads } = state(&model, &mut dice);
        let mut derivatives = InverseDerivatives::new(&model);
        let mut tau = vec![0.0; model.nv()];
        let mut work = Workspace::new(&model);
        rnea_derivatives(&model, &q, &v, &a, &loads, &mut tau, &mut derivatives, &mut work);
        assert_near(&tau, &inverse(&model, &q, &v, &a, &loads), 1e-13, "forces");
        let by_q = differences(&model, &q, |q| inverse(&model, q, &v, &a, &loads));
        let mut mass = Matrix::zeros(model.nv(), model.nv());
        crba(&model, &q, &mut mass, &mut work);
        mass.mirror_lower();
        assert_near(derivatives.mass.as_slice(), mass.as_slice(), 1e-13, "mass");
        for (dof, expected) in by_q.iter().enumerate() {
            assert_near(&column(&derivatives.by_q, dof), expected, BY_DIFFERENCES, "by q");
            let (less, more) = (nudged(&v, dof, -1e-3), nudged(&v, dof, 1e-3));
            let (less, more) = (inverse(&model, &q, &less, &a, &loads), inverse(&model, &q, &more, &a, &loads));
            // Quadratic in v: a central difference of any step is exact.
            let by_v: Vec<f64> = more.iter().zip(&less).map(|(a, b)| (a - b) / 2e-3).collect();
            assert_near(&column(&derivatives.by_v, dof), &by_v, 1e-9, "by v");
        }
    }
}

#[test]
fn derivatives_of_forward_dynamics_are_differences() {
    let mut dice = Dice(4);
    for model in trees() {
        let State { q, v, a: tau, loads } = state(&model, &mut dice);
        let mut derivatives = ForwardDerivatives::new(&model);
        let mut a = vec![0.0; model.nv()];
        let mut work = Workspace::new(&model);
        assert!(aba_derivatives(&model, &q, &v, &tau, &loads, &mut a, &mut derivatives, &mut work));
        let by_q = differences(&model, &q, |q| forward(&model, q, &v, &tau, &loads));
        for (dof, expected) in by_q.iter().enumerate() {
            let found = |which: usize| -> Vec<f64> {
                (0..model.nv()).map(|row| derivatives.by_q_v_tau[(row, which * model.nv() + dof)]).collect()
            };
            assert_near(&found(0), expected, 10.0 * BY_DIFFERENCES, "by q");
            let change = |less: Vec<f64>, more: Vec<f64>| -> Vec<f64> {
                more.iter().zip(&less).map(|(a, b)| (a - b) / 2e-3).collect()
            };
            let with_v = |by: f64| forward(&model, &q, &nudged(&v, dof, by), &tau, &loads);
            assert_near(&found(1), &change(with_v(-1e-3), with_v(1e-3)), 1e-8, "by v");
            let with_tau = |by: f64| forward(&model, &q, &v, &nudged(&tau, dof, by), &loads);
            assert_near(&found(2), &change(with_tau(-1e-3), with_tau(1e-3)), 1e-8, "by τ");
        }
    }
}

#[test]
fn jacobians_tell_how_points_and_the_centre_move() {
    let mut dice = Dice(5);
    for model in trees() {
        let State { q, v, .. } = state(&model, &mut dice);
        let mut work = Workspace::new(&model);
        let mut jacobian = Matrix::zeros(6, model.nv());
        let point = dice.vector();
        for link in model.links() {
            work.move_links(&model, &q, &v);
            point_jacobian(&model, link, point, &mut jacobian, &work);
            let moved = jacobian.times(&v);
            let motion = work.link(link);
            assert_near(&moved[..3], &motion.velocity.angular.to_array(), 1e-12, "spin");
            assert_near(&moved[3..], &motion.point_velocity(point).to_array(), 1e-12, "point");
        }
        let mut whole = CentroidDerivatives::new(&model);
        whole.evaluate(&model, &q, &v, &mut work);
        let linear = whole.at.momentum.times(&v);
        assert_near(&linear[..3], &whole.momentum.angular.to_array(), 1e-11, "angular momentum");
        assert_near(&linear[3..], &whole.momentum.linear.to_array(), 1e-11, "momentum");
        let centre = |q: &[f64]| {
            let mut at = CentroidJacobian::new(&model);
            at.evaluate(&model, q, &mut Workspace::new(&model));
            at.com_in_world_m.to_array().to_vec()
        };
        let momentum = |q: &[f64]| {
            let mut at = CentroidDerivatives::new(&model);
            at.evaluate(&model, q, &v, &mut Workspace::new(&model));
            [at.momentum.angular.to_array(), at.momentum.linear.to_array()].concat()
        };
        let (by_centre, by_momentum) = (differences(&model, &q, centre), differences(&model, &q, momentum));
        for (dof, (centre, momentum)) in by_centre.iter().zip(&by_momentum).enumerate() {
            assert_near(&column(&whole.at.com, dof), centre, BY_DIFFERENCES, "centre");
            assert_near(&column(&whole.momentum_by_q, dof), momentum, BY_DIFFERENCES, "momentum by q");
        }
    }
}

#[test]
fn loads_act_through_jacobians() {
    let mut dice = Dice(6);
    for model in trees() {
        let State { q, loads, .. } = state(&model, &mut dice);
        let mut work = Workspace::new(&model);
        work.place(&model, &q);
        let mut tau = vec![0.0; model.nv()];
        loads.add_joint_forces(&model, &mut tau, &mut work);
        let mut expected = vec![0.0; model.nv()];
        let mut jacobian = Matrix::zeros(6, model.nv());
        for load in &loads.forces {
            point_jacobian(&model, load.link, load.point_in_link_m, &mut jacobian, &work);
            for (dof, expected) in expected.iter_mut().enumerate() {
                *expected += (0..3).map(|axis| jacobian[(axis + 3, dof)] * load.force[axis]).sum::<f64>();
            }
        }
        assert_near(&tau, &expected, 1e-12, "Jᵀ f");
    }
}

#[test]
fn a_pendulum_swings_by_its_own_formula() {
    let (mass_kg, length_m, inertia) = (2.0, 0.7, 0.05);
    let mut builder = Model::builder();
    let bob = SpatialInertia {
        mass_kg,
        com_m: DVec3::NEG_Y * length_m,
        about_com: Symmetric3::diagonal(DVec3::splat(inertia)),
    };
    builder.add(None, "bob", JointKind::Revolute { axis: DVec3::Z }, DVec3::ZERO, DQuat::IDENTITY, bob);
    let model = builder.build().unwrap();
    let angle: f64 = 0.6;
    let a = forward(&model, &[angle], &[3.0], &[0.0], &Loads::NONE);
    let expected = -mass_kg * 9.81 * length_m * angle.sin() / (inertia + mass_kg * length_m * length_m);
    assert!((a[0] - expected).abs() < 1e-13, "{} instead of {expected}", a[0]);
}

#[test]
fn a_free_tree_falls_and_keeps_its_momentum() {
    let model = &trees()[0];
    let mut dice = Dice(9);
    let State { q, v, .. } = state(model, &mut dice);
    let mut work = Workspace::new(model);
    let mut at = CentroidDerivatives::new(model);
    at.evaluate(model, &q, &v, &mut work);
    let (start, start_com_m) = (at.momentum, at.at.com_in_world_m);
    let mass_kg = model.total_mass_kg();
    // Half steps of the midpoint rule: second order, so the error over a tenth of a second shrinks fourfold with the
    // step.
    let drift = |steps: usize| -> (f64, f64) {
        let (mut q, mut v) = (q.clone(), v.clone());
        let h = 0.1 / steps as f64;
        for _ in 0..steps {
            let a = forward(model, &q, &v, &vec![0.0; model.nv()], &Loads::NONE);
            let v_mid: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + 0.5 * h * a).collect();
            let half: Vec<f64> = v.iter().map(|v| 0.5 * h * v).collect();
            let mut q_mid = q.clone();
            model.integrate(&q, &half, &mut q_mid);
            let a_mid = forward(model, &q_mid, &v_mid, &vec![0.0; model.nv()], &Loads::NONE);
            let step: Vec<f64> = v_mid.iter().map(|v| h * v).collect();
            let mut next = q.clone();
            model.integrate(&q, &step, &mut next);
            q = next;
            v.iter_mut().zip(&a_mid).for_each(|(v, a)| *v += h * a);
        }
        let mut end = CentroidDerivatives::new(model);
        end.evaluate(model, &q, &v, &mut Workspace::new(model));
        let fallen = SpatialForce { linear: start.linear + model.gravity * mass_kg * 0.1, ..start };
        let way_m = start.linear / mass_kg * 0.1 + model.gravity * 0.005;
        let off_m = (end.at.com_in_world_m - start_com_m - way_m).length();
        let off = end.momentum - fallen;
        (off.angular.length() + off.linear.length(), off_m)
    };
    let ((coarse, coarse_m), (fine, fine_m)) = (drift(100), drift(200));
    assert!(fine < 1e-3 && fine < 0.35 * coarse, "momentum drifts by {coarse}, then {fine}");
    assert!(fine_m < 1e-4 && fine_m < 0.35 * coarse_m, "the centre drifts by {coarse_m}, then {fine_m} m");
}

#[test]
fn a_difference_leads_from_one_configuration_to_the_other() {
    let mut dice = Dice(11);
    for model in trees() {
        let (from, to) = (state(&model, &mut dice).q, state(&model, &mut dice).q);
        let mut step = vec![0.0; model.nv()];
        model.difference(&from, &to, &mut step);
        let mut moved = from.clone();
        model.integrate(&from, &step, &mut moved);
        let mut left = vec![0.0; model.nv()];
        model.difference(&moved, &to, &mut left);
        assert!(left.iter().all(|number| number.abs() < 1e-12), "{left:?}");
    }
}

#[test]
fn bad_trees_are_refused_by_name() {
    let solid = Dice(1).inertia();
    let refused = |kind: JointKind, inertia: SpatialInertia, offset_m: DVec3| -> String {
        let mut builder = Model::builder();
        let root = builder.add(None, "root", JointKind::Free, DVec3::ZERO, DQuat::IDENTITY, solid);
        builder.add(Some(root), "bad", kind, offset_m, DQuat::IDENTITY, inertia);
        builder.build().unwrap_err().to_string()
    };
    let massless = SpatialInertia::ZERO;
    let negative = SpatialInertia { mass_kg: -1.0, ..solid };
    for (text, kind, inertia, offset_m) in [
        ("no mass", JointKind::Ball, massless, DVec3::X),
        ("not negative", JointKind::Ball, negative, DVec3::X),
        ("not finite", JointKind::Ball, solid, DVec3::NAN),
        ("no direction", JointKind::Revolute { axis: DVec3::ZERO }, solid, DVec3::X),
        ("only hang below the world", JointKind::Free, solid, DVec3::X),
    ] {
        let message = refused(kind, inertia, offset_m);
        assert!(message.contains("bad") && message.contains(text), "{message}");
    }
}

#[test]
fn spatial_motion_of_a_rest_state_is_gravity_upward() {
    let model = &trees()[3];
    let mut work = Workspace::new(model);
    let q = model.neutral();
    let zeros = vec![0.0; model.nv()];
    let mut tau = zeros.clone();
    rnea(model, &q, &zeros, &zeros, &Loads::NONE, &mut tau, &mut work);
    for link in model.links() {
        assert_eq!(work.link(link).acceleration, SpatialMotion { angular: DVec3::ZERO, linear: -model.gravity });
    }
}
