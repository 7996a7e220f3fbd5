//! Writing a whole BVH file: for motion from elsewhere, and for edits that its own file has no place for.

use super::codes;
use super::document::{BvhDocument, Eol};
use super::encode::Encoder;
use super::plan::{OutColumn, Plan};
use super::scan::Span;
use super::text::Commas;
use crate::diagnostic::{Diagnostic, shown};
use crate::number;
use crate::options::WriteOptions;
use aplomb_motion::{Channel, Clip, FrameOfReference, FrameTime, JointId};
use glam::DVec3;

/// How a new file looks.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhStyle {
    /// Line ends.
    pub eol: Eol,
    /// One level of indentation.
    pub indent: Vec<u8>,
    /// Between the values of a row: a space or a tab.
    pub separator: u8,
    /// A separator after the last value as well, as some programs write it.
    pub trailing_separator: bool,
    /// Digits after the point, where the source has fewer.
    pub decimals: u8,
}

impl Default for BvhStyle {
    /// LF, tabs, six decimals.
    fn default() -> Self {
        Self { eol: Eol::Lf, indent: b"\t".to_vec(), separator: b' ', trailing_separator: false, decimals: 6 }
    }
}

impl BvhStyle {
    /// The look of a file that was read.
    pub fn of(document: &BvhDocument) -> Self {
        let dialect = document.dialect();
        Self {
            eol: dialect.eol,
            indent: dialect.indent.clone(),
            separator: dialect.separator,
            trailing_separator: dialect.trailing_blank,
            decimals: 6,
        }
    }
}

/// Writes a clip that did not come from BVH, or whose source is not to be followed.
///
/// Joints keep their own channels. Joints without any get `Zrotation Xrotation Yrotation`, roots the three positions
/// before them; joints whose rotations need more axes than they have get the missing ones. Numbers are rounded
/// correctly to the style's decimals, or written so that they read back as the same `f64` with
/// [`WriteOptions::full_precision`].
pub fn write_canonical(
    clip: &Clip,
    frame: FrameOfReference,
    style: &BvhStyle,
    options: &WriteOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let frame_time = uniform_frame_time(clip)?;
    let plan = Plan::new(clip, frame, None, options, notes)?;
    write_planned(clip, frame, style, options, None, &plan, frame_time, notes)
}

pub(super) fn uniform_frame_time(clip: &Clip) -> Result<FrameTime, Box<Diagnostic>> {
    // Keyed times have no place in BVH.
    clip.timeline().uniform().ok_or_else(|| {
        let error = Diagnostic::error(codes::CANNOT_WRITE, "frames at a constant rate", "frames at times of their own");
        Box::new(error.hint("resample the clip to a rate first"))
    })
}

/// At least six, as many as the source had, and no more than a double resolves.
pub(super) fn decimals_to_write(in_source: u8) -> usize {
    usize::from(in_source.clamp(6, 17))
}

// Everything the two public writers have decided; a struct for it would only rename the arguments.
#[allow(clippy::too_many_arguments, reason = "one call of the writer, its parts kept by name")]
pub(super) fn write_planned(
    clip: &Clip,
    frame: FrameOfReference,
    style: &BvhStyle,
    options: &WriteOptions,
    source: Option<(&BvhDocument, FrameOfReference)>,
    plan: &Plan,
    frame_time: FrameTime,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let full = options.full_precision;
    let document = source.map(|(document, _)| document);
    let source_columns = source_columns(plan, document);
    // A value in a larger unit needs more decimals for the same length.
    let in_unit = source.map_or(1.0, |(_, source_frame)| frame.metres_per_unit / source_frame.metres_per_unit);
    let decimals = column_decimals(plan, document, style, &source_columns, in_unit);
    // A value takes about its decimals and five bytes more; growing is cheap, guessing far too high is not.
    let row_bytes: usize = decimals.iter().map(|decimals| decimals + 5).sum();
    let mut out = Vec::with_capacity(clip.frame_count().saturating_mul(row_bytes) + 256 * plan.joints.len());
    write_hierarchy(&mut out, clip, frame, style, options, source, plan, notes);
    line(&mut out, style, 0, &[b"MOTION"]);
    line(&mut out, style, 0, &[b"Frames: ", clip.frame_count().to_string().as_bytes()]);
    out.extend_from_slice(b"Frame Time: ");
    push_frame_time(&mut out, frame_time, options);
    out.extend_from_slice(style.eol.bytes());
    let mut encoder = Encoder::new(plan, clip, frame, source, options, false);
    let mut row = vec![0.0; plan.columns];
    let mut texts =
        document.filter(|_| !options.canonical).and_then(|document| SourceTexts::new(document, &source_columns));
    for index in clip.frames() {
        encoder.encode(index, &mut row);
        let source_row = plan.rows[index.0];
        if let Some(line) = texts.as_mut().zip(source_row).and_then(|(texts, from)| texts.enter(from, &row)) {
            out.extend_from_slice(line);
            out.extend_from_slice(style.eol.bytes());
            continue;
        }
        let texts = texts.as_ref().filter(|_| source_row.is_some());
        for (column, (&value, &decimals)) in row.iter().zip(&decimals).enumerate() {
            if column > 0 {
                out.push(style.separator);
            }
            if let Some(text) = texts.and_then(|texts| texts.of(column, value)) {
                out.extend_from_slice(text);
            } else if full {
                number::push_shortest(&mut out, value);
            } else {
                number::push_fixed(&mut out, value, decimals);
            }
        }
        if style.trailing_separator {
            out.push(style.separator);
        }
        out.extend_from_slice(style.eol.bytes());
    }
    encoder.tell_losses(notes);
    Ok(out)
}

