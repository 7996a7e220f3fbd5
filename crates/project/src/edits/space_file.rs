//! A blend space as a file: clips that a family of motions lies between.

use crate::error::ProjectError;
use crate::source::built_in_name;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Clips of one skeleton that correspond; what is asked for lies between them.
///
/// ```toml
/// schema = 1
/// clips = ["short.bvh", "medium.bvh", "long.bvh"]
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpaceFile {
    /// 1.
    pub schema: u32,
    /// Relative to the file, or `builtin:NAME`.
    pub clips: Vec<PathBuf>,
}

impl SpaceFile {
    /// Reads the text of a space file; `path` is for messages, and what clips are relative to.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, ProjectError> {
        let fail = |detail: String| ProjectError::ProjectFile { path: path.to_owned(), detail };
        let mut space: Self = toml::from_str(text).map_err(|error| fail(error.to_string()))?;
        if space.schema != 1 {
            return Err(fail(format!("schema {} is not known here (1 is); use a newer aplomb", space.schema)));
        }
        if space.clips.len() < 2 {
            return Err(fail(format!("a blend space has two clips or more, found {}", space.clips.len())));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        for clip in space.clips.iter_mut().filter(|clip| built_in_name(clip).is_none()) {
            *clip = folder.join(&*clip);
        }
        Ok(space)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_lie_next_to_the_file() {
        let of = |text: &str| SpaceFile::from_toml(text, Path::new("a/space.toml"));
        let space = of("schema = 1\nclips = [\"x.bvh\", \"builtin:long-jump\"]").unwrap();
        assert_eq!(space.clips, [Path::new("a/x.bvh"), Path::new("builtin:long-jump")]);
        assert!(of("schema = 2\nclips = [\"x.bvh\", \"y.bvh\"]").unwrap_err().to_string().contains("newer"));
        assert!(of("schema = 1\nclips = [\"x.bvh\"]").unwrap_err().to_string().contains("two clips"));
        assert!(of("schema = 1\nclip = []").unwrap_err().to_string().contains("clip"));
    }
}
