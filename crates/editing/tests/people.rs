//! Goals that no person can meet, on built-in clips and on captures of several people: what is ordinary passes, what is
//! absurd does not, and the nearest that is offered passes.

mod measures;

use aplomb_analysis::Take;
use aplomb_editing::adapt::{Goals, beyond_people};
use aplomb_editing::arc::Arc;
use aplomb_editing::beyond_people::BeyondPeople;
use aplomb_editing::path::{GroundCurve, JumpHeight, PathEditor, PathOptions};
use aplomb_motion::Side;
use aplomb_physics::HumanLimit;

fn built_in(name: &str) -> Take {
    Take::of_clip(aplomb_builtins::clip(name).unwrap())
}

fn adapted(take: &Take, goals: &str) -> Option<BeyondPeople> {
    beyond_people(take, &Goals::from_toml(goals).unwrap()).unwrap()
}

fn bent(take: &Take, radius_m: f64) -> Option<BeyondPeople> {
    Arc::new(radius_m, Side::Left).beyond_people(take).unwrap()
}

fn followed(take: &Take, radius_m: f64) -> Option<BeyondPeople> {
    let mut editor = PathEditor::new(take, PathOptions::default()).unwrap();
    editor.follow(&GroundCurve::Arc(Arc::new(radius_m, Side::Left))).unwrap();
    editor.beyond_people().unwrap()
}

/// The number of "farther by 0.62 m" and its like.
fn nearest(beyond: &BeyondPeople) -> f64 {
    let words = beyond.nearest.as_deref().unwrap_or_else(|| panic!("{beyond}"));
    words.split(' ').find_map(|word| word.trim_end_matches('°').parse().ok()).unwrap_or_else(|| panic!("{beyond}"))
}

#[test]
fn jumps_are_refused_by_their_takeoff() {
    let jump = built_in("long-jump");
    for goals in ["jump_length_m = 0.3", "jump_height = 1.3", "twist = { deg = 90 }", "jump_length_m = -0.5"] {
        assert_eq!(adapted(&jump, goals), None, "{goals}");
    }
    let far = adapted(&jump, "jump_length_m = 3.0").unwrap();
    assert!(far.asked > far.most && far.to_string().starts_with("farther by 3 m asks for a "), "{far}");
    assert_eq!(adapted(&jump, &format!("jump_length_m = {}", nearest(&far))), None);
    assert!(adapted(&jump, &format!("jump_length_m = {}", nearest(&far) + 0.1)).is_some());
    let high = adapted(&jump, "jump_height = 4.0\nflight = 0");
    assert!(high.is_none_or(|high| high.limit == HumanLimit::TakeoffUp || high.limit == HumanLimit::TakeoffSpeed));
    let turned = adapted(&jump, "twist = { deg = -700 }").unwrap();
    assert_eq!(turned.limit, HumanLimit::TurnInAir);
    assert!(nearest(&turned) < 0.0, "to the same side: {turned}");
    assert!(adapted(&jump, "hurdle = { height_m = 1.2 }").is_some());
    assert_eq!(adapted(&built_in("walk"), "twist = { deg = 700 }"), None, "no flight: the solver says so");
}

#[test]
fn a_friction_of_ice_lets_nobody_jump_far() {
    let jump = built_in("long-jump");
    let onto_ice = adapted(&jump, "jump_length_m = 0.8\nfriction = 0.2").unwrap();
    assert_eq!(onto_ice.limit, HumanLimit::Friction);
    assert!(onto_ice.nearest.is_none() || nearest(&onto_ice) < 0.8, "{onto_ice}");
}

#[test]
fn ways_are_refused_by_their_lean() {
    let (walk, run) = (built_in("walk"), built_in("run"));
    for radius_m in [1.5, 3.0] {
        assert_eq!((bent(&walk, radius_m), followed(&walk, radius_m)), (None, None), "{radius_m} m");
    }
    assert_eq!((bent(&run, 4.0), followed(&run, 4.0)), (None, None));
    let tight = bent(&run, 0.8).unwrap();
    assert!(tight.limit == HumanLimit::Lean && tight.asked > tight.most, "{tight}");
    assert_eq!(bent(&run, nearest(&tight)), None);
    assert!(bent(&run, 0.9 * nearest(&tight)).is_some());
    assert!(followed(&run, 0.8).is_some());
    assert_eq!(Arc::new(f64::INFINITY, Side::Left).beyond_people(&run).unwrap(), None, "straight on");
}

