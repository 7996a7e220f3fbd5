//! What made a file.

use super::file::Project;
use super::input_file::InputFile;
use serde::Serialize;

/// What made a file, so that it can be made again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Provenance {
    /// The program.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// As it was called, word by word; empty where nothing was typed.
    pub command: Vec<String>,
    /// Files that were read, the clip first.
    pub inputs: Vec<InputFile>,
    /// The edits as data, with every default that counted.
    pub project: Project,
}
