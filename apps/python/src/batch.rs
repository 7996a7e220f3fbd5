//! One clip of a batch: what `aplomb batch` does to each, for schedulers that share out the clips themselves (Ray).

use crate::errors::{raised, refused};
use aplomb_formats::ReadOptions;
use aplomb_project::Project;
use aplomb_project::batch::{self, BatchInput, BatchJob, BatchTask};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// What is done to each clip of a dataset.
#[pyclass(module = "aplomb._aplomb", frozen)]
pub struct Job {
    job: BatchJob,
}

#[pymethods]
impl Job {
    /// `inspect`, `convert`, or a project (TOML) whose clip is each clip in turn; `to` is the ending of the outputs.
    #[new]
    #[pyo3(signature = (task, folder, to=None))]
    fn new(py: Python<'_>, task: &str, folder: PathBuf, to: Option<String>) -> PyResult<Self> {
        let task = match task {
            "inspect" => BatchTask::Inspect,
            "convert" if to.is_none() => {
                return Err(refused(py, "convert needs the ending of the outputs (to=\"glb\")"));
            }
            "convert" => BatchTask::Convert,
            text => {
                let project = Project::from_text(text, Path::new("job")).map_err(|error| raised(py, &error))?;
                BatchTask::Edit { project: Box::new(project), folder }
            }
        };
        // An index has the words of the command, whatever made its rows.
        let job = BatchJob::new(task, ReadOptions::default(), None, to);
        Ok(Self { job: job.worded(aplomb_words::sentence, aplomb_words::in_flags) })
    }

    /// Input, job and version in one hash: what is done under this stamp need not be done again.
    fn stamp(&self, py: Python<'_>, key: String, path: PathBuf) -> String {
        let input = BatchInput { key, path };
        py.detach(|| self.job.stamp(&input))
    }

    /// Does it; the entry as JSON. A clip that fails is an entry with its message, never an exception.
    fn process(&self, py: Python<'_>, key: String, path: PathBuf, out: PathBuf) -> PyResult<String> {
        let input = BatchInput { key, path };
        let entry = py.detach(|| {
            let stamp = self.job.stamp(&input);
            self.job.process(&input, &out, stamp)
        });
        serde_json::to_string(&entry).map_err(|error| refused(py, error.to_string()))
    }
}

/// Removes half-written files that killed workers left below a folder; for when nobody is at work there.
#[pyfunction]
pub fn clear_leftovers(py: Python<'_>, folder: PathBuf) {
    py.detach(|| batch::clear_leftovers(&folder, std::time::Duration::ZERO));
}
