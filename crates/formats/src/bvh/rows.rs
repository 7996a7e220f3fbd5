//! The rows of numbers: one pass over the bytes for files written as usual, a second look for the others.

use super::codes;
use super::hierarchy::{Column, JointSource};
use super::scan::{Report, Scanner, Span};
use super::survey::{self, Layout};
use super::text::{Commas, Fault, NBSP, is_blank, is_white};
use crate::diagnostic::{Diagnostic, shown};
use crate::number::{self, NumberFault, looks_numeric, plain_decimal};
use crate::options::{Mode, NanRepair};
use aplomb_motion::Channel;

/// The decoded rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// First byte of each row's first token.
    pub starts: Vec<usize>,
    /// `frames × columns`, frame-major.
    pub values: Vec<f64>,
    /// Values a row, extra ones included.
    pub columns: usize,
    /// Columns at the end of each row that no channel list accounts for.
    pub extra_columns: usize,
    /// Most decimals seen in each column.
    pub decimals: Vec<u8>,
    /// Values that were not numbers and were filled in.
    pub repaired: Vec<(usize, usize)>,
    /// Rows do not match lines.
    pub is_stream: bool,
    /// Rows behind a damage were dropped.
    pub is_salvaged: bool,
    /// First byte after the last row.
    pub end: usize,
}

/// Reads all rows from the scanner's place.
pub(super) fn read(
    scanner: &mut Scanner,
    joints: &[JointSource],
    columns: usize,
    declared: Option<u64>,
    report: &mut Report,
) -> Result<Rows, Fault> {
    let begin = scanner.at;
    let mut reader = Reader { joints, declared, lines_matter: true, extra_columns: 0 };
    let mut rows = loop {
        let result = match scanner.commas {
            Commas::None => reader.read_as::<b'.', false>(scanner, begin, columns, report),
            Commas::Decimal => reader.read_as::<b',', false>(scanner, begin, columns, report),
            Commas::Separator => reader.read_as::<b'.', true>(scanner, begin, columns, report),
        };
        match result {
            Ok(rows) => break rows,
            Err(Stop::Commas { at }) => scanner.decide_commas(at, report)?,
            Err(Stop::Fault(fault)) => return Err(fault),
            Err(Stop::LineLength(rows)) => match reader.second_look(scanner, begin, columns, report)? {
                SecondLook::Again => {}
                SecondLook::KeepGood(damage) => break salvage(*rows, *damage, report),
            },
        }
    };
    repair(&mut rows, scanner, report)?;
    tell_trailing(&rows, scanner, report)?;
    Ok(rows)
}

struct Reader<'a> {
    joints: &'a [JointSource],
    declared: Option<u64>,
    lines_matter: bool,
    extra_columns: usize,
}

