//! Limbs that jerk or tear: one rule for every verb that moves them.

use crate::codes;
use aplomb_editing::finding::Finding;
use aplomb_editing::pops::LimbPop;
use aplomb_motion::Clip;

/// More joints than these are counted, not named.
const MOST_NAMED: usize = 3;

/// Joints that jerk where the motion did not, the worst first, and what may be the cause; false if one tears.
pub(super) fn pop_findings(pops: &[LimbPop], clip: &Clip, cause: &str, findings: &mut Vec<Finding>) -> bool {
    let step_secs = clip.timeline().uniform().map_or(0.0, |frame_time| frame_time.secs());
    let mut shown: Vec<&LimbPop> = pops.iter().filter(|pop| pop.is_torn() || pop.is_jerk(step_secs)).collect();
    shown.sort_by(|a, b| b.compare(a));
    findings.extend(shown.iter().take(MOST_NAMED).map(|pop| found(pop, cause)));
    if shown.len() > MOST_NAMED {
        findings.push(Finding::of(codes::MORE_LIMBS_JERK).value("joints", shown.len() - MOST_NAMED));
    }
    shown.iter().all(|pop| !pop.is_torn())
}

fn found(pop: &LimbPop, cause: &str) -> Finding {
    let [before_m, after_m] = pop.second_difference_m;
    let finding = match pop.is_torn() {
        true => Finding::of(codes::LIMB_TEARS).value("limit_m", pop.limit_m),
        false => Finding::of(codes::LIMB_JERKS),
    };
    let finding = finding.joint(pop.joint.as_str()).at(pop.secs, pop.secs);
    finding.value("before_m", before_m).value("after_m", after_m).value("cause", cause)
}
