use super::*;
use crate::Take;
use crate::contacts::{NamedPoint, OtherReason, Verdict};
use crate::ground::Ground;
use aplomb_motion::{Channels, Clip, FrameTime, JointId, Roles, Skeleton, Timeline, TranslationTrack};
use aplomb_physics::body::BodySource;
use aplomb_physics::{Body, BodyOptions, Link, SpatialInertia, Symmetric3};
use glam::{DQuat, DVec3};
use std::sync::Arc;

const HZ: f64 = 120.0;
const G: f64 = 9.81;
const MASS_KG: f64 = 70.0;
const INERTIA: f64 = 20.0;

/// A plate of 20 × 20 cm that lies on the ground, and a heavy block that moves over it as it likes.
fn block_on_a_plate(block: impl Fn(f64) -> (DVec3, DQuat)) -> (Clip, Body) {
    let mut builder = Skeleton::builder();
    let plate = builder.add(None, "plate", DVec3::ZERO, Channels::default());
    let joint = builder.add(Some(plate), "block", DVec3::Y, Channels::default());
    let skeleton = Arc::new(builder.build().unwrap());
    let about_com = Symmetric3::diagonal(DVec3::splat(INERTIA));
    let inertia = SpatialInertia { mass_kg: MASS_KG, com_m: DVec3::ZERO, about_com };
    let link = Link { joint, inertia, shapes: Vec::new() };
    let source = BodySource::Given("test".to_owned());
    let body = Body::from_links(Arc::clone(&skeleton), vec![link], None, source, Vec::new()).unwrap();
    let states: Vec<(DVec3, DQuat)> = (0..121).map(|frame| block(f64::from(frame) / HZ)).collect();
    let rotations = states.iter().flat_map(|state| [DQuat::IDENTITY, state.1]).collect();
    let track = TranslationTrack { joint, positions_m: states.iter().map(|state| state.0).collect() };
    let timeline = Timeline::Uniform(FrameTime::from_hz(HZ).unwrap());
    (Clip::new(skeleton, timeline, states.len(), rotations, vec![track]).unwrap(), body)
}

fn looked_at(clip: &Clip, body: &Body, ground: Ground) -> Inspection {
    let mut options = InspectOptions::default();
    options.contacts.ground = ground;
    options.contacts.named_points = [(-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)]
        .into_iter()
        .map(|(x, z)| NamedPoint {
            name: format!("corner {x} {z}"),
            joint: JointId::new(0),
            point_in_joint_m: DVec3::new(x, 0.0, z),
            may_be_raised: true,
        })
        .collect();
    Take::new(clip.clone(), Roles::detect(clip), body.clone()).with_options(options.clone()).into_inspection().unwrap()
}

/// σ = w/4 of the default smoothing.
const SIGMA_SECS: f64 = 0.167 / 4.0;

/// Frames that the continued ends do not reach: the kernel is 21 frames long on each side, and derivatives take one
/// more.
const UNTOUCHED: std::ops::Range<usize> = 22..99;

#[test]
fn who_stands_presses_with_the_weight_below_the_centre_of_mass() {
    let at_m = DVec3::new(0.03, 1.1, -0.05);
    let (clip, body) = block_on_a_plate(|_| (at_m, DQuat::IDENTITY));
    let found = looked_at(&clip, &body, Ground::default());
    let series = &found.series;
    assert!((series.force_newtons[60].unwrap() - DVec3::Y * MASS_KG * G).length() < 1e-9);
    assert!((series.zmp_in_world_m[60].unwrap() - at_m.with_y(0.0)).length() < 1e-12);
    assert_eq!((found.zmp.mean_m, found.zmp.outside_share), (Some(0.0), Some(0.0)));
    assert_eq!((found.balance.outside_share, found.other_share), (Some(0.0), Some(0.0)));
    assert!(found.friction.p95.unwrap() < 1e-12);
    assert_eq!(series.cop_in_world_m[60], series.zmp_in_world_m[60]);
    // Half the smoothing time from the ends nothing is said: 10 frames of 120 Hz.
    assert_eq!((series.force_newtons[9], series.force_newtons[111]), (None, None));
    assert!(series.force_newtons[11].is_some() && series.force_newtons[109].is_some());
}

