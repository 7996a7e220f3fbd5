//! Where a solve starts: the capture as splines, stages that are moved or retimed, and what each step adds.

mod captured;
mod legs;
mod plan;
mod stages;
mod time_map;

pub use captured::captured;
pub use legs::on_footprints;
pub use plan::{Plan, PlanBuilder};
pub use stages::{RAMP_SECS, StageMove, StagedTrajectory};
pub use time_map::TimeMap;
