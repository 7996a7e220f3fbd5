//! Which joints swap when left and right are exchanged.

use super::Roles;
use super::role::Side;
use crate::ids::JointId;
use std::collections::HashMap;

/// One partner a joint, itself on the midline.
pub(super) fn partners(roles: &Roles) -> Vec<Option<JointId>> {
    let by_name = names_by_side(roles);
    let children = plain_children(roles);
    let mut partners: Vec<Option<JointId>> = Vec::with_capacity(roles.parents.len());
    // Parents come first, so a joint can follow its parent to the other side.
    for index in 0..roles.parents.len() {
        let joint = JointId::new(index);
        let by_role = roles.role(joint).filter(|role| role.is_unique()).map(|role| roles.joint(role.mirrored()));
        let partner = match by_role {
            Some(partner) => partner,
            None => by_its_name(roles, &by_name, joint).or_else(|| below_parent(roles, &children, &partners, joint)),
        };
        partners.push(partner);
    }
    partners
}

/// Joints by name without side, and side; `None` where several share both.
type BySide<'a> = HashMap<(&'a str, Side), Option<JointId>>;

fn names_by_side(roles: &Roles) -> BySide<'_> {
    let mut by_name: BySide = HashMap::new();
    for (index, (key, side)) in roles.mirror_keys.iter().enumerate() {
        if let Some(side) = side {
            by_name.entry((key, *side)).and_modify(|slot| *slot = None).or_insert(Some(JointId::new(index)));
        }
    }
    by_name
}

fn by_its_name(roles: &Roles, by_name: &BySide, joint: JointId) -> Option<JointId> {
    let (key, side) = roles.mirror_keys.get(joint.index())?;
    let side = (*side)?;
    // A name that is not unique on its own side tells nothing about the other.
    (*by_name.get(&(key.as_str(), side))?)?;
    *by_name.get(&(key.as_str(), side.other()))?
}

/// The same place among the role-less children of the parent's partner.
fn below_parent(
    roles: &Roles,
    children: &[Vec<JointId>],
    partners: &[Option<JointId>],
    joint: JointId,
) -> Option<JointId> {
    let Some(parent) = roles.parents[joint.index()] else { return Some(joint) };
    let other = (*partners.get(parent.index())?)?;
    if other == parent {
        // Below the midline without a side of its own: on the midline.
        return Some(joint);
    }
    let (own, across) = (children.get(parent.index())?, children.get(other.index())?);
    let place = own.iter().position(|&sibling| sibling == joint)?;
    if own.len() == across.len() { across.get(place).copied() } else { None }
}

/// Children without a unique role, in order.
fn plain_children(roles: &Roles) -> Vec<Vec<JointId>> {
    let mut children = vec![Vec::new(); roles.parents.len()];
    for (index, parent) in roles.parents.iter().enumerate() {
        let joint = JointId::new(index);
        if let Some(parent) = parent
            && roles.role(joint).is_none_or(|role| !role.is_unique())
        {
            children[parent.index()].push(joint);
        }
    }
    children
}
