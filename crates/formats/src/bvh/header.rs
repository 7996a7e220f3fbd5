//! What stands before the joints and before the rows: marks and comments, the frame count and the frame time.

use super::codes;
use super::scan::{Report, Scanner, Span};
use super::text::{Commas, Fault, is_white};
use crate::diagnostic::{Diagnostic, shown};
use aplomb_motion::FrameTime;

/// UTF-8 byte order mark.
const BOM: &[u8] = b"\xef\xbb\xbf";
const FIRST_WORD: &[u8] = b"HIERARCHY";

/// Passes a byte order mark, comment lines and the word HIERARCHY; refuses everything that is not BVH by its name.
pub(super) fn enter(scanner: &mut Scanner, report: &mut Report) -> Result<bool, Fault> {
    let bytes = scanner.bytes;
    let limit = scanner.options.limits.file_bytes;
    if bytes.len() as u64 > limit {
        let found = format!("{} bytes", bytes.len());
        return Err(Box::new(Diagnostic::error(codes::FILE_TOO_LARGE, format!("at most {limit} bytes"), found)));
    }
    let has_bom = bytes.starts_with(BOM);
    let text = if has_bom { &bytes[BOM.len()..] } else { bytes };
    if text.len() < FIRST_WORD.len() || text.iter().all(|&byte| is_white(byte)) {
        let found = match text.iter().all(|&byte| is_white(byte)) {
            true => "an empty file".to_owned(),
            false => format!("{} bytes, too few for one", text.len()),
        };
        return Err(Box::new(Diagnostic::error(codes::EMPTY, "a BVH file", found).at(bytes, 0)));
    }
    if let Some(order) = utf16(bytes) {
        let diagnostic = Diagnostic::error(codes::UTF16, "ASCII or UTF-8 text", format!("UTF-16 text, {order}"));
        return Err(Box::new(diagnostic.at(bytes, 0).hint("convert it to UTF-8 first")));
    }
    if has_bom {
        scanner.at = BOM.len();
        report.say(Diagnostic::note(codes::BOM, "", "a UTF-8 byte order mark; some programs refuse it").at(bytes, 0));
    }
    skip_comments(scanner, report)?;
    match scanner.peek(report)? {
        Some(word) if word.of(bytes).eq_ignore_ascii_case(FIRST_WORD) => {
            super::hierarchy::tell_case(scanner, word, "HIERARCHY", report)?;
            scanner.at = word.end;
            Ok(has_bom)
        }
        word => {
            let at = word.map_or(bytes.len(), |word| word.start);
            let found = match looks_like(bytes) {
                Some(kind) => format!("a file that looks like {kind}"),
                None => word.map_or("nothing".to_owned(), |word| shown(word.of(bytes))),
            };
            Err(scanner.error(codes::NOT_BVH, at, "HIERARCHY, the first word of a BVH file", found))
        }
    }
}

fn skip_comments(scanner: &mut Scanner, report: &mut Report) -> Result<(), Fault> {
    loop {
        scanner.skip_white(report)?;
        let rest = &scanner.bytes[scanner.at..];
        if !rest.starts_with(b"#") && !rest.starts_with(b"//") {
            return Ok(());
        }
        report.deviation(codes::COMMENT_BEFORE, || {
            Diagnostic::warning(codes::COMMENT_BEFORE, "HIERARCHY", "a comment")
                .at(scanner.bytes, scanner.at)
                .hint("other programs refuse it")
        })?;
        scanner.at += rest.iter().position(|&byte| matches!(byte, b'\r' | b'\n')).unwrap_or(rest.len());
    }
}

fn utf16(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, ..] | [b'H' | b'h', 0, _, 0, ..] => Some("little endian"),
        [0xfe, 0xff, ..] | [0, b'H' | b'h', 0, ..] => Some("big endian"),
        _ => None,
    }
}

/// Formats that end up with the wrong name.
fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 14] = [
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"Kaydara FBX Binary", "FBX"),
        (b"; FBX", "FBX text"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"PK\x05\x06", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"7z\xbc\xaf", "a 7z archive"),
        (b"glTF", "GLB"),
        (b"%PDF", "PDF"),
        (b"BLENDER", "a Blender file"),
        (b"\x93NUMPY", "a NumPy array"),
        (b"#usda", "USD text"),
    ];
    if let Some((_, kind)) = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(kind);
    }
    let start = bytes.iter().position(|&byte| !is_white(byte)).unwrap_or(0);
    let text = &bytes[start..];
    let head = &text[..text.len().min(512)];
    if text.starts_with(b"<") {
        Some("XML or HTML")
    } else if text.starts_with(b":") || head.windows(6).any(|word| word.eq_ignore_ascii_case(b":units")) {
        Some("ASF or AMC")
    } else if text.starts_with(b"{") || text.starts_with(b"[") {
        Some("JSON")
    } else if bytes.get(1) == Some(&0x50) && head.contains(&0) {
        Some("C3D")
    } else if head.contains(&0) {
        Some("binary data")
    } else {
        None
    }
}

/// The two lines after MOTION.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MotionHeader {
    /// Token and value of `Frames:`.
    pub frames: Option<(Span, u64)>,
    /// Token of `Frame Time:`, and its value if it is a usable one.
    pub frame_time: Option<(Span, Option<FrameTime>)>,
    /// First byte after both.
    pub end: usize,
}

