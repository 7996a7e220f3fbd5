//! From the outcome of edits to the page of their receipt.

use crate::blend_page::blend;
use crate::pages::{self, file_name};
use crate::scene_drawn;
use crate::shown::{centimetres, decimals};
use aplomb_pages::{
    Change, ConvergenceStage, CurveChange, CurvePlot, Exposures, JointChange, MeasureRow, PathChange, PathFlight,
    PathHandle, PathLimb, PathSpeed, ReceiptInput, ReportInput, RootChange, receipt_html,
};
use aplomb_project::edit::{
    AdaptRecord, CurveFigure, CutEdit, Outcome, PathRecord, SpeedEdit, TouchupRecord, TrackRecord, TransitionEdit,
};
use aplomb_project::receipt::{self, Measure};
use aplomb_project::{Edit, EditReceipt, Inspected};
use aplomb_render::Theme;

/// The page; `back` leads to a page beside it, and `title` names the clip if its file does not.
///
/// Nothing where the motion cannot be judged: then there is nothing to show but the figures that the other receipts have.
pub fn html(outcome: &Outcome, receipt: &EditReceipt, title: Option<&str>, back: Option<&str>) -> Option<String> {
    // What edits with physics repaired is seen best against what they started from.
    let before = outcome.edited.as_ref().or(outcome.before.as_ref())?;
    let after = outcome.after.as_ref()?;
    let project = &receipt.project;
    let input_file = receipt.inputs.first().map_or_else(String::new, |input| input.path.display().to_string());
    let name = title.map_or_else(|| file_name(&input_file), str::to_owned);
    let verbs: Vec<&str> = project.edits.iter().map(Edit::verb).collect();
    let words: Vec<String> = project.edits.iter().map(Edit::in_words).collect();
    let recipe = project.to_toml().unwrap_or_default();
    let hash = receipt.inputs.first().and_then(|input| input.sha256.as_deref());
    let verb = verbs.join(", ");
    let was_edited = outcome.edited.is_some();
    let titles = if was_edited { ["edited", "repaired"] } else { ["before", "after"] };
    let measures = if receipt.repairs.is_empty() { &receipt.changes } else { &receipt.repairs };
    let input = ReceiptInput {
        summary: &sentence(&words),
        parameters: verbs.iter().zip(&words).map(|(verb, words)| ((*verb).to_owned(), words.clone())).collect(),
        recipe: &recipe,
        command: &command_line(&receipt.command),
        version: &format!("{} {}", receipt.program, receipt.version),
        input_file: &input_file,
        input_hash: &hash.map_or_else(String::new, |hash| format!("sha256:{hash}")),
        measures: measures.iter().map(row).collect(),
        convergence: receipt.steps.iter().filter_map(|step| step.touchup()).flat_map(convergence).collect(),
        path: receipt.steps.iter().rev().find_map(|step| step.path()).map(path),
        guarantees: receipt.steps.iter().rev().find_map(|step| step.blend()).map(|it| blend(it, project)),
        dynamics: receipt.steps.iter().rev().find_map(|step| {
            let told = step.adapt().map(|record| adapted(record, before, after));
            step.track().map(track).or(told)
        }),
        joints: receipt
            .joints
            .iter()
            .map(|joint| JointChange {
                name: joint.joint.clone(),
                rms_deg: joint.rms_deg,
                max_deg: joint.max_deg,
                max_secs: joint.at_secs,
            })
            .collect(),
        root: receipt.root.map(|root| RootChange { rms_m: root.rms_m, max_m: root.max_m, max_secs: root.at_secs }),
        notes: receipt.steps.iter().flat_map(|step| step.notes.clone()).collect(),
        warnings: receipt.steps.iter().flat_map(|step| step.warnings.clone()).collect(),
        same_moments: if was_edited { Vec::new() } else { same_moments(outcome) },
        back_href: back,
        ..ReceiptInput::new(&name, &verb, side(before, titles[0]), with_scene(side(after, titles[1]), outcome))
    };
    Some(receipt_html(&input))
}

/// With everybody and everything that the motion was played with.
fn with_scene<'a>(input: ReportInput<'a>, outcome: &'a Outcome) -> ReportInput<'a> {
    match scene_drawn::last_scene(outcome) {
        Some(record) => {
            ReportInput { others: scene_drawn::others(record), things: scene_drawn::things(record), ..input }
        }
        None => input,
    }
}

fn side<'a>(inspected: &'a Inspected, title: &'a str) -> ReportInput<'a> {
    ReportInput::new(title, inspected.clip(), &inspected.import.roles, &inspected.body, &inspected.inspection)
}

