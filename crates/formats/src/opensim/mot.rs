//! MOT and STO: a table over time, as OpenSim stores motions, forces and results.
//!
//! ```text
//! name, if any
//! version=1
//! nRows=4778
//! nColumns=19
//! inDegrees=no
//! endheader
//! time  ground_force_vx  ground_force_vy  …
//! 0.0   -3.1             640.2            …
//! ```
//!
//! Older files write `datacolumns 19` and `datarows 4778`. What programs print for "no value" (`nan`) is kept as no
//! value.

use super::lines::{Cell, Lines, cells, is_blank, words};
use super::names::names;
use crate::absurd::Absurd;
use crate::asf_amc::lex::{TextCodes, text_start, tolerate};
use crate::diagnostic::{Diagnostic, shown};
use crate::number::{self, NumberFault};
use crate::options::{Mode, ReadOptions};

const TEXT_CODES: TextCodes =
    TextCodes { empty: "MOT-E001", too_large: "MOT-E002", not_text: "MOT-E003", byte_order_mark: "MOT-N001" };

/// Lines that a header may have: real ones have ten.
const MOST_HEADER_LINES: usize = 1_000;

/// Columns of numbers over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of all columns but the time. They may repeat.
    pub columns: Vec<String>,
    /// Whether angles are in degrees; files that do not say are in radians.
    pub in_degrees: bool,
    /// One a row, rising.
    pub times_secs: Vec<f64>,
    /// `rows × columns`.
    values: Vec<Option<f64>>,
}

impl Table {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.times_secs.len()
    }

    /// A cell; `None` where the file holds no value.
    pub fn value(&self, row: usize, column: usize) -> Option<f64> {
        if column >= self.columns.len() {
            return None;
        }
        *self.values.get(row * self.columns.len() + column)?
    }

    /// The first column of this name, in any case.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
    }

    /// A whole column.
    pub fn column(&self, column: usize) -> impl Iterator<Item = Option<f64>> + '_ {
        (0..self.rows()).map(move |row| self.value(row, column))
    }
}

/// Reads the bytes of a table.
pub fn parse(bytes: &[u8], options: &ReadOptions, notes: &mut Vec<Diagnostic>) -> Result<Table, Box<Diagnostic>> {
    let start = text_start(bytes, &options.limits, &TEXT_CODES, notes)?;
    let mut lines = Lines::from(bytes, start);
    let header = Header::read(bytes, &mut lines, options)?;
    let mut lines = lines.filter(|(_, line)| !is_blank(line));
    let mut row: Vec<Cell<'_>> = Vec::new();
    let (offset, line) = lines.next().unwrap_or((bytes.len(), b""));
    cells(offset, line, &mut row);
    if !row.first().is_some_and(|(_, name)| name.eq_ignore_ascii_case(b"time")) {
        let fault = Diagnostic::error("MOT-E005", "column names that begin with `time`", shown(line)).at(bytes, offset);
        return Err(Box::new(fault.hint("the line after endheader names the columns")));
    }
    // A joint has at most this many channels, and so has a column for each.
    let most = (options.limits.joints.saturating_mul(6), "columns");
    let columns = names(bytes, row[1..].iter().copied(), most, options, ("MOT-E009", "MOT-W003"), notes)?;
    if let Some((declared, offset)) = header.columns.filter(|(declared, _)| *declared != columns.len() + 1) {
        let (expected, found) = (format!("nColumns = {declared}"), format!("{} names", columns.len() + 1));
        tolerate(options.mode, Diagnostic::warning("MOT-W002", expected, found), bytes, offset, notes)?;
    }
    let mut table = Table { columns, in_degrees: header.in_degrees, times_secs: Vec::new(), values: Vec::new() };
    for (offset, line) in lines {
        cells(offset, line, &mut row);
        match read_row(bytes, offset, &row, options, &mut table) {
            Ok(()) => {}
            Err(fault) if options.mode == Mode::Salvage && table.rows() > 0 => {
                let found = format!("{}; {} whole rows before it are kept", fault.finding(), table.rows());
                notes.push(Diagnostic::warning("MOT-W004", "", found).at(bytes, offset));
                break;
            }
            Err(fault) => return Err(fault),
        }
    }
    if table.rows() == 0 {
        return Err(Box::new(Diagnostic::error("MOT-E010", "at least one row", "none").at(bytes, bytes.len())));
    }
    if let Some((declared, offset)) = header.rows.filter(|(declared, _)| *declared != table.rows()) {
        let (expected, found) = (format!("nRows = {declared}"), format!("{} rows", table.rows()));
        tolerate(options.mode, Diagnostic::warning("MOT-W001", expected, found), bytes, offset, notes)?;
    }
    Ok(table)
}

