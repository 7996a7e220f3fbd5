//! Errors that say which part of a body is missing, what was found instead, and what to do.

use crate::EditingError;
use aplomb_motion::{LimbKind, Role, Roles, Side, Skeleton};

/// In messages.
pub(crate) fn limb_name(kind: LimbKind) -> &'static str {
    match kind {
        LimbKind::Arm => "arm",
        LimbKind::Leg => "leg",
    }
}

/// Names that a message lists; what is more is counted.
const MOST_NAMES: usize = 24;

impl EditingError {
    /// A limb that the roles do not hold as a whole.
    pub(crate) fn no_limb(roles: &Roles, side: Side, kind: LimbKind) -> Self {
        let parts = match kind {
            LimbKind::Arm => [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)],
            LimbKind::Leg => [Role::Thigh(side), Role::Shank(side), Role::Foot(side)],
        };
        let listed = |is_there: bool| {
            let parts = parts.iter().filter(|role| roles.joint(**role).is_some() == is_there);
            parts.map(Role::to_string).collect::<Vec<_>>().join(" and ")
        };
        let problem = match (listed(false), listed(true)) {
            (missing, _) if missing.is_empty() => "its joints are no chain; correct them in a roles file".to_owned(),
            (missing, found) => {
                let found = if found.is_empty() { "nothing of it".to_owned() } else { found };
                format!("no joint is recognised as {missing}, found {found}; name the joints in a roles file")
            }
        };
        Self::NoLimb { side, kind, problem }
    }

    /// The same, or what is behind it: a body none of whose feet is recognised stands nowhere.
    #[must_use]
    pub fn or_missing_foot(self, roles: &Roles, skeleton: &Skeleton) -> Self {
        let is_of_feet = matches!(
            self,
            Self::NoContact { .. } | Self::NoStance | Self::TooFewHandles { .. } | Self::NoCommonPhases { .. }
        );
        match roles.missing_foot().filter(|_| is_of_feet) {
            Some(role) => Self::no_role(role, skeleton),
            None => self,
        }
    }

    /// A scene or a simulation without bodies.
    pub(crate) fn nobody() -> Self {
        Self::Scene { problem: "there is nobody in it; it needs at least the clip that is edited".to_owned() }
    }

    /// A part of the body that no joint was recognised as.
    pub fn no_role(role: Role, skeleton: &Skeleton) -> Self {
        let names = skeleton.joints().iter().map(|joint| joint.name.escape_debug().to_string());
        let names: Vec<String> = names.take(MOST_NAMES).collect();
        let rest = skeleton.len().saturating_sub(MOST_NAMES);
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        Self::NoRole { role, joints: names.join(", ") + &more }
    }
}
