//! A blend and the clips that it was made of, side by side.

use super::source::BlendSource;
use super::{Blend, BlendSpace};

/// A blend next to what it was made from.
pub(super) struct Compared<'a> {
    pub space: &'a BlendSpace,
    pub blend: &'a Blend,
    /// The blend as it was written, read again.
    pub written: BlendSource,
}

impl Compared<'_> {
    /// Clips that count, and how much.
    pub fn counted(&self) -> impl Iterator<Item = (usize, &BlendSource, f64)> + '_ {
        let all = self.space.sources.iter().zip(&self.blend.weights).enumerate();
        all.filter(|(_, (_, weight))| **weight > 0.0).map(|(clip, (source, weight))| (clip, source, *weight))
    }

    pub fn secs_of(&self, frame: usize) -> f64 {
        frame as f64 * self.written.frame_time.secs()
    }
}
