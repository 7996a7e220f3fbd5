//! Where the centre of mass has to be so that the body balances over the planned pressure point.
//!
//! For a body whose mass is at one height the moment about the pressure point p vanishes if (y″ + g)(x − p) = y x″. In
//! time that is one tridiagonal system for x. In flight y″ + g = 0 and the same row reads x″ = 0: take-off lean, flight
//! line and landing lag come out consistent without a special case. What arms and legs do to the moment is corrected
//! afterwards, with the same system.

use crate::curves::smoothed;
use crate::draft::{Draft, RATE_HZ, STEP_SECS};
use aplomb_numerics::{BandLu, BandMatrix};
use aplomb_physics::GRAVITY;
use glam::DVec3;

/// Less vertical load than this share of gravity is flight.
const FLIGHT_SHARE: f64 = 0.02;

/// Vertical force per mass, y″ + g, exactly zero in flight; gravity at both ends.
pub fn load(height_m: &[f64]) -> Vec<f64> {
    let mut load = vec![GRAVITY; height_m.len()];
    for i in 1..height_m.len().saturating_sub(1) {
        let f = (height_m[i + 1] - 2.0 * height_m[i] + height_m[i - 1]) * RATE_HZ * RATE_HZ + GRAVITY;
        load[i] = if f.abs() < FLIGHT_SHARE * GRAVITY { 0.0 } else { f };
    }
    load
}

/// The system (y″ + g) x − y x″ = right side, with x given at both ends.
pub struct Balance {
    lu: Option<BandLu>,
    pub load: Vec<f64>,
}

impl Balance {
    pub fn new(height_m: &[f64]) -> Self {
        let load = load(height_m);
        let last = height_m.len() - 1;
        let mut matrix = BandMatrix::zero(height_m.len(), 1, 1);
        matrix.add(0, 0, 1.0);
        matrix.add(last, last, 1.0);
        for i in 1..last {
            let stiffness = height_m[i] * RATE_HZ * RATE_HZ;
            matrix.add(i, i - 1, -stiffness);
            matrix.add(i, i, load[i] + 2.0 * stiffness);
            matrix.add(i, i + 1, -stiffness);
        }
        // Diagonally dominant while no load is negative: a plan that pulled at the ground would have none.
        Self { lu: BandLu::factor(&matrix).ok(), load }
    }

    /// For frames of which the last is there to be looked at only: the one before it is the last unknown.
    pub fn with_known_end(height_m: &[f64]) -> Self {
        let accelerations = load(height_m);
        let mut balance = Self::new(&height_m[..height_m.len() - 1]);
        balance.load.copy_from_slice(&accelerations[..height_m.len() - 1]);
        balance
    }

    /// Both horizontal components of the centre of mass for a pressure plan, resting on it at both ends.
    pub fn over(&self, pressure_m: &[DVec3]) -> Vec<DVec3> {
        let last = pressure_m.len() - 1;
        let scale = |i: usize| if i == 0 || i == last { 1.0 } else { self.load[i] };
        let side = |component: fn(&DVec3) -> f64| {
            pressure_m.iter().enumerate().map(|(i, p)| component(p) * scale(i)).collect()
        };
        self.solve(side(|p| p.x), side(|p| p.z))
    }

    fn solve(&self, mut x: Vec<f64>, mut z: Vec<f64>) -> Vec<DVec3> {
        if let Some(lu) = &self.lu {
            for values in [&mut x, &mut z] {
                // The length is the matrix's own.
                let _ = lu.solve(values);
            }
        }
        x.iter().zip(&z).map(|(&x, &z)| DVec3::new(x, 0.0, z)).collect()
    }
}

/// Whole-body correction: the moment that limbs and trunk leave about the planned pressure point is given back to the
/// centre of mass. `goal_m` is changed in place; the draft ends with its centre of mass there. The first and last
/// `idle` frames are left out: in cyclic clips, whose ends are cut off, the body lurches there.
pub fn correct(
    draft: &mut Draft<'_>,
    goal_m: &mut [DVec3],
    pressure_m: &[DVec3],
    (passes, idle): (usize, usize),
    sigma_secs: f64,
) {
    for _ in 0..passes {
        let height_m: Vec<f64> = goal_m.iter().map(|p| p.y).collect();
        let balance = Balance::new(&height_m);
        let frames = goal_m.len();
        let moments = draft.ground_moment();
        let is_free = |i: usize| i <= idle || i + 1 + idle >= frames || balance.load[i] == 0.0;
        let residual = |component: fn(DVec3) -> f64| -> Vec<f64> {
            let raw: Vec<f64> = (0..frames)
                .map(|i| {
                    if is_free(i) {
                        return 0.0;
                    }
                    balance.load[i] * component(pressure_m[i]) - component(moments[i].0)
                })
                .collect();
            let mut smooth = smoothed(&raw, sigma_secs, STEP_SECS);
            for (i, value) in smooth.iter_mut().enumerate() {
                if is_free(i) {
                    *value = 0.0;
                }
            }
            smooth
        };
        let shift = balance.solve(residual(|v| v.x), residual(|v| v.z));
        for (goal, shift) in goal_m.iter_mut().zip(shift) {
            *goal += shift * 0.75;
        }
        draft.put_com_at(goal_m);
    }
}
