//! Which phases clips have, and which of them correspond (Safonova & Hodgins 2005, section 3).
//!
//! Physics changes where contact does, so phases end there. Jumps are matched by flight and contact alone: labels of
//! single feet agree in 2 of 14 captured pairs, flight and contact in all, and feet are interpolated, not pinned, so
//! their labels set times only. Gaits need to know which foot: their steps are matched foot by foot, and clips of
//! different length are cut to the steps they share. What neither flies nor steps is matched by where the body sinks
//! and rises.

use super::gait::{Touchdown, no_common, shifted, touchdowns};
use super::heights::by_height;
use super::phases::{Key, Matched, PhaseEvent, flights, whole};
use super::source::BlendSource;
use crate::EditingError;
use crate::finding::{Finding, codes};
use aplomb_analysis::contacts::{Flight, Verdict};

/// Flights that count, s; in gaits all that contacts know of (contacts.md 9).
const LEAST_JUMP_SECS: f64 = 0.12;

/// A flight whose fitted gravity is in this range is one, m/s².
const PLAUSIBLE_G: std::ops::RangeInclusive<f64> = 6.0..=14.0;

/// Finds the phases that all clips have.
pub(super) fn matched(sources: &[BlendSource], is_mirrored: bool) -> Result<Matched, EditingError> {
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
        return Err(no_common(sources, false));
    }
    by_height(sources).map(on_frames(sources))
}

/// Puts keys on frames: there, curves through frames and poses between frames say the same, so that a clip alone comes
/// back. Flights lose what part of a frame they share with the ground.
fn on_frames(sources: &[BlendSource]) -> impl Fn(Matched) -> Matched + '_ {
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
fn one_to_one(sources: &[BlendSource], mut jumps: Vec<Vec<Key>>) -> Result<Matched, EditingError> {
    let mut findings = Vec::new();
    if jumps.iter().any(|keys| keys.len() != jumps[0].len()) {
        // Hops before and after a jump: half as long as the longest flight or less.
        let main: Vec<Vec<Key>> = jumps.iter().map(|keys| long_flights(keys)).collect();
        if main[0].is_empty() || main.iter().any(|keys| keys.len() != main[0].len()) {
            return Err(no_common(sources, false));
        }
        for (clip, (all, main)) in jumps.iter().zip(&main).enumerate().filter(|(_, (a, b))| a.len() != b.len()) {
            let count = (all.len() - main.len()) / 2;
            findings.push(Finding::of(codes::SHORT_FLIGHTS_LEFT).value("clip", clip + 1).value("flights", count));
        }
        jumps = main;
    }
    Ok(Matched { findings, ..whole(sources, &jumps, false) })
}

fn long_flights(keys: &[Key]) -> Vec<Key> {
    let flights = || keys.chunks_exact(2);
    let longest_secs = flights().map(|pair| pair[1].0 - pair[0].0).fold(0.0, f64::max);
    flights().filter(|pair| pair[1].0 - pair[0].0 > 0.5 * longest_secs).flatten().copied().collect()
}

fn jump_keys(source: &BlendSource) -> Vec<Key> {
    let is_flight = |flight: &Flight| {
        let g = flight.fall.map(|fall| fall.g);
        flight.verdict == Verdict::Verified || g.is_some_and(|g| PLAUSIBLE_G.contains(&g))
    };
    let flights = flights(source, LEAST_JUMP_SECS, is_flight);
    flights.iter().flat_map(|it| [(it.0, PhaseEvent::TakeOff(None)), (it.1, PhaseEvent::Landing(None))]).collect()
}
