//! Many clips on a terminal: one line each, in the order given.

use super::text::{bar, scored};
use crate::number_format::{self, centimetres, counted, decimals, percent, rate};
use crate::style::{BOLD, DIM, YELLOW};
use aplomb_formats::diagnostic::printable;
use aplomb_project::ClipReport;
use std::fmt::Write;

/// Columns for the name of the clip, where there is room.
const NAME: usize = 25;
/// Cells of the bar.
const BAR: usize = 5;

/// What stands beside the name: a title, the columns it takes with those in front of it, and whether it stands to the
/// left.
const CELLS: [(&str, usize, bool); 7] = [
    ("all", 7, false),
    ("costs", 10, true),
    ("time", 9, false),
    ("fps", 9, false),
    ("ZMP", 10, false),
    ("slide", 10, false),
    ("other", 8, false),
];
/// What is left out first where there is no room.
const SPARED: [&str; 4] = ["other", "costs", "fps", "all"];

/// The table, and a line that sums it up.
pub fn table(reports: &[&ClipReport], quiet: bool) -> String {
    let layout = Layout::fitting(number_format::columns());
    let titles = CELLS.map(|(title, ..)| title.to_owned());
    let name = layout.name;
    let mut text = format!("{DIM}{:<name$}{:>6} {:<BAR$}{}{DIM:#}\n", "clip", "score", "", layout.cells(titles));
    for report in reports {
        let _ = writeln!(text, "{}", line(report, &layout));
    }
    if !quiet {
        text.push_str(&summary(reports));
    }
    // Explains a mark in the table, so it is never left out.
    let corrected = reports.iter().filter(|report| report.clock.corrected).count();
    if corrected > 0 {
        let _ = write!(
            text,
            "{YELLOW}*{YELLOW:#} {corrected} judged at another rate than they were read with: gravity proves those wrong"
        );
    }
    text.truncate(text.trim_end().len());
    text
}

/// What fits.
struct Layout {
    name: usize,
    shown: [bool; CELLS.len()],
}

impl Layout {
    fn fitting(columns: usize) -> Self {
        let mut layout = Self { name: 12, shown: [true; CELLS.len()] };
        for spared in SPARED {
            if layout.width() > columns {
                CELLS.iter().zip(&mut layout.shown).for_each(|((title, ..), shown)| *shown &= *title != spared);
            }
        }
        // Names of takes are long: what is left is theirs.
        let room = columns.saturating_sub(layout.width() - layout.name);
        layout.name = room.clamp(layout.name, if columns > 100 { 60 } else { NAME });
        layout
    }

    fn width(&self) -> usize {
        let cells = CELLS.iter().zip(&self.shown).filter(|(_, shown)| **shown).map(|((_, width, _), _)| width);
        self.name + 6 + 1 + BAR + cells.sum::<usize>()
    }

    /// Values in the order of [`CELLS`], which may hold colours.
    fn cells(&self, values: [String; CELLS.len()]) -> String {
        let mut text = String::new();
        for ((value, (_, width, to_left)), _) in values.iter().zip(&CELLS).zip(&self.shown).filter(|(_, shown)| **shown)
        {
            let blank = width.saturating_sub(anstream::adapter::strip_str(value).to_string().chars().count());
            let _ = match to_left {
                true => write!(text, "  {value}{}", " ".repeat(blank.saturating_sub(2))),
                false => write!(text, "{}{value}", " ".repeat(blank)),
            };
        }
        text
    }
}

fn line(report: &ClipReport, layout: &Layout) -> String {
    let corrected = if report.clock.corrected { "*" } else { "" };
    let bar = report.score.map_or_else(|| " ".repeat(BAR), |score| bar(score, BAR));
    let cells = layout.cells([
        scored(report.score_all),
        report.score_worst.unwrap_or("–").to_owned(),
        format!("{} s", decimals(report.duration_secs, 2)),
        format!("{}{corrected}", rate(report.fps)),
        centimetres(report.zmp.mean_m),
        centimetres(report.skate.mean_m),
        percent(report.other_share),
    ]);
    let name = layout.name;
    format!("{:<name$} {} {bar}{cells}", short(&printable(&report.file), name - 1), scored(report.score))
}

fn summary(reports: &[&ClipReport]) -> String {
    let mut scores: Vec<f64> = reports.iter().filter_map(|report| report.score).collect();
    scores.sort_by(f64::total_cmp);
    let median = scores.get(scores.len() / 2).map_or_else(|| "–".to_owned(), |score| decimals(*score, 1));
    let clips = counted(reports.len(), "clip");
    format!("{BOLD}{clips}, median score {median}{BOLD:#}\n")
}

/// The end of a long name: that is where takes differ.
fn short(name: &str, most: usize) -> String {
    let count = name.chars().count();
    if count <= most {
        return name.to_owned();
    }
    std::iter::once('…').chain(name.chars().skip(count + 1 - most)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_tables_spare_what_matters_least() {
        for columns in [60, 72, 80, 100, 132] {
            let layout = Layout::fitting(columns);
            assert!(layout.width() <= columns, "{} of {columns}", layout.width());
        }
        assert!(Layout::fitting(100).shown.iter().all(|shown| *shown));
        assert_eq!(Layout::fitting(100).name, NAME);
        assert!(Layout::fitting(60).shown[4] && Layout::fitting(60).shown[5], "ZMP and slide stay");
    }

    #[test]
    fn long_names_keep_their_end() {
        assert_eq!(short("walk.bvh", 8), "walk.bvh");
        assert_eq!(short("a/b/walk.bvh", 8), "…alk.bvh");
    }
}
