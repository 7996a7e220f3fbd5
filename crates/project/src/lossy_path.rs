//! Paths as text. Systems allow names that are no text; JSON and TOML do not. A receipt shows such a name as well as
//! text can, as every message does, and never fails for it.

use serde::Serializer;
use std::path::{Path, PathBuf};

/// For `serialize_with` on a path.
pub(crate) fn one<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// On a path that may be absent.
pub(crate) fn maybe<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => serializer.serialize_some(&path.to_string_lossy()),
        None => serializer.serialize_none(),
    }
}

/// On several.
pub(crate) fn many<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}
