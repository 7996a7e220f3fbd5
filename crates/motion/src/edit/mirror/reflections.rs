//! The reflection of each joint's own axes that makes it match its partner.
//!
//! Offsets often leave a choice: a straight bone along X says nothing about Y and Z, and a leaf nothing at all. What is
//! left is chosen so that the mirrored joint turns about where it turned before: otherwise an arm would come out in the
//! right place, but twisted by 180° against all other motions of that skeleton. One choice per joint, with costs
//! between parent and child only, is a small shortest-path problem on the tree, solved exactly from the leaves up.

use crate::clip::Clip;
use crate::edit::place::body_joint;
use crate::ids::{FrameIndex, JointId};
use crate::kinematics::WorldPose;
use crate::skeleton::Skeleton;
use crate::so3;
use glam::{DQuat, DVec3};

/// An improper diagonal matrix: one axis or all three change sign. Each is its own inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reflection {
    /// diag(−1, 1, 1)
    AcrossX,
    /// diag(1, −1, 1)
    AcrossY,
    /// diag(1, 1, −1)
    AcrossZ,
    /// −I
    Point,
}

impl Reflection {
    pub(super) const ALL: [Self; 4] = [Self::AcrossX, Self::AcrossY, Self::AcrossZ, Self::Point];

    /// S·v, exact.
    pub(super) fn vector(self, v: DVec3) -> DVec3 {
        match self {
            Self::AcrossX => DVec3::new(-v.x, v.y, v.z),
            Self::AcrossY => DVec3::new(v.x, -v.y, v.z),
            Self::AcrossZ => DVec3::new(v.x, v.y, -v.z),
            Self::Point => -v,
        }
    }

    /// The half turn −S: diag(−1, 1, 1) = −diag(1, −1, −1), a half turn about X, which is the unit quaternion i.
    fn half_turn(self) -> DQuat {
        match self {
            Self::AcrossX => DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            Self::AcrossY => DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            Self::AcrossZ => DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0),
            Self::Point => DQuat::IDENTITY,
        }
    }

    /// aᵀ·R·b: the two signs cancel, and what remains only permutes and negates the parts of the quaternion; exact.
    pub(super) fn sandwich(a: Self, rotation: DQuat, b: Self) -> DQuat {
        a.half_turn().conjugate() * rotation * b.half_turn()
    }
}

/// One reflection a joint; partners get the same one, so that mirroring twice is the identity.
pub(super) fn find_reflections(clip: &Clip, partners: &[JointId], world: Reflection) -> Vec<Reflection> {
    let skeleton = clip.skeleton();
    let typical = TypicalPose::of(clip);
    let carriers = carriers(skeleton);
    // A pair of partners is one node, named by the smaller id; a node's parent has a smaller id still.
    let node = |joint: JointId| joint.min(partners[joint.index()]);
    let is_node = |joint: &JointId| node(*joint) == *joint;
    // Cheapest choice below and at a node for each reflection of it, and the choice of each node for each reflection
    // above.
    let mut below = vec![[0.0; 4]; skeleton.len()];
    let mut choice = vec![[Reflection::AcrossX; 4]; skeleton.len()];
    for joint in skeleton.ids().rev().filter(is_node) {
        let at_node = Reflection::ALL.map(|own| {
            let is_carrier = carriers[joint.index()];
            let shape = SHAPE_WEIGHT * shape_cost(skeleton, partners, &typical, joint, own);
            let tilt = if is_carrier { tilt_cost(&typical, joint, own) } else { 0.0 };
            below[joint.index()][own as usize] + shape + tilt
        });
        for above in Reflection::ALL {
            let cost = |own: Reflection| {
                let turn = match carriers[joint.index()] {
                    true => preference(own, world),
                    false => turn_cost(partners, &typical, joint, above, own) + preference(own, above),
                };
                at_node[own as usize] + turn
            };
            let best = Reflection::ALL.into_iter().min_by(|&a, &b| cost(a).total_cmp(&cost(b)));
            let best = best.unwrap_or(world);
            choice[joint.index()][above as usize] = best;
            if let Some(parent) = skeleton.parent(joint) {
                below[node(parent).index()][above as usize] += cost(best);
            }
        }
    }
    let mut reflections = vec![world; skeleton.len()];
    for joint in skeleton.ids().filter(is_node) {
        let above = skeleton.parent(joint).map_or(world, |parent| reflections[parent.index()]);
        let own = choice[joint.index()][above as usize];
        reflections[joint.index()] = own;
        reflections[partners[joint.index()].index()] = own;
    }
    reflections
}

/// Relative squared differences of bones against squared angles: sides that differ by 5% weigh 0.25, a bone that points
/// the other way 400, a joint turned by 180° (π)² ≈ 10. So a clear shape decides, and a crooked spine does not.
const SHAPE_WEIGHT: f64 = 100.0;

/// Where nothing else speaks, a joint does as its parent, and what carries the body as the world.
fn preference(own: Reflection, other: Reflection) -> f64 {
    if own == other { 0.0 } else { 1e-3 }
}

