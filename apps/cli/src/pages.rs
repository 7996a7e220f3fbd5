//! From a report to pages: what `inspect --html` and `demo` share.

use crate::shown::{centimetres, percent};
use aplomb_pages::{Card, ReportInput};
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
        back_href: known_as.map(|(_, back)| back),
        ..input
    })
}

/// A card of the index. `about` is a line on the clip, where somebody wrote one.
pub fn card(report: &ClipReport, page: &Path, about: Option<&str>) -> Card {
    let flights = report.flights.len();
    let summary = match about {
        Some(about) => about.to_owned(),
        None => format!("{:.2} s, {} frames", report.duration_secs, report.frames),
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
        title: page.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
        summary,
        score: report.score,
        figures,
        href: page.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..Card::default()
    }
}

/// A picture for a card: figures from the side, without words. Nothing if it cannot be drawn: a card without a picture is still a card.
pub fn picture_svg(inspected: &Inspected, theme: Theme) -> Option<String> {
    let roles = &inspected.import.roles;
    let mut strip = Strip::new(Subject { name: "", clip: inspected.clip(), roles: Some(roles) });
    strip.views = vec![View::Side];
    strip.layout = Layout::Auto;
    strip.theme = theme;
    strip.bare = true;
    strip.width_px = 720;
    strip.draw().ok().map(|picture| picture.svg)
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

fn file_name(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}