#[test]
fn acceleration_moves_the_zero_moment_point_by_height_times_a_over_g() {
    let (height_m, a) = (0.9, 1.5);
    let (clip, body) =
        block_on_a_plate(|t| (DVec3::new(0.5 * a * (t - 0.5) * (t - 0.5), height_m, 0.0), DQuat::IDENTITY));
    let found = looked_at(&clip, &body, Ground::default());
    for frame in UNTOUCHED {
        let t = frame as f64 / HZ - 0.5;
        // A smoothed parabola is a parabola, σ²a/2 higher (and 4e-4 of that less: the kernel is cut).
        let x_m = 0.5 * a * (t * t + SIGMA_SECS * SIGMA_SECS);
        let zmp_m = found.series.zmp_in_world_m[frame].unwrap();
        assert!((zmp_m.x - (x_m - height_m * a / G)).abs() < 1e-5, "{zmp_m}");
        assert!((found.series.friction_ratio[frame].unwrap() - a / G).abs() < 1e-6);
    }
}

#[test]
fn angular_acceleration_moves_the_zero_moment_point_by_its_moment_over_the_weight() {
    let spin_rate = 5.0;
    let (clip, body) = block_on_a_plate(|t| (DVec3::Y, DQuat::from_rotation_z(0.5 * spin_rate * t * t)));
    let found = looked_at(&clip, &body, Ground::default());
    // L̇ = Iα about z; n × L̇ / (Mg) = Iα/(Mg) along x, 14.6 cm. The patches of the corners end at 10 + 4 cm.
    let expected_m = INERTIA * spin_rate / (MASS_KG * G);
    for frame in UNTOUCHED {
        let zmp_m = found.series.zmp_in_world_m[frame].unwrap();
        assert!((zmp_m - DVec3::X * expected_m).length() < 1e-6, "{zmp_m}");
        assert!((found.series.zmp_distance_m[frame].unwrap() - (expected_m - 0.14)).abs() < 1e-6);
        assert!((found.series.cop_in_world_m[frame].unwrap().x - 0.14).abs() < 1e-9);
        let t = frame as f64 / HZ;
        assert!((found.series.angular_momentum[frame].unwrap().z - INERTIA * spin_rate * t).abs() < 1e-3);
    }
    assert_eq!(found.zmp.outside_share, Some(0.0), "half a centimetre is no offence");
}

#[test]
fn on_a_slope_friction_is_its_tangent() {
    let slope = Ground::new(DVec3::ZERO, DVec3::new(-(0.2f64.tan()), 1.0, 0.0)).unwrap();
    let turn = DQuat::from_rotation_z(0.2);
    let (clip, body) = block_on_a_plate(|_| (turn.conjugate() * DVec3::new(0.02, 0.8, 0.0), DQuat::IDENTITY));
    let tilted = |clip: Clip| {
        let (skeleton, timeline, frames, mut rotations, tracks) = clip.into_parts();
        rotations.iter_mut().step_by(2).for_each(|plate| *plate = turn);
        Clip::new(skeleton, timeline, frames, rotations, tracks).unwrap()
    };
    let found = looked_at(&tilted(clip), &body, slope);
    assert!((found.series.friction_ratio[60].unwrap() - 0.2f64.tan()).abs() < 1e-9);
    // Gravity stays vertical: straight below the centre of mass, on the slope.
    let zmp_m = found.series.zmp_in_world_m[60].unwrap();
    assert!((zmp_m - DVec3::new(0.02, 0.02 * 0.2f64.tan(), 0.0)).length() < 1e-9, "{zmp_m}");
    assert_eq!((found.zmp.mean_m, found.balance.outside_share), (Some(0.0), Some(0.0)));
}

