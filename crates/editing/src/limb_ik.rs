//! Two-bone inverse kinematics in closed form: the hand or foot goes to its goal, the elbow or knee swivels about
//! the line from shoulder or hip to it (Korein & Badler 1982; Tolani, Goswami & Badler 2000).
//!
//! The middle joint is a hinge. With k its axis, a the vector from root to middle and b from middle to end, both split
//! along and across k, the distance D between root and end depends on the flexion φ alone:
//!
//! D² = |a|² + |b|² + 2 a∥b∥ + 2 |a⊥||b⊥| cos φ
//!
//! which is solved for φ; then the root turns the end towards its goal, and turns about that line by the swivel. Joints
//! between the three (twist bones) keep their rotations: a and b are the rigid vectors across them. φ never passes
//! straight (0), so a knee cannot bend forwards; one that the capture has bent forwards stays so while it is asked for
//! about the same bend ([`Hinge`]). Close to full reach the distance is eased ([`Reach`]): without that the knee's
//! speed is unbounded when a leg straightens, which shows as a pop.

mod hinge;
mod reach;

pub use hinge::Hinge;
pub(crate) use hinge::hinge_axis_from_motion;
pub use reach::Reach;
pub(crate) use reach::{DROP_WINDOW_SECS, MOST_DROP_SHARE};

use crate::EditingError;
use aplomb_motion::{BodyPlan, Clip, FrameIndex, JointId, LimbKind, Roles, Side, Skeleton};
use glam::{DQuat, DVec3};
use hinge::{hinge_axis_from_anatomy, knee_axis};

/// Which way the elbow or knee points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swivel {
    /// As in the pose given: the limb is turned by the shortest arc only, then by `turn_rad` about the line from root
    /// to goal.
    Kept {
        /// Positive by the right hand, seen along root → goal.
        turn_rad: f64,
    },
    /// Absolute: at angle 0 the middle joint lies on the side of `reference_in_world`, seen from the line root → goal.
    /// Where the reference runs along that line the angle has no meaning and the swivel is kept.
    About {
        /// A direction, of any length.
        reference_in_world: DVec3,
        /// Positive by the right hand, seen along root → goal.
        angle_rad: f64,
    },
}

/// What becomes of the hand's or foot's own rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EndRotation {
    /// The same in the world as in the pose given: a planted foot stays flat.
    KeptInWorld,
    /// The same against the forearm or shank.
    KeptLocal,
    /// This one, world-from-end.
    World(DQuat),
}

/// Where a limb shall go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbGoal {
    /// The hand's or foot's joint centre.
    pub end_in_world_m: DVec3,
    /// Its rotation.
    pub end_rotation: EndRotation,
    /// Elbow or knee.
    pub swivel: Swivel,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbSolution {
    /// How far the end stays from its goal: zero when the goal is inside the exact reach.
    pub miss_m: f64,
    /// Flexion of the middle joint, 0 = straight.
    pub flexion_rad: f64,
}

/// One limb of one skeleton, ready to be solved in any number of frames without allocation.
#[derive(Clone, Debug, PartialEq)]
pub struct LimbIk {
    /// Root first, end last, with every joint between them.
    chain: Vec<JointId>,
    /// Position of the middle joint in the chain.
    middle: usize,
    hinge: Hinge,
    reach: Reach,
}

