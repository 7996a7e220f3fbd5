//! Edits that need a body, contacts and a ground: touch-up and foot planting, as data.

use super::path_record::PathRecord;
use super::pops::tell_pops;
use super::work::Work;
use crate::error::ProjectError;
use crate::inspect::{contact_file, side_file_text};
use aplomb_analysis::contacts::{ClockFinding, OtherReason, OtherSpan};
use aplomb_analysis::{ContactAnalysis, Ground};
use aplomb_editing::EditingError;
use aplomb_editing::arc::TravelLine;
use aplomb_editing::displacement::Layer;
use aplomb_editing::footplant::{Drift, PlantOptions, PlantSummary, contact_drift, plant};
use aplomb_editing::mask::{Mask, apply_within};
use aplomb_editing::pops::limb_pops;
use aplomb_editing::span::{Span, TimeSpan};
use aplomb_editing::touchup::{
    Balance, FlightRecord, IterationRecord, Stage, Status, Step, StepList, TouchupOptions, balance_of, needed_lean,
    touch_up,
};
use aplomb_motion::{Clip, JointId};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Feet that move by less stand, m.
const STANDS_M: f64 = 1e-3;

/// A lean grows over this long at the ends of a span, s. Centimetres of lean within a quarter of a second need accelerations that throw the
/// zero-moment point farther out than the lean brings it in: a body of height h falls with a time constant √(h/g), 0.3 s for hips, and twice
/// that is quieter (docs/algorithms/touchup.md has what was measured).
pub const TOUCHUP_EASE_SECS: f64 = 0.6;

/// Touch-up of balance and flights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TouchupEdit {
    /// Only steps of this stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<Stage>,
    /// 0 aims at the edge of the support, 1 at the middle of each foot.
    pub margin: f64,
    /// The ground; without it as earlier edits left it, level at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slope: Option<Slope>,
    /// Without it, from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// Without it, to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
    /// The edit grows over this long at each end that is given.
    pub ease_secs: f64,
    /// Parts of the body that may change; all of it if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<String>,
    /// A contact file of the motion as it is before this edit; relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub contacts: Option<PathBuf>,
    /// A step list, relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub steps_file: Option<PathBuf>,
    /// The step list itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

impl Default for TouchupEdit {
    fn default() -> Self {
        Self {
            only: None,
            margin: TouchupOptions::default().margin,
            slope: None,
            from_secs: None,
            to_secs: None,
            ease_secs: TOUCHUP_EASE_SECS,
            joints: Vec::new(),
            contacts: None,
            steps_file: None,
            steps: Vec::new(),
        }
    }
}

/// Feet put back where they stand, and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlantEdit {
    /// As in [`TouchupEdit`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slope: Option<Slope>,
    /// Without it, from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// Without it, to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
    /// The edit grows over this long at each end that is given.
    pub ease_secs: f64,
    /// Parts of the body that may change; all of it if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<String>,
    /// As in [`TouchupEdit`].
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub contacts: Option<PathBuf>,
}

impl Default for PlantEdit {
    fn default() -> Self {
        let ease_secs = Span::default().ease_secs;
        Self { slope: None, from_secs: None, to_secs: None, ease_secs, joints: Vec::new(), contacts: None }
    }
}

/// A ground that is not level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected degrees uphill along the way, or the ground's normal as [x, y, z]")]
pub enum Slope {
    /// Uphill along the way that the motion travels; downhill if negative.
    Degrees(f64),
    /// Out of the ground, Y up.
    Normal([f64; 3]),
}

impl Slope {
    /// Its normal, of any length, under a clip that goes that way.
    pub fn normal(self, clip: &Clip) -> Result<DVec3, EditingError> {
        match self {
            // Beyond 45° nobody walks, and the ground is a wall: as for tilts.
            Slope::Degrees(found) if !(-45.0..=45.0).contains(&found) => {
                Err(EditingError::Setting { what: "the slope", expected: "between -45 and 45 degrees", found })
            }
            Slope::Degrees(0.0) => Ok(DVec3::Y),
            Slope::Degrees(degrees) => {
                // The clip is tilted already: the way on the ground leads where it led.
                let across = TravelLine::of(clip)?.ahead().cross(DVec3::Y);
                Ok(DQuat::from_axis_angle(across, degrees.to_radians()) * DVec3::Y)
            }
            Slope::Normal(normal) => Ok(DVec3::from_array(normal)),
        }
    }
}

