//! TRC: markers over time, as Motion Analysis wrote it first and OpenSim keeps it.
//!
//! ```text
//! PathFileType  4  (X/Y/Z)  walk.trc
//! DataRate  CameraRate  NumFrames  NumMarkers  Units  …
//! 100       100         238        41          mm     …
//! Frame#  Time  R.ASIS            L.ASIS            …
//!               X1    Y1    Z1    X2    Y2    Z2    …
//! (blank)
//! 1       0.0   1.2   3.4   5.6   …
//! ```
//!
//! Tabs separate; a missing marker is three empty cells, `nan`, or a marker at exactly 0 0 0, as exporters from C3D
//! write it.

use super::lines::{Cell, Lines, cells, is_blank, words};
use super::names::names;
use crate::absurd::{self, Absurd};
use crate::asf_amc::lex::{TextCodes, text_start, tolerate};
use crate::diagnostic::{Diagnostic, shown};
use crate::number::{self, NumberFault};
use crate::options::{Mode, ReadOptions};
use aplomb_motion::markers::MarkerSet;
use aplomb_motion::{Axis, SignedPermutation};
use glam::DVec3;

const TEXT_CODES: TextCodes =
    TextCodes { empty: "TRC-E001", too_large: "TRC-E002", not_text: "TRC-E003", byte_order_mark: "TRC-N001" };

/// Rate and times may differ by this much: times are often printed with three decimals.
const RATE_SLACK: f64 = 0.01;

/// A marker file.
#[derive(Clone, Debug, PartialEq)]
pub struct TrcFile {
    /// The markers, in metres, Y up.
    pub markers: MarkerSet,
    /// Length of the file's unit.
    pub metres_per_unit: f64,
}

/// Reads the bytes of a marker file. A given unit, up axis or rate wins over what the file says.
pub fn parse(bytes: &[u8], options: &ReadOptions, notes: &mut Vec<Diagnostic>) -> Result<TrcFile, Box<Diagnostic>> {
    let start = text_start(bytes, &options.limits, &TEXT_CODES, notes)?;
    let mut lines = Lines::from(bytes, start).peekable();
    let header = Header::read(bytes, &mut lines, options, notes)?;
    let metres_per_unit = header.metres_per_unit(bytes, options)?;
    let mut rows = Rows::new(bytes, &header.names, metres_per_unit, options);
    for (offset, line) in lines.filter(|(_, line)| !is_blank(line)) {
        match rows.read(offset, line, notes) {
            Ok(()) => {}
            Err(fault) if options.mode == Mode::Salvage && !rows.times_secs.is_empty() => {
                let found = format!("{}; {} whole rows before it are kept", fault.finding(), rows.times_secs.len());
                notes.push(Diagnostic::warning("TRC-W008", "", found).at(bytes, offset));
                break;
            }
            Err(fault) => return Err(fault),
        }
    }
    if rows.times_secs.is_empty() {
        return Err(Box::new(
            Diagnostic::error("TRC-E010", "at least one row of markers", "none").at(bytes, bytes.len()),
        ));
    }
    if let Some((count, offset)) = header.frames.filter(|(count, _)| *count != rows.times_secs.len()) {
        let found = format!("{} rows", rows.times_secs.len());
        let deviation = Diagnostic::warning("TRC-W002", format!("NumFrames = {count}"), found);
        tolerate(options.mode, deviation, bytes, offset, notes)?;
    }
    if rows.at_origin > 0 {
        let found = format!("{} markers at exactly 0 0 0", rows.at_origin);
        notes.push(Diagnostic::warning("TRC-W006", "", found + ", taken as missing"));
    }
    let rate_hz = rate(bytes, &header, &rows.times_secs, options, notes)?;
    let internal_from_file = SignedPermutation::lifting(options.up.unwrap_or(Axis::Y));
    let scaled = |position: DVec3| internal_from_file.vector(position * metres_per_unit);
    let positions_m = rows.positions.iter().map(|position| position.map(scaled)).collect();
    let start_secs = rows.times_secs.first().copied().unwrap_or(0.0);
    let markers = MarkerSet { names: header.names, rate_hz, start_secs, positions_m };
    Ok(TrcFile { markers, metres_per_unit })
}