#[test]
fn what_no_contact_can_carry_is_other_and_counted() {
    let (clip, body) = block_on_a_plate(|_| (DVec3::new(0.6, 1.0, 0.0), DQuat::IDENTITY));
    let found = looked_at(&clip, &body, Ground::default());
    assert_eq!((found.other_share, found.zmp.mean_m, found.friction.p95), (Some(1.0), None, None));
    assert_eq!(found.contacts.other.len(), 1);
    assert_eq!(found.contacts.other[0].reason, OtherReason::FarSupport);
    assert_eq!(found.phases.len(), 1);
    assert!(found.warnings.iter().any(|warning| warning.contains("not modelled")), "{:?}", found.warnings);
    // Down at 1.5 g: something must pull half the weight.
    let (clip, body) = block_on_a_plate(|t| (DVec3::Y * (9.0 - 0.75 * G * t * t), DQuat::IDENTITY));
    let found = looked_at(&clip, &body, Ground::default());
    assert_eq!(found.contacts.other[0].reason, OtherReason::Pull);
}

/// `NaN` and `inf` as numbers; JSON would hide them as null.
fn assert_finite(found: &Inspection, what: &str) {
    let text = format!("{found:?}");
    let is_number = |word: &&str| matches!(*word, "NaN" | "inf");
    let bad = text.split(|c: char| !c.is_alphanumeric()).find(is_number);
    assert_eq!(bad, None, "{what}");
    assert_eq!(found.contact_reports.len(), found.contacts.contacts.len(), "{what}");
    assert_eq!(found.flight_reports.len(), found.contacts.flights.len(), "{what}");
    let series = &found.series;
    let frames = series.times_secs.len();
    assert_eq!(
        (series.kind.len(), series.down.len(), series.support_polygon_m.len()),
        (frames, frames, frames),
        "{what}"
    );
}

fn inspected(clip: &Clip) -> Inspection {
    let roles = Roles::detect(clip);
    let body = Body::of_clip(clip, &roles, &BodyOptions::default()).unwrap();
    Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap()
}

/// The first frames of a clip, moved by `root_m` at each, at the given times.
fn remade(clip: &Clip, frames: usize, timeline: Timeline, root_m: impl Fn(usize) -> DVec3) -> Clip {
    let joints = clip.skeleton().len();
    let rotations = clip.rotations()[..frames * joints].to_vec();
    let tracks = clip.tracks().iter().map(|track| {
        let positions_m = track.positions_m[..frames].iter().enumerate().map(|(frame, m)| *m + root_m(frame)).collect();
        TranslationTrack { joint: track.joint, positions_m }
    });
    Clip::new(Arc::clone(clip.skeleton()), timeline, frames, rotations, tracks.collect()).unwrap()
}

