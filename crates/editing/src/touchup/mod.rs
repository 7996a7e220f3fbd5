//! Physical touch-up of edited motion (Shin, Kovar & Gleicher 2003): balance on the ground, parabolas and angular
//! momentum in the air.
//!
//! A short list of [`Step`]s is carried out in order. A ground step finds, frame by frame and in closed form, the turn
//! of a part of the body that brings the zero-moment point into the support (`ground`), takes a share of it, filters it
//! over time into a [`Layer`], and plants the feet again. A flight step finds one displacement for the whole clip that
//! makes every verified flight a parabola with constant angular momentum, gentle elsewhere (`flight_displacement`).
//! `docs/algorithms/touchup.md` has the derivation, what the paper leaves open, and what was measured.

mod dead_zones;
mod filter;
mod flight;
mod flight_displacement;
mod flight_labels;
mod ground;
mod ground_step;
mod lean;
mod observed_motion;
mod start;
mod steps;
mod turn_over_time;

pub use dead_zones::{DeadZones, Needs};
pub use flight::FlightRecord;
pub use lean::{NeededLean, needed_lean};
pub use steps::{Stage, Step, StepList};

use crate::EditingError;
use crate::body_root::BodyRoot;
use crate::displacement::{Layer, Turn};
use crate::finding::{Finding, codes};
use crate::footplant::planting_contacts;
use crate::footplant::{FootPlan, PlantOptions, PlantOutcome, PlantWorkspace, RootDrop, bridged};
use crate::mask::Mask;
use crate::span::{Frames, TimeSpan};
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::Take;
use aplomb_analysis::support::SOLE_HALF_WIDTH_M;
use aplomb_motion::{BodyPlan, Clip, JointId};
use aplomb_physics::Body;
use glam::DVec3;
use observed_motion::ObservedMotion;
use serde::Serialize;
use start::Start;
use steps::Compiled;

/// Frames that carry less than this share of the weight are next to flight: the zero-moment point runs away there, and
/// no step is taken. Less than the 0.2 from which the report judges: frames at that edge are repaired, too.
const LEAST_REPAIRED_LOAD: f64 = 0.15;
/// Bent runs start with up to 0.25 m; farther than this on average people should look, m.
const FAR_OFF_M: f64 = 0.15;

/// A distance that falls by less than this share did not fall: receipts would tell the same figure twice.
const LEAST_GAIN: f64 = 0.02;
/// Flights that are made to fall shift landings, which may cost balance: up to this share of it.
const FLIGHT_COST: f64 = 0.05;
/// They may also cost this much balance, m.
const FLIGHT_COST_M: f64 = 0.002;

/// How a motion is touched up. Defaults are the measured ones.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchupOptions {
    /// The list; without it [`StepList::usual`].
    pub steps: Option<StepList>,
    /// Only steps of this stage.
    pub only: Option<Stage>,
    /// 0 aims at the edge of the support as the paper does, 1 at the middle of each foot.
    pub margin: f64,
    /// Smoothing time of the links' paths before they are differentiated, s.
    pub smoothing_secs: f64,
    /// Half width of the sole, m.
    pub sole_half_width_m: f64,
    /// Stretches that stay as they are, by the contacts' clock: something that is not modelled carries the body there
    /// ([`Take::unexplained`]). Corrections fade before and after them as at the ends of the span.
    pub leave_alone: Vec<TimeSpan>,
    /// Errors that are none, since captures have them; without it everything is corrected.
    pub dead_zones: Option<DeadZones>,
    /// The motion was edited and is no capture: less is within its accuracy.
    pub was_edited: bool,
    /// Parts of the body that may change; without it all of it. Steps know, and others do what these cannot.
    pub mask: Option<Mask>,
    /// Whether layers are kept for inspection.
    pub keep_layers: bool,
    /// Ground, span and feet.
    pub plant: PlantOptions,
}

