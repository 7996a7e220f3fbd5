//! Heights that were promised, measured by poses and collision shapes instead of the rows that asked for them. Goals
//! that promise one measure it themselves.

use crate::adapt::start::StagedTrajectory;
use crate::adapt::subject::{PosedBody, Subject};
use aplomb_physics::dynamics::BodyModel;
use serde::Serialize;

/// Looked at this often, s: five times as often as rows stand. Feet pass hurdles at ten metres a second.
const LOOK_SECS: f64 = 0.002;

/// What was cleared, and by how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Cleared {
    /// Lowest that heel, ball or toe of a lifted foot come, over the ground, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifted_foot_m: Option<f64>,
    /// Lowest that heel, ball or toe of a foot pass over a hurdle, over its top, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_hurdle_m: Option<f64>,
    /// Nearest that any shape of the body comes to the hurdle's bar, m; negative if it is hit. As far as it looks if
    /// nothing comes that near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_bar_m: Option<f64>,
}

/// Shows every pose of a motion.
pub fn each_look(subject: &Subject, tree: &BodyModel, staged: &StagedTrajectory, mut look: impl FnMut(&PosedBody<'_>)) {
    let mut posed = PosedBody::new(subject, tree);
    let steps = (staged.end_secs / LOOK_SECS).ceil().max(1.0) as usize;
    for step in 0..=steps {
        let secs = staged.end_secs * step as f64 / steps as f64;
        posed.go(&staged.trajectory.coordinates_at(secs));
        look(&posed);
    }
}
