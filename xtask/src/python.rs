//! The Python package: built, then its own tests, its types, and a Ray cluster on this machine.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::check::Outcome;
use crate::{helpers, shell};

/// Seconds that Ray may take to come from the network (a wheel of 70 MB).
const RAY_SECS: u64 = 300;

/// Builds the package into its environment and runs pytest there. Where Ray cannot be had its tests are skipped, which
/// pytest tells.
pub fn run() -> Result<Outcome> {
    let python = match helpers::python_env("python", None) {
        Ok(python) => python,
        Err(error) => return Ok(Outcome::skipped(format!("python: {error:#}"))),
    };
    if let Err(error) = helpers::python_extra(&python, "ray", RAY_SECS) {
        eprintln!("python: Ray cannot be installed here, its tests will be skipped: {error:#}");
    }
    let package = build()?;
    let mut outcome = tested(&python, &package)?;
    outcome.add(typed(&python, &package)?);
    Ok(outcome)
}

/// The package as it is installed, below the target folder. Not through maturin: that takes `--profile test` for a
/// build of test programs, and any other profile compiles everything anew.
fn build() -> Result<PathBuf> {
    let library = shell::built(&format!("{DLL_PREFIX}_aplomb{DLL_SUFFIX}"))?;
    let package = shell::target_dir().join("python-package");
    let inner = package.join("aplomb");
    if inner.exists() {
        std::fs::remove_dir_all(&inner)?;
    }
    std::fs::create_dir_all(&inner)?;
    for entry in std::fs::read_dir("apps/python/python/aplomb")? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            std::fs::copy(&path, inner.join(name))?;
        }
    }
    let name = if cfg!(windows) { "_aplomb.pyd" } else { "_aplomb.abi3.so" };
    std::fs::copy(&library, inner.join(name)).with_context(|| library.display().to_string())?;
    Ok(package)
}

fn tested(python: &Path, package: &Path) -> Result<Outcome> {
    let report = shell::target_dir().join("python-junit.xml");
    let _ = std::fs::remove_file(&report);
    let mut pytest = Command::new(python);
    pytest.args(["-m", "pytest", "-q", "-rs", "apps/python/tests", "-p", "no:cacheprovider"]);
    pytest.arg(format!("--junitxml={}", report.display()));
    // Ray's workers inherit it.
    pytest.env("PYTHONPATH", package).env("PYTHONDONTWRITEBYTECODE", "1").env("RAY_DISABLE_IMPORT_WARNING", "1");
    let ok = shell::succeeds(&mut pytest)?;
    let text = std::fs::read_to_string(&report).context("pytest wrote no report")?;
    let xml = roxmltree::Document::parse(&text).context("pytest's JUnit report")?;
    let mut outcome = Outcome::default();
    for case in xml.descendants().filter(|node| node.has_tag_name("testcase")) {
        let name = format!(
            "python {}::{}",
            case.attribute("classname").unwrap_or_default(),
            case.attribute("name").unwrap_or_default()
        );
        let child = |tag: &str| case.children().find(|child| child.has_tag_name(tag));
        if child("failure").or_else(|| child("error")).is_some() {
            outcome.failures.push(name);
        } else if let Some(skipped) = child("skipped") {
            outcome.skipped.push(format!("{name}: {}", skipped.attribute("message").unwrap_or_default()));
        } else {
            outcome.passed += 1;
        }
    }
    if !ok && outcome.is_ok() {
        outcome.failures.push("python: the tests did not run to the end".to_owned());
    }
    Ok(outcome)
}

/// Annotations are consistent, as a user of the tour sees them too, and the stubs say what the compiled half has.
fn typed(python: &Path, package: &Path) -> Result<Outcome> {
    let mut mypy = Command::new(python);
    // Ray has no types of its own for some of what is called.
    mypy.args(["-m", "mypy", "--strict", "--allow-untyped-calls", "--no-error-summary", "--ignore-missing-imports"]);
    mypy.arg("--cache-dir").arg(shell::target_dir().join("mypy"));
    mypy.args(["apps/python/python/aplomb", "apps/python/tests/tour.py"]).env("MYPYPATH", "apps/python/python");
    let mut stubtest = Command::new(python);
    // Elsewhere, so that the package is the built one; the cache of stubtest goes where it stands.
    stubtest.args(["-m", "mypy.stubtest", "aplomb._aplomb"]).env("PYTHONPATH", package).current_dir(package);
    let mut outcome = Outcome::default();
    for (mut command, failure) in
        [(mypy, "python: types (mypy), see above"), (stubtest, "python: stubs (stubtest), see above")]
    {
        let ok = shell::succeeds(&mut command)?;
        outcome.add(Outcome { passed: usize::from(ok), ..Outcome::of(ok, failure) });
    }
    Ok(outcome)
}
