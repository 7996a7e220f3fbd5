//! Symmetric matrices whose rows start late: L D Lᵀ without pivoting, in the rows' own profile.
//!
//! Saddle-point systems [W Jᵀ; J −E] with W and E positive definite are *quasi-definite*: every symmetric ordering of
//! theirs has a factorisation L D Lᵀ with D diagonal (Vanderbei 1995, "Symmetric quasidefinite matrices"), so an
//! ordering in time keeps the band, half the work of an LU with interchanges falls away, and fill stays inside the
//! profile (George & Liu 1981, 4.2).

use crate::NumericsError;
use crate::simd4::{Four, FourWork, with_fours};

/// Rows are eliminated in groups of four, so that a finished row is read once for all of them.
const GROUP: usize = 4;

/// A symmetric matrix, lower half: row i holds columns `first(i)..=i`.
#[derive(Clone, Debug)]
pub struct SymmetricProfile {
    first: Vec<usize>,
    /// Where each row's numbers start.
    start: Vec<usize>,
    numbers: Vec<f64>,
}

impl SymmetricProfile {
    /// All zero, with the first column of each row.
    ///
    /// # Panics
    /// If a row starts behind its diagonal: the caller's bookkeeping is wrong.
    pub fn zero(mut first: Vec<usize>) -> Self {
        assert!(first.iter().enumerate().all(|(row, &first)| first <= row), "rows start at or before their diagonal");
        for group in first.chunks_mut(GROUP) {
            let least = group.iter().copied().min().unwrap_or(0);
            group.fill(least);
        }
        let mut start = Vec::with_capacity(first.len());
        let mut end = 0;
        for (row, first) in first.iter().enumerate() {
            start.push(end);
            end += row + 1 - first;
        }
        Self { first, start, numbers: vec![0.0; end] }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.first.len()
    }

    /// First column that a row holds.
    pub fn first(&self, row: usize) -> usize {
        self.first[row]
    }

    /// An element; zero outside the profile.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let (low, high) = (row.max(column), row.min(column));
        if high < self.first[low] { 0.0 } else { self.row(low)[high - self.first[low]] }
    }

    /// Adds to an element and its mirror image (once on the diagonal).
    ///
    /// # Panics
    /// Outside the profile: the caller built it too narrow.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let (low, high) = (row.max(column), row.min(column));
        assert!(high >= self.first[low], "element ({low}, {high}) inside the profile");
        let at = self.start[low] + high - self.first[low];
        self.numbers[at] += value;
    }

    /// Columns `first(row)..=row` of a row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.numbers[self.start[row]..self.start[row] + row + 1 - self.first[row]]
    }

    /// How many rows two matrices begin with in common, in whole groups.
    fn same_rows(&self, other: &Self) -> usize {
        let pairs = self.first.iter().zip(&other.first);
        let alike = pairs.take_while(|(a, b)| a == b).count();
        let same = (0..alike).take_while(|&row| self.row(row) == other.row(row)).count();
        same - same % GROUP
    }

    /// y += A x.
    pub fn add_times(&self, x: &[f64], y: &mut [f64]) {
        for row in 0..self.size() {
            let first = self.first[row];
            let numbers = self.row(row);
            let (own, before) = (numbers[row - first], &numbers[..row - first]);
            let mut sum = own * x[row];
            for ((&a, &x_column), y_column) in before.iter().zip(&x[first..row]).zip(&mut y[first..row]) {
                sum += a * x_column;
                *y_column += a * x[row];
            }
            y[row] += sum;
        }
    }
}

/// L D Lᵀ.
#[derive(Clone, Debug)]
pub struct ProfileLdl {
    lower: SymmetricProfile,
    diagonal: Vec<f64>,
    /// Pivots that were lifted to the least allowed size, because rounding had eaten them.
    pub lifted: usize,
}

/// The work of a factorisation.
struct Elimination<'a> {
    factor: &'a mut ProfileLdl,
    known: usize,
    is_positive: &'a [bool],
    least: f64,
}

impl FourWork for Elimination<'_> {
    type Output = Result<(), NumericsError>;

    #[inline(always)]
    fn run<F: Four>(self, four: F) -> Self::Output {
        self.factor.eliminate(four, self.known, self.is_positive, self.least)
    }
}

