//! What noise does to planting, and against it.
//!
//! A body that jitters carries its feet along. Held feet no longer do, so that the whole jitter of the root ends up in
//! the knees, 20 rad for every metre in a leg that is nearly straight; and feet that jitter look as if they never
//! stood.

use super::ancestry::closed_upward;
use crate::EditingError;
use crate::body_root::BodyRoot;
use aplomb_motion::signal::SignalError;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Roles, WorldPose};
use glam::DVec3;

/// Roots that jitter less are left as they are, m: 0.5 mm turn a nearly straight knee by half a degree.
const VISIBLE_M: f64 = 5e-4;
/// Acceleration of the root that may be left by noise, m/s²: a nearly straight knee makes 20 rad/s² of it, a fifth of
/// what walking has.
const LEFT_ACCELERATION: f64 = 1.0;
/// Speed of a point that may be left by noise, m/s: a third of what parts standing from moving (contacts.md 8).
const LEFT_SPEED: f64 = 0.05;

/// Where a joint is in the world.
pub(super) fn path_m(clip: &Clip, joint: JointId, frames: impl Iterator<Item = FrameIndex>) -> Vec<DVec3> {
    let posed = closed_upward(clip.skeleton(), [joint].into_iter());
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let place_m = |frame| {
        pose.pose_joints(clip, frame, &posed);
        pose.joint_in_world_m[joint.index()]
    };
    frames.map(place_m).collect()
}

/// The clip with a root that does not jitter; the same clip if it did not.
pub(super) fn steadied(clip: &Clip, roles: &Roles) -> Result<Option<Clip>, EditingError> {
    let (Some(root), Some(step)) = (BodyRoot::of(clip, roles), clip.timeline().uniform()) else { return Ok(None) };
    let hips = roles.joint(Role::Hips).unwrap_or(root.joint);
    let shifts_m = steadied_m(&path_m(clip, hips, clip.frames()), step.secs())?;
    if shifts_m.iter().all(|shift_m| *shift_m == DVec3::ZERO) {
        return Ok(None);
    }
    let mut steady = root.with_track(clip.clone())?;
    for (frame, shift_m) in clip.frames().zip(shifts_m) {
        let shift_m = root.in_parent(clip.rotations_at(frame), shift_m);
        if let Some(track) = steady.track_mut(root.joint) {
            track[frame.0] += shift_m;
        }
    }
    Ok(Some(steady))
}

/// Standard deviation of the white noise of a path, by axis, m. Fourth differences of white noise are alike from frame
/// to frame but for their sign (Δ⁴ᵢΔ⁴ᵢ₊₁ = −56 σ² on average), those of motion below a quarter of the rate have the
/// same sign.
pub(super) fn noise_m(path_m: &[DVec3]) -> f64 {
    let fourth = |w: &[DVec3]| w[0] - w[1] * 4.0 + w[2] * 6.0 - w[3] * 4.0 + w[4];
    let products = path_m.windows(6).map(|w| fourth(&w[..5]).dot(fourth(&w[1..])));
    let (sum, count) = products.fold((0.0, 0.0), |(sum, count), product| (sum + product, count + 1.0));
    // Three axes.
    f64::max(-sum / (56.0 * 3.0 * f64::max(count, 1.0)), 0.0).sqrt()
}

/// The Gaussian that leaves this speed of white noise: Var ẋ = 3σ²·h/(4√π σₜ³), over three axes.
pub(super) fn sigma_secs_for_speed(noise_m: f64, step_secs: f64) -> f64 {
    let root_pi = std::f64::consts::PI.sqrt();
    (3.0 * noise_m * noise_m * step_secs / (4.0 * root_pi * LEFT_SPEED * LEFT_SPEED)).cbrt()
}

