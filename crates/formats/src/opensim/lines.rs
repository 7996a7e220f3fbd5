//! Lines and cells of a text table.

/// Lines with their byte offsets; CR, LF and CRLF each end one.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    pub fn from(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes, at: start }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(rest.len());
        let is_crlf = rest.get(length..length + 2) == Some(b"\r\n");
        self.at = start + length + if is_crlf { 2 } else { 1 };
        Some((start, &rest[..length]))
    }
}

/// One cell: where it starts in the file, and its bytes without blanks around.
pub(super) type Cell<'a> = (usize, &'a [u8]);

/// The cells of a line. With a tab in it, tabs separate and an empty cell is a cell (a missing value); without, blanks
/// separate. Empty cells at the end are dropped: spreadsheets pad lines with tabs.
pub(super) fn cells<'a>(offset: usize, line: &'a [u8], into: &mut Vec<Cell<'a>>) {
    into.clear();
    if line.contains(&b'\t') {
        let mut start = 0;
        for cell in line.split(|&byte| byte == b'\t') {
            let lead = cell.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            into.push((offset + start + lead, cell.trim_ascii()));
            start += cell.len() + 1;
        }
    } else {
        words(offset, line, into);
    }
    while into.last().is_some_and(|(_, cell)| cell.is_empty()) {
        into.pop();
    }
}

/// The words of a line, whatever blanks or tabs stand between them.
pub(super) fn words<'a>(offset: usize, line: &'a [u8], into: &mut Vec<Cell<'a>>) {
    into.clear();
    let mut start = 0;
    for word in line.split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            into.push((offset + start, word));
        }
        start += word.len() + 1;
    }
}

pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}
