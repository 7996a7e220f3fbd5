//! M = Lᵀ D L without filling in: the factor has the tree's own sparsity (Featherstone 2008, table 6.3).
//!
//! Row k of L has entries at the ancestors of degree of freedom k only. Kept packed, root first, the row of an ancestor at depth t is as
//! long as the first t + 1 entries of row k and stands for the same columns: elimination runs over contiguous numbers. Rows have room up to
//! a multiple of four, so that it runs over whole vectors; what stands there is never read for a result.
//!
//! Degrees of freedom that follow one another, as the three of a ball joint do, are eliminated together: a row above is fetched and put back
//! once for all of them.

use super::matrix::Matrix;
use super::model::Model;
use super::vectors::{Four, FourWork, with_fours};
use std::ops::Range;

/// Numbers of a vector.
const WIDE: usize = 4;

/// Degrees of freedom that are eliminated together.
const TOGETHER: usize = 3;

/// A factor of the mass matrix, and solves with it. Keep and refill it.
#[derive(Clone, Debug)]
pub struct MassFactor {
    /// Where each packed row starts, and the end; it has one entry more than the degree of freedom has ancestors, and that is the diagonal.
    starts: Vec<usize>,
    /// Ancestors of each degree of freedom.
    depths: Vec<usize>,
    /// The columns of packed entries; that of the diagonal where there is room only.
    columns: Vec<usize>,
    /// L, with D on the diagonal.
    entries: Vec<f64>,
    /// In order.
    groups: Vec<Group>,
}

