//! The pieces of a receipt that need no script.

use super::{ConvergenceStage, MOST_ROWS, View};
use crate::escape::html;
use crate::judged;
use crate::payload::Payload;
use crate::report::sentence;
use crate::units::{UNKNOWN, length, number, percent, words};
use aplomb_project::edit_receipt::JointReport;
use aplomb_project::receipt::{Change, Measure};
use std::fmt::Write;

/// What people ask for first, if it was measured.
const FIRST: [&str; 8] = [
    "zmp.mean_m",
    "skate.max_m",
    "flights.g_error",
    "flights.residual_m",
    "friction.p95",
    "penetration.max_m",
    "parts.tremor",
    "parts.pops",
];
/// What stands beside the heading without pushing the figure off a laptop's screen.
const MOST_GAINS: usize = 4;

/// Score before and after.
pub(super) fn scores(view: &View) -> String {
    let [before, after] = [("before", &view.before), ("after", &view.after)].map(|(name, it)| {
        let title = if it.title.is_empty() || it.title == name { String::new() } else { format!(": {}", it.title) };
        format!("{}<span class=\"score-name\">{name}{}</span>", judged::ring(&it.judgement), html(&title))
    });
    format!(
        "<div class=\"score-before\">{before}</div><span class=\"score-arrow\" aria-hidden=\"true\">→</span>\
         <div class=\"score-after\">{after}</div>"
    )
}

/// What was done, in a sentence.
pub(super) fn verdict(view: &View) -> String {
    html(view.summary)
}

/// The measures that tell most, large.
pub(super) fn gains(measures: &[Measure]) -> String {
    let known = |row: &&Measure| [row.before, row.after].iter().all(|value| value.is_some_and(f64::is_finite));
    let named = FIRST.iter().filter_map(|name| measures.iter().find(|row| row.measure == *name));
    let others = measures.iter().filter(|row| !FIRST.contains(&row.measure.as_str()) && row.unit != "points");
    // What changed comes before what did not, in the order above.
    let all: Vec<&Measure> = named.chain(others).filter(known).collect();
    let moved = |row: &&&Measure| matches!(row.change, Change::Better | Change::Worse);
    let mut rows: Vec<&Measure> = all.iter().filter(moved).copied().collect();
    rows.extend(all.iter().filter(|row| !moved(row)));
    let mut out = String::from("<h2>What changed <small>before above, after below</small></h2>");
    if rows.is_empty() {
        out.push_str("<p class=\"empty\">Nothing that can be measured of both.</p>");
    }
    for row in rows.iter().take(MOST_GAINS) {
        write_gain(&mut out, row);
    }
    out
}

fn write_gain(out: &mut String, row: &Measure) {
    let (before, after) = (row.before.unwrap_or(0.0), row.after.unwrap_or(0.0));
    let most = before.abs().max(after.abs()).max(1e-12);
    let share = |value: f64| (value.abs() / most * 100.0).clamp(0.0, 100.0);
    let _ = write!(
        out,
        "<div class=\"gain {class}\"><span class=\"gain-title\">{title}</span>\
         <span class=\"gain-values\"><s>{was}</s> → <b>{is}</b></span>\
         <span class=\"gain-bars\" aria-hidden=\"true\"><i style=\"width:{was_share:.1}%\"></i>\
         <i style=\"width:{is_share:.1}%\"></i></span>\
         <span class=\"gain-change\">{mark}</span></div>",
        class = class_of(row.change),
        title = html(&sentence(&row.title)),
        was = html(&value_text(row.unit, row.before)),
        is = html(&value_text(row.unit, row.after)),
        was_share = share(before),
        is_share = share(after),
        mark = html(&change_text(row)),
    );
}

/// All measures as a table.
pub(super) fn measures(rows: &[Measure]) -> String {
    let mut out = String::from("<h2>Before and after</h2>");
    if rows.is_empty() {
        out.push_str("<p class=\"empty\">Nothing was measured.</p>");
        return out;
    }
    out.push_str(
        "<div class=\"scroll\" tabindex=\"0\" aria-label=\"All measures\"><table><thead><tr>\
         <th scope=\"col\">Measure</th><th scope=\"col\" class=\"num\">Before</th>\
         <th scope=\"col\" class=\"num\">After</th><th scope=\"col\">Change</th></tr></thead><tbody>",
    );
    let is_shown = |row: &&Measure| row.before.is_some() || row.after.is_some();
    for row in rows.iter().filter(is_shown).take(MOST_ROWS) {
        let _ = write!(
            out,
            "<tr class=\"{class}\"><td>{title}</td><td class=\"num\">{was}</td><td class=\"num\">{is}</td>\
             <td class=\"mark\">{mark}</td></tr>",
            class = class_of(row.change),
            title = html(&sentence(&row.title)),
            was = html(&value_text(row.unit, row.before)),
            is = html(&value_text(row.unit, row.after)),
            mark = html(&change_text(row)),
        );
    }
    out.push_str("</tbody></table></div>");
    let shown = rows.iter().filter(is_shown).count();
    if shown > MOST_ROWS {
        let _ = write!(out, "<p class=\"empty\">The first {MOST_ROWS} of {shown}.</p>");
    }
    let absent: Vec<String> = rows.iter().filter(|row| !is_shown(row)).map(|row| html(&row.title)).collect();
    if !absent.is_empty() {
        let _ = write!(out, "<p class=\"empty\">Neither motion shows: {}.</p>", absent.join("; "));
    }
    out
}

