//! What is recorded of an edit that was made.

use super::adapt::AdaptRecord;
use super::blend::BlendRecord;
use super::path_record::PathRecord;
use super::plant::PlantRecord;
use super::touchup::TouchupRecord;
use super::track::TrackRecord;
use aplomb_analysis::Inspection;
use aplomb_editing::displacement::Layer;
use aplomb_editing::finding::{Finding, Severity, Wording, in_words};
use aplomb_editing::reach::Reached;
use serde::Serialize;

/// One edit that was made.
#[derive(Clone, Debug, Serialize)]
pub struct StepRecord {
    /// From 1.
    pub edit: usize,
    /// Which verb.
    pub verb: &'static str,
    /// Frames afterwards.
    pub frames: usize,
    /// Seconds afterwards.
    pub duration_secs: f64,
    /// What people should know of it, as data.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// What the edit decided by itself, in the words of a receipt; empty before one is made.
    pub notes: Vec<String>,
    /// What people should look at, in the words of a receipt; empty before one is made.
    pub warnings: Vec<String>,
    /// The motion afterwards, in a few figures; `null` where it cannot be judged.
    pub stage: Option<MotionFigures>,
    /// How it went, under the name of its verb; verbs that only move frames have none.
    #[serde(flatten)]
    pub record: Option<VerbRecord>,
}

/// How an edit went.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerbRecord {
    /// Balance and flights before and after.
    Touchup(Box<TouchupRecord>),
    /// Feet before and after.
    Plant(PlantRecord),
    /// Handles, flights and times.
    Path(Box<PathRecord>),
    /// What a blend keeps of physics.
    Blend(Box<BlendRecord>),
    /// The fit and what the goals took.
    Adapt(Box<AdaptRecord>),
    /// How the driven body did.
    Track(Box<TrackRecord>),
    /// Where a hand was put.
    Reach(Reached),
}

macro_rules! record_of {
    ($name:ident, $variant:ident, $record:ty, $about:literal) => {
        #[doc = $about]
        pub fn $name(&self) -> Option<&$record> {
            match &self.record {
                Some(VerbRecord::$variant(record)) => Some(record),
                _ => None,
            }
        }
    };
}

impl StepRecord {
    record_of!(touchup, Touchup, TouchupRecord, "How a touch-up went.");
    record_of!(plant, Plant, PlantRecord, "How planting went.");
    record_of!(path, Path, PathRecord, "How a path edit went.");
    record_of!(blend, Blend, BlendRecord, "What a blend keeps of physics.");
    record_of!(adapt, Adapt, AdaptRecord, "How an adaptation went.");
    record_of!(track, Track, TrackRecord, "How tracking went.");
    record_of!(reach, Reach, Reached, "Where a hand was put.");

    /// The same with its findings in words.
    pub(crate) fn in_words(&self, words: Wording) -> Self {
        let [notes, warnings] = [Severity::Note, Severity::Warning].map(|it| in_words(&self.findings, it, words));
        let mut worded = Self { notes, warnings, ..self.clone() };
        if let Some(VerbRecord::Blend(blend)) = &mut worded.record {
            blend.guarantees.put_in_words(words);
        }
        worded
    }

    /// The corrections of a touch-up themselves, to be drawn.
    pub fn layers(&self) -> &[Layer] {
        self.touchup().map(|touchup| touchup.corrections.as_slice()).unwrap_or_default()
    }
}

/// A motion between two edits, in a few figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MotionFigures {
    /// Plausibility, 0–100.
    pub score_all: Option<f64>,
    /// Zero-moment point outside the support, mean, m.
    pub zmp_mean_m: Option<f64>,
    /// Slide of a contact, mean, m.
    pub skate_mean_m: Option<f64>,
}

impl MotionFigures {
    pub(crate) fn of(inspection: &Inspection) -> Self {
        let Inspection { score, zmp, skate, .. } = inspection;
        Self { score_all: score.score_all, zmp_mean_m: zmp.mean_m, skate_mean_m: skate.mean_m }
    }
}
