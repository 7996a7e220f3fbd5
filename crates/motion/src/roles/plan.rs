//! The body plan: biped, quadruped, one body; and whether names and geometry agree about left and right.

use super::families::Part;
use super::geometry::Poses;
use super::names::Word;
use super::role::{Role, Side};
use super::sides::{self, LegJoints};
use super::{BodyPlan, Draft, Roles};
use crate::ids::JointId;
use crate::skeleton::Skeleton;

/// A skeleton of one joint is one rigid body.
pub(super) fn single(words: &[Word], draft: &mut Draft) {
    let is_ball = words.first().is_some_and(|word| word.text.ends_with("ball") || word.text == "sphere");
    let (role, reason) = match is_ball {
        true => (Role::Ball, "one joint called ball"),
        false => (Role::Prop, "one joint"),
    };
    draft.give(JointId::new(0), role, 0.9, reason);
}

/// Decides how the body stands from what was found.
pub(super) fn body_plan(skeleton: &Skeleton, words: &[Word], poses: &Poses, draft: &Draft) -> BodyPlan {
    if matches!(draft.role(JointId::new(0)), Some(Role::Ball | Role::Prop)) {
        return BodyPlan::Single;
    }
    if !has_limbs_enough(|role| draft.joint(role).is_some()) {
        return BodyPlan::Unknown;
    }
    let has_arms = Side::BOTH
        .iter()
        .any(|&side| [Role::UpperArm(side), Role::Forearm(side)].into_iter().all(|role| draft.joint(role).is_some()));
    match has_arms && quadruped_evidence(skeleton, words, poses, draft) >= 2.0 {
        true => BodyPlan::Quadruped,
        false => BodyPlan::Biped,
    }
}

/// Hips and two legs; or, since people and captures miss parts, as much of legs and arms in another way: two limbs, of
/// which at least one is an arm, and something to carry above them.
fn has_limbs_enough(is_there: impl Fn(Role) -> bool) -> bool {
    let sides_with = |upper: fn(Side) -> Role, lower: fn(Side) -> Role| {
        Side::BOTH.into_iter().filter(|&side| is_there(upper(side)) && is_there(lower(side))).count()
    };
    let legs = sides_with(Role::Thigh, Role::Shank);
    let arms = sides_with(Role::UpperArm, Role::Forearm);
    let has_top = [Role::Head, Role::Neck(0), Role::Spine(0)].into_iter().any(&is_there);
    is_there(Role::Hips) && (legs == 2 || (legs + arms >= 2 && has_top))
}

/// Points for four legs. Proportions count most because they hold in every pose: a person who crawls or lies stays a
/// biped, a dog that sits up stays a quadruped.
fn quadruped_evidence(skeleton: &Skeleton, words: &[Word], poses: &Poses, draft: &Draft) -> f64 {
    let front_words = words.iter().any(|word| {
        matches!(word.part, Some(Part::FrontUpper | Part::FrontLower | Part::FrontEnd)) || word.text.contains("scapula")
    });
    let has_tail = draft.joint(Role::Tail(0)).is_some();
    let mut points = 0.0;
    points += if front_words { 2.0 } else { 0.0 };
    points += if has_tail { 0.75 } else { 0.0 };
    if let Some(ratio) = leg_to_trunk(skeleton, poses, draft) {
        // Thigh + shank over hips to neck: people 1.4 to 3.2 (CMU's trunk lacks a bone), dog 0.8, horse 0.7.
        points += if ratio < 1.1 { 1.25 } else { -1.0 };
    }
    if poses.from_motion
        && let Some(share) = horizontal_share(poses, draft)
    {
        points += if share > 0.6 { 1.0 } else { 0.0 };
    }
    points
}

fn leg_to_trunk(skeleton: &Skeleton, poses: &Poses, draft: &Draft) -> Option<f64> {
    let hips = draft.joint(Role::Hips)?;
    let legs = Side::BOTH.into_iter().filter_map(|side| {
        let joints = [Role::Thigh(side), Role::Shank(side), Role::Foot(side)].map(|role| draft.joint(role));
        let [Some(thigh), Some(shank), Some(foot)] = joints else { return None };
        Some(poses.path_m(skeleton, thigh, shank) + poses.path_m(skeleton, shank, foot))
    });
    let legs: Vec<f64> = legs.collect();
    let leg_m = legs.iter().sum::<f64>() / legs.len().max(1) as f64;
    let neck = draft.joint(Role::Neck(0)).or_else(|| draft.joint(Role::Head))?;
    let trunk_m = poses.path_m(skeleton, hips, neck);
    (trunk_m > 0.0 && leg_m > 0.0).then(|| leg_m / trunk_m)
}

fn horizontal_share(poses: &Poses, draft: &Draft) -> Option<f64> {
    let hips = draft.joint(Role::Hips)?;
    let neck = draft.joint(Role::Neck(0)).or_else(|| draft.joint(Role::Head))?;
    let ends = |make: fn(Side) -> Role| Some([draft.joint(make(Side::Left))?, draft.joint(make(Side::Right))?]);
    Some(poses.level_share(hips, neck, ends(Role::Hand)?, ends(Role::Foot)?))
}

/// The plan after the user has changed roles: limbs given by hand make a biped of an unknown body.
pub(super) fn after_overrides(roles: &Roles) -> BodyPlan {
    let has_limbs = has_limbs_enough(|role| roles.joint(role).is_some());
    let single = [Role::Ball, Role::Prop].iter().any(|&role| roles.joint(role).is_some());
    match (roles.plan(), has_limbs) {
        (BodyPlan::Quadruped, true) => BodyPlan::Quadruped,
        (_, true) => BodyPlan::Biped,
        (_, false) if single => BodyPlan::Single,
        (_, false) => BodyPlan::Unknown,
    }
}

/// Warns when names and geometry disagree about left and right in nearly every pose.
pub(super) fn check_sides(poses: &Poses, draft: &mut Draft) {
    let leg = |side: Side| {
        Some(LegJoints {
            thigh: draft.joint(Role::Thigh(side))?,
            shank: draft.joint(Role::Shank(side))?,
            foot: draft.joint(Role::Foot(side))?,
            toe: draft.joint(Role::Toe(side)),
        })
    };
    let Some(legs) = leg(Side::Left).zip(leg(Side::Right)) else { return };
    if sides::first_is_left([legs.0, legs.1], poses) < -0.8 {
        draft.warnings.push("names and geometry disagree about left and right; names were believed".to_owned());
    }
}
