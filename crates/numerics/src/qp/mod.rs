//! Quadratic programmes on bands: min ½ xᵀ W x + gᵀ x with E x = e and C x ≥ c, where every row touches neighbours in
//! time only.
//!
//! Two ways through, on one factorisation of the saddle-point system ordered by time: a *primal–dual active set*
//! (Hintermüller, Ito & Kunisch 2002), which needs few factorisations when it is told what was active the last time,
//! and an *interior point* (Mehrotra 1992), which always ends and is taken where the active set cycles.
//!
//! No maintained crate knows bands: a general interior point method (clarabel) takes 0.7 s where one factorisation here
//! takes a tenth.

mod active_set;
mod interior;
mod saddle;

use crate::NumericsError;
use crate::profile::SymmetricProfile;

/// Linear forms, each over a run of neighbouring unknowns.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    spans: Vec<RowSpan>,
    numbers: Vec<f64>,
    /// e, or c.
    right: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct RowSpan {
    /// First unknown.
    start: usize,
    /// Where its numbers are.
    from: usize,
    len: usize,
}

impl Rows {
    /// Adds a row with numbers for the unknowns from `start` on. Zeros at both ends are left out.
    pub fn push(&mut self, start: usize, numbers: &[f64], right: f64) {
        let head = numbers.iter().take_while(|number| **number == 0.0).count();
        let tail = numbers[head..].iter().rev().take_while(|number| **number == 0.0).count();
        let numbers = &numbers[head..numbers.len() - tail];
        self.spans.push(RowSpan { start: start + head, from: self.numbers.len(), len: numbers.len() });
        self.numbers.extend_from_slice(numbers);
        self.right.push(right);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// First unknown and numbers of a row.
    pub fn row(&self, row: usize) -> (usize, &[f64]) {
        let span = self.spans[row];
        (span.start, &self.numbers[span.from..span.from + span.len])
    }

    fn row_mut(&mut self, row: usize) -> (usize, &mut [f64]) {
        let span = self.spans[row];
        (span.start, &mut self.numbers[span.from..span.from + span.len])
    }

    /// A row times x.
    pub fn dot(&self, row: usize, x: &[f64]) -> f64 {
        let (start, numbers) = self.row(row);
        numbers.iter().zip(&x[start..]).map(|(a, b)| a * b).sum()
    }

    fn add_transposed(&self, row: usize, factor: f64, y: &mut [f64]) {
        let (start, numbers) = self.row(row);
        for (a, y) in numbers.iter().zip(&mut y[start..]) {
            *y += a * factor;
        }
    }
}

/// How far a row of C gives way for each unit of its multiplier, where there is no other way; in unknowns that are
/// scaled to one.
const SOFTNESS: f64 = 1e-2;

/// A quadratic programme.
#[derive(Clone, Debug)]
pub struct BandQp {
    /// W, positive definite.
    pub hessian: SymmetricProfile,
    /// g.
    pub gradient: Vec<f64>,
    /// E x = e.
    pub equal: Rows,
    /// C x ≥ c.
    pub least: Rows,
}

/// How a programme ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QpStatus {
    /// At the optimum.
    Solved,
    /// No x satisfies all rows, as far as can be told; x satisfies rows of C as well as springs can.
    Infeasible,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct QpSolution {
    /// The unknowns.
    pub x: Vec<f64>,
    /// Of E x = e: W x + g = Eᵀ y + Cᵀ z.
    pub equal_multipliers: Vec<f64>,
    /// Of C x ≥ c; not negative.
    pub least_multipliers: Vec<f64>,
    /// Which rows of C hold with equality.
    pub active: Vec<bool>,
    /// Factorisations it took.
    pub factorisations: usize,
    /// Whether the interior point had to help.
    pub by_interior_point: bool,
    /// How it ended.
    pub status: QpStatus,
}

impl BandQp {
    /// Solves; `warm` tells which rows of C were active in a similar programme (empty if nothing is known).
    pub fn solve(&self, warm: &[bool]) -> Result<QpSolution, NumericsError> {
        let scaled = Scaled::of(self)?;
        let mut solution = match active_set::solve(&scaled, warm)? {
            active_set::Outcome::Solved(solution) => solution,
            active_set::Outcome::Cycles { factorisations } => {
                let mut solution = interior::solve(&scaled, 0.0)?;
                solution.factorisations += factorisations;
                if solution.status == QpStatus::Infeasible {
                    // Rows of C that give way like springs: somewhere to go, for those who linearise and come again.
                    let spent = solution.factorisations;
                    solution = interior::solve(&scaled, SOFTNESS)?;
                    solution.factorisations += spent;
                    solution.status = QpStatus::Infeasible;
                }
                solution
            }
        };
        scaled.unscale(&mut solution);
        Ok(solution)
    }

