//! Links by what they are of a person.

use aplomb_motion::Role;
use aplomb_physics::dynamics::{BodyModel, LinkId};

/// Which link is what.
#[derive(Clone, Debug, Default)]
pub struct LinkRoles {
    pub of_link: Vec<Option<Role>>,
}

impl LinkRoles {
    /// The link of a role.
    pub fn link(&self, role: Role, tree: &BodyModel) -> Option<LinkId> {
        let index = self.of_link.iter().position(|own| *own == Some(role))?;
        tree.model.links().nth(index)
    }

    /// The link of the chest: the last of the spine.
    pub fn trunk(&self, tree: &BodyModel) -> Option<LinkId> {
        let index = self.of_link.iter().rposition(|own| matches!(own, Some(Role::Spine(_) | Role::Neck(_))))?;
        tree.model.links().nth(index)
    }

    /// The link of the head, with the neck.
    pub fn head(&self, tree: &BodyModel) -> Option<LinkId> {
        let index = self.of_link.iter().rposition(|own| matches!(own, Some(Role::Head | Role::Neck(_))))?;
        tree.model.links().nth(index)
    }

    pub fn role(&self, link: LinkId) -> Option<Role> {
        self.of_link.get(link.index()).copied().flatten()
    }

    /// Links of an arm or a leg, from one of its links up to where it leaves the trunk: those whose joints carry what
    /// the link carries.
    pub fn limb_above(&self, tree: &BodyModel, link: LinkId) -> Vec<LinkId> {
        let is_limb = |link: &LinkId| {
            !matches!(self.role(*link), None | Some(Role::Hips | Role::Spine(_) | Role::Neck(_) | Role::Head))
        };
        std::iter::successors(Some(link), |link| tree.model.parent(*link)).take_while(is_limb).collect()
    }
}
