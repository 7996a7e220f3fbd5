//! Which phases clips have, and which of them correspond (Safonova & Hodgins 2005, section 3).
//!
//! Physics changes where contact does, so phases end there. Jumps are matched by flight and contact alone: labels of single feet agree in 2 of
//! 14 captured pairs, flight and contact in all, and feet are interpolated, not pinned, so their labels set times only. Gaits need to know
//! which foot: their steps are matched foot by foot, and clips of different length are cut to the steps they share. What neither flies nor
//! steps is matched by where the body sinks and rises.

use super::gait::{Touchdown, shifted, steps, touchdowns};
use super::heights::by_height;
use super::source::Source;
use crate::EditingError;
use aplomb_analysis::contacts::{Flight, Verdict};
use aplomb_motion::Side;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What carries the body during a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseKind {
    /// Feet, or a seat.
    Contact,
    /// Nothing.
    Flight,
}

/// What happens at the end of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseEvent {
    /// Into the air; from one foot, in a gait.
    TakeOff(Option<Side>),
    /// Back on the ground; on one foot, in a gait.
    Landing(Option<Side>),
    /// A foot of a walk comes down.
    Step(Side),
    /// The body begins to sink, or to rise.
    Moves,
    /// It has sunk, or risen.
    Rests,
    /// By hand, or the lowest place of a crouch.
    Key,
}

impl fmt::Display for PhaseEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PhaseEvent::TakeOff(Some(side)) => write!(f, "take-off {side}"),
            PhaseEvent::TakeOff(None) => write!(f, "take-off"),
            PhaseEvent::Landing(Some(side)) => write!(f, "landing {side}"),
            PhaseEvent::Landing(None) => write!(f, "landing"),
            PhaseEvent::Step(side) => write!(f, "step {side}"),
            PhaseEvent::Moves => write!(f, "moves"),
            PhaseEvent::Rests => write!(f, "rests"),
            PhaseEvent::Key => write!(f, "key"),
        }
    }
}

/// Phases that correspond.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matched {
    pub kinds: Vec<PhaseKind>,
    /// At the end of each phase but the last.
    pub events: Vec<PhaseEvent>,
    /// Clip by clip: start, end of each phase.
    pub keys_secs: Vec<Vec<f64>>,
    pub is_gait: bool,
    pub notes: Vec<String>,
}

pub(super) type Key = (f64, PhaseEvent);

/// Flights that count, s; in gaits all that contacts know of (contacts.md 9).
const LEAST_JUMP_SECS: f64 = 0.12;

/// Shorter contacts between flights are spurious, and shorter phases are none, s.
pub(super) const LEAST_PHASE_SECS: f64 = 0.06;

/// A flight whose fitted gravity is in this range is one, m/s².
const PLAUSIBLE_G: std::ops::RangeInclusive<f64> = 6.0..=14.0;

/// Finds the phases that all clips have.
pub(super) fn matched(sources: &[Source], is_mirrored: bool) -> Result<Matched, EditingError> {
    let gaits: Vec<Option<Vec<Touchdown>>> = sources.iter().map(touchdowns).collect();
    if gaits.iter().all(Option::is_some) {
        let gaits: Vec<Vec<Touchdown>> = gaits.into_iter().flatten().collect();
        return shifted(sources, &gaits, is_mirrored).map(on_frames(sources));
    }
    let jumps: Vec<Vec<Key>> = sources.iter().map(jump_keys).collect();
    if jumps.iter().any(|keys| !keys.is_empty()) {
        return one_to_one(sources, jumps).map(on_frames(sources));
    }
    if gaits.iter().any(Option::is_some) {
        return Err(no_common(sources, ""));
    }
    by_height(sources).map(on_frames(sources))
}

/// Puts keys on frames: there, curves through frames and poses between frames say the same, so that a clip alone comes back. Flights
/// lose what part of a frame they share with the ground.
fn on_frames(sources: &[Source]) -> impl Fn(Matched) -> Matched + '_ {
    move |mut matched| {
        for (source, keys_secs) in sources.iter().zip(&mut matched.keys_secs) {
            let last = keys_secs.len() - 1;
            let moved: Vec<f64> = keys_secs[1..last]
                .iter()
                .zip(&matched.events)
                .map(|(secs, event)| {
                    let position = source.position(*secs);
                    let frame = match event {
                        PhaseEvent::TakeOff(_) => (position - 1e-6).ceil(),
                        PhaseEvent::Landing(_) => (position + 1e-6).floor(),
                        _ => position.round(),
                    };
                    source.first_secs + frame * source.frame_time.secs()
                })
                .collect();
            let all: Vec<f64> = [keys_secs[0]].into_iter().chain(moved).chain([keys_secs[last]]).collect();
            // Phases shorter than a frame stay between frames.
            if all.windows(2).all(|pair| pair[1] - pair[0] > 1e-6) {
                *keys_secs = all;
            }
        }
        matched
    }
}

