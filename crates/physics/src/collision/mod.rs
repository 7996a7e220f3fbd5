//! How far convex shapes are apart, or how deep in each other.
//!
//! A shape is a core (point, line, box, cylinder, ellipsoid) and a skin of even thickness around it. Distances are
//! found between cores by GJK, which is exact to rounding for bodies with corners; only cores that overlap need EPA. A
//! capsule against a capsule, or a ball against anything, is therefore as exact as a line against a line, which a
//! polytope around a round shape would not be. Both algorithms and the hierarchy of boxes are parry's.

mod broad;

pub use broad::Broad;

use crate::body::Shape;
use crate::dynamics::LinkMotion;
use glam::{DQuat, DVec3};
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Pose;
use parry3d_f64::query::details::contact_support_map_support_map;
use parry3d_f64::shape::SupportMap;

/// A convex shape in the frame of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convex {
    core: Core,
    centre_m: DVec3,
    /// `link_from_core`.
    rotation: DQuat,
    skin_m: f64,
}

/// About its own middle, in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Core {
    Point,
    /// Along Y.
    Line {
        half_m: f64,
    },
    Box {
        half_m: DVec3,
    },
    /// Along Y.
    Cylinder {
        half_m: f64,
        radius_m: f64,
    },
    Ellipsoid {
        half_m: DVec3,
    },
}

impl SupportMap for Core {
    fn local_support_point(&self, direction: DVec3) -> DVec3 {
        match *self {
            Core::Point => DVec3::ZERO,
            Core::Line { half_m } => DVec3::Y * half_m.copysign(direction.y),
            Core::Box { half_m } => half_m.copysign(direction),
            Core::Cylinder { half_m, radius_m } => {
                let rim = DVec3::new(direction.x, 0.0, direction.z).normalize_or_zero() * radius_m;
                DVec3::new(rim.x, half_m.copysign(direction.y), rim.z)
            }
            Core::Ellipsoid { half_m } => half_m * (half_m * direction).normalize_or_zero(),
        }
    }
}

impl Convex {
    /// A ball.
    pub fn ball(centre_m: DVec3, radius_m: f64) -> Self {
        Self { core: Core::Point, centre_m, rotation: DQuat::IDENTITY, skin_m: radius_m }
    }

    /// All points within a distance of a line.
    pub fn capsule(start_m: DVec3, end_m: DVec3, radius_m: f64) -> Self {
        let along_m = end_m - start_m;
        let length_m = along_m.length();
        if length_m == 0.0 {
            return Self::ball(start_m, radius_m);
        }
        let rotation = DQuat::from_rotation_arc(DVec3::Y, along_m / length_m);
        let core = Core::Line { half_m: 0.5 * length_m };
        Self { core, centre_m: start_m.midpoint(end_m), rotation, skin_m: radius_m }
    }

    /// A box; `rotation` is `link_from_box`.
    pub fn cuboid(centre_m: DVec3, rotation: DQuat, half_m: DVec3) -> Self {
        Self { core: Core::Box { half_m }, centre_m, rotation, skin_m: 0.0 }
    }

    /// A cylinder along Y of its own axes; `rotation` is `link_from_cylinder`.
    pub fn cylinder(centre_m: DVec3, rotation: DQuat, half_height_m: f64, radius_m: f64) -> Self {
        Self { core: Core::Cylinder { half_m: half_height_m, radius_m }, centre_m, rotation, skin_m: 0.0 }
    }

    /// Middle, m.
    pub fn centre_m(&self) -> DVec3 {
        self.centre_m
    }

    /// The farthest that any of its points is from its middle, m.
    pub fn reach_m(&self) -> f64 {
        self.skin_m
            + match self.core {
                Core::Point => 0.0,
                Core::Line { half_m } => half_m,
                Core::Box { half_m } => half_m.length(),
                Core::Cylinder { half_m, radius_m } => half_m.hypot(radius_m),
                Core::Ellipsoid { half_m } => half_m.max_element(),
            }
    }

