//! The polygon under a body, and where the force that it needs meets the ground.

use super::InspectOptions;
use super::evidence::rows_within;
use super::forces::Forces;
use super::other;
use crate::contacts::{ContactAnalysis, Effector, Part, Traces};
use crate::ground::Ground;
use aplomb_motion::Side;
use glam::{DVec2, DVec3};

/// Support farther away than this counts as this far (score.md): beyond arm's length the number says no more.
pub(super) const FARTHEST_M: f64 = 0.3;

/// Pulls of a third of the weight and more are support that is farthest away (score.md).
const PULL_WEIGHT: f64 = 3.0;

/// Directions of a foot that are shorter than this are noise.
const LEAST_FOOT_M: f64 = 0.01;

/// Corners of the round patch under a hand or a paw.
const PATCH_CORNERS: usize = 8;

/// Paws are about half as wide as soles.
const PAW_SHARE: f64 = 0.5;

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
    let limbs = limbs(&contacts.effectors);
    let mut corners = Vec::new();
    let under = |row: usize| {
        let down = |effector: usize| is_down[effector][row].then(|| traces.points_m[effector][row]);
        let at = |effector: usize| traces.points_m[effector][row];
        footing(&limbs, &down, &at, row, forces, options, &mut corners)
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

/// Effectors that stand together: the points of one foot, from heel to toe, or a lone point.
enum Limb {
    Foot(Vec<usize>),
    Patch { effector: usize, share: f64 },
}

fn limbs(effectors: &[Effector]) -> Vec<Limb> {
    let is_of_foot = |effector: &Effector| matches!(effector.part, Part::Heel | Part::Ball | Part::Toe);
    let mut limbs: Vec<Limb> = Vec::new();
    for side in Side::BOTH {
        // Effectors of a foot come in the order heel, ball, toe.
        let of_side = effectors.iter().enumerate().filter(|(_, it)| is_of_foot(it) && it.side == Some(side));
        let foot: Vec<usize> = of_side.map(|(index, _)| index).collect();
        if !foot.is_empty() {
            limbs.push(Limb::Foot(foot));
        }
    }
    for (index, effector) in effectors.iter().enumerate().filter(|(_, it)| !is_of_foot(it)) {
        let is_paw = matches!(effector.part, Part::FrontPaw | Part::HindPaw);
        limbs.push(Limb::Patch { effector: index, share: if is_paw { PAW_SHARE } else { 1.0 } });
    }
    limbs
}

/// Axes in the ground: `across` × `along` points out of it, so counter-clockwise in (across, along) is counter-clockwise from above. On
/// level ground they are world z and x.
#[derive(Clone, Copy)]
struct Plane {
    ground: Ground,
    height_m: f64,
    across: DVec3,
    along: DVec3,
}

impl Plane {
    fn new(ground: Ground, height_m: f64) -> Self {
        let normal = ground.normal();
        // A ground's normal has a part upward, so x is never parallel to it.
        let along = (DVec3::X - normal * normal.x).normalize();
        Self { ground, height_m, across: along.cross(normal), along }
    }

    fn flat_m(&self, point_m: DVec3) -> DVec2 {
        DVec2::new(point_m.dot(self.across), point_m.dot(self.along))
    }

    fn world_m(&self, flat_m: DVec2) -> DVec3 {
        let through_origin_m = self.across * flat_m.x + self.along * flat_m.y;
        let normal = self.ground.normal();
        through_origin_m + normal * (self.height_m - self.ground.height_m(through_origin_m))
    }
}

fn footing(
    limbs: &[Limb],
    down: &dyn Fn(usize) -> Option<DVec3>,
    at: &dyn Fn(usize) -> DVec3,
    row: usize,
    forces: &Forces,
    options: &InspectOptions,
    corners: &mut Vec<DVec2>,
) -> Option<Footing> {
    let ground = options.contacts.ground;
    let (mut height_sum_m, mut points) = (0.0, 0);
    for point_m in limbs.iter().flat_map(Limb::effectors).filter_map(down) {
        height_sum_m += ground.height_m(point_m);
        points += 1;
    }
    if points == 0 {
        return None;
    }
    // Ground at the mean height of the points that are down (score.md).
    let plane = Plane::new(ground, height_sum_m / f64::from(points));
    corners.clear();
    for limb in limbs {
        limb.corners_m(down, at, &plane, options.sole_half_width_m, corners);
    }
    let polygon = hull(corners);

    let normal = ground.normal();
    let com_m = forces.track.com_in_world_m[row];
    let shadow_m = com_m - DVec3::Y * ((ground.height_m(com_m) - plane.height_m) / normal.y);
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

/// The point Z of the ground about which the force has no moment along the ground.
///
/// The surroundings' force F and their moment L̇ about the centre of mass c make the moment M_O = L̇ + (c − O) × F about a point O of
/// the ground; Z = O + n × M_O / (n · F), since M_O − (Z − O) × F = n (M_O · F)/(n · F) then. With point masses, level ground and
/// O = 0 this is equation 4 of Shin, Kovar & Gleicher 2003; Vukobratović & Borovac 2004 have the whole of it.
fn zero_moment_point_m(com_m: DVec3, force: DVec3, moment_about_com: DVec3, plane: &Plane) -> DVec3 {
    let normal = plane.ground.normal();
    let below_m = com_m - normal * (plane.ground.height_m(com_m) - plane.height_m);
    let moment = moment_about_com + (com_m - below_m).cross(force);
    below_m + normal.cross(moment) / normal.dot(force)
}

impl Limb {
    fn effectors(&self) -> impl Iterator<Item = usize> {
        let (foot, lone) = match self {
            Limb::Foot(points) => (points.as_slice(), None),
            Limb::Patch { effector, .. } => (&[][..], Some(*effector)),
        };
        foot.iter().copied().chain(lone)
    }

    /// Corners of what is down: of a foot both edges of the sole at each point that is down, of hands and paws a round patch.
    fn corners_m(
        &self,
        down: &dyn Fn(usize) -> Option<DVec3>,
        at: &dyn Fn(usize) -> DVec3,
        plane: &Plane,
        half_width_m: f64,
        corners: &mut Vec<DVec2>,
    ) {
        match self {
            Limb::Foot(points) => {
                let ends = points.first().zip(points.last());
                let ahead = ends.map_or(DVec2::ZERO, |(&heel, &toe)| plane.flat_m(at(toe)) - plane.flat_m(at(heel)));
                let to_the_side = (ahead.length() > LEAST_FOOT_M).then(|| ahead.normalize().perp() * half_width_m);
                for point_m in points.iter().filter_map(|&point| down(point)).map(|point_m| plane.flat_m(point_m)) {
                    match to_the_side {
                        Some(side_m) => corners.extend([point_m + side_m, point_m - side_m]),
                        None => patch(point_m, half_width_m, corners),
                    }
                }
            }
            Limb::Patch { effector, share } => {
                if let Some(point_m) = down(*effector) {
                    patch(plane.flat_m(point_m), half_width_m * share, corners);
                }
            }
        }
    }
}

fn patch(middle_m: DVec2, radius_m: f64, corners: &mut Vec<DVec2>) {
    let turn = std::f64::consts::TAU / PATCH_CORNERS as f64;
    corners.extend((0..PATCH_CORNERS).map(|corner| middle_m + DVec2::from_angle(corner as f64 * turn) * radius_m));
}

/// Convex hull, counter-clockwise (Andrew 1979, the monotone chain); points on its edges are left out. One or two points, or points on a
/// line, give their ends.
///
/// By hand: it is called for a dozen points in every frame, and the crates that have it bring a type system of shapes along.
fn hull(points: &mut [DVec2]) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<DVec2> = Vec::with_capacity(points.len() + 1);
    let mut chain = |order: &mut dyn Iterator<Item = &DVec2>| {
        let base = hull.len();
        for &point in order {
            while hull.len() >= base + 2 {
                let (before, last) = (hull[hull.len() - 2], hull[hull.len() - 1]);
                if (last - before).perp_dot(point - before) > 0.0 {
                    break;
                }
                hull.pop();
            }
            if hull.last() != Some(&point) || hull.len() == base {
                hull.push(point);
            }
        }
        // The last point of one chain is the first of the other.
        hull.pop();
    };
    chain(&mut points.iter());
    chain(&mut points.iter().rev());
    if hull.is_empty() { points.first().copied().into_iter().collect() } else { hull }
}

/// The point of a convex polygon (counter-clockwise; a segment or a point, too) that is nearest to `point`, which is itself if inside.
pub(crate) fn nearest_point(polygon: &[DVec2], point: DVec2) -> DVec2 {
    let edges = || (0..polygon.len()).map(|index| (polygon[index], polygon[(index + 1) % polygon.len()]));
    let is_left = |(from, to): (DVec2, DVec2)| (to - from).perp_dot(point - from) >= 0.0;
    if polygon.len() > 2 && edges().all(is_left) {
        return point;
    }
    let on_edge = |(from, to): (DVec2, DVec2)| {
        let along = to - from;
        let square = along.length_squared();
        let share = if square > 0.0 { ((point - from).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
        from + along * share
    };
    edges().map(on_edge).min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point))).unwrap_or(point)
}

#[cfg(test)]
#[path = "support_tests.rs"]
mod tests;
