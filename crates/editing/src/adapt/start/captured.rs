//! The capture as the solver sees it: splines on a first grid.

use super::stages::StagedTrajectory;
use crate::EditingError;
use crate::adapt::problem::{Grid, LONGEST_FLIGHT_SPAN_SECS, LONGEST_SPAN_SECS, Trajectory};
use crate::adapt::subject::{Foothold, Subject, events_secs};
use aplomb_motion::spline::NaturalSpline;

/// Samples a span at least, when a capture is fitted.
const LEAST_SAMPLES_A_SPAN: f64 = 4.0;

/// The captured motion with its footholds and flights.
pub fn captured(subject: &Subject) -> Result<StagedTrajectory, EditingError> {
    let end_secs = subject.end_secs();
    let trajectory = splines(subject, first_grid(&subject.footholds, end_secs)?)?;
    let (footholds, flights) = (subject.footholds.clone(), subject.flights.clone());
    Ok(StagedTrajectory { trajectory, footholds, flights, end_secs })
}

/// The capture as splines on a grid.
fn splines(subject: &Subject, grid: Grid) -> Result<Trajectory, EditingError> {
    let dofs = subject.coordinates.count;
    let shortest = grid.knots_secs.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let duration_secs = subject.end_secs();
    let count = (duration_secs / shortest * LEAST_SAMPLES_A_SPAN).ceil().max(8.0) as usize;
    let times_secs: Vec<f64> = (0..=count).map(|index| duration_secs * index as f64 / count as f64).collect();
    let mut samples = vec![0.0; times_secs.len() * dofs];
    for dof in 0..dofs {
        let column: Vec<f64> = subject.samples.iter().skip(dof).step_by(dofs).copied().collect();
        let curve = NaturalSpline::new(&subject.times_secs, &column)
            .map_err(|error| EditingError::Goals { problem: error.to_string() })?;
        for (index, secs) in times_secs.iter().enumerate() {
            samples[index * dofs + dof] = curve.value(*secs);
        }
    }
    Trajectory::fit(grid, dofs, &times_secs, &samples, subject.touches.len())
}

/// The first grid: knots on all events, closer in flight.
fn first_grid(footholds: &[Foothold], duration_secs: f64) -> Result<Grid, EditingError> {
    Grid::on_events(&events_secs(footholds, duration_secs), |from, to| {
        let middle = 0.5 * (from + to);
        let is_flight = footholds.iter().all(|foothold| middle < foothold.start_secs || middle > foothold.end_secs);
        if is_flight { LONGEST_FLIGHT_SPAN_SECS } else { LONGEST_SPAN_SECS }
    })
}
