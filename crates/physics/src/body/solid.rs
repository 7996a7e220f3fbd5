//! A piece of flesh: mass, centre, axes and how far it spreads along each of them; and how to cut one in two.
//!
//! Spread is kept as variance (second moment over mass) along three axes rather than as moments of inertia: variances
//! add under cutting and gluing, and any non-negative triple is a possible solid, so that positive definite inertias
//! and the triangle inequality hold by construction.

use crate::spatial::{SpatialInertia, Symmetric3};
use glam::{DMat3, DVec3};

/// kg/m³: the body floats when it breathes in (formats.md 11.4).
pub(super) const DENSITY_KG_M3: f64 = 1000.0;

/// Forward, left and up of a piece, as columns of its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    Left = 1,
    Up = 2,
}

/// Radii of gyration over the segment's length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Radii {
    /// About the axis that points forward.
    pub sagittal: f64,
    /// About the axis that points left.
    pub transverse: f64,
    /// About the segment's own length.
    pub longitudinal: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Solid {
    pub mass_kg: f64,
    pub com_m: DVec3,
    /// Columns forward, left, up (up is the long axis), in the joint's frame.
    pub axes: DMat3,
    /// Second moments over mass along the columns of `axes`.
    pub variance_m2: DVec3,
}

impl Solid {
    /// From tabled radii: k² = (r·L)² about each axis; the variance along one is half of the other two minus its own.
    pub fn from_radii(mass_kg: f64, com_m: DVec3, axes: DMat3, length_m: f64, radii: Radii) -> Self {
        let square = |radius: f64| (radius * length_m).powi(2);
        let (about_x, about_y, about_z) =
            (square(radii.sagittal), square(radii.transverse), square(radii.longitudinal));
        let variance_m2 =
            DVec3::new(about_y + about_z - about_x, about_x + about_z - about_y, about_x + about_y - about_z) * 0.5;
        Self { mass_kg, com_m, axes, variance_m2: variance_m2.max(DVec3::ZERO) }
    }

    /// A cylinder of water of this length, for tables that give no radii; `transverse` replaces its spread along the
    /// length.
    pub fn cylinder(mass_kg: f64, com_m: DVec3, axes: DMat3, length_m: f64, transverse: Option<f64>) -> Self {
        // m = ρ π r² L, and a disc's variance along each diameter is r²/4.
        let across_m2 = mass_kg / (4.0 * std::f64::consts::PI * DENSITY_KG_M3 * length_m);
        let along_m2 = match transverse {
            Some(radius) => ((radius * length_m).powi(2) - across_m2).max(0.0),
            None => length_m * length_m / 12.0,
        };
        Self { mass_kg, com_m, axes, variance_m2: DVec3::new(across_m2, across_m2, along_m2) }
    }

    /// A capsule of water from `start_m` to `end_m` (centres of its caps).
    pub fn capsule(start_m: DVec3, end_m: DVec3, radius_m: f64) -> Self {
        let length_m = start_m.distance(end_m);
        let (radius_m2, pi) = (radius_m * radius_m, std::f64::consts::PI);
        let (tube_kg, caps_kg) =
            (DENSITY_KG_M3 * pi * radius_m2 * length_m, DENSITY_KG_M3 * 4.0 / 3.0 * pi * radius_m2 * radius_m);
        let mass_kg = tube_kg + caps_kg;
        let across_m2 = (tube_kg * radius_m2 / 4.0 + caps_kg * radius_m2 / 5.0) / mass_kg;
        // A hemisphere's centroid lies 3r/8 beyond its base, its second moment about the base plane is r²/5.
        let half_m = 0.5 * length_m;
        let caps_m2 = half_m * half_m + 0.75 * half_m * radius_m + radius_m2 / 5.0;
        let along_m2 = (tube_kg * length_m * length_m / 12.0 + caps_kg * caps_m2) / mass_kg;
        let axes = axes_from(end_m - start_m, None);
        Self { mass_kg, com_m: 0.5 * (start_m + end_m), axes, variance_m2: DVec3::new(across_m2, across_m2, along_m2) }
    }

    /// The same spread forward and left: where nothing tells the two apart.
    pub fn round(mut self) -> Self {
        let across_m2 = 0.5 * (self.variance_m2.x + self.variance_m2.y);
        (self.variance_m2.x, self.variance_m2.y) = (across_m2, across_m2);
        self
    }

