//! One figure: the body in one pose, projected, sorted by depth and painted.

use crate::body::{Body, Part, Side};
use crate::camera::Camera;
use crate::scene::{Colour, Element, Group, Paint};
use crate::theme::Palette;
use aplomb_motion::WorldPose;
use glam::{DVec2, DVec3};

/// An axis-aligned box on the picture plane, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub min: DVec2,
    pub max: DVec2,
}

impl Bounds {
    pub const EMPTY: Self = Self { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };

    pub fn include(&mut self, point: DVec2, radius: f64) {
        self.min = self.min.min(point - DVec2::splat(radius));
        self.max = self.max.max(point + DVec2::splat(radius));
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn moved(self, by: DVec2) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    pub fn size(&self) -> DVec2 {
        self.max - self.min
    }
}

/// Extent of the painted figure.
pub(crate) fn bounds(body: &Body, pose: &WorldPose, camera: &Camera) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for segment in &body.segments {
        let (a, b) = segment.ends_in_world_m(pose);
        bounds.include(camera.project(a), segment.radius_m.0);
        bounds.include(camera.project(b), segment.radius_m.1);
    }
    for (point, radius_m) in body.hulls.iter().flatten() {
        bounds.include(camera.project(point.in_world_m(pose)), *radius_m);
    }
    for &(joint, radius_m) in &body.balls {
        bounds.include(camera.project(pose.joint_in_world_m[joint.index()]), radius_m);
    }
    bounds
}

/// How to paint.
#[derive(Clone, Copy)]
pub(crate) struct Style<'a> {
    pub palette: &'a Palette,
    /// One colour for the whole figure (overlays) instead of a colour a side.
    pub single: Option<Colour>,
    /// 0 is full colour, 1 vanishes into the ground: older figures are lighter.
    pub fade: f64,
    pub opacity: f64,
}

impl Style<'_> {
    fn colour(&self, side: Side) -> Colour {
        let colour = self.single.unwrap_or(self.palette.of_side(side));
        colour.mix(self.palette.panel, self.fade)
    }
}

/// Paints the body; `to_px` maps the picture plane (metres, y up) to pixels.
pub(crate) fn draw(
    body: &Body,
    pose: &WorldPose,
    camera: &Camera,
    px_per_m: f64,
    to_px: impl Fn(DVec2) -> DVec2,
    style: &Style,
) -> Group {
    let mut parts: Vec<(f64, Element)> = Vec::with_capacity(body.segments.len() + body.hulls.len());
    let outline_px = (0.011 * px_per_m).clamp(0.7, 1.8);
    let centre_nearness = camera.nearness(pose.joint_in_world_m[body.centre.index()]);
    let paint = |side: Side, nearness: f64| {
        let colour = style.colour(side);
        // Far limbs recede a little; with one colour only, that is what tells left from right.
        let far = nearness < centre_nearness - 0.02 && side != Side::Middle;
        let strength = if style.single.is_some() { 0.3 } else { 0.16 };
        let colour = if far { colour.mix(style.palette.panel, strength) } else { colour };
        Paint::fill(colour).outlined(colour.mix(style.palette.panel, 0.82), outline_px)
    };
    let mut trunk: Vec<(f64, Element)> = Vec::new();
    for segment in &body.segments {
        let (a, b) = segment.ends_in_world_m(pose);
        let nearness = camera.nearness(a.midpoint(b));
        let element = Element::Capsule {
            from: to_px(camera.project(a)),
            to: to_px(camera.project(b)),
            // Thinner than a pixel and a half a bone cannot be seen.
            from_radius: (segment.radius_m.0 * px_per_m).max(0.8),
            to_radius: (segment.radius_m.1 * px_per_m).max(0.8),
            paint: paint(segment.side, nearness),
        };
        let is_trunk =
            segment.side == Side::Middle && matches!(segment.part, Part::Trunk | Part::Clavicle | Part::Neck);
        if is_trunk { &mut trunk } else { &mut parts }.push((nearness, element));
    }
    for hull in &body.hulls {
        let points: Vec<(DVec3, f64)> = hull.iter().map(|(point, radius)| (point.in_world_m(pose), *radius)).collect();
        let nearness = points.iter().map(|(p, _)| camera.nearness(*p)).sum::<f64>() / points.len().max(1) as f64;
        let circles = points.iter().map(|(p, radius)| (to_px(camera.project(*p)), radius * px_per_m));
        let outline = hull_of_circles(circles);
        trunk.push((nearness, Element::Polygon { points: outline, paint: paint(Side::Middle, nearness) }));
    }
    if !trunk.is_empty() {
        let nearness = trunk.iter().map(|(nearness, _)| nearness).sum::<f64>() / trunk.len() as f64;
        parts.push((nearness, merged(trunk.into_iter().map(|(_, element)| element).collect())));
    }
    for &(joint, radius_m) in &body.balls {
        let centre = pose.joint_in_world_m[joint.index()];
        let nearness = camera.nearness(centre);
        let element = Element::Circle {
            centre: to_px(camera.project(centre)),
            radius: radius_m * px_per_m,
            paint: paint(Side::Unknown, nearness),
        };
        parts.push((nearness, element));
    }
    parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut group = Group::new("figure");
    group.opacity = style.opacity;
    group.elements = parts.into_iter().map(|(_, element)| element).collect();
    group
}

/// One shape of many: all outlines first, then all fills over them, so that only the outer outline stays.
fn merged(outlined: Vec<Element>) -> Element {
    let without_stroke = |element: &Element| {
        let mut element = element.clone();
        if let Element::Capsule { paint, .. } | Element::Polygon { paint, .. } = &mut element {
            paint.stroke = None;
        }
        element
    };
    let mut group = Group::new("trunk");
    let fills: Vec<Element> = outlined.iter().map(without_stroke).collect();
    group.elements = outlined;
    group.elements.extend(fills);
    Element::Group(group)
}

/// Convex outline of some circles, each taken as a polygon of 28 corners (off by 0.6 % of the radius, below a pixel).
pub(crate) fn hull_of_circles(circles: impl Iterator<Item = (DVec2, f64)>) -> Vec<DVec2> {
    const CORNERS: usize = 28;
    let corner = |index: usize| DVec2::from_angle(index as f64 * std::f64::consts::TAU / CORNERS as f64);
    let mut points: Vec<DVec2> = Vec::new();
    for (centre, radius) in circles {
        points.extend((0..CORNERS).map(|index| centre + corner(index) * radius));
    }
    convex_hull(points)
}

/// Andrew's monotone chain.
fn convex_hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(p - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_two_circles_is_their_capsule() {
        let outline = hull_of_circles([(DVec2::ZERO, 1.0), (DVec2::new(4.0, 0.0), 1.0)].into_iter());
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &p in &outline {
            min = min.min(p);
            max = max.max(p);
            // Every corner is on one of the circles.
            let off = p.length().min(p.distance(DVec2::new(4.0, 0.0)));
            assert!((off - 1.0).abs() < 1e-12);
        }
        assert!((min - DVec2::new(-1.0, -1.0)).length() < 1e-12 && (max - DVec2::new(5.0, 1.0)).length() < 1e-12);
    }
}
