//! The motion file: frame numbers and lines `bone v1 v2 …`, checked against its skeleton.

use super::amc_reader::Reader;
use super::angle_unit::AngleUnit;
use super::asf::AsfDocument;
use super::lex::{self, TextCodes, hint_of_comment};
use crate::diagnostic::Diagnostic;
use crate::options::{Mode, NanRepair, ReadOptions};

/// A parsed AMC file: its bytes, where each frame starts, and the values as they stand there.
#[derive(Clone, Debug)]
pub struct AmcDocument {
    bytes: Vec<u8>,
    /// Offset of each frame's number.
    frame_offsets: Vec<usize>,
    ids: Vec<i64>,
    channels: usize,
    values: Vec<f64>,
    angle: AngleUnit,
    asf_path_hint: Option<String>,
    samples_per_second: Option<f64>,
    /// Bones of the first frame in file order, as canonical files list them.
    bone_order: Vec<usize>,
    /// Some frame leaves a bone out.
    sparse: bool,
    /// Values that were not numbers in the file: (frame, column), sorted.
    repaired: Vec<(usize, usize)>,
}

const TEXT_CODES: TextCodes =
    TextCodes { empty: "AMC-E001", too_large: "AMC-E002", not_text: "AMC-E003", byte_order_mark: "AMC-N003" };

impl AmcDocument {
    /// Reads a motion of the given skeleton; what was tolerated is added to `notes`.
    pub fn parse(
        bytes: Vec<u8>,
        asf: &AsfDocument,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<AmcDocument, Box<Diagnostic>> {
        let start = lex::text_start(&bytes, &options.limits, &TEXT_CODES, notes)?;
        let mut reader = Reader::new(&bytes, start, asf, options);
        let outcome = reader.read(notes);
        let mut cut_at = None;
        if let Err(error) = outcome {
            if options.mode != Mode::Salvage {
                return Err(error);
            }
            cut_at = Some(reader.drop_from_damage(&error, notes));
            if reader.ids.is_empty() {
                return Err(error);
            }
        }
        reader.finish(notes)?;
        let Reader { frame_offsets, ids, values, angle, asf_path_hint, samples_per_second, .. } = reader;
        let (bone_order, sparse, not_numbers) = (reader.first_order, reader.sparse, reader.not_numbers);
        let mut document = AmcDocument {
            channels: asf.channel_count(),
            frame_offsets,
            ids,
            values,
            angle: angle.unwrap_or(asf.angle_unit()),
            asf_path_hint,
            samples_per_second,
            bone_order,
            sparse,
            repaired: not_numbers,
            bytes: Vec::new(),
        };
        document.bytes = bytes;
        if let Some(cut_at) = cut_at {
            document.bytes.truncate(cut_at);
        }
        document.repair(options.repair_nan, notes);
        Ok(document)
    }

    /// The file as it was read (up to the damage, if it was salvaged).
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.ids.len()
    }

    /// The frame numbers of the file, whatever they are.
    pub fn frame_ids(&self) -> &[i64] {
        &self.ids
    }

    /// What the angles of this file are measured in.
    pub fn angle_unit(&self) -> AngleUnit {
        self.angle
    }

    /// The path in a `#!OML:ASF` comment: the skeleton this motion was made with.
    pub fn asf_path_hint(&self) -> Option<&str> {
        self.asf_path_hint.as_deref()
    }

    /// Some files state a rate (`:SAMPLES-PER-SECOND`); the format does not ask for it.
    pub fn samples_per_second(&self) -> Option<f64> {
        self.samples_per_second
    }

    /// The values of one frame as they stand in the file, at each bone's [`super::Bone::columns`].
    pub fn frame(&self, frame: usize) -> &[f64] {
        &self.values[frame * self.channels..(frame + 1) * self.channels]
    }

    /// Bytes before the number of a frame.
    pub fn frame_offset(&self, frame: usize) -> Option<usize> {
        self.frame_offsets.get(frame).copied()
    }

