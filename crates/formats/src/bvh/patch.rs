//! Writing an edited motion back into its own file: only the tokens that changed are replaced.

use super::canonical::{self, BvhStyle};
use super::codes;
use super::document::BvhDocument;
use super::encode::Encoder;
use super::hierarchy::JointSource;
use super::plan::{Plan, same_bits};
use super::scan::Span;
use super::text::Commas;
use super::translations::{PositionColumns, Translation, offset_of};
use crate::diagnostic::Diagnostic;
use crate::number;
use crate::options::WriteOptions;
use aplomb_motion::{Clip, FrameOfReference, FrameTime, Joint, Skeleton};
use glam::DVec3;

impl BvhDocument {
    /// The file of `clip`, an edit of what [`BvhDocument::to_clip`] gives for the same `frame`.
    ///
    /// An unedited clip gives the very bytes of the source. An edited one gives them with the tokens replaced whose
    /// channels changed; all else stays, white space included. If frames, joints or channels are others than the
    /// source's, the file is written anew in the source's style, and a note says so. A changed frame time changes its
    /// own token.
    pub fn write(
        &self,
        clip: &Clip,
        frame: FrameOfReference,
        options: &WriteOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.write_in(clip, frame, frame, options, notes)
    }

    /// [`BvhDocument::write`] with another unit or other axes: `source_frame` is the one the clip was made with,
    /// `frame` that of the new file. With another unit the lengths change and nothing else.
    pub fn write_in(
        &self,
        clip: &Clip,
        source_frame: FrameOfReference,
        frame: FrameOfReference,
        options: &WriteOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Vec<u8>, Box<Diagnostic>> {
        let frame_time = canonical::uniform_frame_time(clip)?;
        let frames = Frames { source: source_frame, target: frame };
        let mut plan_notes = Vec::new();
        let plan = Plan::new(clip, frame, Some((self, source_frame)), options, &mut plan_notes)?;
        let frames_match = clip.frame_count() == self.clip_frames();
        let anew = options.canonical || self.rows.is_salvaged || !plan.same_structure || !frames_match;
        if !anew && let Some(bytes) = self.patched(clip, frames, frame_time, &plan, options, notes)? {
            return Ok(bytes);
        }
        notes.append(&mut plan_notes);
        let note = Diagnostic::note(codes::REWRITTEN, "", "the file is written anew in the style of its source");
        let hint = match self.dialect.positions_add {
            true => "position channels replace the OFFSET in it, as usual; the source adds them",
            false => "lines and spacing may differ",
        };
        notes.push(note.hint(hint));
        if self.has_trailing_text() {
            let found = "the text after the last row is not written again";
            notes.push(Diagnostic::warning(codes::TRAILING_DROPPED, "", found));
        }
        let source = Some((self, source_frame));
        canonical::write_planned(clip, frame, &BvhStyle::of(self), options, source, &plan, frame_time, notes)
    }

    /// `None` if the text has no place for what changed.
    fn patched(
        &self,
        clip: &Clip,
        frames: Frames,
        frame_time: FrameTime,
        plan: &Plan,
        options: &WriteOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Option<Vec<u8>>, Box<Diagnostic>> {
        let own = self.skeleton(frames.source)?;
        let mut header = self.header_patches(clip, &own, frames, plan, options, notes);
        if !self.has_frames_to_patch() && self.rest_pose_moved(clip, frames.source)? {
            return Ok(None);
        }
        let in_file = self.header.frame_time.and_then(|(_, value)| value);
        if in_file.is_none_or(|in_file| in_file.secs() != frame_time.secs()) {
            let Some((span, _)) = self.header.frame_time.filter(|(span, _)| span.start < span.end) else {
                return Ok(None);
            };
            header.push((span, self.spelled(|out| canonical::push_frame_time(out, frame_time, options))));
        }
        let mut out = Patcher { source: &self.bytes, out: Vec::with_capacity(self.bytes.len() + 64), copied: 0 };
        // The count is in front of the rows but only known to be needed behind them: rows are patched first.
        let rows = self.row_patches(clip, frames, plan, options, notes);
        let is_edited = !header.is_empty() || !rows.is_empty();
        if let Some((span, declared)) = self.header.frames
            && is_edited
            && declared != self.frame_count() as u64
            && self.frame_count() > 0
        {
            header.push((span, self.frame_count().to_string().into_bytes()));
            let found = format!("the frame count is corrected from {declared} to {}", self.frame_count());
            notes.push(
                Diagnostic::note(codes::FRAMES_CORRECTED, "", found).hint("an unedited file keeps the wrong one"),
            );
        }
        header.sort_by_key(|(span, _)| span.start);
        for (span, text) in &header {
            out.replace(*span, text);
        }
        let mut decimals = self.rows.decimals.clone();
        for column in self.joints.iter().flat_map(|joint| PositionColumns::of(joint).0).flatten() {
            decimals[column] = decimals[column].saturating_add(frames.more_decimals());
        }
        for (frame, column_values) in rows {
            let mut changes = column_values.iter().peekable();
            for (column, span) in self.row_tokens(frame).enumerate() {
                if let Some(&(_, value)) = changes.next_if(|&&(changed, _)| changed == column) {
                    let decimals = Decimals { column: decimals[column], own: decimals_of(span.of(&self.bytes)) };
                    out.replace(span, &self.spelled(|out| push_value(out, value, decimals, options)));
                }
            }
        }
        Ok(Some(out.finish()))
    }

    fn has_frames_to_patch(&self) -> bool {
        self.frame_count() > 0
    }

    /// Of a file without rows: whether its one made-up frame was edited.
    fn rest_pose_moved(&self, clip: &Clip, frame: FrameOfReference) -> Result<bool, Box<Diagnostic>> {
        let own = self.to_clip(frame)?;
        Ok(own.rotations() != clip.rotations() || own.tracks() != clip.tracks())
    }

    /// Changed values of every changed row: frame, then column and value in rising order.
    fn row_patches(
        &self,
        clip: &Clip,
        frames: Frames,
        plan: &Plan,
        options: &WriteOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Vec<(usize, Vec<(usize, f64)>)> {
        if !self.has_frames_to_patch() {
            return Vec::new();
        }
        let mut encoder = Encoder::new(plan, clip, frames.target, Some((self, frames.source)), options, true);
        let mut row = vec![0.0; self.rows.columns];
        let mut patches = Vec::new();
        let mut repaired = self.rows.repaired.iter().peekable();
        for index in clip.frames() {
            encoder.encode(index, &mut row);
            let Some(source) = self.row(index.0) else { break };
            let mut changes: Vec<(usize, f64)> = Vec::new();
            for (column, (&value, &before)) in row.iter().zip(source).enumerate() {
                // Tokens that were not numbers get what the user asked to fill in.
                let is_repaired = repaired.next_if(|&&place| place == (index.0, column)).is_some();
                if is_repaired || value.to_bits() != before.to_bits() {
                    changes.push((column, value));
                }
            }
            if !changes.is_empty() {
                patches.push((index.0, changes));
            }
        }
        encoder.tell_losses(notes);
        patches
    }

    /// Names, offsets and end sites that were changed.
    fn header_patches(
        &self,
        clip: &Clip,
        own: &Skeleton,
        frames: Frames,
        plan: &Plan,
        options: &WriteOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Vec<(Span, Vec<u8>)> {
        let mut patches = Vec::new();
        let joints = clip.skeleton().joints().iter().zip(own.joints()).zip(&self.joints).zip(&plan.joints).enumerate();
        for (index, (((joint, own), source), planned)) in joints {
            if joint.name != own.name {
                patches.push((source.name, canonical::clean_name(&joint.name, notes)));
            }
            let is_edited = !same_bits(joint.offset_m, own.offset_m) && self.offset_follows(index, source);
            let edited = is_edited.then_some((own.offset_m, planned.offset));
            self.patch_offset(source.offset, edited, frames, options, &mut patches);
            self.end_site_patches(joint, own, source, frames, options, &mut patches);
        }
        patches
    }

    fn end_site_patches(
        &self,
        joint: &Joint,
        own: &Joint,
        source: &JointSource,
        frames: Frames,
        options: &WriteOptions,
        patches: &mut Vec<(Span, Vec<u8>)>,
    ) {
        for ((end, own), source) in joint.end_sites.iter().zip(&own.end_sites).zip(&source.end_sites) {
            let is_edited = !same_bits(end.offset_m, own.offset_m);
            let edited = is_edited.then(|| (own.offset_m, frames.target.position_to_file(end.offset_m) + DVec3::ZERO));
            self.patch_offset(source.offset, edited, frames, options, patches);
        }
    }

    /// Whether the OFFSET in the text is to change with the joint's offset: not where it is a placeholder beside
    /// position channels that hold the bone, and not where channels are added to it.
    fn offset_follows(&self, index: usize, source: &JointSource) -> bool {
        if !PositionColumns::of(source).any() {
            return true;
        }
        let offset = offset_of(source);
        let held = match self.translations[index] {
            Translation::Fixed { offset } | Translation::Animated { rest: offset } => offset,
        };
        // Real files repeat the bone to three decimals or better.
        !self.dialect.positions_add && (held - offset).length() <= 1e-3 * offset.length()
    }

    /// An OFFSET that was edited (from metres, to file units), or stands in another unit or other axes now. Components
    /// that keep their number keep their text.
    fn patch_offset(
        &self,
        numbers: [super::scan::Number; 3],
        edited: Option<(DVec3, DVec3)>,
        frames: Frames,
        options: &WriteOptions,
        patches: &mut Vec<(Span, Vec<u8>)>,
    ) {
        let in_source = DVec3::from_array(numbers.map(|number| number.value));
        let in_metres = frames.source.position_from_file(in_source);
        let (before_m, after) = match edited {
            Some(edited) => edited,
            None if frames.is_same() => return,
            None => (in_metres, frames.target.position_to_file(in_metres) + DVec3::ZERO),
        };
        // What a number becomes by the way to metres and back alone is no change.
        let before = frames.source.position_to_file(before_m);
        for (axis, number) in numbers.iter().enumerate() {
            let is_same = after[axis] == in_source[axis] || (frames.is_same() && after[axis] == before[axis]);
            if !is_same {
                let column = number.decimals.saturating_add(frames.more_decimals());
                let decimals = Decimals { column, own: decimals_of(number.span.of(&self.bytes)) };
                patches.push((number.span, self.spelled(|out| push_value(out, after[axis], decimals, options))));
            }
        }
    }

    /// Text of a number in the file's own decimal mark.
    fn spelled(&self, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut text = Vec::with_capacity(24);
        write(&mut text);
        if self.dialect.commas == Commas::Decimal {
            for byte in text.iter_mut().filter(|byte| **byte == b'.') {
                *byte = b',';
            }
        }
        text
    }

    fn has_trailing_text(&self) -> bool {
        !self.rows.is_salvaged && self.trailing_bytes().iter().any(|&byte| !super::text::is_white(byte))
    }
}

/// Unit and axes of the source and of the file to be written.
#[derive(Clone, Copy)]
struct Frames {
    source: FrameOfReference,
    target: FrameOfReference,
}

impl Frames {
    fn is_same(self) -> bool {
        self.source == self.target
    }

    /// That lengths need in a larger unit.
    fn more_decimals(self) -> u8 {
        canonical::more_decimals(self.target.metres_per_unit / self.source.metres_per_unit)
    }
}

/// How many decimals its column has, and how many the very token that is replaced.
#[derive(Clone, Copy)]
struct Decimals {
    column: u8,
    own: usize,
}

/// Digits behind the decimal mark of a token as it stands.
fn decimals_of(token: &[u8]) -> usize {
    let mark = token.iter().position(|&byte| matches!(byte, b'.' | b','));
    mark.map_or(0, |mark| token[mark + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count())
}

/// As many decimals as the column had, and six at least; zeros at the end only as far as the token had decimals.
fn push_value(out: &mut Vec<u8>, value: f64, decimals: Decimals, options: &WriteOptions) {
    if options.full_precision {
        return number::push_shortest(out, value);
    }
    let most = canonical::decimals_to_write(decimals.column);
    number::push_at_most(out, value, most);
    let written = decimals_of(out);
    let wanted = decimals.own.min(most);
    if written < wanted && out.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'.')) {
        if written == 0 {
            out.push(b'.');
        }
        out.resize(out.len() + wanted - written, b'0');
    }
}

/// Copies a source with some stretches replaced, in rising order.
struct Patcher<'a> {
    source: &'a [u8],
    out: Vec<u8>,
    copied: usize,
}

impl Patcher<'_> {
    fn replace(&mut self, span: Span, text: &[u8]) {
        self.out.extend_from_slice(&self.source[self.copied..span.start]);
        self.out.extend_from_slice(text);
        self.copied = span.end;
    }

    fn finish(mut self) -> Vec<u8> {
        self.out.extend_from_slice(&self.source[self.copied..]);
        self.out
    }
}
