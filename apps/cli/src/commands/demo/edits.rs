//! The samples of the demo: motions edited by geometry alone and what touch-up and planting make of them, and edited
//! paths.

use super::{Failure, write_clip};
use crate::number_format::{acceleration, centimetres, decimals, millimetres};
use aplomb_editing::path::FlightChange;
use aplomb_formats::{ReadOptions, atomic};
use aplomb_pages::{Card, Comparison, last_scene, pair_svg, receipt_html};
use aplomb_project::edit::{AdaptRecord, BlendRecord, HandleRecord, Outcome, PathRecord, RunRequest, TrackRecord, run};
use aplomb_project::samples::{Sample, sample};
use aplomb_project::{ClipReport, EditReceipt, Judgement, ProjectError};
use aplomb_render::{Theme, View};
use serde::Serialize;
use std::path::Path;

/// One edit that was made (`docs/schemas/demo.schema.json`).
#[derive(Serialize)]
pub struct DemoEdit {
    name: &'static str,
    files: Vec<String>,
    page: String,
    receipt: String,
    /// Of the motion as geometry left it, and as it became.
    score_edited: Option<f64>,
    score: Option<f64>,
}

/// An edit with its files and its card.
pub struct ShownEdit {
    /// For programs.
    pub edit: DemoEdit,
    /// For people.
    pub card: Card,
}

/// Makes the edits of a sample, its files, its receipt and its page.
pub fn make(folder: &Path, known: &Sample, force: bool) -> Result<ShownEdit, Failure> {
    let at = |ending: &str| folder.join(format!("{}.{ending}", known.name));
    let project = sample(known.name)?;
    let out = at("bvh");
    let command = ["aplomb", "run", &format!("sample:{}", known.name), "-o", &format!("{}.bvh", known.name)];
    let request = RunRequest {
        command: &command.map(str::to_owned),
        ..RunRequest::quiet(Path::new(""), ReadOptions::default(), &out)
    };
    let outcome = run(&project, &request)?;
    atomic::write(&at("toml"), known.text.as_bytes(), force)?;
    let mut files = vec![at("toml").display().to_string()];
    files.extend(write_clip(&out, &outcome.clip, force)?);
    let receipt = EditReceipt::new(&outcome, project, &[out], false, aplomb_words::sentence);
    let json = serde_json::to_vec_pretty(&receipt)
        .map_err(|error| ProjectError::Table { what: "receipt", detail: error.to_string() })?;
    atomic::write(&at("json"), &json, force)?;
    let html = receipt_html(&outcome, &receipt, Some(known.name), Some("index.html")).unwrap_or_default();
    atomic::write(&at("html"), html.as_bytes(), force)?;
    let card = card(known, &outcome, &receipt);
    let score = |report: &Option<ClipReport>| report.as_ref().and_then(|report| report.score_all);
    let edit = DemoEdit {
        name: known.name,
        files,
        page: at("html").display().to_string(),
        receipt: at("json").display().to_string(),
        score_edited: score(&receipt.edited),
        score: score(&receipt.after),
    };
    Ok(ShownEdit { edit, card })
}

/// Whether an edited way is seen best from above: it turns, and heights stay.
fn bends(record: &PathRecord) -> bool {
    let (Some(first), Some(last)) = (record.handles.first(), record.handles.last()) else { return false };
    let way = [last.before_m[0] - first.before_m[0], last.before_m[2] - first.before_m[2]];
    let length_m = way[0].hypot(way[1]).max(1e-6);
    let aside_m = |it: &HandleRecord| {
        let by = [it.after_m[0] - it.before_m[0], it.after_m[2] - it.before_m[2]];
        (by[0] * way[1] - by[1] * way[0]).abs() / length_m
    };
    let is_level = record.handles.iter().all(|it| (it.after_m[1] - it.before_m[1]).abs() < 0.05);
    is_level && record.flights.is_empty() && record.handles.iter().any(|it| aside_m(it) > 0.3)
}

/// What a path edit changed, where nothing was repaired after it.
fn path_figures(record: &PathRecord) -> Vec<(String, String, String)> {
    let way = |i: usize| record.segments.iter().map(|it| it.length_m[i]).sum::<f64>();
    let mut rows = vec![("way".to_owned(), [0, 1].map(|i| format!("{} m", decimals(way(i), 2))))];
    rows.push(("time".to_owned(), record.secs.map(|secs| format!("{} s", decimals(secs, 2)))));
    // The flight that changed most; runs have many that did not.
    let change = |flight: &FlightChange| (flight.height_m[1] / flight.height_m[0].max(1e-6)).ln().abs();
    if let Some(flight) = record.flights.iter().max_by(|a, b| change(a).total_cmp(&change(b))) {
        rows.push(("flight".to_owned(), flight.secs.map(|secs| format!("{} s", decimals(secs, 2)))));
        rows.push(("falls at".to_owned(), flight.g.map(acceleration)));
    }
    rows.into_iter().map(|(label, [before, after])| (label, before, after)).collect()
}

