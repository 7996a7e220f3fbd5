//! The eight measures of physics as bars.

use crate::escape::html;
use crate::units::{UNKNOWN, length, number, percent};
use aplomb_analysis::report::{Score, ScorePart};
use std::fmt::Write;

/// What a measure is called on the page, and what it means.
fn title_of(name: &str) -> (&str, &str) {
    match name {
        "support" => ("Support", "how far the needed support lies outside the feet, mean over time"),
        "drift" => ("Foot drift", "how far standing feet slide, a contact"),
        "fall" => ("Free fall", "error of the fitted acceleration in flight"),
        "tremor" => ("Tremor", "frame noise of joint positions"),
        "pops" => ("Pops", "jumps of the whole body, summed a second"),
        "friction" => ("Friction", "95th percentile of the friction that is needed"),
        "floor" => ("Floor", "distance of the clip's floor from the stated one"),
        "hover" => ("Hover", "stance heights away from the clip's floor"),
        other => (other, ""),
    }
}

/// Of one measure: green where a cut keeps nearly all clean clips, red where it drops nearly all damaged ones
/// (docs/analysis/score.md).
fn grade(quality: f64) -> &'static str {
    match quality {
        quality if quality >= 0.8 => "good",
        quality if quality >= 0.5 => "fair",
        _ => "poor",
    }
}

/// The eight measures, each with its value, its allowance and its half mark.
pub(super) fn parts(score: &Score) -> String {
    let mut out = String::new();
    if score.parts.is_empty() {
        out.push_str("<p class=\"empty\">Nothing was measured.</p>");
    }
    for part in &score.parts {
        let (title, meaning) = title_of(part.name);
        let quality = if part.quality.is_finite() { part.quality.clamp(0.0, 1.0) } else { 1.0 };
        let measured = part.value.filter(|value| value.is_finite());
        let top = (part.half * 1.5).max(f64::MIN_POSITIVE);
        let at = |value: f64| (value.abs() / top * 100.0).clamp(0.0, 100.0);
        let grade = if measured.is_none() || !score.judged { "absent" } else { grade(quality) };
        let is_worst = score.judged && score.worst == Some(part.name) && quality < 0.995;
        let cost = match measured {
            None => "does not apply".to_owned(),
            Some(_) if !score.judged => "not judged".to_owned(),
            Some(_) if quality >= 0.995 => "free".to_owned(),
            Some(_) => format!("−{}", percent(1.0 - quality)),
        };
        let marks = format!(
            "no loss up to {}, half the score at {}",
            quantity(part.allowance, part.unit),
            quantity(part.half, part.unit)
        );
        let _ = write!(
            out,
            "<div class=\"part {grade}{worst}\" title=\"{tip}\"><span class=\"part-name\">{title}{flag}</span>\
             <span class=\"part-value\">{value}</span><span class=\"part-bar\" aria-hidden=\"true\">\
             <i class=\"fill\" style=\"width:{width:.1}%\"></i><i class=\"mark\" style=\"left:{allowance:.1}%\"></i>\
             <i class=\"mark half\" style=\"left:{half:.1}%\"></i></span><span class=\"part-cost\">{cost}</span></div>",
            worst = if is_worst { " worst" } else { "" },
            tip = html(&format!("{meaning}; {marks}")),
            title = html(title),
            flag = if is_worst { " <em>costs most</em>" } else { "" },
            value = html(&value_of(part)),
            width = measured.map_or(0.0, at),
            allowance = at(part.allowance),
            half = at(part.half),
            cost = html(&cost),
        );
    }
    out
}

fn value_of(part: &ScorePart) -> String {
    part.value.filter(|value| value.is_finite()).map_or_else(|| UNKNOWN.to_owned(), |value| quantity(value, part.unit))
}

fn quantity(value: f64, unit: &str) -> String {
    match unit {
        "m" => length(value),
        "1" | "" => format!("μ {}", number(value, 2)),
        _ if value.abs() >= 10.0 => format!("{} {unit}", number(value, 0)),
        _ => format!("{} {unit}", number(value, 2)),
    }
}
