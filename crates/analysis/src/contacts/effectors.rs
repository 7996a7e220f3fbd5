//! The points of a body that may touch something (contacts.md 1).

use super::options::ContactOptions;
use crate::error::AnalysisError;
use aplomb_motion::{BodyPlan, JointId, Role, Roles, Side, Skeleton};
use aplomb_physics::{Body, Shape};
use glam::DVec3;
use serde::Serialize;
use std::collections::HashSet;

/// End sites nearer than this to their joint say nothing about where toes end.
const LEAST_TOE_M: f64 = 0.01;

/// What part of the body a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Back end of a foot.
    Heel,
    /// Where the toes bend.
    Ball,
    /// Front end of a foot.
    Toe,
    /// Palm.
    Hand,
    /// Foot of a front leg.
    FrontPaw,
    /// Foot of a hind leg.
    HindPaw,
    /// Named by the user.
    Named,
}

/// Which effectors tell how deep a body is in the floor: the balls of feet (the heel, where a foot has none) and paws.
///
/// Heels and toe tips are corners of a rigid sole. Real heels are round and real toes bend, so at heel strike and
/// push-off those corners dip 3–5 cm under the floor in every good capture; the ball joint keeps its height.
pub(crate) fn tells_depth(effectors: &[Effector]) -> Vec<bool> {
    let has_ball = |side: Option<Side>| effectors.iter().any(|other| other.part == Part::Ball && other.side == side);
    let tells = |effector: &Effector| match effector.part {
        Part::Ball | Part::FrontPaw | Part::HindPaw => true,
        Part::Heel => !has_ball(effector.side),
        Part::Toe | Part::Hand | Part::Named => false,
    };
    effectors.iter().map(tells).collect()
}

impl Part {
    /// Parts whose job is to stand: they know the floor, and may rest on raised supports.
    pub fn stands(self) -> bool {
        !matches!(self, Part::Hand | Part::Named)
    }
}

/// A point that may touch something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effector {
    /// `left_heel`, `right_hand`, `left_front_paw`, or the user's name.
    pub name: String,
    /// What it is.
    pub part: Part,
    /// On which side; named points have none.
    #[serde(skip)]
    pub side: Option<Side>,
    /// The joint it moves with.
    pub joint: JointId,
    /// In that joint's frame, m.
    pub point_in_joint_m: DVec3,
    /// Whether it may rest above the floor.
    pub may_be_raised: bool,
}

/// All points of a body: feet and hands of people, paws of four-legged animals, and those the user named.
pub fn effectors(
    skeleton: &Skeleton,
    roles: &Roles,
    body: &Body,
    options: &ContactOptions,
) -> Result<Vec<Effector>, AnalysisError> {
    let mut found = match roles.plan() {
        BodyPlan::Quadruped => paws(skeleton, roles),
        _ => Side::BOTH.into_iter().flat_map(|side| foot(skeleton, roles, body, options, side)).collect(),
    };
    if roles.plan() != BodyPlan::Quadruped && !found.is_empty() {
        found.extend(Side::BOTH.into_iter().filter_map(|side| hand(roles, body, side)));
    }
    for point in &options.named_points {
        if point.joint.index() >= skeleton.len() || !point.point_in_joint_m.is_finite() {
            let (joint, joints) = (point.joint.index(), skeleton.len());
            return Err(AnalysisError::PointJoint { name: point.name.clone(), joint, joints });
        }
        found.push(Effector {
            name: point.name.clone(),
            part: Part::Named,
            side: None,
            joint: point.joint,
            point_in_joint_m: point.point_in_joint_m,
            may_be_raised: point.may_be_raised,
        });
    }
    let mut names = HashSet::new();
    match found.iter().find(|effector| effector.name.is_empty() || !names.insert(effector.name.as_str())) {
        Some(effector) => Err(AnalysisError::PointName { name: effector.name.clone() }),
        None => Ok(found),
    }
}

fn effector(name: &str, part: Part, side: Side, joint: JointId, point_in_joint_m: DVec3) -> Effector {
    let name = format!("{side}_{name}");
    Effector { name, part, side: Some(side), joint, point_in_joint_m, may_be_raised: part.stands() }
}

