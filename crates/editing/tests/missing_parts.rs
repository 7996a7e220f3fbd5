//! A clip that lacks a part of a body is refused with the part's name, what was found, and what to do.

use aplomb_analysis::Take;
use aplomb_editing::EditingError;
use aplomb_editing::reach::{HandGoal, HandPoint};
use aplomb_editing::track::scene_file::{Clap, Prop, PropShape, Scene, TaskChoice};
use aplomb_editing::track::{Guest, TrackOptions};
use aplomb_motion::{Clip, Role, Roles, Side};
use aplomb_physics::{Body, BodyOptions};
use glam::DVec3;

/// The built-in wave, and its roles without the right hand.
fn without_right_hand() -> (Clip, Roles, Body) {
    let clip = aplomb_builtins::clip("wave").unwrap();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    let hand = roles.joint(Role::Hand(Side::Right)).unwrap();
    let roles = roles.with_overrides(&[(hand, None)]);
    (clip, roles, body)
}

fn told(error: &EditingError, words: &[&str]) {
    let message = error.to_string();
    for word in words.iter().chain(&["right_hand", "roles file"]) {
        assert!(message.contains(word), "{word:?} is missing: {message}");
    }
    assert!(!message.contains("could carry a body"), "{message}");
}

#[test]
fn reach_without_a_recognised_right_hand_names_the_hand() {
    let (clip, roles, _) = without_right_hand();
    let (hand, to_m) = (Side::Right, DVec3::new(0.2, 1.2, 0.4));
    let goal = HandGoal { hand, at_secs: 0.5, to_m, window_secs: 0.2, point: HandPoint::Palm };
    let refused = goal.apply(&clip, &roles).unwrap_err();
    told(&refused, &["right arm", "no joint is recognised as right_hand", "found right_upper_arm and right_forearm"]);
}

#[test]
fn scenes_without_a_recognised_right_hand_name_who_lacks_it() {
    let part = || "actor.right_hand".to_owned();
    let stick = Prop {
        name: "stick".to_owned(),
        shape: PropShape::Staff { length_m: 0.4, radius_m: 0.01 },
        at_m: DVec3::ZERO,
        mass_kg: Some(0.1),
        held_by: Some(part()),
    };
    let hold = TaskChoice::Hold { part: part(), at_m: DVec3::Y, from_secs: None, to_secs: None };
    let clap = Clap { a: part(), b: "actor.left_hand".to_owned(), at_secs: vec![0.5], window_secs: 0.2, depth_m: 0.0 };
    for scene in [
        Scene { props: vec![stick], ..Scene::default() },
        Scene { tasks: vec![hold], ..Scene::default() },
        Scene { claps: vec![clap], ..Scene::default() },
    ] {
        let (clip, roles, body) = without_right_hand();
        let guest = Guest { name: "actor".to_owned(), take: Take::new(clip, roles, body), place: None };
        let refused = scene.play(vec![guest], &TrackOptions::default(), &|_, _| ()).unwrap_err();
        told(&refused, &["recognised as right_hand"]);
    }
}

#[test]
fn a_scene_without_anybody_says_so() {
    let refused = Scene::default().play(Vec::new(), &TrackOptions::default(), &|_, _| ()).unwrap_err();
    assert!(refused.to_string().contains("nobody in it"), "{refused}");
}
