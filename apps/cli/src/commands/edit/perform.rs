//! Makes edits, and writes what came of them once all of it is there.

use super::{OutputArgs, text};
use crate::args::{InputArgs, tell_unused_skeleton};
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_diagnostics, say_error, say_warning};
use crate::progress::Progress;
use crate::{places, receipt_page, scene_drawn};
use aplomb_editing::EditingError;
use aplomb_formats::export::{self, Encoded};
use aplomb_formats::{FileKind, FormatError, WriteOptions};
use aplomb_motion::FrameOfReference;
use aplomb_project::edit::{Advance, InputFile, Partner};
use aplomb_project::{Edit, EditReceipt, Project, ProjectError, RunRequest, carried, edit};
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
            let shown =
                if print.json { print_json(&receipt) } else { print_line(&text::receipt_text(&receipt, print.quiet)) };
            if shown == Outcome::Done { outcome } else { shown }
        }
        Err(error) => {
            if print.json {
                print_json(&serde_json::json!({ "schema": 1, "error": ErrorReport::from(&error) }));
            }
            say_error(&error.to_string());
            match &error {
                ProjectError::Edit { source, .. } if matches!(**source, EditingError::Unmet { .. }) => {
                    Outcome::GoalUnmet
                }
                _ => Outcome::BadInput,
            }
        }
    }
}

fn make(job: &Job<'_>, print: Printing) -> Result<(EditReceipt, Outcome), ProjectError> {
    let OutputArgs { out, dry_run, force, receipt: receipt_file, html, strip } = job.output;
    // Before any work: nothing is worse than a refusal after a minute.
    if !dry_run {
        job.refuse_existing()?;
    }
    // Names of files need not be text: what is told of them is as near as text comes.
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let command: Vec<String> = std::iter::once("aplomb".to_owned()).chain(words).collect();
    let named = out.clone().unwrap_or_else(|| PathBuf::from("dry run"));
    let count = job.project.edits.len();
    let progress = Progress::working("reading", print);
    let told = |index: usize, edit: &Edit| {
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
        folder: job.folder,
        read: read.clone(),
        command: &command,
        out: &named,
        told: &told,
        advance: &advance,
        cache: cache.as_deref(),
        receipt_inputs: &job.receipt_inputs,
    };
    let mut outcome = edit::run(&job.project, &request)?;
    tell_unused_skeleton(&read, &mut outcome.original);
    progress.say("writing".to_owned());
    let original = &outcome.original;
    let encode = |out| export::encode(out, &outcome.clip, Some(original), original.frame(), &WriteOptions::default());
    let encoded = out.as_deref().map(encode).transpose()?;
    let mut companions = match out {
        Some(out) if !dry_run => companions(out, &outcome, *force)?,
        _ => Vec::new(),
    };
    let beside = match &encoded {
        Some(encoded) if !dry_run => carried::file_for(encoded, outcome.carried.as_ref())?,
        _ => None,
    };
    if let (Some(out), Some((place, bytes))) = (out, &beside) {
        carried::refuse_existing(out, *force)?;
        if let Some(last) = outcome.steps.last_mut() {
            let name = place.file_name().unwrap_or_default().to_string_lossy();
            last.notes.push(format!("what is known of contacts goes with it, as {name}"));
        }
        companions.push((place.clone(), bytes.clone()));
    }
    let own = encoded.iter().filter(|_| !dry_run).flat_map(|encoded| &encoded.files);
    let written: Vec<PathBuf> = own.chain(&companions).map(|(path, _)| path.clone()).collect();
    // Paths of the receipt lead from where it will lie.
    let place = receipt_file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let receipt = EditReceipt::new(&outcome, job.project.moved(job.folder, place), &written, *dry_run);
    let json = receipt_file.as_ref().map(|_| json_of(&receipt)).transpose()?;
    let page = html.as_ref().map(|path| page_of(path, &outcome, &receipt)).transpose()?;
    let drawn = match strip {
        Some(path) => Some((path.as_path(), scene_drawn::strip(path, &outcome)?)),
        None => None,
    };
    let forces = match (job.forces, outcome.steps.iter().rev().find_map(|step| step.adapt.as_deref())) {
        (Some(path), Some(record)) => Some((path, edit::forces_csv(&record.forces)?)),
        _ => None,
    };
    drop(progress);
    if !dry_run {
        let json = receipt_file.as_deref().zip(json.as_deref());
        let page = html.as_deref().zip(page.as_deref().map(str::as_bytes));
        let forces = forces.as_ref().map(|(path, bytes)| (*path, bytes.as_slice()));
        let drawn = drawn.as_ref().map(|(path, bytes)| (*path, bytes.as_slice()));
        let others_of_scene = companions.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
        let others: Vec<(&Path, &[u8])> =
            json.into_iter().chain(page).chain(forces).chain(drawn).chain(others_of_scene).collect();
        job.save(encoded.as_ref(), &others, beside.is_some())?;
    }
    if !print.json {
        say_diagnostics(&outcome.original.path, &outcome.original.diagnostics, print);
        if let Some(encoded) = &encoded {
            say_diagnostics(&named, &encoded.notes, print);
        }
        let warnings = receipt.steps.iter().flat_map(|step| &step.warnings);
        warnings.for_each(|warning| say_warning(&outcome.original.path, warning));
    }
    Ok((receipt, if outcome.is_met { Outcome::Done } else { Outcome::GoalUnmet }))
}

