//! The HIERARCHY part: joints, offsets, channel lists and end sites, with the places where they stand.

use super::codes;
use super::scan::{Number, Report, Scanner, Span};
use super::text::Fault;
use crate::diagnostic::{Diagnostic, Place, shown};
use crate::options::Mode;
use aplomb_motion::{Axis, Channel};

/// What one value of a row drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// A channel we understand.
    Known(Channel),
    /// Anything else: carried through.
    Opaque,
}

/// A CHANNELS list.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelList {
    /// From the count to the last name.
    pub span: Span,
    /// Where its values begin in a row.
    pub first_column: usize,
    /// Its values in order.
    pub columns: Vec<Column>,
    /// Their names as the file spells them.
    pub names: Vec<Span>,
}

/// An End Site as the file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct EndSource {
    /// Empty for most files.
    pub name: Span,
    /// In file units.
    pub offset: [Number; 3],
}

/// A joint as the file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSource {
    /// Raw bytes of the name.
    pub name: Span,
    /// Index of the parent.
    pub parent: Option<usize>,
    /// In file units.
    pub offset: [Number; 3],
    /// `None` where the list is missing.
    pub channels: Option<ChannelList>,
    /// In order.
    pub end_sites: Vec<EndSource>,
}

impl JointSource {
    /// Its values in order; empty without a list.
    pub fn columns(&self) -> &[Column] {
        self.channels.as_ref().map_or(&[], |list| &list.columns)
    }

    /// Row index of a channel.
    pub fn column_of(&self, channel: Channel) -> Option<usize> {
        let list = self.channels.as_ref()?;
        let slot = list.columns.iter().position(|&column| column == Column::Known(channel))?;
        Some(list.first_column + slot)
    }
}

/// The parsed hierarchy.
pub(super) struct Hierarchy {
    pub joints: Vec<JointSource>,
    /// Sum of all channel lists.
    pub columns: usize,
}

/// A joint or an end site whose closing brace has not come yet.
struct Open {
    keyword_at: usize,
    name: Span,
    offset: Option<[Number; 3]>,
    site: Site,
}

enum Site {
    Joint { index: usize, has_child: bool },
    End { has_channels: bool },
}

/// Reads from after the word HIERARCHY up to and including the word MOTION.
pub(super) fn read(scanner: &mut Scanner, report: &mut Report) -> Result<Hierarchy, Fault> {
    let mut joints: Vec<JointSource> = Vec::new();
    let mut columns = 0;
    let mut open: Vec<Open> = Vec::new();
    loop {
        let Some(word) = scanner.next(report)? else { return Err(ended(scanner, &open)) };
        match keyword(scanner, word, report)? {
            Some(Keyword::Root) if open.is_empty() => open.push(begin_joint(scanner, word, None, &mut joints, report)?),
            Some(Keyword::Joint) if matches!(open.last(), Some(Open { site: Site::Joint { .. }, .. })) => {
                let limit = scanner.options.limits.depth;
                if open.len() >= limit {
                    let expected = format!("joints nested at most {limit} deep");
                    return Err(scanner.error(codes::TOO_DEEP, word.start, expected, "another level"));
                }
                let parent = open.last_mut().and_then(|top| match &mut top.site {
                    Site::Joint { index, has_child } => {
                        *has_child = true;
                        Some(*index)
                    }
                    Site::End { .. } => None,
                });
                open.push(begin_joint(scanner, word, parent, &mut joints, report)?);
            }
            Some(Keyword::End) if matches!(open.last(), Some(Open { site: Site::Joint { .. }, .. })) => {
                open.push(begin_end_site(scanner, word, report)?);
            }
            Some(Keyword::Offset) if !open.is_empty() => {
                let offset = three_numbers(scanner, word, report)?;
                if let Some(top) = open.last_mut()
                    && top.offset.replace(offset).is_some()
                {
                    return Err(scanner.error(codes::OFFSET, word.start, "one OFFSET a joint", "a second OFFSET"));
                }
            }
            Some(Keyword::Channels) if !open.is_empty() => {
                columns += take_channels(scanner, word, columns, &mut open, &mut joints, report)?;
            }
            Some(Keyword::Close) => close(scanner, word, &mut open, &mut joints)?,
            Some(Keyword::Motion) => {
                if !open.is_empty() {
                    return Err(unclosed(scanner, &open, word.start, "MOTION"));
                }
                if joints.is_empty() {
                    return Err(scanner.error(codes::NO_ROOT, word.start, "ROOT", "MOTION"));
                }
                return Ok(Hierarchy { joints, columns });
            }
            Some(Keyword::Root | Keyword::Joint | Keyword::End | Keyword::Offset | Keyword::Channels) => {
                let expected = match open.last().map(|top| &top.site) {
                    None => "ROOT or MOTION",
                    Some(Site::Joint { .. }) => "JOINT, End Site, OFFSET, CHANNELS or `}`",
                    Some(Site::End { .. }) => "the OFFSET of the End Site or `}`",
                };
                return Err(scanner.error(codes::MISPLACED, word.start, expected, shown(word.of(scanner.bytes))));
            }
            None => {
                let token = word.of(scanner.bytes);
                let code = if token.contains(&0) { codes::NUL } else { codes::UNEXPECTED };
                let expected =
                    if open.is_empty() { "ROOT or MOTION" } else { "JOINT, End Site, OFFSET, CHANNELS or `}`" };
                return Err(scanner.error(code, word.start, expected, shown(token)));
            }
        }
    }
}

