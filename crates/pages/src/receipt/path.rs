//! What became of the way over the ground: seen from above, and its speed. Drawn here, so that it needs no script.

use super::MOST_ROWS;
use super::curves::nice_step;
use crate::escape::html;
use crate::units::{UNKNOWN, centimetres, length, number};
use aplomb_editing::path::{FlightChange, PathSpeed};
use aplomb_editing::pops::LimbPop;
use aplomb_project::edit::{HandleRecord, PathRecord, SegmentRecord};
use std::fmt::Write;

/// Handles with a number beside them; more than this would be written over each other.
const MOST_LABELS: usize = 40;
/// Shorter ways have no place along them: time stands for it, m.
const LEAST_WAY_M: f64 = 0.5;

/// Size of the drawings.
const WIDTH: f64 = 640.0;
const PLOT_HEIGHT: f64 = 236.0;
const PATH_MARGIN: f64 = 34.0;

/// Both cards.
pub(super) fn section(path: &PathRecord) -> String {
    let is_finite = |it: &&PathSpeed| {
        it.ground_m.iter().flatten().chain(&it.along_m).chain(&it.speed).chain(&it.secs).all(|value| value.is_finite())
    };
    let keys: Vec<PathSpeed> = path.speeds.iter().filter(is_finite).copied().collect();
    let mut out = String::from(
        "    <section class=\"card path-card\" aria-label=\"Way over the ground\"><h2>The way over the ground \
         <small>seen from above</small></h2>",
    );
    if keys.len() >= 2 {
        let _ = write!(out, "<figure>{}{LEGEND}</figure>", top_view(&keys, &path.handles));
    }
    for fact in facts(path) {
        let _ = write!(out, "<p class=\"facts-line\">{}</p>", html(&fact));
    }
    out.push_str(&handle_table(&path.handles, &path.segments));
    out.push_str(
        "</section>\n    <section class=\"card path-card\" aria-label=\"Speed along the way\"><h2>Speed along the way \
         <small>of the root over the ground, m/s</small></h2>",
    );
    if keys.len() >= 2 {
        let _ = write!(out, "<figure>{}{LEGEND}</figure>", speed_plot(&keys, &path.handles));
    }
    out.push_str(&flight_table(&path.flights));
    out.push_str(&limb_table(&path.limbs));
    out.push_str("</section>\n");
    out
}

/// How far, how long and how deep, in a few words each.
fn facts(record: &PathRecord) -> Vec<String> {
    let way = |i: usize| record.segments.iter().map(|it| it.length_m[i]).sum::<f64>();
    let mut facts = vec![format!(
        "The way was {} m in {} s and is {} m in {} s.",
        number(way(0), 2),
        number(record.secs[0], 2),
        number(way(1), 2),
        number(record.secs[1], 2)
    )];
    if record.deepest_drop_m > 5e-4 || record.largest_lift_deg > 0.5 {
        let (drop, lift) = (centimetres(record.deepest_drop_m), number(record.largest_lift_deg, 0));
        facts.push(format!(
            "Because legs are short the body is lowered by up to {drop} and heels are raised by up to {lift}°."
        ));
    }
    if record.fastest_turn_deg > 0.5 {
        let turn = number(record.fastest_turn_deg, 0);
        facts.push(format!("The path turns the body by up to {turn}° a second."));
    }
    facts
}

const LEGEND: &str = "<figcaption class=\"path-legend\"><i class=\"was-line\"></i>before <i></i>after</figcaption>";

