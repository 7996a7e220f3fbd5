//! SMPL bodies whose joints have no names: recognised by their tree alone (AMASS order, formats.md 7).

use super::Draft;
use super::role::{Digit, Role, Side};
use crate::ids::JointId;
use crate::skeleton::Skeleton;

/// Parents of the 22 body joints that SMPL, SMPL-H and SMPL-X share.
const BODY: [usize; 21] = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19];

/// Assigns an unnamed SMPL (22 or 24 joints), SMPL-H (52) or SMPL-X (55) skeleton; false if the tree is another.
pub(super) fn fill(skeleton: &Skeleton, draft: &mut Draft) -> bool {
    use Role::*;
    use Side::{Left, Right};
    let Some(parents) = expected_parents(skeleton.len()) else { return false };
    let same =
        skeleton.joints().iter().zip(&parents).all(|(joint, &parent)| joint.parent.map(JointId::index) == parent);
    if !same {
        return false;
    }
    #[rustfmt::skip]
    let body = [
        Hips, Thigh(Left), Thigh(Right), Spine(0), Shank(Left), Shank(Right), Spine(1), Foot(Left), Foot(Right), Spine(2),
        Toe(Left), Toe(Right), Neck(0), Clavicle(Left), Clavicle(Right), Head, UpperArm(Left), UpperArm(Right),
        Forearm(Left), Forearm(Right), Hand(Left), Hand(Right),
    ];
    let reason = "tree of an SMPL body";
    for (index, role) in body.into_iter().enumerate() {
        draft.give(JointId::new(index), role, 0.9, reason);
    }
    let mut next = body.len();
    match skeleton.len() {
        24 => {
            for side in Side::BOTH {
                draft.give(JointId::new(next), Finger(side, Digit::Fingers, 1), 0.9, reason);
                next += 1;
            }
        }
        52 | 55 => {
            if skeleton.len() == 55 {
                for role in [Jaw, Eye(Left), Eye(Right)] {
                    draft.give(JointId::new(next), role, 0.9, reason);
                    next += 1;
                }
            }
            for side in Side::BOTH {
                for digit in [Digit::Index, Digit::Middle, Digit::Pinky, Digit::Ring, Digit::Thumb] {
                    for segment in 1..=3 {
                        draft.give(JointId::new(next), Finger(side, digit, segment), 0.9, reason);
                        next += 1;
                    }
                }
            }
        }
        _ => {}
    }
    draft.family = Some(("SMPL", 0.9));
    true
}

fn expected_parents(joints: usize) -> Option<Vec<Option<usize>>> {
    let mut parents: Vec<Option<usize>> = std::iter::once(None).chain(BODY.into_iter().map(Some)).collect();
    let (left_hand, right_hand, head) = (20, 21, 15);
    match joints {
        22 => {}
        24 => parents.extend([Some(left_hand), Some(right_hand)]),
        52 | 55 => {
            if joints == 55 {
                parents.extend([Some(head); 3]);
            }
            for hand in [left_hand, right_hand] {
                for _finger in 0..5 {
                    let first = parents.len();
                    parents.extend([Some(hand), Some(first), Some(first + 1)]);
                }
            }
        }
        _ => return None,
    }
    Some(parents)
}
