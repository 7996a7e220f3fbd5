//! How a command ends, and the only two ways it speaks: results on standard output, everything else on standard error.

use aplomb_formats::{Diagnostic, FormatError, Severity};
use aplomb_project::ProjectError;
use aplomb_words::in_flags;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Exit codes, the same for every verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// 0
    Done,
    /// 1
    BadInput,
    /// 2
    WrongUsage,
    /// 3: written, but what was solved for did not come nearer, or the search did not end by itself
    GoalUnmet,
    /// 4
    SomeFailed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(match outcome {
            Outcome::Done => 0,
            Outcome::BadInput => 1,
            Outcome::WrongUsage => 2,
            Outcome::GoalUnmet => 3,
            Outcome::SomeFailed => 4,
        })
    }
}

impl Outcome {
    /// Of many inputs: all well, all bad, or some of each.
    pub fn of_many(inputs: usize, failed: usize) -> Self {
        match failed {
            0 => Outcome::Done,
            _ if failed == inputs => Outcome::BadInput,
            _ => Outcome::SomeFailed,
        }
    }
}

/// What the user wants to see.
#[derive(Clone, Copy, Debug)]
pub struct Printing {
    /// Machine-readable results.
    pub json: bool,
    /// No notes, no progress.
    pub quiet: bool,
    /// Everything that is known.
    pub verbose: bool,
}

/// Writes one line of results. A reader that went away (`| head`) is not an error worth a message.
pub fn print_line(line: &str) -> Outcome {
    match writeln!(anstream::stdout(), "{line}") {
        Ok(()) => Outcome::Done,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Outcome::Done,
        Err(error) => {
            say_error(&format!("cannot write to standard output: {error}"));
            Outcome::BadInput
        }
    }
}

/// Writes a JSON value, indented for people.
pub fn print_json(value: &impl Serialize) -> Outcome {
    match serde_json::to_string_pretty(value) {
        Ok(text) => print_line(&text),
        Err(error) => {
            say_error(&format!("cannot express the result as JSON: {error}"));
            Outcome::BadInput
        }
    }
}

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const YELLOW: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
const CYAN: anstyle::Style = anstyle::AnsiColor::Cyan.on_default().bold();

/// One error line on standard error.
pub fn say_error(message: &str) {
    let _ = writeln!(anstream::stderr(), "{RED}error{RED:#}: {message}");
}

/// One warning about a file on standard error.
pub fn say_warning(path: &Path, message: &str) {
    let path = aplomb_formats::diagnostic::printable(&path.display().to_string());
    let _ = writeln!(anstream::stderr(), "{YELLOW}warning{YELLOW:#}: {path}: {message}");
}

/// One note about a file on standard error.
pub fn say_note(path: &Path, message: &str, print: Printing) {
    if !print.quiet && !print.json {
        let path = aplomb_formats::diagnostic::printable(&path.display().to_string());
        let _ = writeln!(anstream::stderr(), "{CYAN}note{CYAN:#}: {path}: {message}");
    }
}

/// What a reader or writer noticed, one line each, on standard error.
pub fn say_diagnostics(path: &Path, diagnostics: &[Diagnostic], print: Printing) {
    for diagnostic in diagnostics.iter().filter(|diagnostic| !print.quiet || diagnostic.severity == Severity::Error) {
        let _ = writeln!(anstream::stderr(), "{}", diagnostic_line(path, diagnostic));
    }
}

/// `warning: walk.bvh: line 3, …`, coloured.
pub fn diagnostic_line(path: &Path, diagnostic: &Diagnostic) -> String {
    let (style, word) = match diagnostic.severity {
        Severity::Error => (RED, "error"),
        Severity::Warning => (YELLOW, "warning"),
        Severity::Note => (CYAN, "note"),
    };
    let path = aplomb_formats::diagnostic::printable(&path.display().to_string());
    format!("{style}{word}{style:#}: {path}: {diagnostic}")
}

/// An error as JSON: the message for people, and code and place for programs.
#[derive(Debug, Serialize)]
pub struct ErrorReport {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostic: Option<Diagnostic>,
}

impl ErrorReport {
    /// An error that has no code or place.
    pub fn message(message: String) -> Self {
        Self { message, code: None, diagnostic: None }
    }
}

impl From<&ProjectError> for ErrorReport {
    fn from(error: &ProjectError) -> Self {
        match error {
            ProjectError::Format(error) => Self::from(error),
            other => Self { code: other.code(), ..Self::message(in_flags(other)) },
        }
    }
}

impl From<&FormatError> for ErrorReport {
    fn from(error: &FormatError) -> Self {
        let diagnostic = match error {
            FormatError::Invalid { diagnostic, .. } => Some(Diagnostic::clone(diagnostic)),
            _ => None,
        };
        Self { message: in_flags(error), code: None, diagnostic }
    }
}
