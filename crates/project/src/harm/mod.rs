//! Did an edit do harm? One rule for every verb (docs/analysis/harm.md).
//!
//! An edit is *done*, *done with cost*, or has *harmed* the motion: its body or its recording is worse, its physics is
//! worse, or it went farther from the motion before than what was asked for explains. Verbs only state what they ask
//! for ([`Asks`]); the rule and its limits stand here. What was harmed is not written unless a person accepts it.

mod asks;
mod rules;

pub(crate) use asks::Asks;

use crate::codes;
use crate::edits::{Edit, StepRecord};
use crate::judgement::{LEAST_TOLD_COST, as_sentence, finding_of};
use aplomb_analysis::fidelity::{BodyPart, Fidelity, PartPeak};
use aplomb_analysis::report::Aspect;
use aplomb_analysis::{Inspection, Take};
use aplomb_editing::finding::{Finding, Wording};
use rules::Limits;
use serde::Serialize;
use std::ops::Range;

/// How an edit ended for the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EditResult {
    /// Nothing of note is worse.
    #[default]
    Done,
    /// Something is worse, by no more than a person would accept.
    DoneWithCost,
    /// The motion is worse than before.
    Harmed,
}

/// What became of a motion, as findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Harm {
    /// The worst of all that was found.
    pub result: EditResult,
    /// What is better.
    pub better: Vec<Finding>,
    /// What it cost.
    pub cost: Vec<Finding>,
    /// What is worse than a person would accept.
    pub worse: Vec<Finding>,
    /// How far the motion went from the one before; `None` where they cannot be compared.
    pub fidelity: Option<Fidelity>,
}

/// The same in words, as receipts have it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EditVerdict {
    /// The worst of all that was found.
    pub result: EditResult,
    /// What is better, what it cost, what is worse, in one or two sentences.
    pub sentence: String,
    /// What is better.
    pub better: Vec<Effect>,
    /// What it cost.
    pub cost: Vec<Effect>,
    /// What is worse than a person would accept.
    pub worse: Vec<Effect>,
}

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Stable, for programs.
    pub code: &'static str,
    /// For people.
    pub text: String,
}

/// A motion that was judged.
#[derive(Clone, Copy)]
pub(crate) struct Judged<'a> {
    pub take: &'a Take,
    pub inspection: &'a Inspection,
}

/// The motions of a project, as far as they are judged.
pub(crate) struct Motions<'a> {
    /// What came in.
    pub first: Judged<'a>,
    /// What edits with physics started from, where others came before them.
    pub edited: Option<Judged<'a>>,
    /// Other motions that went into it: blends and transitions are judged beside the worst of all.
    pub others: Vec<Judged<'a>>,
    /// What came out.
    pub after: Judged<'a>,
}

/// Judges what edits made: first all that came before the last edits with physics, beside what came in; then those last
/// ones, beside what they started from.
pub(crate) fn judge(edits: &[Edit], steps: &[StepRecord], motions: &Motions<'_>) -> Harm {
    let repairs = edits.iter().rev().take_while(|edit| edit.has_physics()).count();
    let asked = |range: Range<usize>| range.map(|index| Asks::of(&edits[index], steps.get(index))).reduce(Asks::and);
    let mut harm = Harm::default();
    if let Some(asks) = asked(0..edits.len() - repairs) {
        harm.add_points(&asks, &motions.worst_before(), motions.after);
        let fidelity = fidelity_of(motions.first, motions.after);
        harm.add_peaks(&asks, motions, fidelity.as_ref());
        harm.compare(&asks, fidelity);
    }
    if let Some(asks) = asked(edits.len() - repairs..edits.len()) {
        harm.judge_all(&asks, motions.edited.unwrap_or(motions.first), motions.after);
    }
    harm.finish()
}

/// A change that no verb made, such as one by hand: nothing is asked for. `None` where a motion cannot be judged.
pub fn of_change(before: &Take, after: &Take) -> Option<Harm> {
    let judged = |take| Some(Judged { take, inspection: Take::inspection(take).ok()? });
    let (before, after) = (judged(before)?, judged(after)?);
    let mut harm = Harm::default();
    harm.judge_all(&Asks::default(), before, after);
    Some(harm.finish())
}

