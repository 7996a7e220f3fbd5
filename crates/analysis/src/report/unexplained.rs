//! Frames that something else carries, whatever was done to the path of the motion.
//!
//! [`super::inspect`] calls a frame `other` when the force that it needs acts far from every contact. That is right for
//! captures. A motion whose path was bent, blended or sped up needs such forces, too, because the body did not lean:
//! there it is the fault to mend. What edits of a path do shows the difference: they accelerate all of a body, slowly.
//! With that acceleration taken out a bent walk stands on its feet again; a body on a chair or on a partner
//! does not. A body that goes over the ground does not sit. A hand whose touch was not seen is found near the ground,
//! and where the force is needed.

use super::forces::Forces;
use super::phases::LEAST_PHASE_SECS;
use super::rows::rows_within;
use super::support::Support;
use super::{InspectOptions, Required, other, support};
use crate::contacts::effectors::tells_depth;
use crate::contacts::{Contact, ContactAnalysis, ContactSource, OtherReason, OtherSpan, Part, Seen, Traces, runs_of};
use crate::error::AnalysisError;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use glam::DVec3;

/// Paths are slower than steps: smoothing time of the centre of mass before its acceleration is called the path's, s.
const PATH_SECS: f64 = 1.0;
/// Shorter is no sitting, and accelerations of paths are wrong for half of [`PATH_SECS`] at the ends of a clip, s.
const LEAST_HELD_SECS: f64 = 0.5;
/// A body out of balance and slower than this does not fall, and so is held, m/s.
const HELD_SPEED: f64 = 0.3;
/// That has to last: from rest a body beside its feet is as fast within 0.2 s (15 cm beside, 0.9 m up: 1.6 m/s²),
/// s.
const LEAST_STILL_SECS: f64 = 0.2;
/// Seats stay where they are, and so do people on them: a body faster than this over the ground for most of a
/// span goes on its feet, however far they are from the curve that it was bent onto, m/s. The slowest walks
/// go at about 0.6 m/s.
const TRAVEL_SPEED: f64 = 0.5;
/// Spans that are no farther apart belong together, s.
const HELD_GAP_SECS: f64 = 0.3;
/// The same where the body keeps still, s: sitting people bend over their feet and back.
const SEAT_GAP_SECS: f64 = 0.5;
/// A hand whose palm is no farther from the ground may carry: the length of a hand, since it is not known what fingers
/// do, m.
const HAND_M: f64 = 0.2;
/// A foot this near to where it stands is on the ground for all we know: in a bent motion it slides, and no contact is
/// seen, m.
const FOOT_M: f64 = 0.05;
/// What lacks support so near to a span belongs to it: twice the time over which corrections grow at the ends of a
/// span, so that none can be whole in between, s.
const NEAR_HELD_SECS: f64 = 1.2;

/// A body longer in the air without falling is carried, or was captured wrongly: runners fly for a quarter of a
/// second at most, and a turn that goes on through their flights is held by the stances around, s.
const LEAST_DOUBT_SECS: f64 = 0.3;
/// Not so if its feet are where they stand for this share of it, and none is in the ground: a stance that was
/// missed between two flights of a run takes a third.
const MOST_ON_FOOT: f64 = 0.25;

/// Spans in which something that is not modelled carries the body: half a second and more even if its path were
/// straight and its speed even, keeping still where it would fall, or on a hand; and what lacks support beside them.
pub(crate) fn unexplained_support(
    seen: &Seen,
    required: &Required,
    options: &InspectOptions,
) -> Result<Vec<OtherSpan>, AnalysisError> {
    let Seen { contacts, traces } = seen;
    let mut forces = required.forces.0.clone();
    let is_told = traces.even.is_some();
    let under = |contacts: &ContactAnalysis, forces: &Forces| {
        support::supports(contacts, &traces.times_secs, &traces.points_m, is_told, forces, options)
    };
    let support = under(contacts, &forces);
    let lacking = other::spans(contacts, traces, &forces, &support, options);
    let mut spans = joined(lacking.clone(), SEAT_GAP_SECS);
    spans.retain(|span| still_secs(span, &traces.times_secs, &forces, &support, options) >= LEAST_STILL_SECS);
    let hands = low_hands(contacts, traces, &support, options);
    let with_hands = under(&with_contacts(contacts, &hands), &forces);
    spans.extend(hands.iter().filter_map(|hand| held_by(hand, &traces.times_secs, &support, &with_hands, options)));
    take_out_the_path(&mut forces, contacts.clock.used_hz)?;
    let support = under(contacts, &forces);
    let mut straight = joined(other::spans(contacts, traces, &forces, &support, options), HELD_GAP_SECS);
    straight.retain(|span| span.end_secs - span.start_secs >= LEAST_HELD_SECS);
    straight.retain(|span| !is_travelling(span, traces, &forces, &support, options));
    spans.extend(straight);
    spans.extend(contacts.other.iter().filter(|span| hangs(span, contacts, traces, options)).copied());
    Ok(with_what_is_near(sorted(spans), lacking))
}

