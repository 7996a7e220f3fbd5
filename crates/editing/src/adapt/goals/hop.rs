//! Jumps on one leg.

use super::fixed::keep_bent;
use super::goal::{Done, Goal, Preparation, within};
use super::side::WhichSide;
use crate::EditingError;
use crate::adapt::problem::{ADAPT_SMOOTHNESS, Demand, Evaluator, Watched};
use crate::adapt::result::{Cleared, each_look};
use crate::adapt::start::StageMove;
use crate::adapt::subject::Touch;
use aplomb_motion::{Role, Side};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The lifted foot stays above this, m: 30 mm are promised, rows are met to a fraction of the other one.
const LIFTED_M: f64 = 0.031;

/// A jump on one leg.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hop {
    /// The leg that jumps.
    pub on: WhichSide,
    /// How far the other knee is bent, degrees.
    #[serde(default = "Hop::knee_deg")]
    pub other_knee_deg: f64,
}

impl Hop {
    /// How far the other knee is bent, unless something else is said.
    pub const KNEE_DEG: f64 = 95.0;

    fn knee_deg() -> f64 {
        Self::KNEE_DEG
    }

    /// The group of points that jumps.
    fn kept(&self) -> usize {
        usize::from(self.on == WhichSide::Right)
    }

    fn lifted<'t>(&self, touches: &'t [Touch]) -> impl Iterator<Item = &'t Touch> {
        let lifted = 1 - self.kept();
        touches.iter().filter(move |touch| touch.group == lifted)
    }

    /// Drops the other foot's contacts, lets the kept one carry everything, and shifts the root over it.
    fn stand_on_one(&self, start: &mut Preparation<'_>) -> Result<(), EditingError> {
        let Preparation { staged, constraints, .. } = start;
        let kept = self.kept();
        let stages = 0..=staged.flights.len();
        let both: Vec<Option<DVec3>> = stages.map(|stage| staged.middle_m(stage)).collect();
        staged.footholds.retain(|foothold| constraints.touches[foothold.touch].group == kept);
        for (touch, forces) in constraints.touches.iter().zip(&mut staged.trajectory.forces) {
            let factor = if touch.group == kept { 2.0 } else { 0.0 };
            forces.iter_mut().for_each(|force| *force *= factor);
        }
        let mut moves = vec![StageMove::default(); staged.flights.len() + 1];
        for (stage, own) in moves.iter_mut().enumerate() {
            let (Some(both_m), Some(kept_m)) = (both[stage], staged.middle_m(stage)) else {
                let problem = "the leg that should hop does not stand before and after every flight".to_owned();
                return Err(EditingError::Goals { problem });
            };
            own.root_shift_m = DVec3::new(kept_m.x - both_m.x, 0.0, kept_m.z - both_m.z);
        }
        **staged = staged.moved(&moves, &constraints.touches)?;
        Ok(())
    }
}

impl Goal for Hop {
    fn check(&self) -> Result<(), EditingError> {
        if self.on == WhichSide::Both {
            return Err(EditingError::Goals { problem: "hop.on must be left or right".to_owned() });
        }
        within("hop.other_knee_deg", "between 30 and 150", self.other_knee_deg, [30.0, 150.0])
    }

    fn prepare(&self, start: &mut Preparation<'_>) -> Result<(), EditingError> {
        self.stand_on_one(start)?;
        let other = if self.kept() == 1 { Side::Left } else { Side::Right };
        let shank = start.subject.roles.link(Role::Shank(other), &start.body.tree).ok_or_else(|| {
            EditingError::Goals { problem: "this skeleton has no shank on the side that should be lifted".to_owned() }
        })?;
        keep_bent(start, shank, self.other_knee_deg)?;
        let value_m = start.subject.ground_m + LIFTED_M;
        let lifted = self.lifted(&start.constraints.touches).map(|&Touch { link, point_in_link_m, .. }| Watched {
            demand: Demand::Point { link, point_in_link_m, direction: DVec3::Y, value_m },
            span_secs: (f64::NEG_INFINITY, f64::INFINITY),
            unless_down: None,
        });
        start.constraints.demands.watched.extend(lifted);
        // One leg gives what two gave: changes of torque count from what it has to give, or the body would sway to
        // spare it.
        let problem = start.staged.problem(start.subject, &start.body.tree, start.constraints, ADAPT_SMOOTHNESS);
        start.staged.trajectory.torques = Evaluator::new(&problem).torques(&start.staged.trajectory);
        Ok(())
    }

    fn measure(&self, done: &Done<'_>, cleared: &mut Cleared) {
        let lifted: Vec<&Touch> = self.lifted(&done.constraints.touches).collect();
        if lifted.is_empty() {
            return;
        }
        let mut least_m = f64::INFINITY;
        each_look(done.subject, &done.body.tree, done.staged, |posed| {
            let heights = lifted.iter().map(|touch| posed.touch_m(touch).y - done.subject.ground_m);
            least_m = heights.fold(least_m, f64::min);
        });
        cleared.lifted_foot_m = Some(least_m);
    }
}
