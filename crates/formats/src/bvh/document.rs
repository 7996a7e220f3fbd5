//! The lossless layer: a BVH file's own bytes, where everything stands in them, and the numbers they spell.

use super::codes;
use super::header::{self, MotionHeader};
use super::hierarchy::{self, JointSource};
use super::rows::{self, Rows};
use super::scan::{Report, Scanner, Span};
use super::text::{Commas, Fault, NBSP, is_blank, is_white};
use super::translations::{self, Translation};
use crate::diagnostic::{Diagnostic, shown};
use crate::options::ReadOptions;
use aplomb_motion::{Channel, FrameTime};
use std::collections::HashMap;

/// What ends a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eol {
    /// Unix.
    #[default]
    Lf,
    /// Windows.
    CrLf,
    /// Old Macintosh.
    Cr,
}

impl Eol {
    /// Its bytes.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Eol::Lf => b"\n",
            Eol::CrLf => b"\r\n",
            Eol::Cr => b"\r",
        }
    }
}

/// How the file is written, apart from what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialect {
    /// The commonest line end of the hierarchy.
    pub eol: Eol,
    /// More than one kind of line end there.
    pub mixed_eol: bool,
    /// One level of indentation.
    pub indent: Vec<u8>,
    /// Between the values of a row.
    pub separator: u8,
    /// Rows end with a blank.
    pub trailing_blank: bool,
    /// What commas in numbers mean.
    pub commas: Commas,
    /// The file begins with a byte order mark.
    pub bom: bool,
    /// All names are UTF-8.
    pub utf8_names: bool,
    /// Rows run over line ends.
    pub wrapped_rows: bool,
    /// Position channels are added to the OFFSET instead of replacing it.
    pub positions_add: bool,
}

/// A BVH file that was understood, with everything needed to write it back to the byte.
#[derive(Clone, Debug)]
pub struct BvhDocument {
    pub(super) bytes: Vec<u8>,
    pub(super) joints: Vec<JointSource>,
    pub(super) header: MotionHeader,
    pub(super) rows: Rows,
    pub(super) dialect: Dialect,
    pub(super) translations: Vec<Translation>,
    pub(super) frame_time: FrameTime,
}

