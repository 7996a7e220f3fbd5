//! A body that swings from a bar, held as it is.

use crate::adapt::subject::{PosedBody, Subject};
use aplomb_physics::dynamics::BodyModel;
use glam::{DQuat, DVec3};

/// The body as one rigid piece on the bar: θ̈ = (r × m g) · axis / I.
pub struct Pendulum {
    bar_m: DVec3,
    axis: DVec3,
    /// θ every millisecond.
    angles: Vec<f64>,
}

const PENDULUM_STEP_SECS: f64 = 1e-3;

impl Pendulum {
    pub fn new(
        body: &mut PosedBody<'_>,
        x: &[f64],
        hands_m: &[DVec3],
        velocity: DVec3,
        forward: DVec3,
        swing_secs: f64,
    ) -> Self {
        body.go(x);
        let bar_m = hands_m.iter().sum::<DVec3>() / hands_m.len().max(1) as f64;
        let axis = DVec3::Y.cross(forward);
        let model = &body.tree.model;
        let mut inertia = 0.0;
        for link in model.links() {
            let own = model.inertia(link);
            let motion = body.work.link(link);
            let from_bar_m = motion.point_in_world_m(own.com_m) - bar_m;
            let axis_in_link = motion.world_from_link.transpose() * axis;
            inertia += own.mass_kg * (from_bar_m - axis * axis.dot(from_bar_m)).length_squared()
                + axis_in_link.dot(own.about_com * axis_in_link);
        }
        let (mass_kg, gravity, hangs_m) = (model.total_mass_kg(), model.gravity, body.com_m() - bar_m);
        let pull = |angle: f64| {
            let r = DQuat::from_axis_angle(axis, angle) * hangs_m;
            r.cross(gravity * mass_kg).dot(axis) / inertia
        };
        let (mut angle, mut rate) = (0.0, mass_kg * hangs_m.cross(velocity).dot(axis) / inertia);
        let mut angles = vec![angle];
        for _ in 0..=(swing_secs / PENDULUM_STEP_SECS).ceil() as usize {
            let h = PENDULUM_STEP_SECS;
            let middle = (angle + 0.5 * h * rate, rate + 0.5 * h * pull(angle));
            (angle, rate) = (angle + h * middle.1, rate + h * pull(middle.0));
            angles.push(angle);
        }
        Self { bar_m, axis, angles }
    }

    pub fn configuration(&self, subject: &Subject, tree: &BodyModel, x: &[f64], secs: f64) -> Vec<f64> {
        let at = secs / PENDULUM_STEP_SECS;
        let index = (at as usize).min(self.angles.len() - 2);
        let angle = self.angles[index] + (self.angles[index + 1] - self.angles[index]) * (at - index as f64).min(1.0);
        let turn = DQuat::from_axis_angle(self.axis, angle);
        let mut q = tree.model.neutral();
        subject.coordinates.configuration(x, &mut q);
        let rotation = turn * DQuat::from_slice(&q[..4]);
        let place_m = self.bar_m + turn * (DVec3::from_slice(&q[4..7]) - self.bar_m);
        q[..4].copy_from_slice(&rotation.normalize().to_array());
        q[4..7].copy_from_slice(&place_m.to_array());
        q
    }
}
