//! Which torques are unknowns.

use serde::{Deserialize, Serialize};

/// Which rows of the equations of motion are asked for, with torques as unknowns of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dynamics {
    /// The six of the root: torques follow, and change for nothing.
    #[default]
    Reduced,
    /// All: torques have splines, and their change counts as well.
    Full,
}
