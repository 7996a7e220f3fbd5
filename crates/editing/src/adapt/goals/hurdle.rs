//! Something to jump over: a hump that feet stay above, and what else of a body has to pass over it.

use super::goal::{ContinuationStep, Done, Goal, Preparation, within};
use crate::EditingError;
use crate::adapt::problem::{BEYOND_SECS, Constraints, Demand, Hump, Watched, shapes};
use crate::adapt::result::{Cleared, each_look};
use crate::adapt::start::{PlanBuilder, StagedTrajectory};
use crate::adapt::subject::{ChangedBody, Subject};
use aplomb_motion::Role;
use aplomb_physics::body::Shape;
use aplomb_physics::collision::{Convex, nearest};
use aplomb_physics::dynamics::{LinkId, LinkMotion};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A step of continuation makes a hurdle higher by no more than this, m.
const STEP_HEIGHT_M: f64 = 0.26;
/// Flights get longer by so many times the hurdle's height in metres.
const STRETCH_A_METRE: f64 = 2.4;
/// The obstacle is higher than the hurdle by this, m, and reaches this far to both sides, m.
const HURDLE_SPARE_M: f64 = 0.03;
const HALF_M: f64 = 0.35;
/// What is no foot passes over one that reaches only this far, m: a knee bends over the bar before its foot has left
/// the ground.
const OVER_HALF_M: f64 = 0.2;
/// Of the corners of the toes, as many are watched: those farthest from the sole, whose points are watched anyway.
/// Neighbours say the same thing.
const CORNERS: usize = 2;
/// A hurdle's bar is as thick as this, m, and reaches this far to both sides.
const BAR_RADIUS_M: f64 = 0.015;
const BAR_HALF_M: f64 = 0.6;
/// Shapes farther from the bar than this are not of interest, m.
const BAR_FAR_M: f64 = 0.5;

/// Something that both feet clear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hurdle {
    /// Over the ground.
    pub height_m: f64,
    /// Times as long a flight; without it chosen from the height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flight_time: Option<f64>,
}

impl Hurdle {
    /// Times as long a flight.
    pub fn stretch(&self) -> f64 {
        self.flight_time.unwrap_or(1.0 + STRETCH_A_METRE * self.height_m)
    }
}

impl Goal for Hurdle {
    fn check(&self) -> Result<(), EditingError> {
        within("hurdle.height_m", "between 0.05 and 1.2", self.height_m, [0.05, 1.2])?;
        within("hurdle.flight_time", "between 1 and 4 times", self.flight_time, [1.0, 4.0])
    }

    fn needs_flight(&self) -> bool {
        true
    }

    fn landing_goal(&self) -> Option<&'static str> {
        Some("hurdle")
    }

    /// A body that clears a hurdle runs on: a clip that ends with the landing would end in a fall.
    fn prepare(&self, start: &mut Preparation<'_>) -> Result<(), EditingError> {
        start.constraints.ends_secs[1] = BEYOND_SECS;
        Ok(())
    }

    fn plan(&self, plan: &mut PlanBuilder<'_>) {
        let Some(flight) = plan.flight else { return };
        let factor = self.stretch();
        plan.carry_on(flight, factor);
        plan.stretch[flight] *= factor;
        plan.at_least(self.height_m / STEP_HEIGHT_M);
    }

    fn demand(&self, step: &ContinuationStep<'_>, constraints: &mut Constraints) -> Result<(), EditingError> {
        let height_m = step.share * (self.height_m + HURDLE_SPARE_M);
        let Some(hump) = step.flight.and_then(|flight| hump(step.subject, step.staged, flight, height_m)) else {
            return Ok(());
        };
        // The trailing foot passes before its own lift-off is over, or after the landing of the other.
        let (from, to) = step.flight.map_or((0.0, 0.0), |flight| step.staged.flights[flight]);
        let span_secs = ((from - 0.1).max(0.0), (to + 0.15).min(step.staged.end_secs));
        let watched = &mut constraints.demands.watched;
        for (index, touch) in constraints.touches.iter().enumerate().filter(|(_, touch)| touch.is_foot()) {
            let demand = Demand::Above { link: touch.link, point_in_link_m: touch.point_in_link_m, hump };
            watched.push(Watched { demand, span_secs, unless_down: Some(index) });
        }
        for (link, point_in_link_m, thick_m) in points_over(step.subject, step.body) {
            let hump = Hump { floor_m: hump.floor_m + thick_m, half_m: OVER_HALF_M, ..hump };
            let demand = Demand::Above { link, point_in_link_m, hump };
            watched.push(Watched { demand, span_secs, unless_down: None });
        }
        Ok(())
    }

    /// Looks at feet above the bar, and at all shapes around it.
    fn measure(&self, done: &Done<'_>, cleared: &mut Cleared) {
        let hurdle = done.flight.and_then(|flight| hump(done.subject, done.staged, flight, self.height_m));
        let Some(hurdle) = hurdle else { return };
        let (shapes, bar) = (shapes(done.subject, done.body), bar(&hurdle));
        let (mut over_m, mut from_bar_m) = (f64::INFINITY, BAR_FAR_M);
        each_look(done.subject, &done.body.tree, done.staged, |posed| {
            let feet =
                done.constraints.touches.iter().filter(|touch| touch.is_foot()).map(|touch| posed.touch_m(touch));
            let above = feet.filter(|point_m| hurdle.direction.dot(*point_m - hurdle.middle_m).abs() < BAR_RADIUS_M);
            let above_m = above.map(|point_m| point_m.y - hurdle.floor_m - hurdle.height_m);
            over_m = above_m.fold(over_m, f64::min);
            for (link, shape) in &shapes {
                let near = nearest(shape, posed.work.link(*link), &bar, &LinkMotion::REST, from_bar_m);
                from_bar_m = near.map_or(from_bar_m, |near| near.distance_m.min(from_bar_m));
            }
        });
        (cleared.over_hurdle_m, cleared.from_bar_m) = (Some(over_m), Some(from_bar_m));
    }
}

