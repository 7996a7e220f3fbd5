//! Motions that are changed by hand, so that it is known whether they were harmed.

use super::*;
use aplomb_analysis::Keeps;
use aplomb_editing::finding::by_meaning;
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Side};
use glam::{DQuat, DVec3};

fn walk() -> Take {
    Take::of_clip(aplomb_builtins::clip("walk").unwrap())
}

fn changed(take: &Take, change: impl FnOnce(&mut Clip)) -> Take {
    let mut clip = take.clip().clone();
    change(&mut clip);
    take.with_clip(clip, Keeps::Time)
}

fn moved(take: &Take, by_m: DVec3) -> Take {
    let root = take.clip().skeleton().roots().next().unwrap();
    changed(take, |clip| clip.track_mut(root).into_iter().flatten().for_each(|place_m| *place_m += by_m))
}

fn turned(take: &Take, role: Role, deg: f64) -> Take {
    let joint: JointId = take.roles().joint(role).unwrap();
    changed(take, |clip| {
        for frame in 0..clip.frame_count() {
            let turn = clip.rotation(FrameIndex(frame), joint) * DQuat::from_rotation_x(deg.to_radians());
            clip.set_rotation(FrameIndex(frame), joint, turn);
        }
    })
}

fn judged(edit: Edit, first: &Take, after: &Take, others: &[Take]) -> Harm {
    let judged = |take| Judged { take, inspection: Take::inspection(take).unwrap() };
    let others = others.iter().map(judged).collect();
    judge(&[edit], &[], &Motions { first: judged(first), edited: None, others, after: judged(after) })
}

/// As a project file has it.
fn edit(text: &str) -> Edit {
    toml::from_str(text).unwrap()
}

fn plant() -> Edit {
    edit("verb = \"plant\"")
}

fn codes_of(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code.id).collect()
}

#[test]
fn an_edit_that_changes_nothing_is_done() {
    let walk = walk();
    let harm = judged(plant(), &walk, &walk, &[]);
    assert_eq!((harm.result, harm.better.len(), harm.cost.len()), (EditResult::Done, 0, 0));
    assert_eq!(harm.in_words(by_meaning).result, EditResult::Done);
}

#[test]
fn a_way_farther_than_asked_for_is_harm() {
    let walk = walk();
    let aside = |metres: f64| judged(plant(), &walk, &moved(&walk, DVec3::X * metres), &[]);
    assert_eq!(aside(0.01).result, EditResult::Done);
    let cost = aside(0.04);
    assert_eq!((cost.result, codes_of(&cost.cost)), (EditResult::DoneWithCost, vec![codes::PART_MOVED.id]));
    let harm = aside(0.08);
    assert_eq!((harm.result, codes_of(&harm.worse)), (EditResult::Harmed, vec![codes::PART_MOVED.id]));
}

#[test]
fn what_an_edit_needs_is_granted() {
    let asks = Asks { need_m: 0.03, ..Asks::default() };
    let walk = walk();
    let mut harm = Harm::default();
    harm.compare(&asks, Fidelity::of(&walk, &moved(&walk, DVec3::X * 0.08)));
    assert!(harm.worse.is_empty() && codes_of(&harm.cost) == [codes::PART_MOVED.id], "{harm:?}");
}

#[test]
fn a_wrist_that_is_turned_is_harm_though_no_score_sees_it() {
    let walk = walk();
    let wrist = turned(&walk, Role::Hand(Side::Left), 60.0);
    let harm = judged(edit("verb = \"touchup\""), &walk, &wrist, &[]);
    assert_eq!(harm.result, EditResult::Harmed, "{harm:?}");
    assert!(codes_of(&harm.worse).contains(&codes::JOINT_TURNED.id), "{harm:?}");
}

#[test]
fn a_knee_that_is_turned_back_is_harm() {
    let walk = walk();
    let back = turned(&walk, Role::Shank(Side::Right), -40.0);
    let forth = turned(&walk, Role::Shank(Side::Right), 40.0);
    let is_told = |it: &Take| codes_of(&judged(plant(), &walk, it, &[]).worse).contains(&codes::KNEE_TURNED_BACK.id);
    assert!(is_told(&back) != is_told(&forth), "one of both ways is backward");
}

