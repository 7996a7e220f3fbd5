//! Moving whole stages of a motion: the start from which an adaptation converges to something a person would do.
//!
//! A stage is what lies between two flights. Where its footprints go, the root goes with them: the rate of its displacement is built up over a
//! fifth of a second before lift-off, constant in flight, and gone a fifth after touchdown, which is what a person can do about it. Turns do not
//! swing the root's path about the feet at once (the centre of mass would land beyond them): the path is turned while standing.

use super::figure::Figure;
use super::grid::Grid;
use super::initialise::LONGEST_FLIGHT_SPAN_SECS;
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

/// Longer flights: times and what they become. Poses pass through a stretched flight slowest in its middle and at the clip's own pace at both ends:
/// at one pace throughout, joints would turn slower all at once at lift-off and faster at touchdown, and adaptations keep such jolts.
#[derive(Clone, Debug)]
pub(super) struct TimeMap {
    pairs: Vec<(f64, f64)>,
}

/// Of the mean pace, what the middle of a flight that gets shorter may go at most beyond it.
const EASED: f64 = 0.5;

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
        let (from, to) = self.piece(|pair| old_secs < pair.0);
        let (old, new) = (to.0 - from.0, to.1 - from.1);
        if old <= 0.0 {
            return from.1;
        }
        let share = (old_secs - from.0) / old;
        if !(0.0..=1.0).contains(&share) {
            return from.1 + share * new;
        }
        from.1 + eased(share, old, new)
    }

    pub fn old_secs(&self, new_secs: f64) -> f64 {
        let (from, to) = self.piece(|pair| new_secs < pair.1);
        let (old, new) = (to.0 - from.0, to.1 - from.1);
        if new <= 0.0 {
            return from.0;
        }
        if old <= 0.0 || (old - new).abs() < 1e-12 || new_secs <= from.1 || new_secs >= to.1 {
            return from.0 + (new_secs - from.1) * old / new;
        }
        // Time goes on: halving finds the moment to the last bit, whatever the stretch.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if from.1 + eased(middle, old, new) < new_secs { &mut low } else { &mut high }) = middle;
        }
        from.0 + 0.5 * (low + high) * old
    }

    /// At one pace through every flight: for knots, and for what flies by itself.
    fn even(&self, at: f64, read: impl Fn(&(f64, f64)) -> (f64, f64)) -> f64 {
        let (from, to) = self.piece(|pair| at < read(pair).0);
        let ((a, b), (c, d)) = (read(&from), read(&to));
        if c > a { b + (at - a) * (d - b) / (c - a) } else { b }
    }

    /// Both ends of the first piece whose end lies beyond what is looked for, or of the last one.
    fn piece(&self, is_beyond: impl Fn(&(f64, f64)) -> bool) -> ((f64, f64), (f64, f64)) {
        let last = self.pairs.len() - 1;
        let index = (1..last).find(|&index| is_beyond(&self.pairs[index])).unwrap_or(last);
        (self.pairs[index - 1], self.pairs[index])
    }
}

/// New time since the start of a piece, at a share of its old time: s + (f − 1) h(s) in old lengths, h being [`smooth_step`].
fn eased(s: f64, old: f64, new: f64) -> f64 {
    let more = new - old;
    // A flight that gets much shorter goes partly at one pace, so that time never stands still: h is 15/8 as steep in the middle as on average.
    let most = if more < 0.0 { EASED * new / (0.875 * -more) } else { 1.0 };
    let ease = most.min(1.0);
    s * old + more * (s + ease * (smooth_step(s) - s))
}

/// From 0 to 1 with neither rate nor second derivative at its ends: accelerations do not jump.
pub(super) fn smooth_step(s: f64) -> f64 {
    s * s * s * (10.0 + s * (6.0 * s - 15.0))
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
        let stands = self.stands.iter().map(|stand| Stand {
            start_secs: map.new_secs(stand.start_secs),
            end_secs: map.new_secs(stand.end_secs),
            ..stand.clone()
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
            stands: stands.collect(),
            flights,
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

    #[test]
    fn time_goes_on_and_keeps_its_pace_at_the_ends_of_flights() {
        for factor in [0.2, 0.7, 1.15, 3.0] {
            let map = TimeMap::stretching(&[(1.0, 1.4)], &[factor], 2.0);
            let end = map.new_secs(2.0);
            assert!((end - 2.0 - 0.4 * (factor - 1.0)).abs() < 1e-12);
            let step = end / 2000.0;
            let mut before: Option<f64> = None;
            for index in 0..2000 {
                let secs = step * index as f64;
                let old = map.old_secs(secs);
                assert!((map.new_secs(old) - secs).abs() < 1e-9, "{secs} s, {factor} times as long");
                let pace = (map.old_secs(secs + step) - old) / step;
                assert!(pace > 0.0, "time stands still at {secs} s, {factor} times as long");
                // Flights that are not cut to a fifth change their pace by little from one millisecond to the next.
                let jump = before.map_or(0.0, |before| (pace - before).abs());
                assert!(factor < 0.5 || jump < 0.02, "pace jumps by {jump} at {secs} s, {factor} times as long");
                before = Some(pace);
            }
        }
    }
}
