//! Which of a rotation's many Euler triples is written: one rule for every format.
//!
//! A rotation has two triples, each up to multiples of 360° an angle. Small edits should look small in the file, with
//! the file's own wraps at ±180° where they are; large ones (a mirrored limb) must not wrap where the other limb's file
//! does. So it is decided for each joint and each run of consecutive edited frames:
//!
//! - if the new rotation is within [`SMALL_EDIT_DEG`] of the file's in every frame of the run ([`SLIGHT_EDIT_DEG`] if
//!   the run goes on to the end of the clip), each frame takes the angles nearest to the file's own of that frame;
//! - else each frame takes the angles nearest to those written for the frame before it. The first frame of the clip has
//!   none before: there the file's own angles of that frame count, and without them [`principal_deg`].

use aplomb_motion::Axis;
use aplomb_motion::euler::{deg_near, unwrap_deg};
use arrayvec::ArrayVec;
use glam::DQuat;

/// Half of the 90° by which angles can differ from the file's before another triple may be the nearer one.
const SMALL_EDIT_DEG: f64 = 45.0;

/// A run to the end of the clip never returns to the file's curve, so the file's wraps in it would be flips of nothing:
/// a mirrored leg is often within 45° of the other. They stay only where the file's curve is still plainly the same
/// one.
const SLIGHT_EDIT_DEG: f64 = 5.0;

/// What happened to one joint in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edit {
    /// The file's own rotation.
    None,
    /// One hardly apart from it.
    Slight,
    /// Another one near it.
    Small,
    /// One far from it, or one that the file has nothing for.
    Large,
}

impl Edit {
    /// Compares with the file's rotation; q and −q are the same.
    pub fn between(source: DQuat, rotation: DQuat) -> Self {
        // |q·p| = cos(angle / 2)
        let half_cos = source.dot(rotation).abs();
        if same_rotation(source, rotation) {
            Edit::None
        } else if half_cos >= (0.5 * SLIGHT_EDIT_DEG).to_radians().cos() {
            Edit::Slight
        } else if half_cos >= (0.5 * SMALL_EDIT_DEG).to_radians().cos() {
            Edit::Small
        } else {
            Edit::Large
        }
    }
}

/// Equal to the bit, but for the sign that q and −q may differ in.
#[inline]
pub(crate) fn same_rotation(a: DQuat, b: DQuat) -> bool {
    a == b || a == -b
}

/// For every frame and joint: near the file's own angles, or near the frame before.
pub(crate) struct AnglePaths {
    joints: usize,
    near_source: Vec<bool>,
}

impl AnglePaths {
    /// Looks at all frames; `edits_of_frame` fills in one edit a joint.
    pub fn decide(frames: usize, joints: usize, mut edits_of_frame: impl FnMut(usize, &mut [Edit])) -> Self {
        let mut edits = vec![Edit::None; joints];
        let mut near_source = vec![false; frames * joints];
        // The first frame of the run each joint is in.
        let mut run_start: Vec<Option<usize>> = vec![None; joints];
        let mut largest = vec![Edit::None; joints];
        let mut close = |joint: usize, start: usize, end: usize, small: bool| {
            for frame in start..end {
                near_source[frame * joints + joint] = small;
            }
        };
        for frame in 0..frames {
            edits_of_frame(frame, &mut edits);
            for (joint, edit) in edits.iter().enumerate() {
                match (edit, run_start[joint]) {
                    (Edit::None, Some(start)) => {
                        close(joint, start, frame, largest[joint] <= Edit::Small);
                        run_start[joint] = None;
                    }
                    (Edit::None, None) => {}
                    (edit, None) => {
                        run_start[joint] = Some(frame);
                        largest[joint] = *edit;
                    }
                    (edit, Some(_)) => largest[joint] = largest[joint].max(*edit),
                }
            }
        }
        for (joint, start) in run_start.into_iter().enumerate() {
            if let Some(start) = start {
                // One frame has no wrap inside.
                let most = if start + 1 == frames { Edit::Small } else { Edit::Slight };
                close(joint, start, frames, largest[joint] <= most);
            }
        }
        Self { joints, near_source }
    }

    /// Whether an edited frame takes the angles nearest to the file's own.
    pub fn is_near_source(&self, frame: usize, joint: usize) -> bool {
        self.near_source.get(frame * self.joints + joint).copied().unwrap_or(false)
    }
}

/// The angles that nothing else speaks for: outer ones within ±180°, of three the middle one within ±90°.
pub(crate) fn principal_deg(rotation: DQuat, axes: &[Axis]) -> ArrayVec<f64, 3> {
    let mut angles_deg = deg_near(rotation, axes, &[]).angles_deg;
    if let [first, middle, last] = angles_deg.as_mut_slice()
        && middle.abs() > 90.0
    {
        *first = unwrap_deg(*first + 180.0, 0.0);
        *middle = unwrap_deg(180.0 - *middle, 0.0);
        *last = unwrap_deg(*last + 180.0, 0.0);
    }
    angles_deg
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_motion::euler::rotation_from_deg;

    #[test]
    fn a_run_with_one_large_edit_is_continuous_as_a_whole() {
        use Edit::{Large, None, Slight, Small};
        let edits = [None, Small, Small, None, Small, Large, Small, None, Slight, Small];
        let paths = AnglePaths::decide(edits.len(), 2, |frame, out| {
            out[0] = edits[frame];
            out[1] = Slight;
        });
        let near: Vec<bool> = (0..edits.len()).map(|frame| paths.is_near_source(frame, 0)).collect();
        let expected = [false, true, true, false, false, false, false, false, false, false];
        assert_eq!(near, expected, "the last run is open and more than slight");
        assert!((0..edits.len()).all(|frame| paths.is_near_source(frame, 1)));
    }

    #[test]
    fn edits_are_told_apart_by_their_angle() {
        let turned = |deg: f64| DQuat::from_rotation_y(deg.to_radians());
        assert_eq!(Edit::between(turned(30.0), turned(30.0)), Edit::None);
        assert_eq!(Edit::between(turned(30.0), -turned(30.0)), Edit::None);
        assert_eq!(Edit::between(turned(30.0), turned(34.9)), Edit::Slight);
        assert_eq!(Edit::between(turned(30.0), -turned(74.9)), Edit::Small);
        assert_eq!(Edit::between(turned(30.0), turned(75.1)), Edit::Large);
    }

    #[test]
    fn principal_values_have_the_middle_angle_within_a_quarter_turn() {
        let axes = [Axis::Z, Axis::X, Axis::Y];
        for middle in [-170.0, -91.0, -10.0, 80.0, 91.0, 135.0] {
            let rotation = rotation_from_deg(&axes, &[5.0, middle, -7.0]);
            let found = principal_deg(rotation, &axes);
            assert!(found[1].abs() <= 90.0 && found[0].abs() <= 180.0 && found[2].abs() <= 180.0, "{found:?}");
            assert!(rotation_from_deg(&axes, &found).dot(rotation).abs() > 1.0 - 1e-12);
        }
    }
}