fn class_of(change: Change) -> &'static str {
    match change {
        Change::Better => "better",
        Change::Worse => "worse",
        Change::Same => "same",
        Change::Different => "different",
        Change::Unknown => "unknown",
    }
}

/// Which way it went, by how much, and whether that is good: never by colour alone.
fn change_text(row: &Measure) -> String {
    let word = match row.change {
        Change::Better => "better",
        Change::Worse => "worse",
        Change::Different => "different",
        Change::Same => return "same".to_owned(),
        Change::Unknown => return UNKNOWN.to_owned(),
    };
    let (Some(before), Some(after)) = (row.before, row.after) else { return word.to_owned() };
    let arrow = if after > before { "▲" } else { "▼" };
    let by = match row.unit {
        "points" | "count" => number((after - before).abs(), if row.unit == "count" { 0 } else { 1 }),
        "share" => format!("{} points", number((after - before).abs() * 100.0, 0)),
        // Of a percentage that was next to nothing there is nothing to be learnt.
        _ if before.abs() > 1e-9 && (after / before).abs() < 10.0 => percent(((after - before) / before).abs()),
        _ => String::new(),
    };
    [arrow, &by, word].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A value as people read its unit.
fn value_text(unit: &str, value: Option<f64>) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return UNKNOWN.to_owned() };
    match unit {
        "m" => length(value),
        "share" => percent(value),
        "count" => number(value, 0),
        "points" => number(value, 1),
        "1" | "" => number(value, 2),
        "g" | "s" | "mm" => format!("{} {unit}", number(value, 2)),
        _ => format!("{} {unit}", number(value, 1)),
    }
}

/// Where the curves of [`ConvergenceStage`] are drawn, and the same as numbers where there is no canvas.
pub(super) fn convergence(stages: &[&ConvergenceStage]) -> String {
    if stages.iter().all(|stage| stage.values.is_empty()) {
        return String::new();
    }
    let mut out = String::from(
        "    <section class=\"card convergence\" aria-label=\"Convergence\">\
         <h2>How the error fell <small>by step and iteration</small></h2>\
         <div id=\"convergence\"></div><details><summary>As numbers</summary><div class=\"scroll\"><table><thead><tr>\
         <th scope=\"col\">Step</th>\
         <th scope=\"col\">Error</th><th scope=\"col\" class=\"num\">At first</th>\
         <th scope=\"col\" class=\"num\">At last</th>\
         <th scope=\"col\" class=\"num\">Iterations</th></tr></thead><tbody>",
    );
    for stage in stages {
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td>\
             </tr>",
            html(&words(&stage.name)),
            html(&stage.error),
            html(&value_text(&stage.unit, stage.values.first().copied())),
            html(&value_text(&stage.unit, stage.values.last().copied())),
            stage.values.len(),
        );
    }
    out.push_str("</tbody></table></div></details></section>\n");
    out
}

/// Bars of what was turned most; a click shows the joint in the figure.
pub(super) fn joints(view: &View, after: &Payload) -> String {
    let is_known = |joint: &&JointReport| joint.rms_deg.is_finite() && joint.max_deg.is_finite();
    let mut joints: Vec<&JointReport> = view.joints.iter().filter(is_known).collect();
    if joints.is_empty() && view.root.is_none() {
        return String::new();
    }
    joints.sort_by(|a, b| b.rms_deg.total_cmp(&a.rms_deg).then_with(|| a.joint.cmp(&b.joint)));
    let moved = joints.iter().filter(|joint| joint.max_deg >= LEAST_TURN_DEG).count();
    let most_deg = joints.iter().map(|joint| joint.max_deg).fold(1e-9, f64::max);
    let mut out = format!(
        "    <section class=\"card joints\" aria-label=\"Change of joints\"><h2>How far joints were turned \
         <small>bar: root mean square, tick: at most; {moved} of {} moved</small></h2>",
        joints.len()
    );
    if let Some(root) = view.root.filter(|root| root.rms_m.is_finite() && root.max_m.is_finite()) {
        let _ = write!(
            out,
            "<p class=\"root-change\">The root was moved by <b>{}</b> (root mean square), at most <b>{}</b> at {} \
             s.</p>",
            html(&length(root.rms_m)),
            html(&length(root.max_m)),
            html(&number(root.at_secs, 2)),
        );
    }
    out.push_str("<div class=\"joint-list scroll\">");
    for joint in joints.iter().take(MOST_ROWS).take(moved.max(1)) {
        write_joint(&mut out, joint, most_deg, after.link_of(&view.after, &joint.joint));
    }
    out.push_str("</div></section>\n");
    out
}

