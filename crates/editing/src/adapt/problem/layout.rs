//! Where unknowns stand in the programme.

use super::rows::{Evaluator, Row};

/// Where unknowns stand: block b holds control point b, then the forces of knot b − 2, the last one whose rows it
/// belongs to.
pub struct BlockLayout {
    pub dofs: usize,
    pub block_start: Vec<usize>,
}

impl BlockLayout {
    pub fn new(evaluator: &Evaluator<'_, '_>, dofs: usize) -> Self {
        let mut block_start = vec![0];
        let mut end = 0;
        for block in 0..evaluator.plans.len() + 2 {
            let of_knot = block.checked_sub(2).map_or(0, |knot| 3 * evaluator.plans[knot].forces.len());
            end += dofs + of_knot;
            block_start.push(end);
        }
        Self { dofs, block_start }
    }

    pub fn size(&self) -> usize {
        self.block_start.last().copied().unwrap_or(0)
    }

    pub fn control(&self, control: usize) -> usize {
        self.block_start[control]
    }

    pub fn force(&self, knot: usize, slot: usize) -> usize {
        self.block_start[knot + 2] + self.dofs + 3 * slot
    }

    /// A row over neighbouring unknowns: the first of them, and the numbers.
    pub fn numbers(&self, row: &Row<'_>) -> (usize, Vec<f64>) {
        let (first, count) = (row.point.first, row.point.count);
        let start = self.block_start[first];
        let mut numbers = vec![0.0; self.block_start[first + count] - start];
        for slot in 0..count {
            let at = self.control(first + slot) - start;
            for (order, by) in row.by.iter().enumerate() {
                let weight = row.point.weights[order][slot];
                if weight != 0.0 && !by.is_empty() {
                    numbers[at..at + self.dofs].iter_mut().zip(*by).for_each(|(sum, by)| *sum += weight * by);
                }
            }
        }
        if !row.by_force.is_empty() {
            let at = self.force(first, 0) - start;
            numbers[at..at + row.by_force.len()].copy_from_slice(row.by_force);
        }
        (start, numbers)
    }
}
