//! Moving whole stages of a motion: the start from which an adaptation converges to something a person would do.
//!
//! A stage is what lies between two flights. Where its footprints go, the root goes with them: the rate of its
//! displacement is built up over a fifth of a second before lift-off, constant in flight, and gone a fifth after
//! touchdown, which is what a person can do about it. Turns do not swing the root's path about the feet at once (the
//! centre of mass would land beyond them): the path is turned while standing.

use super::time_map::TimeMap;
use crate::EditingError;
use crate::adapt::problem::{Constraints, Grid, LONGEST_FLIGHT_SPAN_SECS, Problem, Trajectory};
use crate::adapt::subject::{Foothold, Subject, Touch};
use aplomb_physics::dynamics::BodyModel;
use glam::{DQuat, DVec3};
use std::cell::RefCell;

/// A displacement's rate is built up and taken away over this long, s.
pub const RAMP_SECS: f64 = 0.22;
/// The path is turned over this long on the ground, s.
const TURN_SECS: f64 = 0.45;
/// Splines are fitted to so many samples a span.
const SAMPLES_A_SPAN: usize = 6;

/// What happens to one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageMove {
    /// Of both feet's places, after the turn, m.
    pub shift_m: DVec3,
    /// In addition, of the left and of the right foot.
    pub of_side_m: [DVec3; 2],
    /// About the middle of its footprints, to the left.
    pub yaw_rad: f64,
    /// The root goes this far with the shift.
    pub root_shift_m: DVec3,
}

/// A motion with its footprints, on its way through edits.
#[derive(Clone, Debug)]
pub struct StagedTrajectory {
    pub trajectory: Trajectory,
    pub footholds: Vec<Foothold>,
    pub flights: Vec<(f64, f64)>,
    pub end_secs: f64,
}

