//! Everything that the scripts of a page read of one motion.

mod animation;
mod series;

use crate::input::ReportInput;
use animation::Animation;
pub use animation::Figure;
use aplomb_analysis::contacts::{Effector, Part, Verdict};
use aplomb_motion::{FrameIndex, JointId, Side, WorldPose};
use aplomb_physics::GRAVITY;
use glam::DVec3;
use serde::Serialize;
use series::{PackedSeries, kind_code, times_secs};

/// Spans of a clip are hundreds; more would be noise that cannot be seen.
const MOST_SPANS: usize = 5_000;

/// How much of a motion a page may hold.
pub(crate) struct Budget {
    /// Samples of curves.
    samples: usize,
    /// Raw bytes of positions and rotations; base64 adds a third.
    animation_bytes: usize,
}

impl Budget {
    /// More samples than a screen can show, and 120 Hz for more than five minutes.
    pub const ONE_MOTION: Self = Self { samples: 40_000, animation_bytes: 4_500_000 };
    /// Two motions are as large as one.
    pub const ONE_OF_TWO: Self = Self { samples: 20_000, animation_bytes: 2_250_000 };
}

/// The page's data.
#[derive(Serialize)]
pub(crate) struct Payload {
    title: String,
    duration: f64,
    /// First frame that belongs to the motion, s: not the T-pose that some files begin with.
    first: f64,
    frames: usize,
    fps: f64,
    mass: f64,
    stature: Option<f64>,
    friction: f64,
    floor: Option<f64>,
    effectors: Vec<PackedEffector>,
    /// [effector, start, end, drift in m]
    contacts: Vec<(usize, f64, f64, Option<f64>)>,
    /// [kind, start, end], kinds as in the series.
    phases: Vec<(u8, f64, f64)>,
    flights: Vec<PackedFlight>,
    footprints: Vec<Footprint>,
    moments: Vec<PackedMoment>,
    series: PackedSeries,
    animation: Animation,
    /// Shown with the warnings, not by the scripts.
    #[serde(skip)]
    pub notes: Vec<String>,
}

#[derive(Serialize)]
struct PackedEffector {
    name: String,
    side: &'static str,
}

#[derive(Serialize)]
struct PackedFlight {
    start: f64,
    end: f64,
    verdict: Verdict,
    g: Option<f64>,
    /// Height and upward speed at the start of the parabola with the fitted g.
    arc: Option<[f64; 2]>,
    /// The same of the parabola with 9.81 m/s².
    true_arc: Option<[f64; 2]>,
}

/// Something wrong, for the timeline.
#[derive(Serialize)]
struct PackedMoment {
    start: f64,
    end: f64,
    secs: f64,
    text: String,
}

/// Where a foot stood.
#[derive(Serialize)]
struct Footprint {
    side: &'static str,
    start: f64,
    end: f64,
    /// x and z of heel, ball and toe, or of the one point that touches.
    points: Vec<[f64; 2]>,
}

/// From the first to the last frame by the report's clock.
pub(crate) fn duration_secs(input: &ReportInput) -> f64 {
    let times = times_secs(input);
    times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first)
}

/// Frames that are left out of the physics have no centre of mass.
fn first_secs(input: &ReportInput, times_secs: &[f64]) -> f64 {
    let first = input.inspection.series.com_in_world_m.iter().position(Option::is_some).unwrap_or(0);
    times_secs.get(first).copied().unwrap_or(0.0)
}

