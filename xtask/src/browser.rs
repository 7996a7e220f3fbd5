//! What checks in a browser share: scripts that parse, the tools, and what a driven page says.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::check::Outcome;
use crate::{helpers, shell};

#[derive(Deserialize)]
struct Finding {
    name: String,
    error: Option<String>,
}

/// Every script on its own, so that a mistake is reported with its file and line.
pub fn scripts_parse(what: &str, folders: &[&str]) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    if shell::version_of("node").is_none() {
        return Ok(Outcome::skipped(format!("scripts of the {what}: node is not installed")));
    }
    for folder in folders {
        for entry in std::fs::read_dir(Path::new(folder))? {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "js") {
                continue;
            }
            match shell::output(Command::new("node").arg("--check").arg(&path)) {
                Ok(_) => outcome.passed += 1,
                Err(error) => outcome.failures.push(format!("{}: {error:#}", path.display())),
            }
        }
    }
    Ok(outcome)
}

/// The folder of Node's modules and a browser; `None`, and a skip with its reason, where there are none.
pub fn tools(what: &str, outcome: &mut Outcome) -> Option<(PathBuf, PathBuf)> {
    match helpers::node_pages().and_then(|node| Ok((node.join("node_modules"), helpers::browser()?))) {
        Ok(tools) => Some(tools),
        Err(error) => {
            outcome.skipped.push(format!("{what} in a browser: {error:#}"));
            None
        }
    }
}

/// Runs a script that drives a page and writes a line of JSON for everything it looked at.
pub fn drive(what: &str, script: &str, (modules, browser): (PathBuf, PathBuf), more: &[&Path]) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut node = Command::new("node");
    node.arg(script).arg(modules).arg(browser).args(more);
    for line in shell::output(&mut node)?.lines() {
        let finding: Finding = serde_json::from_str(line).with_context(|| format!("{script}: {line}"))?;
        match finding.error {
            None => outcome.passed += 1,
            Some(error) => outcome.failures.push(format!("{what} {}: {error}", finding.name)),
        }
    }
    Ok(outcome)
}
