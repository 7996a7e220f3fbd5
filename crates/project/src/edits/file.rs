//! The project file: a clip and a list of edits, as text that people write and programs replay.

use super::choices::{BodyChoice, Fps, FpsWord, InputChoice};
use super::edit::Edit;
use super::input_file::InputFile;
use crate::error::ProjectError;
use crate::inspect::PointRequest;
use crate::load::RateChoice;
use crate::source::built_in_name;
use aplomb_analysis::contacts::{ContactEntry, ContactFile, side_file};
use aplomb_formats::ReadOptions;
use aplomb_motion::{FrameTime, TimeError};
use aplomb_physics::BodyOptions;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// Version of the file's layout.
pub const SCHEMA: u32 = 1;

/// More edits than are made by hand; beyond it a file is broken.
const MOST_EDITS: usize = 10_000;

/// A clip and what is done to it, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// 1.
    pub schema: u32,
    /// The motion it starts from; relative to the project file, or `builtin:NAME`.
    #[serde(serialize_with = "crate::lossy_path::one")]
    pub clip: PathBuf,
    /// True rate of the clips, where a header is wrong or silent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fps: Option<Fps>,
    /// How the clips are read, where it is not found out.
    #[serde(default, skip_serializing_if = "InputChoice::is_default")]
    pub input: InputChoice,
    /// Whose body it is, where it is not estimated from the bones.
    #[serde(default, skip_serializing_if = "BodyChoice::is_default")]
    pub body: BodyChoice,
    /// Contacts that travelled with a clip (`walk.bvh.contacts.toml`) are not used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub detect_contacts: bool,
    /// More points that may touch something.
    #[serde(default, rename = "point", skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<PointRequest>,
    /// Where the result goes, if nothing else is said.
    #[serde(default, skip_serializing_if = "OutputChoice::is_default")]
    pub output: OutputChoice,
    /// What the clip touches and when, as people corrected it: all of it, instead of what is found. Holds until an edit
    /// changes times.
    #[serde(default, rename = "contact", skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<ContactEntry>,
    /// Step by step.
    #[serde(default, rename = "edit", skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
}

/// What a project says of its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputChoice {
    /// Below the project's folder; its ending says the format.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub file: Option<PathBuf>,
    /// The result is written even if the edits made the motion worse.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accept_harm: bool,
}

impl OutputChoice {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Project {
    /// A project of this layout.
    pub fn new(clip: impl Into<PathBuf>, edits: Vec<Edit>) -> Self {
        Self {
            schema: SCHEMA,
            clip: clip.into(),
            fps: None,
            input: InputChoice::default(),
            body: BodyChoice::default(),
            detect_contacts: false,
            points: Vec::new(),
            output: OutputChoice::default(),
            contacts: Vec::new(),
            edits,
        }
    }

    /// Reads the text of a project file, or of a receipt (JSON), whose project it takes; `path` is for messages.
    pub fn from_text(text: &str, path: &Path) -> Result<Self, ProjectError> {
        match text.trim_start().starts_with('{') {
            true => Self::from_receipt(text, path),
            false => Self::from_toml(text, path),
        }
    }

    /// Reads the text of a project file; `path` is for messages.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, ProjectError> {
        let fail = |detail: String| ProjectError::ProjectFile { path: path.to_owned(), detail };
        // The schema first: a file of a later layout has keys that this one does not know.
        let head: Head = toml::from_str(text).map_err(|error| fail(error.to_string()))?;
        check_schema(head.schema, "schema = 1 in the first lines").map_err(fail)?;
        let project: Self = toml::from_str(text).map_err(|error| fail(error.to_string()))?;
        project.checked(path)
    }

    /// The files that a receipt's edits were made from, in the order they were read; none if the text is a project
    /// file.
    pub fn inputs_of_receipt(text: &str) -> Vec<InputFile> {
        #[derive(Deserialize)]
        struct Inputs {
            inputs: Vec<InputFile>,
        }
        // What is no receipt is said when its project is read.
        serde_json::from_str::<Inputs>(text).map(|receipt| receipt.inputs).unwrap_or_default()
    }

    /// Takes the project out of a receipt.
    fn from_receipt(text: &str, path: &Path) -> Result<Self, ProjectError> {
        let fail = |detail: String| ProjectError::ProjectFile { path: path.to_owned(), detail };
        let receipt: serde_json::Value = serde_json::from_str(text).map_err(|error| fail(error.to_string()))?;
        let missing = || ProjectError::NoReceipt { path: path.to_owned() };
        let project = receipt.get("project").cloned().ok_or_else(missing)?;
        let head: Head = serde_json::from_value(project.clone()).map_err(|error| fail(error.to_string()))?;
        check_schema(head.schema, "a project of schema 1").map_err(fail)?;
        let project: Self = serde_json::from_value(project).map_err(|error| fail(error.to_string()))?;
        project.checked(path)
    }

    fn checked(self, path: &Path) -> Result<Self, ProjectError> {
        let is_lonely = |edit: &Edit| matches!(edit, Edit::Join(join) if join.clips.is_empty());
        if let Some(index) = self.edits.iter().position(is_lonely) {
            return Err(ProjectError::ProjectFile {
                path: path.to_owned(),
                detail: format!("edit {} (join): clips is empty; name at least one clip that follows", index + 1),
            });
        }
        match self.edits.len() {
            count if count > MOST_EDITS => Err(ProjectError::ProjectFile {
                path: path.to_owned(),
                detail: format!("{count} edits are too many (at most {MOST_EDITS})"),
            }),
            _ => Ok(self),
        }
    }

