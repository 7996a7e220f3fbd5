use super::*;
use aplomb_analysis::Take;
use aplomb_motion::Roles;
use aplomb_motion::{FrameIndex, FrameTime, LimbKind, Side, edit};
use aplomb_physics::Body;
use aplomb_physics::BodyOptions;
use aplomb_physics::simulation::Damping;

struct Person {
    clip: Clip,
    roles: Roles,
    body: Body,
}

fn person(name: &str) -> Person {
    let clip = aplomb_builtins::clip(name).unwrap();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    Person { clip, roles, body }
}

fn played(person: &Person, options: &TrackOptions) -> Tracked {
    track(&Take::new(person.clip.clone(), person.roles.clone(), person.body.clone()), options).unwrap()
}

fn stiff(stiffness_per_s2: f64) -> TrackOptions {
    let gains = ServoGains { stiffness_per_s2, ..ServoGains::default() };
    TrackOptions { gains, ..TrackOptions::default() }
}

/// Root mean square over joints and frames, degrees.
fn apart_deg(a: &Clip, b: &Clip) -> f64 {
    let pairs = a.rotations().iter().zip(b.rotations());
    let sum: f64 = pairs.map(|(a, b)| aplomb_motion::so3::angle_between(*a, *b).powi(2)).sum();
    (sum / a.rotations().len() as f64).sqrt().to_degrees()
}

#[test]
fn a_wave_is_followed_the_closer_the_stiffer() {
    let person = person("wave");
    let soft = played(&person, &stiff(1000.0)).report;
    let usual = played(&person, &TrackOptions::default()).report;
    let hard = played(&person, &stiff(10_000.0)).report;
    assert_eq!(usual.degrees_of_freedom, 27);
    // Bars of docs/algorithms/track.md for captures, whose hands are no slower.
    assert!(usual.rms_error_deg < 5.5 && hard.rms_error_deg < 3.5, "{} {}", usual.rms_error_deg, hard.rms_error_deg);
    assert!(soft.rms_error_deg > usual.rms_error_deg && usual.rms_error_deg > hard.rms_error_deg);
    let lag = |report: &TrackReport| report.hands.iter().map(|hand| hand.lag_secs).fold(0.0, f64::max);
    assert!((0.02..0.055).contains(&lag(&usual)) && lag(&hard) < 0.03, "{} {}", lag(&usual), lag(&hard));
    assert!(lag(&soft) > lag(&usual));
}

#[test]
fn the_papers_damping_is_a_delay_of_a_tenth_of_a_second_at_any_stiffness() {
    let person = person("wave");
    for stiffness_per_s2 in [4000.0, 40_000.0] {
        let gains = ServoGains { stiffness_per_s2, damping: Damping::Paper };
        let report = played(&person, &TrackOptions { gains, ..TrackOptions::default() }).report;
        let lag = report.hands.iter().map(|hand| hand.lag_secs).fold(0.0, f64::max);
        assert!((0.06..0.12).contains(&lag), "{lag} s at {stiffness_per_s2}");
    }
}

#[test]
fn the_usual_step_is_near_the_tiny_explicit_one() {
    let person = person("drum");
    let clip = edit::cut(&person.clip, 0.0..2.5).unwrap();
    let person = Person { clip, ..person };
    let tiny = TrackOptions { hz: 15_360.0, scheme: Scheme::Explicit, ..TrackOptions::default() };
    let truth = played(&person, &tiny).clip;
    let error = apart_deg(&played(&person, &TrackOptions::default()).clip, &truth);
    assert!(error < 0.25, "{error}°");
}

#[test]
fn a_step_that_diverges_is_halved_and_told() {
    let person = person("wave");
    let clip = edit::cut(&person.clip, 0.0..1.0).unwrap();
    let person = Person { clip, ..person };
    let long = TrackOptions { hz: 480.0, scheme: Scheme::Explicit, ..stiff(10_000.0) };
    let report = played(&person, &long).report;
    assert!(report.halvings > 0 && report.step_secs < 1.0 / 900.0, "{} of {} s", report.halvings, report.step_secs);
    let hopeless = TrackOptions { hz: 24.0, scheme: Scheme::Explicit, ..stiff(1e6) };
    let error =
        track(&Take::new(person.clip.clone(), person.roles.clone(), person.body.clone()), &hopeless).unwrap_err();
    assert!(matches!(error, EditingError::Diverged(_)), "{error}");
}

