//! Several degrees of freedom of one joint side by side: up to three, and room for a fourth.

use aplomb_numerics::simd4::Four;
use glam::{DMat3, DVec3};

/// One number of each.
pub(super) type Lanes = [f64; 4];

/// A 3-vector of each.
#[derive(Clone, Copy)]
pub(super) struct Lanes3<F: Four> {
    pub x: F::Numbers,
    pub y: F::Numbers,
    pub z: F::Numbers,
}

impl<F: Four> Lanes3<F> {
    /// Up to three vectors.
    #[inline(always)]
    pub fn of(four: F, vectors: [DVec3; 3]) -> Self {
        let [a, b, c] = vectors;
        Self {
            x: four.load([a.x, b.x, c.x, 0.0]),
            y: four.load([a.y, b.y, c.y, 0.0]),
            z: four.load([a.z, b.z, c.z, 0.0]),
        }
    }

    /// `left` × self.
    #[inline(always)]
    pub fn crossed_by(&self, four: F, left: DVec3) -> Self {
        let Self { x, y, z } = *self;
        let (a, b, c) = (four.splat(left.x), four.splat(left.y), four.splat(left.z));
        Self {
            x: four.minus_mul(c, y, four.mul(b, z)),
            y: four.minus_mul(a, z, four.mul(c, x)),
            z: four.minus_mul(b, x, four.mul(a, y)),
        }
    }

    /// self + `left` × `right`.
    #[inline(always)]
    pub fn plus_cross(&self, four: F, left: DVec3, right: &Self) -> Self {
        let Self { x, y, z } = *right;
        let (a, b, c) = (four.splat(left.x), four.splat(left.y), four.splat(left.z));
        Self {
            x: four.minus_mul(c, y, four.mul_add(b, z, self.x)),
            y: four.minus_mul(a, z, four.mul_add(c, x, self.y)),
            z: four.minus_mul(b, x, four.mul_add(a, y, self.z)),
        }
    }

    /// Mᵀ · self.
    #[inline(always)]
    pub fn turned_back_by(&self, four: F, m: &DMat3) -> Self {
        Self { x: self.dot(four, m.x_axis), y: self.dot(four, m.y_axis), z: self.dot(four, m.z_axis) }
    }

    /// self + Mᵀ · `other`.
    #[inline(always)]
    pub fn plus_turned_back(&self, four: F, m: &DMat3, other: &Self) -> Self {
        Self {
            x: other.dot_onto(four, m.x_axis, self.x),
            y: other.dot_onto(four, m.y_axis, self.y),
            z: other.dot_onto(four, m.z_axis, self.z),
        }
    }

    /// v · self.
    #[inline(always)]
    pub fn dot(&self, four: F, v: DVec3) -> F::Numbers {
        let first = four.mul(four.splat(v.x), self.x);
        four.mul_add(four.splat(v.z), self.z, four.mul_add(four.splat(v.y), self.y, first))
    }

    /// `sum` + v · self.
    #[inline(always)]
    pub fn dot_onto(&self, four: F, v: DVec3, sum: F::Numbers) -> F::Numbers {
        let first = four.mul_add(four.splat(v.x), self.x, sum);
        four.mul_add(four.splat(v.z), self.z, four.mul_add(four.splat(v.y), self.y, first))
    }

    #[inline(always)]
    pub fn times(&self, four: F, factor: f64) -> Self {
        let factor = four.splat(factor);
        Self { x: four.mul(self.x, factor), y: four.mul(self.y, factor), z: four.mul(self.z, factor) }
    }
}

/// A motion or a force of each: angular and linear part.
#[derive(Clone, Copy)]
pub(super) struct Lanes6<F: Four> {
    pub angular: Lanes3<F>,
    pub linear: Lanes3<F>,
}

impl<F: Four> Lanes6<F> {
    /// Σ over the six parts of `numbers` (angular before linear) times ours.
    #[inline(always)]
    pub fn dot(&self, four: F, numbers: &[f64; 6]) -> F::Numbers {
        let [a, b, c, d, e, f] = *numbers;
        self.linear.dot_onto(four, DVec3::new(d, e, f), self.angular.dot(four, DVec3::new(a, b, c)))
    }

    /// The same, added to `sum`.
    #[inline(always)]
    pub fn dot_onto(&self, four: F, numbers: &[f64; 6], sum: F::Numbers) -> F::Numbers {
        let [a, b, c, d, e, f] = *numbers;
        self.linear.dot_onto(four, DVec3::new(d, e, f), self.angular.dot_onto(four, DVec3::new(a, b, c), sum))
    }
}

/// Writes the first `count` lanes; three, which is the usual count, without a call to a copying routine.
#[inline(always)]
pub(super) fn put(lanes: &Lanes, count: usize, to: &mut [f64]) {
    if let (3, [x, y, z, ..]) = (count, &mut *to) {
        (*x, *y, *z) = (lanes[0], lanes[1], lanes[2]);
    } else {
        to[0] = lanes[0];
        if count == 2 {
            to[1] = lanes[1];
        }
    }
}
