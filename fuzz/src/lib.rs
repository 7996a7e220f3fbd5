//! What every target promises about a file that some reader took.

use aplomb_formats::{Diagnostic, Mode, ReadOptions};
use aplomb_motion::{Clip, FrameIndex, WorldPose};

/// Options in each of the three modes. Everything else is as a user has it who gives no flags.
pub fn every_mode() -> [ReadOptions; 3] {
    [Mode::Tolerant, Mode::Strict, Mode::Salvage].map(|mode| ReadOptions { mode, ..ReadOptions::default() })
}

/// Every message can be shown: on one line, with nothing in it that a terminal would obey.
pub fn check_messages(notes: &[Diagnostic], error: Option<&Diagnostic>) {
    for diagnostic in notes.iter().chain(error) {
        let shown = diagnostic.to_string();
        assert!(!shown.chars().any(char::is_control), "{shown:?}");
        assert!(shown.contains(diagnostic.code), "{shown:?}");
    }
}

/// A clip holds what its skeleton and its frame count promise, its rotations are rotations, and it can be posed.
pub fn check_clip(clip: &Clip) {
    let joints = clip.skeleton().len();
    assert_eq!(clip.rotations().len(), clip.frame_count() * joints);
    for rotation in clip.rotations() {
        // Angles of any size are exact up to rounding of sine and cosine.
        assert!((rotation.length() - 1.0).abs() < 1e-9, "{rotation:?}");
    }
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    // The first and the last frame: enough to touch every track at both ends.
    for frame in clip.frames().take(1).chain(clip.frames().next_back()) {
        pose.pose(clip, FrameIndex(frame.0));
    }
}

/// Two clips of one motion: the same joints, and every joint at the same place in the first and the last frame.
///
/// Written text holds every digit of a number, but angles are solved from rotations and offsets are rounded on the way:
/// `tolerance` is relative to the largest coordinate, and to the smallest normal number of single precision, below
/// which glTF has fewer digits. Motions so large that coordinates overflow are not compared.
pub fn check_same_motion(a: &Clip, b: &Clip, tolerance: f64) {
    assert_eq!(a.frame_count(), b.frame_count());
    assert_eq!(a.skeleton().len(), b.skeleton().len());
    let (mut pose_a, mut pose_b) = (WorldPose::for_skeleton(a.skeleton()), WorldPose::for_skeleton(b.skeleton()));
    for frame in a.frames().take(1).chain(a.frames().next_back()) {
        pose_a.pose(a, frame);
        pose_b.pose(b, frame);
        let largest = pose_a.joint_in_world_m.iter().fold(0.0_f64, |most, p| most.max(p.abs().max_element()));
        // Squares of coordinates are taken below; 1e150 squared is the last that fits.
        if !largest.is_finite() || largest > 1e150 {
            continue;
        }
        for (joint, (p, q)) in pose_a.joint_in_world_m.iter().zip(&pose_b.joint_in_world_m).enumerate() {
            let apart = p.distance(*q);
            assert!(
                apart <= tolerance * (largest + f64::from(f32::MIN_POSITIVE)),
                "frame {frame:?}, joint {joint}: {p} and {q}"
            );
        }
    }
}
