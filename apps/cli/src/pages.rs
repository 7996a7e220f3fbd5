//! From a report to pages: what `inspect --html` and `demo` share.

use crate::scene_drawn;
use crate::shown::{centimetres, counted, percent};
use aplomb_pages::{Card, Heading, ReportInput};
use aplomb_project::edit::TrackRecord;
use aplomb_project::{ClipReport, Inspected};
use aplomb_render::{Layout, Strip, Subject, Theme, View};
use std::path::Path;

/// The page of one clip; `known_as` gives it a name and a page to go back to, where it is one of many.
pub fn report(inspected: &Inspected, report: &ClipReport, known_as: Option<(&str, &str)>) -> String {
    let name = known_as.map_or_else(|| file_name(&report.file), |(name, _)| name.to_owned());
    let input =
        ReportInput::new(&name, inspected.clip(), &inspected.import.roles, &inspected.body, &inspected.inspection);
    aplomb_pages::report_html(&ReportInput {
        facts: facts(inspected, report),
        rate_was_assumed: inspected.header_hz().is_none(),
        back_href: known_as.map(|(_, back)| back),
        ..input
    })
}

/// Above the cards of the demo.
pub fn demo_heading() -> Heading {
    Heading {
        title: "Motion that obeys physics.".to_owned(),
        lead: "Aplomb reads captured motion, says where it breaks contact, balance or gravity, and edits it so that it stays \
               physically right."
            .to_owned(),
        notes: ["computed by Aplomb itself, no recorded motion", LOADS_NOTHING].map(str::to_owned).into(),
        failures: Vec::new(),
        made_by: "aplomb demo".to_owned(),
    }
}

/// Above the cards of the files that somebody brought, and how many those were.
pub fn inspect_heading(clips: usize, failures: Vec<(String, String)>) -> Heading {
    let mut notes = vec![LOADS_NOTHING.to_owned()];
    if !failures.is_empty() {
        notes.insert(0, format!("{} of {clips} gave no report", failures.len()));
    }
    Heading {
        title: format!("Physics report of {}", counted(clips.saturating_sub(failures.len()), "clip")),
        lead: "Where these motions break contact, balance or gravity. Each card leads to its report.".to_owned(),
        notes,
        failures,
        made_by: "aplomb inspect".to_owned(),
    }
}

const LOADS_NOTHING: &str = "these pages load nothing from the network";

/// A card of the index, with a line on the clip.
pub fn card(report: &ClipReport, title: &str, page: &Path, about: Option<&str>) -> Card {
    let flights = report.flights.len();
    let summary = match about {
        Some(about) => about.to_owned(),
        None => format!("{:.2} s, {}", report.duration_secs, counted(report.frames, "frame")),
    };
    let figures = vec![
        ("ZMP outside".to_owned(), centimetres(report.zmp.mean_m)),
        ("slide".to_owned(), centimetres(report.skate.mean_m)),
        if flights > 0 {
            let g = report.flights.iter().find_map(|flight| flight.g);
            ("falls at".to_owned(), g.map_or_else(|| "–".to_owned(), |g| format!("{g:.2} m/s²")))
        } else {
            ("out of balance".to_owned(), percent(report.balance.outside_share))
        },
    ];
    Card {
        verb: "inspect".to_owned(),
        title: title.to_owned(),
        summary,
        score: report.score,
        figures,
        href: page.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..Card::default()
    }
}

/// A picture for a card: figures from the side, without words. Nothing if it cannot be drawn: a card without a picture is still a card.
pub fn picture_svg(inspected: &Inspected, theme: Theme) -> Option<String> {
    let mut strip = Strip::new(subject(inspected));
    strip.views = vec![View::Side];
    strip.layout = Layout::Auto;
    strip.theme = theme;
    strip.bare = true;
    strip.width_px = 720;
    strip.draw().ok().map(|picture| picture.svg)
}

/// The same for two versions of a motion, one over the other.
pub fn pair_svg(
    before: &Inspected,
    after: &Inspected,
    scene: Option<&TrackRecord>,
    view: View,
    theme: Theme,
) -> Option<String> {
    let mut strip = Strip::new(subject(before));
    strip.after = Some(subject(after));
    if let Some(record) = scene {
        scene_drawn::furnish(&mut strip, record);
    }
    strip.views = vec![view];
    // From above, side by side, a way is no way.
    strip.layout = if view == View::Top { Layout::InPlace } else { Layout::Auto };
    strip.theme = theme;
    strip.bare = true;
    strip.width_px = 720;
    strip.draw().ok().map(|picture| picture.svg)
}

/// Two versions of a motion as figures where they are, over the whole width of a page.
pub fn exposures_svg(before: &Inspected, after: &Inspected, theme: Theme) -> Option<String> {
    let mut strip = Strip::new(subject(before));
    strip.after = Some(subject(after));
    strip.views = vec![View::Side];
    strip.layout = Layout::InPlace;
    strip.theme = theme;
    strip.bare = true;
    strip.width_px = 1280;
    strip.draw().ok().map(|picture| picture.svg)
}

fn subject(inspected: &Inspected) -> Subject<'_> {
    Subject { name: "", clip: inspected.clip(), roles: Some(&inspected.import.roles) }
}

/// Where the clip came from; rate, size and masses the page tells by itself.
fn facts(inspected: &Inspected, report: &ClipReport) -> Vec<(String, String)> {
    let import = &inspected.import;
    let fact = |label: &str, value: String| (label.to_owned(), value);
    vec![
        fact("File", file_name(&report.file)),
        fact("Format", import.kind.name().to_owned()),
        fact("Unit", import.guess.unit_name.to_string()),
        fact("Made by", format!("aplomb {}", env!("CARGO_PKG_VERSION"))),
    ]
}

/// Without its folder.
pub fn file_name(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}
