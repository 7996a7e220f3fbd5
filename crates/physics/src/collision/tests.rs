use super::*;
use crate::dynamics::{JointKind, Model, Workspace};
use crate::spatial::SpatialInertia;
use proptest::prelude::*;

/// A link that hangs somewhere in the world.
fn placed(at_m: DVec3, turn: DQuat) -> LinkMotion {
    let mut builder = Model::builder();
    let link = builder.add(None, "held", JointKind::Fixed, at_m, turn, SpatialInertia::ZERO);
    let model = builder.build().unwrap();
    let mut work = Workspace::new(&model);
    work.place(&model, &[]);
    *work.link(link)
}

fn turn() -> impl Strategy<Value = DQuat> {
    (-3.0..3.0f64, -3.0..3.0f64, -3.0..3.0f64).prop_map(|(x, y, z)| DQuat::from_scaled_axis(DVec3::new(x, y, z)))
}

fn vector(most: f64) -> impl Strategy<Value = DVec3> {
    (-most..most, -most..most, -most..most).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

#[test]
fn a_ball_over_a_drum_is_as_far_as_it_is_high() {
    let drum = Convex::cylinder(DVec3::ZERO, DQuat::IDENTITY, 0.2, 0.15);
    let ball = Convex::ball(DVec3::ZERO, 0.05);
    for (height_m, expected) in [(0.30, 0.05), (0.25, 0.0), (0.24, -0.01)] {
        let above = placed(DVec3::new(0.03, height_m, -0.02), DQuat::IDENTITY);
        let found = nearest(&ball, &above, &drum, &placed(DVec3::ZERO, DQuat::IDENTITY), 0.1).unwrap();
        assert!((found.distance_m - expected).abs() < 1e-9, "{found:?}");
        assert!(found.normal.distance(DVec3::Y) < 1e-6, "{found:?}");
        assert!((found.on_b_m.y - 0.2).abs() < 1e-9, "{found:?}");
    }
}

#[test]
fn overlapping_cores_are_pushed_out_the_short_way() {
    let block = Convex::cuboid(DVec3::ZERO, DQuat::IDENTITY, DVec3::new(0.5, 0.1, 0.5));
    let other = Convex::cuboid(DVec3::ZERO, DQuat::IDENTITY, DVec3::splat(0.1));
    let above = placed(DVec3::new(0.05, 0.15, 0.03), DQuat::IDENTITY);
    let found = nearest(&other, &above, &block, &placed(DVec3::ZERO, DQuat::IDENTITY), 0.0).unwrap();
    assert!((found.distance_m + 0.05).abs() < 1e-9 && found.normal.distance(DVec3::Y) < 1e-9, "{found:?}");
}

#[test]
fn shapes_far_apart_and_shapes_without_size() {
    let ball = Convex::ball(DVec3::ZERO, 0.1);
    let far = placed(DVec3::X * 3.0, DQuat::IDENTITY);
    assert_eq!(nearest(&ball, &far, &ball, &placed(DVec3::ZERO, DQuat::IDENTITY), 0.02), None);
    assert!(!Convex::ball(DVec3::ZERO, 0.0).is_solid() && !Convex::ball(DVec3::ZERO, f64::NAN).is_solid());
    assert!(!Convex::cuboid(DVec3::ZERO, DQuat::IDENTITY, DVec3::new(-0.1, 1.0, 1.0)).is_solid());
    assert!(ball.is_solid());
}

proptest! {
    /// Two capsules: the distance of two lines, searched by brute force.
    #[test]
    fn capsules_are_apart_as_lines_are(a in vector(0.5), b in vector(0.5), c in vector(0.5), d in vector(0.5), at in vector(1.0), q in turn()) {
        prop_assume!(a.distance(b) > 0.05 && c.distance(d) > 0.05);
        let (one, other) = (placed(at, q), placed(DVec3::ZERO, DQuat::IDENTITY));
        let within = nearest(&Convex::capsule(a, b, 0.05), &one, &Convex::capsule(c, d, 0.08), &other, 10.0).unwrap();
        let (a, b) = (at + q * a, at + q * b);
        let mut least = f64::INFINITY;
        for step in 0..=400 {
            let p = a.lerp(b, f64::from(step) / 400.0);
            let share = ((p - c).dot(d - c) / (d - c).length_squared()).clamp(0.0, 1.0);
            least = least.min(p.distance(c.lerp(d, share)));
        }
        // The search steps by 1/400 of a line of at most 1.8 m, and misses the nearest point by half a step.
        prop_assert!(within.distance_m <= least - 0.13 + 1e-9 && within.distance_m >= least - 0.13 - 3e-3, "{} {}", within.distance_m, least - 0.13);
        // A distance is that between the points it tells.
        prop_assert!((within.on_a_m - within.on_b_m).dot(within.normal) - within.distance_m < 1e-6);
    }

    /// Pairs whose boxes do not overlap are not near; the hierarchy finds all others.
    #[test]
    fn the_hierarchy_finds_what_all_pairs_find(places in prop::collection::vec((vector(1.0), turn()), 12)) {
        let shape = Convex::capsule(DVec3::Y * -0.2, DVec3::Y * 0.2, 0.05);
        let links: Vec<LinkMotion> = places.iter().map(|&(at, q)| placed(at, q)).collect();
        let mut broad = Broad::default();
        // Twice: the second time boxes are moved, not made.
        broad.fit(links.iter().rev().map(|link| (&shape, link)), 0.01);
        broad.fit(links.iter().map(|link| (&shape, link)), 0.01);
        for (i, a) in links.iter().enumerate() {
            let mut found = Vec::new();
            broad.near(i, |other| found.push(other));
            for (j, b) in links.iter().enumerate() {
                if nearest(&shape, a, &shape, b, 0.02).is_some() {
                    prop_assert!(found.contains(&j), "{i} {j}");
                }
            }
        }
    }
}
