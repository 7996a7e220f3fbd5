//! The score in words and bars.

use crate::escape::html;
use crate::units::{UNKNOWN, length, number, percent};
use aplomb_analysis::Inspection;
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

/// 0–100 as a large number with a ring.
pub(crate) fn number_block(score: &Score) -> String {
    let Some(value) = score.score.filter(|value| value.is_finite()) else {
        return "<div class=\"score none\"><span class=\"score-number\">–</span><span class=\"score-of\">no score</span></div>"
            .to_owned();
    };
    let value = value.clamp(0.0, 100.0);
    let grade = if score.judged { grade(value / 100.0) } else { "unjudged" };
    // Circumference of the ring at r = 54 is 339.292.
    let (dash, shown) = (value / 100.0 * 339.292, number(value, 0));
    let all = score.score_all.filter(|all| all.is_finite() && (all - value).abs() >= 0.5);
    let all = all.map_or_else(String::new, |all| {
        format!(
            "<span class=\"score-all\" title=\"with the frames that are left out\">{} with all frames</span>",
            number(all, 0)
        )
    });
    format!(
        "<div class=\"score {grade}\" role=\"img\" aria-label=\"Plausibility score {shown} of 100\">\
         <svg viewBox=\"0 0 120 120\" aria-hidden=\"true\"><circle class=\"ring-track\" cx=\"60\" cy=\"60\" r=\"54\"/>\
         <circle class=\"ring\" cx=\"60\" cy=\"60\" r=\"54\" stroke-dasharray=\"{dash:.1} 400\" transform=\"rotate(-90 60 60)\"/></svg>\
         <span class=\"score-number\">{shown}</span><span class=\"score-of\">of 100</span></div>{all}"
    )
}

pub(crate) fn grade(quality: f64) -> &'static str {
    match quality {
        quality if quality >= 0.8 => "good",
        quality if quality >= 0.5 => "fair",
        _ => "poor",
    }
}

/// One sentence that says what the number means here.
pub(super) fn verdict(inspection: &Inspection) -> String {
    let score = &inspection.score;
    let Some(value) = score.score.filter(|value| value.is_finite()) else {
        let judged = percent(score.judged_share);
        let why = if inspection.contacts.contacts.is_empty() {
            "This clip has no contact that physics could be held against.".to_owned()
        } else {
            format!("Physics could be held against {} of this clip; a score needs half of it.", html(&judged))
        };
        return format!("<strong>No score.</strong> {why}");
    };
    let worst = score.worst.and_then(|worst| score.parts.iter().find(|part| part.name == worst));
    let worst = worst.filter(|part| part.quality < 0.995).map(|part| {
        let (title, meaning) = title_of(part.name);
        format!(" What costs most is {}: {} ({}).", html(&title.to_lowercase()), html(&value_of(part)), html(meaning))
    });
    let worst = worst.unwrap_or_else(|| " No measure costs anything worth naming.".to_owned());
    if !score.judged {
        let share = html(&percent(inspection.other_share.unwrap_or(0.0)));
        return format!(
            "<strong>Not judged by physics.</strong> For {share} of the time the body is carried by something that is not modelled; \
             the score covers the rest.{worst}"
        );
    }
    let opening = match value {
        value if value >= 90.0 => "Obeys physics.",
        value if value >= 75.0 => "Plausible, with small faults.",
        value if value >= 50.0 => "Doubtful in places.",
        value if value >= 20.0 => "Breaks physics in places.",
        _ => "Breaks physics.",
    };
    format!("<strong>{opening}</strong>{worst}")
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
        let grade = if measured.is_none() { "absent" } else { grade(quality) };
        let is_worst = score.worst == Some(part.name) && quality < 0.995;
        let cost = match measured {
            None => "does not apply".to_owned(),
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
