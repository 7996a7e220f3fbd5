//! Limbs that jerk or tear: one rule and one message for every verb that moves them.

use aplomb_editing::finding::Finding;
use aplomb_editing::pops::LimbPop;
use aplomb_motion::Clip;

/// More joints than these are counted, not named.
const MOST_NAMED: usize = 3;

/// Joints that jerk where the motion did not, the worst first, and what to do about it; false if one tears.
pub(super) fn pop_findings(pops: &[LimbPop], clip: &Clip, remedy: &str, findings: &mut Vec<Finding>) -> bool {
    let step_secs = clip.timeline().uniform().map_or(0.0, |frame_time| frame_time.secs());
    let mut shown: Vec<&LimbPop> = pops.iter().filter(|pop| pop.is_torn() || pop.is_jerk(step_secs)).collect();
    shown.sort_by(|a, b| b.compare(a));
    findings.extend(shown.iter().take(MOST_NAMED).map(|pop| Finding::warning(words(pop, remedy))));
    if shown.len() > MOST_NAMED {
        findings.push(Finding::warning(format!("{} more joints jerk, by less", shown.len() - MOST_NAMED)));
    }
    shown.iter().all(|pop| !pop.is_torn())
}

fn words(pop: &LimbPop, remedy: &str) -> String {
    let [before_mm, after_mm] = pop.second_difference_m.map(|metres| 1e3 * metres);
    let LimbPop { joint, secs, limit_m, .. } = pop;
    match pop.is_torn() {
        true => format!(
            "the motion tears: at {secs:.2} s the way of {joint} bends by {after_mm:.0} mm in one frame ({before_mm:.0} mm in the clip played as fast, at most {:.0} mm in edits \
             that people can follow); {remedy}",
            1e3 * limit_m
        ),
        false => format!(
            "{joint} jerks at {secs:.2} s: its way bends by {after_mm:.0} mm in a frame there, {before_mm:.0} mm in the clip played as fast; {remedy}"
        ),
    }
}
