//! From all pairs of frames to a few good loops.

use super::clouds::{Clouds, Rows};
use super::{Allowed, LoopCandidate, LoopOptions, moves_enough};

/// Coarse enough for speed, fine enough that a limb at 3 m/s moves a hand's breadth between samples.
const COARSE_SECS: f64 = 1.0 / 30.0;

/// Pairs in the coarse map, four bytes each; beyond it (no limit on the period in a long clip) the map gets coarser.
const MAX_PAIRS: usize = 10_000_000;

pub(super) fn find(clouds: &Clouds, options: &LoopOptions) -> Vec<LoopCandidate> {
    let (stride, lags) = coarse_grid(clouds, options);
    let map = DistanceMap::of(&clouds.rows(stride), lags);
    let allowed = Allowed::for_clip(clouds, options);
    let mut seeds = valleys(&map, allowed.score_m());
    seeds.sort_by(|a, b| a.distance_m.total_cmp(&b.distance_m).then(a.start.cmp(&b.start)).then(a.lag.cmp(&b.lag)));
    let seeds = distinct(seeds, 4 * options.max_candidates, |a, b| {
        is_same_cycle((a.start, a.start + a.lag), (b.start, b.start + b.lag))
    });
    let mut loops: Vec<LoopCandidate> = seeds
        .iter()
        .map(|seed| refine(clouds, options, seed.start * stride, (seed.start + seed.lag) * stride, stride))
        .filter(|found| allowed.accepts(found) && moves_enough(clouds, options, found))
        .collect();
    loops.sort_by(|a, b| a.score_m().total_cmp(&b.score_m()).then(a.start.cmp(&b.start)).then(a.end.cmp(&b.end)));
    let loops = distinct(loops, usize::MAX, |a, b| is_same_cycle((a.start.0, a.end.0), (b.start.0, b.end.0)));
    let mut loops = without_repetitions(&loops);
    loops.truncate(options.max_candidates);
    loops
}

/// Frames between coarse samples, and the range of coarse lags between the shortest and the longest period.
fn coarse_grid(clouds: &Clouds, options: &LoopOptions) -> (usize, std::ops::Range<usize>) {
    let frames = clouds.frame_count();
    let mut stride = ((COARSE_SECS / clouds.frame_secs()).round() as usize).max(1);
    loop {
        let coarse_secs = stride as f64 * clouds.frame_secs();
        let samples = frames.div_ceil(stride);
        // Float to integer casts saturate, and NaN becomes 0: then there is no lag to try.
        let longest = ((options.max_period_secs / coarse_secs).ceil() as usize).min(samples - 1);
        let shortest = ((options.min_period_secs / coarse_secs).floor() as usize).clamp(1, samples);
        if samples.saturating_mul(longest) <= MAX_PAIRS {
            return (stride, shortest..(longest + 1).max(shortest));
        }
        stride += 1;
    }
}

/// Distance in metres of sample i and sample i + lag; infinite where there is none.
struct DistanceMap {
    samples: usize,
    lags: std::ops::Range<usize>,
    distances_m: Vec<f32>,
}

impl DistanceMap {
    fn of(rows: &Rows, lags: std::ops::Range<usize>) -> Self {
        let samples = rows.len();
        let mut distances_m = vec![f32::INFINITY; samples * lags.len()];
        for start in 0..samples {
            for lag in lags.clone().take_while(|lag| start + lag < samples) {
                let distance_m = rows.squared_distance(start + lag, start).sqrt();
                distances_m[start * lags.len() + lag - lags.start] = distance_m as f32;
            }
        }
        Self { samples, lags, distances_m }
    }

    fn distance_m(&self, start: usize, lag: usize) -> f32 {
        let is_inside = start < self.samples && self.lags.contains(&lag);
        if is_inside { self.distances_m[start * self.lags.len() + lag - self.lags.start] } else { f32::INFINITY }
    }
}

#[derive(Clone, Copy)]
struct Seed {
    start: usize,
    lag: usize,
    distance_m: f32,
}

