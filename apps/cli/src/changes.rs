//! What a change did, on a terminal: every measure before and after. `inspect --compare` and every verb that edits show
//! it.

use crate::number_format::{self, cut_short, decimals, measured, millimetres, wrapped};
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
    table(&["before", "after"], changes.iter().map(|measure| (vec![measure.before, measure.after], measure)), quiet)
}

/// The same with what lies between: changes are counted from `edited` to `after`, which `repairs` holds.
pub fn repairs_text(changes: &[Measure], repairs: &[Measure], quiet: bool) -> String {
    let rows = changes.iter().filter_map(|change| {
        let repair = repairs.iter().find(|repair| repair.measure == change.measure)?;
        Some((vec![change.before, repair.before, repair.after], repair))
    });
    table(&["before", "edited", "after"], rows, quiet)
}

fn table<'a>(columns: &[&str], rows: impl Iterator<Item = (Vec<Option<f64>>, &'a Measure)>, quiet: bool) -> String {
    let width = if columns.len() > 2 { 11 } else { 12 };
    // Two in front, the change, and a word after it.
    let beside = 2 + width * columns.len() + 16 + 2 + 6;
    let title = number_format::columns().saturating_sub(beside).clamp(16, 38);
    let mut text = String::new();
    let names: String = columns.iter().map(|column| format!("{column:>width$}")).collect();
    let _ = writeln!(text, "  {DIM}{:<title$}{names}{:>16}{DIM:#}", "measure", "change");
    let (mut better, mut worse, mut others, mut unsaid) = (0, 0, 0, 0);
    for (values, measure) in rows {
        match measure.change {
            _ if values.iter().all(Option::is_none) => unsaid += 1,
            Change::Better => better += 1,
            Change::Worse => worse += 1,
            Change::Same | Change::Different | Change::Unknown => others += 1,
        }
        let is_said = values.iter().any(Option::is_some);
        if is_said && !(quiet && matches!(measure.change, Change::Same | Change::Unknown)) {
            let _ = writeln!(text, "  {}", line(&values, measure, title, width));
        }
    }
    let _ = write!(text, "  {better} better, {worse} worse, {others} the same or neither");
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
    for (index, part) in wrapped(sentence, number_format::columns() - 14).iter().enumerate() {
        let label = if index == 0 { label } else { "" };
        let _ = writeln!(text, "  {style}{label:<9}{style:#} {part}");
    }
}

fn line(values: &[Option<f64>], measure: &Measure, title: usize, width: usize) -> String {
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
    let cells: String = values.iter().map(|value| format!("{:>width$}", measured(*value, measure.unit))).collect();
    let name = cut_short(&measure.title, title);
    let line = format!("{name:<title$}{cells}{change:>16}  {style}{word}{style:#}");
    line.trim_end().to_owned()
}

fn signed(change: f64, unit: &str) -> String {
    let size = match unit {
        // A share that changes does so in percentage points, and "< 1 %" has no sign.
        "share" => format!("{} % points", decimals(100.0 * change.abs(), 1)),
        // Less than a tenth of a centimetre is not nothing: it is listed because it counts.
        "m" if change.abs() < 9.5e-4 => millimetres(Some(change.abs())),
        unit => measured(Some(change.abs()), unit),
    };
    format!("{}{size}", if change < 0.0 { "−" } else { "+" })
}