    /// Half the width of the box with this variance (√3 σ).
    pub fn half_width_m(&self, along: Along) -> f64 {
        (3.0 * self.variance_m2[along as usize]).sqrt()
    }

    /// The part whose coordinate along one axis, from the centre of mass, lies between `from_m` and `to_m`: as of a
    /// box, so that all parts glued together have the whole's mass, centre and inertia exactly. `None` if nothing lies
    /// there.
    pub fn slice(&self, along: Along, from_m: f64, to_m: f64) -> Option<Self> {
        let half_m = self.half_width_m(along);
        let (from_m, to_m) = (from_m.max(-half_m), to_m.min(half_m));
        let share = (to_m - from_m) / (2.0 * half_m);
        // Less than a thousandth is rounding of a boundary, not a part.
        if share.is_nan() || share < 1e-3 {
            return None;
        }
        let mut part = *self;
        part.mass_kg *= share;
        part.com_m += self.axes.col(along as usize) * (0.5 * (from_m + to_m));
        part.variance_m2[along as usize] = (to_m - from_m).powi(2) / 12.0;
        Some(part)
    }

    pub fn inertia(&self) -> SpatialInertia {
        let moments = Symmetric3::diagonal(self.variance_m2 * self.mass_kg).rotated(self.axes);
        SpatialInertia { mass_kg: self.mass_kg, com_m: self.com_m, about_com: moments.inertia_of_second_moments() }
    }
}

/// Right-handed columns forward, left, up from a long axis and a rough left; any left if there is none.
pub(super) fn axes_from(up: DVec3, left: Option<DVec3>) -> DMat3 {
    let up = up.try_normalize().unwrap_or(DVec3::Y);
    let left = left
        .and_then(|left| left.reject_from_normalized(up).try_normalize())
        .unwrap_or_else(|| up.any_orthonormal_vector());
    DMat3::from_cols(left.cross(up), left, up)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chest() -> Solid {
        let radii = Radii { sagittal: 0.5, transverse: 0.32, longitudinal: 0.46 };
        let axes = axes_from(DVec3::new(0.1, 1.0, 0.2), Some(DVec3::X));
        Solid::from_radii(10.0, DVec3::new(0.0, 0.1, 0.02), axes, 0.25, radii)
    }

    #[test]
    fn radii_come_back_as_inertia() {
        let inertia = chest().inertia().about_com.rotated(chest().axes.transpose());
        for (found, radius) in [(inertia.xx, 0.5), (inertia.yy, 0.32), (inertia.zz, 0.46)] {
            assert!((found - 10.0 * (radius * 0.25f64).powi(2)).abs() < 1e-14);
        }
        assert!((chest().axes.determinant() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn slices_glued_together_are_the_whole() {
        let whole = chest().inertia();
        for along in [Along::Left, Along::Up] {
            let cuts = [f64::NEG_INFINITY, -0.05, 0.01, 0.04, f64::INFINITY];
            let glued = cuts
                .windows(2)
                .filter_map(|pair| chest().slice(along, pair[0], pair[1]))
                .map(|part| part.inertia())
                .fold(SpatialInertia::ZERO, |sum, part| sum + part);
            assert!((glued.mass_kg - whole.mass_kg).abs() < 1e-13);
            assert!((glued.com_m - whole.com_m).length() < 1e-15);
            let difference = (glued.about_com - whole.about_com).to_mat3();
            assert!(difference.to_cols_array().iter().all(|entry| entry.abs() < 1e-14), "{difference}");
        }
        assert_eq!(chest().slice(Along::Up, 1.0, 2.0), None);
    }

    #[test]
    fn a_capsule_without_length_is_a_ball_and_a_long_one_a_rod() {
        let ball = Solid::capsule(DVec3::ONE, DVec3::ONE, 0.3);
        let expected_kg = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.027;
        assert!((ball.mass_kg - expected_kg).abs() < 1e-10);
        let about = ball.inertia().about_com;
        for moment in [about.xx, about.yy, about.zz] {
            assert!((moment - 0.4 * expected_kg * 0.09).abs() < 1e-10);
        }
        let rod = Solid::capsule(DVec3::ZERO, DVec3::Y, 1e-4);
        // m L²/12; the caps lengthen it by a part in ten thousand.
        assert!((rod.inertia().about_com.xx / (rod.mass_kg / 12.0) - 1.0).abs() < 5e-4);
    }
}
