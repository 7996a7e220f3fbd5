//! From motion back to rows: which columns a clip needs, and their values, bit-equal to the source wherever nothing changed.

use super::codes;
use super::document::BvhDocument;
use super::hierarchy::Column;
use super::scan::{Fault, Span};
use super::to_clip::RotationDecoder;
use super::translations::{PositionColumns, Translation, offset_of};
use crate::diagnostic::Diagnostic;
use crate::options::WriteOptions;
use aplomb_motion::euler::deg_near;
use aplomb_motion::{Axis, Channel, Clip, FrameIndex, FrameOfReference, Joint, JointId};
use arrayvec::ArrayVec;
use glam::{DQuat, DVec3};
use std::collections::HashMap;

/// One value of a row to be written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OutColumn {
    Position(Axis),
    /// The n-th rotation of its joint.
    Rotation(Axis, usize),
    /// Copied from the source.
    Opaque {
        name: Span,
        source_column: usize,
    },
}

/// How one joint of the clip is written.
#[derive(Clone, Debug)]
pub(super) struct JointPlan {
    /// The source joint it came from.
    pub source: Option<usize>,
    pub columns: Vec<OutColumn>,
    /// Row index of its first value.
    pub first_column: usize,
    pub axes: ArrayVec<Axis, 3>,
    /// Offset in file units and axes.
    pub offset: DVec3,
}

/// How a clip is written.
pub(super) struct Plan {
    pub joints: Vec<JointPlan>,
    /// Values a row.
    pub columns: usize,
    /// Source rows belong to the clip's frames one to one.
    pub is_aligned: bool,
    /// The same joints with the same columns as the source: its text can be patched.
    pub same_structure: bool,
    /// Source columns behind the last joint's, written at the end of each row.
    pub extra_columns: Vec<usize>,
}

impl Plan {
    pub fn new(
        clip: &Clip,
        frame: FrameOfReference,
        document: Option<&BvhDocument>,
        options: &WriteOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Self, Fault> {
        let sources = match document {
            Some(document) => match_joints(clip, document),
            None => vec![None; clip.skeleton().len()],
        };
        // The one made-up frame of a file without rows counts as its own.
        let is_aligned = document.is_some_and(|document| document.clip_frames() == clip.frame_count());
        let own = document.map(|document| document.skeleton(frame)).transpose()?;
        let mut plan =
            Self { joints: Vec::new(), columns: 0, is_aligned, same_structure: true, extra_columns: Vec::new() };
        for (id, joint) in clip.skeleton().ids().zip(clip.skeleton().joints()) {
            let source = sources[id.index()];
            let mut wanted = wanted_channels(clip, id, frame, source.is_some(), notes);
            let mut offset_m = joint.offset_m;
            if options.root_positions_only && joint.parent.is_some() {
                offset_m = constant_translation(clip, id, frame)?;
                wanted.retain(|channel| matches!(channel, Channel::Rotation(_)));
            }
            let mut offset = frame.position_to_file(offset_m);
            if let (Some(index), Some(document), Some(own)) = (source, document, &own) {
                // Multiplying by the unit and dividing again is not exact: unchanged offsets keep the source's number.
                if same_bits(own.joint(JointId::new(index)).offset_m, offset_m) {
                    offset = match document.translations[index] {
                        Translation::Fixed { offset } | Translation::Animated { rest: offset } => offset,
                    };
                }
            }
            let source_joint = source.zip(document);
            let columns = plan.columns_of(&wanted, source_joint, notes);
            let first_column = plan.columns;
            plan.columns += columns.len();
            let axes = wanted.iter().filter_map(|channel| match channel {
                Channel::Rotation(axis) => Some(*axis),
                Channel::Position(_) => None,
            });
            let axes = axes.collect();
            plan.same_structure &= same_place(clip, id, joint, source_joint, &columns);
            plan.joints.push(JointPlan { source, columns, first_column, axes, offset });
        }
        if let Some(document) = document {
            plan.same_structure &= document.joints.len() == plan.joints.len();
            if is_aligned {
                let declared = document.rows.columns - document.rows.extra_columns;
                plan.extra_columns = (declared..document.rows.columns).collect();
            }
            if plan.same_structure {
                // The order of the source's lists, which need not be the order of its joints.
                for joint in &mut plan.joints {
                    let list = joint.source.and_then(|source| document.joints[source].channels.as_ref());
                    joint.first_column = list.map_or(0, |list| list.first_column);
                }
            }
        }
        plan.columns += plan.extra_columns.len();
        Ok(plan)
    }

    /// The wanted channels, with the source's unknown ones between them if the known ones are as they were.
    fn columns_of(
        &self,
        wanted: &[Channel],
        source: Option<(usize, &BvhDocument)>,
        notes: &mut Vec<Diagnostic>,
    ) -> Vec<OutColumn> {
        let mut rotations = 0;
        let mut out = |channel: Channel| match channel {
            Channel::Position(axis) => OutColumn::Position(axis),
            Channel::Rotation(axis) => {
                rotations += 1;
                OutColumn::Rotation(axis, rotations - 1)
            }
        };
        let Some((index, document)) = source else { return wanted.iter().map(|&channel| out(channel)).collect() };
        let joint = &document.joints[index];
        let known = |column: &Column| match column {
            Column::Known(channel) => Some(*channel),
            Column::Opaque => None,
        };
        let is_same = joint.columns().iter().filter_map(known).eq(wanted.iter().copied());
        let has_opaque = joint.columns().contains(&Column::Opaque);
        if has_opaque && is_same && self.is_aligned {
            let names = document.channel_names(index);
            let first = joint.channels.as_ref().map_or(0, |list| list.first_column);
            let columns = joint.columns().iter().zip(names).enumerate();
            return columns
                .map(|(slot, (column, name))| match column {
                    Column::Known(channel) => out(*channel),
                    Column::Opaque => OutColumn::Opaque { name: *name, source_column: first + slot },
                })
                .collect();
        }
        if has_opaque {
            let name = String::from_utf8_lossy(joint.name.of(&document.bytes)).into_owned();
            let found = format!("the unknown channels of joint {name:?} have no values for the new frames");
            notes.push(Diagnostic::warning(codes::OPAQUE_DROPPED, "", found).hint("they were left out"));
        }
        wanted.iter().map(|&channel| out(channel)).collect()
    }
}

/// Clip joints by their source joints: by place if the skeleton is the same tree, else by name.
fn match_joints(clip: &Clip, document: &BvhDocument) -> Vec<Option<usize>> {
    let joints = clip.skeleton().joints();
    let names: Vec<String> =
        document.joint_names_raw().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let same_tree = joints.len() == names.len()
        && joints.iter().zip(&document.joints).all(|(joint, source)| joint.parent.map(JointId::index) == source.parent);
    if same_tree {
        return (0..joints.len()).map(Some).collect();
    }
    let mut by_name: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        by_name.entry(name).or_insert(index);
    }
    // Each source joint once, so that copies of a joint do not write its channels twice.
    joints.iter().map(|joint| by_name.remove(joint.name.as_str())).collect()
}

