//! Links whose masses change together: both sides of a pair, and small parts with the segment they belong to.

use aplomb_motion::{JointId, Role, Roles, Skeleton};
use aplomb_physics::Body;

/// Farther than this from the table a segment is called implausible. A chosen limit, not a published one: fits that
/// were plainly no bodies had factors of 2 and 0.3 (pelvis and thighs against chest and arms).
const PLAUSIBLE_FACTOR: f64 = 1.5;

/// Segments that share one factor.
#[derive(Clone, Debug, PartialEq)]
pub struct MassGroup {
    /// What it is called: a role without its side, or a joint's name.
    pub name: String,
    /// Whose links they are.
    pub joints: Vec<JointId>,
    /// Mass by the table, all members together, kg.
    pub before_kg: f64,
    /// Mass after the fit, kg.
    pub after_kg: f64,
}

impl MassGroup {
    /// New mass over old.
    pub fn factor(&self) -> f64 {
        self.after_kg / self.before_kg
    }

    /// Whether a grown person may have it.
    pub fn is_plausible(&self) -> bool {
        (1.0 / PLAUSIBLE_FACTOR..=PLAUSIBLE_FACTOR).contains(&self.factor())
    }

    /// For people, if something is wrong.
    pub fn warning(&self) -> Option<String> {
        (!self.is_plausible()).then(|| {
            format!(
                "{} came out at {:.2} times the table's mass, which is hardly a person's: give more clips, or a larger weight",
                self.name,
                self.factor()
            )
        })
    }
}

/// Every link in one group, by the order of links.
pub(super) fn groups(body: &Body, roles: &Roles) -> Vec<MassGroup> {
    let skeleton = body.skeleton();
    let mut groups: Vec<MassGroup> = Vec::new();
    for link in body.links() {
        let name = name_of(link.joint, skeleton, roles);
        let kg = link.inertia.mass_kg;
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => {
                group.joints.push(link.joint);
                group.before_kg += kg;
                group.after_kg += kg;
            }
            None => groups.push(MassGroup { name, joints: vec![link.joint], before_kg: kg, after_kg: kg }),
        }
    }
    groups
}

fn name_of(joint: JointId, skeleton: &Skeleton, roles: &Roles) -> String {
    // The mass of a helper belongs to the nearest joint above that has a role of its own.
    let own = |joint: &JointId| roles.role(*joint).is_some_and(|role| role != Role::Helper);
    let named = skeleton.ancestors(joint).find(own);
    match named.and_then(|named| roles.role(named)) {
        Some(Role::Head | Role::Neck(_) | Role::Jaw | Role::Eye(_) | Role::Ear(_)) => "head and neck".to_owned(),
        Some(Role::Spine(number)) => format!("spine {number}"),
        Some(Role::Clavicle(_)) => "shoulders".to_owned(),
        Some(Role::UpperArm(_)) => "upper arms".to_owned(),
        Some(Role::Forearm(_)) => "forearms".to_owned(),
        Some(Role::Hand(_) | Role::Finger(..)) => "hands".to_owned(),
        Some(Role::Thigh(_)) => "thighs".to_owned(),
        Some(Role::Shank(_)) => "shanks".to_owned(),
        Some(Role::Foot(_) | Role::Toe(_)) => "feet".to_owned(),
        Some(Role::Tail(_)) => "tail".to_owned(),
        Some(role) => role.to_string(),
        // A joint without a known role still has a partner on the other side.
        None => {
            let partner = roles.mirror_partner(joint).map_or(joint, |partner| partner.min(joint));
            skeleton.joint(partner).name.clone()
        }
    }
}
