//! Where the parts of a body belong in its mirror image, and how they are put there in one frame.
//!
//! The turned motion and the mirror image have the same rotations in the world; only their bones differ. So a bone of the
//! one and its counterpart in the other are two directions, and the shortest arc between them is the turn.

use crate::body_root::BodyRoot;
use crate::limb_ik::{EndRotation, LimbGoal, LimbIk, MOST_DROP_SHARE, Reach, Swivel, shortest_arc, unit};
use aplomb_motion::{BodyPlan, Clip, FrameIndex, JointId, LimbKind, Role, Roles, Side, Skeleton, WorldPose, so3};
use glam::{DQuat, DVec3};

/// Legs of people stand almost straight: the last thousandth of a leg is eased, no more, so that feet are where they
/// belong.
const REACH: Reach = Reach { exact_share: 0.999 };

/// Bones shorter than this have no direction to speak of, m.
const LEAST_BONE_M: f64 = 0.01;

/// A joint that turns by less than this all clip long is no joint of the motion's, rad.
const STILL_RAD: f64 = 1e-6;

/// A body in two versions: with its own bones, and as its mirror image.
pub(super) struct Places<'a> {
    turned: &'a Clip,
    image: &'a Clip,
    root: JointId,
    /// Everything from the roots to the limbs and the head, parents first.
    trunk: Vec<TrunkJoint>,
    pub limbs: Vec<Limb>,
}

/// A joint that carries limbs or the head.
struct TrunkJoint {
    joint: JointId,
    /// What it carries of these; empty where it is not turned.
    aims_at: Vec<JointId>,
    /// How far along the way from the pelvis to the head it is, 0 to 1.
    along: f64,
}

/// An arm or leg.
pub(super) struct Limb {
    pub ik: LimbIk,
    /// Whether the body stands on it.
    pub carries: bool,
    /// The joint of the toes, if the foot has one.
    toe: Option<JointId>,
    /// The end of the toes in their joint's frame, own and image's: in the toes if there are any, else in the foot.
    tip_m: Option<(DVec3, DVec3)>,
    /// The ball of the foot in each frame of the image, or the limb's end where it has none.
    pub ball_in_image_m: Vec<DVec3>,
    /// Where the limb's end belongs in each frame.
    goal_m: Vec<DVec3>,
    /// Root of the limb before the body is moved.
    root_m: Vec<DVec3>,
    /// The limb stretched as far as it is planned to be, m.
    reach_m: Vec<f64>,
}

/// Poses, one of each for every thread.
pub(super) struct Scratch {
    own: WorldPose,
    image: WorldPose,
    placed: WorldPose,
}

impl Scratch {
    pub fn for_skeleton(skeleton: &Skeleton) -> Self {
        let pose = WorldPose::for_skeleton(skeleton);
        Self { own: pose.clone(), image: pose.clone(), placed: pose }
    }
}

impl<'a> Places<'a> {
    pub fn of(turned: &'a Clip, image: &'a Clip, roles: &Roles, root: &BodyRoot) -> Self {
        let sides = Side::BOTH.into_iter().flat_map(|side| [(side, LimbKind::Leg), (side, LimbKind::Arm)]);
        let limbs = sides.filter_map(|(side, kind)| Limb::of(turned, image, roles, side, kind)).collect();
        let mut places = Self { turned, image, root: root.joint, trunk: Vec::new(), limbs };
        places.trunk = places.trunk_joints(roles, root);
        let mut scratch = Scratch::for_skeleton(turned.skeleton());
        for frame in turned.frames() {
            scratch.own.pose(turned, frame);
            scratch.image.pose(image, frame);
            for limb in &mut places.limbs {
                limb.look(turned, frame, &scratch);
            }
        }
        places
    }

    fn trunk_joints(&self, roles: &Roles, root: &BodyRoot) -> Vec<TrunkJoint> {
        let skeleton = self.turned.skeleton();
        let head = roles.joint(Role::Head);
        let carried: Vec<JointId> = self.limbs.iter().map(|limb| limb.ik.root()).chain(head).collect();
        let is_trunk = |joint: JointId| carried.iter().any(|&end| skeleton.is_in_subtree(end, joint));
        let mut way_m = vec![0.0; skeleton.len()];
        for joint in skeleton.ids() {
            let Some(parent) = skeleton.parent(joint).filter(|_| joint > root.joint) else { continue };
            way_m[joint.index()] = way_m[parent.index()] + self.turned.translation_m(FrameIndex(0), joint).length();
        }
        let to_head_m = head.map_or(0.0, |head| way_m[head.index()]);
        let hips = roles.joint(Role::Hips).unwrap_or(root.joint);
        let trunk_joint = |joint: JointId| {
            // The pelvis and what carries it face as the image's do, and heads look where they look.
            let is_held = joint <= hips || carried.contains(&joint) || self.is_still(joint);
            let aims_at =
                skeleton.children(joint).iter().copied().filter(|&child| !is_held && is_trunk(child)).collect();
            let along = if to_head_m > 0.0 { (way_m[joint.index()] / to_head_m).min(1.0) } else { 1.0 };
            TrunkJoint { joint, aims_at, along }
        };
        skeleton.ids().filter(|&joint| is_trunk(joint)).map(trunk_joint).collect()
    }