fn sorted(mut spans: Vec<OtherSpan>) -> Vec<OtherSpan> {
    spans.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
    joined(spans, HELD_GAP_SECS)
}

/// Spans grow by those of `lacking` that are near, and by those near these.
fn with_what_is_near(mut spans: Vec<OtherSpan>, mut lacking: Vec<OtherSpan>) -> Vec<OtherSpan> {
    loop {
        let is_near = |it: &OtherSpan| {
            let beside_secs = |span: &OtherSpan| (span.start_secs - it.end_secs).max(it.start_secs - span.end_secs);
            spans.iter().any(|span| beside_secs(span) < NEAR_HELD_SECS)
        };
        let (near, far): (Vec<OtherSpan>, Vec<OtherSpan>) = lacking.into_iter().partition(is_near);
        if near.is_empty() {
            return spans;
        }
        spans.extend(near);
        spans.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
        spans = joined(spans, NEAR_HELD_SECS);
        lacking = far;
    }
}

/// Hands near the ground that no contact holds, as the contacts they may be.
fn low_hands(contacts: &ContactAnalysis, traces: &Traces, support: &Support, options: &InspectOptions) -> Vec<Contact> {
    let floor_m = contacts.floor_height_m.unwrap_or(0.0);
    let mut found = Vec::new();
    for (index, effector) in contacts.effectors.iter().enumerate().filter(|(_, it)| it.part == Part::Hand) {
        // Over the floor, or over what the body stands on: a step, or its other hand.
        let is_low = |(row, point_m): (usize, DVec3)| {
            let over_floor_m = options.contacts.ground.height_m(point_m) - floor_m;
            let over_support_m = support.feet[row].as_ref().map_or(over_floor_m, |foot| point_m.y - foot.height_m);
            !support.is_down[index][row] && over_floor_m.min(over_support_m) < HAND_M
        };
        let low: Vec<bool> = traces.points_m[index].iter().copied().enumerate().map(is_low).collect();
        found.extend(runs_of(&low).into_iter().map(|rows| Contact {
            effector: effector.name.clone(),
            start_secs: traces.times_secs[rows.start],
            end_secs: traces.times_secs[rows.end - 1],
            raised_m: None,
            source: ContactSource::Auto,
        }));
    }
    found
}

/// While a hand is near the ground, if with it support is no longer far away for as long as a phase is.
fn held_by(
    hand: &Contact,
    times_secs: &[f64],
    without: &Support,
    with: &Support,
    options: &InspectOptions,
) -> Option<OtherSpan> {
    let far_m = options.other_support_m;
    let helps = |row: &usize| {
        without.error_m[*row].is_some_and(|error_m| error_m >= far_m)
            && with.error_m[*row].is_some_and(|error_m| error_m < far_m)
    };
    let rows = rows_within(times_secs, hand.start_secs, hand.end_secs);
    let share = rows.clone().filter(helps).count() as f64 / rows.len().max(1) as f64;
    let Contact { start_secs, end_secs, .. } = *hand;
    let is_held = share * (end_secs - start_secs) >= LEAST_PHASE_SECS;
    is_held.then_some(OtherSpan { reason: OtherReason::FarSupport, start_secs, end_secs })
}

fn with_contacts(contacts: &ContactAnalysis, more: &[Contact]) -> ContactAnalysis {
    let mut all = contacts.clone();
    all.contacts.extend_from_slice(more);
    all
}

/// By time; those close together as one.
fn joined(mut spans: Vec<OtherSpan>, gap_secs: f64) -> Vec<OtherSpan> {
    spans.dedup_by(|next, kept| {
        let is_close = next.start_secs - kept.end_secs < gap_secs;
        if is_close {
            kept.end_secs = kept.end_secs.max(next.end_secs);
        }
        is_close
    });
    spans
}

