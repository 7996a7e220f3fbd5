//! C3D files as ezc3d reads them: points, analog channels, forces, centres of pressure and free moments.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::check::Outcome;
use crate::{helpers, shell};

#[derive(Deserialize)]
struct Verdict {
    file: String,
    differs: Option<String>,
}

/// Lays our reading of every C3D beside ezc3d's.
pub fn run(data: &Path) -> Result<Outcome> {
    let python = match helpers::python_env("files", None) {
        Ok(python) => python,
        Err(error) => return Ok(Outcome::skipped(format!("oracles C3D: {error:#}"))),
    };
    let folder = data.join("c3d");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return Ok(Outcome::skipped("oracles C3D: no captures of this format"));
    };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let mut ours = shell::example("dump_c3d")?;
    let ours = shell::output(ours.args(&files))?;
    let mut child = Command::new(python)
        .arg("tests/oracles/c3d_read.py")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start Python")?;
    let mut input = child.stdin.take().context("Python has an input")?;
    let writer = std::thread::spawn(move || input.write_all(ours.as_bytes()));
    let answer = child.wait_with_output()?;
    let _ = writer.join();
    let mut outcome = Outcome::default();
    for line in String::from_utf8(answer.stdout)?.lines() {
        let verdict: Verdict = serde_json::from_str(line)?;
        match verdict.differs {
            None => outcome.passed += 1,
            Some(why) => outcome.failures.push(format!("oracles C3D {}: {why}", verdict.file)),
        }
    }
    if outcome.passed + outcome.failures.len() != files.len() {
        outcome.failures.push(format!("oracles C3D: {} answers for {} files", outcome.passed, files.len()));
    }
    println!("C3D (ezc3d): {} files agree, {} differ", outcome.passed, outcome.failures.len());
    Ok(outcome)
}
