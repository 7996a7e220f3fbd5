//! Left for right: the motion seen in a mirror, played by the same skeleton.
//!
//! Let σ map each joint to its partner on the other side, M be the world's mirror, and W_j the world rotation of joint
//! j. The mirror image of a rotation is not a rotation, so a joint also needs a reflection of its own axes, S_j, that
//! takes a point fixed in j to the matching point fixed in σj:
//!
//! ```text
//! W'_j = M · W_σj · S_j            p'_j = M · p_σj
//! ```
//!
//! Positions agree if S_j · offset(c) = offset(σc) for each child c of j. Then, with p the parent of j, the local
//! rotation and a translation track are
//!
//! ```text
//! R'_j = S_pᵀ · R_σj · S_j         t'_j = S_pᵀ · t_σj        (for a root, M stands for S_pᵀ)
//! ```
//!
//! Where a skeleton's rest axes are the world's (CMU), every S_j is M; where bones run along local X (LAFAN1, Bandai),
//! S_j differs from joint to joint and must be found: see `reflections`.

mod partners;
mod reflections;

use super::error::EditError;
use super::place::{with_root_offsets, with_skeleton};
use crate::clip::{Clip, TranslationTrack};
use crate::ids::JointId;
use crate::skeleton::Skeleton;
use glam::DVec3;
pub use partners::{mirror_partners, partners_from_names};
use reflections::{Reflection, find_reflections};
use serde::{Deserialize, Serialize};

/// The vertical plane through the origin that the world is mirrored at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MirrorPlane {
    /// x becomes −x: left and right of someone who faces +Z.
    #[default]
    AcrossX,
    /// z becomes −z.
    AcrossZ,
}

impl MirrorPlane {
    /// The mirror image of a place or direction.
    pub fn image(self, place: DVec3) -> DVec3 {
        self.reflection().vector(place)
    }

    fn reflection(self) -> Reflection {
        match self {
            Self::AcrossX => Reflection::AcrossX,
            Self::AcrossZ => Reflection::AcrossZ,
        }
    }
}

/// The mirror image of the motion. `partners` maps each joint to the one on the other side, or to itself
/// ([`mirror_partners`] finds them).
///
/// Mirroring twice gives the motion back (to the sign of a quaternion). The skeleton keeps its own bones: where left
/// and right differ in length, positions differ from the true mirror image by as much. Clips of any number of frames
/// are fine; without frames only roots that have an offset and no track change.
///
/// Refused if partners are not mutual, do not hang at matching places of the tree, or have bones of different shape
/// (leaves aside).
pub fn mirror(clip: &Clip, partners: &[JointId], plane: MirrorPlane) -> Result<Clip, EditError> {
    let (world, reflections) = checked_reflections(clip, partners, plane)?;
    mirror_with(clip, partners, world, &reflections)
}

/// The motion and the body seen in a mirror: the rotations of [`mirror`] on a skeleton whose sides are exchanged, so that
/// every joint stands exactly where its partner's mirror image is, whatever the lengths of bones. Where left and right
/// are each other's mirror image, the skeleton is the same.
pub fn mirror_image(clip: &Clip, partners: &[JointId], plane: MirrorPlane) -> Result<Clip, EditError> {
    let (world, reflections) = checked_reflections(clip, partners, plane)?;
    let mirrored = mirror_with(clip, partners, world, &reflections)?;
    let source = clip.skeleton();
    let skeleton = mirrored.skeleton().map_joints(|id, joint| {
        let (partner, own) = (source.joint(partners[id.index()]), reflections[id.index()]);
        let above = joint.parent.map_or(world, |parent| reflections[parent.index()]);
        joint.offset_m = above.vector(partner.offset_m);
        joint.end_sites = partner.end_sites.clone();
        joint.end_sites.iter_mut().for_each(|end| end.offset_m = own.vector(end.offset_m));
    })?;
    with_skeleton(&mirrored, skeleton)
}

fn checked_reflections(
    clip: &Clip,
    partners: &[JointId],
    plane: MirrorPlane,
) -> Result<(Reflection, Vec<Reflection>), EditError> {
    check_partners(clip.skeleton(), partners)?;
    let world = plane.reflection();
    let reflections = find_reflections(clip, partners, world);
    check_bones(clip, partners, &reflections)?;
    Ok((world, reflections))
}

