//! `cargo xtask proof masses`: masses fitted to some captures of a person lower the error on the others, and stay a
//! person's.
//!
//! Each subject's clips are left out one after the other. Prints a table; ends with an error if a bar is missed.

use aplomb_analysis::Take;
use aplomb_analysis::masses::{ClipFit, MassOptions, ReferenceClip, cross_validate, estimate, mean_of};
use aplomb_analysis::{ContactOptions, InspectOptions, Inspection};
use aplomb_formats::{Import, ReadOptions, read_file};
use aplomb_motion::FrameTime;
use aplomb_physics::{Body, BodyOptions, MassTable};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Captures of four people, every one there is but those on stairs and slopes: their ground is not level.
const SUBJECTS: [&str; 4] = ["16", "02", "83", "35"];
const NOT_LEVEL: &str = "stairs-terrain";

fn main() -> Result<(), Box<dyn Error>> {
    let data = std::env::var_os("APLOMB_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let root = data.join("cmu-bvh");
    if !root.is_dir() {
        eprintln!("SKIPPED: no captures in {}", root.display());
        return Ok(());
    }
    let lambdas_m: Vec<f64> = match std::env::args().nth(1) {
        Some(list) => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => vec![MassOptions::default().lambda_m],
    };
    let mut failures = Vec::new();
    for table in [MassTable::default(), MassTable::Winter] {
        for &lambda_m in &lambdas_m {
            println!("\ntable {}, lambda {lambda_m} m: mean distance of the zero-moment point, mm", table.title());
            println!("{:<8} {:>6} {:>15} {:>22}  factors", "subject", "frames", "fitted to", "left out (better)");
            let mut lowered = 0;
            for subject in SUBJECTS {
                let study = Subject::load(&root, subject, table)?;
                lowered += usize::from(study.row(subject, lambda_m, &mut failures)?);
            }
            if lowered < 3 {
                failures.push(format!(
                    "lambda {lambda_m}: the error falls on clips left out for {lowered} subjects, 3 asked for"
                ));
            }
        }
    }
    match wrong_rate(&root)? {
        Some(message) => println!("\n139_12 by its header: {message}"),
        None => failures.push("139_12 was accepted at its header's rate".to_owned()),
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(failures.join("\n").into()),
    }
}

fn captures_of(root: &Path, subject: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root)? {
        let folder = folder?.path();
        if !folder.is_dir() || folder.ends_with(NOT_LEVEL) {
            continue;
        }
        for file in std::fs::read_dir(folder)? {
            let path = file?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with(&format!("{subject}_")) && name.ends_with(".bvh") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

struct Subject {
    names: Vec<String>,
    imports: Vec<Import>,
    inspections: Vec<Inspection>,
    body: Body,
}

impl Subject {
    fn load(root: &Path, subject: &str, table: MassTable) -> Result<Self, Box<dyn Error>> {
        let (mut names, mut imports) = (Vec::new(), Vec::new());
        for path in captures_of(root, subject)? {
            names.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
            imports.push(read_file(&path, &ReadOptions::default())?);
        }
        let first = imports.first().ok_or("no clips")?;
        let body = Body::of_clip(&first.clip, &first.roles, &BodyOptions { table, ..BodyOptions::default() })?;
        let options = InspectOptions::default();
        let inspect_one = |import: &Import| {
            Take::new(import.clip.clone(), import.roles.clone(), body.clone())
                .with_options(options.clone())
                .into_inspection()
        };
        let inspections = imports.iter().map(inspect_one).collect::<Result<_, _>>()?;
        Ok(Self { names, imports, inspections, body })
    }

    fn references(&self) -> Vec<ReferenceClip<'_>> {
        let parts = self.names.iter().zip(&self.imports).zip(&self.inspections);
        parts.map(|((name, import), inspection)| ReferenceClip { name, clip: &import.clip, inspection }).collect()
    }

    /// Prints a line; whether the error on clips left out falls.
    fn row(&self, subject: &str, lambda_m: f64, failures: &mut Vec<String>) -> Result<bool, Box<dyn Error>> {
        let options = MassOptions { lambda_m, ..MassOptions::default() };
        let (references, roles) = (self.references(), &self.imports[0].roles);
        let start = Instant::now();
        let fit = estimate(&self.body, roles, &references, &options)?;
        let secs = start.elapsed().as_secs_f64();
        let folds = cross_validate(&self.body, roles, &references, &options)?;
        let (before_m, after_m) = mean_of(&folds);
        let better = folds.iter().filter(|fold| fold.after_m < fold.before_m).count();
        let frames: usize = folds.iter().map(|fold| fold.frames).sum();
        let factors: Vec<String> =
            fit.groups.iter().map(|group| format!("{} {:.2}", group.name, group.factor())).collect();
        println!(
            "{subject:<8} {frames:>6} {:>6.2} → {:>5.2} {:>8.2} → {:>5.2} ({better}/{})  {}  [{} iterations, {secs:.2} s]",
            1000.0 * fit.before_m,
            1000.0 * fit.after_m,
            1000.0 * before_m,
            1000.0 * after_m,
            folds.len(),
            factors.join(", "),
            fit.iterations,
        );
        for ClipFit { name, before_m, after_m, frames } in &folds {
            println!(
                "           {name:<8} {frames:>6} frames left out: {:.2} → {:.2}",
                1000.0 * before_m,
                1000.0 * after_m
            );
        }
        for warning in &fit.warnings {
            println!("           {warning}");
            // Smaller weights are shown, not recommended.
            if lambda_m >= MassOptions::default().lambda_m {
                failures.push(format!("{subject}, lambda {lambda_m}: {warning}"));
            }
        }
        let text = fit.body.to_toml()?;
        if Body::from_toml(&text, self.body.skeleton())?.links() != fit.body.links() {
            failures.push(format!("{subject}: the body file does not give the body back"));
        }
        Ok(after_m < before_m)
    }
}

/// The message for a clip whose header is wrong, or `None` if it was taken.
fn wrong_rate(root: &Path) -> Result<Option<String>, Box<dyn Error>> {
    let options = ReadOptions { frame_time: Some(FrameTime::from_hz(120.0)?), ..ReadOptions::default() };
    let import = read_file(&root.join("run/139_12.bvh"), &options)?;
    let body = Body::of_clip(&import.clip, &import.roles, &BodyOptions::default())?;
    let contacts = ContactOptions { correct_rate: false, ..ContactOptions::default() };
    let inspect_options = InspectOptions { contacts, ..InspectOptions::default() };
    let inspection = Take::new(import.clip.clone(), import.roles.clone(), body.clone())
        .with_options(inspect_options.clone())
        .into_inspection()?;
    let reference = ReferenceClip { name: "139_12", clip: &import.clip, inspection: &inspection };
    Ok(estimate(&body, &import.roles, &[reference], &MassOptions::default()).err().map(|error| error.to_string()))
}
