//! What carries the body, and from when to when.

use super::{Phase, PhaseKind};
use crate::contacts::{ContactAnalysis, Traces};
use aplomb_motion::Side;

/// Shorter phases are given to a neighbour (contacts.md 9), s. Blends match phases of the same least length.
pub const LEAST_PHASE_SECS: f64 = 0.06;

/// Phases from the motion's first frame to its last, without gaps; none for fewer than two frames.
///
/// `other` spans win; else the sides of the points that are down count, and where none is down the body flies. Edges
/// are those of the contacts, not of frames.
pub(super) fn phases(contacts: &ContactAnalysis, traces: &Traces) -> Vec<Phase> {
    let (Some(&start_secs), Some(&end_secs)) = (traces.times_secs.first(), traces.times_secs.last()) else {
        return Vec::new();
    };
    if start_secs >= end_secs {
        return Vec::new();
    }
    // It is not known what carries it.
    if contacts.effectors.is_empty() || traces.even.is_none() {
        return vec![Phase { kind: PhaseKind::Other, start_secs, end_secs }];
    }
    let spans = Spans::of(contacts);
    let mut edges_secs: Vec<f64> = vec![start_secs, end_secs];
    edges_secs.extend(spans.all().flat_map(|&(start, end)| [start, end]));
    edges_secs.retain(|secs| (start_secs..=end_secs).contains(secs));
    edges_secs.sort_by(f64::total_cmp);
    edges_secs.dedup();
    let mut phases: Vec<Phase> = Vec::new();
    for edge in edges_secs.windows(2) {
        let kind = spans.kind_at(0.5 * (edge[0] + edge[1]));
        push(&mut phases, Phase { kind, start_secs: edge[0], end_secs: edge[1] });
    }
    merge_short(&mut phases);
    phases
}

type SecsSpan = (f64, f64);

/// Everything that makes a phase, by side.
struct Spans {
    other: Vec<SecsSpan>,
    left: Vec<SecsSpan>,
    right: Vec<SecsSpan>,
    no_side: Vec<SecsSpan>,
}

impl Spans {
    fn of(contacts: &ContactAnalysis) -> Self {
        let of_side = |side: Option<Side>| {
            let effectors = contacts.effectors.iter().filter(|effector| effector.side == side);
            let spans = effectors.flat_map(|effector| contacts.contacts_of(&effector.name));
            joined(spans.map(|contact| (contact.start_secs, contact.end_secs)).collect())
        };
        Self {
            other: joined(contacts.other.iter().map(|span| (span.start_secs, span.end_secs)).collect()),
            left: of_side(Some(Side::Left)),
            right: of_side(Some(Side::Right)),
            no_side: of_side(None),
        }
    }

    fn all(&self) -> impl Iterator<Item = &SecsSpan> {
        self.other.iter().chain(&self.left).chain(&self.right).chain(&self.no_side)
    }

    fn kind_at(&self, secs: f64) -> PhaseKind {
        let within = |spans: &[SecsSpan]| {
            let next = spans.partition_point(|span| span.0 <= secs);
            next.checked_sub(1).is_some_and(|index| secs <= spans[index].1)
        };
        match (within(&self.left), within(&self.right)) {
            _ if within(&self.other) => PhaseKind::Other,
            (true, true) => PhaseKind::Double,
            (true, false) => PhaseKind::Left,
            (false, true) => PhaseKind::Right,
            (false, false) if within(&self.no_side) => PhaseKind::Other,
            (false, false) => PhaseKind::Flight,
        }
    }
}

/// By time, overlapping ones as one.
fn joined(mut spans: Vec<SecsSpan>) -> Vec<SecsSpan> {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut joined: Vec<SecsSpan> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.0 <= last.1 => last.1 = last.1.max(span.1),
            _ => joined.push(span),
        }
    }
    joined
}

fn push(phases: &mut Vec<Phase>, phase: Phase) {
    match phases.last_mut() {
        Some(last) if last.kind == phase.kind => last.end_secs = phase.end_secs,
        _ => phases.push(phase),
    }
}

