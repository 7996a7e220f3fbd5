//! A bar or a rim to swing from. The last step starts from the clip to the top of its flight, with arms that reach for
//! it, and the body held as it is then, swinging as a pendulum (paper, sections 5.3 and 5.4, where the last frame
//! stands still instead).

mod arms;
mod pendulum;

use self::arms::{ArmsWay, reach, swing_up, targets};
use self::pendulum::Pendulum;
use super::goal::{Goal, LastStep, Restart, within};
use super::side::{Reaching, WhichSide};
use crate::EditingError;
use crate::adapt::problem::{ADAPT_SMOOTHNESS, Evaluator, Grid, Trajectory};
use crate::adapt::solve::merit;
use crate::adapt::start::{PlanBuilder, StagedTrajectory, TimeMap};
use crate::adapt::subject::{Foothold, PosedBody, Touch};
use aplomb_analysis::contacts::Part;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Flights that are stretched by more than this are flown and landed from before anything is caught in them, each step
/// by no more than the second.
const STRETCH: f64 = 1.2;
const STEP_STRETCH: f64 = 1.8;
/// Arms leave the clip so long before they hold, s.
const ARMS_REACH_SECS: f64 = 0.45;
/// Spans between knots while swinging, s.
const SWING_SPAN_SECS: f64 = 0.025;
/// Charts are chosen from a pose every so often, s.
const SAMPLE_SECS: f64 = 0.01;
/// What a hand carries in the start, body weights; the first step finds the rest.
const START_BW: f64 = 0.6;

/// Hands that catch a bar or a rim at the top of the flight, and a body that swings from it (paper, figures 3(g) and
/// 3(l)).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Grab {
    /// Which hands hold it.
    pub hands: WhichSide,
    /// Height over the ground; without it, what straight arms reach at the top of the flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_m: Option<f64>,
    /// Before the shoulders at the top of the flight, along the way.
    pub ahead_m: f64,
    /// How long the body swings.
    pub swing_secs: f64,
}

impl Default for Grab {
    fn default() -> Self {
        Self { hands: WhichSide::Both, height_m: None, ahead_m: 0.15, swing_secs: 0.8 }
    }
}

impl Goal for Grab {
    fn check(&self) -> Result<(), EditingError> {
        within("grab.height_m", "between 0.5 and 6", self.height_m, [0.5, 6.0])?;
        within("grab.ahead_m", "within 1 m", self.ahead_m, [-1.0, 1.0])?;
        within("grab.swing_secs", "between 0.2 and 3", self.swing_secs, [0.2, 3.0])
    }

    fn needs_flight(&self) -> bool {
        true
    }

    /// Stands behind goals that stretch the flight.
    fn plan(&self, plan: &mut PlanBuilder<'_>) {
        let Some(flight) = plan.flight else { return };
        let factor = plan.stretch[flight];
        if factor > STRETCH {
            plan.carry_on(flight, factor);
            plan.at_least(factor.ln() / STEP_STRETCH.ln());
            plan.add_last_step();
        }
    }

    /// Of the ways in which arms may reach, the one from which least is left to mend.
    fn restart(&self, before: &LastStep<'_>) -> Result<Option<Restart>, EditingError> {
        let Some(flight) = before.flight else { return Ok(None) };
        let mut best: Option<(f64, Restart)> = None;
        for &way in before.ways {
            let held = self.start(before, flight, way)?;
            let problem = held.staged.problem(&held.subject, &before.body.tree, before.constraints, ADAPT_SMOOTHNESS);
            let left = merit(&mut Evaluator::new(&problem), &held.staged.trajectory);
            if best.as_ref().is_none_or(|best| left < best.0 || best.0.is_nan()) {
                best = Some((left, held));
            }
        }
        Ok(best.map(|(_, held)| held))
    }
}

impl Grab {
    /// The start with arms that reach in one way.
    fn start(&self, before: &LastStep<'_>, flight: usize, way: Reaching) -> Result<Restart, EditingError> {
        let LastStep { subject, staged, .. } = *before;
        let (tree, touches) = (&before.body.tree, &before.constraints.touches);
        let hands = self.hands_of(touches)?;
        let mut body = PosedBody::new(subject, tree);
        let (from, to) = staged.flights[flight];
        let top = top_secs(&mut body, staged, from, to);
        let end_secs = top + self.swing_secs;
        let forward = staged.way_over(flight).unwrap_or(DVec3::Z);
        let from_top = staged.trajectory.coordinates_at(top);
        let mut x_top = from_top.clone();
        let holding: Vec<&Touch> = hands.iter().map(|&hand| &touches[hand]).collect();
        let targets = targets(&mut body, &x_top, forward, (self.ahead_m, self.height_m), &holding);
        let mut arms = Vec::new();
        for (hand, target_m) in holding.iter().zip(&targets) {
            swing_up(&mut body, &mut x_top, hand, *target_m);
            reach(&mut body, &mut x_top, hand, *target_m);
            arms.extend(subject.limb_above(hand.link));
        }
        let velocity = level_velocity(&staged.trajectory, top);
        let swing = Pendulum::new(&mut body, &x_top, &targets, velocity, forward, self.swing_secs);
        let way_of_arms = ArmsWay { subject, tree, arms: &arms, x_top: &x_top, from_top, reaching: way };
        let configuration = |secs: f64| match secs > top {
            true => swing.configuration(subject, tree, &x_top, secs - top),
            false => {
                let share = ((secs - top + ARMS_REACH_SECS) / ARMS_REACH_SECS).clamp(0.0, 1.0);
                way_of_arms.configuration(&staged.trajectory.coordinates_at(secs), share * share * (3.0 - 2.0 * share))
            }
        };
        let charted = subject.rechosen(tree, &arms, &sampled(&configuration, end_secs));
        // Angles go on from those of the moment before: arms turn far.
        let last = RefCell::new(staged.trajectory.coordinates_at(0.0));
        let path = |secs: f64| {
            let q = configuration(secs);
            let mut near = last.borrow_mut();
            let mut x = near.clone();
            charted.coordinates.of_configuration(tree, &q, &near, &mut x);
            near.copy_from_slice(&x);
            x
        };
        let trajectory = staged.resampled(self.grid(staged, top)?, &path)?;
        let staged = self.with_holds(staged, flight, top, trajectory, &hands, &targets);
        Ok(Restart { staged, map: TimeMap::holding(top, self.swing_secs), subject: charted, way })
    }