impl ProfileLdl {
    /// Factors; `is_positive` tells each pivot's sign, which quasi-definiteness promises. Pivots below `least` (or of
    /// the wrong sign) are set to `least` with the promised sign: the caller refines its solutions.
    pub fn factor(matrix: SymmetricProfile, is_positive: &[bool], least: f64) -> Result<Self, NumericsError> {
        Self::factor_again(matrix, is_positive, least, None)
    }

    /// The same, where a matrix with its factor is at hand (of the same signs and least pivot) that begins with the
    /// same rows: those are taken over, since a row's factor depends on rows before it only.
    pub fn factor_again(
        matrix: SymmetricProfile,
        is_positive: &[bool],
        least: f64,
        before: Option<(&SymmetricProfile, &Self)>,
    ) -> Result<Self, NumericsError> {
        if is_positive.len() != matrix.size() {
            return Err(NumericsError::Length { expected: matrix.size(), found: is_positive.len() });
        }
        let known = before.map_or(0, |(before, _)| matrix.same_rows(before));
        let mut factor = Self { diagonal: vec![0.0; matrix.size()], lower: matrix, lifted: 0 };
        if let Some((_, before)) = before {
            let end = factor.lower.start.get(known).copied().unwrap_or(factor.lower.numbers.len());
            factor.lower.numbers[..end].copy_from_slice(&before.lower.numbers[..end]);
            factor.diagonal[..known].copy_from_slice(&before.diagonal[..known]);
        }
        with_fours(Elimination { factor: &mut factor, known, is_positive, least })?;
        Ok(factor)
    }

    #[inline(always)]
    fn eliminate<F: Four>(
        &mut self,
        fours: F,
        known: usize,
        is_positive: &[bool],
        least: f64,
    ) -> Result<(), NumericsError> {
        let size = self.lower.size();
        // Rows of the group while they are still L D, not L.
        let mut scaled: [Vec<f64>; GROUP] = Default::default();
        for top in (known..size).step_by(GROUP) {
            let rows = GROUP.min(size - top);
            let first = self.lower.first[top];
            for (lane, scaled) in scaled.iter_mut().enumerate() {
                scaled.clear();
                if lane < rows {
                    scaled.extend_from_slice(self.lower.row(top + lane));
                }
                scaled.resize(top + GROUP - first, 0.0);
            }
            let mut column = first;
            while column < top {
                let [a, b, c, d] = &scaled;
                let start = self.lower.first[column];
                let from = start.max(first);
                let span = from - first..column - first;
                let four = [&a[span.clone()], &b[span.clone()], &c[span.clone()], &d[span]];
                let known = &self.lower.row(column)[from - start..column - start];
                // Two finished rows that begin together are read against the same four: half the loads.
                if column + 1 < top && self.lower.first[column + 1] == start {
                    let next = self.lower.row(column + 1);
                    let (next, last) = (&next[from - start..column - start], next[column - start]);
                    let [dots, next_dots] = dots(fours, [known, next], four);
                    for ((scaled, dot), next_dot) in scaled.iter_mut().zip(dots).zip(next_dots) {
                        scaled[column - first] -= dot;
                        scaled[column + 1 - first] -= last.mul_add(scaled[column - first], next_dot);
                    }
                    column += 2;
                    continue;
                }
                let [dots] = dots(fours, [known], four);
                for (scaled, dot) in scaled.iter_mut().zip(dots) {
                    scaled[column - first] -= dot;
                }
                column += 1;
            }
            for (lane, scaled) in scaled.iter_mut().enumerate().take(rows) {
                let row = top + lane;
                for before in 0..lane {
                    let known = &self.lower.row(top + before)[..top + before - first];
                    let dot: f64 = known.iter().zip(scaled.iter()).map(|(a, b)| a * b).sum();
                    scaled[top + before - first] -= dot;
                }
                let start = self.lower.start[row];
                let mut pivot = scaled[row - first];
                for column in first..row {
                    let value = scaled[column - first];
                    let own = value / self.diagonal[column];
                    pivot -= own * value;
                    self.lower.numbers[start + column - first] = own;
                }
                if pivot.is_nan() {
                    return Err(NumericsError::Singular { row, pivot });
                }
                let sign = if is_positive[row] { 1.0 } else { -1.0 };
                if pivot * sign < least {
                    pivot = least * sign;
                    self.lifted += 1;
                }
                self.diagonal[row] = pivot;
                self.lower.numbers[start + row - first] = 1.0;
            }
        }
        Ok(())
    }

