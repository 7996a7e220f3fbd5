//! Where files are read and written: what is read is never written over, and one file holds one output.

use aplomb_formats::{FormatError, atomic};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Not even `--force` replaces what is read, and one file cannot hold two outputs.
pub fn refuse_confusion<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), String> {
    let inputs: HashSet<PathBuf> = inputs.into_iter().map(place_of).collect();
    let mut taken = HashSet::new();
    for path in outputs {
        let place = place_of(path);
        if inputs.contains(&place) {
            return Err(format!("{}: is read here, so it cannot be written; choose another name", path.display()));
        }
        if !taken.insert(place) {
            return Err(format!("{}: two outputs cannot go to one file; choose another name", path.display()));
        }
    }
    Ok(())
}

/// Refuses what exists, and folders that are missing: those are slips of the keyboard.
pub fn refuse_existing(path: &Path, force: bool) -> Result<(), FormatError> {
    atomic::refuse_existing(path, force)?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    match parent.filter(|parent| !parent.is_dir()) {
        None => Ok(()),
        Some(missing) => {
            let reason = format!("the folder {} does not exist; make it first", missing.display());
            Err(FormatError::Unsupported { path: path.to_owned(), reason })
        }
    }
}

/// Where a file lies or would lie, whatever way its name leads there.
pub fn place_of(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
