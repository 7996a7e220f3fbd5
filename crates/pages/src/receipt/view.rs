//! From the outcome of edits to the page of their receipt.

use super::{ConvergenceStage, View, blend, dynamics, moments, path};
use crate::input::ReportInput;
use crate::{file_name, pictures};
use aplomb_project::edit::{Outcome, StepRecord, TouchupRecord};
use aplomb_project::{ClipReport, Edit, EditReceipt, Inspected};

/// The page of a receipt: one file, no network. `title` names the clip if its file should not; `back` leads to a page
/// beside this one.
///
/// `None` where the motion cannot be judged: then there is nothing to show but the figures that the JSON receipt has.
pub fn receipt_html(
    outcome: &Outcome,
    receipt: &EditReceipt,
    title: Option<&str>,
    back: Option<&str>,
) -> Option<String> {
    // What edits with physics repaired is seen best against what they started from.
    let before = outcome.edited.as_ref().or(outcome.before.as_ref())?;
    let after = outcome.after.as_ref()?;
    let said = [receipt.edited.as_ref().or(receipt.before.as_ref())?, receipt.after.as_ref()?];
    let project = &receipt.project;
    let was_edited = outcome.edited.is_some();
    let titles = if was_edited { ["edited", "repaired"] } else { ["before", "after"] };
    let verbs: Vec<&str> = project.edits.iter().map(Edit::verb).collect();
    let words: Vec<String> = project.edits.iter().map(Edit::in_words).collect();
    let input = receipt.inputs.first();
    let input_file = input.map_or_else(String::new, |input| input.path.display().to_string());
    let input_hash = input.and_then(|input| input.sha256.as_ref()).map(|hash| format!("sha256:{hash}"));
    let name = title.map_or_else(|| file_name(&input_file), str::to_owned);
    let verb = verbs.join(", ");
    let view = View {
        summary: &receipt.asked,
        parameters: verbs.iter().zip(&words).map(|(verb, words)| ((*verb).to_owned(), words.clone())).collect(),
        recipe: &project.to_toml().unwrap_or_default(),
        command: &command_line(&receipt.command),
        version: &format!("{} {}", receipt.program, receipt.version),
        outcome: receipt.verdict.as_ref(),
        fidelity: receipt.fidelity.as_ref(),
        input_file: &input_file,
        input_hash: &input_hash.unwrap_or_default(),
        measures: if receipt.repairs.is_empty() { &receipt.changes } else { &receipt.repairs },
        convergence: receipt.steps.iter().filter_map(StepRecord::touchup).flat_map(convergence).collect(),
        about_path: about_path(receipt),
        about_dynamics: about_dynamics(receipt, before, after),
        joints: &receipt.joints,
        root: receipt.root,
        notes: receipt.steps.iter().flat_map(|step| step.notes.clone()).collect(),
        warnings: receipt.steps.iter().flat_map(|step| step.warnings.clone()).collect(),
        same_moments: if was_edited { Vec::new() } else { moments::same_moments(outcome) },
        back_href: back,
        ..View::new(
            &name,
            &verb,
            judged(titles[0], before, said[0]),
            with_scene(judged(titles[1], after, said[1]), outcome),
        )
    };
    Some(view.html())
}

/// A motion as the receipt judges it: by all frames, as the verdict does.
fn judged<'a>(title: &'a str, inspected: &'a Inspected, said: &ClipReport) -> ReportInput<'a> {
    ReportInput::of(title, inspected, said.judgement.by_all_frames())
}

/// The result with the partners and things that it was played with.
fn with_scene<'a>(input: ReportInput<'a>, outcome: &'a Outcome) -> ReportInput<'a> {
    match pictures::last_scene(outcome) {
        Some(record) => ReportInput {
            partners: &record.partners,
            lead_frames: record.lead_frames,
            things: pictures::things(record),
            ..input
        },
        None => input,
    }
}

/// Cards of the last edit of a path, and of the last blend.
fn about_path(receipt: &EditReceipt) -> String {
    let steps = || receipt.steps.iter().rev();
    let of_path = steps().find_map(StepRecord::path).map(path::section).unwrap_or_default();
    let of_blend = steps().find_map(StepRecord::blend).map(|record| blend::section(record, &receipt.project));
    of_path + &of_blend.unwrap_or_default()
}

/// Cards of the last edit that simulated or adapted the motion.
fn about_dynamics(receipt: &EditReceipt, before: &Inspected, after: &Inspected) -> String {
    let section = |step: &StepRecord| {
        let tracked = step.track().map(dynamics::tracked);
        tracked.or_else(|| step.adapt().map(|record| dynamics::adapted(record, before, after)))
    };
    receipt.steps.iter().rev().find_map(section).unwrap_or_default()
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

/// Figure 9 of the paper: the error before each iteration, step by step, and what the step left.
fn convergence(record: &TouchupRecord) -> Vec<ConvergenceStage> {
    let mut stages: Vec<(usize, ConvergenceStage)> = Vec::new();
    for iteration in &record.iterations {
        let error_m = iteration.balance.mean_m;
        if stages.last().is_none_or(|(step, _)| *step != iteration.step) {
            // What a step leaves is what the next begins with.
            if let Some((_, last)) = stages.last_mut() {
                last.values.push(error_m);
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
            stage.values.push(error_m);
        }
    }
    if let Some((_, last)) = stages.last_mut() {
        last.values.push(record.after.mean_m);
    }
    stages.into_iter().map(|(_, stage)| stage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_typed_again() {
        let words = ["aplomb", "cut", "a b.bvh", "it's", ""].map(str::to_owned);
        assert_eq!(command_line(&words), "aplomb cut 'a b.bvh' 'it'\\''s' ''");
    }
}
