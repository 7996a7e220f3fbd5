//! M = Lᵀ D L without filling in: the factor has the tree's own sparsity (Featherstone 2008, table 6.3).
//!
//! Row k of L has entries at the ancestors of degree of freedom k only. Kept packed, root first, the row of an ancestor
//! at depth t is as long as the first t + 1 entries of row k and stands for the same columns: elimination runs over
//! contiguous numbers. Rows have room up to a multiple of four, so that it runs over whole vectors; what stands there
//! is never read for a result.
//!
//! Degrees of freedom that follow one another, as the three of a ball joint do, are eliminated together: a row above is
//! fetched and put back once for all of them.

use super::matrix::Matrix;
use super::model::Model;
use aplomb_numerics::simd4::{Four, FourWork, WIDE, with_fours};
use std::ops::Range;

/// Degrees of freedom that are eliminated together.
pub(super) const TOGETHER: usize = 3;

/// Vectors a row of the widest strip.
pub(super) const WIDEST_STRIP: usize = 7;

/// A factor of the mass matrix, and solves with it. Keep and refill it.
#[derive(Clone, Debug)]
pub struct MassFactor {
    /// Where each packed row starts, and the end; it has one entry more than the degree of freedom has ancestors, and
    /// that is the diagonal.
    pub(super) starts: Vec<usize>,
    /// Ancestors of each degree of freedom.
    pub(super) depths: Vec<usize>,
    /// The columns of packed entries; that of the diagonal where there is room only.
    pub(super) columns: Vec<usize>,
    /// L, with D on the diagonal.
    pub(super) entries: Vec<f64>,
    /// 1 / D: a division takes as long as thirty products.
    pub(super) inverse_pivots: Vec<f64>,
    /// In order.
    pub(super) groups: Vec<Group>,
    /// Of each degree of freedom.
    pub(super) group_of: Vec<usize>,
    /// A row of columns in hand for each degree of freedom: side by side, they stay in the nearest cache.
    pub(super) strip: Vec<f64>,
}

/// Three degrees of freedom of which each is the next one's parent and has no other child, or one.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub dofs: Range<usize>,
    /// All degrees of freedom below the last one.
    pub below: Vec<Below>,
    /// Groups above, below, and itself.
    pub relatives: Groups,
}

/// A group below another.
#[derive(Clone, Debug)]
pub(super) struct Below {
    pub group: usize,
    pub dofs: Range<usize>,
    /// For each of them, where its entries for the group above begin.
    pub at: [usize; TOGETHER],
}

/// A set of groups; as far as there is no room, all of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Groups(u128);

impl Groups {
    pub fn add(&mut self, group: usize) {
        self.0 |= 1_u128.checked_shl(group as u32).unwrap_or(0);
    }

    #[inline(always)]
    pub fn join(&mut self, others: Self) {
        self.0 |= others.0;
    }

    /// Without those behind one.
    pub fn end_at(&mut self, last: usize) {
        self.0 &= u128::MAX >> 127_usize.saturating_sub(last);
    }

    #[inline(always)]
    pub fn has(&self, group: usize) -> bool {
        group >= 128 || self.0 >> group & 1 == 1
    }
}

