//! Half-written files of runs that were killed.

use std::path::Path;
use std::time::Duration;

/// Removes unfinished files (`.aplomb-*.part`) below a folder that were not touched for `least_age`. Links are not
/// followed, and what cannot be removed stays: it does no harm.
pub fn clear_leftovers(folder: &Path, least_age: Duration) {
    let mut folders = vec![folder.to_owned()];
    while let Some(place) = folders.pop() {
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() && is_leftover(&entry.file_name().to_string_lossy()) {
                let age = entry.metadata().and_then(|there| there.modified()).ok().and_then(|then| then.elapsed().ok());
                if least_age.is_zero() || age.is_some_and(|age| age >= least_age) {
                    let _ = std::fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// As `aplomb_formats::atomic` names them.
fn is_leftover(name: &str) -> bool {
    name.starts_with(".aplomb-") && name.ends_with(".part")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unfinished_files_go_and_only_old_ones() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("take");
        std::fs::create_dir(&inner).unwrap();
        let (left, kept) = (inner.join(".aplomb-aB3.part"), inner.join("aplomb.part"));
        std::fs::write(&left, "half").unwrap();
        std::fs::write(&kept, "mine").unwrap();
        clear_leftovers(folder.path(), Duration::from_secs(3600));
        assert!(left.exists() && kept.exists());
        clear_leftovers(folder.path(), Duration::ZERO);
        assert!(!left.exists() && kept.exists());
    }
}
