//! `inspect --compare`: the receipt of a change, as every verb that edits prints it.

use super::text::{BOLD, DIM, GREEN, RED};
use crate::outcome::{Outcome, Printing, print_json, print_line, say_error};
use crate::shown::{decimals, measured};
use anstyle::Style;
use aplomb_formats::diagnostic::printable;
use aplomb_project::receipt::{Change, Measure, compare_files};
use aplomb_project::{InspectRequest, Receipt};
use std::fmt::Write;
use std::path::PathBuf;

/// Compares two clips.
pub fn run(clips: &[PathBuf], request: &InspectRequest, print: Printing) -> Outcome {
    let [before, after] = clips else {
        say_error(&format!("--compare takes two clips, the one before and the one after; found {}", clips.len()));
        return Outcome::WrongUsage;
    };
    match compare_files(before, after, request) {
        Ok((_, _, receipt)) if print.json => print_json(&receipt),
        Ok((_, _, receipt)) => print_line(&receipt_text(&receipt, print.quiet)),
        Err(error) => {
            if print.json {
                let error = crate::outcome::ErrorReport::from(&error);
                print_json(&serde_json::json!({ "schema": 1, "error": error }));
            }
            say_error(&error.to_string());
            Outcome::BadInput
        }
    }
}

/// A receipt on a terminal. `quiet` leaves out what stayed the same.
pub fn receipt_text(receipt: &Receipt, quiet: bool) -> String {
    let mut text = format!(
        "{BOLD}{}{BOLD:#} → {BOLD}{}{BOLD:#}\n",
        printable(&receipt.before.file),
        printable(&receipt.after.file)
    );
    let _ = writeln!(text, "  {DIM}{:<38}{:>12}{:>12}{:>16}{DIM:#}", "measure", "before", "after", "change");
    let mut unsaid = 0;
    for measure in &receipt.changes {
        match measure.change {
            Change::Unknown if measure.before.is_none() && measure.after.is_none() => unsaid += 1,
            Change::Same | Change::Unknown if quiet => {}
            _ => {
                let _ = writeln!(text, "  {}", line(measure));
            }
        }
    }
    let (better, worse) = receipt.counts();
    let same = receipt.changes.len() - better - worse - unsaid;
    let _ = write!(text, "  {better} better, {worse} worse, {same} the same or neither");
    if unsaid > 0 {
        let _ = write!(text, ", {unsaid} that neither clip shows");
    }
    for (side, warning) in warnings(receipt) {
        for (index, part) in crate::shown::wrapped(&printable(warning), 84).iter().enumerate() {
            let label = if index == 0 { side } else { "" };
            let _ = write!(text, "\n  {DIM}{label:<9}{DIM:#} {part}");
        }
    }
    text
}

/// What is true of both clips is said once.
fn warnings(receipt: &Receipt) -> Vec<(&'static str, &str)> {
    let (before, after) = (&receipt.before.warnings, &receipt.after.warnings);
    let side = |warning: &String| if after.contains(warning) { "both" } else { "before" };
    let first = before.iter().map(|warning| (side(warning), warning.as_str()));
    let second = after.iter().filter(|warning| !before.contains(warning)).map(|warning| ("after", warning.as_str()));
    first.chain(second).collect()
}

fn line(measure: &Measure) -> String {
    let (word, style) = match measure.change {
        Change::Better => ("better", GREEN),
        Change::Worse => ("worse", RED),
        Change::Same => ("same", DIM),
        Change::Different | Change::Unknown => ("", Style::new()),
    };
    let change = match (measure.before, measure.after) {
        (Some(before), Some(after)) if measure.change != Change::Same => signed(after - before, measure.unit),
        _ => String::new(),
    };
    let line = format!(
        "{:<38}{:>12}{:>12}{:>16}  {style}{word}{style:#}",
        measure.title,
        measured(measure.before, measure.unit),
        measured(measure.after, measure.unit),
        change
    );
    line.trim_end().to_owned()
}

fn signed(change: f64, unit: &str) -> String {
    let size = match unit {
        // A share that changes does so in percentage points, and "< 1 %" has no sign.
        "share" => format!("{} % points", decimals(100.0 * change.abs(), 1)),
        unit => measured(Some(change.abs()), unit),
    };
    format!("{}{size}", if change < 0.0 { "−" } else { "+" })
}