/// Smaller turns are what rounding in files does.
const LEAST_TURN_DEG: f64 = 0.05;

fn write_joint(out: &mut String, joint: &JointReport, most_deg: f64, link: Option<usize>) {
    let share = |deg: f64| (deg / most_deg * 100.0).clamp(0.0, 100.0);
    let link = link.map(|link| format!(" data-link=\"{link}\"")).unwrap_or_default();
    let secs = if joint.at_secs.is_finite() { joint.at_secs } else { 0.0 };
    let _ = write!(
        out,
        "<button type=\"button\" class=\"joint\" aria-pressed=\"false\"{link} data-secs=\"{secs:.4}\" title=\"Show \
         in the figure, {at} s\">\
         <span class=\"joint-name\">{name}</span>\
         <span class=\"joint-bar\" aria-hidden=\"true\"><i style=\"width:{rms_share:.1}%\"></i>\
         <u style=\"left:{max_share:.1}%\"></u></span>\
         <span class=\"joint-value\">{rms}°</span><span class=\"joint-most\">{most}° at {at} s</span></button>",
        at = html(&number(secs, 2)),
        name = html(&joint.joint),
        rms_share = share(joint.rms_deg),
        max_share = share(joint.max_deg),
        rms = html(&number(joint.rms_deg, 1)),
        most = html(&number(joint.max_deg, 1)),
    );
}

/// Everything that is needed to do it again.
pub(super) fn recipe(view: &View) -> String {
    let mut out = String::from("<h2>What was done</h2>");
    if !view.command.is_empty() {
        let _ = write!(
            out,
            "<div class=\"command\"><pre id=\"command\" tabindex=\"0\" aria-label=\"Command\">{}</pre>\
             <button type=\"button\" class=\"chip\" id=\"copy\">Copy</button></div>",
            lines(view.command)
        );
    }
    let provenance = [("File", view.input_file), ("Hash", view.input_hash), ("Made by", view.version)];
    let rows = view.parameters.iter().map(|(label, value)| (label.as_str(), value.as_str())).chain(provenance);
    out.push_str("<dl class=\"parameters\">");
    for (label, value) in rows.filter(|(_, value)| !value.is_empty()).take(MOST_ROWS) {
        let _ = write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", html(label), html(value));
    }
    out.push_str("</dl>");
    if !view.recipe.is_empty() {
        let _ = write!(
            out,
            "<details><summary>As a project file</summary><pre tabindex=\"0\" aria-label=\"Edit as TOML\">{}</pre>\
             </details>",
            lines(view.recipe)
        );
    }
    if !view.notes.is_empty() {
        let items: String =
            view.notes.iter().take(MOST_ROWS).map(|note| format!("<li>{}</li>", html(&sentence(note)))).collect();
        let _ = write!(out, "<ul class=\"remarks\">{items}</ul>");
    }
    out
}

/// Escaped, with its line ends.
fn lines(text: &str) -> String {
    text.lines().map(html).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(unit: &'static str, before: f64, after: f64, change: Change) -> Measure {
        let (measure, title) = (String::new(), String::new());
        Measure { measure, title, unit, before: Some(before), after: Some(after), change }
    }

    #[test]
    fn a_change_says_which_way_how_far_and_whether_that_is_good() {
        assert_eq!(change_text(&row("m", 0.04, 0.01, Change::Better)), "▼ 75 % better");
        assert_eq!(change_text(&row("points", 60.0, 84.25, Change::Better)), "▲ 24.2 better");
        assert_eq!(change_text(&row("m", 0.0, 0.01, Change::Worse)), "▲ worse");
        assert_eq!(change_text(&row("share", 0.43, 0.9, Change::Different)), "▲ 47 points different");
        assert_eq!(change_text(&row("m", 0.01, 0.01, Change::Same)), "same");
        assert_eq!(change_text(&Measure { after: None, ..row("m", 1.0, 1.0, Change::Unknown) }), "–");
    }

    #[test]
    fn values_have_the_units_people_read() {
        assert_eq!(value_text("m", Some(0.0213)), "2.1 cm");
        assert_eq!(value_text("share", Some(0.5)), "50 %");
        assert_eq!(value_text("mm/s", Some(3.21)), "3.2 mm/s");
        assert_eq!(value_text("count", Some(3.0)), "3");
        assert_eq!(value_text("1", Some(f64::NAN)), "–");
    }
}
