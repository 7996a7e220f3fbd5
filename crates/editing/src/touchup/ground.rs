//! One carried frame: the turn that brings the zero-moment point to its goal, in closed form (Shin 2003, equations 6
//! and 7).
//!
//! In axes with y out of the ground, x towards the goal and z = x × y, with α = m(ÿ − g_y), β = m(ẍ − g_x), γ = m(z̈ −
//! g_z) and σ = Σα, turning S2 by θ about z through its centre c² puts its points at
//!
//! ```text
//!   x' = c²_x + k2 cos θ − k1 sin θ,   y' = c²_y + k2 sin θ + k1 cos θ,        k1 = y − c²_y,  k2 = x − c²_x
//! ```
//!
//! and moves S3 as its own centre c³ moves (k3 = c³_y − c²_y, k4 = c³_x − c²_x). With frozen accelerations
//!
//! ```text
//!   Z_x(θ) = a1 cos θ − a2 sin θ + a3,   Z_z(θ) = a4 cos θ + a5 sin θ + a6
//!   σ a1 = Σ_S2 (α k2 − β k1) + Σ_S3 (α k4 − β k3)        σ a2 = Σ_S2 (α k1 + β k2) + Σ_S3 (α k3 + β k4)
//!   σ a4 = −Σ_S2 γ k1 − Σ_S3 γ k3                         σ a5 = −Σ_S2 γ k2 − Σ_S3 γ k4
//! ```
//!
//! and a3, a6 the rest, so that θ = 0 is the pose itself. The printed appendix has the sign of the first sum of a2, the
//! signs of S3 in a4 and a5, and a β for γ in a6 wrong; the test beside this compares with brute force.

use super::steps::Set;
use glam::DVec3;

/// One link as a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub set: Set,
    pub at_m: DVec3,
    /// m(r̈ − g), N.
    pub push: DVec3,
}

/// Axes of one frame's problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    /// Towards the goal, along the ground.
    pub x: DVec3,
    /// Out of the ground.
    pub y: DVec3,
    /// The axis of the turn.
    pub z: DVec3,
    /// A point of the ground: the present zero-moment point.
    pub origin_m: DVec3,
}

/// Equation 6.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Coefficients {
    pub a1: f64,
    pub a2: f64,
    pub a3: f64,
    pub a4: f64,
    pub a5: f64,
    pub a6: f64,
}

impl Coefficients {
    /// `centre` gives the centre of a region of S2, `top` the joint that an S3 hangs on together with the region it
    /// hangs in. Several regions (both arms) turn about their own centres by one θ: the sums run over all of them.
    pub fn of(
        points: impl Iterator<Item = Point> + Clone,
        axes: &Axes,
        centre: impl Fn(usize) -> DVec3,
        top: impl Fn(usize) -> (DVec3, usize),
    ) -> Self {
        let (mut sigma, mut moment_x, mut moment_z) = (0.0, 0.0, 0.0);
        let mut sum = Self::default();
        for point in points {
            let from_origin = point.at_m - axes.origin_m;
            let (x, y, z) = (from_origin.dot(axes.x), from_origin.dot(axes.y), from_origin.dot(axes.z));
            let (alpha, beta, gamma) = (point.push.dot(axes.y), point.push.dot(axes.x), point.push.dot(axes.z));
            sigma += alpha;
            moment_x += alpha * x - beta * y;
            moment_z += alpha * z - gamma * y;
            let arm_m = match point.set {
                Set::Fixed => continue,
                Set::Turned(region) => point.at_m - centre(region),
                Set::Carried(index) => {
                    let (top_m, region) = top(index);
                    top_m - centre(region)
                }
            };
            let (across, up) = (arm_m.dot(axes.x), arm_m.dot(axes.y));
            sum.a1 += alpha * across - beta * up;
            sum.a2 += alpha * up + beta * across;
            sum.a4 -= gamma * up;
            sum.a5 -= gamma * across;
        }
        Self {
            a1: sum.a1 / sigma,
            a2: sum.a2 / sigma,
            a3: (moment_x - sum.a1) / sigma,
            a4: sum.a4 / sigma,
            a5: sum.a5 / sigma,
            a6: (moment_z - sum.a4) / sigma,
        }
    }