impl MassFactor {
    /// Room for a model's factor.
    pub fn new(model: &Model) -> Self {
        let nv = model.nv();
        let (mut starts, mut depths, mut columns) = (vec![0], Vec::new(), Vec::new());
        for dof in 0..nv {
            let mut above = model.dof_parent[dof];
            let start = columns.len();
            columns.push(dof);
            while let Some(ancestor) = above {
                columns.push(ancestor);
                above = model.dof_parent[ancestor];
            }
            columns[start..].reverse();
            depths.push(columns.len() - start - 1);
            columns.resize(columns.len().next_multiple_of(WIDE), dof);
            starts.push(columns.len());
        }
        let mut children = vec![0; nv];
        model.dof_parent.iter().flatten().for_each(|&parent| children[parent] += 1);
        let mut groups: Vec<Group> = Vec::new();
        let mut dof = 0;
        while dof < nv {
            let leads = |last: usize| model.dof_parent.get(last + 1) == Some(&Some(last)) && children[last] == 1;
            let count = if leads(dof) && leads(dof + 1) { TOGETHER } else { 1 };
            groups.push(Group { dofs: dof..dof + count, below: Vec::new(), relatives: Groups::default() });
            dof += count;
        }
        for index in 0..groups.len() {
            let own = groups[index].dofs.clone();
            let ancestors = columns[starts[own.start]..starts[own.start] + depths[own.start]].to_vec();
            groups[index].relatives.add(index);
            // The last of a group is an ancestor where all of it are.
            for other in 0..index {
                if !ancestors.contains(&(groups[other].dofs.end - 1)) {
                    continue;
                }
                let depth = depths[groups[other].dofs.start];
                let at = std::array::from_fn(|slot| starts[(own.start + slot).min(own.end - 1)] + depth);
                groups[other].below.push(Below { group: index, dofs: own.clone(), at });
                groups[other].relatives.add(index);
                groups[index].relatives.add(other);
            }
        }
        let group_of = groups.iter().enumerate().flat_map(|(index, group)| group.dofs.clone().map(move |_| index));
        let group_of = group_of.collect();
        let entries = vec![0.0; columns.len()];
        Self {
            starts,
            depths,
            columns,
            entries,
            groups,
            group_of,
            inverse_pivots: vec![0.0; nv],
            strip: vec![0.0; WIDE * WIDEST_STRIP * nv],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.depths.len()
    }

    /// Factors M, of which the lower triangle is read. False if it is not positive definite: then the factor must not
    /// be used.
    pub fn factor(&mut self, mass: &Matrix) -> bool {
        self.fill(mass);
        let is_good = with_fours(Elimination(self));
        for k in 0..self.len() {
            self.inverse_pivots[k] = 1.0 / self.entries[self.starts[k] + self.depths[k]];
        }
        is_good
    }

    fn fill(&mut self, mass: &Matrix) {
        for k in 0..self.len() {
            let (row, range) = (mass.row(k), self.starts[k]..self.starts[k + 1]);
            let (entries, columns) = (&mut self.entries[range.clone()], &self.columns[range]);
            for at in 0..columns.len() {
                entries[at] = row[columns[at]];
            }
        }
    }

    #[inline(always)]
    fn eliminate<F: Four>(&mut self, four: F) -> bool {
        for group in self.groups.iter().rev() {
            let first = group.dofs.start;
            let (above, own) = self.entries.split_at_mut(self.starts[first]);
            let depth = self.depths[first];
            let rows = &self.starts[group.dofs.clone()];
            let columns = &self.columns[rows[0]..];
            let is_good = match rows {
                [_, b, a] => {
                    let (c, rest) = own.split_at_mut(b - rows[0]);
                    let (b, a) = rest.split_at_mut(a - b);
                    eliminate_three(four, above, [a, b, c], depth, columns, &self.starts)
                }
                _ => eliminate_one(four, above, own, depth, columns, &self.starts),
            };
            if !is_good {
                return false;
            }
        }
        true
    }

    /// x = M⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        for k in (0..self.len()).rev() {
            let (own, columns) = self.row(k);
            let value = x[k];
            for (entry, &column) in own.iter().zip(columns) {
                x[column] -= entry * value;
            }
        }
        for (value, inverse) in x.iter_mut().zip(&self.inverse_pivots) {
            *value *= inverse;
        }
        for k in 0..self.len() {
            let (own, columns) = self.row(k);
            let carried: f64 = own.iter().zip(columns).map(|(entry, &column)| entry * x[column]).sum();
            x[k] -= carried;
        }
    }

    /// Row k of L without its diagonal, and the columns.
    #[inline(always)]
    pub(super) fn row(&self, k: usize) -> (&[f64], &[usize]) {
        let (start, last) = (self.starts[k], self.starts[k] + self.depths[k]);
        (&self.entries[start..last], &self.columns[start..last])
    }
}

