//! What a trajectory has to satisfy: unknowns on a grid, demands, and the rows of values and derivatives they become.

mod between;
mod constraints;
mod demands;
mod grid;
mod layout;
mod limbs;
mod metric;
mod norm;
#[expect(clippy::module_inception, reason = "the room is about it")]
mod problem;
mod rows;
mod trajectory;

pub use between::{Between, TorqueOver, between};
#[cfg(test)]
pub use constraints::Actuated;
pub use constraints::{Constraints, LoadBound};
#[cfg(test)]
pub use demands::DemandAtTime;
pub use demands::{Cone, Demand, Demands, Hump, WATCH_SECS, Watched};
pub use grid::{Grid, LONGEST_FLIGHT_SPAN_SECS, LONGEST_SPAN_SECS};
pub use layout::BlockLayout;
pub use limbs::{LinkPair, nearest_m, pairs, shapes};
#[cfg(test)]
pub use metric::Metric;
pub use metric::{ADAPT_SMOOTHNESS, BEYOND_SECS, FIT_SMOOTHNESS};
pub use norm::{matrix, norm, pull};
pub use problem::{KnotPlan, Problem};
pub use rows::{Evaluator, RowKind};
pub use trajectory::Trajectory;
