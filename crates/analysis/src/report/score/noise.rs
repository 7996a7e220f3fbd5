//! Noise of a recording: trembling joints and jumps of the whole body (score.md: tremor, pops).

use crate::median::median;
use crate::posed::JointPaths;
use aplomb_motion::JointId;

/// Half the window of a frame's usual second difference, s.
const HALF_WINDOW_SECS: f64 = 0.15;

/// A jump is this many times the usual second difference.
const JUMP_RATIO: f64 = 5.0;

/// A jump is at least this, mm.
const LEAST_SCORED_JUMP_MM: f64 = 2.0;

impl JointPaths<'_> {
    /// |x₋₂ − 4x₋₁ + 6x₀ − 4x₁ + x₂| / √210, mm: white noise of σ on each axis gives σ (Σ of squared coefficients is 70, three axes).
    /// Only polynomials of degree 3 give none, so smooth motion hardly shows.
    fn fourth_mm(&self, frame: usize, joint: JointId) -> f64 {
        let at = |frame| self.at(frame, joint);
        let outer = at(frame - 2) + at(frame + 2);
        let inner = at(frame - 1) + at(frame + 1);
        1000.0 * (outer - inner * 4.0 + at(frame) * 6.0).length() / 210f64.sqrt()
    }

    /// |x₋₁ − 2x₀ + x₁|, mm.
    fn second_mm(&self, frame: usize, joint: JointId) -> f64 {
        1000.0 * (self.at(frame - 1, joint) + self.at(frame + 1, joint) - self.at(frame, joint) * 2.0).length()
    }
}

/// Frame noise of one joint, mm: the median over time.
pub(crate) fn joint_tremor_mm(paths: &JointPaths<'_>, joint: JointId, scratch: &mut Vec<f64>) -> Option<f64> {
    scratch.clear();
    scratch.extend((2..paths.frames().saturating_sub(2)).map(|frame| paths.fourth_mm(frame, joint)));
    median(scratch)
}

/// Frame noise, mm: the median over the joints.
pub(super) fn tremor_mm(paths: &JointPaths<'_>, joints: &[JointId]) -> Option<f64> {
    let mut scratch = Vec::new();
    let mut by_joint: Vec<f64> = joints.iter().filter_map(|&it| joint_tremor_mm(paths, it, &mut scratch)).collect();
    median(&mut by_joint)
}

/// A frame whose second difference stands out, and that difference in mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Jump {
    pub frame: usize,
    pub size_mm: f64,
}

/// Jumps of one joint of at least `least_mm`.
pub(crate) fn joint_jumps(paths: &JointPaths<'_>, joint: JointId, hz: f64, least_mm: f64) -> Vec<Jump> {
    let second_mm: Vec<f64> = inner_frames(paths).map(|frame| paths.second_mm(frame, joint)).collect();
    jumps(&second_mm, hz, least_mm)
}

/// Jumps of the whole body, mm per s: the median over the joints jumps. Steps from the first frame and to the last are
/// left out: an end pose that is held for a part of a frame (resampling does it) or that was put there by a converter
/// is not in the middle of a motion.
///
/// Nor are those that `is_bounce` says are none: what is all of one piece turns its speed round in a frame when it
/// bounces.
pub(super) fn pops_mm_per_sec(
    paths: &JointPaths<'_>,
    joints: &[JointId],
    hz: f64,
    is_bounce: impl Fn(usize) -> bool,
) -> Option<f64> {
    let mut of_frame = vec![0.0; joints.len()];
    let second_mm: Vec<f64> = inner_frames(paths)
        .filter_map(|frame| {
            of_frame.iter_mut().zip(joints).for_each(|(second, &joint)| *second = paths.second_mm(frame, joint));
            median(&mut of_frame)
        })
        .collect();
    let secs = paths.frames() as f64 / hz;
    // An empty sum is −0.
    let inside = |jump: &&Jump| jump.frame > 1 && jump.frame + 2 < paths.frames() && !is_bounce(jump.frame);
    let total_mm =
        jumps(&second_mm, hz, LEAST_SCORED_JUMP_MM).iter().filter(inside).fold(0.0, |sum, jump| sum + jump.size_mm);
    (secs > 0.0 && !second_mm.is_empty()).then(|| total_mm / secs)
}

