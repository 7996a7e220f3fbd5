//! Roles on every real skeleton, against a table checked by eye (`captures/roles.txt`), and again with every name taken
//! away.

mod captures;

use aplomb_motion::{BodyPlan, Clip, LimbKind, Role, Roles, Side};
use std::collections::HashMap;

/// One section of the table.
struct Family {
    plan: &'static str,
    roles: Vec<&'static str>,
}

/// `# first file, plan` and then one line a joint, indented by depth: `name = role`, `-` for none. The key is the tree.
fn table() -> HashMap<Vec<String>, Family> {
    let text = include_str!("captures/roles.txt");
    let mut families = HashMap::new();
    for section in text.split("\n# ").skip(1) {
        let (head, joints) = section.split_once('\n').unwrap();
        let (_, plan) = head.rsplit_once(", ").unwrap();
        let lines = || joints.lines().filter(|line| !line.trim().is_empty());
        let split = |line: &'static str| line.rsplit_once(" = ").unwrap_or_else(|| panic!("no role: {line:?}"));
        let key = lines().map(|line| split(line).0.to_owned()).collect();
        families.insert(key, Family { plan, roles: lines().map(|line| split(line).1).collect() });
    }
    families
}

/// The tree as the table writes it.
fn key(clip: &Clip) -> Vec<String> {
    let skeleton = clip.skeleton();
    let line = |joint| format!("{}{}", "  ".repeat(skeleton.depth(joint)), skeleton.joint(joint).name);
    skeleton.ids().map(line).collect()
}

#[test]
fn every_family_has_the_roles_seen_by_eye() {
    let Some(captures) = captures::all() else { return };
    let table = table();
    let mut wrong = Vec::new();
    let mut unseen: Vec<&Vec<String>> = table.keys().collect();
    for capture in &captures {
        let key = key(&capture.clip);
        let roles = Roles::detect(&capture.clip);
        let Some(family) = table.get(&key) else {
            wrong.push(format!("{}: no such skeleton in the table", capture.name));
            continue;
        };
        unseen.retain(|&other| *other != key);
        if format!("{:?}", roles.plan()) != family.plan {
            wrong.push(format!("{}: {:?}, should be {}", capture.name, roles.plan(), family.plan));
        }
        wrong.extend(roles.warnings().iter().map(|warning| format!("{}: {warning}", capture.name)));
        for (joint, expected) in capture.clip.skeleton().ids().zip(&family.roles) {
            let found = roles.role(joint).map_or("-".to_owned(), |role| role.to_string());
            if found != *expected {
                wrong.push(format!("{}: {} is {found}, should be {expected}", capture.name, key[joint.index()].trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(unseen.is_empty(), "in the table but not among the captures: {unseen:?}");
}

#[test]
fn limbs_mirrors_and_feet_are_complete() {
    let Some(captures) = captures::all() else { return };
    for capture in &captures {
        let roles = Roles::detect(&capture.clip);
        let feet = match roles.plan() {
            BodyPlan::Biped => 2,
            BodyPlan::Quadruped => 4,
            BodyPlan::Single | BodyPlan::Unknown => continue,
        };
        assert_eq!(roles.ground_feet().len(), feet, "{}", capture.name);
        assert!(roles.spine_chain().len() >= 3, "{}", capture.name);
        for (side, kind) in Side::BOTH.into_iter().flat_map(|side| [(side, LimbKind::Arm), (side, LimbKind::Leg)]) {
            let limb = roles.limb(side, kind).unwrap_or_else(|| panic!("{}: no {side} {kind:?}", capture.name));
            let other = roles.limb(side.other(), kind).unwrap();
            let mirrored: Vec<_> = limb.chain.iter().map(|&joint| roles.mirror_partner(joint)).collect();
            let expected: Vec<_> = other.chain.iter().copied().map(Some).collect();
            assert_eq!(mirrored, expected, "{}: {side} {kind:?}", capture.name);
        }
        // Everything a mirror must swap has a partner, and partners agree.
        for joint in capture.clip.skeleton().ids() {
            if let Some(partner) = roles.mirror_partner(joint) {
                let name = &capture.clip.skeleton().joint(joint).name;
                assert_eq!(roles.mirror_partner(partner), Some(joint), "{}: {name}", capture.name);
            } else {
                panic!("{}: {} has no partner", capture.name, capture.clip.skeleton().joint(joint).name);
            }
        }
    }
}

#[test]
fn structure_alone_finds_the_body() {
    let Some(captures) = captures::all() else { return };
    let mut wrong = Vec::new();
    let mut bodies = 0;
    for capture in &captures {
        let named = Roles::detect(&capture.clip);
        let blind = Roles::detect(&without_names(&capture.clip));
        if !matches!(named.plan(), BodyPlan::Biped | BodyPlan::Quadruped) {
            let roles = blind.assignments().iter().flatten().count();
            assert_eq!((blind.plan(), roles), (BodyPlan::Unknown, 0), "{}: invented a body", capture.name);
            continue;
        }
        bodies += 1;
        // A horse on its hind legs looks like a biped to anyone who cannot read.
        if blind.plan() != named.plan() && capture.name != "quadruped/horse/horse_rear.bvh" {
            wrong.push(format!("{}: {:?}", capture.name, blind.plan()));
        }
        let mut core = vec![Role::Hips, Role::Head];
        for side in Side::BOTH {
            core.extend([Role::Thigh(side), Role::Shank(side), Role::Foot(side)]);
            core.extend([Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)]);
        }
        for role in core {
            if named.joint(role) != blind.joint(role) {
                let name = |joint: aplomb_motion::JointId| capture.clip.skeleton().joint(joint).name.clone();
                let found = blind.joint(role).map(name);
                wrong.push(format!("{}: {role} is {found:?}", capture.name));
            }
        }
    }
    assert!(bodies > 0 && wrong.is_empty(), "{wrong:#?}");
}

/// The same motion of joints called j0, j1, …
fn without_names(clip: &Clip) -> Clip {
    let renamed = clip.skeleton().map_joints(|joint, made| made.name = format!("j{}", joint.index())).unwrap();
    let (timeline, frames) = (clip.timeline().clone(), clip.frame_count());
    Clip::new(renamed.into(), timeline, frames, clip.rotations().to_vec(), clip.tracks().to_vec()).unwrap()
}
