//! Edits of some joints only, and joints that an edit makes jerk.

use super::pops::pop_findings;
use super::verb::VerbError;
use aplomb_analysis::Take;
use aplomb_editing::EditingError;
use aplomb_editing::finding::Finding;
use aplomb_editing::mask::{Mask, apply_within};
use aplomb_editing::pops::limb_pops;
use aplomb_editing::span::Span;
use aplomb_motion::{Clip, JointId};

/// `None` is every joint.
pub(super) fn mask_of(joints: &[String], take: &Take) -> Result<Option<Mask>, EditingError> {
    match joints {
        [] => Ok(None),
        words => Mask::named(take.clip().skeleton(), take.roles(), words).map(Some),
    }
}

/// The edit on the joints of the mask, the original on the others.
pub(super) fn masked(original: &Clip, edited: Clip, mask: Option<&Mask>) -> Result<Clip, EditingError> {
    match mask {
        None => Ok(edited),
        Some(mask) => apply_within(original, &edited, &Span::default(), mask),
    }
}

/// Whether an edit left every frame as it was, to the bit.
pub(super) fn is_same_motion(before: &Clip, after: &Clip) -> bool {
    let stays = |joint: JointId| {
        before.frames().all(|frame| before.translation_m(frame, joint) == after.translation_m(frame, joint))
    };
    before.rotations() == after.rotations() && before.skeleton().ids().all(stays)
}

/// Joints that jerk where the motion did not; false if one tears.
///
/// Holding feet under hips that jump in a capture hands the jump on to the knees.
pub(super) fn jerks(take: &Take, clip: &Clip, findings: &mut Vec<Finding>) -> Result<bool, VerbError> {
    let pops = limb_pops(take.clip(), clip, take.roles())?;
    Ok(pop_findings(&pops, clip, "recording", findings))
}