/// The hump of a hurdle in the middle of a flight.
fn hump(subject: &Subject, staged: &StagedTrajectory, flight: usize, height_m: f64) -> Option<Hump> {
    let last = staged.of_stage(flight).max_by(|a, b| a.end_secs.total_cmp(&b.end_secs))?;
    let first = staged.of_stage(flight + 1).min_by(|a, b| a.start_secs.total_cmp(&b.start_secs))?;
    let (direction, middle_m) = (staged.way_over(flight)?, last.place_m.midpoint(first.place_m));
    Some(Hump { middle_m, direction, half_m: HALF_M, floor_m: subject.ground_m, height_m })
}

/// The hurdle's bar: across the way, its top as high as the hurdle.
fn bar(hurdle: &Hump) -> Convex {
    let height_m = hurdle.floor_m + hurdle.height_m - BAR_RADIUS_M;
    let (middle_m, across) = (hurdle.middle_m.with_y(height_m), DVec3::Y.cross(hurdle.direction) * BAR_HALF_M);
    Convex::capsule(middle_m - across, middle_m + across, BAR_RADIUS_M)
}

/// Points of shanks and toes that pass over an obstacle besides the soles, and how thick the body is around each. A
/// trailing leg passes with its knee and the upper side of its toes down: with soles alone a knee went through the bar
/// by 30 mm (16_35).
fn points_over(subject: &Subject, body: &ChangedBody) -> Vec<(LinkId, DVec3, f64)> {
    let tree = &body.tree;
    let mut found = Vec::new();
    for link in tree.model.links() {
        let own = subject.skeleton.body.link(tree.joints[link.index()]);
        let factor = body.changes.factor(link);
        let mut push = |point_in_link_m: DVec3, thick_m: f64| found.push((link, point_in_link_m * factor, thick_m));
        for shape in own.map(|own| own.shapes.as_slice()).unwrap_or_default() {
            match (subject.roles.role(link), shape) {
                (Some(Role::Shank(_)), Shape::Capsule { start_m, end_m, radius_m }) => {
                    push(*start_m, *radius_m);
                    push(start_m.midpoint(*end_m), *radius_m);
                }
                (Some(Role::Toe(_)), Shape::Box { centre_m, rotation, half_m }) => {
                    let soles = subject.touches.iter().filter(|own| own.link == link);
                    let soles: Vec<DVec3> = soles.map(|own| own.point_in_link_m).collect();
                    let from_sole_m =
                        |corner: &DVec3| soles.iter().map(|sole| sole.distance(*corner)).fold(f64::INFINITY, f64::min);
                    let mut corners = SIGNS.map(|signs| *centre_m + *rotation * (*half_m * DVec3::from_array(signs)));
                    corners.sort_by(|a, b| from_sole_m(b).total_cmp(&from_sole_m(a)));
                    corners[..CORNERS].iter().for_each(|corner| push(*corner, 0.0));
                }
                _ => {}
            }
        }
    }
    found
}

/// Corners of a box.
const SIGNS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, 1.0, 1.0],
    [1.0, -1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
];
