//! What is done to one clip of a batch, and the row that the index gets for it.

use super::BatchInput;
use super::journal::Entry;
use crate::contact_sidecar;
use crate::edit_receipt::ReceiptStatus;
use crate::edits::{Edit, Project};
use crate::error::ProjectError;
use crate::files::run;
use crate::inspect::{InspectRequest, inspect_file};
use crate::load::{RateChoice, load};
use crate::publish::Publication;
use crate::report::ClipReport;
use crate::request::RunRequest;
use crate::source::built_in_name;
use aplomb_analysis::contacts::Verdict;
use aplomb_editing::finding::{Severity, Wording, by_meaning, in_words};
use aplomb_formats::{FormatError, ReadOptions, WriteOptions};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// What is to be done.
#[derive(Clone, Debug)]
pub enum BatchTask {
    /// Judge it; nothing is written but the index.
    Inspect,
    /// Write it in another format.
    Convert,
    /// Make these edits; the project's own clip is each clip in turn.
    Edit {
        /// The edits.
        project: Box<Project>,
        /// Its paths are relative to this.
        folder: PathBuf,
    },
}

/// Figures for the index, and outputs below the folder with their lengths.
type TaskResult = (Map<String, Value>, Vec<(String, u64)>);

/// A task with everything that decides its result.
#[derive(Clone, Debug)]
pub struct BatchJob {
    task: BatchTask,
    read: ReadOptions,
    rate: Option<RateChoice>,
    /// Ending of the outputs; the input's own if not given.
    ending: Option<String>,
    /// Hash of all of the above.
    hash: String,
    /// Puts findings in words, for the index.
    words: Wording,
    /// Puts refusals in words, for the index.
    refusal: fn(&ProjectError) -> String,
}

impl BatchJob {
    /// A job; `rate` is what the user says about the clips' rate.
    pub fn new(task: BatchTask, read: ReadOptions, rate: Option<RateChoice>, ending: Option<String>) -> Self {
        let mut hash = Sha256::new();
        hash.update(env!("CARGO_PKG_VERSION"));
        // Debug forms are the same for the same values, and change with the program, whose version stands before them.
        hash.update(format!("{read:?}{rate:?}{ending:?}"));
        match &task {
            BatchTask::Inspect => hash.update(b"inspect"),
            BatchTask::Convert => hash.update(b"convert"),
            BatchTask::Edit { project, folder } => {
                hash.update(serde_json::to_vec(&**project).unwrap_or_default());
                let clips = project.edits.iter().flat_map(Edit::clips);
                let side_files = project.edits.iter().flat_map(Edit::side_files);
                let body = project.body.file.iter().map(PathBuf::as_path);
                for file in clips.chain(side_files).chain(body).filter(|path| built_in_name(path).is_none()) {
                    hash.update(std::fs::read(folder.join(file)).unwrap_or_default());
                }
            }
        }
        for file in read.roles_file.iter().chain(&read.skeleton_file) {
            hash.update(std::fs::read(file).unwrap_or_default());
        }
        Self {
            task,
            read,
            rate,
            ending,
            hash: hex(&hash.finalize()),
            words: by_meaning,
            refusal: ProjectError::to_string,
        }
    }

    /// The same with findings and refusals in these words, for the index.
    #[must_use]
    pub fn worded(self, words: Wording, refusal: fn(&ProjectError) -> String) -> Self {
        Self { words, refusal, ..self }
    }

