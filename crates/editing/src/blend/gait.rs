//! Steps of walks and runs, matched foot by foot.

use super::phases::{Key, Matched, PhaseEvent, flights, whole};
use super::source::BlendSource;
use crate::EditingError;
use crate::finding::{Finding, codes};
use crate::span::{HAND_OVER_SECS, unite};
use aplomb_analysis::contacts::{Part, Verdict};
use aplomb_analysis::report::LEAST_PHASE_SECS;
use aplomb_motion::Side;

/// Touchdowns of a gait are at least so far apart, s; both feet of a jump land nearer to each other.
const LEAST_GAIT_STEP_SECS: f64 = 0.15;

/// Fewer are no gait.
const LEAST_STEPS: usize = 3;

/// A gait travels faster than this, m/s.
const LEAST_GAIT: f64 = 0.25;

/// A foot of a gait comes down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touchdown {
    secs: f64,
    side: Side,
    /// When the flight before it began, if there is one.
    take_off_secs: Option<f64>,
}

impl Touchdown {
    pub fn key(&self) -> Key {
        match self.take_off_secs {
            Some(_) => (self.secs, PhaseEvent::Landing(Some(self.side))),
            None => (self.secs, PhaseEvent::Step(self.side)),
        }
    }
}

/// Gaits: the longest run of steps with the same feet. Where all clips fly before a step, that is a flight; where only
/// some do (runners that start or turn), the step is a step.
pub(super) fn shifted(
    sources: &[BlendSource],
    gaits: &[Vec<Touchdown>],
    is_mirrored: bool,
) -> Result<Matched, EditingError> {
    let sides: Vec<Vec<Side>> = gaits.iter().map(|gait| gait.iter().map(|step| step.side).collect()).collect();
    let mirror_helps = !is_mirrored && mirror_helps(&sides);
    let Some((range, shifts)) = common_steps(&sides) else { return Err(no_common(sources, mirror_helps)) };
    let parts: Vec<std::ops::Range<usize>> =
        shifts.iter().map(|shift| (range.start + shift) as usize..(range.end + shift) as usize).collect();
    let steps = (range.end - range.start) as usize;
    let mut keys: Vec<Vec<Key>> = vec![Vec::new(); gaits.len()];
    for step in 0..steps {
        let all: Vec<&Touchdown> = gaits.iter().zip(&parts).map(|(gait, part)| &gait[part.start + step]).collect();
        let flies = all.iter().all(|touchdown| touchdown.take_off_secs.is_some());
        for (keys, touchdown) in keys.iter_mut().zip(all) {
            match touchdown.take_off_secs.filter(|_| flies) {
                Some(take_off_secs) => {
                    keys.push((take_off_secs, PhaseEvent::TakeOff(Some(touchdown.side.other()))));
                    keys.push((touchdown.secs, PhaseEvent::Landing(Some(touchdown.side))));
                }
                None => keys.push((touchdown.secs, PhaseEvent::Step(touchdown.side))),
            }
        }
    }
    let mut matched = whole(sources, &keys, true);
    crop(&mut matched, sources, gaits, &parts);
    if mirror_helps {
        matched.findings.push(Finding::of(codes::MIRROR_MATCHES_MORE).value("steps", steps));
    }
    Ok(matched)
}

/// Steps of the first clip that all clips have, two or more, and the place of its step 0 in each clip, which may be
/// negative.
fn common_steps(sides: &[Vec<Side>]) -> Option<(std::ops::Range<isize>, Vec<isize>)> {
    let shifts: Vec<isize> = sides.iter().map(|other| best_shift(&sides[0], other).0).collect();
    let mut range = 0_isize..sides[0].len() as isize;
    for (shift, other) in shifts.iter().zip(sides) {
        range = range.start.max(-shift)..range.end.min(other.len() as isize - shift);
    }
    let agree = shifts
        .iter()
        .zip(sides)
        .all(|(shift, own)| range.clone().all(|step| own[(step + shift) as usize] == sides[0][step as usize]));
    (range.end - range.start >= 2 && agree).then_some((range, shifts))
}

/// The shift with the longest overlap of equal feet, and how long it is.
fn best_shift(first: &[Side], other: &[Side]) -> (isize, usize) {
    let (own, theirs) = (first.len() as isize, other.len() as isize);
    let mut best: (isize, usize) = (0, 0);
    for shift in 1 - own..theirs {
        let overlap = 0.max(-shift)..own.min(theirs - shift);
        let same = |index: isize| first[index as usize] == other[(index + shift) as usize];
        let length = if overlap.clone().all(same) { overlap.count() } else { 0 };
        // Of equal ones, the nearest to the clips as they begin.
        if length > best.1 || (length == best.1 && length > 0 && shift.abs() < best.0.abs()) {
            best = (shift, length);
        }
    }
    best
}

/// Whether more steps would match if all clips but the first were mirrored.
fn mirror_helps(sides: &[Vec<Side>]) -> bool {
    let count = |sides: &[Vec<Side>]| common_steps(sides).map_or(0, |(range, _)| range.end - range.start);
    let turned = |(clip, own): (usize, &Vec<Side>)| -> Vec<Side> {
        own.iter().map(|side| if clip == 0 { *side } else { side.other() }).collect()
    };
    let mirrored: Vec<Vec<Side>> = sides.iter().enumerate().map(turned).collect();
    count(&mirrored) > count(sides)
}

