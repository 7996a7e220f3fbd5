use super::*;
use glam::DVec3;
use proptest::prelude::*;

fn uneven() -> KnotBasis {
    // A double knot at 1.0 and a triple one at 2.0.
    KnotBasis::clamped(&[-0.5, 0.0, 0.3, 1.0, 1.0, 1.7, 2.0, 2.0, 2.0, 2.5]).unwrap()
}

fn uniform() -> UniformBasis {
    UniformBasis::new(-0.5, 0.25, 15).unwrap()
}

/// The control points that make a spline the polynomial with this symmetric three-argument form (its blossom).
fn blossom_controls(basis: &KnotBasis, blossom: impl Fn(f64, f64, f64) -> f64) -> Vec<f64> {
    let knots = basis.knots_secs();
    (0..basis.control_count()).map(|i| blossom(knots[i + 1], knots[i + 2], knots[i + 3])).collect()
}

fn same_knots(basis: UniformBasis) -> KnotBasis {
    let h = basis.knot_spacing_secs();
    KnotBasis::new((0..basis.control_count() + 4).map(|i| basis.start_secs() + (i as f64 - 3.0) * h).collect()).unwrap()
}

fn assert_weights_sum(basis: &impl CubicBasis, time_secs: f64) {
    let weights = basis.weights_at(time_secs);
    let sum = |w: [f64; 4]| w.iter().sum::<f64>();
    assert!((sum(weights.value) - 1.0).abs() < 1e-14, "at {time_secs}");
    assert!(weights.value.iter().all(|w| (-1e-15..=1.0 + 1e-15).contains(w)), "at {time_secs}: {weights:?}");
    // Second-derivative weights reach a few hundred per s².
    assert!(sum(weights.first_derivative).abs() < 1e-12, "at {time_secs}");
    assert!(sum(weights.second_derivative).abs() < 1e-11, "at {time_secs}");
}

fn assert_derivatives(basis: &impl CubicBasis, time_secs: f64) {
    let controls: Vec<f64> = (0..basis.control_count()).map(|i| ((i * i * 7) % 11) as f64 - 5.0).collect();
    let step = 1e-6;
    let at = |t: f64| basis.weights_at(t).combine(&controls);
    let (before, here, after) = (at(time_secs - step), at(time_secs), at(time_secs + step));
    // Third derivatives are below 1e4 (truncation step²·1e4), rounding is 1e-15/step of values to 5 and slopes to 500.
    let slope = (after.value - before.value) / (2.0 * step);
    assert!((slope - here.first_derivative).abs() < 1e-7, "at {time_secs}: {slope} {here:?}");
    let bend = (after.first_derivative - before.first_derivative) / (2.0 * step);
    assert!((bend - here.second_derivative).abs() < 1e-5, "at {time_secs}: {bend} {here:?}");
}

proptest! {
    #[test]
    fn weights_are_a_partition_of_unity(time_secs in -0.5..2.5) {
        assert_weights_sum(&uneven(), time_secs);
        assert_weights_sum(&uniform(), time_secs);
    }

    #[test]
    fn derivatives_match_differences(time_secs in -0.4..2.4_f64) {
        // Away from knots, where the pieces' derivatives may jump.
        let far = |basis: &KnotBasis| basis.knots_secs().iter().all(|knot| (knot - time_secs).abs() > 1e-5);
        prop_assume!(far(&uneven()) && far(&same_knots(uniform())));
        assert_derivatives(&uneven(), time_secs);
        assert_derivatives(&uniform(), time_secs);
    }

    #[test]
    fn even_knots_given_one_by_one_are_the_same(time_secs in -1.0..3.0) {
        let (quick, general) = (uniform().weights_at(time_secs), same_knots(uniform()).weights_at(time_secs));
        // The knots are exact in binary, so both find the same span also at a knot.
        prop_assert_eq!(quick.first_control, general.first_control);
        for k in 0..4 {
            // Outside the span weights grow as the cube of the distance, to about ten.
            prop_assert!((quick.value[k] - general.value[k]).abs() < 1e-12);
            prop_assert!((quick.first_derivative[k] - general.first_derivative[k]).abs() < 1e-11);
            prop_assert!((quick.second_derivative[k] - general.second_derivative[k]).abs() < 1e-10);
        }
    }

    #[test]
    fn cubics_are_reproduced_also_beyond_the_ends(time_secs in -0.8..2.8) {
        let cubic = |t: f64| 2.0 - t + 0.5 * t * t + 0.25 * t * t * t;
        let blossom = |a: f64, b: f64, c: f64| {
            2.0 - (a + b + c) / 3.0 + 0.5 * (a * b + b * c + c * a) / 3.0 + 0.25 * a * b * c
        };
        for basis in [uneven(), same_knots(uniform())] {
            let curve = CubicBSpline::new(basis.clone(), blossom_controls(&basis, blossom)).unwrap();
            let sample = curve.sample(time_secs);
            prop_assert!((sample.value - cubic(time_secs)).abs() < 1e-12);
            prop_assert!((sample.first_derivative - (-1.0 + time_secs + 0.75 * time_secs * time_secs)).abs() < 1e-11);
            prop_assert!((sample.second_derivative - (1.0 + 1.5 * time_secs)).abs() < 1e-10);
        }
    }
}

