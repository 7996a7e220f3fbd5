//! The plane that heights are measured from.

use crate::error::AnalysisError;
use glam::DVec3;

/// A plane: level through the origin unless a slope is given. Gravity stays vertical whatever the plane is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    point_m: DVec3,
    normal: DVec3,
}

impl Default for Ground {
    fn default() -> Self {
        Self { point_m: DVec3::ZERO, normal: DVec3::Y }
    }
}

impl Ground {
    /// The plane through a point; the normal need not be of unit length but must point up.
    pub fn new(point_m: DVec3, normal: DVec3) -> Result<Self, AnalysisError> {
        match normal.try_normalize().filter(|unit| unit.y > 1e-3 && point_m.is_finite()) {
            Some(normal) => Ok(Self { point_m, normal }),
            None => Err(AnalysisError::GroundNormal { found: normal }),
        }
    }

    /// Unit vector out of the ground.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// Height of a point along the normal, m.
    pub fn height_m(&self, point_m: DVec3) -> f64 {
        (point_m - self.point_m).dot(self.normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_on_a_slope_are_along_its_normal() {
        let slope = Ground::new(DVec3::new(0.0, 1.0, 0.0), DVec3::new(-1.0, 1.0, 0.0)).unwrap();
        assert!(slope.height_m(DVec3::new(3.0, 4.0, 7.0)).abs() < 1e-12);
        assert!((slope.height_m(DVec3::new(0.0, 2.0, 0.0)) - 0.5f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn walls_and_ceilings_are_no_ground() {
        for normal in [DVec3::ZERO, DVec3::X, DVec3::NEG_Y, DVec3::NAN] {
            assert!(matches!(Ground::new(DVec3::ZERO, normal), Err(AnalysisError::GroundNormal { .. })), "{normal}");
        }
    }
}