/// Where steps of some clip were left out, all clips begin (and end) as long before their first key as the shortest of
/// them can.
fn crop(matched: &mut Matched, sources: &[BlendSource], gaits: &[Vec<Touchdown>], parts: &[std::ops::Range<usize>]) {
    let (mut before_secs, mut after_secs) = (f64::INFINITY, f64::INFINITY);
    let (mut is_cut, mut is_cut_after) = (false, false);
    for (((source, gait), part), keys_secs) in sources.iter().zip(gaits).zip(parts).zip(&matched.keys_secs) {
        let last = keys_secs.len() - 1;
        let start_secs = part.start.checked_sub(1).map_or(source.first_secs, |before| gait[before].secs);
        let end_secs = gait.get(part.end).map_or(source.last_secs(), |next| next.take_off_secs.unwrap_or(next.secs));
        (is_cut, is_cut_after) = (is_cut || part.start > 0, is_cut_after || part.end < gait.len());
        before_secs = f64::min(before_secs, keys_secs[1] - start_secs);
        after_secs = f64::min(after_secs, end_secs - keys_secs[last - 1]);
    }
    for (clip, (source, keys_secs)) in sources.iter().zip(&mut matched.keys_secs).enumerate() {
        let last = keys_secs.len() - 1;
        // Whole frames, so that a clip alone comes back.
        let on_frame = |frame: f64| source.first_secs + frame * source.frame_time.secs();
        if is_cut {
            keys_secs[0] = on_frame((source.position(keys_secs[1] - before_secs) - 1e-6).ceil());
        }
        if is_cut_after {
            keys_secs[last] = on_frame((source.position(keys_secs[last - 1] + after_secs) + 1e-6).floor());
        }
        if is_cut || is_cut_after {
            let finding = Finding::of(codes::COMMON_STEPS).value("clip", clip + 1);
            matched.findings.push(finding.at(keys_secs[0], keys_secs[last]));
        }
    }
}

/// Touchdowns of alternate feet, far enough apart, on a motion that goes somewhere; `None` if it is no gait.
pub(super) fn touchdowns(source: &BlendSource) -> Option<Vec<Touchdown>> {
    let mut steps = steps(source);
    let far_apart = steps.windows(2).all(|pair| pair[1].secs - pair[0].secs >= LEAST_GAIT_STEP_SECS);
    let (first_secs, last_secs) = (steps.first()?.secs, steps.last()?.secs);
    let way_m = (source.com_at_m(last_secs) - source.com_at_m(first_secs)).with_y(0.0).length();
    if steps.len() < LEAST_STEPS || !far_apart || way_m < LEAST_GAIT * (last_secs - first_secs) {
        return None;
    }
    // Flights of gaits are too short to be sure of their gravity.
    for flight in flights(source, LEAST_PHASE_SECS, |flight| flight.verdict != Verdict::Doubtful) {
        let landing = steps.iter_mut().find(|step| (step.secs - flight.1).abs() < HAND_OVER_SECS);
        if let Some(step) = landing {
            (step.secs, step.take_off_secs) = (flight.1, Some(flight.0));
        }
    }
    Some(steps)
}

/// Feet that come down, one after the other, gait or not.
pub(super) fn steps(source: &BlendSource) -> Vec<Touchdown> {
    let mut steps: Vec<Touchdown> = Vec::new();
    for side in Side::BOTH {
        let landed = stances(source, side);
        let is_inside = |span: &&(f64, f64)| span.0 > source.first_secs + LEAST_PHASE_SECS;
        steps.extend(landed.iter().filter(is_inside).map(|span| Touchdown { secs: span.0, side, take_off_secs: None }));
    }
    steps.sort_by(|a, b| a.secs.total_cmp(&b.secs));
    steps.dedup_by(|next, step| next.side == step.side);
    steps
}

/// When any point of a foot is down, rolling counted as one.
fn stances(source: &BlendSource, side: Side) -> Vec<(f64, f64)> {
    let contacts = &source.contacts;
    let is_of_foot = |name: &str| {
        contacts.effectors.iter().any(|effector| {
            let is_foot = matches!(effector.part, Part::Heel | Part::Ball | Part::Toe | Part::HindPaw);
            effector.name == name && effector.side == Some(side) && is_foot
        })
    };
    let mut spans: Vec<(f64, f64)> = contacts
        .contacts
        .iter()
        .filter(|contact| is_of_foot(&contact.effector))
        .map(|contact| (contact.start_secs, contact.end_secs))
        .collect();
    unite(&mut spans, HAND_OVER_SECS);
    spans
}

/// What each clip has, whether or not the others have it.
pub(super) fn no_common(sources: &[BlendSource], mirror_helps: bool) -> EditingError {
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
    EditingError::NoCommonPhases { listing: listing.join("; "), mirror_helps }
}

/// Flights and steps as they were found for one clip, for people to see.
fn own_keys(source: &BlendSource) -> Vec<Key> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_shifted_until_feet_agree() {
        let (l, r) = (Side::Left, Side::Right);
        assert_eq!(best_shift(&[l, r, l], &[r, l, r, l, r]), (1, 3));
        assert_eq!(best_shift(&[l, r, l], &[r, l, r]).1, 2);
        assert!(mirror_helps(&[vec![l, r, l], vec![r, l, r]]));
        assert!(!mirror_helps(&[vec![l, r, l], vec![l, r, l]]));
        // Mirroring turns both other clips, and one of them fits as it is: no more would match.
        assert!(!mirror_helps(&[vec![l, r, l], vec![r, l, r], vec![l, r, l]]));
    }
}
