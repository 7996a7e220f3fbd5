//! The polygon under a body, and where the force that it needs meets the ground.

use super::InspectOptions;
use super::forces::Forces;
use super::rows::{is_flight, rows_within};
use crate::contacts::{ContactAnalysis, runs_of};
use crate::support::{Soles, hull_into, nearest_point, zero_moment_point_m};
use aplomb_motion::signal::gaussian::WINDOW_PER_SIGMA;
use glam::{DVec2, DVec3};

/// With less of the weight on the ground, neither the zero-moment point nor friction is judged: both divide by the load
/// (score.md). Edits repair down to less, so that no frame that is judged is left out by them.
pub(super) const LEAST_JUDGED_LOAD: f64 = 0.2;

/// Support farther away than this counts as this far (score.md): beyond arm's length the number says no more.
pub(super) const FARTHEST_SUPPORT_M: f64 = 0.3;

/// Pulls of a third of the weight and more are support that is farthest away (score.md).
const PULL_WEIGHT: f64 = 3.0;

/// What stances before and after an airborne span press with, in body weights: runners' peaks (2.5 to 3).
const STANCE_WEIGHTS: f64 = 3.0;

/// What the ground can do, one row a frame of the motion.
pub(super) struct Support {
    /// Per effector and row.
    pub is_down: Vec<Vec<bool>>,
    pub is_airborne: Vec<bool>,
    /// Per row, where something is down.
    pub feet: Vec<Option<Footing>>,
    /// Missing support (score.md), per row; `None` without a force.
    pub error_m: Vec<Option<f64>>,
}

/// One frame that is carried by known points.
pub(super) struct Footing {
    /// Corners as world (x, z), counter-clockwise seen from above.
    pub polygon_m: Vec<DVec2>,
    /// World height of the support below the centre of mass.
    pub height_m: f64,
    /// Of the centre of mass's shadow from the polygon.
    pub balance_distance_m: f64,
    /// `None` where nothing presses onto the ground.
    pub zmp_m: Option<DVec3>,
    pub zmp_distance_m: Option<f64>,
    /// The zero-moment point, moved into the polygon.
    pub cop_m: Option<DVec3>,
}

impl Footing {
    /// How far the mean of the zero-moment point is from the polygon, where smoothing moved it by `-lag_m`.
    fn distance_of_mean_m(&self, lag_m: DVec3) -> f64 {
        let (Some(zmp_m), Some(computed_m)) = (self.zmp_m, self.zmp_distance_m) else { return FARTHEST_SUPPORT_M };
        let mean_m = DVec2::new(zmp_m.x + lag_m.x, zmp_m.z + lag_m.z);
        if computed_m == 0.0 { 0.0 } else { nearest_point(&self.polygon_m, mean_m).distance(mean_m).min(computed_m) }
    }
}

/// Looks under every frame, or sample, at these times. `is_told` says whether the clip was long enough to tell
/// contacts.
pub(super) fn supports(
    contacts: &ContactAnalysis,
    times_secs: &[f64],
    points_m: &[Vec<DVec3>],
    is_told: bool,
    forces: &Forces,
    options: &InspectOptions,
) -> Support {
    let rows = times_secs.len();
    let is_down: Vec<Vec<bool>> = contacts
        .effectors
        .iter()
        .map(|effector| {
            let mut is_down = vec![false; rows];
            for contact in contacts.contacts_of(&effector.name) {
                is_down[rows_within(times_secs, contact.start_secs, contact.end_secs)].fill(true);
            }
            is_down
        })
        .collect();
    let is_told = is_told && !is_down.is_empty();
    let is_airborne: Vec<bool> = (0..rows).map(|row| is_told && is_down.iter().all(|is_down| !is_down[row])).collect();
    let soles = Soles::new(&contacts.effectors, options.sole_half_width_m);
    let mut corners = Vec::new();
    let under = |row: usize| {
        let at = |effector: usize| points_m[effector][row];
        footing(&soles, |effector| is_down[effector][row], at, row, forces, options, &mut corners)
    };
    let feet: Vec<Option<Footing>> = (0..rows).map(under).collect();
    let is_flight = is_flight(contacts, times_secs);
    let reach = reach_of_stances(times_secs, &is_airborne, options.smoothing_secs);
    let lags_m = smoothing_lags_m(times_secs, forces, options.smoothing_secs);
    let error_m = (0..rows)
        .map(|row| {
            let load = forces.load[row]?;
            Some(match &feet[row] {
                Some(_) if load < 0.0 => FARTHEST_SUPPORT_M * (-PULL_WEIGHT * load).min(1.0),
                Some(foot) => foot.distance_of_mean_m(lags_m[row]).min(FARTHEST_SUPPORT_M) * load.min(1.0),
                None if is_flight[row] => 0.0,
                None => FARTHEST_SUPPORT_M * (load.abs() - STANCE_WEIGHTS * reach[row]).clamp(0.0, 1.0),
            })
        })
        .collect();
    Support { is_down, is_airborne, feet, error_m }
}

