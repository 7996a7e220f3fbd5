//! The words of ASF and AMC files: white space, comments, numbers, and the checks every text file starts with.

use crate::diagnostic::{Diagnostic, shown};
use crate::number::NumberFault;
use crate::options::{Limits, Mode};

/// Commas and parentheses separate words like blanks do (Acclaim definition V1.10).
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b'(' | b')' | 0x0b | 0x0c)
}

/// CR, LF and CRLF each end a line; the empty line inside a CRLF means nothing to either format.
#[inline]
pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether a word ends before this byte.
#[inline]
pub(super) fn ends_word(byte: u8) -> bool {
    is_blank(byte) || is_line_end(byte) || byte == b'#'
}

/// Case does not matter in keywords, axis letters and degrees of freedom.
pub(super) fn is_keyword(text: &[u8], keyword: &str) -> bool {
    text.eq_ignore_ascii_case(keyword.as_bytes())
}

/// A word and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// The word itself.
    pub text: &'a [u8],
    /// Bytes before it.
    pub offset: usize,
    /// First word of its line: hierarchy lines and section names need it.
    pub starts_line: bool,
}

/// Reads words one by one; comments are skipped.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    fresh_line: bool,
}

impl<'a> Lexer<'a> {
    /// Starts at `at`, which begins a line.
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, fresh_line: true }
    }

    /// Bytes read so far.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The next word, left in place.
    pub fn peek(&self) -> Option<Token<'a>> {
        self.clone().next()
    }

    /// Skips free text: stops before the next line whose first word starts with a colon.
    pub fn skip_to_section(&mut self) {
        while let Some(rest) = self.bytes.get(self.at..).filter(|rest| !rest.is_empty()) {
            if self.fresh_line {
                let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
                if rest.get(blanks) == Some(&b':') {
                    return;
                }
            }
            let line = rest.iter().position(|&byte| is_line_end(byte)).map_or(rest.len(), |end| end + 1);
            self.at += line;
            self.fresh_line = true;
        }
    }

    /// Skips what is left of the line.
    pub fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let &byte = self.bytes.get(self.at)?;
            if is_line_end(byte) {
                self.at += 1;
                self.fresh_line = true;
            } else if is_blank(byte) {
                self.at += 1;
            } else if byte == b'#' {
                self.skip_line();
            } else {
                break;
            }
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| ends_word(byte)).unwrap_or(rest.len());
        let token = Token { text: &rest[..length], offset: self.at, starts_line: self.fresh_line };
        self.at += length;
        self.fresh_line = false;
        Some(token)
    }
}

/// What a word is as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// A finite number.
    Finite(f64),
    /// `nan`, `-inf`, `1.#QNAN`, `1e999`: broken arithmetic, positive or negative.
    NotFinite,
    /// Not a number at all, or too long for one.
    Junk,
}

/// Reads a whole word of at most `longest` bytes as a number; locale-free, correctly rounded.
pub(super) fn number(text: &[u8], longest: usize) -> Number {
    match crate::number::parse(text, b'.', longest) {
        Ok(parsed) => Number::Finite(parsed.value),
        Err(NumberFault::NotANumber | NumberFault::Infinite) => Number::NotFinite,
        Err(NumberFault::TooLong | NumberFault::Nul | NumberFault::Malformed) => Number::Junk,
    }
}

/// `-inf`, `inf` and finite numbers, as limits may hold them.
pub(super) fn limit(text: &[u8], longest: usize) -> Option<f64> {
    match number(text, longest) {
        Number::Finite(value) => Some(value),
        Number::NotFinite if is_keyword(text, "-inf") => Some(f64::NEG_INFINITY),
        Number::NotFinite if is_keyword(text, "inf") || is_keyword(text, "+inf") => Some(f64::INFINITY),
        _ => None,
    }
}

/// Codes of the checks that both files share.
pub(crate) struct TextCodes {
    /// Nothing in it.
    pub empty: &'static str,
    /// Larger than the limit.
    pub too_large: &'static str,
    /// UTF-16, NUL bytes, some other format.
    pub not_text: &'static str,
    /// A byte order mark was skipped.
    pub byte_order_mark: &'static str,
}