    /// Equation 7: the smaller of the two turns that put Z_x at `goal_m`; where none does, the one that comes nearest.
    pub fn turn_rad(&self, goal_m: f64) -> f64 {
        let wanted = goal_m - self.a3;
        let root = (self.a1 * self.a1 + self.a2 * self.a2 - wanted * wanted).max(0.0).sqrt();
        let from = self.a2.atan2(self.a1);
        let [a, b] = [root, -root].map(|root| wrapped(root.atan2(wanted) - from));
        if a.abs() <= b.abs() { a } else { b }
    }
}

fn wrapped(angle_rad: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    (angle_rad + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use proptest::prelude::*;

    /// Equation 4, in the axes of the problem.
    fn zero_moment_point(points: &[(DVec3, DVec3)], axes: &Axes) -> (f64, f64) {
        let (mut sigma, mut x, mut z) = (0.0, 0.0, 0.0);
        for (at_m, push) in points {
            let r = *at_m - axes.origin_m;
            let (alpha, beta, gamma) = (push.dot(axes.y), push.dot(axes.x), push.dot(axes.z));
            sigma += alpha;
            x += alpha * r.dot(axes.x) - beta * r.dot(axes.y);
            z += alpha * r.dot(axes.z) - gamma * r.dot(axes.y);
        }
        (x / sigma, z / sigma)
    }

    fn vector(scale: f64) -> impl Strategy<Value = DVec3> {
        (-scale..scale, -scale..scale, -scale..scale).prop_map(DVec3::from)
    }

    proptest! {
        /// Random links, sets, centres, slopes and turns: the closed form is what turning the points by hand gives.
        #[test]
        fn equation_6_is_what_turning_the_points_gives(
            links in prop::collection::vec((vector(1.5), vector(60.0), 0.5..20.0f64, 0usize..5), 3..20),
            centres in [vector(1.0), vector(1.0)],
            tops in [vector(1.0), vector(1.0)],
            tilt in vector(0.5),
            theta in -0.6..0.6f64,
        ) {
            let tilt = DQuat::from_scaled_axis(tilt);
            let axes = Axes { x: tilt * DVec3::X, y: tilt * DVec3::Y, z: tilt * DVec3::Z, origin_m: DVec3::new(0.3, -0.1, 0.2) };
            let points: Vec<Point> = links.iter().map(|&(at_m, acceleration, mass, set)| Point {
                set: [Set::Fixed, Set::Turned(0), Set::Turned(1), Set::Carried(0), Set::Carried(1)][set],
                at_m,
                // A carried person: some force up, whatever else happens.
                push: axes.y * (80.0 * mass) + acceleration * mass,
            }).collect();
            let coefficients = Coefficients::of(points.iter().copied(), &axes, |region| centres[region], |top| (tops[top], top));
            let turn = DQuat::from_axis_angle(axes.z, theta);
            let turned: Vec<(DVec3, DVec3)> = points.iter().map(|point| {
                let about = |centre: DVec3, r: DVec3| centre + turn * (r - centre);
                let at_m = match point.set {
                    Set::Fixed => point.at_m,
                    Set::Turned(region) => about(centres[region], point.at_m),
                    Set::Carried(top) => point.at_m + about(centres[top], tops[top]) - tops[top],
                };
                (at_m, point.push)
            }).collect();
            let (x, z) = zero_moment_point(&turned, &axes);
            let (sin, cos) = theta.sin_cos();
            let c = coefficients;
            prop_assert!((c.a1 * cos - c.a2 * sin + c.a3 - x).abs() < 1e-9);
            prop_assert!((c.a4 * cos + c.a5 * sin + c.a6 - z).abs() < 1e-9);
        }

        /// Where the goal can be reached, equation 7 reaches it, and no smaller turn does.
        #[test]
        fn equation_7_finds_the_smaller_turn(a1 in -0.3..0.3f64, a2 in 0.2..1.2f64, a3 in -0.2..0.2f64, theta in -0.6..0.6f64) {
            let c = Coefficients { a1, a2, a3, ..Default::default() };
            let at = |theta: f64| a1 * theta.cos() - a2 * theta.sin() + a3;
            let found = c.turn_rad(at(theta));
            prop_assert!((at(found) - at(theta)).abs() < 1e-9);
            prop_assert!(found.abs() <= theta.abs() + 1e-9);
        }
    }

    #[test]
    fn a_goal_out_of_reach_is_neared_as_far_as_it_goes() {
        let c = Coefficients { a1: 0.0, a2: 0.1, ..Default::default() };
        // Z_x = −0.1 sin θ reaches 0.1 at most, at −90°.
        assert!((c.turn_rad(0.5) + std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    }
}
