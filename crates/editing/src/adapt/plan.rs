//! Goals as moves of stages: how many steps of continuation, and what each adds.

use super::body::Scaled;
use super::figure::Figure;
use super::goals::{Goals, Stage, TwistAt, WhichSide};
use super::stages::{StageMove, Staged, TimeMap};
use crate::EditingError;
use aplomb_motion::Role;
use glam::{DQuat, DVec3};

/// A step of continuation turns by no more than this, degrees …
const STEP_DEG: f64 = 61.0;
/// … and goes no farther than this, m.
const STEP_M: f64 = 0.75;

/// Flights that are stretched by more than this are flown and landed from before anything is caught in them, each step by no more than the second.
const GRAB_STRETCH: f64 = 1.2;
const GRAB_STEP: f64 = 1.8;

/// What each step of continuation adds.
pub(super) struct Plan {
    pub steps: usize,
    /// Steps that move and stretch; a grab that needs a longer flight comes behind them.
    moving: usize,
    /// Stretch of each flight, a step.
    stretch: Vec<f64>,
    /// A step's share of every move.
    of_stage: Vec<StageMove>,
    /// The way, level.
    pub forward: DVec3,
}

impl Plan {
    pub fn of(goals: &Goals, staged: &Staged, flight: Option<usize>) -> Result<Self, EditingError> {
        let stages = staged.flights.len() + 1;
        let mut of_stage = vec![StageMove::default(); stages];
        let mut stretch = vec![1.0; staged.flights.len()];
        let forward = flight.and_then(|flight| staged.way_over(flight)).or_else(|| facing(staged)).unwrap_or(DVec3::Z);
        let left = DVec3::Y.cross(forward);
        let is_meant = |stage: usize, which: Stage| match (which, flight) {
            (Stage::All, _) | (_, None) => true,
            (Stage::Takeoff, Some(flight)) => stage <= flight,
            (Stage::Landing, Some(flight)) => stage > flight,
        };
        for prints in &goals.footprints {
            let shift_m = forward * prints.forward_m + left * prints.left_m + DVec3::Y * prints.up_m;
            for stage in (0..stages).filter(|&stage| is_meant(stage, prints.stage)) {
                match prints.side {
                    WhichSide::Both => of_stage[stage].shift_m += shift_m,
                    WhichSide::Left => of_stage[stage].of_side_m[0] += shift_m,
                    WhichSide::Right => of_stage[stage].of_side_m[1] += shift_m,
                }
            }
        }
        let (mut steps, mut grabs_after) = (1.0_f64, 0);
        if let Some(flight) = flight {
            if let Some(length_m) = goals.jump_length_m {
                of_stage[flight + 1..].iter_mut().for_each(|own| own.shift_m += forward * length_m);
                steps = steps.max((length_m.abs() / STEP_M).ceil());
            }
            let factor = goals.flight_time.or(goals.jump_height.map(f64::sqrt)).unwrap_or(1.0);
            stretch[flight] *= factor;
            if goals.grab.is_some() && factor > GRAB_STRETCH {
                of_stage[flight + 1..]
                    .iter_mut()
                    .for_each(|own| own.shift_m += carried_on_m(staged, flight, forward, factor));
                steps = steps.max((factor.ln() / GRAB_STEP.ln()).ceil());
                grabs_after = 1;
            }
            if let Some(twist) = &goals.twist {
                steps = steps.max((twist.deg.abs() / STEP_DEG).ceil());
                match twist.at {
                    TwistAt::Landing => {
                        of_stage[flight + 1..].iter_mut().for_each(|own| own.yaw_rad = twist.deg.to_radians())
                    }
                    TwistAt::Takeoff => {
                        of_stage[..=flight].iter_mut().for_each(|own| own.yaw_rad = -twist.deg.to_radians())
                    }
                }
            }
            if let Some(hurdle) = &goals.hurdle {
                let factor = hurdle.flight_time.unwrap_or(1.0 + 2.4 * hurdle.height_m);
                of_stage[flight + 1..]
                    .iter_mut()
                    .for_each(|own| own.shift_m += carried_on_m(staged, flight, forward, factor));
                stretch[flight] *= factor;
                steps = steps.max((hurdle.height_m / 0.26).ceil());
            }
        }
        // The root goes where its feet go on average, over a stage and its neighbours: steps to both sides do not sway the body.
        let of_feet = |stage: usize| {
            let own = &of_stage[stage];
            own.shift_m + (own.of_side_m[0] + own.of_side_m[1]) * 0.5
        };
        let root: Vec<DVec3> = (0..stages).map(of_feet).collect();
        for (own, shift_m) in of_stage.iter_mut().zip(root) {
            let steps = steps.max(1.0);
            own.root_shift_m = shift_m / steps;
            own.shift_m /= steps;
            own.of_side_m = own.of_side_m.map(|side_m| side_m / steps);
            own.yaw_rad /= steps;
        }
        stretch.iter_mut().for_each(|factor| *factor = factor.powf(1.0 / steps));
        let moving = steps as usize;
        Ok(Self { steps: moving + grabs_after, moving, stretch, of_stage, forward })
    }

