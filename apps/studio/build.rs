//! Fetches what the page is drawn with. Nothing third-party is in the repository: `web/package-lock.json` pins the
//! versions with their hashes, and npm puts them where this crate can embed them. Without npm or network the program
//! still builds, and `aplomb studio` says what is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a file lies below `node_modules`, and what the page calls it.
const VENDORED: [(&str, &str); 6] = [
    ("three/build/three.module.js", "three.module.js"),
    ("three/build/three.core.js", "three.core.js"),
    ("three/LICENSE", "three.LICENSE.txt"),
    ("uplot/dist/uPlot.esm.js", "uplot.js"),
    ("uplot/dist/uPlot.min.css", "uplot.css"),
    ("uplot/LICENSE", "uplot.LICENSE.txt"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=web/package-lock.json");
    println!("cargo::rerun-if-changed=web/package.json");
    println!("cargo::rerun-if-env-changed=PATH");
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let (modules, problem) = match modules(&here.join("web"), &out) {
        Ok(modules) => (modules, String::new()),
        Err(problem) => {
            println!("cargo::warning=the studio's page cannot be built: {problem}");
            (out.clone(), problem)
        }
    };
    let mut table = format!("pub const PROBLEM: &str = {problem:?};\npub const VENDORED: &[(&str, &[u8])] = &[\n");
    for (path, name) in VENDORED.iter().filter(|_| problem.is_empty()) {
        let path = modules.join(path);
        table += &format!("    ({name:?}, include_bytes!({:?})),\n", path.display().to_string());
    }
    table += "];\n";
    if let Err(error) = std::fs::write(out.join("vendored.rs"), table) {
        println!("cargo::error=cannot write {}: {error}", out.join("vendored.rs").display());
    }
}

/// `web/node_modules` if it exists, else what npm fetches.
fn modules(web: &Path, out: &Path) -> Result<PathBuf, String> {
    let is_whole = |modules: &Path| VENDORED.iter().all(|(path, _)| modules.join(path).is_file());
    let beside = web.join("node_modules");
    if is_whole(&beside) {
        return Ok(beside);
    }
    let folder = out.join("web");
    let fetched = folder.join("node_modules");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in ["package.json", "package-lock.json"] {
        std::fs::copy(web.join(name), folder.join(name)).map_err(|error| format!("web/{name}: {error}"))?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let run = Command::new(npm)
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"])
        .current_dir(&folder)
        .output();
    match run {
        Err(_) => Err("npm was not found; install Node 18 or newer and build again".to_owned()),
        Ok(run) if !run.status.success() => {
            let said = String::from_utf8_lossy(&run.stderr);
            let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("npm ci failed");
            Err(format!("npm could not fetch three and uplot ({first}); is there a network? Then build again"))
        }
        Ok(_) if is_whole(&fetched) => Ok(fetched),
        Ok(_) => Err("npm fetched something else than the files the page needs".to_owned()),
    }
}
