//! Many clips on a terminal: one line each, in the order given.

use super::text::{bar, scored};
use crate::shown::{centimetres, counted, decimals, percent, rate};
use crate::style::{BOLD, DIM, YELLOW};
use aplomb_formats::diagnostic::printable;
use aplomb_project::ClipReport;
use std::fmt::Write;

/// Columns left for the name of the clip.
const NAME: usize = 25;
/// Cells of the bar.
const BAR: usize = 5;

/// The table, and a line that sums it up.
pub fn table(reports: &[&ClipReport], quiet: bool) -> String {
    let mut text = format!(
        "{DIM}{:<NAME$}{:>6} {:<BAR$}{:>7}  {:<8}  {:>7}  {:>7}  {:>8}  {:>8}  {:>6}{DIM:#}\n",
        "clip", "score", "", "all", "costs", "time", "fps", "ZMP", "slide", "other"
    );
    for report in reports {
        let _ = writeln!(text, "{}", line(report));
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

fn line(report: &ClipReport) -> String {
    let corrected = if report.clock.corrected { "*" } else { "" };
    let bar = report.score.map_or_else(|| " ".repeat(BAR), |score| bar(score, BAR));
    format!(
        "{:<NAME$} {} {bar}  {}  {:<8}  {:>7}  {:>7}  {:>8}  {:>8}  {:>6}",
        short(&printable(&report.file), NAME - 1),
        scored(report.score),
        scored(report.score_all),
        report.score_worst.unwrap_or("–"),
        format!("{} s", decimals(report.duration_secs, 2)),
        format!("{}{corrected}", rate(report.fps)),
        centimetres(report.zmp.mean_m),
        centimetres(report.skate.mean_m),
        percent(Some(report.other_share)),
    )
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
    fn long_names_keep_their_end() {
        assert_eq!(short("walk.bvh", 8), "walk.bvh");
        assert_eq!(short("a/b/walk.bvh", 8), "…alk.bvh");
    }
}
