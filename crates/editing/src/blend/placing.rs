//! Where each clip is put before it is blended: over each other at the first take-off, and turned to the blended facing
//! after each flight.

use super::phases::PhaseKind;
use super::source::BlendSource;
use aplomb_motion::edit::GroundMove;
use glam::DVec3;

/// Moves of the clips, phase by phase.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placing {
    /// By phase, then clip.
    pub moves: Vec<Vec<GroundMove>>,
    pub landings: Vec<FlightFacing>,
}

/// What happened to the facing in one flight.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlightFacing {
    /// The phase that begins with it.
    pub phase: usize,
    /// How far each clip is turned from here on, rad.
    pub turned_rad: Vec<f64>,
}

impl Placing {
    /// `keys_secs` are the ends of the phases, clip by clip; `align` is the key at which clips are laid over each
    /// other.
    pub fn new(
        sources: &[BlendSource],
        kinds: &[PhaseKind],
        keys_secs: &[Vec<f64>],
        align: usize,
        weights: &[f64],
    ) -> Self {
        // The result stands at the weighted mean of where the clips stood, so that one clip alone stays where it is.
        let stands = |clip: usize| {
            let secs = keys_secs[clip][align];
            (sources[clip].heading_at_rad(secs), sources[clip].stance_at_m(secs))
        };
        let stances: Vec<(f64, DVec3)> = (0..sources.len()).map(stands).collect();
        let heading_rad: f64 = stances.iter().zip(weights).map(|(stance, weight)| stance.0 * weight).sum();
        let place_m: DVec3 = stances.iter().zip(weights).map(|(stance, weight)| stance.1 * *weight).sum();
        let onto = |stance: &(f64, DVec3)| GroundMove::turning_onto(heading_rad - stance.0, stance.1, place_m);
        let mut moves = vec![stances.iter().map(onto).collect::<Vec<_>>()];
        let mut landings = Vec::new();
        for phase in 1..kinds.len() {
            let before = moves[phase - 1].clone();
            if kinds[phase - 1] != PhaseKind::Flight {
                moves.push(before);
                continue;
            }
            // Section 6: what follows a flight is turned about the vertical to the facing that the flight ended with,
            // about the centre of mass, and that is moved to the blended one.
            let state = |clip: usize| {
                let secs = keys_secs[clip][phase];
                let by: &GroundMove = &before[clip];
                (sources[clip].heading_at_rad(secs) + by.yaw_rad, by.point_m(sources[clip].com_at_m(secs)))
            };
            let states: Vec<(f64, DVec3)> = (0..sources.len()).map(state).collect();
            let facing_rad: f64 = states.iter().zip(weights).map(|(state, weight)| state.0 * weight).sum();
            let com_m: DVec3 = states.iter().zip(weights).map(|(state, weight)| state.1 * *weight).sum();
            let turned_rad: Vec<f64> = states.iter().map(|state| facing_rad - state.0).collect();
            let after = states
                .iter()
                .zip(&before)
                .zip(&turned_rad)
                .map(|((state, by), turn_rad)| by.then(&GroundMove::turning_onto(*turn_rad, state.1, com_m)));
            moves.push(after.collect());
            landings.push(FlightFacing { phase, turned_rad });
        }
        Self { moves, landings }
    }
}
