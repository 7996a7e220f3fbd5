//! `aplomb convert`: between formats, and the plain edits that need no physics. What is not touched stays as it was.

use super::masses::is_mjcf;
use crate::args::{InputArgs, TimeSpan, UpAxis, frame_time, metres_per_unit, positive, time_span};
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_diagnostics, say_error, say_note};
use crate::progress::Progress;
use aplomb_editing::{EditingError, mirror};
use aplomb_formats::export::{self, Encoded};
use aplomb_formats::{Diagnostic, FileKind, FormatError, Import, WriteOptions};
use aplomb_motion::edit;
use aplomb_motion::{Axis, Clip, FrameOfReference, FrameTime, SignedPermutation};
use aplomb_project::inspect::body_of;
use aplomb_project::publish::Publication;
use aplomb_project::{InspectRequest, ProjectError, mjcf, tell_rate_in_doubt};
use aplomb_words::in_flags;
use clap::ValueEnum;
use rayon::prelude::*;
use serde::Serialize;
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// Options of `convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb convert walk.bvh copy.bvh                    the same bytes\n  \
    aplomb convert 02_01.amc walk.bvh                   Acclaim to BVH\n  \
    aplomb convert walk.bvh walk.glb                    with a body, for any glTF viewer\n  \
    aplomb convert avatar.glb dance.bvh --animation Dance   out of a glTF\n  \
    aplomb convert walk.bvh body.xml                    its skeleton and masses for MuJoCo (more with `aplomb body`)\n  \
    aplomb convert walk.bvh short.bvh --cut 1.5:3       seconds 1.5 to 3\n  \
    aplomb convert walk.bvh left.bvh --mirror           left and right exchanged\n  \
    aplomb convert takes/*.bvh out/ --resample 30       many clips, in parallel\n  \
    aplomb convert zup.bvh yup.bvh --to-up y --to-unit cm\n  \
    aplomb convert 75_10.bvh fixed.bvh --fps auto       correct a header that gravity proves wrong\n\n\
    --fps says what the rate of the input is; --resample makes other frames. --cut, --resample and --speed refuse a clip whose\n\
    header gravity proves wrong until --fps says what to do; a change of format passes it on with a warning.")]
pub struct Args {
    /// Motion files (BVH, AMC, GLB, glTF, VRM, npz, TRC, C3D), or builtin:NAME
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// File to write (.bvh, .amc, .glb, .npz, .usda; .xml is the body as a model of MuJoCo); for many inputs a folder
    /// (a new one ends with /)
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Replace existing output
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    edits: EditArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// In the order they are applied.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Edits, applied in this order")]
struct EditArgs {
    /// Keep a span of time in seconds, the frame at END not included unless it is the last; either may be left out
    #[arg(long, value_name = "START:END", value_parser = time_span, allow_hyphen_values = true)]
    cut: Option<TimeSpan>,
    /// Make frames at this rate over the same time
    #[arg(long, value_name = "HZ", value_parser = frame_time)]
    resample: Option<FrameTime>,
    /// Play so many times as fast, at the same frame rate
    #[arg(long, value_name = "FACTOR", value_parser = positive, allow_negative_numbers = true)]
    speed: Option<f64>,
    /// Exchange left and right
    #[arg(long)]
    mirror: bool,
    /// Multiply all lengths
    #[arg(long, value_name = "FACTOR", value_parser = positive, allow_negative_numbers = true)]
    scale: Option<f64>,
}

/// How the output is written.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "About the output")]
struct OutputArgs {
    /// Format when the output is a folder; the input's own if not given
    #[arg(long, value_name = "FORMAT")]
    to: Option<OutputFormat>,
    /// Length unit of the output: m, dm, cm, mm, inch, foot, cmu, or metres per unit
    #[arg(long, value_name = "UNIT", value_parser = metres_per_unit)]
    to_unit: Option<f64>,
    /// Up axis of the output
    #[arg(long, value_name = "AXIS", ignore_case = true)]
    to_up: Option<UpAxis>,
    /// Digits of numbers that changed: as many as the file has (at least 6 decimals), or all
    #[arg(long, value_name = "HOW", default_value = "file")]
    precision: Precision,
    /// Channels of inner BVH joints: as in the source, or rotations only (refused if positions move)
    #[arg(long, value_name = "HOW", default_value = "source")]
    bvh_channels: BvhChannels,
    /// Write the whole file anew, in plain form
    #[arg(long)]
    canonical: bool,
}

/// A format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// Biovision hierarchy
    Bvh,
    /// Acclaim motion, with its skeleton beside it
    Amc,
    /// Binary glTF with a body of capsules: metres, Y up
    Glb,
    /// SMPL poses as arrays of NumPy (AMASS); for SMPL skeletons only
    Npz,
    /// USD as text: a UsdSkel skeleton and its animation, metres, Y up
    Usda,
}

impl From<OutputFormat> for FileKind {
    fn from(format: OutputFormat) -> Self {
        match format {
            OutputFormat::Bvh => FileKind::Bvh,
            OutputFormat::Amc => FileKind::Amc,
            OutputFormat::Glb => FileKind::Glb,
            OutputFormat::Npz => FileKind::Npz,
            OutputFormat::Usda => FileKind::Usda,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Precision {
    /// As many decimals as the file has, at least 6
    File,
    /// Every digit that is needed to read the same number back
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BvhChannels {
    /// As in the source
    Source,
    /// Six for the root, rotations for all others
    Root6,
}

/// Why one conversion failed.
#[derive(Debug)]
enum Failure {
    Project(ProjectError),
    Edit(PathBuf, Box<EditingError>),
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        Self::Project(ProjectError::Format(error))
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        Self::Project(error)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Project(error) => f.write_str(&in_flags(error)),
            Self::Edit(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

/// What was done, for people and programs (`docs/schemas/convert.schema.json`).
#[derive(Serialize)]
struct Converted {
    input: String,
    outputs: Vec<String>,
    frames: usize,
    fps: Option<f64>,
    duration_secs: f64,
    bytes: usize,
    identical: bool,
    diagnostics: Vec<Diagnostic>,
    /// About the rate of the input.
    #[serde(skip)]
    kept_rate: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum FileResult {
    Converted(Converted),
    Failed { input: String, error: ErrorReport },
}

/// Converts one file, or many into a folder.
pub fn run(args: &Args, print: Printing) -> Outcome {
    let jobs = match plan(args) {
        Ok(jobs) => jobs,
        Err(message) => {
            say_error(&message);
            return Outcome::WrongUsage;
        }
    };
    let progress = Progress::new("converting", jobs.len(), print);
    let convert = |(input, output): &(PathBuf, PathBuf)| {
        let result = convert_one(args, input, output);
        progress.step();
        result
    };
    let results: Vec<Result<Converted, Failure>> = jobs.par_iter().map(convert).collect();
    drop(progress);
    let failed = results.iter().filter(|result| result.is_err()).count();
    if print.json {
        let printed = print_json(&serde_json::json!({ "schema": 1, "files": as_reports(&jobs, results) }));
        return if printed == Outcome::Done { Outcome::of_many(jobs.len(), failed) } else { printed };
    }
    for ((input, _), result) in jobs.iter().zip(&results) {
        match result {
            Ok(converted) => {
                say_diagnostics(input, &converted.diagnostics, print);
                converted.kept_rate.iter().for_each(|note| say_note(input, note, print));
                if !print.quiet {
                    print_line(&converted.line());
                }
            }
            Err(failure) => say_error(&failure.to_string()),
        }
    }
    Outcome::of_many(jobs.len(), failed)
}

/// Pairs every input with its output; two inputs must not share one.
fn plan(args: &Args) -> Result<Vec<(PathBuf, PathBuf)>, String> {
    let (inputs, out) = (&args.inputs, &args.out);
    let names_folder = out.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
    if !out.is_dir() && !names_folder && is_mjcf(out) {
        args.output.refuse_for_mjcf()?;
        return match inputs.as_slice() {
            [input] => Ok(vec![(input.clone(), out.clone())]),
            _ => Err(format!("{} is the model of one clip's body: give one input", out.display())),
        };
    }
    if !out.is_dir() && !names_folder {
        if let Some(why) = FileKind::refusal_to_write(out) {
            return Err(format!("{}: {why}", out.display()));
        }
        if args.output.to.is_some_and(|to| Some(FileKind::from(to)) != FileKind::from_path(out)) {
            return Err(format!("--to says another format than the name of {}", out.display()));
        }
        FileKind::from_path(out).map_or(Ok(()), |kind| args.output.refuse_frame_of(kind))?;
        return match inputs.as_slice() {
            [input] => Ok(vec![(input.clone(), out.clone())]),
            _ => Err(format!(
                "{} inputs need a folder to go to: make {} a folder, or end its name with /",
                inputs.len(),
                out.display()
            )),
        };
    }
    if let Some(to) = args.output.to {
        args.output.refuse_frame_of(to.into())?;
    }
    std::fs::create_dir_all(out).map_err(|error| format!("{}: cannot make the folder: {error}", out.display()))?;
    let mut jobs: Vec<(PathBuf, PathBuf)> = Vec::with_capacity(inputs.len());
    let mut taken = std::collections::HashMap::new();
    for input in inputs {
        let name = input.file_name().ok_or_else(|| format!("{}: not a file name", input.display()))?;
        let extension = match args.output.to {
            Some(OutputFormat::Bvh) => Some("bvh"),
            Some(OutputFormat::Amc) => Some("amc"),
            Some(OutputFormat::Glb) => Some("glb"),
            Some(OutputFormat::Npz) => Some("npz"),
            Some(OutputFormat::Usda) => Some("usda"),
            None => None,
        };
        let output = out.join(name);
        let output = extension.map_or(output.clone(), |extension| output.with_extension(extension));
        if let Some(other) = taken.insert(output.clone(), input) {
            let (a, b) = (other.display(), input.display());
            return Err(format!("{a} and {b} would both become {}", output.display()));
        }
        jobs.push((input.clone(), output));
    }
    Ok(jobs)
}

fn convert_one(args: &Args, input: &Path, output: &Path) -> Result<Converted, Failure> {
    // Before any work: nothing is worse than a refusal after a minute.
    aplomb_formats::atomic::refuse_existing(output, args.force)?;
    // Cutting, resampling and stretching need to know what a second is. A change of format passes everything on as it
    // is.
    let mut import = match args.edits.changes_time() {
        true => args.input.load_for_edit(input)?,
        false => args.input.load(input)?,
    };
    let edited = args.edits.apply(&import).map_err(|error| Failure::Edit(input.to_owned(), Box::new(error)))?;
    let is_edited = edited.is_some();
    let clip = edited.unwrap_or_else(|| import.clip.clone());
    let encoded = if is_mjcf(output) {
        import.clip = clip.clone();
        let body = body_of(&import, &InspectRequest::default())?;
        let text = mjcf(&import, &body)?.write();
        let notes = vec![export::motion_left_out(&clip)];
        let encoded = Encoded { files: vec![(output.to_owned(), text.into_bytes())], identical: false, notes };
        export::save(&encoded, args.force)?;
        encoded
    } else {
        let (frame, options) = (args.output.frame(&import), args.output.write_options());
        let written = match is_edited {
            true => Publication::new(output, &clip, Some(&import), frame, &options, None)?,
            // Contacts that came with a clip are those of the same motion in another format.
            false => Publication::converted(input, output, &clip, &import, frame, &options)?,
        };
        written.save(&[], args.force)?;
        written.encoded
    };
    if !encoded.identical && !args.edits.changes_time() && args.input.fps.is_none() {
        tell_rate_in_doubt(&mut import, &args.input.read_options(), "--fps auto")?;
    }
    let kept_rate = args.input.kept_rate(&import);
    Ok(Converted { kept_rate, ..Converted::new(input, &clip, import.diagnostics, encoded) })
}

impl EditArgs {
    fn changes_time(&self) -> bool {
        self.cut.is_some() || self.resample.is_some() || self.speed.is_some()
    }

    /// `None` if nothing was asked for: the clip then is the very one that was read.
    fn apply(&self, import: &Import) -> Result<Option<Clip>, EditingError> {
        let mut edited: Option<Clip> = None;
        let mut step = |edit: &dyn Fn(&Clip) -> Result<Clip, EditingError>| -> Result<(), EditingError> {
            edited = Some(edit(edited.as_ref().unwrap_or(&import.clip))?);
            Ok(())
        };
        if let Some(span) = self.cut {
            let start = span.start_secs.map_or(Bound::Unbounded, Bound::Included);
            step(&|clip| {
                // A clip said to last 3.2 s has its last frame at 3.2 s: an end there means all of it.
                let half_frame_secs = clip.timeline().uniform().map_or(0.0, |frame_time| 0.5 * frame_time.secs());
                let reaches_end = |secs: f64| (secs - clip.duration_secs()).abs() <= half_frame_secs;
                let end = match span.end_secs {
                    Some(secs) if !reaches_end(secs) => Bound::Excluded(secs),
                    _ => Bound::Unbounded,
                };
                Ok(edit::cut(clip, (start, end))?)
            })?;
        }
        if let Some(frame_time) = self.resample {
            step(&|clip| Ok(edit::resample(clip, frame_time)?))?;
        }
        if let Some(factor) = self.speed {
            step(&|clip| Ok(edit::with_speed(clip, factor)?))?;
        }
        if self.mirror {
            step(&|clip| {
                mirror::mirror(clip, &import.roles, edit::MirrorPlane::AcrossX).map(|mirrored| mirrored.clip)
            })?;
        }
        if let Some(factor) = self.scale {
            step(&|clip| Ok(edit::scale(clip, factor)?))?;
        }
        Ok(edited)
    }
}

impl OutputArgs {
    fn frame(&self, import: &Import) -> FrameOfReference {
        let mut frame = import.frame();
        if let Some(metres_per_unit) = self.to_unit {
            frame.metres_per_unit = metres_per_unit;
        }
        if let Some(up) = self.to_up {
            frame.internal_from_file = SignedPermutation::lifting(Axis::from(up));
        }
        frame
    }

    fn refuse_frame_of(&self, kind: FileKind) -> Result<(), String> {
        let is_fixed = matches!(kind, FileKind::Glb | FileKind::Npz | FileKind::Usda);
        if is_fixed && (self.to_unit.is_some() || self.to_up.is_some()) {
            let name = if kind == FileKind::Glb { "glTF" } else { kind.name() };
            let up = if kind == FileKind::Npz { 'Z' } else { 'Y' };
            return Err(format!("{name} is always in metres and {up} up: leave --to-unit and --to-up out"));
        }
        Ok(())
    }

    fn refuse_for_mjcf(&self) -> Result<(), String> {
        let others = self.to.is_some() || self.to_unit.is_some() || self.to_up.is_some() || self.canonical;
        if others || self.bvh_channels == BvhChannels::Root6 || self.precision == Precision::Full {
            return Err(
                "MuJoCo's models are in metres, Z up, all digits: leave the options about the output out".to_owned()
            );
        }
        Ok(())
    }

    fn write_options(&self) -> WriteOptions {
        WriteOptions {
            full_precision: self.precision == Precision::Full,
            root_positions_only: self.bvh_channels == BvhChannels::Root6,
            canonical: self.canonical || self.bvh_channels == BvhChannels::Root6,
        }
    }
}

impl Converted {
    fn new(input: &Path, clip: &Clip, mut diagnostics: Vec<Diagnostic>, encoded: Encoded) -> Self {
        diagnostics.extend(encoded.notes);
        Self {
            input: input.display().to_string(),
            outputs: encoded.files.iter().map(|(path, _)| path.display().to_string()).collect(),
            frames: clip.frame_count(),
            fps: clip.timeline().uniform().map(|frame_time| frame_time.hz()),
            duration_secs: clip.duration_secs(),
            bytes: encoded.files.iter().map(|(_, bytes)| bytes.len()).sum(),
            identical: encoded.identical,
            diagnostics,
            kept_rate: None,
        }
    }

    fn line(&self) -> String {
        let same = if self.identical { ", identical to the input" } else { "" };
        let outputs = self.outputs.join(" and ");
        match self.outputs.last().is_some_and(|output| is_mjcf(Path::new(output))) {
            true => format!("{outputs}: the body"),
            false => format!("{outputs}: {} frames, {:.2} s{same}", self.frames, self.duration_secs),
        }
    }
}

fn as_reports(jobs: &[(PathBuf, PathBuf)], results: Vec<Result<Converted, Failure>>) -> Vec<FileResult> {
    let report = |((input, _), result): (&(PathBuf, PathBuf), Result<Converted, Failure>)| match result {
        Ok(converted) => FileResult::Converted(converted),
        Err(Failure::Project(error)) => {
            FileResult::Failed { input: input.display().to_string(), error: ErrorReport::from(&error) }
        }
        Err(failure) => {
            FileResult::Failed { input: input.display().to_string(), error: ErrorReport::message(failure.to_string()) }
        }
    };
    jobs.iter().zip(results).map(report).collect()
}
