//! Several degrees of freedom of one joint side by side: arrays of four that the compiler turns into vectors.

use glam::{DMat3, DVec3};
use std::ops::{Add, AddAssign, Mul, Sub};

/// One number of up to three degrees of freedom; the fourth is room for the machine's vectors.
pub(super) type Lanes = [f64; 4];

/// A 3-vector of each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes3 {
    pub x: Lanes,
    pub y: Lanes,
    pub z: Lanes,
}

#[inline(always)]
fn each(value: impl Fn(usize) -> f64) -> Lanes {
    [value(0), value(1), value(2), value(3)]
}

impl Lanes3 {
    /// Up to three vectors.
    #[inline(always)]
    pub fn of(count: usize, vector: impl Fn(usize) -> DVec3) -> Self {
        let mut lanes = Self::default();
        for lane in 0..count {
            let vector = vector(lane);
            lanes.x[lane] = vector.x;
            lanes.y[lane] = vector.y;
            lanes.z[lane] = vector.z;
        }
        lanes
    }

    /// `left` × self.
    #[inline(always)]
    pub fn crossed_by(&self, left: DVec3) -> Self {
        let Self { x, y, z } = self;
        Self {
            x: each(|lane| left.y * z[lane] - left.z * y[lane]),
            y: each(|lane| left.z * x[lane] - left.x * z[lane]),
            z: each(|lane| left.x * y[lane] - left.y * x[lane]),
        }
    }

    /// M · self.
    #[inline(always)]
    pub fn turned_by(&self, m: &DMat3) -> Self {
        let row = |x: f64, y: f64, z: f64| each(|lane| x * self.x[lane] + y * self.y[lane] + z * self.z[lane]);
        Self {
            x: row(m.x_axis.x, m.y_axis.x, m.z_axis.x),
            y: row(m.x_axis.y, m.y_axis.y, m.z_axis.y),
            z: row(m.x_axis.z, m.y_axis.z, m.z_axis.z),
        }
    }

    /// Mᵀ · self.
    #[inline(always)]
    pub fn turned_back_by(&self, m: &DMat3) -> Self {
        let row = |axis: DVec3| self.dot(axis);
        Self { x: row(m.x_axis), y: row(m.y_axis), z: row(m.z_axis) }
    }

    #[inline(always)]
    pub fn dot(&self, v: DVec3) -> Lanes {
        each(|lane| v.x * self.x[lane] + v.y * self.y[lane] + v.z * self.z[lane])
    }
}

macro_rules! by_parts {
    ($trait:ident, $name:ident, $op:tt) => {
        impl $trait for Lanes3 {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self {
                    x: each(|lane| self.x[lane] $op other.x[lane]),
                    y: each(|lane| self.y[lane] $op other.y[lane]),
                    z: each(|lane| self.z[lane] $op other.z[lane]),
                }
            }
        }
    };
}

by_parts!(Add, add, +);
by_parts!(Sub, sub, -);

impl AddAssign for Lanes3 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Lanes3 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        let scaled = |lanes: Lanes| each(|lane| lanes[lane] * factor);
        Self { x: scaled(self.x), y: scaled(self.y), z: scaled(self.z) }
    }
}

/// A motion or a force of each: angular and linear part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes6 {
    pub angular: Lanes3,
    pub linear: Lanes3,
}

impl Lanes6 {
    /// Σ over the six parts of `numbers` (angular before linear) times ours.
    #[inline(always)]
    pub fn dot(&self, numbers: &[f64; 6]) -> Lanes {
        let [a, b, c, d, e, f] = *numbers;
        let (first, second) = (self.angular.dot(DVec3::new(a, b, c)), self.linear.dot(DVec3::new(d, e, f)));
        each(|lane| first[lane] + second[lane])
    }
}

impl Add for Lanes6 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

/// a + b.
#[inline(always)]
pub(super) fn sum(a: Lanes, b: Lanes) -> Lanes {
    each(|lane| a[lane] + b[lane])
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
