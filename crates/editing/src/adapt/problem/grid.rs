//! Time: knots of the cubic splines, which are also the points at which the constraints are met.
//!
//! Knots lie on every contact event, so that acceleration and force, both of which bend there, are about linear between
//! points.

use crate::EditingError;
use aplomb_motion::spline::{BasisWeights, CubicBasis, KnotBasis};

/// Spans between knots at the start, s.
pub const LONGEST_SPAN_SECS: f64 = 0.05;
/// In flight, where angular momentum has to be kept to a few parts in a hundred, s.
pub const LONGEST_FLIGHT_SPAN_SECS: f64 = 0.025;

/// Weights of control points in value and derivatives at one time.
#[derive(Clone, Copy, Debug)]
pub struct PointWeights {
    pub time_secs: f64,
    /// First control point.
    pub first: usize,
    /// How many: three at a knot, four between.
    pub count: usize,
    /// Of value, first and second derivative.
    pub weights: [[f64; 4]; 3],
}

/// Knots with their basis.
#[derive(Clone, Debug)]
pub struct Grid {
    pub knots_secs: Vec<f64>,
    pub basis: KnotBasis,
    /// One a knot.
    pub at_knots: Vec<PointWeights>,
}

impl Grid {
    /// Rising times, three or more.
    pub fn new(knots_secs: Vec<f64>) -> Result<Self, EditingError> {
        let basis =
            KnotBasis::clamped(&knots_secs).map_err(|error| EditingError::Goals { problem: error.to_string() })?;
        let at_knots = (0..knots_secs.len()).map(|knot| at_knot(&basis, knot, knots_secs[knot])).collect();
        Ok(Self { knots_secs, basis, at_knots })
    }

    /// Events as knots, and as many between them as keep spans at what `longest_secs` says of two neighbours, or less.
    pub fn on_events(events_secs: &[f64], longest_secs: impl Fn(f64, f64) -> f64) -> Result<Self, EditingError> {
        let mut knots = Vec::new();
        for pair in events_secs.windows(2) {
            let pieces = ((pair[1] - pair[0]) / longest_secs(pair[0], pair[1]) - 1e-9).ceil().max(1.0);
            let piece = |index: usize| pair[0] + (pair[1] - pair[0]) * index as f64 / pieces;
            knots.extend((0..pieces as usize).map(piece));
        }
        knots.extend(events_secs.last());
        Self::new(knots)
    }

    pub fn len(&self) -> usize {
        self.knots_secs.len()
    }

    pub fn control_count(&self) -> usize {
        self.knots_secs.len() + 2
    }

    /// At any time.
    pub fn at(&self, time_secs: f64) -> PointWeights {
        let BasisWeights { first_control, value, first_derivative, second_derivative } =
            self.basis.weights_at(time_secs);
        let weights = [value, first_derivative, second_derivative];
        PointWeights { time_secs, first: first_control, count: 4, weights }
    }

    /// Half the spans on both sides: what a knot stands for in an integral.
    pub fn share_secs(&self, knot: usize) -> f64 {
        let before = knot.checked_sub(1).map_or(0.0, |before| self.knots_secs[knot] - self.knots_secs[before]);
        let after = self.knots_secs.get(knot + 1).map_or(0.0, |after| after - self.knots_secs[knot]);
        0.5 * (before + after)
    }

    /// The span a time lies in, and how far.
    pub fn span_at(&self, time_secs: f64) -> (usize, f64) {
        let last = self.knots_secs.len() - 2;
        let span = self.knots_secs[1..=last].partition_point(|knot| *knot <= time_secs);
        let (from, to) = (self.knots_secs[span], self.knots_secs[span + 1]);
        (span, ((time_secs - from) / (to - from)).clamp(0.0, 1.0))
    }

    /// The knot at a time.
    pub fn knot_at(&self, time_secs: f64) -> usize {
        let near = |knot: &usize| (self.knots_secs[*knot] - time_secs).abs();
        (0..self.len()).min_by(|a, b| near(a).total_cmp(&near(b))).unwrap_or(0)
    }