/// The three things that a motion is judged by, points.
#[derive(Clone, Copy)]
struct Points {
    parts: [Option<f64>; 3],
    /// Physics without balance and friction, which a body mends that leans.
    but_leaning: Option<f64>,
    /// Physics without friction.
    but_pushing: Option<f64>,
}

/// Measures of physics that go with how a body leans, and with how hard its feet push along the ground.
const OF_LEANING: &[&str] = &["support", "friction"];
const OF_PUSHING: &[&str] = &["friction"];

const PARTS: [&str; 3] = ["physics", "body", "recording"];
const ASPECTS: [Aspect; 3] = [Aspect::Physics, Aspect::Body, Aspect::Recording];

/// The fault that costs most of one of them.
fn costliest(inspection: &Inspection, aspect: Aspect) -> Option<Finding> {
    let of_aspect = inspection.score.moments.iter().filter(|moment| moment.fault.aspect() == aspect);
    let worst = of_aspect.max_by(|a, b| a.cost.total_cmp(&b.cost))?;
    Some(finding_of(worst)).filter(|_| worst.cost > LEAST_TOLD_COST)
}

impl Points {
    fn of(inspection: &Inspection) -> Self {
        let score = &inspection.score;
        let without = |left_out: &[&str]| {
            let kept = score.parts_all.iter().filter(|part| !left_out.contains(&part.name));
            score.physics_all.map(|_| 100.0 * kept.map(|part| part.quality).product::<f64>())
        };
        Self {
            parts: [score.physics_all, score.body, score.recording],
            but_leaning: without(OF_LEANING),
            but_pushing: without(OF_PUSHING),
        }
    }

    fn worse_of(self, other: Self) -> Self {
        let worse = |a: Option<f64>, b: Option<f64>| [a, b].into_iter().flatten().reduce(f64::min);
        Self {
            parts: [0, 1, 2].map(|index| worse(self.parts[index], other.parts[index])),
            but_leaning: worse(self.but_leaning, other.but_leaning),
            but_pushing: worse(self.but_pushing, other.but_pushing),
        }
    }

    /// Points of physics that are lost by what the edit does not ask for.
    fn physics_lost(&self, after: &Self, asks: &Asks) -> f64 {
        let (before, after) = match (asks.leaning, asks.pushing) {
            (true, _) => (self.but_leaning, after.but_leaning),
            (false, true) => (self.but_pushing, after.but_pushing),
            (false, false) => (self.parts[0], after.parts[0]),
        };
        before.zip(after).map_or(0.0, |(before, after)| before - after)
    }
}

impl Motions<'_> {
    fn worst_before(&self) -> Points {
        let others = self.others.iter().map(|it| Points::of(it.inspection));
        others.fold(Points::of(self.first.inspection), Points::worse_of)
    }
}

impl Harm {
    /// Everything, of a motion that is meant to stay what it is.
    fn judge_all(&mut self, asks: &Asks, before: Judged<'_>, after: Judged<'_>) {
        self.add_points(asks, &Points::of(before.inspection), after);
        self.compare(asks, fidelity_of(before, after));
        self.add_gains(before, after);
    }

    /// Points that are lost.
    fn add_points(&mut self, asks: &Asks, before: &Points, judged: Judged<'_>) {
        let after = Points::of(judged.inspection);
        for (index, part) in PARTS.into_iter().enumerate() {
            let is_physics = index == 0;
            let limits = if is_physics { rules::PHYSICS_POINTS } else { rules::POINTS };
            // What a lean or a push along the ground costs is asked for; whatever else is lost is not.
            let is_asked = is_physics && before.physics_lost(&after, asks) <= limits.harm;
            let (Some(before), Some(after)) = (before.parts[index], after.parts[index]) else { continue };
            let lost = before - after;
            let is_left = if is_physics { asks.physics || is_asked } else { asks.faults };
            let is_mended = is_physics && (asks.physics || (asks.leaning && is_asked && lost > limits.harm));
            let code = if is_mended { codes::PHYSICS_LEFT } else { codes::POINTS_LOST };
            let finding = || {
                let finding = Finding::of(code).value("before", before).value("after", after);
                match costliest(judged.inspection, ASPECTS[index]) {
                    _ if code != codes::POINTS_LOST => finding,
                    Some(cause) => finding.value("part", part).value("cause", vec![cause]),
                    None => finding.value("part", part),
                }
            };
            self.sort(lost, limits, is_left, finding);
        }
    }

