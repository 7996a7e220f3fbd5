//! Rigid moves in the ground plane, and the one that brings two point clouds closest.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A turn about the vertical through the origin, then a shift in the ground plane: p ↦ R_y(yaw)·p + shift.
///
/// These are the moves that change nothing about a motion on level ground: heights, contacts and gravity stay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundMove {
    /// Counter-clockwise seen from above: +90° takes +Z to +X.
    pub yaw_rad: f64,
    /// Metres; y is 0.
    pub shift_m: DVec3,
}

impl GroundMove {
    /// Moves nothing.
    pub const IDENTITY: Self = Self { yaw_rad: 0.0, shift_m: DVec3::ZERO };

    /// The move that turns by `yaw_rad` and takes the ground point below `from_m` to the one below `to_m`.
    pub fn turning_onto(yaw_rad: f64, from_m: DVec3, to_m: DVec3) -> Self {
        let shift_m = to_m - DQuat::from_rotation_y(yaw_rad) * from_m;
        Self { yaw_rad, shift_m: on_ground(shift_m) }
    }

    /// The turn.
    pub fn rotation(&self) -> DQuat {
        DQuat::from_rotation_y(self.yaw_rad)
    }

    /// Where a point goes.
    pub fn point_m(&self, point_m: DVec3) -> DVec3 {
        self.rotation() * point_m + self.shift_m
    }

    /// First `self`, then `next`.
    pub fn then(&self, next: &Self) -> Self {
        let shift_m = on_ground(next.rotation() * self.shift_m) + next.shift_m;
        Self { yaw_rad: self.yaw_rad + next.yaw_rad, shift_m }
    }

    /// The way back.
    pub fn inverse(&self) -> Self {
        let shift_m = on_ground(DQuat::from_rotation_y(-self.yaw_rad) * -self.shift_m);
        Self { yaw_rad: -self.yaw_rad, shift_m }
    }
}

/// The point of the ground plane below `v_m`.
pub(super) fn on_ground(v_m: DVec3) -> DVec3 {
    DVec3::new(v_m.x, 0.0, v_m.z)
}

/// The angle in (−π, π] by which `q` turns about the vertical (its twist about +Y); 0 if it turns up to down.
pub(super) fn yaw_rad(q: DQuat) -> f64 {
    let half_rad = q.y.atan2(q.w);
    let yaw_rad = 2.0 * half_rad;
    if yaw_rad > std::f64::consts::PI {
        yaw_rad - std::f64::consts::TAU
    } else if yaw_rad <= -std::f64::consts::PI {
        yaw_rad + std::f64::consts::TAU
    } else {
        yaw_rad
    }
}

