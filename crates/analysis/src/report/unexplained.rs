//! Frames that something else carries, whatever was done to the path of the motion.
//!
//! [`super::inspect`] calls a frame `other` when the force that it needs acts far from every contact. That is right for captures. A motion
//! whose path was bent, blended or sped up needs such forces, too, because nobody leaned: there it is the fault to mend. Both are told apart by what edits of a
//! path do to a body: they accelerate all of it, slowly. With that acceleration taken out a bent walk stands on its feet again; who sits
//! on a chair, hangs on a partner or stands on a hand that was not seen does not. Nor does who goes over the ground sit.

use super::evidence::rows_within;
use super::forces::Forces;
use super::support::Support;
use super::{InspectOptions, forces, other, support};
use crate::contacts::{self, ContactFile, OtherReason, OtherSpan};
use crate::error::AnalysisError;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{Clip, Roles};
use aplomb_physics::Body;

/// Paths are slower than steps: smoothing time of the centre of mass before its acceleration is called the path's, s.
const PATH_SECS: f64 = 1.0;
/// Nobody sits down for less, and accelerations of paths are wrong for half of [`PATH_SECS`] at the ends of a clip, s.
const LEAST_SECS: f64 = 0.5;
/// Who is out of balance and slower than this does not fall, and so is held, m/s …
const STILL_SPEED: f64 = 0.3;
/// … if it lasts: from rest a body beside its feet reaches that speed within 0.2 s (15 cm beside, 0.9 m up: 1.6 m/s²), s.
const LEAST_STILL_SECS: f64 = 0.2;
/// Seats stay where they are, and so do those who sit on them: who goes faster than this over the ground for most of a span goes on his feet,
/// however far outside they are of the curve that somebody bent him onto, m/s. The slowest walks go at about 0.6 m/s.
const TRAVEL_SPEED: f64 = 0.5;
/// Spans that are no farther apart belong together, s, …
const GAP_SECS: f64 = 0.3;
/// … and where the body keeps still: who sits bends over his feet and back.
const SEAT_GAP_SECS: f64 = 0.5;

/// Spans in which something that is not modelled carries the body: half a second and more even if its path were straight and its speed even, or
/// keeping still where it would fall.
pub fn unexplained_support(
    clip: &Clip,
    roles: &Roles,
    body: &Body,
    given: Option<&ContactFile>,
    options: &InspectOptions,
) -> Result<Vec<OtherSpan>, AnalysisError> {
    options.check()?;
    let (contacts, traces) = contacts::analyse(clip, roles, body, given, &options.contacts)?;
    let paths = forces::link_paths(clip, body, &contacts)?;
    let (mut forces, _) = forces::forces(clip, body, &contacts, &traces, &paths, options)?;
    let is_told = traces.even.is_some();
    let under =
        |forces: &Forces| support::supports(&contacts, &traces.times_secs, &traces.points_m, is_told, forces, options);
    let support = under(&forces);
    let mut spans = joined(other::spans(&contacts, &traces, &forces, &support, options), SEAT_GAP_SECS);
    spans.retain(|span| still_secs(span, &traces.times_secs, &forces, &support, options) >= LEAST_STILL_SECS);
    take_out_the_path(&mut forces, contacts.clock.used_hz)?;
    let support = under(&forces);
    let mut straight = joined(other::spans(&contacts, &traces, &forces, &support, options), GAP_SECS);
    straight.retain(|span| span.end_secs - span.start_secs >= LEAST_SECS);
    straight.retain(|span| !is_travelling(span, &traces.times_secs, &forces));
    spans.extend(straight);
    spans.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
    Ok(joined(spans, GAP_SECS))
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

/// How long of a span the body keeps still with its centre of mass far beside its feet: no path, however bent, makes a body lie in the air.
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
        speed < STILL_SPEED && off_m >= options.other_support_m
    };
    let share = rows.clone().filter(is_still).count() as f64 / rows.len().max(1) as f64;
    share * (span.end_secs - span.start_secs)
}

/// Whether a body that lacks support goes over the ground. Tight curves turn within the time that paths are smoothed over, so that taking them
/// out leaves a part of what they need. Who hangs in the air may well swing: that is no matter of curves.
fn is_travelling(span: &OtherSpan, times_secs: &[f64], forces: &Forces) -> bool {
    let rows = rows_within(times_secs, span.start_secs, span.end_secs);
    let mass_kg = forces.track.total_mass_kg;
    let is_fast = |row: &usize| forces.track.momentum[*row].linear.with_y(0.0).length() > TRAVEL_SPEED * mass_kg;
    span.reason != OtherReason::DoubtfulFall && 2 * rows.clone().filter(is_fast).count() > rows.len()
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
