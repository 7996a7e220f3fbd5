//! Rows about where things are: standing points, the ground, obstacles, limbs that keep apart, cones, centres of mass;
//! and which moments of what is watched often become rows.

use super::{Evaluator, Row, RowKind, row_id};
use crate::adapt::problem::demands::{Cone, Demand};
use crate::adapt::problem::grid::PointWeights;
use crate::adapt::problem::problem::KnotPlan;
use crate::adapt::problem::trajectory::Trajectory;
use aplomb_physics::collision;
use aplomb_physics::dynamics::{LinkId, LinkMotion, point_jacobian};
use glam::DVec3;
use std::collections::HashMap;

/// Free points are watched when they are nearer to the ground than this, m.
const GROUND_NEAR_M: f64 = 0.06;
/// Inequalities of place are rows only this near to being violated, m.
const NEAR_M: f64 = 0.08;
/// Limbs, of which there are many: steps move them by less, m.
const LIMBS_NEAR_M: f64 = 0.02;
/// How many moments to both sides are looked at where limbs pass each other: ten milliseconds.
const WANDERS: usize = 4;
/// And inequalities of angle, rad.
const NEAR_RAD: f64 = 0.5;

impl Evaluator<'_, '_> {
    /// Moves to any time and places all links.
    pub fn go(&mut self, trajectory: &Trajectory, time_secs: f64, wants_derivatives: bool) -> PointWeights {
        let problem = self.problem;
        let knot = problem.grid.knot_at(time_secs);
        let is_knot = (problem.grid.knots_secs[knot] - time_secs).abs() < 1e-6;
        let mut point = if is_knot { problem.grid.at_knots[knot] } else { problem.grid.at(time_secs) };
        point.time_secs = time_secs;
        self.move_to(trajectory, &point, wants_derivatives);
        self.work.place(&problem.tree.model, &self.q);
        point
    }

    /// Of demands that are watched every hundredth of a second only the worst moments become rows: neighbours say the
    /// same thing, and an active set does not know which of them to take. Moments that were worst once stay rows:
    /// otherwise a step that mends one may spoil the other, and the next one the other way round. Everything else is
    /// taken.
    pub fn thinned(&mut self, trajectory: &Trajectory) -> Vec<bool> {
        let problem = self.problem;
        let mut is_taken = vec![true; problem.asked.len()];
        // By series: the last two moments, and whether the later one was at least as bad as the one before.
        let mut series: HashMap<u64, (usize, f64, bool)> = HashMap::new();
        let mut worst_moments = Vec::new();
        let mut at_secs = f64::NAN;
        for (index, asked) in problem.asked.iter().enumerate() {
            let Some(id) = asked.series else { continue };
            if at_secs != asked.time_secs {
                self.go(trajectory, asked.time_secs, false);
                at_secs = asked.time_secs;
            }
            let mut value = f64::INFINITY;
            let point = problem.grid.at_knots[0];
            self.demand(&asked.demand, false, 0, &point, false, &mut |row| value = row.value);
            is_taken[index] = self.kept.contains(&index);
            let is_falling = match series.get(&id) {
                None => true,
                Some(&(before, worst, was_falling)) => {
                    if value > worst && was_falling && worst.is_finite() {
                        is_taken[before] = true;
                        worst_moments.push((before, worst));
                        // Feet pass obstacles so fast that the worst moment wanders: the next one holds it.
                        is_taken[index] |= matches!(asked.demand, Demand::Above { .. }) && value.is_finite();
                    }
                    value <= worst
                }
            };
            series.insert(id, (index, value, is_falling));
        }
        for (last, value, is_falling) in series.into_values() {
            is_taken[last] |= is_falling && value.is_finite();
        }
        for (index, value) in worst_moments {
            if matches!(problem.asked[index].demand, Demand::Apart { .. }) && value < -RowKind::Distance.tolerance() {
                self.meet_wandering(index, &mut is_taken);
            }
        }
        is_taken
    }

