//! What was done, one line a clip, written after its outputs.

use super::Earlier;
use crate::error::ProjectError;
use aplomb_formats::FormatError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// One clip, done or failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub key: String,
    /// Input, job and version in one hash: an entry of another stamp says nothing.
    pub stamp: String,
    /// Outputs below the folder, and their lengths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<(String, u64)>,
    /// The row of the index.
    pub row: Map<String, Value>,
}

impl Entry {
    /// Whether something came of it.
    pub fn is_ok(&self) -> bool {
        self.row.get("error").is_none_or(Value::is_null)
    }

    pub(super) fn outputs_are_there(&self, folder: &Path) -> bool {
        let is_there = |(path, bytes): &(String, u64)| {
            std::fs::metadata(folder.join(path)).is_ok_and(|there| there.is_file() && there.len() == *bytes)
        };
        self.outputs.iter().all(is_there)
    }
}

/// A journal that is being written.
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    /// Opens it, with what it already says.
    pub(super) fn open(path: &Path, earlier: Earlier) -> Result<(Self, HashMap<String, Entry>), ProjectError> {
        let io = |action| move |source| ProjectError::Format(FormatError::Io { path: path.to_owned(), action, source });
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io("make the folder"))?;
        }
        if path.exists() && earlier == Earlier::Refuse {
            return Err(ProjectError::BatchThere { path: path.to_owned() });
        }
        let mut options = File::options();
        options.create(true).write(true);
        let mut file = options.read(true).append(true).truncate(false).open(path).map_err(io("write"))?;
        // The lock goes with the file, and with the process if that is killed. Where locks are unknown (some network
        // file systems) it goes without.
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            let detail = format!("{}: another run is at work on this batch; wait for it, or end it", path.display());
            return Err(ProjectError::Batch { detail });
        }
        if earlier == Earlier::Replace {
            file.set_len(0).map_err(io("write"))?;
            return Ok((Self { path: path.to_owned(), file: Mutex::new(file) }, HashMap::new()));
        }
        let (before, ends_whole) = read(&file).map_err(io("read"))?;
        if !ends_whole {
            // The line that a killed run was writing: what follows must not be glued to it.
            file.write_all(b"\n").map_err(io("write"))?;
        }
        Ok((Self { path: path.to_owned(), file: Mutex::new(file) }, before))
    }

    /// One line, in one write.
    pub(super) fn append(&self, entry: &Entry) -> Result<(), ProjectError> {
        let mut line = serde_json::to_vec(entry)
            .map_err(|error| ProjectError::Table { what: "journal", detail: error.to_string() })?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(&line).map_err(|source| {
            ProjectError::Format(FormatError::Io { path: self.path.clone(), action: "write", source })
        })
    }
}

/// Lines that are whole; the last of a key counts. Also whether the file ends with a line's end.
fn read(file: &File) -> std::io::Result<(HashMap<String, Entry>, bool)> {
    let mut reader = BufReader::new(file);
    let mut entries = HashMap::new();
    let mut line = Vec::new();
    let mut ends_whole = true;
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok((entries, ends_whole));
        }
        ends_whole = line.ends_with(b"\n");
        if let Ok(entry) = serde_json::from_slice::<Entry>(&line) {
            entries.insert(entry.key.clone(), entry);
        }
    }
}
