//! Tokens of the text before the rows, and the way to complain about them.

use super::codes;
use super::survey;
use super::text::{Commas, Fault, NBSP, is_blank, is_white};
use crate::diagnostic::{Diagnostic, Severity, shown};
use crate::number::{self, NumberFault};
use crate::options::{Mode, ReadOptions};

/// A stretch of the file's bytes, half open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    pub(super) fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..self.end]
    }
}

/// A number of the header, where it stands and what it says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Its token.
    pub span: Span,
    /// Its value in file units.
    pub value: f64,
    /// Digits after the point.
    pub decimals: u8,
}

/// Collects what is noticed. In strict mode the first deviation is an error.
pub(super) struct Report<'n> {
    mode: Mode,
    notes: &'n mut Vec<Diagnostic>,
    told: Vec<&'static str>,
}

impl<'n> Report<'n> {
    pub fn new(mode: Mode, notes: &'n mut Vec<Diagnostic>) -> Self {
        Self { mode, notes, told: Vec::new() }
    }

    /// A deviation from the grammar; only the first of its code is told, so that a million rows give one line.
    pub fn deviation(&mut self, code: &'static str, make: impl FnOnce() -> Diagnostic) -> Result<(), Fault> {
        if self.told.contains(&code) {
            return Ok(());
        }
        let mut diagnostic = make();
        if self.mode == Mode::Strict {
            diagnostic.severity = Severity::Error;
            return Err(Box::new(diagnostic));
        }
        self.told.push(code);
        self.notes.push(diagnostic);
        Ok(())
    }

    /// Something worth saying that no grammar forbids.
    pub fn say(&mut self, diagnostic: Diagnostic) {
        self.notes.push(diagnostic);
    }
}

/// A cursor over the bytes.
pub(super) struct Scanner<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    pub options: &'a ReadOptions,
    pub commas: Commas,
}

impl<'a> Scanner<'a> {
    pub fn error(&self, code: &'static str, at: usize, expected: impl Into<String>, found: impl Into<String>) -> Fault {
        Box::new(Diagnostic::error(code, expected, found).at(self.bytes, at))
    }

    /// Skips white space, line ends included.
    pub fn skip_white(&mut self, report: &mut Report) -> Result<(), Fault> {
        loop {
            while self.bytes.get(self.at).is_some_and(|&byte| is_white(byte) || self.is_comma_blank(byte)) {
                self.at += 1;
            }
            if !self.skip_nbsp(report)? {
                return Ok(());
            }
        }
    }

    /// Skips blanks up to the end of the line.
    pub fn skip_blanks(&mut self, report: &mut Report) -> Result<(), Fault> {
        loop {
            while self.bytes.get(self.at).is_some_and(|&byte| is_blank(byte) || self.is_comma_blank(byte)) {
                self.at += 1;
            }
            if !self.skip_nbsp(report)? {
                return Ok(());
            }
        }
    }

    fn is_comma_blank(&self, byte: u8) -> bool {
        byte == b',' && self.commas == Commas::Separator
    }

    fn skip_nbsp(&mut self, report: &mut Report) -> Result<bool, Fault> {
        if !self.bytes[self.at..].starts_with(NBSP) {
            return Ok(false);
        }
        report.deviation(codes::NBSP, || {
            Diagnostic::warning(codes::NBSP, "a space or a tab", "a no-break space").at(self.bytes, self.at)
        })?;
        self.at += NBSP.len();
        Ok(true)
    }

    /// The next word or brace after white space, without taking it; `None` at the end.
    pub fn peek(&mut self, report: &mut Report) -> Result<Option<Span>, Fault> {
        self.skip_white(report)?;
        Ok((self.at < self.bytes.len()).then(|| self.word_here()))
    }

    /// The same, taken.
    pub fn next(&mut self, report: &mut Report) -> Result<Option<Span>, Fault> {
        let span = self.peek(report)?;
        if let Some(span) = span {
            self.at = span.end;
        }
        Ok(span)
    }

    /// The next word on this line, without taking it.
    pub fn peek_on_line(&mut self, report: &mut Report) -> Result<Option<Span>, Fault> {
        self.skip_blanks(report)?;
        match self.bytes.get(self.at) {
            None | Some(b'\r' | b'\n') => Ok(None),
            Some(_) => Ok(Some(self.word_here())),
        }
    }

