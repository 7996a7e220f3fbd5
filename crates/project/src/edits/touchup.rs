//! Touch-up of balance and flights, as data.

use super::joints::{is_same_motion, jerks, mask_of};
use super::slope::Slope;
use super::verb::{Context, Made, Verb, VerbError};
use crate::codes;
use crate::error::ProjectError;
use crate::inspect::side_file_text;
use aplomb_analysis::contacts::{ClockFinding, OtherReason, OtherSpan};
use aplomb_analysis::{Keeps, Take};
use aplomb_editing::EditingError;
use aplomb_editing::displacement::Layer;
use aplomb_editing::finding::Finding;
use aplomb_editing::finding::codes::NOT_NEARER;
use aplomb_editing::footplant::{Drift, PlantOptions, contact_drift, planting_contacts};
use aplomb_editing::solver_status::SolverStatus;
use aplomb_editing::span::{Span, TimeSpan};
use aplomb_editing::touchup::{
    Balance, FlightRecord, IterationRecord, Stage, Status, Step, StepList, TouchedUp, TouchupOptions, balance_of,
    needed_lean, touch_up,
};
use aplomb_motion::Clip;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A lean grows over this long at the ends of a span, s. Centimetres of lean within a quarter of a second need
/// accelerations that throw the zero-moment point farther out than the lean brings it in: a body of height h falls with
/// a time constant √(h/g), 0.3 s for hips, and twice that is quieter (docs/algorithms/touchup.md has what was
/// measured).
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

/// How a touch-up went, for receipts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TouchupRecord {
    /// How it went.
    pub status: Status,
    /// Error of the planted input; of the input as it is where only some joints may change.
    pub before: Balance,
    /// Error of the result, as it is written.
    pub after: Balance,
    /// The same within the span alone, where one was given: of the input as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span_before: Option<Balance>,
    /// Within the span alone, of the result.
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
    /// Drift of what is planted, before the edit.
    pub feet_before: Drift,
    /// The same as it is written.
    pub feet_after: Drift,
    /// The corrections themselves, to be drawn.
    #[serde(skip)]
    pub corrections: Vec<Layer>,
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

impl Verb for TouchupEdit {
    type Record = TouchupRecord;

    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<TouchupRecord>, VerbError> {
        let options = self.options(take, context)?;
        let contacts = planting_contacts(take)?;
        let left_alone = take.unexplained()?.to_vec();
        let mut done = touch_up(take, &options)?;
        let mut findings = std::mem::take(&mut done.findings);
        findings.extend(left_alone_finding(&left_alone));
        if let (ClockFinding::DisputedRate { .. }, Some(warning)) = (contacts.clock.finding, contacts.clock.warning()) {
            findings.push(Finding::of(codes::CLOCK_DISPUTED).value("warning", warning));
        }
        let usual = || StepList::usual(!contacts.flights.is_empty()).for_body(take.roles());
        let steps = options.steps.clone().unwrap_or_else(usual).steps;
        let feet_before = contact_drift(take.clip(), contacts);
        let clip = std::mem::replace(&mut done.clip, take.clip().clone());
        let mut written = Written { clip, record: record_of(take.clip(), done, steps, feet_before), findings };
        written.record.left_alone = left_alone;
        let mut is_met = written.record.status != Status::NotImproved;
        self.measure(take, &options, &mut written, &mut is_met)?;
        let Written { clip, mut record, mut findings } = written;
        is_met &= jerks(take, &clip, &mut findings)?;
        record.feet_after = contact_drift(&clip, contacts);
        if self.only != Some(Stage::Flight) {
            let needed = needed_lean(take.clip(), take.body()?)?.filter(|needed| needed.is_too_far());
            findings.extend(needed.map(|needed| {
                let finding = Finding::of(codes::LEAN_TOO_FAR).value("lean_deg", needed.lean_deg);
                finding.value("speed", needed.speed).value("radius_m", needed.radius_m)
            }));
        }
        Ok(Made { findings, status: SolverStatus::met_or_stalled(is_met), ..Made::new(clip, record) })
    }
}

/// The motion as it will be written, and what is said of it.
struct Written {
    clip: Clip,
    record: TouchupRecord,
    findings: Vec<Finding>,
}

impl TouchupEdit {
    fn options(&self, take: &Take, context: &mut Context<'_>) -> Result<TouchupOptions, VerbError> {
        let steps = self.step_list(context)?;
        let span = Span { from_secs: self.from_secs, to_secs: self.to_secs, ease_secs: self.ease_secs };
        let of_span = |span: &OtherSpan| TimeSpan { start_secs: span.start_secs, end_secs: span.end_secs };
        let usual = TouchupOptions::default();
        // Steps, a margin or a slope that are stated are meant everywhere.
        let is_stated = steps.is_some() || self.margin != usual.margin || self.slope.is_some();
        Ok(TouchupOptions {
            mask: mask_of(&self.joints, take)?,
            dead_zones: usual.dead_zones.filter(|_| !is_stated),
            was_edited: context.was_edited,
            leave_alone: take.unexplained()?.iter().map(of_span).collect(),
            steps,
            only: self.only,
            margin: self.margin,
            plant: PlantOptions { ground: take.ground(), span, ..PlantOptions::default() },
            ..usual
        })
    }

