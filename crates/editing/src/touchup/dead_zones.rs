//! What is right within the accuracy of captures, and stays as it is.
//!
//! A capture that nobody edited has a balance error, drifting feet and flights that miss their parabola, all by as much
//! as markers, masses and contacts are wrong. To correct that changes what was right. So errors inside a zone are none:
//! the zero-moment point of a frame counts from `balance_m` on, a stance is held if it
//! drifts farther than `drift_m`, a flight is repaired if it leaves its parabola by more than `fall_m`. Corrections reach
//! no farther than [`REACH_SECS`] from what needs them; what is left has share 0 and stays to the bit. A clip that
//! was edited shows it as a whole, by its mean error: it is corrected entirely (docs/algorithms/touchup.md).

use super::flight_labels;
use super::observed_motion::ObservedMotion;
use super::{Balance, BalanceSums, FLIGHT_COST, FLIGHT_COST_M, LEAST_REPAIRED_LOAD, Status};
use crate::EditingError;
use crate::footplant::FootPlan;
use crate::span::{Frames, TimeSpan, smoothstep};
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use glam::DVec3;
use serde::Serialize;
use std::ops::Range;

/// Errors are smoothed over this time before they are compared with a zone, s: force peaks at landings move the
/// zero-moment point for a moment by what the contacts are late.
const ERROR_SMOOTHING_SECS: f64 = 0.2;
/// Steps and sway are gone from a path that is smoothed over this time, s.
const PATH_SECS: f64 = 1.0;
/// Less standing than this says nothing of a common drift, s.
const LEAST_STANDING_SECS: f64 = 0.5;
/// Around what needs it a correction is whole for this long, …
const WHOLE_SECS: f64 = 0.6;
/// … and gone after this, s: four times √(h/g), in which a turn dies away by itself.
const REACH_SECS: f64 = 1.2;

/// How far measures are believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeadZones {
    /// Of the zero-moment point from the support, m.
    pub balance_m: f64,
    /// From here on it is corrected entirely, m.
    pub balance_whole_m: f64,
    /// A clip whose mean distance, weighted by the force, is larger was edited, m.
    pub edited_m: f64,
    /// So was one whose distances go against the acceleration of its path by more than this, m: a bent path makes them.
    pub bent_m: f64,
    /// And one whose contacts are known from before an edit, if anything of it is farther off than this, m: what was
    /// touched up since is not.
    pub known_m: f64,
    /// Of a point that stands from its mean place, m.
    pub drift_m: f64,
    /// All feet together, mean velocity over stances, m/s.
    pub common_drift: f64,
    /// Of the centre of mass from the parabola of a flight, m.
    pub fall_m: f64,
}

impl Default for DeadZones {
    fn default() -> Self {
        Self {
            balance_m: 0.1,
            balance_whole_m: 0.25,
            edited_m: 0.05,
            bent_m: 0.02,
            known_m: 0.003,
            drift_m: 0.04,
            common_drift: 0.08,
            fall_m: 0.02,
        }
    }
}

/// What a motion has to have mended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Needs {
    /// The whole of it: it was edited.
    pub everything: bool,
    /// Mean distance of the zero-moment point from the support, weighted by the force, m.
    pub weighted_m: f64,
    /// How much of it goes against the acceleration of the path, m.
    pub bent_m: f64,
    /// Largest distance once smoothed, m.
    pub largest_m: f64,
    /// How far each frame's balance counts, 0 to 1.
    #[serde(skip)]
    pub balance: Vec<f64>,
    /// Frames of flights that are repaired.
    #[serde(skip)]
    pub flights: Vec<Range<usize>>,
    /// Frames of stances that are held.
    #[serde(skip)]
    pub stances: Vec<Range<usize>>,
}