/// Roots and what carries the body: their rotation holds the heading in the world, which a mirror turns round; only
/// their tilt tells.
fn carriers(skeleton: &Skeleton) -> Vec<bool> {
    let body = body_joint(skeleton);
    skeleton.ids().map(|joint| skeleton.parent(joint).is_none() || skeleton.is_in_subtree(body, joint)).collect()
}

/// Σ |S·t_c − t_σc|² / Σ |t_c|² over what hangs at the joint and at its partner, children and end sites, for bones of
/// equal length. Of a pair of unequal length the relative difference counts, with the weight of the shorter: a broken
/// marker a metre away says nothing.
fn shape_cost(
    skeleton: &Skeleton,
    partners: &[JointId],
    typical: &TypicalPose,
    joint: JointId,
    own: Reflection,
) -> f64 {
    let (mut difference, mut size) = (0.0, 0.0);
    let mut compare = |a_m: DVec3, b_m: DVec3| {
        let (a_squared, b_squared) = (a_m.length_squared(), b_m.length_squared());
        let (shorter, longer) = (a_squared.min(b_squared), a_squared.max(b_squared));
        if longer > 0.0 {
            difference += shorter * (own.vector(a_m) - b_m).length_squared() / longer;
            size += shorter;
        }
    };
    // The partner's children give the same terms again, S being its own inverse.
    for child in skeleton.children(joint) {
        let partner = partners[child.index()];
        compare(typical.translations_m[child.index()], typical.translations_m[partner.index()]);
    }
    let (ends, partner_ends) = (&skeleton.joint(joint).end_sites, &skeleton.joint(partners[joint.index()]).end_sites);
    for (end, partner_end) in ends.iter().zip(partner_ends) {
        compare(end.offset_m, partner_end.offset_m);
    }
    if size > 0.0 { difference / size } else { 0.0 }
}

/// Up in the joint's frame is u = Wᵀ·y; mirrored it is (M·W·S)ᵀ·y = S·u. It should stay where it is.
fn tilt_cost(typical: &TypicalPose, joint: JointId, own: Reflection) -> f64 {
    let up = typical.up_in_joint[joint.index()];
    if up == DVec3::ZERO { 0.0 } else { up.angle_between(own.vector(up)).powi(2) }
}

/// Squared angles between the mirrored and the joint's own mean rotation, for the joint and its partner.
fn turn_cost(partners: &[JointId], typical: &TypicalPose, joint: JointId, above: Reflection, own: Reflection) -> f64 {
    let partner = partners[joint.index()];
    let angle_rad = |to: JointId, from: JointId| {
        let mirrored = Reflection::sandwich(above, typical.rotations[from.index()], own);
        so3::angle_between(mirrored, typical.rotations[to.index()])
    };
    angle_rad(joint, partner).powi(2) + angle_rad(partner, joint).powi(2)
}

/// Means over the clip, for each joint.
struct TypicalPose {
    /// Local rotations.
    rotations: Vec<DQuat>,
    /// Tracks or offsets. In some files offsets are placeholders, and only the tracks tell the bones.
    translations_m: Vec<DVec3>,
    /// The world's up in the joint's frame; unit length, or zero if it averages out.
    up_in_joint: Vec<DVec3>,
}

/// Enough to average a motion of any length.
const TYPICAL_FRAMES: usize = 200;

impl TypicalPose {
    fn of(clip: &Clip) -> Self {
        let skeleton = clip.skeleton();
        let joints = skeleton.len();
        let mut rotations = vec![DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0); joints];
        let mut translations_m = vec![DVec3::ZERO; joints];
        let mut up_in_joint = vec![DVec3::ZERO; joints];
        let mut pose = WorldPose::for_skeleton(skeleton);
        let stride = clip.frame_count().div_ceil(TYPICAL_FRAMES).max(1);
        let mut count = 0.0;
        for frame in (0..clip.frame_count()).step_by(stride).map(FrameIndex) {
            pose.pose(clip, frame);
            for (joint, &rotation) in clip.rotations_at(frame).iter().enumerate() {
                let sign = if rotations[joint].dot(rotation) < 0.0 { -1.0 } else { 1.0 };
                rotations[joint] += rotation * sign;
                up_in_joint[joint] += pose.world_from_joint[joint].conjugate() * DVec3::Y;
                translations_m[joint] += clip.translation_m(frame, JointId::new(joint));
            }
            count += 1.0;
        }
        if count == 0.0 {
            rotations.fill(DQuat::IDENTITY);
            up_in_joint.fill(DVec3::Y);
            translations_m = skeleton.joints().iter().map(|joint| joint.offset_m).collect();
            count = 1.0;
        }
        rotations.iter_mut().for_each(|sum| *sum = sum.normalize());
        up_in_joint.iter_mut().for_each(|sum| *sum = sum.normalize_or_zero());
        translations_m.iter_mut().for_each(|sum| *sum /= count);
        Self { rotations, translations_m, up_in_joint }
    }
}
