//! Numbers as people read them, each with its unit. What is not known is a dash.

/// `1.2 cm`.
pub fn centimetres(metres: Option<f64>) -> String {
    known(metres, |metres| format!("{} cm", decimals(100.0 * metres, 1)))
}

/// `1.2 mm`.
pub fn millimetres(metres: Option<f64>) -> String {
    known(metres, |metres| format!("{} mm", decimals(1000.0 * metres, 1)))
}

/// `12 %`.
pub fn percent(share: Option<f64>) -> String {
    known(share, |share| match 100.0 * share {
        // What happened is not nothing, and what is missing is not all.
        share if share > 0.0 && share < 0.5 => "< 1 %".to_owned(),
        share if (99.5..100.0).contains(&share) => "> 99 %".to_owned(),
        share => format!("{} %", decimals(share, 0)),
    })
}

/// `0.512 s`.
pub fn seconds(secs: Option<f64>) -> String {
    known(secs, |secs| format!("{} s", decimals(secs, 3)))
}

/// `9.81 m/s²`.
pub fn acceleration(value: Option<f64>) -> String {
    known(value, |value| format!("{} m/s²", decimals(value, 2)))
}

/// `60`, `29.97`.
pub fn rate(hz: Option<f64>) -> String {
    known(hz, |hz| {
        let text = format!("{hz:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    })
}

/// Of a measure whose unit is given by name: m in centimetres, shares in per cent, everything else as it is.
pub fn measured(value: Option<f64>, unit: &str) -> String {
    match unit {
        "m" => centimetres(value),
        "share" => percent(value),
        "s" => known(value, |value| format!("{} s", decimals(value, 2))),
        "points" => known(value, |value| decimals(value, 1)),
        "count" => known(value, |value| decimals(value, 0)),
        "1" => known(value, |value| decimals(value, 2)),
        unit => known(value, |value| format!("{} {unit}", decimals(value, 2))),
    }
}

/// `1 flight`, `2 flights`.
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Without the minus of a rounded zero.
pub fn decimals(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    if text.trim_start_matches('-').chars().all(|letter| matches!(letter, '0' | '.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text.replace('-', "−")
    }
}

fn known(value: Option<f64>, show: impl FnOnce(f64) -> String) -> String {
    value.filter(|value| value.is_finite()).map_or_else(|| "–".to_owned(), show)
}

/// Columns that text may take: those that COLUMNS says, else those of the terminal, else 100. Below 80 tables are no
/// tables any more, and beyond 160 eyes lose the line.
pub fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse::<usize>().ok()).filter(|it| *it > 0);
    let seen = || terminal_size::terminal_size().map(|(terminal_size::Width(width), _)| usize::from(width));
    said.or_else(seen).unwrap_or(100).clamp(80, 160)
}

/// At most so many characters, the last an ellipsis where something is missing.
pub fn cut_short(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most.saturating_sub(1)).chain(std::iter::once('…')).collect(),
    }
}

/// Breaks a sentence into lines of at most `width` characters, where it has spaces.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units_and_unknowns_have_none() {
        assert_eq!(centimetres(Some(0.0123)), "1.2 cm");
        assert_eq!(centimetres(Some(-0.0001)), "0.0 cm", "no minus zero");
        assert_eq!(centimetres(None), "–");
        assert_eq!(millimetres(Some(f64::NAN)), "–");
        assert_eq!(percent(Some(0.001)), "< 1 %");
        assert_eq!(percent(Some(0.0)), "0 %");
        assert_eq!(percent(Some(0.999)), "> 99 %");
        assert_eq!((rate(Some(120.0)), rate(Some(30000.0 / 1001.0))), ("120".into(), "29.97".into()));
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "clip")), ["0 clips", "1 clip", "2 clips"]);
    }

    #[test]
    fn long_titles_end_in_an_ellipsis() {
        assert_eq!(cut_short("slide of a contact", 18), "slide of a contact");
        assert_eq!(cut_short("slide of a contact", 8), "slide o…");
    }

    #[test]
    fn sentences_break_at_spaces() {
        assert_eq!(wrapped("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrapped("averyverylongword x", 5), ["averyverylongword", "x"]);
        assert!(wrapped("", 5).is_empty());
    }
}
