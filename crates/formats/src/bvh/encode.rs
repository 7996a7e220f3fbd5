//! From motion back to rows of numbers, bit-equal to the source wherever nothing changed.

use super::codes;
use super::document::BvhDocument;
use super::hierarchy::Column;
use super::plan::{JointPlan, NEGLIGIBLE_LOSS_RAD, OutColumn, Plan};
use super::to_clip::RotationDecoder;
use super::translations::{PositionColumns, Translation, offset_of};
use crate::diagnostic::Diagnostic;
use crate::options::WriteOptions;
use aplomb_motion::euler::{deg_near, three_deg_near};
use aplomb_motion::{Axis, Channel, Clip, FrameIndex, FrameOfReference, JointId};
use arrayvec::ArrayVec;
use glam::{DQuat, DVec3};

/// Makes rows, frame by frame in order.
pub(super) struct Encoder<'a> {
    plan: &'a Plan,
    clip: &'a Clip,
    frame: FrameOfReference,
    source: Option<SourceRows<'a>>,
    full_precision: bool,
    /// Rows go back into the source's own text.
    is_patching: bool,
    /// Output of the frame before.
    previous: Option<Vec<f64>>,
    /// Largest rotation that the channels could not express: angle, joint, frame.
    worst_loss: Option<(f64, JointId, FrameIndex)>,
    lossy_values: usize,
}

/// What the source has for the frames being written.
struct SourceRows<'a> {
    document: &'a BvhDocument,
    decoder: RotationDecoder,
    /// Of the frame being written.
    rotations: Vec<DQuat>,
    /// For each joint of the clip.
    joints: Vec<Option<FromSource>>,
}

/// Where a joint of the clip finds its own values in the source's rows.
struct FromSource {
    joint: usize,
    /// One a rotation channel to be written; fewer if the source lacks one.
    rotation_columns: ArrayVec<usize, 3>,
    /// The source composes the same axes in the same order: equal rotations have equal angles.
    keeps_order: bool,
    position_columns: PositionColumns,
    /// Its OFFSET.
    offset: DVec3,
    /// Its local translation in metres if it does not move in the source.
    fixed_m: Option<DVec3>,
}

impl FromSource {
    fn new(document: &BvhDocument, joint: usize, axes: &[Axis], frame: FrameOfReference) -> Self {
        let source = &document.joints[joint];
        let column = |&axis: &Axis| source.column_of(Channel::Rotation(axis));
        let fixed_m = match document.translations[joint] {
            Translation::Fixed { offset } => Some(frame.position_from_file(offset)),
            Translation::Animated { .. } => None,
        };
        Self {
            joint,
            rotation_columns: axes.iter().map_while(column).collect(),
            keeps_order: joint_keeps_order(document, joint, axes),
            position_columns: PositionColumns::of(source),
            offset: offset_of(source),
            fixed_m,
        }
    }

    /// The source's angles in a row; `None` unless it has all of them.
    fn angles_deg(&self, row: &[f64], count: usize) -> Option<ArrayVec<f64, 3>> {
        (self.rotation_columns.len() == count)
            .then(|| self.rotation_columns.iter().map(|&column| row[column]).collect())
    }
}

impl<'a> Encoder<'a> {
    pub fn new(
        plan: &'a Plan,
        clip: &'a Clip,
        frame: FrameOfReference,
        document: Option<&'a BvhDocument>,
        options: &WriteOptions,
        is_patching: bool,
    ) -> Self {
        let source = document.filter(|document| document.frame_count() > 0).map(|document| {
            let from_source =
                |joint: &JointPlan| joint.source.map(|source| FromSource::new(document, source, &joint.axes, frame));
            let joints = plan.joints.iter().map(from_source).collect();
            SourceRows { document, decoder: RotationDecoder::new(document, frame), rotations: Vec::new(), joints }
        });
        let full_precision = options.full_precision;
        Self {
            plan,
            clip,
            frame,
            source,
            full_precision,
            is_patching,
            previous: None,
            worst_loss: None,
            lossy_values: 0,
        }
    }

