//! Second looks at a file that is not written as usual: what commas mean, and how values are spread over lines.

use super::codes;
use super::text::{Commas, Fault, is_blank, is_white};
use crate::diagnostic::{Diagnostic, Place, shown};
use crate::number::looks_numeric;

/// Decides, for the whole file, what commas in numbers mean: `1,5 2,5` has decimal marks, `1, 5` separators.
///
/// Any second usage beside the first is an error that names both lines, because half of the values would be wrong.
pub(super) fn commas(bytes: &[u8]) -> Result<Commas, Fault> {
    // First place of each kind of evidence.
    let (mut decimal, mut separator, mut point) = (None, None, None);
    for line in lines(bytes, 0) {
        for token in numbers_of(&bytes[line.start..line.end]) {
            let at = line.start + token.0;
            let token = token.1;
            if token.contains(&b'.') {
                point.get_or_insert(at);
            }
            match token.iter().filter(|&&byte| byte == b',').count() {
                0 => {}
                1 if is_comma_decimal(token) => {
                    decimal.get_or_insert(at);
                }
                _ if token.ends_with(b",") || token.starts_with(b",") => {
                    separator.get_or_insert(at);
                    // `1,5,` shows both.
                    if is_comma_decimal(token.strip_suffix(b",").unwrap_or(token)) {
                        decimal.get_or_insert(at);
                    }
                }
                _ => {
                    let error = Diagnostic::error(codes::COMMAS_MIXED, "one comma a number at most", shown(token));
                    return Err(Box::new(error.at(bytes, at)));
                }
            }
        }
    }
    match (decimal, separator, point) {
        (Some(_), None, None) => Ok(Commas::Decimal),
        (None, Some(_), _) => Ok(Commas::Separator),
        (Some(at), other, point) => {
            let (other, what) = match other {
                Some(other) => (other, "a comma between values"),
                None => (point.unwrap_or(at), "a decimal point"),
            };
            let found = format!("a decimal comma here and {what} in line {}", Place::locate(bytes, other).line);
            let error = Diagnostic::error(codes::COMMAS_MIXED, "one use of commas in a file", found);
            Err(Box::new(error.at(bytes, at)))
        }
        (None, None, _) => Ok(Commas::None),
    }
}

/// `[+-]digits,digits` with an optional exponent.
fn is_comma_decimal(token: &[u8]) -> bool {
    let has_inner_comma = token.contains(&b',') && !token.ends_with(b",") && !token.starts_with(b",");
    has_inner_comma && crate::number::parse(token, b',', usize::MAX).is_ok()
}

/// The numeric tokens of a line that holds numbers: a row, an OFFSET, a frame time. With their places in the line.
fn numbers_of(line: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let words = || {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at + line[at..].iter().position(|&byte| !is_white(byte))?;
            let length = line[start..].iter().position(|&byte| is_white(byte)).unwrap_or(line.len() - start);
            at = start + length;
            Some((start, &line[start..at]))
        })
    };
    let first = words().next().map_or(&[][..], |(_, word)| word);
    let is_label = first.eq_ignore_ascii_case(b"OFFSET") || first.eq_ignore_ascii_case(b"Frame");
    let holds_numbers = is_label || looks_numeric(first);
    words().filter(move |(_, word)| holds_numbers && looks_numeric(word))
}

/// One line of the rows: its bytes without the line end, and how many tokens it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub start: usize,
    pub end: usize,
}

/// Lines from `start`, whatever ends them; blank ones left out.
pub(super) fn lines(bytes: &[u8], start: usize) -> impl Iterator<Item = Line> {
    let mut at = start;
    std::iter::from_fn(move || {
        loop {
            if at >= bytes.len() {
                return None;
            }
            let rest = &bytes[at..];
            let length = rest.iter().position(|&byte| matches!(byte, b'\r' | b'\n')).unwrap_or(rest.len());
            let line = Line { start: at, end: at + length };
            at += length + 1;
            if rest[..length].iter().any(|&byte| !is_blank(byte)) {
                return Some(line);
            }
        }
    })
}

/// How the values of rows that do not match their lines are spread.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Layout {
    /// One row a line after all, with so many values too many in each.
    Uniform { extra: usize },
    /// Values run on over line ends.
    Stream,
    /// Neither: the first line with a wrong count.
    Broken { line_start: usize, found: usize, frame: usize },
}

/// Looks at all lines of the rows and decides how to read them.
///
/// Lines that all have the same number of values too many carry extra columns. Otherwise, if the total is a whole
/// number of rows, values may run over line ends; that is believed only if the lines show a habit: rows that begin at
/// line starts, whole rows in each line, lines filled to the same count, or the declared total with hardly a line of
/// the right length. A stray missing or added value shows none of these.
pub(super) fn layout(counts: &[(usize, usize)], columns: usize, declared: Option<u64>) -> Layout {
    let total: usize = counts.iter().map(|&(_, count)| count).sum();
    let first = counts.first().map_or(0, |&(_, count)| count);
    let same = counts.iter().all(|&(_, count)| count == first);
    let declares = |frames: usize| declared == Some(frames as u64);
    let is_whole = columns > 0 && total.is_multiple_of(columns);
    if same && first > columns {
        let reads_as_stream = is_whole && declares(total / columns);
        let rather_stream = is_whole && !declares(counts.len()) && (counts.len() == 1 || first.is_multiple_of(columns));
        if !reads_as_stream && !rather_stream {
            return Layout::Uniform { extra: first - columns };
        }
    }
    if is_whole {
        let whole_rows_a_line = counts.iter().all(|&(_, count)| count.is_multiple_of(columns));
        let filled = counts.len() > 1 && counts[..counts.len() - 1].iter().all(|&(_, count)| count == first);
        let right_lines = counts.iter().filter(|&&(_, count)| count == columns).count();
        let declared_total = declares(total / columns) && right_lines * 2 < counts.len();
        if whole_rows_a_line || rows_begin_lines(counts, columns) || filled || declared_total {
            return Layout::Stream;
        }
    }
    let broken = counts.iter().enumerate().find(|(_, (_, count))| *count != columns);
    match broken {
        Some((frame, &(line_start, found))) => Layout::Broken { line_start, found, frame },
        None => Layout::Uniform { extra: 0 },
    }
}

/// Every row begins at the start of a line and none is longer than its share.
fn rows_begin_lines(counts: &[(usize, usize)], columns: usize) -> bool {
    let mut filled = 0;
    for &(_, count) in counts {
        filled += count;
        match filled.cmp(&columns) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => filled = 0,
            std::cmp::Ordering::Greater => return false,
        }
    }
    filled == 0
}
