//! Programs of others that the checks need, installed into a user cache and never into the repository.
//!
//! A helper's folder is named after the hash of the committed lock file that describes it, so a changed lock
//! file makes a new folder and two clones with equal locks share one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::shell;

/// Folder of `package.json`, the lock file and the comparison scripts.
const ORACLES: &str = "tests/oracles";

/// A cargo subcommand such as `cargo-fuzz`: the one on the path, else one built into the cache.
pub fn cargo_tool(name: &str) -> Result<PathBuf> {
    if on_path(name) {
        return Ok(PathBuf::from(name));
    }
    let root = cache_dir()?.join("cargo-tools");
    let program = root.join("bin").join(name);
    let _lock = locked(&root)?;
    if !program.is_file() {
        println!("building {name} into the user cache (once)");
        let mut install = shell::cargo();
        install.args(["install", "--locked", "--quiet", "--root"]).arg(&root).arg(name);
        // Not into the workspace's target folder: a tool is built once and its objects are of no use.
        install.env_remove("CARGO_TARGET_DIR");
        if !shell::succeeds(&mut install)? {
            bail!("cargo install {name} failed");
        }
    }
    Ok(program)
}

/// The folder with the oracles' `node_modules`, or why it cannot be had.
pub fn node_oracles() -> Result<PathBuf> {
    node_modules("node", ORACLES)
}

/// The same for what drives a browser through the pages.
pub fn node_pages() -> Result<PathBuf> {
    node_modules("node-pages", "tests/pages")
}

/// A browser of the Chromium family: `APLOMB_BROWSER`, one on the path, else Debian's, where we may install it.
pub fn browser() -> Result<PathBuf> {
    let named = std::env::var_os("APLOMB_BROWSER").map(PathBuf::from);
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    let found = || named.clone().or_else(|| names.iter().find(|name| on_path(name)).and_then(|name| full_path(name)));
    if let Some(browser) = found() {
        return Ok(browser);
    }
    if !on_path("apt-get") {
        bail!("no Chromium on the path; install one or name it in APLOMB_BROWSER");
    }
    let _lock = locked(&cache_dir()?.join("chromium"))?;
    if found().is_none() {
        println!("installing Debian's Chromium (once)");
        let install = || {
            let mut apt = Command::new("apt-get");
            apt.args(["install", "--yes", "--no-install-recommends", "chromium"])
                .env("DEBIAN_FRONTEND", "noninteractive");
            shell::output(&mut apt)
        };
        // Fresh machines have no package lists; machines that have them need not fetch them again.
        if install().is_err() {
            shell::output(Command::new("apt-get").arg("update")).context("Chromium cannot be installed here")?;
            install().context("Chromium cannot be installed here; name one in APLOMB_BROWSER")?;
        }
    }
    found().context("Chromium was installed but is not on the path")
}

fn full_path(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn node_modules(name: &str, from: &str) -> Result<PathBuf> {
    for program in ["node", "npm"] {
        shell::version_of(program).with_context(|| format!("{program} is not installed"))?;
    }
    let manifests = [Path::new(from).join("package.json"), Path::new(from).join("package-lock.json")];
    installed(name, &manifests, |folder| {
        for manifest in &manifests {
            let name = manifest.file_name().context("a manifest has a file name")?;
            fs::copy(manifest, folder.join(name))?;
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
        shell::output(npm.current_dir(folder)).map(drop)
    })
}

/// The interpreter of a virtual environment with the packages of `tests/oracles/requirements-<name>.txt`.
/// `only` restricts the interpreter, for packages that exist for one version of Python alone.
pub fn python_env(name: &str, only: Option<&str>) -> Result<PathBuf> {
    let version = shell::version_of("python3").context("python3 is not installed")?;
    if let Some(only) = only.filter(|only| !version.starts_with(&format!("Python {only}."))) {
        bail!("needs Python {only}, this is {version}");
    }
    let requirements = [Path::new(ORACLES).join(format!("requirements-{name}.txt"))];
    let folder = installed(&format!("python-{name}"), &requirements, |folder| {
        let mut venv = Command::new("python3");
        shell::output(venv.args(["-m", "venv"]).arg(folder))?;
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
        shell::output(pip.arg(&requirements[0])).map(drop)
    })?;
    Ok(folder.join("bin/python"))
}

/// Adds the packages of `tests/oracles/requirements-<name>.txt` to an environment, for things that may be missing.
/// Wheels only, and within `secs`: a check does not wait for a network that stalls, nor compile for an hour.
pub fn python_extra(python: &Path, name: &str, secs: u64) -> Result<()> {
    let requirements = Path::new(ORACLES).join(format!("requirements-{name}.txt"));
    let environment = python.parent().and_then(Path::parent).context("an environment has a folder")?;
    let finished = environment.join(format!(".finished-{name}-{}", hash_of(std::slice::from_ref(&requirements))?));
    let _lock = locked(environment)?;
    if !finished.is_file() {
        println!("installing {name} into the user cache (once)");
        let mut pip = match on_path("timeout") {
            true => {
                let mut timeout = Command::new("timeout");
                timeout.arg(secs.to_string()).arg(python);
                timeout
            }
            false => Command::new(python),
        };
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]);
        pip.args(["--timeout", "20", "--retries", "1", "--requirement"]);
        shell::output(pip.arg(&requirements))?;
        fs::write(&finished, "")?;
    }
    Ok(())
}

/// Makes `<cache>/<name>-<hash of the lock files>` with `install`, unless an earlier run finished it.
fn installed(name: &str, locks: &[PathBuf], install: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let folder = cache_dir()?.join(format!("{name}-{}", hash_of(locks)?));
    let _lock = locked(&folder)?;
    let finished = folder.join(".finished");
    if !finished.is_file() {
        println!("installing {name} helpers into the user cache (once)");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        install(&folder)?;
        fs::write(&finished, "")?;
    }
    Ok(folder)
}

/// Sixteen hexadecimal digits of the files' SHA-256: plenty to tell lock files apart, short enough to read.
fn hash_of(files: &[PathBuf]) -> Result<String> {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(fs::read(file).with_context(|| file.display().to_string())?);
    }
    Ok(hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

/// Two checks at the same time must not install into one folder. The lock goes with the returned file.
fn locked(folder: &Path) -> Result<File> {
    let name = folder.file_name().context("a helper folder has a name")?.to_string_lossy();
    let lock = File::create(cache_dir()?.join(format!(".{name}.lock")))?;
    lock.lock()?;
    Ok(lock)
}

fn cache_dir() -> Result<PathBuf> {
    let user = std::env::var_os("XDG_CACHE_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let dir = user.or_else(home).context("neither XDG_CACHE_HOME nor HOME is set")?.join("aplomb");
    fs::create_dir_all(&dir).with_context(|| dir.display().to_string())?;
    Ok(dir)
}

/// Is there a program of this name?
pub fn on_path(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}