/// The source's own text of values that did not change.
struct SourceTexts<'a> {
    document: &'a BvhDocument,
    source_columns: &'a [Option<usize>],
    /// The same columns in the same order, one row a line: whole lines can be taken over.
    takes_lines: bool,
    row: usize,
    tokens: Vec<Span>,
}

impl<'a> SourceTexts<'a> {
    /// `None` where the source's text cannot stand beside new numbers: commas have one meaning in a file.
    fn new(document: &'a BvhDocument, source_columns: &'a [Option<usize>]) -> Option<Self> {
        let in_order = source_columns.iter().enumerate().all(|(column, source)| *source == Some(column));
        let takes_lines = in_order
            && source_columns.len() == document.columns()
            && !document.rows.is_stream
            && !document.rows.is_salvaged;
        (document.dialect().commas == Commas::None && document.frame_count() > 0).then(|| Self {
            document,
            source_columns,
            takes_lines,
            row: 0,
            tokens: Vec::new(),
        })
    }

    /// Goes to a row; its whole line if nothing in it changed.
    fn enter(&mut self, row: usize, values: &[f64]) -> Option<&'a [u8]> {
        let in_source = self.document.row(row)?;
        let is_same = |(value, source): (&f64, &f64)| value.to_bits() == source.to_bits();
        if self.takes_lines && !self.is_repaired(row) && values.iter().zip(in_source).all(is_same) {
            let text = &self.document.bytes()[self.document.row_offset(row)?..];
            let length = text.iter().position(|&byte| matches!(byte, b'\r' | b'\n')).unwrap_or(text.len());
            return Some(&text[..length]);
        }
        self.row = row;
        self.tokens.clear();
        self.tokens.extend(self.document.row_tokens(row));
        None
    }

    /// The text of a value of the row, if it is still the source's.
    fn of(&self, column: usize, value: f64) -> Option<&'a [u8]> {
        let source_column = self.source_columns[column]?;
        let in_source = self.document.row(self.row)?.get(source_column)?;
        let is_same = in_source.to_bits() == value.to_bits();
        let is_repaired = || self.document.rows.repaired.contains(&(self.row, source_column));
        let token = self.tokens.get(source_column)?;
        (is_same && !is_repaired()).then(|| token.of(self.document.bytes()))
    }

    fn is_repaired(&self, row: usize) -> bool {
        self.document.rows.repaired.iter().any(|&(repaired, _)| repaired == row)
    }
}

