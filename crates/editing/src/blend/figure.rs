//! What blending must know of the skeleton: the joint that carries the body, the legs that stand, and where their mass
//! is.

use super::Input;
use crate::EditingError;
use crate::body_root::BodyRoot;
use crate::limb_ik::{LimbIk, Reach};
use aplomb_analysis::contacts::Part;
use aplomb_motion::edit::LocalPose;
use aplomb_motion::{BodyPlan, Clip, JointId, LimbKind, Role, Roles, Side, Skeleton, WorldPose};
use aplomb_physics::Body;
use glam::{DMat3, DQuat, DVec3};
use std::sync::Arc;

/// A skeleton ready to be posed.
#[derive(Clone, Debug)]
pub(super) struct BlendFigure {
    pub skeleton: Arc<Skeleton>,
    pub body: Body,
    pub root: BodyRoot,
    pub legs: Vec<BlendLeg>,
    /// Links that no leg carries.
    upper: Vec<FigureMass>,
    /// Orientation of the body's root when it stands upright and faces +Z.
    upright: DQuat,
}

/// A leg that stands: thigh, shank, foot, and the ball that is put on the ground.
#[derive(Clone, Debug)]
pub(super) struct BlendLeg {
    pub side: Side,
    pub ik: LimbIk,
    /// The joint that the thigh hangs on.
    pub pelvis: Option<JointId>,
    pub foot: JointId,
    /// The ball is this point of this joint.
    ball: (JointId, DVec3),
    /// Joints below the foot down to the one that carries the ball, which is last; empty if that is the foot itself.
    to_ball: Vec<JointId>,
    /// Everything that moves with the thigh, parents first.
    joints: Vec<JointId>,
    links: Vec<FigureMass>,
    mass_kg: f64,
}

#[derive(Clone, Copy, Debug)]
struct FigureMass {
    joint: JointId,
    at_m: DVec3,
    mass_kg: f64,
}

impl BlendFigure {
    pub fn new(clips: &[Input<'_>], roles: &Roles, body: &Body) -> Result<Self, EditingError> {
        let Some(first) = clips.first() else { return Err(EditingError::OneClip { found: 0 }) };
        let skeleton = Arc::clone(first.clip.skeleton());
        body.check_skeleton(&skeleton)?;
        let root = BodyRoot::of(first.clip, roles).ok_or(EditingError::NoRoot)?;
        let mut legs = Vec::new();
        let kinds: &[LimbKind] = match roles.plan() {
            BodyPlan::Quadruped => &[LimbKind::Leg, LimbKind::Arm],
            _ => &[LimbKind::Leg],
        };
        for &kind in kinds {
            for side in Side::BOTH {
                legs.extend(BlendLeg::of(first, roles, body, side, kind));
            }
        }
        let is_upper = |joint: JointId| legs.iter().all(|leg| !leg.joints.contains(&joint));
        let upper = mass_points(body, is_upper);
        let upright = upright(clips, roles, root.joint);
        Ok(Self { skeleton, body: body.clone(), root, legs, upper, upright })
    }

    /// Heading of the body's root, rad: its twist about the vertical. 0 faces +Z.
    pub fn heading_rad(&self, world_from_root: DQuat) -> f64 {
        let turned = world_from_root * self.upright.conjugate();
        2.0 * turned.y.atan2(turned.w)
    }

    /// Mass times place of everything but the legs, kg·m.
    pub fn upper_moment(&self, pose: &WorldPose) -> DVec3 {
        moment(&self.upper, pose)
    }
}

impl BlendLeg {
    fn of(first: &Input<'_>, roles: &Roles, body: &Body, side: Side, kind: LimbKind) -> Option<Self> {
        let skeleton = first.clip.skeleton();
        // As straight as captured legs are: the last bit of reach counts, or a straight leg would not come back.
        let ik = LimbIk::for_role(first.clip, roles, side, kind, Reach::HARD).ok()?;
        let (thigh, foot) = (ik.root(), ik.end());
        let part = |effector: &&aplomb_analysis::contacts::Effector| match kind {
            LimbKind::Leg => matches!(effector.part, Part::Ball | Part::HindPaw),
            LimbKind::Arm => effector.part == Part::FrontPaw,
        };
        let mut effectors = first.contacts.effectors.iter().filter(part).filter(|it| it.side == Some(side));
        let ball = effectors.next().map_or((foot, DVec3::ZERO), |it| (it.joint, it.point_in_joint_m));
        if !skeleton.is_in_subtree(ball.0, foot) {
            return None;
        }
        let mut to_ball: Vec<JointId> = skeleton.ancestors(ball.0).take_while(|&id| id != foot).collect();
        to_ball.reverse();
        let joints: Vec<JointId> = skeleton.ids().filter(|&id| skeleton.is_in_subtree(id, thigh)).collect();
        let links = mass_points(body, |joint| joints.contains(&joint));
        let mass_kg = links.iter().map(|link| link.mass_kg).sum();
        Some(Self { side, pelvis: skeleton.parent(thigh), ik, foot, ball, to_ball, joints, links, mass_kg })
    }

