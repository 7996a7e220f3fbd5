//! Which joint is which one's counterpart on the other side.

use crate::edit::error::EditError;
use crate::ids::JointId;
use crate::skeleton::Skeleton;

/// Mirror partners from names alone: `LeftArm`/`RightArm`, `LHipJoint`/`RHipJoint`, `Hand_L`/`Hand_R`,
/// `lfemur`/`rfemur`, `Bip01 L Foot`/`Bip01 R Foot`. Joints without a counterpart map to themselves.
pub fn partners_from_names(skeleton: &Skeleton) -> Result<Vec<JointId>, EditError> {
    mirror_partners(skeleton, |_| None)
}

/// Mirror partners, `known` ones first (joint roles tell them), then by names, then by the place in the tree: below two
/// partners a joint of the same name, or the only child. Elsewhere joints without a counterpart map to themselves.
///
/// Refused if one side has a joint that the other lacks.
pub fn mirror_partners(
    skeleton: &Skeleton,
    known: impl Fn(JointId) -> Option<JointId>,
) -> Result<Vec<JointId>, EditError> {
    let mut partners: Vec<JointId> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.ids() {
        let parent = skeleton.parent(joint);
        let partner_parent = parent.map(|parent| partners[parent.index()]);
        // That a joint is its own partner says little: a helper beside the thigh is, to roles, on no side.
        let other_side = known(joint).filter(|&partner| partner != joint);
        let found = other_side.or_else(|| by_name(skeleton, joint, partner_parent));
        let partner = match (found, parent, partner_parent) {
            (Some(partner), _, _) => partner,
            (None, Some(parent), Some(other)) if other != parent => by_place(skeleton, joint, parent, other)?,
            _ => joint,
        };
        partners.push(partner);
    }
    Ok(partners)
}

fn by_name(skeleton: &Skeleton, joint: JointId, partner_parent: Option<JointId>) -> Option<JointId> {
    let candidates = names_of_other_side(&skeleton.joint(joint).name);
    // Names may repeat: the one at the matching place is meant.
    let siblings = partner_parent.map_or(&[] as &[JointId], |parent| skeleton.children(parent));
    let at_place = |name: &String| siblings.iter().copied().find(|&id| skeleton.joint(id).name == *name);
    candidates.iter().find_map(|name| at_place(name).or_else(|| skeleton.find(name))).filter(|&id| id != joint)
}

fn by_place(skeleton: &Skeleton, joint: JointId, parent: JointId, other: JointId) -> Result<JointId, EditError> {
    let name = &skeleton.joint(joint).name;
    let namesakes = |parent: JointId| {
        skeleton.children(parent).iter().copied().filter(|&id| skeleton.joint(id).name == *name).collect::<Vec<_>>()
    };
    match (skeleton.children(parent), skeleton.children(other)) {
        ([_], [only]) => Ok(*only),
        _ => match (&namesakes(parent)[..], &namesakes(other)[..]) {
            ([_], [partner]) => Ok(*partner),
            _ => {
                let partner_parent = skeleton.joint(other).name.clone();
                Err(EditError::NoPartner { joint: name.clone(), partner_parent })
            }
        },
    }
}

/// The names a joint's counterpart may have, the likeliest first; none of them need exist.
fn names_of_other_side(name: &str) -> Vec<String> {
    let mut names = Vec::new();
    names.extend(with_words_swapped(name));
    let characters: Vec<char> = name.chars().collect();
    let letters = (0..characters.len()).filter(|&index| other_letter(characters[index]).is_some());
    let (tokens, prefixes): (Vec<usize>, Vec<usize>) = letters.partition(|&index| is_token(&characters, index));
    // `rThumb`, `lfemur`: a bare letter before a word is a side only if the other side exists.
    let prefixes = prefixes.into_iter().filter(|&index| index == 0 || !characters[index - 1].is_alphanumeric());
    names.extend(tokens.into_iter().chain(prefixes).map(|swap| {
        let swapped = |(index, &c): (usize, &char)| if index == swap { other_letter(c).unwrap_or(c) } else { c };
        characters.iter().enumerate().map(swapped).collect()
    }));
    names
}

