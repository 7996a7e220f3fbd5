//! Opens the files of a project, and remembers which.

use super::run::InputFile;
use crate::carried::{Beside, look_beside, place_beside};
use crate::error::ProjectError;
use crate::load::{RateChoice, load_for_edit};
use crate::source;
use aplomb_formats::{Import, ReadOptions};
use std::path::{Path, PathBuf};

/// Opens clips at the chosen rate, and remembers what was read.
pub(super) struct Reader<'a> {
    pub folder: &'a Path,
    pub read: &'a ReadOptions,
    pub rate: Option<RateChoice>,
    pub inputs: Vec<InputFile>,
    /// Contacts that lie beside clips are not used.
    pub detect_contacts: bool,
    /// As a receipt has them.
    pub known: &'a [InputFile],
}

impl Reader<'_> {
    pub fn clip(&mut self, path: &Path) -> Result<Import, ProjectError> {
        let path = self.place_of(path);
        self.note(&path)?;
        // Gravity was held against the clock before the edit that these contacts went through; since then `speed` may have changed the pace.
        let is_known = matches!(self.beside_place(&path)?, Beside::Fits(_));
        load_for_edit(&path, self.read, self.rate.or(is_known.then_some(RateChoice::Header)))
    }

    /// What travelled with a clip.
    pub fn beside(&mut self, path: &Path) -> Result<Beside, ProjectError> {
        self.beside_place(&self.place_of(path))
    }

    /// The same of a clip by where it lies.
    pub fn beside_place(&mut self, path: &Path) -> Result<Beside, ProjectError> {
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
        match source::built_in_name(path) {
            Some(_) => path.to_owned(),
            None => self.folder.join(path),
        }
    }

    /// Folders may have moved since a receipt was made, and are told from elsewhere; names stay.
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

    pub fn note(&mut self, path: &Path) -> Result<(), ProjectError> {
        if self.inputs.iter().all(|input| input.path != path) {
            let sha256 = source::sha256(path, self.read)?;
            self.refuse_changed(path, sha256.as_deref())?;
            self.inputs.push(InputFile { path: path.to_owned(), sha256 });
        }
        Ok(())
    }
}
