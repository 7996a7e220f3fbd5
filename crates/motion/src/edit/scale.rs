//! Lengths, times and axes by a factor.

use super::error::EditError;
use super::place::with_skeleton;
use crate::axes::SignedPermutation;
use crate::clip::Clip;
use crate::time::{FrameTime, Timeline};

/// Multiplies every length by `factor`: offsets, end sites and translations. Rotations and times stay.
///
/// A figure scaled alone moves too fast or too slow for its size: for the same gravity, time scales with √factor
/// ([`scale_time`]).
pub fn scale(clip: &Clip, factor: f64) -> Result<Clip, EditError> {
    check_factor("length", factor)?;
    let skeleton = clip.skeleton().map_joints(|_, joint| {
        joint.offset_m *= factor;
        joint.end_sites.iter_mut().for_each(|end| end.offset_m *= factor);
    })?;
    let mut scaled = with_skeleton(clip, skeleton)?;
    for track in scaled.tracks_mut() {
        track.positions_m.iter_mut().for_each(|position_m| *position_m *= factor);
    }
    Ok(scaled)
}

/// Multiplies every time by `factor` (2 is half speed) without touching a frame: the frame time changes.
///
/// To keep the frame rate, see [`super::with_speed`].
pub fn scale_time(clip: &Clip, factor: f64) -> Result<Clip, EditError> {
    check_factor("time", factor)?;
    let timeline = match clip.timeline() {
        Timeline::Uniform(frame_time) if factor == 1.0 => Timeline::Uniform(*frame_time),
        // The nominal time: half speed of 0.008333 s is 60 Hz to the last digit.
        Timeline::Uniform(frame_time) => Timeline::Uniform(FrameTime::from_secs(frame_time.secs() * factor)?),
        Timeline::Keyed(times) => Timeline::keyed(times.iter().map(|secs| secs * factor).collect())?,
    };
    Ok(clip.clone().with_timeline(timeline)?)
}

/// The same motion seen in other axes: every vector v becomes P·v and every rotation P·R·P⁻¹, exact to the bit.
///
/// All local frames change alike, so a rest pose of identity rotations stays one; `re_axis(…, p.inverse())` is the way
/// back. `Joint::channels` keep naming the file's own axes and order: they are how the file is laid out, not how the
/// figure moves.
pub fn re_axis(clip: &Clip, axes: SignedPermutation) -> Result<Clip, EditError> {
    let skeleton = clip.skeleton().map_joints(|_, joint| {
        joint.offset_m = axes.vector(joint.offset_m);
        joint.end_sites.iter_mut().for_each(|end| end.offset_m = axes.vector(end.offset_m));
    })?;
    let mut turned = with_skeleton(clip, skeleton)?;
    turned.rotations_mut().iter_mut().for_each(|rotation| *rotation = axes.rotation(*rotation));
    for track in turned.tracks_mut() {
        track.positions_m.iter_mut().for_each(|position_m| *position_m = axes.vector(*position_m));
    }
    Ok(turned)
}

pub(super) fn check_factor(what: &'static str, factor: f64) -> Result<(), EditError> {
    if factor > 0.0 && factor.is_finite() { Ok(()) } else { Err(EditError::Factor { what, found: factor }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::{self, assert_points_near};
    use crate::kinematics::joint_positions_m;
    use glam::DVec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scaling_scales_every_position(factor in 0.01..100.0) {
            let clip = testing::walk(5, 30.0);
            let scaled = scale(&clip, factor).unwrap();
            let expected: Vec<DVec3> = joint_positions_m(&clip).iter().map(|&p| p * factor).collect();
            assert_points_near(&joint_positions_m(&scaled), &expected, 1e-14 * factor);
            prop_assert_eq!(scaled.rotations(), clip.rotations());
        }
    }

    #[test]
    fn half_speed_is_half_the_rate() {
        let clip = testing::walk(13, 120.0);
        let slow = scale_time(&clip, 2.0).unwrap();
        assert_eq!(slow.timeline().uniform().unwrap().hz(), 60.0);
        assert_eq!(slow.rotations(), clip.rotations());
        let keyed = clip.clone().with_timeline(Timeline::keyed((0..13).map(f64::from).collect()).unwrap()).unwrap();
        assert_eq!(scale_time(&keyed, 0.5).unwrap().duration_secs(), 6.0);
        assert_eq!(scale_time(&clip, 1.0).unwrap(), clip);
    }

    #[test]
    fn axes_change_exactly_and_back() {
        let clip = testing::walk(7, 30.0);
        for axes in [SignedPermutation::Y_UP_FROM_Z_UP, SignedPermutation::Y_UP_FROM_X_UP] {
            let turned = re_axis(&clip, axes).unwrap();
            let expected: Vec<DVec3> = joint_positions_m(&clip).iter().map(|&p| axes.vector(p)).collect();
            assert_points_near(&joint_positions_m(&turned), &expected, 1e-14);
            assert_eq!(re_axis(&turned, axes.inverse()).unwrap(), clip);
        }
    }

    #[test]
    fn factors_are_positive() {
        let clip = testing::walk(2, 30.0);
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(scale(&clip, factor), Err(EditError::Factor { what: "length", .. })));
            assert!(matches!(scale_time(&clip, factor), Err(EditError::Factor { what: "time", .. })));
        }
        assert!(matches!(scale_time(&clip, 1e12), Err(EditError::Time(_))));
    }
}