/// How far the zero-moment point of smoothed paths lies from the mean of the true ones, along the ground, m.
///
/// Smoothing takes the mean of place and force apart, and the moment is their product: with the kernel's variance σ²,
/// mean(x F) = x̄ F̄ + σ² ẋ Ḟ to first order, so that the mean of the zero-moment point, weighted by force, lies
/// σ² (ẋ Ḟ_v − ẏ Ḟ_h) / F̄_v from the one of smoothed paths. While people walk that is millimetres; at the edges of a
/// runner's stance, where the force grows by its own size in 20 ms, it is 10 to 30 cm.
fn smoothing_lags_m(times_secs: &[f64], forces: &Forces, smoothing_secs: f64) -> Vec<DVec3> {
    let variance = (smoothing_secs / WINDOW_PER_SIGMA).powi(2);
    let lag = |row: usize| {
        let (before, after) = (row.checked_sub(1)?, Some(row + 1).filter(|row| *row < times_secs.len())?);
        let (force, earlier, later) =
            (forces.force_newtons[row]?, forces.force_newtons[before]?, forces.force_newtons[after]?);
        let rate = (later - earlier) / (times_secs[after] - times_secs[before]);
        let velocity = forces.track.momentum[row].linear / forces.track.total_mass_kg;
        let moved = (velocity * rate.y - rate * velocity.y) * (variance / force.y);
        Some(moved.with_y(0.0)).filter(|moved| moved.is_finite() && force.y > 0.0)
    };
    (0..times_secs.len()).map(|row| lag(row).unwrap_or(DVec3::ZERO)).collect()
}

/// How much of the time that a row's force was smoothed over lies outside its airborne span, 0 to 1.
///
/// There the stances before and after press, and smoothing carries that into the span: in a runner's flight of 0.1 s
/// the smoothed force is half the weight, and no row of it is free of the ground. Whether such a span is long enough to
/// be called a flight must not decide about that force.
fn reach_of_stances(times_secs: &[f64], is_airborne: &[bool], smoothing_secs: f64) -> Vec<f64> {
    let mut reach = vec![0.0; times_secs.len()];
    let half_secs = 0.5 * smoothing_secs;
    for span in runs_of(is_airborne) {
        // What is airborne at an end of the clip stays so, for all we know.
        let start_secs =
            span.start.checked_sub(1).map_or(f64::NEG_INFINITY, |row| 0.5 * (times_secs[row] + times_secs[row + 1]));
        let end_secs = times_secs.get(span.end).map_or(f64::INFINITY, |secs| 0.5 * (secs + times_secs[span.end - 1]));
        for row in span {
            let before_secs = (start_secs - (times_secs[row] - half_secs)).max(0.0);
            let after_secs = (times_secs[row] + half_secs - end_secs).max(0.0);
            reach[row] = if smoothing_secs > 0.0 { (before_secs + after_secs) / smoothing_secs } else { 0.0 };
        }
    }
    reach
}

fn footing(
    soles: &Soles,
    is_down: impl Fn(usize) -> bool,
    at: impl Fn(usize) -> DVec3,
    row: usize,
    forces: &Forces,
    options: &InspectOptions,
    corners: &mut Vec<DVec2>,
) -> Option<Footing> {
    let ground = options.contacts.ground;
    let plane = soles.plane(ground, &is_down, &at)?;
    soles.corners_into(&plane, 0.0, &is_down, &at, corners);
    let mut polygon = Vec::with_capacity(corners.len() + 1);
    hull_into(corners, &mut polygon);

    let normal = ground.normal();
    let com_m = forces.track.com_in_world_m[row];
    let shadow_m = com_m - DVec3::Y * ((ground.height_m(com_m) - plane.height_m()) / normal.y);
    let zmp_m = forces.force_newtons[row]
        .filter(|_| forces.friction_ratio[row].is_some())
        .map(|force| zero_moment_point_m(com_m, force, forces.track.momentum_rate[row].angular, &plane));
    let nearest_m = zmp_m.map(|zmp_m| nearest_point(&polygon, plane.flat_m(zmp_m)));
    let balance_m = plane.flat_m(shadow_m);
    Some(Footing {
        height_m: shadow_m.y,
        balance_distance_m: nearest_point(&polygon, balance_m).distance(balance_m),
        zmp_distance_m: zmp_m.zip(nearest_m).map(|(zmp_m, nearest)| nearest.distance(plane.flat_m(zmp_m))),
        cop_m: nearest_m.map(|nearest_m| plane.world_m(nearest_m)),
        polygon_m: polygon.iter().map(|corner| plane.world_m(*corner)).map(|m| DVec2::new(m.x, m.z)).collect(),
        zmp_m,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stances_reach_as_far_into_a_flight_as_forces_are_smoothed() {
        let times_secs: Vec<f64> = (0..100).map(|row| f64::from(row) * 0.01).collect();
        let mut is_airborne = vec![false; 100];
        is_airborne[20..60].fill(true);
        is_airborne[90..].fill(true);
        let reach = reach_of_stances(&times_secs, &is_airborne, 0.16);
        // 5 ms from the edge: 75 of 160 ms lie on the ground; 85 ms from it none.
        assert!((reach[20] - 75.0 / 160.0).abs() < 1e-9 && (reach[59] - reach[20]).abs() < 1e-9);
        assert!(reach[27] > 0.0 && reach[28] == 0.0 && reach[51] == 0.0);
        // Airborne at the end of the clip: no stance is known after it.
        assert!(reach[90] > 0.4 && reach[99] == 0.0);
        assert!(reach[..20].iter().all(|reach| *reach == 0.0));
        // 0.06 s: the ground reaches all of it.
        is_airborne[20..60].fill(false);
        is_airborne[20..26].fill(true);
        let reach = reach_of_stances(&times_secs, &is_airborne, 0.16);
        assert!(reach[20..26].iter().all(|reach| *reach >= 0.6), "{reach:?}");
        assert!(reach_of_stances(&times_secs, &is_airborne, 0.0).iter().all(|reach| *reach == 0.0));
    }
}
