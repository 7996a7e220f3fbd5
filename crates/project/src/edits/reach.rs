//! A hand that is at a place at a moment, as data.

use super::verb::{Context, Made, Verb, VerbError};
use crate::codes;
use aplomb_analysis::Take;
use aplomb_editing::finding::Finding;
use aplomb_editing::reach::{EASY_REACH, HandGoal, Reached};
use aplomb_editing::solver_status::SolverStatus;
use serde::{Deserialize, Serialize};

/// Hands that miss by more do not touch what they should, m.
const MISSED_M: f64 = 5e-3;

pub(super) fn reach_findings(reached: &Reached, findings: &mut Vec<Finding>) -> bool {
    let Reached { hand, at_secs, error_m, turned_deg, reach_share, .. } = *reached;
    if reach_share > EASY_REACH && (error_m > 1e-3 || turned_deg > 2.0) {
        let finding = Finding::of(codes::FAR_REACH).value("hand", hand.to_string()).at(at_secs, at_secs);
        let finding = finding.value("reach_share", reach_share).value("miss_m", error_m);
        findings.push(finding.value("turn_deg", turned_deg));
    }
    error_m <= MISSED_M
}

/// A hand that is at a place at a moment, as data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReachEdit(pub HandGoal);

impl Verb for ReachEdit {
    type Record = Reached;

    fn apply(&self, take: &Take, _: &mut Context<'_>) -> Result<Made<Reached>, VerbError> {
        let (clip, reached) = self.0.apply(take.clip(), take.roles())?;
        let mut findings = Vec::new();
        let status = SolverStatus::met_or_stalled(reach_findings(&reached, &mut findings));
        Ok(Made { findings, status, ..Made::new(clip, reached) })
    }
}