/// The source's column of every column to be written.
fn source_columns(plan: &Plan, document: Option<&BvhDocument>) -> Vec<Option<usize>> {
    let mut columns = vec![None; plan.columns];
    let Some(document) = document else { return columns };
    for joint in &plan.joints {
        let Some(source) = joint.source.map(|source| &document.joints[source]) else { continue };
        for (slot, column) in joint.columns.iter().enumerate() {
            columns[joint.first_column + slot] = match *column {
                OutColumn::Position(axis) => source.column_of(Channel::Position(axis)),
                OutColumn::Rotation(axis, _) => source.column_of(Channel::Rotation(axis)),
                OutColumn::Opaque { source_column, .. } => Some(source_column),
            };
        }
    }
    let first_extra = plan.columns - plan.extra_columns.len();
    for (slot, &source_column) in plan.extra_columns.iter().enumerate() {
        columns[first_extra + slot] = Some(source_column);
    }
    columns
}

/// Decimals of every column to be written.
fn column_decimals(
    plan: &Plan,
    document: Option<&BvhDocument>,
    style: &BvhStyle,
    source_columns: &[Option<usize>],
    in_unit: f64,
) -> Vec<usize> {
    let of_source = |column: &Option<usize>| match (document, column) {
        (Some(document), Some(column)) => document.rows.decimals[*column],
        _ => 0,
    };
    let mut decimals: Vec<u8> = source_columns.iter().map(of_source).collect();
    let more = more_decimals(in_unit);
    for joint in &plan.joints {
        for (slot, column) in joint.columns.iter().enumerate() {
            if matches!(column, OutColumn::Position(_)) {
                let of_column = &mut decimals[joint.first_column + slot];
                *of_column = of_column.saturating_add(more);
            }
        }
    }
    decimals.into_iter().map(|decimals| decimals_to_write(decimals.max(style.decimals))).collect()
}

/// Decimals that a length needs beyond its own in a unit so many times as large.
pub(super) fn more_decimals(times_as_large: f64) -> u8 {
    // A ratio of 100 is computed as 99.99… or 100.00…1; 17 is as much as a double has.
    (times_as_large.log10() - 1e-9).ceil().clamp(0.0, 17.0) as u8
}

// See `write_planned`.
#[allow(clippy::too_many_arguments, reason = "one call of the writer, its parts kept by name")]
fn write_hierarchy(
    out: &mut Vec<u8>,
    clip: &Clip,
    frame: FrameOfReference,
    style: &BvhStyle,
    options: &WriteOptions,
    source: Option<(&BvhDocument, FrameOfReference)>,
    plan: &Plan,
    notes: &mut Vec<Diagnostic>,
) {
    let skeleton = clip.skeleton();
    let document = source.map(|(document, _)| document);
    let is_same_frame = source.is_some_and(|(_, source_frame)| source_frame == frame);
    let more = source.map_or(0, |(_, from)| more_decimals(frame.metres_per_unit / from.metres_per_unit));
    line(out, style, 0, &[b"HIERARCHY"]);
    // An explicit stack of joints to open and braces to close: files may be nested deeper than a call stack likes.
    enum Step {
        Open(JointId, usize),
        Close(usize),
    }
    let roots: Vec<JointId> = skeleton.roots().collect();
    let mut steps: Vec<Step> = roots.into_iter().rev().map(|root| Step::Open(root, 0)).collect();
    while let Some(step) = steps.pop() {
        let (id, depth) = match step {
            Step::Open(id, depth) => (id, depth),
            Step::Close(depth) => {
                line(out, style, depth, &[b"}"]);
                continue;
            }
        };
        let joint = skeleton.joint(id);
        let planned = &plan.joints[id.index()];
        let source = planned.source.zip(document).map(|(index, document)| (&document.joints[index], document));
        let raw = source.map(|(source, document)| source.name.of(&document.bytes));
        let name = match raw {
            Some(raw) if String::from_utf8_lossy(raw) == joint.name => raw.to_vec(),
            _ => clean_name(&joint.name, notes),
        };
        line(out, style, depth, &[if joint.parent.is_none() { b"ROOT " } else { b"JOINT " }, &name]);
        line(out, style, depth, &[b"{"]);
        let decimals = source.map(|(source, _)| source.offset.map(|number| number.decimals.saturating_add(more)));
        offset_line(out, style, depth + 1, planned.offset, decimals, options);
        let mut channels = format!("CHANNELS {}", planned.columns.len()).into_bytes();
        for column in &planned.columns {
            channels.push(b' ');
            match *column {
                OutColumn::Position(axis) => channels.extend(format!("{}position", axis.letter()).bytes()),
                OutColumn::Rotation(axis, _) => channels.extend(format!("{}rotation", axis.letter()).bytes()),
                OutColumn::Opaque { name, .. } => {
                    channels.extend_from_slice(document.map_or(b"", |document| name.of(&document.bytes)));
                }
            }
        }
        line(out, style, depth + 1, &[&channels]);
        steps.push(Step::Close(depth));
        steps.extend(skeleton.children(id).iter().rev().map(|&child| Step::Open(child, depth + 1)));
        for (index, end) in joint.end_sites.iter().enumerate() {
            let source = source.and_then(|(source, document)| Some((source.end_sites.get(index)?, document)));
            let name = match (&end.name, source) {
                (Some(name), Some((source, document)))
                    if String::from_utf8_lossy(source.name.of(&document.bytes)) == *name =>
                {
                    source.name.of(&document.bytes).to_vec()
                }
                (Some(name), _) => clean_name(name, notes),
                (None, _) => Vec::new(),
            };
            let gap: &[u8] = if name.is_empty() { b"" } else { b" " };
            line(out, style, depth + 1, &[b"End Site", gap, &name]);
            line(out, style, depth + 1, &[b"{"]);
            let mut offset = frame.position_to_file(end.offset_m) + DVec3::ZERO;
            if let Some((source, _)) = source {
                // As for joints: what was not changed keeps its very number.
                let in_source = DVec3::from_array(source.offset.map(|number| number.value));
                if is_same_frame && super::plan::same_bits(frame.position_from_file(in_source), end.offset_m) {
                    offset = in_source;
                }
            }
            let decimals = source.map(|(source, _)| source.offset.map(|number| number.decimals.saturating_add(more)));
            offset_line(out, style, depth + 2, offset, decimals, options);
            line(out, style, depth + 1, &[b"}"]);
        }
    }
}

