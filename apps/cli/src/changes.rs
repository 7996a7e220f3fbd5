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

/// Rows of the table where not everything is asked for: what changed, the most important first.
const MOST_CHANGED_ROWS: usize = 8;

/// The table, and a line that counts it. Without `verbose` it has the most important rows that changed.
pub fn changes_text(changes: &[Measure], verbose: bool) -> String {
    let rows = changes.iter().map(|measure| (vec![measure.before, measure.after], measure));
    table(&["before", "after"], rows.collect(), verbose)
}

/// The same with what lies between: changes are counted from `edited` to `after`, which `repairs` holds.
pub fn repairs_text(changes: &[Measure], repairs: &[Measure], verbose: bool) -> String {
    let rows = changes.iter().filter_map(|change| {
        let repair = repairs.iter().find(|repair| repair.measure == change.measure)?;
        Some((vec![change.before, repair.before, repair.after], repair))
    });
    table(&["before", "edited", "after"], rows.collect(), verbose)
}

/// Values of the columns, and the measure that they belong to.
type Row<'a> = (Vec<Option<f64>>, &'a Measure);

fn table(columns: &[&str], rows: Vec<Row<'_>>, verbose: bool) -> String {
    let known = rows.iter().filter(|(values, _)| values.iter().any(Option::is_some)).count();
    let count = |change: Change| rows.iter().filter(|(_, measure)| measure.change == change).count();
    let (better, worse) = (count(Change::Better), count(Change::Worse));
    let shown: Vec<&Row<'_>> = match verbose {
        true => rows.iter().filter(|(values, _)| values.iter().any(Option::is_some)).collect(),
        false => rows.iter().filter(|row| is_worth_a_row(row, &rows)).take(MOST_CHANGED_ROWS).collect(),
    };
    let width = if columns.len() > 2 { 11 } else { 12 };
    // Two in front, the change, and a word after it.
    let beside = 2 + width * columns.len() + 16 + 2 + 6;
    let title = number_format::columns().saturating_sub(beside).clamp(16, 38);
    let mut text = String::new();
    if !shown.is_empty() {
        let names: String = columns.iter().map(|column| format!("{column:>width$}")).collect();
        let _ = writeln!(text, "  {DIM}{:<title$}{names}{:>16}{DIM:#}", "measure", "change");
    }
    for (values, measure) in &shown {
        let _ = writeln!(text, "  {}", line(values, measure, title, width));
    }
    let _ = write!(text, "  {better} better, {worse} worse, {} the same or neither", known - better - worse);
    if shown.len() < known {
        let _ = write!(text, "; all {known} with --verbose");
    }
    text.push('\n');
    text
}

/// What changed; but not the parts of the score, which say the same as the measures that they are made of, and no
/// "all frames" beside a row that says the same without.
fn is_worth_a_row((values, measure): &Row<'_>, rows: &[Row<'_>]) -> bool {
    let is_change = matches!(measure.change, Change::Better | Change::Worse | Change::Different);
    let same = |other: &str| rows.iter().any(|(others, it)| it.measure == other && others == values);
    let is_said_elsewhere = match measure.measure.as_str() {
        "score_all" => same("score"),
        name => name.starts_with("parts."),
    };
    is_change && !is_said_elsewhere
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
