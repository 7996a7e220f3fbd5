//! What long edits tell while they work.

use aplomb_editing::adapt::Progress;
use std::fmt;

/// How far a long edit has come.
#[derive(Clone, Copy, Debug)]
pub enum Advance<'a> {
    /// A body is simulated.
    Simulated {
        /// So far, s.
        secs: f64,
        /// All of it, s.
        all_secs: f64,
    },
    /// A motion is adapted: one more iteration is done.
    Adapted(&'a Progress),
}

impl fmt::Display for Advance<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulated { secs, all_secs } => write!(f, "simulating, {secs:.1} of {all_secs:.1} s"),
            Self::Adapted(progress) => {
                let left = progress.at_points.unmet().unwrap_or_else(|| "everything is met".to_owned());
                write!(f, "{}, iteration {}: {left}", progress.phase, progress.iteration)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_with_units() {
        let mut progress = Progress { phase: "fit".to_owned(), iteration: 2, ..Progress::default() };
        progress.at_points.force = 0.25;
        progress.at_points.place_m = 0.004;
        let told = Advance::Adapted(&progress).to_string();
        assert_eq!(told, "fit, iteration 2: force off by 25.0 % of body weight, places off by 4.0 mm");
        assert_eq!(Advance::Simulated { secs: 1.0, all_secs: 4.2 }.to_string(), "simulating, 1.0 of 4.2 s");
    }
}
