//! One trial: the shipped physics on one side, the plates on the other.

use crate::plates::{Loaded, Plates};
use crate::trials::{Kind, Trial};
use aplomb_analysis::InspectOptions;
use aplomb_analysis::Take;
use aplomb_analysis::contacts::ContactAnalysis;
use aplomb_formats::ReadOptions;
use aplomb_formats::opensim::{force_plates, mot, trc};
use aplomb_motion::markers::{MarkerPerson, MarkerSet, person_clip};
use aplomb_motion::{Clip, Role, Roles, Side, WorldPose};
use aplomb_physics::{Body, BodyOptions};
use glam::DVec3;
use std::path::Path;

pub const GRAVITY: f64 = 9.81;
/// The report's own low-pass, a Gaussian with σ = w/4; the plates get the same.
pub fn window_secs() -> f64 {
    InspectOptions::default().smoothing_secs
}
/// A plate is loaded above this part of the weight.
pub const LOADED: f64 = 0.05;

/// Touchdown or lift-off of a foot.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub is_touchdown: bool,
    /// Ours − plates: + is late.
    pub error_secs: f64,
}

/// A trial's agreement with its plates.
pub struct Measured {
    pub name: &'static str,
    pub kind: Kind,
    pub mass_kg: f64,
    pub belt_m_s: f64,
    /// Frames in which all load is on plates.
    pub frames: usize,
    pub correlation: f64,
    /// Over weight.
    pub force_rms: f64,
    /// Root of the mean squared distance of our zero-moment point from the centre of pressure.
    pub cop_rms_m: f64,
    /// Mean of (ours − plates).
    pub cop_bias_m: DVec3,
    pub events: Vec<Event>,
    pub contacts: usize,
    pub missed: Vec<(Side, f64, f64)>,
    pub spurious: Vec<(Side, f64, f64)>,
    pub split: Vec<(Side, f64, f64)>,
    /// Time, plates' and our vertical force over weight, whether it counts.
    pub curves: Vec<(f64, f64, f64, bool)>,
}

pub fn measure(folder: &Path, trial: &Trial) -> Measured {
    let markers = read_markers(&folder.join(trial.trc));
    let plates = read_plates(&folder.join(trial.mot));
    let (start_secs, hz) = (markers.start_secs, markers.rate_hz);

    // First by the raw markers: which foot stands on which plate, and how fast the belt runs.
    let still = person_clip(&markers).unwrap();
    let feet = FeetPaths::of(&still.clip, &still.roles);
    let by_foot = |weight_n: f64| foot_loads(&plates, &feet, start_secs, hz, LOADED * weight_n);
    let rough_loads = by_foot(plates.mean_force_n(plates.span_secs()));
    let belt = if trial.treadmill { belt_velocity(&feet, &rough_loads, start_secs, hz) } else { DVec3::ZERO };
    let MarkerPerson { clip, roles, .. } = person_clip(&markers.seen_from_belt(belt)).unwrap();

    // The subject is weighed in the trial itself: the plates' impulse is m ∫ (g + a) dt. Contacts do not depend on the
    // mass.
    let look = |mass_kg: Option<f64>| {
        let options = BodyOptions { total_mass_kg: mass_kg, ..BodyOptions::default() };
        let body = Body::of_clip(&clip, &roles, &options).unwrap();
        (Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap(), body.total_mass_kg())
    };
    let (rough, rough_mass_kg) = look(None);
    assert_eq!(rough.contacts.clock.used_hz, rough.contacts.clock.header_hz, "{}", trial.name);
    let ours = Side::BOTH.map(|side| foot_contacts(&rough.contacts, side, start_secs));
    let times_secs: Vec<f64> = rough.series.times_secs.iter().map(|secs| secs + start_secs).collect();
    let total = plates.smoothed(window_secs(), &times_secs);
    let is_counted = |&secs: &f64| is_all_on_plates(trial, &plates, &rough_loads, &ours, secs);
    let counts: Vec<bool> = times_secs.iter().map(is_counted).collect();
    let (mut impulse, mut per_kg) = (0.0, 0.0);
    for (row, force_n) in rough.series.force_newtons.iter().enumerate().filter(|(row, _)| counts[*row]) {
        if let Some(force_n) = force_n {
            impulse += total[row].force_n.y;
            per_kg += force_n.y / rough_mass_kg;
        }
    }
    let (inspection, mass_kg) = look(Some(impulse / per_kg));
    let weight_n = mass_kg * GRAVITY;
    let loads = by_foot(weight_n);

    let (mut curves, mut pairs, mut cop_errors_m) = (Vec::new(), Vec::new(), Vec::new());
    for (row, &secs) in times_secs.iter().enumerate() {
        let Some(force_n) = inspection.series.force_newtons[row] else { continue };
        let (measured, own) = (total[row].force_n.y / weight_n, force_n.y / weight_n);
        curves.push((secs, measured, own, counts[row]));
        if !counts[row] {
            continue;
        }
        pairs.push((measured, own));
        // Where little is carried, a centre of pressure says little.
        if let Some(own_m) = inspection.series.zmp_in_world_m[row].filter(|_| measured > 0.2) {
            let plate_m = total[row].moment_n_m / total[row].force_n.y - belt * (secs - start_secs);
            cop_errors_m.push((own_m - plate_m) * DVec3::new(1.0, 0.0, 1.0));
        }
    }
    let root_mean = |sum: f64, count: usize| (sum / count.max(1) as f64).sqrt();
    let mut measured = Measured {
        name: trial.name,
        kind: trial.kind,
        mass_kg,
        belt_m_s: belt.length(),
        frames: pairs.len(),
        correlation: correlation(&pairs),
        force_rms: root_mean(pairs.iter().map(|(a, b)| (a - b).powi(2)).sum(), pairs.len()),
        cop_rms_m: root_mean(cop_errors_m.iter().map(|error_m| error_m.length_squared()).sum(), cop_errors_m.len()),
        cop_bias_m: cop_errors_m.iter().sum::<DVec3>() / cop_errors_m.len().max(1) as f64,
        events: Vec::new(),
        contacts: 0,
        missed: Vec::new(),
        spurious: Vec::new(),
        split: Vec::new(),
        curves,
    };
    compare_contacts(trial, &plates, &loads, &ours, &mut measured);
    measured
}

