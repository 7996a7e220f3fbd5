//! A hand that is at a place at a moment, as data.

use super::verb::{Context, Made, Verb, VerbError};
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
        findings.push(Finding::warning(format!(
            "the {hand} hand at {at_secs:.2} s lies at {:.0} % of the arm's reach: it misses by {:.0} mm and turns by {turned_deg:.0}°",
            1e2 * reach_share,
            1e3 * error_m
        )));
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
