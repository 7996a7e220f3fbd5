//! The tree of joints: names, parents, offsets, end sites and the channel layout each joint had in its file.

use crate::channels::Channels;
use crate::ids::JointId;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What makes a skeleton unusable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkeletonError {
    /// Nothing to move.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// Parents come before their children.
    #[error("joint {joint} ({name:?}) has parent {parent}, which does not come before it")]
    ParentOrder {
        /// Index of the joint.
        joint: usize,
        /// Its name.
        name: String,
        /// Index of the parent it names.
        parent: usize,
    },
    /// Offsets are finite.
    #[error("joint {joint} ({name:?}) has an offset that is not finite: {offset_m}")]
    Offset {
        /// Index of the joint.
        joint: usize,
        /// Its name.
        name: String,
        /// The offset.
        offset_m: DVec3,
    },
    /// Ids are 32 bits.
    #[error("{found} joints are more than a skeleton can hold")]
    TooMany {
        /// Number of joints.
        found: usize,
    },
}

/// A point that ends a chain: it moves with its joint and has no rotation of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndSite {
    /// Some files name their end sites.
    pub name: Option<String>,
    /// From the joint, in the joint's frame.
    pub offset_m: DVec3,
}

/// One joint. Its rest rotation is the identity: the rest pose is the offsets alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// As shown to people; need not be unique, identity is the [`JointId`].
    pub name: String,
    /// `None` for a root; there may be several roots.
    pub parent: Option<JointId>,
    /// From the parent joint, in the parent's frame. A translation track, where a clip has one, replaces it.
    pub offset_m: DVec3,
    /// Numbers per frame in the file, in order.
    pub channels: Channels,
    /// Usually none, or one at the end of a chain.
    pub end_sites: Vec<EndSite>,
}

/// An immutable tree of joints, parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// Children of joint j are `children[first_child[j]..first_child[j + 1]]`, in order.
    first_child: Vec<u32>,
    children: Vec<JointId>,
    by_name: HashMap<String, JointId>,
}

impl Skeleton {
    /// Validates and indexes a list of joints.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        if joints.len() >= u32::MAX as usize {
            return Err(SkeletonError::TooMany { found: joints.len() });
        }
        for (index, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent.filter(|parent| parent.index() >= index) {
                let name = joint.name.clone();
                return Err(SkeletonError::ParentOrder { joint: index, name, parent: parent.index() });
            }
            let mut offsets = std::iter::once(joint.offset_m).chain(joint.end_sites.iter().map(|end| end.offset_m));
            if let Some(offset_m) = offsets.find(|offset| !offset.is_finite()) {
                return Err(SkeletonError::Offset { joint: index, name: joint.name.clone(), offset_m });
            }
        }
        let (first_child, children) = index_children(&joints);
        let mut by_name = HashMap::with_capacity(joints.len());
        for (index, joint) in joints.iter().enumerate() {
            // Names may repeat: the first joint of a name answers to it.
            by_name.entry(joint.name.clone()).or_insert(JointId::new(index));
        }
        Ok(Self { joints, first_child, children, by_name })
    }

    /// A builder for code that makes skeletons joint by joint.
    pub fn builder() -> SkeletonBuilder {
        SkeletonBuilder::default()
    }

    /// Number of joints, end sites not counted.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Never true: a skeleton has a joint.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// All joints, parents before children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// One joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// Ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + use<> {
        (0..self.joints.len()).map(JointId::new)
    }

    /// Parent of a joint.
    pub fn parent(&self, id: JointId) -> Option<JointId> {
        self.joints[id.index()].parent
    }

    /// Children of a joint, in order.
    pub fn children(&self, id: JointId) -> &[JointId] {
        let range = self.first_child[id.index()] as usize..self.first_child[id.index() + 1] as usize;
        &self.children[range]
    }

    /// Joints without a parent.
    pub fn roots(&self) -> impl Iterator<Item = JointId> + '_ {
        self.ids().filter(|&id| self.parent(id).is_none())
    }

    /// First joint with exactly this name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.by_name.get(name).copied()
    }

    /// The joint itself, its parent, and so on up to its root.
    pub fn ancestors(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        std::iter::successors(Some(id), |&joint| self.parent(joint))
    }

    /// Number of joints above this one.
    pub fn depth(&self, id: JointId) -> usize {
        self.ancestors(id).count() - 1
    }

    /// Whether `ancestor` is `joint` or above it.
    pub fn is_in_subtree(&self, joint: JointId, ancestor: JointId) -> bool {
        self.ancestors(joint).any(|id| id == ancestor)
    }

    /// Positions of all joints with every rotation at identity and no animated translation.
    pub fn rest_positions_m(&self) -> Vec<DVec3> {
        let mut positions: Vec<DVec3> = Vec::with_capacity(self.len());
        for joint in &self.joints {
            let parent = joint.parent.map_or(DVec3::ZERO, |parent| positions[parent.index()]);
            positions.push(parent + joint.offset_m);
        }
        positions
    }

    /// A copy with every joint changed by `edit`; the result is validated again.
    pub fn map_joints(&self, mut edit: impl FnMut(JointId, &mut Joint)) -> Result<Self, SkeletonError> {
        let mut joints = self.joints.clone();
        for (index, joint) in joints.iter_mut().enumerate() {
            edit(JointId::new(index), joint);
        }
        Self::new(joints)
    }
}