    /// Helpers that never turn are left alone: skeletons have joints that are there for their offset.
    fn is_still(&self, joint: JointId) -> bool {
        let first = self.turned.rotation(FrameIndex(0), joint);
        self.turned.frames().all(|frame| so3::angle_between(first, self.turned.rotation(frame, joint)) < STILL_RAD)
    }

    /// Puts one frame to its places, the body moved by `moved_m`; gives how far each limb's end stays from its own, m.
    pub fn put(&self, frame: FrameIndex, moved_m: DVec3, rotations: &mut [DQuat], scratch: &mut Scratch) -> Vec<f64> {
        scratch.own.pose(self.turned, frame);
        scratch.image.pose(self.image, frame);
        rotations.copy_from_slice(self.turned.rotations_at(frame));
        self.put_trunk(frame, moved_m, rotations, scratch);
        self.limbs.iter().map(|limb| limb.put(self.turned, frame, rotations, scratch)).collect()
    }

    /// From the root up. What the body is moved by is gone again at the head, a little with each bone.
    fn put_trunk(&self, frame: FrameIndex, moved_m: DVec3, rotations: &mut [DQuat], scratch: &mut Scratch) {
        let skeleton = self.turned.skeleton();
        let Scratch { own, image, placed } = scratch;
        let along = |joint: JointId| self.trunk.iter().find(|part| part.joint == joint).map_or(1.0, |part| part.along);
        for TrunkJoint { joint, aims_at, .. } in &self.trunk {
            let index = joint.index();
            let (world_from_parent, parent_m) = match skeleton.parent(*joint) {
                Some(parent) => (placed.world_from_joint[parent.index()], placed.joint_in_world_m[parent.index()]),
                None => (DQuat::IDENTITY, DVec3::ZERO),
            };
            let mut place_m = parent_m + world_from_parent * self.turned.translation_m(frame, *joint);
            if *joint == self.root {
                place_m += moved_m;
            }
            let (mut has_m, mut wants_m) = (DVec3::ZERO, DVec3::ZERO);
            for child in aims_at {
                has_m += own.joint_in_world_m[child.index()] - own.joint_in_world_m[index];
                wants_m += image.joint_in_world_m[child.index()] + moved_m * (1.0 - along(*child)) - place_m;
            }
            placed.joint_in_world_m[index] = place_m;
            placed.world_from_joint[index] = arc(has_m, wants_m) * own.world_from_joint[index];
            rotations[index] = unit(world_from_parent.conjugate() * placed.world_from_joint[index]);
        }
    }
}

impl Limb {
    /// `None` for limbs that are not there, or that nothing tells how they bend.
    fn of(turned: &Clip, image: &Clip, roles: &Roles, side: Side, kind: LimbKind) -> Option<Self> {
        let ik = LimbIk::for_role(turned, roles, side, kind, REACH).ok()?;
        let carries = kind == LimbKind::Leg || roles.plan() == BodyPlan::Quadruped;
        let toe = roles.limb(side, kind).and_then(|limb| limb.tip).filter(|_| carries);
        let holder = toe.unwrap_or(ik.end());
        let farthest = |skeleton: &Skeleton| {
            let ends_m = skeleton.joint(holder).end_sites.iter().map(|end| end.offset_m);
            ends_m.max_by(|a, b| a.length().total_cmp(&b.length())).filter(|end_m| end_m.length() > LEAST_BONE_M)
        };
        let tip_m = farthest(turned.skeleton()).zip(farthest(image.skeleton())).filter(|_| carries);
        let frames = turned.frame_count();
        Some(Self {
            ik,
            carries,
            toe,
            tip_m,
            ball_in_image_m: Vec::with_capacity(frames),
            goal_m: Vec::with_capacity(frames),
            root_m: Vec::with_capacity(frames),
            reach_m: Vec::with_capacity(frames),
        })
    }

