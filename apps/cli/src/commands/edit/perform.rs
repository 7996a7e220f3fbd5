//! Makes edits, and writes what came of them once all of it is there.

use super::{OutputArgs, text};
use crate::args::{InputArgs, tell_unused_skeleton};
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_diagnostics, say_error, say_warning};
use crate::progress::Progress;
use crate::{pages, places};
use aplomb_editing::EditingError;
use aplomb_formats::export::{self, Encoded};
use aplomb_formats::{FileKind, FormatError, WriteOptions};
use aplomb_motion::FrameOfReference;
use aplomb_project::edit::{Advance, InputFile, Partner};
use aplomb_project::edit_receipt::ReceiptStatus;
use aplomb_project::publish::Publication;
use aplomb_project::{Edit, EditReceipt, Project, ProjectError, RunRequest, contact_sidecar, edit};
use aplomb_words::in_flags;
use std::path::{Path, PathBuf};

/// What is to be done.
pub struct Job<'a> {
    /// The edits.
    pub project: Project,
    /// Its paths are relative to this.
    pub folder: &'a Path,
    /// Where the project was read from.
    pub file: Option<&'a Path>,
    /// Files that a receipt's edits were made from; empty where anything goes.
    pub receipt_inputs: Vec<InputFile>,
    /// How clips are read where the project says nothing.
    pub input: &'a InputArgs,
    /// Where things go.
    pub output: &'a OutputArgs,
    /// Where forces of an adaptation go.
    pub forces: Option<&'a Path>,
}

/// Makes the edits, writes the results and shows the receipt.
pub fn perform(job: &Job<'_>, print: Printing) -> Outcome {
    if let Err(message) = job.refuse_confusion() {
        say_error(&message);
        return Outcome::WrongUsage;
    }
    match make(job, print) {
        Ok((receipt, outcome)) => {
            let shown = if print.json {
                print_json(&receipt)
            } else {
                print_line(&text::receipt_text(&receipt, print.verbose))
            };
            if shown == Outcome::Done { outcome } else { shown }
        }
        Err(error) => {
            if print.json {
                print_json(&serde_json::json!({ "schema": 1, "error": ErrorReport::from(&error) }));
            }
            say_error(&in_flags(&error));
            match &error {
                ProjectError::Edit { source, .. }
                    if matches!(**source, EditingError::Unmet { .. } | EditingError::BeyondPeople(_)) =>
                {
                    Outcome::GoalUnmet
                }
                _ => Outcome::BadInput,
            }
        }
    }
}

