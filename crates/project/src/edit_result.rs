//! How an edit ended for the motion, as data: [`crate::harm`] judges, receipts and refusals show it.

use crate::codes;
use crate::judgement::as_sentence;
use aplomb_analysis::fidelity::Fidelity;
use aplomb_editing::finding::{Finding, Wording};
use serde::Serialize;

/// More make no sentence; the lists have all.
const MOST_IN_SENTENCE: usize = 3;

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

impl EditVerdict {
    /// Whether what was asked for was not reached.
    pub fn is_missed(&self) -> bool {
        self.cost.iter().any(|effect| effect.code == codes::GOAL_MISSED.id)
    }
}

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Stable, for programs.
    pub code: &'static str,
    /// For people.
    pub text: String,
}

impl Harm {
    /// The same of edits that did not reach what was asked for: that is no success, though nothing may be worse.
    #[must_use]
    pub(crate) fn with_goal_missed(mut self) -> Self {
        self.cost.insert(0, Finding::of(codes::GOAL_MISSED));
        if self.result == EditResult::Done {
            self.result = EditResult::DoneWithCost;
        }
        self
    }

    /// For receipts.
    pub fn in_words(&self, words: Wording) -> EditVerdict {
        let effects = |findings: &[Finding]| -> Vec<Effect> {
            findings.iter().map(|finding| Effect { code: finding.code.id, text: words(finding) }).collect()
        };
        let is_missed = |finding: &Finding| finding.code.id == codes::GOAL_MISSED.id;
        let summary = match self.result {
            EditResult::Harmed => codes::HARMED,
            _ if self.cost.iter().any(is_missed) => codes::MISSED,
            EditResult::DoneWithCost => codes::DONE_WITH_COST,
            EditResult::Done => codes::DONE_WITHOUT_COST,
        };
        let some = |findings: &[Finding]| {
            findings.iter().filter(|finding| !is_missed(finding)).take(MOST_IN_SENTENCE).cloned().collect::<Vec<_>>()
        };
        let mut finding = Finding::of(summary);
        for (name, findings) in [("worse", &self.worse), ("cost", &self.cost), ("better", &self.better)] {
            let told = some(findings);
            if summary.values.contains(&name) && !told.is_empty() {
                finding = finding.value(name, told);
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