impl Payload {
    pub fn of(input: &ReportInput, budget: &Budget) -> Self {
        let inspection = input.inspection;
        let contacts = &inspection.contacts;
        let times_secs = times_secs(input);
        let (animation, note) = Animation::of(input, &times_secs, budget);
        let index_of = |name: &str| contacts.effectors.iter().position(|effector| effector.name == name);
        let drifts_m = inspection.contact_reports.iter().map(|report| report.drift_m).chain(std::iter::repeat(None));
        let spans = contacts.contacts.iter().zip(drifts_m).filter_map(|(it, drift_m)| {
            Some((index_of(&it.effector)?, it.start_secs, it.end_secs, drift_m.filter(|drift_m| drift_m.is_finite())))
        });
        let phases = inspection.phases.iter().map(|it| (kind_code(it.kind), it.start_secs, it.end_secs));
        let effector = |it: &Effector| PackedEffector { name: crate::units::words(&it.name), side: side_of(it) };
        Self {
            title: input.title.to_owned(),
            duration: duration_secs(input),
            first: first_secs(input, &times_secs),
            frames: input.clip.frame_count(),
            fps: contacts.clock.used_hz,
            mass: inspection.total_mass_kg,
            stature: input.body.stature_m(),
            friction: input.friction,
            floor: contacts.floor_height_m,
            effectors: contacts.effectors.iter().map(effector).collect(),
            contacts: spans.take(MOST_SPANS).collect(),
            phases: phases.take(MOST_SPANS).collect(),
            flights: flights(input, &times_secs),
            footprints: footprints(input, &times_secs),
            moments: moments(input),
            series: PackedSeries::of(input, budget),
            animation,
            notes: note.into_iter().collect(),
        }
    }
}

impl Payload {
    /// The part of the figure that moves with a joint, by its name or that of a contact point; of a joint without a
    /// shape that of the next one above it.
    pub fn link_of(&self, input: &ReportInput, joint: &str) -> Option<usize> {
        let skeleton = input.clip.skeleton();
        let point = || input.inspection.contacts.effectors.iter().find(|it| it.name == joint).map(|it| it.joint);
        let mut at = skeleton.joints().iter().position(|it| it.name == joint).map(JointId::new).or_else(point);
        // No longer than the tree is deep.
        for _ in 0..skeleton.len() {
            if let Some(link) = self.animation.link_of(at?) {
                return Some(link);
            }
            at = skeleton.joint(at?).parent;
        }
        None
    }
}

/// Those that have a time of their own.
fn moments(input: &ReportInput) -> Vec<PackedMoment> {
    let timed = input.judgement.moments.iter().filter(|moment| !moment.is_of_whole_clip());
    let packed =
        timed.map(|it| PackedMoment { start: it.start_secs, end: it.end_secs, secs: it.secs, text: it.text.clone() });
    packed.filter(|it| [it.start, it.end, it.secs].iter().all(|secs| secs.is_finite())).collect()
}

fn side_of(effector: &Effector) -> &'static str {
    match effector.side {
        Some(Side::Left) => "left",
        Some(Side::Right) => "right",
        None => "middle",
    }
}

fn flights(input: &ReportInput, times_secs: &[f64]) -> Vec<PackedFlight> {
    let inspection = input.inspection;
    let reports = inspection.contacts.flights.iter().zip(&inspection.flight_reports);
    let packed = reports.take(MOST_SPANS).map(|(flight, report)| {
        let (start, end) = (flight.start_secs, flight.end_secs);
        let g = report.g.filter(|g| g.is_finite());
        let arc_with = |g: f64| arc(times_secs, &inspection.series.com_in_world_m, (start, end), g);
        PackedFlight { start, end, verdict: report.verdict, g, arc: g.and_then(arc_with), true_arc: arc_with(GRAVITY) }
    });
    packed.collect()
}

/// Height and upward speed at the start of the parabola of a given g that runs nearest to the heights: with z = y + ½ g
/// t², the straight line through (t, z) by least squares.
fn arc(times_secs: &[f64], com_m: &[Option<DVec3>], (start, end): (f64, f64), g: f64) -> Option<[f64; 2]> {
    let inside = times_secs.iter().zip(com_m).filter(|(secs, _)| (start..=end).contains(*secs));
    let points: Vec<(f64, f64)> = inside
        .filter_map(|(secs, com_m)| com_m.map(|com_m| (secs - start, com_m.y + 0.5 * g * (secs - start).powi(2))))
        .collect();
    let count = points.len() as f64;
    if points.len() < 2 {
        return None;
    }
    let (mean_t, mean_z) = points.iter().fold((0.0, 0.0), |(t, z), point| (t + point.0 / count, z + point.1 / count));
    let (along, square) = points.iter().fold((0.0, 0.0), |(along, square), (t, z)| {
        (along + (t - mean_t) * (z - mean_z), square + (t - mean_t).powi(2))
    });
    let speed = along / square;
    let found = [mean_z - speed * mean_t, speed];
    found.iter().all(|value| value.is_finite()).then_some(found)
}

