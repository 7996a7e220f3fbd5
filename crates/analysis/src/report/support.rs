//! The polygon under a body, and where the force that it needs meets the ground.

use super::InspectOptions;
use super::evidence::rows_within;
use super::forces::Forces;
use super::other;
use crate::contacts::{ContactAnalysis, Traces};
use crate::support::{Soles, hull_into, nearest_point, zero_moment_point_m};
use glam::{DVec2, DVec3};

/// Support farther away than this counts as this far (score.md): beyond arm's length the number says no more.
pub(super) const FARTHEST_M: f64 = 0.3;

/// Pulls of a third of the weight and more are support that is farthest away (score.md).
const PULL_WEIGHT: f64 = 3.0;

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

/// Looks under every frame.
pub(super) fn supports(
    contacts: &ContactAnalysis,
    traces: &Traces,
    forces: &Forces,
    options: &InspectOptions,
) -> Support {
    let rows = traces.times_secs.len();
    let is_down: Vec<Vec<bool>> = contacts
        .effectors
        .iter()
        .map(|effector| {
            let mut is_down = vec![false; rows];
            for contact in contacts.contacts_of(&effector.name) {
                is_down[rows_within(&traces.times_secs, contact.start_secs, contact.end_secs)].fill(true);
            }
            is_down
        })
        .collect();
    let is_told = !is_down.is_empty() && traces.even.is_some();
    let is_airborne: Vec<bool> = (0..rows).map(|row| is_told && is_down.iter().all(|is_down| !is_down[row])).collect();
    let soles = Soles::new(&contacts.effectors, options.sole_half_width_m);
    let mut corners = Vec::new();
    let under = |row: usize| {
        let at = |effector: usize| traces.points_m[effector][row];
        footing(&soles, |effector| is_down[effector][row], at, row, forces, options, &mut corners)
    };
    let feet: Vec<Option<Footing>> = (0..rows).map(under).collect();
    let is_flight = other::is_flight(contacts, &traces.times_secs);
    let error_m = (0..rows)
        .map(|row| {
            let load = forces.load[row]?;
            Some(match &feet[row] {
                Some(_) if load < 0.0 => FARTHEST_M * (-PULL_WEIGHT * load).min(1.0),
                Some(foot) => foot.zmp_distance_m.map_or(FARTHEST_M, |m| m.min(FARTHEST_M)) * load.min(1.0),
                None if is_flight[row] => 0.0,
                None => FARTHEST_M * load.abs().min(1.0),
            })
        })
        .collect();
    Support { is_down, is_airborne, feet, error_m }
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
