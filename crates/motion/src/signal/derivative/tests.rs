use super::*;
use crate::so3::{exp, left_jacobian, right_jacobian};
use proptest::prelude::*;

const STEP_SECS: f64 = 1.0 / 120.0;

fn uniform() -> SampleTimes<'static> {
    SampleTimes::uniform(STEP_SECS).unwrap()
}

/// Uneven but smooth key times: t = u + 0.2 sin(u)·…, so that convergence orders show.
fn warped_times(count: usize) -> Vec<f64> {
    (0..count)
        .map(|i| {
            let u = i as f64 / (count - 1) as f64;
            u + 0.1 * (5.0 * u).sin()
        })
        .collect()
}

fn largest_error(found: &[f64], times: &[f64], truth: impl Fn(f64) -> f64) -> f64 {
    found.iter().zip(times).map(|(x, &t)| (x - truth(t)).abs()).fold(0.0, f64::max)
}

proptest! {
    #[test]
    fn quadratics_are_exact_everywhere(
        steps in prop::collection::vec(0.01..0.1, 2..30),
        a in -5.0..5.0_f64, b in -5.0..5.0_f64, c in -5.0..5.0_f64,
    ) {
        let mut times: Vec<f64> = vec![-0.4];
        for step in &steps {
            times.push(times[times.len() - 1] + step);
        }
        let values: Vec<f64> = times.iter().map(|t| a + b * t + c * t * t).collect();
        let keyed = SampleTimes::keyed(&times).unwrap();
        // Rounding of the values (≈ 2e-15 near |x| ≤ 20) over the least step, once and twice.
        for (slope, &t) in first(&values, keyed).iter().zip(&times) {
            prop_assert!((slope - (b + 2.0 * c * t)).abs() < 1e-11, "first at {}", t);
        }
        for bend in second(&values, keyed) {
            prop_assert!((bend - 2.0 * c).abs() < 1e-9);
        }
    }
}

#[test]
fn a_falling_body_feels_gravity_in_every_frame() {
    let gravity = DVec3::new(0.0, -9.81, 0.0);
    let velocity = DVec3::new(1.0, 3.0, -0.5);
    let positions: Vec<DVec3> = (0..30)
        .map(|i| {
            let t = i as f64 * STEP_SECS;
            DVec3::Y + velocity * t + gravity * (0.5 * t * t)
        })
        .collect();
    for acceleration in second(&positions, uniform()) {
        assert!((acceleration - gravity).length() < 1e-10, "{acceleration}");
    }
    for (i, found) in first(&positions, uniform()).iter().enumerate() {
        assert!((*found - velocity - gravity * (i as f64 * STEP_SECS)).length() < 1e-12);
    }
}

#[test]
fn both_derivatives_converge_as_they_should() {
    let errors = |count: usize| {
        let times = warped_times(count);
        let values: Vec<f64> = times.iter().map(|t| (4.0 * t).sin()).collect();
        let keyed = SampleTimes::keyed(&times).unwrap();
        let (slopes, bends) = (first(&values, keyed), second(&values, keyed));
        (
            largest_error(&slopes, &times, |t| 4.0 * (4.0 * t).cos()),
            largest_error(&bends[1..count - 1], &times[1..count - 1], |t| -16.0 * (4.0 * t).sin()),
            largest_error(&bends, &times, |t| -16.0 * (4.0 * t).sin()),
        )
    };
    let (coarse, fine) = (errors(101), errors(201));
    // Halving the step quarters a second-order error, halves a first-order one: the copied ends are of first order.
    assert!((3.6..4.4).contains(&(coarse.0 / fine.0)), "first: {coarse:?} {fine:?}");
    assert!((3.4..4.6).contains(&(coarse.1 / fine.1)), "second, inside: {coarse:?} {fine:?}");
    assert!((1.8..2.2).contains(&(coarse.2 / fine.2)), "second, ends: {coarse:?} {fine:?}");
}

#[test]
fn even_times_give_central_differences() {
    let values = [1.0, 4.0, 2.0, 7.0];
    let times = SampleTimes::uniform(0.5).unwrap();
    // (−3·1 + 4·4 − 2)/2h, (2 − 1)/2h, (7 − 4)/2h, (3·7 − 4·2 + 4)/2h with 2h = 1.
    assert_eq!(first(&values, times), vec![11.0, 1.0, 3.0, 17.0]);
    // (1 − 8 + 2)/h², (4 − 4 + 7)/h² with h² = ¼, ends copied.
    assert_eq!(second(&values, times), vec![-20.0, -20.0, 28.0, 28.0]);
    assert_eq!(first(&values, SampleTimes::keyed(&[0.0, 0.5, 1.0, 1.5]).unwrap()), first(&values, times));
}

#[test]
fn tiny_clips() {
    let times = uniform();
    assert!(first::<f64>(&[], times).is_empty() && second::<f64>(&[], times).is_empty());
    assert_eq!(first(&[3.0], times), vec![0.0]);
    assert_eq!(second(&[3.0], times), vec![0.0]);
    let slope = 1.0 / STEP_SECS;
    assert_eq!(first(&[3.0, 4.0], times), vec![slope, slope]);
    assert_eq!(second(&[3.0, 4.0], times), vec![0.0, 0.0]);
    assert_eq!(second(&[0.0, 1.0, 4.0], SampleTimes::uniform(1.0).unwrap()), vec![2.0; 3]);

    assert!(angular_velocity_in_world(&[], times).is_empty());
    assert_eq!(angular_velocity_in_body(&[exp(DVec3::X)], times), vec![DVec3::ZERO]);
    assert_eq!(angular_acceleration_in_world(&[exp(DVec3::X), exp(DVec3::Y)], times), vec![DVec3::ZERO; 2]);
}