    /// Points of the hands that hold.
    fn hands_of(&self, touches: &[Touch]) -> Result<Vec<usize>, EditingError> {
        let is_meant = |touch: &Touch| touch.part == Part::Hand && self.hands.has(touch.side());
        let hands: Vec<usize> = (0..touches.len()).filter(|&touch| is_meant(&touches[touch])).collect();
        if hands.is_empty() {
            let problem = "this skeleton has no hand that could hold anything".to_owned();
            return Err(EditingError::Goals { problem });
        }
        Ok(hands)
    }

    /// Knots of the clip to the top, then even ones.
    fn grid(&self, staged: &StagedTrajectory, top: f64) -> Result<Grid, EditingError> {
        let mut knots: Vec<f64> =
            staged.trajectory.grid.knots_secs.iter().copied().filter(|secs| *secs < top - 0.01).collect();
        let spans = (self.swing_secs / SWING_SPAN_SECS).ceil().max(2.0) as usize;
        let knot = |span: f64| top + self.swing_secs * span / spans as f64;
        // Hands come with a speed that the first span takes away.
        knots.extend([knot(0.0), knot(0.5)]);
        knots.extend((1..=spans).map(|span| knot(span as f64)));
        Grid::new(knots)
    }

    /// A trajectory with the footholds and forces of the clip before the flight, and of hands behind its top.
    fn with_holds(
        &self,
        staged: &StagedTrajectory,
        flight: usize,
        top: f64,
        trajectory: Trajectory,
        hands: &[usize],
        targets: &[DVec3],
    ) -> StagedTrajectory {
        let (from, end_secs) = (staged.flights[flight].0, top + self.swing_secs);
        let forward = staged.way_over(flight).unwrap_or(DVec3::Z);
        let knots_secs = &trajectory.grid.knots_secs;
        let mut forces: Vec<Vec<DVec3>> = (0..staged.trajectory.forces.len())
            .map(|touch| {
                let force =
                    |secs: &f64| if *secs < from { staged.trajectory.force_at(touch, *secs) } else { DVec3::ZERO };
                knots_secs.iter().map(force).collect()
            })
            .collect();
        let stays = |foothold: &&Foothold| foothold.end_secs <= from + 1e-6;
        let mut footholds: Vec<Foothold> = staged.footholds.iter().filter(stays).cloned().collect();
        for (&touch, &place_m) in hands.iter().zip(targets) {
            footholds.push(Foothold {
                touch,
                start_secs: top,
                end_secs,
                place_m,
                lateral: DVec3::Y.cross(forward),
                is_loaded_at_start: false,
                is_loaded_at_end: true,
                is_bilateral: true,
            });
            let held = forces[touch].iter_mut().zip(knots_secs).filter(|(_, secs)| **secs > top + 1e-6);
            held.for_each(|(force, _)| *force = DVec3::Y * START_BW);
        }
        let mut flights = staged.flights[..flight].to_vec();
        flights.push((from, top));
        let torques = staged.trajectory.torques_on(knots_secs);
        StagedTrajectory { trajectory: Trajectory { forces, torques, ..trajectory }, footholds, flights, end_secs }
    }
}

/// When the centre of mass is highest in a flight.
fn top_secs(body: &mut PosedBody<'_>, staged: &StagedTrajectory, from: f64, to: f64) -> f64 {
    let mut best = (f64::NEG_INFINITY, 0.5 * (from + to));
    // Not before the first third, nor in the last one: a body that falls all the way is caught on its way.
    for step in 20..=40 {
        let secs = from + (to - from) * f64::from(step) / 60.0;
        body.go(&staged.trajectory.coordinates_at(secs));
        let height_m = body.com_m().y;
        if height_m > best.0 {
            best = (height_m, secs);
        }
    }
    best.1
}

/// Velocity of the root over the ground.
fn level_velocity(trajectory: &Trajectory, secs: f64) -> DVec3 {
    let at = |secs: f64| DVec3::from_slice(&trajectory.coordinates_at(secs)[3..6]);
    let velocity = (at(secs) - at(secs - 0.04)) / 0.04;
    DVec3::new(velocity.x, 0.0, velocity.z)
}

/// Configurations of a motion, so often that arms turn by a few degrees only in between.
fn sampled(configuration: &dyn Fn(f64) -> Vec<f64>, end_secs: f64) -> Vec<Vec<f64>> {
    let steps = (end_secs / SAMPLE_SECS).ceil().max(1.0) as usize;
    (0..=steps).map(|step| configuration(end_secs * step as f64 / steps as f64)).collect()
}