    /// A stage may have nothing to do, and a mask leaves the planted input out: a receipt measures the motion that is
    /// written.
    fn measure(
        &self,
        take: &Take,
        options: &TouchupOptions,
        written: &mut Written,
        is_met: &mut bool,
    ) -> Result<(), VerbError> {
        let Written { clip, record, findings } = written;
        if self.only == Some(Stage::Flight) && record.flights.iter().all(|flight| !flight.touched) {
            // Planting alone is no correction of flights.
            *clip = take.clip().clone();
            let are_right = record.flights.iter().any(|flight| flight.is_right);
            findings.push(Finding::of(if are_right { codes::CHANGES_NOTHING } else { codes::NO_FLIGHT }));
            (record.after, record.status, *is_met) = (record.before, Status::WasFine, true);
            record.clear_layers();
            return Ok(());
        }
        let is_masked = options.mask.is_some();
        let balance = |clip: &Clip, options: &TouchupOptions| {
            let kept = take.with_known_contacts(planting_contacts(take)?.clone(), None);
            balance_of(&kept.with_clip(clip.clone(), Keeps::Time), options)
        };
        if self.from_secs.or(self.to_secs).is_some() {
            record.span_before = Some(balance(take.clip(), options)?);
            record.span_after = Some(balance(clip, options)?);
        }
        // What needs no correction is no failure of one.
        let stays = record.status == Status::WasFine && is_same_motion(take.clip(), clip);
        if stays {
            *is_met = true;
        } else if is_masked {
            let plant = PlantOptions { span: Span::default(), ..options.plant };
            let whole = TouchupOptions { plant, ..options.clone() };
            (record.before, record.after) = (balance(take.clip(), &whole)?, balance(clip, &whole)?);
            record.status = record.before.status_of(&record.after, false);
            *is_met = record.status != Status::NotImproved;
            findings.retain(|finding| finding.code != NOT_NEARER);
        } else if let (Some(before), Some(after)) = (record.span_before, record.span_after) {
            // A stretch is a small part of a clip, and judged by itself.
            let repairs_flights = record.flights.iter().any(|flight| flight.touched);
            if self.only != Some(Stage::Flight) {
                record.status = before.status_of(&after, repairs_flights);
                *is_met = record.status != Status::NotImproved;
                findings.retain(|finding| finding.code != NOT_NEARER);
                if !*is_met {
                    findings.push(Finding::of(codes::STRETCH_NOT_NEARER));
                }
            }
        }
        if is_same_motion(take.clip(), clip) {
            findings.push(match is_masked && !stays {
                true => Finding::of(codes::NOTHING_TO_TURN).value("joints", &self.joints[..]),
                false => Finding::of(codes::CHANGES_NOTHING),
            });
            record.clear_layers();
        } else if is_masked && !*is_met {
            let finding = Finding::of(codes::JOINTS_NOT_NEARER).value("joints", &self.joints[..]);
            let [before_m, after_m] = [record.before.weighted_m, record.after.weighted_m];
            findings.push(finding.value("before_m", before_m).value("after_m", after_m));
        }
        Ok(())
    }

    fn step_list(&self, context: &mut Context<'_>) -> Result<Option<StepList>, ProjectError> {
        let failed = |path: PathBuf, source: EditingError| ProjectError::StepFile { path, source: Box::new(source) };
        match (&self.steps_file, self.steps.as_slice()) {
            (None, []) => Ok(None),
            (None, steps) => Ok(Some(StepList { steps: steps.to_vec() })),
            (Some(file), []) => {
                let read = StepList::from_toml(&context.sources.text(file)?);
                read.map(Some).map_err(|source| failed(context.sources.place(file), source))
            }
            (Some(file), _) => {
                Err(failed(context.sources.place(file), EditingError::Conflict { a: "steps", b: "steps_file" }))
            }
        }
    }
}

impl TouchupRecord {
    fn clear_layers(&mut self) {
        self.layers.clear();
        self.corrections.clear();
    }
}

/// What is recorded of a touch-up, before the result is measured.
fn record_of(clip: &Clip, done: TouchedUp, steps: Vec<Step>, feet_before: Drift) -> TouchupRecord {
    let name = |joint| clip.skeleton().joint(joint).name.clone();
    let step_secs = clip.timeline().uniform().map(|frame_time| frame_time.secs());
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
    TouchupRecord {
        status: done.status,
        before: done.before,
        after: done.after,
        span_before: None,
        span_after: None,
        steps,
        iterations: done.iterations,
        layers: done.layers.iter().map(layer).collect(),
        left_alone: Vec::new(),
        flights: done.flights,
        feet_before,
        feet_after: Drift::default(),
        corrections: done.layers,
    }
}

/// Reads a step list.
pub fn read_steps(path: &Path) -> Result<StepList, ProjectError> {
    StepList::from_toml(&side_file_text(path)?)
        .map_err(|source| ProjectError::StepFile { path: path.to_owned(), source: Box::new(source) })
}

/// How long the motion is left alone, and why.
fn left_alone_finding(left_alone: &[OtherSpan]) -> Option<Finding> {
    let all_secs: f64 = left_alone.iter().map(|span| span.end_secs - span.start_secs).sum();
    let why = |reason: OtherReason| match reason {
        OtherReason::DoubtfulFall => "doubtful_fall",
        OtherReason::FarSupport => "far_support",
        OtherReason::Pull => "pull",
    };
    let part = |span: &OtherSpan| {
        Finding::of(codes::LEFT_ALONE_SPAN).at(span.start_secs, span.end_secs).value("reason", why(span.reason))
    };
    let parts: Vec<Finding> = left_alone.iter().map(part).collect();
    (!parts.is_empty()).then(|| Finding::of(codes::LEFT_ALONE).value("secs", all_secs).value("spans", parts))
}
