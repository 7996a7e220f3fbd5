//! `blend --sweep`: many blends of two clips at once, over all cores.

use super::CommonArgs;
use crate::number_format::{decimals, millimetres};
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_diagnostics, say_error, say_warning};
use crate::places;
use crate::progress::Progress;
use aplomb_editing::blend::{Blend, BlendReport, Parameter};
use aplomb_formats::export::{self, Encoded};
use aplomb_formats::{FormatError, WriteOptions};
use aplomb_project::edit::{BlendEdit, BlendFamily, blend_family};
use aplomb_project::{Edit, ProjectError, RunRequest};
use aplomb_words::in_flags;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Weights of the second clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// First.
    pub from: f64,
    /// Last, if steps lead there.
    pub to: f64,
    /// Between two.
    pub step: f64,
}

impl Sweep {
    /// All of them. Ten steps of 0.1 are 1, whatever binary fractions say.
    pub fn weights(&self) -> Vec<f64> {
        let count = ((self.to - self.from) / self.step + 1e-9).floor() as usize;
        let weight = |index: usize| ((self.from + index as f64 * self.step).min(1.0) * 1e12).round() / 1e12;
        (0..=count).map(weight).collect()
    }
}

/// One blend of a sweep.
#[derive(Serialize)]
struct Member {
    weight: f64,
    file: Option<String>,
    frames: usize,
    duration_secs: f64,
    measures: BTreeMap<&'static str, f64>,
    guarantees: BlendReport,
}

/// Makes the blends, writes them into a folder, and shows what they measure.
pub fn sweep(common: &CommonArgs, first: &Path, edit: BlendEdit, range: &Sweep, print: Printing) -> Outcome {
    if common.output.receipt.is_some() || common.output.html.is_some() {
        say_error("--sweep writes many motions: --receipt and --html are for one; see --json");
        return Outcome::WrongUsage;
    }
    let inputs: Vec<PathBuf> = std::iter::once(first.to_owned()).chain(edit.clips.iter().cloned()).collect();
    let outputs: Vec<PathBuf> = range.weights().iter().filter_map(|weight| file(common, *weight, range)).collect();
    if let Err(message) =
        places::refuse_confusion(inputs.iter().map(PathBuf::as_path), outputs.iter().map(PathBuf::as_path))
    {
        say_error(&message);
        return Outcome::WrongUsage;
    }
    match make(common, first, edit, range, print) {
        Ok(members) => {
            let shown = match print.json {
                true => print_json(&serde_json::json!({ "schema": 1, "blends": members })),
                false => print_line(&table(&members)),
            };
            if shown == Outcome::Done { Outcome::Done } else { shown }
        }
        Err(error) => {
            if print.json {
                print_json(&serde_json::json!({ "schema": 1, "error": ErrorReport::from(&error) }));
            }
            say_error(&in_flags(&error));
            Outcome::BadInput
        }
    }
}

fn make(
    common: &CommonArgs,
    first: &Path,
    edit: BlendEdit,
    range: &Sweep,
    print: Printing,
) -> Result<Vec<Member>, ProjectError> {
    let weights = range.weights();
    let folder = common.output.out.as_deref().filter(|_| !common.output.dry_run);
    let file = |weight: f64| file(common, weight, range);
    // A folder that is not there yet holds nothing that could be replaced.
    let there = folder.is_some_and(Path::exists);
    for path in weights.iter().filter(|_| there).filter_map(|weight| file(*weight)) {
        places::refuse_existing(&path, common.output.force)?;
    }
    let progress = Progress::working("reading", print);
    let request = RunRequest {
        on_edit: &|_, _| progress.say("blend".to_owned()),
        ..RunRequest::quiet(Path::new(""), common.input.read_options(), Path::new("blend"))
    };
    let project = common.project(first, vec![Edit::Blend(edit)]);
    let (original, family) = blend_family(&project, &request)?;
    let failed = |source: aplomb_editing::EditingError| ProjectError::Edit {
        path: original.path.clone(),
        edit: None,
        verb: "blend",
        source: Box::new(source),
    };
    let one = |weight: &f64| -> Result<(Member, Option<Encoded>), ProjectError> {
        let blend = family.space().blend(&[1.0 - weight, *weight]).map_err(failed)?;
        let path = file(*weight);
        let member = member(&family, &blend, *weight, path.as_deref()).map_err(failed)?;
        let encoded = match &path {
            Some(path) => {
                let options = WriteOptions::default();
                Some(export::encode(path, &blend.clip, Some(&original), original.frame(), &options)?)
            }
            None => None,
        };
        Ok((member, encoded))
    };
    // Everything is made before anything is written.
    let made: Vec<(Member, Option<Encoded>)> = weights.par_iter().map(one).collect::<Result<_, _>>()?;
    if let Some(folder) = folder {
        create(folder)?;
    }
    made.par_iter()
        .filter_map(|it| it.1.as_ref())
        .try_for_each(|encoded| export::save(encoded, common.output.force).map(|_| ()))?;
    drop(progress);
    if !print.json {
        say_diagnostics(&original.path, &original.diagnostics, print);
        let findings = family.space().findings();
        findings.iter().for_each(|finding| say_warning(&original.path, &aplomb_words::sentence(finding)));
    }
    Ok(made.into_iter().map(|it| it.0).collect())
}

