//! Unit, integration and documentation tests, counted one by one.
//!
//! A test that cannot run (no captures, say) prints `SKIPPED: why` and returns; runners call that a pass.
//! We count it as skipped, so that a green run on a machine without data does not look like a full one.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::check::Outcome;
use crate::{helpers, shell};

/// All tests of the workspace, with nextest where it is installed, then the documentation's examples.
pub fn run() -> Result<Outcome> {
    // Building nextest takes longer than it saves, so a machine without it uses cargo's own runner.
    let mut outcome = if helpers::on_path("cargo-nextest") {
        with_nextest(Path::new("cargo-nextest"))?
    } else {
        with_cargo_test(&["--workspace", "--all-targets"])?
    };
    outcome.add(with_cargo_test(&["--workspace", "--doc"])?);
    Ok(outcome)
}

fn with_nextest(nextest: &Path) -> Result<Outcome> {
    // nextest keeps its reports here whatever CARGO_TARGET_DIR says.
    let junit = shell::workspace_root().join("target/nextest/check/junit.xml");
    // A build that fails writes no report: an old one must not be taken for it.
    let _ = std::fs::remove_file(&junit);
    let mut command = Command::new(nextest);
    command.args(["nextest", "run", "--workspace", "--all-targets", "--locked", "--profile", "check"]);
    command.env("PROPTEST_RNG_SEED", property_seed());
    command.arg("--cargo-quiet");
    let ok = shell::succeeds(&mut command)?;
    let mut outcome = match std::fs::read_to_string(&junit) {
        Ok(xml) => counted_junit(&xml)?,
        Err(_) => Outcome::default(),
    };
    if ok && outcome == Outcome::default() {
        bail!("nextest wrote no report to {}", junit.display());
    }
    if !ok && outcome.is_ok() {
        outcome.failures.push("test: the tests did not build or did not run to the end".to_owned());
    }
    Ok(outcome)
}

fn counted_junit(xml: &str) -> Result<Outcome> {
    let report = roxmltree::Document::parse(xml).context("nextest's JUnit report")?;
    let mut outcome = Outcome::default();
    for case in report.descendants().filter(|node| node.has_tag_name("testcase")) {
        let name = format!(
            "{} {}",
            case.attribute("classname").unwrap_or_default(),
            case.attribute("name").unwrap_or_default()
        );
        let failed = case.children().any(|child| child.has_tag_name("failure") || child.has_tag_name("error"));
        let printed =
            case.children().filter(|child| child.has_tag_name("system-err") || child.has_tag_name("system-out"));
        let reason = printed.filter_map(|child| child.text()).find_map(skip_reason);
        match (failed, reason) {
            (true, _) => outcome.failures.push(name),
            (false, Some(reason)) => outcome.skipped.push(format!("{name}: {reason}")),
            (false, None) => outcome.passed += 1,
        }
    }
    Ok(outcome)
}

fn skip_reason(printed: &str) -> Option<String> {
    printed.lines().find_map(|line| line.trim_start().strip_prefix("SKIPPED:")).map(|reason| reason.trim().to_owned())
}

/// Property tests draw the same cases in every check, so that a change is judged and not the dice; plain `cargo test`
/// rolls them.
fn property_seed() -> String {
    std::env::var("PROPTEST_RNG_SEED").unwrap_or_else(|_| "20030712".to_owned())
}

fn with_cargo_test(what: &[&str]) -> Result<Outcome> {
    let mut command = shell::cargo();
    command.arg("test").args(what).args(["--locked", "--no-fail-fast", "--quiet", "--", "--show-output"]);
    command.env("PROPTEST_RNG_SEED", property_seed());
    // Compiler messages go to the terminal; what the tests print, skip reasons included, comes to us.
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("cargo test")?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut outcome = counted_libtest(&printed);
    if !output.status.success() {
        println!("{}", shell::last_lines(&printed, 200));
        if outcome.is_ok() {
            outcome.failures.push("test: cargo test did not build or did not run to the end".to_owned());
        }
    }
    Ok(outcome)
}

fn counted_libtest(printed: &str) -> Outcome {
    let mut outcome = Outcome::default();
    for line in printed.lines() {
        // "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
        if let Some(counts) = line.strip_prefix("test result: ") {
            let numbers: Vec<usize> =
                counts.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
            outcome.passed += numbers.first().copied().unwrap_or(0);
            let failed = numbers.get(1).copied().unwrap_or(0);
            outcome.failures.extend((0..failed).map(|_| "a test named above".to_owned()));
        }
        if let Some(reason) = skip_reason(line) {
            outcome.skipped.push(reason);
        }
    }
    outcome.passed = outcome.passed.saturating_sub(outcome.skipped.len());
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_tells_passed_failed_and_skipped_apart() {
        let xml = r#"<?xml version="1.0"?><testsuites><testsuite name="m">
            <testcase name="a" classname="m"/>
            <testcase name="b" classname="m"><failure message="no"/><system-err>SKIPPED: not this</system-err></testcase>
            <testcase name="c" classname="m"><system-err>note
SKIPPED: no captures</system-err></testcase></testsuite></testsuites>"#;
        let outcome = counted_junit(xml).unwrap();
        assert_eq!(outcome.passed, 1);
        assert_eq!(outcome.failures, ["m b"]);
        assert_eq!(outcome.skipped, ["m c: no captures"]);
    }

    #[test]
    fn libtest_lines_are_added_up() {
        let printed = "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured\nSKIPPED: no captures\n\
                       test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\n";
        let outcome = counted_libtest(printed);
        assert_eq!((outcome.passed, outcome.failures.len(), outcome.skipped.len()), (5, 1, 1));
    }
}