    /// Every size finite and not negative, and some size at all.
    pub fn is_solid(&self) -> bool {
        let reach_m = self.reach_m();
        let sizes = match self.core {
            Core::Point => DVec3::ZERO,
            Core::Line { half_m } => DVec3::splat(half_m),
            Core::Box { half_m } | Core::Ellipsoid { half_m } => half_m,
            Core::Cylinder { half_m, radius_m } => DVec3::new(half_m, radius_m, 0.0),
        };
        self.centre_m.is_finite()
            && self.rotation.is_finite()
            && reach_m.is_finite()
            && reach_m > 0.0
            && self.skin_m >= 0.0
            && sizes.cmpge(DVec3::ZERO).all()
    }

    /// A box along the world's axes around it.
    fn aabb(&self, link: &LinkMotion, margin_m: f64) -> Aabb {
        let pose = self.world_pose(link);
        let out = |direction: DVec3| self.core.support_point(&pose, direction).dot(direction) + self.skin_m + margin_m;
        let most = DVec3::new(out(DVec3::X), out(DVec3::Y), out(DVec3::Z));
        let least = DVec3::new(out(DVec3::NEG_X), out(DVec3::NEG_Y), out(DVec3::NEG_Z));
        Aabb::new(-least, most)
    }

    fn world_pose(&self, link: &LinkMotion) -> Pose {
        let world_from_link = DQuat::from_mat3(&link.world_from_link);
        Pose::from_parts(link.point_in_world_m(self.centre_m), world_from_link * self.rotation)
    }
}

impl From<&Shape> for Convex {
    fn from(shape: &Shape) -> Self {
        match *shape {
            Shape::Capsule { start_m, end_m, radius_m } => Self::capsule(start_m, end_m, radius_m),
            Shape::Box { centre_m, rotation, half_m } => Self::cuboid(centre_m, rotation, half_m),
            // A ball is exact as a point with a skin.
            Shape::Ellipsoid { centre_m, half_m, .. } if half_m == DVec3::splat(half_m.x) => {
                Self::ball(centre_m, half_m.x)
            }
            Shape::Ellipsoid { centre_m, rotation, half_m } => {
                Self { core: Core::Ellipsoid { half_m }, centre_m, rotation, skin_m: 0.0 }
            }
        }
    }
}

/// Where two shapes are nearest, or deepest in each other; world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// On the surface of the first, m.
    pub on_a_m: DVec3,
    /// On the surface of the second, m.
    pub on_b_m: DVec3,
    /// From the second to the first, of length one.
    pub normal: DVec3,
    /// Between the surfaces, m; negative if they overlap.
    pub distance_m: f64,
}

/// The nearest points of two shapes on their links if they are not farther apart than `within_m`.
pub fn nearest(a: &Convex, link_a: &LinkMotion, b: &Convex, link_b: &LinkMotion, within_m: f64) -> Option<Nearest> {
    let skins_m = a.skin_m + b.skin_m;
    let middles_m = link_a.point_in_world_m(a.centre_m) - link_b.point_in_world_m(b.centre_m);
    if middles_m.length() > a.reach_m() + b.reach_m() + within_m {
        return None;
    }
    let (world_from_a, world_from_b) = (a.world_pose(link_a), b.world_pose(link_b));
    let a_from_b = world_from_a.inv_mul(&world_from_b);
    let found = contact_support_map_support_map(&a_from_b, &a.core, &b.core, within_m.max(0.0) + skins_m)?;
    let core_a_m = world_from_a.transform_point(found.point1);
    let core_b_m = world_from_b.transform_point(found.point2);
    // GJK's normal points out of the first shape.
    let normal = -(world_from_a.rotation * found.normal1);
    let distance_m = found.dist - skins_m;
    (distance_m <= within_m).then(|| Nearest {
        on_a_m: core_a_m - normal * a.skin_m,
        on_b_m: core_b_m + normal * b.skin_m,
        normal,
        distance_m,
    })
}

#[cfg(test)]
mod tests;