impl Default for TouchupOptions {
    fn default() -> Self {
        Self {
            steps: None,
            only: None,
            margin: 0.5,
            smoothing_secs: 0.14,
            sole_half_width_m: SOLE_HALF_WIDTH_M,
            leave_alone: Vec::new(),
            dead_zones: Some(DeadZones::default()),
            was_edited: false,
            mask: None,
            keep_layers: true,
            plant: PlantOptions::default(),
        }
    }
}

/// Distance of the zero-moment point from the support, over carried frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Balance {
    /// Plain mean, m.
    pub mean_m: f64,
    /// Weighted by the force into the ground, m.
    pub weighted_m: f64,
    /// How many frames that is.
    pub frames: usize,
}

/// One iteration of one step: a point of the paper's figure 9.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IterationRecord {
    /// Step of the list, from 0.
    pub step: usize,
    /// Its name.
    pub name: String,
    /// Repetition, from 0.
    pub iteration: usize,
    /// Before this iteration, under the full support whatever the margin.
    pub balance: Balance,
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The error fell, or flights were repaired.
    Improved,
    /// There was hardly anything to correct.
    WasFine,
    /// The error did not fall: contacts may not fit the motion.
    NotImproved,
}

/// A touched-up clip and how it came about.
#[derive(Clone, Debug)]
pub struct TouchedUp {
    /// The result.
    pub clip: Clip,
    /// The input with planted feet: what touch-up started from.
    pub planted: Clip,
    /// Where feet stand.
    pub plan: FootPlan,
    held: Option<MaskedJoints>,
    /// Every correction in order, if they were kept: see [`TouchedUp::with_layers`].
    pub layers: Vec<Layer>,
    /// Error before each iteration.
    pub iterations: Vec<IterationRecord>,
    /// Error of the planted input.
    pub before: Balance,
    /// Error of the result.
    pub after: Balance,
    /// What became of each flight; those that are not verified are not repaired, and go with what is corrected around
    /// them.
    pub flights: Vec<FlightRecord>,
    /// What had to be mended.
    pub needs: Needs,
    /// How it went.
    pub status: Status,
    /// What people should know.
    pub findings: Vec<Finding>,
}

impl TouchedUp {
    /// The planted input with some of the layers on and its feet back in their places; with all of them, the result.
    pub fn with_layers<'a>(&self, layers: impl IntoIterator<Item = &'a Layer>) -> (Clip, PlantOutcome) {
        let mut clip = self.planted.clone();
        for layer in layers {
            layer.apply(&mut clip, &self.plan.root, &self.plan.frames);
            if let Some(held) = &self.held {
                held.restore(&mut clip);
            }
        }
        let outcome = self.plan.apply(&mut clip, &mut PlantWorkspace::default());
        if let Some(held) = &self.held {
            held.restore(&mut clip);
        }
        (clip, outcome)
    }
}

