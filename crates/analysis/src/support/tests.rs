use super::*;

/// Numbers that look random and are the same every time (a linear congruential generator, Knuth's constants).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn point(&mut self) -> DVec2 {
        DVec2::new(self.next() - 0.5, self.next() - 0.5)
    }
}

fn hull_of(points: &mut [DVec2]) -> Vec<DVec2> {
    let mut hull = Vec::new();
    hull_into(points, &mut hull);
    hull
}

/// Distance from a convex hull without making it: the widest gap in any direction. The direction of the widest gap is
/// normal to a line through two corners, or leads from a corner to the point.
fn distance_by_directions(points: &[DVec2], point: DVec2) -> f64 {
    let gap = |direction: DVec2| {
        let nearest = points.iter().map(|corner| direction.dot(*corner)).fold(f64::NEG_INFINITY, f64::max);
        direction.dot(point) - nearest
    };
    let normals = points.iter().flat_map(|a| points.iter().map(move |b| (*b - *a).perp()));
    let directions = normals.chain(points.iter().map(|corner| point - *corner));
    directions.filter_map(DVec2::try_normalize).map(gap).fold(0.0, f64::max)
}

#[test]
fn distances_are_those_of_brute_force() {
    let mut numbers = Numbers(1);
    for case in 0..400 {
        let points: Vec<DVec2> = (0..1 + case % 12).map(|_| numbers.point()).collect();
        let polygon = hull_of(&mut points.clone());
        let turns_left = |i: usize| {
            let corner = |i: usize| polygon[i % polygon.len()];
            (corner(i + 1) - corner(i)).perp_dot(corner(i + 2) - corner(i + 1)) > 0.0
        };
        assert!(polygon.len() < 3 || (0..polygon.len()).all(turns_left), "{polygon:?}");
        for _ in 0..5 {
            let point = numbers.point() * 2.0;
            let found = nearest_point(&polygon, point).distance(point);
            let expected = distance_by_directions(&points, point);
            // Rounding of lengths about 1.
            assert!((found - expected).abs() < 1e-14, "{points:?}, {point}: {found} instead of {expected}");
        }
    }
}

#[test]
fn points_and_lines_are_polygons_too() {
    assert_eq!(hull_of(&mut []), vec![]);
    assert_eq!(hull_of(&mut [DVec2::ONE, DVec2::ONE, DVec2::ONE]), vec![DVec2::ONE]);
    let line = hull_of(&mut [DVec2::ZERO, DVec2::X, DVec2::X * 0.5, DVec2::X]);
    assert_eq!(line, vec![DVec2::ZERO, DVec2::X]);
    assert_eq!(nearest_point(&line, DVec2::new(0.3, 2.0)), DVec2::new(0.3, 0.0));
    assert_eq!(nearest_point(&[DVec2::ONE], DVec2::ZERO), DVec2::ONE);
    assert_eq!(nearest_point(&[], DVec2::ONE), DVec2::ONE);
}

#[test]
fn a_plane_leads_there_and_back() {
    let slope = Ground::new(DVec3::new(1.0, 2.0, 3.0), DVec3::new(-0.3, 1.0, 0.2)).unwrap();
    let plane = SupportPlane::new(slope, 0.25);
    assert!((plane.across.cross(plane.along) - slope.normal()).length() < 1e-15);
    let point_m = plane.world_m(DVec2::new(0.7, -0.4));
    assert!((slope.height_m(point_m) - 0.25).abs() < 1e-15);
    assert!((plane.flat_m(point_m) - DVec2::new(0.7, -0.4)).length() < 1e-15);
    let level = SupportPlane::new(Ground::default(), 0.0);
    assert_eq!((level.across, level.along), (DVec3::Z, DVec3::X));
}
