//! Whether an edit did good or harm, and how far it took the motion: the first thing on the page.

use crate::escape::html;
use crate::report::sentence;
use crate::units::{length, number};
use aplomb_analysis::fidelity::{Fidelity, PartPeak};
use aplomb_project::{EditResult, EditVerdict, Effect};
use std::fmt::Write;

/// The answer in a word and a colour, then what is worse, what it cost and what is better.
pub(super) fn outcome(verdict: Option<&EditVerdict>) -> String {
    let Some(verdict) = verdict else { return String::new() };
    let (class, word) = match verdict.result {
        _ if verdict.is_missed() && verdict.result != EditResult::Harmed => {
            ("poor", "What was asked for was not reached. Look at the result before you use it.")
        }
        EditResult::Done => ("good", "The result is good to use: nothing got worse."),
        EditResult::DoneWithCost => ("fair", "The result is good to use. See what it cost."),
        EditResult::Harmed => ("poor", "The edit made the motion worse. Do not use the result."),
    };
    let mut out = format!("<div class=\"outcome {class}\" role=\"status\"><p><strong>{word}</strong></p><ul>");
    for (title, effects) in [("Worse", &verdict.worse), ("Cost", &verdict.cost), ("Better", &verdict.better)] {
        for effect in effects {
            write_effect(&mut out, title, effect);
        }
    }
    out.push_str("</ul></div>");
    out
}

fn write_effect(out: &mut String, title: &str, effect: &Effect) {
    let class = title.to_lowercase();
    let _ = write!(
        out,
        "<li class=\"{class}\" data-code=\"{}\"><b>{title}:</b> {}.</li>",
        html(effect.code),
        html(&effect.text)
    );
}

/// How far the motion went: nothing where it was retimed, since no frame has its own before.
pub(super) fn ways(fidelity: Option<&Fidelity>) -> String {
    let Some(fidelity) = fidelity.filter(|it| it.same_frames && !it.moved.is_empty()) else { return String::new() };
    let mut rows: Vec<(String, String)> = Vec::new();
    for moved in &fidelity.moved {
        rows.push((sentence(moved.part.name()), format!("{} at {:.2} s", length(moved.held_m), moved.at_secs)));
    }
    if let Some(rms_deg) = fidelity.joints_rms_deg {
        rows.push(("All joints, typical".to_owned(), format!("{}°", number(rms_deg, 1))));
    }
    if let Some(worst) = &fidelity.worst_joint {
        let value = format!("{}° at {:.2} s", number(worst.held_deg, 1), worst.at_secs);
        rows.push((format!("Most turned joint, {}", worst.joint), value));
    }
    if let Some(lowered_m) = fidelity.lowered_m {
        let way = if lowered_m < 0.0 { "higher" } else { "lower" };
        rows.push(("Pelvis on average".to_owned(), format!("{} {way}", length(lowered_m.abs()))));
    }
    let peak = |peaks: &[PartPeak], good: fn(f64, f64) -> bool| {
        let share = |it: &PartPeak| it.after / it.before.max(1e-9);
        let worst =
            peaks.iter().filter(|it| it.before > 0.0).reduce(|a, b| if good(share(a), share(b)) { b } else { a });
        worst.map(|it| (it.part.name(), 100.0 * (share(it) - 1.0)))
    };
    if let Some((part, percent)) = peak(&fidelity.speed_peaks, |a, b| a > b) {
        rows.push((format!("Fastest moments, {part}"), format!("{} %", signed(percent))));
    }
    if let Some((part, percent)) = peak(&fidelity.acceleration_peaks, |a, b| a < b) {
        rows.push((format!("Hardest jerks, {part}"), format!("{} %", signed(percent))));
    }
    if let Some(secs) = fidelity.events_moved_secs {
        rows.push(("Footfalls moved in time".to_owned(), format!("{} ms", number(1e3 * secs, 0))));
    }
    let mut out = String::from("<h2>How far it moved <small>from the motion before</small></h2><dl class=\"ways\">");
    for (title, value) in rows {
        let _ = write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", html(&title), html(&value));
    }
    out.push_str("</dl>");
    out
}

fn signed(value: f64) -> String {
    let text = number(value.abs(), 0);
    if text == "0" { text } else { format!("{}{text}", if value < 0.0 { "−" } else { "+" }) }
}
