//! Limbs inside limbs.
//!
//! Every shape of a link is taken as a capsule, and two capsules overlap by the sum of their radii less the distance of
//! their axes. The distance of two segments is twenty lines (Ericson 2005, §5.1.9); a collision library would bring its
//! own shapes, spaces and pipeline for it.

use crate::posed::{Pose, Posed};
use crate::report::IntersectionFinding;
use aplomb_motion::JointId;
use aplomb_physics::{Body, Shape};
use glam::{DQuat, DVec3};

/// Looked at this often at most, Hz; around the worst moment every frame is.
const SAMPLED_HZ: f64 = 30.0;

/// Shapes are rough and flesh gives way: overlaps beyond the usual count from this on, m.
const LEAST_DEPTH_M: f64 = 0.06;

/// They also take this share of the thinner part's thickness: a hand may rest on a thigh, but not be inside it.
const LEAST_OVERLAP_SHARE: f64 = 0.6;

/// Shorter than this is a touch, s.
const LEAST_OVERLAP_SECS: f64 = 0.1;

struct Capsule {
    joint: JointId,
    start_m: DVec3,
    end_m: DVec3,
    radius_m: f64,
}

/// In the world.
#[derive(Clone, Copy, Default)]
struct PlacedShape {
    start_m: DVec3,
    end_m: DVec3,
    middle_m: DVec3,
    reach_m: f64,
}

struct PartPair {
    a: usize,
    b: usize,
    /// The overlap this pair usually has; 0 if it usually has none.
    usual_m: f64,
    depths_m: Vec<f64>,
}

/// Worst first, one finding a pair of links.
pub(super) fn findings(body: &Body, posed: &Posed, times_secs: &[f64]) -> Vec<IntersectionFinding> {
    let capsules = capsules(body);
    let rows = posed.rows().min(times_secs.len());
    if rows == 0 {
        return Vec::new();
    }
    let span_secs = times_secs[rows - 1] - times_secs[0];
    let step = match span_secs > 0.0 {
        true => ((rows - 1) as f64 / span_secs / SAMPLED_HZ).floor().max(1.0) as usize,
        false => 1,
    };
    let sampled: Vec<usize> = (0..rows).step_by(step).collect();
    let mut placed = vec![PlacedShape::default(); capsules.len()];
    let mut pairs = pairs(body, &capsules);
    for &row in &sampled {
        place(&capsules, posed.row(row), &mut placed);
        for pair in &mut pairs {
            pair.depths_m.push(depth_m(&capsules, &placed, pair));
        }
    }
    let least_rows =
        (LEAST_OVERLAP_SECS * sampled.len() as f64 / span_secs.max(LEAST_OVERLAP_SECS)).round().max(1.0) as usize;
    let mut found: Vec<IntersectionFinding> = Vec::new();
    for pair in &mut pairs {
        let thinner_m = capsules[pair.a].radius_m.min(capsules[pair.b].radius_m);
        let least_m = LEAST_DEPTH_M.max(LEAST_OVERLAP_SHARE * 2.0 * thinner_m);
        // What a limb does all the time is a matter of shapes, up to a point: an arm that stays in the belly is a
        // fault.
        pair.usual_m = crate::median::median(&mut pair.depths_m.clone()).unwrap_or(0.0).clamp(0.0, least_m);
        let beyond = pair.depths_m.iter().filter(|&&depth_m| depth_m - pair.usual_m > least_m).count();
        let deepest = (0..sampled.len()).max_by(|&i, &j| pair.depths_m[i].total_cmp(&pair.depths_m[j]));
        let Some(deepest) = deepest.filter(|_| beyond >= least_rows) else { continue };
        // Every frame around the deepest sample.
        let around = sampled[deepest].saturating_sub(step)..(sampled[deepest] + step + 1).min(rows);
        let refined = around.map(|row| {
            place(&capsules, posed.row(row), &mut placed);
            (row, depth_m(&capsules, &placed, pair))
        });
        let Some((row, depth_m)) = refined.max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        let name = |capsule: usize| body.skeleton().joint(capsules[capsule].joint).name.clone();
        found.push(IntersectionFinding {
            joint_a: name(pair.a),
            joint_b: name(pair.b),
            depth_m: depth_m - pair.usual_m,
            secs: times_secs[row],
            share: beyond as f64 / sampled.len() as f64,
        });
    }
    found.sort_by(|a, b| b.depth_m.total_cmp(&a.depth_m));
    let mut seen = std::collections::HashSet::new();
    found.retain(|it| seen.insert((it.joint_a.clone(), it.joint_b.clone())));
    found
}

