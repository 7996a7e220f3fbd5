//! The unknowns: control points of all coordinates, and forces of all touching points at the knots.

use super::grid::{Grid, PointWeights};
use crate::EditingError;
use glam::DVec3;

/// A trajectory with its forces.
#[derive(Clone, Debug)]
pub struct Trajectory {
    pub grid: Grid,
    /// Degrees of freedom.
    pub dofs: usize,
    /// Control points, `dofs` numbers each.
    pub controls: Vec<f64>,
    /// By touching point, then knot, in body weights, world axes. Linear between knots.
    pub forces: Vec<Vec<DVec3>>,
    /// By actuated axis, then knot, in the axis's unit. Linear between knots; empty in reduced dynamics.
    pub torques: Vec<Vec<f64>>,
}

impl Trajectory {
    /// x, ẋ and ẍ.
    pub fn sample(&self, point: &PointWeights, out: &mut [Vec<f64>; 3]) {
        for (order, numbers) in out.iter_mut().enumerate() {
            numbers.clear();
            numbers.resize(self.dofs, 0.0);
            for slot in 0..point.count {
                let weight = point.weights[order][slot];
                if weight == 0.0 {
                    continue;
                }
                let at = (point.first + slot) * self.dofs;
                let control = &self.controls[at..at + self.dofs];
                numbers.iter_mut().zip(control).for_each(|(number, control)| *number += weight * control);
            }
        }
    }

    /// x at any time.
    pub fn coordinates_at(&self, time_secs: f64) -> Vec<f64> {
        let mut out = Default::default();
        self.sample(&self.grid.at(time_secs), &mut out);
        let [x, _, _] = out;
        x
    }

    /// Force of a touching point at a time, body weights.
    pub fn force_at(&self, touch: usize, time_secs: f64) -> DVec3 {
        let (span, share) = self.grid.span_at(time_secs);
        let forces = &self.forces[touch];
        forces[span].lerp(forces[span + 1], share)
    }

    /// The same curves on knots that include the present ones.
    pub fn on_grid(&self, grid: Grid) -> Result<Self, EditingError> {
        let mut sampled = Default::default();
        let mut values = Vec::with_capacity(grid.len() * self.dofs);
        let mut ends = [Vec::new(), Vec::new()];
        for (knot, &time_secs) in grid.knots_secs.iter().enumerate() {
            self.sample(&self.grid.at(time_secs), &mut sampled);
            values.extend_from_slice(&sampled[0]);
            if knot == 0 || knot + 1 == grid.len() {
                ends[usize::from(knot > 0)].clone_from(&sampled[1]);
            }
        }
        let controls = grid.interpolate(&values, [&ends[0], &ends[1]], self.dofs)?;
        let touches = 0..self.forces.len();
        let forces = touches.map(|touch| grid.knots_secs.iter().map(|&secs| self.force_at(touch, secs)).collect());
        let torques = self.torques_on(&grid.knots_secs);
        Ok(Self { torques, forces: forces.collect(), grid, dofs: self.dofs, controls })
    }

    /// Torques at other knots.
    pub fn torques_on(&self, knots_secs: &[f64]) -> Vec<Vec<f64>> {
        let at = |own: &[f64], secs: f64| {
            let (span, share) = self.grid.span_at(secs);
            own[span] + (own[span + 1] - own[span]) * share
        };
        self.torques.iter().map(|own| knots_secs.iter().map(|&secs| at(own, secs)).collect()).collect()
    }

    /// A curve through samples of coordinates: least squares over `times_secs`, which must be dense against the knots.
    pub fn fit(
        grid: Grid,
        dofs: usize,
        times_secs: &[f64],
        samples: &[f64],
        touches: usize,
    ) -> Result<Self, EditingError> {
        use aplomb_motion::spline::{FitOptions, SplineFitter};
        let of_spline = |error: aplomb_motion::spline::SplineError| EditingError::Goals { problem: error.to_string() };
        // A thousandth of what a sample weighs, at the scale of a knot: it only fills spans that hold no sample.
        let options = FitOptions { roughness: 1e-12, ..FitOptions::default() };
        let fitter = SplineFitter::new(grid.basis.clone(), times_secs, options).map_err(of_spline)?;
        let mut controls = vec![0.0; grid.control_count() * dofs];
        let mut column = vec![0.0; times_secs.len()];
        for dof in 0..dofs {
            column.iter_mut().enumerate().for_each(|(index, value)| *value = samples[index * dofs + dof]);
            let curve = fitter.fit(&column).map_err(of_spline)?;
            for (index, control) in curve.controls().iter().enumerate() {
                controls[index * dofs + dof] = *control;
            }
        }
        let forces = vec![vec![DVec3::ZERO; grid.len()]; touches];
        Ok(Self { grid, dofs, controls, forces, torques: Vec::new() })
    }
}
