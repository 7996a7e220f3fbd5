//! The parameter section: groups of named arrays (C3D.org user guide, "The Parameter Section").
//!
//! Records follow each other by offsets; every record must begin after the one before, so that no file makes the walk
//! go on for ever.

use crate::diagnostic::{Diagnostic, shown};
use std::collections::HashMap;

/// Byte order and floating point format of the machine that wrote the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// Little-endian, IEEE (84).
    Intel,
    /// Little-endian, VAX floating point (85).
    Dec,
    /// Big-endian, IEEE (86).
    Mips,
}

impl Processor {
    /// By the number in the file.
    pub(super) fn from_code(code: u8) -> Option<Self> {
        match code {
            84 => Some(Self::Intel),
            85 => Some(Self::Dec),
            86 => Some(Self::Mips),
            _ => None,
        }
    }

    pub(super) fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Intel | Self::Dec => u16::from_le_bytes(bytes),
            Self::Mips => u16::from_be_bytes(bytes),
        }
    }

    pub(super) fn f32(self, bytes: [u8; 4]) -> f64 {
        match self {
            Self::Intel => f64::from(f32::from_le_bytes(bytes)),
            Self::Mips => f64::from(f32::from_be_bytes(bytes)),
            Self::Dec => vax(bytes),
        }
    }
}

/// VAX F_floating: 16-bit words in turn, (−1)^s · 0.1f₂ · 2^(e−128); an exponent of zero is zero.
fn vax([b0, b1, b2, b3]: [u8; 4]) -> f64 {
    let bits = u32::from_be_bytes([b1, b0, b3, b2]);
    let exponent = i32::try_from((bits >> 23) & 0xff).unwrap_or(0);
    if exponent == 0 {
        return 0.0;
    }
    let fraction = 1.0 + f64::from(bits & 0x7f_ffff) / f64::from(1u32 << 23);
    let sign = if bits >> 31 == 1 { -1.0 } else { 1.0 };
    sign * fraction * 2f64.powi(exponent - 129)
}

/// What a parameter holds, flattened, first index fastest.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(Vec<String>),
    Numbers(Vec<f64>),
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub dimensions: Vec<usize>,
    pub value: Value,
}

/// All parameters by group and name, in capitals.
pub(super) struct Parameters {
    pub processor: Processor,
    map: HashMap<(String, String), Parameter>,
}

impl Parameters {
    pub fn get(&self, group: &str, name: &str) -> Option<&Parameter> {
        self.map.get(&(group.to_owned(), name.to_owned()))
    }

    pub fn numbers(&self, group: &str, name: &str) -> Option<&[f64]> {
        match &self.get(group, name)?.value {
            Value::Numbers(numbers) => Some(numbers),
            Value::Text(_) => None,
        }
    }

    pub fn number(&self, group: &str, name: &str) -> Option<f64> {
        self.numbers(group, name)?.first().copied()
    }

    pub fn texts(&self, group: &str, name: &str) -> &[String] {
        match self.get(group, name).map(|parameter| &parameter.value) {
            Some(Value::Text(texts)) => texts,
            _ => &[],
        }
    }

    /// `LABELS`, `LABELS2`, `LABELS3` … one after the other: one parameter holds 255 at most.
    pub fn all_texts(&self, group: &str, name: &str) -> Vec<String> {
        let mut all = self.texts(group, name).to_vec();
        for number in 2..=999 {
            let more = self.texts(group, &format!("{name}{number}"));
            if more.is_empty() {
                break;
            }
            all.extend_from_slice(more);
        }
        all
    }

    /// The same for numbers.
    pub fn all_numbers(&self, group: &str, name: &str) -> Vec<f64> {
        let mut all = self.numbers(group, name).unwrap_or_default().to_vec();
        for number in 2..=999 {
            match self.numbers(group, &format!("{name}{number}")) {
                Some(more) if !more.is_empty() => all.extend_from_slice(more),
                _ => break,
            }
        }
        all
    }
}

/// The section that starts at `start`.
pub(super) fn parse(bytes: &[u8], start: usize, notes: &mut Vec<Diagnostic>) -> Result<Parameters, Box<Diagnostic>> {
    let head = bytes.get(start..).and_then(|rest| rest.first_chunk::<4>()).ok_or_else(|| {
        let expected = format!("parameters at byte {start}");
        Box::new(Diagnostic::error("C3D-E003", expected, format!("a file of {} bytes", bytes.len())))
    })?;
    let processor = Processor::from_code(head[3]).ok_or_else(|| {
        Box::new(Diagnostic::error("C3D-E003", "processor 84 (Intel), 85 (DEC) or 86 (MIPS)", head[3].to_string()))
    })?;
    let mut groups: HashMap<i8, String> = HashMap::new();
    let mut found: Vec<(i8, String, Parameter)> = Vec::new();
    let mut at = start + 4;
    while let Some(record) = Record::read(bytes, at, processor)? {
        if record.id < 0 {
            groups.entry(record.id.saturating_neg()).or_insert(record.name);
        } else {
            let parameter = parameter(bytes, record.contents, processor, &record.name)?;
            found.push((record.id, record.name, parameter));
        }
        match record.next {
            Some(next) => at = next,
            None => break,
        }
    }
    let mut map = HashMap::new();
    for (id, name, parameter) in found {
        // A parameter may stand before its group; one without a group belongs to nothing.
        let Some(group) = groups.get(&id) else { continue };
        if let std::collections::hash_map::Entry::Vacant(slot) = map.entry((group.clone(), name.clone())) {
            slot.insert(parameter);
        } else {
            let found = format!("{} twice", shown(format!("{group}:{name}").as_bytes()));
            notes.push(Diagnostic::warning("C3D-W001", "", found));
        }
    }
    Ok(Parameters { processor, map })
}

