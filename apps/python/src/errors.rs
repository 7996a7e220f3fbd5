//! Refusals as Python exceptions: the message with what helps in keywords, and the code of a reader's diagnostic.

use aplomb_formats::FormatError;
use aplomb_project::ProjectError;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    aplomb,
    AplombError,
    PyException,
    "What Aplomb refuses, and which keyword helps; `code` is a reader's code."
);

/// With the attribute `code`, or `None`.
pub fn raised(py: Python<'_>, error: &ProjectError) -> PyErr {
    let code = match error {
        ProjectError::Format(FormatError::Invalid { diagnostic, .. }) => Some(diagnostic.code),
        _ => None,
    };
    with_code(py, aplomb_words::in_keys(error), code)
}

/// The same for what formats refuse.
pub fn raised_format(py: Python<'_>, error: FormatError) -> PyErr {
    raised(py, &ProjectError::Format(error))
}

/// A refusal without a code.
pub fn refused(py: Python<'_>, message: impl Into<String>) -> PyErr {
    with_code(py, message.into(), None)
}

fn with_code(py: Python<'_>, message: String, code: Option<&str>) -> PyErr {
    let error = AplombError::new_err(message);
    match error.value(py).setattr("code", code) {
        Ok(()) => error,
        Err(other) => other,
    }
}