#[test]
fn orientations_of_trackers_play_the_same_motion() {
    let person = person("wave");
    let joints: Vec<_> = person.clip.skeleton().ids().collect();
    let given = Orientations::of_clip(&person.clip, joints, 20.0);
    let options = TrackOptions::default();
    let take = Take::new(person.clip.clone(), person.roles.clone(), person.body.clone());
    let targets = ServoTargets::of_orientations(&given, &take, &options).unwrap();
    let tracked = targets.play(&options, &|_, _| {}).unwrap();
    let direct = played(&person, &options);
    let arm = person.roles.limb(Side::Right, LimbKind::Arm).unwrap().chain;
    // The collar bone is no link: it stays as it was, and the upper arm's own rotation is given below it.
    for (joint, frame) in
        arm[1..].iter().flat_map(|&joint| direct.clip.frames().skip(60).map(move |frame| (joint, frame)))
    {
        let apart =
            aplomb_motion::so3::angle_between(direct.clip.rotation(frame, joint), tracked.clip.rotation(frame, joint));
        // A wave of 2.1 Hz sampled at 20 Hz: Catmull and Rom's curve cuts its corners by a degree or two.
        assert!(apart.to_degrees() < 4.0, "{}° at frame {}", apart.to_degrees(), frame.0);
    }
    let backwards = Orientations { times_secs: given.times_secs.iter().rev().copied().collect(), ..given };
    assert!(
        ServoTargets::of_orientations(
            &backwards,
            &Take::new(person.clip.clone(), person.roles.clone(), person.body.clone()),
            &options
        )
        .is_err()
    );
}

#[test]
fn a_back_of_one_piece_has_three_degrees_less() {
    let options = TrackOptions { figure: Figure::UpperStiffBack, ..TrackOptions::default() };
    assert_eq!(played(&person("wave"), &options).report.degrees_of_freedom, 24);
}

#[test]
fn all_of_a_body_stands_and_waves() {
    let options = TrackOptions { figure: Figure::Full, ..TrackOptions::default() };
    let report = played(&person("wave"), &options).report;
    let standing = report.standing.unwrap();
    assert_eq!(report.degrees_of_freedom, 54);
    assert!(standing.fell_at_secs.is_none() && standing.margin_m > 0.03, "{standing:?}");
    assert!(standing.slide_m < 0.01, "{standing:?}");
}

#[test]
fn stiffness_is_found_by_smoothness() {
    let person = person("wave");
    // Ten frames a second by slerp: playback jerks at every sample.
    let slow = edit::resample(&person.clip, FrameTime::from_hz(20.0).unwrap()).unwrap();
    let joints: Vec<_> = person.clip.skeleton().ids().collect();
    let given = Orientations::of_clip(&slow, joints, 20.0);
    let options = TrackOptions { interpolation: Interpolation::Slerp, ..TrackOptions::default() };
    let take = Take::new(person.clip.clone(), person.roles.clone(), person.body.clone());
    let targets = ServoTargets::of_orientations(&given, &take, &options).unwrap();
    let (best, search) = find_stiffness(&targets, &options, &|_, _| {}).unwrap();
    assert!(search.is_smooth && best.report.shaking_ratio.unwrap() <= 0.25, "{search:?}");
    // ε falls with stiffness under implicit servos: the bound is smoothness alone.
    assert!(search.tried.windows(2).all(|pair| pair[1].1 < pair[0].1), "{search:?}");
}

#[test]
fn settings_that_make_no_sense_are_named() {
    let person = person("wave");
    for options in [stiff(0.0), stiff(f64::NAN), TrackOptions { hz: f64::INFINITY, ..TrackOptions::default() }] {
        let error =
            track(&Take::new(person.clip.clone(), person.roles.clone(), person.body.clone()), &options).unwrap_err();
        assert!(matches!(error, EditingError::Setting { .. }), "{error}");
    }
    let one = edit::cut_frames(&person.clip, FrameIndex(0)..FrameIndex(1)).unwrap();
    let error = track(&Take::new(one.clone(), person.roles.clone(), person.body.clone()), &TrackOptions::default())
        .unwrap_err();
    assert!(matches!(error, EditingError::TooFewFrames { .. }), "{error}");
}
