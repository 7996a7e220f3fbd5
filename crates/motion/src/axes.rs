//! Axes, and the exact change of frame between a file's world and ours (metres, Y up).

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// One of the three coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// First axis.
    X,
    /// Second axis; up inside Aplomb.
    Y,
    /// Third axis.
    Z,
}

impl Axis {
    /// X, Y, Z.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// 0, 1 or 2.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Unit vector along the axis.
    pub const fn unit(self) -> DVec3 {
        match self {
            Axis::X => DVec3::X,
            Axis::Y => DVec3::Y,
            Axis::Z => DVec3::Z,
        }
    }

    /// Upper-case letter.
    pub const fn letter(self) -> char {
        match self {
            Axis::X => 'X',
            Axis::Y => 'Y',
            Axis::Z => 'Z',
        }
    }
}

/// A proper rotation that only permutes axes and flips signs, so that it and its inverse are exact in floating point.
///
/// Row `i` says which file axis, with which sign, becomes internal axis `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedPermutation {
    source: [Axis; 3],
    negate: [bool; 3],
}

impl SignedPermutation {
    /// The file is already Y up.
    pub const IDENTITY: Self = Self { source: [Axis::X, Axis::Y, Axis::Z], negate: [false; 3] };

    /// Internal (x, y, z) = file (x, z, −y): a quarter turn about X that lifts file Z to Y.
    pub const Y_UP_FROM_Z_UP: Self = Self { source: [Axis::X, Axis::Z, Axis::Y], negate: [false, false, true] };

    /// Internal (x, y, z) = file (−y, x, z): a quarter turn about Z that lifts file X to Y.
    pub const Y_UP_FROM_X_UP: Self = Self { source: [Axis::Y, Axis::X, Axis::Z], negate: [true, false, false] };

    /// The change of frame that lifts `up` of the file to internal Y.
    pub const fn lifting(up: Axis) -> Self {
        match up {
            Axis::X => Self::Y_UP_FROM_X_UP,
            Axis::Y => Self::IDENTITY,
            Axis::Z => Self::Y_UP_FROM_Z_UP,
        }
    }

    /// Builds one from rows; `None` unless it is a permutation of determinant +1 (a mirror would turn left into right).
    pub fn from_rows(rows: [(Axis, bool); 3]) -> Option<Self> {
        let source = rows.map(|(axis, _)| axis);
        let negate = rows.map(|(_, negative)| negative);
        let columns = Axis::ALL.map(|axis| source.contains(&axis));
        if columns != [true; 3] {
            return None;
        }
        let permutation = Self { source, negate };
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|unit| permutation.vector(unit));
        (x.cross(y) == z).then_some(permutation)
    }

    /// Maps a vector; exact.
    #[inline]
    pub fn vector(&self, v: DVec3) -> DVec3 {
        let component = |row: usize| {
            let value = v[self.source[row].index()];
            if self.negate[row] { -value } else { value }
        };
        DVec3::new(component(0), component(1), component(2))
    }

    /// Maps a rotation by conjugation, P·q·P⁻¹: the axis of the turn is a vector, the angle stays; exact.
    #[inline]
    pub fn rotation(&self, q: DQuat) -> DQuat {
        let axis = self.vector(DVec3::new(q.x, q.y, q.z));
        DQuat::from_xyzw(axis.x, axis.y, axis.z, q.w)
    }

    /// The way back; `p.inverse().vector(p.vector(v)) == v` to the bit.
    pub fn inverse(&self) -> Self {
        let mut inverse = Self::IDENTITY;
        for row in 0..3 {
            let column = self.source[row].index();
            inverse.source[column] = Axis::ALL[row];
            inverse.negate[column] = self.negate[row];
        }
        inverse
    }

    /// Which file axis points up, and whether it is flipped.
    pub fn up(&self) -> (Axis, bool) {
        (self.source[1], self.negate[1])
    }
}

/// How a file's lengths and axes map to ours: `metres = metres_per_unit · (axes · file)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameOfReference {
    /// Internal axes from file axes.
    pub internal_from_file: SignedPermutation,
    /// Length of one file unit.
    pub metres_per_unit: f64,
}

impl FrameOfReference {
    /// Metres, Y up.
    pub const INTERNAL: Self = Self { internal_from_file: SignedPermutation::IDENTITY, metres_per_unit: 1.0 };

    /// A file position or offset in metres, Y up.
    #[inline]
    pub fn position_from_file(&self, v: DVec3) -> DVec3 {
        self.internal_from_file.vector(v) * self.metres_per_unit
    }

    /// A position in metres in the file's own unit and axes.
    #[inline]
    pub fn position_to_file(&self, v_m: DVec3) -> DVec3 {
        self.internal_from_file.inverse().vector(v_m / self.metres_per_unit)
    }
}

impl Default for FrameOfReference {
    fn default() -> Self {
        Self::INTERNAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lift_brings_its_axis_up_and_back_exactly() {
        for up in Axis::ALL {
            let p = SignedPermutation::lifting(up);
            assert_eq!(p.vector(up.unit()), DVec3::Y);
            let v = DVec3::new(0.1, -2.7, 3.3e-9);
            assert_eq!(p.inverse().vector(p.vector(v)), v);
            assert_eq!(p.up(), (up, false));
        }
    }

    #[test]
    fn rotations_are_conjugated() {
        let p = SignedPermutation::Y_UP_FROM_Z_UP;
        let q = DQuat::from_scaled_axis(DVec3::new(0.3, -0.8, 1.1));
        let v = DVec3::new(1.0, 2.0, 3.0);
        // p(q v) = (p q p⁻¹)(p v)
        assert!((p.vector(q * v) - p.rotation(q) * p.vector(v)).length() < 1e-15 * 8.0);
    }

    #[test]
    fn mirrors_are_refused() {
        let mirror = [(Axis::X, true), (Axis::Y, false), (Axis::Z, false)];
        assert_eq!(SignedPermutation::from_rows(mirror), None);
        let twice = [(Axis::X, false), (Axis::X, false), (Axis::Z, false)];
        assert_eq!(SignedPermutation::from_rows(twice), None);
    }
}