#[test]
fn jumps_of_paths_are_refused_by_their_takeoff() {
    let mut editor = PathEditor::new(&built_in("long-jump"), PathOptions::default()).unwrap();
    editor.set_jump_height(0, JumpHeight::Times(1.5)).unwrap();
    assert_eq!(editor.beyond_people().unwrap(), None);
    editor.set_jump_height(0, JumpHeight::Metres(1.5)).unwrap();
    let high = editor.beyond_people().unwrap().unwrap();
    assert_eq!(high.limit, HumanLimit::TakeoffUp);
    assert!((aplomb_physics::human_limits::rise_m(high.asked) - 1.5).abs() < 0.2, "{high}");
    editor.reset();
    assert_eq!(editor.beyond_people().unwrap(), None);
}

#[test]
fn four_legs_have_no_such_limits() {
    let dog = built_in("quadruped-walk");
    assert_eq!((bent(&dog, 0.5), followed(&dog, 1.0)), (None, None));
}

/// Fifteen jumps of seven people, walks of six and runs of five: a limit that refuses what they do is wrong.
#[test]
fn ordinary_goals_of_captures_pass_and_absurd_ones_do_not() {
    if measures::captures().is_none() {
        return;
    }
    let jumps = [
        "jump-forward/83_49",
        "jump-forward/83_46",
        "jump-forward/16_05",
        "jump-forward/16_06",
        "jump-forward/16_09",
        "jump-forward/118_10",
        "jump-forward/118_20",
        "jump-forward/13_11",
        "jump-forward/13_13",
        "jump-vertical/13_39",
        "jump-vertical/16_01",
        "jump-vertical/118_02",
        "jump-vertical/02_04",
        "jump-turn/83_61",
        "jump-turn/83_64",
    ];
    for name in jumps {
        let take = capture(name);
        for goals in ["jump_length_m = 0.3", "jump_height = 1.3", "twist = { deg = 90 }"] {
            assert_eq!(adapted(&take, goals), None, "{name}: {goals}");
        }
        for goals in ["jump_length_m = 3.0", "jump_length_m = -4.0", "jump_height = 4.0"] {
            // Four times a hop of 15 cm is a jump that people make.
            let beyond = adapted(&take, goals);
            assert!(beyond.is_some() || goals.starts_with("jump_height"), "{name}: {goals}");
            println!("{name} {goals}: {}", beyond.map_or("passes".to_owned(), |it| it.to_string()));
        }
        // Two turns more; against a turn that the clip has they are one.
        let turned = [720, -720].map(|deg| adapted(&take, &format!("twist = {{ deg = {deg} }}")));
        assert!(turned.iter().any(Option::is_some), "{name}");
    }
    for name in ["02_01", "07_01", "08_01", "16_15", "35_01", "10_04", "104_02"] {
        let take = capture(&format!("walk-straight/{name}"));
        for radius_m in [1.5, 2.0, 3.0] {
            assert_eq!((bent(&take, radius_m), followed(&take, radius_m)), (None, None), "{name}: {radius_m} m");
        }
        let tight = bent(&take, 0.25);
        println!("{name} 0.25 m: {}", tight.as_ref().map_or("passes".to_owned(), |it| it.to_string()));
        let mut editor = PathEditor::new(&take, PathOptions::default()).unwrap();
        editor.move_handle(3, glam::DVec3::X * 0.3).unwrap();
        let moved = editor.beyond_people().unwrap();
        println!("{name} 0.3 m aside: {}", moved.map_or("passes".to_owned(), |it| it.to_string()));
    }
    for name in ["02_03", "09_01", "127_06", "16_35", "16_45", "35_17"] {
        let take = capture(&format!("run/{name}"));
        assert_eq!((bent(&take, 4.0), followed(&take, 4.0)), (None, None), "{name}");
        let tight = bent(&take, 1.0).unwrap_or_else(|| panic!("{name} runs on a circle of a metre"));
        assert!(followed(&take, 1.0).is_some() && bent(&take, nearest(&tight)).is_none(), "{name}: {tight}");
        println!("{name}: {tight}");
    }
}

fn capture(name: &str) -> Take {
    measures::Capture::read(&measures::captures().unwrap(), &format!("cmu-bvh/{name}.bvh")).take()
}
