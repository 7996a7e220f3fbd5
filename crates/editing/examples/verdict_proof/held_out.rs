//! Limits set from other people: does the score still see what people see, on people it never saw?
//!
//! Each limit keeps its rank: the share of all clips that stay below the shipped one. For each person it is set anew at
//! that share of all other people's clips, and the person's clips and their spoiled versions are judged by it.

use crate::{Judged, Sample, judge, score, tables};
use aplomb_analysis::report::{BodyLimits, Fault, Limit, Moment};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Limits so small that everything has a size.
const EVERYTHING: f64 = 1e-3;

/// A limit that is set by clips: its name, the faults it is about, and where it stands.
type Setting = (&'static str, &'static [Fault], fn(&mut BodyLimits) -> &mut Limit);

const SETTINGS: [Setting; 5] = [
    ("turn pops", &[Fault::TurnPops], |it| &mut it.turn_pop_deg),
    ("place pops", &[Fault::PlacePops], |it| &mut it.place_pop_mm),
    ("forearm turns", &[Fault::TurnsTooFast], |it| &mut it.forearm_deg_per_sec),
    ("feet float", &[Fault::FeetFloat], |it| &mut it.float_m),
    ("feet sink", &[Fault::UnderFloor], |it| &mut it.sink_m),
];

/// Faults of two limits each, of one factor: a run of stands and two feet at once; all ranges of joints.
const DRIFT: &[Fault] = &[Fault::CommonDrift];
const RANGES: &[Fault] = &[
    Fault::KneeBackward,
    Fault::KneeFolds,
    Fault::KneeSideways,
    Fault::FootTurned,
    Fault::FootFolded,
    Fault::ElbowBackward,
    Fault::ElbowFolds,
    Fault::SpineBent,
    Fault::NeckBent,
    Fault::TrunkTurned,
    Fault::TrunkBent,
    Fault::HeadTurned,
    Fault::HeadBent,
    Fault::HipBackward,
    Fault::HipForward,
    Fault::HipOutward,
    Fault::HipInward,
    Fault::PlantedFootTurned,
];

pub(crate) fn print(samples: &[Sample], seeds: u64) {
    let people: BTreeSet<&str> = samples.iter().map(person).collect();
    let names: Vec<&str> = SETTINGS.iter().map(|it| it.0).chain(["drifts", "ranges"]).collect();
    // Per clip and setting: the largest size, in shares of the shipped limit.
    let sizes: Vec<(&str, Vec<f64>)> = samples.par_iter().map(|it| (person(it), shares(it))).collect();
    let factors = |left_out: &str| -> Vec<f64> { (0..names.len()).map(|it| factor(&sizes, it, left_out)).collect() };
    println!("| limit | share of clips below | factor without one person: least, most |\n|---|---|---|");
    for (index, name) in names.iter().enumerate() {
        let of_all: Vec<f64> = people.iter().map(|person| factors(person)[index]).collect();
        let (least, most) = of_all.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), it| (a.min(*it), b.max(*it)));
        println!("| {name} | {:.0} % | {least:.2}, {most:.2} |", 100.0 * rank(&sizes, index));
    }
    let judged: Vec<Judged> =
        samples.par_iter().map(|sample| judge(sample, seeds, &limits(&factors(person(sample))))).collect();
    tables::print("each person by limits from all others", &judged, tables::Bars::Usual, false);
}

/// CMU's clips are named by person and number.
fn person(sample: &Sample) -> &str {
    sample.name.split('_').next().unwrap_or(&sample.name)
}

fn limits(factors: &[f64]) -> BodyLimits {
    let mut limits = BodyLimits::default();
    for ((_, _, limit), factor) in SETTINGS.iter().zip(factors) {
        let limit = limit(&mut limits);
        *limit = limit.scaled(*factor);
    }
    let [drifts, ranges] = [factors[SETTINGS.len()], factors[SETTINGS.len() + 1]];
    limits.drift_m_per_sec = limits.drift_m_per_sec.scaled(drifts);
    limits.both_drift_m_per_sec = limits.both_drift_m_per_sec.scaled(drifts);
    limits.ranges = ranges;
    limits
}

fn shares(sample: &Sample) -> Vec<f64> {
    let tiny = limits(&vec![EVERYTHING; SETTINGS.len() + 2]);
    let moments = score(&sample.clip, &sample.roles, false, &tiny).map_or(Vec::new(), |score| score.moments);
    let largest = |faults: &[Fault]| {
        let share = |moment: &Moment| {
            // A flip is a pop far beyond any limit.
            let is_flip = moment.fault == Fault::Flipped && faults.contains(&Fault::TurnPops);
            let size = if is_flip { f64::INFINITY } else { moment.size / moment.allowance * EVERYTHING };
            (is_flip || faults.contains(&moment.fault)).then_some(size)
        };
        moments.iter().filter_map(share).fold(0.0, f64::max)
    };
    SETTINGS.iter().map(|it| it.1).chain([DRIFT, RANGES]).map(largest).collect()
}

/// Share of all clips that stay below the shipped limit.
fn rank(sizes: &[(&str, Vec<f64>)], index: usize) -> f64 {
    sizes.iter().filter(|it| it.1[index] <= 1.0).count() as f64 / sizes.len() as f64
}

/// What the shipped limit would be, in shares of it, without one person's clips: the size that as large a share of the
/// others' clips stay below. Halfway to the next larger one, as the shipped one lies between two.
fn factor(sizes: &[(&str, Vec<f64>)], index: usize, left_out: &str) -> f64 {
    let of = |person: Option<&str>| {
        let others = sizes.iter().filter(|it| Some(it.0) != person);
        let mut others: Vec<f64> = others.map(|it| it.1[index]).collect();
        others.sort_by(f64::total_cmp);
        let at = (rank(sizes, index) * others.len() as f64 - 0.5).max(0.0);
        let (below, above) = (at.floor() as usize, (at.ceil() as usize).min(others.len() - 1));
        let top = others.iter().copied().filter(|it| it.is_finite()).fold(0.0, f64::max);
        others[below].min(top).midpoint(others[above].min(top))
    };
    // Relative to the same rule over all people, so that the rule itself moves nothing.
    of(Some(left_out)) / of(None).max(f64::MIN_POSITIVE)
}
