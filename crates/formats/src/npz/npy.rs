//! One array as NumPy stores it (format versions 1 to 3): a header that is a Python literal, then plain numbers.
//! Objects are pickled programs and are never read.

use crate::diagnostic::{Diagnostic, shown};

/// Real headers have a hundred bytes.
const MOST_HEADER: usize = 64 << 10;

/// Numbers in C order, or one text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub shape: Vec<usize>,
    pub values: Values,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

impl Array {
    pub fn numbers(&self) -> &[f64] {
        match &self.values {
            Values::Numbers(numbers) => numbers,
            Values::Texts(_) => &[],
        }
    }

    /// Of a single text, as arrays of no dimension hold it.
    pub fn text(&self) -> Option<&str> {
        match &self.values {
            Values::Texts(texts) => texts.first().map(String::as_str),
            Values::Numbers(_) => None,
        }
    }
}

pub(super) fn parse(bytes: &[u8], name: &str) -> Result<Array, Box<Diagnostic>> {
    let fault = |found: String| Box::new(Diagnostic::error("NPZ-E003", format!("a header of NumPy in {name}"), found));
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or_else(|| fault(shown(&bytes[..bytes.len().min(16)])))?;
    let (length, start) = match rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 6),
        _ => return Err(fault("an unknown version".to_owned())),
    };
    if length > MOST_HEADER {
        return Err(fault(format!("{length} bytes of header")));
    }
    let header = rest.get(start..start + length).ok_or_else(|| fault("the end of the member".to_owned()))?;
    let header_text = std::str::from_utf8(header).map_err(|_| fault(shown(header)))?;
    let header = Header::parse(header_text).ok_or_else(|| fault(shown(header)))?;
    header.read(&rest[start + length..], name)
}

#[derive(Debug, PartialEq)]
struct Header {
    descr: String,
    fortran: bool,
    shape: Vec<usize>,
}

impl Header {
    /// `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, in any order. No expression is evaluated.
    fn parse(text: &str) -> Option<Self> {
        let mut rest = text.trim().strip_prefix('{')?.trim_start();
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        loop {
            if let Some(tail) = rest.strip_prefix('}') {
                return tail.trim().is_empty().then_some(Self { descr: descr?, fortran: fortran?, shape: shape? });
            }
            let (key, tail) = quoted(rest)?;
            rest = tail.trim_start().strip_prefix(':')?.trim_start();
            rest = match key {
                "descr" => {
                    let (value, tail) = quoted(rest)?;
                    descr = Some(value.to_owned());
                    tail
                }
                "fortran_order" => {
                    let (value, tail) = match rest.strip_prefix("True") {
                        Some(tail) => (true, tail),
                        None => (false, rest.strip_prefix("False")?),
                    };
                    fortran = Some(value);
                    tail
                }
                "shape" => {
                    let (inner, tail) = rest.strip_prefix('(')?.split_once(')')?;
                    let sizes = inner.split(',').map(str::trim).filter(|size| !size.is_empty());
                    // Old files write 3L; negative sizes are no numbers here.
                    shape = Some(
                        sizes.map(|size| size.trim_end_matches('L').parse().ok()).collect::<Option<Vec<usize>>>()?,
                    );
                    tail
                }
                _ => return None,
            };
            rest = rest.trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        }
    }

    fn read(&self, data: &[u8], name: &str) -> Result<Array, Box<Diagnostic>> {
        let refused = |found: String| {
            let fault = Diagnostic::error("NPZ-E005", format!("plain numbers in {name}"), found);
            Box::new(fault.hint("save it again without objects: np.savez(…) of plain arrays"))
        };
        if self.descr.contains('O') {
            return Err(refused("pickled objects".to_owned()));
        }
        let mut letters = self.descr.chars();
        let big = match letters.next() {
            Some('>') => true,
            Some('<' | '|' | '=') => false,
            _ => return Err(refused(shown(self.descr.as_bytes()))),
        };
        let kind = letters.next().unwrap_or(' ');
        let size: usize = letters.as_str().parse().map_err(|_| refused(shown(self.descr.as_bytes())))?;
        let item_bytes = if kind == 'U' { size.checked_mul(4) } else { Some(size) };
        let count = self.shape.iter().try_fold(1usize, |all, &size| all.checked_mul(size));
        let needed = count.zip(item_bytes).and_then(|(count, item)| count.checked_mul(item));
        if needed != Some(data.len()) {
            let expected = format!("{:?} × {} in {name}", self.shape, shown(self.descr.as_bytes()));
            return Err(Box::new(Diagnostic::error("NPZ-E004", expected, format!("{} bytes", data.len()))));
        }
        let item_bytes = item_bytes.unwrap_or(0);
        let values = match kind {
            'S' | 'U' => {
                let text = |item: &[u8]| match kind {
                    'S' => String::from_utf8_lossy(item).into_owned(),
                    _ => item.as_chunks::<4>().0.iter().map(|&four| character(four, big)).collect(),
                };
                let whole = data.chunks(item_bytes.max(1)).map(|item| text(item).trim_matches('\0').to_owned());
                Values::Texts(whole.collect())
            }
            'f' | 'i' | 'u' | 'b' => {
                let number = Number::of(kind, size).ok_or_else(|| refused(shown(self.descr.as_bytes())))?;
                let numbers: Vec<f64> = data.chunks_exact(item_bytes).map(|item| number.read(item, big)).collect();
                Values::Numbers(if self.fortran { in_c_order(&numbers, &self.shape) } else { numbers })
            }
            _ => return Err(refused(shown(self.descr.as_bytes()))),
        };
        Ok(Array { shape: self.shape.clone(), values })
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|letter| matches!(letter, '\'' | '"'))?;
    text[1..].split_once(quote)
}

