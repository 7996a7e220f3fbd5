//! The zero-moment point of each frame as a ratio of linear functions of the masses.
//!
//! With every mass of group k scaled by s_k (and its inertia with it), the surroundings' force and moment about a point
//! O are F = Σ s_k F_k and M_O = Σ s_k M_k, where F_k = Ṗ_k − m_k g and M_k = L̇_k + (c_k − O) × F_k of the group
//! alone. On ground that is level at O, Z − O = up × M_O / F_y: two sums over one sum. So a frame is 3 numbers a group,
//! and judging a set of masses is a handful of multiplications a frame.

use super::{MassGroup, MassOptions, ReferenceClip};
use crate::error::AnalysisError;
use crate::report::{PhaseKind, link_paths, timeline_used};
use crate::support::nearest_point;
use aplomb_physics::centroidal::{CentroidalOptions, centroidal_track_of_paths};
use aplomb_physics::{Body, GRAVITY, GRAVITY_IN_WORLD, PhysicsError};
use glam::{DVec2, DVec3, Vec2Swizzles};
use std::sync::Arc;

/// Frames of one clip that can be judged.
pub(super) struct Rows {
    groups: usize,
    /// `frames × groups`: up × M_k as world (z, x), about the frame's own origin.
    moments: Vec<DVec2>,
    /// `frames × groups`: vertical force.
    forces: Vec<f64>,
    /// Corners of each frame's polygon as world (z, x) about the frame's own origin, counter-clockwise.
    polygons_m: Vec<Vec<DVec2>>,
}

impl Rows {
    pub fn of(
        reference: &ReferenceClip<'_>,
        body: &Body,
        groups: &[MassGroup],
        options: &MassOptions,
    ) -> Result<Self, AnalysisError> {
        let ReferenceClip { clip, inspection, .. } = reference;
        body.check_skeleton(clip.skeleton())?;
        let usable = usable_frames(reference, options);
        // Paths begin behind a stray first frame.
        let skipped = usize::from(inspection.contacts.stray_first_frame);
        let timeline = timeline_used(clip, &inspection.contacts, clip.frame_count() - skipped)?;
        let mut rows = Self { groups: groups.len(), moments: Vec::new(), forces: Vec::new(), polygons_m: Vec::new() };
        rows.moments.resize(usable.len() * groups.len(), DVec2::ZERO);
        rows.forces.resize(usable.len() * groups.len(), 0.0);
        for (k, group) in groups.iter().enumerate() {
            let part = part_of(body, group)?;
            let centroidal = CentroidalOptions { model: options.model, smoothing_secs: options.smoothing_secs };
            let paths = link_paths(clip, &part, &inspection.contacts)?;
            let track = centroidal_track_of_paths(&paths, &part, &timeline, &centroidal)?;
            for (row, frame) in usable.iter().enumerate() {
                let rate = track.momentum_rate[frame.index - skipped];
                let force = rate.linear - GRAVITY_IN_WORLD * track.total_mass_kg;
                let lever_m = track.com_in_world_m[frame.index - skipped] - frame.origin_m;
                let moment = DVec3::Y.cross(rate.angular + lever_m.cross(force));
                rows.moments[row * groups.len() + k] = flat(moment);
                rows.forces[row * groups.len() + k] = force.y;
            }
        }
        rows.polygons_m = usable.into_iter().map(|frame| frame.polygon_m).collect();
        Ok(rows)
    }

    pub fn len(&self) -> usize {
        self.polygons_m.len()
    }

    pub fn is_empty(&self) -> bool {
        self.polygons_m.is_empty()
    }

    /// Z − O of a frame, and the whole vertical force.
    fn zmp_m(&self, row: usize, factors: &[f64]) -> (DVec2, f64) {
        let range = row * self.groups..(row + 1) * self.groups;
        let moment: DVec2 = self.moments[range.clone()].iter().zip(factors).map(|(m, &s)| *m * s).sum();
        let force: f64 = self.forces[range].iter().zip(factors).map(|(f, s)| f * s).sum();
        (moment / force, force)
    }

