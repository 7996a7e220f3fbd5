//! What phases are, and which flights of a clip end them.

use super::source::BlendSource;
use crate::finding::Finding;
use aplomb_analysis::contacts::Flight;
use aplomb_analysis::report::LEAST_PHASE_SECS;
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
    pub findings: Vec<Finding>,
}

pub(super) type Key = (f64, PhaseEvent);

/// From the start of each clip to its end.
pub(super) fn whole(sources: &[BlendSource], keys: &[Vec<Key>], is_gait: bool) -> Matched {
    let keys_secs = sources.iter().zip(keys).map(|(source, keys)| {
        let inner = keys.iter().map(|key| key.0);
        std::iter::once(source.first_secs).chain(inner).chain(std::iter::once(source.last_secs())).collect()
    });
    let events: Vec<PhaseEvent> = keys[0].iter().map(|key| key.1).collect();
    Matched { kinds: kinds(&events), events, keys_secs: keys_secs.collect(), is_gait, findings: Vec::new() }
}

fn kinds(events: &[PhaseEvent]) -> Vec<PhaseKind> {
    let after = events.iter().map(|event| match event {
        PhaseEvent::TakeOff(_) => PhaseKind::Flight,
        _ => PhaseKind::Contact,
    });
    std::iter::once(PhaseKind::Contact).chain(after).collect()
}

/// Take-offs and landings of a clip, with short contacts between flights left out.
pub(super) fn flights(source: &BlendSource, least_secs: f64, is_flight: impl Fn(&Flight) -> bool) -> Vec<(f64, f64)> {
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