    /// The ball in the foot's frame, m: toes and what lies between may bend.
    pub fn ball_in_foot_m(&self, pose: &LocalPose) -> DVec3 {
        let (mut place_m, mut rotation) = (DVec3::ZERO, DQuat::IDENTITY);
        for joint in &self.to_ball {
            place_m += rotation * pose.translations_m[joint.index()];
            rotation *= pose.rotations[joint.index()];
        }
        place_m + rotation * self.ball.1
    }

    pub fn ball_in_world_m(&self, pose: &WorldPose) -> DVec3 {
        pose.point_in_world_m(self.ball.0, self.ball.1)
    }

    /// Poses this leg only, below a pelvis that is posed already.
    pub fn pose_below(&self, skeleton: &Skeleton, local: &LocalPose, world: &mut WorldPose) {
        for &id in &self.joints {
            let (rotation, place_m) = (local.rotations[id.index()], local.translations_m[id.index()]);
            let (world_rotation, world_m) = match skeleton.parent(id) {
                None => (rotation, place_m),
                Some(parent) => {
                    let world_from_parent = world.world_from_joint[parent.index()];
                    let parent_m = world.joint_in_world_m[parent.index()];
                    (world_from_parent * rotation, parent_m + world_from_parent * place_m)
                }
            };
            world.world_from_joint[id.index()] = world_rotation;
            world.joint_in_world_m[id.index()] = world_m;
        }
    }

    pub fn mass_kg(&self) -> f64 {
        self.mass_kg
    }

    /// Mass times place, kg·m.
    pub fn moment(&self, pose: &WorldPose) -> DVec3 {
        moment(&self.links, pose)
    }
}

fn mass_points(body: &Body, is_in: impl Fn(JointId) -> bool) -> Vec<FigureMass> {
    let links = body.links().iter().filter(|link| is_in(link.joint));
    links.map(|it| FigureMass { joint: it.joint, at_m: it.inertia.com_m, mass_kg: it.inertia.mass_kg }).collect()
}

fn moment(points: &[FigureMass], pose: &WorldPose) -> DVec3 {
    points.iter().map(|point| pose.point_in_world_m(point.joint, point.at_m) * point.mass_kg).sum()
}

/// Most skeletons stand upright and face +Z when their hips are not turned; then heading is the twist of the root's own
/// quaternion. Where they do not by more than this, upright is found from the clips: up is up on average, and left is
/// where the left thigh is.
const NEARLY_UPRIGHT_RAD: f64 = 0.6;

fn upright(clips: &[Input<'_>], roles: &Roles, root: JointId) -> DQuat {
    let thighs = Side::BOTH.map(|side| roles.joint(Role::Thigh(side)));
    let [Some(left), Some(right)] = thighs else { return DQuat::IDENTITY };
    let (mut up, mut leftward) = (DVec3::ZERO, DVec3::ZERO);
    let mut pose = WorldPose::default();
    for clip in clips.iter().map(|it| it.clip) {
        let stride = (clip.frame_count() / 50).max(1);
        for frame in clip.frames().skip(1).step_by(stride) {
            pose.pose(clip, frame);
            let root_from_world = pose.world_from_joint[root.index()].conjugate();
            let across_m = pose.joint_in_world_m[left.index()] - pose.joint_in_world_m[right.index()];
            up += root_from_world * DVec3::Y;
            leftward += root_from_world * across_m.normalize_or_zero();
        }
    }
    let (Some(up), Some(ahead)) = (up.try_normalize(), leftward.cross(up).try_normalize()) else {
        return DQuat::IDENTITY;
    };
    // Columns are the figure's left, up and ahead in the root's frame; upright takes them to x, y and z.
    let upright = DQuat::from_mat3(&DMat3::from_cols(up.cross(ahead), up, ahead)).conjugate();
    if aplomb_motion::so3::log(upright).length() < NEARLY_UPRIGHT_RAD { DQuat::IDENTITY } else { upright }
}

/// The clip, with a track for the joint that carries the body.
pub(super) fn with_root_track(figure: &BlendFigure, clip: &Clip) -> Result<Clip, EditingError> {
    Ok(figure.root.with_track(clip.clone())?)
}
