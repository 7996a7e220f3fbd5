//! `aplomb contacts`: what touches the ground and when, as a file to correct by hand or as arrays.

use crate::args::{InputArgs, PhysicsArgs};
use crate::number_format::counted;
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_diagnostics, say_error};
use aplomb_analysis::contacts::{ContactAnalysis, ContactEntry, ContactFile, ContactSource, Rewritten};
use aplomb_formats::{FormatError, Import, atomic};
use aplomb_project::contact_table::contacts_npz;
use aplomb_project::inspect::contact_file_anew;
use aplomb_project::{ProjectError, contacts_of_file};
use aplomb_words::in_flags;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Options of `contacts`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb contacts jump.bvh -o jump.toml              what was found, to look at and correct\n  \
    aplomb contacts jump.bvh -o jump.toml --force      found anew; entries with source = \"hand\" and comments stay\n  \
    aplomb contacts jump.bvh -o jump.npz               arrays: contacts (frames × effectors), effectors, times_secs\n  \
    aplomb contacts sit.bvh --raised-point seat=Hips   watch a point that may rest on something\n  \
    aplomb inspect jump.bvh --contacts jump.toml       judge the clip by the corrected contacts")]
pub struct Args {
    /// Motion file (BVH, AMC, TRC), or builtin:NAME
    clip: PathBuf,
    /// File to write: .toml or .npz; without it, TOML on standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing file; entries by hand and comments in a .toml stay
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    physics: PhysicsArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// What was found (`docs/schemas/contacts.schema.json`).
#[derive(Serialize)]
struct ContactsReport {
    schema: u32,
    file: String,
    out: Option<String>,
    frames: usize,
    fps: Option<f64>,
    effectors: Vec<String>,
    contacts: Vec<ContactEntry>,
    kept_by_hand: usize,
    warnings: Vec<String>,
}

/// Finds contacts and writes them.
pub fn run(args: &Args, print: Printing) -> Outcome {
    let kind = match args.out.as_deref().map(OutKind::of).transpose() {
        Ok(kind) => kind,
        Err(message) => {
            say_error(&message);
            return Outcome::WrongUsage;
        }
    };
    match find_and_write(args, kind, print) {
        Ok(outcome) => outcome,
        Err(error) => {
            if print.json {
                let error = ErrorReport::from(&error);
                print_json(
                    &serde_json::json!({ "schema": 1, "file": args.clip.display().to_string(), "error": error }),
                );
            }
            say_error(&in_flags(&error));
            Outcome::BadInput
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutKind {
    Toml,
    Npz,
}

impl OutKind {
    fn of(path: &Path) -> Result<Self, String> {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("toml") => Ok(Self::Toml),
            Some("npz") => Ok(Self::Npz),
            _ => Err(format!("{}: name the file .toml (to edit by hand) or .npz (arrays)", path.display())),
        }
    }
}

fn find_and_write(args: &Args, kind: Option<OutKind>, print: Printing) -> Result<Outcome, ProjectError> {
    if let Some(out) = &args.out {
        atomic::refuse_existing(out, args.force)?;
    }
    let (mut import, found) = contacts_of_file(&args.clip, &args.physics.request(&args.input))?;
    crate::args::tell_unused_skeleton(&args.input.read_options(), &mut import);
    let Rewritten { file, text, changed } = contact_text(args, kind, &import, &found)?;
    let mut kept_copy = None;
    match (&args.out, kind) {
        (Some(out), Some(OutKind::Npz)) => {
            atomic::write(out, &contacts_npz(&found, import.clip.frame_count())?, args.force)?;
        }
        (Some(out), _) => {
            if changed > 0 {
                kept_copy = Some(copy_beside(out)?);
            }
            atomic::write(out, text.as_bytes(), args.force)?;
        }
        (None, _) => {}
    }
    if let (Some(out), Some(copy)) = (&args.out, &kept_copy) {
        let entries = if changed == 1 { "1 entry differs".to_owned() } else { format!("{changed} entries differ") };
        let copy = aplomb_formats::diagnostic::printable(&copy.display().to_string());
        let message = format!(
            "{entries} from what is found now without being marked source = \"hand\"; the file as it was is kept as {copy}"
        );
        crate::outcome::say_warning(out, &message);
    }
    if print.json {
        return Ok(print_json(&report(args, &import, &found, file)));
    }
    say_diagnostics(&args.clip, &import.diagnostics, print);
    found.warnings.iter().for_each(|warning| crate::outcome::say_warning(&args.clip, warning));
    Ok(match &args.out {
        None => print_line(text.trim_end()),
        Some(_) if print.quiet => Outcome::Done,
        Some(out) => print_line(&line(out, &found, &file)),
    })
}

/// What was found, with what was written by hand into the file that is about to be replaced.
fn contact_text(
    args: &Args,
    kind: Option<OutKind>,
    import: &Import,
    found: &ContactAnalysis,
) -> Result<Rewritten, ProjectError> {
    let file = ContactFile { frames: Some(import.clip.frame_count()), ..found.to_file() };
    match &args.out {
        Some(out) if kind == Some(OutKind::Toml) && out.exists() => contact_file_anew(out, &import.clip, &file),
        _ => {
            let fail = |source| ProjectError::Contacts { path: args.clip.clone(), source };
            let text = with_header(args, &file.to_toml().map_err(fail)?);
            Ok(Rewritten { file, text, changed: 0 })
        }
    }
}

/// Copies a file to a name beside it that is free: `jump.toml` to `jump.before.toml`, `jump.before-2.toml`, …
fn copy_beside(path: &Path) -> Result<PathBuf, ProjectError> {
    let io = |source| FormatError::Io { path: path.to_owned(), action: "read", source };
    let bytes = std::fs::read(path).map_err(io)?;
    for number in 1.. {
        let ending = if number == 1 { "before.toml".to_owned() } else { format!("before-{number}.toml") };
        let copy = path.with_extension(ending);
        match atomic::write(&copy, &bytes, false) {
            Err(FormatError::Exists { .. }) => {}
            written => return Ok(written.map(|()| copy)?),
        }
    }
    Err(FormatError::Exists { path: path.to_owned() }.into())
}

fn with_header(args: &Args, text: &str) -> String {
    let clip = aplomb_formats::diagnostic::printable(&args.clip.display().to_string());
    format!(
        "# What touches the ground in {clip}, by time. Seconds go with frame_rate_hz. kind: \"load\" carries weight, \"pin\" may be held still.\n\
         # Correct what is wrong and mark it source = \"hand\": such entries stay when contacts are found anew.\n\n{text}"
    )
}

fn line(out: &Path, found: &ContactAnalysis, file: &ContactFile) -> String {
    let by_hand = hand_entries(file);
    let entries = if by_hand == 1 { "entry" } else { "entries" };
    let kept = if by_hand > 0 { format!(", {by_hand} {entries} by hand") } else { String::new() };
    format!(
        "{}: {} of {}, {}{kept}",
        out.display(),
        counted(found.contacts.len(), "contact"),
        counted(found.effectors.len(), "point"),
        counted(found.flights.len(), "flight")
    )
}

fn hand_entries(file: &ContactFile) -> usize {
    file.contacts.iter().filter(|entry| entry.source == ContactSource::Hand).count()
}

fn report(args: &Args, import: &Import, found: &ContactAnalysis, file: ContactFile) -> ContactsReport {
    ContactsReport {
        schema: 1,
        file: args.clip.display().to_string(),
        out: args.out.as_ref().map(|out| out.display().to_string()),
        frames: import.clip.frame_count(),
        fps: Some(found.clock.used_hz).filter(|hz| *hz > 0.0),
        effectors: found.effectors.iter().map(|effector| effector.name.clone()).collect(),
        kept_by_hand: hand_entries(&file),
        contacts: file.contacts,
        warnings: found.warnings.clone(),
    }
}
