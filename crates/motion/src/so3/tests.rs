use super::*;
use proptest::prelude::*;
use std::f64::consts::PI;

fn any_vector(max_length: f64) -> impl Strategy<Value = DVec3> {
    (-1.0..1.0, 0.0..2.0 * PI, 0.0..max_length).prop_map(|(z, azimuth, length): (f64, f64, f64)| {
        let ring = (1.0 - z * z).sqrt();
        DVec3::new(ring * azimuth.cos(), ring * azimuth.sin(), z) * length
    })
}

fn any_rotation() -> impl Strategy<Value = DQuat> {
    (any_vector(PI), any::<bool>()).prop_map(|(v, flip)| if flip { -exp(v) } else { exp(v) })
}

/// Rounding of a handful of unit-quaternion products.
const ROUNDING: f64 = 1e-14;

fn assert_same_rotation(a: DQuat, b: DQuat, tolerance_rad: f64) {
    let angle = angle_between(a, b);
    assert!(angle <= tolerance_rad, "{a} and {b} are {angle:e} rad apart");
}

proptest! {
    #[test]
    fn log_undoes_exp(v in any_vector(PI - 1e-9)) {
        prop_assert!((log(exp(v)) - v).length() < ROUNDING);
    }

    #[test]
    fn log_undoes_exp_for_tiny_angles(v in any_vector(1.0), exponent in -300.0..-1.0) {
        let v = v * 10_f64.powf(exponent);
        prop_assert!((log(exp(v)) - v).length() <= 4.0 * f64::EPSILON * v.length());
    }

    #[test]
    fn exp_undoes_log(q in any_rotation()) {
        let v = log(q);
        prop_assert!(v.length() <= PI + ROUNDING);
        assert_same_rotation(exp(v), q, ROUNDING);
        prop_assert_eq!(log(-q), v);
    }

    #[test]
    fn slerp_meets_both_ends_at_constant_speed(a in any_rotation(), b in any_rotation(), t in 0.0..1.0) {
        prop_assert_eq!(slerp(a, b, 0.0), a);
        assert_same_rotation(slerp(a, b, 1.0), b, ROUNDING);
        let angle = angle_between(a, b);
        prop_assert!((angle_between(a, slerp(a, b, t)) - t * angle).abs() < ROUNDING);
        prop_assert!((angle_between(slerp(a, b, t), b) - (1.0 - t) * angle).abs() < ROUNDING);
        assert_same_rotation(slerp(a, -b, t), slerp(a, b, t), ROUNDING);
    }

    #[test]
    fn mean_of_two_is_slerp(a in any_rotation(), v in any_vector(3.0), weight in 0.01..0.99) {
        let b = a * exp(v);
        let mean = weighted_mean(&[a, b], &[1.0 - weight, weight]).unwrap();
        // The stopping rule leaves at most contraction/(1 − contraction) times the tolerance.
        assert_same_rotation(mean, slerp(a, b, weight), 1e-12);
    }

    #[test]
    fn mean_is_invariant(
        offsets in prop::collection::vec((any_vector(1.2), 0.1..2.0, any::<bool>()), 1..8),
        centre in any_rotation(),
        left in any_rotation(),
        right in any_rotation(),
    ) {
        let weights: Vec<f64> = offsets.iter().map(|(_, weight, _)| *weight).collect();
        let rotations: Vec<DQuat> =
            offsets.iter().map(|(v, _, flip)| centre * exp(*v) * if *flip { -1.0 } else { 1.0 }).collect();
        let mean = weighted_mean(&rotations, &weights).unwrap();

        let gradient = weighted_sum(&rotations, &weights, |q| log(mean.conjugate() * q));
        prop_assert!(gradient.length() < 1e-12, "not a stationary point: {}", gradient);

        let from_left: Vec<DQuat> = rotations.iter().map(|&q| left * q).collect();
        assert_same_rotation(weighted_mean(&from_left, &weights).unwrap(), left * mean, 1e-12);
        let from_right: Vec<DQuat> = rotations.iter().map(|&q| q * right).collect();
        assert_same_rotation(weighted_mean(&from_right, &weights).unwrap(), mean * right, 1e-12);
        let inverse: Vec<DQuat> = rotations.iter().map(|&q| q.conjugate()).collect();
        assert_same_rotation(weighted_mean(&inverse, &weights).unwrap(), mean.conjugate(), 1e-12);
    }

    #[test]
    fn swing_times_twist_is_whole(q in any_rotation(), axis in any_vector(5.0)) {
        prop_assume!(axis.length() > 1e-3);
        let SwingTwist { swing, twist } = swing_twist(q, axis);
        assert_same_rotation(swing * twist, q, ROUNDING);
        // Near a half-turn swing the twist is ill-conditioned; its axis is not.
        prop_assert!(log(twist).cross(axis.normalize()).length() < ROUNDING);
        prop_assert!(DVec3::new(swing.x, swing.y, swing.z).dot(axis.normalize()).abs() < 1e-13);
        prop_assert!((swing * axis - q * axis).length() < 1e-12);
    }

    #[test]
    fn jacobians_match_differences(v in any_vector(6.0), direction in any_vector(1.0)) {
        let step = 1e-5;
        let (ahead, behind) = (exp(v + direction * step), exp(v - direction * step));
        let here = exp(v);
        // Central differences: truncation step²·O(1), rounding ε/step ≈ 2e-11.
        let right = (log(here.conjugate() * ahead) - log(here.conjugate() * behind)) / (2.0 * step);
        prop_assert!((right_jacobian(v) * direction - right).length() < 1e-9);
        let left = (log(ahead * here.conjugate()) - log(behind * here.conjugate())) / (2.0 * step);
        prop_assert!((left_jacobian(v) * direction - left).length() < 1e-9);
    }

    #[test]
    fn inverse_jacobians_match_differences(v in any_vector(3.0), direction in any_vector(1.0)) {
        let step = 1e-5;
        let (forward, backward) = (exp(direction * step), exp(-direction * step));
        let right = (log(exp(v) * forward) - log(exp(v) * backward)) / (2.0 * step);
        prop_assert!((right_jacobian_inverse(v) * direction - right).length() < 1e-9);
        let left = (log(forward * exp(v)) - log(backward * exp(v))) / (2.0 * step);
        prop_assert!((left_jacobian_inverse(v) * direction - left).length() < 1e-9);
    }

    #[test]
    fn jacobian_times_inverse_is_identity(v in any_vector(1.0), exponent in -12.0..0.8) {
        // Up to 6.3 would touch the singularity at 2π; stay at 5.
        let v = (v * 10_f64.powf(exponent)).clamp_length_max(5.0);
        let product = right_jacobian(v) * right_jacobian_inverse(v);
        prop_assert!(product.abs_diff_eq(DMat3::IDENTITY, 1e-13));
    }
}