/// Gives the shortest phase to its longer neighbour until none is too short, so that no chain of flickers survives by
/// its order.
///
/// A flight takes nothing: its edges are those of the list of flights, and something touches the ground right before it
/// and after. So a short touch between two flights stays.
fn merge_short(phases: &mut Vec<Phase>) {
    let secs = |phase: &Phase| phase.end_secs - phase.start_secs;
    let takes = |phases: &[Phase], index: usize, other: usize| {
        let (short, other) = (phases.get(index)?, phases.get(other)?);
        (other.kind != PhaseKind::Flight || short.kind == PhaseKind::Flight).then(|| secs(other))
    };
    while phases.len() > 1 {
        let neighbours = |index: usize| {
            let before = index.checked_sub(1).and_then(|before| takes(phases, index, before));
            (before, takes(phases, index, index + 1))
        };
        // Edges are sums of sample steps: 0.06 s must not hang on the last bit.
        let is_short = |index: &usize| secs(&phases[*index]) < LEAST_PHASE_SECS - 1e-9;
        let mergeable = (0..phases.len()).filter(is_short).filter(|&index| neighbours(index) != (None, None));
        let Some(index) = mergeable.min_by(|&a, &b| secs(&phases[a]).total_cmp(&secs(&phases[b]))) else { return };
        let takes_before = match neighbours(index) {
            (Some(before), Some(after)) => before >= after,
            (before, _) => before.is_some(),
        };
        phases[index].kind = phases[if takes_before { index - 1 } else { index + 1 }].kind;
        let mut merged: Vec<Phase> = Vec::with_capacity(phases.len());
        phases.drain(..).for_each(|phase| push(&mut merged, phase));
        *phases = merged;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phases(kinds: &[(PhaseKind, f64)]) -> Vec<Phase> {
        let mut start_secs = 0.0;
        let mut phases = Vec::new();
        for &(kind, secs) in kinds {
            phases.push(Phase { kind, start_secs, end_secs: start_secs + secs });
            start_secs += secs;
        }
        phases
    }

    fn merged(kinds: &[(PhaseKind, f64)]) -> Vec<(PhaseKind, f64)> {
        let mut phases = phases(kinds);
        merge_short(&mut phases);
        assert!(phases.windows(2).all(|pair| pair[0].end_secs == pair[1].start_secs && pair[0].kind != pair[1].kind));
        phases
            .iter()
            .map(|phase| (phase.kind, (1000.0 * (phase.end_secs - phase.start_secs)).round() / 1000.0))
            .collect()
    }

    #[test]
    fn flickers_vanish_and_real_phases_stay() {
        use PhaseKind::{Double, Flight, Left, Right};
        assert_eq!(merged(&[(Left, 0.4), (Double, 0.02), (Left, 0.3)]), vec![(Left, 0.72)]);
        assert_eq!(
            merged(&[(Left, 0.4), (Double, 0.06), (Right, 0.3)]),
            vec![(Left, 0.4), (Double, 0.06), (Right, 0.3)]
        );
        assert_eq!(merged(&[(Left, 0.4), (Double, 0.05), (Right, 0.3)]), vec![(Left, 0.45), (Right, 0.3)]);
        assert_eq!(merged(&[(Flight, 0.01), (Left, 0.3), (Double, 0.03)]), vec![(Left, 0.34)]);
        // A flight keeps its edges: what is short beside it goes to the other side, and a touch between two flights
        // stays.
        assert_eq!(
            merged(&[(Left, 0.2), (Double, 0.05), (Flight, 0.4), (Right, 0.05), (Double, 0.3)]),
            vec![(Left, 0.25), (Flight, 0.4), (Double, 0.35)]
        );
        let bounce = [(Flight, 0.4), (Left, 0.03), (Flight, 0.3)];
        assert_eq!(merged(&bounce), bounce);
        // A short clip is one phase however short it is.
        assert_eq!(merged(&[(Flight, 0.01), (Left, 0.02)]), vec![(Left, 0.03)]);
    }
}
