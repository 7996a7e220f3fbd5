//! Weights for a wanted measure, by making blends and measuring them.
//!
//! What a blend measures is no straight line in its weights: feet are placed, phases last √(Σ wT²), and a clip may turn
//! the other way. So the straight line is where the search begins, and blends say where it ends.

use super::family::{Parameter, range, scattered_weights};
use super::{BlendSpace, EditingError};
use crate::short_number;
use rayon::prelude::*;

/// Blends looked at along an edge between two clips; a measure that rises and falls again is seen.
const SCAN: usize = 11;

/// Steps inside a bracket; a bracket is then below 1e-3 of a weight even by halves.
const BRACKET_STEPS: usize = 12;

/// Steps in a simplex of clips.
const SIMPLEX_STEPS: usize = 12;

/// Part of the tolerance at which looking on ends.
const GOOD_ENOUGH: f64 = 0.05;

impl BlendSpace {
    /// Weights of a blend that measures what is asked, or comes nearest; [`BlendSpace::measure`] tells which,
    /// [`Parameter::tolerance`] how near is met. What neither a clip nor a blend reaches is refused.
    pub fn weights_at(&self, asked: &[(Parameter, f64)]) -> Result<Vec<f64>, EditingError> {
        let points: Vec<Vec<f64>> = asked.iter().map(|(parameter, _)| self.measures(*parameter)).collect();
        let aimed: Vec<f64> = asked.iter().map(|it| it.1).collect();
        let guess = scattered_weights(&points, &aimed);
        let mut search = Search { space: self, asked, seen: points.iter().map(|it| range(it)).collect(), best: None };
        match asked {
            [_] => search.along_edges(&guess)?,
            _ => search.in_simplex(points.clone(), &guess)?,
        }
        search.refuse_out_of_reach(&points)?;
        Ok(search.best.map_or(guess, |best| best.weights))
    }
}

/// A blend that was measured.
#[derive(Clone, Debug)]
struct Tried {
    weights: Vec<f64>,
    values: Vec<f64>,
    /// Largest distance from what was asked, in tolerances.
    miss: f64,
}

struct Search<'a> {
    space: &'a BlendSpace,
    asked: &'a [(Parameter, f64)],
    /// Least and most of each measure, of clips and blends.
    seen: Vec<(f64, f64)>,
    best: Option<Tried>,
}

