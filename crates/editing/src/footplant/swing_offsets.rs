//! How a foot that is free gets from one place where it stands to the next.
//!
//! Between two pins the offset o of a foot from the motion goes from one value to the other by 3u² − 2u³, and leaves
//! and arrives with the *speed* it has in the pins, which dies away within τ: with x the time since the pin and T the
//! length of the gap,
//!
//! ```text
//!   o(x) = o₀ h(1 − x/T) + o₁ h(x/T) + ȯ₀ x (1 − x/T)² e^(−x/τ) + …,      h(u) = 3u² − 2u³
//! ```
//!
//! Hermite's cubic for τ → ∞. A held foot stands while the motion's own moves on, so its offset *has* a speed at the
//! end of a pin; letting go of it at once would be a jerk, and keeping it a second swing. Gaps that are longer than W
//! are not ridden through: either value fades to nothing within W, and so it does beyond the first and the last pin.
//! What happened at one contact is no reason to change a limb seconds later.
//!
//! Each frame has four numbers that are found once for any number of applications.

use crate::span::smoothstep;
use glam::DVec3;
use std::ops::Range;

/// A stretch of frames without pins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gap {
    pub free: Range<usize>,
    /// Last pinned frame before it and the one before that, if it is pinned, too; a pin of a single frame counts as at
    /// rest.
    before: Option<usize>,
    before_inner: Option<usize>,
    /// First pinned frame after it and the one after that.
    after: Option<usize>,
    after_inner: Option<usize>,
    /// How much the speed at either edge counts.
    slope_shares: [f64; 2],
    /// For each free frame: shares of value and slope (a frame) before it, of value and slope after it.
    shares: Vec<[f64; 4]>,
}

/// The gaps of one foot. `tau` and the longest ride `most` in frames. `standing(frame)` is `None` without a pin, else
/// how much the foot stands there rather than passes: the speed of a foot that is held for a moment only is its own,
/// not an error to be eased.
pub(super) fn gaps(standing: impl Fn(usize) -> Option<f64>, count: usize, tau: f64, most: f64) -> Vec<Gap> {
    let is_pinned = |frame: usize| standing(frame).is_some();
    let mut found = Vec::new();
    let mut index = 0;
    while index < count {
        if is_pinned(index) {
            index += 1;
            continue;
        }
        let end = (index..count).find(|&later| is_pinned(later)).unwrap_or(count);
        let (before, after) = (index.checked_sub(1), (end < count).then_some(end));
        let length = (end - index + 1) as f64;
        let share = |at: usize| {
            let x = (at - index + 1) as f64;
            match (before, after) {
                (Some(_), Some(_)) => between(x, length, tau, length.min(most)),
                (Some(_), None) => between(x, f64::INFINITY, tau, most),
                (None, Some(_)) => {
                    let [value, slope, ..] = between(length - x, f64::INFINITY, tau, most);
                    [0.0, 0.0, value, -slope]
                }
                (None, None) => [0.0; 4],
            }
        };
        let before_inner = before.and_then(|edge| edge.checked_sub(1)).filter(|&inner| is_pinned(inner));
        let after_inner = after.map(|edge| edge + 1).filter(|&inner| inner < count && is_pinned(inner));
        let shares = (index..end).map(share).collect();
        let slope_shares = [before, after].map(|edge| edge.and_then(&standing).unwrap_or(0.0));
        found.push(Gap { free: index..end, before, before_inner, after, after_inner, slope_shares, shares });
        index = end;
    }
    found
}

/// Shares of value and slope at 0 and at `length`, at `x` between them, each gone `ride` away.
fn between(x: f64, length: f64, tau: f64, ride: f64) -> [f64; 4] {
    let [u, v] = [length - x, x].map(|away| (1.0 - away / ride).max(0.0));
    // A slope that is long gone: 0, not 0 · ∞.
    let slope = |away: f64, left: f64| if left > 0.0 { fading(away, tau) * left * left } else { 0.0 };
    [smoothstep(v), slope(x, v), smoothstep(u), -slope(length - x, u)]
}

/// A slope of 1 that dies away.
fn fading(x: f64, tau: f64) -> f64 {
    x * (-x / tau).exp()
}

impl Gap {
    /// How many frames the nearest pin is away; infinite without one.
    pub fn frames_from_pin(&self, index: usize) -> f64 {
        let from = self.before.map_or(f64::INFINITY, |edge| index as f64 - edge as f64);
        from.min(self.after.map_or(f64::INFINITY, |edge| edge as f64 - index as f64))
    }

