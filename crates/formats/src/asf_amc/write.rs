//! Motion back to AMC: only the words of values that changed are replaced.

use super::AsfAmcDocument;
use super::angle_unit::AngleUnit;
use super::bone::Dof;
use super::decimal::{format_angle, format_exact, format_full, format_length, significant_digits};
use super::lex::{self, Lexer};
use super::solve::Solver;
use crate::diagnostic::Diagnostic;
use crate::options::WriteOptions;
use aplomb_motion::{Clip, FrameOfReference, Timeline};

impl AsfAmcDocument {
    /// The AMC file of an edited clip. `frame` is the one the clip was made with.
    ///
    /// Unedited clips give back the very bytes; an edited value changes its own word and nothing else. With another
    /// number of frames, in canonical mode, or when an edited file leaves bones out of frames, the motion is written
    /// anew under the same header and in the same order of bones. Losses are warnings in `notes`.
    pub fn write(
        &self,
        clip: &Clip,
        frame: FrameOfReference,
        options: &WriteOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.refuse_other_skeleton(clip, frame)?;
        if let Timeline::Keyed(_) = clip.timeline() {
            let found = "key times of their own; frames are written as if evenly spaced";
            notes.push(Diagnostic::warning("AMC-W015", "frames at an even rate", found));
        }
        let mut solver = Solver::new(self, clip, frame);
        let same_frames = clip.frame_count() == self.amc.frame_count();
        let mut bytes = None;
        if same_frames && !options.canonical {
            bytes = self.patched(clip, &mut solver, options)?;
        }
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => {
                if !options.canonical {
                    let why = if same_frames { "frames that leave bones out" } else { "another number of frames" };
                    notes.push(Diagnostic::note("AMC-N001", "", format!("written anew because of {why}")));
                }
                solver = Solver::new(self, clip, frame);
                self.canonical(clip, &mut solver, options)?
            }
        };
        solver.report(clip, notes);
        Ok(bytes)
    }

    /// AMC holds neither lengths nor the tree: those must be the skeleton file's.
    pub(crate) fn refuse_other_skeleton(&self, clip: &Clip, frame: FrameOfReference) -> Result<(), Box<Diagnostic>> {
        let other = |found: String| {
            let error = Diagnostic::error("AMC-E012", "the skeleton of the ASF file", found);
            Box::new(error.hint("write a new pair of ASF and AMC files instead"))
        };
        let own = self.skeleton(frame).map_err(|error| other(error.to_string()))?;
        let theirs = clip.skeleton();
        if own.len() != theirs.len() {
            return Err(other(format!("{} joints instead of {}", theirs.len(), own.len())));
        }
        for (own, theirs) in own.joints().iter().zip(theirs.joints()) {
            if own.name != theirs.name || own.parent != theirs.parent {
                return Err(other(format!("joint {:?} where {:?} should be", theirs.name, own.name)));
            }
            // Rounding of a change of unit and back; a real change of length is far larger.
            if (own.offset_m - theirs.offset_m).length() > 1e-9 * (1.0 + own.offset_m.length()) {
                return Err(other(format!("joint {:?} at another offset from its parent", theirs.name)));
            }
        }
        Ok(())
    }

    /// The source with changed words replaced; `None` if a changed value has no word to replace.
    fn patched(
        &self,
        clip: &Clip,
        solver: &mut Solver,
        options: &WriteOptions,
    ) -> Result<Option<Vec<u8>>, Box<Diagnostic>> {
        let source = self.amc.bytes();
        let numbers = NewNumbers::new(self, options);
        let mut output = Vec::with_capacity(source.len());
        let mut copied = 0;
        let mut previous: Option<Vec<f64>> = None;
        for frame in clip.frames() {
            let before = self.amc.frame(frame.0);
            let mut row = before.to_vec();
            solver.solve(clip, frame, previous.as_deref(), &mut row)?;
            let row = &*previous.insert(row);
            let repaired = self.amc.repaired_in(frame.0);
            if bits_equal(row, before) && repaired.is_empty() {
                continue;
            }
            // A frame that holds the values of an edited one would change with it.
            if self.amc.is_sparse() {
                return Ok(None);
            }
            let start = self.amc.frame_offset(frame.0).unwrap_or(source.len());
            let end = self.amc.frame_offset(frame.0 + 1).unwrap_or(source.len());
            for (column, offset, word) in self.words(start, end) {
                let is_repaired = repaired.iter().any(|&(_, repaired)| repaired == column);
                let value = row[column];
                if value.to_bits() == before[column].to_bits() && !is_repaired {
                    continue;
                }
                let text = numbers.text(column, value, significant_digits(word));
                // An edit too small for the digits of the file changes nothing.
                if same_number(text.as_bytes(), word) && !is_repaired {
                    continue;
                }
                output.extend_from_slice(&source[copied..offset]);
                output.extend_from_slice(text.as_bytes());
                copied = offset + word.len();
            }
        }
        output.extend_from_slice(&source[copied..]);
        Ok(Some(output))
    }

    /// The values of one frame in the source: column, offset and text of each.
    fn words(&self, start: usize, end: usize) -> impl Iterator<Item = (usize, usize, &[u8])> {
        let source = &self.amc.bytes()[..end];
        // None outside the rows of bones: in keywords that stray between frames.
        let mut column = None;
        let words = Lexer::new(source, start).skip(1);
        words.filter_map(move |token| {
            if token.starts_line {
                column = self.asf.find(token.text).map(|(bone, _)| self.asf.bones()[bone].columns.start);
                return None;
            }
            let this = column?;
            column = Some(this + 1);
            Some((this, token.offset, token.text))
        })
    }

    /// The same header and order of bones, every bone in every frame.
    fn canonical(&self, clip: &Clip, solver: &mut Solver, options: &WriteOptions) -> Result<Vec<u8>, Box<Diagnostic>> {
        let source = self.amc.bytes();
        let numbers = NewNumbers::new(self, options);
        let header_end = self.amc.frame_offset(0).unwrap_or(source.len());
        let line_end = line_end(source);
        let same_frames = clip.frame_count() == self.amc.frame_count();
        let bones = self.asf.bones();
        let order = self.canonical_order();
        let mut output = source[..header_end].to_vec();
        let first_id = self.amc.frame_ids().first().copied().unwrap_or(1);
        // Frames that the source has not follow one another, so each is solved near the one before it.
        let mut row = self.amc.frame(solver.first_source_frame()).to_vec();
        let mut previous: Option<Vec<f64>> = None;
        for frame in clip.frames() {
            let source = solver.source_frame(frame).map(|source| self.amc.frame(source));
            if let Some(source) = source {
                row.copy_from_slice(source);
            }
            solver.solve(clip, frame, previous.as_deref(), &mut row)?;
            match &mut previous {
                Some(previous) => previous.copy_from_slice(&row),
                None => previous = Some(row.clone()),
            }
            let id = match same_frames {
                true => self.amc.frame_ids()[frame.0],
                false => first_id.saturating_add(frame.0 as i64),
            };
            output.extend_from_slice(id.to_string().as_bytes());
            output.extend_from_slice(line_end);
            for &bone in &order {
                output.extend_from_slice(&bones[bone].raw_name);
                for column in bones[bone].columns.clone() {
                    let is_source = source.is_some_and(|source| source[column].to_bits() == row[column].to_bits());
                    let text = match is_source {
                        true => format_exact(row[column]),
                        false => numbers.text(column, row[column], 0),
                    };
                    output.push(b' ');
                    output.extend_from_slice(text.as_bytes());
                }
                output.extend_from_slice(line_end);
            }
        }
        Ok(output)
    }

    /// Bones as the first frame lists them, then those it leaves out.
    fn canonical_order(&self) -> Vec<usize> {
        let bones = self.asf.bones();
        let mut order: Vec<usize> = self.amc.bone_order().to_vec();
        let mut listed = vec![false; bones.len()];
        order.iter().for_each(|&bone| listed[bone] = true);
        order.extend((0..bones.len()).filter(|&bone| !listed[bone]));
        order.retain(|&bone| !bones[bone].dof.is_empty());
        order
    }
}

