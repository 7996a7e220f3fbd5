//! Limbs by name: one chain per limb, each word decided by what stands before and after it in the chain.

use super::families::Part;
use super::geometry::Poses;
use super::names::Word;
use super::role::{Digit, Role, Side};
use super::{Draft, trunk};
use crate::ids::JointId;
use crate::skeleton::Skeleton;

/// A word that means one thing wherever it stands.
const CLEAR: f64 = 0.95;
/// A word decided by its neighbours.
const BY_PLACE: f64 = 0.85;
/// A word that is alone where a chain should be.
const ALONE: f64 = 0.5;

/// Chains of one side, from the first named joint to the last.
struct Chains {
    side: Side,
    leg: Vec<JointId>,
    arm: Vec<JointId>,
}

/// Assigns everything that names can tell.
pub(super) fn by_name(skeleton: &Skeleton, words: &[Word], poses: &Poses, draft: &mut Draft) {
    let chains = Side::BOTH.map(|side| Chains {
        side,
        leg: chain(skeleton, words, side, leg_rank),
        arm: chain(skeleton, words, side, arm_rank),
    });
    for limbs in &chains {
        assign_leg(words, limbs, poses, draft);
        assign_arm(skeleton, words, limbs, draft);
    }
    for limbs in &chains {
        assign_fingers(skeleton, words, limbs.side, draft);
    }
    let firsts = |chain: fn(&Chains) -> &Vec<JointId>| -> Vec<JointId> {
        chains.iter().filter_map(|limbs| chain(limbs).first().copied()).collect()
    };
    trunk::assign(skeleton, words, &firsts(|limbs| &limbs.leg), &firsts(|limbs| &limbs.arm), draft);
    helpers(words, draft);
}

/// Order of the words along a leg; the descent prefers the child that leads furthest.
fn leg_rank(part: Part) -> Option<u8> {
    Some(match part {
        Part::Hip | Part::Pelvis => 0,
        Part::Thigh => 1,
        Part::Leg | Part::Shank => 2,
        Part::Ankle | Part::Foot => 3,
        Part::Midfoot => 4,
        Part::Toe => 5,
        _ => return None,
    })
}

/// Order of the words along an arm or front leg.
fn arm_rank(part: Part) -> Option<u8> {
    Some(match part {
        Part::Clavicle => 0,
        Part::Shoulder => 1,
        Part::UpperArm | Part::Arm => 2,
        Part::Forearm | Part::FrontUpper => 3,
        Part::Wrist | Part::Hand | Part::FrontLower => 4,
        Part::FrontEnd => 5,
        _ => return None,
    })
}

/// The longest run of one limb's words down the tree: from the topmost named joint, always into the child whose subtree
/// goes furthest along the limb (toe before a mesh carrier called foot), then the smallest number (big toe), then the
/// most named joints.
fn chain(skeleton: &Skeleton, words: &[Word], side: Side, rank: fn(Part) -> Option<u8>) -> Vec<JointId> {
    let own_rank = |joint: JointId| words[joint.index()].part_on(side).and_then(rank);
    let mut furthest = vec![None; skeleton.len()];
    let mut named = vec![0usize; skeleton.len()];
    for joint in skeleton.ids().rev() {
        let own = own_rank(joint);
        furthest[joint.index()] = furthest[joint.index()].max(own);
        named[joint.index()] += usize::from(own.is_some());
        if let Some(parent) = skeleton.parent(joint) {
            furthest[parent.index()] = furthest[parent.index()].max(furthest[joint.index()]);
            named[parent.index()] += named[joint.index()];
        }
    }
    let mut under_named = vec![false; skeleton.len()];
    let mut top: Option<JointId> = None;
    for joint in skeleton.ids() {
        let covered =
            skeleton.parent(joint).is_some_and(|parent| under_named[parent.index()] || own_rank(parent).is_some());
        under_named[joint.index()] = covered;
        let better = top.is_none_or(|top| named[joint.index()] > named[top.index()]);
        if own_rank(joint).is_some() && !covered && better {
            top = Some(joint);
        }
    }
    let mut chain = Vec::new();
    let mut next = top;
    while let Some(joint) = next {
        chain.push(joint);
        let first_number = |child: JointId| words[child.index()].numbers.first().copied().unwrap_or(0);
        next = skeleton
            .children(joint)
            .iter()
            .copied()
            .filter(|child| named[child.index()] > 0)
            // `max_by_key` keeps the last of equals; reversed, the first in file order wins.
            .rev()
            .max_by_key(|&child| {
                let reach = furthest[child.index()];
                // Numbers tell toes apart; elsewhere they count segments.
                let digit = if reach == leg_rank(Part::Toe) { first_number(child) } else { 0 };
                (reach, std::cmp::Reverse(digit), named[child.index()])
            });
    }
    chain
}

