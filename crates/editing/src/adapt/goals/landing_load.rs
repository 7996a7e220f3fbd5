//! How hard the ground may push in a landing.

use super::goal::{ContinuationStep, Goal, within};
use crate::EditingError;
use crate::adapt::problem::{Constraints, LoadBound};

/// A landing is bounded for so long, s.
const LOADED_LANDING_SECS: f64 = 0.5;

/// A bound of the load behind the flight that is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LandingLoad {
    /// Body weights.
    pub most_bw: f64,
}

impl Goal for LandingLoad {
    fn check(&self) -> Result<(), EditingError> {
        within("landing_load_bw", "between 1 and 20", self.most_bw, [1.0, 20.0])
    }

    fn landing_goal(&self) -> Option<&'static str> {
        Some("landing_load_bw")
    }

    fn demand(&self, step: &ContinuationStep<'_>, constraints: &mut Constraints) -> Result<(), EditingError> {
        let landing = step.flight.and_then(|flight| step.staged.flights.get(flight)).map(|flight| flight.1);
        constraints.load_bound = landing.map(|start_secs| LoadBound {
            start_secs,
            end_secs: start_secs + LOADED_LANDING_SECS,
            most_bw: self.most_bw,
        });
        Ok(())
    }
}