/// Why a pass over the rows ended early.
enum Stop {
    /// A comma whose meaning is not known yet.
    Commas {
        at: usize,
    },
    /// A line whose count of values is not that of a row; the rows before it.
    LineLength(Box<Rows>),
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

enum SecondLook {
    /// Read again with what was found out.
    Again,
    /// Keep the rows before this damage.
    KeepGood(Fault),
}

impl Reader<'_> {
    /// One pass. The inner loop is the hot path of the whole reader: plain decimals separated by single blanks.
    fn read_as<const POINT: u8, const COMMA_IS_BLANK: bool>(
        &self,
        scanner: &mut Scanner,
        begin: usize,
        columns: usize,
        report: &mut Report,
    ) -> Result<Rows, Stop> {
        let bytes = scanner.bytes;
        let columns = columns + self.extra_columns;
        let mut rows = Rows { columns, extra_columns: self.extra_columns, end: begin, ..Rows::default() };
        rows.is_stream = !self.lines_matter;
        rows.decimals = vec![0; columns];
        self.reserve(&mut rows, bytes.len() - begin);
        let mut at = begin;
        loop {
            scanner.at = at;
            skip_white(scanner, COMMA_IS_BLANK, report)?;
            at = scanner.at;
            if at >= bytes.len() || columns == 0 || self.is_trailing(scanner, rows.starts.len()) {
                return Ok(rows);
            }
            let row_start = at;
            let filled = rows.values.len();
            rows.values.resize(filled + columns, 0.0);
            let slots = rows.values[filled..].iter_mut().zip(&mut rows.decimals);
            for (column, (slot, decimals)) in slots.enumerate() {
                if let Some(plain) = plain_decimal::<POINT>(bytes, at)
                    && let Some(&after) = bytes.get(plain.end)
                    && matches!(after, b' ' | b'\t' | b'\r' | b'\n')
                {
                    *slot = plain.value;
                    *decimals = (*decimals).max(plain.decimals);
                    at = plain.end + usize::from(matches!(after, b' ' | b'\t'));
                    continue;
                }
                let odd = OddValue { column, frame: rows.starts.len() };
                scanner.at = at;
                match self.odd_value::<POINT, COMMA_IS_BLANK>(scanner, odd, report) {
                    Ok(value) => {
                        *slot = value.value;
                        *decimals = (*decimals).max(value.decimals);
                        if !value.value.is_finite() {
                            rows.repaired.push((odd.frame, column));
                        }
                        at = scanner.at;
                    }
                    Err(stop) => {
                        rows.values.truncate(filled);
                        return self.end_early(stop, rows, scanner, report);
                    }
                }
            }
            if self.lines_matter {
                while bytes.get(at).is_some_and(|&byte| is_blank(byte) || (COMMA_IS_BLANK && byte == b',')) {
                    at += 1;
                }
                if bytes.get(at).is_some_and(|byte| !matches!(byte, b'\r' | b'\n')) && !bytes[at..].starts_with(NBSP) {
                    rows.values.truncate(filled);
                    return Err(Stop::LineLength(Box::new(rows)));
                }
            }
            rows.starts.push(row_start);
            rows.end = at;
        }
    }

    /// Room for what is declared, but never more than the bytes can hold: a digit and a separator a value at least.
    fn reserve(&self, rows: &mut Rows, bytes_left: usize) {
        let provable_frames = bytes_left / (2 * rows.columns.max(1)) + 1;
        let frames =
            self.declared.map_or(0, |declared| usize::try_from(declared).unwrap_or(usize::MAX)).min(provable_frames);
        rows.values.reserve(frames * rows.columns);
        rows.starts.reserve(frames);
    }

    /// A value that is not a plain decimal after one blank: more blanks, a line end, another spelling, or a fault.
    #[cold]
    #[inline(never)]
    fn odd_value<const POINT: u8, const COMMA_IS_BLANK: bool>(
        &self,
        scanner: &mut Scanner,
        place: OddValue,
        report: &mut Report,
    ) -> Result<number::Parsed, Stop> {
        let bytes = scanner.bytes;
        while bytes.get(scanner.at).is_some_and(|&byte| is_blank(byte) || (COMMA_IS_BLANK && byte == b',')) {
            scanner.at += 1;
        }
        if bytes[scanner.at..].starts_with(NBSP) {
            skip_white(scanner, COMMA_IS_BLANK, report)?;
        }
        if matches!(bytes.get(scanner.at), None | Some(b'\r' | b'\n')) {
            if !self.lines_matter {
                skip_white(scanner, COMMA_IS_BLANK, report)?;
            }
            if self.lines_matter || scanner.at >= bytes.len() {
                return Err(Stop::LineLength(Box::default()));
            }
        }
        if let Some(plain) = plain_decimal::<POINT>(bytes, scanner.at)
            && bytes.get(plain.end).is_some_and(|&byte| is_white(byte))
        {
            scanner.at = plain.end;
            return Ok(number::Parsed { value: plain.value, decimals: plain.decimals, fortran: false });
        }
        let start = scanner.at;
        let ends = |&byte: &u8| is_white(byte) || (COMMA_IS_BLANK && byte == b',');
        let length = bytes[start..].iter().position(ends).unwrap_or(bytes.len() - start);
        let mut token = &bytes[start..start + length];
        if let Some(cut) = token.windows(NBSP.len()).position(|pair| pair == NBSP) {
            token = &token[..cut];
        }
        let span = Span { start, end: start + token.len() };
        match number::parse(token, POINT, scanner.options.limits.token_bytes) {
            Ok(parsed) => {
                if parsed.fortran {
                    scanner.tell_fortran(span, report)?;
                }
                scanner.at = span.end;
                Ok(parsed)
            }
            // Only if the commas of the file turn out to mean something: else reading again would stop here again.
            Err(NumberFault::Malformed)
                if scanner.commas == Commas::None
                    && token.contains(&b',')
                    && !matches!(survey::commas(bytes), Ok(Commas::None)) =>
            {
                Err(Stop::Commas { at: start })
            }
            Err(NumberFault::NotANumber | NumberFault::Infinite) if scanner.options.repair_nan.is_some() => {
                scanner.at = span.end;
                Ok(number::Parsed { value: f64::NAN, decimals: 0, fortran: false })
            }
            Err(fault) => {
                let whose = format!("in frame {}, {}", place.frame, self.channel_name(scanner.bytes, place.column));
                Err(Stop::Fault(scanner.number_fault(fault, span, &whose)))
            }
        }
    }