#[test]
fn hostile_clips_get_a_report_without_a_single_nan() {
    let walk = aplomb_builtins::clip("walk").unwrap();
    let even = || Timeline::Uniform(FrameTime::from_hz(HZ).unwrap());
    let still = |_: usize| DVec3::ZERO;
    for frames in 0..12 {
        let found = inspected(&remade(&walk, frames, even(), still));
        assert_finite(&found, &format!("{frames} frames"));
        assert_eq!(found.series.times_secs.len(), frames);
        assert!(!found.warnings.is_empty(), "{frames} frames: nothing can be told, and nothing is said");
        assert_eq!(found.zmp.mean_m, None, "{frames} frames");
    }
    let keyed = |frames: usize, gap: fn(usize) -> f64| {
        let times = (0..frames).scan(3.0, |secs, frame| Some(std::mem::replace(secs, *secs + gap(frame))));
        Timeline::keyed(times.collect()).unwrap()
    };
    let far = |frame: usize| DVec3::splat(if frame % 7 == 3 { 1e9 } else { -1e9 });
    let falling = |frame: usize| DVec3::Y * (100.0 - 0.5 * G * (frame as f64 / HZ).powi(2));
    let up = |frame: usize| DVec3::Y * frame as f64;
    let cases: [(&str, Clip); 8] = [
        ("keyed", remade(&walk, 100, keyed(100, |frame| 0.004 + 0.003 * (frame % 4) as f64), still)),
        ("keyed, one key", remade(&walk, 1, keyed(1, |_| 1.0), still)),
        ("keyed, no key", remade(&walk, 0, keyed(0, |_| 1.0), still)),
        ("keyed, days and microseconds", remade(&walk, 30, keyed(30, |f| if f % 3 == 0 { 1e5 } else { 1e-6 }), still)),
        ("far away and popping", remade(&walk, 120, even(), far)),
        ("all flight", remade(&walk, 120, even(), falling)),
        ("a rocket", remade(&walk, 120, even(), up)),
        ("ten kilohertz", remade(&walk, 60, Timeline::Uniform(FrameTime::from_secs(1e-4).unwrap()), still)),
    ];
    for (what, clip) in &cases {
        let found = inspected(clip);
        assert_finite(&found, what);
        assert!(!found.warnings.is_empty() || *what == "keyed", "{what}: {found:?}");
    }
    // Frames hours apart would need a billion samples between them: said, not tried.
    let hours = inspected(&remade(&walk, 60, Timeline::Uniform(FrameTime::from_secs(1e4).unwrap()), still));
    assert_finite(&hours, "hours");
    assert!(hours.warnings.iter().any(|warning| warning.contains("too far apart")), "{:?}", hours.warnings);
    assert_eq!((hours.other_share, hours.phases[0].kind), (None, PhaseKind::Other));
    for name in ["ball", "quadruped-walk", "sit-low", "long-jump"] {
        assert_finite(&inspected(&aplomb_builtins::clip(name).unwrap()), name);
    }
}

#[test]
fn nobody_without_legs_is_judged() {
    let found = inspected(&aplomb_builtins::clip("ball").unwrap());
    assert_eq!((found.other_share, found.phases.len(), found.phases[0].kind), (None, 1, PhaseKind::Other));
    assert_eq!((found.zmp.mean_m, found.skate.mean_m, found.penetration.max_m), (None, None, None));
    assert_eq!((found.score.score, found.score.worst, found.score.judged_share), (None, None, 0.0));
    assert!(!found.score.judged);
    assert!(found.warnings.iter().any(|warning| warning.contains("no feet are known")), "{:?}", found.warnings);
    assert!(found.series.com_in_world_m.iter().all(Option::is_some));
}

#[test]
fn a_clip_in_the_air_is_one_flight_phase() {
    let walk = aplomb_builtins::clip("walk").unwrap();
    let even = Timeline::Uniform(FrameTime::from_hz(HZ).unwrap());
    let falling = remade(&walk, 120, even, |frame| DVec3::Y * (100.0 - 0.5 * G * (frame as f64 / HZ).powi(2)));
    let found = inspected(&falling);
    assert_eq!(found.phases.iter().map(|phase| phase.kind).collect::<Vec<_>>(), vec![PhaseKind::Flight]);
    assert_eq!((found.other_share, found.zmp.mean_m, found.balance.outside_share), (Some(0.0), None, None));
}

