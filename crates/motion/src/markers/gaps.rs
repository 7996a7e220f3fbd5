//! Bridging frames in which a marker was hidden.

use crate::spline::{NaturalSpline, SplineError};
use glam::DVec3;

/// Longest gap that a spline may bridge: a fifth of a second is a third of a swing phase; beyond, the path is a guess.
const MOST_INNER_SECS: f64 = 0.2;
/// Longest gap at an end, where nothing holds the far side.
const MOST_END_SECS: f64 = 0.05;

/// The path without gaps: a natural spline through what was seen, straight on at the ends. `None` where a gap is too
/// long to bridge.
pub(super) fn filled(
    path: impl Iterator<Item = Option<DVec3>>,
    rate_hz: f64,
) -> Result<Option<Vec<DVec3>>, SplineError> {
    let path: Vec<Option<DVec3>> = path.collect();
    let seen: Vec<(usize, DVec3)> =
        path.iter().enumerate().filter_map(|(frame, position_m)| Some((frame, (*position_m)?))).collect();
    let (Some(&(first, _)), Some(&(last, _))) = (seen.first(), seen.last()) else { return Ok(None) };
    if seen.len() == path.len() {
        return Ok(Some(seen.into_iter().map(|(_, position_m)| position_m).collect()));
    }
    let widest = seen.windows(2).map(|pair| pair[1].0 - pair[0].0 - 1).max().unwrap_or(0);
    let at_ends = first.max(path.len() - 1 - last);
    if seen.len() < 4 || widest as f64 > MOST_INNER_SECS * rate_hz || at_ends as f64 > MOST_END_SECS * rate_hz {
        return Ok(None);
    }
    let frames: Vec<f64> = seen.iter().map(|(frame, _)| *frame as f64).collect();
    let points_m: Vec<DVec3> = seen.iter().map(|(_, position_m)| *position_m).collect();
    let spline = NaturalSpline::new(&frames, &points_m)?;
    let (first_step_m, last_step_m) =
        (points_m[1] - points_m[0], points_m[points_m.len() - 1] - points_m[points_m.len() - 2]);
    let at = |frame: usize| match frame {
        frame if frame < first => points_m[0] - first_step_m * (first - frame) as f64,
        frame if frame > last => points_m[points_m.len() - 1] + last_step_m * (frame - last) as f64,
        frame => spline.value(frame as f64),
    };
    Ok(Some(path.iter().enumerate().map(|(frame, position_m)| position_m.unwrap_or_else(|| at(frame))).collect()))
}