fn character(four: [u8; 4], big: bool) -> char {
    let code = if big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[derive(Clone, Copy)]
struct Number {
    kind: char,
    bytes: usize,
}

impl Number {
    fn of(kind: char, bytes: usize) -> Option<Self> {
        let fits = match kind {
            'f' => matches!(bytes, 2 | 4 | 8),
            'b' => bytes == 1,
            _ => matches!(bytes, 1 | 2 | 4 | 8),
        };
        fits.then_some(Self { kind, bytes })
    }

    fn read(self, item: &[u8], big: bool) -> f64 {
        // The bits as one number, highest byte first.
        let fold = |all: u64, &byte: &u8| all << 8 | u64::from(byte);
        let bits = if big { item.iter().fold(0, fold) } else { item.iter().rev().fold(0, fold) };
        match (self.kind, self.bytes) {
            ('f', 8) => f64::from_bits(bits),
            ('f', 4) => f64::from(f32::from_bits(bits as u32)),
            ('f', _) => half(bits as u16),
            // Sign of the highest byte, spread upward.
            ('i', bytes) => {
                let unused = 64 - 8 * bytes as u32;
                ((bits << unused).cast_signed() >> unused) as f64
            }
            _ => bits as f64,
        }
    }
}

/// IEEE 754 binary16.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => sign * f64::INFINITY,
        0x1f => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// From the first index running fastest to the last.
fn in_c_order(numbers: &[f64], shape: &[usize]) -> Vec<f64> {
    let mut strides = vec![1usize; shape.len()];
    for axis in 1..shape.len() {
        strides[axis] = strides[axis - 1] * shape[axis - 1];
    }
    let place = |mut index: usize| {
        let mut at = 0;
        for axis in (0..shape.len()).rev() {
            at += index % shape[axis] * strides[axis];
            index /= shape[axis];
        }
        at
    };
    (0..numbers.len()).map(|index| numbers[place(index)]).collect()
}

/// The bytes of an array of `f64`, C order, or of one text.
pub(super) fn write(array: &Array) -> Vec<u8> {
    let (descr, data): (String, Vec<u8>) = match &array.values {
        Values::Numbers(numbers) => {
            ("<f8".to_owned(), numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
        }
        Values::Texts(texts) => {
            let text: Vec<char> = texts.first().map_or_else(Vec::new, |text| text.chars().collect());
            let data = text.iter().flat_map(|&letter| u32::from(letter).to_le_bytes()).collect();
            (format!("<U{}", text.len()), data)
        }
    };
    let shape: String = array.shape.iter().map(|size| format!("{size}, ")).collect();
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    // Version 1, padded so that numbers begin at a multiple of 64.
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{header:<width$}\n", width = length - 1).into_bytes());
    bytes.extend(data);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn code(bytes: &[u8]) -> &'static str {
        parse(bytes, "a").err().map_or("read", |fault| fault.code)
    }

    #[test]
    fn numbers_of_every_type_and_order_are_read() {
        let read = |descr: &str, data: &[u8]| {
            let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (1,), }}");
            parse(&npy(&header, data), "a").unwrap().numbers().to_vec()
        };
        assert_eq!(read("<f4", &1.5f32.to_le_bytes()), [1.5]);
        assert_eq!(read(">f8", &(-2.25f64).to_be_bytes()), [-2.25]);
        assert_eq!(read("<f2", &0x3e00u16.to_le_bytes()), [1.5]);
        assert_eq!(read("<i2", &(-7i16).to_le_bytes()), [-7.0]);
        assert_eq!(read(">i4", &(-70_000i32).to_be_bytes()), [-70_000.0]);
        assert_eq!(read("|u1", &[200]), [200.0]);
        let fortran = npy("{'shape': (2, 3), 'fortran_order': True, 'descr': '|u1'}", &[1, 4, 2, 5, 3, 6]);
        assert_eq!(parse(&fortran, "a").unwrap().numbers(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn n03_n04_shapes_and_headers_that_lie() {
        for shape in ["(-1,)", "(99999999999999999999,)", "(18446744073709551615, 2)", "(3,)", "(2, 2)", "3", "()"] {
            let found = code(&npy(&format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}"), &[0; 16]));
            assert!(found == "NPZ-E003" || found == "NPZ-E004", "{shape}: {found}");
        }
        for header in
            ["", "[1, 2]", "{'descr': '<f8'", "{'descr: '<f8', 'shape': (2,)}", "__import__('os')", "{'descr': '<f8'}"]
        {
            assert_eq!(code(&npy(header, &[0; 16])), "NPZ-E003", "{header}");
        }
        let mut huge = b"\x93NUMPY\x02\x00".to_vec();
        huge.extend(1_000_000_000u32.to_le_bytes());
        assert_eq!(code(&huge), "NPZ-E003");
    }

    #[test]
    fn n02_objects_and_complex_numbers_are_refused() {
        for descr in ["|O", "<c16", "<M8[ns]", "<f16", "<V4", "x"] {
            let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (1,), }}");
            let found = code(&npy(&header, &[0; 16]));
            assert!(found == "NPZ-E005" || found == "NPZ-E004", "{descr}: {found}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let numbers = Array { shape: vec![2, 2], values: Values::Numbers(vec![1.0, -2.5, 1e300, 0.1]) };
        let text = Array { shape: vec![], values: Values::Texts(vec!["neutral".to_owned()]) };
        for array in [numbers, text] {
            assert_eq!(parse(&write(&array), "a").unwrap(), array);
        }
    }
}
