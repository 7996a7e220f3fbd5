//! Standing: soles that touch, legs that carry, and whether the body stays up.

use super::LegGains;
use super::falls::{FallSign, FallWatch, StandingFrame, margin_m};
use crate::EditingError;
use aplomb_analysis::ContactOptions;
use aplomb_analysis::Take;
use aplomb_analysis::contacts::Part;
use aplomb_analysis::contacts::effectors::effectors;
use aplomb_analysis::support::hull_into;
use aplomb_motion::{Clip, FrameIndex, Role, Roles, Side, WorldPose};
use aplomb_physics::Shape;
use aplomb_physics::dynamics::{DynamicSkeleton, LinkId, Model, Workspace};
use aplomb_physics::simulation::{ContactPoint, Ground, Servos};
use glam::{DVec2, DVec3};
use serde::Serialize;

/// Half the width of a sole, m; the same that support areas are drawn with.
const HALF_SOLE_M: f64 = 0.04;

/// A foot whose sole is this far above the other's does not stand at the start, m.
const RAISED_FOOT_M: f64 = 0.05;

/// How standing went.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// When the body fell; absent if it stayed up.
    pub fell_at_secs: Option<f64>,
    /// What showed it.
    pub fell_by: Option<FallSign>,
    /// Least distance of the centre of mass from the edge of the footprint at the start, m; negative outside. Without
    /// the first half second.
    pub margin_m: f64,
    /// Farthest that a sole's corner slid, m.
    pub slide_m: f64,
    /// Highest that one was lifted, m.
    pub lift_m: f64,
    /// Largest force on both feet, N.
    pub force_n: f64,
}

/// Soles on level ground, and what is seen of them.
#[derive(Clone, Debug)]
pub struct Footing {
    /// What the corners touch, as it is at the start.
    pub ground: Ground,
    /// Middle of both feet on the ground, m.
    pub middle_m: DVec3,
    /// Outline of both feet at the start, seen from above (x, z), counter-clockwise.
    footprint_m: Vec<DVec2>,
    start_m: Vec<DVec3>,
    /// What each point of the ground after the soles' belongs to.
    others: Vec<Role>,
    falls: FallWatch,
    standing: Standing,
}

