//! `aplomb masses` and `aplomb body`: whose body it is, from motions or from a table, as a file that every verb takes.

use crate::args::{BodyArgs, InputArgs, PhysicsArgs, number};
use crate::changes::labelled;
use crate::number_format::{counted, decimals};
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_diagnostics, say_error, say_warning};
use crate::places;
use crate::progress::Progress;
use crate::style::{BOLD, DIM, GREEN, RED};
use aplomb_analysis::masses::{ClipFit, MassGroup, MassOptions, mean_of};
use aplomb_formats::atomic;
use aplomb_formats::diagnostic::printable;
use aplomb_physics::Body;
use aplomb_project::{FittedMasses, ProjectError, body_of_file, fit_masses, mjcf};
use aplomb_words::in_flags;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Options of `masses`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb masses 16_*.bvh -o body.toml                    each clip is left out once, to see whether masses help\n  \
    aplomb masses 16_1*.bvh --hold-out 16_2*.bvh -o body.toml\n  \
    aplomb touchup bent.bvh --body body.toml -o out.bvh    masses that were fitted, in any verb\n\n\
    Exit code 3: written, but the search did not end by itself, or the masses do worse than the table on clips that\n\
    they were not fitted to.")]
pub struct Args {
    /// Motions of one body that are right as they are: captures, unedited
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// Body file to write
    #[arg(short, long, value_name = "FILE.toml", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// Do everything, but write nothing
    #[arg(long)]
    dry_run: bool,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    /// Judge the masses on these clips, which the fit does not see
    #[arg(long, value_name = "CLIP", num_args = 1..)]
    hold_out: Vec<PathBuf>,
    /// How strongly masses are held to the table: cost in metres of a body whose masses are all off by a factor e
    #[arg(long, visible_alias = "regularize", value_name = "M", value_parser = number, default_value = "0.01", allow_negative_numbers = true)]
    regularise: f64,
    #[command(flatten)]
    body: BodyArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Options of `body`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb body walk.bvh -o body.toml                      masses by de Leva, for you to correct\n  \
    aplomb body walk.bvh --mass 72 --stature 1.8 --table winter -o body.toml\n  \
    aplomb body walk.bvh --mass 72 -o body.xml             the same as a model of MuJoCo (MJCF)\n  \
    aplomb body walk.bvh                                   only shows it")]
pub struct BodyFileArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Body file to write (.toml for every verb, .xml for MuJoCo); without it, the masses are shown
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    body: BodyArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// What was found (`docs/schemas/masses.schema.json`).
#[derive(Serialize)]
struct MassesReport<'a> {
    schema: u32,
    out: Option<String>,
    total_mass_kg: f64,
    groups: Vec<GroupReport<'a>>,
    clips: Vec<ClipLine<'a>>,
    unseen: Vec<ClipLine<'a>>,
    unseen_by: &'static str,
    iterations: u64,
    converged: bool,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct GroupReport<'a> {
    name: &'a str,
    table_kg: f64,
    fitted_kg: f64,
    factor: f64,
}

#[derive(Serialize)]
struct ClipLine<'a> {
    file: &'a str,
    frames: usize,
    table_m: f64,
    fitted_m: f64,
}

/// Fits masses to clips and writes them.
pub fn run(args: &Args, print: Printing) -> Outcome {
    let side_files = args.body.body.iter().map(PathBuf::as_path).chain(args.input.files());
    let inputs = args.clips.iter().chain(&args.hold_out).map(PathBuf::as_path).chain(side_files);
    if let Err(message) = places::refuse_confusion(inputs, args.out.as_deref()) {
        say_error(&message);
        return Outcome::WrongUsage;
    }
    ended(fit(args, print), print)
}

fn ended(result: Result<Outcome, ProjectError>, print: Printing) -> Outcome {
    result.unwrap_or_else(|error| {
        if print.json {
            print_json(&serde_json::json!({ "schema": 1, "error": ErrorReport::from(&error) }));
        }
        say_error(&in_flags(&error));
        Outcome::BadInput
    })
}

