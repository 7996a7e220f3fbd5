//! Which moment of the original shows the same as which moment of the result.

use aplomb_project::Edit;
use aplomb_project::edit::{CutEdit, Outcome, PathRecord, SpeedEdit, StepRecord, TransitionEdit};

/// Pairs (second of the original, second of the result), both rising.
type Moments = Vec<(f64, f64)>;

/// The pairs after all edits; empty where every edit left time alone.
pub(super) fn same_moments(outcome: &Outcome) -> Moments {
    let edits = &outcome.provenance.project.edits;
    if edits.iter().zip(&outcome.steps).all(|(edit, _)| edit.keeps_time()) {
        return Vec::new();
    }
    let end_secs = outcome.original.clip.duration_secs();
    let start = vec![(0.0, 0.0), (end_secs, end_secs)];
    edits.iter().zip(&outcome.steps).fold(start, |moments, (edit, step)| after_edit(moments, edit, step))
}

fn after_edit(moments: Moments, edit: &Edit, step: &StepRecord) -> Moments {
    match edit {
        Edit::Cut(CutEdit { from_secs, to_secs }) => {
            let from = from_secs.unwrap_or(0.0);
            let to = to_secs.unwrap_or(f64::INFINITY).min(from + step.duration_secs);
            between(&moments, from, to).into_iter().map(|(old, new)| (old, new - from)).collect()
        }
        Edit::Speed(SpeedEdit { factor, from_secs: None, to_secs: None, .. }) => {
            moments.into_iter().map(|(old, new)| (old, new / factor)).collect()
        }
        // An eased stretch: its ends are known, and between them a straight line is near enough to look at.
        Edit::Speed(SpeedEdit { from_secs, to_secs, .. }) => {
            let (from, last) = (from_secs.unwrap_or(0.0), moments.last().map_or(0.0, |pair| pair.1));
            let to = to_secs.unwrap_or(last);
            let later = step.duration_secs - last;
            let mut parts = between(&moments, 0.0, from);
            parts.extend(between(&moments, to, last).into_iter().map(|(old, new)| (old, new + later)));
            parts
        }
        Edit::Transition(TransitionEdit { from_secs, .. }) => between(&moments, 0.0, *from_secs),
        Edit::Path(_) => match step.path() {
            Some(record) => retimed(&moments, record),
            None => moments,
        },
        _ => moments,
    }
}

/// The moments of the original that the keys of a path edit show.
fn retimed(moments: &[(f64, f64)], record: &PathRecord) -> Moments {
    let since_secs = record.alignment.as_ref().map_or(0.0, |alignment| alignment.source_secs[0]);
    let old = |secs: f64| between(moments, secs, secs).first().map_or(secs, |pair| pair.0);
    record.speeds.iter().map(|key| (old(key.secs[0] + since_secs), key.secs[1])).collect()
}

/// The pairs whose second lies in a span, with its ends.
fn between(moments: &[(f64, f64)], from: f64, to: f64) -> Moments {
    let old_at = |new: f64| {
        let pair = moments.windows(2).find(|pair| new <= pair[1].1).or(moments.windows(2).last());
        pair.map_or(new, |pair| {
            let ((a, x), (b, y)) = (pair[0], pair[1]);
            if y > x { a + (new - x) / (y - x) * (b - a) } else { a }
        })
    };
    let last = moments.last().map_or(0.0, |pair| pair.1);
    let (from, to) = (from.max(0.0), to.min(last));
    let inside = moments.iter().copied().filter(|pair| pair.1 > from && pair.1 < to);
    std::iter::once((old_at(from), from)).chain(inside).chain(std::iter::once((old_at(to), to))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_moments_has_its_ends() {
        let all = [(0.0, 0.0), (4.0, 2.0)];
        assert_eq!(between(&all, 0.5, 1.0), [(1.0, 0.5), (2.0, 1.0)]);
        assert_eq!(between(&all, 0.0, 9.0), [(0.0, 0.0), (4.0, 2.0)]);
    }
}
