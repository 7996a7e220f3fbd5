//! The verdict on real captures: does the score see what people see? Every clip against its own spoiled versions, clean
//! medians, and every fault of the body that is found in clean clips, to be looked at (docs/analysis/score.md).
//!
//! `cargo run --release --package aplomb-editing --example verdict_proof [-- --faults | --clean | --held-out |
//! --clips | --seeds N]`. Captures are read from `APLOMB_DATA` (default `../shared/data`). `--faults` lists what is
//! found in every BVH, `--clean` in the clips of the tables, `--clips` what misses a bar; `--held-out` sets the limits
//! of each person's clips from all others.

#[path = "../../../../apps/cli/tests/score_captures/clips.rs"]
mod clips;
mod held_out;
mod tables;

use aplomb_analysis::report::{BodyLimits, Score};
use aplomb_analysis::score::damage::{Damage, PoseDamage};
use aplomb_analysis::{InspectOptions, Take};
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{Clip, FrameIndex, FrameTime, Roles, Timeline, edit};
use aplomb_physics::{Body, BodyOptions};
use clips::{CLIPS, Kind};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Clips are judged by their first seconds, so that long ones do not smooth everything.
const FIRST_SECS: f64 = 8.0;

/// Damages of the whole recording that the verdict has to see as well.
const OF_PHYSICS: [Damage; 3] = [Damage::Slide, Damage::Jitter, Damage::TiltAlong];

/// A clip, clean.
struct Sample {
    name: String,
    /// `None`: from another collection than the table's.
    kind: Option<Kind>,
    clip: Clip,
    roles: Roles,
}

/// A clean clip and its spoiled versions, in the order of [`titles`].
struct Judged {
    name: String,
    kind: Option<Kind>,
    clean: Score,
    spoiled: Vec<Vec<Score>>,
}

fn titles() -> Vec<String> {
    let poses = PoseDamage::ALL.iter().map(|damage| damage.title());
    poses.chain(OF_PHYSICS.iter().map(|damage| damage.title().to_owned())).collect()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|it| it == word);
    let seeds: u64 = words.iter().skip_while(|it| *it != "--seeds").nth(1).and_then(|it| it.parse().ok()).unwrap_or(1);
    let folder = std::env::var_os("APLOMB_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    if !folder.is_dir() {
        println!("SKIPPED: verdict_proof: no captures at {} (set APLOMB_DATA)", folder.display());
        return ExitCode::SUCCESS;
    }
    if has("--faults") {
        tables::faults(&every_clip(&folder));
        return ExitCode::SUCCESS;
    }
    let samples = samples(&folder);
    if has("--clean") {
        let clean = |it: &Sample| {
            let clean = score(&it.clip, &it.roles, false, &BodyLimits::default())?;
            Some(Judged { name: it.name.clone(), kind: it.kind, clean, spoiled: Vec::new() })
        };
        tables::faults(&samples.par_iter().filter_map(clean).collect::<Vec<_>>());
        return ExitCode::SUCCESS;
    }
    if has("--held-out") {
        held_out::print(&samples, seeds);
        return ExitCode::SUCCESS;
    }
    let slow: Vec<Sample> = samples.iter().filter_map(at_30_hz).collect();
    let bandai = bandai(&folder);
    let mut missed = 0;
    for (title, samples, bars) in [
        ("captured rate", &samples, tables::Bars::Usual),
        ("resampled to 30 Hz", &slow, tables::Bars::Slow),
        ("native 30 Hz", &bandai, tables::Bars::Slow),
    ] {
        let judged: Vec<Judged> =
            samples.par_iter().map(|sample| judge(sample, seeds, &BodyLimits::default())).collect();
        missed += tables::print(title, &judged, bars, has("--clips"));
    }
    println!("{missed} bars missed");
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Of the table, at their true rates, without the converter's T-pose.
fn samples(folder: &Path) -> Vec<Sample> {
    CLIPS
        .par_iter()
        .filter_map(|entry| {
            let path = folder.join("cmu-bvh").join(entry.kind.folder()).join(format!("{}.bvh", entry.name));
            let import = read_file(&path, &ReadOptions::default()).ok()?;
            let clip = import.clip.with_timeline(Timeline::Uniform(FrameTime::from_hz(entry.true_hz).ok()?)).ok()?;
            let frames = 1 + (FIRST_SECS * entry.true_hz) as usize;
            let clip = edit::cut_frames(&clip, FrameIndex(1)..FrameIndex(frames.min(clip.frame_count()))).ok()?;
            Some(Sample { name: entry.name.to_owned(), kind: Some(entry.kind), clip, roles: import.roles })
        })
        .collect()
}