    /// How a step (from one on) stretches flights, if it does.
    pub fn map(&self, step: usize, staged: &Staged) -> Option<TimeMap> {
        let changes = step <= self.moving && self.stretch.iter().any(|factor| (factor - 1.0).abs() > 1e-9);
        changes.then(|| TimeMap::stretching(&staged.flights, &self.stretch, staged.end_secs))
    }

    /// What a step (from one on) moves, if it does. Feet are moved against each other in the direction that earlier steps have turned them to, so that all
    /// shares of a foot's way are in line in the end.
    pub fn moves(&self, step: usize) -> Option<Vec<StageMove>> {
        let turned = |own: &StageMove| {
            let so_far = DQuat::from_rotation_y(own.yaw_rad * (step - 1) as f64);
            StageMove { of_side_m: own.of_side_m.map(|side_m| so_far * side_m), ..*own }
        };
        (step <= self.moving).then(|| self.of_stage.iter().map(turned).collect())
    }
}

/// Who is in the air for longer goes on as fast.
fn carried_on_m(staged: &Staged, flight: usize, forward: DVec3, factor: f64) -> DVec3 {
    let (from, to) = staged.flights[flight];
    let root_m = |secs: f64| DVec3::from_slice(&staged.trajectory.coordinates_at(secs)[3..6]);
    forward * ((root_m(to) - root_m(from)).dot(forward) * (factor - 1.0))
}

/// Where feet point at the start.
fn facing(staged: &Staged) -> Option<DVec3> {
    staged.of_stage(0).next().map(|stand| -DVec3::Y.cross(stand.lateral).normalize_or(DVec3::Z))
}

/// Coordinates that are pinned start where they will be.
pub(super) fn pin(staged: &mut Staged, pinned: &[(usize, f64)]) {
    let dofs = staged.trajectory.dofs;
    for control in staged.trajectory.controls.chunks_exact_mut(dofs) {
        pinned.iter().for_each(|(index, value)| control[*index] = *value);
    }
}

/// Shorter legs stand lower.
pub(super) fn lower_root(staged: &mut Staged, figure: &Figure, scaled: &[Scaled]) {
    let tree = figure.tree();
    let mut longer_m = 0.0;
    for own in scaled {
        if matches!(figure.roles.role(own.link), Some(Role::Thigh(_) | Role::Shank(_))) {
            let below = tree.model.links().find(|&link| tree.model.parent(link) == Some(own.link));
            let length_m = below.map_or(0.0, |below| tree.model.offset_m(below).length());
            // Two legs: each counts half.
            longer_m += 0.5 * (own.factor - 1.0) * length_m;
        }
    }
    let dofs = staged.trajectory.dofs;
    staged.trajectory.controls.chunks_exact_mut(dofs).for_each(|control| control[4] += longer_m);
}
