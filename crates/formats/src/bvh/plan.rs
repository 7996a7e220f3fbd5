//! Which columns a clip needs in its file: those of its source, and what its motion needs beyond them.

use super::codes;
use super::document::BvhDocument;
use super::hierarchy::Column;
use super::scan::Span;
use super::text::Fault;
use super::to_clip::RotationDecoder;
use super::translations::{PositionColumns, Translation, offset_of};
use crate::diagnostic::Diagnostic;
use crate::options::WriteOptions;
use crate::row_match::{match_rows, pose_key};
use aplomb_motion::euler::deg_near;
use aplomb_motion::{Axis, Channel, Clip, FrameIndex, FrameOfReference, Joint, JointId};
use arrayvec::ArrayVec;
use glam::DVec3;
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
    pub has_position: bool,
    /// Offset in file units and axes.
    pub offset: DVec3,
}

/// How a clip is written.
pub(super) struct Plan {
    pub joints: Vec<JointPlan>,
    /// Values a row.
    pub columns: usize,
    /// The source row each frame is, or is an edit of.
    pub rows: Vec<Option<usize>>,
    /// Every frame has one.
    pub has_all_rows: bool,
    /// The same joints with the same columns as the source: its text can be patched.
    pub same_structure: bool,
    /// Source columns behind the last joint's, written at the end of each row.
    pub extra_columns: Vec<usize>,
}