#[test]
fn a_body_of_another_skeleton_and_options_out_of_range_are_refused() {
    let (walk, ball) = (aplomb_builtins::clip("walk").unwrap(), aplomb_builtins::clip("ball").unwrap());
    let roles = Roles::detect(&walk);
    let foreign = Body::of_clip(&ball, &Roles::detect(&ball), &BodyOptions::default()).unwrap();
    let refused = Take::new(walk.clone(), roles.clone(), foreign.clone()).into_inspection();
    assert!(matches!(refused, Err(AnalysisError::Physics(_))), "{refused:?}");
    let body = Body::of_clip(&walk, &roles, &BodyOptions::default()).unwrap();
    for options in [
        InspectOptions { smoothing_secs: f64::NAN, ..Default::default() },
        InspectOptions { sole_half_width_m: -0.1, ..Default::default() },
        InspectOptions { other_support_m: 0.0, ..Default::default() },
    ] {
        assert!(matches!(
            Take::new(walk.clone(), roles.clone(), body.clone()).with_options(options.clone()).into_inspection(),
            Err(AnalysisError::Option { .. })
        ));
    }
}

#[test]
fn pops_are_no_forces_and_a_stray_first_frame_has_none() {
    let walk = aplomb_builtins::clip("walk").unwrap();
    let even = || Timeline::Uniform(FrameTime::from_hz(HZ).unwrap());
    let frames = walk.frame_count();
    let clean = inspected(&walk);
    let popped = inspected(&remade(&walk, frames, even(), |frame| DVec3::Y * if frame == 150 { 0.3 } else { 0.0 }));
    assert!(!popped.contacts.spikes.is_empty());
    for frame in 100..200 {
        let of = |found: &Inspection| found.series.force_newtons[frame].unwrap();
        // 1 % of the weight: what the cubic over the bridged frame leaves.
        assert!((of(&clean) - of(&popped)).length() < 7.0, "frame {frame}: {} {}", of(&clean), of(&popped));
    }
    let joints = walk.skeleton().len();
    let (skeleton, timeline, frames, mut rotations, tracks) = walk.into_parts();
    rotations[..joints].fill(DQuat::IDENTITY);
    let stray = inspected(&Clip::new(skeleton, timeline, frames, rotations, tracks).unwrap());
    assert!(stray.contacts.stray_first_frame);
    let series = &stray.series;
    assert_eq!(
        (series.kind[0], series.com_in_world_m[0], series.penetration_m[0], series.down[0]),
        (None, None, None, 0)
    );
    assert_eq!((series.times_secs[0], series.times_secs.len()), (0.0, frames));
    assert!((series.times_secs[1] - 1.0 / HZ).abs() < 1e-12 && series.com_in_world_m[1].is_some());
}

#[test]
fn built_in_clips_obey_physics() {
    for (name, flights, kind) in [
        ("walk", 0, None),
        ("run", 7, None),
        ("short-jump", 1, Some(3)),
        ("long-jump", 1, Some(3)),
        ("half-turn-jump", 1, Some(3)),
    ] {
        let found = inspected(&aplomb_builtins::clip(name).unwrap());
        assert_eq!(found.contacts.flights.len(), flights, "{name}");
        for report in &found.flight_reports {
            // Balanced with the body of the figure at rest, judged with the one of the clip's poses: 0.5 % for raised
            // shoulders.
            assert_eq!(report.verdict, Verdict::Verified, "{name}");
            assert!(
                (report.g.unwrap() / G - 1.0).abs() < 0.005 && report.residual_m.unwrap() < 0.001,
                "{name}: {report:?}"
            );
            assert!(report.bend_m.unwrap() < 0.001 && report.looks_right == Some(true), "{name}: {report:?}");
        }
        if let Some(phases) = kind {
            let kinds: Vec<PhaseKind> = found.phases.iter().map(|phase| phase.kind).collect();
            assert_eq!(kinds, vec![PhaseKind::Double, PhaseKind::Flight, PhaseKind::Double], "{name}");
            assert_eq!((phases, found.transitions.len()), (3, 2));
        }
        assert!(found.skate.max_m.unwrap() < 0.001, "{name}: {:?}", found.skate);
        assert!(found.penetration.max_m.unwrap() < 0.01, "{name}: {:?}", found.penetration);
        assert_eq!(found.other_share, Some(0.0), "{name}");
        // Phases and flights have the same edges.
        for flight in &found.contacts.flights {
            let is_same = |phase: &&Phase| phase.start_secs == flight.start_secs && phase.end_secs == flight.end_secs;
            let phase = found.phases.iter().find(is_same);
            assert_eq!(phase.map(|phase| phase.kind), Some(PhaseKind::Flight), "{name}: {flight:?} {:?}", found.phases);
        }
        if name != "run" {
            assert!(found.zmp.mean_m.unwrap() < 0.005, "{name}: {:?}", found.zmp);
        }
    }
}

