//! What an edit did to flights and to the speed along the path: for receipts and plots, not for every drag.

use super::ground_plane::length;
use super::{PathEdited, PathEditor};
use crate::EditingError;
use crate::pops::{LimbPop, retimed_pops};
use aplomb_motion::WorldPose;
use aplomb_motion::signal::{SampleTimes, derivative, gaussian};
use num_complex::Complex64;
use serde::Serialize;

/// Speeds are smoothed over this time: that of a step's sway is no speed of the way, s.
const SPEED_SMOOTHING_SECS: f64 = 0.2;

/// A flight before and after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FlightChange {
    /// From the first to the last airborne key, s.
    pub secs: [f64; 2],
    /// How high the centre of mass goes over the line from take-off to landing, m.
    pub height_m: [f64; 2],
    /// Way over the ground, m.
    pub length_m: [f64; 2],
    /// Downward acceleration of the parabola that fits the centre of mass best, m/s²; absent below four keys.
    pub g: [Option<f64>; 2],
}

/// Speed of the root over the ground at one key, before and after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PathSpeed {
    /// When the key comes, s: by the clip's clock, and from the result's start.
    pub secs: [f64; 2],
    /// The root on the ground, (x, z), m.
    pub ground_m: [[f64; 2]; 2],
    /// Way from the start, m.
    pub along_m: [f64; 2],
    /// m/s.
    pub speed: [f64; 2],
}

impl PathEditor {
    /// The worst instant of every knee, ankle, elbow and wrist in the result of the last [`PathEditor::solve`].
    pub fn pops(&self, done: &PathEdited) -> Result<Vec<LimbPop>, EditingError> {
        let (old_secs, new_secs) = (&self.source.times_secs, &done.report.key_secs);
        let last = old_secs.len() - 1;
        // The key that comes at an instant of the result; the clip's own clock counts from its first key.
        let original_at = |secs: f64| {
            let key = new_secs.partition_point(|&key_secs| key_secs < secs).min(last);
            let (before, after) = (key.saturating_sub(1), (key + 1).min(last));
            let faster = (old_secs[after] - old_secs[before]) / (new_secs[after] - new_secs[before]);
            (old_secs[key] - old_secs[0], faster)
        };
        retimed_pops(&self.source.clip, &done.clip, &self.watched, original_at)
    }

    /// Every flight as it was and as the last [`PathEditor::solve`] made it, on keys.
    pub fn flight_changes(&self) -> Result<Vec<FlightChange>, EditingError> {
        let mut pose = WorldPose::for_skeleton(self.source.clip.skeleton());
        let mut changes = Vec::with_capacity(self.flights.len());
        for flight in &self.flights {
            let keys = flight.start.0..flight.end.0 + 1;
            let made = self.scene().render_keys(keys.clone())?;
            let mut height_m = |frame| {
                pose.pose(&made, frame);
                self.body.com_in_world_m(&pose).y
            };
            let new_m: Vec<f64> = made.frames().map(&mut height_m).collect();
            let heights = [&self.source.com_height_m[keys.clone()], &new_m];
            let times = [&self.source.times_secs[keys.clone()], &self.work.times.secs[keys.clone()]];
            let ways = [&self.source.ground_m[keys.clone()], &self.work.deformed.points_m[keys]];
            changes.push(FlightChange {
                secs: times.map(|secs| secs[secs.len() - 1] - secs[0]),
                height_m: [0, 1].map(|i| highest_over_chord_m(times[i], heights[i])),
                length_m: ways.map(|way_m| length(way_m[way_m.len() - 1] - way_m[0])),
                g: [0, 1].map(|i| fall(times[i], heights[i])),
            });
        }
        Ok(changes)
    }

