//! Runs the command as a user would.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `aplomb` with these arguments, without colours.
pub fn aplomb(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_aplomb")).args(args).env("NO_COLOR", "1").output().expect("aplomb runs")
}

/// Exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("aplomb ends by itself")
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The folder of real captures, or a line that says that the test was skipped.
pub fn captures(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("APLOMB_DATA").map_or_else(|| repository("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: {test}: no captures at {} (set APLOMB_DATA)", folder.display());
    None
}

/// All files below a folder with this ending, sorted.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable folder") {
            let path = entry.expect("readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
