//! Many right sides at once with the factor of the mass matrix: M⁻¹ X, and M⁻¹ itself.
//!
//! Columns go through both substitutions in strips. The first reads a row where it stands and leaves it in the strip;
//! the second leaves it there for the rows below, too, and writes it where it belongs: nothing is copied by itself.

use super::factor::{Group, Groups, MassFactor, TOGETHER, WIDEST_STRIP};
use super::matrix::Matrix;
use aplomb_numerics::simd4::{Four, FourWork, WIDE, with_fours};
use std::ops::Range;

impl MassFactor {
    /// scale · M⁻¹ X, written to the columns of `to` from `at` on. Columns of X are degrees of freedom too, and X has
    /// the sparsity of derivatives: what stands between two branches is taken for zero.
    pub fn solve_into(&mut self, scale: f64, x: &Matrix, to: &mut Matrix, at: usize) {
        self.substitute(scale, Given(x), to, at);
    }

    /// M⁻¹, written to the columns of `to` from `at` on.
    pub fn inverse_into(&mut self, to: &mut Matrix, at: usize) {
        self.substitute(1.0, Unit, to, at);
    }

    fn substitute(&mut self, scale: f64, source: impl Source, to: &mut Matrix, at: usize) {
        let mut strip = std::mem::take(&mut self.strip);
        with_fours(Columns { factor: self, strip: &mut strip, scale, source, to, at });
        self.strip = strip;
    }

    /// Groups above and below the degrees of freedom of a strip, and their own.
    fn relatives(&self, dofs: &Range<usize>) -> Groups {
        let mut all = Groups::default();
        for group in self.group_of[dofs.start]..=self.group_of[dofs.end - 1] {
            all.join(self.groups[group].relatives);
        }
        all
    }
}

/// All columns.
struct Columns<'a, S: Source> {
    factor: &'a MassFactor,
    strip: &'a mut [f64],
    scale: f64,
    source: S,
    to: &'a mut Matrix,
    at: usize,
}

impl<S: Source> FourWork for Columns<'_, S> {
    type Output = ();

    /// As wide as registers allow: three rows of a group, the row that is taken away and its share have to stay in
    /// them, or sums go through memory in every step. Of sixteen registers that leaves three vectors a row, of
    /// thirty-two seven.
    #[inline(always)]
    fn run<F: Four>(mut self, four: F) {
        // What it costs to find the numbers is about that of three more vectors.
        let cost = |vectors: usize| self.factor.len().div_ceil(WIDE * vectors) * (vectors + 3);
        if !F::HAS_THIRTY_TWO_REGISTERS || cost(3) <= cost(6).min(cost(WIDEST_STRIP)) {
            self.in_strips::<F, 3>(four);
        } else if cost(6) <= cost(WIDEST_STRIP) {
            self.in_strips::<F, 6>(four);
        } else {
            self.in_strips::<F, WIDEST_STRIP>(four);
        }
    }
}

impl<S: Source> Columns<'_, S> {
    #[inline(always)]
    fn in_strips<F: Four, const N: usize>(&mut self, four: F) {
        let (nv, wide) = (self.factor.len(), WIDE * N);
        for start in (0..nv).step_by(wide) {
            // The last begins earlier if it has to: some columns twice cost less than parts of strips.
            let start = start.min(nv.saturating_sub(wide));
            let dofs = start..(start + wide).min(nv);
            let moved = self.source.moved(self.factor, &dofs);
            let Self { factor, scale, source, at, .. } = *self;
            let (strip, to) = (&mut *self.strip, &mut *self.to);
            Strip::<S, N> { factor, strip, scale, source, dofs, moved, to, at }.substitute(four);
        }
    }
}

/// Where rows of a strip come from.
trait Source: Copy {
    /// Groups that are not zero on the way to the root.
    fn moved(self, factor: &MassFactor, dofs: &Range<usize>) -> Groups;
    fn read<F: Four, const N: usize>(self, four: F, row: usize, dofs: &Range<usize>) -> Row<F, N>;
}

/// A matrix with the sparsity of derivatives.
#[derive(Clone, Copy)]
struct Given<'a>(&'a Matrix);

impl Source for Given<'_> {
    fn moved(self, factor: &MassFactor, dofs: &Range<usize>) -> Groups {
        factor.relatives(dofs)
    }

    #[inline(always)]
    fn read<F: Four, const N: usize>(self, four: F, row: usize, dofs: &Range<usize>) -> Row<F, N> {
        Row::read_part(four, &self.0.row(row)[dofs.clone()])
    }
}

