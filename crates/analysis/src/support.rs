//! The polygon under a body, and where the force that it needs meets the ground.

use crate::contacts::{Effector, Part};
use crate::ground::Ground;
use aplomb_motion::Side;
use glam::{DVec2, DVec3};

/// Half the width of a sole, unless options say otherwise, m.
pub const SOLE_HALF_WIDTH_M: f64 = 0.04;

/// Directions of a foot that are shorter than this are noise.
const LEAST_FOOT_M: f64 = 0.01;

/// Corners of the round patch under a hand or a paw.
const PATCH_CORNERS: usize = 8;

/// Paws are about half as wide as soles.
const PAW_SHARE: f64 = 0.5;

/// Axes in the ground: `across` × `along` points out of it, so counter-clockwise in (across, along) is
/// counter-clockwise from above. On level ground they are world z and x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportPlane {
    ground: Ground,
    height_m: f64,
    across: DVec3,
    along: DVec3,
}

impl SupportPlane {
    /// The plane parallel to a ground, `height_m` above it.
    pub fn new(ground: Ground, height_m: f64) -> Self {
        let normal = ground.normal();
        // A ground's normal has a part upward, so x is never parallel to it.
        let along = (DVec3::X - normal * normal.x).normalize();
        Self { ground, height_m, across: along.cross(normal), along }
    }

    /// Over the ground, m.
    pub fn height_m(&self) -> f64 {
        self.height_m
    }

    /// Unit vector out of it.
    pub fn normal(&self) -> DVec3 {
        self.ground.normal()
    }

    /// The ground it is parallel to.
    pub fn ground(&self) -> Ground {
        self.ground
    }

    /// A point's place in the plane, along its normal.
    pub fn flat_m(&self, point_m: DVec3) -> DVec2 {
        DVec2::new(point_m.dot(self.across), point_m.dot(self.along))
    }

    /// A direction of the plane in the world.
    pub fn direction(&self, flat: DVec2) -> DVec3 {
        self.across * flat.x + self.along * flat.y
    }

    /// A point of the plane in the world.
    pub fn world_m(&self, flat_m: DVec2) -> DVec3 {
        let through_origin_m = self.direction(flat_m);
        let normal = self.ground.normal();
        through_origin_m + normal * (self.height_m - self.ground.height_m(through_origin_m))
    }
}

/// The point Z of the ground about which the force has no moment along the ground.
///
/// The surroundings' force F and their moment L̇ about the centre of mass c make the moment M_O = L̇ + (c − O) × F
/// about a point O of the ground; Z = O + n × M_O / (n · F), since M_O − (Z − O) × F = n (M_O · F)/(n · F) then. With
/// point masses, level ground and O = 0 this is equation 4 of Shin, Kovar & Gleicher 2003; Vukobratović & Borovac 2004
/// have the whole of it.
pub fn zero_moment_point_m(com_m: DVec3, force: DVec3, moment_about_com: DVec3, plane: &SupportPlane) -> DVec3 {
    let normal = plane.normal();
    let below_m = com_m - normal * (plane.ground.height_m(com_m) - plane.height_m);
    let moment = moment_about_com + (com_m - below_m).cross(force);
    below_m + normal.cross(moment) / normal.dot(force)
}

/// Effectors that stand together: the points of one foot, from heel to toe, or a lone point.
#[derive(Clone, Debug, PartialEq)]
enum Limb {
    Foot(Vec<usize>),
    Patch { effector: usize, share: f64 },
}

/// What a body stands on: soles of a width, patches of hands and paws.
#[derive(Clone, Debug, PartialEq)]
pub struct Soles {
    limbs: Vec<Limb>,
    half_width_m: f64,
}

impl Soles {
    /// The soles of these points.
    pub fn new(effectors: &[Effector], half_width_m: f64) -> Self {
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
        Self { limbs, half_width_m }
    }