/// What the first five lines say. Numbers keep the place they were found at.
struct Header {
    rate_hz: Option<(f64, usize)>,
    frames: Option<(usize, usize)>,
    unit: Option<(String, usize)>,
    names: Vec<String>,
    end: usize,
}

impl Header {
    fn read<'a>(
        bytes: &[u8],
        lines: &mut std::iter::Peekable<Lines<'a>>,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut full = lines.by_ref().filter(|(_, line)| !is_blank(line));
        let cut = |what: &str| {
            let found = Diagnostic::error("TRC-E005", what, "the end of the file").at(bytes, bytes.len());
            Box::new(found.hint("the file is cut; export it again"))
        };
        let (offset, first) = full.next().ok_or_else(|| cut("PathFileType"))?;
        let lead = first.len() - first.trim_ascii_start().len();
        if !first[lead..].get(..12).is_some_and(|word| word.eq_ignore_ascii_case(b"PathFileType")) {
            let found = Diagnostic::error("TRC-E004", "`PathFileType` on the first line", shown(first));
            return Err(Box::new(found.at(bytes, offset).hint("this is no marker file of the TRC kind")));
        }
        let (mut keys, mut values, mut labels): (Vec<Cell<'_>>, Vec<Cell<'_>>, Vec<Cell<'_>>) = Default::default();
        let (offset, line) = full.next().ok_or_else(|| cut("the line DataRate … Units"))?;
        words(offset, line, &mut keys);
        let (offset, line) = full.next().ok_or_else(|| cut("the values of DataRate … Units"))?;
        words(offset, line, &mut values);
        let value = |key: &[u8]| {
            let column = keys.iter().position(|(_, word)| word.eq_ignore_ascii_case(key))?;
            values.get(column).copied()
        };
        let longest = options.limits.token_bytes;
        let numeric = |key: &[u8]| {
            let (offset, word) = value(key)?;
            Some((number::parse(word, b'.', longest).ok()?.value, offset))
        };
        // Counts are only compared with what is there, never allocated from.
        let count = |key: &[u8]| numeric(key).map(|(count, offset)| (count.clamp(0.0, 1e15) as usize, offset));
        let (offset, line) = full.next().ok_or_else(|| cut("the line Frame#, Time and marker names"))?;
        cells(offset, line, &mut labels);
        let is_label_line = labels.first().is_some_and(|(_, word)| word.to_ascii_lowercase().starts_with(b"frame"))
            && labels.get(1).is_some_and(|(_, word)| word.eq_ignore_ascii_case(b"time"));
        if !is_label_line {
            let found = Diagnostic::error("TRC-E005", "`Frame#`, `Time` and the marker names", shown(line));
            return Err(Box::new(found.at(bytes, offset).hint("the header has five lines; export the file again")));
        }
        let named = labels[2..].iter().copied().filter(|(_, label)| !label.is_empty());
        let most = (options.limits.joints, "markers");
        let names = names(bytes, named, most, options, ("TRC-E009", "TRC-W005"), notes)?;
        if let Some((declared, offset)) = count(b"NumMarkers").filter(|(declared, _)| *declared != names.len()) {
            let (expected, found) = (format!("NumMarkers = {declared}"), format!("{} names", names.len()));
            tolerate(options.mode, Diagnostic::warning("TRC-W001", expected, found), bytes, offset, notes)?;
        }
        let unit = value(b"Units").map(|(offset, word)| (String::from_utf8_lossy(word).to_lowercase(), offset));
        let rate_hz = numeric(b"DataRate").filter(|(hz, _)| *hz > 0.0);
        let (frames, end) = (count(b"NumFrames"), offset);
        Self::skip_coordinate_labels(bytes, lines, options, notes)?;
        Ok(Self { rate_hz, frames, unit, names, end })
    }