impl StagedTrajectory {
    /// What it is held to, for a body with the masses and lengths of `tree`.
    pub fn problem<'a>(
        &'a self,
        subject: &'a Subject,
        tree: &'a BodyModel,
        constraints: &'a Constraints,
        smoothness: f64,
    ) -> Problem<'a> {
        Problem::new(subject, tree, constraints, &self.footholds, self.trajectory.grid.clone(), smoothness)
    }

    /// The longest flight.
    pub fn longest_flight(&self) -> Option<usize> {
        let length_secs = |flight: usize| self.flights[flight].1 - self.flights[flight].0;
        (0..self.flights.len()).max_by(|&a, &b| length_secs(a).total_cmp(&length_secs(b)))
    }

    /// Coordinates that are pinned start where they will be.
    pub fn pin(&mut self, pinned: &[(usize, f64)]) {
        let dofs = self.trajectory.dofs;
        for control in self.trajectory.controls.chunks_exact_mut(dofs) {
            pinned.iter().for_each(|(index, value)| control[*index] = *value);
        }
    }

    /// Lifts the root by so much all the time.
    pub fn lift_root(&mut self, by_m: f64) {
        let dofs = self.trajectory.dofs;
        self.trajectory.controls.chunks_exact_mut(dofs).for_each(|control| control[4] += by_m);
    }

    /// Between which flights a time lies.
    pub fn stage_of(&self, secs: f64) -> usize {
        self.flights.iter().filter(|flight| secs > 0.5 * (flight.0 + flight.1)).count()
    }

    /// Middle of a stage's footprints; `None` where nothing stands.
    pub fn middle_m(&self, stage: usize) -> Option<DVec3> {
        let own: Vec<DVec3> = self.of_stage(stage).map(|foothold| foothold.place_m).collect();
        (!own.is_empty()).then(|| own.iter().sum::<DVec3>() / own.len() as f64)
    }

    pub fn of_stage(&self, stage: usize) -> impl Iterator<Item = &Foothold> {
        self.footholds
            .iter()
            .filter(move |foothold| self.stage_of(0.5 * (foothold.start_secs + foothold.end_secs)) == stage)
    }

    /// Level direction from the stage before a flight to the stage behind it, if it leads anywhere.
    pub fn way_over(&self, flight: usize) -> Option<DVec3> {
        let way_m = self.middle_m(flight + 1)? - self.middle_m(flight)?;
        let level_m = DVec3::new(way_m.x, 0.0, way_m.z);
        (level_m.length() > 0.1).then(|| level_m.normalize())
    }

    /// Stretches flights.
    pub fn retimed(&self, map: &TimeMap) -> Result<Self, EditingError> {
        let even_secs = |secs: f64| map.even(secs, |pair| (pair.1, pair.0));
        let knots: Vec<f64> =
            self.trajectory.grid.knots_secs.iter().map(|secs| map.even(*secs, |pair| *pair)).collect();
        // Spans of flights that last much longer are split, so that they are no longer than those of the fit.
        let flights: Vec<(f64, f64)> =
            self.flights.iter().map(|flight| (map.new_secs(flight.0), map.new_secs(flight.1))).collect();
        let grid = Grid::on_events(&knots, |from, to| {
            let is_flight = flights.iter().any(|flight| from > flight.0 - 1e-6 && to < flight.1 + 1e-6);
            if is_flight { 1.4 * LONGEST_FLIGHT_SPAN_SECS } else { f64::INFINITY }
        })?;
        let footholds = self.footholds.iter().map(|foothold| Foothold {
            start_secs: map.new_secs(foothold.start_secs),
            end_secs: map.new_secs(foothold.end_secs),
            ..foothold.clone()
        });
        let trajectory = self.resampled(grid, &|secs| {
            let mut x = self.trajectory.coordinates_at(map.old_secs(secs));
            x[3..6].copy_from_slice(&self.trajectory.coordinates_at(even_secs(secs))[3..6]);
            x
        })?;
        let old_secs: Vec<f64> = trajectory.grid.knots_secs.iter().map(|secs| even_secs(*secs)).collect();
        let forces = (0..self.trajectory.forces.len())
            .map(|touch| old_secs.iter().map(|secs| self.trajectory.force_at(touch, *secs)).collect())
            .collect();
        let torques = self.trajectory.torques_on(&old_secs);
        Ok(Self {
            trajectory: Trajectory { forces, torques, ..trajectory },
            footholds: footholds.collect(),
            flights,
            end_secs: map.new_secs(self.end_secs),
        })
    }

    /// The same motion in other coordinates: of a person whose charts were chosen again.
    pub fn recharted(&self, from: &Subject, to: &Subject) -> Result<Self, EditingError> {
        let tree = from.tree();
        let near = RefCell::new(self.trajectory.coordinates_at(0.0));
        let trajectory = self.resampled(self.trajectory.grid.clone(), &|secs| {
            let mut q = tree.model.neutral();
            from.coordinates.configuration(&self.trajectory.coordinates_at(secs), &mut q);
            let mut near = near.borrow_mut();
            let mut x = near.clone();
            to.coordinates.of_configuration(tree, &q, &near, &mut x);
            near.copy_from_slice(&x);
            x
        })?;
        let (forces, torques) = (self.trajectory.forces.clone(), self.trajectory.torques.clone());
        Ok(Self { trajectory: Trajectory { forces, torques, ..trajectory }, ..self.clone() })
    }

    pub fn resampled(&self, grid: Grid, x: &dyn Fn(f64) -> Vec<f64>) -> Result<Trajectory, EditingError> {
        let mut times_secs = Vec::new();
        for pair in grid.knots_secs.windows(2) {
            let part = |index: usize| pair[0] + (pair[1] - pair[0]) * index as f64 / SAMPLES_A_SPAN as f64;
            times_secs.extend((0..SAMPLES_A_SPAN).map(part));
        }
        times_secs.extend(grid.knots_secs.last());
        let samples: Vec<f64> = times_secs.iter().flat_map(|secs| x(*secs)).collect();
        Trajectory::fit(grid, self.trajectory.dofs, &times_secs, &samples, self.trajectory.forces.len())
    }

    /// Moves stages, one move each.
    pub fn moved(&self, moves: &[StageMove], touches: &[Touch]) -> Result<Self, EditingError> {
        let middles: Vec<DVec3> = (0..moves.len()).map(|stage| self.middle_m(stage).unwrap_or(DVec3::ZERO)).collect();
        let mut footholds = self.footholds.clone();
        let mut forces = self.trajectory.forces.clone();
        for foothold in &mut footholds {
            let stage = self.stage_of(0.5 * (foothold.start_secs + foothold.end_secs));
            let (own, middle_m) = (&moves[stage], middles[stage]);
            let turn = DQuat::from_rotation_y(own.yaw_rad);
            let side = touches[foothold.touch].side();
            foothold.place_m =
                middle_m + turn * (foothold.place_m - middle_m) + own.shift_m + turn * own.of_side_m[side];
            foothold.lateral = turn * foothold.lateral;
            for (knot, secs) in self.trajectory.grid.knots_secs.iter().enumerate() {
                if *secs > foothold.start_secs - 1e-6 && *secs < foothold.end_secs + 1e-6 {
                    forces[foothold.touch][knot] = turn * self.trajectory.forces[foothold.touch][knot];
                }
            }
        }
        let grid = self.trajectory.grid.clone();
        let trajectory = self.resampled(grid, &|secs| {
            let mut x = self.trajectory.coordinates_at(secs);
            self.move_root(moves, &middles, secs, &mut x);
            x
        })?;
        let trajectory = Trajectory { forces, torques: self.trajectory.torques.clone(), ..trajectory };
        Ok(Self { trajectory, footholds, flights: self.flights.clone(), end_secs: self.end_secs })
    }

    fn move_root(&self, moves: &[StageMove], middles: &[DVec3], secs: f64, x: &mut [f64]) {
        let (mut yaw, mut shift_m) = (moves[0].yaw_rad, moves[0].root_shift_m);
        for (flight, &(from, to)) in self.flights.iter().enumerate() {
            let share = self.carried_over(flight, from, to, secs);
            yaw += share * (moves[flight + 1].yaw_rad - moves[flight].yaw_rad);
            shift_m += (moves[flight + 1].root_shift_m - moves[flight].root_shift_m) * share;
        }
        x[0] += yaw;
        let stage = self.stage_of(secs);
        let at_m = DVec3::from_slice(&x[3..6]);
        let turned_m = middles[stage] + DQuat::from_rotation_y(moves[stage].yaw_rad) * (at_m - middles[stage]);
        let placed_m = at_m.lerp(turned_m, self.is_turned(stage, secs)) + shift_m;
        x[3..6].copy_from_slice(&placed_m.to_array());
    }

    /// How much of the way from one stage's displacement to the next one's is behind us: the integral of a trapezium.
    fn carried_over(&self, flight: usize, from: f64, to: f64, secs: f64) -> f64 {
        let before = flight.checked_sub(1).map_or(0.0, |before| self.flights[before].1);
        let after = self.flights.get(flight + 1).map_or(self.end_secs, |after| after.0);
        let (rise, fall) =
            (RAMP_SECS.min(0.5 * (from - before)).max(1e-3), RAMP_SECS.min(0.5 * (after - to)).max(1e-3));
        let whole = 0.5 * rise + (to - from) + 0.5 * fall;
        let way = if secs <= from - rise {
            0.0
        } else if secs <= from {
            0.5 * (secs - from + rise).powi(2) / rise
        } else if secs <= to {
            0.5 * rise + secs - from
        } else if secs <= to + fall {
            whole - 0.5 * (to + fall - secs).powi(2) / fall
        } else {
            whole
        };
        way / whole
    }

    /// 0 where the root's path is the old one, 1 where it is turned with the footprints: at touchdown and lift-off it
    /// is the old one.
    fn is_turned(&self, stage: usize, secs: f64) -> f64 {
        let since = stage.checked_sub(1).map_or(f64::INFINITY, |flight| secs - self.flights[flight].1);
        let until = self.flights.get(stage).map_or(f64::INFINITY, |flight| flight.0 - secs);
        let share = (since.min(until) / TURN_SECS).clamp(0.0, 1.0);
        share * share * (3.0 - 2.0 * share)
    }
}