impl Footing {
    /// Corners of both soles on the ground that they stand on in the first frame.
    pub fn new(clip: &Clip, take: &Take, skeleton: &DynamicSkeleton) -> Result<Self, EditingError> {
        let roles = take.roles();
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        pose.pose(clip, FrameIndex(0));
        let points = effectors(clip.skeleton(), roles, take.body()?, &ContactOptions::default())?;
        let soles: Vec<[DVec3; 2]> = Side::BOTH
            .into_iter()
            .filter_map(|side| {
                let end = |parts: [Part; 2]| {
                    let own = points.iter().filter(|point| point.side == Some(side));
                    let mut own = own.filter(|point| parts.contains(&point.part));
                    own.next().map(|point| pose.point_in_world_m(point.joint, point.point_in_joint_m))
                };
                Some([end([Part::Heel, Part::Heel])?, end([Part::Toe, Part::Toe]).or(end([Part::Ball, Part::Ball]))?])
            })
            .collect();
        let [left, right] = soles[..] else { return Err(EditingError::NoContact { verb: "stand on" }) };
        let height_m = |sole: [DVec3; 2]| sole[0].y.min(sole[1].y);
        let floor_m = height_m(left).min(height_m(right));
        let mut corners = Vec::new();
        for (side, sole) in Side::BOTH.into_iter().zip([left, right]) {
            let foot = roles.joint(Role::Foot(side));
            let link = foot.and_then(|joint| skeleton.links.link_of(joint).map(|link| (joint, link)));
            let (joint, link) = link.ok_or(EditingError::NoContact { verb: "stand on" })?;
            let ahead = (sole[1] - sole[0]).with_y(0.0).normalize_or_zero();
            let across = ahead.cross(DVec3::Y) * HALF_SOLE_M;
            for end in sole {
                for corner_m in [end - across, end + across] {
                    // Soles are flat where they stand: captured heels and toes differ by millimetres, which would
                    // topple a rigid foot.
                    let is_down = height_m(sole) - floor_m < RAISED_FOOT_M;
                    let corner_m = if is_down { corner_m.with_y(floor_m) } else { corner_m };
                    let from_joint_m = corner_m - pose.joint_in_world_m[joint.index()];
                    let in_link_m = pose.world_from_joint[joint.index()].conjugate() * from_joint_m;
                    corners.push((ContactPoint { link, in_link_m }, corner_m));
                }
            }
        }
        let start_m: Vec<DVec3> = corners.iter().map(|corner| corner.1).collect();
        let down: Vec<DVec2> = start_m
            .iter()
            .filter(|point| point.y - floor_m < RAISED_FOOT_M)
            .map(|point| DVec2::new(point.x, point.z))
            .collect();
        let model = &skeleton.links.model;
        let mut work = Workspace::new(model);
        let mut q = model.neutral();
        skeleton.links.configuration(&pose, &mut q);
        work.place(model, &q);
        let com_height_m = com_m(model, &work).y - floor_m;
        let standing = Standing {
            fell_at_secs: None,
            fell_by: None,
            margin_m: f64::INFINITY,
            slide_m: 0.0,
            lift_m: 0.0,
            force_n: 0.0,
        };
        // A body that falls lands with whatever comes first; soles are the first points.
        let mut points: Vec<ContactPoint> = corners.into_iter().map(|corner| corner.0).collect();
        let soles: Vec<LinkId> = points.iter().map(|point| point.link).collect();
        let mut others = Vec::new();
        for (link, joint) in model.links().zip(&skeleton.links.joints).filter(|(link, _)| !soles.contains(link)) {
            let shapes = skeleton.body.link(*joint).map(|link| link.shapes.as_slice()).unwrap_or_default();
            points.extend(shapes.iter().flat_map(ends_m).map(|in_link_m| ContactPoint { link, in_link_m }));
            others.resize(points.len() - soles.len(), roles.role(*joint).unwrap_or(Role::Hips));
        }
        let mut ground = Ground::level(floor_m, points);
        ground.stiffness *= model.total_mass_kg() / 75.0;
        ground.damping *= model.total_mass_kg() / 75.0;
        let middle_m = start_m.iter().sum::<DVec3>() / start_m.len().max(1) as f64;
        Ok(Self {
            ground,
            middle_m: middle_m.with_y(floor_m),
            footprint_m: hull(down),
            start_m,
            others,
            falls: FallWatch::new(com_height_m),
            standing,
        })
    }

    /// Looks at a frame, with the ground as the last step left it. The workspace must hold the links' places;
    /// `leans_rad` is how far the pelvis leans from what is asked of it.
    pub fn note(&mut self, ground: &Ground, model: &Model, work: &Workspace, leans_rad: f64, time_secs: f64) {
        let com_m = com_m(model, work);
        let is_pressed = |index: usize| ground.forces().get(index).is_some_and(|force| *force != DVec3::ZERO);
        let soles = self.start_m.len();
        let pressed: Vec<DVec2> = (0..soles)
            .filter(|&index| is_pressed(index))
            .map(|index| ground.points()[index])
            .map(|point| work.link(point.link).point_in_world_m(point.in_link_m))
            .map(|at_m| DVec2::new(at_m.x, at_m.z))
            .collect();
        let landed = self.others.iter().enumerate().find(|(index, _)| is_pressed(soles + index));
        self.falls.note(StandingFrame {
            time_secs,
            com_m,
            com_height_m: -ground.depth_m(com_m),
            leans_rad,
            support_m: &hull(pressed),
            landed: landed.map(|(_, role)| *role),
        });
        if self.falls.has_fallen() || time_secs < super::measure::SETTLING_SECS {
            return;
        }
        let margin_m = margin_m(&self.footprint_m, DVec2::new(com_m.x, com_m.z));
        self.standing.margin_m = self.standing.margin_m.min(margin_m);
        let force_n = ground.forces().iter().map(|force| force.y).sum::<f64>();
        self.standing.force_n = self.standing.force_n.max(force_n);
        for (point, start_m) in ground.points().iter().zip(&self.start_m) {
            let at_m = work.link(point.link).point_in_world_m(point.in_link_m);
            self.standing.slide_m = self.standing.slide_m.max((at_m - start_m).with_y(0.0).length());
            self.standing.lift_m = self.standing.lift_m.max(-ground.depth_m(at_m));
        }
    }

