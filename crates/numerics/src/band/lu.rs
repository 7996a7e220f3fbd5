//! General band matrices: Gaussian elimination with row interchanges (Golub & Van Loan 2013, 4.3.3).

use super::{SINGULAR_SHARE, check_length};
use crate::NumericsError;

/// A square matrix whose element (i, j) is zero unless −`below` ≤ j − i ≤ `above`.
#[derive(Clone, Debug, PartialEq)]
pub struct BandMatrix {
    size: usize,
    below: usize,
    above: usize,
    /// Row-major, `below + above + 1` numbers a row; column j of row i is at j − i + `below`.
    elements: Vec<f64>,
}

impl BandMatrix {
    /// All zero.
    pub fn zero(size: usize, below: usize, above: usize) -> Self {
        Self { size, below, above, elements: vec![0.0; size * (below + above + 1)] }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// An element; zero outside the band.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.slot(row, column).map_or(0.0, |slot| self.elements[slot])
    }

    /// Adds to an element.
    ///
    /// # Panics
    /// Outside the band or the matrix: the caller built the band too narrow.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let slot = self.slot(row, column).expect("element inside the band");
        self.elements[slot] += value;
    }

    fn slot(&self, row: usize, column: usize) -> Option<usize> {
        let inside = row < self.size && column < self.size;
        let in_band = column + self.below >= row && column <= row + self.above;
        (inside && in_band).then(|| row * (self.below + self.above + 1) + column + self.below - row)
    }

    /// y = A x.
    pub fn multiply(&self, x: &[f64]) -> Result<Vec<f64>, NumericsError> {
        check_length(self.size, x.len())?;
        let row = |i: usize| {
            let columns = i.saturating_sub(self.below)..(i + self.above + 1).min(self.size);
            columns.map(|j| self.get(i, j) * x[j]).sum()
        };
        Ok((0..self.size).map(row).collect())
    }
}

/// P A = L U with partial pivoting. Interchanges widen U to `below + above` diagonals above the main one.
#[derive(Clone, Debug)]
pub struct BandLu {
    size: usize,
    below: usize,
    /// Diagonals of U above the main one.
    above: usize,
    /// Row i of U from its diagonal on, `above + 1` numbers a row.
    upper: Vec<f64>,
    /// Multipliers of column i, `below` a column.
    lower: Vec<f64>,
    /// Row exchanged with row i.
    pivots: Vec<usize>,
}

impl BandLu {
    /// Factors in O(size · below · (below + above)).
    pub fn factor(matrix: &BandMatrix) -> Result<Self, NumericsError> {
        let (size, below) = (matrix.size, matrix.below);
        let above = below + matrix.above;
        let width = above + 1;
        // Every row is kept shifted so that its first element belongs to the column being eliminated.
        let mut rows = vec![0.0; size * width];
        let mut scale = vec![0.0_f64; size];
        for i in 0..size {
            let first = i.saturating_sub(below);
            for j in first..(i + matrix.above + 1).min(size) {
                rows[i * width + j - first] = matrix.get(i, j);
                scale[i] = scale[i].max(matrix.get(i, j).abs());
            }
        }
        let mut lu = Self { size, below, above, upper: rows, lower: vec![0.0; size * below], pivots: vec![0; size] };
        for column in 0..size {
            lu.eliminate(column, &mut scale)?;
        }
        Ok(lu)
    }

    fn eliminate(&mut self, column: usize, scale: &mut [f64]) -> Result<(), NumericsError> {
        let width = self.above + 1;
        let last = (column + self.below).min(self.size - 1);
        // Rows up to `last` start at this column: rows within `below` of the top start at column 0 and have been
        // shifted since.
        let leading = |row: usize| self.upper[row * width];
        let pivot =
            (column..=last).fold(column, |best, row| if leading(row).abs() > leading(best).abs() { row } else { best });
        let largest = leading(pivot);
        if largest.is_nan() || largest.abs() <= SINGULAR_SHARE * scale[pivot] {
            return Err(NumericsError::Singular { row: column, pivot: largest });
        }
        self.pivots[column] = pivot;
        if pivot != column {
            let (head, tail) = self.upper.split_at_mut(pivot * width);
            head[column * width..(column + 1) * width].swap_with_slice(&mut tail[..width]);
            scale.swap(pivot, column);
        }
        for row in column + 1..=last {
            let (head, tail) = self.upper.split_at_mut(row * width);
            let source = &head[column * width..(column + 1) * width];
            let target = &mut tail[..width];
            let multiplier = target[0] / source[0];
            self.lower[column * self.below + row - column - 1] = multiplier;
            for k in 1..width {
                target[k - 1] = target[k] - multiplier * source[k];
            }
            target[width - 1] = 0.0;
        }
        Ok(())
    }

    /// A x = b, with b given in place of x.
    pub fn solve(&self, x: &mut [f64]) -> Result<(), NumericsError> {
        check_length(self.size, x.len())?;
        let width = self.above + 1;
        for column in 0..self.size {
            x.swap(column, self.pivots[column]);
            for row in column + 1..=(column + self.below).min(self.size - 1) {
                x[row] -= self.lower[column * self.below + row - column - 1] * x[column];
            }
        }
        for row in (0..self.size).rev() {
            let upper = &self.upper[row * width..(row + 1) * width];
            let known: f64 = (1..width.min(self.size - row)).map(|k| upper[k] * x[row + k]).sum();
            x[row] = (x[row] - known) / upper[0];
        }
        Ok(())
    }
}
