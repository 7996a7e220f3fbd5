//! `aplomb contacts`: what touches the ground and when, as a file to correct by hand or as arrays.

use crate::args::{InputArgs, PhysicsArgs};
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_diagnostics, say_error};
use crate::shown::counted;
use aplomb_analysis::contacts::{ContactAnalysis, ContactEntry, ContactFile, Source};
use aplomb_formats::{Import, atomic};
use aplomb_project::contact_table::contacts_npz;
use aplomb_project::inspect::contact_file;
use aplomb_project::{ProjectError, contacts_of_file};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Options of `contacts`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb contacts jump.bvh -o jump.toml              what was found, to look at and correct\n  \
    aplomb contacts jump.bvh -o jump.toml --force      found anew; entries with source = \"hand\" stay\n  \
    aplomb contacts jump.bvh -o jump.npz               arrays: contacts (frames × effectors), effectors, times_secs\n  \
    aplomb contacts sit.bvh --raised-point seat=Hips   watch a point that may rest on something\n  \
    aplomb inspect jump.bvh --contacts jump.toml       judge the clip by the corrected contacts")]
pub struct Args {
    /// Motion file (BVH, AMC, TRC), or builtin:NAME
    clip: PathBuf,
    /// File to write: .toml or .npz; without it, TOML on standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing file; what was written by hand in a .toml stays
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
            say_error(&error.to_string());
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
    let file = merged(args, kind, &import, &found)?;
    let text = file.to_toml().map_err(|source| ProjectError::Contacts { path: args.clip.clone(), source })?;
    match (&args.out, kind) {
        (Some(out), Some(OutKind::Npz)) => {
            atomic::write(out, &contacts_npz(&found, import.clip.frame_count())?, args.force)?;
        }
        (Some(out), _) => atomic::write(out, with_header(args, &text).as_bytes(), args.force)?,
        (None, _) => {}
    }
    if print.json {
        return Ok(print_json(&report(args, &import, &found, file)));
    }
    say_diagnostics(&args.clip, &import.diagnostics, print);
    found.warnings.iter().for_each(|warning| crate::outcome::say_warning(&args.clip, warning));
    Ok(match &args.out {
        None => print_line(with_header(args, &text).trim_end()),
        Some(_) if print.quiet => Outcome::Done,
        Some(out) => print_line(&line(out, &found, &file)),
    })
}

/// What was found, with what somebody wrote into the file that is about to be replaced. A file that cannot be read is not replaced: there
/// may be an hour of work in it, and one typing error.
fn merged(
    args: &Args,
    kind: Option<OutKind>,
    import: &Import,
    found: &ContactAnalysis,
) -> Result<ContactFile, ProjectError> {
    match &args.out {
        Some(out) if kind == Some(OutKind::Toml) && out.exists() => {
            Ok(found.to_file().with_hand_entries_of(&contact_file(out, &import.clip)?))
        }
        _ => Ok(found.to_file()),
    }
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
    file.contacts.iter().filter(|entry| entry.source == Source::Hand).count()
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