    /// What was seen.
    pub fn standing(&self) -> Standing {
        // A body that fell at once has no margin.
        let margin_m = if self.standing.margin_m.is_finite() { self.standing.margin_m } else { -1.0 };
        let fall = self.falls.fall();
        Standing { margin_m, fell_at_secs: fall.map(|fall| fall.0), fell_by: fall.map(|fall| fall.1), ..self.standing }
    }
}

/// Points of a shape that reach the ground first when it falls.
fn ends_m(shape: &Shape) -> Vec<DVec3> {
    match *shape {
        Shape::Capsule { start_m, end_m, .. } => vec![start_m, end_m],
        Shape::Box { centre_m, rotation, half_m } | Shape::Ellipsoid { centre_m, rotation, half_m } => {
            let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| rotation * (axis * half_m));
            axes.into_iter().flat_map(|axis| [centre_m - axis, centre_m + axis]).collect()
        }
    }
}

/// Gains of hips, knees and ankles of a standing body.
pub(crate) fn stiffen_legs(servos: &mut Servos, roles: &Roles, skeleton: &DynamicSkeleton, legs: LegGains) {
    // Critical for what a leg moves besides itself: about half of the body.
    let share = skeleton.links.model.total_mass_kg() / 75.0;
    for side in Side::BOTH {
        let joints = leg_roles(side).into_iter().zip([legs.hip, legs.knee, legs.ankle]);
        for (role, stiffness) in joints {
            if let Some(link) = roles.joint(role).and_then(|joint| skeleton.links.link_of(joint)) {
                servos.set(link, stiffness, 2.0 * (stiffness * 35.0 * share).sqrt());
            }
        }
    }
}

fn leg_roles(side: Side) -> [Role; 3] {
    [Role::Thigh(side), Role::Shank(side), Role::Foot(side)]
}

/// Links of both legs: hip, knee and ankle of the left one, then of the right one, as far as there are such.
pub(crate) fn leg_links(roles: &Roles, skeleton: &DynamicSkeleton) -> Vec<LinkId> {
    let roles_of_both = Side::BOTH.into_iter().flat_map(leg_roles);
    roles_of_both.filter_map(|role| roles.joint(role).and_then(|joint| skeleton.links.link_of(joint))).collect()
}

/// Centre of mass of a placed model, m.
pub fn com_m(model: &Model, work: &Workspace) -> DVec3 {
    let moment = |link: LinkId| {
        let inertia = model.inertia(link);
        work.link(link).point_in_world_m(inertia.com_m) * inertia.mass_kg
    };
    model.links().map(moment).sum::<DVec3>() / model.total_mass_kg()
}

/// The convex outline of points, counter-clockwise in (x, z).
fn hull(mut points_m: Vec<DVec2>) -> Vec<DVec2> {
    let mut outline_m = Vec::new();
    hull_into(&mut points_m, &mut outline_m);
    outline_m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_distances_to_the_nearest_edge() {
        let square = hull([(0.0, 0.0), (0.3, 0.0), (0.3, 0.2), (0.0, 0.2), (0.1, 0.1)].map(DVec2::from).to_vec());
        assert_eq!(square.len(), 4);
        assert!((margin_m(&square, DVec2::new(0.1, 0.05)) - 0.05).abs() < 1e-12);
        assert!((margin_m(&square, DVec2::new(0.35, 0.1)) + 0.05).abs() < 1e-12);
    }
}
