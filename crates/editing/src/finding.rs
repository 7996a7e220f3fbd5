//! What a verb found that people should know.

use std::fmt;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// What the verb decided by itself.
    Note,
    /// What people should look at before they use the result.
    Warning,
}

/// Something that people should know of an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Which one, for programs.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    text: String,
}

impl Finding {
    /// What the verb decided by itself.
    pub fn note(text: impl Into<String>) -> Self {
        Self { code: "", severity: Severity::Note, text: text.into() }
    }

    /// What people should look at.
    pub fn warning(text: impl Into<String>) -> Self {
        Self { code: "", severity: Severity::Warning, text: text.into() }
    }
}

impl Finding {
    /// The same by its code.
    pub fn coded(self, code: &'static str) -> Self {
        Self { code, ..self }
    }
}

/// Balance is no better than before.
pub const NOT_NEARER: &str = "TCH-W001";

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
