//! Which numbers a joint carries per frame, and in which order: the file's own layout, kept so that it can be written
//! back.

use crate::axes::Axis;
use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// One animated number of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// Local translation along an axis.
    Position(Axis),
    /// Rotation about an axis.
    Rotation(Axis),
}

/// A joint's channels in order, without repetition; rotations compose as intrinsic rotations in this order.
///
/// `[Rotation(Z), Rotation(X), Rotation(Y)]` means R = Rz·Rx·Ry (column vectors).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Channels(ArrayVec<Channel, 6>);

impl Channels {
    /// Builds a list; `None` if a channel is repeated (at most six are then possible).
    pub fn new(channels: &[Channel]) -> Option<Self> {
        let mut list = ArrayVec::new();
        for &channel in channels {
            if list.contains(&channel) || list.try_push(channel).is_err() {
                return None;
            }
        }
        Some(Self(list))
    }

    /// Three rotations in the given order, preceded by three positions if `with_position`.
    pub fn rotating(order: [Axis; 3], with_position: bool) -> Self {
        let mut list = ArrayVec::new();
        if with_position {
            list.extend(Axis::ALL.map(Channel::Position));
        }
        list.extend(order.map(Channel::Rotation));
        Self(list)
    }

    /// In file order.
    pub fn as_slice(&self) -> &[Channel] {
        &self.0
    }

    /// Number of values a frame.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// A joint that never moves against its parent.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Rotation axes in the order they compose.
    pub fn rotation_axes(&self) -> ArrayVec<Axis, 3> {
        let axis = |channel: &Channel| match channel {
            Channel::Rotation(axis) => Some(*axis),
            Channel::Position(_) => None,
        };
        self.0.iter().filter_map(axis).collect()
    }

    /// Whether any position channel is present.
    pub fn has_position(&self) -> bool {
        self.0.iter().any(|channel| matches!(channel, Channel::Position(_)))
    }
}
