//! Euler angles in degrees, as motion files hold them: exact at quarter turns, and continuous when written back.

use crate::axes::Axis;
use arrayvec::ArrayVec;
use glam::{DMat3, DQuat};

/// R = R(axes\[0\], angles\[0\]) · R(axes\[1\], angles\[1\]) · …: intrinsic rotations in the listed order.
pub fn rotation_from_deg(axes: &[Axis], angles_deg: &[f64]) -> DQuat {
    axes.iter().zip(angles_deg).fold(DQuat::IDENTITY, |rotation, (&axis, &angle_deg)| {
        let (sin, cos) = half_angle_sin_cos_deg(angle_deg);
        rotation * about(axis, sin, cos)
    })
}

/// The unit quaternion of a turn about a coordinate axis, from the sine and cosine of half its angle.
#[inline]
pub fn about(axis: Axis, half_sin: f64, half_cos: f64) -> DQuat {
    match axis {
        Axis::X => DQuat::from_xyzw(half_sin, 0.0, 0.0, half_cos),
        Axis::Y => DQuat::from_xyzw(0.0, half_sin, 0.0, half_cos),
        Axis::Z => DQuat::from_xyzw(0.0, 0.0, half_sin, half_cos),
    }
}

/// 1.5 · 2⁵²: adding and subtracting it rounds to the nearest integer, and leaves that integer in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// Sine and cosine of `angle_deg / 2`.
///
/// Reduced in degrees, where a quarter turn is exact, so 180° gives exactly (1, 0); then the kernel polynomials of
/// fdlibm on ±45°, within 1 ulp. Written here and not taken from libm because it gives the same bits on every platform.
#[inline]
pub fn half_angle_sin_cos_deg(angle_deg: f64) -> (f64, f64) {
    half_angle_sin_cos_below_deg(if angle_deg.abs() < EXACT_BELOW_DEG { angle_deg } else { remainder_deg(angle_deg) })
}

/// Beyond this, x − 90k is no longer exact; such files exist only to break readers.
pub const EXACT_BELOW_DEG: f64 = 1e12;

/// Out of line: the compiler would compute the remainder for every angle and select afterwards.
#[cold]
#[inline(never)]
fn remainder_deg(angle_deg: f64) -> f64 {
    angle_deg % 720.0
}

/// The same for |angle| below [`EXACT_BELOW_DEG`], without a branch: a loop over a frame's angles runs in vector
/// registers.
#[inline(always)]
pub fn half_angle_sin_cos_below_deg(angle_deg: f64) -> (f64, f64) {
    let half_deg = 0.5 * angle_deg;
    let shifted = half_deg * (1.0 / 90.0) + ROUND;
    let quadrant = shifted.to_bits();
    let rest_deg = half_deg - (shifted - ROUND) * 90.0;
    let r = rest_deg * (std::f64::consts::PI / 180.0);
    let z = r * r;
    let sin = r + r * z * horner(z, &SIN_KERNEL);
    let cos = 1.0 - 0.5 * z + z * z * horner(z, &COS_KERNEL);
    let (s, c) = if quadrant & 1 == 0 { (sin, cos) } else { (cos, sin) };
    // Quadrants 2 and 3 negate the sine, 1 and 2 the cosine.
    let s = f64::from_bits(s.to_bits() ^ ((quadrant & 2) << 62));
    let c = f64::from_bits(c.to_bits() ^ ((quadrant.wrapping_add(1) & 2) << 62));
    (s, c)
}

/// sin r = r + r³·S(r²) on ±π/4 (fdlibm `k_sin`).
const SIN_KERNEL: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

/// cos r = 1 − r²/2 + r⁴·C(r²) on ±π/4 (fdlibm `k_cos`).
const COS_KERNEL: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

#[inline]
fn horner(z: f64, c: &[f64; 6]) -> f64 {
    c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * c[5]))))
}

