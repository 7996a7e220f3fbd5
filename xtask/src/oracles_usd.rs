//! Our `.usda` files as Pixar's usd-core sees them: a valid skeleton with its animation, every joint where we put it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::check::Outcome;
use crate::oracles::{Pairs, Verdict, compare, parsed, report, their_readings};
use crate::{helpers, shell};

/// Single precision of rotations and translations, down chains of some twenty joints.
const TOLERANCE: f64 = 2e-6;

/// Writes a USD of every file and has them all read by one process of Python.
pub fn run(data: &Path, files: &[PathBuf]) -> Result<Outcome> {
    let python = match helpers::python_env("files", None) {
        Ok(python) => python,
        Err(error) => return Ok(Outcome::skipped(format!("oracles USD: {error:#}"))),
    };
    let folder = shell::target_dir().join("oracles-usd");
    std::fs::create_dir_all(&folder)?;
    let mut command = shell::example("write_glb")?;
    let ours = parsed(&shell::output(command.arg("--usda").arg(&folder).args(files))?, files.len())?;
    let mut requests = ours.clone();
    for (number, request) in requests.iter_mut().enumerate() {
        request.file = folder.join(format!("{number}.usda"));
    }
    let mut reader = Command::new(python);
    let theirs = their_readings(reader.arg("tests/oracles/usd_read.py"), &requests)?;
    let outcome = report("USD (usd-core)", data, &ours, |index| {
        let (ours, theirs) = (&ours[index], &theirs[index]);
        if let Some(error) = ours.error.as_ref().or(theirs.error.as_ref()) {
            return Verdict::Differs(error.clone());
        }
        // Joints come first in ours, and end sites are not in theirs.
        let pairs: Pairs = (0..theirs.nodes.len()).map(|node| (node, node)).collect();
        compare(ours, theirs, &pairs, [0.0; 3], TOLERANCE)
    });
    std::fs::remove_dir_all(&folder)?;
    Ok(outcome)
}
