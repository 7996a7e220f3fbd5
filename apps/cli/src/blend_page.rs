//! What a blend keeps, for the page of its receipt.

use crate::shown::{decimals, millimetres};
use aplomb_editing::blend::{BlendReport, FlightGuarantee};
use aplomb_pages::{GuaranteeRow, Guarantees};
use aplomb_project::Edit;
use aplomb_project::edit::{BlendRecord, Project};

/// Weights, guarantees and conditions. Bars are those of docs/algorithms/blend.md.
pub fn blend(record: &BlendRecord, project: &Project) -> Guarantees {
    let others = project.edits.iter().find_map(|edit| match edit {
        Edit::Blend(blend) => Some(blend.clips.as_slice()),
        _ => None,
    });
    let clips = std::iter::once(&project.clip).chain(others.unwrap_or_default());
    let report = &record.guarantees;
    let weights = clips.zip(&report.weights);
    let mut rows = Vec::new();
    for (index, flight) in report.flights.iter().enumerate() {
        flight_rows(&mut rows, index + 1, flight);
    }
    ground_rows(&mut rows, report);
    Guarantees {
        weights: weights.map(|(clip, weight)| (clip.display().to_string(), decimals(*weight, 3))).collect(),
        rows,
        conditions: report.conditions.iter().map(|it| (it.holds, it.detail.clone())).collect(),
    }
}

fn row(what: String, found: String, bar: String, holds: Option<bool>) -> GuaranteeRow {
    GuaranteeRow { what, found, bar, holds }
}

fn flight_rows(rows: &mut Vec<GuaranteeRow>, number: usize, flight: &FlightGuarantee) {
    let fall = |g: f64| format!("{} m/s²", decimals(g, 3));
    let is_near = |g: f64, predicted: f64| (g / predicted - 1.0).abs() <= 5e-4;
    rows.push(row(
        format!("Flight {number} falls at"),
        fall(flight.g),
        format!("{} by the times of its clips", fall(flight.predicted_g)),
        Some(is_near(flight.g, flight.predicted_g)),
    ));
    if let (Some(g), Some(predicted)) = (flight.written_g, flight.written_predicted_g) {
        let (found, bar) = (fall(g), format!("{} at those instants", fall(predicted)));
        rows.push(row(format!("Flight {number}, its frames alone"), found, bar, Some(is_near(g, predicted))));
    }
    rows.push(row(
        format!("Flight {number}, off a straight line in time"),
        millimetres(Some(flight.bend_m)),
        format!("{} in its clips", millimetres(Some(flight.allowed_bend_m))),
        Some(flight.bend_m <= flight.allowed_bend_m + 1e-4),
    ));
    let inputs: Vec<String> = flight.input_turn_deg.iter().map(|turn| format!("{}°", decimals(*turn, 0))).collect();
    let turn = format!("{}°", decimals(flight.turn_deg, 0));
    rows.push(row(format!("Flight {number} turns by"), turn, format!("clips {}", inputs.join(", ")), None));
    let most = |it: &glam::DVec3| it.max_element();
    let inputs = flight.input_momentum_deviation.iter().map(most).fold(0.0, f64::max);
    let (found, bar) = (decimals(most(&flight.momentum_deviation), 2), format!("clips {}", decimals(inputs, 2)));
    rows.push(row(format!("Flight {number}, spread of angular momentum, kg·m²/s"), found, bar, None));
}

fn ground_rows(rows: &mut Vec<GuaranteeRow>, report: &BlendReport) {
    let feet = &report.feet;
    let length = |metres: f64| millimetres(Some(metres));
    let mut push = |what: &str, found: String, bar: &str, holds: Option<bool>| {
        rows.push(row(what.to_owned(), found, bar.to_owned(), holds));
    };
    push("Standing balls off their track", length(feet.off_track_m), "0.01 mm", Some(feet.off_track_m <= 1e-5));
    let slide = feet.drift_excess_m;
    push("Feet slide beyond the clip that slides more", length(slide), "0.1 mm", Some(slide <= 1e-4));
    push("Lowest ball over the lowest clip", length(feet.lowest_m), "−1 mm", Some(feet.lowest_m >= -1e-3));
    let low = feet.lowest_joint_m;
    push("Lowest joint over the lowest clip", length(low), "−1 mm", Some(low >= -1e-3));
    let lost = format!("{} of {} frames", report.balance.lost_frames, report.balance.frames);
    push("Balance lost that all clips have", lost, "0", Some(report.balance.lost_frames == 0));
    let friction = report.forces.friction_excess;
    push("Friction beyond the clips'", decimals(friction.max(0.0), 3), "0.07", Some(friction <= 0.07));
    let miss = report.solving.worst_miss_m;
    push("Feet out of reach", length(miss), "5 mm", Some(miss <= 5e-3));
    let peak = &report.acceleration;
    let found = format!("{} × ({} at {} s)", decimals(peak.ratio, 2), peak.joint, decimals(peak.secs, 2));
    push("Largest peak of acceleration over the clips'", found, "1.5 ×", Some(peak.ratio <= 1.5));
    let jump = report.transitions.iter().map(|it| it.left_jump).fold(0.0, f64::max);
    push("Velocity jumps from phase to phase", format!("{} m/s", decimals(jump, 2)), "", None);
    let bend = report.transitions.iter().map(|it| it.leg_bend_m).fold(0.0, f64::max);
    push("Legs bend in one frame at changes of phase", length(bend), "", None);
}
