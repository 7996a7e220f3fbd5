//! The receipt of an edit on a terminal.

use super::sparkline::sparkline;
use crate::changes::{changes_text, heading, labelled, repairs_text, warnings_text};
use crate::number_format::{centimetres, counted, decimals, measured, millimetres};
use crate::style::{BOLD, CYAN, DIM, GREEN, RED, YELLOW};
use aplomb_analysis::fidelity::PartMoved;
use aplomb_editing::touchup::{FlightRecord, Status};
use aplomb_formats::diagnostic::printable;
use aplomb_project::edit::{AdaptRecord, BlendRecord, PlantRecord, StepRecord, TouchupRecord};
use aplomb_project::{EditReceipt, EditResult};
use std::fmt::Write;

/// Joints of the table; --json has all of them.
const MOST_LISTED_JOINTS: usize = 5;
/// Ways below this are not worth a word, m.
const LEAST_SHOWN_M: f64 = 0.5e-3;
/// Turns below this are not worth a line, degrees.
const LEAST_DEG: f64 = 0.05;

/// The receipt: the answer first, then how far the motion went, the measures that changed, and what each edit has to
/// say. `verbose` has every measure, and how each edit went about it.
pub fn receipt_text(receipt: &EditReceipt, verbose: bool) -> String {
    let before = receipt.inputs.first().map_or_else(String::new, |input| input.path.display().to_string());
    let after = match (receipt.outputs.as_slice(), receipt.dry_run) {
        ([], _) | (_, true) => "dry run, nothing was written".to_owned(),
        (outputs, false) => outputs.join(" and "),
    };
    let mut text = heading(&before, &after);
    verdict_text(&mut text, receipt);
    if receipt.changes.is_empty() {
        labelled(&mut text, "physics", "no body can be made of this skeleton, so nothing can be said of forces", DIM);
    } else if receipt.repairs.is_empty() {
        text.push_str(&changes_text(&receipt.changes, verbose));
    } else {
        text.push_str(&repairs_text(&receipt.changes, &receipt.repairs, verbose));
    }
    let _ = writeln!(text);
    let many = receipt.steps.len() > 1;
    for step in &receipt.steps {
        step_text(&mut text, step, many, verbose);
    }
    if verbose {
        joints_text(&mut text, receipt);
    }
    if let (Some(before), Some(after)) = (&receipt.before, &receipt.after) {
        text.push_str(&warnings_text(&before.warnings, &after.warnings));
    }
    text.truncate(text.trim_end().len());
    text
}

/// First whether the motion is good now, then how far it went.
fn verdict_text(text: &mut String, receipt: &EditReceipt) {
    if let Some(verdict) = &receipt.verdict {
        let (label, style) = match verdict.result {
            EditResult::Harmed => ("harmed", RED),
            _ if verdict.is_missed() => ("missed", RED),
            EditResult::Done => ("done", GREEN),
            EditResult::DoneWithCost => ("cost", YELLOW),
        };
        labelled(text, label, &printable(&format!("{} {}", receipt.asked, verdict.sentence)), style);
    }
    if let Some(next) = aplomb_words::next_step(receipt) {
        labelled(text, "next", &printable(&next), CYAN);
    }
    let Some(fidelity) = receipt.fidelity.as_ref().filter(|fidelity| fidelity.same_frames) else { return };
    let moved = |it: &PartMoved| format!("{} {}", it.part.name(), millimetres(Some(it.held_m)));
    let mut facts: Vec<String> = fidelity.moved.iter().filter(|it| it.held_m >= LEAST_SHOWN_M).map(moved).collect();
    if let Some(rms_deg) = fidelity.joints_rms_deg.filter(|deg| *deg >= LEAST_DEG) {
        facts.push(format!("joints {}° rms", decimals(rms_deg, 1)));
    }
    if let Some(worst) = fidelity.worst_joint.as_ref().filter(|worst| worst.held_deg >= LEAST_DEG) {
        facts.push(format!("{} {}° at {} s", worst.joint, decimals(worst.held_deg, 1), decimals(worst.at_secs, 2)));
    }
    if let Some(lowered_m) = fidelity.lowered_m.filter(|metres| metres.abs() >= LEAST_SHOWN_M) {
        facts.push(format!("pelvis {} lower on average", millimetres(Some(lowered_m))));
    }
    if let Some(secs) = fidelity.events_moved_secs.filter(|secs| *secs >= 0.5e-3) {
        facts.push(format!("touchdowns and lift-offs {} ms apart", decimals(1e3 * secs, 0)));
    }
    if !facts.is_empty() {
        labelled(text, "moved", &printable(&facts.join(", ")), DIM);
    }
}

