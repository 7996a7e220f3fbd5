//! Our dynamics core beside two engines that others wrote: Pinocchio and MuJoCo, on random states of several skeletons.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::check::Outcome;
use crate::{helpers, shell};

/// Part of the largest entry. Round-off is seen at 1e-15, and at 1e-13 where a mass matrix of condition 1e4 is solved;
/// a wrong sign or frame is of the order of one.
const VALUES: f64 = 1e-10;
/// Derivatives of forward dynamics pass through the mass matrix twice: 6e-11 is seen.
const DERIVATIVES: f64 = 1e-8;

#[derive(Debug, Deserialize)]
struct Answer {
    name: String,
    nv: usize,
    #[serde(rename = "Pinocchio")]
    pinocchio: BTreeMap<String, f64>,
    #[serde(rename = "MuJoCo")]
    mujoco: BTreeMap<String, f64>,
}

/// One model a folder of captures, and one with every kind of joint.
pub fn run(data: &Path, files: &[PathBuf]) -> Result<Outcome> {
    let python = match helpers::python_env("dynamics", None) {
        Ok(python) => python,
        Err(error) => return Ok(Outcome::skipped(format!("oracles dynamics: {error:#}"))),
    };
    let states = shell::output(shell::example("dynamics_states")?.args(one_a_folder(files)))?;
    let mut outcome = Outcome::default();
    for answer in answers::<Answer>(&python, "dynamics.py", &states)? {
        let name = answer.name.strip_prefix(&*data.to_string_lossy()).unwrap_or(&answer.name).to_owned();
        for (engine, differences) in [("Pinocchio", &answer.pinocchio), ("MuJoCo", &answer.mujoco)] {
            for (what, &difference) in differences {
                let most = if what.contains("derivative") { DERIVATIVES } else { VALUES };
                if difference <= most {
                    outcome.passed += 1;
                } else {
                    let nv = answer.nv;
                    let text = format!("dynamics {name} (nv {nv}): {what} differs from {engine}'s by {difference:.1e}");
                    outcome.failures.push(text);
                }
            }
        }
    }
    outcome.note = format!("{} quantities agree with Pinocchio and MuJoCo", outcome.passed);
    outcome.add(adapted(&python)?);
    Ok(outcome)
}

/// What another engine's inverse dynamics may miss at the root of an adapted motion, 95 % of the time, part of body
/// weight (docs/algorithms/adapt.md).
const ADAPTED_P95: f64 = 0.03;

#[derive(Debug, Deserialize)]
struct Adapted {
    name: String,
    states: usize,
    force_p95: f64,
    force_max: f64,
}

/// Adapted captures with their forces, judged by Pinocchio.
fn adapted(python: &Path) -> Result<Outcome> {
    let states = shell::output(&mut shell::example("adapt_states")?)?;
    let mut outcome = Outcome::default();
    for answer in answers::<Adapted>(python, "adapt.py", &states)? {
        let Adapted { name, states, force_p95, force_max } = answer;
        if force_p95 <= ADAPTED_P95 {
            outcome.passed += 1;
        } else {
            let missed = format!(
                "{:.1} % of body weight at the root (p95 of {states}; {:.1} % at most)",
                100.0 * force_p95,
                100.0 * force_max
            );
            outcome.failures.push(format!("adapted {name}: Pinocchio misses {missed}"));
        }
    }
    outcome.note = format!("{} adapted motions obey Pinocchio's dynamics", outcome.passed);
    Ok(outcome)
}

/// Skeletons differ between folders; the many folders of one archive have one kind of skeleton.
fn one_a_folder(files: &[PathBuf]) -> Vec<&PathBuf> {
    let mut seen = Vec::new();
    let mut chosen = Vec::new();
    for file in files {
        let folder = file.parent().unwrap_or(file);
        let archive =
            folder.components().find(|part| part.as_os_str() == "cmu-bvh").map_or(folder, |_| Path::new("cmu"));
        if !seen.contains(&archive) {
            seen.push(archive);
            chosen.push(file);
        }
    }
    chosen
}

fn answers<T: serde::de::DeserializeOwned>(python: &Path, script: &str, states: &str) -> Result<Vec<T>> {
    let mut command = Command::new(python);
    command.arg(format!("tests/oracles/{script}")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {}", shell::shown(&command)))?;
    let mut pipe = child.stdin.take().context("the child has a standard input")?;
    let states = states.to_owned();
    // Written from a thread of its own: both pipes may fill up.
    let writer = std::thread::spawn(move || pipe.write_all(states.as_bytes()));
    let output = child.wait_with_output()?;
    anyhow::ensure!(output.status.success(), "tests/oracles/{script} failed");
    writer.join().map_err(|_| anyhow::anyhow!("the writer stopped"))??;
    let text = String::from_utf8(output.stdout)?;
    text.lines().map(|line| serde_json::from_str(line).with_context(|| format!("an answer of {script}"))).collect()
}
