//! Motions that neither fly nor step, matched by where the body sinks and rises: seats.

use super::phases::{Key, Matched, PhaseEvent, whole};
use super::source::BlendSource;
use crate::EditingError;
use crate::finding::{Finding, codes};
use aplomb_motion::signal::gaussian;

/// Bodies that sink or rise by less than this stay where they are, m.
const LEAST_RISE_M: f64 = 0.12;

/// Neither flights nor steps: where the body sinks and rises, at 5 % and 95 % of the way.
pub(super) fn by_height(sources: &[BlendSource]) -> Result<Matched, EditingError> {
    let keys: Vec<Vec<Key>> = sources.iter().map(height_keys).collect::<Result<_, _>>()?;
    let same =
        keys.iter().all(|other| other.len() == keys[0].len() && other.iter().zip(&keys[0]).all(|(a, b)| a.1 == b.1));
    if same {
        return Ok(whole(sources, &keys, false));
    }
    let none = vec![Vec::new(); sources.len()];
    let mut matched = whole(sources, &none, false);
    matched.findings.push(Finding::of(codes::HEIGHTS_DIFFER));
    Ok(matched)
}

fn height_keys(source: &BlendSource) -> Result<Vec<Key>, EditingError> {
    let heights_m: Vec<f64> = source.com_m.iter().map(|com_m| com_m.y).collect();
    let mut smooth_m = heights_m.clone();
    gaussian::smooth_at_times_into(0.05, source.times()?, &heights_m, &mut smooth_m)?;
    let secs = |frame: f64| source.first_secs + frame * source.frame_time.secs();
    let mut keys = Vec::new();
    for (from, to) in excursions(&smooth_m) {
        let way_m = smooth_m[to] - smooth_m[from];
        let reaches = |share: f64| {
            let level_m = smooth_m[from] + share * way_m;
            let mut frames = from..to;
            let after = frames.find(|&frame| (smooth_m[frame + 1] - level_m) * way_m.signum() >= 0.0).unwrap_or(to - 1);
            let step_m = smooth_m[after + 1] - smooth_m[after];
            after as f64 + if step_m == 0.0 { 0.0 } else { ((level_m - smooth_m[after]) / step_m).clamp(0.0, 1.0) }
        };
        keys.push((secs(reaches(0.05)), PhaseEvent::Moves));
        keys.push((secs(reaches(0.95)), PhaseEvent::Rests));
    }
    Ok(keys)
}

/// Frames between which a height changes by more than [`LEAST_RISE_M`] one way, without going back by as much.
fn excursions(heights_m: &[f64]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let (mut low, mut high) = (0, 0);
    for (frame, &height_m) in heights_m.iter().enumerate() {
        if height_m < heights_m[low] {
            low = frame;
        }
        if height_m > heights_m[high] {
            high = frame;
        }
        if let Some(last) = found.last_mut() {
            let is_sinking = heights_m[last.1] < heights_m[last.0];
            if (is_sinking && height_m < heights_m[last.1]) || (!is_sinking && height_m > heights_m[last.1]) {
                last.1 = frame;
                (low, high) = (frame, frame);
            }
        }
        let (rise_m, fall_m) = (height_m - heights_m[low], heights_m[high] - height_m);
        if rise_m > LEAST_RISE_M {
            found.push((low, frame));
            (low, high) = (frame, frame);
        } else if fall_m > LEAST_RISE_M {
            found.push((high, frame));
            (low, high) = (frame, frame);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sinking_and_rising_are_found_and_wobbles_are_not() {
        let wobble = |i: usize| 0.02 * (i as f64).sin();
        let height = |i: usize| {
            if i < 100 {
                1.0
            } else if i < 150 {
                1.0 - 0.008 * (i - 100) as f64
            } else if i < 300 {
                0.6
            } else {
                0.6 + 0.008 * (i - 300).min(50) as f64
            }
        };
        let heights: Vec<f64> = (0..400).map(|i| height(i) + wobble(i)).collect();
        let found = excursions(&heights);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(heights[found[0].0] > heights[found[0].1] && heights[found[1].0] < heights[found[1].1]);
        assert!(excursions(&(0..200).map(wobble).collect::<Vec<_>>()).is_empty());
    }
}