/// Jumps: as many flights in each.
fn one_to_one(sources: &[Source], mut jumps: Vec<Vec<Key>>) -> Result<Matched, EditingError> {
    let mut notes = Vec::new();
    if jumps.iter().any(|keys| keys.len() != jumps[0].len()) {
        // Hops before and after a jump: half as long as the longest flight or less.
        let main: Vec<Vec<Key>> = jumps.iter().map(|keys| long_flights(keys)).collect();
        if main[0].is_empty() || main.iter().any(|keys| keys.len() != main[0].len()) {
            return Err(no_common(sources, ""));
        }
        for (clip, (all, main)) in jumps.iter().zip(&main).enumerate().filter(|(_, (a, b))| a.len() != b.len()) {
            let count = (all.len() - main.len()) / 2;
            let s = if count == 1 { "" } else { "s" };
            notes.push(format!("clip {}: {count} short flight{s} left out of the phases", clip + 1));
        }
        jumps = main;
    }
    Ok(Matched { notes, ..whole(sources, &jumps, false) })
}

fn long_flights(keys: &[Key]) -> Vec<Key> {
    let flights = || keys.chunks_exact(2);
    let longest_secs = flights().map(|pair| pair[1].0 - pair[0].0).fold(0.0, f64::max);
    flights().filter(|pair| pair[1].0 - pair[0].0 > 0.5 * longest_secs).flatten().copied().collect()
}

/// From the start of each clip to its end.
pub(super) fn whole(sources: &[Source], keys: &[Vec<Key>], is_gait: bool) -> Matched {
    let keys_secs = sources.iter().zip(keys).map(|(source, keys)| {
        let inner = keys.iter().map(|key| key.0);
        std::iter::once(source.first_secs).chain(inner).chain(std::iter::once(source.last_secs())).collect()
    });
    let events: Vec<PhaseEvent> = keys[0].iter().map(|key| key.1).collect();
    Matched { kinds: kinds(&events), events, keys_secs: keys_secs.collect(), is_gait, notes: Vec::new() }
}

fn kinds(events: &[PhaseEvent]) -> Vec<PhaseKind> {
    let after = events.iter().map(|event| match event {
        PhaseEvent::TakeOff(_) => PhaseKind::Flight,
        _ => PhaseKind::Contact,
    });
    std::iter::once(PhaseKind::Contact).chain(after).collect()
}

/// Take-offs and landings of a clip, with short contacts between flights left out.
pub(super) fn flights(source: &Source, least_secs: f64, is_flight: impl Fn(&Flight) -> bool) -> Vec<(f64, f64)> {
    let found = source.contacts.flights.iter().filter(|flight| is_flight(flight));
    let mut spans: Vec<(f64, f64)> = found.map(|it| (it.start_secs, it.end_secs)).collect();
    spans.dedup_by(|next, span| {
        let joins = next.0 - span.1 < LEAST_PHASE_SECS;
        if joins {
            span.1 = next.1;
        }
        joins
    });
    let (first_secs, last_secs) = (source.first_secs + LEAST_PHASE_SECS, source.last_secs() - LEAST_PHASE_SECS);
    spans.retain(|span| span.1 - span.0 >= least_secs - 1e-9 && span.0 > first_secs && span.1 < last_secs);
    spans
}

fn jump_keys(source: &Source) -> Vec<Key> {
    let is_flight = |flight: &Flight| {
        let g = flight.fall.map(|fall| fall.g);
        flight.verdict == Verdict::Verified || g.is_some_and(|g| PLAUSIBLE_G.contains(&g))
    };
    let flights = flights(source, LEAST_JUMP_SECS, is_flight);
    flights.iter().flat_map(|it| [(it.0, PhaseEvent::TakeOff(None)), (it.1, PhaseEvent::Landing(None))]).collect()
}

/// What each clip has, whether or not the others have it.
pub(super) fn no_common(sources: &[Source], hint: &str) -> EditingError {
    let listing: Vec<String> = sources
        .iter()
        .enumerate()
        .map(|(clip, source)| {
            let keys = own_keys(source);
            let keys: Vec<String> = keys.iter().map(|(secs, event)| format!("{event} {secs:.2} s")).collect();
            let keys = if keys.is_empty() { "no flights, no steps".to_owned() } else { keys.join(", ") };
            format!("clip {} ({:.2} to {:.2} s): {keys}", clip + 1, source.first_secs, source.last_secs())
        })
        .collect();
    let hint = if hint.is_empty() { String::new() } else { format!("; {hint}") };
    EditingError::NoCommonPhases { listing: format!("{}{hint}", listing.join("; ")) }
}

/// Flights and steps as they were found for one clip, for people to see.
fn own_keys(source: &Source) -> Vec<Key> {
    let spans = flights(source, LEAST_PHASE_SECS, |flight| flight.verdict != Verdict::Doubtful);
    let mut keys: Vec<Key> = Vec::new();
    for span in &spans {
        keys.push((span.0, PhaseEvent::TakeOff(None)));
        keys.push((span.1, PhaseEvent::Landing(None)));
    }
    // A step that ends a flight is its landing.
    let is_landing =
        |secs: f64| spans.iter().any(|span| span.0 - LEAST_PHASE_SECS < secs && secs < span.1 + LEAST_PHASE_SECS);
    keys.extend(steps(source).iter().map(Touchdown::key).filter(|key| !is_landing(key.0)));
    keys.sort_by(|a, b| a.0.total_cmp(&b.0));
    keys
}
