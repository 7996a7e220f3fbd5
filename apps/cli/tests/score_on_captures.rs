//! The plausibility score on real captures: unedited clips against their own spoiled versions (docs/analysis/score.md).
//!
//! Here and not in the analysis crate because reading files and masses never meet below the programs. `cargo xtask proof score` runs
//! this and shows its tables.

#[path = "score_captures/clips.rs"]
mod clips;
#[path = "score_captures/tables.rs"]
mod tables;

use aplomb_analysis::report::Score;
use aplomb_analysis::score::damage::Damage;
use aplomb_analysis::{InspectOptions, inspect};
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{Clip, FrameIndex, FrameTime, Roles, Timeline, edit};
use aplomb_physics::{Body, BodyOptions};
use clips::{CLIPS, Entry, Kind};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Clips are judged by their first seconds, so that long ones do not smooth everything.
const FIRST_SECS: f64 = 8.0;

fn folder() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("SKIPPED: no captures at {}; set APLOMB_DATA", folder.display());
        return None;
    }
    Some(folder)
}

/// One clip, and what became of its spoiled versions.
pub struct Judged {
    entry: &'static Entry,
    clean: Score,
    other_share: f64,
    spoiled: BTreeMap<usize, (Score, f64)>,
    /// At 60 and 30 Hz.
    resampled: Vec<Score>,
}

/// The converter's T-pose dropped, the true rate set, cut.
fn captured(folder: &Path, entry: &Entry) -> (Clip, Roles) {
    let path = folder.join("cmu-bvh").join(entry.kind.folder()).join(format!("{}.bvh", entry.name));
    let import = read_file(&path, &ReadOptions::default()).unwrap();
    let frames = import.clip.frame_count();
    let motion = edit::cut_frames(&import.clip, FrameIndex(1)..FrameIndex(frames)).unwrap();
    let motion = motion.with_timeline(Timeline::Uniform(FrameTime::from_hz(entry.true_hz).unwrap())).unwrap();
    let kept = ((FIRST_SECS * entry.true_hz) as usize).min(motion.frame_count());
    (edit::cut_frames(&motion, FrameIndex(0)..FrameIndex(kept)).unwrap(), import.roles)
}

/// By the clip's own clock: the question is whether the score sees a wrong speed, not whether the clock can be repaired.
fn judged(clip: &Clip, roles: &Roles) -> (Score, f64, Vec<aplomb_analysis::contacts::Flight>) {
    let body = Body::of_clip(clip, roles, &BodyOptions::default()).unwrap();
    let mut options = InspectOptions::default();
    options.contacts.correct_rate = false;
    let report = inspect(clip, roles, &body, None, &options).unwrap();
    (report.score, report.other_share, report.contacts.flights)
}

fn judge(folder: &Path, entry: &'static Entry) -> Judged {
    let (clip, roles) = captured(folder, entry);
    let (clean, other_share, flights) = judged(&clip, &roles);
    let seed = entry.name.bytes().fold(7u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let spoiled = Damage::ALL.iter().enumerate().filter_map(|(index, damage)| {
        let spoiled = damage.apply(&clip, &roles, &flights, seed).unwrap()?;
        let (score, other_share, _) = judged(&spoiled, &roles);
        Some((index, (score, other_share)))
    });
    let resampled = [60.0, 30.0].map(|hz| {
        let slower = edit::resample(&clip, FrameTime::from_hz(hz).unwrap()).unwrap();
        judged(&slower, &roles).0
    });
    Judged { entry, clean, other_share, spoiled: spoiled.collect(), resampled: resampled.into() }
}

/// Share of pairs in which the unedited clip outscores the spoiled one; ties count half.
fn pairs_won(all: &[Judged], damage: Damage, score: fn(&Score) -> Option<f64>) -> (f64, usize) {
    let index = Damage::ALL.iter().position(|it| *it == damage).unwrap();
    let pairs = all.iter().filter_map(|it| Some((score(&it.clean)?, score(&it.spoiled.get(&index)?.0)?)));
    let won: Vec<f64> = pairs
        .map(|(clean, spoiled)| match clean.total_cmp(&spoiled) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .collect();
    (100.0 * won.iter().sum::<f64>() / won.len() as f64, won.len())
}

#[test]
fn unedited_clips_outscore_their_spoiled_versions() {
    let Some(folder) = folder() else { return };
    let all: Vec<Judged> = CLIPS.par_iter().map(|entry| judge(&folder, entry)).collect();
    tables::print(&all);

    let score_all: fn(&Score) -> Option<f64> = |score| score.score_all;
    let score: fn(&Score) -> Option<f64> = |score| score.score;
    let mut failed = Vec::new();
    let mut expect = |what: String, found: f64, least: f64| {
        if found < least {
            failed.push(format!("{what}: {found:.1}, expected at least {least}"));
        }
    };

    // Tilted, twice as fast, slid, jittered: 97 % of all pairs by score_all, 95 % by score.
    let gross = [
        Damage::TiltAlong,
        Damage::TiltSideways,
        Damage::DoubleSpeed,
        Damage::Slide,
        Damage::Jitter,
        Damage::HalfJitter,
    ];
    let (mut won, mut won_known, mut count) = (0.0, 0.0, 0.0);
    for damage in gross {
        let (share, pairs) = pairs_won(&all, damage, score_all);
        won += share * pairs as f64;
        won_known += pairs_won(&all, damage, score).0 * pairs as f64;
        count += pairs as f64;
        expect(format!("{}, score_all", damage.title()), share, 97.0);
        expect(format!("{}, score", damage.title()), pairs_won(&all, damage, score).0, 95.0);
    }
    expect("tilts, double speed, slide and jitter, score_all".to_owned(), won / count, 97.0);
    expect("tilts, double speed, slide and jitter, score".to_owned(), won_known / count, 95.0);
    for damage in [Damage::LongFlights, Damage::ShortFlights, Damage::DropFrames] {
        expect(damage.title().to_owned(), pairs_won(&all, damage, score_all).0, 95.0);
    }
    expect(Damage::Bend.title().to_owned(), pairs_won(&all, Damage::Bend, score_all).0, 90.0);

    // Clean medians.
    for (kinds, least) in [
        (&[Kind::WalkStraight, Kind::WalkTurn][..], 90.0),
        (&[Kind::JumpForward, Kind::JumpTurn, Kind::JumpVertical][..], 90.0),
        (&[Kind::Run][..], 70.0),
    ] {
        let scores = all.iter().filter(|it| kinds.contains(&it.entry.kind)).filter_map(|it| it.clean.score_all);
        expect(format!("clean median of {kinds:?}"), tables::median(scores.collect()), least);
    }

    // At 60 Hz nine of ten scores stay within 5 points. At 30 Hz they do not, four of five do: runs, whose flights are three frames long
    // there, keep neither their contacts' edges nor their smoothness, and single bad frames that `pops` sees are dropped.
    for (slower, hz, least) in [(0, 60, 90.0), (1, 30, 80.0)] {
        let near = all.iter().filter(|it| {
            let moved = it.clean.score_all.zip(it.resampled[slower].score_all).map(|(a, b)| (a - b).abs());
            moved.is_some_and(|moved| moved <= 5.0)
        });
        expect(format!("clips within 5 points at {hz} Hz, %"), 100.0 * near.count() as f64 / all.len() as f64, least);
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
