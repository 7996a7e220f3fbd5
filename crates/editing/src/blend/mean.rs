//! Weighted means of rotations that keep full turns.
//!
//! `motion::so3::weighted_mean` treats q and −q as the same rotation, and so takes the short way between two. Here the
//! sign counts: with signs that run on in time, a turn of 300° and one of 0° are 300° apart, and their mean is 150°
//! (Safonova & Hodgins 2005 have that from Euler angles). Choosing the sign frame by frame instead turned a foot by
//! 178° from one frame to the next.

use aplomb_motion::so3;
use glam::{DQuat, DVec3};

/// The rotation m with Σ wᵢ log(m⁻¹qᵢ) = 0, logarithms up to 2π; the weights sum to 1. Of two it is the point w on the
/// geodesic between them, in closed form.
pub(super) fn mean(rotations: &[DQuat], weights: &[f64]) -> DQuat {
    let mut heaviest = 0;
    for (index, weight) in weights.iter().enumerate() {
        if *weight > weights[heaviest] {
            heaviest = index;
        }
    }
    let Some(&(mut mean)) = rotations.get(heaviest) else { return DQuat::IDENTITY };
    if rotations.len() == 1 {
        return mean;
    }
    for _ in 0..MOST_MEAN_STEPS {
        let step_rad: DVec3 =
            rotations.iter().zip(weights).map(|(q, weight)| long_log(mean.conjugate() * *q) * *weight).sum();
        mean = (mean * so3::exp(step_rad)).normalize();
        // One step from either of two is exact.
        if rotations.len() == 2 || step_rad.length_squared() < STEP_RAD * STEP_RAD {
            break;
        }
    }
    mean
}

/// Steps shrink by (spread)²/12 each: a dozen are enough for anything that people can do with a joint.
const MOST_MEAN_STEPS: usize = 50;

/// Far below what is seen, far above rounding.
const STEP_RAD: f64 = 1e-12;

/// The rotation vector of length 0 … 2π whose exponential is q, sign and all.
pub(super) fn long_log(q: DQuat) -> DVec3 {
    let vector = DVec3::new(q.x, q.y, q.z);
    let sine = vector.length();
    if sine < 1e-12 {
        // At a full turn no axis is better than another.
        return vector * 2.0;
    }
    vector * (2.0 * sine.atan2(q.w) / sine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    #[test]
    fn a_full_turn_and_none_make_half_a_turn() {
        let turned = |angle: f64| so3::exp(DVec3::Y * angle);
        for (angle, weight) in [(2.0 * PI - 0.2, 0.5), (1.5 * PI, 0.25), (1.9 * PI, 0.75)] {
            let blend = mean(&[DQuat::IDENTITY, turned(angle)], &[1.0 - weight, weight]);
            assert!((blend - turned(weight * angle)).length() < 1e-14, "{angle}");
        }
    }

    #[test]
    fn one_alone_comes_back_and_near_rotations_have_the_usual_mean() {
        let q = [DVec3::new(0.3, -0.2, 0.5), DVec3::new(0.5, 0.1, 0.4), DVec3::new(0.1, 0.0, 0.7)].map(so3::exp);
        assert_eq!(mean(&q[..1], &[1.0]), q[0]);
        let weights = [0.2, 0.5, 0.3];
        let usual = so3::weighted_mean(&q, &weights).unwrap();
        assert!(so3::angle_between(mean(&q, &weights), usual) < 1e-11);
    }

    proptest! {
        #[test]
        fn both_orders_of_two_are_the_same(a in -2.0..2.0, b in -2.0..2.0, c in -3.0..3.0, weight in 0.0..1.0) {
            let (p, q) = (so3::exp(DVec3::new(a, b, c)), so3::exp(DVec3::new(c, a, -b)));
            let (there, back) = (mean(&[p, q], &[1.0 - weight, weight]), mean(&[q, p], &[weight, 1.0 - weight]));
            // The geodesic is one wherever it starts; at exactly a full turn it has no axis.
            prop_assume!(p.dot(q) > -0.999);
            prop_assert!((there - back).length() < 1e-9, "{there} {back}");
        }
    }
}
