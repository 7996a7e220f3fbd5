//! Which rows lie in spans of time.

use crate::contacts::{ContactAnalysis, Verdict};
use std::ops::Range;

/// Rows from one time to another, both included.
pub(super) fn rows_within(times_secs: &[f64], start_secs: f64, end_secs: f64) -> Range<usize> {
    let start = times_secs.partition_point(|&secs| secs < start_secs);
    let end = times_secs.partition_point(|&secs| secs <= end_secs);
    start..end.max(start)
}

/// Whether each row lies in one of the spans.
pub(super) fn rows_in_spans(times_secs: &[f64], spans: impl Iterator<Item = (f64, f64)>) -> Vec<bool> {
    let mut is_within = vec![false; times_secs.len()];
    for (start_secs, end_secs) in spans {
        is_within[rows_within(times_secs, start_secs, end_secs)].fill(true);
    }
    is_within
}

/// Rows within a verified or short flight.
pub(super) fn is_flight(contacts: &ContactAnalysis, times_secs: &[f64]) -> Vec<bool> {
    let flights = contacts.flights.iter().filter(|flight| flight.verdict != Verdict::Doubtful);
    rows_in_spans(times_secs, flights.map(|flight| (flight.start_secs, flight.end_secs)))
}