fn card(known: &Sample, outcome: &Outcome, receipt: &EditReceipt) -> Card {
    let verb = receipt.steps.last().map_or("", |step| step.verb);
    let mut figures = Vec::new();
    if let (Some(edited), Some(after)) = (&receipt.edited, &receipt.after) {
        let mut row = |label: &str, value: &dyn Fn(&ClipReport) -> String| {
            figures.push((label.to_owned(), value(edited), value(after)));
        };
        let score = |report: &ClipReport| report.score_all.map_or_else(|| "–".to_owned(), |score| decimals(score, 0));
        row("score", &score);
        if verb == "touchup" {
            row("ZMP outside", &|report| centimetres(report.zmp.mean_m));
        }
        row("worst slide", &|report| millimetres(report.skate.max_m));
        let off = |report: &ClipReport| report.flights.iter().filter_map(|flight| flight.bend_m).reduce(f64::max);
        // Runs of a straight way have nothing to show here.
        if off(edited).is_some_and(|metres| metres > 1e-3) {
            row("flight bends by", &|report| millimetres(off(report)));
        }
    }
    let path = receipt.steps.iter().find_map(|step| step.path());
    if let (Some(record), None) = (path, &receipt.edited) {
        figures = path_figures(record);
    }
    let blend = receipt.steps.iter().find_map(|step| step.blend());
    if let (Some(record), None) = (blend, &receipt.edited) {
        figures = blend_figures(record);
    }
    let track = receipt.steps.iter().find_map(|step| step.track());
    if let Some(record) = track {
        figures = track_figures(record);
    }
    let adapt = receipt.steps.iter().find_map(|step| step.adapt());
    if let Some(record) = adapt {
        figures = adapt_figures(record);
    }
    let picture = |theme| {
        // No motion that only geometry made: it is drawn over the clip that came in.
        let is_whole = path.is_some() || blend.is_some() || track.is_some() || adapt.is_some();
        let first = outcome.edited.as_ref().or(outcome.before.as_ref().filter(|_| is_whole))?;
        let view = if path.is_some_and(bends) { View::Top } else { View::Side };
        pair_svg(first, outcome.after.as_ref()?, last_scene(outcome), view, theme)
    };
    let after = receipt.after.as_ref().map(|report| &report.judgement);
    Card {
        verb: verb.to_owned(),
        title: known.name.to_owned(),
        summary: known.about.to_owned(),
        score: after.and_then(|judgement| judgement.shown_score),
        grade: after.map(|judgement| judgement.grade),
        headline: after.map(Judgement::sentences).unwrap_or_default(),
        picture_svg: picture(Theme::Light).unwrap_or_default(),
        picture_dark_svg: picture(Theme::Dark),
        href: Some(format!("{}.html", known.name)),
        comparison: Some(Comparison { figures, ..Comparison::default() }),
        ..Card::default()
    }
}

/// What a driven body made of a motion.
fn track_figures(record: &TrackRecord) -> Vec<(String, String, String)> {
    let none = || "–".to_owned();
    let report = &record.report;
    let lag_secs = report.hands.iter().map(|hand| hand.lag_secs).fold(0.0, f64::max);
    let mut rows = vec![
        ("from what was wanted".to_owned(), none(), format!("{}°", decimals(report.rms_error_deg, 1))),
        ("hands late".to_owned(), none(), format!("{} ms", decimals(1e3 * lag_secs, 0))),
    ];
    if let Some(tilt_deg) = record.tilt_deg {
        rows.push(("staff leans".to_owned(), none(), format!("{}°", decimals(tilt_deg, 1))));
    }
    if let Some(standing) = report.standing {
        let told = match standing.fell_at_secs {
            Some(secs) => format!("falls at {} s", decimals(secs, 2)),
            None => format!("{} inside", centimetres(Some(standing.margin_m))),
        };
        rows.push(("centre of mass".to_owned(), none(), told));
    }
    if let Some(most) = record.contacts.iter().map(|contact| contact.peak_force_n).reduce(f64::max) {
        rows.push((format!("{} contacts", record.contacts.len()), none(), format!("≤ {} N", decimals(most, 0))));
    }
    rows
}

/// What a flight was and became, and what dynamics leaves unexplained.
fn adapt_figures(record: &AdaptRecord) -> Vec<(String, String, String)> {
    let (before, after) = (&record.adapted.before, &record.adapted.after);
    let share = |part: f64| format!("{} %", decimals(100.0 * part, 1));
    vec![
        ("falls at".to_owned(), acceleration(Some(before.g)), acceleration(Some(after.g))),
        (
            "unexplained, 95 % below".to_owned(),
            share(record.fit.between.force_p95),
            share(record.adapted.between.force_p95),
        ),
        (
            "largest torque".to_owned(),
            format!("{} N·m", decimals(record.fit.between.torque_max, 0)),
            format!("{} N·m", decimals(record.adapted.between.torque_max, 0)),
        ),
    ]
}

/// What the clips measure, and what the blend does.
fn blend_figures(record: &BlendRecord) -> Vec<(String, String, String)> {
    let joined = |values: &mut dyn Iterator<Item = f64>, places: usize, unit: &str| {
        let values: Vec<String> = values.map(|value| decimals(value, places)).collect();
        format!("{} {unit}", values.join(" and "))
    };
    let mut figures = Vec::new();
    for flight in &record.guarantees.flights {
        let clips = joined(&mut flight.input_g.iter().copied(), 2, "m/s²");
        figures.push(("falls at".to_owned(), clips, format!("{} m/s²", decimals(flight.g, 2))));
        let clips = joined(&mut flight.input_turn_deg.iter().copied(), 0, "°");
        figures.push(("turns in the air".to_owned(), clips, format!("{} °", decimals(flight.turn_deg, 0))));
    }
    for parameter in record.parameters.iter().filter(|parameter| matches!(parameter.name, "length" | "height")) {
        let clips = joined(&mut parameter.clips.iter().copied(), 2, parameter.unit);
        let own = format!("{} {}", decimals(parameter.achieved, 2), parameter.unit);
        figures.push((parameter.name.to_owned(), clips, own));
    }
    let off_track = millimetres(Some(record.guarantees.feet.off_track_m));
    figures.push(("feet off their track".to_owned(), "–".to_owned(), off_track));
    figures
}
