//! The data section: for every frame the points, four numbers each, then the analog samples.

use super::parameters::{Parameters, Processor};
use crate::diagnostic::Diagnostic;
use crate::options::{Mode, ReadOptions};
use glam::DVec3;

/// Where the data lie and how they are stored.
pub(super) struct Layout {
    processor: Processor,
    start: usize,
    pub points: usize,
    pub frames: usize,
    /// Analog samples of all channels in one frame.
    pub analog_a_frame: usize,
    is_float: bool,
    scale: f64,
    unsigned_analog: bool,
}

/// Numbers of the header block that nothing else says.
pub(super) struct Header {
    pub points: u16,
    pub analog_a_frame: u16,
    pub first_frame: u16,
    pub last_frame: u16,
    pub scale: f64,
    pub data_block: u16,
    pub samples_a_frame: u16,
    pub rate_hz: f64,
}

impl Header {
    /// Fields of the first 24 bytes.
    pub fn read(bytes: &[u8], processor: Processor) -> Option<Self> {
        let word = |at: usize| Some(processor.u16(*bytes.get(at..)?.first_chunk::<2>()?));
        let real = |at: usize| Some(processor.f32(*bytes.get(at..)?.first_chunk::<4>()?));
        Some(Self {
            points: word(2)?,
            analog_a_frame: word(4)?,
            first_frame: word(6)?,
            last_frame: word(8)?,
            scale: real(12)?,
            data_block: word(16)?,
            samples_a_frame: word(18)?,
            rate_hz: real(20)?,
        })
    }
}

