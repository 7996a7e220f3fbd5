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

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Stable, for programs.
    pub code: &'static str,
    /// For people.
    pub text: String,
}

impl Harm {
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
