//! From motion back to rows of numbers, bit-equal to the source wherever nothing changed.

use super::codes;
use super::document::BvhDocument;
use super::hierarchy::Column;
use super::plan::{JointPlan, NEGLIGIBLE_LOSS_RAD, OutColumn, Plan};
use super::to_clip::RotationDecoder;
use super::translations::{PositionColumns, Translation, offset_of};
use crate::angle_path::{AnglePaths, Edit, principal_deg, same_rotation};
use crate::diagnostic::Diagnostic;
use crate::options::WriteOptions;
use aplomb_motion::euler::{deg_near, rotation_from_deg, three_deg_near};
use aplomb_motion::{Axis, Channel, Clip, FrameIndex, FrameOfReference, JointId};
use arrayvec::ArrayVec;
use glam::{DQuat, DVec3};

/// Makes rows, frame by frame in order.
pub(super) struct Encoder<'a> {
    plan: &'a Plan,
    clip: &'a Clip,
    /// Of the file being written.
    frame: FrameOfReference,
    source: Option<SourceRows<'a>>,
    /// Found at the first edit: most files have none, or few.
    paths: Option<AnglePaths>,
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
    /// The frame that its clip was made with.
    frame: FrameOfReference,
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
    /// The source composes the same axes, of the same coordinates, in the same order: equal rotations have equal
    /// angles.
    keeps_order: bool,
    position_columns: PositionColumns,
    /// Its OFFSET.
    offset: DVec3,
    /// Its local translation in metres if it does not move in the source.
    fixed_m: Option<DVec3>,
}

impl FromSource {
    fn new(
        document: &BvhDocument,
        joint: usize,
        axes: &[Axis],
        source_frame: FrameOfReference,
        frame: FrameOfReference,
    ) -> Self {
        let source = &document.joints[joint];
        let column = |&axis: &Axis| source.column_of(Channel::Rotation(axis));
        let fixed_m = match document.translations[joint] {
            Translation::Fixed { offset } => Some(source_frame.position_from_file(offset)),
            Translation::Animated { .. } => None,
        };
        Self {
            joint,
            rotation_columns: axes.iter().map_while(column).collect(),
            keeps_order: source_frame.internal_from_file == frame.internal_from_file
                && joint_keeps_order(document, joint, axes),
            position_columns: PositionColumns::of(source),
            offset: offset_of(source),
            fixed_m,
        }
    }

    /// The source's angles in a row; `None` unless they mean what the angles to be written mean.
    fn angles_deg(&self, row: &[f64], count: usize) -> Option<ArrayVec<f64, 3>> {
        (self.keeps_order && self.rotation_columns.len() == count)
            .then(|| self.rotation_columns.iter().map(|&column| row[column]).collect())
    }
}