    /// Salvage keeps the whole rows before a fault.
    #[cold]
    fn end_early(&self, stop: Stop, rows: Rows, scanner: &Scanner, report: &mut Report) -> Result<Rows, Stop> {
        match stop {
            Stop::LineLength(_) => Err(Stop::LineLength(Box::new(rows))),
            Stop::Fault(fault) if scanner.options.mode == Mode::Salvage => Ok(salvage(rows, *fault, report)),
            other => Err(other),
        }
    }

    /// Whether the line here is not a row at all but text behind the rows: a comment, another MOTION block.
    fn is_trailing(&self, scanner: &Scanner, frames: usize) -> bool {
        let rest = &scanner.bytes[scanner.at..];
        // The quick answer for every proper row.
        if matches!(rest.first(), Some(b'0'..=b'9' | b'-' | b'+' | b'.')) {
            return false;
        }
        let length = rest.iter().position(|&byte| is_white(byte)).unwrap_or(rest.len());
        let word = &rest[..length];
        if looks_numeric(word) || word.contains(&0) {
            return false;
        }
        let is_complete = self.declared.is_some_and(|declared| frames as u64 >= declared);
        let is_keyword = word.eq_ignore_ascii_case(b"MOTION") || word.eq_ignore_ascii_case(b"HIERARCHY");
        // Junk in the middle of the rows is a fault; junk behind the last one is not worth refusing the file.
        is_complete || is_keyword || !self.rows_follow(scanner)
    }

    fn rows_follow(&self, scanner: &Scanner) -> bool {
        survey::lines(scanner.bytes, scanner.at).skip(1).any(|line| {
            let text = &scanner.bytes[line.start..line.end];
            let start = text.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
            let length = text[start..].iter().position(|&byte| is_blank(byte)).unwrap_or(text.len() - start);
            looks_numeric(&text[start..start + length])
        })
    }