    /// Input, job and version in one hash.
    pub fn stamp(&self, input: &BatchInput) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.hash);
        hash.update(content_hash(&input.path));
        hex(&hash.finalize())
    }

    /// Does the task; the row says what went wrong.
    pub fn process(&self, input: &BatchInput, folder: &Path, stamp: String) -> Entry {
        let attempt = std::panic::AssertUnwindSafe(|| self.attempt(input, folder));
        // A fault of ours in one clip of a million must not lose the others.
        let result = std::panic::catch_unwind(attempt).unwrap_or_else(|_| {
            let detail = format!("{}: an internal error; please report it with this file", input.path.display());
            Err(ProjectError::Batch { detail })
        });
        let mut row = Map::new();
        row.insert("file".to_owned(), json!(input.key));
        row.insert("input_sha256".to_owned(), json!(content_hash(&input.path)));
        let outputs = match result {
            Ok((figures, outputs)) => {
                row.extend(figures);
                row.insert("error".to_owned(), Value::Null);
                outputs
            }
            Err(error) => {
                row.insert("status".to_owned(), json!("failed"));
                row.insert("error".to_owned(), json!((self.refusal)(&error)));
                row.insert("error_code".to_owned(), json!(error.code()));
                Vec::new()
            }
        };
        Entry { key: input.key.clone(), stamp, outputs, row }
    }

    fn attempt(&self, input: &BatchInput, folder: &Path) -> Result<TaskResult, ProjectError> {
        match &self.task {
            BatchTask::Inspect => {
                let request = InspectRequest {
                    read: self.read.clone(),
                    rate: self.rate.unwrap_or_default(),
                    words: Some(self.words),
                    ..InspectRequest::default()
                };
                let report = inspect_file(&input.path, &request)?.report(self.words);
                Ok((figures("done", &report), Vec::new()))
            }
            BatchTask::Convert => {
                let import = load(&input.path, &self.read, self.rate.unwrap_or(RateChoice::Header))?;
                let out = self.output(input, folder);
                let options = WriteOptions::default();
                let written =
                    Publication::converted(&input.path, &out, &import.clip, &import, import.frame(), &options)?;
                let outputs = save(&written, folder)?;
                let mut row = Map::new();
                row.insert("status".to_owned(), json!("done"));
                row.insert("frames".to_owned(), json!(import.clip.frame_count()));
                row.insert("fps".to_owned(), json!(import.clip.timeline().uniform().map(|time| time.hz())));
                row.insert("duration_secs".to_owned(), json!(import.clip.duration_secs()));
                row.insert("joints".to_owned(), json!(import.clip.skeleton().len()));
                row.insert("outputs".to_owned(), json!(outputs.iter().map(|(path, _)| path).collect::<Vec<_>>()));
                Ok((row, outputs))
            }
            BatchTask::Edit { project, folder: of_project } => self.edit(input, folder, (project, of_project)),
        }
    }

    fn edit(
        &self,
        input: &BatchInput,
        folder: &Path,
        (project, project_folder): (&Project, &Path),
    ) -> Result<TaskResult, ProjectError> {
        let out = self.output(input, folder);
        let clip = std::path::absolute(&input.path).unwrap_or_else(|_| input.path.clone());
        let project = Project { clip, ..project.clone() };
        let made = run(&project, &RunRequest::quiet(project_folder, self.read.clone(), &out))?;
        let is_kept = !made.is_harmed() || made.is_harm_accepted;
        let outputs = if is_kept { save(&Publication::of_outcome(&out, &made)?, folder)? } else { Vec::new() };
        let status = ReceiptStatus::of(&made).name();
        let verdict = made.harm.as_ref().map(|harm| harm.in_words(self.words));
        let after = made.after.as_ref().map(|it| it.report(self.words));
        let before = made.before.as_ref().map(|it| it.report(self.words));
        let mut row = match &after {
            Some(report) => figures(status, report),
            None => Map::from_iter([
                ("status".to_owned(), json!(status)),
                ("frames".to_owned(), json!(made.clip.frame_count())),
            ]),
        };
        row.insert("verdict".to_owned(), json!(verdict.as_ref().map(|verdict| verdict.result)));
        row.insert("verdict_sentence".to_owned(), json!(verdict.map(|verdict| verdict.sentence)));
        row.insert("score_before".to_owned(), json!(before.as_ref().and_then(|report| report.score)));
        row.insert("score_all_before".to_owned(), json!(before.as_ref().and_then(|report| report.score_all)));
        row.insert("outputs".to_owned(), json!(outputs.iter().map(|(path, _)| path).collect::<Vec<_>>()));
        let warnings = made.steps.iter().flat_map(|step| in_words(&step.findings, Severity::Warning, self.words));
        row.insert("edit_warnings".to_owned(), json!(warnings.collect::<Vec<_>>().join("; ")));
        Ok((row, outputs))
    }

    /// `DIR/key`, with the ending that was asked for.
    pub fn output(&self, input: &BatchInput, folder: &Path) -> PathBuf {
        let out = folder.join(&input.key);
        self.ending.as_ref().map_or(out.clone(), |ending| out.with_extension(ending))
    }

    /// Whether clips are written.
    pub fn writes_clips(&self) -> bool {
        !matches!(self.task, BatchTask::Inspect)
    }
}

