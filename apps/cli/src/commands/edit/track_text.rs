//! What tracking and reaching did, on a terminal.

use crate::changes::labelled;
use crate::number_format::{centimetres, counted, decimals, millimetres};
use crate::style::DIM;
use aplomb_editing::reach::Reached;
use aplomb_editing::track::TrackReport;
use aplomb_project::edit::TrackRecord;

/// Contacts of the table; --json has all of them.
const MOST_PRINTED_CONTACTS: usize = 8;

pub fn track_text(text: &mut String, record: &TrackRecord) {
    report_text(text, "servos", &record.report);
    for other in &record.others {
        report_text(text, &other.name, &other.report);
    }
    for markers in &record.markers {
        let [[wanted, played], [of_wanted, of_played]] = [markers.peak_ratio, markers.correlation];
        let line = format!(
            "{} hand: peaks of speed × {} in playback, × {} simulated; speeds correlate by {} and {}",
            markers.side,
            decimals(wanted, 2),
            decimals(played, 2),
            decimals(of_wanted, 3),
            decimals(of_played, 3),
        );
        labelled(text, "markers", &line, DIM);
    }
    if let Some(tilt_deg) = record.tilt_deg {
        let settling = record.settling_tilt_deg.map(|deg| format!(", {}° while it settles (0.5 s)", decimals(deg, 1)));
        let line = format!("leans by {}° at most{}", decimals(tilt_deg, 1), settling.unwrap_or_default());
        labelled(text, "held", &line, DIM);
    }
    for contact in record.contacts.iter().take(MOST_PRINTED_CONTACTS) {
        let line = format!(
            "{} on {} at {} s for {} ms, {} N, {} deep",
            contact.a,
            contact.b,
            decimals(contact.start_secs, 2),
            decimals(1e3 * (contact.end_secs - contact.start_secs), 0),
            decimals(contact.peak_force_n, 0),
            millimetres(Some(contact.peak_depth_m)),
        );
        labelled(text, "contact", &line, DIM);
    }
    if record.contacts.len() > MOST_PRINTED_CONTACTS {
        let more = format!("{} in all", counted(record.contacts.len(), "contact"));
        labelled(text, "", &more, DIM);
    }
    record.reached.iter().for_each(|reached| reach_text(text, reached));
}

fn report_text(text: &mut String, label: &str, report: &TrackReport) {
    let mut facts = vec![
        format!("{} degrees of freedom at {} s⁻²", report.degrees_of_freedom, decimals(report.stiffness_per_s2, 0)),
        format!("{}° from what was wanted", decimals(report.rms_error_deg, 1)),
    ];
    let lag_secs = report.hands.iter().map(|hand| hand.lag_secs).fold(0.0, f64::max);
    facts.push(format!("hands {} ms late", decimals(1e3 * lag_secs, 0)));
    let mut ratios: Vec<f64> = report.hands.iter().flat_map(|hand| hand.peak_ratios.iter().copied()).collect();
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        facts.push(format!("peaks of speed × {}", decimals(*median, 2)));
    }
    if let Some(shaking) = report.shaking_ratio {
        facts.push(format!("shaking × {}", decimals(shaking, 2)));
    }
    labelled(text, label, &facts.join(", "), DIM);
    if let Some(standing) = report.standing {
        let line = match standing.fell_at_secs {
            Some(secs) => {
                let sign = standing.fell_by.map(|sign| format!(": {sign}")).unwrap_or_default();
                format!("falls at {} s{sign}", decimals(secs, 2))
            }
            None => format!(
                "stands, {} inside its footprint at least; feet slide by {} and lift by {}",
                centimetres(Some(standing.margin_m)),
                millimetres(Some(standing.slide_m)),
                millimetres(Some(standing.lift_m)),
            ),
        };
        labelled(text, "balance", &line, DIM);
    }
}

pub fn reach_text(text: &mut String, reached: &Reached) {
    let line = format!(
        "{} hand at {} s: {} → {} away, turned by {}°, at {} % of the arm's reach",
        reached.hand,
        decimals(reached.at_secs, 2),
        centimetres(Some(reached.before_m)),
        millimetres(Some(reached.error_m)),
        decimals(reached.turned_deg, 1),
        decimals(1e2 * reached.reach_share, 0),
    );
    labelled(text, "reach", &line, DIM);
}
