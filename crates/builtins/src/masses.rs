//! The masses that clips are balanced with: those of the physics crate's body of the figure, the same that a report
//! judges by.

use crate::{BuiltError, MassPoint};
use aplomb_motion::{Roles, Skeleton};
use aplomb_physics::{Body, BodyOptions, Link};
use glam::DVec3;
use std::sync::Arc;

/// A body as points.
#[derive(Clone, Debug)]
pub struct Masses {
    /// One point a link, at its centre: enough for the centre of mass.
    pub centres: Vec<MassPoint>,
    /// Six points a link, with its mass, centre and inertia: for moments, since links are rigid and not points.
    pub points: Vec<MassPoint>,
}

impl Masses {
    /// Of points alone.
    pub fn of_points(points: Vec<MassPoint>) -> Self {
        Self { centres: points.clone(), points }
    }

    /// Of a figure at rest.
    pub fn of(skeleton: &Arc<Skeleton>) -> Result<Self, BuiltError> {
        let body = Body::of_skeleton(skeleton, &Roles::detect_skeleton(skeleton), &BodyOptions::default())?;
        let share = |mass_kg: f64| mass_kg / body.total_mass_kg();
        let centre = |link: &Link| MassPoint {
            joint: link.joint.index(),
            share: share(link.inertia.mass_kg),
            at_m: link.inertia.com_m,
        };
        let points = |link: &Link| {
            let centre = centre(link);
            equimomental_m(link).map(|from_centre_m| MassPoint {
                share: centre.share / 6.0,
                at_m: centre.at_m + from_centre_m,
                ..centre
            })
        };
        Ok(Self {
            centres: body.links().iter().map(centre).collect(),
            points: body.links().iter().flat_map(points).collect(),
        })
    }
}

/// Six points, each with a sixth of the link's mass, that resist turning as the link does. With S = ½ tr(I)·1 − I its
/// second moments and S = L Lᵀ, points at ±√(3/m) times the columns of L have Σ (m/6) r rᵀ = L Lᵀ (Routh's equimomental
/// points, for any axes).
fn equimomental_m(link: &Link) -> [DVec3; 6] {
    let s = link.inertia.about_com.second_moments();
    let root = |pivot: f64| pivot.max(0.0).sqrt();
    // Thin links have no extent along some axis: nothing is left to divide by there, nor to divide.
    let over = |value: f64, pivot: f64| if pivot > 0.0 { value / pivot } else { 0.0 };
    let xx = root(s.xx);
    let (xy, xz) = (over(s.xy, xx), over(s.xz, xx));
    let yy = root(s.yy - xy * xy);
    let yz = over(s.yz - xy * xz, yy);
    let zz = root(s.zz - xz * xz - yz * yz);
    let scale = (3.0 / link.inertia.mass_kg).sqrt();
    let columns = [DVec3::new(xx, xy, xz), DVec3::new(0.0, yy, yz), DVec3::Z * zz].map(|column| column * scale);
    [columns[0], -columns[0], columns[1], -columns[1], columns[2], -columns[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_physics::Symmetric3;

    #[test]
    fn six_points_have_the_mass_centre_and_inertia_of_their_link() {
        let skeleton = crate::human::human().unwrap().skeleton;
        let body = Body::of_skeleton(&skeleton, &Roles::detect_skeleton(&skeleton), &BodyOptions::default()).unwrap();
        assert!(body.links().len() > 15);
        for link in body.links() {
            let points_m = equimomental_m(link);
            assert!(points_m.iter().copied().sum::<DVec3>().length() < 1e-15);
            let mass_kg = link.inertia.mass_kg / 6.0;
            let moments = points_m.iter().fold(Symmetric3::ZERO, |sum, r| sum + Symmetric3::outer(*r) * mass_kg);
            let off = moments.inertia_of_second_moments() - link.inertia.about_com;
            let worst = [off.xx, off.yy, off.zz, off.xy, off.xz, off.yz].into_iter().map(f64::abs).fold(0.0, f64::max);
            // Rounding of a few operations on numbers below 1 kg·m².
            assert!(worst < 1e-14, "{}: {worst}", skeleton.joint(link.joint).name);
        }
    }
}
