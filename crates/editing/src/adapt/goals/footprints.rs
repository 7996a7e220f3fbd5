//! Footprints that go elsewhere.

use super::goal::{Goal, MOST_M, within};
use super::side::WhichSide;
use crate::EditingError;
use crate::adapt::start::PlanBuilder;
use serde::{Deserialize, Serialize};

/// Stages by where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhichStage {
    /// Before the flight that is meant.
    Takeoff,
    /// Behind it, and everything after.
    Landing,
    /// All.
    #[default]
    All,
}

impl WhichStage {
    fn has(self, stage: usize, flight: Option<usize>) -> bool {
        match (self, flight) {
            (Self::All, _) | (_, None) => true,
            (Self::Takeoff, Some(flight)) => stage <= flight,
            (Self::Landing, Some(flight)) => stage > flight,
        }
    }
}

/// Moved footprints, m, along the jump's way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Footprints {
    /// Which.
    pub stage: WhichStage,
    /// Whose.
    pub side: WhichSide,
    /// Along the way.
    pub forward_m: f64,
    /// Across it.
    pub left_m: f64,
    /// Up, onto a box.
    pub up_m: f64,
}

impl Goal for Footprints {
    fn check(&self) -> Result<(), EditingError> {
        within("footprints.forward_m", "within 5 m", self.forward_m, [-MOST_M, MOST_M])?;
        within("footprints.left_m", "within 5 m", self.left_m, [-MOST_M, MOST_M])?;
        within("footprints.up_m", "within 5 m", self.up_m, [-MOST_M, MOST_M])
    }

    fn plan(&self, plan: &mut PlanBuilder<'_>) {
        let shift_m = plan.along_way_m(self.forward_m, self.left_m, self.up_m);
        let flight = plan.flight;
        let meant = plan.of_stage.iter_mut().enumerate().filter(|(stage, _)| self.stage.has(*stage, flight));
        for (_, own) in meant {
            match self.side {
                WhichSide::Both => own.shift_m += shift_m,
                WhichSide::Left => own.of_side_m[0] += shift_m,
                WhichSide::Right => own.of_side_m[1] += shift_m,
            }
        }
    }
}
