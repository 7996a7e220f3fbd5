//! Bodies without a table: capsules of water along the bones. A guess, and said to be one.

use super::reference::Point;
use super::solid::Solid;
use super::{BodyOptions, Draft, Part, Shape};
use aplomb_motion::{JointId, Role, Side};
use glam::{DQuat, DVec3};

/// The built-in bouncing ball's.
const USUAL_BALL_RADIUS_M: f64 = 0.12;

/// One joint: a solid ball of water, or of the given mass.
pub(super) fn ball(draft: &mut Draft<'_>, options: &BodyOptions) {
    let joint = JointId::new(0);
    let site_m = draft.skeleton.joint(joint).end_sites.iter().map(|site| site.offset_m.length()).fold(0.0, f64::max);
    let radius_m = options.ball_radius_m.unwrap_or(if site_m > 1e-3 { site_m } else { USUAL_BALL_RADIUS_M });
    let mut solid = Solid::capsule(DVec3::ZERO, DVec3::ZERO, radius_m);
    solid.mass_kg = options.total_mass_kg.unwrap_or(solid.mass_kg);
    let shape = Shape::Ellipsoid { centre_m: DVec3::ZERO, rotation: DQuat::IDENTITY, half_m: DVec3::splat(radius_m) };
    draft.parts.push(Part { joint, solid, shape });
    draft.warnings.push(format!("one joint: taken for a solid ball of radius {radius_m:.3} m"));
}

/// Any other skeleton that is no biped.
pub(super) fn creature(draft: &mut Draft<'_>, total_mass_kg: Option<f64>) {
    let roles = draft.roles;
    let trunk_m = trunk_length_m(draft);
    for joint in draft.skeleton.ids() {
        let carrier = carrier(draft, joint);
        let role = roles.role(carrier);
        for end in bone_ends(draft, joint, role) {
            let start_m = draft.reference.point_in_m(carrier, Point::of(joint));
            let end_m = draft.reference.point_in_m(carrier, end);
            let length_m = start_m.distance(end_m);
            // Shorter bones are joints on top of each other.
            if length_m < 1e-3 {
                continue;
            }
            let radius_m = match role {
                Some(Role::Hips | Role::Spine(_)) => TRUNK_RADIUS * trunk_m.max(length_m),
                _ => limb_radius(role) * length_m,
            };
            // The caps lie inside the bone's length where there is room, so that volumes of neighbours do not add up
            // twice.
            let inset = (end_m - start_m) * (radius_m / length_m).min(0.49);
            let (start_m, end_m) = (start_m + inset, end_m - inset);
            let solid = Solid::capsule(start_m, end_m, radius_m);
            draft.parts.push(Part { joint: carrier, solid, shape: Shape::Capsule { start_m, end_m, radius_m } });
        }
    }
    rump(draft, trunk_m);
    let water_kg: f64 = draft.parts.iter().map(|part| part.solid.mass_kg).sum();
    if let Some(total_mass_kg) = total_mass_kg.filter(|_| water_kg > 0.0) {
        draft.parts.iter_mut().for_each(|part| part.solid.mass_kg *= total_mass_kg / water_kg);
    }
    // From a mouse to an elephant.
    if total_mass_kg.is_none() && !(0.01..1e4).contains(&water_kg) {
        draft.warnings.push(format!("water in this skeleton weighs {water_kg:.3} kg: check the unit of lengths"));
    }
    draft
        .warnings
        .push("masses are a guess: water in capsules along the bones; give a total mass or a body file".to_owned());
}

/// Hips whose spine starts on top of them still carry a rump: from their joint to the middle of the thighs.
fn rump(draft: &mut Draft<'_>, trunk_m: f64) {
    let thighs = Side::BOTH.map(|side| draft.roles.joint(Role::Thigh(side)));
    let (Some(joint), [Some(left), Some(right)]) = (draft.roles.joint(Role::Hips), thighs) else { return };
    if draft.parts.iter().any(|part| part.joint == joint) {
        return;
    }
    let place_m = |thigh| draft.reference.point_in_m(joint, Point::of(thigh));
    let (start_m, end_m) = (DVec3::ZERO, 0.5 * (place_m(left) + place_m(right)));
    let radius_m = (TRUNK_RADIUS * trunk_m).min(0.5 * place_m(left).distance(place_m(right)).max(end_m.length()));
    if radius_m > 1e-3 {
        let solid = Solid::capsule(start_m, end_m, radius_m);
        draft.parts.push(Part { joint, solid, shape: Shape::Capsule { start_m, end_m, radius_m } });
    }
}

/// Radius of the trunk over hips to neck: a dog's chest is about 0.2 m deep at 0.42 m of trunk.
const TRUNK_RADIUS: f64 = 0.22;

/// Radius over length: by eye on dogs and horses.
fn limb_radius(role: Option<Role>) -> f64 {
    match role {
        Some(Role::Neck(_) | Role::Head | Role::Clavicle(_)) => 0.3,
        Some(Role::UpperArm(_) | Role::Thigh(_)) => 0.2,
        Some(Role::Forearm(_) | Role::Shank(_)) => 0.13,
        Some(Role::Hand(_) | Role::Foot(_) | Role::Toe(_) | Role::Finger(..)) => 0.12,
        Some(Role::Tail(_)) => 0.08,
        _ => 0.15,
    }
}

/// The joint whose link takes the bones of `joint`: itself, or for helpers the nearest one above that has a role.
fn carrier(draft: &Draft<'_>, joint: JointId) -> JointId {
    let is_part = |joint: &JointId| !matches!(draft.roles.role(*joint), Some(Role::Helper));
    draft.skeleton.ancestors(joint).find(is_part).unwrap_or(joint)
}

/// Where the bones of a joint end. A scene root has none; the trunk's bones to its limbs and tail lie inside the trunk.
fn bone_ends(draft: &Draft<'_>, joint: JointId, role: Option<Role>) -> Vec<Point> {
    if role == Some(Role::SceneRoot) {
        return Vec::new();
    }
    let is_trunk = matches!(role, Some(Role::Hips | Role::Spine(_)));
    let is_inside = |child: &JointId| {
        is_trunk && !matches!(draft.roles.role(*child), Some(Role::Spine(_) | Role::Neck(_) | Role::Head))
    };
    let children = draft.skeleton.children(joint).iter().copied().filter(|child| !is_inside(child)).map(Point::of);
    let sites = draft.skeleton.joint(joint).end_sites.iter();
    children.chain(sites.map(|site| Point { joint, in_joint_m: site.offset_m })).collect()
}

/// Hips to neck along the bones.
fn trunk_length_m(draft: &Draft<'_>) -> f64 {
    let Some(hips) = draft.roles.joint(Role::Hips) else { return 0.0 };
    let top = draft.roles.joint(Role::Neck(0)).or_else(|| draft.roles.joint(Role::Head));
    let Some(chain) = top.and_then(|top| draft.roles.chain(hips, top)) else { return 0.0 };
    chain.windows(2).map(|pair| draft.reference.point_in_m(pair[0], Point::of(pair[1])).length()).sum()
}