    /// Peaks of acceleration of motions whose poses are asked for, beside the greatest of what went into them.
    fn add_peaks(&mut self, asks: &Asks, motions: &Motions<'_>, first: Option<&Fidelity>) {
        let others = motions.others.iter().filter_map(|it| Fidelity::of(it.take, motions.after.take));
        let all: Vec<Fidelity> = others.chain(first.cloned()).collect();
        for part in BodyPart::ALL {
            let peaks = all.iter().filter_map(|it| it.acceleration_peaks.iter().find(|peak| peak.part == part));
            if let Some(peak) = peaks.max_by(|a, b| a.before.total_cmp(&b.before)) {
                self.add_acceleration(peak, asks, asks.faults);
            }
        }
    }

    /// How far the motion went from the one before.
    fn compare(&mut self, asks: &Asks, fidelity: Option<Fidelity>) {
        let Some(fidelity) = fidelity else { return };
        if let Some(knee) = fidelity.knee_back.as_ref().filter(|_| !asks.faults) {
            let further_deg = knee.after_deg - knee.before_deg;
            if further_deg > rules::KNEE_BACK_DEG && knee.after_deg > rules::KNEE_BACK_DEG {
                let finding = Finding::of(codes::KNEE_TURNED_BACK).joint(knee.joint.as_str());
                let finding = finding.value("secs", knee.at_secs).value("before_deg", knee.before_deg);
                self.worse.push(finding.value("after_deg", knee.after_deg));
            }
        }
        if let Some(wrist) = fidelity.wrist_turned.as_ref().filter(|_| asks.wrists) {
            self.sort(wrist.held_deg, rules::WRIST_DEG, false, || {
                let finding = Finding::of(codes::WRIST_TURNED).joint(wrist.joint.as_str());
                finding.value("secs", wrist.at_secs).value("size_deg", wrist.held_deg)
            });
        }
        if !asks.poses {
            self.compare_poses(asks, &fidelity);
        }
        self.fidelity = Some(fidelity);
    }

    fn compare_poses(&mut self, asks: &Asks, fidelity: &Fidelity) {
        let granted_m = rules::NEED_GRANTED * asks.need_m;
        for moved in &fidelity.moved {
            let limits = match moved.part {
                BodyPart::Pelvis => rules::PELVIS_M,
                BodyPart::LeftHand | BodyPart::RightHand if !asks.hand => rules::HANDS_M,
                _ => continue,
            };
            let limits = Limits { cost: limits.cost, harm: limits.harm + granted_m };
            self.sort(moved.held_m, limits, false, || {
                let finding = Finding::of(codes::PART_MOVED).value("part", moved.part.name());
                finding.value("secs", moved.at_secs).value("size_m", moved.held_m)
            });
        }
        if let Some(worst) = fidelity.worst_joint.as_ref().filter(|_| !asks.hand) {
            let granted_deg = rules::JOINT_DEG_PER_M * asks.need_m;
            let limits = Limits { cost: rules::JOINT_DEG.cost, harm: rules::JOINT_DEG.harm + granted_deg };
            self.sort(worst.held_deg, limits, false, || {
                let finding = Finding::of(codes::JOINT_TURNED).joint(worst.joint.as_str());
                finding.value("secs", worst.at_secs).value("size_deg", worst.held_deg)
            });
        }
        if let Some(rms_deg) = fidelity.joints_rms_deg.filter(|rms_deg| *rms_deg > rules::JOINTS_RMS_DEG) {
            self.cost.push(Finding::of(codes::JOINTS_TURNED).value("size_deg", rms_deg));
        }
        for peak in &fidelity.speed_peaks {
            if peak.before > rules::LEAST_SPEED_M_PER_S {
                self.sort(1.0 - peak.after / peak.before, rules::SPEED_LOST, false, || {
                    let finding = Finding::of(codes::SPEED_LOST).value("part", peak.part.name());
                    finding.value("share", 1.0 - peak.after / peak.before)
                });
            }
        }
        for peak in &fidelity.acceleration_peaks {
            self.add_acceleration(peak, asks, false);
        }
    }

