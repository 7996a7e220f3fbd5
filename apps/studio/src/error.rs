//! What can go wrong in the studio, and how it is answered.

use aplomb_formats::FormatError;
use aplomb_project::ProjectError;
use aplomb_project::session::SessionError;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::path::PathBuf;

/// Why the studio cannot start, or a request cannot be met.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// There is no page in this program.
    #[error("the studio's page is not in this program: {0}")]
    NoPage(&'static str),
    /// The port cannot be had.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; give another --port, or 0 for any that is free")]
    Listen {
        /// The port that was asked for.
        port: u16,
        /// The system's word.
        source: std::io::Error,
    },
    /// The system gives something too little.
    #[error("the studio cannot start: {0}")]
    Start(String),
    /// A path that leads out of the opened folder.
    #[error("{path}: only files below the opened folder can be used here; copy it there, or drop it onto the page", path = .path.display())]
    Outside {
        /// As it was asked for.
        path: PathBuf,
    },
    /// Something to open that is none.
    #[error("{what}: {problem}")]
    Refused {
        /// What was asked for.
        what: String,
        /// Why not.
        problem: String,
    },
    /// Nothing has been computed yet.
    #[error("there is no result yet; wait until the edits are made")]
    NotReady,
    /// A change of the project.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A clip or an edit.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A file.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl IntoResponse for StudioError {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::Session(SessionError::Stale { .. }) => StatusCode::CONFLICT,
            Self::Format(FormatError::Exists { .. })
            | Self::Project(ProjectError::Format(FormatError::Exists { .. }))
            | Self::Session(SessionError::Project(ProjectError::Format(FormatError::Exists { .. }))) => {
                StatusCode::PRECONDITION_FAILED
            }
            Self::Outside { .. } => StatusCode::FORBIDDEN,
            Self::NotReady => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        (status, Json(json!({ "error": self.to_string() }))).into_response()
    }
}