/// "Bent to the left with a radius of 2 m, then touched up."
fn sentence(words: &[String]) -> String {
    let joined = words.join(", then ");
    let mut letters = joined.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// As it can be typed again: words with spaces or signs of the shell in quotes.
fn command_line(words: &[String]) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,+@%".contains(letter);
    let quoted = |word: &String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

fn row(measure: &Measure) -> MeasureRow {
    MeasureRow {
        measure: measure.measure.clone(),
        title: measure.title.clone(),
        unit: measure.unit.to_owned(),
        before: measure.before,
        after: measure.after,
        change: match measure.change {
            receipt::Change::Better => Change::Better,
            receipt::Change::Worse => Change::Worse,
            receipt::Change::Same => Change::Same,
            receipt::Change::Different => Change::Different,
            receipt::Change::Unknown => Change::Unknown,
        },
    }
}

/// Figure 9 of the paper: the error before each iteration, step by step, and what the step left.
fn convergence(record: &TouchupRecord) -> Vec<ConvergenceStage> {
    let mut stages: Vec<(usize, ConvergenceStage)> = Vec::new();
    for iteration in &record.iterations {
        if stages.last().is_none_or(|(step, _)| *step != iteration.step) {
            // What a step leaves is what the next begins with.
            if let Some((_, last)) = stages.last_mut() {
                last.values.push(iteration.balance.mean_m);
            }
            let stage = ConvergenceStage {
                name: iteration.name.replace('_', " "),
                error: "distance of the zero-moment point from the support, mean".to_owned(),
                unit: "m".to_owned(),
                values: Vec::new(),
            };
            stages.push((iteration.step, stage));
        }
        if let Some((_, stage)) = stages.last_mut() {
            stage.values.push(iteration.balance.mean_m);
        }
    }
    if let Some((_, last)) = stages.last_mut() {
        last.values.push(record.after.mean_m);
    }
    stages.into_iter().map(|(_, stage)| stage).collect()
}

/// The way before and after, its handles, speeds and flights.
fn path(record: &PathRecord) -> PathChange {
    let way = |i: usize| record.segments.iter().map(|it| it.length_m[i]).sum::<f64>();
    let mut facts = vec![format!(
        "The way was {} m in {} s and is {} m in {} s.",
        decimals(way(0), 2),
        decimals(record.secs[0], 2),
        decimals(way(1), 2),
        decimals(record.secs[1], 2)
    )];
    if record.deepest_drop_m > 5e-4 || record.largest_lift_deg > 0.5 {
        let (drop, lift) = (centimetres(Some(record.deepest_drop_m)), decimals(record.largest_lift_deg, 0));
        facts.push(format!(
            "Because legs are short the body is lowered by up to {drop} and heels are raised by up to {lift}°."
        ));
    }
    if record.fastest_turn_deg > 0.5 {
        let turn = decimals(record.fastest_turn_deg, 0);
        facts.push(format!("The path turns the body by up to {turn}° a second."));
    }
    let handle = |(index, it): (usize, &aplomb_project::edit::HandleRecord)| PathHandle {
        kind: format!("{:?}", it.kind).to_lowercase(),
        lead: it.lead.map_or_else(String::new, |side| side.to_string()),
        secs: it.secs,
        before_m: it.before_m,
        after_m: it.after_m,
        next: record.segments.get(index).map(|segment| [segment.scale, segment.speed_change]),
    };
    PathChange {
        facts,
        handles: record.handles.iter().enumerate().map(handle).collect(),
        speeds: record
            .speeds
            .iter()
            .map(|it| PathSpeed { secs: it.secs, ground_m: it.ground_m, along_m: it.along_m, speed: it.speed })
            .collect(),
        flights: record
            .flights
            .iter()
            .map(|it| PathFlight { secs: it.secs, height_m: it.height_m, length_m: it.length_m, g: it.g })
            .collect(),
        limbs: record
            .limbs
            .iter()
            .map(|it| PathLimb {
                joint: it.joint.clone(),
                secs: it.secs,
                bend_m: it.second_difference_m,
                limit_m: it.limit_m,
            })
            .collect(),
    }
}

/// Figures and facts of a driven body.
fn track(record: &TrackRecord) -> CurveChange {
    let report = &record.report;
    let lag_secs = report.hands.iter().map(|hand| hand.lag_secs).fold(0.0, f64::max);
    let mut facts = vec![format!(
        "Servos of {} s⁻² drive {} degrees of freedom: {}° from what was wanted, hands {} ms late.",
        decimals(report.stiffness_per_s2, 0),
        report.degrees_of_freedom,
        decimals(report.rms_error_deg, 1),
        decimals(1e3 * lag_secs, 0)
    )];
    // Impacts shake, and should.
    if let Some(ratio) = report.shaking_ratio.filter(|_| record.contacts.is_empty()) {
        facts.push(format!("Hands shake (above 10 Hz) {} times as much as in playback.", decimals(ratio, 2)));
    }
    if let Some(standing) = report.standing {
        facts.push(match standing.fell_at_secs {
            Some(secs) => {
                let sign = standing.fell_by.map(|sign| format!(": {sign}")).unwrap_or_default();
                format!("The body falls at {} s{sign}.", decimals(secs, 2))
            }
            None => format!(
                "The body stands, its centre of mass {} inside the footprint at least.",
                centimetres(Some(standing.margin_m))
            ),
        });
    }
    if let Some(tilt_deg) = record.tilt_deg {
        let settling = record.settling_tilt_deg.map(|deg| format!(", {}° in the first half second", decimals(deg, 1)));
        let settling = settling.unwrap_or_default();
        facts.push(format!("What the hand holds leans by {}° at most{settling}.", decimals(tilt_deg, 1)));
    }
    for contact in record.contacts.iter().take(20) {
        facts.push(format!(
            "{} on {} at {} s: {} N, {} mm deep.",
            contact.a,
            contact.b,
            decimals(contact.start_secs, 2),
            decimals(contact.peak_force_n, 0),
            decimals(1e3 * contact.peak_depth_m, 1)
        ));
    }
    CurveChange { facts, plots: record.figures.iter().map(plot).collect(), exposures: None }
}

fn plot(figure: &CurveFigure) -> CurvePlot {
    CurvePlot {
        title: figure.title.clone(),
        subtitle: figure.subtitle.clone(),
        curves: figure.curves.clone(),
        marks: figure.marks.clone(),
    }
}

/// Forces, torques and facts of an adapted motion.
fn adapted(record: &AdaptRecord, before: &Inspected, after: &Inspected) -> CurveChange {
    let (fit, report) = (&record.fit, &record.adapted);
    let count = |steps: &[usize]| steps.iter().map(usize::to_string).collect::<Vec<_>>().join(" + ");
    let percent = |share: f64| decimals(100.0 * share, 1);
    let mut facts = vec![
        format!(
            "{} links with {} degrees of freedom and {} knots; to obey dynamics the clip itself had to change by {}° (joints, rms) and {} (root).",
            fit.links,
            fit.dofs,
            report.knots,
            decimals(fit.change.joints_rms_deg, 1),
            centimetres(Some(fit.change.root_rms_m))
        ),
        format!(
            "{} iterations, {} in refinement; joints change by {}° from where the search started.",
            count(&report.iterations),
            if report.refinements.is_empty() { "none".to_owned() } else { count(&report.refinements) },
            decimals(report.change_from_start.joints_rms_deg, 1)
        ),
        format!(
            "Unexplained force at the points: {} % of body weight; between them {} % for 95 % of the time, {} % at most, {} % just after touchdowns. \
             Standing feet stray {} mm at most.",
            percent(report.at_points.force),
            percent(report.between.force_p95),
            percent(report.between.force_max),
            percent(report.between.force_max_at_touchdown),
            decimals(1e3 * report.between.foot_drift_m, 1)
        ),
        format!(
            "Largest torque {} N·m ({}), friction {} at most, jerk {} times the clip's.",
            decimals(report.between.torque_max, 0),
            report.between.torque_max_link,
            decimals(report.between.friction_max, 2),
            decimals(report.jerk_ratio, 2)
        ),
        format!(
            "Before take-off the centre of mass sinks to {} over the ground (it was {}); in flight it falls at {} m/s².",
            centimetres(Some(report.after.lowest_before_takeoff_m)),
            centimetres(Some(report.before.lowest_before_takeoff_m)),
            decimals(report.after.g, 2)
        ),
    ];
    for over in report.torques_over.iter().take(12) {
        facts.push(format!(
            "{}: {} N·m at most, allowed {}.",
            over.link,
            decimals(over.peak_nm, 1),
            decimals(over.bound_nm, 1)
        ));
    }
    if report.limbs_deeper_m > 0.0 {
        let deeper = decimals(1e3 * report.limbs_deeper_m, 1);
        facts.push(format!("Limbs overlap by {deeper} mm more than in the clip: {}.", report.limbs_deepest));
    }
    if let Some(lifted_m) = report.cleared.lifted_foot_m {
        facts.push(format!("The lifted foot stays {} mm up at least.", decimals(1e3 * lifted_m, 0)));
    }
    if let (Some(over_m), Some(bar_m)) = (report.cleared.over_hurdle_m, report.cleared.from_bar_m) {
        facts.push(format!(
            "Feet pass {} mm over the hurdle, and nothing of the body comes nearer to its bar than {} mm.",
            decimals(1e3 * over_m, 0),
            decimals(1e3 * bar_m, 0)
        ));
    }
    let exposures = pages::exposures_svg(before, after, Theme::Light).map(|light_svg| Exposures {
        title: "The clip and what it was adapted to".to_owned(),
        light_svg,
        dark_svg: pages::exposures_svg(before, after, Theme::Dark),
    });
    CurveChange { facts, plots: record.figures.iter().map(plot).collect(), exposures }
}

/// Moments of the original and of the result that show the same, where an edit changed time.
fn same_moments(outcome: &Outcome) -> Vec<(f64, f64)> {
    let end_secs = outcome.original.clip.duration_secs();
    let mut moments = vec![(0.0, 0.0), (end_secs, end_secs)];
    let mut is_changed = false;
    for (edit, step) in outcome.provenance.project.edits.iter().zip(&outcome.steps) {
        is_changed |= !edit.keeps_time();
        moments = match edit {
            Edit::Cut(CutEdit { from_secs, to_secs }) => {
                let from = from_secs.unwrap_or(0.0);
                let to = to_secs.unwrap_or(f64::INFINITY).min(from + step.duration_secs);
                between(&moments, from, to).into_iter().map(|(old, new)| (old, new - from)).collect()
            }
            Edit::Speed(SpeedEdit { factor, from_secs: None, to_secs: None, .. }) => {
                moments.into_iter().map(|(old, new)| (old, new / factor)).collect()
            }
            // An eased stretch: its ends are known, and between them a straight line is near enough to look at.
            Edit::Speed(SpeedEdit { from_secs, to_secs, .. }) => {
                let (from, last) = (from_secs.unwrap_or(0.0), moments.last().map_or(0.0, |pair| pair.1));
                let to = to_secs.unwrap_or(last);
                let later = step.duration_secs - last;
                let mut parts = between(&moments, 0.0, from);
                parts.extend(between(&moments, to, last).into_iter().map(|(old, new)| (old, new + later)));
                parts
            }
            Edit::Transition(TransitionEdit { from_secs, .. }) => between(&moments, 0.0, *from_secs),
            Edit::Path(_) => step.path().map_or(moments.clone(), |record| retimed(&moments, record)),
            _ => moments,
        };
    }
    if is_changed { moments } else { Vec::new() }
}

/// The moments of the original that the keys of a path edit show.
fn retimed(moments: &[(f64, f64)], record: &PathRecord) -> Vec<(f64, f64)> {
    let since_secs = record.alignment.as_ref().map_or(0.0, |alignment| alignment.source_secs[0]);
    let old = |secs: f64| between(moments, secs, secs).first().map_or(secs, |pair| pair.0);
    record.speeds.iter().map(|key| (old(key.secs[0] + since_secs), key.secs[1])).collect()
}

/// The pairs whose second lies in a span, with its ends.
fn between(moments: &[(f64, f64)], from: f64, to: f64) -> Vec<(f64, f64)> {
    let old_at = |new: f64| {
        let pair = moments.windows(2).find(|pair| new <= pair[1].1).or(moments.windows(2).last());
        pair.map_or(new, |pair| {
            let ((a, x), (b, y)) = (pair[0], pair[1]);
            if y > x { a + (new - x) / (y - x) * (b - a) } else { a }
        })
    };
    let last = moments.last().map_or(0.0, |pair| pair.1);
    let (from, to) = (from.max(0.0), to.min(last));
    let inside = moments.iter().copied().filter(|pair| pair.1 > from && pair.1 < to);
    std::iter::once((old_at(from), from)).chain(inside).chain(std::iter::once((old_at(to), to))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_typed_again() {
        let words = ["aplomb", "cut", "a b.bvh", "it's", ""].map(str::to_owned);
        assert_eq!(command_line(&words), "aplomb cut 'a b.bvh' 'it'\\''s' ''");
        assert_eq!(sentence(&["cut".to_owned(), "tilted".to_owned()]), "Cut, then tilted.");
    }

    #[test]
    fn a_part_of_the_moments_has_its_ends() {
        let all = [(0.0, 0.0), (4.0, 2.0)];
        assert_eq!(between(&all, 0.5, 1.0), [(1.0, 0.5), (2.0, 1.0)]);
        assert_eq!(between(&all, 0.0, 9.0), [(0.0, 0.0), (4.0, 2.0)]);
    }
}
