//! The pages in a real browser: the scripts parse, nothing complains, and what people do with them works.

use anyhow::Result;

use crate::check::Outcome;
use crate::{browser, shell};

/// Examples that make pages, and of which clips: reports of one of each body plan, with and without flights (the first
/// is the one the front page leads to); receipts of edits, with and without flights.
const PAGES: [(&str, &[&str]); 2] = [
    ("sample_report", &["walk", "long-jump", "quadruped-walk", "ball"]),
    ("sample_receipt", &["walk", "long-jump", "walk@arc", "long-jump@speed"]),
];

/// Makes the pages of some built-in clips and drives a browser through them.
pub fn run() -> Result<Outcome> {
    let mut outcome = browser::scripts_parse("pages", &["crates/pages/assets"])?;
    let Some(tools) = browser::tools("pages", &mut outcome) else { return Ok(outcome) };
    let folder = shell::target_dir().join("pages-check");
    for (example, clips) in PAGES {
        shell::output(shell::example(example)?.arg(&folder).args(clips))?;
    }
    outcome.add(browser::drive("pages", "tests/pages/check.mjs", tools, &[&folder])?);
    Ok(outcome)
}
