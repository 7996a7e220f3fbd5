//! Opens the files of a project, and remembers which.

use crate::codes;
use crate::contact_sidecar::{Beside, look_beside, place_beside};
use crate::edits::verb::Sources;
use crate::edits::{InputFile, Project};
use crate::error::ProjectError;
use crate::inspect::{InspectRequest, body_of, side_file_text, take_of};
use crate::load::{RateChoice, load_for_edit, read_for_edit, refuse_wrong_rate};
use crate::request::{MemoryClip, RunRequest};
use crate::source;
use aplomb_analysis::Take;
use aplomb_editing::finding::Finding;
use aplomb_formats::{Import, ReadOptions};
use aplomb_physics::{Body, BodyOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens clips at the chosen rate, and remembers what was read.
pub(crate) struct Reader<'a> {
    folder: &'a Path,
    read: &'a ReadOptions,
    rate: Option<RateChoice>,
    /// Body, points and rules that motions are judged with.
    pub judge: InspectRequest,
    pub inputs: Vec<InputFile>,
    /// Contacts that lie beside clips are not used.
    detect_contacts: bool,
    /// As a receipt has them.
    known: &'a [InputFile],
    /// Motions that need no file.
    memory: &'a [MemoryClip],
}

impl<'a> Reader<'a> {
    /// Of a project in this folder.
    pub fn new(
        project: &Project,
        request: &RunRequest<'a>,
        read: &'a ReadOptions,
        judge: InspectRequest,
    ) -> Result<Self, ProjectError> {
        let RunRequest { folder, receipt_inputs: known, memory, .. } = *request;
        let (rate, detect_contacts) = (project.rate()?, project.detect_contacts);
        Ok(Self { folder, read, rate, judge, inputs: Vec::new(), detect_contacts, known, memory })
    }

    /// The clip that is edited. Its clock is checked with the analysis that the edits use.
    pub fn first(&mut self, name: &Path) -> Result<(Import, Take), ProjectError> {
        let path = self.place_of(name);
        let rate = self.rate_of(&path)?;
        let (import, is_checked) = match self.in_memory(&path) {
            Some(clip) => (clip.import.clone(), rate.is_some()),
            None => read_for_edit(&path, self.read, rate)?,
        };
        let take = self.take_of(&import, &self.judge)?;
        if !is_checked {
            refuse_wrong_rate(&import, self.read, &take)?;
        }
        Ok((import, take))
    }

    /// Another clip of an edit.
    fn clip(&mut self, path: &Path) -> Result<Import, ProjectError> {
        let rate = self.rate_of(path)?;
        match self.in_memory(path) {
            Some(clip) => Ok(clip.import.clone()),
            None => load_for_edit(path, self.read, rate),
        }
    }

