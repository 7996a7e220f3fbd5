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