fn json_of(receipt: &EditReceipt) -> Result<Vec<u8>, ProjectError> {
    serde_json::to_vec_pretty(receipt)
        .map_err(|error| ProjectError::Table { what: "receipt", detail: error.to_string() })
}

fn page_of(path: &Path, outcome: &edit::Outcome, receipt: &EditReceipt) -> Result<String, ProjectError> {
    let page = receipt_page::html(outcome, receipt, None, None).ok_or_else(|| {
        let reason = "no body can be made of this skeleton, so there is no page to show; --receipt has what is known";
        FormatError::Unsupported { path: path.to_owned(), reason: reason.to_owned() }
    })?;
    Ok(page)
}

/// Motions of the others in a scene: files beside the first one's, with their names.
fn companions(out: &Path, outcome: &edit::Outcome, force: bool) -> Result<Vec<(PathBuf, Vec<u8>)>, ProjectError> {
    let mut files = Vec::new();
    let partners = outcome.steps.iter().filter_map(|step| step.track.as_ref()).flat_map(|track| &track.partners);
    for Partner { name, clip, .. } in partners {
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

    /// Nothing that would be written is there yet, or it may be replaced.
    fn refuse_existing(&self) -> Result<(), ProjectError> {
        let force = self.output.force;
        self.files().try_for_each(|path| places::refuse_existing(path, force))?;
        let carries = self.project.edits.iter().any(|edit| edit.moves_feet() || edit.changes_pace());
        match (&self.output.out, carries) {
            (Some(out), true) => carried::refuse_existing(out, force),
            _ => Ok(()),
        }
    }

    /// Writes everything or nothing; contacts beside an older file of the same name go with it.
    fn save(
        &self,
        encoded: Option<&Encoded>,
        others: &[(&Path, &[u8])],
        has_contacts: bool,
    ) -> Result<(), ProjectError> {
        let force = self.output.force;
        encoded.map_or(Ok(()), |encoded| self.refuse_inputs(encoded))?;
        export::save_with(encoded, others, force)?;
        if let (Some(out), false, true) = (&self.output.out, has_contacts, force) {
            carried::remove_stale(out);
        }
        Ok(())
    }

    /// Every file that is read.
    fn inputs(&self) -> Vec<PathBuf> {
        let of_project = self.project.sources().into_iter().map(|path| self.folder.join(path));
        let others = self.input.files().chain(self.file).map(Path::to_owned);
        of_project.chain(others).collect()
    }

    fn refuse_confusion(&self) -> Result<(), String> {
        if self.output.out.is_none() && !self.output.dry_run {
            return Err("nobody says where the result goes: give --out FILE, or --dry-run to write nothing".to_owned());
        }
        if self.files().any(|path| path.as_os_str() == "-") {
            return Err("-: standard output is not supported here; give the name of a file".to_owned());
        }
        let inputs = self.inputs();
        places::refuse_confusion(inputs.iter().map(PathBuf::as_path), self.files())?;
        let Some(out) = self.output.out.as_deref() else { return Ok(()) };
        FileKind::refusal_to_write(out).map_or(Ok(()), |why| Err(format!("{}: {why}", out.display())))
    }

    /// An AMC brings a skeleton, whose name nobody typed: it must not replace one that was read either.
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
