//! A file that was read, and what it held.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputFile {
    /// As it was found.
    #[serde(serialize_with = "crate::lossy_path::one")]
    pub path: PathBuf,
    /// Of its bytes; `null` for built-in clips.
    pub sha256: Option<String>,
}
