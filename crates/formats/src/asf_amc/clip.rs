//! From bones with axis frames to joints whose rest rotation is the identity.

use super::AsfAmcDocument;
use super::angle_unit::AngleUnit;
use super::bone::Bone;
use crate::diagnostic::Diagnostic;
use aplomb_motion::{
    Axis, Clip, EndSite, FrameOfReference, FrameTime, Joint, JointId, Skeleton, Timeline, TranslationTrack, euler,
};
use arrayvec::ArrayVec;
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// How the values of one bone make its joint's local rotation: `left · M · right`.
///
/// For a bone that is C·M·C⁻¹; for the root the preset orientation stands on the left alone.
pub(super) struct RotationMap {
    pub left: DQuat,
    pub right: DQuat,
    /// Axes of M as intrinsic rotations, and their columns within a frame.
    pub axes: ArrayVec<Axis, 3>,
    pub columns: ArrayVec<usize, 3>,
    angle: AngleUnit,
}

impl RotationMap {
    pub fn new(bone: &Bone, is_root: bool, angle: AngleUnit) -> Self {
        let slots = bone.rotation_slots();
        Self {
            left: bone.axis_frame,
            right: if is_root { DQuat::IDENTITY } else { bone.axis_frame.conjugate() },
            axes: slots.iter().map(|&(_, axis)| axis).collect(),
            columns: slots.iter().map(|&(slot, _)| bone.columns.start + slot).collect(),
            angle,
        }
    }

    /// The joint's local rotation in the file's axes.
    #[inline]
    pub fn local(&self, frame: &[f64]) -> DQuat {
        self.left * euler::rotation_from_deg(&self.axes, &self.angles_deg(frame)) * self.right
    }

    /// M of a local rotation: the inverse of [`Self::local`].
    pub fn motion(&self, local: DQuat) -> DQuat {
        self.left.conjugate() * local * self.right.conjugate()
    }

    /// The angles as they stand in the file, in the order of `axes`.
    #[inline]
    pub fn angles_deg(&self, frame: &[f64]) -> ArrayVec<f64, 3> {
        self.columns.iter().map(|&column| self.angle.to_deg(frame[column])).collect()
    }
}

/// How values move a joint against its parent's end: `base + direction·l + C·t`.
pub(super) struct TranslationMap {
    /// Joint position in rest, file units: the parent bone's vector, or the root's preset position.
    pub rest: DVec3,
    /// Direction of the parent bone and column of its `l`.
    pub stretch: Option<(DVec3, usize)>,
    /// Frame of `tx ty tz` (the world's for the root), their axes and columns.
    pub frame: DQuat,
    pub shifts: ArrayVec<(Axis, usize), 3>,
}

impl TranslationMap {
    pub fn moves(&self) -> bool {
        self.stretch.is_some() || !self.shifts.is_empty()
    }

    #[inline]
    pub fn position(&self, frame: &[f64]) -> DVec3 {
        let stretched = self.stretch.map_or(self.rest, |(direction, column)| self.rest + direction * frame[column]);
        stretched + self.shift(frame)
    }

    pub fn shift(&self, frame: &[f64]) -> DVec3 {
        let mut shift = DVec3::ZERO;
        for &(axis, column) in &self.shifts {
            shift[axis.index()] = frame[column];
        }
        // The identity is skipped so that root translations keep every bit.
        if self.frame == DQuat::IDENTITY { shift } else { self.frame * shift }
    }
}

impl AsfAmcDocument {
    /// The motion in metres, Y up. The rate is the caller's: AMC does not store it (CMU: 120 Hz, some takes 60).
    ///
    /// Joint 0 is `root`, then one joint a bone of the hierarchy, depth first. Bones without degrees of freedom are
    /// joints without channels; bones with nothing below them get an end site. `tx ty tz` of inner bones and `l` of the
    /// parent become translation tracks. (`l` of a bone with nothing below it has nothing to move and stays in the
    /// file.)
    pub fn to_clip(&self, frame: FrameOfReference, frame_time: FrameTime) -> Result<Clip, Box<Diagnostic>> {
        let unusable = |error: String| Box::new(Diagnostic::error("AMC-E014", "a usable motion", error));
        let skeleton = Arc::new(self.skeleton(frame).map_err(|error| unusable(error.to_string()))?);
        let frames = self.amc.frame_count();
        let rotations = self.rotation_maps();
        let mut locals = Vec::with_capacity(frames * rotations.len());
        for index in 0..frames {
            let values = self.amc.frame(index);
            locals.extend(rotations.iter().map(|map| frame.internal_from_file.rotation(map.local(values))));
        }
        let moving = self.translation_maps().into_iter().enumerate().filter(|(_, map)| map.moves());
        let track = |(joint, map): (usize, TranslationMap)| {
            let position = |index| frame.position_from_file(map.position(self.amc.frame(index)));
            TranslationTrack { joint: JointId::new(joint), positions_m: (0..frames).map(position).collect() }
        };
        let tracks = moving.map(track).collect();
        let clip = Clip::new(skeleton, Timeline::Uniform(frame_time), frames, locals, tracks);
        clip.map_err(|error| unusable(error.to_string()))
    }

    pub(super) fn skeleton(&self, frame: FrameOfReference) -> Result<Skeleton, aplomb_motion::SkeletonError> {
        let bones = self.asf.bones();
        let mut joint_of_bone = vec![JointId::new(0); bones.len()];
        let mut joints = Vec::with_capacity(self.asf.order().len());
        for (joint, &index) in self.asf.order().iter().enumerate() {
            joint_of_bone[index] = JointId::new(joint);
            let bone = &bones[index];
            let offset = match bone.parent {
                Some(parent) => bones[parent].vector(),
                None => self.asf.root_position(),
            };
            let end = EndSite { name: None, offset_m: frame.position_from_file(bone.vector()) };
            joints.push(Joint {
                name: bone.name.clone(),
                parent: bone.parent.map(|parent| joint_of_bone[parent]),
                offset_m: frame.position_from_file(offset),
                channels: bone.channels(),
                end_sites: if self.asf.is_leaf(index) { vec![end] } else { Vec::new() },
            });
        }
        Skeleton::new(joints)
    }

    /// One a joint.
    pub(super) fn rotation_maps(&self) -> Vec<RotationMap> {
        let map = |&index: &usize| RotationMap::new(&self.asf.bones()[index], index == 0, self.amc.angle_unit());
        self.asf.order().iter().map(map).collect()
    }

    /// One a joint.
    pub(super) fn translation_maps(&self) -> Vec<TranslationMap> {
        let bones = self.asf.bones();
        let map = |&index: &usize| {
            let bone = &bones[index];
            let parent = bone.parent.map(|parent| &bones[parent]);
            let stretch = |parent: &Bone| {
                let slot = parent.length_slot()?;
                Some((parent.direction, parent.columns.start + slot))
            };
            let shift = |(slot, axis): (usize, Axis)| (axis, bone.columns.start + slot);
            TranslationMap {
                rest: parent.map_or(self.asf.root_position(), Bone::vector),
                stretch: parent.and_then(stretch),
                frame: if parent.is_some() { bone.axis_frame } else { DQuat::IDENTITY },
                shifts: bone.translation_slots().into_iter().map(shift).collect(),
            }
        };
        self.asf.order().iter().map(map).collect()
    }
}