/// What an edit that knows body and contacts made.
pub(super) struct Repaired {
    pub clip: Clip,
    pub warnings: Vec<String>,
    pub notes: Vec<String>,
    pub layers: Vec<Layer>,
    pub touchup: Option<TouchupRecord>,
    pub plant: Option<PlantRecord>,
    pub path: Option<Box<PathRecord>>,
    pub blend: Option<Box<super::blend::BlendRecord>>,
    pub adapt: Option<Box<super::adapt::AdaptRecord>>,
    pub track: Option<Box<super::track::TrackRecord>>,
    pub reach: Option<aplomb_editing::reach::Reached>,
    pub is_met: bool,
}

impl Repaired {
    /// A motion, and nothing to say of it.
    pub fn of(clip: Clip) -> Self {
        Self {
            clip,
            warnings: Vec::new(),
            notes: Vec::new(),
            layers: Vec::new(),
            touchup: None,
            plant: None,
            path: None,
            blend: None,
            adapt: None,
            track: None,
            reach: None,
            is_met: true,
        }
    }
}

/// How a touch-up went, for receipts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TouchupRecord {
    /// How it went.
    pub status: Status,
    /// Error of the planted input; of the input as it is where only some joints may change …
    pub before: Balance,
    /// … and of the result, as it is written.
    pub after: Balance,
    /// The same within the span alone, where one was given: of the input as it is …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span_before: Option<Balance>,
    /// … and of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span_after: Option<Balance>,
    /// The list that was carried out.
    pub steps: Vec<Step>,
    /// Error before each iteration: figure 9 of the paper.
    pub iterations: Vec<IterationRecord>,
    /// What became of each flight.
    pub flights: Vec<FlightRecord>,
    /// Stretches that stayed as they were, because something that is not modelled carries the body there.
    pub left_alone: Vec<OtherSpan>,
    /// Every correction, in order.
    pub layers: Vec<LayerRecord>,
    /// Drift of what is planted, before …
    pub feet_before: Drift,
    /// … and as it is written.
    pub feet_after: Drift,
}

/// One correction, by its size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerRecord {
    /// Of the step that made it.
    pub name: String,
    /// Step of the list, from 0.
    pub step: usize,
    /// Repetition of the step, from 0.
    pub iteration: usize,
    /// Mean distance of the zero-moment point from the support before it, m; `null` for flights.
    pub error_m: Option<f64>,
    /// Joints that turn.
    pub joints: Vec<String>,
    /// Farthest turn, rad.
    pub largest_turn_rad: f64,
    /// Farthest shift of the whole body, m.
    pub largest_shift_m: f64,
    /// How slowly it varies, s; `null` if it does not.
    pub time_scale_secs: Option<f64>,
}

/// How planting went, for receipts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlantRecord {
    /// Pins, drop and reach.
    pub summary: PlantSummary,
    /// Sliding before …
    pub before: Drift,
    /// … and after.
    pub after: Drift,
}

