//! Where one looks from: three parallel projections that share their axes.

use glam::{DVec2, DVec3};

/// A view of the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The travel direction (or, in place, the facing) runs to the right; one looks at the right-hand side of the
    /// travel.
    Side,
    /// From above, the same direction to the right.
    Top,
    /// Against the travel direction: the motion comes towards the viewer.
    Front,
}

/// An orthographic projection. `toward` = `right` × `up` points at the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    pub right: DVec3,
    pub up: DVec3,
    pub toward: DVec3,
}

impl Camera {
    /// `travel` is a horizontal unit vector.
    pub fn new(view: View, travel: DVec3) -> Self {
        // Facing `travel` with Y up, left is Y × travel (facing +Z, left is +X).
        let left = DVec3::Y.cross(travel);
        match view {
            View::Side => Self { right: travel, up: DVec3::Y, toward: -left },
            View::Top => Self { right: travel, up: left, toward: DVec3::Y },
            View::Front => Self { right: left, up: DVec3::Y, toward: travel },
        }
    }

    /// Position on the picture plane, metres, y up.
    pub fn project(&self, world_m: DVec3) -> DVec2 {
        DVec2::new(world_m.dot(self.right), world_m.dot(self.up))
    }

    /// Larger is nearer.
    pub fn nearness(&self, world_m: DVec3) -> f64 {
        world_m.dot(self.toward)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_right_handed() {
        let travel = DVec3::new(0.6, 0.0, -0.8);
        for view in [View::Side, View::Top, View::Front] {
            let camera = Camera::new(view, travel);
            assert!((camera.right.cross(camera.up) - camera.toward).length() < 1e-15, "{view:?}");
        }
    }

    #[test]
    fn the_side_view_shows_the_right_hand_side() {
        // Facing +Z the right hand is at −X, and must be the nearer one.
        let camera = Camera::new(View::Side, DVec3::Z);
        assert!(camera.nearness(-DVec3::X) > camera.nearness(DVec3::X));
        assert_eq!(camera.project(DVec3::new(9.0, 2.0, 3.0)), DVec2::new(3.0, 2.0));
    }
}