/// Reads a list of channels and gives it to the innermost joint; returns how many columns it adds.
fn take_channels(
    scanner: &mut Scanner,
    word: Span,
    columns: usize,
    open: &mut [Open],
    joints: &mut [JointSource],
    report: &mut Report,
) -> Result<usize, Fault> {
    let list = channel_list(scanner, word, columns, report)?;
    let length = list.columns.len();
    match open.last_mut().map(|top| &mut top.site) {
        Some(Site::Joint { index, has_child }) => {
            let joint = &mut joints[*index];
            if joint.channels.is_some() {
                let found = "a second CHANNELS";
                return Err(scanner.error(codes::CHANNELS, word.start, "one CHANNELS a joint", found));
            }
            if *has_child {
                tell_late_channels(scanner, word, report)?;
            }
            joint.channels = Some(list);
        }
        Some(Site::End { has_channels }) => {
            if length > 0 || *has_channels {
                let expected = "an End Site without channels";
                return Err(scanner.error(codes::MISPLACED, word.start, expected, "CHANNELS"));
            }
            *has_channels = true;
        }
        None => {}
    }
    Ok(length)
}

/// Ends the innermost joint or end site.
fn close(scanner: &Scanner, word: Span, open: &mut Vec<Open>, joints: &mut [JointSource]) -> Result<(), Fault> {
    let Some(closed) = open.pop() else {
        return Err(scanner.error(codes::STRAY_BRACE, word.start, "ROOT or MOTION", "a `}` that closes nothing"));
    };
    let Some(offset) = closed.offset else {
        let found = format!("{} without OFFSET", shown(closed.name.of(scanner.bytes)));
        return Err(scanner.error(codes::OFFSET, closed.keyword_at, "an OFFSET", found));
    };
    match (closed.site, open.last()) {
        (Site::Joint { index, .. }, _) => joints[index].offset = offset,
        (Site::End { .. }, Some(Open { site: Site::Joint { index, .. }, .. })) => {
            joints[*index].end_sites.push(EndSource { name: closed.name, offset });
        }
        (Site::End { .. }, _) => {}
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Root,
    Joint,
    End,
    Offset,
    Channels,
    Motion,
    Close,
}

const KEYWORDS: [(&str, Keyword); 7] = [
    ("ROOT", Keyword::Root),
    ("JOINT", Keyword::Joint),
    ("End", Keyword::End),
    ("OFFSET", Keyword::Offset),
    ("CHANNELS", Keyword::Channels),
    ("MOTION", Keyword::Motion),
    ("}", Keyword::Close),
];

fn keyword(scanner: &Scanner, word: Span, report: &mut Report) -> Result<Option<Keyword>, Fault> {
    let token = word.of(scanner.bytes);
    let Some(&(spelling, keyword)) = KEYWORDS.iter().find(|(word, _)| token.eq_ignore_ascii_case(word.as_bytes()))
    else {
        return Ok(None);
    };
    tell_case(scanner, word, spelling, report)?;
    Ok(Some(keyword))
}

pub(super) fn tell_case(scanner: &Scanner, word: Span, spelling: &str, report: &mut Report) -> Result<(), Fault> {
    if word.of(scanner.bytes) == spelling.as_bytes() {
        return Ok(());
    }
    report.deviation(codes::KEYWORD_CASE, || {
        Diagnostic::warning(codes::KEYWORD_CASE, format!("`{spelling}`"), shown(word.of(scanner.bytes)))
            .at(scanner.bytes, word.start)
            .hint("some programs only know the usual case")
    })
}

fn begin_joint(
    scanner: &mut Scanner,
    word: Span,
    parent: Option<usize>,
    joints: &mut Vec<JointSource>,
    report: &mut Report,
) -> Result<Open, Fault> {
    let limit = scanner.options.limits.joints;
    if joints.len() >= limit {
        return Err(scanner.error(
            codes::TOO_MANY_JOINTS,
            word.start,
            format!("at most {limit} joints"),
            "another one",
        ));
    }
    let name = scanner.name(report)?;
    if name.start == name.end {
        report.deviation(codes::EMPTY_NAME, || {
            Diagnostic::warning(codes::EMPTY_NAME, "a name", "a joint without one").at(scanner.bytes, word.start)
        })?;
    }
    open_brace(scanner, report)?;
    let index = joints.len();
    let nowhere = Number { span: Span::default(), value: 0.0, decimals: 0 };
    joints.push(JointSource { name, parent, offset: [nowhere; 3], channels: None, end_sites: Vec::new() });
    Ok(Open { keyword_at: word.start, name, offset: None, site: Site::Joint { index, has_child: false } })
}

fn begin_end_site(scanner: &mut Scanner, word: Span, report: &mut Report) -> Result<Open, Fault> {
    match scanner.next(report)? {
        Some(site) if site.of(scanner.bytes).eq_ignore_ascii_case(b"Site") => tell_case(scanner, site, "Site", report)?,
        other => {
            let found = other.map_or("the end of the file".to_owned(), |span| shown(span.of(scanner.bytes)));
            return Err(scanner.error(codes::UNEXPECTED, word.start, "`End Site`", format!("`End` and {found}")));
        }
    }
    let name = scanner.name(report)?;
    open_brace(scanner, report)?;
    Ok(Open { keyword_at: word.start, name, offset: None, site: Site::End { has_channels: false } })
}

fn open_brace(scanner: &mut Scanner, report: &mut Report) -> Result<(), Fault> {
    match scanner.next(report)? {
        Some(span) if span.of(scanner.bytes) == b"{" => Ok(()),
        Some(span) => Err(scanner.error(codes::UNEXPECTED, span.start, "`{`", shown(span.of(scanner.bytes)))),
        None => Err(scanner.error(codes::UNCLOSED, scanner.at, "`{`", "the end of the file")),
    }
}

fn three_numbers(scanner: &mut Scanner, word: Span, report: &mut Report) -> Result<[Number; 3], Fault> {
    let nowhere = Number { span: word, value: 0.0, decimals: 0 };
    let mut numbers = [nowhere; 3];
    for (count, slot) in numbers.iter_mut().enumerate() {
        // Numbers may wrap to the next line, but a keyword means that they are missing.
        match scanner.peek(report)? {
            Some(span) if crate::number::looks_numeric(span.of(scanner.bytes)) => {
                *slot = scanner.number(span, report)?;
                scanner.at = slot.span.end;
            }
            _ => {
                return Err(scanner.error(codes::OFFSET, word.start, "3 numbers after OFFSET", count.to_string()));
            }
        }
    }
    match scanner.peek_on_line(report)? {
        Some(span) if crate::number::looks_numeric(span.of(scanner.bytes)) => {
            let found = format!("a fourth, {}", shown(span.of(scanner.bytes)));
            Err(scanner.error(codes::OFFSET, span.start, "3 numbers after OFFSET", found))
        }
        _ => Ok(numbers),
    }
}

fn channel_list(
    scanner: &mut Scanner,
    word: Span,
    first_column: usize,
    report: &mut Report,
) -> Result<ChannelList, Fault> {
    let count_error = |scanner: &Scanner, span: Option<Span>| {
        let found = span.map_or("the end of the line".to_owned(), |span| shown(span.of(scanner.bytes)));
        scanner.error(codes::CHANNELS, span.unwrap_or(word).start, "the number of channels", found)
    };
    let Some(count_span) = scanner.peek(report)? else { return Err(count_error(scanner, None)) };
    let text = std::str::from_utf8(count_span.of(scanner.bytes)).unwrap_or("");
    // Only compared, never allocated from.
    let Ok(count) = text.parse::<u64>() else { return Err(count_error(scanner, Some(count_span))) };
    scanner.at = count_span.end;

    let mut columns: Vec<Column> = Vec::new();
    let mut names = Vec::new();
    let mut end = count_span.end;
    loop {
        let full = columns.len() as u64 >= count;
        let on_line = scanner.peek_on_line(report)?;
        let span = match on_line {
            Some(span) => span,
            // A list may go on in the next line while its count says so, but only with names we know.
            None if full => break,
            None => match scanner.peek(report)? {
                Some(span) if channel(span.of(scanner.bytes)).is_some() => span,
                _ => break,
            },
        };
        let token = span.of(scanner.bytes);
        let known = channel(token);
        if known.is_none() {
            let ends_list = matches!(token, b"{" | b"}")
                || KEYWORDS.iter().any(|(word, _)| token.eq_ignore_ascii_case(word.as_bytes()));
            if ends_list {
                break;
            }
            if full || !token[0].is_ascii_alphabetic() {
                let expected = format!("{count} channels");
                return Err(scanner.error(codes::UNKNOWN_WORD_IN_CHANNELS, span.start, expected, shown(token)));
            }
        }
        let most = scanner.options.limits.channels_per_joint;
        if columns.len() >= most {
            return Err(scanner.error(
                codes::TOO_MANY_CHANNELS,
                span.start,
                format!("at most {most} channels"),
                "more",
            ));
        }
        columns.push(column(scanner, span, known, &columns, report)?);
        names.push(span);
        scanner.at = span.end;
        end = span.end;
    }
    if columns.len() as u64 != count {
        report.deviation(codes::CHANNEL_COUNT, || {
            let found = format!("{} names for a count of {count}", columns.len());
            Diagnostic::warning(codes::CHANNEL_COUNT, "as many names as the count says", found)
                .at(scanner.bytes, count_span.start)
                .hint("the names are used")
        })?;
    }
    Ok(ChannelList { span: Span { start: count_span.start, end }, first_column, columns, names })
}

fn column(
    scanner: &Scanner,
    span: Span,
    known: Option<(Channel, String)>,
    before: &[Column],
    report: &mut Report,
) -> Result<Column, Fault> {
    let token = span.of(scanner.bytes);
    let Some((channel, spelling)) = known else {
        if token.contains(&0) {
            return Err(scanner.error(codes::NUL, span.start, "a channel", shown(token)));
        }
        report.deviation(codes::OPAQUE_CHANNEL, || {
            Diagnostic::warning(codes::OPAQUE_CHANNEL, "a position or rotation channel", shown(token))
                .at(scanner.bytes, span.start)
                .hint("its values are carried through untouched")
        })?;
        return Ok(Column::Opaque);
    };
    if before.contains(&Column::Known(channel)) {
        let found = format!("{} twice", shown(token));
        return Err(scanner.error(codes::CHANNELS, span.start, "each channel once", found));
    }
    tell_case(scanner, span, &spelling, report)?;
    Ok(Column::Known(channel))
}

/// A channel name in any case, and its usual spelling.
fn channel(token: &[u8]) -> Option<(Channel, String)> {
    let (first, rest) = token.split_first()?;
    let axis = Axis::ALL.into_iter().find(|axis| first.eq_ignore_ascii_case(&(axis.letter() as u8)))?;
    if rest.eq_ignore_ascii_case(b"position") {
        Some((Channel::Position(axis), format!("{}position", axis.letter())))
    } else if rest.eq_ignore_ascii_case(b"rotation") {
        Some((Channel::Rotation(axis), format!("{}rotation", axis.letter())))
    } else {
        None
    }
}

fn tell_late_channels(scanner: &Scanner, word: Span, report: &mut Report) -> Result<(), Fault> {
    report.deviation(codes::CHANNELS_LATE, || {
        Diagnostic::warning(codes::CHANNELS_LATE, "CHANNELS before the children", "CHANNELS after a child")
            .at(scanner.bytes, word.start)
            .hint("values are taken in the order of the CHANNELS lists")
    })
}

fn ended(scanner: &Scanner, open: &[Open]) -> Fault {
    if open.is_empty() {
        return scanner.error(codes::NO_MOTION, scanner.bytes.len(), "MOTION", "the end of the file");
    }
    unclosed(scanner, open, scanner.bytes.len(), "the end of the file")
}

fn unclosed(scanner: &Scanner, open: &[Open], at: usize, found: &str) -> Fault {
    let innermost = open.last().map_or((0, Span::default()), |top| (top.keyword_at, top.name));
    let line = Place::locate(scanner.bytes, innermost.0).line;
    let name = shown(innermost.1.of(scanner.bytes));
    let hint = match scanner.options.mode {
        Mode::Salvage => "nothing of a file that is cut in its hierarchy can be kept",
        _ => "",
    };
    let expected = format!("`}}` for {name}, opened in line {line}");
    Box::new(Diagnostic::error(codes::UNCLOSED, expected, found).at(scanner.bytes, at).hint(hint))
}
