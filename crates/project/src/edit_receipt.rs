//! The receipt of edits: what was done, by what, to which files; what it changed; and the edits as data, so that they
//! can be made again.

use crate::edit_result::EditVerdict;
use crate::edits::{Edit, Project, StepRecord};
use crate::files::Outcome;
use crate::judgement::as_sentence;
use crate::receipt::{Measure, compare, planted_measures};
use crate::report::ClipReport;
use aplomb_analysis::fidelity::Fidelity;
use aplomb_editing::finding::Wording;
use aplomb_editing::footplant::Drift;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What an edit did (`docs/schemas/receipt.schema.json`).
#[derive(Clone, Debug, Serialize)]
pub struct EditReceipt {
    /// 1.
    pub schema: u32,
    /// `aplomb`.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// As it was called, word by word.
    pub command: Vec<String>,
    /// `done`, `goal_unmet` where something that was solved for did not come nearer, or `harmed` where the motion is worse.
    pub status: ReceiptStatus,
    /// What was asked for, in a sentence; empty where no edit is made.
    pub asked: String,
    /// What is better, what it cost, what is worse; `null` where the motion cannot be judged.
    pub verdict: Option<EditVerdict>,
    /// How far the motion went from the one before; `null` where they cannot be compared.
    pub fidelity: Option<Fidelity>,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// Files that were read, the clip first.
    pub inputs: Vec<crate::edits::InputFile>,
    /// Files that were written.
    pub outputs: Vec<String>,
    /// The edits as data; `aplomb run` makes them again.
    pub project: Project,
    /// Edit by edit.
    pub steps: Vec<StepRecord>,
    /// How far the edits with physics turned each joint, the farthest first; without such an edit how far all edits
    /// did, and nothing where one of them changed time.
    pub joints: Vec<JointReport>,
    /// How far the same edits moved the body.
    pub root: Option<RootReport>,
    /// The clip that came in; `null` where it cannot be judged.
    pub before: Option<ClipReport>,
    /// What edits without physics made of it, where edits with physics followed: what those started from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited: Option<ClipReport>,
    /// The clip that came out.
    pub after: Option<ClipReport>,
    /// All measures before and after, the score first.
    pub changes: Vec<Measure>,
    /// The same from `edited` to `after`: what touch-up and planting repaired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Measure>,
}

/// How edits ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptStatus {
    /// As it should.
    Done,
    /// Written, but what was solved for did not come nearer.
    GoalUnmet,
    /// The motion is worse than before, and is written only if a person accepts it.
    Harmed,
}

impl ReceiptStatus {
    /// Harm first: a goal that is missed by little may still be what a person wants.
    pub fn of(outcome: &Outcome) -> Self {
        match outcome.status.is_met() {
            _ if outcome.is_harmed() => Self::Harmed,
            true => Self::Done,
            false => Self::GoalUnmet,
        }
    }

    /// As JSON and tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::GoalUnmet => "goal_unmet",
            Self::Harmed => "harmed",
        }
    }
}

/// How far a joint turned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointReport {
    /// Its name in the file.
    pub joint: String,
    /// Root mean square over frames, degrees.
    pub rms_deg: f64,
    /// Farthest, degrees.
    pub max_deg: f64,
    /// When that is, s.
    pub at_secs: f64,
}

/// How far the body was moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RootReport {
    /// Root mean square over frames, m.
    pub rms_m: f64,
    /// Farthest, m.
    pub max_m: f64,
    /// When that is, s.
    pub at_secs: f64,
}

impl EditReceipt {
    /// Of what a project made, in these words. `project` has paths that lead from where the receipt will lie.
    pub fn new(outcome: &Outcome, project: Project, outputs: &[PathBuf], dry_run: bool, words: Wording) -> Self {
        let report = |inspected: &Option<crate::Inspected>| inspected.as_ref().map(|it| it.report(words));
        let (before, edited, mut after) = (report(&outcome.before), report(&outcome.edited), report(&outcome.after));
        if let Some(after) = &mut after {
            // What is written states the rate that was used.
            after.fps_header = after.fps.filter(|_| outcome.clip.timeline().uniform().is_some());
        }
        let between = |first: &Option<ClipReport>| -> Vec<Measure> {
            let both = first.clone().zip(after.clone());
            both.map(|(first, after)| compare(first, after).changes).unwrap_or_default()
        };
        let (mut changes, mut repairs) = (between(&before), between(&edited));
        if let Some((first, last)) = planted(&outcome.steps) {
            // What came in was not held by the contacts of an edit that came later.
            let of_first = Some(first).filter(|_| repairs.is_empty());
            insert(&mut changes, planted_measures(of_first, last));
            insert(&mut repairs, planted_measures(Some(first), last));
        }
        let provenance = &outcome.provenance;
        let asked = project.edits.iter().map(Edit::in_words).collect::<Vec<_>>().join(", then ");
        Self {
            schema: 1,
            program: provenance.program,
            version: provenance.version,
            command: provenance.command.clone(),
            status: ReceiptStatus::of(outcome),
            asked: as_sentence(&asked),
            verdict: outcome.harm.as_ref().map(|harm| harm.in_words(words)),
            fidelity: outcome.harm.as_ref().and_then(|harm| harm.fidelity.clone()),
            dry_run,
            inputs: provenance.inputs.clone(),
            outputs: outputs.iter().map(|path| shown(path)).collect(),
            project,
            steps: outcome.steps.iter().map(|step| step.in_words(words)).collect(),
            joints: joints(outcome),
            root: outcome.root.map(|root| RootReport {
                rms_m: root.rms_m,
                max_m: root.max_m,
                at_secs: outcome.clip.time_secs(root.max_frame),
            }),
            before,
            edited,
            after,
            changes,
            repairs,
        }
    }
}

/// What was held at first, and at last.
fn planted(steps: &[StepRecord]) -> Option<(Drift, Drift)> {
    let of_step = |step: &StepRecord| {
        let plant = step.plant().map(|it| (it.before, it.after));
        plant.or(step.touchup().map(|it| (it.feet_before, it.feet_after))).filter(|(before, _)| before.pins > 0)
    };
    let last = steps.iter().rev().find_map(of_step)?;
    Some((steps.iter().find_map(of_step).map_or(last.0, |first| first.0), last.1))
}

/// Beside the slides; nothing where nothing is compared.
fn insert(measures: &mut Vec<Measure>, planted: [Measure; 2]) {
    if let Some(slide) = measures.iter().position(|measure| measure.measure == "skate.max_m") {
        measures.splice(slide + 1..slide + 1, planted);
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn joints(outcome: &Outcome) -> Vec<JointReport> {
    let skeleton = outcome.clip.skeleton();
    let report = |change: &aplomb_editing::displacement::JointChange| JointReport {
        joint: skeleton.joint(change.joint).name.clone(),
        rms_deg: change.rms_rad.to_degrees(),
        max_deg: change.max_rad.to_degrees(),
        at_secs: outcome.clip.time_secs(change.max_frame),
    };
    let mut joints: Vec<JointReport> = outcome.joints.iter().map(report).collect();
    joints.sort_by(|a, b| b.max_deg.total_cmp(&a.max_deg));
    joints
}
