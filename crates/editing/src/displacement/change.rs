//! How much was changed: joints in radians, the body's place in metres, over a clip or in one layer.

use super::Layer;
use crate::EditingError;
use aplomb_motion::{Clip, FrameIndex, JointId, Skeleton, WorldPose, so3};
use glam::DVec3;
use serde::Serialize;

/// How far one joint turned against its parent, or one subtree in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JointChange {
    /// Which one.
    pub joint: JointId,
    /// Root of the mean square over all frames, rad.
    pub rms_rad: f64,
    /// Largest of any frame, rad.
    pub max_rad: f64,
    /// The first frame that has the largest.
    pub max_frame: FrameIndex,
}

/// How far the body was moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RootChange {
    /// Root of the mean square over all frames, m.
    pub rms_m: f64,
    /// Largest of any frame, m.
    pub max_m: f64,
    /// The first frame that has the largest.
    pub max_frame: FrameIndex,
    /// Mean over all frames, m: a body that sank has a negative y.
    pub mean_m: DVec3,
}

/// What one layer does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerChange {
    /// Of the step that made it.
    pub name: String,
    /// Step of the list, from 0.
    pub step: usize,
    /// Repetition of the step, from 0.
    pub iteration: usize,
    /// Each subtree that turns, in the world.
    pub turns: Vec<JointChange>,
    /// The whole body; `None` if the layer leaves it where it is.
    pub root: Option<RootChange>,
    /// How slowly the correction varies: 2π·|x|/|ẋ| over its turns (its translation if it turns nothing), the period of
    /// a sine with that ratio, s. `None` for a correction that does not vary.
    pub time_scale_secs: Option<f64>,
}

/// How far each joint's local rotation differs between two clips of one skeleton and the same frames: the receipt's
/// table. Joints in the skeleton's order.
pub fn joint_changes(before: &Clip, after: &Clip) -> Result<Vec<JointChange>, EditingError> {
    check_comparable(before, after)?;
    let frames = before.frame_count();
    let changes = before.skeleton().ids().map(|joint| {
        let angle_rad = |frame| so3::angle_between(before.rotation(frame, joint), after.rotation(frame, joint));
        let Size { rms, max, max_frame } = Size::of((0..frames).map(|frame| angle_rad(FrameIndex(frame))));
        JointChange { joint, rms_rad: rms, max_rad: max, max_frame }
    });
    Ok(changes.collect())
}

/// How far the body's own joint (the first from the root with several children, the hips of people) is moved in the
/// world between two clips of one skeleton and the same frames.
pub fn root_change_m(before: &Clip, after: &Clip) -> Result<RootChange, EditingError> {
    check_comparable(before, after)?;
    let Some(hips) = first_branch(before.skeleton()) else { return Ok(RootChange::of(std::iter::empty())) };
    let mut above: Vec<JointId> = before.skeleton().ancestors(hips).collect();
    above.sort();
    let mut pose = WorldPose::for_skeleton(before.skeleton());
    let mut place_m = |clip: &Clip, frame: FrameIndex| {
        pose.pose_joints(clip, frame, &above);
        pose.joint_in_world_m[hips.index()]
    };
    Ok(RootChange::of(before.frames().map(|frame| place_m(after, frame) - place_m(before, frame))))
}

impl Layer {
    /// What the layer does, for receipts and people. `step_secs` is the time between two frames.
    pub fn change(&self, step_secs: f64) -> LayerChange {
        let turns = self.turns.iter().map(|turn| {
            let Size { rms, max, max_frame } = Size::of(turn.rotation_rad.iter().map(|rad| rad.length()));
            JointChange { joint: turn.joint, rms_rad: rms, max_rad: max, max_frame }
        });
        let turns: Vec<JointChange> = turns.collect();
        let root = (!self.translation_m.is_empty()).then(|| RootChange::of(self.translation_m.iter().copied()));
        let scale = |paths: &mut dyn Iterator<Item = &Vec<DVec3>>| time_scale_secs(paths, step_secs);
        let time_scale_secs = match self.turns.is_empty() {
            true => scale(&mut std::iter::once(&self.translation_m)),
            false => scale(&mut self.turns.iter().map(|turn| &turn.rotation_rad)),
        };
        let Self { name, step, iteration, .. } = self;
        LayerChange { name: name.clone(), step: *step, iteration: *iteration, turns, root, time_scale_secs }
    }
}

fn check_comparable(before: &Clip, after: &Clip) -> Result<(), EditingError> {
    let shape = |clip: &Clip| (clip.frame_count(), clip.skeleton().len());
    let ((frames, joints), (found_frames, found_joints)) = (shape(before), shape(after));
    match (frames, joints) == (found_frames, found_joints) {
        true => Ok(()),
        false => Err(EditingError::NotComparable { frames, joints, found_frames, found_joints }),
    }
}

fn first_branch(skeleton: &Skeleton) -> Option<JointId> {
    let mut joint = skeleton.roots().next()?;
    while let [only] = skeleton.children(joint) {
        joint = *only;
    }
    // A single chain has no hips: its root is what moves.
    if skeleton.children(joint).is_empty() { skeleton.roots().next() } else { Some(joint) }
}

impl RootChange {
    fn of(moves_m: impl Iterator<Item = DVec3>) -> Self {
        let (mut sum_m, mut count) = (DVec3::ZERO, 0.0);
        let Size { rms, max, max_frame } = Size::of(moves_m.map(|move_m| {
            (sum_m, count) = (sum_m + move_m, count + 1.0);
            move_m.length()
        }));
        Self { rms_m: rms, max_m: max, max_frame, mean_m: sum_m / f64::max(count, 1.0) }
    }
}