    /// Lines and rows disagree: counts the values of every line and decides how to go on.
    fn second_look(
        &mut self,
        scanner: &mut Scanner,
        begin: usize,
        columns: usize,
        report: &mut Report,
    ) -> Result<SecondLook, Fault> {
        let counts = self.count_values(scanner, begin, columns, report)?;
        let layout = match (self.lines_matter, self.extra_columns) {
            (true, 0) => survey::layout(&counts, columns, self.declared),
            // A second disagreement cannot happen: what was decided fits all lines. Report rather than loop.
            _ => broken(&counts, columns + self.extra_columns),
        };
        match layout {
            Layout::Uniform { extra } if extra > 0 => {
                self.extra_columns = extra;
                report.deviation(codes::EXTRA_COLUMNS, || {
                    let found = format!("{} in every row", columns + extra);
                    Diagnostic::warning(codes::EXTRA_COLUMNS, format!("{columns} values a row"), found)
                        .at(scanner.bytes, counts[0].0)
                        .hint("the extra values are carried through untouched")
                })?;
                Ok(SecondLook::Again)
            }
            Layout::Stream => {
                self.lines_matter = false;
                report.deviation(codes::WRAPPED_ROWS, || {
                    let (at, count) = counts.iter().find(|(_, count)| *count != columns).copied().unwrap_or((begin, 0));
                    let found = format!("{count} in this one");
                    Diagnostic::warning(codes::WRAPPED_ROWS, format!("{columns} values in every line"), found)
                        .at(scanner.bytes, at)
                        .hint("values are read as one stream; many programs cannot")
                })?;
                Ok(SecondLook::Again)
            }
            Layout::Uniform { .. } => Err(row_length(scanner, begin, columns, 0, 0)),
            Layout::Broken { line_start, found, frame } => {
                let fault = row_length(scanner, line_start, columns, found, frame);
                if scanner.options.mode == Mode::Salvage { Ok(SecondLook::KeepGood(fault)) } else { Err(fault) }
            }
        }
    }

    /// Start and number of values of every line up to trailing text.
    fn count_values(
        &self,
        scanner: &mut Scanner,
        begin: usize,
        columns: usize,
        report: &mut Report,
    ) -> Result<Vec<(usize, usize)>, Fault> {
        let mut counts = Vec::new();
        let mut total = 0;
        for line in survey::lines(scanner.bytes, begin) {
            scanner.at = line.start;
            scanner.skip_blanks(report)?;
            if self.is_trailing(scanner, total / columns.max(1)) {
                break;
            }
            let start = scanner.at;
            let mut count = 0;
            while scanner.at < line.end {
                let rest = &scanner.bytes[scanner.at..line.end];
                let ends = |&byte: &u8| is_blank(byte) || (scanner.commas == Commas::Separator && byte == b',');
                let length = rest.iter().position(ends).unwrap_or(rest.len());
                let cut = rest[..length].windows(NBSP.len()).position(|pair| pair == NBSP).unwrap_or(length);
                scanner.at += cut;
                count += 1;
                scanner.skip_blanks(report)?;
            }
            if count > 0 {
                counts.push((start, count));
                total += count;
            }
        }
        Ok(counts)
    }

    /// `channel Zrotation of joint `Hips``, for messages.
    fn channel_name(&self, bytes: &[u8], column: usize) -> String {
        channel_name(self.joints, bytes, column)
    }
}

#[derive(Clone, Copy)]
struct OddValue {
    column: usize,
    frame: usize,
}

pub(super) fn channel_name(joints: &[JointSource], bytes: &[u8], column: usize) -> String {
    for joint in joints {
        let Some(list) = &joint.channels else { continue };
        let Some(slot) = column.checked_sub(list.first_column) else { continue };
        let Some(kind) = list.columns.get(slot) else { continue };
        let channel = match kind {
            Column::Known(Channel::Position(axis)) => format!("{}position", axis.letter()),
            Column::Known(Channel::Rotation(axis)) => format!("{}rotation", axis.letter()),
            Column::Opaque => "an unknown channel".to_owned(),
        };
        return format!("{channel} of joint {}", shown(joint.name.of(bytes)));
    }
    format!("extra column {column}")
}

fn skip_white(scanner: &mut Scanner, comma_is_blank: bool, report: &mut Report) -> Result<(), Fault> {
    // The scanner's own rule for commas holds once they are decided; before that none is skipped.
    debug_assert_eq!(comma_is_blank, scanner.commas == Commas::Separator);
    scanner.skip_white(report)
}

