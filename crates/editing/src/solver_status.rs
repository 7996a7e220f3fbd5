//! How a search for a motion ended.

use serde::Serialize;

/// How a solver, or a verb that solves for something, ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SolverStatus {
    /// What was asked for is reached.
    #[default]
    Met,
    /// It was still getting nearer when its steps ran out.
    LimitReached,
    /// Steps brought it no nearer.
    Stalled,
    /// A number left the range of reasonable ones.
    NotFinite,
    /// It was stopped from outside.
    Cancelled,
    /// Nothing can reach these goals.
    Infeasible {
        /// Which, in the words of the verb.
        goals: Vec<String>,
    },
}

impl SolverStatus {
    /// Whether what was asked for is reached.
    pub fn is_met(&self) -> bool {
        *self == Self::Met
    }

    /// Met, or stalled short of it.
    pub fn met_or_stalled(is_met: bool) -> Self {
        if is_met { Self::Met } else { Self::Stalled }
    }
}
