//! Where and when physics is broken most: one moment a measure of the score that costs something.

use super::body::LEAST_SHOWN_COST;
use super::dense::DenseSupport;
use super::evidence::Evidence;
use super::moments::{Fault, Moment};
use super::{ContactReport, FlightReport, ScorePart};
use crate::contacts::Verdict;
use aplomb_physics::GRAVITY;

/// Frames around the worst one belong to the same moment while they are at least this share of it.
const SAME_MOMENT_SHARE: f64 = 0.5;

/// What the measures of physics are about, with the cost of each: 1/q − 1.
pub(super) fn physics_moments(
    parts: &[ScorePart],
    evidence: &Evidence<'_>,
    dense: &DenseSupport,
    contacts: &[ContactReport],
    flights: &[FlightReport],
) -> Vec<Moment> {
    let costly = parts.iter().filter(|part| 1.0 / part.quality - 1.0 > LEAST_SHOWN_COST);
    let moment = |part: &ScorePart| {
        let (fault, where_and_when) = match part.name {
            "support" => (Fault::SupportMissing, worst_sample(evidence, &dense.error_m)),
            "friction" => (Fault::FrictionHigh, worst_sample(evidence, &dense.friction_ratio)),
            "drift" => (Fault::FootSlides, worst_contact(evidence, contacts)),
            "fall" => (Fault::FallWrong, worst_flight(evidence, flights)),
            "tremor" => (Fault::BodyTrembles, None),
            "pops" => (Fault::BodyJumps, None),
            "floor" => (Fault::FloorOff, None),
            _ => (Fault::FootHovers, None),
        };
        let ends = evidence.times_secs.first().zip(evidence.times_secs.last());
        let (start_secs, end_secs) = ends.map_or((0.0, 0.0), |(first, last)| (*first, *last));
        let whole = Worst { joint: None, start_secs, end_secs, secs: start_secs, size: part.value.unwrap_or(0.0) };
        let Worst { joint, start_secs, end_secs, secs, size } = where_and_when.unwrap_or(whole);
        let cost = 1.0 / part.quality - 1.0;
        Moment { fault, joint, other: None, start_secs, end_secs, secs, size, allowance: part.allowance, cost }
    };
    costly.map(moment).collect()
}

struct Worst {
    joint: Option<String>,
    start_secs: f64,
    end_secs: f64,
    secs: f64,
    size: f64,
}

/// The largest value of the dense samples, and the stretch around it.
fn worst_sample(evidence: &Evidence<'_>, values: &[Option<f64>]) -> Option<Worst> {
    let known = values.iter().enumerate().filter_map(|(index, value)| value.map(|value| (index, value)));
    let (worst, size) = known.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let is_near = |index: &usize| values[*index].is_some_and(|value| value > SAME_MOMENT_SHARE * size);
    let first = (0..=worst).rev().take_while(is_near).last().unwrap_or(worst);
    let last = (worst..values.len()).take_while(is_near).last().unwrap_or(worst);
    let even = evidence.even.as_ref().filter(|even| even.com_m.len() == values.len());
    let secs = |index: usize| match even {
        Some(even) => even.start_secs + index as f64 * even.step_secs,
        None => evidence.times_secs.get(index).copied().unwrap_or(0.0),
    };
    Some(Worst { joint: None, start_secs: secs(first), end_secs: secs(last), secs: secs(worst), size })
}

fn worst_contact(evidence: &Evidence<'_>, reports: &[ContactReport]) -> Option<Worst> {
    let both = evidence.contacts.contacts.iter().zip(reports);
    let sliding = both.filter_map(|(contact, report)| report.drift_m.map(|drift_m| (contact, drift_m)));
    let (contact, size) = sliding.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (start_secs, end_secs) = (contact.start_secs, contact.end_secs);
    Some(Worst { joint: Some(contact.effector.clone()), start_secs, end_secs, secs: start_secs, size })
}

fn worst_flight(evidence: &Evidence<'_>, reports: &[FlightReport]) -> Option<Worst> {
    let both = evidence.contacts.flights.iter().zip(reports);
    let judged = both.filter(|(_, report)| report.verdict != Verdict::Short);
    let wrong = judged.filter_map(|(flight, report)| report.g.map(|g| (flight, (g / GRAVITY - 1.0).abs())));
    let (flight, size) = wrong.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (start_secs, end_secs) = (flight.start_secs, flight.end_secs);
    Some(Worst { joint: None, start_secs, end_secs, secs: start_secs, size })
}
