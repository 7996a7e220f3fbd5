//! Capsules to triangles: eight sides, rounded ends, flat normals, every vertex moved by one joint alone.

use super::figure::Capsule;
use glam::{DMat3, DVec3};

/// Vertices and triangles of the whole body, in bind pose.
#[derive(Default)]
pub(super) struct Mesh {
    pub positions_m: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// Index of the joint that moves the vertex.
    pub joints: Vec<u16>,
    pub indices: Vec<u32>,
}

/// How round capsules are.
#[derive(Clone, Copy)]
struct Detail {
    sides: usize,
    /// Rings of a cap between its rim and its pole.
    cap_rings: usize,
}

const ROUND: Detail = Detail { sides: 8, cap_rings: 1 };
const COARSE: Detail = Detail { sides: 4, cap_rings: 0 };
/// A capsule of eight sides takes 6 kB: beyond so many, crowds and nets of chains, four sides do.
const MANY_CAPSULES: usize = 2_000;

/// `bind_m` is where each joint stands in bind pose, where no joint is turned.
pub(super) fn of_capsules(capsules: &[Capsule], bind_m: &[DVec3]) -> Mesh {
    let detail = if capsules.len() > MANY_CAPSULES { COARSE } else { ROUND };
    let mut mesh = Mesh::default();
    for capsule in capsules {
        mesh.add(capsule, bind_m[capsule.joint.index()], detail);
    }
    mesh
}

/// A ring of vertices, or the pole where it has shrunk to a point.
type Ring = Vec<DVec3>;

impl Mesh {
    fn add(&mut self, capsule: &Capsule, origin_m: DVec3, detail: Detail) {
        let axes = section_axes(capsule);
        let mut rings: Vec<Ring> = Vec::new();
        // From the pole behind the start over its rim to the rim of the end and its pole: latitudes −90° … 0°, 0° …
        // 90°.
        let steps = detail.cap_rings + 1;
        for (at_m, half_m, sign) in
            [(capsule.start_m, capsule.start_half_m, -1.0), (capsule.end_m, capsule.end_half_m, 1.0)]
        {
            let cap_m = half_m[0].min(half_m[1]);
            let latitudes = (0..=steps).map(|step| std::f64::consts::FRAC_PI_2 * step as f64 / steps as f64);
            let mut cap: Vec<Ring> = latitudes
                .map(|latitude| {
                    let centre_m = at_m + axes.z_axis * (sign * cap_m * latitude.sin());
                    ring(centre_m, axes, half_m, latitude.cos(), detail.sides)
                })
                .collect();
            if sign < 0.0 {
                cap.reverse();
            }
            rings.extend(cap);
        }
        for pair in rings.windows(2) {
            self.band(&pair[0], &pair[1], capsule.joint.index() as u16, origin_m);
        }
    }

    /// The faces between two rings; the second lies further along the axis, so that faces look outward.
    fn band(&mut self, near: &Ring, far: &Ring, joint: u16, origin_m: DVec3) {
        let sides = near.len().max(far.len());
        let at = |ring: &Ring, side: usize| ring[side % ring.len()];
        for side in 0..sides {
            let next = side + 1;
            match (near.len(), far.len()) {
                (1, _) => self.face(&[near[0], at(far, next), at(far, side)], joint, origin_m),
                (_, 1) => self.face(&[at(near, side), at(near, next), far[0]], joint, origin_m),
                _ => self.face(&[at(near, side), at(near, next), at(far, next), at(far, side)], joint, origin_m),
            }
        }
    }

    fn face(&mut self, corners_m: &[DVec3], joint: u16, origin_m: DVec3) {
        // Of the diagonals: right for triangles and for the plane quadrilaterals between two similar rings.
        let diagonal = corners_m.len() - 1;
        let across = (corners_m[2] - corners_m[0]).cross(corners_m[diagonal] - corners_m[1]);
        let normal = if corners_m.len() == 3 {
            (corners_m[1] - corners_m[0]).cross(corners_m[2] - corners_m[0])
        } else {
            across
        };
        // A ball has no sides between its rims.
        let Some(normal) = normal.try_normalize() else { return };
        let first = self.positions_m.len() as u32;
        for &corner_m in corners_m {
            self.positions_m.push((origin_m + corner_m).as_vec3().to_array());
            self.normals.push(normal.as_vec3().to_array());
            self.joints.push(joint);
        }
        for last in 2..corners_m.len() as u32 {
            self.indices.extend([first, first + last - 1, first + last]);
        }
    }
}

