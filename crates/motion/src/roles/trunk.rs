//! Hips, spine, neck and head: the path between the legs' common joint and the skull; then tail, jaw, eyes and ears.

use super::Draft;
use super::families::Part;
use super::names::Word;
use super::role::Role;
use crate::ids::JointId;
use crate::skeleton::Skeleton;

/// Assigns the midline once the limbs are known: the first joint of each leg and of each arm.
pub(super) fn assign(skeleton: &Skeleton, words: &[Word], legs: &[JointId], arms: &[JointId], draft: &mut Draft) {
    let named_head = named_head(skeleton, words);
    let anchors: Vec<JointId> = legs.iter().chain(arms).copied().chain(named_head).collect();
    let Some(hips) = find_hips(skeleton, words, legs, &anchors, draft) else { return };
    for above in skeleton.ancestors(hips).skip(1) {
        draft.give(above, Role::SceneRoot, 0.9, "above the hips");
    }
    between_hips_and_limbs(skeleton, hips, &anchors, draft);
    let chest = common_ancestor(skeleton, arms).filter(|_| arms.len() == 2);
    let top = named_head.or_else(|| unnamed_top(skeleton, words, hips, chest));
    if let Some(top) = top.filter(|&top| top != hips && skeleton.is_in_subtree(top, hips)) {
        spine_and_neck(skeleton, words, hips, top, chest, named_head.is_some(), draft);
    }
    tail(skeleton, words, hips, draft);
    face(words, draft);
}

/// The joint called head that carries the most; a mesh carrier of the same name is a leaf.
fn named_head(skeleton: &Skeleton, words: &[Word]) -> Option<JointId> {
    let heads = skeleton.ids().filter(|joint| words[joint.index()].midline_part() == Some(Part::Head));
    heads.rev().max_by_key(|&joint| skeleton.children(joint).len())
}

/// The nearest joint called hips or pelvis at or above the point where all limbs meet; failing that, the point itself.
///
/// A joint called hips *below* that point carries the legs alone (MakeHuman): moving it does not move the body, so it
/// is not the hips.
fn find_hips(
    skeleton: &Skeleton,
    words: &[Word],
    legs: &[JointId],
    anchors: &[JointId],
    draft: &mut Draft,
) -> Option<JointId> {
    let meeting = match common_ancestor(skeleton, anchors) {
        // One anchor meets itself: look above it.
        Some(only) if anchors.len() == 1 => skeleton.parent(only),
        meeting => meeting,
    };
    let called = |joint: &JointId| matches!(words[joint.index()].midline_part(), Some(Part::Pelvis | Part::Hip));
    let meeting = meeting?;
    if let Some(hips) = skeleton.ancestors(meeting).find(called) {
        draft.give(hips, Role::Hips, 0.95, format!("name {:?}, carries legs and trunk", words[hips.index()].text));
        return Some(hips);
    }
    let root = |joint: &JointId| words[joint.index()].midline_part() == Some(Part::Root);
    if legs.len() == 2 && anchors.len() > 2 {
        let confidence = if root(&meeting) { 0.9 } else { 0.8 };
        draft.give(meeting, Role::Hips, confidence, "where legs and trunk meet");
        return Some(meeting);
    }
    let hips = skeleton.ancestors(meeting).find(root).filter(|_| anchors.len() > 1)?;
    draft.give(hips, Role::Hips, 0.6, "root of a body without two legs");
    Some(hips)
}

fn between_hips_and_limbs(skeleton: &Skeleton, hips: JointId, anchors: &[JointId], draft: &mut Draft) {
    for &anchor in anchors {
        let between: Vec<JointId> = skeleton.ancestors(anchor).skip(1).take_while(|&joint| joint != hips).collect();
        // Joints on the way to an arm are trunk and get their role later; only leg connectors stay without.
        let leads_to_leg = matches!(draft.role(anchor), Some(Role::Thigh(_) | Role::Helper));
        for joint in between.into_iter().filter(|_| leads_to_leg) {
            let on_trunk = anchors.iter().any(|&other| {
                !matches!(draft.role(other), Some(Role::Thigh(_) | Role::Helper))
                    && skeleton.is_in_subtree(other, joint)
            });
            if !on_trunk && !draft.has(joint) {
                draft.give(joint, Role::Helper, 0.85, "between the hips and a leg");
            }
        }
    }
}

