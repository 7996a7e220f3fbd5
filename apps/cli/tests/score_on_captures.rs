//! The plausibility score on real captures: unedited clips against their own spoiled versions (docs/analysis/score.md).
//!
//! Here and not in the analysis crate because reading files and masses never meet below the programs. `cargo xtask
//! proof score` runs this and shows its tables.

#[path = "score_captures/clips.rs"]
mod clips;
#[path = "score_captures/tables.rs"]
mod tables;

mod common;

use aplomb_analysis::InspectOptions;
use aplomb_analysis::Take;
use aplomb_analysis::report::Score;
use aplomb_analysis::score::damage::Damage;
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{Clip, FrameIndex, FrameTime, Roles, Timeline, edit};
use aplomb_physics::{Body, BodyOptions};
use clips::{CLIPS, Entry, Kind};
use common::captures;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::Path;

/// Clips are judged by their first seconds, so that long ones do not smooth everything.
const FIRST_SECS: f64 = 8.0;

/// Rates that captures are often thinned to.
const RATES_HZ: [f64; 2] = [60.0, 30.0];

/// One clip, and what became of its spoiled versions.
pub struct Judged {
    entry: &'static Entry,
    clean: Score,
    other_share: f64,
    spoiled: BTreeMap<usize, (Score, f64)>,
}

/// One clip, and what became of it at 60 and 30 Hz.
pub struct Resampled {
    entry: &'static Entry,
    own: Score,
    slower: Vec<Score>,
}

impl Resampled {
    /// Points between `physics_all` (a pop of one frame is gone at a slower rate, and so is its cost to the body) at the own rate and at one of [`RATES_HZ`].
    fn moved(&self, rate: usize) -> Option<f64> {
        Some((self.own.physics_all? - self.slower[rate].physics_all?).abs())
    }
}

/// What is kept of a file.
#[derive(Clone, Copy, Debug)]
enum Kept {
    /// The converter's T-pose dropped, then the first seconds.
    FirstSecs,
    /// All of it from 0.05 s on, as `convert --cut 0.05:` does: other frames than above survive at a slower rate.
    AfterTPose,
}

/// With the true rate.
fn captured(folder: &Path, entry: &Entry, kept: Kept) -> (Clip, Roles) {
    let path = folder.join("cmu-bvh").join(entry.kind.folder()).join(format!("{}.bvh", entry.name));
    let import = read_file(&path, &ReadOptions::default()).unwrap();
    let clip = import.clip.with_timeline(Timeline::Uniform(FrameTime::from_hz(entry.true_hz).unwrap())).unwrap();
    let cut = match kept {
        Kept::FirstSecs => {
            let frames = 1 + (FIRST_SECS * entry.true_hz) as usize;
            edit::cut_frames(&clip, FrameIndex(1)..FrameIndex(frames.min(clip.frame_count())))
        }
        Kept::AfterTPose => edit::cut(&clip, (Bound::Included(0.05), Bound::Unbounded)),
    };
    (cut.unwrap(), import.roles)
}

/// By the clip's own clock: the question is whether the score sees a wrong speed, not whether the clock can be
/// repaired.
fn judged(clip: &Clip, roles: &Roles) -> (Score, f64, Vec<aplomb_analysis::contacts::Flight>) {
    let body = Body::of_clip(clip, roles, &BodyOptions::default()).unwrap();
    let mut options = InspectOptions::default();
    options.contacts.correct_rate = false;
    let report =
        Take::new(clip.clone(), roles.clone(), body.clone()).with_options(options.clone()).into_inspection().unwrap();
    (report.score, report.other_share.unwrap(), report.contacts.flights)
}

fn judge(folder: &Path, entry: &'static Entry) -> Judged {
    let (clip, roles) = captured(folder, entry, Kept::FirstSecs);
    let (clean, other_share, flights) = judged(&clip, &roles);
    let seed = entry.name.bytes().fold(7u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let spoiled = Damage::ALL.iter().enumerate().filter_map(|(index, damage)| {
        let spoiled = damage.apply(&clip, &roles, &flights, seed).unwrap()?;
        let (score, other_share, _) = judged(&spoiled, &roles);
        Some((index, (score, other_share)))
    });
    Judged { entry, clean, other_share, spoiled: spoiled.collect() }
}

fn resampled(folder: &Path, entry: &'static Entry, kept: Kept) -> Resampled {
    let (clip, roles) = captured(folder, entry, kept);
    let slower = RATES_HZ.map(|hz| {
        let slower = edit::resample(&clip, FrameTime::from_hz(hz).unwrap()).unwrap();
        judged(&slower, &roles).0
    });
    Resampled { entry, own: judged(&clip, &roles).0, slower: slower.into() }
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
    let Some(folder) = captures("score on captures") else { return };
    let all: Vec<Judged> = CLIPS.par_iter().map(|entry| judge(&folder, entry)).collect();
    tables::print(&all);

    // These damages are physics; `cargo xtask proof verdict` has those of the body.
    let score_all: fn(&Score) -> Option<f64> = |score| score.physics_all;
    let score: fn(&Score) -> Option<f64> = |score| score.physics;
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
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_slower_rate_hardly_moves_the_score() {
    let Some(folder) = captures("score on captures") else { return };
    let mut failed = Vec::new();
    for kept in [Kept::FirstSecs, Kept::AfterTPose] {
        let all: Vec<Resampled> = CLIPS.par_iter().map(|entry| resampled(&folder, entry, kept)).collect();
        eprintln!("\n{kept:?}");
        tables::rates(&all);
        for (index, hz) in RATES_HZ.into_iter().enumerate() {
            let near = all.iter().filter(|it| it.moved(index).is_some_and(|points| points <= 5.0)).count();
            if 10 * near < 9 * all.len() {
                failed.push(format!("{kept:?}: {near} of {} clips within 5 points at {hz} Hz", all.len()));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