impl Layout {
    pub fn new(
        bytes: &[u8],
        header: &Header,
        parameters: &Parameters,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Self, Box<Diagnostic>> {
        // Negative 16-bit numbers are counts of more than 32,767 by programs that mean them unsigned.
        let count = |name: &str| parameters.number("POINT", name).map(unsigned).filter(|count| *count > 0.0);
        let points = count("USED").map_or(usize::from(header.points), |used| used as usize);
        if points > options.limits.joints {
            let fault =
                Diagnostic::error("C3D-E007", format!("at most {} points", options.limits.joints), points.to_string());
            return Err(Box::new(fault.hint("raise the limit with {limit joints=N}")));
        }
        let scale = parameters.number("POINT", "SCALE").unwrap_or(header.scale);
        if !scale.is_finite() || scale == 0.0 {
            return Err(Box::new(Diagnostic::error("C3D-E011", "a scale of points", scale.to_string())));
        }
        let block = count("DATA_START").map_or(usize::from(header.data_block), |block| block as usize);
        let start = block.checked_sub(1).map(|blocks| 512 * blocks).filter(|start| *start <= bytes.len());
        let start = start.ok_or_else(|| {
            Box::new(Diagnostic::error(
                "C3D-E005",
                "data in the file",
                format!("block {block} of {} bytes", bytes.len()),
            ))
        })?;
        let format = parameters.texts("ANALOG", "FORMAT").first().map(|format| format.to_ascii_uppercase());
        let mut layout = Self {
            processor: parameters.processor,
            start,
            points,
            frames: 0,
            analog_a_frame: usize::from(header.analog_a_frame),
            is_float: scale < 0.0,
            scale: scale.abs(),
            unsigned_analog: format.as_deref() == Some("UNSIGNED"),
        };
        if points == 0 {
            return Err(Box::new(Diagnostic::error("C3D-E008", "points", "none")));
        }
        layout.frames = layout.frame_count(bytes, header, parameters, options, notes)?;
        Ok(layout)
    }

    fn word_bytes(&self) -> usize {
        if self.is_float { 4 } else { 2 }
    }

    fn frame_bytes(&self) -> usize {
        self.word_bytes() * (4 * self.points + self.analog_a_frame)
    }

    /// Header fields have 16 bits and wrap at 65,535: TRIAL comes first, then LONG_FRAMES, then the header, then
    /// FRAMES.
    fn frame_count(
        &self,
        bytes: &[u8],
        header: &Header,
        parameters: &Parameters,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<usize, Box<Diagnostic>> {
        // Two halves of 16 bits, the low one first.
        let field = |name: &str| match parameters.numbers("TRIAL", name) {
            Some([low, high]) => Some(unsigned(*low) + 65_536.0 * unsigned(*high)),
            _ => None,
        };
        let trial = field("ACTUAL_START_FIELD").zip(field("ACTUAL_END_FIELD"));
        let by_header = (header.last_frame >= header.first_frame && header.last_frame > 0)
            .then(|| f64::from(header.last_frame) - f64::from(header.first_frame) + 1.0);
        let by_points = parameters.number("POINT", "FRAMES").map(unsigned).filter(|frames| *frames > 0.0);
        let long = parameters.number("POINT", "LONG_FRAMES").filter(|frames| frames.is_finite() && *frames > 0.0);
        let there = (bytes.len() - self.start) / self.frame_bytes();
        let stated = match trial {
            Some((start, end)) if end < start => {
                let found = format!("ACTUAL_END_FIELD = {end} before ACTUAL_START_FIELD = {start}");
                return Err(Box::new(Diagnostic::error("C3D-E006", "frame numbers that rise", found)));
            }
            Some((start, end)) => end - start + 1.0,
            // A counter at its end says only that there are at least so many.
            None => match long.or(by_header).or(by_points) {
                Some(frames) if frames >= 65_535.0 => frames.max(there as f64),
                Some(frames) => frames,
                None => 0.0,
            },
        };
        if there == 0 || stated < 1.0 {
            let found = format!("{stated} stated, {there} in the file");
            return Err(Box::new(Diagnostic::error("C3D-E008", "at least one frame", found)));
        }
        if stated > there as f64 {
            let found = format!("{there} whole frames of {} bytes", self.frame_bytes());
            if options.mode != Mode::Salvage {
                let fault = Diagnostic::error("C3D-E005", format!("{stated} frames"), found);
                return Err(Box::new(fault.hint("the file is cut; {salvage} keeps the whole frames")));
            }
            notes.push(Diagnostic::warning("C3D-W002", format!("{stated} frames"), found));
        }
        Ok(there.min(stated as usize))
    }

    /// `frames × points` in file units; `None` where a point was not seen.
    pub fn points(&self, bytes: &[u8]) -> Vec<Option<DVec3>> {
        let mut all = Vec::with_capacity(self.frames * self.points);
        for frame in 0..self.frames {
            for point in 0..self.points {
                all.push(self.point(bytes, frame, point));
            }
        }
        all
    }

    /// The fourth number is negative where nothing was seen; a place that is not finite was not seen either.
    fn point(&self, bytes: &[u8], frame: usize, point: usize) -> Option<DVec3> {
        let width = self.word_bytes();
        let start = self.start + frame * self.frame_bytes() + 4 * point * width;
        let words = bytes.get(start..start + 4 * width)?;
        let [x, y, z, seen] = match self.is_float {
            true => {
                let (words, _) = words.as_chunks::<4>();
                [0, 1, 2, 3].map(|index| words.get(index).map_or(f64::NAN, |&word| self.processor.f32(word)))
            }
            false => {
                let (words, _) = words.as_chunks::<2>();
                let value = |index: usize| words.get(index).map_or(0, |&word| self.processor.u16(word).cast_signed());
                let [x, y, z] = [0, 1, 2].map(|index| self.scale * f64::from(value(index)));
                [x, y, z, f64::from(value(3))]
            }
        };
        let place = DVec3::new(x, y, z);
        (seen >= 0.0 && place.is_finite()).then_some(place)
    }

    /// One analog number as stored, before offset and scale.
    pub fn raw_analog(&self, bytes: &[u8], frame: usize, sample: usize) -> Option<f64> {
        let width = self.word_bytes();
        let at = self.start + frame * self.frame_bytes() + (4 * self.points + sample) * width;
        let rest = bytes.get(at..)?;
        match self.is_float {
            true => Some(self.processor.f32(*rest.first_chunk::<4>()?)),
            false => {
                let word = self.processor.u16(*rest.first_chunk::<2>()?);
                Some(if self.unsigned_analog { f64::from(word) } else { f64::from(word.cast_signed()) })
            }
        }
    }

    /// Offsets of unsigned channels are unsigned too, though parameters have no such type.
    pub fn analog_offset(&self, stored: f64) -> f64 {
        if self.unsigned_analog { unsigned(stored) } else { stored }
    }
}

/// A 16-bit number that was read as signed.
pub(super) fn unsigned(value: f64) -> f64 {
    if (-32_768.0..0.0).contains(&value) { value + 65_536.0 } else { value }
}