fn make(job: &Job<'_>, print: Printing) -> Result<(EditReceipt, Outcome), ProjectError> {
    let OutputArgs { out, dry_run, force, receipt: receipt_file, .. } = job.output;
    job.refuse_outputs()?;
    let named = out.clone().unwrap_or_else(|| PathBuf::from("dry run"));
    let progress = Progress::working("reading", print);
    let mut outcome = run(job, &named, &progress)?;
    progress.say("writing".to_owned());
    outcome.is_harm_accepted |= job.output.accept_harm;
    // What is harmed is not written. Its receipt is, where one is asked for: it shows why.
    let is_refused = outcome.is_harmed() && !outcome.is_harm_accepted;
    let out = out.as_ref().filter(|_| !is_refused || *dry_run);
    let publication = out.map(|out| Publication::of_accepted(out, &outcome)).transpose()?;
    let companions = match out {
        Some(out) if !dry_run => companions(out, &outcome, *force)?,
        _ => Vec::new(),
    };
    let written = publication.as_ref().filter(|_| !dry_run);
    if let Some(last) = outcome.steps.last_mut() {
        last.findings.extend(written.and_then(Publication::finding));
    }
    let written: Vec<PathBuf> = match written {
        Some(written) => {
            let (own, beside) = (written.encoded.files.iter(), written.beside().map(Path::to_owned));
            let companions = companions.iter().map(|(path, _)| path.clone());
            own.map(|(path, _)| path.clone()).chain(companions).chain(beside).collect()
        }
        None => Vec::new(),
    };
    // Paths of the receipt lead from where it will lie.
    let place = receipt_file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let project = job.project.moved(job.folder, place);
    let receipt = EditReceipt::new(&outcome, project, &written, *dry_run, aplomb_words::sentence);
    let mut others = job.side_files(&outcome, &receipt)?;
    others.extend(companions);
    drop(progress);
    if !dry_run {
        let others: Vec<(&Path, &[u8])> = others.iter().map(|(path, bytes)| (path.as_path(), &bytes[..])).collect();
        match &publication {
            Some(publication) => {
                job.refuse_inputs(&publication.encoded)?;
                publication.save(&others, *force)?;
            }
            None if others.is_empty() => {}
            None => export::save_with(None, &others, *force)?,
        }
    }
    if !print.json {
        let original = &outcome.original;
        say_diagnostics(&original.path, &original.diagnostics, print);
        if let Some(publication) = &publication {
            say_diagnostics(&named, &publication.encoded.notes, print);
        }
        for step in &receipt.steps {
            step.warnings.iter().for_each(|warning| say_warning(&original.path, warning));
        }
    }
    if let (Some(verdict), true) = (&receipt.verdict, outcome.is_harmed()) {
        let what_now = match (is_refused, dry_run) {
            (true, false) => " Nothing was written; --accept-harm writes it all the same.",
            _ => "",
        };
        say_error(&format!("{}: {}{what_now}", named.display(), verdict.sentence));
    }
    let is_good = receipt.status == ReceiptStatus::Done;
    Ok((receipt, if is_good { Outcome::Done } else { Outcome::GoalUnmet }))
}

/// Makes the edits; `named` is what reports call the result.
fn run(job: &Job<'_>, named: &Path, progress: &Progress) -> Result<edit::Outcome, ProjectError> {
    // Names of files need not be text: receipts hold what is nearest to them.
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let command: Vec<String> = std::iter::once("aplomb".to_owned()).chain(words).collect();
    let count = job.project.edits.len();
    let on_edit = |index: usize, edit: &Edit| {
        let verb = edit.verb();
        progress.say(if count > 1 { format!("{verb}, edit {} of {count}", index + 1) } else { verb.to_owned() });
    };
    let started = std::time::Instant::now();
    let advance = |advance: &Advance<'_>| {
        progress.say(match advance {
            Advance::Simulated { secs, .. } => {
                let factor = secs / started.elapsed().as_secs_f64().max(1e-3);
                format!("{advance}, {factor:.0} times as fast as time")
            }
            Advance::Adapted(_) => advance.to_string(),
        });
        true
    };
    let read = job.input.read_options();
    let cache = aplomb_project::session::cache_folder();
    let request = RunRequest {
        command: &command,
        on_edit: &on_edit,
        advance: &advance,
        cache: cache.as_deref(),
        receipt_inputs: &job.receipt_inputs,
        ..RunRequest::quiet(job.folder, read.clone(), named)
    };
    let mut outcome = edit::run(&job.project, &request)?;
    tell_unused_skeleton(&read, &mut outcome.original);
    Ok(outcome)
}