impl<'a> Encoder<'a> {
    pub fn new(
        plan: &'a Plan,
        clip: &'a Clip,
        frame: FrameOfReference,
        source: Option<(&'a BvhDocument, FrameOfReference)>,
        options: &WriteOptions,
        is_patching: bool,
    ) -> Self {
        let source = source.filter(|(document, _)| document.frame_count() > 0).map(|(document, source_frame)| {
            let from_source = |joint: &JointPlan| {
                joint.source.map(|source| FromSource::new(document, source, &joint.axes, source_frame, frame))
            };
            let joints = plan.joints.iter().map(from_source).collect();
            let decoder = RotationDecoder::new(document, source_frame);
            SourceRows { document, frame: source_frame, decoder, rotations: Vec::new(), joints }
        });
        let full_precision = options.full_precision;
        Self {
            plan,
            clip,
            frame,
            source,
            paths: None,
            full_precision,
            is_patching,
            previous: None,
            worst_loss: None,
            lossy_values: 0,
        }
    }

    /// Fills one row. Values that did not change are the source's, to the bit.
    pub fn encode(&mut self, index: FrameIndex, row: &mut [f64]) {
        let source_row = self.source_row(index.0);
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

    /// The source's row that a frame is, or is an edit of.
    fn source_row(&self, frame: usize) -> Option<&'a [f64]> {
        let row = self.plan.rows.get(frame).copied().flatten()?;
        self.source.as_ref()?.document.row(row)
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

    /// Euler angles of a rotation in file axes, by the rule of [`crate::angle_path`].
    fn solved_angles(&mut self, index: FrameIndex, at: usize, rotation: DQuat, source_row: Option<&[f64]>) -> [f64; 3] {
        if self.paths.is_none() {
            self.paths = Some(self.decide_paths());
        }
        let joint = &self.plan.joints[at];
        let from = self.source.as_ref().and_then(|source| source.joints[at].as_ref());
        let in_source = |row: &[f64]| from.and_then(|from| from.angles_deg(row, joint.axes.len()));
        let now = source_row.and_then(in_source);
        let is_near_source = self.paths.as_ref().is_some_and(|paths| paths.is_near_source(index.0, at));
        let before = |row: &Vec<f64>| -> ArrayVec<f64, 3> {
            let slots = joint.columns.iter().zip(&row[joint.first_column..]);
            slots.filter(|(column, _)| matches!(column, OutColumn::Rotation(..))).map(|(_, &value)| value).collect()
        };
        let reference = match (&now, &self.previous) {
            (Some(now), _) if is_near_source => now.clone(),
            (_, Some(previous)) => before(previous),
            (Some(now), None) => now.clone(),
            (None, None) => {
                let alike = self.most_alike_row(index, at).and_then(in_source);
                alike.unwrap_or_else(|| principal_deg(rotation, &joint.axes))
            }
        };
        let (angles, loss_rad) = solve(rotation, &joint.axes, &reference);
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

    /// One look at all frames, to find the runs of edited ones.
    fn decide_paths(&self) -> AnglePaths {
        let (frames, joints) = (self.clip.frame_count(), self.plan.joints.len());
        let Some(source) = &self.source else { return AnglePaths::decide(0, joints, |_, _| {}) };
        let mut decoder = RotationDecoder::new(source.document, source.frame);
        let mut decoded = Vec::new();
        AnglePaths::decide(frames, joints, |frame, edits| {
            let Some(row) = self.source_row(frame) else { return edits.fill(Edit::Large) };
            decoded.clear();
            decoder.decode(row, &mut decoded);
            let rotations = self.clip.rotations_at(FrameIndex(frame));
            for ((edit, &rotation), from) in edits.iter_mut().zip(rotations).zip(&source.joints) {
                *edit = match from {
                    Some(from) if from.keeps_order => Edit::between(decoded[from.joint], rotation),
                    _ => Edit::Large,
                };
            }
        })
    }

    /// The source's row in which a joint is turned most like now: for the first frame of a clip that is not the
    /// source's.
    fn most_alike_row(&self, index: FrameIndex, at: usize) -> Option<&'a [f64]> {
        let source = self.source.as_ref()?;
        let from = source.joints[at].as_ref().filter(|from| from.keeps_order)?;
        let document = source.document;
        let axes = &self.plan.joints[at].axes;
        let file_from_internal = self.frame.internal_from_file.inverse();
        let rotation = file_from_internal.rotation(self.clip.rotation(index, JointId::new(at)));
        let likeness = |row: &[f64]| {
            let angles_deg: ArrayVec<f64, 3> = from.rotation_columns.iter().map(|&column| row[column]).collect();
            rotation_from_deg(axes, &angles_deg).dot(rotation).abs()
        };
        let rows = (0..document.frame_count()).filter_map(|row| document.row(row));
        rows.map(|row| (likeness(row), row)).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, row)| row)
    }

    /// Local translation in file units: the source's components where they are the source's.
    fn position(&self, index: FrameIndex, at: usize, source_row: Option<&[f64]>) -> DVec3 {
        let translation_m = self.clip.translation_m(index, JointId::new(at));
        let mut position = self.frame.position_to_file(translation_m);
        let (Some(source), Some(row)) = (&self.source, source_row) else { return position + DVec3::ZERO };
        let Some(from) = &source.joints[at] else { return position + DVec3::ZERO };
        let adds = source.document.dialect.positions_add;
        let in_file = from.position_columns.translation(row, from.offset, adds);
        let same_frame = source.frame == self.frame;
        let source_m = from.fixed_m.unwrap_or_else(|| source.frame.position_from_file(in_file));
        let unedited = self.frame.position_to_file(source_m);
        // In a patched additive file the channel stays relative to its OFFSET.
        let keeps_adding = adds && self.is_patching;
        let offset = self.frame.position_to_file(source.frame.position_from_file(from.offset));
        for axis in Axis::ALL.map(Axis::index) {
            let Some(column) = from.position_columns.0[axis] else { continue };
            let unchanged = unedited[axis].to_bits() == position[axis].to_bits();
            if keeps_adding {
                position[axis] -= if same_frame { from.offset[axis] } else { offset[axis] };
            }
            let reference = if keeps_adding || !adds { row[column] } else { in_file[axis] };
            let tolerance = self.tolerance(reference, source.document.rows.decimals[column]);
            if same_frame && (unchanged || (position[axis] - reference).abs() <= tolerance) {
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