    /// The speed along the path as it was and as the last [`PathEditor::solve`] made it, a value a key.
    pub fn speeds(&self) -> Result<Vec<PathSpeed>, EditingError> {
        let speed = |points_m: &[Complex64], secs: &[f64]| -> Result<Vec<f64>, EditingError> {
            let times = SampleTimes::keyed(secs)?;
            let axis = |part: fn(&Complex64) -> f64| -> Result<Vec<f64>, EditingError> {
                let raw: Vec<f64> = points_m.iter().map(part).collect();
                let mut smooth = raw.clone();
                gaussian::smooth_at_times_into(0.25 * SPEED_SMOOTHING_SECS, times, &raw, &mut smooth)?;
                Ok(derivative::first(&smooth, times))
            };
            let (forward, aside) = (axis(|w| w.re)?, axis(|w| w.im)?);
            Ok(forward.iter().zip(aside).map(|(re, im)| re.hypot(im)).collect())
        };
        let along = |points_m: &[Complex64]| {
            let mut way_m = 0.0;
            let steps = points_m.windows(2).map(|pair| {
                way_m += length(pair[1] - pair[0]);
                way_m
            });
            std::iter::once(0.0).chain(steps).collect::<Vec<f64>>()
        };
        let (old_m, new_m) = (&self.source.ground_m, &self.work.deformed.points_m);
        let (old_secs, new_secs) = (&self.source.times_secs, &self.work.times.secs);
        let speeds = [speed(old_m, old_secs)?, speed(new_m, new_secs)?];
        let ways = [along(old_m), along(new_m)];
        let at = |key: usize| PathSpeed {
            secs: [old_secs[key], new_secs[key]],
            ground_m: [old_m, new_m].map(|points_m| [points_m[key].im, points_m[key].re]),
            along_m: [ways[0][key], ways[1][key]],
            speed: [speeds[0][key], speeds[1][key]],
        };
        Ok((0..self.source.keys()).map(at).collect())
    }
}

fn highest_over_chord_m(times_secs: &[f64], heights_m: &[f64]) -> f64 {
    let last = times_secs.len() - 1;
    let rate = (heights_m[last] - heights_m[0]) / (times_secs[last] - times_secs[0]);
    let over = |(secs, height_m): (&f64, &f64)| height_m - heights_m[0] - rate * (secs - times_secs[0]);
    times_secs.iter().zip(heights_m).map(over).fold(0.0, f64::max)
}

/// Downward acceleration of the least-squares parabola through keys at any times: the part of the heights along t² that
/// 1 and t do not explain.
pub(super) fn fall(times_secs: &[f64], heights_m: &[f64]) -> Option<f64> {
    let count = times_secs.len();
    if count < 4 {
        return None;
    }
    let middle_secs = times_secs.iter().sum::<f64>() / count as f64;
    let t: Vec<f64> = times_secs.iter().map(|secs| secs - middle_secs).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let square: Vec<f64> = t.iter().map(|t| t * t).collect();
    let (mean, slope) = (square.iter().sum::<f64>() / count as f64, dot(&square, &t) / dot(&t, &t));
    let bend: Vec<f64> = square.iter().zip(&t).map(|(square, t)| square - mean - slope * t).collect();
    let g = -2.0 * dot(&bend, heights_m) / dot(&bend, &bend);
    g.is_finite().then_some(g)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uneven_keys_of_a_parabola_give_its_g() {
        let times = [0.0, 0.05, 0.07, 0.2, 0.31, 0.4];
        let heights = times.map(|t: f64| 1.0 + 2.0 * t - 0.5 * 9.81 * t * t);
        assert!((fall(&times, &heights).unwrap() - 9.81).abs() < 1e-9);
        assert_eq!(fall(&times[..3], &heights[..3]), None);
        // Highest over the chord of a parabola: g T²/8.
        let height_m = highest_over_chord_m(&[0.0, 0.2, 0.4], &[0.0, 0.5 * 9.81 * 0.04, 0.0]);
        assert!((height_m - 9.81 * 0.16 / 8.0).abs() < 1e-12);
    }
}
