//! From joint roles to parts of the figure.

use crate::body::{Heading, Label, Labels, Part, Side};
use aplomb_motion::{BodyPlan, Clip, JointId, Role, Roles, Skeleton};

/// What the roles of a clip's joints say about its figure; `None` for bodies that are not recognised.
pub(crate) fn labels(clip: &Clip, roles: &Roles) -> Option<Labels> {
    let plan = roles.plan();
    if !matches!(plan, BodyPlan::Biped | BodyPlan::Quadruped) {
        return None;
    }
    let skeleton = clip.skeleton();
    let mut of_joint: Vec<Label> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.ids() {
        let above = skeleton.parent(joint).and_then(|parent| of_joint.get(parent.index()).copied());
        of_joint.push(label(skeleton, roles, joint, above));
    }
    let pair = |role: fn(aplomb_motion::Side) -> Role| {
        roles.joint(role(aplomb_motion::Side::Left)).zip(roles.joint(role(aplomb_motion::Side::Right)))
    };
    Some(Labels {
        of_joint,
        biped: plan == BodyPlan::Biped,
        centre: roles.joint(Role::Hips),
        heading: match plan {
            BodyPlan::Quadruped => along(roles),
            _ => {
                pair(Role::Thigh).or_else(|| pair(Role::UpperArm)).map(|(left, right)| Heading::Across { left, right })
            }
        },
    })
}

/// From the hips to where the neck begins, or to the last joint of the back.
fn along(roles: &Roles) -> Option<Heading> {
    let hind = roles.joint(Role::Hips)?;
    let fore = roles.joint(Role::Neck(0)).or_else(|| roles.spine_chain().last().copied())?;
    (fore != hind).then_some(Heading::Along { hind, fore })
}

fn label(skeleton: &Skeleton, roles: &Roles, joint: JointId, above: Option<Label>) -> Label {
    let biped = roles.plan() == BodyPlan::Biped;
    let Some(role) = roles.role(joint) else { return unnamed(skeleton, roles, joint, above) };
    let side = match role.side() {
        Some(aplomb_motion::Side::Left) => Side::Left,
        Some(aplomb_motion::Side::Right) => Side::Right,
        None => Side::Middle,
    };
    let part = match role {
        Role::SceneRoot => Part::SceneRoot,
        Role::Hips | Role::Spine(_) => Part::Trunk,
        Role::Neck(_) => Part::Neck,
        Role::Head => Part::Head,
        Role::Clavicle(_) => Part::Clavicle,
        Role::UpperArm(_) => Part::UpperArm,
        Role::Forearm(_) => Part::Forearm,
        Role::Thigh(_) => Part::Thigh,
        Role::Shank(_) => Part::Shank,
        Role::Foot(_) => Part::Foot,
        Role::Toe(_) => Part::Toe,
        // The front legs of a quadruped hold the roles of arms, and stand on the ground.
        Role::Hand(_) if biped => Part::Hand,
        Role::Hand(_) => Part::Foot,
        Role::Finger(..) if !biped => Part::Toe,
        Role::Finger(..) | Role::Jaw | Role::Tail(_) | Role::Eye(_) | Role::Ear(_) => Part::Small,
        Role::Ball | Role::Prop | Role::Helper => return unnamed(skeleton, roles, joint, above),
    };
    // A collar bone lies in the trunk of a person; the shoulder blade of an animal is the first part of its leg.
    let side = if part == Part::Clavicle && biped { Side::Middle } else { side };
    Label { part, side }
}

/// A joint without a segment of its own continues the one above it if a named joint follows, and is an ornament
/// otherwise.
fn unnamed(skeleton: &Skeleton, roles: &Roles, joint: JointId, above: Option<Label>) -> Label {
    let Some(above) = above else { return Label { part: Part::SceneRoot, side: Side::Middle } };
    let is_named = |id: JointId| !matches!(roles.role(id), None | Some(Role::Helper | Role::Prop));
    let leads_on = skeleton.ids().skip(joint.index()).any(|id| is_named(id) && skeleton.is_in_subtree(id, joint));
    if leads_on || above.part == Part::Head { above } else { Label { part: Part::Small, side: above.side } }
}
