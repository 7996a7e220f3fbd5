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
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A project whose clips are all files, ready to be made.
#[pyclass(module = "aplomb._aplomb", frozen)]
pub struct Edits {
    project: Project,
    folder: PathBuf,
    read: ReadOptions,
    /// What the clip that takes the place of the project's own came from.
    source: Option<Arc<Source>>,
    /// Files of ours, which go away with it.
    _folders: Vec<tempfile::TempDir>,
}

/// How often a long verb looks whether somebody pressed Ctrl-C: soon enough for people, and taking the interpreter's lock costs nothing.
const INTERRUPT_SECS: f64 = 0.05;

#[pymethods]
impl Edits {
    /// A project (JSON or TOML); `clip` takes the place of the project's own, `others` are clips in memory by the names that stand for them.
    #[new]
    #[pyo3(signature = (project, folder, clip=None, others=Vec::new()))]
    fn new(
        py: Python<'_>,
        project: &str,
        folder: PathBuf,
        clip: Option<&Bound<'_, Clip>>,
        others: Vec<(String, Bound<'_, Clip>)>,
    ) -> PyResult<Self> {
        prepared(py, project, folder, clip, &others)
    }

    /// Makes the edits. Ctrl-C stops the verbs that take seconds (`adapt`, `track`).
    fn run(&self, py: Python<'_>) -> PyResult<Clip> {
        let interrupt = Interrupt::default();
        let made = py.detach(|| {
            let request = RunRequest {
                folder: &self.folder,
                read: self.read.clone(),
                command: &[],
                out: Path::new("result"),
                told: &|_, _| {},
                advance: &|_| interrupt.goes_on(),
                cache: None,
                receipt_inputs: &[],
            };
            edit::run(&self.project, &request)
        });
        if let Some(error) = interrupt.into_error() {
            return Err(error);
        }
        let made = made.map_err(|error| raised(py, &error))?;
        let receipt = json(py, &EditReceipt::new(&made, self.project.clone(), &[], true))?;
        let carried = made.carried.map(|contacts| (contacts, made.clip.clone()));
        let source = match &self.source {
            // The document of the first file, so that what was not edited can be written as it was.
            Some(from) => {
                let (import, roles_file) = (from.import.clone(), from.roles_file.clone());
                Source { import, is_file: false, is_rate_chosen: from.is_rate_chosen, roles_file, carried }
            }
            None => Source { import: made.original, is_file: false, is_rate_chosen: false, roles_file: None, carried },
        };
        Clip::new(py, Arc::new(source), made.clip, Some(receipt))
    }

    /// Handles and flights of the clip as its first path edit would have them, as JSON (`docs/schemas/handles.schema.json`).
    fn handles(&self, py: Python<'_>) -> PyResult<String> {
        let listed = py.detach(|| list_handles(&self.project, &self.folder, &self.read));
        json(py, &listed.map_err(|error| raised(py, &error))?)
    }
}

/// Ctrl-C, which Python only notes while our code runs.
#[derive(Default)]
struct Interrupt {
    found: Mutex<(Option<Instant>, Option<PyErr>)>,
}

impl Interrupt {
    fn goes_on(&self) -> bool {
        // Nobody panics while holding it; if somebody did, the work is stopped.
        let Ok(mut found) = self.found.lock() else { return false };
        let (looked, error) = &mut *found;
        if error.is_none() && looked.is_none_or(|at| at.elapsed().as_secs_f64() > INTERRUPT_SECS) {
            *looked = Some(Instant::now());
            *error = Python::attach(|py| py.check_signals()).err();
        }
        error.is_none()
    }

    fn into_error(self) -> Option<PyErr> {
        self.found.into_inner().ok()?.1
    }
}

fn prepared(
    py: Python<'_>,
    project: &str,
    folder: PathBuf,
    clip: Option<&Bound<'_, Clip>>,
    others: &[(String, Bound<'_, Clip>)],
) -> PyResult<Edits> {
    let mut text = match serde_json::from_str::<serde_json::Value>(project) {
        // A receipt holds its project under this name, and is what the library reads as JSON.
        Ok(value) if value.get("project").is_none() => format!("{{\"project\": {project}}}"),
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
    let source = clip.map(|clip| Arc::clone(&clip.get().source));
    Ok(Edits { project, folder, read, source, _folders: folders })
}