fn fit(args: &Args, print: Printing) -> Result<Outcome, ProjectError> {
    let out = args.out.as_deref().filter(|_| !args.dry_run);
    if let Some(out) = out {
        places::refuse_existing(out, args.force)?;
    }
    let request = PhysicsArgs { contacts: None, body: args.body.clone() }.request(&args.input);
    let options = MassOptions { lambda_m: args.regularise, ..MassOptions::default() };
    let progress = Progress::working("fitting masses", print);
    let fitted = fit_masses(&args.clips, &args.hold_out, &request, args.input.fps, &options)?;
    drop(progress);
    if let Some(out) = out {
        atomic::write(out, body_text(&fitted.fit.body, out)?.as_bytes(), args.force)?;
    }
    let shown = match print.json {
        true => print_json(&report(out, &fitted)),
        false => {
            fitted.fit.warnings.iter().for_each(|warning| say_warning(&args.clips[0], warning));
            worse_unseen(&fitted).iter().for_each(|warning| say_warning(&args.clips[0], warning));
            print_line(&masses_text(out, &fitted))
        }
    };
    let outcome = match fitted.fit.converged && worse_unseen(&fitted).is_none() {
        true => Outcome::Done,
        false => Outcome::GoalUnmet,
    };
    Ok(if shown == Outcome::Done { outcome } else { shown })
}

/// Masses are for motions that the fit has not seen: where they do worse than the table there, the table is the better
/// body.
fn worse_unseen(fitted: &FittedMasses) -> Option<String> {
    let (table_m, fitted_m) = mean_of(&fitted.unseen);
    // Nearer than this, the two say the same: it is what is shown.
    (fitted_m > table_m + 5e-5).then(|| {
        let (table, fitted) = (centimetres2(table_m), centimetres2(fitted_m));
        format!("on clips that the fit did not see, the masses do worse than the table ({table} with the table, {fitted} with them): use the table")
    })
}

/// Whether a name asks for a model of MuJoCo.
pub fn is_mjcf(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xml"))
}

fn body_text(body: &Body, path: &Path) -> Result<String, ProjectError> {
    body.to_toml().map_err(|source| ProjectError::Body { path: path.to_owned(), source })
}

fn report<'a>(out: Option<&Path>, fitted: &'a FittedMasses) -> MassesReport<'a> {
    let line = |clip: &'a ClipFit| ClipLine {
        file: &clip.name,
        frames: clip.frames,
        table_m: clip.before_m,
        fitted_m: clip.after_m,
    };
    let group = |group: &'a MassGroup| GroupReport {
        name: &group.name,
        table_kg: group.before_kg,
        fitted_kg: group.after_kg,
        factor: group.factor(),
    };
    let fit = &fitted.fit;
    MassesReport {
        schema: 1,
        out: out.map(|out| out.display().to_string()),
        total_mass_kg: fit.body.total_mass_kg(),
        groups: fit.groups.iter().map(group).collect(),
        clips: fit.clips.iter().map(line).collect(),
        unseen: fitted.unseen.iter().map(line).collect(),
        unseen_by: match (fitted.was_held_out, fitted.unseen.is_empty()) {
            (true, _) => "hold_out",
            (false, false) => "leave_one_out",
            (false, true) => "none",
        },
        iterations: fit.iterations,
        converged: fit.converged,
        warnings: fit.warnings.iter().cloned().chain(worse_unseen(fitted)).collect(),
    }
}

fn masses_text(out: Option<&Path>, fitted: &FittedMasses) -> String {
    let fit = &fitted.fit;
    let title = out.map_or_else(|| "masses, nothing was written".to_owned(), |out| out.display().to_string());
    let mut text = format!("{BOLD}{}{BOLD:#}\n", printable(&title));
    let _ = writeln!(text, "  {DIM}{:<24}{:>12}{:>12}{:>10}{DIM:#}", "part", "table", "fitted", "factor");
    for group in &fit.groups {
        let style = if group.is_plausible() { anstyle::Style::new() } else { RED };
        let _ = writeln!(
            text,
            "  {:<24}{:>12}{:>12}{style}{:>10}{style:#}",
            printable(&group.name),
            format!("{} kg", decimals(group.before_kg, 2)),
            format!("{} kg", decimals(group.after_kg, 2)),
            decimals(group.factor(), 2)
        );
    }
    let _ = writeln!(
        text,
        "\n  {DIM}{:<36}{:>8}{:>12}{:>12}{DIM:#}",
        "ZMP outside the support, mean", "frames", "table", "fitted"
    );
    clip_lines(&mut text, "fitted to", &fit.clips);
    if fitted.unseen.is_empty() {
        labelled(
            &mut text,
            "unseen",
            "one clip cannot be left out: give more, or --hold-out, to see whether the masses hold elsewhere",
            DIM,
        );
    } else {
        clip_lines(&mut text, if fitted.was_held_out { "held out" } else { "each left out" }, &fitted.unseen);
    }
    text.truncate(text.trim_end().len());
    text
}