fn has_any(parts: &[Option<Part>], wanted: &[Part]) -> bool {
    parts.iter().flatten().any(|part| wanted.contains(part))
}

/// Gives the joints of a leg their roles, top down. A word already used makes a spare joint (`upperleg02`).
fn assign_leg(words: &[Word], limbs: &Chains, poses: &Poses, draft: &mut Draft) {
    let side = limbs.side;
    let parts: Vec<Option<Part>> = limbs.leg.iter().map(|joint| words[joint.index()].part_on(side)).collect();
    let later = |index: usize, wanted: &[Part]| parts[index + 1..].iter().flatten().any(|part| wanted.contains(part));
    let names_feet = has_any(&parts, &[Part::Ankle, Part::Foot, Part::Midfoot, Part::Toe]);
    // 0 nothing yet, then thigh, shank, foot, toe.
    let mut stage = 0;
    for (index, (&joint, &part)) in limbs.leg.iter().zip(&parts).enumerate() {
        let word = &words[joint.index()];
        let (next, confidence) = match part {
            Some(Part::Thigh) => (1, CLEAR),
            // Only the last "hip" before the knee is the thigh, and none is if a clear thigh follows.
            Some(Part::Hip) if later(index, &[Part::Hip, Part::Thigh]) => (0, BY_PLACE),
            Some(Part::Hip) => (1, BY_PLACE),
            Some(Part::Leg) if stage == 0 || later(index, &[Part::Shank]) => {
                (1, if later(index, &[Part::Shank, Part::Leg]) { BY_PLACE } else { ALONE })
            }
            // `leg_1` to `leg_4`, and nothing that is called a foot.
            Some(Part::Leg) if stage >= 2 && !names_feet => (stage + 1, ALONE),
            Some(Part::Leg) => (2, BY_PLACE),
            Some(Part::Shank) => (2, CLEAR),
            Some(Part::Ankle) => (3, CLEAR),
            Some(Part::Foot) if stage < 3 => (3, CLEAR),
            // Below an ankle: the toe (SMPL), unless toes follow close by and this is only a palm of the foot.
            Some(Part::Foot) if !later(index, &[Part::Toe]) || is_long_metatarsus(limbs, index, poses) => (4, BY_PLACE),
            Some(Part::Toe) => (4, CLEAR),
            _ => (0, CLEAR),
        };
        let confidence = if word.loose { confidence - 0.05 } else { confidence };
        let role = match next {
            1 => Role::Thigh(side),
            2 => Role::Shank(side),
            3 => Role::Foot(side),
            4 => Role::Toe(side),
            _ => Role::Helper,
        };
        match next > stage {
            true => {
                draft.give(joint, role, confidence, reason(word, &role));
                stage = next;
            }
            false => draft.give(joint, Role::Helper, confidence, spare_reason(word)),
        }
    }
}

/// A "foot" far below the "ankle" is the end of a metatarsus (horse), not a joint inside a human foot. 0.25 of the leg
/// separates them: a human foot bone is about 0.15 of thigh + shank, a horse's or dog's metatarsus 0.3 to 0.6.
fn is_long_metatarsus(limbs: &Chains, index: usize, poses: &Poses) -> bool {
    let length = |joint: &JointId| poses.bone_m(*joint);
    let Some(metatarsus) = limbs.leg.get(index).map(length) else { return false };
    let above: f64 = limbs.leg[..index].iter().skip(1).map(length).sum();
    metatarsus > 0.25 * above
}

