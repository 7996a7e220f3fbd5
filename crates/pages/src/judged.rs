//! What a clip is judged to be, as markup: the ring, the headline, the three things that it is judged by, and the worst
//! moments. Reports, receipts and cards share it, so that no page has a light of its own.

use crate::escape::html;
use crate::input::ReportInput;
use crate::payload::Payload;
use crate::units::{UNKNOWN, number};
use aplomb_analysis::report::Aspect;
use aplomb_project::{Grade, Judgement, MomentReport};
use std::fmt::Write;

/// Moments that stand beside the headline; the JSON has more.
const WORST_MOMENTS: usize = 3;

/// The class that gives a grade its colour.
pub(crate) fn class_of(grade: Grade) -> &'static str {
    match grade {
        Grade::Good => "good",
        Grade::Fair => "fair",
        Grade::Poor => "poor",
        Grade::NotJudged => "unjudged",
    }
}

/// 0–100 as a large number with a ring.
pub(crate) fn ring(judgement: &Judgement) -> String {
    let grade = class_of(judgement.grade);
    let Some(value) = judgement.shown_score else {
        return format!(
            "<div class=\"score {grade} none\"><span class=\"score-number\">{UNKNOWN}</span>\
             <span class=\"score-of\">physics not judged</span></div>"
        );
    };
    let value = value.clamp(0.0, 100.0);
    // Circumference of the ring at r = 54 is 339.292.
    let (dash, shown) = (value / 100.0 * 339.292, number(value, 0));
    format!(
        "<div class=\"score {grade}\" role=\"img\" aria-label=\"Score {shown} of 100\">\
         <svg viewBox=\"0 0 120 120\" aria-hidden=\"true\"><circle class=\"ring-track\" cx=\"60\" cy=\"60\" r=\"54\"/>\
         <circle class=\"ring\" cx=\"60\" cy=\"60\" r=\"54\" stroke-dasharray=\"{dash:.1} 400\" \
         transform=\"rotate(-90 60 60)\"/></svg>\
         <span class=\"score-number\">{shown}</span><span class=\"score-of\">of 100</span></div>"
    )
}

/// Whether the motion is good, and why physics is not judged where it is not.
pub(crate) fn headline(judgement: &Judgement) -> String {
    let grade = class_of(judgement.grade);
    let mut out = format!("<p class=\"headline {grade}\">{}</p>", html(&judgement.headline));
    if let Some(why) = &judgement.not_judged {
        let _ = write!(out, "<p class=\"not-judged\">{}</p>", html(why));
    }
    out
}

/// What each aspect is called, and what it asks.
const ASPECTS: [(&str, &str); 3] = [
    ("Physics", "balance, weight, flight and feet"),
    ("Body", "poses and how they follow each other"),
    ("Recording", "rate, unit, gaps and labels"),
];

/// Three bars; of a receipt with what they were before.
pub(crate) fn aspects(judgement: &Judgement, before: Option<&Judgement>) -> String {
    let mut out = String::from("<div class=\"aspects\">");
    let was = before.map(points);
    for (index, (title, meaning)) in ASPECTS.iter().enumerate() {
        let now = points(judgement)[index];
        let was = was.and_then(|was| was[index]);
        let shown = |value: Option<f64>| value.map_or_else(|| UNKNOWN.to_owned(), |value| number(value, 0));
        let values = match before {
            Some(_) => format!("<s>{}</s> → <b>{}</b>", shown(was), shown(now)),
            None => format!("<b>{}</b>", shown(now)),
        };
        let mark = was.map_or_else(String::new, |was| format!("<i class=\"mark\" style=\"left:{was:.1}%\"></i>"));
        let _ = write!(
            out,
            "<div class=\"aspect {grade}\"><span class=\"aspect-name\">{title} <small>{meaning}</small></span>\
             <span class=\"aspect-value\">{values}</span><span class=\"aspect-bar\" aria-hidden=\"true\">\
             <i class=\"fill\" style=\"width:{width:.1}%\"></i>{mark}</span></div>",
            grade = class_of(judgement.aspect_grades[index]),
            width = now.unwrap_or(0.0),
        );
    }
    out.push_str("</div>");
    out
}

/// Of physics only where it is judged: a low number would say that something is wrong.
fn points(judgement: &Judgement) -> [Option<f64>; 3] {
    let aspects = &judgement.aspects;
    let physics = aspects.physics.filter(|_| judgement.not_judged.is_none());
    [physics, aspects.body, aspects.recording]
        .map(|points| points.filter(|points| points.is_finite()).map(|points| points.clamp(0.0, 100.0)))
}

/// The worst moments, by what they cost; each leads to its time and shows its joint in the figure.
/// Of a receipt with what was wrong before.
pub(crate) fn moments(
    judgement: &Judgement,
    before: Option<&Judgement>,
    payload: &Payload,
    input: &ReportInput,
) -> String {
    let mut out = String::new();
    if judgement.moments.is_empty() {
        return out;
    }
    out.push_str("<ol class=\"moments\" aria-label=\"Worst moments\">");
    for moment in judgement.moments.iter().take(WORST_MOMENTS) {
        let was_there = before.is_some_and(|before| before.moments.iter().any(|was| is_same(was, moment)));
        let body = format!(
            "<span class=\"moment-text\">{}{}</span><span class=\"tag\">{}</span>",
            html(&moment.text),
            if was_there { " <em>(as before)</em>" } else { "" },
            aspect_name(moment.aspect)
        );
        let _ = match moment.is_of_whole_clip() {
            true => write!(out, "<li><div class=\"moment\">{body}</div></li>"),
            false => {
                let joint = moment.joint.as_deref().and_then(|joint| payload.link_of(input, joint));
                let link = joint.map(|link| format!(" data-link=\"{link}\"")).unwrap_or_default();
                let secs = if moment.secs.is_finite() { moment.secs } else { 0.0 };
                write!(
                    out,
                    "<li><button type=\"button\" class=\"moment\" data-secs=\"{secs:.4}\"{link} aria-pressed=\"false\" \
                     title=\"Go to {secs:.2} s\">{body}</button></li>"
                )
            }
        };
    }
    out.push_str("</ol>");
    let more = judgement.moments.len().saturating_sub(WORST_MOMENTS) + judgement.more_moments;
    if more > 0 {
        let _ = write!(out, "<p class=\"more\">and {more} more</p>");
    }
    out
}

/// The same fault of the same joint at nearly the same time, and no worse by more than a tenth.
fn is_same(was: &MomentReport, is: &MomentReport) -> bool {
    const NEAR_SECS: f64 = 0.1;
    const ALIKE: f64 = 1.1;
    let is_near = is.is_of_whole_clip() || (was.secs - is.secs).abs() < NEAR_SECS;
    was.code == is.code && was.joint == is.joint && is_near && is.size <= ALIKE * was.size
}

fn aspect_name(aspect: Aspect) -> &'static str {
    match aspect {
        Aspect::Physics => "physics",
        Aspect::Body => "body",
        Aspect::Recording => "recording",
    }
}