fn broken(counts: &[(usize, usize)], columns: usize) -> Layout {
    let line = counts.iter().enumerate().find(|(_, (_, count))| *count != columns);
    line.map_or(Layout::Broken { line_start: 0, found: 0, frame: 0 }, |(frame, &(line_start, found))| Layout::Broken {
        line_start,
        found,
        frame,
    })
}

fn row_length(scanner: &Scanner, line_start: usize, columns: usize, found: usize, frame: usize) -> Fault {
    let expected = format!("{columns} values");
    let found = format!("{found} (frame {frame})");
    let error = Diagnostic::error(codes::ROW_LENGTH, expected, found).at(scanner.bytes, line_start);
    Box::new(error.hint("salvage mode keeps the rows before it"))
}

fn salvage(mut rows: Rows, mut damage: Diagnostic, report: &mut Report) -> Rows {
    rows.is_salvaged = true;
    damage.severity = crate::diagnostic::Severity::Warning;
    damage.code = codes::SALVAGED;
    damage.hint = format!("kept the {} frames before it, dropped everything from here on", rows.starts.len()).into();
    report.say(damage);
    rows
}

/// Fills the values that were not numbers, column by column, as the user asked.
fn repair(rows: &mut Rows, scanner: &Scanner, report: &mut Report) -> Result<(), Fault> {
    let Some(how) = scanner.options.repair_nan else { return Ok(()) };
    let frames = rows.starts.len();
    rows.repaired.retain(|&(frame, _)| frame < frames);
    let Some(&(first_frame, first_column)) = rows.repaired.first() else { return Ok(()) };
    let columns = rows.columns;
    let mut damaged: Vec<usize> = rows.repaired.iter().map(|&(_, column)| column).collect();
    damaged.sort_unstable();
    damaged.dedup();
    for column in damaged {
        let mut frame = 0;
        let mut before: Option<(usize, f64)> = None;
        while frame < frames {
            let value = rows.values[frame * columns + column];
            if value.is_finite() {
                before = Some((frame, value));
                frame += 1;
                continue;
            }
            let is_good = |&other: &usize| rows.values[other * columns + column].is_finite();
            let after = (frame..frames).find(is_good).map(|other| (other, rows.values[other * columns + column]));
            let until = after.map_or(frames, |(other, _)| other);
            for gap in frame..until {
                rows.values[gap * columns + column] = match (before, after, how) {
                    (Some((f0, v0)), Some((f1, v1)), NanRepair::Interpolate) => {
                        v0 + (v1 - v0) * (gap - f0) as f64 / (f1 - f0) as f64
                    }
                    (Some((_, value)), _, _) | (None, Some((_, value)), _) => value,
                    (None, None, _) => 0.0,
                };
            }
            frame = until;
        }
    }
    let found = format!("{} values that are not numbers, the first in frame {first_frame}", rows.repaired.len());
    let warning = Diagnostic::warning(codes::REPAIRED, "", format!("filled in {found}"));
    let at = rows.starts.get(first_frame).copied().unwrap_or(0);
    report.say(warning.at(scanner.bytes, at).hint(format!("column {} of its row", first_column + 1)));
    Ok(())
}

fn tell_trailing(rows: &Rows, scanner: &Scanner, report: &mut Report) -> Result<(), Fault> {
    let trailing = &scanner.bytes[rows.end..];
    let Some(start) = trailing.iter().position(|&byte| !is_white(byte)) else { return Ok(()) };
    if rows.is_salvaged || trailing[start..].iter().all(|&byte| is_white(byte) || byte == b',' || NBSP.contains(&byte))
    {
        return Ok(());
    }
    report.deviation(codes::TRAILING_TEXT, || {
        let line = survey::lines(scanner.bytes, rows.end + start).next();
        let found = line.map_or(String::new(), |line| shown(&scanner.bytes[line.start..line.end]));
        Diagnostic::warning(codes::TRAILING_TEXT, "nothing after the last row", found)
            .at(scanner.bytes, rows.end + start)
            .hint("it is kept but not read")
    })
}