/// Reads the frame count and the frame time, in any order, and says what the clip's frame time is.
pub(super) fn read_motion(scanner: &mut Scanner, report: &mut Report) -> Result<(MotionHeader, FrameTime), Fault> {
    let mut header = MotionHeader::default();
    loop {
        scanner.skip_white(report)?;
        let start = scanner.at;
        if header.frames.is_none() && take_label(scanner, &[b"frames"], report)? {
            header.frames = Some(frame_count(scanner, start, report)?);
        } else if header.frame_time.is_none() && take_label(scanner, &[b"frame", b"time"], report)? {
            header.frame_time = Some(frame_time(scanner, report)?);
        } else {
            scanner.at = start;
            break;
        }
        header.end = scanner.at;
    }
    if header.end == 0 {
        header.end = scanner.at;
    }
    if header.frames.is_none() {
        report.deviation(codes::NO_FRAME_COUNT, || {
            Diagnostic::warning(codes::NO_FRAME_COUNT, "`Frames:` and a count", "none").at(scanner.bytes, scanner.at)
        })?;
    }
    let in_file = header.frame_time.and_then(|(_, value)| value);
    match (scanner.options.frame_time, in_file) {
        (Some(given), stated) => {
            if stated.is_none_or(|stated| stated.secs() != given.secs()) {
                let found = match header.frame_time {
                    Some((span, _)) => format!("a frame time of {}", shown(span.of(scanner.bytes))),
                    None => "no frame time".to_owned(),
                };
                let at = header.frame_time.map_or(scanner.at, |(span, _)| span.start);
                let expected = format!("{} s, as asked", given.secs());
                let warning = Diagnostic::warning(codes::FRAME_TIME_OVERRIDDEN, expected, found);
                report.say(warning.at(scanner.bytes, at));
            }
            Ok((header, given))
        }
        (None, Some(stated)) => Ok((header, stated)),
        (None, None) => {
            let (at, found) = match header.frame_time {
                Some((span, _)) if span.start < span.end => (span.start, shown(span.of(scanner.bytes))),
                Some((span, _)) => (span.start, "nothing".to_owned()),
                None => (scanner.at, "none".to_owned()),
            };
            let expected = "a frame time between 1e-6 s and 1e4 s after `Frame Time:`";
            let error = Diagnostic::error(codes::FRAME_TIME, expected, found);
            Err(Box::new(error.at(scanner.bytes, at).hint("give the true rate with {fps}")))
        }
    }
}

/// Takes `words` with any blanks between them and a colon; leaves the scanner anywhere if they are not there.
fn take_label(scanner: &mut Scanner, words: &[&[u8]], report: &mut Report) -> Result<bool, Fault> {
    const USUAL: [&[u8]; 2] = [b"Frames", b"Frame Time"];
    let start = scanner.at;
    for word in words {
        scanner.skip_blanks(report)?;
        let end = scanner.at + word.len();
        match scanner.bytes.get(scanner.at..end) {
            Some(found) if found.eq_ignore_ascii_case(word) => scanner.at = end,
            _ => return Ok(false),
        }
    }
    let label = Span { start, end: scanner.at };
    scanner.skip_blanks(report)?;
    let has_colon = scanner.bytes.get(scanner.at) == Some(&b':');
    if has_colon {
        scanner.at += 1;
    } else if scanner.at == label.end {
        // `Framesx`: another word.
        return Ok(false);
    }
    if !has_colon || !USUAL.contains(&label.of(scanner.bytes)) {
        report.deviation(codes::HEADER_FORM, || {
            Diagnostic::warning(codes::HEADER_FORM, "`Frames:` and `Frame Time:`", shown(label.of(scanner.bytes)))
                .at(scanner.bytes, start)
        })?;
    }
    Ok(true)
}

fn frame_count(scanner: &mut Scanner, label_at: usize, report: &mut Report) -> Result<(Span, u64), Fault> {
    let span = scanner.next(report)?.unwrap_or(Span { start: label_at, end: label_at });
    let token = span.of(scanner.bytes);
    let count = std::str::from_utf8(token).ok().and_then(|text| text.parse::<u64>().ok());
    match count {
        Some(count) => Ok((span, count)),
        None => {
            let is_long = !token.is_empty() && token.iter().all(u8::is_ascii_digit);
            let expected = if is_long { "a frame count below 2^64" } else { "a whole number of frames, 0 or more" };
            Err(scanner.error(codes::FRAME_COUNT, span.start, expected, shown(token)))
        }
    }
}

/// A broken frame time is only an error if the user does not give a better one.
fn frame_time(scanner: &mut Scanner, report: &mut Report) -> Result<(Span, Option<FrameTime>), Fault> {
    let Some(span) = scanner.peek_on_line(report)? else {
        return Ok((Span { start: scanner.at, end: scanner.at }, None));
    };
    if scanner.commas == Commas::None && span.of(scanner.bytes).contains(&b',') {
        scanner.decide_commas(span.start, report)?;
    }
    let value = match scanner.number(span, report) {
        Ok(number) => FrameTime::from_secs(number.value).ok(),
        Err(_) => None,
    };
    scanner.at = span.end;
    Ok((span, value))
}