/// Angles for a rotation, and what could not be expressed in the given axes.
#[derive(Clone, Debug, PartialEq)]
pub struct EulerAngles {
    /// One an axis, in the order of the axes, degrees, unwrapped towards the reference.
    pub angles_deg: ArrayVec<f64, 3>,
    /// Angle between the rotation asked for and the one these angles give: rounding for three axes, more for fewer.
    pub loss_rad: f64,
}

/// The angles in the order of `axes` that give `rotation`, nearest to `reference_deg`.
///
/// Of the two solutions and all multiples of 360° the one closest to the reference is taken, so curves stay continuous
/// and values past ±180° that were in the file stay there. At the singularity (middle axis at ±90°) the first angle
/// keeps its reference and the others are solved for. With fewer than three axes the nearest expressible rotation is
/// given. `axes` must not repeat an axis; missing reference values count as 0.
pub fn deg_near(rotation: DQuat, axes: &[Axis], reference_deg: &[f64]) -> EulerAngles {
    let reference = |slot: usize| reference_deg.get(slot).copied().unwrap_or(0.0);
    let angles_deg: ArrayVec<f64, 3> = match *axes {
        [i, j, k] => {
            three_deg_near(rotation, [i, j, k], [reference(0), reference(1), reference(2)]).into_iter().collect()
        }
        [i, j] => two_axes(rotation, i, j, [reference(0), reference(1)]).into_iter().collect(),
        // Nearest turn about one axis: the twist part of the quaternion.
        [i] => [unwrap_deg(2.0 * component(rotation, i).atan2(rotation.w).to_degrees(), reference(0))]
            .into_iter()
            .collect(),
        _ => ArrayVec::new(),
    };
    let reached = rotation_from_deg(axes, &angles_deg);
    let error = reached.conjugate() * rotation;
    EulerAngles { angles_deg, loss_rad: turn_rad(error) }
}

/// The angle of a rotation, from 0 to π.
fn turn_rad(q: DQuat) -> f64 {
    let half_sin = (q.x * q.x + q.y * q.y + q.z * q.z).sqrt();
    // asin x = x + x³/6 + …: below 1e-3 the next term is 1e-16 of the first.
    if half_sin < 1e-3 { 2.0 * half_sin * (1.0 + half_sin * half_sin / 6.0) } else { 2.0 * half_sin.atan2(q.w.abs()) }
}

/// [`deg_near`] for three different axes, which express every rotation.
///
/// Two equivalent triples give each rotation: (a, b, c) and (a + 180°, 180° − b, c + 180°); the nearer one is taken.
pub fn three_deg_near(rotation: DQuat, [i, j, k]: [Axis; 3], reference_deg: [f64; 3]) -> [f64; 3] {
    let m = DMat3::from_quat(rotation);
    let e = if (i.index() + 1) % 3 == j.index() { 1.0 } else { -1.0 };
    let (ii, jj, kk) = (i.index(), j.index(), k.index());
    // Glam stores columns: element (row, column) is m.col(column)[row].
    let at = |row: usize, column: usize| m.col(column)[row];
    let (sin_a, cos_a) = (-e * at(jj, kk), at(kk, kk));
    // |cos b|; below it the first and third axes are parallel and only their sum is defined.
    const SINGULAR: f64 = 1e-9;
    let is_regular = sin_a * sin_a + cos_a * cos_a > SINGULAR * SINGULAR;
    let first_deg = if is_regular { sin_a.atan2(cos_a).to_degrees() } else { reference_deg[0] };
    // With a known, R_i(a)⁻¹·R = R_j(b)·R_k(c): errors of a next to the singularity are taken up by b and c.
    let (sin, cos) = half_angle_sin_cos_deg(first_deg);
    let n = DMat3::from_quat(about(i, sin, cos).conjugate() * rotation);
    let at = |row: usize, column: usize| n.col(column)[row];
    let second_deg = (e * at(ii, kk)).atan2(at(kk, kk)).to_degrees();
    let third_deg = (e * at(jj, ii)).atan2(at(jj, jj)).to_degrees();
    let unwrap = |angles: [f64; 3]| std::array::from_fn(|slot| unwrap_deg(angles[slot], reference_deg[slot]));
    let near: [f64; 3] = unwrap([first_deg, second_deg, third_deg]);
    let [d0, d1, d2] = std::array::from_fn(|slot| (near[slot] - reference_deg[slot]).abs());
    // The other triple's outer angles are at least 180° − d0 and 180° − d2 away: usually enough to know that it is
    // farther.
    if d1 * d1 <= 360.0 * (180.0 - d0 - d2) {
        return near;
    }
    let far: [f64; 3] = unwrap([first_deg + 180.0, 180.0 - second_deg, third_deg + 180.0]);
    let distance = |angles: &[f64; 3]| -> f64 {
        angles.iter().zip(&reference_deg).map(|(angle, reference)| (angle - reference).powi(2)).sum()
    };
    if distance(&near) <= distance(&far) { near } else { far }
}

