//! Goals that say when, as demands on the motion: cones, poses, directions, places, heights; and the uprightness of landings after turns.

use super::demands::Demands;
use super::figure::Figure;
use super::goal_parts::ConeOf;
use super::goals::Goals;
use super::posed::Posed;
use super::problem::{Cone, Demand};
use super::stages::Staged;
use crate::EditingError;
use aplomb_motion::Role;
use aplomb_physics::dynamics::LinkId;
use glam::DVec3;

/// After a turn trunk and head lean at most so much more than in the clip, degrees: two short of what is promised, for what happens between
/// points.
const LEAN_MORE_DEG: f64 = 8.0;

/// Adds what the goals ask at times. `clip` is the fitted motion, `new_secs` turns its times into those of the motion that is being made, and
/// `forward` is the way.
pub(super) fn pin_goals(
    goals: &Goals,
    figure: &Figure,
    clip: &Staged,
    new_secs: &dyn Fn(f64) -> f64,
    forward: DVec3,
    demands: &mut Demands,
) -> Result<(), EditingError> {
    let tree = figure.tree();
    let mut posed = Posed::new(figure, tree);
    let inside = |secs: f64| {
        if secs <= clip.end_secs + 1e-6 {
            return Ok(secs.min(clip.end_secs));
        }
        let (at, end) = (crate::told(secs), crate::told(clip.end_secs));
        Err(EditingError::Goals { problem: format!("a goal is asked at {at} s, and the clip ends at {end} s") })
    };
    for goal in &goals.cone {
        let link = figure.part(&goal.part)?;
        let (from, to) = (inside(goal.from_secs.unwrap_or(0.0))?, inside(goal.to_secs.unwrap_or(clip.end_secs))?);
        let cone = match goal.of {
            ConeOf::Up => Cone { middle: DVec3::Y, middle_link: None, ..along(figure, link) },
            ConeOf::Joint => posed.mean_direction(clip, along(figure, link), tree.model.parent(link)),
        };
        let most_rad = goal.within_deg.to_radians();
        demands.cones.push((Cone { most_rad, ..cone }, new_secs(from), new_secs(to)));
    }
    for pin in &goals.pose {
        let (at, like) = (inside(pin.at_secs)?, inside(pin.like_secs.unwrap_or(pin.at_secs))?);
        let x = clip.trajectory.coordinates_at(like);
        let links = match pin.parts.is_empty() {
            true => tree.model.links().skip(1).collect(),
            false => pin.parts.iter().map(|part| figure.part(part)).collect::<Result<Vec<LinkId>, _>>()?,
        };
        for link in links {
            let own = figure.coordinates.of_link(link);
            for (index, &value) in x.iter().enumerate().skip(own.start).take(own.chart.count()) {
                demands.timed.push((new_secs(at), Demand::Coordinate { index, sign: 1.0, value }, true));
            }
        }
    }
    for facing in &goals.facing {
        let at = inside(facing.at_secs)?;
        // The root's first coordinate is its yaw.
        let value = clip.trajectory.coordinates_at(at)[0] + facing.left_deg.to_radians();
        demands.timed.push((new_secs(at), Demand::Coordinate { index: 0, sign: 1.0, value }, true));
    }
    for place in &goals.place {
        let at = inside(place.at_secs)?;
        let link = figure.part(&place.part)?;
        let shift_m = forward * place.forward_m + DVec3::Y.cross(forward) * place.left_m + DVec3::Y * place.up_m;
        let to_m = posed.joint_m(clip, link, at) + shift_m;
        for direction in DVec3::AXES {
            let demand = Demand::Point { link, point_in_link_m: DVec3::ZERO, direction, value_m: direction.dot(to_m) };
            demands.timed.push((new_secs(at), demand, true));
        }
    }
    for above in &goals.above {
        let (from, to) = (new_secs(inside(above.from_secs)?), new_secs(inside(above.to_secs)?));
        let link = figure.part(&above.part)?;
        let value_m = figure.ground_m + above.height_m;
        let steps = ((to - from) / super::demands::WATCH_SECS).ceil().max(1.0) as usize;
        for step in 0..=steps {
            let secs = from + (to - from) * step as f64 / steps as f64;
            let demand = Demand::Point { link, point_in_link_m: DVec3::ZERO, direction: DVec3::Y, value_m };
            demands.timed.push((secs, demand, false));
        }
    }
    Ok(())
}

/// Keeps trunk and head upright behind a flight, as far as the clip does: whoever lands turned could fold up just as well, for all that dynamics
/// says.
pub(super) fn stay_upright(figure: &Figure, own_lean_deg: f64, from: f64, to: f64, demands: &mut Demands) {
    let tree = figure.tree();
    let most_rad = (own_lean_deg + LEAN_MORE_DEG).to_radians();
    let upright =
        |from: (LinkId, DVec3), to: (LinkId, DVec3)| Cone { from, to, middle: DVec3::Y, middle_link: None, most_rad };
    let root = tree.model.links().next();
    if let (Some(chest), Some(root)) = (figure.roles.trunk(tree), root) {
        demands.cones.push((upright((root, DVec3::ZERO), (chest, DVec3::ZERO)), from, to));
    }
    if let Some(head) = figure.roles.head(tree) {
        demands.cones.push((upright((head, DVec3::ZERO), (head, tree.model.inertia(head).com_m)), from, to));
    }
}

/// The direction of a part: to the joint below it, or through its mass.
fn along(figure: &Figure, link: LinkId) -> Cone {
    let model = &figure.tree().model;
    let below = model.links().find(|&other| model.parent(other) == Some(link));
    let to_m = below.map_or(model.inertia(link).com_m, |below| model.offset_m(below));
    Cone { from: (link, DVec3::ZERO), to: (link, to_m), middle: DVec3::Y, middle_link: None, most_rad: 0.0 }
}

/// Looks at poses of a motion.
impl Posed<'_> {
    fn joint_m(&mut self, staged: &Staged, link: LinkId, secs: f64) -> DVec3 {
        self.go(&staged.trajectory.coordinates_at(secs));
        self.work.link(link).joint_in_world_m
    }

    /// A cone about where a direction points on average, seen from a link.
    fn mean_direction(&mut self, staged: &Staged, cone: Cone, seen_from: Option<LinkId>) -> Cone {
        let mut sum = DVec3::ZERO;
        let steps = 100;
        for step in 0..=steps {
            let secs = staged.end_secs * f64::from(step) / f64::from(steps);
            self.go(&staged.trajectory.coordinates_at(secs));
            let at = |(link, point_m): (LinkId, DVec3)| self.work.link(link).point_in_world_m(point_m);
            let direction = (at(cone.to) - at(cone.from)).normalize_or_zero();
            sum += seen_from.map_or(direction, |link| self.work.link(link).world_from_link.transpose() * direction);
        }
        Cone { middle: sum.normalize_or(DVec3::Y), middle_link: seen_from, ..cone }
    }
}

/// Links of an arm or a leg, from one of its links up to where it leaves the trunk: those whose joints carry what the link carries.
pub(super) fn limb_above(figure: &Figure, link: LinkId) -> Vec<LinkId> {
    let model = &figure.tree().model;
    let is_limb = |link: &LinkId| {
        let role = figure.roles.role(*link);
        !matches!(role, None | Some(Role::Hips | Role::Spine(_) | Role::Neck(_) | Role::Head))
    };
    std::iter::successors(Some(link), |link| model.parent(*link)).take_while(is_limb).collect()
}
