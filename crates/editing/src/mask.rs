//! An edit for a part of the time and of the body: the edited clip where it is wanted, the original everywhere else.

mod select;

pub use select::{GROUPS, select};

use crate::EditingError;
use crate::span::{Span, smoothstep};
use aplomb_motion::{Clip, FrameIndex, JointId, Roles, Skeleton, so3};

/// How much of an edit each joint gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// 0 to 1 a joint; rotations and translation tracks of the joint alike.
    weights: Vec<f64>,
}

impl Mask {
    /// Every joint gets all of it.
    pub fn all(skeleton: &Skeleton) -> Self {
        Self { weights: vec![1.0; skeleton.len()] }
    }

    /// These joints get all of it, the others nothing.
    pub fn of_joints(skeleton: &Skeleton, joints: &[JointId]) -> Result<Self, EditingError> {
        let mut weights = vec![0.0; skeleton.len()];
        for joint in joints {
            let stray = EditingError::UnknownJoint { joint: joint.index(), joints: skeleton.len() };
            *weights.get_mut(joint.index()).ok_or(stray)? = 1.0;
        }
        Ok(Self { weights })
    }

    /// From the words of [`select`]; no words are every joint.
    pub fn named(skeleton: &Skeleton, roles: &Roles, words: &[impl AsRef<str>]) -> Result<Self, EditingError> {
        match words {
            [] => Ok(Self::all(skeleton)),
            _ => Self::of_joints(skeleton, &select(skeleton, roles, words)?),
        }
    }

    /// Share of a joint.
    pub fn weight(&self, joint: JointId) -> f64 {
        self.weights.get(joint.index()).copied().unwrap_or(0.0)
    }
}

/// The original with the edit inside the span and the mask, eased at those ends of the span that are given.
///
/// Rotations go from one to the other by slerp, translations on straight lines. Frames outside the span and joints
/// outside the mask are the original's to the bit, those fully inside are the edit's. Both clips need the same skeleton
/// and frames: an edit that changes time cannot be masked.
pub fn apply_within(original: &Clip, edited: &Clip, span: &Span, mask: &Mask) -> Result<Clip, EditingError> {
    check_comparable(original, edited)?;
    let shares = shares(original, span)?;
    let mut blended = edited.clone();
    let joints: Vec<JointId> = original.skeleton().ids().collect();
    for (frame, &share) in original.frames().zip(&shares) {
        let rotations = blended.rotations_at_mut(frame);
        for &joint in &joints {
            let own = original.rotation(frame, joint);
            let local = &mut rotations[joint.index()];
            match share * mask.weight(joint) {
                0.0 => *local = own,
                1.0 => {}
                _ if *local == own => {}
                weight => *local = so3::slerp(own, *local, weight).normalize(),
            }
        }
    }
    for track in blended.tracks_mut() {
        for (index, position_m) in track.positions_m.iter_mut().enumerate() {
            let own_m = original.translation_m(FrameIndex(index), track.joint);
            match shares[index] * mask.weight(track.joint) {
                0.0 => *position_m = own_m,
                1.0 => {}
                weight => *position_m = own_m + (*position_m - own_m) * weight,
            }
        }
    }
    Ok(blended)
}

/// Share of an edit that each frame of the clip gets, 0 to 1.
pub fn shares(clip: &Clip, span: &Span) -> Result<Vec<f64>, EditingError> {
    if !(span.ease_secs >= 0.0 && span.ease_secs.is_finite()) {
        let (what, expected) = ("the ease of a span", "0 s or more");
        return Err(EditingError::Setting { what, expected, found: span.ease_secs });
    }
    let duration_secs = clip.duration_secs();
    let (from_secs, to_secs) = (span.from_secs.unwrap_or(0.0), span.to_secs.unwrap_or(duration_secs));
    let is_open = span.from_secs.is_none() && span.to_secs.is_none();
    let is_span = from_secs.is_finite() && to_secs.is_finite() && from_secs < to_secs;
    if !is_open && (!is_span || from_secs >= duration_secs || to_secs <= 0.0) {
        return Err(EditingError::EmptySpan { from_secs, to_secs, duration_secs });
    }
    // Two eases longer than the span meet in its middle, so that the edit reaches its full size somewhere.
    let given = [span.from_secs, span.to_secs].iter().flatten().count() as f64;
    let ease_secs = span.ease_secs.min((to_secs - from_secs) / given.max(1.0));
    let rise = |given: Option<f64>, since_secs: f64| match given {
        None => 1.0,
        Some(_) if since_secs < 0.0 => 0.0,
        Some(_) if since_secs >= ease_secs => 1.0,
        Some(_) => smoothstep(since_secs / ease_secs),
    };
    let start_secs = clip.time_secs(FrameIndex(0));
    let share = |frame| {
        let at_secs = clip.time_secs(frame) - start_secs;
        rise(span.from_secs, at_secs - from_secs) * rise(span.to_secs, to_secs - at_secs)
    };
    Ok(clip.frames().map(share).collect())
}

