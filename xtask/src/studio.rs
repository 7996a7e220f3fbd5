//! The studio in a real browser: opened, played, edited with every tool, exported, killed and started again.

use std::path::Path;
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

/// Starts the command and drives a browser through its page. Screenshots stay in the target folder, to be looked at.
pub fn run() -> Result<Outcome> {
    let mut outcome = scripts_parse()?;
    let tools = helpers::node_pages().and_then(|node| Ok((node, helpers::browser()?)));
    let (node_folder, browser) = match tools {
        Ok(tools) => tools,
        Err(error) => {
            outcome.skipped.push(format!("studio in a browser: {error:#}"));
            return Ok(outcome);
        }
    };
    // The profile that the tests were just built with, so that nothing is compiled twice.
    shell::output(shell::cargo().args(["build", "--quiet", "--locked", "--profile", "test", "--package", "aplomb"]))?;
    let program = shell::target_dir().join("debug").join(if cfg!(windows) { "aplomb.exe" } else { "aplomb" });
    let folder = shell::target_dir().join("studio-check");
    let mut node = Command::new("node");
    node.arg("tests/studio/check.mjs").arg(node_folder.join("node_modules")).arg(browser).arg(program).arg(&folder);
    for line in shell::output(&mut node)?.lines() {
        let finding: Finding = serde_json::from_str(line).with_context(|| format!("tests/studio/check.mjs: {line}"))?;
        match finding.error {
            None => outcome.passed += 1,
            Some(error) => outcome.failures.push(format!("studio {}: {error}", finding.name)),
        }
    }
    outcome.note = format!("screenshots in {}", folder.display());
    Ok(outcome)
}

/// Every script on its own, so that a mistake is told with its file and line.
fn scripts_parse() -> Result<Outcome> {
    let mut outcome = Outcome::default();
    if shell::version_of("node").is_none() {
        return Ok(Outcome::skipped("scripts of the studio: node is not installed"));
    }
    for folder in ["apps/studio/web", "apps/studio/web/tools"] {
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
