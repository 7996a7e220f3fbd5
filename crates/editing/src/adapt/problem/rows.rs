//! All rows of a problem at a trajectory: values, and analytic derivatives by coordinates, their rates and the forces.
//!
//! The six rows of the root are what a body without torques of its own has to obey (equation 3); the other rows of
//! inverse dynamics are the joint torques, which are bounded without being unknowns.

mod places;

use super::constraints::Actuated;
use super::grid::PointWeights;
use super::problem::{KnotPlan, Problem};
use super::trajectory::Trajectory;
use crate::adapt::subject::Block;
use aplomb_physics::dynamics::{
    InverseDerivatives, Loads, Matrix, PointForce, Workspace, point_jacobian, rnea, rnea_derivatives,
};
use glam::DVec3;
use std::collections::HashSet;

/// What a row is about, with the unit of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// Body weights.
    Force,
    /// Body weights times metres.
    Moment,
    /// Metres.
    Place,
    /// Radians (metres for the root's place).
    Angle,
    /// Body weights outside the friction pyramid.
    Friction,
    /// Metres below the ground.
    Ground,
    /// N·m over a bound.
    Torque,
    /// Metres too near.
    Distance,
    /// Body weights over a bound.
    Load,
}

impl RowKind {
    /// Met when nothing is off by more: a fifth to a half of what people are promised.
    pub fn tolerance(self) -> f64 {
        match self {
            RowKind::Force | RowKind::Moment => 1e-3,
            RowKind::Place => 2e-4,
            RowKind::Angle => 2e-3,
            RowKind::Friction | RowKind::Load => 1e-3,
            RowKind::Ground | RowKind::Distance => 1e-3,
            RowKind::Torque => 0.5,
        }
    }
}

/// A row at one time.
pub struct Row<'a> {
    pub group: RowKind,
    /// value = 0, or value ≥ 0.
    pub is_equal: bool,
    pub value: f64,
    pub point: &'a PointWeights,
    /// By x, ẋ, ẍ; empty parts are zero.
    pub by: [&'a [f64]; 3],
    /// By the forces of this knot, three numbers each, in the plan's order.
    pub by_force: &'a [f64],
    pub id: u64,
    /// Not held to: ½ weight · value² is part of what is minimised.
    pub weight: Option<f64>,
}

/// Torque rows are there where a torque is beyond this share of its bound: they cannot be in the way elsewhere.
const TORQUE_NEAR: f64 = 0.4;

/// Scratch for evaluating a problem.
pub struct Evaluator<'p, 'a> {
    pub problem: &'p Problem<'a>,
    pub plans: Vec<KnotPlan>,
    work: Workspace,
    derivatives: InverseDerivatives,
    jacobian: Matrix,
    sample: [Vec<f64>; 3],
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    tau: Vec<f64>,
    loads: Loads,
    blocks: Vec<Block>,
    by_q: Vec<f64>,
    by: [Vec<f64>; 3],
    by_force: Vec<f64>,
    /// Moments of watched demands that were rows once.
    kept: HashSet<usize>,
}

impl<'p, 'a> Evaluator<'p, 'a> {
    pub fn new(problem: &'p Problem<'a>) -> Self {
        let model = &problem.tree.model;
        let (nv, dofs) = (model.nv(), problem.coordinates.count);
        Self {
            plans: problem.plan(),
            problem,
            work: Workspace::new(model),
            derivatives: InverseDerivatives::new(model),
            jacobian: Matrix::zeros(6, nv),
            sample: Default::default(),
            q: model.neutral(),
            v: vec![0.0; nv],
            a: vec![0.0; nv],
            tau: vec![0.0; nv],
            loads: Loads::default(),
            blocks: Vec::new(),
            by_q: vec![0.0; nv],
            by: [vec![0.0; dofs], vec![0.0; dofs], vec![0.0; dofs]],
            by_force: Vec::new(),
            kept: HashSet::new(),
        }
    }