/// Boxes and ellipsoids become capsules along their longest axis, as thick as their other two on average.
fn capsules(body: &Body) -> Vec<Capsule> {
    let links = body.links().iter().flat_map(|link| link.shapes.iter().map(move |shape| (link.joint, *shape)));
    let capsule = |(joint, shape): (JointId, Shape)| match shape {
        Shape::Capsule { start_m, end_m, radius_m } => Capsule { joint, start_m, end_m, radius_m },
        Shape::Box { centre_m, rotation, half_m } | Shape::Ellipsoid { centre_m, rotation, half_m } => {
            let axis = match half_m.max_element() {
                longest if longest == half_m.x => DVec3::X,
                longest if longest == half_m.y => DVec3::Y,
                _ => DVec3::Z,
            };
            let long_m = half_m.max_element();
            let radius_m = (0.5 * (half_m.element_sum() - long_m)).min(long_m);
            let along_m: DVec3 = rotation * axis * (long_m - radius_m);
            Capsule { joint, start_m: centre_m - along_m, end_m: centre_m + along_m, radius_m }
        }
    };
    links.map(capsule).filter(|it| it.radius_m > 0.0 && it.radius_m.is_finite()).collect()
}

/// Pairs of links at least three steps apart in the tree of links. Neighbours always overlap, and so do parts that hang
/// on the same link (both thighs at the hips, shoulder girdles and head at the chest).
fn pairs(body: &Body, capsules: &[Capsule]) -> Vec<PartPair> {
    let skeleton = body.skeleton();
    let above = |joint: JointId| {
        let mut at = skeleton.joint(joint).parent;
        while let Some(parent) = at {
            if body.link(parent).is_some() {
                return Some(parent);
            }
            at = skeleton.joint(parent).parent;
        }
        None
    };
    let is_near = |a: JointId, b: JointId| {
        let two_up = |joint: JointId| [Some(joint), above(joint), above(joint).and_then(above)];
        let (of_a, of_b) = (two_up(a), two_up(b));
        let steps = |i: usize, j: usize| i + j <= 2 && of_a[i].is_some() && of_a[i] == of_b[j];
        (0..3).any(|i| (0..3).any(|j| steps(i, j)))
    };
    let mut pairs = Vec::new();
    for a in 0..capsules.len() {
        for b in a + 1..capsules.len() {
            let (joint_a, joint_b) = (capsules[a].joint, capsules[b].joint);
            if joint_a != joint_b && !is_near(joint_a, joint_b) {
                pairs.push(PartPair { a, b, usual_m: 0.0, depths_m: Vec::new() });
            }
        }
    }
    pairs
}

fn place(capsules: &[Capsule], pose: Pose<'_>, placed: &mut [PlacedShape]) {
    for (capsule, placed) in capsules.iter().zip(placed) {
        let joint = capsule.joint.index();
        let (turn, at_m): (DQuat, DVec3) = (pose.world_from_joint[joint], pose.joints_m[joint]);
        let (start_m, end_m) = (at_m + turn * capsule.start_m, at_m + turn * capsule.end_m);
        let reach_m = 0.5 * start_m.distance(end_m) + capsule.radius_m;
        *placed = PlacedShape { start_m, end_m, middle_m: start_m.midpoint(end_m), reach_m };
    }
}

