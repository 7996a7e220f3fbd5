//! Bends a whole motion onto an arc on the ground, by geometry alone.
//!
//! The body does not lean, and planted feet turn and slide a little: this makes the input for physical touch-up (Shin,
//! Kovar & Gleicher 2003, section 4.3), and the path that later verbs follow. Nothing else about the motion changes:
//! heights, poses and times stay.

pub use crate::ground_arc::Arc;
pub use crate::travel_line::TravelLine;

use crate::EditingError;
use crate::rigid_moves::move_roots;
use aplomb_motion::Clip;

impl Arc {
    /// The bent motion.
    ///
    /// The way is the straight line of [`TravelLine`]. In each frame the body stands at s along it and w beside it; it
    /// is put at s along the arc (by arc length) and w beside that, turned by the arc's heading there, and carried
    /// along as it is. So the line itself keeps its length and speeds, what swings out beside it is stretched by 1 ∓
    /// w/r, and the first frame stays where it was (up to its sway).
    pub fn apply(&self, clip: &Clip) -> Result<Clip, EditingError> {
        let line = TravelLine::of(clip)?;
        let centreline = self.centreline()?;
        if centreline.is_straight() {
            return Ok(clip.clone());
        }
        self.check_sway(&line)?;
        move_roots(clip, |frame| self.move_at(&line, &centreline, frame))
    }
}

#[cfg(test)]
mod tests;