impl BvhDocument {
    /// Reads a file. What was tolerated, guessed or dropped is added to `notes`; an error says where and why.
    pub fn parse(
        bytes: Vec<u8>,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<BvhDocument, Box<Diagnostic>> {
        let mut report = Report::new(options.mode, notes);
        let mut scanner = Scanner { bytes: &bytes, at: 0, options, commas: Commas::None };
        let bom = header::enter(&mut scanner, &mut report)?;
        let hierarchy_start = scanner.at;
        let hierarchy = hierarchy::read(&mut scanner, &mut report)?;
        let hierarchy_span = Span { start: hierarchy_start, end: scanner.at };
        let (header, frame_time) = header::read_motion(&mut scanner, &mut report)?;
        let joints = hierarchy.joints;
        let declared = header.frames.map(|(_, count)| count);
        let rows = rows::read(&mut scanner, &joints, hierarchy.columns, declared, &mut report)?;
        tell_frames(&scanner, &header, &rows, &mut report)?;
        let utf8_names = tell_names(&bytes, &joints, &mut report);
        let positions_add = translations::adds(&joints, &rows, options.position_semantics, &mut report);
        let translations = translations::find(&joints, &rows, positions_add);
        tell_lengths(&bytes, &joints, &rows, &mut report);
        let commas = scanner.commas;
        let dialect = Dialect { commas, bom, utf8_names, positions_add, ..dialect(&bytes, hierarchy_span, &rows) };
        Ok(Self { bytes, joints, header, rows, dialect, translations, frame_time })
    }

    /// The file itself.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How it is written.
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Joints with their places in the file, parents before children; the same order as in the clip.
    pub fn joints(&self) -> &[JointSource] {
        &self.joints
    }

    /// Joint names as the file spells them.
    pub fn joint_names_raw(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.joints.iter().map(|joint| joint.name.of(&self.bytes))
    }

    /// Rows present.
    pub fn frame_count(&self) -> usize {
        self.rows.starts.len()
    }

    /// What the file says about its length, if it does.
    pub fn declared_frames(&self) -> Option<u64> {
        self.header.frames.map(|(_, count)| count)
    }

    /// The frame count as written.
    pub fn frame_count_lexeme(&self) -> Option<&[u8]> {
        self.header.frames.map(|(span, _)| span.of(&self.bytes))
    }

    /// The frame time in force: the user's if one was given, else the file's.
    pub fn frame_time(&self) -> FrameTime {
        self.frame_time
    }

    /// The frame time that the file states, in seconds, if it is a usable one.
    pub fn frame_time_secs(&self) -> Option<f64> {
        self.header.frame_time.and_then(|(_, value)| value).map(FrameTime::exact_secs)
    }

    /// The frame time as written.
    pub fn frame_time_lexeme(&self) -> Option<&[u8]> {
        self.header.frame_time.map(|(span, _)| span.of(&self.bytes))
    }

    /// Values in a row, unknown ones included.
    pub fn columns(&self) -> usize {
        self.rows.columns
    }

    /// Values of one row in file units and degrees; `None` past the last one.
    pub fn row(&self, frame: usize) -> Option<&[f64]> {
        let start = frame.checked_mul(self.rows.columns)?;
        (frame < self.frame_count()).then(|| &self.rows.values[start..start + self.rows.columns])
    }

    /// Values at the end of each row that no CHANNELS list accounts for.
    pub fn extra_columns(&self) -> usize {
        self.rows.extra_columns
    }

    /// Most decimals seen in each column.
    pub fn decimals(&self) -> &[u8] {
        &self.rows.decimals
    }

    /// Channel and joint of a column, for messages.
    pub(crate) fn channel_name(&self, column: usize) -> String {
        rows::channel_name(&self.joints, &self.bytes, column)
    }

    /// Byte offset of a row's first token.
    pub fn row_offset(&self, frame: usize) -> Option<usize> {
        self.rows.starts.get(frame).copied()
    }

    /// Everything after the last row: usually a line end, sometimes a comment or another MOTION block.
    pub fn trailing_bytes(&self) -> &[u8] {
        &self.bytes[self.rows.end..]
    }

    /// Whether rows behind a damage were left out (salvage mode only).
    pub fn is_salvaged(&self) -> bool {
        self.rows.is_salvaged
    }

    /// The name of each channel of a joint as the file spells it.
    pub(super) fn channel_names(&self, joint: usize) -> &[Span] {
        self.joints[joint].channels.as_ref().map_or(&[], |list| &list.names)
    }

    /// Where each value of a row stands.
    pub(super) fn row_tokens(&self, frame: usize) -> impl Iterator<Item = Span> {
        let start = self.rows.starts.get(frame).copied().unwrap_or(self.bytes.len());
        tokens(&self.bytes, start, self.rows.columns, self.dialect.commas)
    }

    /// Frames of the clip: as many as rows, but at least the one rest pose of a file without frames.
    pub(super) fn clip_frames(&self) -> usize {
        self.frame_count().max(1)
    }
}

/// The next `count` words from `at`, across line ends.
fn tokens(bytes: &[u8], at: usize, count: usize, commas: Commas) -> impl Iterator<Item = Span> {
    let separates = move |index: usize| {
        let byte = bytes[index];
        let is_nbsp = bytes[index..].starts_with(NBSP) || (byte == NBSP[1] && index > 0 && bytes[index - 1] == NBSP[0]);
        is_white(byte) || is_nbsp || (commas == Commas::Separator && byte == b',')
    };
    let mut at = at;
    std::iter::from_fn(move || {
        let start = (at..bytes.len()).find(|&index| !separates(index))?;
        let end = (start..bytes.len()).find(|&index| separates(index)).unwrap_or(bytes.len());
        at = end;
        Some(Span { start, end })
    })
    .take(count)
}

fn tell_frames(scanner: &Scanner, header: &MotionHeader, rows: &Rows, report: &mut Report) -> Result<(), Fault> {
    let present = rows.starts.len();
    let place = header.frames.map_or(scanner.at, |(span, _)| span.start);
    if present == 0 && !rows.is_salvaged {
        let note = Diagnostic::note(codes::NO_FRAMES, "", "no frames; the clip is one frame of the rest pose");
        report.say(note.at(scanner.bytes, place));
    }
    let Some((_, declared)) = header.frames else { return Ok(()) };
    if declared == present as u64 || rows.is_salvaged {
        return Ok(());
    }
    if rows.columns == 0 {
        if declared > 1 {
            let warning = Diagnostic::warning(codes::STATIC_FRAMES, "", format!("{declared} frames without channels"));
            report.say(warning.at(scanner.bytes, place).hint("one frame is read"));
        }
        return Ok(());
    }
    report.deviation(codes::FRAMES_DIFFER, || {
        let hint = if declared > present as u64 { "the capture may have been cut off" } else { "all rows are used" };
        Diagnostic::warning(codes::FRAMES_DIFFER, format!("{declared} rows, as declared"), format!("{present} rows"))
            .at(scanner.bytes, place)
            .hint(hint)
    })
}

/// Names used twice and names that are not UTF-8; says the first of each kind and how many there are.
fn tell_names(bytes: &[u8], joints: &[JointSource], report: &mut Report) -> bool {
    let mut seen: HashMap<&[u8], usize> = HashMap::with_capacity(joints.len());
    let (mut repeated, mut first_repeated) = (0, None);
    let mut first_undecodable = None;
    for (index, joint) in joints.iter().enumerate() {
        let name = joint.name.of(bytes);
        if seen.insert(name, index).is_some() {
            repeated += 1;
            first_repeated.get_or_insert(joint.name);
        }
        if std::str::from_utf8(name).is_err() {
            first_undecodable.get_or_insert(joint.name);
        }
    }
    if let Some(name) = first_repeated {
        let found = format!("{} again ({repeated} joints repeat a name)", shown(name.of(bytes)));
        let warning = Diagnostic::warning(codes::DUPLICATE_NAME, "each name once", found).at(bytes, name.start);
        report.say(warning.hint("joints are told apart by their order"));
    }
    if let Some(name) = first_undecodable {
        let warning = Diagnostic::warning(codes::NAME_ENCODING, "names in UTF-8", shown(name.of(bytes)));
        report.say(warning.at(bytes, name.start).hint("the bytes are kept"));
    }
    first_undecodable.is_none()
}

fn tell_lengths(bytes: &[u8], joints: &[JointSource], rows: &Rows, report: &mut Report) {
    let numbers = || {
        let ends = |joint: &JointSource| joint.end_sites.iter().flat_map(|end| end.offset).collect::<Vec<_>>();
        joints.iter().flat_map(move |joint| joint.offset.into_iter().chain(ends(joint)))
    };
    if numbers().all(|number| number.value == 0.0) {
        let warning = Diagnostic::warning(codes::ZERO_OFFSETS, "bones with a length", "only offsets of zero");
        report.say(warning.hint("the unit of length cannot be found from the bones"));
    }
    let root_moves = joints.iter().filter(|joint| joint.parent.is_none()).any(|root| {
        root.columns().iter().any(|column| matches!(column, hierarchy::Column::Known(Channel::Position(_))))
    });
    if !root_moves {
        let note = Diagnostic::note(codes::NO_ROOT_TRANSLATION, "", "no root translation");
        report.say(note.hint("the figure is nailed in place; that says nothing about the world"));
    }
    // In any unit from millimetres up this is beyond the orbit of the Moon, and a double still resolves less than 1e-4.
    const HUGE: f64 = 1e12;
    if let Some(number) = numbers().find(|number| number.value.abs() > HUGE) {
        let found = shown(number.span.of(bytes));
        let warning = Diagnostic::warning(codes::HUGE_LENGTH, "an offset of human size", found);
        report.say(warning.at(bytes, number.span.start).hint("positions lose their precision or overflow"));
        return;
    }
    let positions = joints.iter().flat_map(|joint| translations::PositionColumns::of(joint).0).flatten();
    let positions: Vec<usize> = positions.collect();
    for (frame, row) in rows.values.chunks_exact(rows.columns.max(1)).enumerate() {
        if let Some(&column) = positions.iter().find(|&&column| row[column].abs() > HUGE) {
            let whose = rows::channel_name(joints, bytes, column);
            let found = format!("{} in frame {frame}, {whose}", row[column]);
            let warning = Diagnostic::warning(codes::HUGE_LENGTH, "a position of human size", found);
            report.say(warning.at(bytes, rows.starts[frame]).hint("positions lose their precision or overflow"));
            return;
        }
    }
}

/// The look of the file, for when it has to be written anew.
fn dialect(bytes: &[u8], hierarchy: Span, rows: &Rows) -> Dialect {
    let text = hierarchy.of(bytes);
    let (mut lf, mut crlf, mut cr) = (0usize, 0usize, 0usize);
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'\n' if index > 0 && text[index - 1] == b'\r' => crlf += 1,
            b'\n' => lf += 1,
            b'\r' if text.get(index + 1) != Some(&b'\n') => cr += 1,
            _ => {}
        }
    }
    let eol = match lf.max(crlf).max(cr) {
        0 => Eol::Lf,
        most if most == lf => Eol::Lf,
        most if most == crlf => Eol::CrLf,
        _ => Eol::Cr,
    };
    let mixed_eol = [lf, crlf, cr].iter().filter(|&&count| count > 0).count() > 1;
    let row = match (rows.starts.first(), rows.starts.get(1)) {
        (Some(&start), Some(&next)) => &bytes[start..next],
        (Some(&start), None) => &bytes[start..rows.end],
        _ => &[],
    };
    let line_end = row.iter().position(|&byte| matches!(byte, b'\r' | b'\n')).unwrap_or(row.len());
    let line = &row[..line_end];
    let separator = line.iter().copied().find(|&byte| is_blank(byte)).filter(|&byte| byte == b'\t').unwrap_or(b' ');
    Dialect {
        eol,
        mixed_eol,
        indent: indent(text),
        separator,
        trailing_blank: line.last().is_some_and(|&byte| is_blank(byte)),
        commas: Commas::None,
        bom: false,
        utf8_names: true,
        wrapped_rows: rows.is_stream,
        positions_add: false,
    }
}

/// The white space before the first indented line, which stands one level deep.
fn indent(hierarchy: &[u8]) -> Vec<u8> {
    let lines = hierarchy.split(|byte| matches!(byte, b'\r' | b'\n'));
    let blanks = |line: &[u8]| line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let mut indented = lines.filter(|line| (1..line.len().min(17)).contains(&blanks(line)));
    indented.next().map_or(b"\t".to_vec(), |line| line[..blanks(line)].to_vec())
}