impl Needs {
    /// Of a motion that was looked at; it knows its flights.
    pub(super) fn of(
        motion: &ObservedMotion,
        zones: &DeadZones,
        is_known: bool,
        flights: Vec<Range<usize>>,
    ) -> Result<Self, EditingError> {
        let errors_m = Errors::of(motion)?;
        let Errors { weighted_m, bent_m, .. } = errors_m;
        let falls_off = || motion.flights.iter().any(|flight| flight_labels::off_m(motion, flight) > zones.known_m);
        let is_off = is_known && (weighted_m > zones.known_m || falls_off());
        let everything = is_off || weighted_m > zones.edited_m || bent_m > zones.bent_m;
        let balance = errors_m.weights(zones);
        let largest_m = errors_m.smooth_m.iter().copied().fold(0.0, f64::max);
        Ok(Self { everything, weighted_m, bent_m, largest_m, balance, flights, stances: Vec::new() })
    }

    /// Every frame, as without zones.
    pub(super) fn everything() -> Self {
        Self { everything: true, ..Self::default() }
    }

    /// Whether a stance of a motion that was edited slides.
    pub(super) fn slides(plan: &FootPlan, zones: &DeadZones) -> bool {
        plan.stances().iter().any(|stance| !stance.was_planted && stance.drift_m > zones.known_m)
    }

    /// Whether all feet slide one way. A vector, since stances of captures slide each its own way.
    pub(super) fn slides_one_way(plan: &FootPlan, zones: &DeadZones) -> bool {
        let secs: f64 = plan.stances().iter().map(|stance| stance.secs).sum();
        let way_m: DVec3 = plan.stances().iter().map(|stance| stance.velocity * stance.secs).sum();
        secs >= LEAST_STANDING_SECS && way_m.length() > zones.common_drift * secs
    }

    /// Stances that the plan holds.
    pub(super) fn add_stances(&mut self, plan: &FootPlan) {
        let held = plan.stances().iter().filter(|stance| !stance.is_kept);
        self.stances = held.map(|stance| stance.frames.clone()).collect();
    }

    /// Whether there is nothing to be done.
    pub fn is_empty(&self) -> bool {
        !self.everything && !self.has_balance() && self.flights.is_empty() && self.stances.is_empty()
    }

    /// Whether balance counts anywhere.
    pub fn has_balance(&self) -> bool {
        self.balance.iter().any(|weight| *weight > 0.0)
    }

    /// Whether a frame is among those whose balance is to be better.
    pub(super) fn counts(&self, frame: usize) -> bool {
        self.everything || self.balance.get(frame).is_some_and(|weight| *weight > 0.0)
    }

    /// How it went, by all frames and by those that needed it, before and after.
    pub(super) fn status(&self, [before, after]: [&Balance; 2], needed: [&Balance; 2]) -> Status {
        let is_kept = after.weighted_m <= before.weighted_m + FLIGHT_COST_M.max(FLIGHT_COST * before.weighted_m);
        if self.is_empty() {
            Status::WasFine
        } else if is_kept && (!self.has_balance() || needed[1].weighted_m < needed[0].weighted_m) {
            Status::Improved
        } else {
            Status::NotImproved
        }
    }

    /// Leaves frames alone that are far from everything that needs a correction.
    pub(super) fn confine(&self, frames: &mut Frames) {
        if self.everything {
            return;
        }
        let mut is_needed: Vec<bool> = self.balance.iter().map(|weight| *weight > 0.0).collect();
        for range in self.flights.iter().chain(&self.stances) {
            is_needed[range.clone()].fill(true);
        }
        let reach = (REACH_SECS / frames.step_secs).round() as usize;
        let (mut left, mut since) = (Vec::new(), 0usize);
        for (index, _) in is_needed.iter().enumerate().filter(|(_, is_needed)| **is_needed) {
            if index > since + reach {
                left.push((since, index - reach));
            }
            since = index + reach + 1;
        }
        if since < frames.len() {
            left.push((since, frames.len()));
        }
        // Where one correction follows another there is nothing to leave alone between them.
        let secs = |index: usize| (frames.first + index) as f64 * frames.step_secs;
        let spans: Vec<TimeSpan> = left
            .into_iter()
            .filter(|(from, to)| from < to)
            .map(|(from, to)| TimeSpan { start_secs: secs(from), end_secs: secs(to - 1) })
            .collect();
        frames.leave_alone(&spans, REACH_SECS - WHOLE_SECS);
    }
}