    /// Fills one row. Values that did not change are the source's, to the bit.
    pub fn encode(&mut self, index: FrameIndex, row: &mut [f64]) {
        let source_row = match &mut self.source {
            Some(source) if self.plan.is_aligned => source.document.row(index.0),
            _ => None,
        };
        if let (Some(source), Some(source_row)) = (&mut self.source, source_row) {
            source.rotations.clear();
            source.decoder.decode(source_row, &mut source.rotations);
        }
        let file_from_internal = self.frame.internal_from_file.inverse();
        let rotations = self.clip.rotations_at(index);
        let plan = self.plan;
        for (at, (joint, &rotation)) in plan.joints.iter().zip(rotations).enumerate() {
            let angles = match self.unchanged_angles(at, joint, rotation, source_row) {
                Some(angles) => angles,
                None => self.solved_angles(index, at, file_from_internal.rotation(rotation), source_row),
            };
            let position = if joint.has_position { self.position(index, at, source_row) } else { DVec3::ZERO };
            let slots = &mut row[joint.first_column..joint.first_column + joint.columns.len()];
            for (slot, column) in slots.iter_mut().zip(&joint.columns) {
                *slot = match *column {
                    OutColumn::Position(axis) => position[axis.index()],
                    OutColumn::Rotation(_, rotation) => angles[rotation],
                    OutColumn::Opaque { source_column, .. } => source_row.map_or(0.0, |row| row[source_column]),
                };
            }
        }
        let extra = plan.extra_columns.len();
        let first_extra = row.len() - extra;
        for (slot, &source_column) in row[first_extra..].iter_mut().zip(&plan.extra_columns) {
            *slot = source_row.map_or(0.0, |row| row[source_column]);
        }
        match &mut self.previous {
            Some(previous) => previous.copy_from_slice(row),
            None => self.previous = Some(row.to_vec()),
        }
    }

    /// The source's angles if the rotation is the source's to the bit.
    #[inline]
    fn unchanged_angles(
        &self,
        at: usize,
        joint: &JointPlan,
        rotation: DQuat,
        source_row: Option<&[f64]>,
    ) -> Option<[f64; 3]> {
        let (source, source_row) = (self.source.as_ref()?, source_row?);
        let from = source.joints[at].as_ref()?;
        if !from.keeps_order || !same_rotation(source.rotations[from.joint], rotation) {
            return None;
        }
        let mut angles = [0.0; 3];
        for (angle, &column) in angles.iter_mut().zip(&from.rotation_columns) {
            *angle = source_row[column];
        }
        (from.rotation_columns.len() == joint.axes.len()).then_some(angles)
    }

    /// Euler angles of a rotation in file axes: the nearest to the source's.
    fn solved_angles(&mut self, index: FrameIndex, at: usize, rotation: DQuat, source_row: Option<&[f64]>) -> [f64; 3] {
        let joint = &self.plan.joints[at];
        let from = self.source.as_ref().and_then(|source| source.joints[at].as_ref());
        let in_source = |row: &[f64]| from.and_then(|from| from.angles_deg(row, joint.axes.len()));
        let source_at = |frame: usize| self.source.as_ref().and_then(|source| source.document.row(frame));
        let now = source_row.and_then(in_source);
        let before: Option<ArrayVec<f64, 3>> = self.previous.as_ref().map(|row| {
            let slots = joint.columns.iter().zip(&row[joint.first_column..]);
            slots.filter(|(column, _)| matches!(column, OutColumn::Rotation(..))).map(|(_, &value)| value).collect()
        });
        let (angles, loss_rad) = match (&now, before) {
            (Some(now), Some(before)) => {
                let source_before = index.0.checked_sub(1).and_then(source_at).and_then(in_source);
                near_source(rotation, &joint.axes, now, source_before.as_deref(), &before)
            }
            (Some(now), None) => solve(rotation, &joint.axes, now),
            (None, Some(before)) => solve(rotation, &joint.axes, &before),
            // The first frame of a clip with frames of its own: begin where the source begins.
            (None, None) => solve(rotation, &joint.axes, source_at(0).and_then(in_source).as_deref().unwrap_or(&[])),
        };
        let mut angles = angles;
        if let Some(now) = &now {
            for (slot, (angle, &source)) in angles.iter_mut().zip(now).enumerate() {
                if self.is_same_value(*angle, source, from, slot) {
                    *angle = source;
                }
            }
        }
        if loss_rad > NEGLIGIBLE_LOSS_RAD {
            self.lossy_values += 1;
            if self.worst_loss.is_none_or(|(worst, ..)| loss_rad > worst) {
                self.worst_loss = Some((loss_rad, JointId::new(at), index));
            }
        }
        angles
    }

    /// Local translation in file units: the source's components where they are the source's.
    fn position(&self, index: FrameIndex, at: usize, source_row: Option<&[f64]>) -> DVec3 {
        let translation_m = self.clip.translation_m(index, JointId::new(at));
        let mut position = self.frame.position_to_file(translation_m);
        let (Some(source), Some(row)) = (&self.source, source_row) else { return position + DVec3::ZERO };
        let Some(from) = &source.joints[at] else { return position + DVec3::ZERO };
        let adds = source.document.dialect.positions_add;
        let in_file = from.position_columns.translation(row, from.offset, adds);
        let source_m = from.fixed_m.unwrap_or_else(|| self.frame.position_from_file(in_file));
        let unedited = self.frame.position_to_file(source_m);
        for axis in Axis::ALL.map(Axis::index) {
            let Some(column) = from.position_columns.0[axis] else { continue };
            let unchanged = unedited[axis].to_bits() == position[axis].to_bits();
            // In a patched additive file the channel stays relative to its OFFSET.
            let keeps_adding = adds && self.is_patching;
            if keeps_adding {
                position[axis] -= from.offset[axis];
            }
            let reference = if keeps_adding || !adds { row[column] } else { in_file[axis] };
            let tolerance = self.tolerance(reference, source.document.rows.decimals[column]);
            if unchanged || (position[axis] - reference).abs() <= tolerance {
                position[axis] = reference;
            } else {
                // A new 0 is written without the sign that a change of axes may give it.
                position[axis] += 0.0;
            }
        }
        position
    }

