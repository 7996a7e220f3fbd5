//! Figure 4 of Sulejmanpašić & Popović 2005 and the weight of forces (section 4.2), from our own runs.

use crate::bench::{Goal, built_of};
use crate::shell;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::process::Command;

/// How often reduced dynamics is to be faster than the optimum of torque smoothness.
const FASTER: f64 = 5.0;
/// A reduced adaptation of a jump, s of one core.
const REDUCED_SECS: f64 = 1.0;
/// With all torques.
const FULL_SECS: f64 = 5.0;

/// What the example `adapt_table` says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AdaptRun {
    /// One adaptation in one formulation.
    Adapted {
        clip: String,
        goals: String,
        formulation: String,
        unknowns: usize,
        equalities: usize,
        inequalities: usize,
        iterations: usize,
        factorisations: usize,
        cpu_secs: f64,
        change_deg: f64,
        jerk_ratio: f64,
        force_p95: f64,
        is_converged: bool,
    },
    /// One fit with forces weighed by s.
    Weighed { clip: String, s: f64, first_iterations: usize, change_deg: f64, push_off_bw: f64, is_converged: bool },
}

pub fn measured() -> Result<Vec<AdaptRun>> {
    let lines = shell::output(Command::new(built_of("aplomb-editing", "adapt_table")?).arg("--json"))?;
    lines.lines().map(|line| serde_json::from_str(line).context("adapt_table's answer")).collect()
}

pub fn print(runs: &[AdaptRun]) {
    println!(
        "\nadaptations of jumps\n{:<20} {:<18} {:<18} {:>8} {:>6} {:>7} {:>10} {:>14} {:>7} {:>8} {:>5} {:>6}",
        "clip",
        "goals",
        "formulation",
        "unknowns",
        "equal",
        "unequal",
        "iterations",
        "factorisations",
        "CPU s",
        "change °",
        "jerk",
        "F95 %"
    );
    for run in runs {
        if let AdaptRun::Adapted {
            clip,
            goals,
            formulation,
            unknowns,
            equalities,
            inequalities,
            iterations,
            factorisations,
            cpu_secs,
            change_deg,
            jerk_ratio,
            force_p95,
            is_converged,
        } = run
        {
            println!(
                "{clip:<20} {goals:<18} {formulation:<18} {unknowns:>8} {equalities:>6} {inequalities:>7} {iterations:>10} {factorisations:>14} {cpu_secs:>7.2} {change_deg:>8.1} {jerk_ratio:>5.2} {:>6.1}{}",
                100.0 * force_p95,
                if *is_converged { "" } else { "  not met" }
            );
        }
    }
    println!(
        "\nfits with forces weighed by s (newtons)\n{:<20} {:>8} {:>10} {:>8} {:>14}",
        "clip", "s", "iterations", "change °", "push-off, BW"
    );
    for run in runs {
        if let AdaptRun::Weighed { clip, s, first_iterations, change_deg, push_off_bw, is_converged } = run {
            println!(
                "{clip:<20} {s:>8.5} {first_iterations:>10} {change_deg:>8.1} {push_off_bw:>14.2}{}",
                if *is_converged { "" } else { "  not met" }
            );
        }
    }
}

pub fn goals(runs: &[AdaptRun]) -> Vec<Goal> {
    let secs = |wanted: &str| -> Vec<f64> {
        let of_run = |run: &AdaptRun| match run {
            AdaptRun::Adapted { formulation, cpu_secs, .. } if formulation == wanted => Some(*cpu_secs),
            _ => None,
        };
        runs.iter().filter_map(of_run).collect()
    };
    let (reduced, full, smooth) = (secs("reduced"), secs("full"), secs("torque-smoothness"));
    let worst = |secs: &[f64]| secs.iter().copied().fold(0.0, f64::max);
    let least = smooth.iter().zip(&reduced).map(|(smooth, reduced)| smooth / reduced).fold(f64::INFINITY, f64::min);
    let goal = |what: &'static str, found: f64, most: f64| Goal {
        what: what.into(),
        measured: format!("{found:.2} s"),
        asked: format!("<= {most} s"),
        met: found <= most,
    };
    vec![
        goal("an adaptation of a jump with reduced dynamics", worst(&reduced), REDUCED_SECS),
        goal("the same with full dynamics", worst(&full), FULL_SECS),
        Goal {
            what: "reduced against the optimum of torque smoothness".into(),
            measured: format!("{least:.1} times as fast"),
            asked: format!(">= {FASTER} times"),
            met: least >= FASTER,
        },
    ]
}
