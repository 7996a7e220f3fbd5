//! When flights begin and end. Forces say it too early and too late by what they are smoothed over, heights and speeds
//! the other way round; in between, the right instants are those with which the capture has to change least to obey
//! dynamics: equation 8, with the times of stages among its unknowns.

use super::step::{Watch, solve};
use crate::EditingError;
use crate::adapt::problem::{Constraints, FIT_SMOOTHNESS, norm};
use crate::adapt::start::captured;
use crate::adapt::subject::Subject;
use std::collections::HashSet;

/// Instants are tried this far apart: about a frame of most captures, s.
const EDGE_STEP_SECS: f64 = 0.01;
/// Another instant is taken if it makes the change smaller by this share: less says nothing.
const BETTER: f64 = 0.01;

/// One end of a flight.
#[derive(Clone, Copy)]
enum Edge {
    Takeoff,
    Landing,
}

/// The subject with flights that begin and end where dynamics agrees best with the capture, within what contacts leave
/// open.
pub fn timed(subject: Subject, watch: &mut Watch<'_>) -> Result<Subject, EditingError> {
    let mut best = subject;
    if best
        .edges
        .iter()
        .all(|own| own.takeoff_secs[0] == own.takeoff_secs[1] && own.landing_secs[0] == own.landing_secs[1])
    {
        return Ok(best);
    }
    let mut least = change(&best, watch)?;
    for flight in 0..best.flights.len() {
        for edge in [Edge::Landing, Edge::Takeoff] {
            while let Some(flights) = lengthened(&best, flight, edge) {
                // Contacts that cannot be had with these flights are no better ones.
                let Ok(other) = best.with_flights(flights) else { break };
                let found = change(&other, watch)?;
                if found.is_nan() || found > (1.0 - BETTER) * least {
                    break;
                }
                (best, least) = (other, found);
            }
        }
    }
    Ok(best)
}

/// A flight that lasts a step longer at one end; `None` where contacts say no.
fn lengthened(subject: &Subject, flight: usize, edge: Edge) -> Option<Vec<(f64, f64)>> {
    let mut flights = subject.flights.clone();
    let (own, edges) = (flights.get_mut(flight)?, subject.edges.get(flight)?);
    match edge {
        Edge::Takeoff => own.0 -= EDGE_STEP_SECS,
        Edge::Landing => own.1 += EDGE_STEP_SECS,
    }
    let is_open = own.0 >= edges.takeoff_secs[0] && own.1 <= edges.landing_secs[1];
    is_open.then_some(flights)
}

/// ‖q − q̄‖² of the first step (equation 8) on the first grid; infinite where there is none.
fn change(subject: &Subject, watch: &mut Watch<'_>) -> Result<f64, EditingError> {
    let staged = captured(subject)?;
    let constraints = Constraints::of_subject(subject);
    let problem = staged.problem(subject, subject.tree(), &constraints, FIT_SMOOTHNESS);
    let solved = solve(&problem, staged.trajectory.clone(), 1, &HashSet::new(), watch)?;
    let is_step = !solved.iterations.is_empty() || solved.status.is_met();
    Ok(if is_step { norm(&problem.metric, &solved.trajectory, &staged.trajectory) } else { f64::INFINITY })
}