    /// The line `X1 Y1 Z1 …`, which some writers leave out.
    fn skip_coordinate_labels<'a>(
        bytes: &[u8],
        lines: &mut std::iter::Peekable<Lines<'a>>,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<(), Box<Diagnostic>> {
        while lines.next_if(|(_, line)| is_blank(line)).is_some() {}
        let is_labels =
            |line: &[u8]| line.trim_ascii_start().first().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'x'));
        if lines.next_if(|(_, line)| is_labels(line)).is_some() {
            return Ok(());
        }
        let Some(&(offset, line)) = lines.peek() else { return Ok(()) };
        tolerate(options.mode, Diagnostic::warning("TRC-W009", "`X1 Y1 Z1 …`", shown(line)), bytes, offset, notes)
    }

    fn metres_per_unit(&self, bytes: &[u8], options: &ReadOptions) -> Result<f64, Box<Diagnostic>> {
        if let Some(metres_per_unit) = options.metres_per_unit {
            return Ok(metres_per_unit);
        }
        let (word, offset) = self.unit.as_ref().map_or(("", self.end), |(word, offset)| (word.as_str(), *offset));
        match word {
            "mm" | "millimeters" | "millimetres" => Ok(0.001),
            "cm" | "centimeters" | "centimetres" => Ok(0.01),
            "m" | "meters" | "metres" => Ok(1.0),
            "in" | "inch" | "inches" => Ok(0.0254),
            _ => {
                let fault = Diagnostic::error("TRC-E006", "Units mm, cm, m or in", shown(word.as_bytes()));
                Err(Box::new(fault.at(bytes, offset).hint("give the unit with {unit}")))
            }
        }
    }
}

struct Rows<'a> {
    bytes: &'a [u8],
    names: &'a [String],
    metres_per_unit: f64,
    options: &'a ReadOptions,
    times_secs: Vec<f64>,
    positions: Vec<Option<DVec3>>,
    at_origin: usize,
    cells: Vec<Cell<'a>>,
}

impl<'a> Rows<'a> {
    fn new(bytes: &'a [u8], names: &'a [String], metres_per_unit: f64, options: &'a ReadOptions) -> Self {
        let (times_secs, positions, cells) = Default::default();
        Self { bytes, names, metres_per_unit, options, times_secs, positions, at_origin: 0, cells }
    }

    fn read(&mut self, offset: usize, line: &'a [u8], notes: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        let mut row = std::mem::take(&mut self.cells);
        cells(offset, line, &mut row);
        let expected = 2 + 3 * self.names.len();
        if row.len() < 2 || row.len() > expected {
            let wanted = format!("{expected} cells (frame, time, 3 × {} markers)", self.names.len());
            let fault =
                Diagnostic::error("TRC-E008", wanted, format!("{} in row {}", row.len(), self.times_secs.len() + 1));
            return Err(Box::new(
                fault.at(self.bytes, offset).hint("names and columns must fit; {salvage} keeps the rows before"),
            ));
        }
        let Some(time_secs) = self.number(row[1])? else {
            let fault = Diagnostic::error("TRC-E008", "a time", "an empty cell").at(self.bytes, row[1].0);
            return Err(Box::new(fault));
        };
        self.refuse(row[1], Absurd::number(time_secs, || "time".to_owned(), Some(self.times_secs.len())))?;
        if row.len() < expected {
            let found = format!("{} in row {}", row.len(), self.times_secs.len() + 1);
            let deviation = Diagnostic::warning("TRC-W004", format!("{expected} cells"), found);
            tolerate(self.options.mode, deviation, self.bytes, offset, notes)?;
        }
        let before = self.positions.len();
        for marker in 0..self.names.len() {
            match self.marker(&row, marker, notes) {
                Ok(position) => self.positions.push(position),
                Err(fault) => {
                    self.positions.truncate(before);
                    return Err(fault);
                }
            }
        }
        self.times_secs.push(time_secs);
        self.cells = row;
        Ok(())
    }

