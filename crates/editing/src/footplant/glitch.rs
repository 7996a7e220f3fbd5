//! Frames in which a whole body jumps away and back.
//!
//! Feet that are held do not jump with it, so that a jump of the hips would end up in the knees, twice as large in legs
//! that are nearly straight. Nothing of such a frame is motion.

use crate::EditingError;
use crate::finding::{Finding, codes};
use crate::mask::shares;
use crate::span::{Span, TimeSpan};
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::contacts::Spike;
use aplomb_motion::{Clip, FrameIndex, so3};

/// The clip with one or two frames that its contacts call a jump of the whole body bridged, and what people should know
/// of it; `None` if there is none, or none that may change.
pub(crate) fn bridged(
    clip: &Clip,
    contacts: &ContactAnalysis,
    span: &Span,
    leave_alone: &[TimeSpan],
) -> Result<Option<(Clip, Vec<Finding>)>, EditingError> {
    // More than half of the points that are watched, hands and feet of both sides: a single limb is no body.
    let is_whole = |spike: &&Spike| {
        let same = contacts.spikes.iter().filter(|it| it.frame == spike.frame && it.frames == spike.frames);
        2 * same.count() > contacts.effectors.len()
    };
    let whole = contacts.spikes.iter().filter(is_whole);
    let mut jumps: Vec<(usize, usize, f64)> =
        whole.map(|spike| (spike.frame.0, spike.frames, spike.distance_m)).collect();
    jumps.sort_by(|a, b| a.0.cmp(&b.0).then(b.2.total_cmp(&a.2)));
    jumps.dedup_by_key(|jump| jump.0);
    let (share, first) = (shares(clip, span)?, usize::from(contacts.stray_first_frame));
    let is_left = |secs: f64| leave_alone.iter().any(|span| (span.start_secs..=span.end_secs).contains(&secs));
    let may_change = |jump: &(usize, usize, f64)| {
        jump.0 > first
            && jump.0 + jump.1 < clip.frame_count()
            && (jump.0..jump.0 + jump.1).all(|frame| share[frame] == 1.0 && !is_left(clip.time_secs(FrameIndex(frame))))
    };
    jumps.retain(may_change);
    if jumps.is_empty() {
        return Ok(None);
    }
    let (mut smooth, mut findings) = (clip.clone(), Vec::new());
    for (start, frames, distance_m) in jumps {
        let (before, after) = (FrameIndex(start - 1), FrameIndex(start + frames));
        for inside in 0..frames {
            let (frame, way) = (FrameIndex(start + inside), (inside + 1) as f64 / (frames + 1) as f64);
            let turned = clip.rotations_at(before).iter().zip(clip.rotations_at(after));
            for (local, (a, b)) in smooth.rotations_at_mut(frame).iter_mut().zip(turned) {
                *local = so3::slerp(*a, *b, way).normalize();
            }
            for track in smooth.tracks_mut() {
                let [a_m, b_m] = [before, after].map(|at| track.positions_m[at.0]);
                track.positions_m[frame.0] = a_m.lerp(b_m, way);
            }
        }
        let at_secs = |frame: usize| clip.time_secs(FrameIndex(frame));
        findings.push(
            Finding::of(codes::JUMP_BRIDGED)
                .at(at_secs(start), at_secs(start + frames - 1))
                .value("distance_m", distance_m)
                .value("frames", frames),
        );
    }
    Ok(Some((smooth, findings)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_analysis::Take;
    use aplomb_motion::Roles;
    use aplomb_physics::{Body, BodyOptions};
    use glam::{DQuat, DVec3};

    #[test]
    fn a_jump_of_the_whole_body_is_bridged_where_it_may_be() {
        let clip = aplomb_builtins::clip("walk").unwrap();
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
        let found = |clip: &Clip| Take::new(clip.clone(), roles.clone(), body.clone()).into_contacts().unwrap();
        let mut popped = clip.clone();
        let root = aplomb_motion::JointId::new(0);
        let turned = popped.rotation(FrameIndex(100), root) * DQuat::from_rotation_x(0.3);
        popped.set_rotation(FrameIndex(100), root, turned.normalize());
        popped.tracks_mut()[0].positions_m[100] += DVec3::new(0.05, -0.2, 0.1);
        let contacts = found(&popped);
        let all = Span::default();
        let (smooth, findings) = bridged(&popped, &contacts, &all, &[]).unwrap().unwrap();
        let [jump] = &findings[..] else { panic!("{findings:?}") };
        assert!(jump.code == codes::JUMP_BRIDGED && (jump.span.unwrap().start_secs - 0.833).abs() < 5e-4, "{jump:?}");
        for frame in clip.frames() {
            let apart = smooth.rotation(frame, root).angle_between(clip.rotation(frame, root));
            // The bend of a walk over two frames at 120 Hz.
            assert!(apart < 2e-3 && smooth.translation_m(frame, root).distance(clip.translation_m(frame, root)) < 2e-3);
        }
        let later = Span { from_secs: Some(1.5), ..all };
        assert!(bridged(&popped, &contacts, &later, &[]).unwrap().is_none());
        let alone = TimeSpan { start_secs: 0.5, end_secs: 1.0 };
        assert!(bridged(&popped, &contacts, &all, &[alone]).unwrap().is_none());
        assert!(bridged(&clip, &found(&clip), &all, &[]).unwrap().is_none());
    }
}
