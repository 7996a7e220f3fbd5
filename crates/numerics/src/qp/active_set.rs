//! Which rows hold with equality, guessed all at once: those that are violated join, those that pull the wrong way
//! leave.
//!
//! For bounds this is a Newton method and ends after a few guesses (Hintermüller, Ito & Kunisch 2002); for general rows
//! it may cycle, which is noticed.

use super::saddle::{Saddle, SaddleRow};
use super::{QpSolution, QpStatus, Scaled};
use crate::NumericsError;
use std::collections::HashSet;

/// More guesses than this cost more than the interior point.
const MOST_GUESSES: usize = 12;
/// Violations and multipliers below this are none, in unknowns that are scaled to one.
const NOTHING: f64 = 1e-9;

pub(super) enum Outcome {
    Solved(QpSolution),
    Cycles { factorisations: usize },
}

pub(super) fn solve(programme: &Scaled, warm: &[bool]) -> Result<Outcome, NumericsError> {
    let count = programme.least.len();
    let mut active: Vec<bool> = (0..count).map(|row| warm.get(row).copied().unwrap_or(false)).collect();
    let a: Vec<f64> = programme.gradient.iter().map(|g| -g).collect();
    let mut seen = HashSet::new();
    // Guesses differ from some time on: what is before need not be factored again.
    let mut before = None;
    for guess in 1..=MOST_GUESSES {
        let mut rows: Vec<SaddleRow> =
            (0..programme.equal.len()).map(|index| SaddleRow { is_equal: true, index, slack: 0.0 }).collect();
        let mut b = programme.equal.right.clone();
        for index in (0..count).filter(|&row| active[row]) {
            rows.push(SaddleRow { is_equal: false, index, slack: 0.0 });
            b.push(programme.least.right[index]);
        }
        let saddle = Saddle::factor(programme, &rows, &[], before.take())?;
        let (x, y) = saddle.solve(&a, &b)?;
        before = Some(saddle.into_factored());
        let mut multipliers = vec![0.0; count];
        for (row, y) in rows.iter().zip(&y).filter(|(row, _)| !row.is_equal) {
            multipliers[row.index] = *y;
        }
        let next: Vec<bool> = (0..count)
            .map(|row| match active[row] {
                true => multipliers[row] > -NOTHING,
                false => programme.least.dot(row, &x) - programme.least.right[row] < -NOTHING,
            })
            .collect();
        if next == active {
            // Rows that contradict each other are not for this method to judge.
            let held = (0..count).filter(|&row| active[row]);
            let off = held.map(|row| (programme.least.dot(row, &x) - programme.least.right[row]).abs());
            if programme.unequal(&x).max(off.fold(0.0, f64::max)) > 1e-6 {
                return Ok(Outcome::Cycles { factorisations: guess });
            }
            return Ok(Outcome::Solved(QpSolution {
                equal_multipliers: y[..programme.equal.len()].to_vec(),
                least_multipliers: multipliers,
                x,
                active,
                factorisations: guess,
                by_interior_point: false,
                status: QpStatus::Solved,
            }));
        }
        if !seen.insert(next.clone()) {
            return Ok(Outcome::Cycles { factorisations: guess });
        }
        active = next;
    }
    Ok(Outcome::Cycles { factorisations: MOST_GUESSES })
}