/// The unit matrix.
#[derive(Clone, Copy)]
struct Unit;

impl Source for Unit {
    fn moved(self, factor: &MassFactor, dofs: &Range<usize>) -> Groups {
        let mut moved = factor.relatives(dofs);
        // A push at a joint is felt on the way to the root, not below.
        moved.end_at(factor.group_of[dofs.end - 1]);
        moved
    }

    #[inline(always)]
    fn read<F: Four, const N: usize>(self, four: F, row: usize, dofs: &Range<usize>) -> Row<F, N> {
        let mut all = [0.0; WIDE * WIDEST_STRIP];
        if let Some(one) = row.checked_sub(dofs.start).and_then(|lane| all.get_mut(lane)) {
            *one = 1.0;
        }
        Row::read(four, &all)
    }
}

/// Some columns: N vectors a row.
struct Strip<'a, S: Source, const N: usize> {
    factor: &'a MassFactor,
    strip: &'a mut [f64],
    scale: f64,
    source: S,
    dofs: Range<usize>,
    moved: Groups,
    to: &'a mut Matrix,
    at: usize,
}

impl<S: Source, const N: usize> Strip<'_, S, N> {
    #[inline(always)]
    fn substitute<F: Four>(&mut self, four: F) {
        for index in (0..self.factor.groups.len()).rev() {
            let group = &self.factor.groups[index];
            if !self.moved.has(index) {
                for dof in group.dofs.clone() {
                    Row::<F, N>::zero(four).write(four, self.own_mut(dof));
                }
                continue;
            }
            match group.dofs.len() {
                TOGETHER => self.three_to_root(four, group),
                _ => self.one_to_root(four, group),
            }
        }
        for group in &self.factor.groups {
            match group.dofs.len() {
                TOGETHER => self.three_from_root(four, group.dofs.start),
                _ => self.one_from_root(four, group.dofs.start),
            }
        }
    }

    #[inline(always)]
    fn own(&self, dof: usize) -> &[f64] {
        &self.strip[dof * WIDE * N..(dof + 1) * WIDE * N]
    }

    #[inline(always)]
    fn own_mut(&mut self, dof: usize) -> &mut [f64] {
        &mut self.strip[dof * WIDE * N..(dof + 1) * WIDE * N]
    }

    /// Lᵀ y = x in the rows of a group, all below being done.
    #[inline(always)]
    fn three_to_root<F: Four>(&mut self, four: F, group: &Group) {
        let factor = self.factor;
        let (first, depth) = (group.dofs.start, factor.depths[group.dofs.start]);
        let mut c: Row<F, N> = self.source.read(four, first, &self.dofs);
        let mut b: Row<F, N> = self.source.read(four, first + 1, &self.dofs);
        let mut a: Row<F, N> = self.source.read(four, first + 2, &self.dofs);
        for below in &group.below {
            if !self.moved.has(below.group) {
                continue;
            }
            for slot in 0..below.dofs.len().min(TOGETHER) {
                let Some(&[to_c, to_b, to_a]) = factor.entries[below.at[slot]..].first_chunk() else { return };
                let value = Row::read(four, self.own(below.dofs.start + slot));
                c.subtract(four, to_c, &value);
                b.subtract(four, to_b, &value);
                a.subtract(four, to_a, &value);
            }
        }
        // Within the group the last is below all others.
        let (row_a, row_b) = (factor.starts[first + 2] + depth, factor.starts[first + 1] + depth);
        b.subtract(four, factor.entries[row_a + 1], &a);
        c.subtract(four, factor.entries[row_a], &a);
        c.subtract(four, factor.entries[row_b], &b);
        a.write(four, self.own_mut(first + 2));
        b.write(four, self.own_mut(first + 1));
        c.write(four, self.own_mut(first));
    }

    #[inline(always)]
    fn one_to_root<F: Four>(&mut self, four: F, group: &Group) {
        let first = group.dofs.start;
        let mut own: Row<F, N> = self.source.read(four, first, &self.dofs);
        for below in &group.below {
            if !self.moved.has(below.group) {
                continue;
            }
            for slot in 0..below.dofs.len().min(TOGETHER) {
                let value = Row::read(four, self.own(below.dofs.start + slot));
                own.subtract(four, self.factor.entries[below.at[slot]], &value);
            }
        }
        own.write(four, self.own_mut(first));
    }

    /// D L z = y, all above being done.
    #[inline(always)]
    fn three_from_root<F: Four>(&mut self, four: F, first: usize) {
        let factor = self.factor;
        let depth = factor.depths[first];
        let ((row_c, columns), (row_b, _), (row_a, _)) =
            (factor.row(first), factor.row(first + 1), factor.row(first + 2));
        let Some(&[of_c, of_b, of_a]) = factor.inverse_pivots[first..].first_chunk() else { return };
        let mut c = Row::<F, N>::read(four, self.own(first));
        let mut b = Row::<F, N>::read(four, self.own(first + 1));
        let mut a = Row::<F, N>::read(four, self.own(first + 2));
        c.scale(four, self.scale * of_c);
        b.scale(four, self.scale * of_b);
        a.scale(four, self.scale * of_a);
        for t in 0..depth {
            let value = Row::read(four, self.own(columns[t]));
            c.subtract(four, row_c[t], &value);
            b.subtract(four, row_b[t], &value);
            a.subtract(four, row_a[t], &value);
        }
        b.subtract(four, row_b[depth], &c);
        a.subtract(four, row_a[depth], &c);
        a.subtract(four, row_a[depth + 1], &b);
        self.put(four, first, &c);
        self.put(four, first + 1, &b);
        self.put(four, first + 2, &a);
    }

    #[inline(always)]
    fn one_from_root<F: Four>(&mut self, four: F, first: usize) {
        let (entries, columns) = self.factor.row(first);
        let mut own = Row::<F, N>::read(four, self.own(first));
        own.scale(four, self.scale * self.factor.inverse_pivots[first]);
        for (t, &above) in columns.iter().enumerate() {
            let value = Row::read(four, self.own(above));
            own.subtract(four, entries[t], &value);
        }
        self.put(four, first, &own);
    }

    #[inline(always)]
    fn put<F: Four>(&mut self, four: F, row: usize, numbers: &Row<F, N>) {
        numbers.write(four, self.own_mut(row));
        let (start, end) = (self.at + self.dofs.start, self.at + self.dofs.end);
        numbers.write_part(four, &mut self.to.row_mut(row)[start..end]);
    }
}