impl Plan {
    /// `frame` is the new file's; a document comes with the frame its clip was made with.
    pub fn new(
        clip: &Clip,
        frame: FrameOfReference,
        source: Option<(&BvhDocument, FrameOfReference)>,
        options: &WriteOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Self, Fault> {
        let (document, source_frame) = (source.map(|(document, _)| document), source.map(|(_, frame)| frame));
        let same_axes = source_frame.is_none_or(|source| source.internal_from_file == frame.internal_from_file);
        let sources = match document {
            Some(document) => match_joints(clip, document),
            None => vec![None; clip.skeleton().len()],
        };
        let rows = match source {
            Some((document, source_frame)) => rows_of_frames(clip, document, source_frame, &sources),
            None => vec![None; clip.frame_count()],
        };
        let has_all_rows = rows.iter().all(Option::is_some);
        let own = source.map(|(document, source_frame)| document.skeleton(source_frame)).transpose()?;
        let mut plan = Self {
            joints: Vec::new(),
            columns: 0,
            rows,
            has_all_rows,
            same_structure: true,
            extra_columns: Vec::new(),
        };
        for (id, joint) in clip.skeleton().ids().zip(clip.skeleton().joints()) {
            let source = sources[id.index()];
            let mut wanted = wanted_channels(clip, id, frame, source.is_some(), same_axes, notes);
            let mut offset_m = joint.offset_m;
            if options.root_positions_only && joint.parent.is_some() {
                offset_m = constant_translation(clip, id, frame)?;
                wanted.retain(|channel| matches!(channel, Channel::Rotation(_)));
            }
            // Adding 0 takes the sign from a −0 that a change of axes may give.
            let mut offset = frame.position_to_file(offset_m) + DVec3::ZERO;
            if let (Some(index), Some(document), Some(own)) = (source, document, &own) {
                // Multiplying by the unit and dividing again is not exact: unchanged offsets keep the source's number.
                if source_frame == Some(frame) && same_bits(own.joint(JointId::new(index)).offset_m, offset_m) {
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
            let has_position = columns.iter().any(|column| matches!(column, OutColumn::Position(_)));
            plan.joints.push(JointPlan { source, columns, first_column, axes, has_position, offset });
        }
        if let Some(document) = document {
            plan.same_structure &= document.joints.len() == plan.joints.len();
            if plan.has_all_rows {
                let declared = document.rows.columns - document.rows.extra_columns;
                plan.extra_columns = (declared..document.rows.columns).collect();
            } else if document.rows.extra_columns > 0 {
                let found =
                    "the values at the end of each row that no channel accounts for have none for the new frames";
                notes.push(Diagnostic::warning(codes::OPAQUE_DROPPED, "", found).hint("they were left out"));
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
        if has_opaque && is_same && self.has_all_rows {
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

/// The source row of each frame: one to one if there are as many, else the rows with the same pose.
fn rows_of_frames(
    clip: &Clip,
    document: &BvhDocument,
    source_frame: FrameOfReference,
    sources: &[Option<usize>],
) -> Vec<Option<usize>> {
    let rows = document.frame_count();
    // The one made-up frame of a file without rows counts as its own.
    if document.clip_frames() == clip.frame_count() {
        return (0..clip.frame_count()).map(Some).collect();
    }
    let joints: Vec<(usize, usize)> =
        sources.iter().enumerate().filter_map(|(joint, source)| Some((joint, (*source)?))).collect();
    if joints.is_empty() || rows == 0 {
        return vec![None; clip.frame_count()];
    }
    let moving: Vec<(JointId, PositionColumns, DVec3)> = joints
        .iter()
        .filter(|&&(joint, source)| {
            let animated = matches!(document.translations[source], Translation::Animated { .. });
            animated && clip.track(JointId::new(joint)).is_some()
        })
        .map(|&(joint, source)| {
            let source = &document.joints[source];
            (JointId::new(joint), PositionColumns::of(source), offset_of(source))
        })
        .collect();
    let adds = document.dialect.positions_add;
    let find = |moving: &[(JointId, PositionColumns, DVec3)]| {
        let mut decoder = RotationDecoder::new(document, source_frame);
        let mut decoded = Vec::new();
        let key_of_frame = |frame: usize| {
            let rotations = clip.rotations_at(FrameIndex(frame));
            let positions = moving.iter().map(|&(joint, ..)| clip.translation_m(FrameIndex(frame), joint));
            pose_key(joints.iter().map(|&(joint, _)| rotations[joint]), positions)
        };
        let key_of_row = |index: usize| {
            let row = document.row(index).unwrap_or(&[]);
            decoded.clear();
            decoder.decode(row, &mut decoded);
            let positions = moving
                .iter()
                .map(|(_, columns, offset)| source_frame.position_from_file(columns.translation(row, *offset, adds)));
            pose_key(joints.iter().map(|&(_, source)| decoded[source]), positions)
        };
        match_rows(clip.frame_count(), rows, key_of_frame, key_of_row)
    };
    let found = find(&moving);
    // A clip that was scaled or moved as well still has the file's rotations.
    if found.iter().all(Option::is_none) && !moving.is_empty() { find(&[]) } else { found }
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
    same_axes: bool,
    notes: &mut Vec<Diagnostic>,
) -> Vec<Channel> {
    const USUAL: [Axis; 3] = [Axis::Z, Axis::X, Axis::Y];
    let joint = clip.skeleton().joint(id);
    let mut wanted = joint.channels.as_slice().to_vec();
    let axes = joint.channels.rotation_axes();
    let is_free = !has_source && axes.is_empty();
    // In other axes the turns of a knee need other channels.
    let may_add = !has_source || !same_axes;
    if axes.len() < 3 && (is_free || (may_add && !is_expressible(clip, id, frame, &axes))) {
        let missing = USUAL.into_iter().filter(|axis| !axes.contains(axis));
        wanted.extend(missing.map(Channel::Rotation));
        if has_source {
            let found = format!("joint {:?} got rotation channels because its own do not hold its turns", joint.name);
            notes.push(Diagnostic::warning(codes::CHANNELS_ADDED, "", found));
        }
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
pub(super) const NEGLIGIBLE_LOSS_RAD: f64 = 1e-6 * std::f64::consts::PI / 180.0;

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

pub(super) fn same_bits(a: DVec3, b: DVec3) -> bool {
    a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits)
}
