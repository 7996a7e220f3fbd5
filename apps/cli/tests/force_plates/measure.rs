//! One trial: the shipped physics on one side, the plates on the other.

use crate::plates::{Loaded, Plates};
use crate::trials::{Kind, Trial, Weight};
use aplomb_analysis::contacts::ContactAnalysis;
use aplomb_analysis::{ContactOptions, analyse_contacts};
use aplomb_formats::ReadOptions;
use aplomb_formats::opensim::{force_plates, mot, trc};
use aplomb_motion::markers::{MarkerPerson, MarkerSet, person_clip};
use aplomb_motion::{Clip, Role, Roles, Side, WorldPose};
use aplomb_physics::centroidal::{CentroidalOptions, centroidal_track};
use aplomb_physics::{Body, BodyOptions};
use glam::DVec3;
use std::path::Path;

pub const GRAVITY: f64 = 9.81;
/// Same low-pass on both sides, a Gaussian with σ = w/4.
pub const WINDOW_SECS: f64 = 0.167;
/// A plate is loaded above this part of the weight.
pub const LOADED: f64 = 0.05;

/// Touchdown or lift-off of a foot.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub side: Side,
    pub is_touchdown: bool,
    pub plate_secs: f64,
    /// Ours − plates: + is late.
    pub error_secs: f64,
}

impl Event {
    pub fn letter(&self) -> char {
        if self.is_touchdown { 'v' } else { '^' }
    }
}

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
    pub force_bias: f64,
    /// Along and across the way.
    pub cop_rms_m: Option<f64>,
    pub cop_bias_m: DVec3,
    pub events: Vec<Event>,
    pub contacts: usize,
    pub missed: Vec<(Side, f64, f64)>,
    pub spurious: Vec<(Side, f64, f64)>,
    pub split: Vec<(Side, f64, f64)>,
    pub warnings: Vec<String>,
    /// Time, plates' and our vertical force over weight, whether it counts.
    pub curves: Vec<(f64, f64, f64, bool)>,
}

impl Measured {
    pub fn line(&self) -> String {
        format!(
            "{:<15} {:<9} {:5.1} kg belt {:5.2} m/s  {:4} frames  r {:.4}  rms {:4.1} % BW  bias {:+5.1} %  COP {} cm (bias {:+.1} {:+.1})  {} contacts",
            self.name,
            self.kind.name(),
            self.mass_kg,
            self.belt_m_s,
            self.frames,
            self.correlation,
            100.0 * self.force_rms,
            100.0 * self.force_bias,
            self.cop_rms_m.map_or("  – ".to_owned(), |m| format!("{:4.1}", 100.0 * m)),
            100.0 * self.cop_bias_m.x,
            100.0 * self.cop_bias_m.z,
            self.contacts,
        )
    }
}

