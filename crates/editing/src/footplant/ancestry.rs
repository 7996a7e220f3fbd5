//! Which joints must be posed to know where some of them are.

use aplomb_motion::{JointId, Skeleton};

/// These joints and everything above them, sorted.
pub(crate) fn closed_upward(skeleton: &Skeleton, joints: impl Iterator<Item = JointId>) -> Vec<JointId> {
    let mut all: Vec<JointId> = joints.flat_map(|joint| skeleton.ancestors(joint).collect::<Vec<_>>()).collect();
    all.sort();
    all.dedup();
    all
}
