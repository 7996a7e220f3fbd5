//! The report of one clip as a page.

mod score;
mod tables;

use crate::escape::html;
use crate::file_name;
use crate::input::ReportInput;
use crate::judged;
use crate::payload::{self, Budget, Payload};
use crate::template::{Page, fill};
use crate::units::{length, number, with_unit};
use aplomb_analysis::Inspection;
use aplomb_editing::finding::Wording;
use aplomb_project::{Inspected, Judgement};

const TEMPLATE: &str = include_str!("../../assets/report.html");
const STAGE: &str = include_str!("../../assets/stage.html");
const STYLE: &str = concat!(include_str!("../../assets/base.css"), include_str!("../../assets/report.css"));
pub(crate) const FOOTER: &str =
    "Made by Aplomb. This page is one file and loads nothing. Times are seconds from the first frame; Y is up.";
/// In this order: each file uses only what stands before it.
pub(crate) const SCRIPT: &str = concat!(
    include_str!("../../assets/theme.js"),
    include_str!("../../assets/base.js"),
    include_str!("../../assets/camera.js"),
    include_str!("../../assets/gl.js"),
    include_str!("../../assets/paint.js"),
    include_str!("../../assets/figure.js"),
    include_str!("../../assets/axes.js"),
    include_str!("../../assets/plots.js"),
    include_str!("../../assets/timeline.js"),
    include_str!("../../assets/compare.js"),
    include_str!("../../assets/topview.js"),
    include_str!("../../assets/tables.js"),
    include_str!("../../assets/main.js"),
);

/// The page of one clip, in these words: one file, no network. At most about 10 MB however long the clip is. `known_as`
/// gives it a name and a page to go back to, where it is one of many.
pub fn report_html(inspected: &Inspected, known_as: Option<(&str, &str)>, words: Wording) -> String {
    let import = &inspected.import;
    let file = file_name(&import.path.display().to_string());
    let fact = |label: &str, value: String| (label.to_owned(), value);
    page(&ReportInput {
        facts: vec![
            fact("File", file.clone()),
            fact("Format", import.kind.name().to_owned()),
            fact("Unit", import.guess.unit_name.to_string()),
            fact("Made by", format!("aplomb {}", env!("CARGO_PKG_VERSION"))),
        ],
        rate_was_assumed: inspected.header_hz().is_none(),
        back_href: known_as.map(|(_, back)| back),
        ..ReportInput::of(
            known_as.map_or(file.as_str(), |(name, _)| name),
            inspected,
            Judgement::of(&inspected.inspection, words),
        )
    })
}

pub(crate) fn page(input: &ReportInput) -> String {
    let data = Payload::of(input, &Budget::ONE_MOTION);
    let mut notes = data.notes.clone();
    notes.extend(input.inspection.warnings.iter().map(|warning| in_words(warning, input.inspection)));
    // Serialising plain structs of finite numbers and strings cannot fail; an empty object makes the page say so.
    let json = serde_json::to_string(&data).unwrap_or_else(|_| "{}".to_owned());
    let inspection = input.inspection;
    let parts = score::parts(&inspection.score);
    let main = fill(
        TEMPLATE,
        &[
            ("title", &html(input.title)),
            ("score", &judged::ring(&input.judgement)),
            ("headline", &judged::headline(&input.judgement)),
            ("aspects", &judged::aspects(&input.judgement, None)),
            ("moments", &judged::moments(&input.judgement, None, &data, input)),
            ("parts", &parts),
            ("facts", &facts(input)),
            ("key_figures", &key_figures(inspection)),
            ("warnings", &warnings(&notes)),
            ("stage", &stage("")),
            ("tables", &tables::all(inspection)),
        ],
    );
    Page {
        title: input.title,
        style: STYLE,
        script: SCRIPT,
        back_href: input.back_href,
        main: &main,
        footer: FOOTER,
        data_json: Some(&json),
    }
    .html()
}

/// The moving figure with its transport and the view from above; `which` are further buttons, as markup.
pub(crate) fn stage(which: &str) -> String {
    fill(STAGE, &[("which", which)])
}

