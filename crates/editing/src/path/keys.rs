//! Which keys of a path are solved for, and how the others ride along.
//!
//! A person standing still moves by tenths of a millimetre in all directions: differences of such keys have no
//! direction, and raising their lengths to some least one breaks rigid motions by centimetres
//! (docs/algorithms/path.md). So the path is solved on keys that are a few millimetres apart; the others ride on the
//! chord between their neighbours. A flight is one edge, its keys a similar copy of the original.

use super::handles::{Handle, PathFlight};
use num_complex::Complex64;
use std::ops::Range;

/// Keys nearer than this ride along, m.
const LEAST_EDGE_M: f64 = 0.004;
/// A flight with a shorter chord goes nowhere: its keys are not expressed by its chord, m.
const LEAST_FLIGHT_M: f64 = 0.05;

/// The keys that are solved for, in order, and what connects them.
#[derive(Clone, Debug)]
pub(super) struct SolvedKeys {
    /// Keys of the path.
    pub keys: Vec<usize>,
    /// From each to the next.
    pub edges: Vec<Edge>,
    /// Positions in `keys` of the handles.
    pub handles: Vec<usize>,
    /// Keys that are not solved for, flights apart.
    pub riders: Vec<Rider>,
    /// Keys that have a direction of their own: solved ones, and those of flights that go somewhere.
    pub directed: Vec<usize>,
    /// From take-off to landing, of flights that do not.
    pub on_the_spot: Vec<Range<usize>>,
}

/// The way from one solved key to the next.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub length_m: f64,
    pub flight: Option<FlightEdge>,
}

/// A flight between its first and last airborne key.
#[derive(Clone, Debug)]
pub(super) struct FlightEdge {
    /// Each key between: p = p_a + share·(p_b − p_a) + offset·(turn of the pair).
    pub inner: Vec<FlightKey>,
    /// Two handles whose direction turns the offsets of a flight on the spot; `None` where none are apart.
    pub pair: Option<(usize, usize)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FlightKey {
    pub key: usize,
    pub share: Complex64,
    pub offset_m: Complex64,
}

/// A key that rides on the edge after solved key `edge`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rider {
    pub key: usize,
    pub edge: usize,
    pub share: f64,
    pub offset_m: Complex64,
}

impl SolvedKeys {
    pub fn of(ground_m: &[Complex64], handles: &[Handle], flights: &[PathFlight]) -> Self {
        let keys = chosen(ground_m, handles, flights);
        let position = |key: usize| keys.binary_search(&key).unwrap_or(0);
        let handle_positions: Vec<usize> = handles.iter().map(|handle| position(handle.key.0)).collect();
        let mut solved = Self {
            edges: Vec::new(),
            handles: handle_positions,
            riders: Vec::new(),
            directed: Vec::new(),
            on_the_spot: Vec::new(),
            keys,
        };
        for edge in 0..solved.keys.len() - 1 {
            let (a, b) = (solved.keys[edge], solved.keys[edge + 1]);
            let chord_m = ground_m[b] - ground_m[a];
            solved.directed.push(a);
            let is_flight = flights.iter().any(|flight| flight.start.0 == a && flight.end.0 == b);
            let flight = is_flight.then(|| flight_edge(ground_m, a..b, handles));
            match &flight {
                Some(flight) if flight.pair.is_none() && chord_m.norm() >= LEAST_FLIGHT_M => {
                    solved.directed.extend(flight.inner.iter().map(|inner| inner.key));
                }
                Some(_) => solved.on_the_spot.push(a..b),
                None => solved.riders.extend((a + 1..b).map(|key| rider(ground_m, key, edge, a, chord_m))),
            }
            solved.edges.push(Edge { length_m: chord_m.norm(), flight });
        }
        solved.directed.extend(solved.keys.last());
        solved
    }

    /// Edges between a handle and the next.
    pub fn segment(&self, index: usize) -> Range<usize> {
        self.handles[index]..self.handles[index + 1]
    }
}

/// Handles, take-offs and landings always; between them keys that are far enough from the last one taken.
fn chosen(ground_m: &[Complex64], handles: &[Handle], flights: &[PathFlight]) -> Vec<usize> {
    let mut fixed: Vec<usize> = handles.iter().map(|handle| handle.key.0).collect();
    fixed.extend(flights.iter().flat_map(|flight| [flight.start.0, flight.end.0]));
    fixed.sort_unstable();
    fixed.dedup();
    let mut keys = vec![fixed[0]];
    for pair in fixed.windows(2) {
        let flies = flights.iter().any(|flight| flight.start.0 == pair[0] && flight.end.0 == pair[1]);
        let mut from = pair[0];
        for key in (pair[0] + 1..pair[1]).filter(|_| !flies) {
            let apart_m = |other: usize| (ground_m[key] - ground_m[other]).norm();
            if apart_m(from) >= LEAST_EDGE_M && apart_m(pair[1]) >= LEAST_EDGE_M {
                keys.push(key);
                from = key;
            }
        }
        keys.push(pair[1]);
    }
    keys
}

fn flight_edge(ground_m: &[Complex64], keys: Range<usize>, handles: &[Handle]) -> FlightEdge {
    let (a, b) = (ground_m[keys.start], ground_m[keys.end]);
    let travels = (b - a).norm() >= LEAST_FLIGHT_M;
    let inner = keys.start + 1..keys.end;
    let count = (inner.len() + 1) as f64;
    let inner = inner.enumerate().map(|(index, key)| {
        let along = Complex64::from((index + 1) as f64 / count);
        let share = if travels { (ground_m[key] - a) / (b - a) } else { along };
        FlightKey { key, share, offset_m: ground_m[key] - a - share * (b - a) }
    });
    let pair = if travels { None } else { nearest_pair(ground_m, keys.start, handles) };
    FlightEdge { inner: inner.collect(), pair }
}

/// The pair of handles around a key, as near in the list as possible, that are apart.
fn nearest_pair(ground_m: &[Complex64], key: usize, handles: &[Handle]) -> Option<(usize, usize)> {
    let after = handles.partition_point(|handle| handle.key.0 <= key);
    let is_apart =
        |&(a, b): &(usize, usize)| (ground_m[handles[b].key.0] - ground_m[handles[a].key.0]).norm() >= LEAST_FLIGHT_M;
    (0..handles.len())
        .map(|wider| (after.saturating_sub(1 + wider), (after + wider).min(handles.len() - 1)))
        .find(is_apart)
}

fn rider(ground_m: &[Complex64], key: usize, edge: usize, a: usize, chord_m: Complex64) -> Rider {
    let away_m = ground_m[key] - ground_m[a];
    let length_m2 = chord_m.norm_sqr();
    let share = if length_m2 > 0.0 { ((away_m * chord_m.conj()).re / length_m2).clamp(0.0, 1.0) } else { 0.0 };
    Rider { key, edge, share, offset_m: away_m - chord_m * share }
}