#[test]
fn uniform_weights_at_a_knot_are_the_known_ones() {
    let weights = uniform().weights_at(0.0);
    assert_eq!(weights.first_control, 2);
    for (found, expected) in weights.value.iter().zip([1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 0.0]) {
        assert!((found - expected).abs() < 1e-15);
    }
    assert_eq!(weights.first_derivative, [-2.0, 0.0, 2.0, 0.0]);
    assert_eq!(weights.second_derivative, [16.0, -32.0, 16.0, 0.0]);
}

#[test]
fn a_simple_knot_is_crossed_with_two_continuous_derivatives() {
    let controls: Vec<DVec3> = (0..15).map(|i| DVec3::new(i as f64, (i * i % 5) as f64, 1.0)).collect();
    let curve = CubicBSpline::new(uniform(), controls).unwrap();
    for span in 1..12 {
        let knot_secs = uniform().span_secs(span).0;
        let (before, after) = (curve.sample(knot_secs - 1e-10), curve.sample(knot_secs + 1e-10));
        // Third derivatives are below 2e3 per s³.
        assert!((before.value - after.value).length() < 1e-8);
        assert!((before.first_derivative - after.first_derivative).length() < 1e-7);
        assert!((before.second_derivative - after.second_derivative).length() < 1e-6);
    }
}

#[test]
fn a_clamped_curve_starts_and_ends_in_its_control_points() {
    let basis = uneven();
    let controls: Vec<f64> = (0..basis.control_count()).map(|i| (i * i) as f64).collect();
    let curve = CubicBSpline::new(basis, controls.clone()).unwrap();
    assert_eq!(curve.value(-0.5), controls[0]);
    assert!((curve.value(2.5) - controls[controls.len() - 1]).abs() < 1e-12);
    assert_eq!((curve.basis().start_secs(), curve.basis().end_secs()), (-0.5, 2.5));
}

#[test]
fn spans_and_times_map() {
    let basis = UniformBasis::covering(1.0, 2.0, 0.1).unwrap();
    assert_eq!(basis.control_count(), 13);
    assert_eq!(basis.start_secs(), 1.0);
    assert!((basis.end_secs() - 2.0).abs() < 1e-12);
    assert_eq!(UniformBasis::covering(1.0, 2.01, 0.1).unwrap().control_count(), 14);
    assert_eq!(UniformBasis::covering(1.0, 1.0, 0.1).unwrap().control_count(), 4);
    assert_eq!(basis.weights_at(2.0).first_control, 9, "the end belongs to the last span");
    assert_eq!(basis.weights_at(f64::INFINITY).first_control, 9);
    assert_eq!(basis.weights_at(f64::NAN).first_control, 0);
}

#[test]
fn unusable_knots_are_refused() {
    assert!(matches!(UniformBasis::new(0.0, 1.0, 3), Err(SplineError::TooFew { found: 3, .. })));
    for spacing_secs in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(UniformBasis::new(0.0, spacing_secs, 9), Err(SplineError::KnotSpacing { .. })));
        assert!(UniformBasis::covering(0.0, 1.0, spacing_secs).is_err(), "{spacing_secs}");
    }
    assert!(UniformBasis::new(f64::NAN, 1.0, 9).is_err());
    assert!(UniformBasis::covering(0.0, 1.0, 1e-300).is_err());
    assert!(UniformBasis::covering(0.0, f64::NAN, 0.1).is_err());
    assert!(matches!(KnotBasis::clamped(&[]), Err(SplineError::TooFew { .. })));
    assert!(matches!(KnotBasis::clamped(&[1.0]), Err(SplineError::TooFew { .. })));
    assert!(matches!(KnotBasis::clamped(&[1.0, 1.0]), Err(SplineError::KnotsNotRising { index: 4, .. })));
    assert!(matches!(KnotBasis::clamped(&[0.0, 2.0, 1.0]), Err(SplineError::KnotsNotRising { index: 5, .. })));
    assert!(KnotBasis::new(vec![0.0, 1.0, 2.0, 3.0, 3.0, 4.0, 5.0, 6.0]).is_err(), "a span of no length");
    assert!(matches!(
        CubicBSpline::new(uniform(), vec![0.0; 14]),
        Err(SplineError::Count { expected: 15, found: 14, .. })
    ));
}