    /// Limbs that pass each other touch at a moment that wanders: a step that mends one moment leaves the next one, a
    /// few milliseconds on, and so on for ten iterations. Where the worst moment is a neighbour of one that is a row
    /// already, moments beyond it become rows, too.
    fn meet_wandering(&self, index: usize, is_taken: &mut [bool]) {
        if self.kept.contains(&index) {
            return;
        }
        let asked = &self.problem.asked;
        let is_same = |other: &usize| asked[*other].series == asked[index].series;
        let is_kept = |other: usize| self.kept.contains(&other);
        let before: Vec<usize> = (0..index).rev().filter(is_same).take(WANDERS).collect();
        let after: Vec<usize> = (index + 1..asked.len()).filter(is_same).take(WANDERS).collect();
        for (behind, ahead) in [(&before, &after), (&after, &before)] {
            if behind.iter().any(|other| is_kept(*other)) && !ahead.iter().any(|other| is_kept(*other)) {
                ahead.iter().skip(1).step_by(2).for_each(|beyond| is_taken[*beyond] = true);
            }
        }
    }

    pub fn holds(
        &mut self,
        plan: &KnotPlan,
        point: &PointWeights,
        wants_derivatives: bool,
        take: &mut dyn FnMut(Row<'_>),
    ) {
        let problem = self.problem;
        self.by_force.clear();
        for hold in &plan.holds {
            let foothold = &problem.footholds[hold.foothold];
            let touch = &problem.constraints.touches[foothold.touch];
            let value_m = hold.direction.dot(foothold.place_m);
            let (link, point_in_link_m) = (touch.link, touch.point_in_link_m);
            let demand = Demand::Point { link, point_in_link_m, direction: hold.direction, value_m };
            self.demand(&demand, true, 0, point, wants_derivatives, take);
        }
        let Some(ground_m) = problem.ground_m else { return };
        for &touch_index in &plan.free {
            let touch = &problem.constraints.touches[touch_index];
            let found_m = self.work.link(touch.link).point_in_world_m(touch.point_in_link_m);
            if found_m.y < ground_m + GROUND_NEAR_M {
                let (link, point_in_link_m) = (touch.link, touch.point_in_link_m);
                let demand = Demand::Point { link, point_in_link_m, direction: DVec3::Y, value_m: ground_m };
                self.demand(&demand, false, row_id(2, point, touch_index), point, wants_derivatives, take);
            }
        }
    }

    pub fn demand(
        &mut self,
        demand: &Demand,
        is_equal: bool,
        id: u64,
        point: &PointWeights,
        wants_derivatives: bool,
        take: &mut dyn FnMut(Row<'_>),
    ) {
        self.by_force.clear();
        let (group, value) = match demand {
            Demand::Point { link, point_in_link_m, direction, value_m } => {
                let found_m = self.work.link(*link).point_in_world_m(*point_in_link_m);
                if wants_derivatives {
                    self.point_row(&[(*link, *point_in_link_m, *direction)]);
                }
                (if is_equal { RowKind::Place } else { RowKind::Ground }, direction.dot(found_m) - value_m)
            }
            Demand::Above { link, point_in_link_m, hump } => {
                let found_m = self.work.link(*link).point_in_world_m(*point_in_link_m);
                let (height_m, slope) = hump.at(found_m);
                if wants_derivatives {
                    self.point_row(&[(*link, *point_in_link_m, DVec3::Y - hump.direction * slope)]);
                }
                (RowKind::Ground, found_m.y - height_m)
            }
            Demand::Coordinate { index, sign, value } => {
                self.by[0].fill(0.0);
                self.by[0][*index] = *sign;
                (RowKind::Angle, sign * (self.sample[0][*index] - value))
            }
            Demand::Apart { pair } => {
                let pair = &self.problem.constraints.demands.pairs[*pair];
                let (link_a, link_b) = (self.work.link(pair.a), self.work.link(pair.b));
                let within_m = pair.least_m + LIMBS_NEAR_M;
                let Some(found) = collision::nearest(&pair.shape_a, link_a, &pair.shape_b, link_b, within_m) else {
                    return;
                };
                let in_link =
                    |link: &LinkMotion, at_m: DVec3| link.world_from_link.transpose() * (at_m - link.joint_in_world_m);
                let (at_a, at_b) = (in_link(link_a, found.on_a_m), in_link(link_b, found.on_b_m));
                if wants_derivatives {
                    self.point_row(&[(pair.a, at_a, found.normal), (pair.b, at_b, -found.normal)]);
                }
                (RowKind::Distance, found.distance_m - pair.least_m)
            }
            Demand::Cone(cone) => {
                let value = self.cone(cone, wants_derivatives);
                if !is_equal && value > NEAR_RAD {
                    return;
                }
                (RowKind::Angle, value)
            }
        };
        // What is far away cannot be in the way.
        if !is_equal && value > NEAR_M {
            return;
        }
        let by: [&[f64]; 3] = [&self.by[0], &[], &[]];
        take(Row { group, is_equal, value, point, by, by_force: &[], id, weight: None });
    }

    /// most − ∠(to − from, middle), and its row: with unit vectors v and m, ∂∠ = −(m − v cos∠)·∂v / sin∠, and the
    /// middle turns with its link.
    fn cone(&mut self, cone: &Cone, wants_derivatives: bool) -> f64 {
        let at = |(link, point_m): (LinkId, DVec3)| self.work.link(link).point_in_world_m(point_m);
        let apart_m = at(cone.to) - at(cone.from);
        let (length_m, along) = (apart_m.length().max(1e-6), apart_m.normalize_or(DVec3::Y));
        let middle = cone.middle_link.map_or(cone.middle, |link| self.work.link(link).world_from_link * cone.middle);
        let angle = along.angle_between(middle);
        if wants_derivatives {
            // At the middle of the cone there is no direction out of it, and none is needed.
            let sin = angle.sin().max(1e-3);
            let by_point = (middle - along * along.dot(middle)) / (sin * length_m);
            self.point_row(&[(cone.to.0, cone.to.1, by_point), (cone.from.0, cone.from.1, -by_point)]);
            if let Some(link) = cone.middle_link {
                let model = &self.problem.tree.model;
                point_jacobian(model, link, DVec3::ZERO, &mut self.jacobian, &self.work);
                let by_turn = middle.cross(along) / sin;
                for axis in 0..3 {
                    let numbers = self.jacobian.row(axis);
                    self.by_q.iter_mut().zip(numbers).for_each(|(by, number)| *by += by_turn[axis] * number);
                }
                self.problem.coordinates.pull_back_position(&self.blocks, &self.by_q, &mut self.by[0]);
            }
        }
        cone.most_rad - angle
    }

    /// Σ direction · p as a row by x.
    fn point_row(&mut self, parts: &[(LinkId, DVec3, DVec3)]) {
        let model = &self.problem.tree.model;
        self.by_q.fill(0.0);
        for (link, point_in_link_m, direction) in parts {
            point_jacobian(model, *link, *point_in_link_m, &mut self.jacobian, &self.work);
            for axis in 0..3 {
                if direction[axis] != 0.0 {
                    let numbers = self.jacobian.row(3 + axis);
                    self.by_q.iter_mut().zip(numbers).for_each(|(by, number)| *by += direction[axis] * number);
                }
            }
        }
        self.problem.coordinates.pull_back_position(&self.blocks, &self.by_q, &mut self.by[0]);
    }

    /// Of every link, of the whole.
    pub fn mass_shares(&self) -> Vec<f64> {
        let model = &self.problem.tree.model;
        model.links().map(|link| model.inertia(link).mass_kg / model.total_mass_kg()).collect()
    }

    /// Centres of mass of all links at a knot, m.
    pub fn masses_at_m(&mut self, trajectory: &Trajectory, knot: usize) -> Vec<DVec3> {
        let model = &self.problem.tree.model;
        self.move_to(trajectory, &self.problem.grid.at_knots[knot], false);
        self.work.place(model, &self.q);
        model.links().map(|link| self.work.link(link).point_in_world_m(model.inertia(link).com_m)).collect()
    }

    /// The same as rows: x, y and z of every link.
    pub fn mass_rows(&mut self, trajectory: &Trajectory, knot: usize, take: &mut dyn FnMut(Row<'_>)) {
        let problem = self.problem;
        let model = &problem.tree.model;
        let point = &problem.grid.at_knots[knot];
        self.move_to(trajectory, point, true);
        self.work.place(model, &self.q);
        for link in model.links() {
            let com_m = model.inertia(link).com_m;
            let at_m = self.work.link(link).point_in_world_m(com_m);
            for direction in DVec3::AXES {
                self.point_row(&[(link, com_m, direction)]);
                let by: [&[f64]; 3] = [&self.by[0], &[], &[]];
                let value = direction.dot(at_m);
                take(Row {
                    group: RowKind::Place,
                    is_equal: true,
                    value,
                    point,
                    by,
                    by_force: &[],
                    id: 0,
                    weight: None,
                });
            }
        }
    }
}