/// Overlap, m; 0 or less where there is none (not measured further once balls around the two are apart).
fn depth_m(capsules: &[Capsule], placed: &[PlacedShape], pair: &PartPair) -> f64 {
    let (a, b) = (&placed[pair.a], &placed[pair.b]);
    let reach_m = a.reach_m + b.reach_m;
    if a.middle_m.distance_squared(b.middle_m) >= reach_m * reach_m {
        return 0.0;
    }
    let apart_m = segment_distance_m(a.start_m, a.end_m, b.start_m, b.end_m);
    capsules[pair.a].radius_m + capsules[pair.b].radius_m - apart_m
}

/// Distance of two segments (Ericson 2005, §5.1.9): the lines' nearest points, clamped to one segment, then to the
/// other.
fn segment_distance_m(p1: DVec3, q1: DVec3, p2: DVec3, q2: DVec3) -> f64 {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    // Segments shorter than a micrometre are points.
    let least = 1e-12;
    let (s, t) = match (a <= least, e <= least) {
        (true, true) => (0.0, 0.0),
        (true, false) => (0.0, (f / e).clamp(0.0, 1.0)),
        (false, true) => ((-d1.dot(r) / a).clamp(0.0, 1.0), 0.0),
        (false, false) => {
            let (b, c) = (d1.dot(d2), d1.dot(r));
            let across = a * e - b * b;
            let s = if across > 1e-9 * a * e { ((b * f - c * e) / across).clamp(0.0, 1.0) } else { 0.0 };
            let t = (b * s + f) / e;
            match t {
                ..0.0 => ((-c / a).clamp(0.0, 1.0), 0.0),
                t if t > 1.0 => (((b - c) / a).clamp(0.0, 1.0), 1.0),
                t => (s, t),
            }
        }
    };
    (p1 + d1 * s).distance(p2 + d2 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_segments() {
        let d = segment_distance_m;
        // Crossing at a height; beside each other; end to end; a point and a line.
        assert!((d(DVec3::NEG_X, DVec3::X, DVec3::new(0.0, 0.3, -1.0), DVec3::new(0.0, 0.3, 1.0)) - 0.3).abs() < 1e-12);
        assert!((d(DVec3::ZERO, DVec3::X, DVec3::new(0.5, 0.0, 0.2), DVec3::new(3.0, 0.0, 0.2)) - 0.2).abs() < 1e-12);
        assert!((d(DVec3::ZERO, DVec3::X, DVec3::new(2.0, 0.0, 0.0), DVec3::new(5.0, 0.0, 0.0)) - 1.0).abs() < 1e-12);
        assert!((d(DVec3::Y, DVec3::Y, DVec3::NEG_X, DVec3::X) - 1.0).abs() < 1e-12);
        assert!((d(DVec3::NEG_X, DVec3::X, DVec3::Y, DVec3::Y) - 1.0).abs() < 1e-12);
        assert!((d(DVec3::Y, DVec3::Y, DVec3::Z, DVec3::Z) - 2f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn nearest_points_of_random_segments_are_nearest() {
        // Against a grid over both parameters: no pair of grid points is nearer, and some is hardly farther.
        for case in 0..50 {
            let at = |i: usize| {
                DVec3::new(
                    ((case * 7 + i * 3) % 11) as f64,
                    ((case * 5 + i * 8) % 13) as f64,
                    ((case + i * 4) % 7) as f64,
                )
            };
            let found = segment_distance_m(at(0), at(1), at(2), at(3));
            let mut best = f64::INFINITY;
            for s in 0..=100 {
                for t in 0..=100 {
                    best = best
                        .min(at(0).lerp(at(1), f64::from(s) / 100.0).distance(at(2).lerp(at(3), f64::from(t) / 100.0)));
                }
            }
            assert!(found <= best + 1e-9 && best - found < 0.15, "{case}: {found} against {best}");
        }
    }
}