/// The ground move T that minimises Σ wᵢ |aᵢ − T(bᵢ)|², in closed form (Kovar, Gleicher, Pighin 2002, "Motion Graphs",
/// eq. 2–4).
///
/// Heights take no part: no ground move changes them. If the clouds say nothing about the turn (all points on one
/// vertical line), the yaw is 0. `None` if the three slices differ in length, a weight is negative or not finite, or
/// all weights are zero.
pub fn align_yaw(a_m: &[DVec3], b_m: &[DVec3], weights: &[f64]) -> Option<GroundMove> {
    let usable = weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
    let total: f64 = weights.iter().sum();
    if a_m.len() != weights.len() || b_m.len() != weights.len() || !usable || total <= 0.0 {
        return None;
    }
    let mean = |points: &[DVec3]| points.iter().zip(weights).map(|(&p, &w)| p * w).sum::<DVec3>() / total;
    let (mean_a_m, mean_b_m) = (mean(a_m), mean(b_m));
    // Of centred clouds, Σ w a·R_y(θ)b = cos θ Σ w(a_x b_x + a_z b_z) + sin θ Σ w(a_x b_z − a_z b_x) is largest at the
    // angle of the two sums. Centring first, where the paper subtracts products of sums, keeps the digits far from the
    // origin.
    let (mut along, mut across) = (0.0, 0.0);
    for ((&a, &b), &weight) in a_m.iter().zip(b_m).zip(weights) {
        let (a, b) = (a - mean_a_m, b - mean_b_m);
        along += weight * (a.x * b.x + a.z * b.z);
        across += weight * (a.x * b.z - a.z * b.x);
    }
    Some(GroundMove::turning_onto(across.atan2(along), mean_b_m, mean_a_m))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn points() -> impl Strategy<Value = Vec<DVec3>> {
        let point = (-3.0..3.0, 0.0..2.0, -3.0..3.0).prop_map(|(x, y, z)| DVec3::new(x, y, z));
        prop::collection::vec(point, 3..12)
    }

    fn ground_move() -> impl Strategy<Value = GroundMove> {
        (-3.1..3.1, -50.0..50.0, -50.0..50.0)
            .prop_map(|(yaw_rad, x, z)| GroundMove { yaw_rad, shift_m: DVec3::new(x, 0.0, z) })
    }

    fn cost(a: &[DVec3], b: &[DVec3], weights: &[f64], by: &GroundMove) -> f64 {
        a.iter().zip(b).zip(weights).map(|((&a, &b), &w)| w * (a - by.point_m(b)).length_squared()).sum()
    }

    proptest! {
        #[test]
        fn a_moved_cloud_is_moved_back(cloud in points(), by in ground_move()) {
            let moved: Vec<DVec3> = cloud.iter().map(|&p| by.point_m(p)).collect();
            let weights: Vec<f64> = (0..cloud.len()).map(|i| 0.5 + i as f64).collect();
            let found = align_yaw(&moved, &cloud, &weights).unwrap();
            for (&p, &q) in cloud.iter().zip(&moved) {
                // Rounding of coordinates up to 50 m.
                prop_assert!((found.point_m(p) - q).length() < 1e-12 * 50.0 * 10.0);
            }
        }

        #[test]
        fn no_nearby_move_is_better(a in points(), b in points(), step in ground_move()) {
            let count = a.len().min(b.len());
            let (a, b) = (&a[..count], &b[..count]);
            let weights: Vec<f64> = (0..count).map(|i| 1.0 / (1.0 + i as f64)).collect();
            let best = align_yaw(a, b, &weights).unwrap();
            let small = GroundMove { yaw_rad: step.yaw_rad * 1e-2, shift_m: step.shift_m * 1e-3 };
            prop_assert!(cost(a, b, &weights, &best) <= cost(a, b, &weights, &best.then(&small)) + 1e-12);
        }

        #[test]
        fn moves_form_a_group(p in ground_move(), q in ground_move()) {
            let point = DVec3::new(0.3, 1.2, -0.7);
            prop_assert!((p.then(&q).point_m(point) - q.point_m(p.point_m(point))).length() < 1e-12);
            prop_assert!((p.inverse().point_m(p.point_m(point)) - point).length() < 1e-12);
        }

        #[test]
        fn yaw_of_a_vertical_turn_is_its_angle(angle in -3.1..3.1, flip in any::<bool>()) {
            let q = DQuat::from_rotation_y(angle) * if flip { -1.0 } else { 1.0 };
            prop_assert!((yaw_rad(q) - angle).abs() < 1e-14);
        }
    }

    #[test]
    fn positive_yaw_takes_z_to_x() {
        let quarter = GroundMove { yaw_rad: FRAC_PI_2, shift_m: DVec3::ZERO };
        assert!((quarter.point_m(DVec3::Z) - DVec3::X).length() < 1e-15);
        assert_eq!(yaw_rad(DQuat::from_rotation_x(PI)), 0.0);
    }

    #[test]
    fn clouds_that_cannot_be_compared_are_refused() {
        let (a, b) = ([DVec3::X, DVec3::Z], [DVec3::X]);
        assert_eq!(align_yaw(&a, &b, &[1.0, 1.0]), None);
        assert_eq!(align_yaw(&a, &a, &[0.0, 0.0]), None);
        assert_eq!(align_yaw(&a, &a, &[1.0, -1.0]), None);
        let line = [DVec3::ZERO, DVec3::Y];
        let shifted = [DVec3::X, DVec3::X + DVec3::Y];
        assert_eq!(align_yaw(&shifted, &line, &[1.0, 1.0]), Some(GroundMove { yaw_rad: 0.0, shift_m: DVec3::X }));
    }
}
