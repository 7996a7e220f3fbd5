use super::*;
use crate::measure::{Figures, figures, knee_curve_deg};
use aplomb_motion::roles::BodyPlan;
use aplomb_motion::{FrameIndex, Roles, WorldPose};
use glam::DQuat;

/// Limits of one clip: what is reached today with a little room; all are below what the design page reached.
struct Limits {
    name: &'static str,
    flights: usize,
    pressure_mean_mm: f64,
    pressure_max_mm: f64,
    force: (f64, f64),
    knee_deg: (f64, f64),
    angular_acceleration: f64,
}

const fn limits(
    name: &'static str,
    flights: usize,
    (pressure_mean_mm, pressure_max_mm): (f64, f64),
    force: (f64, f64),
    knee_deg: (f64, f64),
    angular_acceleration: f64,
) -> Limits {
    Limits { name, flights, pressure_mean_mm, pressure_max_mm, force, knee_deg, angular_acceleration }
}

const LIMITS: [Limits; 12] = [
    limits("walk", 0, (0.1, 5.0), (0.75, 1.40), (3.0, 67.0), 650.0),
    limits("turning-walk", 0, (0.3, 20.0), (0.75, 1.50), (3.0, 69.0), 650.0),
    limits("run", 8, (2.0, 45.0), (-0.01, 2.35), (14.0, 120.0), 600.0),
    limits("short-jump", 1, (0.5, 40.0), (-0.01, 3.8), (9.0, 98.0), 650.0),
    limits("long-jump", 1, (1.5, 90.0), (-0.01, 4.1), (9.0, 112.0), 900.0),
    limits("half-turn-jump", 1, (0.5, 30.0), (-0.01, 4.0), (9.0, 110.0), 500.0),
    limits("wave", 0, (0.0, 0.0), (0.95, 1.05), (9.0, 18.0), 100.0),
    limits("drum", 0, (0.0, 0.0), (0.95, 1.05), (9.0, 13.0), 60.0),
    limits("bow", 0, (0.0, 0.0), (0.85, 1.15), (7.0, 13.0), 20.0),
    limits("sit-low", 0, (0.0, 0.0), (0.80, 1.20), (9.0, 105.0), 20.0),
    limits("sit-high", 0, (0.0, 0.0), (0.80, 1.20), (9.0, 85.0), 20.0),
    limits("quadruped-walk", 0, (0.1, 1.0), (0.75, 1.25), (20.0, 70.0), 450.0),
];

#[test]
fn every_clip_keeps_its_figures() {
    for limits in LIMITS {
        let Limits { name, .. } = limits;
        let figures = figures(&make(name).unwrap());
        check(name, &limits, &figures);
    }
}

fn check(name: &str, limits: &Limits, found: &Figures) {
    assert!(found.drift_m < 0.05e-3, "{name}: a planned contact moves by {} mm", found.drift_m * 1e3);
    let mean_mm = found.pressure_mean_m * 1e3;
    assert!(mean_mm <= limits.pressure_mean_mm + 1e-3, "{name}: pressure point outside by {mean_mm} mm on average");
    assert!(found.pressure_p95_m < 1e-6, "{name}: {} m outside in more than 5 % of frames", found.pressure_p95_m);
    let worst_mm = found.pressure_max_m * 1e3;
    assert!(worst_mm <= limits.pressure_max_mm + 1e-3, "{name}: pressure point outside by {worst_mm} mm at worst");
    assert_eq!(found.flights.len(), limits.flights, "{name}: {:?}", found.flights);
    for flight in &found.flights {
        assert!((flight.gravity - 9.81).abs() < 0.01, "{name}: falls at {}", flight.gravity);
        assert!(flight.residual_m < 0.1e-3, "{name}: off the parabola by {}", flight.residual_m);
    }
    let within = |(low, high): (f64, f64), range: (f64, f64)| range.0 >= low && range.1 <= high;
    assert!(within(limits.force, found.force), "{name}: force {:?}", found.force);
    assert!(within(limits.knee_deg, found.knee_deg.unwrap()), "{name}: knees {:?}", found.knee_deg);
    assert!(found.lowest_m > -1e-3, "{name}: {} mm below the ground", found.lowest_m * 1e3);
    let (acceleration, place) = &found.angular_acceleration;
    assert!(*acceleration < limits.angular_acceleration, "{name}: {acceleration} rad/s² in {place}");
}

#[test]
fn the_ball_falls_freely_between_bounces_that_get_lower() {
    let made = make("ball").unwrap();
    let figures = figures(&made);
    assert!(figures.flights.len() >= 8);
    for flight in &figures.flights {
        assert!((flight.gravity - 9.81).abs() < 1e-6 && flight.residual_m < 1e-9, "{flight:?}");
    }
    let lasts = |flight: &measure::Flight| flight.end_secs - flight.start_secs;
    // The first is half a flight; each later one is shorter by the speed lost, 0.8, to a frame.
    for pair in figures.flights[1..].windows(2) {
        assert!((lasts(&pair[1]) / lasts(&pair[0]) - 0.8).abs() < 0.02 / lasts(&pair[1]), "{pair:?}");
    }
}