    /// From the zero-moment point to the polygon, and the force.
    fn miss_m(&self, row: usize, factors: &[f64]) -> (DVec2, DVec2, f64) {
        let (zmp_m, force) = self.zmp_m(row, factors);
        (zmp_m, zmp_m - nearest_point(&self.polygons_m[row], zmp_m), force)
    }

    /// Mean distance from the polygon.
    pub fn mean_m(&self, factors: &[f64]) -> f64 {
        let sum: f64 = (0..self.len()).map(|row| self.miss_m(row, factors).1.length()).sum();
        sum / self.len().max(1) as f64
    }

    /// Sum over frames of √(d² + ε²) − ε, which has a gradient on the polygon's edge too; its derivatives by the
    /// factors are added to `gradient`. ∂Z/∂s_k = (M_k − Z F_k) / F.
    pub fn softened_sum_m(&self, factors: &[f64], softness_m: f64, mut gradient: Option<&mut [f64]>) -> f64 {
        let mut sum_m = 0.0;
        for row in 0..self.len() {
            let (zmp_m, miss_m, force) = self.miss_m(row, factors);
            let soft_m = (miss_m.length_squared() + softness_m * softness_m).sqrt();
            sum_m += soft_m - softness_m;
            if let Some(gradient) = gradient.as_deref_mut() {
                // The nearest point moves along the edge or not at all, so the distance changes by Ż alone.
                let slope = miss_m / (soft_m * force);
                for (k, into) in gradient.iter_mut().enumerate() {
                    let index = row * self.groups + k;
                    *into += slope.dot(self.moments[index] - zmp_m * self.forces[index]);
                }
            }
        }
        sum_m
    }

    #[cfg(test)]
    pub fn zmps_m(&self, factors: &[f64]) -> Vec<DVec2> {
        (0..self.len()).map(|row| self.zmp_m(row, factors).0).collect()
    }

    #[cfg(test)]
    pub fn made(groups: usize, moments: Vec<DVec2>, forces: Vec<f64>, polygons_m: Vec<Vec<DVec2>>) -> Self {
        Self { groups, moments, forces, polygons_m }
    }
}

/// A frame whose support is known.
pub(super) struct Usable {
    pub index: usize,
    /// On the ground, amid the support: small numbers keep their digits.
    pub origin_m: DVec3,
    polygon_m: Vec<DVec2>,
}

/// Frames that stand on known contacts with a force worth the name.
pub(super) fn usable_frames(reference: &ReferenceClip<'_>, options: &MassOptions) -> Vec<Usable> {
    let series = &reference.inspection.series;
    let weight_newtons = reference.inspection.total_mass_kg * GRAVITY;
    let usable = |index: usize| {
        let kind = series.kind.get(index).copied().flatten()?;
        let force = series.force_newtons.get(index).copied().flatten()?;
        let height_m = series.support_height_m.get(index).copied().flatten()?;
        let polygon = series.support_polygon_m.get(index).filter(|polygon| polygon.len() > 2)?;
        let stands = !matches!(kind, PhaseKind::Flight | PhaseKind::Other);
        if !stands || force.y < options.least_load * weight_newtons {
            return None;
        }
        let middle_m = polygon.iter().sum::<DVec2>() / polygon.len() as f64;
        // The report's corners are (x, z), which runs clockwise in a right-handed plane.
        let polygon_m = polygon.iter().map(|corner| (*corner - middle_m).yx()).collect();
        Some(Usable { index, origin_m: DVec3::new(middle_m.x, height_m, middle_m.y), polygon_m })
    };
    (0..reference.clip.frame_count()).filter_map(usable).collect()
}

/// Seen from above with the axes in the order that makes counter-clockwise positive.
fn flat(v: DVec3) -> DVec2 {
    DVec2::new(v.z, v.x)
}

/// The links of one group as a body of their own.
fn part_of(body: &Body, group: &MassGroup) -> Result<Body, PhysicsError> {
    let links = body.links().iter().filter(|link| group.joints.contains(&link.joint)).cloned().collect();
    Body::from_links(Arc::clone(body.skeleton()), links, None, body.source().clone(), Vec::new())
}