    /// How much of its neighbours each free frame has: 0 where nothing of them is left.
    pub fn reach(&self) -> impl Iterator<Item = f64> + '_ {
        self.shares.iter().map(|[before, _, after, _]| (before + after).min(1.0))
    }

    /// Fills the offsets of the gap from those of the pinned frames beside it.
    pub fn fill(&self, offsets: &mut [DVec3]) {
        let value = |index: Option<usize>| index.map_or(DVec3::ZERO, |index| offsets[index]);
        let (from, to) = (value(self.before), value(self.after));
        let from_slope = self.before_inner.map_or(DVec3::ZERO, |inner| (from - offsets[inner]) * self.slope_shares[0]);
        let to_slope = self.after_inner.map_or(DVec3::ZERO, |inner| (offsets[inner] - to) * self.slope_shares[1]);
        for (offset, [a, b, c, d]) in offsets[self.free.clone()].iter_mut().zip(&self.shares) {
            *offset = from * *a + from_slope * *b + to * *c + to_slope * *d;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(count: usize, pinned: &[Range<usize>], tau: f64, most: f64, offset: impl Fn(usize) -> f64) -> Vec<f64> {
        let is_pinned = |index: usize| pinned.iter().any(|range| range.contains(&index));
        let mut offsets: Vec<DVec3> =
            (0..count).map(|index| if is_pinned(index) { DVec3::X * offset(index) } else { DVec3::NAN }).collect();
        gaps(|index| is_pinned(index).then_some(1.0), count, tau, most).iter().for_each(|gap| gap.fill(&mut offsets));
        offsets.iter().map(|offset| offset.x).collect()
    }

    #[test]
    fn offsets_go_from_pin_to_pin_and_fade_beyond_them() {
        let found = filled(220, &[80..90, 120..125], 8.0, 40.0, |index| if index < 100 { 1.0 } else { 3.0 });
        assert!(found[89..121].windows(2).all(|pair| pair[0] <= pair[1]));
        // Half of it half the longest ride away, nothing at all from there on.
        assert!((found[60] - 0.5).abs() < 1e-12 && (found[144] - 1.5).abs() < 1e-12, "{} {}", found[60], found[144]);
        assert!(found[..=40].iter().chain(&found[164..]).all(|offset| *offset == 0.0));
        // A speed of 0.5 a frame adds 0.5·τ/e at most, at τ, and nothing in the end.
        let found = filled(200, &[0..20, 20..40], 8.0, f64::MAX, |index| 0.5 * index as f64 - 19.5);
        let most = found.iter().copied().fold(0.0, f64::max);
        assert!((most - 0.5 * 8.0 / std::f64::consts::E).abs() < 1e-9 && found[47] == most, "{most}");
        assert!(found[199].abs() < 1e-6);
    }

    #[test]
    fn long_gaps_are_left_alone_in_the_middle() {
        let pinned = [0..10, 110..120];
        let found = filled(120, &pinned, 8.0, 40.0, |index| 2.0 + 0.01 * index as f64);
        assert!(found[50..70].iter().all(|offset| *offset == 0.0));
        assert!(found[10] > 1.9 && found[109] > 2.9, "{} {}", found[10], found[109]);
        let gap = &gaps(|index| pinned.iter().any(|pin| pin.contains(&index)).then_some(1.0), 120, 8.0, 40.0)[0];
        let reach: Vec<f64> = gap.reach().collect();
        assert!(reach[40..60].iter().all(|share| *share == 0.0) && reach[0] > 0.99 && reach[20] > 0.4);
        // A ride that is just too long hardly differs from the longest.
        let [ridden, faded] = [100.9, 101.0].map(|most| filled(120, &pinned, 8.0, most, |_| 1.0)[60]);
        assert!((ridden - faded).abs() < 0.01, "{ridden} {faded}");
    }

    #[test]
    fn value_and_slope_are_kept_at_both_edges_of_short_and_of_long_gaps() {
        for length in [1usize, 2, 5, 20, 200, 5000] {
            let end = 10 + length;
            let found = filled(end + 10, &[0..10, end..end + 10], 12.0, f64::MAX, |index| {
                if index < 10 { 0.03 * index as f64 } else { 5.0 - 0.02 * (index - end) as f64 }
            });
            assert!(found.iter().all(|offset| offset.is_finite()), "{length}");
            if length >= 20 {
                // The first step outside differs from the pin's own by curvature only: 6 Δ/T² + 4 m/T + 2 m/τ.
                let (t, m) = (length as f64, 0.03);
                let curvature = 6.0 * 5.0 / (t * t) + 4.0 * m / t + 2.0 * m / 12.0;
                assert!(((found[10] - found[9]) - 0.03).abs() < curvature, "{length}");
                assert!(((found[end] - found[end - 1]) + 0.02).abs() < curvature, "{length}");
            }
        }
    }

    #[test]
    fn without_pins_nothing_is_offset() {
        assert!(filled(20, &[], 5.0, 9.0, |_| 1.0).iter().all(|offset| *offset == 0.0));
    }
}
