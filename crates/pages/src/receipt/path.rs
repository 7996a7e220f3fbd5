//! What became of the way over the ground: seen from above, and its speed. Drawn here, so that it needs no script.

use super::curves::{PLOT_HEIGHT, WIDTH};
use super::parts::MOST_RECEIPT_ROWS;
use crate::escape::html;
use crate::units::{UNKNOWN, length, number};
use std::fmt::Write;

/// The way before and after.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathChange {
    /// In a few words each: how far, how long, how deep.
    pub facts: Vec<String>,
    /// The points that people move.
    pub handles: Vec<PathHandle>,
    /// Key by key, in order.
    pub speeds: Vec<PathSpeed>,
    /// Where the body flies.
    pub flights: Vec<PathFlight>,
    /// Knees, ankles, elbows and wrists.
    pub limbs: Vec<PathLimb>,
}

/// Where the way of a joint bends most from one frame to the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathLimb {
    /// Its name.
    pub joint: String,
    /// When in the result.
    pub secs: f64,
    /// Second difference of its places: near that instant before, and there after, m.
    pub bend_m: [f64; 2],
    /// Beyond this it tears, m.
    pub limit_m: f64,
}

/// A handle before and after.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathHandle {
    /// `end`, `step`, `landing`.
    pub kind: String,
    /// The foot in front, or nothing.
    pub lead: String,
    /// When.
    pub secs: [f64; 2],
    /// Where it was …
    pub before_m: [f64; 3],
    /// … and is.
    pub after_m: [f64; 3],
    /// Scale factor of the way to the next handle, and the change of its mean speed; absent at the last one.
    pub next: Option<[f64; 2]>,
}

/// One key, before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathSpeed {
    /// When.
    pub secs: [f64; 2],
    /// Where on the ground, (x, z), m.
    pub ground_m: [[f64; 2]; 2],
    /// Way from the start, m.
    pub along_m: [f64; 2],
    /// m/s.
    pub speed: [f64; 2],
}

/// A flight, before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathFlight {
    /// How long.
    pub secs: [f64; 2],
    /// How high over the line from take-off to landing.
    pub height_m: [f64; 2],
    /// How far.
    pub length_m: [f64; 2],
    /// How it falls, m/s².
    pub g: [Option<f64>; 2],
}

/// Handles with a number beside them; more than this would be written over each other.
const MOST_LABELS: usize = 40;
/// Shorter ways have no place along them: time stands for it, m.
const LEAST_DRAWN_WAY_M: f64 = 0.5;

const PATH_MARGIN: f64 = 34.0;

/// Both cards.
pub(super) fn section(path: &PathChange) -> String {
    let is_finite = |it: &&PathSpeed| {
        it.ground_m.iter().flatten().chain(&it.along_m).chain(&it.speed).chain(&it.secs).all(|value| value.is_finite())
    };
    let keys: Vec<PathSpeed> = path.speeds.iter().filter(is_finite).copied().collect();
    let mut out = String::from(
        "    <section class=\"card path-card\" aria-label=\"Way over the ground\"><h2>The way over the ground <small>seen from above</small></h2>",
    );
    if keys.len() >= 2 {
        let _ = write!(out, "<figure>{}{LEGEND}</figure>", top_view(&keys, &path.handles));
    }
    for fact in path.facts.iter().take(MOST_RECEIPT_ROWS) {
        let _ = write!(out, "<p class=\"facts-line\">{}</p>", html(fact));
    }
    out.push_str(&handle_table(&path.handles));
    out.push_str("</section>\n    <section class=\"card path-card\" aria-label=\"Speed along the way\"><h2>Speed along the way <small>of the root over the ground, m/s</small></h2>");
    if keys.len() >= 2 {
        let _ = write!(out, "<figure>{}{LEGEND}</figure>", speed_plot(&keys, &path.handles));
    }
    out.push_str(&flight_table(&path.flights));
    out.push_str(&limb_table(&path.limbs));
    out.push_str("</section>\n");
    out
}

const LEGEND: &str = "<figcaption class=\"path-legend\"><i class=\"was-line\"></i>before <i></i>after</figcaption>";

/// Both ways on one map.
fn top_view(keys: &[PathSpeed], handles: &[PathHandle]) -> String {
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
        "<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"The way before and after, seen from above\">\
         <polyline class=\"was\" points=\"{}\"/><polyline class=\"is\" points=\"{}\"/>",
        line(0),
        line(1)
    );
    for (index, handle) in handles.iter().enumerate().take(MOST_RECEIPT_ROWS) {
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
        "<line class=\"at-handle\" x1=\"10\" y1=\"{y:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\"/><text x=\"10\" y=\"{t:.1}\">1 m</text></svg>",
        y = height - 8.0,
        x = 10.0 + metre,
        t = height - 13.0
    );
    svg
}

/// Speeds over the place on the original way, or over its time where it goes nowhere.
fn speed_plot(keys: &[PathSpeed], handles: &[PathHandle]) -> String {
    let goes = keys[keys.len() - 1].along_m[0] >= LEAST_DRAWN_WAY_M;
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
            "<line class=\"axis\" x1=\"{PATH_MARGIN}\" y1=\"{0:.1}\" x2=\"{1}\" y2=\"{0:.1}\"/><text x=\"4\" y=\"{2:.1}\">{3}</text>",
            y(value),
            WIDTH - 0.5 * PATH_MARGIN,
            y(value) + 4.0,
            html(&number(value, if step < 1.0 { 1 } else { 0 }))
        );
        value += step;
    }
    for (index, handle) in handles.iter().enumerate().take(MOST_RECEIPT_ROWS) {
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

/// 1, 2 or 5 times a power of ten, at least this.
fn nice_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|it| it * power).find(|step| *step >= least * 0.999).unwrap_or(power)
}

