//! The harm rule on real captures (docs/analysis/harm.md): changes that were spoiled on purpose, changes that no person
//! minds, and what touch-up makes of captures that are right.
//!
//! `cargo run --release --package aplomb-words --example harm_proof [-- --clips | --touchup]`. Captures are read from
//! `APLOMB_DATA` (default `../shared/data`).

mod changes;

use aplomb_analysis::{InspectOptions, Take};
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{FrameIndex, FrameTime, Timeline, edit};
use aplomb_project::edit::{RunRequest, run};
use aplomb_project::harm::of_change;
use aplomb_project::{Edit, Project};
use aplomb_project::{EditResult, Harm};
use aplomb_words::sentence;
use changes::{BAD, Change, HARMLESS};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Changes are made to the first seconds of a clip.
const FIRST_SECS: f64 = 6.0;

/// So many captures for each kind of change; every kind gets others.
const CLIPS_A_CHANGE: usize = 16;

/// Bad changes that have to be harmed, and harmless ones that may be, shares.
const LEAST_BAD_FOUND: f64 = 0.95;
const MOST_HARMLESS_ACCUSED: f64 = 0.03;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|it| it == word);
    let folder = std::env::var_os("APLOMB_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    if !folder.is_dir() {
        println!("SKIPPED: harm_proof: no captures at {} (set APLOMB_DATA)", folder.display());
        return ExitCode::SUCCESS;
    }
    let files = captures(&folder);
    if has("--touchup") {
        touchups(&folder, &files);
        return ExitCode::SUCCESS;
    }
    let takes: Vec<(String, Take)> = files.par_iter().filter_map(|path| take(&folder, path)).collect();
    println!("{} captures, first {FIRST_SECS} s\n", takes.len());
    println!("| change | pairs | done | cost | harmed |\n|---|---|---|---|---|");
    let bad = table(&takes, &BAD, 0, has("--clips"), EditResult::Harmed);
    let harmless = table(&takes, &HARMLESS, BAD.len(), has("--clips"), EditResult::Done);
    let share = |counts: [usize; 3]| counts[2] as f64 / counts.iter().sum::<usize>().max(1) as f64;
    let (found, accused) = (share(bad), share(harmless));
    println!("\nbad: {:.1} % of {} harmed", 100.0 * found, bad.iter().sum::<usize>());
    println!("harmless: {:.1} % of {} harmed", 100.0 * accused, harmless.iter().sum::<usize>());
    let missed = usize::from(found < LEAST_BAD_FOUND) + usize::from(accused > MOST_HARMLESS_ACCUSED);
    println!("{missed} bars missed");
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Done, done with cost, harmed: how many of all these changes.
fn table(
    takes: &[(String, Take)],
    kinds: &[Change],
    first: usize,
    with_clips: bool,
    expected: EditResult,
) -> [usize; 3] {
    let mut all = [0; 3];
    for (index, kind) in kinds.iter().enumerate() {
        // Every kind begins elsewhere in the list, so that all captures and people take part.
        let start = (first + index) * 37;
        let step = takes.len().div_ceil(CLIPS_A_CHANGE).max(1);
        let chosen: Vec<&(String, Take)> =
            (0..CLIPS_A_CHANGE).filter_map(|number| takes.get((start + number * step) % takes.len())).collect();
        let judged: Vec<(&str, Harm)> = chosen
            .par_iter()
            .filter_map(|(name, take)| {
                let changed = kind.apply(take)?;
                Some((name.as_str(), of_change(take, &changed)?))
            })
            .collect();
        let counts = [EditResult::Done, EditResult::DoneWithCost, EditResult::Harmed]
            .map(|result| judged.iter().filter(|(_, harm)| harm.result == result).count());
        println!("| {} | {} | {} | {} | {} |", kind.title(), judged.len(), counts[0], counts[1], counts[2]);
        for (name, harm) in judged.iter().filter(|(_, harm)| with_clips && is_unexpected(harm.result, expected)) {
            println!("|   {name}: {} |", harm.in_words(sentence).sentence);
        }
        (0..3).for_each(|slot| all[slot] += counts[slot]);
    }
    all
}

fn is_unexpected(found: EditResult, expected: EditResult) -> bool {
    (found == EditResult::Harmed) != (expected == EditResult::Harmed)
}

/// What touch-up makes of captures as they are, with its exit codes.
fn touchups(folder: &Path, files: &[PathBuf]) {
    let made: Vec<(String, Option<Harm>, bool)> = files
        .par_iter()
        .map(|path| {
            let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
            let touchup: Edit = serde_json::from_value(serde_json::json!({ "verb": "touchup" })).expect("an edit");
            let clip = std::path::absolute(path).expect("a path");
            let request = RunRequest::quiet(Path::new(""), ReadOptions::default(), Path::new("out.bvh"));
            match run(&Project::new(clip, vec![touchup]), &request) {
                Ok(outcome) => (name, outcome.harm, outcome.status.is_met()),
                Err(_) => (name, None, false),
            }
        })
        .collect();
    for (name, harm, is_met) in &made {
        let said = harm.as_ref().map_or("refused".to_owned(), |harm| harm.in_words(sentence).sentence);
        println!("{name}: {}{said}", if *is_met { "" } else { "(goal unmet) " });
    }
    for result in [EditResult::Done, EditResult::DoneWithCost, EditResult::Harmed] {
        let count = made.iter().filter(|(_, harm, _)| harm.as_ref().is_some_and(|it| it.result == result)).count();
        println!("{result:?}: {count} of {}", made.len());
    }
}

/// CMU and Bandai captures.
fn captures(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.join("cmu-bvh"), folder.join("bandai-bvh")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.extension().is_some_and(|it| it == "bvh") {
                true => files.push(path),
                false if path.is_dir() => folders.push(path),
                false => {}
            }
        }
    }
    files.sort();
    files
}

/// The first seconds, without the converter's T-pose, at the rate that gravity proves.
fn take(folder: &Path, path: &Path) -> Option<(String, Take)> {
    let import = read_file(path, &ReadOptions::default()).ok()?;
    let whole = Take::of_clip(import.clip.clone());
    let hz = whole.inspection().ok()?.contacts.clock.used_hz;
    let clip = import.clip.with_timeline(Timeline::Uniform(FrameTime::from_hz(hz).ok()?)).ok()?;
    let last = (FIRST_SECS * hz) as usize + 1;
    let clip = edit::cut_frames(&clip, FrameIndex(1)..FrameIndex(last.min(clip.frame_count()))).ok()?;
    let mut options = InspectOptions::default();
    options.contacts.correct_rate = false;
    let take = Take::new(clip, import.roles.clone(), whole.shared_body().ok()?).with_options(options);
    take.inspection().ok()?;
    Some((path.strip_prefix(folder).unwrap_or(path).display().to_string(), take))
}