/// The nearest product R_i(a)·R_j(b). With u = (cos a/2, sin a/2) and v = (cos b/2, sin b/2) its quaternion has dot
/// product uᵀ·M·v with q, M = [[w, qⱼ], [qᵢ, ±qₖ]]: the best u, v are the leading singular vectors of a 2×2 matrix.
fn two_axes(rotation: DQuat, i: Axis, j: Axis, reference_deg: [f64; 2]) -> [f64; 2] {
    let e = if (i.index() + 1) % 3 == j.index() { 1.0 } else { -1.0 };
    let k = Axis::ALL[3 - i.index() - j.index()];
    let (m00, m01) = (rotation.w, component(rotation, j));
    let (m10, m11) = (component(rotation, i), e * component(rotation, k));
    // uᵀMv = ½[(m00 + m11)·cos(α − β) + (m10 − m01)·sin(α − β) + (m00 − m11)·cos(α + β) + (m10 + m01)·sin(α + β)]
    // with α = a/2, β = b/2: each bracket is largest at its own phase.
    let difference = (m10 - m01).atan2(m00 + m11);
    let sum = (m10 + m01).atan2(m00 - m11);
    let solve = |sum: f64, difference: f64| {
        let (a_deg, b_deg) = ((sum + difference).to_degrees(), (sum - difference).to_degrees());
        [unwrap_deg(a_deg, reference_deg[0]), unwrap_deg(b_deg, reference_deg[1])]
    };
    let distance = |angles: &[f64; 2]| -> f64 {
        angles.iter().zip(&reference_deg).map(|(angle, reference)| (angle - reference).powi(2)).sum()
    };
    // −q is the same rotation: both phases move by 180°, one of them each way, which turns a and b by 360° or 0°.
    let (near, far) = (solve(sum, difference), solve(sum + std::f64::consts::PI, difference + std::f64::consts::PI));
    if distance(&near) <= distance(&far) { near } else { far }
}

/// `angle_deg` plus the multiple of 360° that brings it nearest to `reference_deg`.
pub fn unwrap_deg(angle_deg: f64, reference_deg: f64) -> f64 {
    let turns = (reference_deg - angle_deg) / 360.0;
    // The usual case, without a call to round.
    if turns.abs() < 0.5 { angle_deg } else { angle_deg + 360.0 * turns.round() }
}