fn handle_table(handles: &[PathHandle]) -> String {
    let mut out = String::from(
        "<details><summary>Handles</summary><div class=\"scroll\" tabindex=\"0\" aria-label=\"Handles\"><table><thead><tr>\
         <th scope=\"col\" class=\"num\">Handle</th><th scope=\"col\">Kind</th><th scope=\"col\">In front</th>\
         <th scope=\"col\" class=\"num\">Time</th><th scope=\"col\" class=\"num\">Moved (x, y, z)</th>\
         <th scope=\"col\" class=\"num\">Scale to the next</th><th scope=\"col\" class=\"num\">Speed to the next</th></tr></thead><tbody>",
    );
    for (index, it) in handles.iter().enumerate().take(MOST_RECEIPT_ROWS) {
        let moved: Vec<String> = (0..3).map(|axis| number(it.after_m[axis] - it.before_m[axis], 2)).collect();
        let [scale, speed] = match it.next {
            Some([scale, speed]) => [number(scale, 2), format!("× {}", number(speed, 2))],
            None => [UNKNOWN.to_owned(), UNKNOWN.to_owned()],
        };
        let _ = write!(
            out,
            "<tr><td class=\"num\">{index}</td><td>{}</td><td>{}</td><td class=\"num\">{} → {} s</td><td class=\"num\">{} m</td>\
             <td class=\"num\">{}</td><td class=\"num\">{}</td></tr>",
            html(&it.kind),
            html(if it.lead.is_empty() { UNKNOWN } else { &it.lead }),
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

fn flight_table(flights: &[PathFlight]) -> String {
    if flights.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" aria-label=\"Flights\"><table><thead><tr><th scope=\"col\" class=\"num\">Flight</th>\
         <th scope=\"col\" class=\"num\">Height</th><th scope=\"col\" class=\"num\">Length</th><th scope=\"col\" class=\"num\">Time</th>\
         <th scope=\"col\" class=\"num\">Falls at</th></tr></thead><tbody>",
    );
    for (index, it) in flights.iter().enumerate().take(MOST_RECEIPT_ROWS) {
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

fn limb_table(limbs: &[PathLimb]) -> String {
    if limbs.is_empty() {
        return String::new();
    }
    let is_torn = |it: &PathLimb| it.bend_m[1] > it.limit_m;
    let open = if limbs.iter().any(is_torn) { " open" } else { "" };
    let mut out = format!(
        "<details{open}><summary>Largest bend of each joint's way in one frame</summary>\
         <div class=\"scroll\" tabindex=\"0\" aria-label=\"Limbs\"><table><thead><tr><th scope=\"col\">Joint</th>\
         <th scope=\"col\" class=\"num\">When</th><th scope=\"col\" class=\"num\">Bend</th>\
         <th scope=\"col\" class=\"num\">Torn beyond</th><th scope=\"col\"></th></tr></thead><tbody>",
    );
    for it in limbs.iter().take(MOST_RECEIPT_ROWS) {
        let _ = write!(
            out,
            "<tr><td>{}</td><td class=\"num\">{} s</td><td class=\"num\">{} → {}</td><td class=\"num\">{}</td><td>{}</td></tr>",
            html(&it.joint),
            html(&number(it.secs, 2)),
            html(&length(it.bend_m[0])),
            html(&length(it.bend_m[1])),
            html(&length(it.limit_m)),
            if is_torn(it) { "torn" } else { "" },
        );
    }
    out.push_str("</tbody></table></div></details>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(at: f64) -> PathSpeed {
        PathSpeed { secs: [at, 2.0 * at], ground_m: [[0.0, at], [at, at]], along_m: [at; 2], speed: [1.0, 0.5] }
    }

    #[test]
    fn the_way_and_its_speed_are_drawn_with_their_handles() {
        let handle = PathHandle { kind: "<step>".to_owned(), after_m: [1.0, 0.0, 0.0], ..PathHandle::default() };
        let flight = PathFlight { g: [Some(9.81), None], ..PathFlight::default() };
        let path = PathChange {
            facts: vec!["2 m".to_owned()],
            handles: vec![handle; 2],
            speeds: (0..20).map(|index| key(0.1 * f64::from(index))).collect(),
            flights: vec![flight],
            limbs: vec![PathLimb { joint: "<b>".to_owned(), secs: 1.0, bend_m: [0.01, 0.2], limit_m: 0.1 }],
        };
        let out = section(&path);
        assert_eq!(out.matches("<polyline").count(), 4);
        assert!(out.contains("&lt;step&gt;") && !out.contains("<step>"));
        assert!(out.contains("9.81 → – m/s²") && !out.contains("NaN"));
        assert!(out.contains("&lt;b&gt;") && out.contains("<details open>") && out.contains("torn</td>"));
    }

    #[test]
    fn nothing_that_is_no_number_is_drawn() {
        let mut keys = vec![key(0.0), key(1.0), key(2.0)];
        keys[1].speed[1] = f64::NAN;
        let handle = PathHandle { after_m: [f64::INFINITY; 3], ..PathHandle::default() };
        let out = section(&PathChange { speeds: keys, handles: vec![handle], ..PathChange::default() });
        assert!(!out.contains("NaN") && !out.contains("inf"), "{out}");
        assert!(!section(&PathChange::default()).contains("<svg"));
    }

    #[test]
    fn steps_of_axes_are_round() {
        assert_eq!([0.13, 0.7, 1.0, 3.0].map(nice_step), [0.2, 1.0, 1.0, 5.0]);
    }
}