#[derive(Default)]
struct Header {
    /// With the place, for messages.
    rows: Option<(usize, usize)>,
    columns: Option<(usize, usize)>,
    in_degrees: bool,
}

impl Header {
    fn read(bytes: &[u8], lines: &mut Lines<'_>, options: &ReadOptions) -> Result<Self, Box<Diagnostic>> {
        let mut header = Self::default();
        let mut pair: Vec<Cell<'_>> = Vec::new();
        for (offset, line) in lines.take(MOST_HEADER_LINES) {
            // `nRows=5`, `nRows = 5` and `datarows 5`.
            let spaced: Vec<u8> = line.iter().map(|&byte| if byte == b'=' { b' ' } else { byte }).take(4096).collect();
            words(offset, line, &mut pair);
            if pair.first().is_some_and(|(_, word)| word.eq_ignore_ascii_case(b"endheader")) {
                return Ok(header);
            }
            let mut parts = spaced.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            let (Some(key), Some(value)) = (parts.next(), parts.next()) else { continue };
            let count = || {
                let count = number::parse(value, b'.', options.limits.token_bytes).ok()?.value;
                // Only compared with what is there, never allocated from.
                Some((count.clamp(0.0, 1e15) as usize, offset))
            };
            match key.to_ascii_lowercase().as_slice() {
                b"nrows" | b"datarows" => header.rows = count(),
                b"ncolumns" | b"datacolumns" => header.columns = count(),
                b"indegrees" => header.in_degrees = value.to_ascii_lowercase().starts_with(b"y"),
                _ => {}
            }
        }
        let fault = Diagnostic::error("MOT-E004", "an `endheader` line", "none").at(bytes, 0);
        Err(Box::new(fault.hint("this is no OpenSim storage file (.mot, .sto)")))
    }
}

fn read_row(
    bytes: &[u8],
    offset: usize,
    row: &[Cell<'_>],
    options: &ReadOptions,
    table: &mut Table,
) -> Result<(), Box<Diagnostic>> {
    let (expected, number) = (table.columns.len() + 1, table.rows() + 1);
    if row.len() != expected {
        let fault =
            Diagnostic::error("MOT-E008", format!("{expected} cells"), format!("{} in row {number}", row.len()));
        return Err(Box::new(
            fault.at(bytes, offset).hint("names and columns must fit; {salvage} keeps the rows before"),
        ));
    }
    let time_secs = cell_value(bytes, row[0], options)?;
    refuse_absurd(bytes, row[0], time_secs, "time", table.rows())?;
    let Some(time_secs) = time_secs.filter(|secs| table.times_secs.last().is_none_or(|last| secs > last)) else {
        let fault = Diagnostic::error("MOT-E011", "a time later than the one before", shown(row[0].1));
        return Err(Box::new(fault.at(bytes, row[0].0)));
    };
    let before = table.values.len();
    for (&cell, name) in row[1..].iter().zip(&table.columns) {
        let value = cell_value(bytes, cell, options);
        match value.and_then(|value| refuse_absurd(bytes, cell, value, name, table.times_secs.len()).map(|()| value)) {
            Ok(value) => table.values.push(value),
            Err(fault) => {
                table.values.truncate(before);
                return Err(fault);
            }
        }
    }
    table.times_secs.push(time_secs);
    Ok(())
}

fn refuse_absurd(
    bytes: &[u8],
    (offset, _): Cell<'_>,
    value: Option<f64>,
    column: &str,
    row: usize,
) -> Result<(), Box<Diagnostic>> {
    let whose = || format!("column {}", shown(column.as_bytes()));
    match value.and_then(|value| Absurd::number(value, whose, Some(row))) {
        Some(absurd) => Err(Box::new(absurd.diagnostic().at(bytes, offset))),
        None => Ok(()),
    }
}

fn cell_value(bytes: &[u8], (offset, cell): Cell<'_>, options: &ReadOptions) -> Result<Option<f64>, Box<Diagnostic>> {
    if cell.is_empty() {
        return Ok(None);
    }
    let longest = options.limits.token_bytes;
    let fault = |code, expected: String| Box::new(Diagnostic::error(code, expected, shown(cell)).at(bytes, offset));
    match number::parse(cell, b'.', longest) {
        Ok(parsed) => Ok(Some(parsed.value)),
        Err(NumberFault::NotANumber) => Ok(None),
        Err(NumberFault::TooLong) => Err(fault("MOT-E009", format!("a number of at most {longest} bytes"))),
        Err(NumberFault::Infinite | NumberFault::Nul | NumberFault::Malformed) => {
            Err(fault("MOT-E007", "a number".to_owned()))
        }
    }
}
