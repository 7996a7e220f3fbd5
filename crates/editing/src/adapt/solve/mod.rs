//! From a start to a motion that meets every row: minimum-norm steps, refinement, and optima to compare with.

mod flight_times;
mod optimal;
mod refine;
mod status;
mod step;

pub use flight_times::timed;
#[cfg(test)]
pub use optimal::slopes;
pub use optimal::{Objective, Optimum, optimise};
pub use refine::{Refined, solve_refined};
pub use status::SolveStatus;
#[cfg(test)]
pub use step::linear_forms;
pub use step::{Iteration, Residuals, Solved, merit, solve};
