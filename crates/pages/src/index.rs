//! The front page of many reports: a card for every clip, grouped by verb.

use crate::escape::{html, relative_href};
use crate::judged::class_of;
use crate::template::{Page, fill};
use crate::units::number;
use aplomb_project::Grade;
use std::fmt::Write;

/// Something worth looking at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// The verb that made it, such as `inspect`: cards of one verb stand together.
    pub verb: String,
    /// Name of the clip.
    pub title: String,
    /// One line about it.
    pub summary: String,
    /// 0–100, if it was judged.
    pub score: Option<f64>,
    /// Colour of the score.
    pub grade: Option<Grade>,
    /// What is worst, in a sentence; empty for none.
    pub headline: String,
    /// The key numbers with their units, (label, value); three look best.
    pub figures: Vec<(String, String)>,
    /// A picture as SVG text; empty for none.
    pub picture_svg: String,
    /// The same for a dark page; the light one is shown where there is none.
    pub picture_dark_svg: Option<String>,
    /// The report beside the page, as a relative path.
    pub href: Option<String>,
    /// What an edit changed.
    pub comparison: Option<Comparison>,
}

/// What a front page says above its cards and below them. All of it is text, and is escaped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// What is shown.
    pub title: String,
    /// A sentence or two about it.
    pub lead: String,
    /// Short remarks beside the count of the cards.
    pub notes: Vec<String>,
    /// What has no card, (name, why).
    pub failures: Vec<(String, String)>,
    /// The command that made the page.
    pub made_by: String,
}

/// Before and after an edit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Report of the clip before, as a relative path.
    pub before_href: Option<String>,
    /// Report of the clip after.
    pub after_href: Option<String>,
    /// (label, before, after), each value with its unit.
    pub figures: Vec<(String, String, String)>,
}

const TEMPLATE: &str = include_str!("../assets/index.html");
const STYLE: &str = concat!(include_str!("../assets/base.css"), include_str!("../assets/index.css"));
const SCRIPT: &str = include_str!("../assets/theme.js");

/// The whole page: one file, no network, relative links only.
pub fn index_html(heading: &Heading, cards: &[Card]) -> String {
    let mut verbs: Vec<&str> = Vec::new();
    for card in cards {
        if !verbs.contains(&card.verb.as_str()) {
            verbs.push(&card.verb);
        }
    }
    let mut groups = String::new();
    for verb in verbs {
        let (title, meaning) = heading_of(verb);
        let _ = write!(
            groups,
            "<section class=\"group\"><header><h2>{}</h2><p>{}</p></header><div class=\"cards\">",
            html(title),
            html(meaning)
        );
        cards.iter().filter(|card| card.verb == verb).for_each(|card| write_card(&mut groups, card));
        groups.push_str("</div></section>");
    }
    write_failures(&mut groups, &heading.failures);
    let count = match cards.len() {
        1 => "1 clip".to_owned(),
        count => format!("{count} clips"),
    };
    let notes = std::iter::once(&count).chain(&heading.notes);
    let notes: String = notes.map(|note| format!("<span>{}</span>", html(note))).collect();
    let main = fill(
        TEMPLATE,
        &[("groups", &groups), ("title", &html(&heading.title)), ("lead", &html(&heading.lead)), ("notes", &notes)],
    );
    let footer = format!(
        "Made by <code>{}</code>. The score runs from 0 to 100: physics (contact, balance, gravity), body (poses and how they \
         follow each other) and recording together. It says nothing about style.",
        html(&heading.made_by)
    );
    Page { title: &heading.title, style: STYLE, script: SCRIPT, main: &main, footer: &footer, ..Page::default() }.html()
}

fn write_failures(out: &mut String, failures: &[(String, String)]) {
    if failures.is_empty() {
        return;
    }
    out.push_str("<section class=\"group\"><header><h2>No report</h2><p>Files that could not be read or judged, and why.</p></header><ul class=\"failures\">");
    for (name, why) in failures {
        let _ = write!(out, "<li><strong>{}</strong> {}</li>", html(name), html(why));
    }
    out.push_str("</ul></section>");
}