/// Makes a motion physically more plausible: see the module.
pub fn touch_up(take: &Take, options: &TouchupOptions) -> Result<TouchedUp, EditingError> {
    let (clip, roles, body, contacts) = (take.clip(), take.roles(), take.body()?, planting_contacts(take)?);
    check(clip, body, contacts, options)?;
    // Every step turns a body about two ankles.
    if roles.plan() == BodyPlan::Quadruped {
        return Err(EditingError::FourLegs);
    }
    let bridged = bridged(clip, contacts, &options.plant.span, &options.leave_alone)?;
    let (original, clip) = (clip, bridged.as_ref().map_or(clip, |(smooth, _)| smooth));
    let Start { mut motion, mut plan, needs, right, steps, options, mut findings } = Start::of(take, clip, options)?;
    let options = &options;
    let mut feet = PlantWorkspace::default();
    let mut planted = clip.clone();
    if !needs.is_empty() {
        planted = plan.root.with_track(planted)?;
        plan.settle(&mut planted, &mut feet);
    }
    let settled = feet.root_drop().clone();
    let held = options.mask.as_ref().map(|mask| MaskedJoints::of(original, mask, &plan)).transpose()?;
    if let Some(held) = held.as_ref().filter(|_| !needs.is_empty()) {
        held.restore(&mut planted);
    }
    let mut run = Run {
        settled,
        free: planted.clone(),
        held: held.as_ref(),
        clip: planted.clone(),
        plan: &plan,
        feet,
        layers: Vec::new(),
        iterations: Vec::new(),
        needs: &needs,
        options,
    };
    let before = run.balance(&mut motion)?;
    let needed_before = run.needed_balance(&motion);
    let mut flights = flight::records(contacts, &motion, &right)?;
    for (index, step) in steps.iter().enumerate().filter(|_| !needs.is_empty()) {
        if options.only.is_some_and(|only| only != step.stage) {
            continue;
        }
        match step.stage {
            Stage::Ground => run.ground_step(index, step, &mut motion)?,
            Stage::Flight => run.flight_step(index, step, &mut motion)?,
        }
    }
    let after = run.balance(&mut motion)?;
    let needed_after = run.needed_balance(&motion);
    flight::finish_records(&mut flights, &motion)?;
    let Run { clip, layers, iterations, .. } = run;
    let status = match needs.everything {
        true => status(&before, &after, &motion, options),
        false => needs.status([&before, &after], [&needed_before, &needed_after]),
    };
    findings.extend(own_findings(&flights, status, &before));
    findings.extend(bridged.into_iter().flat_map(|(_, found)| found));
    findings.extend_from_slice(plan.findings());
    Ok(TouchedUp { clip, planted, plan, held, layers, iterations, before, after, flights, needs, status, findings })
}

/// The error of a motion as it is, feet and all, over the frames that the span of `options` reaches: what of a
/// correction was kept, if only some joints took it.
pub fn balance_of(take: &Take, options: &TouchupOptions) -> Result<Balance, EditingError> {
    let (clip, roles, body, contacts) = (take.clip(), take.roles(), take.body()?, planting_contacts(take)?);
    check(clip, body, contacts, options)?;
    let frames = frames_of(clip, contacts, options)?;
    let root = BodyRoot::of(clip, roles).ok_or(EditingError::NoContact { verb: "balance" })?;
    let mut motion = ObservedMotion::new(clip, body, contacts, (frames, root.joint), &[], options)?;
    let share = motion.frames.share.clone();
    balance_in(&mut motion, clip, options, |frame| share[frame] > 0.0)
}

fn frames_of(clip: &Clip, contacts: &ContactAnalysis, options: &TouchupOptions) -> Result<Frames, EditingError> {
    let mut frames = Frames::of(clip, contacts, &options.plant.span, 5, "touch-up")?;
    frames.leave_alone(&options.leave_alone, options.plant.span.ease_secs);
    Ok(frames)
}

fn balance_in(
    motion: &mut ObservedMotion,
    clip: &Clip,
    options: &TouchupOptions,
    counts: impl Fn(usize) -> bool,
) -> Result<Balance, EditingError> {
    motion.look(clip, options.margin, true);
    motion.accelerate()?;
    Ok(balance_of_frames(motion, counts))
}

/// Of a motion that was looked at.
fn balance_of_frames(motion: &ObservedMotion, counts: impl Fn(usize) -> bool) -> Balance {
    let mut sums = BalanceSums::default();
    for frame in (0..motion.count()).filter(|frame| counts(*frame)) {
        if let Some((pressure, _)) = motion.pressure(frame, LEAST_REPAIRED_LOAD) {
            sums.add(motion.distance_m(frame, &pressure), pressure.load);
        }
    }
    sums.finish()
}

