//! What can go wrong when drawing.

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RenderError {
    /// Nothing to draw.
    #[error("{name:?} has no frames: nothing to draw")]
    NoFrames {
        /// Name of the clip.
        name: String,
    },
    /// An explicit frame that does not exist.
    #[error("frame {frame} was asked for, but {name:?} has frames 0 to {last}")]
    FrameOutOfRange {
        /// Asked for.
        frame: usize,
        /// Name of the clip.
        name: String,
        /// Last frame of the clip.
        last: usize,
    },
    /// An explicit list without an entry, or a time range without a frame.
    #[error("no frame lies in what was asked for ({asked}); the clip runs from {first_secs:.3} s to {last_secs:.3} s")]
    EmptySelection {
        /// In words.
        asked: String,
        /// Time of the first frame.
        first_secs: f64,
        /// Time of the last frame.
        last_secs: f64,
    },
    /// Zero, negative or not finite.
    #[error("the time between figures must be a positive number of seconds, found {found_secs}")]
    Strobe {
        /// The value.
        found_secs: f64,
    },
    /// Picture sizes are bounded, so that no argument can ask for gigabytes.
    #[error("{what} must be between {least} and {most}, found {found}")]
    Size {
        /// Width, or scale.
        what: &'static str,
        /// Lower bound.
        least: f64,
        /// Upper bound.
        most: f64,
        /// The value.
        found: f64,
    },
    /// Positions overflowed or lie absurdly far out.
    #[error(
        "{name:?}: joint positions reach {found_m:e} m, more than a picture can show ({most_m:e} m); is the unit right?"
    )]
    Extent {
        /// Name of the clip.
        name: String,
        /// Largest coordinate; infinite or NaN when it overflowed.
        found_m: f64,
        /// Bound.
        most_m: f64,
    },
    /// No view was asked for.
    #[error("at least one view is needed: side, top or front")]
    NoView,
    /// The rasteriser refused the picture.
    #[error("the picture could not be turned into PNG: {reason}")]
    Png {
        /// In the rasteriser's words.
        reason: String,
    },
}
