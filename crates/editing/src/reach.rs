//! Puts a hand at a point at a moment: inverse kinematic offsets (Zordan & Hodgins 1999, section 5.1).
//!
//! [`crate::track`] does the same before it simulates, so the search is in the part that verbs share.

pub use crate::hand_goal::{Arm, EASY_REACH, HandGoal, HandPoint, Reached, palm_in_hand_m};
