//! The ground seen from above: paths, foot traces, footprints and facing.

use crate::body::Side;
use crate::camera::Camera;
use crate::clip_measures::{ClipMeasures, Sample, facing};
use crate::figure::hull_of_circles;
use crate::scene::{Colour, Element, Group, Paint};
use crate::theme::Palette;
use aplomb_motion::WorldPose;
use glam::{DVec2, DVec3};

/// A foot this part of the stature above its standing height counts as on the ground (5 cm of 1.75 m): the print
/// is an orientation for the eye, not a contact label.
const PRINT_HEIGHT: f64 = 0.03;

/// Points of a path on the picture, without those closer than a third of a pixel to the last.
pub(crate) fn path_px(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut path: Vec<DVec2> = Vec::new();
    let mut last_skipped = None;
    for p in points {
        if path.last().is_none_or(|last| last.distance_squared(p) > 0.1) {
            path.push(p);
            last_skipped = None;
        } else {
            last_skipped = Some(p);
        }
    }
    path.extend(last_skipped);
    path
}

/// Thin lines of the feet over `samples`.
pub(crate) fn foot_traces(
    group: &mut Group,
    measures: &ClipMeasures,
    samples: &[Sample],
    camera: &Camera,
    to_px: &impl Fn(DVec2) -> DVec2,
    colour_of: impl Fn(Side) -> Colour,
) {
    for (index, foot) in measures.body.feet.iter().enumerate() {
        let points = samples.iter().filter_map(|sample| sample.feet_m.get(index));
        let path = path_px(points.map(|&p| to_px(camera.project(p))));
        group.polyline(path, Paint::line(colour_of(foot.side), 1.0).opacity(0.7));
    }
}

/// Outlines of the feet that are near the ground in this pose.
pub(crate) fn footprints(
    group: &mut Group,
    measures: &ClipMeasures,
    pose: &WorldPose,
    camera: &Camera,
    px_per_m: f64,
    to_px: &impl Fn(DVec2) -> DVec2,
    colour_of: impl Fn(Side) -> Colour,
) {
    let body = &measures.body;
    for (index, foot) in body.feet.iter().enumerate() {
        let height_m = foot.trace.in_world_m(pose).y;
        let standing_m = measures.standing_m.get(index).copied().unwrap_or(0.0);
        if height_m - standing_m > PRINT_HEIGHT * measures.stature_m {
            continue;
        }
        let circles = foot.segments.iter().filter_map(|&segment| body.segments.get(segment)).flat_map(|segment| {
            let (a, b) = segment.ends_in_world_m(pose);
            [(a, segment.radius_m.0), (b, segment.radius_m.1)]
        });
        let circles = circles.map(|(p, radius_m)| (to_px(camera.project(p)), radius_m * px_per_m + 1.5));
        let colour = colour_of(foot.side);
        group.push(Element::Polygon { points: hull_of_circles(circles), paint: Paint::line(colour, 1.3) });
    }
}

/// An arrow on the ground where the body is, along its facing.
pub(crate) fn facing_tick(
    group: &mut Group,
    measures: &ClipMeasures,
    pose: &WorldPose,
    camera: &Camera,
    to_px: &impl Fn(DVec2) -> DVec2,
    palette: &Palette,
    colour: Colour,
) {
    let centre = pose.joint_in_world_m[measures.body.centre.index()];
    let at = to_px(camera.project(centre));
    if let Some(facing) = facing(&measures.body, pose) {
        let tip_m: DVec3 = centre + facing * (0.15 * measures.stature_m);
        let tip = to_px(camera.project(tip_m));
        let along = (tip - at).normalize_or_zero();
        let wing = |turn: f64| tip - (along * 6.0) + along.perp() * (3.2 * turn);
        group.line(at, tip, Paint::line(palette.panel, 4.0));
        group.line(at, tip, Paint::line(colour, 1.8));
        let head = vec![tip + along * 3.0, wing(1.0), wing(-1.0)];
        group.push(Element::Polygon { points: head, paint: Paint::fill(colour).outlined(palette.panel, 0.8) });
    }
    group.circle(at, 3.0, Paint::fill(colour).outlined(palette.panel, 1.2));
}
