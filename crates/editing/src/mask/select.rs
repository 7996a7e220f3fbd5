//! Joints by the words people use: groups, roles and names, each with everything below it.

use crate::EditingError;
use aplomb_motion::{JointId, Role, Roles, Side, Skeleton};

/// Words that stand for more than one limb or chain.
pub const GROUPS: [&str; 11] = [
    "all",
    "root",
    "upper_body",
    "lower_body",
    "arms",
    "left_arm",
    "right_arm",
    "legs",
    "left_leg",
    "right_leg",
    "head_and_neck",
];

/// The joints that words name, in skeleton order: a group of [`GROUPS`], a role (`left_thigh`, `spine_1`) or a joint's
/// own name, each with its whole subtree. `=` before a role or a name means that joint alone (`=hips`).
///
/// `upper_body` is everything carried by the hips but the legs, `lower_body` the hips themselves with the legs (and
/// what is above the hips), `root` the joints from the top down to the hips, whose translation moves the body.
pub fn select(skeleton: &Skeleton, roles: &Roles, words: &[impl AsRef<str>]) -> Result<Vec<JointId>, EditingError> {
    let mut chosen = vec![false; skeleton.len()];
    for word in words {
        let word = word.as_ref().trim();
        for joint in joints_of(skeleton, roles, word)? {
            chosen[joint.index()] = true;
        }
    }
    Ok(skeleton.ids().filter(|joint| chosen[joint.index()]).collect())
}

fn joints_of(skeleton: &Skeleton, roles: &Roles, word: &str) -> Result<Vec<JointId>, EditingError> {
    let unknown = || EditingError::UnknownPart {
        word: word.to_owned(),
        groups: GROUPS.join(", "),
        joints: skeleton.joints().iter().map(|joint| joint.name.as_str()).take(30).collect::<Vec<_>>().join(", "),
    };
    let below = |tops: &[JointId]| -> Vec<JointId> {
        skeleton.ids().filter(|&joint| tops.iter().any(|&top| skeleton.is_in_subtree(joint, top))).collect()
    };
    let legs = || Side::BOTH.map(|side| leg(roles, side)).into_iter().flatten().collect::<Vec<_>>();
    let arms = || Side::BOTH.map(|side| arm(roles, side)).into_iter().flatten().collect::<Vec<_>>();
    let hips = || roles.joint(Role::Hips).or_else(|| skeleton.roots().next());
    let tops: Vec<JointId> = match word {
        "all" => return Ok(skeleton.ids().collect()),
        "root" => return hips().map(|hips| skeleton.ancestors(hips).collect()).ok_or_else(unknown),
        "legs" => legs(),
        "arms" => arms(),
        "left_leg" => leg(roles, Side::Left).into_iter().collect(),
        "right_leg" => leg(roles, Side::Right).into_iter().collect(),
        "left_arm" => arm(roles, Side::Left).into_iter().collect(),
        "right_arm" => arm(roles, Side::Right).into_iter().collect(),
        "head_and_neck" => roles.joint(Role::Neck(0)).or_else(|| roles.joint(Role::Head)).into_iter().collect(),
        "upper_body" | "lower_body" => {
            let (Some(hips), legs) = (hips(), legs()) else { return Err(unknown()) };
            if legs.is_empty() {
                return Err(unknown());
            }
            let lower: Vec<JointId> = below(&legs).into_iter().chain(skeleton.ancestors(hips)).collect();
            let wants_lower = word == "lower_body";
            let is_carried = |joint: &JointId| wants_lower || skeleton.is_in_subtree(*joint, hips);
            // Zero-length connectors between hips and thigh (LHipJoint) go with the leg they carry.
            let carries_leg = |joint: JointId| legs.iter().any(|&leg| skeleton.is_in_subtree(leg, joint));
            let is_lower = |joint: &JointId| lower.contains(joint) || carries_leg(*joint);
            return Ok(skeleton.ids().filter(is_carried).filter(|joint| is_lower(joint) == wants_lower).collect());
        }
        _ => {
            let (alone, name) = match word.strip_prefix('=') {
                Some(name) => (true, name),
                None => (false, word),
            };
            // A joint's own name wins over a role: people see it in their file.
            let by_role = || name.parse::<Role>().ok().and_then(|role| roles.joint(role));
            let joint = skeleton.find(name).or_else(by_role).ok_or_else(unknown)?;
            if alone {
                return Ok(vec![joint]);
            }
            vec![joint]
        }
    };
    if tops.is_empty() { Err(unknown()) } else { Ok(below(&tops)) }
}

fn leg(roles: &Roles, side: Side) -> Option<JointId> {
    roles.joint(Role::Thigh(side))
}

/// From the collar bone where there is one.
fn arm(roles: &Roles, side: Side) -> Option<JointId> {
    roles.joint(Role::Clavicle(side)).or_else(|| roles.joint(Role::UpperArm(side)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_builtins::clip as built_in;

    fn names(words: &[&str]) -> Result<Vec<String>, EditingError> {
        let clip = built_in("walk").unwrap();
        let joints = select(clip.skeleton(), &Roles::detect(&clip), words)?;
        Ok(joints.iter().map(|&joint| clip.skeleton().joint(joint).name.clone()).collect())
    }

    #[test]
    fn groups_split_the_body() {
        let all = names(&["all"]).unwrap();
        let (upper, lower) = (names(&["upper_body"]).unwrap(), names(&["lower_body"]).unwrap());
        assert_eq!(upper.len() + lower.len(), all.len());
        assert!(upper.iter().all(|name| !lower.contains(name)));
        assert!(lower.contains(&all[0]), "the hips are below: {lower:?}");
        let arms = names(&["arms"]).unwrap();
        assert_eq!(arms.len(), names(&["left_arm"]).unwrap().len() * 2);
        assert!(arms.iter().all(|name| upper.contains(name)));
        assert!(names(&["legs"]).unwrap().iter().all(|name| lower.contains(name)));
    }

    #[test]
    fn roles_and_names_mean_everything_below_them() {
        let leg = names(&["left_leg"]).unwrap();
        assert_eq!(names(&["left_thigh"]).unwrap(), leg);
        assert_eq!(names(&[&leg[0]]).unwrap(), leg);
        assert_eq!(names(&["=left_thigh"]).unwrap(), leg[..1]);
        assert_eq!(names(&["left_leg", "right_leg"]).unwrap(), names(&["legs"]).unwrap());
    }

    #[test]
    fn unknown_words_are_answered_with_the_known_ones() {
        for word in ["left_wing", "", "=", "=all"] {
            let error = names(&[word]).unwrap_err();
            assert!(matches!(error, EditingError::UnknownPart { .. }), "{error}");
            assert!(error.to_string().contains("upper_body"), "{error}");
        }
    }
}