    /// Bones of the first frame in file order, by index into [`AsfDocument::bones`].
    pub fn bone_order(&self) -> &[usize] {
        &self.bone_order
    }

    /// Whether some frame leaves a bone out and so holds its last values.
    pub fn is_sparse(&self) -> bool {
        self.sparse
    }

    /// Values of a frame that were not numbers in the file.
    pub(super) fn repaired_in(&self, frame: usize) -> &[(usize, usize)] {
        let start = self.repaired.partition_point(|&(at, _)| at < frame);
        let end = self.repaired.partition_point(|&(at, _)| at <= frame);
        &self.repaired[start..end]
    }

    /// Fills what was not a number; the reader let it pass only because this was asked for.
    fn repair(&mut self, repair: Option<NanRepair>, notes: &mut Vec<Diagnostic>) {
        let Some(repair) = repair.filter(|_| !self.repaired.is_empty()) else { return };
        let frames = self.frame_count();
        let mut columns: Vec<usize> = self.repaired.iter().map(|&(_, column)| column).collect();
        columns.sort_unstable();
        columns.dedup();
        for column in columns {
            let mut curve: Vec<f64> = (0..frames).map(|frame| self.values[frame * self.channels + column]).collect();
            fill(&mut curve, repair);
            for (frame, value) in curve.into_iter().enumerate() {
                self.values[frame * self.channels + column] = value;
            }
        }
        let found = format!("{} values that are not numbers were filled", self.repaired.len());
        notes.push(Diagnostic::warning("AMC-W014", "", found));
    }
}

/// The comment that names the skeleton, if there is one: readable without the skeleton.
pub fn asf_path_hint(amc_bytes: &[u8]) -> Option<String> {
    header_lines(amc_bytes).filter_map(hint_of_comment).next()
}

/// What stands before the first frame.
fn header_lines(amc_bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = amc_bytes.split(|&byte| lex::is_line_end(byte)).map(<[u8]>::trim_ascii);
    lines.take_while(|line| line.is_empty() || line.starts_with(b"#") || line.starts_with(b":"))
}

/// AMC files store no rate; CMU's are 120 Hz but for some subjects.
pub(crate) const AMC_DEFAULT_HZ: f64 = 120.0;

/// Whether who reads an AMC without a rate takes the right one.
pub(crate) fn is_amc_default(hz: f64) -> bool {
    (hz / AMC_DEFAULT_HZ - 1.0).abs() < 1e-4
}

/// The rate that readers take for an AMC file: what its header states, else 120 Hz.
pub fn amc_rate_hz(amc_bytes: &[u8]) -> f64 {
    let stated = header_lines(amc_bytes).filter_map(|line| {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let is_rate = lex::is_keyword(words.next()?, ":samples-per-second");
        let rate: f64 = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
        (is_rate && rate.is_finite() && rate > 0.0).then_some(rate)
    });
    stated.last().unwrap_or(AMC_DEFAULT_HZ)
}

/// Fills NaN in one curve; all NaN becomes 0.
fn fill(curve: &mut [f64], repair: NanRepair) {
    let mut frame = 0;
    while frame < curve.len() {
        if !curve[frame].is_nan() {
            frame += 1;
            continue;
        }
        let end = (frame..curve.len()).find(|&later| !curve[later].is_nan()).unwrap_or(curve.len());
        let before = frame.checked_sub(1).map(|last| curve[last]);
        let after = curve.get(end).copied();
        let steps = (end - frame + 1) as f64;
        for (step, value) in curve[frame..end].iter_mut().enumerate() {
            *value = match (before, after, repair) {
                (Some(before), Some(after), NanRepair::Interpolate) => {
                    before + (after - before) * ((step + 1) as f64 / steps)
                }
                (Some(before), ..) => before,
                (None, after, _) => after.unwrap_or(0.0),
            };
        }
        frame = end;
    }
}
