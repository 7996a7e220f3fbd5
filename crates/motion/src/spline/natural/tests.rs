use super::*;
use glam::DVec3;
use proptest::prelude::*;

fn rough_points() -> (Vec<f64>, Vec<f64>) {
    let times = vec![-1.0, -0.2, 0.0, 0.7, 1.1, 3.0];
    let values = vec![2.0, -1.0, 0.5, 0.4, 3.0, -2.0];
    (times, values)
}

#[test]
fn three_points_have_the_closed_form() {
    // Through (0,0), (1,1), (2,0): M₁ = 6(−1 − 1)/4 = −3, so x = 3t/2 − t³/2 on the first half, mirrored on the second.
    let spline = NaturalSpline::new(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0]).unwrap();
    for t in [0.0, 0.3, 0.5, 1.0] {
        let sample = spline.sample(t);
        assert!((sample.value - (1.5 * t - 0.5 * t * t * t)).abs() < 1e-15, "{t}");
        assert!((sample.first_derivative - (1.5 - 1.5 * t * t)).abs() < 1e-15, "{t}");
        assert!((sample.second_derivative + 3.0 * t).abs() < 1e-15, "{t}");
        assert!((spline.value(2.0 - t) - sample.value).abs() < 1e-15, "mirror of {t}");
    }
}

#[test]
fn a_curve_that_is_itself_natural_comes_back() {
    // Integrated twice from x″ = 0, 1, 3, 0 at the knots and linear between: natural by construction.
    let knots = [0.0, 1.0, 2.5, 4.0];
    let bends = [0.0, 1.0, 3.0, 0.0];
    let (mut value, mut slope) = (0.7, -1.2);
    let mut values = vec![value];
    for i in 0..3 {
        let h = knots[i + 1] - knots[i];
        value += slope * h + h * h * (2.0 * bends[i] + bends[i + 1]) / 6.0;
        slope += 0.5 * h * (bends[i] + bends[i + 1]);
        values.push(value);
    }
    let spline = NaturalSpline::new(&knots, &values).unwrap();
    for (knot, bend) in knots.iter().zip(bends) {
        assert!((spline.sample(*knot).second_derivative - bend).abs() < 1e-13);
    }
    assert!((spline.sample(4.0).first_derivative - slope).abs() < 1e-13);
}

#[test]
fn it_passes_through_the_points_with_no_bend_at_the_ends() {
    let (times, values) = rough_points();
    let spline = NaturalSpline::new(&times, &values).unwrap();
    for (time, value) in times.iter().zip(&values) {
        assert!((spline.value(*time) - value).abs() < 1e-15);
    }
    assert_eq!(spline.sample(-1.0).second_derivative, 0.0);
    assert_eq!(spline.sample(3.0).second_derivative, 0.0);
}

#[test]
fn it_is_twice_continuous_across_knots_and_ends() {
    let (times, values) = rough_points();
    let spline = NaturalSpline::new(&times, &values).unwrap();
    for knot in times {
        let (before, after) = (spline.sample(knot - 1e-9), spline.sample(knot + 1e-9));
        // Third derivatives are below 300, so 2e-9 s apart nothing smooth moves further than this.
        assert!((before.value - after.value).abs() < 1e-7, "value at {knot}");
        assert!((before.first_derivative - after.first_derivative).abs() < 1e-6, "slope at {knot}");
        assert!((before.second_derivative - after.second_derivative).abs() < 1e-6, "bend at {knot}");
    }
}

#[test]
fn beyond_the_ends_it_goes_straight_on() {
    let (times, values) = rough_points();
    let spline = NaturalSpline::new(&times, &values).unwrap();
    let end = spline.sample(3.0);
    let beyond = spline.sample(5.0);
    assert_eq!(beyond.value, end.value + 2.0 * end.first_derivative);
    assert_eq!((beyond.first_derivative, beyond.second_derivative), (end.first_derivative, 0.0));
    let start = spline.sample(-1.0);
    assert_eq!(spline.value(-1.5), start.value - 0.5 * start.first_derivative);
}

