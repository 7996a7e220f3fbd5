//! `./check`: every step in order, none left out because an earlier one failed, then a table and the count.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::{arrows, constants, fuzz, licences, oracles, pages, plain_words, python, shell, sizes, studio, testing};

/// What one step found. A step that is not made of tests leaves the counts at zero.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Tests that passed.
    pub passed: usize,
    /// What failed, one line each.
    pub failures: Vec<String>,
    /// Tests that could not run, with the reason.
    pub skipped: Vec<String>,
    /// A few words for the table.
    pub note: String,
}

impl Outcome {
    /// The outcome of a step that is a yes or a no.
    pub fn of(ok: bool, failure: &str) -> Self {
        let failures = if ok { Vec::new() } else { vec![failure.to_owned()] };
        Self { failures, ..Self::default() }
    }

    /// A step that could not run at all, counted as one skipped test.
    pub fn skipped(reason: impl Into<String>) -> Self {
        Self { skipped: vec![reason.into()], ..Self::default() }
    }

    /// Adds another step's counts to ours.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failures.extend(other.failures);
        self.skipped.extend(other.skipped);
    }

    /// Nothing failed.
    pub fn is_ok(&self) -> bool {
        self.failures.is_empty()
    }

    /// The closing line. Its form is fixed: other programs read it.
    pub fn closing_line(&self) -> String {
        format!("{} passed, {} failed, {} skipped", self.passed, self.failures.len(), self.skipped.len())
    }
}

type Step = (&'static str, Box<dyn FnOnce() -> Result<Outcome>>);

/// Seconds each fuzz target gets inside `./check`; the long run is `cargo xtask fuzz --secs 600`.
const FUZZ_SECS: u64 = 60;

/// Runs every step and prints the table; `false` if anything failed.
pub fn run(all: bool) -> Result<bool> {
    if shell::data_dir().is_none() {
        eprintln!("check: no captures found (APLOMB_DATA, default ../shared/data): tests on them will be skipped\n");
    }
    let steps: Vec<Step> = vec![
        ("fmt", Box::new(fmt)),
        ("arrows", Box::new(|| arrows::run(false))),
        ("licences", Box::new(licences::run)),
        ("sizes", Box::new(|| sizes::run(false))),
        ("constants", Box::new(constants::run)),
        ("words", Box::new(plain_words::run)),
        ("clippy", Box::new(clippy)),
        ("docs", Box::new(docs)),
        ("test", Box::new(testing::run)),
        ("oracles", Box::new(move || oracles::run(all))),
        ("pages", Box::new(pages::run)),
        ("studio", Box::new(studio::run)),
        ("python", Box::new(python::run)),
        ("fuzz", Box::new(|| fuzz::run(FUZZ_SECS, "none", None))),
    ];
    let started = Instant::now();
    let results: Vec<_> = steps.into_iter().map(|(name, step)| timed(name, step)).collect();

    let mut total = Outcome::default();
    println!("\n{:<10} {:>8}  result", "step", "time");
    for (name, took, outcome) in results {
        println!("{name:<10} {:>7.1}s  {}", took.as_secs_f64(), summary(&outcome));
        total.add(outcome);
    }
    println!("{:<10} {:>7.1}s", "total", started.elapsed().as_secs_f64());
    print_list("skipped", &total.skipped);
    print_list("failed", &total.failures);
    println!("\n{}", total.closing_line());
    Ok(total.is_ok())
}

fn timed(name: &'static str, step: Box<dyn FnOnce() -> Result<Outcome>>) -> (&'static str, Duration, Outcome) {
    println!("\n== {name}");
    let started = Instant::now();
    let outcome = step().unwrap_or_else(|error| {
        eprintln!("{name}: {error:#}");
        Outcome { failures: vec![format!("{name}: {error}")], ..Outcome::default() }
    });
    (name, started.elapsed(), outcome)
}

fn summary(outcome: &Outcome) -> String {
    let word = if outcome.is_ok() { "ok" } else { "FAILED" };
    let counted = outcome.passed + outcome.skipped.len() > 0;
    let counts = if counted { outcome.closing_line() } else { String::new() };
    let parts = [word, counts.as_str(), outcome.note.as_str()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

fn print_list(heading: &str, lines: &[String]) {
    if !lines.is_empty() {
        println!("\n{heading}:");
        lines.iter().for_each(|line| println!("  {line}"));
    }
}

/// One step on its own: its findings and, if it counts tests, their number.
pub fn alone(outcome: Result<Outcome>) -> Result<bool> {
    let outcome = outcome?;
    print_list("skipped", &outcome.skipped);
    print_list("failed", &outcome.failures);
    if !outcome.note.is_empty() {
        println!("{}", outcome.note);
    }
    if outcome.passed + outcome.skipped.len() + outcome.failures.len() > 0 {
        println!("{}", outcome.closing_line());
    }
    Ok(outcome.is_ok())
}

/// Formatting of the workspace and of the fuzz project, which is a workspace of its own.
pub fn fmt() -> Result<Outcome> {
    let ours = shell::succeeds(shell::cargo().args(["fmt", "--all", "--check"]))?;
    let fuzz = shell::succeeds(shell::cargo().args(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]))?;
    Ok(Outcome::of(ours && fuzz, "fmt: run `cargo fmt --all` (and the same in fuzz/)"))
}

/// Lints of every target of every crate.
pub fn clippy() -> Result<Outcome> {
    let mut command = shell::cargo();
    command.args(["clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings"]);
    Ok(Outcome::of(shell::succeeds(&mut command)?, "clippy: see above"))
}

/// API documentation of our crates only.
pub fn docs() -> Result<Outcome> {
    let mut command = shell::cargo();
    command.args(["doc", "--workspace", "--no-deps", "--locked", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings");
    Ok(Outcome::of(shell::succeeds(&mut command)?, "docs: see above"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_line_counts_all_steps_together() {
        let mut total = Outcome { passed: 3, ..Outcome::default() };
        total.add(Outcome::of(false, "clippy"));
        total.add(Outcome::skipped("no node"));
        assert_eq!(total.closing_line(), "3 passed, 1 failed, 1 skipped");
        assert!(!total.is_ok());
    }
}
