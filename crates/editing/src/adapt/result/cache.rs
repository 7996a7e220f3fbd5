//! A fit as bytes, for a cache: what the solver found. Everything else is made again from the clip, and what was found
//! is judged again, so that bytes from anywhere can do no harm.

use crate::adapt::problem::{Grid, Trajectory};
use crate::adapt::subject::{FlightEdges, Subject};
use glam::DVec3;
use std::collections::HashSet;

/// Layout of the bytes, and what the solver does: to be raised with every change of either.
const MAGIC: &[u8; 8] = b"aplfit\x00\x03";

/// Knots, coordinates, points and rounds of any fit that is no nonsense.
const MOST: usize = 1 << 20;

/// What is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredFit {
    flights: Vec<(f64, f64)>,
    knots_secs: Vec<f64>,
    dofs: usize,
    controls: Vec<f64>,
    forces: Vec<Vec<DVec3>>,
    active: Vec<u64>,
    /// Iterations of each round.
    pub rounds: Vec<usize>,
}

impl StoredFit {
    pub fn of(flights: &[(f64, f64)], trajectory: &Trajectory, active: &HashSet<u64>, rounds: &[usize]) -> Self {
        let mut active: Vec<u64> = active.iter().copied().collect();
        active.sort_unstable();
        Self {
            flights: flights.to_vec(),
            knots_secs: trajectory.grid.knots_secs.clone(),
            dofs: trajectory.dofs,
            controls: trajectory.controls.clone(),
            forces: trajectory.forces.clone(),
            active,
            rounds: rounds.to_vec(),
        }
    }

    /// The subject with these flights; `None` if its contacts do not allow them.
    pub fn subject(&self, subject: &Subject) -> Option<Subject> {
        let is_open = |(own, edges): (&(f64, f64), &FlightEdges)| {
            (edges.takeoff_secs[0]..=edges.takeoff_secs[1]).contains(&own.0)
                && (edges.landing_secs[0]..=edges.landing_secs[1]).contains(&own.1)
        };
        let are_open =
            self.flights.len() == subject.edges.len() && self.flights.iter().zip(&subject.edges).all(is_open);
        are_open.then(|| subject.with_flights(self.flights.clone()).ok()).flatten()
    }

    /// The motion, and rows that were active; `None` if it is not one of this subject.
    pub fn trajectory(&self, subject: &Subject) -> Option<(Trajectory, HashSet<u64>)> {
        let fits = self.dofs == subject.coordinates.count && self.forces.len() == subject.touches.len();
        let grid = Grid::new(self.knots_secs.clone()).ok().filter(|_| fits)?;
        let (controls, forces) = (self.controls.clone(), self.forces.clone());
        (controls.len() == grid.control_count() * self.dofs).then(|| {
            let trajectory = Trajectory { grid, dofs: self.dofs, controls, forces, torques: Vec::new() };
            (trajectory, self.active.iter().copied().collect())
        })
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let (knots, touches) = (self.knots_secs.len(), self.forces.len());
        let counts = [self.flights.len(), knots, self.dofs, touches, self.active.len(), self.rounds.len()];
        bytes.extend(counts.iter().flat_map(|count| (*count as u64).to_le_bytes()));
        let flights = self.flights.iter().flat_map(|(from, to)| [from, to]);
        bytes.extend(flights.chain(&self.knots_secs).chain(&self.controls).flat_map(|number| number.to_le_bytes()));
        for force in self.forces.iter().flatten() {
            bytes.extend(force.to_array().iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(self.active.iter().flat_map(|id| id.to_le_bytes()));
        bytes.extend(self.rounds.iter().flat_map(|count| (*count as u64).to_le_bytes()));
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let mut words = rest.chunks_exact(8).map(|word| u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|i| word[i])));
        let mut count = || words.next().and_then(|count| usize::try_from(count).ok()).filter(|count| *count <= MOST);
        let [flights, knots, dofs] = [count()?, count()?, count()?];
        let [touches, active, rounds] = [count()?, count()?, count()?];
        // A cubic spline has two control points more than knots.
        let controls = knots.checked_add(2)?.checked_mul(dofs)?;
        let forces = knots.checked_mul(touches)?.checked_mul(3)?;
        let all = [6, flights.checked_mul(2)?, knots, controls, forces, active, rounds];
        let all = all.into_iter().try_fold(0_usize, usize::checked_add)?;
        if rest.len() != all.checked_mul(8)? {
            return None;
        }
        let mut numbers = |count: usize| -> Option<Vec<f64>> {
            let numbers: Vec<f64> = words.by_ref().take(count).map(f64::from_bits).collect();
            numbers.iter().all(|number| number.is_finite()).then_some(numbers)
        };
        let flights = numbers(2 * flights)?.chunks_exact(2).map(|edges| (edges[0], edges[1])).collect();
        let (knots_secs, controls, forces) = (numbers(knots)?, numbers(controls)?, numbers(forces)?);
        let active = words.by_ref().take(active).collect();
        let rounds = words.map(|count| usize::try_from(count).ok()).collect::<Option<Vec<usize>>>()?;
        let is_rising = knots > 1 && knots_secs.windows(2).all(|pair| pair[0] < pair[1]);
        let forces =
            forces.chunks_exact((3 * knots).max(1)).map(|own| own.chunks_exact(3).map(DVec3::from_slice).collect());
        is_rising.then(|| Self { dofs, controls, forces: forces.collect(), active, rounds, flights, knots_secs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored() -> StoredFit {
        StoredFit {
            flights: vec![(0.05, 0.2)],
            knots_secs: vec![0.0, 0.1, 0.25],
            dofs: 2,
            controls: (0..10).map(f64::from).collect(),
            forces: vec![vec![DVec3::X; 3], vec![DVec3::new(0.1, -0.0, 3e-300); 3]],
            active: vec![7, u64::MAX],
            rounds: vec![3, 1],
        }
    }

    #[test]
    fn bytes_come_back_bit_by_bit() {
        assert_eq!(StoredFit::from_bytes(&stored().to_bytes()), Some(stored()));
    }

    #[test]
    fn bytes_that_are_no_fit_are_none() {
        let bytes = stored().to_bytes();
        for cut in 0..bytes.len() {
            assert_eq!(StoredFit::from_bytes(&bytes[..cut]), None, "cut at {cut}");
        }
        let with = |at: usize, word: u64| {
            let mut bytes = bytes.clone();
            bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
            bytes
        };
        for at in (8..56).step_by(8) {
            assert_eq!(StoredFit::from_bytes(&with(at, u64::MAX)), None);
            assert_eq!(StoredFit::from_bytes(&with(at, 1 << 40)), None);
        }
        assert_eq!(StoredFit::from_bytes(&with(80, f64::NAN.to_bits())), None);
        assert_eq!(StoredFit::from_bytes(&with(80, 0.5_f64.to_bits())), None, "knots that fall");
    }
}