#[test]
fn a_walking_knee_follows_the_textbook() {
    let knee = knee_curve_deg(&make("walk").unwrap(), "LeftLeg");
    let at = |share: f64| knee[(share * 128.0).round() as usize];
    assert!((5.0..=10.5).contains(&at(0.0)), "heel strike {}", at(0.0));
    assert!((14.0..24.0).contains(&at(0.14)), "loading {}", at(0.14));
    assert!((3.0..12.0).contains(&at(0.38)), "late stance {}", at(0.38));
    assert!((25.0..42.0).contains(&at(0.60)), "toe off {}", at(0.60));
    let peak = (0..128).max_by(|&a, &b| knee[a].total_cmp(&knee[b])).unwrap() as f64 / 128.0;
    assert!((0.70..0.77).contains(&peak), "peak at {peak}");
    // From mid-stance to the peak the knee only bends: no second thoughts at toe-off.
    assert!((60..94).all(|frame| knee[frame + 1] > knee[frame] - 0.2));
}

#[test]
fn cyclic_clips_close() {
    for (name, cycle_frames) in [("walk", 128), ("turning-walk", 128), ("run", 84), ("quadruped-walk", 110)] {
        let clip = clip(name).unwrap();
        let (first, last) = (FrameIndex(0), FrameIndex(clip.frame_count() - 1));
        assert_eq!(last.0 % cycle_frames, 0, "{name}");
        let root = JointId::new(0);
        // What the cut-off ends leave: 30 µm at the hips over three cycles, which is up to 1 mrad (0.06°) in a nearly
        // straight leg.
        const TOLERANCE: f64 = 1.5e-3;
        let turned = clip.rotation(last, root) * clip.rotation(first, root).conjugate();
        for joint in clip.skeleton().ids().skip(1) {
            let gap = aplomb_motion::so3::angle_between(clip.rotation(first, joint), clip.rotation(last, joint));
            assert!(gap < TOLERANCE, "{name}: {} opens by {gap}", clip.skeleton().joint(joint).name);
        }
        // The root may have turned about the vertical only, and be at the same height.
        let tilt = turned * DVec3::Y - DVec3::Y;
        assert!(tilt.length() < TOLERANCE, "{name}: {tilt}");
        let rise = clip.translation_m(last, root).y - clip.translation_m(first, root).y;
        assert!(rise.abs() < TOLERANCE, "{name}: {rise}");
    }
}

#[test]
fn arms_swing_against_legs_and_the_head_stays_level() {
    for name in ["walk", "run"] {
        let clip = clip(name).unwrap();
        let joint = |name: &str| clip.skeleton().find(name).unwrap();
        let (hand, foot, head) = (joint("LeftHand"), joint("LeftFoot"), joint("Head"));
        let mut pose = WorldPose::default();
        let (mut together, mut hands, mut feet) = (0.0, 0.0, 0.0);
        for frame in clip.frames() {
            pose.pose(&clip, frame);
            let ahead = |id: JointId| pose.joint_in_world_m[id.index()].z - pose.joint_in_world_m[0].z - 0.1;
            together += ahead(hand) * ahead(foot);
            hands += ahead(hand) * ahead(hand);
            feet += ahead(foot) * ahead(foot);
            let up = pose.world_from_joint[head.index()] * DVec3::Y;
            assert!(up.y > 10f64.to_radians().cos(), "{name}: head tilts at {}", frame.0);
        }
        assert!(together / (hands * feet).sqrt() < -0.3, "{name}: {}", together / (hands * feet).sqrt());
    }
}

#[test]
fn contacts_are_planned_where_the_body_needs_them() {
    let walk = planned_contacts("walk").unwrap();
    let touched = |contacts: &[PlannedContact], t: f64| contacts.iter().any(|c| c.start_secs <= t && t <= c.end_secs);
    assert!((0..=320).all(|tick| touched(&walk, f64::from(tick) * 0.01)));
    assert!(walk.iter().all(|contact| contact.start_secs >= 0.0 && contact.end_secs > contact.start_secs));
    let run = planned_contacts("run").unwrap();
    assert!((0..=280).any(|tick| !touched(&run, f64::from(tick) * 0.01)));
    assert!(planned_contacts("sit-low").unwrap().iter().any(|contact| contact.effector == "hips"));
}

#[test]
fn roles_are_recognised_in_every_figure() {
    for (name, _) in NAMES {
        let plan = Roles::detect(&clip(name).unwrap()).plan();
        let expected = match name {
            "quadruped-walk" => BodyPlan::Quadruped,
            "ball" => BodyPlan::Single,
            _ => BodyPlan::Biped,
        };
        assert_eq!(plan, expected, "{name}");
    }
}

#[test]
fn the_same_name_gives_the_same_bits() {
    for name in ["walk", "half-turn-jump", "sit-high"] {
        assert_eq!(clip(name).unwrap(), clip(name).unwrap(), "{name}");
    }
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let message = make("wlak").unwrap_err().to_string();
    assert!(message.contains("wlak") && message.contains("turning-walk") && message.contains("ball"), "{message}");
}

#[test]
fn the_half_turn_ends_facing_back() {
    let clip = clip("half-turn-jump").unwrap();
    let last = clip.rotation(FrameIndex(clip.frame_count() - 1), JointId::new(0));
    assert!(aplomb_motion::so3::angle_between(last, DQuat::from_rotation_y(std::f64::consts::PI)) < 0.02);
}