/// Root of the mean square, and the largest with its frame; zeros of nothing.
struct Size {
    rms: f64,
    max: f64,
    max_frame: FrameIndex,
}

impl Size {
    fn of(sizes: impl Iterator<Item = f64>) -> Self {
        let (mut sum, mut count, mut max, mut max_frame) = (0.0, 0.0, 0.0, FrameIndex(0));
        for (frame, size) in sizes.enumerate() {
            (sum, count) = (sum + size * size, count + 1.0);
            if size > max {
                (max, max_frame) = (size, FrameIndex(frame));
            }
        }
        Self { rms: f64::sqrt(sum / f64::max(count, 1.0)), max, max_frame }
    }
}

/// 2π·|x|/|ẋ|, both root mean squares over all paths; differences between neighbours are enough for a figure to look
/// at.
fn time_scale_secs(paths: &mut dyn Iterator<Item = &Vec<DVec3>>, step_secs: f64) -> Option<f64> {
    let (mut size, mut rate) = (0.0, 0.0);
    for path in paths {
        for pair in path.windows(2) {
            size += pair[0].midpoint(pair[1]).length_squared();
            rate += ((pair[1] - pair[0]) / step_secs).length_squared();
        }
    }
    (rate > 0.0).then(|| std::f64::consts::TAU * f64::sqrt(size / rate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::displacement::Turn;
    use aplomb_motion::{Channels, FrameTime, Timeline};
    use std::sync::Arc;

    /// A reference node, hips with two legs.
    fn clip(frames: usize) -> Clip {
        let mut builder = Skeleton::builder();
        let reference = builder.add(None, "Reference", DVec3::ZERO, Channels::default());
        let hips = builder.add(Some(reference), "Hips", DVec3::Y, Channels::default());
        builder.add(Some(hips), "LeftUpLeg", DVec3::X * 0.1, Channels::default());
        builder.add(Some(hips), "RightUpLeg", DVec3::X * -0.1, Channels::default());
        let timeline = Timeline::Uniform(FrameTime::from_hz(100.0).unwrap());
        Clip::at_rest(Arc::new(builder.build().unwrap()), timeline, frames).unwrap()
    }

    #[test]
    fn changes_are_told_by_joint_with_the_frame_of_the_largest() {
        let before = clip(4);
        let mut after = before.clone();
        let leg = before.skeleton().find("LeftUpLeg").unwrap();
        // 0.3 and 0.4 rad in two of four frames: √(0.25/4) = 0.25.
        for (frame, angle_rad) in [(1, 0.3), (2, -0.4)] {
            after.set_rotation(FrameIndex(frame), leg, so3::exp(DVec3::Y * angle_rad));
        }
        let changes = joint_changes(&before, &after).unwrap();
        assert_eq!(changes.len(), 4);
        for change in &changes {
            let (rms_rad, max_rad, frame) = if change.joint == leg { (0.25, 0.4, 2) } else { (0.0, 0.0, 0) };
            assert!((change.rms_rad - rms_rad).abs() < 1e-12 && (change.max_rad - max_rad).abs() < 1e-12, "{change:?}");
            assert_eq!(change.max_frame, FrameIndex(frame));
        }
    }

    #[test]
    fn the_body_is_where_the_hips_are_whatever_moves_them() {
        let before = clip(2);
        let mut after = before.clone();
        // A quarter turn of the node above carries the hips from (0, 1, 0) to (−1, 0, 0): √2 away.
        let reference = before.skeleton().find("Reference").unwrap();
        after.set_rotation(FrameIndex(1), reference, so3::exp(DVec3::Z * std::f64::consts::FRAC_PI_2));
        let change = root_change_m(&before, &after).unwrap();
        assert!((change.max_m - 2f64.sqrt()).abs() < 1e-12 && (change.rms_m - 1.0).abs() < 1e-12, "{change:?}");
        assert_eq!(change.max_frame, FrameIndex(1));
        assert!((change.mean_m - DVec3::new(-0.5, -0.5, 0.0)).length() < 1e-12, "{change:?}");
    }

    #[test]
    fn clips_of_other_shape_are_refused() {
        let error = joint_changes(&clip(4), &clip(5)).unwrap_err();
        assert!(matches!(error, EditingError::NotComparable { frames: 4, found_frames: 5, .. }), "{error}");
        assert!(root_change_m(&clip(4), &clip(5)).is_err());
    }

    #[test]
    fn a_layer_tells_its_turns_its_shift_and_its_time_scale() {
        let joint = JointId::new(1);
        let wave = |frame: usize| DVec3::X * 0.1 * (std::f64::consts::TAU * frame as f64 / 50.0).sin();
        let rotation_rad: Vec<DVec3> = (0..500).map(wave).collect();
        let layer = Layer { turns: vec![Turn { joint, rotation_rad }], ..Layer::default() };
        let change = layer.change(0.01);
        // Crests lie between samples 12 and 13 of each 25.
        assert!((change.turns[0].max_rad - 0.1).abs() < 2e-3 && [12, 13].contains(&(change.turns[0].max_frame.0 % 25)));
        assert!((change.turns[0].rms_rad - 0.1 / 2f64.sqrt()).abs() < 1e-3);
        // A sine of 0.5 s; neighbours' differences are a thousandth off at 50 samples a period.
        assert!((change.time_scale_secs.unwrap() - 0.5).abs() < 2e-3, "{change:?}");
        assert_eq!(change.root, None);
        let shift = Layer { translation_m: vec![DVec3::Y * -0.02; 3], ..Layer::default() }.change(0.01);
        assert_eq!(shift.time_scale_secs, None);
        let root = shift.root.unwrap();
        assert!((root.rms_m - 0.02).abs() < 1e-15 && root.mean_m.y < 0.0, "{root:?}");
    }
}
