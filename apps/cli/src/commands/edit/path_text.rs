//! Handles and the record of a path edit, on a terminal.

use super::sparkline::sparkline;
use crate::changes::labelled;
use crate::number_format::{acceleration, centimetres, counted, decimals};
use crate::style::{BOLD, DIM, GREEN};
use aplomb_editing::path::{FlightChange, HandleKind};
use aplomb_formats::diagnostic::printable;
use aplomb_motion::Side;
use aplomb_project::edit::{HandleList, HandleRecord, PathRecord};
use std::fmt::Write;

/// Bars of the sparkline of speeds.
const BARS: usize = 40;
/// Handles nearer to their places than this were not moved, m.
const MOVED_M: f64 = 5e-4;
/// Lines of a table that a terminal shows; --json has all.
const MOST_LINES: usize = 24;

/// The table of `--list-handles`.
pub fn list_text(list: &HandleList) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}\n", printable(&list.clip));
    let _ = writeln!(text, "  {DIM}handle    time        x        y        z   kind     in front{DIM:#}");
    for it in &list.handles {
        let [x, y, z] = it.position_m.map(|metres| decimals(metres, 3));
        let _ = writeln!(
            text,
            "  {:>6} {:>7} {x:>8} {y:>8} {z:>8}   {:<8} {}",
            it.handle,
            format!("{} s", decimals(it.time_secs, 2)),
            kind(it.kind),
            lead(it.lead)
        );
    }
    for it in &list.flights {
        let line = format!(
            "{}: {} to {} s ({} s), {} high, falls at {}",
            it.flight,
            decimals(it.start_secs, 2),
            decimals(it.end_secs, 2),
            decimals(it.end_secs - it.start_secs, 2),
            centimetres(Some(it.height_m)),
            acceleration(it.g)
        );
        labelled(&mut text, "flight", &line, DIM);
    }
    if list.flights.is_empty() {
        labelled(&mut text, "flights", "none", DIM);
    }
    list.notes.iter().for_each(|note| labelled(&mut text, "note", &printable(note), DIM));
    text.truncate(text.trim_end().len());
    text
}

/// What a path edit did.
pub fn record_text(text: &mut String, record: &PathRecord) {
    let way = |i: usize| record.segments.iter().map(|it| it.length_m[i]).sum::<f64>();
    let speed = |i: usize| if record.secs[i] > 0.0 { way(i) / record.secs[i] } else { 0.0 };
    let line = format!(
        "{} → {} m in {} → {} s: {} → {} m/s",
        decimals(way(0), 2),
        decimals(way(1), 2),
        decimals(record.secs[0], 2),
        decimals(record.secs[1], 2),
        decimals(speed(0), 2),
        decimals(speed(1), 2)
    );
    labelled(text, "way", &line, DIM);
    if let Some(bars) = speed_bars(record) {
        let _ = writeln!(text, "  {DIM}{:<9}{DIM:#} {GREEN}{}{GREEN:#} {}", "speed", bars.0, bars.1);
    }
    let moved: Vec<&HandleRecord> = record.handles.iter().filter(|it| moved_m(it) > MOVED_M).collect();
    for it in moved.iter().take(MOST_LINES) {
        let [x, y, z] = [0, 1, 2].map(|axis| decimals(it.after_m[axis] - it.before_m[axis], 2));
        let line = format!(
            "{} ({}) moved by {x}, {y}, {z} m, {} → {} s",
            it.handle,
            kind(it.kind),
            decimals(it.secs[0], 2),
            decimals(it.secs[1], 2)
        );
        labelled(text, "handle", &line, DIM);
    }
    if moved.len() > MOST_LINES {
        labelled(text, "", &format!("… and {} more", counted(moved.len() - MOST_LINES, "handle")), DIM);
    }
    let scales: Vec<String> = record.segments.iter().take(MOST_LINES).map(|it| decimals(it.scale, 2)).collect();
    labelled(text, "scales", &format!("{} between handles", scales.join(" ")), DIM);
    for (index, flight) in record.flights.iter().enumerate().take(MOST_LINES) {
        labelled(text, "flight", &flight_text(index, flight), DIM);
    }
    if record.deepest_drop_m > MOVED_M || record.largest_lift_deg > 0.5 {
        let line = format!(
            "lowered by up to {}, heels raised by up to {}°, because legs are short",
            centimetres(Some(record.deepest_drop_m)),
            decimals(record.largest_lift_deg, 0)
        );
        labelled(text, "reach", &line, DIM);
    }
    // The joint that comes nearest to its limit, or is farthest beyond.
    if let Some(limb) = record.limbs.iter().max_by(|a, b| a.beyond_m().total_cmp(&b.beyond_m())) {
        let [before, after] = limb.second_difference_m.map(|metres| centimetres(Some(metres)));
        let (at, limit) = (decimals(limb.secs, 2), centimetres(Some(limb.limit_m)));
        let line = format!(
            "nearest to tearing: the way of {} at {at} s bends by {before} → {after} in one frame (torn beyond {limit}); turned by up to {}°/s",
            printable(&limb.joint),
            decimals(record.fastest_turn_deg, 0)
        );
        labelled(text, "limbs", &line, DIM);
    }
}

fn flight_text(index: usize, flight: &FlightChange) -> String {
    let [g, new_g] = flight.g.map(acceleration);
    format!(
        "{index}: {} → {} high, {} → {} m long, {} → {} s, falls at {g} → {new_g}",
        centimetres(Some(flight.height_m[0])),
        centimetres(Some(flight.height_m[1])),
        decimals(flight.length_m[0], 2),
        decimals(flight.length_m[1], 2),
        decimals(flight.secs[0], 3),
        decimals(flight.secs[1], 3),
    )
}

/// The new speed along the path, as bars, and between which values.
fn speed_bars(record: &PathRecord) -> Option<(String, String)> {
    let last_m = record.speeds.last()?.along_m[1];
    if last_m <= 0.0 {
        return None;
    }
    let values: Vec<f64> = (0..BARS)
        .filter_map(|bar| {
            let at_m = last_m * (bar as f64 + 0.5) / BARS as f64;
            let after = record.speeds.partition_point(|it| it.along_m[1] < at_m).min(record.speeds.len() - 1);
            record.speeds.get(after).map(|it| it.speed[1])
        })
        .collect();
    let most = values.iter().copied().fold(0.0, f64::max);
    Some((sparkline(&values), format!("up to {} m/s along the way", decimals(most, 2))))
}

fn moved_m(it: &HandleRecord) -> f64 {
    (0..3).map(|axis| (it.after_m[axis] - it.before_m[axis]).powi(2)).sum::<f64>().sqrt()
}

fn kind(kind: HandleKind) -> &'static str {
    match kind {
        HandleKind::End => "end",
        HandleKind::Step => "step",
        HandleKind::Landing => "landing",
    }
}

fn lead(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::Left) => "left",
        Some(Side::Right) => "right",
        None => "–",
    }
}
