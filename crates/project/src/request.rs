//! How a project is replayed.

use crate::edits::{Advance, Edit, InputFile};
use aplomb_analysis::contacts::ContactFile;
use aplomb_formats::{Import, ReadOptions};
use std::path::{Path, PathBuf};

/// How a project is replayed.
pub struct RunRequest<'a> {
    /// Paths of the project are relative to it.
    pub folder: &'a Path,
    /// Limits of the readers, and whatever the project leaves open.
    pub read: ReadOptions,
    /// As the user called it, word by word.
    pub command: &'a [String],
    /// Name of the file that will be written, for the report.
    pub out: &'a Path,
    /// Called before each edit: its number from 0, and the edit.
    pub on_edit: &'a dyn Fn(usize, &Edit),
    /// Called while something long is under way. By saying `false` it is stopped, where it can be: the replay then ends
    /// with [`crate::ProjectError::Cancelled`].
    pub advance: &'a dyn Fn(&Advance<'_>) -> bool,
    /// The user's cache folder, for what takes long to find and is the same the next time; see
    /// [`crate::session::cache_folder`].
    pub cache: Option<&'a Path>,
    /// What was read when a receipt's edits were made: files must still hold the same. Empty where anything goes.
    pub receipt_inputs: &'a [InputFile],
    /// Motions in memory, under the names that the project has for them: they need no files.
    pub memory: &'a [MemoryClip],
}

/// A motion in memory.
#[derive(Clone, Debug)]
pub struct MemoryClip {
    /// As the project names it.
    pub name: PathBuf,
    /// The motion, and what it can be written back through.
    pub import: Import,
    /// What is known of its contacts, ground and pace.
    pub known: Option<ContactFile>,
}

impl<'a> RunRequest<'a> {
    /// Files below this folder, no progress, no cache; the result is called `out` in reports.
    pub fn quiet(folder: &'a Path, read: ReadOptions, out: &'a Path) -> Self {
        Self {
            folder,
            read,
            command: &[],
            out,
            on_edit: &|_, _| {},
            advance: &|_| true,
            cache: None,
            receipt_inputs: &[],
            memory: &[],
        }
    }
}