pub fn measure(folder: &Path, trial: &Trial) -> Measured {
    let markers = read_markers(&folder.join(trial.trc));
    let plates = read_plates(&folder.join(trial.mot));
    let person = person_clip(&markers).unwrap();
    let start_secs = markers.start_secs;
    let hz = markers.rate_hz;

    // First by the raw markers: which foot stands on which plate, and how fast the belt runs.
    let feet = FeetPaths::of(&person.clip, &person.roles);
    let rough_weight_n = plates.mean_force_n(plates.span_secs());
    let by_foot = |weight_n: f64| foot_loads(&plates, &feet, start_secs, hz, LOADED * weight_n);
    let rough = by_foot(rough_weight_n);
    let mass_kg = match trial.weight {
        Weight::Model(mass_kg) => mass_kg,
        Weight::MeanOf(file) => {
            let other = read_plates(&folder.join(file));
            other.mean_force_n(other.span_secs()) / GRAVITY
        }
        Weight::Strides => {
            let starts: Vec<f64> = rough[0].iter().filter(|load| !load.cut[0]).map(|load| load.start_secs).collect();
            plates.mean_force_n(starts[0]..starts[starts.len() - 1]) / GRAVITY
        }
    };
    let weight_n = mass_kg * GRAVITY;
    let loads = by_foot(weight_n);
    let belt = if trial.treadmill { belt_velocity(&feet, &loads, start_secs, hz) } else { DVec3::ZERO };
    let markers = markers.seen_from_belt(belt);
    let MarkerPerson { clip, roles, warnings } = person_clip(&markers).unwrap();

    let body =
        Body::of_clip(&clip, &roles, &BodyOptions { total_mass_kg: Some(mass_kg), ..BodyOptions::default() }).unwrap();
    let analysis = analyse_contacts(&clip, &roles, &body, &ContactOptions::default()).unwrap();
    let options = CentroidalOptions { smoothing_secs: WINDOW_SECS, ..CentroidalOptions::default() };
    let track = centroidal_track(&clip, &body, &options).unwrap();

    let frames = clip.frame_count();
    let times_secs: Vec<f64> = (0..frames).map(|frame| start_secs + frame as f64 / hz).collect();
    let ours = [Side::Left, Side::Right].map(|side| foot_contacts(&analysis, side, start_secs));
    let total = plates.smoothed(WINDOW_SECS, &times_secs);
    let counts: Vec<bool> =
        times_secs.iter().map(|&secs| is_all_on_plates(trial, &plates, &loads, &ours, secs)).collect();

    let weighed_kg = {
        let counted = || (0..frames).filter(|&frame| counts[frame]);
        let force_n: f64 = counted().map(|frame| total[frame].force_n.y).sum();
        force_n / counted().map(|frame| GRAVITY + track.momentum_rate[frame].linear.y / mass_kg).sum::<f64>()
    };
    eprintln!("weighed {weighed_kg:.1} kg");
    let weight_n = weighed_kg * GRAVITY;
    let mut curves = Vec::new();
    let (mut pairs, mut cop_errors_m) = (Vec::new(), Vec::new());
    for frame in 0..frames {
        let mut rate = track.momentum_rate[frame];
        rate.linear *= weighed_kg / mass_kg;
        rate.angular *= weighed_kg / mass_kg;
        let force_n = rate.linear + DVec3::Y * weight_n;
        let (measured, own) = (total[frame].force_n.y / weight_n, force_n.y / weight_n);
        curves.push((times_secs[frame], measured, own, counts[frame]));
        if !counts[frame] {
            continue;
        }
        pairs.push((measured, own));
        if measured > 0.2 && own > 0.2 {
            let com_m = track.com_in_world_m[frame];
            // (p − c) × F = Ḣ with p on the floor.
            let down_m = -com_m.y;
            let own_m = DVec3::new(
                com_m.x + (rate.angular.z + down_m * force_n.x) / force_n.y,
                0.0,
                com_m.z + (down_m * force_n.z - rate.angular.x) / force_n.y,
            );
            let shift_m = belt * (frame as f64 / hz);
            let plate_m = total[frame].moment_n_m / total[frame].force_n.y - shift_m;
            cop_errors_m.push((own_m - plate_m) * DVec3::new(1.0, 0.0, 1.0));
        }
    }
    let rms = |values: &mut dyn Iterator<Item = f64>, count: usize| (values.sum::<f64>() / count.max(1) as f64).sqrt();
    let cop_rms_m = rms(&mut cop_errors_m.iter().map(|error| error.length_squared()), cop_errors_m.len());
    let mut measured = Measured {
        name: trial.name,
        kind: trial.kind,
        mass_kg,
        belt_m_s: belt.length(),
        frames: pairs.len(),
        correlation: correlation(&pairs),
        force_rms: rms(&mut pairs.iter().map(|(a, b)| (a - b).powi(2)), pairs.len()),
        force_bias: pairs.iter().map(|(a, b)| b - a).sum::<f64>() / pairs.len().max(1) as f64,
        cop_rms_m: (!cop_errors_m.is_empty()).then_some(cop_rms_m),
        cop_bias_m: cop_errors_m.iter().sum::<DVec3>() / cop_errors_m.len().max(1) as f64,
        events: Vec::new(),
        contacts: 0,
        missed: Vec::new(),
        spurious: Vec::new(),
        split: Vec::new(),
        warnings,
        curves,
    };
    compare_contacts(trial, &plates, &loads, &ours, &mut measured);
    if trial.kind == Kind::DropJump {
        eprintln!("{:?}", loads);
        for contact in &analysis.contacts {
            eprintln!("{} {:.3} {:.3}", contact.effector, contact.start_secs, contact.end_secs);
        }
        for flight in &analysis.flights {
            eprintln!(
                "flight {:.3} {:.3} kin {:.3} {:.3}",
                flight.start_secs, flight.end_secs, flight.kinematic_start_secs, flight.kinematic_end_secs
            );
        }
    }
    measured.warnings.extend(analysis.warnings.iter().cloned());
    measured.warnings.extend(body.warnings().iter().cloned());
    measured.warnings.push(format!("stature {:?}", body.stature_m()));
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

/// Spans in which each foot stands on plates. A plate's span belongs to the foot nearest to its centre of pressure; spans of one foot on
/// two plates are one.
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

/// Whether nothing but plates can carry the body at this time, and smoothing does not reach a time when something else does.
fn is_all_on_plates(
    trial: &Trial,
    plates: &Plates,
    loads: &[Vec<Loaded>; 2],
    ours: &[Vec<(f64, f64)>; 2],
    secs: f64,
) -> bool {
    let span = plates.span_secs();
    // Smoothing reaches half a window; and it is one-sided at the ends of the recording.
    let reach_secs = 0.5 * WINDOW_SECS;
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
                measured.events.push(Event { side, is_touchdown: true, plate_secs: load.start_secs, error_secs });
            }
            if !load.cut[1] {
                let error_secs = last.1 - load.end_secs;
                measured.events.push(Event { side, is_touchdown: false, plate_secs: load.end_secs, error_secs });
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