pub(crate) fn facts(input: &ReportInput) -> String {
    let (clip, clock) = (input.clip, &input.inspection.contacts.clock);
    let hz = |hz: f64| with_unit(Some((hz * 1000.0).round() / 1000.0).filter(|hz| *hz > 0.0), rate_decimals(hz), "fps");
    let used = if (clock.used_hz / clock.header_hz - 1.0).abs() > 1e-6 {
        let stated = if input.rate_was_assumed { "assumed at first:" } else { "header says" };
        format!("{} ({stated} {})", hz(clock.used_hz), hz(clock.header_hz))
    } else {
        hz(clock.used_hz)
    };
    let duration_secs = payload::duration_secs(input);
    let frames = match clip.frame_count() {
        1 => "1 frame".to_owned(),
        count => format!("{count} frames"),
    };
    let mut rows = vec![
        ("Length".to_owned(), format!("{} s, {frames}", number(duration_secs, 2))),
        ("Rate".to_owned(), used),
        ("Joints".to_owned(), clip.skeleton().len().to_string()),
    ];
    if let Some(stature_m) = input.body.stature_m() {
        rows.push(("Stature".to_owned(), length(stature_m)));
    }
    rows.push(("Mass".to_owned(), with_unit(input.body.told_mass_kg(), 1, "kg")));
    rows.push(("Body".to_owned(), input.body.source().title()));
    rows.extend(input.facts.iter().cloned());
    let row =
        |(label, value): &(String, String)| format!("<div><dt>{}</dt><dd>{}</dd></div>", html(label), html(value));
    rows.iter().map(row).collect()
}

fn rate_decimals(hz: f64) -> usize {
    if (hz - hz.round()).abs() < 0.005 { 0 } else { 2 }
}

/// The numbers people ask for first.
fn key_figures(inspection: &Inspection) -> String {
    use crate::units::{length_or_dash, percent};
    let share = |share: Option<f64>| share.map_or_else(|| crate::units::UNKNOWN.to_owned(), percent);
    let friction = with_unit(inspection.friction.p95, 2, "");
    let friction = if inspection.friction.p95.is_some() { format!("μ {friction}") } else { friction };
    let rows = [
        (
            "ZMP outside support, mean",
            length_or_dash(inspection.zmp.mean_m),
            "zero-moment point to the support polygon",
        ),
        ("Foot drift, worst contact", length_or_dash(inspection.skate.max_m), "how far a standing foot slides"),
        ("Deepest under the floor", length_or_dash(inspection.penetration.max_m), "any foot or hand point"),
        ("Friction needed, p95", friction, "horizontal over vertical force"),
        ("Carried by something unmodelled", share(inspection.other_share), "share of time, left out of the score"),
    ];
    let row = |(label, value, hint): &(&str, String, &str)| {
        format!("<div class=\"key\" title=\"{hint}\"><dt>{label}</dt><dd>{}</dd></div>", html(value))
    };
    rows.iter().map(row).collect()
}

pub(crate) fn warnings(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    // A report has a handful; a hostile file must not fill the page.
    const MOST: usize = 40;
    let items: String = notes.iter().take(MOST).map(|note| format!("<li>{}</li>", html(&sentence(note)))).collect();
    let more = notes.len().saturating_sub(MOST);
    let more = if more > 0 { format!("<li>… and {more} more</li>") } else { String::new() };
    format!(
        "<section class=\"notes\" aria-label=\"Warnings\"><h2 class=\"quiet\">What to know</h2><ul>{items}{more}</ul>\
         </section>"
    )
}

/// `left_ball` is a name for programs.
pub(crate) fn in_words(warning: &str, inspection: &Inspection) -> String {
    let effectors = inspection.contacts.effectors.iter().filter(|effector| effector.name.contains('_'));
    effectors
        .fold(warning.to_owned(), |text, effector| text.replace(&effector.name, &crate::units::words(&effector.name)))
}

/// First letter large.
pub(crate) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