impl Job<'_> {
    /// Before any work: nothing is worse than a refusal after a minute.
    fn refuse_outputs(&self) -> Result<(), ProjectError> {
        let OutputArgs { out, dry_run, force, .. } = self.output;
        for path in self.files().filter(|_| !dry_run) {
            places::refuse_existing(path, *force)?;
        }
        let carries = self.project.edits.iter().any(|edit| edit.moves_feet() || edit.changes_pace());
        match (out, carries, dry_run) {
            (Some(out), true, false) => contact_sidecar::refuse_existing(out, *force),
            _ => Ok(()),
        }
    }

    /// Receipt, page, forces and strip, as far as they are asked for.
    fn side_files(
        &self,
        outcome: &edit::Outcome,
        receipt: &EditReceipt,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, ProjectError> {
        let OutputArgs { receipt: receipt_file, html, strip, .. } = self.output;
        let mut files = Vec::new();
        if let Some(path) = receipt_file {
            let json = serde_json::to_vec_pretty(receipt)
                .map_err(|error| ProjectError::Table { what: "receipt", detail: error.to_string() })?;
            files.push((path.clone(), json));
        }
        if let Some(path) = html {
            let page = aplomb_pages::receipt_html(outcome, receipt, None, None).ok_or_else(|| {
                let reason =
                    "no body can be made of this skeleton, so there is no page to show; --receipt has what is known";
                FormatError::Unsupported { path: path.clone(), reason: reason.to_owned() }
            })?;
            files.push((path.clone(), page.into_bytes()));
        }
        let drawn = strip.as_ref().map(|path| pages::strip(path, outcome).map(|drawn| (path.clone(), drawn)));
        if let (Some(path), Some(record)) = (self.forces, outcome.steps.iter().rev().find_map(|step| step.adapt())) {
            files.push((path.to_owned(), edit::forces_csv(&record.forces)?));
        }
        files.extend(drawn.transpose()?);
        Ok(files)
    }
}

/// Motions of the others in a scene: files beside the first one's, with their names.
fn companions(out: &Path, outcome: &edit::Outcome, force: bool) -> Result<Vec<(PathBuf, Vec<u8>)>, ProjectError> {
    let mut files = Vec::new();
    let partners = outcome.steps.iter().filter_map(|step| step.track()).flat_map(|track| &track.partners);
    for Partner { name, take } in partners {
        let clip = take.clip();
        let safe: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        let stem = out.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let ending = out.extension().map_or_else(String::new, |ending| ending.to_string_lossy().into_owned());
        let path = out.with_file_name(format!("{stem}.{safe}.{ending}"));
        let encoded = export::encode(&path, clip, None, FrameOfReference::INTERNAL, &WriteOptions::default())?;
        for (path, bytes) in encoded.files {
            places::refuse_existing(&path, force)?;
            files.push((path, bytes));
        }
    }
    Ok(files)
}

impl OutputArgs {
    fn files(&self) -> impl Iterator<Item = &Path> {
        self.out.iter().chain(&self.receipt).chain(&self.html).chain(&self.strip).map(PathBuf::as_path)
    }
}

impl Job<'_> {
    /// Every file that is written.
    fn files(&self) -> impl Iterator<Item = &Path> {
        self.output.files().chain(self.forces)
    }

    /// Every file that is read.
    fn inputs(&self) -> Vec<PathBuf> {
        let of_project = self.project.sources().into_iter().map(|path| self.folder.join(path));
        let others = self.input.files().chain(self.file).map(Path::to_owned);
        of_project.chain(others).collect()
    }

    fn refuse_confusion(&self) -> Result<(), String> {
        if self.output.out.is_none() && !self.output.dry_run {
            return Err("no output file: give -o FILE, or --dry-run to write nothing".to_owned());
        }
        if self.files().any(|path| path.as_os_str() == "-") {
            return Err("-: standard output is not supported here; give the name of a file".to_owned());
        }
        let inputs = self.inputs();
        places::refuse_confusion(inputs.iter().map(PathBuf::as_path), self.files())?;
        let Some(out) = self.output.out.as_deref() else { return Ok(()) };
        FileKind::refusal_to_write(out).map_or(Ok(()), |why| Err(format!("{}: {why}", out.display())))
    }

    /// An AMC brings a skeleton, whose name was not typed: it must not replace one that was read either.
    fn refuse_inputs(&self, encoded: &Encoded) -> Result<(), ProjectError> {
        let inputs = self.inputs();
        for (path, bytes) in &encoded.files {
            let is_same = || std::fs::read(path).is_ok_and(|there| there == *bytes);
            let is_read = inputs.iter().any(|input| places::place_of(input) == places::place_of(path));
            if is_read && !is_same() {
                let reason = "is read here, so it cannot be written; choose another name".to_owned();
                return Err(FormatError::Unsupported { path: path.clone(), reason }.into());
            }
        }
        Ok(())
    }
}
