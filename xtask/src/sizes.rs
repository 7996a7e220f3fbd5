//! Files that have grown past the point where they are two things.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::check::Outcome;

/// A file is 150–400 lines; past this we ask which two things it is.
const MOST_LINES: usize = 600;

/// Source below these folders is ours and written by hand.
const OUR_FOLDERS: &[&str] = &["crates", "apps", "xtask", "fuzz", "tests"];

/// Reports long files. A report, not a failure: a table of data may be long and still be one thing.
pub fn run() -> Result<Outcome> {
    let mut long = Vec::new();
    for file in our_sources(Path::new("."))? {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let lines = text.lines().count();
        if lines > MOST_LINES {
            long.push((lines, file));
        }
    }
    long.sort_by(|a, b| b.cmp(a));
    for (lines, file) in &long {
        println!("{lines:>6} lines  {}  (which two things is it?)", file.display());
    }
    let note = if long.is_empty() { String::new() } else { format!("{} files past {MOST_LINES} lines", long.len()) };
    Ok(Outcome { note, ..Outcome::default() })
}

fn our_sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pending: Vec<PathBuf> = OUR_FOLDERS.iter().map(|folder| root.join(folder)).filter(|f| f.is_dir()).collect();
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let name = entry.file_name();
            let kind = entry.file_type()?;
            if kind.is_dir() && name != "target" && name != "node_modules" {
                pending.push(entry.path());
            } else if kind.is_file() && is_source(Path::new(&name)) {
                files.push(entry.path());
            }
        }
    }
    Ok(files)
}

fn is_source(name: &Path) -> bool {
    name.extension().is_some_and(|extension| ["rs", "mjs", "js", "py"].iter().any(|known| extension == *known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_this_very_file() {
        let files = our_sources(&crate::shell::workspace_root()).unwrap();
        assert!(files.iter().any(|file| file.ends_with("xtask/src/sizes.rs")));
        assert!(files.iter().all(|file| is_source(file)));
    }
}
