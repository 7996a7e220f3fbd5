//! What the paper's proofs ask of the clips (section 7), and whether they have it.

use super::compared::Compared;
use super::guarantees::{FlightGuarantee, TransitionGuarantee};
use super::phases::PhaseKind;
use super::source::BlendSource;
use crate::finding::{Finding, codes};
use aplomb_analysis::contacts::Flight;
use aplomb_analysis::report::UNNOTICED_G;
use aplomb_motion::so3;
use glam::{DQuat, DVec3};
use serde::Serialize;

/// One condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Condition {
    /// `same_flights`, `inputs_fall`, `same_axis`, `same_turn`, `same_feet`, `in_reach`.
    pub name: &'static str,
    /// Whether the clips have it.
    pub holds: bool,
    /// What was found, with figures.
    #[serde(skip)]
    pub finding: Finding,
    /// The same in the words of a receipt; empty before one is made.
    pub detail: String,
}

impl Condition {
    fn new(name: &'static str, holds: bool, finding: Finding) -> Self {
        Self { name, holds, finding, detail: String::new() }
    }
}

/// Rotations in flight that people see, rad.
const VISIBLE_RAD: f64 = 0.52;

/// Axes nearer than this are about the same, cosine of 30°.
const SAME_AXIS: f64 = 0.866;

/// Turns that differ by less are about the same, degrees.
const SAME_TURN_DEG: f64 = 30.0;

/// Turns that differ by more show in the angular momentum, degrees.
const OTHER_TURN_DEG: f64 = 90.0;

/// A flight with less than this over the ground goes up and down, m/s.
const VERTICAL: f64 = 0.5;

/// Feet nearer than this stand alike, m.
const SAME_FEET_M: f64 = 0.03;

pub(super) fn conditions(
    compared: &Compared<'_>,
    flights: &[FlightGuarantee],
    transitions: &[TransitionGuarantee],
) -> Vec<Condition> {
    let mut found: Vec<Condition> = same_flights(compared).into_iter().collect();
    if !flights.is_empty() {
        found.push(inputs_fall(compared, flights));
        found.push(same_axis(compared, flights));
        found.push(same_turn(compared, flights, transitions));
    }
    found.extend(same_feet(compared));
    found.push(in_reach(compared));
    found
}

/// A flight that is no more than the time between two steps of a quick walk, s.
const NO_FLIGHT_SECS: f64 = 0.04;

/// Gravity is kept where all clips fly. In a gait one may run where another walks: such a step is blended as a step.
fn same_flights(compared: &Compared<'_>) -> Option<Condition> {
    let matched = &compared.space.matched;
    let together = matched.kinds.iter().filter(|kind| **kind == PhaseKind::Flight).count();
    let counts: Vec<usize> = compared
        .counted()
        .map(|(clip, source, _)| {
            let keys = &matched.keys_secs[clip];
            let (first, last) = (keys[0], keys[keys.len() - 1]);
            let inside = |flight: &&Flight| flight.start_secs >= first && flight.end_secs <= last;
            let is_long = |flight: &&Flight| flight.end_secs - flight.start_secs > NO_FLIGHT_SECS;
            source.contacts.flights.iter().filter(inside).filter(is_long).count()
        })
        .collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    if most == 0 && together == 0 {
        return None;
    }
    let holds = counts.iter().all(|&count| count <= together);
    let listed: Vec<String> = counts.iter().map(usize::to_string).collect();
    let finding = match holds {
        true => Finding::of(codes::FLIGHTS_TOGETHER),
        false => Finding::of(codes::FLIGHTS_APART).value("flights", &listed[..]).value("together", together),
    };
    Some(Condition::new("same_flights", holds, finding))
}

fn inputs_fall(compared: &Compared<'_>, flights: &[FlightGuarantee]) -> Condition {
    let all = || flights.iter().flat_map(|it| compared.counted().map(|(clip, ..)| it.input_g[clip]));
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let holds = UNNOTICED_G.contains(&least) && UNNOTICED_G.contains(&most);
    let code = if holds { codes::CLIPS_FALL } else { codes::CLIPS_FALL_WRONGLY };
    Condition::new("inputs_fall", holds, Finding::of(code).value("least", least).value("most", most))
}

/// Rotation of the body from take-off to landing, in its own frame at take-off.
fn turned(source: &BlendSource, start_secs: f64, end_secs: f64) -> DVec3 {
    let world_from_root = |secs: f64| {
        let at = source.at(secs);
        DQuat::from_rotation_y(at.sum(|i| source.heading_rad[i])) * at.rotation(|i| source.lean[i])
    };
    let (off, on) = (world_from_root(start_secs), world_from_root(end_secs));
    // Heading goes beyond half a turn; leaning does not.
    let heading_rad = source.heading_at_rad(end_secs) - source.heading_at_rad(start_secs);
    let lean_rad = so3::log(off.conjugate() * DQuat::from_rotation_y(-heading_rad) * on);
    off.conjugate() * (DVec3::Y * heading_rad) + lean_rad
}

