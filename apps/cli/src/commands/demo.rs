//! `aplomb demo`: the built-in clips, inspected, and what edits make of them, as a page to look at.

mod edits;

use crate::outcome::{Outcome, Printing, print_json, print_line, say_error, say_warning};
use crate::pages;
use crate::progress::Progress;
use aplomb_analysis::contacts::side_file::SCHEMA;
use aplomb_analysis::contacts::{ContactEntry, ContactFile, ContactKind, ContactSource};
use aplomb_builtins::{NAMES, PlannedContact};
use aplomb_formats::{FileKind, FormatError, WriteOptions, atomic, export};
use aplomb_motion::{Clip, FrameOfReference};
use aplomb_pages::{Card, index_html, picture_svg, report_html};
use aplomb_project::samples::{SAMPLES, Sample};
use aplomb_project::{ClipReport, InspectRequest, PointRequest, ProjectError, inspect_file};
use aplomb_render::Theme;
use aplomb_words::{in_flags, sentence};
use edits::{DemoEdit, ShownEdit};
use rayon::prelude::*;
use serde::Serialize;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Options of `demo`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb demo                          writes ./aplomb-demo and opens its page\n  \
    aplomb demo --out /tmp/demo --no-open")]
pub struct Args {
    /// Folder for the pages, the receipts, and the clips as BVH and GLB
    #[arg(short, long, value_name = "FOLDER", default_value = "aplomb-demo")]
    out: PathBuf,
    /// Do not open the page
    #[arg(long)]
    no_open: bool,
    /// Replace files of other origin in the folder
    #[arg(long)]
    force: bool,
}

/// A folder with this file was made by the demo, and is made anew without asking.
const MARK: &str = ".aplomb-demo";

/// What was made (`docs/schemas/demo.schema.json`).
#[derive(Serialize)]
struct DemoReport {
    schema: u32,
    index: String,
    clips: Vec<DemoClip>,
    edits: Vec<DemoEdit>,
}

#[derive(Serialize)]
struct DemoClip {
    name: &'static str,
    files: Vec<String>,
    page: String,
    score: Option<f64>,
}