/// A runner's stances load 2.5 times the weight; between frames of 30 Hz a force used to be two percent to a third of
/// the weight off.
#[test]
fn forces_do_not_depend_on_the_frame_rate() {
    let clip = aplomb_builtins::clip("run").unwrap();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    let own = Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap();
    let weight_newtons = body.total_mass_kg() * G;
    for (hz, stride) in [(60.0, 2), (30.0, 4)] {
        let slower = aplomb_motion::edit::resample(&clip, FrameTime::from_hz(hz).unwrap()).unwrap();
        let found = Take::new(slower.clone(), roles.clone(), body.clone()).into_inspection().unwrap();
        let pairs = found.series.force_newtons.iter().zip(own.series.force_newtons.iter().step_by(stride));
        let off: Vec<f64> = pairs.filter_map(|(a, b)| Some((((*a)?) - ((*b)?)).length() / weight_newtons)).collect();
        assert!(off.len() > 20, "{hz}: {}", off.len());
        let worst = off.iter().copied().fold(0.0, f64::max);
        // What a spline through frames of 30 Hz cannot know of an impact.
        assert!(worst < 0.1, "{hz} Hz: {worst} of the weight");
    }
}

#[test]
fn one_frame_says_nothing_and_claims_nothing() {
    let walk = aplomb_builtins::clip("walk").unwrap();
    let frame = aplomb_motion::FrameIndex(0)..aplomb_motion::FrameIndex(1);
    let found = inspected(&aplomb_motion::edit::cut_frames(&walk, frame).unwrap());
    assert_eq!((found.other_share, found.score.judged_share), (None, 0.0));
    assert_eq!((found.score.score, found.score.score_all, found.score.worst), (None, None, None));
}

/// Nothing panics, nothing is NaN, and no fault is claimed of clips that are too short for one.
#[test]
fn clips_of_a_few_frames_are_described_without_faults() {
    for name in ["walk", "run", "short-jump", "quadruped-walk"] {
        let clip = aplomb_builtins::clip(name).unwrap();
        for frames in 1..=5 {
            for start in [0, clip.frame_count() / 2] {
                let span = aplomb_motion::FrameIndex(start)..aplomb_motion::FrameIndex(start + frames);
                let found = inspected(&aplomb_motion::edit::cut_frames(&clip, span).unwrap());
                let Score { score, score_all, body, recording, moments, .. } = found.score;
                for points in [score, score_all, body, recording].into_iter().flatten() {
                    assert!((0.0..=100.0).contains(&points), "{name}, {frames} frames: {points}");
                }
                assert_eq!(body.is_none(), frames == 1, "{name}, {frames} frames");
                let of_body: Vec<_> = moments.iter().filter(|it| it.fault.aspect() == Aspect::Body).collect();
                assert!(of_body.is_empty(), "{name}, {frames} frames: {of_body:?}");
            }
        }
    }
}

/// A clip that is carried by something unmodelled for most of its time has no score of its own, and blames no measure.
#[test]
fn what_is_hardly_judged_has_no_score() {
    let (clip, body) = block_on_a_plate(|_| (DVec3::new(0.6, 1.0, 0.0), DQuat::IDENTITY));
    let found = looked_at(&clip, &body, Ground::default());
    assert_eq!((found.score.score, found.score.worst, found.score.judged_share), (None, None, 0.0));
    assert!(found.score.score_all.is_some_and(|points| points < 5.0), "{:?}", found.score);
}