/// Compressed rows: children of each joint in order, without a vector per joint.
fn index_children(joints: &[Joint]) -> (Vec<u32>, Vec<JointId>) {
    let mut first_child = vec![0u32; joints.len() + 1];
    for parent in joints.iter().filter_map(|joint| joint.parent) {
        first_child[parent.index() + 1] += 1;
    }
    for index in 0..joints.len() {
        first_child[index + 1] += first_child[index];
    }
    let mut next = first_child.clone();
    let child_count = first_child[joints.len()] as usize;
    let mut children = vec![JointId::new(0); child_count];
    for (index, joint) in joints.iter().enumerate() {
        if let Some(parent) = joint.parent {
            let slot = &mut next[parent.index()];
            children[*slot as usize] = JointId::new(index);
            *slot += 1;
        }
    }
    (first_child, children)
}

/// Makes a [`Skeleton`] joint by joint.
#[derive(Clone, Debug, Default)]
pub struct SkeletonBuilder {
    joints: Vec<Joint>,
}

impl SkeletonBuilder {
    /// Adds a joint below `parent` (or a root) and returns its id.
    pub fn add(
        &mut self,
        parent: Option<JointId>,
        name: impl Into<String>,
        offset_m: DVec3,
        channels: Channels,
    ) -> JointId {
        self.joints.push(Joint { name: name.into(), parent, offset_m, channels, end_sites: Vec::new() });
        JointId::new(self.joints.len() - 1)
    }

    /// Ends a chain at `offset_m` from `joint`, in its frame.
    pub fn end_site(&mut self, joint: JointId, offset_m: DVec3) -> &mut Self {
        if let Some(joint) = self.joints.get_mut(joint.index()) {
            joint.end_sites.push(EndSite { name: None, offset_m });
        }
        self
    }

    /// Validates.
    pub fn build(self) -> Result<Skeleton, SkeletonError> {
        Skeleton::new(self.joints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> SkeletonBuilder {
        let mut builder = Skeleton::builder();
        let hips = builder.add(None, "Hips", DVec3::Y, Channels::default());
        let leg = builder.add(Some(hips), "Leg", -DVec3::Y, Channels::default());
        builder.add(Some(hips), "Spine", DVec3::Y, Channels::default());
        builder.end_site(leg, -DVec3::Y);
        builder
    }

    #[test]
    fn children_and_ancestors_agree() {
        let skeleton = chain().build().unwrap();
        let hips = skeleton.find("Hips").unwrap();
        let names: Vec<&str> = skeleton.children(hips).iter().map(|&id| skeleton.joint(id).name.as_str()).collect();
        assert_eq!(names, ["Leg", "Spine"]);
        let leg = skeleton.find("Leg").unwrap();
        assert!(skeleton.is_in_subtree(leg, hips) && !skeleton.is_in_subtree(hips, leg));
        assert_eq!((skeleton.depth(hips), skeleton.depth(leg)), (0, 1));
        assert_eq!(skeleton.rest_positions_m()[2], DVec3::Y * 2.0);
    }

    #[test]
    fn children_before_parents_are_refused() {
        let mut builder = chain();
        builder.joints[1].parent = Some(JointId::new(2));
        assert!(matches!(builder.build(), Err(SkeletonError::ParentOrder { joint: 1, parent: 2, .. })));
        assert_eq!(Skeleton::builder().build(), Err(SkeletonError::Empty));
    }

    #[test]
    fn repeated_names_keep_their_own_ids() {
        let mut builder = chain();
        let twin = builder.add(Some(JointId::new(0)), "Leg", DVec3::X, Channels::default());
        let skeleton = builder.build().unwrap();
        assert_ne!(skeleton.find("Leg"), Some(twin));
        assert_eq!(skeleton.joint(twin).name, "Leg");
    }
}
