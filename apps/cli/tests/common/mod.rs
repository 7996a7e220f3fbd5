//! Runs the command as a user would.

#![allow(dead_code, reason = "every test file takes what it needs of this")]

use aplomb_formats::{WriteOptions, export};
use aplomb_motion::{Clip, FrameOfReference};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Runs `aplomb` with these arguments, without colours, for a terminal of the usual width.
pub fn aplomb(args: &[&str]) -> Output {
    aplomb_with(&[("COLUMNS", "100")], args)
}

/// The same with more in its environment.
pub fn aplomb_with(environment: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.args(args).env("NO_COLOR", "1").envs(environment.iter().copied());
    command.output().expect("aplomb runs")
}

/// The same in a folder.
pub fn aplomb_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.args(args).env("NO_COLOR", "1").current_dir(folder);
    command.output().expect("aplomb runs")
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

/// A folder that goes away by itself.
pub fn folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

/// Runs an edit that must go well, and gives its receipt.
pub fn receipt(args: &[&str]) -> Value {
    receipt_with(args, 0)
}

/// Runs an edit that must end with this exit code, and gives its receipt.
pub fn receipt_with(args: &[&str], expected: i32) -> Value {
    let all: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
    let output = aplomb(&all);
    assert_eq!(code(&output), expected, "{args:?}: {}{}", stdout(&output), stderr(&output));
    json(&output, "receipt")
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

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("test paths are UTF-8")
}

/// Standard output as JSON that fits its schema.
pub fn json(output: &Output, schema: &str) -> Value {
    let value: Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON");
    check_schema(&value, schema);
    value
}

/// Refuses what does not fit a schema of the project.
pub fn check_schema(value: &Value, name: &str) {
    let read =
        |name: &str| std::fs::read_to_string(repository(&format!("docs/schemas/{name}.schema.json"))).expect("schema");
    // What is said of a clip is written down once, in the schema of `inspect`.
    let shared: Value = serde_json::from_str(&read("inspect")).expect("schema is JSON");
    let text = read(name).replace("inspect.schema.json#/$defs/", "#/$defs/");
    let mut schema: Value = serde_json::from_str(&text).expect("schema is JSON");
    let mut definitions = shared["$defs"].clone();
    if let (Some(own), Some(all)) = (schema["$defs"].as_object(), definitions.as_object_mut()) {
        all.extend(own.clone());
    }
    schema["$defs"] = definitions;
    let validator = jsonschema::validator_for(&schema).expect("schema is valid");
    let errors: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// A clip as a BVH in metres.
pub fn saved(folder: &TempDir, name: &str, clip: &Clip) -> PathBuf {
    let path = folder.path().join(name).with_extension("bvh");
    let encoded =
        export::encode(&path, clip, None, FrameOfReference::INTERNAL, &WriteOptions::default()).expect("encodes");
    export::save(&encoded, true).expect("saves");
    path
}

/// A built-in clip as a BVH in metres.
pub fn built(folder: &TempDir, name: &str) -> PathBuf {
    saved(folder, name, &aplomb_builtins::clip(name).expect("built-in"))
}

/// Refused with one message that says all of `words`, exit code 1, and nothing written.
pub fn refused(args: &[&str], words: &[&str]) {
    let output = aplomb(args);
    assert_eq!(code(&output), 1, "{args:?}: {}{}", stdout(&output), stderr(&output));
    let message = stderr(&output);
    assert_eq!(message.matches("error:").count(), 1, "{message}");
    for word in words {
        assert!(message.contains(word), "{word:?} is not in {message}");
    }
}