fn step_text(text: &mut String, step: &StepRecord, many: bool, verbose: bool) {
    let label = if many { format!("{} {}", step.edit, step.verb) } else { step.verb.to_owned() };
    let mut facts = vec![counted(step.frames, "frame"), format!("{} s", decimals(step.duration_secs, 2))];
    if let (true, Some(stage)) = (many, step.stage) {
        facts.push(format!("score {}", measured(stage.score_all, "points")));
        facts.push(format!("ZMP {}", centimetres(stage.zmp_mean_m)));
        facts.push(format!("slide {}", centimetres(stage.skate_mean_m)));
    }
    let _ = writeln!(text, "  {BOLD}{label:<13}{BOLD:#} {}", facts.join(", "));
    if let Some(record) = step.touchup() {
        touchup_text(text, record, verbose);
    }
    if let Some(record) = step.plant() {
        plant_text(text, record);
    }
    if let Some(record) = step.path() {
        super::path_text::record_text(text, record);
    }
    if let Some(record) = step.blend() {
        blend_text(text, record);
    }
    if let Some(record) = step.adapt() {
        adapt_text(text, record);
    }
    if let Some(record) = step.track() {
        super::track_text::track_text(text, record);
    }
    if let Some(reached) = step.reach() {
        super::track_text::reach_text(text, reached);
    }
    step.notes.iter().for_each(|note| labelled(text, "note", &printable(note), DIM));
    step.warnings.iter().for_each(|warning| labelled(text, "warning", &printable(warning), YELLOW));
}

fn touchup_text(text: &mut String, record: &TouchupRecord, verbose: bool) {
    let how = match record.status {
        Status::Improved => "",
        Status::WasFine => ", which was fine",
        Status::NotImproved => ", no better",
    };
    let balance = format!(
        "ZMP {} → {} outside the support (weighted by force), by {}{how}",
        centimetres(Some(record.before.weighted_m)),
        centimetres(Some(record.after.weighted_m)),
        counted(record.layers.len(), "correction"),
    );
    labelled(text, "balance", &balance, DIM);
    if let (Some(before), Some(after)) = (record.span_before, record.span_after) {
        let [before, after] = [before, after].map(|balance| centimetres(Some(balance.weighted_m)));
        labelled(text, "in span", &format!("ZMP {before} → {after} outside the support"), DIM);
    }
    let errors: Vec<f64> = record.iterations.iter().map(|it| it.balance.mean_m).collect();
    if verbose && errors.len() > 1 {
        let ends = [errors.first(), errors.last()].map(|metres| centimetres(metres.copied()));
        let line = format!("{GREEN}{}{GREEN:#} {} → {} before each", sparkline(&errors), ends[0], ends[1]);
        let _ = writeln!(text, "  {DIM}{:<9}{DIM:#} {line}", "steps");
    }
    let touched: Vec<&FlightRecord> = record.flights.iter().filter(|flight| flight.touched).collect();
    for flight in touched.iter().take(6) {
        let line = format!(
            "{} s: g {} → {} m/s², {} → {} off its parabola, spread of spin {} → {} kg m²/s",
            decimals(flight.start_secs, 2),
            decimals(flight.before.g, 2),
            decimals(flight.after.g, 2),
            millimetres(Some(flight.before.residual_m)),
            millimetres(Some(flight.after.residual_m)),
            decimals(flight.before.momentum_spread, 2),
            decimals(flight.after.momentum_spread, 2),
        );
        labelled(text, "flight", &line, DIM);
    }
}

