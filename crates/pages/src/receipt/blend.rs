//! What a blend was made of and what it keeps of physics, as a table.

use super::MOST_ROWS;
use crate::escape::html;
use crate::units::{millimetres, number};
use aplomb_editing::blend::{BlendReport, FlightGuarantee};
use aplomb_project::Edit;
use aplomb_project::edit::{BlendRecord, Project};
use std::fmt::Write;

/// One guarantee.
struct Row {
    /// What is measured.
    what: String,
    /// What was found, with its unit.
    found: String,
    /// What it may be; empty where it is for information.
    bar: String,
    /// Whether it is; `None` where there is no bar.
    holds: Option<bool>,
}

/// The card: weights, guarantees and conditions. Bars are those of docs/algorithms/blend.md.
pub(super) fn section(record: &BlendRecord, project: &Project) -> String {
    let others = project.edits.iter().find_map(|edit| match edit {
        Edit::Blend(blend) => Some(blend.clips.as_slice()),
        _ => None,
    });
    let clips = std::iter::once(&project.clip).chain(others.unwrap_or_default());
    let report = &record.guarantees;
    let weights = clips.zip(&report.weights).map(|(clip, weight)| (clip.display().to_string(), *weight));
    let mut rows = Vec::new();
    for (index, flight) in report.flights.iter().enumerate() {
        flight_rows(&mut rows, index + 1, flight);
    }
    ground_rows(&mut rows, report);
    let conditions = report.conditions.iter().map(|it| (it.holds, it.detail.as_str()));
    card(weights, &rows, conditions)
}

fn card<'a>(
    weights: impl Iterator<Item = (String, f64)>,
    rows: &[Row],
    conditions: impl Iterator<Item = (bool, &'a str)>,
) -> String {
    let mut out = String::from(
        "    <section class=\"card path-card\" aria-label=\"What the blend keeps\"><h2>What the blend keeps \
         <small>measured on its frames</small></h2>",
    );
    let weight = |(clip, weight): (String, f64)| format!("{} × {}", html(&number(weight, 3)), html(&clip));
    let weights: Vec<String> = weights.take(MOST_ROWS).map(weight).collect();
    let _ = write!(out, "<p class=\"facts-line\">{}</p>", weights.join(" + "));
    out.push_str(
        "<div class=\"scroll whole\" tabindex=\"0\" aria-label=\"Guarantees\"><table><thead><tr>\
         <th scope=\"col\">Guarantee</th><th scope=\"col\" class=\"num\">Found</th>\
         <th scope=\"col\" class=\"num\">Allowed</th><th scope=\"col\">Kept</th></tr></thead><tbody>",
    );
    for Row { what, found, bar, holds } in rows.iter().take(MOST_ROWS) {
        let kept = match holds {
            Some(true) => "yes",
            Some(false) => "<strong>no</strong>",
            None => "",
        };
        let (what, found, bar) = (html(what), html(found), html(bar));
        let _ = write!(
            out,
            "<tr><td>{what}</td><td class=\"num\">{found}</td><td class=\"num\">{bar}</td><td>{kept}</td></tr>"
        );
    }
    out.push_str("</tbody></table></div>");
    for (holds, words) in conditions.take(MOST_ROWS) {
        let mark = if holds { "met" } else { "not met" };
        let _ = write!(out, "<p class=\"facts-line\">Condition {mark}: {}.</p>", html(words));
    }
    out.push_str("</section>\n");
    out
}