/// Where the text starts: after a UTF-8 byte order mark, if there is one.
pub(crate) fn text_start(
    bytes: &[u8],
    limits: &Limits,
    codes: &TextCodes,
    notes: &mut Vec<Diagnostic>,
) -> Result<usize, Box<Diagnostic>> {
    if bytes.len() as u64 > limits.file_bytes {
        let expected = format!("at most {} bytes", limits.file_bytes);
        return Err(Box::new(Diagnostic::error(codes.too_large, expected, format!("{} bytes", bytes.len()))));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let found = Diagnostic::error(codes.not_text, "plain text", "UTF-16").at(bytes, 0);
        return Err(Box::new(found.hint("save it as ASCII or UTF-8")));
    }
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        let found = format!("a NUL byte after {}", shown(&bytes[..offset.min(16)]));
        return Err(Box::new(Diagnostic::error(codes.not_text, "plain text", found).at(bytes, offset)));
    }
    let start = if bytes.starts_with(b"\xef\xbb\xbf") {
        notes.push(Diagnostic::note(codes.byte_order_mark, "", "a byte order mark was skipped").at(bytes, 0));
        3
    } else {
        0
    };
    if bytes[start..].iter().all(|&byte| is_blank(byte) || is_line_end(byte)) {
        return Err(Box::new(Diagnostic::error(codes.empty, "text", "an empty file").at(bytes, start)));
    }
    Ok(start)
}

/// Deviations of one kind that are listed one by one; a file can hold a million of them.
const LISTED: usize = 20;

/// A deviation that is tolerated is a warning, and an error in strict mode; the code stays.
pub(crate) fn tolerate(
    mode: Mode,
    mut deviation: Diagnostic,
    bytes: &[u8],
    offset: usize,
    notes: &mut Vec<Diagnostic>,
) -> Result<(), Box<Diagnostic>> {
    if mode == Mode::Strict {
        deviation.severity = crate::diagnostic::Severity::Error;
        return Err(Box::new(deviation.at(bytes, offset)));
    }
    remark(deviation, bytes, offset, notes);
    Ok(())
}

/// Adds a note or warning, unless enough of its kind are listed already.
pub(crate) fn remark(remark: Diagnostic, bytes: &[u8], offset: usize, notes: &mut Vec<Diagnostic>) {
    let listed = notes.iter().filter(|note| note.code == remark.code).count();
    if listed < LISTED {
        let mut remark = remark.at(bytes, offset);
        if listed + 1 == LISTED {
            remark.hint = "more of this kind are not listed".into();
        }
        notes.push(remark);
    }
}

/// The ASF file that a comment of an AMC names.
pub(super) fn hint_of_comment(line: &[u8]) -> Option<String> {
    const MARK: &str = "#!OML:ASF";
    let (mark, path) = line.split_at_checked(MARK.len())?;
    let path = path.trim_ascii();
    (is_keyword(mark, MARK) && !path.is_empty()).then(|| String::from_utf8_lossy(path).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_correctly_rounded_or_refused() {
        for text in
            ["0", "-0", "1", "-16.7048", "7.62852e-016", "+3", "5.", ".5", "123456789012345", "1E4", "0.1", "1e-320"]
        {
            let expected: f64 = text.parse().unwrap();
            let Number::Finite(value) = number(text.as_bytes(), 256) else { panic!("{text}") };
            assert_eq!(value.to_bits(), expected.to_bits(), "{text}");
        }
        for text in ["nan", "-NaN(ind)", "inf", "-inf", "1.#QNAN", "1e999"] {
            assert_eq!(number(text.as_bytes(), 256), Number::NotFinite, "{text}");
        }
        for text in ["", "-", ".", "1.2.3", "ten", "0x10", "1_0", "--1", "1e"] {
            assert_eq!(number(text.as_bytes(), 256), Number::Junk, "{text}");
        }
        assert_eq!(limit(b"-INF", 256), Some(f64::NEG_INFINITY));
        assert_eq!(limit(b"nan", 256), None);
    }

    #[test]
    fn commas_parentheses_and_comments_separate() {
        let lexer = Lexer::new(b"limits (-1,2)#x\r\n :end", 0);
        let words: Vec<(&[u8], bool)> = lexer.map(|token| (token.text, token.starts_line)).collect();
        let expected: [(&[u8], bool); 4] = [(b"limits", true), (b"-1", false), (b"2", false), (b":end", true)];
        assert_eq!(words, expected);
    }

    #[test]
    fn free_text_ends_at_a_line_that_starts_with_a_colon() {
        let mut lexer = Lexer::new(b":documentation any: text\nmore :root text # x\n  :root\n", 0);
        lexer.next();
        lexer.skip_to_section();
        let token = lexer.next().unwrap();
        assert_eq!((token.text, token.offset), (b":root".as_slice(), 47));
    }
}
