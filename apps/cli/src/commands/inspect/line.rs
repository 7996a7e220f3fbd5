//! Many clips on a terminal: one line each, in the order given.

use super::text::{bar, scored};
use crate::number_format::cut_short;
use crate::number_format::{self, centimetres, counted, decimals, percent, rate};
use crate::style::{BOLD, DIM, YELLOW};
use aplomb_analysis::report::Aspect;
use aplomb_formats::diagnostic::printable;
use aplomb_project::{ClipReport, Grade, Judgement};
use std::fmt::Write;

/// Columns for the name of the clip, where there is room.
const NAME: usize = 25;
/// Columns for it where there is none: names of takes differ at their end.
const LEAST_NAME: usize = 12;
/// Cells of the bar.
const ROW_BAR: usize = 5;

/// Columns of the fault, where there is no room for all of it.
const FAULT: usize = 36;

/// What stands beside the name: a title, the columns it takes with those in front of it, and whether it stands to the
/// left.
const CELLS: [(&str, usize, bool); 9] = [
    ("worst", 11, true),
    ("headline", FAULT + 2, true),
    ("all", 7, false),
    ("costs", 10, true),
    ("time", 9, false),
    ("fps", 9, false),
    ("ZMP", 10, false),
    ("slide", 10, false),
    ("other", 8, false),
];
/// What is left out first where there is no room.
const SPARED: [&str; 7] = ["costs", "other", "all", "fps", "slide", "ZMP", "time"];

/// The table, and a line that sums it up.
pub fn table(reports: &[&ClipReport], quiet: bool) -> String {
    let layout = Layout::fitting(number_format::columns());
    let titles = CELLS.map(|(title, ..)| title.to_owned());
    let name = layout.name;
    let mut text = format!("{DIM}{:<name$}{:>6} {:<ROW_BAR$}{}{DIM:#}\n", "clip", "score", "", layout.cells(titles));
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
        let mut layout = Self { name: LEAST_NAME, shown: [true; CELLS.len()] };
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
        self.name + 6 + 1 + ROW_BAR + cells.sum::<usize>()
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
    let judgement = &report.judgement;
    let (grade, shown) = (judgement.grade, judgement.shown_score);
    let bar = shown.map_or_else(|| " ".repeat(ROW_BAR), |points| bar(points, grade, ROW_BAR));
    let cells = layout.cells([
        judgement.worst_aspect.map_or("–", aspect_name).to_owned(),
        brief(judgement, FAULT),
        scored(report.score_all, grade),
        report.score_worst.unwrap_or("–").to_owned(),
        format!("{} s", decimals(report.duration_secs, 2)),
        format!("{}{corrected}", rate(report.fps)),
        centimetres(report.zmp.mean_m),
        centimetres(report.skate.mean_m),
        percent(report.other_share),
    ]);
    let name = layout.name;
    format!("{:<name$} {} {bar}{cells}", short(&printable(&report.file), name - 1), scored(shown, grade))
}

/// The headline, or what of it there is room for: sentences say what and when before they say where.
fn brief(judgement: &Judgement, most: usize) -> String {
    // Where only physics is in question, that it is not judged tells more than that nothing else is wrong.
    let sentence = match &judgement.not_judged {
        Some(why) if judgement.moments.is_empty() => why.rsplit(": ").next().unwrap_or(why),
        _ => &judgement.headline,
    };
    let text = printable(sentence.trim_end_matches('.'));
    match text.split_once(": ") {
        Some((what, _)) if text.chars().count() > most => cut_short(what, most),
        _ => cut_short(&text, most),
    }
}

/// As the JSON names it.
fn aspect_name(aspect: Aspect) -> &'static str {
    match aspect {
        Aspect::Physics => "physics",
        Aspect::Body => "body",
        Aspect::Recording => "recording",
    }
}

fn summary(reports: &[&ClipReport]) -> String {
    let mut scores: Vec<f64> = reports.iter().filter_map(|report| report.judgement.shown_score).collect();
    scores.sort_by(f64::total_cmp);
    let median = scores.get(scores.len() / 2).map_or_else(|| "–".to_owned(), |score| decimals(*score, 1));
    let clips = counted(reports.len(), "clip");
    let right = reports.iter().filter(|report| report.judgement.grade == Grade::Good).count();
    format!("{BOLD}{clips}, median score {median}, {right} without a fault{BOLD:#}\n")
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
        for columns in [80, 100, 132, 160] {
            let layout = Layout::fitting(columns);
            assert!(layout.width() <= columns, "{} of {columns}", layout.width());
        }
        assert!(Layout::fitting(160).shown.iter().all(|shown| *shown));
        assert!(Layout::fitting(80).shown[..2].iter().all(|shown| *shown), "which aspect and what is wrong stay");
    }

    #[test]
    fn long_names_keep_their_end() {
        assert_eq!(short("walk.bvh", 8), "walk.bvh");
        assert_eq!(short("a/b/walk.bvh", 8), "…alk.bvh");
    }
}