    /// A x = b, with b given in place of x.
    pub fn solve(&self, x: &mut [f64]) -> Result<(), NumericsError> {
        let size = self.lower.size();
        if x.len() != size {
            return Err(NumericsError::Length { expected: size, found: x.len() });
        }
        for row in 0..size {
            let first = self.lower.first[row];
            let known = &self.lower.row(row)[..row - first];
            x[row] -= dot(known, &x[first..row]);
        }
        for (x, diagonal) in x.iter_mut().zip(&self.diagonal) {
            *x /= diagonal;
        }
        for row in (0..size).rev() {
            let first = self.lower.first[row];
            let own = x[row];
            for (x, l) in x[first..row].iter_mut().zip(self.lower.row(row)) {
                *x -= l * own;
            }
        }
        Ok(())
    }
}

/// Sums in four lanes, which vectors can carry.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_fours, b_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_fours.remainder().iter().zip(b_fours.remainder()).map(|(a, b)| a * b).sum();
    let mut lanes = [0.0; 4];
    for (a, b) in a_fours.zip(b_fours) {
        for lane in 0..4 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    rest + (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// Rows of one length against four.
#[inline(always)]
fn dots<F: Four, const ROWS: usize>(fours: F, known: [&[f64]; ROWS], against: [&[f64]; GROUP]) -> [[f64; GROUP]; ROWS] {
    let count = known[0].len();
    let known = known.map(|row| row[..count].as_chunks::<4>());
    let against = against.map(|row| row[..count].as_chunks::<4>());
    let mut sums = [[fours.splat(0.0); GROUP]; ROWS];
    for at in 0..count / 4 {
        let mut four = [fours.splat(0.0); GROUP];
        for lane in 0..GROUP {
            four[lane] = fours.load(against[lane].0[at]);
        }
        for row in 0..ROWS {
            let own = fours.load(known[row].0[at]);
            for lane in 0..GROUP {
                sums[row][lane] = fours.mul_add(own, four[lane], sums[row][lane]);
            }
        }
    }
    let mut found = [[0.0; GROUP]; ROWS];
    for row in 0..ROWS {
        for lane in 0..GROUP {
            let [a, b, c, d] = fours.store(sums[row][lane]);
            let mut sum = (a + b) + (c + d);
            for (own, other) in known[row].1.iter().zip(against[lane].1) {
                sum = own.mul_add(*other, sum);
            }
            found[row][lane] = sum;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    proptest! {
        #[test]
        fn quasi_definite_systems_are_solved(size in 1usize..60, width in 0usize..12, seed in any::<u64>()) {
            let mut next = noise(seed);
            let first = (0..size).map(|row| row - row.min((width as f64 * (0.5 + 0.5 * next())) as usize)).collect();
            let mut matrix = SymmetricProfile::zero(first);
            let is_positive: Vec<bool> = (0..size).map(|_| next() > 0.0).collect();
            for row in 0..size {
                for column in matrix.first(row)..row {
                    // Blocks of one sign stay diagonal: their sum is what has to be definite.
                    let value = if is_positive[row] == is_positive[column] { 0.0 } else { next() };
                    matrix.add(row, column, value);
                }
                matrix.add(row, row, if is_positive[row] { 1.0 } else { -1.0 });
            }
            let x: Vec<f64> = (0..size).map(|_| next()).collect();
            let mut found = vec![0.0; size];
            matrix.add_times(&x, &mut found);
            let mut other = matrix.clone();
            let changed = (size as f64 * (0.5 + 0.5 * next())) as usize % size;
            other.add(changed, changed, if is_positive[changed] { 0.5 } else { -0.5 });
            let before = ProfileLdl::factor(other.clone(), &is_positive, 1e-12).unwrap();
            let again = ProfileLdl::factor_again(matrix.clone(), &is_positive, 1e-12, Some((&other, &before))).unwrap();
            let factor = ProfileLdl::factor(matrix, &is_positive, 1e-12).unwrap();
            prop_assert_eq!(&again.diagonal, &factor.diagonal);
            prop_assert_eq!(&again.lower.numbers, &factor.lower.numbers);
            prop_assert_eq!(factor.lifted, 0);
            factor.solve(&mut found).unwrap();
            for (found, x) in found.iter().zip(&x) {
                // Pivots are at least one in size; growth is at most the square of the profile.
                prop_assert!((found - x).abs() < 1e-10, "{} instead of {}", found, x);
            }
        }
    }
}
