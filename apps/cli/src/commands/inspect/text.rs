//! The report of one clip on a terminal: as wide as that is, 100 columns without one, every number with its unit.

use crate::number_format::{
    acceleration, centimetres, columns, counted, decimals, measured, millimetres, percent, rate, seconds, wrapped,
};
use crate::style::{BLUE, CYAN, DIM, GREEN, RED, YELLOW};
use anstyle::Style;
use aplomb_analysis::contacts::Verdict;
use aplomb_analysis::report::PhaseKind;
use aplomb_formats::diagnostic::printable;
use aplomb_motion::roles::BodyPlan;
use aplomb_project::report::PhaseReport;
use aplomb_project::{ClipReport, Grade};
use std::fmt::Write;

/// Cells of the line of phases, where there is room.
const CELLS: usize = 72;
/// Lines of a list before it is cut.
const MOST_LISTED_LINES: usize = 12;
/// Moments that stand below the score.
const WORST_MOMENTS: usize = 3;
/// Cells of the bars of a score.
const BAR: usize = 24;

/// Everything that is known of one clip.
pub fn full_text(report: &ClipReport) -> String {
    let (headline, subject) = (headline(report), subject(report));
    let mut page = Page { text: format!("{headline}  {}\n  {subject}\n\n", printable(&report.file)) };
    score(&mut page, report);
    phases(&mut page, report);
    flights(&mut page, report);
    contacts(&mut page, report);
    forces(&mut page, report);
    checks(&mut page, report);
    warnings(&mut page, report);
    page.text.truncate(page.text.trim_end().len());
    page.text
}

/// Columns of text beside the labels.
fn width() -> usize {
    columns() - 14
}

/// Lines with a label in front of the first.
struct Page {
    text: String,
}

impl Page {
    fn row(&mut self, label: &str, value: &str) {
        let _ = writeln!(self.text, "  {DIM}{label:<9}{DIM:#} {value}");
    }

    /// Points of a hundred with their bar.
    fn points(&mut self, label: &str, points: Option<f64>, grade: Grade, remark: &str) {
        let bar = points.map_or_else(String::new, |points| bar(points, grade, BAR));
        let line = format!("{} {bar}  {remark}", scored(points, grade));
        self.row(label, line.trim_end());
    }

    /// A dash where the number that the sentence is about is not known.
    fn known(&mut self, number: Option<f64>, label: &str, sentence: &str) {
        self.wrap(label, if number.is_some() { sentence } else { "–" });
    }

    /// As many lines as it takes.
    fn wrap(&mut self, label: &str, sentence: &str) {
        for (index, line) in wrapped(sentence, width()).iter().enumerate() {
            self.row(if index == 0 { label } else { "" }, line);
        }
    }

    fn gap(&mut self) {
        self.text.push('\n');
    }
}

/// The body that moves, and for how long.
fn subject(report: &ClipReport) -> String {
    let who = match report.body.plan {
        BodyPlan::Biped => "person",
        BodyPlan::Quadruped => "four-legged animal",
        BodyPlan::Single => "single body",
        BodyPlan::Unknown => "unknown body",
    };
    let tall = report.stature_m.map_or_else(String::new, |metres| format!(", {metres:.2} m"));
    let frames = counted(report.frames, "frame");
    let fps = match (report.fps, report.fps_header) {
        (Some(used), Some(header)) if (used / header - 1.0).abs() > 1e-3 => {
            format!("{} fps (header: {})", rate(Some(used)), rate(Some(header)))
        }
        (Some(used), None) if report.clock.corrected => {
            let assumed = report.clock.rate_factor.map(|factor| used / factor);
            format!("{} fps (assumed at first: {})", rate(Some(used)), rate(assumed))
        }
        (used, _) => format!("{} fps", rate(used)),
    };
    // Only a flight shows how fast a clip falls.
    let checked = if report.clock.finding == "no_evidence" { "(rate not checked: no clear flight)" } else { "" };
    let joints = counted(report.joints, "joint");
    let mass = report.body.total_mass_kg;
    let mass = mass.map_or_else(|| "mass unknown".to_owned(), |kg| format!("{} kg", decimals(kg, 1)));
    let line = format!("{who}{tall}, {mass} · {joints} · {frames}, {:.2} s at {fps}", report.duration_secs);
    let fits = line.chars().count() + checked.len() < width() + 10;
    match checked {
        "" => line,
        _ if fits => format!("{line} {checked}"),
        _ => format!("{line}\n  {checked}"),
    }
}