/// Both ways on one map.
fn top_view(keys: &[PathSpeed], handles: &[HandleRecord]) -> String {
    let points = || keys.iter().flat_map(|key| key.ground_m);
    let handle_points = || handles.iter().flat_map(|it| [it.before_m, it.after_m]).map(|[x, _, z]| [x, z]);
    let all = || points().chain(handle_points().filter(|point| point.iter().all(|part| part.is_finite())));
    let low = |axis: usize| all().map(|point| point[axis]).fold(f64::INFINITY, f64::min);
    let high = |axis: usize| all().map(|point| point[axis]).fold(f64::NEG_INFINITY, f64::max);
    let (x0, x1, z0, z1) = (low(0), high(0), low(1), high(1));
    // Long ways are drawn along the page.
    let is_tall = z1 - z0 > x1 - x0;
    let (wide_m, tall_m) = if is_tall { (z1 - z0, x1 - x0) } else { (x1 - x0, z1 - z0) };
    let scale = ((WIDTH - 2.0 * PATH_MARGIN) / wide_m.max(0.1)).min(420.0 / tall_m.max(0.1));
    let height = (tall_m * scale + 2.0 * PATH_MARGIN).max(3.0 * PATH_MARGIN);
    let left = 0.5 * (WIDTH - wide_m * scale);
    let top = 0.5 * (height - tall_m * scale);
    // Turned by a quarter, so that left stays left: (x, z) → (z, −x) is a turn, (x, z) → (z, x) would be a mirror.
    let at = |[x, z]: [f64; 2]| match is_tall {
        true => (left + (z - z0) * scale, top + (x1 - x) * scale),
        false => (left + (x - x0) * scale, top + (z - z0) * scale),
    };
    let line = |which: usize| polyline(keys.iter().map(|key| at(key.ground_m[which])));
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"The way before and after, seen from \
         above\">\
         <polyline class=\"was\" points=\"{}\"/><polyline class=\"is\" points=\"{}\"/>",
        line(0),
        line(1)
    );
    for (index, handle) in handles.iter().enumerate().take(MOST_ROWS) {
        let ([bx, _, bz], [ax, _, az]) = (handle.before_m, handle.after_m);
        if ![bx, bz, ax, az].iter().all(|part| part.is_finite()) {
            continue;
        }
        let ((wx, wy), (ix, iy)) = (at([bx, bz]), at([ax, az]));
        if (wx - ix).hypot(wy - iy) > 4.0 {
            let _ = write!(svg, "<line class=\"drag\" x1=\"{wx:.1}\" y1=\"{wy:.1}\" x2=\"{ix:.1}\" y2=\"{iy:.1}\"/>");
        }
        let _ = write!(svg, "<circle class=\"was-dot\" cx=\"{wx:.1}\" cy=\"{wy:.1}\" r=\"3.4\"/>");
        let _ = write!(svg, "<circle class=\"is-dot\" cx=\"{ix:.1}\" cy=\"{iy:.1}\" r=\"4\"/>");
        if index < MOST_LABELS {
            let _ = write!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{index}</text>", ix + 6.0, iy - 6.0);
        }
    }
    let metre = scale;
    let _ = write!(
        svg,
        "<line class=\"at-handle\" x1=\"10\" y1=\"{y:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\"/>\
         <text x=\"10\" y=\"{t:.1}\">1 m</text></svg>",
        y = height - 8.0,
        x = 10.0 + metre,
        t = height - 13.0
    );
    svg
}

/// Speeds over the place on the original way, or over its time where it goes nowhere.
fn speed_plot(keys: &[PathSpeed], handles: &[HandleRecord]) -> String {
    let goes = keys[keys.len() - 1].along_m[0] >= LEAST_WAY_M;
    let place = |key: &PathSpeed| if goes { key.along_m[0] } else { key.secs[0] };
    let (first, last) = (place(&keys[0]), place(&keys[keys.len() - 1]));
    let most = keys.iter().flat_map(|key| key.speed).fold(0.1, f64::max);
    let step = nice_step(most / 4.0);
    let top = (most / step).ceil() * step;
    let x = |value: f64| PATH_MARGIN + (value - first) / (last - first).max(1e-9) * (WIDTH - 1.5 * PATH_MARGIN);
    let y = |value: f64| PLOT_HEIGHT - 36.0 - value / top * (PLOT_HEIGHT - 50.0);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {PLOT_HEIGHT}\" role=\"img\" aria-label=\"Speed along the way before and after\">"
    );
    let mut value = 0.0;
    while value <= top + 1e-9 {
        let _ = write!(
            svg,
            "<line class=\"axis\" x1=\"{PATH_MARGIN}\" y1=\"{0:.1}\" x2=\"{1}\" y2=\"{0:.1}\"/>\
             <text x=\"4\" y=\"{2:.1}\">{3}</text>",
            y(value),
            WIDTH - 0.5 * PATH_MARGIN,
            y(value) + 4.0,
            html(&number(value, if step < 1.0 { 1 } else { 0 }))
        );
        value += step;
    }
    for (index, handle) in handles.iter().enumerate().take(MOST_ROWS) {
        let key = keys.partition_point(|key| key.secs[0] < handle.secs[0]).min(keys.len() - 1);
        let at = x(place(&keys[key]));
        let _ = write!(
            svg,
            "<line class=\"at-handle\" x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\"/>",
            y(top),
            y(0.0)
        );
        if handles.len() <= MOST_LABELS {
            let _ = write!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{index}</text>", at - 3.0, PLOT_HEIGHT - 20.0);
        }
    }
    let line = |which: usize| polyline(keys.iter().map(|key| (x(place(key)), y(key.speed[which]))));
    let unit = if goes { "m of the way, before" } else { "s, before" };
    let _ = write!(
        svg,
        "<polyline class=\"was\" points=\"{}\"/><polyline class=\"is\" points=\"{}\"/>\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">handles; {} to {} {unit}</text></svg>",
        line(0),
        line(1),
        WIDTH - 0.5 * PATH_MARGIN,
        PLOT_HEIGHT - 2.0,
        html(&number(first, 1)),
        html(&number(last, 1)),
    );
    svg
}