fn plant_text(text: &mut String, record: &PlantRecord) {
    let line = format!(
        "{} held: what is held drifts by {} → {} at worst, {} → {} on average; the body sinks by {} at most. Slides of the \
         report are of whole stances, with feet that roll on or push off",
        counted(record.summary.pins, "stand"),
        millimetres(Some(record.before.worst_m)),
        millimetres(Some(record.after.worst_m)),
        millimetres(Some(record.before.mean_m)),
        millimetres(Some(record.after.mean_m)),
        millimetres(Some(record.summary.deepest_drop_m)),
    );
    labelled(text, "feet", &line, DIM);
}

fn adapt_text(text: &mut String, record: &AdaptRecord) {
    let (fit, done) = (&record.fit, &record.adapted);
    let percent = |share: f64| format!("{} %", decimals(100.0 * share, 1));
    let line = format!(
        "{} links, {} degrees of freedom; joints moved by {}° rms to obey dynamics, the root by {}",
        fit.links,
        fit.dofs,
        decimals(fit.change.joints_rms_deg, 1),
        millimetres(Some(fit.change.root_rms_m)),
    );
    labelled(text, "fit", &line, DIM);
    let [steps, refined] = [&done.iterations, &done.refinements].map(|counts| counts.iter().sum::<usize>());
    let line = format!(
        "{} in {} and {refined} to refine; joints moved by {}° rms from the start",
        if done.status.is_met() { "goals met" } else { "goals not met" },
        counted(steps, "iteration"),
        decimals(done.change_from_start.joints_rms_deg, 1),
    );
    labelled(text, "goals", &line, DIM);
    let line = format!(
        "unexplained force {} of body weight at points, {} between (95 % of the time; {} at most, {} at touchdowns); feet stray {}",
        percent(done.at_points.force),
        percent(done.between.force_p95),
        percent(done.between.force_max),
        percent(done.between.force_max_at_touchdown),
        millimetres(Some(done.between.foot_drift_m)),
    );
    labelled(text, "dynamics", &line, DIM);
    let line = format!(
        "friction {} at most, torque {} N·m at most ({}), jerk {} times the fitted motion's",
        decimals(done.between.friction_max, 2),
        decimals(done.between.torque_max, 0),
        printable(&done.between.torque_max_link),
        decimals(done.jerk_ratio, 2),
    );
    labelled(text, "effort", &line, DIM);
    for over in &done.torques_over {
        let [bound, peak] = [over.bound_nm, over.peak_nm].map(|torque| decimals(torque, 1));
        let line = format!("{}: {peak} N·m between points, where {bound} are allowed", printable(&over.link));
        labelled(text, "torque", &line, DIM);
    }
    if !done.limbs_deepest.is_empty() {
        let deeper = millimetres(Some(done.limbs_deeper_m));
        labelled(
            text,
            "limbs",
            &format!("{} overlap by {deeper} more than in the clip", printable(&done.limbs_deepest)),
            YELLOW,
        );
    }
    let cleared = &done.cleared;
    if let Some(lifted_m) = cleared.lifted_foot_m {
        labelled(text, "lifted", &format!("the other foot stays {} up at least", millimetres(Some(lifted_m))), DIM);
    }
    if let (Some(over_m), Some(bar_m)) = (cleared.over_hurdle_m, cleared.from_bar_m) {
        let [over, bar] = [over_m, bar_m].map(|height_m| millimetres(Some(height_m)));
        let line = format!("feet pass {over} over it, nothing comes nearer to its bar than {bar}");
        labelled(text, "hurdle", &line, if over_m.min(bar_m) < 0.0 { YELLOW } else { DIM });
    }
    if done.after.flight_secs > 0.0 {
        let line = format!(
            "{} → {} s, falls at {} m/s²; lowest before takeoff {} → {}, rise {} → {}",
            decimals(done.before.flight_secs, 2),
            decimals(done.after.flight_secs, 2),
            decimals(done.after.g, 2),
            centimetres(Some(done.before.lowest_before_takeoff_m)),
            centimetres(Some(done.after.lowest_before_takeoff_m)),
            centimetres(Some(done.before.rise_m)),
            centimetres(Some(done.after.rise_m)),
        );
        labelled(text, "flight", &line, DIM);
    }
}

