//! The opened folder: what lies in it, what may be read and written, and what was dropped onto the page.

use crate::error::StudioError;
use aplomb_formats::{FileKind, FormatError, atomic};
use aplomb_project::edit::is_below;
use serde::Serialize;
use std::path::{Component, Path, PathBuf};

/// Folders within folders that are listed, files in all, and files looked at: a home folder must not keep the user
/// waiting.
const DEPTH: usize = 4;
const MOST_LISTED_FILES: usize = 2_000;
const MOST_LOOKED_AT: usize = 50_000;

/// What projects are called.
pub const PROJECT_ENDING: &str = ".aplomb.toml";

/// A file that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Listed {
    /// Relative to the opened folder, with `/`.
    pub path: String,
    /// `motion` or `project`.
    pub kind: &'static str,
    /// Size.
    pub bytes: u64,
}

/// What a name can be opened as.
pub fn kind_of(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    if name.ends_with(PROJECT_ENDING) {
        return Some("project");
    }
    FileKind::from_path(path).filter(|kind| kind.is_read()).map(|_| "motion")
}

/// Endings of what can be opened, and of what can be written, without the dot: `.asf` is taken in, as its motions need
/// it.
pub fn endings() -> (Vec<&'static str>, Vec<&'static str>) {
    let of = |is_meant: &dyn Fn(FileKind) -> bool, all: bool| -> Vec<&'static str> {
        let kinds = FileKind::ALL.into_iter().filter(|kind| is_meant(*kind));
        kinds.flat_map(|kind| kind.endings().iter().copied().take(if all { usize::MAX } else { 1 })).collect()
    };
    (of(&|kind| kind.is_read() || kind == FileKind::Asf, true), of(&|kind| kind.is_written(), false))
}

/// The same in words.
pub fn in_words(endings: &[&str]) -> String {
    endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ")
}

/// Everything below the folder that can be opened, sorted. Links are not followed and hidden files not shown.
pub fn list(folder: &Path) -> Vec<Listed> {
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((here, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&here) else { continue };
        for entry in entries.flatten() {
            looked_at += 1;
            if looked_at > MOST_LOOKED_AT || found.len() >= MOST_LISTED_FILES {
                found.sort();
                return found;
            }
            let (path, Ok(meta)) = (entry.path(), entry.metadata()) else { continue };
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if meta.is_dir() && depth < DEPTH {
                open.push((path, depth + 1));
            } else if let (true, Some(kind), Ok(relative)) = (meta.is_file(), kind_of(&path), path.strip_prefix(folder))
            {
                let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
                found.push(Listed { path: parts.join("/"), kind, bytes: meta.len() });
            }
        }
    }
    found.sort();
    found
}

/// A path of a request, if it stays below the folder wherever links lead.
pub fn below(folder: &Path, asked: &str) -> Result<PathBuf, StudioError> {
    let path = Path::new(asked);
    let is_named = matches!(path.components().next_back(), Some(Component::Normal(_)));
    let is_hidden = path.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'));
    if is_named && !is_hidden && !asked.contains('\0') && is_below(folder, path) {
        return Ok(path.to_owned());
    }
    Err(StudioError::Outside { path: path.to_owned() })
}

/// Puts a file that was dropped onto the page into the folder. One of the same name with the same bytes is that file;
/// one with others keeps its name, and the new one gets a number.
pub fn take_in(folder: &Path, name: &str, bytes: &[u8]) -> Result<String, StudioError> {
    let refused = |problem: &str| StudioError::Refused { what: name.to_owned(), problem: problem.to_owned() };
    let plain = Path::new(name).file_name().and_then(|name| name.to_str()).filter(|plain| *plain == name);
    let Some(plain) =
        plain.filter(|plain| !plain.starts_with('.') && plain.len() <= 200 && !plain.contains(['\\', '\0']))
    else {
        return Err(refused("expected the plain name of a file"));
    };
    if kind_of(Path::new(plain)).is_none() && FileKind::from_path(Path::new(plain)) != Some(FileKind::Asf) {
        return Err(refused(&format!(
            "expected a motion ({}) or a project ({PROJECT_ENDING})",
            in_words(&endings().0)
        )));
    }
    let (stem, ending) = plain.split_once('.').unwrap_or((plain, ""));
    for number in 1..1000 {
        let candidate = if number == 1 { plain.to_owned() } else { format!("{stem}-{number}.{ending}") };
        let path = folder.join(&candidate);
        match atomic::write(&path, bytes, false) {
            Ok(()) => return Ok(candidate),
            Err(FormatError::Exists { .. }) => {
                let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
                if is_file && std::fs::read(&path).is_ok_and(|there| there == bytes) {
                    return Ok(candidate);
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(refused("there are too many files of this name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        assert_eq!(below(folder.path(), "a/b.bvh").unwrap(), Path::new("a/b.bvh"));
        for hostile in ["../b.bvh", "/etc/passwd", "a/../../b", "", ".", "..", "a/..", ".ssh/id", "a/.hidden", "a\0b"] {
            assert!(below(folder.path(), hostile).is_err(), "{hostile:?}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc", folder.path().join("etc")).unwrap();
            assert!(below(folder.path(), "etc/passwd").is_err());
        }
    }

    #[test]
    fn dropped_files_replace_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(take_in(folder.path(), "w.bvh", b"one").unwrap(), "w.bvh");
        assert_eq!(take_in(folder.path(), "w.bvh", b"one").unwrap(), "w.bvh", "the same file");
        assert_eq!(take_in(folder.path(), "w.bvh", b"two").unwrap(), "w-2.bvh");
        assert_eq!(std::fs::read(folder.path().join("w.bvh")).unwrap(), b"one");
        for hostile in ["../w.bvh", "a/w.bvh", ".w.bvh", "w.exe", "w", "..", "a\\w.bvh", ""] {
            assert!(take_in(folder.path(), hostile, b"x").is_err(), "{hostile:?}");
        }
    }

    #[test]
    fn what_can_be_opened_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        for name in ["b.bvh", "sub/a.amc", "c.GLB", "d.fbx", "p.aplomb.toml", "s.asf", "u.usda", "x.txt", ".hidden.bvh"]
        {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let names: Vec<String> = list(folder.path()).into_iter().map(|it| it.path).collect();
        assert_eq!(names, ["b.bvh", "c.GLB", "d.fbx", "p.aplomb.toml", "sub/a.amc"]);
        let (read, written) = endings();
        assert!(["bvh", "asf", "vrm", "c3d"].iter().all(|ending| read.contains(ending)) && !read.contains(&"usda"));
        assert_eq!(written, ["bvh", "amc", "glb", "npz", "usda"]);
    }
}