    fn marker(
        &mut self,
        row: &[Cell<'a>],
        marker: usize,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Option<DVec3>, Box<Diagnostic>> {
        let mut found = [None; 3];
        for (axis, slot) in found.iter_mut().enumerate() {
            *slot = match row.get(2 + 3 * marker + axis) {
                Some(&cell) => self.number(cell)?,
                None => None,
            };
        }
        match found {
            [Some(0.0), Some(0.0), Some(0.0)] => {
                self.at_origin += 1;
                Ok(None)
            }
            [Some(x), Some(y), Some(z)] => {
                let place = DVec3::new(x, y, z);
                let whose = || absurd::marker(&self.names[marker]);
                let far = Absurd::place(place * self.metres_per_unit, whose, Some(self.times_secs.len()));
                self.refuse(row[2 + 3 * marker], far)?;
                Ok(Some(place))
            }
            [None, None, None] => Ok(None),
            _ => {
                let offset = row.get(2 + 3 * marker).map_or(self.bytes.len(), |cell| cell.0);
                let text = format!("a part of marker {} in row {}", marker + 1, self.times_secs.len() + 1);
                let deviation = Diagnostic::warning("TRC-W007", "three coordinates or none", text);
                tolerate(self.options.mode, deviation, self.bytes, offset, notes)?;
                Ok(None)
            }
        }
    }

    fn refuse(&self, (offset, _): Cell<'_>, absurd: Option<Absurd>) -> Result<(), Box<Diagnostic>> {
        absurd.map_or(Ok(()), |absurd| Err(Box::new(absurd.diagnostic().at(self.bytes, offset))))
    }

    /// `None` for what programs write where there is no value.
    fn number(&self, (offset, cell): Cell<'_>) -> Result<Option<f64>, Box<Diagnostic>> {
        if cell.is_empty() {
            return Ok(None);
        }
        let fault =
            |code, expected: &str| Box::new(Diagnostic::error(code, expected, shown(cell)).at(self.bytes, offset));
        match number::parse(cell, b'.', self.options.limits.token_bytes) {
            Ok(parsed) => Ok(Some(parsed.value)),
            Err(NumberFault::NotANumber) => Ok(None),
            Err(NumberFault::TooLong) => {
                let expected = format!("a number of at most {} bytes", self.options.limits.token_bytes);
                Err(fault("TRC-E009", &expected))
            }
            Err(NumberFault::Infinite | NumberFault::Nul | NumberFault::Malformed) => {
                Err(fault("TRC-E007", "a finite number"))
            }
        }
    }
}

/// The given rate, else the declared one where the times agree, else that of the times.
fn rate(
    bytes: &[u8],
    header: &Header,
    times_secs: &[f64],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<f64, Box<Diagnostic>> {
    if let Some(frame_time) = options.frame_time {
        return Ok(frame_time.hz());
    }
    let span_secs = times_secs.last().unwrap_or(&0.0) - times_secs.first().unwrap_or(&0.0);
    let by_times_hz = Some((times_secs.len() - 1) as f64 / span_secs).filter(|hz| hz.is_finite() && *hz > 0.0);
    match (header.rate_hz, by_times_hz) {
        (Some((declared_hz, offset)), Some(by_times_hz)) if (by_times_hz / declared_hz - 1.0).abs() > RATE_SLACK => {
            let (expected, found) = (format!("DataRate = {declared_hz}"), format!("times {by_times_hz:.3} a second"));
            tolerate(options.mode, Diagnostic::warning("TRC-W003", expected, found), bytes, offset, notes)?;
            Ok(by_times_hz)
        }
        (Some((declared_hz, _)), _) => Ok(declared_hz),
        (None, Some(by_times_hz)) => Ok(by_times_hz),
        (None, None) => {
            let fault = Diagnostic::error("TRC-E011", "DataRate, or times that rise", "neither").at(bytes, header.end);
            Err(Box::new(fault.hint("give the rate with {fps}")))
        }
    }
}