    fn in_memory(&self, path: &Path) -> Option<&'a MemoryClip> {
        self.memory.iter().find(|clip| clip.name == path)
    }

    /// Gravity was held against the clock before the edit that contacts beside a clip went through; since then `speed`
    /// may have changed the pace.
    fn rate_of(&mut self, path: &Path) -> Result<Option<RateChoice>, ProjectError> {
        self.note(path)?;
        let is_known = matches!(self.beside_place(path)?, Beside::Fits(_));
        Ok(self.rate.or(is_known.then_some(RateChoice::Header)))
    }

    fn take_of(&self, import: &Import, judge: &InspectRequest) -> Result<Take, ProjectError> {
        let body = match (body_of(import, judge), &judge.body_file) {
            (Ok(body), _) => Ok(Arc::new(body)),
            (Err(ProjectError::Body { source, .. }), None) => Err(source),
            (Err(error), _) => return Err(error),
        };
        take_of(import, body, judge)
    }

    /// Warnings of a body that comes from a file; those of a body made from the clip are in its report.
    pub fn body_findings(&self, body: Option<&Body>) -> Vec<Finding> {
        let of_file = body.filter(|_| self.judge.body_file.is_some()).map(Body::warnings).unwrap_or_default();
        of_file.iter().map(|it| Finding::of(codes::BODY_WARNING).value("warning", it.as_str())).collect()
    }

    /// What travelled with a clip.
    pub fn beside(&mut self, path: &Path) -> Result<Beside, ProjectError> {
        self.beside_place(&self.place_of(path))
    }

    /// The same of a clip by where it lies.
    fn beside_place(&mut self, path: &Path) -> Result<Beside, ProjectError> {
        if let Some(clip) = self.in_memory(path) {
            let known = clip.known.clone().filter(|_| !self.detect_contacts);
            return Ok(known.map_or(Beside::Nothing, |file| Beside::Fits(Box::new(file))));
        }
        self.note(path)?;
        let sha256 = self.inputs.iter().find(|input| input.path == path).and_then(|input| input.sha256.clone());
        let Some(sha256) = sha256.filter(|_| !self.detect_contacts) else { return Ok(Beside::Nothing) };
        let (beside, place) = (look_beside(path, &sha256), place_beside(path));
        match beside {
            Beside::Fits(_) => self.note(&place)?,
            _ => self.refuse_changed(&place, Some("no contacts of this clip"))?,
        }
        Ok(beside)
    }

    /// Remembers files without opening them as clips, and gives what is known of them.
    pub fn noted(&mut self, paths: Vec<&Path>) -> Result<Vec<InputFile>, ProjectError> {
        let mut noted = Vec::with_capacity(paths.len());
        for path in paths {
            let place = self.place_of(path);
            self.note(&place)?;
            noted.extend(self.inputs.iter().find(|input| input.path == place).cloned());
        }
        Ok(noted)
    }

    fn place_of(&self, path: &Path) -> PathBuf {
        match source::built_in_name(path).is_some() || self.in_memory(path).is_some() {
            true => path.to_owned(),
            false => self.folder.join(path),
        }
    }

    /// Folders may have moved since a receipt was made, and names lead from elsewhere; the names of files stay.
    fn refuse_changed(&self, path: &Path, now: Option<&str>) -> Result<(), ProjectError> {
        let namesakes = self.known.iter().filter(|known| known.path.file_name() == path.file_name());
        let then: Vec<&str> = namesakes.filter_map(|known| known.sha256.as_deref()).collect();
        match (now, then.first()) {
            (Some(now), Some(first)) if !then.contains(&now) => Err(ProjectError::ChangedInput {
                path: path.to_owned(),
                then: (*first).to_owned(),
                now: now.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Remembers a file and what it holds.
    pub fn note(&mut self, path: &Path) -> Result<(), ProjectError> {
        if self.inputs.iter().all(|input| input.path != path) {
            let sha256 = match self.in_memory(path) {
                Some(_) => None,
                None => source::sha256(path, self.read)?,
            };
            self.refuse_changed(path, sha256.as_deref())?;
            self.inputs.push(InputFile { path: path.to_owned(), sha256 });
        }
        Ok(())
    }
}

impl Sources for Reader<'_> {
    fn take(&mut self, name: &Path, beside: &Take) -> Result<Take, ProjectError> {
        let place = self.place_of(name);
        let import = self.clip(&place)?;
        let is_same = beside.body().is_ok_and(|body| body.check_skeleton(import.clip.skeleton()).is_ok());
        let judge = match is_same {
            true => self.judge.clone(),
            // Another person's motion: neither body file nor named points of this one fit.
            false => InspectRequest {
                body_file: None,
                body: BodyOptions::default(),
                points: Vec::new(),
                ..self.judge.clone()
            },
        };
        let take = self.take_of(&import, &judge)?;
        let mut journey = crate::run::Journey::new(take, &import.path, 1);
        journey.take_beside(self.beside_place(&place)?);
        Ok(journey.take)
    }

    fn text(&mut self, name: &Path) -> Result<String, ProjectError> {
        side_file_text(&self.folder.join(name))
    }

    fn place(&self, name: &Path) -> PathBuf {
        self.place_of(name)
    }
}