/// Distances of the zero-moment point from the support, frame by frame.
struct Errors {
    weighted_m: f64,
    /// Of the distances as vectors, the part that goes against the acceleration a of the path: Σ f e·a / √(Σ f Σ f a²).
    bent_m: f64,
    /// Weighted by the force and smoothed; 0 where nothing is known.
    smooth_m: Vec<f64>,
}

impl Errors {
    fn of(motion: &ObservedMotion) -> Result<Self, EditingError> {
        let mut sums = BalanceSums::default();
        let path = path_acceleration(motion)?;
        let (mut against, mut squares, mut all) = (0.0, 0.0, 0.0);
        let (mut weighted, mut loads) = (vec![0.0; motion.count()], vec![0.0; motion.count()]);
        for frame in (0..motion.count()).filter(|frame| motion.frames.share[*frame] > 0.0) {
            if let Some((pressure, plane)) = motion.pressure(frame, LEAST_REPAIRED_LOAD) {
                let towards_m = motion.towards_m(frame, &pressure);
                let distance_m = towards_m.length();
                against += pressure.load * plane.direction(towards_m).dot(path[frame]);
                squares += pressure.load * path[frame].length_squared();
                all += pressure.load;
                sums.add(distance_m, pressure.load);
                weighted[frame] = distance_m * pressure.load * motion.trust[frame];
                loads[frame] = pressure.load;
            }
        }
        let smoother = Gaussian::from_window_secs(ERROR_SMOOTHING_SECS, motion.frames.step_secs)?;
        let smooth = |values: &[f64]| smoother.smooth(values);
        let (weighted, smooth_loads) = (smooth(&weighted), smooth(&loads));
        let error_m = |frame: usize| match loads[frame] > 0.0 {
            true => weighted[frame] / smooth_loads[frame].max(LEAST_REPAIRED_LOAD),
            false => 0.0,
        };
        let bent_m = against / (squares * all).sqrt().max(f64::MIN_POSITIVE);
        let smooth_m = (0..motion.count()).map(error_m).collect();
        Ok(Self { weighted_m: sums.finish().weighted_m, bent_m, smooth_m })
    }

    /// 0 up to the zone, 1 from where all of it is corrected.
    fn weights(&self, zones: &DeadZones) -> Vec<f64> {
        let wide_m = (zones.balance_whole_m - zones.balance_m).max(1e-6);
        self.smooth_m.iter().map(|error_m| smoothstep((error_m - zones.balance_m) / wide_m)).collect()
    }
}

/// Horizontal acceleration of the body along its path, without its sway, a value a frame.
fn path_acceleration(motion: &ObservedMotion) -> Result<Vec<DVec3>, EditingError> {
    let path_m: Vec<DVec3> = (0..motion.count()).map(|frame| motion.com_m(frame).with_y(0.0)).collect();
    let smooth_m = Gaussian::from_window_secs(PATH_SECS, motion.frames.step_secs)?.smooth(&path_m);
    let mut path = vec![DVec3::ZERO; motion.count()];
    derivative::second_into(&smooth_m, SampleTimes::uniform(motion.frames.step_secs)?, &mut path);
    // Smoothed paths go straight on at their ends.
    let edge = ((0.5 * PATH_SECS / motion.frames.step_secs) as usize).min(motion.count() / 4);
    let last = motion.count() - edge;
    path[..edge].fill(DVec3::ZERO);
    path[last..].fill(DVec3::ZERO);
    Ok(path)
}

/// How far each frame's balance counts, for a motion that changed since.
pub(super) fn balance_weights(motion: &ObservedMotion, zones: &DeadZones) -> Result<Vec<f64>, EditingError> {
    Ok(Errors::of(motion)?.weights(zones))
}