#[test]
fn half_turns_are_finite_and_sign_free() {
    for axis in [DVec3::X, -DVec3::Y, DVec3::new(-1.0, 2.0, -2.0) / 3.0] {
        let exact_half_turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
        let v = log(exact_half_turn);
        assert!((v.length() - PI).abs() < 1e-15);
        assert_eq!(v, log(-exact_half_turn));
        assert!(v.to_array().into_iter().find(|part| *part != 0.0).unwrap() > 0.0);
        assert_same_rotation(exp(v), exact_half_turn, 1e-15);
        for beyond in [1e-3, 1e-9, 1e-15] {
            let near = log(exp(axis * (PI + beyond)));
            assert!((near + axis * (PI - beyond)).length() < 1e-14, "{near}");
        }
        let middle = slerp(DQuat::IDENTITY, exact_half_turn, 0.5);
        assert!((angle_between(DQuat::IDENTITY, middle) - PI / 2.0).abs() < 1e-15);
    }
}

#[test]
fn exp_wraps_beyond_a_turn() {
    assert_same_rotation(exp(DVec3::Y * 7.0), exp(DVec3::Y * (7.0 - 2.0 * PI)), 1e-14);
    assert_eq!(exp(DVec3::ZERO), DQuat::IDENTITY);
    assert_eq!(log(DQuat::IDENTITY), DVec3::ZERO);
    assert_eq!(log(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), DVec3::ZERO);
}

#[test]
fn log_of_unnormalised_is_that_of_the_direction() {
    let v = DVec3::new(0.3, -0.4, 1.1);
    assert!((log(exp(v) * 3.0) - v).length() < 1e-15);
}

#[test]
fn mean_refuses_what_has_no_mean() {
    let q = DQuat::IDENTITY;
    assert_eq!(weighted_mean(&[], &[]), None);
    assert_eq!(weighted_mean(&[q], &[]), None);
    assert_eq!(weighted_mean(&[q], &[0.0]), None);
    assert_eq!(weighted_mean(&[q, q], &[2.0, -1.0]), None);
    assert_eq!(weighted_mean(&[q], &[f64::NAN]), None);
    assert_eq!(weighted_mean(&[q], &[f64::INFINITY]), None);
    assert_eq!(weighted_mean(&[DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)], &[1.0]), None);
}

#[test]
fn a_zero_weight_does_not_pull() {
    let (a, b) = (exp(DVec3::X), exp(DVec3::Y * 2.0));
    assert_same_rotation(weighted_mean(&[a, b], &[1.0, 0.0]).unwrap(), a, 1e-14);
}

#[test]
fn undefined_twist_is_identity() {
    let half_turn_swing = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let split = swing_twist(half_turn_swing, DVec3::Y);
    assert_eq!(split.twist, DQuat::IDENTITY);
    assert_eq!(split.swing, half_turn_swing);
    assert_eq!(swing_twist(exp(DVec3::X), DVec3::ZERO).twist, DQuat::IDENTITY);
}

#[test]
fn hemispheres_are_aligned_without_turning_anything() {
    let mut rotations: Vec<DQuat> =
        (0..40).map(|frame| exp(DVec3::Y * 0.3 * frame as f64) * if frame % 3 == 0 { -1.0 } else { 1.0 }).collect();
    let before = rotations.clone();
    align_hemispheres(&mut rotations);
    assert_eq!(rotations[0], before[0]);
    for (pair, original) in rotations.windows(2).zip(&before[1..]) {
        assert!(pair[0].dot(pair[1]) >= 0.0);
        assert_same_rotation(pair[1], *original, 0.0);
    }
    align_hemispheres(&mut []);
}
