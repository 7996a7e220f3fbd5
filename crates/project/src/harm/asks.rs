//! What edits ask for by themselves: that is no harm.

use crate::edits::{Edit, StepRecord, VerbRecord};

/// What an edit, or several, ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Asks {
    /// Other poses, another way or another pace: the motion is not compared with the one before, frame by frame.
    pub poses: bool,
    /// Balance, falls and feet stay as geometry leaves them, for another edit to mend.
    pub physics: bool,
    /// What is there is cut, moved or retimed: faults of body and recording are those of the clip.
    pub faults: bool,
    /// So far the body has to go for what is asked, m.
    pub need_m: f64,
    /// A hand is put elsewhere, and its arm with it.
    pub hand: bool,
}

impl Asks {
    /// Of one edit; its record says how much there was to mend.
    pub fn of(edit: &Edit, step: Option<&StepRecord>) -> Self {
        let none = Self::default();
        match edit {
            Edit::Cut(_) | Edit::Join(_) | Edit::Speed(_) | Edit::Arc(_) | Edit::Tilt(_) | Edit::Travel(_) => {
                Self { poses: true, physics: true, faults: true, ..none }
            }
            Edit::Transition(_) | Edit::Track(_) => Self { poses: true, physics: true, ..none },
            Edit::Path(_) | Edit::Blend(_) | Edit::Adapt(_) => Self { poses: true, ..none },
            Edit::Reach(_) => Self { hand: true, ..none },
            Edit::Touchup(_) | Edit::Plant(_) => {
                Self { need_m: need_m(step.and_then(|it| it.record.as_ref())), ..none }
            }
        }
    }

    /// Of edits that follow each other.
    pub fn and(self, other: Self) -> Self {
        Self {
            poses: self.poses || other.poses,
            physics: self.physics || other.physics,
            faults: self.faults && other.faults,
            need_m: self.need_m.max(other.need_m),
            hand: self.hand || other.hand,
        }
    }
}

/// What touch-up has to mend: how far the zero-moment point is from the support on average, and how far flights are
/// from their parabolas; of planting, how far held points drift.
fn need_m(record: Option<&VerbRecord>) -> f64 {
    match record {
        Some(VerbRecord::Touchup(it)) => {
            let touched = it.flights.iter().filter(|flight| flight.touched);
            let flights_m = touched.map(|flight| flight.before.residual_m).fold(0.0, f64::max);
            it.before.mean_m.max(flights_m)
        }
        Some(VerbRecord::Plant(it)) => it.before.worst_m,
        _ => 0.0,
    }
}
