//! What came out: clips, forces, states for other engines, reports, and fits as bytes.

mod ballistics;
mod cache;
mod check;
mod clearance;
mod export;
mod output;
mod report;

pub use ballistics::{Ballistics, ballistics};
pub use cache::StoredFit;
pub use check::{Apart, apart, limbs_deeper, peak_torques, torques_over};
pub use clearance::{Cleared, each_look};
pub use export::{DynamicState, DynamicStates, LinkData, PointLoad, states};
pub use output::{ForceTable, force_table, on_skeleton};
pub use report::{AdaptReport, AtPoints, FitReport, Progress};
