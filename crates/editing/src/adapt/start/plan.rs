//! Moves of stages as steps of continuation: how many, and what each adds.

use super::stages::{StageMove, StagedTrajectory};
use super::time_map::TimeMap;
use glam::{DQuat, DVec3};

/// Moves and stretches of all stages together, as goals add them.
pub struct PlanBuilder<'a> {
    pub staged: &'a StagedTrajectory,
    /// The flight that is meant.
    pub flight: Option<usize>,
    /// The way, level.
    pub forward: DVec3,
    /// Of every stage, the whole way.
    pub of_stage: Vec<StageMove>,
    /// Of every flight.
    pub stretch: Vec<f64>,
    steps: f64,
    last_steps: usize,
}

impl<'a> PlanBuilder<'a> {
    /// Nothing moves yet.
    pub fn new(staged: &'a StagedTrajectory, flight: Option<usize>) -> Self {
        let forward = flight.and_then(|flight| staged.way_over(flight)).or_else(|| facing(staged)).unwrap_or(DVec3::Z);
        Self {
            staged,
            flight,
            forward,
            of_stage: vec![StageMove::default(); staged.flights.len() + 1],
            stretch: vec![1.0; staged.flights.len()],
            steps: 1.0,
            last_steps: 0,
        }
    }

    /// Forward, to the left and up, in the world.
    pub fn along_way_m(&self, forward_m: f64, left_m: f64, up_m: f64) -> DVec3 {
        self.forward * forward_m + DVec3::Y.cross(self.forward) * left_m + DVec3::Y * up_m
    }

    /// A motion that takes at least so many steps.
    pub fn at_least(&mut self, steps: f64) {
        self.steps = self.steps.max(steps.ceil());
    }

    /// A step behind all that move and stretch.
    pub fn add_last_step(&mut self) {
        self.last_steps = 1;
    }

    /// Moves everything behind the flight.
    pub fn shift_landing(&mut self, flight: usize, by_m: DVec3) {
        self.of_stage[flight + 1..].iter_mut().for_each(|own| own.shift_m += by_m);
    }

    /// Moves the landing by what a flight of so many times the length takes a body farther that goes on as fast.
    pub fn carry_on(&mut self, flight: usize, factor: f64) {
        let (from, to) = self.staged.flights[flight];
        let root_m = |secs: f64| DVec3::from_slice(&self.staged.trajectory.coordinates_at(secs)[3..6]);
        let by_m = self.forward * ((root_m(to) - root_m(from)).dot(self.forward) * (factor - 1.0));
        self.shift_landing(flight, by_m);
    }

    /// Divides everything into steps.
    pub fn plan(self) -> Plan {
        let Self { mut of_stage, mut stretch, steps, .. } = self;
        for own in &mut of_stage {
            // The root goes where its feet go on average: steps to both sides do not sway the body.
            let root_shift_m = own.shift_m + (own.of_side_m[0] + own.of_side_m[1]) * 0.5;
            own.root_shift_m = root_shift_m / steps;
            own.shift_m /= steps;
            own.of_side_m = own.of_side_m.map(|side_m| side_m / steps);
            own.yaw_rad /= steps;
        }
        stretch.iter_mut().for_each(|factor| *factor = factor.powf(1.0 / steps));
        let moving = steps as usize;
        Plan { steps: moving + self.last_steps, moving, stretch, of_stage, forward: self.forward }
    }
}

/// What each step of continuation adds.
pub struct Plan {
    pub steps: usize,
    /// Steps that move and stretch; others come behind them.
    moving: usize,
    /// Stretch of each flight, a step.
    stretch: Vec<f64>,
    /// A step's share of every move.
    of_stage: Vec<StageMove>,
    /// The way, level.
    pub forward: DVec3,
}

impl Plan {
    /// How a step (from one on) stretches flights, if it does.
    pub fn map(&self, step: usize, staged: &StagedTrajectory) -> Option<TimeMap> {
        let changes = step <= self.moving && self.stretch.iter().any(|factor| (factor - 1.0).abs() > 1e-9);
        changes.then(|| TimeMap::stretching(&staged.flights, &self.stretch, staged.end_secs))
    }

    /// What a step (from one on) moves, if it does. Feet are moved against each other in the direction that earlier
    /// steps have turned them to, so that all shares of a foot's way are in line in the end.
    pub fn moves(&self, step: usize) -> Option<Vec<StageMove>> {
        let turned = |own: &StageMove| {
            let so_far = DQuat::from_rotation_y(own.yaw_rad * (step - 1) as f64);
            StageMove { of_side_m: own.of_side_m.map(|side_m| so_far * side_m), ..*own }
        };
        (step <= self.moving).then(|| self.of_stage.iter().map(turned).collect())
    }
}

/// Where feet point at the start.
fn facing(staged: &StagedTrajectory) -> Option<DVec3> {
    staged.of_stage(0).next().map(|foothold| -DVec3::Y.cross(foothold.lateral).normalize_or(DVec3::Z))
}