#[test]
fn output_of_an_earlier_use_is_overwritten() {
    let mut output = [f64::NAN; 2];
    second_into(&[1.0, 2.0], uniform(), &mut output);
    assert_eq!(output, [0.0, 0.0]);
    let mut output = [f64::NAN];
    first_into(&[1.0], uniform(), &mut output);
    assert_eq!(output, [0.0]);
}

#[test]
fn a_constant_rate_is_exact_at_uneven_times_and_for_any_sign() {
    let rate = DVec3::new(3.0, -8.0, 2.0);
    let start = exp(DVec3::new(0.4, 1.0, -2.0));
    let times = warped_times(50);
    let turning: Vec<DQuat> =
        times.iter().enumerate().map(|(i, &t)| exp(rate * t) * start * if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
    let keyed = SampleTimes::keyed(&times).unwrap();
    for velocity in angular_velocity_in_world(&turning, keyed) {
        assert!((velocity - rate).length() < 1e-12, "{velocity}");
    }
    for velocity in angular_velocity_in_body(&turning, keyed) {
        assert!((velocity - start.conjugate() * rate).length() < 1e-12, "{velocity}");
    }
    for acceleration in angular_acceleration_in_world(&turning, keyed) {
        // 1e-14 of rounding in the slopes over a step of about 0.02 s.
        assert!(acceleration.length() < 1e-10, "{acceleration}");
    }
}

#[test]
fn rates_up_to_half_a_turn_per_sample_are_told() {
    let rate = DVec3::Y * (3.1 / STEP_SECS);
    let turning: Vec<DQuat> = (0..9).map(|i| exp(rate * (i as f64 * STEP_SECS))).collect();
    for velocity in angular_velocity_in_world(&turning, uniform()) {
        assert!((velocity - rate).length() < 1e-10, "{velocity}");
    }
}

#[test]
fn a_tumbling_body_converges_to_the_jacobian_of_exp() {
    // q = exp(v(t)) has body rate J_r(v) v̇ and world rate J_l(v) v̇; their derivatives by fine differences of these.
    let v = |t: f64| DVec3::new(1.2 * (2.0 * t).sin(), 0.8 * (3.0 * t).cos(), 0.5 * t);
    let v_dot = |t: f64| DVec3::new(2.4 * (2.0 * t).cos(), -2.4 * (3.0 * t).sin(), 0.5);
    let in_body = |t: f64| right_jacobian(v(t)) * v_dot(t);
    let in_world = |t: f64| left_jacobian(v(t)) * v_dot(t);
    let derivative = |f: &dyn Fn(f64) -> DVec3, t: f64| (f(t + 1e-5) - f(t - 1e-5)) / 2e-5;
    let errors = |count: usize| {
        let times: Vec<f64> = warped_times(count);
        let keyed = SampleTimes::keyed(&times).unwrap();
        let q: Vec<DQuat> = times.iter().map(|&t| exp(v(t))).collect();
        let worst = |found: Vec<DVec3>, truth: &dyn Fn(f64) -> DVec3, skip: usize| {
            let all = found.iter().zip(&times).map(|(x, &t)| (*x - truth(t)).length());
            all.skip(skip).take(count - 2 * skip).fold(0.0, f64::max)
        };
        [
            worst(angular_velocity_in_body(&q, keyed), &in_body, 0),
            worst(angular_velocity_in_world(&q, keyed), &in_world, 0),
            worst(angular_acceleration_in_body(&q, keyed), &|t| derivative(&in_body, t), 1),
            worst(angular_acceleration_in_world(&q, keyed), &|t| derivative(&in_world, t), 1),
        ]
    };
    let (coarse, fine) = (errors(101), errors(201));
    for (coarse, fine) in coarse.iter().zip(fine) {
        assert!((3.5..4.5).contains(&(coarse / fine)), "second order: {coarse:e} {fine:e}");
        assert!(fine < 1e-2, "{fine:e}");
    }
}

#[test]
fn both_angular_rates_at_once_are_the_same_to_the_bit() {
    let keyed: Vec<f64> = (0..9).map(|k| f64::from(k) * 0.1 + 0.03 * f64::from(k % 2)).collect();
    for count in 0..10 {
        let orientation = |k: usize| so3::exp(DVec3::new(0.3, -0.8, 0.5) * (k as f64 * 0.7).sin() * 2.0);
        let orientations: Vec<DQuat> = (0..count).map(orientation).collect();
        let mut bases = vec![SampleTimes::uniform(0.01).unwrap()];
        if count == keyed.len() {
            bases.push(SampleTimes::keyed(&keyed).unwrap());
        }
        for times in bases {
            let (mut velocity, mut acceleration) = (vec![DVec3::ONE; count], vec![DVec3::ONE; count]);
            angular_rates_in_world_into(&orientations, times, &mut velocity, &mut acceleration);
            assert_eq!(velocity, angular_velocity_in_world(&orientations, times));
            assert_eq!(acceleration, angular_acceleration_in_world(&orientations, times));
        }
    }
}
