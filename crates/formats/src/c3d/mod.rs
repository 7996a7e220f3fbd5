//! C3D: markers, analog channels and force plates of a motion laboratory. Read, not written.
//!
//! Little- and big-endian files and those of VAXes, whole and floating numbers, long files and many labels. `c3dio` on
//! crates.io was left alone: what comes from a file must be refused with a place and a reason, under limits, and force
//! plates need their own physics anyway. `ezc3d` is the oracle of the tests.

pub mod codes;
mod data;
mod parameters;
mod plates;

#[cfg(test)]
mod tests;

pub use parameters::Processor;
pub use plates::{Baseline, C3dForces};

use crate::absurd::{self, Absurd};
use crate::diagnostic::{Diagnostic, shown};
use crate::options::ReadOptions;
use aplomb_motion::markers::MarkerSet;
use aplomb_motion::{Axis, SignedPermutation};
use data::{Header, Layout};
use parameters::Parameters;
use std::collections::HashSet;

/// A C3D file that was understood; analog numbers are read when they are asked for.
pub struct C3dFile<'a> {
    bytes: &'a [u8],
    parameters: Parameters,
    layout: Layout,
    /// Metres, Y up.
    pub markers: MarkerSet,
    /// Length of one unit of the file.
    pub metres_per_unit: f64,
    /// The file's up axis.
    pub up: Axis,
    /// Number of analog channels.
    pub analog_channels: usize,
    /// Analog samples of one channel in one frame of the markers.
    pub samples_a_frame: usize,
    /// Number of force plates that can be used.
    pub plate_count: usize,
}

/// Reads the bytes of a C3D file.
pub fn parse<'a>(
    bytes: &'a [u8],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<C3dFile<'a>, Box<Diagnostic>> {
    if bytes.len() < 512 || bytes.len() as u64 > options.limits.file_bytes {
        let expected = format!("512 to {} bytes", options.limits.file_bytes);
        return Err(Box::new(Diagnostic::error("C3D-E001", expected, format!("{} bytes", bytes.len()))));
    }
    if bytes[1] != 0x50 {
        let found = format!("a file that starts with {}", shown(&bytes[..16]));
        return Err(Box::new(Diagnostic::error("C3D-E002", "a C3D file (0x50 at byte 1)", found)));
    }
    let start = usize::from(bytes[0])
        .checked_sub(1)
        .map(|blocks| 512 * blocks)
        .ok_or_else(|| Box::new(Diagnostic::error("C3D-E003", "the block of the parameters", "0")))?;
    let parameters = parameters::parse(bytes, start, notes)?;
    let header = Header::read(bytes, parameters.processor)
        .ok_or_else(|| Box::new(Diagnostic::error("C3D-E003", "a header", "the end of the file")))?;
    let layout = Layout::new(bytes, &header, &parameters, options, notes)?;
    let rate_hz = rate(&parameters, &header, options)?;
    let metres_per_unit = unit(&parameters, options)?;

    let samples_a_frame = usize::from(header.samples_a_frame).max(1);
    let analog_channels = layout.analog_a_frame / samples_a_frame;
    tell_analog_rate(&parameters, rate_hz, analog_channels, samples_a_frame, notes);
    let plates = plates::plates(&parameters, analog_channels).unwrap_or_else(|fault| {
        notes.push(Diagnostic::warning("C3D-W004", "", fault.finding()));
        Vec::new()
    });
    let up = up_axis(&parameters, &plates, options, notes);
    let plate_count = plates.len();
    if analog_channels > 0 {
        let found = format!(
            "{analog_channels} analog channels at {} Hz, {plate_count} force plates: kept for programs, not part of the motion",
            rate_hz * samples_a_frame as f64
        );
        notes.push(Diagnostic::note("C3D-N001", "", found));
    }
    let names = names(&parameters, layout.points, options, notes)?;
    let y_up = SignedPermutation::lifting(up);
    let positions_m =
        layout.points(bytes).into_iter().map(|place| Some(metres_per_unit * y_up.vector(place?))).collect();
    let markers = MarkerSet { names, rate_hz, start_secs: 0.0, positions_m };
    if let Some(absurd) = Absurd::in_markers(&markers) {
        return Err(Box::new(absurd.diagnostic()));
    }
    Ok(C3dFile {
        bytes,
        parameters,
        layout,
        markers,
        metres_per_unit,
        up,
        analog_channels,
        samples_a_frame,
        plate_count,
    })
}

