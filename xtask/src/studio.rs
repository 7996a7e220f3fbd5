//! The studio in a real browser: opened, played, edited with every tool, exported, killed and started again.

use anyhow::{Result, bail};
use std::path::PathBuf;

use crate::check::Outcome;
use crate::{browser, shell};

/// Starts the command and drives a browser through its page. Screenshots stay in the target folder, to be looked at.
pub fn run() -> Result<Outcome> {
    let mut outcome = browser::scripts_parse("studio", &["apps/studio/web", "apps/studio/web/tools"])?;
    let Some(tools) = browser::tools("studio", &mut outcome) else { return Ok(outcome) };
    let program = program()?;
    let folder = shell::target_dir().join("studio-check");
    for (script, folder) in [("check", folder.clone()), ("one_project", folder.join("one-project"))] {
        let script = format!("tests/studio/{script}.mjs");
        outcome.add(browser::drive("studio", &script, tools.clone(), &[&program, &folder])?);
    }
    outcome.note = format!("screenshots in {}", folder.display());
    Ok(outcome)
}

/// Every tool in the browser on captures.
pub fn on_captures() -> Result<bool> {
    let mut outcome = Outcome::default();
    let Some(tools) = browser::tools("studio", &mut outcome) else { bail!("{}", outcome.skipped.join("; ")) };
    let (program, folder) = (program()?, shell::target_dir().join("studio-captures"));
    let Some(data) = shell::data_dir() else { bail!("no captures (APLOMB_DATA, default ../shared/data)") };
    outcome.add(browser::drive("studio", "tests/studio/captures.mjs", tools, &[&program, &data, &folder])?);
    println!("{} passed; screenshots in {}", outcome.passed, folder.display());
    outcome.failures.iter().for_each(|failure| println!("{failure}"));
    Ok(outcome.failures.is_empty())
}

/// The command.
fn program() -> Result<PathBuf> {
    shell::built(&format!("aplomb{}", std::env::consts::EXE_SUFFIX))
}