fn check(clip: &Clip, body: &Body, contacts: &ContactAnalysis, options: &TouchupOptions) -> Result<(), EditingError> {
    body.check_skeleton(clip.skeleton())?;
    let setting = |what, expected, found| Err(EditingError::Setting { what, expected, found });
    if !(0.0..=1.0).contains(&options.margin) {
        return setting("the margin", "0 to 1", options.margin);
    }
    if !(0.0..=2.0).contains(&options.smoothing_secs) {
        return setting("the smoothing of accelerations", "0 to 2 s", options.smoothing_secs);
    }
    if !(0.0..=0.5).contains(&options.sole_half_width_m) {
        return setting("the half width of the sole", "0 to 0.5 m", options.sole_half_width_m);
    }
    Frames::of(clip, contacts, &options.plant.span, 5, "touch-up")?;
    match contacts.contacts.is_empty() {
        true => Err(EditingError::NoContact { verb: "balance" }),
        false => Ok(()),
    }
}

fn status(before: &Balance, after: &Balance, motion: &ObservedMotion, options: &TouchupOptions) -> Status {
    let repairs_flights = options.only != Some(Stage::Ground) && !motion.flights.is_empty();
    match options.only {
        Some(Stage::Flight) if !before.is_fine_beside(after) => Status::Improved,
        _ => before.status_of(after, repairs_flights),
    }
}

impl Balance {
    /// What became of this one. Where flights were repaired, balance may cost a little; more is no improvement.
    pub fn status_of(&self, after: &Balance, repairs_flights: bool) -> Status {
        let kept_m = self.weighted_m + FLIGHT_COST_M.max(FLIGHT_COST * self.weighted_m);
        if self.is_fine_beside(after) {
            Status::WasFine
        } else if after.weighted_m <= (1.0 - LEAST_GAIN) * self.weighted_m
            || repairs_flights && after.weighted_m <= kept_m
        {
            Status::Improved
        } else {
            Status::NotImproved
        }
    }

    fn is_fine_beside(&self, after: &Balance) -> bool {
        self.weighted_m < 1e-3 && after.weighted_m <= self.weighted_m.max(1e-3)
    }
}

fn own_findings(flights: &[FlightRecord], status: Status, before: &Balance) -> Vec<Finding> {
    let mut findings: Vec<Finding> = flights
        .iter()
        .filter(|flight| !flight.touched && !flight.is_right)
        .map(|flight| {
            // Its frames take part in corrections of what is around it, which change how it falls.
            let (before, after) = (flight.before.g, flight.after.g);
            let finding = match (before - after).abs() >= 0.1 {
                true => Finding::of(codes::FLIGHT_LEFT_CHANGED).value("before_g", before).value("after_g", after),
                false => Finding::of(codes::FLIGHT_LEFT),
            };
            finding.at(flight.start_secs, flight.end_secs).value("verdict", flight.verdict_name())
        })
        .collect();
    if before.mean_m > FAR_OFF_M {
        findings.push(Finding::of(codes::FAR_FROM_SUPPORT).value("mean_m", before.mean_m));
    }
    if status == Status::NotImproved {
        findings.push(Finding::of(codes::NOT_NEARER));
    }
    findings
}

/// The work in hand.
struct Run<'a> {
    /// The planted input with every layer on, feet riding along.
    free: Clip,
    /// The same with its feet planted, once. Planting what was planted before would go a share of the way again and
    /// again in eased stretches, and the root's drop would add up.
    clip: Clip,
    plan: &'a FootPlan,
    /// What a mask keeps as it was.
    held: Option<&'a MaskedJoints>,
    feet: PlantWorkspace,
    /// How far planting the input sank the root: `free` has it.
    settled: RootDrop,
    layers: Vec<Layer>,
    iterations: Vec<IterationRecord>,
    needs: &'a Needs,
    options: &'a TouchupOptions,
}