#[test]
fn geometry_leaves_physics_to_others_and_says_so() {
    let walk = walk();
    let tilted = edit("verb = \"tilt\"\nangle_deg = 15.0");
    let Edit::Tilt(tilt) = &tilted else { panic!("{tilted:?}") };
    let after = walk.with_clip(tilt.apply(walk.clip()).unwrap(), Keeps::Time);
    let harm = judged(tilted, &walk, &after, &[]);
    assert_eq!(harm.result, EditResult::DoneWithCost, "{harm:?}");
    assert!(codes_of(&harm.cost).contains(&codes::PHYSICS_LEFT.id), "{harm:?}");
}

#[test]
fn a_blend_is_judged_beside_the_worst_of_its_clips() {
    let walk = walk();
    let broken = turned(&walk, Role::Shank(Side::Right), -60.0);
    let blend = || edit("verb = \"blend\"\nclips = [\"b.bvh\"]\nweights = [0.5, 0.5]");
    assert_eq!(judged(blend(), &walk, &broken, &[]).result, EditResult::Harmed);
    let beside = judged(blend(), &walk, &broken, std::slice::from_ref(&broken));
    assert!(!codes_of(&beside.worse).contains(&codes::POINTS_LOST.id), "{beside:?}");
}

#[test]
fn a_hand_that_is_put_elsewhere_is_asked_for() {
    let walk = walk();
    let arm = turned(&walk, Role::UpperArm(Side::Left), 25.0);
    let reach = edit("verb = \"reach\"\nhand = \"left\"\nat_secs = 1.0\nto_m = [0.3, 1.2, 1.0]");
    let harm = judged(reach, &walk, &arm, &[]);
    assert!(!codes_of(&harm.worse).contains(&codes::PART_MOVED.id), "{harm:?}");
}

#[test]
fn a_wrist_that_a_reach_turns_beyond_all_of_the_clip_is_harm() {
    let walk = walk();
    let reach = || edit("verb = \"reach\"\nhand = \"left\"\nat_secs = 1.0\nto_m = [0.3, 1.2, 1.0]");
    let told = |deg: f64| judged(reach(), &walk, &turned(&walk, Role::Hand(Side::Left), deg), &[]);
    assert!(codes_of(&told(110.0).worse).contains(&codes::WRIST_TURNED.id), "{:?}", told(110.0));
    assert!(!codes_of(&told(30.0).worse).contains(&codes::WRIST_TURNED.id), "{:?}", told(30.0));
}

#[test]
fn a_push_along_the_ground_is_asked_for_and_other_faults_are_not() {
    let points = |all: f64, but_pushing: f64| Points { parts: [Some(all), None, None], but_pushing: Some(but_pushing) };
    let pushing = Asks { pushing: true, ..Asks::default() };
    let before = points(99.0, 99.0);
    assert_eq!(before.physics_lost(&points(20.0, 98.0), &pushing), 1.0);
    assert_eq!(before.physics_lost(&points(20.0, 30.0), &pushing), 69.0);
    assert_eq!(before.physics_lost(&points(20.0, 98.0), &Asks::default()), 79.0);
}

#[test]
fn words_begin_with_what_matters_most() {
    let walk = walk();
    let harm = judged(plant(), &walk, &moved(&walk, DVec3::X * 0.08), &[]);
    let verdict = harm.in_words(by_meaning);
    assert!(verdict.sentence.contains(codes::HARMED.id), "{}", verdict.sentence);
    assert_eq!(verdict.worse[0].code, codes::PART_MOVED.id);
}

#[test]
fn a_goal_that_is_missed_is_no_success() {
    let walk = walk();
    let harm = judged(plant(), &walk, &walk, &[]).with_goal_missed();
    assert_eq!(harm.result, EditResult::DoneWithCost);
    let verdict = harm.in_words(by_meaning);
    assert!(verdict.is_missed() && verdict.sentence.contains(codes::MISSED.id), "{}", verdict.sentence);
    assert!(!judged(plant(), &walk, &walk, &[]).in_words(by_meaning).is_missed());
}

#[test]
fn an_edit_that_asks_for_another_motion_may_be_as_vigorous_as_people_are() {
    let (gentle, vigorous) =
        (rules::gentle_m_per_s2(1.0 / 60.0), rules::vigorous_m_per_s2(BodyPart::LeftHand, 1.0 / 60.0));
    assert!(gentle < vigorous, "{gentle} {vigorous}");
    // Longer steps see less of what is short.
    assert!((rules::gentle_m_per_s2(1.0 / 30.0) / gentle - 0.4).abs() < 1e-9);
    assert!((rules::gentle_m_per_s2(1.0 / 50.0) / gentle - 25.0 / 36.0).abs() < 1e-9);
    assert_eq!(rules::gentle_m_per_s2(1.0 / 240.0), gentle);
}
