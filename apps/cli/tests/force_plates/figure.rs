//! Pictures of the agreement: errors per trial (for the documentation), and the curves themselves (to look at, never
//! kept).

use crate::measure::Measured;
use crate::{Kind, bars};
use std::fmt::Write as _;
use std::path::Path;

/// Writes `table.md`, `errors.svg` and one `curve-TRIAL.svg` each.
pub fn write_all(folder: &Path, table: &str, measured: &[Measured]) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("table.md"), table).unwrap();
    std::fs::write(folder.join("errors.svg"), errors(measured)).unwrap();
    for it in measured {
        std::fs::write(folder.join(format!("curve-{}.svg", it.name)), curve(it)).unwrap();
    }
    eprintln!("written to {}", folder.display());
}

const HEAD: &str = "font-family=\"sans-serif\" font-size=\"12\"";

fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::Walk => "#2a9d8f",
        Kind::Squat => "#8ab17d",
        Kind::Run => "#e76f51",
        Kind::DropJump => "#3a6ea5",
        Kind::Sprint => "#9b5de5",
    }
}

/// Bars of the force error beside their limits, and every edge error as a dot.
fn errors(measured: &[Measured]) -> String {
    let (row, left, width) = (24.0, 130.0, 300.0);
    let height = row * measured.len() as f64 + 64.0;
    let second = left + width + 50.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" {HEAD}><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        second + width + 30.0
    );
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"18\" font-weight=\"bold\">vertical force: RMS error, % of body weight</text>"
    );
    let _ = writeln!(
        svg,
        "<text x=\"{second}\" y=\"18\" font-weight=\"bold\">touchdown ▽, lift-off △: ours − plates, ms</text>"
    );
    let bottom = 28.0 + row * measured.len() as f64;
    let at_percent = |percent: f64| left + width * percent / 10.0;
    let at_ms = |ms: f64| second + width * (ms.clamp(-50.0, 50.0) + 50.0) / 100.0;
    for percent in [0.0, 2.0, 4.0, 6.0, 8.0, 10.0] {
        let x = at_percent(percent);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} 28V{bottom}\" stroke=\"#ddd\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{percent}</text>",
            bottom + 16.0
        );
    }
    for ms in [-50.0, -25.0, 0.0, 25.0, 50.0] {
        let (x, stroke) = (at_ms(ms), if ms == 0.0 { "#888" } else { "#ddd" });
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} 28V{bottom}\" stroke=\"{stroke}\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{ms}</text>",
            bottom + 16.0
        );
    }
    for (index, it) in measured.iter().enumerate() {
        let y = 28.0 + row * index as f64;
        let fill = colour(it.kind);
        let (wide, limit) = (at_percent(100.0 * it.force_rms) - left, at_percent(100.0 * bars(it.kind).force_rms));
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", left - 8.0, y + 16.0, it.name);
        let _ =
            writeln!(svg, "<rect x=\"{left}\" y=\"{}\" width=\"{wide:.1}\" height=\"14\" fill=\"{fill}\"/>", y + 5.0);
        let _ = writeln!(svg, "<path d=\"M{limit:.1} {}v20\" stroke=\"#222\" stroke-width=\"2\"/>", y + 2.0);
        for event in &it.events {
            let x = at_ms(1000.0 * event.error_secs);
            let (tip, base) = if event.is_touchdown { (y + 17.0, y + 10.0) } else { (y + 6.0, y + 13.0) };
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {tip}L{:.1} {base}H{:.1}Z\" fill=\"{fill}\" fill-opacity=\"0.6\"/>",
                x - 4.0,
                x + 4.0
            );
        }
    }
    svg + "</svg>\n"
}

/// Vertical force of the plates (black) and ours (red; dotted where something beside the plates may carry).
fn curve(it: &Measured) -> String {
    let (width, height, most) = (1200.0, 320.0, 4.0);
    let (first, last) = (it.curves.first().map_or(0.0, |row| row.0), it.curves.last().map_or(1.0, |row| row.0));
    let x = |secs: f64| 40.0 + (width - 60.0) * (secs - first) / (last - first).max(1e-9);
    let y = |force: f64| height - 30.0 - (height - 60.0) * (force + 0.5) / (most + 0.5);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" {HEAD}><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for force in [0.0, 1.0, 2.0, 3.0] {
        let _ = writeln!(
            svg,
            "<path d=\"M40 {0:.1}H{1}\" stroke=\"#ddd\"/><text x=\"4\" y=\"{0:.1}\">{force} BW</text>",
            y(force),
            width - 20.0
        );
    }
    for (secs, ..) in it.curves.iter().filter(|row| !row.3) {
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"20\" width=\"3\" height=\"{}\" fill=\"#eee\"/>",
            x(*secs),
            height - 50.0
        );
    }
    for (pick, stroke) in [(0, "#000"), (1, "#d62828")] {
        let points: Vec<String> = it
            .curves
            .iter()
            .map(|row| format!("{:.1},{:.1}", x(row.0), y(if pick == 0 { row.1 } else { row.2 })))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>",
            points.join(" ")
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"50\" y=\"16\" font-weight=\"bold\">{}: plates black, ours red; grey frames do not count</text>",
        it.name
    );
    svg + "</svg>\n"
}