impl LimbIk {
    /// A limb from `root` (upper arm, thigh) over `middle` (forearm, shank) to `end` (hand, foot); other joints may lie
    /// between.
    pub fn new(
        skeleton: &Skeleton,
        [root, middle, end]: [JointId; 3],
        hinge: Hinge,
        reach: Reach,
    ) -> Result<Self, EditingError> {
        let joints = skeleton.len();
        if let Some(joint) = [root, middle, end].iter().map(|id| id.index()).find(|&joint| joint >= joints) {
            return Err(EditingError::UnknownJoint { joint, joints });
        }
        let name = |id: JointId| skeleton.joint(id).name.clone();
        let is_limb = root != middle
            && middle != end
            && skeleton.is_in_subtree(middle, root)
            && skeleton.is_in_subtree(end, middle);
        if !is_limb {
            return Err(EditingError::NotAChain { root: name(root), middle: name(middle), end: name(end) });
        }
        let mut chain: Vec<JointId> = skeleton.ancestors(end).take_while(|&id| id != root).collect();
        chain.push(root);
        chain.reverse();
        let position = chain.iter().position(|&id| id == middle).unwrap_or(1);
        for (from, to, bones) in [(root, middle, &chain[1..=position]), (middle, end, &chain[position + 1..])] {
            if bones.iter().map(|&id| skeleton.joint(id).offset_m.length()).sum::<f64>() <= 0.0 {
                return Err(EditingError::NoBone { from: name(from), to: name(to) });
            }
        }
        Ok(Self { chain, middle: position, hinge: hinge.checked()?, reach: reach.checked()? })
    }

    /// The limb that a clip's roles name: its hinge from the clip's motion where that bends the limb, else from
    /// anatomy.
    pub(crate) fn for_role(
        clip: &Clip,
        roles: &Roles,
        side: Side,
        kind: LimbKind,
        reach: Reach,
    ) -> Result<Self, EditingError> {
        let limb = roles.limb(side, kind).ok_or_else(|| EditingError::no_limb(roles, side, kind))?;
        let joints = [limb.root, limb.middle, limb.end];
        let axis = hinge_axis_from_motion(clip, joints);
        let axis = match (kind, roles.plan()) {
            // Legs of a person who stands overstretched for most of a clip would vote for a knee that bends backward.
            (LimbKind::Leg, BodyPlan::Biped) => knee_axis(clip, roles, joints, axis).or(axis),
            _ => axis,
        };
        let axis = axis.or_else(|| hinge_axis_from_anatomy(clip, roles, side, kind));
        let problem = || "neither its motion nor its rest pose tells which way it bends".to_owned();
        let axis = axis.ok_or_else(|| EditingError::NoLimb { side, kind, problem: problem() })?;
        Self::new(clip.skeleton(), joints, Hinge::about(axis), reach)
    }

    /// Upper arm or thigh.
    pub fn root(&self) -> JointId {
        self.chain[0]
    }

    /// Forearm or shank.
    pub fn middle(&self) -> JointId {
        self.chain[self.middle]
    }

    /// Hand or foot.
    pub fn end(&self) -> JointId {
        self.chain[self.chain.len() - 1]
    }

    /// The hinge of the middle joint.
    pub fn hinge(&self) -> Hinge {
        self.hinge
    }

    /// The longest distance from root to end that the hinge allows in this pose.
    pub fn longest_m(&self, skeleton: &Skeleton, rotations: &[DQuat]) -> f64 {
        let offset_m = |index: usize| skeleton.joint(self.chain[index]).offset_m;
        let local = |index: usize| rotations[self.chain[index].index()];
        let (a, root_from_hinge) = span(&offset_m, local, 0, self.middle);
        let (b, _) = span(&offset_m, local, self.middle, self.chain.len() - 1);
        let bend = self.hinge.measure(root_from_hinge.conjugate() * a, local(self.middle) * b);
        bend.distance_range_m(&self.hinge).1
    }

    /// Every joint from root to end.
    pub fn chain(&self) -> &[JointId] {
        &self.chain
    }