impl C3dFile<'_> {
    /// One analog channel over time in its own unit: (stored − OFFSET) · SCALE · GEN_SCALE.
    pub fn analog(&self, channel: usize) -> Vec<f64> {
        if channel >= self.analog_channels {
            return Vec::new();
        }
        let pick = |name: &str| self.parameters.all_numbers("ANALOG", name).get(channel).copied();
        let offset = self.layout.analog_offset(pick("OFFSET").unwrap_or(0.0));
        let gain = self.parameters.number("ANALOG", "GEN_SCALE").unwrap_or(1.0) * pick("SCALE").unwrap_or(1.0);
        let mut values = Vec::with_capacity(self.layout.frames * self.samples_a_frame);
        for frame in 0..self.layout.frames {
            for sample in 0..self.samples_a_frame {
                let raw = self.layout.raw_analog(self.bytes, frame, sample * self.analog_channels + channel);
                // A number that is not finite or beyond every sensor is no measurement.
                let value = (raw.unwrap_or(0.0) - offset) * gain;
                values.push(if value.abs() <= absurd::LARGEST { value } else { 0.0 });
            }
        }
        values
    }

    /// Names of the analog channels, as far as the file has them.
    pub fn analog_names(&self) -> Vec<String> {
        let mut names = self.parameters.all_texts("ANALOG", "LABELS");
        names.resize(self.analog_channels, String::new());
        names
    }

    /// The machine that the file was written for.
    pub fn processor(&self) -> Processor {
        self.parameters.processor
    }
}

fn rate(parameters: &Parameters, header: &Header, options: &ReadOptions) -> Result<f64, Box<Diagnostic>> {
    let stated = parameters.number("POINT", "RATE").filter(|hz| *hz > 0.0).unwrap_or(header.rate_hz);
    let rate_hz = options.frame_time.map_or(stated, |time| time.hz());
    // Wider than any camera; beyond, the number is broken.
    match (0.01..=1e5).contains(&rate_hz) {
        true => Ok(rate_hz),
        false => {
            let fault = Diagnostic::error("C3D-E009", "a frame rate", rate_hz.to_string());
            Err(Box::new(fault.hint("give the rate with {fps}")))
        }
    }
}

fn unit(parameters: &Parameters, options: &ReadOptions) -> Result<f64, Box<Diagnostic>> {
    if let Some(metres_per_unit) = options.metres_per_unit {
        return Ok(metres_per_unit);
    }
    let stated = parameters.texts("POINT", "UNITS").first().map_or("", String::as_str);
    match stated.to_ascii_lowercase().as_str() {
        "mm" => Ok(0.001),
        "cm" => Ok(0.01),
        "m" => Ok(1.0),
        "in" | "inch" => Ok(0.0254),
        _ => {
            let fault = Diagnostic::error("C3D-E010", "POINT:UNITS mm, cm, m or in", shown(stated.as_bytes()));
            Err(Box::new(fault.hint("give the unit with {unit}")))
        }
    }
}

/// Plates lie on the ground, so that what stands on them is up; else the screen's Y, else Z, as laboratories have it.
fn up_axis(
    parameters: &Parameters,
    plates: &[plates::Plate],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Axis {
    if let Some(up) = options.up {
        return up;
    }
    let screen = parameters.texts("POINT", "Y_SCREEN").first().and_then(|text| match text.trim_start_matches('+') {
        "X" | "x" => Some(Axis::X),
        "Y" | "y" => Some(Axis::Y),
        "Z" | "z" => Some(Axis::Z),
        _ => None,
    });
    let (up, why) = match (plates::up_axis(plates), screen) {
        (Some(up), _) => (up, "force plates lie across it"),
        (None, Some(up)) => (up, "Y_SCREEN says so"),
        (None, None) => (Axis::Z, "nothing says otherwise; give it with --up"),
    };
    notes.push(Diagnostic::note("C3D-N002", "", format!("{} is up: {why}", up.letter())));
    up
}

fn tell_analog_rate(
    parameters: &Parameters,
    rate_hz: f64,
    channels: usize,
    samples_a_frame: usize,
    notes: &mut Vec<Diagnostic>,
) {
    let by_samples_hz = rate_hz * samples_a_frame as f64;
    let stated_hz = parameters.number("ANALOG", "RATE").filter(|_| channels > 0);
    if let Some(stated_hz) = stated_hz.filter(|hz| (hz / by_samples_hz - 1.0).abs() > 1e-3) {
        let found = format!("ANALOG:RATE = {stated_hz}");
        notes.push(Diagnostic::warning("C3D-W006", format!("{by_samples_hz} Hz"), found));
    }
}

/// One a point; those that the file leaves out are called by their number. A subject's name before all of them is
/// dropped.
fn names(
    parameters: &Parameters,
    points: usize,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<String>, Box<Diagnostic>> {
    let mut names = parameters.all_texts("POINT", "LABELS");
    names.truncate(points);
    let prefix = names.first().and_then(|name| Some(name.split_once(':')?.0.to_owned()));
    if let Some(prefix) =
        prefix.map(|prefix| prefix + ":").filter(|prefix| names.iter().all(|name| name.starts_with(prefix)))
    {
        names.iter_mut().for_each(|name| *name = name.split_off(prefix.len()));
    }
    for number in names.len()..points {
        names.push(format!("point_{}", number + 1));
    }
    if let Some(long) = names.iter().find(|name| name.len() > options.limits.name_bytes) {
        let expected = format!("names of at most {} bytes", options.limits.name_bytes);
        return Err(Box::new(Diagnostic::error("C3D-E007", expected, format!("{} bytes", long.len()))));
    }
    let mut seen = HashSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
        notes.push(Diagnostic::warning("C3D-W003", "", shown(twice.as_bytes())));
    }
    Ok(names)
}
