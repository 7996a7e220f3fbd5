//! The pages in a real browser: the scripts parse, nothing complains, and what people do with them works.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::check::Outcome;
use crate::{helpers, shell};

/// Examples that make pages, and of which clips: reports of one of each body plan, with and without flights (the first is the one the
/// front page leads to); receipts of edits, with and without flights.
const PAGES: [(&str, &[&str]); 2] = [
    ("sample_report", &["walk", "long-jump", "quadruped-walk", "ball"]),
    ("sample_receipt", &["walk", "long-jump", "walk@arc", "long-jump@speed"]),
];

#[derive(Deserialize)]
struct Finding {
    name: String,
    error: Option<String>,
}

/// Makes the pages of some built-in clips and drives a browser through them.
pub fn run() -> Result<Outcome> {
    let mut outcome = scripts_parse()?;
    let tools = helpers::node_pages().and_then(|node| Ok((node, helpers::browser()?)));
    let (node_folder, browser) = match tools {
        Ok(tools) => tools,
        Err(error) => {
            outcome.skipped.push(format!("pages in a browser: {error:#}"));
            return Ok(outcome);
        }
    };
    let folder = shell::target_dir().join("pages-check");
    for (example, clips) in PAGES {
        // The profile that the tests were just built with, so that nothing is compiled twice.
        let mut make = shell::cargo();
        make.args(["run", "--quiet", "--locked", "--profile", "test", "--package", "aplomb-pages", "--example"]);
        shell::output(make.args([example, "--"]).arg(&folder).args(clips))?;
    }
    let mut node = Command::new("node");
    node.arg("tests/pages/check.mjs").arg(node_folder.join("node_modules")).arg(browser).arg(&folder);
    for line in shell::output(&mut node)?.lines() {
        let finding: Finding = serde_json::from_str(line).with_context(|| format!("tests/pages/check.mjs: {line}"))?;
        match finding.error {
            None => outcome.passed += 1,
            Some(error) => outcome.failures.push(format!("pages {}: {error}", finding.name)),
        }
    }
    Ok(outcome)
}

/// Every script on its own, so that a mistake is told with its file and line.
fn scripts_parse() -> Result<Outcome> {
    let mut outcome = Outcome::default();
    if shell::version_of("node").is_none() {
        return Ok(Outcome::skipped("scripts of the pages: node is not installed"));
    }
    for entry in std::fs::read_dir(Path::new("crates/pages/assets"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "js") {
            continue;
        }
        match shell::output(Command::new("node").arg("--check").arg(&path)) {
            Ok(_) => outcome.passed += 1,
            Err(error) => outcome.failures.push(format!("{}: {error:#}", path.display())),
        }
    }
    Ok(outcome)
}
