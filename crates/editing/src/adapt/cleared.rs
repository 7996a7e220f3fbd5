//! Heights that were promised, measured by poses and collision shapes instead of the rows that asked for them: a lifted foot over the ground, feet and
//! everything else over a hurdle.

use super::body::Scaled;
use super::figure::Figure;
use super::limbs::shapes;
use super::posed::Posed;
use super::problem::Hump;
use super::settings::Settings;
use super::stages::Staged;
use aplomb_physics::collision::{Convex, nearest};
use aplomb_physics::dynamics::{BodyModel, LinkMotion};
use glam::DVec3;
use serde::Serialize;

/// Looked at this often, s: five times as often as rows stand. Feet pass hurdles at ten metres a second.
const LOOK_SECS: f64 = 0.002;
/// A hurdle's bar is as thick as this, m, and reaches this far to both sides.
const BAR_RADIUS_M: f64 = 0.015;
const BAR_HALF_M: f64 = 0.6;
/// Shapes farther from the bar than this are not of interest, m.
const FAR_M: f64 = 0.5;

/// What was cleared, and by how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Cleared {
    /// Lowest that heel, ball or toe of a lifted foot come, over the ground, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifted_foot_m: Option<f64>,
    /// Lowest that heel, ball or toe of a foot pass over a hurdle, over its top, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_hurdle_m: Option<f64>,
    /// Nearest that any shape of the body comes to the hurdle's bar, m; negative if it is hit. As far as it looks if nothing comes that near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_bar_m: Option<f64>,
}

/// Looks at a motion; `hurdle_m` is the height of the hurdle that was asked for.
pub(super) fn cleared(
    figure: &Figure,
    tree: &BodyModel,
    staged: &Staged,
    settings: &Settings,
    scaled: &[Scaled],
    hurdle_m: Option<f64>,
) -> Cleared {
    let demands = &settings.demands;
    let hurdle = demands.hump.zip(hurdle_m).map(|((hump, ..), height_m)| Hump { height_m, ..hump });
    let mut found = Cleared {
        lifted_foot_m: (!demands.lifted.is_empty()).then_some(f64::INFINITY),
        over_hurdle_m: hurdle.map(|_| f64::INFINITY),
        from_bar_m: hurdle.map(|_| FAR_M),
    };
    if found == Cleared::default() {
        return found;
    }
    let body = if hurdle.is_some() { shapes(figure, tree, scaled) } else { Vec::new() };
    let mut posed = Posed::new(figure, tree);
    let steps = (staged.end_secs / LOOK_SECS).ceil().max(1.0) as usize;
    for step in 0..=steps {
        let secs = staged.end_secs * step as f64 / steps as f64;
        posed.go(&staged.trajectory.coordinates_at(secs));
        let work = &posed.work;
        let point_m = |touch: usize| {
            let own = &settings.touches[touch];
            work.link(own.link).point_in_world_m(own.point_in_link_m)
        };
        if let Some(least_m) = &mut found.lifted_foot_m {
            let heights = demands.lifted.iter().map(|(touch, _)| point_m(*touch).y - figure.ground_m);
            *least_m = heights.fold(*least_m, f64::min);
        }
        let Some(hurdle) = &hurdle else { continue };
        let feet = (0..settings.touches.len()).filter(|touch| settings.touches[*touch].group < 2).map(point_m);
        let above = feet.filter(|point_m| hurdle.direction.dot(*point_m - hurdle.middle_m).abs() < BAR_RADIUS_M);
        let above_m = above.map(|point_m| point_m.y - hurdle.floor_m - hurdle.height_m);
        found.over_hurdle_m = found.over_hurdle_m.map(|least_m| above_m.fold(least_m, f64::min));
        let bar = bar(hurdle);
        for (link, shape) in &body {
            let least_m = found.from_bar_m.unwrap_or(FAR_M);
            let near = nearest(shape, work.link(*link), &bar, &LinkMotion::REST, least_m);
            found.from_bar_m = Some(near.map_or(least_m, |near| near.distance_m.min(least_m)));
        }
    }
    found
}

/// Across the way, its top as high as the hurdle.
fn bar(hurdle: &Hump) -> Convex {
    let height_m = hurdle.floor_m + hurdle.height_m - BAR_RADIUS_M;
    let (middle_m, across) = (hurdle.middle_m.with_y(height_m), DVec3::Y.cross(hurdle.direction) * BAR_HALF_M);
    Convex::capsule(middle_m - across, middle_m + across, BAR_RADIUS_M)
}