fn line(out: &mut Vec<u8>, style: &BvhStyle, depth: usize, parts: &[&[u8]]) {
    for _ in 0..depth {
        out.extend_from_slice(&style.indent);
    }
    for part in parts {
        out.extend_from_slice(part);
    }
    out.extend_from_slice(style.eol.bytes());
}

fn offset_line(
    out: &mut Vec<u8>,
    style: &BvhStyle,
    depth: usize,
    offset: DVec3,
    decimals: Option<[u8; 3]>,
    options: &WriteOptions,
) {
    let mut text = b"OFFSET".to_vec();
    for axis in 0..3 {
        text.push(b' ');
        if options.full_precision {
            number::push_shortest(&mut text, offset[axis]);
        } else {
            let in_source = decimals.map_or(0, |decimals| decimals[axis]);
            number::push_fixed(&mut text, offset[axis], decimals_to_write(in_source.max(style.decimals)));
        }
    }
    line(out, style, depth, &[&text]);
}

/// The frame time in the fewest decimals, seven at least, that are read as the same nominal rate; an odd
/// rate is written so that it reads back as the same `f64`.
pub(super) fn push_frame_time(out: &mut Vec<u8>, frame_time: FrameTime, options: &WriteOptions) {
    if options.full_precision || frame_time.nominal().is_none() {
        return number::push_shortest(out, frame_time.exact_secs());
    }
    for decimals in 7..18 {
        let mut text = Vec::new();
        number::push_fixed(&mut text, frame_time.secs(), decimals);
        let read = number::parse(&text, b'.', 64).ok().and_then(|number| FrameTime::from_secs(number.value).ok());
        if read.is_some_and(|read| read.nominal() == frame_time.nominal()) {
            return out.extend_from_slice(&text);
        }
    }
    number::push_shortest(out, frame_time.secs());
}

/// A name without what would end it: braces, line ends and zero bytes become underscores.
pub(super) fn clean_name(name: &str, notes: &mut Vec<Diagnostic>) -> Vec<u8> {
    let trimmed = name.trim_matches(|character: char| character.is_ascii() && super::text::is_white(character as u8));
    let clean: String =
        trimmed.chars().map(|c| if matches!(c, '{' | '}' | '\r' | '\n' | '\0') { '_' } else { c }).collect();
    if clean != name {
        let found = format!("{} written as {}", shown(name.as_bytes()), shown(clean.as_bytes()));
        notes.push(Diagnostic::warning(codes::NAME_CHANGED, "a name without braces and line ends", found));
    }
    clean.into_bytes()
}