fn read_markers(path: &Path) -> MarkerSet {
    let bytes = std::fs::read(path).unwrap();
    trc::parse(&bytes, &ReadOptions::default(), &mut Vec::new())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .markers
}

fn read_plates(path: &Path) -> Plates {
    let bytes = std::fs::read(path).unwrap();
    let table = mot::parse(&bytes, &ReadOptions::default(), &mut Vec::new())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (first, last) = (table.times_secs[0], table.times_secs[table.rows() - 1]);
    // Times are printed with few digits; the samples are even.
    let step_secs = (last - first) / (table.rows() - 1) as f64;
    Plates { start_secs: first, step_secs, plates: force_plates(&table) }
}

/// Heels, balls and toe tips of both feet.
struct FeetPaths {
    /// Left, right.
    ball_m: [Vec<DVec3>; 2],
    middle_m: [Vec<DVec3>; 2],
}

impl FeetPaths {
    fn of(clip: &Clip, roles: &Roles) -> Self {
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let (mut ball_m, mut middle_m) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for frame in clip.frames() {
            pose.pose(clip, frame);
            for (index, side) in Side::BOTH.into_iter().enumerate() {
                let (toe, foot) = (roles.joint(Role::Toe(side)).unwrap(), roles.joint(Role::Foot(side)).unwrap());
                let at_m = pose.joint_in_world_m[toe.index()];
                ball_m[index].push(at_m);
                middle_m[index].push(at_m.midpoint(pose.joint_in_world_m[foot.index()]));
            }
        }
        Self { ball_m, middle_m }
    }
}

/// Spans in which each foot stands on plates. A plate's span belongs to the foot nearest to its centre of pressure;
/// spans of one foot on two plates are one.
fn foot_loads(plates: &Plates, feet: &FeetPaths, start_secs: f64, hz: f64, least_n: f64) -> [Vec<Loaded>; 2] {
    let mut loads: [Vec<Loaded>; 2] = Default::default();
    for plate in 0..plates.plates.len() {
        for span in plates.loaded(plate, least_n) {
            // Shorter than any step: noise at the threshold.
            if span.end_secs - span.start_secs < 0.03 {
                continue;
            }
            let Some(point_m) = plates.point_m(plate, span.start_secs..span.end_secs) else { continue };
            let frames = feet.middle_m[0].len();
            let frame = |secs: f64| (((secs - start_secs) * hz).round().max(0.0) as usize).min(frames - 1);
            let range = frame(span.start_secs)..frame(span.end_secs) + 1;
            let apart_m = |foot: usize| {
                let away = |frame: usize| {
                    let apart_m = feet.middle_m[foot][frame] - point_m;
                    DVec3::new(apart_m.x, 0.0, apart_m.z).length() + apart_m.y.abs()
                };
                range.clone().map(away).sum::<f64>()
            };
            loads[usize::from(apart_m(1) < apart_m(0))].push(span);
        }
    }
    for spans in &mut loads {
        spans.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
        let mut merged: Vec<Loaded> = Vec::new();
        for span in spans.iter() {
            match merged.last_mut() {
                Some(last) if span.start_secs < last.end_secs + 0.02 => {
                    if span.end_secs > last.end_secs {
                        (last.end_secs, last.cut[1]) = (span.end_secs, span.cut[1]);
                    }
                }
                _ => merged.push(*span),
            }
        }
        *spans = merged;
    }
    loads
}

