//! What is wrong with a recording or a pose, apart from physics: noise, limbs inside limbs, joints out of range
//! (`docs/analysis/checks.md`).

mod intersections;
mod jitter;

use crate::contacts::Subject;
use crate::posed::Posed;
use crate::report::body::{BodyFaults, LEAST_SHOWN_COST};
use crate::report::{Checks, Fault, JitterFinding, JointLimitFinding, Moment};
use aplomb_motion::{Clip, first_frame};

/// Looks for trembling and jumping joints, and limbs inside limbs. `times_secs` and `hz` are by the clock that the
/// analysis used, one time a row. Joints out of range come with the body's faults ([`joint_limits`]).
pub(crate) fn checks(subject: &Subject<'_>, posed: &Posed, times_secs: &[f64], hz: f64) -> Checks {
    let Subject { clip, body, .. } = *subject;
    Checks {
        joint_limits: Vec::new(),
        jitter: jitter::findings(clip.skeleton(), &posed.paths(), times_secs, hz),
        intersections: intersections::findings(body, posed, times_secs),
    }
}

/// Joints out of range, in the words that reports have had since their first version; worst first.
pub(crate) fn joint_limits(faults: &BodyFaults) -> Vec<JointLimitFinding> {
    let finding = |moment: &Moment| {
        let joint = moment.joint.clone()?;
        let (_, _, share) = faults.shares.iter().find(|it| it.0 == moment.fault && it.1 == joint)?;
        Some(JointLimitFinding {
            joint,
            motion: motion_of(moment.fault)?.to_owned(),
            beyond_deg: moment.size - moment.allowance,
            secs: moment.secs,
            share: *share,
        })
    };
    let mut found: Vec<JointLimitFinding> =
        faults.moments.iter().filter(|moment| moment.cost > LEAST_SHOWN_COST).filter_map(finding).collect();
    found.sort_by(|a, b| b.beyond_deg.total_cmp(&a.beyond_deg));
    found
}

fn motion_of(fault: Fault) -> Option<&'static str> {
    Some(match fault {
        Fault::KneeBackward => "knee bends backward",
        Fault::KneeFolds => "knee folds too far",
        Fault::KneeSideways => "knee bends sideways",
        Fault::FootTurned => "foot turned too far",
        Fault::FootFolded => "ankle bends up too far",
        Fault::ElbowBackward => "elbow overextended",
        Fault::ElbowFolds => "elbow folds too far",
        Fault::SpineBent => "spine bent too far",
        Fault::NeckBent => "neck joint bent too far",
        Fault::TrunkTurned => "trunk twisted too far",
        Fault::TrunkBent => "trunk bent too far",
        Fault::HeadTurned => "head turned too far",
        Fault::HeadBent => "neck bent too far",
        Fault::HipBackward => "thigh bends backward too far",
        Fault::HipForward => "thigh bends forward too far",
        Fault::HipOutward => "thigh spread too far",
        Fault::HipInward => "thigh crossed too far",
        Fault::PlantedFootTurned => "planted foot turned too far",
        _ => return None,
    })
}

/// Joints that jump from one frame to the next, worst first, by the rule that [`Checks::jitter`] has, without the rest
/// of a report. A stray first frame is left out; times are the clip's own.
pub fn joint_jumps(clip: &Clip) -> Vec<JitterFinding> {
    let first = usize::from(first_frame::is_stray(clip));
    let times_secs: Vec<f64> = clip.frames().skip(first).map(|frame| clip.time_secs(frame)).collect();
    let (Some(start_secs), Some(end_secs)) = (times_secs.first(), times_secs.last()) else { return Vec::new() };
    let steps = times_secs.len().saturating_sub(1) as f64;
    let hz = if end_secs > start_secs { steps / (end_secs - start_secs) } else { 0.0 };
    let mut found = jitter::findings(clip.skeleton(), &Posed::of_clip(clip, first).paths(), &times_secs, hz);
    found.retain(|finding| finding.jump_mm.is_some());
    found
}
