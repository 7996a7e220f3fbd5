//! `aplomb info`: what a clip is, and what its reader noticed.

mod report;
mod tree;

use crate::args::InputArgs;
use crate::outcome::{ErrorReport, Outcome, Printing, diagnostic_line, print_json, print_line, say_error, say_note};
use crate::progress::Progress;
use aplomb_formats::{FormatError, Import};
use aplomb_project::ProjectError;
use aplomb_words::in_flags;
use rayon::prelude::*;
use report::ClipReport;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Options of `info`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb info walk.bvh                  the whole skeleton with roles\n  \
    aplomb info takes/*.bvh               one line a clip\n  \
    aplomb info --json takes/*.bvh        for programs\n  \
    aplomb info 02_01.amc --skeleton 02.asf --fps 120\n  \
    aplomb info walk.bvh --loops          cycles that repeat without a seam")]
pub struct Args {
    /// Motion files (BVH, AMC, ASF, TRC), or builtin:NAME
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// Show the skeleton tree for every clip, not only for a single one
    #[arg(long)]
    tree: bool,
    /// Look for cycles: stretches whose end continues into their start
    #[arg(long)]
    loops: bool,
    /// Write the roles of one clip to a file that --roles reads, to correct them by hand
    #[arg(long, value_name = "FILE.toml")]
    save_roles: Option<PathBuf>,
    /// Replace an existing roles file
    #[arg(long, requires = "save_roles")]
    force: bool,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Serialize)]
struct InfoReport {
    schema: u32,
    clips: Vec<ClipResult>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ClipResult {
    Read(Box<ClipReport>),
    Failed { file: String, error: ErrorReport },
}

/// Reads every clip (in parallel) and shows it in the order given.
pub fn run(args: &Args, print: Printing) -> Outcome {
    if args.save_roles.is_some() && args.clips.len() > 1 {
        say_error("--save-roles takes one clip");
        return Outcome::WrongUsage;
    }
    let progress = Progress::new("reading", args.clips.len(), print);
    // Only the report of each clip is kept, so that many clips do not need the memory of all of them.
    let reports: Vec<Result<ClipReport, ProjectError>> = args
        .clips
        .par_iter()
        .map(|path| {
            let report = args.input.load(path).and_then(|import| {
                args.input.kept_rate(&import).iter().for_each(|note| say_note(path, note, print));
                save_roles(args, &import)?;
                Ok(ClipReport::new(&import, args.loops))
            });
            progress.step();
            report
        })
        .collect();
    drop(progress);
    let failed = reports.iter().filter(|report| report.is_err()).count();
    let outcome = Outcome::of_many(reports.len(), failed);
    let with_tree = args.tree || reports.len() == 1;
    let printed =
        if print.json { as_json(&args.clips, reports) } else { as_text(&args.clips, &reports, with_tree, print) };
    if printed == Outcome::Done { outcome } else { printed }
}

fn save_roles(args: &Args, import: &Import) -> Result<(), FormatError> {
    let Some(path) = &args.save_roles else { return Ok(()) };
    let text = aplomb_formats::roles_file::write(import.clip.skeleton(), &import.roles);
    aplomb_formats::atomic::write(path, text.as_bytes(), args.force)
}

fn as_json(paths: &[PathBuf], reports: Vec<Result<ClipReport, ProjectError>>) -> Outcome {
    let result = |(path, report): (&PathBuf, Result<ClipReport, ProjectError>)| match report {
        Ok(report) => ClipResult::Read(Box::new(report)),
        Err(error) => ClipResult::Failed { file: path.display().to_string(), error: ErrorReport::from(&error) },
    };
    print_json(&InfoReport { schema: 1, clips: paths.iter().zip(reports).map(result).collect() })
}

fn as_text(
    paths: &[PathBuf],
    reports: &[Result<ClipReport, ProjectError>],
    with_tree: bool,
    print: Printing,
) -> Outcome {
    for (path, report) in paths.iter().zip(reports) {
        match report {
            Ok(report) if with_tree => {
                let text = report.full_text();
                if print_line(&text) != Outcome::Done {
                    return Outcome::BadInput;
                }
                say_notes(path, report, print);
            }
            Ok(report) => {
                print_line(&report.one_line());
            }
            Err(error) => say_error(&in_flags(error)),
        }
    }
    Outcome::Done
}

fn say_notes(path: &Path, report: &ClipReport, print: Printing) {
    if print.quiet {
        return;
    }
    for diagnostic in report.diagnostics() {
        print_line(&diagnostic_line(path, diagnostic));
    }
}
