//! Edits: a project as JSON or TOML, whose clips may be in memory.

use crate::clip::{Clip, Edited, Source, json};
use crate::errors::raised;
use aplomb_formats::ReadOptions;
use aplomb_project::edit::{Fps, FpsWord, MemoryClip, list_handles};
use aplomb_project::{EditReceipt, Project, RunRequest, edit};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A project whose clips are files or in memory, ready to be made.
#[pyclass(module = "aplomb._aplomb", frozen)]
pub struct Edits {
    project: Project,
    folder: PathBuf,
    memory: Vec<MemoryClip>,
    /// Whether the rate of the clip that takes the place of the project's own was chosen by the user.
    is_rate_chosen: bool,
}

/// How often a long verb looks whether Ctrl-C was pressed: soon enough for people, and taking the interpreter's
/// lock costs nothing.
const INTERRUPT_SECS: f64 = 0.05;

#[pymethods]
impl Edits {
    /// A project (JSON or TOML); `clip` takes the place of the project's own, `others` are clips in memory by the names
    /// that stand for them.
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
            let request = RunRequest { advance: &|_| interrupt.goes_on(), ..self.request() };
            edit::run(&self.project, &request)
        });
        if let Some(error) = interrupt.into_error() {
            return Err(error);
        }
        let made = made.map_err(|error| raised(py, &error))?;
        let receipt = EditReceipt::new(&made, self.project.clone(), &[], true, aplomb_words::sentence);
        let known = made.carried.clone().map(|contacts| (contacts, made.clip.clone()));
        // With the document of the first file, so that what was not edited can be written as it was.
        let source = Source { import: made.original.clone(), is_rate_chosen: self.is_rate_chosen, known };
        let motion = made.clip.clone();
        Clip::new(py, Arc::new(source), motion, Some(Arc::new(Edited { outcome: made, receipt })))
    }

    /// Handles and flights of the clip as its first path edit would have them, as JSON
    /// (`docs/schemas/handles.schema.json`).
    fn handles(&self, py: Python<'_>) -> PyResult<String> {
        let listed = py.detach(|| list_handles(&self.project, &self.request(), aplomb_words::sentence));
        json(py, &listed.map_err(|error| raised(py, &error))?)
    }
}

impl Edits {
    fn request(&self) -> RunRequest<'_> {
        let quiet = RunRequest::quiet(&self.folder, ReadOptions::default(), Path::new("result"));
        RunRequest { memory: &self.memory, ..quiet }
    }
}

/// Ctrl-C, which Python only notes while our code runs.
#[derive(Default)]
struct Interrupt {
    found: Mutex<(Option<Instant>, Option<PyErr>)>,
}

impl Interrupt {
    fn goes_on(&self) -> bool {
        // No code panics while holding it; if it did, the work is stopped.
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
    let text = match serde_json::from_str::<serde_json::Value>(project) {
        // A receipt holds its project under this name, and is what the library reads as JSON.
        Ok(value) if value.get("project").is_none() => format!("{{\"project\": {project}}}"),
        _ => project.to_owned(),
    };
    let mut project = Project::from_text(&text, Path::new("project")).map_err(|error| raised(py, &error))?;
    let mut memory = Vec::with_capacity(others.len() + 1);
    for (name, other) in others {
        memory.push(other.get().in_memory(py, name)?);
    }
    if let Some(clip) = clip {
        let own = clip.get().in_memory(py, &clip.get().source.import.path.to_string_lossy())?;
        project.clip = own.name.clone();
        memory.push(own);
        if clip.get().source.is_rate_chosen && project.fps.is_none() {
            project.fps = Some(Fps::Word(FpsWord::Header));
        }
    }
    let is_rate_chosen = clip.is_some_and(|clip| clip.get().source.is_rate_chosen);
    Ok(Edits { project, folder, memory, is_rate_chosen })
}