    /// A single brace, or everything up to white space or a brace.
    fn word_here(&self) -> Span {
        let rest = &self.bytes[self.at..];
        if matches!(rest[0], b'{' | b'}') {
            return Span { start: self.at, end: self.at + 1 };
        }
        let ends = |(index, &byte): (usize, &u8)| {
            is_white(byte)
                || matches!(byte, b'{' | b'}')
                || self.is_comma_blank(byte)
                || rest[index..].starts_with(NBSP)
        };
        let length = rest.iter().enumerate().position(ends).unwrap_or(rest.len());
        Span { start: self.at, end: self.at + length }
    }

    /// The rest of the line up to a brace, trimmed: names may hold spaces.
    pub fn name(&mut self, report: &mut Report) -> Result<Span, Fault> {
        self.skip_blanks(report)?;
        let rest = &self.bytes[self.at..];
        let ends = |&byte: &u8| matches!(byte, b'\r' | b'\n' | b'{' | b'}');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let start = self.at;
        self.at += length;
        let trimmed = rest[..length].iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
        let name = &rest[..trimmed];
        let most = self.options.limits.name_bytes;
        if trimmed > most {
            let found = format!("{trimmed} bytes, {}", shown(name));
            return Err(self.error(codes::NAME_TOO_LONG, start, format!("a name of at most {most} bytes"), found));
        }
        if let Some(nul) = name.iter().position(|&byte| byte == 0) {
            return Err(self.error(
                codes::NUL,
                start + nul,
                "text",
                format!("a zero byte in the name {}", shown(name)),
            ));
        }
        Ok(Span { start, end: start + trimmed })
    }

    /// A number of the header that must be finite.
    pub fn number(&mut self, span: Span, report: &mut Report) -> Result<Number, Fault> {
        let mut span = span;
        if span.of(self.bytes).contains(&b',') && self.commas == Commas::None {
            self.decide_commas(span.start, report)?;
            span = self.word_here();
        }
        let point = if self.commas == Commas::Decimal { b',' } else { b'.' };
        let token = span.of(self.bytes);
        match number::parse(token, point, self.options.limits.token_bytes) {
            Ok(parsed) => {
                if parsed.fortran {
                    self.tell_fortran(span, report)?;
                }
                Ok(Number { span, value: parsed.value, decimals: parsed.decimals })
            }
            Err(fault) => Err(self.number_fault(fault, span, "")),
        }
    }

    /// Finds out, once, what commas mean in this file.
    pub fn decide_commas(&mut self, at: usize, report: &mut Report) -> Result<(), Fault> {
        self.commas = survey::commas(self.bytes)?;
        let (code, found) = match self.commas {
            Commas::Separator => (codes::COMMA_SEPARATORS, "commas between values"),
            Commas::Decimal => (codes::COMMA_DECIMALS, "commas as decimal marks"),
            // The comma stands in a word that is no number either way; the reader of that word says so.
            Commas::None => return Ok(()),
        };
        report.deviation(code, || {
            Diagnostic::warning(code, "numbers with a decimal point, between blanks", found).at(self.bytes, at)
        })
    }

    pub fn tell_fortran(&self, span: Span, report: &mut Report) -> Result<(), Fault> {
        report.deviation(codes::FORTRAN_EXPONENT, || {
            let found = shown(span.of(self.bytes));
            Diagnostic::warning(codes::FORTRAN_EXPONENT, "an exponent with e", found).at(self.bytes, span.start)
        })
    }

    /// Says what is wrong with a number; `whose` names joint, channel and frame where there is one.
    pub fn number_fault(&self, fault: NumberFault, span: Span, whose: &str) -> Fault {
        let token = span.of(self.bytes);
        let (code, expected, hint) = match fault {
            NumberFault::TooLong => {
                let most = self.options.limits.token_bytes;
                (codes::TOKEN_TOO_LONG, format!("a number of at most {most} bytes"), "")
            }
            NumberFault::NotANumber | NumberFault::Infinite => {
                let hint = if whose.is_empty() { "" } else { "{repair-nan=interpolate} or =hold fills it in" };
                (codes::NOT_FINITE, "a finite number".to_owned(), hint)
            }
            NumberFault::Nul => (codes::NUL, "a number".to_owned(), "a zero byte: the file is damaged"),
            NumberFault::Malformed => (codes::NUMBER, "a number".to_owned(), ""),
        };
        let start = match fault {
            NumberFault::Nul => span.start + token.iter().position(|&byte| byte == 0).unwrap_or(0),
            _ => span.start,
        };
        let found = if whose.is_empty() { shown(token) } else { format!("{} {whose}", shown(token)) };
        Box::new(Diagnostic::error(code, expected, found).at(self.bytes, start).hint(hint))
    }
}