    /// The plane at the mean height of the points that are down (score.md); `None` if none is. `at` tells where a point
    /// is.
    pub fn plane(
        &self,
        ground: Ground,
        is_down: impl Fn(usize) -> bool,
        at: impl Fn(usize) -> DVec3,
    ) -> Option<SupportPlane> {
        let (mut height_sum_m, mut points) = (0.0, 0);
        for effector in self.limbs.iter().flat_map(Limb::effectors).filter(|&effector| is_down(effector)) {
            height_sum_m += ground.height_m(at(effector));
            points += 1;
        }
        (points > 0).then(|| SupportPlane::new(ground, height_sum_m / f64::from(points)))
    }

    /// Corners of everything that is down, in the plane: of a foot both edges of the sole at each point that is down,
    /// of hands and paws a round patch. `margin` shrinks each foot's part towards its own middle: 0 leaves it, 1 makes
    /// a point of it.
    pub fn corners_into(
        &self,
        plane: &SupportPlane,
        margin: f64,
        is_down: impl Fn(usize) -> bool,
        at: impl Fn(usize) -> DVec3,
        corners: &mut Vec<DVec2>,
    ) {
        corners.clear();
        for limb in &self.limbs {
            let from = corners.len();
            self.limb_corners(limb, plane, &is_down, &at, corners);
            let own = &mut corners[from..];
            if margin > 0.0 && !own.is_empty() {
                let middle_m = own.iter().copied().sum::<DVec2>() / own.len() as f64;
                own.iter_mut().for_each(|corner| *corner = corner.lerp(middle_m, margin));
            }
        }
    }

    fn limb_corners(
        &self,
        limb: &Limb,
        plane: &SupportPlane,
        is_down: &impl Fn(usize) -> bool,
        at: &impl Fn(usize) -> DVec3,
        corners: &mut Vec<DVec2>,
    ) {
        match limb {
            Limb::Foot(points) => {
                let ends = points.first().zip(points.last());
                let ahead = ends.map_or(DVec2::ZERO, |(&heel, &toe)| plane.flat_m(at(toe)) - plane.flat_m(at(heel)));
                let to_the_side = (ahead.length() > LEAST_FOOT_M).then(|| ahead.normalize().perp() * self.half_width_m);
                for point in points.iter().filter(|&&point| is_down(point)) {
                    let point_m = plane.flat_m(at(*point));
                    match to_the_side {
                        Some(side_m) => corners.extend([point_m + side_m, point_m - side_m]),
                        None => patch(point_m, self.half_width_m, corners),
                    }
                }
            }
            Limb::Patch { effector, share } => {
                if is_down(*effector) {
                    patch(plane.flat_m(at(*effector)), self.half_width_m * share, corners);
                }
            }
        }
    }
}

impl Limb {
    fn effectors(&self) -> impl Iterator<Item = usize> {
        let (foot, lone) = match self {
            Limb::Foot(points) => (points.as_slice(), None),
            Limb::Patch { effector, .. } => (&[][..], Some(*effector)),
        };
        foot.iter().copied().chain(lone)
    }
}

fn patch(middle_m: DVec2, radius_m: f64, corners: &mut Vec<DVec2>) {
    let turn = std::f64::consts::TAU / PATCH_CORNERS as f64;
    corners.extend((0..PATCH_CORNERS).map(|corner| middle_m + DVec2::from_angle(corner as f64 * turn) * radius_m));
}

/// Convex hull, counter-clockwise (Andrew 1979, the monotone chain); points on its edges are left out. One or two
/// points, or points on a line, give their ends. `points` are sorted, the hull is appended.
///
/// By hand: it is called for a dozen points in every frame, and the crates that have it bring a type system of shapes
/// along.
pub fn hull_into(points: &mut [DVec2], hull: &mut Vec<DVec2>) {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let start = hull.len();
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
            if hull.len() == base || hull.last() != Some(&point) {
                hull.push(point);
            }
        }
        // The last point of one chain is the first of the other.
        hull.pop();
    };
    chain(&mut points.iter());
    chain(&mut points.iter().rev());
    if hull.len() == start {
        hull.extend(points.first());
    }
}

/// The point of a convex polygon (counter-clockwise; a segment or a point, too) that is nearest to `point`, which is
/// itself if inside.
pub fn nearest_point(polygon: &[DVec2], point: DVec2) -> DVec2 {
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
mod tests;