struct Elimination<'a>(&'a mut MassFactor);

impl FourWork for Elimination<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<F: Four>(self, four: F) -> bool {
        self.0.eliminate(four)
    }
}

/// Takes `share` of `from` from `to`, in fours.
#[inline(always)]
fn subtract_row<F: Four>(four: F, to: &mut [f64], from: &[f64], count: usize, share: f64) {
    let share = four.splat(share);
    for at in (0..count).step_by(WIDE) {
        let (Some(to), Some(from)) = (to[at..].first_chunk_mut(), from[at..].first_chunk()) else { return };
        *to = four.store(four.minus_mul(share, four.load(*from), four.load(*to)));
    }
}

/// Rows a, b, c of degrees of freedom k + 2, k + 1, k with `depth` ancestors in common, out of the rows above. False if
/// a pivot is not positive (or not a number).
#[inline(always)]
fn eliminate_three<F: Four>(
    four: F,
    above: &mut [f64],
    [a, b, c]: [&mut [f64]; 3],
    depth: usize,
    columns: &[usize],
    starts: &[usize],
) -> bool {
    let pivot_a = a[depth + 2];
    let (a_from_b, a_from_c) = (a[depth + 1] / pivot_a, a[depth] / pivot_a);
    subtract_row(four, b, a, depth + 2, a_from_b);
    subtract_row(four, c, a, depth + 1, a_from_c);
    (a[depth + 1], a[depth]) = (a_from_b, a_from_c);
    let pivot_b = b[depth + 1];
    let b_from_c = b[depth] / pivot_b;
    subtract_row(four, c, b, depth + 1, b_from_c);
    b[depth] = b_from_c;
    let pivot_c = c[depth];
    // NaN must fail too.
    if !(pivot_a > 0.0 && pivot_b > 0.0 && pivot_c > 0.0) {
        return false;
    }
    let (of_a, of_b, of_c) = (1.0 / pivot_a, 1.0 / pivot_b, 1.0 / pivot_c);
    for t in (0..depth).rev() {
        let (share_a, share_b, share_c) = (a[t] * of_a, b[t] * of_b, c[t] * of_c);
        let to = &mut above[starts[columns[t]]..];
        let (wide_a, wide_b, wide_c) = (four.splat(share_a), four.splat(share_b), four.splat(share_c));
        for at in (0..=t).step_by(WIDE) {
            let rows =
                (to[at..].first_chunk_mut(), a[at..].first_chunk(), b[at..].first_chunk(), c[at..].first_chunk());
            let (Some(to), Some(a), Some(b), Some(c)) = rows else { break };
            let left = four.minus_mul(wide_a, four.load(*a), four.load(*to));
            let left = four.minus_mul(wide_b, four.load(*b), left);
            *to = four.store(four.minus_mul(wide_c, four.load(*c), left));
        }
    }
    // Not before: a number just written makes the next vector that it is part of wait.
    for (row, inverse) in [(a, of_a), (b, of_b), (c, of_c)] {
        row[..depth].iter_mut().for_each(|entry| *entry *= inverse);
    }
    true
}

/// One row out of all above it.
#[inline(always)]
fn eliminate_one<F: Four>(
    four: F,
    above: &mut [f64],
    own: &mut [f64],
    depth: usize,
    columns: &[usize],
    starts: &[usize],
) -> bool {
    let pivot = own[depth];
    // NaN must fail too.
    if pivot.is_nan() || pivot <= 0.0 {
        return false;
    }
    let inverse = 1.0 / pivot;
    for t in (0..depth).rev() {
        subtract_row(four, &mut above[starts[columns[t]]..], own, t + 1, own[t] * inverse);
    }
    own[..depth].iter_mut().for_each(|entry| *entry *= inverse);
    true
}