fn heading_of(verb: &str) -> (&str, &str) {
    match verb {
        "inspect" => ("Inspect", "Does this motion obey contact, balance and gravity, and where does it not?"),
        "touchup" => (
            "Touch up",
            "Edited motion made to balance and to fall as gravity wants, with as little change as that takes.",
        ),
        "plant" => ("Plant", "Feet that stand where they stand."),
        "blend" => ("Blend", "Motions between motions that fall at g, stand on their feet and keep their balance."),
        "path" => ("Path", "The way of a motion as a curve with handles: feet stand, flights fall, times follow."),
        "track" => ("Track", "A motion played by a driven body: other people, things that push back, balance."),
        "reach" => ("Reach", "A hand put where it should be."),
        "adapt" => (
            "Adapt",
            "Jumps and runs with new goals that obey full dynamics: farther, higher, turned, loaded, on one leg.",
        ),
        "masses" => ("Masses", "What the parts of a body weigh, from how it moves."),
        "arc" => ("Arc", "A motion bent onto a curve."),
        "tilt" => ("Tilt", "A motion tilted against gravity, up or down a slope."),
        "travel" => ("Travel", "A motion on the spot, carried on as fast as its feet go back."),
        "speed" => ("Speed", "The same motion faster or slower."),
        "transition" => ("Transition", "From one motion over into another."),
        "cut" => ("Cut", "A part of a motion."),
        "join" => ("Join", "One motion after the other."),
        other => (other, ""),
    }
}

fn write_card(out: &mut String, card: &Card) {
    let href = card.href.as_deref().and_then(relative_href);
    out.push_str("<article class=\"card\">");
    write_picture(out, card);
    out.push_str("<div class=\"card-text\"><div class=\"card-head\"><h3>");
    match &href {
        // The link's ::after covers the card, so all of it can be clicked and the text is read once.
        Some(href) => {
            let _ = write!(out, "<a href=\"{href}\">{}</a>", html(&card.title));
        }
        None => out.push_str(&html(&card.title)),
    }
    out.push_str("</h3>");
    if let Some(score) = card.score.filter(|score| score.is_finite()) {
        let grade = class_of(card.grade.unwrap_or(Grade::NotJudged));
        let shown = number(score.clamp(0.0, 100.0), 0);
        let _ = write!(
            out,
            "<span class=\"badge {grade}\" title=\"score, of 100\" aria-label=\"score {shown} of 100\">{shown}</span>"
        );
    }
    let _ = write!(out, "</div><p>{}</p>", html(&card.summary));
    if !card.headline.is_empty() {
        let grade = class_of(card.grade.unwrap_or(Grade::NotJudged));
        let _ = write!(out, "<p class=\"said {grade}\">{}</p>", html(&card.headline));
    }
    if !card.figures.is_empty() {
        out.push_str("<dl class=\"figures\">");
        for (label, value) in &card.figures {
            let _ = write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", html(label), html(value));
        }
        out.push_str("</dl>");
    }
    if let Some(comparison) = &card.comparison {
        write_comparison(out, comparison);
    }
    out.push_str("</div></article>");
}

/// As an image: what is inside cannot run, and its styles and ids stay its own.
fn write_picture(out: &mut String, card: &Card) {
    if card.picture_svg.is_empty() {
        return;
    }
    let source = |svg: &str| format!("data:image/svg+xml;base64,{}", crate::pack::bytes(svg.as_bytes()));
    let class = if card.picture_dark_svg.is_some() { " class=\"for-light\"" } else { "" };
    let alt = format!("Figures of {} over time", card.title);
    let _ = write!(
        out,
        "<div class=\"picture\"><img{class} loading=\"lazy\" alt=\"{}\" src=\"{}\">",
        html(&alt),
        source(&card.picture_svg)
    );
    if let Some(dark) = &card.picture_dark_svg {
        let _ =
            write!(out, "<img class=\"for-dark\" loading=\"lazy\" alt=\"{}\" src=\"{}\">", html(&alt), source(dark));
    }
    out.push_str("</div>");
}

fn write_comparison(out: &mut String, comparison: &Comparison) {
    let heading = |name: &str, href: &Option<String>| match href.as_deref().and_then(relative_href) {
        Some(href) => format!("<a class=\"over\" href=\"{href}\">{name}</a>"),
        None => name.to_owned(),
    };
    // The colours are those of strips with two motions.
    let _ = write!(
        out,
        "<table class=\"comparison\"><thead><tr><td></td><th scope=\"col\"><i class=\"was\"></i>{}</th><td></td>\
         <th scope=\"col\"><i class=\"is\"></i>{}</th></tr></thead><tbody>",
        heading("before", &comparison.before_href),
        heading("after", &comparison.after_href)
    );
    for (label, before, after) in &comparison.figures {
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"was\">{}</td><td aria-hidden=\"true\">→</td><td class=\"is\">{}</td></tr>",
            html(label),
            html(before),
            html(after)
        );
    }
    out.push_str("</tbody></table>");
}