    fn add_acceleration(&mut self, peak: &PartPeak, asks: &Asks, is_asked: bool) {
        let least =
            if asks.power { rules::jumping_acceleration(peak.part) } else { rules::LEAST_ACCELERATION_M_PER_S2 };
        let factor = peak.after / peak.before.max(least);
        self.sort(factor, rules::ACCELERATION, is_asked, || {
            let finding = Finding::of(codes::ACCELERATION_GAINED).value("part", peak.part.name());
            finding.value("factor", factor)
        });
    }

    /// What became better: that is what the edit is for.
    fn add_gains(&mut self, before: Judged<'_>, after: Judged<'_>) {
        let points = [before, after].map(|it| Points::of(it.inspection));
        for (index, part) in PARTS.into_iter().enumerate() {
            let (Some(before), Some(after)) = (points[0].parts[index], points[1].parts[index]) else { continue };
            if after - before > rules::POINTS.cost {
                let finding = Finding::of(codes::POINTS_GAINED).value("part", part);
                self.better.push(finding.value("before", before).value("after", after));
            }
        }
        let lengths = |inspection: &Inspection| [inspection.zmp.mean_m, inspection.skate.mean_m];
        let pairs = lengths(before.inspection).into_iter().zip(lengths(after.inspection));
        for ((before_m, after_m), measure) in pairs.zip(["balance", "slide"]) {
            let (Some(before_m), Some(after_m)) = (before_m, after_m) else { continue };
            if before_m - after_m > rules::LEAST_GAIN_M {
                let finding = Finding::of(codes::LENGTH_GAINED).value("measure", measure);
                self.better.push(finding.value("before_m", before_m).value("after_m", after_m));
            }
        }
    }

    /// Into cost or harm, by its size; what is asked for is never harm.
    fn sort(&mut self, size: f64, limits: Limits, is_asked: bool, finding: impl FnOnce() -> Finding) {
        if size > limits.harm && !is_asked {
            self.worse.push(finding());
        } else if size > limits.cost {
            self.cost.push(finding());
        }
    }

    fn finish(mut self) -> Self {
        self.result = match (self.worse.is_empty(), self.cost.is_empty()) {
            (false, _) => EditResult::Harmed,
            (true, false) => EditResult::DoneWithCost,
            (true, true) => EditResult::Done,
        };
        self
    }

    /// For receipts.
    pub fn in_words(&self, words: Wording) -> EditVerdict {
        let effects = |findings: &[Finding]| -> Vec<Effect> {
            findings.iter().map(|finding| Effect { code: finding.code.id, text: words(finding) }).collect()
        };
        let summary = match self.result {
            EditResult::Harmed => codes::HARMED,
            EditResult::DoneWithCost => codes::DONE_WITH_COST,
            EditResult::Done => codes::DONE_WITHOUT_COST,
        };
        let some = |findings: &[Finding]| findings.iter().take(MOST_IN_SENTENCE).cloned().collect::<Vec<_>>();
        let mut finding = Finding::of(summary);
        for (name, findings) in [("worse", &self.worse), ("cost", &self.cost), ("better", &self.better)] {
            if summary.values.contains(&name) && !findings.is_empty() {
                finding = finding.value(name, some(findings));
            }
        }
        EditVerdict {
            result: self.result,
            sentence: as_sentence(&words(&finding)),
            better: effects(&self.better),
            cost: effects(&self.cost),
            worse: effects(&self.worse),
        }
    }
}

/// More make no sentence; the lists have all.
const MOST_IN_SENTENCE: usize = 3;

fn fidelity_of(before: Judged<'_>, after: Judged<'_>) -> Option<Fidelity> {
    let fidelity = Fidelity::of(before.take, after.take)?;
    Some(fidelity.with_events(&before.inspection.contacts, &after.inspection.contacts))
}

#[cfg(test)]
mod tests;