fn polyline(points: impl Iterator<Item = (f64, f64)>) -> String {
    points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

fn handle_table(handles: &[HandleRecord], segments: &[SegmentRecord]) -> String {
    let mut out = String::from(
        "<details><summary>Handles</summary><div class=\"scroll\" tabindex=\"0\" aria-label=\"Handles\"><table>\
         <thead><tr>\
         <th scope=\"col\" class=\"num\">Handle</th><th scope=\"col\">Kind</th><th scope=\"col\">In front</th>\
         <th scope=\"col\" class=\"num\">Time</th><th scope=\"col\" class=\"num\">Moved (x, y, z)</th>\
         <th scope=\"col\" class=\"num\">Scale to the next</th><th scope=\"col\" class=\"num\">Speed to the next</th>\
         </tr></thead><tbody>",
    );
    for (index, it) in handles.iter().enumerate().take(MOST_ROWS) {
        let moved: Vec<String> = (0..3).map(|axis| number(it.after_m[axis] - it.before_m[axis], 2)).collect();
        // After the last handle there is no way to the next.
        let [scale, speed] = match segments.get(index) {
            Some(next) => [number(next.scale, 2), format!("× {}", number(next.speed_change, 2))],
            None => [UNKNOWN.to_owned(), UNKNOWN.to_owned()],
        };
        let _ = write!(
            out,
            "<tr><td class=\"num\">{index}</td><td>{}</td><td>{}</td><td class=\"num\">{} → {} s</td>\
             <td class=\"num\">{} m</td><td class=\"num\">{}</td><td class=\"num\">{}</td></tr>",
            format!("{:?}", it.kind).to_lowercase(),
            it.lead.map_or_else(|| UNKNOWN.to_owned(), |side| side.to_string()),
            html(&number(it.secs[0], 2)),
            html(&number(it.secs[1], 2)),
            html(&moved.join(", ")),
            html(&scale),
            html(&speed),
        );
    }
    out.push_str("</tbody></table></div></details>");
    out
}

fn flight_table(flights: &[FlightChange]) -> String {
    if flights.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" aria-label=\"Flights\"><table><thead><tr>\
         <th scope=\"col\" class=\"num\">Flight</th>\
         <th scope=\"col\" class=\"num\">Height</th><th scope=\"col\" class=\"num\">Length</th>\
         <th scope=\"col\" class=\"num\">Time</th>\
         <th scope=\"col\" class=\"num\">Falls at</th></tr></thead><tbody>",
    );
    for (index, it) in flights.iter().enumerate().take(MOST_ROWS) {
        let [was, is] = it.g.map(|g| g.map_or_else(|| UNKNOWN.to_owned(), |g| number(g, 2)));
        let _ = write!(
            out,
            "<tr><td class=\"num\">{index}</td><td class=\"num\">{} → {}</td><td class=\"num\">{} → {}</td>\
             <td class=\"num\">{} → {} s</td><td class=\"num\">{} → {} m/s²</td></tr>",
            html(&length(it.height_m[0])),
            html(&length(it.height_m[1])),
            html(&length(it.length_m[0])),
            html(&length(it.length_m[1])),
            html(&number(it.secs[0], 3)),
            html(&number(it.secs[1], 3)),
            html(&was),
            html(&is),
        );
    }
    out.push_str("</tbody></table></div>");
    out
}