fn ring(centre_m: DVec3, axes: DMat3, half_m: [f64; 2], shrink: f64, sides: usize) -> Ring {
    if shrink < 1e-9 {
        return vec![centre_m];
    }
    let corner = |side: usize| {
        let (sin, cos) = (std::f64::consts::TAU * side as f64 / sides as f64).sin_cos();
        centre_m + shrink * (axes.x_axis * (cos * half_m[0]) + axes.y_axis * (sin * half_m[1]))
    };
    (0..sides).map(corner).collect()
}

/// Z along the capsule, X as near to its wide side as can be, right-handed.
fn section_axes(capsule: &Capsule) -> DMat3 {
    let z = (capsule.end_m - capsule.start_m).try_normalize().unwrap_or(DVec3::Y);
    let wide = capsule.wide_along.reject_from_normalized(z);
    // A wide side along the capsule itself says nothing.
    let x = wide.try_normalize().filter(|_| wide.length() > 1e-3).unwrap_or_else(|| z.any_orthonormal_vector());
    DMat3::from_cols(x, z.cross(x), z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_motion::JointId;

    fn solid(start_m: DVec3, end_m: DVec3, half_m: [f64; 2]) -> Mesh {
        let capsule = Capsule {
            joint: JointId::new(0),
            start_m,
            end_m,
            start_half_m: half_m,
            end_half_m: half_m,
            wide_along: DVec3::X,
        };
        of_capsules(&[capsule], &[DVec3::new(0.0, 2.0, 0.0)])
    }

    fn corners(mesh: &Mesh) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let at = |index: u32| glam::Vec3::from(mesh.positions_m[index as usize]).as_dvec3();
        mesh.indices.as_chunks::<3>().0.iter().map(move |triangle| triangle.map(at))
    }

    /// Signed volume by the divergence theorem: only right if the surface is closed and every face looks outward.
    fn volume_m3(mesh: &Mesh) -> f64 {
        corners(mesh).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    #[test]
    fn a_capsule_is_closed_and_nearly_as_large_as_a_round_one() {
        let mesh = solid(DVec3::ZERO, DVec3::new(0.1, 0.4, -0.2), [0.05, 0.05]);
        let round = std::f64::consts::PI * 0.05 * 0.05 * (0.21f64.sqrt() + 4.0 / 3.0 * 0.05);
        let ratio = volume_m3(&mesh) / round;
        // An octagon has 0.90 of the circle around it, and the caps lose a little more.
        assert!((0.85..0.92).contains(&ratio), "{ratio}");
        assert_eq!(mesh.indices.len() / 3, 8 * (1 + 2 + 2 + 2 + 1));
    }

    #[test]
    fn normals_are_of_unit_length_and_agree_with_the_winding() {
        let mesh = solid(DVec3::ZERO, DVec3::new(0.1, 0.4, -0.2), [0.09, 0.05]);
        for (corners, triangle) in corners(&mesh).zip(mesh.indices.chunks(3)) {
            let normal = glam::Vec3::from(mesh.normals[triangle[0] as usize]).as_dvec3();
            assert!((normal.length() - 1.0).abs() < 1e-6);
            let [a, b, c] = corners;
            assert!((b - a).cross(c - a).normalize().dot(normal) > 0.99);
        }
    }

    #[test]
    fn a_capsule_without_length_is_a_ball() {
        let mesh = solid(DVec3::ZERO, DVec3::ZERO, [0.12, 0.12]);
        let ratio = volume_m3(&mesh) / (4.0 / 3.0 * std::f64::consts::PI * 0.12f64.powi(3));
        assert!((0.7..1.0).contains(&ratio), "{ratio}");
        assert!(mesh.positions_m.iter().all(|at| (at[1] - 2.0).abs() < 0.121));
    }
}