struct Record {
    id: i8,
    name: String,
    /// Where its contents begin.
    contents: usize,
    /// Where the next begins; `None` for the last.
    next: Option<usize>,
}

impl Record {
    /// `None` at the end of the section.
    fn read(bytes: &[u8], at: usize, processor: Processor) -> Result<Option<Self>, Box<Diagnostic>> {
        let Some([length, id]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<2>()).copied() else {
            return Ok(None);
        };
        // Negative lengths mark what users may not change.
        let (length, id) = (usize::from(length.cast_signed().unsigned_abs()), id.cast_signed());
        if length == 0 || id == 0 {
            return Ok(None);
        }
        let cut =
            || Box::new(Diagnostic::error("C3D-E004", format!("a parameter at byte {at}"), "the end of the file"));
        let name = bytes.get(at + 2..at + 2 + length).ok_or_else(cut)?;
        let word = at + 2 + length;
        let offset = bytes.get(word..).and_then(|rest| rest.first_chunk::<2>()).ok_or_else(cut)?;
        let offset = usize::from(processor.u16(*offset));
        let name = String::from_utf8_lossy(name).trim().to_ascii_uppercase();
        // Counted from the word itself: always ahead, so that the walk ends.
        let next = (offset > 0).then_some(word + offset);
        Ok(Some(Self { id, name, contents: word + 2, next }))
    }
}

fn parameter(bytes: &[u8], at: usize, processor: Processor, name: &str) -> Result<Parameter, Box<Diagnostic>> {
    let fault = |found: String| {
        let expected = format!("parameter {} to lie in the file", shown(name.as_bytes()));
        Box::new(Diagnostic::error("C3D-E004", expected, found))
    };
    let [kind, rank] = *bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk::<2>())
        .ok_or_else(|| fault("the end of the file".to_owned()))?;
    let rank = usize::from(rank);
    if rank > 7 {
        return Err(fault(format!("{rank} dimensions")));
    }
    let dimensions = bytes.get(at + 2..at + 2 + rank).ok_or_else(|| fault("the end of the file".to_owned()))?;
    let dimensions: Vec<usize> = dimensions.iter().map(|&size| usize::from(size)).collect();
    let count = dimensions.iter().try_fold(1usize, |all, &size| all.checked_mul(size));
    let kind = kind.cast_signed();
    let width = match kind {
        -1 | 1 => 1,
        2 => 2,
        4 => 4,
        other => return Err(fault(format!("type {other}"))),
    };
    let start = at + 2 + rank;
    let length = count.and_then(|count| count.checked_mul(width));
    let data = length.and_then(|length| bytes.get(start..start.checked_add(length)?));
    let data = data.ok_or_else(|| fault(format!("{dimensions:?} values of {width} bytes")))?;
    let value = match kind {
        -1 => Value::Text(texts(data, &dimensions)),
        1 => Value::Numbers(data.iter().map(|&byte| f64::from(byte.cast_signed())).collect()),
        2 => {
            let words = data.as_chunks::<2>().0.iter();
            Value::Numbers(words.map(|&word| f64::from(processor.u16(word).cast_signed())).collect())
        }
        _ => Value::Numbers(data.as_chunks::<4>().0.iter().map(|&word| processor.f32(word)).collect()),
    };
    Ok(Parameter { dimensions, value })
}

/// The first dimension is the length of each text.
fn texts(data: &[u8], dimensions: &[usize]) -> Vec<String> {
    let length = match dimensions {
        [] => 1,
        [length, ..] => *length,
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_matches([' ', '\0', '\t', '\r', '\n']).to_owned();
    match length {
        0 => Vec::new(),
        _ => data.chunks(length).map(text).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vax_numbers_are_read() {
        // DEC's own examples: 1.0 is 4080 0000, −7.5 is C1F0 0000 (words in turn).
        assert_eq!(vax([0x80, 0x40, 0, 0]), 1.0);
        assert_eq!(vax([0xf0, 0xc1, 0, 0]), -7.5);
        assert_eq!(vax([0, 0, 0, 0]), 0.0);
        assert!(vax([0xff; 4]).is_finite());
    }
}
