//! Tables for spreadsheets: one clip frame by frame, or one row a clip. What cannot be said is an empty cell.

use crate::error::ProjectError;
use crate::report::ClipReport;
use aplomb_analysis::Inspection;
use glam::DVec3;

/// One row a frame.
pub fn series_csv(inspection: &Inspection) -> Result<Vec<u8>, ProjectError> {
    let series = &inspection.series;
    let effectors = &inspection.contacts.effectors;
    let mut header: Vec<String> = ["frame", "time_secs", "kind"].map(str::to_owned).to_vec();
    for (name, unit) in VECTORS {
        header.extend(["x", "y", "z"].map(|axis| format!("{name}_{axis}_{unit}")));
    }
    header.extend(SCALARS.map(str::to_owned));
    header.extend(effectors.iter().map(|effector| format!("down_{}", effector.name)));
    let rows = (0..series.times_secs.len()).map(|frame| {
        let kind = series.kind.get(frame).copied().flatten().map_or("", kind_name);
        let mut row = vec![frame.to_string(), cell(series.times_secs.get(frame).copied()), kind.to_owned()];
        let vectors = [
            &series.com_in_world_m,
            &series.com_velocity,
            &series.angular_momentum,
            &series.force_newtons,
            &series.zmp_in_world_m,
            &series.cop_in_world_m,
        ];
        for values in vectors {
            let value: Option<DVec3> = values.get(frame).copied().flatten();
            row.extend([0, 1, 2].map(|axis| cell(value.map(|value| value[axis]))));
        }
        let scalars = [
            &series.support_height_m,
            &series.zmp_distance_m,
            &series.balance_distance_m,
            &series.friction_ratio,
            &series.penetration_m,
        ];
        row.extend(scalars.map(|values| cell(values.get(frame).copied().flatten())));
        let down = series.down.get(frame).copied().unwrap_or(0);
        // Bit i is effector i; there are no more bits than 64.
        row.extend((0..effectors.len()).map(|index| u8::from(index < 64 && down >> index & 1 == 1).to_string()));
        row
    });
    table(&header, rows)
}

const VECTORS: [(&str, &str); 6] = [
    ("com", "m"),
    ("com_velocity", "m_per_s"),
    ("angular_momentum", "kg_m2_per_s"),
    ("force", "n"),
    ("zmp", "m"),
    ("cop", "m"),
];

const SCALARS: [&str; 5] =
    ["support_height_m", "zmp_distance_m", "balance_distance_m", "friction_ratio", "penetration_m"];

/// One row a clip; of clips that failed only the name and the message.
pub fn summary_csv<'a>(
    clips: impl IntoIterator<Item = (&'a str, Result<&'a ClipReport, String>)>,
) -> Result<Vec<u8>, ProjectError> {
    let header: Vec<String> = SUMMARY.map(str::to_owned).to_vec();
    let rows = clips.into_iter().map(|(file, report)| {
        let mut row = vec![file.to_owned()];
        match report {
            Ok(report) => row.extend(summary_row(report)),
            Err(error) => {
                row.resize(SUMMARY.len(), String::new());
                if let Some(cell) = SUMMARY.iter().position(|name| *name == "error").and_then(|at| row.get_mut(at)) {
                    *cell = error;
                }
            }
        }
        row
    });
    table(&header, rows)
}

const SUMMARY: [&str; 32] = [
    "file",
    "frames",
    "duration_secs",
    "fps",
    "fps_header",
    "stature_m",
    "mass_kg",
    "joints",
    "score",
    "score_all",
    "score_worst",
    "judged_share",
    "other_share",
    "flights",
    "flights_verified",
    "contacts",
    "zmp_mean_m",
    "zmp_p95_m",
    "zmp_outside_share",
    "skate_mean_m",
    "skate_max_m",
    "penetration_max_m",
    "friction_p95",
    "friction_outside_share",
    "balance_outside_share",
    "warnings",
    "error",
    "physics",
    "body",
    "recording",
    "headline",
    "worst_moment_secs",
];

fn summary_row(report: &ClipReport) -> Vec<String> {
    use aplomb_analysis::contacts::Verdict;
    let verified = report.flights.iter().filter(|flight| flight.verdict == Verdict::Verified).count();
    let judgement = &report.judgement;
    vec![
        report.frames.to_string(),
        cell(Some(report.duration_secs)),
        cell(report.fps),
        cell(report.fps_header),
        cell(report.stature_m),
        cell(report.body.total_mass_kg),
        report.joints.to_string(),
        cell(report.score),
        cell(report.score_all),
        report.score_worst.unwrap_or("").to_owned(),
        cell(Some(report.judged_share)),
        cell(report.other_share),
        report.flights.len().to_string(),
        verified.to_string(),
        report.contacts.len().to_string(),
        cell(report.zmp.mean_m),
        cell(report.zmp.p95_m),
        cell(report.zmp.outside_share),
        cell(report.skate.mean_m),
        cell(report.skate.max_m),
        cell(report.penetration.max_m),
        cell(report.friction.p95),
        cell(report.friction.outside_share),
        cell(report.balance.outside_share),
        report.warnings.join("; "),
        String::new(),
        cell(judgement.aspects.physics),
        cell(judgement.aspects.body),
        cell(judgement.aspects.recording),
        judgement.sentences(),
        cell(judgement.worst_moment_secs()),
    ]
}

/// As the JSON names it.
pub fn kind_name(kind: aplomb_analysis::report::PhaseKind) -> &'static str {
    use aplomb_analysis::report::PhaseKind;
    match kind {
        PhaseKind::Flight => "flight",
        PhaseKind::Left => "left",
        PhaseKind::Right => "right",
        PhaseKind::Double => "double",
        PhaseKind::Other => "other",
    }
}

fn cell(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
}

fn table(header: &[String], rows: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>, ProjectError> {
    let fail = |detail: String| ProjectError::Table { what: "CSV table", detail };
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).map_err(|error| fail(error.to_string()))?;
    for row in rows {
        writer.write_record(&row).map_err(|error| fail(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| fail(error.to_string()))
}