/// Whether a joint stands in the source as it stands in the plan, so that its tokens can be patched.
fn same_place(
    clip: &Clip,
    id: JointId,
    joint: &Joint,
    source: Option<(usize, &BvhDocument)>,
    columns: &[OutColumn],
) -> bool {
    let Some((index, document)) = source else { return false };
    let source = &document.joints[index];
    let column_is_same = |(out, column): (&OutColumn, &Column)| match (out, column) {
        (OutColumn::Position(axis), Column::Known(Channel::Position(other))) => axis == other,
        (OutColumn::Rotation(axis, _), Column::Known(Channel::Rotation(other))) => axis == other,
        (OutColumn::Opaque { .. }, Column::Opaque) => true,
        _ => false,
    };
    index == id.index()
        && source.end_sites.len() == joint.end_sites.len()
        && source.columns().len() == columns.len()
        && columns.iter().zip(source.columns()).all(column_is_same)
        && clip.skeleton().parent(id).map(JointId::index) == source.parent
}

/// The channels a joint needs: its own, and what its motion needs beyond them.
fn wanted_channels(
    clip: &Clip,
    id: JointId,
    frame: FrameOfReference,
    has_source: bool,
    notes: &mut Vec<Diagnostic>,
) -> Vec<Channel> {
    const USUAL: [Axis; 3] = [Axis::Z, Axis::X, Axis::Y];
    let joint = clip.skeleton().joint(id);
    let mut wanted = joint.channels.as_slice().to_vec();
    let axes = joint.channels.rotation_axes();
    if !has_source && axes.len() < 3 && (axes.is_empty() || !is_expressible(clip, id, frame, &axes)) {
        let missing = USUAL.into_iter().filter(|axis| !axes.contains(axis));
        wanted.extend(missing.map(Channel::Rotation));
    }
    let lacks = |wanted: &[Channel], axis: Axis| !wanted.contains(&Channel::Position(axis));
    if let Some(track) = clip.track(id) {
        let moves = |axis: Axis| {
            let offset = frame.position_to_file(joint.offset_m)[axis.index()];
            track.iter().any(|&position_m| frame.position_to_file(position_m)[axis.index()] != offset)
        };
        let root_needs = joint.parent.is_none() && !joint.channels.has_position();
        if Axis::ALL.into_iter().any(|axis| lacks(&wanted, axis) && (root_needs || moves(axis))) {
            wanted.retain(|channel| matches!(channel, Channel::Rotation(_)));
            wanted.splice(0..0, Axis::ALL.map(Channel::Position));
            if has_source {
                let found = format!("joint {:?} got position channels because its translation is animated", joint.name);
                notes.push(Diagnostic::warning(codes::CHANNELS_ADDED, "", found));
            }
        }
    } else if joint.parent.is_none() && joint.channels.is_empty() && !has_source {
        wanted.splice(0..0, Axis::ALL.map(Channel::Position));
    }
    wanted
}

