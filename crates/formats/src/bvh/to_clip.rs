//! From the document to motion: Euler angles to quaternions, file units to metres, file axes to Y up.

use super::codes;
use super::document::BvhDocument;
use super::hierarchy::{Column, JointSource};
use super::translations::{PositionColumns, Translation, offset_of};
use crate::diagnostic::Diagnostic;
use aplomb_motion::euler::{EXACT_BELOW_DEG, about, half_angle_sin_cos_below_deg, half_angle_sin_cos_deg};
use aplomb_motion::{
    Axis, Channel, Channels, Clip, EndSite, FrameOfReference, Joint, JointId, SignedPermutation, Skeleton, Timeline,
    TranslationTrack,
};
use glam::{DQuat, DVec3};
use std::sync::Arc;

impl BvhDocument {
    /// The motion in metres, Y up, as `frame` maps the file's unit and axes.
    ///
    /// Call it with [`FrameOfReference::INTERNAL`] to look at the file as it is; [`crate::reframe::reframe`] then
    /// gives, to the bit, what this would have given with the frame decided on.
    pub fn to_clip(&self, frame: FrameOfReference) -> Result<Clip, Box<Diagnostic>> {
        let skeleton = Arc::new(self.skeleton(frame)?);
        let frames = self.clip_frames();
        let rotations = self.rotations(frame);
        let tracks = self.tracks(frame);
        Clip::new(skeleton, Timeline::Uniform(self.frame_time), frames, rotations, tracks)
            .map_err(|error| not_a_clip(error.to_string()))
    }

    /// Joints with their semantic offsets: where position channels hold the bone, the offset is what they say.
    pub(super) fn skeleton(&self, frame: FrameOfReference) -> Result<Skeleton, Box<Diagnostic>> {
        let joint = |(source, translation): (&JointSource, &Translation)| {
            let offset = match translation {
                Translation::Fixed { offset } | Translation::Animated { rest: offset } => *offset,
            };
            let end_site = |end: &super::hierarchy::EndSource| EndSite {
                name: (end.name.start < end.name.end).then(|| self.text(end.name)),
                offset_m: frame.position_from_file(DVec3::from_array(end.offset.map(|number| number.value))),
            };
            Joint {
                name: self.text(source.name),
                parent: source.parent.map(JointId::new),
                offset_m: frame.position_from_file(offset),
                channels: channels_of(source),
                end_sites: source.end_sites.iter().map(end_site).collect(),
            }
        };
        let joints = self.joints.iter().zip(&self.translations).map(joint).collect();
        Skeleton::new(joints).map_err(|error| not_a_clip(error.to_string()))
    }

    fn text(&self, span: super::scan::Span) -> String {
        String::from_utf8_lossy(span.of(&self.bytes)).into_owned()
    }

    /// All local rotations, frame-major. Sines and cosines of a whole row are computed in one loop over plain arrays,
    /// which runs in vector registers; then each joint multiplies its own.
    fn rotations(&self, frame: FrameOfReference) -> Vec<DQuat> {
        let joints = self.joints.len();
        if self.rows.columns == 0 || self.frame_count() == 0 {
            return vec![DQuat::IDENTITY; self.clip_frames() * joints];
        }
        let mut rotations = Vec::with_capacity(self.frame_count() * joints);
        let mut decoder = RotationDecoder::new(self, frame);
        for row in self.rows.values.chunks_exact(self.rows.columns) {
            decoder.decode(row, &mut rotations);
        }
        rotations
    }

    fn tracks(&self, frame: FrameOfReference) -> Vec<TranslationTrack> {
        let moving = self.joints.iter().zip(&self.translations).enumerate();
        let moving = moving.filter(|(_, (_, translation))| matches!(translation, Translation::Animated { .. }));
        let mut sources = Vec::new();
        let mut tracks: Vec<TranslationTrack> = Vec::new();
        for (index, (joint, _)) in moving {
            sources.push((PositionColumns::of(joint), offset_of(joint)));
            let positions_m = Vec::with_capacity(self.clip_frames());
            tracks.push(TranslationTrack { joint: JointId::new(index), positions_m });
        }
        for row in self.rows.values.chunks_exact(self.rows.columns.max(1)) {
            for (track, (columns, offset)) in tracks.iter_mut().zip(&sources) {
                let position = columns.translation(row, *offset, self.dialect.positions_add);
                track.positions_m.push(frame.position_from_file(position));
            }
        }
        for (track, (_, offset)) in tracks.iter_mut().zip(&sources) {
            // Only a file without rows has none yet.
            track.positions_m.resize(self.clip_frames(), frame.position_from_file(*offset));
        }
        tracks
    }
}

/// The channels we understand, in file order.
fn channels_of(source: &JointSource) -> Channels {
    let known = source.columns().iter().filter_map(|column| match column {
        Column::Known(channel) => Some(*channel),
        Column::Opaque => None,
    });
    // Repetitions were refused by the reader.
    Channels::new(&known.collect::<Vec<_>>()).unwrap_or_default()
}

fn not_a_clip(reason: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::NOT_A_CLIP, "", reason))
}

/// Decodes rows to local rotations, always to the same bits: the writer finds edits by comparing with it.
pub(super) struct RotationDecoder {
    layout: RotationLayout,
    scratch: Scratch,
    /// `None` for the identity.
    internal_from_file: Option<SignedPermutation>,
}

