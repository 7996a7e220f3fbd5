//! Contacts that are given by hand: which points and samples they mean, and whether the motion could have them
//! (contacts.md 9).

use super::detect::Detection;
use super::effectors::Effector;
use super::paths::Paths;
use super::pins::PinSpan;
use super::side_file::{ContactEntry, ContactFile, ContactKind};
use super::touch::runs_of;
use crate::error::AnalysisError;
use std::ops::Range;

/// A point that is faster than so many times what contacts call still is on its way: feet of bent runs, which slide by
/// the bend, stay below, and swinging feet are at two to five times this for most of their swing.
const SWING: f64 = 3.0;
/// A foot may swing for so long at the edges of a contact, s: contacts written by hand are off by a few
/// frames, and a tenth of a second is three at 30 Hz. Swings of walks and runs last 0.3 to 0.5 s
/// (docs/analysis/contacts.md has what was measured).
const LONGEST_SWING_SECS: f64 = 0.15;

/// Refuses contacts of points that this body does not have.
pub(super) fn check_effectors(given: &ContactFile, effectors: &[Effector]) -> Result<(), AnalysisError> {
    let is_unknown = |entry: &ContactEntry| effectors.iter().all(|effector| effector.name != entry.effector);
    let Some(index) = given.contacts.iter().position(is_unknown) else { return Ok(()) };
    let known: Vec<&str> = effectors.iter().map(|effector| effector.name.as_str()).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let problem = format!("this clip has no such effector; it has: {known}");
    Err(AnalysisError::SideEntry { entry: index + 1, effector: given.contacts[index].effector.clone(), problem })
}

/// Samples of the entries of a kind, per effector.
pub(super) fn ranges_of(
    file: &ContactFile,
    kind: ContactKind,
    effectors: &[Effector],
    paths: &Paths,
) -> Vec<Vec<Range<usize>>> {
    let of_effector = |effector: &Effector| {
        let entries = file.contacts.iter().filter(|entry| entry.kind == kind && entry.effector == effector.name);
        let ranges = entries.map(|entry| paths.range_of_secs(entry.start_secs, entry.end_secs));
        let mut ranges: Vec<Range<usize>> = ranges.filter(|range| !range.is_empty()).collect();
        ranges.sort_by_key(|range| range.start);
        ranges
    };
    effectors.iter().map(of_effector).collect()
}

/// Pins as given, each with the load around it.
pub(super) fn given_pins(pins: &[Vec<Range<usize>>], loads: &[Vec<Range<usize>>]) -> Vec<PinSpan> {
    let mut found = Vec::new();
    for (effector, pinned) in pins.iter().enumerate().flat_map(|(index, pins)| pins.iter().map(move |pin| (index, pin)))
    {
        let around = loads[effector].iter().find(|load| load.start < pinned.end && pinned.start < load.end);
        let load = around.map_or(pinned.clone(), |load| load.start.min(pinned.start)..load.end.max(pinned.end));
        found.push(PinSpan { effector, pinned: pinned.clone(), load });
    }
    found
}

/// Refuses contacts of points that are on their way meanwhile: what carries weight stands. Speeds tell, and not places:
/// a motion that was bent after its contacts were found slides a long way slowly, and a foot that swings is fast
/// however short the entry is.
pub(super) fn check_motion(
    given: &ContactFile,
    effectors: &[Effector],
    paths: &Paths,
    found: &Detection,
) -> Result<(), AnalysisError> {
    let mut worst: Option<(f64, usize, SwingMeasure)> = None;
    for (index, entry) in given.contacts.iter().enumerate() {
        let Some(effector) = effectors.iter().position(|effector| effector.name == entry.effector) else { continue };
        let swing = SwingMeasure::within(paths.range_of_secs(entry.start_secs, entry.end_secs), effector, found);
        if let Some(swing) = swing.filter(|swing| worst.as_ref().is_none_or(|(secs, ..)| swing.secs > *secs)) {
            worst = Some((swing.secs, index, swing));
        }
    }
    let Some((_, index, swing)) = worst.filter(|(secs, ..)| *secs > LONGEST_SWING_SECS) else { return Ok(()) };
    let (entry, last) = (&given.contacts[index], paths.com_m.len().saturating_sub(1));
    let SwingMeasure { secs, speed, still_speed, risen_m } = swing;
    let problem = format!(
        "the motion contradicts it: between {:.3} and {:.3} s the point moves at up to {speed:.1} m/s and rises by {risen_m:.2} m, and \
         swings for {secs:.2} s of that time (what stands is slower than {still_speed:.2} m/s; {LONGEST_SWING_SECS} s are taken for \
         edges that are off); is the file of another clip, or of another stretch or rate of this one, which ends at {:.3} s?",
        entry.start_secs,
        entry.end_secs,
        paths.start_secs + last as f64 * paths.step_secs,
    );
    Err(AnalysisError::SideEntry { entry: index + 1, effector: entry.effector.clone(), problem })
}

/// How a point goes on its way within a contact.
struct SwingMeasure {
    /// Longest stretch of it.
    secs: f64,
    /// Fastest, m/s.
    speed: f64,
    /// What would be still then, m/s.
    still_speed: f64,
    /// Highest over lowest of the contact, m.
    risen_m: f64,
}

impl SwingMeasure {
    fn within(range: Range<usize>, effector: usize, found: &Detection) -> Option<Self> {
        let (point, still) = (&found.watched[effector], &found.still_speed);
        let is_swing: Vec<bool> = range.clone().map(|sample| point.speed[sample] > SWING * still[sample]).collect();
        let longest = runs_of(&is_swing).into_iter().max_by_key(|run| run.len())?;
        let fastest = range.clone().max_by(|&a, &b| point.speed[a].total_cmp(&point.speed[b]))?;
        let heights_m = || point.heights_m[range.clone()].iter().copied();
        Some(Self {
            secs: longest.len() as f64 * found.step_secs,
            speed: point.speed[fastest],
            still_speed: still[fastest],
            risen_m: heights_m().fold(f64::NEG_INFINITY, f64::max) - heights_m().fold(f64::INFINITY, f64::min),
        })
    }
}
