//! A captured skeleton with as few links as dynamics needs: spines, collar bones and fingers are folded onto what
//! carries them.
//!
//! A person becomes sixteen links (pelvis, waist, chest, head, upper and lower arms, hands, thighs, shanks, feet),
//! eighteen with toes. Masses stay; folded joints are frozen at their mean rotation for the solve, and keep their own
//! motion when a result is put back.

use super::model::JointKind;
use super::of_body::BodyModel;
use super::workspace::Workspace;
use crate::body::Body;
use crate::error::PhysicsError;
use aplomb_motion::{Clip, FrameIndex, JointId, LimbKind, Role, Roles, Side, TranslationTrack, WorldPose, so3};
use glam::DQuat;

/// Which joints stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoldOptions {
    /// Keep toes as links of their own: a foot pushes off from its ball.
    pub toes: bool,
    /// Leave the legs out and hold the pelvis where it is on average: nine joints that are driven, 27 degrees of
    /// freedom (Zordan & Hodgins 1999).
    pub upper_body: bool,
    /// No joint between waist and chest: 24 degrees of freedom for an upper body.
    pub stiff_back: bool,
    /// Neck and head as two links: sixteen driven joints with the legs, 48 degrees of freedom.
    pub neck: bool,
}

/// The links, and the way between them and the whole skeleton.
#[derive(Clone, Debug)]
pub struct DynamicSkeleton {
    /// Of the folded links, on the whole skeleton.
    pub body: Body,
    /// The tree.
    pub links: BodyModel,
    /// Joints with mass that were frozen onto others, for the report.
    pub folded: Vec<JointId>,
    /// The farthest that folding moves the joint of any link over the clip, m.
    pub shift_m: f64,
}

impl DynamicSkeleton {
    /// Folds a body as the clip moves it. Bodies that are no people keep all their links.
    pub fn new(clip: &Clip, roles: &Roles, body: &Body, options: FoldOptions) -> Result<Self, PhysicsError> {
        body.check_skeleton(clip.skeleton())?;
        let skeleton = clip.skeleton();
        let kept = kept_joints(roles, options);
        let carrier = |joint: JointId| {
            let mut above = skeleton.ancestors(joint);
            if kept.is_empty() { joint } else { above.find(|id| kept.contains(id)).unwrap_or(joint) }
        };
        let pose = mean_pose(clip);
        let mut folded_body = body.folded(&pose, carrier)?;
        let links = if options.upper_body {
            folded_body = folded_body.without(|joint| is_of_legs(roles, joint, clip))?;
            BodyModel::held(&folded_body, &pose)?
        } else {
            BodyModel::new(&folded_body, &pose)?
        };
        let folded = body.links().iter().map(|link| link.joint).filter(|&joint| carrier(joint) != joint).collect();
        let mut work = Workspace::new(&links.model);
        let mut world = WorldPose::for_skeleton(skeleton);
        let mut shift_m: f64 = 0.0;
        for frame in clip.frames() {
            world.pose(clip, frame);
            if !options.upper_body {
                shift_m = shift_m.max(links.shift_m(&world, &mut work));
            }
        }
        Ok(Self { body: folded_body, links, folded, shift_m })
    }

    /// The clip with a track for every free link, so that [`DynamicSkeleton::put`] can move it.
    pub fn ready(&self, clip: Clip) -> Result<Clip, PhysicsError> {
        let model = &self.links.model;
        let roots: Vec<JointId> = model
            .links()
            .filter(|&link| model.kind(link) == JointKind::Free)
            .map(|link| self.links.joints[link.index()])
            .filter(|&joint| clip.track(joint).is_none())
            .collect();
        if roots.is_empty() {
            return Ok(clip);
        }
        let (skeleton, timeline, frames, rotations, mut tracks) = clip.into_parts();
        for joint in roots {
            let positions_m = vec![skeleton.joint(joint).offset_m; frames];
            tracks.push(TranslationTrack { joint, positions_m });
        }
        Clip::new(skeleton, timeline, frames, rotations, tracks)
            .map_err(|error| PhysicsError::OtherSkeleton { detail: error.to_string() })
    }

