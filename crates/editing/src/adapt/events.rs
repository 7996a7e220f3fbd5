//! When flights begin and end. Forces say it too early and too late by what they are smoothed over, heights and speeds the other way round; in
//! between, the right instants are those with which the capture has to change least to obey dynamics: equation 8, with the times of stages
//! among its unknowns.

use super::figure::Figure;
use super::initialise::{FIT_SMOOTHNESS, captured, grid_of};
use super::norm::norm;
use super::settings::Settings;
use super::solve::{Watch, solve};
use super::stages::Staged;
use crate::EditingError;
use std::collections::HashSet;

/// Instants are tried this far apart: about a frame of most captures, s.
const STEP_SECS: f64 = 0.01;
/// Another instant is taken if it makes the change smaller by this share: less says nothing.
const BETTER: f64 = 0.01;

/// One end of a flight.
#[derive(Clone, Copy)]
enum Edge {
    Takeoff,
    Landing,
}

/// The figure with flights that begin and end where dynamics agrees best with the capture, within what contacts leave open.
pub(super) fn timed(figure: Figure, watch: &mut Watch<'_>) -> Result<Figure, EditingError> {
    let mut best = figure;
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
fn lengthened(figure: &Figure, flight: usize, edge: Edge) -> Option<Vec<(f64, f64)>> {
    let mut flights = figure.flights.clone();
    let (own, edges) = (flights.get_mut(flight)?, figure.edges.get(flight)?);
    match edge {
        Edge::Takeoff => own.0 -= STEP_SECS,
        Edge::Landing => own.1 += STEP_SECS,
    }
    let is_open = own.0 >= edges.takeoff_secs[0] && own.1 <= edges.landing_secs[1];
    is_open.then_some(flights)
}

/// ‖q − q̄‖² of the first step (equation 8) on the first grid; infinite where there is none.
fn change(figure: &Figure, watch: &mut Watch<'_>) -> Result<f64, EditingError> {
    let end_secs = figure.times_secs.last().copied().unwrap_or(0.0);
    let start = captured(figure, grid_of(&figure.stands, end_secs)?)?;
    let (stands, flights) = (figure.stands.clone(), figure.flights.clone());
    let staged = Staged { trajectory: start.clone(), stands, flights, end_secs };
    let problem = Settings::of_figure(figure).problem(figure, figure.tree(), &staged, FIT_SMOOTHNESS);
    let solved = solve(&problem, start.clone(), 1, &HashSet::new(), watch)?;
    let is_step = !solved.iterations.is_empty() || solved.is_converged;
    Ok(if is_step { norm(&problem.metric, &solved.trajectory, &start) } else { f64::INFINITY })
}
