//! Hand-made moments: what is said of them, and which light they make.

use super::*;
use aplomb_analysis::Take;
use aplomb_editing::finding::by_meaning;
use aplomb_motion::Roles;
use aplomb_physics::{Body, BodyOptions};

/// A clean walk, whose score is then changed.
fn walk() -> Inspection {
    let clip = aplomb_builtins::clip("walk").unwrap();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    let mut inspection = Take::new(clip, roles, body).into_inspection().unwrap();
    let score = &mut inspection.score;
    (score.score, score.body, score.recording) = (Some(98.0), Some(100.0), Some(100.0));
    (score.worst_aspect, score.moments, score.judged) = (None, Vec::new(), true);
    inspection
}

fn moment(fault: Fault, secs: f64, cost: f64) -> Moment {
    let joint = Some("LeftFoot".to_owned());
    let (start_secs, end_secs) = (secs - 0.1, secs + 0.1);
    Moment { fault, joint, other: None, start_secs, end_secs, secs, size: 146.0, allowance: 85.0, cost }
}

#[test]
fn nothing_wrong_is_green_and_says_so() {
    let judgement = Judgement::of(&walk(), by_meaning);
    assert_eq!((judgement.headline_code, judgement.grade), (codes::LOOKS_RIGHT.id, Grade::Good));
    assert_eq!(judgement.aspect_grades, [Grade::Good; 3]);
    assert!(judgement.moments.is_empty() && judgement.not_judged.is_none() && judgement.worst_aspect.is_none());
}

#[test]
fn a_fault_is_never_green_however_high_the_number() {
    let mut inspection = walk();
    inspection.score.moments = vec![moment(Fault::FootTurned, 3.28, 0.06)];
    let judgement = Judgement::of(&inspection, by_meaning);
    assert_eq!((judgement.headline_code, judgement.grade), (codes::FOOT_TURNED.id, Grade::Fair));
    assert_eq!(judgement.aspect_grades, [Grade::Good, Grade::Fair, Grade::Good]);
    assert_eq!(judgement.worst_moment_secs(), Some(3.28));
    inspection.score.moments[0].cost = 1.5;
    assert_eq!(Judgement::of(&inspection, by_meaning).grade, Grade::Poor, "a gross moment");
    inspection.score.moments[0].cost = 0.04;
    assert_eq!(Judgement::of(&inspection, by_meaning).grade, Grade::Good, "within what captures do");
}

#[test]
fn the_headline_is_of_the_worst_aspect_and_the_list_by_cost() {
    let mut inspection = walk();
    inspection.score.moments =
        vec![moment(Fault::FootSlides, 1.0, 0.9), moment(Fault::TurnPops, 2.0, 0.5), moment(Fault::TurnPops, 3.0, 0.7)];
    inspection.score.worst_aspect = Some(Aspect::Body);
    let judgement = Judgement::of(&inspection, by_meaning);
    assert_eq!(judgement.headline_code, codes::TURN_POPS.id);
    let costs: Vec<f64> = judgement.moments.iter().map(|moment| moment.cost).collect();
    assert_eq!(costs, [0.9, 0.7, 0.5]);
    assert_eq!(judgement.worst_moment_secs(), Some(3.0));
}

#[test]
fn what_physics_cannot_judge_is_no_low_score() {
    let mut inspection = walk();
    inspection.other_share = Some(0.62);
    let score = &mut inspection.score;
    (score.judged, score.score, score.physics) = (false, Some(20.0), Some(20.0));
    score.moments = vec![moment(Fault::SupportMissing, 1.0, 9.0)];
    score.worst_aspect = Some(Aspect::Physics);
    let judgement = Judgement::of(&inspection, by_meaning);
    assert_eq!((judgement.headline_code, judgement.grade), (codes::REST_LOOKS_RIGHT.id, Grade::NotJudged));
    assert_eq!(judgement.aspect_grades, [Grade::NotJudged, Grade::Good, Grade::Good]);
    assert!(judgement.not_judged.is_some_and(|why| why.contains(codes::CARRIED_BY_UNKNOWN.id)));
    assert!(judgement.shown_score.is_none() && judgement.moments.is_empty(), "physics has no say");

    inspection.score.body = Some(40.0);
    inspection.score.moments.push(moment(Fault::KneeBackward, 2.0, 1.5));
    let judgement = Judgement::of(&inspection, by_meaning);
    assert_eq!((judgement.headline_code, judgement.grade), (codes::KNEE_BACKWARD.id, Grade::Poor), "its body has");
}

#[test]
fn small_faults_that_add_up_are_not_called_right() {
    let mut inspection = walk();
    (inspection.score.score, inspection.score.worst) = (Some(84.0), Some("drift"));
    inspection.score.worst_aspect = Some(Aspect::Physics);
    let judgement = Judgement::of(&inspection, by_meaning);
    assert_eq!((judgement.headline_code, judgement.grade), (codes::SMALL_FAULTS.id, Grade::Fair));
    assert_eq!(judgement.worst_aspect, Some(Aspect::Physics));
}

#[test]
fn a_list_has_an_end_and_counts_the_rest() {
    let mut inspection = walk();
    inspection.score.moments = (0..45).map(|index| moment(Fault::TurnPops, f64::from(index), 0.3)).collect();
    let judgement = Judgement::of(&inspection, by_meaning);
    assert_eq!((judgement.moments.len(), judgement.more_moments), (MOST_TOLD_MOMENTS, 15));
    assert_eq!(judgement.moments[0].text, by_meaning(&Finding::of(codes::TURN_POPS)));
}