/// Frames that have a second difference.
fn inner_frames(paths: &JointPaths<'_>) -> std::ops::Range<usize> {
    1..paths.frames().saturating_sub(1).max(1)
}

/// Second differences of at least `least_mm` that stand out; `second_mm[0]` belongs to frame 1. Few do, so that only
/// theirs are compared with the median of their surroundings (cut off at the ends).
fn jumps(second_mm: &[f64], hz: f64, least_mm: f64) -> Vec<Jump> {
    let radius = (HALF_WINDOW_SECS * hz).round().max(1.0) as usize;
    let mut around_mm = Vec::with_capacity(2 * radius + 1);
    let large = second_mm.iter().enumerate().filter(|(_, size_mm)| **size_mm > least_mm);
    let standing_out = large.filter(|&(index, size_mm)| {
        around_mm.clear();
        around_mm
            .extend_from_slice(&second_mm[index.saturating_sub(radius)..(index + radius + 1).min(second_mm.len())]);
        median(&mut around_mm).is_some_and(|usual_mm| *size_mm > JUMP_RATIO * usual_mm)
    });
    standing_out.map(|(index, &size_mm)| Jump { frame: index + 1, size_mm }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::score::damage::Chance;
    use glam::DVec3;

    /// One joint on a swing of 0.3 m at 1.5 Hz.
    fn swing(frames: usize, hz: f64) -> Vec<DVec3> {
        (0..frames).map(|frame| DVec3::new(0.3 * (frame as f64 / hz * 9.42).sin(), 1.0, frame as f64 / hz)).collect()
    }

    fn one(joints_m: &[DVec3]) -> JointPaths<'_> {
        JointPaths { joints_m, joint_count: 1 }
    }

    #[test]
    fn white_noise_gives_its_sigma_and_honest_motion_nothing() {
        let clean = swing(4000, 120.0);
        let only = [JointId::new(0)];
        assert!(tremor_mm(&one(&clean), &only).unwrap() < 0.01);
        let mut chance = Chance::new(1);
        let noisy: Vec<DVec3> = clean.iter().map(|&at| at + chance.vector() * 0.001).collect();
        let tremor = tremor_mm(&one(&noisy), &only).unwrap();
        // The median length of a Gaussian vector of three axes is 0.888 of its root mean square.
        // Known to about 2 %: 4000 frames, of which neighbours share samples.
        assert!((tremor - 0.888).abs() < 0.05, "{tremor}");
    }

    #[test]
    fn a_cut_is_a_pop_and_motion_is_none() {
        for hz in [30.0, 60.0, 120.0] {
            let clean = swing((4.0 * hz) as usize, hz);
            assert_eq!(pops_mm_per_sec(&one(&clean), &[JointId::new(0)], hz, |_| false), Some(0.0), "{hz}");
        }
        // A step of 30 mm shows in the two second differences that touch it.
        let mut cut = swing(480, 120.0);
        cut[240..].iter_mut().for_each(|at| at.y += 0.03);
        let pops = pops_mm_per_sec(&one(&cut), &[JointId::new(0)], 120.0, |_| false).unwrap();
        assert!((pops - 2.0 * 30.0 / 4.0).abs() < 0.1, "{pops}");
        assert_eq!(
            joint_jumps(&one(&cut), JointId::new(0), 120.0, 2.0).iter().map(|it| it.frame).collect::<Vec<_>>(),
            [239, 240]
        );
    }

    #[test]
    fn poses_held_at_the_ends_are_no_pops() {
        let mut held = swing(240, 120.0);
        held[0].z -= 0.05;
        held[239].z += 0.05;
        assert_eq!(pops_mm_per_sec(&one(&held), &[JointId::new(0)], 120.0, |_| false), Some(0.0));
        held[230].z += 0.05;
        assert!(pops_mm_per_sec(&one(&held), &[JointId::new(0)], 120.0, |_| false).unwrap() > 50.0);
    }

    #[test]
    fn too_few_frames_say_nothing() {
        for frames in 0..3 {
            let path = swing(frames, 60.0);
            assert_eq!(tremor_mm(&one(&path), &[JointId::new(0)]), None);
            assert_eq!(pops_mm_per_sec(&one(&path), &[JointId::new(0)], 60.0, |_| false), None);
        }
    }
}