fn mirror_with(
    clip: &Clip,
    partners: &[JointId],
    world: Reflection,
    reflections: &[Reflection],
) -> Result<Clip, EditError> {
    let skeleton = clip.skeleton();
    let above = |joint: JointId| skeleton.parent(joint).map_or(world, |parent| reflections[parent.index()]);
    // A root without a track stands at the mirror image of its partner's offset.
    let partner_offset_m = |root: JointId| skeleton.joint(partners[root.index()]).offset_m;
    let placed = with_root_offsets(clip, |root, _| world.vector(partner_offset_m(root)))?;
    let mut rotations = Vec::with_capacity(clip.rotations().len());
    for frame in clip.frames() {
        let source = clip.rotations_at(frame);
        rotations.extend(skeleton.ids().map(|joint| {
            let partner = source[partners[joint.index()].index()];
            Reflection::sandwich(above(joint), partner, reflections[joint.index()])
        }));
    }
    let mirrored_track = |joint: JointId| {
        let source = clip.track(partners[joint.index()])?;
        let positions_m = source.iter().map(|&position_m| above(joint).vector(position_m)).collect();
        Some(TranslationTrack { joint, positions_m })
    };
    let tracks = skeleton.ids().filter_map(mirrored_track).collect();
    Ok(Clip::new(placed.skeleton().clone(), clip.timeline().clone(), clip.frame_count(), rotations, tracks)?)
}

fn check_partners(skeleton: &Skeleton, partners: &[JointId]) -> Result<(), EditError> {
    if partners.len() != skeleton.len() {
        return Err(EditError::PartnerCount { expected: skeleton.len(), found: partners.len() });
    }
    if let Some(stray) = partners.iter().find(|partner| partner.index() >= skeleton.len()) {
        return Err(EditError::UnknownJoint { joint: stray.index(), joints: skeleton.len() });
    }
    let name = |joint: JointId| skeleton.joint(joint).name.clone();
    for joint in skeleton.ids() {
        let partner = partners[joint.index()];
        let back = partners[partner.index()];
        if back != joint {
            return Err(EditError::PartnerNotMutual { joint: name(joint), partner: name(partner), back: name(back) });
        }
        let parent = skeleton.parent(joint);
        let expected_parent = parent.map(|parent| partners[parent.index()]);
        let found_parent = skeleton.parent(partner);
        if expected_parent != found_parent {
            return Err(EditError::SidesDiffer {
                joint: name(joint),
                parent: parent.map(name),
                partner: name(partner),
                expected_parent: expected_parent.map(name),
                found_parent: found_parent.map(name),
            });
        }
    }
    Ok(())
}

/// People's sides differ by a few per cent; a bone that differs by half its length and more than a hand's breadth of a
/// child is another bone, or a wrong partner.
const MAX_RELATIVE_DIFFERENCE: f64 = 0.5;
const MAX_DIFFERENCE_M: f64 = 0.05;

fn check_bones(clip: &Clip, partners: &[JointId], reflections: &[Reflection]) -> Result<(), EditError> {
    let skeleton = clip.skeleton();
    for joint in skeleton.ids() {
        let partner = partners[joint.index()];
        let Some(parent) = skeleton.parent(joint) else { continue };
        // A track moves over with its joint, whatever its shape, and a leaf carries nothing: a marker that is off on
        // one side is no reason to refuse the body.
        let is_tracked = clip.track(joint).is_some() || clip.track(partner).is_some();
        if is_tracked || skeleton.children(joint).is_empty() {
            continue;
        }
        let (own, other) = (skeleton.joint(joint), skeleton.joint(partner));
        let difference_m = (reflections[parent.index()].vector(own.offset_m) - other.offset_m).length();
        let length_m = own.offset_m.length().max(other.offset_m.length());
        if difference_m > MAX_RELATIVE_DIFFERENCE * length_m && difference_m > MAX_DIFFERENCE_M {
            return Err(EditError::BonesNotMirrored {
                joint: own.name.clone(),
                partner: other.name.clone(),
                offset_m: format!("{:.4}", own.offset_m),
                partner_offset_m: format!("{:.4}", other.offset_m),
                difference_m,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
