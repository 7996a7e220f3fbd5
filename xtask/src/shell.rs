//! Running other programs from the workspace root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The folder that holds the workspace's `Cargo.toml`.
pub fn workspace_root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// The folder that cargo builds into, whichever way it was set.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => workspace_root().join(dir),
        None => workspace_root().join("target"),
    }
}

/// The folder of real captures, if it is there. It is never part of the repository.
pub fn data_dir() -> Option<PathBuf> {
    let dir = match std::env::var_os("APLOMB_DATA") {
        Some(dir) => PathBuf::from(dir),
        None => workspace_root().join("../shared/data"),
    };
    dir.canonicalize().ok().filter(|dir| dir.is_dir())
}

/// The cargo that started us, so that a chosen toolchain stays chosen.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A file that cargo builds from our workspace in the profile of the tests, such as `aplomb` or `examples/dump_c3d`.
///
/// The whole workspace at once, as the tests are built: cargo chooses features of dependencies for all packages that
/// are asked for together, so that a package of its own would compile them, and everything of ours, a second time.
pub fn built(file: &str) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--workspace", "--lib", "--bins", "--examples", "--profile", "test", "--locked", "--quiet"]);
    output(&mut command)?;
    Ok(target_dir().join("debug").join(file))
}

/// An example program of ours, ready to run.
pub fn example(name: &str) -> Result<Command> {
    let file = format!("examples/{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(Command::new(built(&file)?))
}

/// Runs to the end with the terminal's own output; says whether it succeeded.
pub fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start {}", shown(command)))?;
    Ok(status.success())
}

/// Runs to the end and gives its standard output; failure is an error that carries its standard error.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {}", shown(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("{} failed ({})\n{}", shown(command), output.status, last_lines(&stderr, 20));
    }
    String::from_utf8(output.stdout).with_context(|| format!("{} printed no UTF-8", shown(command)))
}

/// Is this program there and willing to tell its version?
pub fn version_of(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// The program and its arguments on one line, for messages.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// The last `count` lines of a text.
pub fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}