    /// By the interior point method alone: the yardstick of the other.
    pub fn solve_by_interior_point(&self) -> Result<QpSolution, NumericsError> {
        let scaled = Scaled::of(self)?;
        let mut solution = interior::solve(&scaled, 0.0)?;
        scaled.unscale(&mut solution);
        Ok(solution)
    }
}

/// The programme in unknowns with W_ii = 1 and with rows of length one: one tolerance then fits all.
struct Scaled {
    hessian: SymmetricProfile,
    gradient: Vec<f64>,
    equal: Rows,
    least: Rows,
    /// x = `unknown` · x̂.
    unknown: Vec<f64>,
    equal_scale: Vec<f64>,
    least_scale: Vec<f64>,
}

impl Scaled {
    fn of(qp: &BandQp) -> Result<Self, NumericsError> {
        let size = qp.hessian.size();
        if qp.gradient.len() != size {
            return Err(NumericsError::Length { expected: size, found: qp.gradient.len() });
        }
        let mut unknown = Vec::with_capacity(size);
        for row in 0..size {
            let diagonal = qp.hessian.get(row, row);
            if diagonal.is_nan() || diagonal <= 0.0 {
                return Err(NumericsError::NotPositiveDefinite { row, pivot: diagonal });
            }
            unknown.push(1.0 / diagonal.sqrt());
        }
        let mut hessian = SymmetricProfile::zero((0..size).map(|row| qp.hessian.first(row)).collect());
        for row in 0..size {
            for column in qp.hessian.first(row)..=row {
                let value = qp.hessian.get(row, column);
                if value != 0.0 {
                    hessian.add(row, column, value * unknown[row] * unknown[column]);
                }
            }
        }
        let scale_rows = |rows: &Rows| {
            let mut rows = rows.clone();
            let mut scales = Vec::with_capacity(rows.len());
            for row in 0..rows.len() {
                let (start, numbers) = rows.row_mut(row);
                numbers.iter_mut().zip(&unknown[start..]).for_each(|(number, unknown)| *number *= unknown);
                let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
                // A row of zeros stays one: it says 0 = e.
                let scale = if length > 0.0 { 1.0 / length } else { 1.0 };
                numbers.iter_mut().for_each(|number| *number *= scale);
                rows.right[row] *= scale;
                scales.push(scale);
            }
            (rows, scales)
        };
        let (equal, equal_scale) = scale_rows(&qp.equal);
        let (least, least_scale) = scale_rows(&qp.least);
        let gradient = qp.gradient.iter().zip(&unknown).map(|(g, unknown)| g * unknown).collect();
        Ok(Self { hessian, gradient, equal, least, unknown, equal_scale, least_scale })
    }

    fn unscale(&self, solution: &mut QpSolution) {
        let times = |numbers: &mut [f64], scales: &[f64]| {
            numbers.iter_mut().zip(scales).for_each(|(number, scale)| *number *= scale);
        };
        times(&mut solution.x, &self.unknown);
        times(&mut solution.equal_multipliers, &self.equal_scale);
        times(&mut solution.least_multipliers, &self.least_scale);
    }

    /// The largest |E x − e|.
    fn unequal(&self, x: &[f64]) -> f64 {
        let off = |row: usize| (self.equal.dot(row, x) - self.equal.right[row]).abs();
        (0..self.equal.len()).map(off).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests;
