//! What a reader has to say about a file: stable code, place, what was found, what was expected, what to do.

use crate::hint::Hint;
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// A deviation that was tolerated, or a guess that may be off.
    Warning,
    /// The file cannot be read as it stands.
    Error,
}

/// A place in a file. Lines and columns count from 1, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// Bytes before this place.
    pub byte_offset: usize,
    /// Line, from 1. CR, LF and CRLF each end a line.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
}

impl Place {
    /// Finds line and column of an offset by counting line ends before it.
    ///
    /// Linear in the offset; readers call it only when they have something to say.
    pub fn locate(bytes: &[u8], byte_offset: usize) -> Self {
        let before = &bytes[..byte_offset.min(bytes.len())];
        let mut line = 1;
        let mut line_start = 0;
        let mut index = 0;
        while index < before.len() {
            match before[index] {
                b'\r' => {
                    // CRLF is one line end even when the offset falls between its two bytes.
                    index += usize::from(before.get(index + 1) == Some(&b'\n'));
                    line += 1;
                    line_start = index + 1;
                }
                b'\n' => {
                    line += 1;
                    line_start = index + 1;
                }
                _ => {}
            }
            index += 1;
        }
        Self { byte_offset, line, column: byte_offset.saturating_sub(line_start) + 1 }
    }
}

/// One thing a reader noticed. `code` is stable (`BVH-E012`): scripts and tests match on it, never on the wording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Stable code: format, severity letter (E, W, N), number.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where, if it has a place.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// What stands there; bytes from the file are escaped and cut by [`shown`].
    pub found: String,
    /// What would have been right.
    pub expected: String,
    /// What to do about it; may be empty.
    pub hint: Hint,
}

impl Diagnostic {
    /// An error without a place; add one with [`Diagnostic::at`].
    pub fn error(code: &'static str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, expected, found)
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, expected, found)
    }

    /// A note without a place.
    pub fn note(code: &'static str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(code, Severity::Note, expected, found)
    }

    fn new(code: &'static str, severity: Severity, expected: impl Into<String>, found: impl Into<String>) -> Self {
        let (expected, found) = (expected.into(), found.into());
        Self { code, severity, place: None, found, expected, hint: Hint::Marked("") }
    }

    /// Says where, by byte offset into the file.
    #[must_use]
    pub fn at(mut self, bytes: &[u8], byte_offset: usize) -> Self {
        self.place = Some(Place::locate(bytes, byte_offset));
        self
    }

    /// Where and what, without advice and code: for a message about something else that quotes this one.
    pub fn finding(&self) -> String {
        let place = self.place.map_or(String::new(), |place| format!("line {}, column {}: ", place.line, place.column));
        match (self.expected.is_empty(), self.found.is_empty()) {
            (false, false) => format!("{place}expected {}, found {}", self.expected, self.found),
            (false, true) => format!("{place}{}", self.expected),
            (true, _) => format!("{place}{}", self.found),
        }
    }

    /// The message for people who write project files or Python: options are keys. `Display` has the command's flags.
    pub fn in_keys(&self) -> String {
        self.with_advice(&self.hint.in_keys())
    }

    fn with_advice(&self, advice: &str) -> String {
        let separator = if advice.is_empty() { "" } else { "; " };
        format!("{}{separator}{advice} [{}]", self.finding(), self.code)
    }

    /// Says what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.with_advice(&self.hint.in_flags()))
    }
}

impl std::error::Error for Diagnostic {}

/// Bytes from a file, made safe and short for people: at most 80 bytes, control and direction characters escaped.
pub fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 80;
    let cut = &bytes[..bytes.len().min(MOST)];
    let mut text = String::with_capacity(cut.len() + 8);
    text.push('`');
    for chunk in cut.utf8_chunks() {
        text.push_str(&printable(chunk.valid()));
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text.push('`');
    if bytes.len() > MOST {
        text.push_str(&format!("… ({} bytes)", bytes.len()));
    }
    text
}

/// Text from a file, made safe for a terminal: control and direction characters are escaped, nothing is cut.
pub fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || is_direction_mark(character) {
            safe.extend(character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// Marks that reorder the text around them, and so could make a message say something else.
fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_every_kind_of_line_end() {
        let bytes = b"a\r\nb\rc\nd";
        let at = |offset| {
            let place = Place::locate(bytes, offset);
            (place.line, place.column)
        };
        assert_eq!([at(0), at(3), at(5), at(7)], [(1, 1), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(at(8), (4, 2));
        assert_eq!(at(999).0, 4);
    }

    #[test]
    fn hostile_bytes_are_shown_safely() {
        assert_eq!(shown(b"Hips\0\xff\x1b[31m"), "`Hips\\u{0}\\xff\\u{1b}[31m`");
        assert_eq!(shown("a\u{202e}b".as_bytes()), "`a\\u{202e}b`");
        assert!(shown(&[b'x'; 1000]).ends_with("… (1000 bytes)"));
    }

    #[test]
    fn messages_say_place_expected_found_hint_and_code() {
        let diagnostic = Diagnostic::error("BVH-E999", "a number", shown(b"ten")).at(b"x\nten", 2).hint("write 10");
        assert_eq!(diagnostic.to_string(), "line 2, column 1: expected a number, found `ten`; write 10 [BVH-E999]");
    }
}
