//! Markers on a person's skin, and the clip they make.
//!
//! [`MarkerSet`] is what a motion laboratory measures: named points over time, with gaps. [`person_clip`] finds the
//! anatomical landmarks among the names, puts joint centres between them and gives a [`crate::Clip`] whose joints stand
//! where the centres are, frame by frame. The rules and their sources are in `docs/markers.md`.

mod centres;
mod cluster;
mod gaps;
mod landmarks;
mod person;

pub use landmarks::Landmark;
pub use person::{MarkerPerson, person_clip};

use crate::clip::ClipError;
use crate::skeleton::SkeletonError;
use crate::spline::SplineError;
use crate::time::TimeError;
use glam::DVec3;

/// Named points over time, in metres, Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerSet {
    /// Names, in file order; they may repeat.
    pub names: Vec<String>,
    /// Frames a second.
    pub rate_hz: f64,
    /// Time of the first frame, by the clock that force plates share.
    pub start_secs: f64,
    /// `frames × markers`; `None` where a marker was not seen.
    pub positions_m: Vec<Option<DVec3>>,
}

impl MarkerSet {
    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.positions_m.len().checked_div(self.names.len()).unwrap_or(0)
    }

    /// One marker over time.
    pub fn path(&self, marker: usize) -> impl Iterator<Item = Option<DVec3>> + '_ {
        self.positions_m.chunks_exact(self.names.len().max(1)).map(move |frame| frame.get(marker).copied().flatten())
    }

    /// The same markers as seen by an observer that travels with `velocity` (m/s): on a treadmill, the belt's own
    /// velocity backwards makes the feet stand still.
    #[must_use]
    pub fn seen_from_belt(&self, belt_velocity: DVec3) -> Self {
        let mut moved = self.clone();
        let markers = self.names.len().max(1);
        for (frame, positions_m) in moved.positions_m.chunks_mut(markers).enumerate() {
            let shift_m = belt_velocity * (frame as f64 / self.rate_hz);
            positions_m.iter_mut().flatten().for_each(|position_m| *position_m -= shift_m);
        }
        moved
    }
}

/// Why markers make no person.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MarkersError {
    /// A landmark that nothing replaces.
    #[error(
        "no marker for {missing} (or it is hidden for too long); a person needs pelvis (ASIS, PSIS or sacrum), shoulders, elbows, \
         wrists, heels, toes, and knees and ankles or clusters on thighs and shanks; markers there are: {found}"
    )]
    Missing {
        /// What is missing.
        missing: String,
        /// The names in the file.
        found: String,
    },
    /// From [`crate::Skeleton`].
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// From [`crate::Clip`].
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// From [`crate::Timeline`].
    #[error(transparent)]
    Time(#[from] TimeError),
    /// From gap filling.
    #[error(transparent)]
    Spline(#[from] SplineError),
}

#[cfg(test)]
mod tests;