/// How long of a span the body keeps still with its centre of mass far beside its feet: no path, however bent, makes a
/// body lie in the air.
fn still_secs(
    span: &OtherSpan,
    times_secs: &[f64],
    forces: &Forces,
    support: &Support,
    options: &InspectOptions,
) -> f64 {
    let rows = rows_within(times_secs, span.start_secs, span.end_secs);
    let mass_kg = forces.track.total_mass_kg;
    let is_still = |row: &usize| {
        let speed = forces.track.momentum[*row].linear.length() / mass_kg;
        let off_m = support.feet[*row].as_ref().map_or(0.0, |footing| footing.balance_distance_m);
        speed < HELD_SPEED && off_m >= options.other_support_m
    };
    let share = rows.clone().filter(is_still).count() as f64 / rows.len().max(1) as f64;
    share * (span.end_secs - span.start_secs)
}

/// Whether a body that lacks support goes over the ground. Tight curves turn within the time that paths are smoothed
/// over, so that taking them out leaves a part of what they need. A hanging body may well swing, but not with its
/// feet where they stand.
fn is_travelling(
    span: &OtherSpan,
    traces: &Traces,
    forces: &Forces,
    support: &Support,
    options: &InspectOptions,
) -> bool {
    let rows = rows_within(&traces.times_secs, span.start_secs, span.end_secs);
    let mass_kg = forces.track.total_mass_kg;
    let is_fast = |row: &usize| forces.track.momentum[*row].linear.with_y(0.0).length() > TRAVEL_SPEED * mass_kg;
    let stands = |effector: usize, row: usize| {
        let height_m = options.contacts.ground.height_m(traces.points_m[effector][row]);
        traces.standing_m[effector].is_some_and(|standing_m| height_m < standing_m + FOOT_M)
    };
    let is_on_foot = |row: &usize| (0..traces.points_m.len()).any(|effector| stands(effector, *row));
    let airborne: Vec<usize> = rows.clone().filter(|row| support.is_airborne[*row]).collect();
    let on_foot = airborne.iter().copied().filter(is_on_foot).count();
    2 * rows.clone().filter(is_fast).count() > rows.len()
        && (span.reason != OtherReason::DoubtfulFall || 2 * on_foot > airborne.len())
}

/// Whether a long fall that gravity does not explain happens away from where feet stand: above, or in a capture that
/// sinks into the ground.
fn hangs(span: &OtherSpan, contacts: &ContactAnalysis, traces: &Traces, options: &InspectOptions) -> bool {
    if span.reason != OtherReason::DoubtfulFall || span.end_secs - span.start_secs < LEAST_DOUBT_SECS {
        return false;
    }
    let stands = |effector: usize, row: usize| {
        let height_m = options.contacts.ground.height_m(traces.points_m[effector][row]);
        traces.standing_m[effector].is_some_and(|standing_m| (height_m - standing_m).abs() < FOOT_M)
    };
    let rows = rows_within(&traces.times_secs, span.start_secs, span.end_secs);
    let on_foot = rows.clone().filter(|row| (0..traces.points_m.len()).any(|effector| stands(effector, *row))).count();
    // Deeper below its floor than a step: heels and toes are corners of a rigid sole, and dip in good jumps, too.
    let is_sunk = |(effector, row): (usize, usize)| {
        let height_m = options.contacts.ground.height_m(traces.points_m[effector][row]);
        traces.standing_m[effector].is_some_and(|standing_m| height_m < standing_m - options.contacts.raised_m)
    };
    let tells = tells_depth(&contacts.effectors);
    let deep = (0..traces.points_m.len()).filter(|&effector| tells[effector]);
    let sinks = deep.flat_map(|effector| rows.clone().map(move |row| (effector, row))).any(is_sunk);
    sinks || (on_foot as f64) < MOST_ON_FOOT * rows.len() as f64
}

/// The force without what accelerates the whole body along the ground, slowly.
fn take_out_the_path(forces: &mut Forces, hz: f64) -> Result<(), AnalysisError> {
    if forces.track.com_in_world_m.len() < 3 || !(hz.is_finite() && hz > 0.0) {
        return Ok(());
    }
    let way_m = Gaussian::from_window_secs(PATH_SECS, hz.recip())?.smooth(&forces.track.com_in_world_m);
    let acceleration = derivative::second(&way_m, SampleTimes::uniform(hz.recip())?);
    for (force, acceleration) in forces.force_newtons.iter_mut().zip(acceleration) {
        if let Some(force) = force {
            *force -= acceleration.with_y(0.0) * forces.track.total_mass_kg;
        }
    }
    Ok(())
}