    /// Control points of the curve through values at all knots with given slopes at both ends; `columns` curves side by
    /// side.
    pub fn interpolate(&self, values: &[f64], slopes: [&[f64]; 2], columns: usize) -> Result<Vec<f64>, EditingError> {
        let count = self.control_count();
        // Three diagonals on each side leave room for the rows of the ends.
        let mut matrix = aplomb_numerics::BandMatrix::zero(count, 2, 2);
        let mut right = vec![0.0; count * columns];
        let mut put = |row: usize, point: &PointWeights, order: usize, numbers: &[f64]| {
            for slot in 0..point.count {
                let weight = point.weights[order][slot];
                if weight != 0.0 {
                    matrix.add(row, point.first + slot, weight);
                }
            }
            right[row * columns..(row + 1) * columns].copy_from_slice(numbers);
        };
        let last = self.len() - 1;
        put(0, &self.at_knots[0], 0, &values[..columns]);
        put(1, &self.at_knots[0], 1, slopes[0]);
        for knot in 1..last {
            put(knot + 1, &self.at_knots[knot], 0, &values[knot * columns..(knot + 1) * columns]);
        }
        put(count - 2, &self.at_knots[last], 1, slopes[1]);
        put(count - 1, &self.at_knots[last], 0, &values[last * columns..(last + 1) * columns]);
        let factor = aplomb_numerics::BandLu::factor(&matrix)?;
        let mut column = vec![0.0; count];
        for index in 0..columns {
            for row in 0..count {
                column[row] = right[row * columns + index];
            }
            factor.solve(&mut column)?;
            for row in 0..count {
                right[row * columns + index] = column[row];
            }
        }
        Ok(right)
    }
}

/// At a simple knot the fourth function is zero, at the last one the first is.
fn at_knot(basis: &KnotBasis, knot: usize, time_secs: f64) -> PointWeights {
    let found = basis.weights_at(time_secs);
    let skip = knot - found.first_control;
    let three = |weights: [f64; 4]| [weights[skip], weights[skip + 1], weights[skip + 2], 0.0];
    let weights = [three(found.value), three(found.first_derivative), three(found.second_derivative)];
    PointWeights { time_secs, first: knot, count: 3, weights }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_have_three_functions_and_a_refined_grid_holds_the_same_curve() {
        let coarse = Grid::on_events(&[0.0, 0.13, 0.4, 0.47, 1.0], |_, _| 0.05).unwrap();
        for (knot, point) in coarse.at_knots.iter().enumerate() {
            let sum: f64 = point.weights[0].iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "knot {knot}: {sum}");
            assert_eq!(point.first, knot);
        }
        let curve = |t: f64| [(3.0 * t).sin(), t * t];
        let values: Vec<f64> = coarse.knots_secs.iter().flat_map(|t| curve(*t)).collect();
        let controls = coarse.interpolate(&values, [&[3.0, 0.0], &[3.0 * 3.0_f64.cos(), 2.0]], 2).unwrap();
        let read = |grid: &Grid, controls: &[f64], t: f64, order: usize, column: usize| -> f64 {
            let point = grid.at(t);
            (0..4).map(|slot| point.weights[order][slot] * controls[(point.first + slot) * 2 + column]).sum()
        };
        let mut knots = coarse.knots_secs.clone();
        knots.insert(5, 0.5 * (knots[4] + knots[5]));
        let fine = Grid::new(knots.clone()).unwrap();
        let values: Vec<f64> = knots
            .iter()
            .flat_map(|t| [read(&coarse, &controls, *t, 0, 0), read(&coarse, &controls, *t, 0, 1)])
            .collect();
        let ends = [0.0, 1.0].map(|t| [read(&coarse, &controls, t, 1, 0), read(&coarse, &controls, t, 1, 1)]);
        let refined = fine.interpolate(&values, [&ends[0], &ends[1]], 2).unwrap();
        for step in 0..200 {
            let t = step as f64 / 199.0;
            for order in 0..3 {
                let apart = read(&coarse, &controls, t, order, 0) - read(&fine, &refined, t, order, 0);
                assert!(apart.abs() < 1e-8, "{apart} at {t}, order {order}");
            }
            // Cubic splines hold parabolas exactly.
            assert!((read(&coarse, &controls, t, 0, 1) - t * t).abs() < 1e-12);
        }
    }
}