fn at_30_hz(sample: &Sample) -> Option<Sample> {
    let clip = edit::resample(&sample.clip, FrameTime::from_hz(30.0).ok()?).ok()?;
    Some(Sample { name: sample.name.clone(), kind: sample.kind, clip, roles: sample.roles.clone() })
}

fn bandai(folder: &Path) -> Vec<Sample> {
    files_below(&folder.join("bandai-bvh")).par_iter().filter_map(|path| plain(path, Some(FIRST_SECS))).collect()
}

fn plain(path: &Path, first_secs: Option<f64>) -> Option<Sample> {
    let import = read_file(path, &ReadOptions::default()).ok()?;
    let frames = match (first_secs, import.clip.timeline().uniform()) {
        (Some(secs), Some(time)) => ((secs * time.hz()) as usize).min(import.clip.frame_count()),
        _ => import.clip.frame_count(),
    };
    let clip = edit::cut_frames(&import.clip, FrameIndex(0)..FrameIndex(frames)).ok()?;
    let name = path.file_stem()?.to_string_lossy().into_owned();
    Some(Sample { name, kind: None, clip, roles: import.roles })
}

/// Every BVH below the folder, whole, as `inspect` reads it.
fn every_clip(folder: &Path) -> Vec<Judged> {
    let judged = |path: &PathBuf| {
        let sample = plain(path, None)?;
        let clean = score(&sample.clip, &sample.roles, true, &BodyLimits::default())?;
        let below = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        Some(Judged { name: below, kind: None, clean, spoiled: Vec::new() })
    };
    files_below(folder).par_iter().filter_map(judged).collect()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
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

fn score(clip: &Clip, roles: &Roles, correct_rate: bool, limits: &BodyLimits) -> Option<Score> {
    let body = Body::of_clip(clip, roles, &BodyOptions::default()).ok()?;
    let mut options = InspectOptions { body_limits: limits.clone(), ..InspectOptions::default() };
    options.contacts.correct_rate = correct_rate;
    let take = Take::new(clip.clone(), roles.clone(), body).with_options(options);
    take.into_inspection().ok().map(|inspection| inspection.score)
}

fn judge(sample: &Sample, seeds: u64, limits: &BodyLimits) -> Judged {
    let Sample { clip, roles, name, kind, .. } = sample;
    let clean = score(clip, roles, false, limits).expect("a capture can be judged");
    let of_name = name.bytes().fold(7u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let seeded = |seed: u64| of_name.wrapping_add(seed.wrapping_mul(0x9e37_79b9));
    let scores = |spoil: &dyn Fn(u64) -> Option<Clip>| -> Vec<Score> {
        (0..seeds).filter_map(|seed| score(&spoil(seeded(seed))?, roles, false, limits)).collect()
    };
    let poses = PoseDamage::ALL.iter().map(|it| scores(&|seed| it.apply(clip, roles, seed).ok().flatten()));
    let whole = OF_PHYSICS.iter().map(|it| scores(&|seed| it.apply(clip, roles, &[], seed).ok().flatten()));
    let spoiled = poses.chain(whole).collect();
    Judged { name: name.clone(), kind: *kind, clean, spoiled }
}
