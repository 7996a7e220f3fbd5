//! Feet put back where they stand, as data.

use super::joints::{is_same_motion, jerks, mask_of, masked};
use super::slope::Slope;
use super::verb::{Context, Made, Verb, VerbError};
use crate::codes;
use aplomb_analysis::Take;
use aplomb_editing::finding::Finding;
use aplomb_editing::footplant::{Drift, PlantOptions, PlantSummary, contact_drift, plant, planting_contacts};
use aplomb_editing::solver_status::SolverStatus;
use aplomb_editing::span::Span;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Feet that move by less stand, m.
const STANDS_M: f64 = 1e-3;

/// Feet put back where they stand, and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlantEdit {
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
}

impl Default for PlantEdit {
    fn default() -> Self {
        let ease_secs = Span::default().ease_secs;
        Self { slope: None, from_secs: None, to_secs: None, ease_secs, joints: Vec::new(), contacts: None }
    }
}

/// How planting went, for receipts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlantRecord {
    /// Pins, drop and reach.
    pub summary: PlantSummary,
    /// Sliding before the edit.
    pub before: Drift,
    /// Sliding after it.
    pub after: Drift,
}

impl Verb for PlantEdit {
    type Record = PlantRecord;

    fn apply(&self, take: &Take, _: &mut Context<'_>) -> Result<Made<PlantRecord>, VerbError> {
        let mask = mask_of(&self.joints, take)?;
        let span = Span { from_secs: self.from_secs, to_secs: self.to_secs, ease_secs: self.ease_secs };
        let done = plant(take, &PlantOptions { ground: take.ground(), span, ..PlantOptions::default() })?;
        let summary = done.summary();
        let clip = masked(take.clip(), done.clip, mask.as_ref())?;
        // What a mask leaves of it is what counts.
        let after = contact_drift(&clip, planting_contacts(take)?);
        let mut findings = done.plan.findings().to_vec();
        let mut is_met = after.worst_m <= done.before.worst_m.max(STANDS_M);
        is_met &= jerks(take, &clip, &mut findings)?;
        if !is_met {
            let finding = Finding::of(codes::FEET_SLIDE).value("before_m", done.before.worst_m);
            findings.push(finding.value("after_m", after.worst_m));
        }
        if is_same_motion(take.clip(), &clip) {
            findings.push(match mask.is_some() {
                true => Finding::of(codes::FEET_NEED_NO_JOINT).value("joints", &self.joints[..]),
                false => Finding::of(codes::CHANGES_NOTHING),
            });
            // Feet that need no holding are no failure; joints that would have to give way and may not, are.
            is_met = mask.is_none() || after.worst_m <= STANDS_M;
        }
        let record = PlantRecord { summary, before: done.before, after };
        Ok(Made { findings, status: SolverStatus::met_or_stalled(is_met), ..Made::new(clip, record) })
    }
}
