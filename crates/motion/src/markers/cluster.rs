//! Markers that move together: how a segment is turned, and the point about which two segments turn.

use glam::{DMat4, DQuat, DVec3, DVec4};

/// A segment's pose over time.
#[derive(Clone, Debug, Default)]
pub(super) struct SegmentPath {
    pub origin_m: Vec<DVec3>,
    pub world_from_segment: Vec<DQuat>,
}

impl SegmentPath {
    /// Of three or more markers: the rotation from their first frame's arrangement that fits best, about their
    /// centroid.
    pub fn of_markers(paths_m: &[&[DVec3]]) -> Option<Self> {
        if paths_m.len() < 3 {
            return None;
        }
        let frames = paths_m.iter().map(|path| path.len()).min()?;
        let centroid_m = |frame: usize| paths_m.iter().map(|path| path[frame]).sum::<DVec3>() / paths_m.len() as f64;
        let first_m = centroid_m(0);
        let model_m: Vec<DVec3> = paths_m.iter().map(|path| path[0] - first_m).collect();
        let mut segment = Self::default();
        for frame in 0..frames {
            let origin_m = centroid_m(frame);
            let pairs = model_m.iter().zip(paths_m).map(|(&model_m, path)| (model_m, path[frame] - origin_m));
            segment.world_from_segment.push(best_rotation(pairs));
            segment.origin_m.push(origin_m);
        }
        Some(segment)
    }

    pub fn in_world_m(&self, frame: usize, point_m: DVec3) -> DVec3 {
        self.origin_m[frame] + self.world_from_segment[frame] * point_m
    }

    pub fn in_segment_m(&self, frame: usize, world_m: DVec3) -> DVec3 {
        self.world_from_segment[frame].conjugate() * (world_m - self.origin_m[frame])
    }

    /// Mean place of a path in this segment.
    pub fn mean_in_segment_m(&self, world_m: &[DVec3]) -> DVec3 {
        let places = world_m.iter().enumerate().map(|(frame, &world_m)| self.in_segment_m(frame, world_m));
        places.sum::<DVec3>() / world_m.len().max(1) as f64
    }
}

/// The rotation that takes the first of each pair nearest to the second: the eigenvector of the largest eigenvalue of
/// Horn's matrix (B. K. P. Horn, "Closed-form solution of absolute orientation using unit quaternions", JOSA A 4, 1987,
/// eq. 25).
fn best_rotation(pairs: impl Iterator<Item = (DVec3, DVec3)>) -> DQuat {
    let (mut xx, mut yy, mut zz, mut cross) = (0.0, 0.0, 0.0, DVec3::ZERO);
    let (mut xy, mut yz, mut zx) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        xx += a.x * b.x;
        yy += a.y * b.y;
        zz += a.z * b.z;
        cross += a.cross(b);
        xy += a.x * b.y + a.y * b.x;
        yz += a.y * b.z + a.z * b.y;
        zx += a.z * b.x + a.x * b.z;
    }
    // Order x, y, z, w as glam has it.
    let horn = DMat4::from_cols(
        DVec4::new(xx - yy - zz, xy, zx, cross.x),
        DVec4::new(xy, yy - xx - zz, yz, cross.y),
        DVec4::new(zx, yz, zz - xx - yy, cross.z),
        DVec4::new(cross.x, cross.y, cross.z, xx + yy + zz),
    );
    let norm = horn.to_cols_array().iter().map(|value| value * value).sum::<f64>().sqrt();
    if norm < 1e-12 {
        return DQuat::IDENTITY;
    }
    // Shifted so that the wanted eigenvalue is also the largest by magnitude, then squared over and over: 2¹⁰ steps of
    // power iteration.
    let mut power = horn * (1.0 / norm) + DMat4::IDENTITY;
    for _ in 0..10 {
        power = power * power;
        let largest = power.to_cols_array().iter().fold(0.0f64, |most, value| most.max(value.abs()));
        power *= 1.0 / largest;
    }
    let columns = [power.x_axis, power.y_axis, power.z_axis, power.w_axis];
    let longest = columns.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    let axis = longest.unwrap_or(DVec4::W).normalize();
    DQuat::from_vec4(axis)
}

/// Rounds of the iteration below. A knee that bends by 60° settles in some fifty, an ankle in some three hundred.
const ROUNDS: usize = 600;

/// The point that stays put in both segments while they turn against each other: least squares in both frames (Ehrig,
/// Taylor, Duda & Heller, "A survey of formal methods for determining the centre of rotation of ball joints", J.
/// Biomech. 39, 2006: SCoRE), found by turns, from a guess in the world. Along the axis of a hinge nothing is known,
/// and the guess stays.
pub(super) fn centre_of_rotation_m(upper: &SegmentPath, lower: &SegmentPath, guess_m: &[DVec3]) -> Vec<DVec3> {
    let frames = guess_m.len();
    let mut in_upper_m = upper.mean_in_segment_m(guess_m);
    let mut in_lower_m = lower.mean_in_segment_m(guess_m);
    let between = |frame: usize, in_upper_m: DVec3, in_lower_m: DVec3| {
        0.5 * (upper.in_world_m(frame, in_upper_m) + lower.in_world_m(frame, in_lower_m))
    };
    for _ in 0..ROUNDS {
        let mut sums = [DVec3::ZERO; 2];
        for frame in 0..frames {
            let world_m = between(frame, in_upper_m, in_lower_m);
            sums[0] += upper.in_segment_m(frame, world_m);
            sums[1] += lower.in_segment_m(frame, world_m);
        }
        [in_upper_m, in_lower_m] = sums.map(|sum| sum / frames.max(1) as f64);
    }
    (0..frames).map(|frame| between(frame, in_upper_m, in_lower_m)).collect()
}
