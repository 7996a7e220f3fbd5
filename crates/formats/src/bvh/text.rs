//! What stands between the words of a file.

use crate::diagnostic::Diagnostic;

/// How commas are used by the numbers of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Commas {
    /// Not at all.
    #[default]
    None,
    /// `1,5` is one and a half.
    Decimal,
    /// `1, 5` are two values.
    Separator,
}

pub(super) type Fault = Box<Diagnostic>;

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

pub(super) fn is_white(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'\r' | b'\n')
}

/// UTF-8 for U+00A0.
pub(super) const NBSP: &[u8] = b"\xc2\xa0";