/// The Gaussian that leaves this acceleration of white noise: Var ẍ = 3·3σ²·h/(8√π σₜ⁵).
fn sigma_secs_for_acceleration(noise_m: f64, step_secs: f64) -> f64 {
    let root_pi = std::f64::consts::PI.sqrt();
    (9.0 * noise_m * noise_m * step_secs / (8.0 * root_pi * LEFT_ACCELERATION * LEFT_ACCELERATION)).powf(0.2)
}

/// What takes visible jitter out of a path, a shift a frame; zeros for paths without.
pub(super) fn steadied_m(path_m: &[DVec3], step_secs: f64) -> Result<Vec<DVec3>, SignalError> {
    let noise_m = noise_m(path_m);
    if noise_m < VISIBLE_M {
        return Ok(vec![DVec3::ZERO; path_m.len()]);
    }
    let kernel = Gaussian::from_sigma_secs(sigma_secs_for_acceleration(noise_m, step_secs), step_secs)?;
    // Twicing, as for feet: accelerations stay.
    let once = kernel.smooth(path_m);
    let rest: Vec<DVec3> = path_m.iter().zip(&once).map(|(path_m, once)| *path_m - *once).collect();
    let back = kernel.smooth(&rest);
    Ok(rest.iter().zip(back).map(|(rest, back)| back - *rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(frame: usize, hz: f64) -> DVec3 {
        let at = frame as f64 / hz * std::f64::consts::TAU;
        DVec3::new(0.03 * at.sin(), 0.03 * (2.0 * at).sin() + 0.004 * (6.0 * at).cos(), 1.4 * frame as f64 / hz)
    }

    fn noise(state: &mut u64) -> f64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn noise_is_told_from_motion() {
        for hz in [30.0, 120.0] {
            let clean: Vec<DVec3> = (0..300).map(|frame| walk(frame, hz)).collect();
            assert!(noise_m(&clean) < 1e-4, "{hz}: {}", noise_m(&clean));
            let mut state = 0x1234_5678_9abc_def1;
            let mut next = || noise(&mut state);
            let noisy: Vec<DVec3> = clean.iter().map(|at| *at + DVec3::new(next(), next(), next()) * 0.003).collect();
            // ±3 mm, uniform: 3/√3 mm by axis; 300 frames tell it within a tenth.
            assert!((noise_m(&noisy) / (0.003 / 3f64.sqrt()) - 1.0).abs() < 0.1, "{hz}: {}", noise_m(&noisy));
            assert!(steadied_m(&clean, 1.0 / hz).unwrap().iter().all(|shift| *shift == DVec3::ZERO));
            // Closer to the truth than the noise was.
            let shifts = steadied_m(&noisy, 1.0 / hz).unwrap();
            let error =
                |path: &dyn Fn(usize) -> DVec3| (10..290).map(|i| path(i).distance_squared(clean[i])).sum::<f64>();
            let (before, after) = (error(&|i| noisy[i]), error(&|i| noisy[i] + shifts[i]));
            assert!(after < 0.8 * before, "{hz}: {before} {after}");
        }
    }

    #[test]
    fn filters_leave_what_they_promise() {
        let mut state = 0x0dd0_1234_5678_9abd;
        let mut next = || noise(&mut state) * 0.003;
        let step_secs = 1.0 / 120.0;
        let noisy: Vec<DVec3> = (0..20_000).map(|_| DVec3::new(next(), next(), next())).collect();
        let kernel = Gaussian::from_sigma_secs(sigma_secs_for_speed(noise_m(&noisy), step_secs), step_secs).unwrap();
        let smooth = kernel.smooth(&noisy);
        let speeds = smooth.windows(3).map(|w| ((w[2] - w[0]) / (2.0 * step_secs)).length_squared());
        let speed = (speeds.sum::<f64>() / 19_998.0).sqrt();
        assert!((speed / LEFT_SPEED - 1.0).abs() < 0.1, "{speed}");
    }

    #[test]
    fn short_paths_have_no_noise() {
        assert_eq!(noise_m(&[DVec3::ONE; 5]), 0.0);
        assert_eq!(noise_m(&[]), 0.0);
    }
}