    /// Takes in where the limb is, and where it belongs, in this frame.
    fn look(&mut self, turned: &Clip, frame: FrameIndex, scratch: &Scratch) {
        let Scratch { own, image, .. } = scratch;
        let end = self.ik.end().index();
        let (has_m, wants_m) = self.foot_m(own, image);
        let turn = arc(has_m, wants_m);
        let ball_m = image.joint_in_world_m[end] + wants_m;
        self.ball_in_image_m.push(ball_m);
        self.goal_m.push(ball_m - turn * has_m);
        self.root_m.push(own.joint_in_world_m[self.ik.root().index()]);
        let longest_m = self.ik.longest_m(turned.skeleton(), turned.rotations_at(frame));
        self.reach_m.push(REACH.exact_share * longest_m);
    }

    /// From ankle to ball, own and image's, in the world before the foot is turned. Nothing for hands, whose palms are
    /// near the wrist.
    fn foot_m(&self, own: &WorldPose, image: &WorldPose) -> (DVec3, DVec3) {
        let end = self.ik.end().index();
        match (self.toe, self.tip_m) {
            (Some(toe), _) => {
                let from_end = |pose: &WorldPose| pose.joint_in_world_m[toe.index()] - pose.joint_in_world_m[end];
                (from_end(own), from_end(image))
            }
            (None, Some((own_m, image_m))) => {
                (own.world_from_joint[end] * own_m, image.world_from_joint[end] * image_m)
            }
            (None, None) => (DVec3::ZERO, DVec3::ZERO),
        }
    }

    /// How far the body, moved by `moved_m`, must sink for the limb to reach its place: |h − δ·up − a| = r, for the
    /// smaller δ, m.
    pub fn too_far_m(&self, frame: usize, moved_m: DVec3) -> f64 {
        let away_m = self.root_m[frame] + moved_m - self.goal_m[frame];
        let reach_m = self.reach_m[frame];
        if away_m.length_squared() <= reach_m * reach_m {
            return 0.0;
        }
        let beside_m2 = away_m.x * away_m.x + away_m.z * away_m.z;
        let height_m = (reach_m * reach_m - beside_m2).max(0.0).sqrt();
        (away_m.y - height_m).clamp(0.0, MOST_DROP_SHARE * reach_m)
    }

    /// The bones as in the image, then the bend that brings the end to its place; gives how far it stays from it, m.
    fn put(&self, turned: &Clip, frame: FrameIndex, rotations: &mut [DQuat], scratch: &Scratch) -> f64 {
        let Scratch { own, image, placed } = scratch;
        let skeleton = turned.skeleton();
        let [root, middle, end] = [self.ik.root(), self.ik.middle(), self.ik.end()];
        let bone = |pose: &WorldPose, from: JointId, to: JointId| {
            pose.joint_in_world_m[to.index()] - pose.joint_in_world_m[from.index()]
        };
        let in_parent = |joint: JointId, parent_turn: DQuat, turn: DQuat| {
            let above = skeleton.parent(joint).map_or(DQuat::IDENTITY, |parent| own.world_from_joint[parent.index()]);
            unit((parent_turn * above).conjugate() * turn * own.world_from_joint[joint.index()])
        };
        let upper = arc(bone(own, root, middle), bone(image, root, middle));
        let lower = arc(bone(own, middle, end), bone(image, middle, end));
        let world_from_parent =
            skeleton.parent(root).map_or(DQuat::IDENTITY, |parent| placed.world_from_joint[parent.index()]);
        rotations[root.index()] = unit(world_from_parent.conjugate() * upper * own.world_from_joint[root.index()]);
        rotations[middle.index()] = in_parent(middle, upper, lower);
        let (has_m, wants_m) = self.foot_m(own, image);
        let foot = arc(has_m, wants_m);
        let goal = LimbGoal {
            end_in_world_m: self.goal_m[frame.0],
            end_rotation: EndRotation::World(unit(foot * own.world_from_joint[end.index()])),
            swivel: Swivel::Kept { turn_rad: 0.0 },
        };
        let place = (world_from_parent, placed.joint_in_world_m[root.index()]);
        let offset_m = |index: usize| turned.translation_m(frame, self.ik.chain()[index]);
        let solution = self.ik.solve_with(offset_m, place, rotations, &goal);
        if let (Some(toe), Some((own_m, image_m))) = (self.toe, self.tip_m) {
            let world_from_toe = own.world_from_joint[toe.index()];
            rotations[toe.index()] = in_parent(toe, foot, arc(world_from_toe * own_m, world_from_toe * image_m));
        }
        solution.miss_m
    }
}

/// The shortest turn from one direction to another; none where either is too short to have one.
fn arc(from_m: DVec3, to_m: DVec3) -> DQuat {
    match to_m.try_normalize() {
        Some(to) if from_m.length() > LEAST_BONE_M && to_m.length() > LEAST_BONE_M => {
            shortest_arc(from_m, to, from_m.any_orthonormal_vector())
        }
        _ => DQuat::IDENTITY,
    }
}