    /// Solves one frame of a clip in place, with bones as long as they are in that frame. `place` is the rotation of
    /// the limb's parent joint (world-from-parent) and the position of the limb's root joint in the world.
    pub(crate) fn solve_placed(
        &self,
        clip: &mut Clip,
        frame: FrameIndex,
        place: (DQuat, DVec3),
        goal: &LimbGoal,
    ) -> LimbSolution {
        let skeleton = clip.skeleton().clone();
        if clip.tracks().iter().any(|track| self.chain[1..].contains(&track.joint)) {
            let offsets: Vec<DVec3> = self.chain.iter().map(|&joint| clip.translation_m(frame, joint)).collect();
            return self.solve_with(|index| offsets[index], place, clip.rotations_at_mut(frame), goal);
        }
        self.solve(&skeleton, place, clip.rotations_at_mut(frame), goal)
    }

    /// Solves one pose in place: `rotations` are the local rotations of all joints, `place` is the rotation of the
    /// limb's parent joint (world-from-parent) and the position of the limb's root joint in the world.
    pub fn solve(
        &self,
        skeleton: &Skeleton,
        place: (DQuat, DVec3),
        rotations: &mut [DQuat],
        goal: &LimbGoal,
    ) -> LimbSolution {
        self.solve_with(|index| skeleton.joint(self.chain[index]).offset_m, place, rotations, goal)
    }

    /// The same with bones as long as `offset_m` says, by position in the chain.
    pub(crate) fn solve_with(
        &self,
        offset_m: impl Fn(usize) -> DVec3,
        (world_from_parent, root_in_world_m): (DQuat, DVec3),
        rotations: &mut [DQuat],
        goal: &LimbGoal,
    ) -> LimbSolution {
        let end = self.chain.len() - 1;
        let local = |index: usize| rotations[self.chain[index].index()];
        // Rigid parts: root frame from the middle's parent frame, and the middle's frame from the end's parent frame.
        let (a, root_from_hinge) = span(&offset_m, local, 0, self.middle);
        let (b, middle_from_wrist) = span(&offset_m, local, self.middle, end);
        let middle_local = local(self.middle);
        let world_from_root = world_from_parent * local(0);

        // Flexion, in the frame of the middle's parent, which carries the hinge.
        let a_in_hinge = root_from_hinge.conjugate() * a;
        let bend = self.hinge.measure(a_in_hinge, middle_local * b);
        let goal_m = goal.end_in_world_m - root_in_world_m;
        let distance_m = self.reach.ease(goal_m.length(), bend.distance_range_m(&self.hinge));
        // A limb that already reaches so far keeps its bend to the bit: near straight, where captured knees often are,
        // the law of cosines would turn rounding into degrees, and a knee that is a little overstretched would be bent
        // the other way.
        let is_as_far = (goal_m.length() - (a_in_hinge + middle_local * b).length()).abs() <= SAME_DISTANCE_M;
        let (flexion_rad, bent) = match is_as_far {
            true => (bend.flexion_rad, DQuat::IDENTITY),
            false => self.hinge.bent_to(&bend, distance_m, (a_in_hinge, middle_local * b)),
        };
        let new_middle = unit(bent * middle_local);

        // Aim.
        let root_to_end = a + root_from_hinge * (new_middle * b);
        let aim = goal_m.try_normalize().unwrap_or_else(|| (world_from_root * root_to_end).normalize_or(DVec3::NEG_Y));
        let axis_in_root = root_from_hinge * bend.axis;
        let turned = |root: DQuat| shortest_arc(root * root_to_end, aim, root * axis_in_root) * root;
        let mut new_root = turned(world_from_root);
        // Next to a half turn the shortest arc is only accurate to the root of rounding: there it is taken twice.
        if (world_from_root * root_to_end).dot(aim) < 0.0 {
            new_root = turned(new_root);
        }
        new_root = swivel_turn(goal.swivel, aim, new_root * axis_in_root) * new_root;
        new_root = unit(new_root);

        let world_from_wrist = new_root * root_from_hinge * new_middle * middle_from_wrist;
        let end_local = match goal.end_rotation {
            EndRotation::KeptLocal => local(end),
            EndRotation::KeptInWorld => {
                let old_end = world_from_root * root_from_hinge * middle_local * middle_from_wrist * local(end);
                unit(world_from_wrist.conjugate() * old_end)
            }
            EndRotation::World(world_from_end) => unit(world_from_wrist.conjugate() * world_from_end),
        };
        rotations[self.chain[0].index()] = unit(world_from_parent.conjugate() * new_root);
        rotations[self.chain[self.middle].index()] = new_middle;
        rotations[self.chain[end].index()] = end_local;
        LimbSolution { miss_m: (new_root * root_to_end - goal_m).length(), flexion_rad }
    }
}