impl Run<'_> {
    /// The error as it is now, with supports renewed.
    fn balance(&mut self, motion: &mut ObservedMotion) -> Result<Balance, EditingError> {
        balance_in(motion, &self.clip, self.options, |_| true)
    }

    /// The error of the frames that need a correction, after the motion was looked at.
    fn needed_balance(&self, motion: &ObservedMotion) -> Balance {
        balance_of_frames(motion, |frame| self.needs.counts(frame))
    }

    /// Puts a layer onto the motion and the feet back.
    fn put_on(&mut self, layer: Layer) {
        layer.apply(&mut self.free, &self.plan.root, &self.plan.frames);
        if let Some(held) = self.held {
            held.restore(&mut self.free);
        }
        self.plant();
        if self.options.keep_layers {
            self.layers.push(layer);
        }
    }

    fn plant(&mut self) {
        copy_poses(&self.free, &mut self.clip);
        self.feet.set_root_drop(&self.settled);
        self.plan.apply(&mut self.clip, &mut self.feet);
        if let Some(held) = self.held {
            held.restore(&mut self.clip);
        }
    }
}

/// Joints that a mask leaves as they were.
#[derive(Clone, Debug)]
struct MaskedJoints {
    /// With a track of the root.
    original: Clip,
    joints: Vec<JointId>,
}

impl MaskedJoints {
    fn of(clip: &Clip, mask: &Mask, plan: &FootPlan) -> Result<Self, EditingError> {
        let joints = clip.skeleton().ids().filter(|joint| mask.weight(*joint) == 0.0).collect();
        Ok(Self { original: plan.root.with_track(clip.clone())?, joints })
    }

    fn restore(&self, clip: &mut Clip) {
        for frame in self.original.frames() {
            let rotations = clip.rotations_at_mut(frame);
            for &joint in &self.joints {
                rotations[joint.index()] = self.original.rotation(frame, joint);
            }
        }
        for (own, track) in self.original.tracks().iter().zip(clip.tracks_mut()) {
            if self.joints.contains(&own.joint) {
                track.positions_m.copy_from_slice(&own.positions_m);
            }
        }
    }
}

/// All frames of one clip into another of the same shape, without allocation.
fn copy_poses(from: &Clip, to: &mut Clip) {
    to.rotations_mut().copy_from_slice(from.rotations());
    for (from, to) in from.tracks().iter().zip(to.tracks_mut()) {
        to.positions_m.copy_from_slice(&from.positions_m);
    }
}

/// S2 turns, S3 and what stays turn back.
fn layer_of(
    index: usize,
    iteration: usize,
    step: &Compiled,
    error_m: Option<f64>,
    turns_rad: Vec<DVec3>,
    translation_m: Vec<DVec3>,
) -> Layer {
    let back_rad: Vec<DVec3> = turns_rad.iter().map(|turn_rad| -*turn_rad).collect();
    let mut turns: Vec<Turn> = Vec::new();
    for region in &step.regions {
        turns.push(Turn { joint: region.joint, rotation_rad: turns_rad.clone() });
    }
    for &joint in step.carried.iter().chain(&step.fixed) {
        turns.push(Turn { joint, rotation_rad: back_rad.clone() });
    }
    turns.sort_by_key(|turn| turn.joint);
    Layer { name: step.name.clone(), step: index, iteration, error_m, turns, translation_m }
}

/// Sums of [`Balance`].
#[derive(Default)]
struct BalanceSums {
    distance_m: f64,
    weighted: f64,
    weight: f64,
    frames: usize,
}

impl BalanceSums {
    fn add(&mut self, distance_m: f64, load: f64) {
        self.distance_m += distance_m;
        self.weighted += distance_m * load;
        self.weight += load;
        self.frames += 1;
    }

    fn finish(self) -> Balance {
        Balance {
            mean_m: self.distance_m / self.frames.max(1) as f64,
            weighted_m: if self.weight > 0.0 { self.weighted / self.weight } else { 0.0 },
            frames: self.frames,
        }
    }
}