/// Where a body without a joint called head ends (Rigify numbers its spine up to the head): from the chest up along
/// joints called spine or neck.
fn unnamed_top(skeleton: &Skeleton, words: &[Word], hips: JointId, chest: Option<JointId>) -> Option<JointId> {
    let is_trunk = |joint: JointId| matches!(words[joint.index()].midline_part(), Some(Part::Spine | Part::Neck));
    let mut top = chest.unwrap_or(hips);
    while let Some(&next) = skeleton.children(top).iter().find(|&&child| is_trunk(child)) {
        top = next;
    }
    (top != hips).then_some(top)
}

fn spine_and_neck(
    skeleton: &Skeleton,
    words: &[Word],
    hips: JointId,
    top: JointId,
    chest: Option<JointId>,
    top_is_head: bool,
    draft: &mut Draft,
) {
    let mut path: Vec<JointId> = skeleton.ancestors(top).take_while(|&joint| joint != hips).collect();
    path.reverse();
    let part = |joint: JointId| words[joint.index()].midline_part();
    let above_chest =
        |joint: JointId| chest.is_some_and(|chest| joint != chest && skeleton.is_in_subtree(joint, chest));
    let has_neck_words = path.iter().any(|&joint| part(joint) == Some(Part::Neck));
    // Two joints above the arms without any name for them: the last is the head, the others the neck.
    let is_marked = |joint: JointId| words[joint.index()].marked_helper.is_some();
    let above = path.iter().filter(|&&joint| above_chest(joint) && !is_marked(joint)).count();
    let head_by_place = !top_is_head && !has_neck_words && above >= 2;
    let (mut spine, mut neck) = (0u16, 0u16);
    for &joint in &path {
        if draft.has(joint) {
            continue;
        }
        if joint == top && (top_is_head || head_by_place) {
            let (confidence, reason) = match top_is_head {
                true => (0.95, format!("name {:?}", words[joint.index()].text)),
                false => (0.7, "last joint above the arms".to_owned()),
            };
            draft.give(joint, Role::Head, confidence, reason);
        } else if let Some(mark) = words[joint.index()].marked_helper {
            draft.give(joint, Role::Helper, 0.85, mark);
        } else if part(joint) == Some(Part::Neck) || (!has_neck_words && above_chest(joint)) {
            let confidence = if has_neck_words { 0.95 } else { 0.75 };
            draft.give(joint, Role::Neck(neck), confidence, "on the way from the arms to the head");
            neck = neck.saturating_add(1);
        } else {
            let confidence = if part(joint) == Some(Part::Spine) { 0.95 } else { 0.7 };
            draft.give(joint, Role::Spine(spine), confidence, "on the way from the hips to the head");
            spine = spine.saturating_add(1);
        }
    }
}

fn tail(skeleton: &Skeleton, words: &[Word], hips: JointId, draft: &mut Draft) {
    let mut number = 0u16;
    let mut last: Option<JointId> = None;
    for joint in skeleton.ids().filter(|&joint| words[joint.index()].midline_part() == Some(Part::Tail)) {
        let follows = match last {
            None => skeleton.is_in_subtree(joint, hips),
            Some(last) => skeleton.is_in_subtree(joint, last),
        };
        if follows && !draft.has(joint) {
            draft.give(joint, Role::Tail(number), 0.95, "name \"tail\"");
            number = number.saturating_add(1);
            last = Some(joint);
        }
    }
}

fn face(words: &[Word], draft: &mut Draft) {
    for (index, word) in words.iter().enumerate() {
        let role = match (word.part.filter(|_| word.marked_helper.is_none()), word.side) {
            (Some(Part::Jaw), None) => Role::Jaw,
            (Some(Part::Eye), Some(side)) => Role::Eye(side),
            (Some(Part::Ear), Some(side)) => Role::Ear(side),
            _ => continue,
        };
        let joint = JointId::new(index);
        if !draft.has(joint) {
            draft.give(joint, role, 0.9, format!("name {:?}", word.text));
        }
    }
}

/// The lowest joint above all of these (or one of them).
pub(super) fn common_ancestor(skeleton: &Skeleton, joints: &[JointId]) -> Option<JointId> {
    let (&first, rest) = joints.split_first()?;
    let mut meeting = first;
    for &joint in rest {
        let above: std::collections::HashSet<JointId> = skeleton.ancestors(joint).collect();
        meeting = skeleton.ancestors(meeting).find(|candidate| above.contains(candidate))?;
    }
    Some(meeting)
}