fn component(q: DQuat, axis: Axis) -> f64 {
    [q.x, q.y, q.z][axis.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORDERS: [[Axis; 3]; 6] = [
        [Axis::X, Axis::Y, Axis::Z],
        [Axis::X, Axis::Z, Axis::Y],
        [Axis::Y, Axis::X, Axis::Z],
        [Axis::Y, Axis::Z, Axis::X],
        [Axis::Z, Axis::X, Axis::Y],
        [Axis::Z, Axis::Y, Axis::X],
    ];

    #[test]
    fn quarter_turns_are_exact() {
        let exact = [(0.0, (0.0, 1.0)), (180.0, (1.0, 0.0)), (-180.0, (-1.0, 0.0)), (360.0, (0.0, -1.0))];
        for (angle_deg, expected) in exact {
            assert_eq!(half_angle_sin_cos_deg(angle_deg), expected, "{angle_deg}");
        }
        // 1e6 turns and a half: reduction stays exact.
        assert_eq!(half_angle_sin_cos_deg(720.0 * 1e6 + 180.0), (1.0, 0.0));
        let (sin, cos) = half_angle_sin_cos_deg(1e308);
        assert!((sin.hypot(cos) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn the_middle_axis_at_ninety_keeps_the_first_angle() {
        for order in ORDERS {
            for middle in [90.0, -90.0] {
                let q = rotation_from_deg(&order, &[25.0, middle, 40.0]);
                let found = deg_near(q, &order, &[31.0, middle, 0.0]);
                assert_eq!(found.angles_deg[0], 31.0);
                assert!(found.loss_rad < 1e-8, "{found:?}");
            }
        }
    }

    #[test]
    fn values_past_half_a_turn_stay_there() {
        let order = [Axis::Z, Axis::Y, Axis::X];
        let source = [725.0, 100.0, -540.0];
        let q = rotation_from_deg(&order, &source);
        let found = deg_near(q, &order, &source);
        for (angle, expected) in found.angles_deg.iter().zip(source) {
            assert!((angle - expected).abs() < 1e-10, "{found:?}");
        }
    }

    proptest! {
        #[test]
        fn half_angles_agree_with_libm(angle_deg in -1e4..1e4f64) {
            let (sin, cos) = half_angle_sin_cos_deg(angle_deg);
            let (s, c) = (0.5 * angle_deg % 360.0).to_radians().sin_cos();
            // libm's argument carries a rounding error of up to 2π·2⁻⁵³; ours does not.
            prop_assert!((sin - s).abs() < 1.5e-15 && (cos - c).abs() < 1.5e-15);
        }

        #[test]
        fn every_order_round_trips(a in -400.0..400.0f64, b in -400.0..400.0f64, c in -400.0..400.0f64, order in 0..6usize) {
            let q = rotation_from_deg(&ORDERS[order], &[a, b, c]);
            let by_matrix = [a, b, c].iter().zip(ORDERS[order]).fold(DMat3::IDENTITY, |m, (angle, axis)| {
                m * DMat3::from_axis_angle(axis.unit(), angle.to_radians())
            });
            prop_assert!(DMat3::from_quat(q).abs_diff_eq(by_matrix, 1e-12));
            let found = deg_near(q, &ORDERS[order], &[a, b, c]);
            // Degrees of rounding: next to the singularity single angles are ill-defined, the rotation is not.
            prop_assert!(found.loss_rad < 1e-13 * 8.0, "{:?}", found);
            if (b.to_radians().cos()).abs() > 1e-3 {
                for (angle, expected) in found.angles_deg.iter().zip([a, b, c]) {
                    prop_assert!((angle - expected).abs() < 1e-8, "{:?}", found);
                }
            }
        }

        #[test]
        fn two_axes_round_trip_and_project(a in -170.0..170.0f64, b in -170.0..170.0f64, c in -20.0..20.0f64, order in 0..6usize) {
            let axes = &ORDERS[order][..2];
            let q = rotation_from_deg(axes, &[a, b]);
            let found = deg_near(q, axes, &[a, b]);
            prop_assert!((found.angles_deg[0] - a).abs() < 1e-6 && (found.angles_deg[1] - b).abs() < 1e-6, "{:?}", found);
            // Off the two axes: no worse than leaving the third angle out.
            let off = rotation_from_deg(&ORDERS[order], &[a, b, c]);
            prop_assert!(deg_near(off, axes, &[a, b]).loss_rad <= c.abs().to_radians() + 1e-9);
        }

        #[test]
        fn one_axis_takes_the_twist(a in -500.0..500.0f64, axis in 0..3usize) {
            let axes = [Axis::ALL[axis]];
            let found = deg_near(rotation_from_deg(&axes, &[a]), &axes, &[a]);
            prop_assert!((found.angles_deg[0] - a).abs() < 1e-10 && found.loss_rad < 1e-14);
        }
    }
}
