//! Did an edit do harm? One rule for every verb (docs/analysis/harm.md).
//!
//! An edit is *done*, *done with cost*, or has *harmed* the motion: its body or its recording is worse, its physics is
//! worse, or it went farther from the motion before than what was asked for explains. Verbs only state what they ask
//! for (`Asks`); the rule and its limits stand here. What was harmed is not written unless a person accepts it.

mod asks;
mod rules;

pub(crate) use asks::Asks;

use crate::codes;
use crate::edit_result::{EditResult, Harm};
use crate::edits::{Edit, StepRecord};
use crate::judgement::{LEAST_TOLD_COST, finding_of};
use aplomb_analysis::fidelity::{BodyPart, Fidelity, PartPeak};
use aplomb_analysis::report::Aspect;
use aplomb_analysis::{Inspection, Take};
use aplomb_editing::finding::Finding;
use rules::Limits;
use std::ops::Range;

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
        if repairs == 0 {
            harm.add_points_gained(motions.first, motions.after);
        }
    }
    if let Some(asks) = asked(edits.len() - repairs..edits.len()) {
        let asks = Asks { upright_m: upright_m(motions.after.take), ..asks };
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

/// How far the middle of a body goes when it is put upright on ground that leans: a motion that was tilted with its
/// ground leans as that does.
fn upright_m(take: &Take) -> f64 {
    let stature_m = take.body().ok().and_then(|body| body.stature_m()).unwrap_or(0.0);
    let normal = take.ground().normal();
    rules::MIDDLE_OF_STATURE * stature_m * normal.x.hypot(normal.z)
}

/// The three things that a motion is judged by, points.
#[derive(Clone, Copy)]
struct Points {
    parts: [Option<f64>; 3],
    /// Physics without friction.
    but_pushing: Option<f64>,
}

/// The measure of physics that goes with how hard feet push along the ground.
const OF_PUSHING: &str = "friction";

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
        let kept = score.parts_all.iter().filter(|part| part.name != OF_PUSHING);
        Self {
            parts: [score.physics_all, score.body, score.recording],
            but_pushing: score.physics_all.map(|_| 100.0 * kept.map(|part| part.quality).product::<f64>()),
        }
    }

    fn worse_of(self, other: Self) -> Self {
        let worse = |a: Option<f64>, b: Option<f64>| [a, b].into_iter().flatten().reduce(f64::min);
        Self {
            parts: [0, 1, 2].map(|index| worse(self.parts[index], other.parts[index])),
            but_pushing: worse(self.but_pushing, other.but_pushing),
        }
    }

    /// Points of physics that are lost by what the edit does not ask for.
    fn physics_lost(&self, after: &Self, asks: &Asks) -> f64 {
        let (before, after) = match asks.pushing {
            true => (self.but_pushing, after.but_pushing),
            false => (self.parts[0], after.parts[0]),
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
            if is_physics && asks.unseen {
                continue;
            }
            let limits = if is_physics { rules::PHYSICS_POINTS } else { rules::POINTS };
            // What a push along the ground costs is asked for; what else is lost is not.
            let is_asked = is_physics && before.physics_lost(&after, asks) <= limits.harm;
            let (Some(before), Some(after)) = (before.parts[index], after.parts[index]) else { continue };
            let lost = before - after;
            let is_left = if is_physics { asks.physics || is_asked } else { asks.faults };
            let code = if is_physics && asks.physics { codes::PHYSICS_LEFT } else { codes::POINTS_LOST };
            let cause = costliest(judged.inspection, ASPECTS[index]);
            // Small things that add up are no fault that a person would see.
            let limits = match cause {
                None => Limits { harm: rules::UNNAMED_POINTS, ..limits },
                _ => limits,
            };
            self.sort(lost, limits, is_left, || {
                let finding = Finding::of(code).value("before", before).value("after", after);
                match cause {
                    _ if code != codes::POINTS_LOST => finding,
                    Some(cause) => finding.value("part", part).value("cause", vec![cause]),
                    None => finding.value("part", part),
                }
            });
        }
    }

    /// Peaks of acceleration of motions whose poses are asked for, beside the greatest of what went into them.
    fn add_peaks(&mut self, asks: &Asks, motions: &Motions<'_>, first: Option<&Fidelity>) {
        let others = motions.others.iter().filter_map(|it| Fidelity::of(it.take, motions.after.take));
        let all: Vec<Fidelity> = others.chain(first.cloned()).collect();
        let greatest = |part: BodyPart| {
            let of_part = |it: &Fidelity| {
                let peak = it.acceleration_peaks.iter().find(|it| it.part == part)?;
                Some((*peak, rules::vigorous_m_per_s2(part, it.acceleration_step_secs)))
            };
            all.iter().filter_map(of_part).max_by(|(a, _), (b, _)| a.before.total_cmp(&b.before))
        };
        self.add_acceleration(BodyPart::ALL.into_iter().filter_map(greatest), asks.faults);
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
        let granted_m = rules::NEED_GRANTED * asks.need_m + asks.upright_m;
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
            let granted_deg = rules::JOINT_DEG_PER_M * (asks.need_m + asks.upright_m);
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
        let least = rules::gentle_m_per_s2(fidelity.acceleration_step_secs);
        self.add_acceleration(fidelity.acceleration_peaks.iter().map(|peak| (*peak, least)), false);
    }

    /// The part that is jerked most, of peaks and of what looks alike: the others hang on it.
    fn add_acceleration(&mut self, peaks: impl Iterator<Item = (PartPeak, f64)>, is_asked: bool) {
        let is_found = |finding: &Finding| finding.code.id == codes::ACCELERATION_GAINED.id;
        if self.worse.iter().any(is_found) {
            return;
        }
        let factors = peaks.map(|(peak, least)| (peak.part, peak.after / peak.before.max(least)));
        if let Some((part, factor)) = factors.max_by(|a, b| a.1.total_cmp(&b.1)) {
            if factor > rules::ACCELERATION.cost {
                self.cost.retain(|finding| !is_found(finding));
            }
            self.sort(factor, rules::ACCELERATION, is_asked, || {
                Finding::of(codes::ACCELERATION_GAINED).value("part", part.name()).value("factor", factor)
            });
        }
    }

    /// What became better: that is what the edit is for.
    fn add_gains(&mut self, before: Judged<'_>, after: Judged<'_>) {
        self.add_points_gained(before, after);
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

    fn add_points_gained(&mut self, before: Judged<'_>, after: Judged<'_>) {
        let points = [before, after].map(|it| Points::of(it.inspection));
        for (index, part) in PARTS.into_iter().enumerate() {
            let (Some(before), Some(after)) = (points[0].parts[index], points[1].parts[index]) else { continue };
            if after - before > rules::POINTS.cost {
                let finding = Finding::of(codes::POINTS_GAINED).value("part", part);
                self.better.push(finding.value("before", before).value("after", after));
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
}

fn fidelity_of(before: Judged<'_>, after: Judged<'_>) -> Option<Fidelity> {
    let fidelity = Fidelity::of(before.take, after.take)?;
    Some(fidelity.with_events(&before.inspection.contacts, &after.inspection.contacts))
}

#[cfg(test)]
mod tests;