/// The numbers of one row.
#[derive(Clone, Copy)]
struct Row<F: Four, const N: usize>([F::Numbers; N]);

impl<F: Four, const N: usize> Row<F, N> {
    #[inline(always)]
    fn zero(four: F) -> Self {
        Self([four.splat(0.0); N])
    }

    #[inline(always)]
    fn read(four: F, numbers: &[f64]) -> Self {
        let mut row = Self::zero(four);
        for vector in 0..N {
            if let Some(four_of_them) = numbers[WIDE * vector..].first_chunk() {
                row.0[vector] = four.load(*four_of_them);
            }
        }
        row
    }

    /// Of a tree that has fewer degrees of freedom than a strip has columns.
    #[inline(always)]
    fn read_part(four: F, numbers: &[f64]) -> Self {
        if numbers.len() == WIDE * N {
            return Self::read(four, numbers);
        }
        let mut all = [0.0; WIDE * WIDEST_STRIP];
        all[..numbers.len()].copy_from_slice(numbers);
        Self::read(four, &all)
    }

    #[inline(always)]
    fn write(&self, four: F, to: &mut [f64]) {
        for vector in 0..N {
            if let Some(four_of_them) = to[WIDE * vector..].first_chunk_mut() {
                *four_of_them = four.store(self.0[vector]);
            }
        }
    }

    #[inline(always)]
    fn write_part(&self, four: F, to: &mut [f64]) {
        if to.len() == WIDE * N {
            return self.write(four, to);
        }
        let mut all = [0.0; WIDE * WIDEST_STRIP];
        self.write(four, &mut all);
        to.copy_from_slice(&all[..to.len()]);
    }

    /// Less `share` of another.
    #[inline(always)]
    fn subtract(&mut self, four: F, share: f64, from: &Self) {
        let share = four.splat(share);
        for vector in 0..N {
            self.0[vector] = four.minus_mul(share, from.0[vector], self.0[vector]);
        }
    }

    #[inline(always)]
    fn scale(&mut self, four: F, factor: f64) {
        let factor = four.splat(factor);
        for vector in 0..N {
            self.0[vector] = four.mul(self.0[vector], factor);
        }
    }
}