fn check_comparable(original: &Clip, edited: &Clip) -> Result<(), EditingError> {
    let (own, other) = (original.skeleton().joints(), edited.skeleton().joints());
    let same_tree =
        own.len() == other.len() && own.iter().zip(other).all(|(a, b)| a.name == b.name && a.parent == b.parent);
    match same_tree && original.frame_count() == edited.frame_count() {
        true => Ok(()),
        false => Err(EditingError::NotComparable {
            frames: original.frame_count(),
            joints: own.len(),
            found_frames: edited.frame_count(),
            found_joints: other.len(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_builtins::clip as built_in;
    use aplomb_motion::kinematics::joint_positions_m;
    use glam::{DQuat, DVec3};

    /// Every joint turned and the root lifted.
    fn changed(clip: &Clip) -> Clip {
        let mut edited = clip.clone();
        edited.rotations_mut().iter_mut().for_each(|q| *q = (*q * DQuat::from_rotation_x(0.3)).normalize());
        edited.tracks_mut().iter_mut().for_each(|track| track.positions_m.iter_mut().for_each(|p| *p += DVec3::Y));
        edited
    }

    fn between(from_secs: f64, to_secs: f64, ease_secs: f64) -> Span {
        Span { from_secs: Some(from_secs), to_secs: Some(to_secs), ease_secs }
    }

    #[test]
    fn outside_is_the_original_and_inside_the_edit_to_the_bit() {
        let clip = built_in("wave").unwrap();
        let (edited, all) = (changed(&clip), Mask::all(clip.skeleton()));
        let blended = apply_within(&clip, &edited, &between(1.0, 2.0, 0.2), &all).unwrap();
        let mut in_between = 0;
        for frame in clip.frames() {
            let secs = clip.time_secs(frame);
            let found = (blended.rotations_at(frame), blended.tracks()[0].positions_m[frame.0]);
            let of = |clip: &Clip| (clip.rotations_at(frame).to_vec(), clip.tracks()[0].positions_m[frame.0]);
            if !(1.0..=2.0).contains(&secs) {
                assert_eq!((found.0.to_vec(), found.1), of(&clip), "{secs} s");
            } else if (1.2 + 1e-9..1.8 - 1e-9).contains(&secs) {
                assert_eq!((found.0.to_vec(), found.1), of(&edited), "{secs} s");
            } else {
                let raised_m = found.1.y - of(&clip).1.y;
                assert!((0.0..=1.0).contains(&raised_m), "{secs} s");
                in_between += 1;
            }
        }
        assert!(in_between > 40, "{in_between} eased frames at 120 Hz");
        assert!(apply_within(&clip, &edited, &Span::default(), &all).unwrap() == edited);
        assert!(apply_within(&clip, &clip, &between(0.5, 1.0, 0.1), &all).unwrap() == clip);
    }

    #[test]
    fn the_blend_does_not_jump() {
        let clip = built_in("wave").unwrap();
        let blended =
            apply_within(&clip, &changed(&clip), &between(1.0, 2.0, 0.5), &Mask::all(clip.skeleton())).unwrap();
        let joints = clip.skeleton().len();
        let fastest_m = |clip: &Clip| {
            let positions_m = joint_positions_m(clip);
            positions_m.iter().zip(&positions_m[joints..]).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
        };
        // 1 m up and 0.3 rad in each of a chain of eight joints within 0.5 s (60 frames), at most 1.5 times the mean
        // speed.
        assert!(fastest_m(&blended) < fastest_m(&clip) + 1.5 * (1.0 + 8.0 * 0.3) / 60.0);
    }

    #[test]
    fn an_ease_longer_than_the_span_still_reaches_the_edit() {
        let clip = built_in("wave").unwrap();
        let shares = shares(&clip, &between(1.0, 1.5, 9.0)).unwrap();
        assert!((shares.iter().copied().fold(0.0, f64::max) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn masked_joints_only() {
        let clip = built_in("wave").unwrap();
        let roles = Roles::detect(&clip);
        let mask = Mask::named(clip.skeleton(), &roles, &["right_arm"]).unwrap();
        let blended = apply_within(&clip, &changed(&clip), &Span::default(), &mask).unwrap();
        let limb = roles.limb(aplomb_motion::Side::Right, aplomb_motion::LimbKind::Arm).unwrap();
        let frame = FrameIndex(30);
        assert_ne!(blended.rotation(frame, limb.middle), clip.rotation(frame, limb.middle));
        assert_eq!(blended.rotation(frame, JointId::new(0)), clip.rotation(frame, JointId::new(0)));
        assert_eq!(blended.tracks(), clip.tracks());
        assert_eq!(Mask::named(clip.skeleton(), &roles, &[""; 0]).unwrap(), Mask::all(clip.skeleton()));
    }

    #[test]
    fn what_cannot_be_blended_is_refused() {
        let (wave, walk) = (built_in("wave").unwrap(), built_in("walk").unwrap());
        let all = Mask::all(wave.skeleton());
        let error = apply_within(&wave, &walk, &Span::default(), &all).unwrap_err();
        assert!(matches!(error, EditingError::NotComparable { .. }), "{error}");
        for span in [between(2.0, 1.0, 0.1), between(90.0, 99.0, 0.1), between(f64::NAN, 1.0, 0.1)] {
            let error = apply_within(&wave, &wave, &span, &all).unwrap_err();
            assert!(matches!(error, EditingError::EmptySpan { .. }), "{error}");
        }
        let error = apply_within(&wave, &wave, &between(1.0, 2.0, -1.0), &all).unwrap_err();
        assert!(matches!(error, EditingError::Setting { .. }), "{error}");
        assert!(Mask::of_joints(wave.skeleton(), &[JointId::new(999)]).is_err());
    }
}
