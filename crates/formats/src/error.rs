//! One error type for every reader and writer: which file, where in it, what to do.

use crate::diagnostic::Diagnostic;
use std::path::PathBuf;

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The operating system refused.
    #[error("{path}: cannot {action}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried: "read", "write", …
        action: &'static str,
        /// Its answer.
        source: std::io::Error,
    },
    /// The contents are not what they should be.
    #[error("{path}: {diagnostic}", path = .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// First thing that cannot be accepted.
        diagnostic: Box<Diagnostic>,
        /// What was noticed before it.
        warnings: Vec<Diagnostic>,
    },
    /// No reader or writer for this kind of file.
    #[error("{path}: {reason}", path = .path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What is supported instead.
        reason: String,
    },
    /// An AMC needs its ASF.
    #[error("{path}: its skeleton (ASF) is not in the same folder{named}", path = .path.display())]
    NoSkeleton {
        /// The AMC.
        path: PathBuf,
        /// In brackets, what the AMC itself says of it; may be empty.
        named: String,
    },
    /// An existing output is only replaced on request.
    #[error("{path} exists", path = .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The clip cannot be held by the format without losing something that was asked to be kept.
    #[error("{path}: {reason}", path = .path.display())]
    CannotHold {
        /// The file to be written.
        path: PathBuf,
        /// What is in the way, with numbers.
        reason: String,
    },
    /// What was written does not read back as what was meant: a bug of ours, and nothing was replaced.
    #[error("{path}: verification of the written file failed: {reason}; nothing was replaced, please report this", path = .path.display())]
    Verification {
        /// The file to be written.
        path: PathBuf,
        /// The first difference.
        reason: String,
    },
}