/// Whether the motion is good comes first: headline, and why physics is not judged where it is not.
fn headline(report: &ClipReport) -> String {
    let judgement = &report.judgement;
    let style = graded(judgement.grade).bold();
    let sentences = std::iter::once(&judgement.headline).chain(&judgement.not_judged);
    let lines = sentences.flat_map(|sentence| wrapped(&printable(sentence), columns()));
    lines.map(|line| format!("{style}{line}{style:#}\n")).collect()
}

fn score(page: &mut Page, report: &ClipReport) {
    let judgement = &report.judgement;
    page.points("score", judgement.shown_score, judgement.grade, "");
    let aspects = &judgement.aspects;
    let [physics, body, recording] = judgement.aspect_grades;
    let of_physics = match report.score_worst {
        Some(name) if report.judged => format!("costs most: {name}"),
        _ => String::new(),
    };
    page.points("physics", aspects.physics.filter(|_| report.judged), physics, &of_physics);
    page.points("body", aspects.body, body, "");
    page.points("recording", aspects.recording, recording, "");
    if report.judged && report.other_share.is_some_and(|share| share > 0.0) {
        let other = format!("with the {} carried by something unknown", percent(report.other_share));
        page.points("all", report.score_all, judgement.grade, &other);
    }
    moments(page, report);
    measures(page, report);
    page.gap();
}

/// The worst moments, by what they cost.
fn moments(page: &mut Page, report: &ClipReport) {
    let judgement = &report.judgement;
    for (index, moment) in judgement.moments.iter().take(WORST_MOMENTS).enumerate() {
        page.wrap(if index == 0 { "worst" } else { "" }, &printable(&moment.text));
    }
    more(page, judgement.moments.len() + judgement.more_moments, WORST_MOMENTS);
}

/// The eight measures of physics.
fn measures(page: &mut Page, report: &ClipReport) {
    let mut rows = [String::new(), String::new(), String::new()];
    let mut used = 0;
    for name in ["support", "drift", "fall", "tremor", "pops", "friction", "floor", "hover"] {
        let Some(part) = report.score_parts.get(name) else { continue };
        let value = measured(part.value, part.unit);
        let cell = (value.chars().count() + 2).max(10);
        // A narrow terminal gets them in two groups.
        if used + cell > width() + 2 {
            score_rows(page, &mut rows);
            used = 0;
        }
        used += cell;
        let [names, values, qualities] = &mut rows;
        let _ = write!(names, "{name:>cell$}");
        let _ = write!(values, "{value:>cell$}");
        let (quality, style) = match part.quality.filter(|_| report.judged) {
            Some(quality) => (decimals(100.0 * quality, 0), by_points(100.0 * quality)),
            None => ("–".to_owned(), DIM),
        };
        let _ = write!(qualities, "{style}{quality:>cell$}{style:#}");
    }
    score_rows(page, &mut rows);
}

fn score_rows(page: &mut Page, rows: &mut [String; 3]) {
    let [names, values, qualities] = rows;
    page.row("", &format!("{DIM}{names}{DIM:#}"));
    page.row("measure", values);
    page.row("of 100", qualities);
    rows.iter_mut().for_each(String::clear);
}

/// Five columns, coloured by grade.
pub(super) fn scored(points: Option<f64>, grade: Grade) -> String {
    let style = graded(grade);
    match points {
        Some(points) => format!("{style}{:>5}{style:#}", decimals(points, 1)),
        None => format!("{:>5}", "–"),
    }
}

/// Green for nothing wrong, as lights everywhere.
pub(super) fn graded(grade: Grade) -> Style {
    match grade {
        Grade::Good => GREEN,
        Grade::Fair => YELLOW,
        Grade::Poor => RED,
        Grade::NotJudged => Style::new(),
    }
}

/// Of one measure: green where a cut keeps nearly all clean clips, red where it drops nearly all damaged ones
/// (docs/analysis/score.md).
fn by_points(points: f64) -> Style {
    match points {
        points if points >= 80.0 => GREEN,
        points if points >= 50.0 => YELLOW,
        _ => RED,
    }
}

