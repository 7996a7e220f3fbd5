//! Frames that are carried by something we do not model (contacts.md 11).

use super::InspectOptions;
use super::forces::Forces;
use super::phases::LEAST_PHASE_SECS;
use super::rows::rows_within;
use super::support::Support;
use crate::contacts::{ContactAnalysis, OtherReason, OtherSpan, Traces};
use std::ops::Range;

/// Spans that are airborne with doubtful gravity, and spans in which the missing support is
/// [`InspectOptions::other_support_m`] or more.
///
/// Gaps shorter than [`LEAST_PHASE_SECS`] are closed and spans shorter than that are dropped: a heel strike that pulls
/// the zero-moment point away for three frames is noise, and a chair does not carry for so short a time.
pub(super) fn spans(
    contacts: &ContactAnalysis,
    traces: &Traces,
    forces: &Forces,
    support: &Support,
    options: &InspectOptions,
) -> Vec<OtherSpan> {
    let times_secs = &traces.times_secs;
    let rows = times_secs.len();
    let mut reasons: Vec<Option<OtherReason>> = (0..rows)
        .map(|row| {
            let far = support.error_m[row].is_some_and(|error_m| error_m >= options.other_support_m);
            far.then(|| match forces.load[row] {
                _ if support.feet[row].is_none() => OtherReason::DoubtfulFall,
                Some(load) if load < 0.0 => OtherReason::Pull,
                _ => OtherReason::FarSupport,
            })
        })
        .collect();
    // Without points to watch there is nothing to be far from.
    if contacts.effectors.is_empty() {
        reasons.fill(None);
    }
    extend_to_ends(&mut reasons, |row| support.error_m[row].is_some());
    for span in &contacts.other {
        reasons[rows_within(times_secs, span.start_secs, span.end_secs)].fill(Some(span.reason));
    }
    let edge_secs = |edge: usize| match edge {
        0 => times_secs[0],
        _ if edge == rows => times_secs[rows - 1],
        _ => 0.5 * (times_secs[edge - 1] + times_secs[edge]),
    };
    let mut runs = runs_of(&reasons);
    runs.dedup_by(|next, kept| {
        let is_close = edge_secs(next.start) - edge_secs(kept.end) < LEAST_PHASE_SECS;
        if is_close {
            kept.end = next.end;
        }
        is_close
    });
    runs.into_iter()
        .map(|run| OtherSpan {
            reason: most_frequent(&reasons[run.clone()]),
            start_secs: edge_secs(run.start),
            end_secs: edge_secs(run.end),
        })
        .filter(|span| span.end_secs - span.start_secs >= LEAST_PHASE_SECS)
        .collect()
}

/// The ends have no force of their own: they go with the nearest frame that has one.
fn extend_to_ends(reasons: &mut [Option<OtherReason>], is_known: impl Fn(usize) -> bool) {
    let known: Vec<usize> = (0..reasons.len()).filter(|&row| is_known(row)).collect();
    if let (Some(&first), Some(&last)) = (known.first(), known.last()) {
        let (at_first, at_last) = (reasons[first], reasons[last]);
        reasons[..first].fill(at_first);
        reasons[last..].fill(at_last);
    }
}

fn runs_of(reasons: &[Option<OtherReason>]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (row, _) in reasons.iter().enumerate().filter(|(_, reason)| reason.is_some()) {
        match runs.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => runs.push(row..row + 1),
        }
    }
    runs
}

fn most_frequent(reasons: &[Option<OtherReason>]) -> OtherReason {
    let count = |wanted: OtherReason| reasons.iter().filter(|reason| **reason == Some(wanted)).count();
    let all = [OtherReason::DoubtfulFall, OtherReason::FarSupport, OtherReason::Pull];
    all.into_iter().max_by_key(|&reason| count(reason)).unwrap_or(OtherReason::FarSupport)
}
