//! What edits ask for by themselves: that is no harm.

use crate::edits::{Edit, PathChange, StepRecord, VerbRecord};

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
    /// The way bends by no more than people lean: balance is left to a touch-up, which leans.
    pub leaning: bool,
    /// Feet push as hard along the ground as it allows.
    pub pushing: bool,
    /// The body leaves the ground faster, farther or otherwise: it is accelerated as jumping people are.
    pub power: bool,
    /// Hands are moved by something that knows nothing of wrists.
    pub wrists: bool,
}

impl Asks {
    /// Of one edit; its record says how much there was to mend.
    pub fn of(edit: &Edit, step: Option<&StepRecord>) -> Self {
        let none = Self::default();
        match edit {
            Edit::Cut(_) | Edit::Join(_) | Edit::Speed(_) | Edit::Arc(_) | Edit::Tilt(_) | Edit::Travel(_) => {
                Self { poses: true, physics: true, faults: true, ..none }
            }
            Edit::Transition(_) => Self { poses: true, physics: true, ..none },
            Edit::Track(_) => Self { poses: true, physics: true, wrists: true, ..none },
            Edit::Path(edit) => {
                let path = step.and_then(StepRecord::path);
                // A whole way that is bent asks for a lean, as an arc does; a handle that is moved does not.
                let is_moved = edit.changes.iter().any(|change| matches!(change, PathChange::Move { .. }));
                let leaning = !is_moved && path.is_some_and(|it| it.is_humanly_possible);
                Self { poses: true, leaning, power: path.is_some_and(|it| !it.flights.is_empty()), ..none }
            }
            Edit::Adapt(_) => Self { poses: true, pushing: true, power: true, ..none },
            Edit::Blend(_) => Self { poses: true, ..none },
            Edit::Reach(_) => Self { hand: true, wrists: true, ..none },
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
            leaning: self.leaning || other.leaning,
            pushing: self.pushing || other.pushing,
            power: self.power || other.power,
            wrists: self.wrists || other.wrists,
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