    /// Puts a configuration onto a frame of the whole skeleton: links turn as told, all other joints keep their own
    /// rotations, and a link that is held keeps its own, too. `pose` is scratch and holds the frame's world pose
    /// afterwards.
    pub fn put(&self, q: &[f64], clip: &mut Clip, frame: FrameIndex, pose: &mut WorldPose) {
        let model = &self.links.model;
        let skeleton = std::sync::Arc::clone(clip.skeleton());
        let mut links = model.links().peekable();
        for id in skeleton.ids() {
            let (world_from_parent, parent_m) = match skeleton.parent(id) {
                Some(parent) => (pose.world_from_joint[parent.index()], pose.joint_in_world_m[parent.index()]),
                None => (DQuat::IDENTITY, glam::DVec3::ZERO),
            };
            // Links are in the order of their joints.
            if let Some(link) = links.next_if(|link| self.links.joints[link.index()] == id) {
                let turned = self.links.rotation(link, q);
                let above = model.parent(link).map(|above| self.links.joints[above.index()]);
                let world_from_above = above.map_or(DQuat::IDENTITY, |above| pose.world_from_joint[above.index()]);
                if model.kind(link) != JointKind::Fixed {
                    let local = world_from_parent.conjugate() * world_from_above * turned;
                    clip.set_rotation(frame, id, local.normalize());
                }
                if model.kind(link) == JointKind::Free {
                    let at = model.q_range(link).start + 4;
                    let found_m = glam::DVec3::new(q[at], q[at + 1], q[at + 2]);
                    if let Some(track) = clip.track_mut(id) {
                        track[frame.0] = world_from_parent.conjugate() * (found_m - parent_m);
                    }
                }
            }
            pose.world_from_joint[id.index()] = world_from_parent * clip.rotation(frame, id);
            pose.joint_in_world_m[id.index()] = parent_m + world_from_parent * clip.translation_m(frame, id);
        }
    }
}

fn is_of_legs(roles: &Roles, joint: JointId, clip: &Clip) -> bool {
    let thighs = Side::BOTH.into_iter().filter_map(|side| roles.limb(side, LimbKind::Leg)).map(|limb| limb.root);
    thighs.into_iter().any(|thigh| clip.skeleton().is_in_subtree(joint, thigh))
}

/// The links of a person; none if the roles do not tell.
fn kept_joints(roles: &Roles, options: FoldOptions) -> Vec<JointId> {
    let Some(hips) = roles.joint(Role::Hips) else { return Vec::new() };
    let mut kept = vec![hips];
    let spine = roles.spine_chain();
    let first = |role: fn(u16) -> Role| roles.joint(role(0));
    // The waist is the first joint of the spine, the chest the last, from which neck and arms go out.
    kept.extend(first(Role::Spine));
    if !options.stiff_back {
        kept.extend(spine.iter().rev().copied().find(|&joint| matches!(roles.role(joint), Some(Role::Spine(_)))));
    }
    kept.extend(first(Role::Neck).or_else(|| roles.joint(Role::Head)));
    if options.neck {
        kept.extend(roles.joint(Role::Head));
    }
    for side in Side::BOTH {
        for kind in [LimbKind::Arm, LimbKind::Leg] {
            let Some(limb) = roles.limb(side, kind) else { return Vec::new() };
            kept.extend([limb.root, limb.middle, limb.end]);
            if options.toes && kind == LimbKind::Leg {
                kept.extend(limb.tip);
            }
        }
    }
    kept.sort();
    kept.dedup();
    kept
}

/// Every joint at its mean rotation and its mean place. Of joints that are kept only a held pelvis' counts.
fn mean_pose(clip: &Clip) -> WorldPose {
    let skeleton = clip.skeleton();
    let weights = vec![1.0; clip.frame_count()];
    let mut pose = WorldPose::for_skeleton(skeleton);
    for id in skeleton.ids() {
        let (world_from_parent, parent_m) = match skeleton.parent(id) {
            Some(parent) => (pose.world_from_joint[parent.index()], pose.joint_in_world_m[parent.index()]),
            None => (DQuat::IDENTITY, glam::DVec3::ZERO),
        };
        let all: Vec<DQuat> = clip.frames().map(|frame| clip.rotation(frame, id)).collect();
        // Joints that turn around in a clip have no mean.
        let local = so3::weighted_mean(&all, &weights);
        let frames = clip.frame_count().max(1) as f64;
        let local_m = clip.frames().map(|frame| clip.translation_m(frame, id)).sum::<glam::DVec3>() / frames;
        let local = local.unwrap_or_else(|| clip.rotation(FrameIndex(0), id));
        pose.world_from_joint[id.index()] = world_from_parent * local;
        pose.joint_in_world_m[id.index()] = parent_m + world_from_parent * local_m;
    }
    pose
}