impl TouchupEdit {
    pub(super) fn apply(&self, work: &mut Work, folder: &Path) -> Result<Repaired, ProjectError> {
        let steps = self.step_list(folder)?;
        let span = Span { from_secs: self.from_secs, to_secs: self.to_secs, ease_secs: self.ease_secs };
        let mask = self.mask(work)?;
        let scene = Scene::of(work, self.slope, self.contacts.as_deref(), folder)?;
        let left_alone = self.left_alone(work, folder)?;
        let of_span = |span: &OtherSpan| TimeSpan { start_secs: span.start_secs, end_secs: span.end_secs };
        let is_masked = mask.is_some();
        let options = TouchupOptions {
            leave_alone: left_alone.iter().map(of_span).collect(),
            mask,
            steps,
            only: self.only,
            margin: self.margin,
            plant: PlantOptions { ground: scene.ground, span, ..PlantOptions::default() },
            ..TouchupOptions::default()
        };
        let done = touch_up(&work.clip, &work.roles, &scene.body, &scene.contacts, &options)
            .map_err(|source| work.failed(source))?;
        let steps = options.steps.clone().unwrap_or_else(|| StepList::usual(!scene.contacts.flights.is_empty())).steps;
        let name = |joint: JointId| work.clip.skeleton().joint(joint).name.clone();
        let step_secs = work.clip.timeline().uniform().map(|frame_time| frame_time.secs());
        let layer = |layer: &Layer| LayerRecord {
            name: layer.name.clone(),
            step: layer.step,
            iteration: layer.iteration,
            error_m: layer.error_m,
            joints: layer.turns.iter().map(|turn| name(turn.joint)).collect(),
            largest_turn_rad: layer.largest_turn_rad(),
            largest_shift_m: layer.translation_m.iter().map(|shift_m| shift_m.length()).fold(0.0, f64::max),
            time_scale_secs: step_secs.and_then(|step_secs| layer.change(step_secs).time_scale_secs),
        };
        let mut repaired = Repaired {
            warnings: done.warnings,
            notes: words_on(&left_alone).into_iter().collect(),
            touchup: Some(TouchupRecord {
                status: done.status,
                before: done.before,
                after: done.after,
                span_before: None,
                span_after: None,
                steps,
                iterations: done.iterations,
                layers: done.layers.iter().map(layer).collect(),
                left_alone,
                flights: done.flights,
                feet_before: contact_drift(&work.clip, &scene.contacts),
                feet_after: Drift::default(),
            }),
            layers: done.layers,
            plant: None,
            path: None,
            blend: None,
            adapt: None,
            track: None,
            reach: None,
            is_met: done.status != Status::NotImproved,
            clip: done.clip,
        };
        if let (ClockFinding::DisputedRate { .. }, Some(warning)) =
            (scene.contacts.clock.finding, scene.contacts.clock.warning())
        {
            repaired.warnings.push(warning);
        }
        self.tell_what_is_written(&mut repaired, work, &scene, &options, is_masked)?;
        repaired.is_met &= tell_jerks(work, &repaired.clip, &mut repaired.warnings)?;
        if let Some(record) = &mut repaired.touchup {
            record.feet_after = contact_drift(&repaired.clip, &scene.contacts);
        }
        if self.only != Some(Stage::Flight) {
            let needed = needed_lean(&work.clip, &scene.body).map_err(|source| work.failed(source))?;
            repaired.warnings.extend(needed.filter(|needed| needed.is_too_far()).map(|needed| {
                format!(
                    "the way is too tight for its speed: a lean of {:.0}° would be needed at {:.1} m/s on {:.1} m; go slower, or wider",
                    needed.lean_deg, needed.speed, needed.radius_m
                )
            }));
        }
        Ok(repaired)
    }

    /// Where something else carries the body, by the same contacts.
    fn left_alone(&self, work: &mut Work, folder: &Path) -> Result<Vec<OtherSpan>, ProjectError> {
        match &self.contacts {
            Some(file) => work.unexplained_by(Some(&contact_file(&folder.join(file), &work.clip)?)),
            None => work.unexplained().map(<[OtherSpan]>::to_vec),
        }
    }