/// `left` and `right` exchanged in any of their usual spellings; `None` if there is neither.
fn with_words_swapped(name: &str) -> Option<String> {
    const WORDS: [(&str, &str); 3] = [("Left", "Right"), ("left", "right"), ("LEFT", "RIGHT")];
    WORDS.iter().find_map(|(left, right)| {
        if name.contains(left) {
            Some(name.replace(left, right))
        } else {
            name.contains(right).then(|| name.replace(right, left))
        }
    })
}

fn other_letter(letter: char) -> Option<char> {
    match letter {
        'L' => Some('R'),
        'R' => Some('L'),
        'l' => Some('r'),
        'r' => Some('l'),
        _ => None,
    }
}

/// Whether the letter stands for itself: `Hand_L`, `LHipJoint`, `Bip01 R Foot`, `armL2`, not the l of `Skull`.
fn is_token(characters: &[char], index: usize) -> bool {
    let letter = characters[index];
    let starts = match index.checked_sub(1).map(|before| characters[before]) {
        Some(before) => !before.is_alphanumeric() || (letter.is_uppercase() && !before.is_uppercase()),
        None => true,
    };
    let ends = match characters.get(index + 1) {
        Some(after) => {
            !after.is_alphanumeric() || after.is_ascii_digit() || (letter.is_uppercase() && after.is_uppercase())
        }
        None => true,
    };
    starts && ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::Channels;
    use glam::DVec3;

    #[test]
    fn names_swap_sides() {
        for (name, other) in [
            ("LeftArm", "RightArm"),
            ("mixamorig:RightToe_End", "mixamorig:LeftToe_End"),
            ("LHipJoint", "RHipJoint"),
            ("Hand_L", "Hand_R"),
            ("hand.r", "hand.l"),
            ("Bip01 L Foot", "Bip01 R Foot"),
            ("lfemur", "rfemur"),
            ("rCollar", "lCollar"),
            ("J_Bip_L_UpperLeg", "J_Bip_R_UpperLeg"),
            ("LeftLowerLeg", "RightLowerLeg"),
        ] {
            assert_eq!(names_of_other_side(name).first().map(String::as_str), Some(other), "{name}");
            assert!(names_of_other_side(other).contains(&name.to_string()), "{other}");
        }
        for neutral in ["Hips", "Spine1", "Neck", "Skull", "Chest_M"] {
            assert!(names_of_other_side(neutral).is_empty(), "{neutral}");
        }
    }

    fn tree(joints: &[(Option<usize>, &str)]) -> Skeleton {
        let mut builder = Skeleton::builder();
        for (parent, name) in joints {
            builder.add(parent.map(JointId::new), *name, DVec3::X, Channels::default());
        }
        builder.build().unwrap()
    }

    fn partner_indices(skeleton: &Skeleton) -> Vec<usize> {
        partners_from_names(skeleton).unwrap().iter().map(|id| id.index()).collect()
    }

    #[test]
    fn partners_come_from_names_and_from_the_tree() {
        let joints = [
            (None, "root"),
            (Some(0), "lfemur"),
            (Some(1), "knee"),
            (Some(2), "toe"),
            (Some(0), "lowerback"),
            (Some(0), "rfemur"),
            (Some(5), "knee"),
            (Some(6), "toe"),
        ];
        assert_eq!(partner_indices(&tree(&joints)), [0, 5, 6, 7, 4, 1, 2, 3]);
    }

    #[test]
    fn a_prop_on_one_side_only_is_named() {
        let joints = [(None, "Hips"), (Some(0), "Hand_L"), (Some(0), "Hand_R"), (Some(2), "Sword")];
        let error = partners_from_names(&tree(&joints)).unwrap_err();
        assert!(error.to_string().contains("\"Sword\" has no partner below \"Hand_L\""), "{error}");
        let middle = [(None, "Hips"), (Some(0), "Hand_L"), (Some(0), "Hand_R"), (Some(0), "Tail_R")];
        assert_eq!(partner_indices(&tree(&middle)), [0, 2, 1, 3]);
    }

    #[test]
    fn known_partners_come_first() {
        let skeleton = tree(&[(None, "Hips"), (Some(0), "A"), (Some(0), "B")]);
        let (a, b) = (JointId::new(1), JointId::new(2));
        let known = |joint: JointId| [(a, b), (b, a)].into_iter().find(|pair| pair.0 == joint).map(|pair| pair.1);
        assert_eq!(mirror_partners(&skeleton, known).unwrap(), [JointId::new(0), b, a]);
    }
}
