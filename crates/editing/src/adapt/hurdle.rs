//! A hurdle as an obstacle: the hump that feet stay above, and what else of a body has to pass over it.

use super::body::Scaled;
use super::figure::Figure;
use super::problem::Hump;
use super::stages::Staged;
use aplomb_motion::Role;
use aplomb_physics::body::Shape;
use aplomb_physics::dynamics::{BodyModel, LinkId};
use glam::DVec3;

/// The obstacle is higher than the hurdle by this, m, and reaches this far to both sides, m.
const SPARE_M: f64 = 0.03;
const HALF_M: f64 = 0.35;
/// What is no foot passes over one that reaches only this far, m: a knee bends over the bar before its foot has left the ground.
const OVER_HALF_M: f64 = 0.2;
/// Of the corners of the toes, as many are watched: those farthest from the sole, whose points are watched anyway. Neighbours say the same thing.
const CORNERS: usize = 2;

/// A point of a link that passes over an obstacle, and how thick the body is around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Over {
    pub link: LinkId,
    pub point_in_link_m: DVec3,
    pub thick_m: f64,
}

impl Over {
    /// What the point stays above.
    pub fn hump(&self, hump: Hump) -> Hump {
        Hump { floor_m: hump.floor_m + self.thick_m, half_m: OVER_HALF_M, ..hump }
    }
}

/// The hump of a hurdle in the middle of a flight, from when on, and until when it is passed.
pub(super) fn hump(
    figure: &Figure,
    staged: &Staged,
    flight: usize,
    hurdle_m: f64,
    share: f64,
) -> Option<(Hump, f64, f64)> {
    let (from, to) = staged.flights[flight];
    let last = staged.of_stage(flight).max_by(|a, b| a.end_secs.total_cmp(&b.end_secs))?;
    let first = staged.of_stage(flight + 1).min_by(|a, b| a.start_secs.total_cmp(&b.start_secs))?;
    let direction = staged.way_over(flight)?;
    let hump = Hump {
        middle_m: last.place_m.midpoint(first.place_m),
        direction,
        half_m: HALF_M,
        floor_m: figure.ground_m,
        height_m: share * (hurdle_m + SPARE_M),
    };
    // The trailing foot passes before its own lift-off is over, or after the landing of the other.
    Some((hump, (from - 0.1).max(0.0), (to + 0.15).min(staged.end_secs)))
}

/// Points of shanks and toes that pass over an obstacle besides the soles. A trailing leg passes with its knee and the upper side of its toes down:
/// with soles alone a knee went through the bar by 30 mm (16_35).
pub(super) fn over(figure: &Figure, tree: &BodyModel, scaled: &[Scaled]) -> Vec<Over> {
    let mut found = Vec::new();
    for link in tree.model.links() {
        let own = figure.skeleton.body.link(tree.joints[link.index()]);
        let factor: f64 = scaled.iter().filter(|own| own.link == link).map(|own| own.factor).product();
        let mut push = |point_in_link_m: DVec3, thick_m: f64| {
            found.push(Over { link, point_in_link_m: point_in_link_m * factor, thick_m });
        };
        for shape in own.map(|own| own.shapes.as_slice()).unwrap_or_default() {
            match (figure.roles.role(link), shape) {
                (Some(Role::Shank(_)), Shape::Capsule { start_m, end_m, radius_m }) => {
                    push(*start_m, *radius_m);
                    push(start_m.midpoint(*end_m), *radius_m);
                }
                (Some(Role::Toe(_)), Shape::Box { centre_m, rotation, half_m }) => {
                    let soles = figure.touches.iter().filter(|own| own.link == link);
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
