//! Everything a trajectory is held to, and what happens at each knot.

use super::constraints::Constraints;
use super::demands::DemandAtTime;
use super::grid::Grid;
use super::metric::Metric;
use super::trajectory::Trajectory;
use crate::adapt::subject::{Coordinates, Foothold, Subject};
use aplomb_analysis::contacts::Part;
use aplomb_physics::dynamics::BodyModel;
use glam::DVec3;

/// Everything a trajectory is held to.
pub struct Problem<'a> {
    pub tree: &'a BodyModel,
    pub coordinates: &'a Coordinates,
    pub constraints: &'a Constraints,
    pub footholds: &'a [Foothold],
    pub grid: Grid,
    /// The demands on this grid; see [`Problem::refresh`].
    pub asked: Vec<DemandAtTime>,
    /// Height of the ground, m; points that swing stay above it.
    pub ground_m: Option<f64>,
    pub metric: Metric,
    /// What changes are measured from: a motion to stay near (equation 8), or every step's own start (equation 4).
    pub origin: Option<Trajectory>,
    /// Of the whole body.
    pub body_weight_n: f64,
}

/// One direction in which a stand holds its point.
#[derive(Clone, Copy, Debug)]
pub struct HoldDirection {
    pub foothold: usize,
    pub direction: DVec3,
}

/// What happens at one knot.
#[derive(Clone, Debug, Default)]
pub struct KnotPlan {
    /// Touching points whose force is unknown here, with the stand each belongs to.
    pub forces: Vec<(usize, usize)>,
    pub holds: Vec<HoldDirection>,
    /// Points that are free.
    pub free: Vec<usize>,
}

/// Events are met by knots within this.
const SAME_SECS: f64 = 1e-6;

impl<'a> Problem<'a> {
    /// Of a person with the masses and lengths of `tree`, on a grid; `smoothness` is β of the [`Metric`].
    pub fn new(
        subject: &'a Subject,
        tree: &'a BodyModel,
        constraints: &'a Constraints,
        footholds: &'a [Foothold],
        grid: Grid,
        smoothness: f64,
    ) -> Self {
        let mut problem = Self {
            tree,
            coordinates: &subject.coordinates,
            constraints,
            footholds,
            grid: grid.clone(),
            asked: Vec::new(),
            ground_m: Some(subject.ground_m),
            metric: Metric { ends_secs: constraints.ends_secs, ..Metric::of(subject, smoothness) },
            origin: None,
            body_weight_n: tree.model.total_mass_kg() * tree.model.gravity.length(),
        };
        problem.refresh(grid);
        problem
    }

    /// Puts the problem on a grid.
    pub fn refresh(&mut self, grid: Grid) {
        let Constraints { demands, touches, .. } = self.constraints;
        self.asked = demands.on_grid(&grid, touches, self.footholds, self.ground_m);
        self.grid = grid;
    }

    /// What happens at each knot.
    pub fn plan(&self) -> Vec<KnotPlan> {
        self.grid.knots_secs.iter().map(|&secs| self.plan_at(secs)).collect()
    }

    /// What happens at a time.
    pub fn plan_at(&self, secs: f64) -> KnotPlan {
        let mut plan = KnotPlan::default();
        let mut down: Vec<(usize, usize)> = Vec::new();
        for (index, foothold) in self.footholds.iter().enumerate() {
            if secs < foothold.start_secs - SAME_SECS || secs > foothold.end_secs + SAME_SECS {
                continue;
            }
            // A point that comes down where it stood before is down once.
            if down.iter().all(|(touch, _)| *touch != foothold.touch) {
                down.push((foothold.touch, index));
            }
            // Force rises from zero at a touchdown and falls to zero at a lift-off.
            let is_at_start = secs < foothold.start_secs + SAME_SECS && !foothold.is_loaded_at_start;
            let is_at_end = secs > foothold.end_secs - SAME_SECS && !foothold.is_loaded_at_end;
            if !is_at_start && !is_at_end {
                plan.forces.push((foothold.touch, index));
            }
        }
        for &(touch, foothold) in &down {
            plan.holds.extend(self.holds(touch, foothold, &down));
        }
        plan.free =
            (0..self.constraints.touches.len()).filter(|touch| down.iter().all(|(other, _)| other != touch)).collect();
        plan
    }

    /// Rows that hold a point without saying what others of its foot already say: the ball in all directions, the heel
    /// up and across, the toe up, and across where no heel says which way the foot points. A point alone is held in
    /// all.
    fn holds(&self, touch: usize, foothold: usize, down: &[(usize, usize)]) -> Vec<HoldDirection> {
        let own = &self.constraints.touches[touch];
        let has = |part: Part| {
            down.iter().any(|(other, _)| {
                self.constraints.touches[*other].group == own.group && self.constraints.touches[*other].part == part
            })
        };
        let hold = |direction: DVec3| HoldDirection { foothold, direction };
        let all = [DVec3::X, DVec3::Y, DVec3::Z].map(hold).to_vec();
        let across = vec![hold(DVec3::Y), hold(self.footholds[foothold].lateral)];
        match own.part {
            Part::Heel if has(Part::Ball) => across,
            Part::Toe if has(Part::Ball) && has(Part::Heel) => vec![hold(DVec3::Y)],
            Part::Toe if has(Part::Ball) || has(Part::Heel) => across,
            _ => all,
        }
    }
}