/// Distances nearer than this to each other are the same, m: far below what is seen, and above the rounding of sums of
/// metres.
const SAME_DISTANCE_M: f64 = 1e-8;

/// Vector from joint `from` to joint `to` of the chain and rotation of `to`'s parent, both in the frame of `from`.
fn span(offset_m: &impl Fn(usize) -> DVec3, local: impl Fn(usize) -> DQuat, from: usize, to: usize) -> (DVec3, DQuat) {
    let (mut vector, mut rotation) = (DVec3::ZERO, DQuat::IDENTITY);
    for index in from + 1..to {
        vector += rotation * offset_m(index);
        rotation *= local(index);
    }
    (vector + rotation * offset_m(to), rotation)
}

/// The rotation by the shortest arc from the direction of `from` to the unit vector `to`; a half turn goes about
/// `spare_axis`.
pub(crate) fn shortest_arc(from: DVec3, to: DVec3, spare_axis: DVec3) -> DQuat {
    let from = from.normalize_or(to);
    // q = (u × h, u · h) with h halfway: no cancellation for small angles, unlike a formula through acos.
    let (sum, length) = (from + to, (from + to).length());
    match length > 1e-7 {
        true => {
            let half = sum / length;
            let v = from.cross(half);
            unit(DQuat::from_xyzw(v.x, v.y, v.z, from.dot(half)))
        }
        false => {
            let across = (spare_axis - to * spare_axis.dot(to)).normalize_or(to.any_orthonormal_vector());
            DQuat::from_xyzw(across.x, across.y, across.z, 0.0)
        }
    }
}

/// Of unit length. A product of unit quaternions, or a mean of neighbours, hardly misses it: with |q|² = 1 + δ, 1/|q| =
/// 1 − δ/2 + 3δ²/8 − 5δ³/16 + …, whose next term is 0.27 δ⁴, below rounding up to δ = 10⁻⁴ (a mean of rotations 1°
/// apart). That saves a root and a division for each joint and frame of a dragged path.
pub(crate) fn unit(q: DQuat) -> DQuat {
    let beyond = q.length_squared() - 1.0;
    if beyond.abs() > 1e-4 {
        return q.normalize();
    }
    q * (1.0 - beyond * (0.5 - beyond * (0.375 - beyond * 0.3125)))
}

/// The turn about `aim` that brings the middle joint to its side. The side is read off the hinge axis and not off the
/// joint's own distance from the line, which vanishes in a straight limb.
fn swivel_turn(swivel: Swivel, aim: DVec3, hinge_axis_in_world: DVec3) -> DQuat {
    let turn_rad = match swivel {
        Swivel::Kept { turn_rad: 0.0 } => return DQuat::IDENTITY,
        Swivel::Kept { turn_rad } => turn_rad,
        Swivel::About { reference_in_world, angle_rad } => {
            let side = aim.cross(hinge_axis_in_world);
            let reference = reference_in_world - aim * reference_in_world.dot(aim);
            // A reference within 1e-9 of the line is a matter of rounding only.
            if reference.length() <= 1e-9 * reference_in_world.length() {
                0.0
            } else {
                aim.dot(side.cross(reference)).atan2(side.dot(reference)) + angle_rad
            }
        }
    };
    DQuat::from_axis_angle(aim, turn_rad)
}

#[cfg(test)]
mod tests;