/// Where a blend goes, if anything is written.
fn file(common: &CommonArgs, weight: f64, range: &Sweep) -> Option<PathBuf> {
    let folder = common.output.out.as_deref().filter(|_| !common.output.dry_run)?;
    Some(folder.join(format!("blend-{}.bvh", name_of(weight, range.step))))
}

fn create(folder: &Path) -> Result<(), ProjectError> {
    let fail = |source| FormatError::Io { path: folder.to_owned(), action: "create", source };
    Ok(std::fs::create_dir_all(folder).map_err(fail)?)
}

/// As many decimals as the step has.
fn name_of(weight: f64, step: f64) -> String {
    let places = (0..9).find(|places| (step * 10f64.powi(*places)).fract().abs() < 1e-9).unwrap_or(9).max(2);
    format!("{weight:.*}", places as usize)
}

fn member(
    family: &BlendFamily,
    blend: &Blend,
    weight: f64,
    file: Option<&Path>,
) -> Result<Member, aplomb_editing::EditingError> {
    let space = family.space();
    let names = Parameter::ALL.map(Parameter::name);
    let measures: BTreeMap<&str, f64> = names.into_iter().zip(space.measure_all(blend, &Parameter::ALL)?).collect();
    let mut guarantees = space.report(blend)?;
    guarantees.put_in_words(aplomb_words::sentence);
    Ok(Member {
        weight,
        file: file.map(|path: &Path| PathBuf::from(path).display().to_string()),
        frames: blend.clip.frame_count(),
        duration_secs: blend.clip.duration_secs(),
        measures,
        guarantees,
    })
}

fn table(members: &[Member]) -> String {
    let mut text =
        String::from("weight    s     length   height    turn   speed      g   bend    slide   balance lost");
    for member in members {
        let measure = |name: &str, places: usize| decimals(member.measures.get(name).copied().unwrap_or(0.0), places);
        let flights = &member.guarantees.flights;
        let g = flights.first().map_or_else(|| "–".to_owned(), |flight| decimals(flight.g, 2));
        let bend_m = flights.iter().map(|flight| flight.bend_m).reduce(f64::max);
        let _ = write!(
            text,
            "\n{:<6} {:>6} {:>8} {:>8} {:>7} {:>7} {:>6} {:>6} {:>8} {:>8}",
            decimals(member.weight, 3),
            decimals(member.duration_secs, 2),
            measure("length", 2),
            measure("height", 2),
            measure("turn", 0),
            measure("speed", 2),
            g,
            bend_m.map_or_else(|| "–".to_owned(), |bend_m| millimetres(Some(bend_m))),
            millimetres(Some(member.guarantees.feet.drift_m)),
            member.guarantees.balance.lost_frames,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_decimals_of_the_step() {
        assert_eq!(name_of(0.1, 0.1), "0.10");
        assert_eq!(name_of(0.125, 0.125), "0.125");
        assert_eq!(name_of(1.0, 0.001), "1.000");
    }
}
