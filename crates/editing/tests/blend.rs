//! The proofs of blending on built-in clips: gravity, straight lines, feet, balance and friction, endpoints, many
//! motions.

use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::Take;
use aplomb_editing::EditingError;
use aplomb_editing::blend::{
    BlendOptions, BlendReport, BlendSpace, ManualKeys, ManualPhases, PhaseKind, PhaseTiming, Scheme,
};
use aplomb_editing::finding::codes;
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::{Clip, FrameIndex, Roles, WorldPose, edit, so3};
use aplomb_physics::body::BodySource;
use aplomb_physics::spatial::{SpatialInertia, Symmetric3};
use aplomb_physics::{Body, BodyOptions, Link};
use glam::DVec3;
use std::sync::OnceLock;

struct Known {
    clip: Clip,
    roles: Roles,
    body: Body,
    contacts: ContactAnalysis,
}

impl Known {
    fn of(clip: Clip) -> Self {
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
        let contacts = Take::new(clip.clone(), roles.clone(), body.clone()).into_contacts().unwrap();
        Self { clip, roles, body, contacts }
    }

    fn take(&self) -> Take {
        Take::new(self.clip.clone(), self.roles.clone(), self.body.clone())
            .with_known_contacts(self.contacts.clone(), None)
    }
}

/// Built-in clips are made once: several seconds each without optimisation.
fn built_in(name: &'static str) -> &'static Known {
    static MADE: [OnceLock<Known>; 8] = [const { OnceLock::new() }; 8];
    let names = ["short-jump", "long-jump", "half-turn-jump", "run", "walk", "turning-walk", "sit-low", "sit-high"];
    let place = names.iter().position(|it| *it == name).unwrap();
    MADE[place].get_or_init(|| Known::of(aplomb_builtins::clip(name).unwrap()))
}

fn space_of(clips: &[&Known], options: BlendOptions) -> Result<BlendSpace, EditingError> {
    BlendSpace::new(&clips.iter().map(|it| it.take()).collect::<Vec<_>>(), options)
}

fn space(names: &[&'static str], options: BlendOptions) -> BlendSpace {
    space_of(&names.iter().map(|name| built_in(name)).collect::<Vec<_>>(), options).unwrap()
}

fn report(space: &BlendSpace, weight: f64) -> BlendReport {
    let blend = space.blend(&[1.0 - weight, weight]).unwrap();
    space.report(&blend).unwrap()
}

/// A jump with the masses and the flight that it was planned with: contacts as they are found hold a little of the
/// ground, and masses of a table are not the built-in's own.
fn planned(name: &'static str) -> (Known, Vec<f64>) {
    let made = aplomb_builtins::make(name).unwrap();
    let mut known = Known::of(made.clip);
    let skeleton = known.clip.skeleton();
    let mut links: Vec<Link> = Vec::new();
    for joint in skeleton.ids() {
        let points: Vec<_> = made.masses.iter().filter(|point| point.joint == joint.index()).collect();
        let share: f64 = points.iter().map(|point| point.share).sum();
        if share > 0.0 {
            let com_m = points.iter().map(|point| point.at_m * point.share).sum::<DVec3>() / share;
            let mass_kg = 70.0 * share;
            let about_com = Symmetric3::diagonal(DVec3::splat(0.01 * mass_kg));
            links.push(Link { joint, inertia: SpatialInertia { mass_kg, com_m, about_com }, shapes: Vec::new() });
        }
    }
    let source = BodySource::Given("the built-in's own".to_owned());
    known.body = Body::from_links(skeleton.clone(), links, Some(1.75), source, Vec::new()).unwrap();
    let ends =
        || made.contacts.iter().map(|contact| contact.end_secs).filter(|end| *end < known.clip.duration_secs() - 0.1);
    let off_secs = ends().fold(0.0, f64::max);
    let land_secs =
        made.contacts.iter().map(|it| it.start_secs).filter(|start| *start >= off_secs).fold(f64::MAX, f64::min);
    // Whole frames inside the flight.
    (known, vec![(off_secs * 120.0).ceil() / 120.0, (land_secs * 120.0).floor() / 120.0])
}

#[test]
fn planned_jumps_fall_at_g_along_straight_lines() {
    let jumps = ["short-jump", "long-jump", "half-turn-jump"].map(planned);
    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        let keys = |jump: usize| ManualKeys { keys_secs: jumps[jump].1.clone(), ..ManualKeys::default() };
        let phases = ManualPhases {
            phases: vec![PhaseKind::Contact, PhaseKind::Flight, PhaseKind::Contact],
            clips: vec![keys(a), keys(b)],
        };
        let options = BlendOptions { phases: Some(phases), ..BlendOptions::default() };
        let usual = space_of(&[&jumps[a].0, &jumps[b].0], options.clone()).unwrap();
        let root = usual.with_options(BlendOptions { scheme: Scheme::Root, ..options });
        for weight in INNER {
            let flight = &report(&usual, weight).flights[0];
            // Built-ins fall at 9.810 to the thousandth; 0.05 % is the bar.
            assert!((flight.g / 9.81 - 1.0).abs() < 5e-4, "{flight:?}");
            assert!((flight.g / flight.predicted_g - 1.0).abs() < 5e-4, "{flight:?}");
            assert!(flight.bend_m < 1e-4, "{flight:?}");
            let bent_m = report(&root, weight).flights[0].bend_m;
            if b == 2 {
                assert!(bent_m > 3.5 * flight.bend_m.max(1e-4), "{bent_m} {flight:?}");
            }
        }
    }
}

const INNER: [f64; 3] = [0.25, 0.5, 0.75];

#[test]
fn gravity_is_kept_with_root_mean_square_times_and_off_by_equation_8_with_linear_ones() {
    let usual = space(&["short-jump", "long-jump"], BlendOptions::default());
    let linear = usual.with_options(BlendOptions { timing: PhaseTiming::Linear, ..BlendOptions::default() });
    for weight in INNER {
        let flight = &report(&usual, weight).flights[0];
        assert!((flight.g / flight.predicted_g - 1.0).abs() < 5e-4, "{flight:?}");
        // What contacts take for a flight holds a little of the ground, and masses are another table's.
        assert!((flight.g - 9.81).abs() < 0.15, "{}", flight.g);
        let timed = report(&linear, weight);
        let [short, long] = [0, 1].map(|clip| timed.phases[1].input_secs[clip]);
        let equation_8 =
            ((1.0 - weight) * short * short + weight * long * long) / ((1.0 - weight) * short + weight * long).powi(2);
        assert!(equation_8 > 1.001, "the flights must differ for this to say anything: {equation_8}");
        let found = timed.flights[0].g / flight.g;
        assert!((found / equation_8 - 1.0).abs() < 5e-4, "{found} {equation_8}");
    }
}

#[test]
fn feet_that_stand_stay_on_their_track() {
    for (names, least_mm) in [(["sit-low", "sit-high"], 2.0), (["short-jump", "long-jump"], 2.0)] {
        let usual = space(&names, BlendOptions::default());
        let root = usual.with_options(BlendOptions { scheme: Scheme::Root, ..BlendOptions::default() });
        for weight in INNER {
            let feet = report(&usual, weight).feet;
            assert!(feet.off_track_m <= 1e-5, "{names:?} {feet:?}");
            assert!(feet.drift_excess_m <= 1e-4 && feet.lowest_m >= -1e-3, "{names:?} {feet:?}");
            let loose = report(&root, weight).feet;
            assert!(1e3 * loose.off_track_m > least_mm, "{names:?}: the root scheme must lose feet, {loose:?}");
        }
    }
}

#[test]
fn balance_and_friction_hold_for_every_weight() {
    for names in [["sit-low", "sit-high"], ["short-jump", "long-jump"]] {
        let usual = space(&names, BlendOptions::default());
        let mut balanced = 0;
        for step in 0..=20 {
            let found = report(&usual, f64::from(step) / 20.0);
            balanced += found.balance.frames;
            assert_eq!(found.balance.lost_frames, 0, "{names:?} {step}: {:?}", found.balance);
            assert!(found.forces.friction_excess <= 0.07, "{names:?} {step}: {:?}", found.forces);
            // Equation 14, on frames that were written and smoothed over 0.1 s.
            assert!(found.forces.equation_14_g <= 0.11, "{names:?} {step}: {:?}", found.forces);
            assert!(found.solving.most_steps <= 3 && found.solving.worst_residual_m <= 1e-7, "{:?}", found.solving);
        }
        assert!(balanced > 1000, "{names:?}: nothing was judged");
    }
}

#[test]
fn one_clip_alone_comes_back() {
    let pairs = [
        ["short-jump", "long-jump"],
        ["long-jump", "half-turn-jump"],
        ["sit-low", "sit-high"],
        ["walk", "turning-walk"],
    ];
    for names in pairs {
        for options in [
            BlendOptions::default(),
            BlendOptions { smooth_timing: true, smooth_facing: true, ..BlendOptions::default() },
        ] {
            let usual = space(&names, options);
            for (clip, name) in names.iter().enumerate() {
                let mut weights = [0.0; 2];
                weights[clip] = 1.0;
                let blend = usual.blend(&weights).unwrap().clip;
                let known = &built_in(name).clip;
                let keys = &usual.keys_secs()[clip];
                let frame = |secs: f64| FrameIndex((secs * 120.0).round() as usize);
                let end = FrameIndex(frame(keys[keys.len() - 1]).0 + 1);
                let part = edit::cut_frames(known, frame(keys[0])..end).unwrap();
                assert_eq!(blend.frame_count(), part.frame_count(), "{names:?} {name}");
                let apart = joint_positions_m(&blend).into_iter().zip(joint_positions_m(&part));
                let worst_m = apart.map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
                assert!(worst_m < 1e-6, "{names:?} {name}: {worst_m}");
                let turned = blend.rotations().iter().zip(part.rotations());
                let worst_deg = turned.map(|(a, b)| so3::angle_between(*a, *b).to_degrees()).fold(0.0, f64::max);
                assert!(worst_deg < 1e-4, "{names:?} {name}: {worst_deg}°");
            }
        }
    }
}

fn coms_m(clip: &Clip, body: &Body) -> Vec<DVec3> {
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    clip.frames()
        .map(|frame| {
            pose.pose(clip, frame);
            body.com_in_world_m(&pose)
        })
        .collect()
}

#[test]
fn three_at_once_are_two_and_then_the_third() {
    let names = ["short-jump", "long-jump", "half-turn-jump"];
    let known = names.map(built_in);
    let all = space(&names, BlendOptions::default());
    let weights = [0.3, 0.2, 0.5];
    let at_once = all.blend(&weights).unwrap();
    let pair = space(&names[..2], BlendOptions::default());
    let two = pair.blend(&[0.6, 0.4]).unwrap();
    let first = pair.report(&two).unwrap();
    let between = Known::of(two.clip);
    let mut end_secs = 0.0;
    let mut keys_secs = Vec::new();
    for phase in &first.phases {
        end_secs += phase.secs;
        keys_secs.push(end_secs);
    }
    keys_secs.pop();
    let own = &all.keys_secs()[2];
    let phases = ManualPhases {
        phases: vec![PhaseKind::Contact, PhaseKind::Flight, PhaseKind::Contact],
        clips: vec![
            ManualKeys { keys_secs, ..ManualKeys::default() },
            ManualKeys { keys_secs: own[1..own.len() - 1].to_vec(), ..ManualKeys::default() },
        ],
    };
    let options = BlendOptions { phases: Some(phases), ..BlendOptions::default() };
    let then = space_of(&[&between, known[2]], options).unwrap();
    let one_by_one = then.blend(&[0.5, 0.5]).unwrap();
    let (once, after) = (all.report(&at_once).unwrap(), then.report(&one_by_one).unwrap());
    for (a, b) in once.phases.iter().zip(&after.phases) {
        // The intermediate was cut to whole frames, so its last phase is shorter by a part of one.
        assert!((a.secs - b.secs).abs() < 0.5 / 120.0, "{a:?} {b:?}");
    }
    assert!((once.phases[1].secs - after.phases[1].secs).abs() < 1e-12);
    let body = &known[0].body;
    let (a, b) = (coms_m(&at_once.clip, body), coms_m(&one_by_one.clip, body));
    // Until the landing nothing was cut.
    let frames = ((once.phases[0].secs + once.phases[1].secs) * 120.0) as usize;
    let worst_m = a.iter().zip(&b).take(frames).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(worst_m < 5e-4, "{worst_m}");
}

#[test]
fn half_of_a_half_turn_is_a_quarter() {
    let usual = space(&["long-jump", "half-turn-jump"], BlendOptions::default());
    let found = report(&usual, 0.5);
    let flight = &found.flights[0];
    let expected = 0.5 * (flight.input_turn_deg[0] + flight.input_turn_deg[1]);
    assert!((flight.turn_deg - expected).abs() < 0.5, "{flight:?}");
    assert!(flight.input_turn_deg[1].abs() > 60.0, "{flight:?}");
    let turn = found.conditions.iter().find(|it| it.name == "same_turn").unwrap();
    assert!(!turn.holds && turn.finding.code == codes::VELOCITY_JUMPS, "{turn:?}");
    // Both switches leave no jump of velocity beyond what frames show.
    let smooth =
        usual.with_options(BlendOptions { smooth_timing: true, smooth_facing: true, ..BlendOptions::default() });
    let timing = |report: &BlendReport| report.transitions.iter().map(|it| it.timing_jump).fold(0.0, f64::max);
    assert!(timing(&report(&smooth, 0.5)) < 1e-9 && timing(&found) > 1e-3);
}

#[test]
fn legs_do_not_jump_at_take_off_and_landing() {
    let usual = space(&["short-jump", "half-turn-jump"], BlendOptions::default());
    let bare = usual.with_options(BlendOptions { fade_secs: 0.0, ..BlendOptions::default() });
    let worst = |space: &BlendSpace| {
        let jumps = INNER.iter().flat_map(|weight| report(space, *weight).transitions);
        jumps.map(|it| it.leg_jump_m).fold(0.0, f64::max)
    };
    let (faded_m, bare_m) = (worst(&usual), worst(&bare));
    assert!(faded_m < 1e-3 && bare_m > 5.0 * faded_m, "{faded_m} {bare_m}");
}

#[test]
fn walks_are_matched_step_by_step_and_runs_by_flights() {
    let walks = space(&["walk", "turning-walk"], BlendOptions::default());
    assert!(walks.is_gait() && walks.kinds().iter().all(|kind| *kind == PhaseKind::Contact));
    assert!(walks.kinds().len() >= 5, "{:?}", walks.events());
    let found = report(&walks, 0.5);
    assert!(found.feet.off_track_m < 1e-5, "{:?}", found.feet);
    let run = built_in("run");
    let slow = Known::of(edit::with_speed(&run.clip, 0.97).unwrap());
    let runs = space_of(&[run, &slow], BlendOptions::default()).unwrap();
    assert!(runs.is_gait() && runs.kinds().iter().filter(|kind| **kind == PhaseKind::Flight).count() >= 3);
    let blend = runs.blend(&[0.5, 0.5]).unwrap();
    for flight in &runs.report(&blend).unwrap().flights {
        assert!((flight.g / flight.predicted_g - 1.0).abs() < 5e-4, "{flight:?}");
    }
}

#[test]
fn a_run_beside_a_walk_is_told_to_fly_alone() {
    let flights = |names: &[&'static str]| {
        let report = report(&space(names, BlendOptions::default()), 0.5);
        let found = report.conditions.iter().find(|it| it.name == "same_flights");
        found.map(|it| (it.holds, it.finding.code))
    };
    assert_eq!(flights(&["walk", "run"]), Some((false, codes::FLIGHTS_APART)));
    assert!(flights(&["short-jump", "long-jump"]).unwrap().0);
    assert_eq!(flights(&["walk", "turning-walk"]), None);
}

#[test]
fn a_sweep_is_the_same_as_its_blends() {
    let usual = space(&["short-jump", "long-jump"], BlendOptions::default());
    let weights: Vec<Vec<f64>> = (0..6).map(|i| vec![1.0 - f64::from(i) / 5.0, f64::from(i) / 5.0]).collect();
    for (blend, weights) in usual.sweep(&weights).into_iter().zip(&weights) {
        assert_eq!(blend.unwrap().clip, usual.blend(weights).unwrap().clip);
    }
}

#[test]
fn what_cannot_be_blended_is_refused_in_words() {
    let usual = space(&["short-jump", "long-jump"], BlendOptions::default());
    let problem = |weights: &[f64]| usual.blend(weights).unwrap_err().to_string();
    assert!(problem(&[0.6, 0.6]).contains("sum to 1.2"));
    assert!(problem(&[-0.5, 1.5]).contains("negative"));
    assert!(problem(&[f64::NAN, 1.0]).contains("NaN"));
    assert!(problem(&[1.0]).contains("1 weights for 2 clips"));
    let jump = built_in("short-jump");
    let one = space_of(&[jump], BlendOptions::default()).unwrap_err();
    assert!(matches!(one, EditingError::OneClip { found: 1 }));
    let still = Known {
        clip: edit::cut_frames(&jump.clip, FrameIndex(0)..FrameIndex(1)).unwrap(),
        roles: jump.roles.clone(),
        body: jump.body.clone(),
        contacts: jump.contacts.clone(),
    };
    let still = space_of(&[jump, &still], BlendOptions::default()).unwrap_err();
    let of_second = |error: EditingError| match error {
        EditingError::InClip { clip: 1, source } => *source,
        other => panic!("{other}"),
    };
    assert!(matches!(of_second(still), EditingError::TooFewFrames { frames: 1, .. }));
    let dog = Known::of(aplomb_builtins::clip("quadruped-walk").unwrap());
    let dog = of_second(space_of(&[jump, &dog], BlendOptions::default()).unwrap_err());
    assert!(matches!(dog, EditingError::OtherSkeleton { .. }), "{dog}");
    let mixed = space_of(&[jump, built_in("walk")], BlendOptions::default()).unwrap_err().to_string();
    assert!(mixed.contains("take-off") && mixed.contains("step left"), "{mixed}");
    let given = |keys: &[&[f64]]| BlendOptions {
        phases: Some(ManualPhases {
            phases: vec![PhaseKind::Contact, PhaseKind::Flight, PhaseKind::Contact],
            clips: keys.iter().map(|keys| ManualKeys { keys_secs: keys.to_vec(), ..ManualKeys::default() }).collect(),
        }),
        ..BlendOptions::default()
    };
    for (keys, word) in [
        (&[&[1.0, 1.4][..]][..], "1 clips"),
        (&[&[1.0, 1.4], &[1.0]], "1 keys"),
        (&[&[1.0, 1.4], &[1.4, 1.0]], "no length"),
        (&[&[1.0, 99.0], &[1.0, 1.4]], "outside"),
    ] {
        let problem = space_of(&[jump, jump], given(keys)).unwrap_err().to_string();
        assert!(problem.contains(word), "{problem}");
    }
}

#[test]
fn what_a_blend_measures_is_found_again() {
    use aplomb_editing::blend::Parameter;
    let reach = |space: &BlendSpace, made: &[f64], parameters: &[Parameter]| {
        let of = |weights: &[f64], parameter| space.measure(&space.blend(weights).unwrap(), parameter).unwrap();
        let asked: Vec<(Parameter, f64)> = parameters.iter().map(|it| (*it, of(made, *it))).collect();
        let found = space.weights_at(&asked).unwrap();
        for (parameter, value) in asked {
            let achieved = of(&found, parameter);
            let near = (achieved - value).abs() <= parameter.tolerance(value);
            assert!(near, "{parameter:?} {value}: {achieved} with {found:?}, made with {made:?}");
        }
    };
    let two = space(&["short-jump", "half-turn-jump"], BlendOptions::default());
    for weight in [0.05, 0.26, 0.5, 0.93] {
        for parameter in Parameter::ALL {
            reach(&two, &[1.0 - weight, weight], &[parameter]);
        }
    }
    let three = space(&["short-jump", "long-jump", "half-turn-jump"], BlendOptions::default());
    reach(&three, &[0.3, 0.4, 0.3], &[Parameter::Length, Parameter::Turn]);
    reach(&three, &[0.1, 0.2, 0.7], &[Parameter::Length, Parameter::Turn]);
    let error = two.weights_at(&[(Parameter::Length, 9.0)]).unwrap_err().to_string();
    assert!(error.contains("9 m") && error.contains("blends"), "{error}");
}