/// Outputs of a batch are its own: what an interrupted run left is replaced, whole. What was corrected by hand beside
/// one is not.
fn save(written: &Publication, folder: &Path) -> Result<Vec<(String, u64)>, ProjectError> {
    for (path, _) in written.files() {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|source| {
                ProjectError::Format(FormatError::Io { path: parent.to_owned(), action: "make the folder", source })
            })?;
        }
        contact_sidecar::refuse_existing(path, true)?;
    }
    written.save(&[], true)?;
    let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
    Ok(written.files().map(|(path, bytes)| (name(path), bytes.len() as u64)).collect())
}

/// What a dataset is filtered by; the names are those of `inspect --csv`.
fn figures(status: &str, report: &ClipReport) -> Map<String, Value> {
    let verified = report.flights.iter().filter(|flight| flight.verdict == Verdict::Verified).count();
    let Value::Object(row) = json!({
        "status": status,
        "frames": report.frames,
        "duration_secs": report.duration_secs,
        "fps": report.fps,
        "fps_header": report.fps_header,
        "unit_m": report.unit_m,
        "stature_m": report.stature_m,
        "mass_kg": report.body.total_mass_kg,
        "joints": report.joints,
        "plan": report.body.plan,
        "score": report.score,
        "score_all": report.score_all,
        "score_worst": report.score_worst,
        "judged": report.judged,
        "judged_share": report.judged_share,
        "other_share": report.other_share,
        "flights": report.flights.len(),
        "flights_verified": verified,
        "contacts": report.contacts.len(),
        "zmp_mean_m": report.zmp.mean_m,
        "zmp_p95_m": report.zmp.p95_m,
        "zmp_outside_share": report.zmp.outside_share,
        "skate_mean_m": report.skate.mean_m,
        "skate_max_m": report.skate.max_m,
        "penetration_max_m": report.penetration.max_m,
        "friction_p95": report.friction.p95,
        "friction_outside_share": report.friction.outside_share,
        "balance_outside_share": report.balance.outside_share,
        "clock": report.clock.finding,
        "warnings": report.warnings.join("; "),
        "physics": report.judgement.aspects.physics,
        "body": report.judgement.aspects.body,
        "recording": report.judgement.aspects.recording,
        "headline": report.judgement.sentences(),
        "worst_moment_secs": report.judgement.worst_moment_secs(),
    }) else {
        return Map::new();
    };
    row
}

/// The bytes of the clip, of contacts that travel with it, and of every skeleton that an AMC could find beside it.
fn content_hash(path: &Path) -> String {
    let mut hash = Sha256::new();
    match built_in_name(path) {
        Some(name) => hash.update(name),
        None => {
            hash.update(std::fs::read(path).unwrap_or_default());
            hash.update(std::fs::read(contact_sidecar::place_beside(path)).unwrap_or_default());
        }
    }
    let is_amc = |path: &Path, ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
    if is_amc(path, "amc") {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let mut skeletons: Vec<PathBuf> = beside.filter(|path| is_amc(path, "asf")).collect();
        skeletons.sort();
        skeletons.iter().for_each(|skeleton| hash.update(std::fs::read(skeleton).unwrap_or_default()));
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