/// Contacts of one foot that overlap are one stance; its points are taken from the middle of it.
fn footprints(input: &ReportInput, times_secs: &[f64]) -> Vec<Footprint> {
    let analysis = &input.inspection.contacts;
    let mut prints = Vec::new();
    let mut pose = WorldPose::for_skeleton(input.clip.skeleton());
    for group in limbs(&analysis.effectors) {
        let Some(side) = group.first().map(|effector| side_of(effector)) else { continue };
        let is_of_group = |name: &str| group.iter().any(|effector| effector.name == name);
        let contacts = analysis.contacts.iter().filter(|contact| is_of_group(&contact.effector));
        let mut spans: Vec<(f64, f64)> = contacts.map(|contact| (contact.start_secs, contact.end_secs)).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (start, end) in joined(spans) {
            let middle_secs = 0.5 * (start + end);
            let frame = times_secs.partition_point(|secs| *secs < middle_secs);
            if prints.len() >= MOST_SPANS || frame >= input.clip.frame_count() {
                break;
            }
            pose.pose(input.clip, FrameIndex(frame));
            let on_skeleton = group.iter().filter(|effector| effector.joint.index() < input.clip.skeleton().len());
            let points_m = on_skeleton.map(|effector| pose.point_in_world_m(effector.joint, effector.point_in_joint_m));
            let points = points_m.map(|point_m| [point_m.x, point_m.z].map(|metres| (metres * 1e3).round() / 1e3));
            prints.push(Footprint { side, start, end, points: points.collect() });
        }
    }
    prints
}

/// Heel, ball and toe of a side stand together; everything else on its own.
fn limbs(effectors: &[Effector]) -> Vec<Vec<&Effector>> {
    let is_foot = |effector: &Effector| matches!(effector.part, Part::Heel | Part::Ball | Part::Toe);
    let mut groups: Vec<Vec<&Effector>> = Side::BOTH
        .iter()
        .map(|&side| effectors.iter().filter(|it| is_foot(it) && it.side == Some(side)).collect())
        .collect();
    groups.extend(effectors.iter().filter(|it| !is_foot(it)).map(|it| vec![it]));
    groups.retain(|group| !group.is_empty());
    groups
}

fn joined(spans: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.0 <= last.1 => last.1 = last.1.max(span.1),
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_through_a_thrown_body_is_its_parabola() {
        let times: Vec<f64> = (0..61).map(|i| i as f64 / 60.0).collect();
        let height = |secs: f64| 1.0 + 3.0 * (secs - 0.2) - 0.5 * 9.81 * (secs - 0.2).powi(2);
        let com: Vec<Option<DVec3>> = times.iter().map(|&secs| Some(DVec3::new(0.0, height(secs), 0.0))).collect();
        let [start_m, speed] = arc(&times, &com, (0.2, 0.8), 9.81).unwrap();
        assert!((start_m - 1.0).abs() < 1e-9 && (speed - 3.0).abs() < 1e-9, "{start_m} {speed}");
        assert_eq!(arc(&times, &com, (5.0, 6.0), 9.81), None);
    }

    #[test]
    fn overlapping_contacts_are_one_stance() {
        assert_eq!(joined(vec![(0.0, 1.0), (0.5, 0.7), (0.9, 1.2), (2.0, 3.0)]), [(0.0, 1.2), (2.0, 3.0)]);
    }
}
