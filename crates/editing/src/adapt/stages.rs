//! Moving whole stages of a motion: the start from which an adaptation converges to something a person would do.
//!
//! A stage is what lies between two flights. Where its footprints go, the root goes with them: the rate of its displacement is built up over a
//! fifth of a second before lift-off, constant in flight, and gone a fifth after touchdown, which is what a person can do about it. Turns do not
//! swing the root's path about the feet at once (the centre of mass would land beyond them): the path is turned while standing.

use super::figure::Figure;
use super::grid::Grid;
use super::motion::Trajectory;
use super::problem::{Stand, Touch};
use crate::EditingError;
use glam::{DQuat, DVec3};
use std::cell::RefCell;

/// A displacement's rate is built up and taken away over this long, s.
const RAMP_SECS: f64 = 0.22;
/// The path is turned over this long on the ground, s.
const TURN_SECS: f64 = 0.45;
/// Splines are fitted to so many samples a span.
const SAMPLES_A_SPAN: usize = 6;

/// What happens to one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StageMove {
    /// Of both feet's places, after the turn, m.
    pub shift_m: DVec3,
    /// In addition, of the left and of the right foot.
    pub of_side_m: [DVec3; 2],
    /// About the middle of its footprints, to the left.
    pub yaw_rad: f64,
    /// The root goes this far with the shift.
    pub root_shift_m: DVec3,
}

/// Longer flights: times and what they become, piecewise linear.
#[derive(Clone, Debug)]
pub(super) struct TimeMap {
    pairs: Vec<(f64, f64)>,
}

impl TimeMap {
    /// Each flight lasts as many times longer as its factor says.
    pub fn stretching(flights: &[(f64, f64)], factors: &[f64], end_secs: f64) -> Self {
        let mut pairs = vec![(0.0, 0.0)];
        let mut added = 0.0;
        for (&(from, to), factor) in flights.iter().zip(factors) {
            pairs.push((from, from + added));
            added += (factor - 1.0) * (to - from);
            pairs.push((to, to + added));
        }
        pairs.push((end_secs, end_secs + added));
        pairs.dedup_by(|b, a| b.0 - a.0 < 1e-9);
        Self { pairs }
    }

    /// The moment at which the motion is held, for so long.
    pub fn holding(at_secs: f64, secs: f64) -> Self {
        Self { pairs: vec![(0.0, 0.0), (at_secs, at_secs), (at_secs, at_secs + secs)] }
    }

    pub fn new_secs(&self, old_secs: f64) -> f64 {
        along(&self.pairs, old_secs, |pair| *pair)
    }

    pub fn old_secs(&self, new_secs: f64) -> f64 {
        along(&self.pairs, new_secs, |pair| (pair.1, pair.0))
    }
}

fn along(pairs: &[(f64, f64)], at: f64, read: impl Fn(&(f64, f64)) -> (f64, f64)) -> f64 {
    let last = pairs.len() - 1;
    let index = (1..last).find(|&index| at < read(&pairs[index]).0).unwrap_or(last);
    let ((a, b), (c, d)) = (read(&pairs[index - 1]), read(&pairs[index]));
    if c > a { b + (at - a) * (d - b) / (c - a) } else { b }
}

/// A motion with its footprints, on its way through edits.
#[derive(Clone, Debug)]
pub(super) struct Staged {
    pub trajectory: Trajectory,
    pub stands: Vec<Stand>,
    pub flights: Vec<(f64, f64)>,
    pub end_secs: f64,
}

impl Staged {
    /// Between which flights a time lies.
    pub fn stage_of(&self, secs: f64) -> usize {
        self.flights.iter().filter(|flight| secs > 0.5 * (flight.0 + flight.1)).count()
    }

    /// Middle of a stage's footprints; `None` where nothing stands.
    pub fn middle_m(&self, stage: usize) -> Option<DVec3> {
        let own: Vec<DVec3> = self.of_stage(stage).map(|stand| stand.place_m).collect();
        (!own.is_empty()).then(|| own.iter().sum::<DVec3>() / own.len() as f64)
    }

