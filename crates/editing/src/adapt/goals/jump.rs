//! Jumps that go farther, rise higher or last longer.

use super::goal::{Goal, MOST_M, within};
use crate::EditingError;
use crate::adapt::start::PlanBuilder;

/// A step of continuation goes no farther than this, m.
const STEP_LENGTH_M: f64 = 0.75;

/// How the jump changes as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Farther by so much, m.
    pub length_m: Option<f64>,
    /// So many times as high.
    pub height: Option<f64>,
    /// In a flight of so many times the length.
    pub flight_time: Option<f64>,
}

impl Goal for Jump {
    fn check(&self) -> Result<(), EditingError> {
        within("jump_length_m", "within 5 m", self.length_m, [-MOST_M, MOST_M])?;
        within("jump_height", "between 0.2 and 4 times", self.height, [0.2, 4.0])?;
        within("flight_time", "between 0.4 and 3 times", self.flight_time, [0.4, 3.0])?;
        if self.height.is_some() && self.flight_time.is_some() {
            return Err(EditingError::Conflict { a: "jump_height", b: "flight_time" });
        }
        Ok(())
    }

    fn needs_flight(&self) -> bool {
        self.length_m.is_some() || self.height.is_some() || self.flight_time.is_some()
    }

    fn landing_goal(&self) -> Option<&'static str> {
        self.length_m.map(|_| "jump_length_m")
    }

    /// A body that rises f times as high is in the air √f times as long.
    fn plan(&self, plan: &mut PlanBuilder<'_>) {
        let Some(flight) = plan.flight else { return };
        if let Some(length_m) = self.length_m {
            plan.shift_landing(flight, plan.forward * length_m);
            plan.at_least(length_m.abs() / STEP_LENGTH_M);
        }
        plan.stretch[flight] *= self.flight_time.or(self.height.map(f64::sqrt)).unwrap_or(1.0);
    }
}
