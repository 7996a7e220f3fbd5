//! Reading a file without believing how long it says it is.

use crate::diagnostic::Diagnostic;
use crate::error::FormatError;
use crate::options::ReadOptions;
use std::io::Read;
use std::path::Path;

/// Reads at most the limit, whatever the file claims to be (pipes and devices state no length).
pub fn read_limited(path: &Path, options: &ReadOptions) -> Result<Vec<u8>, FormatError> {
    let io = |action: &'static str| move |source| FormatError::Io { path: path.to_owned(), action, source };
    let file = std::fs::File::open(path).map_err(io("read"))?;
    let stated = file.metadata().map_err(io("read"))?;
    let limit = options.limits.file_bytes;
    // A hint only, so that a regular file is read into one allocation; the limit below is what counts.
    let mut bytes = Vec::with_capacity(usize::try_from(stated.len().min(limit)).unwrap_or(0));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(io("read"))?;
    if bytes.len() as u64 > limit {
        let found = format!("more than {limit} bytes");
        let diagnostic = Diagnostic::error("IMP-E001", format!("at most {limit} bytes"), found)
            .hint("raise the limit with {limit file-bytes=N}");
        return Err(FormatError::Invalid { path: path.to_owned(), diagnostic: Box::new(diagnostic), warnings: vec![] });
    }
    Ok(bytes)
}