    pub fn of_stage(&self, stage: usize) -> impl Iterator<Item = &Stand> {
        self.stands.iter().filter(move |stand| self.stage_of(0.5 * (stand.start_secs + stand.end_secs)) == stage)
    }

    /// Level direction from the stage before a flight to the stage behind it, if it leads anywhere.
    pub fn way_over(&self, flight: usize) -> Option<DVec3> {
        let way_m = self.middle_m(flight + 1)? - self.middle_m(flight)?;
        let level_m = DVec3::new(way_m.x, 0.0, way_m.z);
        (level_m.length() > 0.1).then(|| level_m.normalize())
    }

    /// Stretches flights.
    pub fn retimed(&self, map: &TimeMap) -> Result<Self, EditingError> {
        let knots = self.trajectory.grid.knots_secs.iter().map(|secs| map.new_secs(*secs)).collect();
        let stands = self.stands.iter().map(|stand| Stand {
            start_secs: map.new_secs(stand.start_secs),
            end_secs: map.new_secs(stand.end_secs),
            ..stand.clone()
        });
        let flights = self.flights.iter().map(|flight| (map.new_secs(flight.0), map.new_secs(flight.1)));
        let trajectory = self.resampled(Grid::new(knots)?, &|secs| {
            let old_secs = map.old_secs(secs);
            self.trajectory.coordinates_at(old_secs)
        })?;
        let (forces, torques) = (self.trajectory.forces.clone(), self.trajectory.torques.clone());
        Ok(Self {
            trajectory: Trajectory { forces, torques, ..trajectory },
            stands: stands.collect(),
            flights: flights.collect(),
            end_secs: map.new_secs(self.end_secs),
        })
    }

    /// The same motion in other coordinates: of a person whose charts were chosen again.
    pub fn recharted(&self, from: &Figure, to: &Figure) -> Result<Self, EditingError> {
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
        let mut stands = self.stands.clone();
        let mut forces = self.trajectory.forces.clone();
        for stand in &mut stands {
            let stage = self.stage_of(0.5 * (stand.start_secs + stand.end_secs));
            let (own, middle_m) = (&moves[stage], middles[stage]);
            let turn = DQuat::from_rotation_y(own.yaw_rad);
            let side = touches[stand.touch].group % 2;
            stand.place_m = middle_m + turn * (stand.place_m - middle_m) + own.shift_m + turn * own.of_side_m[side];
            stand.lateral = turn * stand.lateral;
            for (knot, secs) in self.trajectory.grid.knots_secs.iter().enumerate() {
                if *secs > stand.start_secs - 1e-6 && *secs < stand.end_secs + 1e-6 {
                    forces[stand.touch][knot] = turn * self.trajectory.forces[stand.touch][knot];
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
        Ok(Self { trajectory, stands, flights: self.flights.clone(), end_secs: self.end_secs })
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

    /// 0 where the root's path is the old one, 1 where it is turned with the footprints: at touchdown and lift-off it is the old one.
    fn is_turned(&self, stage: usize, secs: f64) -> f64 {
        let since = stage.checked_sub(1).map_or(f64::INFINITY, |flight| secs - self.flights[flight].1);
        let until = self.flights.get(stage).map_or(f64::INFINITY, |flight| flight.0 - secs);
        let share = (since.min(until) / TURN_SECS).clamp(0.0, 1.0);
        share * share * (3.0 - 2.0 * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_maps_stretch_flights_only_and_go_back() {
        let map = TimeMap::stretching(&[(1.0, 1.4), (2.0, 2.2)], &[1.5, 1.0], 3.0);
        for (old, new) in [(0.5, 0.5), (1.0, 1.0), (1.2, 1.3), (1.4, 1.6), (2.0, 2.2), (3.0, 3.2)] {
            assert!((map.new_secs(old) - new).abs() < 1e-12, "{old} becomes {}", map.new_secs(old));
            assert!((map.old_secs(new) - old).abs() < 1e-12);
        }
    }
}