/// Velocity of the balls of the feet while they stand: the median over all stances.
fn belt_velocity(feet: &FeetPaths, loads: &[Vec<Loaded>; 2], start_secs: f64, hz: f64) -> DVec3 {
    let mut velocities: Vec<DVec3> = Vec::new();
    for (foot, spans) in loads.iter().enumerate() {
        for span in spans {
            let length_secs = span.end_secs - span.start_secs;
            let middle =
                |share: f64| ((span.start_secs + share * length_secs - start_secs) * hz).round().max(0.0) as usize;
            for frame in middle(0.3).max(1)..middle(0.6).min(feet.ball_m[foot].len() - 1) {
                velocities.push((feet.ball_m[foot][frame + 1] - feet.ball_m[foot][frame - 1]) * (0.5 * hz));
            }
        }
    }
    let median = |axis: fn(&DVec3) -> f64| {
        let mut values: Vec<f64> = velocities.iter().map(axis).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    DVec3::new(median(|v| v.x), 0.0, median(|v| v.z))
}

/// Contacts of heel, ball and toe of one foot, joined.
fn foot_contacts(analysis: &ContactAnalysis, side: Side, start_secs: f64) -> Vec<(f64, f64)> {
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for part in ["heel", "ball", "toe"] {
        let effector = format!("{side}_{part}");
        spans.extend(analysis.contacts_of(&effector).map(|it| (it.start_secs + start_secs, it.end_secs + start_secs)));
    }
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.0 <= last.1 => last.1 = last.1.max(span.1),
            _ => joined.push(span),
        }
    }
    joined
}

/// First touch of the plates; a drop jump's box is before it.
fn first_touch_secs(loads: &[Vec<Loaded>; 2]) -> f64 {
    loads.iter().flatten().map(|load| load.start_secs).fold(f64::INFINITY, f64::min)
}

/// Whether nothing but plates can carry the body at this time, and smoothing does not reach a time when something else
/// does.
fn is_all_on_plates(
    trial: &Trial,
    plates: &Plates,
    loads: &[Vec<Loaded>; 2],
    ours: &[Vec<(f64, f64)>; 2],
    secs: f64,
) -> bool {
    let span = plates.span_secs();
    // Smoothing reaches half a window; and it is one-sided at the ends of the recording.
    let reach_secs = 0.5 * window_secs();
    if secs < span.start + reach_secs || secs > span.end - reach_secs {
        return false;
    }
    match trial.kind {
        Kind::Squat => true,
        _ if trial.treadmill => true,
        // In free fall before the landing nothing carries the body either, but the box may, up to the time it is left.
        Kind::DropJump => secs > first_touch_secs(loads) + reach_secs,
        _ => {
            let last_secs = loads.iter().flatten().map(|load| load.end_secs).fold(f64::NEG_INFINITY, f64::max);
            let between = secs > first_touch_secs(loads) - reach_secs && secs < last_secs + reach_secs;
            // A foot that we see standing while no plate feels it stands beside the plates.
            let beside = |foot: usize| {
                ours[foot].iter().any(|&(start_secs, end_secs)| {
                    let touches = start_secs < secs + reach_secs && secs - reach_secs < end_secs;
                    touches && !loads[foot].iter().any(|load| load.overlaps(start_secs, end_secs))
                })
            };
            between && !beside(0) && !beside(1)
        }
    }
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / count;
    let (mean_a, mean_b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        ab += (a - mean_a) * (b - mean_b);
        aa += (a - mean_a).powi(2);
        bb += (b - mean_b).powi(2);
    }
    ab / (aa * bb).sqrt()
}

fn compare_contacts(
    trial: &Trial,
    plates: &Plates,
    loads: &[Vec<Loaded>; 2],
    ours: &[Vec<(f64, f64)>; 2],
    measured: &mut Measured,
) {
    let span = plates.span_secs();
    let after_secs = match trial.kind {
        Kind::DropJump => first_touch_secs(loads),
        _ => span.start,
    };
    for (foot, side) in Side::BOTH.into_iter().enumerate() {
        for load in &loads[foot] {
            let same: Vec<&(f64, f64)> = ours[foot].iter().filter(|own| load.overlaps(own.0, own.1)).collect();
            measured.contacts += 1;
            let (Some(first), Some(last)) = (same.first(), same.last()) else {
                measured.missed.push((side, load.start_secs, load.end_secs));
                continue;
            };
            if same.len() > 1 {
                measured.split.push((side, load.start_secs, load.end_secs));
            }
            if !load.cut[0] {
                let error_secs = first.0 - load.start_secs;
                measured.events.push(Event { is_touchdown: true, error_secs });
            }
            if !load.cut[1] {
                let error_secs = last.1 - load.end_secs;
                measured.events.push(Event { is_touchdown: false, error_secs });
            }
        }
        let everything_on_plates = trial.treadmill || matches!(trial.kind, Kind::Squat | Kind::DropJump);
        for own in ours[foot].iter().filter(|own| everything_on_plates && own.1 > after_secs && own.0 < span.end) {
            if !loads[foot].iter().any(|load| load.overlaps(own.0, own.1)) {
                measured.spurious.push((side, own.0, own.1));
            }
        }
    }
}