    /// The text of a project file; reading it back gives the same project.
    pub fn to_toml(&self) -> Result<String, ProjectError> {
        toml::to_string(self).map_err(|error| ProjectError::Table { what: "project file", detail: error.to_string() })
    }

    /// The rate that was chosen, if any was.
    pub fn rate(&self) -> Result<Option<RateChoice>, ProjectError> {
        let wrong = |source| ProjectError::FileRate { path: self.clip.clone(), source };
        self.fps.map(|fps| fps.choice().map_err(wrong)).transpose()
    }

    /// Reading as the project says, everything else as `usual` has it. Side files are relative to `folder`.
    pub fn read_options(&self, usual: &ReadOptions, folder: &Path) -> ReadOptions {
        self.input.over(usual, folder)
    }

    /// What the body is made from, without a file.
    pub fn body_options(&self) -> BodyOptions {
        self.body.options()
    }

    /// The same project for a file in another folder: relative paths lead to where they led from `from`.
    pub fn moved(&self, from: &Path, to: &Path) -> Self {
        let mut project = self.clone();
        let there = |path: &mut PathBuf| {
            if built_in_name(path).is_none() && path.is_relative() {
                *path = leading_to(&from.join(&*path), to);
            }
        };
        let Self { clip, input, body, edits, .. } = &mut project;
        let files = [&mut input.roles, &mut input.skeleton, &mut body.file];
        files.into_iter().flatten().chain([clip]).chain(edits.iter_mut().flat_map(Edit::paths_mut)).for_each(there);
        project
    }

    /// The corrected contacts as a contact file has them; `None` where they are found.
    pub fn given_contacts(&self) -> Option<ContactFile> {
        let contacts = (!self.contacts.is_empty()).then(|| self.contacts.clone())?;
        Some(ContactFile { schema: side_file::SCHEMA, frame_rate_hz: None, frames: None, carried: None, contacts })
    }

    /// Every file that is read, as it is written in the project; built-in clips are none.
    pub fn sources(&self) -> Vec<&Path> {
        let Self { clip, input, body, edits, .. } = self;
        let clips = std::iter::once(clip.as_path()).chain(edits.iter().flat_map(Edit::clips));
        let side_files = edits.iter().flat_map(Edit::side_files);
        let options = input.roles.iter().chain(&input.skeleton).chain(&body.file).map(PathBuf::as_path);
        clips.chain(side_files).chain(options).filter(|path| built_in_name(path).is_none()).collect()
    }

    /// Files that are read and do not lie below the project's folder. A project may come from anywhere: its user
    /// should know what it looks at.
    pub fn sources_outside(&self, folder: &Path) -> Vec<PathBuf> {
        let outside = self.sources().into_iter().filter(|path| !is_below(folder, path));
        outside.map(Path::to_owned).collect()
    }

    /// Where the project itself wants its result: always below its folder, wherever links lead.
    pub fn own_output(&self, folder: &Path) -> Result<Option<PathBuf>, ProjectError> {
        let Some(file) = &self.output.file else { return Ok(None) };
        if file.file_name().is_some() && is_below(folder, file) {
            return Ok(Some(folder.join(file)));
        }
        Err(ProjectError::OutputOutside { path: self.clip.clone(), file: file.clone() })
    }
}

/// Whether a path of a project stays below its folder: by its words, and by where links lead as far as it exists.
pub fn is_below(folder: &Path, path: &Path) -> bool {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !path.components().all(is_plain) {
        return false;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(root) = folder.canonicalize() else { return false };
    let mut at = folder.join(path);
    loop {
        if let Ok(real) = at.canonicalize() {
            return real.starts_with(&root);
        }
        // A link to nothing is there and leads somewhere: it is not known where.
        if at.symlink_metadata().is_ok() || !at.pop() {
            return false;
        }
    }
}

#[derive(Deserialize)]
struct Head {
    schema: Option<u32>,
}

fn check_schema(found: Option<u32>, expected: &str) -> Result<(), String> {
    match found {
        Some(SCHEMA) => Ok(()),
        Some(found) => Err(format!("schema {found} is not known here (1 is); use a newer aplomb")),
        None => Err(format!("expected {expected}, found no schema")),
    }
}

/// A way to `target` that starts in `folder`; the target as it is where there is none (another drive).
fn leading_to(target: &Path, folder: &Path) -> PathBuf {
    let here = Path::new(".");
    let folder = if folder.as_os_str().is_empty() { here } else { folder };
    let (Ok(folder), Ok(place)) = (std::path::absolute(folder), std::path::absolute(target)) else {
        return target.to_owned();
    };
    // Links in the way make `..` lead elsewhere than the text says.
    let folder = folder.canonicalize().unwrap_or(folder);
    let place = match (place.parent().and_then(|parent| parent.canonicalize().ok()), place.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => place,
    };
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), place.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return place;
    }
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    up.chain(to[shared..].iter().copied()).collect()
}

impl Fps {
    fn choice(self) -> Result<RateChoice, TimeError> {
        match self {
            Fps::Hz(hz) => FrameTime::from_hz(hz).map(RateChoice::Given),
            Fps::Word(FpsWord::Auto) => Ok(RateChoice::Auto),
            Fps::Word(FpsWord::Header) => Ok(RateChoice::Header),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_project_leads_to_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (clips, receipts) = (root.join("clips"), root.join("out/receipts"));
        for folder in [&clips, &receipts] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let project = Project::new("walk.bvh", Vec::new()).moved(&clips, &receipts);
        assert_eq!(project.clip, Path::new("../../clips/walk.bvh"));
        let built_in = Project::new("builtin:walk", Vec::new()).moved(&clips, &receipts);
        assert_eq!(built_in.clip, Path::new("builtin:walk"));
    }
}
