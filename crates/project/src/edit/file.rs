//! The project file: a clip and a list of edits, as text that people write and programs replay.

use super::record::Edit;
use crate::error::ProjectError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Version of the file's layout.
pub const SCHEMA: u32 = 1;

/// More edits than anybody makes by hand; beyond it a file is broken.
const MOST_EDITS: usize = 10_000;

/// A clip and what is done to it, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// 1.
    pub schema: u32,
    /// The motion it starts from; relative to the project file.
    pub clip: PathBuf,
    /// Frames a second, where the file's header is wrong or silent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fps: Option<f64>,
    /// Step by step.
    #[serde(default, rename = "edit", skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
}

impl Project {
    /// A project of this layout.
    pub fn new(clip: impl Into<PathBuf>, edits: Vec<Edit>) -> Self {
        Self { schema: SCHEMA, clip: clip.into(), fps: None, edits }
    }

    /// Reads the text of a project file; `path` is for messages.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, ProjectError> {
        let fail = |detail: String| ProjectError::ProjectFile { path: path.to_owned(), detail };
        // The schema first: a file of a later layout has keys that this one does not know.
        let head: Head = toml::from_str(text).map_err(|error| fail(error.to_string()))?;
        match head.schema {
            Some(SCHEMA) => {}
            Some(found) => return Err(fail(format!("schema {found} is not known here (1 is); use a newer aplomb"))),
            None => return Err(fail("expected schema = 1 in the first lines, found no schema".to_owned())),
        }
        let project: Self = toml::from_str(text).map_err(|error| fail(error.to_string()))?;
        if project.edits.len() > MOST_EDITS {
            return Err(fail(format!("{} edits are too many (at most {MOST_EDITS})", project.edits.len())));
        }
        Ok(project)
    }

    /// The text of a project file; reading it back gives the same project.
    pub fn to_toml(&self) -> Result<String, ProjectError> {
        toml::to_string(self).map_err(|error| ProjectError::Table { what: "project file", detail: error.to_string() })
    }
}

#[derive(Deserialize)]
struct Head {
    schema: Option<u32>,
}
