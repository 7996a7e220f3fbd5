//! Headings and cards of the pages that `inspect --html` and `demo` write, and strips of results.

use crate::number_format::{centimetres, counted, percent};
use aplomb_formats::FormatError;
use aplomb_pages::{Card, Heading};
use aplomb_project::{ClipReport, Outcome};
use std::path::Path;

/// Above the cards of the demo.
pub fn demo_heading() -> Heading {
    Heading {
        title: "Motion that obeys physics.".to_owned(),
        lead: "Aplomb reads captured motion, says where it breaks contact, balance or gravity, and edits it so that \
               it stays physically right."
            .to_owned(),
        notes: ["computed by Aplomb itself, no recorded motion", LOADS_NOTHING].map(str::to_owned).into(),
        failures: Vec::new(),
        made_by: "aplomb demo".to_owned(),
    }
}

/// Above the cards of the files that were given; `clips` is how many those were.
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
        score: report.judgement.shown_score,
        grade: Some(report.judgement.grade),
        headline: report.judgement.sentences(),
        figures,
        href: page.file_name().map(|name| name.to_string_lossy().into_owned()),
        ..Card::default()
    }
}

/// The result of edits as a strip, PNG or SVG by the ending of the name.
pub fn strip(path: &Path, outcome: &Outcome) -> Result<Vec<u8>, FormatError> {
    let fail = |reason: String| FormatError::Unsupported { path: path.to_owned(), reason };
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let picture = aplomb_pages::result_strip(outcome, &name).map_err(|error| fail(error.to_string()))?;
    match path.extension().and_then(|ending| ending.to_str()) {
        Some(ending) if ending.eq_ignore_ascii_case("png") => {
            picture.to_png(1.0).map_err(|error| fail(error.to_string()))
        }
        Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(picture.svg.into_bytes()),
        _ => Err(fail("name the strip .png or .svg".to_owned())),
    }
}