/// Local minima of the map that may become loops at the full rate.
fn valleys(map: &DistanceMap, allowed_m: f64) -> Vec<Seed> {
    // Half a coarse step off the true minimum at a limb speed of 2 m/s (RMS over the body) adds 3 cm.
    let allowed_m = (allowed_m + 0.03) as f32;
    let mut seeds = Vec::new();
    for start in 0..map.samples {
        for lag in map.lags.clone() {
            let distance_m = map.distance_m(start, lag);
            if distance_m > allowed_m {
                continue;
            }
            let around = |(ds, dl): (usize, usize)| {
                let (start, lag) = (start.wrapping_add(ds).wrapping_sub(1), lag.wrapping_add(dl).wrapping_sub(1));
                map.distance_m(start, lag)
            };
            let neighbours = (0..3).flat_map(|ds| (0..3).map(move |dl| (ds, dl)));
            // The shortest and the longest lag may be slopes of a valley beyond the range: those are not minima.
            let is_edge = lag == map.lags.start && map.lags.len() > 1 && around((1, 2)) >= distance_m;
            if !is_edge && neighbours.map(around).all(|other| other >= distance_m) {
                seeds.push(Seed { start, lag, distance_m });
            }
        }
    }
    seeds
}

/// Steps to the best neighbouring pair of frames until none is better.
fn refine(clouds: &Clouds, options: &LoopOptions, start: usize, end: usize, reach: usize) -> LoopCandidate {
    let last = clouds.frame_count() - 1;
    let secs = clouds.frame_secs();
    let is_allowed = |start: usize, end: usize| {
        let period_secs = end.saturating_sub(start) as f64 * secs;
        // Half a frame of grace: 0.4 s at 30 Hz is 12 frames, give or take the last digit.
        period_secs >= options.min_period_secs - 0.5 * secs && period_secs <= options.max_period_secs + 0.5 * secs
    };
    let score = |start: usize, end: usize| clouds.compare(end, start).score_m();
    let (mut best, mut best_score) = ((start, end), score(start, end));
    // The valley of a cycle runs along the diagonal; a seed need not travel further than between two coarse samples.
    for _ in 0..2 * reach + 1 {
        let (start, end) = best;
        let starts = start.saturating_sub(1)..=(start + 1).min(last);
        let pairs = starts.flat_map(|s| (end.saturating_sub(1)..=(end + 1).min(last)).map(move |e| (s, e)));
        let scored = pairs.filter(|&(s, e)| s < e && is_allowed(s, e)).map(|(s, e)| ((s, e), score(s, e)));
        match scored.min_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((pair, better)) if better < best_score => (best, best_score) = (pair, better),
            _ => break,
        }
    }
    clouds.compare(best.1, best.0).candidate(best.0, best.1, secs)
}

/// Keeps the first of each group; `items` come best first.
fn distinct<T: Copy>(items: Vec<T>, limit: usize, is_same: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for item in items {
        if kept.len() == limit {
            break;
        }
        if !kept.iter().any(|other| is_same(other, &item)) {
            kept.push(item);
        }
    }
    kept
}

/// Periods within a tenth of each other, starts within half a period.
fn is_same_cycle(a: (usize, usize), b: (usize, usize)) -> bool {
    let (period_a, period_b) = ((a.1 - a.0) as f64, (b.1 - b.0) as f64);
    let shorter = period_a.min(period_b);
    (period_a - period_b).abs() <= 0.1 * shorter && (a.0 as f64 - b.0 as f64).abs() < 0.5 * shorter
}

/// Drops loops that are two, three … rounds of another one that they overlap with, unless the shorter is much worse.
fn without_repetitions(loops: &[LoopCandidate]) -> Vec<LoopCandidate> {
    let repeats = |long: &LoopCandidate, short: &LoopCandidate| {
        let rounds = long.period_secs / short.period_secs;
        let is_multiple = rounds > 1.5 && (rounds - rounds.round()).abs() <= 0.08 * rounds.round();
        let overlaps = long.start < short.end && short.start < long.end;
        is_multiple && overlaps && short.score_m() <= 2.0 * long.score_m() + 0.01
    };
    loops.iter().copied().filter(|long| !loops.iter().any(|short| repeats(long, short))).collect()
}