/// Three degrees of freedom of which each is the next one's parent and has no other child, or one.
#[derive(Clone, Debug)]
struct Group {
    dofs: Range<usize>,
    /// All degrees of freedom below the last one: groups, as positions.
    below: Vec<usize>,
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
            groups.push(Group { dofs: dof..dof + count, below: Vec::new() });
            dof += count;
        }
        for index in 0..groups.len() {
            let first = groups[index].dofs.start;
            let ancestors = columns[starts[first]..starts[first] + depths[first]].to_vec();
            // The last of a group is an ancestor where all of it are.
            for above in groups[..index].iter_mut().filter(|above| ancestors.contains(&(above.dofs.end - 1))) {
                above.below.push(index);
            }
        }
        let entries = vec![0.0; columns.len()];
        Self { starts, depths, columns, entries, groups }
    }

    fn len(&self) -> usize {
        self.depths.len()
    }

    /// Factors M, of which the lower triangle is read. False if it is not positive definite: then the factor must not be used.
    pub fn factor(&mut self, mass: &Matrix) -> bool {
        self.fill(mass);
        with_fours(Elimination(self))
    }

    fn fill(&mut self, mass: &Matrix) {
        for k in 0..self.len() {
            let (row, range) = (mass.row(k), self.starts[k]..self.starts[k + 1]);
            for (entry, &column) in self.entries[range.clone()].iter_mut().zip(&self.columns[range]) {
                *entry = row[column];
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
        for (k, value) in x.iter_mut().enumerate() {
            *value /= self.pivot(k);
        }
        for k in 0..self.len() {
            let (own, columns) = self.row(k);
            let carried: f64 = own.iter().zip(columns).map(|(entry, &column)| entry * x[column]).sum();
            x[k] -= carried;
        }
    }

    /// X = M⁻¹ X for a matrix of nv rows: whole rows at once.
    pub fn solve_matrix(&self, x: &mut Matrix) {
        with_fours(Substitution(self, x));
    }

    /// Sixteen columns through both substitutions: they stay in the nearest cache, each row is gathered in registers and written once, and
    /// rows of a group are gathered side by side.
    #[inline(always)]
    fn substitute<F: Four>(&self, four: F, x: &mut Matrix, column: usize) {
        let mut zeros = Zeros::default();
        for (index, group) in self.groups.iter().enumerate().rev() {
            let is_zero = match group.dofs.len() {
                TOGETHER => self.three_to_root(four, x, column, group, &zeros),
                _ => self.one_to_root(four, x, column, group, &zeros),
            };
            if is_zero {
                zeros.add(index);
            }
        }
        for group in &self.groups {
            match group.dofs.len() {
                TOGETHER => self.three_from_root(four, x, column, group.dofs.start),
                _ => self.one_from_root(four, x, column, group.dofs.start),
            }
        }
    }

    /// Lᵀ y = x in the rows of a group, all below being done. What is zero there, as derivatives by other branches are, is skipped. Whether
    /// all of the result is zero.
    #[inline(always)]
    fn three_to_root<F: Four>(&self, four: F, x: &mut Matrix, column: usize, group: &Group, zeros: &Zeros) -> bool {
        let (first, depth) = (group.dofs.start, self.depths[group.dofs.start]);
        let mut c = Sixteen::read(four, x, first, column);
        let mut b = Sixteen::read(four, x, first + 1, column);
        let mut a = Sixteen::read(four, x, first + 2, column);
        for &below in &group.below {
            if zeros.has(below) {
                continue;
            }
            for dof in self.groups[below].dofs.clone() {
                let value = Sixteen::read(four, x, dof, column);
                if let [to_c, to_b, to_a, ..] = self.entries[self.starts[dof] + depth..] {
                    c.subtract(four, to_c, &value);
                    b.subtract(four, to_b, &value);
                    a.subtract(four, to_a, &value);
                }
            }
        }
        // Within the group the last is below all others.
        let (row_a, row_b) = (self.starts[first + 2] + depth, self.starts[first + 1] + depth);
        b.subtract(four, self.entries[row_a + 1], &a);
        c.subtract(four, self.entries[row_a], &a);
        c.subtract(four, self.entries[row_b], &b);
        a.write(four, x, first + 2, column);
        b.write(four, x, first + 1, column);
        c.write(four, x, first, column);
        a.is_zero(four) && b.is_zero(four) && c.is_zero(four)
    }

    #[inline(always)]
    fn one_to_root<F: Four>(&self, four: F, x: &mut Matrix, column: usize, group: &Group, zeros: &Zeros) -> bool {
        let (first, depth) = (group.dofs.start, self.depths[group.dofs.start]);
        let mut own = Sixteen::read(four, x, first, column);
        for &below in &group.below {
            if zeros.has(below) {
                continue;
            }
            for dof in self.groups[below].dofs.clone() {
                let value = Sixteen::read(four, x, dof, column);
                own.subtract(four, self.entries[self.starts[dof] + depth], &value);
            }
        }
        own.write(four, x, first, column);
        own.is_zero(four)
    }

    /// D L z = y, all above being done.
    #[inline(always)]
    fn three_from_root<F: Four>(&self, four: F, x: &mut Matrix, column: usize, first: usize) {
        let depth = self.depths[first];
        let row = |dof: usize| &self.entries[self.starts[dof]..][..depth + dof - first + 1];
        let (row_c, row_b, row_a) = (row(first), row(first + 1), row(first + 2));
        let mut c = Sixteen::read(four, x, first, column);
        let mut b = Sixteen::read(four, x, first + 1, column);
        let mut a = Sixteen::read(four, x, first + 2, column);
        c.scale(four, 1.0 / row_c[depth]);
        b.scale(four, 1.0 / row_b[depth + 1]);
        a.scale(four, 1.0 / row_a[depth + 2]);
        let columns = &self.columns[self.starts[first]..][..depth];
        for t in 0..depth {
            let value = Sixteen::read(four, x, columns[t], column);
            c.subtract(four, row_c[t], &value);
            b.subtract(four, row_b[t], &value);
            a.subtract(four, row_a[t], &value);
        }
        b.subtract(four, row_b[depth], &c);
        a.subtract(four, row_a[depth], &c);
        a.subtract(four, row_a[depth + 1], &b);
        c.write(four, x, first, column);
        b.write(four, x, first + 1, column);
        a.write(four, x, first + 2, column);
    }

    #[inline(always)]
    fn one_from_root<F: Four>(&self, four: F, x: &mut Matrix, column: usize, first: usize) {
        let (entries, columns) = self.row(first);
        let mut own = Sixteen::read(four, x, first, column);
        own.scale(four, 1.0 / self.pivot(first));
        for (t, &above) in columns.iter().enumerate() {
            let value = Sixteen::read(four, x, above, column);
            own.subtract(four, entries[t], &value);
        }
        own.write(four, x, first, column);
    }

    /// One column, for those that make no sixteen.
    fn substitute_column(&self, x: &mut Matrix, column: usize) {
        for k in (0..self.len()).rev() {
            let ((own, columns), value) = (self.row(k), x[(k, column)]);
            for (entry, &above) in own.iter().zip(columns) {
                x[(above, column)] -= entry * value;
            }
        }
        for k in 0..self.len() {
            let (own, columns) = self.row(k);
            let carried: f64 = own.iter().zip(columns).map(|(entry, &above)| entry * x[(above, column)]).sum();
            x[(k, column)] = x[(k, column)] / self.pivot(k) - carried;
        }
    }

    #[inline(always)]
    fn pivot(&self, k: usize) -> f64 {
        self.entries[self.starts[k] + self.depths[k]]
    }

    /// Row k of L without its diagonal, and the columns.
    #[inline(always)]
    fn row(&self, k: usize) -> (&[f64], &[usize]) {
        let (start, last) = (self.starts[k], self.starts[k] + self.depths[k]);
        (&self.entries[start..last], &self.columns[start..last])
    }
}

/// Groups whose rows are zero, as far as there is room; of the others nothing is known.
#[derive(Default)]
struct Zeros([u64; 4]);

impl Zeros {
    #[inline(always)]
    fn add(&mut self, group: usize) {
        if let Some(bits) = self.0.get_mut(group / 64) {
            *bits |= 1 << (group % 64);
        }
    }

    #[inline(always)]
    fn has(&self, group: usize) -> bool {
        self.0.get(group / 64).is_some_and(|bits| bits >> (group % 64) & 1 == 1)
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

struct Substitution<'a>(&'a MassFactor, &'a mut Matrix);

impl FourWork for Substitution<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Four>(self, four: F) {
        let Self(factor, x) = self;
        let mut column = 0;
        while column + 16 <= x.columns() {
            factor.substitute(four, x, column);
            column += 16;
        }
        (column..x.columns()).for_each(|column| factor.substitute_column(x, column));
    }
}

/// Sixteen numbers of a row.
#[derive(Clone, Copy)]
struct Sixteen<F: Four>(F::Numbers, F::Numbers, F::Numbers, F::Numbers);

impl<F: Four> Sixteen<F> {
    #[inline(always)]
    fn read(four: F, x: &Matrix, row: usize, column: usize) -> Self {
        let zero = [0.0; 16];
        let all: &[f64; 16] = x.row(row)[column..].first_chunk().unwrap_or(&zero);
        let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = all;
        Self(four.load([a, b, c, d]), four.load([e, f, g, h]), four.load([i, j, k, l]), four.load([m, n, o, p]))
    }

    #[inline(always)]
    fn write(&self, four: F, x: &mut Matrix, row: usize, column: usize) {
        let ([a, b, c, d], [e, f, g, h]) = (four.store(self.0), four.store(self.1));
        let ([i, j, k, l], [m, n, o, p]) = (four.store(self.2), four.store(self.3));
        if let Some(all) = x.row_mut(row)[column..].first_chunk_mut() {
            *all = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
        }
    }

    /// Less `share` of another.
    #[inline(always)]
    fn subtract(&mut self, four: F, share: f64, from: &Self) {
        let share = four.splat(share);
        self.0 = four.minus_mul(share, from.0, self.0);
        self.1 = four.minus_mul(share, from.1, self.1);
        self.2 = four.minus_mul(share, from.2, self.2);
        self.3 = four.minus_mul(share, from.3, self.3);
    }

    #[inline(always)]
    fn scale(&mut self, four: F, factor: f64) {
        let factor = four.splat(factor);
        self.0 = four.mul(self.0, factor);
        self.1 = four.mul(self.1, factor);
        self.2 = four.mul(self.2, factor);
        self.3 = four.mul(self.3, factor);
    }

    #[inline(always)]
    fn is_zero(&self, four: F) -> bool {
        // Squares of what is not zero add up to more, or to less than the smallest number there is, which changes nothing either.
        let sum = four.mul_add(self.1, self.1, four.mul(self.0, self.0));
        let [a, b, c, d] = four.store(four.mul_add(self.3, self.3, four.mul_add(self.2, self.2, sum)));
        a + b + c + d == 0.0
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

/// Rows a, b, c of degrees of freedom k + 2, k + 1, k with `depth` ancestors in common, out of the rows above. False if a pivot is not
/// positive (or not a number).
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