fn blend_text(text: &mut String, record: &BlendRecord) {
    let report = &record.guarantees;
    let weights: Vec<String> = report.weights.iter().map(|weight| decimals(*weight, 3)).collect();
    labelled(text, "weights", &weights.join(" : "), DIM);
    for parameter in record.parameters.iter().filter(|parameter| parameter.asked.is_some()) {
        let (asked, achieved) = (decimals(parameter.asked.unwrap_or_default(), 3), decimals(parameter.achieved, 3));
        let line = format!("{} {asked} {} asked, {achieved} achieved", parameter.name, parameter.unit);
        labelled(text, "measure", &line, DIM);
    }
    for flight in report.flights.iter().take(6) {
        let theirs: Vec<String> = flight.input_g.iter().map(|g| decimals(*g, 2)).collect();
        let line = format!(
            "falls at {} m/s² ({} by the times, clips {}); {} off a straight line, {} allowed; turns by {}°",
            decimals(flight.g, 2),
            decimals(flight.predicted_g, 2),
            theirs.join(" and "),
            millimetres(Some(flight.bend_m)),
            millimetres(Some(flight.allowed_bend_m)),
            decimals(flight.turn_deg, 0),
        );
        labelled(text, "flight", &line, DIM);
    }
    let feet = &report.feet;
    let line = format!(
        "{} off their track, slide {}; lowest {} over the lowest clip, any joint {}",
        millimetres(Some(feet.off_track_m)),
        millimetres(Some(feet.drift_m)),
        millimetres(Some(feet.lowest_m)),
        millimetres(Some(feet.lowest_joint_m)),
    );
    labelled(text, "feet", &line, DIM);
    let kept = match report.balance.frames {
        0 => "no frame in which all clips stand in balance".to_owned(),
        frames => {
            format!("kept in {} of {frames} frames that all clips have it in", frames - report.balance.lost_frames)
        }
    };
    let line = format!(
        "{kept}; friction {} at most, {} over the clips",
        decimals(report.forces.friction, 2),
        decimals(report.forces.friction_excess.max(0.0), 3),
    );
    labelled(text, "balance", &line, DIM);
    let fastest = &report.acceleration;
    if fastest.ratio > 0.0 {
        let line = format!(
            "{} × the clips' at most ({} at {} s)",
            decimals(fastest.ratio, 2),
            printable(&fastest.joint),
            decimals(fastest.secs, 2)
        );
        labelled(text, "peaks", &line, DIM);
    }
    let jump = report.transitions.iter().map(|it| it.left_jump).fold(0.0, f64::max);
    if !report.transitions.is_empty() {
        let line = format!("velocity jumps by {} m/s at most from phase to phase", decimals(jump, 2));
        labelled(text, "changes", &line, DIM);
    }
}

fn joints_text(text: &mut String, receipt: &EditReceipt) {
    let moved: Vec<String> = receipt
        .joints
        .iter()
        .filter(|joint| joint.max_deg >= LEAST_DEG)
        .take(MOST_LISTED_JOINTS)
        .map(|joint| {
            format!("{} {}° ({}° rms)", printable(&joint.joint), decimals(joint.max_deg, 1), decimals(joint.rms_deg, 1))
        })
        .collect();
    if !moved.is_empty() {
        labelled(text, "joints", &format!("turned farthest: {}", moved.join(", ")), DIM);
    }
}
