//! VRM names the bones of its avatars: `extensions.VRM` (0.x), `VRMC_vrm` (1.0) and `VRMC_vrm_animation` (motion
//! files). Its word comes before anything that is read from names of nodes.

use super::document::Extensions;
use aplomb_motion::roles::{Digit, Role, Side};
use serde_json::Value;

/// Node and role, in the order of the file; nodes are not checked yet.
pub(super) fn bones(extensions: &Extensions) -> Vec<(usize, Role)> {
    let node_of = |entry: &Value| entry.get("node").and_then(Value::as_u64).and_then(|node| usize::try_from(node).ok());
    let mut named: Vec<(String, usize)> = Vec::new();
    for extension in [&extensions.vrm_1, &extensions.vrm_animation] {
        let bones = extension.pointer("/humanoid/humanBones").and_then(Value::as_object);
        for (name, entry) in bones.into_iter().flatten() {
            named.extend(node_of(entry).map(|node| (name.clone(), node)));
        }
    }
    let bones = extensions.vrm_0.pointer("/humanoid/humanBones").and_then(Value::as_array);
    for entry in bones.into_iter().flatten() {
        let name = entry.get("bone").and_then(Value::as_str);
        named.extend(name.zip(node_of(entry)).map(|(name, node)| (name.to_owned(), node)));
    }
    // 0.x counts the thumb's bones from its middle one: `Intermediate` exists only there.
    let old_thumbs = named.iter().any(|(name, _)| name.ends_with("ThumbIntermediate"));
    named.iter().filter_map(|(name, node)| Some((*node, role(name, old_thumbs)?))).collect()
}

fn role(name: &str, old_thumbs: bool) -> Option<Role> {
    match name {
        "hips" => return Some(Role::Hips),
        "spine" => return Some(Role::Spine(0)),
        "chest" => return Some(Role::Spine(1)),
        "upperChest" => return Some(Role::Spine(2)),
        "neck" => return Some(Role::Neck(0)),
        "head" => return Some(Role::Head),
        "jaw" => return Some(Role::Jaw),
        _ => {}
    }
    let (side, part) = match name.strip_prefix("left") {
        Some(part) => (Side::Left, part),
        None => (Side::Right, name.strip_prefix("right")?),
    };
    match part {
        "Eye" => return Some(Role::Eye(side)),
        "Shoulder" => return Some(Role::Clavicle(side)),
        "UpperArm" => return Some(Role::UpperArm(side)),
        "LowerArm" => return Some(Role::Forearm(side)),
        "Hand" => return Some(Role::Hand(side)),
        "UpperLeg" => return Some(Role::Thigh(side)),
        "LowerLeg" => return Some(Role::Shank(side)),
        "Foot" => return Some(Role::Foot(side)),
        "Toes" => return Some(Role::Toe(side)),
        _ => {}
    }
    let digits = [
        ("Thumb", Digit::Thumb),
        ("Index", Digit::Index),
        ("Middle", Digit::Middle),
        ("Ring", Digit::Ring),
        ("Little", Digit::Pinky),
    ];
    let (digit, segment) = digits.iter().find_map(|(word, digit)| Some((*digit, part.strip_prefix(word)?)))?;
    let thumb_1 = digit == Digit::Thumb && !old_thumbs;
    let number = match segment {
        "Metacarpal" => 1,
        "Proximal" => 1 + u16::from(thumb_1),
        "Intermediate" => 2,
        "Distal" => 3,
        _ => return None,
    };
    Some(Role::Finger(side, digit, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generation_names_its_bones() {
        let parse = |text: &str| serde_json::from_str::<Extensions>(text).unwrap();
        let one =
            parse(r#"{"VRMC_vrm":{"humanoid":{"humanBones":{"hips":{"node":3},"leftThumbProximal":{"node":4}}}}}"#);
        assert_eq!(bones(&one), [(3, Role::Hips), (4, Role::Finger(Side::Left, Digit::Thumb, 2))]);
        let zero = parse(
            r#"{"VRM":{"humanoid":{"humanBones":[{"bone":"leftThumbProximal","node":1},{"bone":"leftThumbIntermediate","node":2},
               {"bone":"rightToes","node":9},{"bone":"tail","node":7},{"bone":"hips","node":-1}]}}}"#,
        );
        let thumb = |number| Role::Finger(Side::Left, Digit::Thumb, number);
        assert_eq!(bones(&zero), [(1, thumb(1)), (2, thumb(2)), (9, Role::Toe(Side::Right))]);
        assert!(bones(&parse(r#"{"VRMC_vrm":{"humanoid":{"humanBones":[1,2]}}}"#)).is_empty());
    }
}
