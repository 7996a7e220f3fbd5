//! Text of files that people write beside their clips.

use crate::error::ProjectError;
use aplomb_formats::import::read_limited;
use aplomb_formats::{Limits, ReadOptions};
use std::path::Path;

/// Side files are written by hand: one larger than this is something else.
const SIDE_FILE_BYTES: u64 = 4 << 20;

/// The text of such a file.
pub(crate) fn side_file_text(path: &Path) -> Result<String, ProjectError> {
    let limits = Limits { file_bytes: SIDE_FILE_BYTES, ..Limits::default() };
    let bytes = read_limited(path, &ReadOptions { limits, ..ReadOptions::default() })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid_bytes = error.utf8_error().valid_up_to();
        ProjectError::NotText { path: path.to_owned(), valid_bytes }
    })
}
