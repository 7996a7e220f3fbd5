//! Facts and curves of motions that dynamics made: played by a driven body, or adapted to goals.

use super::curves::{self, Exposures};
use crate::pictures::exposures_svg;
use crate::units::{centimetres, number};
use aplomb_project::Inspected;
use aplomb_project::edit::{AdaptRecord, TrackRecord};
use aplomb_render::Theme;

/// Contacts and torques that are listed one by one.
const MOST_CONTACTS: usize = 20;
const MOST_TORQUES: usize = 12;

/// Cards of a driven body.
pub(super) fn tracked(record: &TrackRecord) -> String {
    curves::section(&track_facts(record), &record.figures, None)
}

/// Cards of an adaptation: forces, torques, and both motions in one picture.
pub(super) fn adapted(record: &AdaptRecord, before: &Inspected, after: &Inspected) -> String {
    let exposures = exposures_svg(before, after, Theme::Light).map(|light_svg| Exposures {
        title: "The clip and what it was adapted to",
        light_svg,
        dark_svg: exposures_svg(before, after, Theme::Dark),
    });
    let mut facts = solver_facts(record);
    facts.extend(limit_facts(record));
    curves::section(&facts, &record.figures, exposures.as_ref())
}

fn track_facts(record: &TrackRecord) -> Vec<String> {
    let report = &record.report;
    let lag_secs = report.hands.iter().map(|hand| hand.lag_secs).fold(0.0, f64::max);
    let mut facts = vec![format!(
        "Servos of {} s⁻² drive {} degrees of freedom: {}° from what was wanted, hands {} ms late.",
        number(report.stiffness_per_s2, 0),
        report.degrees_of_freedom,
        number(report.rms_error_deg, 1),
        number(1e3 * lag_secs, 0)
    )];
    // Impacts shake, and should.
    if let Some(ratio) = report.shaking_ratio.filter(|_| record.contacts.is_empty()) {
        facts.push(format!("Hands shake (above 10 Hz) {} times as much as in playback.", number(ratio, 2)));
    }
    if let Some(standing) = report.standing {
        facts.push(match standing.fell_at_secs {
            Some(secs) => {
                let sign = standing.fell_by.map(|sign| format!(": {sign}")).unwrap_or_default();
                format!("The body falls at {} s{sign}.", number(secs, 2))
            }
            None => format!(
                "The body stands, its centre of mass {} inside the footprint at least.",
                centimetres(standing.margin_m)
            ),
        });
    }
    if let Some(tilt_deg) = record.tilt_deg {
        let settling = record.settling_tilt_deg.map(|deg| format!(", {}° in the first half second", number(deg, 1)));
        let settling = settling.unwrap_or_default();
        facts.push(format!("What the hand holds leans by {}° at most{settling}.", number(tilt_deg, 1)));
    }
    facts.extend(record.contacts.iter().take(MOST_CONTACTS).map(|contact| {
        format!(
            "{} on {} at {} s: {} N, {} mm deep.",
            contact.a,
            contact.b,
            number(contact.start_secs, 2),
            number(contact.peak_force_n, 0),
            number(1e3 * contact.peak_depth_m, 1)
        )
    }));
    facts
}

/// What was solved, how it went, and what dynamics leaves unexplained.
fn solver_facts(record: &AdaptRecord) -> Vec<String> {
    let (fit, report) = (&record.fit, &record.adapted);
    let count = |steps: &[usize]| steps.iter().map(usize::to_string).collect::<Vec<_>>().join(" + ");
    let percent = |share: f64| number(100.0 * share, 1);
    vec![
        format!(
            "{} links with {} degrees of freedom and {} knots; to obey dynamics the clip itself had to change by {}° \
             (joints, rms) and {} (root).",
            fit.links,
            fit.dofs,
            report.knots,
            number(fit.change.joints_rms_deg, 1),
            centimetres(fit.change.root_rms_m)
        ),
        format!(
            "{} iterations, {} in refinement; joints change by {}° from where the search started.",
            count(&report.iterations),
            if report.refinements.is_empty() { "none".to_owned() } else { count(&report.refinements) },
            number(report.change_from_start.joints_rms_deg, 1)
        ),
        format!(
            "Unexplained force at the points: {} % of body weight; between them {} % for 95 % of the time, {} % at \
             most, {} % just after touchdowns. Standing feet stray {} mm at most.",
            percent(report.at_points.force),
            percent(report.between.force_p95),
            percent(report.between.force_max),
            percent(report.between.force_max_at_touchdown),
            number(1e3 * report.between.foot_drift_m, 1)
        ),
        format!(
            "Largest torque {} N·m ({}), friction {} at most, jerk {} times the clip's.",
            number(report.between.torque_max, 0),
            report.between.torque_max_link,
            number(report.between.friction_max, 2),
            number(report.jerk_ratio, 2)
        ),
        format!(
            "Before take-off the centre of mass sinks to {} over the ground (it was {}); in flight it falls at {} \
             m/s².",
            centimetres(report.after.lowest_before_takeoff_m),
            centimetres(report.before.lowest_before_takeoff_m),
            number(report.after.g, 2)
        ),
    ]
}

/// What came near a limit or over it, and what was cleared.
fn limit_facts(record: &AdaptRecord) -> Vec<String> {
    let report = &record.adapted;
    let over = report.torques_over.iter().take(MOST_TORQUES);
    let mut facts: Vec<String> = over
        .map(|it| format!("{}: {} N·m at most, allowed {}.", it.link, number(it.peak_nm, 1), number(it.bound_nm, 1)))
        .collect();
    if report.limbs_deeper_m > 0.0 {
        let deeper = number(1e3 * report.limbs_deeper_m, 1);
        facts.push(format!("Limbs overlap by {deeper} mm more than in the clip: {}.", report.limbs_deepest));
    }
    if let Some(lifted_m) = report.cleared.lifted_foot_m {
        facts.push(format!("The lifted foot stays {} mm up at least.", number(1e3 * lifted_m, 0)));
    }
    if let (Some(over_m), Some(bar_m)) = (report.cleared.over_hurdle_m, report.cleared.from_bar_m) {
        facts.push(format!(
            "Feet pass {} mm over the hurdle, and nothing of the body comes nearer to its bar than {} mm.",
            number(1e3 * over_m, 0),
            number(1e3 * bar_m, 0)
        ));
    }
    facts
}
