//! The physics report of one clip: what it does to the ground, and whether a body could do it.
//!
//! [`Inspection`] is everything that `inspect`, receipts, the HTML report and the studio show. Whatever cannot be said
//! is `None`: never NaN, and never a zero that was not measured. Times are seconds from the file's first frame by the
//! clock that the analysis used ([`crate::contacts::Clock::used_hz`]). `docs/analysis/report.md` says what each number
//! means.
//!
//! The stages, in order: contacts and flights ([`crate::contacts`]); `forces` what the surroundings must do to the
//! body; `support` the polygons under it and where the force meets them; `other` what nothing known carries; `phases`;
//! then `flights`, `drift`, `transitions` and `summary` look at spans and at the whole.

mod body;
mod body_limits;
mod checks;
mod dense;
mod drift;
mod evidence;
mod flights;
mod forces;
mod moments;
mod other;
mod phases;
mod physics_moments;
mod recording;
mod resampled;
mod rows;
pub mod score;
mod summary;
mod support;
mod transitions;
mod types;
mod unexplained;

pub use body_limits::{BodyLimits, Limit};
pub use checks::joint_jumps;
pub use flights::{UNNOTICED_G, bend_m};
pub(crate) use forces::{Forces, link_paths, timeline_used};
pub use moments::{Aspect, Fault, Moment};
pub use phases::LEAST_PHASE_SECS;
pub use types::*;
pub(crate) use unexplained::unexplained_support;

use crate::contacts::{Seen, Subject};
use crate::error::AnalysisError;
use crate::posed::Posed;
use aplomb_physics::centroidal::LinkPaths;
use checks::{checks, joint_limits};
use dense::DenseSupport;
use evidence::Evidence;
use score::{Judged, score};

/// The report of a motion: contacts (or those that are stated, which always win), forces, balance, flights, and a
/// score.
///
/// A clip about which little can be said gets a report of what can be said, with warnings. Errors are options out of
/// range, a body that does not fit the skeleton, and contact files that contradict the clip.
pub(crate) fn inspect(
    subject: &Subject<'_>,
    seen: &Seen,
    required: &Required,
    options: &InspectOptions,
) -> Result<Inspection, AnalysisError> {
    options.check()?;
    let Required { paths, forces: forces_and_dense } = required;
    let traces = &seen.traces;
    let mut contacts = seen.contacts.clone();
    let forces = &forces_and_dense.0;
    let is_told = traces.even.is_some();
    let support = support::supports(&contacts, &traces.times_secs, &traces.points_m, is_told, forces, options);
    contacts.other = other::spans(&contacts, traces, forces, &support, options);
    let phases = phases::phases(&contacts, traces);
    let dense = DenseSupport::of(&contacts, traces, forces_and_dense, &support, options);
    let evidence = Evidence::gather(subject, options, &contacts, traces.clone(), &support);
    let flight_reports = flights::reports(&evidence, paths)?;
    let speeds = evidence.level_speeds()?;
    let (contact_reports, skate) = drift::reports(&evidence, &speeds);
    let transitions = transitions::transitions(&evidence, &phases);
    let series = summary::series(&evidence, forces, &support, &phases);
    let other_share = summary::other_share(&evidence);
    let posed = Posed::of_clip(subject.clip, evidence.first_frame);
    let judged_share = summary::judged_share(&evidence, forces);
    let mut checks = checks(subject, &posed, &evidence.times_secs, contacts.clock.used_hz);
    let body = body::body_faults(&evidence, &posed, &checks.intersections, &speeds);
    checks.joint_limits = joint_limits(&body);
    let judged = Judged { dense: &dense, skate: &skate, contacts: &contact_reports, flights: &flight_reports, body };
    let score = score(&evidence, judged, &posed.paths(), judged_share, other_share);
    let warnings = summary::warnings(&evidence, forces);
    let summary = summary::summary(&evidence, &series);
    Ok(Inspection {
        phases,
        contact_reports,
        flight_reports,
        transitions,
        zmp: summary.zmp,
        skate,
        penetration: summary.penetration,
        friction: summary.friction,
        balance: summary.balance,
        checks,
        score,
        other_share,
        total_mass_kg: subject.body.total_mass_kg(),
        warnings,
        series,
        contacts,
    })
}

/// Paths of the links, and the forces they need.
#[derive(Debug)]
pub(crate) struct Required {
    pub paths: LinkPaths,
    /// At the frames, and where those are far apart at the samples that contacts were found on.
    pub forces: (Forces, Option<Forces>),
}

/// What the surroundings must do to the body.
pub(crate) fn required(
    subject: &Subject<'_>,
    seen: &Seen,
    options: &InspectOptions,
) -> Result<Required, AnalysisError> {
    options.check()?;
    let Subject { clip, body, .. } = *subject;
    let paths = link_paths(clip, body, &seen.contacts)?;
    let forces = forces::forces(clip, body, &seen.contacts, &seen.traces, &paths, options)?;
    Ok(Required { paths, forces })
}

#[cfg(test)]
mod tests;
