//! Templates with holes for values.
//!
//! `{name}` is a value as it is, `{name:.2}` a number with two decimals, `{name:cm.1}` the same in centimetres,
//! `{name:join, }` a list with commas, `{name:place}` a contact point as people call it, and `{name|1=frame|_=frames}` a
//! choice by the value, whose texts may have holes themselves; one with a text for the empty value takes it where there
//! is none.

use aplomb_editing::finding::{Finding, Value};

/// A stretch of a template.
enum Piece<'a> {
    Text(&'a str),
    Hole { name: &'a str, how: How<'a> },
}

/// How a value is written.
enum How<'a> {
    Plain(&'a str),
    Choice(Vec<(&'a str, &'a str)>),
}

/// The template with the values of a finding.
pub(crate) fn fill(template: &str, finding: &Finding) -> String {
    pieces(template).iter().map(|piece| filled(piece, finding)).collect()
}

/// The names of all values that a template has holes for.
pub fn names(template: &str) -> Vec<&str> {
    let of_piece = |piece| match piece {
        Piece::Text(_) => Vec::new(),
        Piece::Hole { name, how: How::Plain(_) } => vec![name],
        Piece::Hole { name, how: How::Choice(texts) } => {
            std::iter::once(name).chain(texts.into_iter().flat_map(|(_, text)| names(text))).collect()
        }
    };
    pieces(template).into_iter().flat_map(of_piece).collect()
}

fn filled(piece: &Piece<'_>, finding: &Finding) -> String {
    let (name, how) = match piece {
        Piece::Text(text) => return (*text).to_owned(),
        Piece::Hole { name, how } => (name, how),
    };
    match (finding.get(name), how) {
        (None, How::Choice(texts)) if texts.iter().any(|(own, _)| own.is_empty()) => {
            texts.iter().find(|(own, _)| own.is_empty()).map_or_else(String::new, |(_, text)| fill(text, finding))
        }
        // What is missing shows, and does not hide the rest.
        (None, _) => format!("{{{name}}}"),
        (Some(value), How::Plain(format)) => written(&value, format),
        (Some(value), How::Choice(texts)) => {
            let key = written(&value, "");
            let chosen = texts.iter().find(|(own, _)| *own == key || *own == "_");
            chosen.map_or(key, |(_, text)| fill(text, finding))
        }
    }
}

fn written(value: &Value, format: &str) -> String {
    let separator = format.strip_prefix("join").unwrap_or(", ");
    match value {
        Value::Number(number) => number_text(*number, format),
        Value::Count(count) => count.to_string(),
        Value::Text(text) if format == "place" => place(text),
        Value::Text(text) => text.clone(),
        Value::Names(names) => names.join(separator),
        Value::Parts(parts) => parts.iter().map(crate::sentence).collect::<Vec<_>>().join(separator),
    }
}

/// `left_ball` is a name for programs; joints are called as their file calls them.
fn place(name: &str) -> String {
    let side_and_point = name.split_once('_').filter(|(side, _)| ["left", "right"].contains(side));
    match side_and_point {
        Some((side, "ball")) => format!("{side} ball of the foot"),
        Some((side, "toe")) => format!("{side} toes"),
        Some((side, point @ ("heel" | "hand" | "front_paw" | "hind_paw"))) => {
            format!("{side} {}", point.replace('_', " "))
        }
        _ => name.to_owned(),
    }
}

/// `cm.1`: the unit to show, and how many decimals.
fn number_text(number: f64, format: &str) -> String {
    let (unit, decimals) = format.split_once('.').unwrap_or((format, ""));
    let shown = match unit {
        "cm" | "percent" => 1e2 * number,
        "mm" | "ms" => 1e3 * number,
        "deg" => number.to_degrees(),
        _ => number,
    };
    decimals.parse::<usize>().map_or_else(|_| shown.to_string(), |decimals| format!("{shown:.decimals$}"))
}

fn pieces(template: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), template);
    while let Some((text, after)) = rest.split_once('{') {
        let (hole, next) = split_outside(after, '}').unwrap_or((after, ""));
        pieces.push(Piece::Text(text));
        pieces.push(hole_of(hole));
        rest = next;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

fn hole_of(hole: &str) -> Piece<'_> {
    let Some((name, mut rest)) = split_outside(hole, '|') else {
        let (name, format) = hole.split_once(':').unwrap_or((hole, ""));
        return Piece::Hole { name, how: How::Plain(format) };
    };
    let mut texts = Vec::new();
    loop {
        let (text, next) = split_outside(rest, '|').map_or((rest, None), |(text, next)| (text, Some(next)));
        texts.extend(text.split_once('='));
        match next {
            Some(next) => rest = next,
            None => return Piece::Hole { name, how: How::Choice(texts) },
        }
    }
}

/// Splits at the first such letter that is in no hole.
fn split_outside(text: &str, at: char) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (index, letter) in text.char_indices() {
        if letter == at && depth == 0 {
            return Some((&text[..index], &text[index + at.len_utf8()..]));
        }
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_editing::finding::Code;

    const CODE: Code = Code {
        id: "TST-N001",
        meaning: "a test",
        values: &["joint", "start_secs", "end_secs", "far_m", "turn_rad", "frames", "names", "share"],
    };

    #[test]
    fn holes_are_filled_with_units_lists_and_choices() {
        let names = ["left".to_owned(), "right".to_owned()];
        let finding = Finding::of(CODE)
            .joint("Hips")
            .at(0.25, 1.5)
            .value("far_m", 0.0125)
            .value("turn_rad", std::f64::consts::FRAC_PI_2)
            .value("frames", 1_usize)
            .value("names", &names[..]);
        let of = |template: &str| fill(template, &finding);
        assert_eq!(of("{joint} from {start_secs:.2} to {end_secs} s"), "Hips from 0.25 to 1.5 s");
        assert_eq!(of("{far_m:cm.1} cm, {far_m:mm.0} mm, {turn_rad:deg.0}°"), "1.2 cm, 12 mm, 90°");
        assert_eq!(of("{frames} frame{frames|1=|_=s} of {names:join, then }"), "1 frame of left, then right");
        assert_eq!(of("{joint|Neck=no|_=at {start_secs:.1} s, {joint}}!"), "at 0.2 s, Hips!");
        assert_eq!(of("{far_m:.2}: {share|=|_={share}, }on"), "0.01: on", "an empty text for what is missing");
        assert_eq!(
            ["left_ball", "right_toe", "left_hind_paw", "LeftFoot", "left_seat"].map(super::place),
            ["left ball of the foot", "right toes", "left hind paw", "LeftFoot", "left_seat"]
        );
        assert_eq!(of("{share:.1} and on"), "{share} and on", "what is missing shows");
        assert_eq!(super::names("{a} {b:.1} {c|x={d}|_=e}"), ["a", "b", "c", "d"]);
    }
}