/// A bar in eighths of a cell.
pub(super) fn bar(points: f64, grade: Grade, cells: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = ((points / 100.0).clamp(0.0, 1.0) * 8.0 * cells as f64).round() as usize;
    let partial = EIGHTHS[eighths % 8];
    let empty = cells - eighths / 8 - usize::from(!partial.is_empty());
    let style = graded(grade);
    format!("{style}{}{partial}{style:#}{DIM}{}{DIM:#}", "█".repeat(eighths / 8), "·".repeat(empty))
}

const KINDS: [(PhaseKind, char, &str, Style); 5] = [
    (PhaseKind::Left, 'L', "left", BLUE),
    (PhaseKind::Right, 'R', "right", YELLOW),
    (PhaseKind::Double, '=', "both", GREEN),
    (PhaseKind::Flight, '^', "flight", CYAN),
    (PhaseKind::Other, '?', "other", RED),
];

fn phases(page: &mut Page, report: &ClipReport) {
    let total_secs: f64 = report.phases.iter().map(|phase| phase.end_secs - phase.start_secs).sum();
    if total_secs <= 0.0 {
        return page.row("phases", "–");
    }
    let mut line = String::new();
    let cells = CELLS.min(columns() - 28);
    for cell in 0..cells {
        let secs = report.duration_secs * (cell as f64 + 0.5) / cells as f64;
        let at = |phase: &&PhaseReport| (phase.start_secs..phase.end_secs).contains(&secs);
        let kind = report.phases.iter().find(at).map(|phase| phase.kind);
        match KINDS.iter().find(|entry| Some(entry.0) == kind) {
            Some((_, letter, _, style)) => {
                let _ = write!(line, "{style}{letter}{style:#}");
            }
            None => line.push(' '),
        }
    }
    page.row("phases", &format!("{line}  {:.2} s", report.duration_secs));
    let share_of = |kind: PhaseKind| {
        let same = report.phases.iter().filter(|phase| phase.kind == kind);
        same.map(|phase| phase.end_secs - phase.start_secs).sum::<f64>() / total_secs
    };
    let shares = KINDS.iter().filter_map(|&(kind, letter, name, style)| {
        let share = share_of(kind);
        (share > 0.0).then(|| format!("{style}{letter}{style:#} {name} {}", percent(Some(share))))
    });
    page.row("", &shares.collect::<Vec<_>>().join("   "));
}

fn flights(page: &mut Page, report: &ClipReport) {
    if report.flights.is_empty() {
        return page.row("flights", "none");
    }
    // Height and spin are left out where there is no room.
    let is_wide = width() >= 82;
    let beside = |rise: &str, spin: &str| if is_wide { format!("{rise:>10}{spin:>11}") } else { String::new() };
    let header = format!(
        "{:>9}{:>10}{:>13}{:>11}{:>10}{}  {}",
        "start",
        "length",
        "g",
        "residual",
        "bend",
        beside("rise", "spin"),
        "verdict"
    );
    page.row("flights", &format!("{DIM}{header}{DIM:#}"));
    for flight in report.flights.iter().take(MOST_LISTED_LINES) {
        let (verdict, style) = match flight.verdict {
            Verdict::Verified => ("verified", GREEN),
            Verdict::Short => ("short", Style::new()),
            Verdict::Doubtful => ("doubtful", RED),
        };
        let spin = flight.momentum_spread.map_or_else(|| "–".to_owned(), |it| format!("{} /s", decimals(it, 3)));
        page.row(
            "",
            &format!(
                "{:>9}{:>10}{:>13}{:>11}{:>10}{}  {style}{verdict}{style:#}",
                seconds(Some(flight.start_secs)),
                seconds(Some(flight.end_secs - flight.start_secs)),
                acceleration(flight.g),
                millimetres(flight.residual_m),
                millimetres(flight.bend_m),
                beside(&centimetres(flight.rise_m), &spin),
            ),
        );
    }
    more(page, report.flights.len(), MOST_LISTED_LINES);
}

fn more(page: &mut Page, count: usize, shown: usize) {
    if count > shown {
        page.row("", &format!("… and {} more; --json has all of them", count - shown));
    }
}