/// Heel, ball and toe tip. The heel is the back of the body's sole; without a foot of its own the ankle stands for it.
fn foot(skeleton: &Skeleton, roles: &Roles, body: &Body, options: &ContactOptions, side: Side) -> Vec<Effector> {
    let Some(foot) = roles.joint(Role::Foot(side)) else { return Vec::new() };
    let sole = sole(body, foot);
    let heel_m = sole.map_or(DVec3::ZERO, |sole| sole.heel_m);
    let mut points = vec![effector("heel", Part::Heel, side, foot, heel_m)];
    if let Some(toe) = roles.joint(Role::Toe(side)) {
        points.push(effector("ball", Part::Ball, side, toe, DVec3::ZERO));
        let farthest = |a: &DVec3, b: &DVec3| a.length().total_cmp(&b.length());
        let end_m = skeleton.joint(toe).end_sites.iter().map(|end| end.offset_m).max_by(farthest);
        let ahead_m = || sole_ahead(body, toe).map(|ahead| ahead * options.toe_past_ball_m);
        if let Some(tip_m) = end_m.filter(|end_m| end_m.length() > LEAST_TOE_M).or_else(ahead_m) {
            points.push(effector("toe", Part::Toe, side, toe, tip_m));
        }
    } else if let Some(sole) = sole {
        // A foot in one piece: the box of the body ends at the toes, and the ball is as far behind as toes are long.
        points.push(effector("ball", Part::Ball, side, foot, sole.tip_m - sole.ahead * options.toe_past_ball_m));
        points.push(effector("toe", Part::Toe, side, foot, sole.tip_m));
    }
    points
}

/// The underside of a foot's box: middle of its back and front edge, and forward.
#[derive(Clone, Copy)]
struct Sole {
    heel_m: DVec3,
    tip_m: DVec3,
    ahead: DVec3,
}

/// The body lays a foot's box with x down, y left and z forward (`physics::body`).
fn sole(body: &Body, joint: JointId) -> Option<Sole> {
    body.link(joint)?.shapes.iter().find_map(|shape| match *shape {
        Shape::Box { centre_m, rotation, half_m } => Some(Sole {
            heel_m: centre_m + rotation * DVec3::new(half_m.x, 0.0, -half_m.z),
            tip_m: centre_m + rotation * DVec3::new(half_m.x, 0.0, half_m.z),
            ahead: rotation * DVec3::Z,
        }),
        _ => None,
    })
}

fn sole_ahead(body: &Body, toe: JointId) -> Option<DVec3> {
    sole(body, toe).map(|sole| sole.ahead)
}

/// The palm: middle of the hand's capsule, or the wrist.
fn hand(roles: &Roles, body: &Body, side: Side) -> Option<Effector> {
    let hand = roles.joint(Role::Hand(side))?;
    let palm_m = body.link(hand).and_then(|link| match link.shapes.first() {
        Some(Shape::Capsule { start_m, end_m, .. }) => Some(start_m.midpoint(*end_m)),
        _ => None,
    });
    Some(effector("hand", Part::Hand, side, hand, palm_m.unwrap_or(DVec3::ZERO)))
}

fn paws(skeleton: &Skeleton, roles: &Roles) -> Vec<Effector> {
    let below = |joint: JointId, role: Role| roles.joint(role).is_some_and(|top| skeleton.is_in_subtree(joint, top));
    let name_of = |joint: JointId| {
        Side::BOTH.into_iter().find_map(|side| {
            if below(joint, Role::Hand(side)) || below(joint, Role::UpperArm(side)) {
                Some(("front_paw", Part::FrontPaw, side))
            } else if below(joint, Role::Foot(side)) || below(joint, Role::Thigh(side)) {
                Some(("hind_paw", Part::HindPaw, side))
            } else {
                None
            }
        })
    };
    let point_of = |joint: JointId| skeleton.joint(joint).end_sites.first().map_or(DVec3::ZERO, |end| end.offset_m);
    let named = roles.ground_feet().into_iter().filter_map(|joint| Some((joint, name_of(joint)?)));
    named.map(|(joint, (name, part, side))| effector(name, part, side, joint, point_of(joint))).collect()
}