fn flight_rows(rows: &mut Vec<Row>, flight_number: usize, flight: &FlightGuarantee) {
    let mut push = |what: &str, found: String, bar: String, holds: Option<bool>| {
        rows.push(Row { what: format!("Flight {flight_number}{what}"), found, bar, holds });
    };
    let fall = |g: f64| format!("{} m/s²", number(g, 3));
    let is_near = |g: f64, predicted: f64| Some((g / predicted - 1.0).abs() <= 5e-4);
    let (g, predicted) = (flight.g, flight.predicted_g);
    push(" falls at", fall(g), format!("{} by the times of its clips", fall(predicted)), is_near(g, predicted));
    if let (Some(g), Some(predicted)) = (flight.written_g, flight.written_predicted_g) {
        push(", its frames alone", fall(g), format!("{} at those instants", fall(predicted)), is_near(g, predicted));
    }
    let (bend_m, allowed_m) = (flight.bend_m, flight.allowed_bend_m);
    let bar = format!("{} in its clips", millimetres(allowed_m));
    push(", off a straight line in time", millimetres(bend_m), bar, Some(bend_m <= allowed_m + 1e-4));
    let turn = |deg: f64| format!("{}°", number(deg, 0));
    let of_clips: Vec<String> = flight.input_turn_deg.iter().map(|deg| turn(*deg)).collect();
    push(" turns by", turn(flight.turn_deg), format!("clips {}", of_clips.join(", ")), None);
    let most = |it: &glam::DVec3| it.max_element();
    let of_clips = flight.input_momentum_deviation.iter().map(most).fold(0.0, f64::max);
    let found = number(most(&flight.momentum_deviation), 2);
    push(", spread of angular momentum, kg·m²/s", found, format!("clips {}", number(of_clips, 2)), None);
}

fn ground_rows(rows: &mut Vec<Row>, report: &BlendReport) {
    let mut push = |what: &str, found: String, bar: &str, holds: Option<bool>| {
        rows.push(Row { what: what.to_owned(), found, bar: bar.to_owned(), holds });
    };
    let (feet, length) = (&report.feet, millimetres);
    push("Standing balls off their track", length(feet.off_track_m), "0.01 mm", Some(feet.off_track_m <= 1e-5));
    let slide = feet.drift_excess_m;
    push("Feet slide beyond the clip that slides more", length(slide), "0.1 mm", Some(slide <= 1e-4));
    push("Lowest ball over the lowest clip", length(feet.lowest_m), "−1 mm", Some(feet.lowest_m >= -1e-3));
    let low = feet.lowest_joint_m;
    push("Lowest joint over the lowest clip", length(low), "−1 mm", Some(low >= -1e-3));
    let lost = format!("{} of {} frames", report.balance.lost_frames, report.balance.frames);
    push("Balance lost that all clips have", lost, "0", Some(report.balance.lost_frames == 0));
    let friction = report.forces.friction_excess;
    push("Friction beyond the clips'", number(friction.max(0.0), 3), "0.07", Some(friction <= 0.07));
    let miss = report.solving.worst_miss_m;
    push("Feet out of reach", length(miss), "5 mm", Some(miss <= 5e-3));
    let peak = &report.acceleration;
    let found = format!("{} × ({} at {} s)", number(peak.ratio, 2), peak.joint, number(peak.secs, 2));
    push("Largest peak of acceleration over the clips'", found, "1.5 ×", Some(peak.ratio <= 1.5));
    let jump = report.transitions.iter().map(|it| it.left_jump).fold(0.0, f64::max);
    push("Velocity jumps from phase to phase", format!("{} m/s", number(jump, 2)), "", None);
    let bend = report.transitions.iter().map(|it| it.leg_bend_m).fold(0.0, f64::max);
    push("Legs bend in one frame at changes of phase", length(bend), "", None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_what_is_not_kept_is_seen() {
        let row = |holds| Row { what: "g".into(), found: "9.81".into(), bar: String::new(), holds };
        let weights = [("<a>.bvh".to_owned(), 0.5)].into_iter();
        let out = card(weights, &[row(Some(false)), row(None)], [(false, "turns differ")].into_iter());
        assert!(out.contains("0.500 × &lt;a&gt;.bvh"));
        assert!(out.contains("<strong>no</strong>") && out.contains("not met"));
    }
}
