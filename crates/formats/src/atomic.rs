//! Output files appear whole or not at all.

use crate::error::FormatError;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes `bytes` to a temporary file beside `path`, syncs it, and renames it into place.
///
/// An existing file is replaced only with `force`; without it the rename itself refuses, so two writers cannot race.
/// A symlink at `path` is never followed: with `force` the link itself is replaced.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), FormatError> {
    Staged::new(path, bytes, force)?.put()
}

/// Outputs that belong together: all of them appear, or none. Everything is written beside its place before the first
/// is renamed, so that a full disk or a folder that cannot be written shows while nothing has happened yet.
///
/// If a rename fails all the same, files that were new are taken away again; one that `force` had replaced by then
/// stays the new one.
pub fn write_all(files: &[(&Path, &[u8])], force: bool) -> Result<(), FormatError> {
    let staged: Vec<Staged> =
        files.iter().map(|(path, bytes)| Staged::new(path, bytes, force)).collect::<Result<_, _>>()?;
    let mut made: Vec<PathBuf> = Vec::new();
    for file in staged {
        let (path, is_new) = (file.path.clone(), std::fs::symlink_metadata(&file.path).is_err());
        if let Err(error) = file.put() {
            made.iter().for_each(|path| drop(std::fs::remove_file(path)));
            return Err(error);
        }
        if is_new {
            made.push(path);
        }
    }
    Ok(())
}

/// Written beside its place, not yet there; goes away if it is dropped.
struct Staged {
    path: PathBuf,
    file: tempfile::NamedTempFile,
    force: bool,
}

impl Staged {
    fn new(path: &Path, bytes: &[u8], force: bool) -> Result<Self, FormatError> {
        refuse_existing(path, force)?;
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".aplomb-").suffix(".part");
        // Readable like any other output, not 0600 as temporary files are; the umask still applies.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        // The temporary name says nothing to the user: only the system's answer is passed on.
        let made = builder.tempfile_in(folder).map_err(|error| std::io::Error::from(error.kind()));
        let mut file = made.map_err(failed(path, "write into its folder"))?;
        keep_permissions(path, file.as_file()).map_err(failed(path, "keep the permissions"))?;
        file.write_all(bytes).map_err(failed(path, "write"))?;
        file.as_file().sync_all().map_err(failed(path, "sync"))?;
        Ok(Self { path: path.to_owned(), file, force })
    }

    fn put(self) -> Result<(), FormatError> {
        let Self { path, file, force } = self;
        let persisted = if force { file.persist(&path) } else { file.persist_noclobber(&path) };
        match persisted {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(FormatError::Exists { path }),
            Err(error) => Err(failed(&path, "replace")(error.error)),
        }
    }
}

fn failed(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> FormatError {
    let path = path.to_owned();
    move |source| FormatError::Io { path, action, source }
}

/// A file that is replaced keeps its permissions: what was private stays so.
fn keep_permissions(path: &Path, new: &std::fs::File) -> std::io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(old) if old.is_file() => new.set_permissions(old.permissions()),
        _ => Ok(()),
    }
}

/// Fails early, before any long work, if `path` is taken (by anything, a dangling link included).
pub fn refuse_existing(path: &Path, force: bool) -> Result<(), FormatError> {
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => {
            let reason = "is a folder; give the name of a file".to_owned();
            Err(FormatError::Unsupported { path: path.to_owned(), reason })
        }
        Ok(_) if !force => Err(FormatError::Exists { path: path.to_owned() }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_files_need_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clip.bvh");
        write(&path, b"one", false).unwrap();
        assert!(matches!(write(&path, b"two", false), Err(FormatError::Exists { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        write(&path, b"two", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn all_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one.bvh"), folder.path().join("none/two.html"));
        assert!(write_all(&[(&one, b"1"), (&two, b"2")], false).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "neither the first nor a temporary file");
        let two = folder.path().join("two.html");
        write_all(&[(&one, b"1"), (&two, b"2")], false).unwrap();
        assert_eq!((std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap()), (b"1".to_vec(), b"2".to_vec()));
        // One that appears while the first is renamed: here, twice the same name.
        let three = folder.path().join("three.bvh");
        assert!(write_all(&[(&three, b"3"), (&three, b"4")], false).is_err());
        assert!(!three.exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("precious.bvh"), folder.path().join("out.bvh"));
        std::fs::write(&target, b"precious").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(matches!(write(&link, b"new", false), Err(FormatError::Exists { .. })));
        write(&link, b"new", true).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"precious");
        assert_eq!(std::fs::read(&link).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_stays_private_when_replaced() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("private.bvh");
        std::fs::write(&path, b"old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        write(&path, b"new", true).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let path = std::path::Path::new("no/such/folder/clip.bvh");
        let message = write(path, b"", false).unwrap_err().to_string();
        assert!(message.contains("no/such/folder/clip.bvh") && !message.contains(".part"), "{message}");
    }
}