fn contacts(page: &mut Page, report: &ClipReport) {
    if report.contacts.is_empty() {
        page.row("contacts", "none");
    } else {
        // By name in the order of the report, which is by effector.
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for contact in &report.contacts {
            match counts.iter_mut().find(|(name, _)| *name == contact.effector) {
                Some((_, count)) => *count += 1,
                None => counts.push((&contact.effector, 1)),
            }
        }
        let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{} {count}×", printable(name))).collect();
        let lines = wrapped(&format!("{}: {}", report.contacts.len(), counts.join(", ")), width());
        for (index, line) in lines.iter().enumerate() {
            page.row(if index == 0 { "contacts" } else { "" }, line);
        }
    }
    let slides = report.contacts.iter().filter_map(|contact| Some((contact.drift_m?, contact)));
    let worst = slides.max_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(String::new, |(_, contact)| {
        format!(" ({} at {})", printable(&contact.effector), seconds(Some(contact.start_secs)))
    });
    let (mean, max) = (centimetres(report.skate.mean_m), centimetres(report.skate.max_m));
    page.known(report.skate.mean_m, "slide", &format!("{mean} mean, {max} worst{worst}"));
    let floor = format!("points stand at a height of {}", centimetres(report.floor_height_m));
    let deepest = format!("; the deepest is {} under the floor", centimetres(report.penetration.max_m));
    let deepest = report.penetration.max_m.map_or(String::new(), |_| deepest);
    page.known(report.floor_height_m, "floor", &format!("{floor}{deepest}"));
}

fn forces(page: &mut Page, report: &ClipReport) {
    let zmp = &report.zmp;
    page.known(
        zmp.mean_m,
        "ZMP",
        &format!(
            "{} outside the support on average, 95 % of the time within {}; outside for {}",
            centimetres(zmp.mean_m),
            centimetres(zmp.p95_m),
            percent(zmp.outside_share)
        ),
    );
    let friction = &report.friction;
    page.known(
        friction.p95,
        "friction",
        &format!(
            "{} needed at most for 95 % of the time; beyond the cone of 0.8 for {}",
            measured(friction.p95, "1"),
            percent(friction.outside_share)
        ),
    );
    let outside = percent(report.balance.outside_share);
    page.known(
        report.balance.outside_share,
        "balance",
        &format!("centre of mass beside the support for {outside} of the time"),
    );
}

/// What the moments of the body say is not said twice.
fn checks(page: &mut Page, report: &ClipReport) {
    if report.judgement.aspects.body.is_some() {
        return;
    }
    let checks = &report.checks;
    let limits = checks.joint_limits.iter().map(|it| {
        let (at, share) = (seconds(Some(it.secs)), percent(Some(it.share)));
        format!(
            "{}: {}, {}° beyond at {at} ({share} of frames)",
            printable(&it.joint),
            it.motion,
            decimals(it.beyond_deg, 0)
        )
    });
    let jitter = checks.jitter.iter().map(|it| {
        let jump = match (it.jump_mm, it.jump_secs) {
            (Some(mm), Some(secs)) => format!(", jumps by {} mm at {}", decimals(mm, 0), seconds(Some(secs))),
            _ => String::new(),
        };
        format!("{}: noise of {} mm{jump}", printable(&it.joint), decimals(it.noise_mm, 2))
    });
    let inside = checks.intersections.iter().map(|it| {
        let (depth, at) = (centimetres(Some(it.depth_m)), seconds(Some(it.secs)));
        format!("{} and {}: {depth} inside each other at {at}", printable(&it.joint_a), printable(&it.joint_b))
    });
    let found: Vec<String> = limits.chain(jitter).chain(inside).collect();
    if found.is_empty() {
        return page.wrap("checks", "joint ranges, jitter and limbs inside limbs: nothing found");
    }
    for (index, line) in found.iter().take(MOST_LISTED_LINES).enumerate() {
        page.wrap(if index == 0 { "checks" } else { "" }, line);
    }
    more(page, found.len(), MOST_LISTED_LINES);
}

fn warnings(page: &mut Page, report: &ClipReport) {
    if report.warnings.is_empty() {
        return;
    }
    page.gap();
    for warning in &report.warnings {
        for (index, line) in wrapped(&printable(warning), width()).iter().enumerate() {
            let label = if index == 0 { "warning" } else { "" };
            let _ = writeln!(page.text, "  {YELLOW}{label:<9}{YELLOW:#} {line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_they_say() {
        let plain = |score: f64| anstream::adapter::strip_str(&bar(score, Grade::Fair, 10)).to_string();
        assert_eq!(plain(100.0), "█".repeat(10));
        assert_eq!(plain(0.0), "·".repeat(10));
        assert_eq!(plain(55.0), "█████▌····");
        for score in 0..=100 {
            assert_eq!(plain(f64::from(score)).chars().count(), 10, "{score}");
        }
    }
}