impl RotationDecoder {
    pub fn new(document: &BvhDocument, frame: FrameOfReference) -> Self {
        let layout = RotationLayout::of(&document.joints);
        let scratch = Scratch::for_layout(&layout);
        let permutation = frame.internal_from_file;
        let internal_from_file = (permutation != SignedPermutation::IDENTITY).then_some(permutation);
        Self { layout, scratch, internal_from_file }
    }

    /// Appends one rotation a joint.
    pub fn decode(&mut self, row: &[f64], rotations: &mut Vec<DQuat>) {
        self.scratch.fill(&self.layout, row);
        let start = rotations.len();
        rotations.extend(self.layout.joints.iter().map(|turns| turns.rotation(&self.scratch)));
        if let Some(permutation) = self.internal_from_file {
            for rotation in &mut rotations[start..] {
                *rotation = permutation.rotation(*rotation);
            }
        }
    }
}

/// Which columns are angles, and what each joint does with them.
struct RotationLayout {
    /// Row index of every angle, in joint order.
    columns: Vec<usize>,
    joints: Vec<Turns>,
}

/// A joint's rotation channels; `first` is the place of its first angle among all angles of a row.
enum Turns {
    None,
    Three { first: usize, axes: [Axis; 3], handedness: f64 },
    Few { first: usize, axes: arrayvec::ArrayVec<Axis, 3> },
}

struct Scratch {
    angles_deg: Vec<f64>,
    sin: Vec<f64>,
    cos: Vec<f64>,
}

impl Scratch {
    fn for_layout(layout: &RotationLayout) -> Self {
        let zeros = || vec![0.0; layout.columns.len()];
        Self { angles_deg: zeros(), sin: zeros(), cos: zeros() }
    }

    fn fill(&mut self, layout: &RotationLayout, row: &[f64]) {
        for (angle_deg, &column) in self.angles_deg.iter_mut().zip(&layout.columns) {
            *angle_deg = row[column];
        }
        let outputs = self.sin.iter_mut().zip(&mut self.cos);
        let is_usual = self.angles_deg.iter().fold(0.0f64, |most, angle| most.max(angle.abs())) < EXACT_BELOW_DEG;
        // Two loops with the same results: only the first one can run in vector registers.
        if is_usual {
            for (&angle_deg, (sin, cos)) in self.angles_deg.iter().zip(outputs) {
                (*sin, *cos) = half_angle_sin_cos_below_deg(angle_deg);
            }
        } else {
            for (&angle_deg, (sin, cos)) in self.angles_deg.iter().zip(outputs) {
                (*sin, *cos) = half_angle_sin_cos_deg(angle_deg);
            }
        }
    }
}

impl RotationLayout {
    fn of(joints: &[JointSource]) -> Self {
        let mut columns = Vec::new();
        let turns = |joint: &JointSource| {
            let first = columns.len();
            let mut axes = arrayvec::ArrayVec::<Axis, 3>::new();
            let first_column = joint.channels.as_ref().map_or(0, |list| list.first_column);
            for (slot, column) in joint.columns().iter().enumerate() {
                if let Column::Known(Channel::Rotation(axis)) = column {
                    axes.push(*axis);
                    columns.push(first_column + slot);
                }
            }
            match *axes {
                [] => Turns::None,
                [i, j, k] => {
                    let handedness = if (i.index() + 1) % 3 == j.index() { 1.0 } else { -1.0 };
                    Turns::Three { first, axes: [i, j, k], handedness }
                }
                _ => Turns::Few { first, axes },
            }
        };
        let joints = joints.iter().map(turns).collect();
        Self { columns, joints }
    }
}

impl Turns {
    #[inline]
    fn rotation(&self, scratch: &Scratch) -> DQuat {
        match self {
            Turns::None => DQuat::IDENTITY,
            Turns::Three { first, axes, handedness } => {
                let at = *first..*first + 3;
                match (&scratch.sin[at.clone()], &scratch.cos[at]) {
                    (&[sa, sb, sc], &[ca, cb, cc]) => three_turns(*axes, *handedness, [sa, sb, sc], [ca, cb, cc]),
                    _ => DQuat::IDENTITY,
                }
            }
            Turns::Few { first, axes } => axes.iter().enumerate().fold(DQuat::IDENTITY, |rotation, (slot, &axis)| {
                rotation * about(axis, scratch.sin[first + slot], scratch.cos[first + slot])
            }),
        }
    }
}

/// The product of three half-angle quaternions about different axes i, j, k, multiplied out. With e = +1 for i, j, k in
/// cyclic order and −1 otherwise (from i·j = e·k and its like):
/// w = ca·cb·cc − e·sa·sb·sc, qᵢ = sa·cb·cc + e·ca·sb·sc, qⱼ = ca·sb·cc − e·sa·cb·sc, qₖ = ca·cb·sc + e·sa·sb·cc.
#[inline]
fn three_turns([i, j, k]: [Axis; 3], e: f64, [sa, sb, sc]: [f64; 3], [ca, cb, cc]: [f64; 3]) -> DQuat {
    let (cc_ab, ss_ab, sc_ab, cs_ab) = (ca * cb, e * sa * sb, sa * cb, ca * sb);
    let mut q = [0.0; 3];
    q[i.index()] = sc_ab * cc + e * cs_ab * sc;
    q[j.index()] = cs_ab * cc - e * sc_ab * sc;
    q[k.index()] = cc_ab * sc + ss_ab * cc;
    DQuat::from_xyzw(q[0], q[1], q[2], cc_ab * cc - ss_ab * sc)
}
