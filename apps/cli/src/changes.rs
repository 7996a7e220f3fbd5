//! What a change did, on a terminal: every measure before and after. `inspect --compare` and every verb that edits show it.

use crate::shown::{decimals, measured, millimetres, wrapped};
use crate::style::{BOLD, DIM, GREEN, RED};
use anstyle::Style;
use aplomb_formats::diagnostic::printable;
use aplomb_project::receipt::{Change, Measure};
use std::fmt::Write;

/// `before.bvh → after.bvh`.
pub fn heading(before: &str, after: &str) -> String {
    format!("{BOLD}{}{BOLD:#} → {BOLD}{}{BOLD:#}\n", printable(before), printable(after))
}

/// The table, and a line that counts it. `quiet` leaves out what stayed the same.
pub fn changes_text(changes: &[Measure], quiet: bool) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "  {DIM}{:<38}{:>12}{:>12}{:>16}{DIM:#}", "measure", "before", "after", "change");
    let mut unsaid = 0;
    for measure in changes {
        match measure.change {
            Change::Unknown if measure.before.is_none() && measure.after.is_none() => unsaid += 1,
            Change::Same | Change::Unknown if quiet => {}
            _ => {
                let _ = writeln!(text, "  {}", line(measure));
            }
        }
    }
    let count = |change: Change| changes.iter().filter(|measure| measure.change == change).count();
    let (better, worse) = (count(Change::Better), count(Change::Worse));
    let same = changes.len() - better - worse - unsaid;
    let _ = write!(text, "  {better} better, {worse} worse, {same} the same or neither");
    if unsaid > 0 {
        let _ = write!(text, ", {unsaid} that neither clip shows");
    }
    text.push('\n');
    text
}

/// What people should know of the two clips; what is true of both is said once.
pub fn warnings_text(before: &[String], after: &[String]) -> String {
    let side = |warning: &String| if after.contains(warning) { "both" } else { "before" };
    let first = before.iter().map(|warning| (side(warning), warning.as_str()));
    let second = after.iter().filter(|warning| !before.contains(warning)).map(|warning| ("after", warning.as_str()));
    let mut text = String::new();
    for (side, warning) in first.chain(second) {
        labelled(&mut text, side, &printable(warning), DIM);
    }
    text
}

/// A sentence with a label in front of its first line.
pub fn labelled(text: &mut String, label: &str, sentence: &str, style: Style) {
    for (index, part) in wrapped(sentence, 84).iter().enumerate() {
        let label = if index == 0 { label } else { "" };
        let _ = writeln!(text, "  {style}{label:<9}{style:#} {part}");
    }
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
        // Less than a tenth of a centimetre is not nothing: it was told because it counts.
        "m" if change.abs() < 9.5e-4 => millimetres(Some(change.abs())),
        unit => measured(Some(change.abs()), unit),
    };
    format!("{}{size}", if change < 0.0 { "−" } else { "+" })
}
