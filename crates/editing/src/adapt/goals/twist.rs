//! Turns in the air.

use super::goal::{ContinuationStep, Goal, within};
use crate::EditingError;
use crate::adapt::problem::{Cone, Constraints};
use crate::adapt::start::PlanBuilder;
use aplomb_physics::dynamics::LinkId;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A step of continuation turns by no more than this, degrees.
const STEP_DEG: f64 = 61.0;
/// After a turn trunk and head lean at most so much more than in the clip, degrees: two short of what is promised, for
/// what happens between points.
const LEAN_MORE_DEG: f64 = 8.0;

/// A turn in the air.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twist {
    /// To the left, degrees.
    pub deg: f64,
    /// Which stage is turned.
    #[serde(default)]
    pub at: TwistAt,
}

/// Which end of a flight turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TwistAt {
    /// The landing: takeoff stays.
    #[default]
    Landing,
    /// The takeoff: the landing stays.
    Takeoff,
}

impl Goal for Twist {
    fn check(&self) -> Result<(), EditingError> {
        within("twist.deg", "within 720", self.deg, [-720.0, 720.0])
    }

    fn needs_flight(&self) -> bool {
        true
    }

    fn landing_goal(&self) -> Option<&'static str> {
        Some("twist")
    }

    fn plan(&self, plan: &mut PlanBuilder<'_>) {
        let Some(flight) = plan.flight else { return };
        plan.at_least(self.deg.abs() / STEP_DEG);
        let (stages, yaw_rad) = match self.at {
            TwistAt::Landing => (&mut plan.of_stage[flight + 1..], self.deg.to_radians()),
            TwistAt::Takeoff => (&mut plan.of_stage[..=flight], -self.deg.to_radians()),
        };
        stages.iter_mut().for_each(|own| own.yaw_rad = yaw_rad);
    }

    /// Keeps trunk and head upright behind the flight, as far as the clip does: dynamics alone would let a body fold up
    /// that lands turned.
    fn demand(&self, step: &ContinuationStep<'_>, constraints: &mut Constraints) -> Result<(), EditingError> {
        let Some(flight) = step.flight else { return Ok(()) };
        let flights = &step.staged.flights;
        let (from, to) = (flights[flight].1, flights.get(flight + 1).map_or(step.staged.end_secs, |next| next.0));
        let (roles, tree) = (&step.subject.roles, step.subject.tree());
        let most_rad = (step.lean_deg + LEAN_MORE_DEG).to_radians();
        let mut upright = |a: (LinkId, DVec3), b: (LinkId, DVec3)| {
            let cone = Cone { from: a, to: b, middle: DVec3::Y, middle_link: None, most_rad };
            constraints.demands.cones.push((cone, from, to));
        };
        if let (Some(chest), Some(root)) = (roles.trunk(tree), tree.model.links().next()) {
            upright((root, DVec3::ZERO), (chest, DVec3::ZERO));
        }
        if let Some(head) = roles.head(tree) {
            upright((head, DVec3::ZERO), (head, tree.model.inertia(head).com_m));
        }
        Ok(())
    }
}