/// One clip with its files and its card.
struct Shown {
    clip: DemoClip,
    report: ClipReport,
    card: Card,
}

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{}", in_flags(.0))]
    Project(#[from] ProjectError),
    #[error("{}", in_flags(.0))]
    Format(#[from] FormatError),
    #[error("built-in clip {0}: {1}; this is a bug, please report it")]
    Built(&'static str, Box<aplomb_builtins::BuiltError>),
    #[error("{folder}: cannot make the folder: {source}", folder = .folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
}

/// Makes, inspects and shows every built-in clip.
pub fn run(args: &Args, print: Printing) -> Outcome {
    match make(args, print) {
        Ok((index, shown, edits)) => show(args, &index, shown, edits, print),
        Err(failure) => {
            say_error(&failure.to_string());
            Outcome::BadInput
        }
    }
}

fn make(args: &Args, print: Printing) -> Result<(PathBuf, Vec<Shown>, Vec<ShownEdit>), Failure> {
    let folder = &args.out;
    let is_ours = folder.join(MARK).is_file();
    let force = args.force || is_ours;
    let index = folder.join("index.html");
    atomic::refuse_existing(&index, force)?;
    std::fs::create_dir_all(folder).map_err(|source| Failure::Folder { folder: folder.clone(), source })?;
    atomic::write(&folder.join(MARK), b"Made by `aplomb demo`, which replaces what it finds here.\n", true)?;
    let progress = Progress::new("inspecting and editing", NAMES.len() + SAMPLES.len(), print);
    let one = |&(name, about): &(&'static str, &'static str)| {
        let shown = make_one(folder, name, about, force);
        progress.step();
        shown
    };
    let shown: Vec<Shown> = NAMES.par_iter().map(one).collect::<Result<_, Failure>>()?;
    let edit = |known: &Sample| {
        let shown = edits::make(folder, known, force);
        progress.step();
        shown
    };
    let edited: Vec<ShownEdit> = SAMPLES.par_iter().map(edit).collect::<Result<_, Failure>>()?;
    drop(progress);
    // What the program does to motions first, then what it says of them.
    let cards: Vec<Card> =
        edited.iter().map(|it| it.card.clone()).chain(shown.iter().map(|shown| shown.card.clone())).collect();
    atomic::write(&index, index_html(&pages::demo_heading(), &cards).as_bytes(), force)?;
    Ok((index, shown, edited))
}

/// Goes through a file, as a clip of the user would: what the page says is what `inspect` says of the BVH beside it.
fn make_one(folder: &Path, name: &'static str, about: &str, force: bool) -> Result<Shown, Failure> {
    let made = aplomb_builtins::make(name).map_err(|error| Failure::Built(name, Box::new(error)))?;
    let bvh = folder.join(format!("{name}.bvh"));
    let mut files = write_clip(&bvh, &made.clip, force)?;
    let mut request = InspectRequest { points: points(&made.clip, &made.contacts), ..InspectRequest::default() };
    if !request.points.is_empty() {
        // What touches with more than feet (a ball that never stands still, a person on a seat) is given: the way for
        // whatever the rule cannot see. The file lies beside the clip, so that the judgement can be repeated.
        let path = folder.join(format!("{name}.toml"));
        let text = planned_file(&made.contacts)
            .to_toml()
            .map_err(|source| ProjectError::Contacts { path: path.clone(), source })?;
        atomic::write(&path, text.as_bytes(), force)?;
        files.push(path.display().to_string());
        request.contacts_file = Some(path);
    }
    let inspected = inspect_file(&bvh, &request)?;
    let report = inspected.report(sentence);
    let page = folder.join(format!("{name}.html"));
    atomic::write(&page, report_html(&inspected, Some((name, "index.html")), sentence).as_bytes(), force)?;
    let mut card = pages::card(&report, name, &page, Some(about));
    card.picture_svg = picture_svg(&inspected, Theme::Light).unwrap_or_default();
    card.picture_dark_svg = picture_svg(&inspected, Theme::Dark);
    let page = page.display().to_string();
    Ok(Shown { clip: DemoClip { name, files, page, score: report.judgement.shown_score }, report, card })
}

fn write_clip(bvh: &Path, clip: &Clip, force: bool) -> Result<Vec<String>, FormatError> {
    let mut written = Vec::new();
    let for_viewers = Some(bvh.with_extension("glb")).filter(|path| FileKind::from_path(path).is_some());
    for path in std::iter::once(bvh.to_owned()).chain(for_viewers) {
        // In metres: the one unit in which a ball without bones is as large as it is.
        let encoded = export::encode(&path, clip, None, FrameOfReference::INTERNAL, &WriteOptions::default())?;
        export::save(&encoded, force)?;
        written.extend(encoded.files.iter().map(|(path, _)| path.display().to_string()));
    }
    Ok(written)
}

fn planned_file(planned: &[PlannedContact]) -> ContactFile {
    let entry = |contact: &PlannedContact| ContactEntry {
        effector: contact.effector.clone(),
        start_secs: contact.start_secs,
        end_secs: contact.end_secs,
        kind: ContactKind::Load,
        source: ContactSource::Hand,
    };
    let contacts = planned.iter().map(entry).collect();
    ContactFile { schema: SCHEMA, frame_rate_hz: None, frames: None, carried: None, contacts }
}

/// What a clip was planned to touch with, beyond feet and paws: the seat of a sitting body, the ball.
fn points(clip: &Clip, planned: &[PlannedContact]) -> Vec<PointRequest> {
    let mut points: Vec<PointRequest> = Vec::new();
    for contact in planned {
        let is_found_anyway = ["heel", "ball", "toe", "hand", "paw"]
            .iter()
            .any(|part| contact.effector.strip_suffix(part).is_some_and(|side| side.ends_with('_')));
        if is_found_anyway || points.iter().any(|point| point.name == contact.effector) {
            continue;
        }
        points.push(PointRequest {
            name: contact.effector.clone(),
            joint: clip.skeleton().joint(contact.joint).name.clone(),
            point_in_joint_m: contact.point_in_joint_m,
            may_be_raised: contact.effector == "hips",
        });
    }
    points
}

fn show(args: &Args, index: &Path, shown: Vec<Shown>, edited: Vec<ShownEdit>, print: Printing) -> Outcome {
    if print.json {
        let clips = shown.into_iter().map(|shown| shown.clip).collect();
        let edits = edited.into_iter().map(|edited| edited.edit).collect();
        return print_json(&DemoReport { schema: 1, index: index.display().to_string(), clips, edits });
    }
    if !print.quiet {
        let reports: Vec<&ClipReport> = shown.iter().map(|shown| &shown.report).collect();
        print_line(&super::inspect::table(&reports, true));
    }
    let full = std::fs::canonicalize(index).unwrap_or_else(|_| index.to_owned());
    let printed = print_line(&format!("open {} in a browser", full.display()));
    if should_open(args) && opener::open(&full).is_err() {
        say_warning(index, "no browser could be started; open the page yourself");
    }
    printed
}

/// Only where a person looks on.
fn should_open(args: &Args) -> bool {
    !args.no_open && !nobody_looks()
}

/// Where there is no terminal or no screen, or a machine checks.
pub fn nobody_looks() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_screen = !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    !std::io::stdout().is_terminal() || is_set("CI") || !has_screen
}
