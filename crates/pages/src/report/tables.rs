//! Flights, contacts, transitions and checks as tables; every row with a time jumps to it.

use crate::escape::html;
use crate::units::{UNKNOWN, length, length_or_dash, number, percent, with_unit, words};
use aplomb_analysis::Inspection;
use aplomb_analysis::contacts::Verdict;
use aplomb_analysis::report::PhaseKind;
use std::fmt::Write;

/// Rows a table shows; the JSON of `inspect` has them all.
const MOST_REPORT_ROWS: usize = 300;

struct Table {
    id: &'static str,
    title: &'static str,
    /// Said when there is no row.
    empty: &'static str,
    /// Heading, and whether the column holds numbers.
    columns: Vec<(&'static str, bool)>,
    rows: Vec<Row>,
}

struct Row {
    /// Where the row jumps to.
    secs: Option<f64>,
    cells: Vec<String>,
}

/// All tables as tabs.
pub(super) fn all(inspection: &Inspection) -> String {
    let tables = [
        flights(inspection),
        contacts(inspection),
        transitions(inspection),
        limits(inspection),
        jitter(inspection),
        intersections(inspection),
    ];
    let mut out = String::from("<div class=\"tabs\" role=\"tablist\" aria-label=\"Tables\">");
    for (index, table) in tables.iter().enumerate() {
        let _ = write!(
            out,
            "<button role=\"tab\" id=\"tab-{id}\" aria-controls=\"panel-{id}\" aria-selected=\"{selected}\"{focus}>{title} <span class=\"count\">{count}</span></button>",
            id = table.id,
            selected = index == 0,
            focus = if index == 0 { "" } else { " tabindex=\"-1\"" },
            title = table.title,
            count = table.rows.len(),
        );
    }
    out.push_str("</div>");
    for (index, table) in tables.iter().enumerate() {
        write_table(&mut out, table, index == 0);
    }
    out
}

fn write_table(out: &mut String, table: &Table, shown: bool) {
    let hidden = if shown { "" } else { " hidden" };
    let _ = write!(
        out,
        "<div class=\"panel\" role=\"tabpanel\" id=\"panel-{id}\" aria-labelledby=\"tab-{id}\"{hidden}>",
        id = table.id
    );
    if table.rows.is_empty() {
        let _ = write!(out, "<p class=\"empty\">{}</p></div>", table.empty);
        return;
    }
    out.push_str("<div class=\"scroll\"><table><thead><tr>");
    for (heading, is_number) in &table.columns {
        let class = if *is_number { " class=\"num\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{heading}</th>");
    }
    out.push_str("</tr></thead><tbody>");
    for row in table.rows.iter().take(MOST_REPORT_ROWS) {
        match row.secs.filter(|secs| secs.is_finite()) {
            Some(secs) => {
                let _ = write!(
                    out,
                    "<tr class=\"jump\" data-secs=\"{secs:.4}\" tabindex=\"0\" title=\"Go to {secs:.2} s\">"
                );
            }
            None => out.push_str("<tr>"),
        }
        for (cell, (_, is_number)) in row.cells.iter().zip(&table.columns) {
            let class = if *is_number { " class=\"num\"" } else { "" };
            let _ = write!(out, "<td{class}>{}</td>", html(cell));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    if table.rows.len() > MOST_REPORT_ROWS {
        let _ = write!(out, "<p class=\"empty\">The first {MOST_REPORT_ROWS} of {}.</p>", table.rows.len());
    }
    out.push_str("</div>");
}

fn secs(value: f64) -> String {
    format!("{} s", number(value, 3))
}

fn flights(inspection: &Inspection) -> Table {
    let row = |(flight, report): (&aplomb_analysis::contacts::Flight, &aplomb_analysis::report::FlightReport)| {
        let verdict = match report.verdict {
            Verdict::Verified => "falls freely",
            Verdict::Short => "too short to tell",
            Verdict::Doubtful => "doubtful",
        };
        Row {
            secs: Some(flight.start_secs),
            cells: vec![
                secs(flight.start_secs),
                secs(flight.end_secs - flight.start_secs),
                with_unit(report.g, 2, "m/s²"),
                length_or_dash(report.rise_m),
                length_or_dash(report.residual_m),
                length_or_dash(report.bend_m),
                with_unit(report.speed_drift, 2, "m/s"),
                with_unit(report.momentum_spread, 3, "/s"),
                verdict.to_owned(),
            ],
        }
    };
    Table {
        id: "flights",
        title: "Flights",
        empty: if stands_throughout(inspection) { "The body never leaves the ground." } else { "No flight was found." },
        columns: vec![
            ("Take-off", true),
            ("Length", true),
            ("Fitted g", true),
            ("Rise", true),
            ("Off its parabola", true),
            ("Bend", true),
            ("Speed drift", true),
            ("Momentum spread", true),
            ("Verdict", false),
        ],
        rows: inspection.contacts.flights.iter().zip(&inspection.flight_reports).map(row).collect(),
    }
}

/// Whether something was seen to carry the body all the time.
fn stands_throughout(inspection: &Inspection) -> bool {
    let is_carried = |kind: PhaseKind| matches!(kind, PhaseKind::Left | PhaseKind::Right | PhaseKind::Double);
    !inspection.contacts.contacts.is_empty() && inspection.phases.iter().all(|phase| is_carried(phase.kind))
}

fn contacts(inspection: &Inspection) -> Table {
    let mut rows: Vec<Row> = inspection
        .contacts
        .contacts
        .iter()
        .zip(&inspection.contact_reports)
        .map(|(contact, report)| Row {
            secs: Some(contact.start_secs),
            cells: vec![
                words(&contact.effector),
                secs(contact.start_secs),
                secs(contact.end_secs),
                secs(contact.end_secs - contact.start_secs),
                length_or_dash(report.drift_m),
                length_or_dash(report.penetration_m),
                contact.raised_m.map_or_else(|| "floor".to_owned(), |raised_m| format!("{} up", length(raised_m))),
            ],
        })
        .collect();
    rows.sort_by(|a, b| a.secs.unwrap_or(0.0).total_cmp(&b.secs.unwrap_or(0.0)));
    Table {
        id: "contacts",
        title: "Contacts",
        empty: "No point ever stands still near a floor.",
        columns: vec![
            ("Point", false),
            ("Touchdown", true),
            ("Lift-off", true),
            ("Length", true),
            ("Drift", true),
            ("Under the floor", true),
            ("Support", false),
        ],
        rows,
    }
}

/// What a phase is called.
pub(super) fn phase_name(kind: PhaseKind) -> &'static str {
    match kind {
        PhaseKind::Flight => "flight",
        PhaseKind::Left => "left",
        PhaseKind::Right => "right",
        PhaseKind::Double => "double",
        PhaseKind::Other => "other",
    }
}

fn transitions(inspection: &Inspection) -> Table {
    let row = |it: &aplomb_analysis::report::Transition| Row {
        secs: Some(it.secs),
        cells: vec![
            secs(it.secs),
            format!("{} → {}", phase_name(it.from), phase_name(it.to)),
            length_or_dash(it.position_jump_m),
            with_unit(it.velocity_jump, 2, "m/s"),
        ],
    };
    Table {
        id: "transitions",
        title: "Transitions",
        empty: "The same side carries the body throughout.",
        columns: vec![("Time", true), ("Change", false), ("Jump of the COM", true), ("Jump of its velocity", true)],
        rows: inspection.transitions.iter().map(row).collect(),
    }
}

fn limits(inspection: &Inspection) -> Table {
    let row = |it: &aplomb_analysis::report::JointLimitFinding| Row {
        secs: Some(it.secs),
        cells: vec![
            it.joint.clone(),
            it.motion.clone(),
            format!("{}°", number(it.beyond_deg, 1)),
            secs(it.secs),
            percent(it.share),
        ],
    };
    Table {
        id: "limits",
        title: "Joint limits",
        empty: "Every joint stays in its range.",
        columns: vec![("Joint", false), ("Motion", false), ("Beyond", true), ("Worst at", true), ("Of the time", true)],
        rows: inspection.checks.joint_limits.iter().map(row).collect(),
    }
}

fn jitter(inspection: &Inspection) -> Table {
    let row = |it: &aplomb_analysis::report::JitterFinding| Row {
        secs: it.jump_secs,
        cells: vec![
            it.joint.clone(),
            with_unit(Some(it.noise_mm), 2, "mm"),
            with_unit(it.jump_mm, 1, "mm"),
            it.jump_secs.map_or_else(|| UNKNOWN.to_owned(), secs),
        ],
    };
    Table {
        id: "jitter",
        title: "Jitter",
        empty: "No joint trembles or jumps.",
        columns: vec![("Joint", false), ("Frame noise", true), ("Largest jump", true), ("At", true)],
        rows: inspection.checks.jitter.iter().map(row).collect(),
    }
}

fn intersections(inspection: &Inspection) -> Table {
    let row = |it: &aplomb_analysis::report::IntersectionFinding| Row {
        secs: Some(it.secs),
        cells: vec![format!("{} in {}", it.joint_a, it.joint_b), length(it.depth_m), secs(it.secs), percent(it.share)],
    };
    Table {
        id: "intersections",
        title: "Self-intersections",
        empty: "No limb passes through another.",
        columns: vec![("Parts", false), ("Depth", true), ("Deepest at", true), ("Of the time", true)],
        rows: inspection.checks.intersections.iter().map(row).collect(),
    }
}