    /// A stage may have nothing to do, and a mask leaves the planted input out: what a receipt tells is measured on the motion that is written.
    fn tell_what_is_written(
        &self,
        repaired: &mut Repaired,
        work: &Work,
        scene: &Scene,
        options: &TouchupOptions,
        is_masked: bool,
    ) -> Result<(), ProjectError> {
        let Repaired { clip, warnings, notes, layers, touchup: Some(record), is_met, .. } = repaired else {
            return Ok(());
        };
        if self.only == Some(Stage::Flight) && record.flights.iter().all(|flight| !flight.touched) {
            // Planting alone is no correction of flights.
            *clip = work.clip.clone();
            notes.push("changes nothing: there is no flight here that could be corrected".to_owned());
            (record.after, record.status, *is_met) = (record.before, Status::WasFine, true);
            record.layers.clear();
            layers.clear();
            return Ok(());
        }
        let balance = |clip: &Clip, options: &TouchupOptions| {
            balance_of(clip, &work.roles, &scene.body, &scene.contacts, options).map_err(|source| work.failed(source))
        };
        if self.from_secs.or(self.to_secs).is_some() {
            record.span_before = Some(balance(&work.clip, options)?);
            record.span_after = Some(balance(clip, options)?);
        }
        if is_masked {
            let plant = PlantOptions { span: Span::default(), ..options.plant };
            let whole = TouchupOptions { plant, ..options.clone() };
            (record.before, record.after) = (balance(&work.clip, &whole)?, balance(clip, &whole)?);
            record.status = record.before.status_of(&record.after, false);
            *is_met = record.status != Status::NotImproved;
            warnings.retain(|warning| !warning.contains("did not come nearer"));
        }
        if let (false, Some(before), Some(after)) = (is_masked, record.span_before, record.span_after) {
            // A stretch is a small part of a clip, and judged by itself.
            let repairs_flights = record.flights.iter().any(|flight| flight.touched);
            if self.only != Some(Stage::Flight) {
                record.status = before.status_of(&after, repairs_flights);
                *is_met = record.status != Status::NotImproved;
                warnings.retain(|warning| !warning.contains("did not come nearer"));
                if !*is_met {
                    warnings.push(
                        "the zero-moment point did not come nearer to the support within the stretch: it may be too short for a lean"
                            .to_owned(),
                    );
                }
            }
        }
        if is_same_motion(&work.clip, clip) {
            notes.push(match is_masked {
                true => format!("changes nothing: no correction turns {}", self.joints.join(", ")),
                false => "changes nothing".to_owned(),
            });
            record.layers.clear();
            layers.clear();
        } else if is_masked && !*is_met {
            warnings.push(format!(
                "with {} alone, the zero-moment point comes no nearer to the support: {:.1} cm before, {:.1} cm now",
                self.joints.join(", "),
                1e2 * record.before.weighted_m,
                1e2 * record.after.weighted_m
            ));
        }
        Ok(())
    }

    /// The ground, where the edit says it.
    pub(super) fn state_slope(&self, work: &mut Work) -> Result<(), ProjectError> {
        state_slope(self.slope, work)
    }

    fn step_list(&self, folder: &Path) -> Result<Option<StepList>, ProjectError> {
        match (&self.steps_file, self.steps.as_slice()) {
            (None, []) => Ok(None),
            (None, steps) => Ok(Some(StepList { steps: steps.to_vec() })),
            (Some(file), []) => {
                let path = folder.join(file);
                read_steps(&path).map(Some)
            }
            (Some(file), _) => {
                let source = EditingError::Conflict { a: "steps", b: "steps_file" };
                Err(ProjectError::StepFile { path: folder.join(file), source: Box::new(source) })
            }
        }
    }

    fn mask(&self, work: &Work) -> Result<Option<Mask>, ProjectError> {
        mask_of(&self.joints, work)
    }
}

/// Reads a step list.
pub fn read_steps(path: &Path) -> Result<StepList, ProjectError> {
    StepList::from_toml(&side_file_text(path)?)
        .map_err(|source| ProjectError::StepFile { path: path.to_owned(), source: Box::new(source) })
}

impl PlantEdit {
    pub(super) fn apply(&self, work: &mut Work, folder: &Path) -> Result<Repaired, ProjectError> {
        let mask = mask_of(&self.joints, work)?;
        let scene = Scene::of(work, self.slope, self.contacts.as_deref(), folder)?;
        let span = Span { from_secs: self.from_secs, to_secs: self.to_secs, ease_secs: self.ease_secs };
        let options = PlantOptions { ground: scene.ground, span, ..PlantOptions::default() };
        let done = plant(&work.clip, &work.roles, &scene.body, &scene.contacts, &options)
            .map_err(|source| work.failed(source))?;
        let summary = done.summary();
        let clip = masked(work, done.clip, mask.as_ref())?;
        // What a mask leaves of it is what counts.
        let after = contact_drift(&clip, &scene.contacts);
        let record = PlantRecord { summary, before: done.before, after };
        let (mut warnings, mut notes) = (done.plan.warnings().to_vec(), Vec::new());
        let mut is_met = after.worst_m <= done.before.worst_m.max(STANDS_M);
        is_met &= tell_jerks(work, &clip, &mut warnings)?;
        if !is_met {
            warnings.push(format!(
                "feet slide by up to {:.1} mm, before by {:.1} mm: look at the contacts",
                1e3 * after.worst_m,
                1e3 * done.before.worst_m
            ));
        }
        if is_same_motion(&work.clip, &clip) {
            let joints = self.joints.join(", ");
            notes.push(match mask.is_some() {
                true => format!("changes nothing: standing feet do not need {joints}"),
                false => "changes nothing".to_owned(),
            });
            is_met = after.worst_m <= STANDS_M;
        }
        Ok(Repaired {
            clip,
            warnings,
            notes,
            layers: Vec::new(),
            touchup: None,
            plant: Some(record),
            path: None,
            blend: None,
            adapt: None,
            track: None,
            reach: None,
            is_met,
        })
    }
}