    /// Whether an angle differs from the source's only by rounding.
    fn is_same_value(&self, value: f64, source_value: f64, from: Option<&FromSource>, slot: usize) -> bool {
        let (Some(source), Some(from)) = (&self.source, from) else { return false };
        let decimals = from.rotation_columns.get(slot).map_or(0, |&column| source.document.rows.decimals[column]);
        (value - source_value).abs() <= self.tolerance(source_value, decimals)
    }

    /// Half a unit of the last decimal written; with full precision the rounding of the way through a quaternion.
    fn tolerance(&self, value: f64, decimals: u8) -> f64 {
        if self.full_precision {
            1e-11 + 4.0 * f64::EPSILON * value.abs()
        } else {
            0.5 * 10f64.powi(-i32::from(decimals.max(6)))
        }
    }

    /// Says what could not be expressed.
    pub fn tell_losses(&self, notes: &mut Vec<Diagnostic>) {
        if let Some((loss_rad, joint, frame)) = self.worst_loss {
            let name = &self.clip.skeleton().joint(joint).name;
            let found = format!(
                "{} rotations could not be expressed with the channels of their joints; the worst is off by {:.4}° (joint {name:?}, {frame})",
                self.lossy_values,
                loss_rad.to_degrees()
            );
            notes.push(Diagnostic::warning(codes::ROTATION_LOST, "", found));
        }
    }
}

/// The angles nearest to the source's of this frame, unless they flip where the source does not.
///
/// Nearest to the source alone would jump by 360° where a large turn passes half a turn away from it. Then the change made
/// in the frame before is carried on (which keeps the source's own wraps at ±180°), and if that jumps as well, because the
/// source passes its singularity elsewhere, the angles nearest to those of the frame before are taken.
fn near_source(
    rotation: DQuat,
    axes: &[Axis],
    now: &[f64],
    source_before: Option<&[f64]>,
    before: &[f64],
) -> ([f64; 3], f64) {
    // Both triples of a rotation differ by half turns, so smaller jumps cannot hide a flip.
    const FLIP_DEG: f64 = 90.0;
    let at_source = solve(rotation, axes, now);
    let Some(source_before) = source_before else { return at_source };
    let flips = |angles: &[f64]| {
        let steps = angles.iter().zip(before).zip(now.iter().zip(source_before));
        steps.into_iter().any(|((angle, before), (now, then))| (angle - before).abs() > (now - then).abs() + FLIP_DEG)
    };
    if !flips(&at_source.0) {
        return at_source;
    }
    let carried = now.iter().zip(source_before).zip(before).map(|((now, source), out)| out + (now - source));
    let carried = solve(rotation, axes, &carried.collect::<ArrayVec<f64, 3>>());
    if flips(&carried.0) { solve(rotation, axes, before) } else { carried }
}

/// Angles nearest to the reference, and the angle by which they miss the rotation; three axes miss nothing.
fn solve(rotation: DQuat, axes: &[Axis], reference_deg: &[f64]) -> ([f64; 3], f64) {
    if let &[i, j, k] = axes {
        let reference = std::array::from_fn(|slot| reference_deg.get(slot).copied().unwrap_or(0.0));
        // Adding 0 turns the −0 of some solutions into a plain 0.
        return (three_deg_near(rotation, [i, j, k], reference).map(|angle| angle + 0.0), 0.0);
    }
    let found = deg_near(rotation, axes, reference_deg);
    let mut angles = [0.0; 3];
    angles[..found.angles_deg.len()].copy_from_slice(&found.angles_deg);
    (angles, found.loss_rad)
}

/// The source composes the same axes in the same order.
fn joint_keeps_order(document: &BvhDocument, joint: usize, axes: &[Axis]) -> bool {
    let order = document.joints[joint].columns().iter().filter_map(|column| match column {
        Column::Known(Channel::Rotation(axis)) => Some(*axis),
        _ => None,
    });
    order.eq(axes.iter().copied())
}

fn same_rotation(a: DQuat, b: DQuat) -> bool {
    a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits)
}
