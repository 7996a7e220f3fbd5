//! The studio in a real browser: opened, played, edited with every tool, exported, killed and started again.

use anyhow::Result;

use crate::check::Outcome;
use crate::{browser, shell};

/// Starts the command and drives a browser through its page. Screenshots stay in the target folder, to be looked at.
pub fn run() -> Result<Outcome> {
    let mut outcome = browser::scripts_parse("studio", &["apps/studio/web", "apps/studio/web/tools"])?;
    let Some(tools) = browser::tools("studio", &mut outcome) else { return Ok(outcome) };
    // The profile that the tests were just built with, so that nothing is compiled twice.
    shell::output(shell::cargo().args(["build", "--quiet", "--locked", "--profile", "test", "--package", "aplomb"]))?;
    let program = shell::target_dir().join("debug").join(if cfg!(windows) { "aplomb.exe" } else { "aplomb" });
    let folder = shell::target_dir().join("studio-check");
    outcome.add(browser::drive("studio", "tests/studio/check.mjs", tools, &[&program, &folder])?);
    outcome.note = format!("screenshots in {}", folder.display());
    Ok(outcome)
}
