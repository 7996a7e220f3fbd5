//! `aplomb inspect`: whether a clip obeys physics, and where it does not.

mod compare;
mod files;
mod line;
mod text;

use crate::args::{InputArgs, PhysicsArgs};
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_error};
use crate::progress::Progress;
use aplomb_project::{ClipReport, InspectRequest, ProjectError, inspect_file};
use aplomb_words::{in_flags, sentence};
use files::Files;
use rayon::prelude::*;
use serde::Serialize;
use std::path::{Path, PathBuf};

pub use line::table;

/// Options of `inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb inspect walk.bvh                        the report of one clip\n  \
    aplomb inspect walk.bvh --html walk.html       … with plots and a figure to turn, in one file\n  \
    aplomb inspect takes/*.bvh                     one line a clip, on all cores\n  \
    aplomb inspect takes/*.bvh --json > all.json   to filter a dataset by its scores\n  \
    aplomb inspect takes/*.bvh --csv all.csv       one row a clip; of one clip a row a frame\n  \
    aplomb inspect --compare before.bvh after.bvh  what a change did\n  \
    aplomb inspect jump.bvh --contacts jump.toml   with contacts that you corrected\n\n\
    A header that gravity proves wrong is told, and the clip is judged at the corrected rate; --fps N keeps to N.")]
pub struct Args {
    /// Motion files (BVH, AMC, GLB, npz, TRC, C3D, …), or builtin:NAME
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// Compare two versions of a clip, with the body and the clock of the first
    #[arg(long, conflicts_with_all = ["html", "csv"])]
    compare: bool,
    /// Write a page with plots and a moving figure; for many clips a folder of them, with an index
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a table: of one clip a row a frame, of many a row a clip
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Replace existing output
    #[arg(long)]
    force: bool,
    /// How many clips at a time; as many as there are cores if not given
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    physics: PhysicsArgs,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Serialize)]
struct InspectReport {
    schema: u32,
    clips: Vec<ClipResult>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ClipResult {
    Read(Box<ClipReport>),
    Failed { file: String, error: ErrorReport },
}

/// Judges every clip (in parallel) and shows it in the order given.
pub fn run(args: &Args, print: Printing) -> Outcome {
    if args.clips.iter().chain(&args.html).chain(&args.csv).any(|path| path.as_os_str() == "-") {
        say_error(
            "-: standard input and output are not supported here; give the name of a file (./- if that is its name)",
        );
        return Outcome::WrongUsage;
    }
    let request = args.physics.request(&args.input);
    if args.compare {
        return compare::run(&args.clips, &request, print);
    }
    let files = match Files::plan(args) {
        Ok(files) => files,
        Err(outcome) => return outcome,
    };
    let reports = in_parallel(args.jobs, || {
        let progress = Progress::new("inspecting", args.clips.len(), print);
        let inspect = |(index, path): (usize, &PathBuf)| {
            let report = inspect_one(index, path, &request, &files);
            progress.step();
            report
        };
        args.clips.par_iter().enumerate().map(inspect).collect::<Vec<_>>()
    });
    let failed = reports.iter().filter(|report| report.is_err()).count();
    let mut outcome = Outcome::of_many(reports.len(), failed);
    if let Err(error) = files.write_overview(&args.clips, &reports) {
        say_error(&in_flags(&error));
        outcome = Outcome::BadInput;
    }
    let printed = if print.json { as_json(&args.clips, reports) } else { as_text(&reports, &files, print) };
    if printed == Outcome::Done { outcome } else { printed }
}

/// Only the report is kept, so that many clips do not need the memory of all of them.
fn inspect_one(index: usize, path: &Path, request: &InspectRequest, files: &Files) -> Result<ClipReport, ProjectError> {
    let mut inspected = inspect_file(path, request)?;
    crate::args::tell_unused_skeleton(&request.read, &mut inspected.import);
    let report = inspected.report(sentence);
    files.write_clip(index, &inspected)?;
    Ok(report)
}

fn in_parallel<T: Send>(jobs: Option<u16>, work: impl FnOnce() -> T + Send) -> T {
    // Without the threads asked for, the usual ones do the work.
    let pool = jobs.and_then(|jobs| rayon::ThreadPoolBuilder::new().num_threads(usize::from(jobs)).build().ok());
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

fn as_json(paths: &[PathBuf], reports: Vec<Result<ClipReport, ProjectError>>) -> Outcome {
    let result = |(path, report): (&PathBuf, Result<ClipReport, ProjectError>)| match report {
        Ok(report) => ClipResult::Read(Box::new(report)),
        Err(error) => ClipResult::Failed { file: path.display().to_string(), error: ErrorReport::from(&error) },
    };
    print_json(&InspectReport { schema: 1, clips: paths.iter().zip(reports).map(result).collect() })
}

fn as_text(reports: &[Result<ClipReport, ProjectError>], files: &Files, print: Printing) -> Outcome {
    let mut printed = Outcome::Done;
    match reports {
        [Ok(report)] => printed = print_line(&text::full_text(report)),
        [Err(error)] => say_error(&in_flags(error)),
        many => {
            let good: Vec<&ClipReport> = many.iter().filter_map(|report| report.as_ref().ok()).collect();
            if !good.is_empty() {
                printed = print_line(&line::table(&good, print.quiet));
            }
            many.iter().filter_map(|report| report.as_ref().err()).for_each(|error| say_error(&in_flags(error)));
        }
    }
    if !print.quiet {
        files.names().for_each(|name| {
            print_line(&name);
        });
    }
    printed
}
