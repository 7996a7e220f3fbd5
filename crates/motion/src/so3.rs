//! Rotations as unit quaternions: exponential and logarithm, geodesics, means, and the derivative of the exponential.
//!
//! A rotation vector is axis times angle in radians; `q` and `-q` are the same rotation, and every function here treats
//! them so. glam's own `slerp` is not used: its `acos` of a dot product near one loses half the digits of a small
//! angle, which shows in second differences of resampled motion.

use glam::{DMat3, DQuat, DVec3};

/// The rotation about `rotation_vector_rad` by its length. Any length is fine; zero gives the identity exactly.
pub fn exp(rotation_vector_rad: DVec3) -> DQuat {
    let half_angle = 0.5 * rotation_vector_rad.length();
    let vector_part = rotation_vector_rad * (0.5 * sinc(half_angle));
    DQuat::from_xyzw(vector_part.x, vector_part.y, vector_part.z, half_angle.cos())
}

/// The shortest rotation vector of `q`, of length in [0, π].
///
/// `q` need not be normalised exactly; `q` and `-q` give the same vector. At exactly π both signs of the axis are
/// right; the one whose first nonzero component is positive is given. The zero quaternion gives zero.
pub fn log(q: DQuat) -> DVec3 {
    let DQuat { x, y, z, w } = positive_half(q);
    let vector_part = DVec3::new(x, y, z);
    let sine = vector_part.length();
    if sine < SMALL_SINE * w {
        // atan(s/w)/s = (1 − (s/w)²/3 + …)/w; the dropped term is below the last bit.
        return vector_part * (2.0 / w);
    }
    if sine == 0.0 {
        return DVec3::ZERO;
    }
    // atan2 of both parts keeps all digits everywhere; acos(w) loses half of them near 0, asin(s) near π.
    vector_part * (2.0 * sine.atan2(w) / sine)
}

/// (s/w)²/3 < 4e-17 below this: under half an ulp of one.
const SMALL_SINE: f64 = 1e-8;

/// Of `q` and `-q`, the one with w > 0, or with a positive first nonzero component if w = 0.
fn positive_half(q: DQuat) -> DQuat {
    let leading = [q.w, q.x, q.y, q.z].into_iter().find(|&part| part != 0.0);
    if leading.is_some_and(|part| part < 0.0) { -q } else { q }
}

/// The geodesic from `a` (t = 0) to `b` (t = 1) the short way round at constant speed; t outside [0, 1] goes on along
/// it.
///
/// t = 0 gives `a` itself; t = 1 gives `b` up to rounding and up to sign. For rotations exactly π apart the way is
/// chosen as in [`log`].
pub fn slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    a * exp(log(a.conjugate() * b) * t)
}

/// The angle in radians, in [0, π], of the rotation that takes `a` to `b`.
pub fn angle_between(a: DQuat, b: DQuat) -> f64 {
    log(a.conjugate() * b).length()
}

/// The intrinsic (Karcher) mean: the rotation with the least weighted sum of squared angles to `rotations`.
///
/// It commutes with rotation of all inputs from the left or the right, and signs of the quaternions do not matter.
/// Weights need not sum to one. `None` for no rotations, unequal counts, a negative or infinite weight, all weights
/// zero, or rotations so spread (some beyond π/2 from any centre) that the iteration finds no mean.
pub fn weighted_mean(rotations: &[DQuat], weights: &[f64]) -> Option<DQuat> {
    let total_weight: f64 = weights.iter().sum();
    let usable_weights = weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
    if rotations.len() != weights.len() || !usable_weights || total_weight <= 0.0 {
        return None;
    }
    let mut mean = chordal_start(rotations, weights)?;
    for _ in 0..MEAN_MAX_STEPS {
        // The gradient of ½ Σ wᵢ |log(m⁻¹ qᵢ)|² in the tangent space at m, divided by the total weight: a fixed-point
        // step whose contraction is of the order (spread)²/12 (Manton 2004, "A globally convergent numerical algorithm
        // for computing the centre of mass on compact Lie groups").
        let step_rad = weighted_sum(rotations, weights, |q| log(mean.conjugate() * q)) / total_weight;
        mean = (mean * exp(step_rad)).normalize();
        if step_rad.length() < MEAN_TOLERANCE_RAD {
            return Some(mean);
        }
    }
    None
}

/// Rounding in one step is a few 1e-16 rad; a step below this is noise.
const MEAN_TOLERANCE_RAD: f64 = 1e-14;
const MEAN_MAX_STEPS: usize = 200;

/// Where the iteration starts: the normalised sum in the hemisphere of the heaviest rotation. Dot products do not
/// change when all inputs are multiplied from either side, so neither does this choice.
fn chordal_start(rotations: &[DQuat], weights: &[f64]) -> Option<DQuat> {
    let mut heaviest = 0;
    for (index, weight) in weights.iter().enumerate() {
        if *weight > weights[heaviest] {
            heaviest = index;
        }
    }
    let reference = rotations.get(heaviest)?.normalize();
    let sum = rotations.iter().zip(weights).fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, (&q, &weight)| {
        let sign = if q.dot(reference) < 0.0 { -1.0 } else { 1.0 };
        sum + q * (sign * weight)
    });
    // Aligned quaternions cannot cancel: the sum has at least the heaviest one's length along it.
    let start = sum.normalize();
    start.is_finite().then_some(start)
}