/// A millionth of a degree, the last decimal usually written.
const NEGLIGIBLE_LOSS_RAD: f64 = 1e-6 * std::f64::consts::PI / 180.0;

fn is_expressible(clip: &Clip, id: JointId, frame: FrameOfReference, axes: &[Axis]) -> bool {
    let file_from_internal = frame.internal_from_file.inverse();
    clip.frames().all(|index| {
        let rotation = file_from_internal.rotation(clip.rotation(index, id));
        deg_near(rotation, axes, &[]).loss_rad < NEGLIGIBLE_LOSS_RAD
    })
}

/// The one translation of an inner joint whose position channels are to be dropped.
fn constant_translation(clip: &Clip, id: JointId, frame: FrameOfReference) -> Result<DVec3, Fault> {
    let joint = clip.skeleton().joint(id);
    let Some(track) = clip.track(id) else { return Ok(joint.offset_m) };
    let first = track.first().copied().unwrap_or(joint.offset_m);
    let (lowest, highest) = track.iter().fold((first, first), |(low, high), &p| (low.min(p), high.max(p)));
    let range = (highest - lowest) / frame.metres_per_unit;
    // As in reading: a millionth of the bone is printing noise.
    if range.max_element() <= 1e-6 * first.length() / frame.metres_per_unit {
        return Ok(first);
    }
    let found = format!("joint {:?} moves by {:.6} file units", joint.name, range.max_element());
    Err(Box::new(Diagnostic::error(codes::POSITIONS_MOVE, "inner joints at fixed offsets", found)))
}

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
    rotations: Vec<DQuat>,
    /// Local translation of joints that do not move in the source, in metres.
    fixed_m: Vec<Option<DVec3>>,
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
            let fixed = |translation: &Translation| match translation {
                Translation::Fixed { offset } => Some(frame.position_from_file(*offset)),
                Translation::Animated { .. } => None,
            };
            let fixed_m = document.translations.iter().map(fixed).collect();
            SourceRows { document, decoder: RotationDecoder::new(document, frame), rotations: Vec::new(), fixed_m }
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
        for ((id, joint), &rotation) in self.clip.skeleton().ids().zip(&plan.joints).zip(rotations) {
            let angles = self.angles(index, id, joint, rotation, file_from_internal, source_row);
            let position = if joint.columns.iter().any(|column| matches!(column, OutColumn::Position(_))) {
                self.position(index, id, joint, source_row)
            } else {
                DVec3::ZERO
            };
            for (slot, column) in joint.columns.iter().enumerate() {
                row[joint.first_column + slot] = match *column {
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

    /// Euler angles of a joint: the source's where the rotation is the source's, else the nearest to it.
    fn angles(
        &mut self,
        index: FrameIndex,
        id: JointId,
        joint: &JointPlan,
        rotation: DQuat,
        file_from_internal: aplomb_motion::SignedPermutation,
        source_row: Option<&[f64]>,
    ) -> [f64; 3] {
        let mut angles = [0.0; 3];
        let source_deg = |row: &[f64]| {
            let (source, at) = (self.source.as_ref()?, joint.source?);
            let source = &source.document.joints[at];
            let mut angles = ArrayVec::<f64, 3>::new();
            for &axis in &joint.axes {
                angles.push(row[source.column_of(Channel::Rotation(axis))?]);
            }
            Some(angles)
        };
        let now = source_row.and_then(source_deg);
        if let (Some(now), Some(source), Some(at)) = (&now, &self.source, joint.source)
            && same_rotation(source.rotations[at], rotation)
            && joint_keeps_order(source.document, at, &joint.axes)
        {
            angles[..now.len()].copy_from_slice(now);
            return angles;
        }
        let rotation = file_from_internal.rotation(rotation);
        let before: Option<ArrayVec<f64, 3>> = self.previous.as_ref().map(|row| {
            let slots = joint.columns.iter().zip(&row[joint.first_column..]);
            slots.filter(|(column, _)| matches!(column, OutColumn::Rotation(..))).map(|(_, &value)| value).collect()
        });
        let found = match (&now, before) {
            (Some(now), Some(before)) => {
                let source_before =
                    self.source.as_ref().and_then(|source| source.document.row(index.0.wrapping_sub(1)));
                let source_before = source_before.and_then(source_deg);
                near_source(rotation, &joint.axes, now, source_before.as_deref(), &before)
            }
            (Some(now), None) => deg_near(rotation, &joint.axes, now),
            (None, Some(before)) => deg_near(rotation, &joint.axes, &before),
            (None, None) => {
                // The first frame of a clip with frames of its own: begin where the source begins.
                let first = self.source.as_ref().and_then(|source| source.document.row(0)).and_then(source_deg);
                deg_near(rotation, &joint.axes, first.as_deref().unwrap_or(&[]))
            }
        };
        if found.loss_rad > NEGLIGIBLE_LOSS_RAD && joint.axes.len() < 3 {
            self.lossy_values += 1;
            if self.worst_loss.is_none_or(|(worst, ..)| found.loss_rad > worst) {
                self.worst_loss = Some((found.loss_rad, id, index));
            }
        }
        for (slot, &angle) in found.angles_deg.iter().enumerate() {
            let kept =
                now.as_ref().map(|now| now[slot]).filter(|&source| self.is_same_value(angle, source, joint, slot));
            angles[slot] = kept.unwrap_or(angle);
        }
        angles
    }

    /// Local translation in file units: the source's components where they are the source's.
    fn position(&self, index: FrameIndex, id: JointId, joint: &JointPlan, source_row: Option<&[f64]>) -> DVec3 {
        let translation_m = self.clip.translation_m(index, id);
        let mut position = self.frame.position_to_file(translation_m);
        let (Some(source), Some(row), Some(at)) = (&self.source, source_row, joint.source) else { return position };
        let source_joint = &source.document.joints[at];
        let columns = PositionColumns::of(source_joint);
        let adds = source.document.dialect.positions_add;
        let in_file = columns.translation(row, offset_of(source_joint), adds);
        let source_m = source.fixed_m[at].unwrap_or_else(|| self.frame.position_from_file(in_file));
        let unedited = self.frame.position_to_file(source_m);
        for axis in Axis::ALL.map(Axis::index) {
            let Some(column) = columns.0[axis] else { continue };
            let unchanged = unedited[axis].to_bits() == position[axis].to_bits();
            // In a patched additive file the channel stays relative to its OFFSET.
            let keeps_adding = adds && self.is_patching;
            if keeps_adding {
                position[axis] -= offset_of(source_joint)[axis];
            }
            let reference = if keeps_adding || !adds { row[column] } else { in_file[axis] };
            let tolerance = self.tolerance(reference, source.document.rows.decimals[column]);
            if unchanged || (position[axis] - reference).abs() <= tolerance {
                position[axis] = reference;
            }
        }
        position
    }

    /// Whether an angle differs from the source's only by rounding.
    fn is_same_value(&self, value: f64, source_value: f64, joint: &JointPlan, slot: usize) -> bool {
        let (Some(source), Some(at), Some(&axis)) = (&self.source, joint.source, joint.axes.get(slot)) else {
            return false;
        };
        let column = source.document.joints[at].column_of(Channel::Rotation(axis));
        let decimals = column.map_or(0, |column| source.document.rows.decimals[column]);
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
) -> aplomb_motion::euler::EulerAngles {
    // Both triples of a rotation differ by half turns, so smaller jumps cannot hide a flip.
    const FLIP_DEG: f64 = 90.0;
    let at_source = deg_near(rotation, axes, now);
    let Some(source_before) = source_before else { return at_source };
    let flips = |angles: &[f64]| {
        let steps = angles.iter().zip(before).zip(now.iter().zip(source_before));
        steps.into_iter().any(|((angle, before), (now, then))| (angle - before).abs() > (now - then).abs() + FLIP_DEG)
    };
    if !flips(&at_source.angles_deg) {
        return at_source;
    }
    let carried = now.iter().zip(source_before).zip(before).map(|((now, source), out)| out + (now - source));
    let carried = deg_near(rotation, axes, &carried.collect::<ArrayVec<f64, 3>>());
    if flips(&carried.angles_deg) { deg_near(rotation, axes, before) } else { carried }
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

pub(super) fn same_bits(a: DVec3, b: DVec3) -> bool {
    a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits)
}
