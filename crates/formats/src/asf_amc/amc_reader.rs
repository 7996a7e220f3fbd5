//! Row by row through an AMC file: frame numbers, bones and values, checked against the skeleton.

use super::angle_unit::AngleUnit;
use super::asf::AsfDocument;
use super::lex::{self, Number, hint_of_comment};
use crate::diagnostic::{Diagnostic, shown};
use crate::number;
use crate::options::{Mode, ReadOptions};

/// Reads rows one by one; `AmcDocument::parse` takes the result apart.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    row_start: usize,
    asf: &'a AsfDocument,
    options: &'a ReadOptions,
    pub frame_offsets: Vec<usize>,
    pub ids: Vec<i64>,
    pub values: Vec<f64>,
    pub angle: Option<AngleUnit>,
    fully_specified: bool,
    pub asf_path_hint: Option<String>,
    pub samples_per_second: Option<f64>,
    pub not_numbers: Vec<(usize, usize)>,
    pub first_order: Vec<usize>,
    /// Bones of the current frame in file order; the next frame is expected to repeat it.
    order: Vec<usize>,
    previous_order: Vec<usize>,
    /// Number of the last frame (from 1) that held each bone.
    last_seen: Vec<usize>,
    animated: usize,
    pub sparse: bool,
    /// First frame that left the bone out.
    first_omission: Vec<Option<usize>>,
    omitted_in_last: usize,
    irregular_id: Option<usize>,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], start: usize, asf: &'a AsfDocument, options: &'a ReadOptions) -> Self {
        Self {
            bytes,
            at: start,
            row_start: start,
            asf,
            options,
            frame_offsets: Vec::new(),
            ids: Vec::new(),
            values: Vec::new(),
            angle: None,
            fully_specified: false,
            asf_path_hint: None,
            samples_per_second: None,
            not_numbers: Vec::new(),
            first_order: Vec::new(),
            order: Vec::new(),
            previous_order: Vec::new(),
            last_seen: vec![0; asf.bones().len()],
            animated: asf.bones().iter().filter(|bone| !bone.dof.is_empty()).count(),
            sparse: false,
            first_omission: vec![None; asf.bones().len()],
            omitted_in_last: 0,
            irregular_id: None,
        }
    }

    pub fn read(&mut self, notes: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        while let Some(byte) = self.next_on_line_or_after() {
            match byte {
                b'#' => self.comment(),
                b':' => self.keyword(notes)?,
                _ => self.row(notes)?,
            }
        }
        self.end_frame();
        Ok(())
    }

    /// Skips blanks and line ends.
    #[inline]
    fn next_on_line_or_after(&mut self) -> Option<u8> {
        loop {
            let &byte = self.bytes.get(self.at)?;
            if !lex::is_blank(byte) && !lex::is_line_end(byte) {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Skips blanks; `None` at the end of the line, comments included.
    #[inline]
    fn next_on_line(&mut self) -> Option<u8> {
        loop {
            let &byte = self.bytes.get(self.at)?;
            if lex::is_line_end(byte) || byte == b'#' {
                return None;
            }
            if !lex::is_blank(byte) {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    #[inline]
    fn word(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| lex::ends_word(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn line_rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| lex::is_line_end(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn comment(&mut self) {
        let line = self.line_rest();
        if self.asf_path_hint.is_none() {
            self.asf_path_hint = hint_of_comment(line);
        }
    }

    fn keyword(&mut self, notes: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        let offset = self.at;
        let word = self.word();
        let mode = self.options.mode;
        let angle = match () {
            () if lex::is_keyword(word, ":degrees") => Some(AngleUnit::Degrees),
            () if lex::is_keyword(word, ":radians") => Some(AngleUnit::Radians),
            () => None,
        };
        if !self.ids.is_empty() {
            // The frames before it were read without it; switching units in the middle would be a wilder guess.
            let found = format!("{} after the first frame; it is ignored", shown(word));
            let found = Diagnostic::warning("AMC-W004", "keywords before the first frame", found);
            lex::tolerate(mode, found, self.bytes, offset, notes)?;
            if angle.is_none() {
                self.line_rest();
            }
        } else if angle.is_some() {
            self.angle = angle;
        } else if lex::is_keyword(word, ":fully-specified") {
            self.fully_specified = true;
        } else if lex::is_keyword(word, ":samples-per-second") {
            let value = self.next_on_line().map(|_| lex::number(self.word(), self.options.limits.token_bytes));
            if let Some(Number::Finite(rate)) = value {
                self.samples_per_second = Some(rate);
            }
        } else {
            let found = Diagnostic::warning("AMC-W009", "a known keyword", shown(word));
            lex::tolerate(mode, found, self.bytes, offset, notes)?;
            self.line_rest();
        }
        Ok(())
    }

    /// A frame number, or a bone and its values.
    fn row(&mut self, notes: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        let start = self.at;
        self.row_start = start;
        if let Some(bone) = self.expected_bone() {
            return self.values(bone, start);
        }
        let word = self.word();
        if let Some(id) = self.frame_id(word, start)? {
            return self.begin_frame(id, start, notes);
        }
        let Some((bone, exact)) = self.asf.find(word) else {
            let found = Diagnostic::error("AMC-E005", "a bone of the skeleton or a frame number", shown(word));
            return Err(self.mismatch(found, start));
        };
        if !exact {
            let found = format!("{} for {}", shown(word), shown(&self.asf.bones()[bone].raw_name));
            let found = Diagnostic::warning("AMC-W008", "bone names spelled as in the ASF file", found);
            lex::tolerate(self.options.mode, found, self.bytes, start, notes)?;
        }
        self.values(bone, start)
    }

    /// Frames list their bones in the same order, so one comparison usually saves the look-up.
    #[inline]
    fn expected_bone(&mut self) -> Option<usize> {
        let &bone = self.previous_order.get(self.order.len())?;
        let name = &self.asf.bones()[bone].raw_name;
        let rest = &self.bytes[self.at..];
        let found = rest.starts_with(name) && rest.get(name.len()).is_some_and(|&byte| lex::is_blank(byte));
        if found {
            self.at += name.len();
        }
        found.then_some(bone)
    }

    fn frame_id(&mut self, word: &[u8], start: usize) -> Result<Option<i64>, Box<Diagnostic>> {
        let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
        let is_integer = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        if !is_integer || self.next_on_line().is_some() {
            return Ok(None);
        }
        let id = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        id.map(Some).ok_or_else(|| {
            let expected = "a frame number of 64 bits";
            Box::new(Diagnostic::error("AMC-E009", expected, shown(word)).at(self.bytes, start))
        })
    }

    fn begin_frame(&mut self, id: i64, start: usize, notes: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        self.end_frame();
        if self.ids.is_empty() && self.angle.is_none() {
            let unit = match self.asf.angle_unit() {
                AngleUnit::Degrees => "degrees",
                AngleUnit::Radians => "radians",
            };
            let found = format!("none; {unit} are taken from the ASF file");
            let found = Diagnostic::warning("AMC-W003", "`:DEGREES` or `:RADIANS` before the first frame", found);
            lex::tolerate(self.options.mode, found, self.bytes, start, notes)?;
        }
        if let Some(&previous) = self.ids.last()
            && previous.checked_add(1) != Some(id)
            && self.irregular_id.is_none()
        {
            self.irregular_id = Some(self.ids.len());
        }
        // A frame that names no bone costs as much as a full one: files of nothing but frame numbers are stopped here.
        let channels = self.asf.channel_count();
        let room = 2 * self.bytes.len() + (4 << 20);
        if self.values.len() + channels > room {
            let found =
                format!("more than {} frames of {channels} values in {} bytes", self.ids.len(), self.bytes.len());
            let expected = "frames that name their bones";
            return Err(Box::new(Diagnostic::error("AMC-E010", expected, found).at(self.bytes, start)));
        }
        match self.values.len().checked_sub(channels) {
            Some(last) => self.values.extend_from_within(last..),
            None => self.values.resize(channels, 0.0),
        }
        self.ids.push(id);
        self.frame_offsets.push(start);
        Ok(())
    }

    fn values(&mut self, bone: usize, start: usize) -> Result<(), Box<Diagnostic>> {
        let frame = self.ids.len();
        if frame == 0 {
            let found = Diagnostic::error("AMC-E004", "a frame number before the first bone", self.bone_name(bone));
            return Err(Box::new(found.at(self.bytes, start)));
        }
        let asf = self.asf;
        let wanted = &asf.bones()[bone];
        if self.last_seen[bone] == frame {
            let found = format!("{} twice in frame {}", self.bone_name(bone), self.ids[frame - 1]);
            let found = Diagnostic::error("AMC-E008", "each bone once a frame", found);
            return Err(Box::new(found.at(self.bytes, start)));
        }
        self.last_seen[bone] = frame;
        let first = (frame - 1) * asf.channel_count();
        for column in wanted.columns.clone() {
            if self.next_on_line().is_none() {
                return Err(self.wrong_count(bone, column - wanted.columns.start, start));
            }
            let offset = self.at;
            // Nearly every value is a plain decimal, read eight digits at a time.
            if let Some(plain) = number::plain_decimal::<b'.'>(self.bytes, offset)
                && self.bytes.get(plain.end).is_some_and(|&byte| lex::ends_word(byte))
            {
                self.values[first + column] = plain.value;
                self.at = plain.end;
                continue;
            }
            let word = self.word();
            self.values[first + column] = match lex::number(word, self.options.limits.token_bytes) {
                Number::Finite(value) => value,
                Number::NotFinite if self.options.repair_nan.is_some() => {
                    self.not_numbers.push((frame - 1, column));
                    f64::NAN
                }
                _ => return Err(self.bad_number(word, bone, column, offset)),
            };
        }
        match self.next_on_line() {
            None => {
                self.order.push(bone);
                Ok(())
            }
            Some(_) => {
                let mut count = wanted.dof.len();
                while self.next_on_line().is_some() {
                    self.word();
                    count += 1;
                }
                Err(self.wrong_count(bone, count, start))
            }
        }
    }

    fn wrong_count(&self, bone: usize, count: usize, start: usize) -> Box<Diagnostic> {
        let expected = format!("{} values for {}", self.asf.bones()[bone].dof.len(), self.bone_name(bone));
        let found = format!("{count} in frame {}", self.ids.last().copied().unwrap_or(0));
        self.mismatch(Diagnostic::error("AMC-E006", expected, found), start)
    }

    fn bad_number(&self, word: &[u8], bone: usize, column: usize, offset: usize) -> Box<Diagnostic> {
        let bone = &self.asf.bones()[bone];
        let dof = bone.dof.get(column - bone.columns.start).map_or("", |dof| dof.token());
        let frame = self.ids.last().copied().unwrap_or(0);
        let expected = format!("a finite number for {dof} of {} in frame {frame}", shown(&bone.raw_name));
        let error = Diagnostic::error("AMC-E007", expected, shown(word)).at(self.bytes, offset);
        Box::new(match lex::number(word, self.options.limits.token_bytes) {
            Number::NotFinite => error.hint("{repair-nan} fills it from the frames around it"),
            _ => error,
        })
    }

    /// Unknown bones and other counts mean a wrong skeleton more often than a damaged motion.
    fn mismatch(&self, error: Diagnostic, start: usize) -> Box<Diagnostic> {
        let hint = match &self.asf_path_hint {
            Some(path) => format!("is this the right ASF file? The motion was made with {}", shown(path.as_bytes())),
            None => "is this the right ASF file?".to_owned(),
        };
        Box::new(error.at(self.bytes, start).hint(hint))
    }

    fn bone_name(&self, bone: usize) -> String {
        shown(&self.asf.bones()[bone].raw_name)
    }

    fn end_frame(&mut self) {
        let frame = self.ids.len();
        if frame == 0 {
            return;
        }
        if frame == 1 {
            self.first_order.clone_from(&self.order);
        }
        // Bones without degrees of freedom may be listed; they hold nothing and are not counted.
        let bones = self.asf.bones();
        let listed = self.order.iter().filter(|&&bone| !bones[bone].dof.is_empty()).count();
        self.omitted_in_last = self.animated - listed;
        if self.omitted_in_last > 0 {
            self.sparse = true;
            for (bone, seen) in self.last_seen.iter().enumerate() {
                if *seen != frame && !bones[bone].dof.is_empty() {
                    self.first_omission[bone].get_or_insert(frame - 1);
                }
            }
        }
        std::mem::swap(&mut self.previous_order, &mut self.order);
        self.order.clear();
    }

    /// Forgets the frame that an error cut short; gives the offset where the good part ends.
    pub fn drop_from_damage(&mut self, error: &Diagnostic, notes: &mut Vec<Diagnostic>) -> usize {
        // The row at fault may follow a frame that is whole.
        let bones = self.asf.bones();
        let is_whole = self.order.iter().filter(|&&bone| !bones[bone].dof.is_empty()).count() == self.animated;
        let good_end = match is_whole {
            true => {
                self.end_frame();
                self.row_start
            }
            false => {
                self.ids.pop();
                self.frame_offsets.pop().unwrap_or(self.row_start)
            }
        };
        self.values.truncate(self.ids.len() * self.asf.channel_count());
        self.not_numbers.retain(|&(frame, _)| frame < self.ids.len());
        self.omitted_in_last = 0;
        let found = format!("{} whole frames were kept, the rest is damaged: {}", self.ids.len(), error.finding());
        notes.push(Diagnostic::warning("AMC-W010", "", found).at(self.bytes, good_end));
        good_end
    }

    pub fn finish(&mut self, notes: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        let mode = self.options.mode;
        let (Some(&first_id), Some(&first_offset)) = (self.ids.first(), self.frame_offsets.first()) else {
            let found = Diagnostic::error("AMC-E011", "at least one frame", "none").at(self.bytes, self.bytes.len());
            return Err(Box::new(found));
        };
        if first_id != 1 {
            let found = format!("{first_id}; the numbers are kept");
            let found = Diagnostic::warning("AMC-W001", "frame numbers from 1 on", found);
            lex::tolerate(mode, found, self.bytes, first_offset, notes)?;
        }
        if let Some(frame) = self.irregular_id.filter(|&frame| frame < self.ids.len()) {
            let found = format!("{} after {}; frames are taken in file order", self.ids[frame], self.ids[frame - 1]);
            let found = Diagnostic::warning("AMC-W002", "frame numbers that rise by one", found);
            lex::tolerate(mode, found, self.bytes, self.frame_offsets[frame], notes)?;
        }
        self.report_omissions(notes)
    }

    fn report_omissions(&mut self, notes: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        let last = self.ids.len() - 1;
        for bone in 0..self.first_omission.len() {
            let Some(frame) = self.first_omission[bone].filter(|&frame| frame <= last) else { continue };
            let (name, id) = (self.bone_name(bone), self.ids[frame]);
            let found = match self.last_seen[bone] {
                0 => format!("{name} in no frame; its values are 0"),
                _ => format!("no {name} in frame {id}; its last values are held (0 before the first)"),
            };
            let found = Diagnostic::warning("AMC-W005", "every bone in every frame", found);
            let mode = if self.fully_specified { self.options.mode } else { Mode::Tolerant };
            lex::tolerate(mode, found, self.bytes, self.frame_offsets[frame], notes)?;
        }
        let only_the_last = self.first_omission.iter().flatten().all(|&frame| frame == last);
        if self.omitted_in_last > 0 && last > 0 && only_the_last {
            let found = format!("{} bones missing in the last frame only: is the file cut?", self.omitted_in_last);
            lex::remark(Diagnostic::warning("AMC-W006", "", found), self.bytes, self.frame_offsets[last], notes);
        }
        Ok(())
    }
}