fn weighted_sum(rotations: &[DQuat], weights: &[f64], term: impl Fn(DQuat) -> DVec3) -> DVec3 {
    rotations.iter().zip(weights).fold(DVec3::ZERO, |sum, (&q, &weight)| sum + term(q) * weight)
}

/// Flips signs so that each quaternion has a nonnegative dot product with the one before it; the first is kept. The
/// rotations stay the same. Empty and single slices stay as they are.
pub fn align_hemispheres(rotations: &mut [DQuat]) {
    for next in 1..rotations.len() {
        if rotations[next].dot(rotations[next - 1]) < 0.0 {
            rotations[next] = -rotations[next];
        }
    }
}

/// A rotation split as `swing * twist`: first about the axis, then about an axis perpendicular to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingTwist {
    /// The rotation about an axis perpendicular to the twist axis: it moves that axis to where the whole rotation moves
    /// it.
    pub swing: DQuat,
    /// The rotation about the twist axis.
    pub twist: DQuat,
}

/// Splits `q` into a swing and a twist about `axis` (any length) so that `q = swing * twist`.
///
/// When `q` turns the axis to its opposite, every twist is possible and the identity is given; likewise for a zero
/// axis.
pub fn swing_twist(q: DQuat, axis: DVec3) -> SwingTwist {
    let axis = axis.normalize_or_zero();
    let along_axis = axis * DVec3::new(q.x, q.y, q.z).dot(axis);
    let twist = DQuat::from_xyzw(along_axis.x, along_axis.y, along_axis.z, q.w);
    let twist =
        if axis != DVec3::ZERO && twist.length() > UNDEFINED_TWIST { twist.normalize() } else { DQuat::IDENTITY };
    SwingTwist { swing: q * twist.conjugate(), twist }
}

/// cos of half the swing angle below which the twist is only rounding noise.
const UNDEFINED_TWIST: f64 = 1e-15;

/// J_r with exp(v + δ) = exp(v) · exp(J_r(v) δ) to first order in δ: body angular velocity is J_r(v) v̇.
pub fn right_jacobian(rotation_vector_rad: DVec3) -> DMat3 {
    // J_r = I − (1−cos θ)/θ² [v]ₓ + (θ−sin θ)/θ³ [v]ₓ²  (Chirikjian 2012, eq. 10.86).
    let theta = rotation_vector_rad.length();
    let cross = cross_matrix(rotation_vector_rad);
    // (1−cos θ)/θ² = ½ sinc²(θ/2): no cancellation.
    let half_sinc = sinc(0.5 * theta);
    DMat3::IDENTITY - cross * (0.5 * half_sinc * half_sinc) + cross * cross * theta_minus_sine_over_cube(theta)
}

/// J_l with exp(v + δ) = exp(J_l(v) δ) · exp(v) to first order in δ: world angular velocity is J_l(v) v̇.
pub fn left_jacobian(rotation_vector_rad: DVec3) -> DMat3 {
    right_jacobian(-rotation_vector_rad)
}

/// The inverse of [`right_jacobian`]: log(exp(v) · exp(δ)) = v + J_r⁻¹(v) δ to first order in δ. Not finite at an angle
/// of 2π, where J_r is singular.
pub fn right_jacobian_inverse(rotation_vector_rad: DVec3) -> DMat3 {
    // J_r⁻¹ = I + ½ [v]ₓ + (1/θ² − cot(θ/2)/(2θ)) [v]ₓ².
    let cross = cross_matrix(rotation_vector_rad);
    let quadratic = inverse_jacobian_quadratic(rotation_vector_rad.length());
    DMat3::IDENTITY + cross * 0.5 + cross * cross * quadratic
}

/// The inverse of [`left_jacobian`]: log(exp(δ) · exp(v)) = v + J_l⁻¹(v) δ to first order in δ.
pub fn left_jacobian_inverse(rotation_vector_rad: DVec3) -> DMat3 {
    right_jacobian_inverse(-rotation_vector_rad)
}

/// The matrix with `cross_matrix(v) * u = v × u`.
pub fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// sin(x)/x.
fn sinc(x: f64) -> f64 {
    // The quotient itself is accurate for every x whose square does not vanish; the series covers the rest.
    if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { x.sin() / x }
}

/// (θ − sin θ)/θ³.
fn theta_minus_sine_over_cube(theta: f64) -> f64 {
    // The quotient loses 6ε/θ² to cancellation (5e-15 at ½); the series' first dropped term there is 2e-16.
    if theta < 0.5 {
        let s = theta * theta;
        horner(
            s,
            &[1.0 / 6.0, -1.0 / 120.0, 1.0 / 5_040.0, -1.0 / 362_880.0, 1.0 / 39_916_800.0, -1.0 / 6_227_020_800.0],
        )
    } else {
        (theta - theta.sin()) / (theta * theta * theta)
    }
}

/// 1/θ² − cot(θ/2)/(2θ).
fn inverse_jacobian_quadratic(theta: f64) -> f64 {
    // Cancellation loses ε/θ² (2e-15 at 0.3); the first dropped term of the Bernoulli series there is 3e-15.
    if theta < 0.3 {
        let s = theta * theta;
        horner(s, &[1.0 / 12.0, 1.0 / 720.0, 1.0 / 30_240.0, 1.0 / 1_209_600.0, 1.0 / 47_900_160.0])
    } else {
        let (sine, cosine) = (0.5 * theta).sin_cos();
        1.0 / (theta * theta) - cosine / (2.0 * theta * sine)
    }
}

/// c₀ + c₁ x + c₂ x² + …
fn horner(x: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests;
