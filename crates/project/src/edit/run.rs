//! Replays a project: reads its clip, makes its edits one after the other, and says how.

use super::file::Project;
use crate::error::ProjectError;
use crate::load::{RateChoice, load_for_edit};
use aplomb_formats::{Import, ReadOptions};
use aplomb_motion::{Clip, FrameTime};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What a project made.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What it started from, with the document that it can be written back through.
    pub original: Import,
    /// The motion after all edits.
    pub clip: Clip,
    /// Edit by edit.
    pub steps: Vec<Step>,
    /// What made it.
    pub provenance: Provenance,
}

/// One edit that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// From 1.
    pub edit: usize,
    /// Which verb.
    pub verb: &'static str,
    /// Frames afterwards.
    pub frames: usize,
    /// Seconds afterwards.
    pub duration_secs: f64,
    /// What the edit decided by itself.
    pub notes: Vec<String>,
}

/// What made a file, so that it can be made again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Provenance {
    /// The program.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// As it was called, word by word; empty where nobody typed anything.
    pub command: Vec<String>,
    /// Files that were read, the clip first.
    pub inputs: Vec<PathBuf>,
    /// The project as text: the same edits, with every default that counted.
    pub project: String,
}

/// Replays the edits. Paths of the project are relative to `folder`; `command` is what the user typed.
///
/// Clips whose clock gravity proves wrong are refused by name, unless the project gives `fps`.
pub fn run(project: &Project, folder: &Path, read: &ReadOptions, command: &[String]) -> Result<Outcome, ProjectError> {
    let rate = match project.fps {
        Some(fps) => {
            let frame_time = FrameTime::from_hz(fps).map_err(|error| ProjectError::ProjectFile {
                path: folder.to_owned(),
                detail: format!("fps: {error}"),
            })?;
            Some(RateChoice::Given(frame_time))
        }
        None => None,
    };
    let mut inputs = Vec::new();
    let mut open = |path: &Path, rate: Option<RateChoice>| {
        let path = folder.join(path);
        let import = load_for_edit(&path, read, rate)?;
        inputs.push(path);
        Ok::<_, ProjectError>(import)
    };
    let original = open(&project.clip, rate)?;
    let mut clip = original.clip.clone();
    let mut steps = Vec::with_capacity(project.edits.len());
    for (index, edit) in project.edits.iter().enumerate() {
        let mut others = Vec::new();
        for path in edit.clips() {
            others.push(open(path, None)?.clip);
        }
        let edited = edit.apply(&clip, &others).map_err(|source| ProjectError::Edit {
            edit: index + 1,
            verb: edit.verb(),
            source: Box::new(source),
        })?;
        clip = edited.clip;
        let (frames, duration_secs) = (clip.frame_count(), clip.duration_secs());
        steps.push(Step { edit: index + 1, verb: edit.verb(), frames, duration_secs, notes: edited.notes });
    }
    let provenance = Provenance {
        program: "aplomb",
        version: env!("CARGO_PKG_VERSION"),
        command: command.to_vec(),
        inputs,
        project: project.to_toml()?,
    };
    Ok(Outcome { original, clip, steps, provenance })
}