/// What people should know of joints that jerk where the motion did not; the edit is not met if one tears.
///
/// Holding feet under hips that jump in a capture hands the jump on to the knees.
fn tell_jerks(work: &Work, clip: &Clip, warnings: &mut Vec<String>) -> Result<bool, ProjectError> {
    let pops = limb_pops(&work.clip, clip, &work.roles).map_err(|source| work.failed(source))?;
    Ok(tell_pops(&pops, clip, "look at it, the hips may jump in the recording", warnings))
}

/// How long the motion is left alone, and why.
fn words_on(left_alone: &[OtherSpan]) -> Option<String> {
    let all_secs: f64 = left_alone.iter().map(|span| span.end_secs - span.start_secs).sum();
    let why = |reason: OtherReason| match reason {
        OtherReason::DoubtfulFall => "in the air without falling",
        OtherReason::FarSupport => "carried far from its feet",
        OtherReason::Pull => "pulled to the ground",
    };
    let span = |span: &OtherSpan| format!("{:.2} to {:.2} s, {}", span.start_secs, span.end_secs, why(span.reason));
    (!left_alone.is_empty()).then(|| {
        format!(
            "left alone for {all_secs:.1} s, where something else carries the body (a seat, a partner, a hand that was not seen): {}",
            left_alone.iter().map(span).collect::<Vec<_>>().join("; ")
        )
    })
}

/// Whether an edit left every frame as it was, to the bit.
fn is_same_motion(before: &Clip, after: &Clip) -> bool {
    let stays = |joint: JointId| {
        before.frames().all(|frame| before.translation_m(frame, joint) == after.translation_m(frame, joint))
    };
    before.rotations() == after.rotations() && before.skeleton().ids().all(stays)
}

/// `None` is every joint.
fn mask_of(joints: &[String], work: &Work) -> Result<Option<Mask>, ProjectError> {
    match joints {
        [] => Ok(None),
        words => Mask::named(work.clip.skeleton(), &work.roles, words).map(Some).map_err(|source| work.failed(source)),
    }
}

fn masked(work: &Work, edited: Clip, mask: Option<&Mask>) -> Result<Clip, ProjectError> {
    match mask {
        None => Ok(edited),
        Some(mask) => apply_within(&work.clip, &edited, &Span::default(), mask).map_err(|source| work.failed(source)),
    }
}

fn state_slope(slope: Option<Slope>, work: &mut Work) -> Result<(), ProjectError> {
    let Some(slope) = slope else { return Ok(()) };
    let normal = slope.normal(&work.clip).map_err(|source| work.failed(source))?;
    work.state_ground(normal)
}

/// What both edits work with.
struct Scene {
    body: aplomb_physics::Body,
    ground: Ground,
    contacts: ContactAnalysis,
}

impl Scene {
    fn of(work: &mut Work, slope: Option<Slope>, contacts: Option<&Path>, folder: &Path) -> Result<Self, ProjectError> {
        state_slope(slope, work)?;
        let contacts = match contacts {
            Some(file) => {
                let path = folder.join(file);
                let given = contact_file(&path, &work.clip)?;
                let contacts = work.given_contacts(&given, &path)?;
                work.learn_contacts(&contacts);
                contacts
            }
            None => work.contacts()?.clone(),
        };
        Ok(Self { body: work.body()?.clone(), ground: work.ground(), contacts })
    }
}
