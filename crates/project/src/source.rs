//! Where clips come from: files, and `builtin:NAME`, which needs none.

use crate::error::ProjectError;
use aplomb_formats::{Import, ReadOptions, WriteOptions, export, import, read_bytes, read_file};
use aplomb_motion::{Axis, FrameOfReference};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;

/// What names of built-in clips begin with.
pub const BUILT_IN: &str = "builtin:";

/// The built-in clip that a path means, if it means one.
pub fn built_in_name(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(BUILT_IN)
}

/// Reads a motion file, or makes a built-in clip.
pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Import, ProjectError> {
    let Some(name) = built_in_name(path) else { return Ok(read_file(path, options)?) };
    // Built-ins are in metres and Y up; other units and axes are meant for files.
    let options = ReadOptions { metres_per_unit: Some(1.0), up: Some(Axis::Y), ..options.clone() };
    Ok(read_bytes(path, built_in_bvh(name, path)?, &options)?)
}

/// Goes through a file as a clip of the user would: what is said of it is what is said of the file that `convert` makes
/// of it.
fn built_in_bvh(name: &str, path: &Path) -> Result<Vec<u8>, ProjectError> {
    let clip = aplomb_builtins::clip(name)
        .map_err(|source| ProjectError::BuiltIn { path: path.to_owned(), source: Box::new(source) })?;
    let as_file = Path::new("builtin.bvh");
    let encoded = export::encode(as_file, &clip, None, FrameOfReference::INTERNAL, &WriteOptions::default())?;
    Ok(encoded.files.into_iter().next_back().map(|(_, bytes)| bytes).unwrap_or_default())
}

/// SHA-256 of a file as hexadecimal digits. Built-in clips have none: their name and the program's version say it all.
pub(crate) fn sha256(path: &Path, options: &ReadOptions) -> Result<Option<String>, ProjectError> {
    if built_in_name(path).is_some() {
        return Ok(None);
    }
    Ok(Some(hex_sha256(&import::read_limited(path, options)?)))
}

/// SHA-256 as hexadecimal digits.
pub(crate) fn hex_sha256(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
