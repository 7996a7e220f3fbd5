//! One bone: its vector, its axis frame and its degrees of freedom.

use aplomb_motion::{Axis, Channel, Channels, euler};
use arrayvec::ArrayVec;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// One animated number of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dof {
    /// `rx`, `ry`, `rz`: a turn about an axis of the bone's axis frame.
    Rotation(Axis),
    /// `tx`, `ty`, `tz`: a shift along such an axis, in file units.
    Translation(Axis),
    /// `l`: added to the bone's length, so that 0 is rest like for every other degree of freedom.
    Length,
}

impl Dof {
    /// From its token, in any case.
    pub fn from_token(token: &[u8]) -> Option<Self> {
        match token.to_ascii_lowercase().as_slice() {
            b"rx" => Some(Dof::Rotation(Axis::X)),
            b"ry" => Some(Dof::Rotation(Axis::Y)),
            b"rz" => Some(Dof::Rotation(Axis::Z)),
            b"tx" => Some(Dof::Translation(Axis::X)),
            b"ty" => Some(Dof::Translation(Axis::Y)),
            b"tz" => Some(Dof::Translation(Axis::Z)),
            b"l" => Some(Dof::Length),
            _ => None,
        }
    }

    /// Its token in lower case.
    pub fn token(self) -> &'static str {
        match self {
            Dof::Rotation(Axis::X) => "rx",
            Dof::Rotation(Axis::Y) => "ry",
            Dof::Rotation(Axis::Z) => "rz",
            Dof::Translation(Axis::X) => "tx",
            Dof::Translation(Axis::Y) => "ty",
            Dof::Translation(Axis::Z) => "tz",
            Dof::Length => "l",
        }
    }

    /// Whether its values are angles.
    pub fn is_rotation(self) -> bool {
        matches!(self, Dof::Rotation(_))
    }
}

/// A bone of an ASF file, or its root. The bone's joint sits where its parent bone ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// As shown to people; bytes that are not UTF-8 are replaced.
    pub name: String,
    /// As it stands in the file.
    pub(super) raw_name: Vec<u8>,
    /// Where the name stands.
    pub(super) name_offset: usize,
    /// Towards the bone's end, in the frame all rest rotations share. Zero for the root.
    pub direction: DVec3,
    /// In file units. Zero for the root.
    pub length: f64,
    /// The axis frame C: motion is given in it. For the root, the preset orientation.
    pub axis_frame: DQuat,
    /// In file order, without repetition.
    pub dof: ArrayVec<Dof, 7>,
    /// One pair a degree of freedom, degrees or file units; may be fewer than `dof` in careless files.
    pub limits: Vec<(f64, f64)>,
    /// Index into [`super::AsfDocument::bones`]; `None` for the root and for bones outside the hierarchy.
    pub parent: Option<usize>,
    /// This bone's values within a frame of [`super::AmcDocument`].
    pub columns: Range<usize>,
}

impl Bone {
    /// The name as it stands in the file; it need not be UTF-8.
    pub fn raw_name(&self) -> &[u8] {
        &self.raw_name
    }

    /// From the bone's joint to its end in rest, file units.
    pub fn vector(&self) -> DVec3 {
        self.direction * self.length
    }

    /// Slots of the rotations within the bone's values, in the order of *intrinsic* composition.
    ///
    /// The first listed dof is applied first about fixed axes, M = R(dof_n)···R(dof_1): read from left to right, as
    /// intrinsic rotations are, the last one stands first.
    pub(super) fn rotation_slots(&self) -> ArrayVec<(usize, Axis), 3> {
        let rotation = |(slot, dof): (usize, &Dof)| match dof {
            Dof::Rotation(axis) => Some((slot, *axis)),
            _ => None,
        };
        self.dof.iter().enumerate().filter_map(rotation).collect::<ArrayVec<_, 3>>().into_iter().rev().collect()
    }

    /// Slots of `tx ty tz`.
    pub(super) fn translation_slots(&self) -> ArrayVec<(usize, Axis), 3> {
        let translation = |(slot, dof): (usize, &Dof)| match dof {
            Dof::Translation(axis) => Some((slot, *axis)),
            _ => None,
        };
        self.dof.iter().enumerate().filter_map(translation).collect()
    }

    /// Slot of `l`.
    pub(super) fn length_slot(&self) -> Option<usize> {
        self.dof.iter().position(|dof| *dof == Dof::Length)
    }

    /// The degrees of freedom as a joint's channels: translations in file order, rotations as intrinsic axes.
    pub(super) fn channels(&self) -> Channels {
        let mut rotations = self.rotation_slots().into_iter();
        let channel = |dof: &Dof| match dof {
            Dof::Translation(axis) => Some(Channel::Position(*axis)),
            Dof::Rotation(_) => rotations.next().map(|(_, axis)| Channel::Rotation(axis)),
            Dof::Length => None,
        };
        let list: ArrayVec<Channel, 6> = self.dof.iter().filter_map(channel).collect();
        // A dof list has no repetition, so neither have its channels.
        Channels::new(&list).unwrap_or_default()
    }
}

/// Turns about fixed axes, the first letter of `order` first: "XYZ" gives Rz·Ry·Rx. `angles_deg` are about x, y, z.
pub(super) fn fixed_axes_rotation(order: [Axis; 3], angles_deg: [f64; 3]) -> DQuat {
    let [first, second, third] = order;
    let angle = |axis: Axis| angles_deg[axis.index()];
    euler::rotation_from_deg(&[third, second, first], &[angle(third), angle(second), angle(first)])
}

/// "XYZ", "zyx", …; `None` unless each axis stands there once.
pub(super) fn axis_order(token: &[u8]) -> Option<[Axis; 3]> {
    let axis = |letter: u8| match letter.to_ascii_lowercase() {
        b'x' => Some(Axis::X),
        b'y' => Some(Axis::Y),
        b'z' => Some(Axis::Z),
        _ => None,
    };
    let &[first, second, third] = token else { return None };
    let order = [axis(first)?, axis(second)?, axis(third)?];
    Axis::ALL.iter().all(|axis| order.contains(axis)).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_turns_first_about_fixed_axes() {
        // Rx(90°) takes y to z, then Rz(90°) leaves z: about fixed axes in the order XYZ, y ends at z.
        let rotation = fixed_axes_rotation([Axis::X, Axis::Y, Axis::Z], [90.0, 0.0, 90.0]);
        assert!((rotation * DVec3::Y - DVec3::Z).length() < 1e-15);
        // In the order ZYX the turn about z comes first: y goes to −x, which Rx leaves.
        let rotation = fixed_axes_rotation([Axis::Z, Axis::Y, Axis::X], [90.0, 0.0, 90.0]);
        assert!((rotation * DVec3::Y + DVec3::X).length() < 1e-15);
    }

    #[test]
    fn axis_orders_need_each_letter_once() {
        assert_eq!(axis_order(b"zYx"), Some([Axis::Z, Axis::Y, Axis::X]));
        for bad in ["XXY", "XY", "XYZX", "XYW", ""] {
            assert_eq!(axis_order(bad.as_bytes()), None, "{bad}");
        }
    }
}