    /// Calls `take` with every row; derivatives are there if they are wanted.
    pub fn rows(&mut self, trajectory: &Trajectory, wants_derivatives: bool, take: &mut dyn FnMut(Row<'_>)) {
        let problem = self.problem;
        for knot in 0..problem.grid.len() {
            let point = problem.grid.at_knots[knot];
            let plan = self.plans[knot].clone();
            self.move_to(trajectory, &point, wants_derivatives);
            self.dynamics(trajectory, &plan, &point, wants_derivatives, take);
            self.holds(&plan, &point, wants_derivatives, take);
            self.friction(trajectory, knot, &plan, &point, take);
        }
        let is_taken = self.thinned(trajectory);
        if wants_derivatives {
            let watched = (0..is_taken.len()).filter(|&index| is_taken[index] && problem.asked[index].series.is_some());
            self.kept.extend(watched);
        }
        let mut at: Option<PointWeights> = None;
        for (asked, is_taken) in problem.asked.iter().zip(is_taken) {
            if !is_taken {
                continue;
            }
            let point = match at {
                Some(point) if point.time_secs == asked.time_secs => point,
                _ => {
                    let point = self.go(trajectory, asked.time_secs, wants_derivatives);
                    at = Some(point);
                    point
                }
            };
            self.demand(&asked.demand, asked.is_equal, asked.id | 1 << 62, &point, wants_derivatives, take);
        }
    }

    fn move_to(&mut self, trajectory: &Trajectory, point: &PointWeights, wants_derivatives: bool) {
        trajectory.sample(point, &mut self.sample);
        let [x, rate, second] = &self.sample;
        let blocks = if wants_derivatives { Some(&mut self.blocks) } else { None };
        self.problem.coordinates.state([x, rate, second], &mut self.q, &mut self.v, &mut self.a, blocks);
    }

    fn load(&mut self, trajectory: &Trajectory, time_secs: f64) {
        let problem = self.problem;
        self.loads.forces.clear();
        for (index, touch) in problem.constraints.touches.iter().enumerate() {
            let force = trajectory.force_at(index, time_secs);
            if force != DVec3::ZERO {
                let force = force * problem.body_weight_n;
                self.loads.forces.push(PointForce { link: touch.link, point_in_link_m: touch.point_in_link_m, force });
            }
        }
    }

    /// Root rows and torques at any time, N and N·m: what is left unexplained, and what joints have to give.
    pub fn inverse_dynamics(&mut self, trajectory: &Trajectory, time_secs: f64) -> &[f64] {
        let point = trajectory.grid.at(time_secs);
        self.move_to(trajectory, &point, false);
        self.load(trajectory, time_secs);
        let model = &self.problem.tree.model;
        rnea(model, &self.q, &self.v, &self.a, &self.loads, &mut self.tau, &mut self.work);
        &self.tau
    }

    /// q, v and a at any time.
    pub fn state_at(&mut self, trajectory: &Trajectory, time_secs: f64) -> [Vec<f64>; 3] {
        self.move_to(trajectory, &trajectory.grid.at(time_secs), false);
        [self.q.clone(), self.v.clone(), self.a.clone()]
    }

    /// Torques of the actuated axes at all knots, in their units.
    pub fn torques(&mut self, trajectory: &Trajectory) -> Vec<Vec<f64>> {
        let problem = self.problem;
        let mut torques = vec![Vec::new(); problem.constraints.actuated.len()];
        if torques.is_empty() {
            return torques;
        }
        for &secs in &trajectory.grid.knots_secs {
            let tau = self.inverse_dynamics(trajectory, secs);
            for (own, torques) in problem.constraints.actuated.iter().zip(&mut torques) {
                let start = problem.tree.model.v_range(own.link).start;
                torques.push((0..3).map(|i| own.axis[i] * tau[start + i]).sum::<f64>() / own.unit_nm);
            }
        }
        torques
    }

    /// Rates of the actuated axes at all knots, rad/s.
    pub fn rates(&mut self, trajectory: &Trajectory) -> Vec<Vec<f64>> {
        let problem = self.problem;
        let mut rates = vec![Vec::new(); problem.constraints.actuated.len()];
        for point in &problem.grid.at_knots {
            self.move_to(trajectory, point, false);
            for (own, rates) in problem.constraints.actuated.iter().zip(&mut rates) {
                rates.push(self.rate(own));
            }
        }
        rates
    }

    fn rate(&self, axis: &Actuated) -> f64 {
        let start = self.problem.tree.model.v_range(axis.link).start;
        (0..3).map(|i| axis.axis[i] * self.v[start + i]).sum()
    }

    /// The same at a knot as rows, in the order of the axes.
    pub fn rate_rows(&mut self, trajectory: &Trajectory, knot: usize, take: &mut dyn FnMut(Row<'_>)) {
        let problem = self.problem;
        let point = &problem.grid.at_knots[knot];
        self.move_to(trajectory, point, true);
        self.by_force.clear();
        let zero = vec![0.0; problem.tree.model.nv()];
        let mut by_v = zero.clone();
        for axis in &problem.constraints.actuated {
            let start = problem.tree.model.v_range(axis.link).start;
            by_v.fill(0.0);
            by_v[start..start + 3].copy_from_slice(&axis.axis.to_array());
            let [x, rate, second] = &mut self.by;
            problem.coordinates.pull_back(&self.blocks, [&zero, &by_v, &zero], [x, rate, second]);
            take(self.row(RowKind::Torque, true, self.rate(axis), point, 0));
        }
    }

    /// Where links are after [`Evaluator::inverse_dynamics`].
    pub fn work(&self) -> &Workspace {
        &self.work
    }

    fn dynamics(
        &mut self,
        trajectory: &Trajectory,
        plan: &KnotPlan,
        point: &PointWeights,
        wants_derivatives: bool,
        take: &mut dyn FnMut(Row<'_>),
    ) {
        let problem = self.problem;
        let model = &problem.tree.model;
        self.load(trajectory, point.time_secs);
        let (q, v, a) = (&self.q, &self.v, &self.a);
        match wants_derivatives {
            true => {
                rnea_derivatives(model, q, v, a, &self.loads, &mut self.tau, &mut self.derivatives, &mut self.work);
            }
            false => rnea(model, q, v, a, &self.loads, &mut self.tau, &mut self.work),
        }
        for row in 0..6 {
            let group = if row < 3 { RowKind::Moment } else { RowKind::Force };
            let value = self.tau[row] / problem.body_weight_n;
            self.torque_row(&[(row, 1.0 / problem.body_weight_n)], plan, wants_derivatives);
            take(self.row(group, true, value, point, 0));
        }
        for (index, actuated) in problem.constraints.actuated.iter().enumerate() {
            let start = model.v_range(actuated.link).start;
            let torque: f64 = (0..3).map(|i| actuated.axis[i] * self.tau[start + i]).sum::<f64>() / actuated.unit_nm;
            let parts = [0, 1, 2].map(|i| (start + i, actuated.axis[i] / actuated.unit_nm));
            self.torque_row(&parts, plan, wants_derivatives);
            let value = torque - trajectory.torques[index][point.first];
            let weight = Some(problem.metric.torque * problem.grid.share_secs(point.first));
            take(Row { weight, ..self.row(RowKind::Torque, true, value, point, 0) });
        }
        for (link, bound) in model.links().zip(&problem.constraints.torque_bounds) {
            let Some(bound) = *bound else { continue };
            let range = model.v_range(link);
            for (slot, axis) in problem.coordinates.torque_axes(link).iter().enumerate() {
                let torque: f64 = (0..3).map(|i| axis[i] * self.tau[range.start + i]).sum();
                if torque.abs() < TORQUE_NEAR * bound {
                    continue;
                }
                let sign = torque.signum();
                let parts = [0, 1, 2].map(|i| (range.start + i, -sign * axis[i]));
                self.torque_row(&parts, plan, wants_derivatives);
                let id = row_id(1, point, link.index() * 6 + slot * 2 + usize::from(sign > 0.0));
                take(self.row(RowKind::Torque, false, bound - sign * torque, point, id));
            }
        }
    }

    /// Σ factor · τ as a row by x, ẋ, ẍ and forces.
    fn torque_row(&mut self, parts: &[(usize, f64)], plan: &KnotPlan, wants_derivatives: bool) {
        self.by_force.clear();
        if !wants_derivatives {
            return;
        }
        let problem = self.problem;
        let model = &problem.tree.model;
        let sum = |matrix: &Matrix, out: &mut Vec<f64>| {
            out.clear();
            out.resize(model.nv(), 0.0);
            for &(row, factor) in parts {
                out.iter_mut().zip(matrix.row(row)).for_each(|(out, value)| *out += factor * value);
            }
        };
        let (mut by_v, mut by_a) = (Vec::new(), Vec::new());
        sum(&self.derivatives.by_q, &mut self.by_q);
        sum(&self.derivatives.by_v, &mut by_v);
        sum(&self.derivatives.mass, &mut by_a);
        let [x, rate, second] = &mut self.by;
        problem.coordinates.pull_back(&self.blocks, [&self.by_q, &by_v, &by_a], [x, rate, second]);
        for (touch, _) in &plan.forces {
            let touch = &problem.constraints.touches[*touch];
            point_jacobian(model, touch.link, touch.point_in_link_m, &mut self.jacobian, &self.work);
            for axis in 0..3 {
                let by: f64 = parts.iter().map(|&(row, factor)| factor * self.jacobian[(3 + axis, row)]).sum();
                self.by_force.push(-by * problem.body_weight_n);
            }
        }
    }

    /// |along| + |across| ≤ μ λ_y in the foot's own axes, four rows from which λ_y ≥ 0 follows: a pyramid inside the
    /// cone, with its edges along and across the foot, where the whole of μ is needed. And bounds of the whole load.
    fn friction(
        &mut self,
        trajectory: &Trajectory,
        knot: usize,
        plan: &KnotPlan,
        point: &PointWeights,
        take: &mut dyn FnMut(Row<'_>),
    ) {
        let problem = self.problem;
        let mut by_force = vec![0.0; 3 * plan.forces.len()];
        for (slot, (touch, foothold)) in plan.forces.iter().enumerate() {
            if problem.footholds[*foothold].is_bilateral {
                continue;
            }
            let force = trajectory.forces[*touch][knot];
            let across = problem.footholds[*foothold].lateral;
            let along = across.cross(DVec3::Y);
            for side in 0..4 {
                let sign = |bit: usize| if side & bit == 0 { 1.0 } else { -1.0 };
                let normal = DVec3::Y * problem.constraints.friction + along * sign(1) + across * sign(2);
                by_force.fill(0.0);
                by_force[3 * slot..3 * slot + 3].copy_from_slice(&normal.to_array());
                let value = normal.dot(force);
                let id = row_id(3, point, touch * 4 + side);
                let by: [&[f64]; 3] = [&[], &[], &[]];
                take(Row {
                    group: RowKind::Friction,
                    is_equal: false,
                    value,
                    point,
                    by,
                    by_force: &by_force,
                    id,
                    weight: None,
                });
            }
        }
        let Some(bound) = &problem.constraints.load_bound else { return };
        if plan.forces.is_empty() || point.time_secs < bound.start_secs || point.time_secs > bound.end_secs {
            return;
        }
        by_force.fill(0.0);
        let mut sum = 0.0;
        for (slot, (touch, _)) in plan.forces.iter().enumerate() {
            by_force[3 * slot + 1] = -1.0;
            sum += trajectory.forces[*touch][knot].y;
        }
        let by: [&[f64]; 3] = [&[], &[], &[]];
        let id = row_id(4, point, 0);
        take(Row {
            group: RowKind::Load,
            is_equal: false,
            value: bound.most_bw - sum,
            point,
            by,
            by_force: &by_force,
            id,
            weight: None,
        });
    }

    fn row<'r>(&'r self, group: RowKind, is_equal: bool, value: f64, point: &'r PointWeights, id: u64) -> Row<'r> {
        let by: [&[f64]; 3] = [&self.by[0], &self.by[1], &self.by[2]];
        Row { group, is_equal, value, point, by, by_force: &self.by_force, id, weight: None }
    }
}

/// By time to a tenth of a millisecond, so that a refined grid knows its old rows.
pub fn row_id(kind: u64, point: &PointWeights, index: usize) -> u64 {
    kind << 56 | ((point.time_secs * 1e4).round() as u64) << 20 | index as u64
}