#[test]
fn two_points_are_a_line_for_vectors_too() {
    let (a, b) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(3.0, 2.0, -1.0));
    let spline = NaturalSpline::new(&[1.0, 3.0], &[a, b]).unwrap();
    assert_eq!(spline.value(2.0), (a + b) / 2.0);
    assert_eq!(spline.sample(1.5).first_derivative, (b - a) / 2.0);
    assert_eq!(spline.value(5.0), b + (b - a));
}

#[test]
fn it_converges_with_fourth_order_inside() {
    let error = |count: usize| {
        let times: Vec<f64> = (0..=count).map(|i| i as f64 / count as f64).collect();
        let values: Vec<f64> = times.iter().map(|t| (5.0 * t).sin()).collect();
        let spline = NaturalSpline::new(&times, &values).unwrap();
        (300..700).map(|i| i as f64 / 1000.0).map(|t| (spline.value(t) - (5.0 * t).sin()).abs()).fold(0.0, f64::max)
    };
    let ratio = error(40) / error(80);
    assert!((14.0..18.0).contains(&ratio), "{ratio}");
}

#[test]
fn unusable_points_are_refused() {
    let refused = |times: &[f64], values: &[f64]| NaturalSpline::new(times, values).unwrap_err();
    assert!(matches!(refused(&[], &[]), SplineError::TooFew { found: 0, .. }));
    assert!(matches!(refused(&[1.0], &[1.0]), SplineError::TooFew { found: 1, .. }));
    assert!(matches!(refused(&[1.0, 2.0], &[1.0]), SplineError::Count { expected: 2, found: 1, .. }));
    assert!(matches!(refused(&[1.0, 1.0], &[0.0, 0.0]), SplineError::KnotsNotRising { index: 1, .. }));
    assert!(matches!(refused(&[1.0, 2.0, 0.0], &[0.0; 3]), SplineError::KnotsNotRising { index: 2, .. }));
    assert!(matches!(refused(&[f64::NAN, 2.0], &[0.0; 2]), SplineError::KnotsNotRising { index: 0, .. }));
}

proptest! {
    #[test]
    fn derivatives_match_differences(time in -1.5..3.5_f64) {
        let (times, values) = rough_points();
        let spline = NaturalSpline::new(&times, &values).unwrap();
        let step = 1e-5;
        // Away from knots, where the third derivative (below 300) jumps. Truncation is 300·step²/6, rounding
        // 1e-15/step.
        prop_assume!(times.iter().all(|knot| (knot - time).abs() > step));
        let (before, here, after) = (spline.sample(time - step), spline.sample(time), spline.sample(time + step));
        prop_assert!(((after.value - before.value) / (2.0 * step) - here.first_derivative).abs() < 1e-8);
        let bend = (after.first_derivative - before.first_derivative) / (2.0 * step);
        prop_assert!((bend - here.second_derivative).abs() < 1e-8);
    }

    #[test]
    fn no_other_interpolant_bends_less(nudge in -0.2..0.2_f64, bump in 0_usize..5) {
        prop_assume!(nudge.abs() > 1e-3);
        // Add a bump that is zero with its slope at the knots of one segment: ∫x″² must grow, whichever way it points.
        let (times, values) = rough_points();
        let spline = NaturalSpline::new(&times, &values).unwrap();
        let (start, end) = (times[bump], times[bump + 1]);
        let h = end - start;
        let count = 2000;
        let mut change = 0.0;
        for i in 0..count {
            let u = (i as f64 + 0.5) / count as f64;
            let here = spline.sample(start + u * h).second_derivative;
            // (u²(1−u)²)″/h²
            let added = nudge * (2.0 - 12.0 * u + 12.0 * u * u) / (h * h);
            change += ((here + added).powi(2) - here * here) * h / count as f64;
        }
        prop_assert!(change > 0.0, "{}", change);
    }
}
