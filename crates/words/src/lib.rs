//! Findings and refusals in plain English.
//!
//! Libraries find; apps speak. A new code of `aplomb-editing` or `aplomb-project` needs a row in [`SENTENCES`]: one
//! sentence a code, the same in the command, the studio and Python. A refusal says what is wrong by itself; what helps
//! stands in `advice`, in flags for the command ([`in_flags`]) and in keys for the others ([`in_keys`]).

mod advice;
mod fill;
mod next;
mod sentences;

pub use advice::{Advice, Advised, in_flags, in_keys};
pub use fill::names;
pub use next::next_step;
pub use sentences::SENTENCES;

use aplomb_editing::finding::{Finding, by_meaning};

/// A finding as a sentence. Codes without one are shown by their name and meaning.
pub fn sentence(finding: &Finding) -> String {
    match SENTENCES.iter().find(|(code, _)| *code == finding.code.id) {
        Some((_, template)) => fill::fill(template, finding),
        None => by_meaning(finding),
    }
}