fn same_axis(compared: &Compared<'_>, flights: &[FlightGuarantee]) -> Condition {
    let space = compared.space;
    let phases = space.matched.kinds.iter().enumerate().filter(|(_, kind)| **kind == PhaseKind::Flight);
    let mut worst_deg: f64 = 0.0;
    let mut holds = true;
    for (phase, _) in phases {
        let turns = compared.counted().map(|(clip, source, _)| {
            let keys = &space.matched.keys_secs[clip];
            turned(source, keys[phase], keys[phase + 1])
        });
        let visible: Vec<DVec3> = turns.filter(|turn_rad| turn_rad.length() > VISIBLE_RAD).collect();
        for (index, a) in visible.iter().enumerate() {
            for b in &visible[index + 1..] {
                let cosine = a.normalize_or_zero().dot(b.normalize_or_zero());
                worst_deg = worst_deg.max(cosine.clamp(-1.0, 1.0).acos().to_degrees());
                holds &= cosine > SAME_AXIS;
            }
        }
    }
    let spread = turn_spread(compared, flights);
    holds &= spread <= OTHER_TURN_DEG;
    let finding = if holds {
        Finding::of(codes::ONE_AXIS)
    } else if spread > OTHER_TURN_DEG {
        Finding::of(codes::TURNS_DIFFER).value("spread_deg", spread)
    } else {
        Finding::of(codes::AXES_APART).value("apart_deg", worst_deg)
    };
    Condition::new("same_axis", holds, finding)
}

fn turn_spread(compared: &Compared<'_>, flights: &[FlightGuarantee]) -> f64 {
    let spread = |flight: &FlightGuarantee| {
        let turns = || compared.counted().map(|(clip, ..)| flight.input_turn_deg[clip]);
        turns().fold(f64::NEG_INFINITY, f64::max) - turns().fold(f64::INFINITY, f64::min)
    };
    flights.iter().map(spread).fold(0.0, f64::max)
}

fn same_turn(compared: &Compared<'_>, flights: &[FlightGuarantee], transitions: &[TransitionGuarantee]) -> Condition {
    let spread_deg = turn_spread(compared, flights);
    let landings = || {
        let keys = &compared.space.matched.keys_secs;
        compared.blend.placing.landings.iter().flat_map(move |landing| {
            compared.counted().map(move |(clip, source, _)| source.com_velocity(keys[clip][landing.phase]))
        })
    };
    let fastest = landings().map(|velocity| velocity.with_y(0.0).length()).fold(0.0, f64::max);
    let jump = transitions.iter().map(|it| it.velocity_jump).fold(0.0, f64::max);
    let holds = spread_deg <= SAME_TURN_DEG || fastest < VERTICAL;
    let turns = |code| Finding::of(code).value("spread_deg", spread_deg).value("speed", fastest);
    let smooth = if compared.space.options.smooth_facing { "on" } else { "off" };
    let finding = match holds {
        true => turns(codes::VELOCITY_GOES_ON),
        false => turns(codes::VELOCITY_JUMPS).value("jump", jump).value("smooth_facing", smooth),
    };
    Condition::new("same_turn", holds, finding)
}

/// Equation 11 needs one support polygon.
fn same_feet(compared: &Compared<'_>) -> Option<Condition> {
    let space = compared.space;
    if space.figure.legs.len() < 2 {
        return None;
    }
    let key = space.align;
    let between = |source: &BlendSource, secs: f64| {
        let at = source.at(secs);
        let heading = DQuat::from_rotation_y(-at.sum(|i| source.heading_rad[i]));
        let ball_m = |foot: usize| at.sum(|i| source.feet[foot].ball_m[i]);
        heading * (ball_m(0) - ball_m(1)).with_y(0.0)
    };
    let apart: Vec<DVec3> =
        compared.counted().map(|(clip, source, _)| between(source, space.matched.keys_secs[clip][key])).collect();
    let worst_m = apart.iter().flat_map(|a| apart.iter().map(move |b| a.distance(*b))).fold(0.0, f64::max);
    let holds = worst_m < SAME_FEET_M;
    let code = if holds { codes::FEET_ALIKE } else { codes::FEET_APART };
    Some(Condition::new("same_feet", holds, Finding::of(code).value("apart_m", worst_m)))
}

fn in_reach(compared: &Compared<'_>) -> Condition {
    let miss_m = compared.blend.solving.worst_miss_m;
    let holds = miss_m < 1e-4;
    let finding = match holds {
        true => Finding::of(codes::FEET_IN_REACH),
        false => Finding::of(codes::FOOT_OUT_OF_REACH).value("miss_m", miss_m),
    };
    Condition::new("in_reach", holds, finding)
}