impl Search<'_> {
    fn measure(&mut self, all: Vec<Vec<f64>>) -> Result<Vec<Tried>, EditingError> {
        let one = |weights: Vec<f64>| -> Result<Tried, EditingError> {
            let blend = self.space.blend(&weights)?;
            let parameters: Vec<Parameter> = self.asked.iter().map(|it| it.0).collect();
            let values = self.space.measure_all(&blend, &parameters)?;
            let misses = self.asked.iter().zip(&values);
            let miss = misses.map(|((of, asked), value)| (value - asked).abs() / of.tolerance(*asked));
            Ok(Tried { miss: miss.fold(0.0, f64::max), weights, values })
        };
        let tried: Vec<Tried> = all.into_par_iter().map(one).collect::<Result<_, _>>()?;
        for it in &tried {
            for (seen, value) in self.seen.iter_mut().zip(&it.values) {
                *seen = (seen.0.min(*value), seen.1.max(*value));
            }
            if self.best.as_ref().is_none_or(|best| it.miss < best.miss) {
                self.best = Some(it.clone());
            }
        }
        Ok(tried)
    }

    fn is_met(&self, within: f64) -> bool {
        self.best.as_ref().is_some_and(|best| best.miss <= within)
    }

    /// One measure: along the edges between two clips, those of the guess first.
    fn along_edges(&mut self, guess: &[f64]) -> Result<(), EditingError> {
        let clips = guess.len();
        let mut edges: Vec<(usize, usize)> = (0..clips).flat_map(|a| (a + 1..clips).map(move |b| (a, b))).collect();
        let held = |edge: &(usize, usize)| guess[edge.0] + guess[edge.1];
        edges.sort_by(|a, b| held(b).total_cmp(&held(a)));
        for edge in edges {
            let share = if held(&edge) > 0.0 { guess[edge.1] / held(&edge) } else { 0.5 };
            self.along_edge(edge, share, clips)?;
            if self.is_met(1.0) {
                break;
            }
        }
        Ok(())
    }

    fn along_edge(&mut self, (a, b): (usize, usize), guess: f64, clips: usize) -> Result<(), EditingError> {
        let weights = |share: f64| {
            let mut weights = vec![0.0; clips];
            (weights[a], weights[b]) = (1.0 - share, share);
            weights
        };
        let asked = self.asked[0].1;
        let share = |index: usize| index as f64 / (SCAN - 1) as f64;
        let scanned = self.measure((0..SCAN).map(|index| weights(share(index))).collect())?;
        let off: Vec<f64> = scanned.iter().map(|it| it.values[0] - asked).collect();
        let mut brackets: Vec<usize> = (0..SCAN - 1).filter(|&index| off[index] * off[index + 1] <= 0.0).collect();
        let away = |index: &usize| (0.5 * (share(*index) + share(index + 1)) - guess).abs();
        brackets.sort_by(|a, b| away(a).total_cmp(&away(b)));
        for index in brackets {
            let (mut low, mut high) = ((share(index), off[index]), (share(index + 1), off[index + 1]));
            for step in 0..BRACKET_STEPS {
                if self.is_met(GOOD_ENOUGH) {
                    return Ok(());
                }
                // The secant is quick; every third step halves, for measures that jump.
                let secant = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
                let is_inside = step % 3 != 2 && secant > low.0 && secant < high.0;
                let next = if is_inside { secant } else { 0.5 * (low.0 + high.0) };
                let at = (next, self.measure(vec![weights(next)])?[0].values[0] - asked);
                if at.1 * low.1 <= 0.0 { high = at } else { low = at }
            }
            // A jump of the measure has a bracket, too, and no blend; the next bracket may have one.
            if self.is_met(1.0) {
                break;
            }
        }
        Ok(())
    }

    /// Many measures: Broyden's method over the simplex, from the best of a coarse grid. `rows` is the measure per
    /// weight, at first that of the clips.
    fn in_simplex(&mut self, mut rows: Vec<Vec<f64>>, guess: &[f64]) -> Result<(), EditingError> {
        let clips = guess.len();
        let mut grid = vec![guess.to_vec(), vec![1.0 / clips as f64; clips]];
        for a in 0..clips {
            for b in a..clips.min(a + GRID_NEIGHBOURS) {
                let mut weights = vec![0.0; clips];
                weights[a] += 0.5;
                weights[b] += 0.5;
                grid.push(weights);
            }
        }
        self.measure(grid)?;
        let Some(mut here) = self.best.clone() else { return Ok(()) };
        let mut length = 1.0;
        for _ in 0..SIMPLEX_STEPS {
            if self.is_met(GOOD_ENOUGH) {
                break;
            }
            let told_by = |row: &[f64], weights: &[f64]| row.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>();
            let goals = rows.iter().zip(self.asked).zip(&here.values);
            let aimed: Vec<f64> =
                goals.map(|((row, (_, asked)), value)| told_by(row, &here.weights) + asked - value).collect();
            let to = scattered_weights(&rows, &aimed);
            let step: Vec<f64> = to.iter().zip(&here.weights).map(|(to, from)| length * (to - from)).collect();
            let squared: f64 = step.iter().map(|it| it * it).sum();
            if squared < 1e-12 {
                break;
            }
            let next: Vec<f64> = here.weights.iter().zip(&step).map(|(from, step)| (from + step).max(0.0)).collect();
            let sum: f64 = next.iter().sum();
            let mut tried = self.measure(vec![next.iter().map(|weight| weight / sum).collect()])?;
            let Some(there) = tried.pop() else { break };
            for ((row, from), value) in rows.iter_mut().zip(&here.values).zip(&there.values) {
                let wrong = value - from - told_by(row, &step);
                row.iter_mut().zip(&step).for_each(|(of, step)| *of += wrong * step / squared);
            }
            // A step that leads away still improves the rows; the next is tried from the same place, shorter.
            (here, length) = if there.miss < here.miss { (there, 1.0) } else { (here, 0.5 * length) };
        }
        Ok(())
    }

    fn refuse_out_of_reach(&self, points: &[Vec<f64>]) -> Result<(), EditingError> {
        for (((parameter, asked), seen), points) in self.asked.iter().zip(&self.seen).zip(points) {
            let near = parameter.tolerance(*asked);
            if !(seen.0 - near..=seen.1 + near).contains(asked) {
                let (name, unit, (least, most)) = (parameter.name(), parameter.unit(), range(points));
                return Err(EditingError::Weights {
                    problem: format!(
                        "{name} {} {unit} is asked for, and the clips have {} to {} {unit}, blends {} to {} {unit}; beyond them nothing is \
                         guaranteed",
                        short_number(*asked),
                        short_number(least),
                        short_number(most),
                        short_number(seen.0),
                        short_number(seen.1)
                    ),
                });
            }
        }
        Ok(())
    }
}

/// Clips a clip is halved with in the grid; large families are not looked at pair by pair.
const GRID_NEIGHBOURS: usize = 6;