/// Gives the joints of an arm or front leg their roles, top down.
fn assign_arm(skeleton: &Skeleton, words: &[Word], limbs: &Chains, draft: &mut Draft) {
    let side = limbs.side;
    let parts: Vec<Option<Part>> = limbs.arm.iter().map(|joint| words[joint.index()].part_on(side)).collect();
    let later = |index: usize, wanted: &[Part]| parts[index + 1..].iter().flatten().any(|part| wanted.contains(part));
    let names_hands = has_any(&parts, &[Part::Wrist, Part::Hand, Part::FrontLower, Part::FrontEnd]);
    // 0 nothing yet, then clavicle, upper arm, forearm, hand, beyond the hand.
    let mut stage = 0;
    let mut beyond = 0;
    for (index, (&joint, &part)) in limbs.arm.iter().zip(&parts).enumerate() {
        let word = &words[joint.index()];
        let upper_follows = later(index, &[Part::UpperArm, Part::Arm]);
        let (next, confidence) = match part {
            Some(Part::Clavicle) => (1, CLEAR),
            Some(Part::Shoulder) if upper_follows => (1, BY_PLACE),
            Some(Part::Shoulder) => (2, BY_PLACE),
            Some(Part::UpperArm) => (2, CLEAR),
            Some(Part::Arm) if stage < 2 => (2, if later(index, &[Part::Forearm]) { BY_PLACE } else { ALONE }),
            Some(Part::Arm) if stage == 3 && !names_hands => (4, ALONE),
            Some(Part::Arm) => (3, ALONE),
            Some(Part::Forearm) => (3, CLEAR),
            Some(Part::FrontUpper) => (if stage < 2 { 2 } else { 3 }, BY_PLACE),
            Some(Part::FrontLower) => (if stage < 3 { 3 } else { 4 }, BY_PLACE),
            Some(Part::FrontEnd) => (if stage < 4 { 4 } else { 5 }, BY_PLACE),
            Some(Part::Wrist) => (4, CLEAR),
            Some(Part::Hand) if stage < 4 => (4, CLEAR),
            // Below a wrist: the palm if fingers hang on it, else all fingers in one joint (SMPL).
            Some(Part::Hand) if skeleton.children(joint).is_empty() => (5, BY_PLACE),
            _ => (0, CLEAR),
        };
        let confidence = if word.loose { confidence - 0.05 } else { confidence };
        let role = match next {
            1 => Role::Clavicle(side),
            2 => Role::UpperArm(side),
            3 => Role::Forearm(side),
            4 => Role::Hand(side),
            _ => Role::Finger(side, Digit::Fingers, beyond + 1),
        };
        match next > stage || next == 5 {
            true => {
                draft.give(joint, role, confidence, reason(word, &role));
                beyond += u16::from(next == 5);
                stage = next;
            }
            false => draft.give(joint, Role::Helper, confidence, spare_reason(word)),
        }
    }
}

/// Fingers below a hand; segments count down each finger, whatever their numbers are.
fn assign_fingers(skeleton: &Skeleton, words: &[Word], side: Side, draft: &mut Draft) {
    let Some(hand) = draft.joint(Role::Hand(side)) else { return };
    // Biped counts from Finger0 (the thumb), MakeHuman from finger1.
    let is_numbered = |word: &&Word| word.part_on(side) == Some(Part::NumberedFinger);
    let starts_at_zero = words.iter().filter(is_numbered).any(|word| word.numbers.first() == Some(&0));
    let digits = [Digit::Thumb, Digit::Index, Digit::Middle, Digit::Ring, Digit::Pinky];
    // The finger of each joint, and how many of its segments lie above, known parents first.
    let mut on_finger: Vec<Option<(Digit, u16)>> = vec![None; skeleton.len()];
    let mut in_hand = vec![false; skeleton.len()];
    for joint in skeleton.ids() {
        let parent = skeleton.parent(joint);
        in_hand[joint.index()] = joint == hand || parent.is_some_and(|parent| in_hand[parent.index()]);
        if !in_hand[joint.index()] || draft.has(joint) {
            continue;
        }
        let above = parent.and_then(|parent| on_finger[parent.index()]);
        let word = &words[joint.index()];
        let own = match word.part_on(side) {
            Some(Part::Finger(digit)) => Some(digit),
            Some(Part::NumberedFinger) => above.map(|(digit, _)| digit).or_else(|| {
                let number = *word.numbers.first()? as usize;
                digits.get(number.checked_sub(usize::from(!starts_at_zero))?).copied()
            }),
            _ => None,
        };
        let Some(digit) = own else {
            on_finger[joint.index()] = above;
            continue;
        };
        let segment = above.filter(|&(above, _)| above == digit).map_or(1, |(_, segment)| segment.saturating_add(1));
        on_finger[joint.index()] = Some((digit, segment));
        let role = Role::Finger(side, digit, segment);
        draft.give(joint, role, CLEAR, reason(word, &role));
    }
}

/// What is left: joints marked as helpers, and named joints beside the chain that already has their role.
fn helpers(words: &[Word], draft: &mut Draft) {
    for (index, word) in words.iter().enumerate() {
        let joint = JointId::new(index);
        if draft.has(joint) {
            continue;
        }
        if let Some(mark) = word.marked_helper {
            draft.give(joint, Role::Helper, CLEAR, mark);
            continue;
        }
        let side_known = word.side.is_some();
        let off_limb =
            word.part.is_some_and(|part| side_known && (part.is_leg() || part.is_arm() || part == Part::Palm));
        let off_trunk = matches!(word.midline_part(), Some(Part::Spine | Part::Neck | Part::Head | Part::Pelvis));
        let body_known = draft.joint(Role::Hips).is_some();
        if body_known && (off_limb || off_trunk) {
            draft.give(joint, Role::Helper, 0.8, format!("{:?} beside the chain that has its role", word.text));
        }
    }
}

fn reason(word: &Word, role: &Role) -> String {
    format!("name {:?} is {role} here", word.text)
}

fn spare_reason(word: &Word) -> String {
    match word.text.is_empty() {
        true => "spare joint of the limb".to_owned(),
        false => format!("spare joint of the limb ({:?})", word.text),
    }
}