fn clip_lines(text: &mut String, title: &str, clips: &[ClipFit]) {
    let mut line = |name: &str, frames: usize, before_m: f64, after_m: f64| {
        let style = if after_m < before_m { GREEN } else { RED };
        let (before, after) = (centimetres2(before_m), centimetres2(after_m));
        let _ = writeln!(text, "  {name:<36}{frames:>8}{before:>12}{style}{after:>12}{style:#}");
    };
    for clip in clips {
        line(&short(&printable(&clip.name), 35), clip.frames, clip.before_m, clip.after_m);
    }
    let (before_m, after_m) = mean_of(clips);
    line(
        &format!("{title}: {}", counted(clips.len(), "clip")),
        clips.iter().map(|it| it.frames).sum(),
        before_m,
        after_m,
    );
}

/// Masses move millimetres: two decimals.
fn centimetres2(metres: f64) -> String {
    format!("{} cm", decimals(100.0 * metres, 2))
}

/// The end of a long name.
fn short(name: &str, most: usize) -> String {
    let count = name.chars().count();
    if count <= most {
        name.to_owned()
    } else {
        std::iter::once('…').chain(name.chars().skip(count + 1 - most)).collect()
    }
}

/// Writes the body that every verb would take for a clip.
pub fn body(args: &BodyFileArgs, print: Printing) -> Outcome {
    let side_files = args.body.body.iter().map(PathBuf::as_path).chain(args.input.files());
    if let Err(message) = places::refuse_confusion(side_files.chain([args.clip.as_path()]), args.out.as_deref()) {
        say_error(&message);
        return Outcome::WrongUsage;
    }
    ended(write_body(args, print), print)
}

fn write_body(args: &BodyFileArgs, print: Printing) -> Result<Outcome, ProjectError> {
    if let Some(out) = &args.out {
        places::refuse_existing(out, args.force)?;
    }
    let request = PhysicsArgs { contacts: None, body: args.body.clone() }.request(&args.input);
    let (import, body) = body_of_file(&args.clip, &request)?;
    if let Some(out) = &args.out {
        let text = match is_mjcf(out) {
            true => mjcf(&import, &body)?.write(),
            false => body_text(&body, out)?,
        };
        atomic::write(out, text.as_bytes(), args.force)?;
    }
    let link = |link: &aplomb_physics::Link| {
        let joint = body.skeleton().joint(link.joint).name.clone();
        serde_json::json!({ "joint": joint, "mass_kg": link.inertia.mass_kg })
    };
    if print.json {
        let links: Vec<_> = body.links().iter().map(link).collect();
        return Ok(print_json(&serde_json::json!({
            "schema": 1,
            "file": args.clip.display().to_string(),
            "out": args.out.as_ref().map(|out| out.display().to_string()),
            "total_mass_kg": body.total_mass_kg(),
            "stature_m": body.stature_m(),
            "source": body.source().title(),
            "links": links,
        })));
    }
    say_diagnostics(&args.clip, &import.diagnostics, print);
    let title = args.out.as_ref().unwrap_or(&args.clip).display().to_string();
    let tall = body.stature_m().map_or_else(String::new, |metres| format!(", {metres:.2} m tall"));
    let mut text = format!(
        "{BOLD}{}{BOLD:#}\n  {} kg{tall} · {} · {}\n",
        printable(&title),
        decimals(body.total_mass_kg(), 1),
        counted(body.links().len(), "link"),
        body.source().title()
    );
    for link in body.links() {
        let name = printable(&body.skeleton().joint(link.joint).name);
        let _ = writeln!(text, "  {name:<24}{:>12}", format!("{} kg", decimals(link.inertia.mass_kg, 2)));
    }
    Ok(print_line(text.trim_end()))
}