fn limb_table(limbs: &[LimbPop]) -> String {
    if limbs.is_empty() {
        return String::new();
    }
    let open = if limbs.iter().any(LimbPop::is_torn) { " open" } else { "" };
    let mut out = format!(
        "<details{open}><summary>Largest bend of each joint's way in one frame</summary>\
         <div class=\"scroll\" tabindex=\"0\" aria-label=\"Limbs\"><table><thead><tr><th scope=\"col\">Joint</th>\
         <th scope=\"col\" class=\"num\">When</th><th scope=\"col\" class=\"num\">Bend</th>\
         <th scope=\"col\" class=\"num\">Torn beyond</th><th scope=\"col\"></th></tr></thead><tbody>",
    );
    for it in limbs.iter().take(MOST_ROWS) {
        let _ = write!(
            out,
            "<tr><td>{}</td><td class=\"num\">{} s</td><td class=\"num\">{} → {}</td><td class=\"num\">{}</td>\
             <td>{}</td></tr>",
            html(&it.joint),
            html(&number(it.secs, 2)),
            html(&length(it.second_difference_m[0])),
            html(&length(it.second_difference_m[1])),
            html(&length(it.limit_m)),
            if it.is_torn() { "torn" } else { "" },
        );
    }
    out.push_str("</tbody></table></div></details>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_editing::path::{HandleKind, Timing};

    fn key(at: f64) -> PathSpeed {
        PathSpeed { secs: [at, 2.0 * at], ground_m: [[0.0, at], [at, at]], along_m: [at; 2], speed: [1.0, 0.5] }
    }

    fn handle(after_m: [f64; 3]) -> HandleRecord {
        HandleRecord { handle: 0, kind: HandleKind::Step, lead: None, secs: [0.0; 2], before_m: [0.0; 3], after_m }
    }

    fn record(handles: Vec<HandleRecord>, speeds: Vec<PathSpeed>) -> PathRecord {
        PathRecord {
            timing: Timing::Keep,
            is_humanly_possible: true,
            stairs: false,
            secs: [1.0, 2.0],
            handles,
            segments: Vec::new(),
            flights: Vec::new(),
            speeds,
            deepest_drop_m: 0.0,
            largest_lift_deg: 0.0,
            unreached_keys: 0,
            worst_miss_m: 0.0,
            fastest_turn_deg: 0.0,
            limbs: Vec::new(),
            alignment: None,
        }
    }

    #[test]
    fn the_way_and_its_speed_are_drawn_with_their_handles() {
        let keys = (0..20).map(|index| key(0.1 * f64::from(index))).collect();
        let mut path = record(vec![handle([1.0, 0.0, 0.0]); 2], keys);
        let (secs, height_m, length_m) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        path.flights = vec![FlightChange { secs, height_m, length_m, g: [Some(9.81), None] }];
        path.limbs =
            vec![LimbPop { joint: "<b>".to_owned(), secs: 1.0, second_difference_m: [0.01, 0.2], limit_m: 0.1 }];
        let out = section(&path);
        assert_eq!(out.matches("<polyline").count(), 4);
        assert!(out.contains("<td>step</td>") && out.contains("9.81 → – m/s²") && !out.contains("NaN"));
        assert!(out.contains("&lt;b&gt;") && out.contains("<details open>") && out.contains("torn</td>"));
    }

    #[test]
    fn nothing_that_is_no_number_is_drawn() {
        let mut keys = vec![key(0.0), key(1.0), key(2.0)];
        keys[1].speed[1] = f64::NAN;
        let out = section(&record(vec![handle([f64::INFINITY; 3])], keys));
        assert!(!out.contains("NaN") && !out.contains("inf"), "{out}");
        assert!(!section(&record(Vec::new(), Vec::new())).contains("<svg"));
    }
}
