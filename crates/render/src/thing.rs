//! Things of a scene beside the figures: drums, staffs, balls, tables.

use crate::camera::Camera;
use crate::figure::{Bounds, hull_of_circles};
use crate::scene::{Element, Paint};
use crate::theme::Palette;
use glam::{DQuat, DVec2, DVec3};

/// A thing that stands or moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// About its own middle, upright.
    pub form: ThingForm,
    /// Middle and rotation, a frame of the last clip each; what stands still has one.
    pub poses: Vec<(DVec3, DQuat)>,
}

/// Shapes of things, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThingForm {
    /// A ball.
    Ball {
        /// Half as wide.
        radius_m: f64,
    },
    /// A table, a wall.
    Box {
        /// Half of width, height and depth.
        half_m: DVec3,
    },
    /// A drum.
    Cylinder {
        /// Half as wide.
        radius_m: f64,
        /// From end to end.
        height_m: f64,
    },
    /// A staff with round ends.
    Rod {
        /// From end to end.
        length_m: f64,
        /// Half as thick.
        radius_m: f64,
    },
}

impl Thing {
    /// Where it is at a frame; after the last one where it was then. Nothing if it was never anywhere, or not in finite
    /// numbers.
    pub fn pose_at(&self, frame: usize) -> Option<(DVec3, DQuat)> {
        let pose = *self.poses.get(frame).or(self.poses.last())?;
        (pose.0.is_finite() && pose.1.is_finite()).then_some(pose)
    }
}

/// A thing at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub form: ThingForm,
    pub at_m: DVec3,
    pub rotation: DQuat,
}

impl Placed {
    /// Balls whose common hull is the thing, world metres.
    fn balls(&self) -> Vec<(DVec3, f64)> {
        const RIM: usize = 24;
        let placed = |own_m: DVec3| self.at_m + self.rotation * own_m;
        match self.form {
            ThingForm::Ball { radius_m } => vec![(self.at_m, radius_m)],
            ThingForm::Box { half_m } => {
                let sign = |corner: usize, bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                let corner = |at: usize| half_m * DVec3::new(sign(at, 0), sign(at, 1), sign(at, 2));
                (0..8).map(|at| (placed(corner(at)), 0.0)).collect()
            }
            ThingForm::Cylinder { radius_m, height_m } => {
                let on_rim = |at: usize, y_m: f64| {
                    let (sin, cos) = (at as f64 * std::f64::consts::TAU / RIM as f64).sin_cos();
                    (placed(DVec3::new(radius_m * cos, y_m, radius_m * sin)), 0.0)
                };
                (0..RIM).flat_map(|at| [on_rim(at, -0.5 * height_m), on_rim(at, 0.5 * height_m)]).collect()
            }
            ThingForm::Rod { length_m, radius_m } => {
                let end_m = DVec3::Y * (0.5 * length_m - radius_m).max(0.0);
                vec![(placed(-end_m), radius_m), (placed(end_m), radius_m)]
            }
        }
    }

    pub fn bounds(&self, camera: &Camera) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        for (at_m, radius_m) in self.balls() {
            bounds.include(camera.project(at_m), radius_m);
        }
        bounds
    }

    /// Its outline, filled.
    pub fn draw(
        &self,
        camera: &Camera,
        px_per_m: f64,
        to_px: impl Fn(DVec2) -> DVec2,
        palette: &Palette,
        fade: f64,
    ) -> Element {
        // A staff thinner than two pixels cannot be seen.
        let least_px = if matches!(self.form, ThingForm::Rod { .. }) { 1.0 } else { 0.0 };
        let balls = self.balls().into_iter();
        let circles =
            balls.map(|(at_m, radius_m)| (to_px(camera.project(at_m)), f64::max(radius_m * px_per_m, least_px)));
        let colour = palette.thing.mix(palette.panel, fade);
        let paint = Paint::fill(colour).outlined(colour.mix(palette.text, 0.35), 1.0);
        Element::Polygon { points: hull_of_circles(circles), paint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::View;

    #[test]
    fn things_are_as_large_as_they_are() {
        let camera = Camera::new(View::Side, DVec3::Z);
        let size = |form, rotation| Placed { form, at_m: DVec3::new(3.0, 1.0, 2.0), rotation }.bounds(&camera).size();
        let drum = ThingForm::Cylinder { radius_m: 0.3, height_m: 0.4 };
        assert!(size(drum, DQuat::IDENTITY).distance(DVec2::new(0.6, 0.4)) < 1e-12);
        let staff = ThingForm::Rod { length_m: 1.6, radius_m: 0.02 };
        assert!(size(staff, DQuat::IDENTITY).distance(DVec2::new(0.04, 1.6)) < 1e-12);
        // Laid down along the line of sight's cross axis, Z is to the right.
        let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        assert!(size(staff, lying).distance(DVec2::new(1.6, 0.04)) < 1e-12);
        let table = ThingForm::Box { half_m: DVec3::new(0.5, 0.02, 0.3) };
        assert!(size(table, DQuat::IDENTITY).distance(DVec2::new(0.6, 0.04)) < 1e-12);
    }

    #[test]
    fn what_stands_still_has_one_pose_and_what_is_nowhere_is_not_drawn() {
        let thing = |poses| Thing { form: ThingForm::Ball { radius_m: 0.1 }, poses };
        assert_eq!(thing(vec![(DVec3::X, DQuat::IDENTITY)]).pose_at(70), Some((DVec3::X, DQuat::IDENTITY)));
        assert_eq!(thing(Vec::new()).pose_at(0), None);
        assert_eq!(thing(vec![(DVec3::NAN, DQuat::IDENTITY)]).pose_at(0), None);
    }
}