/// How values that the source does not have are printed.
struct NewNumbers {
    /// One a column.
    dof: Vec<Dof>,
    angle: AngleUnit,
    full_precision: bool,
}

impl NewNumbers {
    fn new(document: &AsfAmcDocument, options: &WriteOptions) -> Self {
        let mut dof = vec![Dof::Length; document.asf.channel_count()];
        for bone in document.asf.bones() {
            for (column, &of_bone) in bone.columns.clone().zip(&bone.dof) {
                dof[column] = of_bone;
            }
        }
        Self { dof, angle: document.amc.angle_unit(), full_precision: options.full_precision }
    }

    fn text(&self, column: usize, value: f64, word_digits: usize) -> String {
        match self.dof[column] {
            _ if self.full_precision => format_full(value),
            Dof::Rotation(_) => format_angle(value, self.angle, word_digits),
            _ => format_length(value, word_digits),
        }
    }
}

fn same_number(a: &[u8], b: &[u8]) -> bool {
    lex::number(a, usize::MAX) == lex::number(b, usize::MAX)
}

fn bits_equal(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// The file's own line end.
fn line_end(source: &[u8]) -> &'static [u8] {
    match source.iter().position(|&byte| lex::is_line_end(byte)) {
        Some(at) if source[at] == b'\n' => b"\n",
        Some(at) if source.get(at + 1) == Some(&b'\n') => b"\r\n",
        Some(_) => b"\r",
        None => b"\n",
    }
}
