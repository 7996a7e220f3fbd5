//! Edits: a project as JSON or TOML, whose clips may be in memory.

use crate::clip::{Clip, Source, json};
use crate::errors::raised;
use aplomb_formats::ReadOptions;
use aplomb_motion::Axis;
use aplomb_project::edit::{Fps, FpsWord, list_handles};
use aplomb_project::source::built_in_name;
use aplomb_project::{Edit, EditReceipt, Project, RunRequest, edit};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A project whose clips are all files.
struct Prepared {
    project: Project,
    read: ReadOptions,
    /// Files of ours, which go away with it.
    _folders: Vec<tempfile::TempDir>,
}

/// Makes the edits of a project (JSON or TOML); `clip` takes the place of the project's own.
#[pyfunction]
#[pyo3(signature = (project, folder, clip=None, others=Vec::new()))]
pub fn run_project(
    py: Python<'_>,
    project: &str,
    folder: PathBuf,
    clip: Option<&Bound<'_, Clip>>,
    others: Vec<(String, Bound<'_, Clip>)>,
) -> PyResult<Clip> {
    let prepared = prepared(py, project, clip, &others)?;
    let made = py.detach(|| {
        let request = RunRequest {
            folder: &folder,
            read: prepared.read.clone(),
            command: &[],
            out: Path::new("result"),
            told: &|_, _| {},
            advance: &|_| true,
            cache: None,
            receipt_inputs: &[],
        };
        edit::run(&prepared.project, &request)
    });
    let made = made.map_err(|error| raised(py, &error))?;
    let receipt = json(py, &EditReceipt::new(&made, prepared.project, &[], true))?;
    let carried = made.carried.map(|contacts| (contacts, made.clip.clone()));
    let source = match clip {
        // The document of the first file, so that what was not edited can be written as it was.
        Some(clip) => {
            let from = &clip.get().source;
            let (import, roles_file) = (from.import.clone(), from.roles_file.clone());
            Source { import, is_file: false, is_rate_chosen: from.is_rate_chosen, roles_file, carried }
        }
        None => Source { import: made.original, is_file: false, is_rate_chosen: false, roles_file: None, carried },
    };
    Clip::new(py, Arc::new(source), made.clip, Some(receipt))
}

/// Handles and flights of a clip as its first path edit would have them, as JSON (`docs/schemas/handles.schema.json`).
#[pyfunction]
#[pyo3(signature = (project, folder, clip=None, others=Vec::new()))]
pub fn handles(
    py: Python<'_>,
    project: &str,
    folder: PathBuf,
    clip: Option<&Bound<'_, Clip>>,
    others: Vec<(String, Bound<'_, Clip>)>,
) -> PyResult<String> {
    let prepared = prepared(py, project, clip, &others)?;
    let listed = py.detach(|| list_handles(&prepared.project, &folder, &prepared.read));
    json(py, &listed.map_err(|error| raised(py, &error))?)
}

fn prepared(
    py: Python<'_>,
    project: &str,
    clip: Option<&Bound<'_, Clip>>,
    others: &[(String, Bound<'_, Clip>)],
) -> PyResult<Prepared> {
    let mut text = match project.trim_start().starts_with('{') {
        // A receipt holds its project under this name, and is what the library reads as JSON.
        true if !project.contains("\"project\"") => format!("{{\"project\": {project}}}"),
        _ => project.to_owned(),
    };
    let mut folders = Vec::new();
    // Clips in memory that a verb names stand for files; each name is replaced by the file that holds it.
    for (name, other) in others {
        let (path, kept) = other.get().as_file(py)?;
        let path = if built_in_name(&path).is_some() { path } else { std::path::absolute(&path)? };
        // As it stands in JSON: backslashes and quotes escaped.
        let quoted = serde_json::Value::from(path.display().to_string()).to_string();
        text = text.replace(name, quoted.trim_matches('"'));
        folders.extend(kept);
    }
    let mut project = Project::from_text(&text, Path::new("project")).map_err(|error| raised(py, &error))?;
    if let Some(clip) = clip {
        let (path, kept) = clip.get().as_file(py)?;
        project.clip = if built_in_name(&path).is_some() { path } else { std::path::absolute(&path)? };
        folders.extend(kept);
        let source = &clip.get().source;
        if source.is_rate_chosen && project.fps.is_none() {
            project.fps = Some(Fps::Word(FpsWord::Header));
        }
        if project.input.roles.is_none() {
            project.input.roles = source.roles_file.as_deref().map(std::path::absolute).transpose()?;
        }
    }
    let is_ours = |path: &Path| folders.iter().any(|folder| path.starts_with(folder.path()));
    let mut clips = std::iter::once(project.clip.as_path()).chain(project.edits.iter().flat_map(Edit::clips));
    let read = match clips.all(|path| is_ours(path) || built_in_name(path).is_some()) {
        // Ours are in metres and Y up: nothing is to be guessed.
        true => ReadOptions { metres_per_unit: Some(1.0), up: Some(Axis::Y), ..ReadOptions::default() },
        false => ReadOptions::default(),
    };
    Ok(Prepared { project, read, _folders: folders })
}
