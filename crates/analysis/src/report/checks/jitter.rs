//! Joints that tremble or jump.

use crate::posed::JointPaths;
use crate::report::JitterFinding;
use crate::report::score::noise::{joint_jumps, joint_tremor_mm};
use aplomb_motion::Skeleton;

/// Noise worth a finding, mm; at lower rates than 60 Hz it grows as the score's allowance does. Clean captures lie
/// below 0.3.
const LEAST_NOISE_MM: f64 = 1.0;

/// A jump worth a finding, mm: at 120 Hz 70 g, which no limb of a person does. Many captures have jumps of half of
/// that.
const LEAST_FOUND_JUMP_MM: f64 = 50.0;

/// The rate that it is for: the second difference of an impact goes with the frame time, as velocity changes at once.
const JUMP_RATE_HZ: f64 = 120.0;

/// A joint whose parent shows this share of the same fault only hands it on.
const HANDED_ON: f64 = 0.7;

/// Worst first.
pub(super) fn findings(skeleton: &Skeleton, paths: &JointPaths<'_>, times_secs: &[f64], hz: f64) -> Vec<JitterFinding> {
    // One frame has no rate.
    if hz <= 0.0 {
        return Vec::new();
    }
    let least_noise_mm = LEAST_NOISE_MM * (60.0 / hz).max(1.0);
    let least_jump_mm = LEAST_FOUND_JUMP_MM * (JUMP_RATE_HZ / hz).max(1.0);
    let mut scratch = Vec::new();
    let measured: Vec<(f64, Option<(f64, usize)>)> = skeleton
        .ids()
        .map(|joint| {
            let noise_mm = joint_tremor_mm(paths, joint, &mut scratch).unwrap_or(0.0);
            let largest =
                joint_jumps(paths, joint, hz, least_jump_mm).into_iter().max_by(|a, b| a.size_mm.total_cmp(&b.size_mm));
            (noise_mm, largest.map(|jump| (jump.size_mm, jump.frame)))
        })
        .collect();
    let mut found: Vec<JitterFinding> = Vec::new();
    for joint in skeleton.ids() {
        let (noise_mm, jump) = measured[joint.index()];
        let parent = skeleton.joint(joint).parent.map(|parent| measured[parent.index()]);
        let trembles =
            noise_mm >= least_noise_mm && parent.is_none_or(|(of_parent, _)| of_parent < HANDED_ON * noise_mm);
        let jump = jump.filter(|(size_mm, frame)| {
            let same = |(of_parent, at): (f64, usize)| at.abs_diff(*frame) <= 2 && of_parent >= HANDED_ON * size_mm;
            !parent.and_then(|(_, jump)| jump).is_some_and(same)
        });
        if trembles || jump.is_some() {
            found.push(JitterFinding {
                joint: skeleton.joint(joint).name.clone(),
                noise_mm,
                jump_mm: jump.map(|(size_mm, _)| size_mm),
                jump_secs: jump.and_then(|(_, frame)| times_secs.get(frame).copied()),
            });
        }
    }
    let badness = |it: &JitterFinding| (it.noise_mm / least_noise_mm).max(it.jump_mm.unwrap_or(0.0) / least_jump_mm);
    found.sort_by(|a, b| badness(b).total_cmp(&badness(a)));
    found
}
